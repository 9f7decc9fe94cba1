//! A connection and the transaction that is open on it, in as few round trips as the closure allows.
//!
//! - `BEGIN` travels with the first statement, deferred statements with the next one or with `COMMIT`.
//! - A read begins without a transaction: one statement is its own snapshot. When a second statement
//!   comes, the closure is run again inside a transaction, and that name begins with one from then on.
//! - A read is answered before its transaction ends; its `COMMIT` travels with the next `BEGIN`.
//!
//! `worker.rs` decides what to do when a run fails; here the first failure of a run is remembered,
//! because the closure may turn it into an error of its own. The statements are in `session/statements.rs`.

mod statements;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio_postgres::{Client, Error, Statement};

use super::connect::Target;
use super::error::{Failure, classify};
use super::pipeline::{self, Sent};
use super::types::{Argument, OwnedParameter};
use crate::call::Kind;
use crate::{OpenError, StoreError};

/// The longest wait for an answer of the server; it gives up by itself before that.
const PATIENCE: Duration = Duration::from_secs(15);

type StaticText = (usize, usize);

/// A connection with its runtime. All methods block the thread that owns it.
pub(crate) struct Session {
    runtime: Runtime,
    client: Option<Client>,
    /// By the text, and for how many lists of parameters.
    statements: HashMap<(StaticText, Lists), Statement>,
    keys: HashMap<String, String>,
    /// Reads, by name, that need a transaction because they run more than one statement.
    long_reads: HashSet<StaticText>,
    /// A read that was answered left its transaction open.
    has_leftover: bool,
    run: Run,
}

/// One run of a closure.
#[derive(Default)]
struct Run {
    opening: Option<Opening>,
    name: StaticText,
    is_begun: bool,
    /// Statements are sent when they are called, so that the closure sees their errors.
    is_eager: bool,
    statements: usize,
    /// What was changed so far; `None` when nothing was.
    only_added: Option<bool>,
    deferred: Vec<Added>,
    /// Rows added by [`Session::execute_later`].
    rows: usize,
    failure: Option<Failed>,
}

/// How the transaction of a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// With nothing: a single statement.
    Single,
    /// With one snapshot that can't be written to.
    Snapshot,
    /// With one snapshot.
    Change,
    /// With a snapshot for each statement.
    Claim,
    /// The same, and its commit waits for no disk.
    DelayedClaim,
}

impl Opening {
    fn sql(self) -> Option<&'static str> {
        match self {
            Self::Single => None,
            Self::Snapshot => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            Self::Change => Some("BEGIN ISOLATION LEVEL REPEATABLE READ"),
            Self::Claim => Some("BEGIN ISOLATION LEVEL READ COMMITTED"),
            Self::DelayedClaim => Some("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit TO off"),
        }
    }
}

/// A statement to be sent later, for each of these lists of parameters; several only for a plain insert.
pub(super) struct Added {
    pub(super) sql: &'static str,
    pub(super) lists: Vec<Vec<OwnedParameter>>,
}

/// For how many lists of parameters a statement is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lists {
    One,
    /// Any number: each parameter is an array.
    Several,
}

/// Why a run can't be committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// A statement failed in the closure's sight.
    Seen(Failure),
    /// A deferred statement failed; the closure had passed it already.
    Unseen(Failure),
    /// A read turned out to have more than one statement.
    NeedsSnapshot,
    /// The commit was sent and its outcome is unknown.
    InDoubt,
}

impl Session {
    pub(super) fn new(keys: HashMap<String, String>) -> Result<Self, OpenError> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(OpenError::unreachable)?;
        Ok(Self {
            runtime,
            client: None,
            statements: HashMap::new(),
            keys,
            long_reads: HashSet::new(),
            has_leftover: false,
            run: Run::default(),
        })
    }

    /// Replaces the connection.
    pub(super) fn connect(&mut self, target: &Target) -> Result<(), OpenError> {
        self.disconnect();
        self.client = Some(self.runtime.block_on(async {
            let (client, connection) = target.connect().await?;
            tokio::spawn(connection);
            Target::set_up(&client).await?;
            Ok(client)
        })?);
        Ok(())
    }

    pub(super) fn disconnect(&mut self) {
        self.client = None;
        self.statements.clear();
        self.has_leftover = false;
    }

    pub(super) fn is_connected(&self) -> bool {
        self.client.is_some()
    }

    /// Waits on the thread's runtime.
    pub(super) fn pause(&self, span: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(span).await });
    }

    /// Starts a run. Nothing is sent before the first statement.
    pub(super) fn open(&mut self, name: &'static str, kind: Kind, is_eager: bool) {
        let name = address(name);
        let opening = match kind {
            Kind::Read if self.long_reads.contains(&name) => Opening::Snapshot,
            Kind::Read => Opening::Single,
            Kind::Write => Opening::Change,
            Kind::Claim => Opening::Claim,
            Kind::DelayedClaim => Opening::DelayedClaim,
        };
        self.run = Run { opening: Some(opening), name, is_eager, ..Run::default() };
    }

    /// Whether the run added rows and changed nothing else; `None` when it changed nothing.
    pub(super) fn only_added(&self) -> Option<bool> {
        self.run.only_added
    }

    /// Sends these with the next statement or the commit.
    pub(super) fn add(&mut self, added: Vec<Added>) {
        self.run.deferred.extend(added);
    }

    /// Why the run can't be committed, if so.
    pub(super) fn failure(&self) -> Option<Failed> {
        self.run.failure
    }

    /// Sends what is deferred, and the commit, in one round trip.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        if !self.run.is_begun && self.run.deferred.is_empty() {
            return Ok(());
        }
        // Where this fails, the transaction is still there to be rolled back.
        let ahead = self.prepare_deferred()?;
        let sent = self.send_behind(&ahead, async |client| client.batch_execute("COMMIT").await);
        self.run.is_begun = false;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                let is_heard = error.as_db_error().is_some();
                let (failure, error) = classify(error, &self.keys);
                // The server said that it rolled back, or nothing was heard from it.
                self.fail(match failure {
                    Failure::Conflict | Failure::Unique | Failure::Final if is_heard => Failed::Unseen(failure),
                    _ => Failed::InDoubt,
                });
                Err(error)
            }
            Err(error) => {
                // Nobody knows what came of a commit behind an opening that failed, or on a connection that was lost.
                if let Some(Failed::Seen(_) | Failed::Unseen(Failure::Lost)) = self.run.failure {
                    self.run.failure = Some(Failed::InDoubt);
                }
                Err(error)
            }
        }
    }

    /// Ends a read whose caller has its answer; the server learns it with the next transaction.
    pub(super) fn leave_open(&mut self) {
        // What failed must not be found by the next call.
        if self.run.failure.is_some() {
            return self.rollback();
        }
        self.has_leftover |= std::mem::take(&mut self.run.is_begun);
    }

    /// Ends what [`Self::leave_open`] left, when no next transaction is in sight.
    pub(super) fn end_leftover(&mut self) {
        if std::mem::take(&mut self.has_leftover) {
            self.control("COMMIT");
        }
    }

    /// Undoes the run.
    pub(super) fn rollback(&mut self) {
        self.run.deferred.clear();
        if std::mem::take(&mut self.run.is_begun) {
            self.control("ROLLBACK");
        }
    }

    pub(super) fn forget_statements(&mut self) {
        self.statements.clear();
    }

    /// Sends the opening if it is due, then what is deferred, then `last`, without waiting for their answers in between.
    fn send<T>(&mut self, last: impl AsyncFnOnce(&Client) -> Result<T, Error>) -> Result<Result<T, Error>, StoreError> {
        let ahead = self.prepare_deferred()?;
        self.send_behind(&ahead, last)
    }

    /// What is deferred, with the statements for it. When it fails, nothing was sent but what prepares them.
    fn prepare_deferred(&mut self) -> Result<Vec<(Statement, Added)>, StoreError> {
        let deferred = std::mem::take(&mut self.run.deferred);
        let mut ahead = Vec::with_capacity(deferred.len());
        for one in deferred {
            let lists: Vec<&[OwnedParameter]> = one.lists.iter().map(Vec::as_slice).collect();
            match self.prepared_for(one.sql, &lists) {
                Ok(statement) => ahead.push((statement, one)),
                Err(error) => {
                    if let Some(Failed::Seen(failure)) = self.run.failure {
                        self.run.failure = Some(Failed::Unseen(failure));
                    }
                    return Err(error);
                }
            }
        }
        Ok(ahead)
    }

    /// Sends the opening if it is due, then `ahead`, then `last`.
    fn send_behind<T>(
        &mut self,
        ahead: &[(Statement, Added)],
        last: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<Result<T, Error>, StoreError> {
        let opening = self.opening();
        let ahead: Vec<_> = ahead
            .iter()
            .map(|(statement, added)| {
                let lists: Vec<&[OwnedParameter]> = added.lists.iter().map(Vec::as_slice).collect();
                (statement.clone(), Argument::of(&lists))
            })
            .collect();
        let sent = self.wait(async |client| Ok(pipeline::send(client, opening, &ahead, last(client)).await))?;
        let Sent { opening, ahead, last } = self.seen(sent)?;
        self.seen(opening)?;
        for result in ahead {
            if let Err(error) = result {
                let (failure, error) = classify(error, &self.keys);
                self.fail(Failed::Unseen(failure));
                return Err(error);
            }
        }
        Ok(last)
    }

    /// What has to be said before the next statement. From here on the transaction counts as begun.
    fn opening(&mut self) -> Option<Cow<'static, str>> {
        let due = if self.run.is_begun { None } else { self.run.opening.and_then(Opening::sql) };
        self.run.is_begun |= due.is_some();
        match (std::mem::take(&mut self.has_leftover), due) {
            (false, due) => due.map(Cow::Borrowed),
            (true, None) => Some(Cow::Borrowed("COMMIT")),
            (true, Some(due)) => Some(Cow::Owned(format!("COMMIT;{due}"))),
        }
    }

    fn control(&mut self, sql: &'static str) {
        let result = self.wait(async |client| client.batch_execute(sql).await);
        if !matches!(result, Ok(Ok(()))) {
            self.disconnect();
        }
    }

    /// Runs `work` to its end, but not longer than the server may take.
    fn wait<T>(&mut self, work: impl AsyncFnOnce(&Client) -> Result<T, Error>) -> Result<Result<T, Error>, StoreError> {
        let answer = match &self.client {
            Some(client) => {
                self.runtime.block_on(async { tokio::time::timeout(PATIENCE, pin!(work(client))).await }).ok()
            }
            None => None,
        };
        answer.ok_or_else(|| {
            // Whatever the server still does with it, nobody will read the answer.
            self.disconnect();
            self.fail(Failed::Seen(Failure::Lost));
            StoreError::Unavailable
        })
    }

    fn seen<T>(&mut self, result: Result<T, Error>) -> Result<T, StoreError> {
        result.map_err(|error| {
            let (failure, error) = classify(error, &self.keys);
            self.fail(Failed::Seen(failure));
            error
        })
    }

    /// Only the first failure counts: the others follow from it.
    fn fail(&mut self, failed: Failed) {
        self.run.failure.get_or_insert(failed);
    }
}

fn address(text: &'static str) -> StaticText {
    (text.as_ptr().addr(), text.len())
}
