//! `navtile diff`: shows the differences between two files, metadata first, then tile by tile.

mod report;
mod tiles;

use crate::failure::{Answer, Failure};
use crate::files;
use crate::inspect::{self, Opened};
use crate::report as console;
use clap::Args;
use navtile::{Meta, Tile};
use report::{DiffReport, Field};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tiles::{OnlyTile, TileChange};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The .navtile file before.
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// The .navtile file after.
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    /// List every tile; otherwise the first 20 of a kind.
    #[arg(long, conflicts_with = "json")]
    pub(crate) tiles: bool,
    /// Answer as one JSON object, with every tile.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &DiffArgs) -> Result<Answer, Failure> {
    files::refuse_shared_input([args.before.as_path(), args.after.as_path()])?;
    let (before, after) = (inspect::open(&args.before)?, inspect::open(&args.after)?);
    let report = compare(&before, &after)?;
    if args.json {
        console::print_json(&report)?;
    } else {
        let names = [&args.before, &args.after].map(|path| path.display().to_string());
        console::print(&report.text(&names, args.tiles))?;
    }
    Ok(if report.same { Answer::Yes } else { Answer::No })
}

/// A tile with its number in the directory.
type Numbered<'a> = (usize, &'a Tile);

fn compare(before: &Opened, after: &Opened) -> Result<DiffReport, Failure> {
    let by_coord = |opened: &'_ Opened| -> BTreeMap<_, usize> {
        opened.tiles.iter().enumerate().map(|(index, tile)| (tile.coord(), index)).collect()
    };
    let (ours, theirs) = (by_coord(before), by_coord(after));
    let mut report = DiffReport::new(fields(before.file.meta(), after.file.meta()));
    for (coord, &index) in &ours {
        let a: Numbered<'_> = (index, &before.tiles[index]);
        let Some(&other) = theirs.get(coord) else {
            report.only_before.push(OnlyTile::of(a.1));
            continue;
        };
        let b: Numbered<'_> = (other, &after.tiles[other]);
        let entries = (&before.file.entries()[a.0], &after.file.entries()[b.0]);
        match TileChange::between(a.1, b.1, entries) {
            Some(change) => report.changed.push(change),
            None => report.unchanged += 1,
        }
    }
    let new = theirs.iter().filter(|(coord, _)| !ours.contains_key(coord));
    report.only_after.extend(new.map(|(_, &index)| OnlyTile::of(&after.tiles[index])));
    Ok(report.concluded())
}

/// The fields of the metadata that differ, by name.
fn fields(before: &Meta, after: &Meta) -> Vec<Field> {
    let [before, after] = [before, after].map(|meta| inspect::fields(meta).into_iter().collect());
    let (before, mut after): (BTreeMap<String, Value>, BTreeMap<String, Value>) = (before, after);
    let names: BTreeSet<String> = before.keys().chain(after.keys()).cloned().collect();
    let field = |name: String| Field { before: before.get(&name).cloned(), after: after.remove(&name), name };
    names.into_iter().map(field).filter(|field| field.before != field.after).collect()
}
