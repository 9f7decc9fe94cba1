//! Extras that stand behind a text with an emphasised label: "… <em>Example:</em> …".

use super::blocks::Note;
use super::inline::{MarkKind, Passage};

/// Parts a text from the extras behind it. A text without such labels stays as it is.
pub(super) fn part(passage: Passage) -> (Passage, Vec<Note>) {
    let is_label = |text: &str| text.ends_with([':', '：']) && text.chars().count() <= 40;
    let labels: Vec<(usize, usize)> = passage
        .marks
        .iter()
        .filter(|mark| {
            mark.kind == MarkKind::Emphasis && mark.start > 0 && is_label(&passage.text[mark.start..mark.end])
        })
        .map(|mark| (mark.start, mark.end))
        .collect();
    let Some((first, _)) = labels.first().copied() else { return (passage, Vec::new()) };
    let ends = labels.iter().skip(1).map(|(start, _)| *start).chain([passage.text.len()]);
    let note = |((start, end), next): (&(usize, usize), usize)| Note {
        label: passage.text[*start..*end].trim_end_matches([':', '：']).to_owned(),
        value: passage.text[*end..next].trim().to_owned(),
    };
    let notes: Vec<Note> = labels.iter().zip(ends).map(note).collect();
    if notes.iter().any(|note| note.value.is_empty()) {
        return (passage, Vec::new());
    }
    let text = passage.text[..first].trim_end().to_owned();
    let marks = passage.marks.into_iter().filter(|mark| mark.end <= text.len()).collect();
    (Passage { text, marks }, notes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::markdown::inline;

    #[test]
    fn labels_part_extras_from_the_text() {
        let (text, notes) = part(inline("A *layer* of rock. *Example:* A well. *Hint:* Dig."));
        assert_eq!((text.text.as_str(), text.marks.len()), ("A layer of rock.", 1));
        let notes: Vec<(&str, &str)> = notes.iter().map(|note| (note.label.as_str(), note.value.as_str())).collect();
        assert_eq!(notes, [("Example", "A well."), ("Hint", "Dig.")]);
        for whole in ["*Note:* all of it", "A *layer* of rock.", "It ends in *this:*"] {
            assert!(part(inline(whole)).1.is_empty(), "{whole}");
        }
    }
}
