//! Positions on the page of a picture: for links and titles laid over it, and for shapes too many to keep.

use super::{Frame, frame_of, furniture, is_finite};
use crate::scene::{Picture, Point, Shape, Window};

/// Size of a picture's SVG document, in the units of [`locate`], without laying its shapes out.
pub fn size(picture: &Picture) -> Point {
    let frame = frame_of(picture);
    let (_, height) = furniture::footer(&frame, picture);
    [(frame.max[0] + super::RIGHT).ceil(), height.ceil()]
}

/// Position of a point of the plane in the SVG document; `None` if the point is beyond the frame, or if the
/// picture is empty.
pub fn locate(picture: &Picture, point: Point) -> Option<Point> {
    let Frame { window, .. } = frame_of(picture);
    let inside = (0..2).all(|i| window.min[i] <= point[i] && point[i] <= window.max[i]);
    let shown = picture.note.is_none() && is_finite(&point) && inside;
    shown.then(|| frame_of(picture).place(point))
}

/// The part of the plane that a picture of a window shows: more than the window if that is too narrow for a
/// page.
pub(crate) fn shown(window: Window) -> Window {
    Frame::new(&Picture::new("", window), 0.0).window
}

/// Shapes of the plane at their positions on the page.
pub(crate) fn shapes(picture: &Picture, shapes: &[Shape]) -> Vec<Shape> {
    let frame = frame_of(picture);
    shapes.iter().filter_map(|shape| frame.shape(shape)).collect()
}

#[cfg(test)]
mod tests {
    use crate::layout;
    use crate::scene::{Geometry, Picture, Shape, Swatch, Window};
    use crate::{Colour, Picture as Public};

    #[test]
    fn the_size_is_that_of_the_page() {
        let mut picture = Picture::new("a title", Window { min: [0.0; 2], max: [40.0, 9.0] });
        for count in 0..30 {
            let page = layout::page(&picture);
            assert_eq!(super::size(&picture), [page.width, page.height]);
            picture.push_legend(Swatch::Box(Colour::GROUND), format!("entry number {count}"));
        }
    }

    #[test]
    fn points_stand_where_shapes_do() {
        let picture = Picture::new("", Window { min: [0.0; 2], max: [40.0, 20.0] });
        let [x, y] = crate::locate(&picture, [10.0, 5.0]).unwrap();
        let dot = Shape::dots(vec![[10.0, 5.0]], 2.0, Default::default());
        let Geometry::Circles { centres, .. } = &super::shapes(&picture, &[dot])[0].geometry else {
            panic!("a circle stays one")
        };
        assert_eq!(centres, &[[x, y]]);
        assert_eq!(crate::locate(&picture, [1e6, 5.0]), None);
        assert_eq!(crate::locate(&picture, [f64::NAN, 5.0]), None);
        assert_eq!(crate::locate(&Public::empty("", "nothing"), [1.0, 1.0]), None);
    }
}
