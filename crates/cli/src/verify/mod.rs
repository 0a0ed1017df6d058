//! `navtile verify`: checks that a file is valid, and that its tiles fit together.

mod report;

use crate::failure::{Answer, Failure};
use crate::memory_bound::{MemoryArgs, over_memory};
use crate::{files, report as console};
use clap::Args;
use hierarchy::Hierarchy;
use navtile::graph::GraphError;
use navtile::islands::Islands;
use navtile::seam_check::check_seams;
use navtile::{FileError, NavFile, NavStore, SharedBytes, StoreError, Tile};
use report::{Checked, Flaw, VerifyReport};
use std::path::PathBuf;
use tilecache::CacheError;

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// List every exception; otherwise at most 100 of a kind.
    #[arg(long, conflicts_with = "json")]
    pub(crate) all: bool,
    /// Answer as one JSON object, with every exception.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    args.memory.keep(&args.file)?;
    let report = check(files::read_shared(&args.file)?, args)?;
    console::answer(args.json, &report.json(), || report.text(&args.file.display().to_string(), args.all))?;
    Ok(if report.sound { Answer::Yes } else { Answer::No })
}

/// Checks the file, then every tile, the island graph, then the seams between tiles. Seams are checked only
/// if all tiles are valid: portals next to a missing tile prove nothing.
fn check(bytes: SharedBytes, args: &VerifyArgs) -> Result<VerifyReport, Failure> {
    let size = bytes.len() as u64;
    let file = match NavFile::open_shared(bytes.clone()) {
        Ok(file) => file,
        Err(error) => return Ok(VerifyReport::new(size, None, vec![flaw(error)], None)),
    };
    let (mut tiles, mut flaws): (Vec<Tile>, Vec<Flaw>) = (Vec::new(), Vec::new());
    for taken in file.tiles() {
        match taken {
            Ok(tile) => tiles.push(tile),
            Err(error) => flaws.push(flaw(error)),
        }
    }
    flaws.extend(of_graph(&file, &tiles));
    flaws.extend(of_hierarchy(&file));
    flaws.extend(of_cached_spans(&bytes, args)?);
    let count = Some(file.entries().len());
    if !flaws.is_empty() {
        return Ok(VerifyReport::new(size, count, flaws, None));
    }
    let checked = Checked {
        polygons: tiles.iter().map(|tile| tile.polygons().len()).sum(),
        islands: Islands::find(&tiles).len(),
        off_mesh_links: tiles.iter().map(|tile| tile.off_mesh_links().len()).sum(),
        seams: check_seams(&tiles),
    };
    Ok(VerifyReport::new(size, count, flaws, Some(checked)))
}

/// Flaws of the island graph: broken rules of its own, or tiles that it does not match.
fn of_graph(file: &NavFile<SharedBytes>, tiles: &[Tile]) -> Vec<Flaw> {
    let graph = match file.graph() {
        None => return Vec::new(),
        Some(Err(error)) => return vec![flaw(error)],
        Some(Ok(graph)) => graph,
    };
    let disagreement = |tile: &Tile| {
        let row = file.find(tile.coord())?;
        let error = graph.check_tile(tile, row.input_hash, row.prune_hash).err()?;
        Some(flaw(FileError::Graph(error)))
    };
    tiles.iter().filter_map(disagreement).collect()
}

/// The flaw of the hierarchy.
fn of_hierarchy(file: &NavFile<SharedBytes>) -> Option<Flaw> {
    match file.hierarchy()?.map(Hierarchy::from_bytes) {
        Err(error) => Some(flaw(error)),
        Ok(Err(error)) => Some(Flaw {
            tile: None,
            rule: "hierarchy",
            expected: "a hierarchy that far paths can be planned by".to_owned(),
            found: error.to_string(),
        }),
        Ok(Ok(_)) => None,
    }
}

/// Flaws of the spans that the file keeps to bake its tiles again.
fn of_cached_spans(bytes: &[u8], args: &VerifyArgs) -> Result<Vec<Flaw>, Failure> {
    let faults = match NavStore::open(bytes) {
        Ok(store) => tilecache::check_within(store, args.memory.bound()),
        Err(error) => vec![error.into()],
    };
    if let Some(failure) = faults.iter().find_map(|fault| over_memory(&args.file, fault)) {
        return Err(failure);
    }
    let of_spans = |rule: &'static str, expected: &str, found: String| Flaw {
        tile: None,
        rule,
        expected: expected.to_owned(),
        found,
    };
    let fault = |error: CacheError| match error {
        CacheError::Store(StoreError::File(error)) => flaw(error),
        CacheError::Spans { coord, source } => Flaw {
            tile: Some(crate::inspect::coord(coord)),
            rule: source.rule,
            expected: source.expected,
            found: source.found,
        },
        CacheError::Settings { expected, found } => of_spans("span-cache-index", expected, found),
        other => of_spans("span-cache-index", "cached spans that tiles can be baked from", other.to_string()),
    };
    Ok(faults.into_iter().map(fault).collect())
}

fn flaw(error: FileError) -> Flaw {
    match error {
        FileError::Format { rule, expected, found } => Flaw { tile: None, rule, expected, found },
        FileError::Graph(GraphError { rule, tile, expected, found }) => {
            Flaw { tile: tile.map(crate::inspect::coord), rule, expected, found }
        }
        FileError::Tile { coord, source } => Flaw {
            tile: Some(crate::inspect::coord(coord)),
            rule: source.rule,
            expected: source.expected,
            found: source.found,
        },
    }
}
