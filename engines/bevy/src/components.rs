//! Components that a game puts on its entities: what meshes are built from, and what changes them.

use crate::asset::NavMeshAsset;
use crate::shape::NavShape;
use crate::world::NavWorld;
use bevy_asset::Handle;
use bevy_ecs::prelude::{Component, Entity, ReflectComponent};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use recast::{AreaDefinition, AreaId, Settings};

/// A navmesh from a file: the entity becomes a [`NavWorld`] once the asset is loaded, and follows it when it is loaded again.
///
/// `#[require(NavWorld)]`
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavWorld)]
pub struct NavMeshHandle(pub Handle<NavMeshAsset>);

/// A navmesh that is built from the scene: from all entities with a [`NavSource`], as soon as their meshes are loaded, on the
/// [`AsyncComputeTaskPool`](bevy_tasks::AsyncComputeTaskPool). Changing this component builds again; the old mesh is used until
/// the new one is there.
///
/// `#[require(NavWorld)]`
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavWorld)]
pub struct NavMeshBuilder {
    /// How near to walls an agent's middle may come, metres. Default 0.6.
    pub agent_radius: f64,
    /// The headroom that an agent needs, metres. Default 2.
    pub agent_height: f64,
    /// The highest step that it climbs, metres. Default 0.9.
    pub agent_climb: f64,
    /// The steepest slope that it walks, degrees. Default 45.
    pub agent_slope: f64,
    /// Width of a cell, metres; `None`, the default, for half the radius, or less for large agents.
    pub cell_size: Option<f64>,
    /// Height of a cell, metres. Default 0.2.
    pub cell_height: f64,
    /// Side of a tile, cells: what is built again where something changes. 8 to 30,000, default 48.
    pub tile_cells: u32,
    /// Smallest and largest corner of what is built; `None`, the default, for all sources. With bounds, tiles that a change does
    /// not reach stay as they are, whatever changes.
    pub bounds: Option<[Vec3; 2]>,
    /// The kinds of ground besides plain ground.
    pub areas: Vec<NavAreaKind>,
    /// Whether to build again when sources or links come, change or go. Default on.
    pub watch: bool,
    /// All further settings; those above take precedence.
    #[reflect(ignore)]
    pub more: Settings,
}

impl Default for NavMeshBuilder {
    fn default() -> NavMeshBuilder {
        let more = Settings::default();
        NavMeshBuilder {
            agent_radius: more.agent_radius,
            agent_height: more.agent_height,
            agent_climb: more.agent_climb,
            agent_slope: more.agent_slope,
            cell_size: None,
            cell_height: more.cell_height,
            tile_cells: 48,
            bounds: None,
            areas: Vec::new(),
            watch: true,
            more,
        }
    }
}

impl NavMeshBuilder {
    /// The settings of the bake, without links.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings {
            agent_radius: self.agent_radius,
            agent_height: self.agent_height,
            agent_climb: self.agent_climb,
            agent_slope: self.agent_slope,
            cell_height: self.cell_height,
            ..self.more.clone()
        };
        settings.cell_size = self.cell_size.unwrap_or_else(|| settings.derived_cell_size());
        if let Some(bounds) = self.bounds {
            settings.bounds = Some(bounds.map(|corner| corner.to_array().map(f64::from)));
        }
        settings.areas.extend(self.areas.iter().map(NavAreaKind::definition));
        settings
    }
}

/// A kind of ground: its name, and what a metre of it costs.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavAreaKind {
    /// 1 to 255; 63 is plain ground. Default 1.
    pub id: u8,
    /// Unique, not empty. Default "area".
    pub name: String,
    /// Compared with the cost of plain ground, which is 1. At least 0.001. Default 1.
    pub cost: f32,
    /// Bits that filters ask for. Default 1, as plain ground has.
    pub flags: u32,
}

impl Default for NavAreaKind {
    fn default() -> NavAreaKind {
        NavAreaKind { id: 1, name: "area".to_owned(), cost: 1.0, flags: navtile::area::GROUND_FLAGS }
    }
}

impl NavAreaKind {
    fn definition(&self) -> AreaDefinition {
        let kind = AreaDefinition::new(AreaId(self.id), self.name.clone());
        AreaDefinition { cost: self.cost, flags: self.flags, ..kind }
    }
}

/// Part of the level: a navmesh is built from its triangles. For what moves or comes and goes take [`NavObstacle`], which costs
/// a few tiles where a source costs the whole mesh.
///
/// With a [`NavArea`] its ground has that area. Sources are surfaces: the floor of a house without doors is ground, which nobody
/// reaches; a solid obstacle is filled.
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct NavSource {
    /// By default the entity's [`Mesh3d`](bevy_mesh::Mesh3d).
    pub shape: NavShape,
}

/// Something that comes, moves and goes in a finished mesh: the tiles that it touches are baked again, without the level. It
/// counts in every [`NavWorld`] that was built from the scene, or from a file of `navtile bake --dynamic`.
///
/// Moves of less than half a cell count once they have added up.
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct NavObstacle {
    /// By default the entity's [`Mesh3d`](bevy_mesh::Mesh3d).
    pub shape: NavShape,
    /// By default it blocks.
    pub effect: NavEffect,
}

/// The effect of an obstacle on the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavEffect {
    /// Nobody stands where the body would meet it; it cannot be stood on either. The cheapest.
    #[default]
    Blocks,
    /// It is there like a part of the level: one stands on it, where it is flat, and under it. Its [`NavArea`] is the area of
    /// its top.
    Solid,
    /// The ground within it has the obstacle's [`NavArea`].
    Marks,
    /// The level vanishes within it: a hole in a wall. Not for meshes.
    Removes,
}

/// The area of a source's ground, of a solid obstacle's top, or of the ground that an obstacle marks: an id of
/// [`NavMeshBuilder::areas`]. 0 cannot be walked on.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavArea(pub u8);

impl Default for NavArea {
    /// Plain ground.
    fn default() -> NavArea {
        NavArea(AreaId::GROUND.0)
    }
}

impl NavArea {
    pub(crate) fn id(area: Option<&NavArea>) -> AreaId {
        AreaId(area.copied().unwrap_or_default().0)
    }
}

/// A way without ground, such as a jump, a ladder or a teleporter. It is part of the build: changing it builds again.
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct OffMeshLink {
    /// Where it starts, in the space of the entity.
    pub start: Vec3,
    /// Where it ends, in the space of the entity.
    pub end: Vec3,
    /// How far the ground may be from either end, metres. Default 0.6.
    pub radius: f32,
    /// Whether it can be taken from end to start too. Default off.
    pub both_ways: bool,
    /// Its area, for costs. Default plain ground.
    pub area: u8,
}

impl Default for OffMeshLink {
    fn default() -> OffMeshLink {
        let area = AreaId::GROUND.0;
        OffMeshLink { start: Vec3::ZERO, end: Vec3::ZERO, radius: 0.6, both_ways: false, area }
    }
}

/// The [`NavWorld`] that an agent walks in. Without it an agent walks in the only one that there is.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, PartialEq, Debug)]
pub struct OnNavWorld(pub Entity);
