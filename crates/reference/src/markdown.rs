//! Markdown of the repository and of the OpenAPI documents as HTML: headings that can be linked, code that can be copied, links that
//! lead to pages. HTML in the text is text.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::html::{Html, escape};

/// A heading of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// From 1, the text's title, to 6.
    pub(crate) level: u8,
    pub(crate) id: String,
    pub(crate) text: String,
}

/// A text as HTML.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rendered {
    /// The text of the first heading of level 1, which the HTML does not repeat; may be empty.
    pub(crate) title: String,
    pub(crate) html: Html,
    /// Those below the title.
    pub(crate) headings: Vec<Heading>,
    /// The plain text of each heading's section, in their order; the first one is what stands before all of them.
    pub(crate) sections: Vec<String>,
}

/// A short text, such as a description in an OpenAPI document.
pub(crate) fn inline_prose(markdown: &str) -> Html {
    if markdown.is_empty() {
        return Html::default();
    }
    render(markdown, &|link| link.to_owned()).html
}

/// A text, whose links lead where `resolve` says.
pub(crate) fn render(markdown: &str, resolve: &dyn Fn(&str) -> String) -> Rendered {
    let mut writer = Writer {
        rendered: Rendered { sections: vec![String::new()], ..Rendered::default() },
        events: Vec::new(),
        resolve,
    };
    let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inside: Vec<Event<'_>> =
                    events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
                writer.heading(level as u8, inside);
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let inside = events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)));
                let text: String = inside
                    .filter_map(|event| if let Event::Text(text) = event { Some(text.to_string()) } else { None })
                    .collect();
                writer.code(&kind, &text);
            }
            other => writer.other(other),
        }
    }
    let Writer { mut rendered, events, .. } = writer;
    html::push_html(&mut rendered.html.0, events.into_iter());
    rendered
}

struct Writer<'m, 'r> {
    rendered: Rendered,
    events: Vec<Event<'m>>,
    resolve: &'r dyn Fn(&str) -> String,
}

impl<'m> Writer<'m, '_> {
    fn heading(&mut self, level: u8, inside: Vec<Event<'m>>) {
        let text: String = inside.iter().filter_map(words).collect();
        if level == 1 && self.rendered.title.is_empty() {
            self.rendered.title = text;
            return;
        }
        let id = self.free_id(&text);
        self.events.push(Event::Html(format!("<h{level} id=\"{id}\">").into()));
        self.events.extend(inside);
        let link =
            format!("<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to “{}”\">#</a></h{level}>\n", escape(&text));
        self.events.push(Event::Html(link.into()));
        self.rendered.headings.push(Heading { level, id, text });
        self.rendered.sections.push(String::new());
    }

    /// An id that no heading has yet.
    fn free_id(&self, text: &str) -> String {
        let id = slug(text);
        let is_free = |id: &String| self.rendered.headings.iter().all(|heading| heading.id != *id);
        let numbered = (2..).map(|number| format!("{id}-{number}"));
        std::iter::once(id.clone()).chain(numbered).find(is_free).expect("there are numbers enough")
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>, text: &str) {
        let language = match kind {
            CodeBlockKind::Fenced(language) => language.to_string(),
            CodeBlockKind::Indented => String::new(),
        };
        self.events.push(Event::Html(code_block(text, &language).0.into()));
    }

    fn other(&mut self, event: Event<'m>) {
        let text = words(&event).unwrap_or(if matches!(event, Event::End(_)) { " " } else { "" });
        self.rendered.sections.last_mut().expect("there is a first section").push_str(text);
        self.events.push(match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                Event::Start(Tag::Link { link_type, dest_url: (self.resolve)(&dest_url).into(), title, id })
            }
            Event::Start(Tag::Table(_)) | Event::End(TagEnd::Table) => return self.table(event),
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            other => other,
        });
    }

    /// A wide table scrolls by itself, for the keyboard too.
    fn table(&mut self, event: Event<'m>) {
        let is_start = matches!(event, Event::Start(_));
        if is_start {
            self.events.push(Event::Html(CowStr::Borrowed(
                "<div class=\"table-wrap\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">",
            )));
        }
        self.events.push(event);
        if !is_start {
            self.events.push(Event::Html(CowStr::Borrowed("</div>")));
        }
    }
}

/// Code with its colours and the button that copies it.
pub(crate) fn code_block(text: &str, language: &str) -> Html {
    let (text, name) = (text.trim_end_matches('\n'), if language.is_empty() { "code" } else { language });
    // The examples name their tool, which is a shell's.
    let grammar = if language == "curl" { "sh" } else { language };
    let code = markup::highlight_code(text, grammar);
    Html(format!(
        "<div class=\"code\"><pre tabindex=\"0\"><code>{code}</code></pre><button type=\"button\" class=\"button secondary small\" \
         data-copy aria-label=\"Copy the {} example\">Copy</button></div>\n",
        escape(name)
    ))
}

fn words<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    }
}

/// A heading's id, as GitHub makes it.
fn slug(text: &str) -> String {
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_title_headings_to_link_and_resolved_links() {
        let text =
            "# The title\n\nFirst.\n\n## Send `it`\n\nSee [that](other.md).\n\n## Send it\n\n```sh\ncurl x\n```\n";
        let rendered = render(text, &|link| format!("/docs/{link}"));
        assert_eq!(rendered.title, "The title");
        let ids: Vec<_> = rendered.headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["send-it", "send-it-2"]);
        assert!(rendered.html.0.contains("href=\"/docs/other.md\""));
        assert!(rendered.html.0.contains("data-copy"));
        assert!(!rendered.html.0.contains("<h1"));
        assert_eq!(rendered.sections.len(), 3);
        assert_eq!(rendered.sections[0].trim(), "First.");
    }

    #[test]
    fn html_in_a_text_is_text() {
        let html = inline_prose("a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>\n").0;
        assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
    }

    #[test]
    fn code_keeps_its_text_and_becomes_no_markup() {
        for (text, language) in [
            ("{ \"a<b>\": \"it's \\\" &\", \"n\": 12, \"x\": null }", "json"),
            ("const a = `x${'<script>'}`; // a comment", "javascript"),
            ("print('é', \"unclosed", "python"),
            ("curl -d 'a'\\''b' # done", "sh"),
            ("<b>", "toml"),
        ] {
            let html = code_block(text, language).0;
            let code = scraper::Selector::parse("code").unwrap();
            let page = scraper::Html::parse_fragment(&html);
            assert_eq!(page.select(&code).next().unwrap().text().collect::<String>(), text);
            assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        }
        assert!(code_block("{\"a\": 1}", "json").0.contains("<span class=\"code-constant\">1</span>"));
    }
}
