//! Rules for one question: its options, its key and what the explanation says about them.

use std::collections::HashSet;

use language::normal::{mentions, normal};

use crate::drafts::{QuizItem, QuizItemKind};

use super::Report;

/// Most options of a question.
const MAX_OPTIONS: usize = 12;

/// A question as the rules see it.
pub(super) struct Asked<'a> {
    pub(super) kind: QuizItemKind,
    pub(super) question: &'a str,
    pub(super) options: &'a [String],
    pub(super) keys: &'a [String],
    pub(super) explanation: &'a str,
}

impl<'a> Asked<'a> {
    pub(super) fn of(item: &'a QuizItem) -> Self {
        Self {
            kind: item.kind,
            question: &item.question,
            options: &item.options,
            keys: &item.correct_answers,
            explanation: &item.explanation,
        }
    }
}

pub(super) fn check(report: &mut Report, part: &str, asked: &Asked<'_>) {
    super::text(report, part, asked.question);
    report.require(!asked.keys.is_empty(), part, "key_missing", "a question needs a key");
    for key in asked.keys {
        super::text(report, part, key);
    }
    match asked.kind {
        QuizItemKind::Select | QuizItemKind::TrueFalse => options(report, part, asked),
        QuizItemKind::Blank | QuizItemKind::OpenEnded | QuizItemKind::Submission => {
            report.require(asked.options.is_empty(), part, "options_unused", "this type of question has no options");
        }
    }
    if asked.kind == QuizItemKind::Blank {
        let question = normal(asked.question);
        let given = asked.keys.iter().any(|key| mentions(&question, &normal(key)));
        report.require(!given, part, "answer_given_away", "the question holds its own answer");
    }
}

fn options(report: &mut Report, part: &str, asked: &Asked<'_>) {
    let count = asked.options.len();
    let fits = if asked.kind == QuizItemKind::TrueFalse { count == 2 } else { (2..=MAX_OPTIONS).contains(&count) };
    report.require(fits, part, "options_count", "a choice has 2 to 12 options, true or false exactly 2");
    let mut seen = HashSet::new();
    for option in asked.options {
        super::text(report, part, option);
        if !seen.insert(normal(option)) {
            report.add(part, "options_alike", "two options read the same");
        }
    }
    for key in asked.keys {
        report.require(
            asked.options.contains(key),
            part,
            "key_not_an_option",
            "a key is not one of the options, letter for letter",
        );
    }
    let keys: HashSet<&String> = asked.keys.iter().collect();
    report.require(keys.len() == asked.keys.len(), part, "key_repeated", "a key is there twice");
    report.require(keys.len() < count || count == 0, part, "key_is_everything", "all options are right");
    if asked.kind == QuizItemKind::TrueFalse {
        report.require(asked.keys.len() == 1, part, "key_count", "true or false has one key");
    }
    if calls_key_wrong(asked) {
        report.add(part, "explanation_contradicts_key", "the explanation calls the key wrong");
    }
    if contradicts(asked) {
        report.add(part, "explanation_contradicts_key", "the explanation calls another option right");
    }
}

/// Whether the explanation's own words (quotations aside) name an option right that is no key.
fn contradicts(asked: &Asked<'_>) -> bool {
    let said = normal(&without_quotations(asked.explanation));
    let options: Vec<(String, bool)> =
        asked.options.iter().map(|option| (normal(option), asked.keys.contains(option))).collect();
    let before =
        language::cues(|cues| cues.right_before).flat_map(|phrase| said.match_indices(phrase)).any(|(at, phrase)| {
            let claim = said[at + phrase.len()..].split(['.', ';', '。']).next().unwrap_or_default();
            let lettered = lettered(claim.trim_start_matches([':', ' ']), asked);
            lettered || named_first(claim, &options).is_some_and(|right| !right)
        });
    let after = language::cues(|cues| cues.right_after).any(|phrase| {
        options
            .iter()
            .any(|(option, right)| !right && !option.is_empty() && said.contains(&format!("{option} {phrase}")))
    });
    before || after
}

/// Whether the explanation's own words call a key wrong. A wrong option that begins alike may be called so.
fn calls_key_wrong(asked: &Asked<'_>) -> bool {
    let said = normal(&without_quotations(asked.explanation));
    language::cues(|cues| cues.wrong_after).any(|phrase| {
        let ends_with = |option: &str| mentions(&said, &format!("{} {phrase}", normal(option)));
        asked.keys.iter().any(|key| {
            ends_with(key)
                && !asked.options.iter().any(|option| {
                    !asked.keys.contains(option) && normal(option).ends_with(&normal(key)) && ends_with(option)
                })
        })
    })
}

/// Whether the option that a claim names first is a key.
fn named_first(claim: &str, options: &[(String, bool)]) -> Option<bool> {
    let named = options
        .iter()
        .filter(|(option, _)| mentions(claim, option))
        .filter_map(|(option, right)| Some((claim.find(option.as_str())?, usize::MAX - option.len(), *right)));
    named.min().map(|(_, _, right)| right)
}

/// "option B" or "b)": a letter that stands for an option which is no key.
fn lettered(claim: &str, asked: &Asked<'_>) -> bool {
    let claim = claim.strip_prefix("option ").unwrap_or(claim);
    let mut characters = claim.chars();
    let (Some(letter @ 'a'..='l'), next) = (characters.next(), characters.next()) else { return false };
    let alone = matches!(next, None | Some(')' | ',' | ':'))
        || next == Some(' ') && asked.options.iter().all(|option| !normal(option).starts_with(letter));
    let option = asked.options.get(letter as usize - 'a' as usize);
    let an_option_itself = asked.options.iter().any(|option| option.chars().count() == 1);
    alone && !an_option_itself && option.is_some_and(|option| !asked.keys.contains(option))
}

fn without_quotations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut closing = None;
    for character in text.chars() {
        match closing {
            Some(close) if character == close => closing = None,
            Some(_) => {}
            None => match character {
                '“' => closing = Some('”'),
                '„' => closing = Some('“'),
                '«' => closing = Some('»'),
                '「' => closing = Some('」'),
                _ => kept.push(character),
            },
        }
    }
    if closing.is_some() { text.to_owned() } else { kept }
}
