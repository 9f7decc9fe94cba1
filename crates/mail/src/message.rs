//! What is sent.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kernel::ambient::Ambient;
use lettre::message::header::{ContentTransferEncoding, ContentType};
use lettre::message::{Body, MessageBuilder, MultiPart, SinglePart};
use uuid::Uuid;

use crate::address::Address;
use crate::error::MailError;

/// The longest line that needs no encoding, in bytes (RFC 5322, section 2.1.1).
const LONGEST_LINE: usize = 998;

/// A text to one address, perhaps with the same as HTML.
#[derive(Clone, Debug)]
pub struct Message {
    /// Who gets it.
    pub to: Address,
    /// What it is about. Line ends in it become spaces.
    pub subject: String,
    /// What it says.
    pub text: String,
    /// The same as a page, for programs that show pages.
    pub html: Option<String>,
}

impl Message {
    /// The message as it goes out, with a date and an id of its own.
    pub(crate) fn written(&self, from: &Address, ambient: &Ambient) -> Result<lettre::Message, MailError> {
        let millis = u64::try_from(ambient.now().as_millis()).unwrap_or(0);
        let date: SystemTime = UNIX_EPOCH + Duration::from_millis(millis);
        let id = format!("<{}@{}>", Uuid::from_bytes(ambient.random()), from.0.email.domain());
        let message = MessageBuilder::new()
            .from(from.0.clone())
            .to(self.to.0.clone())
            .subject(without_controls(&self.subject))
            .date(date)
            .message_id(Some(id));
        let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(body(&self.text));
        let message = match &self.html {
            None => message.singlepart(text),
            Some(html) => {
                let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(body(html));
                let parts = MultiPart::alternative().boundary(Uuid::from_bytes(ambient.random()).simple().to_string());
                message.multipart(parts.singlepart(text).singlepart(html))
            }
        };
        message.map_err(|error| MailError::Permanent(Box::new(error)))
    }
}

fn without_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// As it is where it can be: an operator without a mail server copies links out of the files.
fn body(text: &str) -> Body {
    let text = text.lines().map(without_controls).collect::<Vec<_>>().join("\r\n");
    if text.is_ascii() && text.lines().all(|line| line.len() <= LONGEST_LINE) {
        return Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit);
    }
    Body::new(text)
}

#[cfg(test)]
mod tests {
    use kernel::time::Timestamp;
    use proptest::prelude::*;

    use super::*;

    fn written(subject: &str, text: &str) -> String {
        written_with(subject, text, None)
    }

    fn written_with(subject: &str, text: &str, html: Option<&str>) -> String {
        let ambient = Ambient::fixed(Timestamp::from_millis(1_800_000_000_000), 1).0;
        let to = "Jane <jane@example.com>".parse().unwrap();
        let message = Message { to, subject: subject.to_owned(), text: text.to_owned(), html: html.map(str::to_owned) };
        let from = "Lectern <lectern@school.example>".parse().unwrap();
        String::from_utf8(message.written(&from, &ambient).unwrap().formatted()).unwrap()
    }

    #[test]
    fn a_message_has_its_date_and_an_id_of_the_senders_domain() {
        let written = written("Confirm your address", "Hello");
        assert!(written.contains("Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n"), "{written}");
        assert!(
            written.contains("To: Jane <jane@example.com>\r\n") && written.contains("@school.example>\r\n"),
            "{written}"
        );
        assert_eq!(written.matches("Message-ID: ").count(), 1);
        assert!(written.ends_with("\r\n\r\nHello\r\n"), "{written}");
    }

    #[test]
    fn a_long_link_stays_whole_and_what_is_not_ascii_is_encoded() {
        let link = format!("https://lectern.example/?token={}", "x".repeat(300));
        assert!(written("s", &format!("Open\n{link}\nsoon")).ends_with(&format!("\r\n\r\nOpen\r\n{link}\r\nsoon\r\n")));
        assert!(written("s", "a\rb\tc\0").ends_with("\r\n\r\na b c \r\n"));
        for encoded in ["Größe", &"x".repeat(LONGEST_LINE + 1)] {
            let written = written("s", encoded);
            assert!(!written.contains(encoded) && written.is_ascii(), "{written}");
        }
    }

    #[test]
    fn a_message_with_a_page_has_both_the_text_first() {
        let written = written_with("s", "Hello", Some("<p>Größe</p>"));
        assert!(written.contains("Content-Type: multipart/alternative;"), "{written}");
        let (text, page) = written.split_once("Content-Type: text/html; charset=utf-8").unwrap();
        assert!(text.contains("Content-Type: text/plain; charset=utf-8") && text.contains("\r\n\r\nHello\r\n"));
        assert!(page.is_ascii() && page.trim_end().ends_with("--"), "{page}");
    }

    proptest! {
        #[test]
        fn no_subject_and_no_text_writes_a_header(subject in "[a-zé\\r\\n: ]{0,20}(\\r?\\nBcc: x@example.com)?[\\r\\n]{0,4}", text in "[a-z.\\r\\n: ]{0,40}") {
            let written = written(&subject, &text);
            let (headers, _) = written.split_once("\r\n\r\n").unwrap();
            let names = headers.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
            let names: Vec<_> = names.filter_map(|line| Some(line.split_once(':')?.0)).collect();
            prop_assert_eq!(names.len(), headers.split("\r\n").filter(|line| !line.starts_with([' ', '\t'])).count());
            prop_assert!(!names.contains(&"Bcc"), "{}", headers);
        }
    }
}
