//! Errors of drawing a picture.

use thiserror::Error;

/// The reason why a picture cannot be made into an image.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The requested width is too small to read or too large to hold.
    #[error("a picture {width} pixels wide cannot be made: ask for {min} to {max}")]
    Width {
        /// The requested width, pixels.
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
    /// The shapes overlap too often.
    #[error(
        "the shapes of the picture cover it more than {limit} times: draw it as SVG, or fewer storeys of the mesh"
    )]
    Cover {
        /// Maximum number of times that shapes may cover the picture.
        limit: u32,
    },
    /// The PNG encoder failed.
    #[error("the picture could not be encoded as PNG: {0}")]
    Encoding(#[from] png::EncodingError),
}
