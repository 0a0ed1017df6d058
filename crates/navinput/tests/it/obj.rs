//! OBJ files, compared with an independent reader.

use std::path::Path;

/// The triangles of a file by tobj, which cuts faces into fans.
#[allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]
fn fans(bytes: &[u8]) -> Vec<[[f64; 3]; 3]> {
    let options = tobj::LoadOptions { triangulate: true, ignore_lines: true, ..Default::default() };
    let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut &*bytes, &options, no_materials).unwrap();
    let corner = |mesh: &tobj::Mesh, index: u32| {
        let first = 3 * index as usize;
        [mesh.positions[first], mesh.positions[first + 1], mesh.positions[first + 2]]
    };
    let meshes = models.iter().map(|model| &model.mesh);
    meshes
        .flat_map(|mesh| mesh.indices.chunks(3).map(|face| [0, 1, 2].map(|at| corner(mesh, face[at]))))
        .collect()
}

#[test]
fn faces_that_are_convex_are_the_fans_of_another_reader() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    for name in ["courtyard.obj", "terrain.obj"] {
        let bytes = std::fs::read(assets.join(name)).unwrap();
        let read = navinput::read_obj(&bytes).unwrap().level;
        let corners = read.triangles.iter().map(|face| face.map(|vertex| read.vertices[vertex as usize]));
        let mut ours: Vec<[[f64; 3]; 3]> = corners.collect();
        let mut theirs = fans(&bytes);
        let order = |a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]| a.partial_cmp(b).unwrap();
        ours.sort_by(order);
        theirs.sort_by(order);
        assert_eq!(ours, theirs, "{name}");
    }
}
