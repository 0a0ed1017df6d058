//! Options from JavaScript: objects whose keys are all known.

use crate::convert::{Answer, fail};
use detour::Optimality;
use js_sys::{Array, JsString, Map, Object, Reflect};
use navtile::TileCoord;
use wasm_bindgen::prelude::{JsCast, JsValue};

/// The fields of options by their keys.
pub(crate) type Fields<'a> = Vec<(&'static str, &'a mut dyn Field)>;

/// Options that JavaScript gives as an object.
pub(crate) trait Options: Default {
    fn fields(&mut self) -> Fields<'_>;
}

/// Options: an object without unknown keys, or nothing.
pub(crate) fn options<T: Options>(name: &str, value: JsValue) -> Answer<T> {
    let mut options = T::default();
    fill(name, options.fields(), &value)?;
    Ok(options)
}

/// Fills fields from an object. An unknown key is an error, and a key without a value is ignored.
fn fill(name: &str, mut fields: Fields<'_>, value: &JsValue) -> Answer<()> {
    if value.is_undefined() || value.is_null() {
        return Ok(());
    }
    let Some(entries) = entries(value) else {
        return Err(fail(format!("{name} is not an object of options")));
    };
    for (key, value) in entries {
        let Some((_, field)) = fields.iter_mut().find(|(known, _)| *known == key) else {
            let keys: Vec<&str> = fields.iter().map(|(key, _)| *key).collect();
            return Err(fail(format!("{name}: there is no key `{key}`; the keys are {}", keys.join(", "))));
        };
        if !value.is_undefined() && !field.set(&value) {
            return Err(fail(format!("{name}: `{key}` is not {}", field.kind())));
        }
    }
    Ok(())
}

/// The keys of an object and their values.
fn entries(value: &JsValue) -> Option<Vec<(String, JsValue)>> {
    // Lists and maps are objects, too, but with other keys.
    if !value.is_object() || value.is_instance_of::<Map>() || Array::is_array(value) {
        return None;
    }
    let keys = Object::keys(value.unchecked_ref::<Object>()).into_iter();
    keys.map(|key| Some((key.as_string()?, Reflect::get(value, &key).ok()?))).collect()
}

/// The items of an array or an array-like object.
fn items(value: &JsValue) -> Option<Vec<JsValue>> {
    if let Some(array) = value.dyn_ref::<Array>() {
        return Some(array.to_vec());
    }
    let length = Reflect::get(value, &JsString::from("length")).ok()?;
    (value.is_object() && length.as_f64().is_some()).then(|| Array::from(value).to_vec())
}

/// A field that is set from JavaScript.
pub(crate) trait Field {
    /// Sets it; returns false if the value is of another kind.
    fn set(&mut self, value: &JsValue) -> bool;
    /// The kind of its values, for errors.
    fn kind(&self) -> &'static str;
}

/// A type that is read from JavaScript.
pub(crate) trait FromValue: Sized {
    const KIND: &'static str;
    fn read(value: &JsValue) -> Option<Self>;
}

impl<T: FromValue> Field for T {
    fn set(&mut self, value: &JsValue) -> bool {
        T::read(value).map(|read| *self = read).is_some()
    }

    fn kind(&self) -> &'static str {
        T::KIND
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const KIND: &'static str = T::KIND;
    fn read(value: &JsValue) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value).map(Some) }
    }
}

impl FromValue for bool {
    const KIND: &'static str = "true or false";
    fn read(value: &JsValue) -> Option<Self> {
        value.as_bool()
    }
}

impl FromValue for f64 {
    const KIND: &'static str = "a number";
    fn read(value: &JsValue) -> Option<Self> {
        value.as_f64()
    }
}

impl FromValue for f32 {
    const KIND: &'static str = f64::KIND;
    fn read(value: &JsValue) -> Option<Self> {
        value.as_f64().map(|number| number as f32)
    }
}

impl FromValue for u32 {
    const KIND: &'static str = "a whole number from 0 to 4294967295";
    fn read(value: &JsValue) -> Option<Self> {
        value.as_f64().filter(|number| f64::from(*number as u32) == *number).map(|number| number as u32)
    }
}

/// 32 bits, as memory in WebAssembly.
impl FromValue for usize {
    const KIND: &'static str = u32::KIND;
    fn read(value: &JsValue) -> Option<Self> {
        u32::read(value).map(|number| number as usize)
    }
}

impl FromValue for u8 {
    const KIND: &'static str = "a whole number from 0 to 255";
    fn read(value: &JsValue) -> Option<Self> {
        u32::read(value)?.try_into().ok()
    }
}

impl FromValue for String {
    const KIND: &'static str = "a text";
    fn read(value: &JsValue) -> Option<Self> {
        value.as_string()
    }
}

impl FromValue for i32 {
    const KIND: &'static str = "a whole number of 32 bits";
    fn read(value: &JsValue) -> Option<Self> {
        value.as_f64().filter(|number| f64::from(*number as i32) == *number).map(|number| number as i32)
    }
}

impl FromValue for Optimality {
    const KIND: &'static str = "\"fast\", \"near\" or \"shortest\"";
    fn read(value: &JsValue) -> Option<Self> {
        match value.as_string()?.as_str() {
            "fast" => Some(Optimality::Fast),
            "near" => Some(Optimality::Near),
            "shortest" => Some(Optimality::Shortest),
            _ => None,
        }
    }
}

/// The value of a key of an object.
pub(crate) fn key<T: FromValue>(of: &JsValue, name: &str) -> Option<T> {
    T::read(&Reflect::get(of, &name.into()).ok()?)
}

/// A type that is read from lists, too.
pub(crate) trait Item: FromValue {
    const LIST: &'static str;
}

impl<T: Item> FromValue for Vec<T> {
    const KIND: &'static str = T::LIST;
    fn read(value: &JsValue) -> Option<Self> {
        items(value)?.iter().map(T::read).collect()
    }
}

/// A place or a size.
impl<T: FromValue> FromValue for [T; 3] {
    const KIND: &'static str = "three numbers";
    fn read(value: &JsValue) -> Option<Self> {
        let [x, y, z] = <[JsValue; 3]>::try_from(items(value)?).ok()?;
        Some([T::read(&x)?, T::read(&y)?, T::read(&z)?])
    }
}

impl Item for [f64; 3] {
    const LIST: &'static str = "a list of points, three numbers each";
}

/// A square of tiles.
pub(crate) struct TileSquare {
    x: i32,
    z: i32,
    columns: u32,
}

impl TileSquare {
    pub(crate) fn contains(&self, tile: TileCoord) -> bool {
        let is_within = |at: i32, first: i32| at >= first && at.abs_diff(first) < self.columns;
        is_within(tile.x, self.x) && is_within(tile.z, self.z)
    }
}

impl FromValue for TileSquare {
    const KIND: &'static str = "an object with x, z and columns";
    fn read(value: &JsValue) -> Option<Self> {
        Some(TileSquare { x: key(value, "x")?, z: key(value, "z")?, columns: key(value, "columns")? })
    }
}

impl Item for TileSquare {
    const LIST: &'static str = "a list of squares of tiles, each with x, z and columns";
}

/// Numbers by the keys of an object.
#[derive(Default)]
pub(crate) struct Numbers(pub(crate) Vec<(String, f32)>);

impl FromValue for Numbers {
    const KIND: &'static str = "an object of numbers";
    fn read(value: &JsValue) -> Option<Self> {
        let number = |(key, value)| Some((key, f32::read(&value)?));
        entries(value)?.into_iter().map(number).collect::<Option<_>>().map(Numbers)
    }
}
