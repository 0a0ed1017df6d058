//! Kinds of generated links, and their encoding in the number of an off-mesh link.

/// The movement along a generated link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "file", serde(rename_all = "lowercase"))]
pub enum LinkKind {
    /// Off a ledge, and straight down.
    Drop,
    /// Along an arc.
    Jump,
    /// Straight up, and onto a ledge.
    Climb,
    /// Straight up along a marked surface, and onto the floor at its top.
    Ladder,
}

/// Numbers from here to [`GENERATED_LAST`] mark generated links.
pub const GENERATED_FIRST: u64 = 0xF000_0000;
/// The last of these numbers. They fit 32 bits, because Detour's tiles have no more.
pub const GENERATED_LAST: u64 = 0xF0FF_FFFF;

impl LinkKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [LinkKind; 4] = [LinkKind::Drop, LinkKind::Jump, LinkKind::Climb, LinkKind::Ladder];

    /// The name in settings files and reports.
    pub fn name(self) -> &'static str {
        ["drop", "jump", "climb", "ladder"][self as usize]
    }

    /// The number of a link of this kind: `0xF0KKPPPP`. KK is the kind, from 1, and PPPP the profile in the
    /// order of the settings, from 0.
    ///
    /// ```
    /// use navtile::LinkKind;
    ///
    /// assert_eq!(LinkKind::Jump.user_id(3), 0xF002_0003);
    /// assert_eq!(LinkKind::of_user_id(0xF002_0003), Some((LinkKind::Jump, 3)));
    /// assert_eq!(LinkKind::of_user_id(3), None);
    /// ```
    pub fn user_id(self, profile: u16) -> u64 {
        GENERATED_FIRST | (self as u64 + 1) << 16 | u64::from(profile)
    }

    /// The kind and the profile that a link's number encodes; `None` if the link was not generated.
    pub fn of_user_id(user_id: u64) -> Option<(LinkKind, u16)> {
        if !(GENERATED_FIRST..=GENERATED_LAST).contains(&user_id) {
            return None;
        }
        let code = ((user_id >> 16) & 0xFF) as usize;
        let kind = LinkKind::ALL.get(code.checked_sub(1)?)?;
        Some((*kind, (user_id & 0xFFFF) as u16))
    }
}
