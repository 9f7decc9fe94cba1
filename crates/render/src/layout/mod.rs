//! How a scene looks, decided by its content alone.
//!
//! [`Layout::of`] takes every text and loses no word of it. Where signs of several layouts are there, the more special one
//! is taken. `equation` tells formulas that are written without LaTeX, `signs` tells quotes, figures and rows.

mod equation;
mod signs;

use crate::storyboard::Storyboard;
use crate::text::{clean, clean_lines};

/// The layout of a scene, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The card that a video begins with.
    Title {
        /// The large text.
        title: String,
    },
    /// A statement.
    Text {
        /// The statement.
        text: String,
    },
    /// A term with what it means.
    Definition {
        /// The term.
        term: String,
        /// What it means.
        meaning: String,
    },
    /// Items that appear one after another.
    List {
        /// What the items are.
        heading: Option<String>,
        /// The items without bullets.
        items: Vec<String>,
    },
    /// A number that is to be remembered.
    Figure {
        /// The number with its unit.
        number: String,
        /// What is counted.
        label: Option<String>,
    },
    /// The words of somebody.
    Quote {
        /// The words without quotation marks.
        text: String,
        /// Who said so.
        source: Option<String>,
    },
    /// Rows and columns.
    Table {
        /// The cells by rows, each of which has as many as the first.
        rows: Vec<Vec<String>>,
        /// Whether the first row names the columns.
        has_header: bool,
    },
    /// A formula.
    Formula {
        /// The formula.
        formula: Formula,
        /// What the formula is about.
        label: Option<String>,
    },
}

/// A formula as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// LaTeX without its delimiters.
    Latex(String),
    /// As on a keyboard: `E = mc²`, `(1 + r)^t`.
    Plain(String),
}

/// Signs that items of a list begin with.
const BULLETS: [char; 9] = ['•', '-', '–', '—', '*', '·', '‣', '◦', '▪'];
/// What parts items on one line.
const SEPARATORS: [&str; 3] = [" · ", " • ", " | "];
/// The longest heading of a list and the longest term, in characters.
const LONGEST_HEADING: usize = 60;

impl Layout {
    /// The layout of a scene. A scene that is not there is an empty text.
    #[must_use]
    pub fn of(board: &Storyboard, index: usize) -> Self {
        let Some(scene) = board.scenes.get(index) else { return Self::Text { text: String::new() } };
        let titles = [Some(&scene.display_text), scene.title.as_ref(), Some(&board.title)];
        let text = titles.into_iter().flatten().find(|text| !clean(text).is_empty());
        let text = text.map(String::as_str).unwrap_or_default();
        let layout = Self::of_text(text);
        let is_title = index == 0 || clean(text) == clean(&board.title);
        match layout {
            Self::Text { text } if is_title => Self::Title { title: text },
            Self::Definition { .. } if is_title => Self::Title { title: clean(text) },
            other => other,
        }
    }

    /// The layout of a text by itself.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let lines = clean_lines(text);
        formula(&lines)
            .or_else(|| table(&lines))
            .or_else(|| quote(&lines))
            .or_else(|| list(&lines))
            .or_else(|| figure(&lines))
            .or_else(|| definition(&lines))
            .unwrap_or_else(|| Self::Text { text: lines.join(" ") })
    }

    /// What the scene may be called.
    #[must_use]
    pub fn heading(&self) -> String {
        match self {
            Self::Title { title: text } | Self::Text { text } | Self::Quote { text, .. } => text.clone(),
            Self::Definition { term, .. } => term.clone(),
            Self::List { heading: Some(heading), .. } => heading.clone(),
            Self::List { heading: None, items } => items.join(" · "),
            Self::Figure { number, label } => {
                format!("{number} {}", label.as_deref().unwrap_or_default()).trim().to_owned()
            }
            Self::Table { rows, .. } => rows.first().map(|row| row.join(" · ")).unwrap_or_default(),
            Self::Formula { label: Some(label), .. } => label.clone(),
            Self::Formula { formula: Formula::Plain(text), label: None } => text.clone(),
            Self::Formula { formula: Formula::Latex(latex), label: None } => crate::formula::linear(latex),
        }
    }
}

impl Layout {
    /// The texts that appear one after another; none where all is there at once.
    pub(crate) fn parts(&self) -> Vec<String> {
        match self {
            Self::List { items, .. } => items.clone(),
            Self::Table { rows, has_header } => {
                rows.iter().skip(usize::from(*has_header)).map(|row| row.join(" ")).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// One formula, with a text beside it or without.
fn formula(lines: &[String]) -> Option<Layout> {
    let text = lines.join(" ");
    if let Some((before, latex, after)) = signs::latex(&text) {
        let label = clean(&format!("{} {after}", before.trim_end_matches([':', ' '])));
        // A formula within a sentence or a list is a part of the text.
        let is_within = !before.trim().is_empty() && !after.trim().is_empty() || latex.trim().chars().count() <= 2;
        let is_list = lines.len() > 2 && lines.iter().any(|line| line.starts_with(BULLETS));
        if !label.is_empty() && (is_within || is_list || label.chars().count() > LONGEST_HEADING) {
            return None;
        }
        let label = (!label.is_empty()).then_some(label);
        return Some(Layout::Formula { formula: Formula::Latex(latex.trim().to_owned()), label });
    }
    if text.contains('$') && lines.len() > 1 {
        return None;
    }
    match lines {
        [line] if equation::is_equation(line) => {
            Some(Layout::Formula { formula: Formula::Plain(line.clone()), label: None })
        }
        [line] => {
            let (label, rest) = signs::split_at_colon(line)?;
            equation::is_equation(rest)
                .then(|| Layout::Formula { formula: Formula::Plain(rest.to_owned()), label: Some(label.to_owned()) })
        }
        [label, line]
            if equation::is_equation(line) && !equation::is_equation(label) && !label.starts_with(BULLETS) =>
        {
            Some(Layout::Formula { formula: Formula::Plain(line.clone()), label: Some(label.clone()) })
        }
        _ => None,
    }
}

/// Markdown with pipes, or lines of the form `term: value`.
fn table(lines: &[String]) -> Option<Layout> {
    if lines.len() >= 2 && lines.iter().all(|line| line.matches('|').count() >= 1) {
        let is_rule = |line: &str| line.contains('-') && line.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' '));
        let has_header = is_rule(&lines[1]);
        let rows: Vec<Vec<String>> =
            lines.iter().filter(|line| !is_rule(line)).map(|line| signs::cells(line)).collect();
        return Some(Layout::Table { rows: even(rows), has_header });
    }
    let pairs: Vec<_> =
        lines.iter().filter_map(|line| signs::split_at_colon(line.trim_start_matches(BULLETS).trim())).collect();
    (lines.len() >= 2 && pairs.len() == lines.len()).then(|| {
        let rows = pairs.into_iter().map(|(term, value)| vec![term.to_owned(), value.to_owned()]).collect();
        Layout::Table { rows, has_header: false }
    })
}

/// Rows with as many cells as the longest.
fn even(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    for row in &mut rows {
        row.resize(columns, String::new());
    }
    rows
}

/// Words in quotation marks, or lines that begin with `>`.
fn quote(lines: &[String]) -> Option<Layout> {
    let (first, rest) = lines.split_first()?;
    if first.starts_with('>') {
        let words = |line: &str| line.trim_start_matches('>').trim().to_owned();
        let quoted = lines.iter().take_while(|line| line.starts_with('>')).map(|line| words(line));
        let mut quoted: Vec<String> = quoted.filter(|line| !line.is_empty()).collect();
        let mut source: Vec<&str> =
            lines.iter().skip_while(|line| line.starts_with('>')).map(|line| signs::source(line)).collect();
        let last = quoted.pop_if(|last| last.starts_with(['—', '–'])).unwrap_or_default();
        source.insert(0, signs::source(&last));
        let source = source.join(" ").trim().to_owned();
        let text = signs::unquoted(&quoted.join(" "));
        return Some(Layout::Quote { text, source: (!source.is_empty()).then_some(source) });
    }
    let (text, source) = signs::quotation(first)?;
    let more = rest.iter().map(|line| signs::source(line)).collect::<Vec<_>>();
    let source = [source].into_iter().chain(more).collect::<Vec<_>>().join(" ").trim().to_owned();
    Some(Layout::Quote { text: text.to_owned(), source: (!source.is_empty()).then_some(source) })
}

/// Lines, or items on one line.
fn list(lines: &[String]) -> Option<Layout> {
    let item = |line: &str| {
        let bare = line.strip_prefix(BULLETS).filter(|rest| rest.starts_with(' ')).unwrap_or(line);
        bare.trim().to_owned()
    };
    if lines.len() >= 2 {
        let is_bullet = |line: &String| item(line) != *line || signs::has_number(line);
        let is_heading = lines[0].ends_with([':', '：'])
            || lines.len() > 2 && !is_bullet(&lines[0]) && lines[1..].iter().all(is_bullet);
        let heading = is_heading.then(|| lines[0].trim_end_matches([':', '：', ' ']).to_owned());
        let items = lines.iter().skip(usize::from(is_heading));
        let items: Vec<String> = items.map(|line| item(line)).filter(|item| !item.is_empty()).collect();
        if let [only] = items.as_slice() {
            let inner = separated(only)?;
            return Some(Layout::List { heading, items: inner });
        }
        return (!items.is_empty()).then_some(Layout::List { heading, items });
    }
    let line = lines.first()?;
    let (heading, rest) = match signs::split_at_colon(line) {
        Some((heading, rest)) if heading.chars().count() <= LONGEST_HEADING => (Some(heading.to_owned()), rest),
        _ => (None, line.as_str()),
    };
    Some(Layout::List { heading, items: separated(rest)? })
}

/// Items between separators; two at least.
fn separated(line: &str) -> Option<Vec<String>> {
    let separator = SEPARATORS.into_iter().find(|separator| line.contains(separator))?;
    let items: Vec<String> = line.split(separator).map(clean).filter(|item| !item.is_empty()).collect();
    (items.len() >= 2).then_some(items)
}

/// A number that stands out.
fn figure(lines: &[String]) -> Option<Layout> {
    let [line] = lines else { return None };
    let (number, label) = signs::figure(line)?;
    let label = (!label.is_empty()).then(|| label.to_owned());
    Some(Layout::Figure { number: number.to_owned(), label })
}

/// `Term: what it means`.
fn definition(lines: &[String]) -> Option<Layout> {
    let [line] = lines else { return None };
    let (term, meaning) = signs::split_at_colon(line).filter(|(term, _)| term.chars().count() <= LONGEST_HEADING)?;
    Some(Layout::Definition { term: term.to_owned(), meaning: meaning.to_owned() })
}

#[cfg(test)]
mod tests;
