//! The final value of an answer that says more: boxed, behind "the answer is", in the last formula, or the only number.
//!
//! What comes out is plain notation, the most decisive place first. Sentences are read from the last to the first, each
//! once. A clause that negates says nothing; several values without a final one come out as a list, which equals none.

use language::script::is_unspaced;
use unicode_normalization::char::is_combining_mark;

use super::latex;
use super::number_words;
use super::units;
use super::vocabulary::Words;

const MOST_CANDIDATES: usize = 24;
const MOST_WHOLE_BYTES: usize = 4_000;
const MOST_SENTENCE_BYTES: usize = 600;
/// So many sentences from the end are looked at.
const MOST_SENTENCES: usize = 12;

/// What may be the value of a text in plain characters, the most decisive first.
pub(super) fn candidates(text: &str, words: &Words) -> Vec<String> {
    if let Some(boxed) = boxed(text, words) {
        return vec![boxed];
    }
    let mut found = Vec::new();
    let denies = text.len() <= MOST_WHOLE_BYTES
        && affirmed(text, words).len() < text.trim().len()
        && !words.is_no_solution(text.trim());
    if !denies && (text.len() <= MOST_WHOLE_BYTES || !text.contains(' ')) {
        found.push(latex::to_plain(&without_delimiters(text)));
    }
    let sentences = sentences(text);
    let marked = sentences.iter().rev().filter(|sentence| has_marker(sentence)).take(MOST_SENTENCES);
    for sentence in marked.chain(sentences.iter().rev().take(MOST_SENTENCES)) {
        if found.len() > MOST_CANDIDATES {
            break;
        }
        from_sentence(sentence, words, &mut found);
    }
    found
}

/// What a reference says: its box, itself, or its last formula. A number among words, as in "Apollo 11", is none.
pub(super) fn of_reference(text: &str, words: &Words) -> Vec<String> {
    if let Some(boxed) = boxed(text, words) {
        return vec![boxed];
    }
    let mut found = vec![latex::to_plain(&without_delimiters(text))];
    let mut formulas = sentences(text).into_iter().filter_map(|sentence| sentence.formulas.into_iter().next_back());
    found.extend(formulas.next_back().map(|formula| latex::to_plain(&formula)));
    found
}

/// What is in the last boxes; boxes with nothing between them but punctuation or "and" belong together.
fn boxed(text: &str, words: &Words) -> Option<String> {
    let mut boxes: Vec<(usize, usize, &str)> = Vec::new();
    for command in latex::BOXES {
        for (start, _) in text.match_indices(command) {
            let open = start + command.len();
            let Some(inner) = text[open..].trim_start().strip_prefix('{') else { continue };
            let from = text.len() - inner.len();
            if boxes.last().is_some_and(|(_, end, _)| start < *end) {
                continue;
            }
            let length = closing_brace(inner);
            boxes.push((start, (from + length + 1).min(text.len()), &inner[..length]));
        }
    }
    boxes.sort_unstable_by_key(|(start, ..)| *start);
    let (mut first, end, last) = boxes.pop()?;
    let mut contents = vec![last];
    while let Some((start, before_end, content)) = boxes.pop() {
        if before_end > first
            || !joins(&text[before_end..first], words)
            || content == contents[0] && contents.len() == 1
        {
            break;
        }
        contents.push(content);
        first = start;
    }
    contents.reverse();
    let mut plain =
        contents.iter().map(|content| latex::to_plain(&without_dollars(content))).collect::<Vec<_>>().join(" , ");
    let after = latex::to_plain(&without_dollars(text[end..].get(..text[end..].len().min(80)).unwrap_or_default()));
    let unit = after.trim_start_matches([' ', '\\', ')', ']']).split([' ', '.', ',', '\n']).next().unwrap_or_default();
    if contents.len() == 1 && units::parse(unit).is_some() && plain.trim().ends_with(|one: char| one.is_ascii_digit()) {
        plain = format!("{} {unit}", plain.trim());
    }
    Some(plain)
}

/// How far a group goes whose bracket is open.
fn closing_brace(inner: &str) -> usize {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, character) in inner.char_indices() {
        match character {
            '{' if !escaped => depth += 1,
            '}' if !escaped && depth == 0 => return at,
            '}' if !escaped => depth -= 1,
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    inner.len()
}

fn joins(between: &str, words: &Words) -> bool {
    if between.len() > 200 {
        return false;
    }
    let plain = latex::to_plain(&without_dollars(between));
    let mut parts = plain.split(|one: char| !one.is_alphabetic()).filter(|word| !word.is_empty());
    parts.next_back().is_none_or(|last| words.is_conjunction(last) || words.is_alternative(last))
}

fn without_dollars(text: &str) -> String {
    text.replace("\\$", "＄").replace("$$", " ").replace('$', " ")
}

/// Without the signs around formulas. A single dollar sign is money.
fn without_delimiters(text: &str) -> String {
    let text = text.replace("\\$", "＄");
    let count = text.matches('$').count();
    let text = if count == 1 { text.replace('$', "＄") } else { text.replace("$$", " ").replace('$', " ") };
    ["\\(", "\\)", "\\[", "\\]"].iter().fold(text, |text, mark| {
        // \left[ and the like end in a bracket of their own; `\\[` is an escaped one.
        if text.contains(mark) { text.replace(mark, " ") } else { text }
    })
}

/// A sentence with its formulas.
#[derive(Default)]
struct Sentence {
    /// Everything, formulas without their delimiters.
    text: String,
    formulas: Vec<String>,
}

/// The sentences of a text. A full stop in a formula ends none.
fn sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = vec![Sentence::default()];
    let mut rest = text;
    let has_formulas = text.matches('$').count() >= 2;
    while let Some(character) = rest.chars().next() {
        if let Some((inner, length)) = formula(rest, has_formulas) {
            if let Some(sentence) = sentences.last_mut() {
                sentence.formulas.push(inner.to_owned());
                sentence.text.push(' ');
                sentence.text.push_str(inner);
                sentence.text.push(' ');
            }
            rest = &rest[length..];
            continue;
        }
        let after = &rest[character.len_utf8()..];
        let ends = match character {
            '\n' => true,
            '.' | '!' | '?' => after.starts_with(char::is_whitespace) || after.starts_with("<|") || after.is_empty(),
            _ => false,
        };
        if let Some(sentence) = sentences.last_mut() {
            sentence.text.push(if character == '$' { '＄' } else { character });
        }
        if ends {
            sentences.push(Sentence::default());
        }
        rest = after;
    }
    sentences.retain(|sentence| sentence.text.chars().any(char::is_alphanumeric));
    sentences
}

/// The formula that a text begins with, and how long it is with its delimiters.
fn formula(text: &str, has_formulas: bool) -> Option<(&str, usize)> {
    if !text.starts_with(['$', '\\']) {
        return None;
    }
    let pairs = [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("\\\\(", "\\\\)"), ("\\\\[", "\\\\]")];
    let (open, close) = pairs.into_iter().find(|(open, _)| text.starts_with(open))?;
    if open == "$" && !has_formulas {
        return None;
    }
    let inner = &text[open.len()..];
    // Formulas are short; a delimiter that is never closed must not be looked for again and again.
    let near = inner.char_indices().nth(1_500).map_or(inner, |(end, _)| &inner[..end]);
    let end = near.find(close).filter(|end| *end > 0)?;
    Some((&inner[..end], open.len() + end + close.len()))
}

fn has_marker(sentence: &Sentence) -> bool {
    const MARKERS: [&str; 22] = [
        "answer is",
        "answer:",
        "answers are",
        "result is",
        "result:",
        "solution is",
        "solution:",
        "final answer",
        "antwort ist",
        "antwort:",
        "ergebnis ist",
        "lösung ist",
        "réponse est",
        "réponse :",
        "respuesta es",
        "respuesta:",
        "resposta é",
        "risposta è",
        "ответ:",
        "答案是",
        "答え",
        "отже",
    ];
    let lower = sentence.text.to_lowercase();
    MARKERS.iter().any(|marker| lower.contains(marker))
}

fn from_sentence(sentence: &Sentence, words: &Words, found: &mut Vec<String>) {
    let clauses = affirmed(&sentence.text, words);
    let is_negated = clauses.len() < sentence.text.trim().len();
    if clauses.trim().is_empty() {
        return;
    }
    let plain = latex::to_plain(&clauses);
    if plain.len() <= MOST_SENTENCE_BYTES {
        found.extend(bare(&plain, words).filter(|bare| bare.len() < plain.len()).map(str::to_owned));
    }
    if let Some(after) = after_copula(&plain, words) {
        found.push(after.to_owned());
    }
    if plain.len() <= MOST_SENTENCE_BYTES {
        found.push(plain.clone());
    }
    if let (Some(last), false) = (sentence.formulas.last(), is_negated) {
        found.push(latex::to_plain(last));
    }
    let has_digits = plain.contains(|one: char| one.is_ascii_digit());
    if has_digits || plain.len() > MOST_SENTENCE_BYTES {
        found.extend(only_number(&plain, words));
    } else {
        found.extend(only_number(&number_words::digits_within(&plain, words), words));
    }
}

/// The clauses of a sentence that don't negate.
fn affirmed(sentence: &str, words: &Words) -> String {
    let is_negation = |word: &str| {
        let lower = word.to_lowercase().replace('\'', "");
        words.denies(lower.trim_matches(|one: char| !one.is_alphanumeric()))
    };
    if !sentence.split_whitespace().any(is_negation) {
        return sentence.to_owned();
    }
    let mut clauses: Vec<Vec<&str>> = vec![Vec::new()];
    for word in sentence.split_whitespace() {
        if words.is_correction(&word.to_lowercase()) {
            clauses.push(Vec::new());
            continue;
        }
        if let Some(clause) = clauses.last_mut() {
            clause.push(word);
        }
        if word.ends_with([',', ';', ':', '.']) {
            clauses.push(Vec::new());
        }
    }
    let kept: Vec<String> = clauses
        .iter()
        .filter(|clause| !clause.iter().any(|word| is_negation(word)))
        .map(|clause| clause.join(" "))
        .collect();
    kept.join(" ").trim_end_matches(',').to_owned()
}

/// The sentence without the words at both ends that only hold it together. A single letter may be a name.
fn bare<'s>(sentence: &'s str, words: &Words) -> Option<&'s str> {
    let mut rest = super::values::tidy(sentence);
    let holds = |word: &str| {
        let lower = word.to_lowercase().replace('\'', "");
        let is_letter = lower.len() < 2;
        word.chars().all(|one| one.is_alphabetic() || one == '\'' || is_combining_mark(one))
            && !is_letter
            && (words.is_function_word(&lower) || words.is_copula(&lower))
    };
    let unspaced = |one: char| is_unspaced(one) && words.is_function_word(one.encode_utf8(&mut [0; 4]));
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches(unspaced).trim_end_matches(unspaced);
        rest = super::values::tidy(rest);
        if let Some((_, behind)) = rest.split_once(' ').filter(|(first, _)| holds(first)) {
            rest = behind;
        }
        if let Some((ahead, _)) = rest.rsplit_once(' ').filter(|(_, last)| holds(last)) {
            rest = ahead;
        }
        if rest.len() == before {
            return (!rest.is_empty()).then_some(rest);
        }
    }
}

/// What stands behind the last "is", "equals" or colon.
fn after_copula<'s>(sentence: &'s str, words: &Words) -> Option<&'s str> {
    let mut after = None;
    let mut at = 0;
    for word in sentence.split_inclusive(char::is_whitespace) {
        at += word.len();
        let bare = word.trim();
        let lower = bare.trim_end_matches(':').to_lowercase();
        let is_colon = bare.ends_with(':') && bare.len() > 2 && bare[..bare.len() - 1].chars().all(char::is_alphabetic);
        if words.is_copula(&lower) && bare.len() > 1 || is_colon || lower == "by" {
            after = Some(at);
        }
    }
    after.map(|at| &sentence[at..]).filter(|rest| !rest.trim().is_empty())
}

/// The numbers among words: the only one, or all of them as a list.
fn only_number(sentence: &str, words: &Words) -> Option<String> {
    let mut chunks: Vec<String> = Vec::new();
    let mut chunk: Vec<&str> = Vec::new();
    let mut has_alternatives = false;
    let is_formula = |word: &str, follows: bool| {
        let letters = word.trim_matches(|one: char| !one.is_alphanumeric() && one != '°' && one != '%');
        let long = letters.chars().filter(|one| one.is_alphabetic()).count() > 1;
        let has_sign = word.chars().any(|one| one.is_ascii_digit() || "=+-*/^<>≤≥√π∞()[]{}%＄€£".contains(one));
        !letters.contains(char::is_alphabetic)
            || has_sign && word.contains(|one: char| one.is_ascii_digit() || one == 'π' || one == '√')
            || !long
            || follows && units::is_name(letters)
    };
    for word in sentence.split_whitespace().chain(["…"]) {
        if word != "…" && is_formula(word, !chunk.is_empty()) {
            chunk.push(word);
            continue;
        }
        has_alternatives |= words.is_alternative(&word.to_lowercase());
        let text = std::mem::take(&mut chunk).join(" ");
        let tidy = super::values::tidy(&text).trim_end_matches(" a").trim_start_matches("a ");
        if tidy.contains(|one: char| one.is_ascii_digit() || one == 'π' || one == '√' || one == '∞') {
            chunks.push(tidy.to_owned());
        }
    }
    let last = chunks.last()?.clone();
    let all_same = chunks.iter().all(|chunk| *chunk == last);
    if all_same || last.contains('=') && !has_alternatives { Some(last) } else { Some(chunks.join(" ; ")) }
}
