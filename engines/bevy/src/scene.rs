//! The scene as a level: sources, links and obstacles, read from their entities.

use crate::components::{NavArea, NavEffect, NavObstacle, NavSource, OffMeshLink};
use crate::shape::{NavShape, ShapeError, Soup, lowered, placement};
use bevy_asset::{AssetId, Assets};
use bevy_ecs::prelude::{Entity, Query, Res};
use bevy_ecs::system::SystemParam;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::GlobalTransform;
use navlevel::{Effect, Obstacle};
use recast::{AreaId, InstancedMesh, OffMeshConnection};
use std::collections::BTreeMap;
use tilecache::Stationary;

/// An entity with a shape: its component `T`, its area, its mesh and its place.
type Shaped<T> =
    (Entity, &'static T, Option<&'static NavArea>, Option<&'static Mesh3d>, &'static GlobalTransform);

/// Everything that is an input of meshes.
#[derive(SystemParam)]
pub(crate) struct Scene<'w, 's> {
    sources: Query<'w, 's, Shaped<NavSource>>,
    links: Query<'w, 's, (Entity, &'static OffMeshLink, &'static GlobalTransform)>,
    obstacles: Query<'w, 's, Shaped<NavObstacle>>,
    meshes: Option<Res<'w, Assets<Mesh>>>,
}

/// The level made of the sources.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) meshes: Vec<InstancedMesh>,
    /// Sources that cannot be used, and the reasons.
    pub(crate) failures: Vec<(Entity, ShapeError)>,
}

impl Scene<'_, '_> {
    fn mesh(&self, handle: Option<&Mesh3d>) -> Option<&Mesh> {
        self.meshes.as_ref()?.get(&handle?.0)
    }

    /// Returns true if the meshes of all sources are loaded.
    pub(crate) fn is_loaded(&self) -> bool {
        let waits = |shape: &NavShape, mesh: Option<&Mesh3d>| {
            *shape == NavShape::Mesh && mesh.is_some() && self.mesh(mesh).is_none()
        };
        !self.sources.iter().any(|(_, source, _, mesh, _)| waits(&source.shape, mesh))
    }

    /// The sources as meshes. A mesh with several instances is listed once.
    pub(crate) fn gather(&self) -> Gathered {
        let mut gathered = Gathered::default();
        // Meshes by their handle, area, and whether they are mirrored.
        let mut shared: BTreeMap<(AssetId<Mesh>, AreaId, bool), InstancedMesh> = BTreeMap::new();
        for (entity, source, area, mesh, place) in &self.sources {
            let (area, place) = (NavArea::id(area), placement(place));
            let key = match (&source.shape, mesh) {
                (NavShape::Mesh, Some(mesh)) => Some((mesh.0.id(), area, place.mirrors())),
                _ => None,
            };
            if let Some(mesh) = key.and_then(|key| shared.get_mut(&key)) {
                mesh.placements.push(place);
                continue;
            }
            match source.shape.soup(self.mesh(mesh)) {
                Ok(soup) => {
                    let mut made = instanced_mesh(soup, area, place.mirrors());
                    made.placements.push(place);
                    match key {
                        Some(key) => drop(shared.insert(key, made)),
                        None => gathered.meshes.push(made),
                    }
                }
                Err(error) => gathered.failures.push((entity, error)),
            }
        }
        gathered.meshes.extend(shared.into_values());
        gathered
    }

    /// The links and their entities, in an order that does not depend on the order of the entities.
    pub(crate) fn links(&self) -> (Vec<OffMeshConnection>, Vec<Entity>) {
        let mut links: Vec<(OffMeshConnection, Entity)> = self.links.iter().map(connection).collect();
        let order = |link: &OffMeshConnection| [link.start, link.end];
        links.sort_by(|(a, _), (b, _)| {
            let pairs = order(a).into_iter().flatten().zip(order(b).into_iter().flatten());
            pairs
                .map(|(a, b)| a.total_cmp(&b))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        for (number, (link, _)) in (0..).zip(&mut links) {
            link.user_id = number;
        }
        links.into_iter().unzip()
    }

    /// All obstacles that can be used at present.
    pub(crate) fn usable_obstacles(&self) -> Vec<(Entity, Obstacle)> {
        let usable = |entity: Entity| Some((entity, self.obstacle(entity)?.ok()?));
        self.obstacles.iter().filter_map(|(entity, ..)| usable(entity)).collect()
    }

    /// The entities of all obstacles.
    pub(crate) fn obstacles(&self) -> impl Iterator<Item = Entity> + '_ {
        self.obstacles.iter().map(|(entity, ..)| entity)
    }

    /// Returns true if there are obstacles.
    pub(crate) fn has_obstacles(&self) -> bool {
        !self.obstacles.is_empty()
    }

    /// The rule of an obstacle that has its effect only while it keeps still.
    pub(crate) fn stationary(&self, entity: Entity) -> Option<Stationary> {
        self.obstacles.get(entity).ok()?.1.stationary.map(Stationary::from)
    }

    /// The obstacle of an entity, as caches take it; `None` if the entity is not an obstacle.
    pub(crate) fn obstacle(&self, entity: Entity) -> Option<Result<Obstacle, ShapeError>> {
        let (_, obstacle, area, mesh, place) = self.obstacles.get(entity).ok()?;
        let area = NavArea::id(area);
        let effect = match obstacle.effect {
            NavEffect::Blocks => Effect::Blocks { inflate: true },
            NavEffect::Solid => Effect::Solid { area },
            NavEffect::Marks => Effect::Marks { area, inflate: false },
            NavEffect::Removes => Effect::Removes,
        };
        let place = placement(place);
        let body = obstacle.shape.body(self.mesh(mesh));
        Some(body.map(|(body, lift)| Obstacle { body, place: lowered(&place, lift), effect }))
    }
}

/// Triangles as a mesh without instances.
fn instanced_mesh(soup: Soup, area: AreaId, is_mirrored: bool) -> InstancedMesh {
    let count = soup.triangles.len();
    let turned = |[a, b, c]: [u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    InstancedMesh {
        vertices: soup.vertices.into(),
        triangles: soup.triangles.into_iter().map(turned).collect(),
        areas: if area == AreaId::GROUND { [].into() } else { vec![area; count].into() },
        placements: Vec::new(),
    }
}

fn connection(
    (entity, link, place): (Entity, &OffMeshLink, &GlobalTransform),
) -> (OffMeshConnection, Entity) {
    let at = |point| place.transform_point(point).to_array().map(f64::from);
    let connection = OffMeshConnection {
        start: at(link.start),
        end: at(link.end),
        radius: link.radius.into(),
        both_ways: link.both_ways,
        area: AreaId(link.area),
        flags: None,
        user_id: 0,
        along: [0.0; 2],
    };
    (connection, entity)
}
