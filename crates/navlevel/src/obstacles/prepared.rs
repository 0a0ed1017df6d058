//! An obstacle on the lattice of a level, for one agent.

use super::{Effect, Obstacle, ObstacleError};
use navmath::sort::SharedSort;
use navmath::{Digest, Hasher};
use navtile::area::AreaId;
use recast::PreparedLevel;
use recast::data::Grid;
use recast::inside::geometry::SlopeLimit;
use recast::inside::geometry::canonical_corners;
use recast::inside::geometry::is_degenerate;
use recast::inside::ground_mark::{ConvexOutline, Prism};

/// Largest distance of a corner of an obstacle from the lattice's zero, cells: heights fit 26 bits, tiles 32.
const MAX_CELLS: f64 = (1 << 22) as f64;

/// An obstacle on the lattice of a level, for one agent. It can be moved by preparing it again.
#[derive(Clone, Debug)]
pub struct PreparedObstacle {
    pub(super) effect: Effect,
    /// Corners of its triangles, metres from the lattice's zero, with the area of each; empty unless it is
    /// solid.
    pub(super) triangles: Vec<([[f32; 3]; 3], AreaId)>,
    /// True if the space between its triangles is solid.
    pub(super) is_filled: bool,
    /// The parts of the level that a mark or a hole covers; empty if it is solid.
    pub(super) prisms: Vec<Prism>,
    /// First and last lattice column along x and along z that it may reach.
    reach: [[i64; 2]; 2],
    digest: Digest,
}

impl PreparedObstacle {
    /// Brings an obstacle onto the lattice of a level.
    ///
    /// # Errors
    /// A place that is not finite or far away, and a mesh that should remove something.
    pub fn new(obstacle: &Obstacle, level: &PreparedLevel) -> Result<PreparedObstacle, ObstacleError> {
        check_place(obstacle, level)?;
        let local = |vertex: &[f64; 3]| level.lattice.to_local(obstacle.place.apply(*vertex));
        let vertices: Vec<[f32; 3]> = obstacle.body.vertices().iter().map(local).collect();
        let flips = obstacle.place.mirrors();
        let corners = |&[a, b, c]: &[u32; 3]| {
            let [b, c] = if flips { [c, b] } else { [b, c] };
            [a, b, c].map(|vertex| vertices[vertex as usize])
        };
        let triangles = obstacle.body.triangles().iter().map(corners);
        let mut prepared = PreparedObstacle {
            effect: obstacle.effect,
            triangles: Vec::new(),
            is_filled: obstacle.body.is_convex(),
            prisms: Vec::new(),
            reach: [[0, -1]; 2],
            digest: Digest([0; 16]),
        };
        match obstacle.effect {
            Effect::Solid { area } => {
                let limit = SlopeLimit::new(level.config.walkable_slope);
                let of = |corners: [[f32; 3]; 3]| {
                    (corners, if limit.allows(corners) { area } else { AreaId::NULL })
                };
                prepared.triangles = triangles.filter(|corners| !is_degenerate(*corners)).map(of).collect();
            }
            Effect::Removes if !obstacle.body.is_convex() => return Err(ObstacleError::NoInside),
            _ if obstacle.body.is_convex() => prepared.prisms.push(prism(&vertices, obstacle.effect, level)),
            _ => prepared.prisms.extend(triangles.map(|corners| prism(&corners, obstacle.effect, level))),
        }
        prepared.reach = prepared.find_reach(&vertices, level);
        prepared.digest = prepared.find_digest();
        Ok(prepared)
    }

    /// Digest of everything that it does to tiles: of two obstacles with the same digest, one has no effect.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// First and last lattice column along x and along z that it may reach, including one for rounding.
    pub fn columns(&self) -> [[i64; 2]; 2] {
        self.reach
    }

    /// Returns true if it may reach a grid, including the border.
    pub fn reaches(&self, grid: &Grid) -> bool {
        let overlaps = |[first, last]: [i64; 2], base: i32, count: u32| {
            last >= i64::from(base) && first < i64::from(base) + i64::from(count)
        };
        overlaps(self.reach[0], grid.base_x, grid.width) && overlaps(self.reach[1], grid.base_z, grid.depth)
    }

    /// Returns true if it adds to the level. It may make ground in places without any.
    pub fn is_solid(&self) -> bool {
        matches!(self.effect, Effect::Solid { .. })
    }

    /// Returns true if it may add or remove floors: it is solid, or removes. A mark changes only the ground
    /// of existing floors.
    pub fn changes_floors(&self) -> bool {
        matches!(self.effect, Effect::Solid { .. } | Effect::Removes)
    }

    /// The effect on the level.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    fn find_reach(&self, vertices: &[[f32; 3]], level: &PreparedLevel) -> [[i64; 2]; 2] {
        let inflated = self.prisms.iter().fold(0.0, |most: f64, prism| most.max(prism.reach));
        let range = |axis: usize| {
            let values = vertices.iter().map(|vertex| f64::from(vertex[axis]));
            let (low, high) = extent(values);
            let cell = |value: f64| (value / level.lattice.cell_size).floor() as i64;
            [cell(low - inflated) - 1, cell(high + inflated) + 1]
        };
        [range(0), range(2)]
    }

    fn find_digest(&self) -> Digest {
        let mut hasher = Hasher::new();
        let (kind, area) = match self.effect {
            Effect::Solid { .. } => (0, AreaId::NULL),
            Effect::Blocks { .. } => (1, AreaId::NULL),
            Effect::Marks { area, .. } => (2, area),
            Effect::Removes => (3, AreaId::NULL),
        };
        // The tag is older than the name of the type; files hold its hash.
        hasher.write_u8s(b"piece").write_u8s(&[kind, area.0, u8::from(self.is_filled)]);
        for (corners, area) in &self.triangles {
            hasher.write_f32s(canonical_corners(*corners).as_flattened()).write_u8s(&[area.0]);
        }
        for Prism { outline, heights, reach } in &self.prisms {
            hasher.write_u64s(&[outline.corners().len() as u64]);
            hasher.write_f64s(outline.corners().as_flattened()).write_f64s(&[*reach]);
            hasher.write_u64s(&heights.map(|height| height as u64));
        }
        hasher.finish()
    }
}

/// Digest of the input of a tile with obstacles: `level` is that of the tile without them, from
/// [`crate::Tiling::input_hash`], and `obstacles` are the digests of the obstacles that reach the tile.
/// Without obstacles it is the digest of the level. It does not depend on the order of the obstacles, and
/// equal obstacles count once.
pub fn tile_digest(level: Digest, mut obstacles: Vec<Digest>) -> Digest {
    if obstacles.is_empty() {
        return level;
    }
    obstacles.shared_sort_by_key(|digest| digest.0);
    obstacles.dedup();
    let mut hasher = Hasher::new();
    hasher.write_u8s(b"pieces").write_u8s(&level.0);
    obstacles.iter().for_each(|digest| {
        hasher.write_u8s(&digest.0);
    });
    hasher.finish()
}

fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn check_place(obstacle: &Obstacle, level: &PreparedLevel) -> Result<(), ObstacleError> {
    let lattice = &level.lattice;
    let limit = MAX_CELLS * lattice.cell_size.min(lattice.cell_height);
    for vertex in obstacle.body.vertices() {
        let world = obstacle.place.apply(*vertex).into_iter().zip(lattice.origin);
        // NaN is out of reach.
        let is_near = |reach: f64| reach < limit;
        let mut reaches = world.map(|(value, origin)| (value - origin).abs());
        if let Some(reach) = reaches.find(|reach| !is_near(*reach)) {
            return Err(ObstacleError::Far { reach, limit });
        }
    }
    Ok(())
}

/// The prism around corners, metres from the lattice's zero.
fn prism(corners: &[[f32; 3]], effect: Effect, level: &PreparedLevel) -> Prism {
    let outline = corners.iter().map(|corner| [f64::from(corner[0]), f64::from(corner[2])]).collect();
    let (low, high) = extent(corners.iter().map(|corner| f64::from(corner[1])));
    let cell = |value: f64| navmath::lattice::snap_quotient(value / level.lattice.cell_height);
    let (low, high) = (cell(low), cell(high));
    let heights = match effect {
        // Below the obstacle it covers the floors where an agent's body would reach up into it.
        Effect::Blocks { .. } => {
            [low.floor() as i64 + 1 - i64::from(level.config.walkable_height), high.floor() as i64]
        }
        // Keep the ground under it, although rounding up makes the ground reach one cell into it.
        Effect::Removes => [low.floor() as i64 + 1, high.ceil() as i64 - 1],
        _ => [low.floor() as i64, high.floor() as i64],
    };
    let inflate = matches!(effect, Effect::Blocks { inflate: true } | Effect::Marks { inflate: true, .. });
    let reach = if inflate { level.config.settings.agent_radius } else { 0.0 };
    Prism { outline: ConvexOutline::around(outline), heights, reach }
}
