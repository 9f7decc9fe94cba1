//! Workspaces and their keys, by commands, with a server beside that has to obey at once.

use crate::place::{Place, stderr, text};

const OWN: &str = "/v1/platform/workspaces";

#[test]
fn a_workspace_is_made_shown_credited_suspended_and_linked() {
    let place = Place::new();
    let made = place.json(&["workspace", "create", "--name", "A School", "--slug", "a-school", "--json"]);
    assert_eq!((&made["slug"], &made["emailVerified"]), (&"a-school".into(), &false.into()));
    assert_eq!(made["rateLimitPerMinute"], 1000);
    let again = place.run(&["workspace", "create", "--name", "Another", "--slug", "a-school"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("slug"), "{}", stderr(&again));

    let credited = place.json(&["workspace", "credits", "a-school", "--amount", "500", "--json"]);
    assert_eq!(credited["creditBalance"], 500);
    let suspended = place.json(&["workspace", "suspend", text(&made["id"]), "--json"]);
    assert_eq!(suspended["status"], "SUSPENDED");
    assert_eq!(place.json(&["workspace", "activate", "a-school", "--json"])["status"], "ACTIVE");

    let school = place.json(&["org", "create", "--name", "A School", "--json"]);
    let linked = place.json(&["workspace", "link", "a-school", "--organization", "A School", "--json"]);
    assert_eq!(linked["organizationId"], school["id"]);

    let nameless = place.run(&["workspace", "verify-email", "a-school"]);
    assert_eq!(nameless.status.code(), Some(1));
    assert!(stderr(&nameless).contains("--email"), "{}", stderr(&nameless));
    let verified = place.json(&["workspace", "verify-email", "a-school", "--email", "a@example.com", "--json"]);
    assert_eq!((&verified["email"], &verified["emailVerified"]), (&"a@example.com".into(), &true.into()));

    assert_eq!(place.json(&["workspace", "list", "--json"])[0], verified);
    assert_eq!(place.json(&["workspace", "show", "a-school", "--json"]), verified);
    let shown = String::from_utf8(place.run(&["workspace", "show", "a-school"]).stdout).unwrap();
    assert!(shown.contains("a@example.com, verified"), "{shown}");
    assert!(shown.contains("\ncredits       500\nfree credits  100\n"), "{shown}");
    let listed = String::from_utf8(place.run(&["workspace", "list"]).stdout).unwrap();
    let columns: Vec<_> = listed.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(columns[columns.len() - 2..], ["500", "100"], "{listed}");
}

#[test]
fn wrong_use_of_workspaces_and_keys_is_told_apart_from_failure() {
    let place = Place::new();
    place.json(&["workspace", "create", "--name", "A", "--slug", "a", "--json"]);
    for wrong in [
        ["workspace", "create", "--name=B", "--slug=/"].as_slice(),
        &["workspace", "create", "--name=B", "--slug=b", "--email=nobody"],
        &["workspace", "create", "--name=B", "--slug=b", "--verified"],
        &["workspace", "credits", "a", "--amount=0"],
        &["key", "list"],
        &["key", "list", "--organization=A", "--workspace=a"],
        &["key", "create", "--organization=A", "--name=x", "--scope=platform:admin"],
        &["key", "create", "--workspace=a", "--name=x", "--rate-limit-per-minute=5"],
        &["key", "create", "--workspace=a", "--name=x", "--scope=everything"],
        &["key", "revoke", "--workspace=a", "nothing"],
    ] {
        assert_eq!(place.run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    for failing in [["workspace", "show", "nobody"].as_slice(), &["key", "list", "--workspace", "nobody"]] {
        let output = place.run(failing);
        assert_eq!(output.status.code(), Some(1), "{failing:?}");
        assert!(stderr(&output).contains("no workspace nobody"), "{}", stderr(&output));
    }
}

#[test]
fn a_running_server_obeys_what_commands_do_to_platform_keys_and_their_workspace() {
    let place = Place::new();
    let made = place.json(&["init", "--json"]);
    let (workspace, first) = (text(&made["workspaceId"]), text(&made["platformApiKey"]));
    let server = place.serve();
    let own = format!("{OWN}/{workspace}");
    assert!(server.get(&own, first).contains("\"emailVerified\":true"));

    let admin = ["key", "create", "--workspace", workspace, "--name", "x", "--scope", "platform:admin", "--json"];
    let admin = place.json(&admin);
    let other = place.json(&["workspace", "create", "--name", "Other", "--slug", "other", "--json"]);
    let other = format!("{OWN}/{}", text(&other["id"]));
    assert!(server.get(&other, text(&admin["apiKey"])).starts_with("HTTP/1.1 200"));
    assert!(server.get(&other, first).starts_with("HTTP/1.1 404"));

    let listed = place.json(&["key", "list", "--workspace", workspace, "--json"]);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["scopes"][0]), (2, &"platform:admin".into()));
    let init = text(&listed[1]["id"]);
    let rotated = place.json(&["key", "rotate", "--workspace", workspace, init, "--json"]);
    assert!(server.get(&own, first).starts_with("HTTP/1.1 401"));
    let second = text(&rotated["apiKey"]);
    place.json(&["workspace", "suspend", workspace, "--json"]);
    assert!(server.get(&own, second).starts_with("HTTP/1.1 403"));
    place.json(&["workspace", "activate", workspace, "--json"]);
    assert!(server.get(&own, second).starts_with("HTTP/1.1 200"));
    let revoked = place.json(&["key", "revoke", "--workspace", workspace, text(&rotated["keyId"]), "--json"]);
    assert_eq!(revoked["status"], "REVOKED");
    assert!(server.get(&own, second).starts_with("HTTP/1.1 401"));
}

#[test]
fn what_agrees_is_told_and_what_does_not_ends_in_1() {
    let place = Place::new();
    place.json(&["workspace", "create", "--name", "A School", "--slug", "a-school", "--json"]);
    let proof = place.json(&["workspace", "reconcile", "--json"]);
    assert_eq!((&proof["workspaces"], &proof["transfers"], &proof["differences"]), (&1.into(), &1.into(), &0.into()));
    let told = String::from_utf8(place.run(&["workspace", "reconcile"]).stdout).unwrap();
    assert!(told.contains("differences   0"), "{told}");

    place.write(|tx| tx.execute("UPDATE ledger_balance SET credit_micros = 7", &[]));
    let wrong = place.run(&["workspace", "reconcile"]);
    let told = String::from_utf8(wrong.stdout).unwrap();
    assert_eq!(wrong.status.code(), Some(1));
    assert!(told.contains("credits has 7 micros, its transfers add up to 0"), "{told}");
}
