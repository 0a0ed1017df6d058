//! The look of the town: bodies, light and camera, and the picture if it is drawn without a window.

use crate::town::{House, SIDE};
use bevy_app::{App, AppExit, Plugin, PostStartup, Startup, Update};
use bevy_asset::{Assets, Handle};
use bevy_camera::{Camera, Camera3d, ClearColorConfig, ImageRenderTarget, RenderTarget};
use bevy_color::Color;
use bevy_core_pipeline::tonemapping::Tonemapping;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_light::DirectionalLight;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_navtile::{NavAgent, NavDisc, NavObstacle, NavShape, NavSource};
use bevy_pbr::{MeshMaterial3d, StandardMaterial};
use bevy_render::render_resource::TextureFormat;
use bevy_render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_shape::{Capsule3d, Cuboid, Sphere};
use bevy_time::Time;
use bevy_transform::components::Transform;
use std::path::PathBuf;

/// Width and height of the picture, pixels.
const SIZE: [u32; 2] = [1280, 800];

/// Path of the picture, and the number of seconds after which it is drawn.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) path: PathBuf,
    pub(crate) after: u32,
}

/// Light, camera and bodies.
pub(crate) struct Look {
    pub(crate) picture: Option<Picture>,
}

impl Plugin for Look {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, set_up).add_systems(PostStartup, dress);
        if let Some(picture) = &self.picture {
            app.insert_resource(picture.clone()).add_systems(Update, draw);
        }
    }
}

/// The image that is the render target without a window.
#[derive(Resource)]
struct Canvas(Handle<Image>);

fn set_up(mut commands: Commands, mut images: ResMut<Assets<Image>>, picture: Option<Res<Picture>>) {
    let middle = Vec3::new(SIDE / 2.0, 0.0, SIDE / 2.0);
    let from = middle + Vec3::new(0.0, SIDE * 0.62, SIDE * 0.72);
    let sky = ClearColorConfig::Custom(Color::srgb(0.72, 0.8, 0.88));
    let camera = Camera { clear_color: sky, ..Camera::default() };
    let place = Transform::from_translation(from).looking_at(middle + Vec3::Z * 6.0, Vec3::Y);
    // Other tonemapping methods need tables that this small part of Bevy does not have.
    let mut camera = commands.spawn((Camera3d::default(), Tonemapping::None, camera, place));
    if picture.is_some() {
        let [width, height] = SIZE;
        let canvas = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        let canvas = images.add(canvas);
        camera.insert(RenderTarget::Image(ImageRenderTarget::from(canvas.clone())));
        commands.insert_resource(Canvas(canvas));
    }
    let sun = Transform::from_xyz(30.0, 60.0, 20.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { shadow_maps_enabled: true, ..DirectionalLight::default() }, sun));
}

/// Gives everything in the town a body.
fn dress(
    mut commands: Commands,
    sources: Query<(Entity, &NavSource, Has<House>)>,
    obstacles: Query<(Entity, &NavObstacle)>,
    discs: Query<(Entity, &NavDisc)>,
    agents: Query<(Entity, &NavAgent)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut paint = |red, green, blue| {
        let base_color = Color::srgb(red, green, blue);
        let matt = StandardMaterial { base_color, perceptual_roughness: 0.9, ..StandardMaterial::default() };
        MeshMaterial3d(materials.add(matt))
    };
    let (ground, brick, cart) = (paint(0.55, 0.58, 0.5), paint(0.75, 0.62, 0.5), paint(0.8, 0.25, 0.2));
    let coats = [paint(0.15, 0.5, 0.3), paint(0.2, 0.35, 0.7), paint(0.85, 0.7, 0.2), paint(0.5, 0.25, 0.55)];
    let mut body = |shape: &NavShape| match shape {
        NavShape::Cuboid { size } => Some(Mesh3d(meshes.add(Cuboid::from_size(*size)))),
        _ => None,
    };
    for (entity, source, is_house) in &sources {
        let colour = if is_house { brick.clone() } else { ground.clone() };
        if let Some(body) = body(&source.shape) {
            commands.entity(entity).insert((body, colour));
        }
    }
    for (entity, obstacle) in &obstacles {
        if let Some(body) = body(&obstacle.shape) {
            commands.entity(entity).insert((body, cart.clone()));
        }
    }
    let ball = Mesh3d(meshes.add(Sphere::new(1.0)));
    for (entity, disc) in &discs {
        let size = Transform::from_scale(Vec3::splat(disc.radius)).with_translation(Vec3::Y * disc.radius);
        commands.spawn((ChildOf(entity), ball.clone(), cart.clone(), size));
    }
    // One mesh for all agents, so that the renderer draws them in one call. The origin of an agent is at its
    // feet.
    let figure = Mesh3d(meshes.add(Capsule3d::new(0.35, 1.1)));
    for (number, (entity, _)) in agents.iter().enumerate() {
        let coat = coats[number % coats.len()].clone();
        commands.spawn((ChildOf(entity), figure.clone(), coat, Transform::from_xyz(0.0, 0.9, 0.0)));
    }
}

/// Draws the frame, and ends when it is in its file.
fn draw(
    mut commands: Commands,
    canvas: Res<Canvas>,
    picture: Res<Picture>,
    time: Res<Time>,
    mut is_taken: Local<bool>,
) {
    if *is_taken || time.elapsed_secs() < picture.after as f32 {
        return;
    }
    *is_taken = true;
    let mut shot = commands.spawn(Screenshot::image(canvas.0.clone()));
    shot.observe(save_to_disk(picture.path.clone()));
    let path = picture.path.clone();
    shot.observe(move |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
        println!("{}", path.display());
        exit.write(AppExit::Success);
    });
}
