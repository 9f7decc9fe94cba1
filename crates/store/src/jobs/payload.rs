//! A job's row text: the job as a JSON object with its version in front.
//!
//! This is the only place that writes or reads it. A text of a later version is never read as one of this program's.

use serde::{Deserialize, Serialize};

use super::Job;
use crate::StoreError;

/// Why a text is no job of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PayloadError {
    /// Damaged, or of a version that never was.
    #[error("the payload can't be read")]
    Unreadable,
    /// Enqueued by a later version of this program.
    #[error("this program reads {kind} up to version {known}, and the job has version {found}")]
    Newer { kind: &'static str, known: u32, found: u32 },
}

#[derive(Serialize)]
struct Versioned<'a, J> {
    version: u32,
    #[serde(flatten)]
    job: &'a J,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

pub(super) fn write<J: Job>(job: &J) -> Result<String, StoreError> {
    serde_json::to_string(&Versioned { version: J::VERSION, job }).map_err(StoreError::unexpected)
}

pub(super) fn read<J: Job>(text: &str) -> Result<J, PayloadError> {
    let unreadable = |_: serde_json::Error| PayloadError::Unreadable;
    let Version { version: found } = serde_json::from_str(text).map_err(unreadable)?;
    match found {
        0 => Err(PayloadError::Unreadable),
        _ if found > J::VERSION => Err(PayloadError::Newer { kind: J::KIND, known: J::VERSION, found }),
        _ => serde_json::from_str(text).map_err(unreadable),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{ClaimedJob, Outcome};
    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CountPages {
        book_title: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_page: Option<i64>,
        /// Came with version 2.
        #[serde(default)]
        languages: Vec<String>,
    }

    impl Job for CountPages {
        const KIND: &'static str = "CountPages";
        const VERSION: u32 = 2;
        type Context = ();

        async fn run(&self, (): &(), _: &ClaimedJob) -> Outcome {
            Outcome::Done
        }
    }

    fn any_job() -> impl Strategy<Value = CountPages> {
        (".*", any::<Option<i64>>(), prop::collection::vec(".*", 0..3))
            .prop_map(|(book_title, last_page, languages)| CountPages { book_title, last_page, languages })
    }

    proptest! {
        #[test]
        fn a_job_is_read_back_as_it_was_written(job in any_job()) {
            prop_assert_eq!(read::<CountPages>(&write(&job).unwrap()), Ok(job));
        }

        #[test]
        fn a_job_of_a_later_version_is_never_read(job in any_job(), found in prop_oneof![Just(3), 3..=u32::MAX]) {
            let text = write(&job).unwrap().replacen("{\"version\":2,", &format!("{{\"version\":{found},"), 1);
            let newer = PayloadError::Newer { kind: "CountPages", known: 2, found };
            prop_assert_eq!(read::<CountPages>(&text), Err(newer));
        }

        #[test]
        fn a_text_that_was_cut_is_unreadable(job in any_job(), cut in any::<prop::sample::Index>()) {
            let text = write(&job).unwrap();
            let end = text.floor_char_boundary(cut.index(text.len()));
            prop_assert_eq!(read::<CountPages>(&text[..end]), Err(PayloadError::Unreadable));
        }
    }

    #[test]
    fn the_version_comes_first_and_the_jobs_members_follow() {
        let job = CountPages { book_title: "Ä\"".to_owned(), last_page: None, languages: vec!["fr".to_owned()] };
        assert_eq!(write(&job).unwrap(), r#"{"version":2,"bookTitle":"Ä\"","languages":["fr"]}"#);
    }

    #[test]
    fn a_job_of_an_earlier_version_is_read_with_the_defaults_of_later_members() {
        let job = CountPages { book_title: "Cells".to_owned(), last_page: Some(7), languages: Vec::new() };
        assert_eq!(read(r#"{"version":1,"bookTitle":"Cells","lastPage":7}"#), Ok(job));
    }

    #[test]
    fn what_is_no_job_is_unreadable() {
        for text in [
            "",
            "null",
            "7",
            "[]",
            "{}",
            r#"{"bookTitle":"Cells"}"#,
            r#"{"version":2}"#,
            r#"{"version":0,"bookTitle":"Cells"}"#,
            r#"{"version":-1,"bookTitle":"Cells"}"#,
            r#"{"version":"2","bookTitle":"Cells"}"#,
            r#"{"version":2.0,"bookTitle":"Cells"}"#,
            r#"{"version":4294967296,"bookTitle":"Cells"}"#,
            r#"{"version":2,"version":2,"bookTitle":"Cells"}"#,
            r#"{"version":2,"bookTitle":7}"#,
            r#"{"version":2,"bookTitle":"Cells"}}"#,
        ] {
            assert_eq!(read::<CountPages>(text), Err(PayloadError::Unreadable), "{text}");
        }
    }

    #[test]
    fn a_job_of_a_later_version_is_known_for_one_whatever_else_it_holds() {
        let newer = PayloadError::Newer { kind: "CountPages", known: 2, found: 3 };
        assert_eq!(read::<CountPages>(r#"{"isbn":1,"version":3}"#), Err(newer.clone()));
        assert_eq!(newer.to_string(), "this program reads CountPages up to version 2, and the job has version 3");
    }
}
