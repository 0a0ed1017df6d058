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
pub(super) struct Used {
    pub(super) seconds: f64,
    pub(super) peak: u64,
}

/// The options of its bake.
pub(super) const OPTIONS: [&str; 2] = ["--tile-size", "16"];

impl Farm {
    /// Writes the world and bakes it.
    pub(super) fn new(chunks: u32, shards: u32) -> Result<Farm, Error> {
        let folder = root().join("target/farm");
        let level = folder.join("level");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&level)?;
        let settings = recast::Settings::default();
        let mut triangles = 0;
        for x in 0..chunks {
            for z in 0..chunks {
                let chunk = navscenes::world::chunk(x, z);
                triangles += chunk.triangles.len();
                fs::write(level.join(format!("{x:02}_{z:02}.obj")), navscenes::to_obj(&chunk, &settings))?;
            }
        }
        let program = root().join("target/release/navtile");
        let whole = folder.join("whole.navtile");
        let mut farm = Farm { folder, program, shards, whole, used: Used::default() };
        let mut bake = farm.command("bake");
        bake.arg("level").args(OPTIONS).args(["--json", "-o"]).arg(&farm.whole);
        let (used, report) = measured(&mut bake)?;
        farm.used = used;
        let report: serde_json::Value = serde_json::from_str(&report)?;
        let tiles = &report["tiles"]["reached"];
        println!(
            "one go     {} m on a side, {triangles} triangles, {tiles} tiles: {:.1} s of processor time, {} MiB",
            chunks * navscenes::world::CHUNK,
            used.seconds,
            used.peak >> 20
        );
        Ok(farm)
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
            .args(["--", "level"])
            .args(OPTIONS);
        command
    }

    /// The processes that bake at this moment.
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

/// Runs a command by GNU time, if it is there, which measures it; returns its standard output too.
pub(super) fn measured(command: &mut Command) -> Result<(Used, String), Error> {
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
