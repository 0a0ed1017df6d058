//! Tiles and files: written, verified, loaded, compared across seams.

use super::{Family, Made, Member};
use navmath::Lattice;
use navtile::content::Beyond;
use navtile::layout::{OffMeshLink, side};
use navtile::{
    DetailTriangleContent, EdgeContent, Edit, Meta, NavFile, NavStore, Packing, PolygonContent, Tile,
    TileContent, TileCoord, TileRecord,
};
use std::collections::HashMap;
use std::error::Error;
use std::io::Cursor;

type Corners = Vec<[i32; 3]>;

pub(super) const FAMILIES: [Family; 15] = [
    Family { name: "tile/grid", start: 2_000, make: |n| tile(&content([0; 2], &grid(n))) },
    Family { name: "tile/islands", start: 2_000, make: |n| tile(&content([0; 2], &islands(n))) },
    Family { name: "tile/over-each-other", start: 2_000, make: |n| tile(&content([0; 2], &storeys(n, 40))) },
    Family { name: "tile/at-one-height", start: 2_000, make: |n| tile(&content([0; 2], &storeys(n, 0))) },
    Family { name: "tile/portals", start: 800, make: |n| tile(&content([0; 2], &portals(n, 0))) },
    Family { name: "tile/corners", start: 40, make: |n| tile(&content([0; 2], &rounds(n))) },
    Family { name: "tile/links", start: 8_000, make: |n| tile(&linked(n)) },
    Family { name: "tile/detail", start: 6_000, make: |n| tile(&detailed(n)) },
    Family { name: "tile/strip", start: 2_000, make: |n| tile(&content([0; 2], &strip(n))) },
    Family { name: "file/tiles", start: 400, make: file },
    Family { name: "file/a-commit", start: 400, make: commit },
    Family { name: "file/commits-to-a-file-of-many-tiles", start: 400, make: commits },
    Family { name: "file/compaction", start: 400, make: compaction },
    Family { name: "seams/of-many-storeys", start: 3_000, make: seam },
    Family {
        name: "seams/links-to-one-tile",
        start: 100,
        make: |n| Ok(links_to_one(n)?.member(|tiles| drop(navtile::seam_check::check_seams(&tiles)))),
    },
];

/// Cells on a side of a tile.
const CELLS: i32 = 2048;
/// The side of a tile, fixed-point.
pub(super) const WIDTH: i32 = CELLS * 256;

/// A tile that is written and verified.
fn tile(content: &TileContent) -> Made {
    let content = content.clone();
    let size = content.write()?.0.len();
    let work = move || {
        let bytes = content.write()?.0;
        Tile::from_bytes(&bytes)?;
        Ok(())
    };
    Ok(Member::new(size, work))
}

/// A tile of polygons. Edges that two polygons share are internal, edges on the border are portals, others
/// are walls.
pub(super) fn content([x, z]: [i32; 2], polygons: &[Corners]) -> TileContent {
    let ends = |corners: &Corners, at: usize| (corners[at], corners[(at + 1) % corners.len()]);
    let mut owners = HashMap::new();
    for (index, corners) in (0..).zip(polygons) {
        for at in 0..corners.len() {
            owners.insert(ends(corners, at), index);
        }
    }
    let mut vertices = Vec::new();
    let polygon = |corners: &Corners| {
        let edge = |at: usize| {
            vertices.push(corners[at]);
            let (a, b) = ends(corners, at);
            let beyond = match (owners.get(&(b, a)), border(a, b)) {
                (Some(&other), _) => Beyond::Internal(other),
                (None, Some(side)) => Beyond::Portal(side),
                (None, None) => Beyond::Wall,
            };
            EdgeContent { vertex: vertices.len() as u32 - 1, beyond }
        };
        PolygonContent {
            edges: (0..corners.len()).map(edge).collect(),
            area: 63,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        }
    };
    let polygons = polygons.iter().map(polygon).collect();
    TileContent {
        coord: TileCoord { x, z, layer: 0 },
        lattice: Lattice { origin: [0.0; 3], cell_size: 0.3, cell_height: 0.2 },
        base_cell: [i64::from(CELLS * x), 0, i64::from(CELLS * z)],
        size_cells: [CELLS as u32; 2],
        agent: [0.6, 2.0, 0.9, 45.0],
        vertices,
        polygons,
        off_mesh_links: Vec::new(),
    }
}

fn border(a: [i32; 3], b: [i32; 3]) -> Option<u8> {
    match (a[0], b[0]) {
        (0, 0) if a[2] < b[2] => Some(side::X_MIN),
        (WIDTH, WIDTH) if a[2] > b[2] => Some(side::X_MAX),
        _ => None,
    }
}

/// A rectangle from its least corner.
fn rectangle([x, y, z]: [i32; 3], width: i32, depth: i32) -> Corners {
    vec![[x, y, z + depth], [x + width, y, z + depth], [x + width, y, z], [x, y, z]]
}

/// Squares that share their edges.
pub(super) fn grid(count: usize) -> Vec<Corners> {
    let side = count.isqrt();
    let place = |at: usize| [512 * (1 + at % side) as i32, 0, 512 * (1 + at / side) as i32];
    (0..side * side).map(|at| rectangle(place(at), 512, 512)).collect()
}

/// Squares apart from each other.
fn islands(count: usize) -> Vec<Corners> {
    let side = count.isqrt() as i32;
    (0..count as i32)
        .map(|at| rectangle([512 * (1 + at % side), 0, 512 * (1 + at / side)], 256, 256))
        .collect()
}

/// Squares over each other.
pub(super) fn storeys(count: usize, apart: i32) -> Vec<Corners> {
    (0..count as i32).map(|at| rectangle([512, apart * at, 512], 5_000 + at, 5_000)).collect()
}

/// Squares at a border, 256 over each other.
fn portals(count: usize, x: i32) -> Vec<Corners> {
    let place = |at: i32| [x, 2_000 * (at % 256), 512 * (at / 256)];
    (0..count as i32).map(|at| rectangle(place(at), 400, 400)).collect()
}

/// Polygons of 255 corners, the maximum.
fn rounds(count: usize) -> Vec<Corners> {
    let corner = |at: i32, step: i32| {
        // Corners of a parabola, so that no three are on one line.
        let x = step - 127;
        [40_000 * (at % 8) + 128 * (x + 128), 0, 40_000 * (at / 8) + 2 * (127 * 127 - x * x)]
    };
    (0..count as i32).map(|at| (0..255).map(|step| corner(at, step)).collect()).collect()
}

/// A long row of narrow rectangles, each linked with the next.
fn strip(count: usize) -> Vec<Corners> {
    (0..count as i32).map(|at| rectangle([64 * (1 + at), 0, 512], 64, 400_000)).collect()
}

pub(super) fn link(start: [i32; 3], end: [i32; 3], end_tile: [i32; 3]) -> OffMeshLink {
    OffMeshLink {
        start,
        end,
        end_tile,
        radius: 600,
        flags: 1,
        area: 63,
        direction: 1,
        reserved: 0,
        user_id: 7,
        along: [0; 2],
    }
}

/// Links in a tile of one square.
fn linked(count: usize) -> TileContent {
    let mut content = content([0; 2], &storeys(1, 0));
    content.off_mesh_links =
        (0..count as i32).map(|at| link([600 + at % 4_000, 0, 600], [900, 0, 900], [0; 3])).collect();
    content
}

/// A square with a fan of detail vertices.
fn detailed(count: usize) -> TileContent {
    let mut content = content([0; 2], &[rectangle([0; 3].map(|_| 256), 100_000, 100_000)]);
    let polygon = &mut content.polygons[0];
    polygon.detail_vertices = (0..count as i32).map(|at| [300 + at, at % 90, 300 + at * at / 800]).collect();
    let triangle = |at: u32| DetailTriangleContent { vertices: [0, 4 + at, 5 + at], boundary: [false; 3] };
    polygon.detail_triangles = (0..count as u32 - 1).map(triangle).collect();
    content
}

fn some_tiles(count: usize) -> Result<Vec<Tile>, Box<dyn Error>> {
    (0..count as i32).map(|at| written(&content([at % 9, at / 9], &storeys(2, 900)))).collect()
}

fn meta() -> Meta {
    Meta {
        agent: navtile::AgentMeta { radius: 0.6, height: 2.0, climb: 0.9, slope: 45.0 },
        settings: navtile::SettingsMeta::default(),
        origin: [0.0; 3],
        cell: [0.3, 0.2],
        tile_cells: CELLS as u32,
        geometry_digest: [0; 16],
        areas: Vec::new(),
    }
}

fn file(count: usize) -> Made {
    let tiles = some_tiles(count)?;
    let size = navtile::write_file(&meta(), &tiles)?.len();
    let work = move || {
        let file = NavFile::open(navtile::write_file(&meta(), &tiles)?)?;
        file.tiles().try_for_each(|tile| tile.map(drop))?;
        Ok(())
    };
    Ok(Member::new(size, work))
}

/// An edit that puts tiles.
fn edit(tiles: Vec<Tile>) -> Edit {
    let mut edit = Edit::new();
    for tile in tiles {
        edit.put(TileRecord { tile, input_hash: [0; 16], prune_hash: [0; 8] });
    }
    edit
}

/// All tiles are added in one edit, and replaced in another.
fn commit(count: usize) -> Made {
    let edit = edit(some_tiles(count)?);
    Ok(Member::new(count, move || {
        let mut store = NavStore::create(Vec::new(), &meta())?;
        store.commit(&edit)?;
        store.commit(&edit)?;
        Ok(())
    }))
}

/// A few edits of one tile each.
fn commits(count: usize) -> Made {
    let mut store = NavStore::create(Vec::new(), &meta())?;
    store.commit(&edit(some_tiles(count)?))?;
    let one = edit(some_tiles(1)?);
    Ok(Member::new(count, move || {
        (0..16).try_for_each(|_| store.commit(&one).map(drop))?;
        Ok(())
    }))
}

/// Half of the file is unused.
fn compaction(count: usize) -> Made {
    let mut store = NavStore::create(Vec::new(), &meta())?;
    let edit = edit(some_tiles(count)?);
    store.commit(&edit)?;
    store.commit(&edit)?;
    Ok(Member::new(count, move || {
        store.compact(Cursor::new(Vec::new()), Packing::Raw)?;
        Ok(())
    }))
}

pub(super) fn written(content: &TileContent) -> Result<Tile, Box<dyn Error>> {
    Ok(Tile::from_bytes(&content.write()?.0)?)
}

/// Tiles that some work is done with.
pub(super) struct Tiles(pub(super) Vec<Tile>);

impl Tiles {
    pub(super) fn member(self, work: fn(Vec<Tile>)) -> Member {
        let size = self.0.iter().map(|tile| tile.bytes().len()).sum();
        Member::new(size, move || {
            work(self.0);
            Ok(())
        })
    }
}

/// Two tiles with the maximum number of storeys at their seam.
pub(super) fn two_sides(count: usize) -> Result<Tiles, Box<dyn Error>> {
    let here = written(&content([0; 2], &portals(count, WIDTH - 400)))?;
    Ok(Tiles(vec![here, written(&content([1, 0], &portals(count, 0)))?]))
}

fn seam(count: usize) -> Made {
    Ok(two_sides(count)?.member(|tiles| drop(navtile::seam_check::check_seams(&tiles))))
}

/// Tiles in a row, each with links that end in the first.
pub(super) fn links_to_one(count: usize) -> Result<Tiles, Box<dyn Error>> {
    let one = |x: i32| {
        let mut content = content([x, 0], &storeys(1, 0));
        // The maximum distance of a link's end.
        let end = 600 - x * WIDTH;
        content.off_mesh_links = vec![link([600, 0, 600], [end, 0, 600], [0; 3]); 8];
        written(&content)
    };
    Ok(Tiles((0..count as i32).map(one).collect::<Result<_, _>>()?))
}
