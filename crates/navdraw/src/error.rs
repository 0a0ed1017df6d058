//! Why a picture cannot be made into an image.

use thiserror::Error;

/// A picture that cannot be made into an image.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The width asked for is too small to read or too large to hold.
    #[error("a picture {width} pixels wide cannot be made: ask for {min} to {max}")]
    Width {
        /// The size wanted, pixels.
        width: u32,
        /// Smallest width, pixels.
        min: u32,
        /// Largest width, pixels.
        max: u32,
    },
    /// There is no memory for the pixels.
    #[error("no memory for a picture of {width} x {height} pixels: ask for a smaller width")]
    Memory {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// Shapes lie over each other too often.
    #[error(
        "the shapes of the picture cover it more than {limit} times: draw it as SVG, or fewer storeys of the mesh"
    )]
    Cover {
        /// How often they may cover it.
        limit: u32,
    },
    /// The PNG encoder failed.
    #[error("the picture could not be encoded as PNG: {0}")]
    Encoding(#[from] png::EncodingError),
}
