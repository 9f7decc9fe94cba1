//! The login that a platform begins, and the authentication request that answers it (Security Framework, section 5.1.1).

use url::Url;

use crate::refusal::{Reason, Refusal};

/// The longest parameter of a login, in bytes. Platforms put JSON and signed texts into hints.
const LONGEST_PARAMETER: usize = 8192;

/// A login that a platform begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginRequest {
    /// The platform.
    pub issuer: String,
    /// Who is signed in, as only the platform can read it.
    pub login_hint: String,
    /// Where the launch is to lead.
    pub target_link_uri: String,
    /// Which registration of the platform.
    pub client_id: Option<String>,
    /// Which of its deployments.
    pub deployment_id: Option<String>,
    /// What the platform wants to have back unaltered.
    pub message_hint: Option<String>,
    /// The frame that keeps data for browsers without cookies: a name, or `_parent`.
    pub storage_target: Option<String>,
}

impl LoginRequest {
    /// Reads the parameters of a query or form. Of one that comes twice, the first counts; an empty one is absent.
    ///
    /// # Errors
    /// [`Reason::NoIssuer`], [`Reason::NoLoginHint`], [`Reason::NoTarget`], [`Reason::TooLong`].
    pub fn read<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refusal> {
        let parameters: Vec<_> = parameters.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        let find = |name| {
            let (name, value) = parameters.iter().find(|(own, _)| *own == name)?;
            Some((*name, (*value).to_owned()))
        };
        if let Some((name, _)) = parameters.iter().find(|(_, value)| value.len() > LONGEST_PARAMETER) {
            let most = format!("{LONGEST_PARAMETER} bytes");
            return Err(Refusal::differs(Reason::TooLong, most, name.chars().take(100).collect::<String>()));
        }
        let value = |name| find(name).map(|(_, value)| value);
        Ok(Self {
            issuer: value("iss").ok_or(Reason::NoIssuer)?,
            login_hint: value("login_hint").ok_or(Reason::NoLoginHint)?,
            target_link_uri: value("target_link_uri").ok_or(Reason::NoTarget)?,
            client_id: value("client_id"),
            deployment_id: value("lti_deployment_id"),
            message_hint: value("lti_message_hint"),
            storage_target: value("lti_storage_target"),
        })
    }
}

/// The request that sends the browser back to the platform, for an ID token.
#[derive(Clone, Copy, Debug)]
pub struct AuthenticationRequest<'a> {
    /// The platform's authorization endpoint; its own query stays.
    pub endpoint: &'a Url,
    /// The client id of the registration.
    pub client_id: &'a str,
    /// Where the platform posts the launch.
    pub redirect_uri: &'a str,
    /// The login that is answered.
    pub login: &'a LoginRequest,
    /// What the launch has to bring back with its form.
    pub state: &'a str,
    /// What the ID token has to say.
    pub nonce: &'a str,
}

impl AuthenticationRequest<'_> {
    /// The address to send the browser to.
    pub fn url(&self) -> Url {
        let mut url = self.endpoint.clone();
        let mut query = url.query_pairs_mut();
        query
            .append_pair("scope", "openid")
            .append_pair("response_type", "id_token")
            .append_pair("response_mode", "form_post")
            .append_pair("prompt", "none")
            .append_pair("client_id", self.client_id)
            .append_pair("redirect_uri", self.redirect_uri)
            .append_pair("login_hint", &self.login.login_hint)
            .append_pair("state", self.state)
            .append_pair("nonce", self.nonce);
        if let Some(hint) = &self.login.message_hint {
            query.append_pair("lti_message_hint", hint);
        }
        drop(query);
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLETE: [(&str, &str); 3] =
        [("iss", "https://lms.example"), ("login_hint", "u-1"), ("target_link_uri", "https://tool.example/x")];

    fn reason(parameters: &[(&str, &str)]) -> Reason {
        LoginRequest::read(parameters.iter().copied()).unwrap_err().reason
    }

    #[test]
    fn a_login_needs_an_issuer_a_hint_and_a_target() {
        assert!(LoginRequest::read(COMPLETE).is_ok());
        for (at, expected) in [Reason::NoIssuer, Reason::NoLoginHint, Reason::NoTarget].into_iter().enumerate() {
            let mut parameters = COMPLETE.to_vec();
            parameters.remove(at);
            assert_eq!(reason(&parameters), expected);
            parameters.push((COMPLETE[at].0, ""));
            assert_eq!(reason(&parameters), expected, "an empty one is none");
        }
    }

    #[test]
    fn a_parameter_may_not_be_longer_than_any_platforms() {
        let mut parameters = COMPLETE.to_vec();
        let long = "x".repeat(LONGEST_PARAMETER + 1);
        parameters.push(("lti_message_hint", &long));
        assert_eq!(reason(&parameters), Reason::TooLong);
        parameters.pop();
        parameters.push(("lti_message_hint", &long[1..]));
        assert!(LoginRequest::read(parameters).is_ok());
    }

    #[test]
    fn the_authentication_request_echoes_the_hints_and_keeps_the_endpoints_query() {
        let hint = r#"{"a":"ü&=+ %"}"#;
        let login = LoginRequest::read(COMPLETE.into_iter().chain([("lti_message_hint", hint)])).unwrap();
        let endpoint = Url::parse("https://lms.example/auth?tenant=7").unwrap();
        let request = AuthenticationRequest {
            endpoint: &endpoint,
            client_id: "c 1",
            redirect_uri: "https://tool.example/v1/platform/lti/launch",
            login: &login,
            state: "s",
            nonce: "n",
        };
        let url = request.url();
        let pairs: Vec<_> = url.query_pairs().into_owned().collect();
        let expected = [
            ("tenant", "7"),
            ("scope", "openid"),
            ("response_type", "id_token"),
            ("response_mode", "form_post"),
            ("prompt", "none"),
            ("client_id", "c 1"),
            ("redirect_uri", "https://tool.example/v1/platform/lti/launch"),
            ("login_hint", "u-1"),
            ("state", "s"),
            ("nonce", "n"),
            ("lti_message_hint", hint),
        ];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
