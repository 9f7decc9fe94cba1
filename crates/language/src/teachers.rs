//! How the names of notes to teachers are put together: somebody who teaches, and something that is said to them.
//!
//! A source may be named in any language, so that all are looked into. The parts are without accents.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::script::is_unspaced;

/// How a language names a note to whoever teaches.
struct Parts {
    /// Whoever teaches, by the beginning of a word or within a compound: alone, such a name says for whom something is.
    teachers: &'static str,
    /// Who may teach, and may also be a person that a lesson is about.
    others: &'static str,
    /// What is said to them, by the beginning of a word.
    notes: &'static str,
}

const PARTS: [Parts; 26] = [
    // ar
    Parts {
        teachers: "معلم|مدرس", others: "زميل|مدرب|أستاذ|استاذ|مشرف|محاضر", notes: "ملاحظ|ارشاد|خاص|الى|إلى"
    },
    // cs
    Parts { teachers: "ucitel|lektor", others: "skolitel|instruktor|trener", notes: "poznamk|pokyn|pro|jen" },
    // da
    Parts {
        teachers: "laerer|lærer|underviser|instruktor",
        others: "traener|vejleder",
        notes: "note|noter|vejledning|bemaerkning|bemærkning|til|kun",
    },
    // de
    Parts {
        teachers: "lehrer|lehrkraft|lehrkraef|lehrperson|dozent|ausbilder|unterrichtend|unterweisend",
        others: "lehrend|kolleg|kollegial|kursleit|referent|seminarleit|anleiter|betreuer",
        notes: "notiz|hinweis|hint|komment|nur|fur|fuer|intern",
    },
    // en
    Parts {
        teachers: "teacher|instructor|trainer|facilitator|lecturer|staffroom|staff room|whoever teaches|who teaches|leader's note|leader note|leaders note|grown up",
        others: "faculty|moderator|mentor|colleague|line manager|teaching assistant|course leader|section leader|group leader",
        notes: "note|notes|hint|hints|tip|tips|guide|comment|comments|only|for|fyi|script|cue|cues|margin|memo|aside|reminder",
    },
    // el
    Parts {
        teachers: "καθηγητ|εκπαιδευτ|δασκαλ|δάσκαλ",
        others: "μεντορ|επιμορφωτ",
        notes: "σημειωσ|σημείωσ|σημειώσ|οδηγι|οδηγί|για",
    },
    // es
    Parts {
        teachers: "profesor|docent|maestro|formador|imparte|facilitador|quien ensena",
        others: "maestra|colega|monitor|instructor|ponente|educador",
        notes: "nota|notas|obs|guia|coment|solo|para|recordatorio|aviso",
    },
    // fi
    Parts { teachers: "opettaj", others: "kouluttaj|ohjaaj", notes: "muistiinpano|ohje|huomautus" },
    // fr
    Parts {
        teachers: "enseignant|professeur|formateur|qui enseigne",
        others: "formatric|collegue|animateur|animatric|moniteur|monitric|instituteur|institutric|intervenant|tuteur|maitre|maitresse",
        notes: "note|notes|comment|guide|pour|memo|rappel|consigne",
    },
    // hi
    Parts {
        teachers: "शिक्षक|अध्यापक|प्रशिक्षक", others: "शिक्षिका|गुरु|मार्गदर्शक", notes: "टिप्पणी|नोट|निर्देश|हेतु|केवल"
    },
    // hu
    Parts { teachers: "tanar", others: "oktato|trener", notes: "megjegyzes|jegyzet|utmutato" },
    // id
    Parts {
        teachers: "pengajar|catatan guru|untuk guru",
        others: "pelatih|instruktur|fasilitator",
        notes: "catatan|untuk",
    },
    // it
    Parts {
        teachers: "insegnante|formator|docent|chi conduce|chi insegna",
        others: "formatric|collegh|istruttor|relator|maestr|educator",
        notes: "nota|note|guida|comment|appunt|solo|per|promemoria",
    },
    // ja
    Parts {
        teachers: "教員|教師|講師|指導",
        others: "同僚|担任|先生|トレーナー|インストラクター",
        notes: "メモ|ノート|注|用|留意|向け",
    },
    // ko
    Parts {
        teachers: "교사|강사|선생|지도상",
        others: "동료|교수자|담임|트레이너|진행자",
        notes: "메모|참고|노트|용|유의",
    },
    // nl
    Parts {
        teachers: "docent|leraar",
        others: "collega|begeleider|leerkracht|trainer|instructeur|lesgever|juf|meester",
        notes: "notitie|opm|opmerk|alleen|voor|brief|memo",
    },
    // pl
    Parts {
        teachers: "nauczyciel|prowadzac|uczac",
        others: "koleg|kolez|trener|instruktor|wykladow|szkoleniow|lektor|wychowawc",
        notes: "notatk|uwag|wskaz|koment|dla|tylko|przypomn",
    },
    // pt
    Parts {
        teachers: "professor|formador|docent|facilitador|quem ensina",
        others: "professora|colega|instrutor|monitor|ministrante|educador",
        notes: "nota|notas|obs|guia|coment|so|apenas|para|anotac|lembrete",
    },
    // ro
    Parts { teachers: "profesor|instructor", others: "formator|trainer", notes: "nota|note|notite|pentru|doar" },
    // ru
    Parts {
        teachers: "учител|преподавател|методическ|metodich|uchitel|prepodavatel",
        others: "кафедр|коллег|тренер|наставник|ведущ|инструктор|педагог",
        notes: "замет|указан|примеч|подсказ|коммент|для|только|памятк|напомин|zamet|primech",
    },
    // sv
    Parts { teachers: "larar", others: "handledar|kursledar|utbildar", notes: "not|anteckning|handledning|bara|for" },
    // th
    Parts {
        teachers: "ครู", others: "อาจารย์|ผู้สอน|วิทยากร", notes: "บันทึก|หมายเหตุ|สำหรับ"
    },
    // tr
    Parts {
        teachers: "ogretmen|egitmen|zumre",
        others: "egitici|hoca|antrenor",
        notes: "not|notu|notlari|ipucu|icin|arkadas|hatirlat",
    },
    // uk
    Parts {
        teachers: "вчител|викладач|методичн|metodychn|vchytel|vykladach",
        others: "кафедр|колег|тренер|наставник|ведуч|інструктор|педагог|kafedr",
        notes: "нотат|приміт|вказів|комент|для|лише|пам’ятк|нагадув|prymit|komentar",
    },
    // vi
    Parts { teachers: "giao vien", others: "giang vien|huan luyen vien", notes: "ghi chu|danh cho" },
    // zh
    Parts {
        teachers: "教师|老师|讲师|教学|授课|带教|备课",
        others: "同事|教员|导师|培训师|班主任|教练",
        notes: "备注|提示|说明|笔记|注|专用|须知|提醒",
    },
];
/// Short names of whoever teaches, which are whole words of a name.
const SHORT: [&str; 7] = ["coach", "tutor", "prof", "profe", "gv", "sensei", "tchr"];
/// Notes that are not for learners, whoever reads them: "nota_interna". Customers may be private, and a combustion internal.
const INWARD: [&str; 15] = [
    "technician",
    "author",
    "self",
    "redazion",
    "internal",
    "intern",
    "interna",
    "private",
    "editorial",
    "editor",
    "reviewer",
    "presenter",
    "внутренн",
    "внутрішн",
    "wewnetrzn",
];
/// Only the whole phrase: "staff notes" may be music.
const STAFF: &str = "staff only";
/// What such a note is called, by the beginning of a word.
const NOTES: [&str; 13] = [
    "note",
    "nota",
    "notiz",
    "comment",
    "coment",
    "memo",
    "remark",
    "only",
    "todo",
    "замет",
    "нотат",
    "notatk",
    "uwag",
];
/// Longest ending of a word that begins like one of these, in letters: "notes", and no "notation".
const ENDING: usize = 2;
/// Longest ending of a person that may be somebody else, in letters.
const LONGEST_ENDING: usize = 3;
/// Most letters that join the parts of a compound.
const JOINING: usize = 3;

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
/// The people whose names are also recognised with a slip of the keys: "techer notes".
const MISSPELT: [&str; 7] = ["teacher", "teachers", "trainer", "instructor", "facilitator", "lecturer", "tutor"];
/// Most words of a name, and most between whoever teaches and what is said to them.
const MOST_WORDS: usize = 6;
const MOST_BETWEEN: usize = 2;

/// Whoever teaches, looked for in one pass because every name of every record is asked. Each pattern has the row of its language, and whether it
/// names a teacher and nobody else.
static PEOPLE: LazyLock<(AhoCorasick, Vec<(usize, bool)>)> = LazyLock::new(|| {
    let both = |parts: &Parts| {
        let teachers = parts.teachers.split('|').map(|one| (one, true));
        teachers.chain(parts.others.split('|').map(|one| (one, false)))
    };
    let people =
        PARTS.iter().enumerate().flat_map(|(row, parts)| both(parts).map(move |(one, sure)| (one, (row, sure))));
    let (people, rows): (Vec<&str>, Vec<(usize, bool)>) = people.unzip();
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
        let (row, certain) = rows[person.pattern().as_usize()];
        let range = person.start()..person.end();
        (certain || is_a_word(words, &range)) && says_to(words, range, PARTS[row].notes)
    });
    let begins = |list: &[&str], most: usize| {
        let begins =
            |word: &str, part: &str| word.strip_prefix(part).is_some_and(|ending| ending.chars().count() <= most);
        words.split(' ').any(|word| list.iter().any(|part| begins(word, part)))
    };
    noted
        || words.contains(STAFF)
        || begins(&NOTES, ENDING) && words.split(' ').any(|word| MISSPELT.iter().any(|person| is_slip(word, person)))
        || begins(&INWARD, LONGEST_ENDING) && begins(&NOTES, ENDING)
        || words.split(' ').any(|word| SHORT.contains(&word.strip_suffix('s').unwrap_or(word)))
            && PARTS.iter().any(|parts| says_anywhere(words, parts.notes))
}

/// Whether a word lacks one of the inner letters of another, or has two neighbours exchanged. Other slips make words: "trailer" of "trainer".
fn is_slip(word: &str, meant: &str) -> bool {
    let without = |at: usize| [&meant[..at], &meant[at + 1..]].concat();
    let exchanged = |at: usize| [&meant[..at], &meant[at + 1..at + 2], &meant[at..=at], &meant[at + 2..]].concat();
    (1..meant.len() - 1).any(|at| word == without(at) || word == exchanged(at))
}

/// Whether a person that may be somebody else begins a word, and it goes on by an ending or by a note: "monitora", and no
/// "monitorizar" or "burgemeester".
fn is_a_word(words: &str, person: &Range<usize>) -> bool {
    let letter = |sign: char| sign.is_alphanumeric() && !is_unspaced(sign);
    let begins = !words[..person.start].ends_with(letter);
    let rest = words[person.end..].chars().take_while(|sign| letter(*sign)).count();
    begins
        && (rest <= LONGEST_ENDING
            || PARTS.iter().any(|parts| parts.notes.split('|').any(|note| in_one_word(&words[person.end..], note))))
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
    let named =
        |parts: &Parts| parts.teachers.split('|').any(|person| begins_a_word(words, person, ENDING).next().is_some());
    words.split(' ').count() <= 2 && (PARTS.iter().any(named) || SHORT.contains(&words))
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
            "dla uczacego",
            "pour l animatrice",
            "nota profe",
            "begeleidersbriefje",
            "solo monitora",
            "line manager only",
            "coach cue",
            "staff only",
            "author remark",
            "note to self",
            "todo internal",
            "comment for tutors",
            "techer notes",
            "tecaher note",
            "teachr notes",
            "tchr notes",
            "technician note",
            "kollegiale hinweise",
            "지도상의 유의점",
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
            "uczniowie notatki",
            "monitor settings",
            "para monitorizar",
            "pour animation",
            "manager tips",
            "brief van de burgemeester",
            "master tips",
            "professional notes",
            "tutorial notes",
            "techer",
            "tutor",
            "teak notes",
            "torch notes",
            "lecture notes",
            "notes de lecture",
            "trainee notes",
            "tumor notes",
            "tudor notes",
            "safety tips for technicians",
            "ta note",
        ];
        for content in contents {
            assert!(!names_a_note(content), "{content}");
        }
    }
}
