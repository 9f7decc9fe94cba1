use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::*;
use crate::call::Operation;
use crate::sqlite::durability::disk_of;
use crate::sqlite::{open, reader};

/// Calls that may wait for the disk.
const MOST_WAITING: usize = 4;

type Outcome = Result<i64, StoreError>;
type Act = fn(&mut Tx<'_>) -> Outcome;

/// A database and what its threads share.
struct Rig {
    _folder: tempfile::TempDir,
    path: PathBuf,
    writer: Arc<Mutex<Writer>>,
    durability: Arc<Durability>,
}

impl Rig {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rig.db");
        let connection = open::migrated(&path).unwrap();
        connection.raw().busy_timeout(Duration::ZERO).unwrap();
        let durability = Arc::new(Durability::new(MOST_WAITING));
        let disk = disk_of(&path).unwrap();
        let writer = Writer::new(connection, disk, Place::of(&path).unwrap(), Ambient::system(), durability.clone());
        Self { _folder: folder, path, writer: Arc::new(Mutex::new(writer)), durability }
    }

    fn thread(&self, disk: impl Disk + 'static) -> WriterThread {
        let place = Place::of(&self.path).unwrap();
        WriterThread::new(self.writer.clone(), disk, place, self.durability.clone(), Arc::default())
    }

    /// Reads the number of rows, as a reader's thread does.
    fn read(&self) -> oneshot::Receiver<Outcome> {
        let (call, outcome) = call(Kind::Read, rows);
        let queue = queue_of(vec![call]);
        queue.close();
        let (connection, place) = (open::reader(&self.path).unwrap(), Place::of(&self.path).unwrap());
        reader::run(&connection, &place, &self.durability, &queue, &Ambient::system());
        outcome
    }
}

fn queue_of(calls: Vec<Box<dyn Call>>) -> Queue<Box<dyn Call>> {
    let queue = Queue::new(calls.len());
    queue.join();
    for call in calls {
        assert!(queue.push(call).is_ok());
    }
    queue
}

/// A disk that says when it is asked, does what it is told, and fails when nobody is there any more.
struct Told {
    asked: mpsc::Sender<()>,
    told: mpsc::Receiver<io::Result<()>>,
}

impl Disk for Told {
    fn sync(&mut self) -> io::Result<()> {
        self.asked.send(()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        self.told.recv().map_err(|_| io::ErrorKind::BrokenPipe)?
    }
}

/// A disk that counts.
#[derive(Clone, Default)]
struct Counting(Arc<AtomicUsize>);

impl Disk for Counting {
    fn sync(&mut self) -> io::Result<()> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

struct Broken;

impl Disk for Broken {
    fn sync(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

fn call(
    kind: Kind,
    operation: impl Fn(&mut Tx<'_>) -> Outcome + Send + 'static,
) -> (Box<dyn Call>, oneshot::Receiver<Outcome>) {
    let (caller, outcome) = oneshot::channel();
    (Box::new(Operation::new("test", kind, operation, caller)), outcome)
}

fn rows(tx: &mut Tx<'_>) -> Outcome {
    Ok(tx.find("SELECT count(*) FROM rate_window", &[], |row| row.get::<i64>(0))?.unwrap_or_default())
}

fn insert(tx: &mut Tx<'_>) -> Outcome {
    let id: kernel::id::JobId = tx.ambient().id();
    let insert = "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, 0, 0)";
    tx.execute(insert, &[&id.to_string().as_str()])?;
    rows(tx)
}

fn insert_and_fail(tx: &mut Tx<'_>) -> Outcome {
    insert(tx)?;
    Err(StoreError::Check)
}

/// Has a thread serve calls.
fn serve<const N: usize>(thread: &mut WriterThread, calls: [(Kind, Act); N]) -> [oneshot::Receiver<Outcome>; N] {
    let mut waiting = Vec::new();
    let outcomes = calls.map(|(kind, operation)| {
        let (call, outcome) = call(kind, operation);
        waiting.push(call);
        outcome
    });
    thread.serve(&queue_of(waiting));
    outcomes
}

fn serve_one(thread: &mut WriterThread, kind: Kind, operation: Act) -> Outcome {
    let [mut outcome] = serve(thread, [(kind, operation)]);
    outcome.try_recv().unwrap()
}

fn lock(writer: &Mutex<Writer>) -> std::sync::MutexGuard<'_, Writer> {
    writer.lock().unwrap()
}

fn has_no_answer(outcome: &mut oneshot::Receiver<Outcome>) -> bool {
    matches!(outcome.try_recv(), Err(TryRecvError::Empty))
}

/// While a commit is on its way to a disk that is told `result`, has `meanwhile` done. Gives what the commit's caller gets.
fn while_syncing(rig: &Rig, result: io::Result<()>, meanwhile: impl FnOnce()) -> Outcome {
    let (asked, is_asked) = mpsc::channel();
    let (tell, told) = mpsc::channel();
    let mut first = rig.thread(Told { asked, told });
    // What fails in here drops the sender, and the disk fails too instead of waiting for ever.
    std::thread::scope(move |scope| {
        let (call, mut outcome) = call(Kind::Write, insert);
        let serving = scope.spawn(move || first.serve(&queue_of(vec![call])));
        is_asked.recv().unwrap();
        assert!(has_no_answer(&mut outcome), "it is not durable");
        meanwhile();
        tell.send(result).unwrap();
        drop(tell);
        serving.join().unwrap();
        outcome.try_recv().unwrap()
    })
}

#[test]
fn nobody_hears_of_a_commit_that_is_not_durable_and_who_needs_no_disk_does_not_wait() {
    let rig = Rig::new();
    let mut waiting = Vec::new();
    let written = while_syncing(&rig, Ok(()), || {
        let mut second = rig.thread(Broken);
        let delayed = serve_one(&mut second, Kind::DelayedClaim, insert);
        assert_eq!(delayed.unwrap(), 2, "it is there for all who write, and was not synced");
        let [unchanged] = serve(&mut second, [(Kind::Claim, rows)]);
        let [failed] = serve(&mut second, [(Kind::Write, insert_and_fail)]);
        let [replayed] = serve(&mut second, [(Kind::DelayedClaim, rows)]);
        waiting.extend([rig.read(), unchanged, failed, replayed]);
        assert!(waiting.iter_mut().all(has_no_answer), "what they say follows from it");
    });
    assert_eq!(written.unwrap(), 1);
    let [read, unchanged, failed, replayed] = [0, 1, 2, 3].map(|at| waiting[at].try_recv().unwrap());
    assert_eq!((read.unwrap(), unchanged.unwrap(), replayed.unwrap()), (2, 2, 2));
    assert!(matches!(failed, Err(StoreError::Check)));
    assert!(!rig.durability.has_gap());
    assert_eq!(rig.read().try_recv().unwrap().unwrap(), 2, "now there is nothing to wait for");
}

#[test]
fn who_waits_for_a_disk_that_nobody_asks_any_more_is_refused() {
    let rig = Rig::new();
    let mut reads = Vec::new();
    while_syncing(&rig, Ok(()), || {
        reads.push(rig.read());
        assert!(has_no_answer(&mut reads[0]));
        rig.durability.break_off().for_each(|call| call.refuse(StoreError::Unavailable));
        reads.push(rig.read());
        let refused = reads.iter_mut().map(|read| read.try_recv().unwrap());
        assert!(refused.into_iter().all(|read| matches!(read, Err(StoreError::Unavailable))));
    })
    .unwrap();
    assert_eq!(rig.read().try_recv().unwrap().unwrap(), 1, "what is durable is read all the same");
}

#[test]
fn the_other_thread_refuses_what_waits_after_a_panic_with_the_connection() {
    let rig = Rig::new();
    let (mut first, mut second) = (rig.thread(Counting::default()), rig.thread(Counting::default()));
    let panicked = std::thread::scope(|scope| {
        scope.spawn(|| first.serve(&queue_of(vec![Box::new(Panicking) as Box<dyn Call>]))).join()
    });
    assert!(panicked.is_err());
    assert!(matches!(serve_one(&mut second, Kind::Write, insert), Err(StoreError::Unavailable)));
}

/// Breaks the promise of [`Call::run`].
struct Panicking;

impl Call for Panicking {
    fn name(&self) -> &'static str {
        "test"
    }

    fn kind(&self) -> Kind {
        Kind::Write
    }

    fn submitted_at(&self) -> std::time::Instant {
        meter::now()
    }

    fn is_abandoned(&self) -> bool {
        false
    }

    fn run(&mut self, _: &mut Tx<'_>) -> Verdict {
        panic!("a panic that the test wants")
    }

    fn answer(self: Box<Self>) {}

    fn refuse(self: Box<Self>, _: StoreError) {}
}

#[test]
fn a_commit_waits_for_its_own_sync_and_not_for_the_next_ones() {
    let rig = Rig::new();
    let first = while_syncing(&rig, Ok(()), || {
        let (call, mut outcome) = call(Kind::Write, insert);
        let mut group = Group::default();
        lock(&rig.writer).run_group(&mut std::iter::once(call).peekable(), &mut group).unwrap();
        assert!(has_no_answer(&mut outcome), "it is committed, and nobody has synced it");
    });
    assert_eq!(first.unwrap(), 1);
}

#[test]
fn only_so_many_calls_wait_for_the_disk_whose_callers_are_there() {
    let rig = Rig::new();
    let mut reads = Vec::new();
    while_syncing(&rig, Ok(()), || {
        drop(rig.read());
        reads.extend((0..=MOST_WAITING).map(|_| rig.read()));
    })
    .unwrap();
    let mut outcomes = reads.iter_mut().map(|read| read.try_recv().unwrap());
    assert!(outcomes.by_ref().take(MOST_WAITING).all(|outcome| outcome.unwrap() == 1));
    assert!(matches!(outcomes.next(), Some(Err(StoreError::Unavailable))));
}

#[test]
fn while_many_are_on_their_way_to_the_disk_others_gather() {
    let rig = Rig::new();
    for (last, is_held) in [(FEW, false), (FEW + 1, true), (1, false)] {
        lock(&rig.writer).last = last;
        while_syncing(&rig, Ok(()), || assert_eq!(rig.writer.try_lock().is_err(), is_held)).unwrap();
    }
    assert_eq!(lock(&rig.writer).last, 1);
    let is_busy = |count| lock(&rig.writer).is_busy(count);
    assert_eq!([1, FEW, FEW + 1, 1, 1].map(is_busy), [false, false, true, true, false]);
}

#[test]
fn what_is_synced_is_the_log_that_is_written_to() {
    let rig = Rig::new();
    let log = || disk_of(&rig.path).unwrap().metadata().unwrap().len();
    let before = log();
    serve_one(&mut rig.thread(disk_of(&rig.path).unwrap()), Kind::Write, insert).unwrap();
    assert!(log() > before);
}

#[test]
fn a_delayed_claim_is_answered_before_the_writes_that_wait_with_it() {
    let rig = Rig::new();
    let (asked, is_asked) = mpsc::channel();
    let (tell, told) = mpsc::channel();
    let mut thread = rig.thread(Told { asked, told });
    std::thread::scope(move |scope| {
        let ((write, written), (delayed, mut claimed)) = (call(Kind::Write, insert), call(Kind::DelayedClaim, insert));
        scope.spawn(move || thread.serve(&queue_of(vec![write, delayed])));
        is_asked.recv().unwrap();
        assert_eq!(claimed.try_recv().unwrap().unwrap(), 1);
        tell.send(Ok(())).unwrap();
        assert_eq!(written.blocking_recv().unwrap().unwrap(), 2);
    });
}

#[test]
fn one_sync_is_for_all_that_was_committed_before_and_what_leaves_nothing_needs_none() {
    let (rig, disk) = (Rig::new(), Counting::default());
    let syncs = || disk.0.load(Ordering::SeqCst);
    let mut thread = rig.thread(disk.clone());
    serve_one(&mut thread, Kind::DelayedClaim, insert).unwrap();
    assert!(serve_one(&mut thread, Kind::Write, insert_and_fail).is_err());
    assert_eq!(serve_one(&mut thread, Kind::Claim, rows).unwrap(), 1);
    assert!(syncs() == 0 && rig.durability.is_behind());
    serve_one(&mut thread, Kind::Write, insert).unwrap();
    assert!(syncs() == 1 && !rig.durability.is_behind());
    let together = serve(&mut thread, [(Kind::Write, insert), (Kind::Write, insert_and_fail), (Kind::Claim, insert)]);
    let [first, failed, third] = together.map(|mut outcome| outcome.try_recv().unwrap());
    assert_eq!((first.unwrap(), third.unwrap(), syncs()), (3, 4, 2));
    assert!(matches!(failed, Err(StoreError::Check)));

    let mut group = Group::default();
    let (call, mut outcome) = call(Kind::Write, insert);
    lock(&rig.writer).run_group(&mut std::iter::once(call).peekable(), &mut group).unwrap();
    serve_one(&mut thread, Kind::Write, insert).unwrap();
    let mut other = rig.thread(Broken);
    let kept = other.keep(group.commit);
    other.answer(group, kept.is_ok());
    assert_eq!((outcome.try_recv().unwrap().unwrap(), syncs()), (5, 3), "the next one's was for this one too");
}

#[test]
fn when_the_disk_fails_its_writers_are_told_and_nothing_is_written_before_the_log_begins_anew() {
    let rig = Rig::new();
    let (mut read, mut unchanged) = (None, None);
    let mut second = rig.thread(Broken);
    let written = while_syncing(&rig, Err(io::ErrorKind::StorageFull.into()), || {
        let [claim] = serve(&mut second, [(Kind::Claim, rows)]);
        (read, unchanged) = (Some(rig.read()), Some(claim));
    });
    assert!(matches!(written, Err(StoreError::Unavailable)));
    assert!(
        matches!(unchanged.unwrap().try_recv().unwrap(), Err(StoreError::Unavailable)),
        "nor is it sure for others"
    );
    assert_eq!(read.unwrap().try_recv().unwrap().unwrap(), 1, "whoever reads is not kept waiting for a broken disk");
    assert!(rig.durability.has_gap());

    let snapshot = open::reader(&rig.path).unwrap();
    snapshot.control("BEGIN").unwrap();
    snapshot.raw().query_row("SELECT count(*) FROM rate_window", [], |row| row.get::<_, i64>(0)).unwrap();
    let refused = serve_one(&mut second, Kind::DelayedClaim, insert);
    assert!(matches!(refused, Err(StoreError::Unavailable)), "the log is still read");
    snapshot.control("COMMIT").unwrap();
    let refused = serve_one(&mut second, Kind::Write, insert);
    assert!(matches!(refused, Err(StoreError::Unavailable)), "the system tells each thread of the failure");
    let mut third = rig.thread(Counting::default());
    assert_eq!(serve_one(&mut third, Kind::Claim, rows).unwrap(), 2, "all of it is in the database file");
    assert_eq!(serve_one(&mut third, Kind::Write, insert).unwrap(), 3, "what was not durable was not lost");
    assert!(!rig.durability.has_gap());
}

#[test]
fn behind_a_gap_that_another_thread_has_met_nothing_is_durable() {
    let rig = Rig::new();
    let mut second = rig.thread(Counting::default());
    let mut group = Group::default();
    let (call, mut outcome) = call(Kind::Write, insert);
    let first = while_syncing(&rig, Err(io::ErrorKind::StorageFull.into()), || {
        // It has begun before the gap is known.
        lock(&rig.writer).run_group(&mut std::iter::once(call).peekable(), &mut group).unwrap();
    });
    assert!(first.is_err());
    let kept = second.keep(group.commit);
    second.answer(group, kept.is_ok());
    assert!(matches!(outcome.try_recv().unwrap(), Err(StoreError::Unavailable)), "the disk says that all is well");
    assert_eq!(serve_one(&mut second, Kind::Write, insert).unwrap(), 3);
    assert!(!rig.durability.has_gap());
}

#[test]
fn sqlite_itself_syncs_no_commit() {
    let rig = Rig::new();
    let writer = lock(&rig.writer);
    let level: i64 = writer.connection.raw().query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap();
    assert_eq!(level, 1, "NORMAL: the beginning of a log and checkpoints are synced still");
}

#[test]
fn a_commit_that_fails_behind_some_that_are_not_durable_leaves_a_gap_and_keeps_nobody_waiting() {
    let rig = Rig::new();
    let table = "CREATE TABLE child (parent TEXT REFERENCES rate_window (subject) DEFERRABLE INITIALLY DEFERRED)";
    lock(&rig.writer).connection.raw().execute_batch(table).unwrap();
    let orphan: Act = |tx| {
        tx.execute("INSERT INTO child (parent) VALUES ('nobody')", &[])?;
        Ok(0)
    };
    let mut thread = rig.thread(Counting::default());
    assert!(matches!(serve_one(&mut thread, Kind::Write, orphan), Err(StoreError::Unavailable)));
    assert!(!rig.durability.has_gap(), "there was nothing to lose");
    serve_one(&mut thread, Kind::DelayedClaim, insert).unwrap();
    assert!(matches!(serve_one(&mut thread, Kind::DelayedClaim, orphan), Err(StoreError::Unavailable)));
    assert!(rig.durability.has_gap());
    assert_eq!(serve_one(&mut thread, Kind::Write, insert).unwrap(), 2);
    assert!(!rig.durability.has_gap());
    assert!(matches!(serve_one(&mut thread, Kind::Write, orphan), Err(StoreError::Unavailable)));
    assert_eq!(rig.read().try_recv().unwrap().unwrap(), 2);
}

/// The last commit may become durable while a call that may have seen it is about to wait.
#[test]
fn no_answer_is_left_behind() {
    const ROUNDS: usize = 20_000;
    let (ambient, connection) = (Ambient::system(), Connection::new(rusqlite::Connection::open_in_memory().unwrap()));
    let (mut calls, mut outcomes, mut rounds) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (mut call, outcome) = call(Kind::Read, |_| Ok(1));
        call.run(&mut Tx::sqlite(&connection, Kind::Read, &ambient));
        let durability = Durability::new(1);
        durability.end(durability.begin(true));
        calls.push(call);
        outcomes.push(outcome);
        rounds.push((durability, AtomicUsize::new(0)));
    }
    let mut meter = Meter::new("test");
    let meet = |arrived: &AtomicUsize| {
        arrived.fetch_add(1, Ordering::SeqCst);
        while arrived.load(Ordering::SeqCst) < 2 {
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for (durability, arrived) in &rounds {
                meet(arrived);
                durability.reach(1, &mut Counting::default()).unwrap();
            }
        });
        for ((durability, arrived), call) in rounds.iter().zip(calls) {
            meet(arrived);
            durability.answer(call, 1, &mut meter);
        }
    });
    assert!(outcomes.into_iter().all(|mut outcome| outcome.try_recv().is_ok()));
}
