//! How the names of notes to teachers are put together: somebody who teaches, and something that is said to them.
//!
//! A source may be named in any language, so that all are looked into. The parts are without accents.

use crate::script::is_unspaced;

/// Whoever teaches, by the beginning of a word or within a compound, and what is said to them, by the beginning of a word.
const PARTS: [(&str, &str, &str); 19] = [
    ("ar", "معلم مدرس", "ملاحظ ارشاد"),
    ("de", "lehrer lehrkraft lehrkraef lehrperson dozent ausbilder", "notiz hinweis hint komment"),
    (
        "en",
        "teacher instructor trainer facilitator lecturer moderator",
        "note notes hint hints tip tips guide comment comments",
    ),
    ("es", "profesor docent maestro formador", "nota notas obs guia coment"),
    ("fr", "enseignant professeur formateur", "note notes comment guide"),
    ("hi", "शिक्षक अध्यापक", "टिप्पणी नोट निर्देश"),
    ("it", "insegnante formator docent", "nota note guida comment appunt"),
    ("ja", "教員 教師 講師", "メモ ノート 注"),
    ("ko", "교사 강사 선생", "메모 참고 노트"),
    ("nl", "docent leraar", "notitie opmerk"),
    ("pl", "nauczyciel prowadzac", "notatk uwag wskaz"),
    ("pt", "professor formador docent", "nota notas obs guia coment"),
    ("ru", "учител преподавател", "замет указан примеч подсказ"),
    ("sv", "larare", "anteckning"),
    ("th", "ครู", "บันทึก หมายเหตุ"),
    ("tr", "ogretmen egitmen", "not notu notlari ipucu"),
    ("uk", "вчител викладач", "нотат приміт вказів"),
    ("vi", "giao vien", "ghi chu"),
    ("zh", "教师 老师 讲师 教学 授课", "备注 提示 说明 笔记 注"),
];
/// Short names of whoever teaches, which are whole words of a name.
const SHORT: [&str; 5] = ["coach", "tutor", "prof", "gv", "sensei"];
/// Longest ending of a word that begins like one of these, in letters: "notes", and no "notation".
const ENDING: usize = 2;

/// Whether the words of a name, in lower case and without accents, name a note to whoever teaches.
#[must_use]
pub fn names_a_note(words: &str) -> bool {
    let teaches = |words: &str| {
        PARTS.iter().flat_map(|(_, people, _)| people.split(' ')).any(|part| words.contains(part))
            || words.split(' ').any(|word| SHORT.contains(&word))
    };
    let says =
        |words: &str| PARTS.iter().flat_map(|(_, _, notes)| notes.split(' ')).any(|part| begins_a_word(words, part));
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
