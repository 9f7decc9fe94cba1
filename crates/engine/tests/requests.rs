//! What may be expected of drafts that are asked for directly, as properties: from a word, from an
//! outline, from pages of text, from the classroom's own modules, and from text that means harm.

mod support;

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use engine::{
    CourseDraft, CourseRequest, GenerationError, Generator, Interrupted, QuizDraft, QuizItemKind, Remark, SlideDraft,
    SlideRequest, SourceModule, TestRequest, VideoDraft, VideoRequest, Workbench, builtin, check_citations,
    check_course, check_quiz, check_slide, check_video,
};
use futures_util::FutureExt as _;
use proptest::prelude::*;
use testkit::Stopwatch;

/// A topic in each language that there are phrases for.
const TOPICS: [(&str, &str); 16] = [
    ("en", "Photosynthesis"),
    ("de", "Fotosynthese"),
    ("es", "La fotosíntesis"),
    ("fr", "La photosynthèse"),
    ("pt", "A fotossíntese"),
    ("it", "La fotosintesi"),
    ("nl", "Fotosynthese"),
    ("pl", "Fotosynteza"),
    ("ru", "Фотосинтез"),
    ("uk", "Фотосинтез"),
    ("tr", "Fotosentez"),
    ("ar", "البناء الضوئي"),
    ("hi", "प्रकाश संश्लेषण"),
    ("zh", "光合作用"),
    ("ja", "光合成"),
    ("ko", "광합성"),
];

const PLANTS: &str = "<article><section id=\"objectives\"><h2>Objectives</h2><ul><li>Describe “Osmosis”.</li></ul></section>\
    <section><h2>Osmosis</h2><p>Osmosis is the movement of water through a membrane. Diffusion is the movement of particles \
    from a crowded place to an empty one. Turgor is the pressure of water inside a plant cell. In dry soil a plant loses 90 \
    percent of its water through the leaves.</p></section><section><h2>Minerals</h2><p>Nitrates are salts that plants need for \
    growth. Phosphates are salts that roots need for growth in spring.</p></section></article>";

fn plants() -> Vec<SourceModule> {
    vec![SourceModule { id: "0191-a".to_owned(), title: "Transport in plants".to_owned(), html: PLANTS.to_owned() }]
}

fn test(topic: &str, target: &str, level: &str) -> TestRequest {
    TestRequest {
        topic_prompt: topic.into(),
        target_prompt: target.into(),
        level: level.into(),
        ..TestRequest::default()
    }
}

fn slide(outline: &str) -> SlideRequest {
    SlideRequest { outline: outline.into(), ..SlideRequest::default() }
}

fn kinds(draft: &QuizDraft) -> HashSet<QuizItemKind> {
    draft.items.iter().map(|item| item.kind).collect()
}

/// Letters and digits only, lower case.
fn bare(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[test]
fn a_test_on_a_word_sets_tasks_and_invents_nothing_in_every_language() {
    for (language, topic) in TOPICS {
        for level in ["EASY", "MEDIUM", "HARD"] {
            let request = TestRequest { language: language.into(), ..test(topic, "", level) };
            let draft = builtin::requested_test(&request).unwrap();
            let english = builtin::requested_test(&TestRequest { language: "en".into(), ..request.clone() }).unwrap();
            assert!(draft.items.len() >= 4 && draft.subject == topic && draft.language == language, "{draft:#?}");
            for (item, same) in draft.items.iter().zip(&english.items) {
                assert!(matches!(item.kind, QuizItemKind::OpenEnded | QuizItemKind::Submission), "{item:?}");
                assert!(item.question.contains(topic), "{item:?}");
                // The key is the same whatever the topic: it can't hold a fact about it.
                assert!(!item.correct_answers[0].contains(topic), "{item:?}");
                assert!(language == "en" || item.question != same.question, "{language}: {item:?}");
            }
        }
    }
}

#[test]
fn without_a_language_the_prompt_tells_it() {
    let draft =
        builtin::requested_test(&test("Как растения получают энергию и что им для этого нужно", "", "")).unwrap();
    assert_eq!(draft.language, "ru");
    assert!(draft.items.iter().all(|item| item.question.contains(['а', 'е', 'о'])), "{draft:#?}");
    assert_eq!(builtin::requested_test(&test("Photosynthesis", "", "")).unwrap().language, "en");
}

#[test]
fn the_level_changes_the_mix_and_the_number_of_items() {
    let of = |level: &str| {
        let request = TestRequest { material: plants(), ..test("Osmosis and minerals", "", level) };
        let draft = builtin::requested_test(&request).unwrap();
        let open =
            draft.items.iter().filter(|item| item.options.is_empty() && item.kind != QuizItemKind::Blank).count();
        (draft.items.len(), open, draft.level)
    };
    let (easy, medium, hard) = (of("EASY"), of("MEDIUM"), of("HARD"));
    assert!(easy.0 < medium.0 && medium.0 < hard.0, "{easy:?} {medium:?} {hard:?}");
    assert!(easy.1 < medium.1 && medium.1 < hard.1, "{easy:?} {medium:?} {hard:?}");
    assert_eq!((easy.2.as_str(), of("").2.as_str(), of("Grade 7").2.as_str()), ("EASY", "MEDIUM", "Grade 7"));
}

#[test]
fn a_test_has_as_many_items_as_its_prompt_asks_for() {
    for (topic, count) in
        [("Write 5 questions about plants", 5), ("Create 20 questions about rivers, lakes, seas, rain, snow", 20)]
    {
        assert_eq!(builtin::requested_test(&test(topic, "", "")).unwrap().items.len(), count, "{topic}");
    }
}

#[test]
fn facts_are_asked_from_the_prompt_and_the_material_only() {
    let prompt = "The heart is a muscle that pumps blood through the body. Arteries are vessels that carry blood away from \
        the heart. Veins are vessels that bring blood back. An adult heart beats about 70 times in a minute. In 1628 William \
        Harvey described the circulation of blood.";
    for (request, source) in [
        (test(prompt, "Learners explain the circulation of blood", "MEDIUM"), prompt.to_owned()),
        (TestRequest { material: plants(), ..test("Osmosis", "", "MEDIUM") }, PLANTS.to_owned()),
    ] {
        let draft = builtin::requested_test(&request).unwrap();
        assert!(kinds(&draft).len() >= 3, "{draft:#?}");
        let source = bare(&source);
        for item in
            draft.items.iter().filter(|item| !matches!(item.kind, QuizItemKind::OpenEnded | QuizItemKind::Submission))
        {
            let quote = item.explanation.split('“').nth(1).and_then(|rest| rest.split('”').next()).unwrap_or_default();
            assert!(quote.len() > 10 && source.contains(&bare(quote)), "{item:?}");
        }
    }
}

#[test]
fn a_year_that_is_asked_for_stands_among_the_years_of_its_material() {
    let history = "The Treaty of Rome was signed in 1957 by six states. Great Britain joined the community in 1973. The Treaty \
        of Maastricht was signed in 1992. The Treaty of Lisbon came into force in 2009. The Schengen Agreement was signed in 1985.";
    let draft = builtin::requested_test(&test(&format!("Write 8 questions. {history}"), "", "")).unwrap();
    let is_year =
        |item: &&engine::QuizItem| item.kind == QuizItemKind::Select && item.correct_answers[0].parse::<u32>().is_ok();
    let years: Vec<_> = draft.items.iter().filter(is_year).collect();
    assert!(!years.is_empty(), "{draft:#?}");
    assert!(years.iter().all(|item| item.options.iter().all(|option| history.contains(option))), "{years:#?}");
}

#[test]
fn what_a_generated_module_repeats_is_not_asked_about() {
    let draft = builtin::requested_test(&TestRequest { material: plants(), ..test("Osmosis", "", "") }).unwrap();
    assert!(draft.items.iter().all(|item| !item.question.contains("Describe “")), "{draft:#?}");
}

#[test]
fn items_cite_the_prompt_or_the_module_that_they_came_from() {
    let request = TestRequest { material: plants(), ..test("Osmosis", "Explain how roots take up water", "HARD") };
    let draft = builtin::requested_test(&request).unwrap();
    let cited: HashSet<&str> =
        draft.citations.iter().flat_map(|citation| &citation.pointers).map(String::as_str).collect();
    for pointer in ["/topicPrompt", "/targetPrompt", "/material/0191-a/content"] {
        assert!(cited.contains(pointer), "{pointer}: {cited:?}");
    }
    assert_eq!(draft.citations.len(), draft.items.len());
}

#[test]
fn an_order_for_a_test_is_never_asked_about() {
    let prompt = "You are a biology teacher. Create a test about the heart for grade 8 students. Use four options each. Make \
        sure that the questions are hard. Avoid trick questions.";
    let draft = builtin::requested_test(&test(prompt, "Grade 8", "")).unwrap();
    assert_eq!(draft.subject, "The heart");
    for item in &draft.items {
        assert!(!item.question.contains("trick") && !item.question.contains("Grade 8"), "{item:?}");
        assert!(item.options.is_empty(), "{item:?}");
    }
}

#[test]
fn a_deck_holds_every_line_of_its_outline_in_order() {
    for outline in [
        "1. Alpha\n   - beta one\n   - gamma two\n2. Delta\n3. Epsilon: zeta; eta",
        "# Alpha\n## Beta\n- gamma\n  - delta\n    - epsilon\n## Zeta\nEta theta iota kappa.\n",
        "Alpha\n  Beta\n  Gamma\n    Delta\nEpsilon",
        "Alpha beta gamma delta epsilon. Zeta eta theta.\n\nIota kappa lambda mu. Nu xi omicron.",
        "<h1>Alpha</h1><ul><li>beta</li><li>gamma<ul><li>delta</li></ul></li></ul>",
    ] {
        let draft = builtin::requested_slide(&slide(outline)).unwrap();
        let text = bare(&draft.content_html);
        let mut from = 0;
        for word in outline.split(|character: char| !character.is_alphanumeric()).filter(|word| word.len() > 2) {
            let found = text[from..].find(&bare(word)).or_else(|| text.find(&bare(word)).map(|_| 0));
            assert!(found.is_some(), "{word} of {outline:?}: {}", draft.content_html);
            from += found.unwrap_or_default();
        }
    }
}

#[test]
fn slides_without_further_lines_are_filled_from_the_material() {
    let request = SlideRequest { material: plants(), ..slide("Osmosis\nMinerals\nPlate tectonics") };
    let draft = builtin::requested_slide(&request).unwrap();
    assert!(draft.content_html.contains("movement of water through a membrane"), "{}", draft.content_html);
    assert!(draft.content_html.contains("What do you already know about “Plate tectonics”?"), "{}", draft.content_html);
    let cited = draft.citations.iter().flat_map(|citation| &citation.pointers);
    assert!(cited.clone().any(|pointer| pointer.starts_with("/material/0191-a")), "{:?}", draft.citations);
}

#[test]
fn a_course_follows_its_description_and_then_its_material() {
    let request = CourseRequest {
        title: "Plants".into(),
        description: "1. Minerals\n2. Plate tectonics".into(),
        level: "Beginner".into(),
        material: plants(),
        ..CourseRequest::default()
    };
    let draft = builtin::requested_course(&request).unwrap();
    let titles: Vec<&str> = draft.modules.iter().map(|module| module.title.as_str()).collect();
    assert_eq!(titles, ["Minerals", "Plate tectonics", "Transport in plants"]);
    assert_eq!((draft.title.as_str(), draft.level.as_str()), ("Plants", "Beginner"));
    let holds = |at: usize, text: &str| draft.modules[at].content_html.contains(text);
    assert!(
        holds(0, "Nitrates are salts") && holds(2, "Osmosis is the movement") && !holds(2, "Nitrates"),
        "{draft:#?}"
    );
    assert!(holds(1, "What do you already know about “Plate tectonics”?") && draft.modules[1].quizzes.is_empty());
}

#[test]
fn a_video_tells_its_description_and_its_material() {
    let request = VideoRequest {
        title: "Osmosis".into(),
        description: "Roots take up water from the soil. This needs no energy.".into(),
        material: plants(),
        ..VideoRequest::default()
    };
    let draft = builtin::requested_video(&request).unwrap();
    let script: String = draft.scenes.iter().map(|scene| scene.script.as_str()).collect();
    assert!(
        script.contains("Roots take up water") && script.contains("movement of water through a membrane"),
        "{script}"
    );
    assert_eq!((draft.title.as_str(), draft.description.as_str()), ("Osmosis", request.description.as_str()));
}

/// A module beside a copy that somebody renamed and went on with.
fn plants_twice() -> Vec<SourceModule> {
    let copy = PLANTS.replace(
        "</article>",
        "<section><h2>Light</h2><p>Leaves turn towards the light of osmosis lamps.</p></section></article>",
    );
    let copy = SourceModule { id: "0191-b".to_owned(), title: "Plants: osmosis and minerals".to_owned(), html: copy };
    plants().into_iter().chain([copy]).collect()
}

/// Sentences of at least five words that stand in a text more than once.
fn repeated(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let text = text.replace(['<', '>'], "\n");
    let sentences = text.split(['.', '\n']).map(str::trim).filter(|sentence| sentence.split(' ').count() >= 5);
    sentences.filter(|sentence| !seen.insert(sentence.to_lowercase())).map(str::to_owned).collect()
}

#[test]
fn no_part_is_repeated_where_the_material_is_there_twice() {
    let material = plants_twice();
    let outline = "Osmosis\nOsmosis in plants\nMinerals\nMinerals and osmosis";
    let deck = builtin::requested_slide(&SlideRequest { material: material.clone(), ..slide(outline) }).unwrap();
    assert_eq!(repeated(&deck.content_html), [""; 0], "{}", deck.content_html);
    let (title, description) = ("Osmosis and minerals".to_owned(), "1. Osmosis\n2. Minerals".to_owned());
    let asked = CourseRequest {
        title: title.clone(),
        description: description.clone(),
        material: material.clone(),
        ..CourseRequest::default()
    };
    let course = builtin::requested_course(&asked).unwrap();
    let told: String = course
        .modules
        .iter()
        .map(|module| module.content_html.split("id=\"key-terms\"").next().unwrap_or_default().to_owned() + "\n")
        .collect();
    assert!(told.contains("towards the light"), "{told}");
    assert_eq!(repeated(&told), [""; 0], "{told}");
    let asked = VideoRequest { title, description, material: material.clone(), ..VideoRequest::default() };
    let video = builtin::requested_video(&asked).unwrap();
    let script: String = video.scenes.iter().map(|scene| scene.script.clone() + "\n").collect();
    assert_eq!(repeated(&script), [""; 0], "{script}");
    let test = builtin::requested_test(&TestRequest { material, ..test("Osmosis and minerals", "", "HARD") }).unwrap();
    let mut questions = HashSet::new();
    assert!(test.items.iter().all(|item| questions.insert(&item.question)), "{test:#?}");
}

#[test]
fn what_the_prompt_quotes_of_the_material_is_told_once() {
    let quoted = "Osmosis is the movement of water through a membrane. Diffusion is the movement of particles from a crowded \
        place to an empty one. Turgor is the pressure of water inside a plant cell. In dry soil a plant loses 90 percent of \
        its water through the leaves.";
    let asked = VideoRequest {
        title: "Osmosis".into(),
        description: quoted.into(),
        material: plants(),
        ..VideoRequest::default()
    };
    let video = builtin::requested_video(&asked).unwrap();
    let script: String = video.scenes.iter().map(|scene| scene.script.clone() + "\n").collect();
    assert_eq!(script.matches("movement of water through a membrane").count(), 1, "{script}");
}

#[test]
fn a_line_of_an_outline_is_filled_with_what_speaks_of_it() {
    let html = "<section><h2>In the soil</h2><p>Roots grow towards water and hold the soil together. Worms loosen the soil and \
        bring air into it. Fungi give phosphates to the roots and take sugar for them. Sand lets the rain pass within minutes. \
        Clay keeps the rain for many days.</p></section><section><h2>Above the soil</h2><p>Stems carry leaves.</p></section>";
    let material = vec![SourceModule { id: "soil".into(), title: "A garden".into(), html: html.into() }];
    let deck = builtin::requested_slide(&SlideRequest { material, ..slide("Fungi and roots\nRain") }).unwrap();
    let slides: Vec<&str> = deck.content_html.split("</section>").collect();
    let on = |headline: &str| *slides.iter().find(|slide| slide.contains(&format!("<h2>{headline}</h2>"))).unwrap();
    assert!(on("Fungi and roots").contains("Fungi give phosphates") && !on("Fungi and roots").contains("Worms"));
    assert!(on("Rain").contains("Sand lets the rain pass") && on("Rain").contains("Clay keeps the rain"));
    assert!(!on("Rain").contains("Worms"), "{}", deck.content_html);
}

/// A bench that notes the topics without material.
#[derive(Default)]
struct Noting(Mutex<Vec<String>>);

#[async_trait]
impl Workbench for Noting {
    fn tenant(&self) -> &str {
        ""
    }

    fn kept(&self, _: &str) -> Option<String> {
        None
    }

    async fn keep(&self, _: &str, _: &str) -> Result<(), Interrupted> {
        Ok(())
    }

    fn remark(&self, remark: Remark) {
        match remark {
            Remark::WithoutMaterial(topics) => self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(topics),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn topics_without_material_are_named_and_the_others_are_not() {
    let named = |ask: &dyn Fn(&Noting)| {
        let bench = Noting::default();
        ask(&bench);
        bench.0.into_inner().unwrap()
    };
    let generator: &dyn Generator = &engine::Builtin;
    let outline = "1. Osmosis\n2. Plate tectonics";
    for (material, expected) in [(plants(), vec!["Plate tectonics"]), (Vec::new(), vec!["Osmosis", "Plate tectonics"])]
    {
        let asked = SlideRequest { material: material.clone(), ..slide(outline) };
        assert_eq!(named(&|bench| drop(generator.requested_slide(&asked, bench).now_or_never().unwrap())), expected);
        let asked =
            CourseRequest { description: outline.into(), material: material.clone(), ..CourseRequest::default() };
        assert_eq!(named(&|bench| drop(generator.requested_course(&asked, bench).now_or_never().unwrap())), expected);
        let asked = VideoRequest { description: outline.into(), material: material.clone(), ..VideoRequest::default() };
        assert_eq!(named(&|bench| drop(generator.requested_video(&asked, bench).now_or_never().unwrap())), expected);
        let asked = TestRequest { material: material.clone(), ..test(outline, "", "") };
        let expected = if material.is_empty() { vec!["Osmosis and Plate tectonics"] } else { expected };
        assert_eq!(named(&|bench| drop(generator.requested_test(&asked, bench).now_or_never().unwrap())), expected);
    }
    let asked = test("A cell is the smallest unit of life.", "", "");
    assert_eq!(named(&|bench| drop(generator.requested_test(&asked, bench).now_or_never().unwrap())), [""; 0]);
}

#[test]
fn nothing_to_write_from_is_said_so() {
    for empty in ["", "  \n ", "...", "— !? —", "\u{200B}\u{202E}", "<p></p>"] {
        let drafts = all(empty, &[]);
        assert!(drafts.errors.iter().all(|error| error.code == "source_empty"), "{empty:?}: {:?}", drafts.errors);
        assert_eq!(drafts.errors.len(), 4, "{empty:?}");
    }
    let material_only = all("", &plants());
    assert!(material_only.errors.is_empty(), "{:?}", material_only.errors);
}

#[test]
fn the_same_request_gives_the_same_drafts() {
    for text in ["Osmosis", "1. Osmosis\n2. Minerals", PLANTS] {
        let (one, other) = (all(text, &plants()), all(text, &plants()));
        assert_eq!((one.test, one.slide, one.course, one.video), (other.test, other.slide, other.course, other.video));
    }
}

#[test]
fn the_trait_answers_like_the_functions() {
    let (generator, bench): (&dyn Generator, _) = (&engine::Builtin, engine::BareBench::default());
    let (test, slide) = (test("Osmosis", "", ""), slide("Osmosis"));
    let ready = futures_util::FutureExt::now_or_never;
    assert_eq!(ready(generator.requested_test(&test, &bench)).unwrap(), builtin::requested_test(&test));
    let ready = futures_util::FutureExt::now_or_never;
    assert_eq!(ready(generator.requested_slide(&slide, &bench)).unwrap(), builtin::requested_slide(&slide));
}

/// The drafts of all kinds from one text in every prompt, each looked at by the gate once more.
struct Drafts {
    test: Option<QuizDraft>,
    slide: Option<SlideDraft>,
    course: Option<CourseDraft>,
    video: Option<VideoDraft>,
    errors: Vec<GenerationError>,
}

fn all(text: &str, material: &[SourceModule]) -> Drafts {
    let (text, material) = (text.to_owned(), material.to_vec());
    let mut errors = Vec::new();
    let mut note = |error: GenerationError| errors.push(error);
    let request = TestRequest {
        topic_prompt: text.clone(),
        target_prompt: text.clone(),
        level: text.clone(),
        language: String::new(),
        material: material.clone(),
    };
    let test = builtin::requested_test(&request).map_err(&mut note).ok();
    if let Some(draft) = &test {
        assert_eq!(check_quiz(draft).and(check_citations(&draft.citations, &request)), Ok(()));
    }
    let request = SlideRequest {
        title: text.clone(),
        description: text.clone(),
        outline: text.clone(),
        language: String::new(),
        material: material.clone(),
    };
    let slide = builtin::requested_slide(&request).map_err(&mut note).ok();
    if let Some(draft) = &slide {
        assert_eq!(check_slide(draft).and(check_citations(&draft.citations, &request)), Ok(()));
    }
    let request = CourseRequest {
        title: text.clone(),
        description: text.clone(),
        level: text.clone(),
        language: text.clone(),
        material: material.clone(),
    };
    let course = builtin::requested_course(&request).map_err(&mut note).ok();
    if let Some(draft) = &course {
        assert_eq!(check_course(draft).and(check_citations(draft.citations(), &request)), Ok(()));
    }
    let request = VideoRequest { title: text.clone(), description: text, language: String::new(), material };
    let video = builtin::requested_video(&request).map_err(&mut note).ok();
    if let Some(draft) = &video {
        assert_eq!(check_video(draft).and(check_citations(&draft.citations, &request)), Ok(()));
    }
    Drafts { test, slide, course, video, errors }
}

/// Texts that mean harm or that nobody thought of.
const HOSTILE: [&str; 22] = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)> javascript:alert(1)",
    "\u{202E}gnirts desrever\u{202C} \u{2066}x",
    "{topic} {title} {term}",
    "-1",
    "7",
    "# \n## \n- \n1. ",
    "- \n- \n-",
    "a\n b\n  c\n   d\n    e\n     f\n      g\n       h",
    "1.1.1.1.1.1 x\n1.1 y",
    "A: B: C: D",
    ": : :",
    "Create a test",
    "Create a test about",
    "Create a test about the for grade 5",
    "10 questions",
    "Explain",
    "?",
    "Is it? Was it? Will it?",
    "שלום עולם. זהו מבחן קצר על תאים וצמחים.",
    "การสังเคราะห์ด้วยแสงเป็นกระบวนการที่พืชสร้างอาหาร",
    "🌱🌿🌳 photosynthesis 🌞",
];

#[test]
fn hostile_prompts_give_a_sound_draft_or_a_typed_error() {
    for text in HOSTILE {
        for material in [&[][..], &plants()[..]] {
            let drafts = all(text, material);
            assert!(drafts.errors.iter().all(|error| error.code == "source_empty"), "{text:?}: {:?}", drafts.errors);
            let html = drafts.slide.map(|draft| draft.content_html).unwrap_or_default();
            assert!(!html.contains("<script") && !html.contains("<svg") && !html.contains('\u{202E}'), "{html}");
        }
        let hostile = SourceModule { id: format!("{text}/~"), title: text.to_owned(), html: text.to_owned() };
        all("Plants", &[hostile]);
    }
}

#[test]
fn no_text_takes_more_than_linear_time_in_prompts_of_fifty_thousand_characters() {
    let pieces = [
        "x",
        "x ",
        "X. ",
        "水",
        "光合作用是植物利用光能的过程。",
        "- a\n",
        "  - a\n",
        "1. a\n",
        "# a\n",
        "a\n",
        "a: b\n",
        "a, ",
        "Cells are small units of life. ",
        "Create a test about cells. ",
        "10 questions ",
        "(",
        "\"",
        "<b>",
        "</p>",
        "<li>x",
        "\n",
        "a\n\n",
        "! ",
        "? ",
        "1.1.1 a\n",
        "سؤال ",
        "के बारे में ",
        "について",
        "hakkında ",
        "\t- a\n",
        "[x](",
        "`",
        "| a ",
        "<section><h2>a</h2><p>A cell is a small unit. ",
    ];
    for piece in pieces {
        let text: String = piece.chars().cycle().take(50_000).collect();
        let watch = Stopwatch::start();
        let drafts = all(&text, &[]);
        let module = SourceModule { id: "m".into(), title: text.clone(), html: text.clone() };
        let filled = all("Cells: small units of life", &[module.clone(), module]);
        let taken = watch.seconds();
        let errors = drafts.errors.iter().chain(&filled.errors);
        assert!(
            errors.clone().all(|error| error.code == "source_empty"),
            "{piece:?}: {:?}",
            errors.collect::<Vec<_>>()
        );
        assert!(taken < 15.0, "{piece:?}: {taken} s");
    }
}

#[test]
fn very_many_modules_take_little_time() {
    let module = |at: usize| SourceModule { id: at.to_string(), title: format!("Cells {at}"), html: PLANTS.repeat(20) };
    let watch = Stopwatch::start();
    let drafts = all(&"1. Osmosis and minerals\n".repeat(200), &(0..100).map(module).collect::<Vec<_>>());
    assert!(drafts.errors.is_empty(), "{:?}", drafts.errors);
    assert!(watch.seconds() < 15.0, "{} s", watch.seconds());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_prompt_gives_a_sound_draft_or_a_typed_error(
        parts in proptest::collection::vec(
            prop_oneof![
                any::<String>(),
                "[ \t]{0,6}([-*#]|[0-9]{1,2}[.)]|[a-c][)])? ?[A-Za-zé水]{1,9}( [a-z]{1,8}){0,12}[.:?]?",
                proptest::sample::select(&HOSTILE[..]).prop_map(str::to_owned),
                Just("Create a quiz about cells for students.".to_owned()),
                Just("A cell is the smallest unit of life.".to_owned()),
            ],
            0..8,
        ),
        newline in any::<bool>(),
    ) {
        let text = parts.join(if newline { "\n" } else { " " });
        let text = text.replace('\0', "");
        for material in [&[][..], &plants()[..]] {
            let drafts = all(&text, material);
            prop_assert!(drafts.errors.iter().all(|error| error.code == "source_empty"), "{:?}", drafts.errors);
        }
    }
}

#[test]
fn a_generated_module_serves_as_material() {
    for (path, text) in [
        ("biology_en", include_str!("fixtures/biology_en.json")),
        ("history_de", include_str!("fixtures/history_de.json")),
        ("prose_ar", include_str!("fixtures/prose_ar.json")),
        ("prose_ja", include_str!("fixtures/prose_ja.json")),
        ("russian_ru", include_str!("fixtures/russian_ru.json")),
        ("dialogue_fr", include_str!("fixtures/dialogue_fr.json")),
        ("demo", include_str!("../../lectern/assets/demo-course.json")),
    ] {
        let level = support::level_of(&serde_json::from_str(text).unwrap());
        let module = builtin::module(&level).unwrap();
        let request = TestRequest {
            topic_prompt: module.title.clone(),
            language: level.language.clone(),
            material: vec![SourceModule {
                id: "m".into(),
                title: module.title.clone(),
                html: module.content_html.clone(),
            }],
            ..TestRequest::default()
        };
        let draft = builtin::requested_test(&request).unwrap();
        assert!(draft.items.len() >= 7 && kinds(&draft).len() >= 3, "{path}: {draft:#?}");
        // What the material says of the title itself is the model answer to explaining it.
        if path == "demo" {
            let explain = draft.items.iter().find(|item| item.question.contains("Explain “The water cycle”")).unwrap();
            assert!(explain.correct_answers[0].contains("continuous movement of water"), "{explain:?}");
        }
        let text = bare(&module.content_html);
        for item in draft.items.iter().filter(|item| item.kind == QuizItemKind::Blank) {
            assert!(text.contains(&bare(&item.correct_answers[0])), "{path}: {item:?}");
        }
    }
}
