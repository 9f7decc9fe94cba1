//! The program with the official clients and the official facilitator of x402, on a local chain with a token like USDC.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::process::Installation;

const EVALUATIONS: &str = "/v1/platform/evaluations";
/// Nothing is free.
const PRICES: &str = r#"[{"version":"1","fast":"0.01","standard":"0.03","advanced":"0.05","free_grant":"0"}]"#;
/// The script that calls with an official client.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/x402");

/// The partners that `scripts/x402 start` started.
struct Partners {
    url: String,
    control: Value,
}

impl Partners {
    #[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
    async fn find() -> Self {
        let url = std::env::var("LECTERN_TEST_X402_URL");
        let url =
            url.expect("LECTERN_TEST_X402_URL is not set: run `scripts/x402 start` and export the URL that it prints");
        let control = get(&format!("{url}/control")).await;
        Self { url, control }
    }

    fn settings(&self, name: &str) -> Vec<(&'static str, String)> {
        let text = |member: &str| self.control[member].as_str().unwrap().to_owned();
        vec![
            ("LECTERN_PRICES", PRICES.to_owned()),
            ("LECTERN_X402_PAY_TO", text("payTo")),
            ("LECTERN_X402_NETWORK", "base-sepolia".to_owned()),
            ("LECTERN_X402_FACILITATOR_URL", format!("{}/{name}", self.url)),
            ("LECTERN_X402_NODE_URL", text("rpcUrl")),
        ]
    }
}

async fn get(url: &str) -> Value {
    let url = url.to_owned();
    let asked =
        tokio::task::spawn_blocking(move || Command::new("curl").args(["-sf", "--noproxy", "*", &url]).output());
    serde_json::from_slice(&asked.await.unwrap().unwrap().stdout).unwrap()
}

/// Has an official client call and pay; the last answer.
async fn pay(version: &'static str, url: String, key: String, body: Value) -> Value {
    let call = move || {
        Command::new(Path::new(SCRIPT))
            .args(["pay", &url, "--key", &key, "--body", &body.to_string(), version])
            .output()
            .unwrap()
    };
    let output = tokio::task::spawn_blocking(call).await.unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told} {}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_str(&told).unwrap();
    let exchanges = told["exchanges"].as_array().unwrap();
    assert_eq!((exchanges.len(), &exchanges[0]["response"]["status"]), (2, &json!(402)), "asked, then paid");
    exchanges[1]["response"].clone()
}

#[both_stores]
async fn the_official_clients_pay_for_evaluations_through_the_official_facilitator(test: TestStore) {
    let partners = Partners::find().await;
    let name = format!("official-{:?}", test.engine).to_lowercase();
    let installation = Installation::with(&test, partners.settings(&name));
    let key = installation.workspace("paying");
    let server = installation.serve().await;
    let url = format!("http://{}{EVALUATIONS}", server.client.address);
    for (version, receipt, mode) in [
        ("--v1", "x-payment-response", "sync"),
        ("--v2", "payment-response", "sync"),
        ("--v2", "payment-response", "async"),
    ] {
        let body = json!({
            "evaluationType": "exact", "questionText": "What is 6 times 7?", "learnerAnswer": "42",
            "referenceAnswer": "42", "mode": mode,
        });
        let answer = pay(version, url.clone(), key.clone(), body).await;
        assert_eq!(answer["status"], 201, "{answer}");
        if mode == "sync" {
            assert_eq!(answer["body"]["status"], "COMPLETED");
            assert_eq!(answer["headers"][receipt]["decoded"]["success"], true, "{answer}");
        }
    }
    let doctor = installation.run_beside(server.client.address, &["x402", "doctor", "--json"]);
    let findings: Vec<Value> = serde_json::from_slice(&doctor).unwrap();
    assert!(findings.iter().all(|finding| finding["verdict"] != "wrong"), "{findings:?}");
    assert!(
        ["facilitator", "node", "token"]
            .iter()
            .all(|check| findings.iter().any(|one| one["check"] == *check && one["verdict"] == "fine"))
    );
    server.terminate();
    assert_eq!(server.ended().await, Some(0));
}
