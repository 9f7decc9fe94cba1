//! Swedish.

use super::{Labels, Language};

pub(super) static LANGUAGE: Language = Language { tag: "sv", labels: LABELS, page: None, email: None, teaching: None };

const LABELS: Labels = Labels {
    questions: "Frågor",
    check: "Kontrollera svaret",
    right: "Rätt",
    wrong: "Inte rätt",
    answer: "Svar:",
    answers: "Svar",
    several: "Mer än ett svar kan vara rätt.",
};
