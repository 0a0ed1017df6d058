//! The pictures of docs/changing-worlds.md. They show the courtyard before, with obstacles, and with the
//! tiles that were baked again for the obstacles.

use crate::Error;
use navdraw::scene::{Anchor, Geometry, Point, Shape, Stroke, Style, Swatch, Text};
use navdraw::{Colour, MeshOptions, Picture, mesh_picture};
use navlevel::{Body, Effect, Obstacle, ObstacleError};
use navtile::layout::Polygon;
use navtile::{AreaMeta, Tile, TileCoord};
use recast::{AreaId, PreparedLevel, Transform};
use std::collections::BTreeSet;
use tilecache::{TileCache, bake_dynamic};

const SCENE: &str = "courtyard";
/// Cells along a tile.
const TILE_CELLS: u32 = 32;

/// The obstacles, by the names that the pictures give them.
fn obstacles() -> Result<Vec<(&'static str, Obstacle)>, ObstacleError> {
    let solid = Effect::Solid { area: AreaId::GROUND };
    let (from, to) = (-1.5, 1.5);
    let ramp = [
        [0.0, 0.0, from],
        [0.0, 0.0, to],
        [4.0, 0.0, from],
        [4.0, 0.0, to],
        [4.0, 1.6, from],
        [4.0, 1.6, to],
    ];
    let obstacle = |body, yaw, at, effect| Obstacle { body, place: Transform::turned(yaw, at), effect };
    Ok(vec![
        ("breach", obstacle(Body::cuboid([4.0, 6.0, 3.0])?, 0.0, [28.0, 0.0, 8.0], Effect::Removes)),
        ("platform", obstacle(Body::cuboid([4.0, 1.6, 4.0])?, 0.0, [12.0, 0.0, 6.5], solid)),
        ("ramp", obstacle(Body::hull(&ramp)?, 0.0, [6.0, 0.0, 6.5], solid)),
        (
            "barricade",
            obstacle(
                Body::cuboid([10.0, 1.2, 0.5])?,
                12.0,
                [20.0, 0.0, 20.0],
                Effect::Blocks { inflate: true },
            ),
        ),
    ])
}

/// The courtyard before and after its obstacles.
struct Courtyard {
    areas: Vec<AreaMeta>,
    before: Vec<Tile>,
    after: Vec<Tile>,
    /// The tiles that were baked again.
    baked: BTreeSet<TileCoord>,
}

impl Courtyard {
    fn new() -> Result<Courtyard, Error> {
        let scene = navscenes::by_name(SCENE).ok_or_else(|| format!("there is no scene `{SCENE}`"))?;
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)())?;
        let mut cache = TileCache::open(bake_dynamic(&level, TILE_CELLS, &[])?)?;
        let tiles = |cache: &TileCache<Vec<u8>>| {
            let coords = cache.coords().into_iter();
            coords.filter_map(|coord| cache.tile(coord)).collect::<Result<Vec<Tile>, _>>()
        };
        let before = tiles(&cache)?;
        let mut baked = BTreeSet::new();
        for (_, obstacle) in obstacles()? {
            let handle = cache.add(&obstacle)?;
            baked.extend(cache.tiles_of(handle));
        }
        let update = cache.wait()?;
        if let Some(failed) = update.failed.into_iter().next() {
            return Err(failed.error.into());
        }
        Ok(Courtyard {
            areas: (scene.settings)().areas.iter().map(navlevel::meta::area_meta).collect(),
            before,
            after: tiles(&cache)?,
            baked,
        })
    }
}

/// All pictures, by file name.
pub(crate) fn draw() -> Result<Vec<(String, Picture)>, Error> {
    let courtyard = Courtyard::new()?;
    let titled = |title: &str| MeshOptions { title: title.to_owned(), ..MeshOptions::default() };
    let before =
        mesh_picture(&courtyard.before, &courtyard.areas, &titled("1 \u{b7} The courtyard as it was baked"));
    let mut after = mesh_picture(
        &courtyard.after,
        &courtyard.areas,
        &titled("2 \u{b7} The courtyard with four obstacles"),
    );
    after.window = before.window;
    mark_obstacles(&mut after)?;
    let mut tiles = rebuilt(&courtyard, &before);
    mark_obstacles(&mut tiles)?;
    let names = ["changing-1-before", "changing-2-after", "changing-3-tiles"].map(str::to_owned);
    Ok(names.into_iter().zip([before, after, tiles]).collect())
}

/// Draws the outlines of the obstacles, with their names.
fn mark_obstacles(picture: &mut Picture) -> Result<(), Error> {
    let line = Stroke::new(Colour::PATH, 2.6);
    for (name, obstacle) in obstacles()? {
        let ring = outline(&obstacle);
        let lowest = ring.iter().map(|[_, z]| *z).fold(f64::INFINITY, f64::min);
        let [[west, ..], [east, ..]] = obstacle.bounds();
        let text = Text {
            at: [(west + east) / 2.0, lowest],
            offset: [0.0, -8.0],
            text: name.to_owned(),
            size: 17.0,
            bold: true,
            anchor: Anchor::Middle,
        };
        let casing = Style::fill(Colour::INK).outlined(Stroke::new(Colour::WHITE, 4.0));
        let label = Shape { geometry: Geometry::Text(text), style: casing };
        picture.push_layer("obstacles", vec![Shape::filled(vec![ring], Style::line(line)), label]);
    }
    picture.push_legend(Swatch::Line(line), "an obstacle");
    Ok(())
}

/// The convex outline of an obstacle seen from above. Source: A. M. Andrew, Another efficient algorithm for
/// convex hulls in two dimensions (1979).
fn outline(obstacle: &Obstacle) -> Vec<Point> {
    let corners = obstacle.body.vertices().iter().map(|corner| obstacle.place.apply(*corner));
    let mut points: Vec<Point> = corners.map(|[x, _, z]| [x, z]).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut points.iter().copied());
    lower.into_iter().chain(half(&mut points.iter().rev().copied())).collect()
}

/// The tiles with obstacles, with the lines between them. Tiles that were baked again have another colour.
fn rebuilt(courtyard: &Courtyard, before: &Picture) -> Picture {
    let mut picture = Picture::new("3 \u{b7} The tiles that were baked again", before.window);
    let count = courtyard.baked.len();
    picture.subtitle = format!("{count} of {} tiles of {TILE_CELLS} cells", courtyard.before.len());
    let [kept, new] = [Colour::GROUND.mix(Colour::WHITE, 0.55), Colour::GAINED.mix(Colour::WHITE, 0.5)];
    let colour = |tile: &Tile| if courtyard.baked.contains(&tile.coord()) { new } else { kept };
    let faces =
        courtyard.after.iter().flat_map(|tile| tile.polygons().iter().map(move |polygon| (tile, polygon)));
    let mut faces: Vec<(f64, Shape)> = faces
        .map(|(tile, polygon)| {
            let corners = corners(tile, polygon);
            let height = corners.iter().map(|corner| corner[1]).fold(f64::NEG_INFINITY, f64::max);
            let ring = corners.iter().map(|[x, _, z]| [*x, *z]).collect();
            let style = Style::fill(colour(tile)).outlined(Stroke::new(Colour::WHITE, 1.2));
            (height, Shape::filled(vec![ring], style))
        })
        .collect();
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    picture.push_layer("mesh", faces.into_iter().map(|(_, shape)| shape).collect());
    let line = Stroke::new(Colour::PORTAL, 1.6).dashed(6.0, 5.0);
    picture.push_layer("tiles", vec![Shape::segments(borders(&courtyard.before), line)]);
    picture.push_legend(Swatch::Box(new), "baked again");
    picture.push_legend(Swatch::Box(kept), "as it was");
    picture.push_legend(Swatch::Line(line), "border of a tile");
    picture
}

fn corners(tile: &Tile, polygon: &Polygon) -> Vec<[f64; 3]> {
    let edges = tile.polygon_edges(polygon).iter();
    edges.map(|edge| tile.to_world(tile.vertices()[edge.vertex as usize])).collect()
}

/// The borders of tiles, each once.
fn borders(tiles: &[Tile]) -> Vec<[Point; 2]> {
    let sides = |tile: &Tile| {
        let TileCoord { x, z, .. } = tile.coord();
        let along = [[x, z, x + 1, z], [x, z + 1, x + 1, z + 1]];
        along.into_iter().chain([[x, z, x, z + 1], [x + 1, z, x + 1, z + 1]])
    };
    let all: BTreeSet<[i32; 4]> = tiles.iter().flat_map(sides).collect();
    let Some(lattice) = tiles.first().map(Tile::lattice) else { return Vec::new() };
    let at = |axis: usize, tile: i32| {
        lattice.origin[axis] + f64::from(tile) * f64::from(TILE_CELLS) * lattice.cell_size
    };
    all.into_iter().map(|[x, z, far_x, far_z]| [[at(0, x), at(2, z)], [at(0, far_x), at(2, far_z)]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obstacles_change_some_tiles_and_no_others() {
        let courtyard = Courtyard::new().unwrap();
        let differ: BTreeSet<TileCoord> = courtyard
            .after
            .iter()
            .filter(|tile| !courtyard.before.iter().any(|before| before.bytes() == tile.bytes()))
            .map(Tile::coord)
            .collect();
        assert!(!differ.is_empty() && differ.is_subset(&courtyard.baked));
        assert!(courtyard.baked.len() < courtyard.before.len());
        assert_eq!(draw().unwrap().len(), 3);
    }

    #[test]
    fn an_outline_goes_round_all_corners_once() {
        let (_, platform) = obstacles().unwrap().swap_remove(1);
        assert_eq!(outline(&platform), [[10.0, 4.5], [14.0, 4.5], [14.0, 8.5], [10.0, 8.5]]);
    }
}
