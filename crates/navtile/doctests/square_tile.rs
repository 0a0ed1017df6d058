// For the examples in the documentation: makes the tile in a given column of a row of tiles. Each tile is one
// square of 4 by 4 cells with a portal on every side.
|column: i32| -> navtile::Tile {
    use navtile::content::Beyond;
    use navtile::layout::side;
    let side = 4 * navmath::FIXED_ONE;
    let edge = |vertex, on| navtile::EdgeContent { vertex, beyond: Beyond::Portal(on) };
    let content = navtile::TileContent {
        coord: navtile::TileCoord { x: column, z: 0, layer: 0 },
        lattice: navmath::Lattice { origin: [0.0; 3], cell_size: 0.5, cell_height: 0.25 },
        base_cell: [4 * i64::from(column), 0, 0],
        size_cells: [4, 4],
        agent: [0.5, 2.0, 0.5, 45.0],
        vertices: vec![[0, 0, side], [side, 0, side], [side, 0, 0], [0, 0, 0]],
        polygons: vec![navtile::PolygonContent {
            edges: vec![edge(0, side::Z_MAX), edge(1, side::X_MAX), edge(2, side::Z_MIN), edge(3, side::X_MIN)],
            area: 1,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        }],
        off_mesh_links: Vec::new(),
    };
    navtile::TileWriter::default().build(&content).unwrap().tile
}
