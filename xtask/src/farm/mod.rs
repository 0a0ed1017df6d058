//! `cargo xtask farm`: bakes a world in shards with each engine that is installed, kills workers during the
//! bake, and compares the result with a bake in one go. The files must be the same to the byte.

mod slurm;
mod world;

use crate::outputs::{cargo, root, starts};
use crate::{Error, Outcome};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use world::{Farm, LEVEL, OPTIONS};
pub(crate) use world::{Used, measured, write_world};

#[derive(Clone, Debug, Args)]
pub(crate) struct FarmArgs {
    /// Engines to try
    #[arg(value_name = "ENGINE", value_parser = ["shards", "parallel", "ray", "slurm", "growth"])]
    engines: Vec<String>,
    /// Side of the world in chunks of 250 m; 16 make 62,500 tiles
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    chunks: u32,
    /// A folder of OBJ files to bake instead of the generated world
    #[arg(long, value_name = "FOLDER")]
    level: Option<PathBuf>,
    /// Shards
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1000))]
    shards: u32,
}

/// The world of the lane: large enough that workers can be killed while they bake.
const LANE: FarmArgs = FarmArgs { engines: Vec::new(), chunks: 6, level: None, shards: 6 };

/// The lane of `ci`.
pub(crate) fn lane() -> Outcome {
    run(&LANE)
}

pub(crate) fn run(args: &FarmArgs) -> Outcome {
    let built = cargo().args(["build", "--quiet", "--release", "--package", "navtile-cli"]).status()?;
    if !built.success() {
        return Err("the program does not build".into());
    }
    let farm = Farm::new(args.level.as_deref(), args.chunks, args.shards)?;
    let mut same = manifests(&farm)?;
    if args.engines.iter().any(|name| name == "growth") {
        same &= farm.growth(args.chunks)?;
    }
    let wanted = |engine: &str| args.engines.is_empty() || args.engines.iter().any(|name| name == engine);
    let engines: [(&str, Engine); 4] =
        [("shards", shards), ("parallel", parallel), ("ray", ray), ("slurm", slurm)];
    for (name, bake) in engines.into_iter().filter(|(name, _)| wanted(name)) {
        let start = Instant::now();
        match bake(&farm)? {
            Try::Skipped(why) => println!("{name:<10} skipped: {why}"),
            Try::Done(file, how) => {
                let equal = fs::read(&file)? == fs::read(&farm.whole)?;
                let word = if equal { "the same bytes" } else { "OTHER BYTES" };
                println!("{name:<10} {word}, in {:.1} s; {how}", start.elapsed().as_secs_f64());
                same &= equal;
            }
        }
    }
    Ok(same)
}

/// Bakes the world of a farm in shards.
type Engine = fn(&Farm) -> Result<Try, Error>;

/// The outcome of one engine.
enum Try {
    /// The file that it made, and a remark.
    Done(PathBuf, String),
    /// The tool that is missing here.
    Skipped(&'static str),
}

/// Bakes every shard on its own, one after the other, and joins them: the cost of dividing.
fn shards(farm: &Farm) -> Result<Try, Error> {
    let mut sum = Used::default();
    let mut parts = Vec::new();
    for share in 1..=farm.shards {
        let part = format!("{share}.navpart");
        let mut bake = farm.command("bake");
        bake.arg(LEVEL).args(OPTIONS).args([
            "-q",
            "--shard",
            &format!("{share}/{}", farm.shards),
            "-o",
            &part,
        ]);
        let (used, _) = measured(&mut bake)?;
        sum = Used { seconds: sum.seconds + used.seconds, peak: sum.peak.max(used.peak) };
        parts.push(part);
    }
    let (join, _) = measured(farm.command("join").args(&parts).args(["-q", "-o", "shards.navtile"]))?;
    let how = format!(
        "processor time of shards and join over one go: {:.3} (join {:.1} s); most memory {} MiB a shard, {} MiB the join",
        (sum.seconds + join.seconds) / farm.used.seconds,
        join.seconds,
        sum.peak >> 20,
        join.peak >> 20
    );
    Ok(Try::Done(farm.folder.join("shards.navtile"), how))
}

/// GNU parallel on this machine, with some of its bakes killed.
fn parallel(farm: &Farm) -> Result<Try, Error> {
    let mut tool = Command::new("parallel");
    tool.arg("--version");
    if !starts(tool) {
        return Ok(Try::Skipped("GNU parallel is not there"));
    }
    let mut script = farm.script("farm/parallel/bake.sh", "parallel.navtile", &["-j", "2"]);
    let killed = with_kills(farm, &mut script, 3)?;
    Ok(Try::Done(farm.folder.join("parallel.navtile"), format!("{killed} bakes killed on the way")))
}

/// Ray on this machine.
fn ray(farm: &Farm) -> Result<Try, Error> {
    let mut tool = Command::new("python3");
    tool.args(["-c", "import ray"]);
    if !starts(tool) {
        return Ok(Try::Skipped("ray is not there: pip install ray"));
    }
    let mut script = farm.script("farm/ray/bake.py", "ray.navtile", &[]);
    let output = script.output()?;
    if !output.status.success() {
        return Err(format!("ray: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(Try::Done(farm.folder.join("ray.navtile"), "parts through its object store".to_owned()))
}

/// Slurm with a controller and two nodes on this machine; one of the nodes is killed during the bake.
fn slurm(farm: &Farm) -> Result<Try, Error> {
    let Some(cluster) = slurm::Cluster::start(&farm.folder)? else {
        return Ok(Try::Skipped("slurmctld, slurmd or munged is not there, or this is not the superuser"));
    };
    let how = cluster.bake(farm)?;
    Ok(Try::Done(farm.folder.join("slurm.navtile"), how))
}

/// Runs a script and kills bakes that it started, evenly over time, at most `most`. Returns the number of
/// kills.
fn with_kills(farm: &Farm, script: &mut Command, most: usize) -> Result<usize, Error> {
    let log = fs::File::create(farm.folder.join("script.log"))?;
    let mut child = script.stdout(Stdio::null()).stderr(log).spawn()?;
    let mut killed = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(killed);
            }
            let text = fs::read_to_string(farm.folder.join("script.log"))?;
            return Err(format!("the script failed: {text}").into());
        }
        thread::sleep(Duration::from_millis(400));
        if killed < most
            && let Some(id) = farm.bakers().first()
        {
            killed += usize::from(Command::new("kill").args(["-KILL", &id.to_string()]).status()?.success());
        }
    }
}

/// Returns true if the manifests follow the schema of Kubernetes, or if no validator is available.
fn manifests(farm: &Farm) -> Outcome {
    let mut tool = Command::new("kubernetes-validate");
    tool.arg("--version");
    if !starts(tool) {
        println!("kubernetes skipped: no validator: pip install kubernetes-validate");
        return Ok(true);
    }
    let kept = ["bake", "join"].map(|name| root().join(format!("farm/kubernetes/{name}.yaml")));
    let status = Command::new("kubernetes-validate")
        .arg("--strict")
        .args(&kept)
        .current_dir(&farm.folder)
        .stdout(Stdio::null())
        .status()?;
    println!("kubernetes {}", if status.success() { "both manifests keep the schema" } else { "REFUSED" });
    Ok(status.success())
}
