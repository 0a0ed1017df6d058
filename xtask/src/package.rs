//! The lane `package`: every published crate is packaged as for the registry, with its README and licences,
//! and small.

use crate::outputs::{cargo, root};
use crate::{Error, Outcome};

/// Files that every package holds.
const EXPECTED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];
/// Largest total size of a package's files, bytes, without the built pages: sources only, no test data.
const SIZE_LIMIT: u64 = 2 << 20;
/// The pages that the program embeds, as `cargo xtask web` builds them.
const PAGES: &str = "src/studio/site/";
/// Largest size of the pages, bytes; the registry accepts 10 MB a package.
const PAGES_LIMIT: u64 = 3 << 20;

pub(crate) fn lane() -> Outcome {
    // Builds nothing: the other lanes do.
    let publish = ["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--quiet"];
    println!("cargo {}", publish.join(" "));
    if !cargo().args(publish).status()?.success() {
        return Ok(false);
    }
    let mut sound = true;
    for folder in std::fs::read_dir(root().join("crates"))? {
        let folder = folder?.path();
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let manifest: toml::Table = manifest.parse()?;
        let package = manifest.get("package").and_then(toml::Value::as_table).ok_or("no [package]")?;
        if package.get("publish").and_then(toml::Value::as_bool) == Some(false) {
            continue;
        }
        let name = package.get("name").and_then(toml::Value::as_str).ok_or("a package without a name")?;
        let files = listed(name)?;
        let missing: Vec<&str> =
            EXPECTED.into_iter().filter(|expected| !files.iter().any(|file| file == expected)).collect();
        let size_of = |is_page: bool| -> u64 {
            let kind = files.iter().filter(|file| file.starts_with(PAGES) == is_page);
            // Files that cargo generates are not in the folder.
            kind.filter_map(|file| Some(std::fs::metadata(folder.join(file)).ok()?.len())).sum()
        };
        let (size, pages) = (size_of(false), size_of(true));
        println!("{name}: {} files, {} KiB, and {} KiB of pages", files.len(), size >> 10, pages >> 10);
        if !missing.is_empty() || size > SIZE_LIMIT || pages > PAGES_LIMIT {
            let [size, pages] = [SIZE_LIMIT, PAGES_LIMIT].map(|limit| limit >> 10);
            println!(
                "{name}: missing {missing:?}; at most {size} KiB, and {pages} KiB of pages, are allowed"
            );
            sound = false;
        }
    }
    Ok(sound)
}

/// The files of a package.
fn listed(name: &str) -> Result<Vec<String>, Error> {
    let output = cargo().args(["package", "--list", "--allow-dirty", "--package", name]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}
