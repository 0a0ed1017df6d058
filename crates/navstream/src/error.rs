//! Errors of calls. Tiles that fail are no errors: updates report them ([`TileFault`](crate::TileFault)).

use detour::{MeshError, RefError};
use navmath::LatticeError;
use navtile::TileCoord;
use std::error::Error;
use std::fmt;

/// A call that was refused; the stream is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamError {
    /// The file or world is a level in one piece, without tiles.
    OnePiece,
    /// The world lists two tiles at one coordinate.
    Duplicate(TileCoord),
    /// The lattice of the world is not valid.
    Lattice(LatticeError),
    /// The anchor of the mesh is not valid.
    Mesh(MeshError),
    /// A place that is NaN or infinite.
    Place([f64; 3]),
    /// A radius that is negative, NaN or infinite.
    Radius(f64),
    /// The pin was removed, or belongs to another stream.
    NoPin,
    /// The hold was released, or belongs to another stream.
    NoHold,
    /// A reference that is to be held does not name a polygon of the mesh.
    Reference(RefError),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::OnePiece => f.write_str(
                "the level is in one piece: load it as a whole, or bake it in tiles (--tile-size)",
            ),
            StreamError::Duplicate(coord) => write!(
                f,
                "the world lists tile ({}, {}, {}) twice: list each coordinate once",
                coord.x, coord.z, coord.layer
            ),
            StreamError::Lattice(error) => error.fmt(f),
            StreamError::Mesh(error) => error.fmt(f),
            StreamError::Place(place) => write!(f, "the place {place:?} is not finite"),
            StreamError::Radius(radius) => {
                write!(f, "the radius {radius} must be a finite number of metres, 0 or more")
            }
            StreamError::NoPin => {
                f.write_str("there is no such pin: it was removed, or belongs to another stream")
            }
            StreamError::NoHold => {
                f.write_str("there is no such hold: it was released, or belongs to another stream")
            }
            StreamError::Reference(error) => error.fmt(f),
        }
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StreamError::Lattice(error) => Some(error),
            StreamError::Mesh(error) => Some(error),
            StreamError::Reference(error) => Some(error),
            _ => None,
        }
    }
}

impl From<LatticeError> for StreamError {
    fn from(error: LatticeError) -> StreamError {
        StreamError::Lattice(error)
    }
}

impl From<MeshError> for StreamError {
    fn from(error: MeshError) -> StreamError {
        StreamError::Mesh(error)
    }
}

impl From<RefError> for StreamError {
    fn from(error: RefError) -> StreamError {
        StreamError::Reference(error)
    }
}
