//! A large mesh as pixels: fills without outlines, walls as thin lines, tile by tile.

use super::survey::Found;
use crate::colour::Colour;
use crate::error::DrawError;
use crate::layout::{self, locate};
use crate::links::{link_legend, link_shapes, links_of};
use crate::mesh::{island_colour, island_legend};
use crate::raster;
use crate::scene::{Geometry, Path, Picture, Shape, Stroke, Style, Swatch};
use crate::surface::{self, Beyond, Face};
use navtile::Tile;

/// Everything but the mesh.
pub(super) fn skeleton(found: &Found) -> Picture {
    let Some(window) = found.window else {
        return Picture::empty("", "Nothing to draw: the mesh has no polygons.");
    };
    let mut picture = Picture::new("", window.padded(0.03));
    let areas: Vec<f64> = found.islands.iter().map(|island| island.extent.area_m2).collect();
    island_legend(&mut picture, &areas);
    picture.push_legend(Swatch::Line(Stroke::new(Colour::WALL, 2.0)), "wall");
    link_legend(&mut picture, &found.links);
    picture
}

/// The picture with the mesh as a PNG file, and the number of tiles that were missing.
pub(super) fn draw(
    picture: &Picture,
    found: &Found,
    count: usize,
    tile: &dyn Fn(usize) -> Option<Tile>,
    width: u32,
) -> Result<(Vec<u8>, usize), DrawError> {
    let page = layout::page(picture);
    let wall = wall(found);
    let mut missing = 0;
    let batch = |index: usize| {
        let Some(tile) = tile(index) else {
            missing += 1;
            return Vec::new();
        };
        let faces = surface::of_tiles(std::slice::from_ref(&tile));
        let ranks = found.ranks(index, &tile);
        let mut shapes = ground(&faces, &ranks, found.heights.unwrap_or([0.0; 2]), wall);
        shapes.extend(link_shapes(links_of(std::slice::from_ref(&tile))));
        locate::shapes(picture, &shapes)
    };
    let png = raster::write_around(&page, width, (0..count).map(batch))?;
    Ok((png, missing))
}

/// Thinner if polygons are small on the page: walls must not cover the ground between them.
fn wall(found: &Found) -> Stroke {
    let side = (found.area_m2 / found.polygons.max(1) as f64).sqrt();
    let extent = found
        .window
        .map_or(1.0, |window| (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]).max(1e-9));
    Stroke::new(Colour::WALL, (side / extent * 1400.0 / 12.0).clamp(0.3, 1.2))
}

/// Fills and walls of a tile's faces, lower ones first. Fills are not smoothed, so that neighbours meet
/// without a seam.
fn ground(faces: &[Face], ranks: &[usize], heights: [f64; 2], wall: Stroke) -> Vec<Shape> {
    let mut order: Vec<usize> = (0..faces.len().min(ranks.len())).collect();
    order.sort_by(|&a, &b| faces[a].height().total_cmp(&faces[b].height()).then(a.cmp(&b)));
    let mut shapes = Vec::new();
    for index in order {
        let face = &faces[index];
        let plan: Vec<[f64; 2]> = face.corners.iter().map(|&[x, _, z]| [x, z]).collect();
        let walls: Vec<Path> = (0..plan.len())
            .filter(|&edge| face.beyond[edge] == Beyond::Wall)
            .map(|edge| Path { points: vec![plan[edge], plan[(edge + 1) % plan.len()]], closed: false })
            .collect();
        let share = 0.5 + (surface::height_share(face.height(), heights) - 0.5) * 0.5;
        let colour = island_colour(ranks[index]).shaded(share);
        shapes.push(Shape::filled(vec![plan], Style { crisp: true, ..Style::fill(colour) }));
        if !walls.is_empty() {
            shapes.push(Shape { geometry: Geometry::Paths(walls), style: Style::line(wall) });
        }
    }
    shapes
}
