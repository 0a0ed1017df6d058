//! Tiles that are replaced and removed: what is reported, what is kept, and which goes first.

use crate::common::{
    Script, at, bytes_of, coords, kinds, middle, polygons_of, prompt_stream, settle, square, strips, world_of,
};
use detour::RefProblem;
use navstream::{ChangeKind, Fetched, Limits, Pin, TileFault, TileStream};
use navtile::TileCoord;
use std::collections::BTreeMap;

/// A stream over a square of tiles, with memory for some of them.
fn stream(width: i32, fit: u64) -> TileStream<Script> {
    let memory = fit * bytes_of(&strips(at(0, 0), 2));
    let mut stream = prompt_stream(square(width));
    stream.set_limits(Limits { memory, ..Limits::default() });
    stream
}

#[test]
fn tiles_stay_until_room_is_needed_and_the_least_recently_needed_goes() {
    let mut stream = stream(6, 3);
    let pin = stream.pin(middle(at(0, 0)), 1.0).unwrap();
    settle(&mut stream);
    for coord in [at(1, 1), at(2, 2)] {
        stream.move_pin(pin, middle(coord)).unwrap();
        assert_eq!(settle(&mut stream), [(coord, ChangeKind::Added)]);
    }
    // The first is needed again, so that the second was needed least recently.
    stream.move_pin(pin, middle(at(0, 0))).unwrap();
    assert_eq!(settle(&mut stream), []);
    stream.move_pin(pin, middle(at(3, 3))).unwrap();
    assert_eq!(settle(&mut stream), [(at(1, 1), ChangeKind::Removed), (at(3, 3), ChangeKind::Added)]);
    assert_eq!(coords(stream.mesh()), [at(0, 0), at(2, 2), at(3, 3)].into());
}

#[test]
fn the_least_urgent_is_left_out_and_makes_room_for_the_more_urgent() {
    let mut stream = stream(6, 2);
    stream.want(&[at(0, 0), at(5, 5), at(0, 5)]);
    settle(&mut stream);
    assert_eq!(coords(stream.mesh()), [at(0, 0), at(5, 5)].into());
    assert_eq!(stream.over_limit().collect::<Vec<_>>(), [at(0, 5)]);
    let pin = stream.pin(middle(at(3, 3)), 1.0).unwrap();
    let update = stream.update();
    assert_eq!(kinds(&update), [(at(5, 5), ChangeKind::Removed), (at(3, 3), ChangeKind::Added)]);
    assert_eq!((update.over_limit, update.waiting), (2, 0));
    assert_eq!(update.stale().collect::<Vec<_>>(), [at(5, 5)]);
    // With the pin gone its tile is the first to go.
    stream.unpin(pin).unwrap();
    assert_eq!(settle(&mut stream), [(at(3, 3), ChangeKind::Removed), (at(5, 5), ChangeKind::Added)]);
}

#[test]
fn a_tile_larger_than_all_memory_keeps_no_other_out() {
    let mut tiles = square(2);
    tiles.insert(at(0, 0), strips(at(0, 0), 16));
    let memory = 3 * bytes_of(&strips(at(0, 0), 2));
    assert!(bytes_of(&tiles[&at(0, 0)]) > memory);
    let mut stream = prompt_stream(tiles);
    stream.set_limits(Limits { memory, ..Limits::default() });
    stream.pin(middle(at(0, 0)), 100.0).unwrap();
    settle(&mut stream);
    assert_eq!(stream.mesh().tile_count(), 3);
    assert_eq!(stream.over_limit().collect::<Vec<_>>(), [at(0, 0)]);
}

#[test]
fn less_memory_removes_at_once() {
    let mut stream = stream(3, 9);
    stream.pin(middle(at(0, 0)), 100.0).unwrap();
    settle(&mut stream);
    let memory = 4 * bytes_of(&strips(at(0, 0), 2));
    stream.set_limits(Limits { memory, ..stream.limits() });
    let update = stream.update();
    let removed: Vec<TileCoord> = update.stale().collect();
    assert_eq!(removed, [at(2, 2), at(2, 1), at(1, 2), at(2, 0), at(0, 2)], "the farthest first");
    assert_eq!(stream.memory(), memory);
}

#[test]
fn layers_of_one_place_are_tiles_of_their_own() {
    let upper = |x, z| TileCoord { layer: 1, ..at(x, z) };
    let mut tiles = square(3);
    for coord in [upper(0, 0), upper(1, 0)] {
        tiles.insert(coord, strips(coord, 1));
    }
    let mut stream = prompt_stream(tiles);
    stream.pin(middle(at(0, 0)), 1.0).unwrap();
    settle(&mut stream);
    assert_eq!(coords(stream.mesh()), [at(0, 0), upper(0, 0)].into());
    let mesh = stream.mesh();
    let [low, high] = [at(0, 0), upper(0, 0)].map(|coord| polygons_of(mesh, coord)[0]);
    let height = |polygon| mesh.corners(polygon).unwrap().next().unwrap().y;
    assert_eq!((height(low), height(high)), (0.0, 4.0));
    // One layer is wanted without the other.
    stream.want(&[upper(1, 0)]);
    assert_eq!(settle(&mut stream), [(upper(1, 0), ChangeKind::Added)]);
}

#[test]
fn a_reload_replaces_what_has_changed() {
    let mut stream = stream(3, 9);
    stream.pin(middle(at(1, 1)), 100.0).unwrap();
    settle(&mut stream);
    let [old, other] = [at(1, 1), at(0, 0)].map(|coord| polygons_of(stream.mesh(), coord)[0]);

    assert!(stream.reload(at(1, 1)) && stream.reload(at(0, 0)));
    let mesh = stream.mesh().clone();
    assert!(stream.update().changes.is_empty(), "equal tiles are not replaced");
    assert!(mesh.is_same(stream.mesh()));

    stream.source_mut().tiles.insert(at(1, 1), strips(at(1, 1), 4));
    assert!(stream.reload(at(1, 1)) && stream.reload(at(0, 0)));
    let memory = stream.memory();
    // The larger tile takes the room of the farthest.
    let update = stream.update();
    assert_eq!(kinds(&update), [(at(2, 2), ChangeKind::Removed), (at(1, 1), ChangeKind::Replaced)]);
    assert!(stream.memory() <= memory);
    assert_eq!(stream.mesh().attributes(old).unwrap_err().problem, RefProblem::Stale);
    assert!(stream.mesh().attributes(other).is_ok());

    // The source has removed it.
    stream.source_mut().tiles.remove(&at(1, 1));
    stream.reload(at(1, 1));
    let update = stream.update();
    assert_eq!((kinds(&update), update.absent.len()), (vec![(at(1, 1), ChangeKind::Removed)], 1));
    assert_eq!(settle(&mut stream), [(at(2, 2), ChangeKind::Added)], "there is room again");

    assert!(!stream.reload(at(40, 40)), "not of this world");
    let stale = stream.mesh().attributes(old).unwrap_err().problem;
    assert!(matches!(stale, RefProblem::Stale | RefProblem::NotLoaded));
}

#[test]
fn a_reload_waits_for_the_request_before_it() {
    let tiles = square(1);
    let mut stream =
        TileStream::new(world_of(tiles.values()), Script::of(tiles), [0.0; 3], Limits::default()).unwrap();
    stream.pin(middle(at(0, 0)), 1.0).unwrap();
    stream.update();
    // The tile changes while the old one is being fetched.
    assert!(stream.reload(at(0, 0)));
    stream.source_mut().send_all();
    stream.source_mut().tiles.insert(at(0, 0), strips(at(0, 0), 8));
    assert_eq!(kinds(&stream.update()), [(at(0, 0), ChangeKind::Added)]);
    assert_eq!(stream.source().open, [at(0, 0)]);
    stream.source_mut().send_all();
    assert_eq!(kinds(&stream.update()), [(at(0, 0), ChangeKind::Replaced)]);
    assert_eq!(stream.mesh().polygon_count(), 8);
}

/// A stream with a tile at (0, 0), whose source waits for the test, and the pin there.
fn waiting(retry_after: u32) -> (TileStream<Script>, Pin) {
    let tiles = square(6);
    let memory = bytes_of(&strips(at(0, 0), 2));
    let limits = Limits { memory, retry_after: Some(retry_after), ..Limits::default() };
    let mut stream = TileStream::new(world_of(tiles.values()), Script::of(tiles), [0.0; 3], limits).unwrap();
    let pin = stream.pin(middle(at(0, 0)), 1.0).unwrap();
    answered(&mut stream, pin, at(0, 0));
    (stream, pin)
}

/// Moves the pin to a tile and answers its request.
fn answered(stream: &mut TileStream<Script>, pin: Pin, coord: TileCoord) {
    stream.move_pin(pin, middle(coord)).unwrap();
    stream.update();
    stream.source_mut().send_all();
    assert!(kinds(&stream.update()).contains(&(coord, ChangeKind::Added)));
}

fn requests(stream: &TileStream<Script>, coord: TileCoord) -> usize {
    stream.source().requested.iter().filter(|requested| **requested == coord).count()
}

#[test]
fn a_reload_that_fails_keeps_the_tile_and_is_tried_again() {
    let (mut stream, _) = waiting(3);
    stream.reload(at(0, 0));
    stream.update();
    stream.source_mut().answer(at(0, 0), Fetched::Failed("the network is slow".into()));
    let update = stream.update();
    assert_eq!((update.failed.len(), update.changes.len()), (1, 0));
    assert!(stream.mesh().tile(at(0, 0)).is_some());
    // Asked for before the retry is due: the answer makes it needless.
    stream.reload(at(0, 0));
    stream.update();
    stream.source_mut().send_all();
    for _ in 0..9 {
        stream.update();
    }
    assert_eq!(requests(&stream, at(0, 0)), 3);

    stream.reload(at(0, 0));
    stream.update();
    stream.source_mut().answer(at(0, 0), Fetched::Failed("the network is slow".into()));
    for _ in 0..4 {
        stream.update();
    }
    assert_eq!(stream.source().open, [at(0, 0)], "tried again");
}

#[test]
fn a_tile_that_is_removed_is_not_reloaded() {
    let (mut stream, pin) = waiting(3);
    // Answered before its room is needed.
    stream.reload(at(0, 0));
    stream.update();
    answered(&mut stream, pin, at(5, 5));
    assert_eq!(stream.source().cancelled, []);
    assert_eq!(coords(stream.mesh()), [at(5, 5)].into());

    // Removed while it is fetched again: the request is taken back.
    stream.reload(at(5, 5));
    stream.update();
    stream.move_pin(pin, middle(at(0, 0))).unwrap();
    stream.update();
    stream.source_mut().send(at(0, 0));
    stream.update();
    assert_eq!(stream.source().cancelled, [at(5, 5)]);
    stream.source_mut().send(at(5, 5));
    assert_eq!(stream.update().dropped, 1);

    // Removed before its retry is due: it is requested once when it is needed again.
    stream.reload(at(0, 0));
    stream.update();
    stream.source_mut().answer(at(0, 0), Fetched::Failed("the network is slow".into()));
    stream.update();
    answered(&mut stream, pin, at(5, 5));
    for _ in 0..9 {
        stream.update();
    }
    let before = requests(&stream, at(0, 0));
    answered(&mut stream, pin, at(0, 0));
    for _ in 0..9 {
        stream.update();
    }
    assert_eq!(requests(&stream, at(0, 0)), before + 1);
}

#[test]
fn doors_are_as_they_were_when_their_tile_returns() {
    let mut stream = stream(3, 1);
    let pin = stream.pin(middle(at(0, 0)), 1.0).unwrap();
    settle(&mut stream);
    let door = polygons_of(stream.mesh(), at(0, 0))[1];
    stream.mesh_mut().set_flags(door, 0x8000).unwrap();
    let flags = |stream: &TileStream<Script>| {
        let door = polygons_of(stream.mesh(), at(0, 0))[1];
        stream.mesh().attributes(door).unwrap().flags
    };
    let go = |stream: &mut TileStream<Script>, coord| {
        stream.move_pin(pin, middle(coord)).unwrap();
        stream.update()
    };
    go(&mut stream, at(1, 1));
    assert_eq!(stream.states().keys().collect::<Vec<_>>(), [&at(0, 0)]);
    let saved = stream.states().clone();
    go(&mut stream, at(0, 0));
    assert_eq!(flags(&stream), 0x8000);
    assert!(stream.states().is_empty(), "tiles without changes have none");

    // A saved game, in another session.
    let mut later = self::stream(3, 1);
    later.set_states(saved.clone());
    later.pin(middle(at(0, 0)), 1.0).unwrap();
    settle(&mut later);
    assert_eq!(flags(&later), 0x8000);

    // The tile was baked again: the tile counts, the doors are reported as lost.
    go(&mut stream, at(1, 1));
    stream.source_mut().tiles.insert(at(0, 0), strips(at(0, 0), 1));
    let memory = bytes_of(&strips(at(0, 0), 16));
    stream.set_limits(Limits { memory, ..Limits::default() });
    let update = go(&mut stream, at(0, 0));
    assert!(matches!(update.failed[0].fault, TileFault::State(_)));
    assert_eq!(update.failed[0].coord, at(0, 0));
    assert!(stream.mesh().tile(at(0, 0)).is_some());
    assert_eq!(stream.states(), &BTreeMap::new());
}
