//! Evaluations that payments with requests pay for, beside those that credits pay for. The facilitator takes no time.

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::servers::Rates;
use crate::settings::Settings;

/// The figure.
const RATIO: f64 = 0.5;
/// Evaluations of a round.
const COUNT: usize = 2000;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("payments, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let mut arguments = database.arguments("payments");
        arguments.push(format!("--count={COUNT}"));
        let mut child = Child::server(&arguments, &database.folder().join("payments.log"))?;
        let Rates { exact_by_credits, exact_by_payments, open_by_credits, open_by_payments } = child.answer()?;
        for (name, credits, payments) in [
            ("evaluations that payments pay for, exact", exact_by_credits, exact_by_payments),
            ("evaluations that payments pay for, open", open_by_credits, open_by_payments),
        ] {
            let figure = Figure::new(name, engine.name()).at_least("ratio to credits", payments / credits, RATIO);
            report.add(figure.note(format!("{payments:.0} a second by payments, {credits:.0} by credits, 32 callers")));
        }
    }
    Ok(())
}
