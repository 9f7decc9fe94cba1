//! `[identity]`: what administrators need to sign in, and `[oidc]` and `[oidc_<name>]`: the identity providers that they may sign
//! in with. `docs/identity.md` has settings for the usual ones.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use edge::admins::Role;
use identity::oidc::{GroupRole, ProviderSettings, SecondFactorRule};
use kernel::secret::SecretString;
use url::Url;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const PREFIX: &str = "LECTERN_OIDC_";
const MOST_PROVIDERS: usize = 16;
const LONGEST_NAME: usize = 40;
const WITHOUT_ISSUER: &str = "there is no identity provider without its issuer";
const LONGEST_TEXT: usize = 500;

static REQUIRE_OPERATOR_TOTP: Setting =
    Setting::new("identity", "require_operator_totp", "LECTERN_REQUIRE_OPERATOR_TOTP").or("false").shaped(Shape::Bare);

static AUDIT_RETENTION_DAYS: Setting =
    Setting::new("identity", "audit_retention_days", "LECTERN_AUDIT_RETENTION_DAYS").or("400").shaped(Shape::Bare);
const MOST_RETENTION_DAYS: usize = 3650;

/// The settings of one provider.
struct Keys {
    issuer: Setting,
    name: Setting,
    client_id: Setting,
    client_secret: Setting,
    scopes: Setting,
    trusted_email_claim: Setting,
    groups_claim: Setting,
    operator_groups: Setting,
    organization_groups: Setting,
    create_accounts: Setting,
    second_factor: Setting,
    second_factor_acr: Setting,
}

/// The settings of the only provider, where there is one, and of the first of several.
static FIRST: LazyLock<Keys> = LazyLock::new(|| Keys::of(""));

impl Keys {
    /// The settings of the provider of this name, in the letters of a section. They live as long as the program: it reads its
    /// configuration once.
    fn of(name: &str) -> Self {
        let apart = if name.is_empty() { String::new() } else { format!("_{name}") };
        let section: &'static str = format!("oidc{apart}").leak();
        let setting = |key: &'static str| {
            let variable =
                format!("{PREFIX}{}{}", apart.trim_start_matches('_'), if name.is_empty() { "" } else { "_" });
            Setting::new(section, key, format!("{variable}{key}").to_ascii_uppercase().leak())
        };
        Self {
            issuer: setting("issuer").or_else("no identity provider"),
            name: setting("name").or_else("that of the section or variable"),
            client_id: setting("client_id").or_else("needed"),
            client_secret: setting("client_secret").shaped(Shape::Secret).or_else("none: a public client"),
            scopes: setting("scopes").or("openid,email").shaped(Shape::List),
            trusted_email_claim: setting("trusted_email_claim").or_else("email, where email_verified is true"),
            groups_claim: setting("groups_claim").or("groups"),
            operator_groups: setting("operator_groups").or("none").shaped(Shape::List),
            organization_groups: setting("organization_groups").or("none").shaped(Shape::List),
            create_accounts: setting("create_accounts").or("false").shaped(Shape::Bare),
            second_factor: setting("second_factor").or("token"),
            second_factor_acr: setting("second_factor_acr").or("none").shaped(Shape::List),
        }
    }
}

/// The names of the providers beside the first: of sections `[oidc_<name>]` and of variables `LECTERN_OIDC_<NAME>_…`.
fn names(reader: &Reader<'_>) -> BTreeSet<String> {
    let of_section = |section: &str| section.strip_prefix("oidc_").map(str::to_owned);
    let keys: Vec<&str> = FIRST.all().map(|setting| setting.key).collect();
    let of_variable = |variable: &str| {
        let rest = variable.strip_prefix(PREFIX)?.to_ascii_lowercase();
        let is_first = keys.contains(&rest.as_str());
        let name = keys.iter().find_map(|key| rest.strip_suffix(key)?.strip_suffix('_').map(str::to_owned))?;
        (!is_first && !name.is_empty()).then_some(name)
    };
    reader.sections().filter_map(of_section).chain(reader.variables().filter_map(of_variable)).collect()
}

/// `[identity]`, and `[oidc]` with its followers
#[derive(Clone, Debug)]
pub struct Identity {
    /// Whether operators without a second factor can do nothing but set one up.
    pub requires_operator_totp: bool,
    /// How many days entries of the audit log are kept, 1 to 3650.
    pub audit_retention_days: usize,
    providers: Vec<ProviderSettings>,
}

impl Identity {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let requires_operator_totp = reader.required(&REQUIRE_OPERATOR_TOTP, parse::flag);
        let audit_retention_days = reader.required(&AUDIT_RETENTION_DAYS, parse::count(1, MOST_RETENTION_DAYS));
        let first = provider(reader, &FIRST);
        let names = names(reader);
        if names.len() > MOST_PROVIDERS {
            return reader.refuse(&FIRST.issuer, &format!("must have at most {MOST_PROVIDERS} others beside it"));
        }
        // Each is read, whatever is wrong with those before.
        let others: Vec<_> = names
            .iter()
            .map(|name| {
                let keys: &'static Keys = Box::leak(Box::new(Keys::of(name)));
                Some((keys, provider(reader, keys)?))
            })
            .collect();
        let others: Vec<_> = others.into_iter().collect::<Option<_>>()?;
        let all = std::iter::once((&*FIRST, first?)).chain(others);
        let mut providers: Vec<ProviderSettings> = Vec::new();
        for (keys, settings) in all.filter_map(|(keys, settings)| Some((keys, settings?))) {
            if providers.iter().any(|other| other.name == settings.name) {
                return reader.refuse(&keys.issuer, "has the name of another identity provider");
            }
            providers.push(settings);
        }
        Some(Self {
            requires_operator_totp: requires_operator_totp?,
            audit_retention_days: audit_retention_days?,
            providers,
        })
    }

    /// The identity providers. `extra_ca_pem` is trusted besides the system's certificates.
    pub fn providers(&self, extra_ca_pem: Option<&[u8]>) -> Vec<ProviderSettings> {
        let with_certificates = |settings: &ProviderSettings| ProviderSettings {
            extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec),
            ..settings.clone()
        };
        self.providers.iter().map(with_certificates).collect()
    }
}

impl Keys {
    /// All but the issuer, which is there or not.
    fn details(&'static self) -> [&'static Setting; 11] {
        [
            &self.name,
            &self.client_id,
            &self.client_secret,
            &self.scopes,
            &self.trusted_email_claim,
            &self.groups_claim,
            &self.operator_groups,
            &self.organization_groups,
            &self.create_accounts,
            &self.second_factor,
            &self.second_factor_acr,
        ]
    }

    /// What the section is called, without what all of them have in common.
    fn usual_name(&self) -> String {
        let section = self.issuer.section;
        section.strip_prefix("oidc_").unwrap_or(section).replace('_', "-")
    }

    fn all(&'static self) -> impl Iterator<Item = &'static Setting> {
        std::iter::once(&self.issuer).chain(self.details())
    }
}

/// Reads a provider; `Some(None)` where there is no issuer.
fn provider(reader: &mut Reader<'_>, keys: &'static Keys) -> Option<Option<ProviderSettings>> {
    let issuer = reader.optional(&keys.issuer, issuer);
    let name = reader.optional(&keys.name, name);
    let client_id = reader.optional(&keys.client_id, text);
    let client_secret = reader.optional(&keys.client_secret, |given| text(given).map(SecretString::from));
    let scopes = reader.required(&keys.scopes, |given| list(given, text));
    let trusted_email_claim = reader.optional(&keys.trusted_email_claim, text);
    let groups_claim = reader.required(&keys.groups_claim, text);
    let operator_groups = reader.required(&keys.operator_groups, |given| list(given, text));
    let organization_groups = reader.required(&keys.organization_groups, |given| list(given, group_role));
    let create_accounts = reader.required(&keys.create_accounts, parse::flag);
    let second_factor = second_factor(reader, keys);
    let Some(issuer) = issuer? else {
        keys.details().into_iter().for_each(|setting| reader.note_unused(setting, WITHOUT_ISSUER));
        return Some(None);
    };
    let Some(client_id) = client_id? else {
        return reader.refuse(&keys.issuer, &format!("needs {} too", keys.client_id.variable));
    };
    Some(Some(ProviderSettings {
        name: name?.unwrap_or_else(|| keys.usual_name()),
        issuer,
        client_id,
        client_secret: client_secret?,
        scopes: scopes?,
        trusted_email_claim: trusted_email_claim?,
        groups_claim: groups_claim?,
        operator_groups: operator_groups?,
        organization_groups: organization_groups?,
        creates_accounts: create_accounts?,
        second_factor: second_factor?,
        extra_ca_pem: None,
    }))
}

/// When the provider's sign-in counts as one with a second factor.
fn second_factor(reader: &mut Reader<'_>, keys: &'static Keys) -> Option<SecondFactorRule> {
    let rule = reader.required(&keys.second_factor, |given| match given {
        "token" => Ok(SecondFactorRule::Token { acr: Vec::new() }),
        "provider" => Ok(SecondFactorRule::Provider),
        "totp" => Ok(SecondFactorRule::Totp),
        _ => Err("must be token, provider or totp".to_owned()),
    });
    let acr = reader.required(&keys.second_factor_acr, |given| list(given, class));
    match (rule?, acr?) {
        (SecondFactorRule::Token { .. }, acr) => Some(SecondFactorRule::Token { acr }),
        (_, acr) if !acr.is_empty() => {
            let needed = format!("counts only where {} is token", keys.second_factor.variable);
            reader.refuse(&keys.second_factor_acr, &needed)
        }
        (rule, _) => Some(rule),
    }
}

/// A class goes to the provider in a list with spaces between.
fn class(given: &str) -> Result<String, String> {
    text(given).and_then(|class| if class.contains(' ') { Err("must have no spaces".to_owned()) } else { Ok(class) })
}

/// Kept as it is written: tokens have to say the same, to the last slash.
fn issuer(text: &str) -> Result<String, String> {
    parse::base_url(text)?;
    let is_loopback = |url: &Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let is_safe = Url::parse(text).is_ok_and(|url| url.scheme() == "https" || is_loopback(&url));
    if is_safe { Ok(text.to_owned()) } else { Err("must be an https URL; http is for this machine only".to_owned()) }
}

fn name(text: &str) -> Result<String, String> {
    let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(is_sign);
    let wrong = || format!("must be 1 to {LONGEST_NAME} lower-case letters, digits or hyphens");
    if is_name { Ok(text.to_owned()) } else { Err(wrong()) }
}

fn text(text: &str) -> Result<String, String> {
    let is_text = (1..=LONGEST_TEXT).contains(&text.len()) && !text.contains(char::is_control);
    if is_text { Ok(text.to_owned()) } else { Err(format!("must be a text of 1 to {LONGEST_TEXT} bytes")) }
}

fn list<T>(text: &str, item: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    parse::list(text).map(item).collect()
}

/// `group=organization-slug`, or `group=organization-slug:ROLE`.
fn group_role(text: &str) -> Result<GroupRole, String> {
    let read = || {
        let (group, rest) = text.rsplit_once('=')?;
        let (slug, role) = match rest.split_once(':') {
            Some((slug, role)) => (slug, Role::from_word(&role.trim().to_ascii_uppercase())?),
            None => (rest, Role::Admin),
        };
        let (group, slug) = (group.trim().to_owned(), slug.trim().to_owned());
        (!group.is_empty() && !slug.is_empty()).then_some(GroupRole { group, slug, role })
    };
    let needed = "must be groups with slugs of organizations and ADMIN (the default), TEACHER or REVIEWER, such as \
                  heads=riverside, staff=riverside:TEACHER";
    read().ok_or_else(|| needed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_https_or_on_this_machine_and_stays_as_it_is() {
        for good in ["https://login.example/", "https://login.example/tenant/v2.0", "http://127.0.0.1:8081"] {
            assert_eq!(issuer(good).as_deref(), Ok(good));
        }
        for wrong in ["http://login.example", "login.example", "https://x?a=b", "https://u@x", "ftp://x"] {
            assert!(issuer(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn groups_are_mapped_to_roles_in_organizations() {
        let role = |group: &str, slug: &str, role| GroupRole { group: group.into(), slug: slug.into(), role };
        let mapped = list("heads=riverside, a b = hillside : teacher, cn=x=west:REVIEWER", group_role).unwrap();
        let expected = [
            role("heads", "riverside", Role::Admin),
            role("a b", "hillside", Role::Teacher),
            role("cn=x", "west", Role::Reviewer),
        ];
        assert_eq!(mapped, expected);
        assert!(list("none", group_role).unwrap().is_empty());
        for wrong in ["teachers", "=x", "x=", "a=b,", "a=b:", "a=b:OWNER", "a=:ADMIN"] {
            assert!(list(wrong, group_role).is_err(), "{wrong}");
        }
        for wrong in ["", "School", "a_b", &"a".repeat(41)] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}
