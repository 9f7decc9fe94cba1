//! The sentences of Thai text, which parts clauses, items of lists, numbers and sentences alike by spaces.
//!
//! A space ends a sentence only where both sides are long enough to be one and nothing on either side goes on. Where that can't be told,
//! the text stays one sentence: a long sentence is asked about less, but a part of one would be asked about wrongly.

use crate::lists::holds;
use crate::script::is_thai;
use crate::segments;

/// Shortest sentence, and shortest clause that begins one, in characters.
const SHORTEST_SENTENCE: usize = 24;
const SHORTEST_CLAUSE: usize = 16;

/// Words that go on with the sentence before a space.
const GO_ON: &str = "และ หรือ ซึ่ง ที่ โดย แต่ ได้แก่ เช่น คือ เพื่อ เพราะ เนื่องจาก จึง ทำให้ รวม ตลอด หมาย เป็น มี ก็ จะ ด้วย ของ ใน จาก กับ \
    เรียก อัน ยกเว้น ไม่ ไม่มี ไม่ใช่ จน จนถึง ได้ ถึง ต่อ ตาม ให้ ว่า กล่าว ๆ ไป มา แล้ว อีก ทั้ง ผ่าน นอกจาก สามารถ ต้อง ควร อาจ มัก ถูก";
/// Words that a sentence doesn't end with.
const OPEN: &str = "ได้แก่ เช่น คือ ว่า ถึง และ หรือ ที่ ซึ่ง ของ โดย เป็น มี ใน กับ จาก เพื่อ ดัง นี้ ๆ พ ศ ค";
/// Words that begin a clause which another one follows.
const LEAD: &str = "เมื่อ ถ้า หาก แม้ ขณะ เนื่องจาก หลัง ก่อน ตั้งแต่ ใน ณ จาก ตาม สำหรับ นอกจาก ถึง ดัง เพราะ ด้วย ส่วน โดย";
/// Those of them that are no prepositions, and words that join a clause to another one.
const OPEN_CLAUSE: &str = "เมื่อ ถ้า หาก แม้ ขณะ";
const JOIN: &str = "แต่ และ เพราะ โดย ซึ่ง";
/// Words that open a list, whose items are parted by spaces, and words that close one.
const LISTS: &str = "ได้แก่ เช่น";
const LAST_ITEM: &str = "และ หรือ เป็นต้น ซึ่ง";
/// Words that state something, and those of them that are found wherever they stand: a foreign word beside one spoils its segmentation.
const STATE: &str = "เป็น คือ มี ไม่มี ได้ จะ ใช้ ทำ เกิด อยู่ ให้ ประกอบ ช่วย สร้าง เรียก พบ ถูก ต้อง ต้องการ สามารถ ไม่ ไม่ใช่ หมาย ทำให้ เพิ่ม ลด \
    เปลี่ยน แบ่ง เริ่ม ปล่อย ดูด รับ ส่ง กิน อาศัย เคลื่อน หมุน โคจร เดิน ตั้ง นำ ควบคุม ผลิต ขยาย หด เจริญ เติบโต";
const STATE_ANYWHERE: [&str; 3] = ["เป็น", "คือ", "หมายถึง"];

/// The sentences of a stretch that no mark ends, in order.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut in_list = false;
    let mut last_item = false;
    let chunks: Vec<(usize, &str)> = chunks(text).collect();
    for (at, (from, chunk)) in chunks.iter().enumerate() {
        let words: Vec<&str> = segments::words(chunk).into_iter().map(|(_, word)| word).collect();
        if at > 0 && !in_list && ends(text[start..*from].trim_end(), chunk, &words) {
            sentences.push(text[start..*from].trim_end());
            (start, in_list, last_item) = (*from, false, false);
        }
        // The item behind "and" is the last one.
        last_item |= in_list && words.first().is_some_and(|word| holds(LAST_ITEM, word));
        in_list = (in_list || words.iter().any(|word| holds(LISTS, word))) && !last_item;
    }
    sentences.push(text[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The stretches between spaces, with their places.
fn chunks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |chunk| (chunk.as_ptr() as usize - text.as_ptr() as usize, chunk))
}

/// Whether a sentence ends in front of a clause.
fn ends(before: &str, clause: &str, words: &[&str]) -> bool {
    let is_long = before.chars().count() >= SHORTEST_SENTENCE && clause.chars().count() >= SHORTEST_CLAUSE;
    if !is_long || !before.ends_with(is_thai) || !clause.starts_with(is_thai) {
        return false;
    }
    let last_clause = before.split_whitespace().next_back().unwrap_or_default();
    let last_words: Vec<&str> = segments::words(last_clause).into_iter().map(|(_, word)| word).collect();
    let last = last_words.last().copied().unwrap_or_default();
    let begins_with = |words: &[&str], list: &str| words.first().is_some_and(|word| holds(list, word));
    // "But when the cities grew …" goes on; behind another clause, "when the cities grew" may be all. Spaces stand around a number, too.
    let is_alone = before.split_whitespace().skip(1).all(|clause| clause.chars().count() < SHORTEST_CLAUSE);
    let begins = || {
        let first = before.split_whitespace().next().unwrap_or_default();
        segments::words(first).first().is_some_and(|(_, word)| holds(LEAD, word))
    };
    let leads = is_alone && begins() || begins_with(&last_words, JOIN) && begins_with(&last_words[1..], OPEN_CLAUSE);
    let goes_on = words.first().is_none_or(|first| holds(GO_ON, first));
    !leads && !goes_on && !holds(OPEN, last) && states(before) && states(clause)
}

/// Whether a Thai text holds a word that states something, and ends with Thai.
pub(super) fn states(text: &str) -> bool {
    let ends =
        text.trim_end_matches(['"', '”', ')', '’', '%']).ends_with(|last: char| is_thai(last) || last.is_numeric());
    ends && text.contains(is_thai)
        && (STATE_ANYWHERE.iter().any(|word| text.contains(word))
            || segments::words(text).into_iter().any(|(_, word)| holds(STATE, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_ends_a_sentence_only_where_nothing_goes_on() {
        for whole in [
            "พลังงาน หมายถึง ความสามารถในการทำงาน",
            "เมื่อฝนแรกมาถึงในฤดูฝนของทุกปี ต้นไม้จะแตกใบใหม่อย่างรวดเร็ว",
            "ชาวบ้านในอดีตสร้างบ้านใต้ถุนสูงหรืออยู่เรือนแพ แต่เมื่อเมืองขยายตัวและมีการถมที่ดิน ถนนและสิ่งก่อสร้างจะขวางทางน้ำ",
            "หากนับเวลาระหว่างฟ้าแลบกับฟ้าร้องได้ 3 วินาที แสดงว่าฟ้าแลบเกิดห่างจากเราประมาณ 1 กิโลเมตร",
            "รสที่พบบ่อยในอาหารไทย ได้แก่ เปรี้ยว หวาน เค็ม และเผ็ด",
            "ป่าชนิดนี้เขียวตลอดทั้งปีเป็นส่วนใหญ่ เพราะต้นไม้แต่ละต้นผลัดใบไม่พร้อมกัน",
            "กรุงศรีอยุธยาสถาปนาขึ้นเมื่อ พ.ศ. 1893 โดยสมเด็จพระรามาธิบดีที่ 1",
            "ความแตกต่างของปริมาณฝนในรอบปี ความสูงของพื้นที่ในแต่ละภาค และชนิดของดิน ทำให้ประเทศไทยมีป่าหลายแบบ",
            "อาหารไทยมีเครื่องสมุนไพรหลายอย่าง เช่น ข่าที่มีกลิ่นหอมและรสเผ็ด ตะไคร้ที่ใช้ในต้มยำทุกแบบ",
        ] {
            assert_eq!(split(whole), [whole]);
        }
        assert_eq!(
            split("พืชสร้างอาหารด้วยการสังเคราะห์ด้วยแสง คลอโรฟิลล์ในใบพืชดูดกลืนแสงอาทิตย์ รากของพืชดูดน้ำจากดิน"),
            ["พืชสร้างอาหารด้วยการสังเคราะห์ด้วยแสง", "คลอโรฟิลล์ในใบพืชดูดกลืนแสงอาทิตย์", "รากของพืชดูดน้ำจากดิน"]
        );
        assert_eq!(split(""), Vec::<&str>::new());
    }

    #[test]
    fn what_names_and_states_nothing_is_no_sentence() {
        for (text, expected) in [("เซลล์เป็นหน่วยที่เล็กที่สุดของชีวิต", true), ("โครงสร้างของเซลล์พืช", false), ("The cell", false)]
        {
            assert_eq!(states(text), expected, "{text}");
        }
    }
}
