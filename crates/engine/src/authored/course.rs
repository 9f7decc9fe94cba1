//! A course: an outline of modules with their sections, then all sections at once.

use std::collections::HashSet;

use language::normal::normal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::Survey;
use super::desk::{Assignment, Desk};
use super::ground::Ground;
use super::module::{self, Written};
use super::outline::{
    self, DESCRIPTION, PlannedPart, TITLE, mended_part, mended_text, mended_title, part_faults, part_schema, repeated,
};
use super::prompt;
use super::sources::Shown;
use super::wording::{self, line};
use crate::drafts::CourseDraft;
use crate::generator::GenerationError;

/// Most modules, and sections of a module.
const MODULES: usize = 12;
const SECTIONS: usize = 6;

const INSTRUCTIONS: &str = "\
Your part of the work is the plan of a course. Other writers will write the sections of its modules, each from the excerpts \
that you name for it.

- `title`: what the course is about, in a few words. `description`: one or two sentences for somebody who decides whether to \
take it.
- `modules`: 1 to 12, in an order that is good to learn in; no two titles alike. Where a request lists topics, the modules \
follow it.
- `sections` of a module: 1 to 6. `heading`: a few words. `excerpts`: all that the section is about. Every excerpt with the \
role `material` that belongs to the course's subject belongs to a section.";

/// The plan of a course to be made.
struct CoursePlanning<'a>(Survey<'a>);

/// The plan of a course.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CourseOutline {
    title: String,
    description: String,
    modules: Vec<PlannedModule>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedModule {
    title: String,
    description: String,
    sections: Vec<PlannedPart>,
}

pub(super) async fn draft(desk: &Desk<'_>, ground: &Ground, level: String) -> Result<CourseDraft, GenerationError> {
    let sources = desk.sources;
    let survey = desk.compute(|| Survey::new((sources, ground), desk.limits.overview_characters));
    let outline = desk.have(&CoursePlanning(survey)).await?;
    let planned: Vec<PlannedPart> = outline.modules.iter().flat_map(|module| module.sections.iter().cloned()).collect();
    // What the plan forgot goes to its last section: a course is a choice, and has no room for what fits nowhere.
    let parts = outline::parts(sources, &planned, planned.len());
    let plan: Vec<String> = outline
        .modules
        .iter()
        .flat_map(|module| module.sections.iter().map(|section| format!("{}: {}", module.title, section.heading)))
        .collect();
    let mut sections = parts.iter().zip(module::write(desk, ground, &parts, &plan).await?);
    let written = outline.modules.iter().map(|planned| Written {
        title: &planned.title,
        description: &planned.description,
        sections: sections.by_ref().take(planned.sections.len()).collect(),
    });
    let mut written: Vec<Written<'_>> = written.collect();
    module::ask_again(desk, ground, &mut written).await?;
    let modules = desk.compute(|| written.into_iter().map(|module| module::finished(desk, module)).collect());
    Ok(CourseDraft {
        title: outline.title,
        description: outline.description,
        level,
        language: sources.language.clone(),
        modules,
    })
}

impl Assignment for CoursePlanning<'_> {
    type Piece = CourseOutline;
    const MOST_TOKENS: u32 = 6_000;

    fn name(&self) -> &'static str {
        "course_outline"
    }

    fn instructions(&self) -> String {
        INSTRUCTIONS.to_owned()
    }

    fn schema(&self) -> Value {
        let module = prompt::object(json!({
            "title": prompt::text("A few words."),
            "description": prompt::text("One or two sentences."),
            "sections": prompt::list(part_schema()),
        }));
        prompt::object(json!({
            "title": prompt::text("A few words."),
            "description": prompt::text("One or two sentences."),
            "modules": prompt::list(module),
        }))
    }

    fn material(&self) -> &Shown {
        &self.0.shown
    }

    fn shorter(&self) -> Self {
        Self(self.0.shorter())
    }

    fn task(&self) -> String {
        "Make the plan of the course.".to_owned()
    }

    fn fitted(&self, outline: CourseOutline) -> CourseOutline {
        let section = |part: PlannedPart| PlannedPart { heading: line(&part.heading), ..part };
        let module = |module: PlannedModule| PlannedModule {
            title: line(&module.title),
            description: line(&module.description),
            sections: module.sections.into_iter().map(section).collect(),
        };
        CourseOutline {
            title: line(&outline.title),
            description: line(&outline.description),
            modules: outline.modules.into_iter().map(module).collect(),
        }
    }

    fn texts(&self, outline: &CourseOutline) -> Vec<String> {
        let mut said = vec![outline.title.as_str(), &outline.description];
        for module in &outline.modules {
            said.extend([module.title.as_str(), &module.description]);
            said.extend(module.sections.iter().map(|section| section.heading.as_str()));
        }
        vec![said.join(". ")]
    }

    fn faults(&self, outline: &CourseOutline) -> Vec<String> {
        let given = self.0.given();
        let mut faults = named_faults(&outline.title, &outline.description, self.0.ground);
        faults.extend(wording::entries("`modules`", outline.modules.len(), MODULES));
        for (at, module) in outline.modules.iter().enumerate().take(MODULES) {
            let mut own = named_faults(&module.title, &module.description, self.0.ground);
            own.extend(wording::entries("`sections`", module.sections.len(), SECTIONS));
            own.extend(module.sections.iter().take(SECTIONS).flat_map(|part| part_faults(part, &given, self.0.ground)));
            own.extend(repeated("the heading", module.sections.iter().map(|section| section.heading.as_str())));
            faults.extend(own.into_iter().map(|fault| format!("modules[{at}]: {fault}")));
        }
        faults.extend(repeated("the title", outline.modules.iter().map(|module| module.title.as_str())));
        faults
    }

    fn mended(&self, outline: CourseOutline) -> Option<(CourseOutline, usize)> {
        let given = self.0.given();
        let named = |title: &str, description: &str| {
            let title = mended_title(title, self.0.ground)?;
            let description = mended_text(description, self.0.ground).unwrap_or_else(|| title.clone());
            Some((title, description))
        };
        let (title, description) = named(&outline.title, &outline.description)?;
        let mut titles = HashSet::new();
        let mut mend = |module: PlannedModule| {
            let (title, description) = named(&module.title, &module.description)?;
            let mut headings = HashSet::new();
            let sections = module.sections.into_iter().filter_map(|part| mended_part(part, &given, self.0.ground));
            let sections: Vec<PlannedPart> =
                sections.filter(|part| headings.insert(normal(&part.heading))).take(SECTIONS).collect();
            let sound = !sections.is_empty() && titles.insert(normal(&title));
            sound.then_some(PlannedModule { title, description, sections })
        };
        let before = outline.modules.len();
        let modules: Vec<PlannedModule> = outline.modules.into_iter().filter_map(&mut mend).take(MODULES).collect();
        let dropped = before - modules.len();
        (!modules.is_empty()).then_some((CourseOutline { title, description, modules }, dropped))
    }
}

fn named_faults(title: &str, description: &str, ground: &Ground) -> Vec<String> {
    let mut faults: Vec<String> = wording::length("`title`", title, TITLE).into_iter().collect();
    faults.extend(wording::length("`description`", description, DESCRIPTION));
    faults.extend(ground.inventions_in_heading(title));
    faults.extend(ground.inventions(description));
    faults
}
