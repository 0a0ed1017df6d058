//! Levels, maps and settings as text and as glTF.

use super::{Family, Made, Member};
use navinput::{AreaMapping, InputSettings, NameKind, NamePattern, SourceLevel, into_meshes};
use std::error::Error;
use std::fmt::Write;

pub(super) const FAMILIES: [Family; 46] = [
    Family { name: "obj/faces", start: 2_000, make: |n| obj(corners(n) + &"f 1 2 3\n".repeat(n)) },
    Family { name: "obj/a-face-of-many-corners", start: 2_000, make: obj_wide },
    Family {
        name: "obj/a-face-over-itself",
        start: 3_000,
        make: |n| obj(corners(9) + "f" + &" 1 2 3".repeat(n)),
    },
    Family { name: "obj/a-face-with-long-teeth", start: 2_000, make: obj_teeth },
    Family {
        name: "obj/a-face-that-crosses-itself",
        start: 2_000,
        make: |n| obj_face(n, |at| [scattered(at), scattered(!at)]),
    },
    Family { name: "obj/a-face-of-petals", start: 3_000, make: obj_petals },
    Family { name: "obj/names", start: 1_000, make: obj_names },
    Family {
        name: "obj/continued-lines",
        start: 2_000,
        make: |n| obj(corners(9) + "f 1 2 3" + &" \\\n 4".repeat(n)),
    },
    Family { name: "obj/unknown-statements", start: 2_000, make: obj_unknown },
    Family {
        name: "obj/ahead",
        start: 2_000,
        make: |n| obj("f 1 2 3\n".repeat(n) + "f 7 8 9\n" + &corners(9)),
    },
    Family { name: "obj/patterns", start: 500, make: obj_patterns },
    Family { name: "gltf/chain-of-nodes", start: 60, make: |n| gltf(&nodes(n, true), 1) },
    Family { name: "gltf/row-of-nodes", start: 1_000, make: |n| gltf(&nodes(n, false), 1) },
    Family { name: "gltf/meshes", start: 1_000, make: |n| gltf(&nodes(1, false), n) },
    Family { name: "gltf/primitives", start: 1_000, make: gltf_primitives },
    Family { name: "gltf/instances", start: 1_000, make: gltf_instances },
    Family { name: "gltf/a-sparse-accessor", start: 1_000, make: gltf_sparse },
    Family { name: "toml/obstacles", start: 500, make: |n| obstacles(OBSTACLE.repeat(n)) },
    Family {
        name: "toml/obstacles-with-problems",
        start: 500,
        make: |n| wrong_obstacles("[[obstacle]]\nkind = \"cone\"\n".repeat(n)),
    },
    Family { name: "toml/chunks", start: 500, make: |n| chunks(CHUNK.repeat(n)) },
    Family { name: "toml/materials-of-a-chunk", start: 2_000, make: chunk_materials },
    Family {
        name: "toml/chunks-with-problems",
        start: 500,
        make: |n| wrong_chunks("[[chunk]]\nfiel = \"a.obj\"\n".repeat(n)),
    },
    Family { name: "obj/in-a-stream", start: 1_000, make: obj_stream },
    Family { name: "geojson/features", start: 500, make: |n| geojson(features(n)) },
    Family { name: "geojson/polygons-of-a-feature", start: 500, make: |n| geojson(multi(n, 8)) },
    Family { name: "geojson/a-long-name", start: 500, make: |n| geojson(multi(n, 20 * n)) },
    Family { name: "geojson/holes", start: 500, make: geojson_holes },
    Family { name: "geojson/areas", start: 60, make: geojson_areas },
    Family { name: "geojson/a-ring", start: 2_000, make: geojson_ring },
    Family { name: "geojson/layers", start: 500, make: geojson_layers },
    Family { name: "geojson/collections-in-each-other", start: 14, make: geojson_nested },
    Family { name: "geojson/refused", start: 500, make: geojson_refused },
    Family {
        name: "corners/rings",
        start: 500,
        make: |n| corners_of("outline\n0 0\n1 0\n0 1\n\n".repeat(n)),
    },
    Family { name: "corners/a-ring", start: 1_000, make: |n| corners_of(" 0 0 1 0 0 1\n".repeat(n)) },
    Family { name: "corners/areas", start: 60, make: corners_areas },
    Family {
        name: "corners/comments",
        start: 1_000,
        make: |n| corners_of("outline\n0 0\n1 0\n0 1\n".to_owned() + &"# (0, 0) // [0, 0]\n \n".repeat(n)),
    },
    Family {
        name: "corners/refused",
        start: 500,
        make: |n| {
            let text = "outline\n0 0\n1 0\n0 1\n\n".repeat(n) + "1 2 3\n";
            refuse(text, |bytes| navinput::read_corners(bytes, &[]))
        },
    },
    Family { name: "toml/off-mesh", start: 500, make: |n| settings(OFF_MESH.repeat(n)) },
    Family { name: "toml/volumes", start: 500, make: |n| settings(VOLUME.repeat(n)) },
    Family { name: "toml/an-outline", start: 500, make: toml_outline },
    Family { name: "toml/agents", start: 100, make: toml_agents },
    Family {
        name: "toml/problems",
        start: 500,
        make: |n| wrong_settings((0..n).map(|at| format!("radiu_{at} = 1\n")).collect()),
    },
    Family {
        name: "toml/unknown-areas",
        start: 200,
        make: |n| wrong_settings(OFF_MESH.replace("ground", "grounds").repeat(n)),
    },
    Family { name: "toml/places", start: 500, make: places },
    Family { name: "gset/rows", start: 1_000, make: |n| gset("c 0 0 0 1 1 1 1 1 5 8\n".repeat(n)) },
    Family {
        name: "gset/problems",
        start: 1_000,
        make: |n| refuse("c 0 0 x\nq 1\n".repeat(n), navinput::read_gset),
    },
];

const OFF_MESH: &str = "[[off_mesh]]\nstart=[0,0,0]\nend=[1,1,1]\nradius=1\narea=\"ground\"\n";
const VOLUME: &str = "[[volume]]\nshape=\"box\"\nmin=[0,0,0]\nmax=[1,1,1]\narea=\"ground\"\n";

/// A text that can be read.
fn read<T: 'static, E: Error + 'static>(text: impl Into<Vec<u8>>, reader: fn(&[u8]) -> Result<T, E>) -> Made {
    let text = text.into();
    let size = text.len();
    let work = move || {
        drop(reader(&text)?);
        Ok(())
    };
    Ok(Member::new(size, work))
}

/// A text that is refused.
fn refuse<T: 'static, E: Error + 'static>(text: String, reader: fn(&[u8]) -> Result<T, E>) -> Made {
    let size = text.len();
    let work = move || match reader(text.as_bytes()) {
        Ok(_) => Err("this should be refused".into()),
        Err(error) => {
            drop(error.to_string());
            Ok(())
        }
    };
    Ok(Member::new(size, work))
}

fn obj(text: String) -> Made {
    read(text, navinput::read_obj)
}

fn geojson(text: String) -> Made {
    read(text, |bytes| navinput::read_geojson(bytes, &[]))
}

fn corners_of(text: String) -> Made {
    read(text, |bytes| navinput::read_corners(bytes, &[]))
}

fn settings(text: String) -> Made {
    read(text, |bytes| navinput::read_settings(&String::from_utf8_lossy(bytes)))
}

fn wrong_settings(text: String) -> Made {
    refuse(text, |bytes| navinput::read_settings(&String::from_utf8_lossy(bytes)))
}

/// Settings, and the place of each field when there are many.
fn places(count: usize) -> Made {
    read(OFF_MESH.repeat(count), |bytes| {
        let file = navinput::read_settings(&String::from_utf8_lossy(bytes))?;
        let count = file.settings.off_mesh_connections.len();
        let places = (0..count).filter_map(|at| file.place_of(&format!("off_mesh[{at}].radius")));
        Ok::<_, navinput::InputError>(places.count())
    })
}

fn gset(rows: String) -> Made {
    read(format!("f a.obj\n{rows}"), navinput::read_gset)
}

/// Corners of a parabola, so that no three are on one line.
fn corners(count: usize) -> String {
    (0..count.max(9)).map(|at| format!("v {at} 0 {}\n", at * at)).collect()
}

fn obj_wide(count: usize) -> Made {
    let mut text = corners(count) + "f";
    for at in 1..=count {
        write!(text, " {at}")?;
    }
    obj(text)
}

/// One face with corners at these places.
fn obj_face(count: usize, place: impl Fn(usize) -> [usize; 2]) -> Made {
    let mut text = String::new();
    for at in 0..count {
        let [x, z] = place(at);
        writeln!(text, "v {x} 0 {z}")?;
    }
    text.push('f');
    for at in 1..=count {
        write!(text, " {at}")?;
    }
    obj(text)
}

/// A comb of slanted teeth, so that the box of each tooth contains parts of all others.
fn obj_teeth(count: usize) -> Made {
    obj_face(count, |at| match at {
        0 => [2 * count, 0],
        _ if at % 2 == 0 => [at, 2 * count],
        _ => [at + count, count + 1],
    })
}

/// Triangles that have their first corner in common.
fn obj_petals(count: usize) -> Made {
    obj_face(count, |at| match at % 3 {
        0 => [0, 0],
        _ => [1_000_000, at],
    })
}

/// A number of up to six digits that looks random.
fn scattered(at: usize) -> usize {
    let mixed = (at as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ mixed >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as usize % 1_000_000
}

fn names(count: usize) -> String {
    let row = |at: usize| format!("o a{at}\ng b{at}\nusemtl c{at}\nf 1 2 3\n");
    corners(9) + &(0..count).map(row).collect::<String>()
}

fn obj_names(count: usize) -> Made {
    read(names(count), |bytes| {
        let level = SourceLevel::from(navinput::read_obj(bytes)?);
        Ok::<_, navinput::InputError>(into_meshes(&level, &[], &InputSettings::default()))
    })
}

/// A file that is read in two passes, whose level is passed on in parts of a few triangles.
fn obj_stream(count: usize) -> Made {
    read(names(count), |bytes| {
        let stream = navinput::ObjStream::vertices(bytes)?;
        stream.faces(bytes, 50, &mut |_| Ok::<_, navinput::StreamError>(()))
    })
}

/// A pattern that matches all names by a star at each letter, and a pattern that matches none.
fn obj_patterns(count: usize) -> Made {
    read(names(count), |bytes| {
        let level = SourceLevel::from(navinput::read_obj(bytes)?);
        for pattern in ["*c*", "*c*d*"] {
            let names = NamePattern::given(NameKind::Material, pattern, "--area-material");
            let mapping = AreaMapping { names, area: recast::AreaId(3) };
            drop(into_meshes(&level, &[mapping], &InputSettings::default()));
        }
        Ok::<_, navinput::InputError>(())
    })
}

fn obj_unknown(count: usize) -> Made {
    obj(corners(9)
        + "f 1 2 3\n"
        + &(0..count).map(|at| format!("curve{at} 1 2\nl 1 2\n")).collect::<String>())
}

/// Nodes in a chain or next to each other, each with the first mesh.
fn nodes(count: usize, chain: bool) -> String {
    let children = |at: usize| {
        if chain { (at + 1..count).take(1) } else { (at + 1..count * usize::from(at == 0)).take(count) }
    };
    let node = |at: usize| {
        let below: Vec<String> = children(at).map(|child| child.to_string()).collect();
        let below =
            if below.is_empty() { String::new() } else { format!(r#","children":[{}]"#, below.join(",")) };
        format!(r#"{{"mesh":0,"name":"n"{below}}}"#)
    };
    (0..count).map(node).collect::<Vec<_>>().join(",")
}

/// A file of nodes and of meshes that share one triangle.
fn gltf(nodes: &str, meshes: usize) -> Made {
    let mesh = |at: usize| format!(r#"{{"name":"m{at}","primitives":[{{"attributes":{{"POSITION":0}}}}]}}"#);
    let meshes: Vec<String> = (0..meshes).map(mesh).collect();
    let uri = "data:application/octet-stream;base64,".to_owned() + &"A".repeat(48);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],"meshes":[{}],
        "buffers":[{{"byteLength":36,"uri":"{uri}"}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}]}}"#,
        meshes.join(",")
    );
    read(text, |bytes| navinput::read_gltf(bytes, &mut |uri| Err(format!("no {uri}"))))
}

/// A binary file of these parts and bytes.
pub(super) fn glb(parts: &str, mut bytes: Vec<u8>) -> Made {
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"buffers":[{{"byteLength":{}}}],{parts}}}"#,
        bytes.len()
    )
    .into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let length = 12 + 8 + json.len() + 8 + bytes.len();
    let word = |value: usize| u32::try_from(value).map(u32::to_le_bytes);
    let mut file = [&b"glTF"[..], &word(2)?, &word(length)?, &word(json.len())?, b"JSON"].concat();
    file.extend(json);
    file.extend([&word(bytes.len())?[..], b"BIN\0"].concat());
    file.extend(bytes);
    read(file, |bytes| navinput::read_gltf(bytes, &mut |uri| Err(format!("no {uri}"))))
}

/// A mesh of many primitives, each with an accessor and a material of its own.
fn gltf_primitives(count: usize) -> Made {
    let each = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let primitives = each(&|at| format!(r#"{{"attributes":{{"POSITION":{at}}},"material":{at}}}"#));
    let materials = each(&|at| format!(r#"{{"name":"m{at}"}}"#));
    let accessors = each(&|_| r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#.to_owned());
    let parts = format!(
        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitives}]}}],"materials":[{materials}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"accessors":[{accessors}]"#
    );
    glb(&parts, vec![0; 36])
}

/// A node of many instances of a triangle.
fn gltf_instances(count: usize) -> Made {
    let bytes = vec![0; 12 * count];
    let parts = format!(
        r#""nodes":[{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":1}}}}}}}}],
        "extensionsUsed":["EXT_mesh_gpu_instancing"],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "bufferViews":[{{"buffer":0,"byteLength":{}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3"}}]"#,
        bytes.len()
    );
    glb(&parts, bytes)
}

/// Positions that are all set one by one.
fn gltf_sparse(count: usize) -> Made {
    let count = count.next_multiple_of(3);
    let (values, indices) = (12 * count, 4 * count);
    let mut bytes = vec![0; values];
    bytes.extend((0..count as u32).flat_map(u32::to_le_bytes));
    let parts = format!(
        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "bufferViews":[{{"buffer":0,"byteLength":{values}}},
        {{"buffer":0,"byteOffset":{values},"byteLength":{indices}}}],
        "accessors":[{{"componentType":5126,"count":{count},"type":"VEC3","sparse":{{"count":{count},
        "indices":{{"bufferView":1,"componentType":5125}},"values":{{"bufferView":0}}}}}}]"#
    );
    glb(&parts, bytes)
}

const OBSTACLE: &str =
    "[[obstacle]]\nkind = \"cylinder\"\nat = [1, 0, 2]\nradius = 0.5\nheight = 1\nblocks = true\n";

fn obstacles(text: String) -> Made {
    read(text, read_obstacles)
}

fn wrong_obstacles(text: String) -> Made {
    refuse(text, read_obstacles)
}

fn read_obstacles(bytes: &[u8]) -> Result<Vec<navlevel::Obstacle>, navinput::InputError> {
    let text = String::from_utf8_lossy(bytes);
    navinput::read_obstacles(&text, &Default::default(), &mut |file| Err(format!("no {file}")))
}

const CHUNK: &str =
    "[[chunk]]\nfile = \"a.obj\"\nat = [5, 0, 0]\nbounds = [[5, 0, 0], [9, 1, 4]]\ntriangles = 7\n";

fn chunks(text: String) -> Made {
    read(text, read_chunks)
}

fn wrong_chunks(text: String) -> Made {
    refuse(text, read_chunks)
}

fn read_chunks(bytes: &[u8]) -> Result<String, navinput::InputError> {
    navinput::read_chunks(&String::from_utf8_lossy(bytes)).map(|chunks| navinput::chunks_toml(&chunks))
}

/// A chunk with many materials.
fn chunk_materials(count: usize) -> Made {
    let names: Vec<String> = (0..count).map(|at| format!("\"m{at}\"")).collect();
    chunks(format!("[[chunk]]\nfile = \"a.obj\"\nmaterials = [{}]\n", names.join(",")))
}

const RING: &str = "[[0,0],[1,0],[0,1],[0,0]]";

fn feature(properties: &str, kind: &str, coordinates: &str) -> String {
    format!(
        r#"{{"type":"Feature","properties":{{{properties}}},"geometry":{{"type":"{kind}","coordinates":{coordinates}}}}}"#
    )
}

fn collection(features: Vec<String>) -> String {
    format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.join(","))
}

fn features(count: usize) -> String {
    collection(
        (0..count)
            .map(|at| feature(&format!(r#""name":"n{at}""#), "Polygon", &format!("[{RING}]")))
            .collect(),
    )
}

fn multi(count: usize, name: usize) -> String {
    let rings = vec![format!("[{RING}]"); count].join(",");
    feature(&format!(r#""name":"{}""#, "n".repeat(name)), "MultiPolygon", &format!("[{rings}]"))
}

fn geojson_holes(count: usize) -> Made {
    geojson(feature("", "Polygon", &format!("[{}]", vec![RING; count + 1].join(","))))
}

/// 200 areas, in turn on many polygons.
fn geojson_areas(count: usize) -> Made {
    let one = |at: usize| feature(&format!(r#""area":"area{}""#, at % 200), "Polygon", &format!("[{RING}]"));
    let ground = feature("", "Polygon", &format!("[{RING}]"));
    geojson(collection(std::iter::once(ground).chain((0..10 * count).map(one)).collect()))
}

fn geojson_ring(count: usize) -> Made {
    let corners: String = (0..count).map(|at| format!("[{at},{}],", at * at)).collect();
    geojson(feature("", "Polygon", &format!("[[{corners}[0,0]]]")))
}

fn geojson_layers(count: usize) -> Made {
    let one = |at: usize| feature(&format!(r#""layer":{at}"#), "Polygon", &format!("[{RING}]"));
    geojson(collection((0..count).map(one).collect()))
}

fn geojson_nested(count: usize) -> Made {
    let inner = format!(r#"{{"type":"Polygon","coordinates":[{RING}]}}"#);
    let around = |inner: String, _| format!(r#"{{"type":"GeometryCollection","geometries":[{inner}]}}"#);
    geojson((0..count).fold(inner, around))
}

/// The last feature is wrong.
fn geojson_refused(count: usize) -> Made {
    let one = |at: usize| {
        feature("", "Polygon", if at < count { "[[[0,0],[1,0],[0,1],[0,0]]]" } else { "[[[0]]]" })
    };
    refuse(collection((0..=count).map(one).collect()), |bytes| navinput::read_geojson(bytes, &[]))
}

fn corners_areas(count: usize) -> Made {
    let one = |at: usize| format!("area a{}\n0 0\n1 0\n0 1\n\n", at % 200);
    corners_of("outline\n0 0\n9 0\n0 9\n\n".to_owned() + &(0..10 * count).map(one).collect::<String>())
}

fn toml_outline(count: usize) -> Made {
    let corners: String = (0..count).map(|at| format!("[{at},{}],", at * at)).collect();
    settings(format!(
        "[[volume]]\nshape=\"prism\"\nbottom=0\ntop=1\narea=\"ground\"\noffset=0.5\noutline=[{corners}]\n"
    ))
}

fn toml_agents(count: usize) -> Made {
    settings((0..count).map(|at| format!("[[agent]]\nname = \"a{at}\"\nradius = 0.5\n")).collect())
}
