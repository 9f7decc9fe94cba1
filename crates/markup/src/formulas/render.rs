//! LaTeX as a tree of MathML.
//!
//! `pulldown-latex` reads and renders. What it prints is not trusted: names of operators go into it unescaped, and so on.
//! It is read again by the reader of foreign MathML.

use std::convert::Infallible;
use std::panic::catch_unwind;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use pulldown_latex::config::DisplayMode;
use pulldown_latex::event::{Content, Dimension, DimensionUnit};
use pulldown_latex::{Event, Parser, RenderConfig, Storage, push_mathml};

use super::bounds;
use super::foreign::{Builder, Step};
use super::tree::Formula;

/// Most events of one formula; a character of LaTeX makes fewer than four.
const MOST_EVENTS: usize = 4 * bounds::LONGEST;
/// Most MathML for a byte of LaTeX, in bytes.
const MOST_GROWTH: usize = 100;

/// The space between two words, in ems.
const WORD_SPACE: f32 = 0.25;

/// The formula of a LaTeX; `None` when it can't be read.
pub(super) fn formula(latex: &str, display: bool) -> Option<Formula> {
    let latex = normal(latex);
    if latex.is_empty() || !bounds::is_bounded(&latex) {
        return None;
    }
    // A page must not fail for ever because a formula on it meets a fault of the parser.
    let html = catch_unwind(|| rendered(&latex, display)).ok()??;
    if html.len() > MOST_GROWTH * (latex.len() + 1) {
        return None;
    }
    let mut formula = read(&html)?;
    formula.latex = Some(latex);
    Some(formula)
}

/// LaTeX as it is kept: without space around it, and with the line ends that HTML leaves.
pub(super) fn normal(latex: &str) -> String {
    latex.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned()
}

fn rendered(latex: &str, display: bool) -> Option<String> {
    let storage = Storage::new();
    let events = Parser::new(latex, &storage).take(MOST_EVENTS).map(|event| event.ok().and_then(sound));
    let events = events.collect::<Option<Vec<Event<'_>>>>().filter(|events| events.len() < MOST_EVENTS)?;
    let display_mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut html = String::new();
    let events = events.into_iter().map(Ok::<_, Infallible>);
    push_mathml(&mut html, events, RenderConfig { display_mode, ..RenderConfig::default() }).ok()?;
    Some(html)
}

/// An event that the renderer writes as well-formed markup; `None` when it has no such form.
fn sound(event: Event<'_>) -> Option<Event<'_>> {
    match event {
        Event::Content(Content::Function(name)) if name.contains(['<', '>', '&']) => None,
        // The parser writes a space of words as an entity, which the renderer escapes.
        Event::Content(Content::Text("&nbsp;")) => {
            Some(Event::Space { width: Some(Dimension::new(WORD_SPACE, DimensionUnit::Em)), height: None, depth: None })
        }
        // The renderer begins no element for a space without a width.
        Event::Space { width: None, height, depth } => {
            Some(Event::Space { width: Some(Dimension::new(0.0, DimensionUnit::Em)), height, depth })
        }
        other => Some(other),
    }
}

/// The tree of what the renderer printed.
fn read(html: &str) -> Option<Formula> {
    let mut builder: Option<Builder> = None;
    for token in Tokenizer::new_with_emitter(html, DefaultEmitter::default()) {
        let Ok(token) = token;
        let step = match (&mut builder, token) {
            (None, Token::StartTag(tag)) => {
                builder = Some(Builder::new(&tag));
                Step::Taken
            }
            (Some(builder), Token::StartTag(tag)) => builder.start(&tag),
            (Some(builder), Token::EndTag(tag)) => builder.end(&tag.name),
            (Some(builder), Token::String(text)) => builder.text(&text),
            _ => Step::Taken,
        };
        match step {
            Step::Taken => {}
            Step::Done => break,
            Step::Broken => return None,
        }
    }
    builder.filter(|builder| !builder.is_cut()).map(Builder::finish).filter(Formula::shows)
}
