//! Watershed: regions grow level by level from the peaks of the distance field; where none reaches, a new one
//! starts.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, DistanceField, RegionId};

/// Levels of the distance field are taken two half cells at a time, and spans are sorted into this many levels
/// at once.
const STACKS: usize = 8;
/// How often regions may grow by one span at each level before new ones may start.
const GROWTH: usize = 8;

struct Watershed<'a> {
    field: &'a CompactField<Eroded>,
    distance: &'a [u16],
    labels: &'a mut [RegionId],
    /// Steps from where each span's region started, doubled; the nearer region wins a span.
    steps: Vec<u16>,
    next_id: u32,
    grown: Vec<(u32, RegionId, u16)>,
    flood: Vec<u32>,
}

/// Labels every walkable span that has no label yet; returns the number of regions.
pub(super) fn flood_all(distance: &DistanceField, labels: &mut [RegionId]) -> u32 {
    let mut state = Watershed {
        field: &distance.field,
        distance: &distance.distance,
        steps: vec![0; labels.len()],
        labels,
        next_id: 1,
        grown: Vec::new(),
        flood: Vec::new(),
    };
    let mut stacks: [Vec<u32>; STACKS] = Default::default();
    let mut stack = STACKS - 1;
    let mut level = (u32::from(distance.max_distance) + 1) & !1;
    while level > 0 {
        level = level.saturating_sub(2);
        stack = (stack + 1) % STACKS;
        if stack == 0 {
            state.sort_by_level(level, &mut stacks);
        } else {
            let (before, from) = stacks.split_at_mut(stack);
            from[0].extend(before[stack - 1].iter().filter(|&&span| state.labels[span as usize].is_none()));
        }
        state.grow(&mut stacks[stack], if level > 0 { GROWTH } else { usize::MAX });
        for &span in &stacks[stack] {
            if state.labels[span as usize].is_none() {
                state.start(span as usize, level);
            }
        }
    }
    let mut rest: Vec<u32> =
        (0..state.labels.len() as u32).filter(|&span| state.is_open(span as usize)).collect();
    state.grow(&mut rest, usize::MAX);
    state.next_id - 1
}

impl Watershed<'_> {
    fn is_open(&self, span: usize) -> bool {
        self.labels[span].is_none() && self.field.area[span].is_walkable()
    }

    /// Sorts all open spans of the next levels into the stacks, the highest first; what is higher still goes to
    /// the first.
    fn sort_by_level(&self, level: u32, stacks: &mut [Vec<u32>; STACKS]) {
        stacks.iter_mut().for_each(Vec::clear);
        for span in 0..self.labels.len() {
            if self.is_open(span) {
                let below = (level >> 1).saturating_sub(u32::from(self.distance[span]) >> 1) as usize;
                if let Some(stack) = stacks.get_mut(below) {
                    stack.push(span as u32);
                }
            }
        }
    }

    /// Grows the regions into the spans of `open`, one ring at a time and at most `rounds` rings; what is left
    /// over stays in `open`, in order.
    fn grow(&mut self, open: &mut Vec<u32>, rounds: usize) {
        open.retain(|&span| self.labels[span as usize].is_none());
        for _ in 0..rounds {
            self.grown.clear();
            let grown = &mut self.grown;
            open.retain(|&span| match nearest_region(self.field, self.labels, &self.steps, span as usize) {
                Some((label, steps)) => {
                    grown.push((span, label, steps));
                    false
                }
                None => true,
            });
            if grown.is_empty() {
                break;
            }
            // Written only now, so that a ring does not depend on the order of its spans.
            for &(span, label, steps) in grown.iter() {
                self.labels[span as usize] = label;
                self.steps[span as usize] = steps;
            }
        }
    }

    /// Starts a region at `seed` and floods it over all open spans of its area down to one level below. Spans
    /// that touch another region are left open.
    fn start(&mut self, seed: usize, level: u32) {
        let label = RegionId::inner(self.next_id);
        let area = self.field.area[seed];
        let least = level.saturating_sub(2);
        let mut any = false;
        self.flood.clear();
        self.flood.push(seed as u32);
        self.labels[seed] = label;
        self.steps[seed] = 0;
        while let Some(span) = self.flood.pop() {
            let span = span as usize;
            if self.touches_other(span, label) {
                self.labels[span] = RegionId::NONE;
                continue;
            }
            any = true;
            for direction in Direction::ALL {
                let Some(beside) = self.field.neighbour(span, direction) else { continue };
                let open = self.field.area[beside] == area && self.labels[beside].is_none();
                if open && u32::from(self.distance[beside]) >= least {
                    self.labels[beside] = label;
                    self.steps[beside] = 0;
                    self.flood.push(beside as u32);
                }
            }
        }
        self.next_id += u32::from(any);
    }

    /// Whether one of the eight neighbours of `span`, of the same area, has another region. The border counts
    /// only across a corner, as in the reference.
    fn touches_other(&self, span: usize, label: RegionId) -> bool {
        let area = self.field.area[span];
        Direction::ALL.iter().any(|&direction| {
            let Some(beside) = self.field.neighbour(span, direction) else { return false };
            let other = self.labels[beside];
            if self.field.area[beside] != area || other.is_border() {
                return false;
            }
            if !other.is_none() && other != label {
                return true;
            }
            self.field.neighbour(beside, direction.next()).is_some_and(|diagonal| {
                let other = self.labels[diagonal];
                self.field.area[diagonal] == area && !other.is_none() && other != label
            })
        })
    }
}

/// The region of the same area next to `span` that started nearest, and the steps to it.
fn nearest_region(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    steps: &[u16],
    span: usize,
) -> Option<(RegionId, u16)> {
    let mut best: Option<(RegionId, u16)> = None;
    for direction in Direction::ALL {
        let Some(beside) = field.neighbour(span, direction) else { continue };
        if field.area[beside] != field.area[span] || !labels[beside].is_inner() {
            continue;
        }
        let reached = steps[beside].saturating_add(2);
        if best.is_none_or(|(_, least)| reached < least) {
            best = Some((labels[beside], reached));
        }
    }
    best
}
