//! What the names of members say, in the languages that course authors write them in.
//!
//! A name is only a hint; [`super::shapes`] looks at the values first. Names compare without case,
//! spaces and punctuation: `correctAnswer`, `correct_answer` and "Correct answer" are one.

use std::collections::HashMap;
use std::sync::LazyLock;

use language::Names;
use language::script::is_unspaced;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::recent::Recent;
use crate::phrases::Phrases;

/// What a member may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Term,
    /// `name` or `title`: a term only next to a definition and little else.
    Title,
    Definition,
    Question,
    Options,
    Answer,
    Explanation,
    Speaker,
    Line,
    When,
    What,
    Step,
    Columns,
    Rows,
    /// Says nothing that a heading should repeat.
    Silent,
    Technical,
    Steps,
    Glossary,
    /// Questions that learners are tested with.
    Quiz,
    /// Only teachers may see it.
    Teacher,
    Objectives,
    /// Said about a lesson and not in it.
    Metadata,
    /// Learners are told to do it.
    Task,
    /// Stands beside a question and is no part of it.
    Hint,
    Problem,
    Example,
    Solution,
    Picture,
    Caption,
    Quotation,
    Author,
    Code,
    Output,
    /// Says what a block is, or whom it is for.
    Kind,
    /// The pairs of a matching question.
    Pairs,
    /// A list of answers, of which not all may be right.
    Answers,
    /// The number of something.
    Count,
    /// The name of a key that also names ids.
    Id,
    /// Questions that the source answers itself.
    Faq,
}

/// A role's names in a language.
type NamesOf = fn(&Names) -> &'static str;

/// The roles, with the names that can play them.
const ROLES: [(Role, NamesOf); 39] = [
    (Role::Term, |names| names.term),
    (Role::Title, |names| names.title),
    (Role::Definition, |names| names.definition),
    (Role::Question, |names| names.question),
    (Role::Options, |names| names.options),
    (Role::Answer, |names| names.answer),
    (Role::Explanation, |names| names.explanation),
    (Role::Speaker, |names| names.speaker),
    (Role::Line, |names| names.line),
    (Role::When, |names| names.when),
    (Role::What, |names| names.what),
    (Role::Step, |names| names.step),
    (Role::Columns, |names| names.columns),
    (Role::Rows, |names| names.rows),
    (Role::Silent, |names| names.silent),
    (Role::Technical, |names| names.technical),
    (Role::Steps, |names| names.steps),
    (Role::Glossary, |names| names.glossary),
    (Role::Quiz, |names| names.quiz),
    (Role::Teacher, |names| names.teacher),
    (Role::Objectives, |names| names.objectives),
    (Role::Metadata, |names| names.metadata),
    (Role::Task, |names| names.tasks),
    (Role::Hint, |names| names.hints),
    (Role::Problem, |names| names.problem),
    (Role::Example, |names| names.example),
    (Role::Solution, |names| names.solution),
    (Role::Picture, |names| names.picture),
    (Role::Caption, |names| names.caption),
    (Role::Quotation, |names| names.quotation),
    (Role::Author, |names| names.author),
    (Role::Code, |names| names.code),
    (Role::Output, |names| names.output),
    (Role::Kind, |names| names.kinds),
    (Role::Pairs, |names| names.pairs),
    (Role::Answers, |names| names.answers),
    (Role::Count, |names| names.counts),
    (Role::Id, |names| names.ids),
    (Role::Faq, |names| names.faq),
];

/// Longest name of a note to teachers, in bytes: longer ones are prose.
const LONGEST_NOTE_NAME: usize = 60;

/// The roles of each known name, as it is written, without its accents, and with German umlauts spelled out.
static BY_NAME: LazyLock<HashMap<String, u64>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for (_, teaching) in language::taught() {
        for (role, names) in ROLES {
            for name in names(&teaching.names).split_whitespace() {
                *by_name.entry(name.to_owned()).or_default() |= 1 << role as u64;
                for other in [unaccented(name), transcribed(name)] {
                    if other != name {
                        *by_name.entry(other).or_default() |= 1 << role as u64;
                    }
                }
            }
        }
    }
    by_name
});

thread_local! {
    static RECENT: Recent<Roles> = Recent::new();
}

/// The roles that a name can play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Roles(u64);

impl Roles {
    /// Those of a name.
    pub(crate) fn of(name: &str) -> Self {
        RECENT.with(|recent| {
            recent.of(name, |name| {
                let kept_from_learners = if is_teachers_note(name) { 1 << Role::Teacher as u64 } else { 0 };
                Self(Self::of_word(name).0 | kept_from_learners)
            })
        })
    }

    /// Those of a word, which alone is no note to whoever teaches.
    pub(super) fn of_word(word: &str) -> Self {
        let folded = fold(word);
        let known = BY_NAME.get(folded.as_str()).copied();
        let meant =
            || misspelt(&folded).find_map(|meant| BY_NAME.get(&meant).map(|roles| roles & MISSPELT)).unwrap_or(0);
        Self(known.unwrap_or_else(meant))
    }

    /// Whether no role is among them but these.
    pub(super) fn has_only(self, roles: &[Role]) -> bool {
        self.0 & !roles.iter().fold(0, |all, role| all | 1 << *role as u64) == 0
    }

    /// Whether a role is among them.
    pub(crate) fn has(self, role: Role) -> bool {
        self.0 & (1 << role as u64) != 0
    }
}

/// Shortest name that is taken for a misspelt one, in characters: of shorter ones too many are one slip from another.
const SHORTEST_MISSPELT: usize = 5;
/// The roles that a misspelt name can have. Others would hide what has another name: "notte" is no note.
const MISSPELT: u64 =
    1 << Role::Quiz as u64 | 1 << Role::Question as u64 | 1 << Role::Silent as u64 | 1 << Role::Answer as u64;

/// The names that a misspelt one may stand for: "contnet", "quizz". Other slips are ignored, because they turn one word into another ("notes",
/// "votes").
fn misspelt(folded: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = folded.chars().collect();
    let places = if letters.len() < SHORTEST_MISSPELT { 0 } else { letters.len() - 1 };
    (0..places).map(move |at| {
        let mut meant = letters.clone();
        if meant[at] == meant[at + 1] {
            meant.remove(at);
        } else {
            meant.swap(at, at + 1);
        }
        meant.into_iter().collect()
    })
}

/// "obs_professor", "Hinweis für Fahrlehrer": a note to whoever teaches, in whatever way its name is put together.
fn is_teachers_note(name: &str) -> bool {
    name.len() <= LONGEST_NOTE_NAME && language::teachers::names_a_note(&unaccented(&humanise(name).to_lowercase()))
}

/// Whether a member says what the block beside it is, or whom it is for.
pub(super) fn names_a_kind(name: &str) -> bool {
    Roles::of_word(name).has(Role::Kind)
}

/// How words begin that ask for an order, in all languages.
static ORDERS: LazyLock<Vec<&str>> =
    LazyLock::new(|| language::taught().flat_map(|(_, teaching)| teaching.names.orders.split_whitespace()).collect());

/// Whether a text says that an order is asked for.
pub(super) fn asks_order(text: &str) -> bool {
    let lower = text.to_lowercase();
    let begins = |word: &str| ORDERS.iter().any(|known| word.starts_with(known));
    lower.split(|sign: char| !sign.is_alphabetic()).any(begins)
        || ORDERS.iter().any(|known| known.starts_with(is_unspaced) && lower.contains(known))
}

/// Whether a text says of a block that whoever teaches reads it: "trainer", "Teacher notes".
pub(super) fn names_the_teacher(text: &str) -> bool {
    has_role(text, Role::Teacher) || language::teachers::names_the_teacher(&unaccented(&humanise(text).to_lowercase()))
}

/// Whether a name is one of those that roles have, letter by letter.
pub(super) fn is_known(name: &str) -> bool {
    BY_NAME.contains_key(&fold(name))
}

/// Whether a name can play a role. A name may have several.
pub(crate) fn has_role(name: &str, role: Role) -> bool {
    Roles::of(name).has(role)
}

/// Whether a text that stands before a list announces steps: a word of it is a name of steps, as in "The method:".
pub(crate) fn names_steps(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(|sign: char| !sign.is_alphanumeric()).any(|word| has_role(word, Role::Steps))
        || language::taught().any(|(_, teaching)| {
            let names = teaching.names.steps.split_whitespace();
            names.filter(|name| name.starts_with(is_unspaced)).any(|name| lower.contains(name))
        })
}

/// Whether a heading or a label names a role: "Teacher notes:", "Example 2".
pub(super) fn heads(text: &str, role: Role) -> bool {
    if text.len() > 120 {
        return false;
    }
    let bare = text.trim_matches(|character: char| !character.is_alphabetic());
    // "Risposta esatta", "Right answer".
    let all_answers = || {
        let mut words = bare.split_whitespace();
        role == Role::Answer && (2..=3).contains(&words.clone().count()) && words.all(|word| has_role(word, role))
    };
    !bare.is_empty()
        && (has_role(bare, role) || all_answers() || ends_in_brackets(bare).is_some_and(|bare| has_role(bare, role)))
}

/// "Teacher notes (5 min)" without what stands in brackets.
fn ends_in_brackets(text: &str) -> Option<&str> {
    let (before, _) = text.split_once(['(', '（'])?;
    Some(before.trim_end())
}

/// The name without case and separators. Long names are prose, so only their beginning counts.
pub(super) fn fold(name: &str) -> String {
    // QTI 3 puts its own name in front of all others.
    let name = name.strip_prefix("qti-").unwrap_or(name);
    name.chars()
        .take(40)
        .filter(|character| character.is_alphanumeric() || !character.is_ascii())
        .flat_map(char::to_lowercase)
        .collect()
}

/// A label for readers: the phrase table's word for a usual name, else the name itself, with
/// `camelCase`, `snake_case` and `kebab-case` taken apart.
pub(crate) fn label(name: &str, phrases: &Phrases) -> String {
    let usual = match fold(name).as_str() {
        "steps" | "procedure" | "instructions" => phrases.steps,
        "vocabulary" | "glossary" | "wordlist" | "vocab" => phrases.vocabulary,
        "terms" | "keyterms" | "keyconcepts" => phrases.key_terms,
        "questions" | "quiz" | "exercises" => phrases.questions,
        "dialogue" | "dialog" | "conversation" => phrases.dialogue,
        "timeline" | "events" | "chronology" => phrases.timeline,
        "examples" => phrases.examples,
        "materials" => phrases.materials,
        "answer" | "solution" => phrases.answer,
        "objectives" | "learningobjectives" | "goals" => phrases.objectives,
        _ => "",
    };
    let own = [
        phrases.steps,
        phrases.vocabulary,
        phrases.key_terms,
        phrases.questions,
        phrases.dialogue,
        phrases.timeline,
        phrases.examples,
        phrases.materials,
        phrases.objectives,
    ];
    let plain = unaccented(&fold(name));
    let found = own.into_iter().find(|own| unaccented(&fold(own)) == plain).unwrap_or(usual);
    if found.is_empty() { humanise(name) } else { found.to_owned() }
}

/// Keys are often written without the accents that the word has.
pub(super) fn unaccented(text: &str) -> String {
    let bare = |character: char| match character {
        'ł' => 'l',
        'ı' => 'i',
        'ø' => 'o',
        'đ' => 'd',
        other => other,
    };
    let latin = |character: char| ('\u{c0}'..'\u{250}').contains(&character);
    if !text.contains(latin) {
        return text.to_owned();
    }
    let letters = text.chars().flat_map(|character| {
        // Elsewhere a mark is part of its letter.
        let parts =
            if latin(character) { Some(character.nfd().filter(|part| !is_combining_mark(*part))) } else { None };
        let whole = if parts.is_none() { Some(character) } else { None };
        parts.into_iter().flatten().chain(whole)
    });
    letters.map(bare).collect()
}

/// "loesung" is how a keyboard without umlauts writes "lösung".
fn transcribed(text: &str) -> String {
    text.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss")
}

/// "learningGoals" is "Learning goals", "pH" stays "pH", "HTTPServer" is "HTTP server".
pub(crate) fn humanise(name: &str) -> String {
    let name = super::inline::squeeze(name);
    let identifier = !name.contains(' ') && name.is_ascii() && name.len() <= 60 && name.len() > 2;
    if !identifier {
        // A letter alone is a symbol: "g, m/s²" is not "G, m/s²".
        let symbol =
            name.chars().nth(1).is_some_and(|second| !second.is_alphanumeric() && second != '\'' && second != '’');
        return if symbol { name } else { capitalise(&name) };
    }
    let mut words: Vec<String> = Vec::new();
    let characters: Vec<char> = name.chars().collect();
    for (at, character) in characters.iter().enumerate() {
        let after_lower = at > 0 && characters[at - 1].is_ascii_lowercase();
        let before_lower = at > 0
            && characters[at - 1].is_ascii_uppercase()
            && characters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let starts = character.is_ascii_uppercase() && (after_lower || before_lower);
        match character {
            '_' | '-' | '.' if !words.is_empty() => words.push(String::new()),
            _ if starts || words.is_empty() => words.push(character.to_string()),
            _ => {
                if let Some(word) = words.last_mut() {
                    word.push(*character);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    for word in &mut words {
        let vowels = word.bytes().any(|byte| b"aeiouyAEIOUY".contains(&byte));
        if !vowels && (3..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            word.make_ascii_uppercase();
        }
    }
    for word in words.iter_mut().skip(1) {
        let acronym = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if !acronym {
            *word = word.to_lowercase();
        }
    }
    capitalise(&words.join(" "))
}

/// The first letter upper case, unless the word is written like "pH".
pub(crate) fn capitalise(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_to_teachers_are_told_by_the_parts_of_their_names() {
        for name in [
            "obs_professor",
            "Hinweis für Fahrlehrer",
            "nota_formatore",
            "notasDocente",
            "教师备注",
            "บันทึกครู",
            "coachNotes",
        ] {
            assert!(has_role(name, Role::Teacher), "{name}");
        }
        for name in
            ["staff_notation", "coaching_tips", "teacher", "notes", "training_notes", "profile_note", "annotation"]
        {
            assert!(!has_role(name, Role::Teacher), "{name}");
        }
    }

    #[test]
    fn names_become_labels() {
        for (name, label) in [
            ("learningGoals", "Learning goals"),
            ("atomic_number", "Atomic number"),
            ("pH", "pH"),
            ("HTTPServer", "HTTP server"),
            ("größe", "Größe"),
            ("Already fine", "Already fine"),
            ("g, м/с²", "g, м/с²"),
        ] {
            assert_eq!(humanise(name), label);
        }
    }

    #[test]
    fn every_known_name_is_folded_and_every_role_has_names() {
        for name in BY_NAME.keys() {
            assert_eq!(fold(name), *name);
        }
        let all = BY_NAME.values().fold(0_u64, |all, roles| all | roles);
        assert_eq!(all.count_ones() as usize, ROLES.len());
    }

    #[test]
    fn roles_ignore_case_and_separators() {
        assert!(has_role("Correct_Answer", Role::Answer));
        assert!(has_role("BEDEUTUNG", Role::Definition));
        assert!(!has_role("colour", Role::Term));
    }

    #[test]
    fn a_slip_of_the_keys_is_no_other_name() {
        for (name, role) in
            [("contnet", Role::Silent), ("quizz", Role::Quiz), ("anwser", Role::Answer), ("inahlt", Role::Silent)]
        {
            assert!(has_role(name, role), "{name}");
        }
        for name in ["votes", "contest", "quit", "notte", "fille", "garde", "paris"] {
            assert!(ROLES.iter().all(|(role, _)| !has_role(name, *role)), "{name}");
        }
    }
}
