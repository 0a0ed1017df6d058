//! Colours: the palettes of areas and regions, the height ramp, mixing. Plain arithmetic, so that a colour
//! has the same bytes everywhere.

use navtile::AreaMeta;
use recast::AreaId;

/// An opaque sRGB colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// The page.
    pub const PAGE: Colour = Colour::hex(0xffffff);
    /// The ground of the map, where nothing is drawn.
    pub const MAP: Colour = Colour::hex(0xf3f5f6);
    /// Grid lines on the map.
    pub const GRID_LINE: Colour = Colour::hex(0xe4e8eb);
    /// Frames and thin outlines.
    pub const FRAME: Colour = Colour::hex(0xb9c2c8);
    /// Text.
    pub const INK: Colour = Colour::hex(0x1f2a33);
    /// Text of less weight.
    pub const FAINT_INK: Colour = Colour::hex(0x63717b);
    /// Walls.
    pub const WALL: Colour = Colour::hex(0x26343d);
    /// Portals, between tiles.
    pub const PORTAL: Colour = Colour::hex(0x6046b8);
    /// Unwalkable surfaces.
    pub const BLOCKED: Colour = Colour::hex(0xc5cacd);
    /// Plain walkable ground.
    pub const GROUND: Colour = Colour::hex(0x74b7ad);
    /// Ground that has become walkable.
    pub const GAINED: Colour = Colour::hex(0x2f7fd0);
    /// Ground that is no longer walkable.
    pub const LOST: Colour = Colour::hex(0xe0672c);
    /// A path.
    pub const PATH: Colour = Colour::hex(0xd6336c);
    /// Start of a path.
    pub const START: Colour = Colour::hex(0x1d6fb8);
    /// White.
    pub const WHITE: Colour = Colour::hex(0xffffff);

    /// From `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Colour {
        Colour([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }

    /// A mixture: `share` of 0 is this colour, of 1 is `other`.
    pub fn mix(self, other: Colour, share: f64) -> Colour {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        Colour(std::array::from_fn(|i| {
            let (a, b) = (f64::from(self.0[i]), f64::from(other.0[i]));
            (a + (b - a) * share).round() as u8
        }))
    }

    /// Gently darker (`height` below 0.5) or lighter (above): higher ground is lighter.
    pub fn shaded(self, height: f64) -> Colour {
        if height < 0.5 {
            self.mix(Colour::hex(0x16323f), (0.5 - height) * 0.55)
        } else {
            self.mix(Colour::WHITE, (height - 0.5) * 0.95)
        }
    }

    /// The colour as `#rrggbb`.
    pub fn css(self) -> String {
        let [r, g, b] = self.0;
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// Words that occur in names of areas, and the colours of such areas; docs/levels.md lists them.
const NAMED: [(&[&str], Colour); 11] = [
    (&["water", "sea", "ocean", "river", "lake", "pond", "canal"], Colour::hex(0x3f7fc9)),
    (&["grass", "meadow", "field", "lawn"], Colour::hex(0x8fbf5a)),
    (&["forest", "wood", "woods", "bush", "jungle"], Colour::hex(0x4f7f45)),
    (&["road", "street", "path", "pavement", "sidewalk", "asphalt"], Colour::hex(0x8a8f99)),
    (&["sand", "beach", "desert", "dune"], Colour::hex(0xe6cc80)),
    (&["mud", "swamp", "bog", "dirt"], Colour::hex(0x86684c)),
    (&["rock", "stone", "gravel"], Colour::hex(0xa89f91)),
    (&["snow", "ice"], Colour::hex(0xbcdcec)),
    (&["door", "gate", "hatch"], Colour::hex(0xc4763b)),
    (&["jump", "ladder", "climb", "drop", "teleport"], Colour::hex(0xc95fa6)),
    (&["lava", "fire", "danger", "hazard", "trap"], Colour::hex(0xd9482f)),
];

/// Areas other than ground, from id 1 on. Distinguishable with any of the usual colour-vision
/// deficiencies, as neighbours differ in lightness too.
const AREAS: [Colour; 9] = [
    Colour::hex(0xe3b448),
    Colour::hex(0x5b8fd6),
    Colour::hex(0xcf7a5c),
    Colour::hex(0x9a86c4),
    Colour::hex(0xb7c95a),
    Colour::hex(0xd78bb0),
    Colour::hex(0x8a6f5a),
    Colour::hex(0x8fd0ea),
    Colour::hex(0x5f8a4e),
];

/// The colour of an area, the same in every picture: its own colour, else the colour of the first word of its
/// name that has one, else the colour of its id. `deep_water`, `Water 2` and `waterShallow` are all water;
/// `seat` is not sea.
pub fn area(area: &AreaMeta) -> Colour {
    area.colour.map_or_else(|| area_by_name(AreaId(area.id), &area.name), Colour)
}

/// The colour of an area without a colour of its own.
fn area_by_name(id: AreaId, name: &str) -> Colour {
    if id == AreaId::GROUND {
        return Colour::GROUND;
    }
    if !id.is_walkable() {
        return Colour::BLOCKED;
    }
    let of_word = |word: String| NAMED.iter().find(|(words, _)| words.contains(&word.as_str()));
    let by_id = || AREAS.get(usize::from(id.0) - 1).copied().unwrap_or_else(|| region(u32::from(id.0)));
    words(name).find_map(of_word).map_or_else(by_id, |(_, colour)| *colour)
}

/// The words of a name in lower case. A word ends before a capital and before a character that is not a
/// letter.
fn words(name: &str) -> impl Iterator<Item = String> {
    let parts = name.split(|letter: char| !letter.is_alphabetic());
    parts.flat_map(|part| {
        let mut words: Vec<String> = Vec::new();
        let mut after_small = true;
        for letter in part.chars() {
            if words.is_empty() || (letter.is_uppercase() && after_small) {
                words.push(String::new());
            }
            after_small = letter.is_lowercase();
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        words
    })
}

/// Hues a golden angle (137.5 degrees) apart, in three lightnesses of the OKLCH space: neighbours in number
/// are far apart in hue.
const REGIONS: [u32; 48] = [
    0x40b7c4, 0xecafd3, 0x849644, 0x7aa6e6, 0xf6b19f, 0x2ea285, 0xb992d6, 0xdbc184, 0x299abe, 0xdb889f,
    0xa7d29e, 0x7c85ce, 0xd79363, 0x7ed6d3, 0xb273ac, 0xaba957, 0x96caf8, 0xc6706d, 0x64b98e, 0xcab9f5,
    0xb38236, 0x44b6cb, 0xefaecc, 0x79994c, 0x85a3e7, 0xf4b398, 0x1ea28f, 0xc090d0, 0xd5c484, 0x3897c4,
    0xdd8895, 0x9fd4a5, 0x8682cc, 0xd3965c, 0x7dd5da, 0xb771a4, 0xa2ad5d, 0x9dc8fa, 0xc67163, 0x59ba98,
    0xd1b7f1, 0xad8532, 0x4bb4d2, 0xf2adc4, 0x6e9b55, 0x8fa0e7, 0xf2b592, 0x0aa198,
];

/// A region, an island, or anything else that only needs to differ from its neighbours.
pub fn region(id: u32) -> Colour {
    Colour::hex(REGIONS[id as usize % REGIONS.len()])
}

/// From dark violet over blue and green to pale yellow; lightness rises evenly.
const RAMP: [Colour; 7] = [
    Colour::hex(0x2b1a55),
    Colour::hex(0x31437f),
    Colour::hex(0x2a6c92),
    Colour::hex(0x2a9389),
    Colour::hex(0x66b76b),
    Colour::hex(0xb7d25c),
    Colour::hex(0xf8e98c),
];

/// Number of colours of [`ramp`], small enough that equal neighbours can be drawn as one shape.
pub const RAMP_STEPS: u32 = 48;

/// The ramp of measures: `share` runs from 0 (smallest) to 1 (largest).
pub fn ramp(share: f64) -> Colour {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let last = f64::from(RAMP_STEPS - 1);
    let place = (share * last).round() / last * (RAMP.len() - 1) as f64;
    let lower = (place.floor() as usize).min(RAMP.len() - 2);
    RAMP[lower].mix(RAMP[lower + 1], place - lower as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_coloured_by_the_words_of_their_names() {
        let water = NAMED[0].1;
        for name in
            ["water", "Water", "DEEP WATER", "deep_water2", "deepWater", "WaterShallow", "sea", "mud-water"]
        {
            let expected = if name.starts_with("mud") { NAMED[5].1 } else { water };
            assert_eq!(area_by_name(AreaId(7), name), expected, "{name}");
        }
        for name in ["", "seat", "underwaters", "area 7", "\u{6c34}"] {
            assert_eq!(area_by_name(AreaId(7), name), AREAS[6], "{name}");
        }
        assert_eq!(area_by_name(AreaId(200), "moss"), region(200));
        assert_eq!(area_by_name(AreaId::GROUND, "water"), Colour::GROUND);
        assert_eq!(area_by_name(AreaId::NULL, "water"), Colour::BLOCKED);
    }

    #[test]
    fn the_ramp_gets_lighter() {
        let lightness = |c: Colour| c.0.iter().zip([2u32, 7, 1]).map(|(&v, w)| u32::from(v) * w).sum::<u32>();
        let values: Vec<u32> = (0..=20).map(|i| lightness(ramp(f64::from(i) / 20.0))).collect();
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        assert_eq!(ramp(f64::NAN), ramp(0.0));
        assert_eq!(ramp(9.0), RAMP[6]);
    }

    #[test]
    fn palettes_have_no_twins() {
        let named = NAMED.iter().map(|(_, colour)| *colour);
        let mut all: Vec<Colour> =
            (0..48).map(region).chain(AREAS).chain(named).chain([Colour::GROUND, Colour::BLOCKED]).collect();
        all.sort();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn mixing_and_names() {
        assert_eq!(Colour::hex(0x000000).mix(Colour::WHITE, 0.5), Colour::hex(0x808080));
        assert_eq!(Colour::hex(0x0a0b0c).css(), "#0a0b0c");
        assert!(Colour::GROUND.shaded(1.0) > Colour::GROUND && Colour::GROUND.shaded(0.0) < Colour::GROUND);
    }
}
