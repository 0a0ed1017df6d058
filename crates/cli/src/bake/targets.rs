//! Where results go: a file for each agent, and a page beside it if asked for.

use super::html;
use super::last::Last;
use crate::args::BakeArgs;
use crate::failure::Failure;
use crate::files::Target;
use crate::level::Source;
use crate::report;
use navtile::Meta;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Files to write, in the order of agents.
pub(super) struct Targets {
    /// Names of the agents, if they have names.
    pub(super) names: Vec<Option<String>>,
    pub(super) files: Vec<Target>,
    pub(super) pages: Vec<Option<Target>>,
}

impl Targets {
    /// Checks that all of them can be written, and that none is an input or another one.
    pub(super) fn new(args: &BakeArgs, source: &Source) -> Result<Targets, Failure> {
        let inputs = source.inputs();
        let base = match &args.output {
            Some(path) => path.clone(),
            None => default_output(source)?,
        };
        let names = source.agent_names();
        let mut targets = Targets { names, files: Vec::new(), pages: Vec::new() };
        for name in &targets.names {
            let path = of_agent(&base, name.as_deref());
            let target = Target::new(&path, &inputs)?;
            let page = args
                .report
                .as_deref()
                .map(|page| html::target(&of_agent(page, name.as_deref()), &inputs, target.path()));
            targets.pages.push(page.transpose()?);
            targets.files.push(target);
        }
        Ok(targets)
    }

    /// What the last bakes left, where that matters; why there is nothing is told.
    pub(super) fn lasts(&self, args: &BakeArgs, metas: &[Meta]) -> Vec<Option<Last>> {
        let mut lasts = Vec::with_capacity(self.files.len());
        for (target, meta) in self.files.iter().zip(metas) {
            let wanted = args.changed || args.check || self.pages.iter().any(Option::is_some);
            let last = match target.existing().filter(|_| wanted).map(Last::read) {
                None => None,
                Some(Ok(last)) => Some(last),
                Some(Err(why)) => {
                    if args.changed || args.check {
                        report::warn(&format!("nothing can be taken over: {why}"));
                    }
                    None
                }
            };
            if let Some(why) = last.as_ref().filter(|_| args.changed).and_then(|last| last.reason(meta)) {
                report::warn(&format!("{}: all tiles are baked: {why}", target.path().display()));
            }
            lasts.push(last);
        }
        lasts
    }

    /// A file without a name where the first result goes.
    pub(super) fn scratch_file(&self) -> Result<File, Failure> {
        match self.files.first() {
            Some(target) => target.scratch_file(),
            None => Err(Failure::call("there is no agent to bake for")),
        }
    }
}

/// The level's name with `.navtile`, in the current folder.
fn default_output(source: &Source) -> Result<PathBuf, Failure> {
    let first = source.first_level();
    let stem = first.file_stem().ok_or_else(|| {
        Failure::call(format!("{}: has no file name to name the result after", first.display()))
            .help("name the result with -o")
    })?;
    Ok(Path::new(stem).with_added_extension("navtile"))
}

/// `level.navtile` for agent `cat` is `level.cat.navtile`.
fn of_agent(path: &Path, name: Option<&str>) -> PathBuf {
    let Some(name) = name else { return path.to_owned() };
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
