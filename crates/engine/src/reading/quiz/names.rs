//! How the formats of quiz systems call their members, beside the names that authors use ([`crate::reading::names`]).
//!
//! All names are folded: without case, spaces and signs, so `@fraction` is `fraction`.

use super::super::names::{Role, Roles, fold};

const QUESTIONS: [&str; 9] =
    ["stem", "query", "questiontext", "questionstem", "questionbody", "qtext", "problemtext", "questiontitle", "ask"];
/// What is asked where no member is called a question, the likeliest first.
const FALLBACKS: [&str; 14] = [
    "statement",
    "claim",
    "assertion",
    "sentence",
    "text",
    "body",
    "content",
    "html",
    "problem",
    "exercise",
    "task",
    "title",
    "label",
    "name",
];
const OPTIONS: [&str; 9] = [
    "answeroptions",
    "answerchoices",
    "possibleanswers",
    "optionlist",
    "choicelist",
    "responses",
    "candidates",
    "answeroption",
    "possibleresponses",
];
const DISTRACTORS: [&str; 11] = [
    "incorrectanswers",
    "incorrectanswer",
    "wronganswers",
    "wronganswer",
    "distractors",
    "incorrect",
    "wrong",
    "falseanswers",
    "incorrectoptions",
    "wrongoptions",
    "incorrectchoices",
];
const KEYS: [&str; 12] = [
    "rightanswer",
    "rightanswers",
    "key",
    "keys",
    "answerkey",
    "istrue",
    "answerid",
    "answerids",
    "solutionindex",
    "answeridx",
    "answerindices",
    "solutions",
];
const ACCEPTED: [&str; 8] = [
    "acceptedanswers",
    "acceptableanswers",
    "alternateanswers",
    "alternativeanswers",
    "variants",
    "synonyms",
    "accepted",
    "alsoaccept",
];
const PAIRS: [&str; 8] =
    ["pairs", "matches", "matching", "matchingpairs", "matchpairs", "subquestion", "subquestions", "associations"];
const TOLERANCES: [&str; 5] = ["tolerance", "margin", "marginoferror", "acceptederror", "maxerror"];
const CONTEXTS: [&str; 7] = ["context", "passage", "stimulus", "scenario", "situation", "background", "preamble"];
const WRAPPERS: [&str; 12] = [
    "params",
    "data",
    "structure",
    "questionitem",
    "choicequestion",
    "textquestion",
    "grading",
    "attributes",
    "fields",
    "interaction",
    "question",
    "payload",
];
const TYPES: [&str; 6] = ["type", "questiontype", "kind", "qtype", "itemtype", "interactiontype"];
/// Of whether an option is right, or how much it is worth.
const FLAGS: [&str; 13] = [
    "correct",
    "iscorrect",
    "right",
    "isright",
    "istrue",
    "isanswer",
    "correctanswer",
    "valid",
    "fraction",
    "weight",
    "answerweight",
    "score",
    "points",
];
/// Of an option's text, the likeliest first.
const TEXTS: [&str; 17] = [
    "text",
    "answertext",
    "optiontext",
    "choicetext",
    "label",
    "content",
    "choice",
    "option",
    "html",
    "body",
    "title",
    "value",
    "answer",
    "response",
    "name",
    "plaintext",
    "t",
];
const IDS: [&str; 9] = ["id", "key", "letter", "identifier", "ident", "optionid", "value", "code", "label"];
/// Of the text in an object that only wraps it.
const INNER: [&str; 12] = [
    "text",
    "value",
    "html",
    "content",
    "label",
    "plaintext",
    "t",
    "cdata",
    "cdatasection",
    "insert",
    "answer",
    "answers",
];
const LEFT: [&str; 14] = [
    "left",
    "prompt",
    "term",
    "question",
    "questiontext",
    "text",
    "premise",
    "stem",
    "item",
    "word",
    "source",
    "front",
    "key",
    "statement",
];
const RIGHT: [&str; 12] = [
    "right",
    "match",
    "answer",
    "definition",
    "response",
    "target",
    "value",
    "translation",
    "back",
    "meaning",
    "description",
    "answertext",
];

/// What a member of a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Question,
    Options,
    Distractors,
    Key,
    Accepted,
    Pairs,
    Tolerance,
    Context,
    Explanation,
    Type,
    Code,
    Output,
    Picture,
    Other,
}

/// What a member of a question is by its name.
pub(super) fn part(name: &str) -> Part {
    let (folded, roles) = (fold(name), Roles::of(name));
    let is = |names: &[&str]| names.contains(&folded.as_str());
    if is(&TYPES) {
        Part::Type
    } else if is(&QUESTIONS) {
        Part::Question
    } else if is(&PAIRS) {
        Part::Pairs
    } else if is(&DISTRACTORS) {
        Part::Distractors
    } else if is(&ACCEPTED) {
        Part::Accepted
    } else if is(&OPTIONS) || roles.has(Role::Options) {
        Part::Options
    } else if is(&TOLERANCES) {
        Part::Tolerance
    } else if is(&CONTEXTS) {
        Part::Context
    } else if roles.has(Role::Answer) || is(&KEYS) || folded.starts_with("correct") && folded != "correctfeedback" {
        Part::Key
    } else if roles.has(Role::Question) {
        Part::Question
    } else if roles.has(Role::Explanation) {
        Part::Explanation
    } else if roles.has(Role::Code) && folded != "source" {
        Part::Code
    } else if roles.has(Role::Output) {
        Part::Output
    } else if roles.has(Role::Picture) {
        Part::Picture
    } else {
        Part::Other
    }
}

/// Whether a member only wraps others.
pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&fold(name).as_str())
}

/// Whether a name says that a number counts from 0.
pub(super) fn is_index(name: &str) -> bool {
    let folded = fold(name);
    folded.contains("index") || folded.contains("indic") || folded.ends_with("idx")
}

/// How likely a member is what is asked; the least is the likeliest.
pub(super) fn fallback(name: &str) -> Option<usize> {
    let roles = Roles::of(name);
    place(&FALLBACKS, name).or_else(|| (roles.has(Role::Problem) || roles.has(Role::Line)).then_some(FALLBACKS.len()))
}

/// Whether a member says whether an option is right.
pub(super) fn is_flag(name: &str) -> bool {
    FLAGS.contains(&fold(name).as_str())
}

/// How likely a member is an option's text.
pub(super) fn option_text(name: &str) -> Option<usize> {
    place(&TEXTS, name)
}

/// Whether a member names an option.
pub(super) fn is_id(name: &str) -> bool {
    IDS.contains(&fold(name).as_str())
}

/// How likely a member is the text that an object wraps.
pub(super) fn inner_text(name: &str) -> Option<usize> {
    place(&INNER, name)
}

/// How likely a member is the left side of a pair, or the right one.
pub(super) fn side(name: &str, right: bool) -> Option<usize> {
    place(if right { &RIGHT[..] } else { &LEFT[..] }, name)
}

fn place(names: &[&str], name: &str) -> Option<usize> {
    let folded = fold(name);
    names.iter().position(|known| *known == folded)
}
