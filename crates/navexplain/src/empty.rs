//! Explains why a mesh is empty: the ground that each stage leaves, and a change of settings that keeps some
//! of it. Units: square metres.
//! Cost: one bake in one piece, and one for each remedy that is tried.

use super::way::{Change, LOST, exact_outlines, first_that};
use navtile::area::AreaId;
use recast::Error;
use recast::Outlines;
use recast::PreparedLevel;
use recast::Scratch;
use recast::TileBuild;
use recast::data::{CompactField, Direction};
use recast::inside::geometry::{SlopeLimit, up};
use recast::inside::stage::distances;
use recast::{Observer, StageId};
use recast::{Snapshot, StageResults};
use recast::{bake_solo, bake_tapped};
use std::fmt;

/// The ground of a level whose mesh is empty, square metres seen from above.
#[derive(Clone, Debug, PartialEq)]
pub struct EmptyGround {
    /// Area of the triangles that face up and are flat enough, including triangles above each other.
    pub flat: f64,
    /// Area of the triangles that would be flat enough if they did not face down.
    pub facing_down: f64,
    /// Area of the floors that have enough headroom and are not ledges.
    pub standing: f64,
    /// The agent's radius, metres.
    pub radius: f64,
    /// Area that remains after erosion by the radius.
    pub wide: f64,
    /// Area of its largest connected component.
    pub largest: f64,
    /// Area of the smallest island that is kept.
    pub least: f64,
    /// Changes of the settings that give the bake a mesh; empty if all attempts failed.
    pub remedy: Vec<Change>,
}

/// Bakes a level in one piece to find out why its mesh is empty; `None` if the mesh is not empty.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navexplain::explain_empty;
/// use recast::{Scratch, Silent};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [1.5, 0.0, 9.0], [1.5, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// // A plank of 1.5 m: an agent with a radius of 0.6 m fits on it, but its island is too small.
/// let level = PreparedLevel::new(&level, &Settings::default())?;
/// let ground = explain_empty(&level, &Silent, &mut Scratch::new())?.expect("the mesh is empty");
/// assert!(ground.wide < ground.standing && ground.standing < ground.flat);
/// assert!(!ground.remedy.is_empty());
/// # Ok::<(), recast::Error>(())
/// ```
///
/// # Errors
/// The errors of the bake, [`Error::Cancelled`] among them.
pub fn explain_empty(
    level: &PreparedLevel,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Option<EmptyGround>, Error> {
    let mut results = StageResults::default();
    let keep = &mut |snapshot: Snapshot<'_>| {
        if [StageId::Compact, StageId::Erode].contains(&snapshot.stage()) {
            results.keep(snapshot);
        }
    };
    let baked = bake_tapped(level, &TileBuild::solo(level), observer, scratch, keep)?;
    let (Some(compacted), Some(eroded), 0) = (results.compacted, results.eroded, baked.counts.polygons)
    else {
        return Ok(None);
    };
    let cell = level.lattice.cell_size * level.lattice.cell_size;
    let count = |areas: &[AreaId]| areas.iter().filter(|area| area.is_walkable()).count() as f64 * cell;
    let [flat, facing_down] = flat_area(level);
    let config = &level.config;
    let mut ground = EmptyGround {
        flat,
        facing_down,
        standing: count(&compacted.area),
        radius: config.settings.agent_radius,
        wide: count(&eroded.area),
        largest: largest_component(&eroded, |span| eroded.area[span].is_walkable()) as f64 * cell,
        least: f64::from(config.region_min_cells) * cell,
        remedy: Vec::new(),
    };
    if ground.standing > 0.0 {
        let distance = distances(&compacted, |own, other| own.is_walkable() & other.is_walkable());
        let widest = distance.iter().copied().max().unwrap_or(0) / 2;
        drop((compacted, eroded));
        let remedy = first_that(remedies(level, &ground, widest), |changes| {
            let mut settings = config.settings.clone();
            changes.iter().for_each(|change| change.apply(&mut settings));
            let changed = level.with_settings(&settings)?;
            Ok(bake_solo(&changed, observer, scratch)?.counts.polygons > 0)
        })?;
        ground.remedy = remedy.unwrap_or_default();
    }
    Ok(Some(ground))
}

/// Changes worth trying, the smallest first, and before them exact outlines if only cells may leave no
/// ground. `widest` is the largest radius in cells that leaves any ground.
fn remedies(level: &PreparedLevel, ground: &EmptyGround, widest: u16) -> Vec<Vec<Change>> {
    let setting =
        |path: &'static str, value: f64| Change::Setting { path, value: (value * 1e3).round() / 1e3 };
    let cell = level.lattice.cell_size;
    let smaller_islands = |area: f64| setting("regions.min_area", (area * 1e2).floor() / 1e2);
    let radius = |cells: u16| setting("agent.radius", f64::from(cells) * cell);
    let least = f64::from(u16::try_from(level.config.walkable_radius).unwrap_or(u16::MAX));
    let mut radii = vec![widest, widest / 2, 0];
    radii.retain(|&cells| f64::from(cells) < least);
    radii.dedup();
    let mut tried = Vec::new();
    let is_by_cells = level.config.settings.outlines == Outlines::Cells && f64::from(widest) + LOST >= least;
    tried.extend(is_by_cells.then(|| vec![exact_outlines()]));
    tried.extend((ground.largest >= ground.least / 4.0).then(|| vec![smaller_islands(ground.largest)]));
    tried.extend(radii.iter().map(|&cells| vec![radius(cells)]));
    tried.extend((ground.largest > 0.0).then(|| vec![smaller_islands(ground.largest)]));
    tried.push(vec![setting("regions.min_area", 0.0)]);
    tried.extend(radii.iter().map(|&cells| vec![radius(cells), setting("regions.min_area", 0.0)]));
    tried
}

/// Area of the triangles that are flat enough, and of the triangles that would be if they did not face down.
fn flat_area(level: &PreparedLevel) -> [f64; 2] {
    let limit = SlopeLimit::new(level.config.walkable_slope);
    let mut area = [0.0; 2];
    for triangle in (0..level.triangle_count()).filter(|&triangle| level.area(triangle).is_walkable()) {
        let [a, b, c] = level.corners(triangle);
        let turned = up([a, b, c]) < 0.0;
        let [a, b, c] = if turned { [a, c, b] } else { [a, b, c] };
        if limit.allows([a, b, c]) {
            let [u, v] = [b, c].map(|corner| [0, 2].map(|axis| f64::from(corner[axis]) - f64::from(a[axis])));
            area[usize::from(turned)] += ((u[1] * v[0] - u[0] * v[1]) / 2.0).abs();
        }
    }
    area
}

/// Number of spans in the largest connected component of the spans that `counts` accepts.
fn largest_component<S>(field: &CompactField<S>, counts: impl Fn(usize) -> bool) -> usize {
    let mut seen = vec![false; field.len()];
    let (mut largest, mut open) = (0, Vec::new());
    for start in (0..field.len()).filter(|&span| counts(span)) {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        open.push(start);
        let mut size = 0;
        while let Some(span) = open.pop() {
            size += 1;
            let around = Direction::ALL.into_iter().filter_map(|direction| field.neighbour(span, direction));
            open.extend(around.filter(|&span| counts(span) && !std::mem::replace(&mut seen[span], true)));
        }
        largest = largest.max(size);
    }
    largest
}

impl fmt::Display for EmptyGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EmptyGround { flat, facing_down, standing, radius, wide, largest, least, .. } = self;
        if *flat == 0.0 {
            write!(f, "no surface that faces up is flat enough")?;
        } else if *standing == 0.0 {
            write!(f, "{flat:.2} m\u{b2} are flat enough, but have no room for the agent")?;
        } else {
            write!(
                f,
                "{standing:.2} m\u{b2} are flat and high enough, and a radius of {radius:.2} m leaves {wide:.2} m\u{b2}"
            )?;
        }
        if *wide > 0.0 {
            write!(
                f,
                "; the largest island has {largest:.2} m\u{b2}, less than the {least:.2} m\u{b2} that are kept"
            )?;
        }
        // A closed body has equal areas of both.
        if *facing_down > 1.5 * flat {
            write!(
                f,
                "; {facing_down:.2} m\u{b2} of flat surfaces face down: is the level's winding reversed? (--winding either)"
            )?;
        }
        Ok(())
    }
}
