//! A real server: `LECTERN_TEST_MODEL_URL` and `LECTERN_TEST_MODEL` name it and a model of its. `docs/models.md` says how it is
//! asked.

use std::time::Duration;

use kernel::model::Model as _;
use models::{ModelNames, Protocol, Provider, Settings, check};
use serde_json::Value;

use crate::stage::{ambient, open, prompt, provider, settings};

#[tokio::test]
#[ignore = "asks the server that LECTERN_TEST_MODEL_URL and LECTERN_TEST_MODEL name"]
async fn a_real_server_answers_with_json_of_the_schema() {
    #[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let url = variable("LECTERN_TEST_MODEL_URL").expect("LECTERN_TEST_MODEL_URL is a server's base URL");
    let name = variable("LECTERN_TEST_MODEL").expect("LECTERN_TEST_MODEL names a model of that server");
    let provider = Provider { models: ModelNames::all(&name), ..provider("real", Protocol::Chat, &url) };
    let settings = Settings { timeout: Duration::from_secs(600), ..settings(provider) };
    let works = check(&settings, &ambient()).await.unwrap().remove(0).result.unwrap();
    assert!(works.usage.output_tokens > 0);
    let prompt = prompt("A dog has four legs and a tail. Two points for the legs, one for the tail. How many points?");
    let reply = open(settings).answer(&prompt).await.unwrap();
    let answer: Value = serde_json::from_str(&reply.text).unwrap();
    assert!(answer["points"].is_i64() && answer["why"].is_string(), "{answer}");
}
