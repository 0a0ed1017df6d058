//! Stage 7, erode: `CompactField<Compacted>` -> `CompactField<Eroded>`.
//! Units: half cells. Cost: O(spans), two passes. Figure: docs/figures/07-erode.svg.
//! Source: M. Mononen, Recast (RecastArea.cpp, rcErodeWalkableArea). Deviations: distances are 16 bits wide,
//! so the radius is not limited to 127 cells.
//!
//! The agent is a cylinder and walks the mesh with its axis: everything nearer to a wall or a ledge than its
//! radius is removed. Areas do not matter here, only walkable or not.

use super::Context;
use super::distance_field::distances;
use crate::data::CompactField;
use crate::data::compact::state::{Compacted, Eroded};
use crate::error::Error;
use crate::settings::Config;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The agent's radius, cells. Default: rounded up, so that it never overlaps a wall.
    pub walkable_radius: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_radius: config.walkable_radius }
    }
}

/// Makes everything unwalkable that is nearer to a border than the radius.
pub fn run(
    mut field: CompactField<Compacted>,
    params: &Params,
    _: &mut Context,
) -> Result<CompactField<Eroded>, Error> {
    let distances = distances(&field, |own, other| own.is_walkable() & other.is_walkable());
    take_away(&mut field.area, &distances, params);
    Ok(field.into_state())
}

/// Makes all areas unwalkable that are nearer to a border than the radius.
pub(crate) fn take_away(areas: &mut [AreaId], distances: &[u16], params: &Params) {
    let threshold = params.walkable_radius * 2;
    for (area, &distance) in areas.iter_mut().zip(distances) {
        *area = if i32::from(distance) < threshold { AreaId::NULL } else { *area };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};

    fn eroded(picture: &str, walkable_radius: i32) -> String {
        let field = run(flat(picture), &Params { walkable_radius }, &mut Context::new()).unwrap();
        compact_picture(&field, |span| if field.area[span].is_walkable() { '#' } else { '-' })
    }

    #[test]
    fn borders_go_first() {
        let room = "######\n######\n######\n######\n######";
        assert_eq!(eroded(room, 0), room);
        assert_eq!(eroded(room, 1), "------\n-####-\n-####-\n-####-\n------");
        assert_eq!(eroded(room, 2), "------\n------\n--##--\n------\n------");
    }

    #[test]
    fn a_pillar_keeps_its_distance() {
        let room = "#######\n#######\n###.###\n#######\n#######";
        assert_eq!(eroded(room, 1), "-------\n-##-##-\n-#-.-#-\n-##-##-\n-------");
    }

    #[test]
    fn areas_are_no_borders() {
        assert_eq!(eroded("1122\n1122\n1122", 1), "----\n-##-\n----");
    }
}
