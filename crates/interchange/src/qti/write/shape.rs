//! How an item is asked in QTI, and what of it does not fit.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Part;
use crate::model::{Item, ItemKind};
use crate::report::{Loss, Report};

/// The points as they are written: a number that is none is none.
pub(crate) fn points(item: &Item) -> f64 {
    if item.score.is_finite() && item.score >= 0.0 { item.score } else { 0.0 }
}

/// How the item is asked.
pub(super) enum Shape {
    /// The positions of the right options.
    Choice {
        keys: Vec<usize>,
    },
    Text,
    Essay,
    Upload,
}

/// Decides how the item is asked, and notes what does not fit.
pub(super) fn shape(part: &Part<'_>, report: &mut Report) -> Shape {
    let item = part.item;
    if points(item).total_cmp(&item.score).is_ne() && item.score != 0.0 {
        report.add(&part.file(), Loss::Scoring, "The score is no number of points and became 0.");
    }
    match item.kind {
        ItemKind::Select | ItemKind::TrueFalse if item.options.is_empty() => {
            report.add(&part.file(), Loss::Question, "There are no options, so it became an open question.");
            Shape::Essay
        }
        ItemKind::Select | ItemKind::TrueFalse => {
            let keys = keys(item);
            if keys.len() < item.correct_answers.len() {
                report.add(&part.file(), Loss::Answer, "A correct answer that is none of the options was left out.");
            }
            Shape::Choice { keys }
        }
        ItemKind::Blank => {
            if distinct(&item.correct_answers).len() < item.correct_answers.len() {
                report.add(&part.file(), Loss::Answer, "An accepted text that is there twice was kept once.");
            }
            Shape::Text
        }
        ItemKind::OpenEnded => Shape::Essay,
        ItemKind::Submission => Shape::Upload,
    }
}

/// The positions of the correct answers among the options. The second of two equal answers is the
/// second of two equal options.
pub(crate) fn keys(item: &Item) -> Vec<usize> {
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (place, option) in item.options.iter().enumerate() {
        places.entry(option).or_default().push_back(place);
    }
    item.correct_answers.iter().filter_map(|answer| places.get_mut(answer.as_str())?.pop_front()).collect()
}

/// The texts without repetitions.
pub(crate) fn distinct(texts: &[String]) -> Vec<&String> {
    let mut taken = HashSet::new();
    texts.iter().filter(|text| taken.insert(text.as_str())).collect()
}
