//! Finds the lines between walkable triangles of two areas.

use super::areas::{AreaLine, AreaLines, KNOWN, MixedColumns};
use super::find::{WalkableGround, gaps};
use super::shape::LineSegment;
use super::slab::plan;
use super::vector::Plan;
use crate::data::CompactField;
use crate::data::compact::state::Eroded;
use crate::source::Source;
use navtile::area::AreaId;

/// Finds the lines near the edges of areas. `areas` are those of the triangles of the source.
pub(super) fn find_area_lines(
    field: &CompactField<Eroded>,
    source: Source<'_>,
    areas: &[AreaId],
) -> AreaLines {
    let Some(mixed) = MixedColumns::new(field) else { return AreaLines::default() };
    let near = |by: i32| {
        let mixed = &mixed;
        move |low: Plan, high: Plan| mixed.has_near(low, high, by)
    };
    let ground = WalkableGround::new(source.outline_triangles(areas), field, near(KNOWN + 1));
    let mut lines: Vec<AreaLine> = Vec::new();
    for edge in ground.edges(near(KNOWN)) {
        let own = ground.triangles[edge.triangle as usize].area;
        let beyond: Vec<([f64; 2], AreaId)> = ground
            .beyond(edge)
            .into_iter()
            .map(|(range, other)| (range, ground.triangles[other].area))
            .collect();
        let ends = edge.ends(&ground);
        let [a, b] = ends.map(plan);
        let covered = beyond.iter().filter(|(_, area)| *area == own).map(|(range, _)| *range);
        // Triangles are long, and most continue all along their edges.
        let free = gaps(&ends, covered.collect());
        for (range, other) in beyond.iter().filter(|(_, area)| *area != own) {
            for gap in &free {
                let range = [range[0].max(gap[0]), range[1].min(gap[1])];
                lines.extend((range[0] < range[1]).then(|| AreaLine {
                    segment: LineSegment { range, ..LineSegment::new(a, b) },
                    heights: ends.map(|end| end[1]),
                    areas: [own.min(*other), own.max(*other)],
                }));
            }
        }
    }
    // The floor of a cell is the highest ground in it.
    let steep = f64::from(field.grid.cell_size / field.grid.cell_height);
    let reach = f64::from(field.walkable_climb) + 2.0 * steep.ceil();
    AreaLines::new(lines, &mixed, reach)
}
