//! What a download is asked for: `format` and `report`.

use edge::problem::{Detail, Problem};
use url::form_urlencoded;

/// The parameters of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExportQuery<F> {
    pub(super) format: F,
    /// Whether the report is asked for, and not the file.
    pub(super) wants_report: bool,
}

const YES_OR_NO: &[(&str, bool)] = &[("false", false), ("true", true)];

impl<F: Copy> ExportQuery<F> {
    /// Reads a query. The first of the formats is the one of a request that names none.
    ///
    /// # Errors
    /// 400 naming every wrong parameter.
    pub(super) fn read(query: Option<&str>, formats: &[(&str, F)]) -> Result<Self, Problem> {
        let query = query.unwrap_or_default();
        let mut details = Vec::new();
        let format = choose(query, "format", formats, &mut details);
        let wants_report = choose(query, "report", YES_OR_NO, &mut details);
        match (format, wants_report) {
            (Some(format), Some(wants_report)) => Ok(Self { format, wants_report }),
            _ => Err(Problem::Invalid(details)),
        }
    }
}

/// The meaning of a parameter's word; that of the first word when it is absent.
fn choose<T: Copy>(query: &str, name: &str, words: &[(&str, T)], details: &mut Vec<Detail>) -> Option<T> {
    let given: Vec<_> = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name).collect();
    let meaning = |wanted: &str| words.iter().find(|(word, _)| *word == wanted).map(|(_, meaning)| *meaning);
    let message = match given.as_slice() {
        [] => return words.first().map(|(_, meaning)| *meaning),
        [(_, value)] => match meaning(value) {
            Some(meaning) => return Some(meaning),
            None => format!("must be one of {}", words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")),
        },
        _ => "must be given once".to_owned(),
    };
    details.push(Detail { path: name.to_owned(), message });
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: &[(&str, u8)] = &[("three", 3), ("two", 2)];

    fn read(query: &str) -> Result<(u8, bool), Vec<String>> {
        match ExportQuery::read(Some(query), FORMATS) {
            Ok(ExportQuery { format, wants_report }) => Ok((format, wants_report)),
            Err(Problem::Invalid(details)) => Err(details.into_iter().map(|detail| detail.path).collect()),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn the_first_format_is_the_default_and_others_are_named() {
        assert_eq!(ExportQuery::read(None, FORMATS).unwrap(), ExportQuery { format: 3, wants_report: false });
        assert_eq!(read("other=x&format=two"), Ok((2, false)));
        assert_eq!(read("report=true"), Ok((3, true)));
    }

    #[test]
    fn every_wrong_parameter_is_named() {
        for wrong in ["format=", "format=Two", "format=%00", "format=two&format=two"] {
            assert_eq!(read(wrong), Err(vec!["format".to_owned()]), "{wrong}");
        }
        assert_eq!(read("format=four&report=yes"), Err(vec!["format".to_owned(), "report".to_owned()]));
        let Err(Problem::Invalid(details)) = ExportQuery::read(Some("format=four"), FORMATS) else {
            panic!("accepted")
        };
        assert_eq!(details[0].message, "must be one of three, two");
    }
}
