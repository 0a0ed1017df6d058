//! Links that a bake generates, crossed anywhere along their edges.

use crate::common::place;
use detour::{CornerKind, NavMesh, Passable, PathStatus, Query, ShortestPath, Vec3};
use navlevel::{bake_tiles, prune_islands};
use navscenes::build::Builder;
use navscenes::shooter;
use recast::{PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// Two platforms 3 m high and 9 m wide, 2.4 m apart, in tiles of this size; 0 for a single tile.
fn platforms(tile_cells: u32) -> NavMesh {
    let mut builder = Builder::new();
    builder.block([0.0, 0.0, 0.0], [6.0, 3.0, 9.0]).block([8.4, 0.0, 0.0], [14.4, 3.0, 9.0]);
    let settings = Settings { links: shooter::profiles(), ..Settings::default() };
    let level = PreparedLevel::new(&builder.finish(), &settings).unwrap();
    let tiles = if tile_cells == 0 {
        let mut tiles = vec![bake_solo(&level, &Silent, &mut Scratch::new()).unwrap()];
        prune_islands(&level, 0, &mut tiles).unwrap();
        tiles
    } else {
        bake_tiles(&level, tile_cells, &Silent).unwrap()
    };
    crate::common::mesh(tiles.into_iter().map(|baked| baked.tile))
}

#[test]
fn a_gap_is_crossed_where_the_way_leads() {
    // In one piece, and in tiles that cut the edges.
    for tile_cells in [0, 12, 19] {
        let mesh = platforms(tile_cells);
        let (mut query, mut path) = (Query::new(), ShortestPath::default());
        let links: Vec<_> = mesh.off_mesh_links().map(|link| mesh.off_mesh(link).unwrap()).collect();
        let width: f32 = links.iter().map(|link| 2.0 * link.half_edge.length()).sum();
        assert!(
            links.iter().all(|link| link.ends.is_some()) && width > 6.5,
            "{tile_cells} {width} {links:?}"
        );
        for step in 0..30 {
            let z = 1.3 + step as f32 * 0.22;
            let [from, to] =
                [Vec3::new(2.0, 3.0, z), Vec3::new(12.4, 3.0, z)].map(|point| place(&mesh, point));
            query.shortest_path(&mesh, from, to, &Passable::default(), &mut path).unwrap();
            let start = path.corners.iter().find(|corner| corner.kind == CornerKind::LinkStart).unwrap();
            assert_eq!(path.status, PathStatus::Complete);
            // Between two pieces of an edge there may be a hundredth of a cell.
            assert!((start.point.z - z).abs() < 0.02, "{tile_cells} {z} {path:?}");
            assert!(path.length_from_above < 10.4 + 0.02, "{tile_cells} {z} {path:?}");
        }
    }
}
