//! The route along a far path, with its stops as C has them.

use crate::types::NtFarStop;
use hierarchy::{ClusterGrid, FarRoute, FarStop};

/// A route along a far path.
#[derive(Clone, Debug)]
pub(crate) struct Traveller {
    pub(crate) route: FarRoute,
    /// The grid of the hierarchy that planned it.
    pub(crate) grid: ClusterGrid,
}

impl Traveller {
    /// All stops, the start first.
    pub(crate) fn stops(&self) -> impl ExactSizeIterator<Item = NtFarStop> {
        self.route.stops().iter().map(|stop| self.stop(*stop))
    }

    /// The stop to walk to.
    pub(crate) fn ahead(&self) -> NtFarStop {
        self.stop(self.route.ahead())
    }

    fn stop(&self, FarStop { point, cluster }: FarStop) -> NtFarStop {
        let [first_x, first_z] = self.grid.columns(cluster).next().unwrap_or_default();
        NtFarStop { point, first_x, first_z, columns: self.grid.tiles }
    }
}
