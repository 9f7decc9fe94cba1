//! How the names of notes to teachers are put together: somebody who teaches, and something that is said to them.
//!
//! A source may be named in any language, so that all are looked into. The parts are without accents.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::script::is_unspaced;

/// Whoever teaches, by the beginning of a word or within a compound, and what is said to them, by the beginning of a word.
const PARTS: [(&str, &str, &str); 19] = [
    ("ar", "معلم|مدرس", "ملاحظ|ارشاد|خاص"),
    (
        "de",
        "lehrer|lehrkraft|lehrkraef|lehrperson|dozent|ausbilder|kollegium",
        "notiz|hinweis|hint|komment|nur|fur|fuer",
    ),
    (
        "en",
        "teacher|instructor|trainer|facilitator|lecturer|moderator|staffroom|staff room",
        "note|notes|hint|hints|tip|tips|guide|comment|comments|only|for",
    ),
    ("es", "profesor|docent|maestro|formador", "nota|notas|obs|guia|coment|solo|para"),
    ("fr", "enseignant|professeur|formateur", "note|notes|comment|guide|pour"),
    ("hi", "शिक्षक|अध्यापक|प्रशिक्षक", "टिप्पणी|नोट|निर्देश|हेतु|केवल"),
    ("it", "insegnante|formator|docent", "nota|note|guida|comment|appunt|solo|per"),
    ("ja", "教員|教師|講師|指導", "メモ|ノート|注|用"),
    ("ko", "교사|강사|선생", "메모|참고|노트|용"),
    ("nl", "docent|leraar", "notitie|opmerk|alleen|voor"),
    ("pl", "nauczyciel|prowadzac", "notatk|uwag|wskaz|koment|dla|tylko"),
    ("pt", "professor|formador|docent", "nota|notas|obs|guia|coment|so|apenas|para"),
    (
        "ru",
        "учител|преподавател|кафедр|uchitel|prepodavatel",
        "замет|указан|примеч|подсказ|коммент|для|только|zamet|primech",
    ),
    ("sv", "larare", "anteckning|bara|for"),
    ("th", "ครู", "บันทึก|หมายเหตุ|สำหรับ"),
    ("tr", "ogretmen|egitmen", "not|notu|notlari|ipucu|icin"),
    ("uk", "вчител|викладач|кафедр|vchytel|vykladach|kafedr", "нотат|приміт|вказів|комент|для|лише|prymit|komentar"),
    ("vi", "giao vien", "ghi chu|danh cho"),
    ("zh", "教师|老师|讲师|教学|授课", "备注|提示|说明|笔记|注|专用"),
];
/// Short names of whoever teaches, which are whole words of a name.
const SHORT: [&str; 5] = ["coach", "tutor", "prof", "gv", "sensei"];
/// Longest ending of a word that begins like one of these, in letters: "notes", and no "notation".
const ENDING: usize = 2;

/// Whoever teaches, looked for in one pass: every name of every record is asked.
static PEOPLE: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let people = PARTS.iter().flat_map(|(_, people, _)| people.split('|'));
    AhoCorasick::new(people).expect("a few dozen words fit into an automaton")
});

/// Whether the words of a name, in lower case and without accents, name a note to whoever teaches.
#[must_use]
pub fn names_a_note(words: &str) -> bool {
    let teaches = |words: &str| PEOPLE.is_match(words) || words.split(' ').any(|word| SHORT.contains(&word));
    let says =
        |words: &str| PARTS.iter().flat_map(|(_, _, notes)| notes.split('|')).any(|part| begins_a_word(words, part));
    teaches(words) && says(words)
}

/// Whether a word of a text begins like a part and hardly goes on; in scripts without spaces, whether the text holds it.
fn begins_a_word(words: &str, part: &str) -> bool {
    words.match_indices(part).any(|(at, _)| {
        let ending = words[at + part.len()..].chars().take_while(|letter| letter.is_alphanumeric()).count();
        let begins = words[..at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric());
        part.starts_with(is_unspaced) || begins && (ending <= ENDING || part.len() > 4)
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
        ] {
            assert!(names_a_note(note), "{note}");
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
