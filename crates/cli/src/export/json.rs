//! JSON: the whole content of a tile, in world metres, with neighbours across seams resolved. docs/interop.md
//! describes the schema.

use super::args::{Product, polygon_count};
use crate::inspect::side_name;
use navtile::layout::{OffMeshLink, Polygon, edge_kind, side};
use navtile::off_mesh::WorldLink;
use navtile::seam::match_portals;
use navtile::{AgentMeta, AreaMeta, Meta, Tile, TileCoord};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of this schema, raised with every change that could break a reader.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    agent: &'a AgentMeta,
    cell_size: f64,
    cell_height: f64,
    areas: &'a [AreaMeta],
    tiles: Vec<TileJson>,
}

#[derive(Serialize)]
struct TileJson {
    x: i32,
    z: i32,
    layer: i32,
    vertices: Vec<[f64; 3]>,
    polygons: Vec<PolygonJson>,
    off_mesh_links: Vec<WorldLink>,
}

#[derive(Serialize)]
struct PolygonJson {
    vertices: Vec<u32>,
    area: u8,
    flags: u32,
    neighbours: Vec<Neighbour>,
    detail_vertices: Vec<[f64; 3]>,
    detail_triangles: Vec<[u16; 3]>,
}

/// The other side of an edge.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Neighbour {
    Wall,
    Polygon(u32),
    /// The tile's border, and the polygons beyond it.
    Border {
        side: &'static str,
        polygons: Vec<Beyond>,
    },
}

/// A polygon of another tile, and the part of the edge it shares, as fractions of the edge's length.
#[derive(Serialize)]
struct Beyond {
    tile: usize,
    polygon: u32,
    from: f64,
    to: f64,
}

pub(super) fn write(meta: &Meta, tiles: &[Tile]) -> serde_json::Result<Product> {
    let by_coord: BTreeMap<TileCoord, usize> =
        tiles.iter().enumerate().map(|(index, tile)| (tile.coord(), index)).collect();
    let document = Document {
        format: "navtile",
        version: VERSION,
        agent: &meta.agent,
        cell_size: meta.cell[0],
        cell_height: meta.cell[1],
        areas: &meta.areas,
        tiles: tiles.iter().map(|each| tile(each, tiles, &by_coord)).collect(),
    };
    let bytes = crate::report::json(&document)?;
    Ok(Product { bytes, tiles: tiles.len(), polygons: polygon_count(tiles), ..Product::default() })
}

fn tile(tile: &Tile, tiles: &[Tile], by_coord: &BTreeMap<TileCoord, usize>) -> TileJson {
    let coord = tile.coord();
    let corners = tile.header().polygon_vertex_count as usize;
    let beyond = beyond(tile, tiles, by_coord);
    let link = |link: &OffMeshLink| WorldLink::new(tile, link);
    TileJson {
        x: coord.x,
        z: coord.z,
        layer: coord.layer,
        vertices: tile.vertices()[..corners].iter().map(|&vertex| tile.to_world(vertex)).collect(),
        polygons: tile.polygons().iter().map(|each| polygon(tile, each, &beyond)).collect(),
        off_mesh_links: tile.off_mesh_links().iter().map(link).collect(),
    }
}

/// For each portal of a tile, the polygons of other tiles that it leads to.
fn beyond(
    tile: &Tile,
    tiles: &[Tile],
    by_coord: &BTreeMap<TileCoord, usize>,
) -> Vec<Vec<(usize, u32, i32, i32)>> {
    let mut beyond = vec![Vec::new(); tile.portals().len()];
    for on in side::X_MIN..=side::Z_MIN {
        let across = tile.coord().across(on).into_iter();
        for (_, &other) in across.flat_map(|coords| by_coord.range(coords)) {
            for found in match_portals(tile, on, &tiles[other]) {
                let polygon = tiles[other].portals()[found.b as usize].polygon;
                beyond[found.a as usize].push((other, polygon, found.start, found.end));
            }
        }
    }
    beyond
}

fn polygon(tile: &Tile, polygon: &Polygon, beyond: &[Vec<(usize, u32, i32, i32)>]) -> PolygonJson {
    let edges = tile.polygon_edges(polygon);
    let neighbours = edges.iter().map(|edge| match edge.kind {
        edge_kind::INTERNAL => Neighbour::Polygon(edge.neighbour),
        edge_kind::PORTAL => border(tile, edge.neighbour as usize, beyond),
        _ => Neighbour::Wall,
    });
    let first = polygon.first_detail_vertex as usize;
    let detail = &tile.vertices()[first..first + usize::from(polygon.detail_vertex_count)];
    PolygonJson {
        vertices: edges.iter().map(|edge| edge.vertex).collect(),
        area: polygon.area,
        flags: polygon.flags,
        neighbours: neighbours.collect(),
        detail_vertices: detail.iter().map(|&vertex| tile.to_world(vertex)).collect(),
        detail_triangles: tile.polygon_detail_triangles(polygon).iter().map(|each| each.vertices).collect(),
    }
}

/// An edge runs with the border's direction on two sides and against it on the others.
fn border(tile: &Tile, portal: usize, beyond: &[Vec<(usize, u32, i32, i32)>]) -> Neighbour {
    let found = tile.portals()[portal];
    let (start, length) = (f64::from(found.start), f64::from(found.end) - f64::from(found.start));
    let forward = matches!(found.side, side::X_MIN | side::Z_MAX);
    let share = |at: i32| (f64::from(at) - start) / length;
    let polygons = beyond[portal].iter().map(|&(tile, polygon, from, to)| {
        let (from, to) =
            if forward { (share(from), share(to)) } else { (1.0 - share(to), 1.0 - share(from)) };
        Beyond { tile, polygon, from, to }
    });
    Neighbour::Border { side: side_name(found.side), polygons: polygons.collect() }
}
