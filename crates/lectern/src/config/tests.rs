//! Precedence, unknown keys, and all faults at once.

use std::ffi::OsString;

use ::files::storage::StorageOptions;
use ::mail::Way;
use edge::responses::ResponseLimits;
use url::Url;

use super::*;

mod documented;
mod model;
mod speech;

pub(super) fn read(toml: &str, variables: &[(&str, &str)]) -> Result<Config, Vec<(String, String)>> {
    let mut faults = Vec::new();
    let file = File::parse(Path::new("lectern.toml"), toml, &mut faults);
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(value)));
    let result = Config::read(&file, &Environment::of(variables), faults);
    result.map_err(|error| error.faults.into_iter().map(|fault| (fault.place, fault.wrong)).collect())
}

pub(super) fn places(result: Result<Config, Vec<(String, String)>>) -> Vec<String> {
    let faults = result.err().expect("the configuration is refused");
    faults.into_iter().map(|(place, _)| place).collect()
}

#[test]
fn everything_has_a_default() {
    let config = read("", &[]).unwrap();
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.store.database_file(), Path::new("./lectern-data/lectern.db"));
    assert_eq!(config.webhooks.retry_delays.iter().map(|delay| delay.as_secs()).sum::<u64>(), 155);
    assert_eq!((config.workers.in_flight, config.limits.body_bytes), (32, 1 << 20));
    assert_eq!(config.limits.connections, edge::server::ConnectionLimits::default());
    let (responses, usual) = (config.limits.responses(Path::new("x")), ResponseLimits::default());
    assert_eq!((responses.memory_bytes, responses.disk_bytes), (usual.memory_bytes, usual.disk_bytes));
    assert!(config.pages.options.image_origins.is_empty() && config.pages.options.frame_origins.is_empty());
    assert!(config.outbound.policy.allow_networks.is_empty() && !config.outbound.policy.allow_http);
}

#[test]
fn a_variable_goes_before_the_file_and_the_file_before_the_default() {
    let toml = "[server]\nlisten = '127.0.0.1:1'\n[workers]\nin_flight = 3\n[webhooks]\nretry_delays = ['1s', '2s']";
    let config = read(toml, &[("LECTERN_LISTEN", "127.0.0.1:2"), ("LECTERN_WORKERS", "")]).unwrap();
    assert_eq!(config.server.listen.port(), 2);
    assert_eq!(config.workers.in_flight, 3, "an empty variable is none");
    assert_eq!(config.webhooks.retry_delays.len(), 2);
    let sources = config.to_json();
    assert_eq!(sources["server"]["listen"]["source"], "environment");
    assert_eq!(sources["workers"]["in_flight"]["source"], "file");
    assert_eq!(sources["log"]["filter"]["source"], "default");
}

#[test]
fn all_faults_are_told_at_once_by_name() {
    let toml = "top = 1\n[server]\nlisten = 'nowhere'\nport = 80\n[mail]\nfrom = 'x'\n[workers]\nin_flight = {a = 1}";
    let variables = [
        ("LECTERN_LISTENN", "x"),
        ("LECTERN_SECRET_KEY", "5ec2e7"),
        ("LECTERN_WEBHOOK_RETRY_DELAYS", "5"),
        ("LECTERN_TLS_KEY_FILE", "key.pem"),
    ];
    let mut found = places(read(toml, &variables));
    found.sort();
    let expected = [
        "LECTERN_LISTENN",
        "LECTERN_SECRET_KEY",
        "LECTERN_TLS_KEY_FILE",
        "LECTERN_WEBHOOK_RETRY_DELAYS",
        "mail.from in lectern.toml",
        "server.listen in lectern.toml",
        "server.port in lectern.toml",
        "top in lectern.toml",
        "workers.in_flight in lectern.toml",
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_a_variable_overrides_must_be_right_too() {
    let toml = "[server]\nlisten = 'nowhere'\n[workers]\nin_flight = '3'\n[store]\ndata_dir = true\n\
        [webhooks]\nretry_delays = [5]\n[limits]\nbody_bytes = 2048.0";
    let variables = [
        ("LECTERN_LISTEN", "127.0.0.1:2"),
        ("LECTERN_WORKERS", "4"),
        ("LECTERN_DATA_DIR", "x"),
        ("LECTERN_WEBHOOK_RETRY_DELAYS", "5s"),
        ("LECTERN_BODY_BYTES", "2048"),
    ];
    let keys = ["server.listen", "store.data_dir", "webhooks.retry_delays", "workers.in_flight", "limits.body_bytes"];
    assert_eq!(places(read(toml, &variables)), keys.map(|key| format!("{key} in lectern.toml")));
}

#[test]
fn an_unknown_section_is_a_fault_even_when_it_is_empty() {
    assert_eq!(places(read("[serverr]\n[server]\n", &[])), ["serverr in lectern.toml"]);
}

#[test]
fn a_list_is_a_list_or_a_text_with_commas_and_has_no_empty_items() {
    let delays = |value: &str| {
        let config = read(&format!("[webhooks]\nretry_delays = {value}"), &[]);
        config.map(|config| config.webhooks.retry_delays.len()).map_err(|faults| faults.len())
    };
    assert_eq!(
        [delays("['1s', '2s']"), delays("'1s,2s'"), delays("[]"), delays("'none'")],
        [Ok(2), Ok(2), Ok(0), Ok(0)]
    );
    for wrong in ["['1s', '']", "['']", "''", "'1s,,2s'"] {
        assert_eq!(delays(wrong), Err(1), "{wrong}");
    }
    assert_eq!(places(read("", &[("LECTERN_WEBHOOK_RETRY_DELAYS", "5s,,5s")])), ["LECTERN_WEBHOOK_RETRY_DELAYS"]);
}

#[test]
fn files_are_in_the_data_folder_or_in_a_bucket() {
    let storage = |variables: &[(&str, &str)]| {
        let config = read("", variables).map_err(|faults| format!("{faults:?}")).unwrap();
        config.files.storage(&config.store.data_dir, None)
    };
    let StorageOptions::Folder(folder) = storage(&[]) else { panic!("a folder") };
    assert_eq!(folder, Path::new("./lectern-data/files"));
    let variables = [
        ("LECTERN_FILES_URL", "s3://school/files"),
        ("LECTERN_S3_ENDPOINT", "http://127.0.0.1:9000"),
        ("LECTERN_S3_ACCESS_KEY", "hunter1"),
        ("LECTERN_S3_SECRET_KEY", "hunter2"),
    ];
    let StorageOptions::S3(s3) = storage(&variables) else { panic!("a bucket") };
    assert_eq!((&*s3.bucket, &*s3.prefix, &*s3.region), ("school", "files", "us-east-1"));
    let printed = read("", &variables).unwrap();
    assert!(!format!("{}{}", printed.to_toml(), printed.to_json()).contains("hunter"));
    let faults = |variables: &[(&str, &str)]| places(read("", variables));
    assert_eq!(faults(&variables[1..2]), ["LECTERN_S3_ENDPOINT"]);
    assert_eq!(faults(&variables[..3]), ["LECTERN_S3_ACCESS_KEY"]);
    assert_eq!(faults(&[variables[0], variables[3]]), ["LECTERN_S3_SECRET_KEY"]);
    assert_eq!(faults(&[("LECTERN_FILES_URL", "/srv/files")]), ["LECTERN_FILES_URL"]);
}

#[test]
fn mail_becomes_files_unless_a_server_and_its_address_are_named() {
    let options = |variables: &[(&str, &str)]| {
        let config = read("", variables).map_err(|faults| format!("{faults:?}")).unwrap();
        config.mail.options(&config.store.data_dir, None).unwrap()
    };
    let Way::Folder(folder) = options(&[]).way else { panic!("a folder") };
    assert_eq!(folder, Path::new("./lectern-data/mail"));
    let variables =
        [("LECTERN_SMTP_URL", "smtp://ann:hunter2@mail.example.com"), ("LECTERN_MAIL_FROM", "School <a@example.com>")];
    let Way::Smtp(server) = options(&variables).way else { panic!("a server") };
    assert_eq!((&*server.host, server.port), ("mail.example.com", 587));
    let printed = read("", &variables).unwrap();
    assert!(!format!("{}{}", printed.to_toml(), printed.to_json()).contains("hunter"));
    assert_eq!(places(read("", &variables[..1])), ["LECTERN_SMTP_URL"]);
    assert_eq!(places(read("", &[("LECTERN_SMTP_URL", "mail.example.com")])), ["LECTERN_SMTP_URL"]);
}

#[test]
fn a_payment_processor_needs_its_address_its_key_and_its_signing_secret() {
    let base = Url::parse("https://lectern.example").unwrap();
    let variables = [
        ("LECTERN_PROCESSOR_BASE_URL", "https://processor.example"),
        ("LECTERN_PROCESSOR_SECRET_KEY", "sk_test_hunter1"),
        ("LECTERN_PROCESSOR_WEBHOOK_SECRET", "whsec_hunter2,whsec_hunter3"),
        ("LECTERN_PROCESSOR_CANCEL_URL", "https://shop.example/left"),
    ];
    let config = read("", &variables).map_err(|faults| format!("{faults:?}")).unwrap();
    let options = config.processor.options(&base, None).unwrap();
    assert_eq!((options.webhook_secrets.len(), &*options.meter_event_name), (2, "lectern_credits"));
    assert_eq!((&options.success_url, options.cancel_url.path()), (&base, "/left"));
    assert!(!format!("{}{}", config.to_toml(), config.to_json()).contains("hunter"));
    assert!(read("", &[]).unwrap().processor.options(&base, None).is_none());
    let faults = |variables: &[(&str, &str)]| places(read("", variables));
    assert_eq!(faults(&variables[..1]), ["LECTERN_PROCESSOR_BASE_URL"]);
    assert_eq!(faults(&variables[..2]), ["LECTERN_PROCESSOR_BASE_URL"]);
    assert_eq!(faults(&variables[2..3]), ["LECTERN_PROCESSOR_WEBHOOK_SECRET"]);
    let alone = read("", &variables[3..]).unwrap();
    assert_eq!(alone.without_effect()[0].name, "LECTERN_PROCESSOR_CANCEL_URL");
}

#[test]
fn a_fault_never_repeats_a_secret() {
    let variables = [("LECTERN_SECRET_KEY", "hunter2"), ("LECTERN_DATABASE_URL", "mysql://u:hunter2@h/d")];
    let toml = "[secrets]\nsecret_key = hunter2";
    let faults = read(toml, &variables).err().unwrap();
    assert!(faults.len() >= 3, "{faults:?}");
    assert!(!format!("{faults:?}").contains("hunter2"), "{faults:?}");
}

#[test]
fn variables_of_later_parts_and_foreign_ones_are_no_faults() {
    let variables = [
        ("LECTERN_OTLP_ENDPOINT", "http://x"),
        ("LECTERN_MODEL_PROVIDER", "builtin"),
        ("LECTERN_CONFIG", "ignored here"),
        ("LECTERN_ADMIN_PASSWORD", "x"),
        ("PATH", "/bin"),
    ];
    let config = read("", &variables).unwrap();
    let without_effect = ["LECTERN_OTLP_ENDPOINT"];
    let named: Vec<_> = config.without_effect().iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(named, without_effect);
    assert_eq!(places(read("", &[("LECTERN_MODELS", "x")])), ["LECTERN_MODELS"]);
}

#[test]
fn identity_providers_have_the_names_of_their_variables_and_sections() {
    let toml = "[oidc_school]\nissuer = \"https://school.example\"\nclient_id = \"a\"";
    let variables = [
        ("LECTERN_OIDC_GOOGLE_ISSUER", "https://google.example"),
        ("LECTERN_OIDC_GOOGLE_CLIENT_ID", "b"),
        ("LECTERN_OIDC_SCHOOL_CLIENT_SECRET", "c"),
        ("LECTERN_OIDC_ISSUER", "https://first.example"),
        ("LECTERN_OIDC_CLIENT_ID", "d"),
    ];
    let named = |config: &Config| -> Vec<(String, String)> {
        config.identity.providers(None).into_iter().map(|provider| (provider.name, provider.client_id)).collect()
    };
    let pair = |name: &str, id: &str| (name.to_owned(), id.to_owned());
    let all = [pair("oidc", "d"), pair("google", "b"), pair("school", "a")];
    assert_eq!(named(&read(toml, &variables).unwrap()), all);
    assert_eq!(named(&read("", &variables[..2]).unwrap()), [pair("google", "b")]);
    assert_eq!(places(read("", &variables[..1])), ["LECTERN_OIDC_GOOGLE_ISSUER"]);
    assert_eq!(places(read("", &[("LECTERN_OIDC_GOOGLE_COLOUR", "x")])), ["LECTERN_OIDC_GOOGLE_COLOUR"]);
}

#[test]
fn the_printed_configuration_reads_back_and_hides_secrets() {
    let key = "ab".repeat(32);
    let variables = [
        ("LECTERN_DATABASE_URL", "postgres://lectern:hunter2@db:5432/lectern?sslmode=require"),
        ("LECTERN_SECRET_KEY", key.as_str()),
        ("LECTERN_OUTBOUND_ALLOW_NETWORKS", "10.0.0.0/8,fd00::/8"),
        ("LECTERN_DATA_DIR", "C:\\data \"x\""),
    ];
    let printed = read("", &variables).unwrap().to_toml();
    assert!(!printed.contains("hunter2") && !printed.contains(&key), "{printed}");
    let printed = printed.replace("secret_key = \"********\"", "");
    let again = read(&printed, &[]).map_err(|faults| format!("{faults:?}\n{printed}")).unwrap();
    assert_eq!(again.outbound.policy.allow_networks.len(), 2);
    assert_eq!(again.store.data_dir, Path::new("C:\\data \"x\""));
}

#[test]
fn a_named_file_must_exist_and_the_default_one_need_not() {
    let mut faults = Vec::new();
    File::find(Some(Path::new("/nonexistent/lectern.toml")), &mut faults);
    assert_eq!(faults.len(), 1);
}
