//! The words for what is made from prompts alone: tasks that can be set on any topic, and what a good
//! answer to each of them covers. None of them says anything about the topic itself.

/// Tasks and descriptions of one language.
pub(crate) struct Tasks {
    /// Says that a quotation is from the caller's own text, which no learner has seen.
    pub(crate) prompt_says: &'static str,
    pub(crate) several_answers: &'static str,
    pub(crate) points: &'static str,
    pub(crate) with_target: &'static str,
    pub(crate) ask_example: &'static str,
    pub(crate) ask_points: &'static str,
    pub(crate) ask_why: &'static str,
    pub(crate) ask_compare: &'static str,
    pub(crate) ask_compare_own: &'static str,
    pub(crate) ask_apply: &'static str,
    pub(crate) ask_judge: &'static str,
    pub(crate) ask_target: &'static str,
    /// Handed in, as is the next.
    pub(crate) ask_overview: &'static str,
    pub(crate) ask_task: &'static str,
    /// What a good answer covers, for each way of asking.
    pub(crate) covers_explain: &'static str,
    pub(crate) covers_example: &'static str,
    pub(crate) covers_points: &'static str,
    pub(crate) covers_why: &'static str,
    pub(crate) covers_compare: &'static str,
    pub(crate) covers_apply: &'static str,
    pub(crate) covers_judge: &'static str,
    pub(crate) covers_target: &'static str,
    pub(crate) covers_overview: &'static str,
    pub(crate) covers_task: &'static str,
    pub(crate) known_already: &'static str,
    pub(crate) deck_description: &'static str,
    pub(crate) course_description: &'static str,
}

#[cfg(test)]
impl Tasks {
    /// Every text with its name.
    pub(super) fn templates(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("prompt_says", self.prompt_says),
            ("several_answers", self.several_answers),
            ("points", self.points),
            ("with_target", self.with_target),
            ("ask_example", self.ask_example),
            ("ask_points", self.ask_points),
            ("ask_why", self.ask_why),
            ("ask_compare", self.ask_compare),
            ("ask_compare_own", self.ask_compare_own),
            ("ask_apply", self.ask_apply),
            ("ask_judge", self.ask_judge),
            ("ask_target", self.ask_target),
            ("ask_overview", self.ask_overview),
            ("ask_task", self.ask_task),
            ("covers_explain", self.covers_explain),
            ("covers_example", self.covers_example),
            ("covers_points", self.covers_points),
            ("covers_why", self.covers_why),
            ("covers_compare", self.covers_compare),
            ("covers_apply", self.covers_apply),
            ("covers_judge", self.covers_judge),
            ("covers_target", self.covers_target),
            ("covers_overview", self.covers_overview),
            ("covers_task", self.covers_task),
            ("known_already", self.known_already),
            ("deck_description", self.deck_description),
            ("course_description", self.course_description),
        ]
    }
}
