//! Looking phrases up in a text: a question is asked for some hundred phrases, of which it has one or none.

/// Bits for pairs of bytes. Pairs may share one: then a phrase is looked for in vain.
const BITS: usize = 2_048;

/// A text in lower case, and the pairs of bytes in it.
pub(super) struct LowerText {
    text: String,
    pairs: [u64; BITS / 64],
}

impl LowerText {
    pub(super) fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let mut pairs = [0; BITS / 64];
        for pair in text.as_bytes().windows(2) {
            let (word, bit) = place(pair);
            pairs[word] |= bit;
        }
        Self { text, pairs }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the text has a phrase that begins and ends with a word of it. Scripts without spaces have no ends of words.
    pub(super) fn holds(&self, phrase: &str) -> bool {
        !phrase.is_empty() && self.may_hold(phrase) && self.holds_between_words(phrase)
    }

    /// False only where a pair of the phrase's bytes is nowhere in the text.
    fn may_hold(&self, phrase: &str) -> bool {
        phrase.as_bytes().windows(2).all(|pair| {
            let (word, bit) = place(pair);
            self.pairs[word] & bit != 0
        })
    }

    fn holds_between_words(&self, phrase: &str) -> bool {
        let text = self.as_str();
        let is_edge = |one: Option<char>, at: Option<char>| match (one, at) {
            (Some(one), Some(at)) => {
                let is_free =
                    |one: char| !one.is_alphanumeric() || language::script::is_unspaced(one) || is_hangul(one);
                is_free(one) || is_free(at)
            }
            _ => true,
        };
        text.match_indices(phrase).any(|(at, _)| {
            is_edge(text[..at].chars().next_back(), phrase.chars().next())
                && is_edge(text[at + phrase.len()..].chars().next(), phrase.chars().next_back())
        })
    }
}

/// The word and the bit of a pair.
fn place(pair: &[u8]) -> (usize, u64) {
    let sum = pair.iter().fold(0, |sum: usize, byte| sum.wrapping_mul(67) + usize::from(*byte)) % BITS;
    (sum / 64, 1 << (sum % 64))
}

/// Korean writes endings in one word with what they end.
fn is_hangul(character: char) -> bool {
    matches!(character, '가'..='힣')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn phrases_begin_and_end_with_words() {
        for (text, phrase, is_held) in [
            ("Simplify it.", "simplify", true),
            ("In lowest terms, please", "lowest terms", true),
            ("Oversimplify", "simplify", false),
            ("simplifying", "simplify", false),
            ("判断题：水是湿的。", "判断题", true),
            ("약분하여", "약분", true),
            ("a", "a", true),
            ("", "a", false),
            ("a", "", false),
        ] {
            assert_eq!(LowerText::of(text).holds(phrase), is_held, "{text} {phrase}");
        }
    }

    proptest! {
        #[test]
        fn no_phrase_of_the_text_is_passed_over(text in "[a-d ½λ約]{0,40}", from in 0_usize..40, length in 0_usize..12) {
            let phrase: String = text.chars().skip(from).take(length).collect();
            prop_assert!(LowerText::of(&text).may_hold(&phrase));
        }
    }
}
