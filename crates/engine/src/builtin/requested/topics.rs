//! The lines of a prompt's outline as lessons.

use language::fill;

use crate::builtin::material::tidy;
use crate::phrases::Phrases;
use crate::reading::blocks::{Block, Body, Item, LessonReading, Origin, Pair, Question};
use crate::reading::inline::Passage;
use crate::reading::names::capitalise;
use crate::reading::outline::Node;
use crate::reading::pointer::Pointer;
use crate::reading::split_pair;

use super::brief::topic_of;

/// Deepest heading below a lesson's own.
const MAX_LEVEL: u8 = 4;

/// A lesson with what stands below a line.
pub(super) fn lesson(name: &str, title: &str, below: &[Node]) -> LessonReading {
    let pointer = Pointer::root(name);
    let blocks = blocks(below, &pointer, 1);
    LessonReading {
        fields: vec![pointer.clone()],
        title: Some(title.to_owned()).filter(|title| !title.is_empty()),
        kind: String::new(),
        objectives: Vec::new(),
        origin: Origin::Prompt,
        blocks,
        pointer,
    }
}

/// A lesson for each line that is a label, with what stands below it; paragraphs between labels belong to
/// the one before, those in front of all labels to a lesson headed by `title`. What would be more than
/// `most` lessons makes a last one together.
pub(super) fn lessons(name: &str, title: &str, nodes: &[Node], most: usize) -> Vec<LessonReading> {
    let pointer = Pointer::root(name);
    let mut lessons: Vec<LessonReading> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if lessons.len() + 1 >= most && nodes.len() - at > 1 {
            lessons.push(lesson(name, title, &nodes[at..]));
            break;
        }
        if node.prose {
            if lessons.is_empty() {
                lessons.push(lesson(name, title, &[]));
            }
            if let Some(last) = lessons.last_mut() {
                last.blocks.extend(blocks(std::slice::from_ref(node), &pointer, 1));
            }
        } else if let Some((front, told)) = split_pair(&node.text) {
            let mut found = lesson(name, &front, &node.below);
            let told = Body::Paragraph(Passage::plain(&capitalise(&told)));
            found.blocks.insert(0, Block::taught(pointer.clone(), told));
            lessons.push(found);
        } else {
            lessons.push(lesson(name, &topic_of(&node.text), &node.below));
        }
    }
    lessons
}

/// Questions as the text of a lesson on a topic of which nothing is told; at most four.
pub(super) fn questions(pointer: &Pointer, topic: &str, most: usize, phrases: &Phrases) -> Vec<Block> {
    let tasks = phrases;
    let asked = |template: &&str| Question::asking(pointer.clone(), tidy(&fill(template, &[("topic", topic)])));
    let templates = [tasks.known_already, tasks.ask_points, tasks.ask_example, tasks.ask_apply];
    let body = Body::Questions(templates.iter().take(most).map(asked).collect());
    vec![Block::taught(pointer.clone(), body)]
}

/// Labels with something below them become headings, others items; pairs become definitions.
fn blocks(nodes: &[Node], pointer: &Pointer, level: u8) -> Vec<Block> {
    let mut found = Vec::new();
    let mut push = |body: Body| found.push(Block::taught(pointer.clone(), body));
    let mut rest = nodes;
    while let Some((node, more)) = rest.split_first() {
        let leaves = rest.iter().take_while(|node| !node.prose && node.below.is_empty()).count();
        if leaves > 0 {
            push(items(&rest[..leaves], pointer));
            rest = &rest[leaves..];
            continue;
        }
        if node.prose {
            push(Body::Paragraph(Passage::plain(&node.text)));
        } else {
            push(Body::Heading {
                level: level.min(MAX_LEVEL),
                text: node.text.trim_end_matches([':', '：']).to_owned(),
            });
        }
        blocks(&node.below, pointer, level.saturating_add(1)).into_iter().for_each(|block| push(block.body));
        rest = more;
    }
    found
}

fn items(leaves: &[Node], pointer: &Pointer) -> Body {
    let pair = |node: &Node| {
        let (term, definition) = split_pair(&node.text)?;
        Some(Pair { pointer: pointer.clone(), term, definition, notes: Vec::new() })
    };
    let pairs: Option<Vec<Pair>> = leaves.iter().map(pair).collect();
    match pairs {
        Some(pairs) if pairs.len() > 1 => Body::Definitions(pairs),
        _ => {
            let item = |node: &Node| Item {
                pointer: pointer.clone(),
                level: 0,
                text: Passage::plain(&node.text),
                notes: Vec::new(),
            };
            Body::List { steps: false, items: leaves.iter().map(item).collect() }
        }
    }
}
