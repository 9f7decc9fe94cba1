//! A language model that does as it is told, and drafters that ask it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use engine::Authored;
use kernel::model::{Call, Model, ModelError, NoReply, Part, Prompt, Reply, Turn, Usage};
use serde_json::{Value, json};
use testkit::writer::{Asked, good};

use super::Tenant;
use crate::generation::Drafter;

type Answer = dyn Fn(&Asked) -> Result<Value, ModelError> + Send + Sync;

/// A model that remembers what it was asked, and by whom.
pub(crate) struct Scripted {
    answer: Box<Answer>,
    asked: Mutex<Vec<(String, Asked)>>,
}

impl Scripted {
    pub(crate) fn new(answer: impl Fn(&Asked) -> Result<Value, ModelError> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { answer: Box::new(answer), asked: Mutex::default() })
    }

    /// A model that writes well.
    pub(crate) fn good() -> Arc<Self> {
        Self::new(|asked| Ok(good(asked)))
    }

    /// A model that writes well, except for what the test refuses it.
    pub(crate) fn failing(fails: impl Fn(&Asked) -> Option<ModelError> + Send + Sync + 'static) -> Arc<Self> {
        Self::new(move |asked| fails(asked).map_or_else(|| Ok(good(asked)), Err))
    }

    pub(crate) fn drafter(self: &Arc<Self>) -> Drafter {
        Drafter::waiting(Arc::new(Authored::new(self.clone())), "model")
    }

    /// The schemas' names of all that it was asked, in order.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(_, asked)| asked.name).collect()
    }

    /// The material of all that it was asked, as JSON, in order.
    pub(crate) fn materials(&self) -> Vec<Value> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|(_, asked)| asked.material.clone()).collect()
    }

    /// Whose turn each question was.
    pub(crate) fn tenants(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(tenant, _)| tenant.clone()).collect()
    }
}

#[async_trait]
impl Model for Scripted {
    async fn answer(&self, prompt: &Prompt) -> Call {
        let mut texts = Vec::new();
        for turn in &prompt.turns {
            if let Turn::User(parts) = turn {
                texts.extend(parts.iter().filter_map(|part| match part {
                    Part::Text(text) => Some(text.clone()),
                    Part::Picture(_) => None,
                }));
            }
        }
        let asked = Asked::read(prompt.schema.name, &prompt.instructions, texts);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push((prompt.tenant.clone(), asked.clone()));
        let reply = (self.answer)(&asked).map(|answer| Reply {
            text: answer.to_string(),
            usage: Usage::default(),
            provider: "script".to_owned(),
            model: "none".to_owned(),
            latency: Duration::ZERO,
            tries: 1,
            failures: Vec::new(),
        });
        // A model takes its time: whoever waits for it holds no thread.
        tokio::task::yield_now().await;
        reply.map_err(NoReply::from)
    }
}

impl Tenant {
    /// A source with enough to write of.
    pub(crate) fn long_source(&self) -> Value {
        let lessons = [
            (
                "The cell",
                "A cell is the smallest unit of life. Every plant is made of such cells. The wall keeps a plant firm. \
                 Light gives plants their energy. In 1838 a botanist looked closely at leaves. Animals have no walls. The \
                 nucleus holds the plan. A membrane lets water through.",
            ),
            (
                "Tissue",
                "Many cells of one kind make a tissue. Muscle moves the bones. Skin keeps bodies dry. Blood carries \
                 oxygen. Nerves lead signals. Fat stores food. Bark protects a tree. Roots drink from the soil.",
            ),
        ];
        let lessons = lessons.map(|(title, text)| json!({ "title": title, "text": text }));
        json!({
            "classroomId": self.classroom,
            "payload": {
                "language": "en", "category": "Biology", "level": { "title": "Life", "lessons": lessons },
            },
        })
    }
}
