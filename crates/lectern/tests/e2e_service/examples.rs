//! The webhook receivers of `examples/webhooks`, as a reader of the README starts them.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use http::Method;
use hyper::body::Bytes;
use kernel::ambient::Ambient;
use kernel::secret::{ExposeSecret as _, SecretString};
use net::signing::EndpointSecret;

use super::client::Client;

const BODY: &str = r#"{"event":"evaluation.completed","text":"für Ärzte"}"#;

/// A receiver that is running. It is killed when it is dropped.
struct Receiver {
    child: Child,
    /// Open, so that it can go on printing.
    _output: BufReader<ChildStdout>,
    client: Client,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Receiver {
    fn start(interpreter: &str, script: &str, secret: &EndpointSecret) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/webhooks");
        let mut command = Command::new(interpreter);
        command.arg(folder.join(script)).arg("0").env("WEBHOOK_SECRET", secret.text().expose_secret());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap_or_else(|error| panic!("{interpreter}: {error}"));
        let (mut line, mut output) = (String::new(), BufReader::new(child.stdout.take().unwrap()));
        output.read_line(&mut line).unwrap();
        let address = line.trim().rsplit("//").next().unwrap();
        let address: SocketAddr = address.parse().unwrap_or_else(|_| panic!("{script} said {line:?}"));
        Self { child, _output: output, client: Client { address, key: String::new(), cookie: String::new() } }
    }

    /// The status of a delivery with these signatures; the standard one is left out where it is empty.
    async fn deliver(&self, header: &str, hex: &str, timestamp: i64, standard: &str) -> u16 {
        let timestamp = timestamp.to_string();
        let mut headers = vec![(header, hex), ("webhook-id", "one"), ("webhook-timestamp", timestamp.as_str())];
        if !standard.is_empty() {
            headers.push(("webhook-signature", standard));
        }
        self.client
            .send(Method::POST, "/", &headers, Bytes::from_static(BODY.as_bytes()))
            .await
            .unwrap()
            .status
            .as_u16()
    }
}

#[tokio::test]
async fn the_example_receivers_take_secrets_of_any_form() {
    let now = Ambient::system().now().as_seconds();
    for text in ["my secret", "whsec_my-secret", "whsec_", "whsec_c2VjcmV0", "whsec_c2VjcmV0cw", "c2VjcmV0"] {
        let secret = EndpointSecret::new(SecretString::from(text));
        let (hex, standard) =
            (secret.hex_signature(BODY.as_bytes()), secret.standard_signature("one", now, BODY.as_bytes()));
        for (interpreter, script) in [("python3", "receiver.py"), ("node", "receiver.mjs")] {
            let receiver = Receiver::start(interpreter, script, &secret);
            let genuine = receiver.deliver("x-platform-signature", &hex, now, &standard).await;
            assert_eq!(genuine, 200, "{script}, {text}");
            let plain = receiver.deliver("x-platform-signature", &hex, now, "").await;
            assert_eq!(plain, 200, "{script}, {text}");
        }
    }
}

#[tokio::test]
async fn the_example_receivers_accept_what_is_signed_and_nothing_else() {
    let ambient = Ambient::system();
    let secret = EndpointSecret::generate(&ambient);
    let other = EndpointSecret::generate(&ambient);
    let now = ambient.now().as_seconds();
    let hex = secret.hex_signature(BODY.as_bytes());
    let standard = |secret: &EndpointSecret, timestamp| secret.standard_signature("one", timestamp, BODY.as_bytes());
    for (interpreter, script) in [("python3", "receiver.py"), ("node", "receiver.mjs")] {
        let receiver = Receiver::start(interpreter, script, &secret);
        for header in ["x-platform-signature", "x-content-integration-signature"] {
            let genuine = receiver.deliver(header, &hex, now, &standard(&secret, now)).await;
            assert_eq!(genuine, 200, "{script}, {header}");
            let rotated = format!("{} {}", standard(&other, now), standard(&secret, now));
            assert_eq!(receiver.deliver(header, &hex, now, &rotated).await, 200, "{script}, two signatures");
            for (timestamp, standard) in [
                (now, standard(&other, now)),
                (now + 1, standard(&secret, now)),
                (now - 3600, standard(&secret, now - 3600)),
                (now, "v1,".to_owned()),
            ] {
                let refused = receiver.deliver(header, &hex, timestamp, &standard).await;
                assert_eq!(refused, 401, "{script}: {header}, {timestamp} {standard}");
            }
            let without_standard = async |hex: &str| receiver.deliver(header, hex, now, "").await;
            assert_eq!(without_standard(&hex).await, 200, "{script}: {header} alone");
            for hex in [other.hex_signature(BODY.as_bytes()).as_str(), "", &hex[..10]] {
                assert_eq!(without_standard(hex).await, 401, "{script}: {header} {hex}");
            }
        }
    }
}
