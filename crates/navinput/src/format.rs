//! The formats of levels: recognised by the extension of a file's name, or by the start of its content.

use std::path::Path;

/// The format that a level is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelFormat {
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0, as text or as GLB.
    Gltf,
    /// A geometry set of RecastDemo.
    GeometrySet,
    /// A list of chunks.
    Chunks,
    /// A map of polygons.
    GeoJson,
    /// A map of polygons, as lists of corners.
    Corners,
}

impl LevelFormat {
    /// The format of a file by the extension of its name; `None` if levels with this extension are not read.
    pub fn of_name(name: impl AsRef<Path>) -> Option<LevelFormat> {
        match name.as_ref().extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(LevelFormat::Obj),
            "gltf" | "glb" => Some(LevelFormat::Gltf),
            "gset" => Some(LevelFormat::GeometrySet),
            "toml" => Some(LevelFormat::Chunks),
            "geojson" | "json" => Some(LevelFormat::GeoJson),
            "poly" => Some(LevelFormat::Corners),
            _ => None,
        }
    }

    /// The format of content without a name, detected from its first few hundred bytes.
    pub fn of_start(start: &[u8]) -> LevelFormat {
        if start.starts_with(b"glTF") {
            return LevelFormat::Gltf;
        }
        let text = String::from_utf8_lossy(start);
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        if text.starts_with('{') {
            // Every object of GeoJSON has a type with one of these names, which glTF does not use.
            let is_map = ["Feature", "Polygon", "GeometryCollection"];
            return match is_map.iter().any(|name| text.contains(&format!("\"{name}"))) {
                true => LevelFormat::GeoJson,
                false => LevelFormat::Gltf,
            };
        }
        let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let mut words = line.unwrap_or_default().split_whitespace();
        match (words.next(), words.next()) {
            // In a geometry set `f` is the name of its mesh, in an OBJ file a face of vertices by their
            // numbers.
            (Some("f"), Some(name)) if name.parse::<f64>().is_err() && !name.contains('/') => {
                LevelFormat::GeometrySet
            }
            (Some(number), _) if number.trim_end_matches(',').parse::<f64>().is_ok() => LevelFormat::Corners,
            _ => LevelFormat::Obj,
        }
    }

    /// Returns true for a map of polygons, which is baked without voxels.
    pub fn is_map(self) -> bool {
        matches!(self, LevelFormat::GeoJson | LevelFormat::Corners)
    }

    /// Returns true for plain geometry: triangles without bake settings.
    pub fn is_geometry(self) -> bool {
        matches!(self, LevelFormat::Obj | LevelFormat::Gltf)
    }
}

/// The remedy for a file with none of these extensions.
pub const LEVEL_ENDINGS: &str = "levels are .obj, .gltf, .glb or .gset; maps are .geojson, .json or .poly";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_shows_in_how_it_begins() {
        for (text, format) in [
            ("glTF\u{2}", LevelFormat::Gltf),
            ("\u{FEFF} {\"asset\": {\"version\": \"2.0\"}}", LevelFormat::Gltf),
            ("{\"type\":\"FeatureCollection\"", LevelFormat::GeoJson),
            ("{\"type\": \"Polygon\", ", LevelFormat::GeoJson),
            ("f nav_test.obj\ns 0.3", LevelFormat::GeometrySet),
            ("# a level\nf 1/2 2/3 3/4\n", LevelFormat::Obj),
            ("f 1 2 3\n", LevelFormat::Obj),
            ("v 0 0 0\n", LevelFormat::Obj),
            ("", LevelFormat::Obj),
            ("# corners\n0, 0\n10, 0\n", LevelFormat::Corners),
        ] {
            assert_eq!(LevelFormat::of_start(text.as_bytes()), format, "{text}");
        }
    }

    #[test]
    fn a_format_shows_in_the_ending() {
        use LevelFormat::{Chunks, Corners, GeoJson, GeometrySet, Gltf, Obj};
        let endings =
            [("obj", Obj), ("gltf", Gltf), ("GLB", Gltf), ("gset", GeometrySet), ("geojson", GeoJson)];
        for (ending, format) in
            endings.into_iter().chain([("json", GeoJson), ("poly", Corners), ("toml", Chunks)])
        {
            assert_eq!(LevelFormat::of_name(format!("a.{ending}")), Some(format));
        }
        assert_eq!(LevelFormat::of_name("a.fbx"), None);
        assert_eq!(LevelFormat::of_name("obj"), None);
        let all = [Obj, Gltf, GeometrySet, GeoJson, Corners, Chunks];
        assert_eq!(all.map(LevelFormat::is_map), [false, false, false, true, true, false]);
        assert_eq!(all.map(LevelFormat::is_geometry), [true, true, false, false, false, false]);
    }
}
