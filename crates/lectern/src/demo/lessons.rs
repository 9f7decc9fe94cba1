//! A course that a teacher writes by hand: lessons with a formula, code, a picture, a table and links, and one from right to left.

use anyhow::{Context as _, ensure};
use http::StatusCode;
use serde_json::{Value, json};
use url::Url;

use super::excerpts::{count, text};
use super::tour::Tour;

/// The course, and what its first lesson has to show.
const LESSONS: &str = include_str!("../../assets/demo-lessons.json");
const SHOWN: [(&str, &str); 6] = [
    ("a table of contents", "<nav class=\"toc\""),
    ("a formula", "<math"),
    ("code", "<pre "),
    ("a table", "<table"),
    ("a picture’s description", "class=\"picture\""),
    ("an answer’s own button", "data-check"),
];

impl Tour<'_> {
    /// Makes the course, and opens its page and its lessons.
    pub(super) async fn write_lessons(&mut self) -> anyhow::Result<()> {
        self.page.step("Write a course by hand")?;
        let given: Value = serde_json::from_str(LESSONS).context("the sample lessons")?;
        let base = format!("/v1/content/classrooms/{}", self.classroom_id);
        let course = self.client.post(&format!("{base}/courses"), &given["course"]).await?.json(StatusCode::CREATED)?;
        let modules = given["modules"].as_array().context("the sample course has no lessons")?;
        let mut links = Vec::new();
        for module in modules {
            let module = self.client.post(&format!("{base}/modules"), module).await?.json(StatusCode::CREATED)?;
            let copy = format!("{base}/modules/{}/copy-to-course", text(&module, "id"));
            let into = json!({ "courseId": course["id"] });
            let copy = self.client.post(&copy, &into).await?.json(StatusCode::CREATED)?;
            links.push(text(&copy, "id").to_owned());
        }
        let lessons = count(links.len(), "lesson", "lessons");
        self.page.done(&format!("“{}”: {lessons}, one from right to left", text(&course, "title")))?;
        let page = Url::parse(text(&course, "previewUrl")).context("the course has no page")?;
        self.client.get(page.path()).await?.expect(StatusCode::OK)?;
        for (at, id) in links.iter().enumerate() {
            let reply = self.client.get(&format!("{}/{id}", page.path())).await?;
            reply.expect(StatusCode::OK)?;
            if at == 0 {
                let html = String::from_utf8_lossy(&reply.body);
                for (what, sign) in SHOWN {
                    ensure!(html.contains(sign), "the lesson does not show {what}");
                }
                let shown: Vec<&str> = SHOWN.iter().map(|(what, _)| *what).collect();
                self.page.remark(&format!("its first lesson shows {}", shown.join(", ")))?;
            }
        }
        Ok(self.page.shell(&format!("  {page}"))?)
    }
}
