//! `cargo xtask capi`: compares the headers of the C interface with the sources, makes the package in
//! `target/capi`, and builds the examples against it. They run plainly, under valgrind and with sanitizers;
//! the example in C# runs too.

use crate::capi_package::CLASSES;
use crate::outputs::{Outputs, root, starts};
use crate::{Error, Outcome, capi_package, csharp};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEADER: &str = "include/navtile.h";
const CSHARP: &str = "csharp/Native.cs";
/// The level that the C++ example bakes.
const LEVEL: &str = "assets/courtyard.obj";
/// Reports of valgrind that are not errors, each with its reason.
const SUPPRESSIONS: &str = "crates/capi/examples/valgrind.supp";
/// An error found by valgrind or a sanitizer ends the program with this.
const FOUND: &str = "66";

/// Options of the command.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct CapiArgs {
    /// Write the header into the sources if it is out of date
    #[arg(long)]
    update: bool,
}

/// The command.
pub(crate) fn run(args: CapiArgs) -> Outcome {
    if !header(args.update)? {
        return Ok(false);
    }
    let package = capi_package::make(None)?;
    println!("{}", package.display());
    let good = examples(&package)?;
    Ok(csharp_example(&package)? && good)
}

/// The lane.
pub(crate) fn lane() -> Outcome {
    run(CapiArgs { update: false })
}

/// Generates the header and the declarations for C# from the sources, and compares them with the files that
/// are checked in.
fn header(update: bool) -> Outcome {
    let folder = root().join("crates/capi");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    let made = cbindgen::Builder::new().with_crate(&folder).with_config(config).generate()?;
    let mut text = Vec::new();
    made.write(&mut text);
    let declarations = csharp::generate(&folder.join("src"))?;
    let unused = csharp::unused(&declarations, &fs::read_to_string(folder.join("csharp/Navtile.cs"))?);
    if !unused.is_empty() {
        return Err(format!("csharp/Navtile.cs does not call {}", unused.join(", ")).into());
    }
    let mut outputs = Outputs::new(folder, update);
    outputs.put(HEADER, &text)?;
    outputs.put(CSHARP, declarations.as_bytes())?;
    Ok(outputs.report("cargo xtask capi --update"))
}

/// Builds the examples and runs them: as they are, under valgrind, and with sanitizers.
fn examples(package: &Path) -> Outcome {
    if !starts(Command::new("cmake")) {
        println!("the examples are skipped: cmake is not there: apt-get install cmake");
        return Ok(true);
    }
    let plain = build(package, "plain", "")?;
    let mut good = true;
    for (name, arguments) in
        [("walk_c", &[][..]), ("walk_static", &[]), ("door_c", &[]), ("walk_cpp", &[LEVEL])]
    {
        good &= runs(packaged(&plain.join(name)).args(arguments))?;
        if starts(Command::new("valgrind")) {
            let mut checked = packaged(Path::new("valgrind"));
            checked.args([
                "--quiet",
                "--leak-check=full",
                "--show-leak-kinds=definite",
                "--errors-for-leak-kinds=definite",
            ]);
            checked.arg(format!("--suppressions={}", root().join(SUPPRESSIONS).display()));
            checked.arg(format!("--error-exitcode={FOUND}")).arg(plain.join(name)).args(arguments);
            good &= runs(&mut checked)?;
        } else {
            println!("valgrind is not there: apt-get install valgrind");
        }
    }
    let sanitized = build(package, "sanitized", "-fsanitize=address,undefined -fno-sanitize-recover=all")?;
    for (name, arguments) in [("walk_c", &[][..]), ("door_c", &[]), ("walk_cpp", &[LEVEL])] {
        good &= runs(packaged(&sanitized.join(name)).args(arguments))?;
    }
    Ok(good)
}

/// A program that uses the package's library. cargo adds its own folders to the search path, and they may
/// hold an older library.
fn packaged(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// Builds the example in C# by mono against the package, and runs it.
fn csharp_example(package: &Path) -> Outcome {
    if !starts(Command::new("mcs")) || !starts(Command::new("mono")) {
        println!("the example in C# is skipped: mono is not there: apt-get install mono-mcs mono-runtime");
        return Ok(true);
    }
    let folder = package.join("examples/csharp");
    fs::create_dir_all(&folder)?;
    let program = folder.join("Walk.exe");
    let mut compiler = Command::new("mcs");
    compiler.args(["-unsafe", "-warnaserror"]).arg(format!("-out:{}", program.display()));
    compiler.args(CLASSES.map(|name| package.join("csharp").join(name)));
    compiler.arg(root().join("crates/capi/csharp/Walk.cs"));
    let mut mono = Command::new("mono");
    mono.env("LD_LIBRARY_PATH", package.join("lib")).arg(&program);
    Ok(runs(&mut compiler)? && runs(&mut mono)?)
}

/// Configures and builds the examples with more flags. Returns the folder of the programs.
fn build(package: &Path, name: &str, flags: &str) -> Result<PathBuf, Error> {
    let folder = package.join("examples").join(name);
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("crates/capi/examples")).arg("-B").arg(&folder);
    configure.arg(format!("-DCMAKE_PREFIX_PATH={}", package.display()));
    configure.arg("-DCMAKE_BUILD_TYPE=Release").arg("--log-level=WARNING");
    configure.args(["C", "CXX"].map(|language| format!("-DCMAKE_{language}_FLAGS={flags}")));
    let mut make = Command::new("cmake");
    make.arg("--build").arg(&folder);
    if runs(&mut configure)? && runs(&mut make)? {
        Ok(folder)
    } else {
        Err("the examples cannot be built".into())
    }
}

/// Runs a program at the root, and prints its name. Returns true if it succeeded.
fn runs(command: &mut Command) -> Outcome {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    println!("{}", words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "));
    let status = command.current_dir(root()).status();
    Ok(status.map_err(|error| format!("starting it: {error}"))?.success())
}
