//! Small and large overviews have the same results for any tiles.

use super::*;
use recast::{PreparedLevel, Silent};

fn tiles(name: &str, tile_cells: u32) -> Vec<Tile> {
    let scene = navscenes::by_name(name).unwrap();
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
    let baked = navlevel::bake_tiles(&level, tile_cells, &Silent).unwrap();
    baked.into_iter().map(|baked| baked.tile).collect()
}

fn draw(tiles: &[Tile], most_shapes: usize) -> Overview {
    let limits = Limits { most_shapes, width: 400 };
    overview(tiles.len(), &|index| tiles.get(index).cloned(), &limits).unwrap()
}

#[test]
fn shapes_and_pixels_tell_the_same() {
    for (name, tile_cells) in [("storeys", 16), ("two_rooms", 16), ("boxes", 24), ("courtyard", 32)] {
        let tiles = tiles(name, tile_cells);
        assert!(tiles.len() > 4, "{name}: {}", tiles.len());
        let (shapes, pixels) = (draw(&tiles, usize::MAX), draw(&tiles, 3));
        assert!(shapes.image.is_none() && shapes.missing == 0 && pixels.missing == 0);
        assert!(pixels.image.as_ref().is_some_and(|png| png.starts_with(b"\x89PNG")));
        assert_eq!(shapes.picture.window, pixels.picture.window, "{name}");
        assert_eq!(shapes.areas.keys().collect::<Vec<_>>(), pixels.areas.keys().collect::<Vec<_>>());
        assert_eq!(shapes.islands.len(), pixels.islands.len(), "{name}");
        for (a, b) in shapes.islands.iter().zip(&pixels.islands) {
            assert!((a.extent.area_m2 - b.extent.area_m2).abs() < 1e-6, "{name}: {a:?} {b:?}");
            assert_eq!(a.colour, b.colour);
        }
        let polygons: usize = tiles.iter().map(|tile| tile.polygons().len()).sum();
        assert_eq!(pixels.islands.iter().map(|island| island.extent.polygons).sum::<usize>(), polygons);
        assert_eq!(pixels.areas.values().map(|extent| extent.polygons).sum::<usize>(), polygons);
    }
}

#[test]
fn an_island_has_its_colour_where_it_stands() {
    let tiles = tiles("two_rooms", 24);
    let pixels = draw(&tiles, 0);
    let bytes = pixels.image.unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    let scale = f64::from(info.width) / crate::size(&pixels.picture)[0];
    let [x, _, z] = pixels.islands[0].place;
    let [across, down] = crate::locate(&pixels.picture, [x, z]).unwrap().map(|v| (v * scale) as usize);
    let at = (down * info.width as usize + across) * 3;
    let found = Colour([data[at], data[at + 1], data[at + 2]]);
    let near = found.0.iter().zip(pixels.islands[0].colour.0).all(|(&a, b)| a.abs_diff(b) < 60);
    assert!(near && found != Colour::MAP, "{found:?}");
}

#[test]
fn missing_tiles_are_counted() {
    let tiles = tiles("two_rooms", 24);
    let give = |index: usize| (index != 1).then(|| tiles[index].clone());
    for most_shapes in [usize::MAX, 0] {
        let limits = Limits { most_shapes, width: 400 };
        assert_eq!(overview(tiles.len(), &give, &limits).unwrap().missing, 1);
    }
    let limits = Limits { most_shapes: 10, width: 400 };
    let none = overview(3, &|_| None, &limits).unwrap();
    assert!(none.missing == 3 && none.islands.is_empty() && none.picture.note.is_some());
}
