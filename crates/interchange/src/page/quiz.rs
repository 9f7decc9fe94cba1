//! A module's quiz in HTML: answered, checked and explained without a script.
//!
//! Whether an answer is right is told by style rules: a choice is right when all keys are checked and nothing
//! else; a written answer is right when it fits the input's pattern. Opening "Check the answer" shows
//! which of the two sentences holds. A browser that does not know these rules shows the answer alone.

use std::collections::HashSet;
use std::fmt::Write as _;

use language::Labels;

use super::write::{escape, with_formulas};
use crate::model::{QuizItem, QuizKind};

/// The quiz as a section; nothing when there are no questions.
pub(super) fn section(quizzes: &[QuizItem], labels: &Labels) -> String {
    if quizzes.is_empty() {
        return String::new();
    }
    let mut html = format!("<section>\n<h2>{}</h2>\n", labels.questions);
    for (number, quiz) in (1..).zip(quizzes) {
        question(&mut html, quiz, number, labels);
    }
    answers_at_the_end(&mut html, quizzes, labels);
    html.push_str("</section>\n");
    html
}

fn question(html: &mut String, quiz: &QuizItem, number: usize, labels: &Labels) {
    let class = if quiz.kind == QuizKind::Blank { "written" } else { "choice" };
    let _ = write!(html, "<div class=\"quiz {class}\">\n<fieldset>\n<legend>");
    if !quiz.title.is_empty() {
        let _ = write!(html, "<span class=\"title\">{}</span>", with_formulas(&quiz.title));
    }
    let _ = writeln!(html, "{number}. {}</legend>", with_formulas(&quiz.question));
    if quiz.kind == QuizKind::Blank {
        written(html, quiz);
    } else {
        options(html, quiz, number, labels);
    }
    html.push_str("</fieldset>\n");
    if quiz.show_feedback && !quiz.correct_answers.is_empty() {
        let _ = write!(
            html,
            "<details><summary>{}</summary>\n<p class=\"right\">✓ {}</p><p class=\"wrong\">✗ {}</p>\n",
            labels.check, labels.right, labels.wrong
        );
        answer(html, quiz, labels);
        html.push_str("</details>\n");
    }
    html.push_str("</div>\n");
}

fn options(html: &mut String, quiz: &QuizItem, number: usize, labels: &Labels) {
    let is_several = quiz.correct_answers.len() > 1;
    let kind = if is_several { "checkbox" } else { "radio" };
    if is_several {
        let _ = writeln!(html, "<p>{}</p>", labels.several);
    }
    let keys: HashSet<&String> = quiz.correct_answers.iter().collect();
    for option in &quiz.options {
        let key = if keys.contains(option) { " class=\"key\"" } else { "" };
        let _ = writeln!(
            html,
            "<label class=\"option\"><input type=\"{kind}\" name=\"q{number}\"{key}><span>{}</span></label>",
            with_formulas(option)
        );
    }
}

fn written(html: &mut String, quiz: &QuizItem) {
    let question = escape(&quiz.question);
    let _ = write!(
        html,
        "<input type=\"text\" autocomplete=\"off\" spellcheck=\"false\" required aria-label=\"{question}\""
    );
    if quiz.show_feedback && !quiz.correct_answers.is_empty() {
        let _ = write!(html, " pattern=\"{}\"", escape(&pattern(&quiz.correct_answers)));
    }
    html.push_str(">\n");
}

fn answer(html: &mut String, quiz: &QuizItem, labels: &Labels) {
    let answers: Vec<String> = quiz.correct_answers.iter().map(|answer| with_formulas(answer)).collect();
    let _ = writeln!(html, "<p class=\"answer\">{} {}</p>", labels.answer, answers.join(" · "));
}

/// The answers that are not told at once.
fn answers_at_the_end(html: &mut String, quizzes: &[QuizItem], labels: &Labels) {
    let is_late = |quiz: &QuizItem| !quiz.show_feedback && !quiz.correct_answers.is_empty();
    if !quizzes.iter().any(is_late) {
        return;
    }
    let _ = writeln!(html, "<details><summary>{}</summary>", labels.answers);
    for (number, quiz) in (1..).zip(quizzes).filter(|(_, quiz)| is_late(quiz)) {
        let answers: Vec<String> = quiz.correct_answers.iter().map(|answer| with_formulas(answer)).collect();
        let _ = writeln!(html, "<p class=\"answer\">{number}. {}</p>", answers.join(" · "));
    }
    html.push_str("</details>\n");
}

/// A pattern that any of the texts fits, letter case and white space ignored.
fn pattern(texts: &[String]) -> String {
    let alternatives: Vec<String> = texts.iter().map(|text| alternative(text)).collect();
    format!("\\s*(?:{})\\s*", alternatives.join("|"))
}

fn alternative(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.chars().map(letter).collect::<String>());
    words.collect::<Vec<_>>().join("\\s+")
}

fn letter(c: char) -> String {
    let one = |mut letters: std::vec::IntoIter<char>| letters.next().filter(|_| letters.len() == 0);
    let lower = one(c.to_lowercase().collect::<Vec<_>>().into_iter());
    let upper = one(c.to_uppercase().collect::<Vec<_>>().into_iter());
    match (lower, upper) {
        (Some(lower), Some(upper)) if lower != upper => format!("[{lower}{upper}]"),
        _ if "\\^$.*+?()[]{}|/".contains(c) => format!("\\{c}"),
        _ => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_ignore_case_and_escape_what_has_a_meaning() {
        assert_eq!(pattern(&["Ab 1+1".to_owned(), "ß-x".to_owned()]), "\\s*(?:[aA][bB]\\s+1\\+1|ß-[xX])\\s*");
    }
}
