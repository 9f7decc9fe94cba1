//! The statements of a transaction on PostgreSQL, prepared once per connection.

use std::borrow::Cow;
use std::pin::pin;

use futures_util::TryStreamExt;
use tokio_postgres::{Client, Error, Statement};

use super::{Added, Failed, Opening, Session, address};
use crate::postgres::additions::{Answer, MOST_ROWS, PlainInsert, Question, only_reads};
use crate::postgres::pipeline;
use crate::postgres::types::OwnedParameter;
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
        if self.run.only_added.is_some() || !only_reads(sql) {
            self.run.only_added = Some(false);
        }
        let statement = self.prepared(sql, 1, parameters.len())?;
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
        let statement = self.prepared(sql, 1, first.len())?;
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
        let statement = self.prepared(sql, 1, parameters.len())?;
        let values: Vec<Parameter<'_>> = parameters.iter().map(|value| value.to_column()).collect();
        let changed = self.send(async |client| client.execute_raw(&statement, values.iter()).await)?;
        self.seen(changed)
    }

    pub(crate) fn execute_later(&mut self, sql: &'static str, parameters: &[&dyn ToColumn]) -> Result<(), StoreError> {
        if self.run.is_eager {
            return self.execute_at_once(sql, parameters).map(|_| ());
        }
        self.prepared(sql, 1, parameters.len())?;
        let parameters = parameters.iter().map(|value| OwnedParameter::new(value.to_column())).collect();
        self.run.deferred.push(Added { sql, copies: 1, parameters });
        let is_plain = PlainInsert::parse(sql).is_some() && self.run.deferred.len() <= MOST_ROWS;
        self.run.only_added = Some(self.run.only_added.unwrap_or(true) && is_plain);
        Ok(())
    }

    /// Asks several questions in one flight.
    pub(in crate::postgres) fn ask(&mut self, questions: Vec<Question>) -> Result<Vec<Answer>, StoreError> {
        let mut asked = Vec::with_capacity(questions.len());
        for question in &questions {
            let statement = self.prepared(question.sql, 1, question.parameters.len())?;
            let values: Vec<Parameter<'_>> = question.parameters.iter().map(OwnedParameter::borrow).collect();
            asked.push((statement, values));
        }
        let answers = self.send(async |client| {
            let queries = asked.iter().map(|(statement, values)| rows(client, statement, values));
            pipeline::in_order(queries.collect()).await.into_iter().collect::<Result<Vec<_>, Error>>()
        })?;
        let answers = self.seen(answers)?;
        Ok(questions.into_iter().zip(answers).map(|answer| Answer(answer.into())).collect())
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

    /// The statement, prepared once per connection; with `copies` of the rows that it adds.
    pub(super) fn prepared(
        &mut self,
        sql: &'static str,
        copies: usize,
        parameters: usize,
    ) -> Result<Statement, StoreError> {
        let key = (address(sql), copies);
        let statement = match self.statements.get(&key) {
            Some(statement) => statement.clone(),
            None => {
                let text = match PlainInsert::parse(sql) {
                    Some(insert) if copies > 1 => Cow::Owned(insert.repeated(copies, parameters / copies)),
                    _ => Cow::Borrowed(sql),
                };
                let statement = self.wait(async |client| client.prepare(&text).await)?;
                let statement = self.seen(statement)?;
                self.statements.insert(key, statement.clone());
                statement
            }
        };
        let wanted = statement.params().len();
        if wanted != parameters {
            return Err(StoreError::unexpected(format!(
                "{parameters} parameters for a statement that takes {wanted}: {sql}"
            )));
        }
        Ok(statement)
    }
}

async fn rows(
    client: &Client,
    statement: &Statement,
    values: &[Parameter<'_>],
) -> Result<Vec<tokio_postgres::Row>, Error> {
    let stream = pin!(client.query_raw(statement, values.iter()).await?);
    stream.try_collect().await
}
