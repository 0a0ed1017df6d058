//! Tiles in a mesh, converted to Detour's format and back, and in pictures.

use super::tiles::{Tiles, content, link, links_to_one, storeys, two_sides, written};
use super::{Family, Made, Member};
use detour::NavMesh;
use navinterop::{RefWidth, export, import_files, mset};
use navtile::Tile;
use std::error::Error;

pub(super) const FAMILIES: [Family; 9] = [
    Family { name: "mesh/of-many-storeys", start: 3_000, make: |n| two_sides(n)?.loaded() },
    Family { name: "mesh/links-to-one-tile", start: 100, make: |n| links_to_one(n)?.loaded() },
    Family { name: "mesh/links-to-one-tile-that-is-replaced", start: 100, make: replaced },
    Family { name: "mesh/links-of-a-tile", start: 1_500, make: |n| crossed(n)?.loaded() },
    Family { name: "mesh/state", start: 4_000, make: state },
    Family { name: "interop/squares", start: 900, make: |n| foreign(&apart(n)?) },
    Family { name: "interop/links", start: 400, make: |n| foreign(&crossed(n)?.0) },
    Family { name: "draw/svg", start: 400, make: |n| draw(apart(n)?) },
    Family { name: "draw/png-of-storeys", start: 200, make: paint },
];

impl Tiles {
    /// Puts the tiles into a mesh one by one, and takes them out.
    fn loaded(self) -> Made {
        let size = self.0.iter().map(|tile| tile.bytes().len()).sum();
        Ok(Member::new(size, move || {
            let mut mesh = NavMesh::default();
            let coords: Vec<_> = self.0.iter().map(Tile::coord).collect();
            self.0.into_iter().try_for_each(|tile| mesh.add_tile(tile))?;
            coords.into_iter().try_for_each(|coord| mesh.remove_tile(coord).map(drop))?;
            Ok(())
        }))
    }
}

/// Adds and removes the tile that all links end in.
fn replaced(count: usize) -> Made {
    let tiles = links_to_one(count)?;
    let size = tiles.0.iter().map(|tile| tile.bytes().len()).sum();
    let mut mesh = NavMesh::default();
    let first = tiles.0[0].clone();
    tiles.0.into_iter().try_for_each(|tile| mesh.add_tile(tile))?;
    Ok(Member::new(size, move || {
        mesh.replace_tile(first)?;
        Ok(())
    }))
}

/// A square for each of many links.
fn crossed(count: usize) -> Result<Tiles, Box<dyn Error>> {
    let square = |at: i32| {
        let [x, z] = [512 + 1_000 * (at % 100), 512 + 1_000 * (at / 100)];
        vec![[x, 0, z + 512], [x + 512, 0, z + 512], [x + 512, 0, z], [x, 0, z]]
    };
    let mut content = content([0; 2], &(0..count as i32).map(square).collect::<Vec<_>>());
    content.off_mesh_links = (0..count as i32)
        .map(|at| {
            let place = square(at)[2];
            link(place, square(0)[2], [0; 3])
        })
        .collect();
    Ok(Tiles(vec![written(&content)?]))
}

/// Squares without links.
fn apart(count: usize) -> Result<Vec<Tile>, Box<dyn Error>> {
    let square = |at: i32| {
        let [x, z] = [512 + 1_000 * (at % 100), 512 + 1_000 * (at / 100)];
        vec![[x, 0, z + 512], [x + 512, 0, z + 512], [x + 512, 0, z], [x, 0, z]]
    };
    Ok(vec![written(&content([0; 2], &(0..count as i32).map(square).collect::<Vec<_>>()))?])
}

fn state(count: usize) -> Made {
    let tiles = apart(count)?;
    let coord = tiles[0].coord();
    let mut mesh = NavMesh::default();
    tiles.into_iter().try_for_each(|tile| mesh.add_tile(tile))?;
    let polygons: Vec<_> = mesh.polygons().collect();
    polygons.into_iter().try_for_each(|polygon| mesh.set_flags(polygon, 5))?;
    let stored = mesh.store_state(coord)?;
    Ok(Member::new(stored.len(), move || {
        mesh.restore_state(coord, &stored)?;
        mesh.store_state(coord)?;
        Ok(())
    }))
}

/// Detour's bytes of tiles: read, imported and exported again.
fn foreign(tiles: &[Tile]) -> Made {
    let bytes = mset::write(&export(tiles, RefWidth::Bits64)?.set)?;
    Ok(Member::new(bytes.len(), move || {
        let imported = import_files(vec![navinterop::read(&bytes)?])?;
        export(&imported.tiles, RefWidth::Bits64)?;
        Ok(())
    }))
}

fn draw(tiles: Vec<Tile>) -> Made {
    Ok(Tiles(tiles).member(|tiles| {
        let picture = navdraw::mesh_picture(&tiles, &[], &navdraw::MeshOptions::default());
        drop(navdraw::to_svg(&picture));
    }))
}

/// Each storey covers the whole picture.
fn paint(count: usize) -> Made {
    let tiles = vec![written(&content([0; 2], &storeys(count, 900)))?];
    Ok(Member::new(count, move || {
        let picture = navdraw::mesh_picture(&tiles, &[], &navdraw::MeshOptions::default());
        navdraw::to_png(&picture, 200)?;
        Ok(())
    }))
}
