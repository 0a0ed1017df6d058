//! Files of results: one for each agent, and a page for each with `--report`.

use super::args::BakeArgs;
use super::previous::{self, PreviousBake};
use super::shard::Shard;
use crate::bake_report::html;
use crate::failure::Failure;
use crate::files::{FileList, Target, is_standard};
use crate::report;
use crate::source::Source;
use navtile::Meta;
use std::path::{Path, PathBuf};

/// Files to write, in the order of agents.
pub(crate) struct Targets {
    /// Names of the agents, if they have names.
    pub(crate) names: Vec<Option<String>>,
    pub(crate) files: Vec<Target>,
    pub(crate) pages: Vec<Option<Target>>,
    /// Everything that the bake reads and writes.
    list: FileList,
}

impl Targets {
    /// Checks that all of them can be written, and that none of them is an input or another target.
    fn new(args: &BakeArgs, source: &Source) -> Result<Targets, Failure> {
        let mut list = FileList::reading(source.inputs().into_iter().chain(args.obstacles.as_deref()));
        let is_written = !(args.check || args.estimate);
        let base = match &args.output {
            Some(path) => path.clone(),
            None => default_output(source)?,
        };
        let names = source.agent_names();
        let (mut files, mut pages) = (Vec::new(), Vec::new());
        for name in &names {
            let path = of_agent(&base, name.as_deref());
            files.push(if is_written { list.target(&path)? } else { list.looked_at(&path)? });
            let page =
                args.report.as_deref().map(|page| html::target(&of_agent(page, name.as_deref()), &mut list));
            pages.push(page.transpose()?);
        }
        let mut targets = Targets { names, files, pages, list };
        targets.add_growing(args, args.resume)?;
        Ok(targets)
    }

    /// The help in the report of an interruption.
    pub(crate) fn help_if_interrupted(&self, args: &BakeArgs) -> String {
        if args.check || args.estimate {
            return "nothing was changed".to_owned();
        }
        match self.files[0].file() {
            Some(result) if args.resume || args.shard.is_some() => format!(
                "finished tiles are in {}; to continue from them, run the bake again with --resume",
                unfinished(result).display()
            ),
            Some(_) => "unwritten files are unchanged; a bake with --resume keeps its finished tiles, and continues from \
                        them in the next run"
                .to_owned(),
            None => "nothing was written".to_owned(),
        }
    }

    /// The files that are written during the bake: its events, and its finished tiles if they are to outlive
    /// it.
    fn add_growing(&mut self, args: &BakeArgs, keeps_tiles: bool) -> Result<(), Failure> {
        if let Some(result) = self.files[0].file().filter(|_| keeps_tiles) {
            self.list.also_written(&unfinished(result))?;
        }
        args.events.as_deref().map_or(Ok(()), |events| self.list.also_written(events))
    }

    /// Like [`Targets::new`]; for a shard, one shard file with the tiles of all agents.
    pub(crate) fn for_shard(
        args: &BakeArgs,
        source: &Source,
        shard: Option<Shard>,
    ) -> Result<Targets, Failure> {
        let Some(shard) = shard else { return Targets::new(args, source) };
        let mut list = FileList::reading(source.inputs().into_iter().chain(args.obstacles.as_deref()));
        let path = match &args.output {
            Some(path) => path.clone(),
            None => {
                default_output(source)?.with_extension(format!("{}-of-{}.navpart", shard.index, shard.of))
            }
        };
        let target = if args.estimate { list.looked_at(&path)? } else { list.target(&path)? };
        if target.file().is_none() {
            return Err(Failure::call("a shard file cannot go to standard output: it grows tile by tile")
                .help("name the file with -o"));
        }
        let names = source.agent_names();
        let mut targets = Targets { names, files: vec![target], pages: Vec::new(), list };
        targets.add_growing(args, true)?;
        Ok(targets)
    }

    /// Refuses results that would overwrite an input. Called once all input is known.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.list.check()
    }

    /// The previous bakes, if they matter; reports why one cannot be used.
    /// They take at most `memory` bytes. Tiles are checked and reused on request.
    pub(crate) fn previous_bakes(
        &self,
        args: &BakeArgs,
        metas: &[Meta],
        memory: u64,
    ) -> Vec<Option<PreviousBake>> {
        let mut bakes: Vec<Option<PreviousBake>> = Vec::with_capacity(self.files.len());
        let mut left = memory;
        let most = memory / rayon::current_num_threads() as u64;
        for (target, meta) in self.files.iter().zip(metas) {
            let wanted = args.changed || args.check || self.pages.iter().any(Option::is_some);
            let previous = match target.existing().filter(|_| wanted).map(|path| previous::read(path, left)) {
                None => None,
                Some(Ok(mut previous)) => {
                    left -= previous.memory();
                    if args.changed || args.check {
                        previous.check_tiles(most);
                    }
                    Some(previous)
                }
                Some(Err(why)) => {
                    if args.changed || args.check {
                        report::warn(&format!("no tile can be reused: {why}"));
                    }
                    None
                }
            };
            let why = previous.as_ref().filter(|_| args.changed).and_then(|old| previous::reason(old, meta));
            if let Some(why) = &why {
                report::note(&format!("note: {}: all tiles are baked again: {why}", target.path().display()));
            }
            let damage =
                previous.as_ref().filter(|_| args.changed && why.is_none()).and_then(previous::damage);
            if let Some(damage) = damage {
                report::warn(&format!("{}: baked again: {damage}", target.path().display()));
            }
            bakes.push(previous);
        }
        bakes
    }
}

/// The file that stores the finished tiles of `result`.
pub(crate) fn unfinished(result: &Path) -> PathBuf {
    result.with_added_extension("unfinished")
}

/// The level's name with `.navtile`, in the current folder.
fn default_output(source: &Source) -> Result<PathBuf, Failure> {
    let first = source.first_level();
    if is_standard(first) {
        return Err(Failure::call("a level from standard input has no name to name the result after")
            .help("name the result with -o; `-o -` is standard output"));
    }
    let stem = first.file_stem().ok_or_else(|| {
        Failure::call(format!("{}: has no file name to name the result after", first.display()))
            .help("name the result with -o")
    })?;
    Ok(Path::new(stem).with_added_extension("navtile"))
}

/// `level.navtile` for agent `cat` is `level.cat.navtile`.
pub(crate) fn of_agent(path: &Path, name: Option<&str>) -> PathBuf {
    let Some(name) = name.filter(|_| !is_standard(path)) else { return path.to_owned() };
    match path.extension() {
        Some(extension) => path.with_extension(name).with_added_extension(extension),
        None => path.with_added_extension(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_have_files_of_their_own() {
        let named = |path: &str, name| of_agent(Path::new(path), name).display().to_string();
        assert_eq!(named("a/level.navtile", None), "a/level.navtile");
        assert_eq!(named("a/level.navtile", Some("cat")), "a/level.cat.navtile");
        assert_eq!(named("level.v2.navtile", Some("cat")), "level.v2.cat.navtile");
        assert_eq!(named("level", Some("cat")), "level.cat");
    }
}
