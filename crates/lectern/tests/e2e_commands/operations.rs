//! What an operator's tools see: readiness while the process ends, the log, the metrics.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::place::{Place, Server, stderr, text};

/// Longer than any test waits: what ends within it was not waited for.
const LONG: &str = "1h";
/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks until an answer fits.
fn poll(server: &Server, path: &str, fits: impl Fn(&str) -> bool) -> String {
    let started = Instant::now();
    loop {
        let answer = server.get(path, "");
        if fits(&answer) {
            return answer;
        }
        assert!(started.elapsed() < PATIENCE, "{path}: {answer}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_draining_service_is_not_ready_and_still_answers_until_a_second_signal() {
    let place = Place::new().with("LECTERN_DRAIN_PERIOD", LONG);
    let server = place.serve();
    assert!(server.get("/readyz", "").starts_with("HTTP/1.1 200"));
    server.signal("TERM");
    let answer = poll(&server, "/readyz", |answer| answer.starts_with("HTTP/1.1 503"));
    assert!(answer.contains("\"draining\""), "{answer}");
    assert!(server.get("/healthz", "").starts_with("HTTP/1.1 200"), "a new connection is accepted and answered");
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(130));
}

#[test]
fn the_listener_closes_when_the_drain_period_is_over() {
    let (code, log) = Place::new().with("LECTERN_DRAIN_PERIOD", "10ms").serve().terminate();
    assert_eq!(code, Some(0), "{log}");
    let at = |text: &str| log.find(text).unwrap_or_else(|| panic!("{text}: {log}"));
    assert!(at("draining") < at("shutting down"), "{log}");
}

#[test]
fn a_person_at_a_terminal_and_a_worker_do_not_wait_for_the_drain_period() {
    for (role, signal) in [("all", "INT"), ("worker", "TERM")] {
        let place = Place::new().with("LECTERN_DRAIN_PERIOD", LONG);
        let server = place.serve_as(role);
        server.signal(signal);
        let (code, log) = server.ended();
        assert_eq!(code, Some(0), "{role}: {log}");
    }
}

#[test]
fn the_root_is_a_page_where_pages_are_served_and_nothing_at_a_worker() {
    let place = Place::new();
    let server = place.serve_as("api");
    assert!(server.get("/", "").contains("\"status\":\"ready\""));
    assert_eq!(server.terminate().0, Some(0));
    let worker = place.serve_as("worker");
    for path in ["/", "/favicon.ico"] {
        assert!(worker.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn probes_and_scrapes_are_logged_at_debug_only() {
    let paths = ["/healthz", "/readyz", "/metrics"];
    for (filter, expected) in [("info", 0), ("info,http=debug", 1)] {
        let place = Place::new().with("LECTERN_LOG", filter);
        let server = place.serve();
        for path in paths.iter().chain(&["/nowhere"]) {
            server.get(path, "");
        }
        let (_, log) = server.terminate();
        let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let count = |path: &str| lines.iter().filter(|line| line["target"] == "http" && line["path"] == path).count();
        assert_eq!(paths.map(count), [expected; 3], "{filter}: {log}");
        assert_eq!(count("/nowhere"), 1, "{log}");
    }
}

#[test]
fn the_metrics_pass_promtool() {
    let promtool = std::env::var("LECTERN_TEST_PROMTOOL").expect("scripts/promtool prints it");
    let place = Place::new();
    let made = place.json(&["init", "--json"]);
    let server = place.serve();
    for path in ["/v1/content/classrooms", "/nowhere"] {
        server.get(path, text(&made["contentApiKey"]));
    }
    let has_all =
        |answer: &str| answer.contains("lectern_jobs_oldest_due_age_seconds") && answer.contains("process_open_fds");
    let answer = poll(&server, "/metrics", has_all);
    let scraped = answer.split_once("\r\n\r\n").unwrap().1;
    for part in [
        "lectern_build_info{version=\"",
        "lectern_http_request_duration_seconds_count{method=\"GET\",route=\"/v1/content/classrooms\",status=\"2xx\"}",
        "lectern_webhook_deliveries_pending 0",
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
    ] {
        assert!(scraped.contains(part), "{part}: {scraped}");
    }
    let names = scraped.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in names {
        assert!(line.starts_with("lectern_") || line.starts_with("process_"), "{line}");
    }
    let mut command = Command::new(promtool);
    command.args(["check", "metrics"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(scraped.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn a_log_filter_and_an_address_that_can_not_work_stop_the_start_and_the_doctor_tells() {
    for (variable, value, said) in [
        ("LECTERN_LOG", "infoo", "match nothing that is logged"),
        ("LECTERN_LISTEN", "lectern.example:8080", "names a host and must be an IP address and a port"),
    ] {
        let place = Place::new().with(variable, value);
        let serve = place.run(&["serve"]);
        assert_eq!(serve.status.code(), Some(1));
        assert!(stderr(&serve).contains(variable) && stderr(&serve).contains(said), "{}", stderr(&serve));
        let doctor = place.run(&["doctor"]);
        let found = String::from_utf8_lossy(&doctor.stdout);
        assert_eq!(doctor.status.code(), Some(1));
        assert!(found.contains(variable) && found.contains(said), "{found}");
    }
    let partly = Place::new().with("LECTERN_LOG", "info,htpp=debug").json(&["doctor", "--json"]);
    let unused = partly.as_array().unwrap().iter().find(|one| one["check"] == "unused setting").unwrap();
    assert!(text(&unused["message"]).starts_with("htpp in LECTERN_LOG has no effect"), "{unused}");
}

#[test]
fn the_doctor_finds_a_data_folder_that_can_not_be_written_or_made() {
    // Nobody writes there, not even the superuser.
    for (folder, said) in
        [("/proc", "/proc can't be written"), ("/proc/lectern/data", "can't be made: /proc can't be written")]
    {
        let output = Place::new().with("LECTERN_DATA_DIR", folder).run(&["doctor", "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
        let finding = findings.as_array().unwrap().iter().find(|one| one["check"] == "data folder").unwrap();
        assert_eq!(finding["verdict"], "wrong", "{finding}");
        assert!(text(&finding["message"]).contains(said), "{finding}");
    }
}
