//! Filters: converts attributes from the form used for compression back to the form that an accessor reads.
//! In place.

use std::f32::consts::FRAC_1_SQRT_2;

/// The change to the elements of a view before they were compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filter {
    None,
    /// Unit vectors on an octahedron: four numbers of 8 or 16 bits.
    Octahedral,
    /// Unit quaternions without their largest part: four numbers of 16 bits.
    Quaternion,
    /// Numbers of 32 bits: a power of two of 8 bits, times 24 bits.
    Exponential,
}

impl Filter {
    /// Undoes the filter of elements whose stride fits it.
    pub(super) fn apply(self, bytes: &mut [u8], stride: usize) {
        match self {
            Filter::None => {}
            Filter::Octahedral if stride == 4 => {
                for element in bytes.as_chunks_mut::<4>().0 {
                    let unfolded = octahedral(element.map(|byte| f32::from(byte as i8)), 127.0);
                    for (byte, value) in element.iter_mut().zip(unfolded) {
                        *byte = value as i8 as u8;
                    }
                }
            }
            Filter::Octahedral => each_of_shorts(bytes, |parts| {
                let [x, y, z] = octahedral(parts.map(f32::from), 32_767.0).map(|value| value as i16);
                [x, y, z, parts[3]]
            }),
            Filter::Quaternion => each_of_shorts(bytes, quaternion),
            Filter::Exponential => {
                for number in bytes.as_chunks_mut::<4>().0 {
                    *number = exponential(i32::from_le_bytes(*number)).to_le_bytes();
                }
            }
        }
    }
}

fn each_of_shorts(bytes: &mut [u8], change: impl Fn([i16; 4]) -> [i16; 4]) {
    for element in bytes.as_chunks_mut::<8>().0 {
        let short = |at: usize| i16::from_le_bytes([element[2 * at], element[2 * at + 1]]);
        let changed = change([short(0), short(1), short(2), short(3)]);
        for (pair, value) in element.as_chunks_mut::<2>().0.iter_mut().zip(changed) {
            *pair = value.to_le_bytes();
        }
    }
}

/// The unit vector, times `most`, of two coordinates on an octahedron whose corner is at the third number.
/// The fourth number stays unchanged.
fn octahedral([x, y, one, _]: [f32; 4], most: f32) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower half is folded outwards over the edges of the upper one.
    let fold = (-z).max(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|part| (part / length * most).round())
}

/// Decodes a quaternion from three parts and a last number, which holds the value of one on their scale and
/// the index of the part that is left out.
fn quaternion([x, y, z, one]: [i16; 4]) -> [i16; 4] {
    let scale = FRAC_1_SQRT_2 / f32::from(one | 3);
    let [x, y, z] = [x, y, z].map(|part| f32::from(part) * scale);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let missing = (one & 3) as usize;
    let mut parts = [0; 4];
    for (step, part) in [largest, x, y, z].into_iter().enumerate() {
        parts[(missing + step) % 4] = (part * 32_767.0).round() as i16;
    }
    parts
}

/// The number of a power of two in the upper 8 bits and a factor in the lower 24, both signed.
fn exponential(bits: i32) -> f32 {
    let (power, factor) = (bits >> 24, bits << 8 >> 8);
    // Exact in 64 bits for any power of 8 bits. If it is too large for 32 bits it becomes infinite, which
    // readers refuse.
    (f64::from(factor) * f64::from_bits(((1023 + power) as u64) << 52)) as f32
}
