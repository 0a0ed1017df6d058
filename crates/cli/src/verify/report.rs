//! The report of `navtile verify`, as JSON and as text.

use crate::inspect::{coord, place, side_name, tile_name};
use crate::memory;
use navdraw::number::counted;
use navtile::limits::SNAP_LIMIT;
use navtile::seam_check::{LinkFault, LinkNote, SeamException, SeamFault, SeamReport};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// More exceptions of one kind than this are summed up, unless all are requested.
const SHOWN: usize = 100;

/// The result of checking a file.
pub(super) struct VerifyReport {
    /// True if the file is valid and has no exceptions.
    pub(super) sound: bool,
    bytes: u64,
    /// Tiles in the directory; `None` if it cannot be read.
    tiles: Option<usize>,
    /// Rules that the file or its tiles break.
    flaws: Vec<Flaw>,
    /// `None` if there are flaws: seams are then not checked.
    checked: Option<Checked>,
}

/// A broken rule.
#[derive(Serialize)]
pub(super) struct Flaw {
    /// x, z, layer; null for a rule of the file.
    pub(super) tile: Option<[i32; 3]>,
    pub(super) rule: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
}

/// The counts and exceptions of a valid file.
pub(super) struct Checked {
    pub(super) polygons: usize,
    pub(super) islands: usize,
    pub(super) off_mesh_links: usize,
    pub(super) seams: SeamReport,
}

/// Names of the kinds of exceptions in the order of the report, each with its text.
const KINDS: [(&str, &str); 5] = [
    ("no_tile", "no tile on the other side of the portal"),
    ("no_partner", "no portal on the other side within one climb"),
    ("interval", "a portal on the other side with other ends"),
    ("height", "a portal on the other side at another height"),
    ("one_way", "a match from one side only"),
];

/// The name of an exception's kind, and the largest difference in height if the kind has one.
fn kind(exception: &SeamException) -> (&'static str, Option<f64>) {
    match exception.fault {
        SeamFault::NoTile => ("no_tile", None),
        SeamFault::NoPartner => ("no_partner", None),
        SeamFault::Interval => ("interval", None),
        SeamFault::Height { by } => ("height", Some(by)),
        SeamFault::OneWay => ("one_way", None),
    }
}

impl VerifyReport {
    pub(super) fn new(
        bytes: u64,
        tiles: Option<usize>,
        flaws: Vec<Flaw>,
        checked: Option<Checked>,
    ) -> VerifyReport {
        let sound =
            flaws.is_empty() && checked.as_ref().is_some_and(|checked| checked.seams.exceptions.is_empty());
        VerifyReport { sound, bytes, tiles, flaws, checked }
    }

    /// The answer as one JSON object. Lengths and places in metres.
    pub(super) fn json(&self) -> Value {
        json!({
            "sound": self.sound,
            "bytes": self.bytes,
            "tiles": self.tiles,
            "flaws": self.flaws,
            "checked": self.checked.as_ref().map(Checked::json),
        })
    }

    /// The answer for people; `name` is the file's.
    pub(super) fn text(&self, name: &str, all: bool) -> String {
        let mut text = String::new();
        let shown = if all { usize::MAX } else { SHOWN };
        self.write_text(&mut text, name, shown).expect("writing to a String cannot fail");
        text
    }

    fn write_text(&self, text: &mut String, name: &str, shown: usize) -> std::fmt::Result {
        let size = memory::readable(self.bytes);
        let Some(checked) = &self.checked else {
            writeln!(text, "{name}: not valid, {size}")?;
            for flaw in self.flaws.iter().take(shown) {
                let place = flaw.tile.map_or_else(|| "file".to_owned(), tile_name);
                let [expected, found] = [&flaw.expected, &flaw.found].map(|text| navinput::escaped(text));
                writeln!(text, "  {place}: {}: expected {expected}, found {found}", flaw.rule)?;
            }
            more(text, self.flaws.len(), shown)?;
            if let Some(tiles) = self.tiles {
                let mut broken: Vec<_> = self.flaws.iter().filter_map(|flaw| flaw.tile).collect();
                broken.sort_unstable();
                broken.dedup();
                let broken = broken.len();
                writeln!(text, "{broken} of {} broken; seams are not checked", counted(tiles, "tile"))?;
            }
            return writeln!(text, "docs/format.md lists the rules; bake the level again with navtile bake");
        };
        let SeamReport { exceptions, notes, .. } = &checked.seams;
        match exceptions.len() {
            0 => writeln!(text, "{name}: sound")?,
            found => writeln!(text, "{name}: valid, with {}", counted(found, "exception"))?,
        }
        checked.write_summary(text, self.tiles.unwrap_or_default(), &size)?;
        for (name, meaning) in KINDS {
            let of_kind: Vec<&SeamException> =
                exceptions.iter().filter(|exception| kind(exception).0 == name).collect();
            if of_kind.is_empty() {
                continue;
            }
            let length: f64 = of_kind.iter().map(|exception| exception.length).sum();
            writeln!(text, "{meaning}: {}, {length:.2} m", counted(of_kind.len(), "place"))?;
            for exception in of_kind.iter().take(shown) {
                writeln!(text, "  {}", exception_text(exception))?;
            }
            more(text, of_kind.len(), shown)?;
        }
        for note in notes.iter().take(shown) {
            writeln!(text, "note: {}", note_text(note))?;
        }
        more(text, notes.len(), shown)
    }
}

/// Writes the number of those that were left out.
fn more(text: &mut String, found: usize, shown: usize) -> std::fmt::Result {
    match found.saturating_sub(shown) {
        0 => Ok(()),
        left => writeln!(text, "  {left} more; --all lists them"),
    }
}

impl Checked {
    fn json(&self) -> Value {
        let SeamReport { seams, portals, matched, matched_length, exceptions, notes } = &self.seams;
        json!({
            "polygons": self.polygons,
            "islands": self.islands,
            "seams": seams,
            "portals": portals,
            "matched_portals": matched,
            "matched_length": matched_length,
            "off_mesh_links": self.off_mesh_links,
            "exceptions": exceptions.iter().map(exception_json).collect::<Vec<_>>(),
            "notes": notes.iter().map(note_json).collect::<Vec<_>>(),
        })
    }

    fn write_summary(&self, text: &mut String, tiles: usize, size: &str) -> std::fmt::Result {
        writeln!(text, "{:<10} {tiles}, {size}", "tiles")?;
        writeln!(text, "{:<10} {} in {}", "polygons", self.polygons, counted(self.islands, "island"))?;
        writeln!(
            text,
            "{:<10} {}, with {}; {} matched on the other side, along {:.2} m",
            "seams",
            self.seams.seams,
            counted(self.seams.portals, "portal"),
            self.seams.matched,
            self.seams.matched_length
        )?;
        writeln!(text, "{:<10} {}", "off-mesh", counted(self.off_mesh_links, "link"))
    }
}

fn exception_json(exception: &SeamException) -> Value {
    let (kind, height_difference) = kind(exception);
    let partner = |(tile, portal)| json!({ "tile": coord(tile), "portal": portal });
    json!({
        "kind": kind,
        "tile": coord(exception.tile),
        "side": side_name(exception.side),
        "portal": exception.portal,
        // The nearest portal on the other side.
        "partner": exception.partner.map(partner),
        "at": exception.at,
        "length": exception.length,
        "height_difference": height_difference,
    })
}

fn exception_text(exception: &SeamException) -> String {
    let by = kind(exception).1.map_or_else(String::new, |by| format!(", {by:.3} m apart"));
    let partner = exception.partner.map_or_else(String::new, |(tile, portal)| {
        format!(", opposite portal {portal} of {}", tile_name(coord(tile)))
    });
    format!(
        "{:.2} m at {}{by}: {}, side {}, portal {}{partner}",
        exception.length,
        place(exception.at),
        tile_name(coord(exception.tile)),
        side_name(exception.side),
        exception.portal
    )
}

fn end_name(note: &LinkNote) -> &'static str {
    if note.is_end { "end" } else { "start" }
}

fn note_json(note: &LinkNote) -> Value {
    let (kind, radius) = match note.fault {
        LinkFault::NoTile => ("no_tile", None),
        LinkFault::NoPolygon { radius } => ("no_polygon", Some(radius)),
        LinkFault::Crowded => ("crowded", None),
    };
    json!({
        "kind": kind,
        "tile": coord(note.tile),
        "off_mesh_link": note.link,
        "user_id": note.user_id,
        "end": end_name(note),
        "at": note.at,
        "radius": radius,
    })
}

fn note_text(note: &LinkNote) -> String {
    let lacks = match note.fault {
        LinkFault::NoTile => "in a missing tile".to_owned(),
        LinkFault::NoPolygon { radius } => format!("with no polygon within {radius:.3} m and one climb"),
        LinkFault::Crowded => {
            format!("with more than {SNAP_LIMIT} polygons at the same distance, so that none is chosen")
        }
    };
    format!(
        "off-mesh link {} of {}, user id {}, has its {} at {}, {lacks}",
        note.link,
        tile_name(coord(note.tile)),
        note.user_id,
        end_name(note),
        place(note.at)
    )
}
