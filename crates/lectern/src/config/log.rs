//! `[log]`: what is logged, and how it looks.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::Targets;

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

/// What log lines name as their target: our parts, `http` for the access log, and the dependencies that log.
const TARGETS: [&str; 16] = [
    "http",
    "console",
    "content",
    "edge",
    "events",
    "files",
    "identity",
    "lectern",
    "models",
    "net",
    "platform",
    "store",
    "web",
    "h2",
    "hyper_util",
    "object_store",
];

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
        let filter = reader.required(&FILTER, directives);
        for target in filter.as_deref().map(unmatched).unwrap_or_default() {
            reader.note_unused_part(&FILTER, &target, "nothing that is logged has this name");
        }
        let format = reader.optional(&FORMAT, |text| match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err("must be text or json".to_owned()),
        });
        Some(Self { filter: filter?, format: format? })
    }
}

/// Directives of which at least one matches something. A misspelt level alone would be read as the name of a part, and
/// silence the whole log.
fn directives(text: &str) -> Result<String, String> {
    let wrong = |why: &str| format!("must be log directives such as warn,http=info: {why}");
    EnvFilter::try_new(text).map_err(|error| wrong(&error.to_string()))?;
    let Some(targets) = targets(text) else { return Ok(text.to_owned()) };
    if targets.default_level().is_some() || targets.iter().any(|(target, _)| is_logged(target)) {
        return Ok(text.to_owned());
    }
    let parts = TARGETS.join(", ");
    Err(wrong(&format!(
        "these match nothing that is logged. Name a level (error, warn, info, debug, trace or off), or one of {parts}"
    )))
}

/// The targets that directives name and nothing has.
fn unmatched(text: &str) -> Vec<String> {
    let Some(targets) = targets(text) else { return Vec::new() };
    targets.iter().map(|(target, _)| target).filter(|target| !is_logged(target)).map(str::to_owned).collect()
}

/// The directives without conditions on spans; `None` where there are such, which nobody here can judge.
fn targets(text: &str) -> Option<Targets> {
    text.parse().ok()
}

/// Whether a directive's target matches one that is logged. A directive counts for every target that begins with its
/// own, and a module belongs to a part.
fn is_logged(target: &str) -> bool {
    TARGETS.iter().any(|known| {
        known.starts_with(target) || target.strip_prefix(known).is_some_and(|module| module.starts_with("::"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_matches_nothing_is_refused() {
        for right in
            ["info", "off", "warn,http=info", "http", "edge::door=debug", "hyper=trace", "INFO", "3", "info,htpp=debug"]
        {
            assert_eq!(directives(right), Ok(right.to_owned()), "{right}");
        }
        for wrong in ["infoo", "wran", "htpp=info", "lectern_edge=debug", "edges=info", "infoo,wran=debug"] {
            let said = directives(wrong).unwrap_err();
            assert!(said.contains("match nothing") && said.contains("info, debug"), "{wrong}: {said}");
            assert!(!said.contains(wrong), "a value is not repeated: {said}");
        }
        assert!(directives("http=loud").is_err());
    }

    #[test]
    fn a_directive_that_matches_nothing_beside_others_is_named() {
        assert_eq!(unmatched("info,htpp=debug,edge=warn"), ["htpp"]);
        assert!(unmatched("info,http=debug").is_empty());
    }

    #[test]
    fn the_known_targets_are_the_packages_that_log() {
        let lock = include_str!("../../../../Cargo.lock");
        let loggers: Vec<(String, bool)> = lock.split("[[package]]").filter_map(logger).collect();
        for (name, is_ours) in &loggers {
            assert!(!is_ours || TARGETS.contains(&name.as_str()), "{name} logs");
        }
        for target in TARGETS.iter().filter(|target| **target != "http") {
            assert!(loggers.iter().any(|(name, _)| name == target), "{target} does not log");
        }
    }

    /// The target of a package that logs, and whether it is one of the workspace.
    fn logger(package: &str) -> Option<(String, bool)> {
        let name = package.lines().find_map(|line| line.strip_prefix("name = "))?.trim_matches('"').replace('-', "_");
        let is_ours = !package.contains("\nsource = ");
        package.contains("\n \"tracing\",").then_some((name, is_ours))
    }
}
