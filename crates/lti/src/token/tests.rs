use std::sync::LazyLock;

use jsonwebtoken::Algorithm;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::*;
use crate::ags::{GradeService, SCOPE_SCORE};
use crate::claims;
use crate::launch::{Context, Message, ResourceLink};
use crate::tool_key::ToolKey;

/// Two key pairs: making one takes a while.
static KEYS: LazyLock<[ToolKey; 2]> =
    LazyLock::new(|| [(); 2].map(|()| ToolKey::from_pkcs8(&ToolKey::generate()).unwrap()));
const NOW: i64 = 1_795_282_725;

fn platform_key() -> &'static ToolKey {
    &KEYS[0]
}

fn key_set(keys: &[&Value]) -> KeySet {
    KeySet::parse(json!({ "keys": keys }).to_string().as_bytes()).unwrap()
}

fn expected() -> Expected<'static> {
    Expected {
        issuer: "https://lms.example",
        client_id: "tool-1",
        nonce: "n-1",
        deployment_id: Some("d-1"),
        target_link_uri: "https://tool.example/x",
        link_parameter: "link",
        now: Timestamp::from_millis(NOW * 1000),
    }
}

fn valid() -> Value {
    json!({
        "iss": "https://lms.example", "aud": "tool-1", "sub": "u-1", "exp": NOW + 300, "iat": NOW, "nonce": "n-1",
        claims::MESSAGE_TYPE: "LtiResourceLinkRequest",
        claims::LTI_VERSION: "1.3.0",
        claims::DEPLOYMENT_ID: "d-1",
        claims::TARGET_LINK_URI: "https://tool.example/x",
        claims::RESOURCE_LINK: { "id": "link-1", "title": "Cells" },
        claims::ROLES: ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        claims::CONTEXT: { "id": "c-1", "title": "Biology", "type": ["CourseSection"] },
        claims::CUSTOM: { "resource": "7" },
        claims::AGS_ENDPOINT: { "scope": [SCOPE_SCORE], "lineitem": "https://lms.example/li/1" },
    })
}

fn verify_with(token: &str, keys: &KeySet, expected: &Expected<'_>) -> Result<Launch, Refusal> {
    IdToken::new(token).header()?.verify(keys, expected)
}

fn verify(claims: &Value) -> Result<Launch, Refusal> {
    verify_with(&platform_key().sign(claims), &key_set(&[platform_key().public()]), &expected())
}

/// What is said of the good claims with one of them changed; null takes it away.
fn with(claim: &str, value: Value) -> Result<Launch, Refusal> {
    let mut claims = valid();
    claims[claim] = value;
    if claims[claim].is_null() {
        claims.as_object_mut().unwrap().shift_remove(claim);
    }
    verify(&claims)
}

#[track_caller]
fn refuses(claim: &str, values: &[Value], reason: Reason) {
    for value in values {
        assert_eq!(with(claim, value.clone()).map_err(|refusal| refusal.reason), Err(reason), "{claim}: {value}");
    }
}

#[test]
fn a_launch_says_who_opened_which_link_of_which_course_and_where_grades_go() {
    let launch = verify(&valid()).unwrap();
    assert_eq!(
        launch.message,
        Message::ResourceLink(ResourceLink { id: "link-1".to_owned(), title: Some("Cells".to_owned()) })
    );
    assert_eq!((launch.user_id.as_deref(), launch.deployment_id.as_str()), (Some("u-1"), "d-1"));
    assert_eq!(launch.context, Some(Context { id: "c-1".to_owned(), label: None, title: Some("Biology".to_owned()) }));
    assert_eq!(launch.roles, ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"]);
    assert_eq!(launch.custom["resource"], "7");
    let grades = GradeService {
        scope: vec![SCOPE_SCORE.to_owned()],
        lineitems: None,
        lineitem: Some("https://lms.example/li/1".parse().unwrap()),
    };
    assert_eq!((launch.grades, launch.roster), (Some(grades), None));
}

#[test]
fn the_algorithm_is_rs256() {
    let keys = key_set(&[platform_key().public()]);
    let unsigned = |algorithm: &str| {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = json!({ "alg": algorithm, "kid": platform_key().id() });
        format!("{}.{}.", part(&header), part(&valid()))
    };
    for algorithm in ["none", "None", "NONE", "", "rs256", "HS256", "ES256", "PS256", "RS512"] {
        let refusal = verify_with(&unsigned(algorithm), &keys, &expected()).unwrap_err();
        assert_eq!(refusal, Refusal::differs(Reason::Algorithm, "RS256", algorithm));
    }
    let refusal = verify_with(&unsigned("RS256"), &keys, &expected()).unwrap_err();
    assert_eq!(refusal.reason, Reason::Signature, "no signature is a wrong one");
}

#[test]
fn a_mac_with_the_public_key_is_no_signature() {
    let public = platform_key().public();
    for secret in [public["n"].as_str().unwrap().as_bytes().to_vec(), public.to_string().into_bytes()] {
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(platform_key().id().to_owned());
        let token = encode(&header, &valid(), &EncodingKey::from_secret(&secret)).unwrap();
        let refusal = verify_with(&token, &key_set(&[public]), &expected()).unwrap_err();
        assert_eq!(refusal.reason, Reason::Algorithm);
        // The same MAC under a header that promises a signature.
        let (_, mac) = token.rsplit_once('.').unwrap();
        let signed = platform_key().sign(&valid());
        let (message, _) = signed.rsplit_once('.').unwrap();
        let refusal = verify_with(&format!("{message}.{mac}"), &key_set(&[public]), &expected()).unwrap_err();
        assert_eq!(refusal.reason, Reason::Signature);
    }
}

#[test]
fn a_key_that_can_not_verify_rs256_is_in_no_set() {
    let mut others = vec![
        json!({ "kty": "oct", "kid": "mac", "alg": "HS256", "k": "c2VjcmV0" }),
        json!({ "kty": "EC", "kid": "ec", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0" }),
        json!({ "kty": "new" }),
        json!(5),
    ];
    for (member, value) in [("use", "enc"), ("alg", "RS512")] {
        let mut key = platform_key().public().clone();
        key["kid"] = value.into();
        key[member] = value.into();
        others.push(key);
    }
    let mut unnamed = platform_key().public().clone();
    unnamed.as_object_mut().unwrap().shift_remove("kid");
    others.push(unnamed);
    others.push(platform_key().public().clone());
    let set = key_set(&others.iter().collect::<Vec<_>>());
    assert_eq!(set.ids().collect::<Vec<_>>(), [platform_key().id()]);
    for text in ["", "{}", "[]", r#"{"keys":{}}"#, "<html>"] {
        assert_eq!(KeySet::parse(text.as_bytes()).err(), Some(crate::NotAKeySet), "{text}");
    }
}

#[test]
fn a_token_names_a_key_of_the_platform_and_is_signed_with_it() {
    let (own, other) = (&KEYS[0], &KEYS[1]);
    let token = own.sign(&valid());
    let refusal = verify_with(&token, &key_set(&[other.public()]), &expected()).unwrap_err();
    assert_eq!(refusal, Refusal::differs(Reason::UnknownKey, other.id(), own.id()));
    // While keys are rotated, both are there.
    for key in [own, other] {
        assert!(verify_with(&key.sign(&valid()), &key_set(&[own.public(), other.public()]), &expected()).is_ok());
    }
    let mut forged = other.public().clone();
    forged["kid"] = own.id().into();
    let refusal = verify_with(&token, &key_set(&[&forged]), &expected()).unwrap_err();
    assert_eq!(refusal.reason, Reason::Signature, "another key under the same name");

    let header = |header: Value| {
        let text = format!("{}.e30.c2ln", URL_SAFE_NO_PAD.encode(header.to_string()));
        IdToken::new(&text).header().map(|_| ()).map_err(|refusal| refusal.reason)
    };
    assert_eq!(header(json!({ "alg": "RS256" })), Err(Reason::NoKeyId));
    assert_eq!(header(json!({ "alg": "RS256", "kid": "" })), Err(Reason::NoKeyId));
    assert_eq!(header(json!({ "alg": "RS256", "kid": "k", "crit": ["b64"], "b64": false })), Err(Reason::NotAToken));
    assert_eq!(header(json!({ "alg": "RS256", "kid": "k" })), Ok(()));
}

#[test]
fn what_is_changed_after_it_was_signed_is_refused() {
    let keys = key_set(&[platform_key().public()]);
    let signed = platform_key().sign(&valid());
    let mut parts: Vec<_> = signed.split('.').map(str::to_owned).collect();
    let mut changed = valid();
    changed["sub"] = "u-2".into();
    parts[1] = URL_SAFE_NO_PAD.encode(changed.to_string());
    let refusal = verify_with(&parts.join("."), &keys, &expected()).unwrap_err();
    assert_eq!(refusal.reason, Reason::Signature);
    for text in ["", ".", "..", "a.b.c", &signed.replace('.', " "), &format!("{signed}.x"), "e30.e30.e30"] {
        let refusal = verify_with(text, &keys, &expected()).unwrap_err();
        assert!(
            matches!(refusal.reason, Reason::NotAToken | Reason::Algorithm | Reason::Signature),
            "{text}: {refusal:?}"
        );
    }
    let token = platform_key().sign(&json!(["no", "object"]));
    assert_eq!(verify_with(&token, &keys, &expected()).unwrap_err().reason, Reason::NotAToken);
}

#[test]
fn the_issuer_is_that_of_the_registration_to_the_letter() {
    let others = ["https://lms.example/", "https://LMS.example", "http://lms.example", "https://other.example", ""];
    refuses("iss", &others.map(Value::from), Reason::Issuer);
    refuses("iss", &[Value::Null, json!(["https://lms.example"]), json!(5)], Reason::Issuer);
    let refusal = with("iss", "https://other.example".into()).unwrap_err();
    assert_eq!(refusal, Refusal::differs(Reason::Issuer, "https://lms.example", "https://other.example"));
}

#[test]
fn the_audience_is_this_tool_and_nobody_else() {
    assert!(with("aud", json!(["tool-1"])).is_ok(), "a list with one needs no azp");
    let others = [json!("tool-2"), json!(["tool-2"]), json!([]), json!({}), json!(["tool-1", "tool-2"]), Value::Null];
    refuses("aud", &others, Reason::Audience);
    let mut several = valid();
    several["aud"] = json!(["tool-1", "tool-2"]);
    several["azp"] = "tool-1".into();
    assert_eq!(verify(&several).unwrap_err().reason, Reason::Audience, "the other one is not trusted");
}

#[test]
fn an_authorized_party_is_this_tool_and_several_audiences_want_one() {
    assert!(with("azp", json!("tool-1")).is_ok());
    refuses("azp", &[json!("tool-2"), json!(""), json!(["tool-1"])], Reason::AuthorizedParty);
    refuses("aud", &[json!(["tool-1", "tool-1"])], Reason::AuthorizedParty);
}

#[test]
fn a_token_holds_from_its_issue_to_its_expiry_with_a_minute_for_clocks_that_differ() {
    for value in [json!(NOW - 59), json!((NOW - 59) as f64 + 0.5), json!(253_402_300_799_i64)] {
        assert!(with("exp", value.clone()).is_ok(), "{value}");
    }
    refuses("exp", &[json!(NOW - 60), json!(0), json!(NOW - 3600)], Reason::Expired);
    refuses("exp", &[Value::Null, json!("tomorrow"), json!((NOW + 300).to_string()), json!(-1)], Reason::NoExpiry);
    refuses("exp", &[json!(1e300)], Reason::NoExpiry);
    assert!(with("iat", json!(NOW + 60)).is_ok());
    refuses("iat", &[json!(NOW + 61), json!(NOW + 3600)], Reason::IssuedInFuture);
    refuses("iat", &[Value::Null, json!("now")], Reason::NoIssueTime);
}

#[test]
fn the_nonce_is_that_of_the_login() {
    refuses("nonce", &[Value::Null, json!(""), json!(5)], Reason::NoNonce);
    refuses("nonce", &[json!("n-2"), json!("N-1"), json!("n-1 ")], Reason::Nonce);
}

#[test]
fn the_message_is_of_lti_1_3_0_and_of_a_known_type() {
    refuses(claims::LTI_VERSION, &[Value::Null, json!("1.3"), json!("LTI-1p0"), json!("2.0.0")], Reason::Version);
    let others = [Value::Null, json!("LtiSubmissionReviewRequest"), json!("ltiresourcelinkrequest"), json!(1)];
    refuses(claims::MESSAGE_TYPE, &others, Reason::MessageType);
}

#[test]
fn the_deployment_is_that_of_the_login_where_it_named_one() {
    let long = json!("x".repeat(256));
    refuses(claims::DEPLOYMENT_ID, &[Value::Null, json!(""), json!(1), json!("dé"), long], Reason::NoDeployment);
    refuses(claims::DEPLOYMENT_ID, &[json!("d-2")], Reason::Deployment);
    let mut claims = valid();
    claims[claims::DEPLOYMENT_ID] = "x".repeat(255).into();
    let keys = key_set(&[platform_key().public()]);
    let any = Expected { deployment_id: None, ..expected() };
    assert!(verify_with(&platform_key().sign(&claims), &keys, &any).is_ok());
}

#[test]
fn the_target_is_that_of_the_login() {
    let others = [Value::Null, json!("https://tool.example/x/"), json!("https://tool.example/y"), json!("")];
    refuses(claims::TARGET_LINK_URI, &others, Reason::Target);
}

#[test]
fn a_resource_link_has_an_id_of_at_most_255_ascii_characters() {
    let long = json!({ "id": "x".repeat(256) });
    let others = [Value::Null, json!({}), json!({ "id": "" }), json!({ "id": 1 }), json!("link-1"), long];
    refuses(claims::RESOURCE_LINK, &others, Reason::NoResourceLink);
    assert!(with(claims::RESOURCE_LINK, json!({ "id": "x".repeat(255) })).is_ok());
}

#[test]
fn roles_are_there_and_may_be_empty() {
    assert_eq!(with(claims::ROLES, json!([])).unwrap().roles, [""; 0]);
    refuses(claims::ROLES, &[Value::Null, json!("Learner"), json!([1]), json!({})], Reason::NoRoles);
}

#[test]
fn a_launch_may_be_anonymous() {
    assert_eq!(with("sub", Value::Null).unwrap().user_id, None);
    refuses("sub", &[json!(""), json!(5), json!("ü"), json!("x".repeat(256))], Reason::Subject);
}

#[test]
fn a_request_for_deep_linking_says_where_the_answer_goes_and_what_it_may_hold() {
    let mut claims = valid();
    claims[claims::MESSAGE_TYPE] = "LtiDeepLinkingRequest".into();
    claims.as_object_mut().unwrap().shift_remove(claims::RESOURCE_LINK);
    assert_eq!(verify(&claims).unwrap_err().reason, Reason::DeepLinkingSettings);
    let settings = json!({
        "deep_link_return_url": "https://lms.example/dl", "accept_types": ["link", "ltiResourceLink"],
        "accept_presentation_document_targets": ["iframe"], "accept_multiple": false, "data": { "csrf": 1 },
    });
    claims[claims::DEEP_LINKING_SETTINGS] = settings.clone();
    let Message::DeepLinking(accepted) = verify(&claims).unwrap().message else { panic!("no deep linking") };
    assert!(accepted.accepts_links() && !accepted.accepts_several() && accepted.accepts_line_items());
    assert_eq!(accepted.data, Some(json!({ "csrf": 1 })));
    for member in ["deep_link_return_url", "accept_types"] {
        let mut incomplete = settings.clone();
        incomplete.as_object_mut().unwrap().shift_remove(member);
        claims[claims::DEEP_LINKING_SETTINGS] = incomplete;
        assert_eq!(verify(&claims).unwrap_err().reason, Reason::DeepLinkingSettings, "{member}");
    }
}

#[test]
fn a_service_with_a_wrong_address_is_refused_and_one_without_is_not() {
    refuses(claims::AGS_ENDPOINT, &[json!({ "lineitem": "li/1" }), json!([]), json!("x")], Reason::ServiceClaim);
    refuses(claims::NRPS_SERVICE, &[json!({}), json!({ "context_memberships_url": "/m" })], Reason::ServiceClaim);
    let launch = with(claims::AGS_ENDPOINT, Value::Null).unwrap();
    assert_eq!((launch.grades, launch.roster), (None, None));
}

#[test]
fn claims_that_only_describe_refuse_no_launch() {
    for claim in [claims::CONTEXT, claims::CUSTOM, claims::LAUNCH_PRESENTATION] {
        for value in [Value::Null, json!("x"), json!([]), json!({ "id": 5, "locale": 5 })] {
            assert!(with(claim, value.clone()).is_ok(), "{claim}: {value}");
        }
    }
}

#[test]
fn a_token_may_name_a_link_that_the_login_did_not_and_lead_nowhere_else() {
    let named = with(claims::TARGET_LINK_URI, json!("https://tool.example/x?link=7")).unwrap();
    assert_eq!(named.target_link_uri, "https://tool.example/x?link=7");
    let elsewhere = [
        "https://tool.example/x?other=7",
        "https://tool.example/x?link=7&other=8",
        "https://tool.example/y?link=7",
        "https://other.example/x?link=7",
        "https://tool.example/x?link",
        "https://tool.example/x#link=7",
    ];
    refuses(claims::TARGET_LINK_URI, &elsewhere.map(Value::from), Reason::Target);
}

#[test]
fn a_request_for_deep_linking_need_name_no_target_and_no_roles() {
    let mut request = valid();
    request[claims::MESSAGE_TYPE] = json!("LtiDeepLinkingRequest");
    request[claims::DEEP_LINKING_SETTINGS] =
        json!({ "deep_link_return_url": "https://lms.example/dl", "accept_types": ["ltiResourceLink"] });
    for claim in [claims::TARGET_LINK_URI, claims::ROLES, claims::RESOURCE_LINK] {
        request.as_object_mut().unwrap().shift_remove(claim);
    }
    let launch = verify(&request).unwrap();
    assert!(launch.roles.is_empty() && launch.target_link_uri == "https://tool.example/x");
    let mut script = request.clone();
    script[claims::DEEP_LINKING_SETTINGS]["deep_link_return_url"] = json!("javascript:alert(1)");
    assert_eq!(verify(&script).unwrap_err().reason, Reason::DeepLinkingSettings);
    request[claims::TARGET_LINK_URI] = json!("https://other.example/");
    assert_eq!(verify(&request).unwrap_err().reason, Reason::Target);
    request[claims::TARGET_LINK_URI] = json!("https://tool.example/x");
    request[claims::ROLES] = json!("Instructor");
    assert_eq!(verify(&request).unwrap_err().reason, Reason::NoRoles);
}

#[test]
fn the_language_is_the_platforms_else_the_users() {
    assert_eq!(with("locale", json!("de-DE")).unwrap().locale.as_deref(), Some("de-DE"));
    let mut both = valid();
    both["locale"] = json!("de-DE");
    both[claims::LAUNCH_PRESENTATION] = json!({ "locale": "fr" });
    assert_eq!(verify(&both).unwrap().locale.as_deref(), Some("fr"));
}
