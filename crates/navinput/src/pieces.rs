//! `[[piece]]`: lists of pieces from TOML. All problems of a file are found in a single pass, each with its
//! line.
//!
//! ```toml
//! [[piece]]
//! kind = "box"            # box, cylinder, capsule, hull, mesh
//! at = [3.0, 0.0, -7.5]   # the middle of its bottom, metres
//! size = [1.0, 1.2, 1.0]  # along x, y and z; radius and height for a cylinder or capsule
//! yaw = 30.0              # degrees, from the x axis towards the z axis
//! solid = true            # or blocks = true, area = "mud", removes = true
//! ```

use crate::error::InputError;
use crate::notes::{Entries, Notes};
use crate::settings::{TomlValue, shown};
use navlevel::{Body, Effect, Piece, PieceError};
use recast::{AreaId, Transform};
use std::collections::BTreeMap;
use toml::de::DeTable;

/// Keys of every piece, then those of its kinds.
const COMMON: [&str; 8] = ["kind", "at", "yaw", "solid", "blocks", "removes", "area", "inflate"];
const KINDS: [(&str, &[&str]); 5] = [
    ("box", &["size"]),
    ("cylinder", &["radius", "height"]),
    ("capsule", &["radius", "height"]),
    ("hull", &["points", "file"]),
    ("mesh", &["file"]),
];

/// The mesh of a file that a piece names: vertices, and triangles as indices of them.
pub type PieceMesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// Reads a list of pieces. `areas` are the names that pieces may use, with their ids; `"none"` removes the
/// ground. `load` returns the mesh of a file that a piece names, or the reason why it cannot.
///
/// ```
/// let text = "[[piece]]\nkind = \"cylinder\"\nat = [1, 0, 2]\nradius = 0.5\nheight = 1\nblocks = true\n";
/// let pieces = navinput::read_pieces(text, &Default::default(), &mut |_| Err("no files here".to_owned()))?;
/// assert_eq!(pieces[0].effect, navlevel::Effect::Blocks { inflate: true });
///
/// let text = "[[piece]]\nkind = \"cone\"\n";
/// let error = navinput::read_pieces(text, &Default::default(), &mut |_| Err(String::new()));
/// assert!(error.unwrap_err().to_string().contains("line 2, column 8"));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// [`InputError::Settings`] with every problem of the file.
pub fn read_pieces(
    text: &str,
    areas: &BTreeMap<String, u8>,
    load: &mut dyn FnMut(&str) -> Result<PieceMesh, String>,
) -> Result<Vec<Piece>, InputError> {
    let (document, notes) = Notes::parse(text);
    let mut reader = PieceReader { notes, areas, load };
    let pieces = reader.take_document(document.get_ref());
    reader.notes.finish(pieces)
}

struct PieceReader<'a> {
    notes: Notes<'a>,
    areas: &'a BTreeMap<String, u8>,
    load: &'a mut dyn FnMut(&str) -> Result<PieceMesh, String>,
}

impl PieceReader<'_> {
    fn take_document(&mut self, document: &DeTable<'_>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for entries in self.notes.tables(document, "piece", "a list of pieces") {
            pieces.extend(self.take_piece(&entries));
        }
        pieces
    }

    fn take_piece(&mut self, entries: &Entries<'_>) -> Option<Piece> {
        let kind = self.kind(entries);
        self.check_keys(entries, kind);
        // All values are read before any is used, so that all errors are noted at once.
        let body = kind.and_then(|kind| self.body(entries, kind));
        let place = self.place(entries, kind);
        let effect = self.effect(entries);
        let piece = Piece { body: body?, place: place?, effect: effect? };
        if piece.effect == Effect::Removes && !piece.body.is_convex() {
            self.refuse(entries, &PieceError::NoInside);
            return None;
        }
        Some(piece)
    }

    fn refuse(&mut self, entries: &Entries<'_>, error: &PieceError) {
        self.notes.note(entries.span.clone(), format!("`{}`: {error}", entries.path), None);
    }

    fn kind(&mut self, entries: &Entries<'_>) -> Option<&'static str> {
        let names = KINDS.map(|(name, _)| name);
        let expected = format!("one of \"{}\"", names.join("\", \""));
        let path = format!("{}.kind", entries.path);
        let Some(value) = entries.get("kind") else {
            let what = format!("`{}` has no `kind`, expected {expected}", entries.path);
            self.notes.note(entries.span.clone(), what, None);
            return None;
        };
        let Some(given) = value.get_ref().as_str() else {
            self.notes.wrong(&path, value, &expected);
            return None;
        };
        let known = names.into_iter().find(|name| *name == given);
        if known.is_none() {
            let near = self.notes.near(given, names.into_iter());
            let what = format!("`{path}` is \"{}\", expected {expected}", shown(given));
            self.notes.note(value.span(), what, near);
        }
        known
    }

    /// Notes keys that no piece has, and keys that only other kinds have.
    fn check_keys(&mut self, entries: &Entries<'_>, kind: Option<&str>) {
        for (key, _) in entries.table.iter() {
            let name = key.get_ref().as_ref();
            let has =
                |(of, keys): &(&str, &[&str])| kind.is_none_or(|kind| kind == *of) && keys.contains(&name);
            if COMMON.contains(&name) || KINDS.iter().any(has) {
                continue;
            }
            let own = KINDS.iter().find(|(of, _)| Some(*of) == kind).map_or(&[][..], |(_, keys)| keys);
            if let Some(kind) = kind.filter(|_| KINDS.iter().any(|(_, keys)| keys.contains(&name))) {
                let what =
                    format!("`{}.{name}` is no key of a {kind}, which has {}", entries.path, own.join(", "));
                self.notes.note(key.span(), what, None);
            } else {
                let near = self.notes.near(name, COMMON.iter().chain(own).copied());
                self.notes.note(key.span(), format!("unknown key `{}.{}`", entries.path, shown(name)), near);
            }
        }
    }

    fn body(&mut self, entries: &Entries<'_>, kind: &str) -> Option<Body> {
        let body = match kind {
            "box" => {
                let Some(value) = entries.get("size") else {
                    let what = format!("`{}` has no `size`, which it must have: [x, y, z]", entries.path);
                    self.notes.note(entries.span.clone(), what, None);
                    return None;
                };
                Body::cuboid(self.notes.point(&format!("{}.size", entries.path), value)?)
            }
            "cylinder" | "capsule" => {
                let (radius, height) =
                    (self.notes.number(entries, "radius"), self.notes.number(entries, "height"));
                let make = if kind == "cylinder" { Body::cylinder } else { Body::capsule };
                make(radius?, height?)
            }
            "hull" if entries.get("points").is_some() => Body::hull(&self.points(entries)?),
            "hull" => Body::hull(&self.mesh(entries)?.0),
            _ => {
                let (vertices, triangles) = self.mesh(entries)?;
                Body::mesh(&vertices, &triangles)
            }
        };
        body.map_err(|error| self.refuse(entries, &error)).ok()
    }

    fn points(&mut self, entries: &Entries<'_>) -> Option<Vec<[f64; 3]>> {
        let value = entries.get("points")?;
        if let Some(file) = entries.get("file") {
            let what = format!("`{}` has both `points` and `file`: give one of them", entries.path);
            self.notes.note(file.span(), what, None);
        }
        let path = format!("{}.points", entries.path);
        let Some(list) = value.get_ref().as_array() else {
            self.notes.wrong(&path, value, "a list of corners: [[x, y, z], [x, y, z], ...]");
            return None;
        };
        let points: Vec<Option<[f64; 3]>> = list
            .iter()
            .enumerate()
            .map(|(index, point)| self.notes.point(&format!("{path}[{index}]"), point))
            .collect();
        points.into_iter().collect()
    }

    /// The mesh of the file that a piece names.
    fn mesh(&mut self, entries: &Entries<'_>) -> Option<PieceMesh> {
        let path = format!("{}.file", entries.path);
        let Some(value) = entries.get("file") else {
            let what = format!("`{}` has no `file`, the name of an OBJ file", entries.path);
            self.notes.note(entries.span.clone(), what, None);
            return None;
        };
        let Some(name) = value.get_ref().as_str() else {
            self.notes.wrong(&path, value, "the name of an OBJ file");
            return None;
        };
        match (self.load)(name) {
            Ok(mesh) => Some(mesh),
            Err(why) => {
                self.notes.note(value.span(), format!("`{path}`: {why}"), None);
                None
            }
        }
    }

    /// Its placement. Points and files may already have their final position.
    fn place(&mut self, entries: &Entries<'_>, kind: Option<&str>) -> Option<Transform> {
        let yaw = if entries.get("yaw").is_some() { self.notes.number(entries, "yaw") } else { Some(0.0) };
        let at = match entries.get("at") {
            Some(value) => self.notes.point(&format!("{}.at", entries.path), value),
            None if matches!(kind, Some("hull" | "mesh") | None) => Some([0.0; 3]),
            None => {
                let what = format!("`{}` has no `at`, the middle of its bottom: [x, y, z]", entries.path);
                self.notes.note(entries.span.clone(), what, None);
                None
            }
        };
        Some(Transform::turned(yaw?, at?))
    }

    fn switch(&mut self, entries: &Entries<'_>, key: &str) -> Option<bool> {
        let value = entries.get(key)?;
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.notes.wrong(&format!("{}.{key}", entries.path), value, "true or false");
        }
        found
    }

    fn effect(&mut self, entries: &Entries<'_>) -> Option<Effect> {
        let before = self.notes.problems.len();
        let [solid, blocks, removes] =
            ["solid", "blocks", "removes"].map(|key| self.switch(entries, key).unwrap_or(false));
        let inflate = self.switch(entries, "inflate");
        let area = entries.get("area").and_then(|value| self.area(entries, value));
        if self.notes.problems.len() > before {
            return None;
        }
        let effect = match (solid, blocks, removes, area) {
            (true, false, false, area) => Effect::Solid { area: area.unwrap_or(AreaId::GROUND) },
            (false, true, false, None) => Effect::Blocks { inflate: inflate.unwrap_or(true) },
            (false, false, true, None) => Effect::Removes,
            (false, false, false, Some(AreaId::NULL)) => Effect::Blocks { inflate: inflate.unwrap_or(false) },
            (false, false, false, Some(area)) => Effect::Marks { area, inflate: inflate.unwrap_or(false) },
            _ => {
                let what = format!(
                    "`{}` must do one thing: `solid = true` (with an `area` for its top), `blocks = true`, \
                     `area = \"name\"` or `removes = true`",
                    entries.path
                );
                self.notes.note(entries.span.clone(), what, None);
                return None;
            }
        };
        if let (Some(_), Effect::Solid { .. } | Effect::Removes) = (inflate, effect) {
            let value = entries.get("inflate")?;
            let what = format!(
                "`{}.inflate` is for pieces that block or mark: others are as large as they are",
                entries.path
            );
            self.notes.note(value.span(), what, None);
            return None;
        }
        Some(effect)
    }

    fn area(&mut self, entries: &Entries<'_>, value: &TomlValue<'_>) -> Option<AreaId> {
        let path = format!("{}.area", entries.path);
        let Some(given) = value.get_ref().as_str() else {
            self.notes.wrong(&path, value, "the name of an area");
            return None;
        };
        if given == "none" {
            return Some(AreaId::NULL);
        }
        if let Some(id) = self.areas.get(given) {
            return Some(AreaId(*id));
        }
        let near = self.notes.near(given, self.areas.keys().map(String::as_str));
        let names: Vec<&str> = self.areas.keys().map(String::as_str).take(20).collect();
        let expected = format!("an area of the level: \"none\", \"{}\"", names.join("\", \""));
        self.notes.note(value.span(), format!("`{path}` is \"{}\", expected {expected}", shown(given)), near);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::HINTS;

    fn areas() -> BTreeMap<String, u8> {
        BTreeMap::from([("ground".to_owned(), 63), ("mud".to_owned(), 7)])
    }

    /// The sides of a tetrahedron.
    fn slab() -> PieceMesh {
        let vertices = vec![[0.0; 3], [0.0, 0.0, 2.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        (vertices, vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    }

    fn read(text: &str) -> Result<Vec<Piece>, InputError> {
        let wedge = || (vec![[0.0; 3], [0.0, 0.0, 2.0], [3.0, 1.0, 0.0]], vec![[0, 1, 2]]);
        read_pieces(text, &areas(), &mut |name| match name {
            "wedge.obj" => Ok(wedge()),
            "slab.obj" => Ok(slab()),
            other => Err(format!("{other}: no such file")),
        })
    }

    #[test]
    fn every_kind_and_effect_is_read() {
        let pieces = read(
            r#"
            [[piece]]
            kind = "box"
            at = [1, 0, 2]
            size = [2, 1, 4]
            yaw = 90
            solid = true
            [[piece]]
            kind = "cylinder"
            at = [0.0, 0.0, 0.0]
            radius = 0.5
            height = 2
            blocks = true
            [[piece]]
            kind = "capsule"
            at = [0.0, 0.0, 0.0]
            radius = 0.5
            height = 2
            area = "mud"
            inflate = true
            [[piece]]
            kind = "hull"
            points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
            removes = true
            [[piece]]
            kind = "mesh"
            file = "wedge.obj"
            at = [5, 0, 0]
            solid = true
            area = "none"
            "#,
        )
        .unwrap();
        let effects: Vec<Effect> = pieces.iter().map(|piece| piece.effect).collect();
        let expected = [
            Effect::Solid { area: AreaId::GROUND },
            Effect::Blocks { inflate: true },
            Effect::Marks { area: AreaId(7), inflate: true },
            Effect::Removes,
            Effect::Solid { area: AreaId::NULL },
        ];
        assert_eq!(effects, expected);
        let [min, max] = pieces[0].bounds();
        assert!((max[0] - min[0] - 4.0).abs() < 1e-9, "turned by 90 degrees");
        assert_eq!(pieces[4].bounds()[1], [8.0, 1.0, 2.0]);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn every_problem_of_a_file_is_named_with_its_place() {
        let error = read(
            r#"
[[piece]]
kind = "bx"
[[piece]]
kind = "box"
at = [1, 2]
size = [1, 1, -1]
radius = 3
solid = 1
[[piece]]
kind = "cylinder"
at = [0, 0, 0]
radius = nan
blocks = true
removes = true
colour = "red"
[[piece]]
kind = "mesh"
file = "gone.obj"
area = "mudd"
[[piece]]
kind = "hull"
points = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]]
solid = true
inflate = true
[[pieces]]
"#,
        )
        .unwrap_err()
        .to_string();
        for part in [
            "line 3, column 8: `piece[0].kind` is \"bx\"",
            "did you mean `box`?",
            "`piece[1].at` is [1, 2]",
            "`piece[1]`: the size along z is -1",
            "`piece[1].radius` is no key of a box, which has size",
            "`piece[1].solid` is 1 (integer), expected true or false",
            "`piece[2].radius` is nan",
            "`piece[2]` has no `height`",
            "`piece[2]` must do one thing",
            "unknown key `piece[2].colour`",
            "`piece[3].file`: gone.obj: no such file",
            "`piece[3].area` is \"mudd\"",
            "did you mean `mud`?",
            "all 4 points of the hull are in one plane",
            "`piece[4].inflate` is for pieces",
            "unknown key `pieces`",
        ] {
            assert!(error.contains(part), "{part} in:\n{error}");
        }
    }

    #[test]
    fn bodies_are_those_of_their_kinds() {
        let bodies: Vec<Body> = read(
            r#"
            [[piece]]
            kind = "cylinder"
            radius = 1
            height = 3
            at = [0, 0, 0]
            solid = true
            [[piece]]
            kind = "capsule"
            radius = 1
            height = 3
            at = [0, 0, 0]
            solid = true
            [[piece]]
            kind = "hull"
            file = "slab.obj"
            solid = true
            [[piece]]
            kind = "mesh"
            file = "slab.obj"
            solid = true
            "#,
        )
        .unwrap()
        .into_iter()
        .map(|piece| piece.body)
        .collect();
        let (vertices, triangles) = slab();
        let expected = [
            Body::cylinder(1.0, 3.0),
            Body::capsule(1.0, 3.0),
            Body::hull(&vertices),
            Body::mesh(&vertices, &triangles),
        ];
        assert_eq!(bodies, expected.map(Result::unwrap));
    }

    #[test]
    fn ground_that_is_none_blocks() {
        let piece = "[[piece]]\nkind = \"box\"\nsize = [1, 1, 1]\nat = [0, 0, 0]\narea = \"none\"\n";
        assert_eq!(read(piece).unwrap()[0].effect, Effect::Blocks { inflate: false });
    }

    #[test]
    fn a_box_stands_somewhere() {
        let error =
            read("[[piece]]\nkind = \"box\"\nsize = [1, 1, 1]\nsolid = true\n").unwrap_err().to_string();
        assert!(error.contains("`piece[0]` has no `at`"), "{error}");
    }

    #[test]
    fn a_switch_that_is_wrong_is_one_problem() {
        let error =
            read("[[piece]]\nkind = \"box\"\nsize = [1, 1, 1]\nat = [0, 0, 0]\nsolid = 1\n").unwrap_err();
        let InputError::Settings(problems) = error else { panic!("{error}") };
        assert_eq!(problems.len(), 1, "{problems:?}");
    }

    #[test]
    fn many_problems_get_no_names_to_use_instead() {
        let error = read(&"[[piece]]\nkind = \"bx\"\nsolid = true\n".repeat(HINTS + 5)).unwrap_err();
        let InputError::Settings(problems) = error else { panic!("{error}") };
        assert_eq!(problems.len(), HINTS + 5);
        assert_eq!(problems.iter().filter(|problem| problem.remedy.is_some()).count(), HINTS);
    }
}
