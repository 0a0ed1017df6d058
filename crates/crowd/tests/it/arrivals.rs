//! Agents whose places are next to each other: all arrive, and come to rest.

use crate::common::{place, square};
use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, Flow, Target};
use detour::{NavMesh, Vec3};
use navscenes::random::SplitMix64;

const MIDDLE: f32 = 10.0;

/// Two to four agents from all around, with places within a few radii of each other.
fn sent_together(mesh: &NavMesh, crowd: &mut Crowd, random: &mut SplitMix64) -> Vec<AgentId> {
    let (count, radius) = (2 + random.below(3), random.between(0.15, 0.5) as f32);
    let (spread, mixed) = (radius * random.between(0.2, 2.0) as f32, random.below(2) == 0);
    let flow = if random.below(2) == 0 { Flow::People } else { Flow::Free };
    let mut send = |_| {
        let params = AgentParams {
            radius: if mixed { random.between(0.15, 0.5) as f32 } else { radius },
            max_speed: random.between(0.6, 2.5) as f32,
            max_acceleration: if random.below(2) == 0 { 8.0 } else { random.between(1.0, 20.0) as f32 },
            stopping_distance: if random.below(3) == 0 { random.between(0.0, 0.3) as f32 } else { 0.1 },
            flow,
            ..AgentParams::default()
        };
        let (from, away) = (random.between(0.0, std::f64::consts::TAU), random.between(3.0, 5.0));
        let start = Vec3::new(from.cos() as f32, 0.0, from.sin() as f32) * away as f32;
        let id = crowd.add(mesh, start + Vec3::new(MIDDLE, 0.0, MIDDLE), &params).unwrap();
        let goal = [(); 2].map(|()| MIDDLE + random.between(-1.0, 1.0) as f32 * spread);
        crowd.set_target(id, Target::Place(place(mesh, goal[0], goal[1]))).unwrap();
        id
    };
    (0..count).map(&mut send).collect()
}

#[test]
fn agents_whose_places_are_next_to_each_other_come_to_rest() {
    let mesh = square(20.0);
    let mut random = SplitMix64::new(7);
    for case in 0..400 {
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let agents = sent_together(&mesh, &mut crowd, &mut random);
        let rate = [20.0, 30.0, 60.0][case % 3];
        let is_there = |crowd: &Crowd| {
            agents.iter().all(|id| crowd.agent(*id).is_ok_and(|view| view.state == AgentState::Arrived))
        };
        let (mut now, mut arrived) = (0.0f32, 0.0f32);
        // At rest: they do not set out again for 8 s.
        while now - arrived < 8.0 {
            crowd.step(&mesh, 1.0 / rate, &mut Vec::new()).unwrap();
            now += 1.0 / rate;
            if !is_there(&crowd) {
                arrived = now;
            }
            assert!(now < 60.0, "case {case} at {rate} steps a second is not at rest");
        }
    }
}
