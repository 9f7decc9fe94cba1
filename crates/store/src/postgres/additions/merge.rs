//! What a statement does, and rows that several operations add to the same table, as few statements.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Question;
use crate::postgres::session::Added;

/// The most copies of a statement's rows in one statement. Only powers of two are made, so that few
/// statements have to be prepared.
const MOST_COPIES: usize = 32;

/// What a statement does, as far as sharing a transaction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// It reads and does nothing else.
    Reads,
    /// It is a [`PlainInsert`].
    Adds,
    /// Anything else.
    Differs,
}

impl Nature {
    /// Judged once a thread: the text is read several times over for it, and a closure that is run again asks again.
    pub(crate) fn of(sql: &'static str) -> Self {
        thread_local! {
            static JUDGED: RefCell<HashMap<(usize, usize), Nature>> = RefCell::default();
        }
        JUDGED.with_borrow_mut(|judged| {
            *judged.entry((sql.as_ptr().addr(), sql.len())).or_insert_with(|| Self::judge(sql))
        })
    }

    fn judge(sql: &str) -> Self {
        if only_reads(sql) {
            Self::Reads
        } else if PlainInsert::parse(sql).is_some() {
            Self::Adds
        } else {
            Self::Differs
        }
    }
}

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
            sql.push_str(&with_parameters(self.rows, |number| format!("${}", number + copy * parameters)));
        }
        sql
    }
}

/// The text with other names for its parameters.
fn with_parameters(sql: &str, name: impl Fn(usize) -> String) -> String {
    let mut parts = sql.split('$');
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = part[..digits].parse().expect("a dollar begins a parameter");
        renamed.push_str(&name(number));
        renamed.push_str(&part[digits..]);
    }
    renamed
}

/// Whether [`asked_together`] may ask this question: the order of its rows does not matter.
pub(in crate::postgres) fn may_be_asked_together(question: &Question) -> bool {
    !question.parameters.is_empty() && !["ORDER BY", "LIMIT", "OFFSET"].iter().any(|word| question.sql.contains(word))
}

/// One statement that asks the same question with so many lists of parameters of these types. Each row says in one more
/// column, its last, whose answer it belongs to: 0 is the first.
///
/// `OFFSET 0` keeps the question a question: otherwise the server may join all lists with the whole table at once,
/// which it likes as long as it believes the table to be small.
pub(in crate::postgres) fn asked_together(sql: &str, types: &[&str], copies: usize) -> String {
    let question = with_parameters(sql, |number| format!("asked.p{number}"));
    let names: Vec<String> = (1..=types.len()).map(|number| format!("p{number}")).collect();
    let lists: Vec<String> = (0..copies)
        .map(|copy| {
            let first = copy * types.len() + 1;
            let values: Vec<String> = (first..).zip(types).map(|(number, of)| format!("${number}::{of}")).collect();
            format!("({copy}, {})", values.join(", "))
        })
        .collect();
    format!(
        "SELECT found.*, asked.number FROM (VALUES {}) AS asked (number, {}) CROSS JOIN LATERAL ({question} OFFSET 0) AS found",
        lists.join(", "),
        names.join(", "),
    )
}

/// Whether a statement reads and does nothing else: neither changes rows nor locks them for its transaction.
fn only_reads(sql: &str) -> bool {
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

/// How many of so many travel in the next statement.
pub(in crate::postgres) fn copies_of(left: usize) -> usize {
    MOST_COPIES.min(1 << left.ilog2())
}

/// The fewest statements that hold these rows.
fn pack(mut same: Vec<Added>) -> Vec<Added> {
    let mut packed = Vec::new();
    while !same.is_empty() {
        let copies = copies_of(same.len());
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
    fn one_statement_asks_a_question_for_several() {
        let sql = "SELECT a FROM t WHERE b = $2 AND c = $1";
        assert_eq!(
            asked_together(sql, &["text", "int8"], 2),
            "SELECT found.*, asked.number FROM (VALUES (0, $1::text, $2::int8), (1, $3::text, $4::int8)) AS asked (number, p1, p2) \
             CROSS JOIN LATERAL (SELECT a FROM t WHERE b = asked.p2 AND c = asked.p1 OFFSET 0) AS found"
        );
    }

    #[test]
    fn a_question_whose_rows_have_an_order_is_asked_alone() {
        let asked = |sql, count| Question {
            sql,
            parameters: (0..count).map(|number| OwnedParameter::new(Parameter::Integer(number))).collect(),
        };
        assert!(may_be_asked_together(&asked("SELECT a FROM t WHERE b = $1", 1)));
        assert!(!may_be_asked_together(&asked("SELECT a FROM t WHERE b = $1 ORDER BY a", 1)));
        assert!(!may_be_asked_together(&asked("SELECT a FROM t WHERE b = $1 LIMIT 1", 1)));
        assert!(!may_be_asked_together(&asked("SELECT count(*) FROM t", 0)));
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
