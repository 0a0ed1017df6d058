//! Off-mesh connections: links between two points, or two edges, without a surface, such as jumps, ladders
//! and teleporters.

use crate::area::AreaId;
use crate::layout::{COORD_LIMIT, OffMeshLink};
#[cfg(feature = "file")]
use navmath::Hasher;
use navmath::{FIXED_ONE, Lattice};

/// A link between two points or two edges, world metres.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct OffMeshConnection {
    /// Start point.
    pub start: [f64; 3],
    /// End point.
    pub end: [f64; 3],
    /// Largest distance between either end and the mesh, metres, > 0.
    pub radius: f64,
    /// True if the link can also be taken from end to start.
    pub both_ways: bool,
    /// Area, for costs.
    pub area: AreaId,
    /// Flags; `None` for those of the area.
    pub flags: Option<u32>,
    /// A number for the user's own purposes.
    pub user_id: u64,
    /// A horizontal vector, x and z, metres: the link leads from any `start + t * along` to `end + t *
    /// along`, t from 0 to 1, so it can be crossed anywhere along its edges. Zero for a link between two
    /// points.
    pub along: [f64; 2],
}

impl OffMeshConnection {
    /// The radius in 1/256 cells, as tiles store it.
    pub fn fixed_radius(&self, lattice: &Lattice) -> i32 {
        let radius = (self.radius / lattice.cell_size * f64::from(FIXED_ONE)).round();
        radius.clamp(1.0, f64::from(COORD_LIMIT)) as i32
    }

    /// [`OffMeshConnection::along`] in 1/256 cells, as tiles store it.
    pub fn fixed_along(&self, lattice: &Lattice) -> [i32; 2] {
        self.along.map(|metres| {
            let steps = (metres / lattice.cell_size * f64::from(FIXED_ONE)).round();
            steps.clamp(-f64::from(COORD_LIMIT), f64::from(COORD_LIMIT)) as i32
        })
    }

    /// The link that a tile stores, between two fixed-point positions. `area_flags` are those of the
    /// connection's area.
    pub fn link(
        &self,
        [start, end]: [[i32; 3]; 2],
        end_tile: [i32; 3],
        area_flags: u32,
        lattice: &Lattice,
    ) -> OffMeshLink {
        OffMeshLink {
            start,
            end,
            end_tile,
            radius: self.fixed_radius(lattice),
            flags: self.flags.unwrap_or(area_flags),
            area: self.area.0,
            direction: u8::from(self.both_ways),
            reserved: 0,
            user_id: self.user_id,
            along: self.fixed_along(lattice),
        }
    }

    /// The first fault of the connection, if it has one, as a phrase for error messages.
    pub fn fault(&self) -> Option<&'static str> {
        if !self.start.iter().chain(&self.end).all(|value| value.is_finite()) {
            return Some("its ends must be finite");
        }
        if !(self.radius.is_finite() && self.radius > 0.0) {
            return Some("its radius must be finite and positive");
        }
        if !self.along.iter().all(|value| value.is_finite()) {
            return Some("the vector along its edges must be finite");
        }
        (!self.area.is_walkable()).then_some("its area must not be 0")
    }
}

#[cfg(feature = "file")]
impl OffMeshConnection {
    /// Adds every field to a hash.
    pub fn write(&self, hasher: &mut Hasher) {
        let OffMeshConnection { start, end, radius, both_ways, area, flags, user_id, along } = self;
        hasher.write_u8s(b"connection").write_f64s(start).write_f64s(end).write_f64s(&[*radius]);
        hasher.write_u8s(&[u8::from(*both_ways), area.0, u8::from(flags.is_some())]);
        hasher.write_u32s(&[flags.unwrap_or(0)]).write_u64s(&[*user_id]);
        // Links between points keep the digests that they had before links between edges existed.
        if *along != [0.0; 2] {
            hasher.write_u8s(b"along").write_f64s(along);
        }
    }

    /// A number that identifies the connection.
    pub fn digest(&self) -> u64 {
        let mut hasher = Hasher::new();
        self.write(&mut hasher);
        let [a, b, c, d, e, f, g, h, ..] = hasher.finish().0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_connections_are_reported() {
        let sound = OffMeshConnection {
            start: [0.0; 3],
            end: [1.0; 3],
            radius: 0.5,
            both_ways: true,
            area: AreaId(5),
            flags: None,
            user_id: 7,
            along: [0.0; 2],
        };
        assert_eq!(sound.fault(), None);
        assert!(OffMeshConnection { end: [f64::NAN; 3], ..sound.clone() }.fault().is_some());
        assert!(OffMeshConnection { along: [0.0, f64::INFINITY], ..sound.clone() }.fault().is_some());
        assert!(OffMeshConnection { radius: 0.0, ..sound.clone() }.fault().is_some());
        assert!(OffMeshConnection { area: AreaId::NULL, ..sound }.fault().is_some());
    }
}
