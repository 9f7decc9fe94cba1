//! Quizzes that are written in a text: lines, letters, GIFT, the Markdown of Open edX.

use serde_json::json;

use super::*;

#[test]
fn quizzes_in_texts_are_understood() {
    let text = "Read this.\n\n1. Which is red?\nA) Moon\nB) Mars\nAnswer: B\n\nQ: What is 2+2?\nA: 4\n\n- What else?\n- [ ] a\n- [x] b\n\nDone.";
    let found = read(json!({ "content": text }));
    let asked: Vec<&Question> = found
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .collect();
    let shown: Vec<(&str, String)> =
        asked.iter().map(|question| (question.question.as_str(), question.answers.join("+"))).collect();
    assert_eq!(
        shown,
        [("Which is red?", "Mars".to_owned()), ("What is 2+2?", "4".to_owned()), ("What else?", "b".to_owned())]
    );
    assert!(
        matches!(
            &found.blocks[..],
            [Block { body: Body::Paragraph(_), .. }, _, Block { body: Body::Paragraph(_), .. }]
        ),
        "{found:?}"
    );
    let html = "<p>Which is red?</p><ol><li>Moon</li><li>Mars</li></ol><p><strong>Answer:</strong> b</p>";
    assert_eq!(questions(json!({ "content": html }))[0].answers, ["Mars"]);
    assert_eq!(questions(json!({ "questions": ["What is it? (Answer: mud)", "Who?"] }))[0].answers, ["mud"]);
    let beside = questions(json!({ "questions": ["What is it?", "Who?"], "answers": ["mud", "Ann"] }));
    assert_eq!(beside[1].answers, ["Ann"]);
}

#[test]
fn what_is_said_behind_a_key_is_its_explanation() {
    let told = "Check.\n\n1. True or false: it is so.\n\nKey: TRUE. SECRET\n\n2) Which is red?\n a) Moon\n b) Mars\n\nRight answer: b. SECRET";
    let found = questions(json!({ "content": told }));
    let answers: Vec<&str> = found.iter().map(|question| question.answers[0].as_str()).collect();
    assert_eq!(answers, ["TRUE", "Mars"], "{found:?}");
    assert!(!shown(&read(json!({ "content": told }))).contains("SECRET"));
}

#[test]
fn open_edxs_markdown_is_read_and_its_marks_are_not_shown() {
    let text = "Try these.\n\n---\n\n>>What does 20,000 become at 10 % in 3 years?||In rupees.<<\n\n= 26620 +- 1\n\n[explanation]\nThree times.\n\
        [explanation]\n\n---\n\n>>Which one is a bank?<<\n\n( ) A shop {{No.}}\n(x) A lender {{Yes!}}\n\n---\n\n>>How many years?<<\n\n[[ 6, (8), 9 ]]\n\n\
        ---\n\n>>What is it called?<<\n\ns= rate\nor= EAR\n\n---\n\n>>Explain it.<<\n\n[[openresponse rubric=R2]]\nsample: As it is.\n";
    let read = read(json!({ "problems_md": text }));
    let asked: Vec<&Question> = read
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .collect();
    let answers: Vec<String> = asked.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["26620", "A lender", "8", "rate+EAR", ""]);
    assert_eq!(asked[0].question, "What does 20,000 become at 10 % in 3 years?");
    assert_eq!((asked[0].tolerance.as_deref(), asked[0].explanation.as_deref()), (Some("1"), Some("Three times.")));
    assert_eq!(asked[1].options, ["A shop", "A lender"]);
    let shown = format!("{:?}", read.blocks);
    assert!(shown.contains("Try these."), "{shown}");
    for secret in [">>", "{{", "explanation]", "openresponse", "As it is"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    let code = read_text("int a = 1 << 3;\nint b = a >> 2;", &Pointer::root("/lessons/0/code"), 1);
    assert!(!code.iter().any(|block| matches!(block.body, Body::Questions(_))), "{code:?}");
}

#[test]
fn a_numbered_question_ends_with_its_answer() {
    let text = "1.（判断题）浓硫酸敞口放置一段时间后，溶液的质量会减小。\n答案：错误\n解析：它会越放越沉。\n难度：中　分值：2\n\
        2.（连线题）把现象与变化对应起来\n左：1.变浑浊 2.溶解\n右：a.沉淀 b.蓝色\n答案：1-a；2-b\n解析：别穿错了。\n";
    let read = read(json!({ "题库": text }));
    let asked: Vec<&Question> = read
        .blocks
        .iter()
        .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None })
        .flatten()
        .collect();
    assert_eq!(asked.len(), 2, "{:?}", read.blocks);
    assert!(asked[1].question.contains("左：1.变浑浊 2.溶解 右："), "{}", asked[1].question);
    let others = read.blocks.iter().filter(|block| !matches!(block.body, Body::Questions(_)));
    assert!(others.into_iter().all(|block| matches!(block.body, Body::Heading { .. })), "{:?}", read.blocks);
    assert_eq!(asked[0].explanation.as_deref(), Some("它会越放越沉。"));
}

#[test]
fn gift_may_stand_behind_a_tag_and_on_lines_of_its_own() {
    let text = "::Q1::[html]<p>Which one?</p>{\n\t=right#Yes.\n\t~x#No.\n}\n\n::Q2::How much is it?{#\n\t=210:0#All of it.\n}\n";
    let asked = questions(json!({ "gift": text }));
    let answers: Vec<String> = asked.iter().map(|question| question.answers.join("+")).collect();
    assert_eq!(answers, ["right", "210"]);
}

#[test]
fn gift_is_no_code_whatever_its_member_is_called() {
    let text = "::Q1:: Which one? {\n~x\n=right\n}\n\n::Q2:: It is so. {FALSE}\n\n::Q3:: How many? {#15}\n";
    for lesson in [json!({ "quiz": { "format": "GIFT", "source": text } }), json!({ "source": text })] {
        let answers: Vec<String> = questions(lesson).iter().map(|question| question.answers.join("+")).collect();
        assert_eq!(answers, ["right", "false", "15"]);
    }
}
