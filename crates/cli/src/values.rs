//! Parsers for values of options.

use navdraw::scene::Window;
use navinput::hex_colour;
use navtile::TileCoord;
use recast::settings::{Value, find, numbers};
use recast::{AreaDefinition, AreaId};

/// A point: three finite numbers, separated by commas.
pub(crate) fn point(text: &str) -> Result<[f64; 3], String> {
    numbers(text)
}

/// Two finite numbers, the lower first.
pub(crate) fn range(text: &str) -> Result<[f64; 2], String> {
    let [low, high] = numbers(text)?;
    if low <= high {
        Ok([low, high])
    } else {
        Err(format!("{low} is above {high}, expected the lower first"))
    }
}

/// A part of the level seen from above: the x and z of two opposite corners, in any order.
pub(crate) fn window(text: &str) -> Result<Window, String> {
    let [a, b, c, d] = numbers(text)?;
    let window = Window { min: [a.min(c), b.min(d)], max: [a.max(c), b.max(d)] };
    let has_area = window.min[0] < window.max[0] && window.min[1] < window.max[1];
    if has_area { Ok(window) } else { Err("expected two corners that differ in x and in z".to_owned()) }
}

pub(crate) fn tile_coord(text: &str) -> Result<TileCoord, String> {
    let wrong = || format!("found `{text}`, expected two or three whole numbers separated by commas");
    let parts: Vec<i32> =
        text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    match parts[..] {
        [x, z] => Ok(TileCoord { x, z, layer: 0 }),
        [x, z, layer] => Ok(TileCoord { x, z, layer }),
        _ => Err(wrong()),
    }
}

pub(crate) fn half_extents(text: &str) -> Result<[f64; 3], String> {
    let extents = numbers(text)?;
    // The runtime works in f32: an extent that becomes 0 or infinite there does not make a box.
    let valid = extents.iter().all(|&extent| extent as f32 > 0.0 && (extent as f32).is_finite());
    if valid { Ok(extents) } else { Err("expected three numbers greater than 0".to_owned()) }
}

pub(crate) fn thread_count(text: &str) -> Result<usize, String> {
    /// More threads would only cost memory.
    const MOST: usize = 1024;
    text.parse()
        .ok()
        .filter(|count| (1..=MOST).contains(count))
        .ok_or(format!("expected 1 to {MOST} threads"))
}

/// An amount of memory, as settings give it: `512MiB`.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let setting = find("memory_bound").ok_or_else(|| "expected an amount of memory".to_owned())?;
    match setting.parse(text)? {
        Value::Whole(bytes) => Ok(bytes),
        _ => Err("expected an amount of memory".to_owned()),
    }
}

pub(crate) fn area(text: &str) -> Result<AreaDefinition, String> {
    let mut area = AreaDefinition::new(AreaId::NULL, "");
    for part in text.split(',') {
        let (key, value) =
            part.split_once('=').ok_or_else(|| format!("found `{part}`, expected `key=value`"))?;
        let wrong = |expected: &str| format!("{key} is `{value}`, expected {expected}");
        match key.trim() {
            "id" => {
                let id = value.trim().parse().ok().filter(|id| *id > 0);
                area.id = AreaId(id.ok_or_else(|| wrong("a whole number of 1 to 255"))?);
            }
            "name" => area.name = value.trim().to_owned(),
            "flags" => area.flags = flags(value.trim()).ok_or_else(|| wrong("a whole number of 32 bits"))?,
            "cost" => area.cost = value.trim().parse().map_err(|_| wrong("a number"))?,
            "priority" => area.priority = value.trim().parse().map_err(|_| wrong("a whole number"))?,
            "colour" => {
                area.colour =
                    Some(hex_colour(value.trim()).ok_or_else(|| wrong("a colour such as #3f7fc9"))?);
            }
            _ => {
                return Err(format!(
                    "unknown key `{key}`, expected id, name, flags, cost, priority or colour"
                ));
            }
        }
    }
    if !area.id.is_walkable() || area.name.is_empty() {
        return Err("an area must have an id and a name: id=1,name=water".to_owned());
    }
    Ok(area)
}

fn flags(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_refused() {
        assert!(point("1,2").unwrap_err().contains("found 2 values"));
        assert!(half_extents("1,0,1").is_err() && half_extents("1e-60,1,1").is_err());
        for bad in ["id=1,name=x,colour=red", "id=1,name=x,colour=#+1+2+3", "id=1,name=x,colour=#12345"] {
            assert!(area(bad).unwrap_err().contains("expected a colour such as #3f7fc9"), "{bad}");
        }
        assert_eq!(area("id=1,name=x,colour=#3f7FC9").unwrap().colour, Some([0x3f, 0x7f, 0xc9]));
        for bad in ["id=0,name=x", "id=1", "name=x", "id=1,name=x,nam=y", "id", "id=1,name=x,flags=-1"] {
            assert!(area(bad).is_err(), "{bad}");
        }
        let water = area("id=1,name=water,flags=0x10,cost=2.5").unwrap();
        assert_eq!((water.id.0, water.name.as_str(), water.flags, water.cost), (1, "water", 16, 2.5));
    }
}
