//! The process environment, read once. Nothing else in the program looks at it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

const OURS: &str = "LECTERN_";
/// The general wish for no colours, see <https://no-color.org>.
const NO_COLOR: &str = "NO_COLOR";
const TERM: &str = "TERM";

/// Variables that are no settings: where the settings are, and a password for one command.
pub(super) const CONFIG_FILE: &str = "LECTERN_CONFIG";
const ADMIN_PASSWORD: &str = "LECTERN_ADMIN_PASSWORD";

/// What only tests read.
const OF_TESTS: &str = "LECTERN_TEST_";

/// Settings of parts that this version does not have: known, and without effect.
const WITHOUT_EFFECT: [&str; 2] = ["LECTERN_LTI_RETRY_DELAYS", "LECTERN_OTLP_ENDPOINT"];

/// The variables that concern this program.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<String, OsString>,
}

impl Environment {
    /// What the process was started with.
    pub fn of_process() -> Self {
        Self::of(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// An environment of given variables. An empty variable counts as not set, as in compose files.
    pub fn of(variables: impl IntoIterator<Item = (String, OsString)>) -> Self {
        let is_ours = |name: &str| name.starts_with(OURS) || name == NO_COLOR || name == TERM;
        let variables = variables.into_iter().filter(|(name, value)| is_ours(name) && !value.is_empty()).collect();
        Self { variables }
    }

    /// What counts of it for the demo, and what the demo adds.
    pub(super) fn for_demo(&self, data_dir: &Path) -> Self {
        const COUNT: [&str; 3] = ["LECTERN_LISTEN", "LECTERN_LOG", "LECTERN_LOG_FORMAT"];
        let own = [
            ("LECTERN_DATA_DIR", data_dir.as_os_str()),
            ("LECTERN_LOG", "warn".as_ref()),
            ("LECTERN_OUTBOUND_ALLOW_NETWORKS", "127.0.0.0/8".as_ref()),
            ("LECTERN_OUTBOUND_ALLOW_HTTP", "true".as_ref()),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let counting = COUNT.iter().filter_map(|name| Some(((*name).to_owned(), self.variables.get(*name)?.clone())));
        Self::of(own.into_iter().chain(counting))
    }

    /// The configuration file that it names.
    pub fn config_file(&self) -> Option<&OsString> {
        self.variables.get(CONFIG_FILE)
    }

    /// The password of the admin to be made.
    pub fn admin_password(&self) -> Option<&OsString> {
        self.variables.get(ADMIN_PASSWORD)
    }

    /// Whether a terminal may be written to in colours.
    pub fn allows_colour(&self) -> bool {
        !self.variables.contains_key(NO_COLOR) && self.variables.get(TERM).is_none_or(|term| term != "dumb")
    }

    pub(super) fn get(&self, variable: &str) -> Option<&OsString> {
        self.variables.get(variable)
    }

    /// Our variables that mean something, or should.
    pub(super) fn settings(&self) -> impl Iterator<Item = &str> {
        let names = self.variables.keys().map(String::as_str);
        let names = names.filter(|name| name.starts_with(OURS) && !name.starts_with(OF_TESTS));
        names.filter(|name| *name != CONFIG_FILE && *name != ADMIN_PASSWORD)
    }
}

/// Whether a variable belongs to a part that this version does not have.
pub(super) fn is_without_effect(variable: &str) -> bool {
    WITHOUT_EFFECT.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => variable.starts_with(start),
        None => variable == *known,
    })
}
