//! Stored crowds with changed bytes are rejected or valid, for any content.

use crate::common::{DT, place, square, walker};
use crate::links::gap;
use crowd::{AgentParams, Crowd, CrowdSettings, Exit, FilterKind, Formation, MovingDisc, Target};
use detour::{NavMesh, Vec3};

/// Numbers that are more likely than others to expose errors, as bits.
fn numbers() -> Vec<u32> {
    let floats = [1e30, 1e12, -1e7, 123.0, f32::INFINITY, 1e-40, f32::NAN];
    floats.map(f32::to_bits).into_iter().chain([0, 1, u32::MAX]).collect()
}

/// A crowd with everything: paths, fields, exits, groups, discs, velocities, and some agents on a link.
fn busy(mesh: &NavMesh) -> Crowd {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let params = AgentParams { turn_rate: 4.0, ..walker() };
    let ids: Vec<_> = (0..9)
        .map(|index| crowd.add(mesh, Vec3::new(1.0 + index as f32 * 0.9, 0.0, 4.0), &params).unwrap())
        .collect();
    let goal = place(mesh, 20.0, 4.0);
    let field = crowd.add_field(mesh, &[goal], f32::INFINITY, FilterKind::default()).unwrap();
    let exits = [20.0, 2.0].map(|x| Exit { place: place(mesh, x, 4.0), rate: 1.0 });
    let exits = crowd.add_exits(mesh, &exits, FilterKind::default()).unwrap();
    let group = crowd.add_group(ids[0], &ids[1..3], Formation::Wedge, 1.0).unwrap();
    crowd.send_group(group, Target::Place(goal)).unwrap();
    crowd.set_target(ids[3], Target::Field(field)).unwrap();
    crowd.set_target(ids[4], Target::Agent(ids[3])).unwrap();
    crowd.set_target(ids[5], Target::Velocity(glam::Vec2::new(0.5, 1.0))).unwrap();
    crowd.set_target(ids[6], Target::Exits(exits)).unwrap();
    for id in &ids[7..] {
        crowd.set_target(*id, Target::Place(goal)).unwrap();
    }
    let (position, velocity) = (Vec3::new(5.0, 0.0, 6.0), Vec3::X * 0.2);
    crowd.set_discs(&[MovingDisc { position, velocity, radius: 0.4, height: 2.0, layers: 1 }]).unwrap();
    crowd.set_points_of_interest(&[Vec3::new(3.0, 0.0, 3.0)], 50.0).unwrap();
    (0..80).for_each(|_| crowd.step(mesh, 1.0 / 60.0, &mut Vec::new()).unwrap());
    crowd
}

/// Restores bytes into a crowd that is reused, and makes steps of `dt` seconds. Returns true if the bytes
/// were accepted; in that case all visible values stay finite.
fn restored(crowd: &mut Crowd, mesh: &NavMesh, bytes: &[u8], (steps, dt): (usize, f32)) -> bool {
    if crowd.restore(mesh, bytes).is_err() {
        return false;
    }
    for step in 0..=steps {
        for id in crowd.agents() {
            let view = crowd.agent(id).unwrap();
            let is_sound = view.position.is_finite() && view.velocity.is_finite() && view.heading.is_finite();
            assert!(is_sound && view.position.abs().max_element() < 1e7, "step {step}: {view:?}");
        }
        crowd.step(mesh, dt, &mut Vec::new()).unwrap();
    }
    assert_eq!(crowd.restore(mesh, &crowd.save()), Ok(()), "it can be saved again");
    true
}

#[test]
fn no_number_of_a_stored_crowd_makes_views_infinite() {
    for mesh in [gap(), square(24.0)] {
        let (bytes, mut crowd) = (busy(&mesh).save(), Crowd::new(CrowdSettings::default()).unwrap());
        assert!(restored(&mut crowd, &mesh, &bytes, (40, DT)));
        let (mut counts, numbers) = ([0; 2], numbers());
        for at in 8..bytes.len() - 4 {
            let largest = [f32::MAX, f32::MIN].map(f32::to_bits);
            for number in largest.into_iter().chain([numbers[at * 7 % numbers.len()]]) {
                let mut changed = bytes.clone();
                changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
                // A few runs are long: the values that they compute from the number are stored as well.
                let steps = if at % 16 == 0 { (40, [DT, 0.25, 1.0, 1e-9][at / 16 % 4]) } else { (2, DT) };
                counts[usize::from(restored(&mut crowd, &mesh, &changed, steps))] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 1000), "refused, accepted: {counts:?}");
    }
}

#[test]
fn an_agent_that_is_not_on_its_ground_is_refused() {
    let mesh = square(24.0);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let id = crowd.add(&mesh, Vec3::new(7.5, 0.0, 9.25), &walker()).unwrap();
    let (bytes, at) = (crowd.save(), crowd.agent(id).unwrap().position);
    let place = at.to_array().map(f32::to_le_bytes).concat();
    let start = bytes.windows(12).position(|window| window == place).unwrap();
    for (x, says) in
        [(3.4e38, "no mesh reaches that far"), (1e8, "the position of an agent"), (9.0, "from its polygon")]
    {
        let mut changed = bytes.clone();
        // A square is one polygon, so that this is its position alone.
        changed[start..start + 4].copy_from_slice(&(x + if x < 10.0 { 20.0 } else { 0.0f32 }).to_le_bytes());
        let error = crowd.restore(&mesh, &changed).unwrap_err().to_string();
        assert!(error.contains(says), "{x}: {error}");
    }
    assert!(crowd.restore(&mesh, &bytes).is_ok());
}

#[test]
fn positions_beyond_any_mesh_are_refused_by_name() {
    let mesh = square(24.0);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let far = Vec3::new(1e30, 0.0, 0.0);
    let disc = MovingDisc { position: far, velocity: Vec3::ZERO, radius: 1.0, height: 2.0, layers: 1 };
    let error = crowd.set_discs(&[disc]).unwrap_err().to_string();
    assert!(error.starts_with("the position of a disc is 1"), "{error}");
    let id = crowd.add(&mesh, Vec3::new(5.0, 0.0, 5.0), &walker()).unwrap();
    let target = detour::Place { point: far, ..place(&mesh, 5.0, 5.0) };
    assert!(
        crowd.set_target(id, Target::Place(target)).unwrap_err().to_string().starts_with("the target is")
    );
    assert!(crowd.set_points_of_interest(&[far], 1.0).is_err());
}

#[test]
fn a_crowd_whose_targets_are_beyond_its_mesh_is_restored() {
    let mesh = square(24.0);
    let mut copy = Crowd::new(CrowdSettings::default()).unwrap();
    for far in [1e5, -1e7, 9e8] {
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let id = crowd.add(&mesh, Vec3::new(5.0, 0.0, 5.0), &walker()).unwrap();
        let target = detour::Place { point: Vec3::new(far, 0.0, 5.0), ..place(&mesh, 5.0, 5.0) };
        crowd.set_target(id, Target::Place(target)).unwrap();
        assert!(restored(&mut copy, &mesh, &crowd.save(), (40, DT)), "{far}: before the first step");
        (0..40).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
        assert!(restored(&mut copy, &mesh, &crowd.save(), (40, 1.0)), "{far}");
    }
}
