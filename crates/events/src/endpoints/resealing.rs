//! Secrets when the master key is replaced and the old one is at hand.

use kernel::ambient::Ambient;
use kernel::id::EndpointId;
use kernel::secret::Sealer;
use store::{StoreError, Tx, sql};

use super::secrets::{FormerSecret, read_former, write_former};

/// Seals the secrets of all surfaces' endpoints that `old` opens with `new`, replaced ones that still sign too; of how many
/// endpoints.
///
/// # Errors
/// Any [`StoreError`].
pub fn reseal(tx: &mut Tx<'_>, ambient: &Ambient, old: &Sealer, new: &Sealer) -> Result<u64, StoreError> {
    let stored: Vec<(EndpointId, String, String)> =
        tx.query("SELECT id, sealed_secret, former_secrets FROM webhook_endpoint ORDER BY id", &[], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    let mut resealed = 0;
    for (id, sealed, former) in stored {
        let context = id.to_string();
        let anew = |sealed: &str| old.open(&context, sealed).ok().map(|secret| new.seal(ambient, &context, &secret));
        let Some(sealed) = anew(&sealed) else { continue };
        let former = read_former(&former).into_iter();
        let former = former.filter_map(|secret| Some(FormerSecret { sealed: anew(&secret.sealed)?, ..secret }));
        let former = write_former(&former.collect::<Vec<_>>());
        resealed +=
            sql!("UPDATE webhook_endpoint SET sealed_secret = {sealed}, former_secrets = {former} WHERE id = {id}")
                .execute(tx)?;
    }
    Ok(resealed)
}
