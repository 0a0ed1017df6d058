//! No link is missing: every pair of floors that a body can certainly move between has a link nearby, or a
//! short walk.
//!
//! Pairs are found by brute force over all floors at the edge of the ground, in any direction. A body that is
//! half a diagonal of a cell wider than the agent's is swept through the triangles: if it passes, the rules
//! must allow the link.

use super::body::{Cylinder, near, profile, segments, triangles};
use super::floor_ways::{Floor, floors, ways};
use super::{Subject, crossings, whole_links};
use navscenes::shooter;
use navtile::off_mesh::WorldLink;
use recast::{LinkKind, Settings};

fn ends_towards(floor: &Floor, [dx, dz]: [i32; 2]) -> bool {
    let [x_min, z_max, x_max, z_min] = floor.beside.map(|beside| beside.is_none());
    (dx < 0 && x_min) || (dz > 0 && z_max) || (dx > 0 && x_max) || (dz < 0 && z_min)
}

/// Returns true if a vector has one of the sixteen directions of links.
fn is_ray([dx, dz]: [i32; 2]) -> bool {
    let (a, b) = (dx.abs().max(dz.abs()), dx.abs().min(dz.abs()));
    b == 0 || a == b || a == 2 * b
}

/// Number of pairs that need a link, and number of pairs that have one: along the sixteen directions, and in
/// other directions.
#[derive(Debug, Default)]
struct Tally {
    wanted: [usize; 2],
    served: [usize; 2],
}

/// Counts pairs of a kind. Every `nth` floor at the edge of the ground is a start.
fn tally(subject: &Subject, kind: LinkKind, nth: usize) -> Tally {
    let level = subject.prepared();
    let (all, floors) = (triangles(subject), floors(&level));
    let kept = crossings(&level, &whole_links(&level, 0));
    let kept: Vec<&WorldLink> =
        kept.iter().filter(|(other, _)| *other == kind).map(|(_, link)| link).collect();
    let body = Cylinder::of(subject, -(0.5f64.sqrt()));
    let profile = profile(subject, kind);
    let [size, height] = [subject.settings.cell_size, subject.settings.cell_height];
    let world = |floor: &Floor| {
        let origin = level.lattice.origin;
        let [x, z] = floor.at.map(|cell| f64::from(cell) + 0.5);
        [origin[0] + x * size, origin[1] + f64::from(floor.height) * height, origin[2] + z * size]
    };
    // Rounding to cells may take a cell from every measure.
    let margin = 2 * level.config.walkable_radius + 3;
    let [_, widest] = profile.used_distance(subject.settings.agent_radius, size);
    let most = ((widest - 1e-6) / size).floor() as i32 + margin;
    let mut tally = Tally::default();
    let starts = floors.iter().enumerate().filter(|(_, floor)| floor.beside.contains(&None));
    for (index, floor) in starts.step_by(nth) {
        let top = world(floor);
        let limit = (profile.worth * (f64::from(most) * size + profile.height[1]) / size * 10.0) as u32;
        let on_foot = ways(&floors, index, limit);
        for (other_index, other) in floors.iter().enumerate() {
            let step = [other.at[0] - floor.at[0], other.at[1] - floor.at[1]];
            let across2 = step[0] * step[0] + step[1] * step[1];
            let across = f64::from(across2).sqrt() * size;
            let up = f64::from(other.height - floor.height) * height;
            let fits = match kind {
                LinkKind::Jump => {
                    (-profile.height[0] + height..=profile.height[1] - height).contains(&up)
                        && ends_towards(other, step.map(|step| -step))
                }
                _ => (profile.height[0] + height..=profile.height[1] - height).contains(&-up),
            };
            if !fits || across2 == 0 || across2 > most * most || !ends_towards(floor, step) {
                continue;
            }
            let length = across.hypot(up);
            if f64::from(on_foot[other_index]) <= profile.worth * length / size * 10.0 + 1.0 {
                continue;
            }
            let bottom = world(other);
            let [start, end] = if kind == LinkKind::Climb { [bottom, top] } else { [top, bottom] };
            let way = segments(kind, start, end, &body, profile.arc + height);
            if body.hits(&way, &near(&all, start, end, body.radius), -height).is_some() {
                continue;
            }
            let class = usize::from(!is_ray(step));
            tally.wanted[class] += 1;
            let apart = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]);
            let serves = |link: &&WorldLink| {
                let own = apart(link.start, link.end).hypot(link.end[1] - link.start[1]);
                // Drops and climbs lead to the nearest of the floors on a ray.
                let further = if kind == LinkKind::Jump { 0.0 } else { across };
                let most = (profile.worth * length - own).max(2.0 * profile.spacing) + further;
                let together = |a, b| apart(link.start, a) + apart(link.end, b) <= most + 1e-6;
                together(start, end) || (link.both_ways && together(end, start))
            };
            tally.served[class] += usize::from(kept.iter().any(serves));
        }
    }
    tally
}

#[test]
fn every_pair_that_can_be_linked_has_a_link() {
    let mut wanted = [0; 3];
    for scene in shooter::scenes() {
        let settings = Settings { cell_size: 0.3, cell_height: 0.2, ..(scene.settings)() };
        let subject = Subject::new(scene.name, (scene.level)(), settings);
        for kind in [LinkKind::Drop, LinkKind::Jump, LinkKind::Climb] {
            let Tally { wanted: found, served } = tally(&subject, kind, 7);
            wanted[kind as usize] += found[0];
            println!(
                "{}, {}: {} of {} pairs along the directions of links are served, {} of {} others",
                scene.name,
                kind.name(),
                served[0],
                found[0],
                served[1],
                found[1]
            );
            assert_eq!(served[0], found[0], "{}: {kind:?}", scene.name);
        }
    }
    assert!(wanted.iter().all(|&pairs| pairs > 20), "{wanted:?}");
}
