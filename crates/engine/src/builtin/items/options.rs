//! The options of a choice: distinct to a reader, the right one at a varied but stable place.

use language::normal::{normal, stable_hash};

/// Most wrong options.
const MAX_WRONG: usize = 3;

/// Puts the right answer among wrong ones; none when there are fewer than `least` wrong ones.
/// `wrong` is tried in order.
pub(super) fn arrange(
    right: &str,
    wrong: impl Iterator<Item = String>,
    least: usize,
    seed: &str,
) -> Option<Vec<String>> {
    let mut seen = vec![normal(right)];
    let mut options = Vec::new();
    for option in wrong {
        let form = normal(&option);
        if !form.is_empty() && !seen.contains(&form) {
            seen.push(form);
            options.push(option);
            if options.len() == MAX_WRONG {
                break;
            }
        }
    }
    if options.len() < least {
        return None;
    }
    let place = pick(seed, options.len() + 1);
    options.insert(place, right.to_owned());
    Some(options)
}

/// A stable choice among `count` (at least 1).
pub(super) fn pick(seed: &str, count: usize) -> usize {
    // The low bits of the hash alone would follow the seed's last letter.
    let hash = stable_hash(seed);
    let spread = (hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    usize::try_from(spread % count.max(1) as u64).unwrap_or(0)
}

/// The indexes 0..count, beginning somewhere that depends on the seed.
pub(super) fn rotated(count: usize, seed: &str) -> impl Iterator<Item = usize> {
    let start = pick(seed, count);
    (0..count).map(move |at| (at + start) % count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_distinct_and_the_right_one_is_there() {
        let wrong = ["Mars ", "mars", "Venus", "Earth", "Venus."].map(str::to_owned);
        let options = arrange("Mars", wrong.into_iter(), 2, "seed").unwrap();
        assert_eq!(options.len(), 3);
        assert!(options.contains(&"Mars".to_owned()));
        assert_eq!(arrange("Mars", ["MARS".to_owned()].into_iter(), 1, "seed"), None);
    }

    #[test]
    fn the_place_varies() {
        let places: std::collections::HashSet<usize> =
            (0..40).map(|seed| pick(&format!("question {seed}"), 4)).collect();
        assert_eq!(places.len(), 4);
    }
}
