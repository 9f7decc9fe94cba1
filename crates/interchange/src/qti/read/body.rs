//! An item's body: the question as text, the interactions, and what surrounds them.

use crate::qti::MODEL_ANSWER;
use crate::text::{Flattener, Notes, flatten};
use crate::xml::{Element, Node, is_space};

/// What is in an item's body.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub(super) question: String,
    pub(super) interactions: Vec<&'a Element>,
    /// Feedback that is part of the body.
    pub(super) feedback: Vec<String>,
    /// Our own model answers.
    pub(super) model_answers: Vec<String>,
    /// What else is for the eyes of those who score.
    pub(super) rubrics: Vec<String>,
    pub(super) notes: Notes,
}

/// The options of a choice.
#[derive(Default)]
pub(super) struct Options {
    pub(super) identifiers: Vec<String>,
    pub(super) texts: Vec<String>,
    /// Option and feedback.
    pub(super) feedback: Vec<(String, String)>,
    pub(super) notes: Notes,
}

/// Reads a body.
pub(super) fn read(element: Option<&Element>) -> Body<'_> {
    let mut body = Body::default();
    let Some(element) = element else { return body };
    let mut walk =
        Walk { gaps: element.descendants().filter(|e| is_gap(e)).count(), gap: 0, flat: Flattener::default() };
    walk.content(element, &mut body);
    let (question, notes) = walk.flat.finish();
    body.question = question;
    body.notes.merge(notes);
    body
}

/// Reads the options of an interaction.
pub(super) fn options(interaction: &Element, name: &str) -> Options {
    let mut options = Options::default();
    for choice in interaction.all(name) {
        let mut choice = choice.clone();
        let feedback = take_feedback(&mut choice);
        let (text, notes) = flatten(&choice);
        options.notes.merge(notes);
        options.feedback.extend(feedback.into_iter().map(|feedback| (text.clone(), feedback)));
        options.identifiers.push(choice.attribute("identifier").unwrap_or_default().trim().to_owned());
        options.texts.push(text);
    }
    options
}

/// Takes the feedback out of an option.
fn take_feedback(choice: &mut Element) -> Vec<String> {
    let is_feedback = |node: &Node| matches!(node, Node::Element(element) if is_feedback(&element.name));
    let taken: Vec<Node> = choice.children.extract_if(.., |node| is_feedback(node)).collect();
    let texts = taken.iter().filter_map(|node| match node {
        Node::Element(element) => Some(flatten(element).0),
        Node::Text(_) => None,
    });
    texts.filter(|text| !text.is_empty()).collect()
}

fn is_feedback(name: &str) -> bool {
    matches!(name, "feedbackInline" | "feedbackBlock")
}

fn is_gap(element: &Element) -> bool {
    matches!(element.name.as_str(), "textEntryInteraction" | "inlineChoiceInteraction")
}

struct Walk {
    /// Gaps in all.
    gaps: usize,
    /// Gaps so far.
    gap: usize,
    flat: Flattener,
}

impl Walk {
    fn content<'a>(&mut self, element: &'a Element, body: &mut Body<'a>) {
        let is_alone = is_only_content(element);
        for node in &element.children {
            match node {
                Node::Text(text) => self.flat.text(text),
                Node::Element(child) => self.element(child, is_alone, body),
            }
        }
    }

    fn element<'a>(&mut self, element: &'a Element, is_alone: bool, body: &mut Body<'a>) {
        let name = element.name.as_str();
        if is_gap(element) {
            self.gap += 1;
            body.interactions.push(element);
            if self.gaps > 1 {
                self.flat.gap(&format!("({}) ", self.gap));
            } else if !is_alone {
                self.flat.gap("");
            }
        } else if name == "rubricBlock" {
            self.rubric(element, body);
        } else if is_feedback(name) {
            let (text, notes) = flatten(element);
            body.notes.merge(notes);
            body.feedback.push(text);
        } else if name.ends_with("Interaction") {
            body.interactions.push(element);
            if let Some(prompt) = element.first("prompt") {
                self.flat.block();
                self.content(prompt, body);
                self.flat.block();
            }
        } else {
            self.flat.start(name, |name| element.attribute(name).map(str::to_owned));
            self.content(element, body);
            self.flat.end(name);
        }
    }

    /// Instructions for learners belong to the question, others to the scorers.
    fn rubric<'a>(&mut self, element: &'a Element, body: &mut Body<'a>) {
        let view = element.attribute("view").unwrap_or("candidate");
        if view.split_whitespace().any(|who| who == "candidate") {
            self.flat.block();
            self.content(element, body);
            self.flat.block();
            return;
        }
        let holder = element.first("contentBody").unwrap_or(element);
        let own: Vec<&Element> = holder.all("div").filter(|div| div.attribute("class") == Some(MODEL_ANSWER)).collect();
        if own.is_empty() {
            let (text, notes) = flatten(element);
            body.notes.merge(notes);
            body.rubrics.push(text);
        }
        body.model_answers.extend(own.into_iter().map(|div| flatten(div).0));
    }
}

/// Whether an element holds one gap and nothing else that could be read.
fn is_only_content(element: &Element) -> bool {
    element.elements().filter(|child| child.name != "br").count() == 1
        && element.children.iter().all(|node| match node {
            Node::Text(text) => text.chars().all(is_space),
            Node::Element(_) => true,
        })
}
