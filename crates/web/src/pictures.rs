//! Internals of a mesh for rendering: the boxes of its tiles' trees, and the order in which a search settles
//! polygons.

use crate::convert::{Answer, fail, floats, object, point};
use crate::mesh::{AskOptions, WebMesh, references};
use crate::options::options;
use detour::{NavMesh, PathOptions, Progress, SlicedPath};
use js_sys::{BigUint64Array, Uint8Array};
use navtile::Tile;
use navtile::layout::{BV_EMPTY, BV_LEAF, BvNode};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Boxes of trees: two corners each, world metres, and their depths.
#[derive(Default)]
struct Boxes {
    corners: Vec<[f64; 3]>,
    depths: Vec<u8>,
}

impl Boxes {
    fn of(mesh: &NavMesh) -> Boxes {
        let mut boxes = Boxes::default();
        for tile in mesh.tiles() {
            let nodes = tile.bv_nodes();
            let mut waiting: Vec<(u32, u8)> = Vec::new();
            if !nodes.is_empty() {
                let header = tile.header();
                boxes.push(tile, 0, [header.bounds_min, header.bounds_max]);
                waiting.push((0, 1));
            }
            while let Some((number, depth)) = waiting.pop() {
                let node = &nodes[number as usize];
                for slot in (0..4).filter(|&slot| node.children[slot] != BV_EMPTY) {
                    boxes.push(tile, depth, slot_corners(tile, node, slot));
                    let child = node.children[slot];
                    if child & BV_LEAF == 0 {
                        waiting.push((child, depth + 1));
                    }
                }
            }
        }
        boxes
    }

    fn push(&mut self, tile: &Tile, depth: u8, corners: [[i32; 3]; 2]) {
        self.corners.extend(corners.map(|corner| tile.to_world(corner)));
        self.depths.push(depth);
    }
}

/// The corners of the box of a node's child, fixed-point; within the tile's bounds.
fn slot_corners(tile: &Tile, node: &BvNode, slot: usize) -> [[i32; 3]; 2] {
    let header = tile.header();
    let edge = |axis: usize, quantised: i64| {
        let edge = i64::from(header.bounds_min[axis]) + (quantised << header.bv_shift[axis].min(40));
        edge.min(i64::from(header.bounds_max[axis])) as i32
    };
    let low = std::array::from_fn(|axis| edge(axis, i64::from(node.min[axis][slot])));
    let high = std::array::from_fn(|axis| edge(axis, i64::from(node.max[axis][slot]) + 1));
    [low, high]
}

#[wasm_bindgen(js_class = NavMesh)]
impl WebMesh {
    /// The boxes of the trees that tiles use to find polygons. The box of the whole tile has depth 0.
    #[wasm_bindgen(unchecked_return_type = "MeshBoxes")]
    pub fn boxes(&self) -> JsValue {
        let boxes = Boxes::of(&self.mesh);
        object(&[
            ("corners", floats(boxes.corners).into()),
            ("depths", Uint8Array::from(boxes.depths.as_slice()).into()),
        ])
    }

    /// Polygons and off-mesh links in the order in which the search for `path` settles them. A polygon that
    /// is settled again, on another path, appears again. The search for the exact shortest path settles
    /// places in polygons, and has no such order.
    #[wasm_bindgen(js_name = searchOrder)]
    pub fn search_order(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "PathOptions")] wanted: JsValue,
    ) -> Answer<BigUint64Array> {
        let (from, to) = (point("from", from)?, point("to", to)?);
        let wanted: AskOptions = options("options", wanted)?;
        let mut ends = [from, to].into_iter().map(|at| self.snap(at, wanted.reach(), wanted.filter));
        let (Some(start), Some(goal)) = (ends.next().transpose()?, ends.next().transpose()?) else {
            return Ok(references(&[]));
        };
        let (Ok(start), Ok(goal)) = (start, goal) else { return Ok(references(&[])) };
        let filter = self.filters.get(wanted.filter)?.clone();
        let mesh = self.mesh.clone();
        let mut search = SlicedPath::new(
            &mut self.query,
            mesh,
            start.place(),
            goal.place(),
            filter,
            PathOptions { optimality: wanted.optimality },
        )
        .map_err(fail)?;
        let mut order = Vec::new();
        let ended = loop {
            order.extend(search.next_polygon());
            match search.update(1) {
                Ok(Progress::Running) => {}
                Ok(Progress::Done) => break Ok(()),
                Err(error) => break Err(fail(error)),
            }
        };
        self.query = search.into_query();
        ended.map(|()| references(&order))
    }
}
