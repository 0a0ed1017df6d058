//! `cargo xtask figures`: the pictures of the docs, drawn from the stages' own results on the courtyard.

use crate::outputs::{Outputs, root};
use crate::{Error, Outcome, bakes, map_figures};
use detour::{Filter, NavMesh, Query, RouteOptions};
use navdraw::stage::{self, StageOptions};
use navdraw::{ColourBy, MeshOptions, PathMark, Picture, mesh_picture};
use navscenes::Scene;
use navtile::Tile;
use recast::data::span::state::{LedgesDone, ObstaclesDone, Rasterized};
use recast::data::{PolyMesh, SpanField};
use recast::stage::rasterize::Source;
use recast::stage::{Context, mark_walkable};
use recast::{PreparedLevel, Scratch, Silent, StageId};
use recast::{Snapshot, TileBuild, bake_tapped};

const FOLDER: &str = "docs/figures";
const SCENE: &str = "courtyard";
/// Where the span field is cut open, metres along z: through terrace, bridge, gallery and pit.
const SLICE_Z: f64 = 25.5;
/// The route of the README's picture.
const ROUTE: [&str; 2] = ["gate", "gallery"];

pub(crate) fn run(check: bool) -> Outcome {
    let scene = navscenes::by_name(SCENE).ok_or_else(|| format!("there is no scene `{SCENE}`"))?;
    let mut outputs = Outputs::new(root(), !check);
    for (name, picture) in draw(&scene)? {
        outputs.put(&format!("{FOLDER}/{name}.svg"), picture.to_svg().as_bytes())?;
    }
    for (name, picture) in map_figures::draw()? {
        outputs.put(&format!("{FOLDER}/{name}.svg"), picture.to_svg().as_bytes())?;
    }
    outputs.no_others(FOLDER, "svg")?;
    Ok(outputs.report("cargo xtask figures"))
}

/// All pictures, by file name.
fn draw(scene: &Scene) -> Result<Vec<(String, Picture)>, Error> {
    let level = bakes::prepare(scene)?;
    let mut gallery = Gallery::new(&level);
    gallery.triangles(&level)?;
    let mut tap = |snapshot: Snapshot<'_>| gallery.snapshot(&snapshot);
    let baked = bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut tap)?;
    let mut pictures = gallery.pictures;
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

fn tile_picture(scene: &Scene, tile: &Tile, options: &MeshOptions) -> Picture {
    let settings = (scene.settings)();
    let areas: Vec<(u8, &str)> = settings.areas.iter().map(|area| (area.id.0, area.name.as_str())).collect();
    mesh_picture(std::slice::from_ref(tile), &areas, options)
}

/// The README's way, as something to draw. Costs are those of the scene's areas.
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

/// Pictures as they come, and the results that later ones are compared with.
struct Gallery {
    lattice_zero: [f64; 3],
    pictures: Vec<(String, Picture)>,
    rasterized: Option<SpanField<Rasterized>>,
    obstacles_done: Option<SpanField<ObstaclesDone>>,
    ledges_done: Option<SpanField<LedgesDone>>,
    mesh: Option<PolyMesh>,
}

impl Gallery {
    fn new(level: &PreparedLevel) -> Gallery {
        Gallery {
            lattice_zero: level.lattice.origin,
            pictures: Vec::new(),
            rasterized: None,
            obstacles_done: None,
            ledges_done: None,
            mesh: None,
        }
    }

    fn options(&self, title: Option<&str>) -> StageOptions {
        let title = title.map(str::to_owned);
        StageOptions { title, lattice_zero: self.lattice_zero, ..StageOptions::default() }
    }

    fn push(&mut self, stage: StageId, picture: Picture) {
        self.pictures.push((file_name(stage), picture));
    }

    fn triangles(&mut self, level: &PreparedLevel) -> Result<(), Error> {
        let marked = mark_walkable::run(Source::all(level), &(&level.config).into(), &mut Context::new())?;
        self.push(StageId::MarkWalkable, stage::marked_triangles(level, &marked, &self.options(None)));
        Ok(())
    }

    fn snapshot(&mut self, snapshot: &Snapshot<'_>) {
        let plain = self.options(None);
        let picture = match *snapshot {
            Snapshot::Rasterized(field) => {
                self.rasterized = Some(field.clone());
                let row = (SLICE_Z - self.lattice_zero[2]) / f64::from(field.grid.cell_size);
                let slice = stage::span_slice(field, row as u32, &plain);
                self.pictures.push((format!("{}-slice", file_name(StageId::Rasterize)), slice));
                Some(stage::span_field(field, &plain))
            }
            Snapshot::ObstaclesDone(field) => {
                self.obstacles_done = Some(field.clone());
                let options = self.options(Some("3 \u{b7} Low-hanging obstacles"));
                self.rasterized.take().map(|before| stage::filter_changes(&before, field, &options))
            }
            Snapshot::LedgesDone(field) => {
                self.ledges_done = Some(field.clone());
                let options = self.options(Some("4 \u{b7} Ledges"));
                self.obstacles_done.take().map(|before| stage::filter_changes(&before, field, &options))
            }
            Snapshot::Filtered(field) => {
                let options = self.options(Some("5 \u{b7} Low ceilings"));
                self.ledges_done.take().map(|before| stage::filter_changes(&before, field, &options))
            }
            Snapshot::Compacted(field) => Some(stage::compact_field(field, &plain)),
            Snapshot::Eroded(field) => Some(stage::eroded_field(field, &plain)),
            Snapshot::Marked(field) => {
                Some(stage::eroded_field(field, &self.options(Some("8 \u{b7} Marked areas"))))
            }
            Snapshot::Distance(field) => Some(stage::distance_field(field, &plain)),
            Snapshot::Regions(field) => Some(stage::region_field(field, &plain)),
            Snapshot::RawContours(contours) => Some(stage::raw_contours(contours, &plain)),
            Snapshot::Simplified(contours) => Some(stage::simplified_contours(contours, &plain)),
            Snapshot::Contours(contours) => Some(stage::contours(contours, &plain)),
            Snapshot::PolyMesh(mesh) => {
                self.mesh = Some(mesh.clone());
                Some(stage::poly_mesh(mesh, &plain))
            }
            Snapshot::DetailMesh(detail) => {
                self.mesh.take().map(|mesh| stage::detail_mesh(&mesh, detail, &plain))
            }
        };
        if let Some(picture) = picture {
            self.push(snapshot.stage(), picture);
        }
    }
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
