//! A mesh of any size from above, coloured by islands. Tiles are requested one by one, so that a large mesh
//! is never in memory as a whole. A small mesh becomes shapes, a large one pixels.

mod image;
mod survey;

use crate::error::DrawError;
use crate::islands;
use crate::mesh::{ColourBy, MeshOptions, island_colour, mesh_picture};
use crate::scene::Picture;
use crate::{Colour, surface};
use navtile::Tile;
use std::collections::BTreeMap;
use surface::Face;
use survey::{ComponentTotals, Survey};

/// Limits of an overview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// An overview with more polygons than this is an image.
    pub most_shapes: usize,
    /// Width of the image, pixels.
    pub width: u32,
}

/// A mesh from above, with its islands and areas.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The picture. If there is an image, the picture lacks the mesh, but still locates positions.
    pub picture: Picture,
    /// The whole picture as a PNG file, if there were too many polygons for shapes.
    pub image: Option<Vec<u8>>,
    /// The islands with their colours, largest first.
    pub islands: Vec<Island>,
    /// Polygons and their size, by area id.
    pub areas: BTreeMap<u8, Extent>,
    /// Number of tiles that were missing.
    pub missing: usize,
}

/// Size of an island or an area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Number of polygons.
    pub polygons: usize,
    /// Their size seen from above, m².
    pub area_m2: f64,
}

/// An island: polygons that are connected without off-mesh links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Island {
    /// Its colour in the picture.
    pub colour: Colour,
    /// Its size.
    pub extent: Extent,
    /// The centre of its largest polygon, world metres.
    pub place: [f64; 3],
}

/// Draws `count` tiles. `tile` returns a tile by its number in canonical order (x, z, layer), and is called
/// up to three times for each. Missing tiles are counted.
pub fn overview(
    count: usize,
    tile: &dyn Fn(usize) -> Option<Tile>,
    limits: &Limits,
) -> Result<Overview, DrawError> {
    match few(count, tile, limits.most_shapes) {
        Some(tiles) => Ok(of_few(&tiles, count - tiles.len())),
        None => of_many(count, tile, limits.width),
    }
}

/// All tiles, if they have no more polygons than `most`.
fn few(count: usize, tile: &dyn Fn(usize) -> Option<Tile>, most: usize) -> Option<Vec<Tile>> {
    let (mut tiles, mut polygons) = (Vec::new(), 0);
    for tile in (0..count).filter_map(tile) {
        polygons += tile.polygons().len();
        if polygons > most {
            return None;
        }
        tiles.push(tile);
    }
    Some(tiles)
}

fn of_few(tiles: &[Tile], missing: usize) -> Overview {
    let options = MeshOptions { colour_by: ColourBy::Island, ..MeshOptions::default() };
    let mut picture = mesh_picture(tiles, &[], &options);
    // The page around the overview has its own texts.
    picture.subtitle.clear();
    let faces = surface::of_tiles(tiles);
    let found = islands::find(tiles, &faces);
    let mut parts = vec![ComponentTotals::default(); found.area.len()];
    let mut areas = BTreeMap::new();
    for (face, &island) in faces.iter().zip(&found.of_face) {
        parts[island].add(face);
        count_area(&mut areas, face);
    }
    Overview { picture, image: None, islands: ranked(&parts), areas, missing }
}

fn of_many(count: usize, tile: &dyn Fn(usize) -> Option<Tile>, width: u32) -> Result<Overview, DrawError> {
    let mut survey = Survey::default();
    (0..count).for_each(|index| survey.add(tile(index)));
    let found = survey.finish();
    let picture = image::skeleton(&found);
    let (image, missing) = image::draw(&picture, &found, count, tile, width)?;
    let islands = ranked(&found.islands);
    Ok(Overview {
        picture,
        image: Some(image),
        islands,
        areas: found.areas,
        missing: found.missing.max(missing),
    })
}

fn ranked(parts: &[ComponentTotals]) -> Vec<Island> {
    parts
        .iter()
        .enumerate()
        .map(|(rank, part)| Island { colour: island_colour(rank), extent: part.extent, place: part.place })
        .collect()
}

fn count_area(areas: &mut BTreeMap<u8, Extent>, face: &Face) {
    let extent = areas.entry(face.area).or_default();
    extent.polygons += 1;
    extent.area_m2 += face.area_m2();
}

#[cfg(test)]
mod tests;
