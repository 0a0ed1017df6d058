//! `navtile verify`, `navtile diff` and `navtile dump`, run as programs on files baked whole and in tiles.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that meets an error has failed")]

use crate::common::{Folder, level, two_floors};
use navlevel::bake_tiles;
use navtile::content::Beyond;
use navtile::{Meta, NavFile, Tile, TileContent, TileCoord, TileRecord, write_file, write_records};
use recast::{PreparedLevel, Silent};
use serde_json::{Value, json};
use std::path::Path;

/// The courtyard of the repository, baked whole into `courtyard.navtile`.
fn courtyard() -> Folder {
    let folder = Folder::new();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    for name in ["courtyard.obj", "courtyard.toml"] {
        folder.write(name, std::fs::read(assets.join(name)).unwrap());
    }
    folder.run(&["bake", "courtyard.obj", "-c", "courtyard.toml"]).expect(0);
    folder
}

/// The level in tiles of this many cells, with metadata for writing them.
fn in_tiles(folder: &Folder, tile_cells: u32) -> (Meta, Vec<Tile>) {
    let scene = navscenes::by_name("courtyard").unwrap();
    let prepared = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
    let baked = bake_tiles(&prepared, tile_cells, &Silent).unwrap();
    let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    let mut meta = NavFile::open(folder.read("courtyard.navtile")).unwrap().meta().clone();
    let lattice = tiles[0].lattice();
    (meta.origin, meta.cell) = (lattice.origin, [lattice.cell_size, lattice.cell_height]);
    meta.tile_cells = tile_cells;
    (meta, tiles)
}

fn tiled(tile_cells: u32) -> (Folder, Meta, Vec<Tile>) {
    let folder = courtyard();
    let (meta, tiles) = in_tiles(&folder, tile_cells);
    folder.write("tiled.navtile", write_file(&meta, &tiles).unwrap());
    (folder, meta, tiles)
}

fn rebuilt(content: &TileContent) -> Tile {
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

/// The tile with the most portals.
fn busiest(tiles: &[Tile]) -> usize {
    (0..tiles.len()).max_by_key(|&index| tiles[index].portals().len()).unwrap()
}

fn coord(tile: &Tile) -> Value {
    let TileCoord { x, z, layer } = tile.coord();
    json!([x, z, layer])
}

fn close(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() < 1e-9)
}

#[test]
fn a_file_of_one_tile_is_sound() {
    let folder = courtyard();
    let run = folder.run(&["verify", "courtyard.navtile"]).expect(0);
    for part in ["courtyard.navtile: sound", "tiles      1, ", "polygons   ", "seams      0, with 0 portals"]
    {
        assert!(run.stdout.contains(part), "no `{part}` in {}", run.stdout);
    }
    let report = folder.run(&["verify", "courtyard.navtile", "--json"]).expect(0).json();
    let info = folder.run(&["info", "courtyard.navtile", "--json"]).expect(0).json();
    assert_eq!((&report["sound"], &report["tiles"], &report["flaws"]), (&true.into(), &1.into(), &json!([])));
    assert_eq!(report["checked"]["polygons"], info["polygons"]);
    assert_eq!(report["checked"]["islands"], info["islands"].as_array().unwrap().len());
    assert_eq!(report["bytes"], info["bytes"]);
}

#[test]
fn tiles_that_fit_are_sound() {
    let (folder, _, tiles) = tiled(48);
    let report = folder.run(&["verify", "tiled.navtile", "--json"]).expect(0).json();
    let checked = &report["checked"];
    let portals: usize = tiles.iter().map(|tile| tile.portals().len()).sum();
    assert_eq!((&report["tiles"], &checked["portals"]), (&tiles.len().into(), &portals.into()));
    assert_eq!(checked["matched_portals"], portals);
    assert!(portals > 10 && checked["seams"].as_u64().unwrap() >= 3, "{report}");
    assert!(checked["matched_length"].as_f64().unwrap() > 20.0, "{report}");
    assert_eq!((&checked["exceptions"], &checked["notes"]), (&json!([]), &json!([])));
}

#[test]
fn a_missing_tile_is_reported_with_places() {
    let (folder, meta, mut tiles) = tiled(48);
    let gone = tiles.remove(busiest(&tiles));
    folder.write("gap.navtile", write_file(&meta, &tiles).unwrap());
    let report = folder.run(&["verify", "gap.navtile", "--json"]).expect(1).json();
    let exceptions = report["checked"]["exceptions"].as_array().unwrap();
    assert_eq!((&report["sound"], exceptions.len()), (&false.into(), gone.portals().len()));
    for exception in exceptions {
        assert_eq!((&exception["kind"], &exception["partner"]), (&"no_tile".into(), &Value::Null));
        // Every place is on the border of the removed tile.
        let at = |axis: usize| exception["at"][axis].as_f64().unwrap();
        let corner = |x: i32, z: i32| gone.to_world([x, 0, z]);
        let (header, near) = (gone.header(), |a: f64, b: f64| (a - b).abs() < 1e-6);
        let (min, max) = (corner(0, 0), corner(header.width as i32 * 256, header.depth as i32 * 256));
        let on_border = [0, 2].iter().any(|&axis| near(at(axis), min[axis]) || near(at(axis), max[axis]));
        assert!(on_border && at(0) > min[0] - 1e-6 && at(2) < max[2] + 1e-6, "{exception}");
    }
    let text = folder.run(&["verify", "gap.navtile"]).expect(1).stdout;
    let found = exceptions.len();
    assert!(text.contains(&format!("valid, with {found} exceptions")), "{text}");
    assert!(text.contains(&format!("no tile on the other side of the portal: {found} places, ")), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  ")).count(), found, "{text}");
}

#[test]
fn missing_ground_beyond_is_reported() {
    let (folder, meta, mut tiles) = tiled(48);
    let index = busiest(&tiles);
    let portals = tiles[index].portals();
    let gone = portals[0].polygon;
    let of_gone = portals.iter().filter(|portal| portal.polygon == gone).count();
    let mut keep = vec![true; tiles[index].polygons().len()];
    keep[gone as usize] = false;
    tiles[index] = rebuilt(&TileContent::from_tile(&tiles[index]).retaining(&keep));
    folder.write("pruned.navtile", write_file(&meta, &tiles).unwrap());
    let report = folder.run(&["verify", "pruned.navtile", "--json"]).expect(1).json();
    let exceptions = report["checked"]["exceptions"].as_array().unwrap();
    assert_eq!(exceptions.len(), of_gone, "{report}");
    assert!(exceptions.iter().all(|exception| exception["kind"] == "no_partner"), "{report}");
    assert!(exceptions.iter().all(|exception| exception["tile"] != coord(&tiles[index])), "{report}");
    assert!(exceptions.iter().all(|exception| exception["length"].as_f64().unwrap() > 0.0), "{report}");
}

/// The content with both ends of its first portal raised by this many 1/256 cells.
fn raised(tile: &Tile, by: i32) -> TileContent {
    let mut content = TileContent::from_tile(tile);
    let portal = tile.portals()[0];
    let edges = content.polygons[portal.polygon as usize].edges.clone();
    let at = usize::from(portal.edge);
    assert!(matches!(edges[at].beyond, Beyond::Portal(_)));
    for vertex in [edges[at].vertex, edges[(at + 1) % edges.len()].vertex] {
        content.vertices[vertex as usize][1] += by;
    }
    content
}

#[test]
fn a_raised_portal_is_reported_with_its_difference() {
    let (folder, meta, mut tiles) = tiled(48);
    let index = busiest(&tiles);
    let moved = coord(&tiles[index]);
    tiles[index] = rebuilt(&raised(&tiles[index], 64));
    folder.write("raised.navtile", write_file(&meta, &tiles).unwrap());
    let report = folder.run(&["verify", "raised.navtile", "--json"]).expect(1).json();
    let exceptions = report["checked"]["exceptions"].as_array().unwrap();
    let by = meta.cell[1] / 4.0;
    // Reported from both sides, each with the other as its partner.
    assert!(exceptions.len() >= 2 && exceptions.len().is_multiple_of(2), "{report}");
    for exception in exceptions {
        assert_eq!(exception["kind"], "height", "{exception}");
        assert!(close(&exception["height_difference"], by), "{exception}");
        assert_ne!(exception["tile"] == moved, exception["partner"]["tile"] == moved, "{exception}");
    }
    let text = folder.run(&["verify", "raised.navtile"]).expect(1).stdout;
    assert!(text.contains("at another height") && text.contains(&format!("{by:.3} m apart")), "{text}");
}

#[test]
fn long_lists_are_cut_unless_asked_for() {
    let (folder, meta, tiles) = tiled(16);
    // Every other tile, as on a chessboard: no portal has a tile on its other side.
    let white = |tile: &&Tile| (tile.coord().x + tile.coord().z) % 2 == 0;
    let left: Vec<Tile> = tiles.iter().filter(white).cloned().collect();
    let portals: usize = left.iter().map(|tile| tile.portals().len()).sum();
    assert!(portals > 100, "{portals}");
    folder.write("chess.navtile", write_file(&meta, &left).unwrap());
    let lines =
        |text: &str| text.lines().filter(|line| line.starts_with("  ") && line.contains(" m at ")).count();
    let text = folder.run(&["verify", "chess.navtile"]).expect(1).stdout;
    assert_eq!(lines(&text), 100, "{text}");
    assert!(text.contains(&format!("  {} more; --all lists them", portals - 100)), "{text}");
    let text = folder.run(&["verify", "chess.navtile", "--all"]).expect(1).stdout;
    assert_eq!(lines(&text), portals);
    let report = folder.run(&["verify", "chess.navtile", "--json"]).expect(1).json();
    assert_eq!(report["checked"]["exceptions"].as_array().unwrap().len(), portals);
    folder.run(&["verify", "chess.navtile", "--all", "--json"]).expect(2);
}

#[test]
fn ends_of_links_without_ground_are_notes() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    // The box in the middle is 3 m high, so there is no ground at its foot.
    folder.write(
        "s.toml",
        "[[off_mesh]]\nstart = [-4, 0, -4]\nend = [0, 0, 0]\nradius = 0.5\nuser_id = 5\n\
         [[off_mesh]]\nstart = [4, 0, -4]\nend = [40, 0, 4]\nradius = 1\nuser_id = 6\n\
         [[off_mesh]]\nstart = [4, 0, -4]\nend = [-4, 0, 4]\nradius = 1\nuser_id = 7\n",
    );
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    let report = folder.run(&["verify", "level.navtile", "--json"]).expect(0).json();
    let mut notes: Vec<_> = report["checked"]["notes"].as_array().unwrap().iter().collect();
    notes.sort_by_key(|note| note["user_id"].as_u64());
    assert_eq!(notes.len(), 2, "{report}");
    assert_eq!(
        (&notes[0]["kind"], &notes[0]["user_id"], &notes[0]["end"]),
        (&"no_polygon".into(), &5.into(), &"end".into())
    );
    assert_eq!(
        (&notes[1]["kind"], &notes[1]["user_id"], &notes[1]["end"]),
        (&"no_polygon".into(), &6.into(), &"end".into())
    );
    let text = folder.run(&["verify", "level.navtile"]).expect(0).stdout;
    assert!(text.contains("note: off-mesh link") && text.contains("no polygon within"), "{text}");
}

#[test]
fn broken_files_are_not_valid() {
    let (folder, _, tiles) = tiled(48);
    let bytes = folder.read("tiled.navtile");
    let flaw = |bytes: &[u8]| {
        folder.write("bad.navtile", bytes);
        let report = folder.run(&["verify", "bad.navtile", "--json"]).expect(1).json();
        assert_eq!((&report["sound"], &report["checked"]), (&false.into(), &Value::Null));
        report["flaws"].clone()
    };
    for length in [0, 1, 4095, 4096, 4200, bytes.len() / 2, bytes.len() - 1] {
        let flaws = flaw(&bytes[..length]);
        assert_eq!((&flaws[0]["tile"], &flaws[0]["rule"]), (&Value::Null, &"file-length".into()), "{length}");
    }
    let text = folder.run(&["verify", "bad.navtile"]).expect(1).stdout;
    for part in ["bad.navtile: not valid", "file: file-length: expected ", "found ", "docs/format.md"] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    // Bits flipped in two tiles: both are report, each with its rule.
    let mut flipped = bytes.clone();
    let file = NavFile::open(bytes.clone()).unwrap();
    let middle = |index: usize| (file.entries()[index].offset + file.entries()[index].length / 2) as usize;
    let (first, last) = (0, tiles.len() - 1);
    flipped[middle(first)] ^= 1;
    flipped[middle(last)] ^= 0x80;
    let flaws = flaw(&flipped);
    assert_eq!(flaws.as_array().unwrap().len(), 2);
    for (flaw, tile) in [(&flaws[0], &tiles[first]), (&flaws[1], &tiles[last])] {
        assert_eq!((&flaw["tile"], &flaw["rule"]), (&coord(tile), &"tile-checksum".into()));
    }
    let text = folder.run(&["verify", "bad.navtile"]).expect(1).stdout;
    assert!(text.contains(&format!("2 of {} tiles broken", tiles.len())), "{text}");
    // A bit in the metadata, and one in the magic.
    let mut meta = bytes.clone();
    meta[4096] ^= 1;
    assert_eq!(flaw(&meta)[0]["rule"], "meta-checksum");
    let mut magic = bytes;
    magic[0] ^= 0x20;
    assert_eq!(flaw(&magic)[0]["rule"], "file-magic");
}

#[test]
fn what_cannot_be_read_is_another_matter() {
    let folder = Folder::new();
    folder.write("bad.navtile", "no mesh").write("level.obj", level());
    folder.run(&["bake", "level.obj"]).expect(0);
    folder.run(&["verify", "gone.navtile"]).expect(3).says(&["gone.navtile: cannot be read", "help: "]);
    folder.run(&["verify", "."]).expect(3).says(&["cannot be read"]);
    folder.run(&["diff", "level.navtile", "gone.navtile"]).expect(3).says(&["gone.navtile: cannot be read"]);
    folder.run(&["diff", "bad.navtile", "level.navtile"]).expect(3).says(&["file-length", "navtile verify"]);
    folder.run(&["dump", "gone.navtile"]).expect(3).says(&["gone.navtile: cannot be read"]);
    folder.run(&["dump", "bad.navtile"]).expect(3).says(&["bad.navtile: not a valid .navtile file"]);
    folder.run(&["diff", "level.navtile"]).expect(2);
}

#[test]
fn a_file_is_as_itself() {
    let (folder, ..) = tiled(48);
    let run = folder.run(&["diff", "tiled.navtile", "tiled.navtile"]).expect(0);
    assert!(run.stdout.contains("have the same content: metadata and "), "{}", run.stdout);
    let report = folder.run(&["diff", "tiled.navtile", "tiled.navtile", "--json"]).expect(0).json();
    assert_eq!(
        (&report["same"], &report["metadata"], &report["changed"]),
        (&true.into(), &json!([]), &json!([]))
    );
}

#[test]
fn metadata_and_hashes_count() {
    let (folder, meta, tiles) = tiled(48);
    let mut other = meta.clone();
    (other.agent.height, other.settings.partition) = (meta.agent.height, 1);
    other.settings.max_edge_length = 0.1 + 0.2;
    other.geometry_digest[15] ^= 0xFF;
    other.areas.pop();
    folder.write("meta.navtile", write_file(&other, &tiles).unwrap());
    let report = folder.run(&["diff", "tiled.navtile", "meta.navtile", "--json"]).expect(1).json();
    let fields = report["metadata"].as_array().unwrap();
    let names: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
    let last = meta.areas.last().unwrap().id;
    let area = |key: &str| format!("area.{last:03}.{key}");
    let expected = [
        area("cost"),
        area("flags"),
        area("name"),
        "contours.max_edge_length".into(),
        "geometry_digest".into(),
        "partition".into(),
    ];
    assert_eq!(names, expected);
    assert_eq!(fields[0]["after"], Value::Null);
    assert_eq!(fields[3]["after"], json!(0.300_000_000_000_000_04));
    assert_eq!((&fields[5]["before"], &fields[5]["after"]), (&"watershed".into(), &"monotone".into()));
    assert_eq!((&report["unchanged"], &report["changed"]), (&tiles.len().into(), &json!([])));
    let text = folder.run(&["diff", "tiled.navtile", "meta.navtile"]).expect(1).stdout;
    assert!(text.contains("metadata   partition: \"watershed\", then \"monotone\""), "{text}");
    // The tile's entry in the directory counts too.
    let records: Vec<TileRecord> = tiles
        .iter()
        .enumerate()
        .map(|(i, tile)| TileRecord {
            tile: tile.clone(),
            input_hash: [u8::from(i == 1); 16],
            prune_hash: [0; 8],
        })
        .collect();
    folder.write("hash.navtile", write_records(&meta, &records).unwrap());
    let report = folder.run(&["diff", "tiled.navtile", "hash.navtile", "--json"]).expect(1).json();
    assert_eq!(report["changed"].as_array().unwrap().len(), 1);
    assert_eq!(report["changed"][0]["differs"], json!(["input hash"]));
    assert_eq!(
        (&report["changed"][0]["bounds"], &report["changed"][0]["largest_move"]),
        (&Value::Null, &0.0.into())
    );
}

#[test]
fn tiles_are_reported_one_by_one() {
    let (folder, meta, tiles) = tiled(48);
    let index = busiest(&tiles);
    let mut after = tiles.clone();
    after[index] = rebuilt(&raised(&tiles[index], 64));
    let dropped = (index + 1) % tiles.len();
    let gone = after.remove(dropped);
    folder.write("after.navtile", write_file(&meta, &after).unwrap());
    let report = folder.run(&["diff", "tiled.navtile", "after.navtile", "--json"]).expect(1).json();
    assert_eq!((&report["metadata"], &report["unchanged"]), (&json!([]), &(tiles.len() - 2).into()));
    assert_eq!((&report["only_before"][0]["tile"], &report["only_after"]), (&coord(&gone), &json!([])));
    assert_eq!(report["only_before"][0]["polygons"], gone.polygons().len());
    let [change] = &report["changed"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!(change["tile"], coord(&tiles[index]));
    let polygons = tiles[index].polygons().len();
    assert_eq!(change["counts"]["polygons"], json!([polygons, polygons]));
    assert!(change["differs"].as_array().unwrap().contains(&"vertices".into()), "{change}");
    // Seen from above nothing has moved; upwards it is 64 of 256 a cell.
    assert_eq!(change["area_m2"][0], change["area_m2"][1]);
    assert!(close(&change["largest_move"], meta.cell[1] / 4.0), "{change}");
    // The change is around the portal, within the tile.
    let portal = tiles[index].portals()[0];
    let middle = tiles[index].to_world(match portal.side & 1 {
        0 => [0, portal.start_height, (portal.start + portal.end) / 2],
        _ => [(portal.start + portal.end) / 2, portal.start_height, 0],
    });
    let along = if portal.side & 1 == 0 { 2 } else { 0 };
    let bound = |corner: usize, axis: usize| change["bounds"][corner][axis].as_f64().unwrap();
    assert!(bound(0, along) < middle[along] && middle[along] < bound(1, along), "{change}");
    let text = folder.run(&["diff", "tiled.navtile", "after.navtile"]).expect(1).stdout;
    for part in
        ["1 only before, 0 only after, 1 changed", "- tile ", "~ tile ", "vertices moved up to 0.050 m"]
    {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    // In the opposite direction.
    let back = folder.run(&["diff", "after.navtile", "tiled.navtile", "--json"]).expect(1).json();
    assert_eq!((&back["only_after"], &back["only_before"]), (&report["only_before"], &json!([])));
    assert_eq!(back["changed"][0]["bounds"], change["bounds"]);
}

#[test]
fn long_lists_of_tiles_are_cut_unless_asked_for() {
    let (folder, meta, tiles) = tiled(16);
    let changed: Vec<Tile> = tiles
        .iter()
        .map(|tile| {
            let mut content = TileContent::from_tile(tile);
            content.polygons[0].flags ^= 4;
            rebuilt(&content)
        })
        .collect();
    assert!(tiles.len() > 20);
    folder.write("flags.navtile", write_file(&meta, &changed).unwrap());
    let lines = |options: &[&str]| {
        let call = [&["diff", "tiled.navtile", "flags.navtile"], options].concat();
        let text = folder.run(&call).expect(1).stdout;
        text.lines().filter(|line| line.starts_with("~ tile ")).count()
    };
    assert_eq!((lines(&[]), lines(&["--tiles"])), (20, tiles.len()));
    let report = folder.run(&["diff", "tiled.navtile", "flags.navtile", "--json"]).expect(1).json();
    assert_eq!(report["changed"].as_array().unwrap().len(), tiles.len());
    assert!(
        report["changed"].as_array().unwrap().iter().all(|change| change["differs"] == json!(["polygons"]))
    );
    assert!(report["changed"].as_array().unwrap().iter().all(|change| change["bounds"].is_array()));
    // Without a tile in common.
    folder.write("none.navtile", write_file(&meta, &[]).unwrap());
    let text = folder.run(&["diff", "none.navtile", "tiled.navtile"]).expect(1).stdout;
    assert!(text.contains(&format!("+ {} more; --tiles lists them", tiles.len() - 20)), "{text}");
}

fn dumped(folder: &Folder, name: &str) -> String {
    folder.run(&["dump", name]).expect(0).stdout
}

#[test]
fn a_dump_shows_everything_and_is_stable() {
    let (folder, meta, tiles) = tiled(48);
    let text = dumped(&folder, "tiled.navtile");
    assert_eq!(dumped(&folder, "tiled.navtile"), text);
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    let sum = |of: fn(&Tile) -> usize| tiles.iter().map(of).sum::<usize>();
    assert_eq!(count("tile "), tiles.len());
    assert_eq!(count("  polygon "), sum(|tile| tile.polygons().len()));
    assert_eq!(count("    edge "), sum(|tile| tile.edges().len()));
    assert_eq!(count("  portal "), sum(|tile| tile.portals().len()));
    assert_eq!(count("    detail triangle "), sum(|tile| tile.detail_triangles().len()));
    let corners = sum(|tile| tile.header().polygon_vertex_count as usize);
    assert_eq!(count("    detail vertex "), sum(|tile| tile.vertices().len()) - corners);
    for line in ["navtile dump 1", "meta agent.climb 0.9", "meta tile_cells 48", "tile 0 0 0", "  size 48 48"]
    {
        assert!(text.lines().any(|found| found == line), "no `{line}` in {text}");
    }
    // The numbers of a portal are exact, and both sides of a seam have the same line but for the side's name.
    let lines = |side: &str| -> Vec<&str> {
        let mut lines: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix(&format!("  portal {side} "))).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!((lines("x_min"), lines("z_min")), (lines("x_max"), lines("z_max")));
    // Into a file it is the same text, and only the report goes to standard output.
    let run = folder.run(&["dump", "tiled.navtile", "-o", "out.txt"]).expect(0);
    assert_eq!(String::from_utf8(folder.read("out.txt")).unwrap(), text);
    assert!(run.stdout.contains("out.txt: ") && run.stdout.lines().count() == 1, "{}", run.stdout);
    folder
        .run(&["dump", "tiled.navtile", "-o", "tiled.navtile"])
        .expect(2)
        .says(&["overwrite its own input"]);
    assert_eq!(folder.read("tiled.navtile"), write_file(&meta, &tiles).unwrap());
}

/// Number of lines of `a` that are not in `b`. A repeated line counts by the difference of its numbers.
fn lines_less(a: &str, b: &str) -> usize {
    let mut left: Vec<&str> = b.lines().collect();
    left.sort_unstable();
    let gone = a.lines().filter(|line| match left.binary_search(line) {
        Ok(at) => {
            left.remove(at);
            false
        }
        Err(_) => true,
    });
    gone.count()
}

#[test]
fn a_small_change_is_a_few_lines() {
    let (folder, meta, tiles) = tiled(96);
    let index = busiest(&tiles);
    let mut after = tiles.clone();
    let mut keep = vec![true; tiles[index].polygons().len()];
    keep[0] = false;
    let content = TileContent::from_tile(&tiles[index]);
    let (edges, neighbours) = (
        content.polygons[0].edges.len(),
        content.polygons[0].edges.iter().filter(|edge| matches!(edge.beyond, Beyond::Internal(_))).count(),
    );
    let triangles = content.polygons[0].detail_triangles.len() + content.polygons[0].detail_vertices.len();
    after[index] = rebuilt(&content.retaining(&keep));
    folder.write("after.navtile", write_file(&meta, &after).unwrap());
    let (before, after) = (dumped(&folder, "tiled.navtile"), dumped(&folder, "after.navtile"));
    // The polygon's own lines, its neighbours' edges, bytes and checksum of the tile, and its portals.
    let most = 1 + 2 * edges + neighbours + triangles + 2;
    let gone = lines_less(&before, &after);
    assert!((3..=most).contains(&gone), "{gone} of {} lines, {most} at most", before.lines().count());
    assert!(lines_less(&after, &before) <= neighbours + 2);
    assert_eq!(lines_less(&before, &before), 0);
}

#[test]
fn links_and_names_are_dumped() {
    let folder = Folder::new();
    folder.write("level.obj", two_floors());
    folder.write(
        "s.toml",
        "[[off_mesh]]\nstart = [-4, 0, 0]\nend = [4, 0, 0]\nradius = 0.75\nflags = 0x20\nuser_id = 77\n\
         [[area]]\nid = 9\nname = \"two\\nlines\"\nflags = 2\ncost = 0.1\n",
    );
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    let text = dumped(&folder, "level.navtile");
    let link = text.lines().find(|line| line.starts_with("  link ")).unwrap();
    assert!(
        link.contains(" tile 0 0 0 radius 2.5 both_ways ") && link.ends_with(" flags 0x20 user_id 77"),
        "{link}"
    );
    assert!(text.contains("meta area.009.cost 0.1\n"), "{text}");
    assert!(text.contains("meta area.009.name \"two\\nlines\"\n"), "{text}");
}

/// Runs git in the folder, away from anybody's settings.
fn git(folder: &Folder, arguments: &[&str]) -> std::io::Result<std::process::Output> {
    std::process::Command::new("git")
        .args(arguments)
        .current_dir(folder.path("."))
        .env("GIT_CONFIG_GLOBAL", folder.path("no-settings"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        // Cached texts are notes, which have an author.
        .envs(["AUTHOR", "COMMITTER"].map(|role| (format!("GIT_{role}_NAME"), "test")))
        .envs(["AUTHOR", "COMMITTER"].map(|role| (format!("GIT_{role}_EMAIL"), "test@localhost")))
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .output()
}

#[test]
fn git_shows_differences_as_the_docs_say() {
    let (folder, meta, tiles) = tiled(48);
    match git(&folder, &["init", "--quiet"]) {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(error) => return eprintln!("skipped: no git: {error}"),
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/inspect.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let attributes = docs.lines().find(|line| line.trim().starts_with("*.navtile ")).unwrap();
    folder.write(".gitattributes", format!("{}\n", attributes.trim()));
    // The program by its path; the rest of each line unchanged.
    let settings = docs.lines().filter_map(|line| line.trim().strip_prefix("git config "));
    let program = env!("CARGO_BIN_EXE_navtile");
    for line in settings {
        let (name, value) = line.split_once(' ').unwrap();
        let value = value.trim_matches('"').replace("navtile dump", &format!("'{program}' dump"));
        assert!(git(&folder, &["config", name, &value]).unwrap().status.success(), "{line}");
    }
    assert!(git(&folder, &["add", "tiled.navtile"]).unwrap().status.success());
    let mut after = tiles.clone();
    let index = busiest(&tiles);
    after[index] = rebuilt(&raised(&tiles[index], 64));
    folder.write("tiled.navtile", write_file(&meta, &after).unwrap());
    let output = git(&folder, &["diff"]).unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("-  checksum ") && shown.contains("+  checksum "), "{shown}{:?}", output.stderr);
    assert!(shown.contains("\n-  polygon ") && shown.contains("\n+  polygon "), "{shown}");
}

#[test]
fn public_levels_are_sound() {
    let (folder, meta, _) = tiled(96);
    let meshes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    for name in ["nav_test.obj", "dungeon.obj"] {
        let bytes = match std::fs::read(meshes.join(name)) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("skipped {name}: {error}");
                continue;
            }
        };
        let level = navinput::read_obj(&bytes).unwrap().level;
        let prepared = PreparedLevel::new(&level, &recast::Settings::default()).unwrap();
        let baked = bake_tiles(&prepared, 48, &Silent).unwrap();
        let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
        let agent = tiles[0].header().agent.map(f64::from);
        let [radius, height, climb, slope] = agent;
        let lattice = tiles[0].lattice();
        let meta = Meta {
            agent: navtile::AgentMeta { radius, height, climb, slope },
            origin: lattice.origin,
            cell: [lattice.cell_size, lattice.cell_height],
            tile_cells: 48,
            ..meta.clone()
        };
        folder.write("public.navtile", write_file(&meta, &tiles).unwrap());
        let report = folder.run(&["verify", "public.navtile", "--json"]).expect(0).json();
        assert!(report["checked"]["seams"].as_u64().unwrap() > 10, "{report}");
        assert_eq!(report["checked"]["matched_portals"], report["checked"]["portals"]);
    }
}
