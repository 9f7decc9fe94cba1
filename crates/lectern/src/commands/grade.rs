//! `lectern grade`: grades a file of answers without a server or a database, for measuring graders.
//!
//! Rows are read in batches and graded on all cores, or by as many calls of a model as the configuration allows; results leave in the order of the file, one JSON line each, and
//! no more than a batch is held at a time. What a row may hold and what is said of it is in [`rows`], how reviewed answers teach the
//! grader in [`lessons`], and how a model is held against people's grades in [`compare`].

mod compare;
mod grader;
mod lessons;
mod progress;
mod replay;
mod rows;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Context as _;

use self::grader::RowGrader;
use self::lessons::Lessons;
use self::progress::Progress;
use self::rows::Graded;
use super::{Session, WrongUse};
use crate::cli::{Grade, GradeBy};
use crate::output;

/// Rows of a batch for each that is graded at a time: enough that a slow one doesn't make the others wait.
const ROWS_PER_THREAD: usize = 64;
/// A longer line is no row; it keeps a file that is no JSONL from filling the memory.
const MOST_LINE_BYTES: u64 = 16 << 20;

/// A line of the file that holds something.
struct Line {
    number: usize,
    bytes: Vec<u8>,
}

/// Exits 1 when a row can't be graded; the others are graded all the same.
pub(super) fn run(session: &Session, options: &Grade) -> anyhow::Result<ExitCode> {
    if let Some(records) = &options.replay {
        return replay::run(records);
    }
    let path = options.file.as_deref().ok_or(WrongUse("a file is needed".to_owned()))?;
    let lessons = options.teach.as_deref().map(Lessons::read).transpose()?.unwrap_or_default();
    if options.compare {
        return compare::run(session, options, path, &lessons);
    }
    let by = if options.model.is_some() { GradeBy::Model } else { options.by };
    let grader = RowGrader::open(session, by, options.model.as_deref())?;
    let mut failed = 0;
    each_batch(path, grader.at_once, |batch, progress| {
        let graded = grade_all(batch, grader.at_once, |line| rows::grade(&line.bytes, &grader, &lessons));
        failed += progress.hidden_while(|| print(path, batch, &graded))?;
        Ok(())
    })?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Does something with each batch of a file's rows; a batch keeps so many threads busy.
fn each_batch(
    path: &Path,
    threads: usize,
    mut work: impl FnMut(&[Line], &Progress) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let about = || format!("{} can't be read", path.display());
    let file = File::open(path).with_context(about)?;
    let progress = Progress::of_bytes(file.metadata().with_context(about)?.len());
    let mut lines = Lines { reader: BufReader::new(file), number: 0 };
    loop {
        let (batch, bytes) = lines.batch(threads * ROWS_PER_THREAD).with_context(about)?;
        if batch.is_empty() {
            break;
        }
        work(&batch, &progress)?;
        progress.advance(bytes);
    }
    progress.finish();
    Ok(())
}

struct Lines<R> {
    reader: BufReader<R>,
    number: usize,
}

impl<R: io::Read> Lines<R> {
    /// At most so many of the next lines, and how many bytes of the file they took. Empty at the end of the file.
    fn batch(&mut self, most: usize) -> io::Result<(Vec<Line>, u64)> {
        let (mut batch, mut read) = (Vec::new(), 0);
        while batch.len() < most {
            let mut bytes = Vec::new();
            let length = self.reader.by_ref().take(MOST_LINE_BYTES).read_until(b'\n', &mut bytes)?;
            self.number += 1;
            read += u64::try_from(length).unwrap_or(u64::MAX);
            if length == 0 {
                break;
            }
            if bytes.last() != Some(&b'\n') && !self.reader.fill_buf()?.is_empty() {
                let problem = format!("line {} is longer than {MOST_LINE_BYTES} bytes", self.number);
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
            if !bytes.trim_ascii().is_empty() {
                batch.push(Line { number: self.number, bytes });
            }
        }
        Ok((batch, read))
    }
}

/// Grades rows on so many threads; the results are in the order of the rows.
fn grade_all<R: Sync, G: Send>(batch: &[R], threads: usize, grade: impl Fn(&R) -> G + Sync) -> Vec<G> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(batch.len()));
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = batch.get(at) else { break };
            own.push((at, grade(row)));
        }
        results.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(batch.len()) {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, graded)| graded).collect()
}

/// Prints a batch; returns how many rows of it have no grade.
fn print(file: &Path, batch: &[Line], graded: &[Graded]) -> anyhow::Result<usize> {
    let mut stdout = io::stdout().lock();
    let mut failed = 0;
    for (line, row) in batch.iter().zip(graded) {
        serde_json::to_writer(&mut stdout, row).map_err(io::Error::from)?;
        stdout.write_all(b"\n")?;
        if let Some(problem) = row.problem() {
            failed += 1;
            output::note(format!("{}:{}: {}", file.display(), line.number, output::plain(problem)));
        }
    }
    stdout.flush()?;
    Ok(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines<&[u8]> {
        Lines { reader: BufReader::new(text.as_bytes()), number: 0 }
    }

    #[test]
    fn batches_keep_the_numbers_of_lines_and_count_every_byte() {
        let mut lines = lines("{}\n\n  \n[]\r\n1");
        let (first, bytes) = lines.batch(2).unwrap();
        assert_eq!(first.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 4]);
        let (second, rest) = lines.batch(2).unwrap();
        assert_eq!(second.iter().map(|line| line.number).collect::<Vec<_>>(), [5]);
        assert_eq!(bytes + rest, 12);
        assert!(lines.batch(2).unwrap().0.is_empty());
    }

    #[test]
    fn results_have_the_order_of_the_rows_whoever_graded_them() {
        let text: String = (0..500).map(|id| format!("{{\"id\":\"{id}\"}}\n")).collect();
        let (batch, _) = lines(&text).batch(1_000).unwrap();
        let grader = RowGrader::builtin().unwrap();
        let ids: Vec<String> = grade_all(&batch, 8, |line| rows::grade(&line.bytes, &grader, &Lessons::default()))
            .iter()
            .map(|row| serde_json::to_value(row).unwrap()["id"].to_string())
            .collect();
        assert_eq!(ids, (0..500).map(|id| format!("\"{id}\"")).collect::<Vec<_>>());
    }
}
