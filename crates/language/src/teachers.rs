//! How the names of notes to teachers are put together: somebody who teaches, and something that is said to them.
//!
//! A source may be named in any language, so that all are looked into. The parts are without accents.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::script::is_unspaced;

/// Whoever teaches, by the beginning of a word or within a compound, and what is said to them, by the beginning of a word.
const PARTS: [(&str, &str, &str); 26] = [
    ("ar", "معلم|مدرس|زميل", "ملاحظ|ارشاد|خاص|الى|إلى"),
    ("cs", "ucitel|lektor", "poznamk|pokyn|pro|jen"),
    ("da", "laerer|lærer|underviser|instruktor", "note|noter|vejledning|bemaerkning|bemærkning|til|kun"),
    (
        "de",
        "lehrer|lehrkraft|lehrkraef|lehrperson|dozent|ausbilder|kolleg|unterrichtend",
        "notiz|hinweis|hint|komment|nur|fur|fuer",
    ),
    (
        "en",
        "teacher|instructor|trainer|facilitator|lecturer|moderator|staffroom|staff room|mentor|colleague|whoever teaches|who teaches|leader's note|leader note|leaders note|grown up|manager|supervisor",
        "note|notes|hint|hints|tip|tips|guide|comment|comments|only|for|fyi|script|cue|cues|margin|memo|aside|reminder",
    ),
    ("el", "καθηγητ|εκπαιδευτ|δασκαλ|δάσκαλ", "σημειωσ|σημείωσ|σημειώσ|οδηγι|οδηγί|για"),
    (
        "es",
        "profesor|docent|maestro|formador|colega|imparte|facilitador|quien ensena|monitor",
        "nota|notas|obs|guia|coment|solo|para",
    ),
    ("fi", "opettaj", "muistiinpano|ohje|huomautus"),
    (
        "fr",
        "enseignant|professeur|formateur|collegue|animateur|qui enseigne|moniteur",
        "note|notes|comment|guide|pour|memo",
    ),
    ("hi", "शिक्षक|अध्यापक|प्रशिक्षक", "टिप्पणी|नोट|निर्देश|हेतु|केवल"),
    ("hu", "tanar", "megjegyzes|jegyzet|utmutato"),
    ("id", "pengajar|catatan guru|untuk guru", "catatan|untuk"),
    ("it", "insegnante|formator|docent|collegh|chi conduce|chi insegna", "nota|note|guida|comment|appunt|solo|per"),
    ("ja", "教員|教師|講師|指導|同僚", "メモ|ノート|注|用|留意"),
    ("ko", "교사|강사|선생|동료", "메모|참고|노트|용"),
    ("nl", "docent|leraar|collega|begeleider", "notitie|opm|opmerk|alleen|voor|brief"),
    ("pl", "nauczyciel|prowadzac|koleg|kolez", "notatk|uwag|wskaz|koment|dla|tylko"),
    ("pt", "professor|formador|docent|colega|facilitador|quem ensina", "nota|notas|obs|guia|coment|so|apenas|para"),
    ("ro", "profesor|instructor", "nota|note|notite|pentru|doar"),
    (
        "ru",
        "учител|преподавател|кафедр|коллег|методическ|metodich|uchitel|prepodavatel",
        "замет|указан|примеч|подсказ|коммент|для|только|zamet|primech",
    ),
    ("sv", "larar", "not|anteckning|handledning|bara|for"),
    ("th", "ครู", "บันทึก|หมายเหตุ|สำหรับ"),
    ("tr", "ogretmen|egitmen|zumre", "not|notu|notlari|ipucu|icin|arkadas"),
    (
        "uk",
        "вчител|викладач|кафедр|колег|методичн|metodychn|vchytel|vykladach|kafedr",
        "нотат|приміт|вказів|комент|для|лише|prymit|komentar",
    ),
    ("vi", "giao vien", "ghi chu|danh cho"),
    ("zh", "教师|老师|讲师|教学|授课|带教|同事", "备注|提示|说明|笔记|注|专用|须知"),
];
/// Short names of whoever teaches, which are whole words of a name.
const SHORT: [&str; 5] = ["coach", "tutor", "prof", "gv", "sensei"];
/// Longest ending of a word that begins like one of these, in letters: "notes", and no "notation".
const ENDING: usize = 2;
/// Most letters that join the parts of a compound.
const JOINING: usize = 3;

/// Who may also be a person that a lesson is about: alone, such a name says nothing of a note.
const ALSO_TAUGHT: [&str; 20] = [
    "manager",
    "supervisor",
    "monitor",
    "moniteur",
    "begeleider",
    "moderator",
    "mentor",
    "colleague",
    "kolleg",
    "koleg",
    "kolez",
    "coleg",
    "colega",
    "collega",
    "collegh",
    "collegue",
    "коллег",
    "колег",
    "زميل",
    "animateur",
];
/// Words that say whom something is for: they open a name, or end it.
const FOR: [&str; 18] = [
    "for",
    "fur",
    "fuer",
    "para",
    "pour",
    "per",
    "voor",
    "dla",
    "для",
    "icin",
    "til",
    "pro",
    "για",
    "untuk",
    "pentru",
    "हेतु",
    "الى",
    "إلى",
];
/// Most words of a name, and most between whoever teaches and what is said to them.
const MOST_WORDS: usize = 6;
const MOST_BETWEEN: usize = 2;

/// Whoever teaches, looked for in one pass because every name of every record is asked. Each pattern has the row of its language.
static PEOPLE: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let people =
        PARTS.iter().enumerate().flat_map(|(row, (_, people, _))| people.split('|').map(move |one| (one, row)));
    let (people, rows): (Vec<&str>, Vec<usize>) = people.unzip();
    (AhoCorasick::new(people).expect("a few dozen words fit into an automaton"), rows)
});

/// Whether the words of a name, in lower case and without accents, name a note to whoever teaches.
#[must_use]
pub fn names_a_note(words: &str) -> bool {
    if words.split(' ').count() > MOST_WORDS {
        return false;
    }
    let (automaton, rows) = &*PEOPLE;
    let noted = automaton.find_overlapping_iter(words).any(|person| {
        let (_, _, notes) = PARTS[rows[person.pattern().as_usize()]];
        says_to(words, person.start()..person.end(), notes)
    });
    noted
        || words.split(' ').any(|word| SHORT.contains(&word))
            && PARTS.iter().any(|(_, _, notes)| says_anywhere(words, notes))
}

/// Whether one of the parts stands near a person in a name, or in one word with it.
fn says_to(words: &str, person: Range<usize>, notes: &str) -> bool {
    let between = |from: usize, to: usize| words[from..to].split_whitespace().count() <= MOST_BETWEEN;
    notes.split('|').any(|note| {
        if FOR.contains(&note) {
            return words.starts_with(note) && begins_a_word(words, note, 0).next().is_some() || words.ends_with(note);
        }
        let most = if note.chars().count() <= 3 && !note.starts_with(is_unspaced) { 0 } else { ENDING };
        begins_a_word(words, note, most).any(|at| {
            if at < person.start {
                between(at + note.len(), person.start)
            } else {
                at < person.end || between(person.end, at)
            }
        }) || in_one_word(&words[person.end..], note)
    })
}

/// Whether a word of a name is one of the parts.
fn says_anywhere(words: &str, notes: &str) -> bool {
    notes.split('|').any(|note| begins_a_word(words, note, 0).next().is_some())
}

/// "lärarnot", "Lehrernotiz": what is said stands in one word with whoever teaches, with at most a few letters between.
fn in_one_word(behind: &str, note: &str) -> bool {
    let rest: String = behind.chars().take_while(|letter| letter.is_alphanumeric()).collect();
    let mut starts = rest.char_indices().map(|(at, _)| at).take(JOINING + 1);
    note.len() > 2
        && starts.any(|at| rest[at..].strip_prefix(note).is_some_and(|ending| ending.chars().count() <= ENDING))
}

/// Whether a text, in lower case and without accents, says whom something is for, and that this is whoever teaches.
#[must_use]
pub fn names_the_teacher(words: &str) -> bool {
    let bare = |people: &str| {
        let mut alone = people.split('|').filter(|person| !ALSO_TAUGHT.contains(person));
        alone.any(|person| begins_a_word(words, person, ENDING).next().is_some())
    };
    words.split(' ').count() <= 2 && (PARTS.iter().any(|(_, people, _)| bare(people)) || SHORT.contains(&words))
}

/// Where a word of a text begins like a part and goes on by at most so many letters; in scripts without spaces, where the
/// text holds it.
fn begins_a_word<'w>(words: &'w str, part: &'w str, most: usize) -> impl Iterator<Item = usize> + 'w {
    let found = words.match_indices(part).map(|(at, _)| at);
    found.filter(move |at| {
        let ending = words[at + part.len()..].chars().take_while(|letter| letter.is_alphanumeric()).count();
        let begins = words[..*at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric());
        part.starts_with(is_unspaced) || begins && (ending <= most || part.len() > 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_notes_say_who_and_what() {
        for note in [
            "teacher notes",
            "only for teachers",
            "so prof",
            "nur fur lehrer",
            "komentar kafedry",
            "коментар кафедри",
            "指導メモ",
            "प्रशिक्षक हेतु",
            "staff room note",
            "ghi chu giao vien",
            "ghi chu gv",
            "lararnot",
            "laerernote",
            "poznamky pro ucitele",
        ] {
            assert!(names_a_note(note), "{note}");
        }
        for people in ["trainer", "teachers", "lehrkraft", "prof", "教师"] {
            assert!(names_the_teacher(people), "{people}");
        }
        for others in ["training", "learner", "text", "the teacher of all"] {
            assert!(!names_the_teacher(others), "{others}");
        }
        for content in [
            "how to ask your professor for help",
            "ein brief fur die lehrerin",
            "tips for finding a mentor",
            "mentor nurse",
            "professor jenny",
        ] {
            assert!(!names_a_note(content), "{content}");
        }
        for others in ["moderator", "mentor", "kollege"] {
            assert!(!names_the_teacher(others), "{others}");
        }
        let contents = [
            "notes",
            "staff notes",
            "hints",
            "for beginners",
            "profession",
            "指導",
            "solo",
            "用途",
            "room for improvement",
            "mushroom tips",
            "thanh vien ghi chu",
        ];
        for content in contents {
            assert!(!names_a_note(content), "{content}");
        }
    }
}
