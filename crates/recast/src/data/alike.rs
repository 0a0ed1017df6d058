//! How far a list goes on as it begins.

/// Items that are held against the first without a way out in between, so that many are compared at once.
const TOGETHER: usize = 8;

/// How many items, from the first on, are equal to it.
#[inline]
pub(crate) fn alike<T: Copy + PartialEq>(items: &[T]) -> usize {
    let Some(&own) = items.first() else { return 0 };
    if items.get(1) != Some(&own) {
        return 1;
    }
    let is_alike = |piece: &[T; TOGETHER]| piece.iter().fold(true, |alike, &other| alike & (other == own));
    let (pieces, _) = items.as_chunks();
    let whole = pieces.iter().take_while(|piece| is_alike(piece)).count() * TOGETHER;
    whole + items[whole..].iter().take_while(|other| **other == own).count()
}

#[cfg(test)]
mod tests {
    use super::alike;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_other_item_ends_it(items in prop::collection::vec(prop::bool::weighted(0.95), 0..60)) {
            let expected = items.iter().position(|item| *item != items[0]).unwrap_or(items.len());
            prop_assert_eq!(alike(&items), expected);
        }
    }
}
