//! Reads a roster from the platform, page by page. It must never send the access token to another server than the one that the
//! launch named.

use std::time::Duration;

use lti::next_page;
use lti::nrps::{MEMBERSHIPS_TYPE, Member, Memberships, SCOPE};
use net::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue, LINK};
use net::{Limits, StatusCode, Url};

use super::Course;
use super::fault::RosterFault;
use crate::Platform;
use crate::lti::tokens::bearer;

/// What a whole roster may take, with the token.
const WHOLE: Duration = Duration::from_secs(25);
/// What one page may take.
const PAGE: Duration = Duration::from_secs(10);
const MOST_PAGES: usize = 200;
const MOST_MEMBERS: usize = 10_000;
/// Of all pages together.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The members of a course.
pub(super) async fn members(platform: &Platform, course: &Course) -> Result<Vec<Member>, RosterFault> {
    let reading = async {
        match try_once(platform, course).await {
            // The platform may have taken the token back before its time.
            Err(RosterFault::Unauthorized) => try_once(platform, course).await,
            result => result,
        }
    };
    tokio::time::timeout(WHOLE, reading).await.unwrap_or(Err(RosterFault::Slow))
}

async fn try_once(platform: &Platform, course: &Course) -> Result<Vec<Member>, RosterFault> {
    let (tokens, registration) = (&platform.lti_tokens, &course.registration);
    let token = tokens.get(&platform.tool_keys, registration, &[SCOPE]).await?;
    if !token.allows(SCOPE) {
        return Err(RosterFault::NoScope);
    }
    let shown = bearer(&token).ok_or(RosterFault::NoToken)?;
    let result = pages(platform, &course.roster, &shown).await;
    if result == Err(RosterFault::Unauthorized) {
        tokens.forget(registration, &[SCOPE], &token).await;
    }
    result
}

async fn pages(platform: &Platform, first: &Url, token: &HeaderValue) -> Result<Vec<Member>, RosterFault> {
    let (mut members, mut left_bytes, mut page) = (Vec::new(), MOST_BYTES, first.clone());
    for _ in 0..MOST_PAGES {
        let url = platform.outbound.check_url(page.as_str()).map_err(|_| RosterFault::Address)?;
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, token.clone()),
            (ACCEPT, HeaderValue::from_static(MEMBERSHIPS_TYPE)),
        ]);
        let limits = Limits { timeout: PAGE, max_response_bytes: left_bytes };
        let answer = platform.outbound.get(&url, headers, limits).await?;
        if answer.status != StatusCode::OK {
            return Err(RosterFault::of_status(answer.status));
        }
        left_bytes = left_bytes.saturating_sub(answer.body.len());
        members.extend(Memberships::parse(&answer.body).map_err(|_| RosterFault::Unreadable)?.members);
        if members.len() > MOST_MEMBERS {
            break;
        }
        let links = answer.headers.get_all(LINK).iter().filter_map(|link| link.to_str().ok());
        match next_page(&url, links) {
            Ok(Some(next)) => page = next,
            Ok(None) => return Ok(members),
            Err(_) => return Err(RosterFault::Elsewhere),
        }
    }
    Err(RosterFault::TooLarge)
}
