//! Bakes a level in tiles and merges their meshes into one, for tools that want a single mesh of a tiled
//! level.
//! `cargo run --release -p navtile-layers --example merge_meshes`

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use navlayers::merge_meshes::{merge_detail_meshes, merge_poly_meshes};
use navlevel::Tiling;
use recast::data::{EdgeKind, PolyMesh};
use recast::{Level, PreparedLevel, Scratch, Settings, Silent, StageResults, TileBuild, bake_tapped};

fn count(mesh: &PolyMesh, is_kind: fn(&EdgeKind) -> bool) -> usize {
    mesh.edges.iter().filter(|edge| is_kind(edge)).count()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = Level {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [40.0, 2.0, 30.0], [40.0, 2.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        areas: Vec::new(),
    };
    let level = PreparedLevel::new(&level, &Settings::default())?;
    let tiling = Tiling::new(&level, 48)?;
    let (mut scratch, mut meshes) = (Scratch::new(), Vec::new());
    for coord in tiling.coords() {
        let build = TileBuild::tiled(&level, 48, coord)?;
        let mut results = StageResults::default();
        bake_tapped(&level, &build, &Silent, &mut scratch, &mut |result| results.keep(result))?;
        meshes.extend(results.poly_mesh.zip(results.detail_mesh));
    }
    for (mesh, _) in &meshes {
        let portals = count(mesh, |edge| matches!(edge, EdgeKind::Portal(_)));
        println!("tile at {:?}: {} polygons, {portals} portals", mesh.grid.inner_base(), mesh.polygons.len());
    }

    let parts: Vec<_> = meshes.iter().map(|(mesh, detail)| (mesh, detail)).collect();
    let merged = merge_poly_meshes(&parts.iter().map(|part| part.0).collect::<Vec<_>>())?;
    let detail = merge_detail_meshes(&parts)?;
    let internal = count(&merged, |edge| matches!(edge, EdgeKind::Internal(_)));
    println!(
        "merged: {} polygons, {internal} edges between them, {} vertices, {} detail triangles",
        merged.polygons.len(),
        merged.vertices.len(),
        detail.triangles.len()
    );
    Ok(())
}
