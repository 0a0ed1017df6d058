//! Encoding of the numbers of a file.

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// Smallest byte first.
    #[default]
    Little,
    /// Largest byte first.
    Big,
}

impl ByteOrder {
    /// The opposite order.
    #[must_use]
    pub fn swapped(self) -> ByteOrder {
        match self {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        }
    }
}

/// Width of the references that a library was compiled with. It decides the space that a tile reserves for
/// links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefWidth {
    /// 32 bits: 22 of them for tile and polygon.
    #[default]
    Bits32,
    /// 64 bits (`DT_POLYREF64`).
    Bits64,
}

/// Encoding of the numbers of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Order of the bytes of a number.
    pub order: ByteOrder,
    /// Width of references.
    pub width: RefWidth,
}
