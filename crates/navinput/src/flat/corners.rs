//! Plain lists of corners.
//!
//! A corner is two numbers. Commas, semicolons, brackets of any kind and the words `Vec2` and `Vector2` count
//! as spaces, so that lists can be pasted from a program; a line may hold several corners. Blank lines
//! separate rings. Text after `#` or `//` is a comment; a line with only a comment is not blank. The first
//! ring is the outline and all others are holes in it. A word on a line of its own changes the role of the
//! rings after it, up to the next word: `outline` (each a further piece of ground), `hole` (in the last
//! outline), `obstacle`, or `area NAME [COST]`.

use super::error::{FlatError, FlatPlace};
use super::geojson::{Areas, Role};
use super::{FlatLayer, FlatLevel};
use navmath::count::counted;
use navplane::{Polygon, PolygonList};
use recast::AreaDefinition;

/// The kind of the next ring.
#[derive(Clone, Copy)]
enum Next {
    First,
    Hole,
    Role(Role),
}

/// Reads lists of corners. `defined` areas can be used by name.
///
/// ```
/// let map = b"0 0\n8 0\n8 8\n0 8\n";
/// let level = navinput::read_corners(map, &[])?;
/// assert_eq!(level.layers[0].map.outlines.len(), 1);
/// # Ok::<(), navinput::FlatError>(())
/// ```
///
/// # Errors
/// Text that is not UTF-8, words that are not known, numbers that are not finite or do not pair up, rings of
/// fewer than three corners, no ring at all; each with its line.
pub fn read_corners(bytes: &[u8], defined: &[AreaDefinition]) -> Result<FlatLevel, FlatError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count() as u64;
        FlatError::new(&at(line), "the text is not UTF-8", "save the file as UTF-8")
    })?;
    let mut reader =
        CornersReader { level: FlatLayer::default(), next: Next::First, ring: Vec::new(), start: at(1) };
    let mut areas = Areas::new(defined);
    for (number, line) in text.lines().enumerate() {
        let place = at(number as u64 + 1);
        let content = line.split('#').next().unwrap_or_default();
        let content = content.split("//").next().unwrap_or_default();
        if line.trim().is_empty() {
            reader.finish()?;
            continue;
        }
        let content = content.replace([',', ';', '(', ')', '[', ']', '{', '}'], " ");
        let words: Vec<&str> =
            content.split_whitespace().filter(|word| !["Vec2", "Vector2"].contains(word)).collect();
        if words
            .first()
            .is_some_and(|word| word.starts_with(char::is_alphabetic) && number_of(word).is_none())
        {
            reader.finish()?;
            reader.next = role(&words, &place, &mut areas)?;
        } else {
            reader.corners(&words, &place)?;
        }
    }
    reader.finish()?;
    if reader.level.map.outlines.is_empty() {
        let what = "there is no outline, expected rings of corners `x y`";
        return Err(FlatError::new(&FlatPlace::default(), what, "give the outline first"));
    }
    Ok(FlatLevel { layers: vec![reader.level], areas: areas.finish(), crs: None })
}

fn at(line: u64) -> FlatPlace {
    FlatPlace { line: Some(line), ..FlatPlace::default() }
}

fn number_of(word: &str) -> Option<f64> {
    word.parse().ok()
}

/// The role that a line of words gives to the rings after it.
fn role(words: &[&str], place: &FlatPlace, areas: &mut Areas) -> Result<Next, FlatError> {
    match words {
        ["outline"] => Ok(Next::Role(Role::Ground)),
        ["hole"] => Ok(Next::Hole),
        ["obstacle"] => Ok(Next::Role(Role::Obstacle)),
        ["area", name] => Ok(Next::Role(Role::Area(areas.named(name, None, place)?))),
        ["area", name, cost] => {
            let cost = number_of(cost).ok_or_else(|| {
                FlatError::new(
                    place,
                    format!("the cost is `{cost}`, expected a number"),
                    "write `area NAME COST`",
                )
            })?;
            Ok(Next::Role(Role::Area(areas.named(name, Some(cost), place)?)))
        }
        _ => {
            let what = format!("`{}` is not known, expected numbers or a word", words.join(" "));
            Err(FlatError::new(place, what, "words are outline, hole, obstacle and area NAME [COST]"))
        }
    }
}

/// Collects rings as they are read.
struct CornersReader {
    level: FlatLayer,
    next: Next,
    ring: Vec<[f64; 2]>,
    /// Start of the ring.
    start: FlatPlace,
}

impl CornersReader {
    fn corners(&mut self, words: &[&str], place: &FlatPlace) -> Result<(), FlatError> {
        if self.ring.is_empty() {
            self.start = place.clone();
        }
        let mut numbers = Vec::with_capacity(words.len());
        for word in words {
            let number = number_of(word).ok_or_else(|| {
                FlatError::new(place, format!("found `{word}`, expected a number"), "write corners as `x y`")
            })?;
            if !number.is_finite() {
                let what = format!("coordinate `{word}` is not finite");
                return Err(FlatError::new(place, what, "give a finite number"));
            }
            numbers.push(number);
        }
        let (pairs, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            let what = format!(
                "the line has {}, expected pairs",
                counted(numbers.len() as u64, "number", "numbers")
            );
            return Err(FlatError::new(place, what, "write corners as `x y`, each on one line"));
        }
        self.ring.extend_from_slice(pairs);
        Ok(())
    }

    /// Finishes the ring.
    fn finish(&mut self) -> Result<(), FlatError> {
        if self.ring.is_empty() {
            return Ok(());
        }
        if self.ring.len() < 3 {
            let what = {
                let corners = counted(self.ring.len() as u64, "corner", "corners");
                format!("the ring has {corners}, expected at least 3")
            };
            return Err(FlatError::new(&self.start, what, "separate rings with blank lines"));
        }
        let ring = std::mem::take(&mut self.ring);
        match self.next {
            Next::Hole => match self.level.map.outlines.last_mut() {
                Some(outline) => outline.holes.push(ring),
                None => {
                    let what = "the hole comes before any outline";
                    return Err(FlatError::new(&self.start, what, "give the outline first"));
                }
            },
            Next::First => {
                self.add(Role::Ground, ring);
                self.next = Next::Hole;
            }
            Next::Role(role) => self.add(role, ring),
        }
        Ok(())
    }

    fn add(&mut self, role: Role, ring: Vec<[f64; 2]>) {
        let polygon = Polygon { outline: ring, holes: Vec::new() };
        let list = role.put(&mut self.level.map, polygon);
        self.level.places[list as usize].push(self.start.clone());
    }
}

const _: () = assert!(
    PolygonList::Outlines as usize == 0
        && PolygonList::Obstacles as usize == 1
        && PolygonList::Areas as usize == 2
);
