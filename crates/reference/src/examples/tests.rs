use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::document::Reference;

/// The documents that are reviewed, and that of sign-in.
fn references() -> Vec<Reference> {
    let read = |text: &str| serde_json::from_str(text).unwrap();
    vec![
        Reference::read(Surface::Content, read(include_str!("../../../../openapi/content.json"))),
        Reference::read(Surface::Platform, read(include_str!("../../../../openapi/platform.json"))),
        Reference::read(Surface::Identity, serde_json::to_value(identity::api::openapi()).unwrap()),
    ]
}

/// Every operation with its examples by language, and the call that they make.
fn all() -> Vec<(String, Call, BTreeMap<&'static str, String>)> {
    let mut all = Vec::new();
    for reference in references() {
        for operation in reference.operations().filter(|operation| !operation.is_event) {
            let examples = of(&reference.document, operation).map(|example| (example.language, example.code));
            all.push((operation.id.clone(), Call::of(&reference.document, operation), BTreeMap::from(examples)));
        }
    }
    assert!(all.len() > 120, "{}", all.len());
    all
}

/// The words of a command of a POSIX shell, as far as examples use quotes.
fn shell_words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\\') => match letters.next().expect("a letter follows the backslash") {
                '\n' => {}
                other => word.get_or_insert_default().push(other),
            },
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    assert_eq!(quote, None, "a quote is open: {command}");
    words.extend(word);
    words
}

#[test]
fn curl_sends_the_method_the_address_and_the_body_of_the_document() {
    for (id, call, examples) in all() {
        let words = shell_words(&examples["curl"]);
        assert_eq!(
            (words[0].as_str(), words[1].clone()),
            ("curl", if words[1] == "-X" { "-X".into() } else { format!("$LECTERN{}", call.target) }),
            "{id}"
        );
        let after = |flag: &str| words.iter().position(|word| word == flag).map(|place| words[place + 1].clone());
        assert!(words.contains(&format!("$LECTERN{}", call.target)), "{id}");
        let sends = ["-d", "--data-binary", "-F", "--form-string"].iter().any(|flag| after(flag).is_some());
        let method = after("-X").unwrap_or_else(|| if sends { "POST".to_owned() } else { "GET".to_owned() });
        assert_eq!(method, call.method, "{id}");
        if let Body::Json(body) = &call.body {
            assert_eq!(serde_json::from_str::<Value>(&after("-d").unwrap()).unwrap(), *body, "{id}");
        }
        assert!(!call.target.contains('{'), "{id}: {}", call.target);
    }
}

/// The code without its strings and comments, whose brackets must close in order.
fn assert_closed(code: &str, quotes: &[char], id: &str) {
    let (mut open, mut letters) = (Vec::new(), code.chars());
    while let Some(letter) = letters.next() {
        if quotes.contains(&letter) {
            loop {
                match letters.next().unwrap_or_else(|| panic!("{id}: a string is open: {code}")) {
                    '\\' => drop(letters.next()),
                    '\n' if letter != '`' => panic!("{id}: a string goes over a line: {code}"),
                    other if other == letter => break,
                    _ => {}
                }
            }
        }
        match letter {
            '(' | '[' | '{' => open.push(letter),
            ')' | ']' | '}' => {
                let expected = match letter {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                assert_eq!(open.pop(), Some(expected), "{id}: {code}");
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{id}: {code}");
}

#[test]
fn javascript_and_python_close_what_they_open_and_name_the_same_address() {
    for (id, call, examples) in all() {
        assert_closed(&examples["javascript"], &['"', '`'], &id);
        assert_closed(&examples["python"], &['"'], &id);
        assert!(examples["javascript"].contains(&format!("${{process.env.LECTERN}}{}`", call.target)), "{id}");
        let target = Value::from(call.target.as_str()).to_string();
        assert!(examples["python"].contains(&format!("os.environ[\"LECTERN\"] + {target},")), "{id}");
        for word in ["True", "False", "None"] {
            assert!(!examples["javascript"].contains(&format!(": {word},")), "{id}");
        }
        for word in ["true", "false", "null"] {
            assert!(!examples["python"].contains(&format!(": {word},")), "{id}");
        }
    }
}

#[test]
fn json_in_javascript_is_the_body_of_the_document() {
    for (id, call, examples) in all() {
        let Body::Json(body) = &call.body else { continue };
        let code = examples["javascript"].split_once("JSON.stringify(").unwrap().1;
        let text = code.rsplit_once("),\n});").unwrap().0;
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *body, "{id}");
    }
}

#[test]
fn writes_that_can_be_repeated_have_a_key_and_credentials_are_variables() {
    for (id, call, examples) in all() {
        let is_repeatable = call.headers.iter().any(|(name, _)| name == "Idempotency-Key");
        assert_eq!(is_repeatable, examples["curl"].contains("Idempotency-Key: $(uuidgen)"), "{id}");
        if let Credential::Key(variable) = call.credential {
            assert!(examples.values().all(|code| code.contains(variable)), "{id}");
        }
        assert!(examples.values().all(|code| !code.contains("svc_")), "{id}");
    }
}

#[test]
fn quotes_in_a_body_survive_every_language() {
    let document = json!({ "openapi": "3.1.0", "paths": { "/x/{name}": { "post": {
        "operationId": "x", "summary": "X", "security": [{ "contentKey": [] }],
        "parameters": [{ "name": "name", "in": "path", "required": true, "schema": { "type": "string" }, "example": "a b/${c}`'\"" }],
        "requestBody": { "content": { "application/json": { "example": { "text": "it's \"quoted\" `${x}` \\ end\n", "on": true, "none": null } } } },
        "responses": { "204": { "description": "Done" } },
    } } } });
    let reference = Reference::read(Surface::Content, document);
    let operation = reference.operations().next().unwrap();
    let call = Call::of(&reference.document, operation);
    let [curl, javascript, python] = of(&reference.document, operation).map(|example| example.code);
    let words = shell_words(&curl);
    let place = words.iter().position(|word| word == "-d").unwrap();
    assert_eq!(Body::Json(serde_json::from_str(&words[place + 1]).unwrap()), call.body);
    assert_closed(&javascript, &['"', '`'], "x");
    assert_closed(&python, &['"'], "x");
    assert!(python.contains("\"on\": True") && python.contains("\"none\": None"), "{python}");
    assert_eq!(call.target, "/x/a%20b%2F%24%7Bc%7D%60%27%22");
}
