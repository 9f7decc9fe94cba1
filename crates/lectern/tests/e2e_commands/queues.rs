//! `lectern jobs` and `lectern deliveries`: what the operator sees of the queues and does to them, beside a server.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use events::endpoints::{self, CreateEndpointError, NewEndpoint, Registration, SignatureVersion};
use events::{NewEvent, Surface, WEBHOOK_SECRETS, record};
use kernel::ambient::Ambient;
use kernel::id::{CourseId, EndpointId, EventId, JobId};
use kernel::secret::MasterKey;
use serde_json::{Value, json};

use super::place::{Place, stderr, text};

fn failed_job(place: &Place) -> String {
    let id: JobId = Ambient::system().id();
    place.write(move |tx| {
        tx.execute(
            "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, last_error,
                created_at, updated_at)
             VALUES ($1, 'Unknown', 'tenant', $2, 'failed', 0, $3, 0, 0, 'no use', $3, $3)",
            &[&id, &r#"{"version":1,"thingId":"7","email":"a@b"}"#, &tx.now()],
        )
    });
    id.to_string()
}

#[test]
fn jobs_are_listed_retried_and_cancelled_beside_a_server() {
    let place = Place::new();
    let server = place.serve_as("api");
    let id = failed_job(&place);
    let listed = place.json(&["jobs", "list", "--json"]);
    let run_at = &listed[0]["runAt"];
    let expected = json!([{
        "id": id, "kind": "Unknown", "tenant": "tenant", "about": { "thingId": "7" }, "state": "failed", "runAt": run_at, "attempt": 0,
        "lastError": "no use",
    }]);
    assert_eq!(listed, expected);
    let table = String::from_utf8(place.run(&["jobs", "list"]).stdout).unwrap();
    assert!(table.starts_with("ID ") && table.contains(&id) && table.contains("thingId=7"), "{table}");
    assert_eq!(place.json(&["jobs", "retry", &id, "--json"]), json!({ "id": id, "state": "queued" }));
    assert_eq!(place.json(&["jobs", "list", "--json"]), json!([]));
    assert_eq!(place.json(&["jobs", "list", "--state", "queued", "--json"])[0]["id"], id.as_str());
    assert_eq!(place.json(&["jobs", "cancel", &id, "--json"]), json!({ "id": id, "state": "cancelled" }));
    assert_eq!(place.json(&["jobs", "list", "--state", "queued", "--json"]), json!([]));
    for verb in ["retry", "cancel"] {
        let gone = place.run(&["jobs", verb, &id]);
        assert_eq!(gone.status.code(), Some(1));
        assert!(stderr(&gone).contains(&format!("no job {id}")), "{}", stderr(&gone));
        assert_eq!(place.run(&["jobs", verb, "no-id"]).status.code(), Some(2));
    }
    assert_eq!(place.run(&["jobs", "list", "--state", "lost"]).status.code(), Some(2));
    assert_eq!(server.terminate().0, Some(0));
}

/// A course of the organization, whose generation waits; the job.
fn queued_course(place: &Place, organization: &str, classroom: &str) -> String {
    let (organization, classroom) = (organization.to_owned(), classroom.to_owned());
    let id = place.write(move |tx| {
        let (course, job): (CourseId, JobId) = (tx.ambient().id(), tx.ambient().id());
        let now = tx.now();
        tx.execute(
            "INSERT INTO course (id, organization_id, classroom_id, title, slug, description, visibility, status, language,
                metadata, version, created_at, updated_at)
             VALUES ($1, $2, $3, 'Cells', 'cells', '', 'PRIVATE', 'queued', 'en', '{}', 1, $4, $4)",
            &[&course, &organization, &classroom, &now],
        )?;
        let payload = json!({
            "version": 1, "organizationId": organization, "kind": "course", "resourceId": course,
        });
        tx.execute(
            "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, created_at, updated_at)
             VALUES ($1, 'GenerateResource', $2, $3, 'queued', 0, $4, 0, 0, $4, $4)",
            &[&job, &organization, &payload.to_string(), &now],
        )?;
        Ok(job)
    });
    id.to_string()
}

#[test]
fn a_linked_workspace_is_told_of_a_generation_that_the_operator_cancels() {
    let place = Place::new();
    let school = place.json(&["org", "create", "--name", "A School", "--json"]);
    let room = place.json(&["classroom", "create", "--organization", "A School", "--name", "7b", "--json"]);
    let workspace = place.json(&["workspace", "create", "--name", "A School", "--slug", "a-school", "--json"]);
    place.json(&["workspace", "link", "a-school", "--organization", "A School", "--json"]);
    let job = queued_course(&place, text(&school["id"]), text(&room["id"]));
    place.json(&["jobs", "cancel", &job, "--json"]);
    let told = place.write(|tx| {
        tx.query("SELECT owner_id, type FROM event WHERE surface = 'platform'", &[], |row| {
            Ok((row.get::<String>(0)?, row.get::<String>(1)?))
        })
    });
    assert_eq!(told, [(text(&workspace["id"]).to_owned(), "course.completed".to_owned())]);
}

/// A delivery to `url` that was given up.
fn failed_delivery(place: &Place, url: &str) -> (EndpointId, EventId) {
    let key = std::fs::read_to_string(place.folder.path().join("lectern-data/secret.key")).unwrap();
    let sealer = MasterKey::from_hex(key.trim()).unwrap().sealer(WEBHOOK_SECRETS);
    let ambient = Ambient::system();
    let registration = Registration {
        surface: Surface::Content,
        owner_id: "owner".to_owned(),
        url: url.to_owned(),
        events: vec!["content.completed".to_owned()],
        secret: None,
        signature_version: SignatureVersion::Plain,
    };
    let (new, _) = NewEndpoint::new(&ambient, &sealer, registration);
    let event = ambient.id();
    place.write(move |tx| {
        let endpoint = endpoints::create(tx, &new).map_err(|error| match error {
            CreateEndpointError::TooMany => unreachable!("the first one"),
            CreateEndpointError::Store(error) => error,
        })?;
        let event = NewEvent {
            id: event,
            surface: Surface::Content,
            owner_id: "owner".to_owned(),
            event_type: "content.completed",
            subject_id: "subject".to_owned(),
            body: "{}".to_owned(),
        };
        record(tx, &event)?;
        tx.execute("UPDATE delivery SET state = 'failed', attempts = 4, finished_at = created_at", &[])?;
        Ok((endpoint.id, event.id))
    })
}

/// Takes one request and answers 200.
fn answer(listener: &TcpListener) -> String {
    let (mut stream, _): (TcpStream, _) = listener.accept().unwrap();
    let mut request = vec![0; 4096];
    let mut length = 0;
    while !request[..length].ends_with(b"\r\n\r\n{}") {
        length += stream.read(&mut request[length..]).unwrap();
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
    String::from_utf8_lossy(&request[..length]).into_owned()
}

#[test]
fn a_delivery_that_was_given_up_is_made_again_by_the_running_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let place = Place::new().with("LECTERN_OUTBOUND_ALLOW_HTTP", "true");
    let place = place.with("LECTERN_OUTBOUND_ALLOW_NETWORKS", "127.0.0.0/8");
    let server = place.serve();
    let (endpoint, event) = failed_delivery(&place, &url);
    let (endpoint, event) = (endpoint.to_string(), event.to_string());
    let expected = json!([{
        "endpointId": endpoint, "eventId": event, "event": "content.completed", "surface": "content",
        "ownerId": "owner", "url": url, "state": "failed", "attempts": 4, "nextAttemptAt": null,
        "lastStatusCode": null, "lastError": null,
    }]);
    assert_eq!(place.json(&["deliveries", "list", "--json"]), expected);
    let table = String::from_utf8(place.run(&["deliveries", "list"]).stdout).unwrap();
    assert!(table.starts_with("ENDPOINT ") && table.contains(&event), "{table}");
    let retried = place.json(&["deliveries", "retry", &endpoint, &event, "--json"]);
    assert_eq!(retried, json!({ "endpointId": endpoint, "eventId": event, "state": "pending" }));
    let request = answer(&listener).to_lowercase();
    assert!(request.contains(&format!("webhook-id: {event}")), "{request}");
    assert_eq!(server.terminate().0, Some(0));
    let state: String = place.write(|tx| Ok(tx.find("SELECT state FROM delivery", &[], |row| row.get(0))?.unwrap()));
    assert_eq!(state, "delivered");
    for state in ["failed", "pending"] {
        assert_eq!(place.json(&["deliveries", "list", "--state", state, "--json"]), json!([]));
    }
    let unknown = place.run(&["deliveries", "retry", &event, &endpoint]);
    assert_eq!(
        (unknown.status.code(), text(&Value::from(stderr(&unknown))).contains("no such delivery")),
        (Some(1), true)
    );
    assert_eq!(place.run(&["deliveries", "retry", &endpoint, "no-id"]).status.code(), Some(2));
}
