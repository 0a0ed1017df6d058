//! Geometry sets (`.gset`), as the RecastDemo program saves them: the mesh's file, the settings of the bake,
//! off-mesh connections and convex volumes. Units: metres. Cost: O(bytes). Source: M. Mononen, RecastDemo
//! (InputGeom.cpp), for the format.
//!
//! One row for each item, with its kind in the first letter: `f` the mesh, `s` settings, `c` a connection,
//! `v` a volume, whose corners follow in rows of their own. Some values of `s` are in cells; they are
//! converted to metres here.
//!
//! Areas keep RecastDemo's ids, names, flags and costs. Its ground is area 0, which here means unwalkable:
//! for a connection, 0 becomes our ground, 63. A volume of area 0 cuts a hole, as in RecastDemo.

mod rows;
#[cfg(test)]
mod tests;

use crate::error::InputError;
use recast::{AreaDefinition, AreaId, Settings};

/// The content of a geometry set.
#[derive(Clone, Debug, PartialEq)]
pub struct Gset {
    /// Name of the mesh's file, as written in the set.
    pub mesh: String,
    /// Settings of the bake: what the file gives, else the defaults; and its volumes and off-mesh
    /// connections.
    pub settings: Settings,
    /// The line of the row of settings, if there is one.
    pub settings_line: Option<u64>,
    /// Cells along a side of a tile; `None` if the file has no row of settings, or if the value is 0.
    pub tile_cells: Option<f64>,
}

/// Reads a geometry set. Lines may end in LF or CRLF; empty lines and lines that start with `#` are skipped.
///
/// ```
/// let set = b"f level.obj\nc 0 0 0  4 0 0  0.6 1 5 8\n";
/// let set = navinput::read_gset(set)?;
/// assert_eq!((set.mesh.as_str(), set.settings.off_mesh_connections.len()), ("level.obj", 1));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// [`InputError::Gset`] with every problem of the file, each with its line: unknown rows, wrong counts,
/// values that are not finite numbers, impossible volumes, no mesh or more than one.
pub fn read_gset(bytes: &[u8]) -> Result<Gset, InputError> {
    rows::read(bytes).map_err(InputError::Gset)
}

/// Ids, names, flags and costs of RecastDemo's areas except ground. Flags are walk 1, swim 2, door 4, jump 8.
const AREAS: [(u8, &str, u32, f32); 5] = [
    (1, "water", 2, 10.0),
    (2, "road", 1, 1.0),
    (3, "door", 1 | 4, 1.0),
    (4, "grass", 1, 2.0),
    (5, "jump", 8, 1.5),
];

/// The areas of RecastDemo, ground last.
fn areas() -> Vec<AreaDefinition> {
    let area = |(id, name, flags, cost): (u8, &str, u32, f32)| AreaDefinition {
        id: AreaId(id),
        name: name.to_owned(),
        flags,
        cost,
        ..AreaDefinition::ground()
    };
    AREAS.into_iter().map(area).chain([AreaDefinition::ground()]).collect()
}

/// The area of an id that RecastDemo gives.
fn area(id: u8) -> AreaId {
    if id == 0 { AreaId::GROUND } else { AreaId(id) }
}
