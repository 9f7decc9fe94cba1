//! Running text: terms, definitions, numbers, and what prompts order.
//!
//! Everything here looks at text and answers; nothing makes text up. Words and sentences are [`language`]'s.

pub(crate) mod arithmetic;
pub(crate) mod definitions;
pub(crate) mod namings;
pub(crate) mod numbers;
pub(crate) mod opposites;
pub(crate) mod orders;
pub(crate) mod stems;
pub(crate) mod terms;
