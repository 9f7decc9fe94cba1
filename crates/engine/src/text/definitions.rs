//! Sentences that say what something is: "Osmosis is the movement of …".
//!
//! A definition is found, never made: the answer is only where in the sentence the term, the copula
//! and the predicate stand. Thai has its own rules in [`thai`].

mod thai;

pub(crate) use thai::may_name;

use unicode_segmentation::UnicodeSegmentation;

use language::profile::{Profile, Style};
use language::script::{is_han, is_hiragana, is_katakana, word_count};

/// Most words in a term.
const MAX_TERM_WORDS: usize = 5;
/// Most characters in a term of a script without spaces.
const MAX_TERM_CHARACTERS: usize = 14;
/// Fewest words that a predicate needs to define anything.
const MIN_PREDICATE: usize = 3;

/// Where the parts of a defining sentence are, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Defined {
    /// The article, the term and anything set apart by commas: what can be swapped as a whole.
    pub(crate) lead_end: usize,
    pub(crate) term: std::ops::Range<usize>,
    pub(crate) copula: std::ops::Range<usize>,
    pub(crate) predicate: std::ops::Range<usize>,
}

/// Finds out whether a sentence defines a term.
pub(crate) fn define(sentence: &str, profile: &Profile) -> Option<Defined> {
    let defined = match profile.style {
        Style::Chinese => by_marks(
            sentence,
            &["是指", "指的是", "是一种", "是一種", "是一个", "是一個", "是由", "就是", "称为", "是"],
            false,
        ),
        Style::Japanese => by_marks(sentence, &["とは、", "とは", "は、", "は"], true),
        Style::Korean => korean(sentence),
        Style::Thai => thai::define(sentence, profile),
        Style::Suffix => by_suffix(sentence, profile),
        Style::Dash => by_dash(sentence, profile).or_else(|| by_copula(sentence, profile)),
        Style::Copula => by_copula(sentence, profile),
    }?;
    let predicate = &sentence[defined.predicate.clone()];
    let telling = word_count(predicate) >= MIN_PREDICATE && !sentence.ends_with(['?', '？', '؟']);
    (telling && !gives_a_reason(predicate, profile.style)).then_some(defined)
}

/// "…からです": why something is so does not say what it is. Where the reason stands behind a word, the lesson looks for it.
fn gives_a_reason(predicate: &str, style: Style) -> bool {
    let ends: &[&str] = match style {
        Style::Japanese => &["からである", "からです", "ためである", "ためです"],
        Style::Korean => &["때문이다", "때문입니다"],
        _ => &[],
    };
    ends.iter().any(|words| predicate.ends_with(words))
}

/// A word with its place.
struct Word<'t> {
    start: usize,
    end: usize,
    lower: String,
    text: &'t str,
}

fn first_words(sentence: &str, count: usize) -> Vec<Word<'_>> {
    sentence
        .unicode_word_indices()
        .take(count)
        .map(|(start, text)| Word { start, end: start + text.len(), lower: text.to_lowercase(), text })
        .collect()
}

fn by_copula(sentence: &str, profile: &Profile) -> Option<Defined> {
    let words = first_words(sentence, 20);
    let first = usize::from(profile.is_article(&words.first()?.lower));
    for at in first + 1..words.len().saturating_sub(2) {
        let Some(length) = copula_at(&words[at..], profile) else { continue };
        let gap = &sentence[..words[at].start];
        let set_apart = gap.find(',').filter(|_| gap.matches(',').count() == 2 && gap.trim_end().ends_with(','));
        if set_apart.is_none() && gap.contains([',', ';', ':', '—']) {
            return None;
        }
        let end = set_apart.unwrap_or(words[at - 1].end);
        let term = term_range(&words, first, end, profile)?;
        let copula = words[at].start..words[at + length - 1].end;
        let lead_end = gap.trim_end().trim_end_matches(',').len();
        return Some(Defined {
            lead_end: if set_apart.is_some() { gap.trim_end().len() } else { lead_end },
            term,
            predicate: rest(sentence, copula.end),
            copula,
        });
    }
    None
}

/// How many words the copula in front takes: one that defines by itself, or "is" with a determiner.
fn copula_at(words: &[Word<'_>], profile: &Profile) -> Option<usize> {
    let phrase = profile.means.iter().find(|phrase| {
        phrase.len() <= words.len() && phrase.iter().zip(words).all(|(known, word)| *known == word.lower)
    });
    if let Some(phrase) = phrase {
        return Some(phrase.len());
    }
    let determined = profile.is_copula(&words[0].lower)
        && words.get(1).is_some_and(|word| {
            profile.is_determiner(&word.lower)
                || profile.is_determiner(word.lower.split(['\'', '’']).next().unwrap_or_default())
        });
    determined.then_some(1)
}

/// The words from `first` to byte `end`, if they can be a term.
fn term_range(words: &[Word<'_>], first: usize, end: usize, profile: &Profile) -> Option<std::ops::Range<usize>> {
    let term: Vec<&Word<'_>> = words[first..].iter().take_while(|word| word.end <= end).collect();
    let (head, tail) = (term.first()?, term.last()?);
    let little = profile.is_stop(&head.lower) || profile.is_stop(&tail.lower) || profile.is_anaphoric(&words[0].lower);
    let named = term.iter().any(|word| word.text.chars().any(char::is_alphabetic));
    let elided = ["l'", "l’", "d'", "d’"]
        .iter()
        .find(|elided| head.lower.starts_with(**elided))
        .map_or(0, |elided| elided.len());
    (!little && named && term.len() <= MAX_TERM_WORDS).then(|| head.start + elided..tail.end)
}

/// From `from` to the end without the closing mark.
fn rest(sentence: &str, from: usize) -> std::ops::Range<usize> {
    let tail = &sentence[from..];
    let start = from + (tail.len() - tail.trim_start().len());
    let end = sentence.trim_end().trim_end_matches(['.', '!', '。', '！', '।', '．']).len();
    start..end.max(start)
}

/// Russian and Ukrainian: "Фотосинтез — это процесс …".
fn by_dash(sentence: &str, profile: &Profile) -> Option<Defined> {
    let (at, dash) = [" — ", " – ", " - "].iter().filter_map(|dash| Some((sentence.find(dash)?, *dash))).min()?;
    let words = first_words(sentence, 12);
    let term = term_range(&words, 0, at, profile)?;
    if sentence[..at].contains([',', ':', ';', '(']) || words.iter().filter(|word| word.end <= at).count() > 4 {
        return None;
    }
    let mut end = at + dash.len();
    for this in ["это ", "це "] {
        if sentence[end..].starts_with(this) {
            end += this.len();
        }
    }
    Some(Defined { lead_end: at, term, copula: at + 1..end - 1, predicate: rest(sentence, end) })
}

/// Turkish: "Fotosentez, … bir süreçtir."
fn by_suffix(sentence: &str, profile: &Profile) -> Option<Defined> {
    let ends = ["dır.", "dir.", "dur.", "dür.", "tır.", "tir.", "tur.", "tür.", "denir."]
        .iter()
        .any(|end| sentence.ends_with(end));
    // "… tutulmalıdır" says what should be done.
    let demands = ["malıdır.", "melidir."].iter().any(|end| sentence.ends_with(end));
    let ends = ends && !demands;
    let at = sentence.find(',').filter(|_| ends)?;
    let words = first_words(sentence, 8);
    let term = term_range(&words, 0, at, profile)?;
    Some(Defined { lead_end: at, term, copula: at..at + 1, predicate: rest(sentence, at + 1) })
}

/// Chinese and Japanese: a term of letters without particles in front of the mark.
fn by_marks(sentence: &str, marks: &[&str], japanese: bool) -> Option<Defined> {
    let (at, mark) = marks
        .iter()
        .filter_map(|mark| Some((sentence.find(mark)?, *mark)))
        .min_by_key(|(at, mark)| (*at, usize::MAX - mark.len()))?;
    let lead = &sentence[..at];
    let bare = lead.trim_matches(['「', '」', '“', '”', '《', '》', '『', '』']);
    let start = lead.find(bare)?;
    let count = bare.chars().count();
    let letters = |character: char| {
        is_han(character) || is_katakana(character) || character.is_ascii_alphanumeric() || character == '・'
    };
    let function = [
        '的', '了', '在', '和', '与', '有', '这', '那', '我', '你', '他', '她', '它', '们', '不', '都', '也', '其',
        '此', '因', '但', '所', '每', '个', '一', '使', '从', '被', '把', '中',
    ];
    let clean = if japanese {
        bare.chars().all(letters)
    } else {
        bare.chars().all(|character| letters(character) && !function.contains(&character))
    };
    let pointing = ["これ", "それ", "彼", "私", "今", "何", "次", "如果", "假如", "虽然", "由于", "只要", "即使"]
        .iter()
        .any(|word| bare.starts_with(word));
    let says = !japanese || mark.starts_with("とは") || closes_japanese(sentence);
    if !(2..=MAX_TERM_CHARACTERS).contains(&count) || !clean || pointing || !says || bare.chars().all(is_hiragana) {
        return None;
    }
    let copula = at..at + mark.len();
    // "是一种" keeps its "一种" in the predicate, which reads on by itself.
    let predicate_from =
        if mark.starts_with('是') && mark.len() > 3 && !mark.starts_with("是指") { at + 3 } else { copula.end };
    let copula = at..predicate_from;
    Some(Defined { lead_end: at, term: start..start + bare.len(), predicate: rest(sentence, predicate_from), copula })
}

fn closes_japanese(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(['。', '．']);
    ["である", "です", "という", "といいます", "のこと", "を指す", "を指します", "と呼ばれる", "と呼ばれます"]
        .iter()
        .any(|close| end.ends_with(close))
}

/// Korean: "광합성은 … 과정이다."
fn korean(sentence: &str) -> Option<Defined> {
    let end = sentence.trim_end_matches('.');
    if !["이다", "입니다", "말한다", "뜻한다", "말합니다", "뜻합니다"].iter().any(|close| end.ends_with(close))
    {
        return None;
    }
    let first = sentence.split(' ').next()?;
    let particle = ["이란", "란", "은", "는"].into_iter().find(|particle| first.ends_with(particle))?;
    let term = first.strip_suffix(particle)?;
    let pointing = ["이", "그", "저", "이것", "그것", "우리", "나", "이는", "그녀"].contains(&term);
    (term.chars().count() >= 2 && !pointing).then(|| Defined {
        lead_end: term.len(),
        term: 0..term.len(),
        copula: term.len()..first.len(),
        predicate: rest(sentence, first.len()),
    })
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    fn term(language: &str, sentence: &str) -> Option<String> {
        define(sentence, profile::of(language)).map(|defined| sentence[defined.term].to_owned())
    }

    #[test]
    fn finds_what_is_defined() {
        let cases = [
            ("en", "Osmosis is the movement of water through a membrane.", "Osmosis"),
            ("en", "A prime number is a natural number with exactly two divisors.", "prime number"),
            ("en", "Mitosis, also called division, is the process that splits a cell.", "Mitosis"),
            ("en", "The term erosion refers to the removal of soil by wind.", "term erosion"),
            ("de", "Die Fotosynthese ist ein Vorgang, bei dem Pflanzen Zucker herstellen.", "Fotosynthese"),
            ("es", "La célula es la unidad básica de la vida.", "célula"),
            ("fr", "L’énergie est une grandeur qui se conserve.", "énergie"),
            ("ru", "Фотосинтез — это процесс образования сахара на свету.", "Фотосинтез"),
            ("zh", "光合作用是植物利用光能制造养分的过程。", "光合作用"),
            ("ja", "光合成とは、植物が光を使って養分を作るはたらきである。", "光合成"),
            ("ko", "광합성은 식물이 빛을 이용하여 양분을 만드는 과정이다.", "광합성"),
            ("ar", "الخلية هي أصغر وحدة حية في الكائنات.", "الخلية"),
            ("tr", "Fotosentez, bitkilerin ışıkla besin yaptığı bir süreçtir.", "Fotosentez"),
            ("th", "การสังเคราะห์ด้วยแสง หมายถึง กระบวนการที่พืชใช้แสงสร้างอาหาร", "การสังเคราะห์ด้วยแสง"),
            ("th", "ออสโมซิสคือการแพร่ของน้ำผ่านเยื่อเลือกผ่าน", "ออสโมซิส"),
        ];
        for (language, sentence, expected) in cases {
            assert_eq!(term(language, sentence).as_deref(), Some(expected), "{sentence}");
        }
    }

    #[test]
    fn passes_over_what_defines_nothing() {
        for (language, sentence) in [
            ("en", "It is a small cell in the body."),
            ("en", "The sky is blue and very wide today."),
            ("en", "There are the three kinds of cells."),
            ("en", "Is water a liquid at room temperature?"),
            ("zh", "它是植物的一部分。"),
            ("de", "Dies ist ein langer Satz über nichts."),
            ("ja", "衆議院は任期が短く、国民の意思をより強く反映していると考えられるからです。"),
            ("ko", "중의원은 임기가 짧아 국민의 뜻을 더 강하게 반영하기 때문이다."),
            ("th", "สิ่งนี้คือส่วนที่สำคัญที่สุดของพืช"),
            ("th", "กลุ่มแรกคือป่าไม่ผลัดใบซึ่งเขียวตลอดปี"),
            ("th", "เมืองหลวงของประเทศไทยคือกรุงเทพมหานคร"),
            ("th", "พืชที่อยู่ในทะเลทรายคือพืชที่ทนแล้งได้ดี"),
        ] {
            assert_eq!(term(language, sentence), None, "{sentence}");
        }
    }
}
