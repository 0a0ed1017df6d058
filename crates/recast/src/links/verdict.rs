//! Why there is no link, for people and for machines.

use navtile::LinkKind;
use std::fmt;

/// The answer for one profile.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkExplanation {
    /// The kind of its links.
    pub kind: LinkKind,
    /// Its place in the settings, from 0.
    pub profile: u16,
    /// The link, or why there is none.
    pub verdict: LinkVerdict,
    /// Where the link that the verdict is about starts and ends, world metres; `None` where there is no pair of floors.
    pub ends: Option<[[f64; 3]; 2]>,
}

/// Why no link of a profile leads from one place to another, or which one does. Lengths are metres, places world metres; `end` is 0 for
/// where it would start and 1 for where it would end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinkVerdict {
    /// There is one.
    Linked {
        /// Its start and its end.
        ends: [[f64; 3]; 2],
    },
    /// No ground is near one of the places.
    NoGround {
        /// The place.
        end: usize,
    },
    /// Both places are by one floor.
    SamePlace,
    /// The width between the places is not the profile's.
    Distance {
        /// The width of what lies between.
        found: f64,
        /// Least and largest width of the profile.
        range: [f64; 2],
    },
    /// The height between the places is not the profile's.
    Height {
        /// How far up it is from the first to the second, negative for down.
        found: f64,
        /// Least and largest, likewise.
        range: [f64; 2],
    },
    /// The ground does not end at one of the places, on the side of the other.
    NoBorder {
        /// The place.
        end: usize,
    },
    /// No two floors at the places lie in one of the sixteen directions of links from each other.
    NoDirection,
    /// The speed of take-off does not reach as far.
    Speed,
    /// No marked surface leads all the way up.
    NoLadder,
    /// Something is in the way.
    Blocked {
        /// Where the body would touch it.
        place: [f64; 3],
        /// The top of what is in the way, above that place.
        top: [f64; 3],
        /// Whether it leaves no room where the link starts or ends, rather than on the way.
        is_end: bool,
    },
    /// A way on foot is short enough.
    OnFoot {
        /// Its length.
        way: f64,
        /// The length of the link.
        length: f64,
        /// The profile's `worth`.
        worth: f64,
    },
    /// Another link of the profile serves.
    ByLink {
        /// Start and end of that link.
        ends: [[f64; 3]; 2],
        /// The length of the way by it.
        way: f64,
        /// The length of the link.
        length: f64,
        /// The profile's `worth`.
        worth: f64,
    },
    /// A link in the same direction leads to a nearer floor of the same island.
    Nearer,
}

impl LinkVerdict {
    /// Its name, for machines.
    pub fn name(&self) -> &'static str {
        match self {
            LinkVerdict::Linked { .. } => "linked",
            LinkVerdict::NoGround { .. } => "no_ground",
            LinkVerdict::SamePlace => "same_place",
            LinkVerdict::Distance { .. } => "distance",
            LinkVerdict::Height { .. } => "height",
            LinkVerdict::NoBorder { .. } => "no_border",
            LinkVerdict::NoDirection => "no_direction",
            LinkVerdict::Speed => "speed",
            LinkVerdict::NoLadder => "no_ladder",
            LinkVerdict::Blocked { is_end: true, .. } => "no_room",
            LinkVerdict::Blocked { .. } => "blocked",
            LinkVerdict::OnFoot { .. } => "on_foot",
            LinkVerdict::ByLink { .. } => "by_link",
            LinkVerdict::Nearer => "nearer",
        }
    }
}

impl fmt::Display for LinkVerdict {
    /// A sentence without its period.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |[x, y, z]: [f64; 3]| format!("{x:.2}, {y:.2}, {z:.2}");
        let up = |height: f64| {
            if height < 0.0 { format!("{:.2} m down", -height) } else { format!("{height:.2} m up") }
        };
        let end_name = |end: &usize| if *end == 0 { "first" } else { "second" };
        match self {
            LinkVerdict::Linked { ends: [a, b] } => {
                write!(f, "a link leads from {} to {}", place(*a), place(*b))
            }
            LinkVerdict::NoGround { end } => write!(f, "there is no ground near the {} place", end_name(end)),
            LinkVerdict::SamePlace => f.write_str("both places are on one floor"),
            LinkVerdict::Distance { found, range: [least, most] } => write!(
                f,
                "too {}: {found:.2} m lie between, and the profile allows {least:.2} to {most:.2} m",
                if found > most { "far" } else { "near" }
            ),
            LinkVerdict::Height { found, range: [least, most] } => write!(
                f,
                "of another height: it is {}, and the profile allows {} to {}",
                up(*found),
                up(*least),
                up(*most)
            ),
            LinkVerdict::NoBorder { end } => write!(
                f,
                "not at a border: the ground at the {} place does not end on the side of the other",
                end_name(end)
            ),
            LinkVerdict::NoDirection => {
                f.write_str("no floors at the two places lie in one of the sixteen directions of links")
            }
            LinkVerdict::Speed => f.write_str("too far for the speed of take-off"),
            LinkVerdict::NoLadder => f.write_str("no ladder leads all the way up between the places"),
            LinkVerdict::Blocked { place: at, is_end: true, .. } => {
                write!(f, "there is no room to stand at an end: something is at {}", place(*at))
            }
            LinkVerdict::Blocked { place: at, .. } => write!(f, "something is in the way at {}", place(*at)),
            LinkVerdict::OnFoot { way, length, worth } => write!(
                f,
                "needless: the way on foot is {way:.2} m, no longer than {worth} times the link of {length:.2} m"
            ),
            LinkVerdict::ByLink { ends: [a, b], way, length, worth } => write!(
                f,
                "needless: the way by the link from {} to {} is {way:.2} m, no longer than {worth} times the link of \
                 {length:.2} m or near enough by `spacing`",
                place(*a),
                place(*b)
            ),
            LinkVerdict::Nearer => {
                f.write_str("a link in the same direction leads to a nearer floor of the same ground")
            }
        }
    }
}
