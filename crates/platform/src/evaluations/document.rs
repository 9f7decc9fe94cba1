//! What the API's document has of evaluations and no other file: a request as a form (platform-api section 4), which `form`
//! reads, and the answer that asks for a payment (section 7), which `payments` writes.
#![expect(dead_code, reason = "documents what is read and written part by part")]

use edge::problem::PlatformError;

use super::request::CreateEvaluationRequest;

/// The same as a form: objects are JSON texts, and files come beside them.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct CreateEvaluationForm {
    /// The other fields, each as a field of the form.
    #[serde(flatten)]
    request: CreateEvaluationRequest,
    /// Files that describe the rubric: at most 10, of 10 MiB each.
    #[schema(max_items = 10, format = Binary, content_media_type = "application/octet-stream")]
    rubric_files: Option<Vec<String>>,
    /// Files that are part of the answer: at most 10, of 10 MiB each.
    #[schema(max_items = 10, format = Binary, content_media_type = "application/octet-stream")]
    answer_files: Option<Vec<String>>,
}

/// What a 402 says where payments are taken. Clients of x402 read `x402Version` and `accepts`, or the header
/// `PAYMENT-REQUIRED`.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct PaymentRequiredBody {
    /// `payment_required`, or `x402_payment_failed` for a payment that is not taken.
    error: PlatformError,
    /// How to pay for the request.
    #[schema(required = false)]
    x402: PaymentInstructionsBody,
    /// Where a payment method can be registered.
    #[schema(required = false, format = "uri")]
    billing_session_url: String,
    /// The version of `accepts`.
    #[schema(required = false, rename = "x402Version", example = 1)]
    x402_version: u8,
    /// The same for clients of x402, version 1.
    #[schema(required = false)]
    accepts: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// How to pay for a request with a stablecoin.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct PaymentInstructionsBody {
    /// Always `exact`.
    #[schema(example = "exact")]
    scheme: String,
    /// The chain.
    #[schema(example = "base")]
    network: String,
    /// In US dollars.
    #[schema(example = "$0.03")]
    price: String,
    /// The account that is paid.
    pay_to: String,
    /// What is bought.
    description: String,
    /// The type of the answer.
    #[schema(example = "application/json")]
    mime_type: String,
    /// The URL that the payment is for.
    #[schema(format = "uri")]
    resource: String,
}
