//! The corpora of the fuzz targets.
//!
//! `cargo run --manifest-path fuzz/Cargo.toml --example corpus write` writes the seeds into fuzz/corpus;
//! `run [FOLDER]` runs every target over its files there, or in FOLDER/TARGET, and reports how much memory
//! the hungriest took.

use navtile_fuzz::{memory, seeds, targets};
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write"] => write(&corpus),
        ["run"] => run(&corpus),
        ["run", folder] => run(Path::new(folder)),
        _ => Err("give `write`, or `run` and perhaps a folder".into()),
    }
}

fn write(corpus: &Path) -> Result<(), Box<dyn Error>> {
    for (target, _) in targets::ALL {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in seeds::of(target) {
            std::fs::write(folder.join(&name), &bytes)?;
            println!("{target}/{name}: {} bytes", bytes.len());
        }
    }
    Ok(())
}

fn run(corpus: &Path) -> Result<(), Box<dyn Error>> {
    for (target, work) in targets::ALL {
        let mut files: Vec<PathBuf> = std::fs::read_dir(corpus.join(target))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        let mut most = (0, PathBuf::new(), 0);
        for path in &files {
            let bytes = std::fs::read(path)?;
            let ((), peak) = memory::measured(|| work(&bytes));
            most = most.max((peak, path.clone(), bytes.len()));
        }
        let (peak, path, length) = most;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!("{target}: {} inputs; most memory {peak} bytes, for {length} bytes ({name})", files.len());
    }
    Ok(())
}
