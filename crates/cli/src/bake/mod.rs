//! `navtile bake`: a level and settings in, a `.navtile` file out, and a report of what was done.

mod html;
mod meta;
mod report;

use crate::args::BakeArgs;
use crate::failure::{Answer, Failure};
use crate::files::Target;
use crate::level::{self, Ready};
use crate::progress::Progress;
use crate::report as console;
use recast::Scratch;
use report::Report;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    let started = Instant::now();
    // The level is looked for first: a wrong name there is the likelier slip than a bad folder.
    let source = level::open(&args.level, args.config.as_deref(), &args.settings)?;
    let target = Target::new(&output_path(args)?, &source.inputs())?;
    let page =
        args.report.as_deref().map(|path| html::target(path, &source.inputs(), target.path())).transpose()?;
    let Ready { prepared, mut warnings } = source.prepare()?;
    let of_level = warnings.len();

    let progress = Progress::new();
    let result = recast::bake_solo(&prepared, &progress, &mut Scratch::new());
    progress.finish();
    let baked = result.map_err(|error| level::failed(&args.level, &error))?;
    warnings.extend(baked.diagnostics.iter().map(report::warning));
    let given = prepared.config.settings.off_mesh_connections.len();
    let left_out = given - baked.tile.off_mesh_links().len();
    if left_out > 0 {
        warnings.push(format!(
            "{left_out} of {given} off-mesh connections start outside the level's bounds and were left out"
        ));
    }

    let file = navtile::write_file(&meta::of(&prepared), std::slice::from_ref(&baked.tile))
        .map_err(|error| Failure::circumstances(format!("{}: {error}", target.path().display())))?;
    target.write(&file)?;

    let report = Report {
        level: &args.level,
        file: target.path(),
        bytes: file.len() as u64,
        prepared: &prepared,
        baked: &baked,
        warnings: &warnings,
        elapsed: started.elapsed(),
    };
    if let Some(page) = &page {
        let Report { level, file: output, bytes, prepared, baked, warnings, elapsed } = report;
        let solo = html::Solo { level, output, bytes, prepared, baked, warnings, of_level, elapsed };
        page.write(html::solo(&solo).as_bytes())?;
    }
    if args.json {
        console::print_json(&report.json())?;
    } else {
        console::print(&report.text())?;
        warnings.iter().for_each(|warning| console::warn(warning));
    }
    Ok(Answer::Yes)
}

/// Where the result goes: as asked, or the level's name with `.navtile` in the current folder.
fn output_path(args: &BakeArgs) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.output {
        return Ok(path.clone());
    }
    let stem = args.level.file_stem().ok_or_else(|| {
        Failure::call(format!("{}: has no file name to name the result after", args.level.display()))
            .help("name the result with -o")
    })?;
    Ok(Path::new(stem).with_added_extension("navtile"))
}
