//! The statements of a transaction on PostgreSQL, prepared once per connection.

use std::pin::pin;

use futures_util::TryStreamExt;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Statement};

use super::{Added, Failed, Lists, Opening, Session, StaticText, address};
use crate::postgres::additions::{
    Answer, MOST_ROWS, Nature, PlainInsert, Question, asked_together, may_be_asked_together,
};
use crate::postgres::error::Failure;
use crate::postgres::pipeline;
use crate::postgres::types::{Argument, OwnedParameter, fits};
use crate::{Parameter, Row, StoreError, ToColumn};

impl Session {
    pub(crate) fn query<T>(
        &mut self,
        sql: &'static str,
        parameters: &[&dyn ToColumn],
        mut map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.count_statement()?;
        // What reads after it added may look for its own rows.
        if self.run.only_added.is_some() || Nature::of(sql) != Nature::Reads {
            self.run.only_added = Some(false);
        }
        let statement = self.prepared(sql, parameters.len())?;
        let values: Vec<Parameter<'_>> = parameters.iter().map(|value| value.to_column()).collect();
        let rows = self.send(async |client| rows(client, &statement, &values).await)?;
        let rows = self.seen(rows)?;
        rows.iter().map(|row| map(&Row::postgres(row))).collect()
    }

    pub(crate) fn query_each<T>(
        &mut self,
        sql: &'static str,
        parameter_lists: &[Vec<&dyn ToColumn>],
        mut map: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let Some(first) = parameter_lists.first() else {
            return Ok(Vec::new());
        };
        for _ in parameter_lists {
            self.count_statement()?;
        }
        // It may change rows too.
        self.run.only_added = Some(false);
        let statement = self.prepared(sql, first.len())?;
        let lists: Vec<Vec<Parameter<'_>>> = parameter_lists
            .iter()
            .map(|parameters| parameters.iter().map(|value| value.to_column()).collect())
            .collect();
        let answers = self.send(async |client| {
            let queries = lists.iter().map(|values| rows(client, &statement, values));
            pipeline::in_order(queries.collect()).await.into_iter().collect::<Result<Vec<_>, Error>>()
        })?;
        let answers = self.seen(answers)?;
        answers.iter().flatten().map(|row| map(&Row::postgres(row))).collect()
    }

    pub(crate) fn execute(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<u64, StoreError> {
        self.run.only_added = Some(false);
        self.execute_at_once(sql, parameters)
    }

    fn execute_at_once(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<u64, StoreError> {
        self.count_statement()?;
        let statement = self.prepared(sql, parameters.len())?;
        let values: Vec<Parameter<'_>> = parameters.iter().map(|value| value.to_column()).collect();
        let changed = self.send(async |client| client.execute_raw(&statement, values.iter()).await)?;
        self.seen(changed)
    }

    pub(crate) fn execute_later(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<(), StoreError> {
        if self.run.is_eager {
            return self.execute_at_once(sql, parameters).map(|_| ());
        }
        self.prepared(sql, parameters.len())?;
        let list = parameters.iter().map(|value| OwnedParameter::new(value.to_column())).collect();
        let is_plain = Nature::of(sql) == Nature::Adds;
        match self.run.deferred.last_mut().filter(|last| is_plain && std::ptr::eq(last.sql, sql)) {
            Some(last) => last.lists.push(list),
            None => self.run.deferred.push(Added { sql, lists: vec![list] }),
        }
        self.run.rows += 1;
        self.run.only_added = Some(self.run.only_added.unwrap_or(true) && is_plain && self.run.rows <= MOST_ROWS);
        Ok(())
    }

    /// Asks several questions in one flight, those of the same text in one statement.
    pub(in crate::postgres) fn ask(&mut self, questions: Vec<Question>) -> Result<Vec<Answer>, StoreError> {
        let flights = together(&questions);
        let mut asked = Vec::with_capacity(flights.len());
        for flight in &flights {
            let lists: Vec<&[OwnedParameter]> =
                flight.iter().map(|number| questions[*number].parameters.as_slice()).collect();
            asked.push((self.prepared_for(questions[flight[0]].sql, &lists)?, Argument::of(&lists)));
        }
        let answers = self.send(async |client| {
            let queries = asked.iter().map(|(statement, arguments)| rows(client, statement, arguments));
            pipeline::in_order(queries.collect()).await.into_iter().collect::<Result<Vec<_>, Error>>()
        })?;
        let answers = self.seen(answers)?;
        drop(asked);
        let mut found: Vec<Vec<tokio_postgres::Row>> = questions.iter().map(|_| Vec::new()).collect();
        for (flight, rows) in flights.iter().zip(answers) {
            for row in rows {
                found[flight[asker(&row, flight.len())?]].push(row);
            }
        }
        Ok(questions.into_iter().zip(found).map(|answer| Answer(answer.into())).collect())
    }

    /// A second statement of a read that began without a transaction would see another snapshot.
    fn count_statement(&mut self) -> Result<(), StoreError> {
        self.run.statements += 1;
        if self.run.statements == 2 && self.run.opening == Some(Opening::Single) {
            self.long_reads.insert(self.run.name);
            self.fail(Failed::NeedsSnapshot);
            return Err(StoreError::unexpected("the read is run again in a transaction"));
        }
        Ok(())
    }

    /// The statement, prepared once per connection.
    fn prepared(&mut self, sql: &'static str, parameters: usize) -> Result<Statement, StoreError> {
        let key = (address(sql), Lists::One);
        let statement = match self.statements.get(&key) {
            Some(statement) => statement.clone(),
            None => self.prepare(key, sql)?,
        };
        let wanted = statement.params().len();
        if wanted != parameters {
            return Err(StoreError::unexpected(format!(
                "{parameters} parameters for a statement that takes {wanted}: {sql}"
            )));
        }
        Ok(statement)
    }

    /// The statement for so many lists of parameters; all of them can be sent to it.
    pub(super) fn prepared_for(
        &mut self,
        sql: &'static str,
        lists: &[&[OwnedParameter]],
    ) -> Result<Statement, StoreError> {
        let alone = self.prepared(sql, lists.first().map_or(0, |list| list.len()))?;
        // What can't be sent would be left out, and the commit behind it carried out.
        for list in lists {
            let all_fit = || list.iter().zip(alone.params()).all(|(parameter, of)| fits(&parameter.borrow(), of));
            if list.len() != alone.params().len() || !all_fit() {
                self.fail(Failed::Unseen(Failure::Final));
                return Err(StoreError::unexpected(format!("{list:?} do not fit {:?} in {sql}", alone.params())));
            }
        }
        if lists.len() == 1 {
            return Ok(alone);
        }
        let key = (address(sql), Lists::Several);
        if let Some(statement) = self.statements.get(&key) {
            return Ok(statement.clone());
        }
        let types: Vec<&str> = alone.params().iter().map(Type::name).collect();
        let text = match PlainInsert::parse(sql) {
            Some(insert) => insert.of_each(&types),
            None => asked_together(sql, &types),
        };
        self.prepare(key, &text)
    }

    fn prepare(&mut self, key: (StaticText, Lists), text: &str) -> Result<Statement, StoreError> {
        let statement = self.wait(async |client| client.prepare(text).await)?;
        if statement.is_err() {
            // It may have been told inside a read's transaction, which is no good any more.
            self.end_leftover();
        }
        let statement = self.seen(statement)?;
        self.statements.insert(key, statement.clone());
        Ok(statement)
    }
}

/// The numbers of questions that travel in one statement.
fn together(questions: &[Question]) -> Vec<Vec<usize>> {
    let mut flights: Vec<Vec<usize>> = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let is_like = |others: &&mut Vec<usize>| std::ptr::eq(questions[others[0]].sql, question.sql);
        match flights.iter_mut().find(is_like).filter(|_| may_be_asked_together(question)) {
            Some(others) => others.push(number),
            None => flights.push(vec![number]),
        }
    }
    flights
}

/// Who of so many asked for this row.
fn asker(row: &tokio_postgres::Row, askers: usize) -> Result<usize, StoreError> {
    if askers == 1 {
        return Ok(0);
    }
    let number = row.try_get::<_, i64>(row.len() - 1).ok().and_then(|number| usize::try_from(number - 1).ok());
    number.filter(|number| *number < askers).ok_or_else(|| StoreError::unexpected("a row that nobody asked for"))
}

async fn rows(
    client: &Client,
    statement: &Statement,
    values: &[impl ToSql + Sync],
) -> Result<Vec<tokio_postgres::Row>, Error> {
    let stream = pin!(client.query_raw(statement, values).await?);
    stream.try_collect().await
}
