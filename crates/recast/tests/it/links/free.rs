//! No link leads through anything, wherever it is crossed, and each begins and ends on the mesh. `NAVTILE_LEVELS` sets how many levels of the generator are
//! baked and `NAVTILE_SEED` the first seed.

use super::body::{Cylinder, near, profile, triangles, way};
use super::{Subject, bake, crossings, generated, links, subjects, whole_links};
use crate::generated_levels::each_seed;
use navtile::off_mesh::{end_tile, global};
use navtile::off_mesh_edge::snap_edge;
use recast::{Baked, LinkKind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Checks all links of a subject in tiles; returns how many there are.
fn check(subject: &Subject, tile_cells: u32) -> usize {
    let level = subject.prepared();
    let tiles = bake(&level, tile_cells);
    let all = triangles(subject);
    // A body touches a column if it reaches the column's middle: half a diagonal further in is certainly touched.
    let body = Cylinder::of(subject, 0.5f64.sqrt());
    let whole = whole_links(&level, tile_cells);
    for (kind, link) in &crossings(&level, &whole) {
        let what = format!("{}: {kind:?} from {:?} to {:?}", subject.name, link.start, link.end);
        let near = near(&all, link.start, link.end, body.radius);
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
    on_the_mesh(subject, &tiles);
    assert!(links(&tiles).len() >= whole.len(), "{}: a link was lost where it was cut", subject.name);
    whole.len()
}

/// Each end of a link has ground.
fn on_the_mesh(subject: &Subject, tiles: &[Baked]) {
    for tile in tiles.iter().map(|baked| &baked.tile) {
        for link in tile.off_mesh_links() {
            let other = tiles.iter().find(|other| other.tile.coord() == end_tile(link)).unwrap();
            let ends = [(tile, link.start), (&other.tile, link.end)];
            for (on, end) in ends {
                let found = snap_edge(on, link, global(tile, end));
                assert!(found.is_some(), "{}: {:?} has no ground", subject.name, tile.to_world(end));
            }
        }
    }
}

#[test]
fn no_link_of_a_scene_leads_through_anything() {
    for subject in subjects() {
        let counts = [0, 48].map(|tile_cells| check(&subject, tile_cells));
        println!("{}: {} links, all free", subject.name, counts[0]);
        assert_eq!(counts[0], counts[1], "{}", subject.name);
    }
}

#[test]
fn no_link_of_a_generated_level_leads_through_anything() {
    let total = AtomicUsize::new(0);
    each_seed(24, "have a link that leads through something", |seed| {
        let links = check(&generated(seed), 40);
        total.fetch_add(links, Ordering::Relaxed);
    });
    let total = total.into_inner();
    println!("{total} links, all free");
    assert!(total > 100);
}
