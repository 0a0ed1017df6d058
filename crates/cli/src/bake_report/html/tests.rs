//! Pages of many tiles, of large meshes, of empty levels, and with every kind of name in them.

use super::page::tile_name;
use super::*;
use crate::bake_report::report::{BakeReport, TileTotals};
use crate::bake_report::summary::IslandTotals;
use html_check::{assert_sound, texts};
use navbake::Warning;
use navtile::islands::Islands;
use navtile::{Tile, TileCoord};
use recast::{Counts, PreparedLevel, Silent, StageId};
use std::path::Path;
use std::time::Duration;

#[path = "../../../tests/it/common/html.rs"]
mod html_check;

/// A level baked in tiles, with the data that the page needs.
struct Baked {
    level: PreparedLevel,
    tile_cells: u32,
    meshes: Vec<Tile>,
    give: Box<dyn Fn(usize) -> Option<Tile>>,
    levels: Vec<String>,
    tiles: Vec<PageTile>,
    kept: Vec<f64>,
    stages: Vec<(StageId, Duration)>,
}

impl Baked {
    fn new(scene: &str, tile_cells: u32) -> Baked {
        let scene = navscenes::by_name(scene).unwrap();
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        let baked = navlevel::bake_tiles(&level, tile_cells, &Silent).unwrap();
        let tiles = baked.iter().enumerate().map(|(index, baked)| PageTile {
            coord: baked.tile.coord(),
            elapsed: (index % 5 != 4).then(|| Duration::from_micros(700 * (index as u64 + 1))),
            polygons: baked.tile.polygons().len(),
            area_m2: baked.counts.walkable_area,
            bytes: baked.tile.bytes().len() as u64,
            triangles: 10 + index,
        });
        let tiles = tiles.collect();
        let meshes: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
        let square = (level.config.settings.cell_size / f64::from(navmath::FIXED_ONE)).powi(2);
        let islands = Islands::find(&meshes);
        let kept = islands.area2.iter().map(|&area2| area2 as f64 * 0.5 * square).collect();
        let stages = StageId::ALL.map(|stage| (stage, Duration::from_micros(150 * (stage as u64 + 1))));
        let given = meshes.clone();
        Baked {
            level,
            tile_cells,
            meshes,
            give: Box::new(move |index| given.get(index).cloned()),
            levels: vec!["level.obj".to_owned()],
            tiles,
            kept,
            stages: stages.to_vec(),
        }
    }

    fn report(&self) -> BakeReport<'_> {
        let level = &self.level;
        BakeReport {
            levels: &self.levels,
            agent: Some("guard"),
            file: Path::new("folder/level.navtile"),
            bytes: 123_456,
            prepared: level,
            dropped: 0,
            counts: Counts { triangles: level.triangles_given, ..Counts::default() },
            stage_times: &self.stages,
            tiles: TileTotals {
                side_cells: self.tile_cells,
                reached: 0,
                written: 0,
                baked: 0,
                resumed: 0,
                taken_over: 0,
            },
            baked_tiles: None,
            islands: IslandTotals::new(&self.kept, 0),
            off_mesh_links: 0,
            generated_links: [0; recast::LinkKind::ALL.len()],
            threads: 4,
            phases: &[],
            warnings: &[],
            elapsed: Duration::from_millis(1234),
            peak_memory: Some(50 << 20),
        }
    }

    fn page<'a>(&'a self, report: &'a BakeReport<'a>) -> Page<'a> {
        Page {
            report,
            tiles: &self.tiles,
            meshes: &*self.give,
            islands_kept: &self.kept,
            changes: None,
            view: None,
        }
    }
}

/// The page as HTML, checked.
fn render(page: &Page<'_>) -> String {
    let html = write(page);
    assert_sound(&html);
    assert_eq!(html, write(page), "the same data gives the same page");
    html
}

/// The parts of a page from one section's heading to the next.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("<section id=\"{id}\">")).expect("the section is there");
    rest.split_once("</section>").expect("it ends").0
}

fn warning(place: Option<[f64; 3]>, message: &str) -> Warning {
    Warning { kind: "detail_mesh".to_owned(), is_note: false, message: message.to_owned(), place, tile: None }
}

#[test]
fn links_are_counted_by_kind() {
    let baked = Baked::new("courtyard", 32);
    let plain = baked.report();
    assert!(!render(&baked.page(&plain)).contains("Off-mesh links"));
    let linked = BakeReport { off_mesh_links: 1203, generated_links: [1200, 0, 0, 1], ..plain };
    let page = render(&baked.page(&linked));
    let value = texts(&page, "<dd class=\"value\"").swap_remove(3);
    assert!(page.contains("Off-mesh links") && value.contains("203"), "{value}");
    assert!(page.contains("drops, 1 ladder<"), "{page}");
}

#[test]
fn a_level_of_many_tiles() {
    let baked = Baked::new("courtyard", 32);
    assert!(baked.tiles.len() > 8 && baked.kept.len() > 1, "{} tiles", baked.tiles.len());
    let page = render(&baked.page(&baked.report()));
    let tiles = section(&page, "tiles");
    // Both maps have a title for every tile.
    let titles = texts(tiles, "<rect x");
    assert_eq!(titles.len(), 2 * baked.tiles.len());
    assert!(titles.iter().any(|title| title.starts_with("tile 0, 0: 0.70 ms, ")), "{titles:?}");
    let taken_over = baked.tiles.iter().filter(|tile| tile.elapsed.is_none()).count();
    assert_eq!(titles.iter().filter(|title| title.contains("reused")).count(), 2 * taken_over);
    assert!(tiles.contains("class=\"hatched\"") && tiles.contains("Slowest tiles"));
    // The slowest tile is first in the list.
    let slowest = baked.tiles.iter().max_by_key(|tile| tile.elapsed).unwrap();
    let first = texts(tiles, "<td").swap_remove(0);
    assert_eq!(first, tile_name(slowest.coord));
    assert_eq!(
        texts(&page, "<dd class=\"value\"")[2..4],
        [baked.kept.len(), baked.tiles.len()].map(|n| n.to_string())
    );
    let bars = section(&page, "stages");
    assert_eq!(texts(bars, "<div class=\"bar\"").len(), 16);
    assert!(bars.contains("width:100.0%"));
    assert!(page.contains("guard"));
}

#[test]
fn islands_have_one_colour_in_map_and_table() {
    let baked = Baked::new("courtyard", 32);
    let page = render(&baked.page(&baked.report()));
    let swatches: Vec<&str> = page.split("background:#").skip(1).map(|rest| &rest[..6]).collect();
    assert_eq!(swatches.len(), baked.kept.len().min(12));
    let map = section(&page, "map");
    for colour in swatches.iter().take(8) {
        assert!(map.contains(&format!("fill=\"#{colour}\"")), "{colour} is in the map's legend");
    }
    let page = render(&baked.page(&BakeReport { islands: IslandTotals::new(&[1.0], 2), ..baked.report() }));
    assert!(section(&page, "islands").contains("2 islands were dropped: smaller than regions.min_area"));
}

#[test]
fn a_large_mesh_is_an_image() {
    let baked = Baked::new("courtyard", 4096);
    let tile = &baked.meshes[0];
    let count = level_map::MOST_SHAPES / tile.polygons().len() + 2;
    let tiles: Vec<PageTile> = (0..count)
        .map(|index| PageTile { coord: TileCoord { x: index as i32, z: 0, layer: 0 }, ..baked.tiles[0] })
        .collect();
    let warnings = [warning(Some([5.0, 0.0, 5.0]), "here")];
    let give = |_| Some(tile.clone());
    let report = BakeReport { warnings: &warnings, ..baked.report() };
    let page = render(&Page { tiles: &tiles, meshes: &give, ..baked.page(&report) });
    let map = section(&page, "map");
    assert!(map.contains("href=\"data:image/png;base64,iVBORw0KGgo"), "a PNG file");
    assert!(map.contains("drawn as an image") && map.contains("href=\"#warning-1\""));
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
}

#[test]
fn missing_tiles_are_reported() {
    let baked = Baked::new("two_rooms", 16);
    let give = |index: usize| (index > 1).then(|| baked.meshes[index].clone());
    let page = render(&Page { meshes: &give, ..baked.page(&baked.report()) });
    assert!(section(&page, "map").contains("2 tiles could not be read"));
}

#[test]
fn warnings_lead_from_the_map_to_the_list() {
    let baked = Baked::new("two_rooms", 16);
    let none = render(&baked.page(&baked.report()));
    assert!(section(&none, "warnings").contains("<p>None.</p>"));
    assert!(!none.contains("class=\"mark\"") && !none.contains("class=\"alert\""));
    let place = baked.meshes[0].to_world(baked.meshes[0].vertices()[0]);
    let many: Vec<Warning> = (0..LISTED + 100)
        .map(|index| Warning {
            kind: ["detail_mesh", "emission"][index % 2].to_owned(),
            ..warning((index % 2 == 0).then_some(place), &format!("message {index}"))
        })
        .collect();
    let page = render(&baked.page(&BakeReport { warnings: &many, ..baked.report() }));
    assert_eq!(page.matches("class=\"mark\"").count(), LISTED / 2);
    let list = section(&page, "warnings");
    assert_eq!(list.matches("<tr id=\"warning-").count(), LISTED);
    assert!(
        list.contains("100 more warnings are not listed")
            && list.contains("600 warnings: 300 detail mesh, 300 emission.")
    );
    assert!(page.contains("class=\"alert\""));
}

#[test]
fn notes_are_no_warnings() {
    let baked = Baked::new("two_rooms", 16);
    let place = baked.meshes[0].to_world(baked.meshes[0].vertices()[0]);
    let note = Warning { is_note: true, ..warning(Some(place), "an outline was traced again") };
    let page = render(&baked.page(&BakeReport { warnings: &[note], ..baked.report() }));
    assert!(!page.contains("class=\"mark\"") && !page.contains("class=\"alert\""));
    let list = section(&page, "warnings");
    assert!(list.contains("<p>None.</p>") && list.contains("<h3>Notes</h3>"), "{list}");
    assert!(list.contains("an outline was traced again") && page.contains("1 note<"), "{list}");
}

#[test]
fn names_mean_nothing() {
    const NAME: &str = "<b onload=\"x\">&amp;'\u{202e}\u{7}<style><script>";
    let mut baked = Baked::new("plane", 24);
    baked.level.config.settings.areas[0].name = NAME.to_owned();
    let levels = [NAME.to_owned()];
    let warnings = [warning(Some([2.0, 0.0, 2.0]), NAME)];
    let page = render(&baked.page(&BakeReport {
        file: Path::new(NAME),
        agent: Some(NAME),
        levels: &levels,
        warnings: &warnings,
        ..baked.report()
    }));
    assert!(!page.contains("<b ") && !page.contains("<script"));
    // Title, heading, input, output, agent, area; the command that shows it; the warning in the list and on
    // the map.
    assert_eq!(
        page.matches("&lt;b onload=&quot;x&quot;&gt;&amp;amp;'&lt;style&gt;&lt;script&gt;").count(),
        9
    );
}

#[test]
fn nothing_at_all() {
    let baked = Baked::new("plane", 24);
    let report = BakeReport {
        stage_times: &[],
        levels: &[],
        peak_memory: None,
        agent: None,
        elapsed: Duration::ZERO,
        ..baked.report()
    };
    let page = render(&Page { tiles: &[], islands_kept: &[], ..baked.page(&report) });
    for part in ["Nothing to draw", "No islands", "nothing is walkable", "No stage ran", "unknown"] {
        assert!(page.contains(part), "no `{part}`");
    }
}

#[test]
fn what_changed() {
    let baked = Baked::new("courtyard", 32);
    let coords: Vec<TileCoord> = baked.tiles.iter().map(|tile| tile.coord).collect();
    let (changed, unchanged) = coords.split_at(3);
    let changes = Changes {
        changed: changed.to_vec(),
        removed: (0..400).map(|z| TileCoord { x: -7, z, layer: 0 }).collect(),
        unchanged: unchanged.to_vec(),
        added: Vec::new(),
    };
    let page = render(&Page { changes: Some(&changes), ..baked.page(&baked.report()) });
    let part = section(&page, "changes");
    assert!(part.contains("3 tiles changed, 0 added, 400 removed,"), "{part}");
    assert_eq!(texts(part, "<summary"), ["Changed: 3 tiles", "Removed: 400 tiles"]);
    assert!(part.contains("(0, 0)") && part.contains("and 100 more") && part.contains("class=\"hatched\""));
    let changes = Changes { unchanged: coords, ..Changes::default() };
    let page = render(&Page { changes: Some(&changes), ..baked.page(&baked.report()) });
    assert!(section(&page, "changes").contains("Nothing has changed in "));
}

#[test]
fn dark_pictures_know_the_colours_of_light_ones() {
    let baked = Baked::new("courtyard", 32);
    let changes = Changes {
        changed: vec![TileCoord::default()],
        unchanged: vec![baked.tiles[1].coord],
        ..Changes::default()
    };
    let page = render(&Page { changes: Some(&changes), ..baked.page(&baked.report()) });
    let (style, body) = page.split_once("</style>").unwrap();
    let selectors: Vec<&str> = style
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .map(|(selector, _)| selector)
        .collect();
    assert!(selectors.len() > 8, "{selectors:?}");
    for selector in selectors {
        assert!(body.contains(&format!(" {selector}")), "nothing has {selector}");
    }
    for class in ["margin", "map", "mesh", "legend", "frame", "tiles", "hatched"] {
        assert!(body.contains(&format!("<g class=\"{class}\">")), "no group is called {class}");
    }
}
