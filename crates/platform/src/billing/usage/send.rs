//! One attempt to report usage, with no transaction open.

use crate::billing::processor::calls::Usage;
use crate::billing::processor::{Processor, ProcessorError};

use super::TargetKind;
use super::claim::ClaimedReport;

/// What stands for the tier in the name of a meter's event.
const TIER: &str = "{tier}";

/// Reports a claimed row: credits to a meter, pieces of work to an item.
pub(super) async fn send(processor: &Processor, claimed: &ClaimedReport) -> Result<(), ProcessorError> {
    let ClaimedReport { report, target, .. } = claimed;
    let (identifier, idempotency_key) = (report.identifier(), report.idempotency_key());
    let usage = Usage { identifier: &identifier, idempotency_key: &idempotency_key, used_at: report.used_at };
    match target.kind {
        TargetKind::Meter => {
            let event_name = event_name(processor, report.tier.as_str());
            processor.report_to_meter(&event_name, &target.id, report.amount, &usage).await
        }
        TargetKind::Item => processor.report_to_item(&target.id, report.quantity, &usage).await,
    }
}

/// The name of the event that meters a tier.
pub(in crate::billing) fn event_name(processor: &Processor, tier: &str) -> String {
    processor.options().meter_event_name.replace(TIER, tier)
}
