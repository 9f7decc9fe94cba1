//! Sentences that talk to whoever grades: orders, wished-for marks, grades of one's own, praise and pleading, in
//! many languages. They are no answer.
//!
//! A word or a pair of words proves nothing: nodes are skipped, hormones override, functions return grades. A
//! sentence talks when it is an order about the grading itself (its instructions, the marks of this answer), or
//! when it speaks to the grader and of the grading. Where most of what it says is what the task says, and the words that
//! talk are the task's as well, it answers; and who is to write to a teacher speaks to one.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use language::Talk;
use language::script::is_unspaced;
use unicode_segmentation::UnicodeSegmentation;

/// Longest sentence that is looked at, in bytes.
const MAX_BYTES: usize = 1_200;
/// Words of the task that are known.
const MAX_TASK_WORDS: usize = 4_000;
/// How far an order's verb may stand from what is ordered, in words.
const REACH: usize = 8;
/// How far a word may stand from what it tells more of.
const BESIDE: usize = 3;
/// Words before the one that is spoken to: "Hello dear professor".
const EARLY: usize = 6;
/// Words that a sentence has besides a quotation, for it to be somebody's own.
const FEWEST_BESIDE_QUOTATION: usize = 4;
/// Letters of a word that inflection leaves alone.
const ROOT: usize = 5;

/// Marks of a prompt, which no learner writes.
const MARKERS: [&str; 4] = ["### system", "[system]", "[inst]", "<|im_start|>"];

/// What talk is made of in each language.
fn talks() -> impl Iterator<Item = &'static Talk> {
    language::taught().map(|(_, teaching)| &teaching.talk)
}

/// The phrases of all languages of one kind.
pub(super) fn phrases(kind: fn(&Talk) -> &'static str) -> impl Iterator<Item = &'static str> {
    talks().flat_map(move |talk| kind(talk).split('|')).filter(|phrase| !phrase.is_empty())
}

/// How surely a sentence talks to the grader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::builtin) enum Talking {
    /// It does not.
    No,
    /// A part of a sentence that talks otherwise may; alone it says nothing.
    Hint,
    /// One sign says so.
    Suspected,
    /// Signs of several kinds say so.
    Surely,
}

/// The words of question, reference and criteria.
pub(in crate::builtin) struct Task {
    words: HashSet<String>,
    roots: HashSet<String>,
    /// It asks for something that is written to a teacher.
    is_letter: bool,
    /// It speaks of full marks.
    is_of_marks: bool,
    /// It speaks of instructions, as a question about prompt injection does: an answer may quote some.
    is_of_orders: bool,
}

impl Task {
    pub(in crate::builtin) fn read(texts: &[&str]) -> Self {
        let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let words = lower.iter().flat_map(|text| text.unicode_words().take(MAX_TASK_WORDS)).map(str::to_owned);
        let roots = lower.iter().flat_map(|text| roots(text).take(MAX_TASK_WORDS));
        let mut task = Self {
            words: words.collect(),
            roots: roots.collect(),
            is_letter: false,
            is_of_marks: false,
            is_of_orders: lower.iter().any(|text| KNOWN.has_orders(text)),
        };
        let mut graders = talks().flat_map(|talk| talk.graders.split(' '));
        let letters = phrases(|talk| talk.letters).any(|letter| task.names(letter));
        task.is_letter = letters && graders.any(|grader| task.is_to(grader));
        task.is_of_marks = lower.iter().any(|text| speaks_of_full_marks(text, &task));
        task
    }

    /// The sentence without what it quotes, where an answer to the task may quote talk: who quotes a talk doesn't talk. `None` where
    /// it says hardly anything besides.
    pub(in crate::builtin) fn without_quotations(&self, sentence: &str) -> Option<String> {
        let own = self.is_of_orders.then(|| outside_quotations(sentence)).flatten()?;
        own.unicode_words().nth(FEWEST_BESIDE_QUOTATION - 1).is_some().then_some(own)
    }

    /// Whether most of what a sentence says is what the task says.
    fn covers(&self, lower: &str) -> bool {
        let (mut all, mut known) = (0, 0);
        for root in roots(lower) {
            all += 1;
            known += usize::from(self.roots.contains(&root));
        }
        all > 0 && 2 * known >= all
    }

    /// Whether it has a word for somebody who grades, with whatever ending: "marks" are no "marker".
    fn is_to(&self, grader: &str) -> bool {
        let is_long = grader.len() > 4;
        self.words.iter().any(|word| word == grader || is_long && word.starts_with(grader))
    }

    fn names(&self, phrase: &str) -> bool {
        phrase.unicode_words().all(|word| self.words.contains(word))
    }

    /// How many claims a sentence makes that no answer does.
    fn count_claims(&self, lower: &str) -> usize {
        let pleas = phrases(|talk| talk.pleas).filter(|_| !self.is_letter);
        phrases(|talk| talk.claims).chain(pleas).filter(|claim| lower.contains(claim) && !self.names(claim)).count()
    }

    /// Whether it has a word, or one with its root.
    fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
            || roots(word).next().is_some_and(|_| roots(word).all(|root| self.roots.contains(&root)))
    }

    /// Whether what talks in a sentence is the task's as well: who pads an order with the task's words still orders. "Give full
    /// reasons (10 points)" has the words of an order for marks, and not the order.
    fn says(&self, signs: Signs, lower: &str) -> bool {
        if signs.awards && (signs.full || signs.answer) && !self.is_of_marks {
            return false;
        }
        let (mut all, mut known) = (0, 0);
        let mut count = |word: &str| {
            all += 1;
            known += usize::from(self.knows(word));
        };
        lower.unicode_words().filter(|word| KNOWN.roles(word, self).talk()).for_each(&mut count);
        KNOWN
            .parts
            .iter()
            .filter(|(part, roles)| roles.talk() && lower.contains(part))
            .for_each(|(part, _)| count(part));
        let answers = phrases(|talk| talk.answer).filter(|phrase| lower.contains(phrase));
        answers.flat_map(str::unicode_words).for_each(count);
        3 * known >= 2 * all
    }
}

/// The text outside quotation marks. `None` where no quotation opens and closes.
fn outside_quotations(text: &str) -> Option<String> {
    let (mut own, mut rest) = (String::new(), text);
    while let Some((open, (mark, ends))) = rest.char_indices().find_map(|(at, mark)| Some((at, (mark, closing(mark)?))))
    {
        let quoted = &rest[open + mark.len_utf8()..];
        let Some(close) = quoted.find(ends) else { break };
        own.push_str(&rest[..open]);
        own.push(' ');
        rest = quoted[close..].trim_start_matches(ends);
    }
    own.push_str(rest);
    (rest.len() < text.len()).then_some(own)
}

/// The marks that may end a quotation that another one opens.
fn closing(mark: char) -> Option<&'static [char]> {
    match mark {
        '"' => Some(&['"']),
        '“' | '”' => Some(&['”', '"']),
        '„' => Some(&['“', '”', '"']),
        '«' => Some(&['»']),
        '»' => Some(&['«']),
        '「' => Some(&['」']),
        '『' => Some(&['』']),
        _ => None,
    }
}

/// The roots of the words that say something, which short ones hardly do; of scripts without spaces, the pairs
/// of characters.
fn roots(lower: &str) -> impl Iterator<Item = String> {
    let mut before = None;
    lower.unicode_words().filter_map(move |word| {
        let unspaced = word.chars().next().filter(|first| is_unspaced(*first));
        let pair = before.zip(unspaced).map(|(one, other)| [one, other].iter().collect());
        before = unspaced;
        let length = word.chars().count();
        let kept = if length > ROOT + 1 { ROOT } else { ROOT - 1 };
        if unspaced.is_some() { pair } else { (length >= ROOT - 1).then(|| word.chars().take(kept).collect()) }
    })
}

/// How surely a sentence talks to the grader, even where it says what the task says.
pub(in crate::builtin) fn bare(sentence: &str, task: &Task) -> Talking {
    Signs::read(&plain(sentence), task).talking()
}

/// How surely a sentence talks to the grader and not of the task.
pub(in crate::builtin) fn talking(sentence: &str, task: &Task) -> Talking {
    let lower = plain(sentence);
    let signs = Signs::read(&lower, task);
    let talking = signs.talking();
    if talking != Talking::No && task.covers(&lower) && task.says(signs, &lower) { Talking::No } else { talking }
}

fn plain(sentence: &str) -> String {
    sentence[..sentence.floor_char_boundary(MAX_BYTES)].to_lowercase().replace('’', "'")
}

/// What a word may be, of each class a bit for each language.
#[derive(Clone, Copy, Default)]
struct Roles {
    overrides: u32,
    orders: u32,
    reach: u32,
    awards: u32,
    marks: u32,
    full: u32,
    me: u32,
    graders: u32,
    leads: u32,
    joins: u32,
}

impl Roles {
    fn join(&mut self, other: Self) {
        self.overrides |= other.overrides;
        self.orders |= other.orders;
        self.reach |= other.reach;
        self.awards |= other.awards;
        self.marks |= other.marks;
        self.full |= other.full;
        self.me |= other.me;
        self.graders |= other.graders;
        self.leads |= other.leads;
        self.joins |= other.joins;
    }

    /// Whether it belongs to what is said to a grader, and not only to how.
    fn talk(self) -> bool {
        (self.overrides | self.orders | self.awards | self.marks | self.full | self.graders) != 0
    }
}

/// The talk made searchable.
struct Known {
    words: HashMap<&'static str, Roles>,
    /// Beginnings of words.
    stems: Vec<(&'static str, Roles)>,
    /// Words of scripts that part no words, or inflect them at the end.
    parts: Vec<(&'static str, Roles)>,
    /// The languages whose orders only their form tells.
    anywhere: u32,
}

static KNOWN: LazyLock<Known> = LazyLock::new(Known::read);

impl Known {
    fn read() -> Self {
        let mut known = Self { words: HashMap::new(), stems: Vec::new(), parts: Vec::new(), anywhere: 0 };
        for (at, talk) in talks().enumerate() {
            let (bit, none) = (1 << at, Roles::default());
            known.anywhere |= if talk.verb_anywhere { bit } else { 0 };
            known.add(talk.overrides, Roles { overrides: bit, ..none });
            known.add(talk.orders, Roles { orders: bit, ..none });
            known.add(talk.reach, Roles { reach: bit, ..none });
            known.add(talk.awards, Roles { awards: bit, ..none });
            known.add(talk.marks, Roles { marks: bit, ..none });
            known.add(talk.full, Roles { full: bit, ..none });
            known.add(talk.me, Roles { me: bit, ..none });
            known.add(talk.graders, Roles { graders: bit, ..none });
            known.add(talk.leads, Roles { leads: bit, ..none });
            known.add(talk.joins, Roles { joins: bit, ..none });
        }
        known
    }

    fn add(&mut self, list: &'static str, roles: Roles) {
        let unparted = |first: char| is_unspaced(first) || matches!(first, '\u{AC00}'..='\u{D7A3}');
        for word in list.split(' ').filter(|word| !word.is_empty()) {
            if word.starts_with(unparted) {
                self.parts.push((word, roles));
            } else if let Some(stem) = word.strip_suffix('*') {
                self.stems.push((stem, roles));
            } else {
                self.words.entry(word).or_default().join(roles);
            }
        }
    }

    /// Whether a text speaks of instructions, in whatever language.
    fn has_orders(&self, lower: &str) -> bool {
        let orders = |word: &str| self.words.get(word).is_some_and(|roles| roles.orders != 0);
        let begins = |word: &str| self.stems.iter().any(|(stem, roles)| roles.orders != 0 && word.starts_with(stem));
        lower.unicode_words().any(|word| orders(word) || begins(word)) || self.roles_of_parts(lower).orders != 0
    }

    fn roles(&self, word: &str, task: &Task) -> Roles {
        let mut roles = self.words.get(word).copied().unwrap_or_default();
        self.stems.iter().filter(|(stem, _)| word.starts_with(stem)).for_each(|(_, more)| roles.join(*more));
        // Instructions that the task speaks of are not the grader's.
        if (roles.overrides | roles.orders) != 0 && task.words.contains(word) {
            (roles.overrides, roles.orders) = (0, 0);
        }
        roles
    }

    fn roles_of_parts(&self, lower: &str) -> Roles {
        let mut all = Roles::default();
        if !lower.is_ascii() {
            self.parts.iter().filter(|(part, _)| lower.contains(part)).for_each(|(_, roles)| all.join(*roles));
        }
        all
    }
}

/// A word of a sentence.
struct Word<'t> {
    text: &'t str,
    roles: Roles,
    /// The languages in which a verb here is an order: it begins a clause, or may stand anywhere.
    begins: u32,
    /// What stands between it and the next word.
    gap: &'t str,
}

/// What of a sentence tells whom it speaks to and what of.
#[derive(Clone, Copy, Default)]
struct Signs {
    /// Orders to set aside what the grader was told.
    overrides: bool,
    /// Orders or claims marks for this answer.
    awards: bool,
    /// Those marks are the full ones.
    full: bool,
    /// Speaks to the grader, or in a voice that is no learner's.
    addresses: bool,
    /// Speaks of an award or of orders, without being either.
    grading: bool,
    /// "10 out of 10".
    equal: bool,
    /// Speaks of this very answer.
    answer: bool,
    claims: usize,
}

impl Signs {
    fn read(lower: &str, task: &Task) -> Self {
        let words = words(lower, task);
        let parts = KNOWN.roles_of_parts(lower);
        let mut answers = phrases(|talk| talk.answer);
        let mut signs = Self {
            overrides: parts.overrides & parts.orders & parts.reach != 0,
            equal: equal(&words),
            answer: answers.any(|phrase| lower.contains(phrase)),
            claims: task.count_claims(lower),
            addresses: addresses(lower, &words, task),
            ..Self::default()
        };
        signs.awards = parts.awards & parts.marks & (parts.full | parts.me | parts.graders) != 0;
        signs.full = parts.marks & parts.full != 0;
        for at in 0..words.len() {
            signs.overrides |= overrides(&words, at);
            signs.full |= is_full(&words, at);
            signs.award(&words, at);
        }
        let whole = signs.full || signs.equal || lower.contains("100%") || lower.contains("100 %");
        signs.awards |= signs.answer && whole;
        // A letter may ask for a mark, or to be marked again; for full marks, or for so many, ask those who talk.
        let numbered = words.iter().any(|word| word.text.bytes().all(|byte| byte.is_ascii_digit()));
        signs.awards &= whole || numbered || !task.is_letter;
        signs
    }

    /// What a word that awards has beside it.
    fn award(&mut self, words: &[Word], at: usize) {
        let awards = words[at].roles.awards;
        if awards == 0 {
            return;
        }
        let order = awards & words[at].begins;
        let near = (at.saturating_sub(REACH)..(at + REACH + 1).min(words.len())).filter(|mark| *mark != at);
        let behind = |mark: usize, language: u32| mark > at || language & KNOWN.anywhere != 0;
        let to_me = words[at..(at + BESIDE).min(words.len())].iter().any(|word| word.roles.me & order != 0);
        for mark in near {
            let marks = words[mark].roles.marks;
            self.awards |= self.answer && awards & marks != 0;
            let ordered = order & marks;
            if ordered != 0 && behind(mark, ordered) {
                self.grading = true;
                self.awards |= to_me || is_full(words, mark);
            }
        }
        self.awards |= self.equal && (order != 0 || self.answer);
    }

    fn talking(self) -> Talking {
        let claims = self.claims > 0;
        let addressed = self.addresses && (claims || self.grading || self.answer || self.full);
        let talks =
            self.overrides || self.awards || self.claims > 1 || claims && (self.answer || self.equal) || addressed;
        let kinds = [self.overrides, self.awards, self.addresses, claims];
        let several = kinds.into_iter().filter(|kind| *kind).count() > 1;
        if talks && (self.overrides || several || self.awards && self.full && self.answer) {
            Talking::Surely
        } else if talks {
            Talking::Suspected
        } else if claims || self.addresses || self.equal {
            Talking::Hint
        } else {
            Talking::No
        }
    }
}

fn words<'t>(lower: &'t str, task: &Task) -> Vec<Word<'t>> {
    let found: Vec<(usize, &str)> = lower.unicode_word_indices().collect();
    let mut words: Vec<Word> = Vec::with_capacity(found.len());
    for (at, (start, text)) in found.iter().enumerate() {
        let next = found.get(at + 1).map_or(lower.len(), |(next, _)| *next);
        let begins = words.last().map_or(u32::MAX, |before| {
            let led = before.begins & (before.roles.leads | before.roles.graders);
            if parts(before.gap) { u32::MAX } else { before.roles.joins | led | KNOWN.anywhere }
        });
        let gap = &lower[start + text.len()..next];
        words.push(Word { text, roles: KNOWN.roles(text, task), begins, gap });
    }
    words
}

/// Whether a clause ends between two words.
fn parts(gap: &str) -> bool {
    gap.contains(|between: char| !between.is_alphanumeric() && !between.is_whitespace() && between != '\'')
}

/// Whether a verb orders to set the grader's orders aside.
fn overrides(words: &[Word], at: usize) -> bool {
    let verb = words[at].roles.overrides & words[at].begins;
    let mut near = at.saturating_sub(REACH)..(at + REACH + 1).min(words.len());
    verb != 0
        && near.any(|order| {
            let both = words[order].roles.orders & verb;
            let reach = |word: &Word| word.roles.reach & both != 0;
            both != 0 && (order > at || both & KNOWN.anywhere != 0) && beside(words, order).iter().any(reach)
        })
}

/// Whether marks are the full ones.
fn is_full(words: &[Word], mark: usize) -> bool {
    let marks = words[mark].roles.marks;
    marks != 0 && beside(words, mark).iter().any(|word| word.roles.full & marks != 0)
}

fn speaks_of_full_marks(text: &str, task: &Task) -> bool {
    let near = &text[..text.floor_char_boundary(10 * MAX_TASK_WORDS)];
    let (words, parts) = (words(near, task), KNOWN.roles_of_parts(near));
    // "(10 points). Give full reasons": what another clause says is not said of the marks.
    let mut clauses = words.chunk_by(|word, _| !self::parts(word.gap));
    parts.marks & parts.full != 0 || clauses.any(|words| (0..words.len()).any(|at| is_full(words, at)))
}

fn beside<'w, 't>(words: &'w [Word<'t>], at: usize) -> &'w [Word<'t>] {
    &words[at.saturating_sub(BESIDE)..(at + BESIDE + 1).min(words.len())]
}

/// "Dear teacher", "AI:", "You are now …", "SYSTEM: …".
fn addresses(lower: &str, words: &[Word], task: &Task) -> bool {
    let labels = ["system:", "assistant:", "user:", "developer:", "admin:"];
    let labelled = labels.iter().any(|label| lower.trim_start_matches(['#', ' ', '*', '[']).starts_with(label));
    let spoken_to = words.iter().take(EARLY).enumerate().any(|(at, word)| {
        let led = at > 0 && word.roles.graders & word.begins & words[at - 1].roles.leads != 0;
        let begins = word.roles.graders & word.begins & !KNOWN.anywhere != 0 || word.roles.graders != 0 && at == 0;
        led || begins && (parts(word.gap) || at + 1 == words.len())
    });
    labelled
        || spoken_to && !task.is_letter
        || MARKERS.iter().any(|marker| lower.contains(marker))
        || phrases(|talk| talk.voices).any(|voice| lower.contains(voice))
}

/// "10/10", "10 out of 10", "10 von 10", "10 sur 10", "10 из 10".
fn equal(words: &[Word]) -> bool {
    let between = ["of", "von", "sur", "sobre", "de", "su", "z", "из", "із", "van", "üzerinden", "من"];
    (0..words.len()).filter(|at| words[*at].text.bytes().all(|byte| byte.is_ascii_digit())).any(|at| {
        let same = |other: usize| words.get(other).is_some_and(|word| word.text == words[at].text);
        let is_between = |other: usize| words.get(other).is_some_and(|word| between.contains(&word.text));
        let out = words.get(at + 1).is_some_and(|word| word.text == "out");
        words[at].gap.trim() == "/" && same(at + 1)
            || is_between(at + 1) && same(at + 2)
            || out && is_between(at + 2) && same(at + 3)
    })
}

#[cfg(test)]
mod tests;
