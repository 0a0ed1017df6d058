//! The world that is baked on farms, in target/farm, and its bake in one go.

use crate::Error;
use crate::outputs::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A world, and its bake in one go.
pub(super) struct Farm {
    pub(super) folder: PathBuf,
    pub(super) program: PathBuf,
    pub(super) shards: u32,
    pub(super) whole: PathBuf,
    /// Processor time of the bake in one go, and the most memory that it held, bytes.
    pub(super) used: Used,
}

/// Processor time and memory of processes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    pub(crate) seconds: f64,
    pub(crate) peak: u64,
}

/// The list of its chunks.
pub(super) const LEVEL: &str = "level.toml";
/// Time must not grow faster than the number of tiles to this power.
const MOST_SLOPE: f64 = 1.05;
/// The options of its bake.
pub(super) const OPTIONS: [&str; 2] = ["--tile-size", "16"];

impl Farm {
    /// Writes the world, or takes the OBJ files of a folder, with the list of its chunks. Then bakes it
    /// twice: held whole, and chunk by chunk.
    pub(super) fn new(level: Option<&Path>, chunks: u32, shards: u32) -> Result<Farm, Error> {
        let folder = root().join("target/farm");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(folder.join("level"))?;
        match level {
            Some(level) => copy_level(level, &folder.join("level"))?,
            None => write_world(&folder.join("level"), chunks)?,
        }
        let program = root().join("target/release/navtile");
        let whole = folder.join("whole.navtile");
        let mut farm = Farm { folder, program, shards, whole, used: Used::default() };
        let (listing, found) = measured(farm.command("chunks").args(["level", "-o", LEVEL]))?;
        println!("list       {}: {:.1} s of processor time", found.trim(), listing.seconds);
        let (held, tiles) = farm.bake_whole("level", &farm.whole)?;
        let listed = farm.folder.join("listed.navtile");
        (farm.used, _) = farm.bake_whole(LEVEL, &listed)?;
        if fs::read(&farm.whole)? != fs::read(&listed)? {
            return Err("the level in chunks has OTHER BYTES than the level that is held whole".into());
        }
        println!(
            "one go     {tiles} tiles: {:.1} s of processor time and {} MiB held whole, {:.1} s and {} MiB chunk by chunk",
            held.seconds,
            held.peak >> 20,
            farm.used.seconds,
            farm.used.peak >> 20
        );
        Ok(farm)
    }

    /// Bakes a level in one go. Also returns the number of its tiles.
    fn bake_whole(&self, level: &str, out: &Path) -> Result<(Used, u64), Error> {
        let (used, report) =
            measured(self.command("bake").arg(level).args(OPTIONS).args(["--json", "-o"]).arg(out))?;
        let report: serde_json::Value = serde_json::from_str(&report)?;
        Ok((used, report["tiles"]["reached"].as_u64().unwrap_or(0)))
    }

    /// Measures processor time against tiles, for squares of chunks from the corner of the world, and the
    /// slope from each to the next.
    pub(super) fn growth(&self, chunks: u32) -> Result<bool, Error> {
        let (mut before, mut is_linear) = (None, true);
        for side in (1..=chunks).filter(|side| side.is_power_of_two() && *side > 1) {
            let mut list = self.command("chunks");
            let names = (0..side).flat_map(|x| (0..side).map(move |z| format!("level/{x:02}_{z:02}.obj")));
            measured(list.args(names).args(["-o", "square.toml"]))?;
            // The better of two runs, as others use the machine too.
            let mut runs = Vec::new();
            for _ in 0..2 {
                runs.push(self.bake_whole("square.toml", &self.folder.join("square.navtile"))?);
            }
            let tiles = runs[0].1;
            let seconds = runs.iter().map(|(used, _)| used.seconds).fold(f64::INFINITY, f64::min);
            let slope = before
                .map(|(fewer, less): (u64, f64)| (seconds / less).ln() / (tiles as f64 / fewer as f64).ln());
            let text = slope.map_or(String::new(), |slope| format!(", slope {slope:.2}"));
            println!("growth     {tiles} tiles: {seconds:.2} s of processor time{text}");
            is_linear &= slope.is_none_or(|slope| slope <= MOST_SLOPE);
            before = Some((tiles, seconds));
        }
        Ok(is_linear)
    }

    /// A command of the program, in the folder of the farm.
    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name).current_dir(&self.folder);
        command
    }

    /// A script of farm/, in the folder of the farm, for the shards of the level and the file `out`.
    pub(super) fn script(&self, script: &str, out: &str, options: &[&str]) -> Command {
        let mut command = Command::new(root().join(script));
        command.current_dir(&self.folder).env("NAVTILE", &self.program);
        command
            .args(["-n", &self.shards.to_string(), "-o", out])
            .args(options)
            .args(["--", LEVEL])
            .args(OPTIONS);
        command
    }

    /// The processes that are baking now.
    pub(super) fn bakers(&self) -> Vec<u32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let is_ours = |id: &u32| {
            let path = fs::read_link(format!("/proc/{id}/exe")).ok();
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            path.as_deref() == Some(&self.program) && line.windows(7).any(|part| part == b"--shard")
        };
        ids.filter(is_ours).collect()
    }
}

/// Writes a generated world of this number of chunks on a side.
pub(crate) fn write_world(folder: &Path, chunks: u32) -> Result<(), Error> {
    let settings = recast::Settings::default();
    for x in 0..chunks {
        for z in 0..chunks {
            let chunk = navscenes::world::chunk(x, z);
            fs::write(folder.join(format!("{x:02}_{z:02}.obj")), navscenes::to_obj(&chunk, &settings))?;
        }
    }
    Ok(())
}

fn copy_level(from: &Path, to: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Runs a command under GNU time, if it is installed, to measure it. Also returns its standard output.
pub(crate) fn measured(command: &mut Command) -> Result<(Used, String), Error> {
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "used %U %S %M"]).arg(command.get_program()).args(command.get_args());
    timed.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    let output = if Path::new("/usr/bin/time").exists() { timed.output()? } else { command.output()? };
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{command:?}: {errors}").into());
    }
    let line = errors.lines().rev().find_map(|line| line.strip_prefix("used "));
    let mut numbers =
        line.into_iter().flat_map(str::split_whitespace).filter_map(|text| text.parse::<f64>().ok());
    let mut next = || numbers.next().unwrap_or(0.0);
    let used = Used { seconds: next() + next(), peak: next() as u64 * 1024 };
    Ok((used, String::from_utf8(output.stdout)?))
}
