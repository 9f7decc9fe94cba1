//! `[model]`: which language models generate and grade, and `[model_2]`, `[model_3]`, `[model_4]`: who is asked when those
//! before can't answer. `docs/models.md` has settings for the usual servers.

use std::time::Duration;

use engine::authored::Limits;
use kernel::secret::SecretString;
use models::{ANTHROPIC_URL, ModelNames, OPENAI_URL, Pacing, Protocol, Provider, Settings};
use url::Url;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "model";
const MOST_RETRIES: usize = 10;
const MOST_AT_ONCE: usize = 10_000;
/// Tokens of a window: with fewer no section of a module would fit into an answer.
const LEAST_WINDOW: usize = 8_192;
const MOST_WINDOW: usize = 100_000_000;
const LONGEST_NAME: usize = 200;
/// Of a provider.
const LONGEST_LABEL: usize = 40;

/// The settings of one provider.
struct Keys {
    provider: Setting,
    name: Setting,
    base_url: Setting,
    api_key: Setting,
    protocol: Setting,
    fast: Setting,
    standard: Setting,
    advanced: Setting,
    content: Setting,
}

macro_rules! keys {
    ($section:literal, $prefix:literal, $provider:expr) => {
        Keys {
            provider: $provider,
            name: Setting::new($section, "name", concat!($prefix, "_NAME")).or_else(OWN_NAME),
            base_url: Setting::new($section, "base_url", concat!($prefix, "_BASE_URL")).or_else("the provider's own"),
            api_key: Setting::new($section, "api_key", concat!($prefix, "_API_KEY"))
                .shaped(Shape::Secret)
                .or_else("none, as local servers want it"),
            protocol: Setting::new($section, "protocol", concat!($prefix, "_PROTOCOL")).or_else("chat"),
            fast: Setting::new($section, "fast", concat!($prefix, "_FAST")).or_else(NAMES),
            standard: Setting::new($section, "standard", concat!($prefix, "_STANDARD")).or_else(NAMES),
            advanced: Setting::new($section, "advanced", concat!($prefix, "_ADVANCED")).or_else(NAMES),
            content: Setting::new($section, "content", concat!($prefix, "_CONTENT")).or_else(NAMES),
        }
    };
}

const OWN_NAME: &str = "what the provider is; of further ones with their number, such as openai_2";
const NAMES: &str = "the provider's usual one; of another server the standard one";

static FIRST: Keys =
    keys!("model", "LECTERN_MODEL", Setting::new(SECTION, "provider", "LECTERN_MODEL_PROVIDER").or("builtin"));
static OTHERS: [Keys; 3] = [
    keys!("model_2", "LECTERN_MODEL_2", Setting::new("model_2", "provider", "LECTERN_MODEL_2_PROVIDER")),
    keys!("model_3", "LECTERN_MODEL_3", Setting::new("model_3", "provider", "LECTERN_MODEL_3_PROVIDER")),
    keys!("model_4", "LECTERN_MODEL_4", Setting::new("model_4", "provider", "LECTERN_MODEL_4_PROVIDER")),
];

static TIMEOUT: Setting = Setting::new(SECTION, "timeout", "LECTERN_MODEL_TIMEOUT").or("60s");
static RETRIES: Setting = Setting::new(SECTION, "retries", "LECTERN_MODEL_RETRIES").or("2").shaped(Shape::Bare);
static CONCURRENCY: Setting =
    Setting::new(SECTION, "concurrency", "LECTERN_MODEL_CONCURRENCY").or("64").shaped(Shape::Bare);
static CONTENT_FALLBACK: Setting =
    Setting::new(SECTION, "content_fallback", "LECTERN_MODEL_CONTENT_FALLBACK").or("none");

static CONTENT_WINDOW: Setting = Setting::new(SECTION, "content_window", "LECTERN_MODEL_CONTENT_WINDOW")
    .shaped(Shape::Bare)
    .or_else("room for 32768 tokens and more, which most models have");

/// `[model]` and its followers
#[derive(Clone, Debug)]
pub struct Model {
    settings: Option<Settings>,
    /// Whether content that no model could make is made by the built-in generator, and said to be.
    pub content_fallback: bool,
    /// How much content is asked for at once.
    pub content_limits: Limits,
}

impl Model {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let first = provider(reader, &FIRST, 1);
        let timeout = reader.required(&TIMEOUT, timeout);
        let retries = reader.required(&RETRIES, parse::count(0, MOST_RETRIES));
        let concurrency = reader.required(&CONCURRENCY, parse::count(1, MOST_AT_ONCE));
        let content_fallback = reader.required(&CONTENT_FALLBACK, |text| match text {
            "none" => Ok(false),
            "builtin" => Ok(true),
            _ => Err("must be none or builtin".to_owned()),
        });
        let content_window = reader.optional(&CONTENT_WINDOW, parse::count(LEAST_WINDOW, MOST_WINDOW));
        // Each is read, whatever is wrong with those before.
        let others: Vec<_> = OTHERS.iter().zip(2..).map(|(keys, number)| other(reader, keys, number)).collect();
        let others = others.into_iter().collect::<Option<Vec<_>>>();
        let (first, others) = (first?, others?);
        refuse_repeated_names(reader, std::iter::once((&FIRST, &first)).chain(OTHERS.iter().zip(&others)))?;
        if first.is_none() {
            without_model(reader);
            if let Some(keys) = OTHERS.iter().find(|keys| reader.is_given(&keys.provider)) {
                return reader.refuse(&keys.provider, "needs LECTERN_MODEL_PROVIDER too, which is asked before it");
            }
        }
        let (timeout, retries, concurrency) = (timeout?, u32::try_from(retries?).ok()?, concurrency?);
        let (others, pacing) = (others.into_iter().flatten().collect(), Pacing::default());
        let settings =
            first.map(|first| Settings { first, others, timeout, retries, concurrency, extra_ca_pem: None, pacing });
        let content_limits = content_window?.map_or_else(Limits::default, Limits::for_window);
        Some(Self { settings, content_fallback: content_fallback?, content_limits })
    }

    /// Who is asked; `None` for the built-in generator and grader. `extra_ca_pem` is trusted besides the system's
    /// certificates.
    pub fn settings(&self, extra_ca_pem: Option<&[u8]>) -> Option<Settings> {
        let settings = self.settings.clone()?;
        Some(Settings { extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec), ..settings })
    }
}

impl Keys {
    fn names(&self) -> [&Setting; 4] {
        [&self.fast, &self.standard, &self.advanced, &self.content]
    }

    /// All but the provider.
    fn details(&'static self) -> impl Iterator<Item = &'static Setting> {
        [&self.name, &self.base_url, &self.api_key, &self.protocol].into_iter().chain(self.names())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Builtin,
    OpenAi,
    Anthropic,
}

/// A provider further down the line; `Some(None)` when there is none.
fn other(reader: &mut Reader<'_>, keys: &'static Keys, number: u32) -> Option<Option<Provider>> {
    if !reader.has_empty_section(keys.provider.section) && !reader.is_given(&keys.provider) {
        let lonely: Vec<_> = keys.details().filter(|setting| reader.is_given(setting)).collect();
        let wrong = format!("needs {} too", keys.provider.variable);
        for setting in &lonely {
            let _: Option<Option<String>> = reader.optional(setting, |_| Err(wrong.clone()));
        }
        return lonely.is_empty().then_some(None);
    }
    match provider(reader, keys, number)? {
        Some(provider) => Some(Some(provider)),
        None => reader.refuse(&keys.provider, "must be openai or anthropic"),
    }
}

/// Reads a provider's settings; `Some(None)` for the built-in generator and grader.
fn provider(reader: &mut Reader<'_>, keys: &'static Keys, number: u32) -> Option<Option<Provider>> {
    let kind = reader.optional(&keys.provider, |text| match text {
        "builtin" => Ok(Kind::Builtin),
        "openai" => Ok(Kind::OpenAi),
        "anthropic" => Ok(Kind::Anthropic),
        _ => Err("must be builtin, openai (any server that speaks its protocol) or anthropic".to_owned()),
    });
    let own_name = reader.optional(&keys.name, label);
    let base_url = reader.optional(&keys.base_url, |text| server(text, &keys.api_key));
    let api_key = reader.optional(&keys.api_key, key);
    let protocol = reader.optional(&keys.protocol, |text| match text {
        "chat" => Ok(Protocol::Chat),
        "responses" => Ok(Protocol::Responses),
        _ => Err("must be chat or responses".to_owned()),
    });
    let [fast, standard, advanced, content] =
        [&keys.fast, &keys.standard, &keys.advanced, &keys.content].map(|setting| reader.optional(setting, name));
    let kind = kind?.unwrap_or(Kind::Builtin);
    let (own_name, base_url, api_key, protocol) = (own_name?, base_url?, api_key?, protocol?);
    let (fast, standard, advanced, content) = (fast?, standard?, advanced?, content?);
    let (kind_name, own_url, own_names) = match kind {
        Kind::Builtin => return Some(None),
        Kind::OpenAi => ("openai", OPENAI_URL, ModelNames::of_openai()),
        Kind::Anthropic => ("anthropic", ANTHROPIC_URL, ModelNames::of_anthropic()),
    };
    let protocol = match (kind, protocol) {
        (Kind::Anthropic, None) => Protocol::Messages,
        (Kind::Anthropic, Some(_)) => return reader.refuse(&keys.protocol, "is for the provider openai only"),
        (_, protocol) => protocol.unwrap_or(Protocol::Chat),
    };
    let usual = match (&base_url, &standard) {
        (None, _) if api_key.is_none() => {
            let wrong = format!("needs {} too, or another server as {}", keys.api_key.variable, keys.base_url.variable);
            return reader.refuse(&keys.provider, &wrong);
        }
        (None, _) => own_names,
        (Some(_), Some(standard)) => ModelNames::all(standard),
        (Some(_), None) => {
            let wrong = format!("needs {} too, the name of a model of this server", keys.standard.variable);
            return reader.refuse(&keys.base_url, &wrong);
        }
    };
    let usual_name = if number == 1 { kind_name.to_owned() } else { format!("{kind_name}_{number}") };
    Some(Some(Provider {
        name: own_name.unwrap_or(usual_name),
        protocol,
        base_url: base_url.unwrap_or_else(|| own_url.parse().expect("an address")),
        api_key,
        models: ModelNames {
            fast: fast.unwrap_or(usual.fast),
            standard: standard.unwrap_or(usual.standard),
            advanced: advanced.unwrap_or(usual.advanced),
            content: content.unwrap_or(usual.content),
        },
    }))
}

/// Notes what says how a model is asked where there is none.
fn without_model(reader: &mut Reader<'_>) {
    const WHY: &str = "no model is asked without LECTERN_MODEL_PROVIDER";
    let of_calls = [&TIMEOUT, &RETRIES, &CONCURRENCY, &CONTENT_FALLBACK, &CONTENT_WINDOW];
    for setting in FIRST.details().chain(of_calls) {
        reader.note_unused(setting, WHY);
    }
}

/// Two providers of one name could not be told apart in records and metrics.
fn refuse_repeated_names<'p>(
    reader: &mut Reader<'_>,
    providers: impl Iterator<Item = (&'static Keys, &'p Option<Provider>)>,
) -> Option<()> {
    let mut seen: Vec<(&'static Keys, &str)> = Vec::new();
    for (keys, provider) in providers.filter_map(|(keys, provider)| Some((keys, provider.as_ref()?))) {
        if let Some((before, name)) = seen.iter().find(|(_, name)| *name == provider.name) {
            // At least one of the two is of the operator's choice: no two others are alike.
            let given = if reader.is_given(&keys.name) { &keys.name } else { &before.name };
            return reader.refuse(given, &format!("must not be {name}, which is the name of another provider"));
        }
        seen.push((keys, &provider.name));
    }
    Some(())
}

pub(super) fn server(text: &str, api_key: &Setting) -> Result<Url, String> {
    let names_somebody = |url: &Url| !url.username().is_empty() || url.password().is_some();
    if Url::parse(text).is_ok_and(|url| names_somebody(&url)) {
        let variable = api_key.variable;
        return Err(format!(
            "must be a URL without user and password: a key goes into {variable}; a server that asks for a user and a \
             password needs a gateway in front of it that knows them"
        ));
    }
    parse::base_url(text)
}

fn label(text: &str) -> Result<String, String> {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let is_label = (1..=LONGEST_LABEL).contains(&text.len()) && text.bytes().all(is_sign);
    let wrong = || format!("must be 1 to {LONGEST_LABEL} letters, digits or signs of . _ -");
    if is_label { Ok(text.to_owned()) } else { Err(wrong()) }
}

pub(super) fn key(text: &str) -> Result<SecretString, String> {
    let is_key = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_key { Ok(text.into()) } else { Err("must be letters, digits and signs without spaces".to_owned()) }
}

fn name(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && text.len() <= LONGEST_NAME && !text.contains(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err("must be the name of a model".to_owned()) }
}

pub(super) fn timeout(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_secs(3600);
    let in_range = |timeout: &Duration| (Duration::from_secs(1)..=LONGEST).contains(timeout);
    parse::duration(text).ok().filter(in_range).ok_or_else(|| "must be a duration from 1s to 1h".to_owned())
}
