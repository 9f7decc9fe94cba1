//! People grade: an answer that the grader leaves to a person, and a question that is taught by five reviews and graded again.
//!
//! [`ANSWERS`] says what a teacher would give each answer. She grades five of them; the tour fails unless grading the others again
//! brings them nearer to her points.

use anyhow::{Context as _, ensure};
use http::StatusCode;
use kernel::id::EventId;
use serde_json::{Value, json};

use super::excerpts::{count, text};
use super::grading::{EVALUATIONS, WORKSPACES};
use super::lms::TEACHER;
use super::receiver::Delivery;
use super::tour::Tour;

const QUESTIONS: &str = "/v1/platform/questions";
const LEARNERS: &str = "/v1/platform/learners";
const REVIEWS: usize = 5;
/// Who answers in words of their own.
const LONER: &str = "Jo";
/// What the teacher gives that answer.
const PERSONS_POINTS: u32 = 8;

const QUESTION: &str = "Why is it warmer in summer than in winter?";
const REFERENCE: &str = "The Earth's axis is tilted. In summer our half of the Earth leans towards the Sun, so sunlight falls more \
                         steeply and the days are longer.";

/// An answer to [`QUESTION`].
struct TaughtAnswer {
    learner: &'static str,
    text: &'static str,
    /// The teacher's points of ten.
    points: u32,
}

/// A common misconception has more of the reference's words than good answers in words of their own have.
const ANSWERS: [TaughtAnswer; 9] = [
    TaughtAnswer {
        learner: "Ada",
        text: "The tilt of the Earth makes sunlight fall more steeply in summer, and days are longer.",
        points: 10,
    },
    TaughtAnswer {
        learner: "Bo",
        text: "The Earth is nearer to the Sun in summer and further from it in winter.",
        points: 1,
    },
    TaughtAnswer {
        learner: "Cem",
        text: "Our half leans towards the Sun in summer, so we get more direct light.",
        points: 8,
    },
    TaughtAnswer { learner: "Dia", text: "Because the days are longer in summer.", points: 4 },
    TaughtAnswer {
        learner: "Eli",
        text: "In summer the Earth comes closer to the Sun, so we get more heat.",
        points: 1,
    },
    TaughtAnswer {
        learner: "Fay",
        text: "In summer our half is tilted towards the Sun and gets more direct light.",
        points: 8,
    },
    TaughtAnswer {
        learner: "Gus",
        text: "The Sun stands higher, so its light falls more directly on our half, and days are longer.",
        points: 9,
    },
    TaughtAnswer {
        learner: "Hoa",
        text: "The Earth comes closer to the Sun in summer, that is why it is warmer.",
        points: 1,
    },
    TaughtAnswer { learner: "Ivo", text: "In summer the Sun is nearer to the Earth than in winter.", points: 1 },
];

/// A sent answer.
struct SentAnswer {
    answer: &'static TaughtAnswer,
    id: String,
}

impl Tour<'_> {
    /// Leaves an answer to a person, teaches a question and grades its other answers again.
    pub(super) async fn review(&mut self) -> anyhow::Result<()> {
        self.erase_learners().await?;
        self.leave_to_a_person().await?;
        let (question, sent) = self.send_answers().await?;
        let reviewed = self.review_five(&question, &sent).await?;
        let others: Vec<&SentAnswer> = sent.iter().filter(|one| !reviewed.contains(&one.id)).collect();
        self.grade_again(&question, &others).await
    }

    /// Erases the learners of an earlier tour, whose reviewed answers would teach this one.
    async fn erase_learners(&self) -> anyhow::Result<()> {
        for learner in ANSWERS.iter().map(|answer| answer.learner).chain([LONER]) {
            let reply = self.platform.delete(&format!("{LEARNERS}/{}", learner_id(learner))).await?;
            reply.expect(StatusCode::NO_CONTENT)?;
        }
        Ok(())
    }

    async fn leave_to_a_person(&mut self) -> anyhow::Result<()> {
        self.page.step("Leave an answer to a person")?;
        let request = json!({
            "evaluationType": "open_ended",
            "questionText": "What happens to the water of a puddle on a sunny day?",
            "learnerAnswer": "It dries up because tiny bits of it get hot, fly off and mix with what we breathe.",
            "referenceAnswer": "The Sun heats the water, and it evaporates: it becomes water vapour in the air.",
            "submitter": { "learnerId": learner_id(LONER), "learnerName": LONER },
            "tier": "fast",
        });
        let evaluation = self.platform.post(EVALUATIONS, &request).await?.json(StatusCode::CREATED)?;
        let reasons = &evaluation["reviewReasons"];
        ensure!(evaluation["needsReview"] == true, "an answer in words of its own needs no review");
        ensure!(reasons.as_array().is_some_and(|reasons| !reasons.is_empty()), "nothing says why it needs a review");
        self.page.excerpt("question:", text(&request, "questionText"))?;
        self.page.excerpt("  answer:", text(&request, "learnerAnswer"))?;
        self.page.excerpt("feedback:", text(&evaluation, "feedbackSummary"))?;
        let (score, sure) = (&evaluation["score"], &evaluation["confidence"]);
        self.page.done(&format!("needsReview is true, reviewReasons are {reasons}"))?;
        self.page
            .remark(&format!("It is right, in no words of the reference: {score} points at a confidence of {sure}."))?;
        let told = self.await_grade(&evaluation).await?;
        let is_told =
            ["needsReview", "reviewReasons", "questionId"].iter().all(|name| told.body[name] == evaluation[name]);
        ensure!(is_told, "the webhook tells otherwise: {}", told.body);
        self.page.done("evaluation.completed says so, too, and names the question")?;
        let id = text(&evaluation, "id");
        let found = self.platform.get(&format!("{EVALUATIONS}?needsReview=true")).await?.json(StatusCode::OK)?;
        let is_found = found["items"].as_array().into_iter().flatten().any(|item| text(item, "id") == id);
        ensure!(is_found, "the list of what needs a review lacks it");
        self.page.done(&format!("GET {EVALUATIONS}?needsReview=true has it"))?;

        let review = json!({ "score": PERSONS_POINTS, "reviewer": TEACHER.name });
        let reviewed =
            self.platform.post(&format!("{EVALUATIONS}/{id}/review"), &review).await?.json(StatusCode::OK)?;
        let counts = reviewed["score"] == PERSONS_POINTS && reviewed["needsReview"] == false;
        ensure!(counts, "the review does not count: {reviewed}");
        self.await_grade(&reviewed).await?;
        Ok(self.page.done(&format!(
            "{} gives {}; nobody needs to look any more",
            TEACHER.name,
            points_of(PERSONS_POINTS)
        ))?)
    }

    /// The question and the answers.
    async fn send_answers(&mut self) -> anyhow::Result<(String, Vec<SentAnswer>)> {
        self.page.step("Send nine answers to a question")?;
        let mut evaluations = Vec::new();
        self.page.excerpt("question:", QUESTION)?;
        for answer in &ANSWERS {
            let evaluation = self.platform.post(EVALUATIONS, &answer.request()).await?.json(StatusCode::CREATED)?;
            self.page.excerpt(&points(&evaluation["score"])?, answer.text)?;
            self.await_grade(&evaluation).await?;
            evaluations.push(evaluation);
        }
        let question = text(&evaluations[0], "questionId").to_owned();
        let is_one = evaluations.iter().all(|evaluation| text(evaluation, "questionId") == question);
        ensure!(is_one && !question.is_empty(), "the answers do not share a question");
        self.page.done("all have one questionId")?;
        self.page.remark(&format!(
            "Answers that put the Sun nearer have words of the reference and half of the points; {} would give them 1.",
            TEACHER.name
        ))?;
        let sent = evaluations.iter().zip(&ANSWERS);
        let sent = sent.map(|(evaluation, answer)| SentAnswer { answer, id: text(evaluation, "id").to_owned() });
        Ok((question, sent.collect()))
    }

    /// The ids of those that the teacher grades: the ones whose review teaches most.
    async fn review_five(&mut self, question: &str, sent: &[SentAnswer]) -> anyhow::Result<Vec<String>> {
        self.page.step("Review the five that teach most")?;
        let path = format!("{QUESTIONS}/{question}/review-queue?limit={REVIEWS}");
        let queue = self.platform.get(&path).await?.json(StatusCode::OK)?;
        self.page.done(&format!("GET {QUESTIONS}/…/review-queue?limit={REVIEWS}"))?;
        let (mut reviews, mut ids) = (Vec::new(), Vec::new());
        for item in queue["items"].as_array().into_iter().flatten() {
            let id = text(item, "evaluationId");
            let one = sent.iter().find(|one| one.id == id).context("the queue has an answer that nobody sent")?;
            self.page.excerpt(&format!("{:>9}", points_of(one.answer.points)), one.answer.text)?;
            reviews.push(json!({ "evaluationId": id, "score": one.answer.points, "reviewer": TEACHER.name }));
            ids.push(id.to_owned());
        }
        ensure!(ids.len() == REVIEWS, "the queue has {} answers instead of {REVIEWS}", ids.len());
        let (path, key) = (format!("{EVALUATIONS}/reviews"), format!("demo-{}", self.ambient.id::<EventId>()));
        let reply = self.platform.post_once(&path, &json!({ "reviews": reviews }), &key).await?;
        let outcome = reply.json(StatusCode::OK)?;
        let results = outcome["results"].as_array().context("there is no outcome of the reviews")?;
        ensure!(results.len() == REVIEWS, "{} of {REVIEWS} reviews have an outcome", results.len());
        for result in results {
            ensure!(result["status"] == 200, "a review was refused: {}", result["error"]);
            ensure!(text(&result["evaluation"], "gradedBy") == "reviewer", "a review does not count");
        }
        self.receive_grades(&results.iter().map(|result| &result["evaluation"]).collect::<Vec<_>>()).await?;
        self.page.done(&format!("POST {path}: {REVIEWS} reviews of {} in one request", TEACHER.name))?;
        Ok(ids)
    }

    async fn grade_again(&mut self, question: &str, others: &[&SentAnswer]) -> anyhow::Result<()> {
        self.page.step("Grade the other four again")?;
        let path = format!("{QUESTIONS}/{question}/regrade");
        let (balance, graded) = (self.balance().await?, self.evaluations_of(question).await?);
        let shown = self.platform.post(&path, &json!({ "dryRun": true })).await?.json(StatusCode::OK)?;
        self.page.done("POST …/regrade with dryRun: true, which only shows what would change")?;
        let (mut distance_before, mut distance_after) = (0.0, 0.0);
        for SentAnswer { answer, id } in others {
            let change = find(&shown["answers"], "evaluationId", id)?;
            ensure!(change["isChanged"] == true, "five reviews change nothing: {}", change["unchangedBecause"]);
            let (before, after) = (&change["before"]["score"], &change["after"]["score"]);
            self.page.excerpt(&format!("{} → {}", points(before)?, points(after)?), answer.text)?;
            distance_before += (number(before)? - f64::from(answer.points)).abs();
            distance_after += (number(after)? - f64::from(answer.points)).abs();
        }
        ensure!(shown["changed"] == others.len(), "{} grades change instead of {}", shown["changed"], others.len());
        ensure!(distance_after < distance_before, "the grades do not come nearer to the teacher's");
        ensure!(self.evaluations_of(question).await? == graded, "the dry run has changed something");
        self.page.done(&distances(distance_before, distance_after, others.len()))?;

        let applied = self.platform.post(&path, &json!({ "dryRun": false })).await?.json(StatusCode::OK)?;
        ensure!(applied["answers"] == shown["answers"], "what was applied is not what was shown");
        let now = self.evaluations_of(question).await?;
        let mut changed = Vec::new();
        for SentAnswer { id, .. } in others {
            let (evaluation, change) = (find(&now, "id", id)?, find(&shown["answers"], "evaluationId", id)?);
            let is_applied = ["score", "version"].iter().all(|name| evaluation[name] == change["after"][name]);
            ensure!(is_applied, "a new grade is not the one that was shown");
            changed.push(evaluation);
        }
        self.receive_grades(&changed).await?;
        self.page.done("with dryRun: false they are version 2, and evaluation.completed tells each")?;
        ensure!(self.balance().await? == balance, "grading again was charged");
        Ok(self.page.done("nothing was charged")?)
    }

    /// The webhook of a grade, in the version at hand.
    async fn await_grade(&mut self, evaluation: &Value) -> anyhow::Result<Delivery> {
        self.receive_grades(&[evaluation]).await?.pop().context("no webhook arrived")
    }

    /// A question's evaluations.
    async fn evaluations_of(&self, question: &str) -> anyhow::Result<Value> {
        let path = format!("{EVALUATIONS}?questionId={question}&limit=100");
        Ok(self.platform.get(&path).await?.json(StatusCode::OK)?["items"].take())
    }

    /// Free and other credits of the workspace.
    async fn balance(&self) -> anyhow::Result<[Value; 2]> {
        let path = format!("{WORKSPACES}/{}", self.workspace_id);
        let mut workspace = self.platform.get(&path).await?.json(StatusCode::OK)?;
        Ok(["freeCreditBalance", "creditBalance"].map(|name| workspace[name].take()))
    }
}

impl TaughtAnswer {
    fn request(&self) -> Value {
        json!({
            "evaluationType": "open_ended",
            "questionText": QUESTION,
            "learnerAnswer": self.text,
            "referenceAnswer": REFERENCE,
            "submitter": { "learnerId": learner_id(self.learner), "learnerName": self.learner },
            "tier": "fast",
        })
    }
}

fn learner_id(learner: &str) -> String {
    format!("demo-{}", learner.to_lowercase())
}

/// The member of a list that has an id.
fn find<'a>(list: &'a Value, member: &str, id: &str) -> anyhow::Result<&'a Value> {
    let found = list.as_array().into_iter().flatten().find(|item| text(item, member) == id);
    found.with_context(|| format!("{id} is not among the answers"))
}

fn number(value: &Value) -> anyhow::Result<f64> {
    value.as_f64().context("a grade has no score")
}

fn points_of(points: u32) -> String {
    count(usize::try_from(points).unwrap_or(usize::MAX), "point", "points")
}

/// Points in a column.
fn points(value: &Value) -> anyhow::Result<String> {
    Ok(format!("{:>5.2}", number(value)?))
}

fn distances(before: f64, after: f64, answers: usize) -> String {
    let answers = f64::from(u32::try_from(answers.max(1)).unwrap_or(u32::MAX));
    let (before, after) = (before / answers, after / answers);
    format!("nearer to what {} would give: {after:.1} points off on average, not {before:.1}", TEACHER.name)
}
