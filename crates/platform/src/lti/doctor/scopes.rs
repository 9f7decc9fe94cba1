//! The platform's token endpoint: asks for a token for each scope, and throws the tokens away.

use lti::access_token::{AccessToken, NoToken};
use lti::ags::{SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_RESULT_READONLY, SCOPE_SCORE};
use lti::nrps;
use net::{Answer, OutboundError};

use super::clock::Skew;
use super::history::History;
use super::probe::{Examined, is_page, silence, status};
use super::{Diagnosis, Doctor};
use crate::lti::registrations::Registration;
use crate::lti::tokens::{self, TokenFault, audience};

const SUBJECT: &str = "access token";

/// A scope, and what is lost without it.
struct Scope {
    subject: &'static str,
    uri: &'static str,
    /// What does not work without it.
    loss: &'static str,
    /// What to allow in the platform.
    service: &'static str,
}

const GRADES: &str = "Assignment and Grade Services";

const SCOPES: [Scope; 5] = [
    Scope { subject: "scope score", uri: SCOPE_SCORE, loss: "no score reaches the gradebook", service: GRADES },
    Scope {
        subject: "scope lineitem",
        uri: SCOPE_LINE_ITEM,
        loss: "no column is made in the gradebook: scores reach only links that have one",
        service: GRADES,
    },
    Scope {
        subject: "scope lineitem.readonly",
        uri: SCOPE_LINE_ITEM_READONLY,
        loss: "columns of the gradebook are not found",
        service: GRADES,
    },
    Scope {
        subject: "scope result.readonly",
        uri: SCOPE_RESULT_READONLY,
        loss: "results can't be read",
        service: GRADES,
    },
    Scope {
        subject: "scope roster",
        uri: nrps::SCOPE,
        loss: "rosters can't be read",
        service: "Names and Role Provisioning Services",
    },
];

/// What a request for a scope came to.
enum Granted {
    Yes,
    /// A token that allows other things.
    No,
    /// The scope was refused by an error.
    Refused,
}

impl Doctor {
    /// Asks for a token for each scope. A fault that has nothing to do with scopes ends it: the others would find the same.
    pub(super) async fn tokens(&self, registration: &Registration, history: &History) -> Examined {
        let endpoint = &registration.token_endpoint;
        let (mut examined, mut granted) = (Examined::default(), Vec::new());
        for scope in &SCOPES {
            let (result, skew) = self.ask(registration, scope.uri).await;
            examined.skew = examined.skew.or(skew);
            match result {
                Ok(Granted::Yes) => {
                    granted.push(scope.uri);
                    examined.found.push(Diagnosis::fine(scope.subject, format!("granted: {}", scope.uri)));
                }
                Ok(refused) => examined.found.push(scope.missing(&refused, &granted, history.offers(scope.uri))),
                Err(fault) => {
                    let lost = "Without access tokens there are no scores in the gradebook and no rosters";
                    let message = format!("{endpoint} {fault}. {lost}");
                    examined.found.insert(0, Diagnosis::wrong(SUBJECT, message));
                    return examined;
                }
            }
        }
        let message = match granted.is_empty() {
            false => format!("{endpoint} knows this service and gives access tokens"),
            true => format!("{endpoint} knows this service, and grants nothing that it needs"),
        };
        examined.found.insert(0, Diagnosis::fine(SUBJECT, message));
        examined
    }

    async fn ask(&self, registration: &Registration, scope: &str) -> (Result<Granted, String>, Option<Skew>) {
        let mut fault = None;
        let probe = self.probe(async {
            let scopes = [scope];
            let asked = tokens::request(&self.outbound, &self.ambient, &self.tool_keys, registration, &scopes).await;
            asked.map_err(|error| match error {
                TokenFault::NoAnswer(error) => error,
                other => {
                    fault = Some(other);
                    OutboundError::Refused
                }
            })
        });
        let probe = probe.await;
        let judged = match (&probe.result, fault) {
            (Err(_), Some(TokenFault::NoKey)) => Err("was not asked: this service has no key to sign with".to_owned()),
            (Err(_), Some(fault @ (TokenFault::Claimed | TokenFault::Store))) => Err(format!("was not asked: {fault}")),
            (Err(error), _) => Err(silence(*error).to_owned()),
            (Ok(answer), _) => judge(answer, scope, registration),
        };
        (judged, probe.skew)
    }
}

fn judge(answer: &Answer, scope: &str, registration: &Registration) -> Result<Granted, String> {
    match AccessToken::parse(&answer.body) {
        Ok(token) if token.allows(scope) => Ok(Granted::Yes),
        Ok(_) => Ok(Granted::No),
        Err(NoToken::Refused(code)) if code == "invalid_scope" => Ok(Granted::Refused),
        Err(NoToken::Refused(code)) => {
            Err(format!("refuses an access token by {code}: {}", advice(&code, registration)))
        }
        Err(NoToken::Unreadable) if !answer.status.is_success() => Err(status(answer)),
        Err(NoToken::Unreadable) if is_page(&answer.body) => {
            Err("answers with a web page: compare the address with the platform's".to_owned())
        }
        Err(NoToken::Unreadable) => {
            Err("answers without an access token: compare the address with the platform's".to_owned())
        }
    }
}

/// What an administrator should do about an error of OAuth (RFC 6749, section 5.2).
fn advice(code: &str, registration: &Registration) -> String {
    let audience = audience(registration);
    match code {
        "invalid_client" => format!(
            "compare the client ID {} with the platform's, and give the platform the key set of this service as a URL \
             rather than a copied key. Its signature is for {audience}: where the platform wants another audience, set \
             metadata.tokenAudience of the registration",
            registration.client_id
        ),
        "unauthorized_client" => {
            "activate the tool in the platform, and allow it the services that it needs".to_owned()
        }
        "invalid_grant" | "invalid_request" => format!(
            "the request is signed for {audience}: where the platform wants another audience, set metadata.tokenAudience of \
             the registration. Compare the clocks too"
        ),
        "unsupported_grant_type" => "compare the address: it is not the token endpoint of LTI 1.3".to_owned(),
        _ => "look into the platform's log".to_owned(),
    }
}

impl Scope {
    /// What it means that the scope is not granted, beside those that are.
    fn missing(&self, refused: &Granted, granted: &[&str], is_offered: bool) -> Diagnosis {
        let what = match refused {
            Granted::Refused => "refused (invalid_scope)",
            _ => "not granted",
        };
        if let Some(reason) = self.needless(granted) {
            return Diagnosis::fine(self.subject, format!("{what}, and not needed: {reason}"));
        }
        let advice = format!("{}. Give this tool {} in the platform ({})", self.loss, self.service, self.uri);
        match is_offered {
            true => {
                let message = format!("{what}, although the newest launch offered it: {advice}");
                Diagnosis::wrong(self.subject, message)
            }
            false => Diagnosis::warning(self.subject, format!("{what}: {advice}")),
        }
    }

    /// Why nothing is lost without the scope.
    fn needless(&self, granted: &[&str]) -> Option<&'static str> {
        match self.uri {
            SCOPE_RESULT_READONLY => Some("this service does not read results"),
            SCOPE_LINE_ITEM_READONLY if granted.contains(&SCOPE_LINE_ITEM) => Some("the scope lineitem includes it"),
            _ => None,
        }
    }
}
