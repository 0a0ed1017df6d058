//! Generated levels for links of all kinds.

use super::Subject;
use navscenes::random::SplitMix64;
use recast::{AreaId, Level, LinkKind, LinkProfile, Settings};

/// The area of ladders.
pub(super) const LADDER: AreaId = AreaId(9);

/// Boxes and ramps with ladders against their walls.
pub(super) fn boxes(seed: u64) -> Subject {
    let settings = Settings { agent_radius: [0.3, 0.6, 0.9][seed as usize % 3], ..Settings::default() };
    let mut level = navscenes::boxes(seed, 40);
    add_ladders(&mut level, &mut SplitMix64::new(seed));
    subject(&format!("boxes {seed}"), level, settings)
}

/// Boxes, holes, and loose, overlapping and degenerate triangles, for agents and meshes of all kinds; a
/// quarter of the triangles of half the levels are ladders.
pub(super) fn wild(seed: u64) -> Subject {
    let mut random = SplitMix64::new(seed);
    let level = navscenes::generated::level(&mut random);
    let settings = navscenes::generated::settings(&mut random);
    subject(&format!("wild {seed}"), level, settings)
}

fn subject(name: &str, level: Level, settings: Settings) -> Subject {
    let mut subject = Subject::new(name, level, settings);
    let ladder =
        LinkProfile { height: [0.5, 6.0], surface: Some(LADDER), ..LinkProfile::new(LinkKind::Ladder) };
    subject.settings.links.push(ladder);
    subject
}

/// Leans ladders against some of a level's walls.
fn add_ladders(level: &mut Level, random: &mut SplitMix64) {
    let walls: Vec<[[f64; 3]; 3]> = level
        .triangles
        .iter()
        .map(|corners| corners.map(|vertex| level.vertices[vertex as usize]))
        .filter(|corners| normal(corners)[1] == 0.0)
        .collect();
    level.areas.resize(level.triangles.len(), AreaId::GROUND);
    for _ in 0..12 {
        let wall = walls[random.next_u64() as usize % walls.len()];
        let [nx, _, nz] = normal(&wall);
        let length = nx.hypot(nz);
        let [out_x, out_z] = [nx / length, nz / length];
        let middle = [0, 2].map(|axis| wall.iter().map(|corner| corner[axis]).sum::<f64>() / 3.0);
        let heights = wall.map(|corner| corner[1]);
        let [low, high] = [f64::min, f64::max].map(|pick| heights.into_iter().reduce(pick).unwrap_or(0.0));
        // Rungs 0.6 m wide, as a sheet in front of the wall.
        let at = |along: f64, y: f64| {
            [middle[0] + out_x * 0.1 - out_z * along, y, middle[1] + out_z * 0.1 + out_x * along]
        };
        let first = level.vertices.len() as u32;
        level.vertices.extend([at(-0.3, low), at(0.3, low), at(0.3, high), at(-0.3, high)]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        level.areas.extend([LADDER; 2]);
    }
}

fn normal([a, b, c]: &[[f64; 3]; 3]) -> [f64; 3] {
    let [u, v] = [b, c].map(|corner| [0, 1, 2].map(|axis| corner[axis] - a[axis]));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}
