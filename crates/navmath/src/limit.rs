//! Exceeded limits are errors. They name the limit, the value, and the remedy. No code in the workspace
//! clamps or wraps a number to make it fit.

use std::error::Error;
use std::fmt;

/// A number that exceeds its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitError {
    /// The quantity, in the user's terms.
    pub what: &'static str,
    /// The value.
    pub value: u64,
    /// The largest value that fits.
    pub limit: u64,
    /// The change that helps.
    pub remedy: &'static str,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LimitError { what, value, limit, remedy } = self;
        write!(f, "{what} is {value}, more than the limit of {limit}: {remedy}")
    }
}

impl Error for LimitError {}

/// `Ok` if `value <= limit`, otherwise the error.
pub fn check(what: &'static str, value: u64, limit: u64, remedy: &'static str) -> Result<(), LimitError> {
    if value <= limit { Ok(()) } else { Err(LimitError { what, value, limit, remedy }) }
}

/// Narrows a count to `u32`.
pub fn to_u32(what: &'static str, value: usize, remedy: &'static str) -> Result<u32, LimitError> {
    u32::try_from(value).map_err(|_| LimitError {
        what,
        value: value as u64,
        limit: u64::from(u32::MAX),
        remedy,
    })
}

/// A setting that is out of range.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// The field as it is named in a settings file: `agent.radius`.
    pub field: String,
    /// The value given.
    pub found: String,
    /// The allowed values, with the reason if it is not obvious.
    pub expected: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, expected {}", self.field, self.found, self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_limit_value_and_remedy() {
        let error = check("vertices of a polygon", 300, 255, "lower max_vertices").unwrap_err();
        assert_eq!(
            error.to_string(),
            "vertices of a polygon is 300, more than the limit of 255: lower max_vertices"
        );
        assert!(check("vertices", 255, 255, "").is_ok());
        assert_eq!(to_u32("spans", 7, "use tiles").unwrap(), 7);
    }
}
