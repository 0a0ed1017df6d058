//! A move along the surface like that of both libraries, with switches for the habits in which they differ.
//!
//! Source: M. Mononen's Detour (`moveAlongSurface`), from its description. Cost: quadratic in the polygons
//! met.

use super::graph::{Graph, Point, flat_distance, lerp, nearest_on_segment};

/// The end of a move from a place: the goal if a visited polygon contains it, or else the point of their
/// walls nearest to it. A move visits polygons through openings within `reach` of the middle. With `whole`,
/// an edge with an opening has no wall, and its opening is as wide as the edge.
pub fn walk(graph: &Graph, start: (usize, Point), goal: Point, reach: f64, whole: bool) -> Point {
    let middle = lerp(start.1, goal, 0.5);
    let mut met = vec![start.0];
    let mut best = (f64::INFINITY, start.1);
    let mut next = 0;
    while let Some(&number) = met.get(next) {
        next += 1;
        let polygon = &graph.polygons[number];
        if polygon.holds(goal) {
            return goal;
        }
        for (edge, (a, b)) in polygon.edges().enumerate() {
            let mut parts: Vec<(f64, f64, usize)> = Vec::new();
            for way in polygon.ways.iter().filter(|way| way.edge == edge) {
                let at = |end: Point| flat_distance(a, end) / flat_distance(a, b);
                let (from, to) = if whole { (0.0, 1.0) } else { (at(way.ends[0]), at(way.ends[1])) };
                parts.push((from, to, way.to));
            }
            parts.sort_by(|x, y| x.0.total_cmp(&y.0));
            let mut reached = 0.0;
            for &(from, to, other) in parts.iter().chain(&[(1.0, 1.0, number)]) {
                if from > reached + f64::from(f32::EPSILON) {
                    let (p, q) = (lerp(a, b, reached), lerp(a, b, from));
                    let (t, away) = nearest_on_segment(p, q, goal);
                    if away < best.0 {
                        best = (away, lerp(p, q, t));
                    }
                }
                reached = f64::max(reached, to);
                let away = nearest_on_segment(lerp(a, b, from), lerp(a, b, to), middle).1;
                if away <= reach && !met.contains(&other) {
                    met.push(other);
                }
            }
        }
    }
    best.1
}
