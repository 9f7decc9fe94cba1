//! `[log]`: what is logged, and how it looks.

use tracing_subscriber::EnvFilter;

use super::reader::Reader;
use super::setting::Setting;

const SECTION: &str = "log";

static FILTER: Setting = Setting::new(SECTION, "filter", "LECTERN_LOG").or("info");
static FORMAT: Setting =
    Setting::new(SECTION, "format", "LECTERN_LOG_FORMAT").or_else("text on a terminal, json elsewhere");

/// `[log]`
#[derive(Clone, Debug)]
pub struct Log {
    /// Directives such as `info` or `warn,http=info`.
    pub filter: String,
    /// `None`: by whether stderr is a terminal.
    pub format: Option<LogFormat>,
}

/// How a log line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object a line, for machines.
    Json,
}

impl Log {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let filter = reader.required(&FILTER, |text| match EnvFilter::try_new(text) {
            Ok(_) => Ok(text.to_owned()),
            Err(error) => Err(format!("must be log directives such as warn,http=info: {error}")),
        });
        let format = reader.optional(&FORMAT, |text| match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err("must be text or json".to_owned()),
        });
        Some(Self { filter: filter?, format: format? })
    }
}
