//! A model that answers by the name of the schema, from the material that it is shown.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use kernel::model::{Call, Model, ModelError, NoReply, Part, Prompt, Reply, Turn, Usage};
use serde_json::Value;
pub(super) use testkit::writer::{Asked, block, good, question};

use crate::generator::{Interrupted, Remark, Workbench};

type Answer = dyn Fn(&Asked) -> Result<String, ModelError> + Send + Sync;

/// A model that does as a closure says, and remembers what it was asked.
pub(super) struct Scripted {
    answer: Box<Answer>,
    asked: Mutex<Vec<Asked>>,
    longest_answers: Mutex<Vec<u32>>,
}

impl Scripted {
    pub(super) fn new(answer: impl Fn(&Asked) -> Result<String, ModelError> + Send + Sync + 'static) -> Self {
        Self { answer: Box::new(answer), asked: Mutex::default(), longest_answers: Mutex::default() }
    }

    /// A model that writes well.
    pub(super) fn good() -> Self {
        Self::new(|asked| Ok(good(asked).to_string()))
    }

    /// A model that writes well but for what `spoil` does to its answers; `again` says whether it does so when it is
    /// asked once more.
    pub(super) fn spoilt(again: bool, spoil: impl Fn(&Asked, &mut Value) + Send + Sync + 'static) -> Self {
        Self::new(move |asked| {
            let mut answer = good(asked);
            if again || asked.complaint.is_none() {
                spoil(asked, &mut answer);
            }
            Ok(answer.to_string())
        })
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How long an answer might be each time, in tokens.
    pub(super) fn longest_answers(&self) -> Vec<u32> {
        self.longest_answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often each part was asked for, repairs included.
    pub(super) fn count(&self, name: &str) -> usize {
        self.asked().iter().filter(|asked| asked.name == name).count()
    }
}

#[async_trait]
impl Model for Scripted {
    async fn answer(&self, prompt: &Prompt) -> Call {
        let asked = read(prompt);
        self.longest_answers.lock().unwrap_or_else(PoisonError::into_inner).push(prompt.max_output_tokens);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked.clone());
        let reply = (self.answer)(&asked).map(|text| Reply {
            text,
            usage: Usage::default(),
            provider: "script".to_owned(),
            model: "none".to_owned(),
            latency: Duration::ZERO,
            tries: 1,
            failures: Vec::new(),
        });
        reply.map_err(NoReply::from)
    }
}

fn read(prompt: &Prompt) -> Asked {
    let texts: Vec<String> = prompt
        .turns
        .iter()
        .flat_map(|turn| match turn {
            Turn::User(parts) => parts.clone(),
            Turn::Model(_) => Vec::new(),
        })
        .map(|part| match part {
            Part::Text(text) => text,
            Part::Picture(_) => panic!("writers are shown no pictures"),
        })
        .collect();
    Asked::read(prompt.schema.name, &prompt.instructions, texts)
}

/// A bench that keeps parts, as long as it may.
#[derive(Default)]
pub(super) struct Shelf {
    pub(super) kept: Mutex<HashMap<String, String>>,
    pub(super) remarks: Mutex<Vec<Remark>>,
    /// After so many parts the work is somebody else's.
    pub(super) room: Option<usize>,
    /// How often something was computed.
    pub(super) computed: AtomicUsize,
}

#[async_trait]
impl Workbench for Shelf {
    fn tenant(&self) -> &str {
        "riverside"
    }

    fn kept(&self, part: &str) -> Option<String> {
        self.kept.lock().unwrap().get(part).cloned()
    }

    async fn keep(&self, part: &str, made: &str) -> Result<(), Interrupted> {
        let mut kept = self.kept.lock().unwrap();
        assert!(part.len() <= 200, "{part}");
        let is_full = self.room.is_some_and(|room| kept.len() >= room);
        if !is_full {
            kept.insert(part.to_owned(), made.to_owned());
        }
        if is_full { Err(Interrupted) } else { Ok(()) }
    }

    fn remark(&self, remark: Remark) {
        self.remarks.lock().unwrap().push(remark);
    }

    fn compute(&self, work: &mut dyn FnMut()) {
        self.computed.fetch_add(1, Ordering::SeqCst);
        work();
    }
}
