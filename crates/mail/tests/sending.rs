//! Messages as a server and a folder get them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use mail::templates::Templates;
use mail::{MailError, MailOptions, Mailer, Message, Security, SmtpServer, Way};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

fn mailer(way: Way) -> Mailer {
    let ambient = Ambient::fixed(Timestamp::from_millis(1_800_000_000_000), 1).0;
    let from = "Lectern <lectern@school.example>".parse().unwrap();
    Mailer::open(MailOptions { from, way, templates: Templates::default() }, ambient).unwrap()
}

fn message() -> Message {
    Message {
        to: "jane@example.com".parse().unwrap(),
        subject: "Confirm your address".to_owned(),
        text: "Please follow the link.\n.\nBye".to_owned(),
        html: None,
    }
}

/// A server that takes one connection and answers a message's recipient with `verdict`; what it was told.
async fn server(verdict: &'static str) -> (u16, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let told = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let (read, mut write) = stream.into_split();
        let (mut lines, mut told, mut is_content) = (BufReader::new(read).lines(), String::new(), false);
        write.write_all(b"220 sink\r\n").await.unwrap();
        while let Ok(Some(line)) = lines.next_line().await {
            told.push_str(&line);
            told.push('\n');
            let command = line.get(..4).unwrap_or_default().to_ascii_uppercase();
            let answer = match command.as_str() {
                _ if is_content && line != "." => continue,
                _ if is_content => "250 taken",
                "EHLO" => "250 sink",
                "RCPT" => verdict,
                "DATA" => "354 go on",
                "QUIT" => "221 bye",
                _ => "250 fine",
            };
            is_content = answer.starts_with("354");
            write.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
            if command == "QUIT" || answer == "250 taken" {
                break;
            }
        }
        told
    });
    (port, told)
}

fn smtp(port: u16, security: Security) -> Mailer {
    mailer(Way::Smtp(SmtpServer {
        host: "127.0.0.1".to_owned(),
        port,
        security,
        credentials: None,
        extra_ca_pem: None,
    }))
}

#[tokio::test]
async fn a_server_gets_the_whole_message() {
    let (port, told) = server("250 fine").await;
    smtp(port, Security::WhereOffered).send(&message()).await.unwrap();
    let told = told.await.unwrap();
    assert!(
        told.contains("MAIL FROM:<lectern@school.example>") && told.contains("RCPT TO:<jane@example.com>"),
        "{told}"
    );
    assert!(told.contains("Please follow the link.\n..\nBye"), "a dot alone ends no message: {told}");
}

#[tokio::test]
async fn a_refusal_for_good_is_permanent_and_any_other_transient() {
    for (verdict, is_transient) in [("550 nobody", false), ("450 later", true), ("530 sign in first", true)] {
        let (port, _told) = server(verdict).await;
        let error = smtp(port, Security::WhereOffered).send(&message()).await.unwrap_err();
        assert_eq!(error.is_transient(), is_transient, "{verdict}: {error:?}");
    }
}

#[tokio::test]
async fn nothing_goes_to_a_server_that_does_not_encrypt_when_it_must() {
    let (port, told) = server("250 fine").await;
    let error = smtp(port, Security::StartTls).send(&message()).await.unwrap_err();
    assert!(!error.to_string().contains("jane"), "{error}");
    assert!(!told.await.unwrap().contains("MAIL"));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_transient() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let error = smtp(port, Security::WhereOffered).send(&message()).await.unwrap_err();
    assert!(matches!(error, MailError::Transient(_)), "{error:?}");
    assert!(smtp(port, Security::WhereOffered).check().await.is_err());
}

#[tokio::test]
async fn a_folder_gets_a_file() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data/mail");
    let mailer = mailer(Way::Folder(folder.clone()));
    mailer.check().await.unwrap();
    mailer.send(&message()).await.unwrap();
    let [file] = files_of(&folder).try_into().unwrap();
    assert_eq!(file.extension().unwrap(), "eml");
    let written = std::fs::read_to_string(file).unwrap();
    assert!(written.contains("Subject: Confirm your address\r\n") && written.contains("Please follow"), "{written}");
}

fn files_of(folder: &Path) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_password_stays_within_this_machine_or_is_encrypted() {
    assert_eq!(SmtpServer::usual_security("mail.example.com", true), Security::StartTls);
    assert_eq!(SmtpServer::usual_security("mail.example.com", false), Security::WhereOffered);
    assert_eq!(SmtpServer::usual_security("127.0.0.1", true), Security::Unencrypted);
}
