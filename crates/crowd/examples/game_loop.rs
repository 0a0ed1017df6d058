//! A game loop: a squad follows its leader, villagers follow a field to the market, and a player walks among
//! them.
//!
//! `cargo run --release -p navtile-crowd --example game_loop`

#![allow(clippy::print_stdout)] // An example prints its results.

use crowd::{AgentParams, Crowd, CrowdSettings, EventKind, FilterKind, Formation, Target};
use detour::{Filter, NavMesh, Query, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A game adds the tiles of a `.navtile` file as it streams them in.
    let mut mesh = NavMesh::default();
    mesh.add_tile(navscenes::baked_tile("courtyard")?)?;
    let mut query = Query::new();
    let mut random = navscenes::random::SplitMix64::new(7);
    let mut spot = || query.random_point(&mesh, &Filter::default(), || random.between(0.0, 1.0));

    let mut crowd = Crowd::new(CrowdSettings::default())?;
    let person = AgentParams { radius: 0.3, ..AgentParams::default() };
    let player = crowd.add(&mesh, spot()?.point, &person)?;
    crowd.set_kinematic(player, true)?;

    let market = crowd.add_field(&mesh, &[spot()?], f32::INFINITY, FilterKind::default())?;
    for _ in 0..60 {
        let villager = crowd.add(&mesh, spot()?.point, &person)?;
        crowd.set_target(villager, Target::Field(market))?;
    }
    let guards = (0..6)
        .map(|_| Ok(crowd.add(&mesh, spot()?.point, &person)?))
        .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    let squad = crowd.add_group(guards[0], &guards[1..], Formation::Wedge, 1.0)?;
    crowd.send_group(squad, Target::Place(spot()?))?;

    let (mut events, dt) = (Vec::new(), 1.0 / 60.0);
    for frame in 0..3600 {
        // The game moves the player. Agents far from the player are simulated coarsely.
        let (angle, place) = (frame as f32 * dt, crowd.agent(player)?.position);
        let velocity = Vec3::new(angle.cos(), 0.0, angle.sin());
        crowd.place(&mesh, player, place + velocity * dt, velocity)?;
        crowd.set_points_of_interest(&[place], 20.0)?;

        crowd.step(&mesh, dt, &mut events)?;
        for event in events.drain(..) {
            match event.kind {
                EventKind::Arrived => println!("{:>5.1} s: {} has arrived", frame as f32 * dt, event.agent),
                EventKind::Stuck(cause) => println!("{} is stuck: {cause:?}", event.agent),
                _ => {}
            }
        }
        // A game would draw each agent of `crowd.agents()` here, at the position that `crowd.agent(id)`
        // returns.
    }
    println!("{} agents; the crowd's hash is {:016x}", crowd.len(), crowd.hash());
    Ok(())
}
