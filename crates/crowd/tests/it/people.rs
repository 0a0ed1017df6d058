//! Agents that walk as people do: slower the denser the crowd, and in queues without pushing.

use crate::common::{DT, baked, halls, place};
use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, FilterKind, Flow, Target};
use detour::{Filter, NavMesh, Place, Query, Vec3};
use navscenes::build::{Builder, Up, rect};
use navscenes::random::SplitMix64;
use recast::{AreaId, Settings};

const RADIUS: f32 = 0.2;
const SPEED: f32 = 1.34;
const STAIRS: AreaId = AreaId(9);

fn mesh(builder: Builder) -> NavMesh {
    baked(builder, &Settings { cell_size: 0.1, agent_radius: 0.2, ..Settings::default() })
}

/// A crowd of people at these places, who follow one field to some goals.
fn crowd_to(mesh: &NavMesh, goals: &[[f32; 2]], starts: impl Iterator<Item = Vec3>) -> (Crowd, Vec<AgentId>) {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let goals: Vec<Place> = goals.iter().map(|[x, z]| place(mesh, *x, *z)).collect();
    let field = crowd.add_field(mesh, &goals, f32::INFINITY, FilterKind::default()).unwrap();
    let params =
        AgentParams { radius: RADIUS, max_speed: SPEED, flow: Flow::People, ..AgentParams::default() };
    let mut send = |start| {
        let id = crowd.add(mesh, start, &params).unwrap();
        crowd.set_target(id, Target::Field(field)).unwrap();
        id
    };
    let ids = starts.map(&mut send).collect();
    (crowd, ids)
}

/// Speed of people at a density, by Weidmann's diagram.
fn weidmann(density: f32) -> f32 {
    SPEED * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())
}

/// Mean density and speed in the middle of a corridor of 50 m by 3 m that is filled with people.
fn in_corridor(density: f32) -> [f32; 2] {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 50.0, 3.0), 0.0);
    let mesh = mesh(builder);
    let mut random = SplitMix64::new(3);
    let apart = density.sqrt().recip();
    let rows = (3.0 / apart).round();
    let (width, length) = (3.0 / rows, 1.0 / (density * (3.0 / rows)));
    let count = (40.0 / length) as usize;
    let mut about =
        |space: f32| ((space - 2.0 * RADIUS) * 0.9 * (random.unit() as f32 - 0.5)).clamp(-1.0, 1.0);
    let starts: Vec<Vec3> = (0..count * rows as usize)
        .map(|number| {
            let (along, across) = (number / rows as usize, number % rows as usize);
            let z = width * (across as f32 + 0.5) + about(width);
            Vec3::new(2.0 + length * (along as f32 + 0.5) + about(length), 0.0, z.clamp(0.25, 2.75))
        })
        .collect();
    let (mut crowd, ids) = crowd_to(&mesh, &[[49.5, 1.5]], starts.into_iter());
    let (mut speed, mut inside, mut looks) = (0.0, 0, 0);
    for step in 0..60 * 10 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        if step < 60 * 4 || step % 30 != 0 {
            continue;
        }
        looks += 1;
        for id in &ids {
            let view = crowd.agent(*id).unwrap();
            if (16.0..26.0).contains(&view.position.x) {
                speed += view.velocity.x;
                inside += 1;
            }
        }
    }
    [inside as f32 / looks as f32 / 30.0, speed / inside as f32]
}

#[test]
fn speed_falls_with_density_as_weidmann_measured() {
    for asked in [0.5, 1.0, 2.0, 3.0, 4.0] {
        let [density, speed] = in_corridor(asked);
        let expected = weidmann(density);
        assert!((speed / expected - 1.0).abs() < 0.15, "at {density}: {speed} m/s, expected {expected}");
    }
}

#[test]
fn a_door_passes_a_number_of_people_that_was_measured() {
    for width in [1.2, 1.6, 2.0] {
        let mesh = mesh(halls(width));
        let (columns, people) = (10, 100);
        let start = |number: usize| {
            let (along, across) = (number / columns, number % columns);
            Vec3::new(4.0 + along as f32 * 0.7, 0.0, 4.5 + across as f32 * 0.7)
        };
        let goals = [3.0, 8.0, 13.0].map(|z| [23.0, z]);
        let (mut crowd, ids) = crowd_to(&mesh, &goals, (0..people).map(start));
        let door = Vec3::new(12.0, 0.0, 8.0);
        let gained: f32 = ids.iter().map(|id| crowd.agent(*id).unwrap().position.distance(door)).sum();
        let (mut passed, mut walked) = (Vec::new(), 0.0);
        for step in 0..60 * 150 {
            let before: Vec<Vec3> = ids.iter().map(|id| crowd.agent(*id).unwrap().position).collect();
            crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
            for (id, before) in ids.iter().zip(before).filter(|(_, before)| before.x <= 12.0) {
                let now = crowd.agent(*id).unwrap().position;
                walked += now.distance(before);
                if now.x > 12.0 {
                    passed.push(step as f32 * DT);
                }
            }
        }
        assert_eq!(passed.len(), people, "{width} m");
        let (first, last) = (people / 5, people * 9 / 10);
        let flow = (last - first) as f32 / (passed[last] - passed[first]) / width as f32;
        assert!((1.2..=2.0).contains(&flow), "{width} m: {flow} per second and metre");
        assert!(walked / gained < 1.2, "{width} m: {walked} m walked for {gained} m");
    }
}

#[test]
fn stairs_are_slower_up_than_down() {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 4.0, 2.0), 0.0).floor(rect(14.0, 0.0, 18.0, 2.0), 5.0);
    builder.area(STAIRS).stairs(rect(4.0, 0.0, 14.0, 2.0), Up::XMax, 0.0, 5.0, 25);
    let mesh = mesh(builder);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let stairs = crowd.add_filter(Filter::default()).unwrap();
    crowd.set_area_speed(stairs, STAIRS.0, 0.5, 0.75).unwrap();
    assert!(crowd.set_area_speed(stairs, 9, 0.0, 1.0).is_err());
    let params = AgentParams { radius: RADIUS, max_speed: SPEED, filter: stairs, ..AgentParams::default() };
    let mut seconds = |from: Vec3, to: Vec3| {
        let id = crowd.add(&mesh, from, &params).unwrap();
        crowd
            .set_target(
                id,
                Target::Place(
                    Query::new().nearest(&mesh, to, Vec3::splat(0.5), &Filter::default()).unwrap().place(),
                ),
            )
            .unwrap();
        let mut on_stairs = 0;
        for _ in 0..60 * 30 {
            crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
            let at = crowd.agent(id).unwrap().position;
            on_stairs += i32::from((5.0..13.0).contains(&at.x));
        }
        assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived);
        crowd.remove(id).unwrap();
        on_stairs as f32 * DT
    };
    let [low, high] = [Vec3::new(1.0, 0.0, 1.0), Vec3::new(17.0, 5.0, 1.0)];
    for (seconds, share) in [(seconds(low, high), 0.5), (seconds(high, low), 0.75)] {
        let expected = 8.0 / (SPEED * share);
        assert!((seconds / expected - 1.0).abs() < 0.03, "{seconds} s, expected {expected}");
    }
}
