//! Whether a quotation stands in an answer. White space, case and punctuation may differ; words may not.

use unicode_normalization::UnicodeNormalization as _;

use language::normal::positions;

/// An answer that quotations are looked up in.
pub(super) struct Answer {
    folded: String,
}

impl Answer {
    /// Takes an answer in.
    pub(super) fn new(text: &str) -> Self {
        Self { folded: folded(text) }
    }

    /// Whether a quotation stands in it. What an ellipsis leaves out may be anything; the pieces come in their order.
    pub(super) fn holds(&self, quotation: &str) -> bool {
        let pieces = quotation.split(['…']).flat_map(|piece| piece.split("...")).map(folded);
        let mut rest = self.folded.as_str();
        let mut found = false;
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            let Some(at) = positions(rest, &piece).next() else { return false };
            rest = &rest[at + piece.len()..];
            found = true;
        }
        found
    }
}

/// Letters and digits in one form, in lower case, with single spaces between them.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut gap = false;
    for character in text.nfkc().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            if gap && !folded.is_empty() {
                folded.push(' ');
            }
            folded.push(character);
            gap = false;
        } else {
            gap = true;
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_may_differ_in_case_space_and_punctuation_and_in_nothing_else() {
        let answer =
            Answer::new("Yeast feeds on sugar,\n and it releases “carbon dioxide”. 10³ bubbles — 酵母は糖を食べる。");
        for quotation in [
            "yeast feeds on sugar and it releases",
            "\"Carbon dioxide.\"",
            "Yeast feeds … carbon dioxide",
            "feeds on sugar ... releases",
            "酵母は糖",
        ] {
            assert!(answer.holds(quotation), "{quotation}");
        }
        for quotation in
            ["Yeast eats sugar", "east feeds", "carbon dioxide … yeast feeds", "", "…", "\"!\"", "dioxide releases"]
        {
            assert!(!answer.holds(quotation), "{quotation}");
        }
    }

    #[test]
    fn looking_up_takes_time_in_proportion_to_the_answer() {
        let quotation = format!("{} c", "a b ".repeat(20));
        testkit::assert_linear(
            "a quotation looked up",
            5_000,
            |words| "a b ".repeat(words),
            |text| assert!(!Answer::new(text).holds(&quotation)),
        );
    }
}
