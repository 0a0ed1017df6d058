//! Hostile bytes.

use crate::worlds::{hierarchy, mesh, world};
use detour::{Filter, Query, Vec3};
use hierarchy::{FarError, FarPlace, FarPlanner, Hierarchy};
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
    for _ in 0..6000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(4) {
            damage(&mut damaged, &mut random);
        }
        if random.below(8) == 0 {
            damaged.truncate(random.below(damaged.len()));
        }
        let Ok(hierarchy) = Hierarchy::from_bytes(&damaged) else {
            refused += 1;
            continue;
        };
        read += 1;
        for (start, goal) in [(start, goal), (goal, start)] {
            if let Ok(Some(plan)) = planner.plan(&hierarchy, 0, start, goal) {
                assert!(plan.lower <= plan.upper && plan.lower >= 0.0);
                planner.stops(&plan);
            }
        }
    }
    assert!(refused > 100 && read > 100, "{refused} {read}");
}

/// Replaces a byte, or a number by an extreme one. Half of the numbers are in the header.
fn damage(bytes: &mut [u8], random: &mut SplitMix64) {
    /// Bytes of the lattice, the grid and the spacing.
    const HEADER: usize = 64;
    if random.below(2) == 0 {
        let at = random.below(bytes.len());
        bytes[at] = match random.below(3) {
            0 => random.below(256) as u8,
            1 => bytes[at] ^ (1 << random.below(8)),
            _ => [0, 0x7f, 0x80, 0xff][random.below(4)],
        };
        return;
    }
    let number: Vec<u8> = match random.below(3) {
        0 => [f64::MAX, f64::MIN_POSITIVE, -1e300, 1e18, 1e-18, 0.0][random.below(6)].to_le_bytes().to_vec(),
        1 => [i64::MAX, i64::MIN, -1, 1 << 48, 1 << 32, 1][random.below(6)].to_le_bytes().to_vec(),
        _ => [i32::MAX, i32::MIN, -1, 1 << 16, 1 << 28, 1][random.below(6)].to_le_bytes().to_vec(),
    };
    let end = if random.below(2) == 0 { HEADER } else { bytes.len() - number.len() };
    let at = random.below(end);
    bytes[at..at + number.len()].copy_from_slice(&number);
}

#[test]
fn a_mesh_on_another_grid_is_refused() {
    let mesh = mesh(&world(21, 60.0, true));
    let bytes = hierarchy(&mesh).to_bytes();
    let mut query = Query::new();
    let place = query.nearest(&mesh, Vec3::new(5.0, 0.0, 5.0), Vec3::new(9.0, 20.0, 9.0), &Filter::default());
    let start = FarPlace { mesh: &mesh, place: place.unwrap().place() };
    // The origin, the cells, and the cells along a tile.
    for at in [4, 28, 44] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        let other = Hierarchy::from_bytes(&other).unwrap();
        let refused = FarPlanner::new().plan(&other, 0, start, start).unwrap_err();
        assert!(matches!(refused, FarError::OtherWorld(_)), "{refused}");
    }
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
