//! Circles of files within a crate: each file needs the next, and the last needs the first. The needs of a
//! file are read from the paths in its code. Names are followed through re-exports to the file that declares
//! them. A module may use the declarations of the modules around it without closing a circle.

use super::Complaint;
use super::crates::{Manifest, Sources, crate_of};
use super::source::{code_only, is_test_file, test_items, word_bytes, words_after};
use std::collections::{BTreeMap, BTreeSet};

/// The files of a crate by their module.
type Files<'a> = BTreeMap<Module, File<'a>>;
/// The names from the root of a crate to a module; empty for the root.
type Module = Vec<String>;
/// For each pair of modules in which the first needs the second, a path that shows it.
type Needs = BTreeMap<(Module, Module), String>;

/// A file's module: its code without tests and `use`, and what it imports, by name; `*` for all of a module.
struct File<'a> {
    path: &'a str,
    code: String,
    imports: Vec<(String, Vec<String>)>,
}

/// Complains about every circle in every crate.
pub(crate) fn check(manifests: &[Manifest], sources: &Sources, complaints: &mut Vec<Complaint>) {
    let mut crates: BTreeMap<&str, Files<'_>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| !is_test_file(path)) {
        let Some(folder) = crate_of(path, manifests).map(|manifest| manifest.folder.as_str()) else {
            continue;
        };
        if let Some(module) = module_of(path[folder.len()..].trim_start_matches('/')) {
            crates.entry(folder).or_default().insert(module, File::new(path, text));
        }
    }
    for files in crates.values() {
        let needs = needs(files);
        for circle in circles(&needs) {
            let inside =
                needs.iter().filter(|((from, to), _)| circle.contains(&from) && circle.contains(&to));
            let arrows = inside.map(|((from, to), by)| {
                format!("\n    {} needs {} for `{by}`", files[from].path, files[to].path)
            });
            let what = format!("a circle of {} files:{}", circle.len(), arrows.collect::<String>());
            complaints.push(Complaint::whole(files[circle[0]].path, what));
        }
    }
}

/// The module of a file, by its path within the crate. `None` for a program of the package.
fn module_of(inside: &str) -> Option<Module> {
    let names = inside.strip_prefix("src/")?.strip_suffix(".rs")?;
    let names = names.strip_suffix("/mod").unwrap_or(names);
    match names {
        "lib" | "main" => Some(Module::new()),
        _ if names.starts_with("bin/") => None,
        _ => Some(names.split('/').map(str::to_owned).collect()),
    }
}

impl<'a> File<'a> {
    fn new(path: &'a str, text: &str) -> File<'a> {
        let mut code = code_only(text);
        for item in test_items(&code) {
            blank(&mut code, item);
        }
        let mut imports = Vec::new();
        for (start, _) in words_after(&code.clone(), "use") {
            let end = code[start..].find(';').map_or(code.len(), |length| start + length);
            tree(&code[start + "use".len()..end], &[], &mut imports);
            blank(&mut code, start..end);
        }
        File { path, code, imports }
    }
}

fn blank(code: &mut String, range: std::ops::Range<usize>) {
    let spaces = " ".repeat(range.len());
    code.replace_range(range, &spaces);
}

/// The imports of a `use`: of `a::{b as c, d::*}` they are `c` for `a::b` and `*` for `a::d`.
fn tree(text: &str, before: &[String], imports: &mut Vec<(String, Vec<String>)>) {
    let (head, group) = text.split_once('{').map_or((text, None), |(head, group)| (head, Some(group)));
    let (head, name) = head.split_once(" as ").unwrap_or((head, ""));
    let names = head.split("::").map(str::trim).filter(|name| !name.is_empty());
    let mut path: Vec<String> = before.iter().cloned().chain(names.map(str::to_owned)).collect();
    if let Some(group) = group {
        let mut depth = 0;
        let ends = |c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0 && c == ',' || depth < 0
        };
        group.split(ends).filter(|part| !part.trim().is_empty()).for_each(|part| tree(part, &path, imports));
    } else if let Some(last) = path.last().cloned() {
        if last == "self" && path.len() > 1 || last == "*" {
            path.pop();
        }
        let own = if last == "*" { last } else { path.last().cloned().unwrap_or_default() };
        imports.push((if name.is_empty() { own } else { name.trim().to_owned() }, path));
    }
}

/// Paths of at least two names in code.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        let mut path = Vec::new();
        rest = &rest[start..];
        loop {
            let length = word_bytes(rest);
            path.push(rest[..length].to_owned());
            rest = &rest[length..];
            match rest.strip_prefix("::").filter(|next| word_bytes(next) > 0) {
                Some(next) => rest = next,
                None => break,
            }
        }
        if path.len() > 1 {
            found.push(path);
        }
        // A non-ASCII character that does not belong to a word: step over it.
        if !rest.is_empty() && word_bytes(rest) == 0 {
            rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
        }
    }
    found
}

/// The module that declares the item of a path, as seen from `from`; `None` if the path leads to a module
/// itself or out of the crate. `steps` bounds the number of imports that are followed.
fn resolve(files: &Files<'_>, from: &Module, path: &[String], steps: u32) -> Option<Module> {
    let mut at = from.clone();
    for (index, name) in path.iter().enumerate() {
        let inner: Module = at.iter().chain([name]).cloned().collect();
        match name.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            _ if files.contains_key(&inner) => at = inner,
            _ => {
                let file = files.get(&at)?;
                let follow = |target: &[String], rest: &[String]| {
                    resolve(files, &at, &[target, rest].concat(), steps.checked_sub(1)?)
                };
                let named = file.imports.iter().filter(|(own, _)| own == name && own != "*");
                let mut found = named.filter_map(|(_, target)| follow(target, &path[index + 1..]));
                if let Some(module) = found.next() {
                    return Some(module);
                }
                let all = file.imports.iter().filter(|(own, _)| own == "*" && index > 0);
                let mut found = all.filter_map(|(_, target)| follow(target, &path[index..]));
                let elsewhere = found.find(|module| declares(&files[module].code, name));
                return elsewhere.or((index > 0).then_some(at));
            }
        }
    }
    None
}

fn declares(code: &str, name: &str) -> bool {
    let keywords = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    keywords.iter().any(|keyword| words_after(code, keyword).iter().any(|(_, declared)| *declared == name))
}

/// The needs between modules of a crate, except for declarations of the modules around a module.
fn needs(files: &Files<'_>) -> Needs {
    let mut needs = Needs::new();
    for (from, file) in files {
        let imported = file.imports.iter().map(|(own, path)| match own.as_str() {
            "*" => [path.as_slice(), &["*".to_owned()]].concat(),
            _ => path.clone(),
        });
        for path in imported.chain(paths(&file.code)) {
            if let Some(to) = resolve(files, from, &path, 8).filter(|to| !from.starts_with(to)) {
                needs.entry((from.clone(), to)).or_insert_with(|| path.join("::"));
            }
        }
    }
    needs
}

/// Groups of at least two modules in which each one leads to all others.
fn circles(needs: &Needs) -> Vec<Vec<&Module>> {
    let reach = |from| {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(from) = left.pop() {
            let next = needs.keys().filter(|(own, _)| own == from).map(|(_, to)| to);
            left.extend(next.filter(|&to| reached.insert(to)));
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        needs.keys().map(|(from, _)| (from, reach(from))).collect();
    let mut found: Vec<Vec<&Module>> = Vec::new();
    for (&from, to) in &reached {
        if to.contains(from) && !found.iter().any(|circle| circle.contains(&from)) {
            found.push(
                to.iter()
                    .copied()
                    .filter(|&to| reached.get(to).is_some_and(|to| to.contains(from)))
                    .collect(),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let manifest = Manifest::parse("a", "[package]\nname = \"a\"").unwrap();
        let sources =
            files.iter().map(|(path, text)| (format!("a/src/{path}"), (*text).to_owned())).collect();
        let mut complaints = Vec::new();
        check(&[manifest], &sources, &mut complaints);
        complaints.into_iter().map(|complaint| complaint.what).collect()
    }

    #[test]
    fn circles_are_found_over_imports_paths_and_re_exports() {
        let circle = found(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use c::C;\n"),
            ("a.rs", "use crate::{b::{self, B}, x::Y};\nstruct A;\n"),
            ("b/mod.rs", "mod d;\npub use d::B;\n"),
            ("b/d.rs", "struct B(crate::C);\n"),
            ("c.rs", "use super::a::*;\nstruct C(A);\n"),
        ]);
        assert_eq!(circle.len(), 1);
        assert!(circle[0].starts_with("a circle of 3 files:"), "{circle:?}");
        assert!(circle[0].contains("a/src/b/d.rs needs a/src/c.rs for `crate::C`"), "{circle:?}");
    }

    #[test]
    fn a_module_may_use_what_is_around_it() {
        let files = [
            ("lib.rs", "mod a;\nmod e;\nuse a::A;\nstruct Root;\n"),
            ("a/mod.rs", "mod b;\nmod c;\nuse b::B;\nstruct A(c::C, B);\n"),
            ("a/b.rs", "use super::A;\nuse crate::{Root, e};\nstruct B(A, e::E);\n"),
            ("a/c.rs", "use std::fmt as e;\nstruct C(e::Error, super::b::B);\n// crate::a::d::D\n"),
            ("e.rs", "struct E;\n#[cfg(test)]\nmod tests { use crate::a::A; }\n"),
        ];
        assert_eq!(found(&files), [] as [&str; 0]);
    }
}
