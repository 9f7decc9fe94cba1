//! Resources to look at: what a school would have.

use content::resources::Kind;
use serde_json::{Value, json};

use crate::service::Service;

const CELLS: &str = r#"<article lang="en" dir="ltr">
<section id="objectives" aria-labelledby="objectives-title"><h2 id="objectives-title">Objectives</h2>
<ul><li>Explain the terms <strong>cell</strong>, <em>membrane</em> and <code>ATP</code>.</li><li>Describe <a href="https://example.org/photosynthesis">photosynthesis</a>.</li></ul></section>
<section><h2>What cells are</h2>
<p>A cell is the smallest unit of life that can carry out all basic functions of an organism. Robert Hooke first described cells in 1665 after looking at thin slices of cork through a microscope.</p>
<blockquote><p>I could exceedingly plainly perceive it to be all perforated and porous.</p></blockquote>
<p>A round cell of radius $r$ has the volume $$V = \frac{4}{3} \pi r^3 \quad\text{and the surface}\quad A = 4 \pi r^2 = \sqrt{16 \pi^2 r^4} = \frac{3V}{r}$$</p>
<h3>Parts and what they do</h3>
<table><caption>Organelles</caption><thead><tr><th scope="col">Part</th><th scope="col">Task</th><th scope="col">Found in</th></tr></thead><tbody><tr><th scope="row">Nucleus</th><td>Holds the genetic material</td><td>Animals, plants, fungi</td></tr><tr><th scope="row">Chloroplast</th><td>Turns light into chemical energy</td><td>Plants and some protists</td></tr></tbody></table>
<figure><img src="https://elsewhere.example/cell.png" alt="A drawing of a cell with its nucleus in the middle"><figcaption>A cell under the microscope</figcaption></figure>
<pre><code>6 CO2 + 6 H2O + light  ->  C6H12O6 + 6 O2      (a long line of code that does not fit on a telephone at all)</code></pre>
<details><summary>For the curious</summary><p>There are about 37 trillion cells in a human body.</p></details></section>
<section><h2>Key terms</h2><dl><dt>Cell membrane</dt><dd>A thin, flexible barrier.</dd><dt>Cytoplasm</dt><dd>The jelly-like fluid that fills the cell.</dd></dl></section>
</article>"#;

fn question(id: &str, kind: &str, text: &str, options: Value, key: Value) -> Value {
    json!({
        "id": id, "sequence": 1, "title": "What cells are", "question": text, "type": kind, "options": options,
        "correctAnswers": key, "showFeedback": true, "explanation": "The nucleus holds the genetic instructions.", "score": 2.0,
    })
}

fn questions() -> Vec<Value> {
    vec![
        question(
            "one",
            "select",
            "Which description fits “cell”?",
            json!([
                "The smallest unit of life that can carry out all basic functions of an organism",
                "A process that releases energy",
                "A green pigment"
            ]),
            json!(["The smallest unit of life that can carry out all basic functions of an organism"]),
        ),
        question(
            "many",
            "select",
            "Which of these have chloroplasts?",
            json!(["Oak", "Moss", "Dog"]),
            json!(["Oak", "Moss"]),
        ),
        question(
            "true",
            "true-false",
            "True or false: the nucleus holds the genetic material.",
            json!(["True", "False"]),
            json!(["True"]),
        ),
        question("blank", "blank", "____ first described cells in 1665.", json!([]), json!(["Robert Hooke"])),
    ]
}

/// A module with everything that content may have, and a quiz.
pub(crate) async fn module(service: &Service) -> String {
    let columns = json!({
        "title": "The living cell", "description": "What cells are, what they are made of and how they get their energy.",
        "content": CELLS, "quizzes": questions(),
    });
    let id = service.add(Kind::Module, columns).await;
    service.public(Kind::Module, &id)
}

/// A module written from right to left.
pub(crate) async fn arabic_module(service: &Service) -> String {
    let content = "<h2>ما هي الخلية؟</h2><p>الخلية هي أصغر وحدة حية يمكنها القيام بجميع الوظائف الأساسية للكائن الحي.</p>\
        <ul><li>النواة</li><li>الغشاء الخلوي</li></ul><p>حجم الكرة هو $V = \\frac{4}{3} \\pi r^3$:</p><pre><code>print(4 / 3 * pi * r ** 3)</code></pre><blockquote>كل خلية تأتي من خلية.</blockquote>";
    let columns = json!({
        "title": "الخلية الحية", "description": "ما هي الخلايا وممّ تتكون.", "language": "ar", "content": content,
        "quizzes": [question("one", "select", "ما هي أصغر وحدة حية إذا كان $r < 1$؟", json!(["الخلية", "النسيج"]), json!(["الخلية"]))],
    });
    let id = service.add(Kind::Module, columns).await;
    service.public(Kind::Module, &id)
}

/// A course of three modules: its page, and the page of the second part.
pub(crate) async fn course(service: &Service) -> (String, String) {
    let columns = json!({ "title": "Biology for beginners", "description": "From the cell to the organism.", "level": "BEGINNER" });
    let course = service.add(Kind::Course, columns).await;
    let mut parts = Vec::new();
    for (sequence, title) in (1..).zip(["The living cell", "Tissues and organs", "The whole organism"]) {
        let columns = json!({
            "title": title, "description": "A module of the course.", "course_id": course, "sequence": sequence,
            "is_public": 0, "content": "<h2>Tissues</h2><p>Cells of one kind form a tissue.</p>",
        });
        parts.push(service.add(Kind::Module, columns).await);
    }
    let page = service.public(Kind::Course, &course);
    let part = format!("{page}/{}", parts[1]);
    (page, part)
}

/// A deck of four slides, with notes.
pub(crate) async fn slides(service: &Service, language: &str) -> String {
    let content = r#"<section class="slide"><h2>Photosynthesis</h2><ul><li>Plants turn light into energy</li><li>It takes place in the chloroplasts</li><li>Oxygen is set free</li></ul>
<aside class="notes"><p>Show the experiment with the water plant first.</p></aside></section>
<section class="slide"><h2>Light</h2><p>Chlorophyll absorbs <strong>red</strong> and <strong>blue</strong> light and reflects green light.</p></section>
<section class="slide"><h2>Equation</h2><pre><code>6 CO2 + 6 H2O -> C6H12O6 + 6 O2</code></pre></section>
<section class="slide"><h2>Recap</h2><p>Without photosynthesis, almost all food chains on Earth would collapse.</p></section>"#;
    let columns = json!({ "title": "How plants feed themselves", "description": "Four slides.", "content": content, "language": language });
    let id = service.add(Kind::Slide, columns).await;
    service.public(Kind::Slide, &id)
}

/// A test with items of all five types.
pub(crate) async fn test(service: &Service) -> String {
    let mut items = questions();
    items.push(question(
        "free",
        "open-ended",
        "Explain in your own words why leaves are green.",
        json!([]),
        json!(["Chlorophyll reflects green light."]),
    ));
    items.push(question("work", "submission", "Draw a plant cell and name its parts.", json!([]), json!([])));
    let columns = json!({ "name": "Test: the living cell", "description": "Six questions on cells.", "items": items });
    let id = service.add(Kind::Test, columns).await;
    service.public(Kind::Test, &id)
}

/// A video of three scenes; `seconds` is how long each lasts.
pub(crate) async fn video(service: &Service, seconds: f64) -> String {
    let scenes = json!([
        ["What is a cell?", "Welcome. In this video we look at the smallest unit of life: the cell.", seconds],
        [
            "Robert Hooke, 1665",
            "Robert Hooke first described cells after looking at thin slices of cork through a microscope.",
            seconds
        ],
        [
            "Remember: every living thing is made of cells",
            "Every living thing is made of cells, and cells come only from other cells.",
            seconds
        ],
    ]);
    let columns = json!({ "title": "The cell in one minute", "description": "A short summary.", "scenes": scenes });
    let id = service.add(Kind::Video, columns).await;
    service.public(Kind::Video, &id)
}
