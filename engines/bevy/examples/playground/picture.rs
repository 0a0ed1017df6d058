//! Draws lines to a PNG, seen from above at an angle: a view of the gizmos without a window.

use bevy_math::{Vec2, Vec3};
use bevy_navtile::debug::NavLine;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

const WIDTH: usize = 1600;
const HEIGHT: usize = 1100;
const PAPER: [f32; 3] = [0.97, 0.97, 0.95];

/// Draws lines within a square of this side, with its corner at zero.
pub(crate) fn write(path: &Path, lines: &[NavLine], side: f32) -> io::Result<()> {
    let mut pixels = vec![PAPER; WIDTH * HEIGHT];
    // The view looks down at 55 degrees: depth is shortened, and heights are visible.
    let scale = WIDTH as f32 * 0.96 / side;
    let project = |at: Vec3| {
        let across = (at.x - side / 2.0) * scale + WIDTH as f32 / 2.0;
        let down = (at.z - side / 2.0) * scale * 0.64 - at.y * scale * 0.57 + HEIGHT as f32 / 2.0;
        Vec2::new(across, down)
    };
    for line in lines {
        draw(&mut pixels, project(line.from), project(line.to), line.colour);
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let bytes: Vec<u8> = pixels.iter().flatten().map(|value| (value * 255.0).round() as u8).collect();
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}

/// A line one pixel wide, with soft edges across its direction.
fn draw(pixels: &mut [[f32; 3]], from: Vec2, to: Vec2, [red, green, blue, alpha]: [f32; 4]) {
    let along = to - from;
    let steps = along.abs().max_element().ceil().max(1.0);
    let is_flat = along.x.abs() >= along.y.abs();
    for step in 0..=steps as usize {
        let at = from + along * (step as f32 / steps);
        let across = if is_flat { at.y } else { at.x };
        let part = across - across.floor();
        for (offset, share) in [(0, 1.0 - part), (1, part)] {
            let (x, y) = match is_flat {
                true => (at.x.round() as i64, at.y.floor() as i64 + offset),
                false => (at.x.floor() as i64 + offset, at.y.round() as i64),
            };
            if !(0..WIDTH as i64).contains(&x) || !(0..HEIGHT as i64).contains(&y) {
                continue;
            }
            let pixel = &mut pixels[y as usize * WIDTH + x as usize];
            for (value, ink) in pixel.iter_mut().zip([red, green, blue]) {
                *value += (ink - *value) * share * alpha;
            }
        }
    }
}
