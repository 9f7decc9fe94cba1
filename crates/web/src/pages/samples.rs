//! Every template, filled from samples: friendly ones in several languages, and ones whose every text is an attack.

use std::collections::BTreeSet;

use askama::Template;
use content::catalog::{Entry, Wanted};
use content::classrooms::Classroom;
use content::resources::{Failure, Kind, Status};
use content::videos::renderings::{RenderStatus, Resolution};
use kernel::time::Timestamp;
use markup::Sanitizer;
use platform::lti::deep_linking::Answer;
use platform::lti::registration_links::connect::{Connected, Invitation, PlatformQuery};
use platform::lti::registration_links::refusal::{Reason, Refusal};
use platform::videos::{RenderedFile, RenderingProgress, VideoRendering, VideoReview};
use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

use super::Markup;
use super::course::{CoursePage, Link, Part, Position};
use super::error::{ErrorPage, Missing};
use super::launch::NoticePage;
use super::module::{Module, ModulePage};
use super::picking::{AnswerPage, Filter, PickingPage};
use super::questions::Item;
use super::registration::{ConnectForm, ConnectPage, ConnectedPage, NotConnectedPage};
use super::review::{Notice, ReviewPage, ScenePicture, SceneVersions, Shown};
use super::shell::{Access, Shell, Site, Stage};
use super::slides::SlidesPage;
use super::test::{AnswerUse, AttemptForm, Test, TestPage, TestResultPage};
use super::video::{Scene, VideoPage};
use crate::answers::{AnswerForm, Answers, ItemKind, OpenGrade, OpenGrades, Passing};
use crate::language::Language;
use crate::texts::Texts;

const FRIENDLY: &str = "Cells & tissues";
const HOSTILE: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}&lt;b&gt;";

fn site() -> Site {
    Site { root: "/school".to_owned() }
}

fn item(kind: ItemKind, text: &str) -> Item {
    let options = match kind {
        ItemKind::Select | ItemKind::TrueFalse => vec![text.to_owned(), "other".to_owned()],
        _ => vec![],
    };
    Item {
        id: format!("{kind:?} {text}"),
        kind,
        title: text.to_owned(),
        question: text.to_owned(),
        language: "en".to_owned(),
        options,
        key: vec![text.to_owned()],
        explanation: text.to_owned(),
        points: Some(2.5),
        shows_feedback: true,
    }
}

fn items(text: &str) -> Vec<Item> {
    let kinds = [ItemKind::Select, ItemKind::TrueFalse, ItemKind::Blank, ItemKind::OpenEnded, ItemKind::Submission];
    let several =
        Item { key: vec![text.to_owned(), "other".to_owned()], id: "several".into(), ..item(ItemKind::Select, text) };
    let silent = Item { shows_feedback: false, id: "silent".into(), ..item(ItemKind::Blank, text) };
    kinds.into_iter().map(|kind| item(kind, text)).chain([several, silent]).collect()
}

/// Answers to some of [`items`], right and wrong.
fn answers(text: &str) -> Answers {
    let fields = [("Select", text), ("TrueFalse", "other"), ("Blank", "x\"><b>"), ("OpenEnded", text)];
    let fields = fields.map(|(kind, value)| (format!("{}{kind} {text}", Answers::FIELD_PREFIX), value.to_owned()));
    Answers::from_fields(fields)
}

/// A form with some answers, of which one is checked alone where it is named.
fn form(text: &str, checked: Option<ItemKind>) -> AnswerForm {
    let open = item(ItemKind::OpenEnded, text);
    let grade = OpenGrade { share: 0.5, needs_review: true, feedback: text.to_owned() };
    AnswerForm {
        answers: answers(text),
        checked: checked.map(|kind| item(kind, text).id),
        wants_item: false,
        grades: OpenGrades([(open.grade_name(), grade)].into()),
    }
}

/// Each page in each state, with its name.
fn pages(language: &str, text: &str) -> Vec<(String, String)> {
    let shell = |access, stage| Shell::new(&site(), language, access, stage);
    let open = || shell(Access::Public, Stage::Whole);
    let sanitizer = Sanitizer::new(vec![]);
    let owned = || text.to_owned();
    let module = || Module {
        id: owned(),
        title: owned(),
        description: owned(),
        content: Markup(sanitizer.content(&format!("# {text}\n\n<p id=a>{text}</p>\n\n## {text}\n\n# {text}"))),
        items: items(text),
    };
    let link = |url: &str| Link { url: url.to_owned(), title: owned() };
    let position = Position {
        part_id: owned(),
        course: link("/c"),
        part: owned(),
        previous: Some(link("/p")),
        next: Some(link("/n")),
    };
    let test = || Test {
        name: owned(),
        description: owned(),
        time_limit_minutes: 15.0,
        passing: Passing::Percentage(60.0),
        items: items(text),
        position: None,
        answer_use: AnswerUse::Check,
    };
    let part = Part { id: owned(), url: "/school/public/courses/1/2".to_owned(), title: owned(), description: owned() };
    let scene = Scene { script: owned(), display_text: owned(), duration_seconds: 7.5 };
    let deck = sanitizer.slides(&format!(
        "<section><h2>{text}</h2><aside class=notes>{text}</aside></section><section>{text}</section>"
    ));
    let write = |name: &str, page: &dyn Fn() -> askama::Result<String>| (format!("{language} {name}"), page().unwrap());
    let mut pages = vec![
        write("module", &|| ModulePage::new(open(), module(), None, None).render()),
        write("module answered", &|| ModulePage::new(open(), module(), None, Some(&form(text, None))).render()),
        write("module, one item", &|| {
            ModulePage::new(open(), module(), None, Some(&form(text, Some(ItemKind::Blank)))).render()
        }),
        write("module in a course", &|| {
            ModulePage::new(shell(Access::Preview, Stage::Whole), module(), Some(position.clone()), None).render()
        }),
        write("course", &|| CoursePage::new(open(), owned(), owned(), text, vec![part.clone(), part.clone()]).render()),
        write("course empty", &|| CoursePage::new(open(), owned(), String::new(), "", vec![]).render()),
        write("slides", &|| SlidesPage::new(open(), owned(), owned(), deck.clone()).render()),
        write("slides empty", &|| SlidesPage::new(open(), owned(), owned(), vec![]).render()),
        write("test", &|| TestPage::new(open(), test(), None).render()),
        write("test, one item", &|| {
            TestPage::new(open(), test(), Some(&form(text, Some(ItemKind::OpenEnded)))).render()
        }),
        write("test result", &|| TestResultPage::new(open(), test(), &form(text, None)).render()),
        write("test result without answers", &|| TestResultPage::new(open(), test(), &AnswerForm::default()).render()),
        write("video", &|| VideoPage::new(open(), owned(), owned(), vec![scene.clone(), scene.clone()]).render()),
        write("video empty", &|| VideoPage::new(open(), owned(), owned(), vec![]).render()),
    ];
    let texts = Texts::of(&Language::of(language));
    for kept in [None, Some(answers(text))] {
        let form = || AttemptForm { id: owned(), left: Some(2), kept: kept.clone() };
        let to_hand_in = || Test { answer_use: AnswerUse::HandIn(form()), position: Some(position.clone()), ..test() };
        pages.push(write("test to hand in", &|| TestPage::new(open(), to_hand_in(), None).render()));
    }
    let previewed = || Test { answer_use: AnswerUse::Preview, ..test() };
    pages.push(write("test of a teacher", &|| TestPage::new(open(), previewed(), None).render()));
    for accepted in [json!({}), json!({ "accept_multiple": false, "accept_lineitem": false })] {
        pages.push(write("picking", &|| picking(texts, text, &accepted).render()));
    }
    pages.push(write("notice", &|| NoticePage::of(&site(), texts, text, texts.only_teachers).render()));
    let answer = Answer { url: "https://lms.example/dl?a=1".parse().unwrap(), token: owned() };
    pages.push(write("picked", &|| AnswerPage::new(&site(), texts, &answer).render()));
    for stage in [Stage::Queued, Stage::Processing, Stage::Failed(owned())] {
        let name = format!("module {stage:?}");
        let shell = || shell(Access::Preview, stage.clone());
        pages.push(write(&name, &|| ModulePage::new(shell(), module(), None, None).render()));
        pages.push(write(&name, &|| SlidesPage::new(shell(), owned(), owned(), deck.clone()).render()));
        pages.push(write(&name, &|| TestPage::new(shell(), test(), None).render()));
        pages.push(write(&name, &|| VideoPage::new(shell(), owned(), owned(), vec![scene.clone()]).render()));
        pages.push(write(&name, &|| CoursePage::new(shell(), owned(), owned(), "", vec![]).render()));
    }
    for missing in
        [Missing::NotFound, Missing::Unavailable, Missing::TooLarge, Missing::NoForm, Missing::CutForm, Missing::Broken]
    {
        pages.push(write(&format!("{missing:?}"), &|| ErrorPage::new(&site(), texts, missing).render()));
    }
    pages.extend(registration_pages(language, text));
    pages.extend(review_pages(language, text));
    pages
}

/// The page of an edit link, in every state of a rendering.
fn review_pages(language: &str, text: &str) -> Vec<(String, String)> {
    let owned = || text.to_owned();
    let at = Timestamp::from_millis(1_800_000_000_000);
    let id = |n: u32| format!("0192aee1-5a3b-7c2d-8e4f-12345678{n:04}");
    let scene = |n: u32| content::videos::Scene {
        id: id(n).parse().unwrap(),
        sequence: n.into(),
        script: owned(),
        display_text: owned(),
        duration: 7.5,
    };
    let file = || RenderedFile {
        video_url: String::new(),
        poster_url: String::new(),
        captions_url: String::new(),
        transcript_url: String::new(),
        duration_ms: 15_000,
        width: 1280,
        height: 720,
        size_bytes: 2_451_022,
        burned_captions: false,
        chapters: Vec::new(),
        is_outdated: true,
        rendered_at: at,
    };
    let progress = || RenderingProgress {
        resolution: Resolution::FullHd,
        burn_captions: true,
        scenes: 2,
        scenes_done: 1,
        requested_at: at,
        ended_at: None,
    };
    let notices = [
        None,
        Some(Notice::Saved),
        Some(Notice::ChangedMeanwhile),
        Some(Notice::Invalid(vec![owned()])),
        Some(Notice::Refused(owned())),
    ];
    let states = RenderStatus::ALL.into_iter().zip(notices);
    let page = |(render_status, notice): (RenderStatus, Option<Notice>)| {
        let error = (render_status == RenderStatus::Failed).then(|| Failure { code: owned(), message: owned() });
        let rendering = VideoRendering {
            render_status,
            video_key: None,
            error,
            rendering: (render_status != RenderStatus::Idle).then(progress),
            file: (render_status == RenderStatus::Completed).then(file),
        };
        let status = if render_status == RenderStatus::Idle { Status::Processing } else { Status::Completed };
        let review = VideoReview {
            rendering,
            id: id(9).parse().unwrap(),
            title: owned(),
            description: owned(),
            status,
            language: language.to_owned(),
            aspect_ratio: "16:9".to_owned(),
            scenes: if render_status == RenderStatus::Failed { vec![] } else { vec![scene(1), scene(2)] },
            version: 3,
            updated_at: at,
        };
        let addresses = ("/school/videos/edit/t".to_owned(), "/school/v1/platform/videos/edit/t".to_owned());
        let versions = SceneVersions {
            earlier: vec![owned(), owned()],
            instruction: owned(),
            fault: (render_status == RenderStatus::Completed).then(owned),
            is_instruction_ignored: true,
            is_unsaved: true,
        };
        let mut shown = Shown::stored(review);
        shown.is_saved = matches!(notice, None | Some(Notice::Saved));
        if let [changed, gone] = shown.scenes.as_mut_slice() {
            (changed.versions, changed.picture) = (versions, ScenePicture::Outdated);
            (gone.key, gone.picture) = ("new-1".to_owned(), ScenePicture::None);
        }
        let html = ReviewPage::new(&site(), shown, addresses, notice).render().unwrap();
        (format!("{language} review {}", render_status.as_str()), html)
    };
    states.map(page).collect()
}

/// The pages of a registration link.
fn registration_pages(language: &str, text: &str) -> Vec<(String, String)> {
    let (texts, owned) = (Texts::of(&Language::of(language)), || text.to_owned());
    let write = |name: String, page: askama::Result<String>| (format!("{language} {name}"), page.unwrap());
    let invitation = Invitation { workspace: owned(), name: Some(owned()), platform: owned() };
    let query = PlatformQuery { openid_configuration: owned(), registration_token: Some(owned()) };
    let form = ConnectForm { action: "/school/register".to_owned(), query };
    let id = "0192aee1-5a3b-7c2d-8e4f-123456789abc".parse().unwrap();
    let connected = Connected { id, name: owned(), client_id: owned(), deployment_id: Some(owned()) };
    let refused = |reason: &Reason| {
        let refusal = Refusal { reason: *reason, detail: Some(owned()) };
        write(reason.code().to_owned(), NotConnectedPage::new(&site(), texts, &refusal).render())
    };
    let mut pages = vec![
        write("connect".to_owned(), ConnectPage::new(&site(), texts, invitation, form).render()),
        write("connected".to_owned(), ConnectedPage::new(&site(), texts, connected).render()),
    ];
    pages.extend(Reason::ALL.iter().map(refused));
    pages
}

fn picking(texts: &'static Texts, text: &str, accepted: &Value) -> PickingPage {
    let classroom = Classroom {
        id: "0192aee1-5a3b-7c2d-8e4f-123456789abc".parse().unwrap(),
        name: text.to_owned(),
        slug: "c".to_owned(),
        locale: "en".to_owned(),
    };
    let entry = |kind| Entry {
        kind,
        id: text.to_owned(),
        title: text.to_owned(),
        description: text.to_owned(),
        classroom_id: classroom.id,
        created_at: Timestamp::from_millis(0),
    };
    let mut settings = json!({ "deep_link_return_url": "https://lms.example/dl", "accept_types": ["ltiResourceLink"] });
    settings.as_object_mut().unwrap().extend(accepted.as_object().unwrap().clone());
    let wanted = Wanted { classroom: Some(classroom.id), kind: Some(Kind::Test), words: text.to_owned() };
    let filter = Filter { wanted, classrooms: vec![classroom.clone()], is_cut: true };
    let entries = [entry(Kind::Test), entry(Kind::Module)];
    let settings = serde_json::from_value(settings).unwrap();
    let page = PickingPage::new(&site(), texts, text.to_owned(), &settings, filter, &entries);
    page.with_picks(&[format!("tests/{}", entries[0].id)], texts.pick_gone)
}

fn all_pages() -> Vec<(String, String)> {
    let friendly = ["en", "de", "ar", "ckb", "ja", "fi"].into_iter().flat_map(|language| pages(language, FRIENDLY));
    friendly.chain(pages("en", HOSTILE)).chain(pages("he", HOSTILE)).collect()
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// Runs a check on every page, with the page's name for its message.
fn on_all(check: impl Fn(&str, &Html)) {
    for (name, html) in all_pages() {
        check(&name, &Html::parse_document(&html));
    }
}

#[test]
fn no_text_becomes_markup() {
    on_all(|name, page| {
        for script in select(page, "script") {
            let own = script.attr("src").is_some_and(|src| src.starts_with("/school/assets/"));
            assert!(own && script.text().next().is_none(), "{name}");
        }
        assert!(select(page, "[onerror], [onclick], [style], style, iframe, b").is_empty(), "{name}");
        let own = |image: ElementRef<'_>| image.attr("src").is_some_and(|src| src.starts_with("/school/v1/"));
        assert!(select(page, "img").into_iter().all(own), "{name}");
    });
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    on_all(|name, page| {
        for loading in select(page, "link, script") {
            let address = loading.attr("href").or_else(|| loading.attr("src")).unwrap_or_default();
            assert!(address.starts_with("/school/assets/"), "{name} {address}");
        }
    });
}

#[test]
fn ids_are_unique_and_references_lead_somewhere() {
    on_all(|name, page| {
        let ids: Vec<&str> = select(page, "[id]").iter().filter_map(|element| element.attr("id")).collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{name}: {ids:?}");
        for attribute in ["for", "aria-labelledby", "aria-describedby", "aria-controls"] {
            for element in select(page, &format!("[{attribute}]")) {
                for id in element.attr(attribute).unwrap_or_default().split_ascii_whitespace() {
                    assert!(unique.contains(id), "{name}: {attribute} {id}");
                }
            }
        }
        for link in select(page, "a[href^='#']") {
            let id = link.attr("href").unwrap_or_default().trim_start_matches('#');
            assert!(unique.contains(id), "{name}: #{id}");
        }
    });
}

#[test]
fn a_page_has_landmarks_one_title_and_headings_in_order() {
    on_all(|name, page| {
        for single in ["main#main", "h1", "title", "footer", "a.skip[href='#main']", "html[lang][dir]"] {
            assert_eq!(select(page, single).len(), 1, "{name}: {single}");
        }
        let mut before = 0;
        for heading in select(page, "h1, h2, h3, h4, h5, h6") {
            let level = u32::from(heading.value().name().as_bytes()[1] - b'0');
            assert!(level <= before + 1, "{name}: a heading jumps from {before} to {level}");
            before = level;
        }
    });
}

#[test]
fn every_field_has_a_label_and_choices_stand_in_named_groups() {
    on_all(|name, page| {
        for field in select(page, "input[type=text], textarea") {
            let id = field.attr("id").unwrap();
            assert_eq!(select(page, &format!("label[for='{id}']")).len(), 1, "{name}: {id}");
        }
        let choices = select(page, "input[type=radio], input[type=checkbox]").len();
        assert_eq!(select(page, "fieldset:has(> legend) label > input").len(), choices, "{name}");
    });
}

#[test]
fn a_result_takes_the_focus_and_says_right_and_wrong_in_words() {
    for language in ["en", "de", "ar"] {
        let texts = Texts::of(&Language::of(language));
        for (name, html) in pages(language, FRIENDLY) {
            let page = Html::parse_document(&html);
            let is_result = name.contains("answered") || name.contains("result");
            assert_eq!(
                select(&page, "#result[role=status][tabindex='-1'][autofocus]").len(),
                usize::from(is_result),
                "{name}"
            );
            if is_result && !name.contains("without") {
                let verdicts: Vec<String> =
                    select(&page, ".verdict").iter().map(|verdict| verdict.text().collect::<String>()).collect();
                assert!(verdicts[0].contains(texts.right) && verdicts[0].contains('✓'), "{name} {verdicts:?}");
                assert!(verdicts[1].contains(texts.wrong) && verdicts[1].contains('✗'), "{name} {verdicts:?}");
                assert_eq!(select(&page, "input[checked]").len(), 2, "{name}: selections are kept");
                let wrong = select(&page, "input[aria-invalid=true]");
                assert_eq!(wrong[0].attr("value"), Some("x\"><b>"), "{name}");
            }
        }
    }
}

#[test]
fn the_key_is_shown_only_where_feedback_is_wanted() {
    let silent = Item { shows_feedback: false, ..item(ItemKind::Blank, "secret") };
    let module = Module {
        id: "m".into(),
        title: "t".into(),
        description: String::new(),
        content: Markup::default(),
        items: vec![silent],
    };
    let shell = Shell::new(&site(), "en", Access::Public, Stage::Whole);
    for given in ["wrong", "secret"] {
        let field = format!("{}Blank secret", Answers::FIELD_PREFIX);
        let form = AnswerForm::from_fields(vec![(field, given.to_owned())]);
        let html = ModulePage::new(shell.clone(), module.clone(), None, Some(&form)).render().unwrap();
        assert!(html.contains(shell.texts.withheld), "{html}");
        assert!(!html.contains(shell.texts.right_answer.split('{').next().unwrap()));
        assert!(!html.contains("class=\"feedback right\"") && !html.contains("class=\"feedback wrong\""));
    }
}

#[test]
fn an_unopened_test_never_holds_its_key() {
    let item = Item { explanation: "because".into(), key: vec!["secret".into()], ..item(ItemKind::Blank, "question") };
    let test = Test {
        name: "t".into(),
        description: String::new(),
        time_limit_minutes: 0.0,
        passing: Passing::Points(1.0),
        items: vec![item],
        position: None,
        answer_use: AnswerUse::Check,
    };
    let html = TestPage::new(Shell::new(&site(), "en", Access::Public, Stage::Whole), test, None).render().unwrap();
    assert!(!html.contains("secret") && !html.contains("because"), "{html}");
}

#[test]
fn a_page_whose_language_has_no_texts_marks_its_content() {
    for (name, html) in pages("ckb", FRIENDLY) {
        let page = Html::parse_document(&html);
        assert_eq!(select(&page, "html[lang=en][dir=ltr]").len(), 1, "{name}");
        if !name.contains("Found") && select(&page, "h1[lang]").len() == 1 {
            assert_eq!(select(&page, "h1[lang=ckb][dir=rtl]").len(), 1, "{name}");
        }
    }
}
