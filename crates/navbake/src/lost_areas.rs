//! Areas that the level assigns to its ground but no polygon has, and the areas that cover them.

use crate::warning::Warning;
use detour::{Filter, NavMesh, Query, Vec3};
use recast::{AreaId, PreparedLevel, Settings};
use std::collections::BTreeMap;

/// Number of triangles of an area that are checked: enough to find the area that covers it.
const LOOKED_AT: usize = 1000;

/// The floors of an area of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaFloors {
    /// Its id.
    pub id: u8,
    /// Number of triangles of the area.
    pub triangles: u64,
    /// Middles of the first triangles that are flat enough to walk on and face up, world metres.
    pub middles: Vec<[f64; 3]>,
}

/// The floors of each area in the level, except the ground and areas that are not walkable.
pub fn floors(level: &PreparedLevel) -> Vec<AreaFloors> {
    floors_of(level, |_| true)
}

fn floors_of(level: &PreparedLevel, is_wanted: impl Fn(u8) -> bool) -> Vec<AreaFloors> {
    let mut floors = Vec::new();
    if level.areas().iter().any(|id| *id != AreaId::GROUND && is_wanted(id.0)) {
        for triangle in (0..level.triangle_count()).filter(|&triangle| is_wanted(level.area(triangle).0)) {
            add_floor(&mut floors, level, level.corners(triangle), level.area(triangle));
        }
    }
    floors
}

/// Adds a triangle of the level to the floors of its area, unless it is ground or not walkable. Metres from
/// the lattice's zero.
pub fn add_floor(floors: &mut Vec<AreaFloors>, level: &PreparedLevel, corners: [[f32; 3]; 3], area: AreaId) {
    if !area.is_walkable() || area == AreaId::GROUND {
        return;
    }
    let place = floors.binary_search_by_key(&area.0, |floors| floors.id).unwrap_or_else(|place| {
        floors.insert(place, AreaFloors { id: area.0, triangles: 0, middles: Vec::new() });
        place
    });
    let own = &mut floors[place];
    own.triangles += 1;
    if own.middles.len() < LOOKED_AT && is_floor(level, corners) {
        own.middles.push(middle(level, corners));
    }
}

/// The floors of the areas of two chunks of a level, with those of the first chunk first.
pub fn joined_floors(mut floors: Vec<AreaFloors>, next: &[AreaFloors]) -> Vec<AreaFloors> {
    for area in next {
        let place = floors.binary_search_by_key(&area.id, |floors| floors.id);
        match place {
            Err(place) => floors.insert(place, area.clone()),
            Ok(place) => {
                let own = &mut floors[place];
                own.triangles += area.triangles;
                let room = LOOKED_AT.saturating_sub(own.middles.len());
                own.middles.extend(area.middles.iter().take(room));
            }
        }
    }
    floors
}

/// A warning for each area of the level that no polygon of the mesh has. `present` is true for ids that
/// polygons have, and `mesh` makes the mesh if it is needed. Without a mesh the warnings have less detail.
pub fn warnings(
    level: &PreparedLevel,
    mesh: impl FnOnce() -> Option<NavMesh>,
    present: &[bool; 256],
) -> Vec<Warning> {
    let lost = floors_of(level, |id| !present[usize::from(id)]);
    warnings_of(&lost, &level.config.settings, mesh, present)
}

/// Like [`warnings`], for a level with these floors, and settings that name its areas.
pub fn warnings_of(
    floors: &[AreaFloors],
    settings: &Settings,
    mesh: impl FnOnce() -> Option<NavMesh>,
    present: &[bool; 256],
) -> Vec<Warning> {
    let lost: Vec<&AreaFloors> = floors.iter().filter(|area| !present[usize::from(area.id)]).collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let mesh = mesh();
    let mut query = Query::new();
    let of_area = |area: &AreaFloors| {
        let AreaFloors { id, triangles, middles } = area;
        let mut covering: BTreeMap<u8, usize> = BTreeMap::new();
        for &middle in middles {
            let over = mesh.as_ref().and_then(|mesh| area_at(settings, middle, mesh, &mut query));
            over.into_iter().for_each(|id| *covering.entry(id).or_default() += 1);
        }
        let own = settings.area(AreaId(*id)).name.escape_debug().to_string();
        let most = covering.into_iter().max_by_key(|(_, triangles)| *triangles);
        let why = match (most, middles.first()) {
            (Some((other, _)), _) => {
                let name = settings.area(AreaId(other)).name.escape_debug().to_string();
                format!("{name} (id {other}) covers them; give {own} a higher priority than {name}")
            }
            (None, None) => "all of them are too steep, or face down".to_owned(),
            (None, Some([x, y, z])) => {
                format!("there is no mesh; `navtile explain --at {x:.2},{y:.2},{z:.2}` says why")
            }
        };
        let have = if *triangles == 1 { "has" } else { "have" };
        let triangles =
            if *triangles == 1 { "1 triangle".to_owned() } else { format!("{triangles} triangles") };
        let message = format!("area {own} (id {id}): {triangles} {have} it, no polygon does: {why}");
        Warning::plain("lost_area", message)
    };
    lost.into_iter().map(of_area).collect()
}

/// The area of the polygon over a place.
fn area_at(settings: &Settings, place: [f64; 3], mesh: &NavMesh, query: &mut Query) -> Option<u8> {
    let across = settings.cell_size as f32;
    let up = (settings.agent_climb + 2.0 * settings.cell_height) as f32;
    let place = mesh.from_world(place);
    let everything = Filter::default().with_include(u32::MAX);
    let nearest = query.nearest(mesh, place, Vec3::new(across, up, across), &everything).ok()?;
    mesh.attributes(nearest.polygon).ok().map(|attributes| attributes.area)
}

/// The middle of a triangle, world metres.
fn middle(level: &PreparedLevel, corners: [[f32; 3]; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        level.lattice.origin[axis] + corners.iter().map(|corner| f64::from(corner[axis])).sum::<f64>() / 3.0
    })
}

/// Returns true if a triangle is flat enough to walk on and faces up.
fn is_floor(level: &PreparedLevel, corners: [[f32; 3]; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let [u, v]: [[f64; 3]; 2] = [b, c].map(|p| std::array::from_fn(|axis| p[axis] - a[axis]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
    normal[1] > length * level.config.settings.agent_slope.to_radians().cos()
}
