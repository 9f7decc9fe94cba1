//! Thai definitions: "พลังงาน หมายถึง ความสามารถในการทำงาน".
//!
//! Thai has no capitals, articles or spaces between words, so a term is told by what it must not hold: a word of a clause, or one that
//! counts or points.

use language::lists::holds;
use language::profile::Profile;
use language::segments;

use super::{Defined, rest};

/// Characters of a term.
const TERM: std::ops::RangeInclusive<usize> = 2..=36;
/// Most stretches of a term between spaces, as in "แรง G".
const MOST_STRETCHES: usize = 2;
/// "คือ" is the copula of "the capital is Bangkok" too. It defines where one of these says what sort of thing is meant.
const SORT: [&str; 2] = ["ที่", "ซึ่ง"];
const KINDS: [&str; 2] = ["การ", "ความ"];
const IS: &str = "คือ";
/// Words that no term holds.
const OF_CLAUSES: &str = "ที่ ซึ่ง อัน และ หรือ แต่ จะ ไม่ ไม่ใช่ ไม่มี เพราะ เพื่อ เมื่อ ถ้า หาก จึง ก็ เป็น คือ มี ได้ ว่า ให้ นี้ นั้น เหล่า แรก อื่น อีก \
    แต่ละ ทุก หลาย บาง ทั้ง ใด อะไร ใคร ไหน เช่น ถูก กว่า เขา เธอ เรา เอง";
/// Words that a term doesn't begin with: they count, sort or point, or say what is said of something.
const OF_OTHERS: &str = "กลุ่ม ประเภท ชนิด ข้อ ตัวอย่าง ผล ผลลัพธ์ สาเหตุ เหตุผล เหตุ หน้าที่ ชื่อ คำ ขั้น สิ่ง นี่ นั่น มัน หนึ่ง สอง สาม ใน จาก โดย ด้วย กับ ต่อ \
    ส่วน วิธี ปัญหา จุด ประการ ลักษณะ แบบ ชั้น ดัง นอกจาก คน ของ";

/// Whether a text, without the words around it, can be a term.
pub(crate) fn may_name(text: &str) -> bool {
    let words = segments::words(text);
    TERM.contains(&text.chars().count())
        && text.split_whitespace().count() <= MOST_STRETCHES
        && text.chars().any(char::is_alphabetic)
        && text.chars().all(|sign| sign.is_alphanumeric() || language::script::is_thai(sign) || " -()".contains(sign))
        && words.first().is_some_and(|(_, first)| !holds(OF_OTHERS, first))
        && !words.iter().any(|(_, word)| holds(OF_CLAUSES, word))
}

/// Finds what a sentence defines.
pub(super) fn define(sentence: &str, profile: &Profile) -> Option<Defined> {
    let marks = || profile.means.iter().filter_map(|phrase| phrase.first().copied());
    let (at, mark) = marks().filter_map(|mark| Some((sentence.find(mark)?, mark))).min()?;
    let lead = sentence[..at].trim_end();
    let term = lead.trim_matches(['“', '”', '"', '\'', '‘', '’', ' ']);
    let start = lead.find(term)?;
    let copula = at..at + mark.len();
    let predicate = rest(sentence, copula.end);
    let meaning = &sentence[predicate.clone()];
    // Two definitions may share a sentence, whose end no mark tells.
    let several = marks().any(|mark| meaning.contains(mark));
    let says_what_sort = mark != IS
        || SORT.iter().any(|word| meaning.contains(word))
        || KINDS.iter().any(|kind| meaning.starts_with(kind));
    (may_name(term) && !several && says_what_sort).then(|| Defined {
        lead_end: lead.len(),
        term: start..start + term.len(),
        copula,
        predicate,
    })
}
