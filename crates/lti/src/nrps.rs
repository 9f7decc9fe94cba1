//! Names and Role Provisioning Services 2.0: who takes part in a course.

use serde::{Deserialize, Serialize};
use url::Url;

/// To read the roster.
pub const SCOPE: &str = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
/// The form of a page of the roster.
pub const MEMBERSHIPS_TYPE: &str = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";

/// The roster as a launch offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterService {
    /// The address of the first page.
    pub context_memberships_url: Url,
}

/// A page of the roster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Memberships {
    /// Who takes part.
    pub members: Vec<Member>,
}

/// Somebody who takes part in a course. What a platform does not tell is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Member {
    /// As launches name them.
    pub user_id: String,
    /// What they may do there, as URIs or short names.
    #[serde(default)]
    pub roles: Vec<String>,
    /// `Active`, `Inactive` or `Deleted`; absent means active.
    pub status: Option<String>,
    /// The whole name.
    pub name: Option<String>,
    /// The first name.
    pub given_name: Option<String>,
    /// The last name.
    pub family_name: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
}

impl Memberships {
    /// Reads a page.
    ///
    /// # Errors
    /// When it is not JSON of that form.
    pub fn parse(body: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(body)
    }
}

/// The address of the roster of one link: those members who can open it.
pub fn roster_of(service: &RosterService, resource_link_id: &str) -> Url {
    let mut url = service.context_memberships_url.clone();
    url.query_pairs_mut().append_pair("rlid", resource_link_id);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_may_be_no_more_than_an_id() {
        let page = r#"{"id":"https://lms.example/m","context":{"id":"c"},"members":[
            {"user_id":"u-1","roles":["Learner"],"status":"Active","name":"Ada","email":"ada@school.example","picture":"x"},
            {"user_id":"u-2"}]}"#;
        let members = Memberships::parse(page.as_bytes()).unwrap().members;
        assert_eq!(
            (members[0].name.as_deref(), members[0].roles.as_slice()),
            (Some("Ada"), &["Learner".to_owned()][..])
        );
        assert_eq!((members[1].user_id.as_str(), &members[1].status, members[1].roles.len()), ("u-2", &None, 0));
        for page in ["", "[]", "{}", r#"{"members":[{}]}"#] {
            assert!(Memberships::parse(page.as_bytes()).is_err(), "{page}");
        }
    }

    #[test]
    fn the_roster_of_a_link_is_asked_for_beside_the_query_that_is_there() {
        let service = RosterService { context_memberships_url: Url::parse("https://lms.example/m?course=1").unwrap() };
        assert_eq!(roster_of(&service, "l 1").as_str(), "https://lms.example/m?course=1&rlid=l+1");
    }
}
