//! Tests of the glTF reader: the memory that a file is charged for, to the byte.

use super::file::{F32, File, U8, primitive, read, square};
use crate::read_gltf;

/// Bytes of a placement without its path, and of a triangle.
const PLACEMENT: u64 = 160;
const TRIANGLE: u64 = 24;

/// An accessor of `count` positions, all zero, without any bytes in the file.
fn zeros(file: &mut File, count: u64) -> usize {
    file.accessors.push(format!(
        r#"{{"count":{count},"componentType":{F32},"type":"VEC3","sparse":{{"count":0,"indices":{{"bufferView":0,"componentType":{U8}}},"values":{{"bufferView":0}}}}}}"#
    ));
    file.accessors.len() - 1
}

/// A file whose last mesh is refused for its vertices: asserts the charge for everything before it and for
/// these vertices.
#[track_caller]
fn is_charged(mut file: File, before: u64, vertices: u64, bytes_of_vertex: u64) {
    let positions = zeros(&mut file, vertices);
    let mesh = file.mesh("many", &[primitive(positions, "")]);
    file.node("z", &format!(r#","mesh":{mesh}"#));
    let glb = file.glb();
    let (charged, limit) =
        (before + PLACEMENT + 1 + vertices * bytes_of_vertex, (16 << 20) + 128 * glb.len() as u64);
    let expected = format!("in memory is {charged}, more than the limit of {limit}");
    let message = read(&glb).unwrap_err().to_string();
    assert!(message.contains(&expected), "{message}\nlacks {expected}");
}

/// The square's corners as stored and as numbers, its indices in both forms, its triangles, and the name of
/// its material.
const OF_SQUARE: u64 = 4 * (12 + 24) + 6 * (2 + 4) + 2 * TRIANGLE + 5;

#[test]
fn vertices_are_charged_as_they_are_stored_and_as_numbers() {
    is_charged(square(), 0, 2_000_000, 12);
    is_charged(square(), 0, 600_000, 12 + 24);
}

#[test]
fn what_stands_in_a_file_is_charged() {
    let mut file = square();
    file.node("wall", r#","mesh":0"#);
    is_charged(file.clone(), PLACEMENT + 4 + OF_SQUARE, 2_000_000, 12);
    // A second placement of a mesh costs its placement, and also its triangles if it is mirrored.
    file.node("again", r#","mesh":0"#);
    is_charged(file.clone(), 2 * PLACEMENT + 9 + OF_SQUARE, 2_000_000, 12);
    file.node("mirrored", r#","mesh":0,"scale":[-1,1,1]"#);
    is_charged(file, 3 * PLACEMENT + 17 + OF_SQUARE + 2 * TRIANGLE, 2_000_000, 12);
}

#[test]
fn paths_and_instances_are_charged() {
    let mut file = square();
    let moves = file.floats(&[[0.0; 3]; 5]);
    let turns = file.floats(&[[0.0, 0.0, 0.0, 1.0]; 5]);
    file.node("up", r#","children":[1]"#);
    file.node("down", &format!(r#","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{moves},"ROTATION":{turns}}}}}}}"#));
    let instances = 5 * (12 + 24 + 16 + 32 + PLACEMENT + "up/down".len() as u64);
    is_charged(file, instances + OF_SQUARE, 2_000_000, 12);
}

#[test]
fn a_file_may_become_what_its_length_allows_and_no_more() {
    let with = |vertices: u64, name: usize| {
        let mut file = File::default();
        let indices = file.indices(&[0, 1, 2], U8);
        let positions = zeros(&mut file, vertices);
        file.mesh("m", &[primitive(positions, &format!(r#","indices":{indices}"#))]);
        file.node(&"n".repeat(name), r#","mesh":0"#);
        file
    };
    // The length of the name is chosen so that a whole number of vertices reaches the limit.
    let fits = (1..100).find_map(|name| {
        let limit = (16 << 20) + 128 * with(400_000, name).glb().len() as u64;
        let left = limit - (PLACEMENT + name as u64 + 3 * (1 + 4) + TRIANGLE);
        left.is_multiple_of(36).then_some((left / 36, name))
    });
    let (vertices, name) = fits.unwrap();
    assert!(with(vertices, name).try_read().is_ok());
    assert!(with(vertices + 1, name).refuse().contains("more than the limit"));
}

#[test]
fn files_beside_the_level_allow_more() {
    let with = |vertices: u64, beside: usize| {
        let mut file = square();
        file.node("n", r#","mesh":0"#);
        let positions = zeros(&mut file, vertices);
        let mesh = file.mesh("many", &[primitive(positions, r#","indices":1"#)]);
        file.node("z", &format!(r#","mesh":{mesh}"#));
        let mut bytes = file.bytes.clone();
        bytes.resize(beside, 0);
        read_gltf(file.json(Some("b.bin")).as_bytes(), &mut |_| Ok(bytes.clone())).map(drop)
    };
    assert!(with(600_000, 1_000).unwrap_err().to_string().contains("more than the limit"));
    assert_eq!(with(600_000, 50_000), Ok(()));
}
