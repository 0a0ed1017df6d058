//! Expensive ground: agents walk around it, and keep to that decision.

use crate::common::{DT, place, walker};
use crowd::{AgentParams, AgentState, Crowd, CrowdSettings, Target};
use detour::{Filter, NavMesh, Vec3};
use recast::{AreaId, Level, PreparedLevel, Settings, Silent};

const SWAMP: AreaId = AreaId(7);

/// Two banks of 8 by 20 m, a swamp of 8 by 14 m between them, and dry ground next to the swamp.
fn swamp() -> NavMesh {
    let mut level = Level::default();
    let strips = [([0.0, 8.0], [0.0, 20.0], AreaId::GROUND), ([8.0, 16.0], [0.0, 14.0], SWAMP)];
    let dry = [([8.0, 16.0], [14.0, 20.0], AreaId::GROUND), ([16.0, 24.0], [0.0, 20.0], AreaId::GROUND)];
    for ([west, east], [south, north], area) in strips.into_iter().chain(dry) {
        let first = level.vertices.len() as u32;
        level
            .vertices
            .extend([[west, south], [west, north], [east, north], [east, south]].map(|[x, z]| [x, 0.0, z]));
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        level.areas.extend([area; 2]);
    }
    let level = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let mut mesh = NavMesh::default();
    for baked in navlevel::bake_tiles(&level, 48, &Silent).unwrap() {
        mesh.add_tile(baked.tile).unwrap();
    }
    mesh
}

/// The largest detour of an agent to the side as it crosses, metres.
fn furthest(mesh: &NavMesh, filter: Filter) -> f32 {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let filter = crowd.add_filter(filter).unwrap();
    let agent = crowd.add(mesh, Vec3::new(3.0, 0.0, 3.0), &AgentParams { filter, ..walker() }).unwrap();
    crowd.set_target(agent, Target::Place(place(mesh, 21.0, 3.0))).unwrap();
    let mut furthest = 0.0_f32;
    for _ in 0..3000 {
        crowd.step(mesh, DT, &mut Vec::new()).unwrap();
        let view = crowd.agent(agent).unwrap();
        furthest = furthest.max(view.position.z);
        if view.state == AgentState::Arrived {
            return furthest;
        }
    }
    panic!("it does not arrive");
}

#[test]
fn agents_go_round_dear_ground_all_the_way() {
    let mesh = swamp();
    assert!(furthest(&mesh, Filter::default()) < 3.5);
    let dear = Filter::default().with_area_cost(SWAMP.0, 20.0).unwrap();
    // From every place with a view of the corner, a shorter path leads through the swamp.
    let aside = furthest(&mesh, dear);
    assert!(aside > 13.5, "{aside}");
}
