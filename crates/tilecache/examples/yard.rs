//! A yard that changes while two hundred agents walk: crates are dropped, a bridge is put over the ditch,
//! walls are blown up. Prints the events of each second, and draws the paths of all agents if a file is
//! named.
//!
//! `cargo run --release -p navtile-tilecache --example yard -- ways.svg`

#![allow(clippy::print_stdout)] // An example prints its results.

use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, EventKind, Target};
use detour::{Filter, NavMesh, Query, Vec3};
use navdraw::{MeshOptions, TrackGroup, Tracks};
use navlevel::{Body, Effect, Obstacle, ObstacleError};
use navscenes::build::{Builder, rect};
use navscenes::random::SplitMix64;
use recast::{AreaId, PreparedLevel, Settings, Transform};
use std::error::Error;
use tilecache::{Budget, TileCache, bake_dynamic};

/// Steps per second, and seconds.
const RATE: usize = 30;
const SECONDS: usize = 120;
/// Tiles that are baked in a step.
const TILES: usize = 4;
/// A wall with one gap in the west, then a ditch, 5 m wide.
const WALL: f64 = 16.0;
const DITCH: [f64; 2] = [34.0, 39.0];
const SIZE: [f64; 2] = [60.0, 40.0];

fn level() -> Result<PreparedLevel, recast::Error> {
    let mut yard = Builder::new();
    yard.floor(rect(0.0, 0.0, DITCH[0], SIZE[1]), 0.0).floor(rect(DITCH[1], 0.0, SIZE[0], SIZE[1]), 0.0);
    for [from, to] in [[0.0, 18.0], [21.0, SIZE[1]]] {
        yard.block([WALL, 0.0, from], [WALL + 0.4, 3.0, to]);
    }
    PreparedLevel::new(&yard.finish(), &Settings::default())
}

/// The bridge: a walkable deck.
fn bridge() -> Result<Obstacle, ObstacleError> {
    let [west, east] = [DITCH[0] - 1.0, DITCH[1] + 1.0];
    let corners = [[west, 0.1, 15.0], [west, 0.1, 25.0], [east, 0.1, 25.0], [east, 0.1, 15.0]];
    let body = Body::mesh(&corners, &[[0, 1, 2], [0, 2, 3]])?;
    Ok(Obstacle { body, place: Transform::IDENTITY, effect: Effect::Solid { area: AreaId::GROUND } })
}

/// A hole in the wall, 5 m wide.
fn breach(z: f64) -> Result<Obstacle, ObstacleError> {
    let (body, place) = (Body::cuboid([2.0, 4.0, 5.0])?, Transform::turned(0.0, [WALL + 0.2, 0.0, z]));
    Ok(Obstacle { body, place, effect: Effect::Removes })
}

/// A crate, 0.8 to 2 m wide, on top of an agent that is neither near the wall nor on the bridge.
fn dropped(random: &mut SplitMix64, crowd: &Crowd, people: &[AgentId]) -> Result<Obstacle, Box<dyn Error>> {
    let far = |[x, ..]: [f32; 3]| (19.0..31.0).contains(&x) || (42.0..58.0).contains(&x);
    let at = loop {
        let number = random.next_u64() as usize % people.len();
        let position = crowd.agent(people[number])?.position.to_array();
        if far(position) {
            break position.map(f64::from);
        }
    };
    let place = Transform::turned(random.between(0.0, 90.0), at);
    let body = Body::cuboid([random.between(0.8, 2.0), 1.2, random.between(0.8, 2.0)])?;
    Ok(Obstacle { body, place, effect: Effect::Solid { area: AreaId::GROUND } })
}

/// Half of them go from the west to the east, half in the opposite direction.
fn people(mesh: &NavMesh, crowd: &mut Crowd) -> Result<Vec<AgentId>, Box<dyn Error>> {
    let (mut query, mut ids) = (Query::new(), Vec::new());
    let params = AgentParams { radius: 0.3, ..AgentParams::default() };
    for number in 0..200u8 {
        let row = number % 100;
        let (near, z) = (2.0 + f32::from(row % 5) * 2.0, 1.5 + f32::from(row / 5) * 1.9);
        let [west, east] = [near, 59.0 - near].map(|x| Vec3::new(x, 0.0, z));
        let [from, to] = if number < 100 { [west, east] } else { [east, west] };
        let id = crowd.add(mesh, from, &params)?;
        let goal = query.nearest(mesh, to, Vec3::ONE, &Filter::default())?;
        crowd.set_target(id, Target::Place(goal.place()))?;
        ids.push(id);
    }
    Ok(ids)
}

fn main() -> Result<(), Box<dyn Error>> {
    // A game opens a file of `navtile bake --dynamic` instead.
    let mut cache = TileCache::open(bake_dynamic(&level()?, 48, &[])?)?;
    let mut mesh = NavMesh::default();
    for coord in cache.coords() {
        mesh.add_tile(cache.tile(coord).ok_or("a tile that is listed is there")??)?;
    }
    let mut crowd = Crowd::new(CrowdSettings::default())?;
    let people = people(&mesh, &mut crowd)?;
    let mut ways = vec![Vec::new(); people.len()];
    let (mut random, mut events) = (SplitMix64::new(7), Vec::new());
    for second in 0..SECONDS {
        let mut news = Vec::new();
        let added = match second {
            4 => Some(("a bridge is put up", bridge()?)),
            12 => Some(("the wall is blown up in the north", breach(8.0)?)),
            18 => Some(("and in the south", breach(32.0)?)),
            1..40 => Some(("a crate is dropped", dropped(&mut random, &crowd, &people)?)),
            _ => None,
        };
        if let Some((what, obstacle)) = added {
            cache.add(&obstacle)?;
            news.push(what.to_owned());
        }
        let mut baked = 0;
        for _ in 0..RATE {
            let update = cache.update(Budget::tiles(TILES))?;
            let applied = tilecache::apply(&mut mesh, &update.changes)?;
            baked += update.baked;
            for (groups, what) in [(applied.islands.joined(), "joined"), (applied.islands.parted(), "parted")]
            {
                news.extend(groups.iter().map(|group| format!("{} islands {what}", group.len())));
            }
            crowd.step(&mesh, 1.0 / RATE as f32, &mut events)?;
            for (way, id) in ways.iter_mut().zip(&people) {
                way.push(mesh.to_world(crowd.agent(*id)?.position));
            }
        }
        let out = events.drain(..).filter(|event| event.kind == EventKind::SteppingOut).count();
        if out > 0 {
            news.push(format!("{out} walk out from under crates"));
        }
        let is_there = |id: &&AgentId| crowd.agent(**id).is_ok_and(|view| view.state == AgentState::Arrived);
        let arrived = people.iter().filter(is_there).count();
        let news: String = news.iter().map(|what| format!(", {what}")).collect();
        println!("{second:>3} s: {arrived:>3} have arrived, {baked} tiles baked{news}");
        if arrived == people.len() {
            break;
        }
    }
    if let Some(file) = std::env::args().nth(1) {
        let tiles: Vec<_> = mesh.tiles().cloned().collect();
        let east = ways.split_off(ways.len() / 2);
        let group = |name: &str, ways| TrackGroup { name: name.to_owned(), ways, bodies: Vec::new() };
        let tracks =
            Some(Tracks { groups: vec![group("from the west", ways), group("from the east", east)] });
        let title = "A yard that changes, and the ways of those who cross it".to_owned();
        let options = MeshOptions { title, tracks, ..MeshOptions::default() };
        std::fs::write(file, navdraw::to_svg(&navdraw::mesh_picture(&tiles, &cache.meta().areas, &options)))?;
    }
    Ok(())
}
