//! The check that `lectern doctor` makes.

use models::{Cause, Check, Fit, ModelNames, Protocol, Provider, Settings, Shape, check};
use testkit::model::{FakeModel, Line, Manners};

use crate::stage::{PROTOCOLS, ambient, provider, settings};

async fn check_one(provider: Provider) -> Check {
    check(&settings(provider), &ambient()).await.unwrap().remove(0)
}

#[tokio::test]
async fn each_model_is_asked_once_with_a_small_schema() {
    for protocol in PROTOCOLS {
        let model = FakeModel::saying([Line::say("{\"number\": 4}")]).await;
        let names = ModelNames { advanced: "large-1".to_owned(), ..ModelNames::all("small-1") };
        let first = Provider { models: names, ..provider("first", protocol, &model.url()) };
        let settings = Settings { others: vec![provider("second", protocol, &model.url())], ..settings(first) };
        let checks = check(&settings, &ambient()).await.unwrap();
        let asked: Vec<_> = checks.iter().map(|check| (check.provider.as_str(), check.model.as_str())).collect();
        assert_eq!(asked, [("first", "small-1"), ("first", "large-1"), ("second", "small-1")]);
        for check in &checks {
            let works = check.result.as_ref().unwrap();
            assert!(works.fit == Fit::Right && works.shape == Shape::Schema && works.usage.output_tokens > 0);
        }
    }
}

#[tokio::test]
async fn what_works_only_by_instructions_is_told() {
    let manners = Manners { takes_schema: false, takes_object: false, ..Manners::default() };
    let model = FakeModel::saying_with(manners, [Line::say("{\"number\": 4}")]).await;
    let works = check_one(provider("first", Protocol::Chat, &model.url())).await.result.unwrap();
    assert_eq!((works.shape, works.fit), (Shape::Words, Fit::Right));
}

#[tokio::test]
async fn an_answer_is_told_apart_by_whether_a_grade_could_be_read_from_it() {
    let answers = [
        ("```json\n{\"number\": 4}\n```", Fit::Right),
        ("{\"number\": 5}", Fit::Otherwise),
        ("Four: {\"number\": 4}", Fit::Shapeless),
        ("The number is four.", Fit::Shapeless),
        ("{\"number\": \"4\"}", Fit::Shapeless),
        ("{\"number\": 4, \"why\": \"it is\"}", Fit::Shapeless),
        ("4", Fit::Shapeless),
    ];
    for (text, fit) in answers {
        let model = FakeModel::saying([Line::say(text)]).await;
        let works = check_one(provider("first", Protocol::Chat, &model.url())).await.result.unwrap();
        assert_eq!(works.fit, fit, "{text}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_told_apart_and_known_names_are_listed() {
    for protocol in PROTOCOLS {
        let manners = Manners { key: Some("sk-right".to_owned()), ..Manners::default() };
        let manners = Manners { models: vec!["large-1".to_owned(), "medium-1".to_owned()], ..manners };
        let model = FakeModel::saying_with(manners, [Line::say("{}")]).await;
        let with_key = |key: &str| Provider { api_key: Some(key.into()), ..provider("first", protocol, &model.url()) };
        let trouble = check_one(with_key("sk-wrong")).await.result.unwrap_err();
        assert_eq!((trouble.cause, trouble.models.len()), (Cause::KeyRefused, 0));
        let trouble = check_one(with_key("sk-right")).await.result.unwrap_err();
        assert_eq!(trouble.cause, Cause::NoSuchModel);
        assert_eq!(trouble.models, ["large-1", "medium-1"]);
    }
}
