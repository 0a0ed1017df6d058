//! The target that drives a crowd.

use super::QUERIES;
use crate::crowd_script;
use crate::memory::bounded;
use detour::NavMesh;
use navscenes::build::{Builder, rect};
use recast::settings::OffMeshConnection;
use recast::{AreaId, PreparedLevel, Settings, Silent};
use std::sync::LazyLock;

/// Two rooms, and two floors with an off-mesh link between them.
static MESHES: LazyLock<[NavMesh; 2]> = LazyLock::new(|| {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 5.0, 8.0), 0.0).floor(rect(7.0, 0.0, 12.0, 8.0), 0.0);
    let mut settings = Settings { agent_radius: 0.3, cell_size: 0.1, ..Settings::default() };
    settings.off_mesh_connections.push(OffMeshConnection {
        start: [4.5, 0.0, 4.0],
        end: [7.5, 0.0, 4.0],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 0,
    });
    let level = PreparedLevel::new(&builder.finish(), &settings).expect("the level is sound");
    let gap = recast::bake_solo(&level, &Silent, &mut recast::Scratch::new()).expect("the level bakes").tile;
    let rooms = navscenes::baked_tile("two_rooms").expect("the scene bakes");
    [rooms, gap].map(|tile| {
        let mut mesh = NavMesh::default();
        mesh.add_tile(tile).expect("the mesh is empty");
        mesh
    })
});

/// Calls of a crowd in any order, with any numbers, stale handles, tiles that go and come, and bytes that are damaged.
pub fn crowd(data: &[u8]) {
    let (number, script) = data.split_first().map_or((0, data), |(first, rest)| (*first, rest));
    let mesh = &MESHES[usize::from(number % 2)];
    bounded(QUERIES, || crowd_script::play(mesh, script));
}
