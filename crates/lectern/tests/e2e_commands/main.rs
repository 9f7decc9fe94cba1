//! The commands as a user runs them: the built program, in a folder of its own, by its output and exit code.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "tests have no configuration")]

mod comparison;
mod lti;
mod master_key;
mod operations;
mod place;
mod queues;
mod settings;
mod speech;
mod workspaces;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use self::place::{Place, stderr, text};

#[test]
fn init_makes_everything_once_and_finds_it_again() {
    let place = Place::new();
    let first = place.json(&["init", "--email", "A@example.com", "--json"]);
    assert_eq!(first["email"], "a@example.com");
    assert!(text(&first["contentApiKey"]).starts_with("svc_content_"));
    assert!(text(&first["platformApiKey"]).starts_with("svc_platform_"));
    let again = place.json(&["init", "--email", "a@example.com", "--json"]);
    for found in ["organizationId", "classroomId", "workspaceId"] {
        assert_eq!(again[found], first[found], "{found}");
    }
    assert_eq!((&again["contentApiKey"], &again["platformApiKey"]), (&Value::Null, &Value::Null));
    let more = place.json(&["init", "--email", "a@example.com", "--new-keys", "--json"]);
    for another in ["contentApiKey", "platformApiKey"] {
        assert!(text(&more[another]).starts_with("svc_") && more[another] != first[another], "{another}");
    }
    assert_eq!(more["workspaceId"], first["workspaceId"]);
    assert_eq!(place.json(&["user", "list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn init_prints_variables_that_a_shell_evaluates_and_keeps_keys_that_were_made_before() {
    let place = Place::new().with("LECTERN_LISTEN", "127.0.0.1:8095");
    let show = r#"printf '%s\n' "$LECTERN" "$KEY" "$PLATFORM_KEY" "$ORGANIZATION" "$CLASSROOM" "$CLASSROOMS" \
        "$WORKSPACE" "$EVALUATIONS" "$ADMIN_EMAIL""#;
    let evaluate = |script: &str, email: &str| {
        let output = Command::new("sh")
            .args(["-euc", script, "sh", env!("CARGO_BIN_EXE_lectern"), email])
            .current_dir(place.folder.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LECTERN_ADMIN_PASSWORD", "correct horse")
            .env("LECTERN_LISTEN", "127.0.0.1:8095")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let init = r#"eval "$("$1" init --email "$2" --env)"; "#;
    let email = "o'hara`id`$HOME@example.com";
    let shown = evaluate(&format!("{init}{show}"), email);
    assert_eq!(shown[0], "http://127.0.0.1:8095");
    assert!(shown[1].starts_with("svc_content_") && shown[2].starts_with("svc_platform_"), "{shown:?}");
    let made = place.json(&["init", "--email", email, "--json"]);
    assert_eq!(shown[3..5], [text(&made["organizationId"]), text(&made["classroomId"])]);
    let paths = ["/v1/content/classrooms", text(&made["workspaceId"]), "/v1/platform/evaluations"];
    assert!(shown[5..8].iter().zip(paths).all(|(shown, path)| shown.ends_with(path)), "{shown:?}");
    assert_eq!(shown[8], text(&made["email"]));
    let again = evaluate(&format!("KEY=mine PLATFORM_KEY=too; {init}{show}"), email);
    assert_eq!(again[1..3], ["mine", "too"]);
    assert_eq!(place.run(&["init", "--env", "--json"]).status.code(), Some(2));
}

#[test]
fn a_missing_or_short_password_is_wrong_use_and_makes_nothing() {
    let place = Place::new().with("LECTERN_ADMIN_PASSWORD", "1234567");
    let output = place.run(&["init"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("at least 8 characters"), "{}", stderr(&output));
    let place = Place::new().with("LECTERN_ADMIN_PASSWORD", "");
    assert_eq!(place.run(&["init"]).status.code(), Some(2));
    assert_eq!(place.json(&["user", "list", "--json"]), Value::Array(Vec::new()));
}

#[test]
fn a_running_server_takes_what_commands_change_at_once_and_ends_cleanly() {
    let place = Place::new();
    let server = place.serve();
    assert!(server.get("/readyz", "").starts_with("HTTP/1.1 200"));
    let made = place.json(&["init", "--json"]);
    let (organization, key) = (text(&made["organizationId"]), text(&made["contentApiKey"]));
    let classrooms = "/v1/content/classrooms";
    assert!(server.get(classrooms, key).contains(text(&made["classroomId"])));

    let listed = place.json(&["key", "list", "--organization", organization, "--json"]);
    let id = text(&listed[0]["id"]);
    let rotated = place.json(&["key", "rotate", "--organization", organization, id, "--json"]);
    assert!(server.get(classrooms, key).starts_with("HTTP/1.1 401"));
    let key = text(&rotated["apiKey"]);
    assert!(server.get(classrooms, key).starts_with("HTTP/1.1 200"));
    let revoked = place.json(&["key", "revoke", "--organization", organization, text(&rotated["keyId"]), "--json"]);
    assert_eq!(revoked["status"], "REVOKED");
    assert!(server.get(classrooms, key).starts_with("HTTP/1.1 401"));

    let (code, log) = server.terminate();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
    assert!(log.contains(classrooms) && !log.contains(key), "{log}");
}

#[test]
fn an_embedded_database_has_one_server_and_commands_work_beside_it() {
    let place = Place::new();
    let server = place.serve_as("api");
    for arguments in
        [&["serve"], &["serve", "--role=api"], &["serve", "--role=worker"], &["demo", "--data-dir=lectern-data"]]
            as [&[&str]; 4]
    {
        let refused = place.run(arguments);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&refused).contains("lectern-data"), "{}", stderr(&refused));
        assert_eq!(refused.stdout, b"", "{arguments:?}");
    }
    for arguments in [["init"].as_slice(), &["doctor"], &["migrate"], &["org", "list"]] {
        assert!(place.run(arguments).status.success(), "{arguments:?}");
    }
    assert!(server.get("/readyz", "").starts_with("HTTP/1.1 200"));
    server.kill();
    assert_eq!(place.serve().terminate().0, Some(0), "a killed server leaves no lock");
}

#[test]
fn names_find_what_was_made_and_equal_names_are_refused() {
    let place = Place::new();
    let school = place.json(&["org", "create", "--name", "A School", "--json"]);
    assert_eq!(place.run(&["org", "create", "--name", "A School"]).status.code(), Some(1));
    let room = ["classroom", "create", "--organization", "A School", "--name", "7b", "--locale", "de", "--json"];
    assert_eq!(place.json(&room)["locale"], "de");
    assert_eq!(place.run(&room).status.code(), Some(1));
    let rooms = place.json(&["classroom", "list", "--organization", text(&school["id"]), "--json"]);
    assert_eq!(rooms[0]["name"], "7b");
    let user = ["user", "create", "--email", "t@x.org", "--organization", "A School", "--role", "ADMIN", "--json"];
    assert_eq!(place.json(&user)["isOperator"], false);
    assert_eq!(place.run(&user).status.code(), Some(1));
    let unknown = place.run(&["key", "list", "--organization", "Nobody"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("no organization Nobody"), "{}", stderr(&unknown));
    let key = place.json(&["key", "create", "--organization", "A School", "--name", "x", "--json"]);
    assert_eq!(key["rateLimitPerMinute"], 60);
    let past = ["key", "create", "--organization", "A School", "--name", "x", "--expires-at", "2020-01-01T00:00:00Z"];
    assert_eq!(place.run(&past).status.code(), Some(2));
}

#[test]
fn migrate_check_says_what_is_pending_and_changes_nothing() {
    let place = Place::new();
    let pending = place.run(&["migrate", "--check", "--json"]);
    assert_eq!(pending.status.code(), Some(1));
    assert!(!place.folder.path().join("lectern-data").exists());
    assert!(place.run(&["migrate"]).status.success());
    let done = place.json(&["migrate", "--check", "--json"]);
    assert_eq!(done["applied"], done["latest"]);
}

#[test]
fn doctor_finds_what_is_wrong() {
    let place = Place::new();
    place.json(&["init", "--json"]);
    assert!(place.run(&["doctor"]).status.success());
    std::fs::write(place.folder.path().join("lectern-data/secret.key"), "damaged").unwrap();
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong: Vec<&str> = findings
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["verdict"] == "wrong")
        .map(|one| text(&one["check"]))
        .collect();
    assert_eq!(wrong, ["secret key"]);
}

#[test]
fn grade_prints_a_line_for_each_row_in_order_and_names_those_that_it_cannot_grade() {
    let place = Place::new();
    let good =
        r#"{"id":"9","question":"q","referenceAnswer":"Air scatters blue light.","studentAnswer":"x","maxScore":1}"#;
    let rows = format!("{{\"id\":\"1\",\"studentAnswer\":\"x\",\"maxScore\":0}}\n\nno json\n[1,2]\n5\n{good}\n");
    std::fs::write(place.folder.path().join("answers.jsonl"), rows).unwrap();
    let output = place.run(&["grade", "answers.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout.clone()).unwrap();
    let printed: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((printed.len(), text(&printed[0]["id"]), text(&printed[4]["id"])), (5, "1", "9"));
    assert!(printed[..4].iter().all(|row| row["score"].is_null() && row["error"].is_string()), "{printed:?}");
    assert!(printed[4]["score"].is_number(), "{printed:?}");
    let said = stderr(&output);
    for part in ["answers.jsonl:1: maxScore", "answers.jsonl:3: ", "answers.jsonl:4: ", "answers.jsonl:5: "] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("answers.jsonl:6"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    assert!(!place.folder.path().join("lectern-data").exists(), "it needs no data");
    let missing = place.run(&["grade", "nothing.jsonl"]);
    assert_eq!((missing.status.code(), missing.stdout.len()), (Some(1), 0));
    assert!(stderr(&missing).contains("nothing.jsonl can't be read"), "{}", stderr(&missing));
}

#[test]
fn the_openapi_document_is_printed_as_it_was_reviewed() {
    let printed = Place::new().run(&["openapi", "content"]);
    assert!(printed.status.success(), "{}", stderr(&printed));
    assert!(printed.stdout == include_bytes!("../../../../openapi/content.json"), "the test of `content` says where");
}

#[test]
fn the_openapi_document_of_the_platform_is_printed_as_it_is_served() {
    let place = Place::new();
    let printed = place.json(&["openapi", "platform"]);
    assert!(printed["paths"]["/v1/platform/evaluations"]["post"].is_object());
    let server = place.serve();
    let served = server.get("/openapi/platform.json", "");
    let mut served: Value = serde_json::from_str(served.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(served["servers"][0]["url"], format!("http://{}", server.address), "the service says where it is");
    assert_eq!(printed["servers"][0]["url"], "http://127.0.0.1:8080", "as it is without configuration");
    served["servers"] = printed["servers"].clone();
    assert_eq!(served, printed);
}

#[test]
fn the_demo_works_twice_on_one_folder_and_beside_a_taken_port() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let place = Place::new().with("LECTERN_LISTEN", &taken.local_addr().unwrap().to_string());
    for found in ["made", "found again"] {
        let output = place.run(&["demo", "--once", "--data-dir", "tour"]);
        let shown = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(output.status.success(), "{shown}\n{}", stderr(&output));
        // Lines are broken where they are full, whatever stands there.
        let told = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(found) && told.contains("content.completed"), "{shown}");
        assert_eq!(shown.matches("✓ evaluation.completed of ").count(), 3, "{shown}");
        assert!(shown.contains("✓ X-Platform-Signature is right"), "{shown}");
        assert!(told.contains(r#"✓ needsReview is true, reviewReasons are ["few_shared_words"]"#), "{shown}");
        assert!(told.contains("5 reviews of Mina Park in one request"), "{shown}");
        assert!(
            told.contains("✓ nearer to what Mina Park would give") && shown.contains("✓ nothing was charged"),
            "{shown}"
        );
        assert!(told.contains("points for Ann Lee, sent by itself"), "{shown}");
        assert!(shown.contains("✓ lti.grade_synced arrives by webhook"), "{shown}");
        assert!(told.contains("free credits paid for 20 answers, the next is refused: 402"), "{shown}");
        assert!(told.contains("✓ the same payment pays for nothing else") && told.contains("/NUMBER.html"), "{shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('✗'), "{shown}");
        let is_address = |line: &str| line.trim_start().starts_with("http://");
        assert!(shown.lines().all(|line| is_address(line) || line.chars().count() <= 80), "{shown}");
        assert_eq!(stderr(&output), "");
    }
    assert_private(&place.folder.path().join("tour/demo.json"));
}

fn assert_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o077, 0);
}

#[test]
fn https_is_served_with_configured_files() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let place = Place::new().with("LECTERN_TLS_CERT_FILE", "cert.pem").with("LECTERN_TLS_KEY_FILE", "key.pem");
    std::fs::write(place.folder.path().join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(place.folder.path().join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let server = place.serve();
    let answer = get_over_tls(&server.address, made.cert.der().clone());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(!server.get("/healthz", "").contains("200"), "plain http is not answered");
    assert_eq!(server.terminate().0, Some(0));
}

fn get_over_tls(address: &str, root: rustls::pki_types::CertificateDer<'static>) -> String {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(root).unwrap();
    let provider = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let connection = rustls::ClientConnection::new(std::sync::Arc::new(config), name).unwrap();
    let mut stream = rustls::StreamOwned::new(connection, TcpStream::connect(address).unwrap());
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    // The server may close without a closing alert; what came before counts.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
