//! Tests of the OBJ reader: each trap of the format, and arbitrary bytes.

use super::*;
use crate::error::TextPosition;
use proptest::prelude::*;

const SQUARE: &str = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n";

fn read(text: &str) -> ObjLevel {
    read_obj(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refuse(text: &str) -> (Option<TextPosition>, String) {
    let error = read_obj(text.as_bytes()).unwrap_err();
    (error.place(), error.to_string())
}

fn at(line: u64, column: u64) -> Option<TextPosition> {
    Some(TextPosition { line, column })
}

#[test]
fn polygons_are_cut_into_fans() {
    let level = read(&format!("{SQUARE}v 0.5 0 -1\nf 1 2 3 4\nf 1 2 3 4 5\n"));
    assert_eq!(level.faces, 2);
    assert_eq!(level.level.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert_eq!(level.level.vertices[4], [0.5, 0.0, -1.0]);
    assert!(level.level.areas.is_empty());
}

#[test]
fn coordinates_keep_all_their_digits() {
    let level = read("v 123456789.0123 -2.5e-3 +.5\nv 1. 0 1\nv 1 0 0\nf 1 2 3");
    assert_eq!(level.level.vertices[0], [123456789.0123, -0.0025, 0.5]);
}

#[test]
fn unused_vertices_are_left_out() {
    let level = read(&format!("v 9 9 9\n{SQUARE}f 2 3 4\n"));
    assert_eq!(level.level.vertices, [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]);
}

#[test]
fn the_shapes_of_text_do_not_matter() {
    let plain = read(&format!("{SQUARE}f 1 2 3 4\n"));
    for text in [
        "v 0 0 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 0 0\r\nf 1 2 3 4\r\n",
        "v 0 0 0\rv 0 0 1\rv 1 0 1\rv 1 0 0\rf 1 2 3 4",
        "\u{FEFF}v 0 0 0 # the corner\nv 0 0 1#stuck\n\tv 1 0 1\nv\t1   0 0  \nf 1 2 3 4 # face\n",
        "v 0 \\\n 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 \\\r\n0\nf 1 2 \\\n\\\n3 4\\",
        "f 1 2 3 4\nv 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n",
        "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf -4 -3 -2 -1\nl 1 2\np 1\nl 1 2 99\n",
        "v 0 0 0 1.0\nv 0 0 1 0.5 0.5 0.5\nv 1 0 1 0\nv 1 0 0 1 0 0 1\nf 1 2 3 4#x y\n",
        "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nvt 0 0\nvn 0 1 0\nf 1/1/1 2//1 3/1 4/9/9\n",
        "# C:\\levels\\\nv 0 0 0\nv 0 0 1\nv 1 0 1 # back \\\nv 1 0 0\nf 1 2 3 4\n",
    ] {
        assert_eq!(read(text).level, plain.level, "{text}");
    }
}

#[test]
fn names_are_kept_without_a_material_file() {
    let text = format!(
        "mtllib gone.mtl\no level one\n{SQUARE}f 1 2 3\nusemtl grass #green\ng a b\nf 1 2 3 4\n\
         usemtl water#2\nf 1 2 3\nusemtl grass # green\nf 1 3 4\n"
    );
    let level = read(&text);
    assert_eq!(level.materials.names, ["", "grass", "water#2"]);
    assert_eq!(level.materials.ids, [0, 1, 1, 2, 1]);
    assert_eq!(level.groups.ids, [0, 1, 1, 1, 1]);
    assert_eq!((level.groups.name_of(4), level.objects.name_of(0)), ("a b", "level one"));
}

#[test]
fn names_may_be_any_bytes() {
    let mut text = SQUARE.as_bytes().to_vec();
    text.extend_from_slice(b"o caf\xE9\nf 1 2 3\no caf\xE8\nf 1 2 3\n");
    assert_eq!(read_obj(&text).unwrap().objects.names, ["", "caf\\xE9", "caf\\xE8"]);
}

#[test]
fn what_is_left_out_is_counted() {
    let level = read(&format!("{SQUARE}l 1 2\np 3\ncurv 0 1 1 2\nfoo\nf 1 2 3\n"));
    assert_eq!((level.ignored.lines_and_points, level.ignored.unknown), (2, 2));
    assert_eq!(level.ignored.first_unknown, Some((TextPosition { line: 7, column: 1 }, "curv".to_owned())));
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for value in ["nan", "NaN", "-nan(ind)", "inf", "-Infinity", "1.#QNAN", "-1.#IND", "1.#INF00", "1e999"] {
        let (place, message) = refuse(&format!("v 0 0 0\nv 1  {value} 0\nv 0 0 1\nf 1 2 3\n"));
        assert_eq!(place, at(2, 6), "{value}");
        assert!(message.contains(value) && message.contains("not finite"), "{message}");
    }
}

#[test]
fn bad_vertices_are_refused() {
    let (place, message) = refuse("v 0 0 0\nv 1 2\nf 1 1 1\n");
    assert_eq!(place, at(2, 1));
    assert!(message.contains("2 coordinates"), "{message}");
    let (place, message) = refuse("v 0 0 0\r\nv 0,5 0 0\r\n");
    assert_eq!(place, at(2, 3));
    assert!(message.contains("decimal point"), "{message}");
    assert_eq!(refuse("v 0 0 \\\n zero\n").0, at(2, 2));
    assert!(refuse("v 0 0 0 v 1 1 1\nf 1 1 1\n").1.contains("`v`"));
    // The sign separates words only at the end of a line.
    assert!(refuse("v 1\\2 0 0\n").1.contains("number; write"));
    assert_eq!(
        refuse("v\n").1.split(';').next(),
        Some("line 1, column 1: the vertex has 0 coordinates, expected at least 3")
    );
}

#[test]
fn bad_faces_are_refused() {
    for (face, column, what) in [
        ("f 1 2 5", 7, "vertex 5, but the file has 4"),
        ("f 1 -5 2", 5, "vertex -5, but the file has 4 vertices up to here"),
        ("f 1 0 2", 5, "indices start at 1"),
        ("f 1 2", 1, "2 corners"),
        ("f", 1, "0 corners"),
        ("f 1 2 x", 7, "found `x`"),
        ("f 1 2 3.0", 7, "found `3.0`"),
        ("f 1 2 /3", 7, "found `/3`"),
        ("f 1 2 99999999999999999999", 7, "expected a vertex index"),
    ] {
        let (place, message) = refuse(&format!("{SQUARE}{face}\n"));
        assert_eq!(place, at(5, column), "{face}: {message}");
        assert!(message.contains(what), "{face}: {message}");
    }
}

#[test]
fn files_without_faces_are_refused() {
    assert!(refuse("").1.contains("empty"));
    assert!(refuse(" \r\n\n").1.contains("empty"));
    assert!(refuse(SQUARE).1.contains("no faces"));
    assert!(refuse("glTF binary\nor something\n").1.contains("check that this is an OBJ file"));
    assert!(read_obj(b"\xFF\xFEv\0 \0").unwrap_err().to_string().contains("UTF-16"));
}

#[test]
fn text_is_streamed_across_chunks() {
    let count = 20_000;
    let mut text = String::new();
    for index in 0..count {
        text.push_str(&format!("v {index}.125 0 {}.5\n", index % 7));
    }
    for index in 3..=count {
        text.push_str(&format!("f {} {} {index}\n", index - 2, index - 1));
    }
    let level = read(&text).level;
    assert_eq!((level.vertices.len(), level.triangles.len()), (count, count - 2));
    assert_eq!(level.triangles[count - 3], [count as u32 - 3, count as u32 - 2, count as u32 - 1]);
    assert_eq!(level.vertices[count - 1], [19_999.125, 0.0, f64::from((count as u32 - 1) % 7) + 0.5]);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_obj(&bytes);
    }

    #[test]
    fn any_statements_are_read_or_refused(text in "([vflpo#\\\\]|usemtl|[ \n\r\t/.-]|[0-4]|nan|1e9){0,80}") {
        if let Ok(level) = read_obj(text.as_bytes()) {
            let triangles = level.level.triangles.len();
            prop_assert_eq!(level.materials.ids.len(), triangles);
            prop_assert!(level.level.triangles.as_flattened().iter()
                .all(|&index| (index as usize) < level.level.vertices.len()));
        }
    }

    #[test]
    fn levels_survive_the_text(
        vertices in proptest::collection::vec(proptest::array::uniform3(-1e6f64..1e6), 3..30),
        picks in proptest::collection::vec(proptest::array::uniform3(any::<prop::sample::Index>()), 1..40),
        relative in any::<bool>(),
    ) {
        let triangles: Vec<[usize; 3]> =
            picks.iter().map(|corners| corners.each_ref().map(|pick| pick.index(vertices.len()))).collect();
        let mut text = String::new();
        for [x, y, z] in &vertices {
            text.push_str(&format!("v {x} {y} {z}\n"));
        }
        for corners in &triangles {
            let written = corners.map(|index| {
                if relative { index as i64 - vertices.len() as i64 } else { index as i64 + 1 }
            });
            text.push_str(&format!("f {} {} {}\n", written[0], written[1], written[2]));
        }
        let level = read(&text).level;
        prop_assert_eq!(level.triangles.len(), triangles.len());
        for (read, given) in level.triangles.iter().zip(&triangles) {
            for (&a, &b) in read.iter().zip(given) {
                prop_assert_eq!(level.vertices[a as usize], vertices[b]);
            }
        }
    }
}

#[test]
fn encodings_of_wide_characters_are_named() {
    for (start, name) in [
        (&[0xFF, 0xFE, 0, 0][..], "UTF-32"),
        (&[0, 0, 0xFE, 0xFF], "UTF-32"),
        (&[0xFF, 0xFE, b'v', 0], "UTF-16"),
        (&[0xFE, 0xFF, 0, b'v'], "UTF-16"),
    ] {
        let error = read_obj(&[start, b"v 0 0 0\n"].concat()).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn a_comma_in_a_number_has_a_remedy_of_its_own() {
    let remedy = |found: &str| ObjProblem::NotANumber(found.to_owned()).remedy();
    assert!(remedy("1,5").contains("not a comma"));
    assert!(remedy("1.5m").contains("plain decimal numbers"));
}

#[test]
fn statements_about_looks_are_known() {
    let level = read(&format!("mtllib a.mtl\ns 1\nvt 0 0\nvn 0 1 0\n{SQUARE}f 1//1 2//1 3//1\n"));
    assert_eq!((level.ignored.unknown, &level.ignored.first_unknown), (0, &None));
}

#[test]
fn a_comment_stuck_to_a_number_is_none_of_it() {
    let level = read("v 0 0 1.#top\nv 0 0 2#inf\nv 1 0 1\nf 1 2 3\n").level;
    assert_eq!(level.vertices[..2], [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]);
    assert!(refuse("v 0 0 1.#INF\nf 1 1 1\n").1.contains("finite"));
}

#[test]
fn a_vertex_that_is_missing_is_reported_where_it_is_first_named() {
    let (place, error) = refuse(&format!("{SQUARE}f 1 2 9\nf 1 2 9\n"));
    assert_eq!(place, at(5, 7), "{error}");
}

#[test]
fn long_words_are_cut_in_messages() {
    let said = |length: usize| refuse(&format!("v 0 0 {}\n", "w".repeat(length))).1;
    assert!(said(40).contains(&"w".repeat(40)) && !said(40).contains("w.."));
    assert!(said(41).contains(&format!("{}..", "w".repeat(40))));
}

/// A wall with a doorway, a floor with a pit that is joined to its outline by an edge that is walked twice,
/// and a bow tie.
const FACES: &str = "v 0 0 5\nv 0 3 5\nv 12 3 5\nv 12 0 5\nv 7.5 0 5\nv 7.5 2.5 5\nv 4.5 2.5 5\nv 4.5 0 5\nf 1 2 3 4 5 6 7 8\n\
    v 0 0 0\nv 0 0 12\nv 12 0 12\nv 12 0 0\nv 4 0 4\nv 8 0 4\nv 8 0 8\nv 4 0 8\nusemtl stone\n\
    f 9 10 11 12 9 13 14 15 16 13\nusemtl mud\nf 9 11 10 12\nv 0 9 0\nf 9 10 11 12 17\n";

#[test]
fn faces_that_are_not_convex_keep_their_doorways_and_pits() {
    let read = read(FACES);
    let area = |material: &str| -> f64 {
        let own = (0..read.level.triangles.len()).filter(|&at| read.materials.name_of(at) == material);
        let areas = own.map(|at| {
            let [a, b, c] = read.level.triangles[at].map(|corner| read.level.vertices[corner as usize]);
            let side = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
            let ([ux, uy, uz], [vx, vy, vz]) = (side(b), side(c));
            let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
            normal.iter().map(|value| value * value).sum::<f64>().sqrt() / 2.0
        });
        areas.sum()
    };
    assert_eq!(area(""), 12.0 * 3.0 - 3.0 * 2.5);
    assert_eq!(area("stone"), 144.0 - 16.0);
    assert_eq!(read.faces, 4);
    assert_eq!(
        (read.ignored.folded.lines.as_slice(), read.ignored.bent.lines.as_slice()),
        (&[21][..], &[23][..])
    );
    let sentences = read.ignored.sentences();
    assert!(sentences[0].starts_with("1 face (line 21) folds over itself"), "{sentences:?}");
    assert!(sentences[1].starts_with("1 face (line 23) is not planar"), "{sentences:?}");
}

#[test]
fn few_of_many_faces_are_named() {
    let ignored =
        |count: usize| read(&(SQUARE.to_owned() + &"f 1 3 2 4\n".repeat(count))).ignored.sentences();
    assert!(ignored(2)[0].starts_with("2 faces (lines 5 and 6) fold over themselves"), "{:?}", ignored(2));
    assert!(ignored(3)[0].starts_with("3 faces (lines 5, 6 and 7) fold"), "{:?}", ignored(3));
    assert!(
        ignored(40)[0].starts_with("40 faces (lines 5, 6, 7, 8, 9 and 35 more) fold"),
        "{:?}",
        ignored(40)
    );
}

/// The triangles depend on the positions of corners, which come further down.
#[test]
fn a_face_before_its_vertices_is_the_same() {
    let (vertices, faces): (Vec<&str>, Vec<&str>) = FACES.lines().partition(|line| line.starts_with('v'));
    let [before, after] = [[&faces, &vertices], [&vertices, &faces]]
        .map(|lines| read(&(lines.map(|lines| lines.join("\n")).join("\n") + "\n")));
    assert_eq!((before.level, before.materials), (after.level, after.materials));
}
