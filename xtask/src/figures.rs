//! `cargo xtask figures`: draws the pictures of the docs from the stages' own results on the courtyard.

use crate::outputs::{Outputs, root};
use crate::{Error, Outcome, changing_figures, map_figures, outline_figures};
use detour::{Filter, NavMesh, Query, RouteOptions};
use navdraw::stage::{self, StageOptions};
use navdraw::{ColourBy, MeshOptions, PathMark, Picture, mesh_picture};
use navscenes::Scene;
use navtile::Tile;
use recast::stage::rasterize::Source;
use recast::stage::{Context, mark_walkable};
use recast::{PreparedLevel, Scratch, Silent, Snapshot, StageId, StageResults, TileBuild, bake_tapped};

const FOLDER: &str = "docs/figures";
const SCENE: &str = "courtyard";
/// The z at which the span field is cut open, metres: through terrace, bridge, gallery and pit.
const SLICE_Z: f64 = 25.5;
/// The route of the README's picture.
const ROUTE: [&str; 2] = ["gate", "gallery"];

pub(crate) fn run(check: bool) -> Outcome {
    let scene = navscenes::by_name(SCENE).ok_or_else(|| format!("there is no scene `{SCENE}`"))?;
    let mut outputs = Outputs::new(root(), !check);
    for (name, picture) in draw(&scene)? {
        outputs.put(&format!("{FOLDER}/{name}.svg"), navdraw::to_svg(&picture).as_bytes())?;
    }
    let others = [map_figures::draw()?, changing_figures::draw()?, outline_figures::draw()?];
    for (name, picture) in others.into_iter().flatten() {
        outputs.put(&format!("{FOLDER}/{name}.svg"), navdraw::to_svg(&picture).as_bytes())?;
    }
    outputs.no_others(FOLDER, "svg")?;
    Ok(outputs.report("cargo xtask figures"))
}

/// All pictures, by file name.
fn draw(scene: &Scene) -> Result<Vec<(String, Picture)>, Error> {
    let level = navtile_benches::prepare(scene)?;
    let mut results = StageResults::default();
    let mut keep = |snapshot: Snapshot<'_>| results.keep(snapshot);
    let baked = bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut keep)?;
    let mut pictures = stages(&level, &results).ok_or("the bake did not show every result")?;
    let whole = MeshOptions {
        title: "16 \u{b7} The tile, by island".to_owned(),
        colour_by: ColourBy::Island,
        ..MeshOptions::default()
    };
    pictures.push((file_name(StageId::Emit), tile_picture(scene, &baked.tile, &whole)));
    let title = format!("From the {} to the {}", ROUTE[0], ROUTE[1]);
    let with_path = MeshOptions { title, path: Some(path(scene, &baked.tile)?), ..MeshOptions::default() };
    pictures.push(("readme".to_owned(), tile_picture(scene, &baked.tile, &with_path)));
    Ok(pictures)
}

/// The pictures of all stages but the last; `None` if a result is missing.
fn stages(level: &PreparedLevel, results: &StageResults) -> Option<Vec<(String, Picture)>> {
    let plain = StageOptions { lattice_zero: level.lattice.origin, ..StageOptions::default() };
    let titled = |title: &str| StageOptions { title: Some(title.to_owned()), ..plain.clone() };
    let marked = mark_walkable::run(Source::all(level), &(&level.config).into(), &mut Context::new()).ok()?;
    let rasterized = results.rasterized.as_ref()?;
    let row = (SLICE_Z - plain.lattice_zero[2]) / f64::from(rasterized.grid.cell_size);
    let [low, ledges, ceilings] =
        ["3 \u{b7} Low-hanging obstacles", "4 \u{b7} Ledges", "5 \u{b7} Low ceilings"].map(titled);
    let obstacles_done = results.obstacles_done.as_ref()?;
    let ledges_done = results.ledges_done.as_ref()?;
    let mesh = results.poly_mesh.as_ref()?;
    let mut pictures = vec![
        (StageId::MarkWalkable, stage::marked_triangles(level, &marked, &plain)),
        (StageId::Rasterize, stage::span_field(rasterized, &plain)),
        (StageId::FilterLowHanging, stage::filter_changes(rasterized, obstacles_done, &low)),
        (StageId::FilterLedges, stage::filter_changes(obstacles_done, ledges_done, &ledges)),
        (
            StageId::FilterLowCeilings,
            stage::filter_changes(ledges_done, results.filtered.as_ref()?, &ceilings),
        ),
        (StageId::Compact, stage::compact_field(results.compacted.as_ref()?, &plain)),
        (StageId::Erode, stage::eroded_field(results.eroded.as_ref()?, &plain)),
        (StageId::MarkAreas, stage::eroded_field(results.marked.as_ref()?, &titled("8 \u{b7} Marked areas"))),
        (StageId::DistanceField, stage::distance_field(results.distance.as_ref()?, &plain)),
        (StageId::Regions, stage::region_field(results.regions.as_ref()?, &plain)),
        (StageId::TraceContours, stage::raw_contours(results.raw_contours.as_ref()?, &plain)),
        (StageId::SimplifyContours, stage::simplified_contours(results.simplified.as_ref()?, &plain)),
        (StageId::MergeHoles, stage::contours(results.contours.as_ref()?, &plain)),
        (StageId::PolyMesh, stage::poly_mesh(mesh, &plain)),
        (StageId::DetailMesh, stage::detail_mesh(mesh, results.detail_mesh.as_ref()?, &plain)),
    ]
    .into_iter()
    .map(|(stage, picture)| (file_name(stage), picture))
    .collect::<Vec<_>>();
    let slice = format!("{}-slice", file_name(StageId::Rasterize));
    pictures.push((slice, stage::span_slice(rasterized, row as u32, &plain)));
    Some(pictures)
}

fn tile_picture(scene: &Scene, tile: &Tile, options: &MeshOptions) -> Picture {
    let settings = (scene.settings)();
    let areas: Vec<_> = settings.areas.iter().map(navlevel::meta::area_meta).collect();
    mesh_picture(std::slice::from_ref(tile), &areas, options)
}

/// The README's route, in drawable form. Costs are those of the scene's areas.
fn path(scene: &Scene, tile: &Tile) -> Result<PathMark, Error> {
    let mut mesh = NavMesh::default();
    mesh.add_tile(tile.clone())?;
    let at = |name: &str| {
        let place = scene.place(name).ok_or_else(|| format!("{SCENE} has no place `{name}`"))?;
        Ok::<_, Error>(mesh.from_world(place.position))
    };
    let (from, to) = (at(ROUTE[0])?, at(ROUTE[1])?);
    let route = Query::new().route(&mesh, from, to, &Filter::default(), &RouteOptions::default())?;
    Ok(PathMark {
        points: route.points.iter().map(|&point| mesh.to_world(point)).collect(),
        start_label: ROUTE[0].to_owned(),
        end_label: ROUTE[1].to_owned(),
        target: None,
    })
}

/// Name of a stage's picture, without its ending: `09-distance-field`.
fn file_name(stage: StageId) -> String {
    format!("{:02}-{}", stage as usize + 1, stage.name().replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_picture() {
        let scene = navscenes::by_name(SCENE).unwrap();
        let names: Vec<String> = draw(&scene).unwrap().into_iter().map(|(name, _)| name).collect();
        for stage in StageId::ALL {
            assert!(names.contains(&file_name(stage)), "{}", stage.name());
        }
        assert_eq!(file_name(StageId::DistanceField), "09-distance-field");
    }
}
