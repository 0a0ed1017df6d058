//! Counts in sentences.

/// A whole number with its digits grouped: 12345678 is `12,345,678`.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its text in the singular or the plural.
///
/// ```
/// use navmath::count::counted;
///
/// assert_eq!(counted(1, "node is skinned", "nodes are skinned"), "1 node is skinned");
/// assert_eq!(counted(1200, "vertex", "vertices"), "1,200 vertices");
/// ```
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nothing_is_several() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
        assert_eq!(counted(0, "tile", "tiles"), "0 tiles");
    }
}
