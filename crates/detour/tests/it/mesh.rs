//! Tiles are added and removed: slots, references, seams, snapshots, islands.

use crate::common::{Grid, METRE, METRE_UP, at, mesh, random_grid, tile, triangle};
use detour::{
    Filter, Islands, Link, MeshError, NavMesh, PolyRef, PreparedTile, Query, Reachable, RefProblem,
    RouteOptions, Vec3,
};
use navtile::content::Beyond;
use navtile::{EdgeContent, PolygonContent, TileContent, TileCoord};

fn coord(x: i32, z: i32) -> TileCoord {
    TileCoord { x, z, layer: 0 }
}

fn polygon_at(mesh: &NavMesh, position: Vec3) -> PolyRef {
    Query::new().nearest(mesh, position, Vec3::splat(0.25), &Filter::default()).unwrap().polygon
}

fn links(mesh: &NavMesh, polygon: PolyRef) -> Vec<Link> {
    let mut links = Vec::new();
    mesh.visit_links(polygon, |link| links.push(link)).unwrap();
    links
}

/// All links as pairs of polygon centres with the opening, so that they do not depend on slots.
fn canonical_links(mesh: &NavMesh) -> Vec<String> {
    let centre = |polygon: PolyRef| {
        let corners = mesh.corners(polygon).unwrap();
        let count = corners.len() as f32;
        corners.sum::<Vec3>() / count
    };
    let mut all: Vec<String> = mesh
        .polygons()
        .flat_map(|p| links(mesh, p).into_iter().map(move |l| (p, l)))
        .map(|(p, l)| format!("{:?} {:?} {:?} {:?}", centre(p), centre(l.to), l.left, l.right))
        .collect();
    all.sort();
    all
}

#[test]
fn meshes_are_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<NavMesh>();
    fn sent<T: Send>() {}
    sent::<Query>();
}

#[test]
fn every_edge_of_a_long_polygon_leads_where_it_should() {
    // A corridor of one polygon, with rooms along one side, and more rooms beyond a seam along the other.
    for (columns, rooms) in [(60, "..#"), (60, "###"), (30, "#..."), (14, ".#."), (13, "###"), (100, "#.")] {
        let row = rooms.repeat(columns).split_at(columns).0.to_owned();
        let text = format!("{row} {}", ".".repeat(columns));
        let mut content = Grid::tiled(&text, 0, 0).content();
        let first = row.matches('.').count();
        let squares = content.polygons.split_off(first);
        let side = |at: usize| squares.iter().map(move |square| square.edges[at]);
        let mut edges: Vec<EdgeContent> = side(0).chain(side(1).skip(columns - 1)).collect();
        edges.extend(side(2).rev().chain(side(3).take(1)));
        let corridor = first as u32;
        for edge in content.polygons.iter_mut().flat_map(|room| &mut room.edges) {
            if let Beyond::Internal(other) = &mut edge.beyond {
                *other = corridor.min(*other);
            }
        }
        // A fan around the middle.
        let count = edges.len() as u32;
        let fan = (0..count).map(|i| triangle([i, (i + 1) % count, count], [true, false, false])).collect();
        let middle = [columns as i32 * METRE / 2, 0, METRE * 3 / 2];
        content.polygons.push(PolygonContent {
            edges,
            detail_vertices: vec![middle],
            detail_triangles: fan,
            ..squares[0].clone()
        });
        let rooms_beyond = ".".repeat(columns);
        let beyond = Grid::tiled(&rooms_beyond, 0, 1);
        let beyond = TileContent { base_cell: [0, 0, 8], ..beyond.content() };
        let mesh = mesh([tile(&content), tile(&beyond)]);
        let found = links(&mesh, polygon_at(&mesh, at(0.5, 1.5)));
        let across = found.iter().filter(|link| link.to.slot() == 1).count();
        assert_eq!((across, found.len() - across), (columns, first), "{columns} {rooms}");
        assert!(found.is_sorted_by_key(|link| link.edge), "{found:?}");
        for link in &found {
            let corners = mesh.corners(link.to).unwrap();
            let middle = corners.sum::<Vec3>() / 4.0;
            let (opening, away) = ((link.left + link.right) / 2.0, middle.z - 1.5);
            assert_eq!((opening.x, opening.z), (middle.x, 1.5 + away.signum() * 0.5));
            let back = links(&mesh, link.to);
            assert!(back.iter().any(|back| (back.left, back.right) == (link.right, link.left)));
        }
    }
}

#[test]
fn tiles_are_added_and_removed_by_coordinate() {
    let mut mesh = mesh([Grid::tiled("..", 0, 0).tile()]);
    assert_eq!((mesh.tile_count(), mesh.polygon_count()), (1, 2));
    let error = mesh.add_tile(Grid::tiled(".", 0, 0).tile()).unwrap_err();
    assert_eq!(error, MeshError::Duplicate(coord(0, 0)));
    assert_eq!(mesh.polygon_count(), 2);
    assert_eq!(mesh.remove_tile(coord(1, 0)), Err(MeshError::NoTile(coord(1, 0))));
    assert_eq!(mesh.remove_tile(coord(0, 0)).unwrap(), Grid::tiled("..", 0, 0).tile());
    assert_eq!((mesh.tile_count(), mesh.lattice()), (0, None));
}

#[test]
fn prepared_tiles_are_added_as_others_are() {
    let rows = ["..", ".."];
    let tiles: Vec<_> = (0..4).map(|x| Grid::tiled(rows[x % 2], x as i32, 0).tile()).collect();
    let anchor = [1.0, 2.0, 3.0];
    let (mut plain, mut prepared) = (NavMesh::new(anchor).unwrap(), NavMesh::new(anchor).unwrap());
    // Prepared on other threads, as in a game with streaming.
    let ready: Vec<PreparedTile> = std::thread::scope(|scope| {
        let threads: Vec<_> = tiles
            .iter()
            .map(|tile| scope.spawn(|| PreparedTile::new(tile.clone(), anchor).unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    plain.add_tiles(tiles.clone()).unwrap();
    for tile in &ready {
        assert_eq!((tile.anchor(), tile.coord()), (anchor, tile.tile().coord()));
        prepared.add_prepared(tile.clone()).unwrap();
    }
    assert_eq!(canonical_links(&plain), canonical_links(&prepared));
    assert_eq!(canonical_links(&plain).len(), 2 * (4 + 3));
    assert_eq!(prepared.add_prepared(ready[0].clone()), Err(MeshError::Duplicate(coord(0, 0))));
    assert_eq!(prepared.replace_prepared(ready[1].clone()).unwrap(), tiles[1]);
    assert_eq!(canonical_links(&plain), canonical_links(&prepared));
    prepared.remove_tile(coord(2, 0)).unwrap();
    assert_eq!(prepared.replace_prepared(ready[2].clone()), Err(MeshError::NoTile(coord(2, 0))));
    let elsewhere = PreparedTile::new(tiles[2].clone(), [0.0; 3]).unwrap();
    let (found, expected) = ([0.0; 3], anchor);
    assert_eq!(
        prepared.add_prepared(elsewhere),
        Err(MeshError::OtherAnchor { coord: coord(2, 0), expected, found })
    );
    assert_eq!(prepared.tile_count(), 3);
    assert!(matches!(PreparedTile::new(tiles[0].clone(), [f64::NAN; 3]), Err(MeshError::Anchor(_))));
    assert!(matches!(PreparedTile::new(tiles[0].clone(), [1e9; 3]), Err(MeshError::TooFar { .. })));
}

#[test]
fn another_lattice_is_refused_by_name() {
    let mut mesh = mesh([Grid::tiled(".", 0, 0).tile()]);
    let mut content = Grid::tiled(".", 1, 0).content();
    content.lattice.cell_size = 0.5;
    let error = mesh.add_tile(tile(&content)).unwrap_err();
    assert!(matches!(error, MeshError::Lattice { .. }));
    let text = error.to_string();
    assert!(text.contains("0.25") && text.contains("0.5") && text.contains("(1, 0, 0)"), "{text}");
    assert_eq!(mesh.tile_count(), 1);
}

#[test]
fn references_outlive_their_tile_only_as_errors() {
    let mut mesh = mesh([Grid::new("..").tile()]);
    let polygon = polygon_at(&mesh, at(0.5, 0.5));
    mesh.remove_tile(coord(0, 0)).unwrap();
    assert_eq!(mesh.attributes(polygon).unwrap_err().problem, RefProblem::NotLoaded);
    mesh.add_tile(Grid::new("..").tile()).unwrap();
    assert_eq!(mesh.attributes(polygon).unwrap_err().problem, RefProblem::Stale);
    let foreign = PolyRef::new(2, 0, 77).unwrap();
    assert_eq!(mesh.attributes(foreign).unwrap_err().problem, RefProblem::NoSuchPolygon);
    let far = PolyRef::new(2, PolyRef::MAX_SLOT, 0).unwrap();
    assert_eq!(mesh.attributes(far).unwrap_err().problem, RefProblem::NotLoaded);
    assert!(mesh.height(polygon, Vec3::ZERO).is_err() && mesh.corners(polygon).is_err());
}

#[test]
fn snapshots_do_not_see_later_changes() {
    let mut now = mesh([Grid::tiled("..", 0, 0).tile()]);
    let before = now.clone();
    let polygon = polygon_at(&before, at(0.5, 0.5));
    now.set_flags(polygon, 0x80).unwrap();
    now.set_area(polygon, 9).unwrap();
    now.add_tile(Grid::tiled("..", 1, 0).tile()).unwrap();
    let (new, old) = (now.attributes(polygon).unwrap(), before.attributes(polygon).unwrap());
    assert_eq!((new.flags, new.area, old.flags, old.area), (0x80, 9, 1, 1));
    assert_eq!((now.tile_count(), before.tile_count()), (2, 1));
    let border = polygon_at(&before, at(1.5, 0.5));
    assert_eq!((links(&before, border).len(), links(&now, border).len()), (1, 2));
    assert_eq!(now.set_area(polygon, 0), Err(MeshError::AreaZero(polygon)));
}

#[test]
fn seams_link_both_ways_and_in_any_order() {
    let tiles = || {
        let texts = ["..\n#.", ".#\n..", "..\n..", "#.\n.."];
        let places = [(0, 0), (1, 0), (0, 1), (1, 1)];
        texts.into_iter().zip(places).map(|(text, (x, z))| Grid::tiled(text, x, z).tile()).collect::<Vec<_>>()
    };
    let forwards = mesh(tiles());
    let backwards = mesh(tiles().into_iter().rev());
    let all = canonical_links(&forwards);
    assert_eq!(all, canonical_links(&backwards));
    // One link in each direction for every two squares next to each other.
    let squares = ["...#", "#...", "..#.", "...."];
    let floor = |x: usize, z: usize| squares[z].as_bytes()[x] == b'.';
    let pairs = (0..4).flat_map(|z| (0..4).map(move |x| (x, z))).map(|(x, z)| {
        usize::from(x < 3 && floor(x, z) && floor(x + 1, z))
            + usize::from(z < 3 && floor(x, z) && floor(x, z + 1))
    });
    assert_eq!(all.len(), 2 * pairs.sum::<usize>());
    // Removing a tile removes its links, and adding it again restores them.
    let mut changed = forwards.clone();
    let gone = changed.remove_tile(coord(1, 1)).unwrap();
    assert!(canonical_links(&changed).len() < all.len());
    changed.add_tile(gone).unwrap();
    assert_eq!(canonical_links(&changed), all);
}

#[test]
fn every_link_has_its_counterpart_with_the_ends_swapped() {
    // The squares of the second tile are half as wide, so that portals overlap in part.
    let mut fine = Grid::tiled("....\n....\n....\n....", 1, 0);
    fine.vertex = Box::new(|column, row| [column * METRE / 2, 0, row * METRE / 2]);
    let mut fine = fine.content();
    (fine.base_cell, fine.size_cells) = ([8, 0, 0], [8, 8]);
    let mesh = mesh([Grid::tiled("..\n..", 0, 0).tile(), tile(&fine)]);
    let coarse = polygon_at(&mesh, at(1.5, 0.5));
    let across: Vec<Link> =
        links(&mesh, coarse).into_iter().filter(|l| l.to.slot() != coarse.slot()).collect();
    assert_eq!(across.len(), 2);
    for polygon in mesh.polygons() {
        for link in links(&mesh, polygon) {
            let back = links(&mesh, link.to);
            assert!(back.iter().any(|b| b.to == polygon && b.left == link.right && b.right == link.left));
        }
    }
    // Leaving towards larger x, the left is towards smaller z.
    assert!(across.iter().all(|l| l.left.x == 2.0 && l.left.z < l.right.z));
}

#[test]
fn far_from_the_anchor_is_an_error_and_near_it_exact() {
    let mut content = Grid::new("..").content();
    content.lattice.origin = [1e8, 0.0, -1e8];
    let far = tile(&content);
    let error = NavMesh::default().add_tile(far.clone()).unwrap_err();
    assert!(matches!(error, MeshError::TooFar { .. }), "{error}");
    let mut near = NavMesh::new([1e8, 0.0, -1e8]).unwrap();
    near.add_tile(far).unwrap();
    assert_eq!(near.bounds().max, at(2.0, 1.0));
    assert_eq!(near.to_world(near.bounds().max), [1e8 + 2.0, 0.0, -1e8 + 1.0]);
    assert_eq!(near.from_world([1e8 + 2.0, 0.0, -1e8 + 1.0]), at(2.0, 1.0));
    assert!(NavMesh::new([f64::NAN, 0.0, 0.0]).is_err());
}

#[test]
fn a_tile_may_lie_as_far_away_as_a_quarter_of_a_cell_is_a_step() {
    // Cells of 0.25 m; from 2^19 m on numbers of 32 bits are a sixteenth apart. The tile is 2 m long.
    for (from, is_near_enough) in
        [(524_286.0, true), (524_286.25, false), (-524_288.0, true), (-524_288.25, false)]
    {
        let mut content = Grid::new("..").content();
        content.lattice.origin[0] = from;
        let added = NavMesh::default().add_tile(tile(&content));
        assert_eq!(added.is_ok(), is_near_enough, "{from}: {added:?}");
    }
}

#[test]
fn many_tiles_fill_pages() {
    let mut mesh = NavMesh::default();
    for x in 0..20 {
        for z in 0..20 {
            mesh.add_tile(Grid::tiled(".", x - 10, z - 10).tile()).unwrap();
        }
    }
    assert_eq!((mesh.tile_count(), mesh.islands().list().len()), (400, 1));
    // All tiles at once, in several batches.
    let mut at_once = NavMesh::default();
    let coords: Vec<_> = (0..400).map(|at| (at / 20 - 10, at % 20 - 10)).collect();
    let take =
        |number: usize| Ok::<_, MeshError>(Grid::tiled(".", coords[number].0, coords[number].1).tile());
    at_once.add_tiles_from(400, take).unwrap();
    assert!(at_once.polygons().eq(mesh.polygons()));
    assert_eq!(canonical_links(&at_once), canonical_links(&mesh));
    let twice = at_once.add_tiles_from(400, |number| take(399 - number));
    assert_eq!(twice, Err(MeshError::Duplicate(coord(9, 9))));
    let middle = polygon_at(&mesh, at(-9.5, 9.5));
    mesh.remove_tile(coord(-10, 9)).unwrap();
    assert!(mesh.attributes(middle).is_err());
    assert_eq!((mesh.tile_count(), mesh.tiles().count(), mesh.islands().list().len()), (399, 399, 1));
    mesh.add_tile(Grid::tiled(".", -10, 9).tile()).unwrap();
    assert_eq!(polygon_at(&mesh, at(-9.5, 9.5)).slot(), middle.slot());
}

#[test]
fn islands_are_counted_and_measured() {
    let mut raised = Grid::tiled("..#\n###\n2..", 1, 0);
    raised.vertex = Box::new(|column, row| [column * METRE, METRE_UP / 10, row * METRE]);
    let mesh = mesh([Grid::tiled("...\n###\n.#.", 0, 0).tile(), raised.tile()]);
    let islands = mesh.islands();
    let counted: Vec<(usize, f64)> = islands.list().iter().map(|i| (i.polygons, i.area)).collect();
    assert_eq!(counted, [(5, 5.0), (4, 4.0), (1, 1.0)]);
    let [a, b, c] = [at(0.5, 0.5), at(4.5, 0.5), at(0.5, 2.5)].map(|p| polygon_at(&mesh, p));
    assert_eq!((islands.of(a), islands.of(c)), (Some(0), Some(2)));
    assert_eq!(islands.reachable(a, b), Reachable::Maybe);
    assert_eq!(islands.reachable(a, c), Reachable::No);
    assert_eq!(islands.of(PolyRef::new(9, 0, 0).unwrap()), None);
    let without_water = Islands::new(&mesh, &Filter::default().with_exclude(2));
    let counted: Vec<usize> = without_water.list().iter().map(|i| i.polygons).collect();
    assert_eq!(counted, [5, 2, 1, 1]);
}

#[test]
fn tiles_know_what_one_tile_knows() {
    for seed in 1..20 {
        let mut text = String::new();
        random_grid(seed, 16, 35, &mut text);
        let whole = mesh([Grid::new(&text).tile()]);
        let rows: Vec<&str> = text.split_whitespace().collect();
        let part = |x: usize, z: usize| {
            rows[z * 4..z * 4 + 4].iter().map(|row| &row[x * 4..x * 4 + 4]).collect::<Vec<_>>().join(" ")
        };
        let mut tiled = NavMesh::default();
        for (x, z) in (0..4).flat_map(|x| (0..4).map(move |z| (x, z))) {
            tiled.add_tile(Grid::tiled(&part(x, z), x as i32, z as i32).tile()).unwrap();
        }
        assert_eq!(canonical_links(&whole), canonical_links(&tiled), "seed {seed}");
        let sizes =
            |mesh: &NavMesh| mesh.islands().list().iter().map(|i| (i.polygons, i.area)).collect::<Vec<_>>();
        assert_eq!(sizes(&whole), sizes(&tiled), "seed {seed}");
        // Costs are those of the same edges, so paths have the same length.
        let (mut query, options) = (Query::new(), RouteOptions::default());
        let mut length = |mesh: &NavMesh| {
            let found =
                query.route(mesh, at(0.5, 0.5), at(15.5, 15.5), &Filter::default(), &options).unwrap();
            (found.status, found.length)
        };
        let (one, many) = (length(&whole), length(&tiled));
        assert_eq!(one.0, many.0);
        assert!((one.1 - many.1).abs() < 0.5, "seed {seed}: {one:?} {many:?}");
    }
}

#[test]
fn polygons_of_a_tile_are_referred_to_by_their_numbers() {
    let (first, second) = (Grid::tiled(".. ..", 0, 0), Grid::tiled("... ...", 1, 0));
    let tiles = [first.content(), second.content()];
    let counts = tiles.each_ref().map(|content| content.polygons.len());
    let mesh = mesh(tiles.each_ref().map(tile));
    let all: Vec<PolyRef> = mesh.polygons().collect();
    let referred = (0..2).flat_map(|x| (0..counts[x]).map(move |index| (coord(x as i32, 0), index as u32)));
    let found: Vec<Option<PolyRef>> = referred.map(|(tile, index)| mesh.reference(tile, index)).collect();
    assert_eq!(found, all.into_iter().map(Some).collect::<Vec<_>>());
    for (x, count) in (0..).zip(counts) {
        assert_eq!(mesh.reference(coord(x, 0), count as u32), None);
        assert_eq!(mesh.reference(coord(x, 0), u32::MAX), None);
    }
    assert_eq!(mesh.reference(coord(2, 0), 0), None);
}
