//! Every table is whole.

use super::*;

#[test]
fn every_table_uses_the_placeholders_of_the_english_one() {
    let english = templates(&en::PHRASES);
    for table in TABLES {
        for ((name, theirs), (_, ours)) in templates(table).into_iter().zip(&english) {
            assert!(!theirs.is_empty(), "{} {name} is empty", table.tag);
            assert_eq!(placeholders(theirs), placeholders(ours), "{} {name}", table.tag);
        }
    }
}

#[test]
fn tags_match_by_primary_subtag() {
    for (tag, found) in [("en-US", "en"), ("zh-Hant", "zh"), ("PT_br", "pt"), ("xx", "en"), ("", "en")] {
        assert_eq!(for_language(tag).phrases.tag, found);
    }
    assert!(for_language("xx").fallback && !for_language("ja").fallback);
}

fn placeholders(template: &str) -> Vec<&str> {
    let mut names: Vec<&str> = template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
    names.sort_unstable();
    names
}

fn templates(table: &Phrases) -> Vec<(&'static str, &'static str)> {
    let mut templates = vec![
        ("objectives", table.objectives),
        ("key_terms", table.key_terms),
        ("recap", table.recap),
        ("answer", table.answer),
        ("steps", table.steps),
        ("vocabulary", table.vocabulary),
        ("questions", table.questions),
        ("dialogue", table.dialogue),
        ("timeline", table.timeline),
        ("examples", table.examples),
        ("materials", table.materials),
        ("yes", table.yes),
        ("no", table.no),
        ("lesson_n", table.lesson_n),
        ("step_n", table.step_n),
        ("objective_prose", table.objective_prose),
        ("objective_terms", table.objective_terms),
        ("objective_steps", table.objective_steps),
        ("objective_table", table.objective_table),
        ("objective_dialogue", table.objective_dialogue),
        ("objective_timeline", table.objective_timeline),
        ("objective_questions", table.objective_questions),
        ("objective_worked", table.objective_worked),
        ("module_description", table.module_description),
        ("video_title", table.video_title),
        ("video_description", table.video_description),
        ("quiz_name", table.quiz_name),
        ("quiz_description", table.quiz_description),
        ("answer_true", table.answer_true),
        ("answer_false", table.answer_false),
        ("cloze_term", table.cloze_term),
        ("cloze_number", table.cloze_number),
        ("term_for", table.term_for),
        ("meaning_of", table.meaning_of),
        ("description_of", table.description_of),
        ("cell_of", table.cell_of),
        ("next_step", table.next_step),
        ("first_event", table.first_event),
        ("when_event", table.when_event),
        ("who_says", table.who_says),
        ("belongs_to", table.belongs_to),
        ("true_false", table.true_false),
        ("blank", table.blank),
        ("blank_term", table.blank_term),
        ("open_term", table.open_term),
        ("open_why", table.open_why),
        ("open_lesson", table.open_lesson),
        ("open_text", table.open_text),
        ("submission", table.submission),
        ("source_says", table.source_says),
        ("video_welcome", table.video_welcome),
        ("video_topics", table.video_topics),
        ("video_first", table.video_first),
        ("video_next", table.video_next),
        ("video_closing", table.video_closing),
        ("video_remember", table.video_remember),
        ("video_practice", table.video_practice),
        ("plus", table.plus),
        ("minus", table.minus),
        ("times", table.times),
        ("divided_by", table.divided_by),
        ("equals", table.equals),
        ("percent", table.percent),
        ("degrees", table.degrees),
        ("root_of", table.root_of),
        ("less_than", table.less_than),
        ("greater_than", table.greater_than),
    ];
    templates.extend(table.tasks.templates());
    templates
}
