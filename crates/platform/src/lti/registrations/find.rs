//! The registrations that an operator means on the command line.

use kernel::id::RegistrationId;
use store::{Record as _, StoreError, Tx, sql};

use super::Registration;

/// Registrations that are found by one name.
const MOST: u32 = 20;

/// The registration with an ID, or those with a name or an issuer, newest first.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, named: &str) -> Result<Vec<Registration>, StoreError> {
    if let Ok(id) = named.parse::<RegistrationId>() {
        return Ok(Registration::find(tx, id)?.into_iter().collect());
    }
    sql!(
        "SELECT {Registration::*} FROM lti_registration WHERE name = {named} OR issuer = {named}
         ORDER BY created_at DESC, id DESC LIMIT {MOST}"
    )
    .query(tx, Registration::from_row)
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, REGISTRATIONS, registration};

    #[both_stores]
    async fn a_registration_is_found_by_its_id_and_several_by_their_name_or_issuer(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let mut ids = Vec::new();
        for client_id in ["tool-1", "tool-2"] {
            let body = registration(client_id);
            let made = app.post(REGISTRATIONS).key(&tenant.key).json(&body).send().await.expect(201);
            ids.push(made["id"].as_str().unwrap().to_owned());
        }
        let found = |named: &str| {
            let named = named.to_owned();
            app.read(move |tx| Ok(find(tx, &named)?.iter().map(|one| one.id.to_string()).collect::<Vec<_>>()))
        };
        assert_eq!(found(&ids[0]).await, ids[..1]);
        for named in ["Riverside Moodle", "https://lms.example.com"] {
            assert_eq!(found(named).await.len(), 2, "{named}");
        }
        for named in ["", "%", "riverside moodle", "0192aee1-5a3b-7c2d-8e4f-123456789abc"] {
            assert_eq!(found(named).await, Vec::<String>::new(), "{named}");
        }
    }
}
