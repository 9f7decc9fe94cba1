//! Tests as QTI packages (Question and Test Interoperability): 2.1 and 3.0 out; 2.0, 2.1, 2.2 and 3.0 in.
//!
//! QTI 3.0 is QTI 2.x with other names: `choiceInteraction` is `qti-choice-interaction`. So there is one
//! writer and one reader, both in the names of 2.x, and [`dialect`] translates.
//!
//! How a test is held:
//!
//! | here | there |
//! |---|---|
//! | items in order | one section of item references, each item a file |
//! | `select`, `true-false` | `choiceInteraction`, multiple when there are several keys; class `true-false` |
//! | `blank` | `textEntryInteraction`; every accepted text in a mapping, letter case ignored |
//! | `open-ended`, `submission` | `extendedTextInteraction`, `uploadInteraction`; model answers in a rubric block for scorers |
//! | explanation | modal feedback that is always shown |
//! | score | outcome `MAXSCORE`, and the response processing |
//! | time limit | `timeLimits` of the test, in seconds |
//! | passing value | `masteryValue` of the outcome `SCORE` or `SCORE_PERCENT`, and an outcome `PASSED` |
//! | description, language, subject, level, ids that are no identifiers | LOM metadata in the manifest |

mod dialect;
pub(crate) mod read;
pub(crate) mod write;

pub(crate) use dialect::Dialect;

/// The class of a choice that is a statement to be judged.
const TRUE_FALSE: &str = "true-false";
/// The class of a model answer in a rubric block.
const MODEL_ANSWER: &str = "model-answer";
/// The outcome that holds the share of the points, 0 to 100.
const SCORE_PERCENT: &str = "SCORE_PERCENT";
/// What our own files say in `toolName`. The reader takes their white space and choices as they are.
pub(crate) const TOOL: &str = "Lectern";
