//! What of a source is asked, and what is not. The rules are in `docs/generation.md`.

mod support;

use engine::{QuizItem, QuizItemKind, builtin};
use serde_json::{Value, json};

/// The quiz of a level with these lessons.
fn quiz(lessons: &Value) -> Vec<QuizItem> {
    let level = support::level_of(&json!({ "title": "A level", "lessons": lessons }));
    builtin::quiz(&level).expect("a draft").items
}

/// The question that has this key, with its options.
fn asked_for<'i>(items: &'i [QuizItem], key: &str) -> Option<&'i QuizItem> {
    items.iter().find(|item| item.correct_answers.iter().any(|answer| answer == key))
}

#[test]
fn a_short_lesson_is_not_asked_about_as_if_a_number_of_items_were_ordered() {
    let told = "Bees visit flowers in the garden and carry pollen from plant to plant. Pollen sticks to the hair of the bees. \
        Gardeners often plant lavender near their trees.";
    let items = quiz(&json!([{ "title": "In the garden", "text": told }]));
    assert!(items.iter().all(|item| !item.question.contains("____")), "{items:#?}");
}

#[test]
fn a_name_that_a_sentence_gives_is_asked_for() {
    let told =
        "An organism or particle that causes disease is called a pathogen. The skin keeps pathogens out of the body.";
    let items = quiz(&json!([{ "title": "Defence", "text": told }]));
    assert!(asked_for(&items, "pathogen").is_some_and(|item| item.question.contains("____")), "{items:#?}");
    // The heading would tell it.
    let items = quiz(&json!([{ "title": "Pathogens", "text": told }]));
    assert!(items.iter().all(|item| !item.question.starts_with("Pathogens")), "{items:#?}");
    let items = quiz(&json!([{ "title": "A pathogen-free skin", "text": told }]));
    assert!(items.iter().all(|item| !item.question.starts_with("A pathogen-free")), "{items:#?}");
}

#[test]
fn a_sentence_that_points_elsewhere_is_not_asked_about() {
    let told = "In summer they are driven by a wind that is called the monsoon. The difference has no effect, because nobody \
        measures it in winter. The event was known to sailors as the great calm.";
    let items = quiz(&json!([{ "title": "Sailing", "text": told }]));
    assert!(items.iter().all(|item| !item.question.contains("____") && !item.question.contains("Why")), "{items:#?}");
}

#[test]
fn the_year_of_a_sentence_is_no_question_of_a_quiz() {
    let history = "The Treaty of Rome was signed in 1957 by six states. Great Britain joined the community in 1973. The Treaty \
        of Maastricht was signed in 1992. The Treaty of Lisbon came into force in 2009. The Schengen Agreement was signed in 1985.";
    let items = quiz(&json!([{ "title": "The Treaty of Rome and its followers", "text": history }]));
    assert!(items.iter().all(|item| item.correct_answers[0].parse::<u32>().is_err()), "{items:#?}");
    let ecology = "Raymond Lindeman published his study of Cedar Bog Lake in 1942. Energy is lost from level to level.";
    let items = quiz(&json!([{ "title": "The study of Raymond Lindeman", "text": ecology }]));
    assert!(asked_for(&items, "1942").is_none(), "{items:#?}");
}

#[test]
fn a_gap_of_the_source_that_other_words_fill_has_a_hint() {
    let asks = |question: &str, answers: Value| {
        let lesson = json!({ "title": "Wohnen", "text": "Wir lernen Wörter für Möbel.",
            "quiz": [{ "type": "fill_in", "question": question, "answers": answers }] });
        quiz(&json!([lesson])).remove(0).question
    };
    assert_eq!(asks("Das Buch liegt auf dem ____.", json!(["Tisch"])), "Das Buch liegt auf dem ____. (T…h)");
    // Its author hints at it, the answers begin differently, or the letter would tell it.
    for (question, answers) in [
        ("Er ____ am Tisch. (sitzen)", json!(["sitzt"])),
        ("Das Buch liegt auf dem ____.", json!(["Tisch", "Regal"])),
        ("Das Buch liegt auf ____ Tisch.", json!(["dem"])),
        ("Der Tisch ist ____ cm hoch.", json!(["75"])),
    ] {
        assert_eq!(asks(question, answers), question);
    }
}

#[test]
fn one_lesson_of_a_quiz_with_little_else_is_retold() {
    let told = |subject: &str| {
        format!("{subject} are kept warm by the farmer. ").repeat(2)
            + "Nobody in the village remembers how it began, and few people ask. Old men sit beside the road in the evening and \
               talk of the time when the road was a path and the path was a field. Children run past them on their way to the river, \
               where the boats lie upside down until spring comes and somebody paints them blue again."
    };
    let lessons = json!([{ "title": "Hens", "text": told("Hens") }, { "title": "Ducks", "text": told("Ducks") }]);
    let items = quiz(&lessons);
    let retold: Vec<&QuizItem> = items.iter().filter(|item| item.question.starts_with("Retell")).collect();
    assert_eq!(retold.len(), 1, "{items:#?}");
    assert!(
        retold[0].correct_answers[0].contains("Hens are kept") && retold[0].correct_answers[0].contains("blue again")
    );
}

#[test]
fn an_abbreviation_is_not_asked_for_by_the_words_that_it_stands_for() {
    let glossary = json!({ "CPR": "cardiopulmonary resuscitation, by hand", "GFR": "the glomerular filtration rate of the kidney",
        "EU": "the European Union as a whole", "RCP": "rianimazione cardiopolmonare in Italian", "DNA": "the molecule that holds the genes of a cell", "RNA": "a copy of a gene that leaves the nucleus",
        "ATP": "the molecule that carries energy within a cell" });
    let items = quiz(&json!([{ "title": "Abbreviations", "glossary": glossary }]));
    assert!(["GFR", "EU", "RCP", "CPR"].iter().all(|term| asked_for(&items, term).is_none()), "{items:#?}");
    assert!(["DNA", "RNA", "ATP"].iter().any(|term| asked_for(&items, term).is_some()), "{items:#?}");
}

#[test]
fn a_number_that_the_lesson_calculates_with_is_not_asked_for() {
    let given = "The mass of the backpack is 6 kg in this case. The weight of the backpack follows.\n\n6 kg × 9.8 N/kg = 58.8 N";
    let items = quiz(&json!([{ "title": "Mass of a backpack", "text": given }]));
    assert!(asked_for(&items, "6").is_none(), "{items:#?}");
    let money = "William Vickrey showed that bidding exactly £800 is never worse than any other bid. The painting is worth £800 to you.";
    let items = quiz(&json!([{ "title": "Bidding what it is worth", "text": money }]));
    assert!(asked_for(&items, "800").is_none(), "{items:#?}");
    let example = "The weather is what happens at one time and place: the temperature rises to 24 °C in Lyon tomorrow.";
    let items = quiz(&json!([{ "title": "The weather", "text": example }]));
    assert!(asked_for(&items, "24").is_none(), "{items:#?}");
}

#[test]
fn a_word_list_in_two_languages_is_asked() {
    let words = json!([
        { "es": "la llave", "en": "key" }, { "es": "la ducha", "en": "shower" }, { "es": "el ascensor", "en": "lift" },
        { "es": "el desayuno", "en": "breakfast" }, { "es": "la toalla", "en": "towel" },
    ]);
    let items = quiz(&json!([{ "title": "At the hotel", "words": words }]));
    assert!(items.len() >= 3, "{items:#?}");
    for item in &items {
        assert_eq!(item.kind, QuizItemKind::Select, "nobody knows whether the article is to be written: {item:#?}");
    }
    // Whole sentences are examples, and nothing to define.
    let examples = json!([
        { "es": "Tengo una reserva.", "en": "I have a reservation." }, { "es": "La ducha no funciona.", "en": "The shower doesn't work." },
        { "es": "¿Hay toallas?", "en": "Are there towels?" }, { "es": "Busco la llave.", "en": "I am looking for the key." },
    ]);
    let items = quiz(&json!([{ "title": "At the hotel", "examples": examples }]));
    assert!(items.iter().all(|item| !item.question.contains("term")), "{items:#?}");
}

#[test]
fn the_sides_of_a_matching_exercise_may_be_named_by_letters_and_numbers() {
    let exercise = json!({
        "ex_id": "MX-0419-b", "instructions": "Match each word with its meaning.",
        "left": { "1": "la llave", "2": "el retraso", "3": "la aduana" },
        "right": { "a": "customs", "b": "key", "c": "delay" }, "key": "1-b, 2-c, 3-a",
    });
    let items = quiz(&json!([{ "title": "Words", "text": "Short words help travellers.", "matching": exercise }]));
    let shown = format!("{items:?}");
    assert!(!shown.contains("MX-0419-b") && !shown.contains("1-b"), "{items:#?}");
    assert!(shown.contains("la llave"), "{items:#?}");
}

#[test]
fn a_table_of_two_columns_is_asked_about() {
    let rows = [
        ("Flame", "Flammable gases"),
        ("Corrosion", "Skin burns"),
        ("Gas cylinder", "Gases under pressure"),
        ("Skull", "Acute toxicity"),
        ("Exclamation mark", "Irritation"),
    ];
    let rows: String = rows.iter().map(|(sign, hazard)| format!("<tr><td>{sign}</td><td>{hazard}</td></tr>")).collect();
    let html = format!("<table><tr><th>Pictogram</th><th>Typical hazard</th></tr>{rows}</table>");
    let items = quiz(&json!([{ "title": "Labels", "html": html }]));
    assert!(items.iter().any(|item| item.question.contains("Pictogram") && item.options.len() == 4), "{items:#?}");
}

#[test]
fn a_list_that_emphasises_its_terms_describes_them() {
    let list = |items: &[&str]| items.iter().map(|item| format!("- {item}\n")).collect::<String>();
    let asked = |items: &[&str]| {
        let items = quiz(&json!([{ "title": "Hazards", "text": list(items) }]));
        items.iter().any(|item| item.question.contains("Which description fits"))
    };
    assert!(asked(&[
        "**Danger:** a serious injury is likely to follow",
        "**Warning:** a serious injury may follow at once",
        "**Caution:** a slight injury may follow later on",
    ]));
    assert!(asked(&[
        "**Elimination** – the hazard is removed for good",
        "**Substitution** - a safer material is used instead",
        "**Isolation** — a wall stands between people and hazard",
    ]));
    // A hyphen within a word is no dash.
    assert!(!asked(&[
        "**Well**-known plants grow here",
        "**Deep**-sea fish live there",
        "**Low**-cost homes stand there"
    ]));
}

#[test]
fn two_terms_in_one_are_not_written() {
    let pairs = json!({ "F1 and F2": "The first and the second generation of the cross in this garden",
        "Allele": "One of several forms that a gene has in a population", "Genome": "All the inherited material of one organism" });
    let items = quiz(&json!([{ "title": "Words", "glossary": pairs }]));
    assert!(
        items.iter().all(|item| item.kind != QuizItemKind::Blank || item.correct_answers != ["F1 and F2"]),
        "{items:#?}"
    );
}

#[test]
fn a_section_is_retold_with_its_lists() {
    let text = "## What a label tells you\n\nA container must carry six things when it is shipped to the customer:\n\n\
        - a product identifier\n- a signal word\n- hazard statements\n- pictograms\n";
    let items = quiz(&json!([{ "title": "Labels", "text": text }]));
    let [only] = &items[..] else { panic!("{items:#?}") };
    assert!(only.question.contains("What a label tells you"), "{only:#?}");
    assert!(
        only.correct_answers[0].contains("A container must carry")
            && only.correct_answers[0].contains("statements; pictograms"),
        "{only:#?}"
    );
}

#[test]
fn code_in_a_question_keeps_its_lines() {
    let question = json!({ "prompt": "What does this print?\n\n```js\nlet a = 1;\nconsole.log(a);\n```",
        "options": ["1", "2", "3"], "correctIndex": 0 });
    let items = quiz(&json!([{ "title": "Code", "text": "Programs print values.", "quiz": [question] }]));
    assert_eq!(items[0].question, "What does this print?\nlet a = 1;\nconsole.log(a);");
}

#[test]
fn code_below_a_question_keeps_its_lines_without_a_fence() {
    let prompt = "After this code, what is n[\"a\"]?\n\nn = {}\nfor ch in \"banana\":\n    n[ch] = n.get(ch, 0) + 1";
    let question = json!({ "prompt": prompt, "options": ["1", "2", "3"], "correctIndex": 2 });
    let items = quiz(&json!([{ "title": "Counting", "text": "Letters are counted.", "quiz": [question] }]));
    assert!(asked_for(&items, "3").is_some_and(|item| item.question == prompt.replace("\n\n", "\n")), "{items:#?}");
    let prompt = "What does `f` print?\r\n\r\ndef f(n):\n    return n + 1\nprint(f(2))";
    let question = json!({ "prompt": prompt, "options": ["1", "2", "3"], "correctIndex": 2 });
    let items = quiz(&json!([{ "title": "Functions", "text": "Functions return.", "quiz": [question] }]));
    let shown = prompt.replace("\r\n\r\n", "\n");
    assert!(asked_for(&items, "3").is_some_and(|item| item.question == shown), "{items:#?}");
}

#[test]
fn a_term_that_names_its_lesson_is_not_written() {
    let told = "The kidneys are a pair of organs that clean the blood and lie against the back of the abdomen. Water leaves the \
        kidneys through two tubes.";
    let written = |title: &str| {
        let items = quiz(&json!([{ "title": title, "text": told }]));
        items.iter().any(|item| item.kind == QuizItemKind::Blank && item.correct_answers[0] == "kidneys")
    };
    assert!(written("How blood is cleaned") && !written("What the kidneys do"));
}

#[test]
fn a_year_of_the_buddhist_era_ends_no_sentence() {
    let told = "กรุงศรีอยุธยาสถาปนาขึ้นเมื่อ พ.ศ. 1893 โดยสมเด็จพระรามาธิบดีที่ 1";
    assert_eq!(language::sentences::split(told, language::profile::of("th")), [told]);
}

/// The questions about a Thai lesson.
fn thai_quiz(lesson: &Value) -> (engine::SourceLevel, Vec<QuizItem>) {
    let level = support::level_of(&json!({ "language": "th", "title": "วิทยาศาสตร์", "lessons": [lesson] }));
    let items = builtin::quiz(&level).expect("a draft").items;
    let is_english = |item: &QuizItem| {
        format!("{}{}", item.question, item.explanation).contains(|sign: char| sign.is_ascii_alphabetic())
    };
    assert!(!items.iter().any(is_english), "{items:#?}");
    (level, items)
}

#[test]
fn a_thai_lesson_is_asked_about_in_thai() {
    let told = "การสังเคราะห์ด้วยแสง หมายถึง กระบวนการที่พืชใช้พลังงานแสงสร้างน้ำตาลจากน้ำและคาร์บอนไดออกไซด์ \
        ใบไม้ที่ได้รับแสงมากสร้างน้ำตาลได้มากกว่าใบไม้ที่อยู่ในร่ม การสังเคราะห์ด้วยแสงเกิดขึ้นในคลอโรพลาสต์ของเซลล์พืช \
        อัตราการสังเคราะห์ด้วยแสงลดลงเพราะพืชได้รับน้ำไม่เพียงพอในฤดูแล้ง";
    let words = json!({
        "คลอโรฟิลล์": "สารสีเขียวในเซลล์พืชที่ดูดกลืนแสง", "ปากใบ": "รูเล็ก ๆ บนผิวใบที่แก๊สผ่านเข้าออก",
        "ไซเล็ม": "เนื้อเยื่อที่ลำเลียงน้ำจากรากขึ้นไปสู่ใบ", "โฟลเอ็ม": "เนื้อเยื่อที่ลำเลียงอาหารไปยังส่วนต่าง ๆ ของพืช",
    });
    let (level, items) = thai_quiz(&json!({ "title": "การสังเคราะห์ด้วยแสงของพืช", "เนื้อหา": told, "คำศัพท์": words }));
    let asked = asked_for(&items, "คลอโรฟิลล์").expect("a question");
    assert_eq!((asked.question.as_str(), asked.options.len()), ("คำใดตรงกับคำอธิบายนี้ “สารสีเขียวในเซลล์พืชที่ดูดกลืนแสง”", 4));
    assert_eq!(asked.explanation, "บทเรียนกล่าวว่า “คลอโรฟิลล์: สารสีเขียวในเซลล์พืชที่ดูดกลืนแสง”");
    let judged = items.iter().find(|item| item.kind == QuizItemKind::TrueFalse).expect("a statement");
    assert!(judged.question.contains("จริงหรือเท็จ: ใบไม้ที่ได้รับแสงมากสร้างน้ำตาลได้"), "{judged:#?}");
    assert_eq!(judged.options, ["จริง", "เท็จ"]);
    // Thai has no full stop.
    assert!(
        items.iter().any(|item| item.question.ends_with("เหตุใดจึงเป็นเช่นนี้ “อัตราการสังเคราะห์ด้วยแสงลดลง”")),
        "{items:#?}"
    );
    let therefore = told.replace("เพราะ", " เพราะฉะนั้น");
    let (_, items) = thai_quiz(&json!({ "title": "การสังเคราะห์ด้วยแสงของพืช", "เนื้อหา": therefore }));
    assert!(!items.iter().any(|item| item.question.contains("เหตุใด")), "{items:#?}");
    let module = builtin::module(&level).expect("a draft");
    for shown in ["จุดประสงค์การเรียนรู้</h2>", "คำสำคัญ</h2>", "คลอโรฟิลล์, ปากใบ และไซเล็ม", "<dt>การสังเคราะห์ด้วยแสง</dt>"]
    {
        assert!(module.content_html.contains(shown), "{shown}: {}", module.content_html);
    }
    assert_eq!(module.description, "บทเรียนเชิงโต้ตอบเรื่อง “วิทยาศาสตร์”: การสังเคราะห์ด้วยแสงของพืช");
}

#[test]
fn terms_that_thai_prose_defines_are_asked_for() {
    let told = "**พลังงานจลน์** หมายถึง พลังงานของวัตถุที่กำลังเคลื่อนที่\n\n**พลังงานศักย์** หมายถึง สิ่งที่สะสมอยู่ในวัตถุตามตำแหน่งของวัตถุนั้น\n\n\
        **แรงโน้มถ่วง** หมายถึง แรงที่ดึงดูดมวลทุกชนิดเข้าหากัน\n\n**ความเร่ง** หมายถึง อัตราการเปลี่ยนความเร็วในหนึ่งหน่วยเวลา";
    let (_, items) = thai_quiz(&json!({ "title": "กลศาสตร์เบื้องต้น", "เนื้อหา": told }));
    let asked = items.iter().find(|item| item.question == "คำอธิบายข้อใดตรงกับ “ความเร่ง”");
    assert!(asked.is_some_and(|item| item.correct_answers == ["อัตราการเปลี่ยนความเร็วในหนึ่งหน่วยเวลา"]), "{items:#?}");
}

#[test]
fn questions_that_an_object_names_are_cited_by_their_names() {
    let quiz_of = json!({ "1": { "vraag": "Net pay is the amount before tax.", "answer": "false" },
        "2": { "vraag": "Which is a deduction?", "options": "Tax; Net pay; Bonus", "answer": "Tax" } });
    let level = support::level_of(
        &json!({ "title": "Pay", "lessons": [{ "title": "Pay", "text": "Pay is for work.", "test": quiz_of }] }),
    );
    let draft = builtin::quiz(&level).expect("a draft");
    let cited: Vec<&String> = draft.citations.iter().flat_map(|citation| &citation.pointers).collect();
    assert!(cited.iter().any(|pointer| pointer.starts_with("/lessons/0/test/2")), "{cited:?}");
}

#[test]
fn the_numbers_of_steps_are_no_part_of_them() {
    let steps = [
        "Wash the rice.",
        "Soak the rice.",
        "Drain the rice well.",
        "Add the water.",
        "Boil it for ten minutes.",
        "Turn off the heat.",
        "Let it rest.",
        "Serve it.",
    ];
    for mark in [".", ")", "："] {
        let counted: Vec<String> =
            steps.iter().enumerate().map(|(at, step)| format!("{}{mark} {step}", at + 1)).collect();
        let items = quiz(&json!([{ "title": "How to cook rice", "steps": counted }]));
        let next = items
            .iter()
            .find(|item| item.options.iter().any(|option| steps.contains(&option.as_str())))
            .expect("a step");
        assert!(!next.question.contains(|sign: char| sign.is_ascii_digit()), "{next:#?}");
        assert!(next.options.iter().all(|option| steps.contains(&option.as_str())), "{next:#?}");
    }
}

#[test]
fn a_mark_behind_an_option_does_not_tell_the_key() {
    let words = json!([{ "tr": "nerede?", "en": "where?" }, { "tr": "düz", "en": "straight" }, { "tr": "sol", "en": "left" },
        { "tr": "sağ", "en": "right" }, { "tr": "köşe", "en": "corner" }]);
    let items = quiz(&json!([{ "title": "On the road", "words": words }]));
    assert!(items.iter().any(|item| !item.options.is_empty()), "{items:#?}");
    let marked = |option: &String| option.ends_with('?');
    assert!(items.iter().all(|item| !item.options.iter().any(marked)), "{items:#?}");
}

#[test]
fn a_proper_name_is_no_term_that_means_something() {
    let told = "Le Alpi sono la catena montuosa più alta d'Italia, al confine con Francia, Svizzera, Austria e Slovenia. Gli Appennini \
        attraversano la penisola.";
    let level = support::level_of(
        &json!({ "language": "it", "title": "Rilievi", "lessons": [{ "title": "Le Alpi e gli Appennini", "text": told }] }),
    );
    let items = builtin::quiz(&level).expect("a draft").items;
    assert!(
        !items.iter().any(|item| item.question.contains("significa") && item.correct_answers[0] == "Alpi"),
        "{items:#?}"
    );
}

#[test]
fn a_symbol_of_another_sentence_is_not_named() {
    let told =
        "Two numbers are congruent when their difference is a multiple of $n$. The number $n$ is called the modulus.";
    let items = quiz(&json!([{ "title": "Congruence", "text": told }]));
    assert!(asked_for(&items, "modulus").is_none(), "{items:#?}");
}

#[test]
fn wrong_options_are_of_the_same_lesson_where_it_has_enough() {
    let vessels = json!({ "artery": "a vessel that leads blood away from the heart", "vein": "a vessel that leads blood back to the heart",
        "capillary": "the thinnest vessel, where gases are exchanged", "valve": "a flap that stops blood from flowing back" });
    let matter = json!({ "melting": "the change of a solid into a liquid", "freezing": "the change of a liquid into a solid",
        "condensation": "the change of a gas into a liquid", "evaporation": "the change of a liquid into a gas" });
    let items =
        quiz(&json!([{ "title": "Blood vessels", "glossary": vessels }, { "title": "Matter", "glossary": matter }]));
    let terms: Vec<&QuizItem> = items.iter().filter(|item| item.question.starts_with("Which term")).collect();
    assert!(!terms.is_empty(), "{items:#?}");
    for item in terms {
        let of_vessels = item.options.iter().filter(|option| vessels.get(option.as_str()).is_some()).count();
        assert!(of_vessels == 0 || of_vessels == item.options.len(), "{item:#?}");
    }
}

#[test]
fn code_within_a_question_keeps_its_marks() {
    let question = json!({ "prompt": "What happens to `a` after `let b = a;`?", "options": ["It is moved", "It is copied", "It is gone"],
        "correctIndex": 0 });
    let items = quiz(&json!([{ "title": "Code", "text": "Programs move values.", "quiz": [question] }]));
    assert_eq!(items[0].question, "What happens to `a` after `let b = a;`?");
}

#[test]
fn exercises_of_several_kinds_are_all_asked() {
    let exercises = json!({
        "match": [{ "left": "nocturne", "right": "a quiet piece that John Field began" }, { "left": "rubato", "right": "a free way with time" },
            { "left": "mazurka", "right": "a dance in triple time" }],
        "open_questions": [{ "question": "Why are the mazurkas no music to dance to?", "sample_answer": "They are meant to be listened to." }],
    });
    let asked = |exercises: &Value| {
        quiz(&json!([{ "title": "Chopin", "text": "Chopin was born near Warsaw.", "exercises": exercises }]))
    };
    let items = asked(&exercises);
    assert!(asked_for(&items, "They are meant to be listened to.").is_some(), "{items:#?}");
    assert!(
        asked_for(&items, "a free way with time").is_some_and(|item| item.question.contains("rubato")),
        "{items:#?}"
    );
    // Its sides may be named in any language.
    for (left, right) in [("lewa", "prawa"), ("sol", "sag")] {
        let items =
            asked(&json!([{ left: "rubato", right: "a free way with time" }, { left: "mazurka", right: "a dance" }]));
        assert!(asked_for(&items, "a free way with time").is_some(), "{items:#?}");
    }
}

#[test]
fn a_report_is_more_than_its_steps() {
    let steps = ["Weigh the block.", "Heat it for ten minutes.", "Read the thermometer.", "Write down both values."];
    let items = quiz(&json!([{ "title": "Measuring heat", "type": "experiment", "steps": steps }]));
    let report = items.iter().find(|item| item.kind == QuizItemKind::Submission).expect("work to hand in");
    assert!(
        report.correct_answers[0].starts_with("A good report") && report.correct_answers[0].contains("4. Write down"),
        "{report:#?}"
    );
}

#[test]
fn an_article_that_only_the_key_has_does_not_tell_it() {
    let words = json!([{ "en": "the heating", "de": "die Heizung" }, { "en": "a wardrobe", "de": "ein Kleiderschrank" },
        { "en": "a viewing", "de": "eine Besichtigung" }, { "en": "a lease", "de": "ein Mietvertrag" }, { "en": "a deposit", "de": "eine Kaution" }]);
    let items = quiz(&json!([{ "title": "Renting a flat", "words": words }]));
    let article = |option: &String| option.split(' ').next().unwrap_or_default().to_lowercase();
    let chosen: Vec<&QuizItem> = items.iter().filter(|item| !item.options.is_empty()).collect();
    assert!(!chosen.is_empty(), "{items:#?}");
    for item in chosen {
        let own = article(&item.correct_answers[0]);
        let articles = ["die", "ein", "eine", "the", "a"];
        let is_alone = item.options.iter().filter(|option| article(option) == own).count() == 1;
        assert!(!is_alone || !articles.contains(&own.as_str()), "{item:#?}");
    }
}

#[test]
fn a_term_whose_words_its_meaning_holds_is_not_asked_for() {
    let of = |language: &str, terms: Value| {
        let level = support::level_of(
            &json!({ "language": language, "title": "A", "lessons": [{ "title": "B", "glossary": terms }] }),
        );
        builtin::quiz(&level).expect("a draft").items
    };
    let items = of(
        "ko",
        json!({ "주민 참여 예산제": "지방 자치 단체의 예산 편성 과정에 주민이 참여하는 제도", "조례": "지방 의회가 법령의 범위 안에서 제정하는 자치 규범",
        "주민 소환": "선출된 공직자를 임기 중에 투표로 해임할 수 있는 제도", "청원": "국가 기관에 문서로 희망을 말하는 일" }),
    );
    assert!(asked_for(&items, "주민 참여 예산제").is_none(), "{items:#?}");
}

#[test]
fn a_list_with_numbers_is_read_as_prose_unless_its_name_says_steps() {
    let facts = json!([
        "1. Osmosis is the movement of water through a membrane.",
        "2. Turgor is the pressure of water inside a plant cell."
    ]);
    let items = quiz(&json!([{ "title": "Water in cells", "facts": facts }]));
    assert!(
        items.iter().any(|item| item.question.contains("smosis") || item.correct_answers[0].contains("smosis")),
        "{items:#?}"
    );
    assert!(items.iter().all(|item| !item.question.contains("1.")), "{items:#?}");
}

#[test]
fn a_question_with_sides_stays_a_question() {
    let quiz_of = json!([
        { "question": "Which of the two animals is heavier?", "left": "cat", "right": "horse", "answer": "horse" },
        { "question": "Which of the two birds can't fly?", "left": "penguin", "right": "swallow", "answer": "penguin" },
    ]);
    let items = quiz(&json!([{ "title": "Animals", "text": "Animals have a weight.", "quiz": quiz_of }]));
    assert!(asked_for(&items, "horse").is_some_and(|item| item.question.contains("is heavier")), "{items:#?}");
}

#[test]
fn what_belongs_to_an_option_stays() {
    let macros = json!([{ "term": "println!", "definition": "a macro that prints a line to the terminal" },
        { "term": "vec!", "definition": "a macro that makes a growable array" }, { "term": "match", "definition": "a keyword that compares a value with patterns" },
        { "term": "format!", "definition": "a macro that makes a new string" }]);
    let titles = json!([{ "term": "A Farewell to Arms", "definition": "the novel that Hemingway set in Italy" }, { "term": "The Trial", "definition": "the novel that Kafka left unfinished" },
        { "term": "The Plague", "definition": "the novel that Camus set in Oran" }, { "term": "La Bohème", "definition": "the opera that Puccini set in Paris" }]);
    let known = ["println!", "vec!", "match", "format!", "A Farewell to Arms", "The Trial", "The Plague", "La Bohème"];
    let items = quiz(&json!([{ "title": "Macros", "glossary": macros }, { "title": "Works", "glossary": titles }]));
    let terms: Vec<&QuizItem> = items.iter().filter(|item| item.question.starts_with("Which term")).collect();
    assert!(!terms.is_empty(), "{items:#?}");
    assert!(terms.iter().all(|item| item.options.iter().all(|option| known.contains(&option.as_str()))), "{terms:#?}");
}

#[test]
fn a_thai_word_that_the_key_alone_shares_with_the_question_tells_it() {
    let words = json!([
        { "คำ": "พายุหมุนเขตร้อน", "ความหมาย": "พายุที่ก่อตัวเหนือมหาสมุทร มีลมพัดเวียนเข้าหาศูนย์กลาง" },
        { "คำ": "ความชื้นสัมพัทธ์", "ความหมาย": "อัตราส่วนของไอน้ำที่มีอยู่จริงต่อไอน้ำอิ่มตัว" },
        { "คำ": "บารอมิเตอร์", "ความหมาย": "เครื่องมือที่ใช้วัดแรงดันของบรรยากาศ" },
        { "คำ": "อุทกภัย", "ความหมาย": "ภัยที่เกิดจากน้ำท่วม" },
        { "คำ": "โทรโพสเฟียร์", "ความหมาย": "ชั้นล่างสุดซึ่งเกิดเมฆและฝน" },
        { "คำ": "มรสุม", "ความหมาย": "ลมที่พัดเปลี่ยนทิศทางตามฤดู" },
    ]);
    let (_, items) = thai_quiz(&json!({ "title": "ลมฟ้าอากาศ", "คำศัพท์": words }));
    let chosen: Vec<&str> =
        items.iter().filter(|item| item.options.len() > 2).map(|item| &*item.correct_answers[0]).collect();
    assert!(!chosen.contains(&"พายุหมุนเขตร้อน") && !chosen.contains(&"อุทกภัย") && !chosen.is_empty(), "{items:#?}");
}

#[test]
fn an_abbreviation_is_not_chosen_among_terms_in_full() {
    let terms = json!({ "CCC": "the days from paying for goods to being paid for them", "factoring": "the sale of unpaid invoices to a bank",
        "liquidity": "the ease with which debts can be paid on time", "overdraft": "money that an account may lack for a while" });
    let items = quiz(&json!([{ "title": "Cash", "glossary": terms }]));
    let chosen: Vec<&QuizItem> = items.iter().filter(|item| item.options.len() > 2).collect();
    assert!(!chosen.is_empty() && chosen.iter().all(|item| item.correct_answers[0] != "CCC"), "{items:#?}");
}

#[test]
fn a_lesson_with_code_is_retold_by_its_points_where_nothing_else_can_be_asked() {
    let told = "The index holds all words with their pages. The reader saves much time with the index.\n\n\
        The first row was found at once:\n\n```sql\nSELECT 1;\n```\n\nThe last row is new.";
    let items =
        quiz(&json!([{ "title": "GROUP BY or OVER?", "text": told }, { "title": "Quick searches", "text": told }]));
    let [only] = &items[..] else { panic!("{items:#?}") };
    assert!(only.question.starts_with("Retell") && only.question.contains("Quick searches"), "{only:#?}");
    assert_eq!(
        only.correct_answers,
        ["1. The index holds all words with their pages. 2. The reader saves much time with the index."]
    );
}

#[test]
fn a_word_of_a_list_of_words_is_not_explained() {
    let words = json!([
        { "sv": "ett spår", "en": "a track; the number that you look for on the board" }, { "sv": "en biljett", "en": "a ticket" },
        { "sv": "ett tåg", "en": "a train" }, { "sv": "en resa", "en": "a journey" },
    ]);
    let items = quiz(&json!([{ "title": "At the station", "words": words }]));
    assert!(!items.is_empty() && items.iter().all(|item| item.kind != QuizItemKind::OpenEnded), "{items:#?}");
}

#[test]
fn a_german_adjective_in_front_of_its_verb_is_no_term() {
    let told = "Reif ist der Honig, wenn die Waben zum größten Teil verdeckelt sind. Spritzt noch Nektar heraus, so ist er nicht reif. \
        Honig zieht Wasser aus der Luft.";
    let level = support::level_of(
        &json!({ "language": "de", "title": "Imkern", "lessons": [{ "title": "Honig ernten", "text": told }, { "title": "Das Leben der Bienen",
            "text": "Leben ist ein Vorgang, bei dem ein Körper Stoffe aufnimmt und umwandelt. Bienen leben in Völkern." }] }),
    );
    let items = builtin::quiz(&level).expect("a draft").items;
    assert!(asked_for(&items, "Reif").is_none(), "{items:#?}");
    assert!(items.iter().any(|item| item.question.contains("„Leben“")), "{items:#?}");
}

#[test]
fn why_is_not_asked_of_a_line_of_code() {
    let told = "A record class compares its members one by one.\n\n```java\nSystem.out.println(p == q);\n```\n\n\
        The last line prints false because the operator compares references of records. Records are final because nobody should extend a record class.";
    let items = quiz(
        &json!([{ "title": "A record class", "text": format!("{told}\n\nThe heap grows quickly because every record is an object of its own.") }]),
    );
    let why: Vec<&str> =
        items.iter().filter(|item| item.question.contains("Why")).map(|item| &*item.question).collect();
    assert!(!why.is_empty() && !why.iter().any(|question| question.contains("last line")), "{why:?}");
}

#[test]
fn the_date_of_an_event_is_asked_for_without_what_followed() {
    let events = json!([
        { "date": "14 December 1962", "event": "Mariner 2 flies past the planet Venus." }, { "date": "11 April 2006", "event": "Venus Express enters its orbit. The mission ends in December 2014." },
        { "date": "7 December 2010", "event": "Akatsuki misses its first chance." }, { "date": "15 December 1970", "event": "Venera 7 lands on the planet." },
        { "date": "4 May 1989", "event": "Magellan is launched from a shuttle." },
    ]);
    let items = quiz(&json!([{ "title": "Probes", "timeline": events }]));
    let asked: Vec<&QuizItem> = items.iter().filter(|item| item.question.contains("Venus Express")).collect();
    assert!(!asked.is_empty() && asked.iter().all(|item| !item.question.contains("2014")), "{items:#?}");
}

#[test]
fn the_options_of_pairs_end_alike() {
    let pairs = json!([{ "left": "Mag ik", "right": "May I have …?" }, { "left": "Anders nog iets", "right": "Anything else?" },
        { "left": "Dat is alles", "right": "That's all." }]);
    let items =
        quiz(&json!([{ "title": "At the market", "text": "Stalls open early.", "exercises": { "match": pairs } }]));
    let asked = asked_for(&items, "Anything else").expect("a question");
    assert!(asked.options.iter().all(|option| !option.ends_with(['?', '.', '…'])), "{asked:#?}");
    // A mark may be a part of its option.
    let pairs = json!([{ "left": "permutations", "right": "n!" }, { "left": "subsets", "right": "2^n" }, { "left": "pairs", "right": "n(n-1)" }]);
    let items =
        quiz(&json!([{ "title": "Counting", "text": "Choices are counted.", "exercises": { "match": pairs } }]));
    assert!(asked_for(&items, "n!").is_some(), "{items:#?}");
}

#[test]
fn a_statement_does_not_say_by_which_words_it_is_judged() {
    let quiz_of = json!([{ "question": "Crabs have two claws of one size. (T/F)", "answer": false }, { "question": "Crabs (many of them) dig.", "answer": true }]);
    let items = quiz(&json!([{ "title": "Crabs", "text": "Crabs live by the sea.", "quiz": quiz_of }]));
    let asked: Vec<&str> = items.iter().map(|item| &*item.question).collect();
    assert!(asked.iter().any(|question| question.ends_with("of one size.")), "{asked:?}");
    assert!(asked.iter().any(|question| question.ends_with("Crabs (many of them) dig.")), "{asked:?}");
}

#[test]
fn a_question_of_a_phrase_book_is_no_description() {
    let words = json!([{ "it": "A che ora parte?", "en": "What time does it leave?" }, { "it": "in orario", "en": "on time" },
        { "it": "alle nove", "en": "at nine o'clock" }, { "it": "Dov'è il binario sei?", "en": "Where is platform number six?" }]);
    let items = quiz(&json!([{ "title": "At the station", "words": words }]));
    assert!(!items.is_empty() && items.iter().all(|item| !item.question.contains("description")), "{items:#?}");
}

#[test]
fn a_lesson_is_retold_without_its_examples() {
    let told = "The principle holds for all choices that are made in steps. The steps follow one another in any order.\n\n\
        ### Worked example 1\n\nThe code consists of letters and digits. The digits may stand in front.\n\nThe choices are many.\n\n$$26 \\cdot 10$$";
    let items = quiz(
        &json!([{ "title": "How to count choices?", "text": "Choices." }, { "title": "Counting choices", "text": told }]),
    );
    let retold = items.iter().find(|item| item.question.starts_with("Retell")).expect("a question");
    assert!(retold.correct_answers[0].starts_with("1. The principle holds"), "{retold:#?}");
    assert!(!retold.correct_answers[0].contains("digits"), "{retold:#?}");
}

#[test]
fn a_solution_beside_an_answer_explains_it() {
    let exercise = json!({ "prompt": "Find the continued fraction of 67/29.", "answer": "[2; 3, 4, 2]",
        "solution": "67 = 2 · 29 + 9, then 29 = 3 · 9 + 2, then 9 = 4 · 2 + 1." });
    let items = quiz(&json!([{ "title": "Fractions", "text": "Fractions go on.", "exercises": [exercise] }]));
    let asked = asked_for(&items, "[2; 3, 4, 2]").expect("a question");
    assert_eq!((asked.correct_answers.len(), asked.explanation.contains("29 = 3")), (1, true), "{asked:#?}");
}

#[test]
fn a_solution_beside_what_is_accepted_explains_it() {
    let written = json!({ "stem": "Write 7 in balanced ternary.", "accept": ["1T1", "1t1"],
        "solution": "7 = 9 - 3 + 1, so the digits are 1T1." });
    let gap = json!({ "stem": "D7 = 6 · (265 + 44) = [[1]].", "solutions": { "1": ["1854", "1 854"] }, "solution": "6 · 309 = 1854." });
    let items = quiz(&json!([{ "title": "Numbers", "quiz": [written, gap] }]));
    for (keys, explanation) in [(["1T1", "1t1"], "7 = 9 - 3 + 1"), (["1854", "1 854"], "6 · 309")] {
        let item = items.iter().find(|item| item.correct_answers == keys).unwrap_or_else(|| panic!("{items:#?}"));
        assert_eq!(item.kind, QuizItemKind::Blank);
        assert!(item.explanation.contains(explanation), "{item:#?}");
    }
}

#[test]
fn statements_with_their_verdicts_in_brackets_are_judged() {
    let statements = json!(["Oxalic acid works in capped brood. (false)", "The mite breeds in the brood. (true)"]);
    let items = quiz(&json!([{ "title": "Mites", "quizz": statements }]));
    for (statement, verdict) in [("Oxalic acid", "False"), ("The mite", "True")] {
        let item = items.iter().find(|item| item.question.contains(statement)).unwrap_or_else(|| panic!("{items:#?}"));
        assert_eq!((item.kind, item.correct_answers[0].as_str()), (QuizItemKind::TrueFalse, verdict), "{item:#?}");
        assert!(!item.question.contains('('), "{item:#?}");
    }
}

#[test]
fn the_name_of_a_quizs_member_is_no_heading() {
    let quiz = json!([{ "vraag": "Wat is water?", "opties": ["H2O", "CO2"], "antwoord": "H2O" }]);
    for (name, heading) in [("toetsvragen", "Questions"), ("quizz", "Questions"), ("Test yourself", "Test yourself")] {
        let level =
            support::level_of(&json!({ "lessons": [{ "title": "Water", "text": "Water is wet.", name: quiz }] }));
        let html = builtin::module(&level).expect("a draft").content_html;
        assert!(html.contains(&format!(">{heading}<")), "{html}");
        assert!(!html.to_lowercase().contains("toetsvragen") && !html.contains("uizz<"), "{html}");
    }
}

#[test]
fn a_longer_way_to_write_a_short_answer_leaves_it_one() {
    let asked =
        json!({ "question": "Who stood for the emperor?", "accept": ["procurator", "procurator of all the mines"] });
    let items = quiz(&json!([{ "title": "Mines", "quiz": [asked] }]));
    assert_eq!(items.iter().map(|item| item.kind).collect::<Vec<_>>(), [QuizItemKind::Blank], "{items:#?}");
}

#[test]
fn a_numbered_word_with_its_translation_and_its_meaning_is_the_term() {
    let words = json!([
        { "n": 1, "it": "la tavola", "en": "top", "def": "The front plate of the body, made of spruce." },
        { "n": 2, "it": "il fondo", "en": "back", "def": "The rear plate, usually of maple." },
        { "n": 3, "it": "le fasce", "en": "ribs", "def": "Thin strips that are bent with heat." },
        { "n": 4, "it": "il ponticello", "en": "bridge", "def": "A piece that carries the strings." },
        { "n": 5, "it": "la cordiera", "en": "tailpiece", "def": "A part that holds the strings at the lower end." },
    ]);
    let items = quiz(&json!([{ "title": "Parts", "terms": words }]));
    assert!(items.iter().any(|item| item.correct_answers[0].starts_with(['l', 'i'])), "{items:#?}");
    let is_number = |text: &String| text.chars().all(|sign| sign.is_ascii_digit());
    assert!(items.iter().all(|item| !item.correct_answers.iter().chain(&item.options).any(is_number)), "{items:#?}");
    assert!(items.iter().all(|item| !item.question.contains(|sign: char| sign.is_ascii_digit())), "{items:#?}");
}

#[test]
fn words_are_chosen_among_words_of_their_sort() {
    let words = json!([
        { "nl": "het kruispunt", "en": "junction" }, { "nl": "oversteken", "en": "to cross" }, { "nl": "de rotonde", "en": "roundabout" },
        { "nl": "inhalen", "en": "to overtake" }, { "nl": "de voorrang", "en": "right of way" }, { "nl": "afslaan", "en": "to turn off" },
        { "nl": "het stoplicht", "en": "traffic light" }, { "nl": "remmen", "en": "to brake" }, { "nl": "de stoep", "en": "pavement" },
    ]);
    let items = quiz(&json!([{ "title": "In traffic", "words": words }]));
    let verbs = ["oversteken", "inhalen", "afslaan", "remmen"];
    let is_verb = |option: &&String| verbs.contains(&option.as_str()) || option.starts_with("to ");
    for item in &items {
        let verbs = item.options.iter().filter(is_verb).count();
        assert!(verbs == 0 || verbs == item.options.len(), "{item:#?}");
    }
    assert!(items.len() >= 3, "{items:#?}");
}

#[test]
fn a_translation_is_no_description() {
    let words = json!([
        { "nl": "ophalen", "en": "to pick up, to collect" }, { "nl": "plakken", "en": "to patch" }, { "nl": "oppompen", "en": "to pump up" },
        { "nl": "afstappen", "en": "to get off" }, { "nl": "remmen", "en": "to brake" },
    ]);
    let items = quiz(&json!([{ "title": "Cycling", "words": words }]));
    assert!(!items.is_empty() && items.iter().all(|item| !item.question.contains("description")), "{items:#?}");
}

#[test]
fn a_word_that_is_spelled_like_its_translation_is_spare() {
    let words = json!([
        { "sv": "balkong", "en": "balcony" }, { "sv": "fönster", "en": "window" }, { "sv": "glas", "en": "glass" },
        { "sv": "tak", "en": "roof" }, { "sv": "syster", "en": "sister" }, { "sv": "trappa", "en": "stairs" },
        { "sv": "golv", "en": "floor" }, { "sv": "vägg", "en": "wall" },
    ]);
    let items = quiz(&json!([{ "title": "At home", "words": words }]));
    let alike = ["balkong", "balcony", "glas", "glass", "syster", "sister"];
    assert!(
        !items.is_empty() && items.iter().all(|item| !alike.contains(&item.correct_answers[0].as_str())),
        "{items:#?}"
    );
}

#[test]
fn a_heading_that_asks_is_no_context() {
    let told = "## Which protection is needed?\n\nA sealed chamber that holds no oxygen is called an inert chamber. Workers test the air.";
    let items = quiz(&json!([{ "title": "Closed rooms", "text": told }]));
    assert!(asked_for(&items, "inert chamber").is_some(), "{items:#?}");
    assert!(items.iter().all(|item| !item.question.contains("Which protection")), "{items:#?}");
}

#[test]
fn why_is_not_asked_of_two_things_at_once() {
    let why = |claim: &str| {
        let told = format!("The muscle is long. {claim} because every movement of the body uses energy.");
        let items = quiz(&json!([{ "title": "The muscle", "text": told }]));
        items.iter().any(|item| item.question.contains("Why"))
    };
    assert!(why("The muscle holds many mitochondria"));
    assert!(!why("The muscle tires quickly and holds many mitochondria"));
}

#[test]
fn why_is_asked_in_thai_of_one_clause_only() {
    let why = |told: &str| {
        let (_, items) = thai_quiz(&json!({ "title": "การสังเคราะห์ด้วยแสงของพืช", "เนื้อหา": told }));
        items.iter().any(|item| item.question.contains("เหตุใด"))
    };
    assert!(why("อัตราการสังเคราะห์ด้วยแสงลดลงเพราะพืชได้รับน้ำไม่เพียงพอในฤดูแล้ง"));
    assert!(!why("พืชปิดปากใบในฤดูร้อน อัตราการสังเคราะห์ด้วยแสงลดลงเพราะพืชได้รับน้ำไม่เพียงพอในฤดูแล้ง"));
    assert!(!why("พืชตายเพราะได้รับน้ำไม่เพียงพอในฤดูแล้ง"));
}

#[test]
fn a_list_alone_is_not_retold() {
    let text = "<h3>A ladder may be reasonable when</h3><ul><li>the ground is level and firm;</li><li>you can keep a handhold for most of the task;</li>\
        <li>the load is light and both hands are free for climbing;</li><li>the ladder can be secured at its top or at its foot.</li></ul>";
    let items = quiz(&json!([{ "title": "Choosing a ladder", "html": text }]));
    assert!(items.iter().all(|item| !item.question.contains("reasonable when")), "{items:#?}");
}

#[test]
fn the_lines_of_a_file_are_not_retold() {
    let file = "# stock.txt: part, thread, quantity, price\nbolt M6 140 0.12\nnut M6 95 0.05\nwasher M6 400 0.02\nbolt M8 60 0.21\nnut M8 75 0.09\nscrew M4 0 0.04";
    let items = quiz(
        &json!([{ "title": "Patterns", "text": "Awk reads the lines of a file one after another.", "file": file }]),
    );
    let told = |item: &QuizItem| item.question.contains("stock.txt") || item.correct_answers[0].contains("bolt M6");
    assert!(!items.is_empty() && !items.iter().any(told), "{items:#?}");
}

#[test]
fn an_emphasised_option_loses_its_underscores() {
    let question = json!({ "question": "Which division makes sex cells?", "options": ["__meiosis__", "mitosis", "osmosis"], "answer": "meiosis" });
    let items = quiz(&json!([{ "title": "Division", "text": "Cells divide.", "quiz": [question] }]));
    assert!(asked_for(&items, "meiosis").is_some_and(|item| item.options.len() == 3), "{items:#?}");
}

#[test]
fn a_solution_that_names_an_option_is_the_key() {
    let question = json!({ "question": "Which city lies on the Tiber?", "options": ["Paris", "Rome", "Lyon"], "answer": 1, "solution": "Rome" });
    let items = quiz(&json!([{ "title": "Rivers", "text": "Rivers run.", "quiz": [question] }]));
    assert!(asked_for(&items, "Rome").is_some(), "{items:#?}");
    let question =
        json!({ "question": "The Tiber runs through Rome.", "answer": true, "solution": "It enters from the north." });
    let items = quiz(&json!([{ "title": "Rivers", "text": "Rivers run.", "quiz": [question] }]));
    assert!(asked_for(&items, "True").is_some_and(|item| item.explanation.contains("north")), "{items:#?}");
}

#[test]
fn options_with_their_verdicts_are_no_statements() {
    let written = json!(["Which is the capital of France?", "It is Paris (true)", "It is Rome (false)"]);
    let items = quiz(&json!([{ "title": "Capitals", "text": "Countries have capitals.", "quiz": written }]));
    assert!(items.iter().all(|item| item.kind != QuizItemKind::TrueFalse), "{items:#?}");
}

#[test]
fn a_model_answer_holds_whole_points_and_none_leans_across_a_heading() {
    let sentence = |at: usize| {
        format!(
            "The river number {at} of the country carries sand, gravel and mud from the northern mountains down to the sea."
        )
    };
    let paragraphs: Vec<String> = (0..24).map(sentence).collect();
    let told = format!("## Rivers\n\n{}\n\n## Lakes\n\nThey hold fresh water all year round.", paragraphs.join("\n\n"));
    let items = quiz(&json!([{ "title": "Water of the country", "text": format!("{told}\n\n$$1$$") }]));
    let retold = items.iter().find(|item| item.question.starts_with("Retell")).expect("a question");
    let answer = &retold.correct_answers[0];
    assert!(answer.ends_with("sea.") && answer.contains("8. ") && !answer.contains("They hold"), "{answer}");
}

#[test]
fn a_name_of_python_keeps_its_underscores() {
    let question = json!({ "question": "Which method runs when the block is left?", "options": ["__enter__", "__exit__", "__del__"], "answer": "__exit__" });
    let items = quiz(&json!([{ "title": "Blocks", "text": "Blocks are left.", "quiz": [question] }]));
    assert!(
        asked_for(&items, "__exit__").is_some_and(|item| item.options.contains(&"__del__".to_owned())),
        "{items:#?}"
    );
}

#[test]
fn an_abbreviation_is_not_asked_for_beside_its_words() {
    let asked = |fund: &str| {
        let told =
            format!("{fund}, known as FPM, is made of the income tax that the state collects. It helps small cities.");
        let items = quiz(&json!([{ "title": "City budgets", "text": told }]));
        asked_for(&items, "FPM").is_some()
    };
    assert!(!asked("The Federal Participation Method"));
    assert!(asked("The fund that all cities share"));
}

#[test]
fn a_point_of_a_lesson_may_lean_on_the_one_before_it() {
    let told = "**Definition.** The equation $x^2 = -1$ has no solution among the real numbers of the line. Therefore a larger set of \
        numbers is needed for it. The set of all complex numbers is a plane around the line of real numbers. It has two axes, and both \
        of them go on for ever. The numbers of the plane are added like arrows.";
    let items = quiz(&json!([{ "title": "Complex numbers", "text": told }]));
    let retold = items.iter().find(|item| item.question.starts_with("Retell")).expect("a question");
    let answer = &retold.correct_answers[0];
    assert!(answer.contains("2. Therefore a larger set"), "{answer}");
    assert!(!answer.contains("Definition."), "{answer}");
}

#[test]
fn a_term_that_begins_with_a_particle_is_not_written() {
    let glossary = json!({
        "to irrigate": "wash out a wound with a steady flow of fluid", "to offload": "take the pressure away from an area of the skin",
        "to suture": "close the edges of a cut with a thread", "to swab": "take a sample with a small piece of cotton",
        "to debride": "remove what is dead from the bed of a wound", "slough": "soft yellow dead tissue that sticks to a wound",
    });
    let items = quiz(&json!([{ "title": "Care", "glossary": glossary }]));
    let is_written = |item: &QuizItem| item.kind == QuizItemKind::Blank && item.correct_answers[0].starts_with("to ");
    assert!(!items.is_empty() && !items.iter().any(is_written), "{items:#?}");
}
