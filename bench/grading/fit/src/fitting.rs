//! The fit, and what it says of answers that it has not seen.

use std::collections::BTreeMap;

use grading::builtin::scorer::{self, ConfidenceInputs, FEATURES, SIGNS, Weights};
use grading::metrics::is_hit;
use language::normal::stable_hash;

use crate::collections::{Answer, Collection};
use crate::curve::{Case, Curve};
use crate::pairs::{self, Pair};

/// Ridges of the two curves.
const RIDGE: f64 = 0.015;
const RIDGE_OF_CONFIDENCE: f64 = 0.0007;
/// Parts of the questions that are left out in turn.
const FOLDS: u64 = 4;

/// What is left out of a fit to judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// Nothing.
    Nothing,
    /// The answers' questions.
    Questions,
    /// The answers' collection.
    Collection,
}

/// Collections to fit to.
pub(crate) struct Fit<'c> {
    pub(crate) collections: &'c [Collection],
    pub(crate) pairs: &'c [Pair],
}

/// The shares of each collection's answers.
pub(crate) type Shares = Vec<Vec<f64>>;

impl Fit<'_> {
    /// What a collection weighs: those of one family weigh one together.
    fn weight(&self, collection: &Collection, within: &[&Collection]) -> f64 {
        let family = within.iter().filter(|other| other.family == collection.family).count();
        1.0 / family.max(1) as f64
    }

    /// The curve of the shares, fitted to some collections' answers; `without` says which features are left out.
    fn curve(
        &self,
        within: &[&Collection],
        takes: &dyn Fn(&Answer) -> bool,
        without: Option<usize>,
        extra: bool,
    ) -> Curve {
        let mut cases = Vec::new();
        for collection in within {
            let weight = self.weight(collection, within);
            let taught: Vec<&Answer> = collection.answers.iter().filter(|answer| takes(answer)).collect();
            let mut add = |answers: &[&Answer], weight: f64| {
                for answer in answers {
                    let mut inputs = answer.measured.values().to_vec();
                    without.into_iter().for_each(|at| inputs[at] = 0.0);
                    inputs.extend(extra.then(|| f64::from(u8::from(collection.gives_parts()))));
                    cases.push(Case { inputs, share: answer.share, weight: weight / answers.len() as f64 });
                }
            };
            add(&taught, weight);
        }
        let signs: Vec<f64> = SIGNS.iter().copied().chain(extra.then_some(0.0)).collect();
        Curve::fit(&cases, &signs, RIDGE)
    }

    /// The shares of all answers by fits that have not seen what is to be left out.
    pub(crate) fn shares(&self, unseen: Unseen, without: Option<usize>) -> Shares {
        let all: Vec<&Collection> = self.collections.iter().collect();
        let at = |curve: &Curve, answer: &Answer| {
            let mut inputs = answer.measured.values();
            without.into_iter().for_each(|at| inputs[at] = 0.0);
            curve.at(&inputs)
        };
        let of = |curve: &Curve, collection: &Collection| {
            collection.answers.iter().map(|answer| at(curve, answer)).collect()
        };
        match unseen {
            Unseen::Nothing => {
                let curve = self.curve(&all, &|_| true, without, false);
                self.collections.iter().map(|collection| of(&curve, collection)).collect()
            }
            Unseen::Questions => {
                let curves: Vec<Curve> = (0..FOLDS)
                    .map(|fold| self.curve(&all, &|answer| fold_of(answer) != fold, without, false))
                    .collect();
                let share = |answer: &Answer| at(&curves[fold_of(answer) as usize], answer);
                self.collections.iter().map(|collection| collection.answers.iter().map(share).collect()).collect()
            }
            Unseen::Collection => {
                let rest = |collection: &Collection| -> Vec<&Collection> {
                    self.collections.iter().filter(|other| other.family != collection.family).collect()
                };
                let curve = |collection| self.curve(&rest(collection), &|_| true, without, false);
                self.collections.iter().map(|collection| of(&curve(collection), collection)).collect()
            }
        }
    }

    /// The confidences of shares by fits that have not seen what is to be left out. They are fitted to shares that were
    /// themselves unseen: a share that was fitted to its answer is too good.
    pub(crate) fn confidences(&self, unseen: Unseen, shares: &[(Unseen, Shares)]) -> Shares {
        let own = &shares.iter().find(|(kind, _)| *kind == unseen).expect("the shares are there").1;
        let confidence = |curve: &Curve, at: usize, row: usize| {
            let answer = &self.collections[at].answers[row];
            curve.at(&answer.measured.confidence_inputs(own[at][row]).values())
        };
        let of = |curve: &dyn Fn(usize, &Answer) -> Curve| -> Shares {
            let mut known: BTreeMap<(usize, u64), Curve> = BTreeMap::new();
            let mut found = Vec::new();
            for (at, collection) in self.collections.iter().enumerate() {
                let mut confidences = Vec::new();
                for (row, answer) in collection.answers.iter().enumerate() {
                    let key = match unseen {
                        Unseen::Nothing => (0, 0),
                        Unseen::Questions => (0, fold_of(answer)),
                        Unseen::Collection => (at, 0),
                    };
                    let curve = known.entry(key).or_insert_with(|| curve(at, answer));
                    confidences.push(confidence(curve, at, row));
                }
                found.push(confidences);
            }
            found
        };
        match unseen {
            Unseen::Nothing => of(&|_, _| self.curve_of_confidence(shares, &|_, _| true)),
            Unseen::Questions => {
                of(&|_, answer| self.curve_of_confidence(shares, &|_, other| fold_of(other) != fold_of(answer)))
            }
            Unseen::Collection => of(&|at, _| {
                let family = &self.collections[at].family;
                self.curve_of_confidence(shares, &|collection, _| collection.family != *family)
            }),
        }
    }

    fn curve_of_confidence(&self, shares: &[(Unseen, Shares)], takes: &dyn Fn(&Collection, &Answer) -> bool) -> Curve {
        let mut cases = Vec::new();
        for (_, shares) in shares.iter().filter(|(kind, _)| *kind != Unseen::Nothing) {
            for (collection, shares) in self.collections.iter().zip(shares) {
                // A collection twice as large tells more, but not twice as much.
                let weight = 1.0 / (collection.answers.len() as f64).sqrt();
                let rows = collection.answers.iter().zip(shares).filter(|(answer, _)| takes(collection, answer));
                cases.extend(rows.map(|(answer, share)| Case {
                    inputs: answer.measured.confidence_inputs(*share).values().to_vec(),
                    share: f64::from(u8::from(is_hit(*share, answer.share))),
                    weight,
                }));
            }
        }
        Curve::fit(&cases, &[0.0; ConfidenceInputs::NAMES.len()], RIDGE_OF_CONFIDENCE)
    }

    /// By a fit that has not seen them, of each kind of pairs, how many there are, how many are in the right order, and how many right answers get less than half.
    pub(crate) fn ordered_pairs(&self, without: Option<usize>) -> BTreeMap<&str, (usize, usize, usize)> {
        let others: Vec<&Collection> = self.collections.iter().filter(|other| other.family != pairs::NAME).collect();
        let curve = self.curve(&others, &|_| true, without, false);
        let mut found: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
        for pair in self.pairs {
            let share = |answer: &Answer| {
                let mut inputs = answer.measured.values();
                without.into_iter().for_each(|at| inputs[at] = 0.0);
                curve.at(&inputs)
            };
            let entry = found.entry(&pair.kind).or_default();
            entry.0 += 1;
            entry.1 += usize::from(share(&pair.right) > share(&pair.wrong) + 1e-9);
            entry.2 += usize::from(share(&pair.right) < 0.5);
        }
        found
    }

    /// What partial credit adds to the log-odds, beside the mean of the collections.
    fn partial_credit(&self) -> f64 {
        let all: Vec<&Collection> = self.collections.iter().collect();
        let curve = self.curve(&all, &|_| true, None, true);
        let weight = |collection: &&Collection| self.weight(collection, &all);
        let parts: f64 = all.iter().filter(|collection| collection.gives_parts()).map(weight).sum();
        let added = curve.weights.last().copied().unwrap_or_default();
        added * (1.0 - parts / all.iter().map(weight).sum::<f64>())
    }

    /// The weights file.
    pub(crate) fn weights(&self) -> Weights {
        let all: Vec<&Collection> = self.collections.iter().collect();
        let shares = [Unseen::Questions, Unseen::Collection].map(|unseen| (unseen, self.shares(unseen, None)));
        let named = |names: &[&str], curve: &Curve| scorer::Curve {
            offset: rounded(curve.offset),
            weights: names
                .iter()
                .zip(&curve.weights)
                .map(|(name, weight)| ((*name).to_owned(), rounded(*weight)))
                .collect(),
        };
        let provenance = |collection: &Collection| scorer::Provenance {
            answers: collection.answers.len(),
            questions: collection.questions(),
            mean: rounded(collection.mean()),
        };
        Weights {
            share: named(&FEATURES, &self.curve(&all, &|_| true, None, false)),
            confidence: named(&ConfidenceInputs::NAMES, &self.curve_of_confidence(&shares, &|_, _| true)),
            partial_credit: rounded(self.partial_credit()),
            provenance: self.collections.iter().map(|one| (one.name.clone(), provenance(one))).collect(),
        }
    }
}

fn fold_of(answer: &Answer) -> u64 {
    stable_hash(&answer.question) % FOLDS
}

/// Four decimals: more would say what chance said.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
