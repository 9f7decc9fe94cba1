//! What is written from what: the whole material for a plan, and for a part its heading, the plan around it and its own
//! excerpts; no more of either than one prompt may hold.

use serde_json::{Value, json};

use super::ground::Ground;
use super::outline::Part;
use super::sources::{Shown, Sources};

/// What a plan is made from.
pub(super) struct Survey<'a> {
    pub(super) sources: &'a Sources,
    pub(super) ground: &'a Ground,
    pub(super) shown: Shown,
}

impl<'a> Survey<'a> {
    /// An overview of everything, in about `characters`.
    pub(super) fn new((sources, ground): (&'a Sources, &'a Ground), characters: usize) -> Self {
        Self { sources, ground, shown: sources.overview(characters) }
    }

    /// The same of half the material.
    pub(super) fn shorter(&self) -> Self {
        Self::new((self.sources, self.ground), self.shown.characters / 2)
    }

    /// The excerpts that a plan may name.
    pub(super) fn given(&self) -> Vec<usize> {
        (0..self.sources.count()).collect()
    }
}

/// What a part is written from.
pub(super) struct Brief<'a> {
    pub(super) sources: &'a Sources,
    pub(super) ground: &'a Ground,
    part: &'a Part,
    plan: &'a [String],
    pub(super) shown: Shown,
}

impl<'a> Brief<'a> {
    /// The part's excerpts, in about `characters`.
    pub(super) fn new(
        (sources, ground): (&'a Sources, &'a Ground),
        part: &'a Part,
        plan: &'a [String],
        characters: usize,
    ) -> Self {
        let shown = sources.excerpts_for(&part.heading, &part.excerpts, characters);
        Self { sources, ground, part, plan, shown }
    }

    /// The same of half the material.
    pub(super) fn shorter(&self) -> Self {
        Self::new((self.sources, self.ground), self.part, self.plan, self.shown.characters / 2)
    }

    pub(super) fn heading(&self) -> &'a str {
        &self.part.heading
    }

    /// The excerpts that the part may name.
    pub(super) fn given(&self) -> &[usize] {
        &self.shown.whole
    }

    /// The part and the plan around it, which a model wrote, as data.
    pub(super) fn data(&self, what: &str) -> Value {
        json!({ "plan": self.plan, what: self.heading() })
    }
}
