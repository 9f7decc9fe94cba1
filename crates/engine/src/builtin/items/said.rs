//! What the whole material states, to check a claim against.

use std::collections::{HashMap, HashSet};

use language::normal::{mentions, normal};

use crate::builtin::material::Material;
use crate::reading::blocks::Body;
use crate::reading::flat::each_text;
use crate::text::stems::stems;

/// Most texts that are looked into, and the longest of them, in bytes.
const MAX_TEXTS: usize = 4_000;
const MAX_TEXT: usize = 2_000;

/// The statements of a material.
pub(super) struct Said {
    /// Letters and digits of everything.
    bare: String,
    statements: Vec<String>,
    /// Which statements hold a word.
    holding: HashMap<String, Vec<usize>>,
}

impl Said {
    pub(super) fn of(material: &Material) -> Self {
        let mut said = Self { bare: String::new(), statements: Vec::new(), holding: HashMap::new() };
        for lesson in &material.lessons {
            for sentence in &lesson.sentences {
                said.add(&sentence.text);
            }
            for block in &lesson.reading.blocks {
                match &block.body {
                    Body::Paragraph(_) => {}
                    Body::Table(table) => table.rows.iter().for_each(|row| said.add(&row.cells.join(" "))),
                    Body::Definitions(pairs) => {
                        pairs.iter().for_each(|pair| said.add(&format!("{} {}", pair.term, pair.definition)));
                    }
                    body => each_text(body, &mut |text| said.add(text)),
                }
            }
        }
        said
    }

    fn add(&mut self, text: &str) {
        if self.statements.len() >= MAX_TEXTS {
            return;
        }
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        let at = self.statements.len();
        let statement = normal(text);
        self.bare.push(' ');
        self.bare.extend(statement.chars().filter(|character| character.is_alphanumeric()));
        for word in stems(&statement) {
            self.holding.entry(word).or_default().push(at);
        }
        self.statements.push(statement);
    }

    /// Whether the source uses a word or a phrase, in the same letters.
    pub(super) fn mentions(&self, phrase: &str) -> bool {
        let form = normal(phrase);
        self.statements.iter().any(|statement| mentions(statement, &form))
    }

    /// Whether the source says this itself, word for word.
    pub(super) fn states(&self, claim: &str) -> bool {
        let bare: String = normal(claim).chars().filter(|character| character.is_alphanumeric()).collect();
        !bare.is_empty() && self.bare.contains(&bare)
    }

    /// Whether a statement that says most of a meaning also names a term: then the term may be what is meant.
    pub(super) fn may_mean(&self, term: &str, meaning: &HashSet<String>) -> bool {
        self.saying(meaning).any(|statement| mentions(statement, term))
    }

    /// Whether a statement says most of a meaning without naming its term: then it may speak of another one.
    pub(super) fn may_mean_another(&self, term: &str, meaning: &HashSet<String>) -> bool {
        self.saying(meaning).any(|statement| !mentions(statement, term))
    }

    /// The statements that say most of a meaning.
    pub(super) fn saying(&self, meaning: &HashSet<String>) -> impl Iterator<Item = &str> {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for at in meaning.iter().filter_map(|word| self.holding.get(word)).flatten() {
            *shared.entry(*at).or_default() += 1;
        }
        let most = meaning.len() * 3;
        shared.into_iter().filter(move |(_, shared)| shared * 5 >= most).map(|(at, _)| self.statements[at].as_str())
    }
}
