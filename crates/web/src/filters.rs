//! Filters: the areas that may be entered, and their costs per metre.

use crate::convert::{Answer, fail};
use crate::options::{Fields, FromValue, Item, Numbers, Options};
use detour::Filter;
use navtile::Meta;
use wasm_bindgen::prelude::JsValue;

/// The filters of a mesh by their numbers.
pub(crate) struct Filters(Vec<Filter>);

impl Filters {
    /// Starts with the filter of the file's areas, which is number 0.
    pub(crate) fn new(of_areas: Filter) -> Filters {
        Filters(vec![of_areas])
    }

    /// Adds a filter, and returns its number.
    pub(crate) fn add(&mut self, filter: Filter) -> usize {
        self.0.push(filter);
        self.0.len() - 1
    }

    pub(crate) fn get(&self, number: usize) -> Answer<&Filter> {
        self.0.get(number).ok_or_else(|| {
            let count = self.0.len();
            fail(format!("filter {number} is not one of this mesh's {count}; NavMesh.filter makes them"))
        })
    }
}

/// A filter as JavaScript passes it.
#[derive(Default)]
pub(crate) struct FilterOptions {
    costs: Numbers,
    avoid: Vec<Area>,
    include: Option<u32>,
    exclude: u32,
}

impl Options for FilterOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![
            ("costs", &mut self.costs),
            ("avoid", &mut self.avoid),
            ("include", &mut self.include),
            ("exclude", &mut self.exclude),
        ]
    }
}

/// An area by its name or its id.
enum Area {
    Id(u8),
    Name(String),
}

impl FromValue for Area {
    const KIND: &'static str = "the name or the id of an area";
    fn read(value: &JsValue) -> Option<Self> {
        u8::read(value).map(Area::Id).or_else(|| String::read(value).map(Area::Name))
    }
}

impl Item for Area {
    const LIST: &'static str = "a list of names and ids of areas";
}

impl FilterOptions {
    pub(crate) fn filter(&self, meta: &Meta) -> Answer<Filter> {
        let flags = meta.areas.iter().fold(0, |flags, area| flags | area.flags);
        // A file without areas has ground of flag 1.
        let flags = if flags == 0 { 1 } else { flags };
        let mut filter =
            Filter::default().with_include(self.include.unwrap_or(flags)).with_exclude(self.exclude);
        for area in &meta.areas {
            filter = filter.with_area_cost(area.id, area.cost).map_err(fail)?;
        }
        for (name, cost) in &self.costs.0 {
            filter = filter.with_area_cost(id_of(meta, name)?, *cost).map_err(fail)?;
        }
        for area in &self.avoid {
            filter = filter.without_area(match area {
                Area::Id(id) => *id,
                Area::Name(name) => id_of(meta, name)?,
            });
        }
        Ok(filter)
    }
}

/// The id of the area with a name, or with an id written as a JavaScript key.
fn id_of(meta: &Meta, name: &str) -> Answer<u8> {
    let by_name = meta.areas.iter().find(|area| area.name == name).map(|area| area.id);
    by_name.or_else(|| name.parse().ok()).ok_or_else(|| {
        let known: Vec<&str> = meta.areas.iter().map(|area| area.name.as_str()).collect();
        fail(format!("there is no area \"{name}\"; the file has {}", known.join(", ")))
    })
}
