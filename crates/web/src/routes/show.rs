//! Makes a page of its resource. All computing, no waiting: it runs on a thread of its own.

use askama::Template as _;
use content::courses::Course;
use content::modules::{Module, ModuleQuizItem};
use content::resources::{Failure, Status};
use content::slides::Slide;
use content::tests::{PassingValueType, Test, TestItem};
use content::videos::Video;
use content::videos::renderings::VideoFile;
use edge::context::Context;
use kernel::json::JsonText;
use kernel::turns::Turn;
use markup::Sanitizer;

use super::Pages;
use super::open::{OpenPage, PageAddress, PageContent};
use super::respond::RenderedPage;
use crate::answers::{AnswerForm, ItemKind, Passing};
use crate::language::Language;
use crate::pages::Markup;
use crate::pages::course::{CoursePage, Link, Part, Position};
use crate::pages::error::Missing;
use crate::pages::item::ItemPage;
use crate::pages::module::{self, ModulePage};
use crate::pages::questions::Item;
use crate::pages::shell::{Access, Shell, Site, Stage};
use crate::pages::slides::SlidesPage;
use crate::pages::test::{self, AnswerUse, TestPage, TestResultPage};
use crate::pages::video::{Film, Scene, VideoPage};
use crate::texts::{Texts, fill};

impl Pages {
    /// Waits for a turn to make a page.
    pub(super) async fn turn(&self, context: &Context) -> Result<Turn, Missing> {
        let request_id = context.0.request_id.to_str().unwrap_or_default();
        self.0.turns.take().await.ok_or_else(|| {
            tracing::warn!(request_id, "too many pages wait to be made");
            Missing::Unavailable
        })
    }

    /// Makes the page in its turn.
    pub(super) async fn make(
        &self,
        turn: Turn,
        opened: OpenPage,
        form: Option<AnswerForm>,
        answer_use: AnswerUse,
        context: &Context,
    ) -> Result<RenderedPage, Missing> {
        let request_id = context.0.request_id.to_str().unwrap_or_default();
        let pages = self.clone();
        let made = tokio::task::spawn_blocking(move || {
            // The turn lasts as long as the work, whether or not anybody still waits for it.
            let _turn = turn;
            let OpenPage { address, content } = opened;
            let writer =
                PageWriter { sanitizer: &pages.0.sanitizer, site: &pages.0.site, address: &address, answer_use };
            let html = writer.write(content, form.as_ref())?;
            let is_open = address.access == Access::Public && form.is_none();
            Ok::<_, askama::Error>(if is_open { RenderedPage::open(html) } else { RenderedPage::closed(html) })
        });
        match made.await {
            Ok(Ok(page)) => Ok(page),
            Ok(Err(error)) => {
                tracing::error!(request_id, %error, "a page could not be written");
                Err(Missing::Broken)
            }
            Err(error) => {
                tracing::error!(request_id, %error, "a page crashed while it was made");
                Err(Missing::Broken)
            }
        }
    }
}

/// Writes the page of a resource.
struct PageWriter<'a> {
    sanitizer: &'a Sanitizer,
    site: &'a Site,
    address: &'a PageAddress,
    /// What becomes of answers.
    answer_use: AnswerUse,
}

impl PageWriter<'_> {
    fn write(&self, content: PageContent, form: Option<&AnswerForm>) -> askama::Result<String> {
        match content {
            PageContent::Module(module) => self.module(*module, None, form),
            PageContent::Part(course, module) => {
                let position = position(self.site, self.address, &course, &module);
                self.module(*module, Some(position), form)
            }
            PageContent::Course(course) => self.course(*course).render(),
            PageContent::Video(video, file) => self.video(*video, file.as_deref()).render(),
            PageContent::Slide(slide) => self.slides(*slide).render(),
            PageContent::Test(test) => self.test(*test, None, form),
            PageContent::TestPart(course, module, test) => {
                let position = position(self.site, self.address, &course, &module);
                self.test(*test, Some(position), form)
            }
        }
    }

    fn shell(&self, language: &str, status: Status, error: Option<&Failure>) -> Shell {
        let stage = match status {
            Status::Completed => Stage::Whole,
            Status::Queued => Stage::Queued,
            Status::Processing => Stage::Processing,
            Status::Failed => Stage::Failed(error.map(|failure| failure.message.clone()).unwrap_or_default()),
        };
        Shell::new(self.site, language, self.address.access, stage)
    }

    fn module(&self, module: Module, position: Option<Position>, form: Option<&AnswerForm>) -> askama::Result<String> {
        let shell = self.shell(&module.language, module.status, module.error.as_ref());
        let content = if module.kind.eq_ignore_ascii_case("html") {
            self.sanitizer.html(&module.content)
        } else {
            self.sanitizer.content(&module.content)
        };
        let quizzes = items::<ModuleQuizItem>(&module.quizzes).into_iter();
        let items = quizzes.map(|item| quiz_item(item, &module.language)).collect();
        let view = module::Module {
            id: module.id.to_string(),
            title: module.title,
            description: module.description,
            content: Markup(content),
            items,
        };
        let page = ModulePage::new(shell, view, position, form);
        match ItemPage::asked_for(&page.shell, &page.questions, form) {
            Some(item) => item.render(),
            None => page.render(),
        }
    }

    fn course(&self, course: Course) -> CoursePage {
        let shell = self.shell(&course.language, course.status, course.error.as_ref());
        let parts = course.contents.into_iter().map(|entry| Part {
            id: entry.id.to_string(),
            url: part_url(self.site, self.address, &entry.id),
            title: entry.title,
            description: entry.description,
        });
        let level = course.level.unwrap_or_default();
        CoursePage::new(shell, course.title, course.description, &level, parts.collect())
    }

    fn video(&self, video: Video, file: Option<&VideoFile>) -> VideoPage {
        // A launch has no address for files; a preview's shows what the launch shows.
        let address = match self.address.access {
            Access::Launch => video.preview_url.clone(),
            Access::Public | Access::Preview => format!("{}{}", self.site.root, self.address.path),
        };
        let film = file.map(|file| Film { address, width: file.width, height: file.height });
        let shell = self.shell(&video.language, video.status, video.error.as_ref());
        let scenes = video.scenes.into_iter().map(|scene| Scene {
            script: scene.script,
            display_text: scene.display_text,
            duration_seconds: scene.duration,
        });
        VideoPage::new(shell, video.title, video.description, scenes.collect()).with_film(film)
    }

    fn slides(&self, slide: Slide) -> SlidesPage {
        let shell = self.shell(&slide.language, slide.status, slide.error.as_ref());
        let slides = self.sanitizer.slides(&slide.content);
        SlidesPage::new(shell, slide.title, slide.description, slides)
    }

    fn test(&self, test: Test, position: Option<Position>, form: Option<&AnswerForm>) -> askama::Result<String> {
        let shell = self.shell(&test.language, test.status, test.error.as_ref());
        let passing = passing_of(&test);
        let view = test::Test {
            name: test.name,
            description: test.description,
            time_limit_minutes: test.time_limit,
            passing,
            items: items::<TestItem>(&test.items).into_iter().map(|item| test_item(item, &test.language)).collect(),
            answer_use: self.answer_use.clone(),
            position,
        };
        let is_whole = |form: &&AnswerForm| form.checked_of(view.items.iter().map(|item| item.id.as_str())).is_none();
        match form.filter(is_whole) {
            Some(form) => TestResultPage::new(shell, view, form).render(),
            None => {
                let page = TestPage::new(shell, view, form);
                match ItemPage::asked_for(&page.shell, &page.questions, form) {
                    Some(item) => item.render(),
                    None => page.render(),
                }
            }
        }
    }
}

/// The address of a course's part, below the course's own.
fn part_url(site: &Site, address: &PageAddress, id: &impl std::fmt::Display) -> String {
    format!("{}{}/{id}", site.root, address.path)
}

/// Where a module stands in its course, in the words of the module's language.
pub(super) fn position(site: &Site, address: &PageAddress, course: &Course, module: &Module) -> Position {
    let texts = Texts::of(&Language::of(&module.language));
    let at = course.contents.iter().position(|entry| entry.id == module.id).unwrap_or_default();
    let link = |at: usize| {
        let entry = course.contents.get(at)?;
        Some(Link { url: part_url(site, address, &entry.id), title: entry.title.clone() })
    };
    let values = [("n", &*(at + 1).to_string()), ("total", &*course.contents.len().to_string())];
    Position {
        part_id: module.id.to_string(),
        course: Link { url: format!("{}{}", site.root, address.path), title: course.title.clone() },
        part: fill(texts.part, &values),
        previous: at.checked_sub(1).and_then(link),
        next: link(at + 1),
    }
}

/// What it takes to pass a test.
pub(super) fn passing_of(test: &Test) -> Passing {
    match test.passing_value_type {
        PassingValueType::Percentage => Passing::Percentage(test.passing_value),
        PassingValueType::Points => Passing::Points(test.passing_value),
    }
}

/// Items as this program stored them; what can't be read is left out.
pub(super) fn items<T: serde::de::DeserializeOwned>(stored: &JsonText) -> Vec<T> {
    serde_json::from_str(stored.as_str()).unwrap_or_default()
}

fn quiz_item(item: ModuleQuizItem, language: &str) -> Item {
    Item {
        id: item.id,
        kind: ItemKind::of(&item.kind),
        title: item.title,
        question: item.question,
        language: language.to_owned(),
        options: item.options,
        key: item.correct_answers,
        explanation: String::new(),
        points: None,
        shows_feedback: item.show_feedback,
    }
}

/// An item of a test, for a page.
pub(super) fn test_item(item: TestItem, language: &str) -> Item {
    Item {
        id: item.id,
        kind: ItemKind::of(&item.kind),
        title: String::new(),
        question: item.question,
        language: language.to_owned(),
        options: item.options,
        key: item.correct_answers,
        explanation: item.explanation,
        points: Some(item.score),
        shows_feedback: true,
    }
}
