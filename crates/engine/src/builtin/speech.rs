//! Text made fit to be spoken: symbols become words, addresses their host, formulas are read out,
//! and every utterance ends like a sentence. Also how long speaking takes.

use language::script::is_unspaced;

use crate::phrases::Phrases;

/// Spoken words a second, about 150 a minute.
const WORDS_PER_SECOND: f64 = 2.5;
/// Spoken characters a second, in scripts without spaces.
const CHARACTERS_PER_SECOND: f64 = 4.5;
/// Shortest scene, in seconds.
const MIN_SECONDS: f64 = 3.0;

/// How long a script takes, in seconds, unrounded.
pub(super) fn seconds(script: &str) -> f64 {
    let unspaced = script.chars().filter(|character| is_unspaced(*character) && character.is_alphanumeric()).count();
    let words = script
        .split(|character: char| character.is_whitespace() || is_unspaced(character))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count();
    words as f64 / WORDS_PER_SECOND + unspaced as f64 / CHARACTERS_PER_SECOND
}

/// A scene's duration: at least 3 seconds, one decimal.
pub(crate) fn duration(script: &str) -> f64 {
    (seconds(script).max(MIN_SECONDS) * 10.0).round() / 10.0
}

/// A text as a narrator would say it. Empty when there is nothing to say.
pub(crate) fn spoken(text: &str, phrases: &Phrases) -> String {
    let mut text = if text.contains(['\\', '$']) { read_formula(text, phrases) } else { text.to_owned() };
    if text.contains('^') {
        for (power, raised) in [("^{2}", "²"), ("^2", "²"), ("^{3}", "³"), ("^3", "³")] {
            text = text.replace(power, raised);
        }
    }
    let formula = text.contains('=');
    let mut said = String::with_capacity(text.len() + 16);
    for word in text.split_whitespace() {
        let word = match word {
            "-" if formula => "−",
            "/" if formula => "÷",
            _ => word,
        };
        if !said.is_empty() {
            said.push(' ');
        }
        match host(word) {
            Some(host) => said.push_str(host),
            None => say_word(word, phrases, &mut said),
        }
    }
    let mut said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [(" ,", ","), (" .", "."), ("( ", "("), (" )", ")"), ("()", "")] {
        if said.contains(from) {
            said = said.replace(from, to);
        }
    }
    close(&said)
}

/// Symbols of a word spoken or dropped.
fn say_word(word: &str, phrases: &Phrases, said: &mut String) {
    let characters: Vec<char> = word.chars().collect();
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| characters.get(at));
        let after = characters.get(at + 1);
        let between_digits = before.is_some_and(char::is_ascii_digit) && after.is_some_and(char::is_ascii_digit);
        let alone = characters.len() == 1;
        let spoken = match character {
            '=' => phrases.equals,
            '+' if alone
                || after.is_some_and(|next| next.is_alphanumeric())
                    && before.is_some_and(|last| last.is_alphanumeric()) =>
            {
                phrases.plus
            }
            '×' | '·' | '⋅' if alone || between_digits || *character == '×' => phrases.times,
            '*' if alone || between_digits => phrases.times,
            '÷' => phrases.divided_by,
            '−' => phrases.minus,
            '-' if between_digits && characters.contains(&'=')
                || at == 0 && after.is_some_and(char::is_ascii_digit) =>
            {
                phrases.minus
            }
            '√' => phrases.root_of,
            '<' if alone || between_digits => phrases.less_than,
            '>' if alone || between_digits => phrases.greater_than,
            '%' if phrases.percent != "%" => phrases.percent,
            '°' if !after.is_some_and(|next| matches!(next, 'C' | 'F')) => phrases.degrees,
            '&' => phrases.list_and,
            '→' | '⇒' | '➔' => ",",
            '#' | '|' | '\\' | '{' | '}' | '[' | ']' | '<' | '>' | '~' | '`' | '*' | '_' | '^' | '•' | '$' => " ",
            other => {
                said.push(*other);
                continue;
            }
        };
        said.push(' ');
        said.push_str(spoken);
        said.push(' ');
    }
}

/// The host of a web address, with what punctuation follows it left out.
fn host(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['(', '<', '"']);
    let rest =
        word.strip_prefix("https://").or_else(|| word.strip_prefix("http://")).or_else(|| word.strip_prefix("www."))?;
    let end = rest
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '.' | '-')))
        .unwrap_or(rest.len());
    let host = rest[..end].trim_start_matches("www.");
    Some(if host.is_empty() { "" } else { host })
}

/// LaTeX's usual commands as words; unknown ones lose their backslash.
fn read_formula(text: &str, phrases: &Phrases) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '$']) {
        said.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('$') {
            let money = after.starts_with(|next: char| next.is_ascii_digit()) && !after.contains('$');
            said.push_str(if money { "$" } else { "" });
            rest = after;
            continue;
        }
        let name_length = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = &rest[1..=name_length];
        let after = &rest[1 + name_length..];
        rest = match (name, name_length) {
            (_, 0) => {
                said.push(' ');
                after.strip_prefix(['(', ')', '[', ']', ',', ';', '!', '\\']).unwrap_or(after)
            }
            ("frac" | "dfrac" | "tfrac", _) => match two_groups(after) {
                Some((above, below, length)) => {
                    said.push_str(&format!(" {} {} {} ", above, phrases.divided_by, below));
                    &after[length..]
                }
                None => after,
            },
            _ => {
                said.push(' ');
                said.push_str(command(name, phrases));
                said.push(' ');
                after
            }
        };
    }
    said.push_str(rest);
    said
}

fn command<'a>(name: &'a str, phrases: &'a Phrases) -> &'a str {
    match name {
        "sqrt" => phrases.root_of,
        "times" | "cdot" => phrases.times,
        "div" => phrases.divided_by,
        "pm" => "±",
        "neq" | "ne" => "≠",
        "leq" | "le" | "lt" => phrases.less_than,
        "geq" | "ge" | "gt" => phrases.greater_than,
        "left" | "right" | "text" | "mathrm" | "mathbf" | "quad" | "qquad" | "displaystyle" | "begin" | "end" => "",
        "to" | "rightarrow" | "Rightarrow" => ",",
        other => other,
    }
}

/// `{a}{b}` with flat contents.
fn two_groups(text: &str) -> Option<(&str, &str, usize)> {
    let first = text.strip_prefix('{')?;
    let middle = first.find('}')?;
    let second = first[middle + 1..].strip_prefix('{')?;
    let end = second.find('}')?;
    let flat = !first[..middle].contains('{') && !second[..end].contains('{');
    flat.then(|| (&first[..middle], &second[..end], middle + end + 4))
}

/// Ends with a mark that makes a narrator pause.
fn close(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';', ':', '、', '，', '–', '—', '-']).trim_end();
    if !text.chars().any(char::is_alphanumeric) {
        return String::new();
    }
    let ended = text
        .trim_end_matches(['"', '”', '»', ')', '」', '’', '\'', '“'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟', '۔']);
    let stop = match text.chars().next_back() {
        Some('\u{0900}'..='\u{097F}') => "।",
        Some(last) if is_unspaced(last) && !matches!(last, '\u{0E00}'..='\u{0E7F}') => "。",
        _ => ".",
    };
    if ended { text.to_owned() } else { format!("{text}{stop}") }
}

/// Cuts a text that would take longer than `limit` seconds, at commas where there are some.
pub(crate) fn split(text: &str, limit: f64) -> Vec<String> {
    if seconds(text) <= limit {
        return vec![text.to_owned()];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    let mut spent = 0.0;
    let mut in_word = false;
    let mut pause: Option<usize> = None;
    for (at, character) in text.char_indices() {
        let unspaced = is_unspaced(character);
        let end_of_word = character.is_whitespace() || unspaced;
        if spent >= limit * 0.9 && end_of_word {
            let cut = pause.filter(|pause| *pause > start && at - *pause < (at - start) / 2).unwrap_or(at);
            parts.push(close(&text[start..cut]));
            spent = seconds(&text[cut..at]);
            start = cut;
        }
        if unspaced {
            spent += if character.is_alphanumeric() { 1.0 / CHARACTERS_PER_SECOND } else { 0.0 };
            in_word = false;
        } else if character.is_whitespace() {
            in_word = false;
        } else if !in_word && character.is_alphanumeric() {
            in_word = true;
            spent += 1.0 / WORDS_PER_SECOND;
        }
        if matches!(character, ',' | ';' | ':' | '，' | '、' | '；' | '،') {
            pause = Some(at + character.len_utf8());
        }
    }
    parts.push(close(&text[start..]));
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::for_language;

    fn say(text: &str) -> String {
        spoken(text, for_language("en").phrases)
    }

    #[test]
    fn symbols_and_addresses_are_spoken_or_dropped() {
        assert_eq!(say("2 + 3 = 5"), "2 plus 3 equals 5.");
        assert_eq!(say("See https://www.example.org/a?b=c for 20% of it"), "See example.org for 20 percent of it.");
        assert_eq!(say("$\\frac{a}{b} \\times 2$"), "a divided by b times 2.");
        assert_eq!(say("<b>[x]</b> | # "), "b x /b.");
        assert_eq!(say("光合作用"), "光合作用。");
        assert_eq!(say("***"), "");
    }

    #[test]
    fn long_texts_are_cut_within_the_limit() {
        let text = "word ".repeat(400);
        let parts = split(&text, 40.0);
        assert!(parts.len() > 3 && parts.iter().all(|part| seconds(part) <= 40.0));
        assert!(split(&"水".repeat(900), 40.0).iter().all(|part| seconds(part) <= 40.0));
    }

    #[test]
    fn durations_have_a_floor_and_one_decimal() {
        assert_eq!(duration("Hi."), 3.0);
        assert_eq!(duration(&"word ".repeat(26)), 10.4);
    }
}
