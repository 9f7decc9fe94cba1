//! Payments with requests (x402): a workspace that has spent its free credits is told how to pay, pays, and gets its grade with a
//! receipt.

use anyhow::{Context as _, ensure};
use http::StatusCode;
use k256::ecdsa::SigningKey;
use kernel::id::{EventId, WorkspaceId};
use platform::workspaces::verification::vouch;
use serde_json::{Value, json};
use x402::{Authorization, Network, decode, encode};

use super::client::Client;
use super::excerpts::text;
use super::tour::Tour;

const WORKSPACES: &str = "/v1/platform/workspaces";
const KEYS: &str = "/v1/platform/api-keys";
const EVALUATIONS: &str = "/v1/platform/evaluations";
/// The first account that development chains begin with. Its key is public: real money must never be sent there.
const PAYER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const PAYERS_KEY: [u8; 32] = [
    0xac, 0x09, 0x74, 0xbe, 0xc3, 0x9a, 0x17, 0xe3, 0x6b, 0xa4, 0xa6, 0xb4, 0xd2, 0x38, 0xff, 0x94, 0x4b, 0xac, 0xb4,
    0x78, 0xcb, 0xed, 0x5e, 0xfc, 0xae, 0x78, 0x4d, 0x7b, 0xf4, 0xf2, 0xff, 0x80,
];
/// More evaluations than free credits pay for.
const MOST_FREE: usize = 200;

/// A workspace that pays as it goes.
struct Agent {
    workspace_id: String,
    client: Client,
}

impl Tour<'_> {
    /// Pays for an answer, and shows where the workspace's invoices are.
    pub(super) async fn pay(&mut self) -> anyhow::Result<()> {
        self.page.step("Pay for an answer with its request (x402)")?;
        let agent = self.open_agent().await?;
        let accepted = self.spend_all(&agent).await?;
        self.pay_for_answer(&agent, &accepted).await?;
        self.show_invoices(&agent).await
    }

    /// Each tour opens another: the one before has spent its free credits.
    async fn open_agent(&self) -> anyhow::Result<Agent> {
        let operator = self.client.without_key();
        let slug = format!("agent-{}", self.ambient.id::<EventId>());
        let workspace = operator.post(WORKSPACES, &json!({ "name": "An agent", "slug": slug })).await?;
        let workspace_id = text(&workspace.json(StatusCode::CREATED)?, "id").to_owned();
        // Its e-mail address counts as verified, as `lectern workspace verify-email` has it.
        let (id, email) = (workspace_id.parse::<WorkspaceId>()?, self.email.clone());
        self.store.write("demo.vouch", move |tx| vouch(tx, id, &email)).await?;
        let key = operator.post(KEYS, &json!({ "name": "agent", "workspaceId": workspace_id })).await?;
        let key = text(&key.json(StatusCode::CREATED)?, "apiKey").to_owned();
        Ok(Agent { workspace_id, client: self.client.with_key(key) })
    }

    /// Spends the free credits; what the refusal then says of payments.
    async fn spend_all(&mut self, agent: &Agent) -> anyhow::Result<Value> {
        for graded in 0..MOST_FREE {
            let reply = agent.client.post(EVALUATIONS, &answer()).await?;
            if reply.status != StatusCode::PAYMENT_REQUIRED {
                reply.expect(StatusCode::CREATED)?;
                continue;
            }
            let refusal = reply.json(StatusCode::PAYMENT_REQUIRED)?;
            self.page.done(&format!("free credits paid for {graded} answers, the next is refused: 402"))?;
            let offer = &refusal["x402"];
            self.page.excerpt("price:", &format!("{} in USDC on {}", text(offer, "price"), text(offer, "network")))?;
            self.page.excerpt("   to:", text(offer, "payTo"))?;
            return Ok(refusal["accepts"][0].clone());
        }
        anyhow::bail!("the free credits don't end")
    }

    async fn pay_for_answer(&mut self, agent: &Agent, accepted: &Value) -> anyhow::Result<()> {
        let payment = self.sign(accepted)?;
        let reply = agent.client.post_with(EVALUATIONS, &answer(), ("X-PAYMENT", &payment)).await?;
        let evaluation = reply.json(StatusCode::CREATED)?;
        ensure!(text(&evaluation, "status") == "COMPLETED", "the paid answer was not graded: {}", evaluation["error"]);
        let receipt = decode(reply.header("x-payment-response")).context("the receipt can't be read")?;
        ensure!(receipt["success"] == true, "the receipt says that nothing was paid: {receipt}");
        let (score, most) = (&evaluation["score"], &evaluation["maxScore"]);
        self.page.done(&format!("sent again with a signed payment: {score} of {most} points, and a receipt"))?;
        self.page.remark(&format!("its transaction: {}", text(&receipt, "transaction")))?;
        let again = agent.client.post_with(EVALUATIONS, &answer(), ("X-PAYMENT", &payment)).await?;
        again.expect(StatusCode::PAYMENT_REQUIRED)?;
        self.page.done("the same payment pays for nothing else")?;
        Ok(self.page.remark("The chain is this demo's: no money has moved.")?)
    }

    /// What a wallet does: it signs a transfer that anybody may hand to the chain, once (EIP-3009).
    fn sign(&self, accepted: &Value) -> anyhow::Result<String> {
        let now = u64::try_from(self.ambient.now().as_seconds())?;
        let seconds = accepted["maxTimeoutSeconds"].as_u64().context("the offer has no time")?;
        let authorization = Authorization {
            from: PAYER.parse()?,
            to: text(accepted, "payTo").parse()?,
            value: text(accepted, "maxAmountRequired").parse()?,
            valid_after: now.saturating_sub(60),
            valid_before: now + seconds,
            nonce: self.ambient.random(),
        };
        let network = Network::find(text(accepted, "network"))?;
        let digest = authorization.digest(&network, &network.usdc());
        let key = SigningKey::from_slice(&PAYERS_KEY).context("the payer's key")?;
        let (signature, recovery) = key.sign_prehash_recoverable(&digest);
        let Authorization { from, to, value, valid_after, valid_before, nonce } = authorization;
        Ok(encode(&json!({
            "x402Version": 1, "scheme": "exact", "network": network.name,
            "payload": {
                "signature": format!("{}{:02x}", hex(&signature.to_bytes()), 27 + recovery.to_byte()),
                "authorization": {
                    "from": from.to_string(), "to": to.to_string(), "value": value.to_string(),
                    "validAfter": valid_after.to_string(), "validBefore": valid_before.to_string(), "nonce": hex(&nonce),
                },
            },
        })))
    }

    /// The first is made after the month's end, so a fresh demo has none.
    async fn show_invoices(&mut self, agent: &Agent) -> anyhow::Result<()> {
        let path = format!("{WORKSPACES}/{}/invoices", agent.workspace_id);
        self.client.without_key().get(&path).await?.expect(StatusCode::OK)?;
        self.page.done("the payment will be on the month's invoice: a page to print, PDF, CSV and JSON")?;
        Ok(self.page.remark(&self.client.url(&format!("{path}/NUMBER.html")))?)
    }
}

fn answer() -> Value {
    json!({
        "evaluationType": "open_ended",
        "questionText": "Why do we see the lightning before we hear the thunder?",
        "learnerAnswer": "Light travels much faster than sound, so the lightning reaches us first.",
        "referenceAnswer": "Light travels much faster than sound, so it reaches us before the thunder does.",
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}
