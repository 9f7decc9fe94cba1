//! Judges what an upload holds by the checks of the operations that create, and leaves out what they refuse: a member
//! that may be absent, else the question, else the whole. Each is a finding.

use std::collections::{BTreeMap, BTreeSet};

use edge::body::{self, JsonBody};
use edge::problem::{Detail, Problem};
use interchange::{Loss, Report};
use serde_json::{Map, Value};

/// What a resource can't be without.
const NEEDED: &[&str] = &["title", "name", "content", "items"];
/// What a question can be without.
const DISPENSABLE: &[&str] = &["id", "title", "explanation", "score", "showFeedback"];

/// A body to create something with.
pub(super) struct Body {
    members: Map<String, Value>,
    /// The member that holds the questions; empty where there are none.
    list: &'static str,
    /// The numbers of the questions that are still there.
    numbers: Vec<usize>,
}

/// Where a fault is, and so what has to go.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// A question, by its place among those that are still there.
    Item(usize),
    /// A member that the question can be without.
    ItemMember(usize, String),
    /// A member, or a member of one (`metadata.externalId`), that the whole can be without.
    Member(String, Option<String>),
    Whole,
}

/// Reads a body until nothing of it is refused any more; `None` when the whole is. `place` is where losses are noted.
pub(super) fn accept<T: body::Body<Context = ()>>(mut body: Body, place: &str, report: &mut Report) -> Option<T> {
    loop {
        let json = JsonBody::of(Value::Object(body.members));
        let details = match json.read() {
            Ok(accepted) => return Some(accepted),
            Err(Problem::Invalid(details)) => details,
            Err(_) => return None,
        };
        let Ok(Value::Object(members)) = json.value().cloned() else { return None };
        body.members = members;
        if let Err(detail) = body.leave_out(&details, place, report) {
            let message = format!("It was left out: {} {}.", detail.path, detail.message);
            report.add(place, Loss::Resource, message);
            return None;
        }
    }
}

impl Body {
    /// A body without questions.
    pub(super) fn plain(members: Map<String, Value>) -> Self {
        Self { members, list: "", numbers: Vec::new() }
    }

    /// A body with questions as its member `list`.
    pub(super) fn with_items(mut members: Map<String, Value>, list: &'static str, items: Vec<Value>) -> Self {
        let numbers = (1..=items.len()).collect();
        members.insert(list.to_owned(), items.into());
        Self { members, list, numbers }
    }

    /// How long it is as JSON.
    pub(super) fn size_bytes(&self) -> usize {
        serde_json::to_string(&self.members).map_or(usize::MAX, |text| text.len())
    }

    /// Leaves out what is at fault; the error is the fault of the whole.
    fn leave_out<'d>(&mut self, details: &'d [Detail], place: &str, report: &mut Report) -> Result<(), &'d Detail> {
        let mut items: BTreeMap<usize, &Detail> = BTreeMap::new();
        let mut done: BTreeSet<(usize, String)> = BTreeSet::new();
        for detail in details {
            match self.fault(&detail.path) {
                Fault::Whole => return Err(detail),
                Fault::Item(index) => {
                    items.entry(index).or_insert(detail);
                }
                Fault::ItemMember(index, name) if done.insert((index, name.clone())) => {
                    let item = self.members.get_mut(self.list).and_then(|list| list.get_mut(index));
                    let removed = item.and_then(Value::as_object_mut).and_then(|item| item.remove(&name));
                    removed.ok_or(detail)?;
                    let message =
                        format!("The {name} of question {} was left out: it {}.", self.number(index), detail.message);
                    report.add(place, loss_of(&name), message);
                }
                Fault::Member(name, inner) if done.insert((0, detail.path.clone())) => {
                    let removed = match &inner {
                        None => self.members.remove(&name),
                        Some(inner) => {
                            let outer = self.members.get_mut(&name).and_then(Value::as_object_mut);
                            outer.and_then(|outer| outer.remove(inner))
                        }
                    };
                    removed.ok_or(detail)?;
                    let message = format!("The {} was left out: it {}.", detail.path, detail.message);
                    report.add(place, loss_of(&name), message);
                }
                Fault::ItemMember(..) | Fault::Member(..) => {}
            }
        }
        self.leave_out_items(&items, place, report);
        Ok(())
    }

    fn leave_out_items(&mut self, items: &BTreeMap<usize, &Detail>, place: &str, report: &mut Report) {
        for (index, detail) in items {
            let at = detail.path.split_once("].").map_or("", |(_, member)| member);
            let space = if at.is_empty() { "" } else { " " };
            let number = self.number(*index);
            let message = format!("Question {number} was left out: its {at}{space}{}.", detail.message);
            report.add(place, Loss::Question, message);
        }
        let Some(list) = self.members.get_mut(self.list).and_then(Value::as_array_mut) else { return };
        // From the end, so that the places of the others stay.
        for index in items.keys().rev() {
            list.remove(*index);
            self.numbers.remove(*index);
        }
    }

    fn number(&self, index: usize) -> usize {
        self.numbers.get(index).copied().unwrap_or(index + 1)
    }

    /// What a path of a fault means for the whole: `items[3].options[0]`, `metadata.externalId`.
    fn fault(&self, path: &str) -> Fault {
        let (head, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
        if !self.list.is_empty() && head == self.list {
            let inside = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let Some((Ok(index), member)) = inside.map(|(index, member)| (index.parse::<usize>(), member)) else {
                return Fault::Whole;
            };
            let member = member.trim_start_matches('.');
            let is_there = self.members[self.list].get(index).is_some_and(|item| item.get(member).is_some());
            return if DISPENSABLE.contains(&member) && is_there {
                Fault::ItemMember(index, member.to_owned())
            } else {
                Fault::Item(index)
            };
        }
        if head.is_empty() || NEEDED.contains(&head) {
            return Fault::Whole;
        }
        Fault::Member(head.to_owned(), rest.strip_prefix('.').map(str::to_owned))
    }
}

/// What kind of loss it is when a member goes.
fn loss_of(member: &str) -> Loss {
    match member {
        "score" | "passingValue" | "passingValueType" => Loss::Scoring,
        "explanation" | "showFeedback" => Loss::Feedback,
        "timeLimit" => Loss::Behaviour,
        _ => Loss::Metadata,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::modules::create::CreateModuleRequest;

    /// What is kept of a module with these members and quizzes: its title, the questions, and the findings.
    fn judge(members: Value, quizzes: Value) -> (Option<Vec<String>>, Vec<(Loss, String)>) {
        let (Value::Object(members), Value::Array(quizzes)) = (members, quizzes) else { panic!("no module") };
        let mut report = Report::default();
        let body = Body::with_items(members, "quizzes", quizzes);
        let kept: Option<CreateModuleRequest> = accept(body, "modules/1", &mut report);
        let questions = kept.map(|module| module.questions());
        (questions, report.findings.into_iter().map(|finding| (finding.code, finding.message)).collect())
    }

    fn quiz(question: &str) -> Value {
        json!({ "question": question, "type": "select", "options": ["a", "b"], "correctAnswers": ["a"] })
    }

    fn with(mut item: Value, field: &str, value: Value) -> Value {
        item[field] = value;
        item
    }

    #[test]
    fn what_the_checks_accept_is_kept_without_a_finding() {
        assert_eq!(
            judge(json!({ "title": "A" }), json!([quiz("1?"), quiz("2?")])),
            (Some(vec!["1?".into(), "2?".into()]), vec![])
        );
    }

    #[test]
    fn a_question_without_sense_goes_and_the_others_stay() {
        let quizzes = json!([
            quiz("1?"),
            with(quiz("2?"), "correctAnswers", json!(["c"])),
            quiz("3?"),
            with(quiz("4?"), "options", json!(["a"])),
        ]);
        let (kept, findings) = judge(json!({ "title": "A" }), quizzes);
        assert_eq!(kept.unwrap(), ["1?", "3?"]);
        assert_eq!(
            findings,
            [
                (
                    Loss::Question,
                    "Question 2 was left out: its correctAnswers[0] must be one of the options.".to_owned()
                ),
                (Loss::Question, "Question 4 was left out: its options must have at least 2 items.".to_owned()),
            ]
        );
    }

    #[test]
    fn a_member_that_may_be_absent_goes_alone() {
        let quizzes = json!([with(quiz("1?"), "id", json!("x")), with(quiz("2?"), "id", json!("x"))]);
        let (kept, findings) =
            judge(json!({ "title": "A", "language": "x\ny", "metadata": { "externalId": 7, "a": 1 } }), quizzes);
        assert_eq!(kept.unwrap(), ["1?", "2?"]);
        assert_eq!(findings.len(), 3, "{findings:?}");
        assert!(findings.iter().all(|(code, _)| *code == Loss::Metadata));
    }

    #[test]
    fn without_what_it_needs_the_whole_goes() {
        for wrong in [json!({}), json!({ "title": "" }), json!({ "title": "A", "content": 7 })] {
            let (kept, findings) = judge(wrong.clone(), json!([]));
            assert!(kept.is_none(), "{wrong}");
            assert_eq!(findings.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [Loss::Resource]);
        }
    }

    #[test]
    fn more_faults_than_one_answer_lists_are_all_found() {
        let quizzes = (0..200).map(|n| if n % 2 == 0 { with(quiz("?"), "options", json!([])) } else { quiz("?") });
        let (kept, findings) = judge(json!({ "title": "A" }), quizzes.collect::<Vec<_>>().into());
        assert_eq!((kept.unwrap().len(), findings.len()), (100, 100));
        assert!(findings.iter().all(|(code, message)| *code == Loss::Question && !message.contains("Question 2 ")));
    }

    proptest! {
        #[test]
        fn it_always_ends_and_nothing_goes_without_a_finding(
            changes in prop::collection::vec((0_usize..4, prop::sample::select(vec!["id", "title", "question", "type", "options", "correctAnswers", "showFeedback"]),
                prop::sample::select(vec![json!(null), json!(""), json!("select"), json!(7), json!(["a", "c"]), json!([]), json!({})])), 0..6)
        ) {
            let mut quizzes: Vec<Value> = ["1?", "2?", "3?", "4?"].map(quiz).to_vec();
            for (at, name, value) in changes {
                quizzes[at][name] = value;
            }
            let (kept, findings) = judge(json!({ "title": "A" }), quizzes.into());
            let kept = kept.map_or(0, |questions| questions.len());
            prop_assert!(kept == 4 || !findings.is_empty());
        }
    }
}
