//! Formulas read aloud: `$x=-\frac{b}{2a}$` is "x equals minus b over 2 a".
//!
//! The reader walks the tokens once. It gives up where a listener would: at sums over limits, matrices, primes and the like,
//! at fractions within fractions, and when a formula has too many parts. Nothing is left out silently.

use language::fill;

use super::Voice;
use super::amounts;
use super::signs::{greek_letter, is_break, relation, relation_or_break, single};
use super::tokens::{Token, tokens};

/// Most parts of a formula that a listener can follow.
const MOST_PARTS: usize = 16;
/// Most tokens that are looked at.
const MOST_TOKENS: usize = 120;
/// Deepest nesting of brackets and fractions.
const DEEPEST: usize = 4;

/// A formula in words; `None` where no listener could follow.
pub(super) fn read(formula: &str, latex: bool, voice: &Voice) -> Option<String> {
    let tokens = tokens(formula, latex);
    if tokens.is_empty() || tokens.len() > MOST_TOKENS {
        return None;
    }
    let mut reader = Reader { tokens: &tokens, at: 0, parts: 0, depth: 0, voice, latex };
    let said = reader.relations()?;
    (reader.at == tokens.len() && !said.is_empty()).then_some(said)
}

struct Reader<'v> {
    tokens: &'v [Token],
    at: usize,
    parts: usize,
    depth: usize,
    voice: &'v Voice,
    latex: bool,
}

/// What is between two relations, or in brackets.
#[derive(Default)]
struct Side {
    said: String,
    /// It holds an operator, so it is a whole only where it is set apart.
    compound: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn count(&mut self) -> Option<()> {
        self.parts += 1;
        (self.parts <= MOST_PARTS).then_some(())
    }

    /// Sides with relations between them; a comma begins anew.
    fn relations(&mut self) -> Option<String> {
        let signs = &self.voice.speech.signs;
        let mut said = self.side()?.said;
        let mut last = said.clone();
        loop {
            match self.peek().map(|token| relation(token, signs)) {
                Some(Some(template)) => {
                    self.at += 1;
                    self.count()?;
                    let next = self.side()?.said;
                    let chained = template == signs.equals || template == signs.nearly;
                    if chained || said == last {
                        said = fill(template, &[("a", &said), ("b", &next)]).trim().to_owned();
                    } else {
                        said = format!("{said}, {}", fill(template, &[("a", &last), ("b", &next)]));
                    }
                    last = next;
                }
                _ if self.takes(is_break) => {
                    last = self.side()?.said;
                    said = format!("{said}, {last}").trim_matches([',', ' ']).to_owned();
                }
                _ => return Some(said),
            }
        }
    }

    fn takes(&mut self, wanted: fn(&Token) -> bool) -> bool {
        let found = self.peek().is_some_and(wanted);
        self.at += usize::from(found);
        found
    }

    /// Terms with operators between them.
    fn side(&mut self) -> Option<Side> {
        let signs = &self.voice.speech.signs;
        let mut words: Vec<String> = Vec::new();
        let mut side = Side::default();
        let mut operand = false;
        let mut number = false;
        while let Some(token) = self.peek().cloned() {
            if matches!(token, Token::Close(_)) || is_break(&token) || relation(&token, signs).is_some() {
                break;
            }
            if let Some(operator) = self.operator(&token, operand) {
                self.at += 1;
                self.count()?;
                side.compound |= operand;
                words.push(operator.to_owned());
                (operand, number) = (false, false);
                continue;
            }
            let bracket = matches!(token, Token::Open('(' | '['));
            let term = self.term()?;
            if operand && bracket && number && term.compound {
                words.push(signs.times.to_owned());
            }
            side.compound |= term.compound && !bracket;
            number = matches!(token, Token::Number(_));
            operand |= !term.said.is_empty();
            words.push(term.said);
        }
        words.retain(|word| !word.is_empty());
        side.said = words.join(" ");
        Some(side)
    }

    fn operator(&self, token: &Token, operand: bool) -> Option<&'static str> {
        let signs = &self.voice.speech.signs;
        Some(match token {
            Token::Sign('+') => signs.plus,
            Token::Sign('-' | '−' | '–') if operand => signs.minus,
            Token::Sign('-' | '−' | '–') => signs.negative,
            Token::Sign('±') => signs.plus_minus,
            Token::Sign('×' | '·' | '⋅' | '*' | '∙') => signs.times,
            Token::Sign('÷') => signs.divided_by,
            Token::Sign('/') => {
                if self.is_between_words() {
                    signs.divided_by
                } else {
                    signs.over
                }
            }
            Token::Command(name) => match name.as_str() {
                "cdot" | "times" | "ast" => signs.times,
                "div" => signs.divided_by,
                "pm" => signs.plus_minus,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// "distance / time", not "b / c".
    fn is_between_words(&self) -> bool {
        let long = |token: Option<&Token>| matches!(token, Some(Token::Word(word) | Token::Text(word)) if word.chars().count() > 2);
        long(self.at.checked_sub(1).and_then(|at| self.tokens.get(at))) || long(self.tokens.get(self.at + 1))
    }

    /// A term with what is raised or lowered behind it.
    fn term(&mut self) -> Option<Side> {
        let mut term = self.atom()?;
        loop {
            if self.takes(|token| *token == Token::Sign('^')) {
                term = self.raised(term)?;
            } else if self.takes(|token| *token == Token::Sign('_')) {
                let index = self.atom()?;
                term.said = format!("{} {}", term.said, index.said);
            } else if self.takes(|token| matches!(token, Token::Sign('!' | '\'' | '′'))) {
                return None;
            } else {
                return Some(term);
            }
        }
    }

    fn raised(&mut self, base: Side) -> Option<Side> {
        let signs = &self.voice.speech.signs;
        let degrees = |token: &Token| matches!(token, Token::Command(name) if name == "circ" || name == "degree");
        let in_braces = matches!(self.tokens.get(self.at..self.at + 3), Some([Token::Open('{'), inner, Token::Close('}')]) if degrees(inner));
        if in_braces || self.peek().is_some_and(degrees) {
            self.at += if in_braces { 3 } else { 1 };
            let forms = self.voice.speech.unit("°")?;
            return Some(Side { said: self.voice.speech.counted(forms, &base.said), compound: false });
        }
        self.count()?;
        let power = self.atom()?;
        let base = if base.compound { format!("{},", base.said) } else { base.said };
        let said = match power.said.as_str() {
            "2" => fill(signs.squared, &[("x", &base)]),
            "3" => fill(signs.cubed, &[("x", &base)]),
            power => fill(signs.power, &[("x", &base), ("n", power)]),
        };
        Some(Side { said, compound: false })
    }

    fn atom(&mut self) -> Option<Side> {
        let token = self.peek()?.clone();
        self.at += 1;
        let simple = |said: String| Some(Side { said, compound: false });
        match token {
            Token::Number(number) => {
                self.count()?;
                let number = amounts::number(&number, self.voice);
                simple(self.with_unit(number))
            }
            Token::Word(word) => {
                self.count()?;
                self.name(&word)
            }
            Token::Text(words) => {
                self.count()?;
                let plain = words
                    .chars()
                    .all(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '.' | ','));
                if plain { simple(words) } else { None }
            }
            Token::Command(name) => self.command(&name),
            Token::Open(open) => self.group(open),
            Token::Sign('√') => {
                self.count()?;
                let under = self.atom()?;
                simple(fill(self.voice.speech.signs.root, &[("x", &under.said)]))
            }
            Token::Sign('∞') => simple(self.voice.speech.signs.infinity.to_owned()),
            Token::Sign('-' | '−') => {
                self.count()?;
                let rest = self.atom()?;
                simple(format!("{} {}", self.voice.speech.signs.negative, rest.said))
            }
            _ => None,
        }
    }

    /// "5 km/h": the unit that stands behind a number.
    fn with_unit(&mut self, number: String) -> String {
        let symbol = |tokens: &[Token]| -> String {
            tokens
                .iter()
                .map(|token| match token {
                    Token::Word(text) | Token::Text(text) => text.clone(),
                    Token::Number(power) => {
                        if power == "2" {
                            "²".to_owned()
                        } else {
                            "³".to_owned()
                        }
                    }
                    Token::Sign('^') => String::new(),
                    Token::Sign(sign) => sign.to_string(),
                    _ => "?".to_owned(),
                })
                .collect()
        };
        let from = &self.tokens[self.at..];
        for length in (1..=from.len().min(5)).rev() {
            let named = match &from[0] {
                Token::Text(_) | Token::Sign('%' | '°' | '℃') => true,
                Token::Word(_) => !self.latex,
                _ => false,
            };
            if let Some(forms) = self.voice.speech.unit(&symbol(&from[..length])).filter(|_| named) {
                self.at += length;
                return self.voice.speech.counted(forms, &number);
            }
        }
        number
    }

    /// A variable, a word, or a function with its argument.
    fn name(&mut self, word: &str) -> Option<Side> {
        let speech = self.voice.speech;
        let letter = single(word);
        let said = letter.and_then(|letter| speech.greek(letter)).map_or_else(|| word.replace('_', " "), str::to_owned);
        let is_function = matches!(word, "f" | "g" | "h") && self.peek() == Some(&Token::Open('('));
        if is_function {
            let argument = self.atom()?;
            return Some(Side {
                said: fill(speech.signs.function, &[("f", &said), ("x", &argument.said)]),
                compound: false,
            });
        }
        if let Some(name) = speech.function(word).filter(|_| self.peek() == Some(&Token::Open('('))) {
            let argument = self.atom()?;
            return Some(Side {
                said: fill(speech.signs.function, &[("f", name), ("x", &argument.said)]),
                compound: false,
            });
        }
        Some(Side { said, compound: false })
    }

    fn command(&mut self, name: &str) -> Option<Side> {
        let speech = self.voice.speech;
        let simple = |said: String| Some(Side { said, compound: false });
        match name {
            "frac" | "dfrac" | "tfrac" => self.fraction(),
            "sqrt" => {
                self.count()?;
                if self.peek() == Some(&Token::Open('[')) {
                    return None;
                }
                let under = self.atom()?;
                simple(fill(speech.signs.root, &[("x", &under.said)]))
            }
            "infty" => simple(speech.signs.infinity.to_owned()),
            "left" | "right" | "big" | "Big" | "bigl" | "bigr" | "quad" | "qquad" | "displaystyle" | "limits" => {
                simple(String::new())
            }
            "vec" | "bar" | "overline" | "mathbb" | "mathcal" | "boxed" => self.atom(),
            "sin" | "cos" | "tan" | "log" | "ln" => {
                self.count()?;
                if self.peek() == Some(&Token::Sign('_')) || self.peek() == Some(&Token::Sign('^')) {
                    return None;
                }
                let argument = self.term()?;
                simple(fill(speech.signs.function, &[("f", speech.function(name)?), ("x", &argument.said)]))
            }
            letter => {
                self.count()?;
                simple(speech.greek(greek_letter(letter)?)?.to_owned())
            }
        }
    }

    fn fraction(&mut self) -> Option<Side> {
        self.count()?;
        self.depth += 1;
        if self.depth > 1 {
            return None;
        }
        let (above, below) = (self.atom()?, self.atom()?);
        self.depth -= 1;
        let comma = if above.compound { "," } else { "" };
        let said = format!("{}{comma} {} {}", above.said, self.voice.speech.signs.over, below.said);
        Some(Side { said, compound: false })
    }

    /// What is in brackets, without them.
    fn group(&mut self, open: char) -> Option<Side> {
        if open == '{' && self.peek() == Some(&Token::Close('}')) {
            self.at += 1;
            return Some(Side::default());
        }
        self.depth += if open == '{' { 0 } else { 1 };
        if self.depth > DEEPEST {
            return None;
        }
        let before = self.at;
        let mut inner = self.side()?;
        if relation_or_break(self.peek(), &self.voice.speech.signs) {
            self.at = before;
            inner = Side { said: self.relations()?, compound: true };
        }
        let closed = self.takes(|token| matches!(token, Token::Close(_)));
        self.depth -= if open == '{' { 0 } else { 1 };
        closed.then_some(inner)
    }
}
