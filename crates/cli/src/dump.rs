//! `navtile dump`: everything in a file as text, one item a line, for comparing files in version control.
//!
//! The order of polygons in a tile follows from their positions, not from their numbers, and the other side
//! of an edge is given by a corner, not by a number. So an added or removed polygon only changes the lines
//! about it and its neighbours. Positions are cells from the lattice's origin, multiples of 1/256, so they
//! are exact and do not depend on the tiling of the level.

use crate::failure::{Answer, Failure};
use crate::files::FileList;
use crate::inspect::{self, Opened, side_name};
use crate::{memory, report};
use clap::Args;
use navmath::FIXED_ONE;
use navtile::Tile;
use navtile::file::DirectoryEntry;
use navtile::layout::{Edge, OffMeshLink, Polygon, Portal, edge_kind};
use std::fmt::{Result as Written, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct DumpArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// The text file to write [default: standard output].
    #[arg(short, long, value_name = "OUT.txt")]
    pub(crate) output: Option<PathBuf>,
}

pub(crate) fn run(args: &DumpArgs) -> Result<Answer, Failure> {
    let mut files = FileList::reading([args.file.as_path()]);
    let target = args.output.as_deref().map(|path| files.target(path)).transpose()?;
    let text = dump(&inspect::open(&args.file)?);
    match target {
        None => report::print(&text)?,
        Some(target) => {
            target.write(text.as_bytes())?;
            let size = memory::readable(text.len() as u64);
            report::print(&format!("{}: {} lines, {size}\n", target.path().display(), text.lines().count()))?
        }
    };
    Ok(Answer::Yes)
}

/// The whole text.
fn dump(opened: &Opened) -> String {
    let mut text = String::from("navtile dump 1\n");
    let mut written = Ok(());
    for (name, value) in inspect::fields(opened.file.meta()) {
        written = written.and_then(|()| writeln!(text, "meta {name} {value}"));
    }
    for (tile, entry) in opened.tiles.iter().zip(opened.file.entries()) {
        written = written.and_then(|()| write_tile(&mut text, tile, entry));
    }
    written.expect("writing to a String cannot fail");
    text
}

fn write_tile(text: &mut String, tile: &Tile, entry: &DirectoryEntry) -> Written {
    let header = tile.header();
    let [x, base_y, z] = header.base_cell;
    writeln!(text, "tile {} {} {}", header.x, header.z, header.layer)?;
    writeln!(text, "  base {x} {base_y} {z}")?;
    writeln!(text, "  size {} {}", header.width, header.depth)?;
    writeln!(text, "  bytes {}", tile.bytes().len())?;
    writeln!(text, "  checksum {:08x}", header.checksum)?;
    writeln!(text, "  input_hash {}", hex(&entry.input_hash))?;
    writeln!(text, "  prune_hash {}", hex(&entry.prune_hash))?;
    let mut order: Vec<(Vec<[i32; 3]>, u32)> =
        (0..).zip(tile.polygons()).map(|(index, polygon)| (corners(tile, polygon), index)).collect();
    order.sort();
    for (corners, index) in &order {
        write_polygon(text, tile, &tile.polygons()[*index as usize], corners)?;
    }
    for portal in tile.portals() {
        write_portal(text, tile, portal)?;
    }
    tile.off_mesh_links().iter().try_for_each(|link| write_link(text, tile, link))
}

/// Corners of a polygon.
fn corners(tile: &Tile, polygon: &Polygon) -> Vec<[i32; 3]> {
    tile.polygon_edges(polygon).iter().map(|edge| tile.vertices()[edge.vertex as usize]).collect()
}

fn write_polygon(text: &mut String, tile: &Tile, polygon: &Polygon, corners: &[[i32; 3]]) -> Written {
    let around: Vec<String> = corners.iter().map(|corner| position(tile, *corner)).collect();
    writeln!(text, "  polygon area {} flags {:#x} at {}", polygon.area, polygon.flags, around.join(" "))?;
    for (edge, from) in tile.polygon_edges(polygon).iter().zip(&around) {
        writeln!(text, "    edge {from} {}", beyond(tile, edge))?;
    }
    let first = polygon.first_detail_vertex as usize;
    for vertex in &tile.vertices()[first..first + usize::from(polygon.detail_vertex_count)] {
        writeln!(text, "    detail vertex {}", position(tile, *vertex))?;
    }
    for triangle in tile.polygon_detail_triangles(polygon) {
        let [a, b, c] = triangle.vertices;
        let boundary = [0, 1, 2].map(|edge| triangle.boundary >> edge & 1);
        writeln!(
            text,
            "    detail triangle {a} {b} {c} boundary {}{}{}",
            boundary[0], boundary[1], boundary[2]
        )?;
    }
    Ok(())
}

/// The other side of an edge. A neighbour is given by the corner that follows the shared edge in it. Together
/// with the edge's own corners, this identifies the polygon regardless of its number.
fn beyond(tile: &Tile, edge: &Edge) -> String {
    match edge.kind {
        edge_kind::INTERNAL => {
            let other = &tile.polygons()[edge.neighbour as usize];
            let edges = tile.polygon_edges(other);
            let next = &edges[(usize::from(edge.twin) + 2) % edges.len()];
            format!("internal {}", position(tile, tile.vertices()[next.vertex as usize]))
        }
        edge_kind::PORTAL => {
            format!("portal {}", side_name(tile.portals()[edge.neighbour as usize].side))
        }
        _ => "wall".to_owned(),
    }
}

/// Start and end along the border, and the heights there.
fn write_portal(text: &mut String, tile: &Tile, portal: &Portal) -> Written {
    let along = if portal.side & 1 == 0 { 2 } else { 0 };
    let [start, end] = [portal.start, portal.end].map(|value| cells(tile, along, value));
    let [low, high] = [portal.start_height, portal.end_height].map(|value| cells(tile, 1, value));
    writeln!(text, "  portal {} from {start} to {end} heights {low} {high}", side_name(portal.side))
}

fn write_link(text: &mut String, tile: &Tile, link: &OffMeshLink) -> Written {
    let [x, z, layer] = link.end_tile;
    writeln!(
        text,
        "  link {} to {} tile {x} {z} {layer} radius {} {} area {} flags {:#x} user_id {}",
        position(tile, link.start),
        position(tile, link.end),
        f64::from(link.radius) / f64::from(FIXED_ONE),
        if link.direction == 1 { "both_ways" } else { "one_way" },
        link.area,
        link.flags,
        link.user_id
    )?;
    match link.along {
        [0, 0] => Ok(()),
        along => {
            let [x, z] = along.map(|value| f64::from(value) / f64::from(FIXED_ONE));
            writeln!(text, "    along {x} {z}")
        }
    }
}

/// Cells from the lattice's origin. Exact: a multiple of 1/256 below 2^41.
fn cells(tile: &Tile, axis: usize, value: i32) -> f64 {
    let global = tile.header().base_cell[axis] * i64::from(FIXED_ONE) + i64::from(value);
    global as f64 / f64::from(FIXED_ONE)
}

fn position(tile: &Tile, [x, y, z]: [i32; 3]) -> String {
    format!("{},{},{}", cells(tile, 0, x), cells(tile, 1, y), cells(tile, 2, z))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
