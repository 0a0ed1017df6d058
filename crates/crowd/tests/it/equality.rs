//! Equal bits for any number of threads, and from run to run.

use crate::common::{DT, scattered, scene, trial, walker};
use crowd::{Crowd, CrowdSettings, Event, Exit, FilterKind, Formation, Target};
use crowdlab::trial::Trial;
use detour::{Filter, NavMesh};

/// A large crowd with a field, exits, groups, and agents far from a point of interest.
fn crowded(mesh: &NavMesh) -> Crowd {
    let mut crowd = Crowd::new(CrowdSettings { search_nodes: 1000, ..CrowdSettings::default() }).unwrap();
    let walks = scattered(mesh, 200, &walker(), 3);
    assert!(walks.len() > 150);
    let goals = [walks[0].goal, walks[1].goal];
    let field = crowd.add_field(mesh, &goals, f32::INFINITY, FilterKind::default()).unwrap();
    let exits = [0, 1, 4].map(|index: usize| Exit { place: walks[index].goal, rate: 0.5 });
    let exits = crowd.add_exits(mesh, &exits, FilterKind::default()).unwrap();
    let ids: Vec<_> = walks.iter().map(|walk| crowd.add(mesh, walk.start, &walk.params).unwrap()).collect();
    for (index, (id, walk)) in ids.iter().zip(&walks).enumerate() {
        let target = [Target::Field(field), Target::Exits(exits), Target::Place(walk.goal)][index % 3];
        crowd.set_target(*id, target).unwrap();
    }
    for (index, group) in ids[100..140].chunks(8).enumerate() {
        let formation = [Formation::Line, Formation::Wedge, Formation::Box][index % 3].clone();
        crowd.add_group(group[0], &group[1..], formation, 0.8).unwrap();
    }
    crowd.set_points_of_interest(&[walks[2].start], 15.0).unwrap();
    crowd
}

/// The hashes and events of a thousand steps, and the bytes of every hundredth. If `restores`, every
/// hundredth step continues from a crowd that was restored from the bytes alone.
fn thousand_steps(threads: usize, restores: bool) -> (Vec<u64>, Vec<Event>, Vec<Vec<u8>>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut mesh = scene("courtyard");
    let mut crowd = crowded(&mesh);
    let (mut hashes, mut events, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    pool.install(|| {
        for step in 0..1000 {
            if step == 450 {
                // All corridors are checked, and fields are searched again.
                let tile = mesh.tiles().next().unwrap().clone();
                mesh.replace_tile(tile).unwrap();
            }
            crowd.step(&mesh, DT, &mut events).unwrap();
            hashes.push(crowd.hash());
            if step % 100 == 99 {
                bytes.push(crowd.save());
                if restores {
                    let mut other = Crowd::new(*crowd.settings()).unwrap();
                    other.restore(&mesh, &bytes[bytes.len() - 1]).unwrap();
                    crowd = other;
                }
            }
        }
    });
    (hashes, events, bytes)
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let (hashes, events, bytes) = thousand_steps(1, false);
    for (threads, restores) in [(2, true), (8, false)] {
        let (same, same_events, same_bytes) = thousand_steps(threads, restores);
        assert_eq!(hashes, same, "{threads} threads");
        assert_eq!(events, same_events, "{threads} threads");
        assert!(bytes == same_bytes, "{threads} threads");
    }
    let mut distinct = hashes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() > 900, "the crowd moves");
    assert!(events.len() > 200, "{}", events.len());
}

#[test]
fn a_restored_crowd_goes_on_bit_for_bit() {
    let mesh = scene("courtyard");
    let walks = scattered(&mesh, 120, &walker(), 4);
    // So few polygons per step that searches take many steps.
    let settings = CrowdSettings { search_nodes: 200, ..CrowdSettings::default() };
    let crowd = Crowd::new(settings).unwrap();
    let mut trial = Trial::new(crowd, &mesh, &Filter::default(), &walks).unwrap();
    let mut twin = Crowd::new(settings).unwrap();
    for step in 0..600 {
        if step % 20 == 0 {
            // A new crowd each time, so that only the bytes carry over.
            twin = Crowd::new(settings).unwrap();
            twin.restore(&mesh, &trial.crowd.save()).unwrap();
        }
        assert_eq!(twin.waiting_for_paths(), trial.crowd.waiting_for_paths());
        trial.step(&mesh, DT).unwrap();
        twin.step(&mesh, DT, &mut Vec::new()).unwrap();
        assert_eq!(twin.hash(), trial.crowd.hash(), "step {step}");
    }
    assert_eq!(twin.save(), trial.crowd.save());
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let mesh = scene("two_rooms");
    let walks = scattered(&mesh, 6, &walker(), 4);
    let mut trial = trial(&mesh, &walks);
    (0..30).for_each(|_| trial.step(&mesh, DT).unwrap());
    let bytes = trial.crowd.save();
    let mut refused = 0;
    for at in 0..bytes.len() {
        for change in [1u8, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
            if crowd.restore(&mesh, &damaged).is_err() {
                refused += 1;
                assert!(crowd.is_empty());
                continue;
            }
            (0..2).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
        }
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        assert!(crowd.restore(&mesh, &bytes[..at]).is_err(), "cut at {at}");
    }
    assert!(refused > 50, "{refused}");
}
