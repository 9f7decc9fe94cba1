//! What goes over the wire.

use kernel::model::{Model as _, Part, Picture, Prompt, Turn};
use models::Protocol;
use serde_json::json;
use testkit::model::{Asked, FakeModel, Line, Manners};

use crate::stage::{ANSWER, PROTOCOLS, open, prompt, settings_for};

async fn requests(protocol: Protocol, manners: Manners, prompts: &[Prompt]) -> Vec<Asked> {
    let model = FakeModel::saying_with(manners, [Line::say(ANSWER)]).await;
    let models = open(settings_for(protocol, &model));
    let mut requests = Vec::new();
    for prompt in prompts {
        models.answer(prompt).await.unwrap();
        requests.push(model.asked().pop().unwrap());
    }
    requests
}

fn conversation(last: &str) -> Prompt {
    let texts = |texts: &[&str]| Turn::User(texts.iter().map(|text| Part::Text((*text).to_owned())).collect());
    Prompt {
        turns: vec![texts(&["The rubric.", "An example."]), Turn::Model("{}".to_owned()), texts(&["The task.", last])],
        ..prompt("")
    }
}

#[tokio::test]
async fn prompts_that_differ_at_their_end_are_equal_up_to_there() {
    let shapes = [(true, true), (false, true), (false, false)];
    for protocol in PROTOCOLS {
        for (takes_schema, takes_object) in shapes {
            let manners = Manners { takes_schema, takes_object, ..Manners::default() };
            let asked = requests(protocol, manners, &[conversation("AAA"), conversation("BBB")]).await;
            let differs = asked[0].raw.bytes().zip(asked[1].raw.bytes()).position(|(a, b)| a != b).unwrap();
            assert_eq!(differs, asked[0].raw.find("AAA").unwrap(), "{protocol:?}");
            for stable in ["Count the points.", "The rubric.", "The task.", "additionalProperties", "small-1"] {
                assert!(asked[0].raw[..differs].contains(stable), "{protocol:?} {stable}");
            }
        }
    }
}

#[tokio::test]
async fn turns_keep_their_order_and_their_speakers() {
    for protocol in PROTOCOLS {
        let asked = requests(protocol, Manners::default(), &[conversation("Go.")]).await.remove(0);
        assert!(asked.streams());
        assert_eq!(asked.instructions(), "Count the points.");
        let turns = asked.turns();
        let speakers: Vec<_> = turns.iter().map(|(speaker, _)| speaker.as_str()).collect();
        assert_eq!(speakers, ["user", "assistant", "user"]);
        assert!(turns[0].1.starts_with("The rubric.") && turns[0].1.ends_with("An example."));
        assert!(turns[2].1.starts_with("The task.") && turns[2].1.ends_with("Go."));
    }
}

#[tokio::test]
async fn a_provider_is_told_what_to_keep_and_what_not_to_store() {
    let asked = requests(Protocol::Messages, Manners::default(), &[conversation("Go.")]).await.remove(0);
    let kept = json!({ "type": "ephemeral" });
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(asked.body["system"][0]["cache_control"], kept);
    assert_eq!(asked.body["messages"][2]["content"][0]["cache_control"], kept, "the last that may be the same again");
    assert_eq!(asked.raw.matches("cache_control").count(), 2);
    let texts = ["The task.", "An answer.", "More of it."].map(|text| Part::Text(text.to_owned()));
    let several = Prompt { turns: vec![Turn::User(texts.to_vec())], ..prompt("") };
    let asked = requests(Protocol::Messages, Manners::default(), &[several]).await.remove(0);
    let marks = [0, 1, 2].map(|at| asked.body["messages"][0]["content"][at]["cache_control"] == kept);
    assert_eq!(marks, [true, true, false]);
    let alone = requests(Protocol::Messages, Manners::default(), &[prompt("Go.")]).await.remove(0);
    assert_eq!(alone.raw.matches("cache_control").count(), 1);
    let asked = requests(Protocol::Responses, Manners::default(), &[prompt("Go.")]).await.remove(0);
    assert_eq!(asked.body["store"], false);
}

#[tokio::test]
async fn pictures_go_along_in_the_protocols_form() {
    let picture = Picture::new("image/png", b"\x89PNG".to_vec().into());
    let turns = vec![Turn::User(vec![Part::Picture(picture), Part::Text("What is it?".to_owned())])];
    let prompts = [Prompt { turns, ..prompt("") }];
    let url = "data:image/png;base64,iVBORw==";
    let asked = requests(Protocol::Chat, Manners::default(), &prompts).await.remove(0);
    assert_eq!(asked.body["messages"][1]["content"][0]["image_url"]["url"], url);
    let asked = requests(Protocol::Responses, Manners::default(), &prompts).await.remove(0);
    assert_eq!(asked.body["input"][0]["content"][0]["image_url"], url);
    let asked = requests(Protocol::Messages, Manners::default(), &prompts).await.remove(0);
    let source = json!({ "type": "base64", "media_type": "image/png", "data": "iVBORw==" });
    assert_eq!(asked.body["messages"][0]["content"][0]["source"], source);
    for protocol in PROTOCOLS {
        let asked = requests(protocol, Manners::default(), &prompts).await.remove(0);
        assert_eq!(asked.last(), "What is it?");
    }
}
