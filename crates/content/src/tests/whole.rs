//! A test that is given whole, with its items, and not generated from prompts. The checks are those of the operations
//! that create and change tests.

use edge::body::Fields;
use kernel::ambient::Ambient;
use serde_json::json;
use store::Tx;

use super::create::{DEFAULT_LEVEL, DEFAULT_PERCENTAGE, level, subject, time_limit};
use super::items::items;
use super::passing::{attainable, passing_value, passing_value_type};
use super::{NewTest, PassingValueType, TestItem};
use crate::resources::{Place, Status, Visibility, fields};

/// A test as it was given.
pub(crate) struct WholeTest {
    name: String,
    description: String,
    subject: String,
    language: Option<String>,
    level: String,
    /// 0: none.
    time_limit_minutes: f64,
    passing_value_type: PassingValueType,
    passing_value: f64,
    items: Vec<TestItem>,
}

impl WholeTest {
    /// Reads it: every fault is noted.
    pub(crate) fn read(fields: &mut Fields<'_>, ambient: &Ambient) -> Option<Self> {
        let name = fields.required("name", fields::title);
        let description = fields.optional("description", fields::description);
        let subject = fields.optional("subject", subject);
        let language = fields.optional("language", fields::language);
        let level = fields.optional("level", level);
        let time_limit = fields.optional("timeLimit", time_limit);
        let kind = fields.optional("passingValueType", passing_value_type);
        let kind = kind.map(|kind| kind.unwrap_or(PassingValueType::Percentage));
        let items = fields.required("items", items(ambient));
        let passing_value = fields.optional("passingValue", |value, at| {
            let value = passing_value(kind)(value, at)?;
            let highest = kind.zip(items.as_deref()).map(|(kind, items)| attainable(kind, items));
            let is_in_reach = highest.is_none_or(|highest| value <= highest);
            if is_in_reach { Some(value) } else { at.refuse("must be at most the items' scores together") }
        });
        Some(Self {
            name: name?,
            description: description?.unwrap_or_default(),
            subject: subject?.unwrap_or_default(),
            language: language?,
            level: level?.unwrap_or_else(|| DEFAULT_LEVEL.to_owned()),
            time_limit_minutes: time_limit?.unwrap_or(0.0),
            // Points that nobody named are no condition that a learner could meet or miss.
            passing_value_type: if passing_value?.is_some() { kind? } else { PassingValueType::Percentage },
            passing_value: passing_value?.unwrap_or(DEFAULT_PERCENTAGE),
            items: items?,
        })
    }

    /// Whether there is something to answer.
    pub(crate) fn has_items(&self) -> bool {
        !self.items.is_empty()
    }

    pub(crate) fn test(&self, tx: &Tx<'_>, place: &Place) -> NewTest {
        NewTest {
            id: tx.ambient().id(),
            organization: place.organization,
            classroom: place.classroom,
            name: self.name.clone(),
            description: self.description.clone(),
            status: Status::Completed,
            visibility: Visibility::Private,
            topic_prompt: None,
            target_prompt: None,
            subject: self.subject.clone(),
            language: self.language.clone().unwrap_or_else(|| place.locale.clone()),
            level: self.level.clone(),
            time_limit_minutes: self.time_limit_minutes,
            passing_value_type: self.passing_value_type,
            passing_value: self.passing_value,
            items: self.items.clone(),
            metadata: json!({}),
            open_fields: Vec::new(),
        }
    }
}
