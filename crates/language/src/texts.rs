//! The texts that the service writes, by what they are for. What stands in braces is filled in by [`fill`](crate::fill).

/// A struct of texts. Its tests compare the places for values with those of English.
macro_rules! texts {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $field:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(#[doc = concat!("The text `", stringify!($field), "`.")] $(#[$note])* pub $field: &'static str,)*
        }

        #[cfg(test)]
        impl $name {
            /// Every text with its name.
            pub(crate) fn entries(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($field), self.$field),)*]
            }
        }
    };
}

texts! {
    /// The words of an exported page.
    Labels {
        questions, check, right, wrong, answer, answers, several,
    }
}

texts! {
    /// Every fixed text that can stand in a draft. Those from `prompt_says` on are for what is made from prompts alone: tasks that
    /// can be set on any topic, and what a good answer to each of them covers.
    Drafts {
        /// Parts the items of a list.
        list_comma,
        /// Stands in front of a list's last item.
        list_and,
        /// Ends a sentence that another one follows.
        sentence_end,
        objectives, key_terms, recap, answer, steps, vocabulary, questions, dialogue, timeline, examples, materials, yes, no,
        lesson_n, step_n,
        objective_prose, objective_terms, objective_steps, objective_table, objective_dialogue, objective_timeline,
        objective_questions, objective_worked,
        module_description, video_title, video_description, quiz_name, quiz_description,
        answer_true, answer_false, cloze_term, cloze_number, term_for, meaning_of, description_of, cell_of, next_step,
        first_event, when_event, who_says, belongs_to, true_false, blank, blank_term, open_term, open_why, open_lesson,
        open_text, submission, source_says,
        video_welcome, video_topics, video_first, video_next, video_closing, video_remember, video_practice,
        plus, minus, times, divided_by, equals,
        /// Stands behind a number; `%` where the word would stand in front of it.
        percent,
        degrees, root_of, less_than, greater_than,
        /// Says that a quotation is from the caller's own text, which no learner has seen.
        prompt_says,
        several_answers, points, with_target,
        ask_example, ask_points, ask_why, ask_compare, ask_compare_own, ask_apply, ask_judge, ask_target,
        /// Is handed in.
        ask_overview,
        /// Is handed in.
        ask_task,
        covers_explain, covers_example, covers_points, covers_why, covers_compare, covers_apply, covers_judge, covers_target,
        covers_overview, covers_task,
        known_already, deck_description, course_description,
    }
}

impl Drafts {
    /// Joins items as the language does: "a, b and c".
    #[must_use]
    pub fn join<S: AsRef<str>>(&self, items: &[S]) -> String {
        match items {
            [] => String::new(),
            [only] => only.as_ref().to_owned(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
                format!("{}{}{}", first.join(self.list_comma), self.list_and, last.as_ref())
            }
        }
    }
}

texts! {
    /// Every fixed text of feedback on an answer that was compared by its words.
    Feedback {
        /// Praises a quotation.
        right_warm,
        /// Says plainly that a quotation is right.
        right,
        /// Shows a quotation that says the contrary.
        contrary,
        missing,
        /// Says what to add.
        add,
        /// Says what to look at again.
        check,
        keywords, salad, repeats,
        /// Names files that were not read, or not wholly.
        unread,
        /// Says what to do about an empty answer.
        try_it,
        /// Says what to do about an answer without sentences.
        whole_sentences,
        nothing_said, unguided, good_warm, good, partly_warm, partly, mostly_wrong, little,
        /// Says what makes the judgement uncertain.
        foreign,
        talk, hidden,
        next_start, next_good, next_terms, next_reread,
        /// Of a criterion.
        met,
        met_partly, unmet,
    }
}

texts! {
    /// Every sentence about an answer that was compared by code.
    ExactFeedback {
        right, number_right, part, empty, orders, copied, wrong, converted, sign, rounding, unit, no_unit, order, missing,
        incomplete, extra, bounds, kind, marks, negated, several, advice, next_right, next_wrong,
    }
}
