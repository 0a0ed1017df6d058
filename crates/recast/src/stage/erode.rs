//! Stage 7, erode: `CompactField<Compacted>` -> `CompactField<Eroded>`.
//! Units: half cells. Cost: O(spans), two passes. Figure: docs/figures/07-erode.svg.
//! Source: M. Mononen, Recast (RecastArea.cpp, rcErodeWalkableArea). Deviations: distances are 16 bits wide, so
//! the radius is not limited to 127 cells.
//!
//! The agent is a cylinder and the mesh is walked by its axis: whatever is nearer to a wall or a ledge than its
//! radius is taken away. Areas do not matter here, only where one can walk at all.

use super::distance_field::chamfer;
use crate::area::AreaId;
use crate::data::CompactField;
use crate::data::compact::state::{Compacted, Eroded};

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The agent's radius, cells. Default: rounded up, so that it never overlaps a wall.
    pub walkable_radius: i32,
}

/// Makes everything unwalkable that is nearer to a border than the radius.
pub fn run(mut field: CompactField<Compacted>, params: &Params) -> CompactField<Eroded> {
    let walkable = |span: usize| field.area[span].is_walkable();
    let mut distance: Vec<u16> = (0..field.len())
        .map(|span| {
            let inner = walkable(span)
                && crate::data::Direction::ALL
                    .iter()
                    .all(|&d| field.neighbour(span, d).is_some_and(walkable));
            if inner { u16::MAX } else { 0 }
        })
        .collect();
    chamfer(&field, &mut distance);
    let threshold = params.walkable_radius * 2;
    for (area, distance) in field.area.iter_mut().zip(distance) {
        if i32::from(distance) < threshold {
            *area = AreaId::NULL;
        }
    }
    field.into_state()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};

    fn eroded(picture: &str, walkable_radius: i32) -> String {
        let field = run(flat(picture), &Params { walkable_radius });
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
