//! Colours of code: strings, numbers, comments and the words of a language. One pass over the text, no grammar.

use crate::html::{Html, escape};

const JAVASCRIPT: &[&str] = &[
    "await", "const", "for", "function", "if", "import", "from", "let", "new", "of", "return", "throw", "true",
    "false", "null",
];
const PYTHON: &[&str] =
    &["as", "def", "for", "from", "if", "import", "in", "return", "with", "not", "True", "False", "None"];
const JSON: &[&str] = &["true", "false", "null"];
const SHELL: &[&str] =
    &["curl", "export", "jq", "lectern", "openssl", "until", "do", "done", "while", "if", "then", "fi"];

/// The code as HTML.
pub(crate) fn code(text: &str, language: &str) -> Html {
    let (words, comment, quotes): (&[&str], &str, &[char]) = match language {
        "javascript" | "js" => (JAVASCRIPT, "//", &['"', '\'', '`']),
        "python" => (PYTHON, "#", &['"', '\'']),
        "curl" | "sh" | "console" => (SHELL, "#", &['"', '\'']),
        "json" => (JSON, "\0", &['"']),
        _ => return Html(escape(text)),
    };
    let (mut html, mut rest) = (String::with_capacity(text.len() * 2), text);
    let mut before = '\n';
    while let Some(first) = rest.chars().next() {
        let (length, class) = if quotes.contains(&first) {
            let length = quoted(rest, first, language);
            let is_name = language == "json" && rest[length..].trim_start().starts_with(':');
            (length, if is_name { "hl-n" } else { "hl-s" })
        } else if rest.starts_with(comment) && before.is_whitespace() {
            (rest.find('\n').unwrap_or(rest.len()), "hl-c")
        } else if is_word(first) {
            let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            (length, class_of(&rest[..length], words))
        } else {
            (first.len_utf8(), "")
        };
        let piece = escape(&rest[..length]);
        html.push_str(&if class.is_empty() { piece } else { format!("<span class=\"{class}\">{piece}</span>") });
        before = rest[..length].chars().next_back().unwrap_or(first);
        rest = &rest[length..];
    }
    Html(html)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn class_of(word: &str, words: &[&str]) -> &'static str {
    if words.contains(&word) {
        "hl-w"
    } else if word.chars().all(|letter| letter.is_ascii_digit()) {
        "hl-d"
    } else {
        ""
    }
}

/// The bytes of a string that begins the text.
fn quoted(text: &str, quote: char, language: &str) -> usize {
    let has_escapes = !(quote == '\'' && matches!(language, "curl" | "sh" | "console"));
    let mut letters = text.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        if letter == '\\' && has_escapes {
            letters.next();
        } else if letter == quote {
            return index + quote.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_text_and_becomes_no_markup() {
        for (text, language) in [
            ("{ \"a<b>\": \"it's \\\" &\", \"n\": 12, \"x\": null }", "json"),
            ("const a = `x${'<script>'}`; // a comment", "javascript"),
            ("print('é', \"unclosed", "python"),
            ("curl -d 'a'\\''b' # done", "sh"),
            ("<b>", "toml"),
        ] {
            let html = code(text, language).to_string();
            let page = scraper::Html::parse_fragment(&html);
            assert_eq!(page.root_element().text().collect::<String>(), text);
            assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        }
        assert!(code("{\"a\": 1}", "json").to_string().starts_with("{<span class=\"hl-n\">&quot;a&quot;</span>"));
    }
}
