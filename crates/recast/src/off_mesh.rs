//! Off-mesh connections: ways between two points that no surface makes, such as jumps, ladders and teleporters.

use crate::area::AreaId;

/// A way between two points, world metres.
#[derive(Clone, Debug, PartialEq)]
pub struct OffMeshConnection {
    /// Where it starts.
    pub start: [f64; 3],
    /// Where it ends.
    pub end: [f64; 3],
    /// How far from either end the mesh may be, metres, > 0.
    pub radius: f64,
    /// Whether it can be taken from end to start too.
    pub both_ways: bool,
    /// Its area, for costs.
    pub area: AreaId,
    /// Its flags; `None` for those of the area.
    pub flags: Option<u32>,
    /// A number for the user's own purposes.
    pub user_id: u64,
}

impl OffMeshConnection {
    /// What is wrong with the connection, if anything: a sentence for a person.
    pub fn fault(&self) -> Option<&'static str> {
        if !self.start.iter().chain(&self.end).all(|value| value.is_finite()) {
            return Some("its ends must be finite");
        }
        if !(self.radius.is_finite() && self.radius > 0.0) {
            return Some("its radius must be finite and positive");
        }
        (!self.area.is_walkable()).then_some("its area must not be 0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_tell_what_is_wrong() {
        let sound = OffMeshConnection {
            start: [0.0; 3],
            end: [1.0; 3],
            radius: 0.5,
            both_ways: true,
            area: AreaId(5),
            flags: None,
            user_id: 7,
        };
        assert_eq!(sound.fault(), None);
        assert!(OffMeshConnection { end: [f64::NAN; 3], ..sound.clone() }.fault().is_some());
        assert!(OffMeshConnection { radius: 0.0, ..sound.clone() }.fault().is_some());
        assert!(OffMeshConnection { area: AreaId::NULL, ..sound }.fault().is_some());
    }
}
