//! Off-mesh links: agents cross one after another, and nobody is left on the near side.

use crate::common::{DT, baked, slim, trial, walk, walker};
use crowd::{AgentParams, AgentState, Crowd, CrowdSettings, EventKind, Target};
use detour::{NavMesh, Vec3};
use navscenes::build::{Builder, rect};
use recast::AreaId;
use recast::settings::OffMeshConnection;

/// Two floors with a gap between them, and a link over it.
pub(crate) fn gap() -> NavMesh {
    gap_with(4.0, 0.0)
}

/// This scene with a link that begins at `z` and is `width` metres wide.
fn gap_with(z: f64, width: f64) -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 10.0, 8.0), 0.0).floor(rect(14.0, 0.0, 24.0, 8.0), 0.0);
    let mut settings = slim();
    settings.off_mesh_connections.push(OffMeshConnection {
        start: [9.5, 0.0, z],
        end: [14.5, 0.0, z],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 0,
        along: [0.0, width],
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

#[test]
fn an_agent_that_is_put_elsewhere_is_off_its_link() {
    let mesh = gap();
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let params = AgentParams { link_speed: 0.0, ..walker() };
    let id = crowd.add(&mesh, Vec3::new(9.0, 0.0, 4.0), &params).unwrap();
    crowd.set_target(id, Target::Place(crate::common::place(&mesh, 16.0, 4.0))).unwrap();
    (0..100).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
    crowd.set_target(id, Target::None).unwrap();
    assert!(matches!(crowd.agent(id).unwrap().state, AgentState::OnLink(_)));
    crowd.place(&mesh, id, Vec3::new(2.0, 0.0, 4.0), Vec3::ZERO).unwrap();
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Idle);
}

#[test]
fn several_cross_a_link_between_edges_side_by_side() {
    // Four rows of agents, each directly in front of its goal: in one direction, and in both.
    for both in [false, true] {
        let mut most = [0, 0];
        let mut times = [0.0f32, 0.0];
        for (case, (z, width)) in [(4.0, 0.0), (0.75, 6.5)].into_iter().enumerate() {
            let mesh = gap_with(z, width);
            let walks: Vec<_> = (0..12)
                .map(|index| {
                    let (column, z) = ((index / 4) as f32, 1.0 + (index % 4) as f32 * 2.0);
                    let (left, right) = ([5.0 + column, z], [17.0 + column, z]);
                    if both && index % 2 == 0 { walk(&mesh, right, left) } else { walk(&mesh, left, right) }
                })
                .collect();
            let (mut trial, mut on_link) = (trial(&mesh, &walks), 0);
            for step in 0..5400 {
                trial.step(&mesh, DT).unwrap();
                trial.watch(&mesh).unwrap();
                for event in trial.events() {
                    match event.kind {
                        EventKind::LinkEntered(_) => on_link += 1,
                        EventKind::LinkLeft(_) => on_link -= 1,
                        _ => {}
                    }
                }
                most[case] = most[case].max(on_link);
                if trial.report().arrived == 12 {
                    break;
                }
                times[case] = step as f32 * DT;
            }
            let report = trial.report();
            assert_eq!((report.arrived, report.left_mesh), (12, 0), "{both} {width} {report:?}");
        }
        assert!(most[1] >= 4 && times[1] < times[0] * 0.7, "{both} {most:?} {times:?}");
    }
}
