//! `navtile info`: what is in a file. Every tile is verified on the way.

use crate::args::InfoArgs;
use crate::failure::{Answer, Failure};
use crate::mesh::{self, Loaded};
use crate::{memory, report};
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navtile::Tile;
use serde::Serialize;
use std::fmt::Write;

/// What is in a file, as one JSON object.
#[derive(Serialize)]
struct Info {
    format_version: u32,
    tiles: usize,
    polygons: usize,
    vertices: u64,
    /// Smallest and largest corner, world metres; null without polygons.
    bounds: Option<[[f64; 3]; 2]>,
    bytes: u64,
    agent: Agent,
    cell_size: f64,
    cell_height: f64,
    geometry_digest: String,
    areas: Vec<Area>,
    islands: Vec<Island>,
}

/// Metres and degrees.
#[derive(Serialize)]
struct Agent {
    radius: f64,
    height: f64,
    climb: f64,
    slope: f64,
}

#[derive(Serialize)]
struct Area {
    id: u8,
    name: String,
    flags: u32,
    cost: f32,
    polygons: usize,
    area_m2: f64,
}

#[derive(Serialize)]
struct Island {
    area_m2: f64,
    polygons: usize,
}

pub(crate) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    let info = Info::of(&mesh::load(&args.file)?);
    if args.json {
        report::print_json(&info)?;
    } else {
        report::print(&info.text())?;
    }
    Ok(Answer::Yes)
}

impl Info {
    fn of(loaded: &Loaded) -> Info {
        let Loaded { meta, mesh, bytes } = loaded;
        let agent = meta.agent;
        let islands = mesh.islands();
        Info {
            format_version: navtile::file::FILE_VERSION,
            tiles: mesh.tile_count(),
            polygons: mesh.polygon_count(),
            vertices: mesh.tiles().map(|tile| u64::from(tile.header().polygon_vertex_count)).sum(),
            bounds: mesh::bounds(mesh.tiles()),
            bytes: *bytes,
            agent: Agent {
                radius: agent.radius,
                height: agent.height,
                climb: agent.climb,
                slope: agent.slope,
            },
            cell_size: meta.cell[0],
            cell_height: meta.cell[1],
            geometry_digest: navmath::Digest(meta.geometry_digest).to_string(),
            areas: areas(loaded),
            islands: islands
                .list()
                .iter()
                .map(|island| Island { area_m2: island.area, polygons: island.polygons })
                .collect(),
        }
    }

    fn text(&self) -> String {
        /// More islands than this are summed up.
        const ISLANDS_SHOWN: usize = 10;
        let Agent { radius, height, climb, slope } = self.agent;
        let mut lines = vec![
            ("format", format!("version {}", self.format_version)),
            ("size", memory::readable(self.bytes)),
            (
                "agent",
                format!("radius {radius} m, height {height} m, climb {climb} m, slope {slope} degrees"),
            ),
            ("cell", format!("{} m wide, {} m high", self.cell_size, self.cell_height)),
            ("tiles", self.tiles.to_string()),
            ("polygons", format!("{} with {} vertices", self.polygons, self.vertices)),
            ("bounds", self.bounds.map_or("none: the mesh is empty".to_owned(), bounds_text)),
            ("geometry", self.geometry_digest.clone()),
        ];
        lines.extend(self.areas.iter().map(|area| {
            let Area { id, name, flags, cost, polygons, area_m2 } = area;
            let text =
                format!("{id} {name}: flags {flags:#x}, cost {cost}, {polygons} polygons, {area_m2:.2} m2");
            ("area", text)
        }));
        lines.extend(
            self.islands
                .iter()
                .take(ISLANDS_SHOWN)
                .map(|island| ("island", format!("{:.2} m2, {} polygons", island.area_m2, island.polygons))),
        );
        let more = self.islands.get(ISLANDS_SHOWN..).unwrap_or_default();
        if !more.is_empty() {
            let area: f64 = more.iter().map(|island| island.area_m2).sum();
            lines.push(("islands", format!("{} more, {area:.2} m2 together", more.len())));
        }
        let mut text = String::new();
        for (name, line) in lines {
            writeln!(text, "{name:<10} {line}").expect("writing to a String cannot fail");
        }
        text
    }
}

fn bounds_text([min, max]: [[f64; 3]; 2]) -> String {
    let corner = |[x, y, z]: [f64; 3]| format!("{x:.3}, {y:.3}, {z:.3}");
    format!("{} to {}", corner(min), corner(max))
}

/// The areas of the file's table, then those that polygons have and the table does not.
fn areas(loaded: &Loaded) -> Vec<Area> {
    let mut sums = [(0usize, 0.0f64); 256];
    for tile in loaded.mesh.tiles() {
        let unit = tile.lattice().cell_size / f64::from(FIXED_ONE);
        for index in 0..tile.polygons().len() {
            let sum = &mut sums[usize::from(tile.polygons()[index].area)];
            *sum = (sum.0 + 1, sum.1 + polygon_area(tile, index) * unit * unit);
        }
    }
    let known = loaded.meta.areas.iter().map(|area| (area.id, area.name.clone(), area.flags, area.cost));
    let unknown = (1..=u8::MAX)
        .filter(|id| sums[usize::from(*id)].0 > 0 && loaded.meta.areas.iter().all(|area| area.id != *id))
        .map(|id| (id, format!("area {id}"), 0, 1.0));
    known
        .chain(unknown)
        .map(|(id, name, flags, cost)| {
            let (polygons, area_m2) = sums[usize::from(id)];
            Area { id, name, flags, cost, polygons, area_m2 }
        })
        .collect()
}

/// Area of a polygon seen from above, squared fixed-point units.
fn polygon_area(tile: &Tile, polygon: usize) -> f64 {
    let edges = tile.polygon_edges(&tile.polygons()[polygon]);
    let area2 = polygon_area2(edges.iter().map(|edge| {
        let [x, _, z] = tile.vertices()[edge.vertex as usize];
        [x, z]
    }));
    (area2 as f64 / 2.0).abs()
}
