//! Levels from OBJ files, and their vertices as the C++ program sees them.

use recast::Level;
use std::path::Path;

/// A level that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {cause}")]
pub struct ReadError {
    path: String,
    cause: String,
}

/// Reads all triangles of an OBJ file; polygons are cut into fans, as the C++ program does.
pub fn read_obj(path: &Path) -> Result<Level, ReadError> {
    let error = |cause: String| ReadError { path: path.display().to_string(), cause };
    let bytes = std::fs::read(path).map_err(|e| error(e.to_string()))?;
    parse_obj(&bytes).map_err(error)
}

fn parse_obj(bytes: &[u8]) -> Result<Level, String> {
    let options = tobj::LoadOptions { triangulate: true, ignore_lines: true, ..Default::default() };
    let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut &*bytes, &options, no_materials).map_err(|e| e.to_string())?;
    let mut level = Level::default();
    for model in models {
        let first = level.vertices.len() as u32;
        level.vertices.extend(model.mesh.positions.as_chunks::<3>().0);
        let corners = model.mesh.indices.as_chunks::<3>().0;
        level.triangles.extend(corners.iter().map(|triangle| triangle.map(|v| v + first)));
    }
    if level.triangles.is_empty() {
        Err("no triangles: expected lines that begin with v and f".into())
    } else {
        Ok(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_become_triangles() {
        let level = parse_obj(b"v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n").unwrap();
        assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(level.vertices[2], [1.0, 0.0, 1.0]);
        assert!(parse_obj(b"v 0 0 0\n").unwrap_err().contains("no triangles"));
    }
}
