//! Areas that the level maps to its ground and that no polygon has: what has their place instead.

use crate::warning::Warning;
use detour::{Filter, NavMesh, Query, Vec3};
use recast::{AreaId, PreparedLevel};
use std::collections::BTreeMap;

/// Triangles of an area that are looked at: enough to know what covers it.
const LOOKED_AT: usize = 1000;

/// A warning for each area of the level that no polygon of the mesh has; `present` says which ids have one, and `mesh` makes
/// the mesh if it is needed. Without one the warnings say less.
pub fn warnings(
    level: &PreparedLevel,
    mesh: impl FnOnce() -> Option<NavMesh>,
    present: &[bool; 256],
) -> Vec<Warning> {
    let areas = level.areas();
    let lost = areas.iter().filter(|id| id.is_walkable() && **id != AreaId::GROUND);
    let lost: Vec<AreaId> = lost.filter(|id| !present[usize::from(id.0)]).copied().collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let mesh = mesh();
    let mut query = Query::new();
    let of_area = |id: AreaId| {
        let mapped = (0..level.triangle_count()).filter(|&triangle| level.area(triangle) == id);
        let (total, floors) = mapped.fold((0, Vec::new()), |(total, mut floors), triangle| {
            floors.extend(Some(triangle).filter(|_| floors.len() < LOOKED_AT && is_floor(level, triangle)));
            (total + 1, floors)
        });
        let mut covering: BTreeMap<u8, usize> = BTreeMap::new();
        for &triangle in &floors {
            let over = mesh.as_ref().and_then(|mesh| area_at(level, triangle, mesh, &mut query));
            over.into_iter().for_each(|id| *covering.entry(id).or_default() += 1);
        }
        let settings = &level.config.settings;
        let own = settings.area(id).name.escape_debug().to_string();
        let most = covering.into_iter().max_by_key(|(_, triangles)| *triangles);
        let why = match most {
            Some((other, _)) => {
                let name = settings.area(AreaId(other)).name.escape_debug().to_string();
                format!("{name} (id {other}) covers them; give {own} a higher priority than {name}")
            }
            None if floors.is_empty() => "all of them are too steep, or face down".to_owned(),
            None => {
                let [x, y, z] = middle(level, floors[0]);
                format!("there is no mesh; `navtile explain --at {x:.2},{y:.2},{z:.2}` says why")
            }
        };
        let have = if total == 1 { "has" } else { "have" };
        let triangles = if total == 1 { "1 triangle".to_owned() } else { format!("{total} triangles") };
        let message = format!("area {own} (id {}): {triangles} {have} it, no polygon does: {why}", id.0);
        Warning::plain("lost_area", message)
    };
    lost.into_iter().map(of_area).collect()
}

/// The area of the polygon that lies over the middle of a triangle.
fn area_at(level: &PreparedLevel, triangle: usize, mesh: &NavMesh, query: &mut Query) -> Option<u8> {
    let settings = &level.config.settings;
    let across = settings.cell_size as f32;
    let up = (settings.agent_climb + 2.0 * settings.cell_height) as f32;
    let place = mesh.from_world(middle(level, triangle));
    let everything = Filter::default().with_include(u32::MAX);
    let nearest = query.nearest(mesh, place, Vec3::new(across, up, across), &everything).ok()?;
    mesh.attributes(nearest.polygon).ok().map(|attributes| attributes.area)
}

/// The middle of a triangle, world metres.
fn middle(level: &PreparedLevel, triangle: usize) -> [f64; 3] {
    let corners = level.corners(triangle);
    std::array::from_fn(|axis| {
        level.lattice.origin[axis] + corners.iter().map(|corner| f64::from(corner[axis])).sum::<f64>() / 3.0
    })
}

/// Whether a triangle is flat enough to walk on, and faces up.
fn is_floor(level: &PreparedLevel, triangle: usize) -> bool {
    let [a, b, c] = level.corners(triangle).map(|corner| corner.map(f64::from));
    let [u, v]: [[f64; 3]; 2] = [b, c].map(|p| std::array::from_fn(|axis| p[axis] - a[axis]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
    normal[1] > length * level.config.settings.agent_slope.to_radians().cos()
}
