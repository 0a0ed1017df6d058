//! `cargo xtask web`: builds the npm package from `crates/web` into `target/web/npm`, and tests it under node
//! against the program's own answers.

use crate::outputs::{cargo, root, starts};
use crate::passed::Note;
use crate::site;
use crate::wasm_order;
use crate::{Error, Outcome};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Installs all tools that the package is built with.
const REMEDY: &str = "apt-get install nodejs npm; rustup target add wasm32-unknown-unknown; \
                      cargo install wasm-bindgen-cli --version 0.2.130";
const TARGET: &str = "wasm32-unknown-unknown";
/// Settings of the scenes, whose own settings are made in code.
const SCENE_SETTINGS: &str = "cell_size = 0.3\n[agent]\nslope = 40.0\n";
/// Each level is also baked with this before its settings.
const EXACT: &str = "outlines = \"exact\"\n";
/// Levels of `assets/`, each with its settings.
const ASSETS: [&str; 1] = ["courtyard"];
/// Paths that are searched on each of them.
const QUESTIONS: u32 = 200;

/// A build of the crate.
struct Variant {
    /// Its folder in the package.
    folder: &'static str,
    /// Bundlers put the modules of all folders into one, so each needs its own name.
    name: &'static str,
    arguments: &'static [&'static str],
    has_simd: bool,
}

impl Variant {
    /// The module's path in the package.
    fn module(&self) -> PathBuf {
        let suffix = if self.has_simd { "" } else { "_scalar" };
        Path::new(self.folder).join(format!("{}_bg{suffix}.wasm", self.name))
    }
}

/// The builds of one folder follow each other and share their code: they differ only in the machine's
/// instructions.
const VARIANTS: [Variant; 4] = [
    Variant { folder: "", name: "navtile_web", arguments: &[], has_simd: false },
    Variant { folder: "", name: "navtile_web", arguments: &["--features", "simd"], has_simd: true },
    Variant {
        folder: "runtime",
        name: "navtile_runtime",
        arguments: &["--no-default-features"],
        has_simd: false,
    },
    Variant {
        folder: "runtime",
        name: "navtile_runtime",
        arguments: &["--no-default-features"],
        has_simd: true,
    },
];
/// Declares `Symbol.dispose`, which the classes have, in projects whose `lib` is older.
const DISPOSABLE: &str = "/// <reference lib=\"esnext.disposable\" />\n";

/// Notes that the command passed, with everything that the package, the pages and the program they are
/// compared with are built from.
const PASSED: Note = Note {
    path: "xtask/passed/web.txt",
    inputs: &[
        "crates",
        "web",
        "assets",
        "Cargo.toml",
        "Cargo.lock",
        "xtask/src/web.rs",
        "xtask/src/site.rs",
        "xtask/src/wasm_order.rs",
    ],
};

/// The command. Notes that it passed if there is a browser; tests are skipped without one.
pub(crate) fn run(update: bool) -> Outcome {
    if !is_there()? {
        return Err(format!("something is missing: {REMEDY}").into());
    }
    if starts(Command::new("chromium")) {
        PASSED.noted(|| built_and_tested(update))
    } else {
        built_and_tested(update)
    }
}

/// The lane of `ci`. Skipped if nothing has changed since the command passed.
pub(crate) fn lane() -> Outcome {
    if is_there()? {
        return PASSED.unless_unchanged(|| built_and_tested(false));
    }
    println!("skipped: {REMEDY}");
    Ok(true)
}

fn built_and_tested(update: bool) -> Outcome {
    let package = root().join("target/web/npm");
    if !run_cargo(&["clippy", "--package", "navtile-web", "--target", TARGET, "--", "-D", "warnings"], "")? {
        return Ok(false);
    }
    levels(&root().join("target/web/levels"))?;
    build(&package)?;
    let mut node = Command::new("node");
    let status = node.args(["--test", "test/"]).current_dir(&package).status()?;
    sizes(&package)?;
    Ok(status.success() & site::built_and_tested(update)? & site::bundled()?)
}

/// Returns true if everything is installed.
fn is_there() -> Result<bool, Error> {
    let programs = ["node", "npm", "wasm-bindgen"].into_iter().all(|program| starts(Command::new(program)));
    let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output()?;
    Ok(programs && PathBuf::from(String::from_utf8(rustc.stdout)?.trim()).is_dir())
}

/// Builds all variants into the package's folder.
fn build(package: &Path) -> Result<(), Error> {
    copy(&root().join("crates/web/npm"), package)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(licence), package.join(licence))?;
    }
    for variant in &VARIANTS {
        bind(package, variant, &compiled(variant)?)?;
    }
    Ok(())
}

/// The WebAssembly that the compiler makes.
fn compiled(variant: &Variant) -> Result<PathBuf, Error> {
    // Builds with other flags would discard each other's results.
    let (folder, flags) =
        if variant.has_simd { ("simd", "-Ctarget-feature=+simd128") } else { ("scalar", "") };
    let folder = root().join("target/web").join(folder);
    let built = folder.display().to_string();
    let build =
        ["build", "--package", "navtile-web", "--target", TARGET, "--profile", "web", "--target-dir", &built];
    if !run_cargo(&[&build, variant.arguments].concat(), flags)? {
        return Err("the package cannot be built".into());
    }
    Ok(folder.join(TARGET).join("web/navtile_web.wasm"))
}

/// Writes a module, its code and its types into the package.
fn bind(package: &Path, variant: &Variant, compiled: &Path) -> Result<(), Error> {
    let made = package.join("made");
    let mut bind = Command::new("wasm-bindgen");
    bind.args(["--target", "web", "--remove-producers-section", "--out-name", variant.name]);
    // Callers of the bare code pass the module. With a default path, bundlers would copy it for them too.
    bind.args(["--omit-default-module-path", "--out-dir"]).arg(&made).arg(compiled);
    if !bind.status()?.success() {
        return Err("wasm-bindgen failed; its version must be that of Cargo.lock".into());
    }
    for (ending, head) in [("js", ""), ("d.ts", DISPOSABLE)] {
        let name = format!("{}.{ending}", variant.name);
        let text = head.to_owned() + &fs::read_to_string(made.join(&name))?;
        let path = package.join(variant.folder).join(&name);
        if variant.has_simd && fs::read_to_string(&path)? != text {
            return Err(format!("{name} is another one without SIMD").into());
        }
        fs::write(path, text)?;
    }
    let binary = fs::read(made.join(format!("{}_bg.wasm", variant.name)))?;
    fs::write(package.join(variant.module()), wasm_order::sorted_by_name(&binary)?)?;
    Ok(fs::remove_dir_all(made)?)
}

/// Copies a folder with all its content, and replaces the target.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// Levels for the tests, the files that the program bakes from them, and its answers.
fn levels(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)?;
    let mut names: Vec<String> = Vec::new();
    for scene in navscenes::all().iter().filter(|scene| !ASSETS.contains(&scene.name)) {
        let obj = navscenes::to_obj(&(scene.level)(), &(scene.settings)());
        fs::write(folder.join(format!("{}.obj", scene.name)), obj)?;
        fs::write(folder.join(format!("{}.toml", scene.name)), SCENE_SETTINGS)?;
        names.push(scene.name.to_owned());
    }
    for name in ASSETS {
        for ending in ["obj", "toml"] {
            let file = format!("{name}.{ending}");
            fs::copy(root().join("assets").join(&file), folder.join(&file))?;
        }
        names.push(name.to_owned());
    }
    for name in names.clone() {
        let exact = format!("{name}_exact");
        fs::copy(folder.join(format!("{name}.obj")), folder.join(format!("{exact}.obj")))?;
        let settings = fs::read_to_string(folder.join(format!("{name}.toml")))?;
        fs::write(folder.join(format!("{exact}.toml")), format!("{EXACT}{settings}"))?;
        names.push(exact);
    }
    let file = |name: &str, ending: &str| folder.join(format!("{name}.{ending}")).display().to_string();
    for name in &names {
        let [level, settings, out] = ["obj", "toml", "navtile"].map(|ending| file(name, ending));
        program(&["bake", &level, "-c", &settings, "-o", &out, "--quiet"], "")?;
    }
    for name in ASSETS {
        let [level, settings, out] = ["obj", "toml", "dynamic.navtile"].map(|ending| file(name, ending));
        program(&["bake", &level, "-c", &settings, "-o", &out, "--dynamic", "--quiet"], "")?;
        let ends = questions(&file(name, "obj"))?;
        let rows: String =
            ends.iter().map(|row| row.map(|value| value.to_string()).join(",") + "\n").collect();
        let answers = program(&["path", &file(name, "navtile"), "--batch", "-"], &rows)?;
        let mut all = Vec::new();
        for (row, answer) in ends.iter().zip(answers.lines()) {
            let answer: serde_json::Value = serde_json::from_str(answer)?;
            all.push(serde_json::json!({ "from": row[..3], "to": row[3..], "answer": answer }));
        }
        fs::write(file(name, "paths.json"), serde_json::to_vec(&all)?)?;
    }
    Ok(())
}

/// Starts and goals over a level: its vertices, which are on the ground, on roofs and in walls.
fn questions(level: &str) -> Result<Vec<[f64; 6]>, Error> {
    let text = fs::read_to_string(level)?;
    let vertices: Vec<[f64; 3]> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .filter_map(|line| {
            let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            <[f64; 3]>::try_from(numbers).ok()
        })
        .collect();
    let at = |index: u32| vertices[index.wrapping_mul(2_654_435_761) as usize % vertices.len()];
    let pair = |index: u32| {
        let ([a, b, c], [d, e, f]) = (at(2 * index), at(2 * index + 1));
        [a, b, c, d, e, f]
    };
    if vertices.is_empty() {
        Err("a level without vertices".into())
    } else {
        Ok((0..QUESTIONS).map(pair).collect())
    }
}

/// The program's output for a call. A "no" is an answer.
fn program(arguments: &[&str], input: &str) -> Result<String, Error> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "navtile-cli", "--"]).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    match output.status.code() {
        Some(0 | 1) => Ok(String::from_utf8(output.stdout)?),
        _ => Err(format!("navtile {} failed", arguments.join(" ")).into()),
    }
}

/// Prints the number of bytes that a page loads.
fn sizes(package: &Path) -> Result<(), Error> {
    for variant in &VARIANTS {
        let module = variant.module();
        let path = package.join(&module);
        let output = Command::new("gzip").arg("-9c").arg(&path).output()?;
        let [plain, packed] =
            [fs::metadata(&path)?.len(), output.stdout.len() as u64].map(|bytes| bytes / 1000);
        println!("{:<40} {plain:>6} kB, {packed:>6} kB gzipped", module.display());
    }
    Ok(())
}

/// Compiles for the target with these features, or for this machine. Paths of this machine are kept out of
/// the result, so that it is the same on every machine.
fn run_cargo(arguments: &[&str], flags: &str) -> Outcome {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut flags = flags.to_owned();
    for (path, name) in home.iter().map(|home| (home.clone(), "cargo")).chain([(root(), "navtile")]) {
        flags += &format!(" --remap-path-prefix={}=/{name}", path.display());
    }
    // Only the target gets flags: build scripts of dependencies run on this machine.
    let status = cargo()
        .args(arguments)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags.trim())
        .status()?;
    Ok(status.success())
}
