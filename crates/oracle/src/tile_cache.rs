//! Programs around Detour's tile cache, which the binding lacks. They are compiled with the library's
//! sources, and read levels as text.

use recast::Level;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that cannot be compiled.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {cause}")]
pub struct CompileError {
    what: String,
    cause: String,
}

fn failed(what: &str, cause: impl ToString) -> CompileError {
    CompileError { what: what.to_owned(), cause: cause.to_string() }
}

/// The output of a program that succeeded.
fn output(command: &mut Command, what: &str) -> Result<Vec<u8>, CompileError> {
    let output = command.output().map_err(|error| failed(what, error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(failed(what, String::from_utf8_lossy(&output.stderr)))
}

/// The folder with the sources of the C++ library.
fn sources() -> Result<PathBuf, CompileError> {
    let version = output(Command::new("rustc").arg("-vV"), "rustc -vV")?;
    let version = String::from_utf8_lossy(&version);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Only the packages that are used here are sure to be present.
    command.args(["metadata", "--format-version", "1", "--offline", "--filter-platform", host]);
    command.arg("--manifest-path").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    let metadata = output(&mut command, "cargo metadata")?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&metadata).map_err(|error| failed("cargo metadata", error))?;
    let packages = metadata["packages"].as_array();
    let package = packages.into_iter().flatten().find(|package| package["name"] == "recastnavigation-rs");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let manifest = manifest.ok_or_else(|| failed("cargo metadata", "no package recastnavigation-rs"))?;
    Ok(Path::new(manifest).with_file_name("recastnavigation"))
}

/// Compiles a file of the folder `tile_cache` with the library's sources, and with these flags.
///
/// # Errors
/// No compiler, no sources, and any compiler error.
pub fn compile(file: &str, flags: &[&str], to: &Path) -> Result<(), CompileError> {
    let from = sources()?;
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c++14", "-ffp-contract=off", "-w"]).args(flags).arg("-o").arg(to);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tile_cache").join(file));
    for part in ["Deterministic", "Recast", "Detour", "DetourTileCache"] {
        command.arg("-I").arg(from.join(part).join("Include"));
        let folder = from.join(part).join("Source");
        let files =
            std::fs::read_dir(&folder).map_err(|error| failed(&folder.display().to_string(), error))?;
        command.args(files.filter_map(Result::ok).map(|file| file.path()));
    }
    command.args(["-x", "c++"]).arg(from.join("RecastDemo/Contrib/fastlz/fastlz.c"));
    output(&mut command, file).map(|_| ())
}

/// A level in the form that the programs read: with the default agent, in tiles of `side` cells, and a box
/// whose ground is of area 5.
pub fn text(level: &Level, cell_size: f32, side: u32, area: [[f32; 3]; 2]) -> String {
    let Level { vertices, triangles, .. } = level;
    let mut text =
        format!("{cell_size} 0.2 2 0.6 0.9 45 {side} 1.3\n{} {}\n", vertices.len(), triangles.len());
    // Writing to a string does not fail.
    vertices.iter().for_each(|[x, y, z]| {
        let _ = writeln!(text, "{x} {y} {z}");
    });
    triangles.iter().for_each(|[a, b, c]| {
        let _ = writeln!(text, "{a} {b} {c}");
    });
    let corners = area.as_flattened().iter().map(f32::to_string).collect::<Vec<_>>();
    text + &corners.join(" ") + "\n"
}
