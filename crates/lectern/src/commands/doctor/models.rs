//! The check of language models: a small real call to each, and what its outcome means.

use std::time::Duration;

use kernel::ambient::Ambient;
use models::{Cause, Check, Fit, Provider, Settings, Shape, Works};
use net::Url;

use super::Finding;
use super::checks::plain;
use crate::assembly;
use crate::config::Config;

const CHECK: &str = "language model";
/// A learner waits for a grade.
const SLOW: Duration = Duration::from_secs(15);

/// Of every model that is configured.
pub(super) async fn check(config: &Config, ambient: &Ambient) -> Vec<Finding> {
    let Some(settings) = assembly::model_settings(config) else {
        return vec![Finding::fine(CHECK, "none is configured: the built-in generator and grader do the work")];
    };
    let mut findings: Vec<_> = settings.providers().filter_map(unencrypted).collect();
    match models::check(&settings, ambient).await {
        Err(error) => findings.push(Finding::wrong(CHECK, plain(&error))),
        Ok(checks) => findings.extend(checks.iter().map(|check| finding(check, &settings))),
    }
    findings
}

/// A key that anybody on the way can read.
fn unencrypted(provider: &Provider) -> Option<Finding> {
    let host = unencrypted_host(&provider.base_url).filter(|_| provider.api_key.is_some())?;
    let message = format!("{}: the key and every answer go to {host} unencrypted: use https", provider.name);
    Some(Finding::warning(CHECK, message))
}

/// The host of an address to which everybody on the way can read along.
pub(super) fn unencrypted_host(base_url: &Url) -> Option<&str> {
    let host = base_url.host_str().unwrap_or_default();
    let is_here = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    (base_url.scheme() == "http" && !is_here).then_some(host)
}

fn finding(check: &Check, settings: &Settings) -> Finding {
    let whose = format!("{}, {}", check.provider, check.model);
    match &check.result {
        Ok(works) => working(&whose, works),
        Err(trouble) => {
            let asked = Asked {
                address: &check.base_url,
                timeout: settings.timeout,
                timeout_variable: "LECTERN_MODEL_TIMEOUT",
                known_models: &trouble.models,
            };
            Finding::wrong(CHECK, format!("{whose}: {}", wrong(trouble.cause, trouble.retry_after, &asked)))
        }
    }
}

fn working(whose: &str, works: &Works) -> Finding {
    let seconds = works.latency.as_secs_f64();
    let mut doubts = Vec::new();
    if works.fit == Fit::Shapeless {
        return Finding::wrong(CHECK, format!("{whose}: {}", shapeless(works.shape)));
    }
    match works.shape {
        Shape::Schema => {}
        Shape::Object => {
            doubts.push("the server does not take a schema: it is asked for any JSON, and told the schema");
        }
        Shape::Words => doubts.push("the server can't be held to JSON: it works by instructions alone"),
    }
    if works.fit == Fit::Otherwise {
        doubts.push("it did not answer what it was told to: a larger model may follow instructions better");
    }
    if works.latency > SLOW {
        doubts.push("that is slow for learners who wait");
    }
    if doubts.is_empty() {
        return Finding::fine(CHECK, format!("{whose}: answers with JSON of a schema, in {seconds:.1} s"));
    }
    Finding::warning(CHECK, format!("{whose}: answers in {seconds:.1} s; {}", doubts.join("; ")))
}

/// Why nothing can be made of what a model says, and what to do about it.
fn shapeless(shape: Shape) -> String {
    let server = match shape {
        Shape::Schema | Shape::Object => "the server takes what should hold it to JSON, and does not do it",
        Shape::Words => "the server can't hold it to JSON, and it does not follow the instruction alone",
    };
    format!(
        "it answers with something else than the JSON that it was told to, so it can neither grade nor write content: \
         {server}. Take a larger model, or a server that does structured output"
    )
}

/// A server that was asked.
pub(super) struct Asked<'a> {
    pub(super) address: &'a Url,
    pub(super) timeout: Duration,
    /// What decides about that time.
    pub(super) timeout_variable: &'static str,
    /// Models that the server says it has, where this may help.
    pub(super) known_models: &'a [String],
}

/// What is wrong, and what to do about it. It holds nothing that the server said but the names of its models.
pub(super) fn wrong(cause: Cause, retry_after: Option<Duration>, asked: &Asked<'_>) -> String {
    let address = asked.address;
    let known = match asked.known_models {
        [] => String::new(),
        names => format!("; it has {}", names.join(", ")),
    };
    match cause {
        Cause::Unreachable(net::OutboundError::Tls) => {
            format!(
                "no trusted TLS connection to {address}: a private authority goes into LECTERN_OUTBOUND_EXTRA_CA_FILE"
            )
        }
        Cause::Unreachable(error) => format!("{address} can't be reached: {error}"),
        Cause::TimedOut => {
            let (seconds, variable) = (asked.timeout.as_secs(), asked.timeout_variable);
            format!("{address} gave no whole answer within {seconds} s: raise {variable}, or take a quicker model")
        }
        Cause::Truncated => format!("{address} ended its answer before it was whole"),
        Cause::ServerError(200) => format!("{address} says in the middle of its answer that it failed"),
        Cause::ServerError(status) => format!("{address} fails: it answers {status}"),
        Cause::Busy | Cause::Resting => match retry_after {
            Some(wait) => format!("{address} has too many requests of this key; try again in {} s", wait.as_secs()),
            None => format!("{address} has too many requests of this key: its limit is reached for now"),
        },
        Cause::KeyRefused => format!("{address} refuses the key, or wants one: check the provider's API_KEY"),
        Cause::NoCredit => format!("{address} says that the account has no credit left"),
        Cause::NoSuchModel => format!("{address} does not know a model of this name{known}"),
        Cause::WrongAddress => {
            format!("{address} knows no such path: the provider's BASE_URL ends with the version, such as /v1")
        }
        Cause::Refused(status) => format!("{address} does not take the request ({status}){known}"),
        Cause::TooLong => "it can read only very short texts: the server's context is too small".to_owned(),
        Cause::Declined => "it declined to answer a harmless question".to_owned(),
        Cause::CutOff { .. } => "it did not come to an end: it may think for too long before it answers".to_owned(),
        Cause::Unreadable => format!("{address} answers with something that is no answer of this protocol"),
    }
}
