//! What an operator decides about models.

use std::time::Duration;

use kernel::model::ModelRole;
use kernel::secret::SecretString;
use net::Url;

use crate::work::Work;

/// Where OpenAI's own models are.
pub const OPENAI_URL: &str = "https://api.openai.com/v1";
/// Where Anthropic's own models are.
pub const ANTHROPIC_URL: &str = "https://api.anthropic.com/v1";

/// Writing takes longer than grading: a try may last so many time-outs as long as something keeps coming.
const CONTENT_TIMEOUTS: u32 = 5;

/// Who is asked, and how patiently.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Asked first.
    pub first: Provider,
    /// Asked one after the other when those before them can't answer.
    pub others: Vec<Provider>,
    /// Of one try: until the first of the answer is there, and for grades until the last of it is.
    pub timeout: Duration,
    /// Further tries of a provider after the first one, where another may help.
    pub retries: u32,
    /// Calls at once; others wait for their turn.
    pub concurrency: usize,
    /// Certificates trusted besides the system's.
    pub extra_ca_pem: Option<Vec<u8>>,
    /// How long it is waited between tries.
    pub pacing: Pacing,
}

/// A server and its models.
#[derive(Clone, Debug)]
pub struct Provider {
    /// For replies, log lines and metrics.
    pub name: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// As the operator wrote it; see [`Provider::base`].
    pub base_url: Url,
    /// Goes to this server only. Local servers need none.
    pub api_key: Option<SecretString>,
    /// Which model for which role.
    pub models: ModelNames,
}

/// What a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions, which most servers understand.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
}

/// The models of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelNames {
    /// Grades at the lowest price.
    pub fast: String,
    /// Grades.
    pub standard: String,
    /// Grades with the most care.
    pub advanced: String,
    /// Writes content.
    pub content: String,
}

/// How long it is waited before something is tried again.
#[derive(Clone, Copy, Debug)]
pub struct Pacing {
    /// Before the second try, at most; twice as long before each further one.
    pub first_delay: Duration,
    /// Before any try, at most, unless the server asks for more.
    pub longest_delay: Duration,
    /// For how long a provider that failed again and again is left alone at first; twice as long each further time.
    pub cooling: Duration,
    /// For how long at most.
    pub longest_cooling: Duration,
}

impl Default for Pacing {
    fn default() -> Self {
        Self {
            first_delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(20),
            cooling: Duration::from_secs(5),
            longest_cooling: Duration::from_secs(60),
        }
    }
}

impl Settings {
    /// In the order in which they are asked.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// How long one try may take.
    pub(crate) fn try_timeout(&self, role: ModelRole) -> Duration {
        match Work::of(role) {
            Work::Grading => self.timeout,
            Work::Content => self.timeout * CONTENT_TIMEOUTS,
        }
    }

    /// How long a call may take from its turn on, whatever happens: a try for each retry, and for each provider.
    pub(crate) fn call_timeout(&self, role: ModelRole) -> Duration {
        let providers = u32::try_from(1 + self.others.len()).unwrap_or(u32::MAX);
        self.try_timeout(role).saturating_mul((self.retries + 1).max(providers))
    }
}

impl Provider {
    /// The address below which the protocol's paths are: with the version that all of them have, where it was left out.
    pub fn base(&self) -> Url {
        with_version(&self.base_url)
    }

    /// Whether this is OpenAI's own server, which wants what others don't know.
    pub(crate) fn is_openai(&self) -> bool {
        self.base_url.host_str() == Some("api.openai.com")
    }
}

/// An address with the version behind it, unless it names one.
pub(crate) fn with_version(base_url: &Url) -> Url {
    let mut base = base_url.clone();
    let path = base.path().trim_end_matches('/').to_owned();
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    base.set_path(&if path.split('/').any(is_version) { path } else { format!("{path}/v1") });
    base
}

impl ModelNames {
    /// OpenAI's own, as of late 2026.
    pub fn of_openai() -> Self {
        let [fast, standard, advanced, content] =
            ["gpt-5.4-nano", "gpt-5.4-mini", "gpt-5.4", "gpt-5.4"].map(str::to_owned);
        Self { fast, standard, advanced, content }
    }

    /// Anthropic's own, as of late 2026.
    pub fn of_anthropic() -> Self {
        let names = ["claude-haiku-4-5", "claude-sonnet-5", "claude-opus-5", "claude-sonnet-5"];
        let [fast, standard, advanced, content] = names.map(str::to_owned);
        Self { fast, standard, advanced, content }
    }

    /// One for everything.
    pub fn all(name: &str) -> Self {
        let name = || name.to_owned();
        Self { fast: name(), standard: name(), advanced: name(), content: name() }
    }

    /// Of a role.
    pub fn of(&self, role: ModelRole) -> &str {
        match role {
            ModelRole::Fast => &self.fast,
            ModelRole::Standard => &self.standard,
            ModelRole::Advanced => &self.advanced,
            ModelRole::Content => &self.content,
        }
    }

    /// Each name once.
    pub fn distinct(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in [&self.fast, &self.standard, &self.advanced, &self.content] {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_may_be_written_with_its_version_or_without() {
        let base = |text: &str| {
            let provider = Provider {
                name: "local".to_owned(),
                protocol: Protocol::Chat,
                base_url: Url::parse(text).unwrap(),
                api_key: None,
                models: ModelNames::all("m"),
            };
            provider.base().to_string()
        };
        for written in ["http://127.0.0.1:11434", "http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/"] {
            assert_eq!(base(written), "http://127.0.0.1:11434/v1", "{written}");
        }
        assert_eq!(base("https://openrouter.ai/api/v1"), "https://openrouter.ai/api/v1");
        assert_eq!(base("https://models.example/v1beta/openai/"), "https://models.example/v1beta/openai");
        assert_eq!(base("https://gate.example/llm/"), "https://gate.example/llm/v1");
    }

    #[test]
    fn each_name_is_listed_once() {
        assert_eq!(ModelNames::all("m").distinct(), ["m"]);
        assert_eq!(ModelNames::of_anthropic().distinct().len(), 3);
    }
}
