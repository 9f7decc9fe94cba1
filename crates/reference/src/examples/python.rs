//! Requests as a script of Python 3, with the package `requests`.

use serde_json::Value;

use super::{Answer, Body, Call, Credential, HeaderText, Part};

/// The script.
pub(super) fn write(call: &Call) -> String {
    let has_fresh = call.headers.iter().any(|(_, value)| *value == HeaderText::Fresh);
    let mut code = format!("import os\n{}\nimport requests\n\n", if has_fresh { "import uuid\n" } else { "" });
    code.push_str(&format!("response = requests.{}(\n", call.method.to_ascii_lowercase()));
    code.push_str(&format!("    os.environ[\"LECTERN\"] + {},\n", string(&call.target)));
    code.push_str(&arguments(call));
    code.push_str("    timeout=60,\n)\nresponse.raise_for_status()\n");
    code.push_str(&match &call.answer {
        Answer::Json => "print(response.json())".to_owned(),
        Answer::Text => "print(response.text)".to_owned(),
        Answer::Nothing => "print(response.status_code)".to_owned(),
        Answer::File(file) => format!("with open({}, \"wb\") as file:\n    file.write(response.content)", string(file)),
    });
    code
}

fn arguments(call: &Call) -> String {
    let mut code = String::new();
    let headers = headers(call);
    if !headers.is_empty() {
        code.push_str(&format!("    headers={{\n{headers}    }},\n"));
    }
    if call.credential == Credential::Session {
        code.push_str("    cookies={\"jwt\": os.environ[\"SESSION\"]},\n");
    }
    match &call.body {
        Body::None => {}
        Body::Json(value) => code.push_str(&format!("    json={},\n", literal(value, 4))),
        Body::Form(parts) => code.push_str(&form(parts)),
        Body::File(_, file) => code.push_str(&format!("    data=open({}, \"rb\"),\n", string(file))),
    }
    code
}

fn headers(call: &Call) -> String {
    let mut code = String::new();
    if let Credential::Key(variable) = call.credential {
        code.push_str(&format!("        \"Authorization\": \"Bearer \" + os.environ[{}],\n", string(variable)));
    }
    if let Body::File(media_type, _) = &call.body {
        code.push_str(&format!("        \"Content-Type\": {},\n", string(media_type)));
    }
    for (name, value) in &call.headers {
        let value = match value {
            HeaderText::Fresh => "str(uuid.uuid4())".to_owned(),
            HeaderText::Address => "os.environ[\"LECTERN\"] + \"/\"".to_owned(),
            HeaderText::Text(text) => string(text),
        };
        code.push_str(&format!("        {}: {value},\n", string(name)));
    }
    code
}

fn form(parts: &[(String, Part)]) -> String {
    let mut code = "    files=[\n".to_owned();
    for (name, part) in parts {
        code.push_str(&match part {
            // A part without a file's name is a field.
            Part::Text(text) => format!("        ({}, (None, {})),\n", string(name), string(text)),
            Part::File(file) => format!("        ({}, open({}, \"rb\")),\n", string(name), string(file)),
        });
    }
    code + "    ],\n"
}

/// A value as Python writes it.
fn literal(value: &Value, indent: usize) -> String {
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 4));
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => string(text),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Array(items) => {
            let items = items.iter().map(|item| format!("{inner}{},\n", literal(item, indent + 4)));
            format!("[\n{}{outer}]", items.collect::<String>())
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{inner}{}: {},\n", string(name), literal(value, indent + 4)));
            format!("{{\n{}{outer}}}", members.collect::<String>())
        }
    }
}

/// A string of JSON is one of Python.
fn string(text: &str) -> String {
    Value::from(text).to_string()
}
