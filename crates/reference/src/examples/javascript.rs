//! Requests as a module of JavaScript, for Node 20 and newer.

use serde_json::Value;

use super::{Answer, Body, Call, Credential, HeaderText, Part};

/// The module.
pub(super) fn write(call: &Call) -> String {
    let mut code = imports(call);
    if let Body::Form(parts) = &call.body {
        code.push_str(&form(parts));
    }
    code.push_str(&format!("const response = await fetch(`${{process.env.LECTERN}}{}`", template(&call.target)));
    let options = options(call);
    if options.is_empty() {
        code.push_str(");\n");
    } else {
        code.push_str(&format!(", {{\n{options}}});\n"));
    }
    code.push_str("if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);\n");
    code.push_str(&match &call.answer {
        Answer::Json => "console.log(await response.json());".to_owned(),
        Answer::Text => "console.log(await response.text());".to_owned(),
        Answer::Nothing => "console.log(response.status);".to_owned(),
        Answer::File(file) => format!("await writeFile({}, Buffer.from(await response.arrayBuffer()));", string(file)),
    });
    code
}

fn imports(call: &Call) -> String {
    let has_file =
        matches!(&call.body, Body::Form(parts) if parts.iter().any(|(_, part)| matches!(part, Part::File(_))));
    let mut names = Vec::new();
    if has_file || matches!(call.body, Body::File(..)) {
        names.push("import { openAsBlob } from \"node:fs\";\n");
    }
    if matches!(call.answer, Answer::File(_)) {
        names.push("import { writeFile } from \"node:fs/promises\";\n");
    }
    if names.is_empty() { String::new() } else { names.concat() + "\n" }
}

fn form(parts: &[(String, Part)]) -> String {
    let mut code = "const form = new FormData();\n".to_owned();
    for (name, part) in parts {
        code.push_str(&match part {
            Part::Text(text) => format!("form.append({}, {});\n", string(name), string(text)),
            Part::File(file) => {
                format!("form.append({}, await openAsBlob({}), {});\n", string(name), string(file), string(file))
            }
        });
    }
    code
}

fn options(call: &Call) -> String {
    let mut code = String::new();
    if call.method != "GET" {
        code.push_str(&format!("  method: {},\n", string(&call.method)));
    }
    let headers = headers(call);
    if !headers.is_empty() {
        code.push_str(&format!("  headers: {{\n{headers}  }},\n"));
    }
    match &call.body {
        Body::None => {}
        Body::Json(value) => code.push_str(&format!("  body: JSON.stringify({}),\n", indented(value))),
        Body::Form(_) => code.push_str("  body: form,\n"),
        Body::File(_, file) => code.push_str(&format!("  body: await openAsBlob({}),\n", string(file))),
    }
    code
}

fn headers(call: &Call) -> String {
    let mut code = String::new();
    match call.credential {
        Credential::None => {}
        Credential::Key(variable) => {
            code.push_str(&format!("    \"Authorization\": `Bearer ${{process.env.{variable}}}`,\n"));
        }
        Credential::Session => code.push_str("    \"Cookie\": `jwt=${process.env.SESSION}`,\n"),
    }
    match &call.body {
        Body::Json(_) => code.push_str("    \"Content-Type\": \"application/json\",\n"),
        Body::File(media_type, _) => code.push_str(&format!("    \"Content-Type\": {},\n", string(media_type))),
        _ => {}
    }
    for (name, value) in &call.headers {
        let value = match value {
            HeaderText::Fresh => "crypto.randomUUID()".to_owned(),
            HeaderText::Address => "`${process.env.LECTERN}/`".to_owned(),
            HeaderText::Text(text) => string(text),
        };
        code.push_str(&format!("    {}: {value},\n", string(name)));
    }
    code
}

/// JSON is JavaScript.
fn indented(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default().replace('\n', "\n  ")
}

fn string(text: &str) -> String {
    Value::from(text).to_string()
}

/// Text inside of a template literal. Targets are percent-encoded, so none of these stand in them by chance.
fn template(text: &str) -> String {
    text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${")
}
