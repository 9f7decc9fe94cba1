//! A formula as a tree, and its only writer.

use std::fmt::Write as _;

use crate::escape::escape_into;

/// The encoding of the annotation that holds LaTeX.
const TEX: &str = "application/x-tex";

/// A formula that may stand on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    /// On a line of its own.
    pub(crate) display: bool,
    /// `dir` of the formula, where it has one.
    pub(super) dir: Option<String>,
    pub(super) nodes: Vec<Node>,
    /// The LaTeX that it keeps.
    pub(crate) latex: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Element { name: &'static str, attributes: Vec<(&'static str, String)>, children: Vec<Node> },
    Text(String),
}

impl Node {
    pub(super) fn new(name: &'static str, children: Vec<Node>) -> Self {
        Self::Element { name, attributes: Vec::new(), children }
    }

    /// An element that holds a text.
    pub(super) fn token(name: &'static str, text: &str) -> Self {
        Self::new(name, vec![Self::Text(text.to_owned())])
    }

    /// Whether anything can be seen of it.
    fn shows(&self) -> bool {
        match self {
            Self::Element { name, children, .. } => *name != "mphantom" && children.iter().any(Self::shows),
            Self::Text(text) => !text.trim().is_empty(),
        }
    }
}

impl Formula {
    /// The formula of a LaTeX; `None` when it can't be read.
    pub(crate) fn of_latex(latex: &str, display: bool) -> Option<Self> {
        super::render::formula(latex, display)
    }

    /// The formula as MathML.
    pub(crate) fn html(&self) -> String {
        let mut html = format!("<math display=\"{}\"", if self.display { "block" } else { "inline" });
        if let Some(dir) = &self.dir {
            let _ = write!(html, " dir=\"{dir}\"");
        }
        html.push('>');
        match &self.latex {
            Some(latex) => {
                html.push_str("<semantics><mrow>");
                write(&self.nodes, &mut html);
                let _ = write!(html, "</mrow><annotation encoding=\"{TEX}\">");
                escape_into(latex, &mut html);
                html.push_str("</annotation></semantics>");
            }
            None => write(&self.nodes, &mut html),
        }
        html.push_str("</math>");
        html
    }

    /// The formula in plain text: LaTeX between its delimiters, else the signs of its tree.
    pub(crate) fn text(&self) -> String {
        match &self.latex {
            Some(latex) if self.display => format!("$${latex}$$"),
            Some(latex) => format!("${latex}$"),
            None => {
                let mut text = String::new();
                self.nodes.iter().for_each(|node| signs(node, &mut text));
                text
            }
        }
    }

    /// Whether there is anything to look at.
    pub(crate) fn shows(&self) -> bool {
        self.latex.is_some() || self.nodes.iter().any(Node::shows)
    }
}

fn signs(node: &Node, text: &mut String) {
    match node {
        Node::Element { children, .. } => children.iter().for_each(|child| signs(child, text)),
        Node::Text(sign) => text.push_str(sign),
    }
}

fn write(nodes: &[Node], html: &mut String) {
    for node in nodes {
        match node {
            Node::Element { name, attributes, children } => {
                let _ = write!(html, "<{name}");
                for (attribute, value) in attributes {
                    let _ = write!(html, " {attribute}=\"");
                    escape_into(value, html);
                    html.push('"');
                }
                html.push('>');
                write(children, html);
                let _ = write!(html, "</{name}>");
            }
            Node::Text(text) => escape_into(text, html),
        }
    }
}
