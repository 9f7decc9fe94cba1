//! Every fault, in every protocol.

use std::time::Duration;

use futures_util::future::join_all;
use kernel::model::{ModelError, Reply};
use models::{Protocol, Settings};
use testkit::model::{FakeModel, Line};

use crate::stage::{ANSWER, PROTOCOLS, TIMEOUT, ask, open, settings_for};

/// For those who are waited for.
const SHORT: Duration = Duration::from_millis(500);
const UNAVAILABLE: ModelError = ModelError::Unavailable { retry_after: None };
const BUSY: ModelError = ModelError::Busy { retry_after: None };

fn say() -> Line {
    Line::say(ANSWER)
}

/// Asks each of these models once, in each protocol, all at the same time.
async fn ends_in<T: PartialEq + std::fmt::Debug>(
    timeout: Duration,
    cases: Vec<(Line, T)>,
    look: impl Fn(Result<Reply, ModelError>) -> T + Copy,
) {
    let all = cases.iter().flat_map(|(line, expected)| PROTOCOLS.map(|protocol| (protocol, line, expected)));
    let runs = all.map(async |(protocol, line, expected): (Protocol, &Line, &T)| {
        let model = FakeModel::saying([line.clone()]).await;
        let models = open(Settings { timeout, ..settings_for(protocol, &model) });
        let found = look(ask(&models).await);
        assert_eq!(found, *expected, "{protocol:?} {line:?}");
    });
    join_all(runs).await;
}

fn error(result: Result<Reply, ModelError>) -> Option<ModelError> {
    result.err()
}

#[tokio::test]
async fn an_answer_is_whole_however_it_comes() {
    let lines = [
        say(),
        say().plain(),
        say().torn_into(1),
        say().torn_into(7),
        say().plain().torn_into(3),
        say().thinking("Let me count: {\"points\": 9}"),
        say().plain().thinking("Hm."),
        say().after(Duration::from_millis(50)),
        say().at_pace(Duration::from_millis(2)),
    ];
    let text = |result: Result<Reply, ModelError>| result.map(|reply| reply.text);
    ends_in(TIMEOUT, lines.into_iter().map(|line| (line, Ok(ANSWER.to_owned()))).collect(), text).await;
}

#[tokio::test]
async fn what_takes_too_long_times_out() {
    let lines = [
        Line::silence(),
        say().after(Duration::from_secs(60)),
        say().stalled_after(0),
        say().stalled_after(3),
        say().at_pace(Duration::from_secs(30)),
    ];
    ends_in(SHORT, lines.into_iter().map(|line| (line, Some(ModelError::TimedOut))).collect(), error).await;
}

#[tokio::test]
async fn a_part_of_an_answer_is_none() {
    let lines = [
        say().reset_after(0),
        say().reset_after(3),
        say().closed_after(0),
        say().closed_after(3),
        say().cut_after(3),
        say().failed_after(3),
        say().plain().closed_after(2),
        Line::noise(),
        Line::raw(200, "text/event-stream", "data: [DONE]\n\n"),
    ];
    ends_in(TIMEOUT, lines.into_iter().map(|line| (line, Some(UNAVAILABLE))).collect(), error).await;
}

#[tokio::test]
async fn each_status_has_its_failure() {
    let after = |seconds| Some(Duration::from_secs(seconds));
    let cases = [
        (Line::error(429, "slow down"), BUSY),
        (Line::error(429, "x").with_header("retry-after", "7"), ModelError::Busy { retry_after: after(7) }),
        (
            Line::error(429, "x").with_header("retry-after", "Sun, 22 Nov 2026 08:01:00 GMT"),
            ModelError::Busy { retry_after: after(60) },
        ),
        (Line::error_of(429, "insufficient_quota", "You exceeded your current quota"), ModelError::Misconfigured),
        (Line::error(500, "oops"), UNAVAILABLE),
        (Line::error(503, "x").with_header("retry-after", "3"), ModelError::Unavailable { retry_after: after(3) }),
        (Line::error(529, "Overloaded"), UNAVAILABLE),
        (Line::raw(502, "text/html", "<html>Bad Gateway</html>"), UNAVAILABLE),
        (Line::error(401, "Incorrect API key"), ModelError::Misconfigured),
        (Line::error(403, "no"), ModelError::Misconfigured),
        (Line::error(404, "The model `small-1` does not exist"), ModelError::Misconfigured),
        (Line::raw(404, "text/plain", "404 page not found"), ModelError::Misconfigured),
        (Line::raw(307, "text/plain", "").with_header("location", "/v2"), ModelError::Misconfigured),
        (Line::error(400, "no idea"), ModelError::Misconfigured),
        (Line::error(413, "too large"), ModelError::TooLong),
        (Line::error_of(400, "context_length_exceeded", "maximum context length is 8192"), ModelError::TooLong),
        (Line::error(400, "prompt is too long: 300000 tokens > 200000 maximum"), ModelError::TooLong),
    ];
    ends_in(TIMEOUT, cases.into_iter().map(|(line, expected)| (line, Some(expected))).collect(), error).await;
}

#[tokio::test]
async fn what_the_model_ends_with_is_told_apart() {
    let cases = [
        (Line::refuse("I can't help with that."), ModelError::Declined),
        (Line::refuse("I can't help with that.").plain(), ModelError::Declined),
        (Line::filtered(), ModelError::Declined),
        (Line::filtered().plain(), ModelError::Declined),
        (Line::cut_off("{\"points\": "), ModelError::CutOff),
        (Line::cut_off("{\"points\": ").plain(), ModelError::CutOff),
        (Line::say("  \n"), ModelError::Unreadable),
    ];
    ends_in(TIMEOUT, cases.into_iter().map(|(line, expected)| (line, Some(expected))).collect(), error).await;
}

#[tokio::test]
async fn what_is_no_answer_of_the_protocol_is_unreadable() {
    let nested = format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let lines = [
        Line::raw(200, "application/json", "{\"hello\": \"world\"}"),
        Line::raw(200, "application/json", "{\"choices\": 7, \"output\": null, \"content\": {}}"),
        Line::raw(200, "application/json", "{\"choices\": ["),
        Line::raw(200, "text/html", "<html>Welcome</html>"),
        Line::raw(200, "text/plain", ""),
        Line::raw(200, "text/event-stream", "data: {\"choices\": [\n\n"),
        Line::raw(200, "text/event-stream", b"data: \xff\xfe\n\n".to_vec()),
        Line::raw(200, "application/json", nested.clone()),
        Line::raw(200, "text/event-stream", format!("data: {nested}\n\n")),
        Line::endless(),
        Line::say("x".repeat(1_000_000)),
        Line::say("x".repeat(1_000_000)).plain(),
    ];
    ends_in(TIMEOUT, lines.into_iter().map(|line| (line, Some(ModelError::Unreadable))).collect(), error).await;
}

#[tokio::test]
async fn hostile_text_is_handed_on_as_it_is() {
    let texts =
        ["{\"a\": \"\0\u{1b}[31m\u{202e}\"}".to_owned(), "[".repeat(2_000), "data: [DONE]\n\n\"'</script>".to_owned()];
    for text in texts {
        for protocol in [Protocol::Chat, Protocol::Responses, Protocol::Messages] {
            let model = FakeModel::saying([Line::say(&text)]).await;
            let reply = ask(&open(settings_for(protocol, &model))).await.unwrap();
            assert_eq!(reply.text, text);
        }
    }
}

#[tokio::test]
async fn an_address_where_nobody_is_is_unavailable() {
    for protocol in PROTOCOLS {
        let model = FakeModel::saying([say()]).await;
        let settings = settings_for(protocol, &model);
        let models = open(settings);
        let port = model.url();
        drop(model);
        // The listener closes with its task.
        while std::net::TcpStream::connect(port.trim_start_matches("http://").trim_end_matches("/v1")).is_ok() {
            tokio::task::yield_now().await;
        }
        assert_eq!(ask(&models).await.unwrap_err(), UNAVAILABLE);
    }
}
