//! Sound tiles and files that mutations start from: drawn ones, with a bit of everything, and baked scenes.

use navlevel::graph_node;
use navmath::Lattice;
use navtile::content::Beyond;
use navtile::layout::{OffMeshLink, side};
use navtile::{
    AgentMeta, AreaMeta, DetailTriangleContent, EdgeContent, FileWriter, IslandGraph, Meta, Packing,
    PolygonContent, SettingsMeta, Tile, TileContent, TileCoord, TileRecord,
};
use recast::{PreparedLevel, Silent};
use std::io::Cursor;
use std::sync::LazyLock;

/// Squares on a side of a drawn tile.
const SQUARES: i32 = 4;
/// Width of a square, fixed-point: a metre.
const STEP: i32 = 1024;

/// A set of tiles of one lattice, the island graph of them, and the file of both.
pub struct Base {
    /// Tiles in canonical order.
    pub tiles: Vec<Tile>,
    /// The file, as bytes.
    pub file: Vec<u8>,
}

/// All of them.
pub fn all() -> &'static [Base] {
    static ALL: LazyLock<Vec<Base>> = LazyLock::new(|| {
        let drawn = vec![written(&drawn(0, 0)), written(&drawn(1, 0))];
        let mut all = vec![Base::new(drawn, 16, None)];
        for (name, tile_cells) in [("two_rooms", 0), ("storeys", 0), ("storeys", 32), ("spiral", 48)] {
            all.push(baked(name, tile_cells));
        }
        let drawn = all[0].tiles.clone();
        all.push(Base::with_packing(drawn, 16, None, Packing::Lz4));
        all
    });
    &ALL
}

/// The tile of drawn content, which is sound.
pub fn written(content: &TileContent) -> Tile {
    let (bytes, _) = content.write().expect("drawn content is sound");
    Tile::from_bytes(&bytes).expect("what is written can be read")
}

/// A tile of squares with a hole, heights, three areas, portals on all sides, detail vertices, and off-mesh
/// links within it, to its neighbour and into the void.
pub fn drawn(x: i32, z: i32) -> TileContent {
    let solid = |column: i32, row: i32| (column, row) != (1, 2);
    let inside = |at: i32| (0..SQUARES).contains(&at);
    let mut numbers = [[u32::MAX; SQUARES as usize]; SQUARES as usize];
    let mut next = 0;
    for (index, number) in numbers.iter_mut().flatten().enumerate() {
        if solid(index as i32 % SQUARES, index as i32 / SQUARES) {
            *number = next;
            next += 1;
        }
    }
    let corner = |column: i32, row: i32| (row * (SQUARES + 1) + column) as u32;
    let beyond = |column: i32, row: i32, border: u8| match () {
        () if !inside(column) || !inside(row) => Beyond::Portal(border),
        () if !solid(column, row) => Beyond::Wall,
        () => Beyond::Internal(numbers[row as usize][column as usize]),
    };
    let vertices: Vec<[i32; 3]> = (0..=SQUARES)
        .flat_map(|row| (0..=SQUARES).map(move |column| [column * STEP, 100 * (row % 3), row * STEP]))
        .collect();
    let mut polygons = Vec::new();
    for (column, row) in (0..SQUARES * SQUARES).map(|index| (index % SQUARES, index / SQUARES)) {
        if !solid(column, row) {
            continue;
        }
        let edge = |vertex, beyond| EdgeContent { vertex, beyond };
        let with_detail = (column + row) % 2 == 0;
        let middle = [column * STEP + STEP / 2, 150, row * STEP + STEP / 2];
        let fan = (0..4)
            .map(|i| DetailTriangleContent { vertices: [i, (i + 1) % 4, 4], boundary: [true, false, false] });
        polygons.push(PolygonContent {
            edges: vec![
                edge(corner(column, row + 1), beyond(column, row + 1, side::Z_MAX)),
                edge(corner(column + 1, row + 1), beyond(column + 1, row, side::X_MAX)),
                edge(corner(column + 1, row), beyond(column, row - 1, side::Z_MIN)),
                edge(corner(column, row), beyond(column - 1, row, side::X_MIN)),
            ],
            area: 1 + (column % 3) as u8,
            flags: 1 << row,
            detail_vertices: if with_detail { vec![middle] } else { Vec::new() },
            detail_triangles: if with_detail { fan.collect() } else { Vec::new() },
        });
    }
    TileContent {
        coord: TileCoord { x, z, layer: 0 },
        lattice: Lattice { origin: [10.0, -5.0, 100.0], cell_size: 0.25, cell_height: 0.125 },
        base_cell: [i64::from(x) * 16, 0, i64::from(z) * 16],
        size_cells: [16; 2],
        agent: [0.5, 2.0, 0.5, 45.0],
        vertices,
        polygons,
        off_mesh_links: links(x, z),
    }
}

fn links(x: i32, z: i32) -> Vec<OffMeshLink> {
    let within = OffMeshLink {
        start: [500, 0, 500],
        end: [3500, 0, 3500],
        end_tile: [x, z, 0],
        radius: 400,
        flags: 1,
        area: 5,
        direction: 1,
        reserved: 0,
        user_id: 7,
        along: [0; 2],
    };
    let away = OffMeshLink { end: [4600, 0, 600], end_tile: [x + 1, z, 0], direction: 0, ..within };
    let along_edges = OffMeshLink { along: [900, -300], user_id: 8, ..within };
    vec![within, along_edges, away, OffMeshLink { end: [-90_000, 300, 5], end_tile: [-9, -9, 1], ..within }]
}

/// A scene as it is baked, in tiles with `cells` on a side; 0 for one tile.
fn baked(name: &str, tile_cells: u32) -> Base {
    let scene = navscenes::by_name(name).expect("the scene is there");
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).expect("scenes are sound");
    let baked = match tile_cells {
        0 => recast::bake_solo(&level, &Silent, &mut recast::Scratch::new()).map(|one| vec![one]),
        cells => navlevel::bake_tiles(&level, cells, &Silent),
    };
    let baked = baked.expect("scenes bake");
    let nodes = baked.iter().map(|one| graph_node(&level, one, [9; 16])).collect();
    let tiles = baked.into_iter().map(|one| one.tile).collect();
    Base::new(tiles, tile_cells, Some(IslandGraph::new(nodes)))
}

impl Base {
    fn new(tiles: Vec<Tile>, tile_cells: u32, graph: Option<IslandGraph>) -> Base {
        Base::with_packing(tiles, tile_cells, graph, Packing::Raw)
    }

    fn with_packing(tiles: Vec<Tile>, tile_cells: u32, graph: Option<IslandGraph>, packing: Packing) -> Base {
        let meta = meta_of(&tiles[0], tile_cells);
        let writer =
            FileWriter::new(Cursor::new(Vec::new()), &meta, tiles.len()).expect("the metadata is sound");
        let mut writer = writer.with_packing(packing);
        for tile in &tiles {
            let record = TileRecord { tile: tile.clone(), input_hash: [9; 16], prune_hash: [0; 8] };
            writer.add(&record).expect("the tiles fit the metadata");
        }
        if graph.is_some() {
            writer = writer.with_hierarchy(vec![7; 40]);
        }
        let file = writer.finish(graph.as_ref()).expect("a list of bytes takes what is written").into_inner();
        Base { tiles, file }
    }
}

/// Metadata that fits a tile.
fn meta_of(tile: &Tile, tile_cells: u32) -> Meta {
    let header = tile.header();
    let [radius, height, climb, slope] = header.agent.map(f64::from);
    Meta {
        agent: AgentMeta { radius, height, climb, slope },
        settings: SettingsMeta {
            partition: 0,
            max_vertices: 6,
            region_min_area: 1.0,
            region_merge_area: 2.0,
            max_edge_length: 12.0,
            contour_max_error: 0.5,
            detail_sample_distance: 1.5,
            detail_max_error: 0.25,
            split_walls: true,
            split_areas: false,
            median_filter: false,
            volumes: 1,
            off_mesh_connections: 2,
            marks_digest: [3; 16],
            reachable_from: Some([1.0, 2.0, 3.0]),
            outlines: 1,
        },
        origin: header.origin,
        cell: [header.cell_size, header.cell_height],
        tile_cells,
        geometry_digest: [5; 16],
        areas: vec![
            AreaMeta { id: 1, name: "ground".to_owned(), flags: 1, cost: 1.0, colour: None },
            AreaMeta { id: 5, name: "water".to_owned(), flags: 2, cost: 4.0, colour: None },
        ],
    }
}
