//! Obstacles of a level as C passes them: their bodies, places and effects.

use crate::pointers::{Options, sized, write};
use crate::status::{Answer, Fault, NtStatus, call};
use bytemuck::{Pod, Zeroable};
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Transform};
use std::mem::MaybeUninit;

/// A transform from an obstacle's own space to the world, metres: three rows of four, x, y and z. The last
/// number of each row is added; it is the position of the obstacle's origin.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct NtTransform {
    pub rows: [[f64; 4]; 3],
}

/// A box of the extents x, y and z. Its origin is the centre of its bottom.
pub const NT_BODY_BOX: u32 = 0;
/// An upright cylinder: the first extent is its radius, the second its height. Its origin is the centre of
/// its bottom.
pub const NT_BODY_CYLINDER: u32 = 1;
/// An upright capsule: the first extent is its radius, the second its height, at least twice the radius. Its
/// origin is the centre of its bottom.
pub const NT_BODY_CAPSULE: u32 = 2;

/// A solid: agents can walk on its flat parts and under it. `area` is the area of its top, 0 if the top is
/// not walkable.
pub const NT_EFFECT_SOLID: u32 = 0;
/// Removes the ground on which an agent's body would touch the obstacle. Costs less than a solid obstacle,
/// and adds no ground.
pub const NT_EFFECT_BLOCKS: u32 = 1;
/// The ground within it has the area `area`.
pub const NT_EFFECT_MARKS: u32 = 2;
/// Removes the level within the obstacle, from one cell above its bottom.
pub const NT_EFFECT_REMOVES: u32 = 3;

/// An obstacle of a level. Set it by nt_obstacle_init, which makes it a solid box of one metre at the world's
/// origin, before you change it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct NtObstacleParams {
    /// Size of this struct, bytes.
    pub size: u32,
    /// NT_BODY_BOX, NT_BODY_CYLINDER or NT_BODY_CAPSULE. Hulls and meshes have calls of their own that do not
    /// read this.
    pub body: u32,
    /// NT_EFFECT_SOLID, NT_EFFECT_BLOCKS, NT_EFFECT_MARKS or NT_EFFECT_REMOVES.
    pub effect: u32,
    /// 0 to 255; 63 is the library's default ground. Read by NT_EFFECT_SOLID and NT_EFFECT_MARKS.
    pub area: u32,
    /// 1 to extend the obstacle by the agent's radius. Read by NT_EFFECT_BLOCKS and NT_EFFECT_MARKS.
    pub inflate: u32,
    /// 0.
    pub reserved: u32,
    /// Metres.
    pub extents: [f64; 3],
    pub place: NtTransform,
}

impl Options for NtObstacleParams {
    fn defaults() -> NtObstacleParams {
        NtObstacleParams {
            size: size_of::<NtObstacleParams>() as u32,
            body: NT_BODY_BOX,
            effect: NT_EFFECT_SOLID,
            area: AreaId::GROUND.0.into(),
            inflate: 1,
            reserved: 0,
            extents: [1.0; 3],
            place: Transform::IDENTITY.into(),
        }
    }
}

impl From<Transform> for NtTransform {
    fn from(of: Transform) -> NtTransform {
        NtTransform { rows: of.0 }
    }
}

/// Reads the caller's transform.
pub(crate) fn transform(place: &NtTransform) -> Answer<Transform> {
    if place.rows.iter().flatten().any(|number| !number.is_finite()) {
        return Err(Fault::argument(format!("the place of an obstacle is not finite: {:?}", place.rows)));
    }
    Ok(Transform(place.rows))
}

impl NtObstacleParams {
    /// Reads an obstacle whose body the struct itself describes.
    pub(crate) fn with_own_body(given: *const NtObstacleParams) -> Answer<Obstacle> {
        let params = sized(given, "params")?;
        let [x, y, z] = params.extents;
        let body = match params.body {
            NT_BODY_BOX => Body::cuboid([x, y, z])?,
            NT_BODY_CYLINDER => Body::cylinder(x, y)?,
            NT_BODY_CAPSULE => Body::capsule(x, y)?,
            other => return Err(Fault::argument(format!("params.body is {other}: 0, 1 or 2"))),
        };
        params.obstacle(body)
    }

    /// Reads an obstacle with another body.
    pub(crate) fn with_body(given: *const NtObstacleParams, body: Body) -> Answer<Obstacle> {
        sized(given, "params")?.obstacle(body)
    }

    fn obstacle(&self, body: Body) -> Answer<Obstacle> {
        let area = u8::try_from(self.area)
            .map(AreaId)
            .map_err(|_| Fault::argument(format!("params.area is {}: 0 to 255", self.area)))?;
        let inflate = self.inflate != 0;
        let effect = match self.effect {
            NT_EFFECT_SOLID => Effect::Solid { area },
            NT_EFFECT_BLOCKS => Effect::Blocks { inflate },
            NT_EFFECT_MARKS => Effect::Marks { area, inflate },
            NT_EFFECT_REMOVES => Effect::Removes,
            other => return Err(Fault::argument(format!("params.effect is {other}: 0 to 3"))),
        };
        Ok(Obstacle { body, place: transform(&self.place)?, effect })
    }
}

/// Points of three numbers.
pub(crate) fn points<'a>(data: *const f64, count: usize, name: &str) -> Answer<&'a [[f64; 3]]> {
    crate::bake::triples(data, count, name)
}

/// Makes a hull, or a mesh if there are triangles.
pub(crate) fn body(vertices: (*const f64, usize), triangles: Option<(*const u32, usize)>) -> Answer<Body> {
    let vertices = points(vertices.0, vertices.1, "points")?;
    Ok(match triangles {
        None => Body::hull(vertices)?,
        Some((data, count)) => Body::mesh(vertices, crate::bake::triples(data, count, "triangles")?)?,
    })
}

/// Sets an obstacle to a solid box of one metre at the world's origin.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_obstacle_init(params: Option<&mut MaybeUninit<NtObstacleParams>>) -> NtStatus {
    call(|| write(params, "params", NtObstacleParams::defaults()))
}

/// Writes a transform that turns by `yaw` degrees about the vertical, from the x axis towards the z axis,
/// then moves to a point of the world, metres.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_transform_turned(
    yaw: f64,
    x: f64,
    y: f64,
    z: f64,
    out: Option<&mut MaybeUninit<NtTransform>>,
) -> NtStatus {
    call(|| {
        let made = NtTransform::from(Transform::turned(yaw, [x, y, z]));
        transform(&made)?;
        write(out, "out", made)
    })
}
