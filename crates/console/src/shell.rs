//! The frame of every page: navigation, breadcrumbs, tabs, the notice of what was done, and the calls of the API behind it.

mod notices;

use http::Method;
use kernel::time::Timestamp;

use crate::api::identity::{Me, Role};
use crate::assets;
use crate::format::{self, Plain};
use crate::markup::{self, Html};
use crate::owner::{Kind, Owner};
use crate::routes::Console;
use crate::visit::Operation;

pub(crate) use notices::Notice;

/// The longest body that an example shows.
const MAX_EXAMPLE_BYTES: usize = 2000;

/// The tabs of a workspace's pages, in order, each with the role that it needs; `None`: it is for operators.
const WORKSPACE_TABS: &[(&str, &str, Option<Role>)] = &[
    ("Overview", "", None),
    ("Evaluations", "/evaluations", Some(Role::Reviewer)),
    ("Questions", "/questions", Some(Role::Reviewer)),
    ("Playground", "/playground", None),
    ("LTI", "/lti", None),
    ("API keys", "/keys", None),
    ("Webhooks", "/webhooks", None),
    ("Ledger", "/ledger", None),
    ("Invoices", "/invoices", None),
    ("Settings", "/settings", None),
];

/// The same of an organization's pages.
const ORGANIZATION_TABS: &[(&str, &str, Option<Role>)] = &[
    ("Classrooms", "/classrooms", Some(Role::Teacher)),
    ("Playground", "/playground", Some(Role::Teacher)),
    ("API keys", "/keys", Some(Role::Admin)),
    ("Webhooks", "/webhooks", Some(Role::Admin)),
    ("Page grading", "/page-grading", Some(Role::Admin)),
    ("People", "/people", Some(Role::Admin)),
    ("Audit log", "/audit-log", Some(Role::Admin)),
    // Only operators rename organizations.
    ("Settings", "/settings", None),
];

/// The part of the console that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Organizations,
    Workspaces,
    Users,
    Evaluations,
    Lti,
    Statistics,
    Operations,
    Account,
    Components,
    None,
}

/// A link with its text.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) href: String,
    pub(crate) is_current: bool,
}

/// An entry of the navigation.
pub(crate) struct Entry {
    pub(crate) text: &'static str,
    pub(crate) href: &'static str,
    pub(crate) icon: Html,
    pub(crate) shortcut: &'static str,
    pub(crate) is_current: bool,
}

/// A call of the API, as the page shows it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) operation: &'static str,
    pub(crate) curl: String,
}

/// What every template needs.
#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(crate) root: String,
    pub(crate) title: String,
    pub(crate) crumbs: Vec<Link>,
    pub(crate) tabs: Vec<Link>,
    pub(crate) notice: Option<Notice>,
    pub(crate) calls: Vec<Call>,
    pub(crate) now: Timestamp,
    /// Where the page is told of the work that it follows.
    pub(crate) followed: Option<String>,
    section: Section,
    /// The signed-in person; `None` without a session.
    me: Option<Me>,
}

impl Shell {
    pub(crate) fn new(console: &Console, title: &str, section: Section, now: Timestamp, calls: Vec<Call>) -> Self {
        Self {
            root: console.root.clone(),
            title: title.to_owned(),
            crumbs: Vec::new(),
            tabs: Vec::new(),
            notice: None,
            calls,
            now,
            followed: None,
            section,
            me: None,
        }
    }

    pub(crate) fn signed_in(mut self, me: Me) -> Self {
        self.me = Some(me);
        self
    }

    pub(crate) fn noticing(mut self, code: Option<&str>) -> Self {
        self.notice = code.and_then(Notice::of);
        self
    }

    /// The page follows work that has not ended; `path` has its events.
    pub(crate) fn following(mut self, path: &str) -> Self {
        self.followed = Some(format!("{}{path}", self.root));
        self
    }

    pub(crate) fn crumb(mut self, text: &str, path: &str) -> Self {
        let href = format!("{}{path}", self.root);
        self.crumbs.push(Link { text: text.to_owned(), href, is_current: false });
        self
    }

    /// Breadcrumbs and tabs of an owner's pages.
    pub(crate) fn owned_by(self, owner: &Owner, name: &str, current: &str) -> Self {
        let (first, all) = match owner.kind {
            Kind::Workspace if self.is_operator() => (("Workspaces", "/console/workspaces"), WORKSPACE_TABS),
            Kind::Workspace => (("Evaluations", "/console/evaluations"), WORKSPACE_TABS),
            Kind::Organization => (("Organizations", "/console/organizations"), ORGANIZATION_TABS),
        };
        let me = self.me.as_ref();
        let shown = all.iter().filter(|(_, _, needed)| me.is_some_and(|me| me.may(owner, *needed)));
        let tabs: Vec<(&str, &str)> = shown.map(|(text, rest, _)| (*text, *rest)).collect();
        let home = tabs.first().map_or("", |(_, rest)| *rest);
        let mut shell = self.crumb(first.0, first.1).crumb(name, &owner.page(home));
        let tab = |(text, rest): (&str, &str)| Link {
            text: text.to_owned(),
            href: format!("{}{}", shell.root, owner.page(rest)),
            is_current: text == current,
        };
        shell.tabs = tabs.into_iter().map(tab).collect();
        shell
    }

    /// Whether the reader manages an owner.
    pub(crate) fn administers(&self, owner: &Owner) -> bool {
        self.me.as_ref().is_some_and(|me| me.administers(owner))
    }

    /// Whether the reader edits an organization's content, and has a workspace's answers graded again.
    pub(crate) fn teaches(&self, owner: &Owner) -> bool {
        self.me.as_ref().is_some_and(|me| me.teaches(owner))
    }

    /// The signed-in person's e-mail address.
    pub(crate) fn email(&self) -> &str {
        self.me.as_ref().map_or("", |me| &me.email)
    }

    /// The tabs of the pages about the service itself.
    pub(crate) fn with_operations(mut self, current: &str) -> Self {
        let tabs = [("Health", ""), ("Jobs", "/jobs"), ("Audit log", "/audit-log")];
        let tab = |(text, rest): (&str, &str)| Link {
            text: text.to_owned(),
            href: format!("{}/console/operations{rest}", self.root),
            is_current: text == current,
        };
        self.tabs = tabs.into_iter().map(tab).collect();
        self
    }

    pub(crate) fn is_signed_in(&self) -> bool {
        self.me.is_some()
    }

    pub(crate) fn is_operator(&self) -> bool {
        self.me.as_ref().is_some_and(|me| me.is_operator)
    }

    /// The entries of the navigation that the session may use.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let is_operator = self.is_operator();
        let reviews = is_operator || self.me.as_ref().is_some_and(|me| me.workspaces().next().is_some());
        let all = [
            (Section::Overview, "Overview", "/console", "overview", "g h", true),
            (Section::Organizations, "Organizations", "/console/organizations", "organizations", "g o", true),
            (Section::Workspaces, "Workspaces", "/console/workspaces", "workspaces", "g w", is_operator),
            (Section::Users, "Users", "/console/users", "users", "g u", is_operator),
            (Section::Evaluations, "Evaluations", "/console/evaluations", "evaluations", "g e", reviews),
            (Section::Lti, "LTI", "/console/lti", "lti", "g l", is_operator),
            (Section::Statistics, "Statistics", "/console/statistics", "statistics", "g s", is_operator),
            (Section::Operations, "Operations", "/console/operations", "operations", "g p", is_operator),
        ];
        let shown = all.into_iter().filter(|entry| entry.5);
        shown.map(|(section, text, href, icon, shortcut, _)| self.entry(section, text, href, icon, shortcut)).collect()
    }

    /// The entry of the account.
    pub(crate) fn account(&self) -> Entry {
        self.entry(Section::Account, "Account", "/console/account", "account", "g a")
    }

    fn entry(
        &self,
        section: Section,
        text: &'static str,
        href: &'static str,
        icon: &str,
        shortcut: &'static str,
    ) -> Entry {
        Entry { text, href, icon: markup::icon(icon), shortcut, is_current: self.section == section }
    }

    /// The address of a file of [`crate::assets`].
    pub(crate) fn asset(&self, name: &str) -> String {
        format!("{}/console/assets/{}", self.root, assets::ASSETS.address(name))
    }

    pub(crate) fn icon(&self, name: &str) -> Html {
        markup::icon(name)
    }

    /// A time as a distance from now.
    pub(crate) fn ago(&self, wire: &str) -> Html {
        markup::time(wire, self.now)
    }

    /// A time that may be absent.
    pub(crate) fn ago_or(&self, wire: &Option<String>, otherwise: &str) -> Html {
        markup::time(wire.as_deref().unwrap_or(otherwise), self.now)
    }

    pub(crate) fn bar(&self, part: impl Plain<f64>, tone: &str, label: &str) -> Html {
        markup::bar(part.plain(), tone, label)
    }

    pub(crate) fn usd(&self, amount: impl Plain<f64>) -> String {
        format::usd(amount.plain())
    }

    pub(crate) fn usd_or(&self, amount: &Option<f64>, otherwise: &str) -> String {
        amount.map_or_else(|| otherwise.to_owned(), format::usd)
    }

    pub(crate) fn whole(&self, number: impl Plain<i64>) -> String {
        format::whole(number.plain())
    }

    pub(crate) fn decimal(&self, number: impl Plain<f64>) -> String {
        format::decimal(number.plain())
    }

    /// A name for the one of many elements that has a number.
    pub(crate) fn numbered(&self, name: &str, number: &usize) -> String {
        format!("{name}-{number}")
    }

    /// A text with a name in the place of `{}`.
    pub(crate) fn filled(&self, text: &str, name: &str) -> String {
        text.replacen("{}", name, 1)
    }

    /// A sentence with the rest of it in the place of `{}`.
    pub(crate) fn sentence(&self, text: &str, rest: &str) -> String {
        format::sentence(&self.filled(text, rest))
    }

    /// A difference, with its sign.
    pub(crate) fn gain(&self, number: impl Plain<f64>) -> String {
        let number = number.plain();
        format!("{}{}", if number > 0.0 { "+" } else { "" }, format::decimal(number))
    }

    pub(crate) fn label(&self, word: &str) -> String {
        format::label(word)
    }

    pub(crate) fn grader(&self, word: &str) -> String {
        format::grader(word)
    }

    pub(crate) fn words(&self, name: &str) -> String {
        format::words(name)
    }

    pub(crate) fn day(&self, wire: &str) -> String {
        format::day(wire)
    }
}

impl Call {
    /// The call of an operation, with a command that makes it.
    pub(crate) fn of(operation: &Operation<'_>) -> Self {
        let path = operation.path;
        Self { method: operation.method.clone(), path: path.to_owned(), operation: operation.id, curl: curl(operation) }
    }

    /// The path below the service's address where the operation is documented.
    pub(crate) fn docs(&self) -> String {
        // The content surface's document has signing in and out by password.
        let is_identity =
            self.path.starts_with("/auth/") && !matches!(self.path.as_str(), "/auth/login" | "/auth/logout");
        let page = if self.path.starts_with("/v1/platform") {
            "/docs/platform"
        } else if is_identity || self.path.contains("/invitations") {
            "/docs/identity"
        } else {
            "/docs"
        };
        format!("{page}#{}", self.operation)
    }
}

fn curl(operation: &Operation<'_>) -> String {
    let path = operation.path;
    let credential = if path.starts_with("/v1/platform") {
        "-H \"Authorization: Bearer $PLATFORM_KEY\""
    } else if path.starts_with("/v1/content/organizations") || path.starts_with("/auth") {
        "-b \"jwt=$SESSION\""
    } else {
        "-H \"Authorization: Bearer $KEY\""
    };
    let mut text = "curl".to_owned();
    if operation.method != Method::GET {
        text.push_str(&format!(" -X {}", operation.method));
    }
    text.push_str(&format!(" {credential} \\\n  \"$LECTERN{path}\""));
    if operation.idempotency_key.is_some() {
        text.push_str(" \\\n  -H \"Idempotency-Key: $(uuidgen)\"");
    }
    if let Some(version) = operation.version {
        text.push_str(&format!(" \\\n  -H 'If-Match: \"{version}\"'"));
    }
    // A body of the sign-in surface holds passwords.
    if let Some(body) = operation.body.as_ref().filter(|_| !path.starts_with("/auth")) {
        let body = serde_json::to_string_pretty(body).unwrap_or_default();
        let body = if body.len() > MAX_EXAMPLE_BYTES { "@body.json".to_owned() } else { body.replace('\'', "'\\''") };
        text.push_str(&format!(" \\\n  -H \"Content-Type: application/json\" -d '{body}'"));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_example_can_be_pasted_and_holds_no_password() {
        let body = Some(json!({ "name": "it's" }));
        let create =
            Operation { id: "createApiKey", method: Method::POST, path: "/v1/platform/x", body, ..Default::default() };
        let text = curl(&create);
        assert!(text.starts_with("curl -X POST -H \"Authorization: Bearer $PLATFORM_KEY\""), "{text}");
        assert!(text.contains("it'\\''s"), "{text}");
        let body = Some(json!({ "password": "secret" }));
        let login = Operation { id: "login", method: Method::POST, path: "/auth/login", body, ..Default::default() };
        assert!(!curl(&login).contains("secret"));
    }
}
