//! What is kept of a grade, and grading again from it.

use super::super::{Replay, ReplayError, replay};
use super::*;
use crate::grading::{Attachment, AttachmentText, Builtin, GradedBy, Record};
use crate::model::Picture;

fn replayed(submission: &Submission, record: &Record) -> Result<Replay, ReplayError> {
    replay(submission, record).now_or_never().expect("nobody is waited for")
}

#[test]
fn the_record_says_who_was_asked_what_and_what_it_said_and_cost() {
    let text = said(&[("c1", 6.0, &["gas"]), ("c2", 1.0, &["gluten"])]).to_string();
    let (wrong, right) = ("Hm.".to_owned(), text.clone());
    let (judged, asked) = graded(&rubric(ANSWER), move |at, _| Ok(if at == 0 { wrong.clone() } else { right.clone() }));
    let record = judged.unwrap().record;
    assert_eq!((record.graded_by, record.votes.as_slice(), record.calls.len()), (GradedBy::Model, [0.7].as_slice(), 2));
    assert_eq!(record.prompt.as_ref().map(|prompt| prompt.sha256.clone()), Some(asked[0].sha256()));
    assert_eq!((record.calls[0].output.as_str(), record.calls[1].output.as_str()), ("Hm.", text.as_str()));
    assert_eq!((record.calls[1].model.as_str(), record.calls[1].latency_ms), ("scripted-1", 7));
    assert_eq!((record.usage().input_tokens, record.usage().output_tokens), (200, 20));
    assert!(record.rubric_sha256.as_ref().is_some_and(|digest| digest.len() == 64));
    let back: Record = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    assert_eq!(back, record);
}

#[test]
fn a_replay_gives_the_same_grade_without_asking_anybody() {
    let says = |at: usize, _: &Prompt| match at {
        1 => Ok("no grade".to_owned()),
        3 => Err(ModelError::TimedOut),
        _ => Ok(said(&[("whole", [60.0, 0.0, 45.0, 0.0, 50.0][at], &["gas"])]).to_string()),
    };
    for tier in [Tier::Standard, Tier::Advanced] {
        let submission = Submission { tier, ..open(ANSWER) };
        let judged = graded(&submission, says).0.unwrap();
        let again = replayed(&submission, &judged.record).unwrap();
        assert_eq!((again.judged.grade, again.is_same_prompt), (judged.grade, true));
    }
}

#[test]
fn a_replay_knows_pictures_by_their_digests() {
    let picture = Picture::new("image/png", Arc::from([1, 2].as_slice()));
    let text = AttachmentText::Unread("It is a picture.".to_owned());
    let file = Attachment { file_name: "a.png".to_owned(), text, hides_text: false, picture: Some(picture) };
    let submission = Submission { answer_files: vec![file], ..open("See the photo.") };
    let judged = graded_as(&submission, &said(&[("whole", 90.0, &["gas"])]));
    let recorded: Submission = serde_json::from_value(serde_json::to_value(&submission).unwrap()).unwrap();
    let again = replayed(&recorded, &judged.record).unwrap();
    assert_eq!((again.judged.grade, again.is_same_prompt), (judged.grade, true));
    let mut another = recorded;
    another.answer_files[0].picture = Some(Picture::new("image/png", Arc::from([3].as_slice())));
    assert!(!replayed(&another, &judged.record).unwrap().is_same_prompt);
}

#[test]
fn a_replay_of_another_answer_says_that_the_prompt_is_another() {
    let judged = graded_as(&open(ANSWER), &said(&[("whole", 90.0, &["gas"])]));
    let again = replayed(&open("The gas does it."), &judged.record).unwrap();
    assert!(!again.is_same_prompt);
    let empty = Record { calls: Vec::new(), ..judged.record };
    assert!(
        matches!(replayed(&open(ANSWER), &empty), Err(ReplayError::Grading(error)) if error.code == "model_unavailable")
    );
}

#[test]
fn what_this_program_graded_itself_is_graded_again_and_what_a_person_did_is_not() {
    let submission = open(ANSWER);
    let judged = Builtin.grade(&submission).now_or_never().unwrap().unwrap();
    let again = replayed(&submission, &judged.record).unwrap();
    assert_eq!((again.judged, again.is_same_prompt), (judged, true));
    let exact = Submission { evaluation_type: EvaluationType::Exact, ..open(REFERENCE) };
    assert_eq!(replayed(&exact, &Record::own(GradedBy::Exact, &exact)).unwrap().judged.grade.score, 10.0);
    let person = Record::own(GradedBy::Reviewer, &submission);
    assert_eq!(replayed(&submission, &person), Err(ReplayError::ByAPerson));
}
