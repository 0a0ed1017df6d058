//! Profiles of links that the bake generates: jumps, drops, climbs and ladders. docs/links.md has the rules.

use super::{AreaId, FieldError};
use navmath::Hasher;
use navtile::LinkKind;
use std::ops::RangeInclusive;

/// A kind of link that the bake looks for, and its measures.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkProfile {
    /// The kind of movement along the links.
    pub kind: LinkKind,
    /// Least and largest width of the gap, metres: the distance between start and end as seen from above,
    /// less the agent's radius and one and a half cells on either side, which the mesh keeps from edges. 0
    /// also includes shorter distances. `None` for the width that drops and climbs need: see
    /// [`LinkProfile::used_distance`].
    pub distance: Option<[f64; 2]>,
    /// For a drop, a climb or a ladder, the least and the largest height, metres; for a jump, the largest
    /// height that it may lead down and up.
    pub height: [f64; 2],
    /// For a jump: height of the arc above its higher end, metres.
    pub arc: f64,
    /// For a jump: the speed of take-off, m/s. Its arc is then the lowest that this speed reaches, and `arc`
    /// is not used.
    pub speed: Option<f64>,
    /// The gravity for jumps with a speed, m/s².
    pub gravity: f64,
    /// For a ladder: the area of the surfaces that are ladders, as the level's materials or volumes mark
    /// them.
    pub surface: Option<AreaId>,
    /// True if each link can also be travelled from its end to its start. A jump in both directions is one
    /// link if the height allows both.
    pub both_ways: bool,
    /// Area of the links, for costs.
    pub area: AreaId,
    /// Flags of the links; `None` for those of the area.
    pub flags: Option<u32>,
    /// A link is kept if the walk is longer than this many times the link.
    pub worth: f64,
    /// Two links count as one if the walks from start to start and from end to end are together at most twice
    /// this, metres.
    pub spacing: f64,
}

/// Gravity on Earth, m/s².
const EARTH: f64 = 9.81;
/// Largest number of profiles of a bake.
const MOST: usize = 64;
/// Largest length of a link as seen from above, cells.
pub const MOST_CELLS: f64 = 255.0;
/// Largest height that a link goes up or down, its arc included, cells.
pub const MOST_HEIGHT_CELLS: f64 = 16_384.0;

impl LinkProfile {
    /// A profile of a kind, with the measures of a person: drops of 0.5 m to 3 m; jumps over gaps of up to 3
    /// m that lead up to 1 m down and up; climbs of 0.5 m to 1.2 m; ladders of 0.5 m to 20 m, whose surface
    /// must be set.
    pub fn new(kind: LinkKind) -> LinkProfile {
        let (distance, height) = match kind {
            LinkKind::Drop => (None, [0.5, 3.0]),
            LinkKind::Jump => (Some([0.0, 3.0]), [1.0, 1.0]),
            LinkKind::Climb => (None, [0.5, 1.2]),
            LinkKind::Ladder => (None, [0.5, 20.0]),
        };
        LinkProfile {
            kind,
            distance,
            height,
            arc: 0.5,
            speed: None,
            gravity: EARTH,
            surface: None,
            both_ways: matches!(kind, LinkKind::Jump | LinkKind::Ladder),
            area: AreaId::GROUND,
            flags: None,
            worth: 3.0,
            spacing: 1.0,
        }
    }

    /// The distance for an agent, metres. The default is 0 to the radius and two cells: the mesh keeps the
    /// same distance from a ledge as from the wall below it, and half of that again if they are diagonal to
    /// the lattice.
    pub fn used_distance(&self, agent_radius: f64, cell_size: f64) -> [f64; 2] {
        self.distance.unwrap_or([0.0, agent_radius + 2.0 * cell_size])
    }

    /// Adds every field to a hash.
    pub fn write(&self, hasher: &mut Hasher) {
        let LinkProfile {
            kind,
            distance,
            height,
            arc,
            speed,
            gravity,
            surface,
            both_ways,
            area,
            flags,
            worth,
            spacing,
        } = self;
        let [least, most] = distance.unwrap_or([-1.0; 2]);
        hasher
            .write_u8s(b"links")
            .write_f64s(&[least, most])
            .write_f64s(height)
            .write_f64s(&[*arc, *worth, *spacing]);
        hasher.write_u8s(&[*kind as u8, u8::from(*both_ways), area.0, u8::from(flags.is_some())]);
        hasher.write_u32s(&[flags.unwrap_or(0)]);
        if let Some(speed) = speed {
            hasher.write_u8s(b"speed").write_f64s(&[*speed, *gravity]);
        }
        if let Some(surface) = surface {
            hasher.write_u8s(b"surface").write_u8s(&[surface.0]);
        }
    }

    /// Largest height of a jump above its higher end, metres.
    fn rise(&self) -> f64 {
        match (self.kind, self.speed) {
            (LinkKind::Jump, None) => self.arc,
            (LinkKind::Jump, Some(speed)) => speed * speed / (2.0 * self.gravity),
            (LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder, _) => 0.0,
        }
    }

    /// Adds every error of the profile at `index`.
    pub(super) fn check(&self, index: usize, cell: [f64; 2], errors: &mut Vec<FieldError>) {
        let given = self.distance.unwrap_or_default();
        let mut wrong = |field: &str, found: String, expected: String| {
            errors.push(FieldError { field: format!("links[{index}].{field}"), found, expected });
        };
        if index >= MOST {
            wrong("kind", format!("profile {}", index + 1), format!("at most {MOST} profiles"));
        }
        let span = |[least, most]: [f64; 2], range: RangeInclusive<f64>| {
            range.contains(&least) && range.contains(&most) && least <= most
        };
        // Cells are checked separately; an invalid cell must not make these invalid too.
        let cells = |most: f64, limit: f64, cell: f64| cell.is_finite() && cell > 0.0 && most / cell > limit;
        if !span(given, 0.0..=1000.0) {
            wrong(
                "distance",
                format!("{given:?}"),
                "[least, most], both between 0 and 1000 metres, the first not larger than the second"
                    .to_owned(),
            );
        } else if cells(given[1], MOST_CELLS, cell[0]) {
            let expected = format!("at most {MOST_CELLS} cells: enlarge the cell or lower the distance");
            wrong("distance", format!("{} cells", given[1] / cell[0]), expected);
        }
        let jump = self.kind == LinkKind::Jump;
        let sound = if jump {
            self.height.iter().all(|height| (0.0..=1000.0).contains(height))
        } else {
            span(self.height, 0.0..=1000.0)
        };
        let highest = self.height[0].max(self.height[1]) + self.rise();
        if !sound {
            let expected = if jump {
                "[down, up], both between 0 and 1000 metres"
            } else {
                "[least, most], both between 0 and 1000 metres, the first not larger than the second"
            };
            wrong("height", format!("{:?}", self.height), expected.to_owned());
        } else if cells(highest, MOST_HEIGHT_CELLS, cell[1]) {
            let expected = format!("at most {MOST_HEIGHT_CELLS} cells of height, the arc included");
            wrong("height", format!("{} cells", highest / cell[1]), expected);
        }
        if !(0.0..=100.0).contains(&self.arc) {
            wrong("arc", self.arc.to_string(), "between 0 and 100 metres".to_owned());
        }
        if let Some(speed) = self.speed
            && (!jump || !(0.1..=100.0).contains(&speed))
        {
            let expected =
                if jump { "between 0.1 and 100 metres per second" } else { "none: only jumps have one" };
            wrong("speed", speed.to_string(), expected.to_owned());
        }
        if !(0.01..=1000.0).contains(&self.gravity) {
            wrong("gravity", self.gravity.to_string(), "between 0.01 and 1000 m/s²".to_owned());
        }
        self.check_surface(&mut wrong);
        if !(1.0..=1000.0).contains(&self.worth) {
            wrong("worth", self.worth.to_string(), "between 1 and 1000".to_owned());
        }
        if !(0.0..=1000.0).contains(&self.spacing) {
            wrong("spacing", self.spacing.to_string(), "between 0 and 1000 metres".to_owned());
        }
        if !self.area.is_walkable() {
            wrong("area", "0".to_owned(), "an area other than 0".to_owned());
        }
    }

    /// Ladders have a surface; other kinds must not have one.
    fn check_surface(&self, wrong: &mut impl FnMut(&str, String, String)) {
        let is_ladder = self.kind == LinkKind::Ladder;
        match self.surface {
            Some(AreaId::NULL | AreaId::GROUND) if is_ladder => {
                wrong(
                    "surface",
                    "the area of plain ground, or area 0".to_owned(),
                    "another area, only for ladders".to_owned(),
                );
            }
            None if is_ladder => {
                wrong(
                    "surface",
                    "nothing".to_owned(),
                    "the area of the surfaces that are ladders".to_owned(),
                );
            }
            Some(surface) if !is_ladder => {
                wrong("surface", surface.0.to_string(), "none: only ladders have one".to_owned());
            }
            _ => {}
        }
    }
}
