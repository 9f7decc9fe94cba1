use std::net::IpAddr;
use std::ops::Range;

use futures_util::future::BoxFuture;
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use proptest::prelude::*;

use super::*;

const MEMORY: u64 = 4 * 1024 * 1024;
const DISK: u64 = 64 * 1024 * 1024;

fn responses() -> Responses {
    Responses::new(ResponseLimits { memory_bytes: MEMORY, disk_bytes: DISK, ..ResponseLimits::default() })
}

fn holder(n: u8) -> Holder {
    Holder { tenant: Some(format!("t{n}").into()), address: Some(IpAddr::from([192, 0, 2, n]).into()) }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| u8::try_from(n % 251).unwrap()).collect()
}

async fn read(body: Body) -> Vec<u8> {
    body.collect().await.unwrap().to_bytes().to_vec()
}

#[tokio::test]
async fn what_a_request_has_done_is_answered_even_where_there_is_no_room() {
    let responses = responses();
    let full: Vec<_> = (1..=4).map(|n| responses.0.disk.charge(&holder(n), DISK / 4).unwrap()).collect();
    let memory: Vec<_> = (1..=4).map(|n| responses.0.memory.charge(&holder(n), MEMORY / 4).unwrap()).collect();
    assert!(responses.hold(bytes(100_000).into(), holder(9)).await.is_err());
    let body = responses.hold_beyond(bytes(100_000).into(), holder(9)).await;
    assert_eq!(responses.held_bytes(), (MEMORY, DISK + 100_000), "in a file, and charged");
    assert_eq!(read(body).await, bytes(100_000));
    drop((full, memory));
    assert_eq!(responses.held_bytes(), (0, 0));
}

#[tokio::test]
async fn a_small_response_is_not_charged() {
    let responses = responses();
    let body = responses.hold(bytes(SMALL_BYTES).into(), holder(1)).await.unwrap();
    assert_eq!(responses.held_bytes(), (0, 0));
    assert_eq!(read(body).await, bytes(SMALL_BYTES));
}

#[tokio::test]
async fn a_response_in_memory_is_charged_until_it_is_read() {
    let responses = responses();
    let body = responses.hold(bytes(100_000).into(), holder(1)).await.unwrap();
    assert_eq!(responses.held_bytes(), (100_000, 0));
    assert_eq!(body.size_hint().exact(), Some(100_000));
    assert_eq!(read(body).await, bytes(100_000));
    assert_eq!(responses.held_bytes(), (0, 0));
}

#[tokio::test]
async fn what_has_no_room_in_memory_waits_in_a_file() {
    let responses = responses();
    let mut bodies = Vec::new();
    for _ in 0..20 {
        bodies.push(responses.hold(bytes(300_000).into(), holder(1)).await.unwrap());
    }
    // A quarter of the memory is the most for one tenant: three of these, and seventeen in files.
    assert_eq!(responses.held_bytes(), (3 * 300_000, 17 * 300_000));
    for body in bodies {
        assert_eq!(read(body).await, bytes(300_000));
    }
    assert_eq!(responses.held_bytes(), (0, 0));
}

#[tokio::test]
async fn a_holder_without_room_is_refused_and_the_next_one_is_not() {
    let responses = responses();
    let hold = async |n| responses.hold(bytes(10_000_000).into(), holder(n)).await;
    let mut held = vec![hold(1).await.unwrap()];
    assert!(matches!(hold(1).await, Err(Problem::TooManyRequests { .. })));
    responses.check_room(&holder(1)).unwrap();
    for n in 2..=6 {
        held.push(hold(n).await.unwrap());
    }
    assert!(matches!(hold(7).await, Err(Problem::NotReady { .. })), "the disk has no room for anybody");
    held.clear();
    assert_eq!(responses.held_bytes(), (0, 0), "what is not read is given back, and what was refused too");
    drop(hold(1).await.unwrap());
}

#[tokio::test]
async fn a_folder_that_is_gone_makes_large_responses_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let responses = Responses::new(ResponseLimits::in_folder(folder.path()));
    drop(folder);
    let refused = responses.hold(bytes(2_000_000).into(), holder(1)).await;
    assert!(matches!(refused, Err(Problem::Unavailable(_))));
    assert_eq!(responses.held_bytes(), (0, 0));
}

/// A source of known bytes, and how much of it is in the hands of its reader.
struct Known(Vec<u8>);

impl PieceSource for Known {
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, std::io::Result<Bytes>> {
        let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
        let piece = self.0.get(range).map(Bytes::copy_from_slice);
        Box::pin(async move { piece.ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into()) })
    }
}

#[tokio::test]
async fn pieces_are_small_where_their_holder_has_no_room() {
    let responses = responses();
    let _hog = responses.0.memory.charge(&holder(1), MEMORY / 4).unwrap();
    for (n, expected) in [(1, SMALL_BYTES), (2, LARGE_PIECE_BYTES)] {
        let mut body = Pieces::new(responses.clone(), holder(n), Known(bytes(1_000_000)), 0..1_000_000);
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(first.len(), expected);
    }
}

/// A source of which each read costs much.
struct Far(Known);

impl PieceSource for Far {
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, std::io::Result<Bytes>> {
        self.0.read(range)
    }

    fn small_piece_bytes(&self) -> u64 {
        50_000
    }
}

#[tokio::test]
async fn small_pieces_of_a_source_that_is_far_away_are_as_long_as_it_says() {
    let responses = responses();
    let _hog = responses.0.memory.charge(&holder(1), MEMORY / 4).unwrap();
    let mut body = Pieces::new(responses.clone(), holder(1), Far(Known(bytes(120_000))), 0..120_000);
    let mut lengths = Vec::new();
    while let Some(piece) = body.frame().await {
        lengths.push(piece.unwrap().into_data().unwrap().len());
    }
    assert_eq!(lengths, [50_000, 50_000, 20_000]);
}

#[tokio::test]
async fn a_source_that_ends_early_breaks_the_response_off() {
    let responses = responses();
    let body = Pieces::new(responses, holder(1), Known(bytes(10)), 0..20);
    assert!(Body::new(body).collect().await.is_err());
}

proptest! {
    // Each case writes megabytes.
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_what_is_sent_wherever_it_waits(
        parts in prop::collection::vec(0..200_000_usize, 0..20), taken in 0..=MEMORY / 4,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let responses = responses();
            let _taken = responses.0.memory.charge(&holder(1), taken).unwrap();
            let mut spool = responses.spool(holder(1));
            let mut expected = Vec::new();
            for part in parts {
                let part = bytes(part);
                spool.push(&part).unwrap();
                expected.extend(part);
                prop_assert!(spool.in_memory_bytes() <= MOST_IN_MEMORY_BYTES);
            }
            let held = spool.finish().unwrap();
            prop_assert_eq!(held.length(), expected.len() as u64);
            prop_assert_eq!(read(held.into_body()).await, expected);
            prop_assert_eq!(responses.held_bytes(), (taken, 0));
            Ok(())
        })?;
    }

    #[test]
    fn any_range_of_a_source_is_read_exactly(start in 0..700_000_u64, length in 0..700_000_u64, has_room in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let responses = responses();
            let _hog = (!has_room).then(|| responses.0.memory.charge(&holder(1), MEMORY / 4).unwrap());
            let end = (start + length).min(700_000);
            let body = Pieces::new(responses, holder(1), Known(bytes(700_000)), start..end);
            let expected = &bytes(700_000)[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
            prop_assert_eq!(&read(Body::new(body)).await, expected);
            Ok(())
        })?;
    }
}
