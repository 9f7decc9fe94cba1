//! Requests read as a level: the prompts are lessons, and so is each module of the material.

use crate::generator::GenerationError;
use crate::request::{CourseRequest, SlideRequest, SourceModule, TestRequest, VideoRequest};
use crate::source::{SourceField, SourceLesson, SourceLevel};

/// A prompt with the name by which citations know it.
pub(super) struct Prompt<'r> {
    pub(super) name: &'static str,
    pub(super) text: &'r str,
}

/// What the four kinds of request have in common.
pub(super) struct Request<'r> {
    pub(super) title: &'r str,
    pub(super) language: &'r str,
    pub(super) prompts: Vec<Prompt<'r>>,
    pub(super) material: &'r [SourceModule],
}

impl<'r> From<&'r TestRequest> for Request<'r> {
    fn from(request: &'r TestRequest) -> Self {
        Self {
            title: "",
            language: &request.language,
            prompts: vec![
                Prompt { name: "/topicPrompt", text: &request.topic_prompt },
                Prompt { name: "/targetPrompt", text: &request.target_prompt },
            ],
            material: &request.material,
        }
    }
}

impl<'r> From<&'r SlideRequest> for Request<'r> {
    fn from(request: &'r SlideRequest) -> Self {
        Self {
            title: &request.title,
            language: &request.language,
            prompts: vec![Prompt { name: "/outline", text: &request.outline }],
            material: &request.material,
        }
    }
}

impl<'r> From<&'r CourseRequest> for Request<'r> {
    fn from(request: &'r CourseRequest) -> Self {
        Self {
            title: &request.title,
            language: &request.language,
            prompts: vec![Prompt { name: "/description", text: &request.description }],
            material: &request.material,
        }
    }
}

impl<'r> From<&'r VideoRequest> for Request<'r> {
    fn from(request: &'r VideoRequest) -> Self {
        Self {
            title: &request.title,
            language: &request.language,
            prompts: vec![Prompt { name: "/description", text: &request.description }],
            material: &request.material,
        }
    }
}

impl Request<'_> {
    /// The prompts and the material as the lessons of a level.
    ///
    /// # Errors
    /// `source_empty` when there is no letter or digit in any of them.
    pub(super) fn level(&self) -> Result<SourceLevel, GenerationError> {
        let speaks = |text: &str| text.chars().any(char::is_alphanumeric);
        let prompts = self
            .prompts
            .iter()
            .filter(|prompt| speaks(prompt.text))
            .map(|prompt| lesson(prompt.name.to_owned(), None, prompt.name.to_owned(), prompt.text));
        let material = self.material.iter().filter(|module| speaks(&module.html)).map(|module| {
            let pointer = format!("/material/{}", module.id.replace('~', "~0").replace('/', "~1"));
            lesson(pointer.clone(), Some(module.title.clone()), format!("{pointer}/content"), &module.html)
        });
        let lessons: Vec<SourceLesson> = prompts.chain(material).collect();
        if lessons.is_empty() {
            return Err(GenerationError::request_empty());
        }
        Ok(SourceLevel {
            language: self.language.to_owned(),
            category_title: self.title.to_owned(),
            level_title: None,
            lessons,
        })
    }
}

fn lesson(pointer: String, title: Option<String>, at: String, text: &str) -> SourceLesson {
    let field = SourceField { pointer: at, name: String::new(), value: text.into() };
    SourceLesson { pointer, title, kind: "content".to_owned(), fields: vec![field] }
}
