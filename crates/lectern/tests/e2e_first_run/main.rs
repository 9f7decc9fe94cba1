//! The first run in a real browser: from an empty installation to the first graded answer.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the other tests need all of it")]
#[path = "../e2e_service/client.rs"]
mod client;
#[expect(dead_code, reason = "the other tests need all of it")]
#[path = "../e2e_service/process.rs"]
mod process;

use std::io::BufRead;
use std::process::Stdio;
use std::time::Duration;

use testkit::{TestStore, both_stores};
use testkit_browser::*;
use tokio::time::Instant;

use process::Installation;

/// How long an operator is promised to take at most.
const PROMISE: Duration = Duration::from_secs(180);
/// Longer than a page takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An installation without accounts in a browser.
struct Operator {
    driver: WebDriver,
    base: String,
}

impl Operator {
    async fn open(&self, path: &str) -> String {
        self.driver.goto(format!("{}{path}", self.base)).await.unwrap();
        self.path().await
    }

    async fn path(&self) -> String {
        self.driver.current_url().await.unwrap().path().to_owned()
    }

    async fn find(&self, selector: &str) -> WebElement {
        let query = self.driver.query(By::Css(selector)).wait(PATIENCE, Duration::from_millis(50));
        query.first().await.unwrap_or_else(|_| panic!("there is no {selector}"))
    }

    async fn fill(&self, name: &str, text: &str) {
        let field = self.find(&format!("[name={name}]")).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    async fn press(&self, selector: &str) {
        self.find(selector).await.click().await.unwrap();
    }

    async fn texts(&self, selector: &str) -> Vec<String> {
        self.find(selector).await;
        let mut texts = Vec::new();
        for element in self.driver.find_all(By::Css(selector)).await.unwrap() {
            texts.push(element.text().await.unwrap());
        }
        texts
    }
}

/// The setup code in what the server tells its operator.
async fn heard(mut stdout: impl BufRead + Send + 'static) -> String {
    let read = move || {
        let mut line = String::new();
        while !line.contains("setup code") {
            line.clear();
            assert!(stdout.read_line(&mut line).unwrap() > 0, "the server told no setup code");
        }
        line.trim().rsplit(' ').next().unwrap().to_owned()
    };
    tokio::task::spawn_blocking(read).await.unwrap()
}

#[both_stores]
async fn an_operator_comes_from_the_empty_installation_to_a_graded_answer(test: TestStore) {
    let installation = Installation::empty(&test, Vec::new());
    let child = installation.command(&["serve"]).stdout(Stdio::piped()).spawn().unwrap();
    let (server, stdout) = installation.ready(child).await;
    let code = heard(stdout).await;
    assert_eq!(String::from_utf8(installation.run(&["setup-code"])).unwrap().trim(), code);
    let base = format!("http://{}", server.client.address);
    let outcome = open_driver().await.run_and_quit(async |driver| {
        let operator = Operator { driver, base };
        let begin = Instant::now();
        set_up(&operator, &code).await;
        take_the_steps(&operator).await;
        assert!(begin.elapsed() < PROMISE, "{:?}", begin.elapsed());
        nobody_sets_up_again(&operator).await;
        Ok::<_, WebDriverError>(())
    });
    outcome.await.unwrap();
    let refused = installation.command(&["setup-code"]).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("somebody has an account already"), "{refused:?}");
}

async fn set_up(operator: &Operator, code: &str) {
    assert_eq!(operator.open("/").await, "/console/setup");
    for (name, text) in [
        ("code", "3f9a2-00000-00000-00000"),
        ("email", "admin@example.com"),
        ("password", "correct horse battery staple"),
        ("organization", "Riverside School"),
        ("classroom", "Biology 7b"),
    ] {
        operator.fill(name, text).await;
    }
    operator.press("main button[type=submit]").await;
    assert_eq!(operator.texts("#h-code .field-error").await.len(), 1, "a wrong code is refused");
    operator.fill("code", code).await;
    operator.fill("password", "correct horse battery staple").await;
    operator.press("main button[type=submit]").await;
    let keys = operator.texts(".reveal pre").await;
    assert!(keys[0].starts_with("svc_content_") && keys[1].starts_with("svc_platform_"), "{keys:?}");
    operator.press("main a.primary").await;
    assert_eq!(operator.texts("h1").await, ["Get started"]);
}

async fn take_the_steps(operator: &Operator) {
    assert_eq!(operator.texts(".guide > .is-done").await.len(), 1);
    operator.press("form[action$='/start/expansion'] button").await;
    // The page follows the job by itself.
    operator.find(".guide > .is-done:nth-child(2)").await;
    operator.press("form[action$='/start/answer'] button").await;
    operator.find(".guide > .is-done:nth-child(3) .score").await;
    operator.open("/console").await;
    assert!(operator.driver.find(By::Id("start")).await.is_err(), "the overview leads on no more");
}

async fn nobody_sets_up_again(operator: &Operator) {
    assert_eq!(operator.open("/console/setup").await, "/console", "who is signed in goes to the console");
    operator.open("/").await;
    assert_eq!(operator.texts("main a.primary").await, ["Open your console"]);
    operator.driver.delete_all_cookies().await.unwrap();
    assert_eq!(operator.open("/console/setup").await, "/console/sign-in");
    operator.open("/").await;
    assert_eq!(operator.texts("main a.primary").await, ["Sign in to the console"]);
}
