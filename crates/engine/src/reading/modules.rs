//! Modules of the classroom as material: the content of each, taken apart at its headings.
//!
//! A module that was generated has sections that only repeat its lessons (objectives, key terms, recap)
//! and shows its own questions as a list. The first are left out, the second made questions again, so
//! that a draft made from modules is as good as one made from their source.

use language::script::word_count;

use super::blocks::{Block, Body, Event, Fact, Item, LessonReading, Origin, Pair, Question, Turn};
use super::flat::{flat_text, labelled};
use super::inline::{MarkKind, Passage};
use super::pointer::Pointer;
use super::shapes::{is_address, read_text};
use crate::phrases::{Phrases, is_phrase};
use crate::request::SourceModule;

/// Most sections that a module is taken apart into; a later one belongs to the one before it.
const MAX_SECTIONS: usize = 60;

/// The pointer that citations name a module by.
pub(crate) fn pointer_of(module: &SourceModule) -> String {
    format!("/material/{}", module.id.replace('~', "~0").replace('/', "~1"))
}

/// The sections of a module, in order. `phrases` are those of the language it was made in.
pub(crate) fn read(module: &SourceModule, phrases: &'static Phrases) -> Vec<LessonReading> {
    let at = pointer_of(module);
    let (whole, content) = (Pointer::root(&at), Pointer::root(&format!("{at}/content")));
    let title = Some(flat_text(&module.title)).filter(|title| title.chars().any(char::is_alphanumeric));
    let section = |title: Option<String>, blocks: Vec<Block>| LessonReading {
        pointer: whole.clone(),
        fields: vec![content.clone()],
        title,
        kind: String::new(),
        objectives: Vec::new(),
        origin: Origin::Lesson,
        blocks,
    };
    let mut sections = vec![section(None, Vec::new())];
    let mut repeats = false;
    for block in read_text(&module.html, &content, 1) {
        match block.body {
            Body::Heading { level: 1, text } => {
                repeats = is_repeating(&text);
                if !repeats && sections.len() < MAX_SECTIONS {
                    sections.push(section(Some(text), Vec::new()));
                }
            }
            _ if repeats => {}
            body => {
                if let Some(section) = sections.last_mut() {
                    let body = restored(body, phrases);
                    section.blocks.push(Block { body, ..block });
                }
            }
        }
    }
    sections.retain(|section| !section.blocks.is_empty());
    for section in &mut sections {
        section.blocks = conversations(std::mem::take(&mut section.blocks));
    }
    if let [only] = &mut sections[..] {
        only.title = title.or(only.title.take());
    } else if let Some(first) = sections.first_mut() {
        first.title = first.title.take().or(title);
    }
    sections
}

/// The heading of a section that a generated module adds to its lessons.
fn is_repeating(heading: &str) -> bool {
    [|phrases: &Phrases| phrases.objectives, |phrases: &Phrases| phrases.key_terms, |phrases: &Phrases| phrases.recap]
        .into_iter()
        .any(|phrase| is_phrase(heading, phrase))
}

/// A list of questions as questions, dates as a timeline, values as facts; anything else as it is.
fn restored(body: Body, phrases: &Phrases) -> Body {
    match body {
        Body::List { items, .. } if asks(&items) => Body::Questions(questions(&items, phrases)),
        Body::Definitions(pairs) => definitions(pairs),
        body => body,
    }
}

/// What a page shows as terms with something behind them may be dates or values, which define nothing.
fn definitions(pairs: Vec<Pair>) -> Body {
    let dated = |pair: &Pair| pair.term.contains(|character: char| character.is_ascii_digit());
    let telling = pairs.iter().filter(|pair| word_count(&pair.definition) > 2).count();
    if pairs.iter().all(dated) && telling * 2 >= pairs.len() {
        let event =
            |pair: Pair| Event { pointer: pair.pointer, when: pair.term, what: pair.definition, notes: pair.notes };
        return Body::Timeline(pairs.into_iter().map(event).collect());
    }
    if telling * 2 < pairs.len() && pairs.iter().all(|pair| pair.notes.is_empty()) {
        let fact = |pair: Pair| Fact {
            technical: is_address(&pair.definition),
            pointer: pair.pointer,
            label: pair.term,
            value: pair.definition,
        };
        return Body::Facts(pairs.into_iter().map(fact).collect());
    }
    Body::Definitions(pairs)
}

/// Paragraphs that begin with a name in bold, "Anna: …", are the turns of a conversation.
fn conversations(blocks: Vec<Block>) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for block in blocks {
        match (turn(&block), found.last_mut()) {
            (Some(turn), Some(Block { body: Body::Dialogue(turns), .. })) => turns.push(turn),
            (Some(turn), _) => found.push(Block::taught(block.pointer, Body::Dialogue(vec![turn]))),
            (None, _) => found.push(block),
        }
    }
    // One turn alone is a paragraph with something bold in it.
    for block in &mut found {
        if let Body::Dialogue(turns) = &mut block.body
            && let [only] = &mut turns[..]
        {
            block.body = Body::Paragraph(Passage::plain(&labelled(&only.speaker, &only.line)));
        }
    }
    found
}

fn turn(block: &Block) -> Option<Turn> {
    let Body::Paragraph(passage) = &block.body else { return None };
    let mark = passage.marks.first().filter(|mark| mark.start == 0 && mark.kind == MarkKind::Strong)?;
    let speaker = passage.text[..mark.end].strip_suffix([':', '：'])?;
    let line = passage.text[mark.end..].trim();
    let named = speaker.chars().count() <= 40 && !line.is_empty();
    let turn = || Turn {
        pointer: block.pointer.clone(),
        speaker: speaker.to_owned(),
        line: line.to_owned(),
        notes: Vec::new(),
    };
    named.then(turn)
}

fn is_question(text: &str) -> bool {
    let asked = text.find(['?', '？', '؟']);
    asked.is_some_and(|at| at > 0)
}

/// Most of the outer items ask something.
fn asks(items: &[Item]) -> bool {
    let outer = items.iter().filter(|item| item.level == 0);
    let asking = outer.clone().filter(|item| is_question(&item.text.text)).count();
    asking > 0 && asking * 2 >= outer.count()
}

/// "Question?", its options one level deeper, "Answer …" as drafts show them.
fn questions(items: &[Item], phrases: &Phrases) -> Vec<Question> {
    let mut found: Vec<Question> = Vec::new();
    for item in items {
        let text = item.text.text.as_str();
        let answered = text.strip_prefix(phrases.answer).map(str::trim);
        match (found.last_mut(), answered) {
            (Some(question), Some(answer)) if item.level == 0 => take_answer(question, answer),
            (Some(question), _) if item.level > 0 => question.options.push(text.to_owned()),
            _ => {
                let mark = format!(" {} ", phrases.answer);
                let (asked, answer) = text.split_once(&mark).unwrap_or((text, ""));
                let mut question = Question::asking(item.pointer.clone(), asked.to_owned());
                take_answer(&mut question, answer);
                found.push(question);
            }
        }
    }
    found
}

/// With options, the answer is the longest of them that it begins with; what follows explains it.
fn take_answer(question: &mut Question, answer: &str) {
    if answer.is_empty() {
        return;
    }
    let named =
        question.options.iter().filter(|option| answer.starts_with(option.as_str())).max_by_key(|option| option.len());
    match named {
        Some(option) => {
            let rest = answer[option.len()..].trim();
            question.explanation = Some(rest.to_owned()).filter(|rest| rest.chars().any(char::is_alphanumeric));
            question.answers = vec![option.clone()];
        }
        None if question.options.is_empty() => question.answers = vec![answer.to_owned()],
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::for_language;

    fn sections(html: &str) -> Vec<LessonReading> {
        let module = SourceModule { id: "m".to_owned(), title: "Module".to_owned(), html: html.to_owned() };
        read(&module, for_language("en").phrases)
    }

    #[test]
    fn a_module_is_taken_apart_and_what_repeats_is_left_out() {
        let found = sections(
            "<article><section><h2>Objectives</h2><ul><li>Know cells.</li></ul></section>\
             <section><h2>Cells</h2><p>Cells are small.</p><h3>Parts</h3><p>A nucleus.</p></section>\
             <section><h2>Recap</h2><ul><li>Cells are small.</li></ul></section>\
             <section><h2>Tissues</h2><p>Tissues are many cells.</p></section></article>",
        );
        let titles: Vec<_> = found.iter().map(|section| section.title.as_deref().unwrap()).collect();
        assert_eq!(titles, ["Cells", "Tissues"]);
        assert_eq!(found[0].blocks.len(), 3);
        assert_eq!(found[0].blocks[0].pointer.written(), "/material/m/content");
    }

    #[test]
    fn a_module_without_headings_is_one_section_with_its_title() {
        let found = sections("Cells are small.");
        assert_eq!((found.len(), found[0].title.as_deref()), (1, Some("Module")));
        assert!(sections("").is_empty() && sections("<p> </p>").is_empty());
    }

    #[test]
    fn conversations_dates_and_values_are_told_from_definitions() {
        let found = sections(
            "<h2>A</h2><p><strong>Anna:</strong> Hi!</p><p><strong>Ben:</strong> Hello.</p><p><strong>Note:</strong> x</p>\
             <h2>B</h2><p><strong>Note:</strong> one.</p><dl><dt>1789</dt><dd>The people storm the prison.</dd></dl>\
             <dl><dt>Moons</dt><dd>2</dd></dl><dl><dt>Moon</dt><dd>A body around a planet. <em>Example:</em> Io</dd></dl>",
        );
        let kinds = |at: usize| -> Vec<&str> {
            let kind = |block: &Block| match &block.body {
                Body::Dialogue(_) => "dialogue",
                Body::Paragraph(_) => "paragraph",
                Body::Timeline(_) => "timeline",
                Body::Facts(_) => "facts",
                Body::Definitions(pairs) if pairs[0].notes.len() == 1 => "definitions",
                _ => "other",
            };
            found[at].blocks.iter().map(kind).collect()
        };
        assert_eq!(kinds(0), ["dialogue"]);
        assert_eq!(kinds(1), ["paragraph", "timeline", "facts", "definitions"]);
    }

    #[test]
    fn questions_that_a_draft_shows_are_questions_again() {
        let found = sections(
            "<section><h2>Ask</h2><ol><li><p>Which is red?</p><ul><li>Mars</li><li>Moon</li></ul>\
             <details><summary>Answer</summary><p>Mars</p><p>It is rusty.</p></details></li>\
             <li><p>What is a cell?</p><details><summary>Answer</summary><p>A unit of life.</p></details></li></ol></section>",
        );
        let Body::Questions(questions) = &found[0].blocks[0].body else { panic!("{:?}", found[0].blocks) };
        assert_eq!(questions[0].options, ["Mars", "Moon"]);
        assert_eq!(
            (&questions[0].answers[..], questions[0].explanation.as_deref()),
            (&["Mars".to_owned()][..], Some("It is rusty."))
        );
        assert_eq!(
            (questions[1].question.as_str(), &questions[1].answers[..]),
            ("What is a cell?", &["A unit of life.".to_owned()][..])
        );
    }
}
