//! What becomes of formulas.

use super::*;
use crate::Sanitizer;

#[track_caller]
fn assert_same(html: &str, expected: &str) {
    let sanitizer = Sanitizer::new(vec![]);
    let once = sanitizer.html(html);
    assert_eq!(once.as_str(), expected, "{html}");
    assert_eq!(sanitizer.html(once.as_str()).as_str(), expected, "twice: {html}");
}

fn with_latex(presentation: &str, latex: &str, display: &str) -> String {
    format!(
        "<math display=\"{display}\"><semantics><mrow>{presentation}</mrow>\
         <annotation encoding=\"application/x-tex\">{latex}</annotation></semantics></math>"
    )
}

#[test]
fn a_space_of_words_is_a_space() {
    for latex in [r"5\ \text{mm}", r"5~\text{mm}", r"5\nobreakspace\text{mm}"] {
        let html = mathml(latex, false).unwrap();
        assert!(html.contains("<mspace width=\"0.25em\"") && !html.contains("nbsp"), "{html}");
    }
}

#[test]
fn latex_becomes_mathml_that_keeps_it() {
    let html = mathml(" x=-\\frac{b}{2a} ", false).unwrap();
    assert_eq!(
        html,
        with_latex(
            "<mi>x</mi><mo>=</mo><mi>−</mi><mfrac><mrow><mi>b</mi></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>",
            "x=-\\frac{b}{2a}",
            "inline"
        )
    );
    assert_eq!(latex_of(&html).as_deref(), Some("x=-\\frac{b}{2a}"));
    assert!(!is_display(&html));
    let html = mathml("a < b \\text{ if } 1 \\& 2", true).unwrap();
    assert!(html.starts_with("<math display=\"block\">"), "{html}");
    assert!(
        html.contains("<mo>&lt;</mo>") && html.contains("a &lt; b \\text{ if } 1 \\&amp; 2</annotation>"),
        "{html}"
    );
    assert_eq!(latex_of(&html).as_deref(), Some("a < b \\text{ if } 1 \\& 2"));
    assert!(is_display(&html));
}

#[test]
fn what_schools_write_can_be_read() {
    for latex in [
        r"E = mc^2",
        r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}",
        r"\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}",
        r"\lim_{x \to 0} \frac{\sin x}{x} = 1",
        r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
        r"\begin{array}{cc|c} 1 & 2 & 3 \\ \hline 4 & 5 & 6 \end{array}",
        r"f(x) = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}",
        r"\begin{aligned} a &= b + c \\ &= d \end{aligned}",
        r"\left( \frac{a}{b} \right)^2 \bigl( x \bigr)",
        r"\vec{F} = m\vec{a}, \quad \overline{AB} \perp \overline{CD}",
        r"\mathbb{R} \subset \mathbb{C}, \; x \in A \cap B \cup \varnothing",
        r"2\,\mathrm{H_2} + \mathrm{O_2} \rightarrow 2\,\mathrm{H_2O}",
        r"90^\circ, \; \angle ABC, \; \triangle ABC \sim \triangle DEF",
        r"\binom{n}{k} = \frac{n!}{k!(n-k)!}",
        r"\sqrt[3]{27} = 3, \; |x| \leq 5 \implies -5 \leq x \leq 5",
        r"\color{red} x + \strut y \operatorname{erf}(x)",
        r"\underbrace{a + b}_{\text{sum}} \overset{!}{=} c \not= d",
        r"f'(x) = \frac{\mathrm{d}}{\mathrm{d}x} f(x) \approx 3.14\%",
    ] {
        let html = mathml(latex, true);
        assert!(html.is_some(), "{latex}");
        let html = html.unwrap();
        crate::inspection::assert_harmless(&html, latex);
        assert_eq!(latex_of(&html).as_deref(), Some(latex));
    }
}

#[test]
fn latex_that_can_not_be_read_is_none() {
    for latex in
        ["", "  ", r"\unknown{x}", r"\frac{1}", "{", r"\left( x", r"\def\a{b}\a", r"x^2^3", r"\operatorname{a<b}"]
    {
        assert_eq!(mathml(latex, false), None, "{latex}");
    }
    assert_eq!(mathml(&"x+".repeat(3000), false), None);
    assert_eq!(mathml(&r"\sqrt".repeat(600), false), None);
}

#[test]
fn a_space_without_a_width_leaves_no_text_behind() {
    let html = mathml(r"\strut x", false).unwrap();
    assert!(html.contains("<mspace height=\"1em\" width=\"0em\"></mspace><mi>x</mi>"), "{html}");
}

#[test]
fn tables_are_aligned_cell_by_cell() {
    let html = mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", true).unwrap();
    assert_eq!(html.matches("<mtd columnalign=\"right\">").count(), 2, "{html}");
    assert_eq!(html.matches("<mtd columnalign=\"left\">").count(), 2, "{html}");
    let html = mathml(r"\begin{array}{l|r} a & b \\ \hline c & d \end{array}", true).unwrap();
    assert!(html.contains("<mtr class=\"menv-hline\">"), "{html}");
    assert!(html.contains("<mtd class=\"menv-right-solid\" columnalign=\"left\">"), "{html}");
}

#[test]
fn formulas_of_others_are_shown_by_their_latex() {
    let expected = mathml("x^2", true).unwrap();
    for html in [
        "<math display=\"block\"><semantics><mi>evil</mi><annotation encoding=\"application/x-tex\">x^2</annotation></semantics></math>",
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=block><annotation encoding=TeX> x^2\n</annotation></math>",
        "<math mode=\"display\"><semantics><annotation-xml encoding=\"MathML-Content\"><ci>x</ci></annotation-xml>\
         <annotation encoding=\"LaTeX\">x^2</annotation></semantics></math>",
    ] {
        assert_same(html, &expected);
    }
}

#[test]
fn formulas_without_latex_are_rebuilt_of_known_elements() {
    for (html, expected) in [
        (
            "<math><mrow id=a onclick=b><mi mathvariant=normal>d</mi><mo stretchy=false form=evil>+</mo><msup><mi>x</mi><mn>2</mn></msup></mrow></math>",
            "<math display=\"inline\"><mrow><mi mathvariant=\"normal\">d</mi><mo stretchy=\"false\">+</mo><msup><mi>x</mi><mn>2</mn></msup></mrow></math>",
        ),
        (
            "<math><mfenced open='[' separators=';'><mi>a</mi><mi>b</mi></mfenced></math>",
            "<math display=\"inline\"><mrow><mo>[</mo><mi>a</mi><mo>;</mo><mi>b</mi><mo>)</mo></mrow></math>",
        ),
        (
            "<math display=block><mtable columnalign='left right'><mtr><mtd>1</mtd><mtd>2</mtd></mtr></mtable></math>",
            "<math display=\"block\"><mtable><mtr><mtd columnalign=\"left\"><mtext>1</mtext></mtd>\
             <mtd columnalign=\"right\"><mtext>2</mtext></mtd></mtr></mtable></math>",
        ),
        (
            "<math><mspace width='1em'><mtext>a &lt; <b>b</b></mtext><mspace width='-9em'/></math>",
            "<math display=\"inline\"><mspace width=\"1em\"></mspace><mtext>a &lt; b</mtext><mspace></mspace></math>",
        ),
        (
            "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\unknown</annotation></semantics></math>",
            &with_latex("<mi>x</mi>", "\\unknown", "inline"),
        ),
        ("<p>a<math></math><math/><math><annotation-xml><mi>x</mi></annotation-xml></math>b</p>", "<p>ab</p>"),
    ] {
        assert_same(html, expected);
    }
}

#[test]
fn html_ends_a_formula_and_what_follows_is_no_part_of_it() {
    for (html, expected) in [
        ("<math><mi>x</mi><p>text</p>", "<math display=\"inline\"><mi>x</mi></math><p>text</p>"),
        ("<div><math><mi>x</div><p>text</p>", "<div><math display=\"inline\"><mi>x</mi></math></div><p>text</p>"),
        ("<ul><li><math><mi>x<li>y</ul>", "<ul><li><math display=\"inline\"><mi>x</mi></math></li><li>y</li></ul>"),
        ("<math><mi>x</mi>", "<math display=\"inline\"><mi>x</mi></math>"),
        (
            "<table><math><mi>x</mi></math><tr><td>a</table>",
            "<math display=\"inline\"><mi>x</mi></math><table><tbody><tr><td>a</td></tr></tbody></table>",
        ),
    ] {
        assert_same(html, expected);
    }
}

#[test]
fn latex_in_text_is_shown_as_a_formula_outside_of_code() {
    let x = mathml("x^2", false).unwrap();
    let y = mathml("y_1 < 2", true).unwrap();
    assert_same("<p>a $x^2$ b</p>", &format!("<p>a {x} b</p>"));
    assert_same("<p>$$y_1 &lt; 2$$ and \\[y_1 < 2\\]</p>", &format!("<p>{y} and {y}</p>"));
    assert_same("<p>a <font>$x</font>^2$</p>", &format!("<p>a {x}</p>"));
    for verbatim in
        ["<p>$5 and $7</p>", "<p><code>$x^2$</code></p>", "<pre>$x^2$\n$$y$$</pre>", "<p><samp>$x^2$</samp></p>"]
    {
        assert_same(verbatim, verbatim);
    }
    assert_same("<p>$\\unknown{x}$</p>", "<p><code>\\unknown{x}</code></p>");
}

#[test]
fn latex_in_markdown_is_not_markdown() {
    let sanitizer = Sanitizer::new(vec![]);
    let markdown = |text: &str| sanitizer.content(text).as_str().trim().to_owned();
    let formula = |latex, display| mathml(latex, display).unwrap();
    assert_eq!(
        markdown("**a** $x_1 * y_1 * z$ b"),
        format!("<p><strong>a</strong> {} b</p>", formula("x_1 * y_1 * z", false))
    );
    assert_eq!(markdown("- \\(a_1 + b_1\\)"), format!("<ul>\n<li>{}</li>\n</ul>", formula("a_1 + b_1", false)));
    assert_eq!(
        markdown("# T\n\n\\[\n\\begin{matrix} a & b \\\\ c & d \\end{matrix}\n\\]"),
        format!("<h2>T</h2>\n<p>{}</p>", formula("\\begin{matrix} a & b \\\\ c & d \\end{matrix}", true))
    );
    assert_eq!(markdown("`$x^2$` costs \\$5 or \\$7 \\[1\\]"), "<p><code>$x^2$</code> costs $5 or $7 [1]</p>");
    assert_eq!(markdown("    $x^2$ \\(y\\)"), "<pre><code>$x^2$ \\(y\\)</code></pre>");
    assert_eq!(markdown("It costs $5 to **$7**."), "<p>It costs $5 to <strong>$7</strong>.</p>");
    let cell = formula("|x|", false);
    assert!(markdown("|a|\n|-|\n|$|x|$|").contains(&format!("<td>{cell}</td>")));
    assert!(markdown("[a](https://a.example/?b=$c&d=$e)").contains("href=\"https://a.example/?b=$c&amp;d=$e\""));
}

#[test]
fn code_keeps_its_language() {
    assert_same("<pre><code class=\"language-c++\">a</code></pre>", "<pre><code class=\"language-c++\">a</code></pre>");
    assert_same("<pre class=\"x language-python y\">a</pre>", "<pre class=\"language-python\">a</pre>");
    assert_same("<p class=\"language-python\"><code class=\"banner\">a</code></p>", "<p><code>a</code></p>");
    let html = Sanitizer::new(vec![]).content("```python\ndef f():\n    return 1\n```");
    assert_eq!(html.as_str().trim(), "<pre><code class=\"language-python\">def f():\n    return 1\n</code></pre>");
}

#[test]
fn titles_of_slides_hold_latex_and_a_formula_is_content() {
    let slides =
        Sanitizer::new(vec![]).slides("<section><h2>The root $\\sqrt{2}$</h2></section><section>$$x^2$$</section>");
    assert_eq!(slides[0].title, "The root $\\sqrt{2}$");
    assert_eq!(slides[1].content.as_str(), mathml("x^2", true).unwrap());
}

#[test]
fn plain_text_becomes_html_with_formulas() {
    let x = mathml("x^2", false).unwrap();
    assert_eq!(inline_html("a < b: $x^2$, $5").as_str(), format!("a &lt; b: {x}, $5"));
    assert_eq!(inline_html("$\\unknown<$").as_str(), "<code>\\unknown&lt;</code>");
}

#[test]
fn only_a_formula_has_latex() {
    for html in
        ["", "x", "<p>x</p>", "<math><mi>x</mi></math>", "<math><annotation encoding=tex>x</annotation></math>y"]
    {
        assert_eq!(latex_of(html), None, "{html}");
    }
}
