//! The examples of the document hold: every answer is of the form that its schema gives it, and the service takes every request
//! with its own codes, tokens and challenges in it. The example of the first run is sent by that one's tests.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::http::Reply;
use testkit::passkey::Authenticator;
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, EMAIL, cookie_of};

const TOTP_STEP: Duration = Duration::from_secs(30);
const SETUP: &str = "POST /auth/setup";

#[test]
fn every_operation_has_an_example_of_its_body_and_of_its_answer() {
    CONTRACT.assert_every_operation_has_examples();
}

#[test]
fn the_answer_of_an_example_fits_its_request() {
    CONTRACT.assert_answers_fit_requests(|_| true);
}

#[test]
fn every_variable_of_a_path_has_an_example() {
    for (operation, _) in CONTRACT.operations() {
        let parameters = CONTRACT.documented(&operation)["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "path") {
            assert!(parameter["example"].is_string(), "{operation}: {}", parameter["name"]);
        }
    }
}

/// Sends the examples, and remembers which.
struct Sender {
    app: App,
    cookie: String,
    sent: BTreeSet<String>,
}

impl Sender {
    /// Sends the example of an operation: these values in the path's variables, and these members in place of the example's.
    async fn send(&mut self, operation: &str, values: &[&str], members: &[(&str, Value)]) -> Reply {
        let (method, template) = operation.split_once(' ').unwrap();
        let path = values.iter().fold(template.to_owned(), |path, value| {
            let (before, rest) = path.split_once('{').unwrap();
            format!("{before}{value}{}", rest.split_once('}').unwrap().1)
        });
        let (_, example) = CONTRACT.documented_body(operation).unwrap_or_else(|| panic!("{operation} takes no body"));
        let mut body = example.clone();
        for (name, value) in members {
            assert!(body.get(*name).is_some(), "the example of {operation} has no {name}");
            body[*name] = value.clone();
        }
        let call = match method {
            "POST" => self.app.post(&path),
            "PATCH" => self.app.patch(&path),
            "DELETE" => self.app.delete(&path),
            other => panic!("{other}"),
        };
        let reply = call.cookie(&self.cookie).json(&body).send().await;
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
        self.sent.insert(operation.to_owned());
        reply
    }

    /// The same, for the answer.
    async fn answer(&mut self, operation: &str, values: &[&str], members: &[(&str, Value)]) -> Value {
        self.send(operation, values, members).await.json()
    }

    /// The token of the one mail to an address.
    async fn mailed_token(&self, address: &str) -> Value {
        self.app.run_jobs().await;
        let [token] = self.app.tokens_for(address).try_into().unwrap();
        json!(token)
    }

    async fn choose_password(&mut self) {
        self.send("POST /auth/password-reset", &[], &[]).await;
        let token = self.mailed_token(EMAIL).await;
        let operation = "POST /auth/password-reset/confirm";
        self.send(operation, &[], &[("token", token)]).await;
        let (_, example) = CONTRACT.documented_body(operation).unwrap();
        let signed_in = self.app.sign_in_with(EMAIL, example["password"].as_str().unwrap(), json!({})).await;
        self.cookie = cookie_of(&signed_in);
    }

    async fn invite(&mut self) {
        let organization = self.app.organization("riverside").await.to_string();
        let operation = "POST /v1/content/organizations/{organizationId}/invitations";
        let invitation = self.answer(operation, &[&organization], &[]).await;
        let token = self.mailed_token(invitation["email"].as_str().unwrap()).await;
        self.send("POST /auth/invitations/accept", &[], &[("token", token)]).await;
        let members = format!("/auth/organizations/{organization}/members");
        let members = self.app.get(&members).cookie(&self.cookie).send().await.expect(200);
        let values = [organization.as_str(), members[0]["userId"].as_str().unwrap()];
        self.send("PATCH /auth/organizations/{organizationId}/members/{userId}", &values, &[]).await;
    }

    async fn manage_users(&mut self) {
        let user = self.answer("POST /auth/users", &[], &[]).await;
        self.send("PATCH /auth/users/{userId}", &[user["id"].as_str().unwrap()], &[]).await;
    }

    async fn use_a_passkey(&mut self) {
        let mut authenticator = Authenticator::at("https://lectern.example");
        let challenge = self.answer("POST /auth/passkeys/enroll", &[], &[]).await;
        let credential = authenticator.register(&challenge["publicKey"]);
        let members = [("ceremony", challenge["ceremony"].clone()), ("credential", credential)];
        let added = self.answer("POST /auth/passkeys", &[], &members).await;
        let challenge: Value = self.app.post("/auth/passkeys/challenge").send().await.expect(200);
        let credential = authenticator.sign_in(&challenge["publicKey"]);
        let members = [("ceremony", challenge["ceremony"].clone()), ("credential", credential)];
        self.send("POST /auth/passkeys/login", &[], &members).await;
        self.send("DELETE /auth/passkeys/{passkeyId}", &[added["id"].as_str().unwrap()], &[]).await;
    }

    async fn use_an_app(&mut self) {
        let enrolled: Value = self.app.post("/auth/totp/enroll").cookie(&self.cookie).send().await.expect(200);
        let secret = enrolled["secret"].as_str().unwrap();
        for operation in
            ["POST /auth/totp/confirm", "POST /auth/totp/verify", "POST /auth/totp/recovery-codes", "DELETE /auth/totp"]
        {
            let code = self.app.totp_code(secret);
            self.send(operation, &[], &[("code", json!(code))]).await;
            // A code counts once.
            self.app.test.clock.advance(TOTP_STEP);
        }
    }
}

#[both_stores]
async fn every_request_of_the_examples_is_accepted(test: TestStore) {
    let app = App::new(test);
    app.operator(EMAIL).await;
    let mut sender = Sender { app, cookie: String::from("none=1"), sent: BTreeSet::from([SETUP.to_owned()]) };
    sender.choose_password().await;
    sender.invite().await;
    sender.manage_users().await;
    sender.use_a_passkey().await;
    sender.use_an_app().await;
    let operations = CONTRACT.operations().into_iter().map(|(operation, _)| operation);
    let with_a_body: BTreeSet<_> = operations.filter(|name| CONTRACT.documented_body(name).is_some()).collect();
    assert_eq!(sender.sent, with_a_body);
}
