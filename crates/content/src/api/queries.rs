//! Query strings: a list refuses parameters that it does not take, because a filter that is silently ignored returns wrong
//! data; other operations ignore them.

use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, SIGN_IN_PAGE, Things};

/// Whether an operation answers with a list.
fn lists(operation: &str) -> bool {
    let answer = &CONTRACT.documented(operation)["responses"]["200"]["content"]["application/json"]["schema"];
    operation.starts_with("GET") && (answer["type"] == "array" || operation.ends_with("/audit-log"))
}

#[both_stores]
async fn a_list_names_every_parameter_that_it_does_not_take_once_the_caller_is_known(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let mut lists_seen = 0;
    for (operation, _) in CONTRACT.operations().into_iter().filter(|(operation, _)| operation.starts_with("GET")) {
        let call = || things.call(&app, &format!("{operation}?unheard=of&Limit=1"));
        call().send().await.expect(401);
        let reply = call().header("referer", SIGN_IN_PAGE).key(&things.tenant.key).cookie(&things.cookie).send().await;
        if lists(&operation) {
            assert_eq!(reply.faults(), ["unheard", "Limit"], "{operation}");
            lists_seen += 1;
        } else {
            assert_eq!(reply.status.as_u16(), 200, "{operation}: {}", reply.body);
        }
    }
    assert!(lists_seen >= 9, "{lists_seen} lists");
}
