//! MathML of others, read tag by tag into a tree that holds only what is allowed.
//!
//! The reader never trusts nesting: HTML inside of a formula ends it, or loses its tags where a text may stand. What
//! MathML keeps beside the formula (`annotation-xml`) is dropped, but for LaTeX.

use html5gum::emitters::default::StartTag;

use super::allowed as math;
use super::tree::{Formula, Node};
use super::{bounds, render};
use crate::allowed;

/// Elements deeper than this lose their tags.
const MOST_NESTED: usize = 100;
/// Elements that never have content.
const EMPTY: [&str; 3] = ["mspace", "mprescripts", "none"];
/// The names under which LaTeX is annotated.
const TEX: [&str; 7] =
    ["application/x-tex", "application/x-latex", "text/x-latex", "text/x-tex", "tex", "latex", "math/tex"];

/// What became of a part of the markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It belongs to the formula.
    Taken,
    /// It ended the formula.
    Done,
    /// It is HTML: the formula ended before it.
    Broken,
}

/// Reads what stands between `<math>` and `</math>`.
pub(crate) struct Builder {
    display: bool,
    dir: Option<String>,
    latex: Option<String>,
    /// Open elements inside of the formula, the outermost first.
    open: Vec<Frame>,
    top: Vec<Node>,
    /// How many `<math>` are open.
    maths: usize,
    /// Elements that were too deep and are open.
    too_deep: usize,
    is_cut: bool,
    beside: Beside,
}

/// Where the reader is when it is not in the formula itself.
enum Beside {
    Nothing,
    /// LaTeX is being read.
    Latex(String),
    /// An element is dropped with its content; how many of its name are open.
    Dropped(Vec<u8>, usize),
}

struct Frame {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
    /// Of a table: where the cells of each column are aligned.
    columns: Vec<&'static str>,
    /// Of a fence: what it opens with, closes with, and has between.
    fence: [String; 3],
}

impl Builder {
    /// Begins with the start tag of `<math>`.
    pub(crate) fn new(tag: &StartTag<()>) -> Self {
        let value = |name: &[u8]| value(tag, name).unwrap_or_default();
        let is_block = value(b"display").eq_ignore_ascii_case("block") || value(b"mode") == "display";
        Self {
            display: is_block,
            dir: Some(value(b"dir")).filter(|dir| dir == "rtl"),
            latex: None,
            open: Vec::new(),
            top: Vec::new(),
            maths: usize::from(!tag.self_closing),
            too_deep: 0,
            is_cut: false,
            beside: Beside::Nothing,
        }
    }

    /// Whether the start tag was the whole formula.
    pub(crate) fn is_done(&self) -> bool {
        self.maths == 0
    }

    pub(crate) fn start(&mut self, tag: &StartTag<()>) -> Step {
        let name: &[u8] = &tag.name;
        if name == b"math" {
            self.maths += usize::from(!tag.self_closing);
            return Step::Taken;
        }
        if let Beside::Dropped(dropped, depth) = &mut self.beside {
            *depth += usize::from(dropped == name && !tag.self_closing);
            return Step::Taken;
        }
        if self.breaks_out(name) {
            return Step::Broken;
        }
        if matches!(self.beside, Beside::Latex(_)) || tag.self_closing && allowed::DROPPED_WHOLE.contains(&name) {
            return Step::Taken;
        }
        if name == b"annotation" && value(tag, b"encoding").is_some_and(|encoding| is_tex(&encoding)) {
            self.beside = Beside::Latex(String::new());
        } else if allowed::DROPPED_WHOLE.contains(&name) {
            self.beside = Beside::Dropped(name.to_vec(), 1);
        } else if let Some(name) = math::element(name) {
            self.open(name, tag);
        }
        Step::Taken
    }

    pub(crate) fn end(&mut self, name: &[u8]) -> Step {
        if name == b"math" {
            self.maths = self.maths.saturating_sub(1);
            return if self.maths == 0 { Step::Done } else { Step::Taken };
        }
        match &mut self.beside {
            Beside::Dropped(dropped, depth) => {
                *depth -= usize::from(dropped == name);
                if *depth == 0 {
                    self.beside = Beside::Nothing;
                }
                return Step::Taken;
            }
            Beside::Latex(latex) if name == b"annotation" => {
                let latex = render::normal(latex);
                self.latex = Some(latex).filter(|latex| bounds::is_kept(latex)).or(self.latex.take());
                self.beside = Beside::Nothing;
                return Step::Taken;
            }
            _ => {}
        }
        if self.breaks_out(name) {
            return Step::Broken;
        }
        let Some(name) = math::element(name) else { return Step::Taken };
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some(at) = self.open.iter().rposition(|frame| frame.name == name) {
            while self.open.len() > at {
                self.close();
            }
        }
        Step::Taken
    }

    pub(crate) fn text(&mut self, text: &[u8]) -> Step {
        let text = String::from_utf8_lossy(text);
        match &mut self.beside {
            Beside::Dropped(..) => {}
            Beside::Latex(latex) => latex.push_str(&text),
            Beside::Nothing => self.sign(&text),
        }
        Step::Taken
    }

    /// The formula as it was read.
    pub(crate) fn finish(mut self) -> Formula {
        while !self.open.is_empty() {
            self.close();
        }
        let nodes = if self.latex.is_some() { without_row(self.top) } else { self.top };
        Formula { display: self.display, dir: self.dir, nodes, latex: self.latex }
    }

    /// The formula as it is shown: of its LaTeX, if that can be read.
    pub(crate) fn renewed(self) -> Formula {
        let read = self.finish();
        let of_latex = read.latex.as_deref().and_then(|latex| render::formula(latex, read.display));
        of_latex.unwrap_or(read)
    }

    /// Whether elements lost their tags because they were too deep.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether a tag is HTML that doesn't belong into the formula. Text may be marked up inside of a token.
    fn breaks_out(&self, name: &[u8]) -> bool {
        let Some((name, _)) = allowed::element(name) else { return false };
        let is_in_token = self.open.last().is_some_and(|frame| math::is_token(frame.name));
        if is_in_token { allowed::is_block(name) } else { name != "a" }
    }

    fn open(&mut self, name: &'static str, tag: &StartTag<()>) {
        if self.open.last().is_some_and(|frame| math::is_token(frame.name)) {
            self.close();
        }
        let is_empty = tag.self_closing || EMPTY.contains(&name);
        if self.open.len() >= MOST_NESTED {
            self.too_deep += usize::from(!is_empty);
            self.is_cut = true;
            return;
        }
        let mut attributes = Vec::new();
        for (attribute, value) in &tag.attributes {
            attributes.extend(math::attribute(name, attribute, &value.value));
        }
        let classes = value(tag, b"class").unwrap_or_default();
        for (class, side) in [("cell-left", "left"), ("cell-right", "right")] {
            if name == "mtd" && classes.split_ascii_whitespace().any(|found| found == class) {
                attributes.push(("columnalign", side.to_owned()));
            }
        }
        let columns = if name == "mtable" {
            columns(&classes, &value(tag, b"columnalign").unwrap_or_default())
        } else {
            Vec::new()
        };
        let fence = if name == "mfenced" { fence(tag) } else { <[String; 3]>::default() };
        self.open.push(Frame { name, attributes, children: Vec::new(), columns, fence });
        if is_empty {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(mut frame) = self.open.pop() else { return };
        match frame.name {
            "mtable" => align(&mut frame.children, &frame.columns),
            "mfenced" => {
                frame.name = "mrow";
                frame.children = fenced(frame.children, &frame.fence);
            }
            _ => {}
        }
        self.push(Node::Element { name: frame.name, attributes: frame.attributes, children: frame.children });
    }

    fn push(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(frame) => frame.children.push(node),
            None => self.top.push(node),
        }
    }

    /// Text of the formula; outside of a token it gets one.
    fn sign(&mut self, text: &str) {
        let text: String = text.chars().filter(|sign| !is_dropped(*sign)).collect();
        match self.open.last_mut() {
            Some(frame) if math::is_token(frame.name) => match frame.children.last_mut() {
                Some(Node::Text(before)) => before.push_str(&text),
                _ => frame.children.push(Node::Text(text)),
            },
            _ if text.trim().is_empty() => {}
            _ => self.push(Node::token("mtext", text.trim())),
        }
    }
}

/// What stands in the row around a formula with an annotation: the row is written anew.
fn without_row(mut nodes: Vec<Node>) -> Vec<Node> {
    match &mut nodes[..] {
        [Node::Element { name: "mrow", attributes, children }] if attributes.is_empty() => std::mem::take(children),
        _ => nodes,
    }
}

/// Signs that mean something else to the next reader: NUL, and the noncharacters.
fn is_dropped(sign: char) -> bool {
    sign == '\0' || sign == '\r' || ('\u{FDD0}'..='\u{FDEF}').contains(&sign)
}

fn is_tex(encoding: &str) -> bool {
    TEX.contains(&encoding.trim().to_ascii_lowercase().as_str())
}

fn value(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let found = tag.attributes.iter().find(|(attribute, _)| ***attribute == *name);
    found.map(|(_, value)| String::from_utf8_lossy(&value.value).into_owned())
}

/// How the columns of a table are aligned, as a list or as the renderer's classes say.
fn columns(classes: &str, list: &str) -> Vec<&'static str> {
    let has = |class: &str| classes.split_ascii_whitespace().any(|found| found == class);
    if has("menv-cells-left") {
        return vec!["left"];
    }
    if has("menv-cells-right") {
        return vec!["right"];
    }
    if has("menv-alignlike") {
        return ["right", "left"].repeat(8);
    }
    let side = |word: &str| ["left", "center", "right"].into_iter().find(|known| *known == word).unwrap_or("center");
    list.split_ascii_whitespace().take(64).map(side).collect()
}

/// Writes the alignment into the cells that say nothing of their own.
fn align(rows: &mut [Node], columns: &[&'static str]) {
    let Some(last) = columns.len().checked_sub(1) else { return };
    for row in rows {
        let Node::Element { children, .. } = row else { continue };
        for (at, cell) in children.iter_mut().enumerate() {
            if let Node::Element { name: "mtd", attributes, .. } = cell
                && attributes.iter().all(|(name, _)| *name != "columnalign")
            {
                attributes.push(("columnalign", columns[at.min(last)].to_owned()));
            }
        }
    }
}

fn fence(tag: &StartTag<()>) -> [String; 3] {
    let short = |name: &[u8], otherwise: &str| {
        let sign = value(tag, name).unwrap_or_else(|| otherwise.to_owned());
        sign.chars().filter(|sign| !sign.is_whitespace() && !is_dropped(*sign)).take(4).collect()
    };
    [short(b"open", "("), short(b"close", ")"), short(b"separators", ",")]
}

/// The children of a fence with the signs around and between them.
fn fenced(children: Vec<Node>, [opening, closing, between]: &[String; 3]) -> Vec<Node> {
    let sign = |text: &str| (!text.is_empty()).then(|| Node::token("mo", text));
    let mut row: Vec<Node> = sign(opening).into_iter().collect();
    let separators: Vec<String> = between.chars().map(String::from).collect();
    for (at, child) in children.into_iter().enumerate() {
        if let (Some(before), Some(last)) = (at.checked_sub(1), separators.last()) {
            row.extend(sign(separators.get(before).unwrap_or(last)));
        }
        row.push(child);
    }
    row.extend(sign(closing));
    row
}
