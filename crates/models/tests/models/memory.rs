//! What a call holds while its answer comes.
#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::time::Duration;

use kernel::model::{Model as _, Part, Picture, Prompt, Turn};
use models::{Protocol, Settings};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::stage::{open, prompt, provider, settings};

const PICTURE: usize = 3 * 1024 * 1024;
const CALLS: usize = 24;

/// Reads a request to its end and forgets it, begins an answer, and says so.
async fn begin_to_answer(stream: TcpStream, begun: mpsc::UnboundedSender<TcpStream>) {
    let mut stream = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while stream.read_line(&mut line).await.unwrap() > 2 {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    tokio::io::copy(&mut (&mut stream).take(length), &mut tokio::io::sink()).await.unwrap();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {\"choices\": []}\n\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    begun.send(stream.into_inner()).unwrap();
}

/// Of this process, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[tokio::test]
async fn calls_that_wait_for_their_answers_hold_no_requests_with_pictures() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (begun, mut begins) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(begin_to_answer(stream, begun.clone()));
        }
    });
    let timeout = Duration::from_secs(600);
    let models = Arc::new(open(Settings { timeout, ..settings(provider("first", Protocol::Chat, &url)) }));
    let picture = Picture::new("image/png", vec![7; PICTURE].into());
    let turns = vec![Turn::User(vec![Part::Picture(picture), Part::Text("What is it?".to_owned())])];
    let prompt = Arc::new(Prompt { turns, ..prompt("") });

    let (mut before, mut open) = (0, Vec::new());
    for nth in 0..=CALLS {
        let (models, prompt) = (models.clone(), prompt.clone());
        tokio::spawn(async move { models.answer(&prompt).await.is_ok() });
        open.push(begins.recv().await.unwrap());
        if nth == 0 {
            before = resident();
        }
    }
    let held = resident().saturating_sub(before);
    assert!(held < CALLS * PICTURE / 2, "{held} bytes for {CALLS} calls");
}
