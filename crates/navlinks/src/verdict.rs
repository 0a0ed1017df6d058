//! The reasons for a missing link, for people and for machines.

use navtile::LinkKind;
use std::fmt;

/// The answer for one profile.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkExplanation {
    /// The kind of its links.
    pub kind: LinkKind,
    /// Index of the profile in the settings, from 0.
    pub profile: u16,
    /// The link, or the reason why it is missing.
    pub verdict: LinkVerdict,
    /// Start and end of the link that the verdict is about, world metres; `None` if there is no pair of
    /// floors.
    pub ends: Option<[[f64; 3]; 2]>,
}

/// The reason why no link of a profile leads from one place to another, or the link that does. Lengths are
/// metres, places world metres; `end` is 0 for the start and 1 for the end of the link.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinkVerdict {
    /// There is a link.
    Linked {
        /// Its start and its end.
        ends: [[f64; 3]; 2],
    },
    /// No ground is near one of the places.
    NoGround {
        /// The place.
        end: usize,
    },
    /// Both places are near the same floor.
    SamePlace,
    /// The width between the places is outside the profile's range.
    Distance {
        /// The width between the places.
        found: f64,
        /// Least and largest width of the profile.
        range: [f64; 2],
    },
    /// The height between the places is outside the profile's range.
    Height {
        /// Height of the second place above the first, negative if below.
        found: f64,
        /// Least and greatest height of the profile, with the same sign.
        range: [f64; 2],
    },
    /// The ground at one of the places does not end on the side of the other.
    NoBorder {
        /// The place.
        end: usize,
    },
    /// No two floors at the places are in one of the sixteen directions of links from each other.
    NoDirection,
    /// The take-off speed is too low for the distance.
    Speed,
    /// No marked surface leads up without gaps.
    NoLadder,
    /// Something blocks the link.
    Blocked {
        /// The place where the body would touch it.
        place: [f64; 3],
        /// The top of the obstacle, above that place.
        top: [f64; 3],
        /// True if the obstacle is at the start or the end of the link, rather than in between.
        is_end: bool,
    },
    /// A path on foot is short enough.
    OnFoot {
        /// Its length.
        way: f64,
        /// The length of the link.
        length: f64,
        /// The profile's `worth`.
        worth: f64,
    },
    /// Another link of the profile is near enough.
    ByLink {
        /// Start and end of that link.
        ends: [[f64; 3]; 2],
        /// Length of the path over that link.
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
            LinkVerdict::NoGround { end } => write!(f, "no ground near the {} place", end_name(end)),
            LinkVerdict::SamePlace => f.write_str("both places are on the same floor"),
            LinkVerdict::Distance { found, range: [least, most] } => write!(
                f,
                "too {}: {found:.2} m apart, profile allows {least:.2} to {most:.2} m",
                if found > most { "far" } else { "close" }
            ),
            LinkVerdict::Height { found, range: [least, most] } => write!(
                f,
                "height difference {} is outside the profile's range of {} to {}",
                up(*found),
                up(*least),
                up(*most)
            ),
            LinkVerdict::NoBorder { end } => write!(
                f,
                "not at a border: the ground at the {} place continues towards the other place",
                end_name(end)
            ),
            LinkVerdict::NoDirection => {
                f.write_str("no two floors at the places are in line with one of the sixteen link directions")
            }
            LinkVerdict::Speed => f.write_str("take-off speed is too low to reach the other place"),
            LinkVerdict::NoLadder => f.write_str("no ladder reaches from the lower place to the upper one"),
            LinkVerdict::Blocked { place: at, is_end: true, .. } => {
                write!(f, "no room for the agent at an end of the link: blocked at {}", place(*at))
            }
            LinkVerdict::Blocked { place: at, .. } => write!(f, "blocked at {}", place(*at)),
            LinkVerdict::OnFoot { way, length, worth } => write!(
                f,
                "redundant: the path on foot is {way:.2} m, at most {worth} times the link's {length:.2} m"
            ),
            LinkVerdict::ByLink { ends: [a, b], way, length, worth } => write!(
                f,
                "redundant: the path over the link from {} to {} is {way:.2} m, at most {worth} times this link's \
                 {length:.2} m, or its ends are near enough by `spacing`",
                place(*a),
                place(*b)
            ),
            LinkVerdict::Nearer => {
                f.write_str("a link in the same direction leads to a nearer floor of the same island")
            }
        }
    }
}
