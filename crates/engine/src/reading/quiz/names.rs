//! How the formats of quiz systems call their members, beside the names that authors use ([`crate::reading::names`]).
//!
//! All names are folded: without case, spaces and signs, so `@fraction` is `fraction`.

use std::sync::LazyLock;

use super::super::names::{Role, Roles, fold, humanise, names_a_kind, unaccented};
use super::super::recent::Recent;
use language::script::is_unspaced;

const QUESTIONS: [&str; 15] = [
    // Languages that no lesson is taught in yet: Vietnamese, Swedish, Danish, Czech, Greek, Indonesian.
    "câuhỏi",
    "fråga",
    "spørgsmål",
    "otázka",
    "ερώτηση",
    "pertanyaan",
    "stem",
    "query",
    "questiontext",
    "questionstem",
    "questionbody",
    "qtext",
    "problemtext",
    "questiontitle",
    "ask",
];
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
const OPTIONS: [&str; 18] = [
    "simplechoice",
    "lựachọn",
    "alternativ",
    "svarmuligheder",
    "možnosti",
    "επιλογές",
    "pilihan",
    "answeroptions",
    "answerchoices",
    "possibleanswers",
    "optionlist",
    "choicelist",
    "responses",
    "candidates",
    "answeroption",
    "possibleresponses",
    "answerdata",
    "opts",
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
const KEYS: [&str; 27] = [
    "đápán",
    "svar",
    "rättsvar",
    "odpověď",
    "απάντηση",
    "jawaban",
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
    "sampleanswer",
    "sampleresponse",
    "modelanswer",
    "expectedanswer",
    "correctsequence",
    "ans",
    "val",
    "vf",
    "tf",
];
const ACCEPTED: [&str; 10] = [
    "accept",
    "acceptable",
    "acceptedanswers",
    "acceptableanswers",
    "alternateanswers",
    "alternativeanswers",
    "variants",
    "synonyms",
    "accepted",
    "alsoaccept",
];
/// Moodle calls the left side of a pair a question as well.
const PAIRS: [&str; 2] = ["subquestion", "subquestions"];
const TOLERANCES: [&str; 21] = [
    "tolerance",
    "margin",
    "marginoferror",
    "acceptederror",
    "maxerror",
    "tolerances",
    "toleranz",
    "tolérance",
    "tolerancia",
    "tolerância",
    "tolleranza",
    "tolerantie",
    "tolerancja",
    "tolerans",
    "допуск",
    "погрешность",
    "許容誤差",
    "误差",
    "容差",
    "오차",
    "허용오차",
];
const CONTEXTS: [&str; 7] = ["context", "passage", "stimulus", "scenario", "situation", "background", "preamble"];
const WRAPPERS: [&str; 13] = [
    "responsedeclaration",
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
/// How formats call kinds of questions.
const KINDS: [&str; 27] = [
    "multichoice",
    "multiplechoice",
    "singlechoice",
    "multiselect",
    "multipleresponse",
    "pickone",
    "truefalse",
    "shortanswer",
    "numerical",
    "numeric",
    "matching",
    "match",
    "cloze",
    "gapfill",
    "gapfilling",
    "fillin",
    "fillintheblank",
    "fillintheblanks",
    "gapselect",
    "ordering",
    "reorder",
    "wordscramble",
    "dragdrop",
    "draganddrop",
    "ddwtos",
    "hotspot",
    "knowledgecheck",
];
const TYPES: [&str; 5] = ["questiontype", "qtype", "itemtype", "interactiontype", "answertype"];
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
/// Words of names that speak of answers and hold none that is right: "max_answers", "student_answer".
const BESIDE_KEYS: [&str; 20] = [
    "max",
    "min",
    "limit",
    "count",
    "points",
    "frequency",
    "student",
    "user",
    "learner",
    "previous",
    "default",
    "common",
    "typical",
    "length",
    "format",
    "type",
    "time",
    "given",
    "your",
    "error",
];
/// Of a key, beside what begins with "correct": what has such a name is right.
const KEYED: [&str; 4] = ["key", "keys", "answerkey", "solutions"];
/// Longest name that is looked at, in characters.
const LONGEST_NAME: usize = 60;
/// Of an option's text, the likeliest first.
const TEXTS: [&str; 18] = [
    "exact",
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

thread_local! {
    static RECENT: Recent<Part> = Recent::new();
}

/// What a member of a question is by its name.
pub(super) fn part(name: &str) -> Part {
    RECENT.with(|recent| recent.of(name, part_of))
}

fn part_of(name: &str) -> Part {
    // "richtig (ab 0)", "answer_index_1": what says how a number counts is no part of the name.
    let bare = name.split(['(', '（']).next().unwrap_or(name).trim();
    let bare = bare.strip_suffix("_0").or_else(|| bare.strip_suffix("_1")).unwrap_or(bare);
    let name = if bare.is_empty() { name } else { bare };
    let (folded, roles) = (fold(name), Roles::of(name));
    let is = |names: &[&str]| names.contains(&folded.as_str());
    if is(&TYPES) || names_a_kind(name) {
        Part::Type
    } else if is(&QUESTIONS) {
        Part::Question
    } else if is(&PAIRS) || roles.has(Role::Pairs) {
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
    } else if roles.has(Role::Answer)
        || is(&KEYS)
        || folded.starts_with("correct") && !is_remark(&folded)
        || is_counted_key(name)
    {
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

/// What a member is by the words of its name, where the whole name says nothing: "lado_respuesta". An id
/// is none of a question's parts.
pub(super) fn part_by_words(name: &str) -> Part {
    // "正答例" is an example of "正答".
    if name.starts_with(is_unspaced) {
        let begins = |wanted: Role| {
            let shorter = name.char_indices().skip(2).map(|(at, _)| name.split_at(at));
            shorter
                .into_iter()
                .any(|(word, rest)| Roles::of_word(word).has(wanted) && !Roles::of_word(rest).has(Role::Count))
        };
        return match () {
            () if begins(Role::Explanation) => Part::Explanation,
            () if begins(Role::Answer) => Part::Key,
            () if begins(Role::Question) => Part::Question,
            () => Part::Other,
        };
    }
    let words = words(name);
    let roles: Vec<Roles> = words.iter().map(|word| Roles::of_word(word)).collect();
    let has = |role: Role| roles.iter().any(|roles| roles.has(role));
    let is = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if words.len() < 2
        || is(&DISTRACTORS)
        || is(&BESIDE_KEYS)
        || is_remark(&fold(name))
        || is(&["id", "ids", "guid", "uuid", "code", "cod", "kod", "num", "no", "nr", "ref"])
    {
        return Part::Other;
    }
    let others = [Role::Hint, Role::Teacher, Role::Technical, Role::Metadata, Role::Count, Role::Kind, Role::When];
    if others.into_iter().any(has) {
        Part::Other
    } else if has(Role::Explanation) {
        Part::Explanation
    } else if has(Role::Options) {
        Part::Options
    } else if has(Role::Answer) {
        Part::Key
    } else if has(Role::Question) || is(&QUESTIONS) {
        Part::Question
    } else {
        Part::Other
    }
}

/// Whether the name of a key says that what it holds is right.
pub(super) fn is_keyed(name: &str) -> bool {
    let folded = fold(name);
    folded.starts_with("correct") || folded.starts_with("right") || KEYED.contains(&folded.as_str())
}

/// The words of a name: "lado_respuesta", "ladoRespuesta". A letter or a number is none.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    for sign in name.chars().take(LONGEST_NAME) {
        let starts = sign.is_uppercase() && before.is_some_and(char::is_lowercase);
        if starts || !sign.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| sign.is_alphanumeric()) {
            word.extend(sign.to_lowercase());
        }
        before = Some(sign);
    }
    words.retain(|word| word.len() > 1);
    words
}

/// What is said to a learner about an answer: "correctMsg", "correct_comments_html".
fn is_remark(folded: &str) -> bool {
    ["msg", "message", "feedback", "comment", "text", "explanation"].iter().any(|word| folded.contains(word))
}

/// "indice_correto", "sahi_vikalp_kramank": the place of a key.
fn is_counted_key(name: &str) -> bool {
    if !name.contains(['_', '-', ' ']) && !name.chars().skip(1).any(char::is_uppercase) {
        return false;
    }
    let words = humanise(name).to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let counts = |word: &&str| is_index(word) || Roles::of(word).has(Role::Count);
    let says = |word: &&str| Roles::of(word).has(Role::Answer);
    let chosen = |word: &&str| Roles::of(word).has(Role::Options);
    words.iter().any(counts)
        && words.iter().any(says)
        && words.iter().all(|word| counts(word) || says(word) || chosen(word))
}

/// Whether a text names a kind of question: "gapfill", QTI's "choiceInteraction".
pub(in crate::reading) fn names_question_kind(text: &str) -> bool {
    let folded = fold(text);
    KINDS.contains(&folded.as_str()) || folded.ends_with("interaction")
}

/// Whether a member only wraps others.
pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&fold(name).as_str())
}

/// Whether a name says that a number counts from 0: an index does, unless its name holds a 1.
pub(super) fn is_index(name: &str) -> bool {
    let folded = fold(name);
    let index =
        ["index", "indic", "indeks", "индекс", "індекс", "索引", "인덱스"].iter().any(|word| folded.contains(word))
            || folded.ends_with("idx");
    digits(&folded) == "0" || index && digits(&folded) != "1"
}

fn digits(folded: &str) -> String {
    folded.chars().filter(char::is_ascii_digit).collect()
}

/// Whether a name says that a number counts from 1. "Number" and its like don't: exports count them from 0 as well.
pub(super) fn is_ordinal(name: &str) -> bool {
    digits(&fold(name)) == "1"
}

/// How likely a member is what is asked; the least is the likeliest.
pub(super) fn fallback(name: &str) -> Option<usize> {
    let roles = Roles::of(name);
    let asks = roles.has(Role::Problem) || roles.has(Role::Line);
    place(&FALLBACKS, name)
        .or_else(|| asks.then_some(FALLBACKS.len()))
        .or_else(|| roles.has(Role::Task).then_some(FALLBACKS.len() + 1))
}

/// Whether a name is that of one option, which a list of them may have as well.
pub(super) fn is_option(name: &str) -> bool {
    ["option", "choice"].contains(&fold(name).as_str())
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
    let folded = fold(name);
    IDS.contains(&folded.as_str()) || name.is_ascii() && (folded.ends_with("id") || folded.ends_with("guid"))
}

/// How likely a member is the text that an object wraps.
pub(super) fn inner_text(name: &str) -> Option<usize> {
    place(&INNER, name)
}

/// How likely a member is the left side of a pair, or the right one.
pub(super) fn side(name: &str, right: bool) -> Option<usize> {
    let names = if right { &RIGHT[..] } else { &LEFT[..] };
    place(names, name).or_else(|| is_side(name, right).then_some(0))
}

/// Whether a name says which side of a pair it is: "answer_match_left", "lewa".
pub(super) fn is_side(name: &str, right: bool) -> bool {
    static SIDES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let all = language::taught().flat_map(|(_, teaching)| teaching.names.sides.split_whitespace());
        let sides = all.filter_map(|sides| sides.split_once('='));
        sides.map(|(left, right)| (unaccented(left), unaccented(right))).collect()
    });
    let words = words(name);
    let Some(last) = words.last().map(|word| unaccented(word)) else { return false };
    SIDES.iter().any(|(of_left, of_right)| last == *if right { of_right } else { of_left })
}

fn place(names: &[&str], name: &str) -> Option<usize> {
    let folded = fold(name);
    names.iter().position(|known| *known == folded)
}
