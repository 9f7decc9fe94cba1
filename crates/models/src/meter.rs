//! What calls tell the metrics: how many, how long, what they used. Labels are the operator's own names, nothing else.

use std::time::Duration;

use kernel::model::Usage;

use crate::work::Work;

/// A try's outcome: `answered`, or the code of its error.
pub(crate) fn outcome(provider: &str, model: &str, outcome: &'static str) {
    metrics::counter!(
        "lectern_model_calls_total",
        "provider" => provider.to_owned(), "model" => model.to_owned(), "outcome" => outcome,
    )
    .increment(1);
}

/// An answer's price and time.
pub(crate) fn answered(provider: &str, model: &str, usage: Usage, latency: Duration) {
    metrics::histogram!(
        "lectern_model_call_duration_seconds",
        "provider" => provider.to_owned(), "model" => model.to_owned(),
    )
    .record(latency.as_secs_f64());
    for (kind, tokens) in
        [("input", usage.input_tokens), ("cached", usage.cached_tokens), ("output", usage.output_tokens)]
    {
        metrics::counter!(
            "lectern_model_tokens_total",
            "provider" => provider.to_owned(), "model" => model.to_owned(), "kind" => kind,
        )
        .increment(tokens);
    }
}

/// The outcome of a try to have something spoken: `answered`, or the class of its cause.
pub(crate) fn speech(model: &str, outcome: &'static str) {
    metrics::counter!("lectern_speech_calls_total", "model" => model.to_owned(), "outcome" => outcome).increment(1);
}

/// Whether a provider's model is left alone with this work.
pub(crate) fn resting(provider: &str, model: &str, work: Work, is_resting: bool) {
    let value = if is_resting { 1.0 } else { 0.0 };
    metrics::gauge!(
        "lectern_model_provider_resting",
        "provider" => provider.to_owned(), "model" => model.to_owned(), "work" => work.as_str(),
    )
    .set(value);
}
