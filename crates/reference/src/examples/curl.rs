//! Requests as commands of a POSIX shell.

use super::{Answer, Body, Call, Credential, HeaderText, Part};

/// The command.
pub(super) fn write(call: &Call) -> String {
    let mut lines = vec![format!("curl{} \"$LECTERN{}\"", method(call), call.target)];
    match call.credential {
        Credential::None => {}
        Credential::Key(variable) => lines.push(format!("-H \"Authorization: Bearer ${variable}\"")),
        Credential::Session => lines.push("-b \"jwt=$SESSION\"".to_owned()),
    }
    for (name, value) in &call.headers {
        lines.push(match value {
            HeaderText::Fresh => format!("-H \"{name}: $(uuidgen)\""),
            HeaderText::Address => format!("-H \"{name}: $LECTERN/\""),
            HeaderText::Text(text) => format!("-H {}", quote(&format!("{name}: {text}"))),
        });
    }
    match &call.body {
        Body::None => {}
        Body::Json(value) => {
            lines.push("-H \"Content-Type: application/json\"".to_owned());
            lines.push(format!("-d {}", quote(&serde_json::to_string_pretty(value).unwrap_or_default())));
        }
        Body::Form(parts) => lines.extend(parts.iter().map(|(name, part)| match part {
            Part::Text(text) => format!("--form-string {}", quote(&format!("{name}={text}"))),
            Part::File(file) => format!("-F {}", quote(&format!("{name}=@{file}"))),
        })),
        Body::File(media_type, file) => {
            lines.push(format!("-H {}", quote(&format!("Content-Type: {media_type}"))));
            lines.push(format!("--data-binary {}", quote(&format!("@{file}"))));
        }
    }
    if let Answer::File(file) = &call.answer {
        lines.push(format!("-o {file}"));
    }
    lines.join(" \\\n  ")
}

fn method(call: &Call) -> String {
    // A body makes a POST of it anyway.
    let is_implied = call.method == "GET" || call.method == "POST" && call.body != Body::None;
    if is_implied { String::new() } else { format!(" -X {}", call.method) }
}

/// A word of the shell that stands for itself.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
