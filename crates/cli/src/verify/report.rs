//! What `navtile verify` found, as JSON and as text.

use crate::inspect::{coord, count, place, side_name, tile_name};
use crate::memory;
use navtile::Tile;
use navtile::seam_check::{LinkFault, LinkNote, SeamException, SeamFault, SeamReport};
use serde::Serialize;
use std::fmt::Write;

/// More exceptions of one kind than this are summed up, unless all are asked for.
const SHOWN: usize = 100;

/// The answer, as one JSON object.
#[derive(Serialize)]
pub(super) struct Report {
    /// Whether the file is valid and has no exceptions.
    pub(super) sound: bool,
    bytes: u64,
    /// Tiles in the directory; null if it cannot be read.
    tiles: Option<usize>,
    /// Rules that the file or its tiles break.
    flaws: Vec<Flaw>,
    /// Null if there are flaws: seams are then not checked.
    checked: Option<Checked>,
}

/// A broken rule.
#[derive(Serialize)]
pub(super) struct Flaw {
    /// x, z, layer; null if it is the file's.
    pub(super) tile: Option<[i32; 3]>,
    pub(super) rule: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
}

/// What was seen in a valid file. Lengths and places in metres.
#[derive(Serialize)]
pub(super) struct Checked {
    polygons: usize,
    islands: usize,
    seams: usize,
    portals: usize,
    matched_portals: usize,
    matched_length: f64,
    off_mesh_links: usize,
    exceptions: Vec<Exception>,
    notes: Vec<Note>,
}

#[derive(Serialize)]
struct Exception {
    kind: &'static str,
    tile: [i32; 3],
    side: &'static str,
    portal: u32,
    /// The nearest portal beyond; null without one.
    partner: Option<Partner>,
    at: [f64; 3],
    length: f64,
    /// Largest difference in height; null for other kinds.
    height_difference: Option<f64>,
}

#[derive(Serialize)]
struct Partner {
    tile: [i32; 3],
    portal: u32,
}

#[derive(Serialize)]
struct Note {
    kind: &'static str,
    tile: [i32; 3],
    off_mesh_link: u32,
    user_id: u64,
    end: &'static str,
    at: [f64; 3],
    /// Within which there is no polygon; null for an end without a tile.
    radius: Option<f64>,
}

/// Kinds of exceptions in the order they are listed in, each with what the text says of it.
const KINDS: [(&str, &str); 5] = [
    ("no_tile", "no tile beyond the portal"),
    ("no_partner", "no portal beyond, within one climb"),
    ("interval", "a portal beyond with other ends"),
    ("height", "a portal beyond at another height"),
    ("one_way", "a match that is there from one side only"),
];

impl Report {
    pub(super) fn new(
        bytes: u64,
        tiles: Option<usize>,
        flaws: Vec<Flaw>,
        checked: Option<Checked>,
    ) -> Report {
        let sound = flaws.is_empty() && checked.as_ref().is_some_and(|checked| checked.exceptions.is_empty());
        Report { sound, bytes, tiles, flaws, checked }
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
                writeln!(text, "  {place}: {}: expected {}, found {}", flaw.rule, flaw.expected, flaw.found)?;
            }
            more(text, self.flaws.len(), shown)?;
            if let Some(tiles) = self.tiles {
                let bad = self.flaws.len();
                writeln!(text, "{bad} of {} broken; seams are not checked", count(tiles, "tile"))?;
            }
            return writeln!(text, "docs/format.md lists the rules; bake the level again with navtile bake");
        };
        match checked.exceptions.len() {
            0 => writeln!(text, "{name}: sound")?,
            found => writeln!(text, "{name}: valid, with {}", count(found, "exception"))?,
        }
        checked.write_summary(text, self.tiles.unwrap_or_default(), &size)?;
        for (kind, meaning) in KINDS {
            let of_kind: Vec<&Exception> = checked.exceptions.iter().filter(|e| e.kind == kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            let length: f64 = of_kind.iter().map(|exception| exception.length).sum();
            writeln!(text, "{meaning}: {}, {length:.2} m", count(of_kind.len(), "place"))?;
            for exception in of_kind.iter().take(shown) {
                writeln!(text, "  {}", exception.text())?;
            }
            more(text, of_kind.len(), shown)?;
        }
        for note in checked.notes.iter().take(shown) {
            writeln!(text, "note: {}", note.text())?;
        }
        more(text, checked.notes.len(), shown)
    }
}

/// Says how many were left out.
fn more(text: &mut String, found: usize, shown: usize) -> std::fmt::Result {
    match found.saturating_sub(shown) {
        0 => Ok(()),
        left => writeln!(text, "  {left} more; --all lists them"),
    }
}

impl Checked {
    pub(super) fn new(tiles: &[Tile], islands: usize, seams: &SeamReport) -> Checked {
        Checked {
            polygons: tiles.iter().map(|tile| tile.polygons().len()).sum(),
            islands,
            seams: seams.seams,
            portals: seams.portals,
            matched_portals: seams.matched,
            matched_length: seams.matched_length,
            off_mesh_links: tiles.iter().map(|tile| tile.off_mesh_links().len()).sum(),
            exceptions: seams.exceptions.iter().map(Exception::of).collect(),
            notes: seams.notes.iter().map(Note::of).collect(),
        }
    }

    fn write_summary(&self, text: &mut String, tiles: usize, size: &str) -> std::fmt::Result {
        writeln!(text, "{:<10} {tiles}, {size}", "tiles")?;
        writeln!(text, "{:<10} {} in {}", "polygons", self.polygons, count(self.islands, "island"))?;
        writeln!(
            text,
            "{:<10} {}, with {}; {} equal to the one beyond, along {:.2} m",
            "seams",
            self.seams,
            count(self.portals, "portal"),
            self.matched_portals,
            self.matched_length
        )?;
        writeln!(text, "{:<10} {}", "off-mesh", count(self.off_mesh_links, "link"))
    }
}

impl Exception {
    fn of(exception: &SeamException) -> Exception {
        let (kind, height_difference) = match exception.fault {
            SeamFault::NoTile => ("no_tile", None),
            SeamFault::NoPartner => ("no_partner", None),
            SeamFault::Interval => ("interval", None),
            SeamFault::Height { by } => ("height", Some(by)),
            SeamFault::OneWay => ("one_way", None),
        };
        Exception {
            kind,
            tile: coord(exception.tile),
            side: side_name(exception.side),
            portal: exception.portal,
            partner: exception.partner.map(|(tile, portal)| Partner { tile: coord(tile), portal }),
            at: exception.at,
            length: exception.length,
            height_difference,
        }
    }

    fn text(&self) -> String {
        let by = self.height_difference.map_or_else(String::new, |by| format!(", {by:.3} m apart"));
        let partner = self.partner.as_ref().map_or_else(String::new, |partner| {
            format!(", beyond it portal {} of {}", partner.portal, tile_name(partner.tile))
        });
        format!(
            "{:.2} m at {}{by}: {}, side {}, portal {}{partner}",
            self.length,
            place(self.at),
            tile_name(self.tile),
            self.side,
            self.portal
        )
    }
}

impl Note {
    fn of(note: &LinkNote) -> Note {
        let (kind, radius) = match note.fault {
            LinkFault::NoTile => ("no_tile", None),
            LinkFault::NoPolygon { radius } => ("no_polygon", Some(radius)),
        };
        Note {
            kind,
            tile: coord(note.tile),
            off_mesh_link: note.link,
            user_id: note.user_id,
            end: if note.is_end { "end" } else { "start" },
            at: note.at,
            radius,
        }
    }

    fn text(&self) -> String {
        let lacks = self.radius.map_or_else(
            || "in no tile".to_owned(),
            |radius| format!("with no polygon within {radius:.3} m and one climb"),
        );
        format!(
            "off-mesh link {} of {}, user id {}, has its {} at {}, {lacks}",
            self.off_mesh_link,
            tile_name(self.tile),
            self.user_id,
            self.end,
            place(self.at)
        )
    }
}
