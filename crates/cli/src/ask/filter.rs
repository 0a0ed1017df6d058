//! Areas that a query may enter, and their costs: those of the file, changed by options.

use crate::failure::Failure;
use crate::mesh::Loaded;
use clap::Args;
use detour::{Filter, SlopeError, Slopes};
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FilterArgs {
    /// Set the cost of a metre in an area, given by its name or number, to N. Can be given several times.
    #[arg(long, value_name = "AREA=N", value_parser = area_cost)]
    cost: Vec<AreaCost>,
    /// Avoid an area, given by its name or number. Can be given several times.
    #[arg(long, value_name = "AREA")]
    avoid: Vec<String>,
}

/// Costs and limits of slopes.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct SlopeArgs {
    /// Add N to the cost of a path for each metre of height that it gains. The path then follows the ground.
    #[arg(long, value_name = "N", conflicts_with_all = ["optimal", "far"])]
    climb_cost: Option<f32>,
    /// Add N to the cost of a path for each metre of height that it loses. The path then follows the ground.
    #[arg(long, value_name = "N", conflicts_with_all = ["optimal", "far"])]
    descent_cost: Option<f32>,
    /// Climb no steeper than this, degrees. The path then follows the ground.
    #[arg(long, value_name = "DEG", conflicts_with_all = ["optimal", "far"])]
    max_slope_up: Option<f32>,
    /// Descend no steeper than this, degrees. The path then follows the ground.
    #[arg(long, value_name = "DEG", conflicts_with_all = ["optimal", "far"])]
    max_slope_down: Option<f32>,
}

impl SlopeArgs {
    /// The filter with these costs and limits.
    pub(crate) fn on(&self, filter: Filter) -> Result<Filter, Failure> {
        let with =
            |slopes: Slopes, set: fn(Slopes, f32) -> Result<Slopes, SlopeError>, value: Option<f32>| {
                value.map_or(Ok(slopes), |value| set(slopes, value))
            };
        let slopes = with(Slopes::NONE, Slopes::with_climb_cost, self.climb_cost)
            .and_then(|slopes| with(slopes, Slopes::with_descent_cost, self.descent_cost))
            .and_then(|slopes| with(slopes, Slopes::with_max_slope_up, self.max_slope_up))
            .and_then(|slopes| with(slopes, Slopes::with_max_slope_down, self.max_slope_down))
            .map_err(|error| {
                Failure::call(error.to_string())
                    .help("correct the option of that name: see `navtile path --help`")
            })?;
        Ok(filter.with_slopes(slopes))
    }
}

/// An area as given, and the cost of a metre.
#[derive(Clone, Debug, PartialEq)]
struct AreaCost {
    area: String,
    cost: f32,
}

/// `AREA=N`; names may contain `=`.
fn area_cost(text: &str) -> Result<AreaCost, String> {
    let (area, cost) = text.rsplit_once('=').ok_or_else(|| format!("found `{text}`, expected `AREA=N`"))?;
    let cost = cost.trim().parse().map_err(|_| format!("found `{cost}`, expected a number"))?;
    Ok(AreaCost { area: area.trim().to_owned(), cost })
}

impl FilterArgs {
    /// The filter of the file's areas, changed by options.
    pub(crate) fn filter(&self, file: &Path, loaded: &Loaded) -> Result<Filter, Failure> {
        let mut given = BTreeSet::new();
        let mut id = |name: &str| {
            let id = area_id(name, file, loaded)?;
            if given.insert(id) {
                return Ok(id);
            }
            Err(Failure::call(format!("area {name} is given twice"))
                .help("give an area one --cost, or use --avoid"))
        };
        let avoided: Vec<u8> = self.avoid.iter().map(|name| id(name)).collect::<Result<_, _>>()?;
        // The file's cost of an area that nothing enters does not matter: the remaining areas may have equal
        // costs.
        let mut filter = loaded.filter_without(&avoided)?;
        for AreaCost { area, cost } in &self.cost {
            filter = filter.with_area_cost(id(area)?, *cost).map_err(|_| {
                let (least, most) = (Filter::MIN_COST, Filter::MAX_COST);
                Failure::call(format!("--cost {area}={cost}: a metre costs {least:e} to {most:e}"))
                    .help("to exclude an area, use --avoid")
            })?;
        }
        Ok(filter)
    }
}

/// The area of that name, or else of that number.
fn area_id(name: &str, file: &Path, loaded: &Loaded) -> Result<u8, Failure> {
    let areas = &loaded.meta.areas;
    if let Some(area) = areas.iter().find(|area| area.name == name) {
        return Ok(area.id);
    }
    let is_there = |id: &u8| {
        let polygons = |tile: &navtile::Tile| tile.polygons().iter().any(|polygon| polygon.area == *id);
        let links = |tile: &navtile::Tile| tile.off_mesh_links().iter().any(|link| link.area == *id);
        areas.iter().any(|area| area.id == *id)
            || loaded.mesh.tiles().any(|tile| polygons(tile) || links(tile))
    };
    name.parse().ok().filter(is_there).ok_or_else(|| {
        let named: Vec<String> =
            areas.iter().map(|area| format!("{} ({})", area.name.escape_debug(), area.id)).collect();
        Failure::call(format!("{}: there is no area `{}`", file.display(), name.escape_debug()))
            .help(format!("the areas of the file are {}", named.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read_from_the_last_equals_sign() {
        let cost = |area: &str, cost| Ok(AreaCost { area: area.to_owned(), cost });
        assert_eq!(area_cost("water=2.5"), cost("water", 2.5));
        assert_eq!(area_cost("a=b = 3"), cost("a=b", 3.0));
        assert!(area_cost("water").unwrap_err().contains("expected `AREA=N`"));
        assert!(area_cost("water=x").unwrap_err().contains("found `x`"));
    }
}
