//! What an export or an import could not keep, as a client is told.

use interchange::Report;
use serde::Serialize;

/// What could not be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeReport {
    /// In the order in which they were found.
    pub findings: Vec<ExchangeFinding>,
    /// How many more there were.
    pub more: usize,
}

/// One thing that was not kept as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeFinding {
    /// The file in the package, or what stands for it: `items/3.xml`, `tests/1`.
    #[schema(example = "tests/1")]
    pub file: String,
    /// What kind of loss it is, for programs: `question`, `answer`, `scoring`, `feedback`, `behaviour`, `markup`, `media`,
    /// `structure`, `resource`, `file`, `metadata`, `link` or `characters`.
    #[schema(value_type = String, example = "scoring")]
    pub code: interchange::Loss,
    /// A sentence.
    pub message: String,
}

impl From<Report> for ExchangeReport {
    fn from(report: Report) -> Self {
        let finding = |interchange::Finding { file, code, message }| ExchangeFinding { file, code, message };
        Self { findings: report.findings.into_iter().map(finding).collect(), more: report.more }
    }
}

impl ExchangeReport {
    /// As much of the report as a header of so many bytes holds, as JSON in ASCII; the rest is counted as `more`.
    pub(super) fn header_text(&self, longest_bytes: usize) -> String {
        let mut text = String::from("{\"findings\":[");
        let mut kept = 0;
        for finding in &self.findings {
            let json = ascii(&serde_json::to_string(finding).expect("a finding serializes"));
            // The end takes a bracket, `,"more":`, a number and a brace.
            if text.len() + json.len() + 40 > longest_bytes {
                break;
            }
            if kept > 0 {
                text.push(',');
            }
            text.push_str(&json);
            kept += 1;
        }
        text + &format!("],\"more\":{}}}", self.findings.len() - kept + self.more)
    }
}

/// JSON that means the same and is plain ASCII: other characters stand only within its strings.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character == ' ' || character.is_ascii_graphic() {
            text.push(character);
        } else {
            let mut units = [0; 2];
            text.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use interchange::Loss;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_header_holds_what_fits_and_counts_the_rest() {
        let mut report = Report::default();
        for n in 0..200 {
            report.add("items/ü.xml", Loss::Scoring, format!("Nr. {n}: “points”\u{7f} 😀 were left out."));
        }
        let report = ExchangeReport::from(report);
        let text = report.header_text(2_000);
        assert!(text.is_ascii() && text.len() <= 2_000 && text.len() > 1_800, "{}", text.len());
        let read: Value = serde_json::from_str(&text).unwrap();
        let kept = read["findings"].as_array().unwrap();
        assert_eq!(kept[0], json!(report.findings[0]));
        assert_eq!(kept.len() + read["more"].as_u64().unwrap() as usize, 200);
        assert_eq!(report.header_text(0), r#"{"findings":[],"more":200}"#);
    }
}
