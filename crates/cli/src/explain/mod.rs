//! `navtile explain`: bakes a level and explains the result at one place, stage by stage, or the reason for
//! having no path from one place to another, by walking or by a link.

mod link;
mod names;
mod place;
mod way;

use crate::failure::{Answer, Failure};
use crate::progress::Progress;
use crate::report;
use crate::source::{self, SourceArgs};
use crate::tile_size::tile_cells;
use crate::values;
use clap::Args;
use navbake::Names;
use navexplain::{explain, explain_tiled};
use place::Explained;
use recast::{Scratch, TileBuild};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The place, metres. Floors within the agent's height above and below it are reported.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point,
        required_unless_present = "from", conflicts_with_all = ["from", "to"])]
    at: Option<[f64; 3]>,
    /// Explain why there is no path from this place, metres, to that of `--to`: the blocker between them,
    /// and the change of the settings that connects them.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point, requires = "to")]
    from: Option<[f64; 3]>,
    /// The goal of the path, metres.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point, requires = "from")]
    to: Option<[f64; 3]>,
    /// With `--from` and `--to`, explain for each profile of `[[links]]` which link the bake finds between
    /// the places, or why it finds none. With `--at`, explain which link begins at the place; without a link
    /// there, the reason for the possible link that comes furthest.
    #[arg(long)]
    link: bool,
    /// Answer as one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ExplainArgs) -> Result<Answer, Failure> {
    let source = source::open(&args.source)?;
    let tile_size = source.tile_size();
    let (prepared, level) = source.prepare_named()?;
    // The first of several agents, unless one was chosen.
    let first = &prepared.levels[0];
    let names = Names { level: &level, prepared: first };
    if let Some(from) = args.from.or(args.at).filter(|_| args.link) {
        return link::run(&prepared, &names, (from, args.to), args.json);
    }
    if let Some(ends) = args.from.zip(args.to) {
        return way::run(&prepared, &names, ends.into(), args.json);
    }
    let at = args.at.unwrap_or_default();
    let cells = tile_cells(tile_size, first)?;
    let progress = Progress::of_stages(1);
    let scratch = &mut Scratch::new();
    let result = match cells {
        0 => explain(first, &TileBuild::solo(first), at, &progress, scratch),
        cells => explain_tiled(first, cells, at, &progress, scratch),
    };
    progress.finish();
    let explanation = result.map_err(|error| source::failed(&prepared.title, &error))?;
    let answer = Explained { explanation: &explanation, settings: &first.config.settings, names: &names };
    let (json, warnings) = (answer.json(&prepared.warnings), &prepared.warnings);
    report::answer_warned(args.json, &json, || answer.text(), warnings)?;
    Ok(if explanation.polygon().is_some() { Answer::Yes } else { Answer::No })
}
