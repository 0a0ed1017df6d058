//! The rules of an island graph: everything that joining and judging rely on, so that their work and memory
//! are in proportion to the graph. [`super::agreement`] has the rules that a graph and the tiles of its file
//! must meet together.

use super::node::{Anchor, TileNode, key};
use crate::border::{Crowd, crowd, stacked};
use crate::layout::{COORD_LIMIT, Portal, side};
use crate::limits::{POLYGON_LIMIT, PORTAL_STACK_LIMIT};
use crate::tile::TileCoord;
use navmath::sort::SharedSort;
use std::error::Error;
use std::fmt::{self, Display};

/// An island graph that is not valid: the rule that is broken, the tile, the expected and the found value. A
/// bake builds the graph again.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphError {
    /// The rule, by the name it has in docs/format.md.
    pub rule: &'static str,
    /// The tile whose node breaks it; `None` if the graph as a whole does.
    pub tile: Option<TileCoord>,
    /// The property that the rule asks for.
    pub expected: String,
    /// The value found in the graph.
    pub found: String,
}

impl Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GraphError { rule, tile, expected, found } = self;
        write!(f, "not a valid island graph: {rule}{}: expected {expected}, found {found}", place(*tile))
    }
}

impl Error for GraphError {}

fn place(tile: Option<TileCoord>) -> String {
    tile.map_or_else(String::new, |TileCoord { x, z, layer }| format!(" at tile ({x}, {z}, {layer})"))
}

/// The names of all rules of a graph, in the order they are checked. The last five are rules that it must
/// meet together with the tiles of its file. docs/format.md describes each rule.
pub const GRAPH_RULES: [&str; 19] = [
    "graph-length",
    "graph-counts",
    "graph-order",
    "graph-islands",
    "graph-portal-island",
    "graph-portal-side",
    "graph-portal-range",
    "graph-portal-reserved",
    "graph-portal-order",
    "graph-portal-overlap",
    "graph-portal-stack",
    "graph-anchor",
    "graph-anchor-order",
    "graph-connection",
    "graph-tile",
    "graph-tile-input",
    "graph-tile-islands",
    "graph-tile-portals",
    "graph-tile-pruned",
];

/// The result of checking rules: `Err` gives the broken rule.
pub(super) type Checked = Result<(), GraphError>;

/// Returns an error for a broken rule.
#[cold]
pub(super) fn refuse<T>(
    rule: &'static str,
    tile: Option<TileCoord>,
    expected: impl Display,
    found: impl Display,
) -> Result<T, GraphError> {
    Err(GraphError { rule, tile, expected: expected.to_string(), found: found.to_string() })
}

/// Most cells of an island: the largest number of spans of a tile.
const CELL_LIMIT: u64 = u32::MAX as u64;

/// Checks every rule of nodes, which must be sorted by tile.
pub(super) fn check(nodes: &[TileNode]) -> Checked {
    nodes.iter().try_for_each(check_node)?;
    nodes.chunk_by(TileNode::shares_column).filter(|column| column.len() > 1).try_for_each(check_layers)?;
    check_connections(nodes)
}

fn check_node(node: &TileNode) -> Checked {
    let tile = Some(node.coord);
    let count = node.islands.len();
    if count > POLYGON_LIMIT {
        return refuse("graph-islands", tile, format_args!("at most {POLYGON_LIMIT} islands"), count);
    }
    if let Some(cells) = node.islands.iter().find(|cells| **cells > CELL_LIMIT) {
        let expected = format_args!("islands of at most {CELL_LIMIT} cells");
        return refuse("graph-islands", tile, expected, cells);
    }
    node.portals.iter().try_for_each(|portal| check_portal(node, portal))?;
    if !node.portals.is_sorted_by_key(key) {
        let expected = "portals sorted by side, start, start height, end, end height and island";
        return refuse("graph-portal-order", tile, expected, "others");
    }
    match crowd(&node.portals) {
        None => {}
        Some(Crowd::Overlap(first, second)) => {
            let expected = "no two portals along the same stretch at the same height";
            return refuse("graph-portal-overlap", tile, expected, format_args!("{first} and {second}"));
        }
        Some(Crowd::Stack(at)) => return refuse_stack(node.coord, at),
    }
    node.anchors.iter().try_for_each(|anchor| check_anchor(node, anchor))?;
    if !node.anchors.is_sorted() {
        let expected = "anchors sorted by connection, island, end and direction";
        return refuse("graph-anchor-order", tile, expected, "others");
    }
    Ok(())
}

fn check_portal(node: &TileNode, portal: &Portal) -> Checked {
    let tile = Some(node.coord);
    if portal.polygon as usize >= node.islands.len() {
        let expected = format_args!("a portal of one of {} islands", node.islands.len());
        return refuse("graph-portal-island", tile, expected, portal.polygon);
    }
    if portal.side > side::Z_MIN {
        return refuse("graph-portal-side", tile, "a portal on a side from 0 to 3", portal.side);
    }
    let Portal { start, end, start_height, end_height, .. } = *portal;
    let range = -COORD_LIMIT..=COORD_LIMIT;
    if start >= end || ![start, end, start_height, end_height].iter().all(|value| range.contains(value)) {
        let expected = format_args!("a portal that ends after its start, all within {COORD_LIMIT} of zero");
        let found = format_args!("{start} to {end}, at {start_height} to {end_height}");
        return refuse("graph-portal-range", tile, expected, found);
    }
    if (portal.edge, portal.reserved) != (0, 0) {
        let found = format_args!("{} and {}", portal.edge, portal.reserved);
        return refuse("graph-portal-reserved", tile, "zero as edge and in the reserved field", found);
    }
    Ok(())
}

#[cold]
fn refuse_stack(tile: TileCoord, at: usize) -> Checked {
    let expected = format_args!("at most {PORTAL_STACK_LIMIT} portals of a side over one point");
    refuse("graph-portal-stack", Some(tile), expected, format_args!("more at portal {at}"))
}

/// Tiles above each other meet the same tiles across a seam, so their portals are counted together.
fn check_layers(column: &[TileNode]) -> Checked {
    let portals = column.iter().flat_map(|node| node.portals.iter().copied()).collect();
    stacked(portals).map_or(Ok(()), |at| refuse_stack(column[0].coord, at))
}

fn check_anchor(node: &TileNode, anchor: &Anchor) -> Checked {
    let count = node.islands.len();
    let sound =
        (anchor.island as usize) < count && anchor.end <= 1 && anchor.both_ways <= 1 && anchor.reserved == 0;
    if sound {
        return Ok(());
    }
    let expected = format_args!("an anchor on one of {count} islands: start or end, one direction or both");
    refuse("graph-anchor", Some(node.coord), expected, format_args!("{anchor:?}"))
}

/// Anchors of the same connection must agree on whether it leads in both directions.
fn check_connections(nodes: &[TileNode]) -> Checked {
    let anchors = nodes.iter().flat_map(|node| &node.anchors);
    let mut ways: Vec<(u64, u8)> = anchors.map(|anchor| (anchor.connection, anchor.both_ways)).collect();
    ways.shared_sort();
    match ways.array_windows().find(|[a, b]| a.0 == b.0 && a.1 != b.1) {
        None => Ok(()),
        Some([a, _]) => {
            let expected = "connections with the same direction, one or both, at either end";
            refuse("graph-connection", None, expected, format_args!("both at connection {:016x}", a.0))
        }
    }
}
