//! Sentences that give something its name: "Flattened sacs called thylakoids are stacked into grana."
//!
//! As with definitions, a name is found and never made. What can't be told apart from the words around it is no name.

use std::ops::Range;

use language::normal::{normal, positions};
use language::profile::Profile;
use language::script::{is_hiragana, is_thai, is_unspaced, word_count};
use unicode_segmentation::UnicodeSegmentation;

use super::definitions;

/// Most words of a name, and most characters of one in a script without spaces.
const MOST_WORDS: usize = 3;
const MOST_CHARACTERS: usize = 8;
/// Thai spells its words with letters and marks, and compounds them.
const MOST_CHARACTERS_OF_THAI: usize = 24;
/// Fewest characters of a name.
const FEWEST_CHARACTERS: usize = 2;
/// Characters behind a name in which another one is announced.
const LONGEST_BEHIND: usize = 40;
/// Fewest words in front of a name: they say what is named.
const FEWEST_BEFORE: usize = 4;

/// A name in its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Naming {
    /// Where the name stands, in bytes.
    pub(crate) name: Range<usize>,
    /// The article in front of it, in lower case; empty where there is none.
    pub(crate) article: String,
}

/// Finds the name that a sentence gives. None where it gives several, or names the thing beside another name of it ("also called",
/// "called X or Y").
pub(crate) fn find(sentence: &str, profile: &Profile) -> Option<Naming> {
    let cues = &language::find_teaching(profile.tag)?.cues;
    let listed = |words: &'static str| words.split('|').filter(|word| !word.is_empty());
    let given = listed(cues.namings).flat_map(|naming| match naming.split_once('…') {
        Some(around) => framed(sentence, around, profile),
        None => behind(sentence, naming, false, profile),
    });
    let mut found = given.chain(listed(cues.named).flat_map(|named| behind(sentence, named, true, profile)));
    let naming = found.next()?;
    // Two ways to say it ("を…という", "を…といい") may find the same name.
    if found.any(|other| other.name.start != naming.name.start) {
        return None;
    }
    let said = listed(cues.namings).chain(listed(cues.named)).map(|words| positions(sentence, words).count());
    if said.sum::<usize>() > 1 {
        return None;
    }
    if is_one_of_two(sentence, &naming, profile) {
        return None;
    }
    let before = word_count(&sentence[..naming.name.start]);
    let letters = sentence[naming.name.clone()].chars().count();
    (before >= FEWEST_BEFORE && letters >= FEWEST_CHARACTERS).then_some(naming)
}

/// The names behind some words. Behind a participle without "is" a verb may follow the name ("sacs called thylakoids store …"), so that
/// only a single word is taken for one.
fn behind(sentence: &str, words: &str, is_participle: bool, profile: &Profile) -> Vec<Naming> {
    let starts = positions(sentence, words).filter(|at| !names_again(&sentence[..*at]));
    starts
        .filter_map(|start| {
            let end = start + words.len();
            let described = is_participle && !follows_copula(&sentence[..start], profile);
            match sentence[end..].trim_start().starts_with(is_unspaced) {
                true => unspaced(sentence, end),
                false => spaced(sentence, end, if described { 1 } else { MOST_WORDS }, profile),
            }
        })
        .collect()
}

/// Whether another name follows: "or air pressure". In Chinese and Japanese a name is all that stands between two marks.
fn is_one_of_two(sentence: &str, naming: &Naming, profile: &Profile) -> bool {
    let alternatives = language::find_teaching(profile.tag).map_or("", |teaching| teaching.answers.alternatives);
    let mut alternatives = alternatives.split(' ').filter(|word| !word.is_empty());
    let (name, behind) = (&sentence[naming.name.clone()], &sentence[naming.name.end..]);
    if name.contains(is_unspaced) && !name.contains(is_thai) {
        // Particles stand within words, too.
        return alternatives.any(|word| !word.chars().all(is_hiragana) && name.contains(word));
    }
    let behind: String = behind.chars().skip_while(|sign| !sign.is_alphanumeric()).take(LONGEST_BEHIND).collect();
    let behind = normal(&behind);
    alternatives.any(|word| {
        let rest = behind.strip_prefix(word);
        rest.is_some_and(|rest| word.contains(is_thai) || !rest.starts_with(char::is_alphanumeric))
    })
}

fn follows_copula(before: &str, profile: &Profile) -> bool {
    before.unicode_words().next_back().is_some_and(|word| profile.is_copula(&word.to_lowercase()))
}

/// The names between two words.
fn framed(sentence: &str, (front, back): (&str, &str), profile: &Profile) -> Vec<Naming> {
    let ends = sentence.match_indices(back).map(|(at, _)| at);
    ends.filter_map(|end| {
        let start = sentence[..end].rfind(front)? + front.len();
        let name = sentence[start..end].trim_matches([' ', '"', '“', '„', '”', '「', '」', '『', '』']);
        let start = start + sentence[start..end].find(name)?;
        let is_name = match name.contains(is_unspaced) {
            true => name.chars().all(|sign| sign.is_alphanumeric() && !is_hiragana(sign)) && fits_unspaced(name),
            false => name.split(' ').all(|word| is_part(word, profile)) && name.split(' ').count() <= MOST_WORDS,
        };
        is_name.then(|| Naming { name: start..start + name.len(), article: String::new() })
    })
    .collect()
}

/// ", also called": one word between a comma and what introduces the name.
fn names_again(before: &str) -> bool {
    let clause = before.rsplit([',', '(', '，', '（', '،']).next().unwrap_or_default();
    clause.len() < before.len() && clause.split_whitespace().count() == 1
}

fn spaced(sentence: &str, from: usize, most_words: usize, profile: &Profile) -> Option<Naming> {
    let mut words = sentence[from..].unicode_word_indices().map(|(at, word)| (from + at, word)).peekable();
    let joined = |gap: &str| gap.chars().all(|sign| sign == ' ' || sign == '-');
    let opened = |gap: &str| gap.chars().all(|sign| sign.is_whitespace() || "\"'“„«‘".contains(sign));
    let (mut start, mut first) = words.next()?;
    if !opened(&sentence[from..start]) {
        return None;
    }
    let mut article = String::new();
    if profile.is_article(&first.to_lowercase()) {
        article = first.to_lowercase();
        let behind = start + first.len();
        (start, first) = words.next()?;
        if !opened(&sentence[behind..start]) {
            return None;
        }
    }
    if !is_part(first, profile) {
        return None;
    }
    let (mut end, mut count) = (start + first.len(), 1);
    while let Some((at, word)) = words.peek().copied()
        && joined(&sentence[end..at])
        && is_part(word, profile)
    {
        (end, count) = (at + word.len(), count + 1);
        words.next();
    }
    // A name ends with its clause; a single word ends in front of "is" and "in", too. "The fall of …" goes on.
    let closed = !sentence[end..].starts_with([' ', '-']);
    let ends = closed || count == 1 && words.peek().is_some_and(|(_, word)| ends_before(&word.to_lowercase(), profile));
    (ends && count <= most_words).then_some(Naming { name: start..end, article })
}

/// Whether a name of one word ends in front of this one.
fn ends_before(word: &str, profile: &Profile) -> bool {
    let Some(teaching) = language::find_teaching(profile.tag) else { return false };
    let listed = |list: &str| list.split(' ').any(|known| known == word);
    profile.is_copula(word) || listed(teaching.answers.prepositions) && !listed(teaching.orders.of)
}

/// A word that a name may hold.
fn is_part(word: &str, profile: &Profile) -> bool {
    let lower = word.to_lowercase();
    !word.is_empty()
        && word.chars().all(|letter| is_letter(letter) || "'’-".contains(letter))
        && (!profile.nouns_are_capitalised || word.starts_with(char::is_uppercase))
        && profile.may_be_noun(&lower)
        && !profile.is_topicless(&lower)
        && !profile.is_anaphoric(&lower)
}

/// Letters, and the vowel signs of the scripts of India and of Thai.
fn is_letter(sign: char) -> bool {
    sign.is_alphabetic() || ('\u{0900}'..='\u{0DFF}').contains(&sign) || is_thai(sign)
}

fn fits_unspaced(name: &str) -> bool {
    match name.contains(is_thai) {
        true => name.chars().count() <= MOST_CHARACTERS_OF_THAI && definitions::may_name(name),
        false => name.chars().count() <= MOST_CHARACTERS,
    }
}

/// A name reaches to the end of its clause.
fn unspaced(sentence: &str, from: usize) -> Option<Naming> {
    let start = from + sentence[from..].find(|sign: char| !"「『“《 ".contains(sign))?;
    let rest = &sentence[start..];
    let closes = rest.find(|sign: char| !sign.is_alphanumeric() && !is_thai(sign));
    // No mark ends a Thai sentence.
    let end = start + closes.or_else(|| rest.ends_with(is_thai).then_some(rest.len()))?;
    fits_unspaced(&sentence[start..end]).then(|| Naming { name: start..end, article: String::new() })
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    fn name(language: &str, sentence: &str) -> Option<String> {
        find(sentence, profile::of(language)).map(|naming| sentence[naming.name].to_owned())
    }

    #[test]
    fn a_name_stands_behind_what_gives_it() {
        for (language, sentence, expected) in [
            ("en", "Inside a chloroplast, flattened sacs called thylakoids are stacked into grana.", "thylakoids"),
            ("en", "The DNA lies in a region of the cytoplasm called the nucleoid.", "nucleoid"),
            ("en", "Pressure is watched by receptors called baroreceptors in the carotid sinuses.", "baroreceptors"),
            ("en", "The sudden loss of water is known as thermal shock.", "thermal shock"),
            ("de", "Die Lehre von den Lauten einer Sprache heißt Phonetik.", "Phonetik"),
            ("es", "La capa externa de la Tierra se llama corteza.", "corteza"),
            ("fr", "La couche externe de la Terre s'appelle la croûte.", "croûte"),
            ("fr", "Les plantes grandissent par ce qu'on appelle la photosynthèse.", "photosynthèse"),
            ("it", "Lo strato esterno della Terra si chiama crosta.", "crosta"),
            ("pt", "A camada externa da Terra chama-se crosta.", "crosta"),
            ("nl", "De buitenste laag van de aarde wordt aardkorst genoemd.", "aardkorst"),
            ("en", "A thin layer of cells called epithelium, which renews itself, lines the gut.", "epithelium"),
            ("es", "El paso lento del agua por una membrana se llama ósmosis simple.", "ósmosis simple"),
            ("de", "Stoffe mit beiden Eigenschaften werden Ampholyte genannt.", "Ampholyte"),
            ("ja", "電流を流そうとするはたらきを電圧といい、単位はボルトです。", "電圧"),
            ("hi", "पौधों के भोजन बनाने की प्रक्रिया को प्रकाश संश्लेषण कहते हैं।", "प्रकाश संश्लेषण"),
            ("zh", "植物利用光能制造养分的过程叫做光合作用。", "光合作用"),
            ("th", "กระบวนการที่พืชใช้แสงสร้างอาหารเรียกว่าการสังเคราะห์ด้วยแสง", "การสังเคราะห์ด้วยแสง"),
            ("th", "ชั้นนอกสุดของโลกซึ่งแข็งและบาง เรียกว่า เปลือกโลก ซึ่งมีหินหลายชนิด", "เปลือกโลก"),
        ] {
            assert_eq!(name(language, sentence).as_deref(), Some(expected), "{language}: {sentence}");
        }
    }

    #[test]
    fn what_may_be_no_name_or_one_of_several_is_none() {
        for (language, sentence) in [
            ("en", "Cell division, also called mitosis, takes about an hour."),
            ("en", "The parts that build it are called in one after the other."),
            ("en", "The upper part is called crown and the lower part is called root."),
            ("en", "They are called words."),
            ("en", "In this city there is a river called Big Old Muddy Stone River."),
            ("de", "Der Stoff ist flüchtig, das heißt, er verdampft leicht."),
            ("de", "Die Pflanzen wachsen vor allem in heißen Ländern."),
            ("nl", "De thee wordt altijd met heet water gezet."),
            // A verb may follow the name, and nothing tells where the name ends.
            ("en", "In most leaves a green pigment called chlorophyll absorbs light."),
            ("en", "The event has often been called the fall of Rome by historians."),
            ("en", "In humans a small organ called the gallbladder stores bile."),
            ("en", "The constructor of a class is called automatically when an object is made."),
            ("en", "An ambulance must always be called immediately after an accident."),
            ("en", "The effect was already known as early as the second century."),
            ("fr", "Après la guerre, Charles de Gaulle est nommé président du Conseil."),
            ("th", "พืชที่ไม่มีเนื้อเยื่อลำเลียงถูกเรียกว่าพืชที่โบราณที่สุด"),
            // The other name would tell it, and is as right.
            ("en", "The sudden loss of water is known as thermal shock, or heat shock."),
            ("th", "แรงที่อากาศกระทำต่อหนึ่งหน่วยพื้นที่เรียกว่าความกดอากาศ หรือความดันอากาศ"),
            ("es", "La capa externa de la Tierra se llama corteza o costra."),
            ("zh", "地球最外面的一层叫做地壳或岩石壳。"),
        ] {
            assert_eq!(name(language, sentence), None, "{sentence}");
        }
    }
}
