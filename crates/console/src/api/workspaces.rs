//! Workspaces, what they spend, and their invoices.

use serde::Deserialize;

/// A customer of the grading platform.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Workspace {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
    pub(crate) status: String,
    pub(crate) credit_balance: f64,
    pub(crate) free_credit_balance: f64,
    pub(crate) rate_limit_per_minute: i64,
    pub(crate) plan_code: Option<String>,
    pub(crate) billing_mode: String,
    pub(crate) processor_customer_id: Option<String>,
    pub(crate) organization_id: Option<String>,
    pub(crate) created_at: String,
}

impl Workspace {
    pub(crate) fn is_active(&self) -> bool {
        self.status == "ACTIVE"
    }

    /// What is left to spend, in US dollars: a credit is a cent.
    pub(crate) fn balance_usd(&self) -> f64 {
        (self.credit_balance + self.free_credit_balance) / 100.0
    }

    /// Whether nothing is left to spend.
    pub(crate) fn is_out_of_credits(&self) -> bool {
        self.credit_balance + self.free_credit_balance < 1.0 && self.billing_mode == "internal_invoice"
    }
}

/// What a workspace may spend, and has spent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Caps {
    pub(crate) daily_soft_usd: Option<f64>,
    pub(crate) daily_hard_usd: Option<f64>,
    pub(crate) monthly_soft_usd: Option<f64>,
    pub(crate) monthly_hard_usd: Option<f64>,
    pub(crate) low_balance_usd: Option<f64>,
    pub(crate) spent_today_usd: Option<f64>,
    pub(crate) spent_this_month_usd: Option<f64>,
}

/// Invoices, the newest first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct InvoicePage {
    pub(crate) items: Vec<Invoice>,
    pub(crate) total: i64,
}

/// An invoice, as the list shows it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Invoice {
    pub(crate) number: String,
    pub(crate) month: String,
    pub(crate) issued_at: String,
    pub(crate) net_usd: f64,
    pub(crate) total_usd: f64,
}
