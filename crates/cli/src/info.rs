//! `navtile info`: shows the content of a file, and verifies every tile.

use crate::failure::{Answer, Failure};
use crate::inspect::{self, place};
use crate::mesh::{self, Loaded, Stored};
use crate::{files, memory, report, settings};
use clap::Args;
use detour::{Filter, Islands};
use hierarchy::{ClusterGrid, Hierarchy};
use navdraw::Colour;
use navdraw::number::{counted, grouped, square_metres};
use navlevel::meta::settings_of;
use navmath::FIXED_ONE;
use navtile::LinkKind;
use navtile::off_mesh::WorldLink;
use navtile::{AgentMeta, AreaMeta, NavFile, SettingsMeta, SharedBytes, Tile};
use recast::Settings;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The .navtile file.
    file: PathBuf,
    /// Answer as one JSON object.
    #[arg(long)]
    json: bool,
}

/// The content of a file, as one JSON object.
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
    agent: AgentMeta,
    cell_size: f64,
    cell_height: f64,
    geometry_digest: String,
    /// The settings of the bake by their paths, with `_` for `.`; metres, square metres.
    settings: BTreeMap<String, Value>,
    areas: Vec<AreaSummary>,
    /// By ground, as bakes and `verify` count them; largest first, like the others.
    islands: Vec<Island>,
    /// Joined by off-mesh links in either direction.
    islands_with_links: Vec<Island>,
    /// Parts in which every place can be reached from every other, over ground and off-mesh links.
    there_and_back: Vec<Island>,
    /// The share of the largest such part in the ground, 0 to 1.
    there_and_back_share: f64,
    /// Generated links by kind.
    generated_links: BTreeMap<&'static str, usize>,
    /// Off-mesh links that can be crossed anywhere along two edges, and the total length of these edges.
    edge_links: usize,
    edge_links_m: f64,
    off_mesh_links: Vec<NamedLink>,
    /// Null without a hierarchy.
    hierarchy: Option<HierarchySummary>,
    /// The settings of the bake, for the text.
    #[serde(skip)]
    baked_with: Settings,
}

/// The hierarchy of a file.
#[derive(Serialize)]
struct HierarchySummary {
    bytes: usize,
    /// The side of the smallest clusters, metres.
    cluster: f64,
    /// The names of its classes.
    classes: Vec<String>,
    /// The number of clusters of each level, the smallest clusters first.
    clusters: Vec<usize>,
    /// The number of crossings between the clusters of each level.
    crossings: Vec<usize>,
}

/// An off-mesh link, with the name of its area.
#[derive(Serialize)]
struct NamedLink {
    #[serde(flatten)]
    link: WorldLink,
    area_name: String,
}

#[derive(Serialize)]
struct AreaSummary {
    #[serde(flatten)]
    area: AreaMeta,
    /// `#rrggbb`, if the settings gave a colour.
    colour: Option<String>,
    polygons: usize,
    area_m2: f64,
}

#[derive(Serialize)]
struct Island {
    area_m2: f64,
    polygons: usize,
}

pub(crate) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    let bytes = files::read_shared(&args.file)?;
    let loaded = mesh::from_bytes(&args.file, bytes.clone())?;
    let info = Info { hierarchy: HierarchySummary::of(&args.file, bytes)?, ..Info::of(&loaded) };
    report::answer(args.json, &info, || info.text())?;
    Ok(Answer::Yes)
}

impl HierarchySummary {
    /// The hierarchy of a file, if it has one.
    fn of(path: &Path, bytes: SharedBytes) -> Result<Option<HierarchySummary>, Failure> {
        let file = NavFile::open_shared(bytes).map_err(|error| Failure::of(path, error))?;
        let Some(bytes) = file.hierarchy() else { return Ok(None) };
        let bytes = bytes.map_err(|error| Failure::of(path, error))?;
        let hierarchy = Hierarchy::from_bytes(bytes).map_err(|error| Failure::of(path, error))?;
        let ClusterGrid { tile_cells, tiles } = hierarchy.grid();
        Ok(Some(HierarchySummary {
            bytes: bytes.len(),
            cluster: file.meta().cell[0] * f64::from(tile_cells) * f64::from(tiles),
            classes: hierarchy.classes().iter().map(|class| class.name.clone()).collect(),
            clusters: hierarchy.cluster_counts(),
            crossings: hierarchy.crossing_counts(),
        }))
    }

    fn text(&self) -> String {
        let joined = |counts: &[usize]| counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" / ");
        let size = memory::readable(self.bytes as u64);
        let (clusters, crossings) = (joined(&self.clusters), joined(&self.crossings));
        let classes: Vec<_> = self.classes.iter().map(|name| navinput::escaped(name)).collect();
        format!(
            "{size}; clusters of {:.1} m, by level {clusters}; crossings {crossings}; classes {}",
            self.cluster,
            classes.join(", ")
        )
    }
}

impl Info {
    fn of(loaded: &Loaded) -> Info {
        let Loaded { meta, mesh, bytes, stored } = loaded;
        let filter = Filter::default();
        let (edge_links, edge_links_m) = edge_links(loaded);
        let there_and_back = sizes(&Islands::there_and_back(mesh, &filter));
        let ground: f64 = there_and_back.iter().map(|part| part.area_m2).sum();
        let largest = there_and_back.first().map_or(0.0, |part| part.area_m2);
        Info {
            format_version: navtile::file::FILE_VERSION,
            tiles: mesh.tile_count(),
            polygons: mesh.polygon_count(),
            vertices: mesh.tiles().map(|tile| u64::from(tile.header().polygon_vertex_count)).sum(),
            bounds: mesh::bounds(mesh.tiles()),
            bytes: *bytes,
            stored: *stored,
            agent: meta.agent,
            cell_size: meta.cell[0],
            cell_height: meta.cell[1],
            geometry_digest: navmath::Digest(meta.geometry_digest).to_string(),
            settings: stated_settings(meta),
            areas: areas(loaded),
            off_mesh_links: off_mesh_links(loaded),
            generated_links: generated_links(loaded),
            edge_links,
            edge_links_m,
            hierarchy: None,
            islands: sizes(&Islands::by_ground(mesh, &filter)),
            islands_with_links: sizes(&Islands::new(mesh, &filter)),
            there_and_back,
            there_and_back_share: if ground > 0.0 { largest / ground } else { 0.0 },
            baked_with: settings_of(meta),
        }
    }

    /// The number of tiles, and their storage in the file.
    fn tiles_text(&self) -> String {
        let Stored { blobs, tiles, compressed_tiles, island_graph, cached_spans, sequence, unused, .. } =
            self.stored;
        let mut text = format!("{} in {}", self.tiles, memory::readable(tiles));
        if compressed_tiles > 0 {
            let ratio = blobs as f64 / tiles.max(1) as f64;
            text += &format!(", {compressed_tiles} compressed, {ratio:.2} to 1 overall");
        }
        if island_graph > 0 {
            text += &format!("; island graph {}", memory::readable(island_graph));
        }
        if cached_spans > 0 {
            text += &format!("; cached spans {}", memory::readable(cached_spans));
        }
        if sequence > 1 {
            text += &format!("; edited, state {sequence}, {} unused", memory::readable(unused));
        }
        text
    }

    /// The number of islands, with links and without, and the share of the ground that an agent can leave and
    /// return to.
    fn connection_lines(&self) -> Vec<(&'static str, String)> {
        let (islands, with_links) = (self.islands.len(), self.islands_with_links.len());
        let joined = if with_links < islands { format!(" ({with_links} with links)") } else { String::new() };
        let mut lines = vec![("islands", format!("{}{joined}", grouped(islands as u64)))];
        if self.there_and_back.len() > with_links {
            let share = (self.there_and_back_share * 100.0).floor();
            let rest = "the rest can only be left, or entered, by one-way links";
            lines.push((
                "there+back",
                format!("{share} % of the ground is connected in both directions; {rest}"),
            ));
        }
        lines
    }

    fn text(&self) -> String {
        /// More islands or off-mesh links than this are summed up.
        const SHOWN: usize = 10;
        let mut lines = vec![
            ("format", format!("version {}", self.format_version)),
            ("size", memory::readable(self.bytes)),
            ("tiles", self.tiles_text()),
            (
                "polygons",
                format!(
                    "{} with {}",
                    grouped(self.polygons as u64),
                    counted(self.vertices as usize, "vertex")
                ),
            ),
            (
                "bounds",
                match self.bounds {
                    None => "none: the mesh is empty".to_owned(),
                    Some([min, max]) => format!("{} to {}", place(min), place(max)),
                },
            ),
            ("geometry", self.geometry_digest.clone()),
        ];
        lines.extend(settings::lines(&self.baked_with));
        if let Some(digest) = self.settings["marks_digest"].as_str() {
            let [volumes, connections] =
                ["volumes", "off_mesh_connections"].map(|count| &self.settings[count]);
            let [volumes, connections] = [(volumes, "volume"), (connections, "off-mesh connection")]
                .map(|(count, noun)| counted(count.as_u64().unwrap_or(0) as usize, noun));
            lines.push(("marks", format!("{volumes}, {connections}, {digest}")));
        }
        lines.extend(self.areas.iter().map(|AreaSummary { area, colour, polygons, area_m2 }| {
            let AreaMeta { id, name, flags, cost, .. } = area;
            let colour = colour.as_ref().map_or_else(String::new, |colour| format!(", colour {colour}"));
            let name = navinput::escaped(name);
            let (polygons, area) = (counted(*polygons, "polygon"), square_metres(*area_m2));
            ("area", format!("{id} {name}: flags {flags:#x}, cost {cost}{colour}, {polygons}, {area}"))
        }));
        lines.extend(self.connection_lines());
        lines.extend(self.hierarchy.iter().map(|hierarchy| ("hierarchy", hierarchy.text())));
        let island = |island: &Island| {
            format!("{}, {}", square_metres(island.area_m2), counted(island.polygons, "polygon"))
        };
        lines.extend(self.islands.iter().take(SHOWN).map(|each| ("island", island(each))));
        let more = self.islands.get(SHOWN..).unwrap_or_default();
        if !more.is_empty() {
            let area: f64 = more.iter().map(|island| island.area_m2).sum();
            lines.push(("islands", format!("{} more, {} in total", more.len(), square_metres(area))));
        }
        if self.generated_links.values().any(|&count| count > 0) {
            let counts = self.generated_links.iter().map(|(kind, count)| counted(*count, kind));
            lines.push(("links", format!("{} generated", counts.collect::<Vec<_>>().join(", "))));
        }
        if self.edge_links > 0 {
            let (count, metres) = (self.edge_links, self.edge_links_m);
            lines.push(("links", format!("{count} along edges, {metres:.1} m in all")));
        }
        lines.extend(self.off_mesh_links.iter().take(SHOWN).map(|link| ("off-mesh", link.text())));
        match self.off_mesh_links.len().saturating_sub(SHOWN) {
            0 => {}
            more => lines.push(("off-mesh", format!("{more} more"))),
        }
        report::columns(lines)
    }
}

/// The settings in a file other than its agent and its cells, by their paths with `_` for `.`.
fn stated_settings(meta: &navtile::Meta) -> BTreeMap<String, Value> {
    let elsewhere = |path: &str| path.starts_with("agent.") || path.starts_with("cell_");
    let stated = inspect::stated(meta).filter(|(path, _)| !elsewhere(path));
    let mut settings: BTreeMap<String, Value> =
        stated.map(|(path, value)| (path.replace('.', "_"), value)).collect();
    let SettingsMeta { volumes, off_mesh_connections, marks_digest, .. } = meta.settings;
    let marked = volumes > 0 || off_mesh_connections > 0;
    settings.insert("volumes".to_owned(), volumes.into());
    settings.insert("off_mesh_connections".to_owned(), off_mesh_connections.into());
    let digest = marked.then(|| navmath::Digest(marks_digest).to_string());
    settings.insert("marks_digest".to_owned(), digest.into());
    settings
}

impl NamedLink {
    fn text(&self) -> String {
        let WorldLink { start, end, radius, both_ways, area, flags, user_id, .. } = &self.link;
        format!(
            "{} to {}{}, radius {radius:.3} m, area {area} {}, flags {flags:#x}, user id {user_id}",
            place(*start),
            place(*end),
            if *both_ways { " and back" } else { "" },
            navinput::escaped(&self.area_name),
        )
    }
}

/// The off-mesh links of all tiles, tile by tile.
fn off_mesh_links(loaded: &Loaded) -> Vec<NamedLink> {
    let name = |id: u8| {
        let known = loaded.meta.areas.iter().find(|area| area.id == id);
        known.map_or_else(|| format!("area {id}"), |area| area.name.clone())
    };
    let of_tile = |tile: &'_ Tile| -> Vec<NamedLink> {
        let links = tile.off_mesh_links().iter();
        links.map(|link| NamedLink { link: WorldLink::new(tile, link), area_name: name(link.area) }).collect()
    };
    loaded.mesh.tiles().flat_map(of_tile).collect()
}

/// The sizes of islands, in their order.
fn sizes(islands: &Islands) -> Vec<Island> {
    let size = |island: &detour::Island| Island { area_m2: island.area, polygons: island.polygons };
    islands.list().iter().map(size).collect()
}

/// The number of links that can be crossed along edges, and the total length of these edges, metres.
fn edge_links(loaded: &Loaded) -> (usize, f64) {
    let links = || loaded.mesh.tiles().flat_map(Tile::off_mesh_links).filter(|link| link.along != [0; 2]);
    let length = |along: [i32; 2]| f64::from(along[0]).hypot(f64::from(along[1])) / f64::from(FIXED_ONE);
    (links().count(), links().map(|link| length(link.along)).sum::<f64>() * loaded.meta.cell[0])
}

/// The number of generated links of each kind.
fn generated_links(loaded: &Loaded) -> BTreeMap<&'static str, usize> {
    let mut counts: BTreeMap<&str, usize> = LinkKind::ALL.iter().map(|kind| (kind.name(), 0)).collect();
    let links = loaded.mesh.tiles().flat_map(Tile::off_mesh_links);
    for (kind, _) in links.filter_map(|link| LinkKind::of_user_id(link.user_id)) {
        *counts.entry(kind.name()).or_default() += 1;
    }
    counts
}

/// The areas of the file's table, then areas that only polygons have.
fn areas(loaded: &Loaded) -> Vec<AreaSummary> {
    let mut sums = [(0usize, 0.0f64); 256];
    for tile in loaded.mesh.tiles() {
        let used: BTreeSet<u8> = tile.polygons().iter().map(|polygon| polygon.area).collect();
        for id in used {
            let sum = &mut sums[usize::from(id)];
            sum.0 += tile.polygons().iter().filter(|polygon| polygon.area == id).count();
            sum.1 += tile.area(|polygon| polygon.area == id);
        }
    }
    let unknown = (1..=u8::MAX)
        .filter(|id| sums[usize::from(*id)].0 > 0 && loaded.meta.areas.iter().all(|area| area.id != *id))
        .map(AreaMeta::unnamed);
    let with_sums = |area: AreaMeta| {
        let (polygons, area_m2) = sums[usize::from(area.id)];
        AreaSummary { colour: area.colour.map(|colour| Colour(colour).css()), area, polygons, area_m2 }
    };
    loaded.meta.areas.iter().cloned().chain(unknown).map(with_sums).collect()
}
