//! `lectern serve` as the tool of a learning platform, and the browsers that are sent between the two.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, ensure};
use kernel::ambient::Ambient;
use url::Url;

use crate::child::Child;
use crate::database::Database;
use crate::lms::Lms;
use crate::load::{self, Load, Measured, Once, Patch, Request, Source};
use crate::settings::Settings;
use crate::{scenarios, seed};

const REGISTRATIONS: &str = "POST /v1/platform/lti/registrations";
const LAUNCH: &str = "POST /v1/platform/lti/launch";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

/// The service, where a platform is registered.
pub(crate) struct Tool {
    pub(crate) server: Child,
    pub(crate) address: SocketAddr,
    pub(crate) lms: Lms,
    connections: usize,
}

/// What the browser has after a login.
pub(crate) struct Login {
    /// The learner's number.
    pub(crate) learner: usize,
    pub(crate) nonce: String,
    state: String,
    /// A cookie, as the browser sends it.
    cookie: String,
}

impl Tool {
    /// Starts the service on an empty database and registers a platform.
    pub(crate) fn start(settings: &Settings, database: &Database) -> anyhow::Result<Self> {
        let lms = Lms::start()?;
        let key = scenarios::fill(database, async |store, ambient| Ok(seed::workspace(&store, &ambient).await?))?;
        let mut environment = database.environment();
        environment.push(("LECTERN_OUTBOUND_ALLOW_NETWORKS", "127.0.0.0/8".to_owned()));
        environment.push(("LECTERN_OUTBOUND_ALLOW_HTTP", "true".to_owned()));
        let log = database.folder().join("lectern.log");
        let (server, address) = Child::lectern(&settings.lectern_binary()?, "all", &environment, &log)?;
        let authorization = format!("Bearer {key}");
        let headers = [("authorization", authorization.as_str())];
        let body = lms.registration().to_string();
        let request = Request::new(address, REGISTRATIONS, &headers, Some(&body), Patch::None);
        load::probe(&Load { address, request, expected_status: 201 })?;
        Ok(Self { server, address, lms, connections: settings.connections })
    }

    /// Logs learners in, each once, and gives what their browsers have then.
    pub(crate) fn log_in(&self, learners: std::ops::Range<usize>) -> anyhow::Result<(Measured, Vec<Login>)> {
        let logins = Arc::new(Logins {
            requests: learners.clone().map(|learner| self.login_request(learner)).collect(),
            heads: Mutex::default(),
        });
        let measured = self.send(logins.clone(), 302)?;
        let heads = std::mem::take(&mut *logins.heads.lock().unwrap_or_else(PoisonError::into_inner));
        let logins = heads.iter().map(|(number, head)| Login::read(learners.start + number, head));
        Ok((measured, logins.collect::<anyhow::Result<_>>()?))
    }

    /// A browser's request for a learner's login.
    pub(crate) fn login_request(&self, learner: usize) -> Vec<u8> {
        let line = format!("GET /v1/platform/lti/login?{}", self.lms.login_query(learner));
        Request::new(self.address, &line, &[BROWSER], None, Patch::None).next().to_vec()
    }

    /// A browser's request with the form that the platform posts.
    pub(crate) fn launch_request(&self, login: &Login, token: &str) -> Vec<u8> {
        let headers = [FORM, BROWSER, ("cookie", login.cookie.as_str())];
        Request::with_body(self.address, LAUNCH, &headers, &login.form(token)).next().to_vec()
    }

    /// What a program is told that posts the form in vain.
    pub(crate) fn refusal(&self, login: &Login, token: &str) -> anyhow::Result<String> {
        let headers = [FORM, ("cookie", login.cookie.as_str())];
        let request = Request::with_body(self.address, LAUNCH, &headers, &login.form(token));
        let body = load::probe(&Load { address: self.address, request, expected_status: 400 })?;
        String::from_utf8(body).context("the answer to a program")
    }

    /// Launches one learner, so that the service has read the platform's keys.
    pub(crate) fn launch_one(&self) -> anyhow::Result<()> {
        let (_, logins) = self.log_in(0..1)?;
        let forms = self.signed_forms(&logins);
        self.send(Arc::new(forms), 302).map(drop)
    }

    /// The launches of these logins, with tokens that the platform signs now, on all processors.
    pub(crate) fn signed_forms(&self, logins: &[Login]) -> Vec<Vec<u8>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let now = Ambient::system().now();
        let sign = |login: &Login| self.launch_request(login, &self.lms.id_token(login.learner, &login.nonce, now));
        std::thread::scope(|scope| {
            let parts = logins.chunks(logins.len().div_ceil(threads).max(1));
            let signing: Vec<_> =
                parts.map(|part| scope.spawn(move || part.iter().map(sign).collect::<Vec<_>>())).collect();
            signing.into_iter().flat_map(|thread| thread.join().expect("signing does not panic")).collect()
        })
    }

    /// Sends requests to the service.
    pub(crate) fn send(&self, source: Arc<dyn Source>, expected_status: u16) -> anyhow::Result<Measured> {
        let once = Once { address: self.address, source, expected_status, connections: self.connections };
        load::once(&self.server, &once)
    }
}

impl Login {
    /// Reads the head of the service's answer to a login.
    fn read(learner: usize, head: &[u8]) -> anyhow::Result<Self> {
        let head = std::str::from_utf8(head)?;
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let location = Url::parse(header("location:").context("a login without a location")?)?;
        let cookie =
            header("set-cookie:").and_then(|cookie| cookie.split(';').next()).context("a login without a cookie")?;
        let parameter = |wanted: &str| {
            let found = location.query_pairs().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.into_owned()).with_context(|| format!("a login without {wanted}"))
        };
        let (state, nonce) = (parameter("state")?, parameter("nonce")?);
        // The form is then written without escapes.
        ensure!(state.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)), "the state {state}");
        Ok(Self { learner, nonce, state, cookie: cookie.to_owned() })
    }

    fn form(&self, token: &str) -> String {
        format!("state={}&id_token={token}", self.state)
    }
}

/// Logins whose answers are kept.
struct Logins {
    requests: Vec<Vec<u8>>,
    heads: Mutex<Vec<(usize, Vec<u8>)>>,
}

impl Source for Logins {
    fn request(&self, number: usize) -> Option<Cow<'_, [u8]>> {
        self.requests.get(number).map(Cow::from)
    }

    fn answered(&self, number: usize, head: &[u8]) {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner).push((number, head.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/auth?scope=openid&state=a-b_c&nonce=n\r\n\
        set-cookie: lti-1=secret; Path=/; Max-Age=600\r\ncontent-length: 0\r\n\r\n";

    #[test]
    fn a_login_is_read_from_its_answer() {
        let login = Login::read(7, ANSWER.as_bytes()).unwrap();
        assert_eq!((login.learner, &*login.nonce, &*login.cookie), (7, "n", "lti-1=secret"));
        assert_eq!(login.form("x.y.z"), "state=a-b_c&id_token=x.y.z");
    }

    #[test]
    fn an_answer_that_is_no_login_is_an_error() {
        let without = |part: &str| ANSWER.replace(part, "");
        for answer in [without("location"), without("set-cookie"), without("state="), without("nonce="), String::new()]
        {
            assert!(Login::read(7, answer.as_bytes()).is_err(), "{answer}");
        }
        // It would need an escape in the form.
        assert!(Login::read(7, ANSWER.replace("a-b_c", "a%2Bb").as_bytes()).is_err());
    }
}
