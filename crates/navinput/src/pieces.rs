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
use crate::tables::{FINITE, Key, Named, Reader, Schema, Table};
use navlevel::{Body, Effect, Piece, PieceError};
use recast::{AreaId, Transform};
use std::collections::BTreeMap;

/// The values of a piece of any kind.
#[derive(Default)]
struct ReadPiece {
    at: Option<[f64; 3]>,
    yaw: Option<f64>,
    solid: Option<bool>,
    blocks: Option<bool>,
    removes: Option<bool>,
    area: Option<AreaId>,
    inflate: Option<bool>,
    size: Option<[f64; 3]>,
    radius: Option<f64>,
    height: Option<f64>,
    points: Option<Vec<[f64; 3]>>,
    file: Option<String>,
}

const AT: Key<ReadPiece> = Key::new("at", |piece, f| piece.at = f.point());
const REQUIRED_AT: Key<ReadPiece> =
    Key::required_or("at", "give the middle of its bottom: [x, y, z]", |piece, f| piece.at = f.point());
const SIZE: Key<ReadPiece> = Key::required("size", |piece, f| piece.size = f.point());
const RADIUS: Key<ReadPiece> = Key::required("radius", |piece, f| piece.radius = f.number(FINITE, ""));
const HEIGHT: Key<ReadPiece> = Key::required("height", |piece, f| piece.height = f.number(FINITE, ""));
const FILE: Key<ReadPiece> = Key::new("file", |piece, f| piece.file = f.text("the name of an OBJ file"));
const POINTS: Key<ReadPiece> = Key::new("points", |piece, f| {
    piece.points = f.each("a list of corners: [[x, y, z], [x, y, z], ...]", |point| point.point());
});

/// The keys of an effect. If one of them is wrong, so is the effect.
const EFFECT: [&str; 5] = ["solid", "blocks", "removes", "area", "inflate"];

/// Points and files may already have their final position.
static PIECE: Schema<ReadPiece> = Schema {
    selector: "kind",
    variants: &[
        ("box", &[SIZE, REQUIRED_AT]),
        ("cylinder", &[RADIUS, HEIGHT, REQUIRED_AT]),
        ("capsule", &[RADIUS, HEIGHT, REQUIRED_AT]),
        ("hull", &[POINTS, FILE, AT]),
        ("mesh", &[FILE, AT]),
    ],
    ..Named("piece").keys(&[
        Key::new("yaw", |piece, f| piece.yaw = f.number(FINITE, " degrees")),
        Key::new(EFFECT[0], |piece, f| piece.solid = f.switch()),
        Key::new(EFFECT[1], |piece, f| piece.blocks = f.switch()),
        Key::new(EFFECT[2], |piece, f| piece.removes = f.switch()),
        Key::new(EFFECT[3], |piece, f| piece.area = f.named_area()),
        Key::new(EFFECT[4], |piece, f| piece.inflate = f.switch()),
    ])
};

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
    let (document, mut reader) = Reader::parse(text);
    areas.iter().for_each(|(name, id)| reader.areas.add(name, AreaId(*id)));
    let tables = reader.list(&PIECE, document.get_ref(), "a list of pieces");
    let pieces = tables.iter().filter_map(|table| take_piece(&mut reader, table, load)).collect();
    reader.finish(pieces)
}

/// Returns the mesh of a file.
type LoadMesh<'l> = &'l mut dyn FnMut(&str) -> Result<PieceMesh, String>;

fn take_piece(reader: &mut Reader<'_>, table: &Table<'_>, load: LoadMesh<'_>) -> Option<Piece> {
    let mut read = ReadPiece::default();
    let is_sound = reader.read(&PIECE, table, &mut read);
    // All values are read before any is used, so that all errors are noted at once.
    let body = body(reader, table, &read, load);
    let effect = effect(reader, table, &read);
    let place = Transform::turned(read.yaw.unwrap_or(0.0), read.at.unwrap_or([0.0; 3]));
    let piece = Piece { body: body?, place, effect: effect? };
    if piece.effect == Effect::Removes && !piece.body.is_convex() {
        reader.note_at(&table.path, format!("`{}`: {}", table.path, PieceError::NoInside));
    }
    is_sound.then_some(piece)
}

fn body(reader: &mut Reader<'_>, table: &Table<'_>, read: &ReadPiece, load: LoadMesh<'_>) -> Option<Body> {
    let kind = table.text("kind")?;
    let body = match kind {
        "box" => Body::cuboid(read.size?),
        "cylinder" => Body::cylinder(read.radius?, read.height?),
        "capsule" => Body::capsule(read.radius?, read.height?),
        "hull" if table.has("points") => {
            if table.has("file") {
                let what = format!("`{}` has both `points` and `file`: give one of them", table.path);
                reader.note_at(&format!("{}.file", table.path), what);
            }
            Body::hull(read.points.as_ref()?)
        }
        "hull" => Body::hull(&mesh(reader, table, read, load)?.0),
        "mesh" => {
            let (vertices, triangles) = mesh(reader, table, read, load)?;
            Body::mesh(&vertices, &triangles)
        }
        _ => return None,
    };
    body.map_err(|error| reader.note_at(&table.path, format!("`{}`: {error}", table.path))).ok()
}

/// The mesh of the file that a piece names.
fn mesh(
    reader: &mut Reader<'_>,
    table: &Table<'_>,
    read: &ReadPiece,
    load: LoadMesh<'_>,
) -> Option<PieceMesh> {
    reader.require(table, "file", "give the name of an OBJ file");
    let path = format!("{}.file", table.path);
    load(read.file.as_ref()?).map_err(|why| reader.note_at(&path, format!("`{path}`: {why}"))).ok()
}

fn effect(reader: &mut Reader<'_>, table: &Table<'_>, read: &ReadPiece) -> Option<Effect> {
    let ReadPiece { solid, blocks, removes, area, inflate, .. } = *read;
    let are_read = [solid.is_some(), blocks.is_some(), removes.is_some(), area.is_some(), inflate.is_some()];
    if EFFECT.iter().zip(are_read).any(|(key, is_read)| table.has(key) && !is_read) {
        return None;
    }
    let [solid, blocks, removes] = [solid, blocks, removes].map(|switch| switch.unwrap_or(false));
    let effect = match (solid, blocks, removes, area) {
        (true, false, false, area) => Effect::Solid { area: area.unwrap_or(AreaId::GROUND) },
        (false, true, false, None) => Effect::Blocks { inflate: inflate.unwrap_or(true) },
        (false, false, true, None) => Effect::Removes,
        (false, false, false, Some(AreaId::NULL)) => Effect::Blocks { inflate: inflate.unwrap_or(false) },
        (false, false, false, Some(area)) => Effect::Marks { area, inflate: inflate.unwrap_or(false) },
        _ => {
            let what = "must do one thing: `solid = true` (with an `area` for its top), `blocks = true`, \
                        `area = \"name\"` or `removes = true`";
            reader.refuse(&table.path, what);
            return None;
        }
    };
    if inflate.is_some() && matches!(effect, Effect::Solid { .. } | Effect::Removes) {
        let what = "is for pieces that block or mark: others are as large as they are";
        reader.refuse(&format!("{}.inflate", table.path), what);
    }
    Some(effect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::HINTS;

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
            "did you mean \"box\"?",
            "`piece[1].at` is [1, 2]",
            "`piece[1]`: the size along z is -1",
            "`piece[1].radius` is no key of a box, which has size",
            "`piece[1].solid` is 1 (integer), expected true or false",
            "`piece[2].radius` is nan",
            "`piece[2]` has no `height`",
            "`piece[2]` must do one thing",
            "unknown key `piece.colour`",
            "`piece[3].file`: gone.obj: no such file",
            "`piece[3].area` is \"mudd\"",
            "did you mean \"mud\"?",
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
