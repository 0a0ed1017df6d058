//! Bytes that break their own format.

use thiserror::Error;

/// Bytes that break their own format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {what}: expected {expected}, found {found}: {remedy}")]
pub struct FormatError {
    /// The field that was read, in words.
    pub what: String,
    /// Its place, bytes from the start of the file.
    pub offset: u64,
    /// The values that are allowed.
    pub expected: String,
    /// The value found.
    pub found: String,
    /// The remedy, for the user.
    pub remedy: &'static str,
}

/// Returns the error for a file that is damaged or of another kind.
pub(crate) fn refuse<T>(
    what: impl Into<String>,
    offset: u64,
    expected: impl Into<String>,
    found: impl ToString,
) -> Result<T, FormatError> {
    let (what, expected, found) = (what.into(), expected.into(), found.to_string());
    let remedy = "the file is damaged or of another kind; write it again with its own tools";
    Err(FormatError { what, offset, expected, found, remedy })
}
