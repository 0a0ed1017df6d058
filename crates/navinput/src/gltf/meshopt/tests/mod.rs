//! Tests of the codecs: round trips through encoders of our own, streams and numbers that the reference
//! encoder wrote, and invalid streams.

mod encode;
mod files;

use super::*;
use encode::Choices;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn compressed(codec: Codec, filter: Filter, stride: usize, count: usize, length: usize) -> Compressed {
    let (stride, count, length) = (stride as u64, count as u64, length as u64);
    Compressed { buffer: 0, offset: 0, length, stride, count, codec, filter }
}

fn decoded(codec: Codec, stride: usize, count: usize, stream: &[u8]) -> Result<Vec<u8>, String> {
    let view = compressed(codec, Filter::None, stride, count, stream.len());
    view.decoded(stream).map_err(|problem| problem.to_string())
}

fn bytes_of(indices: &[u32], width: usize) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes()[..width].to_vec()).collect()
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

/// Elements of one of several kinds: noise, slow numbers, mostly zero.
fn elements() -> impl Strategy<Value = (usize, Vec<u8>)> {
    let stride = prop_oneof![4 => 1..6_usize, 1 => 6..65_usize].prop_map(|words| 4 * words);
    (stride, 0..700_usize, 0..3_u8, any::<u64>()).prop_map(|(stride, count, kind, seed)| {
        let count = if stride > 24 { count / 4 } else { count };
        let mut state = seed | 1;
        let mut noise = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u32
        };
        let mut bytes = Vec::with_capacity(stride * count);
        for index in 0..count * stride / 4 {
            let number = match kind {
                0 => noise(),
                1 => index as u32 * 3 + noise() % 9,
                _ if noise() % 20 == 0 => noise() % 300,
                _ => 0,
            };
            bytes.extend(number.to_le_bytes());
        }
        (stride, bytes)
    })
}

/// Corners of triangles: a grid's, shuffled ones, or several grids that begin at 0 again.
fn corners() -> impl Strategy<Value = Vec<u32>> {
    let grid = |wide: u32, high: u32| {
        (0..wide * high)
            .flat_map(|square| {
                let at = square / wide * (wide + 1) + square % wide;
                [at, at + wide + 1, at + wide + 2, at, at + wide + 2, at + 1]
            })
            .collect::<Vec<u32>>()
    };
    let grids = (1..12_u32, 1..12_u32, 1..3_usize).prop_map(move |(w, h, n)| grid(w, h).repeat(n));
    let any = (1..70_000_u32, 0..60_usize)
        .prop_flat_map(|(most, count)| proptest::collection::vec(0..most, 3 * count));
    prop_oneof![grids, any]
}

proptest! {
    #[test]
    fn attributes_come_back((stride, bytes) in elements(), version in 0..2_u8, numbers: [u8; 31]) {
        let stream = encode::attributes(&bytes, stride, version, &mut Choices::new(&numbers));
        let count = bytes.len() / stride;
        prop_assert_eq!(decoded(Codec::Attributes, stride, count, &stream), Ok(bytes));
        // Missing and extra bytes are both refused.
        let shorter = decoded(Codec::Attributes, stride, count, &stream[..stream.len() - 1]);
        let longer = decoded(Codec::Attributes, stride, count, &[&stream[..], &[0]].concat());
        prop_assert!(longer.is_err());
        prop_assert!(shorter.is_err());
    }

    #[test]
    fn triangles_come_back(corners in corners(), numbers: [u8; 31], wide: bool) {
        let (stream, written) = encode::triangles(&corners, &mut Choices::new(&numbers));
        let width = if wide { 4 } else { 2 };
        let back = decoded(Codec::Triangles, width, corners.len(), &stream);
        if width == 2 && corners.iter().any(|&corner| corner > 0xFFFF) {
            prop_assert!(back.unwrap_err().contains("16 bits"));
        } else {
            prop_assert_eq!(back, Ok(bytes_of(&written, width)));
            // The same triangles, each starting at some corner.
            for (was, is) in corners.chunks(3).zip(written.chunks(3)) {
                prop_assert!((0..3).any(|turn| (0..3).all(|at| was[(at + turn) % 3] == is[at])));
            }
        }
        let lost = decoded(Codec::Triangles, 4, corners.len() + 3, &stream);
        prop_assert!(lost.is_err(), "a triangle more than there is");
    }

    #[test]
    fn sequences_come_back(indices in proptest::collection::vec(0..1_u32 << 29, 0..200), numbers: [u8; 31]) {
        let stream = encode::sequence(&indices, &mut Choices::new(&numbers));
        prop_assert_eq!(decoded(Codec::Indices, 4, indices.len(), &stream), Ok(bytes_of(&indices, 4)));
        prop_assert!(decoded(Codec::Indices, 4, indices.len() + 1, &stream).is_err());
        if !indices.is_empty() {
            prop_assert!(decoded(Codec::Indices, 4, indices.len() - 1, &stream).is_err());
        }
    }

    #[test]
    fn no_stream_makes_it_panic(
        mut stream in proptest::collection::vec(any::<u8>(), 0..300),
        header in proptest::sample::select(vec![0xA0_u8, 0xA1, 0xE1, 0xD1]),
        codec in 0..3_u8,
        words in 1..65_usize,
        count in 0..100_usize,
    ) {
        if let Some(first) = stream.first_mut() {
            *first = header;
        }
        let (codec, stride) = match codec {
            0 => (Codec::Attributes, 4 * words),
            1 => (Codec::Triangles, 4),
            _ => (Codec::Indices, 2),
        };
        if let Ok(bytes) = decoded(codec, stride, count, &stream) {
            prop_assert_eq!(bytes.len(), count / if codec == Codec::Triangles { 3 } else { 1 }
                * stride * if codec == Codec::Triangles { 3 } else { 1 });
        }
    }

    #[test]
    fn damaged_streams_are_refused_or_decoded(
        (stride, bytes) in elements(), version in 0..2_u8, numbers: [u8; 31], at: usize, change: u8,
    ) {
        let mut stream = encode::attributes(&bytes, stride, version, &mut Choices::new(&numbers));
        let at = at % stream.len();
        stream[at] ^= change;
        if let Ok(back) = decoded(Codec::Attributes, stride, bytes.len() / stride, &stream) {
            prop_assert_eq!(back.len(), bytes.len());
        }
    }

    #[test]
    fn filters_take_any_bytes(mut bytes in proptest::collection::vec(any::<u8>(), 8..80)) {
        bytes.truncate(bytes.len() / 8 * 8);
        let length = bytes.len();
        for (filter, stride) in [
            (Filter::None, 8), (Filter::Octahedral, 4), (Filter::Octahedral, 8),
            (Filter::Quaternion, 8), (Filter::Exponential, 4), (Filter::Exponential, 8),
        ] {
            let mut bytes = bytes.clone();
            filter.apply(&mut bytes, stride);
            prop_assert_eq!(bytes.len(), length);
        }
    }
}

/// The round trips cover every encoding of a triangle: all of them occur.
#[test]
fn every_byte_of_a_triangle_is_written() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 400, failure_persistence: None, ..Config::default() },
        TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
    );
    let kinds = std::cell::RefCell::new(std::collections::BTreeSet::new());
    runner
        .run(&(corners(), any::<[u8; 31]>()), |(corners, numbers)| {
            let (stream, _) = encode::triangles(&corners, &mut Choices::new(&numbers));
            for &code in &stream[1..=corners.len() / 3] {
                kinds.borrow_mut().insert(match (code >> 4, code & 0xF) {
                    (0xF, 0..=0xD) => "table",
                    (0xF, 0xE) => "fresh, written",
                    (0xF, _) => "written",
                    (_, 0) => "edge, fresh",
                    (_, 1..=0xC) => "edge, recent",
                    (_, 0xD) => "edge, one below",
                    (_, 0xE) => "edge, one above",
                    _ => "edge, written",
                });
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(kinds.borrow().len(), 8, "{:?}", kinds.borrow());
}

/// A grid of five by five vertices: 16-bit x, y, z and nothing.
fn grid_of_shorts() -> Vec<u8> {
    let vertex = |index: u16| [index % 5 * 100, index * index % 7, index / 5 * 300, 0];
    (0..25).flat_map(vertex).flat_map(u16::to_le_bytes).collect()
}

fn grid_of_floats() -> Vec<u8> {
    let vertex =
        |index: u16| [f32::from(index % 5), f32::from(index * index % 7) * 0.125, f32::from(index / 5) * 3.0];
    (0..25).flat_map(vertex).flat_map(f32::to_le_bytes).collect()
}

fn grid_of_indices() -> Vec<u32> {
    let square = |square: u32| {
        let at = square / 4 * 5 + square % 4;
        [at, at + 5, at + 6, at, at + 6, at + 1]
    };
    (0..16).flat_map(square).collect()
}

/// Written by meshoptimizer 1.3's encoder.
#[test]
fn streams_of_the_reference_encoder_are_read() {
    let version_0 = hex(
        "a00700c8c8c8c8e0c8c8c8c8e0c8c8c8c8e0ffffc000c8c8c8c8e0c8c8c8c80502108421084200000a0263045126304512630451263\
         0000000000500300c0358585800c000005805002008020080000000000000000000000000000000000000000000000000000000000000\
         000000000000",
    );
    assert_eq!(decoded(Codec::Attributes, 8, 25, &version_0), Ok(grid_of_shorts()));
    let version_1 = hex(
        "a1978600c8c8c8c8e0c8c8c8c8e0c8c8c8c8e0c8c8c8c8e0c8c8c8c80502108421084200000a0263045126304512630451263000000\
         00020844bdd771000cd04100001000000000000000000000000000000000000000000000062",
    );
    assert_eq!(decoded(Codec::Attributes, 8, 25, &version_1), Ok(grid_of_shorts()));
    let rotated = hex(
        "a1695a1a050411044110440000053def7bdefefe03fefe03fefe03f7bdc000fefe03fefe03002814ffffffff0a01ffffff053927e49\
         f7c7b7c7b7c927e40007b7c00208080a01000600120048001000000000000000000000000000000000000000000220001",
    );
    assert_eq!(decoded(Codec::Attributes, 12, 25, &rotated), Ok(grid_of_floats()));
    let triangles = hex(
        "e1fe001e001e001e00fe0a1e091e081e07ff061e061e061e06ff061e061e061e06ff0a02ff0202ff070a02ff070a020076875667\
         78a9866589689801690000",
    );
    let back = decoded(Codec::Triangles, 2, 96, &triangles).unwrap();
    let back: Vec<u32> = back.chunks(2).map(|pair| u32::from(pair[0]) | u32::from(pair[1]) << 8).collect();
    for (was, is) in grid_of_indices().chunks(3).zip(back.chunks(3)) {
        assert!((0..3).any(|turn| (0..3).all(|at| was[(at + turn) % 3] == is[at])), "{was:?} {is:?}");
    }
    let indices = hex(
        "d100140416181200140416181200140416181200140416181204140416181200140416181200140416181200140416181204140416\
         181200140416181200140416181200140416181204140416181200140416181200140416181200140416181200000000",
    );
    assert_eq!(decoded(Codec::Indices, 2, 96, &indices), Ok(bytes_of(&grid_of_indices(), 2)));
}

/// Written and decoded again by meshoptimizer 1.3; readers may differ by one in the last place.
#[test]
fn filters_of_the_reference_encoder_are_undone() {
    let filtered = |filter, stride, count, stream: &str| {
        let stream = hex(stream);
        compressed(Codec::Attributes, filter, stride, count, stream.len()).decoded(&stream).unwrap()
    };
    let shorts = |bytes: Vec<u8>| -> Vec<i32> {
        bytes.chunks(2).map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]]))).collect()
    };
    let near = |found: Vec<i32>, expected: &[i32]| {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1), "{found:?} {expected:?}");
    };
    let exponential = filtered(
        Filter::Exponential,
        12,
        25,
        "a000052abaaeab070707aaea8000070000000a0263045126304512630451263000000000000500300c03ffffff00c00000ff0500200\
         c020400c000000400000000000000000000000000000000000000000000000000f8000000f5000000f9",
    );
    assert_eq!(exponential, grid_of_floats());
    let quaternions = filtered(
        Filter::Quaternion,
        8,
        4,
        "a0013f000000fbfc33013f000000b4b325013f000000fbfe92013e000000b44c013f000000fbfc33013f000000b4b32501320000000\
         500000000000000000000000000000000000000000000000000000000000000ff7f",
    );
    let expected =
        [0, 0, 0, 32767, 16383, 16384, 16384, 16384, 23170, 0, -23170, 0, -3277, 22937, -3277, -22937];
    near(shorts(quaternions), &expected);
    let narrow = filtered(
        Filter::Octahedral,
        4,
        4,
        "a0010f000000fe49013f000000fd6f3400013f000000fd807e0000000000000000000000000000000000000000000000000000000000\
         007f7f",
    );
    let narrow = narrow.into_iter().map(|byte| i32::from(byte as i8)).collect();
    near(narrow, &[0, 0, 127, 127, 0, -127, 0, 0, 76, 0, -102, 64, 46, 61, -102, 127]);
    let wide = filtered(
        Filter::Octahedral,
        8,
        4,
        "a00107000000eb010f000000fe49012f000000467b013f000000ff6d3400000121000000013f000000fd807e000000000000000000000\
         00000000000000000000000000000000000ff7fff7f",
    );
    let expected =
        [0, 0, 32767, 32767, 0, -32767, 0, 0, 19660, 0, -26214, 16384, 11797, 15728, -26214, 32767];
    near(shorts(wide), &expected);
}

/// The example of the specification.
#[test]
fn the_example_of_a_group_is_read() {
    let group = [0x17, 0x5F, 0xF0, 0xBC, 0x77, 0xA9, 0x21, 0x00, 0x34, 0xB5];
    let mut stream = vec![0xA0, 0b10];
    stream.extend(group);
    stream.extend([0; 3 + 32]);
    let values = decoded(Codec::Attributes, 4, 16, &stream).unwrap();
    let mut last = 0;
    let differences: Vec<i8> = values
        .chunks(4)
        .map(|element| element[0].wrapping_sub(std::mem::replace(&mut last, element[0])) as i8)
        .collect();
    assert_eq!(differences, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
}

#[test]
fn counts_that_lie_cost_nothing() {
    let lies = [
        (Codec::Attributes, 256, vec![0xA0; 300]),
        (Codec::Attributes, 4, vec![0xA1; 300]),
        (Codec::Triangles, 4, vec![0xE1; 300]),
        (Codec::Indices, 4, vec![0xD1; 300]),
    ];
    for (codec, stride, stream) in lies {
        for count in [u64::MAX / 3 * 3, u64::MAX / 256 / 3 * 3, 3_000_000_000, 300_000] {
            let view = Compressed { count, ..compressed(codec, Filter::None, stride, 0, stream.len()) };
            let message = view.decoded(&stream).unwrap_err().to_string();
            assert!(message.contains("has 300 bytes, and"), "{message}");
        }
    }
}

#[test]
fn damage_is_named() {
    let refuse = |codec, count, stream: &[u8], what: &str| {
        let message = decoded(codec, 4, count, stream).unwrap_err();
        assert!(message.contains(what), "{message}");
    };
    let tail = [0; 32];
    refuse(Codec::Attributes, 0, &[], "is empty");
    refuse(Codec::Attributes, 0, &[&[0xA2][..], &tail].concat(), "begins with the byte 0xa2");
    refuse(Codec::Triangles, 0, &[&[0xE0][..], &tail].concat(), "begins with the byte 0xe0");
    refuse(Codec::Indices, 0, &[&[0xD0][..], &tail].concat(), "begins with the byte 0xd0");
    refuse(Codec::Attributes, 0, &[&[0xA0, 9][..], &tail].concat(), "1 bytes that no element uses");
    refuse(Codec::Attributes, 16, &[&[0xA0, 3, 3, 3, 3][..], &tail].concat(), "ends too early");
    let mut channel = [0; 25];
    (channel[0], channel[24]) = (0xA1, 3);
    refuse(Codec::Attributes, 0, &channel, "a channel of the unknown kind 3");
    channel[24] = 0x11;
    refuse(Codec::Attributes, 0, &channel, "a channel of the unknown kind 17");
    let triangle = |code: &[u8], table: [u8; 16]| [&[0xE1][..], code, &table].concat();
    refuse(Codec::Triangles, 3, &triangle(&[0x00], [0; 16]), "before the first one");
    refuse(Codec::Triangles, 3, &triangle(&[0xF0], [0x10; 16]), "an invalid table");
    refuse(
        Codec::Triangles,
        3,
        &triangle(&[0xF0], [0xF0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        "an invalid table",
    );
    refuse(Codec::Triangles, 3, &triangle(&[0xFF], [0; 16]), "ends too early");
    refuse(
        Codec::Triangles,
        3,
        &triangle(&[0xFF, 0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 1], [0; 16]),
        "five bytes",
    );
    refuse(Codec::Triangles, 3, &triangle(&[0xF0, 7], [0; 16]), "no element uses");
    refuse(Codec::Indices, 1, &[0xD1, 0x80, 0, 0, 0, 0], "ends too early");
}

#[test]
fn elements_have_the_widths_that_their_codec_and_filter_allow() {
    let widths = |mode: &str, filter: &str| {
        let is_taken = |stride: &u64| {
            let length = 12 * stride;
            let view = format!(
                r#"{{"buffer":0,"byteLength":{length},"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteLength":9,"byteStride":{stride},"count":12,"mode":"{mode}","filter":"{filter}"}}}}}}"#
            );
            let file = format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[],"bufferViews":[{view}]}}"#);
            let root = ::gltf::json::Root::from_slice(file.as_bytes()).unwrap();
            Compressed::of(&root.buffer_views[0]).unwrap().1.is_ok()
        };
        (0..300).filter(is_taken).collect::<Vec<u64>>()
    };
    let multiples: Vec<u64> = (1..=64).map(|word| 4 * word).collect();
    assert_eq!(widths("ATTRIBUTES", "NONE"), multiples);
    assert_eq!(widths("ATTRIBUTES", "EXPONENTIAL"), multiples);
    assert_eq!(widths("ATTRIBUTES", "OCTAHEDRAL"), [4, 8]);
    assert_eq!(widths("ATTRIBUTES", "QUATERNION"), [8]);
    assert_eq!(widths("TRIANGLES", "NONE"), [2, 4]);
    assert_eq!(widths("INDICES", "NONE"), [2, 4]);
    assert_eq!(widths("INDICES", "EXPONENTIAL"), [0; 0]);
}

#[test]
fn quaternions_have_one_scale_whichever_part_is_left_out() {
    // The last number is the scale; its lowest two bits are the index of the part. Two parts have half of the
    // square each.
    for missing in 0..4_i16 {
        let mut bytes: Vec<u8> = [7, 0, 0, 4 | missing].iter().flat_map(|part| part.to_le_bytes()).collect();
        Filter::Quaternion.apply(&mut bytes, 8);
        let parts: Vec<i16> = bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        let mut expected = [0; 4];
        (expected[missing as usize], expected[(missing as usize + 1) % 4]) = (23_170, 23_170);
        assert_eq!(parts, expected, "{missing}");
    }
}

#[test]
fn sequences_hold_what_their_width_holds_and_no_less_than_their_ends() {
    let mut choices = Choices::new(&[0]);
    for (index, width, is_taken) in [(65_535, 2, true), (65_536, 2, false), (65_536, 4, true)] {
        let stream = encode::sequence(&[index], &mut choices);
        assert_eq!(decoded(Codec::Indices, width, 1, &stream).is_ok(), is_taken, "{index} in {width} bytes");
    }
    assert!(decoded(Codec::Indices, 4, 0, &[0xD1, 0, 0, 0, 0]).is_ok());
    assert!(decoded(Codec::Indices, 4, 0, &[0xD1, 0, 0, 0]).is_err());
}
