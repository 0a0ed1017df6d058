//! Times queries of both runtimes: identical questions, in turns.

use super::clock::timed;
use super::samples::Samples;
use super::table::{Cell, Section, Table};
use super::{SpeedError, bakes};
use crate::runtime::draw::Draw;
use crate::runtime::pair::{Filters, Pair};
use detour::{
    Crossings, Neighbourhood, Optimality, Path, PathOptions, Place, Query, Ray, Slide, StraightPath,
    Surroundings, Vec3,
};
use navtile::Tile;
use recastnavigation_rs::detour as cpp;

/// Questions of each kind.
pub const QUESTIONS: usize = 10_000;
/// Questions that one library answers before the other takes its turn.
const TURN: usize = 250;
/// Nodes of the C++ library's searches, as in its demonstration program.
const NODES: usize = 2_048;
/// Room for its answers.
const ROOM: usize = 1_024;
/// Half extents of the search for the nearest polygon, metres.
const EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Radius of the circle and of the search for walls, metres.
const CIRCLE: f32 = 10.0;
/// Radius of the neighbourhood, metres.
const NEIGHBOURHOOD: f32 = 12.0;
/// Largest difference up to which two answers count as the same: metres, or a share.
const SAME: f64 = 0.01;
/// Share of a neighbourhood's polygons that only one of the two may have.
const OVERLAPPING: f64 = 0.25;
/// Share of answers that must be the same. The others are ties and the listed deviations.
const AGREEMENT: f64 = 0.9;

/// A question: from one place to another that can be reached.
#[derive(Clone, Debug)]
struct QueryEnds {
    start: Place,
    goal: Place,
    near_start: Vec3,
    near_goal: Vec3,
    /// A metre from the start, towards the goal.
    step: Vec3,
    their_start: cpp::DtPolyRef,
    their_goal: cpp::DtPolyRef,
    /// Our path, for the string.
    polygons: Vec<detour::PolyRef>,
    their_polygons: Vec<cpp::DtPolyRef>,
}

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// The nearest polygon.
    Nearest,
    /// A path.
    Path(Optimality),
    /// A path and its corners.
    Both(Optimality),
    /// The corners of a path.
    Straight,
    /// A ray to the goal.
    Raycast,
    /// A slide to the goal.
    Move,
    /// A slide of a metre.
    Step,
    /// The distance of the nearest wall.
    Wall,
    /// The polygons around a circle.
    Circle,
    /// The neighbourhood.
    Neighbourhood,
    /// The height of the ground.
    Height,
    /// Nearest polygons, path, corners and a ray.
    Row(Optimality),
}

const KINDS: [(&str, QueryKind); 15] = [
    ("nearest polygon", QueryKind::Nearest),
    ("find path", QueryKind::Path(Optimality::Fast)),
    ("find path, near", QueryKind::Path(Optimality::Near)),
    ("find path and straight path", QueryKind::Both(Optimality::Fast)),
    ("find path and straight path, near", QueryKind::Both(Optimality::Near)),
    ("straight path", QueryKind::Straight),
    ("raycast", QueryKind::Raycast),
    ("move along surface, across the level", QueryKind::Move),
    ("move along surface, 1 m", QueryKind::Step),
    ("wall distance, 10 m", QueryKind::Wall),
    ("polygons around circle, 10 m", QueryKind::Circle),
    ("local neighbourhood, 12 m", QueryKind::Neighbourhood),
    ("height", QueryKind::Height),
    ("nearest, path, straight path, raycast in a row", QueryKind::Row(Optimality::Fast)),
    ("nearest, path, straight path, raycast in a row, near", QueryKind::Row(Optimality::Near)),
];

/// The kinds that are measured on every level of a folder.
pub const LEVEL_KINDS: [(&str, QueryKind); 9] = [
    ("nearest", QueryKind::Nearest),
    ("find path", QueryKind::Path(Optimality::Fast)),
    ("path and corners", QueryKind::Both(Optimality::Fast)),
    ("near", QueryKind::Path(Optimality::Near)),
    ("near, with corners", QueryKind::Both(Optimality::Near)),
    ("corners", QueryKind::Straight),
    ("raycast", QueryKind::Raycast),
    ("slide, 1 m", QueryKind::Step),
    ("height", QueryKind::Height),
];
/// The place of paths with their corners among them.
pub const PATH_AND_CORNERS: usize = 2;

/// A runtime with its memory for queries.
trait Runtime {
    /// Answers a question with a number that is the same for all right answers.
    fn ask(&mut self, kind: QueryKind, asked: &QueryEnds) -> Result<f64, SpeedError>;
}

struct Ours<'a> {
    pair: &'a Pair,
    filter: detour::Filter,
    query: Query,
    path: Path,
    straight: StraightPath,
    ray: Ray,
    slide: Slide,
    around: Surroundings,
    near: Neighbourhood,
}

struct TheirQueries<'a> {
    filter: cpp::DtQueryFilter,
    query: cpp::DtNavMeshQuery,
    polygons: Vec<cpp::DtPolyRef>,
    parents: Vec<cpp::DtPolyRef>,
    costs: Vec<f32>,
    points: Vec<[f32; 3]>,
    pair: std::marker::PhantomData<&'a Pair>,
}

/// Length along x and z.
fn length(points: impl Iterator<Item = [f32; 3]>) -> f64 {
    let (mut sum, mut last) = (0.0, None::<[f32; 3]>);
    for point in points {
        if let Some(last) = last {
            sum += f64::from(point[0] - last[0]).hypot(f64::from(point[2] - last[2]));
        }
        last = Some(point);
    }
    sum
}

fn apart(a: [f32; 3], b: Vec3) -> f64 {
    f64::from(a[0] - b.x).hypot(f64::from(a[2] - b.z))
}

impl<'a> Ours<'a> {
    fn new(pair: &'a Pair, filter: &detour::Filter) -> Ours<'a> {
        Ours {
            pair,
            filter: filter.clone(),
            query: Query::new(),
            path: Path::default(),
            straight: StraightPath::default(),
            ray: Ray::default(),
            slide: Slide::default(),
            around: Surroundings::default(),
            near: Neighbourhood::default(),
        }
    }

    fn slide(&mut self, start: Place, goal: Vec3) -> Result<f64, SpeedError> {
        self.query.slide(&self.pair.ours, start, goal, &self.filter, &mut self.slide)?;
        Ok(apart(self.slide.point.to_array(), goal))
    }

    /// Searches the path between two places. Returns the distance of its end from the goal.
    fn find(&mut self, start: Place, goal: Place, optimality: Optimality) -> Result<f64, SpeedError> {
        let options = PathOptions { optimality };
        self.query.find_path(&self.pair.ours, start, goal, &self.filter, &options, &mut self.path)?;
        Ok(f64::from(u8::from(self.path.polygons.last() == Some(&goal.polygon))))
    }

    fn cast(&mut self, start: Place, goal: Vec3) -> Result<f64, SpeedError> {
        self.query.raycast(&self.pair.ours, start, goal, &self.filter, &mut self.ray)?;
        Ok(self.ray.fraction)
    }
}

impl Runtime for Ours<'_> {
    fn ask(&mut self, kind: QueryKind, asked: &QueryEnds) -> Result<f64, SpeedError> {
        let (mesh, QueryEnds { start, goal, .. }) = (&self.pair.ours, asked);
        let (start, goal) = (*start, *goal);
        Ok(match kind {
            QueryKind::Nearest => {
                let near = self.query.nearest(mesh, asked.near_start, EXTENTS, &self.filter)?;
                f64::from(near.point.distance(asked.near_start))
            }
            QueryKind::Path(optimality) => self.find(start, goal, optimality)?,
            QueryKind::Both(optimality) => {
                self.find(start, goal, optimality)?;
                let (polygons, none) = (&self.path.polygons, Crossings::None);
                let (from, to) = (start.point, goal.point);
                self.query.straight_path(mesh, from, to, polygons, none, &mut self.straight)?;
                length(self.straight.corners.iter().map(|corner| corner.point.to_array()))
            }
            QueryKind::Straight => {
                let none = Crossings::None;
                let (from, to) = (start.point, goal.point);
                self.query.straight_path(mesh, from, to, &asked.polygons, none, &mut self.straight)?;
                length(self.straight.corners.iter().map(|corner| corner.point.to_array()))
            }
            QueryKind::Raycast => self.cast(start, goal.point)?,
            QueryKind::Move => self.slide(start, goal.point)?,
            QueryKind::Step => self.slide(start, asked.step)?,
            QueryKind::Wall => {
                let wall = self.query.wall_distance(mesh, start, CIRCLE, &self.filter)?;
                f64::from(wall.map_or(CIRCLE, |wall| wall.distance))
            }
            QueryKind::Circle => {
                self.query.around_circle(mesh, start, CIRCLE, &self.filter, &mut self.around)?;
                self.around.polygons.len() as f64
            }
            QueryKind::Neighbourhood => {
                let (filter, near) = (&self.filter, &mut self.near);
                self.query.neighbourhood(mesh, start, NEIGHBOURHOOD, ROOM, filter, near)?;
                self.near.polygons.len() as f64
            }
            QueryKind::Height => mesh.height(start.polygon, start.point)?.map_or(-1e9, f64::from),
            QueryKind::Row(optimality) => {
                let start = self.query.nearest(mesh, asked.near_start, EXTENTS, &self.filter)?.place();
                let goal = self.query.nearest(mesh, asked.near_goal, EXTENTS, &self.filter)?.place();
                let reached = self.find(start, goal, optimality)?;
                let (mesh, polygons) = (&self.pair.ours, &self.path.polygons);
                let (from, to, none) = (start.point, goal.point, Crossings::None);
                self.query.straight_path(mesh, from, to, polygons, none, &mut self.straight)?;
                let corner = self.straight.corners.get(1).map_or(goal.point, |corner| corner.point);
                self.cast(start, corner)?;
                reached
            }
        })
    }
}

impl<'a> TheirQueries<'a> {
    fn new(pair: &'a Pair, filter: &cpp::DtQueryFilter) -> Result<TheirQueries<'a>, SpeedError> {
        Ok(TheirQueries {
            filter: filter.clone(),
            query: cpp::DtNavMeshQuery::with_mesh(&pair.theirs, NODES)?,
            polygons: vec![cpp::DtPolyRef(0); ROOM],
            parents: vec![cpp::DtPolyRef(0); ROOM],
            costs: vec![0.0; ROOM],
            points: vec![[0.0; 3]; ROOM],
            pair: std::marker::PhantomData,
        })
    }

    fn slide(&mut self, start: (cpp::DtPolyRef, Vec3), goal: Vec3) -> Result<f64, SpeedError> {
        let (from, to) = (start.1.to_array(), goal.to_array());
        let (found, _) =
            self.query.move_along_surface(start.0, &from, &to, &self.filter, &mut self.polygons)?;
        Ok(apart(found, goal))
    }

    fn nearest(&self, at: Vec3) -> Result<(cpp::DtPolyRef, [f32; 3]), SpeedError> {
        let (found, point, _) =
            self.query.find_nearest_poly_2(&at.to_array(), &EXTENTS.to_array(), &self.filter)?;
        Ok((found, point))
    }

    fn find(&mut self, [start, goal]: [(cpp::DtPolyRef, [f32; 3]); 2]) -> Result<(usize, f64), SpeedError> {
        let (filter, room) = (&self.filter, &mut self.polygons);
        let count = self.query.find_path(start.0, goal.0, &start.1, &goal.1, filter, room)?;
        let reached = count > 0 && self.polygons[count - 1] == goal.0;
        Ok((count, f64::from(u8::from(reached))))
    }

    fn cast(&mut self, start: (cpp::DtPolyRef, [f32; 3]), goal: [f32; 3]) -> Result<f64, SpeedError> {
        let room = Some(self.polygons.as_mut_slice());
        let (fraction, _, _) = self.query.raycast_1(start.0, &start.1, &goal, &self.filter, room)?;
        Ok(f64::from(fraction).min(1.0))
    }
}

impl Runtime for TheirQueries<'_> {
    fn ask(&mut self, kind: QueryKind, asked: &QueryEnds) -> Result<f64, SpeedError> {
        let (start, from) = (asked.their_start, asked.start.point.to_array());
        let (goal, to) = (asked.their_goal, asked.goal.point.to_array());
        Ok(match kind {
            QueryKind::Nearest => {
                let (_, point) = self.nearest(asked.near_start)?;
                f64::from(Vec3::from_array(point).distance(asked.near_start))
            }
            QueryKind::Path(_) => self.find([(start, from), (goal, to)])?.1,
            QueryKind::Both(_) => {
                let (count, reached) = self.find([(start, from), (goal, to)])?;
                let (polygons, room) = (&self.polygons[..count], &mut self.points);
                let count = self.query.find_straight_path(&from, &to, polygons, room, None, None, 0)?;
                // It may run out of nodes.
                if reached > 0.0 { length(self.points[..count].iter().copied()) } else { f64::INFINITY }
            }
            QueryKind::Straight => {
                let (polygons, room) = (&asked.their_polygons, &mut self.points);
                let count = self.query.find_straight_path(&from, &to, polygons, room, None, None, 0)?;
                length(self.points[..count].iter().copied())
            }
            QueryKind::Raycast => self.cast((start, from), to)?,
            QueryKind::Move => self.slide((start, asked.start.point), asked.goal.point)?,
            QueryKind::Step => self.slide((start, asked.start.point), asked.step)?,
            QueryKind::Wall => {
                let (distance, _, _) =
                    self.query.find_distance_to_wall(start, &from, CIRCLE, &self.filter)?;
                f64::from(distance)
            }
            QueryKind::Circle => {
                let (polygons, costs) = (Some(self.polygons.as_mut_slice()), Some(self.costs.as_mut_slice()));
                let filter = &self.filter;
                self.query.find_polys_around_circle(start, &from, CIRCLE, filter, polygons, None, costs)?
                    as f64
            }
            QueryKind::Neighbourhood => {
                let (filter, parents) = (&self.filter, Some(self.parents.as_mut_slice()));
                let room = &mut self.polygons;
                let radius = NEIGHBOURHOOD;
                self.query.find_local_neighbourhood(start, &from, radius, filter, room, parents)? as f64
            }
            QueryKind::Height => self.query.get_poly_height(start, &from).map_or(-1e9, f64::from),
            QueryKind::Row(_) => {
                let start = self.nearest(asked.near_start)?;
                let goal = self.nearest(asked.near_goal)?;
                let (count, reached) = self.find([start, goal])?;
                let (polygons, room) = (&self.polygons[..count], &mut self.points);
                let corners =
                    self.query.find_straight_path(&start.1, &goal.1, polygons, room, None, None, 0)?;
                let corner = if corners > 1 { self.points[1] } else { goal.1 };
                self.cast(start, corner)?;
                reached
            }
        })
    }
}

/// The times of one kind of question.
#[derive(Clone, Debug, Default)]
pub struct QueryTimes {
    /// The kind of question.
    pub name: &'static str,
    /// Nanoseconds per question: ours, the C++ library's.
    pub times: [Samples; 2],
    /// Share of the answers that agree.
    pub agreement: f64,
}

/// Random pairs of places that can be reached from each other, and the polygons between them.
fn questions(pair: &Pair, count: usize, filter: &detour::Filter) -> Result<Vec<QueryEnds>, SpeedError> {
    let (islands, mut query, mut path) = (pair.ours.islands(), Query::new(), Path::default());
    let options = PathOptions::default();
    let mut asked = Vec::with_capacity(count);
    // Islands may be small. Several pairs in a row may be disconnected, but not that many.
    for number in 0..100 * count as u64 {
        if asked.len() == count {
            break;
        }
        let mut draw = Draw::new(1, number);
        let ((first, start), (last, goal)) = (draw.place(pair)?, draw.place(pair)?);
        if islands.of(start.polygon) != islands.of(goal.polygon) {
            continue;
        }
        query.find_path(&pair.ours, start, goal, filter, &options, &mut path)?;
        let refs = path.polygons.iter().filter_map(|&polygon| Some(pair.their_ref(pair.number(polygon)?)));
        let towards = (goal.point - start.point).normalize_or(Vec3::X);
        asked.push(QueryEnds {
            start,
            goal,
            near_start: draw.about(start.point, 0.5) + Vec3::Y * 0.5,
            near_goal: draw.about(goal.point, 0.5) + Vec3::Y * 0.5,
            step: start.point + towards,
            their_start: pair.their_ref(first),
            their_goal: pair.their_ref(last),
            their_polygons: refs.collect(),
            polygons: path.polygons.clone(),
        });
    }
    super::same("random pairs that can be reached", &count, &asked.len())?;
    Ok(asked)
}

/// Asks both, `rounds` times. Errors: answers that differ from round to round, or that differ too often
/// between the two.
pub fn measure(tiles: &[Tile], count: usize, rounds: usize) -> Result<Vec<QueryTimes>, SpeedError> {
    measure_pair(&Pair::new(tiles)?, &KINDS, count, rounds)
}

/// [`measure`] for some kinds of questions.
pub fn measure_pair(
    pair: &Pair,
    kinds: &[(&'static str, QueryKind)],
    count: usize,
    rounds: usize,
) -> Result<Vec<QueryTimes>, SpeedError> {
    let filters = Filters::new(false)?;
    let asked = questions(pair, count, &filters.ours)?;
    let mut ours = Ours::new(pair, &filters.ours);
    let mut theirs = TheirQueries::new(pair, &filters.theirs)?;
    kinds
        .iter()
        .map(|&(name, kind)| measure_kind(name, kind, &asked, rounds, [&mut ours, &mut theirs]))
        .collect()
}

fn measure_kind(
    name: &'static str,
    kind: QueryKind,
    asked: &[QueryEnds],
    rounds: usize,
    mut runtimes: [&mut dyn Runtime; 2],
) -> Result<QueryTimes, SpeedError> {
    let mut measured = QueryTimes { name, ..QueryTimes::default() };
    let mut first: [Vec<f64>; 2] = Default::default();
    // The first round warms up memory and gives the answers that all others must repeat.
    for round in 0..=rounds {
        let mut sums = [std::time::Duration::ZERO; 2];
        let mut answers: [Vec<f64>; 2] = [Vec::with_capacity(asked.len()), Vec::with_capacity(asked.len())];
        for turn in asked.chunks(TURN) {
            for ((runtime, answers), sum) in runtimes.iter_mut().zip(&mut answers).zip(&mut sums) {
                let (done, time) = timed(|| {
                    turn.iter().try_for_each(|asked| {
                        answers.push(runtime.ask(kind, asked)?);
                        Ok::<(), SpeedError>(())
                    })
                });
                done?;
                *sum += time;
            }
        }
        if round == 0 {
            first = answers;
            continue;
        }
        let digest = |answers: &[f64]| navmath::Hasher::new().write_f64s(answers).finish().to_string();
        super::same(format!("{name}: hash of our answers"), &digest(&first[0]), &digest(&answers[0]))?;
        for (samples, sum) in measured.times.iter_mut().zip(sums) {
            samples.push_each(sum, asked.len());
        }
    }
    let [ours, theirs] = &first;
    let alike = |(a, b): (&f64, &f64)| match kind {
        // Across a level the C++ library exhausts its 64 nodes, so ours may come nearer to the goal.
        QueryKind::Move => *a <= b + SAME,
        QueryKind::Path(_) | QueryKind::Row(_) => a >= b,
        // Paths may be shorter.
        QueryKind::Both(_) => *a <= b + SAME.max(SAME * b),
        // If several polygons are over each other, the order in which they are met decides which of them
        // count.
        QueryKind::Neighbourhood => (a - b).abs() <= 1.0 + OVERLAPPING * a,
        _ => (a - b).abs() <= SAME.max(SAME * a.abs()),
    };
    let same = ours.iter().zip(theirs).filter(|&pair| alike(pair)).count();
    measured.agreement = same as f64 / asked.len().max(1) as f64;
    if measured.agreement < AGREEMENT {
        let (what, found) = (format!("{name}: answers that agree"), format!("{:.3}", measured.agreement));
        return Err(SpeedError::Wrong { what, expected: format!("at least {AGREEMENT}"), found });
    }
    Ok(measured)
}

/// As a table.
pub fn section(level: &str, count: usize, measured: &[QueryTimes]) -> Section {
    let head = ["question", "ours ns", "C++ ns", "C++ / ours", "same answer %"];
    let mut table = Table::new(format!("{level}, {count} random pairs"), &head);
    let mut ratios = Vec::new();
    for row in measured {
        let [ours, theirs] = [0, 1].map(|who| row.times[who].median());
        ratios.push(theirs / ours.max(1e-9));
        table.row([
            Cell::from(row.name),
            Cell::Number(ours, 0),
            Cell::Number(theirs, 0),
            Cell::ratio(theirs, ours),
            Cell::Number(row.agreement * 100.0, 1),
        ]);
    }
    let mean = Cell::Ratio(bakes::mean(ratios.into_iter()));
    table.row([Cell::from("geometric mean"), Cell::None, Cell::None, mean, Cell::None]);
    let note = format!(
        "Both libraries hold the same tiles, with polygons as Detour has them: ours as they are, the C++ library's \
         exported from them. Both answer the same questions, {TURN} in turn, between places that are connected. The C++ library has {NODES} nodes, as in \
         its demonstration program. Our answers must be the same in every round. At least nine of ten answers of both \
         libraries must agree within a centimetre or one in a hundred; the others are ties and the deviations of \
         docs/deviations.md. A path may be shorter than the C++ library's, and a move across the level may end nearer \
         to the goal, as the C++ library visits at most 64 polygons. Two neighbourhoods agree if their numbers of \
         polygons differ by at most a quarter."
    );
    Section { title: "Queries".to_owned(), notes: vec![note], tables: vec![table] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::report::tiles;
    use crate::subject::Subject;

    #[test]
    fn both_answer_every_kind_of_question() {
        let tiles = tiles(&Subject::from_scene("terrain").unwrap(), Some(48)).unwrap();
        let measured = measure(&tiles, 200, 1).unwrap();
        assert_eq!(measured.len(), KINDS.len());
        assert!(measured.iter().all(|row| row.times.iter().all(|times| times.median() > 0.0)));
        assert_eq!(section("terrain", 200, &measured).tables[0].rows.len(), KINDS.len() + 1);
    }
}
