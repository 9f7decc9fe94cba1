//! The sentences that a resource says already.

use std::collections::HashSet;

use language::normal::{mentions, normal};
use language::profile::Profile;
use language::script::word_count;
use language::sentences;

use crate::part::PartRequest;

/// Fewer words than this, such as a cell of a table, may stand in several parts.
const FEWEST_WORDS: usize = 4;

/// What the present part and the others say.
pub(super) struct KnownSentences {
    /// In normal form.
    sentences: HashSet<String>,
    whole: String,
}

impl KnownSentences {
    pub(super) fn of(request: &PartRequest, profile: &Profile) -> Self {
        let (mut found, mut whole) = (HashSet::new(), String::new());
        for text in std::iter::once(&request.present).chain(&request.others).flat_map(|part| part.texts()) {
            found.extend(sentences::split(&text, profile).into_iter().map(normal));
            let text = normal(&text);
            whole.push_str(&text);
            whole.push('\n');
            found.insert(text);
        }
        Self { sentences: found, whole }
    }

    /// Whether a text stands in a part, by itself or in the midst of a longer one.
    pub(super) fn contains(&self, text: &str) -> bool {
        let form = normal(text);
        self.sentences.contains(&form) || word_count(text) >= FEWEST_WORDS && mentions(&self.whole, &form)
    }

    /// Whether any of some texts is known that is long enough to be told by.
    pub(super) fn contains_any(&self, texts: &[String]) -> bool {
        let mut told = texts.iter().filter(|text| word_count(text) >= FEWEST_WORDS).peekable();
        if told.peek().is_none() {
            return texts.iter().all(|text| self.contains(text));
        }
        told.any(|text| self.contains(text))
    }
}
