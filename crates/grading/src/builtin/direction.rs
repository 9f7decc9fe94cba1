//! Which way a text points: whether it says that something is or becomes more, or less.
//!
//! A mild signal: it rests on a list of words a language and no grammar.

use std::collections::HashMap;

use super::senses::Sense;
use super::text::Text;
use super::words::Word;

/// A text with more words of direction has several statements, and their directions can't be told apart.
const MOST_DIRECTIONS: usize = 3;
/// A denial turns a direction that follows within so many words.
const DENIAL_REACHES: usize = 3;

/// The directions of a text, 1 for more and -1 for less, turned where they are denied.
fn directions(text: &Text) -> Vec<i8> {
    let is_behind = language::find_teaching(text.tag).is_some_and(|teaching| teaching.answers.denies_behind);
    let denied = |at: usize| {
        let before = &text.words[at.saturating_sub(DENIAL_REACHES)..at];
        let behind = if is_behind { &text.words[at..(at + 1 + DENIAL_REACHES).min(text.words.len())] } else { &[] };
        before.iter().chain(behind).filter(|word| word.denies()).count() % 2 == 1
    };
    let direction = |(at, word): (usize, &Word)| {
        let direction = match word.sense? {
            Sense::More => 1,
            Sense::Less => -1,
            Sense::Than | Sense::Denial => return None,
        };
        Some(if denied(at) { -direction } else { direction })
    };
    text.words.iter().enumerate().filter_map(direction).collect()
}

/// Which way a text points under the condition of the question: two directions, as in "the longer the wire, the less current", are
/// that of a change and that of what follows. `None` where it says no direction or several.
fn direction(text: &Text, question: &Text) -> Option<i8> {
    let said = directions(text);
    if said.is_empty() || said.len() > MOST_DIRECTIONS {
        return None;
    }
    let condition = match directions(question)[..] {
        [condition] if said.len().is_multiple_of(2) => condition,
        _ => 1,
    };
    Some(said.iter().product::<i8>() * condition)
}

/// 1 where two texts point the same way, -1 where they point opposite ways, 0 where that can't be told.
pub(super) fn agreement(question: &Text, reference: &Text, answer: &Text) -> f64 {
    let both = direction(reference, question).zip(direction(answer, question));
    let Some((one, other)) = both else { return 0.0 };
    let compares = |text: &Text| text.words.iter().any(|word| word.sense == Some(Sense::Than));
    let is_converse = compares(reference) && compares(answer) && order(reference, answer) < 0;
    f64::from(one * other) * if is_converse { -1.0 } else { 1.0 }
}

/// Positive where most words that two texts share have the same order in both, negative where most have the opposite one.
fn order(reference: &Text, answer: &Text) -> i64 {
    let places = |text: &Text| {
        let mut places: HashMap<u64, Option<usize>> = HashMap::new();
        for (place, id) in text.content.iter().enumerate() {
            places.entry(*id).and_modify(|place| *place = None).or_insert(Some(place));
        }
        places
    };
    let (mine, theirs) = (places(reference), places(answer));
    let shared = |id: &u64| theirs.get(id).copied().flatten().filter(|_| mine.get(id).is_some_and(Option::is_some));
    let shared: Vec<usize> = reference.content.iter().filter_map(shared).collect();
    shared.windows(2).map(|step| if step[0] < step[1] { 1 } else { -1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::super::words::Reader;
    use super::*;

    fn agrees(tag: &str, question: &str, reference: &str, answer: &str) -> f64 {
        let read = |text: &str| Text::read(text, &Reader::new(tag), 100);
        agreement(&read(question), &read(reference), &read(answer))
    }

    #[test]
    fn texts_agree_where_they_point_the_same_way() {
        let question = "What happens to the pressure when the volume is reduced?";
        for (reference, answer, expected) in [
            ("It rises.", "The pressure gets higher.", 1.0),
            ("It rises.", "The pressure falls.", -1.0),
            ("It rises.", "The pressure does not fall.", 1.0),
            // Under the condition of the question: less of one, more of the other.
            ("It rises.", "The smaller the volume, the higher the pressure.", 1.0),
            ("It rises.", "The smaller the volume, the lower the pressure.", -1.0),
            ("It rises.", "It depends on the gas.", 0.0),
        ] {
            assert!((agrees("en", question, reference, answer) - expected).abs() < 1e-9, "{reference} {answer}");
        }
        let converse = agrees("en", "Compare them.", "Earth is larger than Mars.", "Mars is smaller than Earth.");
        assert!((converse - 1.0).abs() < 1e-9, "{converse}");
    }

    #[test]
    fn every_taught_language_tells_more_from_less() {
        for (tag, more, other, less) in [
            ("en", "The price rises.", "It increases.", "It drops."),
            ("de", "Der Preis steigt.", "Er nimmt zu, er wird höher.", "Er wird niedriger."),
            ("es", "El precio aumenta.", "Es mayor.", "Es menor."),
            ("fr", "Le prix augmente.", "Il est plus haut.", "Il diminue."),
            ("it", "Il prezzo aumenta.", "Diventa maggiore.", "Diventa minore."),
            ("pt", "O preço aumenta.", "Fica maior.", "Fica menor."),
            ("nl", "De prijs stijgt.", "Hij wordt hoger.", "Hij wordt lager."),
            ("pl", "Cena rośnie.", "Jest większa.", "Jest mniejsza."),
            ("ru", "Цена растёт.", "Она увеличивается.", "Она уменьшается."),
            ("uk", "Ціна зростає.", "Вона збільшується.", "Вона зменшується."),
            ("tr", "Fiyat artar.", "Fiyat yükselir.", "Fiyat düşer."),
            ("ar", "يزداد السعر.", "السعر أكبر.", "السعر أقل."),
            ("hi", "दाम बढ़ता है।", "दाम अधिक है।", "दाम घटता है।"),
            ("zh", "价格上涨。", "价格提高。", "价格下降。"),
            ("ja", "値段が上がる。", "値段は高くなる。", "値段は安く、少なくなる。"),
            ("ko", "값이 오른다.", "값이 높아진다.", "값이 낮아진다."),
            ("th", "ราคาเพิ่มขึ้น", "ราคาสูงขึ้น", "ราคาลดลง"),
        ] {
            assert!(agrees(tag, "", more, other) > 0.0 && agrees(tag, "", more, less) < 0.0, "{tag}");
        }
    }
}
