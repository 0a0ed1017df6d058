//! Chooses the links to keep among all possible ones: each must be worth it, and no two may serve the same
//! purpose.
//!
//! Candidates are examined by length, the shortest first. A candidate is left out if there is a short path
//! without it, on foot or by a link that is already kept; else it is kept. This is the greedy spanner (I.
//! Althöfer and others, "On sparse spanners of weighted graphs", 1993): for each candidate that is left out
//! there is a path of at most `worth` times its length. Each kept link is widened to a link between edges
//! (`widen.rs`), which serves all candidates along it.

use crate::candidates::{self, Candidate};
use crate::ground::LevelGround;
use crate::known_ways::{KnownWays, WayLink};
use crate::ladders::Ladders;
use crate::link::{EdgePoints, GeneratedLink};
use crate::order::LinkOrder;
use crate::profile::{Reach, tenths};
use crate::ways::{FloorWalker, as_crow_flies};
use crate::widen::{FloorPair, Runs};
use crate::zone::{Rect, Zone};
use navmath::sort::SharedSort;
use recast::PreparedLevel;
use std::collections::BTreeMap;

/// A link between two floors, with the links next to it that make it a link between edges.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChosenLink {
    /// Index of its profile.
    pub(crate) profile: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) both_ways: bool,
    /// The floors of all links along the edges in order, including its own; only its own if it leads between
    /// points.
    pub(crate) run: Vec<FloorPair>,
}

impl ChosenLink {
    /// Its place in the order of candidates.
    pub(super) fn order(&self, ground: &LevelGround, cell: [f64; 2]) -> LinkOrder {
        let ends = [self.start, self.end];
        let length = ground.length(ends, cell);
        LinkOrder::new(length, self.profile, ends.map(|floor| ground.position(floor)))
    }
}

/// The part of a level whose candidates are judged, on ground that reaches beyond it.
pub(super) struct Part<'a> {
    /// Links are wanted that start here.
    pub(super) own: Rect,
    /// The area in which all candidates that start there are known.
    pub(super) zone: &'a Zone,
    /// Returns true if candidates are judged that start in a column; elsewhere links are known.
    pub(super) is_judged: &'a dyn Fn([i32; 2]) -> bool,
    /// These links, in the order of candidates.
    pub(super) known: &'a [(&'a LinkOrder, &'a GeneratedLink)],
}

/// The links of a level that are kept, in the order of candidates.
pub(crate) fn choose(ground: &LevelGround, level: &PreparedLevel) -> Vec<ChosenLink> {
    let zone = &Zone::whole();
    choose_in(ground, level, &Part { own: zone.rect, zone, is_judged: &|_| true, known: &[] }).0
}

/// The links of a part of a level that are kept, in the order of candidates. Also returns all candidates.
pub(super) fn choose_in<'a>(
    ground: &'a LevelGround,
    level: &PreparedLevel,
    part: &Part<'a>,
) -> (Vec<ChosenLink>, Runs<'a>) {
    let config = &level.config;
    let cell = [config.settings.cell_size, config.settings.cell_height];
    let reaches: Vec<Reach> =
        config.settings.links.iter().map(|profile| Reach::new(profile, config)).collect();
    let surfaces = config.settings.links.iter().map(|profile| profile.surface);
    let ladders: Vec<Option<Ladders>> =
        surfaces.map(|surface| Some(Ladders::new(level, ground, surface?))).collect();
    let mut candidates = candidates::find(ground, config.into(), &reaches, (&ladders, cell), part.zone);
    candidates.shared_sort_by(|a, b| a.order(b, ground));
    let mut longest = vec![0.0f64; reaches.len()];
    for candidate in &candidates {
        longest[usize::from(candidate.profile)] = candidate.length;
    }
    // A level of the greatest size needs no larger squares.
    let side = |(reach, &longest): (&Reach, &f64)| {
        (reach.longest_way(longest, cell[0]).max(2 * reach.spacing) / 10 + 1).min(1 << 20) as i32
    };
    let sides = reaches.iter().zip(&longest).map(side).collect();
    let runs = Runs::new(ground, candidates, (part.own, part.zone));
    let (walker, known) = (FloorWalker::new(ground), KnownWays::new(ground));
    let mut chosen = Chosen { ground, walker, known, runs, links: Vec::new(), near: BTreeMap::new(), sides };
    let (mut index, mut others) = (0, part.known.iter().peekable());
    while let Some(candidate) = chosen.runs.candidate(index) {
        index += 1;
        if !(part.is_judged)(ground.floors[candidate.start as usize].at) {
            continue;
        }
        while let Some((order, link)) = others.next_if(|(order, _)| **order < candidate.place(ground)) {
            let spacing = reaches[usize::from(order.profile())].spacing;
            chosen.note(link, tenths(order.length(), cell[0]), spacing);
        }
        let reach = &reaches[usize::from(candidate.profile)];
        let own = Detour {
            length: tenths(candidate.length, cell[0]),
            most: reach.longest_way(candidate.length, cell[0]),
            near: 2 * reach.spacing,
        };
        if !chosen.runs.has_taken(&candidate)
            && !chosen.is_near_by_known(&candidate, &own)
            && !chosen.is_served(&candidate, &own)
            && !chosen.is_near(&candidate, &own)
        {
            chosen.keep(&candidate, own.length, reach.spacing);
        }
    }
    (chosen.links, chosen.runs)
}

/// Links of one profile between two islands.
type Key = (u16, u32, u32);
/// Links by the square of the lattice that they start in.
type Squares = BTreeMap<[i32; 2], Vec<DirectedLink>>;

/// Limits within which a detour makes a link redundant; tenths of a cell.
struct Detour {
    /// The length of the link.
    length: u32,
    /// The longest path without it that makes it redundant.
    most: u32,
    /// Another link makes it redundant if the distances between their ends add up to at most this.
    near: u32,
}

/// A link that is kept, in one direction.
#[derive(Clone, Copy)]
struct DirectedLink {
    start: u32,
    end: u32,
    length: u32,
}

/// The links that are kept so far.
struct Chosen<'a> {
    ground: &'a LevelGround,
    walker: FloorWalker<'a>,
    known: KnownWays<'a>,
    runs: Runs<'a>,
    links: Vec<ChosenLink>,
    /// By the square and islands of their starts; bidirectional links are also stored by their ends.
    near: BTreeMap<Key, Squares>,
    /// For each profile, the side of a square, cells: no detour is longer.
    sides: Vec<i32>,
}

impl Chosen<'_> {
    fn key(&self, profile: u16, ends: [u32; 2]) -> Key {
        let [from, to] = ends.map(|floor| self.ground.island(&self.ground.floors[floor as usize]));
        (profile, from, to)
    }

    fn square(&self, profile: u16, start: u32) -> [i32; 2] {
        let side = self.sides[usize::from(profile)];
        self.ground.floors[start as usize].at.map(|cell| cell.div_euclid(side))
    }

    /// Returns true if a short enough path on foot follows from a known one.
    fn is_near_by_known(&mut self, candidate: &Candidate, own: &Detour) -> bool {
        let ends = [candidate.start, candidate.end];
        self.known.follows(ends, |link| link.is_none().then_some(own.most))
    }

    /// Returns true if there is a short enough path on foot.
    fn is_near(&mut self, candidate: &Candidate, own: &Detour) -> bool {
        let Candidate { start, end, .. } = *candidate;
        let way = self.walker.any_way([start, end], own.most);
        if let Some(length) = way {
            self.known.add([start, end], length, None);
        }
        way.is_some()
    }

    /// Returns true if a kept link serves a candidate: a path over it is short enough, or its ends are near.
    fn is_served(&mut self, candidate: &Candidate, own: &Detour) -> bool {
        let Candidate { profile, start, end, both_ways, .. } = *candidate;
        self.is_served_from(profile, [start, end], own)
            && (!both_ways || self.is_served_from(profile, [end, start], own))
    }

    fn is_served_from(&mut self, profile: u16, [start, end]: [u32; 2], own: &Detour) -> bool {
        let at = |floor: u32| self.ground.floors[floor as usize].at;
        let walked = |by: u32| own.most.saturating_sub(by).max(own.near);
        let by_link = |link: Option<WayLink>| {
            link.filter(|link| link.profile == profile).map(|link| walked(link.length))
        };
        if self.known.follows([start, end], by_link) {
            return true;
        }
        let Some(squares) = self.near.get(&self.key(profile, [start, end])) else { return false };
        let [x, z] = self.square(profile, start);
        let around = (x - 1..=x + 1).flat_map(|x| squares.range([x, z - 1]..=[x, z + 1]));
        for kept in around.flat_map(|(_, links)| links) {
            let most = walked(kept.length);
            let beyond = as_crow_flies(at(kept.end), at(end));
            if as_crow_flies(at(start), at(kept.start)) + beyond > most {
                continue;
            }
            let Some(before) = self.walker.way(start, kept.start, most - beyond) else { continue };
            if let Some(after) = self.walker.any_way([kept.end, end], most - before) {
                let link = WayLink { profile, length: kept.length };
                self.known.add([start, end], before + after, Some(link));
                return true;
            }
        }
        false
    }

    /// Keeps a candidate, widened. Other candidates are compared with points along its edges at the wanted
    /// distance between links, `spacing` in tenths of a cell.
    fn keep(&mut self, candidate: &Candidate, length: u32, spacing: u32) {
        let Candidate { profile, start, end, both_ways, .. } = *candidate;
        let run = self.runs.take(candidate);
        let own = run.iter().position(|pair| *pair == [start, end]).unwrap_or(0);
        let points = EdgePoints::new(run.len(), own, spacing);
        for (_, pair) in run.iter().enumerate().filter(|(at, _)| points.has(*at)) {
            self.serve((profile, both_ways), *pair, length);
        }
        self.links.push(ChosenLink { profile, start, end, both_ways, run });
    }

    /// Notes a link that is kept elsewhere, as far as it is on this ground.
    fn note(&mut self, link: &GeneratedLink, length: u32, spacing: u32) {
        let (profile, points) = (link.profile(), link.points(spacing));
        for (at, place) in link.run.iter().enumerate() {
            let [Some(start), Some(end)] = place.cells.map(|cell| self.ground.floor_at(cell)) else {
                continue;
            };
            self.runs.mark_taken(profile, [start, end]);
            if points.has(at) {
                self.serve((profile, link.connection.both_ways), [start, end], length);
            }
        }
    }

    /// From here on, a point along a kept link serves other candidates.
    fn serve(&mut self, (profile, both_ways): (u16, bool), [start, end]: FloorPair, length: u32) {
        let directions = [[start, end], [end, start]];
        for [start, end] in directions.into_iter().take(1 + usize::from(both_ways)) {
            let (key, square) = (self.key(profile, [start, end]), self.square(profile, start));
            let squares = self.near.entry(key).or_default();
            squares.entry(square).or_default().push(DirectedLink { start, end, length });
        }
    }
}
