//! Shapes of sources and obstacles, and the triangles of Bevy's meshes.

use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::GlobalTransform;
use navlevel::{Body, ObstacleError};
use recast::Transform;
use thiserror::Error;

/// The shape of a [`NavSource`](crate::NavSource) or [`NavObstacle`](crate::NavObstacle), in the space of its
/// entity. As with Bevy's own shapes, the origin is in the middle.
///
/// A physics engine's collider becomes a shape in a line or two: a box as [`NavShape::Cuboid`], everything
/// else by its triangles.
#[derive(Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavShape {
    /// The triangles of the entity's [`Mesh3d`](bevy_mesh::Mesh3d).
    #[default]
    Mesh,
    /// A box of this size.
    Cuboid {
        /// Along x, y and z, metres.
        size: Vec3,
    },
    /// A cylinder along y.
    Cylinder {
        /// Metres.
        radius: f32,
        /// Metres.
        height: f32,
    },
    /// A capsule along y.
    Capsule {
        /// Metres.
        radius: f32,
        /// Including both half spheres, metres.
        height: f32,
    },
    /// The convex hull of points.
    Hull {
        /// 4 to 256 points that are not all in one plane.
        points: Vec<Vec3>,
    },
    /// Triangles.
    Triangles {
        /// Corners.
        vertices: Vec<Vec3>,
        /// Counter-clockwise as seen from the walkable side.
        triangles: Vec<[u32; 3]>,
    },
}

/// The reason why a shape cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// The entity has no mesh, or the mesh is not loaded.
    #[error(
        "its shape is NavShape::Mesh, and its Mesh3d is missing or not loaded: add one, or give another shape"
    )]
    NoMesh,
    /// The mesh's vertices are only on the graphics card.
    #[error(
        "the vertices of its mesh are not in main memory: load it with RenderAssetUsages::MAIN_WORLD, or give another shape"
    )]
    NotInMemory,
    /// The mesh consists of lines or points.
    #[error("its mesh is of {0:?}, expected triangles")]
    Topology(PrimitiveTopology),
    /// The body is not valid.
    #[error(transparent)]
    Body(#[from] ObstacleError),
}

/// Triangles in the space of an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl NavShape {
    /// The body, and the height of the shape's origin above the origin of the body.
    pub(crate) fn body(&self, mesh: Option<&Mesh>) -> Result<(Body, f64), ShapeError> {
        let wide = |points: &[Vec3]| -> Vec<[f64; 3]> {
            points.iter().map(|point| point.to_array().map(f64::from)).collect()
        };
        Ok(match self {
            NavShape::Mesh => {
                let soup = soup(mesh.ok_or(ShapeError::NoMesh)?)?;
                (Body::mesh(&soup.vertices, &soup.triangles)?, 0.0)
            }
            NavShape::Cuboid { size } => {
                (Body::cuboid(size.to_array().map(f64::from))?, f64::from(size.y) / 2.0)
            }
            NavShape::Cylinder { radius, height } => {
                (Body::cylinder((*radius).into(), (*height).into())?, f64::from(*height) / 2.0)
            }
            NavShape::Capsule { radius, height } => {
                (Body::capsule((*radius).into(), (*height).into())?, f64::from(*height) / 2.0)
            }
            NavShape::Hull { points } => (Body::hull(&wide(points))?, 0.0),
            NavShape::Triangles { vertices, triangles } => (Body::mesh(&wide(vertices), triangles)?, 0.0),
        })
    }

    /// The triangles, which may be more than a body can have.
    pub(crate) fn soup(&self, mesh: Option<&Mesh>) -> Result<Soup, ShapeError> {
        match self {
            NavShape::Mesh => soup(mesh.ok_or(ShapeError::NoMesh)?),
            NavShape::Triangles { vertices, triangles } => Ok(Soup {
                vertices: vertices.iter().map(|vertex| vertex.to_array().map(f64::from)).collect(),
                triangles: triangles.clone(),
            }),
            _ => {
                let (body, lift) = self.body(mesh)?;
                let lowered = |[x, y, z]: &[f64; 3]| [*x, y - lift, *z];
                Ok(Soup {
                    vertices: body.vertices().iter().map(lowered).collect(),
                    triangles: body.triangles().to_vec(),
                })
            }
        }
    }
}

/// The triangles of a mesh.
fn soup(mesh: &Mesh) -> Result<Soup, ShapeError> {
    let positions = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION).map_err(|_| ShapeError::NotInMemory)?;
    let VertexAttributeValues::Float32x3(positions) = positions else { return Err(ShapeError::NotInMemory) };
    let vertices: Vec<[f64; 3]> = positions.iter().map(|position| position.map(f64::from)).collect();
    let indices: Vec<u32> = match mesh.try_indices_option().map_err(|_| ShapeError::NotInMemory)? {
        Some(Indices::U16(indices)) => indices.iter().map(|index| u32::from(*index)).collect(),
        Some(Indices::U32(indices)) => indices.clone(),
        None => (0..vertices.len() as u32).collect(),
    };
    let triangles = match mesh.primitive_topology() {
        PrimitiveTopology::TriangleList => indices.as_chunks().0.to_vec(),
        PrimitiveTopology::TriangleStrip => {
            // Every other triangle of a strip has the opposite winding.
            let wound = |(number, corners): (usize, &[u32])| match number % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[1], corners[0], corners[2]],
            };
            indices.windows(3).enumerate().map(wound).collect()
        }
        other => return Err(ShapeError::Topology(other)),
    };
    Ok(Soup { vertices, triangles })
}

/// The transform of an entity in the form that the bake uses.
pub(crate) fn placement(place: &GlobalTransform) -> Transform {
    let affine = place.affine();
    let [x, y, z] = [affine.matrix3.x_axis, affine.matrix3.y_axis, affine.matrix3.z_axis];
    let row = |axis: usize| [x[axis], y[axis], z[axis], affine.translation[axis]].map(f64::from);
    Transform([row(0), row(1), row(2)])
}

/// A transform moved down by `lift` in its own space.
pub(crate) fn lowered(place: &Transform, lift: f64) -> Transform {
    place.after(&Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, -lift], [0.0, 0.0, 1.0, 0.0]]))
}
