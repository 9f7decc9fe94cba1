//! The points of an answer, criterion by criterion or as a whole, with what they rest on.

use super::super::{Criterion, EvaluationType, IntegrityFlag, Submission};
use super::alignment::Index;
use super::answer::Answer;
use super::calibration;
use super::comparison::{self, Compared, Highest, MISSING, SAID, Task};
use super::features::ASKED;
use super::guards::form::Form;
use super::guards::{self, Blank};
use super::ideas::Reference;
use super::intake::Intake;
use super::reviews;
use super::tokens::Word;

/// How sure a judgement can be at most: by another language, without anything to compare with, with files unread.
const SURE_ABROAD: f64 = 0.3;
const SURE_WITHOUT_REFERENCE: f64 = 0.2;
const UNREAD: f64 = 0.6;
/// Share of an answer's words in questions from which it asks instead of saying.
const MOSTLY: f64 = 0.8;
/// What questions can earn where statements are asked for, and how sure that is.
const MOST_ASKED: f64 = 0.3;
const SURE_OF_QUESTIONS: f64 = 0.6;
/// Words of the answer that are compared in all.
const MOST_COMPARED_WORDS: usize = 200_000;
/// Most words that name what is missing in an idea.
const MAX_TERMS: usize = 4;
/// Share of a criterion's words that a reference's idea must have to belong to it.
const BELONGS: f64 = 0.3;

/// What an answer does with one idea, as the learner is told.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) kind: PointKind,
    /// The clause of the answer that speaks of it.
    pub(super) quote: Option<String>,
    /// What it is about, in words of the reference.
    pub(super) terms: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointKind {
    Said,
    Partly,
    Contrary,
    Missing,
}

/// A criterion with its share of its own maximum.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) max_score: f64,
    pub(super) share: f64,
    /// What it can earn at most, whatever people gave other answers.
    pub(super) most: Highest,
    /// What the answer was compared with.
    pub(super) texts: Vec<String>,
    pub(super) points: Vec<Point>,
}

/// The whole judgement.
pub(super) struct Judgement {
    /// From 0 to 1.
    pub(super) share: f64,
    /// What it can be at most, whatever people gave other answers.
    pub(super) most: Highest,
    pub(super) confidence: f64,
    pub(super) criteria: Option<Vec<Judged>>,
    pub(super) points: Vec<Point>,
    pub(super) blank: bool,
    pub(super) form: Form,
    /// Nothing of the answer goes beyond the task's own words.
    pub(super) repeats: bool,
    /// There was nothing to compare with.
    pub(super) unguided: bool,
    /// Where the answer was too long to be judged in full: what comes next.
    pub(super) unread_from: Option<String>,
}

/// Judges an answer.
pub(super) fn judge(submission: &Submission, intake: &Intake) -> Judgement {
    let reader = intake.foreign().unwrap_or(&intake.reader);
    let answer = Answer::read(&intake.text, reader, most_words(submission, intake));
    let question_words = intake.reader.words(&intake.question);
    let question = Index::new(question_words.iter());
    let task = Task {
        answer: &answer,
        text: &intake.text,
        question: &question,
        reader: &intake.reader,
        references: intake.references.len(),
    };
    let same =
        intake.references.iter().any(|text| language::normal::normal(text) == language::normal::normal(&intake.text));
    if answer.words.is_empty() || says_nothing(submission, intake, &question) && !same {
        let blank = blank(submission, intake);
        return Judgement { confidence: blank.confidence.min(intake.most_sure), ..blank };
    }
    let by_rubric = submission.evaluation_type == EvaluationType::RubricShortAnswer || intake.references.is_empty();
    let mut judgement = if by_rubric && !submission.criteria.is_empty() {
        by_criteria(submission, intake, &task)
    } else if intake.references.is_empty() {
        by_question(&task)
    } else {
        by_references(intake, &task)
    };
    reviews::calibrate(&mut judgement, submission, intake, &task);
    if intake.foreign().is_some() {
        judgement.confidence = judgement.confidence.min(SURE_ABROAD);
    }
    judgement.unread_from.clone_from(&answer.unread_from);
    if !intake.unread.is_empty() || judgement.unread_from.is_some() {
        judgement.confidence *= UNREAD;
    }
    if only_asks(submission, intake, &answer) {
        judgement.share = judgement.share.min(MOST_ASKED);
        let criteria = judgement.criteria.iter_mut().flatten();
        criteria.for_each(|judged| judged.share = judged.share.min(MOST_ASKED));
        judgement.confidence = judgement.confidence.min(SURE_OF_QUESTIONS);
    }
    judgement.confidence = judgement.confidence.min(intake.most_sure);
    judgement
}

/// Whether an answer says nothing, or only that its writer does not know. What it says besides counts where the task wants
/// such words and has not said them itself.
fn says_nothing(submission: &Submission, intake: &Intake, question: &Index) -> bool {
    let rest = match guards::blank(&intake.text) {
        Blank::No => return false,
        Blank::Yes => return true,
        Blank::But(rest) => intake.reader.words(&rest),
    };
    let criteria = submission.criteria.iter().flat_map(|criterion| [criterion.name.as_str(), &criterion.description]);
    let texts = intake.references.iter().map(String::as_str).chain(criteria);
    let wanted: Vec<Word> = texts.flat_map(|text| intake.reader.words(text)).collect();
    let index = Index::new(wanted.iter());
    let is_wanted = |word: &Word| wanted.is_empty() || index.best(word).is_some();
    !rest.iter().any(|word| (word.is_content() || word.number) && !question.has(word) && is_wanted(word))
}

/// How many words of an answer are judged: each is held against each criterion and each reference, and nobody may keep
/// the others waiting. Ten criteria leave room for twenty pages.
fn most_words(submission: &Submission, intake: &Intake) -> usize {
    let (criteria, references) = (submission.criteria.len(), intake.references.len());
    MOST_COMPARED_WORDS / (criteria.max(1) * (references + 1)).max(1)
}

/// Whether an answer only asks where the task has no question to be found. A few questions among statements are what a
/// conversation is made of.
fn only_asks(submission: &Submission, intake: &Intake, answer: &Answer) -> bool {
    let asks = |text: &str| text.contains(['?', '？', '؟']);
    let criteria = submission.criteria.iter().flat_map(|criterion| [criterion.name.as_str(), &criterion.description]);
    let mut wanted = intake.references.iter().map(String::as_str).chain(criteria).peekable();
    wanted.peek().is_some() && answer.asked as f64 >= MOSTLY * answer.words.len() as f64 && !wanted.any(asks)
}

fn blank(submission: &Submission, intake: &Intake) -> Judgement {
    let zero = |criterion: &Criterion| Judged {
        name: criterion.name.clone(),
        max_score: criterion.max_score,
        share: 0.0,
        most: Highest::wherever(0.0),
        texts: Vec::new(),
        points: Vec::new(),
    };
    let rubric = submission.evaluation_type == EvaluationType::RubricShortAnswer && !submission.criteria.is_empty();
    Judgement {
        share: 0.0,
        most: Highest::wherever(0.0),
        confidence: if intake.unread.is_empty() && !intake.flags.contains(&IntegrityFlag::HiddenText) {
            0.97
        } else {
            0.3
        },
        criteria: rubric.then(|| submission.criteria.iter().map(zero).collect()),
        points: Vec::new(),
        blank: true,
        form: Form::Sentences,
        repeats: false,
        unguided: false,
        unread_from: None,
    }
}

fn by_references(intake: &Intake, task: &Task<'_>) -> Judgement {
    let compared = intake.references.iter().map(|reference| comparison::compare(task, reference));
    let best = compared.max_by(|one, other| rank(one).total_cmp(&rank(other)));
    let Some(best) = best else { return by_question(task) };
    let share = if intake.foreign().is_some() { abroad(&best, task) } else { best.share };
    Judgement {
        share,
        most: best.highest(),
        confidence: calibration::confidence(share),
        criteria: None,
        points: points(&best, task.answer),
        blank: false,
        form: best.form,
        repeats: best.features.own_words == 0.0 && share < 0.5,
        unguided: false,
        unread_from: None,
    }
}

/// Which of several good answers this one is meant to be.
fn rank(compared: &Compared) -> f64 {
    let features = &compared.features;
    compared.share + 0.05 * features.recall + 0.03 * features.f1
}

/// Across languages only meanings, numbers and names can be compared; what the lexicon does not know says nothing.
fn abroad(compared: &Compared, task: &Task<'_>) -> f64 {
    let comparable =
        |word: &&Word| word.is_content() && (!word.meanings.is_empty() || word.number) && !task.question.has(word);
    let known = Index::new(compared.reference.words.iter().filter(comparable));
    let (mut all, mut found) = (0.0, 0.0);
    for known in known.types() {
        all += known.weight;
        found += known.weight * task.answer.index.best(&known.word).map_or(0.0, |(_, fit)| fit);
    }
    if all < 2.5 {
        return compared.share.max(0.4);
    }
    let met = ((found / all - 0.12) / 0.43).clamp(0.0, 1.0);
    let turned = compared.turned()
        || compared.verdicts.iter().filter(|verdict| verdict.contradicted).count() * 2 > compared.verdicts.len();
    if turned { compared.share } else { compared.share.max(0.85 * met) }
}

fn by_question(task: &Task<'_>) -> Judgement {
    let own =
        task.answer.index.types().iter().filter(|known| known.word.is_content() && !task.question.has(&known.word));
    let own = own.count() as f64;
    let asked: Vec<_> = task.question.types().iter().filter(|known| known.word.is_content()).collect();
    let met = asked.iter().filter(|known| task.answer.index.best(&known.word).is_some()).count() as f64;
    let about = if asked.is_empty() { 0.5 } else { met / asked.len() as f64 };
    let share = if own < 1.0 { 0.05 } else { 0.2 + 0.25 * (own / 15.0).min(1.0) + 0.2 * about.min(0.6) / 0.6 };
    Judgement {
        share,
        most: Highest::wherever(1.0),
        confidence: SURE_WITHOUT_REFERENCE,
        criteria: None,
        points: Vec::new(),
        blank: false,
        form: Form::Sentences,
        repeats: own < 1.0,
        unguided: true,
        unread_from: None,
    }
}

fn by_criteria(submission: &Submission, intake: &Intake, task: &Task<'_>) -> Judgement {
    let references: Vec<Reference> =
        intake.references.iter().map(|text| Reference::read(text, &intake.reader)).collect();
    let mut forms = Vec::new();
    let mut sure = 1.0_f64;
    let judged: Vec<Judged> = submission
        .criteria
        .iter()
        .map(|criterion| {
            let (best, texts) = of_criterion(criterion, &references, intake, task);
            forms.push(best.form);
            let share = if intake.foreign().is_some() { abroad(&best, task) } else { best.share };
            sure = sure.min(calibration::confidence(share));
            Judged {
                name: criterion.name.clone(),
                max_score: criterion.max_score,
                share,
                most: best.highest(),
                texts,
                points: points(&best, task.answer),
            }
        })
        .collect();
    let all: f64 = judged.iter().map(|judged| judged.max_score).sum();
    let earned: f64 = judged.iter().map(|judged| judged.share * judged.max_score).sum();
    let mean = judged.iter().map(|judged| judged.share).sum::<f64>() / judged.len().max(1) as f64;
    let most = judged.iter().map(|judged| judged.most).fold(Highest::wherever(0.0), Highest::or);
    let rubric = submission.evaluation_type == EvaluationType::RubricShortAnswer;
    let points = judged.iter().flat_map(|judged| judged.points.iter().cloned()).collect();
    let worst = [Form::Salad, Form::Keywords].into_iter().find(|form| forms.contains(form));
    Judgement {
        share: if all > 0.0 { earned / all } else { mean },
        most,
        confidence: sure,
        criteria: rubric.then_some(judged),
        points,
        blank: false,
        form: worst.unwrap_or(Form::Sentences),
        repeats: false,
        unguided: false,
        unread_from: None,
    }
}

/// The best of what a criterion can be compared with: its own words, and the ideas of the references that
/// belong to it. With all of them.
fn of_criterion(
    criterion: &Criterion,
    references: &[Reference],
    intake: &Intake,
    task: &Task<'_>,
) -> (Compared, Vec<String>) {
    let described = criterion.description.trim();
    let own = without_lead(if described.is_empty() { &criterion.name } else { described });
    let wanted = intake.reader.words(&format!("{} {described}", criterion.name));
    let mut texts = Vec::new();
    if !described.is_empty() || references.is_empty() {
        texts.push(own.to_owned());
    }
    texts.extend(references.iter().filter_map(|reference| belonging(reference, &wanted, task.question)));
    if texts.is_empty() {
        texts.extend(intake.references.iter().cloned());
    }
    let task = Task { references: 1, ..*task };
    let compared = texts.iter().map(|text| comparison::compare(&task, text));
    let best = compared.max_by(|one, other| rank(one).total_cmp(&rank(other)));
    (best.unwrap_or_else(|| comparison::compare(&task, own)), texts)
}

/// The ideas of a reference that a criterion speaks of; what the question names says little about which.
fn belonging(reference: &Reference, wanted: &[Word], question: &Index) -> Option<String> {
    let index = Index::new(wanted.iter().filter(|word| word.is_content()));
    let belongs = |words: &[Word]| {
        let (mut all, mut found) = (0.0, 0.0);
        for word in words.iter().filter(|word| word.is_content()) {
            let weight = word.weight * if question.has(word) { ASKED } else { 1.0 };
            all += weight;
            found += weight * index.best(word).map_or(0.0, |(_, fit)| fit);
        }
        all > 0.0 && found / all >= BELONGS
    };
    let texts: Vec<&str> =
        reference.ideas.iter().filter(|idea| belongs(&idea.words)).map(|idea| idea.text.as_str()).collect();
    (!texts.is_empty() && texts.len() < reference.ideas.len().max(2)).then(|| texts.join("; "))
}

/// A criterion without the words that only say that something is to be said.
fn without_lead(text: &str) -> &str {
    let leads = [
        "this answer states that ",
        "the answer states that ",
        "states that ",
        "states ",
        "explains that ",
        "explains why ",
        "explains how ",
        "explains ",
        "mentions that ",
        "mentions ",
        "describes how ",
        "describes ",
        "identifies ",
        "names ",
        "says that ",
        "notes that ",
        "shows that ",
        "includes ",
        "gives ",
        "recognises that ",
        "recognizes that ",
        "the student ",
        "the learner ",
        "nennt ",
        "erklärt, dass ",
        "erklärt, ",
        "erklärt ",
        "beschreibt ",
        "erwähnt ",
        "sagt, dass ",
        "explica que ",
        "explica ",
        "menciona que ",
        "menciona ",
        "indica que ",
        "describe ",
        "explique que ",
        "explique ",
        "mentionne que ",
        "mentionne ",
        "indique que ",
        "décrit ",
        "spiega che ",
        "spiega ",
        "menziona ",
        "explica ",
    ];
    let mut rest = text;
    for _ in 0..2 {
        let lead = leads.iter().find(|lead| {
            rest.get(..lead.len()).is_some_and(|start| start.to_lowercase() == **lead) && rest.len() > lead.len() + 3
        });
        match lead {
            Some(lead) => rest = &rest[lead.len()..],
            None => break,
        }
    }
    rest
}

/// What is said of each idea.
fn points(compared: &Compared, answer: &Answer) -> Vec<Point> {
    let ideas = compared.reference.ideas.iter().zip(&compared.verdicts);
    let point = |(idea, verdict): (&super::ideas::Idea, &super::polarity::Verdict)| {
        let kind = match verdict.coverage {
            _ if verdict.contradicted || compared.turned() && verdict.coverage >= SAID => PointKind::Contrary,
            coverage if coverage >= SAID => PointKind::Said,
            coverage if coverage >= MISSING => PointKind::Partly,
            _ => PointKind::Missing,
        };
        let quote = verdict.evidence.map(|at| answer.clauses[at].text.clone());
        Point { kind, quote, terms: terms(&idea.words, answer) }
    };
    ideas.map(point).collect()
}

/// The weightiest words of an idea that the answer lacks, as the reference writes them.
fn terms(words: &[Word], answer: &Answer) -> Vec<String> {
    let mut found: Vec<(usize, &Word)> =
        words.iter().enumerate().filter(|(_, word)| word.is_content() && answer.index.best(word).is_none()).collect();
    found.sort_by(|one, other| other.1.weight.total_cmp(&one.1.weight).then(one.0.cmp(&other.0)));
    found.dedup_by(|one, other| one.1.key == other.1.key);
    found.truncate(MAX_TERMS);
    found.sort_by_key(|(at, _)| *at);
    let mut terms: Vec<String> = Vec::new();
    for (_, word) in found {
        if !terms.contains(&word.lower) {
            terms.push(word.lower.clone());
        }
    }
    terms
}
