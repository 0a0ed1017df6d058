//! One side of a tile compared with the tiles beyond: each portal as a whole, or in parts with one fault
//! each.

use super::{SeamException, SeamFault, SeamReport, world};
use crate::border::Line;
use crate::layout::{Portal, side};
use crate::seam::{Match, SeamPlace, match_portals, side_range};
use crate::tile::Tile;
use navmath::FIXED_ONE;
use navmath::sort::SharedSort;

/// A portal beyond the seam that shares an interval with ours and comes within one climb.
#[derive(Clone, Copy)]
struct Partner<'a> {
    tile: &'a Tile,
    found: Match,
    /// The partner's line, relative to our tile.
    line: Line,
    /// True if the match is also found from the partner's side.
    both_ways: bool,
}

/// A part of a portal: its interval, relative to the tile, and its fault.
struct PortalInterval<'a> {
    start: i32,
    end: i32,
    fault: SeamFault,
    partner: Option<Partner<'a>>,
}

/// Checks the portals on side `on` of `tile` against the tiles beyond.
pub(super) fn check(tile: &Tile, on: u8, beyond: &[&Tile], report: &mut SeamReport) {
    let mut partners: Vec<Partner<'_>> = Vec::new();
    for other in beyond {
        let back = match_portals(other, Tile::opposite(on), tile);
        partners.extend(partners_in(tile, on, other, &match_portals(tile, on, other), &back));
    }
    partners.shared_sort_by_key(|partner| partner.found.a);
    let mut rest = &partners[..];
    for index in side_range(tile.portals(), on) {
        let count = rest.partition_point(|partner| partner.found.a as usize <= index);
        let (own, others) = rest.split_at(count);
        rest = others;
        let portal = &tile.portals()[index];
        let line = Line::new(portal, 0, 0);
        let mut parts: Vec<PortalInterval<'_>> = own
            .iter()
            .filter(|partner| !partner.both_ways)
            .map(|partner| PortalInterval {
                start: partner.found.start,
                end: partner.found.end,
                fault: SeamFault::OneWay,
                partner: Some(*partner),
            })
            .collect();
        if own.iter().any(|partner| partner.line == line) {
            report.matched += 1;
            if matches!(on, side::X_MAX | side::Z_MAX) {
                report.matched_length += metres(tile, portal.start, portal.end);
            }
        } else {
            parts.extend(faults(tile, portal, own, !beyond.is_empty()));
        }
        report.exceptions.extend(parts.iter().map(|part| exception(tile, index as u32, portal, part)));
    }
}

/// The matches from `tile` to `other` as partners; `back` are those from `other` to `tile`.
fn partners_in<'a>(
    tile: &Tile,
    on: u8,
    other: &'a Tile,
    forth: &[Match],
    back: &[Match],
) -> Vec<Partner<'a>> {
    let (along, up) = SeamPlace::of(tile.header()).offset(on, &SeamPlace::of(other.header()));
    // As seen from our tile, so that the two lists are comparable.
    let mut turned: Vec<(u32, u32, i64, i64)> = back
        .iter()
        .map(|found| (found.b, found.a, i64::from(found.start) + along, i64::from(found.end) + along))
        .collect();
    turned.shared_sort();
    let partner = |&found: &Match| {
        let seen = (found.a, found.b, i64::from(found.start), i64::from(found.end));
        Partner {
            tile: other,
            found,
            line: Line::new(&other.portals()[found.b as usize], along, up),
            both_ways: turned.binary_search(&seen).is_ok(),
        }
    };
    forth.iter().map(partner).collect()
}

/// Cuts a portal without an equal into parts, at the ends of its partners. On each part the partner nearest
/// in height counts.
fn faults<'a>(tile: &Tile, portal: &Portal, own: &[Partner<'a>], has_tile: bool) -> Vec<PortalInterval<'a>> {
    let line = Line::new(portal, 0, 0);
    let unit = tile.header().cell_height / f64::from(FIXED_ONE);
    let mut by_start: Vec<Partner<'a>> = own.to_vec();
    by_start.shared_sort_by_key(|partner| partner.found.start);
    let mut cuts: Vec<i32> = vec![portal.start, portal.end];
    cuts.extend(own.iter().flat_map(|partner| [partner.found.start, partner.found.end]));
    cuts.shared_sort();
    cuts.dedup();
    let mut parts: Vec<PortalInterval<'a>> = Vec::new();
    let mut open: Vec<Partner<'a>> = Vec::new();
    let mut waiting = by_start.into_iter().peekable();
    for cut in cuts.windows(2) {
        let (start, end) = (cut[0], cut[1]);
        open.retain(|partner| partner.found.end > start);
        while let Some(partner) = waiting.next_if(|partner| partner.found.start <= start) {
            open.push(partner);
        }
        let interval = (i64::from(start), i64::from(end));
        let apart = |partner: &Partner<'_>| line.apart(&partner.line, interval) * unit;
        let nearest = open.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let fault = match nearest {
            None if has_tile => SeamFault::NoPartner,
            None => SeamFault::NoTile,
            Some(partner) if line.coincides(&partner.line, interval) => SeamFault::Interval,
            Some(partner) => SeamFault::Height { by: apart(partner) },
        };
        let part = PortalInterval { start, end, fault, partner: nearest.copied() };
        match parts.last_mut() {
            Some(last) if continues(last, &part) => join(last, &part),
            _ => parts.push(part),
        }
    }
    parts
}

/// Returns true if two consecutive parts have the same partner and kind of fault.
fn continues(last: &PortalInterval<'_>, next: &PortalInterval<'_>) -> bool {
    let partner =
        |part: &PortalInterval<'_>| part.partner.map(|partner| (partner.tile.coord(), partner.found.b));
    std::mem::discriminant(&last.fault) == std::mem::discriminant(&next.fault)
        && partner(last) == partner(next)
}

fn join(last: &mut PortalInterval<'_>, next: &PortalInterval<'_>) {
    last.end = next.end;
    if let (SeamFault::Height { by: last }, SeamFault::Height { by: next }) = (&mut last.fault, next.fault) {
        *last = last.max(next);
    }
}

fn exception(tile: &Tile, index: u32, portal: &Portal, part: &PortalInterval<'_>) -> SeamException {
    let middle = (f64::from(part.start) + f64::from(part.end)) / 2.0;
    let share = (middle - f64::from(portal.start)) / (f64::from(portal.end) - f64::from(portal.start));
    let (low, high) = (f64::from(portal.start_height), f64::from(portal.end_height));
    let height = low + (high - low) * share;
    let [width, depth] =
        [tile.header().width, tile.header().depth].map(|v| f64::from(v) * f64::from(FIXED_ONE));
    let fixed = match portal.side {
        side::X_MIN => [0.0, height, middle],
        side::X_MAX => [width, height, middle],
        side::Z_MIN => [middle, height, 0.0],
        _ => [middle, height, depth],
    };
    SeamException {
        fault: part.fault,
        tile: tile.coord(),
        side: portal.side,
        portal: index,
        partner: part.partner.map(|partner| (partner.tile.coord(), partner.found.b)),
        at: world(tile, fixed),
        length: metres(tile, part.start, part.end),
    }
}

/// Length of an interval along a border.
fn metres(tile: &Tile, start: i32, end: i32) -> f64 {
    (f64::from(end) - f64::from(start)) * tile.header().cell_size / f64::from(FIXED_ONE)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
