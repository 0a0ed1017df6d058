//! Off-mesh links: one after another goes over, and none is left behind.

use crate::common::{DT, baked, slim, trial, walk, walker};
use crowd::{AgentParams, AgentState, Crowd, CrowdSettings, EventKind, Target};
use detour::{NavMesh, Vec3};
use navscenes::build::{Builder, rect};
use recast::AreaId;
use recast::settings::OffMeshConnection;

/// Two floors with a gap between them, and a link over it.
pub(crate) fn gap() -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 10.0, 8.0), 0.0).floor(rect(14.0, 0.0, 24.0, 8.0), 0.0);
    let mut settings = slim();
    settings.off_mesh_connections.push(OffMeshConnection {
        start: [9.5, 0.0, 4.0],
        end: [14.5, 0.0, 4.0],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 0,
    });
    baked(builder, &settings)
}

#[test]
fn many_cross_one_link_in_both_directions() {
    let mesh = gap();
    let walks: Vec<_> = (0..12)
        .map(|index| {
            let (column, z) = ((index / 4) as f32, 1.0 + (index % 4) as f32 * 1.5);
            let (left, right) = ([2.0 + column, z], [18.0 + column, z]);
            if index % 3 == 0 { walk(&mesh, right, left) } else { walk(&mesh, left, right) }
        })
        .collect();
    let mut trial = trial(&mesh, &walks);
    let mut entered = 0;
    for _ in 0..5400 {
        trial.step(&mesh, DT).unwrap();
        trial.watch(&mesh).unwrap();
        entered +=
            trial.events().iter().filter(|event| matches!(event.kind, EventKind::LinkEntered(_))).count();
    }
    let report = trial.report();
    assert_eq!((report.arrived, report.left_mesh, entered), (12, 0, 12), "{report:?}");
}

#[test]
fn the_caller_can_take_an_agent_over() {
    let mesh = gap();
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let params = AgentParams { link_speed: 0.0, ..walker() };
    let id = crowd.add(&mesh, Vec3::new(8.0, 0.0, 4.0), &params).unwrap();
    crowd.set_target(id, Target::Place(crate::common::place(&mesh, 16.0, 4.0))).unwrap();
    let mut events = Vec::new();
    for _ in 0..300 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert!(matches!(crowd.agent(id).unwrap().state, AgentState::OnLink(_)));
    crowd.finish_link(id, &mut events).unwrap();
    assert!(crowd.agent(id).unwrap().position.x > 14.0);
    for _ in 0..300 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived);
}
