//! `lectern x402`: payments that come with requests.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use kernel::id::EvaluationId;
use platform::payments::X402 as Payments;
use platform::payments::doctor::{Unresolved, diagnose};
use platform::payments::resolve::{Finding as Found, resolve_by_hand};
use serde_json::json;

use super::findings::{Finding, report};
use super::{Session, WrongUse};
use crate::cli::{Json, ResolvePayment, X402};
use crate::{assembly, output};

/// The digits of a transaction's hash, after `0x`.
const HASH_DIGITS: usize = 64;

pub(super) async fn run(session: &Session, command: X402) -> anyhow::Result<ExitCode> {
    match command {
        X402::Doctor(options) => doctor(session, &options).await,
        X402::Resolve(options) => resolve(session, options).await,
    }
}

/// Exits 1 when anything is wrong.
async fn doctor(session: &Session, options: &Json) -> anyhow::Result<ExitCode> {
    let config = session.config()?;
    let Some(taken) = assembly::x402_options(&config) else {
        let mut found = vec![Finding::warning("x402", "no payments are taken: LECTERN_X402_PAY_TO is not set")];
        let unresolved = session.read("x402_doctor.unresolved", Unresolved::list).await?;
        found.extend(diagnose(unresolved).into_iter().map(Finding::from));
        return Ok(report(session, &found, options.json)?);
    };
    let payments = Payments::open(&taken, &config.server.base_url(config.server.listen));
    let payments = payments.context("the clients for x402 can't be made")?;
    let store = session.open_store().await?;
    let found = payments.examine(&taken, &store).await;
    store.close().await;
    let found: Vec<_> = found?.into_iter().map(Finding::from).collect();
    Ok(report(session, &found, options.json)?)
}

async fn resolve(session: &Session, options: ResolvePayment) -> anyhow::Result<ExitCode> {
    let wrong = || WrongUse(format!("{} is not the id of an evaluation", options.evaluation));
    let id: EvaluationId = options.evaluation.parse().map_err(|_| wrong())?;
    let found = match &options.settled {
        Some(transaction) if is_hash(transaction) => Found::Settled { transaction: transaction.clone() },
        Some(_) => return Err(WrongUse("--settled must be 0x and 64 hexadecimal digits".to_owned()).into()),
        None => Found::NotSettled,
    };
    let state = if options.not_settled { "refused" } else { "settled" };
    if !session.write("x402.resolve", move |tx| resolve_by_hand(tx, id, &found)).await? {
        bail!("no payment of unknown outcome belongs to evaluation {id}; lectern x402 doctor lists those that are");
    }
    if options.json {
        output::json(&json!({ "evaluationId": id, "state": state }))?;
    } else {
        output::line(format!("{id}  {state}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn is_hash(text: &str) -> bool {
    let is_digits = |digits: &str| digits.len() == HASH_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.strip_prefix("0x").is_some_and(is_digits)
}
