//! Sources that answer late, twice, not at all, or with something else.

use crate::common::{
    Script, at, bytes_of, coords, kinds, lattice, middle, prompt_stream, settle, square, strips, strips_on,
    world_of,
};
use detour::{MeshError, PreparedTile};
use navmath::Lattice;
use navstream::{ChangeKind, Fetched, Limits, TileFault, TileStream, Update, World, WorldTile};
use navtile::{Tile, TileCoord};

/// A stream over a square of tiles whose source waits for the test.
fn stream(width: i32, limits: Limits) -> TileStream<Script> {
    let tiles = square(width);
    TileStream::new(world_of(tiles.values()), Script::of(tiles), [0.0; 3], limits).unwrap()
}

fn fault(update: &Update) -> (TileCoord, &TileFault) {
    assert_eq!(update.failed.len(), 1, "{:?}", update.failed);
    (update.failed[0].coord, &update.failed[0].fault)
}

#[test]
fn the_nearest_tiles_are_requested_first_and_few_at_a_time() {
    let mut stream = stream(9, Limits { in_flight: 5, ..Limits::default() });
    stream.pin(middle(at(4, 4)), 5.0).unwrap();
    let update = stream.update();
    assert_eq!(stream.source().open, [at(4, 4), at(3, 4), at(4, 3), at(4, 5), at(5, 4)]);
    assert_eq!(update.waiting, 9);
    // One answer makes room for one request.
    stream.source_mut().send(at(4, 3));
    let update = stream.update();
    assert_eq!(kinds(&update), [(at(4, 3), ChangeKind::Added)]);
    assert_eq!(stream.source().open, [at(4, 4), at(3, 4), at(4, 5), at(5, 4), at(3, 3)]);
    assert_eq!(update.waiting, 8);
}

#[test]
fn wanted_tiles_come_after_those_of_pins_in_their_order() {
    let mut stream = prompt_stream(square(6));
    stream.want(&[at(5, 5), at(0, 1), at(9, 9), at(5, 0), at(5, 5)]);
    stream.pin(middle(at(0, 0)), 3.0).unwrap();
    settle(&mut stream);
    let expected = [at(0, 0), at(0, 1), at(1, 0), at(1, 1), at(5, 5), at(5, 0)];
    // The tile at (1, 1) is 2.8 m from the middle.
    assert_eq!(stream.source().requested, expected);
    stream.want(&[at(3, 3)]);
    settle(&mut stream);
    assert_eq!(stream.source().requested.last(), Some(&at(3, 3)));
}

#[test]
fn answers_that_nothing_waits_for_are_dropped() {
    let mut stream = stream(6, Limits::default());
    let pin = stream.pin(middle(at(0, 0)), 1.0).unwrap();
    stream.update();
    stream.move_pin(pin, middle(at(5, 5))).unwrap();
    stream.update();
    assert_eq!(stream.source().cancelled, [at(0, 0)]);
    assert_eq!(stream.source().open, [at(5, 5)]);
    // Cancelled, never requested, not of this world, then twice.
    for coord in [at(0, 0), at(3, 3), at(77, 0), at(5, 5), at(5, 5)] {
        stream.source_mut().send(coord);
    }
    let update = stream.update();
    assert_eq!((update.dropped, update.waiting), (4, 0));
    assert_eq!(kinds(&update), [(at(5, 5), ChangeKind::Added)]);
    assert_eq!(coords(stream.mesh()), [at(5, 5)].into());
}

#[test]
fn an_answer_that_was_cancelled_serves_a_later_request() {
    let mut stream = stream(6, Limits::default());
    let pin = stream.pin(middle(at(0, 0)), 1.0).unwrap();
    stream.update();
    stream.move_pin(pin, middle(at(5, 5))).unwrap();
    stream.update();
    stream.move_pin(pin, middle(at(0, 0))).unwrap();
    stream.update();
    stream.source_mut().send(at(0, 0));
    stream.source_mut().send(at(0, 0));
    let update = stream.update();
    assert_eq!((update.changes.len(), update.dropped), (1, 1));
}

#[test]
fn wrong_tiles_are_refused_and_the_others_arrive() {
    let mut stream = stream(2, Limits { retry_after: None, ..Limits::default() });
    stream.pin(middle(at(0, 0)), 20.0).unwrap();
    stream.update();
    let elsewhere = Lattice::new([0.5, 0.0, 0.0], 0.25, 0.125).unwrap();
    // The first tile of the mesh: without a check of its own it would decide on the lattice.
    let other = strips_on(at(0, 0), 2, elsewhere);
    stream.source_mut().answer(at(0, 0), Fetched::Tile(other));
    let update = stream.update();
    let expected = MeshError::Lattice { coord: at(0, 0), expected: lattice(), found: elsewhere };
    assert!(
        matches!(fault(&update), (coord, TileFault::Mesh(error)) if coord == at(0, 0) && *error == expected)
    );

    stream.source_mut().answer(at(0, 1), Fetched::Tile(strips(at(1, 1), 2)));
    let update = stream.update();
    assert!(
        matches!(fault(&update), (coord, TileFault::OtherTile(found)) if coord == at(0, 1) && *found == at(1, 1))
    );
    assert_eq!(update.failed[0].to_string(), "tile (0, 1, 0): the source answered with tile (1, 1, 0)");

    let mut bytes = strips(at(1, 0), 2).bytes().to_vec();
    bytes[300] ^= 1;
    stream.source_mut().answer(at(1, 0), Fetched::Bytes(bytes));
    let update = stream.update();
    assert!(matches!(fault(&update), (coord, TileFault::Invalid(_)) if coord == at(1, 0)));

    let prepared = PreparedTile::new(strips(at(1, 1), 2), [8.0, 0.0, 0.0]).unwrap();
    stream.source_mut().answer(at(1, 1), Fetched::Prepared(prepared));
    let update = stream.update();
    assert!(matches!(fault(&update).1, TileFault::Mesh(MeshError::OtherAnchor { .. })));
    assert_eq!((update.waiting, stream.mesh().tile_count(), stream.memory()), (0, 0, 0));

    // Each is requested again when it is asked for, and by every kind of content.
    for coord in [at(0, 0), at(0, 1), at(1, 0)] {
        assert!(stream.reload(coord));
    }
    stream.update();
    let tile = |x, z| strips(at(x, z), 2);
    stream.source_mut().answer(at(0, 0), Fetched::Tile(tile(0, 0)));
    stream.source_mut().answer(at(0, 1), Fetched::Bytes(tile(0, 1).bytes().to_vec()));
    let prepared = PreparedTile::new(tile(1, 0), [0.0; 3]).unwrap();
    stream.source_mut().answer(at(1, 0), Fetched::Prepared(prepared));
    let update = stream.update();
    assert!(update.failed.is_empty());
    assert_eq!(coords(stream.mesh()), [at(0, 0), at(0, 1), at(1, 0)].into());
    for _ in 0..2000 {
        assert_eq!(stream.update().waiting, 0);
    }
    assert!(stream.source().open.is_empty(), "(1, 1) was not asked for again");
}

#[test]
fn failed_tiles_are_requested_again_after_a_number_of_updates() {
    let mut stream = stream(1, Limits { retry_after: Some(5), ..Limits::default() });
    stream.pin(middle(at(0, 0)), 1.0).unwrap();
    stream.update();
    stream.source_mut().answer(at(0, 0), Fetched::Failed("the disk is gone".into()));
    let update = stream.update();
    assert_eq!(update.failed[0].to_string(), "tile (0, 0, 0): the disk is gone");
    for _ in 0..4 {
        let update = stream.update();
        assert!(update.failed.is_empty() && stream.source().open.is_empty());
    }
    assert_eq!(stream.update().waiting, 1);
    assert_eq!(stream.source().open, [at(0, 0)]);
    stream.source_mut().send(at(0, 0));
    assert_eq!(stream.update().changes.len(), 1);
    for _ in 0..20 {
        assert!(stream.update().changes.is_empty());
    }
    assert_eq!(stream.source().requested.len(), 2, "a tile that has arrived is not retried");
}

#[test]
fn absent_tiles_are_reported_once() {
    let mut stream = stream(2, Limits::default());
    stream.pin(middle(at(0, 0)), 20.0).unwrap();
    stream.update();
    stream.source_mut().tiles.remove(&at(1, 0));
    stream.source_mut().send_all();
    let update = stream.update();
    assert_eq!((update.absent, update.waiting), (vec![at(1, 0)], 0));
    for _ in 0..2000 {
        stream.update();
    }
    assert_eq!(stream.source().requested.len(), 4);
    // It has been built in the meantime.
    stream.source_mut().tiles.insert(at(1, 0), strips(at(1, 0), 4));
    assert!(stream.reload(at(1, 0)));
    stream.update();
    stream.source_mut().send_all();
    assert_eq!(stream.update().changes.len(), 1);
}

#[test]
fn an_update_takes_no_more_than_its_limits() {
    let tile_bytes = bytes_of(&strips(at(0, 0), 2));
    for (tiles, bytes, expected) in [(3, u64::MAX, 3), (100, 2 * tile_bytes - 1, 2), (100, 1, 1), (0, 9, 0)] {
        let mut stream = prompt_stream(square(4));
        stream.set_limits(Limits { tiles, bytes, ..Limits::default() });
        stream.pin(middle(at(0, 0)), 100.0).unwrap();
        assert_eq!(stream.update().changes.len(), expected);
    }
}

#[test]
fn a_tile_that_is_longer_than_the_world_says_is_counted_as_it_is() {
    let short = bytes_of(&strips(at(0, 0), 2));
    let tiles = square(2);
    let listed = tiles.keys().map(|coord| WorldTile { coord: *coord, bytes: 1 });
    let world = World::new(lattice(), crate::common::CELLS, listed).unwrap();
    // Two fit, although four are said to.
    let limits = Limits { memory: 2 * short, ..Limits::default() };
    let mut stream = TileStream::new(world, Script::prompt(tiles), [0.0; 3], limits).unwrap();
    stream.pin(middle(at(0, 0)), 100.0).unwrap();
    for _ in 0..10 {
        stream.update();
        assert!(stream.memory() <= 2 * short);
    }
    assert_eq!(coords(stream.mesh()), [at(0, 0), at(0, 1)].into());
    assert_eq!(stream.over_limit().collect::<Vec<_>>(), [at(1, 0), at(1, 1)]);
}

#[test]
fn a_stream_refuses_what_makes_no_sense() {
    use navstream::StreamError;
    let mut stream = prompt_stream(square(1));
    assert_eq!(stream.pin([0.0; 3], f64::INFINITY), Err(StreamError::Radius(f64::INFINITY)));
    let pin = stream.pin([0.0; 3], 1.0).unwrap();
    assert!(matches!(stream.move_pin(pin, [f64::NAN; 3]), Err(StreamError::Place(_))));
    stream.unpin(pin).unwrap();
    assert_eq!(stream.unpin(pin), Err(StreamError::NoPin));
    assert_eq!(stream.move_pin(pin, [0.0; 3]), Err(StreamError::NoPin));
    let hold = stream.hold(&[]).unwrap();
    stream.release(hold).unwrap();
    assert_eq!(stream.change_hold(hold, &[]), Err(StreamError::NoHold));
    assert_eq!(stream.release(hold), Err(StreamError::NoHold));
    let world = world_of(&[] as &[Tile]);
    let anchored = TileStream::new(world, Script::default(), [f64::NAN; 3], Limits::default());
    assert!(matches!(anchored.err(), Some(StreamError::Mesh(MeshError::Anchor(_)))));
}
