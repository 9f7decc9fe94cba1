//! Who is asked for grades and content.

use engine::authored::Limits;
use kernel::secret::ExposeSecret as _;
use models::{Protocol, Settings};

use super::*;

const LOCAL: [(&str, &str); 3] = [
    ("LECTERN_MODEL_PROVIDER", "openai"),
    ("LECTERN_MODEL_BASE_URL", "http://127.0.0.1:11434"),
    ("LECTERN_MODEL_STANDARD", "qwen3"),
];

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    LOCAL.iter().chain(more).copied().collect()
}

fn settings(variables: &[(&str, &str)]) -> Settings {
    let config = read("", variables).map_err(|faults| format!("{faults:?}")).unwrap();
    config.model.settings(None).expect("a model is asked")
}

#[test]
fn no_model_is_asked_unless_one_is_named() {
    let config = read("", &[]).unwrap();
    assert!(config.model.settings(None).is_none() && !config.model.content_fallback);
}

#[test]
fn a_providers_own_models_need_a_key_and_nothing_else() {
    let openai = settings(&[("LECTERN_MODEL_PROVIDER", "openai"), ("LECTERN_MODEL_API_KEY", "sk-1")]);
    assert_eq!((openai.first.protocol, openai.first.name.as_str()), (Protocol::Chat, "openai"));
    assert_eq!(openai.first.base().as_str(), "https://api.openai.com/v1");
    assert_eq!((openai.timeout.as_secs(), openai.retries, openai.concurrency), (60, 2, 64));
    let variables = [
        ("LECTERN_MODEL_PROVIDER", "anthropic"),
        ("LECTERN_MODEL_API_KEY", "sk-2"),
        ("LECTERN_MODEL_CONTENT", "claude-opus-5"),
    ];
    let anthropic = settings(&variables).first;
    assert_eq!((anthropic.protocol, anthropic.base().as_str()), (Protocol::Messages, "https://api.anthropic.com/v1"));
    assert_eq!((&*anthropic.models.content, &*anthropic.models.fast), ("claude-opus-5", "claude-haiku-4-5"));
    assert_eq!(anthropic.api_key.unwrap().expose_secret(), "sk-2");
    assert_eq!(places(read("", &[("LECTERN_MODEL_PROVIDER", "openai")])), ["LECTERN_MODEL_PROVIDER"]);
}

#[test]
fn another_server_needs_a_models_name_and_no_key() {
    let local = settings(&with(&[("LECTERN_MODEL_ADVANCED", "qwen3-big")])).first;
    assert_eq!(local.base().as_str(), "http://127.0.0.1:11434/v1");
    assert_eq!((&*local.models.fast, &*local.models.advanced, &*local.models.content), ("qwen3", "qwen3-big", "qwen3"));
    assert!(local.api_key.is_none());
    assert_eq!(places(read("", &LOCAL[..2])), ["LECTERN_MODEL_BASE_URL"]);
}

#[test]
fn further_providers_come_in_the_order_of_their_numbers() {
    let toml = "[model_3]\nprovider = 'openai'\nbase_url = 'http://gpu:8000/v1'\nstandard = 'm'\nprotocol = 'responses'\n\
        [model_2]\nprovider = 'anthropic'\napi_key = 'hunter2'";
    let config = read(toml, &LOCAL).map_err(|faults| format!("{faults:?}")).unwrap();
    let settings = config.model.settings(Some(b"pem")).unwrap();
    let names: Vec<_> = settings.providers().map(|provider| provider.name.as_str()).collect();
    assert_eq!(names, ["openai", "anthropic_2", "openai_3"]);
    assert_eq!(settings.others[1].protocol, Protocol::Responses);
    assert_eq!(settings.extra_ca_pem.as_deref(), Some(b"pem".as_slice()));
    let printed = format!("{}{}{settings:?}", config.to_toml(), config.to_json());
    assert!(
        !printed.contains("hunter2") && printed.contains("[model_2]") && !printed.contains("[model_4]"),
        "{printed}"
    );
}

#[test]
fn providers_have_the_names_that_the_operator_gives_them() {
    let second = [
        ("LECTERN_MODEL_2_PROVIDER", "openai"),
        ("LECTERN_MODEL_2_BASE_URL", "http://10.0.0.7:8000"),
        ("LECTERN_MODEL_2_STANDARD", "qwen3"),
    ];
    let names = |more: &[(&'static str, &'static str)]| -> Vec<String> {
        let variables = [&with(&second), more].concat();
        settings(&variables).providers().map(|provider| provider.name.clone()).collect()
    };
    assert_eq!(names(&[]), ["openai", "openai_2"]);
    assert_eq!(names(&[("LECTERN_MODEL_NAME", "gpu-1"), ("LECTERN_MODEL_2_NAME", "gpu-2")]), ["gpu-1", "gpu-2"]);
    let third = [("LECTERN_MODEL_3_PROVIDER", "anthropic"), ("LECTERN_MODEL_3_API_KEY", "sk-3")];
    let other = ("LECTERN_MODEL_3_NAME", "other");
    for (same, named) in [
        ([("LECTERN_MODEL_NAME", "gpu"), ("LECTERN_MODEL_2_NAME", "gpu"), other].as_slice(), "LECTERN_MODEL_2_NAME"),
        (&[("LECTERN_MODEL_2_NAME", "openai"), other], "LECTERN_MODEL_2_NAME"),
        (&[("LECTERN_MODEL_NAME", "openai_2"), other], "LECTERN_MODEL_NAME"),
    ] {
        assert_eq!(places(read("", &[&with(&second), &third[..], same].concat())), [named]);
    }
}

#[test]
fn an_address_with_a_password_is_refused_with_what_to_do_and_without_the_password() {
    for url in ["http://user:hunter2@gpu:8000/v1", "https://:hunter2@gpu", "https://user@gpu/v1"] {
        for (variable, key) in [
            ("LECTERN_MODEL_BASE_URL", "LECTERN_MODEL_API_KEY"),
            ("LECTERN_MODEL_2_BASE_URL", "LECTERN_MODEL_2_API_KEY"),
        ] {
            let faults = read("", &with(&[("LECTERN_MODEL_2_PROVIDER", "openai"), (variable, url)])).err().unwrap();
            let (_, said) = faults.iter().find(|(place, _)| place == variable).unwrap();
            assert!(said.contains("without user and password") && said.contains(key), "{said}");
            assert!(!format!("{faults:?}").contains("hunter2"));
        }
    }
}

#[test]
fn content_is_asked_for_in_pieces_that_fit_into_the_models_window() {
    let limits = |more: &[(&'static str, &'static str)]| read("", &with(more)).unwrap().model.content_limits;
    assert_eq!(limits(&[]), Limits::default());
    assert_eq!(limits(&[("LECTERN_MODEL_CONTENT_WINDOW", "8192")]), Limits::for_window(8_192));
    let config = read("[model]\ncontent_window = 16384", &LOCAL).unwrap();
    assert_eq!(config.model.content_limits, Limits::for_window(16_384));
    assert!(config.to_toml().contains("content_window = 16384  # file: LECTERN_MODEL_CONTENT_WINDOW"));
    assert_eq!(config.to_json()["model"]["content_window"]["value"], 16_384);
}

#[test]
fn what_is_odd_about_models_stops_the_start_by_name() {
    let wrong = [
        ("LECTERN_MODEL_PROVIDER", "gpt"),
        ("LECTERN_MODEL_BASE_URL", "http://u:p@x"),
        ("LECTERN_MODEL_BASE_URL", "gpu:8000"),
        ("LECTERN_MODEL_NAME", "my server"),
        ("LECTERN_MODEL_API_KEY", "two words"),
        ("LECTERN_MODEL_PROTOCOL", "grpc"),
        ("LECTERN_MODEL_TIMEOUT", "0s"),
        ("LECTERN_MODEL_TIMEOUT", "60"),
        ("LECTERN_MODEL_RETRIES", "-1"),
        ("LECTERN_MODEL_RETRIES", "99"),
        ("LECTERN_MODEL_CONCURRENCY", "0"),
        ("LECTERN_MODEL_CONTENT_FALLBACK", "yes"),
        ("LECTERN_MODEL_CONTENT_WINDOW", "4096"),
        ("LECTERN_MODEL_CONTENT_WINDOW", "8k"),
        ("LECTERN_MODEL_2_PROVIDER", "builtin"),
        ("LECTERN_MODEL_3_API_KEY", "sk-3"),
        ("LECTERN_MODEL_9_PROVIDER", "openai"),
        ("LECTERN_MODEL_SLOW", "m"),
    ];
    for (name, value) in wrong {
        let variables: Vec<_> = with(&[(name, value)]);
        let faults = read("", &variables).err().unwrap_or_else(|| panic!("{name}={value} is refused"));
        assert!(faults.iter().all(|(place, _)| place == name), "{name}={value}: {faults:?}");
        assert!(!format!("{faults:?}").contains("two words"));
    }
    let protocol = [
        ("LECTERN_MODEL_PROVIDER", "anthropic"),
        ("LECTERN_MODEL_API_KEY", "sk-2"),
        ("LECTERN_MODEL_PROTOCOL", "chat"),
    ];
    assert_eq!(places(read("", &protocol)), ["LECTERN_MODEL_PROTOCOL"]);
    let second = [("LECTERN_MODEL_2_PROVIDER", "openai"), ("LECTERN_MODEL_2_API_KEY", "sk-2")];
    assert_eq!(places(read("", &second)), ["LECTERN_MODEL_2_PROVIDER"]);
}

#[test]
fn settings_of_models_change_nothing_without_one_and_are_named() {
    let config = read("[model]\ntimeout = '5s'", &[("LECTERN_MODEL_FAST", "m")]).unwrap();
    let named: Vec<_> = config.without_effect().iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(named, ["LECTERN_MODEL_FAST", "model.timeout in lectern.toml"]);
    assert!(read("", &LOCAL).unwrap().without_effect().is_empty());
}
