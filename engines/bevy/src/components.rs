//! Components that a game puts on its entities: the sources of meshes, and changes to them.

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
use tilecache::Stationary;

/// A navmesh from a file. The entity becomes a [`NavWorld`] when the asset is loaded, and follows the asset
/// when it is reloaded.
///
/// `#[require(NavWorld)]`
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavWorld)]
pub struct NavMeshHandle(pub Handle<NavMeshAsset>);

/// A navmesh that is built from the scene: from all entities with a [`NavSource`], as soon as their meshes
/// are loaded, on the [`AsyncComputeTaskPool`](bevy_tasks::AsyncComputeTaskPool). A change of this component
/// starts a new build; the old mesh is used until the new one is ready.
///
/// `#[require(NavWorld)]`
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavWorld)]
pub struct NavMeshBuilder {
    /// Smallest distance of an agent's middle from walls, metres. Default 0.6.
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
    /// Side of a tile, cells. A change rebuilds whole tiles. 8 to 30,000, default 48.
    pub tile_cells: u32,
    /// Smallest and largest corner of the built volume; `None`, the default, for all sources. With bounds, a
    /// change affects only the tiles that it touches.
    pub bounds: Option<[Vec3; 2]>,
    /// The kinds of ground in addition to plain ground.
    pub areas: Vec<NavAreaKind>,
    /// True to build again when sources or links are added, changed or removed. Default true.
    pub watch: bool,
    /// All further settings; the fields above take precedence.
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

/// A kind of ground: its name, and its cost per metre.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavAreaKind {
    /// 1 to 255; 63 is plain ground. Default 1.
    pub id: u8,
    /// Unique, not empty. Default "area".
    pub name: String,
    /// Relative to the cost of plain ground, which is 1. At least 0.001. Default 1.
    pub cost: f32,
    /// Bits that filters test. Default 1, as for plain ground.
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

/// Part of the level: a navmesh is built from its triangles. For anything that moves or disappears, use
/// [`NavObstacle`], which costs a few tiles, while a source costs the whole mesh.
///
/// With a [`NavArea`] its ground has that area. Sources are surfaces: the floor of a house without doors is
/// ground that nobody reaches. A solid obstacle is filled.
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct NavSource {
    /// By default the entity's [`Mesh3d`](bevy_mesh::Mesh3d).
    pub shape: NavShape,
}

/// A dynamic obstacle that may appear, move and disappear in a finished mesh: the tiles that it touches are
/// baked again, without the level. It affects every [`NavWorld`] that was built from the scene, or from a
/// file of `navtile bake --dynamic`.
///
/// Moves of less than half a cell have an effect when they have added up.
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct NavObstacle {
    /// By default the entity's [`Mesh3d`](bevy_mesh::Mesh3d).
    pub shape: NavShape,
    /// Blocks by default.
    pub effect: NavEffect,
    /// If given, it has its effect only while it keeps still, so that no tile is baked while it moves: for a
    /// crate that is pushed, or a car that parks. Let agents avoid it meanwhile by a
    /// [`NavDisc`](crate::NavDisc). Default none: it has its effect everywhere.
    pub stationary: Option<NavStationary>,
}

/// The rule of an obstacle that has its effect only while it keeps still.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavStationary {
    /// Time without a move after which it has its effect again, seconds, 0 or more. Default 0.5.
    pub time_to_stationary: f64,
    /// A move counts if it brings a corner of the obstacle this far, metres, 0 or more. Default 0.1.
    pub move_threshold: f64,
}

impl Default for NavStationary {
    fn default() -> NavStationary {
        let Stationary { time_to_stationary, move_threshold } = Stationary::default();
        NavStationary { time_to_stationary, move_threshold }
    }
}

impl From<NavStationary> for Stationary {
    fn from(rule: NavStationary) -> Stationary {
        let NavStationary { time_to_stationary, move_threshold } = rule;
        Stationary { time_to_stationary, move_threshold }
    }
}

/// The effect of an obstacle on the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavEffect {
    /// Keeps agents clear of its body, and off its top. The cheapest effect.
    #[default]
    Blocks,
    /// Acts like a part of the level: agents can walk on it, if it is flat, and under it. Its [`NavArea`] is
    /// the area of its top.
    Solid,
    /// Gives the ground within it the obstacle's [`NavArea`].
    Marks,
    /// Removes the level within it: a hole in a wall. Not for meshes.
    Removes,
}

/// The area of a source's ground, of a solid obstacle's top, or of the ground that an obstacle marks: an id
/// of [`NavMeshBuilder::areas`]. 0 is not walkable.
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

/// A connection without ground, such as a jump, a ladder or a teleporter. It is part of the build, so a
/// change starts a new build.
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct OffMeshLink {
    /// Start position, in the space of the entity.
    pub start: Vec3,
    /// End position, in the space of the entity.
    pub end: Vec3,
    /// The largest distance from either end to the ground, metres. Default 0.6.
    pub radius: f32,
    /// True if it can also be used from end to start. Default false.
    pub both_ways: bool,
    /// Its area, for costs. Default: plain ground.
    pub area: u8,
}

impl Default for OffMeshLink {
    fn default() -> OffMeshLink {
        let area = AreaId::GROUND.0;
        OffMeshLink { start: Vec3::ZERO, end: Vec3::ZERO, radius: 0.6, both_ways: false, area }
    }
}

/// The [`NavWorld`] of an agent. Without this component, an agent uses the only world, if there is just one.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, PartialEq, Debug)]
pub struct OnNavWorld(pub Entity);
