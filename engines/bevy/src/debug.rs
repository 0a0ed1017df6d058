//! Lines that show a mesh and the crowd on it, layer by layer: for gizmos or other line renderers.

use crate::world::NavWorld;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use crowd::AgentView;
use detour::{LineKind, MeshLine, NavMesh, PolyRef, Query, StraightOptions, StraightPath};
use navlevel::Obstacle;
use std::collections::BTreeMap;

/// The visible layers.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavLayers {
    /// Edges between polygons. Default on.
    pub polygons: bool,
    /// Edges with no ground on their other side. Default on.
    pub walls: bool,
    /// Edges on tile borders that lead to the next tile. Default off.
    pub portals: bool,
    /// Off-mesh links that are joined. Default on.
    pub links: bool,
    /// Borders of tiles, at the height of their lowest ground. Default off.
    pub tiles: bool,
    /// Bodies of obstacles. Default on.
    pub obstacles: bool,
    /// Bodies of agents, and their headings. Default on.
    pub agents: bool,
    /// The paths of agents to their targets. Default off.
    pub paths: bool,
    /// The polygons of these paths. Default off.
    pub corridors: bool,
    /// Height of lines above the ground, metres. Default 0.05.
    pub lift: f32,
}

impl Default for NavLayers {
    fn default() -> NavLayers {
        NavLayers {
            polygons: true,
            walls: true,
            links: true,
            obstacles: true,
            agents: true,
            ..NavLayers::none()
        }
    }
}

impl NavLayers {
    /// All layers.
    pub fn all() -> NavLayers {
        NavLayers { portals: true, tiles: true, paths: true, corridors: true, ..NavLayers::default() }
    }

    /// No layers.
    pub fn none() -> NavLayers {
        NavLayers {
            polygons: false,
            walls: false,
            portals: false,
            links: false,
            tiles: false,
            obstacles: false,
            agents: false,
            paths: false,
            corridors: false,
            lift: 0.05,
        }
    }
}

/// A line to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavLine {
    /// Start of the line.
    pub from: Vec3,
    /// End of the line.
    pub to: Vec3,
    /// Red, green, blue and opacity, 0 to 1, sRGB.
    pub colour: [f32; 4],
}

const POLYGON: [f32; 4] = [0.25, 0.65, 0.85, 0.5];
const WALL: [f32; 4] = [0.1, 0.35, 0.75, 1.0];
const PORTAL: [f32; 4] = [0.95, 0.6, 0.1, 0.9];
const LINK: [f32; 4] = [0.75, 0.3, 0.9, 1.0];
const TILE: [f32; 4] = [0.55, 0.55, 0.55, 0.6];
const OBSTACLE: [f32; 4] = [0.85, 0.2, 0.15, 1.0];
const AGENT: [f32; 4] = [0.1, 0.7, 0.3, 1.0];
const PATH: [f32; 4] = [0.95, 0.85, 0.1, 1.0];
const CORRIDOR: [f32; 4] = [0.95, 0.85, 0.1, 0.35];

/// Number of sides of a circle.
const SIDES: usize = 16;
/// Edges between surfaces at a smaller angle than this are not shown. Cosine of the angle between the
/// normals.
const SHARP: f64 = 0.99;

impl NavWorld {
    /// Lines that show the mesh: the layers that only change with its tiles.
    pub fn mesh_lines(&self, layers: &NavLayers) -> Vec<NavLine> {
        let mut lines = Lines::new(layers);
        for line in self.mesh.lines() {
            let colour = match line.kind {
                LineKind::Inner if layers.polygons => POLYGON,
                LineKind::Wall if layers.walls => WALL,
                LineKind::Portal if layers.portals => PORTAL,
                LineKind::Tile if layers.tiles => TILE,
                LineKind::Link if layers.links => LINK,
                _ => continue,
            };
            lines.add(line.from, line.to, colour);
        }
        lines.list
    }

    /// Lines that show obstacles, agents and their paths: the layers that change with each step.
    pub fn moving_lines(&self, layers: &NavLayers) -> Vec<NavLine> {
        let mut lines = Lines::new(layers);
        if layers.obstacles {
            self.obstacles.values().for_each(|placed| lines.obstacle(&placed.obstacle));
        }
        let (mut query, mut path) = (Query::new(), StraightPath::default());
        for id in self.crowd.agents() {
            let (Ok(view), Ok(params)) = (self.crowd.agent(id), self.crowd.params(id)) else { continue };
            if layers.agents {
                lines.agent(&view, params.radius, params.height);
            }
            let Ok(corridor) = self.crowd.corridor(id) else { continue };
            if layers.corridors {
                for polygon in corridor.polygons() {
                    lines.outline(&self.mesh, *polygon, CORRIDOR);
                }
            }
            if layers.paths
                && corridor.corners(&mut query, &self.mesh, &StraightOptions::default(), &mut path).is_ok()
            {
                let corners = path.corners.iter().map(|corner| corner.point);
                for line in MeshLine::along(std::iter::once(view.position).chain(corners)) {
                    lines.add(line.from, line.to, PATH);
                }
            }
        }
        lines.list
    }
}

/// Collects lines.
struct Lines {
    list: Vec<NavLine>,
    lift: Vec3,
}

impl Lines {
    fn new(layers: &NavLayers) -> Lines {
        Lines { list: Vec::new(), lift: Vec3::Y * layers.lift }
    }

    fn add(&mut self, from: Vec3, to: Vec3, colour: [f32; 4]) {
        self.list.push(NavLine { from: from + self.lift, to: to + self.lift, colour });
    }

    fn strip(&mut self, points: impl IntoIterator<Item = Vec3>, colour: [f32; 4]) {
        let mut before = None;
        for point in points {
            if let Some(before) = before.replace(point) {
                self.add(before, point, colour);
            }
        }
    }

    fn ring(&mut self, points: &[Vec3], colour: [f32; 4]) {
        self.strip(points.iter().chain(points.first()).copied(), colour);
    }

    fn outline(&mut self, mesh: &NavMesh, polygon: PolyRef, colour: [f32; 4]) {
        if let Ok(corners) = mesh.corners(polygon) {
            let corners: Vec<Vec3> = corners.collect();
            self.ring(&corners, colour);
        }
    }

    /// The sharp edges of a body.
    fn obstacle(&mut self, obstacle: &Obstacle) {
        let corners: Vec<[f64; 3]> =
            obstacle.body.vertices().iter().map(|vertex| obstacle.place.apply(*vertex)).collect();
        let point = |vertex: u32| Vec3::from_array(corners[vertex as usize].map(|metres| metres as f32));
        // The normals of the triangles at each edge.
        let mut edges: BTreeMap<[u32; 2], Vec<Vec3>> = BTreeMap::new();
        for &[a, b, c] in obstacle.body.triangles() {
            let normal = (point(b) - point(a)).cross(point(c) - point(a)).normalize_or_zero();
            for [from, to] in [[a, b], [b, c], [c, a]] {
                edges.entry([from.min(to), from.max(to)]).or_default().push(normal);
            }
        }
        for ([from, to], normals) in edges {
            let is_flat = matches!(normals[..], [a, b] if f64::from(a.dot(b)) > SHARP);
            if !is_flat {
                self.add(point(from), point(to), OBSTACLE);
            }
        }
    }

    /// A circle at the feet, a line up the body, and one ahead.
    fn agent(&mut self, view: &AgentView, radius: f32, height: f32) {
        let around = |side: usize| {
            let (sin, cos) = (side as f32 * std::f32::consts::TAU / SIDES as f32).sin_cos();
            view.position + Vec3::new(cos, 0.0, sin) * radius
        };
        let circle: Vec<Vec3> = (0..SIDES).map(around).collect();
        self.ring(&circle, AGENT);
        self.add(view.position, view.position + Vec3::Y * height, AGENT);
        self.add(view.position, view.position + view.heading * radius * 1.8, AGENT);
    }
}
