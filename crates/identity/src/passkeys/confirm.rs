//! `POST /auth/passkeys`: the authenticator's answer adds the passkey.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, object, text};
use edge::problem::{ContentErrorBody, Problem};
use edge::second_factors::passkeys::{self, MOST_PASSKEYS, StoredPasskey};
use edge::second_factors::{self as factors, Status};
use edge::sessions::{PresentedSession, SignedIn, list as sessions};
use http::StatusCode;
use kernel::id::{PasskeyId, UserId};
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::Value;
use store::{StoreError, Tx};
use webauthn_rs::prelude::{Passkey, PasskeyRegistration, RegisterPublicKeyCredential};

use super::ceremony::Use;
use super::enroll::{purpose, refuse_waiting};
use super::{LONGEST_CREDENTIAL, credential_id_text};
use crate::Identity;

/// The authenticator's answer to a challenge for a new passkey.
#[derive(Body)]
pub struct PasskeyConfirmation {
    /// As the challenge has it.
    #[field(text(1..=16_384), example = "kX3d…")]
    ceremony: String,
    /// What the admin calls the passkey.
    #[field(text(1..=100), example = "Phone")]
    name: String,
    /// What `navigator.credentials.create` gave, in WebAuthn's JSON (`toJSON`).
    #[field(object(LONGEST_CREDENTIAL))]
    credential: Value,
}

/// A passkey that was added.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedPasskey {
    /// Names the passkey.
    #[schema(value_type = String, format = "uuid")]
    id: PasskeyId,
    /// What the admin calls it.
    name: String,
    /// When it was added.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// Recovery codes, shown this once, where it is the admin's first second factor; empty otherwise.
    recovery_codes: Vec<String>,
}

/// Adds a passkey: sign-in asks for a second factor from now on. The other sessions of the admin end with the first one.
#[utoipa::path(
    post, path = "/auth/passkeys", tag = "Passkeys", operation_id = "confirmPasskey",
    security(("adminSession" = [])), request_body = PasskeyConfirmation,
    responses(
        (status = 201, description = "Added", body = AddedPasskey),
        (status = 400, description = "The body is invalid, or the challenge has expired or was answered",
            body = ContentErrorBody),
        (status = 401, description = "There is no session, or it waits for its second factor", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The passkey is known, the admin has 20, or the service's address has no domain name",
            body = ContentErrorBody),
    )
)]
pub async fn confirm(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let whose = |_: &mut Tx<'_>, signed_in: &SignedIn| Ok(signed_in.admin.user_id);
    let user = identity.door.read_by_incomplete_session(session.clone(), "passkeys.whose", whose).await?;
    let PasskeyConfirmation { ceremony, name, credential } = body.read()?;
    let party = identity.relying_party()?;
    let opened = party.ceremonies.open::<PasskeyRegistration>(identity.door.ambient.now(), &purpose(user), &ceremony);
    let (state, ceremony) = opened?.split();
    let refused = || Problem::field("credential", "is not a passkey that answers the challenge");
    let answer: RegisterPublicKeyCredential = serde_json::from_value(credential).map_err(|_| refused())?;
    let passkey = party.webauthn.finish_passkey_registration(&answer, &state).map_err(|error| {
        tracing::info!(%error, "a passkey was not added");
        refused()
    })?;
    let new = New { user, passkey, name, ceremony };
    let (parts, present) = (identity.clone(), session.clone());
    let add = move |tx: &mut Tx<'_>, signed_in: &SignedIn| new.add(&parts, tx, signed_in, &present);
    let added = identity.door.write_by_incomplete_session(session, "passkeys.confirm", add).await?;
    Ok(Answer::json(StatusCode::CREATED, &added))
}

/// A passkey to add.
struct New {
    user: UserId,
    passkey: Passkey,
    name: String,
    ceremony: Use,
}

impl New {
    fn add(
        &self,
        identity: &Identity,
        tx: &mut Tx<'_>,
        signed_in: &SignedIn,
        present: &PresentedSession,
    ) -> Result<AddedPasskey, Problem> {
        refuse_waiting(tx, signed_in)?;
        self.ceremony.note(tx)?;
        if passkeys::list(tx, self.user)?.len() >= MOST_PASSKEYS {
            return Err(Problem::Conflict("You have 20 passkeys already. Remove one first."));
        }
        let is_first = factors::status(tx, self.user)? == Status::Absent;
        let stored = self.stored(tx)?;
        passkeys::add(tx, &stored).map_err(|error| match error {
            StoreError::Unique { .. } => Problem::Conflict("The passkey is known already."),
            other => other.into(),
        })?;
        let mut recovery_codes = Vec::new();
        if is_first {
            let door = &identity.door;
            recovery_codes = door.second_factors.renew_recovery_codes(tx, &door.ambient, self.user)?;
            sessions::end_others(tx, self.user, present)?;
            sessions::complete(tx, present, signed_in.method.with_second_factor())?;
        }
        Ok(AddedPasskey { id: stored.id, name: stored.name, created_at: stored.created_at, recovery_codes })
    }

    fn stored(&self, tx: &Tx<'_>) -> Result<StoredPasskey, Problem> {
        Ok(StoredPasskey {
            id: tx.ambient().id(),
            user_id: self.user,
            credential_id: credential_id_text(self.passkey.cred_id()),
            name: self.name.clone(),
            credential: serde_json::to_string(&self.passkey).map_err(Problem::unexpected)?,
            created_at: tx.now(),
            last_used_at: None,
        })
    }
}
