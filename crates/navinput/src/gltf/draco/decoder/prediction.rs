//! Values from their predictions and corrections.
//!
//! A value is predicted from earlier values: from the last one, as the fourth corner of a parallelogram over
//! an edge of a triangle whose vertices are known, or as the mean of several such corners. Bits select the
//! corners that the mean leaves out. Sums wrap around within the range of all values.
//! Source: Draco bitstream specification 2.2, prediction schemes; Costa Touma, Craig Gotsman, "Triangle mesh
//! compression" (1998) for parallelograms.

use super::bytes::{Budget, Cursor, Fault, fault};
use super::corners::{CornerTable, NONE, next, previous};
use super::entropy::CodedBits;
use super::traversal::Order;

/// The most parallelograms at one vertex.
const PARALLELOGRAMS: usize = 4;

/// A prediction, with its data.
pub(super) enum Prediction {
    None,
    Difference,
    Parallelogram,
    /// For each number of parallelograms and each place, true if it is left out of the mean; the last place
    /// first.
    Parallelograms([Vec<bool>; PARALLELOGRAMS]),
    /// One of other attributes, which are not decoded.
    Other,
}

/// The range of all values.
pub(super) struct Wrap {
    least: i32,
    most: i32,
}

/// The triangles around values, and their order.
pub(super) struct Around<'c> {
    pub(super) corners: &'c CornerTable,
    pub(super) order: &'c Order,
}

/// The head of an attribute's values: how they are predicted. The data follow the values.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Scheme {
    method: i8,
    transform: i8,
}

impl Scheme {
    const NONE: i8 = -2;
    const WRAP: i8 = 1;

    pub(super) fn read(bytes: &mut Cursor<'_>) -> Result<Scheme, Fault> {
        let method: i8 = bytes.read()?;
        let transform = if method == Scheme::NONE { -1 } else { bytes.read()? };
        Ok(Scheme { method, transform })
    }

    /// Returns true if corrections have no sign.
    pub(super) fn is_positive(self) -> bool {
        matches!(self.transform, 2 | 3)
    }

    /// Reads the data of the scheme. Without triangles, every scheme is that of differences.
    pub(super) fn data(
        self,
        bytes: &mut Cursor<'_>,
        over_triangles: bool,
        budget: &mut Budget,
    ) -> Result<(Prediction, Wrap), Fault> {
        let method = match self.method {
            // With normals by octahedron, all but the geometric one are differences.
            0..=6 if !over_triangles || self.is_positive() && self.method != 6 => 0,
            method => method,
        };
        let prediction = match method {
            Scheme::NONE => return Ok((Prediction::None, Wrap { least: i32::MIN, most: i32::MAX })),
            0 => Prediction::Difference,
            1 => Prediction::Parallelogram,
            4 => {
                let mut left_out: [Vec<bool>; PARALLELOGRAMS] = Default::default();
                for list in &mut left_out {
                    let count = bytes.number()?;
                    *list = CodedBits::list(bytes, count, budget)?;
                    list.reverse();
                }
                Prediction::Parallelograms(left_out)
            }
            5 => {
                // Texture coordinates: the number of sides, and a bit for each.
                bytes.take(4)?;
                CodedBits::read(bytes)?;
                Prediction::Other
            }
            6 => Prediction::Other,
            other => {
                return Err(fault(format_args!("uses the prediction {other}, which is not supported")));
            }
        };
        let wrap = self.transform_data(bytes)?;
        if method == 6 {
            // Normals: a bit for each normal that points backwards.
            CodedBits::read(bytes)?;
        }
        Ok((prediction, wrap))
    }

    fn transform_data(self, bytes: &mut Cursor<'_>) -> Result<Wrap, Fault> {
        let mut number = || bytes.read::<i32>();
        match self.transform {
            Scheme::WRAP => Ok(Wrap { least: number()?, most: number()? }),
            // Normals: the largest number, and with the second the middle.
            2 => Ok(Wrap { least: 0, most: number()? }),
            3 => Ok(Wrap { least: number()?, most: number()? }),
            other => Err(fault(format_args!("uses the value transform {other}, which is not supported"))),
        }
    }
}

impl Prediction {
    /// Makes values of `width` numbers each of their corrections, in place.
    pub(super) fn apply<const W: usize>(
        mut self,
        values: &mut [[i32; W]],
        wrap: &Wrap,
        around: Option<&Around<'_>>,
    ) -> Result<(), Fault> {
        if matches!(self, Prediction::None) {
            return Ok(());
        }
        let range = i64::from(wrap.most) - i64::from(wrap.least) + 1;
        if range <= 0 {
            return Err(fault("has a range of values that ends before it begins"));
        }
        for place in 0..values.len() {
            let last = place.checked_sub(1).map_or([0; W], |last| values[last]);
            let predicted = match (&mut self, around) {
                (Prediction::Parallelogram, Some(around)) if place > 0 => {
                    around.parallelogram(values, place, around.order.corners[place]).unwrap_or(last)
                }
                (Prediction::Parallelograms(left_out), Some(around)) if place > 0 => {
                    around.parallelograms(values, place, left_out)?.unwrap_or(last)
                }
                (Prediction::Other, _) => {
                    return Err(fault("predicts positions as normals or texture coordinates"));
                }
                _ => last,
            };
            for (value, predicted) in values[place].iter_mut().zip(predicted) {
                let sum = predicted.clamp(wrap.least, wrap.most).wrapping_add(*value);
                *value = if sum > wrap.most {
                    sum.wrapping_sub(range as i32)
                } else if sum < wrap.least {
                    sum.wrapping_add(range as i32)
                } else {
                    sum
                };
            }
        }
        Ok(())
    }
}

impl Around<'_> {
    /// The fourth corner of the parallelogram over the edge opposite a corner, if its other three corners
    /// come before `place`.
    fn parallelogram<const W: usize>(
        &self,
        values: &[[i32; W]],
        place: usize,
        corner: u32,
    ) -> Option<[i32; W]> {
        let across = self.corners.opposite(corner)?;
        let value = |corner: u32| {
            let value = self.order.values[self.corners.vertex(corner) as usize];
            (value != NONE && (value as usize) < place).then(|| values[value as usize])
        };
        let (far, a, b) = (value(across)?, value(next(across))?, value(previous(across))?);
        Some(std::array::from_fn(|at| a[at].wrapping_add(b[at]).wrapping_sub(far[at])))
    }

    /// The mean of the parallelograms around a vertex that are not left out.
    fn parallelograms<const W: usize>(
        &self,
        values: &[[i32; W]],
        place: usize,
        left_out: &mut [Vec<bool>; PARALLELOGRAMS],
    ) -> Result<Option<[i32; W]>, Fault> {
        let start = self.order.corners[place];
        let mut found = [[0; W]; PARALLELOGRAMS];
        let mut count = 0;
        let (mut corner, mut to_the_left) = (Some(start), true);
        while let Some(at) = corner {
            if let Some(predicted) = self.parallelogram(values, place, at) {
                found[count] = predicted;
                count += 1;
                if count == PARALLELOGRAMS {
                    break;
                }
            }
            corner = if to_the_left { self.corners.swing_left(at) } else { self.corners.swing_right(at) };
            if corner == Some(start) {
                break;
            }
            if corner.is_none() && to_the_left {
                to_the_left = false;
                corner = self.corners.swing_right(start);
            }
        }
        let Some(bits) = count.checked_sub(1).map(|place| &mut left_out[place]) else { return Ok(None) };
        let (mut sum, mut used) = ([0_i32; W], 0);
        for predicted in &found[..count] {
            if !bits.pop().ok_or_else(|| fault("has too few bits for its parallelograms"))? {
                used += 1;
                (0..W).for_each(|at| sum[at] = sum[at].wrapping_add(predicted[at]));
            }
        }
        Ok((used > 0).then(|| sum.map(|sum| sum.wrapping_div(used))))
    }
}
