//! `[[obstacle]]`: lists of obstacles from TOML. All problems of a file are found in a single pass, each with
//! its line.
//!
//! ```toml
//! [[obstacle]]
//! kind = "box"            # box, cylinder, capsule, hull, mesh
//! at = [3.0, 0.0, -7.5]   # the middle of its bottom, metres
//! size = [1.0, 1.2, 1.0]  # along x, y and z; radius and height for a cylinder or capsule
//! yaw = 30.0              # degrees, from the x axis towards the z axis
//! solid = true            # or blocks = true, area = "mud", removes = true
//! ```

use crate::error::InputError;
use crate::tables::{FINITE, Key, Named, Reader, Schema, Table};
use navlevel::{Body, Effect, Obstacle, ObstacleError};
use recast::{AreaId, Transform};
use std::collections::BTreeMap;

/// The values of an obstacle of any kind.
#[derive(Default)]
struct ReadObstacle {
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

const AT: Key<ReadObstacle> = Key::new("at", |obstacle, f| obstacle.at = f.point());
const REQUIRED_AT: Key<ReadObstacle> =
    Key::required_or("at", "give the middle of its bottom: [x, y, z]", |obstacle, f| obstacle.at = f.point());
const SIZE: Key<ReadObstacle> = Key::required("size", |obstacle, f| obstacle.size = f.point());
const RADIUS: Key<ReadObstacle> =
    Key::required("radius", |obstacle, f| obstacle.radius = f.number(FINITE, ""));
const HEIGHT: Key<ReadObstacle> =
    Key::required("height", |obstacle, f| obstacle.height = f.number(FINITE, ""));
const FILE: Key<ReadObstacle> =
    Key::new("file", |obstacle, f| obstacle.file = f.text("the name of an OBJ file"));
const POINTS: Key<ReadObstacle> = Key::new("points", |obstacle, f| {
    obstacle.points = f.each("a list of corners: [[x, y, z], [x, y, z], ...]", |point| point.point());
});

/// The keys of an effect. If one of them is wrong, so is the effect.
const EFFECT: [&str; 5] = ["solid", "blocks", "removes", "area", "inflate"];

/// Points and files may already have their final position.
static OBSTACLE: Schema<ReadObstacle> = Schema {
    selector: "kind",
    variants: &[
        ("box", &[SIZE, REQUIRED_AT]),
        ("cylinder", &[RADIUS, HEIGHT, REQUIRED_AT]),
        ("capsule", &[RADIUS, HEIGHT, REQUIRED_AT]),
        ("hull", &[POINTS, FILE, AT]),
        ("mesh", &[FILE, AT]),
    ],
    ..Named("obstacle").keys(&[
        Key::new("yaw", |obstacle, f| obstacle.yaw = f.number(FINITE, " degrees")),
        Key::new(EFFECT[0], |obstacle, f| obstacle.solid = f.switch()),
        Key::new(EFFECT[1], |obstacle, f| obstacle.blocks = f.switch()),
        Key::new(EFFECT[2], |obstacle, f| obstacle.removes = f.switch()),
        Key::new(EFFECT[3], |obstacle, f| obstacle.area = f.named_area()),
        Key::new(EFFECT[4], |obstacle, f| obstacle.inflate = f.switch()),
    ])
};

/// The mesh of a file that an obstacle names: vertices, and triangles as indices of them.
pub type ObstacleMesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// Reads a list of obstacles. `areas` are the names that obstacles may use, with their ids; `"none"` removes
/// the ground. `load` returns the mesh of a file that an obstacle names, or the reason why it cannot.
///
/// ```
/// let text = "[[obstacle]]\nkind = \"cylinder\"\nat = [1, 0, 2]\nradius = 0.5\nheight = 1\nblocks = true\n";
/// let mut load = |_: &str| Err("no files here".to_owned());
/// let obstacles = navinput::read_obstacles(text, &Default::default(), &mut load)?;
/// assert_eq!(obstacles[0].effect, navlevel::Effect::Blocks { inflate: true });
///
/// let text = "[[obstacle]]\nkind = \"cone\"\n";
/// let error = navinput::read_obstacles(text, &Default::default(), &mut |_| Err(String::new()));
/// assert!(error.unwrap_err().to_string().contains("line 2, column 8"));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// [`InputError::Settings`] with every problem of the file.
pub fn read_obstacles(
    text: &str,
    areas: &BTreeMap<String, u8>,
    load: &mut dyn FnMut(&str) -> Result<ObstacleMesh, String>,
) -> Result<Vec<Obstacle>, InputError> {
    let (document, mut reader) = Reader::parse(text);
    areas.iter().for_each(|(name, id)| reader.areas.add(name, AreaId(*id)));
    let tables = reader.list(&OBSTACLE, document.get_ref(), "a list of obstacles");
    let obstacles = tables.iter().filter_map(|table| take_obstacle(&mut reader, table, load)).collect();
    reader.finish(obstacles)
}

/// Returns the mesh of a file.
type LoadMesh<'l> = &'l mut dyn FnMut(&str) -> Result<ObstacleMesh, String>;

fn take_obstacle(reader: &mut Reader<'_>, table: &Table<'_>, load: LoadMesh<'_>) -> Option<Obstacle> {
    let mut read = ReadObstacle::default();
    let is_sound = reader.read(&OBSTACLE, table, &mut read);
    // All values are read before any is used, so that all errors are noted at once.
    let body = body(reader, table, &read, load);
    let effect = effect(reader, table, &read);
    let place = Transform::turned(read.yaw.unwrap_or(0.0), read.at.unwrap_or([0.0; 3]));
    let obstacle = Obstacle { body: body?, place, effect: effect? };
    if obstacle.effect == Effect::Removes && !obstacle.body.is_convex() {
        reader.note_at(&table.path, format!("`{}`: {}", table.path, ObstacleError::NoInside));
    }
    is_sound.then_some(obstacle)
}

fn body(reader: &mut Reader<'_>, table: &Table<'_>, read: &ReadObstacle, load: LoadMesh<'_>) -> Option<Body> {
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

/// The mesh of the file that an obstacle names.
fn mesh(
    reader: &mut Reader<'_>,
    table: &Table<'_>,
    read: &ReadObstacle,
    load: LoadMesh<'_>,
) -> Option<ObstacleMesh> {
    reader.require(table, "file", "give the name of an OBJ file");
    let path = format!("{}.file", table.path);
    load(read.file.as_ref()?).map_err(|why| reader.note_at(&path, format!("`{path}`: {why}"))).ok()
}

fn effect(reader: &mut Reader<'_>, table: &Table<'_>, read: &ReadObstacle) -> Option<Effect> {
    let ReadObstacle { solid, blocks, removes, area, inflate, .. } = *read;
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
        let what = "is for obstacles that block or mark: others are as large as they are";
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
    fn slab() -> ObstacleMesh {
        let vertices = vec![[0.0; 3], [0.0, 0.0, 2.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        (vertices, vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    }

    fn read(text: &str) -> Result<Vec<Obstacle>, InputError> {
        let wedge = || (vec![[0.0; 3], [0.0, 0.0, 2.0], [3.0, 1.0, 0.0]], vec![[0, 1, 2]]);
        read_obstacles(text, &areas(), &mut |name| match name {
            "wedge.obj" => Ok(wedge()),
            "slab.obj" => Ok(slab()),
            other => Err(format!("{other}: no such file")),
        })
    }

    #[test]
    fn every_kind_and_effect_is_read() {
        let obstacles = read(
            r#"
            [[obstacle]]
            kind = "box"
            at = [1, 0, 2]
            size = [2, 1, 4]
            yaw = 90
            solid = true
            [[obstacle]]
            kind = "cylinder"
            at = [0.0, 0.0, 0.0]
            radius = 0.5
            height = 2
            blocks = true
            [[obstacle]]
            kind = "capsule"
            at = [0.0, 0.0, 0.0]
            radius = 0.5
            height = 2
            area = "mud"
            inflate = true
            [[obstacle]]
            kind = "hull"
            points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
            removes = true
            [[obstacle]]
            kind = "mesh"
            file = "wedge.obj"
            at = [5, 0, 0]
            solid = true
            area = "none"
            "#,
        )
        .unwrap();
        let effects: Vec<Effect> = obstacles.iter().map(|obstacle| obstacle.effect).collect();
        let expected = [
            Effect::Solid { area: AreaId::GROUND },
            Effect::Blocks { inflate: true },
            Effect::Marks { area: AreaId(7), inflate: true },
            Effect::Removes,
            Effect::Solid { area: AreaId::NULL },
        ];
        assert_eq!(effects, expected);
        let [min, max] = obstacles[0].bounds();
        assert!((max[0] - min[0] - 4.0).abs() < 1e-9, "turned by 90 degrees");
        assert_eq!(obstacles[4].bounds()[1], [8.0, 1.0, 2.0]);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn every_problem_of_a_file_is_named_with_its_place() {
        let error = read(
            r#"
[[obstacle]]
kind = "bx"
[[obstacle]]
kind = "box"
at = [1, 2]
size = [1, 1, -1]
radius = 3
solid = 1
[[obstacle]]
kind = "cylinder"
at = [0, 0, 0]
radius = nan
blocks = true
removes = true
colour = "red"
[[obstacle]]
kind = "mesh"
file = "gone.obj"
area = "mudd"
[[obstacle]]
kind = "hull"
points = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]]
solid = true
inflate = true
[[obstacles]]
"#,
        )
        .unwrap_err()
        .to_string();
        for part in [
            "line 3, column 8: `obstacle[0].kind` is \"bx\"",
            "did you mean \"box\"?",
            "`obstacle[1].at` is [1, 2]",
            "`obstacle[1]`: the size along z is -1",
            "`obstacle[1].radius` is no key of a box, which has size",
            "`obstacle[1].solid` is 1 (integer), expected true or false",
            "`obstacle[2].radius` is nan",
            "`obstacle[2]` has no `height`",
            "`obstacle[2]` must do one thing",
            "unknown key `obstacle.colour`",
            "`obstacle[3].file`: gone.obj: no such file",
            "`obstacle[3].area` is \"mudd\"",
            "did you mean \"mud\"?",
            "all 4 points of the hull are in one plane",
            "`obstacle[4].inflate` is for obstacles",
            "unknown key `obstacles`",
        ] {
            assert!(error.contains(part), "{part} in:\n{error}");
        }
    }

    #[test]
    fn bodies_are_those_of_their_kinds() {
        let bodies: Vec<Body> = read(
            r#"
            [[obstacle]]
            kind = "cylinder"
            radius = 1
            height = 3
            at = [0, 0, 0]
            solid = true
            [[obstacle]]
            kind = "capsule"
            radius = 1
            height = 3
            at = [0, 0, 0]
            solid = true
            [[obstacle]]
            kind = "hull"
            file = "slab.obj"
            solid = true
            [[obstacle]]
            kind = "mesh"
            file = "slab.obj"
            solid = true
            "#,
        )
        .unwrap()
        .into_iter()
        .map(|obstacle| obstacle.body)
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
        let obstacle = "[[obstacle]]\nkind = \"box\"\nsize = [1, 1, 1]\nat = [0, 0, 0]\narea = \"none\"\n";
        assert_eq!(read(obstacle).unwrap()[0].effect, Effect::Blocks { inflate: false });
    }

    #[test]
    fn a_box_stands_somewhere() {
        let error =
            read("[[obstacle]]\nkind = \"box\"\nsize = [1, 1, 1]\nsolid = true\n").unwrap_err().to_string();
        assert!(error.contains("`obstacle[0]` has no `at`"), "{error}");
    }

    #[test]
    fn a_switch_that_is_wrong_is_one_problem() {
        let error =
            read("[[obstacle]]\nkind = \"box\"\nsize = [1, 1, 1]\nat = [0, 0, 0]\nsolid = 1\n").unwrap_err();
        let InputError::Settings(problems) = error else { panic!("{error}") };
        assert_eq!(problems.len(), 1, "{problems:?}");
    }

    #[test]
    fn many_problems_get_no_names_to_use_instead() {
        let error = read(&"[[obstacle]]\nkind = \"bx\"\nsolid = true\n".repeat(HINTS + 5)).unwrap_err();
        let InputError::Settings(problems) = error else { panic!("{error}") };
        assert_eq!(problems.len(), HINTS + 5);
        assert_eq!(problems.iter().filter(|problem| problem.remedy.is_some()).count(), HINTS);
    }
}
