//! Formulas that HTML has elements for: MathML, elements of a class, exponents and indices.

use super::super::super::math::{is_bracketed_formula, normalise};
use super::super::tokens::Tag;
use super::Reader;

/// Deepest element of MathML that is read.
const DEEPEST: usize = 64;
/// Longest formula, in bytes.
const LONGEST: usize = 4_000;

/// The text of an exponent or an index.
pub(super) struct Script {
    up: bool,
    pub(super) text: String,
}

impl Script {
    pub(super) fn new(up: bool) -> Self {
        Self { up, text: String::new() }
    }

    /// H<sub>2</sub>O is H₂O, 10<sup>3</sup> is 10³, x<sup>n+1</sup> is x^(n+1), and 1<sup>st</sup> is 1st.
    fn written(&self, before: Option<char>) -> String {
        const UP: &str = "0123456789+-−=()ni";
        const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ";
        const DOWN: &str = "0123456789+-−=()aeoxnijkmpst";
        const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₙᵢⱼₖₘₚₛₜ";
        let text = self.text.trim();
        let lettered = text.chars().all(char::is_alphabetic);
        let ordinal = self.up && lettered && before.is_none_or(|before| !before.is_alphabetic() && before != ')');
        if text.is_empty() || ordinal || text.starts_with(['[', '*', '†']) || text.chars().count() > 20 {
            return self.text.clone();
        }
        let (from, to) = if self.up { (UP, RAISED) } else { (DOWN, LOWERED) };
        let set = |character: char| from.chars().position(|known| known == character).and_then(|at| to.chars().nth(at));
        if let Some(set) = text.chars().map(set).collect::<Option<String>>()
            && (!lettered || text.chars().count() == 1)
        {
            return set;
        }
        let sign = if self.up { '^' } else { '_' };
        if text.chars().count() == 1 || !self.up && lettered {
            format!("{sign}{text}")
        } else {
            format!("{sign}({text})")
        }
    }
}

/// TeX in an element of its own.
pub(super) struct Tex {
    element: String,
    depth: usize,
    display: bool,
    pub(super) text: String,
}

/// MathML in the making: the open elements with the LaTeX of what is in them.
#[derive(Default)]
pub(super) struct MathMl {
    display: bool,
    open: Vec<(String, Vec<String>)>,
    tex: Option<String>,
    in_tex: bool,
    in_other: bool,
    deeper: usize,
}

impl MathMl {
    pub(super) fn text(&mut self, text: &str) {
        if self.in_tex {
            self.tex.get_or_insert_default().push_str(text);
        } else if !self.in_other && !text.trim().is_empty() {
            let text = text.trim().to_owned();
            self.open.last_mut().into_iter().for_each(|(_, inside)| inside.push(text.clone()));
        }
    }

    fn begin(&mut self, tag: &Tag) {
        if tag.name == "annotation" || tag.name == "annotation-xml" {
            self.in_tex =
                tag.attribute("encoding").is_some_and(|encoding| encoding.contains("tex") || encoding.contains("TeX"));
            self.in_other = !self.in_tex;
            if self.in_tex {
                self.tex = None;
            }
        } else if self.open.len() < DEEPEST {
            self.open.push((tag.name.clone(), Vec::new()));
        } else {
            self.deeper += 1;
        }
    }

    fn end(&mut self, name: &str) {
        if name.starts_with("annotation") {
            self.in_tex = false;
            self.in_other = false;
        } else if self.deeper > 0 {
            self.deeper -= 1;
        } else if self.open.len() > 1
            && let Some((name, inside)) = self.open.pop()
        {
            let latex = latex_of(&name, &inside);
            self.open.last_mut().into_iter().for_each(|(_, around)| around.push(latex.clone()));
        }
    }

    fn latex(mut self) -> String {
        while self.open.len() > 1 {
            self.deeper = 0;
            self.end("");
        }
        let shown = self.open.pop().map_or_else(String::new, |(name, inside)| latex_of(&name, &inside));
        normalise(&self.tex.filter(|tex| !tex.trim().is_empty()).unwrap_or(shown))
    }
}

/// LaTeX of an element of MathML.
fn latex_of(name: &str, inside: &[String]) -> String {
    match (name, inside) {
        ("msup", [base, up]) => format!("{base}^{{{up}}}"),
        ("msub", [base, down]) => format!("{base}_{{{down}}}"),
        ("msubsup", [base, down, up]) => format!("{base}_{{{down}}}^{{{up}}}"),
        ("mfrac", [above, below]) => format!("\\frac{{{above}}}{{{below}}}"),
        ("msqrt", inside) => format!("\\sqrt{{{}}}", inside.join(" ")),
        ("mtext", inside) => format!("\\text{{{}}}", inside.join(" ")),
        (_, inside) => inside.join(" "),
    }
}

impl Reader<'_> {
    pub(super) fn close_script(&mut self) {
        if let Some(script) = self.script.take() {
            let written = script.written(self.builder.text().chars().next_back());
            self.builder.push_str(&written);
        }
    }

    /// Whether a tag is in a formula, or begins one.
    pub(super) fn goes_on_with_formula(&mut self, tag: &Tag) -> bool {
        if let Some(tex) = &mut self.tex {
            tex.depth += usize::from(tex.element == tag.name);
            return true;
        }
        if let Some(mathml) = &mut self.mathml {
            mathml.begin(tag);
            return true;
        }
        if tag.name == "math" {
            let display = tag.attribute("display") == Some("block");
            let tex = tag.attribute("alttext").map(str::to_owned);
            self.mathml =
                Some(MathMl { display, tex, open: vec![("math".to_owned(), Vec::new())], ..MathMl::default() });
            return true;
        }
        let math = matches!(tag.name.as_str(), "span" | "div")
            && tag
                .classes()
                .any(|class| matches!(class, "math" | "math-tex" | "tex" | "latex" | "math-inline" | "math-display"));
        if math {
            let display = tag.name == "div" || tag.classes().any(|class| class.contains("display"));
            self.tex = Some(Tex { element: tag.name.clone(), depth: 1, display, text: String::new() });
        }
        math
    }

    pub(super) fn ends_formula(&mut self, name: &str) -> bool {
        if let Some(tex) = &mut self.tex {
            tex.depth -= usize::from(tex.element == name);
            if tex.depth == 0 {
                self.end_tex();
            }
            return true;
        }
        if self.mathml.is_some() && name == "math" {
            self.end_mathml();
            return true;
        }
        if let Some(mathml) = &mut self.mathml {
            mathml.end(name);
            return true;
        }
        false
    }

    /// Ends what is open where the text ends.
    pub(super) fn end_open_formula(&mut self) {
        self.end_tex();
        self.end_mathml();
    }

    fn end_mathml(&mut self) {
        let Some(mathml) = self.mathml.take() else { return };
        let display = mathml.display;
        let latex = mathml.latex();
        if !latex.is_empty() {
            self.formula(&latex, display);
        }
    }

    fn end_tex(&mut self) {
        let Some(tex) = self.tex.take() else { return };
        let written = self.masked.restored(&tex.text);
        let trimmed = written.trim();
        let delimiters = [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"), ("", "")];
        let inner = delimiters
            .iter()
            .find_map(|(open, close)| trimmed.strip_prefix(open)?.strip_suffix(close))
            .unwrap_or(trimmed);
        let whole =
            inner.len() <= LONGEST && !inner.contains('$') && !inner.contains("\\(") && is_bracketed_formula(inner);
        if whole {
            let display = tex.display || trimmed.starts_with("$$") || trimmed.starts_with("\\[");
            self.formula(&normalise(inner), display);
        } else {
            self.boundary(&tex.element);
            self.text(&tex.text);
            self.boundary(&tex.element);
        }
    }
}
