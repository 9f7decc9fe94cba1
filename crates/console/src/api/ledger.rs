//! The ledger of a workspace.

use serde::Deserialize;

/// Transfers, the newest first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TransferPage {
    pub(crate) items: Vec<Transfer>,
    pub(crate) next_cursor: Option<String>,
}

/// A movement of money.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Transfer {
    pub(crate) sequence: i64,
    pub(crate) kind: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount_usd: f64,
    pub(crate) balance_after_usd: Option<f64>,
    pub(crate) evaluation_id: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) created_at: String,
}

impl Transfer {
    /// What the transfer changed of the balance: up, down, or nothing where other accounts are concerned.
    pub(crate) fn change_usd(&self) -> f64 {
        let can_be_spent = |account: &str| matches!(account, "free" | "credits");
        match (can_be_spent(&self.from), can_be_spent(&self.to)) {
            (true, false) => -self.amount_usd,
            (false, true) => self.amount_usd,
            _ => 0.0,
        }
    }

    pub(crate) fn is_gain(&self) -> bool {
        self.change_usd() > 0.0
    }

    /// What happened, in words.
    pub(crate) fn title(&self) -> &'static str {
        match (self.kind.as_str(), self.from.as_str()) {
            ("grant", _) => "Free credits of a new workspace",
            ("top_up", "grants") => "Credits given",
            ("top_up", _) => "Credits sold",
            ("reserve", _) => "Price set aside",
            ("release", _) => "Price given back",
            ("settle" | "charge", "processor") => "Paid by the payment processor",
            ("settle" | "charge", "x402") => "Paid along with the request",
            ("settle", _) => "Paid from what was set aside",
            ("charge", _) => "Paid",
            _ => "Transfer",
        }
    }
}
