//! `lectern setup-code`: the code for the first administrator, which is made in a browser.
//!
//! Whoever can run a command on the data or reads what the service printed operates it anyway, so the code may stand on a terminal. It
//! is never logged, and counts only until the first account is made.

use identity::Identity;
use url::Url;

use super::{Session, WrongUse};
use crate::app::App;
use crate::{assembly, master_key, output};

/// Prints the code and where to enter it.
pub(super) async fn run(session: &Session) -> anyhow::Result<()> {
    let config = session.config()?;
    let (store, master) = master_key::open_store(&config, &session.ambient).await?;
    let options = assembly::app_options(&config, master, config.server.listen)?;
    let base_url = options.base_url.clone();
    let app = App::on(store, options, session.ambient.clone())?;
    let code = app.identity.setup_code().await?;
    app.door.store.close().await;
    let code =
        code.ok_or_else(|| WrongUse("somebody has an account already: sign in, or see lectern user list".to_owned()))?;
    output::line(&code)?;
    output::note(format!("Enter it at {}", address(&base_url)));
    Ok(())
}

/// Tells the operator of an empty installation how to go on, on stdout: stderr has the log, which programs read. A service that serves
/// is not ended by a closed terminal.
pub(super) async fn announce(identity: &Identity, base_url: &Url) {
    match identity.setup_code().await {
        Ok(Some(code)) => {
            let _ = output::line(format!(
                "Nobody has an account yet. Make the first at {} with the setup code {code}",
                address(base_url)
            ));
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "the setup code can't be made"),
    }
}

fn address(base_url: &Url) -> String {
    format!("{}/console/setup", base_url.as_str().trim_end_matches('/'))
}
