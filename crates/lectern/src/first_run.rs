//! What the first run in a browser makes: the same as `lectern init`, with the keys in the answer.
//!
//! Where to read next: `identity::first_run` judges the code and signs the administrator in.

use billing::catalog::Catalog;
use edge::problem::Problem;
use identity::first_run::{Installation, Installer, NewInstallation};
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use crate::master_key::stored;
use crate::setup::{self, Plan, SetupError};

/// Makes the first rows as `lectern init` does.
pub(crate) struct FirstRun {
    pub(crate) prices: Catalog,
}

impl Installer for FirstRun {
    fn made_at(&self, tx: &mut Tx<'_>) -> Result<Timestamp, StoreError> {
        Ok(stored::made_at(tx)?.unwrap_or(Timestamp::from_millis(0)))
    }

    fn install(&self, tx: &mut Tx<'_>, new: &NewInstallation) -> Result<Installation, Problem> {
        let plan = Plan {
            email: new.email.clone(),
            password_hash: Some(new.password_hash.clone()),
            organization: new.organization.clone(),
            classroom: new.classroom.clone(),
            // Keys that a command made before are not the administrator's to see.
            wants_new_keys: true,
            free_grant: self.prices.free_grant(tx.now()),
        };
        let ambient = tx.ambient().clone();
        let made = setup::write(tx, &ambient, &plan).map_err(problem)?;
        Ok(Installation {
            user: made.user,
            organization: made.organization.id,
            classroom: made.classroom.id,
            workspace: made.workspace,
            content_key: made.content_key,
            platform_key: made.platform_key,
        })
    }
}

fn problem(error: SetupError) -> Problem {
    match error {
        SetupError::Problem(problem) => problem,
        SetupError::Store(error) => error.into(),
        missing @ SetupError::NoPassword(_) => Problem::unexpected(missing),
    }
}
