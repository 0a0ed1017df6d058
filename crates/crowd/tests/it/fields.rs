//! Agents that follow fields: every agent that can reach a goal arrives, for all changes of the mesh.

use crate::common::{DT, place, scattered, scene, walker};
use crate::links::gap;
use crowd::{
    AgentId, AgentParams, AgentState, Crowd, CrowdError, CrowdSettings, Event, EventKind, FieldId,
    FilterKind, Target,
};
use detour::{Filter, NavMesh, PartialReason, Place, Query, Vec3};
use proptest::prelude::*;

/// A crowd of scattered agents that all follow one field.
fn sent(mesh: &NavMesh, count: usize, goals: &[Place], seed: u64) -> (Crowd, FieldId, Vec<AgentId>) {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let field = crowd.add_field(mesh, goals, f32::INFINITY, FilterKind::default()).unwrap();
    let walks = scattered(mesh, count, &walker(), seed);
    let send = |walk: &crowdlab::trial::Walk| {
        let id = crowd.add(mesh, walk.start, &walk.params).unwrap();
        crowd.set_target(id, Target::Field(field)).unwrap();
        id
    };
    let ids = walks.iter().map(send).collect();
    (crowd, field, ids)
}

/// Steps until nobody walks, for some seconds at most. Returns all events.
fn settle(crowd: &mut Crowd, mesh: &NavMesh, ids: &[AgentId], seconds: f32) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..(seconds / DT) as usize {
        crowd.step(mesh, DT, &mut events).unwrap();
        let rests =
            |id: &AgentId| matches!(crowd.agent(*id).unwrap().state, AgentState::Arrived | AgentState::Idle);
        if ids.iter().all(rests) {
            break;
        }
    }
    events
}

fn states(crowd: &Crowd, ids: &[AgentId], state: AgentState) -> usize {
    ids.iter().filter(|id| crowd.agent(**id).unwrap().state == state).count()
}

#[test]
fn many_follow_one_field_without_searches_of_their_own() {
    let mesh = scene("courtyard");
    let goals = scattered(&mesh, 1, &walker(), 11).iter().map(|walk| walk.goal).collect::<Vec<_>>();
    let (mut crowd, field, ids) = sent(&mesh, 150, &goals, 12);
    assert!(ids.len() > 100);
    let mut events = Vec::new();
    crowd.step(&mesh, DT, &mut events).unwrap();
    assert_eq!(crowd.waiting_for_paths(), 0);
    let walks = ids.iter().filter(|id| crowd.agent(**id).unwrap().velocity.length() > 0.05).count();
    assert!(walks * 10 >= ids.len() * 9, "nearly all go at once: {walks} of {}", ids.len());
    settle(&mut crowd, &mesh, &ids, 120.0);
    assert_eq!(states(&crowd, &ids, AgentState::Arrived), ids.len());
    // They are around the goal, in a disc that they fill by at least a third.
    let farthest = ids.iter().map(|id| crowd.agent(*id).unwrap().position.distance(goals[0].point));
    let farthest = farthest.fold(0.0, f32::max);
    assert!(farthest < 0.3 * (3.0 * ids.len() as f32).sqrt() + 3.0, "{farthest}");
    assert_eq!(crowd.field(field).unwrap().goals(), goals);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]
    #[test]
    fn every_agent_that_can_reach_a_goal_arrives(
        name in prop::sample::select(vec!["courtyard", "two_rooms", "storeys", "spiral", "boxes", "slopes"]),
        goals in 1..4usize,
        bound in prop_oneof![Just(f32::INFINITY), 5.0..40.0f32],
        seed in any::<u64>(),
    ) {
        let mesh = scene(name);
        let goals: Vec<Place> = scattered(&mesh, goals, &walker(), seed).iter().map(|walk| walk.goal).collect();
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let field = crowd.add_field(&mesh, &goals, bound, FilterKind::default()).unwrap();
        let mut ids = Vec::new();
        for walk in scattered(&mesh, 12, &walker(), seed ^ 1) {
            let id = crowd.add(&mesh, walk.start, &walk.params).unwrap();
            crowd.set_target(id, Target::Field(field)).unwrap();
            let view = crowd.agent(id).unwrap();
            let at = Place { polygon: view.polygon, point: view.position };
            ids.push((id, crowd.field(field).unwrap().distance(&mesh, at)));
        }
        let all: Vec<AgentId> = ids.iter().map(|(id, _)| *id).collect();
        let events = settle(&mut crowd, &mesh, &all, 120.0);
        for (id, way) in ids {
            let view = crowd.agent(id).unwrap();
            let expected = if way.is_some() { AgentState::Arrived } else { AgentState::Idle };
            // An agent at the bound may be pushed over it before it has moved.
            let is_at_bound = way.is_some_and(|way| way > bound - 1.0);
            prop_assert!(view.state == expected || is_at_bound, "{name} {id}: {view:?} {way:?}");
            let kind = EventKind::PathPartial(PartialReason::Unreachable);
            let is_reported = events.contains(&Event { agent: id, kind });
            prop_assert!(way.is_some() || is_reported);
        }
    }
}

#[test]
fn fields_lead_over_links_in_both_directions() {
    let mesh = gap();
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let goals = [place(&mesh, 22.0, 4.0), place(&mesh, 2.0, 4.0)];
    let kind = FilterKind::default();
    let fields = goals.map(|goal| crowd.add_field(&mesh, &[goal], f32::INFINITY, kind).unwrap());
    let mut ids = Vec::new();
    for index in 0..10 {
        let (side, z) = (index % 2, 1.0 + (index / 2) as f32 * 1.4);
        let x = if side == 0 { 4.0 } else { 20.0 };
        let id = crowd.add(&mesh, Vec3::new(x, 0.0, z), &walker()).unwrap();
        crowd.set_target(id, Target::Field(fields[side])).unwrap();
        ids.push(id);
    }
    let events = settle(&mut crowd, &mesh, &ids, 90.0);
    assert_eq!(states(&crowd, &ids, AgentState::Arrived), 10);
    let entered = events.iter().filter(|event| matches!(event.kind, EventKind::LinkEntered(_))).count();
    assert_eq!(entered, 10);
}

#[test]
fn fields_follow_doors_and_tiles() {
    const SHUT: u32 = 0x8000;
    let mut mesh = scene("two_rooms");
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let kind = crowd.add_filter(Filter::default().with_exclude(SHUT)).unwrap();
    let goal = place(&mesh, 10.0, 2.0);
    let field = crowd.add_field(&mesh, &[goal], f32::INFINITY, kind).unwrap();
    let params = AgentParams { filter: kind, ..walker() };
    let id = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &params).unwrap();
    crowd.set_target(id, Target::Field(field)).unwrap();
    let mut events = Vec::new();
    (0..20).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    let own = crowd.agent(id).unwrap().polygon;
    let others: Vec<_> =
        mesh.polygons().filter(|polygon| *polygon != own && *polygon != goal.polygon).collect();
    let set = |mesh: &mut NavMesh, flags: fn(u32) -> u32| {
        for polygon in &others {
            mesh.set_flags(*polygon, flags(mesh.attributes(*polygon).unwrap().flags)).unwrap();
        }
    };
    set(&mut mesh, |flags| flags | SHUT);
    (0..100).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Idle);
    let kind = EventKind::PathPartial(PartialReason::Unreachable);
    assert!(events.contains(&Event { agent: id, kind }));
    set(&mut mesh, |flags| flags & !SHUT);
    // Halfway there, the ground is removed and comes back.
    (0..120).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    let coord = mesh.tiles().next().unwrap().coord();
    let tile = mesh.remove_tile(coord).unwrap();
    (0..10).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Lost);
    mesh.add_tile(tile).unwrap();
    (0..600).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived);
    assert!(crowd.agent(id).unwrap().position.distance(goal.point) < 0.15);
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let mesh = scene("two_rooms");
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let other = crowd.add_filter(Filter::default()).unwrap();
    let goal = place(&mesh, 10.0, 2.0);
    let id = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    let add = |crowd: &mut Crowd, bound, kind| crowd.add_field(&mesh, &[goal], bound, kind);
    assert!(matches!(add(&mut crowd, f32::NAN, other), Err(CrowdError::Query(_))));
    assert!(crowd.add_field(&mesh, &[], 1.0, other).is_err());
    let field = add(&mut crowd, f32::INFINITY, other).unwrap();
    let refused = crowd.set_target(id, Target::Field(field)).unwrap_err();
    assert_eq!(refused, CrowdError::OtherFilter { agent: id, own: 0, field, given: 1 });
    crowd.set_params(id, &AgentParams { filter: other, ..walker() }).unwrap();
    crowd.set_target(id, Target::Field(field)).unwrap();
    assert!(crowd.set_params(id, &walker()).is_err());
    crowd.remove_field(field).unwrap();
    assert_eq!(crowd.agent(id).unwrap().target, Target::None);
    assert_eq!(crowd.remove_field(field), Err(CrowdError::NoField(field)));
    let new = add(&mut crowd, 9.0, other).unwrap();
    assert_eq!((new.index(), FieldId::from_bits(new.to_bits())), (field.index(), new));
    assert_eq!(crowd.set_target(id, Target::Field(field)), Err(CrowdError::NoField(field)));
}

#[test]
fn a_restored_crowd_follows_its_fields_bit_for_bit() {
    let mut mesh = scene("courtyard");
    let goals: Vec<Place> = scattered(&mesh, 3, &walker(), 21).iter().map(|walk| walk.goal).collect();
    let (mut crowd, field, _) = sent(&mesh, 60, &goals, 22);
    let mut twin = Crowd::new(CrowdSettings::default()).unwrap();
    for step in 0..400 {
        if step == 150 {
            let tile = mesh.tiles().next().unwrap().coord();
            let tile = mesh.tile(tile).unwrap().clone();
            mesh.replace_tile(tile).unwrap();
        }
        if step % 40 == 0 && step != 200 {
            twin = Crowd::new(CrowdSettings::default()).unwrap();
        }
        if step % 40 == 0 && step != 160 {
            twin.restore(&mesh, &crowd.save()).unwrap();
        }
        if step == 160 {
            // The continuing crowd is restored from its own bytes, and keeps its search results.
            let bytes = crowd.save();
            crowd.restore(&mesh, &bytes).unwrap();
            twin.restore(&mesh, &bytes).unwrap();
        }
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        twin.step(&mesh, DT, &mut Vec::new()).unwrap();
        assert_eq!(twin.hash(), crowd.hash(), "step {step}");
    }
    let at = Place { polygon: goals[0].polygon, point: goals[0].point };
    let found = Query::new().nearest(&mesh, at.point, Vec3::ONE, &Filter::default()).unwrap().place();
    let ways = [&crowd, &twin].map(|crowd| crowd.field(field).unwrap().distance(&mesh, found));
    assert!(ways[0].is_some() && ways[0] == ways[1]);
    let settings = CrowdSettings { stuck_after: 6.0, ..CrowdSettings::default() };
    let error = Crowd::new(settings).unwrap().restore(&mesh, &crowd.save()).unwrap_err();
    assert!(error.to_string().contains("settings differ"), "{error}");
    let mut other = Crowd::new(CrowdSettings::default()).unwrap();
    other.add_filter(Filter::default()).unwrap();
    assert!(other.restore(&mesh, &crowd.save()).unwrap_err().to_string().contains("number of filters"));
    // An equal number of different filters.
    crowd.add_filter(Filter::default()).unwrap();
    let changed = [
        Filter::default().with_include(1),
        Filter::default().with_exclude(1),
        Filter::default().without_area(200),
        Filter::default().with_area_cost(255, 2.0).unwrap(),
    ];
    for filter in changed {
        let mut other = Crowd::new(CrowdSettings::default()).unwrap();
        other.add_filter(filter).unwrap();
        let refused = other.restore(&mesh, &crowd.save());
        assert_eq!(refused, Err(CrowdError::FilterChanged { filter: 1 }));
        assert!(other.is_empty());
    }
    assert_eq!(other.restore(&mesh, &crowd.save()), Ok(()));
}
