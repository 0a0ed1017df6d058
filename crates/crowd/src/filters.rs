//! The filters of a crowd, shared between its agents and their searches.

use crate::fnv::Fnv;
use detour::{Attributes, CostModel, Filter, FilterId, NavMesh, PolyRef, PolygonKind, Step, Uniformity};
use glam::{Vec2, Vec3Swizzles};
use std::sync::Arc;

/// A filter that searches can own.
#[derive(Clone, Debug)]
pub(crate) struct CrowdFilter {
    pub(crate) filter: Arc<Filter>,
    /// Ground that bodies hold, if there is any.
    pub(crate) held: Option<Arc<HeldGround>>,
    /// Speed on each area, if it differs: shares of an agent's speed, up and down.
    pub(crate) area_speeds: Option<Arc<[[f32; 2]; 256]>>,
}

/// The ground around bodies that hold passages.
#[derive(Debug, Default)]
pub(crate) struct HeldGround {
    pub(crate) discs: Vec<Held>,
    /// The polygons near each disc, and its number; sorted.
    pub(crate) polygons: Vec<(PolyRef, u32)>,
}

/// Ground around a body that costs more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) at: Vec2,
    /// Metres around it.
    pub(crate) reach: f32,
    /// Factor on the cost of a metre there, in addition to that cost.
    pub(crate) per_metre: f32,
}

impl HeldGround {
    /// The discs near a polygon.
    fn discs_near(&self, polygon: PolyRef) -> impl Iterator<Item = &Held> {
        let first = self.polygons.partition_point(|(other, _)| *other < polygon);
        let own = self.polygons[first..].iter().take_while(move |(other, _)| *other == polygon);
        own.filter_map(|(_, number)| self.discs.get(*number as usize))
    }

    /// Returns true if a polygon is near a body that holds a passage.
    pub(crate) fn has(&self, polygon: PolyRef) -> bool {
        self.discs_near(polygon).next().is_some()
    }
}

impl Held {
    /// The part of a move that is within the disc, 0 to 1.
    fn part_within(&self, from: Vec2, to: Vec2) -> f32 {
        let (way, offset) = (to - from, from - self.at);
        let (a, b) = (way.length_squared(), offset.dot(way));
        let discriminant = b * b - a * (offset.length_squared() - self.reach * self.reach);
        if a <= 0.0 || discriminant <= 0.0 {
            return 0.0;
        }
        let root = discriminant.sqrt();
        ((root - b) / a).clamp(0.0, 1.0) - ((-root - b) / a).clamp(0.0, 1.0)
    }
}

impl CrowdFilter {
    pub(crate) fn new(filter: Filter, held: Option<Arc<HeldGround>>) -> CrowdFilter {
        CrowdFilter { filter: Arc::new(filter), held, area_speeds: None }
    }

    /// A hash of the contents. Filters that allow the same ground at the same costs and
    /// speeds have the same hash.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add(self.filter.include());
        hash.add(self.filter.exclude());
        for areas in self.filter.closed_areas() {
            hash.add(areas as u32);
            hash.add((areas >> 32) as u32);
        }
        (0..=u8::MAX).for_each(|area| hash.add(self.filter.area_cost(area).to_bits()));
        let slopes = CostModel::slopes(&*self.filter);
        if !slopes.is_none() {
            let limits = [slopes.max_slope_up(), slopes.max_slope_down()];
            let parts = [slopes.climb_cost(), slopes.descent_cost()].into_iter().chain(limits);
            parts.for_each(|part| hash.add(part.to_bits()));
        }
        for share in self.area_speeds.iter().flat_map(|speeds| speeds.as_flattened()) {
            hash.add(share.to_bits());
        }
        hash.value()
    }

    /// The part of its speed that an agent keeps in an area, upwards or downwards.
    pub(crate) fn area_speed(&self, area: u8, is_up: bool) -> f32 {
        self.area_speeds.as_ref().map_or(1.0, |speeds| speeds[usize::from(area)][usize::from(!is_up)])
    }
}

impl CostModel for CrowdFilter {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        self.filter.passes(polygon)
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        let cost = self.filter.cost(step);
        let Some(held) = &self.held else { return cost };
        let added = held
            .discs_near(step.polygon.polygon)
            .map(|disc| disc.part_within(step.from.xz(), step.to.xz()) * disc.per_metre);
        cost * (1.0 + added.sum::<f32>())
    }

    #[inline]
    fn minimum_cost(&self) -> f32 {
        self.filter.minimum_cost()
    }

    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        if self.held.is_some() { None } else { self.filter.uniform_cost() }
    }

    #[inline]
    fn passes_all(&self) -> bool {
        self.filter.passes_all()
    }

    #[inline]
    fn uniform_on(&self, kinds: &[PolygonKind]) -> Uniformity {
        let uniform = self.filter.uniform_on(kinds);
        if self.held.is_some() { Uniformity { per_metre: None, ..uniform } } else { uniform }
    }

    #[inline]
    fn registration(&self) -> Option<FilterId> {
        self.filter.registration()
    }
}

/// A mesh as an agent sees it: with the agent's filter.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) filter: &'a CrowdFilter,
}
