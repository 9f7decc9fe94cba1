//! What a statement does, and one statement that does for several operations what each asks for.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Question;
use crate::postgres::session::Added;

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

/// `INSERT INTO … VALUES (…)` of one row and nothing else: it reads nothing, and its order among others of its kind is
/// free as far as no key refers to a row that comes later.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlainInsert<'a> {
    head: &'a str,
    /// Without its parentheses.
    row: &'a str,
}

impl<'a> PlainInsert<'a> {
    pub(crate) fn parse(sql: &'a str) -> Option<Self> {
        let (head, row) = sql.split_once("VALUES")?;
        let row = row.trim().strip_prefix('(')?.strip_suffix(')')?;
        let is_plain = head.trim_start().starts_with("INSERT INTO ")
            && row.contains("$1")
            && is_one_row(row)
            && !has_quoted_dollar(row)
            && !["SELECT", "CONFLICT", "RETURNING", "VALUES", "DEFAULT"].iter().any(|word| row.contains(word))
            && !head.contains("SELECT");
        is_plain.then_some(Self { head, row })
    }

    /// One statement that adds the row for each of several lists of parameters of these types; `$n` is the array of the nth
    /// of each.
    pub(crate) fn of_each(&self, types: &[&str]) -> String {
        let row = with_parameters(self.row, |number| format!("added.p{number}"));
        format!("{}SELECT {row} FROM {}", self.head, lists("added", types, ""))
    }
}

/// The lists of parameters as a table with the columns `p1` to `pn`; what `last` names more counts them from 1.
fn lists(name: &str, types: &[&str], last: &str) -> String {
    let arrays: Vec<String> = (1..).zip(types).map(|(number, of)| format!("${number}::{of}[]")).collect();
    let names: Vec<String> = (1..=types.len()).map(|number| format!("p{number}")).collect();
    let ordinality = if last.is_empty() { "" } else { " WITH ORDINALITY" };
    format!("unnest({}){ordinality} AS {name} ({}{last})", arrays.join(", "), names.join(", "))
}

/// Whether no parenthesis outside quotes ends the row before its last one does.
fn is_one_row(row: &str) -> bool {
    let outside = row.split('\'').step_by(2).flat_map(str::bytes);
    let depths = outside.scan(0, |depth, byte| {
        *depth += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        Some(*depth)
    });
    depths.min().is_none_or(|lowest| lowest >= 0)
}

/// Whether something in quotes could be taken for a parameter.
fn has_quoted_dollar(sql: &str) -> bool {
    sql.split('\'').skip(1).step_by(2).any(|quoted| quoted.contains('$'))
}

/// The text with other names for its parameters.
fn with_parameters(sql: &str, name: impl Fn(usize) -> String) -> String {
    let mut parts = sql.split('$');
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = part[..digits].parse().expect("a dollar outside quotes begins a parameter");
        renamed.push_str(&name(number));
        renamed.push_str(&part[digits..]);
    }
    renamed
}

/// Whether [`asked_together`] may ask this question: the order of its rows does not matter.
pub(in crate::postgres) fn may_be_asked_together(question: &Question) -> bool {
    !question.parameters.is_empty()
        && !has_quoted_dollar(question.sql)
        && !["ORDER BY", "LIMIT", "OFFSET"].iter().any(|word| question.sql.contains(word))
}

/// One statement that asks the same question for each of several lists of parameters of these types. Each row says in one
/// more column, its last, whose answer it belongs to: 1 is the first.
///
/// `OFFSET 0` keeps the question a question: otherwise the server may join all lists with the whole table at once,
/// which it likes as long as it believes the table to be small.
pub(in crate::postgres) fn asked_together(sql: &str, types: &[&str]) -> String {
    let question = with_parameters(sql, |number| format!("asked.p{number}"));
    let lists = lists("asked", types, ", number");
    format!("SELECT found.*, asked.number FROM {lists} CROSS JOIN LATERAL ({question} OFFSET 0) AS found")
}

/// Whether a statement reads and does nothing else: neither changes rows nor locks them for its transaction.
fn only_reads(sql: &str) -> bool {
    sql.trim_start().starts_with("SELECT")
        && !["FOR UPDATE", "FOR NO KEY", "FOR SHARE", "FOR KEY"].iter().any(|lock| sql.contains(lock))
}

/// Puts rows of the same statement together, the statements in the order of their first rows.
pub(super) fn merge(added: Vec<Added>) -> Vec<Added> {
    let mut merged: Vec<Added> = Vec::new();
    for one in added {
        match merged.iter_mut().find(|other| std::ptr::eq(other.sql, one.sql)) {
            Some(other) => other.lists.extend(one.lists),
            None => merged.push(one),
        }
    }
    merged
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
        assert!(PlainInsert::parse("INSERT INTO job (id)\n         VALUES (lower($1))").is_some());
        for other in [
            "UPDATE job SET id = $1",
            "DELETE FROM job",
            "INSERT INTO job (id) SELECT id FROM event WHERE id = $1",
            "INSERT INTO job (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET at = (1)",
            "INSERT INTO job (id) VALUES ($1) RETURNING (id)",
            "INSERT INTO job (id) VALUES ((SELECT max(id) FROM job))",
            "WITH a AS (SELECT 1) INSERT INTO job (id) VALUES ($1)",
            "INSERT INTO job (id) VALUES ($1), ($2)",
            "INSERT INTO job (id) VALUES (1)",
            "INSERT INTO job (id, note) VALUES ($1, 'costs $1')",
            "INSERT INTO job (id, note) VALUES ($1, DEFAULT)",
            "INSERT INTO job (id, at) VALUES ('(', $1), (')', $2)",
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
    fn one_statement_adds_the_rows_of_several() {
        let insert = PlainInsert::parse(INSERT).expect("it is plain");
        assert_eq!(
            insert.of_each(&["text", "int8"]),
            "INSERT INTO job (id, state, at, till) SELECT added.p1, 'queued', added.p2, added.p2 \
             FROM unnest($1::text[], $2::int8[]) AS added (p1, p2)"
        );
    }

    #[test]
    fn one_statement_asks_a_question_for_several() {
        let sql = "SELECT a FROM t WHERE b = $2 AND c = $1";
        assert_eq!(
            asked_together(sql, &["text", "int8"]),
            "SELECT found.*, asked.number FROM unnest($1::text[], $2::int8[]) WITH ORDINALITY AS asked (p1, p2, number) \
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
        assert!(!may_be_asked_together(&asked("SELECT a FROM t WHERE b = $1 AND c = '$1'", 1)));
        assert!(!may_be_asked_together(&asked("SELECT count(*) FROM t", 0)));
    }

    #[test]
    fn rows_of_one_statement_travel_together_and_in_order() {
        let other = "INSERT INTO event (id) VALUES ($1)";
        let list = |number| vec![OwnedParameter::new(Parameter::Integer(number))];
        let row = |sql, number| Added { sql, lists: vec![list(number)] };
        let merged = merge((0..11).flat_map(|number| [row(INSERT, number), row(other, number)]).collect());
        let numbers: Vec<_> = (0..11).map(list).collect();
        let shape: Vec<_> = merged.iter().map(|one| (one.sql, &one.lists)).collect();
        assert_eq!(shape, [(INSERT, &numbers), (other, &numbers)]);
    }
}
