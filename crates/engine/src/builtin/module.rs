//! The interactive module: objectives, a section for each lesson with its whole content, key terms, and items to try while
//! reading.
//!
//! It has no recap: one in other words than the source's can't be made here, and one in the same words adds nothing.

use std::collections::HashSet;

use language::fill;
use language::normal::normal;

use crate::drafts::{Citation, ModuleDraft, ModuleQuiz, ModuleQuizKind, QuizItemKind};
use crate::phrases::Phrases;
use crate::reading::blocks::{Block, Body, Item, Note, Picture, Question, Quotation, Table, WorkedExample};
use crate::reading::pointer::Pointer;

use super::items::{Workshop, for_module};
use super::lesson::{Definition, Lesson};
use super::material::{Material, tidy};
use super::page::{Page, escaped};

/// Most key terms, and most of one lesson.
const MAX_KEY_TERMS: usize = 24;
const MAX_KEY_TERMS_A_LESSON: usize = 5;
/// Most lessons in the lists of objectives and recap; a longer list helps nobody.
const MAX_LISTED: usize = 40;

/// Drafts the module of a level.
pub(super) fn draft(material: &Material) -> ModuleDraft {
    let mut asked = Vec::new();
    let quizzes = quizzes(material, &mut asked);
    let mut citations = Vec::new();
    let content_html = content(material, &quizzes, &mut citations);
    citations.extend(asked);
    ModuleDraft {
        title: material.title.clone(),
        description: material.description(material.phrases().module_description),
        language: material.language.clone(),
        content_html,
        quizzes,
        citations,
    }
}

fn quizzes(material: &Material, citations: &mut Vec<Citation>) -> Vec<ModuleQuiz> {
    let items = for_module(&Workshop::new(material));
    let mut quizzes = Vec::with_capacity(items.len());
    for found in items {
        let kind = match found.item.kind {
            QuizItemKind::Select => ModuleQuizKind::Select,
            QuizItemKind::TrueFalse => ModuleQuizKind::TrueFalse,
            _ => ModuleQuizKind::Blank,
        };
        citations.push(Citation::new("quizzes", quizzes.len(), vec![found.pointer.written()]));
        quizzes.push(ModuleQuiz {
            sequence: u32::try_from(quizzes.len() + 1).unwrap_or(u32::MAX),
            title: material.lessons[found.lesson].short.clone(),
            question: found.item.question,
            kind,
            options: found.item.options,
            correct_answers: found.item.correct_answers,
            show_feedback: true,
        });
    }
    quizzes
}

fn content(material: &Material, quizzes: &[ModuleQuiz], citations: &mut Vec<Citation>) -> String {
    let phrases = material.phrases();
    let asked: HashSet<String> = quizzes.iter().map(|quiz| normal(&quiz.question)).collect();
    let mut page = Page::default();
    let attributes = format!("lang=\"{}\" dir=\"{}\"", escaped(&material.language), material.direction);
    let mut sections = Sections { page: &mut page, citations, count: 0 };
    sections.page_element("article", &attributes, |sections| {
        let lessons = &material.lessons;
        let goals = objectives(material);
        if !goals.is_empty() {
            let own = |lesson: &Lesson| {
                lesson.reading.objectives.iter().map(|objective| objective.pointer.clone()).collect::<Vec<_>>()
            };
            let cited = lessons.iter().take(MAX_LISTED).flat_map(|lesson| {
                Some(own(lesson)).filter(|own| !own.is_empty()).unwrap_or_else(|| vec![lesson.reading.pointer.clone()])
            });
            sections.section("objectives", phrases.objectives, cited.collect(), |page| {
                page.element("ul", "", |page| goals.iter().for_each(|text| page.plain_element("li", "", text)));
            });
        }
        for (at, lesson) in lessons.iter().enumerate() {
            let cited = if lesson.reading.fields.is_empty() {
                vec![lesson.reading.pointer.clone()]
            } else {
                lesson.reading.fields.clone()
            };
            sections.section(&format!("lesson-{}", at + 1), &lesson.title, cited, |page| {
                blocks(page, &lesson.reading.blocks, &asked);
            });
        }
        let terms = key_terms(material);
        if !terms.is_empty() {
            let cited = terms.iter().map(|(definition, _)| definition.pointer.clone()).collect();
            sections.section("key-terms", phrases.key_terms, cited, |page| glossary(page, &terms));
        }
    });
    page.finish()
}

/// Counts the sections and notes where each came from.
struct Sections<'a> {
    page: &'a mut Page,
    citations: &'a mut Vec<Citation>,
    count: usize,
}

impl Sections<'_> {
    fn page_element(&mut self, name: &str, attributes: &str, inside: impl FnOnce(&mut Sections<'_>)) {
        let Sections { page, citations, count } = self;
        page.element(name, attributes, |page| {
            page.line();
            inside(&mut Sections { page, citations, count: *count });
        });
    }

    fn section(&mut self, id: &str, heading: &str, pointers: Vec<Pointer>, inside: impl FnOnce(&mut Page)) {
        let mut written: Vec<String> = pointers.iter().map(Pointer::written).collect();
        let mut seen = HashSet::new();
        written.retain(|pointer| seen.insert(pointer.clone()));
        self.citations.push(Citation::new("sections", self.count, written));
        self.count += 1;
        self.page.section(id, heading, inside);
    }
}

/// Objectives, each once: the source's own, else what a lesson holds; none of lessons that are hardly more than a word.
fn objectives(material: &Material) -> Vec<String> {
    let telling = |lesson: &&Lesson| {
        lesson.reading.title.is_some()
            || !lesson.definitions.is_empty()
            || lesson.sentences.iter().any(|sentence| sentence.words > 3)
    };
    let mut seen = HashSet::new();
    let all = material.lessons.iter().take(MAX_LISTED).flat_map(|lesson| {
        let own = lesson.reading.objectives.iter().map(|objective| objective.text.clone());
        let made = Some(lesson).filter(|lesson| lesson.reading.objectives.is_empty() && telling(lesson));
        own.chain(made.map(|lesson| objective(lesson, material.phrases())))
    });
    all.filter(|text| seen.insert(normal(text))).take(MAX_LISTED).collect()
}

/// What a learner can do after a lesson, by what the lesson holds most of.
fn objective(lesson: &Lesson, phrases: &Phrases) -> String {
    let holds = |test: &dyn Fn(&Body) -> bool| lesson.reading.blocks.iter().any(|block| test(&block.body));
    let title = [("title", lesson.short.as_str())];
    let kind = lesson.reading.kind.to_lowercase();
    let formulas = lesson.sentences.iter().filter(|sentence| sentence.text.contains('=')).count();
    if lesson.calculates() {
        return tidy(&fill(phrases.objective_worked, &title));
    }
    if holds(&|body| matches!(body, Body::List { steps: true, items } if items.len() > 2)) && !kind.contains("read") {
        return tidy(&fill(phrases.objective_steps, &title));
    }
    if holds(&|body| matches!(body, Body::Dialogue(_))) {
        return tidy(&fill(phrases.objective_dialogue, &title));
    }
    if holds(&|body| matches!(body, Body::Timeline(_))) {
        return tidy(&fill(phrases.objective_timeline, &title));
    }
    let mut terms: Vec<&str> = Vec::new();
    for definition in lesson.definitions.iter().filter(|definition| definition.term.chars().count() <= 40) {
        if terms.len() < 3 {
            terms.push(&definition.term);
        }
    }
    if terms.len() >= 2 {
        return tidy(&fill(phrases.objective_terms, &[("title", &lesson.short), ("terms", &phrases.join(&terms))]));
    }
    let data = |body: &Body| matches!(body, Body::Table(_) | Body::Facts(_));
    let template = if holds(&data) && lesson.sentences.len() < 4 {
        phrases.objective_table
    } else if formulas * 4 > lesson.sentences.len() {
        phrases.objective_worked
    } else if holds(&|body| matches!(body, Body::Questions(_))) {
        phrases.objective_questions
    } else {
        phrases.objective_prose
    };
    tidy(&fill(template, &title))
}

/// Terms with what the source says of them; a sentence is shown once.
fn key_terms(material: &Material) -> Vec<(&Definition, String)> {
    let mut found: Vec<(&Definition, String)> = Vec::new();
    let mut seen = HashSet::new();
    for lesson in &material.lessons {
        // A list stands there as a list of terms already.
        let told = lesson.definitions.iter().filter(|definition| !definition.listed);
        for definition in told.take(MAX_KEY_TERMS_A_LESSON) {
            let text = match &definition.prose {
                Some(prose) => lesson.sentences[prose.sentence].text.clone(),
                None => definition.meaning.clone(),
            };
            if found.len() < MAX_KEY_TERMS && seen.insert(normal(&definition.term)) {
                found.push((definition, text));
            }
        }
    }
    found
}

fn glossary(page: &mut Page, terms: &[(&Definition, String)]) {
    page.element("dl", "", |page| {
        for (definition, text) in terms {
            page.plain_element("dt", "", &definition.term);
            page.plain_element("dd", "", text);
        }
    });
}

/// The blocks of a lesson. Its questions that are `asked` as items are not shown twice, unless it has nothing else.
pub(super) fn blocks(page: &mut Page, blocks: &[Block], asked: &HashSet<String>) {
    let shows_more = blocks.iter().any(|block| !matches!(block.body, Body::Questions(_) | Body::Heading { .. }));
    // A heading goes at most one level below the one before it.
    let mut level = 2;
    for block in blocks {
        match &block.body {
            Body::Heading { level: wanted, text } => {
                level = (wanted + 2).min(level + 1).clamp(3, 6);
                page.plain_element(&format!("h{level}"), "", text);
            }
            Body::Paragraph(passage) => page.element("p", "", |page| page.passage(passage)),
            Body::List { steps, items } => list(page, if *steps { "ol" } else { "ul" }, items),
            Body::Table(found) => table(page, found),
            Body::Definitions(pairs) => page.element("dl", "", |page| {
                for pair in pairs {
                    page.plain_element("dt", "", &pair.term);
                    page.element("dd", "", |page| {
                        page.plain(&pair.definition);
                        notes(page, &pair.notes);
                    });
                }
            }),
            Body::Questions(found) => {
                questions(page, found, |question| !shows_more || !asked.contains(&normal(question)));
            }
            Body::Facts(facts) => page.element("dl", "", |page| {
                for fact in facts {
                    page.plain_element("dt", "", &fact.label);
                    page.plain_element("dd", "", &fact.value);
                }
            }),
            Body::Dialogue(turns) => {
                for turn in turns {
                    page.element("p", "", |page| {
                        page.text_element("strong", "", &format!("{}:", turn.speaker));
                        page.text(" ");
                        page.plain(&turn.line);
                    });
                    notes(page, &turn.notes);
                }
            }
            Body::Timeline(events) => page.element("dl", "", |page| {
                for event in events {
                    page.plain_element("dt", "", &event.when);
                    page.element("dd", "", |page| {
                        page.plain(&event.what);
                        notes(page, &event.notes);
                    });
                }
            }),
            Body::Code(code) => {
                page.code(code.language.as_deref(), &code.text);
                if let Some(output) = &code.output {
                    page.element("pre", "", |page| page.text_element("samp", "", output));
                }
            }
            Body::Formula(formula) => page.element("p", "", |page| page.formula(formula, true)),
            Body::Picture(found) => picture(page, found),
            Body::Quotation(found) => quotation(page, found),
            Body::Example(found) => example(page, found),
        }
        page.line();
    }
}

/// Extras behind an entry: "Example: …" on a line of its own.
fn notes(page: &mut Page, notes: &[Note]) {
    for note in notes {
        page.element("div", "", |page| {
            page.text_element("em", "", &format!("{}:", note.label));
            page.text(" ");
            page.plain(&note.value);
        });
    }
}

/// A list with the lists inside it.
fn list(page: &mut Page, name: &str, items: &[Item]) {
    let Some(first) = items.first() else { return };
    page.element(name, "", |page| {
        let mut rest = items;
        while let Some((item, more)) = rest.split_first() {
            let inner = more.iter().take_while(|inner| inner.level > first.level).count();
            page.element("li", "", |page| {
                page.passage(&item.text);
                notes(page, &item.notes);
                list(page, "ul", &more[..inner]);
            });
            rest = &more[inner..];
        }
    });
}

fn table(page: &mut Page, table: &Table) {
    let width = table.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).max(table.columns.len());
    let padded = width <= 64;
    page.element("table", "", |page| {
        if !table.columns.is_empty() {
            page.element("thead", "", |page| {
                page.element("tr", "", |page| {
                    table.columns.iter().for_each(|column| page.plain_element("th", "scope=\"col\"", column));
                });
            });
        }
        page.element("tbody", "", |page| {
            for row in &table.rows {
                page.element("tr", "", |page| {
                    for (at, cell) in row.cells.iter().enumerate() {
                        let (name, scope) = if at == 0 { ("th", "scope=\"row\"") } else { ("td", "") };
                        page.plain_element(name, scope, cell);
                    }
                    if padded {
                        (row.cells.len()..width).for_each(|_| page.text_element("td", "", ""));
                    }
                });
                page.line();
            }
        });
    });
}

fn picture(page: &mut Page, picture: &Picture) {
    page.element("figure", "", |page| {
        page.picture(&picture.address, &picture.description);
        picture.caption.iter().for_each(|caption| page.plain_element("figcaption", "", caption));
    });
}

fn quotation(page: &mut Page, quotation: &Quotation) {
    page.element("blockquote", "", |page| {
        for passage in &quotation.paragraphs {
            page.element("p", "", |page| page.passage(passage));
        }
        if let Some(source) = &quotation.source {
            page.element("footer", "", |page| page.plain_element("cite", "", source));
        }
    });
}

fn example(page: &mut Page, example: &WorkedExample) {
    page.element("div", "", |page| {
        if let Some(title) = &example.title {
            page.element("p", "", |page| page.plain_element("strong", "", title));
        }
        page.element("p", "", |page| page.passage(&example.problem));
        list(page, "ol", &example.steps);
        if let Some(result) = &example.result {
            page.element("p", "", |page| page.passage(result));
        }
    });
}

/// The source's own questions that are `shown`, without their answers. Of one that has a key, the options are not shown:
/// they belong to the item that asks it.
fn questions(page: &mut Page, questions: &[Question], shown: impl Fn(&str) -> bool) {
    let questions: Vec<&Question> = questions.iter().filter(|question| shown(&question.question)).collect();
    if questions.is_empty() {
        return;
    }
    page.element("ol", "", |page| {
        for question in questions {
            page.element("li", "", |page| {
                page.plain_element("p", "", &question.question);
                if !question.options.is_empty() && question.answers.is_empty() {
                    page.element("ul", "", |page| {
                        question.options.iter().for_each(|option| page.plain_element("li", "", option));
                    });
                }
            });
        }
    });
}
