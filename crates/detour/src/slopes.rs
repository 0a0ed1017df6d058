//! Costs and limits of slopes: moves that gain or lose height may cost more, and steep ones may be
//! impossible.

use std::error::Error;
use std::fmt;

/// The costs and limits of moves that gain or lose height. By default height is free and no slope is too
/// steep.
///
/// ```
/// use detour::Slopes;
///
/// // A metre of height costs as much as five metres of level ground; no climb is steeper than 30 degrees.
/// let slopes = Slopes::default().with_climb_cost(5.0)?.with_max_slope_up(30.0)?;
/// assert!(!slopes.is_none() && slopes.descent_cost() == 0.0);
/// # Ok::<(), detour::SlopeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slopes {
    /// Cost of a metre of height gained, and of a metre lost.
    costs: [f32; 2],
    /// Largest slope upwards and downwards, degrees.
    limits: [f32; 2],
}

impl Default for Slopes {
    fn default() -> Slopes {
        Slopes::NONE
    }
}

/// A value that [`Slopes`] does not accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlopeError {
    /// The cost of a metre of height is negative, NaN or too large.
    Cost {
        /// `climb` or `descent`.
        of: &'static str,
        /// The rejected cost.
        cost: f32,
    },
    /// The largest slope is not an angle from 0 to 90 degrees.
    Limit {
        /// `up` or `down`.
        direction: &'static str,
        /// The rejected angle, degrees.
        degrees: f32,
    },
}

impl fmt::Display for SlopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlopeError::Cost { of, cost } => {
                let most = Slopes::MAX_COST;
                write!(f, "the {of} cost is {cost}: it must be from 0 to {most:e} per metre of height")
            }
            SlopeError::Limit { direction, degrees } => write!(
                f,
                "the largest slope {direction} is {degrees}: it must be from 0 to 90 degrees; 90 lifts the limit"
            ),
        }
    }
}

impl Error for SlopeError {}

impl Slopes {
    /// Height costs nothing, and no slope is too steep.
    pub const NONE: Slopes = Slopes { costs: [0.0; 2], limits: [90.0; 2] };
    /// The largest cost of a metre of height: that of a metre of ground.
    pub const MAX_COST: f32 = 1e20;

    /// Sets the cost of a metre of height that is gained: from 0 to [`Slopes::MAX_COST`].
    pub fn with_climb_cost(mut self, cost: f32) -> Result<Slopes, SlopeError> {
        self.costs[0] = checked_cost("climb", cost)?;
        Ok(self)
    }

    /// Sets the cost of a metre of height that is lost: from 0 to [`Slopes::MAX_COST`].
    pub fn with_descent_cost(mut self, cost: f32) -> Result<Slopes, SlopeError> {
        self.costs[1] = checked_cost("descent", cost)?;
        Ok(self)
    }

    /// Sets the steepest slope that a move over the ground may lead up, in the direction of the move: from 0
    /// to 90 degrees. 90 lifts the limit. Slopes of less than 0.01 degrees always pass.
    pub fn with_max_slope_up(mut self, degrees: f32) -> Result<Slopes, SlopeError> {
        self.limits[0] = checked_limit("up", degrees)?;
        Ok(self)
    }

    /// Sets the steepest slope that a move over the ground may lead down, in the direction of the move: from
    /// 0 to 90 degrees. 90 lifts the limit. Slopes of less than 0.01 degrees always pass.
    pub fn with_max_slope_down(mut self, degrees: f32) -> Result<Slopes, SlopeError> {
        self.limits[1] = checked_limit("down", degrees)?;
        Ok(self)
    }

    /// The cost of a metre of height that is gained.
    pub fn climb_cost(&self) -> f32 {
        self.costs[0]
    }

    /// The cost of a metre of height that is lost.
    pub fn descent_cost(&self) -> f32 {
        self.costs[1]
    }

    /// The steepest slope upwards, degrees; 90 without a limit.
    pub fn max_slope_up(&self) -> f32 {
        self.limits[0]
    }

    /// The steepest slope downwards, degrees; 90 without a limit.
    pub fn max_slope_down(&self) -> f32 {
        self.limits[1]
    }

    /// Returns true if height costs nothing and no slope is too steep.
    #[inline]
    pub fn is_none(&self) -> bool {
        *self == Slopes::NONE
    }

    /// The cost of a change of height, metres; positive if height is gained.
    #[inline]
    pub fn cost_of_rise(&self, rise: f32) -> f32 {
        if rise > 0.0 { rise * self.costs[0] } else { -rise * self.costs[1] }
    }
}

fn checked_cost(of: &'static str, cost: f32) -> Result<f32, SlopeError> {
    if (0.0..=Slopes::MAX_COST).contains(&cost) { Ok(cost) } else { Err(SlopeError::Cost { of, cost }) }
}

fn checked_limit(direction: &'static str, degrees: f32) -> Result<f32, SlopeError> {
    if (0.0..=90.0).contains(&degrees) { Ok(degrees) } else { Err(SlopeError::Limit { direction, degrees }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_refused_by_name() {
        for bad in [f32::NAN, -1.0, f32::INFINITY] {
            let of = |result: Result<Slopes, SlopeError>| result.unwrap_err().to_string();
            assert!(of(Slopes::NONE.with_climb_cost(bad)).starts_with("the climb cost is"));
            assert!(of(Slopes::NONE.with_descent_cost(bad)).starts_with("the descent cost is"));
            assert!(of(Slopes::NONE.with_max_slope_up(bad)).starts_with("the largest slope up is"));
            assert!(of(Slopes::NONE.with_max_slope_down(bad)).starts_with("the largest slope down is"));
        }
        assert!(Slopes::NONE.with_max_slope_up(90.5).is_err() && Slopes::NONE.with_climb_cost(1e21).is_err());
    }

    #[test]
    fn height_costs_by_its_direction() {
        let slopes = Slopes::NONE.with_climb_cost(3.0).unwrap().with_descent_cost(0.5).unwrap();
        assert_eq!([2.0, -2.0, 0.0].map(|rise| slopes.cost_of_rise(rise)), [6.0, 1.0, 0.0]);
        assert!(Slopes::NONE.with_climb_cost(0.0).unwrap().with_max_slope_up(90.0).unwrap().is_none());
    }
}
