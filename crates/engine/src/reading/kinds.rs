//! What a block is for, or whom: the member that says so is no content.

use serde_json::{Map, Value};

use super::codes::{is_code, is_slug};
use super::names::{Role, fold, has_role, heads, names_a_kind, names_the_teacher};
use super::quiz;
use super::shapes::Member;

/// How systems call the blocks of a page.
const BLOCKS: [&str; 35] = [
    "para",
    "paragraph",
    "heading",
    "header",
    "title",
    "subtitle",
    "text",
    "richtext",
    "html",
    "markdown",
    "list",
    "bullets",
    "bulletedlist",
    "numberedlist",
    "image",
    "picture",
    "figure",
    "video",
    "audio",
    "table",
    "grid",
    "quote",
    "callout",
    "note",
    "code",
    "divider",
    "statement",
    "accordion",
    "tabs",
    "section",
    "slide",
    "card",
    "flashcards",
    "embed",
    "toggle",
];
/// Longest name of a kind of block, in bytes.
pub(super) const MAX_KIND: usize = 40;

/// "kind": "paragraph": what a block is for a page, and not what it is about: "simile".
pub(super) fn is_kind(member: &Member<'_>) -> bool {
    let names_block = |kind: &str| {
        let folded = fold(kind);
        let joined = kind.contains('_') || kind.chars().skip(1).any(char::is_uppercase);
        BLOCKS.contains(&folded.as_str()) || joined || has_role(kind, Role::Quiz) || quiz::names_question_kind(kind)
    };
    let kind = member.value.as_str().filter(|kind| kind.len() <= MAX_KIND && !kind.contains(char::is_whitespace));
    names_a_kind(member.name) && kind.is_some_and(names_block)
}

/// "kind": "quickfire". Of a block that holds a quiz, no kind is content.
pub(super) fn is_word_for_kind(member: &Member<'_>) -> bool {
    names_a_kind(member.name) && member.value.as_str().is_some_and(|kind| !kind.contains(char::is_whitespace))
}

/// A code by which a machine keeps a quiz. Under the name of a title or a term it is what something is called: "U-235".
pub(super) fn is_kept_by(member: &Member<'_>) -> bool {
    member.value.as_str().is_some_and(|text| is_code(text) || is_slug(text)) && !is_called(member)
}

/// Whether a member says how something is called.
pub(super) fn is_called(member: &Member<'_>) -> bool {
    has_role(member.name, Role::Title) || has_role(member.name, Role::Term)
}

/// `{"type": "text", "hidden": true, …}`: learners don't see it where it comes from. A hidden layer may be taught.
fn is_hidden(members: &Map<String, Value>) -> bool {
    let is_block = || members.keys().any(|name| names_a_kind(name) || has_role(name, Role::Silent));
    members.iter().any(|(name, value)| match fold(name).as_str() {
        "hidden" | "ishidden" => *value == Value::Bool(true) && is_block(),
        "teacheronly" | "staffonly" | "instructoronly" => *value == Value::Bool(true),
        "visibletostudents" | "visibletolearners" => *value == Value::Bool(false),
        _ => false,
    })
}

/// `{"type": "trainer", "text": "…"}`, `{"title": "Teacher notes", "text": "…"}`: a block for whoever teaches.
pub(super) fn is_for_teachers(members: &Map<String, Value>) -> bool {
    let addressed = |(name, value): (&String, &Value)| match value {
        Value::String(text) if text.len() > MAX_KIND => false,
        Value::String(text) if names_a_kind(name) => names_the_teacher(text),
        Value::String(text) => has_role(name, Role::Title) && heads(text, Role::Teacher),
        // Notion writes a title as a list of runs.
        Value::Array(runs) if name == "rich_text" => {
            let run = |run: &Value| run.get("plain_text").and_then(Value::as_str).map(str::to_owned);
            heads(&runs.iter().filter_map(run).collect::<String>(), Role::Teacher)
        }
        _ => false,
    };
    members.len() > 1 && (members.iter().any(addressed) || is_hidden(members))
}
