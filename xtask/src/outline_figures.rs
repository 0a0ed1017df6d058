//! The pictures of exact outlines: a doorway between two turned rooms as cells, with outlines that follow the
//! cells, and with exact ones.

use crate::Error;
use navdraw::scene::{Geometry, Shape, Stroke, Style, Swatch, Window};
use navdraw::{Colour, MeshOptions, Picture, mesh_picture};
use navscenes::rooms::{self, Border, Rooms};
use recast::data::CompactField;
use recast::{Outlines, PreparedLevel, Scratch, Settings, Silent, StageResults, TileBuild, bake_tapped};

/// Width of the doorway, metres: 40 cm more than the agent.
const WIDTH: f64 = 1.6;
/// Turn of the rooms, degrees.
const TURN: f64 = 30.0;
/// From the middle of a picture to its sides, metres.
const HALF: [f64; 2] = [4.2, 3.2];

/// All pictures, by file name.
pub(crate) fn draw() -> Result<Vec<(String, Picture)>, Error> {
    let rooms = Rooms::new(rooms::Shape::Doorway(WIDTH), Border::Walls(0.3), TURN);
    let middle = [0, 1].map(|axis| 0.5 * (rooms.ends[0][axis] + rooms.ends[1][axis]));
    let window = Window {
        min: [0, 1].map(|axis| middle[axis] - HALF[axis]),
        max: [0, 1].map(|axis| middle[axis] + HALF[axis]),
    };
    let mut pictures = Vec::new();
    for (_, outlines) in Outlines::NAMES {
        let settings = rooms.placed(&Settings { outlines, ..Settings::default() }, [0.0; 2]);
        let level = PreparedLevel::new(&rooms.level, &settings)?;
        let mut results = StageResults::default();
        let mut keep = |snapshot: recast::Snapshot<'_>| results.keep(snapshot);
        let baked = bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut keep)?;
        if outlines == Outlines::Cells {
            let field = results.eroded.ok_or("a bake has floors")?;
            pictures.push(("outlines-1-floors", floors(&field, level.lattice.origin, window)));
        }
        let (name, title) = match outlines {
            Outlines::Cells => ("outlines-2-cells", "outlines = \"cells\""),
            Outlines::Exact => ("outlines-3-exact", "outlines = \"exact\""),
        };
        let options = MeshOptions { title: title.to_owned(), ..MeshOptions::default() };
        let mut picture = mesh_picture(&[baked.tile], &[], &options);
        picture.window = window;
        pictures.push((name, picture));
    }
    let with_walls = |(name, mut picture): (&str, Picture)| {
        let wall = Stroke::new(Colour::PATH, 2.6);
        let plan = vec![rooms.plan.outline.clone()];
        picture.push_layer("walls", vec![Shape::filled(plan, Style::line(wall))]);
        picture.push_legend(Swatch::Line(wall), "walls of the level");
        (name.to_owned(), picture)
    };
    Ok(pictures.into_iter().map(with_walls).collect())
}

/// The floors of a field from above.
fn floors<S>(field: &CompactField<S>, origin: [f64; 3], window: Window) -> Picture {
    let size = f64::from(field.grid.cell_size);
    let base = [(0, field.grid.base_x), (2, field.grid.base_z)];
    let mut cells = Vec::new();
    field.for_each_span(|x, z, span| {
        if field.area[span].is_walkable() {
            let [x, z] = [x, z].map(f64::from);
            let [left, top] = base.map(|(axis, base)| origin[axis] + f64::from(base) * size);
            let [left, top] = [left + x * size, top + z * size];
            cells.push([left, top, left + size, top + size]);
        }
    });
    let mut picture = Picture::new("The floors after erosion", window);
    let style = Style { stroke: Some(Stroke::new(Colour::WHITE, 1.0)), ..Style::fill(Colour::GROUND) };
    picture.push_layer("floors", vec![Shape { geometry: Geometry::Rectangles(cells), style }]);
    picture.push_legend(Swatch::Box(Colour::GROUND), "a floor at least the radius from walls");
    picture
}
