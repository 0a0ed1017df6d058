//! The page behind `--report`: what a bake did, for level designers, as one HTML file that needs nothing else: no
//! network, no other file, no script. The same data gives the same bytes.

mod base64;
mod changes;
mod figures;
mod headline;
mod islands;
mod level_map;
mod markup;
mod picture;
mod settings;
mod stages;
mod tile_maps;
mod warnings;

use crate::failure::Failure;
use crate::files::Target;
use markup::Html;
use navtile::{Tile, TileCoord};
use recast::{Config, StageId};
use std::path::Path;
use std::time::Duration;

/// Everything that is on the page.
pub(crate) struct Page<'a> {
    /// Name of the level.
    pub(crate) title: &'a str,
    /// Names of the input files.
    pub(crate) levels: &'a [String],
    /// Name of the file that was written.
    pub(crate) output: &'a str,
    /// Its size, bytes.
    pub(crate) bytes: u64,
    /// Version of the program.
    pub(crate) version: &'a str,
    /// Name of the agent, if it has one.
    pub(crate) agent_name: Option<&'a str>,
    /// Settings, as given and as quantised.
    pub(crate) config: &'a Config,
    /// The lattice's zero, world metres: tile (0, 0) starts here.
    pub(crate) origin: [f64; 3],
    /// Side of a tile in cells; 0 if the level is one tile.
    pub(crate) tile_cells: u32,
    /// Triangles of the level.
    pub(crate) triangles: usize,
    /// The tiles in canonical order (x, z, layer).
    pub(crate) tiles: &'a [PageTile],
    /// The content of a tile by its number in `tiles`; asked for on demand, so that a large file is never in memory
    /// as a whole.
    pub(crate) meshes: &'a dyn Fn(usize) -> Option<Tile>,
    /// What is cut off from what.
    pub(crate) islands: IslandSummary<'a>,
    /// Names of areas.
    pub(crate) areas: &'a [(u8, String)],
    /// Time of each stage, summed over tiles and threads.
    pub(crate) stages: &'a [(StageId, Duration)],
    /// Threads that baked.
    pub(crate) threads: usize,
    /// The whole run.
    pub(crate) elapsed: Duration,
    /// Most memory ever held, bytes.
    pub(crate) peak_memory: Option<u64>,
    /// What was mended or dropped.
    pub(crate) warnings: &'a [PageWarning],
    /// What is different from the last bake; `None` if there was none to compare with.
    pub(crate) changes: Option<&'a Changes>,
}

/// A tile of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageTile {
    pub(crate) coord: TileCoord,
    /// How long it took; `None` if it was taken over from the last bake.
    pub(crate) elapsed: Option<Duration>,
    pub(crate) polygons: usize,
    /// Size of its polygons, m².
    pub(crate) area_m2: f64,
    /// Size in the file, bytes.
    pub(crate) bytes: u64,
    /// Triangles of the level that reach it.
    pub(crate) triangles: usize,
}

/// The islands of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IslandSummary<'a> {
    /// Size of each island that was kept, m², the largest first.
    pub(crate) kept: &'a [f64],
    /// How many were dropped as too small; `None` if nobody counted.
    pub(crate) dropped: Option<usize>,
    /// Where dropped ones were, as far as that is known: world metres.
    pub(crate) dropped_places: &'a [[f64; 3]],
}

/// Something that was mended or dropped.
#[derive(Clone, Debug)]
pub(crate) struct PageWarning {
    /// Name of its kind.
    pub(crate) kind: &'static str,
    /// One sentence.
    pub(crate) message: String,
    /// Where, world metres.
    pub(crate) place: Option<[f64; 3]>,
    pub(crate) tile: Option<TileCoord>,
}

/// Tiles, by what became of them since the last bake.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Baked again, as something they depend on is different.
    pub(crate) rebuilt: Vec<TileCoord>,
    /// Not there before.
    pub(crate) added: Vec<TileCoord>,
    /// No longer there.
    pub(crate) removed: Vec<TileCoord>,
    /// Taken over as they were.
    pub(crate) taken_over: Vec<TileCoord>,
}

impl Page<'_> {
    fn polygons(&self) -> usize {
        self.tiles.iter().map(|tile| tile.polygons).sum()
    }

    fn area_m2(&self) -> f64 {
        self.tiles.iter().map(|tile| tile.area_m2).sum()
    }

    /// The rectangle of a tile from above, metres: smaller x, smaller z, larger x, larger z.
    fn tile_place(&self, coord: TileCoord) -> [f64; 4] {
        let side = f64::from(self.tile_cells) * self.config.settings.cell_size;
        let corner = |x: i64, z: i64| [self.origin[0] + x as f64 * side, self.origin[2] + z as f64 * side];
        let (x, z) = (i64::from(coord.x), i64::from(coord.z));
        let ([x0, z0], [x1, z1]) = (corner(x, z), corner(x + 1, z + 1));
        [x0, z0, x1, z1]
    }
}

/// Where the page goes: an HTML file that is neither an input nor the result of the bake.
pub(crate) fn target(path: &Path, inputs: &[&Path], output: &Path) -> Result<Target, Failure> {
    let name = path.display();
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    if !matches!(extension.as_deref(), Some("html" | "htm")) {
        return Err(
            Failure::call(format!("{name}: is no .html")).help("give the report a name that ends in .html")
        );
    }
    let same = |a: &Path, b: &Path| match (std::path::absolute(a), std::path::absolute(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if same(path, output) {
        return Err(Failure::call(format!("{name}: is the result of the bake as well"))
            .help("give another name with --report"));
    }
    let others: Vec<&Path> = inputs.iter().copied().chain([output]).collect();
    Target::new(path, &others).map_err(|failure| failure.help("give another name with --report"))
}

/// Everything the page may load: nothing but what is in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The page as HTML.
pub(crate) fn write(page: &Page<'_>) -> String {
    let map = level_map::draw(page);
    let mut html = Html::default();
    html.raw("<!DOCTYPE html>\n").element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
            html.leaf("title", &[], &format!("{}: bake report", page.title));
            html.element("style", &[], |html| {
                html.raw(include_str!("style.css"));
            });
        });
        html.raw("\n").element("body", &[], |html| {
            headline::write(html, page);
            html.raw("\n").element("main", &[], |html| {
                level_map::write(html, page, &map);
                warnings::write(html, page);
                islands::write(html, page, &map);
                changes::write(html, page);
                tile_maps::write(html, page);
                stages::write(html, page);
                settings::write(html, page);
            });
        });
    });
    html.raw("\n");
    html.finish()
}

/// A tile by its coordinate: `3, 4`, with its layer if that is not the first.
fn tile_name(coord: TileCoord) -> String {
    match coord {
        TileCoord { x, z, layer: 0 } => format!("{x}, {z}"),
        TileCoord { x, z, layer } => format!("{x}, {z}, layer {layer}"),
    }
}

#[cfg(test)]
mod tests;
