//! The cheapest path over all floors. Walking on the mesh costs next to nothing, and everything that the
//! agent cannot do has a price. Cost: O(spans log spans).
//! Source: E. W. Dijkstra, A note on two problems in connexion with graphs (1959).

use super::REACH;
use super::floors::{Fate, Floors};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A floor on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stand {
    pub(super) cell: [u32; 2],
    pub(super) span: usize,
}

/// Prices in thousandths of a metre walked off the mesh.
const ON_MESH: f64 = 1.0;
const OFF_MESH: f64 = 1000.0;
/// The price of a leap of any width, and of each metre of it.
const LEAP: [f64; 2] = [3000.0, 2500.0];
/// Width of the widest gap that is searched across, metres.
const WIDEST: f64 = 12.0;
/// Number of directions that are searched from a brink.
const RAYS: usize = 32;

/// The floors of the cheapest path from one place to another; `None` if nothing leads across.
pub(super) fn find(floors: &Floors, ends: [[f64; 3]; 2]) -> Option<Vec<Stand>> {
    let [from, to] = [nearest_kept(floors, ends[0])?, nearest_kept(floors, ends[1])?];
    let mut open = BinaryHeap::from([Reverse((0u64, from))]);
    // The price of each floor that was reached, and the floor before it.
    let mut known: BTreeMap<usize, (u64, Stand)> = BTreeMap::from([(from.span, (0, from))]);
    while let Some(Reverse((price, at))) = open.pop() {
        if known.get(&at.span).is_some_and(|best| best.0 < price) {
            continue;
        }
        if at.span == to.span {
            return Some(retrace(&known, from, to));
        }
        let mut brink = false;
        let mut offer = |next: Stand, more: f64| {
            let price = price + more as u64;
            if known.get(&next.span).is_none_or(|best| price < best.0) {
                known.insert(next.span, (price, at));
                open.push(Reverse((price, next)));
            }
        };
        for (dx, dz) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
            let Some(cell) = moved(floors, at.cell, dx, dz) else {
                brink = true;
                continue;
            };
            let mut level_ground = false;
            for span in floors.spans.column(floors.grid().column(cell[0], cell[1])) {
                let next = Stand { cell, span };
                if let Some(price) = walk(floors, at, next) {
                    offer(next, price);
                }
                level_ground |= step(floors, at, next).abs() <= floors.agent[1];
            }
            brink |= !level_ground;
        }
        if brink {
            leaps(floors, at, &mut offer);
        }
    }
    None
}

fn retrace(known: &BTreeMap<usize, (u64, Stand)>, from: Stand, to: Stand) -> Vec<Stand> {
    let mut way = vec![to];
    let mut at = to;
    while at != from {
        let Some(&(_, before)) = known.get(&at.span) else { break };
        way.push(before);
        at = before;
    }
    way.reverse();
    way
}

/// The floor of the mesh nearest to a place, within reach.
fn nearest_kept(floors: &Floors, place: [f64; 3]) -> Option<Stand> {
    let grid = floors.grid();
    let [across, up] = REACH;
    let cell =
        |axis: usize, base: i32| (place[axis] - floors.origin[axis]) / floors.cell[0] - f64::from(base);
    let around = (across / floors.cell[0]).ceil() + 1.0;
    let range = |middle: f64, count: u32| {
        let least = (middle - around).floor().max(0.0) as u32;
        least..((middle + around).ceil().max(0.0) as u32).min(count)
    };
    let mut best: Option<(f64, Stand)> = None;
    for z in range(cell(2, grid.base_z), grid.depth) {
        for x in range(cell(0, grid.base_x), grid.width) {
            for span in floors.spans.column(grid.column(x, z)) {
                let at = floors.place([x, z], span);
                let distance: f64 = (0..3).map(|axis| (at[axis] - place[axis]).powi(2)).sum();
                let near = (at[1] - place[1]).abs() <= up + floors.cell[1];
                if floors.fates[span] == Fate::Kept && near && best.is_none_or(|known| distance < known.0) {
                    best = Some((distance, Stand { cell: [x, z], span }));
                }
            }
        }
    }
    best.map(|(_, stand)| stand)
}

pub(super) fn moved(floors: &Floors, [x, z]: [u32; 2], dx: i32, dz: i32) -> Option<[u32; 2]> {
    let (x, z) = (x.checked_add_signed(dx)?, z.checked_add_signed(dz)?);
    (x < floors.grid().width && z < floors.grid().depth).then_some([x, z])
}

/// Height from one floor to another, cells.
pub(super) fn step(floors: &Floors, from: Stand, to: Stand) -> i32 {
    floors.spans.max[to.span] - floors.spans.max[from.span]
}

/// The free height for a step from a floor to a neighbouring one, cells.
pub(super) fn headroom(floors: &Floors, from: Stand, to: Stand) -> i32 {
    let ceiling = floors.ceiling(from.cell, from.span).min(floors.ceiling(to.cell, to.span));
    ceiling - floors.spans.max[from.span].max(floors.spans.max[to.span])
}

/// Returns true if the mesh leads from a floor to a neighbouring one.
pub(super) fn is_on_mesh(floors: &Floors, from: Stand, to: Stand) -> bool {
    let [height, climb, _] = floors.agent;
    [from, to].map(|stand| floors.fates[stand.span]) == [Fate::Kept; 2]
        && !floors.is_closed(from.span, to.span)
        && step(floors, from, to).abs() <= climb
        && headroom(floors, from, to) >= height
}

/// The price of a step to a neighbouring floor; `None` through a solid.
fn walk(floors: &Floors, from: Stand, to: Stand) -> Option<f64> {
    let room = headroom(floors, from, to);
    if room <= 0 {
        return None;
    }
    let [_, climb, radius] = floors.agent;
    let (metres, metres_up) = (floors.cell[0], floors.cell[1]);
    if is_on_mesh(floors, from, to) {
        return Some(ON_MESH * metres);
    }
    let rise = step(floors, from, to).abs();
    let factor = match floors.fates[to.span] {
        Fate::Kept | Fate::Small => 1.0,
        Fate::Eroded(distance) => {
            // The middle of a passage is cheapest.
            let lack = 1.0 - f64::from(distance) / f64::from(radius * 2).max(1.0);
            1.0 + 3.0 * lack * lack
        }
        Fate::Ledge(None) => 4.0,
        Fate::Ledge(Some(_)) | Fate::Volume(_) => 5.0,
        Fate::Low | Fate::Unwalkable => 6.0,
    };
    let too_high = f64::from((rise - climb).max(0)) * metres_up;
    let step = if too_high > 0.0 { 2000.0 + 4000.0 * too_high } else { 0.0 };
    Some(OFF_MESH * metres * factor + step)
}

/// Offers the floors across thin air from a brink.
fn leaps(floors: &Floors, from: Stand, offer: &mut impl FnMut(Stand, f64)) {
    let [height, climb, _] = floors.agent;
    let farthest = (WIDEST / floors.cell[0]).floor() as u32;
    let floor = floors.spans.max[from.span];
    for ray in 0..RAYS {
        let angle = ray as f64 / RAYS as f64 * std::f64::consts::TAU;
        let (dx, dz) = (libm::cos(angle), libm::sin(angle));
        for far in 1..=farthest {
            let offset = |share: f64| (share * f64::from(far)).round() as i32;
            let (ox, oz) = (offset(dx), offset(dz));
            if (ox, oz) == (0, 0) {
                continue;
            }
            let Some(cell) = moved(floors, from.cell, ox, oz) else { break };
            let column = floors.spans.column(floors.grid().column(cell[0], cell[1]));
            let width = f64::from(ox * ox + oz * oz).sqrt() * floors.cell[0];
            // Up or down by the agent's own height; farther out, by twice the width of the gap.
            let reach = height.max(climb).max((2.0 * width / floors.cell[1]) as i32);
            let landing = column.clone().find(|&span| (floors.spans.max[span] - floor).abs() <= reach);
            if let Some(span) = landing {
                if far > 1 {
                    let rise = f64::from((floors.spans.max[span] - floor).abs()) * floors.cell[1];
                    offer(Stand { cell, span }, LEAP[0] + LEAP[1] * (width + rise));
                }
                break;
            }
            // A wall blocks this direction.
            let body = |span: usize| {
                floors.spans.max[span] > floor + climb && floors.spans.min[span] < floor + height
            };
            if column.into_iter().any(body) {
                break;
            }
        }
    }
}
