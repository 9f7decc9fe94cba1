use super::*;

fn document() -> Value {
    json!({ "components": { "schemas": { "Kind": { "type": "string", "enum": ["a", "b"] } } } })
}

fn described() -> Value {
    json!({ "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string", "minLength": 1, "maxLength": 5 },
        "kind": { "oneOf": [{ "$ref": "#/components/schemas/Kind" }, { "type": "null" }] },
        "count": { "type": ["integer", "null"], "minimum": 1, "maximum": 9 },
        "parts": { "type": "array", "maxItems": 2, "items": {
            "type": "object", "properties": { "share": { "type": "number", "exclusiveMinimum": 0, "maximum": 1 } },
        } },
    } })
}

fn bodies(path: &str, expected: Expected) -> Vec<String> {
    let cases = body_cases(&document(), &described(), &json!({ "name": "x" }));
    let kept = cases.into_iter().filter(|case| case.path == path && case.expected == expected);
    kept.map(|case| case.request.to_string()).collect()
}

#[test]
fn every_rule_gets_a_body_that_keeps_it_and_one_that_breaks_it() {
    assert_eq!(bodies("name", Expected::Allowed), [r#"{"name":"aaaaa"}"#, r#"{"name":"a"}"#]);
    let refused = bodies("name", Expected::Refused);
    assert_eq!(refused, [r"{}", r#"{"name":null}"#, r#"{"name":7}"#, r#"{"name":"aaaaaa"}"#, r#"{"name":""}"#]);
    let kinds = bodies("kind", Expected::Allowed);
    assert_eq!(kinds, [r#"{"name":"x","kind":null}"#, r#"{"name":"x","kind":"a"}"#, r#"{"name":"x","kind":"b"}"#]);
    assert!(bodies("kind", Expected::Refused).contains(&r#"{"name":"x","kind":"no-such-word"}"#.to_owned()));
    let counts = bodies("count", Expected::Allowed);
    assert_eq!(counts, [r#"{"name":"x","count":null}"#, r#"{"name":"x","count":1}"#, r#"{"name":"x","count":9}"#]);
    let wrong = bodies("count", Expected::Refused);
    assert!(["0", "10", "1.5"].iter().all(|n| wrong.contains(&format!(r#"{{"name":"x","count":{n}}}"#))), "{wrong:?}");
}

#[test]
fn parts_of_lists_are_walked_too() {
    let shares = bodies("parts[0].share", Expected::Refused);
    assert!(shares.contains(&r#"{"name":"x","parts":[{"share":0.0}]}"#.to_owned()), "{shares:?}");
    assert_eq!(bodies("parts", Expected::Allowed).len(), 1);
    assert!(bodies("parts", Expected::Refused).contains(&r#"{"name":"x","parts":null}"#.to_owned()));
}

#[test]
fn what_has_no_limit_is_named() {
    let open = json!({ "type": "object", "properties": {
        "text": { "type": "string" }, "list": { "type": "array", "items": { "type": "integer" } }, "any": { "type": "object" },
    } });
    let found = unlimited(&document(), &open);
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(unlimited(&document(), &described()), Vec::<String>::new());
}

#[test]
fn queries_keep_what_is_required_beside_what_they_try() {
    let operation = json!({ "parameters": [
        { "name": "id", "in": "query", "required": true, "schema": { "type": "string", "format": "uuid" }, "example": "7" },
        { "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1 } },
    ] });
    let cases = query_cases(&document(), &operation);
    let queries: Vec<&str> = cases.iter().map(|case| case.request.as_str()).collect();
    assert!(
        queries.contains(&"") && queries.contains(&"id=7&limit=1") && queries.contains(&"id=7&limit=0"),
        "{queries:?}"
    );
}

#[test]
fn a_long_address_is_one() {
    for length in [30, 100, 254, 320] {
        let text = filler(&json!({ "format": "email" }), length);
        assert_eq!(text.len() as u64, length, "{text}");
        let (local, domain) = text.split_once('@').unwrap();
        assert!(local.len() <= 64 && domain.split('.').all(|label| (1..=63).contains(&label.len())), "{text}");
    }
}
