//! Off-mesh links as bows, coloured by kind.

use crate::colour::Colour;
use crate::scene::{Picture, Point, Shape, Stroke, Style, Swatch};
use navtile::off_mesh::middle;
use navtile::{LinkKind, Tile};
use std::collections::BTreeSet;

/// The kind of a link: a generated kind, or the user's own link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LinkClass {
    Found(LinkKind),
    Own,
}

impl LinkClass {
    fn of(user_id: u64) -> LinkClass {
        LinkKind::of_user_id(user_id).map_or(LinkClass::Own, |(kind, _)| LinkClass::Found(kind))
    }

    /// The colours of the studio's links (`web/src/colours.ts`) are these.
    fn colour(self) -> Colour {
        Colour::hex(match self {
            LinkClass::Found(LinkKind::Drop) => 0xd1_403a,
            LinkClass::Found(LinkKind::Jump) => 0x9a_4fd6,
            LinkClass::Found(LinkKind::Climb) => 0x2f_74e0,
            LinkClass::Found(LinkKind::Ladder) => 0x1c_8a4c,
            LinkClass::Own => 0xa8_500f,
        })
    }

    fn stroke(self) -> Stroke {
        Stroke::new(self.colour(), 3.0)
    }

    fn text(self) -> &'static str {
        match self {
            LinkClass::Found(kind) => kind.name(),
            LinkClass::Own => "off-mesh link",
        }
    }
}

/// An off-mesh link in the world.
pub(crate) struct Link {
    pub(crate) class: LinkClass,
    /// Its start and its end, metres.
    pub(crate) ends: [[f64; 3]; 2],
    /// The ends of the edges along which the link can be crossed, as seen from above; the same point twice
    /// for a link between points.
    edges: [[Point; 2]; 2],
    goes_both_ways: bool,
}

pub(crate) fn links_of(tiles: &[Tile]) -> impl Iterator<Item = Link> {
    tiles.iter().flat_map(|tile| {
        tile.off_mesh_links().iter().map(|link| {
            let ends = [link.start, link.end];
            let edge = |[x, y, z]: [i32; 3]| {
                [[x, y, z], [x + link.along[0], y, z + link.along[1]]].map(|end| {
                    let [x, _, z] = tile.to_world(end);
                    [x, z]
                })
            };
            Link {
                class: LinkClass::of(link.user_id),
                ends: ends.map(|end| tile.to_world(middle(link, end))),
                edges: ends.map(edge),
                goes_both_ways: link.direction == 1,
            }
        })
    })
}

/// A line of the legend for each class of links.
pub(crate) fn link_legend(picture: &mut Picture, classes: &BTreeSet<LinkClass>) {
    for class in classes {
        picture.push_legend(Swatch::Line(class.stroke()), class.text());
    }
}

/// Off-mesh links as bows to the left of their direction, with a dot at each end. The dot of an end that only
/// arrives is hollow. Links between edges are drawn with their edges and one bow between the midpoints.
pub(crate) fn link_shapes(links: impl IntoIterator<Item = Link>) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut ends: Vec<(LinkClass, [Vec<Point>; 2])> = Vec::new();
    for Link { class, ends: [start, end], edges, goes_both_ways } in links {
        for [from, to] in edges.into_iter().filter(|[from, to]| from != to) {
            shapes.push(Shape::polyline(vec![from, to], Stroke::new(Colour::WHITE, 6.0)));
            shapes.push(Shape::polyline(vec![from, to], class.stroke()));
        }
        let (a, b) = ([start[0], start[2]], [end[0], end[2]]);
        let bow = bow(a, b);
        shapes.push(Shape::polyline(bow.clone(), Stroke::new(Colour::WHITE, 6.0)));
        shapes.push(Shape::polyline(bow, class.stroke()));
        let known = ends.iter().position(|(other, _)| *other == class);
        let index = known.unwrap_or_else(|| {
            ends.push((class, [Vec::new(), Vec::new()]));
            ends.len() - 1
        });
        let [hollow, full] = &mut ends[index].1;
        full.push(a);
        if goes_both_ways { full.push(b) } else { hollow.push(b) }
    }
    for (class, [hollow, full]) in ends {
        let rim = Stroke::new(class.colour(), 2.2);
        let disc = Style::fill(class.colour()).outlined(Stroke::new(Colour::WHITE, 1.6));
        shapes.push(Shape::dots(hollow, 5.0, Style::fill(Colour::WHITE).outlined(rim)));
        shapes.push(Shape::dots(full, 5.0, disc));
    }
    shapes
}

/// A flat parabola between two points.
fn bow(a: Point, b: Point) -> Vec<Point> {
    let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
    (0..=16)
        .map(|i| f64::from(i) / 16.0)
        .map(|t| {
            let rise = 4.0 * t * (1.0 - t) * 0.16;
            [a[0] + dx * t + dz * rise, a[1] + dz * t - dx * rise]
        })
        .collect()
}
