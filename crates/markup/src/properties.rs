//! What holds of every text, known or not.

use proptest::prelude::*;

use crate::inspection::assert_harmless;
use crate::{Sanitizer, formulas};

/// Scraps of markup that mean something to some parser; strung together they make what nobody thought of.
const SCRAPS: [&str; 104] = [
    "<",
    ">",
    "</",
    "/>",
    "\"",
    "'",
    "=",
    "&",
    ";",
    " ",
    "\n",
    "\n\n",
    "\t",
    "\0",
    "\u{b}",
    "\u{feff}",
    "`",
    "```",
    "#",
    "- ",
    "|",
    "[",
    "](",
    ")",
    "*",
    "**",
    "<!--",
    "-->",
    "--!>",
    "<![CDATA[",
    "]]>",
    "<?",
    "<!doctype html>",
    "&lt;",
    "&#x6a;",
    "&#0;",
    "javascript:",
    "data:",
    "https://a.example/",
    "<p>",
    "</p>",
    "<p ",
    "<b id=a>",
    "</b>",
    "<a href=",
    "</a>",
    "<a>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<caption>",
    "<li>",
    "<ul>",
    "<h1>",
    "<h3>",
    "</h2>",
    "<section>",
    "<aside class=notes>",
    "<hr>",
    "<details>",
    "<pre>",
    "<ruby>",
    "<rt>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mtext>",
    "</math>",
    "</mtext>",
    "<mi>",
    "</mi>",
    "<mrow>",
    "<mfenced>",
    "<mtable><mtr><mtd>",
    "<mglyph>",
    "<malignmark>",
    "<mspace/>",
    "<semantics>",
    "<annotation-xml encoding=text/html>",
    "</annotation-xml>",
    "<annotation encoding=application/x-tex>",
    "</annotation>",
    "<math display=block>",
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\frac",
    "\\text{",
    "{",
    "}",
    "^",
    "_",
    "\\begin{matrix}",
    "\u{fdd0}",
    "<style>",
    "</style>",
    "<script>",
    "<template>",
    "<noscript>",
    "<select>",
    "<form>",
    "<img src=x onerror=alert(1)>",
];

fn soup() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        8 => prop::sample::select(SCRAPS.to_vec()).prop_map(str::to_owned),
        1 => "[a-zA-Z0-9 =:/.#_-]{0,8}",
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
}

/// Well-formed blocks, as an editor writes them.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z]{1,8}".prop_map(|text| format!("<p>{text}</p>")),
        "[a-z]{1,8}".prop_map(|text| format!("<h2>{text}</h2>")),
        "[a-z]{1,8}".prop_map(|text| format!("<pre><code>{text} &lt; 1</code></pre>")),
        "[a-z]{1,8}".prop_map(|text| format!("<dl><dt>{text}</dt><dd>d</dd></dl>")),
        "[a-z]{1,8}"
            .prop_map(|text| format!("<table><tbody><tr><th scope=\"row\">{text}</th><td>1</td></tr></tbody></table>")),
        "[a-z]{1,8}".prop_map(|text| format!("<figure><p>{text}</p><figcaption>c</figcaption></figure>")),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let wrapper = prop::sample::select(vec!["section", "div", "blockquote", "article", "details"]);
        (wrapper, prop::collection::vec(inner, 1..4))
            .prop_map(|(name, inner)| format!("<{name}>{}</{name}>", inner.concat()))
    })
}

/// MathML that nobody wrote by hand.
fn mathml_soup() -> impl Strategy<Value = String> {
    let is_mathml = |scrap: &&str| {
        let name = scrap.trim_start_matches(['<', '/']);
        !scrap.starts_with('<')
            || name.starts_with('m')
            || name.starts_with("annotation")
            || name.starts_with("semantics")
    };
    let scraps: Vec<&str> =
        SCRAPS.into_iter().filter(is_mathml).filter(|scrap| !scrap.contains('<') || scrap.len() > 2).collect();
    prop::collection::vec(prop::sample::select(scraps), 0..40).prop_map(|scraps| scraps.concat())
}

/// LaTeX, and what is nearly LaTeX.
fn formula() -> impl Strategy<Value = String> {
    let latex = prop::collection::vec(
        prop::sample::select(vec![
            "x",
            "y",
            "+",
            "=",
            "2",
            "^2",
            "_i",
            "^{n+1}",
            "\\alpha ",
            "\\frac{1}{2}",
            "\\sqrt{x}",
            "\\text{for }",
            "(",
            ")",
            "\\le ",
            "\\sum_{i=1}^n ",
            "\\begin{pmatrix}a & b \\\\ c & d\\end{pmatrix}",
            "\\mathbb{R}",
            "\\left( z \\right)",
            "\\unknown",
            "\\,",
        ]),
        1..8,
    );
    latex.prop_map(|latex| latex.concat())
}

proptest! {
    #[test]
    fn formulas_are_the_same_when_they_are_cleaned_twice(latex in formula(), display in any::<bool>(), soup in mathml_soup()) {
        let sanitizer = Sanitizer::new(vec![]);
        let sign = if display { "$$" } else { "$" };
        for html in [format!("<p>a {sign}x{latex}{sign} b</p>"), format!("<p>a<math>{soup}</math></p>")] {
            let once = sanitizer.html(&html);
            assert_harmless(once.as_str(), &html);
            prop_assert_eq!(sanitizer.html(once.as_str()), once, "{}", html);
        }
    }

    #[test]
    fn mathml_keeps_its_latex(latex in formula(), display in any::<bool>()) {
        if let Some(html) = formulas::mathml(&latex, display) {
            prop_assert_eq!(formulas::latex_of(&html), Some(latex.trim().to_owned()));
            prop_assert_eq!(formulas::is_display(&html), display);
            assert_harmless(&html, &latex);
            let kept = Sanitizer::new(vec![]).html(&html);
            prop_assert_eq!(kept.as_str(), html);
        }
    }

    #[test]
    fn no_latex_breaks_the_reader(latex in "[ -~]{0,60}|(\\\\[a-zA-Z]{1,8}|[{}\\[\\]()&^_$#%~ ]|\\PC){0,30}", display in any::<bool>()) {
        if let Some(html) = formulas::mathml(&latex, display) {
            assert_harmless(&html, &latex);
        }
        assert_harmless(formulas::inline_html(&latex).as_str(), &latex);
    }

    #[test]
    fn whatever_comes_in_only_what_is_allowed_goes_out(text in soup()) {
        let sanitizer = Sanitizer::new(vec![]);
        assert_harmless(sanitizer.content(&text).as_str(), &text);
        assert_harmless(sanitizer.html(&text).as_str(), &text);
        assert_harmless(formulas::inline_html(&text).as_str(), &text);
        for slide in sanitizer.slides(&text) {
            assert_harmless(slide.content.as_str(), &text);
            assert_harmless(slide.notes.as_str(), &text);
        }
    }

    #[test]
    fn well_formed_html_is_unharmed(html in document()) {
        let safe = Sanitizer::new(vec![]).content(&html);
        prop_assert_eq!(safe.as_str(), html);
    }

    #[test]
    fn plain_text_is_all_there(text in "[a-z]{1,6}( [a-z]{1,6}){0,6}") {
        let html = Sanitizer::new(vec![]).content(&text);
        prop_assert_eq!(html.as_str().trim(), format!("<p>{text}</p>"));
    }
}

#[test]
fn preformatted_text_is_read_again_as_it_was_written() {
    for text in ["<pre>\n\n\n", "<pre>\n\n a</pre>", "<pre><!-- -->\n\n\na</pre>", "<pre><b>\n\na</b></pre>"] {
        assert_harmless(Sanitizer::new(vec![]).html(text).as_str(), text);
    }
}

/// The length of a text that others are compared with, in bytes.
const SHORT: usize = 4_000;
/// What a byte may become, in bytes.
const MOST_GROWTH: usize = 100;

/// Texts of about a length on which HTML's rules for broken nesting are quadratic or worse, or whose result would be far
/// longer.
fn costly(bytes: usize) -> Vec<String> {
    let fill = |scrap: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        (0..)
            .map(scrap)
            .take_while(|scrap| {
                text.push_str(scrap);
                text.len() < bytes
            })
            .for_each(drop);
        text
    };
    vec![
        fill(&|_| "<div>".into()),
        fill(&|at| format!("<p><b id={at}>")),
        fill(&|at| format!("<b id={at}><table></b></table>")),
        fill(&|_| "<a><p>".into()),
        fill(&|_| "<rt>".into()),
        fill(&|_| "<table><tr><td>".into()),
        fill(&|_| "<table>x".into()),
        fill(&|_| "<svg><math>".into()),
        fill(&|_| "</p>".into()),
        fill(&|_| "<!--".into()),
        fill(&|_| "<section><hr><h2>".into()),
        fill(&|_| "x<hr>".into()),
        fill(&|_| "<aside class=notes>x</aside><hr>".into()),
        format!("<p {}>", fill(&|at| format!("a{at} "))),
        fill(&|_| "> ".into()),
        fill(&|_| "[".into()),
        fill(&|_| "*a_".into()),
        fill(&|_| "`a``".into()),
        fill(&|_| "- ".into()),
        fill(&|_| "|a".into()),
        fill(&|_| "<math>".into()),
        fill(&|_| "<math><mi>".into()),
        fill(&|_| "<math><mrow>x".into()) + "</math>",
        fill(&|_| "<math><mfenced>".into()),
        fill(&|_| "<math><mfenced>x</mfenced></math>".into()),
        fill(&|_| "<math><annotation encoding=tex>x</math>".into()),
        "<math>".to_owned() + &fill(&|_| "<mtable><mtr><mtd>".into()),
        fill(&|_| "$x$ ".into()),
        fill(&|_| "$x$,".into()),
        fill(&|_| "$x^".into()),
        fill(&|_| "\\(".into()),
        fill(&|_| "\\(x\\[y".into()),
        fill(&|_| "\\(x\\)`a`".into()),
        fill(&|_| "$$\\sqrt".into()),
        format!("<p>{}</p>", fill(&|_| "$(x)$ ".into())),
        format!("[a]: {}\n\n{}", "x".repeat(bytes / 2), fill(&|_| "[a]".into())),
    ]
}

#[test]
fn no_text_takes_more_than_linear_time_or_space() {
    let sanitizer = Sanitizer::new(vec![]);
    let sanitize = |text: &String| {
        let written = sanitizer.content(text).as_str().len()
            + sanitizer.slides(text).iter().map(|slide| slide.content.as_str().len()).sum::<usize>();
        assert!(written <= MOST_GROWTH * text.len(), "{} bytes become {written}", text.len());
    };
    for (at, text) in costly(SHORT).iter().enumerate() {
        let about: String = text.chars().take(24).collect();
        testkit::assert_linear(&about, SHORT, |bytes| costly(bytes).swap_remove(at), sanitize);
    }
}
