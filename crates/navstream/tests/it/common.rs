//! Small tiles, and a source that answers when and what a test says.

use detour::{NavMesh, PolyRef};
use navmath::Lattice;
use navstream::{Arrival, ChangeKind, Fetched, Limits, TileSource, TileStream, Update, World, WorldTile};
use navtile::content::Beyond;
use navtile::layout::{OffMeshLink, side};
use navtile::{EdgeContent, PolygonContent, Tile, TileContent, TileCoord};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Cells and metres along a tile.
pub(crate) const CELLS: u32 = 16;
pub(crate) const SIDE: f64 = 4.0;

pub(crate) fn lattice() -> Lattice {
    Lattice::new([0.0; 3], 0.25, 0.125).unwrap()
}

pub(crate) fn at(x: i32, z: i32) -> TileCoord {
    TileCoord { x, z, layer: 0 }
}

/// The middle of a tile, world metres.
pub(crate) fn middle(coord: TileCoord) -> [f64; 3] {
    [(f64::from(coord.x) + 0.5) * SIDE, 0.0, (f64::from(coord.z) + 0.5) * SIDE]
}

/// A tile of flat ground, cut into strips of equal width (1, 2, 4, 8 or 16), with portals on all sides.
/// Layers are 4 m above each other.
pub(crate) fn strips(coord: TileCoord, count: u32) -> Tile {
    strips_on(coord, count, lattice())
}

pub(crate) fn strips_on(coord: TileCoord, count: u32, lattice: Lattice) -> Tile {
    write(&strips_content(coord, count, lattice))
}

/// A tile of one strip, with an off-mesh link from its middle to that of another tile.
pub(crate) fn jump(coord: TileCoord, to: TileCoord) -> Tile {
    let mut content = strips_content(coord, 1, lattice());
    let side = CELLS as i32 * navmath::FIXED_ONE;
    content.off_mesh_links.push(OffMeshLink {
        start: [side / 2, 0, side / 2],
        end: [(to.x - coord.x) * side + side / 2, 0, (to.z - coord.z) * side + side / 2],
        end_tile: [to.x, to.z, to.layer],
        radius: navmath::FIXED_ONE,
        flags: 1,
        area: 1,
        direction: 1,
        reserved: 0,
        user_id: 0,
        along: [0; 2],
    });
    write(&content)
}

fn write(content: &TileContent) -> Tile {
    let (bytes, diagnostics) = content.write().unwrap();
    assert_eq!(diagnostics, []);
    Tile::from_bytes(&bytes).unwrap()
}

fn strips_content(coord: TileCoord, count: u32, lattice: Lattice) -> TileContent {
    let end = CELLS as i32 * navmath::FIXED_ONE;
    let width = end / count as i32;
    // The near vertex of a line has the even number, the far one the odd.
    let vertices: Vec<[i32; 3]> =
        (0..=count as i32).flat_map(|line| [[line * width, 0, 0], [line * width, 0, end]]).collect();
    let strip = |number: u32| {
        let [near, far] = [2 * number, 2 * number + 1];
        let left = number.checked_sub(1).map_or(Beyond::Portal(side::X_MIN), Beyond::Internal);
        let right =
            if number + 1 < count { Beyond::Internal(number + 1) } else { Beyond::Portal(side::X_MAX) };
        let edge = |vertex, beyond| EdgeContent { vertex, beyond };
        PolygonContent {
            edges: vec![
                edge(far, Beyond::Portal(side::Z_MAX)),
                edge(far + 2, right),
                edge(near + 2, Beyond::Portal(side::Z_MIN)),
                edge(near, left),
            ],
            area: 1,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        }
    };
    let base = |index: i32| i64::from(index) * i64::from(CELLS);
    TileContent {
        coord,
        lattice,
        base_cell: [base(coord.x), i64::from(coord.layer) * 32, base(coord.z)],
        size_cells: [CELLS; 2],
        agent: [0.5, 2.0, 0.5, 45.0],
        vertices,
        polygons: (0..count).map(strip).collect(),
        off_mesh_links: Vec::new(),
    }
}

pub(crate) fn bytes_of(tile: &Tile) -> u64 {
    tile.bytes().len() as u64
}

/// The world of some tiles.
pub(crate) fn world_of<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> World {
    let listed = |tile: &Tile| WorldTile { coord: tile.coord(), bytes: tile.bytes().len() as u32 };
    World::new(lattice(), CELLS, tiles.into_iter().map(listed)).unwrap()
}

/// A square of tiles from the corner (0, 0).
pub(crate) fn square(width: i32) -> BTreeMap<TileCoord, Tile> {
    let coords = (0..width).flat_map(|x| (0..width).map(move |z| at(x, z)));
    coords.map(|coord| (coord, strips(coord, 2))).collect()
}

/// A source that answers what it is given to answer.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) tiles: BTreeMap<TileCoord, Tile>,
    /// Requested and neither answered nor cancelled, in order.
    pub(crate) open: Vec<TileCoord>,
    /// All requests, and all that were cancelled.
    pub(crate) requested: Vec<TileCoord>,
    pub(crate) cancelled: Vec<TileCoord>,
    pub(crate) answers: VecDeque<Arrival>,
    /// True if each request is answered at once.
    pub(crate) is_prompt: bool,
}

impl Script {
    pub(crate) fn of(tiles: BTreeMap<TileCoord, Tile>) -> Script {
        Script { tiles, ..Script::default() }
    }

    pub(crate) fn prompt(tiles: BTreeMap<TileCoord, Tile>) -> Script {
        Script { tiles, is_prompt: true, ..Script::default() }
    }

    /// Answers, whether this was asked or not.
    pub(crate) fn answer(&mut self, coord: TileCoord, content: Fetched) {
        self.open.retain(|open| *open != coord);
        self.answers.push_back(Arrival { coord, content });
    }

    /// Answers with the tile.
    pub(crate) fn send(&mut self, coord: TileCoord) {
        let content = self.tiles.get(&coord).map_or(Fetched::Absent, |tile| Fetched::Tile(tile.clone()));
        self.answer(coord, content);
    }

    pub(crate) fn send_all(&mut self) {
        for coord in self.open.clone() {
            self.send(coord);
        }
    }
}

impl TileSource for Script {
    fn request(&mut self, coord: TileCoord, _anchor: [f64; 3]) {
        assert!(!self.open.contains(&coord), "{coord:?} was requested twice");
        self.requested.push(coord);
        self.open.push(coord);
        if self.is_prompt {
            self.send(coord);
        }
    }

    fn poll(&mut self) -> Option<Arrival> {
        let arrival = self.answers.pop_front()?;
        // An answer that was cancelled serves a later request too.
        self.open.retain(|open| *open != arrival.coord);
        Some(arrival)
    }

    fn cancel(&mut self, coord: TileCoord) {
        self.cancelled.push(coord);
        self.open.retain(|open| *open != coord);
    }
}

/// A stream over tiles that answers at once, without a bound on memory.
pub(crate) fn prompt_stream(tiles: BTreeMap<TileCoord, Tile>) -> TileStream<Script> {
    let world = world_of(tiles.values());
    TileStream::new(world, Script::prompt(tiles), [0.0; 3], Limits::default()).unwrap()
}

/// Updates until nothing is missing; returns the changes.
pub(crate) fn settle(stream: &mut TileStream<impl TileSource>) -> Vec<(TileCoord, ChangeKind)> {
    let mut changes = Vec::new();
    for _ in 0..1000 {
        let update = stream.update();
        assert!(update.failed.is_empty(), "{:?}", update.failed);
        changes.extend(kinds(&update));
        if update.waiting == 0 {
            return changes;
        }
    }
    panic!("tiles do not arrive");
}

pub(crate) fn kinds(update: &Update) -> Vec<(TileCoord, ChangeKind)> {
    update.changes.iter().map(|change| (change.coord, change.kind)).collect()
}

pub(crate) fn coords(mesh: &NavMesh) -> BTreeSet<TileCoord> {
    mesh.tiles().map(Tile::coord).collect()
}

/// References to all polygons of a tile.
pub(crate) fn polygons_of(mesh: &NavMesh, coord: TileCoord) -> Vec<PolyRef> {
    (0..).map_while(|index| mesh.reference(coord, index)).collect()
}
