//! LaTeX as the plain notation that the parser reads: `\frac{1}{2}` is `((1)/(2))`.
//!
//! One pass, each character once. What it doesn't know becomes a word, which no expression is made of; it never fails.

/// Groups within groups beyond this stay as they are.
const MOST_DEPTH: usize = 40;

/// Plain notation for a text that may hold LaTeX.
pub(super) fn to_plain(text: &str) -> String {
    if !text.contains(['\\', '{', '^', '~']) {
        return text.to_owned();
    }
    let mut reader = Reader { rest: text, depth: 0, matrices: 0, plain: String::with_capacity(text.len()) };
    while reader.step() {}
    reader.plain
}

/// Whether a command with this name opens a box around a final answer.
pub(super) const BOXES: [&str; 2] = ["\\boxed", "\\fbox"];

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
    matrices: usize,
    plain: String,
}

impl Reader<'_> {
    fn take(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let stripped = self.rest.strip_prefix(prefix);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    /// Reads one thing; whether there was one.
    fn step(&mut self) -> bool {
        if self.skip("{,}") {
            self.plain.push(',');
            return true;
        }
        match self.take() {
            None => return false,
            Some('\\') => self.command(),
            Some('^') => {
                let at = self.plain.len();
                self.plain.push('^');
                self.argument();
                if matches!(self.plain[at + 1..].trim_matches(['(', ')', ' ']), "°" | "circ") {
                    self.plain.truncate(at);
                    self.plain.push('°');
                }
            }
            Some('_') => {
                let at = self.plain.len();
                self.argument();
                let name: String = self.plain[at..].chars().filter(|one| one.is_alphanumeric()).collect();
                self.plain.truncate(at);
                self.plain.push('_');
                self.plain.push_str(&name);
            }
            Some('~') => self.plain.push(' '),
            Some('&') => self.plain.push(if self.matrices > 0 { '¦' } else { ' ' }),
            Some(other) => self.plain.push(other),
        }
        true
    }

    /// The argument of a command: a group, a command or a single character. Brackets are put around groups.
    fn argument(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
        if self.depth >= MOST_DEPTH || !self.rest.starts_with('{') {
            match self.rest.chars().next() {
                Some('\\') => {
                    self.take();
                    self.depth += 1;
                    if self.depth < MOST_DEPTH {
                        self.command();
                    }
                    self.depth -= 1;
                }
                Some('-' | '+') if self.plain.ends_with('^') => {
                    self.plain.extend(self.rest.chars().next());
                    self.take();
                }
                Some('(') => {}
                Some(digit) if digit.is_ascii_digit() && self.plain.ends_with(['^', '_']) => {}
                _ => {
                    let next = self.take();
                    self.plain.extend(next);
                }
            }
            return;
        }
        self.take();
        self.plain.push('(');
        self.group('}');
        self.plain.push(')');
    }

    /// Everything up to the bracket that closes the group.
    fn group(&mut self, close: char) {
        self.depth += 1;
        let mut open = 0;
        loop {
            match self.rest.chars().next() {
                Some(one) if one == close && open == 0 => {
                    self.take();
                    break;
                }
                Some('{') if close == '}' && !self.rest.starts_with("{,}") => open += 1,
                Some('}') if close == '}' => open -= 1,
                _ => {}
            }
            if !self.step() {
                break;
            }
        }
        self.depth -= 1;
    }

    fn command(&mut self) {
        // A doubled backslash is a line break, or a backslash that somebody escaped.
        if self.rest.starts_with('\\') {
            let after = self.rest[1..].chars().next();
            if !after.is_some_and(|one| {
                one.is_ascii_alphabetic() || matches!(one, '(' | ')' | '[' | ']' | '%' | '{' | '}' | ',' | '!')
            }) {
                self.take();
                self.plain.push(if self.matrices > 0 { '‖' } else { '\n' });
                return;
            }
            self.take();
        }
        let length = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if length == 0 {
            self.symbol();
            return;
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.named(name);
    }

    /// A command of one character that is no letter.
    fn symbol(&mut self) {
        match self.take() {
            Some('!') => self.rest = self.rest.trim_start(),
            Some('{') => self.plain.push('{'),
            Some('}') => self.plain.push('}'),
            Some('$') => self.plain.push('＄'),
            Some('|') => self.plain.push('|'),
            Some(one @ ('%' | '#' | '&' | '_')) => self.plain.push(one),
            Some('(' | ')' | '[' | ']') | None => self.plain.push(' '),
            Some(_) => self.plain.push(' '),
        }
    }

    fn named(&mut self, name: &str) {
        match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" => {
                self.fraction();
            }
            "sqrt" => self.root(),
            "binom" | "dbinom" | "tbinom" => {
                self.plain.push_str(" binom(");
                self.argument();
                self.plain.push(';');
                self.argument();
                self.plain.push(')');
            }
            // A period of digits: 0.\overline{3}.
            "overline" if self.plain.ends_with(|last: char| last.is_ascii_digit() || matches!(last, '.' | ',')) => {
                self.argument();
            }
            "text" | "mbox" | "textnormal" | "textrm" | "textbf" | "textit" | "mathrm" | "mathbf" | "mathit"
            | "mathsf" | "operatorname" | "boxed" | "fbox" | "hbox" | "overline" | "vec" | "hat" | "bar"
            | "overrightarrow" | "mathbb" | "mathcal" | "emph" | "underline" | "displaystyle" => self.content(),
            "begin" => self.begin(),
            "end" => {
                let environment = self.name_in_braces();
                let ends = is_matrix(&environment) && self.matrices > 0;
                self.matrices -= usize::from(ends);
                self.plain.push(if ends { '⟧' } else { '\n' });
            }
            "left" | "right" | "big" | "Big" | "bigg" | "Bigg" | "bigl" | "bigr" | "Bigl" | "Bigr" | "middle" => {
                self.skip(".");
            }
            _ => match symbol_of(name) {
                Some(symbol) => self.plain.push_str(symbol),
                None => {
                    self.plain.push(' ');
                    self.plain.push_str(name);
                    if self.rest.starts_with(|next: char| next.is_ascii_digit() || next == '\\') {
                        self.plain.push(' ');
                    }
                }
            },
        }
    }

    /// `((a)/(b))`; behind a number a proper fraction of numbers is the rest of a mixed number.
    fn fraction(&mut self) {
        let start = self.plain.len();
        let follows_number = self.plain.trim_end().ends_with(|one: char| one.is_ascii_digit());
        self.plain.push_str("((");
        self.argument();
        let middle = self.plain.len();
        self.plain.push_str(")/(");
        self.argument();
        self.plain.push_str("))");
        let whole = |part: &str| part.trim_matches(['(', ')', '/', ' ']).parse::<u32>().ok();
        if let (true, Some(above), Some(below)) =
            (follows_number, whole(&self.plain[start..middle]), whole(&self.plain[middle..]))
            && above < below
        {
            self.plain.truncate(start);
            self.plain.push_str(&format!(" {above}/{below}"));
        }
    }

    fn root(&mut self) {
        if self.rest.trim_start().starts_with('[') && self.depth < MOST_DEPTH {
            self.rest = &self.rest.trim_start()[1..];
            self.plain.push_str(" root((");
            self.group(']');
            self.plain.push_str(");");
        } else {
            self.plain.push_str(" sqrt(");
        }
        self.argument();
        self.plain.push(')');
    }

    /// The argument without brackets, as words are set.
    fn content(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
        if self.depth < MOST_DEPTH && self.skip("{") {
            self.plain.push(' ');
            self.group('}');
            self.plain.push(' ');
        }
    }

    fn begin(&mut self) {
        let environment = self.name_in_braces();
        if environment == "array" {
            self.name_in_braces();
        }
        let begins = is_matrix(&environment);
        self.matrices += usize::from(begins);
        self.plain.push(if begins { '⟦' } else { '\n' });
    }

    fn name_in_braces(&mut self) -> String {
        let Some(after) = self.rest.strip_prefix('{') else { return String::new() };
        let near = after.char_indices().take(24).find(|(_, one)| *one == '}');
        let Some((end, _)) = near else { return String::new() };
        self.rest = &after[end + 1..];
        after[..end].to_owned()
    }
}

fn is_matrix(environment: &str) -> bool {
    environment == "array" || environment.ends_with("matrix")
}

fn symbol_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "cdot" | "times" | "ast" | "star" => "*",
        "div" => "/",
        "pm" => "±",
        "mp" => "∓",
        "le" | "leq" | "leqslant" => "≤",
        "ge" | "geq" | "geqslant" => "≥",
        "lt" => "<",
        "gt" => ">",
        "ne" | "neq" => "≠",
        "approx" | "simeq" | "cong" => "≈",
        "equiv" => "=",
        "in" => "∈",
        "cup" => "∪",
        "cap" => "∩",
        "infty" => "∞",
        "emptyset" | "varnothing" => "∅",
        "setminus" | "backslash" => "∖",
        "circ" | "degree" => "°",
        "colon" => ":",
        "vert" | "lvert" | "rvert" | "mid" => "|",
        "lbrace" => "{",
        "rbrace" => "}",
        "lbrack" => "[",
        "rbrack" => "]",
        "langle" => "(",
        "rangle" | "rfloor" | "rceil" => ")",
        "lfloor" => " floor(",
        "lceil" => " ceil(",
        "to" | "rightarrow" | "Rightarrow" | "implies" | "longrightarrow" | "iff" | "Leftrightarrow" => "⇒",
        "quad" | "qquad" | "thinspace" | "space" | "limits" | "displaystyle" | "textstyle" => " ",
        "ldots" | "dots" | "cdots" | "dotsc" => "…",
        "prime" => "'",
        "ell" => "l",
        "pi" => "π",
        "alpha" => "α",
        "beta" => "β",
        "gamma" => "γ",
        "delta" => "δ",
        "epsilon" | "varepsilon" => "ε",
        "zeta" => "ζ",
        "eta" => "η",
        "theta" | "vartheta" => "θ",
        "kappa" => "κ",
        "lambda" => "λ",
        "mu" => "μ",
        "nu" => "ν",
        "xi" => "ξ",
        "rho" => "ρ",
        "sigma" => "σ",
        "tau" => "τ",
        "phi" | "varphi" => "φ",
        "chi" => "χ",
        "psi" => "ψ",
        "omega" => "ω",
        "Gamma" => "Γ",
        "Delta" => "Δ",
        "Theta" => "Θ",
        "Lambda" => "Λ",
        "Sigma" => "Σ",
        "Phi" => "Φ",
        "Omega" => "Ω",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_plain_notation() {
        for (latex, expected) in [
            (r"\frac{1}{2}", "(((1))/((2)))"),
            (r"2\frac{1}{2}", "2 1/2"),
            (r"\frac94", "((9)/(4))"),
            (r"\frac3{3}", "((3)/((3)))"),
            (r"\sqrt{2}", " sqrt((2))"),
            (r"\sqrt[3]{8}", " root((3);(8))"),
            (r"14{,}916", "14,916"),
            (r"32,\! 349", "32,349"),
            (r"x^{10}", "x^(10)"),
            (r"90^\circ", "90°"),
            (r"90^{\circ}", "90°"),
            (r"a_{37}", "a_37"),
            (r"15\mbox{ cm}^2", "15  cm ^2"),
            (r"\left( \\frac{4}{3} \right)", "( (((4))/((3))) )"),
            (r"\begin{pmatrix}1 & 2 \\3 & 4\end{pmatrix}", "⟦1 ¦ 2 ‖3 ¦ 4⟧"),
            (r"\begin{array}{cc}1 & 2\end{array}", "⟦1 ¦ 2⟧"),
            (r"28\%", "28%"),
            (r"\{1,2\}", "{1,2}"),
        ] {
            assert_eq!(to_plain(latex), expected, "{latex}");
        }
    }

    #[test]
    fn whatever_is_open_ends_with_the_text() {
        for text in ["\\frac{", "\\frac", "\\sqrt[", "{{{{", "}", "\\", "\\\\", "\\begin{", "^", "_", "\\text{a"] {
            to_plain(text);
        }
        to_plain(&"\\frac{".repeat(10_000));
        to_plain(&"^".repeat(50_000));
        to_plain(&"\\frac".repeat(10_000));
    }
}
