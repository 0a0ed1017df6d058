//! Obstacles that have an effect only while they keep still: no tile is baked while they move.

use crate::cache::{PlacedObstacle, TileCache, is_below};
use crate::error::CacheError;
use crate::slots::ObstacleHandle;
use crate::stationary::{Rest, Stationary};
use navlevel::Obstacle;
use navtile::file::Source;
use recast::Transform;

impl<S: Source> TileCache<S> {
    /// Gives an obstacle an effect only while it keeps still, or `None` for an effect at every place. When
    /// it begins to move, it vanishes from its tiles, and no tile is baked for its moves until it has kept
    /// still for the time of the rule. Let others avoid it meanwhile, for example as a moving disc of the
    /// crowd. [`TileCache::advance`] counts the time. Tiles have the bytes of an offline bake with the
    /// obstacles that do not move.
    ///
    /// # Errors
    /// A handle without an obstacle, and a number that is negative or NaN.
    pub fn set_stationary(
        &mut self,
        handle: ObstacleHandle,
        rule: Option<Stationary>,
    ) -> Result<(), CacheError> {
        for value in rule.iter().flat_map(|rule| [rule.time_to_stationary, rule.move_threshold]) {
            if value.is_nan() || value < 0.0 {
                return Err(CacheError::Stationary(value));
            }
        }
        let still = self.still(handle);
        if rule.is_none() && still.is_some() {
            self.come_to_rest(handle)?;
        }
        let placed = self.obstacles.get_mut(handle).ok_or(CacheError::NoObstacle)?;
        placed.rest = rule.map(|rule| Rest { rule, still });
        Ok(())
    }

    /// Returns true if an obstacle moves and has no effect until it has kept still: see
    /// [`TileCache::set_stationary`].
    pub fn is_moving(&self, handle: ObstacleHandle) -> bool {
        self.still(handle).is_some()
    }

    /// Counts time for the obstacles that move: call it in each frame. Obstacles that have kept still for
    /// long enough have their effect again, and their tiles wait to be baked.
    ///
    /// # Errors
    /// A time that is negative or NaN.
    pub fn advance(&mut self, seconds: f64) -> Result<(), CacheError> {
        if seconds.is_nan() || seconds < 0.0 {
            return Err(CacheError::Stationary(seconds));
        }
        for handle in self.moving.iter().copied().collect::<Vec<ObstacleHandle>>() {
            let Some(Rest { rule, still: Some(still) }) =
                self.obstacles.get_mut(handle).and_then(|placed| placed.rest.as_mut())
            else {
                continue;
            };
            *still += seconds;
            if *still >= rule.time_to_stationary {
                self.come_to_rest(handle)?;
            }
        }
        Ok(())
    }

    fn still(&self, handle: ObstacleHandle) -> Option<f64> {
        self.obstacles.get(handle)?.rest?.still
    }

    /// Moves an obstacle that has a rule. Returns `None` for an obstacle without a rule, otherwise whether
    /// the move counted.
    pub(crate) fn move_by_rule(
        &mut self,
        handle: ObstacleHandle,
        place: &Transform,
    ) -> Result<Option<bool>, CacheError> {
        let placed = self.obstacles.get_mut(handle).ok_or(CacheError::NoObstacle)?;
        let Some(rest) = &placed.rest else { return Ok(None) };
        if is_below(rest.rule.move_threshold, &placed.obstacle, place) {
            placed.requested = *place;
            return Ok(Some(false));
        }
        let (rule, still) = (rest.rule, Some(0.0));
        let obstacle = Obstacle { place: *place, ..placed.obstacle.clone() };
        let moved = self.place(&obstacle)?;
        self.put(handle, PlacedObstacle { rest: Some(Rest { rule, still }), tiles: Vec::new(), ..moved })?;
        self.moving.insert(handle);
        Ok(Some(true))
    }

    /// Gives a moving obstacle its effect at the place that was last requested.
    fn come_to_rest(&mut self, handle: ObstacleHandle) -> Result<(), CacheError> {
        let placed = self.obstacles.get(handle).ok_or(CacheError::NoObstacle)?;
        let rest = placed.rest.map(|rest| Rest { still: None, ..rest });
        let obstacle = Obstacle { place: placed.requested, ..placed.obstacle.clone() };
        let placed = self.place(&obstacle)?;
        self.moving.remove(&handle);
        self.put(handle, PlacedObstacle { rest, ..placed })
    }
}
