//! Maps of a recording: its ground in cells, with the density of the agents, their flow, and the time that
//! they waited there, at any time of the recording.
//!
//! All sums are of integers, so that a map is the same whether time goes forwards or backwards.

use crate::recording::{Doing, Frame, Pose, Recording, RecordingError};
use std::collections::BTreeMap;
use std::ops::Range;

/// An agent that wants to walk and is slower than this waits, metres per second.
const STILL: f32 = 0.2;
/// An agent that moves farther than this between two frames was moved by something else, metres.
const LEAP: f32 = 5.0;
/// Agents of one column of cells are on the same storey if their feet are nearer than this in height, metres.
const STOREY: f32 = 1.2;
/// The sides of cells are multiples of this, metres.
const SIDE: f32 = 0.5;
/// The side of a cell is about this many radii of an agent.
const RADII: f32 = 4.0;
/// The density is the mean over this time around the moment, seconds.
const AROUND: f64 = 1.0;
/// The flow is the mean over this time before the moment, seconds.
const BEFORE: f64 = 10.0;
/// No map but that of waiting looks at more frames than this before or after the moment.
const MOST_FRAMES: usize = 2048;
/// Stands for no cell: the agent is on an off-mesh link, or without ground.
const NOWHERE: u32 = u32::MAX;

/// The quantity that a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// Agents per square metre, the mean over a second around the moment.
    Density,
    /// Agents per second and metre of width: density times speed, the mean over the 10 seconds before the
    /// moment. Agents that walk in opposite directions add up.
    Flow,
    /// Seconds that agents have waited in the cell since the first frame, all agents together.
    Waiting,
}

impl MapKind {
    /// All kinds.
    pub const ALL: [MapKind; 3] = [MapKind::Density, MapKind::Flow, MapKind::Waiting];
}

/// The move of an agent from one frame to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// Millimetres as seen from above; 0 if it was on an off-mesh link, without ground, or moved by something
    /// else.
    pub way: u16,
    /// True if it waited: it wanted to walk and was slower than 0.2 m/s.
    pub waits: bool,
}

impl Move {
    /// The move of an agent between two poses that are some seconds apart.
    pub fn between(before: &Pose, now: &Pose, seconds: f32) -> Move {
        let offset = now.position - before.position;
        let way = libm::hypotf(offset.x, offset.z);
        let walks = [before, now].iter().all(|pose| is_on_ground(pose.doing)) && offset.length() <= LEAP;
        let wants = matches!(now.doing, Doing::Searching | Doing::Walking | Doing::Waiting);
        Move {
            way: if walks { (way * 1000.0).round() as u16 } else { 0 },
            waits: walks && wants && way < STILL * seconds,
        }
    }
}

fn is_on_ground(doing: Doing) -> bool {
    !matches!(doing, Doing::OnLink | Doing::Lost)
}

/// The number of a height in storeys.
fn storey(height: f32) -> i32 {
    (height / STOREY).floor() as i32
}

/// A cell of the ground.
#[derive(Clone, Copy, Debug)]
struct Cell {
    column: [i32; 2],
    /// The height of the first agent in it, metres from the anchor.
    first: f32,
    /// The sum of the heights of all agents in it, and their number.
    sum: f64,
    count: u32,
}

impl Cell {
    fn height(&self) -> f32 {
        (self.sum / f64::from(self.count)) as f32
    }
}

/// The cells in which agents were.
#[derive(Debug, Default)]
struct Ground {
    side: f32,
    cells: Vec<Cell>,
    /// The cells by their columns and the heights of their first agents, in storeys.
    known: BTreeMap<[i32; 3], u32>,
}

impl Ground {
    /// The cell of an agent. Often it is the same cell as before.
    fn place(&mut self, pose: &Pose, before: u32) -> u32 {
        if !is_on_ground(pose.doing) {
            return NOWHERE;
        }
        let at = pose.position;
        let column = [at.x, at.z].map(|along| (along / self.side).floor() as i32);
        let is_in = |cell: &Cell| cell.column == column && (cell.first - at.y).abs() <= STOREY;
        let is_same = |number: &u32| self.cells.get(*number as usize).is_some_and(is_in);
        let around = |storey: i32| self.known.get(&[column[0], column[1], storey]).copied();
        let found = Some(before).filter(is_same).or_else(|| {
            let storey = storey(at.y);
            [storey, storey.saturating_sub(1), storey.saturating_add(1)]
                .into_iter()
                .filter_map(around)
                .find(is_same)
        });
        let number = found.unwrap_or(self.cells.len() as u32);
        if found.is_none() {
            self.known.insert([column[0], column[1], storey(at.y)], number);
            self.cells.push(Cell { column, first: at.y, sum: 0.0, count: 0 });
        }
        let cell = &mut self.cells[number as usize];
        cell.sum += f64::from(at.y);
        cell.count = cell.count.saturating_add(1);
        number
    }

    /// The height of the ground at a corner of a cell: the mean of the cells that meet there.
    fn corner(&self, own: &Cell, corner: [i32; 2]) -> f32 {
        let own_storey = storey(own.first).clamp(i32::MIN + 2, i32::MAX - 2);
        let columns = [[-1, -1], [0, -1], [-1, 0], [0, 0]]
            .map(|step| [0, 1].map(|axis| corner[axis].saturating_add(step[axis])));
        let (mut sum, mut count) = (0.0, 0.0);
        for [x, z] in columns {
            for (_, number) in self.known.range([x, z, own_storey - 2]..=[x, z, own_storey + 2]) {
                let height = self.cells[*number as usize].height();
                if (height - own.height()).abs() <= STOREY {
                    (sum, count) = (sum + height, count + 1.0);
                }
            }
        }
        if count > 0.0 { sum / count } else { own.height() }
    }
}

/// An agent in a frame: its cell, and its move there.
#[derive(Clone, Copy, Debug)]
struct Sample {
    cell: u32,
    moved: Move,
}

/// Sums per cell over some frames.
#[derive(Clone, Debug, Default)]
struct Sums {
    frames: Range<usize>,
    sums: Vec<u64>,
}

/// The maps of a recording.
#[derive(Debug)]
pub struct Maps {
    ground: Ground,
    anchor: [f64; 3],
    rate: f64,
    agents: usize,
    /// The step of each frame, and the steps since the frame before.
    steps: Vec<u64>,
    lengths: Vec<u32>,
    /// All agents of the first frame, then all of the second one, and so on.
    samples: Vec<Sample>,
    sums: [Sums; 3],
    peaks: [f32; 3],
}

impl Maps {
    /// Reads all frames. Takes about 8 bytes for each agent of each frame.
    ///
    /// # Errors
    /// Fails if the recording is damaged.
    pub fn new(recording: &Recording<'_>) -> Result<Maps, RecordingError> {
        let header = recording.header();
        let agents = header.bodies.len();
        let radii = header.bodies.iter().map(|body| body.radius).filter(|radius| radius.is_finite());
        let radius = radii.sum::<f32>() / agents.max(1) as f32;
        let side = (radius * RADII / SIDE).round().clamp(1.0, 1e3) * SIDE;
        let mut maps = Maps {
            ground: Ground { side, ..Ground::default() },
            anchor: header.anchor,
            rate: header.rate.into(),
            agents,
            steps: Vec::new(),
            lengths: Vec::new(),
            samples: Vec::new(),
            sums: Default::default(),
            peaks: [0.0; 3],
        };
        let (mut frames, mut before) = (recording.frames(), Frame::default());
        while let Some(frame) = frames.next()? {
            maps.push(&before, frame);
            before.clone_from(frame);
        }
        for sums in &mut maps.sums {
            sums.sums = vec![0; maps.ground.cells.len()];
        }
        maps.find_peaks();
        Ok(maps)
    }

    fn push(&mut self, before: &Frame, frame: &Frame) {
        let is_first = self.steps.is_empty();
        let length = if is_first { 0 } else { frame.step.saturating_sub(before.step) };
        let seconds = (length as f64 / self.rate) as f32;
        for (number, pose) in frame.poses.iter().enumerate() {
            let earlier = self.samples.len().checked_sub(self.agents).map(|at| self.samples[at].cell);
            let cell = self.ground.place(pose, earlier.unwrap_or(NOWHERE));
            let moved = before.poses.get(number).map(|before| Move::between(before, pose, seconds));
            self.samples.push(Sample { cell, moved: moved.unwrap_or_default() });
        }
        self.steps.push(frame.step);
        self.lengths.push(length.min(u32::MAX.into()) as u32);
    }

    /// The side of a cell, metres.
    pub fn side(&self) -> f32 {
        self.ground.side
    }

    /// Each cell as four corners, counter-clockwise as seen from above, world metres. Cells follow the ground
    /// that agents walked on; cells of different storeys are different cells.
    pub fn cells(&self) -> Vec<[[f64; 3]; 4]> {
        let corners = |cell: &Cell| {
            [[0, 0], [0, 1], [1, 1], [1, 0]].map(|step| {
                let corner = [0, 1].map(|axis| cell.column[axis].saturating_add(step[axis]));
                let [x, z] = corner.map(|along| f64::from(along) * f64::from(self.ground.side));
                let y = f64::from(self.ground.corner(cell, corner));
                [self.anchor[0] + x, self.anchor[1] + y, self.anchor[2] + z]
            })
        };
        self.ground.cells.iter().map(corners).collect()
    }

    /// The largest value of any cell at any time.
    pub fn peak(&self, kind: MapKind) -> f32 {
        self.peaks[kind as usize]
    }

    /// The value of each cell, some seconds after the first frame. Costs as much as the frames between this
    /// moment and the one of the call before have agents.
    pub fn at(&mut self, kind: MapKind, seconds: f64) -> Vec<f32> {
        let Some(first) = self.steps.first() else { return Vec::new() };
        // The caller may have rounded the time.
        let step = *first as f64 + seconds * self.rate + 1e-3;
        let frame = self.steps.partition_point(|other| (*other as f64) <= step).saturating_sub(1);
        self.at_frame(kind, frame).collect()
    }

    fn find_peaks(&mut self) {
        let count = self.steps.len();
        for kind in [MapKind::Density, MapKind::Flow] {
            for frame in 0..count {
                let (frames, unit) = self.sum_up(kind, frame);
                let sums = &self.sums[kind as usize].sums;
                let samples = &self.samples[frames.start * self.agents..frames.end * self.agents];
                let most = if samples.len() < sums.len() {
                    samples.iter().filter_map(|sample| sums.get(sample.cell as usize)).max()
                } else {
                    sums.iter().max()
                };
                let most = most.map_or(0.0, |sum| (*sum as f64 * unit) as f32);
                self.peaks[kind as usize] = self.peaks[kind as usize].max(most);
            }
        }
        // Waiting only grows.
        if let Some(last) = count.checked_sub(1) {
            self.peaks[MapKind::Waiting as usize] = self.at_frame(MapKind::Waiting, last).fold(0.0, f32::max);
        }
    }

    fn at_frame(&mut self, kind: MapKind, frame: usize) -> impl Iterator<Item = f32> + '_ {
        let (_, unit) = self.sum_up(kind, frame);
        self.sums[kind as usize].sums.iter().map(move |sum| (*sum as f64 * unit) as f32)
    }

    /// Sums the frames that a map shows at a frame. Returns them, and the factor from a sum to a value.
    fn sum_up(&mut self, kind: MapKind, frame: usize) -> (Range<usize>, f64) {
        let (now, rate) = (self.steps[frame] as f64, self.rate);
        let from = |step: f64| {
            let found = self.steps.partition_point(|other| (*other as f64) < step);
            found.clamp(frame.saturating_sub(MOST_FRAMES), frame + MOST_FRAMES)
        };
        let half = AROUND / 2.0 * rate;
        let frames = match kind {
            MapKind::Density => from(now - half).min(frame)..from(now + half).max(frame + 1),
            // A move belongs to the frame at its end.
            MapKind::Flow => from(now - BEFORE * rate + 0.5).clamp(1, frame + 1)..frame + 1,
            MapKind::Waiting => 0..frame + 1,
        };
        let area = f64::from(self.ground.side).powi(2);
        let unit = match kind {
            MapKind::Density => 1.0 / (frames.len() as f64 * area),
            MapKind::Flow => {
                let steps: f64 = self.lengths[frames.clone()].iter().map(|length| f64::from(*length)).sum();
                if steps > 0.0 { 1e-3 * rate / (steps * area) } else { 0.0 }
            }
            MapKind::Waiting => 1.0 / rate,
        };
        self.move_to(kind, frames.clone());
        (frames, unit)
    }

    /// Sums the frames of a range. Adds and removes frames only where the range differs from the last one.
    fn move_to(&mut self, kind: MapKind, frames: Range<usize>) {
        let Maps { sums, samples, lengths, agents, .. } = self;
        let Sums { frames: summed, sums } = &mut sums[kind as usize];
        let mut sum = |part: Range<usize>, adds: bool| {
            for frame in part {
                for Sample { cell, moved } in &samples[frame * *agents..(frame + 1) * *agents] {
                    let weight = match kind {
                        MapKind::Density => 1,
                        MapKind::Flow => moved.way.into(),
                        MapKind::Waiting => u64::from(moved.waits) * u64::from(lengths[frame]),
                    };
                    if let Some(sum) = sums.get_mut(*cell as usize) {
                        *sum = if adds { sum.wrapping_add(weight) } else { sum.wrapping_sub(weight) };
                    }
                }
            }
        };
        let Range { start, end } = frames;
        let kept = summed.start.max(start)..summed.end.min(end);
        if kept.is_empty() {
            sum(summed.clone(), false);
            sum(start..end, true);
        } else {
            sum(summed.start..kept.start, false);
            sum(kept.end..summed.end, false);
            sum(start..kept.start, true);
            sum(kept.end..end, true);
        }
        *summed = start..end;
    }
}

#[cfg(test)]
mod tests;
