//! One of everything that an operation's path can name, so that each operation can be called.

use serde_json::{Value, json};

use super::{App, Call, Tenant};

/// A page that can be imported.
const UPLOAD: &str = "<!doctype html><title>Cells</title><p>A cell is alive.</p>";

/// An organization with an admin, a webhook endpoint with a delivery that failed, an ended job and its resources.
pub(crate) struct Things {
    pub(crate) tenant: Tenant,
    pub(crate) cookie: String,
    /// What a path's parameters are.
    pub(crate) names: Vec<(&'static str, String)>,
    /// All scenes of the video.
    pub(crate) scenes: Vec<String>,
}

impl Things {
    /// Makes them; the admin's e-mail must be free.
    pub(crate) async fn of(app: &App, email: &str) -> Self {
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of(email, &[&tenant]).await;
        let webhook = json!({ "url": "https://lms.example.com/", "events": ["content.completed"] });
        let webhook = app.post(&tenant.path("webhooks")).cookie(&cookie).json(&webhook).send().await.expect(201);
        let test = tenant.path(&format!("webhooks/{}/test", webhook["id"].as_str().unwrap()));
        let sent = app.post(&test).cookie(&cookie).send().await.expect(202);
        let failed = "UPDATE delivery SET state = 'failed', attempts = 4, finished_at = created_at";
        app.write(move |tx| tx.execute(failed, &[])).await;
        let job = app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        let outputs = app.job(&tenant, &job).await["outputs"].take();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let courses = tenant.resources("courses");
        let course = app.post(&courses).key(&tenant.key).json(&json!({ "title": "Biology" })).send().await.expect(201);
        let slides = tenant.resources("slides");
        let slide = app.post(&slides).key(&tenant.key).json(&json!({ "title": "Cells" })).send().await.expect(200);
        let video = tenant.resources(&format!("videos/{}", outputs[1]["resourceId"].as_str().unwrap()));
        let video = app.get(&video).key(&tenant.key).send().await.expect(200);
        let scenes = video["scenes"].as_array().unwrap().iter().map(|scene| text(&scene["id"])).collect();
        let names = vec![
            ("organizationId", tenant.organization.to_string()),
            ("classroomId", tenant.classroom.to_string()),
            ("keyId", tenant.key_id.to_string()),
            ("webhookId", text(&webhook["id"])),
            ("eventId", text(&sent["eventId"])),
            ("jobId", job),
            ("moduleId", text(&outputs[0]["resourceId"])),
            ("courseId", text(&course["id"])),
            ("videoId", text(&video["id"])),
            ("sceneId", text(&video["scenes"][0]["id"])),
            ("slideId", text(&slide["id"])),
            ("testId", text(&outputs[2]["resourceId"])),
        ];
        Self { tenant, cookie, names, scenes }
    }

    /// The same, where the admin operates the service too: the session opens every operation.
    pub(crate) async fn of_operator(app: &App, email: &str) -> Self {
        let things = Self::of(app, email).await;
        let email = email.to_owned();
        app.write(move |tx| tx.execute("UPDATE admin_user SET is_operator = 1 WHERE email = $1", &[&email])).await;
        things
    }

    /// A call of an operation (`GET /path/{with}/names`) on these things, well-formed but without a credential.
    pub(crate) fn call<'a>(&self, app: &'a App, operation: &str) -> Call<'a> {
        let call = self.bare_call(app, operation);
        match self.body(operation) {
            Some(body) => call.json(&body),
            None if operation.ends_with("/imports") => call.raw("text/html", UPLOAD),
            None => call,
        }
    }

    /// The same call without its body.
    pub(crate) fn bare_call<'a>(&self, app: &'a App, operation: &str) -> Call<'a> {
        self.queried_call(app, operation, "")
    }

    /// The same with a query.
    pub(crate) fn queried_call<'a>(&self, app: &'a App, operation: &str, query: &str) -> Call<'a> {
        let (method, template) = operation.split_once(' ').unwrap();
        let mut path = template.to_owned();
        for (name, value) in &self.names {
            path = path.replace(&format!("{{{name}}}"), value);
        }
        assert!(!path.contains('{'), "{operation} names something that is not among the test's things");
        if !query.is_empty() {
            path = format!("{path}?{query}");
        }
        app.call(method.parse().unwrap(), &path)
    }

    /// Makes it look as if everything that can be generated had failed.
    pub(crate) async fn fail(&self, app: &App) {
        let statements = [
            "UPDATE expansion SET status = 'failed', error_code = 'model_refused', error_message = '',
                completed_at = updated_at",
            "UPDATE course SET status = 'failed', error_code = 'model_refused', error_message = ''",
            "UPDATE video SET status = 'failed', error_code = 'model_refused', error_message = ''",
            "UPDATE slide SET status = 'failed', error_code = 'model_refused', error_message = ''",
            "UPDATE test SET status = 'failed', error_code = 'model_refused', error_message = ''",
        ];
        app.write(move |tx| statements.iter().try_for_each(|sql| tx.execute(sql, &[]).map(drop))).await;
    }

    fn name(&self, name: &str) -> &str {
        &self.names.iter().find(|(known, _)| *known == name).unwrap().1
    }

    /// A JSON body that the operation accepts; `None` where it reads none.
    pub(crate) fn body(&self, operation: &str) -> Option<Value> {
        match operation {
            "POST /auth/login" => {
                Some(json!({ "email": "a@example.com", "password": "wrong", "timezone": "Europe/Berlin" }))
            }
            "POST /v1/content/organizations" => Some(json!({ "name": "Hill School" })),
            "PATCH /v1/content/organizations/{organizationId}" => Some(json!({ "name": "Hill Academy" })),
            "POST /v1/content/organizations/{organizationId}/classrooms" => {
                Some(json!({ "name": "Physics 8", "locale": "en" }))
            }
            "PATCH /v1/content/organizations/{organizationId}/classrooms/{classroomId}" => {
                Some(json!({ "name": "Physics 9" }))
            }
            "PATCH /v1/content/organizations/{organizationId}/page-grading" => Some(json!({ "openAnswersPerDay": 50 })),
            "POST /v1/content/organizations/{organizationId}/api-keys" => Some(json!({ "name": "another" })),
            "POST /v1/content/organizations/{organizationId}/webhooks" => {
                Some(json!({ "url": "https://lms.example.com/", "events": ["content.failed"] }))
            }
            "POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret" => {
                Some(json!({ "overlapSeconds": 60 }))
            }
            "POST /v1/content/integrations/expansions" => Some(self.tenant.source()),
            "POST /v1/content/classrooms/{classroomId}/integrations/exports" => {
                Some(json!({ "lessonId": self.name("moduleId") }))
            }
            "POST /v1/content/classrooms/{classroomId}/modules" => Some(json!({ "title": "The cell" })),
            "PATCH /v1/content/classrooms/{classroomId}/modules/{moduleId}" => Some(json!({ "title": "Cells" })),
            "POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course" => {
                Some(json!({ "courseId": self.name("courseId") }))
            }
            "POST /v1/content/classrooms/{classroomId}/courses" => Some(json!({ "title": "Biology 7" })),
            "PATCH /v1/content/classrooms/{classroomId}/courses/{courseId}" => Some(json!({ "level": null })),
            "POST /v1/content/classrooms/{classroomId}/videos" => Some(json!({ "title": "The cell" })),
            "PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}" => Some(json!({ "title": "Cells" })),
            "POST /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes" => Some(json!({ "script": "Alive." })),
            "PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}" => {
                Some(json!({ "duration": 4 }))
            }
            "PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/reorder" => {
                Some(json!({ "sceneIds": self.scenes }))
            }
            "POST /v1/content/classrooms/{classroomId}/slides" => Some(json!({ "title": "The cell" })),
            "PATCH /v1/content/classrooms/{classroomId}/slides/{slideId}" => Some(json!({ "title": "Cells" })),
            "POST /v1/content/classrooms/{classroomId}/tests" => Some(json!({ "topicPrompt": "Cells" })),
            "PATCH /v1/content/classrooms/{classroomId}/tests/{testId}" => Some(json!({ "timeLimit": 20 })),
            "POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/part-drafts" => {
                Some(json!({ "kind": "section", "place": 0 }))
            }
            "POST /v1/content/classrooms/{classroomId}/videos/{videoId}/part-drafts"
            | "POST /v1/content/classrooms/{classroomId}/slides/{slideId}/part-drafts"
            | "POST /v1/content/classrooms/{classroomId}/tests/{testId}/part-drafts" => Some(json!({ "place": 0 })),
            _ => None,
        }
    }
}
