//! Filters decide which polygons may be entered and what moves cost.

use crate::mesh::PolygonKind;
use crate::poly_ref::PolyRef;
use crate::slopes::{SlopeError, Slopes};
use glam::Vec3;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A polygon or an off-mesh link with its current flags and area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// The polygon or link.
    pub polygon: PolyRef,
    /// Its flags.
    pub flags: u32,
    /// Its area, 1..=255.
    pub area: u8,
}

/// A straight move within one polygon, or from one end of an off-mesh link to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Start of the move.
    pub from: Vec3,
    /// End of the move: a point on the portal to `next`, or the goal.
    pub to: Vec3,
    /// The polygon that is crossed.
    pub polygon: Attributes,
    /// The polygon entered afterwards; `None` for the last move to the goal.
    pub next: Option<Attributes>,
}

/// Decides which polygons may be entered and what moves cost. Searches are generic over the model, so that
/// its methods are inlined.
///
/// A search always ends, even if the answers of the model change. It finds the cheapest path among those it
/// can distinguish if every cost is at least [`CostModel::minimum_cost`] times the length of the move.
///
/// ```
/// use detour::{Attributes, CostModel, Filter, Step};
///
/// /// Uphill moves cost more.
/// struct Hiker(Filter);
///
/// impl CostModel for Hiker {
///     fn passes(&self, polygon: &Attributes) -> bool {
///         self.0.passes(polygon)
///     }
///     fn cost(&self, step: &Step) -> f32 {
///         self.0.cost(step) + 5.0 * (step.to.y - step.from.y).max(0.0)
///     }
///     fn minimum_cost(&self) -> f32 {
///         self.0.minimum_cost()
///     }
/// }
/// # let _ = Hiker(Filter::default());
/// ```
pub trait CostModel {
    /// Returns true if the polygon may be entered.
    fn passes(&self, polygon: &Attributes) -> bool;

    /// The cost of a move, in the unit that paths are compared by. A negative, NaN or infinite cost makes the
    /// move impossible.
    fn cost(&self, step: &Step) -> f32;

    /// The smallest cost of one metre anywhere. The remaining cost is estimated as this times the distance to
    /// the goal. With 0, or anything that is not a positive number, the search uses no estimate.
    fn minimum_cost(&self) -> f32;

    /// The cost of a metre if it is the same everywhere, off-mesh links included, so that [`CostModel::cost`]
    /// is this times the length of the move; otherwise `None`. `Some` is a promise: searches that rely on it
    /// do not ask for costs.
    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        None
    }

    /// Returns true if every polygon and off-mesh link passes, regardless of flags and area. True is a
    /// promise: searches that rely on it do not call [`CostModel::passes`]. `false` is never wrong.
    #[inline]
    fn passes_all(&self) -> bool {
        false
    }

    /// [`CostModel::uniform_cost`] and [`CostModel::passes_all`] for a mesh whose polygons and off-mesh links
    /// are of these kinds. A promise, too. By default the answers for any mesh.
    #[inline]
    fn uniform_on(&self, kinds: &[PolygonKind]) -> Uniformity {
        let _ = kinds;
        Uniformity { per_metre: self.uniform_cost(), passes_all: self.passes_all() }
    }

    /// The costs and limits of slopes; none by default. If there are any, [`CostModel::cost`] must be the
    /// cost of the move as if it were level, plus [`Slopes::cost_of_rise`], and paths are searched over the
    /// ground: see [`Query::ground_path`](crate::Query::ground_path).
    #[inline]
    fn slopes(&self) -> Slopes {
        Slopes::NONE
    }

    /// A registered filter, if there is one, that lets everything pass that this model lets pass. A mesh that
    /// maintains islands for that filter then knows at once what cannot be reached. See
    /// [`NavMesh::register_filter`](crate::NavMesh::register_filter).
    #[inline]
    fn registration(&self) -> Option<FilterId> {
        None
    }
}

/// The promises of a cost model about all polygons and off-mesh links of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniformity {
    /// The cost of a metre, if it is the same everywhere.
    pub per_metre: Option<f32>,
    /// True if all of them pass.
    pub passes_all: bool,
}

/// Identifies a registered filter; unique within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterId(u64);

impl<C: CostModel + ?Sized> CostModel for &C {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        (**self).passes(polygon)
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        (**self).cost(step)
    }

    #[inline]
    fn minimum_cost(&self) -> f32 {
        (**self).minimum_cost()
    }

    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        (**self).uniform_cost()
    }

    #[inline]
    fn passes_all(&self) -> bool {
        (**self).passes_all()
    }

    #[inline]
    fn uniform_on(&self, kinds: &[PolygonKind]) -> Uniformity {
        (**self).uniform_on(kinds)
    }

    #[inline]
    fn slopes(&self) -> Slopes {
        (**self).slopes()
    }

    #[inline]
    fn registration(&self) -> Option<FilterId> {
        (**self).registration()
    }
}

/// The cost of a move; `None` if it is impossible.
#[inline]
pub(crate) fn cost_of(filter: &impl CostModel, step: &Step) -> Option<f64> {
    let cost = filter.cost(step);
    (0.0..f32::INFINITY).contains(&cost).then_some(f64::from(cost))
}

/// The standard cost model: polygons pass by their flags and areas, and the cost of a metre depends on the
/// area.
///
/// ```
/// const WATER: u8 = 3;
/// const DOOR_SHUT: u32 = 0x8000;
///
/// // Water costs ten times as much as other ground, and shut doors are walls.
/// let filter = detour::Filter::default().with_exclude(DOOR_SHUT).with_area_cost(WATER, 10.0)?;
/// assert_eq!(filter.area_cost(WATER), 10.0);
/// assert!(detour::Filter::default().with_area_cost(WATER, -1.0).is_err());
/// # Ok::<(), detour::FilterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    include: u32,
    exclude: u32,
    costs: [f32; 256],
    /// A bit for each area that does not pass.
    closed: [u64; 4],
    minimum: f32,
    maximum: f32,
    slopes: Slopes,
    registration: Option<FilterId>,
}

/// A cost that a filter does not accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilterError {
    /// The area.
    pub area: u8,
    /// The rejected cost.
    pub cost: f32,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FilterError { area, cost } = self;
        write!(
            f,
            "the cost of area {area} is {cost}: it must be from {:e} to {:e} per metre; to close an area use \
             Filter::without_area",
            Filter::MIN_COST,
            Filter::MAX_COST
        )
    }
}

impl Error for FilterError {}

impl Default for Filter {
    /// Everything passes, and a metre costs 1 everywhere.
    fn default() -> Filter {
        Filter {
            include: u32::MAX,
            exclude: 0,
            costs: [1.0; 256],
            closed: [0; 4],
            minimum: 1.0,
            maximum: 1.0,
            slopes: Slopes::NONE,
            registration: None,
        }
    }
}

impl Filter {
    /// The smallest cost of a metre. The estimate of the remaining cost is scaled by the smallest cost of all
    /// areas; with an area that costs almost nothing, every search would flood the whole mesh.
    pub const MIN_COST: f32 = 1e-3;
    /// The largest cost of a metre. Multiplied by the longest path across a mesh, it is still finite.
    pub const MAX_COST: f32 = 1e20;

    /// Lets pass only polygons with at least one of these flags. `u32::MAX`, the default, lets polygons
    /// without any flag pass too.
    #[must_use]
    pub fn with_include(mut self, flags: u32) -> Filter {
        (self.include, self.registration) = (flags, None);
        self
    }

    /// Excludes polygons with any of these flags; none by default.
    #[must_use]
    pub fn with_exclude(mut self, flags: u32) -> Filter {
        (self.exclude, self.registration) = (flags, None);
        self
    }

    /// Sets the cost of a metre in `area`: from [`Filter::MIN_COST`] to [`Filter::MAX_COST`].
    pub fn with_area_cost(mut self, area: u8, cost: f32) -> Result<Filter, FilterError> {
        if !(Self::MIN_COST..=Self::MAX_COST).contains(&cost) {
            return Err(FilterError { area, cost });
        }
        self.costs[usize::from(area)] = cost;
        // No polygon has area 0, so its cost must not weaken the estimate.
        self.minimum = self.costs[1..].iter().copied().fold(f32::INFINITY, f32::min);
        self.maximum = self.costs[1..].iter().copied().fold(0.0, f32::max);
        self.registration = None;
        Ok(self)
    }

    /// Excludes polygons of `area`. An agent in that area can still leave it, at its cost.
    #[must_use]
    pub fn without_area(mut self, area: u8) -> Filter {
        self.closed[usize::from(area) / 64] |= 1 << (area % 64);
        self.registration = None;
        self
    }

    /// Sets the cost of a metre of height that is gained, which is added to the cost of the ground: from 0 to
    /// [`Filter::MAX_COST`].
    pub fn with_climb_cost(self, cost: f32) -> Result<Filter, SlopeError> {
        let slopes = self.slopes.with_climb_cost(cost)?;
        Ok(self.with_slopes(slopes))
    }

    /// Sets the cost of a metre of height that is lost, which is added to the cost of the ground: from 0 to
    /// [`Filter::MAX_COST`].
    pub fn with_descent_cost(self, cost: f32) -> Result<Filter, SlopeError> {
        let slopes = self.slopes.with_descent_cost(cost)?;
        Ok(self.with_slopes(slopes))
    }

    /// Sets the steepest slope that a move over the ground may lead up: from 0 to 90 degrees. See
    /// [`Slopes::with_max_slope_up`].
    pub fn with_max_slope_up(self, degrees: f32) -> Result<Filter, SlopeError> {
        let slopes = self.slopes.with_max_slope_up(degrees)?;
        Ok(self.with_slopes(slopes))
    }

    /// Sets the steepest slope that a move over the ground may lead down: from 0 to 90 degrees. See
    /// [`Slopes::with_max_slope_down`].
    pub fn with_max_slope_down(self, degrees: f32) -> Result<Filter, SlopeError> {
        let slopes = self.slopes.with_max_slope_down(degrees)?;
        Ok(self.with_slopes(slopes))
    }

    /// Sets all costs and limits of slopes.
    #[must_use]
    pub fn with_slopes(mut self, slopes: Slopes) -> Filter {
        (self.slopes, self.registration) = (slopes, None);
        self
    }

    #[inline]
    fn lets_pass(&self, flags: u32, area: u8) -> bool {
        flags & self.exclude == 0
            && (self.include == u32::MAX || flags & self.include != 0)
            && self.closed[usize::from(area) / 64] >> (area % 64) & 1 == 0
    }

    /// Registers the filter under a new id.
    pub(crate) fn registered(mut self) -> Filter {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.registration = Some(FilterId(LAST.fetch_add(1, Ordering::Relaxed)));
        self
    }

    /// The include flags: a polygon must have at least one of them.
    pub fn include(&self) -> u32 {
        self.include
    }

    /// The exclude flags: a polygon must not have any of them.
    pub fn exclude(&self) -> u32 {
        self.exclude
    }

    /// A bit for each area that does not pass. The lowest bit of the first number is area 0.
    pub fn closed_areas(&self) -> [u64; 4] {
        self.closed
    }

    /// The cost of a metre in `area`.
    pub fn area_cost(&self, area: u8) -> f32 {
        self.costs[usize::from(area)]
    }

    /// The cost of a metre of height that is gained; 0 by default.
    pub fn climb_cost(&self) -> f32 {
        self.slopes.climb_cost()
    }

    /// The cost of a metre of height that is lost; 0 by default.
    pub fn descent_cost(&self) -> f32 {
        self.slopes.descent_cost()
    }

    /// The steepest slope upwards, degrees; 90 by default: without a limit.
    pub fn max_slope_up(&self) -> f32 {
        self.slopes.max_slope_up()
    }

    /// The steepest slope downwards, degrees; 90 by default: without a limit.
    pub fn max_slope_down(&self) -> f32 {
        self.slopes.max_slope_down()
    }
}

impl CostModel for Filter {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        self.lets_pass(polygon.flags, polygon.area)
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        let ground = step.from.distance(step.to) * self.costs[usize::from(step.polygon.area)];
        ground + self.slopes.cost_of_rise(step.to.y - step.from.y)
    }

    #[inline]
    fn slopes(&self) -> Slopes {
        self.slopes
    }

    #[inline]
    fn minimum_cost(&self) -> f32 {
        self.minimum
    }

    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        (self.minimum == self.maximum && self.slopes.is_none()).then_some(self.minimum)
    }

    #[inline]
    fn passes_all(&self) -> bool {
        self.exclude == 0 && self.include == u32::MAX && self.closed == [0; 4]
    }

    #[inline]
    fn uniform_on(&self, kinds: &[PolygonKind]) -> Uniformity {
        let costs = |kind: &PolygonKind| self.area_cost(kind.area);
        let first = kinds.first().map_or(self.minimum, costs);
        Uniformity {
            per_metre: (self.slopes.is_none() && kinds.iter().all(|kind| costs(kind) == first))
                .then_some(first),
            passes_all: kinds.iter().all(|kind| self.lets_pass(kind.flags, kind.area)),
        }
    }

    #[inline]
    fn registration(&self) -> Option<FilterId> {
        self.registration
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(flags: u32, area: u8) -> Attributes {
        Attributes { polygon: PolyRef::new(1, 0, 0).unwrap(), flags, area }
    }

    #[test]
    fn flags_decide_who_passes() {
        let all = Filter::default();
        assert!(all.passes(&polygon(0, 1)) && all.passes(&polygon(6, 1)));
        let some = Filter::default().with_include(0b010).with_exclude(0b100);
        assert!(some.passes(&polygon(0b011, 1)));
        assert!(
            !some.passes(&polygon(0b001, 1))
                && !some.passes(&polygon(0b110, 1))
                && !some.passes(&polygon(0, 1))
        );
    }

    #[test]
    fn areas_can_be_closed() {
        let filter = Filter::default().without_area(70).without_area(255);
        assert!(filter.passes(&polygon(1, 69)) && filter.passes(&polygon(1, 6)));
        assert!(!filter.passes(&polygon(1, 70)) && !filter.passes(&polygon(1, 255)));
        assert_eq!(filter.area_cost(70), 1.0);
    }

    #[test]
    fn a_changed_filter_is_no_longer_registered() {
        let filter = Filter::default().registered();
        fn of(model: impl CostModel) -> Option<FilterId> {
            model.registration()
        }
        assert!(filter.registration().is_some() && of(&filter) == filter.registration());
        assert_ne!(filter.clone().registered().registration(), filter.registration());
        let changed = [
            filter.clone().with_include(1),
            filter.clone().with_exclude(1),
            filter.clone().without_area(1),
            filter.clone().with_climb_cost(1.0).unwrap(),
            filter.clone().with_descent_cost(1.0).unwrap(),
            filter.clone().with_max_slope_up(45.0).unwrap(),
            filter.clone().with_max_slope_down(45.0).unwrap(),
            filter.with_area_cost(1, 1.0).unwrap(),
        ];
        assert!(changed.iter().all(|filter| filter.registration().is_none()));
    }

    #[test]
    fn bad_costs_are_refused_by_area() {
        for cost in [f32::NAN, f32::INFINITY, -1.0, 0.0, 0.0005, 1e21] {
            let error = Filter::default().with_area_cost(7, cost).unwrap_err();
            assert!(error.to_string().starts_with("the cost of area 7 is"));
        }
    }

    #[test]
    fn the_estimate_follows_the_cheapest_area() {
        let filter = Filter::default().with_area_cost(2, 0.5).unwrap().with_area_cost(3, 9.0).unwrap();
        assert_eq!(filter.minimum_cost(), 0.5);
        assert_eq!(filter.with_area_cost(2, 4.0).unwrap().minimum_cost(), 1.0);
        let step = Step { from: Vec3::ZERO, to: Vec3::X * 2.0, polygon: polygon(0, 3), next: None };
        let filter = Filter::default().with_area_cost(3, 9.0).unwrap();
        assert_eq!(filter.cost(&step), 18.0);
    }
}
