//! Finds the known name that is nearest to an unknown one.

/// Below this likeness, a guess would mislead.
const LEAST_LIKENESS: f64 = 0.6;

/// Longer names are not compared, because nobody mistypes them.
pub(crate) const LONGEST: usize = 100;
/// Names after this many are not compared.
const MOST_NAMES: usize = 10_000;

/// The name nearest to `given` among the first of `names`.
pub(crate) fn nearest_name<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let short = |name: &&str| name.len() <= LONGEST && given.len() <= LONGEST;
    let names = names.take(MOST_NAMES).filter(short);
    most_alike(names.map(|name| (strsim::normalized_damerau_levenshtein(given, name), name)))
}

/// The first of the candidates that are most alike, so that the answer depends only on their order.
pub(crate) fn most_alike<T>(candidates: impl Iterator<Item = (f64, T)>) -> Option<T> {
    candidates
        .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_not_compared() {
        let name = |length: usize| "n".repeat(length);
        let is_found =
            |given: usize, known: usize| nearest_name(&name(given), [&*name(known)].into_iter()).is_some();
        assert!(is_found(LONGEST, LONGEST));
        assert!(!is_found(LONGEST + 1, LONGEST));
        assert!(!is_found(LONGEST, LONGEST + 1));
    }

    #[test]
    fn names_are_alike_if_two_of_five_letters_differ_and_the_first_of_them_wins() {
        let nearest = |names: &[&'static str]| nearest_name("abcde", names.iter().copied());
        assert_eq!(nearest(&["abcxy"]), Some("abcxy"));
        assert_eq!(nearest(&["abxyz", ""]), None);
        assert_eq!(nearest(&["abcxy", "abcdx", "xbcde"]), Some("abcdx"));
    }

    #[test]
    fn the_first_ten_thousand_names_are_compared() {
        let is_found = |before: usize| {
            let others = std::iter::repeat_n("zzzzz", before);
            nearest_name("abcde", others.chain(["abcde"])).is_some()
        };
        assert!(is_found(MOST_NAMES - 1) && !is_found(MOST_NAMES));
    }
}
