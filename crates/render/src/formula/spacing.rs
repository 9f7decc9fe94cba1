//! The space between the signs of a formula, by what they are.

use super::tree::{Class, Node};

/// The class of a node where it stands: a sign with nothing before it is no operation.
pub(super) fn effective(node: &Node, before: Option<Class>, after: Option<&Node>) -> Class {
    let class = match node {
        Node::Atom { class, .. } => *class,
        Node::Scripts { base, .. } => effective(base, before, after),
        Node::Row(nodes) if nodes.len() == 1 => effective(&nodes[0], before, after),
        Node::Fraction { .. } | Node::Fenced { .. } | Node::Row(_) | Node::Root { .. } | Node::Grid { .. } => {
            Class::Ordinary
        }
        Node::Text(_) | Node::Space(_) => Class::Ordinary,
    };
    let is_prefix = matches!(
        before,
        None | Some(Class::Binary | Class::Relation | Class::Open | Class::Punctuation | Class::Large)
    );
    if class == Class::Binary && (is_prefix || after.is_none()) { Class::Open } else { class }
}

/// The space between two atoms, in ems.
pub(super) fn space(before: Option<Class>, class: Class) -> f32 {
    use Class::{Binary, Close, Large, Open, Operator, Ordinary, Punctuation, Relation};
    match (before, class) {
        (None, _) => 0.0,
        (Some(Relation), Relation) => 0.0,
        (Some(Relation), _) | (_, Relation) => 0.30,
        (Some(Binary), _) | (_, Binary) => 0.24,
        (Some(Punctuation), _) => 0.20,
        (Some(Ordinary | Close | Operator | Large), Operator | Large) => 0.17,
        (Some(Operator), Ordinary) | (Some(Large), Ordinary | Open) => 0.17,
        _ => 0.02,
    }
}
