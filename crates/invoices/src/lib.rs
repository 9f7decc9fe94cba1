//! Invoices: the amounts and taxes of a workspace's month, and how they look as CSV, printable page and PDF.
//!
//! Amounts of an invoice are whole cents. What a month has in fractions of a cent is carried into the next invoice, so that the
//! invoices of a workspace add up to its ledger to the cent. Nothing here reads or writes a store.
//!
//! Read on in [`Invoice`] and [`Terms`]; [`csv`], [`page`] and [`pdf`] write one.

mod amounts;
pub mod csv;
pub mod page;
pub mod pdf;

use kernel::id::WorkspaceId;
use serde::{Deserialize, Serialize};

pub use amounts::{Carries, Cents, Figures, Sum};

/// The thousandths of a percent in the whole.
const WHOLE: i128 = 100_000;

/// What a month's work and credits are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InvoiceLineKind)]
pub enum Kind {
    /// Credits that were added to the balance: a sale.
    CreditsBought,
    /// Work that the payment processor collects for: a sale.
    ProcessorMetered,
    /// Work that was paid for along with its request: a sale.
    X402Paid,
    /// Work that was paid for with credits that were bought before.
    CreditsUsed,
    /// Work that was paid for with free credits.
    FreeCreditsUsed,
}

impl Kind {
    /// All of them, as an invoice lists them.
    pub const ALL: [Self; 5] =
        [Self::CreditsBought, Self::ProcessorMetered, Self::X402Paid, Self::CreditsUsed, Self::FreeCreditsUsed];

    /// Whether it is a sale of the month: only sales are totalled and taxed.
    pub const fn is_sale(self) -> bool {
        matches!(self, Self::CreditsBought | Self::ProcessorMetered | Self::X402Paid)
    }

    /// What people read.
    pub const fn description(self) -> &'static str {
        match self {
            Self::CreditsBought => "Credits bought",
            Self::ProcessorMetered => "Evaluations, metered by the payment processor",
            Self::X402Paid => "Evaluations, paid with the request (x402)",
            Self::CreditsUsed => "Evaluations, paid with credits",
            Self::FreeCreditsUsed => "Evaluations, paid with free credits",
        }
    }

    /// Its word in CSV.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CreditsBought => "credits_bought",
            Self::ProcessorMetered => "processor_metered",
            Self::X402Paid => "x402_paid",
            Self::CreditsUsed => "credits_used",
            Self::FreeCreditsUsed => "free_credits_used",
        }
    }
}

/// Who sells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceSeller)]
pub struct Seller {
    /// The name.
    pub name: String,
    /// The lines of the address.
    pub address: Vec<String>,
    /// Numbers by which tax offices know the seller.
    pub tax_ids: Vec<String>,
}

/// Who buys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceBuyer)]
pub struct Buyer {
    /// The workspace's name.
    pub name: String,
    /// Its contact address.
    #[schema(required)]
    pub email: Option<String>,
}

/// A tax on all sales.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tax {
    /// Its name, such as VAT.
    pub name: String,
    /// Its rate in thousandths of a percent: 19 % are 19000.
    pub rate: u32,
}

/// What the operator has decided about invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Who sells.
    pub seller: Seller,
    /// The taxes.
    pub taxes: Vec<Tax>,
    /// Whether prices and credits have the taxes in them.
    pub is_tax_included: bool,
    /// What numbers begin with; each series is counted on its own.
    pub series: String,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceLine)]
pub struct Line {
    /// What it is about.
    pub kind: Kind,
    /// How many entries of the ledger it sums up.
    pub count: u64,
    /// The sum.
    #[serde(rename = "amountUsd")]
    #[schema(value_type = f64)]
    pub amount: Cents,
}

/// One tax.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceTax)]
pub struct TaxLine {
    /// Its name.
    pub name: String,
    /// Its rate, such as `19` or `8.875`.
    pub percent: String,
    /// The tax.
    #[serde(rename = "amountUsd")]
    #[schema(value_type = f64)]
    pub amount: Cents,
}

/// An invoice. It never changes after it was numbered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invoice)]
pub struct Invoice {
    /// Its number.
    pub number: String,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The UTC month, such as `2026-01`.
    pub month: String,
    /// When it was numbered, as RFC 3339.
    #[schema(format = DateTime)]
    pub issued_at: String,
    /// Always `USD`.
    pub currency: String,
    /// Who sells.
    pub seller: Seller,
    /// Who buys.
    pub buyer: Buyer,
    /// What was sold in the month.
    pub sales: Vec<Line>,
    /// What was used in the month of what was sold or given before.
    pub used: Vec<Line>,
    /// The sales without taxes.
    #[serde(rename = "netUsd")]
    #[schema(value_type = f64)]
    pub net: Cents,
    /// The taxes.
    pub taxes: Vec<TaxLine>,
    /// Whether the sales have the taxes in them.
    pub tax_included: bool,
    /// The sales with taxes.
    #[serde(rename = "totalUsd")]
    #[schema(value_type = f64)]
    pub total: Cents,
}

/// What an invoice is made of besides its terms and its number.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The UTC month.
    pub month: String,
    /// When it is numbered.
    pub issued_at: String,
    /// Who buys.
    pub buyer: Buyer,
    /// What the ledger has for the month.
    pub figures: Figures,
    /// What the invoice before left over.
    pub carries: Carries,
}

impl Terms {
    /// The invoice, and what it leaves over for the next one.
    pub fn invoice(&self, number: String, draft: Draft) -> (Invoice, Carries) {
        let Draft { workspace_id, month, issued_at, buyer, figures, mut carries } = draft;
        let lines = Kind::ALL.map(|kind| {
            let Sum { micros, count } = figures.of(kind);
            Line { kind, count, amount: carries.settle(kind, micros) }
        });
        let (sales, used): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| line.kind.is_sale());
        let sum = Cents(sales.iter().map(|line| line.amount.0).sum());
        let (net, taxes) = self.tax(sum);
        let total = Cents(net.0 + taxes.iter().map(|tax| tax.amount.0).sum::<i64>());
        let is_there = |line: &Line| line.count > 0 || line.amount != Cents(0);
        let invoice = Invoice {
            number,
            workspace_id,
            month,
            issued_at,
            currency: "USD".to_owned(),
            seller: self.seller.clone(),
            buyer,
            sales: sales.into_iter().filter(is_there).collect(),
            used: used.into_iter().filter(is_there).collect(),
            net,
            taxes,
            tax_included: self.is_tax_included,
            total,
        };
        (invoice, carries)
    }

    /// Sales without taxes, and the taxes. Each is rounded to the cent, halves away from zero. Where the taxes are in the sales, the last tax
    /// is what is left, so that net and taxes are the sales again.
    fn tax(&self, sales: Cents) -> (Cents, Vec<TaxLine>) {
        let rates: i128 = self.taxes.iter().map(|tax| i128::from(tax.rate)).sum();
        let net = match self.is_tax_included {
            true => amounts::share(sales, WHOLE, WHOLE + rates),
            false => sales,
        };
        let mut taxes: Vec<_> = self.taxes.iter().map(|tax| tax.line(net)).collect();
        if self.is_tax_included && !taxes.is_empty() {
            let others: i64 = taxes.iter().rev().skip(1).map(|tax| tax.amount.0).sum();
            if let Some(last) = taxes.last_mut() {
                last.amount = Cents(sales.0 - net.0 - others);
            }
        }
        (net, taxes)
    }
}

impl Tax {
    fn line(&self, net: Cents) -> TaxLine {
        let (whole, rest) = (self.rate / 1000, self.rate % 1000);
        let decimals = format!("{rest:03}");
        let percent = match decimals.trim_end_matches('0') {
            "" => whole.to_string(),
            decimals => format!("{whole}.{decimals}"),
        };
        TaxLine { name: self.name.clone(), percent, amount: amounts::share(net, i128::from(self.rate), WHOLE) }
    }
}

#[cfg(test)]
mod tests;
