//! Hostile bytes.

use crate::worlds::{hierarchy, mesh, world};
use detour::{Filter, Query, Vec3};
use hierarchy::{FarPlace, FarPlanner, Hierarchy};
use navmath::SplitMix64;

#[test]
fn damaged_bytes_are_refused_or_make_worse_plans() {
    let mesh = mesh(&world(21, 60.0, true));
    let bytes = hierarchy(&mesh).to_bytes();
    let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(1));
    let mut place = |x: f32| {
        let near = query.nearest(&mesh, Vec3::new(x, 0.0, x), Vec3::new(9.0, 20.0, 9.0), &Filter::default());
        FarPlace { mesh: &mesh, place: near.unwrap().place() }
    };
    let (start, goal) = (place(5.0), place(50.0));
    let (mut refused, mut read) = (0, 0);
    for _ in 0..3000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(damaged.len());
            damaged[at] = match random.below(3) {
                0 => random.below(256) as u8,
                1 => damaged[at] ^ (1 << random.below(8)),
                _ => [0, 0x7f, 0x80, 0xff][random.below(4)],
            };
        }
        if random.below(8) == 0 {
            damaged.truncate(random.below(damaged.len()));
        }
        let Ok(hierarchy) = Hierarchy::from_bytes(&damaged) else {
            refused += 1;
            continue;
        };
        read += 1;
        if let Ok(Some(plan)) = planner.plan(&hierarchy, 0, start, goal) {
            planner.stops(&hierarchy, &plan);
        }
    }
    assert!(refused > 100 && read > 100, "{refused} {read}");
}

#[test]
fn the_version_and_the_end_are_checked() {
    let bytes = hierarchy(&mesh(&world(22, 30.0, false))).to_bytes();
    let refused = |bytes: &[u8]| Hierarchy::from_bytes(bytes).unwrap_err().to_string();
    let mut newer = bytes.clone();
    newer[0] += 1;
    assert!(refused(&newer).contains("version: it is 2, and 1 is known"), "{}", refused(&newer));
    assert!(refused(&[&bytes[..], &[0]].concat()).contains("bytes are left"));
    for length in 0..bytes.len() {
        assert!(Hierarchy::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
}
