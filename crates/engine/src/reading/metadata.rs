//! What of a lesson is bookkeeping, not content: the one place that says what no draft shows or asks.
//!
//! Everything else of a lesson is shown. The value has to fit its name: `published` as a flag is
//! bookkeeping, as a year it belongs to a book. Names of one meaning compare as in [`super::names`].

use serde_json::{Map, Value};

use super::codes::{is_code, is_constant, is_machines, is_slug, is_uuid};
use super::is_address;
use super::names::{Role, Roles, fold, humanise, names_a_kind};
use super::quiz::is_apart;

/// Bookkeeping where the value is a number or written like a key: in a glossary they may be the terms.
const KEYS: [&str; 11] =
    ["id", "postname", "uid", "uuid", "guid", "slug", "etag", "checksum", "hash", "locale", "lang"];
/// Bookkeeping where the value is an address or a file name.
const ADDRESSES: [&str; 23] = [
    "url",
    "uri",
    "href",
    "src",
    "link",
    "website",
    "path",
    "file",
    "filename",
    "image",
    "imageurl",
    "img",
    "picture",
    "icon",
    "cover",
    "thumbnail",
    "thumbnailurl",
    "audio",
    "audiourl",
    "video",
    "videourl",
    "media",
    "attachment",
];
/// Bookkeeping where the value is a full date or a number of seconds.
const TIMES: [&str; 14] = [
    "created",
    "createdat",
    "createdon",
    "updated",
    "updatedat",
    "updatedon",
    "modified",
    "modifiedat",
    "lastmodified",
    "deletedat",
    "published",
    "publishedat",
    "timestamp",
    "lastupdated",
];
/// Bookkeeping where the value is a flag.
const FLAGS: [&str; 12] = [
    "published",
    "ispublished",
    "draft",
    "isdraft",
    "active",
    "isactive",
    "archived",
    "isarchived",
    "deleted",
    "isdeleted",
    "isvisible",
    "featured",
];
/// Bookkeeping beside content: of a lesson or a section. In a row of data they may be the data.
const COUNTS: [&str; 15] = [
    "order",
    "sortorder",
    "sequence",
    "index",
    "position",
    "version",
    "revision",
    "duration",
    "durationminutes",
    "durationseconds",
    "estimatedduration",
    "estimatedminutes",
    "readingtime",
    "minutes",
    "xp",
];

/// Remarks of those who work on a text.
const THREADS: [&str; 5] = ["comments", "threads", "commentthreads", "reviewcomments", "suggestions"];
/// How something is shown, where the value is a constant.
const MANNERS: [&str; 8] = ["layout", "style", "template", "variant", "status", "state", "visibility", "direction"];

/// Longest text that is said about a lesson and not in it, in characters.
const LONGEST_BRIEF: usize = 80;

/// Whether a member named `name` is bookkeeping. `beside_content`: it is a field of a lesson, or of an
/// object that holds content of its own, and not a cell of a row. Only scalars are bookkeeping.
///
/// What only teachers may see is bookkeeping wherever it stands.
#[must_use]
pub fn is_metadata(name: &str, value: &Value, beside_content: bool) -> bool {
    let roles = Roles::of(name);
    is_bookkeeping(name, value, beside_content) || beside_content && roles.has(Role::Metadata) && is_brief(value)
}

/// The same of a member of any object. In one within a lesson, an author may be what is taught.
pub(super) fn is_bookkeeping(name: &str, value: &Value, beside_content: bool) -> bool {
    let roles = Roles::of(name);
    if roles.has(Role::Teacher) {
        return true;
    }
    if beside_content && roles.has(Role::Metadata) && !roles.has(Role::Author) && is_brief(value) {
        return true;
    }
    if value.is_string() && keeps_to_itself(name, roles) {
        return true;
    }
    let (original, name) = (name, fold(name));
    let named = |names: &[&str]| names.contains(&name.as_str());
    match value {
        Value::Array(values) => {
            let machines = |value: &Value| value.as_str().is_some_and(is_machines);
            beside_content && names_machine(original) && !values.is_empty() && values.iter().all(machines)
                || named(&THREADS) && is_thread(values)
        }
        // `"slug": {"_type": "slug", "current": "the-cell"}`.
        Value::Object(members) => {
            named(&["slug"]) && !members.values().any(|value| value.is_array() || value.is_object())
        }
        Value::Bool(_) => named(&FLAGS),
        Value::Number(number) => {
            named(&KEYS)
                || beside_content && !names_a_kind(original) && names_machine(original)
                || named(&TIMES) && number.as_f64().is_some_and(|seconds| seconds >= 1e9)
                || named(&COUNTS) && beside_content
        }
        Value::String(text) => {
            let text = text.trim();
            named(&ADDRESSES) && (is_address(text) || text.starts_with('/'))
                || named(&TIMES) && is_full_date(text)
                || beside_content && (names_a_file(original) && is_file_name(text) || is_media_file(text))
                || beside_content && (named(&MANNERS) || names_machine(original)) && is_constant(text)
                || named(&COUNTS) && beside_content && is_count(text)
                || named(&KEYS) && is_key(text, beside_content)
                || is_uuid(text) && !name.is_empty()
                || text.starts_with("H5P.") && !text.contains(". ")
                // The path of a category of questions in an export of Moodle.
                || text.starts_with("$course$/")
                || beside_content && names_machine(original) && is_machines(text)
        }
        _ => false,
    }
}

/// "_editor": not for readers, by a custom of programmers. Exports name content so as well: "_text", "_question".
fn keeps_to_itself(name: &str, roles: Roles) -> bool {
    name.starts_with('_') && name != "_cdata" && roles.has_only(&[Role::Author, Role::Metadata]) && is_apart(name)
}

/// "slideId", "post_type", "menu_order": a machine reads the value. "spectral_type" and "reaction_order" are taught.
fn names_machine(name: &str) -> bool {
    const OWNERS: [&str; 18] = [
        "post",
        "content",
        "question",
        "item",
        "block",
        "menu",
        "sort",
        "lesson",
        "layout",
        "submission",
        "slide",
        "module",
        "page",
        "quiz",
        "form",
        "answer",
        "interaction",
        "media",
    ];
    let words = humanise(name).to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    match words[..] {
        [only] => ["type", "kind", "typ"].contains(&only),
        [.., last] if ["id", "ids", "uuid", "guid", "slug"].contains(&last) => true,
        [owner, .., last] => OWNERS.contains(&owner) && ["type", "types", "kind", "order", "typ"].contains(&last),
        [] => false,
    }
}

/// Whether an object holds nothing that a person would read: codes, counts, flags and addresses.
pub(super) fn is_for_machines(object: &Map<String, Value>) -> bool {
    let strings = || object.values().filter_map(Value::as_str);
    let machines =
        |text: &str| is_code(text) || is_uuid(text) || is_address(text) || is_full_date(text) || is_slug(text);
    strings().count() > 1
        && strings().all(machines)
        && strings().any(|text| is_slug(text) || text.contains('_'))
        && strings().any(|text| is_code(text) || is_uuid(text))
        && object.values().all(|value| !value.is_array() && !value.is_object())
}

/// A word or two, or a list of them: what is said about a lesson.
fn is_brief(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            text.chars().count() <= LONGEST_BRIEF && !text.trim_end().ends_with(['.', '!', '?', '。'])
        }
        Value::Array(values) => values.iter().all(|value| !value.is_array() && !value.is_object() && is_brief(value)),
        Value::Object(members) => {
            members.values().all(|value| !value.is_array() && !value.is_object() && is_brief(value))
        }
        _ => true,
    }
}

/// An object of this name is about the lesson, so that counts in it are bookkeeping.
pub(super) fn is_about(name: &str) -> bool {
    matches!(fold(name).as_str(), "meta" | "metadata" | "properties" | "settings")
}

/// An object of this name holds nothing else.
pub(super) fn is_meta(name: &str) -> bool {
    matches!(fold(name).as_str(), "meta" | "metadata")
}

/// "die-zelle", "a1": one word, and in a row of data one that is no word of a language.
fn is_key(text: &str, beside_content: bool) -> bool {
    let coded = |character: char| character.is_ascii_digit() || matches!(character, '-' | '_');
    !text.contains(char::is_whitespace) && (beside_content || text.contains(coded))
}

/// "1.2", "45 min", "PT45M", "v2": a count, and no text.
fn is_count(text: &str) -> bool {
    text.len() <= 16 && text.contains(|character: char| character.is_ascii_digit()) && text.split(' ').count() <= 2
}

/// "2024-05-01", with or without a time.
fn is_full_date(text: &str) -> bool {
    let date: Vec<&str> = text.get(..10).unwrap_or_default().split('-').collect();
    date.len() == 3 && date.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What reviewers say to one another about a text: `[{"author": "…", "content": "…", "resolved": false}, …]`.
fn is_thread(values: &[Value]) -> bool {
    let says = |value: &Value| {
        value.as_object().is_some_and(|remark| {
            remark.get("author").is_some()
                && ["content", "text", "body", "comment"].iter().any(|name| remark.contains_key(*name))
                && ["resolved", "createdTime", "createdAt", "quotedFileContent", "anchor"]
                    .iter()
                    .any(|name| remark.contains_key(*name))
        })
    };
    !values.is_empty() && values.iter().all(says)
}

/// "fileName", "archivo", "datei_pfad".
fn names_a_file(name: &str) -> bool {
    const FILES: [&str; 12] = [
        "file",
        "archivo",
        "fichier",
        "datei",
        "arquivo",
        "ficheiro",
        "bestand",
        "plik",
        "dosya",
        "файл",
        "ファイル",
        "文件",
    ];
    let folded = fold(name);
    ADDRESSES.contains(&folded.as_str()) || FILES.iter().any(|file| folded.contains(file))
}

/// The endings of documents and archives.
const DOCUMENTS: [&str; 11] =
    [".pdf", ".ppt", ".pptx", ".doc", ".docx", ".xls", ".xlsx", ".odt", ".odp", ".ods", ".zip"];
/// The endings of pictures, sound and film.
const MEDIA: [&str; 10] = [".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp", ".mp3", ".wav", ".mp4", ".webm"];

/// "U2_final(3).pptx": a picture, a recording or a document, without what is in it.
pub(super) fn is_file_name(text: &str) -> bool {
    is_media_file(text) || ends_like(text, &DOCUMENTS)
}

/// The file of a picture, of sound or of a film.
fn is_media_file(text: &str) -> bool {
    ends_like(text, &MEDIA)
}

fn ends_like(text: &str, endings: &[&str]) -> bool {
    let lower = text.to_ascii_lowercase();
    !text.contains(char::is_whitespace)
        && endings.iter().any(|ending| lower.ends_with(ending) && lower.len() > ending.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_programmers_keep_from_readers_and_files_are_bookkeeping() {
        for (name, value) in [
            ("_editor", json!("Left out on purpose.")),
            ("illustration", json!("phonograph_1878.png")),
            ("slug", json!({ "_type": "slug", "current": "the-cell" })),
        ] {
            assert!(is_metadata(name, &value, true), "{name}");
        }
        for (name, value) in [
            ("_question", "Who reads?"),
            ("_text", "A cell is small."),
            ("_cdata", "A cell is small."),
            ("format", "A picture ends in .png."),
            ("file", "a list"),
        ] {
            assert!(!is_metadata(name, &json!(value), true), "{name}");
        }
    }

    #[test]
    fn bookkeeping_is_told_from_content() {
        for (name, value) in [
            ("uuid", json!("8f14e45f-ceea-467f-a0a3-1f2b3c4d5e6f")),
            ("ref", json!("8f14e45f-ceea-467f-a0a3-1f2b3c4d5e6f")),
            ("url", json!("https://example.org/x")),
            ("image_url", json!("pictures/cell.png")),
            ("archivo", json!("U2_01_vFINAL(3).pptx")),
            ("published", json!(true)),
            ("createdAt", json!("2024-05-01T10:00:00Z")),
            ("updated", json!(1_714_550_400)),
            ("duration", json!(45)),
            ("version", json!("1.2")),
            ("id", json!(7)),
        ] {
            assert!(is_metadata(name, &value, true), "{name}: {value}");
        }
        for (name, value) in [
            ("published", json!(1808)),
            ("created", json!("about 1503")),
            ("link", json!("A covalent bond is a link of two atoms.")),
            ("example", json!("https://example.org/x")),
            ("", json!("8f14e45f-ceea-467f-a0a3-1f2b3c4d5e6f")),
            ("order", json!("Carnivora, the order of cats and dogs")),
            ("order", json!("Carnivora")),
            ("id", json!("a card that says who you are")),
            ("moons", json!(2)),
            ("hash", json!(["a"])),
        ] {
            assert!(!is_metadata(name, &value, true), "{name}: {value}");
        }
        assert!(!is_metadata("duration", &json!(7), false) && !is_metadata("hash", &json!("Raute"), false));
    }
}
