//! Pictures of docs/planar.md, a map step by step from its outline to a path, the same map in tiles, and four
//! paths over each map for comparison.

use crate::Error;
use detour::{
    Corner, Crossings, Filter, NavMesh, Optimality, Passable, Path, PathOptions, Query, ShortestPath,
    StraightPath, Vec3,
};
use navdraw::scene::{Anchor, Geometry, Shape, Stroke, Style, Swatch, Text, Window};
use navdraw::{Colour, ColourBy, MeshOptions, Picture, mesh_picture};
use navplane::{ConvexPolygon, Map, Mesh, NONE, Settings, Triangle, bake, cut, mesh};
use navtile::AreaMeta;

/// A point of a map.
type Point = [f64; 2];

/// The map that is shown step by step.
const MAP: &str = "ruins";
/// Radius of its agent, in the map's units.
const RADIUS: f64 = 6.0;
/// Maps, and start and end of the path over each, in the map's units.
const WAYS: [(&str, Point, Point); 3] = [
    ("lake", [110.0, 300.0], [1060.0, 200.0]),
    ("ruins", [130.0, 600.0], [940.0, 200.0]),
    ("hall", [120.0, 120.0], [770.0, 580.0]),
];

/// All pictures, by file name.
pub(crate) fn draw() -> Result<Vec<(String, Picture)>, Error> {
    let map = by_name(MAP)?;
    let plain = mesh(&map, &Settings::default())?;
    let radius = Settings { agent_radius: RADIUS, ..Settings::default() };
    let eroded = mesh(&map, &radius)?;
    let mut pictures = vec![
        ("planar-1-outline".to_owned(), outline(&map)),
        ("planar-2-radius".to_owned(), offset(&map, &eroded)),
        ("planar-3-triangles".to_owned(), triangles(&map, &plain)),
        ("planar-4-polygons".to_owned(), polygons(&map, &plain)),
    ];
    let (_, from, to) = WAYS[1];
    let four = Four::find(&map, from, to)?;
    pictures.push(("planar-5-midpoints".to_owned(), before_funnel(&map, &four)));
    pictures.push(("planar-6-funnel".to_owned(), after_funnel(&map, &four)));
    pictures.push(("planar-7-tiles".to_owned(), tiles(&map, &radius)?));
    for (name, from, to) in WAYS {
        let map = by_name(name)?;
        let four = Four::find(&map, from, to)?;
        pictures.push((format!("planar-paths-{name}"), four.picture(name, &map)));
    }
    Ok(pictures)
}

fn by_name(name: &str) -> Result<Map, Error> {
    let scene = navscenes::flat::by_name(name).ok_or_else(|| format!("there is no map `{name}`"))?;
    Ok((scene.map)())
}

/// A point of the map in the picture, whose z points downwards.
fn down([x, y]: Point) -> Point {
    [x, -y]
}

fn rings(map: &Map) -> Vec<Vec<Point>> {
    let polygons = map.outlines.iter();
    let rings = polygons.flat_map(|polygon| std::iter::once(&polygon.outline).chain(&polygon.holes));
    rings.map(|ring| ring.iter().copied().map(down).collect()).collect()
}

fn window(map: &Map) -> Window {
    Window::around(rings(map).into_iter().flatten())
        .unwrap_or(Window { min: [0.0; 2], max: [1.0; 2] })
        .padded(0.03)
}

fn walls(map: &Map) -> Shape {
    let style = Style::line(Stroke::new(Colour::WALL, 2.6));
    Shape::filled(rings(map), style)
}

fn outline(map: &Map) -> Picture {
    let mut picture = Picture::new("1 \u{b7} Outline and holes", window(map));
    let holes: usize = map.outlines.iter().map(|polygon| polygon.holes.len()).sum();
    let corners: Vec<Point> = rings(map).into_iter().flatten().collect();
    picture.subtitle = format!("{} corners \u{b7} {holes} holes", corners.len());
    let dots = Style::fill(Colour::WHITE).outlined(Stroke::new(Colour::WALL, 1.8));
    let ground = Shape::filled(rings(map), Style::fill(Colour::GROUND));
    picture.push_layer("ground", vec![ground, walls(map), Shape::dots(corners, 3.6, dots)]);
    picture.push_legend(Swatch::Box(Colour::GROUND), "ground");
    picture
}

fn offset(map: &Map, eroded: &Mesh) -> Picture {
    let mut picture = Picture::new("2 \u{b7} The radius taken away", window(map));
    picture.subtitle = format!("radius {RADIUS}");
    let edges = eroded.polygons.iter().flat_map(|polygon| {
        let ring = ring_of(eroded, &polygon.corners);
        let walls: Vec<[Point; 2]> = (0..ring.len())
            .filter(|&at| polygon.beyond[at] == NONE)
            .map(|at| [ring[at], ring[(at + 1) % ring.len()]])
            .collect();
        walls
    });
    let edge = Stroke::new(Colour::START, 2.2);
    let left = eroded.polygons.iter().map(|polygon| ring_of(eroded, &polygon.corners)).collect();
    let taken = Shape::filled(rings(map), Style::fill(Colour::BLOCKED));
    // A thin line of the fill's own colour closes the seams between polygons.
    let ground = Style::fill(Colour::GROUND).outlined(Stroke::new(Colour::GROUND, 0.6));
    picture.push_layer("ground", vec![taken, Shape::filled(left, ground), Shape::segments(edges, edge)]);
    picture.push_layer("walls", vec![walls(map)]);
    picture.push_legend(Swatch::Box(Colour::GROUND), "where the agent's centre may be");
    picture.push_legend(Swatch::Box(Colour::BLOCKED), "within the radius of a wall");
    picture
}

fn ring_of(mesh: &Mesh, corners: &[u32]) -> Vec<Point> {
    corners.iter().map(|&corner| down(mesh.grid.to_map(mesh.vertices[corner as usize]))).collect()
}

/// The faces of a mesh, each in its colour, with thin lines between them.
fn faces<'a>(mesh: &Mesh, faces: impl Iterator<Item = &'a [u32]>, strength: f64) -> Vec<Shape> {
    let thin = Stroke::new(Colour::WHITE, 1.2);
    let face = |(number, corners): (u32, &[u32])| {
        let colour = navdraw::colour::region(number + 1).mix(Colour::WHITE, 1.0 - strength);
        Shape::filled(vec![ring_of(mesh, corners)], Style::fill(colour).outlined(thin))
    };
    (0u32..).zip(faces).map(face).collect()
}

fn triangles(map: &Map, mesh: &Mesh) -> Picture {
    let mut picture = Picture::new("3 \u{b7} Constrained Delaunay triangles", window(map));
    picture.subtitle = format!("{} triangles", mesh.triangles.len());
    let corners = mesh.triangles.iter().map(|triangle: &Triangle| &triangle.corners[..]);
    picture.push_layer("triangles", faces(mesh, corners, 0.75));
    picture.push_layer("walls", vec![walls(map)]);
    picture
}

fn convex(mesh: &Mesh) -> impl Iterator<Item = &[u32]> {
    mesh.polygons.iter().map(|polygon: &ConvexPolygon| &polygon.corners[..])
}

fn polygons(map: &Map, mesh: &Mesh) -> Picture {
    let mut picture = Picture::new("4 \u{b7} Convex polygons", window(map));
    picture.subtitle = format!("{} polygons of {} triangles", mesh.polygons.len(), mesh.triangles.len());
    picture.push_layer("polygons", faces(mesh, convex(mesh), 0.75));
    picture.push_layer("walls", vec![walls(map)]);
    picture
}

/// A path, its corners and its ends.
fn marked(path: &[Point], stroke: Stroke) -> Vec<Shape> {
    let points: Vec<Point> = path.iter().copied().map(down).collect();
    let [Some(&first), Some(&last)] = [points.first(), points.last()] else { return Vec::new() };
    let dots = Style::fill(Colour::WHITE).outlined(Stroke::new(stroke.colour, 2.0));
    let corners = points[1..points.len() - 1].to_vec();
    vec![
        Shape::polyline(points.clone(), stroke),
        Shape::dots(corners, 4.4, dots),
        Shape::dots(vec![first], 9.0, Style::fill(Colour::START)),
        Shape::dots(vec![last], 9.0, Style::fill(Colour::PATH)),
    ]
}

fn before_funnel(map: &Map, Four { mesh, midpoints, .. }: &Four) -> Picture {
    let mut picture = Picture::new("5 \u{b7} Before the funnel: over midpoints of edges", window(map));
    picture.subtitle = format!("length {:.1}", length(midpoints));
    picture.push_layer("polygons", faces(mesh, convex(mesh), 0.3));
    picture.push_layer("walls", vec![walls(map)]);
    picture.push_layer("path", marked(midpoints, Stroke::new(Colour::LOST, 4.0)));
    picture
}

fn after_funnel(map: &Map, Four { mesh, midpoints, fast, .. }: &Four) -> Picture {
    let mut picture = Picture::new("6 \u{b7} After the funnel: through the same polygons", window(map));
    let [before, after] = [midpoints, fast].map(|path| length(path));
    picture.subtitle = format!("length {after:.1}, before {before:.1}");
    picture.push_layer("polygons", faces(mesh, convex(mesh), 0.3));
    picture.push_layer("walls", vec![walls(map)]);
    let midpoints = midpoints.iter().copied().map(down).collect();
    let dashed = Stroke::new(Colour::LOST, 2.0).dashed(7.0, 6.0);
    picture.push_layer("before", vec![Shape::polyline(midpoints, dashed)]);
    picture.push_layer("path", marked(fast, Stroke::new(Colour::PATH, 4.5)));
    picture
}

/// The map in tiles 200 wide, as the runtime gets it.
fn tiles(map: &Map, settings: &Settings) -> Result<Picture, Error> {
    let settings = Settings { spacing: Some(1.0 / 4096.0), ..settings.clone() };
    // A cell of 256 spacings is a sixteenth.
    let tiles = cut(map, &settings, 200 * 16)?.tiles(&settings)?;
    let title = "7 \u{b7} In tiles 200 wide".to_owned();
    let options = MeshOptions { title, colour_by: ColourBy::Island, ..MeshOptions::default() };
    Ok(mesh_picture(&tiles, &[AreaMeta::unnamed(63)], &options))
}

fn distance(a: Point, b: Point) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// Length of a path.
fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// Four paths between the same ends.
struct Four {
    mesh: Mesh,
    /// Through the polygons of the fast search, over the midpoints of their edges.
    midpoints: Vec<Point>,
    /// The string pulled through the same polygons.
    fast: Vec<Point>,
    near: Vec<Point>,
    shortest: Vec<Point>,
}

impl Four {
    fn find(map: &Map, from: Point, to: Point) -> Result<Four, Error> {
        let mut world = NavMesh::default();
        world.add_tile(bake(map, &Settings::default())?)?;
        let mut query = Query::new();
        let [start, goal] = [from, to].map(|[x, y]| world.from_world([x, 0.0, -y]));
        let mut place = |at: Vec3| query.nearest(&world, at, Vec3::splat(1.0), &Filter::default());
        let (start, goal) = (place(start)?.place(), place(goal)?.place());
        let mut shortest = ShortestPath::default();
        query.shortest_path(&world, start, goal, &Passable::default(), &mut shortest)?;
        let mut pulled = |optimality: Optimality| -> Result<(Path, StraightPath), Error> {
            let (mut path, mut string) = (Path::default(), StraightPath::default());
            let options = PathOptions { optimality };
            query.find_path(&world, start, goal, &Filter::default(), &options, &mut path)?;
            let [from, to] = [start.point, goal.point];
            query.straight_path(&world, from, to, &path.polygons, Crossings::None, &mut string)?;
            Ok((path, string))
        };
        let (path, fast) = pulled(Optimality::Fast)?;
        let (_, near) = pulled(Optimality::Near)?;
        let mut midpoints = vec![start.point];
        for pair in path.polygons.windows(2) {
            world.visit_links(pair[0], |link| {
                midpoints.extend((link.to == pair[1]).then(|| link.left.midpoint(link.right)));
            })?;
        }
        midpoints.push(goal.point);
        let to_map = |point: Vec3| {
            let [x, _, z] = world.to_world(point);
            [x, -z]
        };
        let corners_on_map = |corners: &[Corner]| corners.iter().map(|corner| to_map(corner.point)).collect();
        Ok(Four {
            mesh: mesh(map, &Settings::default())?,
            midpoints: midpoints.into_iter().map(to_map).collect(),
            fast: corners_on_map(&fast.corners),
            near: corners_on_map(&near.corners),
            shortest: corners_on_map(&shortest.corners),
        })
    }

    fn picture(&self, name: &str, map: &Map) -> Picture {
        let mut picture = Picture::new(format!("Four paths over the map `{name}`"), window(map));
        picture.subtitle = format!("{} polygons", self.mesh.polygons.len());
        picture.push_layer("polygons", faces(&self.mesh, convex(&self.mesh), 0.2));
        picture.push_layer("walls", vec![walls(map)]);
        let lines = [
            ("over midpoints of edges", &self.midpoints, Stroke::new(Colour::LOST, 3.0)),
            ("its polygons, funnelled: fast", &self.fast, Stroke::new(Colour::GAINED, 9.0)),
            ("near", &self.near, Stroke::new(Colour::PATH, 5.0)),
            ("the shortest", &self.shortest, Stroke::new(Colour::INK, 2.0).dashed(8.0, 5.0)),
        ];
        for (words, path, stroke) in lines {
            let points = path.iter().copied().map(down).collect();
            picture.push_layer("path", vec![Shape::polyline(points, stroke)]);
            picture.push_legend(Swatch::Line(stroke), format!("{words}: {:.1}", length(path)));
        }
        let ends = [self.shortest.first(), self.shortest.last()];
        for (end, words) in ends.into_iter().flatten().zip(["from", "to"]) {
            let at = down(*end);
            let dot = Style::fill(Colour::INK).outlined(Stroke::new(Colour::WHITE, 3.0));
            let (text, anchor) = (words.to_owned(), Anchor::Middle);
            let text = Text { at, offset: [0.0, -16.0], text, size: 18.0, bold: true, anchor };
            let casing = Style::fill(Colour::INK).outlined(Stroke::new(Colour::WHITE, 4.0));
            let label = Shape { geometry: Geometry::Text(text), style: casing };
            picture.push_layer("ends", vec![Shape::dots(vec![at], 9.0, dot), label]);
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_of_four_paths_is_the_shortest() {
        for (name, from, to) in WAYS {
            let four = Four::find(&by_name(name).unwrap(), from, to).unwrap();
            let paths = [&four.midpoints, &four.fast, &four.near, &four.shortest];
            let [midpoints, fast, near, shortest] = paths.map(|path| length(path));
            assert!(fast < midpoints, "{name}: {fast}, {midpoints}");
            // Positions of the runtime are f32.
            let least = shortest * (1.0 - 1e-6);
            assert!(least <= fast && least <= near, "{name}: {shortest}, {fast}, {near}");
            for path in paths {
                let [first, last] = [path[0], path[path.len() - 1]];
                assert!(distance(first, from) < 0.01 && distance(last, to) < 0.01);
            }
        }
    }

    #[test]
    fn every_picture_has_its_own_name() {
        let mut names: Vec<String> = draw().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 10);
        names.dedup();
        assert!(names.len() == 10 && names.iter().all(|name| name.starts_with("planar-")));
    }
}
