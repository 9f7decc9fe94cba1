//! Code in colours: a `span` with one of a few classes around each word that its language gives a role.
//!
//! The text stays the same, sign for sign; what is added passes the guard like everything else. Work is bounded: code that is long, has
//! long lines or names a language that is not known stays plain. The grammars are those that `two-face` collects for `bat`.

use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::allowed::language_class;
use crate::pieces::Piece;
use crate::{SafeHtml, escape};

/// Longer code, in bytes, stays plain.
const LONGEST_CODE: usize = 16 * 1024;
/// Code with a longer line, in bytes, stays plain: a grammar may look at a line once for each of its places.
const LONGEST_LINE: usize = 400;
/// The most code of a content that is highlighted, in bytes.
const MOST_CODE: usize = 64 * 1024;
/// The most `span` elements that are added to a content. Code that would need more stays plain.
const MOST_SPANS: usize = 8_000;

/// The classes. Nothing else names the roles of words to a style sheet.
pub(crate) const CLASSES: [&str; 10] = [
    "code-attribute",
    "code-comment",
    "code-constant",
    "code-deleted",
    "code-function",
    "code-inserted",
    "code-keyword",
    "code-string",
    "code-tag",
    "code-type",
];

/// Names of languages that their grammars don't know.
const ALIASES: [(&str, &str); 7] = [
    ("shell", "bash"),
    ("console", "bash"),
    ("golang", "go"),
    ("jsx", "js"),
    ("node", "js"),
    ("objectivec", "objective-c"),
    ("mysql", "sql"),
];

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// What the scopes of a grammar mean: the class of the first one that begins like the scope, or none at all.
static ROLES: LazyLock<Vec<(Scope, Option<&'static str>)>> = LazyLock::new(|| {
    let roles = [
        ("comment", Some("code-comment")),
        ("meta.interpolation", None),
        ("source", None),
        ("constant", Some("code-constant")),
        ("variable.language", Some("code-constant")),
        ("support.constant", Some("code-constant")),
        ("string", Some("code-string")),
        ("keyword.operator.word", Some("code-keyword")),
        ("keyword.operator.logical.python", Some("code-keyword")),
        ("keyword.operator", None),
        ("keyword", Some("code-keyword")),
        ("storage", Some("code-keyword")),
        ("entity.name.function", Some("code-function")),
        ("variable.function", Some("code-function")),
        ("support.function", Some("code-function")),
        ("entity.name.tag", Some("code-tag")),
        ("entity.other.attribute-name", Some("code-attribute")),
        ("support.type.property-name", Some("code-attribute")),
        ("entity.name", Some("code-type")),
        ("entity.other.inherited-class", Some("code-type")),
        ("support.class", Some("code-type")),
        ("support.type", Some("code-type")),
        ("markup.inserted", Some("code-inserted")),
        ("markup.deleted", Some("code-deleted")),
    ];
    let known = roles.into_iter().filter_map(|(name, class)| Some((Scope::new(name).ok()?, class)));
    known.collect()
});

/// A part of code whose words have the same role, if any.
type Run<'a> = (Option<&'static str>, &'a str);

/// Code as HTML, in colours where its language is known and the work has a bound.
pub fn highlight_code(code: &str, language: &str) -> SafeHtml {
    let runs = syntax(language).filter(|_| is_short(code)).and_then(|syntax| parse(syntax, code));
    let runs = runs.filter(|runs| runs.len() <= MOST_SPANS).unwrap_or_else(|| vec![(None, code)]);
    let html = runs.into_iter().map(|(class, text)| match class.filter(|_| !text.trim().is_empty()) {
        Some(class) => format!("<span class=\"{class}\">{}</span>", escape(text)),
        None => escape(text),
    });
    SafeHtml(html.collect())
}

/// Highlights the code blocks that name their language.
pub(crate) fn highlight(pieces: Vec<Piece>) -> Vec<Piece> {
    let (mut bytes, mut spans) = (MOST_CODE, MOST_SPANS);
    let mut done = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let found = block(&pieces[at..]).filter(|block| block.code.len() <= bytes && is_short(&block.code));
        // Code is counted as it is read, also where it needs too many spans.
        bytes -= found.as_ref().map_or(0, |block| block.code.len());
        let runs = found.as_ref().and_then(|block| parse(block.syntax, &block.code));
        match (&found, runs.filter(|runs| runs.len() <= spans)) {
            (Some(block), Some(runs)) => {
                done.extend_from_slice(&pieces[at..at + block.start]);
                spans -= runs.len();
                runs.into_iter().for_each(|run| write(run, &mut done));
                at += block.end;
            }
            _ => {
                done.push(pieces[at].clone());
                at += 1;
            }
        }
    }
    done
}

/// A code block at the beginning of some pieces.
struct Block {
    syntax: &'static SyntaxReference,
    code: String,
    /// Where its text begins and ends.
    start: usize,
    end: usize,
}

/// The block that begins here: preformatted text without elements inside, in a language that has a grammar.
fn block(pieces: &[Piece]) -> Option<Block> {
    let class = |piece: &Piece, wanted: &str| match piece {
        Piece::Open { name, attributes, .. } if *name == wanted => {
            Some(attributes.iter().find(|(name, _)| *name == "class").map(|(_, class)| class.clone()))
        }
        _ => None,
    };
    let outer = class(pieces.first()?, "pre")?;
    let inner = class(pieces.get(1)?, "code");
    let start = if inner.is_some() { 2 } else { 1 };
    let syntax = syntax(language_class(&inner.flatten().or(outer)?)?)?;
    let texts = pieces[start..].iter().map_while(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let end = start + texts.clone().count();
    matches!(pieces.get(end)?, Piece::Close(_)).then(|| Block { syntax, code: texts.collect(), start, end })
}

fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let language = ALIASES.iter().find(|(alias, _)| *alias == language).map_or(language, |(_, name)| name);
    let found = SYNTAXES.find_syntax_by_token(language)?;
    (found.scope != SYNTAXES.find_syntax_plain_text().scope).then_some(found)
}

/// Whether the work on code has a bound.
fn is_short(code: &str) -> bool {
    code.len() <= LONGEST_CODE && code.lines().all(|line| line.len() <= LONGEST_LINE)
}

/// The parts of code as its grammar finds them, line by line; `None` where the grammar fails.
fn parse<'a>(syntax: &SyntaxReference, code: &'a str) -> Option<Vec<Run<'a>>> {
    let (mut state, mut stack) = (ParseState::new(syntax), ScopeStack::new());
    let mut runs = Runs { code, runs: Vec::new(), end: 0 };
    let (mut line_start, mut class) = (0, None);
    for line in code.split_inclusive('\n') {
        for (offset, change) in state.parse_line(line, &SYNTAXES).ok()? {
            runs.add(class, line_start + offset);
            stack.apply(&change).ok()?;
            class = role(&stack);
        }
        line_start += line.len();
    }
    runs.add(class, code.len());
    Some(runs.runs)
}

/// The parts of code so far.
struct Runs<'a> {
    code: &'a str,
    runs: Vec<Run<'a>>,
    /// Where the last one ends.
    end: usize,
}

impl Runs<'_> {
    /// Adds what stands up to here, to the last part where that has the same class.
    fn add(&mut self, class: Option<&'static str>, end: usize) {
        if end <= self.end {
            return;
        }
        match self.runs.last_mut().filter(|(last, _)| *last == class) {
            Some((_, text)) => *text = &self.code[self.end - text.len()..end],
            None => self.runs.push((class, &self.code[self.end..end])),
        }
        self.end = end;
    }
}

/// The class of the words that stand here.
fn role(stack: &ScopeStack) -> Option<&'static str> {
    let of = |scope: &Scope| ROLES.iter().find(|(known, _)| known.is_prefix_of(*scope)).map(|(_, class)| *class);
    let is_comment = stack.as_slice().iter().any(|scope| of(scope) == Some(Some("code-comment")));
    if is_comment { Some("code-comment") } else { stack.as_slice().iter().rev().find_map(of).flatten() }
}

fn write((class, text): Run<'_>, pieces: &mut Vec<Piece>) {
    let Some(class) = class.filter(|_| !text.trim().is_empty()) else {
        pieces.extend((!text.is_empty()).then(|| Piece::Text(text.to_owned())));
        return;
    };
    pieces.push(Piece::Open { name: "span", attributes: vec![("class", class.to_owned())], is_notes: false });
    pieces.push(Piece::Text(text.to_owned()));
    pieces.push(Piece::Close("span"));
}

#[cfg(test)]
mod tests {
    use testkit::assert_linear;

    use super::*;
    use crate::Sanitizer;
    use crate::entities;

    fn shown(language: &str, code: &str) -> String {
        let html = format!("<pre><code class=\"language-{language}\">{}</code></pre>", escape(code));
        Sanitizer::new(vec![]).with_highlighting().html(&html).as_str().to_owned()
    }

    /// The text of HTML without its tags.
    fn text(html: &str) -> String {
        let parts = html.split('<').enumerate();
        let texts =
            parts.map(|(at, part)| if at == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
        entities::decode(&texts.collect::<String>())
    }

    #[test]
    fn words_get_the_classes_of_their_roles() {
        let python = shown("python", "def area(r):  # of a circle\n    return \"r\" + 3.14\n");
        for expected in [
            "<span class=\"code-keyword\">def</span>",
            "<span class=\"code-function\">area</span>",
            "<span class=\"code-comment\"># of a circle\n</span>",
            "<span class=\"code-keyword\">return</span>",
            "<span class=\"code-string\">\"r\"</span>",
            "<span class=\"code-constant\">3.14</span>",
        ] {
            assert!(python.contains(expected), "{expected} in {python}");
        }
        let html = shown("html", "<p class=\"a\">x</p>");
        assert!(html.contains("<span class=\"code-tag\">p</span>"), "{html}");
        assert!(html.contains("<span class=\"code-attribute\">class</span>"), "{html}");
    }

    #[test]
    fn the_languages_that_schools_teach_have_colours() {
        let all = [
            ("c", "int main(void) { return 0; }"),
            ("c++", "class A { int x = 1; };"),
            ("c#", "public class A { int x = 1; }"),
            ("css", "a { color: red; }"),
            ("go", "func main() { return 1 }"),
            ("java", "class A { int x = 1; }"),
            ("javascript", "const a = 1;"),
            ("json", "{\"a\": 1}"),
            ("kotlin", "fun main() { val a = 1 }"),
            ("php", "<?php echo 1;"),
            ("r", "x <- function(a) 1"),
            ("ruby", "def a; 1; end"),
            ("rust", "fn main() { let a = 1; }"),
            ("shell", "if true; then echo 1; fi"),
            ("sql", "SELECT 1 FROM a"),
            ("swift", "let a = 1"),
            ("typescript", "const a: number = 1;"),
            ("yaml", "a: 1"),
        ];
        for (language, code) in all {
            let html = shown(language, code);
            assert!(html.contains("<span class=\"code-"), "{language}: {html}");
            assert_eq!(text(&html), code, "{language}");
        }
    }

    #[test]
    fn what_is_unknown_long_or_holds_elements_stays_plain() {
        for (language, code) in [
            ("plattdeutsch", "if x = 1"),
            ("txt", "if x = 1"),
            ("python", &"x = 1\n".repeat(LONGEST_CODE / 6 + 1)),
            ("python", &format!("x = \"{}\"", "a".repeat(LONGEST_LINE))),
        ] {
            let html = shown(language, code);
            assert!(!html.contains("<span"), "{html}");
            assert_eq!(text(&html), code);
        }
        let sanitizer = Sanitizer::new(vec![]).with_highlighting();
        let html = "<pre><code class=\"language-python\">x = <mark>1</mark></code></pre><p><code class=\"language-python\">x = 1</code></p>";
        assert_eq!(sanitizer.html(html).as_str(), html);
        let without = Sanitizer::new(vec![]).html("<pre><code class=\"language-c\">int x;</code></pre>");
        assert!(!without.as_str().contains("<span"), "exports stay as they were written");
    }

    #[test]
    fn a_content_has_an_end_of_colours() {
        let one = format!("<pre><code class=\"language-c\">{}</code></pre>", "x = 1 + 2 * 3;\n".repeat(1000));
        let html = Sanitizer::new(vec![]).with_highlighting().html(&one.repeat(10));
        assert!(html.as_str().contains("<span") && html.as_str().matches("<span").count() <= MOST_SPANS);
    }

    #[test]
    fn no_customer_names_a_class_of_ours() {
        let sanitizer = Sanitizer::new(vec![]).with_highlighting();
        assert_eq!(sanitizer.html("<span class=\"code-keyword\">x</span>").as_str(), "<span>x</span>");
        let html = shown("html", "</code></pre><script>alert(1)</script><span class=\"code-tag\" onclick=x>");
        assert!(!html.contains("<script") && !html.contains(" onclick=x>"), "{html}");
    }

    #[test]
    fn hostile_code_takes_linear_time() {
        let shapes = ["(", "\"", "{{", "<a ", "/*", "a.b(", "\\", "`${", "x = [", "'''", "#{", "<<E", "a b "];
        for (at, shape) in shapes.iter().enumerate() {
            let language = ["python", "javascript", "c++", "html", "ruby", "php", "sql", "bash"][at % 8];
            let line = format!("{}\n", shape.repeat(LONGEST_LINE / shape.len()));
            let make = |n: usize| line.repeat(n);
            assert_linear(&format!("{language} {shape}"), 2, make, |code: &String| {
                shown(language, code);
            });
        }
    }
}
