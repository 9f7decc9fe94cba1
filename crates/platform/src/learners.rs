//! Learners: what they master, and their erasure. They exist only as the ids that evaluations name.

pub mod erase;
pub mod mastery;
