//! Settings as a user gives them: by file and by variable, right, wrong and without effect.

use serde_json::Value;
use testkit::model::{FakeModel, Line, Manners};

use super::place::{Place, stderr, text};

#[test]
fn a_wrong_configuration_stops_every_command_by_name() {
    let place = Place::new().with("LECTERN_LISTENN", "x").with("LECTERN_WORKERS", "0");
    for arguments in [["serve"].as_slice(), &["config"], &["doctor"], &["org", "list"]] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
        assert!(said.contains("LECTERN_LISTENN") && said.contains("LECTERN_WORKERS"), "{said}");
    }
    assert_eq!(Place::new().run(&["--config", "missing.toml", "config"]).status.code(), Some(1));
    assert_eq!(Place::new().run(&["frobnicate"]).status.code(), Some(2));
}

#[test]
fn the_configuration_file_is_found_by_name_variable_and_place() {
    let place = Place::new();
    let write = |name: &str, count: u32| {
        std::fs::write(place.folder.path().join(name), format!("[workers]\nin_flight = {count}\n")).unwrap();
    };
    write("lectern.toml", 1);
    write("other.toml", 2);
    let count = |place: &Place, arguments: &[&str]| place.json(arguments)["workers"]["in_flight"]["value"].clone();
    assert_eq!(count(&place, &["config", "--json"]), 1);
    assert_eq!(count(&place, &["config", "--json", "--config", "other.toml"]), 2);
    let place = place.with("LECTERN_CONFIG", "other.toml");
    assert_eq!(count(&place, &["config", "--json"]), 2);
}

#[test]
fn settings_of_features_that_are_not_there_are_warned_of_by_name() {
    let place = Place::new().with("LECTERN_OTLP_ENDPOINT", "http://u:hunter2@x");
    let place = place.with("LECTERN_TEST_POSTGRES_URL", "x").with("LECTERN_MODEL_PROVIDER", "builtin");
    let named = ["LECTERN_OTLP_ENDPOINT"];
    let (code, log) = place.serve().terminate();
    assert_eq!(code, Some(0), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let warnings: Vec<&Value> = lines.iter().filter(|line| line["level"] == "WARN").collect();
    assert_eq!(warnings.len(), named.len(), "{log}");
    let findings = place.json(&["doctor", "--json"]);
    let is_unused = |one: &&Value| one["check"] == "unused setting" && one["verdict"] == "warning";
    let findings: Vec<&Value> = findings.as_array().unwrap().iter().filter(is_unused).collect();
    assert_eq!(findings.len(), named.len());
    for ((name, warning), finding) in named.iter().zip(warnings).zip(findings) {
        assert!(text(&warning["message"]).contains(name) && text(&finding["message"]).contains(name), "{log}");
    }
    assert!(!log.contains("hunter2"), "{log}");
}

#[test]
fn the_doctor_says_that_a_model_which_answers_in_prose_can_not_grade() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let unhelpful = Manners { takes_schema: false, takes_object: false, ..Manners::default() };
    for (manners, why) in [(unhelpful, "can't hold it to JSON"), (Manners::default(), "does not do it")] {
        let model = runtime.block_on(FakeModel::saying_with(manners, [Line::say("The number is four, I think.")]));
        let place = Place::new()
            .with("LECTERN_MODEL_PROVIDER", "openai")
            .with("LECTERN_MODEL_NAME", "gpu-1")
            .with("LECTERN_MODEL_BASE_URL", &model.url())
            .with("LECTERN_MODEL_STANDARD", "tiny");
        let output = place.run(&["doctor", "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let all: Value = serde_json::from_slice(&output.stdout).unwrap();
        let told = all.as_array().unwrap().iter().find(|one| one["check"] == "language model").unwrap();
        let message = text(&told["message"]);
        assert_eq!(told["verdict"], "wrong", "{message}");
        assert!(message.starts_with("gpu-1, tiny: ") && message.contains(why), "{message}");
        assert!(message.contains("neither grade nor write"), "{message}");
    }
}

#[test]
fn the_doctor_asks_every_model_and_says_what_is_wrong_without_the_key() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let manners = Manners { takes_schema: false, takes_object: false, ..Manners::default() };
    let manners = Manners { key: Some("hunter2".to_owned()), models: vec!["small-1".to_owned()], ..manners };
    let model = runtime.block_on(FakeModel::saying_with(manners, [Line::say("{\"number\": 4}")]));
    let place = Place::new()
        .with("LECTERN_MODEL_PROVIDER", "openai")
        .with("LECTERN_MODEL_BASE_URL", &model.url())
        .with("LECTERN_MODEL_API_KEY", "hunter2")
        .with("LECTERN_MODEL_STANDARD", "small-1")
        .with("LECTERN_MODEL_ADVANCED", "large-1")
        .with("LECTERN_MODEL_2_PROVIDER", "anthropic")
        .with("LECTERN_MODEL_2_BASE_URL", "http://127.0.0.1:9")
        .with("LECTERN_MODEL_2_STANDARD", "small-2");
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of_models = all.as_array().unwrap().iter().filter(|one| one["check"] == "language model");
    let told: Vec<_> = of_models.map(|one| (text(&one["verdict"]), text(&one["message"]))).collect();
    let expected = [
        ("warning", "openai, small-1", "by instructions alone"),
        ("wrong", "openai, large-1", "it has small-1"),
        ("wrong", "anthropic_2, small-2", "can't be reached"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((verdict, whose, what), (found, message)) in expected.iter().zip(&told) {
        assert!(verdict == found && message.contains(whose) && message.contains(what), "{message}");
    }
    let shown = place.run(&["config"]);
    for output in [&output, &shown] {
        let said = format!("{}{}", stderr(output), String::from_utf8_lossy(&output.stdout));
        assert!(!said.contains("hunter2"), "{said}");
    }
}
