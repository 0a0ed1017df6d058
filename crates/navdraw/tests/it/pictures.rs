//! Every picture of a small scene, and of nothing: sound documents, whole images, the same bytes each time.

use navdraw::stage::{self, Floor, StageOptions};
use navdraw::{ColourBy, MeshOptions, PathMark, Picture, mesh_picture};
use navlevel::bake_tiles;
use navtile::content::Beyond;
use navtile::layout::OffMeshLink;
use navtile::{DetailTriangleContent, EdgeContent, PolygonContent, Tile, TileContent};
use recast::data::compact::{CompactArrays, state::Compacted};
use recast::data::span::state::{Filtered, Rasterized};
use recast::data::{
    CompactField, ContourSet, DetailMesh, DistanceField, Grid, PolyMesh, RawContours, RegionField, RegionId,
    SimplifiedContours, SpanField,
};
use recast::stage::rasterize::Source;
use recast::stage::{Context, mark_walkable};
use recast::{AreaId, PreparedLevel, Scratch, Silent, TileBuild};
use recast::{Snapshot, bake_tapped};

fn scene(name: &str) -> PreparedLevel {
    let scene = navscenes::by_name(name).unwrap();
    PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap()
}

/// A picture of each stage result of a bake, with a name.
fn stage_pictures(level: &PreparedLevel, build: &TileBuild, floor: Floor) -> Vec<(&'static str, Picture)> {
    let options = StageOptions { lattice_zero: level.lattice.origin, floor, ..StageOptions::default() };
    let o = &options;
    let source = Source::all(level);
    let marked = mark_walkable::run(source, &(&level.config).into(), &mut Context::new()).unwrap();
    let mut pictures = vec![("triangles", stage::marked_triangles(level, &marked, o))];
    let mut rasterized: Option<SpanField<Rasterized>> = None;
    let mut mesh: Option<PolyMesh> = None;
    let mut tap = |snapshot: Snapshot<'_>| match snapshot {
        Snapshot::Rasterized(field) => {
            pictures.push(("spans", stage::span_field(field, o)));
            pictures.push(("slice", stage::span_slice(field, stage::busiest_row(field), o)));
            rasterized = Some(field.clone());
        }
        Snapshot::Filtered(field) => {
            let before = rasterized.as_ref().unwrap();
            pictures.push(("changes", stage::filter_changes(before, field, o)));
        }
        Snapshot::Compacted(field) => pictures.push(("compact", stage::compact_field(field, o))),
        Snapshot::Marked(field) => pictures.push(("eroded", stage::eroded_field(field, o))),
        Snapshot::Distance(field) => pictures.push(("distance", stage::distance_field(field, o))),
        Snapshot::Regions(field) => pictures.push(("regions", stage::region_field(field, o))),
        Snapshot::RawContours(set) => pictures.push(("traced", stage::raw_contours(set, o))),
        Snapshot::Simplified(set) => pictures.push(("simplified", stage::simplified_contours(set, o))),
        Snapshot::Contours(set) => pictures.push(("contours", stage::contours(set, o))),
        Snapshot::PolyMesh(found) => {
            pictures.push(("polygons", stage::poly_mesh(found, o)));
            mesh = Some(found.clone());
        }
        Snapshot::DetailMesh(detail) => {
            pictures.push(("detail", stage::detail_mesh(mesh.as_ref().unwrap(), detail, o)));
        }
        Snapshot::ObstaclesDone(_) | Snapshot::LedgesDone(_) | Snapshot::Eroded(_) => {}
    };
    bake_tapped(level, build, &Silent, &mut Scratch::new(), &mut tap).unwrap();
    pictures
}

fn solo(level: &PreparedLevel) -> Vec<Tile> {
    vec![recast::bake_solo(level, &Silent, &mut Scratch::new()).unwrap().tile]
}

/// Tags open and close in pairs, attributes have quotes, no number is anything else.
fn assert_sound_svg(name: &str, svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{name}");
    for bad in ["NaN", "inf", "e-", "-0 "] {
        let body = svg.split("<text").next().unwrap_or_default();
        let data = body.split("<path").skip(1).filter_map(|path| path.split('"').nth(1));
        assert!(data.clone().all(|data| !data.contains(bad)), "{name}: {bad} in a path");
        assert!(data.count() > 0, "{name}");
    }
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("{name}: <{part}"));
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: <{tag}>");
        let word = |tag: &str| tag.split([' ', '/']).next().unwrap_or_default().to_owned();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "{name}");
        } else if !tag.ends_with('/') {
            open.push(word(tag));
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} stay open");
}

/// Decodes an image; returns its size and how many colours it has.
fn decode(bytes: &[u8]) -> (u32, u32, usize) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let mut colours: Vec<&[u8]> = pixels.chunks_exact(3).collect();
    colours.sort_unstable();
    colours.dedup();
    (info.width, info.height, colours.len())
}

fn assert_sound(name: &str, picture: &Picture, least_colours: usize) {
    let svg = navdraw::to_svg(picture);
    assert_sound_svg(name, &svg);
    assert_eq!(svg, navdraw::to_svg(picture), "{name}");
    let png = navdraw::to_png(picture, 640).unwrap();
    assert_eq!(png, navdraw::to_png(picture, 640).unwrap(), "{name}");
    let (width, height, colours) = decode(&png);
    assert!(width == 640 && (150..1200).contains(&height), "{name}: {width} x {height}");
    assert!(colours >= least_colours, "{name}: {colours} colours");
}

#[test]
fn every_stage_has_a_picture() {
    let level = scene("courtyard");
    let names = [
        "triangles",
        "spans",
        "slice",
        "changes",
        "compact",
        "eroded",
        "distance",
        "regions",
        "traced",
        "simplified",
        "contours",
        "polygons",
        "detail",
    ];
    let pictures = stage_pictures(&level, &TileBuild::solo(&level), Floor::Uppermost);
    assert_eq!(pictures.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    for (name, picture) in &pictures {
        assert_eq!(picture.note, None, "{name}");
        assert_sound(name, picture, 20);
    }
}

#[test]
fn tiles_show_their_border() {
    let level = scene("courtyard");
    let build = TileBuild::tiled(&level, 48, navtile::TileCoord::default()).unwrap();
    for (name, picture) in stage_pictures(&level, &build, Floor::Lowest) {
        let has_border = picture.layers.iter().any(|layer| layer.name == "border");
        assert_eq!(has_border, !["triangles", "slice"].contains(&name), "{name}");
        assert_sound(name, &picture, 10);
    }
}

#[test]
fn floors_of_a_column_can_be_chosen() {
    let level = scene("storeys");
    let build = TileBuild::solo(&level);
    let pictures = |floor| {
        let mut found = stage_pictures(&level, &build, floor);
        found.retain(|(name, _)| *name == "compact");
        navdraw::to_svg(&found.remove(0).1)
    };
    let upper = pictures(Floor::Uppermost);
    assert_ne!(upper, pictures(Floor::Lowest));
    assert_eq!(pictures(Floor::Level(0)), pictures(Floor::Lowest));
}

#[test]
fn meshes_have_legends_paths_and_islands() {
    let level = scene("courtyard");
    let tiles = solo(&level);
    let settings = &level.config.settings;
    let areas: Vec<_> = settings.areas.iter().map(navlevel::meta::area_meta).collect();
    let mark = PathMark {
        points: vec![[2.5, 0.2, 2.5], [5.0, 0.2, 12.0], [20.0, 0.2, 18.0]],
        start_label: "start".to_owned(),
        end_label: "<end>".to_owned(),
        target: Some([21.0, 0.2, 18.0]),
    };
    let options = MeshOptions { title: "A & B".to_owned(), path: Some(mark), ..MeshOptions::default() };
    let picture = mesh_picture(&tiles, &areas, &options);
    assert_sound("mesh", &picture, 100);
    let svg = navdraw::to_svg(&picture);
    for words in ["A &amp; B", "&lt;end&gt;", "mud, ", "path ", "ends short", " m\u{b2} walkable"] {
        assert!(svg.contains(words), "{words}");
    }
    let islands = MeshOptions { colour_by: ColourBy::Island, ..MeshOptions::default() };
    let picture = mesh_picture(&tiles, &areas, &islands);
    assert_sound("islands", &picture, 50);
    assert!(picture.subtitle.contains("islands"), "{}", picture.subtitle);
}

/// A tile of two rooms without a door, joined by off-mesh links.
fn linked_rooms() -> Tile {
    let one = 256;
    let room = |x: i32| [[x, 0], [x, 8], [x + 8, 8], [x + 8, 0]].map(|[x, z]| [x * one, 0, z * one]);
    let polygon = |first: u32| PolygonContent {
        edges: (first..first + 4).map(|vertex| EdgeContent { vertex, beyond: Beyond::Wall }).collect(),
        area: 63,
        flags: 1,
        detail_vertices: vec![],
        detail_triangles: vec![
            DetailTriangleContent { vertices: [0, 1, 2], boundary: [true, true, false] },
            DetailTriangleContent { vertices: [0, 2, 3], boundary: [false, true, true] },
        ],
    };
    let link = |z: i32, direction: u8| OffMeshLink {
        start: [7 * one, 0, z * one],
        end: [13 * one, 0, z * one],
        end_tile: [0; 3],
        radius: one,
        flags: 1,
        area: 63,
        direction,
        reserved: 0,
        user_id: u64::from(direction),
        along: [0; 2],
    };
    let content = TileContent {
        coord: navtile::TileCoord::default(),
        lattice: navmath::Lattice::new([0.0; 3], 0.3, 0.2).unwrap(),
        base_cell: [0; 3],
        size_cells: [32, 32],
        agent: [0.6, 2.0, 0.9, 45.0],
        vertices: room(2).into_iter().chain(room(12)).collect(),
        polygons: vec![polygon(0), polygon(4)],
        off_mesh_links: vec![link(3, 0), link(5, 1)],
    };
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

#[test]
fn off_mesh_links_are_bows() {
    let picture = mesh_picture(&[linked_rooms()], &[], &MeshOptions::default());
    assert_sound("links", &picture, 50);
    let layer = picture.layers.iter().find(|layer| layer.name == "off-mesh").unwrap();
    // Casing and line of each link, the ends that only arrive, the ends that start.
    assert_eq!(layer.shapes.len(), 6);
    assert!(picture.legend.iter().any(|entry| entry.text == "off-mesh link"));
}

#[test]
fn links_are_coloured_by_kind() {
    let subject = navscenes::shooter::scenes().iter().find(|scene| scene.name == "warehouse").unwrap();
    let level = PreparedLevel::new(&(subject.level)(), &(subject.settings)()).unwrap();
    let tiles: Vec<Tile> =
        bake_tiles(&level, 48, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect();
    let picture = mesh_picture(&tiles, &[], &MeshOptions::default());
    assert_sound("links_by_kind", &picture, 400);
    let colour = |text: &str| {
        let entry = picture.legend.iter().find(|entry| entry.text == text)?;
        Some(format!("{:?}", entry.swatch))
    };
    let colours = ["drop", "jump", "climb"].map(|kind| colour(kind).unwrap());
    assert!(colours[0] != colours[1] && colours[1] != colours[2] && colours[2] != colours[0], "{colours:?}");
    assert_eq!(colour("off-mesh link"), None, "none is the user's own");
    assert_eq!(colour("ladder"), None);
}

#[test]
fn tiles_are_one_mesh() {
    let level = scene("courtyard");
    let baked = bake_tiles(&level, 48, &Silent).unwrap();
    let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    let options = MeshOptions { colour_by: ColourBy::Island, ..MeshOptions::default() };
    let islands = |tiles: &[Tile]| {
        let subtitle = mesh_picture(tiles, &[], &options).subtitle;
        subtitle.rsplit(' ').nth(1).unwrap_or_default().to_owned()
    };
    assert!(tiles.len() > 1);
    assert_eq!(islands(&tiles), islands(&solo(&level)));
    let picture = mesh_picture(&tiles, &[], &MeshOptions::default());
    assert!(navdraw::to_svg(&picture).contains("portal to the next tile"));
}

fn grid(width: u32, depth: u32) -> Grid {
    Grid { width, depth, border: 0, base_x: 0, base_z: 0, cell_size: 0.3, cell_height: 0.2 }
}

fn compact(grid: Grid, offsets: Vec<u32>) -> CompactField<Compacted> {
    CompactField::from_arrays(CompactArrays {
        grid,
        walkable_height: 10,
        walkable_climb: 4,
        offsets,
        floor: vec![],
        clearance: vec![],
        area: vec![],
        neighbours: vec![],
    })
}

#[test]
fn nothing_is_said_in_words() {
    let o = &StageOptions::default();
    let empty = grid(2, 2);
    let spans = SpanField::<Filtered>::from_parts(empty, vec![0; 5], vec![], vec![], vec![]);
    let parts = compact(empty, vec![0; 5]);
    let field = || {
        CompactField::from_arrays(CompactArrays {
            grid: empty,
            walkable_height: 10,
            walkable_climb: 4,
            offsets: vec![0; 5],
            floor: vec![],
            clearance: vec![],
            area: vec![],
            neighbours: vec![],
        })
    };
    let distance = DistanceField { field: field(), distance: vec![], max_distance: 0 };
    let regions = RegionField::new(field(), vec![], 0);
    let mesh = PolyMesh { grid: empty, vertices: vec![], polygons: vec![], corners: vec![], edges: vec![] };
    let pictures = [
        stage::span_field(&spans, o),
        stage::span_slice(&spans, 0, o),
        stage::filter_changes(&spans, &spans, o),
        stage::compact_field(&parts, o),
        stage::eroded_field(&parts, o),
        stage::distance_field(&distance, o),
        stage::region_field(&regions, o),
        stage::raw_contours(&RawContours { grid: empty, region_count: 0, contours: vec![] }, o),
        stage::simplified_contours(&SimplifiedContours { grid: empty, region_count: 0, contours: vec![] }, o),
        stage::contours(&ContourSet { grid: empty, region_count: 0, contours: vec![] }, o),
        stage::poly_mesh(&mesh, o),
        stage::detail_mesh(&mesh, &DetailMesh::default(), o),
        mesh_picture(&[], &[], &MeshOptions::default()),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        let note = picture.note.as_deref().unwrap_or_default();
        assert!(note.starts_with("Nothing to draw"), "picture {index}: {note}");
        assert_sound(note, picture, 3);
    }
}

#[test]
fn broken_fields_are_said_in_words() {
    let o = &StageOptions::default();
    let spans =
        SpanField::<Filtered>::from_parts(grid(2, 2), vec![0, 9, 1, 1, 1], vec![0], vec![1], vec![AreaId(1)]);
    let short = SpanField::<Filtered>::from_parts(grid(1, 1), vec![0, 1], vec![0], vec![], vec![]);
    let sound =
        SpanField::<Filtered>::from_parts(grid(1, 1), vec![0, 1], vec![0], vec![1], vec![AreaId::GROUND]);
    let regions = RegionField::new(
        CompactField::from_arrays(CompactArrays {
            grid: grid(1, 1),
            walkable_height: 10,
            walkable_climb: 4,
            offsets: vec![0, 1],
            floor: vec![0],
            clearance: vec![10],
            area: vec![AreaId::GROUND],
            neighbours: vec![[u32::MAX; 4]],
        }),
        vec![RegionId::NONE; 2],
        0,
    );
    assert_eq!(stage::busiest_row(&spans), 0);
    let pictures = [
        stage::span_field(&spans, o),
        stage::span_field(&short, o),
        stage::span_slice(&sound, 5, o),
        stage::filter_changes(&short, &sound, o),
        stage::compact_field(&compact(grid(2, 2), vec![]), o),
        stage::region_field(&regions, o),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        let note = picture.note.as_deref().unwrap_or_default();
        assert!(note.starts_with("Cannot be drawn"), "picture {index}: {note}");
        assert_sound(note, picture, 3);
    }
    assert_eq!(stage::span_field(&sound, o).note, None);
}

#[test]
fn large_grids_stay_small() {
    let side = 600;
    let count = (side * side) as usize;
    let spans = SpanField::<Filtered>::from_parts(
        grid(side, side),
        (0..=side * side).collect(),
        vec![0; count],
        (0..count as i32).map(|column| 5 + column % side as i32 / 40).collect(),
        vec![AreaId::GROUND; count],
    );
    let svg = navdraw::to_svg(&stage::span_field(&spans, &StageOptions::default()));
    assert!(svg.len() < 20_000, "{} bytes", svg.len());
}

#[test]
fn numbers_that_are_none_are_left_out() {
    let level = scene("plane");
    let tiles = solo(&level);
    let mark = PathMark { points: vec![[f64::NAN, 0.0, 1.0], [f64::INFINITY; 3]], ..PathMark::default() };
    let options = MeshOptions { path: Some(mark), ..MeshOptions::default() };
    assert_sound("not finite", &mesh_picture(&tiles, &[], &options), 20);
}
