//! Tracks of a crowd: its paths as thin lines, its density as cells, and its bodies at one time.

use crate::colour::Colour;
use crate::scene::{Picture, Point, Shape, Stroke, Style, Swatch, Window};
use std::collections::BTreeMap;

/// Cells along the larger side of the map.
const CELLS: f64 = 160.0;
/// Opacity of the cells over the mesh.
const COVER: f64 = 0.75;
/// Paths are drawn to within this share of the map's larger side.
const TOLERANCE: f64 = 1.0 / 1500.0;
/// Maximum number of points of paths. Above it, only every n-th path is drawn.
const MOST_POINTS: usize = 20_000;
/// Corners of a body.
const CORNERS: usize = 12;
/// Maximum number of groups that the legend names.
const MOST_NAMES: usize = 8;

/// The paths of a crowd over a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// The groups of agents, each in a colour of its own.
    pub groups: Vec<TrackGroup>,
}

/// A group of agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackGroup {
    /// Its name in the legend; empty for none.
    pub name: String,
    /// The places of each agent in the order of time, at equal times; world metres.
    pub ways: Vec<Vec<[f64; 3]>>,
    /// Places of some agents at one time, world metres, and the radius of each.
    pub bodies: Vec<([f64; 3], f64)>,
}

/// Colours of groups, distinguishable on ground and on crowded cells.
const GROUPS: [Colour; 6] = [
    Colour::hex(0x1d5fa8),
    Colour::hex(0xb3205c),
    Colour::hex(0x5b3fb0),
    Colour::hex(0x8a5a00),
    Colour::hex(0x1f6b45),
    Colour::hex(0x444f57),
];

/// Draws the cells below the `walls`, then the paths, a dot at the end of each path, and the bodies on top.
/// If there are bodies, paths have no dots.
pub(crate) fn draw(picture: &mut Picture, tracks: &Tracks, walls: Vec<Shape>, window: Window) {
    let side = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]);
    let crowded = density_cells(tracks, side / CELLS);
    let has_cells = !crowded.is_empty();
    picture.push_layer("density", crowded);
    picture.push_layer("walls", walls);
    let ways: Vec<Vec<Vec<Point>>> =
        tracks.groups.iter().map(|group| simple_ways(group, side * TOLERANCE)).collect();
    let points: usize = ways.iter().flatten().map(Vec::len).sum();
    let every = points.div_ceil(MOST_POINTS).max(1);
    let mut lines = Vec::new();
    for (number, group) in ways.iter().enumerate() {
        let stroke = Stroke::new(colour(number), 0.6);
        lines.extend(group.iter().step_by(every).map(|way| Shape::polyline(way.clone(), stroke)));
    }
    picture.push_layer("ways", lines);
    let flat = |[x, _, z]: [f64; 3]| [x, z];
    if tracks.groups.iter().all(|group| group.bodies.is_empty()) {
        let ends = tracks.groups.iter().flat_map(|group| &group.ways).filter_map(|way| way.last());
        let dots = Shape::dots(ends.map(|end| flat(*end)).collect(), 2.5, Style::fill(Colour::INK));
        picture.push_layer("ends", vec![dots]);
    }
    let bodies = tracks.groups.iter().enumerate().filter(|(_, group)| !group.bodies.is_empty());
    let mut bodies: Vec<(usize, &TrackGroup)> = bodies.collect();
    // Groups on upper storeys cover those below.
    bodies.sort_by_key(|(_, group)| mean_height(group).round() as i64);
    let bodies = bodies.into_iter().map(|(number, group)| {
        let outlines = group.bodies.iter().map(|(at, radius)| disc(flat(*at), *radius)).collect();
        let rim = Stroke::new(Colour::WHITE, 0.4);
        Shape::filled(outlines, Style::fill(colour(number)).outlined(rim))
    });
    picture.push_layer("bodies", bodies.collect());
    for (number, group) in tracks.groups.iter().enumerate().take(MOST_NAMES) {
        let name = if group.name.is_empty() { "paths" } else { &group.name };
        picture.push_legend(Swatch::Line(Stroke::new(colour(number), 2.0)), name);
    }
    if has_cells {
        picture.push_legend(Swatch::Box(density(0.0)), "little time");
        picture.push_legend(Swatch::Box(density(1.0)), "most time");
    }
}

/// The mean height of the bodies of a group that has some, metres.
fn mean_height(group: &TrackGroup) -> f64 {
    group.bodies.iter().map(|([_, y, _], _)| y).sum::<f64>() / group.bodies.len() as f64
}

fn colour(group: usize) -> Colour {
    GROUPS[group % GROUPS.len()]
}

/// The time that agents spent in each cell of `side` metres, in intervals between two places of a path.
fn times(tracks: &Tracks, side: f64) -> BTreeMap<[i64; 2], f64> {
    let mut times: BTreeMap<[i64; 2], f64> = BTreeMap::new();
    let mut spend = |at: Point, time: f64| {
        *times.entry(at.map(|v| (v / side).floor() as i64)).or_default() += time;
    };
    for way in tracks.groups.iter().flat_map(|group| &group.ways) {
        for pair in way.windows(2) {
            let [[ax, _, az], [bx, _, bz]] = [pair[0], pair[1]];
            // An agent may cross several cells between two places.
            let (x, z) = (bx - ax, bz - az);
            let parts = ((x * x + z * z).sqrt() / side * 2.0).ceil().max(1.0);
            for part in 0..parts as u32 {
                let share = (f64::from(part) + 0.5) / parts;
                spend([ax + x * share, az + z * share], 1.0 / parts);
            }
        }
    }
    times
}

/// Cells of `side` metres, coloured by the time that agents spent in them.
fn density_cells(tracks: &Tracks, side: f64) -> Vec<Shape> {
    let visits = times(tracks, side);
    let most = visits.values().copied().fold(0.0, f64::max);
    // The square root keeps differences visible outside the few most crowded cells.
    let shade = |time: f64| ((time / most).sqrt() * 8.0).round() as u32;
    let mut by_shade: BTreeMap<u32, Vec<[f64; 4]>> = BTreeMap::new();
    for (&[x, z], &time) in &visits {
        let [x, z] = [x, z].map(|v| v as f64 * side);
        by_shade.entry(shade(time)).or_default().push([x, z, x + side, z + side]);
    }
    let cells = by_shade.into_iter().map(|(shade, rectangles)| {
        let mut shape = Shape::cells(rectangles, density(f64::from(shade) / 8.0));
        shape.style.cover = COVER;
        shape
    });
    cells.collect()
}

/// The colour from the emptiest to the most crowded cell.
fn density(share: f64) -> Colour {
    Colour::WHITE.mix(Colour::LOST, 0.1 + 0.9 * share)
}

/// The paths of a group as seen from above, without points that are nearly on the line between others.
fn simple_ways(group: &TrackGroup, tolerance: f64) -> Vec<Vec<Point>> {
    let flat = |way: &Vec<[f64; 3]>| way.iter().map(|[x, _, z]| [*x, *z]).collect::<Vec<Point>>();
    group.ways.iter().map(|way| simplified(&flat(way), tolerance)).collect()
}

/// Source: D. Douglas, T. Peucker, "Algorithms for the reduction of the number of points required to
/// represent a digitized line or its caricature", 1973.
fn simplified(points: &[Point], tolerance: f64) -> Vec<Point> {
    let mut keep = vec![false; points.len()];
    let mut left = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = left.pop() {
        for end in [first, last] {
            keep.get_mut(end).into_iter().for_each(|keep| *keep = true);
        }
        let between = (first + 1).min(last)..last;
        let away = between.map(|index| (distance(points[index], points[first], points[last]), index));
        let farthest = away.reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some((_, index)) = farthest.filter(|(away, _)| *away > tolerance) {
            left.extend([(first, index), (index, last)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

/// The distance of a point from a segment.
fn distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (x - ax - along * dx, y - ay - along * dy);
    (ex * ex + ey * ey).sqrt()
}

/// The outline of a body: a polygon of twelve corners around it, by thirds of a right angle.
fn disc([x, z]: Point, radius: f64) -> Vec<Point> {
    let half = 0.5;
    let most = 0.75f64.sqrt();
    let quarter = [[1.0, 0.0], [most, half], [half, most]];
    let turned = |[a, b]: Point, turns: usize| (0..turns).fold([a, b], |[a, b], _| [-b, a]);
    (0..CORNERS)
        .map(|corner| turned(quarter[corner % 3], corner / 3))
        .map(|[a, b]| [x + a * radius, z + b * radius])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_go_and_corners_stay() {
        let points = [[0.0, 0.0], [1.0, 0.01], [2.0, 0.0], [2.0, 1.0], [2.01, 2.0], [2.0, 3.0]];
        assert_eq!(simplified(&points, 0.1), [[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]]);
        assert_eq!(simplified(&points[..1], 0.1), [[0.0, 0.0]]);
        assert_eq!(simplified(&[], 0.1), [[0.0; 2]; 0]);
        // The path of an agent that walks in a circle.
        let circle = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [0.0, 0.0]];
        assert_eq!(simplified(&circle, 0.1), circle);
    }

    #[test]
    fn a_path_spends_its_time_in_all_cells_that_it_crosses() {
        let ways = vec![vec![[0.5, 0.0, 0.5], [3.5, 0.0, 0.5], [3.5, 0.0, 0.5]]];
        let group = TrackGroup { ways, ..TrackGroup::default() };
        let times = times(&Tracks { groups: vec![group] }, 1.0);
        assert_eq!(times.keys().copied().collect::<Vec<_>>(), [[0, 0], [1, 0], [2, 0], [3, 0]]);
        // It walks for one interval, and keeps still for another.
        assert!((times.values().sum::<f64>() - 2.0).abs() < 1e-12 && times[&[3, 0]] > 1.0);
    }

    #[test]
    fn a_body_is_round() {
        let outline = disc([2.0, 3.0], 0.5);
        assert_eq!(outline.len(), CORNERS);
        for [x, z] in outline {
            assert!((((x - 2.0).powi(2) + (z - 3.0).powi(2)).sqrt() - 0.5).abs() < 1e-12);
        }
    }
}
