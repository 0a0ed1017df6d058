//! Attributes: their descriptions, and the values of one of them. Attributes before it are skipped.
//!
//! Attributes are in groups, which share an order of values. All descriptions come first, then the values of
//! each group, and after them the transform that turns the values of the group into numbers.
//! Source: Draco bitstream specification 2.2, attributes.

use super::bytes::{Budget, Cursor, Fault, fault};
use super::corners::{CornerTable, previous};
use super::entropy::{CodedBits, symbols};
use super::prediction::{Around, Scheme};
use super::traversal::Order;

/// The forms of values.
const PLAIN: u8 = 0;
const WHOLE: u8 = 1;
const QUANTIZED: u8 = 2;
const NORMALS: u8 = 3;

/// An attribute.
struct Attribute {
    data: u8,
    width: u8,
    id: u32,
    form: u8,
}

/// Attributes that share an order of values.
struct Group {
    attributes: Vec<Attribute>,
    /// The set of seams that its values have; `None` if there is one value for each vertex.
    seams: Option<usize>,
    by_degree: bool,
}

/// The points of a stream, by its connectivity.
pub(super) enum Points<'a> {
    /// Each point has a value, in their order.
    InOrder(u64),
    /// Corners have values by walks over the triangles.
    ByCorner { corners: CornerTable, seams: Vec<CodedBits<'a>> },
}

/// Values of the requested attribute.
pub(super) struct Values {
    pub(super) numbers: Vec<[f64; 3]>,
    /// The value of each vertex; `None` if each point has its own value.
    pub(super) of_vertex: Option<Vec<u32>>,
}

/// Reads the values of the attribute with this identifier.
pub(super) fn read(
    bytes: &mut Cursor<'_>,
    id: u32,
    points: &mut Points<'_>,
    budget: &mut Budget,
) -> Result<Values, Fault> {
    let groups = Group::read_all(bytes, points)?;
    for group in &groups {
        if let Some(place) = group.attributes.iter().position(|attribute| attribute.id == id) {
            return group.wanted(bytes, place, points, budget);
        }
        let count = group.count(points, budget)?;
        let over_triangles = matches!(points, Points::ByCorner { .. });
        for attribute in &group.attributes {
            attribute.skip(bytes, count, over_triangles, budget)?;
        }
        for attribute in &group.attributes {
            attribute.skip_transform(bytes)?;
        }
    }
    Err(fault(format_args!(
        "has no attribute with the identifier {id}, by which the file names its positions"
    )))
}

impl Group {
    fn read_all(bytes: &mut Cursor<'_>, points: &Points<'_>) -> Result<Vec<Group>, Fault> {
        let mut groups = Vec::new();
        for _ in 0..bytes.read::<u8>()? {
            let mut group = Group { attributes: Vec::new(), seams: None, by_degree: false };
            if let Points::ByCorner { seams, .. } = points {
                let [set, kind, walk]: [u8; 3] = bytes.read()?;
                group.by_degree = walk == 1;
                group.seams = (kind == 1).then_some(usize::from(set));
                if kind > 1 || walk > 1 || group.seams.is_some_and(|set| set >= seams.len()) {
                    return Err(fault(format_args!(
                        "has a group of attributes of the kind {kind}, seams {set}, walk {walk}"
                    )));
                }
            }
            groups.push(group);
        }
        for group in &mut groups {
            for _ in 0..bytes.number()? {
                let [_, data, width, _]: [u8; 4] = bytes.read()?;
                let id = bytes.index()?;
                group.attributes.push(Attribute { data, width, id, form: PLAIN });
            }
            for attribute in &mut group.attributes {
                attribute.form = bytes.read::<u8>()?;
            }
        }
        Ok(groups)
    }

    /// The number of values of each of its attributes.
    fn count(&self, points: &mut Points<'_>, budget: &mut Budget) -> Result<u64, Fault> {
        match points {
            Points::InOrder(count) => Ok(*count),
            Points::ByCorner { corners, seams } => {
                count_values(corners, self.seams.map(|set| &mut seams[set]), budget)
            }
        }
    }

    fn wanted(
        &self,
        bytes: &mut Cursor<'_>,
        place: usize,
        points: &mut Points<'_>,
        budget: &mut Budget,
    ) -> Result<Values, Fault> {
        if self.attributes[place].width != 3 {
            let width = self.attributes[place].width;
            return Err(fault(format_args!("has positions of {width} numbers, expected 3")));
        }
        let order = match points {
            Points::InOrder(_) => None,
            Points::ByCorner { .. } if self.seams.is_some() => {
                return Err(fault("has seams in its positions, which are not read"));
            }
            Points::ByCorner { corners, .. } => Some(Order::new(corners, self.by_degree, budget)?),
        };
        let (around, count) = match (&*points, &order) {
            (Points::ByCorner { corners, .. }, Some(order)) => {
                (Some(Around { corners, order }), order.corners.len() as u64)
            }
            (Points::InOrder(count), _) => (None, *count),
            _ => (None, 0),
        };
        let mut numbers = Vec::new();
        let mut whole = Vec::new();
        for (at, attribute) in self.attributes.iter().enumerate() {
            match (at == place, attribute.form) {
                (false, _) => attribute.skip(bytes, count, around.is_some(), budget)?,
                (true, PLAIN) => numbers = attribute.plain(bytes, count, budget)?,
                (true, _) => whole = attribute.whole(bytes, count, around.as_ref(), budget)?,
            }
        }
        for attribute in &self.attributes[..place] {
            attribute.skip_transform(bytes)?;
        }
        match self.attributes[place].form {
            PLAIN => {}
            WHOLE => numbers = whole.iter().map(|value| value.map(f64::from)).collect(),
            QUANTIZED => numbers = dequantized(bytes, &whole)?,
            form => return Err(fault(format_args!("has positions of the form {form}, expected 0 to 2"))),
        }
        Ok(Values { numbers, of_vertex: order.map(|order| order.values) })
    }
}

/// The number of values of corners: one for each vertex, and more where seams meet.
fn count_values(
    corners: &CornerTable,
    seams: Option<&mut CodedBits<'_>>,
    budget: &mut Budget,
) -> Result<u64, Fault> {
    let mut is_seam = vec![false; budget.take(u64::from(corners.count()), 1, "corners")?];
    if let Some(bits) = seams {
        for corner in 0..corners.count() {
            // Each edge once, from the triangle that comes first.
            if let Some(other) = corners.opposite(corner).filter(|other| other / 3 > corner / 3) {
                let bit = bits.next();
                is_seam[corner as usize] = bit;
                is_seam[other as usize] = bit;
            }
        }
    }
    // Of each vertex: whether it has corners, whether its fan is open, and how many seams meet at it.
    let mut found = vec![(false, false, 0_u32); budget.take(corners.vertices() as u64, 8, "vertices")?];
    for corner in 0..corners.count() {
        let (exists, is_open, count) = &mut found[corners.vertex(corner) as usize];
        let edge = previous(corner);
        *exists = true;
        *is_open |= corners.opposite(edge).is_none();
        *count += u32::from(is_seam[edge as usize]);
    }
    // n seams cut an open fan into n + 1 parts, and a closed one into n.
    let parts = |&(exists, is_open, seams): &(bool, bool, u32)| match (exists, is_open) {
        (false, _) => 0,
        (true, true) => u64::from(seams) + 1,
        (true, false) => u64::from(seams.max(1)),
    };
    Ok(found.iter().map(parts).sum())
}

impl Attribute {
    /// Size of a number, bytes.
    fn size(&self) -> Result<usize, Fault> {
        match self.data {
            1 | 2 | 11 => Ok(1),
            3 | 4 => Ok(2),
            5 | 6 | 9 => Ok(4),
            7 | 8 | 10 => Ok(8),
            other => Err(fault(format_args!("has numbers of the type {other}, expected 1 to 11"))),
        }
    }

    /// Numbers that are written of a value.
    fn written_width(&self) -> usize {
        if self.form == NORMALS { 2 } else { usize::from(self.width) }
    }

    fn skip(
        &self,
        bytes: &mut Cursor<'_>,
        count: u64,
        over_triangles: bool,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        if self.form == PLAIN {
            return self.bytes_of(bytes, count).map(drop);
        }
        let scheme = Scheme::read(bytes)?;
        self.written(bytes, count, budget)?;
        scheme.data(bytes, over_triangles, budget).map(drop)
    }

    /// Skips the transform that turns values into numbers.
    fn skip_transform(&self, bytes: &mut Cursor<'_>) -> Result<(), Fault> {
        let length = match self.form {
            PLAIN | WHOLE => 0,
            QUANTIZED => 4 * u64::from(self.width) + 5,
            NORMALS => 1,
            other => return Err(fault(format_args!("has values of the form {other}, expected 0 to 3"))),
        };
        bytes.take(length).map(drop)
    }

    fn bytes_of<'a>(&self, bytes: &mut Cursor<'a>, count: u64) -> Result<&'a [u8], Fault> {
        let length = count.saturating_mul((self.size()? * usize::from(self.width)) as u64);
        bytes.take(length)
    }

    /// The numbers that are written of all values.
    fn written(&self, bytes: &mut Cursor<'_>, count: u64, budget: &mut Budget) -> Result<Vec<u32>, Fault> {
        let width = self.written_width();
        let count = budget.take(count, 4 * width as u64, "values")?;
        if bytes.read::<u8>()? > 0 {
            return symbols(bytes, count, width);
        }
        let size = usize::from(bytes.read::<u8>()?);
        if size > 4 {
            return Err(fault(format_args!("has numbers of {size} bytes, expected at most 4")));
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        if size == 0 {
            return Ok(vec![0; count * width]);
        }
        let length = (count * width).saturating_mul(size) as u64;
        Ok(bytes.take(length)?.chunks_exact(size).map(number).collect())
    }

    /// Whole positions.
    fn whole(
        &self,
        bytes: &mut Cursor<'_>,
        count: u64,
        around: Option<&Around<'_>>,
        budget: &mut Budget,
    ) -> Result<Vec<[i32; 3]>, Fault> {
        if self.form == NORMALS {
            return Err(fault("has positions in the form of normals"));
        }
        let scheme = Scheme::read(bytes)?;
        if scheme.is_positive() {
            return Err(fault("predicts positions like normals"));
        }
        budget.take(count, 12, "positions")?;
        let written = self.written(bytes, count, budget)?;
        // The lowest bit is the sign.
        let signed = |value: u32| (value >> 1) as i32 ^ -((value & 1) as i32);
        let triples = written.chunks_exact(3);
        let mut values: Vec<[i32; 3]> =
            triples.map(|triple| std::array::from_fn(|at| signed(triple[at]))).collect();
        let (prediction, wrap) = scheme.data(bytes, around.is_some(), budget)?;
        prediction.apply(&mut values, &wrap, around)?;
        Ok(values)
    }

    /// Positions as they are.
    fn plain(&self, bytes: &mut Cursor<'_>, count: u64, budget: &mut Budget) -> Result<Vec<[f64; 3]>, Fault> {
        budget.take(count, 24, "positions")?;
        let size = self.size()?;
        let number = |bytes: &[u8]| {
            let bits = bytes.iter().rev().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
            match self.data {
                1 => f64::from(bits as i8),
                3 => f64::from(bits as i16),
                5 => f64::from(bits as i32),
                7 => bits as i64 as f64,
                9 => f64::from(f32::from_bits(bits as u32)),
                10 => f64::from_bits(bits),
                _ => bits as f64,
            }
        };
        let values = self.bytes_of(bytes, count)?.chunks_exact(3 * size);
        Ok(values.map(|value| std::array::from_fn(|at| number(&value[at * size..][..size]))).collect())
    }
}

/// Positions from steps of a cube that holds them all: its least corner and the length of its sides.
fn dequantized(bytes: &mut Cursor<'_>, steps: &[[i32; 3]]) -> Result<Vec<[f64; 3]>, Fault> {
    let mut float = || bytes.read::<f32>();
    let least = [float()?, float()?, float()?];
    let length = float()?;
    let bits = bytes.read::<u8>()?;
    if !(1..=30).contains(&bits) {
        return Err(fault(format_args!("has positions of {bits} bits, expected 1 to 30")));
    }
    // In 32 bits, as every decoder computes it.
    let step = length / ((1 << bits) - 1) as f32;
    let position =
        |value: &[i32; 3]| std::array::from_fn(|at| f64::from(value[at] as f32 * step + least[at]));
    Ok(steps.iter().map(position).collect())
}
