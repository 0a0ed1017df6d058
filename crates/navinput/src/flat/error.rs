//! Errors of maps, with their places and remedies.

use crate::label::escaped;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A place in a map's file. Everything counts from 1 and is set if known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlatPlace {
    /// Line, in lists of corners.
    pub line: Option<u64>,
    /// Feature, in GeoJSON.
    pub feature: Option<usize>,
    /// The feature's `name`, which all its polygons share.
    pub name: Option<Arc<str>>,
    /// Polygon of the feature.
    pub polygon: Option<usize>,
    /// Ring of the polygon: the first is its outline.
    pub ring: Option<usize>,
    /// Point of the ring.
    pub point: Option<usize>,
}

impl fmt::Display for FlatPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.line.map(|line| format!("line {line}")));
        if let Some(feature) = self.feature {
            let name = self.name.as_ref().map(|name| format!(" (`{}`)", escaped(name))).unwrap_or_default();
            parts.push(format!("feature {feature}{name}"));
        }
        parts.extend(self.polygon.map(|polygon| format!("polygon {polygon}")));
        parts.extend(self.ring.map(|ring| format!("ring {ring}")));
        parts.extend(self.point.map(|point| format!("point {point}")));
        if parts.is_empty() { f.write_str("the file") } else { f.write_str(&parts.join(", ")) }
    }
}

/// A map that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}; {remedy}")]
pub struct FlatError {
    /// The place of the fault.
    pub place: Box<FlatPlace>,
    /// The value found, and the one expected.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

impl FlatError {
    pub(super) fn new(place: &FlatPlace, what: impl Into<String>, remedy: &str) -> FlatError {
        FlatError { place: Box::new(place.clone()), what: what.into(), remedy: remedy.to_owned() }
    }
}
