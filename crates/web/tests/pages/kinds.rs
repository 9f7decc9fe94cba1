//! What each kind of page shows.

use content::resources::Kind;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::service::Service;

const BASE: &str = "https://lectern.example/school";

#[both_stores]
async fn a_modules_content_is_shown_without_what_acts(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let content = "<h2 id=\"main\">Cells</h2><p onclick=\"x()\">A <strong>cell</strong>.</p><script>alert(1)</script>\
            <img src=\"https://elsewhere.example/x.png\" alt=\"A drawing\"><form><input name=\"q\"></form>";
    let id = service.add(Kind::Module, json!({ "content": content, "description": "About cells." })).await;
    let page = service.get(&service.public(Kind::Module, &id)).await;
    assert_eq!((page.texts("h1"), page.texts(".prose h2")), (vec!["Cells".to_owned()], vec!["Cells".to_owned()]));
    assert_eq!((page.texts("title"), page.texts(".lead")), (vec!["Cells".to_owned()], vec!["About cells.".to_owned()]));
    assert!(page.texts(".prose script, .prose form, .prose input, .prose [onclick], .prose img").is_empty());
    assert_eq!(page.texts(".prose .picture"), ["A drawing"]);
    assert_eq!(page.attributes(".prose h2", "id"), ["content-main"]);
}

#[both_stores]
async fn markdown_becomes_html_and_html_stays_what_it_is(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let markdown = service.add(Kind::Module, json!({ "content": "# One\n\n- a\n- **b**" })).await;
    let page = service.get(&service.public(Kind::Module, &markdown)).await;
    assert_eq!(
        (page.texts(".prose h2"), page.texts(".prose li strong")),
        (vec!["One".to_owned()], vec!["b".to_owned()])
    );
    let html = service.add(Kind::Module, json!({ "content": "# not a title", "type": "html" })).await;
    let page = service.get(&service.public(Kind::Module, &html)).await;
    assert_eq!(page.texts(".prose"), ["# not a title"]);
}

#[both_stores]
async fn a_long_module_has_a_table_of_contents(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let content = "# Cells\n\n## Parts & *tasks*\n\n### Deep\n\n# Recap";
    let quiz = crate::answering::quiz();
    let id = service.add(Kind::Module, json!({ "content": content, "quizzes": quiz })).await;
    let page = service.get(&service.public(Kind::Module, &id)).await;
    assert_eq!(page.texts("nav.toc a"), ["Cells", "Parts & tasks", "Recap", "Check what you know"]);
    let links = page.attributes("nav.toc a", "href");
    assert_eq!(links[3], "#quiz");
    for (link, text) in links.iter().zip(["Cells", "Parts & tasks", "Recap"]) {
        assert_eq!(page.texts(&format!(".prose {link}")), [text]);
    }
    assert_eq!(page.attributes("nav.toc", "aria-label"), ["On this page"]);
    assert_eq!(page.attributes("[data-done]", "data-done"), [id.as_str()]);
    assert_eq!(page.attributes("[data-done]", "hidden").len(), 1, "without script nothing is remembered");
    let short = service.add(Kind::Module, json!({ "content": "# Cells" })).await;
    assert!(service.get(&service.public(Kind::Module, &short)).await.texts("nav.toc").is_empty());
}

#[both_stores]
async fn a_page_speaks_the_language_of_what_it_shows(test: TestStore) {
    let service = Service::new(test, BASE).await;
    for (language, tag, direction) in
        [("de-CH", "de", "ltr"), ("ar", "ar", "rtl"), ("ckb", "en", "ltr"), ("?", "en", "ltr")]
    {
        let id = service.add(Kind::Module, json!({ "language": language })).await;
        let page = service.get(&service.public(Kind::Module, &id)).await;
        assert_eq!(page.attributes("html", "lang"), [tag]);
        assert_eq!(page.attributes("html", "dir"), [direction]);
    }
}

#[both_stores]
async fn a_course_is_read_in_order(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let course = service.add(Kind::Course, json!({ "level": "BEGINNER" })).await;
    let empty = service.get(&service.public(Kind::Course, &course)).await;
    assert_eq!(empty.texts(".notice"), ["There is nothing here yet."]);
    let mut ids = Vec::new();
    for (sequence, title) in [(2, "Tissues"), (1, "Cells"), (3, "Organs")] {
        let columns = json!({ "course_id": course, "sequence": sequence, "title": title, "is_public": 0 });
        ids.push((sequence, service.add(Kind::Module, columns).await));
    }
    ids.sort();
    let [first, second, third] = [0, 1, 2].map(|at: usize| ids[at].1.clone());
    for own in [service.public(Kind::Course, &course), service.preview(Kind::Course, &course)] {
        let page = service.get(&own).await;
        assert_eq!(page.texts("nav .parts a"), ["Cells", "Tissues", "Organs"]);
        assert_eq!(page.attributes("[data-part]", "data-part"), [first.as_str(), &second, &third]);
        assert_eq!(page.attributes("[data-progress]", "hidden").len(), 1, "without script nothing is remembered");
        assert_eq!(page.texts(".facts span"), ["Level: BEGINNER"]);
        let links = page.attributes(".parts a", "href");
        assert_eq!(links[1], format!("/school{own}/{second}"));
        let part = service.get(links[1].strip_prefix("/school").unwrap()).await;
        assert_eq!(part.texts("h1"), ["Tissues"]);
        assert_eq!(part.texts(".trail span"), ["Part 2 of 3"]);
        assert_eq!(part.attributes("a[rel=prev]", "href"), [format!("/school{own}/{first}")]);
        assert_eq!(part.attributes("a[rel=next]", "href"), [format!("/school{own}/{third}")]);
        assert_eq!(part.attributes(".trail a, .turn-up", "href"), [format!("/school{own}"), format!("/school{own}")]);
        let last = service.get(&format!("{own}/{third}")).await;
        assert!(last.attributes("a[rel=next]", "href").is_empty());
    }
    assert_eq!(service.get(&service.public(Kind::Module, &first)).await.status, 404, "by itself the module is private");
}

#[both_stores]
async fn a_test_of_a_course_is_taken_where_it_stands(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let course = service.add(Kind::Course, json!({})).await;
    let item = json!({ "id": "one", "sequence": 1, "question": "Alive?", "type": "blank", "options": [],
            "correctAnswers": ["yes"], "explanation": "", "score": 1.0 });
    let quiz = service.add(Kind::Test, json!({ "items": [item], "visibility": "PRIVATE" })).await;
    let stand_in = |sequence: u32, id: &str| {
        json!({
            "course_id": course, "sequence": sequence, "title": "Quiz", "type": "test", "metadata": { "testId": id },
            "content": "<p><a href=\"/elsewhere\">Quiz</a></p>",
        })
    };
    let part = service.add(Kind::Module, stand_in(1, &quiz)).await;
    let gone = service.add(Kind::Module, stand_in(2, &course)).await;
    for own in [service.public(Kind::Course, &course), service.preview(Kind::Course, &course)] {
        let path = format!("{own}/{part}");
        let page = service.get(&path).await;
        assert_eq!((page.texts(".trail span"), page.texts(".item-title").len()), (vec!["Part 1 of 2".to_owned()], 1));
        assert_eq!(page.attributes("a[rel=next]", "href"), [format!("/school{own}/{gone}")]);
        let result = service.answer(&path, &[("answer-one", "Yes")]).await;
        assert_eq!(result.status, 200);
        assert_eq!(result.texts(".trail span").len(), 1);
        assert_eq!(result.attributes("[data-done]", "data-done"), [part.as_str()]);
        assert!(result.texts("#result")[0].contains("100"), "{:?}", result.texts("#result"));
        let without = service.get(&format!("{own}/{gone}")).await;
        assert_eq!(without.texts(".prose a"), ["Quiz"], "a test that is gone leaves what stood for it");
    }
    assert_eq!(service.get(&service.public(Kind::Test, &quiz)).await.status, 404, "by itself the test is private");
}

#[both_stores]
async fn a_course_shows_only_its_own_modules(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let course = service.add(Kind::Course, json!({})).await;
    let private = service.add(Kind::Course, json!({ "visibility": "PRIVATE" })).await;
    let of_private = service.add(Kind::Module, json!({ "course_id": private, "sequence": 1, "is_public": 0 })).await;
    let alone = service.add(Kind::Module, json!({})).await;
    for (course, module) in [(&course, &of_private), (&course, &alone), (&private, &of_private)] {
        let path = format!("{}/{module}", service.public(Kind::Course, course));
        assert_eq!(service.get(&path).await.status, 404);
    }
}

#[both_stores]
async fn slides_stand_one_below_the_other(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let content = "<section class=\"slide\"><h2>One</h2><ul><li>a</li></ul><aside class=\"notes\">Say hello.</aside></section>\
            <section class=\"slide\"><p>no headline</p></section>";
    let id = service.add(Kind::Slide, json!({ "content": content })).await;
    let page = service.get(&service.public(Kind::Slide, &id)).await;
    assert_eq!(page.attributes("section.slide", "aria-label"), ["Slide 1 of 2", "Slide 2 of 2"]);
    assert_eq!(page.texts(".deck-overview a"), ["One", "Slide 2 of 2"]);
    assert_eq!(page.texts(".slide-content h2"), ["One"]);
    assert_eq!(page.texts("details.slide-notes .prose"), ["Say hello."]);
    assert_eq!(page.attributes("[data-deck-bar]", "hidden").len(), 1, "without script there is nothing to press");
}

#[both_stores]
async fn a_video_is_a_storyboard_with_captions_and_times(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let scenes = json!([["What is a cell?", "Let us look at cells.", 7.5], ["37 trillion", "You have many.", 60.0]]);
    let id = service.add(Kind::Video, json!({ "scenes": scenes })).await;
    let page = service.get(&service.public(Kind::Video, &id)).await;
    assert_eq!(page.texts("[data-display]"), ["What is a cell?", "37 trillion"]);
    assert_eq!(page.texts("[data-script]"), ["Let us look at cells.", "You have many."]);
    assert_eq!(page.texts(".scene .time"), ["0:00–0:08", "0:08–1:08"]);
    assert_eq!(page.texts("ul.facts li"), ["Length: 1:08"]);
    assert_eq!(page.attributes("[data-player]", "hidden").len(), 1, "without script nothing plays");
}
