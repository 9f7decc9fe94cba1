//! What a prompt is about: its topics, told from what it orders, and the outline it is written as.
//!
//! A topic is always a stretch of the prompt's own words. Nothing here adds one.

use std::collections::HashSet;

use language::normal::{normal, shorten};
use language::profile::{self, Profile};
use language::script::word_count;
use language::sentences;

use crate::builtin::material::{noted, speakable};
use crate::phrases::{self, Phrases, Spoken};
use crate::reading::flat::flat_text;
use crate::reading::inline::squeeze;
use crate::reading::names::capitalise;
use crate::reading::outline::{self, Node};
use crate::reading::split_pair;
use crate::text::definitions::define;
use crate::text::orders;
use crate::text::orders::Words;

/// Longest topic, in words and characters.
const TOPIC: (usize, usize) = (12, 70);
/// Longest title and description.
const TITLE: (usize, usize) = (40, 140);
const SUMMARY: (usize, usize) = (60, 400);
/// Most topics that are kept.
const MAX_TOPICS: usize = 24;
/// Fewer words than this are no text, but an order or a topic.
const SHORT: usize = 40;
/// Most of a prompt that is looked at to tell its language, in bytes.
const SAMPLE: usize = 2_000;

/// The language of a request: of what is made, and of what its prompts are written in.
pub(super) struct Tongue {
    pub(super) language: String,
    pub(super) spoken: Spoken,
    pub(super) profile: &'static Profile,
    pub(super) words: Option<Words>,
}

impl Tongue {
    /// `language` as it was asked for; where it is blank, the prompts tell it.
    pub(super) fn of(language: &str, prompts: &[&str]) -> Self {
        let language = squeeze(language);
        let sample: String = prompts.iter().map(|text| beginning(text)).collect::<Vec<_>>().join(" ");
        let language = match language.as_str() {
            "" => profile::guess(&sample).filter(|tag| *tag != "und").unwrap_or("en").to_owned(),
            _ => language,
        };
        let profile = profile::of_text(&sample, profile::of(&language));
        Self { spoken: phrases::for_language(&language), words: orders::of(profile.tag), profile, language }
    }

    pub(super) fn phrases(&self) -> &'static Phrases {
        self.spoken.phrases
    }
}

/// A prompt understood.
#[derive(Default)]
pub(super) struct Brief {
    /// What the whole prompt is about, short; blank when it says nothing.
    pub(super) title: String,
    /// The title was put together from the topics.
    pub(super) composed: bool,
    /// The topics it names below that, short, each once, in order.
    pub(super) topics: Vec<String>,
    /// How many items it asks for.
    pub(super) items: Option<usize>,
    /// The outline without what only orders, and without the line that is the title.
    pub(super) nodes: Vec<Node>,
}

impl Brief {
    /// Reads a prompt.
    pub(super) fn read(text: &str, tongue: &Tongue) -> Self {
        let items = tongue.words.and_then(|words| wanted(text, words, tongue));
        let mut ordered = None;
        let mut nodes = Vec::new();
        for (at, node) in outline::read(text).into_iter().enumerate() {
            keep(node, at == 0, tongue, &mut ordered, &mut nodes);
        }
        let mut brief = Self { items, ..Self::default() };
        if let Some(ordered) = &ordered {
            brief.headed(ordered, tongue);
        } else if let [only] = &mut nodes[..]
            && !only.prose
        {
            brief.headed(&only.text, tongue);
            if !only.below.is_empty() {
                nodes = std::mem::take(&mut only.below);
            }
        }
        let topics = topics(&nodes, tongue);
        brief.topics.extend(topics);
        if !speakable(&brief.title) {
            brief.compose(&nodes, tongue);
        }
        brief.nodes = nodes;
        let mut seen = HashSet::new();
        if !brief.composed {
            seen.insert(normal(&brief.title));
        }
        brief.topics.retain(|topic| seen.insert(normal(topic)));
        brief
    }

    /// Takes the title from a line, and the topics that the line lists behind it.
    fn headed(&mut self, line: &str, tongue: &Tongue) {
        let named = Named::of(line, tongue);
        self.title = capitalise(&named.front);
        self.topics.extend(named.list.into_iter().filter(|topic| speakable(topic)));
    }

    /// Makes a title of the topics, or of what the text begins with.
    fn compose(&mut self, nodes: &[Node], tongue: &Tongue) {
        self.title = match &self.topics[..] {
            [] => nodes.iter().find(|node| node.prose).map_or_else(String::new, |node| subject(&node.text, tongue)),
            [only] => only.clone(),
            [first, ..] if sentences::asks(first) => format!("{first} …"),
            several => shorten(&tongue.phrases().join(&several[..several.len().min(3)]), TOPIC.0, TOPIC.1),
        };
        if !speakable(&self.title) {
            self.title.clear();
        }
        self.composed = self.topics.len() > 1;
    }
}

/// How many items a prompt asks for: in its orders, or anywhere in a short one.
fn wanted(text: &str, words: Words, tongue: &Tongue) -> Option<usize> {
    let orders = |sentence: &str| words.ordered(sentence).is_some() || words.orders_work(sentence);
    if word_count(beginning(text)) <= SHORT {
        return words.items(text);
    }
    sentences::split(beginning(text), tongue.profile)
        .into_iter()
        .filter(|sentence| orders(sentence))
        .find_map(|sentence| words.items(sentence))
}

/// Keeps a node of the outermost level without what only orders; notes what the orders are about. Among
/// labels only the `first` can be an order: a later "Quiz on rivers" is a line of an outline.
fn keep(mut node: Node, first: bool, tongue: &Tongue, ordered: &mut Option<String>, kept: &mut Vec<Node>) {
    if let Some(words) = tongue.words.filter(|_| !node.prose && node.text.len() <= SAMPLE)
        && let Some(topic) = headed_topic(&node.text, words, tongue)
        && (first || topic.is_empty())
    {
        if !topic.is_empty() {
            ordered.get_or_insert_with(|| topic.to_owned());
        }
        return kept.append(&mut node.below);
    }
    let Some(words) = tongue.words.filter(|_| node.prose || first && node.text.len() <= SAMPLE) else {
        return kept.push(node);
    };
    let mut rest: Vec<&str> = Vec::new();
    for sentence in sentences::split(&node.text, tongue.profile) {
        if let Some(topic) = words.ordered(sentence) {
            ordered.get_or_insert_with(|| topic.to_owned());
        } else if !node.prose || !(words.orders_work(sentence) || ordered.is_some() && words.commands(sentence)) {
            rest.push(sentence);
        }
    }
    let text = sentences::joined(rest.into_iter());
    if text.is_empty() {
        kept.append(&mut node.below);
    } else {
        kept.push(Node { text, ..node });
    }
}

/// What stands behind a label that says only that topics follow, "Topic: Climate"; blank when it stands
/// below. None for any other label, and for one that lists several.
fn headed_topic<'t>(label: &'t str, words: Words, tongue: &Tongue) -> Option<&'t str> {
    let (front, rest) = label.split_once([':', '：'])?;
    (words.heads_topics(front) && Named::of(label, tongue).list.is_empty()).then(|| rest.trim())
}

/// The labels of an outline, level by level.
fn topics(nodes: &[Node], tongue: &Tongue) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let mut level: Vec<&Node> = nodes.iter().collect();
    while !level.is_empty() && found.len() < MAX_TOPICS {
        for node in level.iter().filter(|node| !node.prose) {
            if tongue.words.is_some_and(|words| words.orders_work(&node.text)) {
                continue;
            }
            let named = Named::of(&node.text, tongue).all();
            found.extend(named.filter(|topic| speakable(topic) && seen.insert(normal(topic))));
        }
        level = level.into_iter().flat_map(|node| &node.below).collect();
    }
    found.truncate(MAX_TOPICS);
    found
}

/// What a line names.
struct Named {
    /// The line as a topic; blank where it only says that topics follow.
    front: String,
    /// What it lists: "Fractions: add, subtract, divide".
    list: Vec<String>,
}

impl Named {
    fn of(line: &str, tongue: &Tongue) -> Self {
        let (front, list) = line.split_once(": ").or_else(|| line.split_once('：')).unwrap_or(("", line));
        let parts: Vec<&str> = list
            .split([',', ';', '、', '，', '،', '؛'])
            .flat_map(|part| part.split(tongue.phrases().list_and))
            .map(|part| part.trim().trim_end_matches(['.', '。', '।']))
            .filter(|part| !part.is_empty())
            .collect();
        let short = parts.iter().all(|part| word_count(part) <= 5 && part.chars().count() <= 40);
        let enough = if front.is_empty() { 4 } else { 3 };
        if !short || parts.len() < enough {
            return Self { front: topic_of(line), list: Vec::new() };
        }
        let general = tongue.words.is_some_and(|words| words.heads_topics(front));
        let front = if general { String::new() } else { topic_of(front) };
        Self { front, list: parts.into_iter().map(topic_of).collect() }
    }

    fn all(self) -> impl Iterator<Item = String> {
        std::iter::once(self.front).chain(self.list)
    }
}

/// A title as it was given, on one line and of a sensible length.
pub(super) fn title_of(text: &str) -> String {
    shorten(&flat_text(text), TITLE.0, TITLE.1)
}

/// How a description begins, fit to be shown as one; none where it is blank or only orders.
pub(super) fn summary(description: &str, tongue: &Tongue) -> Option<String> {
    let first = outline::read(description).into_iter().next()?.text;
    let said = sentences::split(beginning(&first), tongue.profile).into_iter().filter(|sentence| speakable(sentence));
    let said = said.filter(|sentence| tongue.words.is_none_or(|words| words.ordered(sentence).is_none()));
    let text = shorten(&sentences::joined(said.take(2)), SUMMARY.0, SUMMARY.1);
    let text = text.trim_end_matches([':', '：']).to_owned();
    speakable(&text).then(|| noted(&tongue.spoken, text))
}

/// A line as a topic: what stands in front of its explanation, short.
pub(super) fn topic_of(text: &str) -> String {
    let text = squeeze(text);
    // "Unit 3: The cell" is about the cell; "Osmosis: how water moves" about osmosis.
    let pair = split_pair(&text).map(|(front, rest)| if front.ends_with(char::is_numeric) { rest } else { front });
    let topic = pair.as_deref().unwrap_or(&text);
    let topic = topic.trim_matches(|character: char| {
        character.is_whitespace() || matches!(character, '.' | '。' | '।' | ':' | '：' | ',' | ';' | '"' | '*' | '#')
    });
    shorten(topic, TOPIC.0, TOPIC.1)
}

/// What a paragraph is about: the term that it defines first, or how it begins.
pub(super) fn subject(text: &str, tongue: &Tongue) -> String {
    let first = sentences::split(beginning(text), tongue.profile).into_iter().find(|text| speakable(text));
    let first = first.unwrap_or(text);
    let term = define(first, tongue.profile).map(|defined| capitalise(&first[defined.term]));
    term.unwrap_or_else(|| topic_of(first))
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(SAMPLE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(text: &str) -> Brief {
        Brief::read(text, &Tongue::of("", &[text]))
    }

    #[test]
    fn a_word_or_a_phrase_is_the_topic() {
        for text in ["Photosynthesis", "The causes of World War I", "  **Osmosis** in cells. "] {
            let found = brief(text);
            let bare = text.trim_matches(|character: char| !character.is_alphanumeric()).replace("**", "");
            assert_eq!((found.title.as_str(), found.topics.len()), (bare.as_str(), 0), "{text}");
        }
    }

    #[test]
    fn an_order_is_no_topic() {
        let found =
            brief("Create 8 questions about the water cycle for grade 5. Make them fun.\n- evaporation\n- rain");
        assert_eq!((found.title.as_str(), found.items), ("The water cycle", Some(8)));
        assert_eq!(found.topics, ["evaporation", "rain"]);
        assert!(found.nodes.iter().all(|node| !node.text.contains("fun")), "{:?}", found.nodes);
        let found = brief("1. Test statistics\n2. Use of fire\n3. Quiz on rivers\n4. Check valves");
        assert_eq!((found.nodes.len(), found.topics.len()), (4, 4), "{:?}", found.nodes);
    }

    #[test]
    fn a_number_in_a_text_orders_nothing() {
        let text = "In 1900 she passed 3 exams. ".to_owned() + &"Later she described the cells of plants. ".repeat(8);
        assert_eq!(brief(&text).items, None);
        assert_eq!(brief(&(text + "Write 12 questions about her.")).items, Some(12));
    }

    #[test]
    fn the_lines_of_an_outline_are_topics() {
        let found =
            brief("Cell biology\n- The nucleus: control centre\n- Topics: osmosis, diffusion and active transport");
        assert_eq!(found.title, "Cell biology");
        assert_eq!(found.topics, ["The nucleus", "osmosis", "diffusion", "active transport"]);
        assert_eq!(brief("1. Osmosis\n2. Diffusion").title, "Osmosis and Diffusion");
        let found = brief("Topic: Climate change\nSubtopics:\n- greenhouse effect\n- carbon cycle");
        assert_eq!(
            (found.title.as_str(), &found.topics[..]),
            ("Climate change", &["greenhouse effect".to_owned(), "carbon cycle".to_owned()][..])
        );
        let found = brief("Fractions: add them, divide them and compare them");
        assert_eq!((found.title.as_str(), found.topics.len()), ("Fractions", 3));
        assert_eq!(brief("# Unit 3: The cell\n- nucleus").title, "The cell");
        assert_eq!(brief("What is DNA?\nWhy do cells divide?").title, "What is DNA? …");
    }

    #[test]
    fn prose_is_about_what_it_defines() {
        let text = "A cell is the smallest unit of life. It has parts. The parts work together.";
        assert_eq!(brief(text).title, "Cell");
        assert_eq!(brief("Rivers carry water to the sea. They are long.").title, "Rivers carry water to the sea");
        assert_eq!(brief("… !").title, "");
    }
}
