//! Tiles swapped in a mesh: paths follow the obstacles, and flags and areas that were set at run time are
//! kept.

use crate::common::{mesh_of, room, scene};
use detour::{Filter, NavMesh, Query, Vec3};
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Transform};
use tilecache::{Applied, Budget, TileCache, apply, bake_dynamic};

/// Bakes all waiting tiles, and swaps them.
fn updated(cache: &mut TileCache<Vec<u8>>, mesh: &mut NavMesh) -> Applied {
    let update = cache.update(Budget::all()).unwrap();
    assert!(update.failed.is_empty(), "{:?}", update.failed);
    apply(mesh, &update.changes).unwrap()
}

/// Numbers of joined islands, and of parts of split ones, for each change.
fn counts(applied: &Applied) -> [Vec<usize>; 2] {
    [applied.islands.joined(), applied.islands.parted()]
        .map(|groups| groups.iter().map(|group| group.len()).collect())
}

#[test]
fn islands_that_a_door_parts_and_joins_are_reported() {
    // A floor of 12 m with a wall across it that has a gap of 3 m, in tiles and in one piece.
    let level = room(&[[5.9, 0.0, 6.1, 4.5], [5.9, 7.5, 6.1, 12.0]]);
    for tile_cells in [20, 24, 0] {
        let mut cache = TileCache::open(bake_dynamic(&level, tile_cells, &[]).unwrap()).unwrap();
        let mut mesh = mesh_of(&cache);
        let body = Body::cuboid([0.4, 2.5, 3.2]).unwrap();
        let place = Transform::turned(0.0, [6.0, 0.0, 6.0]);
        let area = AreaId::NULL;
        let door =
            cache.add(&Obstacle { body: body.clone(), place, effect: Effect::Solid { area } }).unwrap();
        let shut = updated(&mut cache, &mut mesh);
        assert_eq!(counts(&shut), [vec![], vec![2]], "tiles of {tile_cells}");
        let side =
            |x: f32, polygon| mesh.corners(polygon).unwrap().all(|corner| (corner.x < 6.0) == (x < 6.0));
        let parts = &shut.islands.parted()[0];
        assert!(parts.iter().any(|part| side(1.0, *part)) && parts.iter().any(|part| side(11.0, *part)));
        // An obstacle outside the ground, and an obstacle on the ground that is too high to be reached.
        let crate_body = Body::cuboid([2.0, 1.5, 2.0]).unwrap();
        let place = Transform::turned(20.0, [2.5, 0.0, 3.0]);
        cache
            .add(&Obstacle { body: crate_body, place, effect: Effect::Solid { area: AreaId::GROUND } })
            .unwrap();
        assert_eq!(
            counts(&updated(&mut cache, &mut mesh)),
            [const { Vec::<usize>::new() }; 2],
            "tiles of {tile_cells}"
        );
        cache.remove(door).unwrap();
        assert_eq!(counts(&updated(&mut cache, &mut mesh)), [vec![2], vec![]], "tiles of {tile_cells}");
    }
}

#[test]
fn islands_that_a_bridge_joins_are_reported() {
    // Two floors with a gap of 4 m between them.
    let level = crate::common::floors(&[[0.0, 0.0, 8.0, 12.0], [12.0, 0.0, 20.0, 12.0]]);
    for tile_cells in [16, 32, 0] {
        let mut cache = TileCache::open(bake_dynamic(&level, tile_cells, &[]).unwrap()).unwrap();
        let mut mesh = mesh_of(&cache);
        let corners = [[-3.0, 0.1, -1.5], [-3.0, 0.1, 1.5], [3.0, 0.1, 1.5], [3.0, 0.1, -1.5]];
        let body = Body::mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
        let place = Transform::turned(0.0, [10.0, 0.0, 6.0]);
        let bridge =
            cache.add(&Obstacle { body, place, effect: Effect::Solid { area: AreaId::GROUND } }).unwrap();
        let joined = updated(&mut cache, &mut mesh);
        assert_eq!(counts(&joined), [vec![2], vec![]], "tiles of {tile_cells}");
        let [west, east] = [2.0, 18.0].map(|x| {
            let at = Vec3::new(x, 0.0, 6.0);
            Query::new().nearest(&mesh, at, Vec3::ONE, &Filter::default()).unwrap().polygon
        });
        for polygon in &joined.islands.joined()[0] {
            assert_eq!(mesh.islands().of(*polygon), mesh.islands().of(west));
        }
        assert_eq!(mesh.islands().of(east), mesh.islands().of(west));
        cache.remove(bridge).unwrap();
        assert_eq!(counts(&updated(&mut cache, &mut mesh)), [vec![], vec![2]], "tiles of {tile_cells}");
    }
}

#[test]
fn a_door_shuts_and_opens_and_flags_stay() {
    let level = scene("two_rooms", |_| ());
    let mut cache = TileCache::open(bake_dynamic(&level, 24, &[]).unwrap()).unwrap();
    let mut mesh = mesh_of(&cache);
    let far = mesh.polygons().last().unwrap();
    mesh.set_flags(far, 0x80).unwrap();
    let before = mesh.clone();
    let size = [0, 2].map(|axis| f64::from(level.size[axis]) * level.lattice.cell_size);
    let origin = level.lattice.origin;
    // A wall right through the level.
    let (axis, length) = if size[0] > size[1] { (0, size[1]) } else { (1, size[0]) };
    let middle = [origin[0] + size[0] / 2.0, origin[1], origin[2] + size[1] / 2.0];
    let body = Body::cuboid([2.0, 3.0, length + 2.0]).unwrap();
    let place = Transform::turned(if axis == 0 { 0.0 } else { 90.0 }, middle);
    let wall = cache.add(&Obstacle { body, place, effect: Effect::Blocks { inflate: true } }).unwrap();
    let islands = |mesh: &NavMesh| mesh.islands().list().len();
    let whole = islands(&mesh);
    let applied = apply(&mut mesh, &cache.update(Budget::all()).unwrap().changes).unwrap();
    assert!(applied.replaced + applied.removed > 0);
    assert!(islands(&mesh) > whole, "the wall parts the level");
    assert!(!applied.islands.parted().is_empty() && applied.islands.joined().is_empty());
    assert_eq!(islands(&before), whole, "a clone goes on as it was");
    cache.remove(wall).unwrap();
    let back = apply(&mut mesh, &cache.update(Budget::all()).unwrap().changes).unwrap();
    assert_eq!(islands(&mesh), whole);
    assert_eq!(applied.lost + back.lost, 0);
    let flagged = mesh.polygons().filter(|polygon| mesh.attributes(*polygon).unwrap().flags == 0x80);
    assert_eq!(flagged.count(), 1);
}
