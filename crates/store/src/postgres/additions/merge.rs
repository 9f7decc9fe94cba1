//! Rows that several operations add to the same table, as few statements.

use std::fmt::Write as _;

use crate::postgres::session::Added;

/// The most copies of a statement's rows in one statement. Only powers of two are made, so that few
/// statements have to be prepared.
const MOST_COPIES: usize = 32;

/// `INSERT INTO … VALUES …` and nothing else: it reads nothing, and its order among others of its kind is free
/// as far as no key refers to a row that comes later.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlainInsert<'a> {
    head: &'a str,
    rows: &'a str,
}

impl<'a> PlainInsert<'a> {
    pub(crate) fn parse(sql: &'a str) -> Option<Self> {
        let (head, rows) = sql.split_once("VALUES")?;
        let rows = rows.trim();
        let is_plain = head.trim_start().starts_with("INSERT INTO ")
            && rows.starts_with('(')
            && rows.ends_with(')')
            && !["SELECT", "CONFLICT", "RETURNING", "VALUES"].iter().any(|word| rows.contains(word))
            && !head.contains("SELECT");
        is_plain.then_some(Self { head, rows })
    }

    /// The statement with its rows `copies` times, each copy with parameters of its own.
    pub(crate) fn repeated(&self, copies: usize, parameters: usize) -> String {
        let mut sql = format!("{}VALUES ", self.head);
        for copy in 0..copies {
            if copy > 0 {
                sql.push_str(", ");
            }
            let mut parts = self.rows.split('$');
            sql.push_str(parts.next().unwrap_or_default());
            for part in parts {
                let digits = part.bytes().take_while(u8::is_ascii_digit).count();
                let number: usize = part[..digits].parse().expect("a dollar begins a parameter");
                write!(sql, "${}{}", number + copy * parameters, &part[digits..]).expect("a String takes everything");
            }
        }
        sql
    }
}

/// Whether a statement reads and does nothing else: neither changes rows nor locks them for its transaction.
pub(crate) fn only_reads(sql: &str) -> bool {
    sql.trim_start().starts_with("SELECT")
        && !["FOR UPDATE", "FOR NO KEY", "FOR SHARE", "FOR KEY"].iter().any(|lock| sql.contains(lock))
}

/// Puts rows of the same statement together, the statements in the order of their first rows.
pub(super) fn merge(added: Vec<Added>) -> Vec<Added> {
    let mut same: Vec<Vec<Added>> = Vec::new();
    for one in added {
        match same.iter_mut().find(|others| std::ptr::eq(others[0].sql, one.sql)) {
            Some(others) => others.push(one),
            None => same.push(vec![one]),
        }
    }
    same.into_iter().flat_map(pack).collect()
}

/// The fewest statements that hold these rows.
fn pack(mut same: Vec<Added>) -> Vec<Added> {
    let mut packed = Vec::new();
    while !same.is_empty() {
        let copies = MOST_COPIES.min(1 << same.len().ilog2());
        let mut rows = same.drain(..copies);
        let mut first = rows.next().expect("there are rows left");
        for row in rows {
            first.copies += row.copies;
            first.parameters.extend(row.parameters);
        }
        packed.push(first);
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameter;
    use crate::postgres::types::OwnedParameter;

    const INSERT: &str = "INSERT INTO job (id, state, at, till) VALUES ($1, 'queued', $2, $2)";

    #[test]
    fn only_inserts_of_given_rows_are_plain() {
        assert!(PlainInsert::parse(INSERT).is_some());
        assert!(PlainInsert::parse("INSERT INTO job (id)\n         VALUES ($1), ($2)").is_some());
        for other in [
            "UPDATE job SET id = $1",
            "DELETE FROM job",
            "INSERT INTO job (id) SELECT id FROM event WHERE id = $1",
            "INSERT INTO job (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET at = (1)",
            "INSERT INTO job (id) VALUES ($1) RETURNING (id)",
            "INSERT INTO job (id) VALUES ((SELECT max(id) FROM job))",
            "WITH a AS (SELECT 1) INSERT INTO job (id) VALUES ($1)",
        ] {
            assert_eq!(PlainInsert::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_statement_that_locks_or_changes_rows_does_more_than_read() {
        assert!(only_reads("SELECT id FROM job WHERE id = $1"));
        for other in
            ["SELECT id FROM job FOR UPDATE SKIP LOCKED", "SELECT 1 FOR KEY SHARE", "UPDATE job SET a = 1 RETURNING id"]
        {
            assert!(!only_reads(other), "{other}");
        }
    }

    #[test]
    fn copies_of_a_row_have_parameters_of_their_own() {
        let insert = PlainInsert::parse(INSERT).expect("it is plain");
        assert_eq!(insert.repeated(1, 2), INSERT);
        assert_eq!(
            insert.repeated(3, 2),
            "INSERT INTO job (id, state, at, till) VALUES ($1, 'queued', $2, $2), ($3, 'queued', $4, $4), ($5, 'queued', $6, $6)"
        );
        let many = PlainInsert::parse("INSERT INTO a (b) VALUES ($1), ($2)").expect("it is plain");
        assert_eq!(many.repeated(2, 2), "INSERT INTO a (b) VALUES ($1), ($2), ($3), ($4)");
    }

    #[test]
    fn rows_of_one_statement_travel_together_and_in_order() {
        let other = "INSERT INTO event (id) VALUES ($1)";
        let row =
            |sql, number| Added { sql, copies: 1, parameters: vec![OwnedParameter::new(Parameter::Integer(number))] };
        let added = (0..11).flat_map(|number| [row(INSERT, number), row(other, number)]).collect();
        let merged = merge(added);
        let shape: Vec<_> = merged.iter().map(|one| (one.sql, one.copies)).collect();
        assert_eq!(shape, [(INSERT, 8), (INSERT, 2), (INSERT, 1), (other, 8), (other, 2), (other, 1)]);
        let numbers: Vec<_> = merged.iter().take(3).flat_map(|one| &one.parameters).collect();
        let expected: Vec<_> = (0..11).map(|number| OwnedParameter::new(Parameter::Integer(number))).collect();
        assert_eq!(numbers, expected.iter().collect::<Vec<_>>());
    }
}
