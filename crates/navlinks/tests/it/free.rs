//! No link leads through anything at any of its crossings, and each begins and ends on the mesh.
//! `NAVTILE_LEVELS` sets the number of generated levels that are baked and `NAVTILE_SEED` the first seed.

use super::body::{
    Cylinder, Triangle, heights_within, near, parts_outside, profile, triangles, triangles_by, way,
};
use super::{Subject, bake, crossings, links, subjects, whole_links};
use crate::generated::{LADDER, boxes, wild};
use navlinks::GeneratedLink;
use navmath::FIXED_ONE;
use navscenes::generated::each_seed;
use navtile::off_mesh::{WorldLink, end_tile, global, snap_within};
use navtile::off_mesh_edge::snap_edge;
use recast::{Baked, LinkKind, PreparedLevel};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Checks all links of a subject in tiles, whose surface is off its floors by no more than some cells.
/// Returns the number of links of each kind.
fn check(subject: &Subject, tile_cells: u32, cells_off: i64) -> [usize; 4] {
    let level = subject.prepared();
    let tiles = bake(&level, tile_cells);
    let all = triangles(subject);
    let by_area = [true, false].map(|is_ladder| triangles_if(subject, is_ladder));
    // A body touches a column if it reaches the column's middle: half a diagonal further in is certainly
    // touched.
    let body = Cylinder::of(subject, 0.5f64.sqrt());
    let whole = whole_links(&level, tile_cells);
    for (kind, link) in &crossings(&level, &whole) {
        let what = format!("{}: {kind:?} from {:?} to {:?}", subject.name, link.start, link.end);
        let near = match kind {
            LinkKind::Ladder => outside_ladders(&level, link, body.radius, &by_area),
            _ => near(&all, link.start, link.end, body.radius),
        };
        let hit = body.hits(&way(subject, *kind, link, &body), &near, 1e-3);
        assert!(hit.is_none(), "{what}: through {:?}", hit.map(|index| near[index]));
        let (across, up) =
            ((link.end[0] - link.start[0]).hypot(link.end[2] - link.start[2]), link.end[1] - link.start[1]);
        let profile = profile(subject, *kind);
        let [least, most] = profile.used_distance(subject.settings.agent_radius, subject.settings.cell_size);
        let margin = (2.0 * f64::from(level.config.walkable_radius) + 3.0) * subject.settings.cell_size;
        let between = (across - margin).max(0.0);
        assert!((least - 1e-6..=most + 1e-6).contains(&between), "{what}");
        let [a, b] = profile.height;
        let allowed = match kind {
            LinkKind::Drop => -b..=-a,
            LinkKind::Climb | LinkKind::Ladder => a..=b,
            LinkKind::Jump => -a..=b,
        };
        assert!((allowed.start() - 1e-6..=allowed.end() + 1e-6).contains(&up), "{what}: {up}");
    }
    if strays(subject) {
        return count(&whole);
    }
    on_the_mesh(subject, &tiles, cells_off);
    assert!(links(&tiles).len() >= whole.len(), "{}: a link was lost where it was cut", subject.name);
    count(&whole)
}

/// The triangles of a level that are ladders, or all others.
fn triangles_if(subject: &Subject, is_ladder: bool) -> Vec<Triangle> {
    let areas = &subject.level.areas;
    let own = |index: usize| (areas.get(index) == Some(&LADDER)) == is_ladder;
    triangles_by(subject, own)
}

/// The parts of triangles near a path that are not at the heights of a ladder in their columns. Parts at
/// these heights, such as the wall behind a ladder, do not block an agent that climbs it.
fn outside_ladders(
    level: &PreparedLevel,
    link: &WorldLink,
    reach: f64,
    [ladders, others]: &[Vec<Triangle>; 2],
) -> Vec<Triangle> {
    let (lattice, cell) = (&level.lattice, level.lattice.cell_size);
    let columns = |axis: usize| {
        let column = |at: f64| ((at - lattice.origin[axis]) / cell).floor() as i64;
        let ends = [link.start[axis], link.end[axis]];
        column(ends[0].min(ends[1]) - reach)..=column(ends[0].max(ends[1]) + reach)
    };
    let mut parts = Vec::new();
    let others = near(others, link.start, link.end, reach);
    // Take everything from the columns near the path.
    let ladders = near(ladders, link.start, link.end, reach + 2.0 * cell);
    for (x, z) in columns(0).flat_map(|x| columns(2).map(move |z| (x, z))) {
        let side = |axis: usize, at: i64| {
            let low = lattice.origin[axis] + at as f64 * cell;
            (axis, [low, low + cell])
        };
        let sides = [side(0, x), side(2, z)];
        let ranges = ladders.iter().filter_map(|ladder| heights_within(ladder, &sides));
        let joined = ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let range = joined.map(|[low, high]| [low - lattice.cell_height, high + lattice.cell_height]);
        parts.extend(others.iter().flat_map(|other| parts_outside(other, &sides, range)));
    }
    parts
}

/// Number of links of each kind.
fn count(links: &[GeneratedLink]) -> [usize; 4] {
    let kind = |link: &GeneratedLink| LinkKind::of_user_id(link.connection.user_id).unwrap().0;
    LinkKind::ALL.map(|own| links.iter().filter(|link| kind(link) == own).count())
}

/// Returns true if the mesh may be so far from the floors at its borders that it has heights of other floors,
/// and small islands have no polygon.
fn strays(subject: &Subject) -> bool {
    let settings = &subject.settings;
    settings.contour_max_error.is_some_and(|error| error > 2.0 * settings.cell_size)
}

/// Each end of a link must have ground. On steep slopes the surface may be off its floors by some cells,
/// which is more than some agents climb: on such levels the ends are searched that much further up and down.
fn on_the_mesh(subject: &Subject, tiles: &[Baked], cells_off: i64) {
    for tile in tiles.iter().map(|baked| &baked.tile) {
        for link in tile.off_mesh_links() {
            let other = tiles.iter().find(|other| other.tile.coord() == end_tile(link)).unwrap();
            let ends = [(tile, link.start), (&other.tile, link.end)];
            for (on, end) in ends {
                let place = global(tile, end);
                let climb = f64::from(on.header().agent[2]) / on.header().cell_height;
                let reach = climb.ceil() as i64 + cells_off;
                let found = snap_edge(on, link, place).is_some()
                    || cells_off > 0
                        && snap_within(on, place, link.radius, reach * i64::from(FIXED_ONE)).is_some();
                assert!(found, "{}: {:?} has no ground", subject.name, tile.to_world(end));
            }
        }
    }
}

#[test]
fn no_link_of_a_scene_leads_through_anything() {
    for subject in subjects() {
        let counts = [0, 48].map(|tile_cells| check(&subject, tile_cells, 0));
        println!("{}: {:?} drops, jumps, climbs and ladders, all free", subject.name, counts[0]);
        assert_eq!(counts[0], counts[1], "{}", subject.name);
    }
}

/// Largest offset of the surface of loose triangles from its floors, cells.
const STEEP: i64 = 4;

/// Checks generated levels.
fn check_generated(long_count: u64, level: impl Fn(u64) -> Subject, cells_off: i64) {
    let totals = [const { AtomicUsize::new(0) }; 4];
    each_seed(long_count, "have a link that leads through something", |seed| {
        let counts = check(&level(seed), 40, cells_off);
        for (total, count) in totals.iter().zip(counts) {
            total.fetch_add(count, Ordering::Relaxed);
        }
    });
    let totals = totals.map(AtomicUsize::into_inner);
    println!("{totals:?} drops, jumps, climbs and ladders, all free");
    assert!(totals.iter().all(|&total| total > 0), "{totals:?}");
}

#[test]
fn no_jump_falls_through_the_sloping_floor_that_it_leaves() {
    // Sheets above one another, and jumps of one cell down from the upper to the lower one.
    for seed in [31, 33, 127, 249] {
        check(&wild(seed), 40, STEEP);
    }
}

#[test]
fn no_link_of_generated_boxes_leads_through_anything() {
    check_generated(24, boxes, 0);
}

#[test]
fn no_link_of_a_generated_level_leads_through_anything() {
    check_generated(24, wild, STEEP);
}
