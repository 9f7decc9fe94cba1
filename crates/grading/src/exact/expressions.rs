//! Expressions: a tree of numbers, names and functions, read from plain notation.
//!
//! The reader takes what people write (`2x`, `3(x+1)`, `2 1/2`, `sin x`, `√2`, `|x|`, `5!`) and refuses words. Depth
//! and length are bounded, so a tree is safe to walk and to drop.

use super::numerals::{self, LoneComma, Numeral, Separators};
use super::ratio::Ratio;
use super::vocabulary::{self, Words};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(Numeral),
    Name(String),
    Sum(Vec<Self>),
    Negative(Box<Self>),
    Product(Vec<Self>),
    Quotient(Box<Self>, Box<Self>),
    Power(Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
}

/// A function that can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sqrt,
    Root,
    Abs,
    Exp,
    Ln,
    Log,
    Sin,
    Cos,
    Tan,
    Cot,
    Sec,
    Csc,
    Arcsin,
    Arccos,
    Arctan,
    Sinh,
    Cosh,
    Tanh,
    Floor,
    Ceil,
    Factorial,
    Binomial,
}

/// How numbers in an expression are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notation {
    pub(super) separators: Separators,
    pub(super) comma: LoneComma,
    pub(super) words: &'static Words,
}

impl Notation {
    /// How this program writes numbers.
    pub(super) fn plain() -> Self {
        Self { separators: Separators::Point, comma: LoneComma::Separates, words: vocabulary::of("en") }
    }
}

impl Expression {
    /// The expressions that it is made of.
    pub(super) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Number(_) | Self::Name(_) => Vec::new(),
            Self::Sum(parts) | Self::Product(parts) | Self::Call(_, parts) => parts.iter().collect(),
            Self::Negative(inner) => vec![inner],
            Self::Quotient(one, other) | Self::Power(one, other) => vec![one, other],
        }
    }

    /// Whether another expression is a part of it.
    pub(super) fn mentions(&self, other: &Self) -> bool {
        self == other || self.parts().into_iter().any(|part| part.mentions(other))
    }
}

const MOST_TOKENS: usize = 2_000;
const MOST_DEPTH: usize = 60;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(Numeral),
    Word(String),
    Mark(char),
}

/// The expression that a whole text is.
pub(super) fn parse(text: &str, notation: Notation) -> Option<Expression> {
    let tokens = tokens(text, notation)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, bars: 0 };
    let expression = parser.sum()?;
    (parser.at == tokens.len()).then_some(expression)
}

fn tokens(text: &str, notation: Notation) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        if tokens.len() > MOST_TOKENS {
            return None;
        }
        let after_number = matches!(tokens.last(), Some(Token::Number(_))) && !text[..at].ends_with(' ');
        if character == ' ' || character == '\n' {
            at += 1;
        } else if character.is_ascii_digit() || (matches!(character, '.' | ',' | '\u{66b}') && !after_number) {
            let (numeral, length) = numerals::read(&text[at..], notation.separators, notation.comma)?;
            let period = numerals::period(&text[at..], length);
            at += length;
            if let Some((above, below, more)) = period {
                let number = |value: u64| {
                    Some(Token::Number(numerals::read(&value.to_string(), Separators::Point, LoneComma::Separates)?.0))
                };
                tokens.extend([Token::Mark('('), number(above)?, Token::Mark('/'), number(below)?, Token::Mark(')')]);
                at += more;
            } else {
                tokens.push(Token::Number(numeral));
            }
        } else if character == '…' && after_number {
            at += character.len_utf8();
        } else if text[at..].starts_with("cbrt") {
            tokens.push(Token::Mark('∛'));
            at += "cbrt".len();
        } else if character.is_alphabetic() && character != 'π' {
            let length = word_length(&text[at..]);
            let word = &text[at..at + length];
            if holds_a_sentence(text, at, word, notation.words) {
                return None;
            }
            tokens.push(Token::Word(text[at..at + length].to_owned()));
            at += length;
        } else if character == '_' && after_number {
            let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let base = text[at + 1..at + 1 + digits].parse().ok()?;
            let Some(Token::Number(numeral)) = tokens.pop() else { return None };
            tokens.push(Token::Number(in_base(&numeral, base)?));
            at += 1 + digits;
        } else {
            let power = text[at..].starts_with("**");
            let mark = if power { '^' } else { character };
            if !"+-*/^()[]{}|!%°π∞√∛;".contains(mark) {
                return None;
            }
            tokens.push(Token::Mark(mark));
            at += if power { 2 } else { character.len_utf8() };
        }
    }
    (!tokens.is_empty()).then_some(tokens)
}

/// Whether a word stands by itself among others and is a word of the language: `It is -13` is no product of letters.
fn holds_a_sentence(text: &str, at: usize, word: &str, words: &Words) -> bool {
    let ends = |next: Option<char>| next.is_none_or(|next| next == ' ');
    let is_alone = ends(text[..at].chars().next_back()) && ends(text[at + word.len()..].chars().next());
    let lower = word.to_lowercase();
    let is_short = word.chars().count() < 2 && word.is_ascii();
    is_alone
        && !is_short
        && text.trim().len() > word.len()
        && (words.is_function_word(&lower) || words.is_negator(&lower))
}

/// A name: letters, digits that follow them and a subscript. Greek letters stand alone.
fn word_length(text: &str) -> usize {
    let is_greek = |one: char| matches!(one, 'α'..='ω' | 'Α'..='Ω');
    let mut length = text.chars().next().map_or(0, char::len_utf8);
    if !text.starts_with(is_greek) {
        length = text.find(|one: char| !one.is_alphabetic() || is_greek(one)).unwrap_or(text.len());
        length += text[length..].bytes().take_while(u8::is_ascii_digit).count();
    }
    if let Some(subscript) = text[length..].strip_prefix('_') {
        length += 1 + subscript.find(|one: char| !one.is_alphanumeric()).unwrap_or(subscript.len());
    }
    length
}

/// A whole number that was written in another base.
fn in_base(numeral: &Numeral, base: u32) -> Option<Numeral> {
    let whole = numeral.ratio?.as_whole().filter(|_| (2..=10).contains(&base) && numeral.decimals.is_none())?;
    let value = i128::from_str_radix(&whole.to_string(), base).ok()?;
    numerals::read(&value.to_string(), Separators::Point, LoneComma::Separates).map(|(numeral, _)| numeral)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    bars: usize,
}

impl Parser<'_> {
    fn mark(&self) -> Option<char> {
        match self.tokens.get(self.at)? {
            Token::Mark(mark) => Some(*mark),
            _ => None,
        }
    }

    fn eat(&mut self, mark: char) -> bool {
        let is_there = self.mark() == Some(mark);
        self.at += usize::from(is_there);
        is_there
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let result = if self.depth < MOST_DEPTH { read(self) } else { None };
        self.depth -= 1;
        result
    }

    fn sum(&mut self) -> Option<Expression> {
        let mut terms = vec![self.product()?];
        while let Some(mark @ ('+' | '-')) = self.mark() {
            self.at += 1;
            let term = self.product()?;
            terms.push(if mark == '-' { Expression::Negative(Box::new(term)) } else { term });
        }
        if terms.len() == 1 { terms.pop() } else { Some(Expression::Sum(terms)) }
    }

    fn product(&mut self) -> Option<Expression> {
        let mut factors = vec![self.signed()?];
        loop {
            if self.eat('/') {
                let below = self.signed()?;
                let above = product_of(std::mem::take(&mut factors));
                factors.push(Expression::Quotient(Box::new(above), Box::new(below)));
            } else if self.eat('*') {
                factors.push(self.signed()?);
            } else if self.starts_factor() {
                factors.push(self.power()?);
            } else {
                return Some(product_of(factors));
            }
        }
    }

    /// Whether what comes is multiplied with what was, without a sign for it. A number never is: `2 3` is no product.
    fn starts_factor(&self) -> bool {
        match self.tokens.get(self.at) {
            Some(Token::Word(_)) => true,
            Some(Token::Mark('|')) => self.bars == 0,
            Some(Token::Mark(mark)) => matches!(mark, '(' | '[' | '{' | 'π' | '√' | '∛' | '∞'),
            Some(Token::Number(_)) => {
                let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
                matches!(before, Some(Token::Mark(')' | 'π' | ']')))
            }
            None => false,
        }
    }

    fn signed(&mut self) -> Option<Expression> {
        if self.eat('-') {
            let inner = self.nested(Self::signed)?;
            return Some(Expression::Negative(Box::new(inner)));
        }
        if self.eat('+') { self.nested(Self::signed) } else { self.power() }
    }

    fn power(&mut self) -> Option<Expression> {
        let mut base = self.primary()?;
        loop {
            if self.eat('!') {
                base = Expression::Call(Function::Factorial, vec![base]);
            } else if self.eat('%') {
                base = Expression::Quotient(Box::new(base), Box::new(whole(100)));
            } else if self.eat('°') {
                let half = Expression::Quotient(Box::new(Expression::Name("π".to_owned())), Box::new(whole(180)));
                base = Expression::Product(vec![base, half]);
            } else {
                break;
            }
            self.depth += 1;
            if self.depth > MOST_DEPTH * 4 {
                return None;
            }
        }
        if !self.eat('^') {
            return Some(base);
        }
        let exponent = self.nested(Self::signed)?;
        Some(Expression::Power(Box::new(base), Box::new(exponent)))
    }

    fn primary(&mut self) -> Option<Expression> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match token {
            Token::Number(numeral) => Some(self.mixed(numeral.clone())),
            Token::Word(word) => self.named(word),
            Token::Mark('π') => Some(Expression::Name("π".to_owned())),
            Token::Mark('∞') => Some(Expression::Name("∞".to_owned())),
            Token::Mark('√') => self.nested(|parser| Some(Expression::Call(Function::Sqrt, vec![parser.power()?]))),
            Token::Mark('∛') => {
                self.nested(|parser| Some(Expression::Call(Function::Root, vec![whole(3), parser.power()?])))
            }
            Token::Mark('|') => {
                self.bars += 1;
                let inner = self.nested(Self::sum)?;
                self.bars -= 1;
                self.eat('|').then(|| Expression::Call(Function::Abs, vec![inner]))
            }
            Token::Mark(open @ ('(' | '[' | '{')) => {
                let bars = std::mem::take(&mut self.bars);
                let inner = self.nested(Self::sum)?;
                self.bars = bars;
                self.eat(closing(*open)).then_some(inner)
            }
            Token::Mark(_) => None,
        }
    }

    /// `2 1/2` is more than two.
    fn mixed(&mut self, numeral: Numeral) -> Expression {
        if let [Token::Number(above), Token::Mark('/'), Token::Number(below), ..] = &self.tokens[self.at..]
            && [&numeral, above, below].iter().all(|part| part.decimals.is_none())
            && above.approximate > 0.0
            && above.approximate < below.approximate
        {
            let (above, below) = (Expression::Number(above.clone()), Expression::Number(below.clone()));
            self.at += 3;
            let fraction = Expression::Quotient(Box::new(above), Box::new(below));
            return Expression::Sum(vec![Expression::Number(numeral), fraction]);
        }
        Expression::Number(numeral)
    }

    fn named(&mut self, word: &str) -> Option<Expression> {
        let (name, subscript) = word.split_once('_').map_or((word, None), |(name, part)| (name, Some(part)));
        if let Some(function) = function_of(name) {
            return self.call(function, subscript);
        }
        if subscript.is_some() || name.chars().count() == 1 || is_symbol(name) {
            return Some(Expression::Name(match name {
                "pi" | "Pi" => "π".to_owned(),
                "oo" | "inf" | "infinity" => "∞".to_owned(),
                _ => word.to_owned(),
            }));
        }
        let count = name.chars().count();
        if let Some(split) = (2..=6).rev().find(|at| name.is_char_boundary(*at) && function_of(&name[..*at]).is_some())
            && count == split + 1
        {
            let argument = Expression::Name(name[split..].to_owned());
            return Some(Expression::Call(function_of(&name[..split])?, vec![argument]));
        }
        let letters = name.chars().map(|one| Expression::Name(one.to_string()));
        (count <= 3 && name.chars().all(is_letter)).then(|| Expression::Product(letters.collect()))
    }

    fn call(&mut self, function: Function, subscript: Option<&str>) -> Option<Expression> {
        let exponent = if self.eat('^') { Some(self.nested(Self::signed)?) } else { None };
        let is_bracketed = self.mark() == Some('(');
        let mut arguments = self.nested(|parser| {
            if !is_bracketed {
                return Some(vec![parser.argument()?]);
            }
            parser.at += 1;
            let mut arguments = vec![parser.sum()?];
            while parser.eat(';') {
                arguments.push(parser.sum()?);
            }
            parser.eat(')').then_some(arguments)
        })?;
        if let (Function::Log, Some(base)) = (function, subscript) {
            arguments.push(parse(base, Notation::plain())?);
        }
        let needed = if matches!(function, Function::Root | Function::Binomial) { 2 } else { 1 };
        if arguments.len() < needed || arguments.len() > needed + usize::from(function == Function::Log) {
            return None;
        }
        let inverse = exponent.as_ref().is_some_and(is_minus_one);
        let call = match (inverse, inverse_of(function)) {
            (true, Some(other)) => return Some(Expression::Call(other, arguments)),
            _ => Expression::Call(function, arguments),
        };
        Some(match exponent {
            Some(exponent) => Expression::Power(Box::new(call), Box::new(exponent)),
            None => call,
        })
    }

    /// What a function without brackets takes: factors up to the next sign.
    fn argument(&mut self) -> Option<Expression> {
        let mut factors = vec![self.signed()?];
        while self.starts_factor()
            && !matches!(self.tokens.get(self.at), Some(Token::Word(word)) if function_of(word).is_some())
        {
            factors.push(self.power()?);
        }
        Some(product_of(factors))
    }
}

fn product_of(mut factors: Vec<Expression>) -> Expression {
    match factors.pop() {
        Some(only) if factors.is_empty() => only,
        Some(last) => {
            factors.push(last);
            Expression::Product(factors)
        }
        None => whole(1),
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// A small whole number.
pub(super) fn whole(value: u32) -> Expression {
    Expression::Number(Numeral {
        ratio: Some(Ratio::whole(i128::from(value))),
        approximate: f64::from(value),
        canonical: (value.to_string(), 0),
        decimals: None,
        significant: 1,
        is_ambiguous: false,
    })
}

fn is_minus_one(expression: &Expression) -> bool {
    matches!(expression, Expression::Negative(one) if **one == Expression::Number(one_numeral()))
}

fn one_numeral() -> Numeral {
    Numeral {
        ratio: Some(Ratio::whole(1)),
        approximate: 1.0,
        canonical: ("1".to_owned(), 0),
        decimals: None,
        significant: 1,
        is_ambiguous: false,
    }
}

/// A letter that stands for a value: Latin, Greek or Cyrillic.
fn is_letter(one: char) -> bool {
    one.is_alphabetic() && one < '\u{590}'
}

/// A name of several letters that is one thing: AB, pi, x2.
fn is_symbol(name: &str) -> bool {
    let upper = name.chars().count() <= 3 && name.chars().all(char::is_uppercase);
    let numbered = name.starts_with(is_letter)
        && name.chars().next_back().is_some_and(|last| last.is_ascii_digit())
        && name.chars().count() <= 4;
    upper || numbered || matches!(name, "pi" | "Pi" | "oo" | "inf" | "infinity")
}

fn function_of(name: &str) -> Option<Function> {
    Some(match name {
        "sqrt" => Function::Sqrt,
        "root" => Function::Root,
        "abs" => Function::Abs,
        "exp" => Function::Exp,
        "ln" => Function::Ln,
        "log" | "lg" => Function::Log,
        "sin" | "sen" => Function::Sin,
        "cos" => Function::Cos,
        "tan" | "tg" => Function::Tan,
        "cot" | "ctg" => Function::Cot,
        "sec" => Function::Sec,
        "csc" | "cosec" => Function::Csc,
        "arcsin" | "asin" => Function::Arcsin,
        "arccos" | "acos" => Function::Arccos,
        "arctan" | "atan" | "arctg" => Function::Arctan,
        "sinh" => Function::Sinh,
        "cosh" => Function::Cosh,
        "tanh" => Function::Tanh,
        "floor" => Function::Floor,
        "ceil" => Function::Ceil,
        "binom" => Function::Binomial,
        _ => return None,
    })
}

fn inverse_of(function: Function) -> Option<Function> {
    match function {
        Function::Sin => Some(Function::Arcsin),
        Function::Cos => Some(Function::Arccos),
        Function::Tan => Some(Function::Arctan),
        _ => None,
    }
}
