//! A transaction that knows some answers and collects the rest: the closure is run again and again, each time
//! one question further, and nothing is sent from here.

use std::rc::Rc;

use super::Nature;
use crate::postgres::session::Added;
use crate::postgres::types::OwnedParameter;
use crate::{Row, StoreError, ToColumn};

/// Rows of one member. Whoever adds more would keep the others waiting.
pub(in crate::postgres) const MOST_ROWS: usize = 100;

/// A statement that reads.
#[derive(Debug, PartialEq)]
pub(in crate::postgres) struct Question {
    pub(in crate::postgres) sql: &'static str,
    pub(in crate::postgres) parameters: Vec<OwnedParameter>,
}

/// A question with its rows.
#[derive(Clone)]
pub(in crate::postgres) struct Answer(pub(in crate::postgres) Rc<(Question, Vec<tokio_postgres::Row>)>);

/// What one closure asked and added.
#[derive(Default)]
pub(crate) struct Replay {
    pub(super) answers: Vec<Answer>,
    next: usize,
    /// The first question of this run that has no answer yet; the run ended there.
    pub(super) question: Option<Question>,
    pub(super) added: Vec<Added>,
    /// The closure did something that can't be done here.
    pub(super) differs: bool,
}

/// Ends a run. The closure's caller never sees it.
const ENDED: StoreError = StoreError::Unavailable;

impl Replay {
    pub(super) fn restart(&mut self) {
        self.next = 0;
        self.added.clear();
    }

    pub(crate) fn query<T>(
        &mut self,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
        mut map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        // Its own rows are not there yet.
        if !self.added.is_empty() || Nature::of(sql) != Nature::Reads {
            return Err(self.differ());
        }
        let Some(Answer(answer)) = self.answers.get(self.next) else {
            self.question = Some(Question { sql, parameters: owned(parameters) });
            return Err(ENDED);
        };
        let (question, rows) = &**answer;
        if !question.is(sql, parameters) {
            return Err(self.differ());
        }
        self.next += 1;
        rows.iter().map(|row| map(&Row::postgres(row))).collect()
    }

    pub(crate) fn execute_later(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<(), StoreError> {
        if Nature::of(sql) != Nature::Adds || self.added.len() == MOST_ROWS {
            return Err(self.differ());
        }
        self.added.push(Added { sql, lists: vec![owned(parameters)] });
        Ok(())
    }

    /// Gives the run up.
    pub(crate) fn differ(&mut self) -> StoreError {
        self.differs = true;
        ENDED
    }
}

impl Question {
    fn is(&self, sql: &'static str, parameters: &[&dyn ToColumn]) -> bool {
        std::ptr::eq(self.sql, sql)
            && self.parameters.len() == parameters.len()
            && self.parameters.iter().zip(parameters).all(|(own, other)| own.borrow() == other.to_column())
    }
}

fn owned(parameters: &[&dyn ToColumn]) -> Vec<OwnedParameter> {
    parameters.iter().map(|value| OwnedParameter::new(value.to_column())).collect()
}
