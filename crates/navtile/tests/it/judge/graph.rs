//! A plain checker of island graphs: it tries every pair of portals and every subset of islands.

use crate::common::graphs::{RawGraph, RawNode};
use navtile::graph::{TileNode, prune_hash};
use navtile::layout::{COORD_LIMIT, Portal};
use std::collections::BTreeMap;

/// A broken rule and the tile of the node that breaks it.
pub(crate) type Fault = (&'static str, Option<[i32; 3]>);

/// All rules that a graph breaks by itself.
pub(crate) fn judge(graph: &RawGraph) -> Vec<Fault> {
    if graph.more != [0; 4] {
        let count = |of: fn(&RawNode) -> usize| graph.nodes.iter().map(of).sum::<usize>() as i32;
        let counts = [
            graph.nodes.len() as i32,
            count(|node| node.islands.len()),
            count(|node| node.portals.len()),
            count(|node| node.anchors.len()),
        ];
        if counts.iter().zip(graph.more).any(|(count, more)| count + more < 0) {
            // Written without a sign, this is more than any length.
            return vec![("graph-length", None)];
        }
        let bytes: i32 = graph.more.iter().zip([40, 8, 24, 16]).map(|(more, size)| more * size).sum();
        return vec![(if bytes == 0 { "graph-counts" } else { "graph-length" }, None)];
    }
    let mut faults: Vec<Fault> = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        if graph.nodes[..index].last().is_some_and(|before| before.coord >= node.coord) {
            faults.push(("graph-order", Some(node.coord)));
        }
        faults.extend(of_node(node).into_iter().map(|rule| (rule, Some(node.coord))));
        let column = |other: &&RawNode| other.coord[..2] == node.coord[..2];
        let portals: Vec<Portal> =
            graph.nodes.iter().filter(column).flat_map(|node| node.portals.clone()).collect();
        if is_stacked(&portals) {
            let first = graph.nodes.iter().find(column).unwrap();
            faults.extend([
                ("graph-portal-stack", Some(node.coord)),
                ("graph-portal-stack", Some(first.coord)),
            ]);
        }
    }
    let mut ways: BTreeMap<u64, u8> = BTreeMap::new();
    for anchor in graph.nodes.iter().flat_map(|node| &node.anchors) {
        if *ways.entry(anchor.connection).or_insert(anchor.both_ways) != anchor.both_ways {
            faults.push(("graph-connection", None));
        }
    }
    faults
}

fn of_node(node: &RawNode) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if node.islands.len() > 1 << 20 || node.islands.iter().any(|cells| *cells >= 1 << 32) {
        faults.push("graph-islands");
    }
    let order = |p: &Portal| (p.side, p.start, p.start_height, p.end, p.end_height, p.polygon);
    for (index, portal) in node.portals.iter().enumerate() {
        let Portal { start, end, start_height, end_height, .. } = *portal;
        let is_near = |value: i32| (-COORD_LIMIT..=COORD_LIMIT).contains(&value);
        let before = &node.portals[..index];
        let checks = [
            ("graph-portal-island", portal.polygon as usize >= node.islands.len()),
            ("graph-portal-side", portal.side > 3),
            (
                "graph-portal-range",
                start >= end || ![start, end, start_height, end_height].into_iter().all(is_near),
            ),
            ("graph-portal-reserved", portal.edge != 0 || portal.reserved != 0),
            ("graph-portal-order", before.last().is_some_and(|before| order(before) > order(portal))),
            ("graph-portal-overlap", before.iter().any(|other| coincide(other, portal))),
        ];
        faults.extend(checks.into_iter().filter(|check| check.1).map(|check| check.0));
    }
    for (index, anchor) in node.anchors.iter().enumerate() {
        if anchor.island as usize >= node.islands.len()
            || anchor.end > 1
            || anchor.both_ways > 1
            || anchor.reserved != 0
        {
            faults.push("graph-anchor");
        }
        if index > 0 && node.anchors[index - 1] > *anchor {
            faults.push("graph-anchor-order");
        }
    }
    faults
}

/// Returns true if more than 256 portals of a side are above each other at the start of one of them.
fn is_stacked(portals: &[Portal]) -> bool {
    portals.iter().any(|at| {
        let over =
            |portal: &&Portal| portal.side == at.side && (portal.start..portal.end).contains(&at.start);
        portals.iter().filter(over).count() > 256
    })
}

/// Returns true if two portals share an interval and have the same height at both of its ends, compared as
/// fractions.
fn coincide(a: &Portal, b: &Portal) -> bool {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    // Height at `t`, times the length.
    let height = |p: &Portal, t: i32| {
        let [start, end, low, high, t] = [p.start, p.end, p.start_height, p.end_height, t].map(i128::from);
        (low * (end - t) + high * (t - start), end - start)
    };
    let same = |t: i32| {
        let ((ours, our_length), (theirs, their_length)) = (height(a, t), height(b, t));
        ours * their_length == theirs * our_length
    };
    a.side == b.side && start < end && same(start) && same(end)
}

/// Returns true if a node may describe a tile from which islands with this hash were dropped; `left` is the
/// node of the remaining tile. Tries every subset of a few islands in every order.
pub(crate) fn may_be_of(node: &TileNode, left: &TileNode, stated: [u8; 8]) -> bool {
    let (count, rest) = (node.islands().len(), left.islands().len());
    if stated == [0; 8] {
        return count == rest && node.portals() == left.portals();
    }
    let subsets = (0..1u32 << count).filter(|subset| subset.count_ones() as usize == rest);
    let keeps = |subset: u32| (0..count).map(move |island| subset >> island & 1 == 1);
    let possible: Vec<u32> = subsets
        .filter(|&subset| {
            let kept: Vec<u32> =
                (0u32..).zip(keeps(subset)).filter(|kept| kept.1).map(|kept| kept.0).collect();
            orders(kept).iter().any(|order| fits(node, left, order))
        })
        .collect();
    match possible[..] {
        [] => false,
        [subset] => prune_hash(keeps(subset)) == stated,
        _ => true,
    }
}

/// Returns true if the remaining portals are those of the kept islands; the first of these is the first
/// island of the tile.
fn fits(node: &TileNode, left: &TileNode, kept: &[u32]) -> bool {
    let renumbered = |portal: &Portal| {
        let island = kept.iter().position(|island| *island == portal.polygon)?;
        Some(Portal { polygon: island as u32, ..*portal })
    };
    let mut portals: Vec<Portal> = node.portals().iter().filter_map(renumbered).collect();
    portals.sort_by_key(|p| (p.side, p.start, p.start_height, p.end, p.end_height, p.polygon));
    portals == left.portals()
}

fn orders(values: Vec<u32>) -> Vec<Vec<u32>> {
    if values.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |index: usize| {
        let mut rest = values.clone();
        let first = rest.remove(index);
        orders(rest).into_iter().map(move |order| [vec![first], order].concat())
    };
    (0..values.len()).flat_map(with_first).collect()
}
