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
        answer_true, answer_false, cloze_term, cloze_number, term_for, term_described, meaning_of, description_of, cell_of, next_step,
        first_event, when_event, belongs_to, true_false, blank, blank_term, blank_described, open_term,
        /// Which row of a table has most in a column: `{column}`.
        highest_of,
        /// Which row of a table has least in a column: `{column}`.
        lowest_of,
        /// Asks for the reason of a claim: `{claim}`.
        open_reason,
        /// Stands in front of a program.
        code_output,
        open_text, retell, submission, source_says,
        video_welcome, video_topics, video_first, video_next, video_remember, video_practice,
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
        /// What a report on work with steps covers: `{steps}`.
        covers_submission,
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
    /// How signs are said, and the sentences of a narrator.
    Signs {
        plus, minus,
        /// In front of a number.
        negative,
        times, divided_by,
        /// Between the parts of a fraction.
        over,
        plus_minus,
        /// Of the sides `{a}` and `{b}`, as those that follow.
        equals,
        not_equal, nearly, less, greater, at_most, at_least,
        /// Of `{x}`, as those that follow.
        root,
        squared, cubed,
        /// Of `{x}`, raised to `{n}`.
        power,
        /// `{f}` of `{x}`.
        function,
        /// From `{a}` to `{b}`.
        range,
        /// `#` in front of a number.
        number,
        /// `#` behind a letter.
        sharp,
        /// In front of a name, as in `.NET`.
        dot,
        infinity,
        /// Parts two units.
        per,
        /// Tells of `{n}` steps the `{first}` and the `{last}`.
        steps_told,
        /// Tells `{text}` of many.
        for_example,
    }
}

texts! {
    /// Every fixed text of feedback on an answer that was compared by its words.
    Feedback {
        /// Praises a quotation.
        right_warm,
        /// Says plainly that a quotation is right.
        right,
        missing,
        /// Says what to add.
        add,
        /// Says what to look at again.
        check,
        repeats,
        /// Names files that were not read, or not wholly.
        unread,
        /// Says what to do about an empty answer.
        try_it,
        /// Says what to do about an answer without sentences.
        whole_sentences,
        nothing_said, unguided,
        /// Says that words can't be compared well enough.
        by_person, good_warm, good, partly_warm, partly, little,
        /// Says what makes the judgement uncertain.
        foreign,
        talk, hidden,
        next_start, next_good, next_terms, next_reread,
        /// Of a criterion.
        met,
        met_partly,
    }
}

texts! {
    /// Every sentence about an answer that was compared by code.
    ExactFeedback {
        right, number_right, part, empty, orders, copied, wrong, near, converted, sign, rounding, unit, no_unit, order, missing,
        incomplete, extra, bounds, kind, marks, negated, several, advice, next_right, next_wrong,
    }
}

texts! {
    /// Every text of the pages for learners and teachers.
    Page {
        /// What parts a number's whole from its fraction.
        decimal,
        /// A share: `{n}`.
        percent,
        module, course, slides, test, video, skip, preview, queued, processing, failed, empty, previous, next,
        quiz,
        /// With `{n}`.
        question,
        choose_one, choose_several, your_answer,
        /// Words to choose from: `{words}`.
        word_bank,
        yes, no, check, again, not_saved, result,
        /// With `{n}` of `{total}`.
        right_of,
        /// With `{n}`.
        unanswered_count,
        look_again, right, wrong, unanswered,
        /// With `{answers}`.
        right_answer,
        withheld,
        /// With `{n}`.
        points,
        /// With `{n}`, in minutes.
        time_limit,
        /// With `{value}`.
        to_pass,
        finish, passed, not_passed, undecided,
        /// With `{n}` of `{total}`.
        points_of,
        /// With `{n}` points.
        open_points,
        ungraded,
        /// With `{answers}`.
        model_answer,
        submission,
        /// With `{text}`.
        explanation,
        /// Some of an answer.
        partly,
        check_one,
        /// Says of an open answer that it has no grade.
        ask_person,
        /// Says of points that they are uncertain.
        estimate,
        not_final, on_this_page, mark_done, is_done,
        /// With `{n}` of `{total}`.
        done_of,
        kept_here,
        is_handed_in, seen_as_teacher, no_attempt_left, test_changed,
        /// With `{n}`.
        attempts_left,
        being_graded, is_graded, by_a_person, may_change, in_gradebook, update,
        pick, pick_words, pick_classroom, pick_kind, pick_all, pick_search, pick_nothing, pick_more, pick_columns,
        pick_add, pick_cancel, only_teachers, takes_no_links, too_many_picks, pick_gone, no_organization,
        contents,
        /// With `{n}` of `{total}`.
        part,
        /// With `{level}`.
        level,
        /// With `{n}` of `{total}`.
        slide,
        overview, notes, slide_keys, table, code, formula, full_screen, leave_full_screen,
        /// With `{n}` of `{total}`.
        scene,
        storyboard, storyboard_note,
        /// With `{time}`.
        length,
        play, pause, captions,
        not_found, not_found_note, unavailable, unavailable_note, broken, broken_note, too_large, too_large_note,
        no_form, no_form_note,
        connect_title, connect_note, connect, learning_platform, workspace, connected, connected_note, close_page,
        not_connected, start_again, link_used, link_expired, link_revoked, link_busy, link_suspended,
        link_by_hand, link_lost, platform_address, platform_silent, platform_incomplete, platform_issuer,
        platform_refused, platform_unconfirmed, platform_taken,
        opening, go_on, new_window, new_window_note, not_opened, not_opened_note, nothing_linked,
    }
}

texts! {
    /// Every text of e-mail to the people behind workspaces and organizations.
    Email {
        verify_subject,
        /// With `{workspace}`.
        verify_text,
        verify_action, reset_subject, reset_text, reset_action,
        /// With `{organization}`.
        invite_subject,
        /// With `{inviter}` and `{organization}`.
        invite_text,
        invite_action,
        /// With `{organization}`, as the two after it.
        join_as_admin,
        join_as_teacher, join_as_reviewer, password,
        /// With the smallest number of characters, `{n}`.
        password_rule,
        sign_in,
        /// With `{expires}`.
        link_until,
        link_gone, try_again, unasked,
        /// With `{workspace}`.
        low_balance_subject,
        /// With `{workspace}`, `{balance}` and `{threshold}`.
        low_balance_text,
        /// With the `{name}` of a workspace or key.
        soft_cap_subject,
        /// With `{name}`, `{spent}`, `{cap}` and `{period}`.
        soft_cap_text,
        /// With the `{name}` of a workspace or key.
        hard_cap_subject,
        /// With `{name}`, `{spent}`, `{cap}` and `{period}`.
        hard_cap_text,
        per_day, per_month,
        /// With `{workspace}`.
        payment_failed_subject,
        /// With `{workspace}` and `{amount}`.
        payment_failed_text,
        /// With `{key}`.
        key_expiring_subject,
        /// With `{workspace}`, `{key}` and `{expires}`.
        key_expiring_text,
    }
}
