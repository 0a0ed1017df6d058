//! The settings in a dynamic file: named values. They do not depend on how this version of the program holds
//! its settings, so that it reads the files of other versions too. docs/format.md describes them.

mod rows;
mod values;

use crate::error::CacheError;
use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use recast::Settings;
use recast::settings::{SETTINGS, Setting, Value, find};
use values::{Fields, Stored, StoredSettings, StoredValue};

/// Most bytes of settings that are decoded.
const LIMIT: usize = 1 << 24;
/// The path of the one setting that depends on the machine of the bake.
const MEMORY_BOUND: &str = "memory_bound";

fn config() -> Configuration<LittleEndian, Fixint, Limit<LIMIT>> {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<LIMIT>()
}

/// Settings as a file holds them: for [`navtile::FileWriter::with_span_cache`].
///
/// # Errors
/// More than 16 MiB of volumes and connections.
pub fn write_settings(settings: &Settings) -> Result<Vec<u8>, CacheError> {
    let given = SETTINGS.iter().filter(|setting| setting.path != MEMORY_BOUND);
    let values =
        given.filter_map(|setting| Some((setting.path.to_owned(), stored((setting.get)(settings)?))));
    let lists = [
        ("areas", settings.areas.iter().map(rows::store_area).collect()),
        ("volumes", settings.volumes.iter().map(rows::store_volume).collect()),
        ("off_mesh_connections", settings.off_mesh_connections.iter().map(rows::store_connection).collect()),
        ("links", settings.links.iter().map(rows::store_link).collect()),
    ];
    let lists = lists.into_iter().map(|(name, rows)| (name.to_owned(), rows)).collect();
    encode(&StoredSettings { values: values.collect(), lists })
}

fn encode(stored: &StoredSettings) -> Result<Vec<u8>, CacheError> {
    let bytes = bincode::serde::encode_to_vec(stored, config()).map_err(refused)?;
    if bytes.len() > LIMIT {
        let found = format!("{} bytes", bytes.len());
        return Err(CacheError::Settings { expected: "settings of at most 16 MiB", found });
    }
    Ok(bytes)
}

/// Settings from a file. Settings that this version does not know are passed over.
pub(crate) fn read_settings(bytes: &[u8]) -> Result<Settings, CacheError> {
    let (stored, read): (StoredSettings, usize) =
        bincode::serde::decode_from_slice(bytes, config()).map_err(refused)?;
    if read != bytes.len() {
        let found = format!("{} bytes after them", bytes.len() - read);
        return Err(CacheError::Settings { expected: "nothing after the settings", found });
    }
    let mut settings = Settings { areas: Vec::new(), ..Settings::default() };
    for (path, value) in &stored.values {
        let Some(setting) = find(path) else { continue };
        let value = loaded(setting, value).filter(|value| (setting.set)(&mut settings, *value));
        value.ok_or_else(|| CacheError::Settings {
            expected: "a value of the setting's kind",
            found: format!("another one for {path}"),
        })?;
    }
    for (list, rows) in &stored.lists {
        for (index, row) in rows.iter().enumerate() {
            let fields = Fields { list, index, row };
            match list.as_str() {
                "areas" => settings.areas.push(rows::area(&fields)?),
                "volumes" => settings.volumes.push(rows::volume(&fields)?),
                "off_mesh_connections" => settings.off_mesh_connections.push(rows::connection(&fields)?),
                "links" => settings.links.push(rows::link(&fields)?),
                _ => {}
            }
        }
    }
    Ok(settings)
}

fn stored(value: Value) -> StoredValue {
    match value {
        Value::Number(number) => number.store(),
        Value::Whole(whole) => whole.store(),
        Value::Switch(on) => on.store(),
        Value::Choice(name) => name.to_owned().store(),
        Value::Point(point) => point.store(),
        Value::Box([min, max]) => StoredValue::Numbers([min, max].concat()),
    }
}

/// `None` if the setting does not hold such values.
fn loaded(setting: &Setting, value: &StoredValue) -> Option<Value> {
    Some(match value {
        StoredValue::Number(number) => Value::Number(*number),
        StoredValue::Whole(whole) => Value::Whole(*whole),
        StoredValue::Switch(on) => Value::Switch(*on),
        StoredValue::Text(text) => {
            setting.parse(text).ok().filter(|value| matches!(value, Value::Choice(_)))?
        }
        StoredValue::Numbers(numbers) => match *numbers.as_slice() {
            [x, y, z] => Value::Point([x, y, z]),
            [a, b, c, d, e, f] => Value::Box([[a, b, c], [d, e, f]]),
            _ => return None,
        },
    })
}

fn refused(error: impl ToString) -> CacheError {
    CacheError::Settings { expected: "named values", found: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{AreaDefinition, AreaId, LinkKind, LinkProfile, OffMeshConnection, Shape, Volume};

    /// Settings without what depends on the machine of the bake.
    fn of_level(settings: &Settings) -> Settings {
        Settings { memory_bound: Settings::default().memory_bound, ..settings.clone() }
    }

    fn stored_of(settings: &Settings) -> StoredSettings {
        bincode::serde::decode_from_slice(&write_settings(settings).unwrap(), config()).unwrap().0
    }

    #[test]
    fn settings_come_back_and_damage_is_refused() {
        for scene in navscenes::shooter::scenes().iter().chain(navscenes::all()) {
            let settings = (scene.settings)();
            let bytes = write_settings(&settings).unwrap();
            assert_eq!(read_settings(&bytes).unwrap(), of_level(&settings));
            assert!(read_settings(&bytes[..bytes.len() - 1]).is_err());
            assert!(read_settings(&[&bytes[..], &[0]].concat()).is_err());
        }
        // A length that is a lie.
        let mut bytes = write_settings(&Settings::default()).unwrap();
        for at in 0..bytes.len() {
            let before = std::mem::replace(&mut bytes[at], 255);
            let _ = read_settings(&bytes);
            bytes[at] = before;
        }
    }

    #[test]
    fn every_setting_comes_back() {
        let shapes = [
            Shape::Box { min: [0.0; 3], max: [1.0; 3] },
            Shape::RotatedBox { centre: [1.0; 3], half_extents: [2.0; 3], yaw: 30.0 },
            Shape::Prism { outline: vec![[0.0, 1.0], [2.0, 3.0], [4.0, 6.0]], bottom: 0.5, top: 2.5 },
            Shape::Cylinder { base: [3.0; 3], radius: 1.5, height: 2.0 },
            Shape::Capsule { a: [0.0; 3], b: [4.0; 3], radius: 0.5 },
        ];
        let volume = |(shape, area)| Volume { shape, area: AreaId(area) };
        let link = OffMeshConnection {
            start: [1.0; 3],
            end: [2.0; 3],
            radius: 0.4,
            both_ways: true,
            area: AreaId(7),
            flags: Some(5),
            user_id: u64::MAX,
            along: [1.0, 2.0],
        };
        let profile = LinkProfile {
            distance: Some([0.0, 2.0]),
            speed: Some(4.0),
            surface: Some(AreaId(9)),
            flags: Some(1 << 31),
            ..LinkProfile::new(LinkKind::Jump)
        };
        let mud = AreaDefinition {
            flags: 6,
            cost: 3.7,
            priority: -4,
            colour: Some([1, 2, 255]),
            ..AreaDefinition::new(AreaId(7), "mud")
        };
        let settings = Settings {
            cell_size: 0.1,
            partition: recast::Partition::Layers,
            region_min_area: Some(1.0),
            bounds: Some([[-1.0; 3], [9.0; 3]]),
            median_filter: true,
            areas: vec![AreaDefinition::ground(), mud],
            volumes: shapes.into_iter().zip(1..).map(volume).collect(),
            off_mesh_connections: vec![link],
            links: LinkKind::ALL.map(LinkProfile::new).into_iter().chain([profile]).collect(),
            ..Settings::default()
        };
        assert_eq!(read_settings(&write_settings(&settings).unwrap()).unwrap(), settings);
    }

    // A file of an older version lacks values, fields and lists; one of a newer version has more of them.
    #[test]
    fn other_versions_are_read() {
        let settings = Settings { agent_radius: 0.3, ..Settings::default() };
        let mut older = stored_of(&settings);
        older.values.retain(|(path, _)| path == "agent.radius" || path == "cell_size");
        older.lists.truncate(1);
        older.lists[0].1[0].retain(|(name, _)| name == "id" || name == "name");
        assert_eq!(read_settings(&encode(&older).unwrap()).unwrap(), settings);
        let mut newer = stored_of(&settings);
        newer.values.push(("agent.wings".to_owned(), 2u64.store()));
        newer.lists[0].1[0].push(("sound".to_owned(), "gravel".to_owned().store()));
        newer.lists.push(("portals".to_owned(), vec![vec![("to".to_owned(), 7.0.store())]]));
        assert_eq!(read_settings(&encode(&newer).unwrap()).unwrap(), settings);
    }

    #[test]
    fn wrong_values_are_named() {
        let mut wrong = stored_of(&Settings::default());
        wrong.values[0].1 = true.store();
        let error = read_settings(&encode(&wrong).unwrap()).unwrap_err().to_string();
        assert!(error.ends_with("found another one for cell_size"), "{error}");
        let mut wrong = stored_of(&Settings::default());
        wrong.lists[0].1[0].retain(|(name, _)| name != "id");
        let error = read_settings(&encode(&wrong).unwrap()).unwrap_err().to_string();
        assert!(error.ends_with("found no value in areas[0].id"), "{error}");
    }
}
