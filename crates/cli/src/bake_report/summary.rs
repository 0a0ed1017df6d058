//! The result of a bake in a few lines, the same for levels and for maps.

use crate::memory;
use crate::report::{columns, duration};
use navdraw::number::{counted, square_metres};
use std::path::Path;
use std::time::Duration;

/// The main figures of a bake.
pub(crate) struct Summary<'a> {
    pub(crate) agent: Option<&'a str>,
    /// Area of all polygons seen from above, m².
    pub(crate) area_m2: f64,
    pub(crate) polygons: usize,
    pub(crate) islands: IslandTotals,
    /// The tiles, if there are several.
    pub(crate) tiles: Option<String>,
    pub(crate) warnings: usize,
    pub(crate) notes: usize,
    pub(crate) file: &'a Path,
    pub(crate) bytes: u64,
    pub(crate) elapsed: Duration,
}

/// The islands of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct IslandTotals {
    pub(crate) kept: usize,
    pub(crate) dropped: usize,
    /// The largest island's share of all kept islands, 0 to 1.
    pub(crate) largest: f64,
}

impl IslandTotals {
    /// Islands of these sizes, in any unit.
    pub(crate) fn new(kept: &[f64], dropped: usize) -> IslandTotals {
        let total: f64 = kept.iter().sum();
        let largest = kept.iter().fold(0.0, |largest: f64, size| largest.max(*size));
        IslandTotals { kept: kept.len(), dropped, largest: if total > 0.0 { largest / total } else { 0.0 } }
    }

    fn text(&self) -> String {
        let mut text = counted(self.kept, "island");
        if self.kept > 1 {
            text += &format!(" (the largest has {:.0} %)", (self.largest * 100.0).floor());
        }
        if self.dropped > 0 {
            text += &format!(", {} dropped", self.dropped);
        }
        text
    }
}

impl Summary<'_> {
    pub(crate) fn text(&self) -> String {
        let mesh = match self.polygons {
            0 => "empty".to_owned(),
            polygons => format!(
                "{} walkable, {}, {}",
                square_metres(self.area_m2),
                self.islands.text(),
                counted(polygons, "polygon")
            ),
        };
        let warnings = if self.warnings == 0 { "none".to_owned() } else { self.warnings.to_string() };
        let notes = match self.notes {
            0 => String::new(),
            notes => format!("; {}", counted(notes, "note")),
        };
        let file = format!(
            "{}, {}, in {}",
            self.file.display(),
            memory::readable(self.bytes),
            duration(self.elapsed)
        );
        let mut lines: Vec<(&str, String)> = Vec::new();
        lines.extend(self.agent.map(|agent| ("agent", agent.escape_debug().to_string())));
        lines.push(("mesh", mesh));
        lines.extend(self.tiles.clone().map(|tiles| ("tiles", tiles)));
        lines.extend([("warnings", warnings + &notes), ("file", file)]);
        columns(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bake_is_a_few_lines() {
        let mut summary = Summary {
            agent: None,
            area_m2: 1234.4,
            polygons: 1,
            islands: IslandTotals::new(&[96.0, 4.0], 2),
            tiles: None,
            warnings: 0,
            notes: 0,
            file: Path::new("a.navtile"),
            bytes: 2048,
            elapsed: Duration::from_millis(1500),
        };
        assert_eq!(
            summary.text(),
            "mesh       1,234 m² walkable, 2 islands (the largest has 96 %), 2 dropped, 1 polygon\n\
             warnings   none\n\
             file       a.navtile, 2.0 KiB, in 1.50 s\n"
        );
        summary.polygons = 0;
        (summary.warnings, summary.notes, summary.agent) = (1, 1, Some("cat"));
        summary.tiles = Some("4 of 15 m".to_owned());
        assert_eq!(
            summary.text(),
            "agent      cat\n\
             mesh       empty\n\
             tiles      4 of 15 m\n\
             warnings   1; 1 note\n\
             file       a.navtile, 2.0 KiB, in 1.50 s\n"
        );
        // Nearly all is not all.
        assert_eq!(IslandTotals::new(&[999.0, 1.0], 0).text(), "2 islands (the largest has 99 %)");
        assert_eq!(IslandTotals::new(&[], 0), IslandTotals::default());
    }
}
