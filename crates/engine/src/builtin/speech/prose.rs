//! Running text read aloud, piece by piece.

use super::Voice;
use super::amounts::{self, amount, ordinal};
use super::maths;
use super::pieces::{Kind, Piece, pieces};
use super::runs::runs;
use super::tokens::plain_digit;

/// A text in spoken words; `None` where a part of it can't be spoken.
pub(super) fn said(text: &str, voice: &Voice) -> Option<String> {
    let pieces = pieces(text);
    let runs = runs(&pieces, voice);
    let mut speaker = Speaker {
        voice,
        pieces: &pieces,
        said: String::with_capacity(text.len() + 16),
        before: [String::new(), String::new()],
    };
    let mut runs = runs.into_iter().peekable();
    let mut at = 0;
    while at < pieces.len() {
        at = match runs.next_if(|run| run.start == at) {
            Some(run) => speaker.formula(run)?,
            None => speaker.piece(at)?,
        };
    }
    Some(speaker.said)
}

struct Speaker<'p> {
    voice: &'p Voice,
    pieces: &'p [Piece],
    said: String,
    /// The two words before.
    before: [String; 2],
}

impl Speaker<'_> {
    /// Says words in place of the pieces from `from` to `to`, between their outer punctuation.
    fn push(&mut self, words: &str, from: usize, to: usize) -> usize {
        let (first, last) = (&self.pieces[from], &self.pieces[to - 1]);
        if !first.glued && !self.said.is_empty() {
            self.said.push(' ');
        }
        self.said.push_str(&first.lead);
        self.said.push_str(words);
        self.said.push_str(&last.trail);
        self.before.swap(0, 1);
        self.before[1].clone_from(&last.core);
        to
    }

    /// A formula that stands in running text.
    fn formula(&mut self, run: std::ops::Range<usize>) -> Option<usize> {
        let written: Vec<&str> = self.pieces[run.clone()].iter().map(|piece| piece.core.as_str()).collect();
        let words = maths::read(&written.join(" "), false, self.voice)?;
        Some(self.push(&words, run.start, run.end))
    }

    fn piece(&mut self, at: usize) -> Option<usize> {
        let rest = &self.pieces[at..];
        let piece = &rest[0];
        if piece.kind == Kind::Latex {
            let words = maths::read(&piece.core, true, self.voice)?;
            return Some(self.push(&words, at, at + 1));
        }
        if piece.core.contains('\\') {
            let words = maths::read(&piece.core, true, self.voice)?;
            return Some(self.push(&words, at, at + 1));
        }
        if let Some((words, taken)) = self.abbreviation(rest) {
            let from = self.said.len();
            self.push(words, at, at + taken);
            self.drop_dot(&self.pieces[at + taken - 1], from, at + taken == self.pieces.len());
            return Some(at + taken);
        }
        if let Some(amount) = amount(rest, &self.before[1], self.voice) {
            return Some(self.push(&amount.said, at, at + amount.pieces));
        }
        if let Some(words) = ordinal(rest, &self.before[1], self.voice) {
            let end = self.push(&words, at, at + 1);
            self.said.pop();
            return Some(end);
        }
        let words = self.word(&piece.core)?;
        Some(self.push(&words, at, at + 1))
    }

    /// What stands for an abbreviation of one word or two, and how many pieces it takes.
    fn abbreviation(&self, rest: &[Piece]) -> Option<(&'static str, usize)> {
        let speech = self.voice.speech;
        let written = |piece: &Piece| format!("{}{}", piece.core, if piece.trail.starts_with('.') { "." } else { "" });
        let before = [self.before[0].as_str(), self.before[1].as_str()];
        let after = |taken: usize| rest.get(taken).map_or("", |piece| piece.core.as_str());
        if let Some(next) = rest.get(1).filter(|_| rest[0].trail == "." && speech.has_abbreviation_of_two()) {
            let both = format!("{} {}", written(&rest[0]), written(next));
            if let Some(words) = speech.abbreviation(&both, before, after(2)) {
                return Some((words, 2));
            }
        }
        let one = written(&rest[0]);
        let found = speech.abbreviation(&one, before, after(1));
        let lower = || speech.abbreviation(&one.to_lowercase(), before, after(1)).filter(|_| one.ends_with('.'));
        found.or_else(lower).map(|words| (words, 1))
    }

    /// The dot of an abbreviation is no pause, but at the end of the text.
    fn drop_dot(&mut self, piece: &Piece, from: usize, is_last: bool) {
        let kept = piece.trail.strip_prefix('.');
        if let Some(marks) = kept.filter(|_| !is_last && self.said.len() >= from + piece.trail.len()) {
            let end = self.said.len() - piece.trail.len();
            self.said.truncate(end);
            self.said.push_str(marks);
        }
    }

    /// A word, which may be an address, a name of a program, or hold single signs.
    fn word(&self, core: &str) -> Option<String> {
        let signs = &self.voice.speech.signs;
        if let Some(host) = host(core) {
            return Some(host.to_owned());
        }
        if let Some(name) = self.code_name(core) {
            return Some(name);
        }
        if core.contains(['{', '}', ';']) || is_call(core) {
            return None;
        }
        if let Some(forms) = self.voice.speech.unit(core).filter(|_| core.contains(['/', '%', '°', '²', '³'])) {
            return Some(self.voice.speech.counted(forms, "").trim().to_owned());
        }
        if let Some(letter) = greek(core).and_then(|letter| self.voice.speech.greek(letter)) {
            return Some(letter.to_owned());
        }
        let mut said = String::with_capacity(core.len());
        let mut characters = core.chars().peekable();
        let mut before: Option<char> = None;
        while let Some(character) = characters.next() {
            let within = before.is_some_and(char::is_alphanumeric)
                && characters.peek().is_some_and(|next| next.is_alphanumeric());
            match character {
                '&' if before == Some('&') => {}
                '&' => said.push_str(&format!(" {} ", self.voice.and)),
                '→' | '⇒' | '➔' | '➜' => said.push_str(", "),
                '/' if within
                    && core.matches('/').count() == 1
                    && !core.chars().any(|other| other.is_ascii_digit()) =>
                {
                    said.push_str(", ");
                }
                '_' if within => said.push(' '),
                '(' | ')' if within => said.push(' '),
                '₀'..='₉' => said.push(plain_digit(character)),
                '∞' => said.push_str(signs.infinity),
                '−' => said.push('-'),
                other => said.push(other),
            }
            before = Some(character);
        }
        let said = said.strip_suffix("()").map(str::to_owned).unwrap_or(said);
        Some(said)
    }

    /// "C#", "C++", ".NET", "#5".
    fn code_name(&self, core: &str) -> Option<String> {
        let signs = &self.voice.speech.signs;
        if let Some(letters) = core.strip_suffix('#').filter(|letters| is_name(letters)) {
            return Some(format!("{letters} {}", signs.sharp));
        }
        if let Some(letters) = core.strip_suffix("++").filter(|letters| is_name(letters)) {
            return Some(format!("{letters} {} {}", signs.plus, signs.plus));
        }
        if let Some(number) = core.strip_prefix('#').filter(|number| amounts::is_number(number)) {
            return Some(language::fill(signs.number, &[("n", number)]));
        }
        let name = core.strip_prefix('.').filter(|name| name.len() > 1 && is_name(name))?;
        Some(format!("{} {name}", signs.dot))
    }
}

fn is_name(letters: &str) -> bool {
    !letters.is_empty() && letters.chars().all(|letter| letter.is_ascii_alphabetic())
}

/// A call with arguments: `print("Hi")`.
fn is_call(core: &str) -> bool {
    let Some((name, arguments)) = core.split_once('(') else { return false };
    name.chars().any(char::is_alphabetic) && arguments.contains(['"', '\'', '=', ','])
}

fn greek(core: &str) -> Option<char> {
    let mut letters = core.chars();
    letters.next().filter(|letter| letters.next().is_none() && matches!(letter, 'α'..='ω' | 'Α'..='Ω'))
}

/// The host of a web address.
fn host(core: &str) -> Option<&str> {
    let core = core.trim_start_matches('<');
    let rest =
        core.strip_prefix("https://").or_else(|| core.strip_prefix("http://")).or_else(|| core.strip_prefix("www."))?;
    let end = rest
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '.' | '-')))
        .unwrap_or(rest.len());
    Some(rest[..end].trim_start_matches("www."))
}
