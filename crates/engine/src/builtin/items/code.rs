//! Questions about what a program prints.

use language::normal::normal;

use crate::drafts::QuizItemKind;
use crate::reading::blocks::{Body, Code};

use super::{Candidate, Evidence, Form, MAX_ENTRIES, Rank, Workshop, fits};

/// Longest program in a question, in characters and lines, and longest output, in characters.
const MAX_CODE: usize = 500;
const MAX_LINES: usize = 15;
const MAX_OUTPUT: usize = 60;
/// How much of its lesson a program is about.
const WEIGHT: f64 = 0.8;

impl Workshop<'_> {
    pub(super) fn about_code(&self, lesson: usize, found: &mut Vec<Candidate>) {
        for block in self.lesson(lesson).reading.blocks.iter().filter(|block| block.teaches()).take(MAX_ENTRIES) {
            let Body::Code(code) = &block.body else { continue };
            let Some(output) = short_output(code) else { continue };
            let question = format!("{}\n{}", self.phrases().code_output, code.text);
            let fact = format!("code {}", normal(&code.text));
            let evidence = Evidence { lesson, pointer: &block.pointer, quote: output, fact, weight: WEIGHT };
            let form = Form::Written { kind: QuizItemKind::Blank, keys: vec![output.to_owned()] };
            found.push(self.candidate(evidence, Rank::Sound, question, form));
        }
    }
}

/// The output of a program that fits in a question, where it is one line that the program does not hold.
fn short_output(code: &Code) -> Option<&str> {
    let output = code.output.as_deref()?.trim();
    let told = code.text.contains(output);
    let short = fits(output, MAX_OUTPUT) && !output.contains('\n') && !output.is_empty();
    (short && !told && fits(&code.text, MAX_CODE) && code.text.lines().count() <= MAX_LINES).then_some(output)
}
