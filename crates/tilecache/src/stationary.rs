//! The rule of obstacles that have an effect only while they keep still.

/// The rule of an obstacle that has an effect only while it keeps still: see
/// [`TileCache::set_stationary`](crate::TileCache::set_stationary).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stationary {
    /// Time without a move after which the obstacle has its effect again, seconds, 0 or more.
    pub time_to_stationary: f64,
    /// A move counts if it brings a corner of the obstacle at least this far from its last place that
    /// counted, metres, 0 or more.
    pub move_threshold: f64,
}

impl Default for Stationary {
    /// Half a second, and 0.1 m.
    fn default() -> Stationary {
        Stationary { time_to_stationary: 0.5, move_threshold: 0.1 }
    }
}

/// The rule of an obstacle, and its state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub(crate) rule: Stationary,
    /// Seconds since its last move that counted; `None` while it has its effect.
    pub(crate) still: Option<f64>,
}
