//! `[[off_mesh]]`: links between two points, or two edges, without a surface.

use super::keys::{OFF_MESH, OFF_MESH_KEYS};
use super::reader::{SettingsReader, integer, number, numbers};
use recast::{AreaId, OffMeshConnection};
use std::ops::Range;
use toml::de::DeTable;

impl SettingsReader<'_> {
    pub(super) fn take_off_mesh(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let problems = self.problem_count();
        let mut connection = OffMeshConnection {
            start: [0.0; 3],
            end: [0.0; 3],
            radius: 0.0,
            both_ways: true,
            area: AreaId::GROUND,
            flags: None,
            // Its position in the list, from 1.
            user_id: self.settings.off_mesh_connections.len() as u64 + 1,
            along: [0.0; 2],
        };
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            let path = format!("{path}.{name}");
            let whole = integer(value.get_ref());
            let finite = |point: &[f64; 3]| point.iter().all(|value| value.is_finite());
            let finite_plan = |vector: &[f64; 2]| vector.iter().all(|value| value.is_finite());
            match name {
                "start" | "end" => match numbers(value.get_ref()).filter(finite) {
                    Some(point) if name == "start" => connection.start = point,
                    Some(point) => connection.end = point,
                    None => self.wrong_type(&path, value, "three finite numbers: [x, y, z]"),
                },
                "radius" => {
                    match number(value.get_ref()).filter(|radius| *radius > 0.0 && radius.is_finite()) {
                        Some(radius) => connection.radius = radius,
                        None => self.wrong_type(&path, value, "a finite number of metres, greater than 0"),
                    }
                }
                "along" => match numbers(value.get_ref()).filter(finite_plan) {
                    Some(along) => connection.along = along,
                    None => self.wrong_type(&path, value, "two finite numbers: [x, z]"),
                },
                "both_ways" => match value.get_ref().as_bool() {
                    Some(both_ways) => connection.both_ways = both_ways,
                    None => self.wrong_type(&path, value, "true or false"),
                },
                "area" => match self.area_of(&path, value) {
                    Some(area) if area.is_walkable() => connection.area = area,
                    Some(_) => self.wrong_type(&path, value, "an area other than 0"),
                    None => {}
                },
                "flags" => match whole.and_then(|flags| u32::try_from(flags).ok()) {
                    Some(flags) => connection.flags = Some(flags),
                    None => self.wrong_type(&path, value, "a whole number of 32 bits, such as 0x01"),
                },
                "user_id" => match whole.and_then(|id| u64::try_from(id).ok()) {
                    Some(id) => connection.user_id = id,
                    None => self.wrong_type(&path, value, "a whole number, not negative"),
                },
                _ => self.unknown(OFF_MESH, name, key.span()),
            }
        }
        self.require(path, (entries, &span), &OFF_MESH_KEYS[..3], "connection");
        if self.problem_count() == problems {
            self.settings.off_mesh_connections.push(connection);
        }
    }
}
