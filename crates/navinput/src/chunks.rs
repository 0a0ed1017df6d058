//! `[[chunk]]`: a level in chunks, from TOML, for levels that are larger than memory. A chunk is a file of
//! geometry, its position, and its content, so that a bake of some tiles reads only the files that reach
//! them.
//!
//! ```toml
//! [[chunk]]
//! file = "towns/north.obj"      # beside this file, or below it
//! at = [500.0, 0.0, 0.0]        # where it stands, metres
//! yaw = 90.0                    # degrees, from the x axis towards the z axis
//! scale = 1.0
//! bounds = [[500.0, -3.5, 0.0], [750.0, 41.2, 250.0]] # of its triangles, where they stand
//! triangles = 5540
//! materials = ["grass", "road"]
//! ```

use crate::error::InputError;
use crate::notes::{Entries, Notes};
use crate::pattern::{AreaMapping, NameKind, NamePattern};
use crate::settings::shown;
use crate::{InputSettings, SettingProblem};
use recast::Transform;
use std::collections::BTreeSet;
use std::fmt::Write;
use toml::de::DeTable;

const KEYS: [&str; 8] = ["file", "at", "yaw", "scale", "transform", "bounds", "triangles", "materials"];

/// A chunk of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// The file, relative to the list's folder.
    pub file: String,
    /// From the file's space, already turned to Y up and metres, to world metres.
    pub transform: Transform,
    /// Bounds of its triangles, world metres; `None` if they are not known.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Number of its triangles, counted for every placement; `None` if not known.
    pub triangles: Option<u64>,
    /// The names of its materials; `None` if they are not known.
    pub materials: Option<Vec<String>>,
}

/// Reads a list of chunks.
///
/// ```
/// let text = "[[chunk]]\nfile = \"a.obj\"\nat = [5, 0, 0]\nbounds = [[5, 0, 0], [9, 1, 4]]\n";
/// let chunks = navinput::read_chunks(text)?;
/// assert_eq!((chunks[0].file.as_str(), chunks[0].triangles), ("a.obj", None));
///
/// let error = navinput::read_chunks("[[chunk]]\nfiel = \"a.obj\"\n").unwrap_err();
/// assert!(error.to_string().contains("line 2"));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// [`InputError::Settings`] with every problem of the text.
pub fn read_chunks(text: &str) -> Result<Vec<Chunk>, InputError> {
    let (document, notes) = Notes::parse(text);
    let mut reader = ChunkReader { notes };
    let chunks = reader.take_document(document.get_ref());
    reader.notes.finish(chunks)
}

/// A list of chunks as text; [`read_chunks`] reads it back unchanged.
pub fn chunks_toml(chunks: &[Chunk]) -> String {
    let mut text = String::from(
        "# A level in chunks, each a file of geometry. `navtile bake` reads those that its tiles need.\n",
    );
    for Chunk { file, transform, bounds, triangles, materials } in chunks {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n[[chunk]]\nfile = {}\n", toml::Value::from(file.as_str()));
        if *transform != Transform::IDENTITY {
            let _ = writeln!(text, "transform = {:?}", transform.0);
        }
        if let Some(bounds) = bounds {
            let _ = writeln!(text, "bounds = {bounds:?}");
        }
        if let Some(triangles) = triangles {
            let _ = writeln!(text, "triangles = {triangles}");
        }
        if let Some(materials) = materials {
            let names: Vec<toml::Value> =
                materials.iter().map(|name| toml::Value::from(name.as_str())).collect();
            let _ = writeln!(text, "materials = {}", toml::Value::from(names));
        }
    }
    text
}

/// Patterns of materials that fit no material of any chunk, with the nearest existing name. Empty if the
/// materials of some chunk are not known.
pub fn unknown_materials(
    chunks: &[Chunk],
    mappings: &[AreaMapping],
    input: &InputSettings,
) -> Vec<SettingProblem> {
    if chunks.is_empty() {
        return Vec::new();
    }
    let lists: Option<Vec<&Vec<String>>> = chunks.iter().map(|chunk| chunk.materials.as_ref()).collect();
    let Some(lists) = lists else { return Vec::new() };
    let names: BTreeSet<&str> = lists.into_iter().flatten().map(String::as_str).collect();
    let patterns = mappings.iter().map(|mapping| &mapping.names).chain(&input.include).chain(&input.exclude);
    let of_material = patterns.filter(|pattern: &&NamePattern| pattern.by == NameKind::Material);
    let lost = of_material.filter(|pattern| !names.iter().any(|name| pattern.fits(name)));
    lost.map(|pattern| pattern.unknown(&names)).collect()
}

struct ChunkReader<'a> {
    notes: Notes<'a>,
}

impl ChunkReader<'_> {
    fn take_document(&mut self, document: &DeTable<'_>) -> Vec<Chunk> {
        let tables = self.notes.tables(document, "chunk", "a level in chunks");
        if tables.is_empty() && self.notes.problems.is_empty() {
            let remedy = "give at least one: `[[chunk]]` with the name of a `file`";
            self.notes.note(0..0, "there are no chunks".to_owned(), Some(remedy.to_owned()));
        }
        tables.iter().filter_map(|entries| self.take_chunk(entries)).collect()
    }

    fn take_chunk(&mut self, entries: &Entries<'_>) -> Option<Chunk> {
        for (key, _) in entries.table.iter() {
            let name = key.get_ref().as_ref();
            if !KEYS.contains(&name) {
                let near = self.notes.near(name, KEYS.into_iter());
                self.notes.note(key.span(), format!("unknown key `{}.{}`", entries.path, shown(name)), near);
            }
        }
        // All values are read before any is used, so that all errors are noted at once.
        let file = self.file(entries);
        let transform = self.transform(entries);
        let bounds = self.bounds(entries);
        let triangles = self.triangles(entries);
        let materials = self.materials(entries);
        Some(Chunk {
            file: file?,
            transform: transform?,
            bounds: bounds?,
            triangles: triangles?,
            materials: materials?,
        })
    }

    fn file(&mut self, entries: &Entries<'_>) -> Option<String> {
        let path = format!("{}.file", entries.path);
        let Some(value) = entries.get("file") else {
            let what = format!("`{}` has no `file`, the name of an OBJ or glTF file", entries.path);
            self.notes.note(entries.span.clone(), what, None);
            return None;
        };
        let name = value.get_ref().as_str().filter(|name| !name.is_empty());
        if name.is_none() {
            self.notes.wrong(&path, value, "the name of an OBJ or glTF file");
        }
        name.map(str::to_owned)
    }

    fn transform(&mut self, entries: &Entries<'_>) -> Option<Transform> {
        if let Some(value) = entries.get("transform") {
            for key in ["at", "yaw", "scale"] {
                if let Some(other) = entries.get(key) {
                    let what =
                        format!("`{}` has both `transform` and `{key}`: give one of them", entries.path);
                    self.notes.note(other.span(), what, None);
                }
            }
            let path = format!("{}.transform", entries.path);
            let transform = self.notes.points(&path, value, "three rows of four numbers").map(Transform)?;
            if transform.mirrors() {
                self.notes.wrong(&path, value, "a transform that does not mirror, which turns faces over");
                return None;
            }
            return Some(transform);
        }
        let mut given = |key: &str, default: f64| match entries.get(key) {
            None => Some(default),
            Some(_) => self.notes.number(entries, key),
        };
        let (yaw, scale) = (given("yaw", 0.0), given("scale", 1.0));
        let at = match entries.get("at") {
            None => Some([0.0; 3]),
            Some(value) => self.notes.point(&format!("{}.at", entries.path), value),
        };
        let (yaw, scale, at) = (yaw?, scale?, at?);
        if scale <= 0.0 {
            let value = entries.get("scale")?;
            self.notes.wrong(&format!("{}.scale", entries.path), value, "a number greater than 0");
            return None;
        }
        if (yaw, scale, at) == (0.0, 1.0, [0.0; 3]) {
            return Some(Transform::IDENTITY);
        }
        let turn = Transform::turned(yaw, at);
        let scaled = |row: [f64; 4]| [row[0] * scale, row[1] * scale, row[2] * scale, row[3]];
        Some(Transform(turn.0.map(scaled)))
    }

    fn bounds(&mut self, entries: &Entries<'_>) -> Option<Option<[[f64; 3]; 2]>> {
        let Some(value) = entries.get("bounds") else { return Some(None) };
        let path = format!("{}.bounds", entries.path);
        let expected = "the smallest and the largest corner: [[x, y, z], [x, y, z]]";
        let bounds: [[f64; 3]; 2] = self.notes.points(&path, value, expected)?;
        if (0..3).any(|axis| bounds[0][axis] > bounds[1][axis]) {
            self.notes.wrong(&path, value, expected);
            return None;
        }
        Some(Some(bounds))
    }

    fn triangles(&mut self, entries: &Entries<'_>) -> Option<Option<u64>> {
        let Some(value) = entries.get("triangles") else { return Some(None) };
        let number = crate::settings::number(value.get_ref());
        let whole = number.filter(|number| number.fract() == 0.0 && (0.0..=1e15).contains(number));
        if whole.is_none() {
            self.notes.wrong(&format!("{}.triangles", entries.path), value, "a whole number of triangles");
        }
        whole.map(|number| Some(number as u64))
    }

    fn materials(&mut self, entries: &Entries<'_>) -> Option<Option<Vec<String>>> {
        let Some(value) = entries.get("materials") else { return Some(None) };
        let list = value.get_ref().as_array();
        let names = list
            .and_then(|list| list.iter().map(|name| name.get_ref().as_str().map(str::to_owned)).collect());
        if names.is_none() {
            self.notes.wrong(&format!("{}.materials", entries.path), value, "a list of names");
        }
        names.map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_scaled_then_turned_then_moved_and_may_be_flat() {
        let text = "[[chunk]]\nfile = \"a.obj\"\nat = [1, 2, 3]\nyaw = 90\nscale = 4\nbounds = [[0, 5, 0], [9, 5, 9]]\n";
        let chunks = read_chunks(text).unwrap();
        assert_eq!(chunks[0].bounds, Some([[0.0, 5.0, 0.0], [9.0, 5.0, 9.0]]));
        let turned = Transform::turned(90.0, [1.0, 2.0, 3.0]);
        for place in [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            assert_eq!(chunks[0].transform.apply(place), turned.apply(place.map(|value| 4.0 * value)));
        }
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let text = "[[chunk]]\nfile = \"a.obj\"\nat = [1, 2, 3]\nyaw = 90\nscale = 2\nbounds = [[0, 0.1, 0], [1e3, 2, 3]]\n\
                    triangles = 12\nmaterials = [\"gr\\\"ass\", \"mud\"]\n[[chunk]]\nfile = \"b.glb\"\n";
        let chunks = read_chunks(text).unwrap();
        let [x, y, z] = chunks[0].transform.apply([1.0, 1.0, 0.0]);
        assert!((x - 1.0).abs() < 1e-12 && y == 4.0 && (z - 5.0).abs() < 1e-12, "{x} {y} {z}");
        assert_eq!(
            chunks[1],
            Chunk {
                file: "b.glb".to_owned(),
                transform: Transform::IDENTITY,
                bounds: None,
                triangles: None,
                materials: None
            }
        );
        assert_eq!(read_chunks(&chunks_toml(&chunks)).unwrap(), chunks);
    }

    #[test]
    fn every_problem_is_reported_with_its_line() {
        let text = "[[chunk]]\nfile = 3\nat = [1, 2]\n[[chunk]]\nbounds = [[0, 0, 9], [1, 1, 1]]\ntriangles = 1.5\n[[chunk]]\n\
                    file = \"a\"\nyaw = 1\ntransform = [[1, 0, 0, 0]]\nmatirials = []\nscale = -1\n[lod]\n";
        let message = read_chunks(text).unwrap_err().to_string();
        for line in [2, 3, 4, 5, 6, 9, 10, 11, 12, 13] {
            assert!(message.contains(&format!("line {line},")), "line {line}: {message}");
        }
        assert!(message.contains("did you mean `materials`?"), "{message}");
        assert!(read_chunks("").unwrap_err().to_string().contains("no chunks"));
    }

    #[test]
    fn materials_that_no_chunk_has_are_noticed() {
        let chunks = read_chunks("[[chunk]]\nfile = \"a\"\nmaterials = [\"grass\"]\n").unwrap();
        let settings =
            crate::read_settings("[[area]]\nname = \"mud\"\nid = 5\nmaterials = [\"gras\"]\n").unwrap();
        let problems = unknown_materials(&chunks, &settings.mappings, &settings.input);
        assert_eq!(problems.len(), 1);
        assert!(
            unknown_materials(
                &read_chunks("[[chunk]]\nfile = \"a\"\n").unwrap(),
                &settings.mappings,
                &settings.input
            )
            .is_empty()
        );
    }
}
