//! The statements of a transaction on PostgreSQL, prepared once per connection.

use std::borrow::Cow;
use std::pin::pin;

use futures_util::TryStreamExt;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Statement};

use super::{Added, Failed, Opening, Session, address};
use crate::postgres::additions::{
    Answer, MOST_ROWS, Nature, PlainInsert, Question, asked_together, copies_of, may_be_asked_together,
};
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
        if self.run.only_added.is_some() || Nature::of(sql) != Nature::Reads {
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
        let is_plain = Nature::of(sql) == Nature::Adds && self.run.deferred.len() <= MOST_ROWS;
        self.run.only_added = Some(self.run.only_added.unwrap_or(true) && is_plain);
        Ok(())
    }

    /// Asks several questions in one flight, those of the same text in as few statements as there can be.
    pub(in crate::postgres) fn ask(&mut self, questions: Vec<Question>) -> Result<Vec<Answer>, StoreError> {
        let flights = together(&questions);
        let mut asked = Vec::with_capacity(flights.len());
        for flight in &flights {
            let parameters = || flight.iter().flat_map(|number| &questions[*number].parameters);
            let values: Vec<Parameter<'_>> = parameters().map(OwnedParameter::borrow).collect();
            asked.push((self.prepared(questions[flight[0]].sql, flight.len(), values.len())?, values));
        }
        let answers = self.send(async |client| {
            let queries = asked.iter().map(|(statement, values)| rows(client, statement, values));
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

    /// The statement, prepared once per connection; with `copies` of the rows that it adds, or for `copies` who ask.
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
                    _ if copies == 1 => Cow::Borrowed(sql),
                    Some(insert) => Cow::Owned(insert.repeated(copies, parameters / copies)),
                    None => {
                        let alone = self.prepared(sql, 1, parameters / copies)?;
                        let types: Vec<&str> = alone.params().iter().map(Type::name).collect();
                        Cow::Owned(asked_together(sql, &types, copies))
                    }
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

/// The numbers of questions that travel in one statement.
fn together(questions: &[Question]) -> Vec<Vec<usize>> {
    let mut same: Vec<Vec<usize>> = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let is_like = |others: &&mut Vec<usize>| std::ptr::eq(questions[others[0]].sql, question.sql);
        match same.iter_mut().find(is_like).filter(|_| may_be_asked_together(question)) {
            Some(others) => others.push(number),
            None => same.push(vec![number]),
        }
    }
    let mut flights = Vec::with_capacity(same.len());
    for mut numbers in same {
        while !numbers.is_empty() {
            flights.push(numbers.drain(..copies_of(numbers.len())).collect());
        }
    }
    flights
}

/// Who of so many asked for this row.
fn asker(row: &tokio_postgres::Row, askers: usize) -> Result<usize, StoreError> {
    if askers == 1 {
        return Ok(0);
    }
    let number = row.try_get::<_, i32>(row.len() - 1).ok().and_then(|number| usize::try_from(number).ok());
    number.filter(|number| *number < askers).ok_or_else(|| StoreError::unexpected("a row that nobody asked for"))
}

async fn rows(
    client: &Client,
    statement: &Statement,
    values: &[Parameter<'_>],
) -> Result<Vec<tokio_postgres::Row>, Error> {
    let stream = pin!(client.query_raw(statement, values.iter()).await?);
    stream.try_collect().await
}
