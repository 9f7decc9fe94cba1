//! The ledger against a model of a few lines: whatever is done in whatever order, no balance falls below zero, every
//! micro is somewhere, and nothing is settled or released twice.

use crate::books::Books;
use billing::ledger::{Balance, EndError, ReservationState, SpendError};
use billing::reconcile::reconcile;
use kernel::id::SubjectId;
use kernel::money::MicroUsd;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::{Engine, TestStore};

#[derive(Clone, Debug)]
enum Step {
    TopUp { micros: i64 },
    Reserve { micros: i64 },
    Charge { micros: i64 },
    Settle { which: usize },
    Release { which: usize },
}

fn steps() -> impl Strategy<Value = (i64, Vec<Step>)> {
    let step = prop_oneof![
        2 => (1..60_i64).prop_map(|micros| Step::TopUp { micros }),
        4 => (0..40_i64).prop_map(|micros| Step::Reserve { micros }),
        3 => (0..40_i64).prop_map(|micros| Step::Charge { micros }),
        2 => (0..6_usize).prop_map(|which| Step::Settle { which }),
        2 => (0..6_usize).prop_map(|which| Step::Release { which }),
    ];
    (0..80_i64, prop::collection::vec(step, 1..40))
}

struct Reserved {
    subject: SubjectId,
    free: i64,
    credits: i64,
    state: ReservationState,
}

/// What the books should say.
struct Model {
    books: Books,
    given: i64,
    earned: i64,
    free: i64,
    credits: i64,
    had_credits: bool,
    reserved: Vec<Reserved>,
}

fn amount(micros: i64) -> MicroUsd {
    MicroUsd::from_micros(micros).unwrap()
}

impl Model {
    async fn open(test: &TestStore, grant: i64) -> Self {
        let books = Books::open(test, amount(grant)).await;
        Self { books, given: grant, earned: 0, free: grant, credits: 0, had_credits: false, reserved: Vec::new() }
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::TopUp { micros } => {
                self.books.top_up(amount(micros)).await;
                (self.given, self.credits, self.had_credits) = (self.given + micros, self.credits + micros, true);
            }
            Step::Reserve { micros } => self.spend(micros, ReservationState::Open).await,
            Step::Charge { micros } => self.spend(micros, ReservationState::Settled).await,
            Step::Settle { which } => self.end(which, ReservationState::Settled).await,
            Step::Release { which } => self.end(which, ReservationState::Released).await,
        }
    }

    async fn spend(&mut self, micros: i64, state: ReservationState) {
        let spent = match state {
            ReservationState::Open => self.books.reserve(amount(micros)).await,
            _ => self.books.charge(amount(micros)).await,
        };
        if self.free + self.credits < micros {
            let Err(SpendError::Shortage(shortage)) = spent else { panic!("{spent:?}") };
            assert_eq!(shortage.available.micros(), self.free + self.credits);
            assert_eq!(shortage.never_had_credits, !self.had_credits);
            return;
        }
        let spent = spent.unwrap();
        let free = self.free.min(micros);
        assert_eq!((spent.free.micros(), spent.credits.micros(), spent.state), (free, micros - free, state));
        self.free -= free;
        self.credits -= micros - free;
        if state == ReservationState::Settled {
            self.earned += micros;
        }
        self.reserved.push(Reserved { subject: spent.subject, free, credits: micros - free, state });
    }

    /// Ends one of the reservations, counted from the newest, so that most of them are open.
    async fn end(&mut self, which: usize, state: ReservationState) {
        let Some(reserved) = self.reserved.iter_mut().rev().nth(which) else { return };
        let ended = match state {
            ReservationState::Settled => self.books.settle(reserved.subject).await,
            _ => self.books.release(reserved.subject).await,
        };
        if reserved.state != ReservationState::Open {
            assert!(matches!(ended, Err(EndError::Ended(was)) if was == reserved.state), "{ended:?}");
            return;
        }
        assert_eq!(ended.unwrap().state, state);
        reserved.state = state;
        if state == ReservationState::Settled {
            self.earned += reserved.free + reserved.credits;
        } else {
            self.free += reserved.free;
            self.credits += reserved.credits;
        }
    }

    async fn compare(&self) {
        let open = || self.reserved.iter().filter(|reserved| reserved.state == ReservationState::Open);
        let reserved_free: i64 = open().map(|reserved| reserved.free).sum();
        let reserved_credits: i64 = open().map(|reserved| reserved.credits).sum();
        let expected = Balance {
            free: amount(self.free),
            credits: amount(self.credits),
            reserved_free: amount(reserved_free),
            reserved_credits: amount(reserved_credits),
            had_credits: self.had_credits,
            ..Balance::default()
        };
        assert_eq!(self.books.balance().await, expected);
        assert_eq!(self.given, self.earned + self.free + self.credits + reserved_free + reserved_credits);
        let report = reconcile(&self.books.test.store).await.unwrap();
        assert!(report.differences.is_empty(), "{report:#?}");
    }
}

fn follows_the_model(engine: Engine, cases: u32) {
    testkit::run(engine, move |test| async move {
        let runtime = tokio::runtime::Handle::current();
        let check = move || {
            let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
            let outcome = runner.run(&steps(), |(grant, steps)| {
                runtime.block_on(async {
                    let mut model = Model::open(&test, grant).await;
                    for step in steps {
                        model.take(step).await;
                    }
                    model.compare().await;
                });
                Ok(())
            });
            if let Err(error) = outcome {
                panic!("{error}");
            }
        };
        tokio::task::spawn_blocking(check).await.unwrap();
    });
}

#[test]
fn sqlite_follows_the_model() {
    follows_the_model(Engine::Sqlite, 60);
}

#[test]
fn postgres_follows_the_model() {
    follows_the_model(Engine::Postgres, 25);
}
