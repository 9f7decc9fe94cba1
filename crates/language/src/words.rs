//! The words of a language by what they do in a text. Lists are in lower case and hold what changes results, not everything
//! that a grammar knows; words are parted by spaces, phrases by `|`.

use crate::script::is_unspaced;

/// Little words, and how a definition is phrased.
#[derive(Clone, Copy, Debug)]
pub struct Grammar {
    /// Words that carry no topic.
    pub stop_words: &'static str,
    /// Words that have a meaning but make no topic alone: common adjectives, verbs, vague nouns.
    pub weak_words: &'static str,
    /// Words that point outside their sentence when they begin it.
    pub anaphora: &'static str,
    /// Words that a period ends, without it.
    pub abbreviations: &'static str,
    /// Articles.
    pub articles: &'static str,
    /// Copulas that need a determiner behind them to define.
    pub copulas: &'static str,
    /// Copulas at the end of a predicate, longer ones first.
    pub closing_copulas: &'static str,
    /// Determiners.
    pub determiners: &'static str,
    /// Phrases that define by themselves.
    pub defining_phrases: &'static str,
    /// How a definition is phrased.
    pub style: Style,
    /// Words that stand right before a noun.
    pub noun_openers: &'static str,
    /// Endings of words that are no nouns.
    pub no_noun_endings: &'static str,
    /// As German does.
    pub nouns_are_capitalised: bool,
    /// A number with a dot is an ordinal: "3. Oktober".
    pub ordinal_dots: bool,
}

impl Grammar {
    /// What is known of a language that is not here: nothing.
    pub const UNKNOWN: Self = Self {
        stop_words: "",
        weak_words: "",
        anaphora: "",
        abbreviations: "",
        articles: "",
        copulas: "",
        closing_copulas: "",
        determiners: "",
        defining_phrases: "",
        style: Style::Copula,
        noun_openers: "",
        no_noun_endings: "",
        nouns_are_capitalised: false,
        ordinal_dots: false,
    };
}

/// How a definition is phrased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `term copula determiner …`
    Copula,
    /// `term — …`
    Dash,
    /// `term, … dır.`
    Suffix,
    /// Chinese: `term是…`
    Chinese,
    /// Japanese: `termとは…`
    Japanese,
    /// Korean: `term은 … 이다.`
    Korean,
    /// Thai: `term หมายถึง …`
    Thai,
}

/// How teachers order a test, a deck or a course. `*` stands for any ending.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
    /// Verbs that begin an order.
    pub make: &'static str,
    /// What is ordered.
    pub thing: &'static str,
    /// Whom it is for.
    pub people: &'static str,
    /// Speaks to whoever makes it.
    pub address: &'static str,
    /// Stands in front of the topic.
    pub about: &'static str,
    /// Stands in front of the topic, less surely so.
    pub of: &'static str,
    /// Phrases that stand behind the topic.
    pub about_after: &'static str,
    /// Says only that a topic follows.
    pub topic: &'static str,
    /// Ends the topic where people, things or numbers follow.
    pub limit: &'static str,
}

/// Words that say something about an answer without being it. All but the negations, numbers and months are folded: without
/// the marks that the comparison of answers ignores.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// Words that deny, as they are written. `*` stands for any ending.
    pub negations: &'static str,
    /// Take back what stands in their clause.
    pub negators: &'static str,
    /// Stand between alternatives.
    pub alternatives: &'static str,
    /// Begin a clause that corrects the one before.
    pub corrections: &'static str,
    /// Stand between the items of a list.
    pub conjunctions: &'static str,
    /// Articles.
    pub articles: &'static str,
    /// Hold a sentence together; none of them is an answer. Single characters where words are written without spaces.
    pub function_words: &'static str,
    /// Put a value to what stands before them.
    pub copulas: &'static str,
    /// May stand in front of a place or a time.
    pub prepositions: &'static str,
    /// Say that a number is no exact one.
    pub hedges: &'static str,
    /// Begin a clause that gives a reason.
    pub reasons: &'static str,
    /// True, in words.
    pub truths: &'static str,
    /// False, in words.
    pub falsehoods: &'static str,
    /// How a question asks whether something is true.
    pub true_or_false: &'static str,
    /// Ask for a person.
    pub who: &'static str,
    /// Say that an equation has no solution, as phrases.
    pub no_solution: &'static str,
    /// Stand in front of an option's letter.
    pub choice_words: &'static str,
    /// Words of numbers, as `word=value`, in lower case.
    pub numbers: &'static str,
    /// Parts of one, as `word=parts`.
    pub parts: &'static str,
    /// Stand between the words of a number.
    pub number_joints: &'static str,
    /// Stand for the decimal separator.
    pub points: &'static str,
    /// Stand for the minus sign.
    pub minus: &'static str,
    /// Stand for one before a part or a power of ten: "a third".
    pub one: &'static str,
    /// The names of the twelve months, each with its forms; empty where months are numbered.
    pub months: &'static str,
    /// A denial stands behind what it denies.
    pub denies_behind: bool,
    /// Words that say that something is or becomes more. `*` stands for any ending.
    pub more: &'static str,
    /// Words that say that something is or becomes less, likewise.
    pub less: &'static str,
    /// Words before the other side of a comparison, or behind.
    pub than: &'static str,
    /// Words that stand in dates beside the month: weekdays and the like.
    pub date_words: &'static str,
}

impl Answers {
    /// Whether a word, in lower case, denies. In scripts without spaces, whether a text holds one that does.
    #[must_use]
    pub fn denies(&self, word: &str) -> bool {
        let word = &word.replace('’', "'");
        self.negations.split(' ').any(|negation| match negation.strip_suffix('*') {
            Some(begin) => word.starts_with(begin),
            None if negation.starts_with(is_unspaced) => word.contains(negation),
            None => *word == negation,
        })
    }

    /// The month, from 1 to 12, that a word names.
    #[must_use]
    pub fn month(&self, word: &str) -> Option<u32> {
        let place = self.months.split('|').position(|names| holds(names, word))?;
        u32::try_from(place + 1).ok()
    }
}

/// How classrooms ask for the form of an answer, in phrases; `#` stands for a number.
#[derive(Clone, Copy, Debug)]
pub struct FormPhrases {
    /// Asks for a product of factors.
    pub factor: &'static str,
    /// Asks for a sum without brackets.
    pub expand: &'static str,
    /// Asks for the simplest form.
    pub simplify: &'static str,
    /// Asks for a fraction in lowest terms.
    pub lowest_terms: &'static str,
    /// Asks for prime factors.
    pub prime_factors: &'static str,
    /// Asks for scientific notation.
    pub scientific: &'static str,
    /// Asks for a fraction.
    pub fraction: &'static str,
    /// Asks for a percentage.
    pub percentage: &'static str,
    /// Asks for an exact value.
    pub exact: &'static str,
    /// Asks for so many decimal places.
    pub places: &'static str,
    /// Asks for tenths, hundredths and thousandths, in this order.
    pub nearest: &'static str,
    /// Asks for so many significant figures.
    pub figures: &'static str,
    /// Words in front of the unit of the answer.
    pub into_unit: &'static str,
    /// Words behind the unit of the answer.
    pub behind_unit: &'static str,
    /// Asks for an order.
    pub order: &'static str,
}

impl FormPhrases {
    /// What is known of a language that is not here: nothing.
    pub const UNKNOWN: Self = Self {
        factor: "",
        expand: "",
        simplify: "",
        lowest_terms: "",
        prime_factors: "",
        scientific: "",
        fraction: "",
        percentage: "",
        exact: "",
        places: "",
        nearest: "",
        figures: "",
        into_unit: "",
        behind_unit: "",
        order: "",
    };
}

/// Words and phrases by which the role of a text is told. All are phrases, which are parted by `|`.
#[derive(Clone, Copy, Debug)]
pub struct Cues {
    /// Beginnings of words that call a course easy; those of two letters are whole words.
    pub easy: &'static str,
    /// Beginnings of words that call a course hard.
    pub hard: &'static str,
    /// Headlines of a first slide that name no topic.
    pub openings: &'static str,
    /// Headlines of a last slide that name no topic.
    pub closings: &'static str,
    /// Parts of a lesson's label that say that something is done in it.
    pub practical: &'static str,
    /// Words in front of a number that make it vague; in scripts without spaces, what stands right before it.
    pub hedges: &'static str,
    /// Beginnings of sentences that lean on the one before. [`Grammar::anaphora`] has those of one word of scripts with spaces.
    pub dependents: &'static str,
    /// Words that report what somebody says.
    pub sayings: &'static str,
    /// Words in front of an option's letter.
    pub option_names: &'static str,
    /// Words of an option that speaks of the other ones: "all of the above".
    pub of_all_options: &'static str,
    /// Phrases behind which an explanation names the right option.
    pub right_before: &'static str,
    /// Phrases in front of which an explanation names the right option.
    pub right_after: &'static str,
    /// Phrases in front of which an explanation names a wrong option.
    pub wrong_after: &'static str,
    /// Words within a sentence behind which the reason for what stands before them follows.
    pub because: &'static str,
    /// Verbs behind which the name follows that a sentence gives to something ("se llama"), or words around it, with `…` in its place.
    pub namings: &'static str,
    /// Participles that are followed by such a name: "called".
    pub named: &'static str,
    /// Words that turn a statement around, as `word=opposite`: either may stand in the other's place.
    pub opposites: &'static str,
    /// Words that do so where they compare: with one of [`Answers::than`] behind them.
    pub comparatives: &'static str,
    /// Words that say that something is so now and then, or may be: turned around, the statement may hold as well.
    pub possibilities: &'static str,
    /// Pronouns of the third person. Among the first words of a sentence they stand for what another one names.
    pub pronouns: &'static str,
    /// Words that point out of their sentence, anywhere in it: "this", "the latter", "the term".
    pub pointers: &'static str,
    /// What an instruction holds, in scripts without spaces and where verbs come last.
    pub instructs: &'static str,
    /// Marks of a year before Christ.
    pub before_christ: &'static str,
    /// Words that say that a number is a level of a scale or its points. Parted by spaces.
    pub levels: &'static str,
    /// Words by which teachers name qualities of a text: how it is built and written, not what it says. Parted by spaces.
    pub qualities: &'static str,
}

impl Cues {
    /// Whether a word, in lower case, is a pronoun of the third person. In scripts without spaces, whether a text holds one.
    #[must_use]
    pub fn is_pronoun(&self, word: &str) -> bool {
        self.pronouns
            .split('|')
            .filter(|pronoun| !pronoun.is_empty())
            .any(|pronoun| if pronoun.starts_with(is_unspaced) { word.contains(pronoun) } else { word == pronoun })
    }
}

/// What course authors call the members of their sources. The names are folded: without case, spaces and punctuation.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Of a word that is explained.
    pub term: &'static str,
    /// Of a title; of a term only next to a definition and little else.
    pub title: &'static str,
    /// Of what a term means.
    pub definition: &'static str,
    /// Of a question.
    pub question: &'static str,
    /// Of the options of a question.
    pub options: &'static str,
    /// Of the key of a question.
    pub answer: &'static str,
    /// Of why an answer is right.
    pub explanation: &'static str,
    /// Of who says something.
    pub speaker: &'static str,
    /// Of what somebody says.
    pub line: &'static str,
    /// Of a date.
    pub when: &'static str,
    /// Of what happened.
    pub what: &'static str,
    /// Of a step.
    pub step: &'static str,
    /// Of a table's columns.
    pub columns: &'static str,
    /// Of a table's rows.
    pub rows: &'static str,
    /// Of content whose name says nothing that a heading should repeat.
    pub silent: &'static str,
    /// Of what is no content.
    pub technical: &'static str,
    /// Of a list of steps.
    pub steps: &'static str,
    /// Of a list of terms.
    pub glossary: &'static str,
    /// Of questions that learners are tested with.
    pub quiz: &'static str,
    /// Of what only teachers may see: their notes, and keys.
    pub teacher: &'static str,
    /// Of what learners can do after a lesson.
    pub objectives: &'static str,
    /// Of what is said about a lesson and not in it.
    pub metadata: &'static str,
    /// Of what learners are told to do.
    pub tasks: &'static str,
    /// Of what stands beside a question and is no part of it: hints, feedback.
    pub hints: &'static str,
    /// Of the task of a worked example.
    pub problem: &'static str,
    /// Of worked examples.
    pub example: &'static str,
    /// Of the way to a result, or the result.
    pub solution: &'static str,
    /// Of a picture's address.
    pub picture: &'static str,
    /// Of the words below a picture.
    pub caption: &'static str,
    /// Of somebody's words.
    pub quotation: &'static str,
    /// Of the two sides of a pair: "left=right".
    pub sides: &'static str,
    /// Of who said or made something.
    pub author: &'static str,
    /// Of code of a program.
    pub code: &'static str,
    /// Of what a program prints.
    pub output: &'static str,
    /// Of what says what a block is, or whom it is for.
    pub kinds: &'static str,
    /// Of the pairs of a matching question.
    pub pairs: &'static str,
    /// Of a list of answers, of which not all may be right.
    pub answers: &'static str,
    /// Of the number of something: words in the name of a key that is a place.
    pub counts: &'static str,
    /// Of the key of a question, where the word is used for ids as well.
    pub ids: &'static str,
    /// Of questions that the source answers itself.
    pub faq: &'static str,
    /// How words begin that ask for an order. In scripts without spaces they may stand anywhere.
    pub orders: &'static str,
}

/// What talk to a grader is made of. None of the words is talk by itself; [`Talk::answer`] and what follows
/// [`Talk::verb_anywhere`] are phrases. `*` stands for any ending, and scripts without spaces are looked for as they stand.
#[derive(Clone, Copy, Debug)]
pub struct Talk {
    /// Sets orders aside, as an order itself.
    pub overrides: &'static str,
    /// What whoever grades was told.
    pub orders: &'static str,
    /// Makes such orders those of the grading: those before this text, the reader's own.
    pub reach: &'static str,
    /// Awards, as an order.
    pub awards: &'static str,
    /// What is awarded.
    pub marks: &'static str,
    /// Says that nothing more can be awarded.
    pub full: &'static str,
    /// To whom it is awarded.
    pub me: &'static str,
    /// This very answer; phrases parted by `|`.
    pub answer: &'static str,
    /// Whoever grades.
    pub graders: &'static str,
    /// Stands before an order or an address that begins a clause.
    pub leads: &'static str,
    /// Begins an order wherever it stands.
    pub joins: &'static str,
    /// Orders end with their verb or stand anywhere: only their form tells.
    pub verb_anywhere: bool,
    /// Phrases for what a learner may be asked to write to somebody. A word that is an ordinary one of another language is not
    /// among them.
    pub letters: &'static str,
    /// Phrases that speak in another voice than a learner's.
    pub voices: &'static str,
    /// Phrases about an answer or its writer instead of an answer. One of them says little, two say it.
    pub claims: &'static str,
    /// Claims that plead, as a letter may.
    pub pleas: &'static str,
    /// Phrases that say nothing in place of an answer.
    pub blanks: &'static str,
    /// Phrases by which writers say that they do not know.
    pub unsure: &'static str,
}

/// Whether a list of words has a word.
fn holds(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|listed| listed == word)
}
