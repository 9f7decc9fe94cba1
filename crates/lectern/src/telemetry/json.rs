//! One JSON object a line, written straight into the line: the access log is the most frequent thing that
//! the service does besides its work, and building values first costs several times as much.
//!
//! `timestamp`, `level`, then the event's own fields in their order (`message` among them), then `target`.
//! The program opens no spans, so none are written.

use std::error::Error;
use std::fmt::{self, Write as _};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// The format of log lines for machines.
pub(super) struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let metadata = event.metadata();
        line.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut line)?;
        line.write_str("\",\"level\":\"")?;
        line.write_str(metadata.level().as_str())?;
        line.write_char('"')?;
        let mut fields = Fields { line: line.by_ref(), result: Ok(()) };
        event.record(&mut fields);
        fields.result?;
        line.write_str(",\"target\":\"")?;
        Escaped(&mut line).write_str(metadata.target())?;
        line.write_str("\"}\n")
    }
}

struct Fields<'a> {
    line: Writer<'a>,
    result: fmt::Result,
}

impl Fields<'_> {
    fn put(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        if self.result.is_err() {
            return;
        }
        let mut put = || {
            self.line.write_str(",\"")?;
            Escaped(&mut self.line).write_str(field.name())?;
            self.line.write_str("\":")
        };
        self.result = put().and_then(|()| value(&mut self.line));
    }

    fn put_text(&mut self, field: &Field, text: fmt::Arguments<'_>) {
        self.put(field, |line| {
            line.write_char('"')?;
            Escaped(line).write_fmt(text)?;
            line.write_char('"')
        });
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, |line| {
            line.write_char('"')?;
            Escaped(line).write_str(value)?;
            line.write_char('"')
        });
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, |line| write!(line, "{value}"));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, |line| write!(line, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, |line| line.write_str(if value { "true" } else { "false" }));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has neither infinities nor "not a number".
        self.put(field, |line| if value.is_finite() { write!(line, "{value}") } else { line.write_str("null") });
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        let mut text = value.to_string();
        let mut cause = value.source();
        while let Some(deeper) = cause {
            let _ = write!(text, ": {deeper}");
            cause = deeper.source();
        }
        self.record_str(field, &text);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put_text(field, format_args!("{value:?}"));
    }
}

/// Escapes what a JSON string can't hold as it is.
struct Escaped<'a, 'w>(&'a mut Writer<'w>);

impl fmt::Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let needs_escape = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        // Nearly always nothing does, and to learn that without a branch for each byte takes a few instructions.
        if !text.bytes().fold(false, |found, byte| found | needs_escape(byte)) {
            return self.0.write_str(text);
        }
        let mut rest = text;
        while let Some(at) = rest.bytes().position(needs_escape) {
            self.0.write_str(&rest[..at])?;
            match rest.as_bytes()[at] {
                b'"' => self.0.write_str("\\\"")?,
                b'\\' => self.0.write_str("\\\\")?,
                b'\n' => self.0.write_str("\\n")?,
                control => write!(self.0, "\\u{control:04x}")?,
            }
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use serde_json::Value;

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(log: impl FnOnce()) -> Value {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = tracing_subscriber::fmt().event_format(JsonLines).with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, log);
        let line = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert!(line.ends_with("}\n") && line.trim_end().lines().count() == 1, "{line}");
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn every_kind_of_field_is_valid_json() {
        let line = logged(|| {
            tracing::warn!(
                text = "a \"b\" \\ \n\r\t\u{1}\u{7f} é",
                number = -5_i64,
                count = u64::MAX,
                ratio = 0.5,
                nothing = f64::NAN,
                flag = true,
                shown = %"x\"y",
                debugged = ?Some("z"),
                "told {}", "\"quoted\""
            );
        });
        assert_eq!(line["text"], "a \"b\" \\ \n\r\t\u{1}\u{7f} é");
        assert_eq!((&line["number"], &line["count"]), (&Value::from(-5), &Value::from(u64::MAX)));
        assert_eq!((&line["ratio"], &line["nothing"]), (&Value::from(0.5), &Value::Null));
        assert_eq!((&line["flag"], &line["shown"]), (&Value::from(true), &Value::from("x\"y")));
        assert_eq!(line["debugged"], "Some(\"z\")");
        assert_eq!((&line["message"], &line["level"]), (&Value::from("told \"quoted\""), &Value::from("WARN")));
        assert_eq!(line["target"], module_path!());
        assert!(kernel::time::Timestamp::parse_rfc3339(line["timestamp"].as_str().unwrap()).is_some());
    }

    #[test]
    fn an_error_is_told_with_its_causes() {
        let error = anyhow::anyhow!("inner").context("outer").into_boxed_dyn_error();
        let line = logged(|| tracing::error!(error = &*error as &(dyn Error + 'static), "failed"));
        assert_eq!(line["error"], "outer: inner");
    }
}
