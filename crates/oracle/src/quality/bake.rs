//! One bake, ours or the C++ library's, reduced to the data that the measures need.

use crate::chain::ChainError;
use crate::reference::{self, Space};
use navtile::Tile;
use recast::data::{Contour, Grid, PolyMesh, RegionField, RegionId};
use recast::stage::{Context, emit};
use recast::{Baked, Level, PreparedLevel, Scratch, Silent, StageId};
use recast::{Snapshot, TileBuild, bake_tapped};
use std::collections::BTreeSet;

/// Twice the area of one contour, negative for a hole, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContourArea {
    /// The region that it surrounds.
    pub region: RegionId,
    /// Twice the area, squares of 1/256 cell.
    pub area2: i128,
    /// The [place](recast::data#places) of its first corner; zero without corners.
    pub at: [i32; 3],
}

impl ContourArea {
    fn of(contour: &Contour) -> ContourArea {
        let at = contour.vertices.first().map_or([0; 3], |vertex| vertex.position);
        ContourArea { region: contour.region, area2: contour.area2(), at }
    }
}

/// A bake of one grid: a whole level, or one of its tiles with its border.
#[derive(Clone, Debug)]
pub struct MeasuredBake {
    /// Spans before erosion count as ground, unless a volume took them away.
    pub taken_away: Vec<bool>,
    /// The eroded field, areas marked, with regions.
    pub regions: RegionField,
    /// Simplified outlines and holes. In the C++ library's contours the holes are joined; the sum is the
    /// same.
    pub contours: Vec<ContourArea>,
    /// The polygon mesh.
    pub poly_mesh: PolyMesh,
    /// The finished tile; `None` if nothing was left of it.
    pub tile: Option<Tile>,
    /// Regions whose polygons were left out of the tile, as they belong to an island that is too small.
    pub dropped: BTreeSet<RegionId>,
}

impl MeasuredBake {
    /// The grid it was made on.
    pub fn grid(&self) -> &Grid {
        &self.regions.field.grid
    }

    /// Lattice column of the tile's inner corner, along x and z.
    pub fn inner_corner(&self) -> [i32; 2] {
        let grid = self.grid();
        [grid.base_x + grid.border as i32, grid.base_z + grid.border as i32]
    }
}

/// Bakes with our pipeline. Also returns the pipeline's own result, for [`super::prune`].
pub fn ours(prepared: &PreparedLevel, build: &TileBuild) -> Result<(MeasuredBake, Baked), ChainError> {
    let (mut eroded, mut regions, mut contours, mut poly_mesh) = (Vec::new(), None, Vec::new(), None);
    let mut keep = |snapshot: Snapshot<'_>| match snapshot {
        Snapshot::Eroded(field) => eroded.clone_from(&field.area),
        Snapshot::Regions(field) => regions = Some(field.clone()),
        Snapshot::Simplified(set) => contours = set.contours.iter().map(ContourArea::of).collect(),
        Snapshot::PolyMesh(mesh) => poly_mesh = Some(mesh.clone()),
        _ => {}
    };
    let baked = bake_tapped(prepared, build, &Silent, &mut Scratch::new(), &mut keep)?;
    let regions: RegionField = regions.ok_or(ChainError::NotShown(StageId::Regions.name()))?;
    let poly_mesh = poly_mesh.ok_or(ChainError::NotShown(StageId::PolyMesh.name()))?;
    let marked = &regions.field.area;
    let taken_away = eroded.iter().zip(marked).map(|(a, b)| a.is_walkable() && !b.is_walkable()).collect();
    let tile = Some(baked.tile.clone());
    Ok((MeasuredBake { taken_away, regions, contours, poly_mesh, tile, dropped: BTreeSet::new() }, baked))
}

/// Bakes with the C++ library, from the same triangles, and writes its mesh as a tile of ours.
pub fn theirs(
    level: &Level,
    prepared: &PreparedLevel,
    build: &TileBuild,
) -> Result<MeasuredBake, ChainError> {
    let partition = prepared.config.settings.partition;
    let results = reference::bake_level(level, prepared, &build.grid, Space::Lattice, &[partition])?;
    let pairs = results.eroded.area.iter().zip(&results.marked().area);
    let taken_away = pairs.map(|(a, b)| a.is_walkable() && !b.is_walkable()).collect();
    let mesh = results.meshes.into_iter().next().ok_or(ChainError::NotShown("the partition asked for"))?;
    let input = (prepared, build.coord, &mesh.poly_mesh, &mesh.detail_mesh);
    let tile = emit::run(input, &(), &mut Context::new())?.tile;
    Ok(MeasuredBake {
        taken_away,
        contours: mesh.contours.contours.iter().map(ContourArea::of).collect(),
        regions: mesh.regions,
        poly_mesh: mesh.poly_mesh,
        tile: Some(tile),
        dropped: BTreeSet::new(),
    })
}
