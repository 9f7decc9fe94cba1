//! The summary and the description of an operation. Readers and linters expect both: the summary is one sentence, and the
//! description says more.

use utoipa::openapi::path::Operation;

/// Leaves the first sentence in the summary and moves the others to the description. `otherwise` is the description of
/// an operation that has no other.
pub(super) fn complete(operation: &mut Operation, otherwise: Option<&str>) {
    let summary = operation.summary.take().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let (first, rest) = sentences(&summary);
    let paragraphs = [Some(rest.to_owned()), operation.description.take()];
    let described: Vec<String> = paragraphs.into_iter().flatten().filter(|text| !text.trim().is_empty()).collect();
    let described = if described.is_empty() { otherwise.map(str::to_owned) } else { Some(described.join("\n\n")) };
    operation.summary = Some(first.to_owned()).filter(|text| !text.is_empty());
    operation.description = described;
}

/// The first sentence and what follows it. A full stop ends a sentence where a capital or code follows.
fn sentences(text: &str) -> (&str, &str) {
    let ends = text.match_indices(". ").find(|(at, _)| {
        let next = text[at + 2..].chars().next();
        next.is_some_and(|character| character.is_uppercase() || character == '`')
    });
    ends.map_or((text, ""), |(at, _)| (&text[..=at], &text[at + 2..]))
}

#[cfg(test)]
mod tests {
    use utoipa::openapi::path::OperationBuilder;

    use super::*;

    fn completed(summary: &str, description: Option<&str>) -> (String, Option<String>) {
        let mut operation = OperationBuilder::new().summary(Some(summary)).description(description).build();
        complete(&mut operation, Some("A key sees its own."));
        (operation.summary.unwrap(), operation.description)
    }

    #[test]
    fn the_summary_is_one_sentence_and_the_others_come_first_in_the_description() {
        let (summary, description) =
            completed("Imports QTI (2.0 to 3.0, e.g. zip\nfiles). All is private. `a` too.", None);
        assert_eq!(summary, "Imports QTI (2.0 to 3.0, e.g. zip files).");
        assert_eq!(description.unwrap(), "All is private. `a` too.");
        let (_, description) = completed("One. Two.", Some("Three."));
        assert_eq!(description.unwrap(), "Two.\n\nThree.");
    }

    #[test]
    fn an_operation_without_a_description_gets_the_common_one() {
        assert_eq!(completed("One.", None), ("One.".to_owned(), Some("A key sees its own.".to_owned())));
        assert_eq!(completed("One.", Some("Two.")).1.unwrap(), "Two.");
    }
}
