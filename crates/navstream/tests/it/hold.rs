//! References: those of a held corridor stay valid, all others are refused once their tile is gone.

use crate::common::{Script, at, bytes_of, coords, jump, middle, prompt_stream, settle, square, strips};
use detour::{
    Corridor, Filter, NavMesh, Path, PathOptions, PathStatus, Place, PolyRef, Query, QueryError, RefProblem,
    Trimmed, Vec3,
};
use navmath::SplitMix64;
use navstream::{Limits, StreamError, TileStream};
use navtile::TileCoord;
use std::collections::BTreeMap;

const WIDTH: i32 = 8;

fn stream(fit: u64) -> TileStream<Script> {
    let memory = fit * bytes_of(&strips(at(0, 0), 2));
    let mut stream = prompt_stream(square(WIDTH));
    stream.set_limits(Limits { memory, tiles: 3, ..Limits::default() });
    stream
}

fn place(mesh: &NavMesh, coord: TileCoord) -> Place {
    let middle = middle(coord).map(|v| v as f32);
    let near = Query::new().nearest(mesh, Vec3::from_array(middle), Vec3::ONE, &Filter::default());
    near.unwrap().place()
}

fn corridor(mesh: &NavMesh, from: TileCoord, to: TileCoord) -> Corridor {
    let [start, goal] = [from, to].map(|coord| place(mesh, coord));
    let mut path = Path::default();
    let options = PathOptions::default();
    Query::new().find_path(mesh, start, goal, &Filter::default(), &options, &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Complete);
    let mut corridor = Corridor::new(start);
    assert!(corridor.set_path(mesh, &path.polygons, goal.point).unwrap());
    corridor
}

/// Checks all references that were ever seen: by the tile that they were of, which is in its slot or not.
fn check(mesh: &NavMesh, seen: &BTreeMap<PolyRef, TileCoord>) {
    let slots: BTreeMap<u32, PolyRef> = mesh.polygons().map(|polygon| (polygon.slot(), polygon)).collect();
    for (reference, coord) in seen {
        let expected = match slots.get(&reference.slot()) {
            None => Err(RefProblem::NotLoaded),
            Some(other) if other.salt() != reference.salt() => Err(RefProblem::Stale),
            Some(_) => Ok(*coord),
        };
        let found = mesh.tile_of(*reference);
        assert_eq!(found.map(|(tile, _)| tile.coord()).map_err(|error| error.problem), expected);
        if let Err(problem) = expected {
            let start = Place { polygon: *reference, point: Vec3::ZERO };
            let (filter, options) = (Filter::default(), PathOptions::default());
            let mut path = Path::default();
            let refused = Query::new().find_path(mesh, start, start, &filter, &options, &mut path);
            assert!(matches!(refused, Err(QueryError::Reference(error)) if error.problem == problem));
        }
    }
}

#[test]
fn no_reference_of_a_held_corridor_goes_stale() {
    for seed in 0..20 {
        let mut random = SplitMix64::new(seed);
        let mut stream = stream(14);
        let pin = stream.pin(middle(at(1, 1)), 5.0).unwrap();
        settle(&mut stream);
        let corridor = corridor(stream.mesh(), at(0, 0), at(2, 2));
        let hold = stream.hold(corridor.polygons()).unwrap();
        let mut seen = BTreeMap::new();
        let mut gone = 0;
        for step in 0..60 {
            for tile in stream.mesh().tiles() {
                let references = crate::common::polygons_of(stream.mesh(), tile.coord());
                seen.extend(references.into_iter().map(|reference| (reference, tile.coord())));
            }
            let mut along = || random.between(0.0, f64::from(WIDTH) * 4.0);
            stream.move_pin(pin, [along(), 0.0, along()]).unwrap();
            gone += stream.update().stale().count();
            check(stream.mesh(), &seen);
            for polygon in corridor.polygons() {
                assert!(stream.mesh().tile_of(*polygon).is_ok(), "step {step} of seed {seed}");
            }
            let mut walked = corridor.clone();
            let safe = Place { polygon: corridor.polygons()[0], point: corridor.position() };
            let trimmed = walked.trim_invalid(stream.mesh(), safe, &Filter::default()).unwrap();
            assert_eq!(trimmed, Trimmed::Whole, "the links between them are there too");
        }
        assert!(gone > 8, "{gone} tiles removed");
        stream.release(hold).unwrap();
        let mut is_lost = false;
        for _ in 0..60 {
            let mut along = || random.between(16.0, f64::from(WIDTH) * 4.0);
            stream.move_pin(pin, [along(), 0.0, along()]).unwrap();
            stream.update();
            check(stream.mesh(), &seen);
            is_lost |= corridor.polygons().iter().all(|polygon| stream.mesh().tile_of(*polygon).is_err());
        }
        assert!(is_lost, "seed {seed}: nothing holds the corridor any more");
    }
}

#[test]
fn holds_come_before_pins_and_stay_above_the_limit() {
    let mut stream = stream(4);
    let pin = stream.pin(middle(at(0, 0)), 3.0).unwrap();
    settle(&mut stream);
    let held: Vec<PolyRef> = stream.mesh().polygons().collect();
    let hold = stream.hold(&held).unwrap();
    stream.move_pin(pin, middle(at(6, 6))).unwrap();
    let update = stream.update();
    assert_eq!((update.changes.len(), update.waiting, update.over_limit), (0, 0, 9));
    // A smaller limit takes nothing that is held.
    let memory = bytes_of(&strips(at(0, 0), 2));
    stream.set_limits(Limits { memory, ..stream.limits() });
    assert!(stream.update().changes.is_empty());
    assert_eq!(stream.memory(), 4 * memory);
    // Holding fewer frees the others.
    let first = crate::common::polygons_of(stream.mesh(), at(0, 0));
    stream.change_hold(hold, &first).unwrap();
    stream.update();
    assert_eq!(coords(stream.mesh()), [at(0, 0)].into());
    // References that are gone cannot be held, and the hold is as before.
    let refused = stream.change_hold(hold, &held).unwrap_err();
    assert!(matches!(refused, StreamError::Reference(error) if error.problem == RefProblem::NotLoaded));
    assert_eq!(stream.hold(&held), Err(refused));
    stream.update();
    assert_eq!(coords(stream.mesh()), [at(0, 0)].into());
}

#[test]
fn a_hold_on_an_off_mesh_link_keeps_its_tile() {
    let mut tiles = square(WIDTH);
    tiles.insert(at(0, 0), jump(at(0, 0), at(5, 0)));
    let mut stream = prompt_stream(tiles);
    stream.want(&[at(0, 0), at(5, 0)]);
    settle(&mut stream);
    let link = stream.mesh().off_mesh_links().next().unwrap();
    let ends = stream.mesh().off_mesh(link).unwrap().ends.unwrap();
    stream.want(&[]);
    stream.set_limits(Limits { memory: 0, ..stream.limits() });
    let hold = stream.hold(&[link]).unwrap();
    stream.update();
    assert_eq!(coords(stream.mesh()), [at(0, 0)].into());
    assert!(stream.mesh().attributes(link).is_ok());
    // The other end is a polygon of the corridor too; alone the link leads nowhere.
    assert_eq!(stream.mesh().off_mesh(link).unwrap().ends, None);
    assert!(stream.mesh().tile_of(ends[1].polygon).is_err());
    stream.release(hold).unwrap();
    stream.update();
    assert_eq!(stream.mesh().attributes(link).unwrap_err().problem, RefProblem::NotLoaded);
}
