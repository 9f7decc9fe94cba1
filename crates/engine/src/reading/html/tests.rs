use super::*;

fn texts(html: &str) -> Vec<String> {
    read(html, &Pointer::root("/x"), 1).iter().map(|block| format!("{:?}", block.body)).collect()
}

#[test]
fn structure_survives_and_scripts_do_not() {
    let blocks = texts(
        "<h1>Water</h1><p>H<sub>2</sub>O is <b>water</b> &amp; wet.<script>alert('no')</script></p><ul><li>a<ul><li>b</li></ul></li></ul><table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>",
    );
    let all = blocks.join("\n");
    assert!(all.contains("H₂O is water & wet.") && !all.contains("alert"), "{all}");
    assert!(all.contains("columns: [\"x\", \"y\"]") && all.contains("level: 1"), "{all}");
}

#[test]
fn tag_soup_keeps_its_text() {
    let all = texts("<p>one <li>two</td> <b>three < four <script> five").join(" ");
    for word in ["one", "two", "three", "four", "five"] {
        assert!(all.contains(word), "{word} in {all}");
    }
}

#[test]
fn a_text_about_tags_is_no_html() {
    assert!(!looks_like("Use the <script> tag when a < b and c > d."));
    assert!(looks_like("one<br>two") && looks_like("<p>x</p>"));
}

fn bodies(html: &str) -> Vec<Body> {
    read(html, &Pointer::root("/x"), 1).into_iter().map(|block| block.body).collect()
}

fn only_text(html: &str) -> String {
    let mut found = Vec::new();
    for body in bodies(html) {
        crate::reading::flat::each_text(&body, &mut |text| found.push(text.to_owned()));
    }
    found.join("\n")
}

#[test]
fn code_keeps_its_language_and_lines() {
    let found = bodies(
        "<p>Look:</p><pre><code class=\"language-python\">def f(x):\n    return x &lt; 1\n</code></pre><pre><samp>7</samp></pre>",
    );
    let [Body::Paragraph(_), Body::Code(code)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (code.language.as_deref(), code.text.as_str(), code.output.as_deref()),
        (Some("python"), "def f(x):\n    return x < 1", Some("7"))
    );
}

#[test]
fn what_looks_like_code_in_a_sentence_survives() {
    assert_eq!(
        only_text("<p>A List<T> holds a <T>; a < b and C# &gt; C.</p>"),
        "A List<T> holds a <T>; a < b and C# > C."
    );
    assert_eq!(only_text("<p>one</p> two <b three four"), "one\ntwo <b three four");
    assert_eq!(only_text("<p>one</p><!-- no --> two <!-- three"), "one\ntwo <!-- three");
    assert_eq!(only_text("<p>a &amp;lt; b</p>"), "a &lt; b");
    assert_eq!(only_text("<p>mail <a@b.org></p>"), "mail <a@b.org>");
}

#[test]
fn formulas_are_found_in_every_form() {
    for (html, latex) in [
        ("<p>so $a &lt; b^2$ holds</p>", "$a < b^2$"),
        (r#"<p>so <span class="math-tex">\(x^2\)</span> holds</p>"#, "$x^2$"),
        (r#"<p>so <span class="math">x_1</span> holds</p>"#, "$x_1$"),
        (r#"<p>so <script type="math/tex">x < y^2</script> holds</p>"#, "$x < y^2$"),
        (
            r#"<p>so <math><semantics><mi>x</mi><annotation encoding="application/x-tex">\frac{x}{2}</annotation></semantics></math> holds</p>"#,
            r"$\frac{x}{2}$",
        ),
        (
            "<p>so <math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math> holds</p>",
            r"$\frac{a}{b^{2}}$",
        ),
    ] {
        let found = bodies(html);
        let [Body::Paragraph(passage)] = &found[..] else { panic!("{html}: {found:?}") };
        assert_eq!(passage.text, format!("so {latex} holds"), "{html}");
        assert!(passage.marks.iter().any(|mark| mark.kind == super::super::inline::MarkKind::Formula), "{html}");
    }
    let found = bodies(r#"<p>a</p><math display="block"><mi>x</mi></math><p>$$E=mc^2$$</p>"#);
    assert!(
        matches!(&found[..], [Body::Paragraph(_), Body::Formula(x), Body::Formula(e)] if x == "x" && e == "E=mc^2"),
        "{found:?}"
    );
    assert_eq!(only_text("<p>It costs $5 and $7.</p>"), "It costs $5 and $7.");
    assert_eq!(only_text("<td>$5</td><td>$7</td>"), "$5\n$7");
    assert_eq!(only_text("<p><code>echo $a$b</code></p>"), "echo $a$b");
}

#[test]
fn exponents_and_indices_are_written() {
    assert_eq!(
        only_text(
            "<p>10<sup>3</sup>, x<sup>n+1</sup>, 1<sup>st</sup>, Ca<sup>2+</sup>, v<sub>max</sub>, CO<sub>2</sub>, x<sup>n</sup></p>"
        ),
        "10³, xⁿ⁺¹, 1st, Ca²⁺, v_max, CO₂, xⁿ"
    );
}

#[test]
fn pictures_have_their_text_and_caption() {
    let found = bodies(
        "<p>Look: <img src=\"https://x.y/c.png\" alt=\"A cell\"> here</p><figure><img src='https://x.y/d.png'><figcaption>Seen</figcaption></figure><p><img src=x alt=\"no page\"></p>",
    );
    let [Body::Paragraph(_), Body::Picture(one), Body::Paragraph(_), Body::Picture(two), Body::Paragraph(text)] =
        &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!(
        (one.description.as_str(), two.caption.as_deref(), text.text.as_str()),
        ("A cell", Some("Seen"), "no page")
    );
}

#[test]
fn links_and_quotations_are_kept() {
    let found = bodies(
        "<p>See <a href=\"https://x.y/?a=b&amp;c=d\">this</a> and <a href=\"javascript:x\">that</a>.</p><blockquote><p>Be brave.</p><cite>Ada</cite></blockquote>",
    );
    let [Body::Paragraph(passage), Body::Quotation(quotation)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(passage.marks.len(), 1);
    assert_eq!(passage.marks[0].kind, super::super::inline::MarkKind::Link("https://x.y/?a=b&c=d".to_owned()));
    assert_eq!((quotation.paragraphs[0].text.as_str(), quotation.source.as_deref()), ("Be brave.", Some("Ada")));
}

#[test]
fn cells_reach_over_columns_and_rows() {
    let found = bodies(
        "<table><thead><tr><th rowspan=2>Name</th><th colspan=2>Size</th></tr><tr><th>cm</th><th>kg</th></tr></thead>\
         <tr><td rowspan=\"2\">Cat</td><td>30</td><td>4</td></tr><tr><td>31</td><td>5</td></tr></table>",
    );
    let [Body::Table(table)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(table.columns, ["Name", "Size cm", "Size kg"]);
    assert_eq!(table.rows[1].cells, ["Cat", "31", "5"]);
}

#[test]
fn what_a_class_calls_a_teachers_is_dropped() {
    let html = "<p>one</p><div class=\"box teacher-notes\"><div>secret</div></div><aside class='answer-key'>B</aside><p>two</p>";
    assert_eq!(only_text(html), "one\ntwo");
}

#[test]
fn folded_answers_belong_to_their_question() {
    let found = bodies(
        "<p>What is 2+2?</p><details><summary>Show answer</summary><p>4</p><p>Count.</p></details><details><summary>More</summary><p>Text</p></details>",
    );
    let Body::Questions(questions) = &found[0] else { panic!("{found:?}") };
    assert_eq!(
        (&questions[0].answers[..], questions[0].explanation.as_deref()),
        (&["4".to_owned()][..], Some("Count."))
    );
    assert_eq!(found.len(), 3);
    let found = bodies(
        "<p>Solve 2x = 4.</p><details><summary>Solution</summary><ol><li>Halve it.</li></ol><p>x = 2</p></details>",
    );
    assert!(
        matches!(&found[..], [Body::Example(example)] if example.steps.len() == 1 && example.result.is_some()),
        "{found:?}"
    );
}

#[test]
fn paragraphs_are_parted_by_blank_lines_where_no_element_does() {
    assert_eq!(bodies("one\n\n<b>two</b> three\n\nfour").len(), 3);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read(pieces in proptest::collection::vec(proptest::sample::select(&["<p>", "</p>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td colspan=9>", "<td rowspan=3>", "</table>", "<math>", "<msup>", "</math>", "<pre>", "</pre>", "<code>", "</code>", "<blockquote>", "</blockquote>", "<details>", "<summary>Answer", "</details>", "<sup>", "</sup>", "<span class=math>", "</span>", "<a href='https://x.y'>", "</a>", "<b>", "</b>", "<img src=https://x.y/z.png>", "<figure>", "<figcaption>", "<script>", "</script>", "<!--", "-->", "$x$", "\\(y\\)", "word", "&lt;", "<", ">", "\"", "<T>", "<dl><dt>", "<dd>", "</dl>", "<h2>", "</h2>", "\n\n"][..]), 0..24)) {
        let html: String = pieces.concat();
        let found = read(&html, &Pointer::root("/x"), 1);
        proptest::prop_assert!(!html.contains("word") || html.contains("<script>") || html.contains("<!--") || html.contains("<details>") || html.contains('"') || format!("{found:?}").contains("word"), "{html}");
    }
}
