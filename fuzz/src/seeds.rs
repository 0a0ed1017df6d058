//! The files of the corpora: small ones of every kind, and scripts that lead into every change.

use crate::base;
use ::detour::Vec3;
use crowd::HoldUpCause;
use crowdlab::recording::{Change, Doing, Held, Pose, RecordedBody, Recorder, RecordingHeader};
use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use navinterop::{ByteOrder, Encoding, RefWidth, detour, export, mmaps, mset};
use navmath::SplitMix64;
use navtile::graph::{Anchor, TileNode};
use navtile::{IslandGraph, Tile};

/// The level and the settings that the repository ships, and one of everything that glTF and geometry sets
/// have.
const SETTINGS: &str = include_str!("../../assets/courtyard.toml");

const OBJ: &str = "# two floors and a ramp\no level\nv 0 0 0\nv 8 0 0\nv 8 0 8\nv 0 0 8\nv 8 1.5 12 # up\n\
v 0 1.5 12\ng ground\nusemtl stone\nf 4 3 2 1\ng ramp\nusemtl wood\nf -6/1/1 -1//2 -2 \\\n -4\nl 1 2\n";

const GSET: &str = "f level.obj\ns 0.3 0.2 2 0.6 0.9 45 8 20 12 1.3 6 6 1 1 -10 -1 -20 10 5 20 0\n\
c 1.5 2 3 -4 5 6 0.6 1 5 8\nv 3 1 -0.5 2\n0 1 0\n4 1 0\n2 1 3\n";

const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"root",
"children":[1],"scale":[2,1,2]},{"name":"floor","mesh":0,"rotation":[0,0,0,1],"translation":[1,0,0]}],
"meshes":[{"name":"plane","primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0,"mode":4}]}],
"materials":[{"name":"stone"}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3",
"min":[0,0,0],"max":[4,0,4]},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"buffers":[{"byteLength":60,"uri":"data:application/octet-stream;base64,BUFFER"}]}"#;

const DRACO: &str = include_str!("../../crates/navinput/tests/it/draco.txt");

const GEOJSON: &str = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"yard"},
"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,20],[0,20],[0,0]],[[5,5],[5,8],[8,8],[8,5],[5,5]]]}},
{"type":"Feature","properties":{"obstacle":true,"layer":0},"geometry":{"type":"Polygon","coordinates":
[[[9,9],[12,9],[12,12],[9,9]]]}},{"type":"Feature","properties":{"area":"water","cost":3.5},"geometry":
{"type":"MultiPolygon","coordinates":[[[[14,1],[19,1],[19,6],[14,1]]],[[[1,14],[6,14],[1,19],[1,14]]]]}}]}"#;

const CORNERS: &str = "0 0\n20 0; 20, 20\nVec2(0, 20) # corner\n\n5 5\n5 8\n8 8\n8 5\n\nobstacle\n9 9\n12 9\n12 12\n\n\
area water 3.5\n14 1\n19 1\n19 6\n\noutline\n30 0\n34 0\n34 4\n";

/// The seeds of a target: a name for each, and its bytes.
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    let named = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
    match target {
        "tile_bytes" => vec![named("drawn", base::all()[0].tiles[0].bytes())],
        "tile_mutations" | "tile_round_trip" | "file_mutations" => scripts(),
        "tile_rules" | "graph_mutations" | "store_edits" | "planar" | "crowd" | "c_calls" => rolls(),
        "file_bytes" => vec![named("drawn", &base::all()[0].file), named("storeys", &base::all()[2].file)],
        "graph_bytes" => {
            vec![
                named("storeys", &graph(3)),
                named("spiral", &graph(4)),
                named("connections", &connections()),
            ]
        }
        "hierarchy" => vec![named("spiral", &crate::targets::hierarchies::seed())],
        "crowd_toml" => {
            navscenes::crowds::all().iter().map(|scene| named(scene.name, scene.crowd.as_bytes())).collect()
        }
        "recording" => vec![named("two", &two_recorded())],
        "state_bytes" => vec![("two_rows".to_owned(), state())],
        "detour_import" => foreign(),
        "layers" => layers(),
        "shard" => vec![named("four_tiles", &crate::targets::shards::SHARD)],
        "obstacles" => rolls(),
        "obstacles_toml" => vec![named("box", OBSTACLES.as_bytes()), named("chunks", CHUNKS.as_bytes())],
        "obj" => vec![named("ramp", OBJ.as_bytes())],
        "gltf" => gltf(),
        "draco" => draco(),
        "gset" => vec![named("all_rows", GSET.as_bytes())],
        "geojson" => vec![named("yard", GEOJSON.as_bytes())],
        "corners" => vec![named("yard", CORNERS.as_bytes())],
        "settings_toml" => {
            vec![
                named("courtyard", SETTINGS.as_bytes()),
                named("default", navinput::default_toml().as_bytes()),
            ]
        }
        _ => Vec::new(),
    }
}

/// A recording of two agents and a door, some frames long.
fn two_recorded() -> Vec<u8> {
    let header = RecordingHeader {
        rate: 60.0,
        every: 6,
        quantum: 1.0 / 256.0,
        bodies: vec![RecordedBody { radius: 0.25, height: 1.75 }; 2],
        cohorts: vec![("two".to_owned(), 2)],
        doors: vec![[[0.0; 3], [1.0; 3]]],
        ..RecordingHeader::default()
    };
    let mut recorder = Recorder::new(Vec::new(), &header).expect("a list takes all bytes");
    for number in 0..70 {
        let held = (number % 9 == 4).then_some(Held { cause: HoldUpCause::RightOfWay, by: Some(1) });
        let walks = Pose { position: Vec3::X * number as f32, heading: 64, doing: Doing::Walking, held };
        recorder.changed(if number == 3 { &[Change::DoorShut(0)] } else { &[] });
        recorder.frame(number * 6, [walks, Pose::default()]).expect("a list takes all bytes");
    }
    recorder.finish().expect("a list takes all bytes")
}

/// Rolls of dice, few and many.
fn rolls() -> Vec<(String, Vec<u8>)> {
    let bytes = |number: u64| {
        let mut random = SplitMix64::new(number);
        (0..4u64 << number).map(|_| random.next_u64() as u8).collect()
    };
    (0..6).map(|number| (format!("rolls_{number}"), bytes(number))).collect()
}

/// Scripts of random decisions, a few for each set of tiles.
fn scripts() -> Vec<(String, Vec<u8>)> {
    (0..12)
        .map(|number| {
            let mut random = SplitMix64::new(number);
            let mut script = vec![number as u8 % 5, random.next_u64() as u8, 1 + number as u8 / 3];
            script.extend((0..24 + 8 * number).map(|_| random.next_u64() as u8));
            (format!("script_{number:02}"), script)
        })
        .collect()
}

fn graph(base: usize) -> Vec<u8> {
    let file = navtile::NavFile::open(&base::all()[base].file).expect("the file is sound");
    file.graph().expect("it has a graph").expect("the graph is sound").encode()
}

/// Tiles with ends of off-mesh connections: one way and both, several starts, and an end that is missing.
fn connections() -> Vec<u8> {
    let anchor = |connection: u64, end: u8| {
        let both_ways = (connection % 2) as u8;
        Anchor { connection, island: 0, end, both_ways, reserved: 0 }
    };
    let node = |(index, tile): (usize, &Tile)| {
        let ends = (0..4).map(|number| anchor(number, (number as usize + index) as u8 % 2)).collect();
        TileNode::new(tile, [9; 16], vec![40; 4], ends)
    };
    IslandGraph::new(base::all()[1].tiles.iter().enumerate().map(node).collect()).encode()
}

fn state() -> Vec<u8> {
    let tile = &base::all()[0].tiles[0];
    let mut mesh = crate::questions::mesh_of([tile]).expect("the tile is sound");
    let polygons: Vec<_> = mesh.polygons().take(2).collect();
    for polygon in polygons {
        mesh.set_flags(polygon, 77).expect("it is there");
        mesh.set_area(polygon, 9).expect("it is there");
    }
    let stored = mesh.store_state(tile.coord()).expect("the tile is there");
    // The target adds the digest itself.
    let mut bytes = vec![1];
    bytes.extend(&stored[..stored.len() - 16]);
    bytes
}

fn foreign() -> Vec<(String, Vec<u8>)> {
    // Detour's links reach to the next tile at most.
    let mut content = base::drawn(0, 0);
    content.off_mesh_links.truncate(1);
    let tiles = [base::written(&content)];
    let exported = |width| export(&tiles, width).expect("the drawn tile fits");
    let mut seeds = Vec::new();
    for (name, order, width) in [
        ("little_32", ByteOrder::Little, RefWidth::Bits32),
        ("big_32", ByteOrder::Big, RefWidth::Bits32),
        ("little_64", ByteOrder::Little, RefWidth::Bits64),
    ] {
        let mut set = exported(width).set;
        set.encoding = Encoding { order, width };
        let tile = detour::write(&set.tiles[0].tile, set.encoding).expect("it fits");
        seeds.push((format!("tile_{name}"), tile));
        seeds.push((format!("set_{name}"), mset::write(&set).expect("it fits")));
    }
    let set = exported(RefWidth::Bits32).set;
    seeds.push(("map".to_owned(), mmaps::write_params(&set.params, ByteOrder::Little)));
    seeds
}

/// Caches of a few cells, and rolls of dice that draw others.
fn layers() -> Vec<(String, Vec<u8>)> {
    let mut seeds = rolls();
    for (name, order) in [("little", ByteOrder::Little), ("big", ByteOrder::Big)] {
        let layer = |x: u8| {
            let header = LayerHeader {
                x: x.into(),
                bounds_min: [f32::from(x) * 2.0, 0.0, 0.0],
                width: 8,
                height: 8,
                ..LayerHeader::default()
            };
            let beyond =
                |column: u8| if x == 0 { u8::from(column == 7) << 6 } else { u8::from(column == 0) << 4 };
            let steps = (0..64u8).map(|cell| {
                let (column, row) = (cell % 8, cell / 8);
                let within = u8::from(column > 0)
                    | u8::from(row < 7) << 1
                    | u8::from(column < 7) << 2
                    | u8::from(row > 0) << 3;
                within | beyond(column)
            });
            let cells =
                LayerCells { heights: vec![x; 64], areas: vec![63; 64], connections: steps.collect() };
            let layer = StoredLayer::new(header, &cells).expect("three lists of its cells");
            CachedLayer { layer_ref: 1 + u32::from(x), layer }
        };
        let cache_params = CacheParams {
            cell_size: 0.25,
            cell_height: 0.25,
            width: 8,
            height: 8,
            walkable_height: 2.0,
            walkable_climb: 0.5,
            max_simplification_error: 1.3,
            ..CacheParams::default()
        };
        let set = LayerSet { order, cache_params, layers: vec![layer(0), layer(1)], ..LayerSet::default() };
        seeds.push((name.to_owned(), tset::write(&set).expect("it fits")));
    }
    seeds
}

/// A list of obstacles.
const OBSTACLES: &str = "[[obstacle]]\nkind = \"box\"\nat = [1, 0, 2]\nsize = [1, 2.5, 1]\nyaw = 30\nsolid = true\narea = \"mud\"\n\n\
[[obstacle]]\nkind = \"hull\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\nremoves = true\n";

/// A list of chunks.
const CHUNKS: &str = "[[chunk]]\nfile = \"a.obj\"\nat = [5, 0, 1.5]\nyaw = 90\nscale = 2\nbounds = [[0, 0, 0], [1, 2, 3]]\n\
triangles = 12\nmaterials = [\"mud\"]\n\n[[chunk]]\nfile = \"b.glb\"\ntransform = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 9]]\n";

/// Streams of the reference encoder, with the identifier of their positions.
fn draco() -> Vec<(String, Vec<u8>)> {
    let stream = |line: &str| {
        let mut words = line.split(' ');
        let (name, id) = (words.next()?, words.next()?);
        let hex = words.nth(2)?;
        let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        let stream: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        Some((name.to_owned(), [vec![id.parse().ok()?], stream?].concat()))
    };
    DRACO.lines().filter_map(stream).collect()
}

fn gltf() -> Vec<(String, Vec<u8>)> {
    let mut buffer = Vec::new();
    for value in [0.0f32, 0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 0.0, 4.0, 0.0, 0.0, 4.0] {
        buffer.extend(value.to_le_bytes());
    }
    for index in [0u16, 3, 2, 0, 2, 1] {
        buffer.extend(index.to_le_bytes());
    }
    let text = GLTF.replace('\n', "");
    let json = text.replace("BUFFER", &base64(&buffer));
    let inner = text.replace(r#","uri":"data:application/octet-stream;base64,BUFFER""#, "");
    vec![
        ("plane_json".to_owned(), json.into_bytes()),
        ("plane_glb".to_owned(), glb(inner.as_bytes(), &buffer)),
    ]
}

/// A GLB of a JSON and a binary chunk.
fn glb(json: &[u8], buffer: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let total = 12 + 8 + json.len() + 8 + buffer.len();
    let mut bytes = Vec::with_capacity(total);
    let word = |bytes: &mut Vec<u8>, value: u32| bytes.extend(value.to_le_bytes());
    for value in [0x4654_6C67, 2, total as u32, json.len() as u32, 0x4E4F_534A] {
        word(&mut bytes, value);
    }
    bytes.extend(&json);
    word(&mut bytes, buffer.len() as u32);
    word(&mut bytes, 0x004E_4942);
    bytes.extend(buffer);
    bytes
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let value =
            chunk.iter().fold(0u32, |value, byte| value << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let used = digit <= chunk.len();
            text.push(if used { DIGITS[(value >> (18 - 6 * digit)) as usize & 63] as char } else { '=' });
        }
    }
    text
}
