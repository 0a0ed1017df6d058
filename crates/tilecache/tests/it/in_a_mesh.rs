//! Tiles swapped in a mesh: paths follow the pieces, and what was set at run time stays.

use crate::common::scene;
use detour::NavMesh;
use recast::{Body, Effect, Piece, Transform};
use tilecache::{Budget, TileCache, apply, bake_dynamic};

#[test]
fn a_door_shuts_and_opens_and_flags_stay() {
    let level = scene("two_rooms", |_| ());
    let mut cache = TileCache::open(bake_dynamic(&level, 24, &[]).unwrap()).unwrap();
    let mut mesh = NavMesh::new([0.0; 3]).unwrap();
    for coord in cache.coords() {
        mesh.add_tile(cache.tile(coord).unwrap().unwrap()).unwrap();
    }
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
    let wall = cache.add(&Piece { body, place, effect: Effect::Blocks { inflate: true } }).unwrap();
    let islands = |mesh: &NavMesh| mesh.islands().list().len();
    let whole = islands(&mesh);
    let applied = apply(&mut mesh, &cache.update(Budget::all()).unwrap().changes).unwrap();
    assert!(applied.replaced + applied.removed > 0);
    assert!(islands(&mesh) > whole, "the wall parts the level");
    assert_eq!(islands(&before), whole, "a clone goes on as it was");
    cache.remove(wall).unwrap();
    let back = apply(&mut mesh, &cache.update(Budget::all()).unwrap().changes).unwrap();
    assert_eq!(islands(&mesh), whole);
    assert_eq!(applied.lost + back.lost, 0);
    let flagged = mesh.polygons().filter(|polygon| mesh.attributes(*polygon).unwrap().flags == 0x80);
    assert_eq!(flagged.count(), 1);
}
