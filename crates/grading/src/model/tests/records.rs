//! What is kept of a grade, and grading again from it.

use kernel::model::{Picture, ProviderFailure};
use proptest::prelude::*;

use super::super::{Replay, ReplayError, replay};
use super::*;
use crate::{Attachment, AttachmentText, Builtin, CallRecord, GradedBy, Outcome, Record};

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
    let Outcome::Answered { model, output, .. } = &record.calls[1].outcome else { panic!("it answered") };
    assert_eq!((model.as_str(), output, record.calls[1].latency_ms), ("scripted-1", &text, 7));
    assert!(matches!(&record.calls[0].outcome, Outcome::Answered { output, .. } if output == "Hm."));
    assert_eq!((record.usage().input_tokens, record.usage().output_tokens), (200, 20));
    assert!(record.rubric_sha256.as_ref().is_some_and(|digest| digest.len() == 64));
    let back: Record = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    assert_eq!(back, record);
}

#[test]
fn a_call_that_failed_is_in_the_record_whether_or_not_there_is_a_grade() {
    let close = Submission { tier: Tier::Advanced, ..open(ANSWER) };
    let whole = said(&[("whole", 60.0, &["gas"])]).to_string();
    let (judged, _) = graded(&close, move |at, _| if at == 1 { Err(ModelError::TimedOut) } else { Ok(whole.clone()) });
    let failed = Outcome::Failed { failure: "model_timeout".to_owned() };
    let record = judged.unwrap().record;
    assert_eq!((record.calls.len(), &record.calls[1].outcome, record.votes.len()), (3, &failed, 2));

    let (judged, asked) =
        graded(&open(ANSWER), |at, _| if at == 0 { Ok("Hm.".into()) } else { Err(ModelError::TimedOut) });
    let error = judged.unwrap_err();
    let record = error.record.as_deref().expect("what was asked is kept");
    assert_eq!((record.calls.len(), &record.calls[1].outcome, record.votes.len()), (2, &failed, 0));
    assert_eq!((record.usage().input_tokens, record.prompt.as_ref().unwrap().sha256.clone()), (100, asked[0].sha256()));
    assert_eq!(replayed(&open(ANSWER), record), Err(ReplayError::Grading(error.clone())), "it fails again, and alike");
}

#[test]
fn a_record_says_who_was_asked_in_vain() {
    let failure = ProviderFailure {
        provider: "gpu".to_owned(),
        model: "small-1".to_owned(),
        error: ModelError::CutOff,
        latency: Duration::from_millis(1_500),
        tries: 2,
    };
    let none = NoReply { error: ModelError::CutOff, failures: vec![failure], latency: Duration::from_secs(2) };
    let record = CallRecord::from(Err(none.clone()));
    let written = json!({
        "failure": "model_output_cut", "latencyMs": 2_000, "tries": 2,
        "failures": [{
            "provider": "gpu", "model": "small-1", "failure": "model_output_cut", "latencyMs": 1_500, "tries": 2,
        }],
    });
    assert_eq!(serde_json::to_value(&record).unwrap(), written);
    assert_eq!(serde_json::from_value::<CallRecord>(written).unwrap().call(), Err(none));
    // As records were written before there were failures in them.
    let usage = json!({ "inputTokens": 1, "outputTokens": 2, "cachedTokens": 0 });
    let before =
        json!({ "provider": "openai", "model": "m", "output": "{}", "usage": usage, "latencyMs": 7, "tries": 1 });
    let record: CallRecord = serde_json::from_value(before.clone()).unwrap();
    assert_eq!(serde_json::to_value(&record).unwrap(), before);
    assert_eq!(record.call().unwrap().text, "{}");
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn whatever_came_of_each_call_a_replay_comes_to_the_same_end(calls in proptest::collection::vec(0_usize..8, 6)) {
        let says = move |at: usize, _: &Prompt| match calls[at.min(5)] {
            0 => Err(ModelError::TimedOut),
            1 => Ok("no grade".to_owned()),
            // A quotation that stands nowhere is a doubt: it is asked about once more, and may stand.
            2 => Ok(said(&[("whole", 60.0, &["the oven"])]).to_string()),
            points => Ok(said(&[("whole", 10.0 * points as f64, &["gas"])]).to_string()),
        };
        let submission = Submission { tier: Tier::Advanced, ..open(ANSWER) };
        match graded(&submission, says).0 {
            Ok(judged) => prop_assert_eq!(replayed(&submission, &judged.record).unwrap().judged, judged),
            Err(error) => {
                let record = error.record.as_deref().unwrap();
                prop_assert_eq!(replayed(&submission, record), Err(ReplayError::Grading(error.clone())));
            }
        }
    }
}
