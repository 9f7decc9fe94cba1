//! What a prompt teaches: the part of it that states something, as lessons that can be asked about.
//!
//! A prompt may be a word, an order or pages of teaching. Only statements can be asked about, and only
//! when there are enough of them to be meant as such; everything else is for [`super::brief`].

use language::script::word_count;
use language::sentences::{self, is_closed, is_complete};

use crate::reading::blocks::{Block, Body, LessonReading, Origin};
use crate::reading::inline::Passage;
use crate::reading::pointer::Pointer;
use crate::reading::read_text;
use crate::text::definitions::define;

use super::brief::Tongue;

/// Fewest statements that make a prompt a text to be asked about.
const MIN_STATEMENTS: usize = 3;
/// Fewest words of a statement.
const MIN_WORDS: usize = 5;

/// The lessons in a prompt: one, or one for each of its chapters. `title` heads what has no heading.
pub(super) fn lessons(name: &str, text: &str, title: &str, tongue: &Tongue) -> Vec<LessonReading> {
    let pointer = Pointer::root(name);
    let mut blocks: Vec<Block> = Vec::new();
    for block in read_text(text, &pointer, 1) {
        if let Some(body) = stated(block.body, tongue) {
            blocks.push(Block::taught(block.pointer, body));
        }
    }
    if !teaches(&blocks, tongue) {
        return Vec::new();
    }
    let lesson = |title: &str| LessonReading {
        pointer: pointer.clone(),
        fields: vec![pointer.clone()],
        title: Some(title.to_owned()).filter(|title| !title.is_empty()),
        kind: String::new(),
        objectives: Vec::new(),
        origin: Origin::Prompt,
        blocks: Vec::new(),
    };
    let mut lessons = vec![lesson(title)];
    for block in blocks {
        match (block.body, lessons.last_mut()) {
            (Body::Heading { level: 1, text }, _) => lessons.push(lesson(&text)),
            (body, Some(last)) => last.blocks.push(Block { body, ..block }),
            _ => {}
        }
    }
    lessons.retain(|lesson| lesson.blocks.iter().any(|block| !matches!(block.body, Body::Heading { .. })));
    lessons
}

/// A block without the sentences that order; none when nothing is left.
fn stated(body: Body, tongue: &Tongue) -> Option<Body> {
    let orders = |text: &str| tongue.words.is_some_and(|words| words.orders(text));
    match body {
        Body::Paragraph(passage) => {
            let all = sentences::split(&passage.text, tongue.profile);
            let kept: Vec<&str> = all.iter().copied().filter(|sentence| !orders(sentence)).collect();
            if kept.len() == all.len() {
                return Some(Body::Paragraph(passage));
            }
            let text = sentences::joined(kept.into_iter());
            (!text.is_empty()).then(|| Body::Paragraph(Passage::plain(&text)))
        }
        Body::Heading { level, text } => (!orders(&text)).then_some(Body::Heading { level, text }),
        Body::List { steps, mut items } => {
            items.retain(|item| !orders(&item.text.text));
            // A numbered list of topics is nothing to be carried out.
            let done = items.iter().filter(|item| is_closed(&item.text.text)).count();
            (!items.is_empty()).then_some(Body::List { steps: steps && done * 2 > items.len(), items })
        }
        body => Some(body),
    }
}

/// Whether there is enough to ask about: some statements, a definition, or something in rows.
fn teaches(blocks: &[Block], tongue: &Tongue) -> bool {
    let mut statements = 0;
    for block in blocks {
        let texts: Vec<&str> = match &block.body {
            Body::Paragraph(passage) => vec![&passage.text],
            Body::List { items, .. } => items.iter().map(|item| item.text.text.as_str()).collect(),
            Body::Table(table) if table.rows.len() > 2 => return true,
            Body::Definitions(_) | Body::Timeline(_) | Body::Dialogue(_) => return true,
            Body::Questions(questions) if questions.iter().any(|question| !question.answers.is_empty()) => return true,
            _ => continue,
        };
        for text in texts {
            for sentence in sentences::split(text, tongue.profile) {
                let stated = is_complete(sentence) && word_count(sentence) >= MIN_WORDS;
                statements += usize::from(stated);
                if statements >= MIN_STATEMENTS || stated && define(sentence, tongue.profile).is_some() {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        lessons("/topicPrompt", text, "Title", &Tongue::of("en", &[text])).len()
    }

    #[test]
    fn only_statements_can_be_asked_about() {
        for text in [
            "Photosynthesis",
            "The causes of the first world war.",
            "Create a quiz about plants. Use simple words. Add five pictures. Make it fun for all of them.",
            "1. Osmosis\n2. Diffusion\n3. Active transport",
            "",
        ] {
            assert_eq!(count(text), 0, "{text}");
        }
        for text in [
            "A cell is the smallest unit of life.",
            "Rivers carry water to the sea. Rain fills the rivers again. The sun lifts water into the air.",
            "| River | Length |\n|---|---|\n| Nile | 6650 |\n| Amazon | 6400 |\n| Rhine | 1230 |",
        ] {
            assert_eq!(count(text), 1, "{text}");
        }
        assert_eq!(
            count("# Cells\nA cell is the smallest unit of life.\n# Rivers\nThe rivers carry water to the sea."),
            2
        );
    }

    #[test]
    fn orders_between_statements_are_left_out() {
        let text = "A cell is the smallest unit of life. Please ask hard questions. Cells divide into two new cells.";
        let found = lessons("/topicPrompt", text, "Cells", &Tongue::of("en", &[text]));
        let Body::Paragraph(passage) = &found[0].blocks[0].body else { panic!("{found:?}") };
        assert_eq!(passage.text, "A cell is the smallest unit of life. Cells divide into two new cells.");
    }
}
