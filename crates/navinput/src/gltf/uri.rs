//! URIs of buffers: checks which are allowed, and decodes data in the URI itself.
//! Source: RFC 3986 (percent encoding), RFC 2397 (data URIs), RFC 4648 (base64).

use super::error::GltfProblem;

/// The source of a buffer's bytes.
#[derive(Debug, PartialEq)]
pub(super) enum Target {
    /// In the URI.
    Data(Vec<u8>),
    /// In a file, by its path relative to the level's folder, without `.` in it.
    File(String),
}

/// Takes a URI apart. A path never leads out of the level's folder.
pub(super) fn parse(uri: &str) -> Result<Target, GltfProblem> {
    let refuse = |why| Err(GltfProblem::Uri { uri: shortened(uri), why });
    if has_scheme(uri, "data") {
        return match decode_data(&uri["data:".len()..]) {
            Ok(bytes) => Ok(Target::Data(bytes)),
            Err(why) => refuse(why),
        };
    }
    let Some(path) = percent_decoded(uri) else {
        return refuse("is not percent-encoded UTF-8");
    };
    // Checked after decoding, so that an escape cannot hide anything. Backslashes separate folders on
    // Windows. Each file has a single normalised name, so that it is loaded once.
    let plain: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    let plain = plain.join("/");
    let mut names = plain.split(['/', '\\']);
    if path.contains(char::is_control) {
        refuse("has control characters")
    } else if names.clone().next().is_some_and(|first| first.contains(':')) {
        refuse("has a scheme or a drive: only files next to the level are read")
    } else if path.starts_with('/') || plain.starts_with('\\') {
        refuse("is an absolute path: only files next to the level are read")
    } else if names.any(|name| name == "..") {
        refuse("leads out of the level's folder with `..`")
    } else if plain.is_empty() {
        refuse("names no file")
    } else {
        Ok(Target::File(plain))
    }
}

fn has_scheme(uri: &str, scheme: &str) -> bool {
    let start = uri.as_bytes().get(..scheme.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
        && uri.as_bytes().get(scheme.len()) == Some(&b':')
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            bytes.push(byte);
            rest = after;
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let [high, low] = *after.first_chunk::<2>()?;
        bytes.push(digit(high)? * 16 + digit(low)?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

/// The bytes of a data URI, from the text after `data:`.
fn decode_data(rest: &str) -> Result<Vec<u8>, &'static str> {
    let (kind, data) = rest.split_once(',').ok_or("is a data URI without a comma")?;
    let is_base64 = kind.rsplit_once(';').is_some_and(|(_, last)| last.eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Err("is a data URI that is not base64");
    }
    decode_base64(data.as_bytes()).ok_or("is a data URI whose base64 is broken")
}

fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    if padding > 0 && !text.len().is_multiple_of(4) {
        return None;
    }
    let text = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for &letter in group {
            bits = bits << 6 | sextet(letter)?;
        }
        match group.len() {
            4 => bytes.extend_from_slice(&bits.to_be_bytes()[1..]),
            3 if bits & 0b11 == 0 => bytes.extend_from_slice(&(bits >> 2).to_be_bytes()[2..]),
            2 if bits & 0b1111 == 0 => bytes.extend_from_slice(&(bits >> 4).to_be_bytes()[3..]),
            // A single letter is not a whole byte, and bits after the last byte must be zero.
            _ => return None,
        }
    }
    Some(bytes)
}

fn sextet(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// A URI for a message.
fn shortened(uri: &str) -> String {
    const LONGEST: usize = 60;
    let shown: String = uri.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if uri.chars().nth(LONGEST).is_some() { shown + ".." } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(uri: &str) -> String {
        parse(uri).unwrap_err().to_string()
    }

    #[test]
    fn bits_beyond_the_last_byte_are_zero() {
        assert_eq!(decode_base64(b"AQ=="), Some(vec![1]));
        assert_eq!(decode_base64(b"AQI="), Some(vec![1, 2]));
        for broken in [&b"AR=="[..], b"AQJ=", b"AQK=", b"A===", b"AQI"] {
            assert_eq!(decode_base64(broken).is_some(), broken == b"AQI", "{broken:?}");
        }
    }

    #[test]
    fn files_beside_the_level_are_followed() {
        for (uri, path) in [
            ("level.bin", "level.bin"),
            ("./parts/.//a%20b.bin", "parts/a b.bin"),
            ("caf%C3%A9.bin", "café.bin"),
            ("a..b/c...bin", "a..b/c...bin"),
            ("parts/12:30.bin", "parts/12:30.bin"),
        ] {
            assert_eq!(parse(uri), Ok(Target::File(path.to_owned())));
        }
    }

    #[test]
    fn nothing_outside_the_folder_is_followed() {
        for uri in ["../a.bin", "a/../../b.bin", "%2e%2e/a.bin", "a/%2E./b", "a\\..\\b", "..", "a%5C..%5Cb"] {
            assert!(refused(uri).contains("`..`"), "{uri}");
        }
        for uri in ["/etc/passwd", "%2Fetc/passwd", "\\\\server\\share", ".//\\server", "//host/a.bin"] {
            assert!(refused(uri).contains("absolute"), "{uri}");
        }
        for uri in [
            "http://host/a.bin",
            "HTTPS://host/a.bin",
            "file:///a.bin",
            "C:\\a.bin",
            "c%3A/a.bin",
            "./C:/a.bin",
        ] {
            assert!(refused(uri).contains("scheme or a drive"), "{uri}");
        }
        assert!(refused("").contains("no file") && refused("././").contains("no file"));
        assert!(refused("a%00.bin").contains("control"));
        for uri in ["%", "%4", "%zz", "%FF"] {
            assert!(refused(uri).contains("percent-encoded"), "{uri}");
        }
    }

    #[test]
    fn data_is_decoded() {
        for (uri, bytes) in [
            ("data:application/octet-stream;base64,AAEC/w==", &[0, 1, 2, 255][..]),
            ("DATA:;Base64,AAEC/w", &[0, 1, 2, 255]),
            ("data:;base64,AAEC", &[0, 1, 2]),
            ("data:;base64,AAE=", &[0, 1]),
            ("data:;base64,", &[]),
        ] {
            assert_eq!(parse(uri), Ok(Target::Data(bytes.to_vec())), "{uri}");
        }
        for uri in [
            "data:;base64,A",
            "data:;base64,AA=",
            "data:;base64,AB==",
            "data:;base64,A-==",
            "data:;base64,====",
        ] {
            assert!(refused(uri).contains("broken"), "{uri}");
        }
        assert!(refused("data:text/plain,abc").contains("not base64"));
        assert!(refused("data:;base64").contains("comma"));
    }
}
