//! Groups: through a door and around a bend, each in its slot afterwards.

use crate::common::{DT, baked, place, scattered, scene, slim, square, two_halls, walker};
use crate::links::gap;
use crowd::{
    AgentId, AgentParams, AgentState, Crowd, CrowdError, CrowdSettings, Event, EventKind, Formation, GroupId,
    Target,
};
use detour::{Filter, NavMesh, Query, Vec3};
use glam::Vec2;
use navscenes::build::{Builder, rect};
use proptest::prelude::*;

/// The largest distance of a follower from its slot when the group has arrived, metres.
const KEPT: f32 = 0.3;

/// A group of twelve, around a place.
fn twelve(mesh: &NavMesh, [x, z]: [f32; 2], formation: Formation) -> (Crowd, GroupId, Vec<AgentId>) {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let spot = |index: usize| Vec3::new(x + (index % 3) as f32 * 0.9, 0.0, z + (index / 3) as f32 * 0.9);
    let ids: Vec<_> = (0..12).map(|index| crowd.add(mesh, spot(index), &walker()).unwrap()).collect();
    let group = crowd.add_group(ids[4], &[&ids[..4], &ids[5..]].concat(), formation, 1.0).unwrap();
    (crowd, group, ids)
}

fn forms() -> Vec<Formation> {
    let own = (1..12).map(|index| Vec2::new((index % 4) as f32 * 1.2 - 1.8, -1.2 * (1 + index / 4) as f32));
    vec![Formation::Line, Formation::Column, Formation::Wedge, Formation::Box, Formation::Own(own.collect())]
}

/// Steps until all have arrived, for some seconds at most. Returns all events.
fn walk(crowd: &mut Crowd, mesh: &NavMesh, ids: &[AgentId], seconds: f32) -> Vec<Event> {
    let mut events = Vec::new();
    let mut query = Query::new();
    for _ in 0..(seconds / DT) as usize {
        crowd.step(mesh, DT, &mut events).unwrap();
        for id in ids {
            let view = crowd.agent(*id).unwrap();
            let near = query.nearest(mesh, view.position, Vec3::new(0.1, 1.8, 0.1), &Filter::default());
            assert!(near.is_ok() || matches!(view.state, AgentState::OnLink(_)), "{id} left the mesh");
        }
        if ids.iter().all(|id| crowd.agent(*id).unwrap().state == AgentState::Arrived) {
            break;
        }
    }
    events
}

/// Everybody has arrived and is in its slot. A column may still extend through the door after its leader.
fn check(crowd: &Crowd, ids: &[AgentId], name: &str) {
    let mut folded = 0;
    for id in ids {
        let view = crowd.agent(*id).unwrap();
        let slot = crowd.slot(*id).unwrap();
        assert_eq!(view.state, AgentState::Arrived, "{name} {id} {view:?} {slot:?}");
        if let Some(slot) = slot {
            let away = slot.position.distance(view.position);
            assert!(away <= KEPT, "{name} {id}: {away}");
            folded += usize::from(slot.is_folded);
        }
    }
    assert!(folded == 0 || name == "Column", "{name}: there is room for all");
}

#[test]
fn twelve_in_every_form_go_through_a_door() {
    let mesh = two_halls(1.2);
    for formation in forms() {
        let name = format!("{formation:?}");
        let (mut crowd, group, ids) = twelve(&mesh, [3.0, 6.0], formation.clone());
        crowd.send_group(group, Target::Place(place(&mesh, 20.0, 8.0))).unwrap();
        let events = walk(&mut crowd, &mesh, &ids, 90.0);
        check(&crowd, &ids, &name);
        let folds = |folded| {
            let is_one = |event: &&Event| matches!(event.kind, EventKind::SlotChanged { is_folded, .. } if is_folded == folded);
            events.iter().filter(is_one).count()
        };
        assert!(formation == Formation::Column || folds(true) >= 4, "{name}: {}", folds(true));
        assert!(formation == Formation::Column || folds(false) >= 4, "{name}: {}", folds(false));
    }
}

#[test]
fn twelve_in_every_form_go_around_a_bend() {
    // A passage of 3 m between two halls, with a corner of 90°.
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 16.0, 16.0), 0.0).floor(rect(16.0, 6.5, 28.0, 9.5), 0.0);
    builder.floor(rect(25.0, 9.5, 28.0, 20.0), 0.0).floor(rect(18.0, 20.0, 36.0, 36.0), 0.0);
    let mesh = baked(builder, &slim());
    for formation in forms() {
        let name = format!("{formation:?}");
        let (mut crowd, group, ids) = twelve(&mesh, [3.0, 6.0], formation);
        crowd.send_group(group, Target::Place(place(&mesh, 27.0, 31.0))).unwrap();
        walk(&mut crowd, &mesh, &ids, 120.0);
        check(&crowd, &ids, &name);
    }
}

#[test]
fn slots_are_held_on_the_way_at_the_pace_of_the_slowest() {
    let mesh = square(60.0);
    let (mut crowd, group, ids) = twelve(&mesh, [5.0, 28.0], Formation::Wedge);
    crowd.set_params(ids[7], &AgentParams { max_speed: 1.2, ..walker() }).unwrap();
    crowd.send_group(group, Target::Place(place(&mesh, 55.0, 30.0))).unwrap();
    let (mut fastest, mut worst) = (0.0f32, 0.0f32);
    for step in 0..1500 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        if step > 600 {
            fastest = fastest.max(crowd.agent(ids[4]).unwrap().velocity.length());
            for id in &ids {
                let at = crowd.agent(*id).unwrap().position;
                worst = worst.max(crowd.slot(*id).unwrap().map_or(0.0, |slot| slot.position.distance(at)));
            }
        }
    }
    assert!(crowd.agent(ids[4]).unwrap().position.x > 25.0, "it goes on");
    assert!(fastest <= 1.2 + 1e-3, "{fastest}");
    assert!(worst <= 1.0, "{worst}");
}

#[test]
fn the_leader_waits_for_stragglers() {
    let mesh = square(60.0);
    let (mut crowd, group, ids) = twelve(&mesh, [15.0, 28.0], Formation::Box);
    crowd.place(&mesh, ids[0], Vec3::new(2.0, 0.0, 2.0), Vec3::ZERO).unwrap();
    crowd.send_group(group, Target::Place(place(&mesh, 55.0, 30.0))).unwrap();
    for _ in 0..480 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    }
    assert!(crowd.agent(ids[4]).unwrap().position.x < 19.0, "the leader has waited");
    walk(&mut crowd, &mesh, &ids, 90.0);
    check(&crowd, &ids, "box");
}

#[test]
fn a_group_crosses_a_link_and_follows_one_that_is_moved() {
    let mesh = gap();
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let spot = |index: usize| Vec3::new(3.0 + (index % 2) as f32, 0.0, 3.0 + (index / 2) as f32);
    let ids: Vec<_> = (0..5).map(|index| crowd.add(&mesh, spot(index), &walker()).unwrap()).collect();
    let group = crowd.add_group(ids[0], &ids[1..], Formation::Wedge, 1.0).unwrap();
    crowd.send_group(group, Target::Place(place(&mesh, 21.0, 4.0))).unwrap();
    walk(&mut crowd, &mesh, &ids, 90.0);
    check(&crowd, &ids, "wedge");
    // The player leads, back to the edge.
    crowd.set_kinematic(ids[0], true).unwrap();
    let mut arrivals = Vec::new();
    for step in 0..240 {
        let at = Vec3::new(21.0 - step as f32 * DT * 1.5, 0.0, 4.0);
        crowd.place(&mesh, ids[0], at, Vec3::X * -1.5).unwrap();
        crowd.step(&mesh, DT, &mut arrivals).unwrap();
    }
    assert!(arrivals.iter().all(|event| event.kind != EventKind::Arrived), "nobody arrives on the way");
    crowd.place(&mesh, ids[0], Vec3::new(15.0, 0.0, 4.0), Vec3::ZERO).unwrap();
    walk(&mut crowd, &mesh, &ids[1..], 20.0);
    for id in &ids[1..] {
        let (view, slot) = (crowd.agent(*id).unwrap(), crowd.slot(*id).unwrap().unwrap());
        assert_eq!(view.state, AgentState::Arrived);
        assert!(view.position.distance(slot.position) <= KEPT && view.position.x > 14.0);
    }
}

#[test]
fn groups_are_made_changed_and_dissolved() {
    let mesh = square(30.0);
    let (mut crowd, group, ids) = twelve(&mesh, [10.0, 10.0], Formation::Line);
    let goal = Target::Place(place(&mesh, 20.0, 15.0));
    assert_eq!(crowd.add_group(ids[1], &[], Formation::Line, 1.0), Err(CrowdError::InGroup(ids[1])));
    assert!(crowd.set_formation(group, Formation::Own(vec![Vec2::NAN]), 1.0).is_err());
    assert!(
        crowd.set_formation(group, Formation::Line, f32::NAN).unwrap_err().to_string().contains("spacing")
    );
    crowd.send_group(group, goal).unwrap();
    (0..60).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
    // The leader is removed: the follower in the first slot takes over, with the target.
    let first = |crowd: &Crowd| {
        ids.iter()
            .copied()
            .find(|id| crowd.slot(*id).is_ok_and(|slot| slot.is_some_and(|slot| slot.number == 0)))
    };
    let next = first(&crowd).unwrap();
    crowd.remove(ids[4]).unwrap();
    let view = crowd.group(group).unwrap();
    assert_eq!((view.leader, view.followers.len()), (next, 10));
    assert_eq!(crowd.agent(next).unwrap().target, goal);
    // A follower leaves, and comes back.
    let other = view.followers[3];
    crowd.leave_group(other).unwrap();
    assert_eq!(crowd.agent(other).unwrap().target, Target::None);
    let refused = CrowdError::NoFollower { agent: other, group };
    assert_eq!(crowd.set_target(other, Target::Group(group)), Err(refused));
    crowd.join(group, other).unwrap();
    crowd.set_formation(group, Formation::Box, 1.2).unwrap();
    let left: Vec<_> = ids.iter().copied().filter(|id| *id != ids[4]).collect();
    walk(&mut crowd, &mesh, &left, 60.0);
    check(&crowd, &left, "box");
    crowd.remove_group(group).unwrap();
    assert_eq!(crowd.group(group), Err(CrowdError::NoGroup(group)));
    assert!(left.iter().all(|id| crowd.group_of(*id) == Ok(None)));
    assert_eq!(crowd.agent(other).unwrap().target, Target::None);
}

#[test]
fn restored_groups_go_on_bit_for_bit() {
    let mesh = two_halls(1.2);
    let (mut crowd, group, ids) = twelve(&mesh, [3.0, 6.0], Formation::Wedge);
    crowd.send_group(group, Target::Place(place(&mesh, 20.0, 8.0))).unwrap();
    let mut twin = Crowd::new(CrowdSettings::default()).unwrap();
    for step in 0..1200 {
        if step % 50 == 0 {
            twin = Crowd::new(CrowdSettings::default()).unwrap();
            twin.restore(&mesh, &crowd.save()).unwrap();
        }
        let [mut events, mut same] = [Vec::new(), Vec::new()];
        crowd.step(&mesh, DT, &mut events).unwrap();
        twin.step(&mesh, DT, &mut same).unwrap();
        assert_eq!((twin.hash(), same), (crowd.hash(), events), "step {step}");
    }
    assert_eq!(twin.save(), crowd.save());
    assert_eq!(twin.group(group), crowd.group(group));
    assert!(ids.iter().all(|id| twin.slot(*id) == crowd.slot(*id)));
}

#[test]
fn a_leader_without_ground_holds_its_group() {
    let mut mesh = scene("two_rooms");
    let (mut crowd, group, ids) = {
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let spot = |index: usize| Vec3::new(1.5 + index as f32 * 0.8, 0.0, 2.0);
        let ids: Vec<_> = (0..3).map(|index| crowd.add(&mesh, spot(index), &walker()).unwrap()).collect();
        let group = crowd.add_group(ids[0], &ids[1..], Formation::Column, 0.8).unwrap();
        (crowd, group, ids)
    };
    crowd.send_group(group, Target::Place(place(&mesh, 10.0, 2.0))).unwrap();
    (0..30).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
    let coord = mesh.tiles().next().unwrap().coord();
    let tile = mesh.remove_tile(coord).unwrap();
    (0..30).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
    mesh.add_tile(tile).unwrap();
    walk(&mut crowd, &mesh, &ids, 60.0);
    assert!(ids.iter().all(|id| crowd.agent(*id).unwrap().state == AgentState::Arrived));
}

/// Walks a group of up to `count` from random places of a scene, and checks that everybody arrives.
fn arrive(name: &str, form: usize, count: usize, spacing: f32, seed: u64) -> Result<(), String> {
    let mesh = scene(name);
    let walks = scattered(&mesh, count, &walker(), seed);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let goal = walks[0].goal;
    let mut query = Query::new();
    // Agents on another island than the leader stay where they are.
    let reaches = |query: &mut Query, start: Vec3| {
        let options = detour::RouteOptions::default();
        let route = query.route(&mesh, start, goal.point, &Filter::default(), &options);
        route.is_ok_and(|route| route.reason().is_none())
    };
    let starts: Vec<Vec3> =
        walks.iter().map(|walk| walk.start).filter(|start| reaches(&mut query, *start)).collect();
    if starts.len() < 2 {
        return Ok(());
    }
    let ids: Vec<AgentId> = starts.iter().map(|start| crowd.add(&mesh, *start, &walker()).unwrap()).collect();
    let formation = forms().swap_remove(form);
    let group = crowd.add_group(ids[0], &ids[1..], formation, spacing).unwrap();
    crowd.send_group(group, Target::Place(goal)).unwrap();
    walk(&mut crowd, &mesh, &ids, 240.0);
    let missing = ids.iter().find(|id| crowd.agent(**id).unwrap().state != AgentState::Arrived);
    missing.map_or(Ok(()), |id| {
        let (view, slot) = (crowd.agent(*id).unwrap(), crowd.slot(*id).unwrap());
        Err(format!("{name} {id} {view:?} {slot:?} {goal:?}"))
    })
}

#[test]
fn groups_that_once_went_round_in_circles_arrive() {
    arrive("spiral", 2, 5, 1.908_546_3, 17_460_748_950_080_936_809).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn groups_arrive_wherever_they_start(
        name in prop::sample::select(vec!["courtyard", "two_rooms", "boxes", "slopes", "terrain", "spiral"]),
        form in 0..5usize,
        count in 2..9usize,
        spacing in 0.0..2.0f32,
        seed in any::<u64>(),
    ) {
        let arrived = arrive(name, form, count, spacing, seed);
        prop_assert!(arrived.is_ok(), "{arrived:?}");
    }
}
