//! The order in which candidates are examined.

/// The place of a link in that order: by length, then by profile, start and end. Lengths are positive, so
/// their bits have the same order. Ends are compared by column and height, because the numbers of floors
/// depend on the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LinkOrder {
    length: u64,
    profile: u16,
    ends: [[i32; 3]; 2],
}

impl LinkOrder {
    /// The place of a link of this length, metres, with these ends: x, height, z.
    pub(super) fn new(length: f64, profile: u16, ends: [[i32; 3]; 2]) -> LinkOrder {
        LinkOrder { length: length.to_bits(), profile, ends }
    }

    /// The length, metres.
    pub(super) fn length(&self) -> f64 {
        f64::from_bits(self.length)
    }

    /// Index of the profile.
    pub(super) fn profile(&self) -> u16 {
        self.profile
    }

    /// The ends of the link: x, height, z.
    pub(super) fn ends(&self) -> [[i32; 3]; 2] {
        self.ends
    }

    /// The column that the link starts in.
    pub(super) fn start(&self) -> [i32; 2] {
        let [[x, _, z], _] = self.ends;
        [x, z]
    }
}
