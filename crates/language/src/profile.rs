//! What is known of a language: its little words, its abbreviations, how it says "is a".

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use unicode_segmentation::UnicodeSegmentation;

pub use crate::words::Style;

use crate::primary_subtag;
use crate::script::{is_han, is_thai};
use crate::words::Grammar;

/// A grammar made searchable.
pub struct Profile {
    /// Its primary subtag; `und` where nothing is known.
    pub tag: &'static str,
    stop: HashSet<&'static str>,
    weak: HashSet<&'static str>,
    anaphora: HashSet<&'static str>,
    abbreviations: HashSet<&'static str>,
    articles: HashSet<&'static str>,
    is: HashSet<&'static str>,
    a: HashSet<&'static str>,
    closing: Vec<&'static str>,
    /// Phrases that define by themselves, word by word.
    pub means: Vec<Vec<&'static str>>,
    /// How it phrases a definition.
    pub style: Style,
    openers: HashSet<&'static str>,
    no_noun: Vec<&'static str>,
    /// As German does.
    pub nouns_are_capitalised: bool,
    /// A number with a dot is an ordinal: "3. Oktober".
    pub ordinal_dots: bool,
}

/// The tag of a language of which nothing is known.
const UNKNOWN: &str = "und";

/// The profiles of all languages that have a grammar; the last one knows nothing.
static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let known = crate::taught().map(|(tag, teaching)| Profile::new(tag, &teaching.grammar));
    known.chain([Profile::new(UNKNOWN, &Grammar::UNKNOWN)]).collect()
});

/// The profiles that have a little word, a bit for each: one look-up tells of all languages.
static WHOSE_STOP: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut whose = HashMap::new();
    for (place, profile) in PROFILES.iter().enumerate() {
        profile.stop.iter().for_each(|word| *whose.entry(*word).or_default() |= 1 << place);
    }
    whose
});

/// Longest beginning of a text whose little words are counted, in words.
const MOST_WORDS_COUNTED: usize = 300;

fn place_of(profile: &Profile) -> usize {
    PROFILES.iter().position(|other| other.tag == profile.tag).expect("it is one of them")
}

/// How many words a text begins with, and how many of them are little words of each profile.
fn count_stop_words(text: &str) -> (usize, Vec<usize>) {
    let (mut words, mut hits) = (0, vec![0; PROFILES.len()]);
    for word in text.unicode_words().take(MOST_WORDS_COUNTED) {
        words += 1;
        let mut whose = WHOSE_STOP.get(word.to_lowercase().as_str()).copied().unwrap_or_default();
        while whose != 0 {
            hits[whose.trailing_zeros() as usize] += 1;
            whose &= whose - 1;
        }
    }
    (words, hits)
}

/// The profile of a language tag; the last one, which knows nothing, for unknown languages.
pub fn of(tag: &str) -> &'static Profile {
    let primary = primary_subtag(tag);
    PROFILES.iter().find(|profile| profile.tag == primary).unwrap_or(&PROFILES[PROFILES.len() - 1])
}

/// The profile that fits a text: the declared language's, unless another one's little words are
/// clearly more at home in it (a course in English may teach a Spanish text).
pub fn of_text(text: &str, declared: &'static Profile) -> &'static Profile {
    let (words, hits) = count_stop_words(text);
    let own = hits[place_of(declared)];
    if words < 12 || own * 4 >= words {
        return declared;
    }
    let best = hits.iter().zip(PROFILES.iter()).max_by_key(|(found, _)| **found);
    best.filter(|(found, _)| **found > own * 2 + 2 && **found * 6 >= words).map_or(declared, |(_, profile)| profile)
}

/// The language of a text, by its script and its little words; none when it is too short to tell.
pub fn guess(text: &str) -> Option<&'static str> {
    let mut scripts = [("ja", 0), ("ko", 0), ("zh", 0), ("ar", 0), ("hi", 0), ("th", 0)];
    for character in text.chars().take(2_000) {
        let tag = match character {
            '\u{3041}'..='\u{30FA}' => "ja",
            '\u{AC00}'..='\u{D7A3}' => "ko",
            '\u{0600}'..='\u{06FF}' => "ar",
            '\u{0900}'..='\u{097F}' => "hi",
            other if is_han(other) => "zh",
            other if is_thai(other) => "th",
            _ => continue,
        };
        scripts.iter_mut().filter(|(known, _)| *known == tag).for_each(|(_, count)| *count += 1);
    }
    // Kana are what tells Japanese from Chinese, however few they are.
    if let Some((tag, _)) = scripts.iter().find(|(_, count)| *count > 1) {
        return Some(tag);
    }
    let (words, hits) = count_stop_words(text);
    let (found, best) = hits.iter().zip(PROFILES.iter()).rev().max_by_key(|(found, _)| **found)?;
    (*found >= 2 && found * 8 >= words).then_some(best.tag)
}

impl Profile {
    fn new(tag: &'static str, grammar: &Grammar) -> Self {
        let set = |words: &'static str| words.split_whitespace().collect::<HashSet<_>>();
        Self {
            tag,
            stop: set(grammar.stop_words),
            weak: set(grammar.weak_words),
            anaphora: set(grammar.anaphora),
            abbreviations: set(grammar.abbreviations),
            articles: set(grammar.articles),
            is: set(grammar.copulas),
            a: set(grammar.determiners),
            closing: grammar.closing_copulas.split_whitespace().collect(),
            means: grammar
                .defining_phrases
                .split('|')
                .filter(|phrase| !phrase.is_empty())
                .map(|phrase| phrase.split(' ').collect())
                .collect(),
            style: grammar.style,
            openers: set(grammar.noun_openers),
            no_noun: grammar.no_noun_endings.split_whitespace().collect(),
            nouns_are_capitalised: grammar.nouns_are_capitalised,
            ordinal_dots: grammar.ordinal_dots,
        }
    }

    /// Whether nothing is known of the language.
    pub fn is_unknown(&self) -> bool {
        self.tag == UNKNOWN
    }

    /// A word that carries no topic; `word` in lower case.
    pub fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word) || self.anaphora.contains(word) || self.articles.contains(word)
    }

    /// A word that is no topic by itself; `word` in lower case.
    pub fn is_topicless(&self, word: &str) -> bool {
        self.is_stop(word) || self.weak.contains(word)
    }

    /// A sentence that begins with it leans on the one before; `word` in lower case.
    pub fn is_anaphoric(&self, word: &str) -> bool {
        self.anaphora.contains(word)
    }

    /// A word that a period ends, which is not the sentence's; `word` without it.
    pub fn is_abbreviation(&self, word: &str) -> bool {
        self.abbreviations.contains(word.to_lowercase().as_str())
    }

    /// Whether the language has articles that are words.
    pub fn has_articles(&self) -> bool {
        !self.articles.is_empty()
    }

    /// An article; `word` in lower case.
    pub fn is_article(&self, word: &str) -> bool {
        self.articles.contains(word)
    }

    /// A copula that needs a determiner behind it to define; `word` in lower case.
    pub fn is_copula(&self, word: &str) -> bool {
        self.is.contains(word)
    }

    /// Whether a phrase, in lower case, says that a term means what follows: the first of those that define by themselves.
    pub fn says_means(&self, phrase: &str) -> bool {
        self.means.first().is_some_and(|means| phrase.split(' ').eq(means.iter().copied()))
    }

    /// A predicate without the copula at its end.
    pub fn without_closing_copula<'t>(&self, predicate: &'t str) -> &'t str {
        self.closing.iter().find_map(|end| predicate.strip_suffix(end)).unwrap_or(predicate).trim_end()
    }

    /// A determiner; `word` in lower case.
    pub fn is_determiner(&self, word: &str) -> bool {
        self.a.contains(word)
    }

    /// Whether nouns of the language can be told by the words before them.
    pub fn knows_openers(&self) -> bool {
        !self.openers.is_empty()
    }

    /// A word that stands right before a noun; `word` in lower case.
    pub fn opens_noun(&self, word: &str) -> bool {
        self.openers.contains(word)
    }

    /// Whether a lower-cased word may be a noun, by its ending.
    pub fn may_be_noun(&self, word: &str) -> bool {
        !self.no_noun.iter().any(|ending| word.ends_with(ending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_a_bit() {
        assert!(PROFILES.len() <= 32);
    }

    #[test]
    fn of_languages_that_are_as_likely_the_first_is_guessed_and_the_declared_one_stays() {
        assert_eq!(count_stop_words("de que para").1.iter().filter(|found| **found == 3).count(), 2);
        assert_eq!(guess("de que para"), Some("es"));
        assert_eq!(of_text(&"de que para ".repeat(4), of("pt")).tag, "pt");
        assert_eq!(
            of_text(
                &"Der Aufbau der Zelle und ihre Teile sind für das Leben der Pflanzen sehr wichtig".repeat(2),
                of("en")
            )
            .tag,
            "de"
        );
        assert_eq!(of_text("Der Aufbau der Zelle", of("en")).tag, "en", "too short to tell");
    }

    #[test]
    fn the_beginning_of_a_text_tells_its_language() {
        let beginning = "the cell ".repeat(MOST_WORDS_COUNTED / 2);
        assert_eq!(guess(&format!("{beginning} {}", "der Zelle und ".repeat(500))), Some("en"));
    }

    #[test]
    fn a_language_is_guessed_where_the_text_tells_it() {
        for (text, expected) in [
            ("The causes of the war", Some("en")),
            ("Der Aufbau der Zelle und ihre Teile", Some("de")),
            ("La célula y los tejidos de las plantas", Some("es")),
            ("Как растения получают энергию и что им для этого нужно", Some("ru")),
            ("光合作用", Some("zh")),
            ("植物の光合成について", Some("ja")),
            ("광합성의 과정", Some("ko")),
            ("الخلية النباتية", Some("ar")),
            ("प्रकाश संश्लेषण", Some("hi")),
            ("การสังเคราะห์ด้วยแสง", Some("th")),
            ("Photosynthesis", None),
            ("", None),
        ] {
            assert_eq!(guess(text), expected, "{text}");
        }
    }
}
