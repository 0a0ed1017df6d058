//! Gizmos: the lines of [`debug`](crate::debug), drawn by Bevy.

use crate::debug::{NavLayers, NavLine};
use crate::world::NavWorld;
use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::{Entity, IntoScheduleConfigs, Local, Query, ReflectResource, Res, Resource};
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::TransformSystems;
use detour::NavMesh;

/// Draws meshes and agents as gizmos, in the group [`NavGizmos`]. It needs Bevy's own plugin for gizmos,
/// which is part of `DefaultPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NavtileGizmoPlugin;

/// The group of the gizmos. Set its line widths, depth and render layers in
/// [`GizmoConfigStore`](bevy_gizmos::config::GizmoConfigStore).
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct NavGizmos;

/// The layers that are drawn. Can be changed at run time.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Default, Clone, PartialEq, Debug)]
pub struct NavGizmoLayers(pub NavLayers);

impl Plugin for NavtileGizmoPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavGizmos>()
            .init_resource::<NavGizmoLayers>()
            .register_type::<NavGizmoLayers>()
            .add_systems(PostUpdate, draw.after(TransformSystems::Propagate));
    }
}

/// The lines of a mesh, kept as long as the mesh is unchanged.
struct MeshLines {
    mesh: NavMesh,
    layers: NavLayers,
    lines: Vec<NavLine>,
}

fn draw(
    worlds: Query<(Entity, &NavWorld)>,
    layers: Res<NavGizmoLayers>,
    mut kept: Local<EntityHashMap<MeshLines>>,
    mut gizmos: Gizmos<NavGizmos>,
) {
    if !gizmos.config.enabled {
        return;
    }
    kept.retain(|entity, _| worlds.contains(*entity));
    for (entity, world) in &worlds {
        let is_current =
            kept.get(&entity).is_some_and(|kept| kept.mesh.is_same(&world.mesh) && kept.layers == layers.0);
        if !is_current {
            let (mesh, lines) = (world.mesh.clone(), world.mesh_lines(&layers.0));
            kept.insert(entity, MeshLines { mesh, layers: layers.0, lines });
        }
        let moving = world.moving_lines(&layers.0);
        for line in kept.get(&entity).into_iter().flat_map(|kept| &kept.lines).chain(&moving) {
            let [red, green, blue, alpha] = line.colour;
            gizmos.line(line.from, line.to, Color::srgba(red, green, blue, alpha));
        }
    }
}
