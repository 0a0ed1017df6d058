//! The previous bake of a result: reading it, and saying why its tiles cannot be reused.

use crate::files;
use crate::inspect::{coord as xyz, fields, stated, tile_name};
use crate::memory::readable;
use navdraw::number::counted;
use navlevel::assemble::{EarlierError, EarlierFile};
use navtile::Meta;
use navtile::file::Seekable;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

/// A file that a bake wrote, with its graph.
pub(crate) type PreviousBake = EarlierFile<Seekable<File>>;

/// Reads the file except its tiles, with at most `memory` bytes; `Err` is the reason why nothing can be
/// reused.
pub(crate) fn read(path: &Path, memory: u64) -> Result<PreviousBake, String> {
    let name = path.display();
    let (file, _) =
        files::open_replaceable(path).map_err(|error| files::unreadable(path, &error).to_string())?;
    EarlierFile::open(Seekable::new(file), memory).map_err(|error| match error {
        EarlierError::Memory(needed) => format!(
            "{name}: its directory and island graph take {}, and `memory_bound` leaves {}",
            readable(needed),
            readable(memory)
        ),
        error => format!("{name}: {error}"),
    })
}

/// A sentence about the tiles that cannot be reused; `None` if all can.
pub(crate) fn damage(previous: &PreviousBake) -> Option<String> {
    /// With more tiles than this, only their number is given.
    const LISTED: usize = 3;
    let unsound = previous.unsound();
    let mut faults = unsound.iter().map(|(coord, why)| format!("{}: {why}", tile_name(xyz(*coord))));
    let mut text = format!("{} damaged or different from the island graph: ", counted(unsound.len(), "tile"));
    text.push_str(&faults.by_ref().take(LISTED).collect::<Vec<_>>().join("; "));
    match faults.count() {
        0 => {}
        more => text.push_str(&format!("; and {more} more")),
    }
    (!unsound.is_empty()).then_some(text)
}

/// The reason why no tile can be reused, if one reason explains it.
pub(crate) fn reason(previous: &PreviousBake, meta: &Meta) -> Option<String> {
    let previous = previous.meta();
    if previous.cell != meta.cell || previous.tile_cells != meta.tile_cells {
        return Some("the size of cells or tiles differs".to_owned());
    }
    if previous.origin != meta.origin {
        return Some(format!(
            "the corner of the level moved from {:?} to {:?}; give `bounds` to keep it where it is",
            previous.origin, meta.origin
        ));
    }
    // Volumes and off-mesh connections are part of the tiles that they reach, and reachability is decided
    // again.
    let (before, now): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (stated(previous).collect(), stated(meta).collect());
    let names: BTreeSet<&str> = before.keys().chain(now.keys()).copied().collect();
    let differing: Vec<&str> = names.into_iter().filter(|name| before.get(name) != now.get(name)).collect();
    let verb = if differing.len() == 1 { "differs" } else { "differ" };
    (!differing.is_empty()).then(|| format!("{} {verb}", differing.join(", ")))
}

/// The parts of the metadata that differ, by name.
pub(crate) fn differing_metadata(previous: &PreviousBake, meta: &Meta) -> Vec<String> {
    let (before, now): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (fields(previous.meta()).into_iter().collect(), fields(meta).into_iter().collect());
    let names: BTreeSet<String> = before.keys().chain(now.keys()).cloned().collect();
    names.into_iter().filter(|name| before.get(name) != now.get(name)).collect()
}
