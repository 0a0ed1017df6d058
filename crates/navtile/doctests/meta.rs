// For the examples in the documentation: the metadata of a file of such tiles.
navtile::Meta {
    agent: navtile::AgentMeta { radius: 0.5, height: 2.0, climb: 0.5, slope: 45.0 },
    settings: navtile::SettingsMeta::default(),
    origin: [0.0; 3],
    cell: [0.5, 0.25],
    tile_cells: 4,
    geometry_digest: [0; 16],
    areas: vec![navtile::AreaMeta { id: 1, name: "ground".to_owned(), flags: 1, cost: 1.0, colour: None }],
}
