//! The settings that a file with kept spans holds: those of its bake, serialized with serde and bincode.

use crate::error::CacheError;
use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use recast::{LinkProfile, Settings};

/// Most bytes of settings that are decoded.
const LIMIT: usize = 1 << 24;

fn config() -> Configuration<LittleEndian, Fixint, Limit<LIMIT>> {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<LIMIT>()
}

/// Settings without the fields that depend on the machine of the bake.
fn of_level(settings: &Settings) -> Settings {
    Settings { memory_bound: Settings::default().memory_bound, ..settings.clone() }
}

/// Settings as a file holds them: for [`navtile::FileWriter::with_kept`].
///
/// # Errors
/// More than 16 MiB of volumes and connections.
pub fn write_settings(settings: &Settings) -> Result<Vec<u8>, CacheError> {
    let mut bytes = bincode::serde::encode_to_vec(of_level(settings), config()).map_err(refused)?;
    if !settings.links.is_empty() {
        bytes.extend(bincode::serde::encode_to_vec(&settings.links, config()).map_err(refused)?);
    }
    if bytes.len() > LIMIT {
        let found = format!("{} bytes", bytes.len());
        return Err(CacheError::Settings { expected: "settings of at most 16 MiB", found });
    }
    Ok(bytes)
}

/// Settings from a file.
pub(crate) fn read_settings(bytes: &[u8]) -> Result<Settings, CacheError> {
    let (mut settings, mut read): (Settings, usize) =
        bincode::serde::decode_from_slice(bytes, config()).map_err(refused)?;
    if read < bytes.len() {
        let (links, of_links): (Vec<LinkProfile>, usize) =
            bincode::serde::decode_from_slice(&bytes[read..], config()).map_err(refused)?;
        if !links.is_empty() {
            (settings.links, read) = (links, read + of_links);
        }
    }
    if read != bytes.len() {
        let found = format!("{} bytes after them", bytes.len() - read);
        return Err(CacheError::Settings { expected: "nothing after the settings", found });
    }
    Ok(settings)
}

fn refused(error: impl ToString) -> CacheError {
    CacheError::Settings { expected: "settings of this version of the program", found: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_damage_is_refused() {
        for scene in navscenes::shooter::scenes().iter().chain(navscenes::all()) {
            let settings = (scene.settings)();
            let bytes = write_settings(&settings).unwrap();
            assert_eq!(read_settings(&bytes).unwrap(), of_level(&settings));
            assert!(read_settings(&bytes[..bytes.len() - 1]).is_err());
            assert!(read_settings(&[&bytes[..], &[0]].concat()).is_err());
        }
        // A wrong length.
        let mut bytes = write_settings(&Settings::default()).unwrap();
        for at in 0..bytes.len() {
            let before = std::mem::replace(&mut bytes[at], 255);
            let _ = read_settings(&bytes);
            bytes[at] = before;
        }
    }
}
