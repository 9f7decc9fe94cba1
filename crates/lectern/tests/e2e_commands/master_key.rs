//! A lost or wrong master key, as a user meets it.

use std::path::PathBuf;

use edge::admins::{self, NewAdmin};
use events::endpoints::{NewEndpoint, Registration, SignatureVersion, create};
use events::{Surface, WEBHOOK_SECRETS};
use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use serde_json::{Value, json};
use store::StoreError;

use super::place::{Place, stderr, text};

const OTHER_KEY: &str = "2222222222222222222222222222222222222222222222222222222222222222";

fn key_file(place: &Place) -> PathBuf {
    place.folder.path().join("lectern-data/secret.key")
}

/// Every command that needs the database's key, and the service in all its roles.
const COMMANDS: [&[&str]; 8] = [
    &["serve"],
    &["serve", "--role=api"],
    &["serve", "--role=worker"],
    &["init"],
    &["key", "list", "--organization", "My organization"],
    &["org", "list"],
    &["jobs", "list"],
    &["demo", "--once", "--data-dir", "lectern-data"],
];

/// The verdict and the message of the doctor on the key.
fn doctor(place: &Place) -> (Option<i32>, String, String) {
    let output = place.run(&["doctor", "--json"]);
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = findings.as_array().unwrap().iter().find(|one| one["check"] == "secret key").unwrap();
    (output.status.code(), text(&finding["verdict"]).to_owned(), text(&finding["message"]).to_owned())
}

#[test]
fn a_lost_key_file_stops_every_command_and_stays_missing() {
    let place = Place::new();
    place.json(&["init", "--json"]);
    let key = std::fs::read(key_file(&place)).unwrap();
    std::fs::remove_file(key_file(&place)).unwrap();
    for arguments in COMMANDS {
        let output = place.run(arguments);
        let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("secret.key, and LECTERN_SECRET_KEY is not set"), "{arguments:?}: {said}");
        assert!(!key_file(&place).exists(), "{arguments:?}");
    }
    let (code, verdict, message) = doctor(&place);
    assert_eq!((code, verdict.as_str()), (Some(1), "wrong"), "{message}");
    assert!(message.contains("Restore that file"), "{message}");
    for arguments in [["migrate", "--check"].as_slice(), &["migrate"], &["config"], &["openapi", "content"]] {
        assert!(place.run(arguments).status.success(), "{arguments:?} needs no key");
    }
    assert!(!key_file(&place).exists());
    std::fs::write(key_file(&place), key).unwrap();
    assert_eq!(place.serve().terminate().0, Some(0), "the restored file is all that it takes");
}

#[test]
fn a_wrong_key_stops_every_command_and_the_doctor_tells() {
    let place = Place::new();
    place.json(&["init", "--json"]);
    let place = place.with("LECTERN_SECRET_KEY", OTHER_KEY);
    // The demo takes no key from the environment.
    for arguments in &COMMANDS[..7] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.contains("secret.key is. Remove the setting") && !said.contains(OTHER_KEY), "{said}");
    }
    let (code, verdict, message) = doctor(&place);
    assert_eq!((code, verdict.as_str()), (Some(1), "wrong"), "{message}");
    assert!(message.contains("is not the master key of this database"), "{message}");
}

/// Registers an endpoint whose secret this key sealed.
fn register(place: &Place, key: &str) -> String {
    let sealer = MasterKey::from_hex(key).unwrap().sealer(WEBHOOK_SECRETS);
    let registration = Registration {
        surface: Surface::Platform,
        owner_id: "owner".to_owned(),
        url: "https://receiver.example/hook".to_owned(),
        events: Vec::new(),
        secret: None,
        signature_version: SignatureVersion::Plain,
    };
    let (new, _) = NewEndpoint::new(&Ambient::system(), &sealer, registration);
    let made = place.write(move |tx| create(tx, &new).map_err(|_| StoreError::Check));
    made.id.to_string()
}

/// Gives an admin a second factor whose secret this key sealed; the admin's address.
fn enroll(place: &Place, key: &str) -> &'static str {
    let email = "ann@example.com";
    let sealer = MasterKey::from_hex(key).unwrap().sealer("second factors");
    place.write(move |tx| {
        let new = NewAdmin { email: email.to_owned(), password_hash: "!".to_owned(), is_operator: false };
        let user = admins::create(tx, &Ambient::system(), &new)?;
        let sealed = sealer.seal(&Ambient::system(), &user.to_string(), b"12345678901234567890");
        tx.execute(
            "INSERT INTO second_factor (user_id, sealed_secret, last_step, confirmed_at, created_at) VALUES ($1, $2, 0, 0, 0)",
            &[&user, &sealed],
        )
    });
    email
}

#[test]
fn a_key_that_is_at_hand_is_replaced_without_loss() {
    let place = Place::new();
    place.json(&["init", "--json"]);
    let key = std::fs::read_to_string(key_file(&place)).unwrap();
    register(&place, &key);
    enroll(&place, &key);
    let old = place.folder.path().join("old.key");
    std::fs::rename(key_file(&place), &old).unwrap();
    let old = old.to_str().unwrap();
    let wrong = place.folder.path().join("wrong.key");
    std::fs::write(&wrong, OTHER_KEY).unwrap();
    let refused = place.run(&["replace-secret-key", "--yes", "--old-key-file", wrong.to_str().unwrap()]);
    assert!(stderr(&refused).contains("is not this database's master key"), "{}", stderr(&refused));
    let unsure = place.run(&["replace-secret-key", "--old-key-file", old]);
    assert_eq!(unsure.status.code(), Some(2));
    assert!(stderr(&unsure).contains("recovery codes"), "{}", stderr(&unsure));
    assert!(!key_file(&place).exists());
    let replaced = place.json(&["replace-secret-key", "--yes", "--json", "--old-key-file", old]);
    assert_eq!(replaced, json!({ "webhookEndpoints": [], "secondFactors": [] }));
    assert_ne!(std::fs::read_to_string(key_file(&place)).unwrap(), key);
    assert_eq!(place.serve().terminate().0, Some(0));
    let (code, verdict, message) = doctor(&place);
    assert_eq!((code, verdict.as_str()), (Some(0), "fine"), "{message}");
}

#[test]
fn a_key_that_is_lost_for_good_is_replaced_when_that_is_accepted() {
    let place = Place::new();
    place.json(&["init", "--json"]);
    let unneeded = place.run(&["replace-secret-key", "--yes"]);
    assert_eq!(unneeded.status.code(), Some(1), "{}", stderr(&unneeded));
    assert!(stderr(&unneeded).contains("nothing is to be replaced"), "{}", stderr(&unneeded));
    let key = std::fs::read_to_string(key_file(&place)).unwrap();
    let endpoint = register(&place, &key);
    let email = enroll(&place, &key);
    std::fs::remove_file(key_file(&place)).unwrap();
    let unsure = place.run(&["replace-secret-key"]);
    assert_eq!(unsure.status.code(), Some(2));
    assert!(stderr(&unsure).contains("webhook secrets") && stderr(&unsure).contains("--yes"), "{}", stderr(&unsure));
    assert!(!key_file(&place).exists());
    let replaced = place.json(&["replace-secret-key", "--yes", "--json"]);
    let endpoints = &replaced["webhookEndpoints"];
    assert_eq!((text(&endpoints[0]["endpointId"]), text(&endpoints[0]["surface"])), (endpoint.as_str(), "platform"));
    assert_eq!(replaced["secondFactors"], json!([email]));
    assert_ne!(std::fs::read_to_string(key_file(&place)).unwrap(), key);
    assert_eq!(place.serve().terminate().0, Some(0));
    let (code, verdict, message) = doctor(&place);
    assert_eq!((code, verdict.as_str()), (Some(0), "warning"), "{message}");
    assert!(message.contains(&endpoint) && message.contains("rotate"), "{message}");
}
