//! Writes that only add rows: several of them share one transaction, one snapshot and one commit.
//!
//! A write that first reads and then adds rows, and changes or locks nothing else, can't tell whether it ran beside another
//! such write in a transaction of its own or in the same one: neither sees what the other adds, and what they
//! may not both add is forbidden by a unique key. So what waits is run together:
//!
//! - The closures are run until each asks for something that is not known yet; all questions travel in
//!   one flight, those of the same text in one statement; then the closures are run again with the answers at hand (`additions/replay.rs`).
//! - When nobody asks any more, the new rows travel with the commit in one flight, rows for the same table
//!   in one statement (`additions/merge.rs`).
//! - When anything goes wrong, nothing has happened, and each is run alone, as `worker.rs` runs every other write.
//!
//! Which writes are of this kind is learned by watching them run alone; one that ever changes a row in another
//! way is run alone from then on.

mod merge;
mod replay;

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use kernel::ambient::Ambient;
use kernel::time::Timestamp;

pub(crate) use merge::{Nature, PlainInsert};
pub(super) use merge::{asked_together, may_be_asked_together};
pub(crate) use replay::Replay;
pub(super) use replay::{Answer, MOST_ROWS, Question};

use super::session::{Added, Failed};
use super::worker::Worker;
use crate::call::{Call, Kind, Verdict};
use crate::wakeups::Queues;
use crate::{StoreError, Tx};

/// The transaction's name in metrics.
const NAME: &str = "store.additions";

/// What is known of writes, by name.
#[derive(Default)]
pub(super) struct KnownWrites(RwLock<HashMap<&'static str, bool>>);

impl KnownWrites {
    pub(super) fn only_adds(&self, name: &str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).copied().unwrap_or(false)
    }

    /// Notes what a run did. Having done something else once counts for good.
    pub(super) fn learn(&self, name: &'static str, only_added: bool) {
        if self.0.read().unwrap_or_else(PoisonError::into_inner).get(name) == Some(&only_added) {
            return;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(name).and_modify(|known| *known &= only_added).or_insert(only_added);
    }
}

/// A write on its way through a shared transaction.
struct Member {
    call: Box<dyn Call>,
    replay: Replay,
    now: Timestamp,
    wakes: Queues,
}

/// How far a member came.
enum Step {
    /// It waits for an answer.
    Asks,
    /// It is through, and its rows wait for the commit.
    Adds,
    /// It is through and adds nothing: it failed, or found that all is done.
    Ends,
    /// It is none of this kind.
    Differs,
}

impl Member {
    fn new(call: Box<dyn Call>, ambient: &Ambient) -> Self {
        Self { call, replay: Replay::default(), now: ambient.now(), wakes: Queues::default() }
    }

    fn run(&mut self, ambient: &Ambient) -> Step {
        self.replay.restart();
        let mut tx = Tx::replay(&mut self.replay, ambient, self.now);
        let verdict = self.call.run(&mut tx);
        self.wakes = tx.wakes();
        match verdict {
            _ if self.replay.differs => Step::Differs,
            _ if self.replay.question.is_some() => Step::Asks,
            Verdict::Keep if !self.replay.added.is_empty() => Step::Adds,
            Verdict::Keep | Verdict::Undo => Step::Ends,
        }
    }
}

impl Worker<'_> {
    /// Runs writes that are believed to only add rows.
    pub(super) fn perform_together(&mut self, calls: &mut Vec<Box<dyn Call>>) {
        self.session.open(NAME, Kind::Write, false);
        let ambient = &self.shared.ambient;
        let mut members: Vec<Member> = calls.drain(..).map(|call| Member::new(call, ambient)).collect();
        let (mut ready, mut alone) = (Vec::new(), Vec::new());
        while !members.is_empty() {
            let mut asking = self.step(members, &mut ready, &mut alone);
            if !asking.is_empty() && self.ask(&mut asking).is_err() {
                alone.extend(asking.drain(..).chain(ready.drain(..)).map(|member| member.call));
            }
            members = asking;
        }
        self.commit_together(ready, &mut alone);
        for call in alone {
            self.perform(call);
        }
    }

    /// Runs every member once; answers those that end, and gives back those that ask.
    fn step(&mut self, members: Vec<Member>, ready: &mut Vec<Member>, alone: &mut Vec<Box<dyn Call>>) -> Vec<Member> {
        let mut asking = Vec::with_capacity(members.len());
        for mut member in members {
            match member.run(&self.shared.ambient) {
                Step::Asks => asking.push(member),
                Step::Adds => ready.push(member),
                // What it read is committed, so its answer waits for nobody.
                Step::Ends => self.answer(member.call),
                Step::Differs => {
                    self.shared.known_writes.learn(member.call.name(), false);
                    alone.push(member.call);
                }
            }
        }
        asking
    }

    /// Asks for all members at once; a question that several have is asked once.
    fn ask(&mut self, asking: &mut [Member]) -> Result<(), StoreError> {
        let mut questions: Vec<Question> = Vec::with_capacity(asking.len());
        let mut numbers = Vec::with_capacity(asking.len());
        for member in asking.iter_mut() {
            let question = member.replay.question.take().expect("only who asks is here");
            let known = questions.iter().position(|other| *other == question);
            numbers.push(known.unwrap_or_else(|| {
                questions.push(question);
                questions.len() - 1
            }));
        }
        let answers: Vec<Answer> = self.session.ask(questions)?;
        for (member, number) in asking.iter_mut().zip(numbers) {
            member.replay.answers.push(answers[number].clone());
        }
        Ok(())
    }

    fn commit_together(&mut self, mut ready: Vec<Member>, alone: &mut Vec<Box<dyn Call>>) {
        if ready.is_empty() {
            // Nothing but reads so far; they end like reads.
            return self.session.leave_open();
        }
        // Rows of one operation keep their order, and so do all operations of the same name.
        ready.sort_by_key(|member| member.call.name());
        for same in ready.chunk_by_mut(|one, other| one.call.name() == other.call.name()) {
            let added: Vec<Added> = same.iter_mut().flat_map(|member| member.replay.added.drain(..)).collect();
            self.session.add(merge::merge(added));
        }
        let committed = self.session.commit();
        match (committed, self.session.failure()) {
            (Ok(()), _) => {
                for member in ready {
                    self.wake(member.wakes);
                    self.answer(member.call);
                }
            }
            (Err(_), Some(Failed::InDoubt)) => {
                self.session.disconnect();
                for member in ready {
                    member.call.refuse(StoreError::Unavailable);
                }
            }
            (Err(_), _) => {
                self.session.rollback();
                alone.extend(ready.into_iter().map(|member| member.call));
            }
        }
    }
}
