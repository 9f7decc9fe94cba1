//! A test that is given whole, with its items, and not generated from prompts. The checks are those of the operations
//! that create and change tests.

use edge::body::{At, Body};
use kernel::ambient::Ambient;
use kernel::json::JsonText;

use super::create::{DEFAULT_LEVEL, DEFAULT_PERCENTAGE, level, subject, time_limit};
use super::items::{TestItemRequest, items, test_items};
use super::passing::{attainable, is_of_type, passing_value};
use super::{PassingValueType, Test};
use crate::resources::{Place, fields};

/// A test as it was given.
#[derive(Body)]
pub(crate) struct WholeTest {
    #[field(fields::title())]
    name: String,
    #[field(fields::description(), default)]
    description: String,
    #[field(subject(), default)]
    subject: String,
    #[field(fields::language())]
    language: Option<String>,
    #[field(level(), default = DEFAULT_LEVEL.to_owned())]
    level: String,
    /// In minutes; 0: none.
    #[field(time_limit(), default)]
    time_limit: f64,
    #[field(default = PassingValueType::Percentage)]
    passing_value_type: PassingValueType,
    #[field(items())]
    items: Vec<TestItemRequest>,
    #[field(
        passing_value(),
        rule = is_of_type(passing_value_type?, passing_value),
        rule = is_in_reach(passing_value_type, items, passing_value)
    )]
    passing_value: Option<f64>,
}

/// The rule of a whole test: its items can give what it takes to pass.
fn is_in_reach(at: &mut At<'_>, kind: &PassingValueType, items: &[TestItemRequest], value: &Option<f64>) {
    let highest = attainable(*kind, items.iter().map(|item| item.score));
    if value.is_some_and(|value| value <= kind.highest() && value > highest) {
        at.member("passingValue").refuse::<()>("must be at most the items' scores together");
    }
}

impl WholeTest {
    /// Whether there is something to answer.
    pub(crate) fn has_items(&self) -> bool {
        !self.items.is_empty()
    }

    pub(crate) fn test(&self, ambient: &Ambient, place: &Place) -> Test {
        // Points that nobody named are no condition that a learner could meet or miss.
        let passing_value_type = self.passing_value.map_or(PassingValueType::Percentage, |_| self.passing_value_type);
        Test {
            description: self.description.clone(),
            subject: self.subject.clone(),
            level: self.level.clone(),
            time_limit: self.time_limit,
            passing_value_type,
            passing_value: self.passing_value.unwrap_or(DEFAULT_PERCENTAGE),
            items: JsonText::of(&test_items(&self.items, ambient)),
            ..Test::new(ambient, place.ids(), self.name.clone(), place.language(self.language.as_ref()))
        }
    }
}
