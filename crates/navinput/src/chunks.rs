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
use crate::pattern::{AreaMapping, NameKind, NamePattern};
use crate::tables::{FINITE, Field, Key, Named, POSITIVE, Put, Reader, Schema, Table};
use crate::{InputSettings, SettingProblem};
use recast::Transform;
use std::collections::BTreeSet;
use std::fmt::Write;

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
    let (document, mut reader) = Reader::parse(text);
    let tables = reader.list(&CHUNK, document.get_ref(), "a level in chunks");
    if tables.is_empty() && reader.problems.is_empty() {
        let remedy = "give at least one: `[[chunk]]` with the name of a `file`";
        reader.note(0..0, "there are no chunks".to_owned(), Some(remedy.to_owned()));
    }
    let chunks = tables.iter().map(|table| take_chunk(&mut reader, table)).collect();
    reader.finish(chunks)
}

/// A chunk while its table is being read, and the parts of its placement.
struct ReadChunk {
    chunk: Chunk,
    at: [f64; 3],
    yaw: f64,
    scale: f64,
}

static CHUNK: Schema<ReadChunk> = Named("chunk").keys(&[
    Key::required_or("file", "give the name of an OBJ or glTF file", |read, f| {
        let named = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
        f.parse("the name of an OBJ or glTF file", named).put(&mut read.chunk.file);
    }),
    Key::new("at", |read, f| f.point().put(&mut read.at)),
    Key::new("yaw", |read, f| f.number(FINITE, " degrees").put(&mut read.yaw)),
    Key::new("scale", |read, f| f.number(POSITIVE, "").put(&mut read.scale)),
    Key::new("transform", |read, f| transform(f).put(&mut read.chunk.transform)),
    Key::new("bounds", |read, f| read.chunk.bounds = bounds(f)),
    Key::new("triangles", |read, f| read.chunk.triangles = f.integer("a whole number of triangles")),
    Key::new("materials", |read, f| {
        read.chunk.materials = f.each("a list of names", |name| name.text("a name: a string"));
    }),
]);

fn take_chunk(reader: &mut Reader<'_>, table: &Table<'_>) -> Chunk {
    let chunk = Chunk {
        file: String::new(),
        transform: Transform::IDENTITY,
        bounds: None,
        triangles: None,
        materials: None,
    };
    let mut read = ReadChunk { chunk, at: [0.0; 3], yaw: 0.0, scale: 1.0 };
    reader.read(&CHUNK, table, &mut read);
    let ReadChunk { mut chunk, at, yaw, scale } = read;
    if table.has("transform") {
        for key in ["at", "yaw", "scale"].into_iter().filter(|key| table.has(key)) {
            let what = format!("`{}` has both `transform` and `{key}`: give one of them", table.path);
            reader.note_at(&format!("{}.{key}", table.path), what);
        }
    } else if (yaw, scale, at) != (0.0, 1.0, [0.0; 3]) {
        let scaled = |row: [f64; 4]| [row[0] * scale, row[1] * scale, row[2] * scale, row[3]];
        chunk.transform = Transform(Transform::turned(yaw, at).0.map(scaled));
    }
    chunk
}

fn transform(f: &mut Field<'_, '_>) -> Option<Transform> {
    let row = |row: &mut Field<'_, '_>| row.numbers(f64::MAX, "4 finite numbers");
    let transform = f.array("three rows of four numbers", row).map(Transform)?;
    if transform.mirrors() {
        return f.wrong("a transform that does not mirror, which turns faces over");
    }
    Some(transform)
}

fn bounds(f: &mut Field<'_, '_>) -> Option<[[f64; 3]; 2]> {
    let expected = "the smallest and the largest corner: [[x, y, z], [x, y, z]]";
    let [min, max] = f.array(expected, |corner| corner.point())?;
    if (0..3).any(|axis| min[axis] > max[axis]) {
        return f.wrong(expected);
    }
    Some([min, max])
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
        assert!(message.contains("the nearest key is `chunk.materials`"), "{message}");
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
