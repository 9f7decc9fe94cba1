//! An answer beside one reference: features, guards, points.

use language::normal;

use super::alignment::Index;
use super::answer::Answer;
use super::calibration;
use super::features::{self, Features};
use super::guards::form::{self, Form};
use super::ideas::Reference;
use super::polarity::{self, Verdict};
use super::roles;
use super::tokens::Reader;

/// The most that an answer of each kind can earn.
const MOST_OF_KEYWORDS: f64 = 0.4;
const MOST_OF_SALAD: f64 = 0.25;
const MOST_TAKEN_BACK: f64 = 0.45;
const MOST_EXCHANGED: f64 = 0.25;
/// Share of what is said that must be contrary to weigh more than what people gave others: where the words are the
/// reference's, and elsewhere.
pub(super) const PARTLY: f64 = 0.3;
const MOSTLY: f64 = 0.5;
/// Share of the reference's words from which an answer has them from there, and the most foreign words that it has then.
const COPIED: f64 = 0.7;
const FOREIGN: f64 = 0.35;
/// Share of an idea from which it counts as said, and below which as missing.
pub(super) const SAID: f64 = 0.5;
pub(super) const MISSING: f64 = 0.3;

/// What an answer is beside a reference.
pub(super) struct Compared {
    /// From 0 to 1.
    pub(super) share: f64,
    pub(super) reference: Reference,
    /// Of each idea.
    pub(super) verdicts: Vec<Verdict>,
    pub(super) form: Form,
    pub(super) features: Features,
    /// The share of what is said that is said the other way round.
    pub(super) contradicted: f64,
    /// Sides of a contrast are exchanged.
    exchanged: bool,
    /// All is taken back.
    taken_back: bool,
}

/// What people's grades for other answers can raise a share to.
#[derive(Clone, Copy)]
pub(super) struct Highest {
    pub(super) any: f64,
    /// Where the words are known to stand in the order that people put them in.
    pub(super) in_order: f64,
}

impl Highest {
    /// Wherever the words stand.
    pub(super) fn wherever(share: f64) -> Self {
        Self { any: share, in_order: share }
    }

    /// What is the higher, each way.
    pub(super) fn or(self, other: Self) -> Self {
        Self { any: self.any.max(other.any), in_order: self.in_order.max(other.in_order) }
    }
}

/// What all comparisons of a submission share.
pub(super) struct Task<'t> {
    pub(super) answer: &'t Answer,
    /// The answer as it is judged.
    pub(super) text: &'t str,
    pub(super) question: &'t Index,
    pub(super) reader: &'t Reader,
    /// How many references there are.
    pub(super) references: usize,
}

/// Compares an answer with a reference.
pub(super) fn compare(task: &Task<'_>, reference: &str) -> Compared {
    let text = reference;
    let reference = Reference::read(text, task.reader);
    let met = features::meet(&reference.words, task.answer, task.question);
    let verdicts = polarity::judge(&reference, &met, task.answer);
    let coverage: Vec<f64> =
        verdicts.iter().map(|verdict| if verdict.contradicted { 0.0 } else { verdict.coverage }).collect();
    let features = Features::measure(&reference, &met, &coverage, task.answer, task.question, task.references);
    let form = form::form(task.answer, &reference, &features, task.reader);
    if normal::normal(text) == normal::normal(task.text) {
        let (share, form, contradicted, exchanged, taken_back) = (1.0, Form::Sentences, 0.0, false, false);
        return Compared { share, reference, verdicts, form, features, contradicted, exchanged, taken_back };
    }
    let exchanged = roles::exchanged(&reference, task.answer);
    let taken_back = polarity::takes_back(task.text);
    let contradicted = contradicted(&reference, &verdicts);
    let mut share = calibration::share(&features) * (1.0 - contradicted).powi(2);
    if whole(&features, &verdicts) {
        share = share.max(0.96);
    }
    let mut compared = Compared { share, reference, verdicts, form, features, contradicted, exchanged, taken_back };
    compared.share = share.min(compared.most());
    compared
}

impl Compared {
    /// Sides of a contrast are exchanged, or all is taken back.
    pub(super) fn turned(&self) -> bool {
        self.exchanged || self.taken_back
    }

    /// What the answer can earn at most, whatever it says.
    pub(super) fn most(&self) -> f64 {
        self.most_of_form(false).min(if self.exchanged { MOST_EXCHANGED } else { 1.0 })
    }

    /// What it can earn by its form, where nothing else is held against it.
    fn most_of_form(&self, in_order: bool) -> f64 {
        let form = match self.form {
            Form::Keywords => MOST_OF_KEYWORDS,
            Form::Salad if !in_order => MOST_OF_SALAD,
            Form::Salad | Form::Sentences => 1.0,
        };
        if self.taken_back { form.min(MOST_TAKEN_BACK) } else { form }
    }

    /// What people's grades for other answers can raise it to. What is mostly the contrary of the reference stays that, and so
    /// does the reference turned round; where the answer has words of its own, less of it is a sign among others.
    pub(super) fn highest(&self) -> Highest {
        let copied = self.features.all_words >= COPIED && self.features.foreign <= FOREIGN;
        let enough = if copied { PARTLY } else { MOSTLY };
        let contrary = if self.contradicted > enough { (1.0 - self.contradicted).powi(2) } else { 1.0 };
        let turned = if copied && self.exchanged { MOST_EXCHANGED } else { 1.0 };
        let of = |in_order| self.most_of_form(in_order).min(contrary).min(turned);
        Highest { any: of(false), in_order: of(true) }
    }
}

/// All of the reference stands in the answer, in its order, and nothing turns it round.
fn whole(features: &Features, verdicts: &[Verdict]) -> bool {
    features.all_words >= 0.97
        && features.all_neighbours >= 0.9
        && features.foreign < 0.2
        && !verdicts.iter().any(|verdict| verdict.contradicted)
}

/// The share of what is said that is said the other way round.
fn contradicted(reference: &Reference, verdicts: &[Verdict]) -> f64 {
    let spoken =
        reference.ideas.iter().zip(verdicts).filter(|(_, verdict)| verdict.contradicted || verdict.coverage >= MISSING);
    let (mut all, mut contrary) = (0.0, 0.0);
    for (idea, verdict) in spoken {
        all += idea.worth;
        contrary += if verdict.contradicted { idea.worth } else { 0.0 };
    }
    if all > 0.0 { contrary / all } else { 0.0 }
}
