//! `navtile info`: what is in a file. Every tile is verified on the way.

use crate::args::InfoArgs;
use crate::failure::{Answer, Failure};
use crate::mesh::{self, Loaded, Stored};
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
    stored: Stored,
    agent: Agent,
    cell_size: f64,
    cell_height: f64,
    geometry_digest: String,
    settings: Settings,
    areas: Vec<Area>,
    islands: Vec<Island>,
    off_mesh_links: Vec<OffMeshLink>,
}

/// What the file was baked with: metres, square metres.
#[derive(Serialize)]
struct Settings {
    partition: String,
    max_vertices: u32,
    regions_min_area: f64,
    regions_merge_area: f64,
    contours_max_edge_length: f64,
    contours_max_error: f64,
    contours_split_walls: bool,
    contours_split_areas: bool,
    detail_sample_distance: f64,
    detail_max_error: f64,
    median_filter: bool,
    volumes: u32,
    off_mesh_connections: u32,
    /// Of volumes and off-mesh connections; null if there are none.
    marks_digest: Option<String>,
}

/// A way that no surface makes; metres.
#[derive(Serialize)]
struct OffMeshLink {
    start: [f64; 3],
    end: [f64; 3],
    radius: f64,
    both_ways: bool,
    area: u8,
    area_name: String,
    flags: u32,
    user_id: u64,
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
        let Loaded { meta, mesh, bytes, stored } = loaded;
        let agent = meta.agent;
        let islands = mesh.islands();
        Info {
            format_version: navtile::file::FILE_VERSION,
            tiles: mesh.tile_count(),
            polygons: mesh.polygon_count(),
            vertices: mesh.tiles().map(|tile| u64::from(tile.header().polygon_vertex_count)).sum(),
            bounds: mesh::bounds(mesh.tiles()),
            bytes: *bytes,
            stored: *stored,
            agent: Agent {
                radius: agent.radius,
                height: agent.height,
                climb: agent.climb,
                slope: agent.slope,
            },
            cell_size: meta.cell[0],
            cell_height: meta.cell[1],
            geometry_digest: navmath::Digest(meta.geometry_digest).to_string(),
            settings: settings(&meta.settings),
            areas: areas(loaded),
            off_mesh_links: off_mesh_links(loaded),
            islands: islands
                .list()
                .iter()
                .map(|island| Island { area_m2: island.area, polygons: island.polygons })
                .collect(),
        }
    }

    /// How many tiles there are, and how the file keeps them.
    fn tiles_text(&self) -> String {
        let Stored { blobs, tiles, compressed_tiles, island_graph, sequence, unused } = self.stored;
        let mut text = format!("{} in {}", self.tiles, memory::readable(tiles));
        if compressed_tiles > 0 {
            let ratio = blobs as f64 / tiles.max(1) as f64;
            let _ = write!(text, ", {compressed_tiles} compressed, {ratio:.2} to 1 in all");
        }
        if island_graph > 0 {
            let _ = write!(text, "; island graph {}", memory::readable(island_graph));
        }
        if sequence > 1 {
            let _ = write!(text, "; edited, state {sequence}, {} unused", memory::readable(unused));
        }
        text
    }

    fn text(&self) -> String {
        /// More islands or off-mesh links than this are summed up.
        const SHOWN: usize = 10;
        let Agent { radius, height, climb, slope } = self.agent;
        let mut lines = vec![
            ("format", format!("version {}", self.format_version)),
            ("size", memory::readable(self.bytes)),
            (
                "agent",
                format!("radius {radius} m, height {height} m, climb {climb} m, slope {slope} degrees"),
            ),
            ("cell", format!("{} m wide, {} m high", self.cell_size, self.cell_height)),
            ("tiles", self.tiles_text()),
            ("polygons", format!("{} with {} vertices", self.polygons, self.vertices)),
            ("bounds", self.bounds.map_or("none: the mesh is empty".to_owned(), bounds_text)),
            ("geometry", self.geometry_digest.clone()),
        ];
        lines.extend(self.settings.lines());
        lines.extend(self.areas.iter().map(|area| {
            let Area { id, name, flags, cost, polygons, area_m2 } = area;
            let text =
                format!("{id} {name}: flags {flags:#x}, cost {cost}, {polygons} polygons, {area_m2:.2} m2");
            ("area", text)
        }));
        lines.extend(
            self.islands
                .iter()
                .take(SHOWN)
                .map(|island| ("island", format!("{:.2} m2, {} polygons", island.area_m2, island.polygons))),
        );
        let more = self.islands.get(SHOWN..).unwrap_or_default();
        if !more.is_empty() {
            let area: f64 = more.iter().map(|island| island.area_m2).sum();
            lines.push(("islands", format!("{} more, {area:.2} m2 together", more.len())));
        }
        lines.extend(self.off_mesh_links.iter().take(SHOWN).map(|link| ("off-mesh", link.text())));
        match self.off_mesh_links.len().saturating_sub(SHOWN) {
            0 => {}
            more => lines.push(("off-mesh", format!("{more} more"))),
        }
        let mut text = String::new();
        for (name, line) in lines {
            writeln!(text, "{name:<10} {line}").expect("writing to a String cannot fail");
        }
        text
    }
}

impl Settings {
    fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            (
                "regions",
                format!(
                    "{}, kept from {} m2, merged up to {} m2{}",
                    self.partition,
                    rounded(self.regions_min_area),
                    rounded(self.regions_merge_area),
                    if self.median_filter { ", areas by their median" } else { "" }
                ),
            ),
            (
                "outlines",
                format!(
                    "edges up to {} m split {}, error {} m, {} vertices a polygon; samples every {} m, error {} m",
                    rounded(self.contours_max_edge_length),
                    match (self.contours_split_walls, self.contours_split_areas) {
                        (true, true) => "along walls and between areas",
                        (true, false) => "along walls",
                        (false, true) => "between areas",
                        (false, false) => "nowhere",
                    },
                    rounded(self.contours_max_error),
                    self.max_vertices,
                    rounded(self.detail_sample_distance),
                    rounded(self.detail_max_error)
                ),
            ),
        ];
        if let Some(digest) = &self.marks_digest {
            let Settings { volumes, off_mesh_connections, .. } = self;
            let text = format!("{volumes} volumes, {off_mesh_connections} off-mesh connections, {digest}");
            lines.push(("marks", text));
        }
        lines
    }
}

impl OffMeshLink {
    fn text(&self) -> String {
        let corner = |[x, y, z]: [f64; 3]| format!("{x:.3}, {y:.3}, {z:.3}");
        format!(
            "{} to {}{}, radius {:.3} m, area {} {}, flags {:#x}, user id {}",
            corner(self.start),
            corner(self.end),
            if self.both_ways { " and back" } else { "" },
            self.radius,
            self.area,
            self.area_name,
            self.flags,
            self.user_id
        )
    }
}

/// Without the noise of a product: six digits behind the point.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn settings(meta: &navtile::SettingsMeta) -> Settings {
    // The file has been checked: there are three partitions.
    let partition = ["watershed", "monotone", "layers"].get(usize::from(meta.partition));
    let marked = meta.volumes > 0 || meta.off_mesh_connections > 0;
    Settings {
        partition: partition.map_or_else(|| meta.partition.to_string(), |name| (*name).to_owned()),
        max_vertices: meta.max_vertices,
        regions_min_area: meta.region_min_area,
        regions_merge_area: meta.region_merge_area,
        contours_max_edge_length: meta.max_edge_length,
        contours_max_error: meta.contour_max_error,
        contours_split_walls: meta.split_walls,
        contours_split_areas: meta.split_areas,
        detail_sample_distance: meta.detail_sample_distance,
        detail_max_error: meta.detail_max_error,
        median_filter: meta.median_filter,
        volumes: meta.volumes,
        off_mesh_connections: meta.off_mesh_connections,
        marks_digest: marked.then(|| navmath::Digest(meta.marks_digest).to_string()),
    }
}

/// The off-mesh links of all tiles, tile by tile.
fn off_mesh_links(loaded: &Loaded) -> Vec<OffMeshLink> {
    let name = |id: u8| {
        let known = loaded.meta.areas.iter().find(|area| area.id == id);
        known.map_or_else(|| format!("area {id}"), |area| area.name.clone())
    };
    let of_tile = |tile: &'_ Tile| -> Vec<OffMeshLink> {
        let unit = tile.lattice().cell_size / f64::from(FIXED_ONE);
        let link = |link: &navtile::layout::OffMeshLink| OffMeshLink {
            start: tile.to_world(link.start),
            end: tile.to_world(link.end),
            radius: f64::from(link.radius) * unit,
            both_ways: link.direction == 1,
            area: link.area,
            area_name: name(link.area),
            flags: link.flags,
            user_id: link.user_id,
        };
        tile.off_mesh_links().iter().map(link).collect()
    };
    loaded.mesh.tiles().flat_map(of_tile).collect()
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
