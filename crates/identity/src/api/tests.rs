use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT};

/// What anybody may call: the credential is in the request.
const PUBLIC: [&str; 12] = [
    "GET /auth/setup",
    "POST /auth/setup",
    "POST /auth/password-reset",
    "GET /auth/password-reset/confirm",
    "POST /auth/password-reset/confirm",
    "POST /auth/passkeys/challenge",
    "POST /auth/passkeys/login",
    "GET /auth/oidc",
    "GET /auth/oidc/{name}/login",
    "GET /auth/oidc/{name}/callback",
    "GET /auth/invitations/accept",
    "POST /auth/invitations/accept",
];

#[both_stores]
async fn every_other_operation_needs_a_session(test: TestStore) {
    let app = App::new(test);
    let mut public = 0;
    for (operation, _) in CONTRACT.operations() {
        let (method, path) = operation.split_once(' ').unwrap();
        if PUBLIC.contains(&operation.as_str()) {
            public += 1;
            continue;
        }
        for cookie in ["x=1", "jwt=x"] {
            let call = match method {
                "GET" => app.get(path),
                "POST" => app.post(path),
                "DELETE" => app.delete(path),
                "PATCH" => app.patch(path),
                other => panic!("{other}"),
            };
            call.cookie(cookie).raw("application/json", "{}").send().await.expect(401);
        }
    }
    assert_eq!(public, PUBLIC.len(), "each of them is there");
}
