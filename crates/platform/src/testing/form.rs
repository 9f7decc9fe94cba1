//! Multipart forms as clients send them.

const BOUNDARY: &str = "between-the-parts";

/// A form that is being put together.
#[derive(Clone, Default)]
pub(crate) struct Form(Vec<u8>);

impl Form {
    pub(crate) const CONTENT_TYPE: &'static str = "multipart/form-data; boundary=between-the-parts";

    /// Fields that a JSON object has: texts as they are, everything else as JSON text.
    pub(crate) fn of(fields: &serde_json::Value) -> Self {
        let fields = fields.as_object().unwrap().iter();
        fields.fold(Self::default(), |form, (name, value)| match value.as_str() {
            Some(text) => form.field(name, text),
            None => form.field(name, value.to_string()),
        })
    }

    pub(crate) fn field(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.part(&format!("name=\"{name}\""), "", value.as_ref())
    }

    pub(crate) fn file(self, field: &str, name: &str, content_type: &str, bytes: impl AsRef<[u8]>) -> Self {
        let content_type = format!("Content-Type: {content_type}\r\n");
        self.part(&format!("name=\"{field}\"; filename=\"{name}\""), &content_type, bytes.as_ref())
    }

    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.0.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.0
    }

    fn part(mut self, disposition: &str, headers: &str, bytes: &[u8]) -> Self {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {disposition}\r\n{headers}\r\n");
        self.0.extend_from_slice(head.as_bytes());
        self.0.extend_from_slice(bytes);
        self.0.extend_from_slice(b"\r\n");
        self
    }
}
