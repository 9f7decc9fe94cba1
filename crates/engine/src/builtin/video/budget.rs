//! How much of a source a video may speak.

use language::script::word_count;

use crate::builtin::lesson::Lesson;
use crate::builtin::material::Material;
use crate::reading::blocks::{Body, Origin};
use crate::reading::flat::each_text;

/// One word is spoken of so many that the source teaches.
const SHARE: usize = 3;
/// Most seconds of one lesson, and of each where there are many.
const LESSON_SECONDS: f64 = 110.0;
const LESSON_SECONDS_OF_MANY: f64 = 40.0;
/// More lessons than this are many.
const MANY: usize = 10;
/// The part of what may be spoken that goes to the opening and the closing, and to the lessons' introductions.
const FRAME_SHARE: f64 = 0.16;
const INTRODUCTION_SHARE: f64 = 0.12;

/// What may be spoken of all lessons, in words.
pub(super) struct Budget {
    /// The share of each lesson.
    lessons: Vec<f64>,
    total: f64,
    /// What the sentences around the lessons' own may take.
    frame: f64,
    introductions: f64,
    /// What they have taken.
    around: f64,
    /// What lessons have left over.
    rest: f64,
    seconds: f64,
}

/// What may still be spoken of a lesson.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    pub(super) words: f64,
    pub(super) seconds: f64,
}

impl Budget {
    pub(super) fn of(material: &Material) -> Self {
        let lessons: Vec<f64> = material.lessons.iter().map(may_speak).collect();
        let total: f64 = lessons.iter().sum();
        let many = material.lessons.len() > MANY;
        Self {
            lessons,
            total,
            frame: total * FRAME_SHARE,
            introductions: total * INTRODUCTION_SHARE,
            around: 0.0,
            rest: 0.0,
            seconds: if many { LESSON_SECONDS_OF_MANY } else { LESSON_SECONDS },
        }
    }

    /// What may be spoken of a lesson, with what those before it have left over.
    pub(super) fn of_lesson(&mut self, at: usize) -> Allowance {
        let share = self.lessons[at] * (1.0 - self.around / self.total.max(1.0));
        let more = self.rest.min(share / 2.0);
        self.rest -= more;
        Allowance { words: share + more, seconds: self.seconds }
    }

    pub(super) fn keep_rest(&mut self, allowance: &Allowance) {
        self.rest += allowance.words;
    }

    /// What lessons have left over, for one of which nothing is told yet.
    pub(super) fn rest(&self) -> Allowance {
        Allowance { words: self.rest, seconds: self.seconds }
    }

    pub(super) fn spend_rest(&mut self, allowance: &Allowance) {
        self.rest = allowance.words;
    }

    /// Whether there is room for a sentence of the opening or closing; takes the room.
    pub(super) fn frames(&mut self, said: &str) -> bool {
        take(&mut self.frame, &mut self.around, said)
    }

    /// Whether there is room for a sentence that names a lesson; takes the room.
    pub(super) fn introduces(&mut self, said: &str) -> bool {
        take(&mut self.introductions, &mut self.around, said)
    }
}

impl Allowance {
    /// For what has to be told however short the source is.
    pub(super) fn unlimited() -> Self {
        Self { words: f64::MAX, seconds: f64::MAX }
    }

    /// Whether there is room for a text; takes the room.
    pub(super) fn take(&mut self, said: &str, seconds: f64) -> bool {
        let count = counted(said);
        let fits = count <= self.words && seconds <= self.seconds;
        if fits {
            self.words -= count;
            self.seconds -= seconds;
        }
        fits
    }

    /// A part of it, which [`Allowance::spend`] accounts for.
    pub(super) fn part(&self, words: f64) -> Self {
        Self { words: words.min(self.words), seconds: self.seconds }
    }

    /// Takes what was spent of a part.
    pub(super) fn spend(&mut self, part: &Self, left: &Self) {
        self.words -= part.words - left.words;
        self.seconds -= part.seconds - left.seconds;
    }
}

fn take(room: &mut f64, taken: &mut f64, said: &str) -> bool {
    let count = counted(said);
    let fits = count <= *room;
    if fits {
        *room -= count;
        *taken += count;
    }
    fits
}

/// Words of a text, with scripts without spaces counted at two characters a word.
pub(super) fn words(text: &str) -> usize {
    word_count(text).max(usize::from(text.chars().any(char::is_alphanumeric)))
}

#[expect(clippy::cast_precision_loss, reason = "a text has fewer words than a float has places")]
pub(super) fn counted(text: &str) -> f64 {
    words(text) as f64
}

/// What may be spoken of a lesson: a third of what it teaches. A prompt says what the video is to say.
fn may_speak(lesson: &Lesson) -> f64 {
    let taught = lesson.reading.blocks.iter().filter(|block| block.teaches());
    let count: f64 = taught.map(|block| of_block(&block.body)).sum();
    if lesson.reading.origin == Origin::Prompt { count * 1.5 } else { count / share() }
}

/// The words of a block that can be spoken. Code, formulas and pictures are shown, and questions are the learners'.
pub(super) fn of_block(body: &Body) -> f64 {
    let mut count = 0.0;
    if !matches!(body, Body::Code(_) | Body::Formula(_) | Body::Picture(_) | Body::Questions(_)) {
        each_text(body, &mut |text| count += counted(text));
    }
    count
}

/// As a number to divide by.
#[expect(clippy::cast_precision_loss, reason = "it is a small number")]
pub(super) fn share() -> f64 {
    SHARE as f64
}
