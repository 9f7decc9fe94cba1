//! What of a lesson is bookkeeping, not content: the one place that says what no draft shows or asks.
//!
//! Everything else of a lesson is shown. The value has to fit its name: `published` as a flag is
//! bookkeeping, as a year it belongs to a book. Names of one meaning compare as in [`super::names`].

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::is_address;
use super::names::{Role, Roles, fold, humanise, names_a_kind};
use super::quiz::is_apart;
use crate::source::SourceLevel;

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
/// Longest id that is written like a code, in bytes.
const LONGEST_CODE: usize = 40;
/// Most that the number of a lesson may be above that of the lesson before it.
const MOST_SKIPPED: u32 = 3;
/// Signs between the parts of a code.
const JOINERS: [char; 2] = ['_', '-'];
/// Longest part of a code that consists of letters, in characters.
const LONGEST_PART: usize = 5;

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

/// "6kQzT1vXw", "online_upload", "sfwd-lessons": a code, or words that a machine joins.
pub(super) fn is_machines(text: &str) -> bool {
    let digit = text.contains(|sign: char| sign.is_ascii_digit());
    let joined = text.contains(['_', '-', ':']);
    text.is_ascii()
        && !text.contains(char::is_whitespace)
        && (digit || joined || text.chars().any(char::is_uppercase) && text.chars().skip(1).any(char::is_uppercase))
}

/// "AX-02", "usr_0447", "GEO-4.1": a code with letters, digits and what joins them. It may also be what is taught: "COVID-19".
pub(super) fn is_code(text: &str) -> bool {
    let has = |fits: fn(char) -> bool| text.contains(fits);
    is_written_like_a_code(text) && has(|sign| sign.is_ascii_digit()) && has(|sign| sign.is_ascii_alphabetic())
}

fn is_written_like_a_code(text: &str) -> bool {
    text.len() <= LONGEST_CODE
        && text.chars().all(|sign| sign.is_ascii_alphanumeric() || JOINERS.contains(&sign) || sign == '.')
        && text.contains(JOINERS)
        && text.ends_with(|sign: char| sign.is_ascii_alphanumeric())
}

/// "AX-TEST" beside "AX-02": the same letters in front of the first joiner, and none that are small.
fn continues(code: &str, text: &str) -> bool {
    fn series(text: &str) -> Option<&str> {
        text.split(JOINERS).next()
    }
    is_written_like_a_code(text) && !text.contains(char::is_lowercase) && series(code) == series(text)
}

/// "ZHSJ-4X-jq0513", "AX-BNK-02": a code of several parts, one of which mixes letters and digits or begins with a nought.
/// "SARS-CoV-2" and "Vitamin-B12-Mangel" are names.
pub(super) fn is_serial(text: &str) -> bool {
    let parts: Vec<&str> = text.split(JOINERS).filter(|part| !part.is_empty()).collect();
    let has = |part: &&str, fits: fn(char) -> bool| part.contains(fits);
    let numbered = |part: &&str| {
        has(part, char::is_numeric) && (has(part, char::is_alphabetic) || part.len() > 1 && part.starts_with('0'))
    };
    let is_word = |part: &&str| part.chars().count() > LONGEST_PART && part.chars().all(char::is_alphabetic);
    text.len() <= LONGEST_CODE
        && text.chars().all(|sign| sign.is_alphanumeric() || JOINERS.contains(&sign))
        && parts.len() > 2
        && parts.iter().any(numbered)
        && !parts.iter().any(is_word)
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

/// "the-cell", "unit_3": words in lower case, joined by hyphens or underscores.
pub(super) fn is_slug(text: &str) -> bool {
    text.contains(['-', '_'])
        && text.bytes().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || b"-_".contains(&sign))
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

/// The names of fields that hold another code in each lesson that has them: the lessons' ids. One lesson alone may be about
/// "COVID-19".
pub(super) fn codes(source: &SourceLevel) -> HashSet<&str> {
    let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
    for field in source.lessons.iter().flat_map(|lesson| &lesson.fields) {
        // Only a text is a code.
        values.entry(&field.name).or_default().push(field.value.as_str().unwrap_or_default());
    }
    values.into_iter().filter_map(|(name, values)| (are_ids(&values) || count_up(&values)).then_some(name)).collect()
}

fn are_ids(values: &[&str]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let first = sorted.iter().find(|text| is_code(text));
    let is_id = |text: &&str| is_code(text) || first.is_some_and(|code| continues(code, text));
    let is_series = sorted.iter().filter(|text| is_code(text)).nth(1).is_some();
    is_series && sorted.iter().all(is_id) && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// "BB/V/1", "BB/V/2", "BB/V/4": one text with a number or a letter that counts the lessons. Numbers without a letter may be years, and two
/// names without a joiner may be names: "NO2", "NO3".
fn count_up(values: &[&str]) -> bool {
    let is_code = |text: &&str| text.len() <= LONGEST_CODE && !text.contains(char::is_whitespace);
    let parts: Vec<Vec<&str>> = values.iter().filter(|text| is_code(text)).map(|text| parts_of(text)).collect();
    let [first, second, ..] = &parts[..] else { return false };
    let Some(at) = first.iter().zip(second).position(|(one, other)| one != other) else { return false };
    let is_alike = |parts: &Vec<&str>| {
        parts.len() == first.len() && (0..parts.len()).all(|place| place == at || parts[place] == first[place])
    };
    let is_lettered = (0..first.len()).any(|place| place != at && first[place].contains(char::is_alphabetic));
    let is_joined = parts.len() > 2 || first.iter().any(|part| ["/", "-", "_", "."].contains(part));
    let counter = |parts: &Vec<&str>| {
        let mut signs = parts[at].chars();
        let letter = signs.next().filter(|sign| sign.is_alphabetic() && signs.next().is_none());
        letter.map(u32::from).or_else(|| parts[at].parse().ok())
    };
    let follows = |pair: &[u32]| pair[1].checked_sub(pair[0]).is_some_and(|step| (1..=MOST_SKIPPED).contains(&step));
    parts.len() == values.len()
        && is_lettered
        && is_joined
        && parts.iter().all(is_alike)
        && parts.iter().map(counter).collect::<Option<Vec<u32>>>().is_some_and(|all| all.windows(2).all(follows))
}

/// A text by its runs of digits, its runs of letters, and the signs between them.
fn parts_of(text: &str) -> Vec<&str> {
    let sort = |sign: char| (sign.is_ascii_digit(), sign.is_alphabetic());
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let alone = sort(first) == (false, false);
        let end = rest.char_indices().skip(1).find(|(_, sign)| alone || sort(*sign) != sort(first));
        let (part, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        parts.push(part);
        rest = behind;
    }
    parts
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

/// "TITLE_AND_BODY": the constant of a program.
fn is_constant(text: &str) -> bool {
    text.contains('_')
        && text.bytes().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == b'_')
        && text.bytes().any(|sign| sign.is_ascii_uppercase())
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

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_that_counts_the_lessons_is_an_id() {
        for ids in [
            &["BB/V/1", "BB/V/2", "BB/V/3"][..],
            &["CF001", "CF002", "CF004"],
            &["A1.7a", "A1.7b"],
            &["SST-MET-A", "SST-MET-B", "SST-MET-C"],
            &["ว22102-ผ.5/1", "ว22102-ผ.5/2"],
            &["FH-2.1/a", "FH-2.1/b"],
        ] {
            assert!(count_up(ids), "{ids:?}");
        }
        for content in [
            &["1914", "1916"][..],
            &["H2O", "CO2"],
            &["Week 9", "Week 10"],
            &["Hepatitis A", "Hepatitis B", "Hepatitis C"],
            &["NO2", "NO3"],
            &["BB/V/2", "BB/V/1"],
            &["A/4294967295", "A/5"],
            &["one", "two"],
            &["BB/V/1", "BB/V/1"],
            &["BB/V/1"],
            &["Act 1: the storm", "Act 2: the island"],
        ] {
            assert!(!count_up(content), "{content:?}");
        }
    }

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
