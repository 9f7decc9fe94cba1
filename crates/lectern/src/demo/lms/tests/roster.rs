use lti::nrps::{self, Memberships};

use super::*;

#[tokio::test]
async fn the_roster_is_read_page_by_page_with_its_scope() {
    let test = Test::new().await;
    let (token, other) = (test.token(&[nrps::SCOPE]).await, test.token(&[ags::SCOPE_SCORE]).await);
    assert_eq!(test.get("/memberships", None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(test.get("/memberships", Some(&other)).await.status, StatusCode::FORBIDDEN);
    let whole = test.get("/memberships", Some(&token)).await;
    assert_eq!(whole.headers["content-type"], nrps::MEMBERSHIPS_TYPE);
    let all = Memberships::parse(whole.text.as_bytes()).unwrap().members;
    assert_eq!((all.len(), all[0].name.as_deref(), whole.headers.get("link")), (4, Some("Mina Park"), None));
    let mut url = format!("{URL}/memberships?limit=3").parse::<url::Url>().unwrap();
    let mut paged = Vec::new();
    loop {
        let page = test.get(&url.as_str()[URL.len()..], Some(&token)).await;
        paged.extend(Memberships::parse(page.text.as_bytes()).unwrap().members);
        let links = page.headers.get_all("link").iter().map(|link| link.to_str().unwrap());
        let Some(next) = lti::next_page(&url, links).unwrap() else { break };
        url = next;
    }
    assert_eq!(paged, all);
    let learners = "role=http%3A%2F%2Fpurl.imsglobal.org%2Fvocab%2Flis%2Fv2%2Fmembership%23Learner";
    let learners = test.get(&format!("/memberships?{learners}"), Some(&token)).await;
    assert_eq!(Memberships::parse(learners.text.as_bytes()).unwrap().members, all[1..]);
}
