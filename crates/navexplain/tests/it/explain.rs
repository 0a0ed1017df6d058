//! Explanations of places with and without mesh: for each cause a small level in which exactly that cause
//! applies.

use navexplain::{Column, Explanation, Floor, Location, Reason, ReasonCode, explain};
use recast::data::Direction;
use recast::{
    AreaDefinition, AreaId, Level, Partition, PreparedLevel, Scratch, Settings, Shape, Silent, StageId,
    Volume,
};
use recast::{Snapshot, TileBuild, bake_tapped};

/// A flat rectangle, counter-clockwise seen from above.
fn plate(level: &mut Level, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], y: f64) {
    quad(level, [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]);
}

fn quad(level: &mut Level, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

fn plates(list: &[([f64; 2], [f64; 2], f64)]) -> Level {
    let mut level = Level::default();
    list.iter().for_each(|&(min, max, y)| plate(&mut level, min, max, y));
    level
}

/// 12 x 12 m at height 0.
fn floor() -> Level {
    plates(&[([0.0, 0.0], [12.0, 12.0], 0.0)])
}

fn ask(level: &Level, settings: &Settings, at: [f64; 3]) -> Explanation {
    let level = PreparedLevel::new(level, settings).unwrap();
    explain(&level, &TileBuild::solo(&level), at, &Silent, &mut Scratch::new()).unwrap()
}

fn column(level: &Level, settings: &Settings, at: [f64; 3]) -> Column {
    match ask(level, settings, at).location {
        Location::Column(column) => column,
        outside => panic!("{outside:?}"),
    }
}

/// The floor nearest to the place.
fn nearest(level: &Level, settings: &Settings, at: [f64; 3]) -> Floor {
    column(level, settings, at).floors.remove(0)
}

fn cause(level: &Level, settings: &Settings, at: [f64; 3]) -> Reason {
    let floor = nearest(level, settings, at);
    floor.cause.unwrap_or_else(|| panic!("no cause: {floor:?}"))
}

/// Checks the kind of a reason and returns the number found and the limit.
fn numbers(reason: Reason, code: ReasonCode) -> [f64; 2] {
    assert_eq!(reason.code, code, "{reason:?}");
    [reason.found, reason.limit].map(|number| number.unwrap())
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-3, "{found}, expected {expected}");
}

#[test]
fn a_floor_is_in_a_polygon() {
    let explanation = ask(&floor(), &Settings::default(), [6.0, 0.5, 6.0]);
    let polygon = *explanation.polygon().unwrap();
    assert_eq!((polygon.area, polygon.flags), (AreaId::GROUND, 1));
    let Location::Column(column) = explanation.location else { panic!("a column") };
    assert_eq!((column.cell, column.floors.len(), column.other_floors), ([20, 20], 1, 0));
    let floor = &column.floors[0];
    assert_eq!((floor.cause.as_ref(), floor.polygon, floor.region), (None, Some(0), Some(1)));
    assert_eq!(floor.clearance, None);
    near(floor.height, 0.2);
    near(polygon.height, 0.2);
}

#[test]
fn far_above_a_floor_there_is_no_mesh() {
    let explanation = ask(&floor(), &Settings::default(), [6.0, 30.0, 6.0]);
    assert_eq!(explanation.polygon(), None);
    let Location::Column(column) = explanation.location else { panic!("a column") };
    assert_eq!(
        (column.floors.len(), column.floors[0].polygon),
        (1, Some(0)),
        "the nearest floor is reported"
    );
    near(column.floors[0].height, 0.2);
    near(column.polygons[0].height, 0.2);
}

#[test]
fn outside_the_level_there_is_nothing() {
    let explanation = ask(&floor(), &Settings::default(), [12.1, 0.0, 6.0]);
    assert_eq!(explanation.polygon(), None);
    let Location::Outside { baked: [[x0, x1], [z0, z1]] } = explanation.location else { panic!("inside") };
    for (found, expected) in [(x0, 0.0), (x1, 12.0), (z0, 0.0), (z1, 12.0)] {
        near(found, expected);
    }
    for odd in [f64::NAN, f64::INFINITY, -1e300] {
        let explanation = ask(&floor(), &Settings::default(), [odd, odd, odd]);
        assert!(matches!(explanation.location, Location::Outside { .. }), "{odd}");
    }
}

#[test]
fn a_gap_has_no_geometry() {
    let level = plates(&[([0.0, 0.0], [3.0, 9.0], 0.0), ([6.0, 0.0], [9.0, 9.0], 0.0)]);
    let column = column(&level, &Settings::default(), [4.0, 0.0, 4.0]);
    assert!(column.floors.is_empty() && column.polygons.is_empty(), "{column:?}");
    near(column.nearest_geometry.unwrap(), 4.0 * 0.3);
}

#[test]
fn a_steep_surface_is_reported_with_its_slope() {
    let mut level = Level::default();
    let rise = 6.0 * 3f64.sqrt();
    quad(&mut level, [[0.0, 0.0, 0.0], [0.0, 0.0, 6.0], [6.0, rise, 6.0], [6.0, rise, 0.0]]);
    let cause = cause(&level, &Settings::default(), [3.0, 5.2, 3.0]);
    let [slope, limit] = numbers(cause, ReasonCode::TooSteep(None));
    near(slope, 60.0);
    assert_eq!((limit, cause.dropped().unwrap().0), (45.0, StageId::MarkWalkable));
}

#[test]
fn a_surface_that_faces_down_is_reported() {
    let mut level = floor();
    level.triangles.iter_mut().for_each(|triangle| triangle.reverse());
    let cause = cause(&level, &Settings::default(), [6.0, 0.0, 6.0]);
    assert_eq!(numbers(cause, ReasonCode::FacesDown)[0], 180.0);
    assert!(cause.dropped().unwrap().1.contains("flip the triangle"));
}

#[test]
fn a_blocker_is_a_step_or_too_high() {
    // A beam over the floor whose top is too steep: its edges are low and high.
    let beam = |low: f64| {
        let mut level = floor();
        let high = low + 0.35;
        quad(&mut level, [[5.9, low, 0.0], [5.9, low, 12.0], [6.1, high, 12.0], [6.1, high, 0.0]]);
        level
    };
    let floor = nearest(&beam(0.45), &Settings::default(), [6.05, 0.6, 6.0]);
    assert!(floor.stepped_over.is_some_and(|step| step <= 0.8) && floor.cause.is_none(), "{floor:?}");
    let cause = cause(&beam(1.0), &Settings::default(), [6.05, 1.3, 6.0]);
    let ReasonCode::TooSteep(Some([step, climb])) = cause.code else { panic!("{cause:?}") };
    near(climb, 0.8);
    assert!(step > climb, "{step}");
}

#[test]
fn what_the_level_gives_no_area_is_reported() {
    let level = Level { areas: vec![AreaId::NULL; 2], ..floor() };
    assert_eq!(cause(&level, &Settings::default(), [6.0, 0.0, 6.0]), ReasonCode::Unwalkable.into());
}

#[test]
fn a_drop_is_reported_with_its_depth() {
    let level = plates(&[([0.0, 0.0], [6.0, 9.0], 3.0), ([6.0, 0.0], [12.0, 9.0], 0.0)]);
    let cause = cause(&level, &Settings::default(), [5.9, 3.0, 4.5]);
    let [drop, climb] = numbers(cause, ReasonCode::Drop(Direction::XMax));
    near(drop, 3.0);
    near(climb, 0.8);
    assert_eq!(cause.comparison().unwrap().setting, "agent.climb");
}

#[test]
fn the_rim_of_a_floor_is_reported() {
    let level = plates(&[([0.0, 0.0], [5.0, 9.0], 0.0), ([8.0, 0.0], [12.0, 9.0], 0.0)]);
    let cause = cause(&level, &Settings::default(), [4.9, 0.0, 4.5]);
    assert_eq!(cause, ReasonCode::Void(Direction::XMax).into());
}

#[test]
fn the_edge_of_what_is_baked_is_reported() {
    let cause = cause(&floor(), &Settings::default(), [6.0, 0.0, 0.1]);
    assert_eq!(cause, ReasonCode::GridEdge(Direction::ZMin).into());
}

#[test]
fn a_slope_like_a_ladder_is_reported() {
    let mut level = Level::default();
    quad(&mut level, [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 5.7, 9.0], [9.0, 5.7, 0.0]]);
    let settings = Settings { agent_climb: 0.2, ..Settings::default() };
    let cause = cause(&level, &settings, [4.5, 3.0, 4.5]);
    let [difference, climb] = numbers(cause, ReasonCode::Uneven);
    near(difference, 0.4);
    near(climb, 0.2);
}

#[test]
fn a_low_ceiling_is_reported_with_its_space() {
    let level = plates(&[([0.0, 0.0], [12.0, 12.0], 0.0), ([3.0, 3.0], [9.0, 9.0], 1.5)]);
    let cause = cause(&level, &Settings::default(), [6.0, 0.0, 6.0]);
    let [clearance, height] = numbers(cause, ReasonCode::LowCeiling);
    near(clearance, 1.4);
    near(height, 2.0);
    let column = column(&level, &Settings::default(), [6.0, 0.0, 6.0]);
    assert_eq!(column.floors.len(), 2, "the roof is near too");
    assert!(column.floors[1].cause.is_none() && column.floors[1].polygon.is_some(), "{column:?}");
    assert_eq!(column.floors[0].polygon, None, "the polygon is the roof's");
}

#[test]
fn what_erosion_takes_is_reported_with_its_distance() {
    let cause = cause(&floor(), &Settings::default(), [6.0, 0.0, 0.7]);
    let ([distance, radius], border) = (numbers(cause, ReasonCode::Eroded), cause.place.unwrap());
    near(distance, 0.3);
    near(radius, 0.6);
    near(border[2], 0.45);
    near(border[0], 6.15);
}

#[test]
fn a_volume_that_takes_the_ground_is_named() {
    let volume = |min: f64, area: u8| Volume {
        shape: Shape::Box { min: [min, -1.0, min], max: [9.0, 1.0, 9.0] },
        area: AreaId(area),
    };
    let settings = Settings { volumes: vec![volume(3.0, 7), volume(5.0, 0)], ..Settings::default() };
    assert_eq!(cause(&floor(), &settings, [7.0, 0.0, 7.0]), ReasonCode::Volume(1, 2).into());
    let kept = nearest(&floor(), &settings, [4.0, 0.0, 7.0]);
    assert_eq!((kept.area, kept.cause), (AreaId(7), None));
}

#[test]
fn an_island_that_is_too_small_is_reported_with_its_size() {
    // 20 cells on a side, less two of ledge and two times two of radius: 14. The second: 12, so 6.
    let level = plates(&[([0.0, 0.0], [6.0, 6.0], 0.0), ([9.0, 0.0], [12.6, 3.6], 0.0)]);
    for (_, partition) in Partition::NAMES {
        let settings = Settings { partition, ..Settings::default() };
        let cause = cause(&level, &settings, [10.8, 0.0, 1.8]);
        let [area, minimum] = numbers(cause, ReasonCode::RegionTooSmall);
        near(area, 36.0 * 0.09);
        near(minimum, 64.0 * 0.09);
        assert_eq!(nearest(&level, &settings, [3.0, 0.0, 3.0]).cause, None);
    }
}

#[test]
fn the_border_of_a_tile_is_its_neighbours() {
    let level = PreparedLevel::new(&floor(), &Settings::default()).unwrap();
    let build = TileBuild::tiled(&level, 20, navtile::TileCoord::default()).unwrap();
    let ask = |at| explain(&level, &build, at, &Silent, &mut Scratch::new()).unwrap();
    let Location::Column(column) = ask([6.5, 0.0, 3.0]).location else { panic!("a column") };
    assert_eq!(column.floors[0].cause, Some(ReasonCode::TileBorder.into()));
    assert!(ask([5.0, 0.0, 3.0]).polygon().is_some());
    assert!(matches!(ask([11.0, 0.0, 3.0]).location, Location::Outside { .. }));
}

#[test]
fn what_a_rough_outline_leaves_out_is_reported() {
    let mut level = Level::default();
    let corners = 24u32;
    level.vertices.push([7.0, 0.0, 7.0]);
    for corner in 0..corners {
        let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
        level.vertices.push([7.0 + 7.0 * angle.cos(), 0.0, 7.0 - 7.0 * angle.sin()]);
        level.triangles.push([0, corner + 1, (corner + 1) % corners + 1]);
    }
    let settings = Settings { contour_max_error: Some(2.0), ..Settings::default() };
    let mut found = 0;
    for step in 0..40 {
        let angle = std::f64::consts::TAU * f64::from(step) / 40.0;
        let at = [7.0 + 5.9 * angle.cos(), 0.2, 7.0 + 5.9 * angle.sin()];
        let floor = nearest(&level, &settings, at);
        let Some(cause) = floor.cause.filter(|cause| cause.found.is_some()) else { continue };
        let [distance, contour_error] = numbers(cause, ReasonCode::OutsidePolygons);
        assert!(distance > 0.0 && distance <= contour_error + 0.5, "{distance} of {contour_error}");
        assert!(floor.polygon.is_none() && floor.region.is_some(), "{floor:?}");
        found += 1;
    }
    assert!(found > 0, "a circle drawn with an error of 2 m covers all of it");
}

#[test]
fn a_place_inside_a_solid_is_reported() {
    let mut level = floor();
    let (low, high) = (4.0, 6.0);
    for (a, b) in [([low, low], [low, high]), ([high, high], [high, low])] {
        quad(&mut level, [[a[0], 0.0, a[1]], [b[0], 0.0, b[1]], [b[0], 3.0, b[1]], [a[0], 3.0, a[1]]]);
    }
    // A plate just below the place is nearer than the top, but the place is in the wall.
    plate(&mut level, [0.0, 0.0], [12.0, 12.0], -0.6);
    let floor = nearest(&level, &Settings::default(), [4.1, 0.0, 5.0]);
    assert!(floor.buried, "{floor:?}");
    assert_eq!(floor.cause.map(|cause| (cause.name(), cause.found)), Some(("too_steep", Some(90.0))));
}

#[test]
fn areas_and_storeys_are_kept_apart() {
    let mut level = plates(&[([0.0, 0.0], [12.0, 12.0], 0.0), ([0.0, 0.0], [12.0, 12.0], 4.0)]);
    level.areas = vec![AreaId::GROUND, AreaId::GROUND, AreaId(5), AreaId(5)];
    let mud =
        AreaDefinition { id: AreaId(5), name: "mud".into(), flags: 6, cost: 3.0, ..AreaDefinition::ground() };
    let settings = Settings { areas: vec![mud, AreaDefinition::ground()], ..Settings::default() };
    for (y, area, flags) in [(0.0, AreaId::GROUND, 1), (4.0, AreaId(5), 6)] {
        let explanation = ask(&level, &settings, [6.0, y, 6.0]);
        let polygon = *explanation.polygon().unwrap();
        assert_eq!((polygon.area, polygon.flags), (area, flags));
        let Location::Column(column) = explanation.location else { panic!("a column") };
        assert_eq!((column.floors.len(), column.other_floors, column.polygons.len()), (1, 1, 1));
        assert_eq!(column.floors[0].area, area);
    }
}

/// Floors all over the courtyard: the explanation must agree with the bake.
#[test]
fn a_whole_level_is_explained_as_it_was_baked() {
    let scene = navscenes::by_name("courtyard").unwrap();
    let (level, settings) = ((scene.level)(), (scene.settings)());
    let level = PreparedLevel::new(&level, &settings).unwrap();
    let build = TileBuild::solo(&level);
    // By column and height in cells, floors with a region of the mesh.
    let mut kept = std::collections::BTreeSet::<(usize, i32)>::new();
    let mut tap = |snapshot: Snapshot<'_>| {
        if let Snapshot::Regions(regions) = snapshot {
            for column in 0..regions.field.grid.columns() {
                for span in regions.field.column(column).filter(|&span| regions.region[span].is_inner()) {
                    kept.insert((column, regions.field.floor[span]));
                }
            }
        }
    };
    bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut tap).unwrap();
    let mut causes = std::collections::BTreeMap::<&str, usize>::new();
    // Step sizes that share no factor with the walls' metres, so that every kind of place occurs.
    let steps = if navscenes::is_long() { [7, 11] } else { [11, 13] };
    for z in (0..build.grid.depth).step_by(steps[1]) {
        for x in (0..build.grid.width).step_by(steps[0]) {
            let at = [x, z].map(|cell| (f64::from(cell) + 0.5) * 0.3);
            let at = [level.lattice.origin[0] + at[0], 1.0, level.lattice.origin[2] + at[1]];
            let explanation = explain(&level, &build, at, &Silent, &mut Scratch::new()).unwrap();
            let Location::Column(column) = explanation.location else { panic!("outside: {at:?}") };
            for floor in &column.floors {
                let cells = ((floor.height - level.lattice.origin[1]) / 0.2).round() as i32;
                let baked = kept.contains(&(build.grid.column(x, z), cells));
                assert_eq!(baked, floor.region.is_some(), "{at:?}: {floor:?}");
                let later = matches!(
                    floor.cause.map(|cause| cause.code),
                    None | Some(ReasonCode::OutsidePolygons | ReasonCode::NoContour(_))
                );
                assert_eq!(baked, later, "{at:?}: {floor:?}");
                *causes.entry(floor.cause.as_ref().map_or("mesh", Reason::name)).or_default() += 1;
            }
        }
    }
    assert!(causes.len() >= 5 && causes["mesh"] > 50 && !causes.contains_key("no_region"), "{causes:?}");
}

/// Returns true if tiles have a polygon over a place, within the agent's height of it; `None` on a slope,
/// where the corners do not decide it.
fn has_mesh(tiles: &[recast::Baked], at: [f64; 3], reach: f64) -> Option<bool> {
    let mut found = false;
    for baked in tiles {
        let tile = &baked.tile;
        for polygon in tile.polygons() {
            let corners: Vec<[f64; 3]> = tile
                .polygon_edges(polygon)
                .iter()
                .map(|edge| tile.to_world(tile.vertices()[edge.vertex as usize]))
                .collect();
            let side = |i: usize| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                (b[0] - a[0]) * (at[2] - a[2]) - (b[2] - a[2]) * (at[0] - a[0])
            };
            let all = |sign: f64| (0..corners.len()).all(|i| side(i) * sign >= 0.0);
            if !all(1.0) && !all(-1.0) {
                continue;
            }
            let heights = corners.iter().map(|corner| corner[1]);
            let (low, high) = (heights.clone().fold(f64::MAX, f64::min), heights.fold(f64::MIN, f64::max));
            if high - low > 0.5 {
                return None;
            }
            found |= (low - at[1]).abs() <= reach - 0.5;
        }
    }
    Some(found)
}

#[test]
fn places_of_a_tiled_bake_are_explained_as_it_is() {
    use navexplain::explain_tiled;
    let scene = navscenes::by_name("courtyard").unwrap();
    let mut judged = 0;
    for (min_area, tile_cells) in [(6.0, 32), (40.0, 32), (40.0, 20)] {
        let settings = Settings { region_min_area: Some(min_area), ..(scene.settings)() };
        let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
        let tiles = navlevel::bake_tiles(&level, tile_cells, &Silent).unwrap();
        let side = f64::from(level.size[0]) * settings.cell_size;
        for step in 0..40u32 {
            // A walk over the level that meets no cell's edge.
            let share = |factor: u32| f64::from(step * factor % 41) / 41.0;
            let at = [
                level.lattice.origin[0] + side * share(7) + 0.007,
                if step % 4 == 0 { 3.2 } else { 0.2 },
                level.lattice.origin[2] + side * 0.7 * share(13) + 0.011,
            ];
            let explained = explain_tiled(&level, tile_cells, at, &Silent, &mut Scratch::new()).unwrap();
            if let Some(expected) = has_mesh(&tiles, at, 2.0) {
                let found = explained.polygon().is_some();
                assert_eq!(found, expected, "{at:?}, tiles of {tile_cells}: {explained:?}");
                judged += 1;
            }
        }
    }
    assert!(judged > 80, "{judged} places judged");
}
