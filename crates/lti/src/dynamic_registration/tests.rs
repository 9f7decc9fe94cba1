use super::*;

const FROM: &str = "https://lms.example/.well-known/openid-configuration";

fn configuration(issuer: &str) -> Value {
    json!({
        "issuer": issuer, "authorization_endpoint": "https://lms.example/auth", "token_endpoint": "https://lms.example/token",
        "jwks_uri": "https://keys.lms.example", "registration_endpoint": "https://lms.example/register",
        "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", ags::SCOPE_SCORE, nrps::SCOPE],
        claims::PLATFORM_CONFIGURATION: { "product_family_code": "moodle", "version": "5" },
    })
}

fn parse(from: &str, configuration: &Value) -> Result<PlatformConfiguration, ConfigurationRefused> {
    PlatformConfiguration::parse(&Url::parse(from).unwrap(), configuration.to_string().as_bytes())
}

/// The configuration of a platform that says this beside.
fn with(member: &str, value: Value) -> Result<PlatformConfiguration, ConfigurationRefused> {
    let mut configuration = configuration("https://lms.example");
    configuration[member] = value;
    parse(FROM, &configuration)
}

fn request(platform: &PlatformConfiguration) -> Value {
    let base = Url::parse("https://tool.example/school").unwrap();
    let tool = Tool {
        name: "Lectern",
        description: "Grades answers.",
        base: &base,
        login: "https://tool.example/school/login",
        launch: "https://tool.example/school/launch",
        key_set: "https://tool.example/school/jwks.json",
    };
    tool.registration(platform)
}

#[test]
fn a_platform_speaks_for_its_own_server_only() {
    let known = parse(FROM, &configuration("https://lms.example")).unwrap();
    assert_eq!(known.lti.product_family_code.as_deref(), Some("moodle"));
    assert_eq!(known.jwks_uri, "https://keys.lms.example", "an address stays as it was sent");
    for issuer in ["https://lms.example/moodle", "https://LMS.example:8443"] {
        assert_eq!(parse(FROM, &configuration(issuer)).unwrap().issuer, issuer);
    }
    for issuer in ["https://other.example", "https://lms.example.evil.example", "lms.example", "data:x"] {
        assert_eq!(parse(FROM, &configuration(issuer)), Err(ConfigurationRefused::Issuer), "{issuer}");
    }
}

#[test]
fn a_configuration_names_all_endpoints() {
    for member in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"] {
        for value in [Value::Null, json!(5), json!(""), json!("a\nb"), json!("x".repeat(3000))] {
            assert_eq!(with(member, value), Err(ConfigurationRefused::Member(member)), "{member}");
        }
        if member != "issuer" {
            assert_eq!(with(member, json!("/auth")), Err(ConfigurationRefused::Member(member)), "{member}");
        }
    }
    for body in ["", "[]", "\"x\"", "<html>"] {
        let read = PlatformConfiguration::parse(&Url::parse(FROM).unwrap(), body.as_bytes());
        assert_eq!(read, Err(ConfigurationRefused::NotJson), "{body}");
    }
}

#[test]
fn what_a_configuration_adds_has_to_have_its_form() {
    for (member, wrong) in [
        ("authorization_server", json!(["x"])),
        ("authorization_server", json!("")),
        ("scopes_supported", json!("openid")),
        (claims::PLATFORM_CONFIGURATION, json!({ "messages_supported": [{}] })),
        ("token_endpoint_auth_methods_supported", json!(["client_secret_basic"])),
        ("id_token_signing_alg_values_supported", json!(["HS256"])),
    ] {
        assert_eq!(with(member, wrong), Err(ConfigurationRefused::Member(member)), "{member}");
    }
    for member in [
        "authorization_server",
        "scopes_supported",
        claims::PLATFORM_CONFIGURATION,
        "token_endpoint_auth_methods_supported",
        "id_token_signing_alg_values_supported",
    ] {
        assert!(with(member, Value::Null).is_ok(), "{member}");
    }
}

#[test]
fn token_requests_are_addressed_to_the_authorization_server_where_there_is_one() {
    assert_eq!(with("version", Value::Null).unwrap().audience(), "https://lms.example/token");
    let brightspace = with("authorization_server", json!("https://api.brightspace.example/auth")).unwrap();
    assert_eq!(brightspace.audience(), "https://api.brightspace.example/auth");
}

#[test]
fn the_tool_asks_for_those_of_its_services_that_the_platform_has() {
    let request = request(&parse(FROM, &configuration("https://lms.example")).unwrap());
    assert_eq!(request["scope"], format!("{} {}", ags::SCOPE_SCORE, nrps::SCOPE));
    assert_eq!(request["token_endpoint_auth_method"], "private_key_jwt");
    assert_eq!(request["redirect_uris"], json!(["https://tool.example/school/launch"]));
    assert_eq!(request["initiate_login_uri"], "https://tool.example/school/login");
    let tool = &request[claims::TOOL_CONFIGURATION];
    assert_eq!((&tool["domain"], &tool["claims"]), (&json!("tool.example"), &json!(["iss", "sub", "name"])));
}

#[test]
fn a_platform_that_names_no_services_is_asked_for_all() {
    let request = request(&with("scopes_supported", Value::Null).unwrap());
    for scope in [ags::SCOPE_LINE_ITEM, ags::SCOPE_SCORE, ags::SCOPE_RESULT_READONLY, nrps::SCOPE] {
        assert!(request["scope"].as_str().unwrap().split(' ').any(|asked| asked == scope), "{scope}");
    }
}

#[test]
fn messages_are_those_that_the_platform_sends() {
    let link = json!({ "type": "LtiResourceLinkRequest", "target_link_uri": "https://tool.example/school/launch" });
    let deep = json!({ "type": "LtiDeepLinkingRequest", "target_link_uri": "https://tool.example/school/launch" });
    let mut in_content = deep.clone();
    in_content["placements"] = json!(["ContentArea"]);
    for (supported, expected) in [
        (json!([]), json!([link, in_content])),
        (json!([{ "type": "LtiResourceLinkRequest" }]), json!([link])),
        (json!([{ "type": "LtiDeepLinkingRequest" }]), json!([link, in_content])),
        (json!([{ "type": "LtiDeepLinkingRequest", "placements": ["ContentArea", "x"] }]), json!([link, in_content])),
        (json!([{ "type": "LtiDeepLinkingRequest", "placements": ["RichTextEditor"] }]), json!([link, deep])),
    ] {
        let platform = with(claims::PLATFORM_CONFIGURATION, json!({ "messages_supported": supported })).unwrap();
        assert_eq!(request(&platform)[claims::TOOL_CONFIGURATION]["messages"], expected, "{supported}");
    }
}

#[test]
fn an_answer_names_the_client_and_perhaps_the_deployment() {
    let answer = |client: Value, deployment: Value| {
        let answer = json!({ "client_id": client, claims::TOOL_CONFIGURATION: { "deployment_id": deployment } });
        Registered::parse(answer.to_string().as_bytes())
    };
    let registered = |client: &str, deployment: Option<&str>| {
        Ok(Registered { client_id: client.to_owned(), deployment_id: deployment.map(str::to_owned) })
    };
    assert_eq!(answer(json!("c-1"), json!("d-1")), registered("c-1", Some("d-1")));
    assert_eq!(answer(json!(10_000_000_000_002_u64), json!(7)), registered("10000000000002", Some("7")));
    assert_eq!(answer(json!("c-1"), Value::Null), registered("c-1", None));
    assert_eq!(Registered::parse(br#"{"client_id":"c-1"}"#), registered("c-1", None));
    let too_long = json!("x".repeat(256));
    for wrong in [Value::Null, json!(""), json!(" c"), json!("a\u{7}"), json!(1.5), json!({}), too_long] {
        assert_eq!(answer(wrong.clone(), Value::Null), Err(AnswerRefused("client_id")), "{wrong}");
        if !wrong.is_null() {
            assert_eq!(answer(json!("c-1"), wrong.clone()), Err(AnswerRefused("deployment_id")), "{wrong}");
        }
    }
    assert_eq!(answer(json!("c-1"), json!("ü")), Err(AnswerRefused("deployment_id")));
    for answer in ["", "[]", "{}", "<html>"] {
        assert_eq!(Registered::parse(answer.as_bytes()), Err(AnswerRefused("client_id")), "{answer}");
    }
}

#[test]
fn a_server_that_is_no_address_is_nobody_to_ask_for_tokens() {
    let canvas = with("authorization_server", json!("sso.canvas.example")).unwrap();
    assert_eq!(canvas.audience(), "https://lms.example/token");
}

#[test]
fn canvas_is_asked_for_the_places_that_it_does_not_list() {
    let messages = json!([{ "type": "LtiDeepLinkingRequest", "placements": ["https://canvas.instructure.com/lti/x"] }]);
    let canvas = json!({ "product_family_code": "canvas", "messages_supported": messages });
    let platform = with(claims::PLATFORM_CONFIGURATION, canvas).unwrap();
    let message = request(&platform)[claims::TOOL_CONFIGURATION]["messages"][1].clone();
    let expected = json!([
        "ContentArea",
        "https://canvas.instructure.com/lti/assignment_selection",
        "https://canvas.instructure.com/lti/course_assignments_menu",
    ]);
    assert_eq!((&message["placements"], message["label"].is_string()), (&expected, true));
}
