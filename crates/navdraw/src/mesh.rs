//! The finished mesh from above.

use crate::colour::{self, Colour};
use crate::islands;
use crate::layout::locate;
use crate::links::{Link, link_legend, link_shapes, links_of};
use crate::number::{counted, fixed, square_metres};
use crate::outline::{self, LevelEdges};
use crate::path::{self, PathMark};
use crate::scene::{Picture, Ramp, Shape, Swatch, Window};
use crate::stage::Areas;
use crate::surface::{self, Face, Look};
use crate::tracks::{self, Tracks};
use navtile::{AreaMeta, Tile};
use recast::AreaId;
use std::collections::BTreeMap;

/// The property that determines the colour of a polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// Their area.
    #[default]
    Area,
    /// Their island: polygons that are connected without off-mesh links.
    Island,
}

/// Options of [`mesh_picture`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshOptions {
    /// The title; empty for none.
    pub title: String,
    /// The property that determines the colour of polygons.
    pub colour_by: ColourBy,
    /// A path to draw on top.
    pub path: Option<PathMark>,
    /// The tracks of a crowd to draw on top.
    pub tracks: Option<Tracks>,
    /// The part of the world to show; all of it if not given.
    pub window: Option<Window>,
    /// The range of heights to show, metres, both ends included; all heights if not given. The height of a
    /// polygon is the mean of its corners. An off-mesh link is shown if one of its ends is in the range.
    pub heights: Option<[f64; 2]>,
    /// The level, drawn beneath the mesh within the range of heights.
    pub outline: Option<LevelEdges>,
}

impl MeshOptions {
    fn shows_height(&self, height: f64) -> bool {
        self.heights.is_none_or(|[low, high]| (low..=high).contains(&height))
    }
}

/// Draws tiles from above. `areas` gives areas names and colours; every area on the tiles gets a line in the
/// legend.
pub fn mesh_picture(tiles: &[Tile], areas: &[AreaMeta], options: &MeshOptions) -> Picture {
    let all = surface::of_tiles(tiles);
    let frame = options.window.map(locate::shown);
    let is_shown = |face: &Face| options.shows_height(face.height()) && face.meets(frame);
    let (faces, numbers) = surface::select(&all, is_shown);
    if faces.is_empty() {
        let why =
            if all.is_empty() { "the mesh has no polygons" } else { "no polygon is in this part of it" };
        return Picture::empty(options.title.as_str(), format!("Nothing to draw: {why}."));
    }
    let links: Vec<Link> =
        links_of(tiles).filter(|link| link.ends.iter().any(|end| options.shows_height(end[1]))).collect();
    let window = options.window.unwrap_or_else(|| whole(&links, &faces, options.path.as_ref()));
    let mut picture = Picture::new(options.title.as_str(), window);
    let storey = tiles.iter().map(|tile| f64::from(tile.header().agent[1])).fold(f64::INFINITY, f64::min);
    let look = Look::for_faces(&faces, window, storey);
    let range = surface::height_range(&faces).unwrap_or([0.0; 2]);
    let shade = |index: usize| surface::height_share(faces[index].height(), range);
    let total: f64 = faces.iter().map(Face::area_m2).sum();
    let mut facts = vec![
        counted(tiles.len(), "tile"),
        counted(faces.len(), "polygon"),
        format!("{} walkable", square_metres(total)),
    ];
    let mut shapes = match options.colour_by {
        ColourBy::Area => {
            let areas = Areas::new(areas, faces.iter().map(|face| AreaId(face.area)));
            area_legend(&mut picture, &areas, &faces);
            // Pale ground, so that the tracks on it are visible.
            let pale = if options.tracks.is_some() { 0.55 } else { 0.0 };
            surface::shapes(&faces, &look, |index| {
                areas.colour(AreaId(faces[index].area)).shaded(shade(index)).mix(Colour::WHITE, pale)
            })
        }
        ColourBy::Island => {
            let islands = islands::find(tiles, &all);
            facts.push(counted(islands.area.len(), "island"));
            island_legend(&mut picture, &islands.area);
            // Shaded less, because colours distinguish islands.
            let colour = |index: usize| {
                island_colour(islands.of_face[numbers[index]]).shaded(0.5 + (shade(index) - 0.5) * 0.5)
            };
            surface::shapes(&faces, &look, colour)
        }
    };
    picture.subtitle = facts.join(" \u{b7} ");
    if let Some(outline) = &options.outline {
        outline::draw(&mut picture, outline, options.heights);
    }
    // The cells of tracks would cover the walls.
    let is_lifted = |shape: &mut Shape| options.tracks.is_some() && shape.style.stroke == Some(look.wall);
    let walls = shapes.extract_if(.., is_lifted).collect();
    picture.push_layer("mesh", shapes);
    let kinds = links.iter().map(|link| link.class).collect();
    let links = link_shapes(links);
    surface::line_legend(&mut picture, &faces, &look);
    link_legend(&mut picture, &kinds);
    picture.push_layer("off-mesh", links);
    if options.colour_by == ColourBy::Area {
        picture.ramp = height_ramp(range);
    }
    if let Some(tracks) = &options.tracks {
        tracks::draw(&mut picture, tracks, walls, window);
    }
    if let Some(mark) = &options.path {
        path::draw(&mut picture, mark, window);
    }
    picture
}

/// The smallest window around everything, with a margin.
fn whole(links: &[Link], faces: &[Face], path: Option<&PathMark>) -> Window {
    let corners = faces.iter().flat_map(|face| face.corners.iter().copied());
    let links = links.iter().flat_map(|link| link.ends);
    let path = path.into_iter().flat_map(|mark| mark.points.iter().chain(&mark.target).copied());
    Window::around(corners.chain(links).chain(path).map(|[x, _, z]| [x, z]))
        .unwrap_or(Window { min: [0.0; 2], max: [1.0; 2] })
        .padded(0.03)
}

fn area_legend(picture: &mut Picture, areas: &Areas, faces: &[Face]) {
    let mut sizes: BTreeMap<u8, f64> = BTreeMap::new();
    for face in faces {
        *sizes.entry(face.area).or_default() += face.area_m2();
    }
    for (id, size) in sizes {
        let (colour, name) = (areas.colour(AreaId(id)), areas.name(AreaId(id)));
        picture.push_legend(Swatch::Box(colour), format!("{name}, {}", square_metres(size)));
    }
}

/// The largest island has the colour of ground, so that cut-off islands are easy to see.
pub(crate) fn island_colour(island: usize) -> Colour {
    const CUT_OFF: [u32; 6] = [0xe0793a, 0x7d6bc4, 0xd9b13b, 0xcf5f86, 0x4f86c6, 0x8a9a3b];
    match island {
        0 => Colour::GROUND,
        1..=6 => Colour::hex(CUT_OFF[island - 1]),
        _ => colour::region(island as u32),
    }
}

pub(crate) fn island_legend(picture: &mut Picture, areas: &[f64]) {
    const SHOWN: usize = 8;
    for (index, &area) in areas.iter().take(SHOWN).enumerate() {
        let words = format!("island {}, {}", index + 1, square_metres(area));
        picture.push_legend(Swatch::Box(island_colour(index)), words);
    }
    if let Some(rest @ 1..) = areas.len().checked_sub(SHOWN) {
        let area = areas[SHOWN..].iter().sum();
        let words = format!("{rest} more, {}", square_metres(area));
        picture.push_legend(Swatch::Box(island_colour(SHOWN)), words);
    }
}

/// From the colour of the lowest ground to that of the highest; nothing on flat ground.
fn height_ramp([low, high]: [f64; 2]) -> Option<Ramp> {
    (high - low >= 0.1).then(|| Ramp {
        title: "height".to_owned(),
        colours: (0..40u32)
            .map(|i| low + (high - low) * f64::from(i) / 39.0)
            .map(|height| Colour::GROUND.shaded(surface::height_share(height, [low, high])))
            .collect(),
        low: format!("{} m", fixed(low, 1)),
        high: format!("{} m", fixed(high, 1)),
    })
}
