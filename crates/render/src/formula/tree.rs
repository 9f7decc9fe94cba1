//! The tree of a LaTeX formula.
//!
//! `pulldown-latex` reads. Formulas are short, shallow and define nothing, so that the reader's time and stack are small.

use std::panic::catch_unwind;

use pulldown_latex::event::{
    Dimension, DimensionUnit, EnvironmentFlow, Font, Grouping, ScriptPosition, ScriptType, StateChange, Visual,
};
use pulldown_latex::{Event, Parser, Storage};

use super::letters::{atom, negated};

/// Longest LaTeX, in bytes.
const LONGEST: usize = 1_000;
/// Most commands, groups and delimiters.
const MOST_COMMANDS: usize = 60;
const MOST_GROUPS: usize = 120;
/// Deepest nesting that is placed.
const DEEPEST: usize = 24;
/// Most events of one formula.
const MOST_EVENTS: usize = 4 * LONGEST;
/// Commands that are not read: they define others, or make the reader panic.
const REFUSED: [&str; 10] =
    ["\\char", "\\def", "\\edef", "\\gdef", "\\xdef", "\\let", "\\future", "\\newc", "\\renewc", "\\providec"];

/// What an atom is, for the space around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Ordinary,
    Operator,
    Large,
    Binary,
    Relation,
    Open,
    Close,
    Punctuation,
}

/// How cells stand in their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    Centered,
    Left,
    /// Right and left by turns, as equations are aligned.
    Aligned,
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Row(Vec<Node>),
    /// Glyphs of the mathematical font.
    Atom {
        text: String,
        class: Class,
    },
    /// Running text.
    Text(String),
    /// In ems.
    Space(f32),
    Fraction {
        over: Box<Node>,
        under: Box<Node>,
        has_line: bool,
    },
    Root {
        radicand: Box<Node>,
        index: Option<Box<Node>>,
    },
    Scripts {
        base: Box<Node>,
        sub: Option<Box<Node>>,
        sup: Option<Box<Node>>,
        is_stacked: bool,
    },
    Fenced {
        open: Option<char>,
        inside: Box<Node>,
        close: Option<char>,
    },
    Grid {
        rows: Vec<Vec<Node>>,
        columns: Columns,
    },
}

/// The tree of a LaTeX formula; `None` when it can't be read.
pub(super) fn read(latex: &str) -> Option<Node> {
    if !is_bounded(latex) {
        return None;
    }
    catch_unwind(|| {
        let storage = Storage::new();
        let events: Result<Vec<Event<'_>>, _> = Parser::new(latex, &storage).take(MOST_EVENTS).collect();
        let events = events.ok().filter(|events| events.len() < MOST_EVENTS)?;
        let mut reader = Reader { events: events.into_iter(), depth: 0 };
        let (row, _) = reader.row(None, false)?;
        Some(row)
    })
    .ok()?
}

/// A formula in two lines, the second of which begins with the relation nearest to the middle.
pub(super) fn in_lines(tree: &Node) -> Option<Node> {
    let Node::Row(nodes) = tree else { return None };
    let is_relation = |at: &usize| matches!(nodes[*at], Node::Atom { class: Class::Relation, .. });
    let at = (1..nodes.len()).filter(is_relation).min_by_key(|at| at.abs_diff(nodes.len() / 2))?;
    let (first, second) = nodes.split_at(at);
    let row = |nodes: &[Node]| vec![Node::Row(nodes.to_vec())];
    Some(Node::Grid { rows: vec![row(first), row(second)], columns: Columns::Centered })
}

fn is_bounded(latex: &str) -> bool {
    latex.len() <= LONGEST
        && latex.matches('\\').count() <= MOST_COMMANDS
        && latex.matches(['{', '[']).count() <= MOST_GROUPS
        && !latex.contains(|character: char| character.is_control())
        && !REFUSED.iter().any(|refused| latex.contains(refused))
}

struct Reader<'e> {
    events: std::vec::IntoIter<Event<'e>>,
    depth: usize,
}

/// What ended a row.
#[derive(PartialEq, Eq)]
enum Ending {
    Group,
    Cell,
    Line,
}

impl Reader<'_> {
    /// Elements up to the end of their group, or of a cell.
    fn row(&mut self, font: Option<Font>, in_grid: bool) -> Option<(Node, Ending)> {
        let mut nodes = Vec::new();
        let mut font = font;
        while let Some(event) = self.events.next() {
            match event {
                Event::End => return Some((Node::Row(nodes), Ending::Group)),
                Event::StateChange(StateChange::Font(next)) => font = next,
                Event::StateChange(_) => {}
                Event::EnvironmentFlow(EnvironmentFlow::Alignment) if in_grid => {
                    return Some((Node::Row(nodes), Ending::Cell));
                }
                Event::EnvironmentFlow(EnvironmentFlow::NewLine { .. }) if in_grid => {
                    return Some((Node::Row(nodes), Ending::Line));
                }
                Event::EnvironmentFlow(_) => {}
                other => nodes.push(self.element(other, font)?),
            }
        }
        Some((Node::Row(nodes), Ending::Group))
    }

    /// The element that stands next.
    fn next(&mut self, font: Option<Font>) -> Option<Box<Node>> {
        loop {
            match self.events.next()? {
                Event::StateChange(_) => {}
                Event::End | Event::EnvironmentFlow(_) => return None,
                event => return self.element(event, font).map(Box::new),
            }
        }
    }

    fn element(&mut self, event: Event<'_>, font: Option<Font>) -> Option<Node> {
        self.depth += 1;
        let node = if self.depth > DEEPEST { None } else { self.node(event, font) };
        self.depth -= 1;
        node
    }

    fn node(&mut self, event: Event<'_>, font: Option<Font>) -> Option<Node> {
        Some(match event {
            Event::Content(content) => atom(&content, font),
            Event::Begin(grouping) => self.group(&grouping, font)?,
            Event::Visual(Visual::SquareRoot) => Node::Root { radicand: self.next(font)?, index: None },
            Event::Visual(Visual::Root) => Node::Root { radicand: self.next(font)?, index: Some(self.next(font)?) },
            Event::Visual(Visual::Fraction(line)) => {
                let has_line = line.is_none_or(|line| line.value > 0.0);
                Node::Fraction { over: self.next(font)?, under: self.next(font)?, has_line }
            }
            Event::Visual(Visual::Negation) => negated(*self.next(font)?),
            Event::Script { ty, position } => {
                let base = self.next(font)?;
                let first = self.next(font)?;
                let (sub, sup) = match ty {
                    ScriptType::Subscript => (Some(first), None),
                    ScriptType::Superscript => (None, Some(first)),
                    ScriptType::SubSuperscript => (Some(first), Some(self.next(font)?)),
                };
                let is_stacked = position != ScriptPosition::Right;
                Node::Scripts { base, sub, sup, is_stacked }
            }
            Event::Space { width, .. } => Node::Space(width.map_or(0.0, ems)),
            Event::StateChange(_) | Event::EnvironmentFlow(_) | Event::End => return None,
        })
    }

    fn group(&mut self, grouping: &Grouping, font: Option<Font>) -> Option<Node> {
        Some(match grouping {
            Grouping::Normal => self.row(font, false)?.0,
            Grouping::LeftRight(open, close) => {
                let inside = Box::new(self.row(font, false)?.0);
                Node::Fenced { open: *open, inside, close: *close }
            }
            Grouping::Cases { left } => {
                let inside = Box::new(self.grid(font, Columns::Left)?);
                let brace = |is_there: bool, brace| is_there.then_some(brace);
                Node::Fenced { open: brace(*left, '{'), inside, close: brace(!*left, '}') }
            }
            Grouping::Array(_) | Grouping::Matrix { .. } | Grouping::SubArray { .. } => {
                self.grid(font, Columns::Centered)?
            }
            _ => self.grid(font, Columns::Aligned)?,
        })
    }

    fn grid(&mut self, font: Option<Font>, columns: Columns) -> Option<Node> {
        let mut rows = vec![Vec::new()];
        loop {
            let (cell, ending) = self.row(font, true)?;
            if let Some(row) = rows.last_mut() {
                row.push(cell);
            }
            match ending {
                Ending::Cell => {}
                Ending::Line => rows.push(Vec::new()),
                Ending::Group => break,
            }
        }
        // A line end behind the last row begins no other.
        rows.pop_if(|row| matches!(row.as_slice(), [Node::Row(cell)] if cell.is_empty()));
        Some(Node::Grid { rows, columns })
    }
}

fn ems(dimension: Dimension) -> f32 {
    let unit = match dimension.unit {
        DimensionUnit::Em => 1.0,
        DimensionUnit::Ex => 0.45,
        DimensionUnit::Mu => 1.0 / 18.0,
        _ => 0.1,
    };
    (dimension.value * unit).clamp(-1.0, 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_formulas_are_not_read() {
        let nested = format!("{}x{}", "{".repeat(100), "}".repeat(100));
        let roots = format!("{}x", r"\sqrt".repeat(50));
        for latex in [r"\def\a{\a}\a", r"\char é", r"\frac{", r"\unknowncommand", &"x".repeat(2_000), &nested, &roots]
        {
            assert_eq!(read(latex), None, "{latex}");
        }
    }

    #[test]
    fn parts_of_a_formula_are_read() {
        let Some(Node::Row(nodes)) = read(r"x^2 = \frac{a}{\sqrt{b}}") else { panic!() };
        assert!(matches!(&nodes[0], Node::Scripts { sup: Some(_), sub: None, is_stacked: false, .. }));
        assert!(matches!(&nodes[2], Node::Fraction { has_line: true, .. }));
        let Some(Node::Row(sum)) = read(r"\sum_{i=1}^n i") else { panic!() };
        assert!(matches!(&sum[0], Node::Scripts { is_stacked: true, .. }));
        let Some(Node::Row(matrix)) = read(r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}") else { panic!() };
        let text = format!("{matrix:?}");
        assert!(text.contains("Grid") && text.contains("Fenced"), "{text}");
    }
}
