//! Changes to valid tiles: corrupted numbers, rewired references, and changed shapes with all dependent
//! values updated, so that any single rule can be broken alone.

use super::Dice;
use super::parts::{Parts, Section, assemble, seal};
use navmath::IBox3;
use navtile::layout::{
    BV_EMPTY, BV_LEAF, BvNode, COORD_LIMIT, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal,
    edge_kind, side,
};
use std::ops::Range;

/// Changes a valid tile by one of these methods.
pub(crate) fn change(parts: &mut Parts, dice: &mut Dice) {
    match dice.roll(4) {
        0 => rewire(parts, dice),
        1 => {
            if dice.roll(2) == 0 {
                (0..=dice.roll(2)).for_each(|_| add_storey(parts, dice));
                mend_portals(parts);
            }
            lay_tree(parts, dice);
        }
        2 => {
            for _ in 0..=dice.roll(2) {
                spoil_part(parts, dice);
            }
        }
        _ => {
            for _ in 0..=dice.roll(3) {
                reshape(parts, dice);
            }
            mend(parts);
        }
    }
}

/// A tile as bytes: put together as the format requires, or with a fault in the table of sections, the
/// padding, or the header's identity. The checksum is correct in nearly all cases.
pub(crate) fn bytes_of(parts: &Parts, dice: &mut Dice) -> Vec<u8> {
    if dice.roll(4) != 0 {
        return parts.bytes();
    }
    let mut sections = parts.sections();
    match dice.roll(6) {
        0 => drop(sections.remove(dice.roll(7) as usize)),
        1 => {
            let kind = [0, 7, 8, 1 << 31, 1 << 31 | 1, u32::MAX][dice.roll(6) as usize];
            let length = 4 * dice.roll(9) as usize;
            sections.push(Section { kind, stride: dice.roll(9) as u32, bytes: vec![0; length] });
        }
        2 => sections[dice.roll(7) as usize].stride = dice.roll(70) as u32,
        3 => sections.swap(dice.roll(7) as usize, dice.roll(7) as usize),
        4 => sections[dice.roll(7) as usize].kind = dice.roll(9) as u32,
        _ => {}
    }
    let section_count = sections.len() as u32;
    let mut bytes = assemble(&Header { section_count, ..parts.header }, &sections);
    match dice.roll(12) {
        0 => bytes.extend(vec![0; dice.roll(40) as usize]),
        1 => bytes.truncate(dice.roll(bytes.len() as u32) as usize),
        2 => {
            let table = 256..(256 + 16 * sections.len()).min(bytes.len());
            spoil(&mut bytes[table], dice);
        }
        3 => spoil(&mut bytes[..32], dice),
        4 | 5 => {
            // Most likely padding, if there is any.
            let zeros: Vec<usize> = (256..bytes.len()).filter(|at| bytes[*at] == 0).collect();
            let ends = zeros.iter().copied().filter(|at| (at + 1) % 16 == 0);
            if let Some(at) = ends.clone().nth(dice.roll(ends.count().max(1) as u32) as usize) {
                bytes[at] = 1 << dice.roll(8);
            }
        }
        _ => {}
    }
    // The length is correct in half of the cases, so that the fault is the data after the end, or the missing
    // data.
    if bytes.len() >= 256 && dice.roll(2) == 0 {
        let length = bytes.len() as u64;
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
    }
    if bytes.len() >= 256 && dice.roll(16) != 0 {
        seal(&mut bytes);
    }
    bytes
}

/// Changes one of the numbers: by a little, to a small number, to another of the numbers, or in one bit.
pub(crate) fn spoil(bytes: &mut [u8], dice: &mut Dice) {
    let words = bytes.len() / 4;
    if words == 0 {
        return;
    }
    let [at, other] = [0; 2].map(|_| dice.roll(words as u32) as usize * 4);
    let word = |at: usize| [0, 1, 2, 3].map(|byte| bytes[at + byte]);
    let old = i32::from_le_bytes(word(at));
    let new = match dice.roll(6) {
        0 => old.wrapping_add(dice.roll(5) - 2),
        1 => dice.roll(20),
        2 => i32::from_le_bytes(word(other)),
        3 => old ^ 1 << dice.roll(32),
        4 => old.wrapping_add(dice.roll(600) - 300),
        _ => {
            // Swaps two numbers.
            bytes.copy_within(other..other + 4, at);
            bytes[other..other + 4].copy_from_slice(&old.to_le_bytes());
            return;
        }
    };
    bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
}

fn spoil_one_of<T: bytemuck::Pod>(values: &mut [T], dice: &mut Dice) {
    let count = values.len() as u32;
    if count > 0 {
        spoil(bytemuck::bytes_of_mut(&mut values[dice.roll(count) as usize]), dice);
    }
}

/// Changes one number of the header.
fn spoil_header(header: &mut Header, dice: &mut Dice) {
    const MEASURES: [f64; 8] = [0.0, -1.0, 1e-9, 1e-3, 2e6, 1e300, f64::INFINITY, f64::NAN];
    let axis = dice.roll(3) as usize;
    let measure = MEASURES[dice.roll(8) as usize];
    match dice.roll(16) {
        6 => header.reserved = dice.roll(2) as u32,
        7 => header.reserved_tail[dice.roll(23) as usize] = dice.roll(2) as u32,
        8 => header.bv_shift[3] = dice.roll(2) as u8,
        9 => header.origin[axis] = measure,
        10 => header.cell_size = measure,
        11 => header.cell_height = measure,
        12 => header.base_cell[axis] = i64::from(dice.roll(5) - 2) << (38 + dice.roll(4)),
        13 => header.agent[axis] = measure as f32,
        14 => header.agent[3] = [-1.0, 0.0, 90.0, 91.0, f32::NAN][dice.roll(5) as usize],
        15 => header.width = [1 << 22, 1 << 23, u32::MAX][dice.roll(3) as usize],
        0 => header.bounds_min[axis] += dice.roll(3) - 1,
        1 => header.bounds_max[axis] += dice.roll(3) - 1,
        2 => header.bv_shift[axis] = dice.roll(34) as u8,
        3 => header.polygon_vertex_count = dice.roll(40) as u32,
        4 => header.width = dice.roll(20) as u32,
        5 => header.depth = dice.roll(20) as u32,
        _ => {}
    }
}

fn spoil_part(parts: &mut Parts, dice: &mut Dice) {
    match dice.roll(15) {
        14 => grow_box(parts, dice),
        0 => spoil_header(&mut parts.header, dice),
        1 => spoil_one_of(&mut parts.vertices, dice),
        2 => spoil_one_of::<Polygon>(&mut parts.polygons, dice),
        3 => spoil_one_of::<Edge>(&mut parts.edges, dice),
        4 => spoil_one_of::<Portal>(&mut parts.portals, dice),
        5 => spoil_one_of::<DetailTriangle>(&mut parts.triangles, dice),
        6 => spoil_one_of::<BvNode>(&mut parts.nodes, dice),
        7 => spoil_one_of::<OffMeshLink>(&mut parts.links, dice),
        // Numbers of one element and of another.
        8 => spoil(bytemuck::cast_slice_mut(&mut parts.vertices), dice),
        9 => spoil(bytemuck::cast_slice_mut(&mut parts.edges), dice),
        10 => spoil(bytemuck::cast_slice_mut(&mut parts.portals), dice),
        11 => spoil(bytemuck::cast_slice_mut(&mut parts.nodes), dice),
        12 if !parts.portals.is_empty() => drop(parts.portals.pop()),
        _ => drop(parts.nodes.pop()),
    }
}

/// A box of the tree that exceeds its node's box by the same amount on both sides.
fn grow_box(parts: &mut Parts, dice: &mut Dice) {
    let Some(node) = one_of(parts.nodes.len(), dice) else { return };
    let [axis, slot] = [3, 4].map(|count| dice.roll(count) as usize);
    let (by, node) = (1 + dice.roll(3) as u16, &mut parts.nodes[node]);
    node.min[axis][slot] = node.min[axis][slot].saturating_sub(by);
    node.max[axis][slot] = node.max[axis][slot].saturating_add(by);
}

/// Changes several related numbers of a valid tile, so that the fault shows in one place only.
fn rewire(parts: &mut Parts, dice: &mut Dice) {
    match dice.roll(3) {
        0 => swap_portals(parts, dice),
        1 => match dice.roll(5) {
            0 => parts.vertices.extend(parts.vertices.last().copied()),
            1 => parts.triangles.extend(parts.triangles.last().copied()),
            2 => parts.edges.extend(parts.edges.last().copied()),
            3 => parts.polygons.extend(parts.polygons.last().copied()),
            _ => parts.nodes.extend(parts.nodes.last().copied()),
        },
        _ => swap_twins(parts, dice),
    }
}

/// Swaps two consecutive portals and updates their edges.
fn swap_portals(parts: &mut Parts, dice: &mut Dice) {
    if parts.portals.len() < 2 {
        return;
    }
    let at = dice.roll(parts.portals.len() as u32 - 1) as usize;
    parts.portals.swap(at, at + 1);
    for index in [at, at + 1] {
        let Portal { polygon, edge, .. } = parts.portals[index];
        let first = parts.polygons[polygon as usize].first_edge;
        parts.edges[first as usize + usize::from(edge)].neighbour = index as u32;
    }
}

/// Gives an internal edge another edge as its twin, which meets it at one end. In half of all cases that edge
/// agrees, and so do the two edges that lost their twins.
fn swap_twins(parts: &mut Parts, dice: &mut Dice) {
    // Polygon, index in it, and ends of each edge.
    let mut sides: Vec<(u32, u8, [u32; 2])> = Vec::new();
    for (index, polygon) in (0..).zip(&parts.polygons) {
        let (first, count) = (polygon.first_edge as usize, usize::from(polygon.edge_count));
        let vertex = |at: usize| parts.edges[first + at % count].vertex;
        sides.extend((0..count).map(|at| (index, at as u8, [vertex(at), vertex(at + 1)])));
    }
    let internal: Vec<usize> =
        (0..sides.len()).filter(|&at| parts.edges[at].kind == edge_kind::INTERNAL).collect();
    let mut pick = |from: Vec<usize>| (!from.is_empty()).then(|| from[dice.roll(from.len() as u32) as usize]);
    let Some(one) = pick(internal.clone()) else { return };
    let [from, to] = sides[one].2;
    let meets = |at: &usize| *at != one && (sides[*at].2[1] == from || sides[*at].2[0] == to);
    let Some(other) = pick(internal.into_iter().filter(meets).collect()) else { return };
    let twin = |at: usize| {
        let Edge { neighbour, twin, .. } = parts.edges[at];
        sides.iter().position(|side| (side.0, side.1) == (neighbour, twin)).unwrap()
    };
    let left = [twin(one), twin(other)];
    let mut point = |at: usize, to: usize| {
        (parts.edges[at].neighbour, parts.edges[at].twin) = (sides[to].0, sides[to].1);
    };
    point(one, other);
    if dice.roll(2) == 0 {
        point(other, one);
        point(left[0], left[1]);
        point(left[1], left[0]);
    }
}

/// A random index below `count`, if there is one.
fn one_of(count: usize, dice: &mut Dice) -> Option<usize> {
    (count > 0).then(|| dice.roll(count as u32) as usize)
}

/// Changes the shape of a tile without updating dependent values.
fn reshape(parts: &mut Parts, dice: &mut Dice) {
    let vertices = parts.vertices.len();
    let (Some(one), Some(other)) = (one_of(vertices, dice), one_of(vertices, dice)) else { return };
    let axis = dice.roll(3) as usize;
    match dice.roll(12) {
        0 => parts.vertices.swap(one, other),
        1 => parts.vertices[one][axis] = parts.vertices[other][axis],
        2 => parts.vertices[one][axis] += dice.roll(400) - 200,
        3 => parts.header.width = dice.roll(40) as u32,
        4 => parts.header.depth = dice.roll(40) as u32,
        5 | 6 => lay_together(parts, dice),
        7 => {
            if let Some(at) = one_of(parts.portals.len(), dice) {
                parts.portals[at].side = dice.roll(5) as u8;
            }
        }
        8 => go_round_twice(parts, dice),
        9 => spoil_link(parts, dice),
        // A portal that no edge leads to.
        10 => parts.portals.extend(parts.portals.last().copied()),
        _ => {
            if let Some(edge) = one_of(parts.edges.len(), dice) {
                parts.edges[edge].vertex = one as u32;
            }
        }
    }
}

/// Changes one number of an off-mesh link to the limit of its range.
fn spoil_link(parts: &mut Parts, dice: &mut Dice) {
    let Some(at) = one_of(parts.links.len(), dice) else { return };
    let link = &mut parts.links[at];
    let number = [0, 1, -1, COORD_LIMIT, COORD_LIMIT + 1, -COORD_LIMIT - 1, i32::MIN][dice.roll(7) as usize];
    match dice.roll(6) {
        0 => link.start[dice.roll(3) as usize] = number,
        1 => link.end[dice.roll(3) as usize] = number,
        2 => link.radius = number,
        3 => link.area = dice.roll(2) as u8,
        4 => link.direction = dice.roll(4) as u8,
        _ => link.along[dice.roll(2) as usize] = number,
    }
}

/// The vertices at the ends of a portal's edge.
fn ends(parts: &Parts, portal: &Portal) -> Option<[usize; 2]> {
    let polygon = parts.polygons.get(portal.polygon as usize)?;
    let edges = parts.edges.get(polygon.edges())?;
    let at = usize::from(portal.edge);
    let vertices = [edges.get(at)?, &edges[(at + 1) % edges.len()]].map(|edge| edge.vertex as usize);
    vertices.iter().all(|&vertex| vertex < parts.vertices.len()).then_some(vertices)
}

/// Moves two portals of a side to the same height, and in some cases to the same place.
fn lay_together(parts: &mut Parts, dice: &mut Dice) {
    let Some(first) = one_of(parts.portals.len(), dice) else { return };
    let of_side = |at: &usize| *at != first && parts.portals[*at].side == parts.portals[first].side;
    let others: Vec<usize> = (0..parts.portals.len()).filter(of_side).collect();
    let Some(second) = one_of(others.len(), dice).map(|at| others[at]) else { return };
    let known = [first, second].map(|at| ends(parts, &parts.portals[at]));
    let [Some(from), Some(to)] = known else { return };
    let (height, moves) = (parts.vertices[from[0]][1], dice.roll(3) == 0);
    for (from, to) in from.into_iter().zip(to) {
        if moves {
            parts.vertices[to] = parts.vertices[from];
        }
        for vertex in [from, to] {
            parts.vertices[vertex][1] = height;
        }
    }
}

/// Reorders the corners of a polygon between walls, which has an odd number of them, in steps of two: every
/// corner still turns in the same direction.
fn go_round_twice(parts: &mut Parts, dice: &mut Dice) {
    let alone = |polygon: &&Polygon| {
        let walls = parts.edges.get(polygon.edges()).unwrap_or_default();
        walls.len() >= 5 && walls.len() % 2 == 1 && walls.iter().all(|edge| edge.kind == edge_kind::WALL)
    };
    let polygons: Vec<Polygon> = parts.polygons.iter().filter(alone).copied().collect();
    let Some(polygon) = one_of(polygons.len(), dice).map(|at| polygons[at]) else { return };
    let edges = &mut parts.edges[polygon.edges()];
    let vertices: Vec<u32> = edges.iter().map(|edge| edge.vertex).collect();
    for (at, edge) in edges.iter_mut().enumerate() {
        edge.vertex = vertices[2 * at % vertices.len()];
    }
}

/// Adds a copy of a polygon at other heights, with portals where the original has them and walls elsewhere.
fn add_storey(parts: &mut Parts, dice: &mut Dice) {
    let Some(at) = one_of(parts.polygons.len(), dice) else { return };
    let Polygon { edge_count, detail_vertex_count, .. } = parts.polygons[at];
    let by = 1 + 40_000 * dice.roll(3) + dice.roll(200);
    let raised = |vertices: &[[i32; 3]]| -> Vec<[i32; 3]> {
        vertices.iter().map(|[x, y, z]| [*x, y + by, *z]).collect()
    };
    let edges: Vec<Edge> = parts.edges[parts.polygons[at].edges()].to_vec();
    let corners: Vec<[i32; 3]> = edges.iter().map(|edge| parts.vertices[edge.vertex as usize]).collect();
    let first = parts.header.polygon_vertex_count as usize;
    let detail = raised(&parts.vertices[parts.polygons[at].detail_vertices()]);
    parts.vertices.splice(first..first, raised(&corners));
    parts.header.polygon_vertex_count += u32::from(edge_count);
    for polygon in &mut parts.polygons {
        polygon.first_detail_vertex += u32::from(edge_count);
    }
    let polygon = Polygon {
        first_edge: parts.edges.len() as u32,
        first_detail_vertex: parts.vertices.len() as u32,
        first_detail_triangle: parts.triangles.len() as u32,
        detail_vertex_count,
        ..parts.polygons[at]
    };
    parts.vertices.extend(detail);
    parts.triangles.extend_from_within(parts.polygons[at].detail_triangles());
    for (number, edge) in (0..).zip(edges) {
        let mut copy = Edge { vertex: first as u32 + u32::from(number), neighbour: 0, twin: 0, ..edge };
        copy.kind = if edge.kind == edge_kind::PORTAL { edge.kind } else { edge_kind::WALL };
        if let Some(portal) =
            parts.portals.get(edge.neighbour as usize).filter(|_| copy.kind != edge_kind::WALL)
        {
            let polygon = parts.polygons.len() as u32;
            parts.portals.push(Portal { polygon, edge: number, ..*portal });
        }
        parts.edges.push(copy);
    }
    parts.polygons.push(polygon);
    mend_bounds(parts);
}

/// Rebuilds the tree: about as deep as the limit if there are enough polygons, or of any other form.
fn lay_tree(parts: &mut Parts, dice: &mut Dice) {
    parts.nodes.clear();
    if dice.roll(4) == 0 {
        parts.header.bv_shift[dice.roll(3) as usize] = 20 + dice.roll(14) as u8;
    }
    let deep = if dice.roll(2) == 0 { 22 + dice.roll(6) as usize } else { dice.roll(6) as usize };
    if !parts.polygons.is_empty() {
        lay_node(parts, 0..parts.polygons.len(), deep, dice);
    }
    mend_boxes(parts);
}

/// A node over consecutive polygons: for `deep` levels one polygon each and the others below, then in parts
/// of about the same size.
fn lay_node(parts: &mut Parts, over: Range<usize>, deep: usize, dice: &mut Dice) {
    let empty = BvNode { min: [[u16::MAX; 4]; 3], max: [[0; 4]; 3], children: [BV_EMPTY; 4] };
    let index = parts.nodes.len();
    parts.nodes.push(empty);
    let mut from = over.start;
    let mut slot = 0;
    while from < over.end {
        let left = over.end - from;
        let share = match (slot, deep) {
            (3, _) => left,
            (_, 0) => left.div_ceil(4 - slot),
            (0, _) => 1,
            _ if dice.roll(8) == 0 => 1,
            _ => left,
        };
        if share == 1 {
            parts.nodes[index].children[slot] = BV_LEAF | from as u32;
        } else {
            parts.nodes[index].children[slot] = parts.nodes.len() as u32;
            lay_node(parts, from..from + share, deep.saturating_sub(1), dice);
        }
        (from, slot) = (from + share, slot + 1);
    }
}

/// Fits the header's bounds to the vertices, so that rules other than these are reached.
pub(crate) fn mend_bounds(parts: &mut Parts) {
    let bounds = IBox3::around(parts.vertices.iter().copied());
    if !parts.vertices.is_empty() {
        (parts.header.bounds_min, parts.header.bounds_max) = (bounds.min, bounds.max);
    }
}

/// Updates everything that depends on the vertices: bounds, boxes of the tree, and lines and order of the
/// portals.
pub(crate) fn mend(parts: &mut Parts) {
    mend_bounds(parts);
    mend_boxes(parts);
    mend_portals(parts);
}

/// Updates the boxes of the tree, from its leaves up: children come after their parents.
fn mend_boxes(parts: &mut Parts) {
    let header = &mut parts.header;
    for axis in 0..3 {
        let extent = i64::from(header.bounds_max[axis]) - i64::from(header.bounds_min[axis]);
        while header.bv_shift[axis] < 31 && extent >> header.bv_shift[axis] > i64::from(u16::MAX) {
            header.bv_shift[axis] += 1;
        }
    }
    let mut boxes = vec![IBox3::EMPTY; parts.nodes.len()];
    for index in (0..parts.nodes.len()).rev() {
        for slot in 0..4 {
            let child = parts.nodes[index].children[slot];
            let inner = match child {
                BV_EMPTY => continue,
                leaf if leaf & BV_LEAF != 0 => around(parts, (leaf & !BV_LEAF) as usize),
                node => boxes.get(node as usize).copied(),
            };
            let Some(inner) = inner.filter(|inner| (0..3).all(|axis| inner.min[axis] <= inner.max[axis]))
            else {
                return;
            };
            boxes[index] = boxes[index].grown(inner.min).grown(inner.max);
            for axis in 0..3 {
                let scale = |value: i32| {
                    let from = i64::from(value) - i64::from(parts.header.bounds_min[axis]);
                    (from >> parts.header.bv_shift[axis]) as u16
                };
                let (min, max) = (scale(inner.min[axis]), scale(inner.max[axis]));
                (parts.nodes[index].min[axis][slot], parts.nodes[index].max[axis][slot]) = (min, max);
            }
        }
    }
}

/// The box of a polygon's corners and detail vertices.
fn around(parts: &Parts, polygon: usize) -> Option<IBox3> {
    let polygon = parts.polygons.get(polygon)?;
    let first = polygon.first_detail_vertex as usize;
    let detail = parts.vertices.get(first..first + usize::from(polygon.detail_vertex_count))?;
    let corners = parts.edges.get(polygon.edges())?.iter();
    let corners = corners.filter_map(|edge| parts.vertices.get(edge.vertex as usize));
    Some(IBox3::around(corners.chain(detail).copied()))
}

/// Updates the ends and heights of the portals, their order, and their numbers in the edges.
fn mend_portals(parts: &mut Parts) {
    for at in 0..parts.portals.len() {
        let mut portal = parts.portals[at];
        let Some([a, b]) = ends(parts, &portal).map(|ends| ends.map(|vertex| parts.vertices[vertex])) else {
            return;
        };
        let along = if matches!(portal.side, side::X_MIN | side::X_MAX) { 2 } else { 0 };
        let [low, high] = if portal.side < side::X_MAX { [a, b] } else { [b, a] };
        (portal.start, portal.end) = (low[along], high[along]);
        (portal.start_height, portal.end_height) = (low[1], high[1]);
        parts.portals[at] = portal;
    }
    let key = |portal: &Portal| (portal.side, portal.start, portal.start_height, portal.polygon, portal.edge);
    parts.portals.sort_by_key(key);
    for (index, portal) in (0..).zip(&parts.portals) {
        let first = parts.polygons[portal.polygon as usize].first_edge;
        parts.edges[first as usize + usize::from(portal.edge)].neighbour = index;
    }
}
