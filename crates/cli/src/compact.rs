//! `navtile compact`: rewrites a file like a fresh bake.

use crate::failure::{Answer, Failure};
use crate::files::{self, FileList, is_standard, unreadable};
use crate::{memory, report};
use clap::Args;
use navdraw::number::counted;
use navtile::file::{DirectoryEntry, Seekable, Source};
use navtile::{NavStore, Packing, StoreError};
use serde::Serialize;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// The file to write [default: the input file is replaced].
    #[arg(short, long, value_name = "OUT.navtile")]
    pub(crate) output: Option<PathBuf>,
    /// Store tiles compressed (LZ4) if that makes them smaller. Without this and --decompress, a file with
    /// compressed tiles stays compressed.
    #[cfg(feature = "lz4")]
    #[arg(long, conflicts_with = "decompress")]
    pub(crate) compress: bool,
    /// Store tiles uncompressed, as a bake writes them.
    #[arg(long)]
    pub(crate) decompress: bool,
    /// Report as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The report, as one JSON object.
#[derive(Debug, Serialize)]
struct CompactReport {
    output: String,
    tiles: usize,
    /// Bytes of the file that was read.
    bytes_before: u64,
    /// Unused bytes of it.
    unused_before: u64,
    /// Bytes of the file that was written.
    bytes: u64,
    /// True if its tiles are stored compressed, if that makes them shorter.
    compressed: bool,
}

pub(crate) fn run(args: &CompactArgs) -> Result<Answer, Failure> {
    // The target may be the input: it is replaced once the new file is complete.
    let output = args.output.as_deref().unwrap_or(&args.file);
    let target = FileList::default().replacement(output, &args.file)?;
    let store = open(&args.file)?;
    let bytes_before = store.source().length().map_err(|error| unreadable(&args.file, &error))?;
    // Bytes of an unfinished edit after the end are as useless as unused bytes inside.
    let unused_before = bytes_before - store.root().file_length + store.unused_bytes();
    let packing = args.packing(store.entries());
    let compacted = store.compact(target.begin()?, packing);
    let mut out = compacted.map_err(|error| match error {
        StoreError::Io { .. } => {
            let names = format!("{} to {}", args.file.display(), target.path().display());
            Failure::circumstances(format!("{names}: {error}"))
                .help("nothing was changed; free disk space, or give another folder with -o")
        }
        error => unusable(&args.file, &error),
    })?;
    let bytes = out.seek(io::SeekFrom::End(0));
    let bytes = bytes.map_err(|error| target.unwritable(&error))?;
    let tiles = store.entries().len();
    // Some systems do not replace an open file.
    drop(store);
    target.commit(out)?;
    let compressed = packing != Packing::Raw;
    let output = target.path().display().to_string();
    let report = CompactReport { output, tiles, bytes_before, unused_before, bytes, compressed };
    report::answer(args.json, &report, || report.text())?;
    Ok(Answer::Yes)
}

impl CompactArgs {
    /// The packing of tiles: as requested, or unchanged.
    #[cfg(feature = "lz4")]
    fn packing(&self, entries: &[DirectoryEntry]) -> Packing {
        let is_lz4 = !self.decompress && entries.iter().any(DirectoryEntry::is_lz4);
        if self.compress || is_lz4 { Packing::Lz4 } else { Packing::Raw }
    }

    /// Unchanged: nothing else can be written.
    #[cfg(not(feature = "lz4"))]
    fn packing(&self, _: &[DirectoryEntry]) -> Packing {
        Packing::Raw
    }
}

impl CompactReport {
    fn text(&self) -> String {
        let size = memory::readable;
        format!(
            "{}: {}, {}{}; it was {}, of which {} unused\n",
            self.output,
            counted(self.tiles, "tile"),
            size(self.bytes),
            if self.compressed { " compressed" } else { "" },
            size(self.bytes_before),
            size(self.unused_before),
        )
    }
}

fn open(path: &Path) -> Result<NavStore<Seekable<File>>, Failure> {
    let file =
        if is_standard(path) { kept(&files::read(path)?) } else { files::open(path).map(|(file, _)| file) };
    let file = file.map_err(|error| unreadable(path, &error))?;
    NavStore::open(Seekable::new(file)).map_err(|error| unusable(path, &error))
}

/// Stores the bytes of a pipe in a file without a name, because tiles are read in any order.
fn kept(bytes: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    Ok(file)
}

fn unusable(path: &Path, error: &StoreError) -> Failure {
    Failure::of(path, error)
        .help("nothing was changed; `navtile verify` lists everything that is wrong with it")
}
