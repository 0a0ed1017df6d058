//! Stages 14 and 15: the polygon mesh and the detail mesh.

use super::{Areas, StageOptions, grid_picture, push_border, ramp_colours};
use crate::cells::placement;
use crate::colour::{self, Colour};
use crate::number::{counted, fixed};
use crate::scene::{Picture, Point, Ramp, Shape, Stroke, Style, Swatch, Window};
use crate::surface::{self, Look};
use recast::AreaId;
use recast::data::{DetailMesh, DetailTriangle, PolyMesh, SubMesh};

const POLYGONS: &str = "14 \u{b7} Polygon mesh";
const DETAIL: &str = "15 \u{b7} Detail mesh";

/// Polygons coloured by area, lower ones first, with their edges and vertices.
pub fn poly_mesh(mesh: &PolyMesh, options: &StageOptions) -> Picture {
    let faces = surface::of_poly_mesh(mesh, options.lattice_zero);
    let Some(range) = surface::height_range(&faces) else {
        return Picture::empty(options.title(POLYGONS), "Nothing to draw: the mesh has no polygons.");
    };
    let mut picture = grid_picture(&mesh.grid, POLYGONS, options);
    let areas = Areas::new(&options.areas, faces.iter().map(|face| AreaId(face.area)));
    let look = Look::for_faces(&faces, picture.window, f64::from(mesh.grid.cell_height) * 8.0);
    let colour = |index: usize| {
        let face = &faces[index];
        areas.colour(AreaId(face.area)).shaded(surface::height_share(face.height(), range))
    };
    picture.push_layer("mesh", surface::shapes(&faces, &look, colour));
    let place = placement(&mesh.grid, options.lattice_zero);
    let dots: Vec<Point> =
        mesh.vertices.iter().map(|&vertex| place(vertex)).map(|[x, _, z]| [x, z]).collect();
    let radius = (look.internal * 3.0).clamp(1.6, 3.6);
    let style = Style::fill(Colour::WHITE).outlined(Stroke::new(Colour::INK, radius * 0.4));
    picture.push_layer("vertices", vec![Shape::dots(dots, radius, style)]);
    picture.subtitle =
        format!("{} \u{b7} {}", counted(faces.len(), "polygon"), counted(mesh.vertices.len(), "vertex"));
    let occur: Vec<AreaId> = faces.iter().map(|face| AreaId(face.area)).collect();
    areas.legend(&mut picture, &occur, Swatch::Box);
    picture.push_legend(Swatch::Line(Stroke::new(Colour::GROUND.mix(Colour::INK, 0.34), 1.6)), "inner edge");
    surface::line_legend(&mut picture, &faces, &look);
    picture.push_legend(Swatch::Dot(Colour::INK), "vertex");
    push_border(&mut picture, &mesh.grid, options);
    picture
}

/// A triangle of the detail mesh in the world.
struct Facet {
    corners: [[f64; 3]; 3],
    boundary: [bool; 3],
}

impl Facet {
    fn height(&self) -> f64 {
        self.corners.iter().map(|corner| corner[1]).sum::<f64>() / 3.0
    }

    fn plan(&self, corner: usize) -> Point {
        let [x, _, z] = self.corners[corner % 3];
        [x, z]
    }
}

/// Triangles of the detail mesh coloured by height; outlines of polygons are thicker.
pub fn detail_mesh(mesh: &PolyMesh, detail: &DetailMesh, options: &StageOptions) -> Picture {
    let mut facets = facets(mesh, detail, options.lattice_zero);
    let heights = facets.iter().flat_map(|facet| facet.corners).map(|[_, y, _]| [y, y]);
    let Some(range) = Window::around(heights) else {
        return Picture::empty(options.title(DETAIL), "Nothing to draw: the mesh has no triangles.");
    };
    facets.sort_by(|a, b| a.height().total_cmp(&b.height()));
    let [low, high] = [range.min[0], range.max[0]];
    let mut picture = grid_picture(&mesh.grid, DETAIL, options);
    let outline = Stroke::new(Colour::INK, 1.8);
    let extent = (high - low).max(1e-9);
    let colour = |facet: &Facet| colour::ramp(if high > low { (facet.height() - low) / extent } else { 0.5 });
    let storey = f64::from(mesh.grid.cell_height) * 4.0;
    picture.push_layer("triangles", facet_shapes(&facets, storey, outline, colour));
    picture.push_legend(Swatch::Line(outline), "edge of a polygon");
    picture.subtitle = format!(
        "{} \u{b7} {}",
        counted(detail.triangles.len(), "triangle"),
        counted(detail.vertices.len(), "vertex")
    );
    picture.ramp = Some(Ramp {
        title: "height".to_owned(),
        colours: ramp_colours(),
        low: format!("{} m", fixed(low, 2)),
        high: format!("{} m", fixed(high, 2)),
    });
    push_border(&mut picture, &mesh.grid, options);
    picture
}

/// Triangles, and edges of polygons among them. An edge comes `storey` metres after its triangle: above
/// everything that meets it on its own storey, below the storey over it.
fn facet_shapes(
    facets: &[Facet],
    storey: f64,
    outline: Stroke,
    colour: impl Fn(&Facet) -> Colour,
) -> Vec<Shape> {
    let mut order: Vec<(f64, bool, usize)> = Vec::new();
    for (index, facet) in facets.iter().enumerate() {
        order.push((facet.height(), false, index));
        order.push((facet.height() + storey, true, index));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut shapes = Vec::new();
    for (_, is_outline, index) in order {
        let facet = &facets[index];
        if is_outline {
            let edges = (0..3).filter(|&i| facet.boundary[i]).map(|i| [facet.plan(i), facet.plan(i + 1)]);
            let edges: Vec<[Point; 2]> = edges.collect();
            if !edges.is_empty() {
                surface::push_joined(&mut shapes, Shape::segments(edges, outline));
            }
        } else {
            let colour = colour(facet);
            let edge = Stroke::new(colour.mix(Colour::WHITE, 0.45), 0.9);
            let corners = (0..3).map(|corner| facet.plan(corner)).collect();
            shapes.push(Shape::filled(vec![corners], Style::fill(colour).outlined(edge)));
        }
    }
    shapes
}

/// Triangles with all their corners. A triangle with an invalid vertex is left out.
fn facets(mesh: &PolyMesh, detail: &DetailMesh, zero: [f64; 3]) -> Vec<Facet> {
    let corner = placement(&mesh.grid, zero)([0; 3]);
    let facet = |part: &SubMesh, triangle: &DetailTriangle| {
        let mut corners = [[0.0; 3]; 3];
        for (place, &local) in corners.iter_mut().zip(&triangle.vertices) {
            let index = (part.first_vertex as usize).checked_add(local as usize)?;
            let vertex = detail.vertices.get(index)?;
            *place = [
                corner[0] + f64::from(vertex[0]),
                zero[1] + f64::from(vertex[1]),
                corner[2] + f64::from(vertex[2]),
            ];
        }
        let finite = corners.iter().flatten().all(|v| v.is_finite());
        finite.then_some(Facet { corners, boundary: triangle.boundary })
    };
    detail
        .meshes
        .iter()
        .flat_map(|part| {
            let first = part.first_triangle as usize;
            let triangles = detail.triangles.get(first..first + part.triangle_count as usize);
            triangles.unwrap_or_default().iter().filter_map(move |triangle| facet(part, triangle))
        })
        .collect()
}
