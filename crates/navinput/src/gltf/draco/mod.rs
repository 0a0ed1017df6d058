//! Primitives whose triangles are Draco streams: the description of a stream, and its triangles in the form
//! that the file specifies.
//!
//! The decoder is behind the feature `draco`; without it, such a primitive is refused.
//! Source: KHR_draco_mesh_compression (Khronos).

#[cfg(feature = "draco")]
mod decoder;
#[cfg(test)]
mod tests;

use super::data::{Data, POSITIONS};
use super::error::{DRACO, GltfError, GltfProblem};
use ::gltf::json::Value;
use ::gltf::json::mesh::Primitive;

/// A stream of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DracoStream {
    /// The buffer view that holds it.
    view: usize,
    /// The identifier of positions in it.
    id: u32,
}

/// Triangles and their positions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DracoMesh {
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl DracoStream {
    /// The stream of a primitive, if there is one.
    pub(super) fn of(primitive: &Primitive, at: &str) -> Result<Option<DracoStream>, GltfError> {
        let Some(value) = primitive.extensions.as_ref().and_then(|known| known.others.get(DRACO)) else {
            return Ok(None);
        };
        let number = |value: Option<&Value>, expected| {
            value.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
                let found = value.map_or("nothing".to_owned(), Value::to_string);
                GltfProblem::Unexpected { found, expected }.at(format!("{at}.extensions.{DRACO}"))
            })
        };
        let view = number(value.get("bufferView"), "the number of a buffer view as `bufferView`")? as usize;
        let positions = value.get("attributes").and_then(|attributes| attributes.get("POSITION"));
        let id = number(positions, "the identifier of an attribute as `attributes.POSITION`")?;
        Ok(Some(DracoStream { view, id }))
    }

    /// Decodes it, with positions converted as the describing accessor specifies.
    pub(super) fn read(self, data: &mut Data<'_>, accessor: usize, at: &str) -> Result<DracoMesh, GltfError> {
        let stream_at = format!("{at}.extensions.{DRACO}");
        let stream = data.copy_of_view(self.view, &stream_at)?;
        let mut mesh = self.decode(&stream, data, &stream_at)?;
        data.as_accessor(accessor, &POSITIONS, &mut mesh.positions, &format!("{at}.attributes.POSITION"))?;
        Ok(mesh)
    }

    #[cfg(feature = "draco")]
    fn decode(self, stream: &[u8], data: &mut Data<'_>, at: &str) -> Result<DracoMesh, GltfError> {
        let left = data.left();
        let mut budget = decoder::Budget(left);
        let mesh = decoder::decode(stream, self.id, &mut budget);
        data.charge(left - budget.0, 1, at)?;
        mesh.map_err(|decoder::Fault(what)| GltfProblem::DracoStream(what).at(at))
    }

    #[cfg(not(feature = "draco"))]
    fn decode(self, _: &[u8], _: &mut Data<'_>, at: &str) -> Result<DracoMesh, GltfError> {
        Err(GltfProblem::Draco.at(at))
    }
}
