//! `cargo xtask far`: bakes a world of country, towns and rivers with its hierarchy, in one go and in shards,
//! and measures far paths over it: the figures of docs/far-paths.md. A second, smaller world has one-way
//! links. Wrong answers fail: the measures themselves are only printed.

use crate::farm::{Used, measured, write_world};
use crate::outputs::root;
use crate::{Error, Outcome, callgrind};
use navmath::SplitMix64;
use navscenes::world::{BED, CHUNK, height, roofs};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The side of the world with links, in chunks.
const LINKED: u32 = 4;
/// Links in each of its chunks.
const LINKS: u32 = 100;
/// Starts and goals of the plans over links.
const STARTS: u32 = 200;
const GOALS: u32 = 60;
/// Random changes of the world with links.
const CHANGES: u32 = 1000;
/// The list of chunks.
const LEVEL: &str = "level.toml";

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FarArgs {
    /// Side of the world, metres; rounded up to chunks of 250 m. 8000 make 254,016 tiles
    #[arg(long, value_name = "METRES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(500..=16_000))]
    side: u32,
    /// Random pairs that are planned and walked
    #[arg(long, value_name = "N", default_value_t = 200)]
    pairs: u32,
    /// Pairs whose paths are found by `find_path` over the whole world in memory
    #[arg(long, value_name = "N", default_value_t = 200)]
    near: u32,
    /// Pairs whose shortest paths are found: at most 5 GB each, and seconds in a large world
    #[arg(long, value_name = "N", default_value_t = 100)]
    exact: u32,
    /// Pairs of polygons for which the existence of a path is checked
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    reach: u32,
    /// Numbers of shards to bake in; each must give the bytes of the bake in one go
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [3, 7], value_parser = clap::value_parser!(u32).range(1..=1000))]
    shards: Vec<u32>,
    /// Measure the files of the run before, without a bake
    #[arg(long)]
    baked: bool,
}

/// The files of a run, in a folder of target/far for each side, and the program that bakes them.
struct Place {
    folder: PathBuf,
    navtile: PathBuf,
}

/// The lane of `ci`.
pub(crate) fn lane() -> Outcome {
    let shards = vec![3, 7];
    run(&FarArgs { side: 750, pairs: 100, near: 100, exact: 30, reach: 4000, shards, baked: false })
}

pub(crate) fn run(args: &FarArgs) -> Outcome {
    let navtile = callgrind::build("navtile")?;
    let program = callgrind::build("far")?;
    let folder = root().join("target/far").join(args.side.to_string());
    let place = Place { folder, navtile };
    let mut good = true;
    if !args.baked {
        good &= place.bake(args)?;
        place.bake_linked(args.side.div_ceil(CHUNK).min(LINKED))?;
    }
    let far = |arguments: &[String]| -> Outcome {
        let status = Command::new(&program).args(arguments).current_dir(&place.folder).status()?;
        match status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err("far paths cannot be measured".into()),
        }
    };
    let numbers = [args.pairs, args.near, args.exact, args.reach].map(|number| number.to_string());
    good &= far(&[&["paths".to_owned(), "world.navtile".to_owned()], &numbers[..]].concat())?;
    let linked = ["links", "linked.navtile", &STARTS.to_string(), &GOALS.to_string()].map(str::to_owned);
    good &= far(&linked)?;
    let changes = ["changes", "linked.navtile", &CHANGES.to_string()].map(str::to_owned);
    Ok(far(&changes)? && good)
}

impl Place {
    /// A command of the program.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.navtile);
        command.arg(name).current_dir(&self.folder);
        command
    }

    /// Writes a world in chunks, and their list.
    fn write(&self, chunks: u32) -> Result<(), Error> {
        if self.folder.join("level").exists() {
            fs::remove_dir_all(self.folder.join("level"))?;
        }
        fs::create_dir_all(self.folder.join("level"))?;
        write_world(&self.folder.join("level"), chunks)?;
        measured(self.command("chunks").args(["level", "-o", LEVEL]))?;
        Ok(())
    }

    /// Bakes the written world.
    fn bake_to(&self, out: &str, options: &[&str]) -> Result<Used, Error> {
        let mut bake = self.command("bake");
        bake.args([LEVEL, "-q", "--tile-size", "16", "-o", out]).args(options);
        Ok(measured(&mut bake)?.0)
    }

    /// Bakes the world without a hierarchy, with one, and in shards. Returns false if bytes differ.
    fn bake(&self, args: &FarArgs) -> Outcome {
        self.write(args.side.div_ceil(CHUNK))?;
        let plain = self.bake_to("plain.navtile", &[])?;
        let with = self.bake_to("world.navtile", &["--hierarchy"])?;
        println!(
            "bake                   {:.1} s of processor time, {:.1} s with the hierarchy: {:.1} % of it; {} and {} MiB",
            plain.seconds,
            with.seconds,
            (with.seconds - plain.seconds) / with.seconds * 100.0,
            plain.peak >> 20,
            with.peak >> 20
        );
        let size = |name: &str| Ok::<u64, Error>(fs::metadata(self.folder.join(name))?.len());
        println!(
            "file                   {} bytes, {} without",
            size("world.navtile")?,
            size("plain.navtile")?
        );
        fs::remove_file(self.folder.join("plain.navtile"))?;
        let mut good = true;
        for &count in &args.shards {
            good &= self.bake_in_shards(count)?;
        }
        fs::remove_dir_all(self.folder.join("level"))?;
        Ok(good)
    }

    /// Bakes the written world in shards, and compares the joined file.
    fn bake_in_shards(&self, count: u32) -> Outcome {
        let parts: Vec<String> = (1..=count).map(|share| format!("{share}.navpart")).collect();
        let mut sum = Used::default();
        for (share, part) in (1..).zip(&parts) {
            let used = self.bake_to(part, &["--hierarchy", "--shard", &format!("{share}/{count}")])?;
            sum = Used { seconds: sum.seconds + used.seconds, peak: sum.peak.max(used.peak) };
        }
        let (join, _) = measured(self.command("join").args(&parts).args(["-q", "-o", "joined.navtile"]))?;
        let files = ["joined.navtile", "world.navtile"].map(|name| fs::read(self.folder.join(name)));
        let [joined, whole] = files;
        let is_same = joined? == whole?;
        println!(
            "{count:<3}shards              {}; shards {:.1} s and at most {} MiB, join {:.1} s and {} MiB",
            if is_same { "the same bytes" } else { "OTHER BYTES" },
            sum.seconds,
            sum.peak >> 20,
            join.seconds,
            join.peak >> 20
        );
        for name in parts.iter().map(String::as_str).chain(["joined.navtile"]) {
            fs::remove_file(self.folder.join(name))?;
        }
        Ok(is_same)
    }

    /// Bakes a world with one-way links: from place to place in the country, into beds, from roof to roof, up
    /// to roofs and down from them.
    fn bake_linked(&self, chunks: u32) -> Result<(), Error> {
        self.write(chunks)?;
        fs::write(self.folder.join("links.toml"), links(chunks)?)?;
        self.bake_to("linked.navtile", &["--hierarchy", "-c", "links.toml"])?;
        fs::remove_dir_all(self.folder.join("level"))?;
        Ok(())
    }
}

/// The settings with one-way links.
fn links(chunks: u32) -> Result<String, std::fmt::Error> {
    let mut random = SplitMix64::new(17);
    let mut text = String::new();
    let side = f64::from(chunks * CHUNK);
    for (x, z) in (0..chunks).flat_map(|x| (0..chunks).map(move |z| (x, z))) {
        let roofs: Vec<[f64; 3]> = roofs(x, z).collect();
        for _ in 0..LINKS {
            let [x, z] = [x, z].map(|at| f64::from(at * CHUNK) + random.between(0.0, CHUNK.into()));
            let [to_x, to_z] = [x, z].map(|at| (at + random.between(-90.0, 90.0)).clamp(1.0, side - 1.0));
            if height(x, z) == BED {
                // No link leads out of a bed.
                continue;
            }
            let mut ends = [[x, height(x, z), z], [to_x, height(to_x, to_z), to_z]];
            if !roofs.is_empty() {
                // Most links of a town lead from roof to roof, some up, some down.
                let kind = random.below(8);
                if kind > 0 {
                    ends[1] = roofs[random.below(roofs.len())];
                }
                if kind > 1 {
                    ends[0] = roofs[random.below(roofs.len())];
                }
                if kind == 2 {
                    ends[1] = [to_x, height(to_x, to_z), to_z];
                }
            }
            let [start, end] = ends;
            write!(
                text,
                "[[off_mesh]]\nstart = {start:?}\nend = {end:?}\nradius = 2.0\nboth_ways = false\n\n"
            )?;
        }
    }
    Ok(text)
}
