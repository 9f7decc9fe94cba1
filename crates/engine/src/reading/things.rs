//! Objects that are one thing: a worked example, code, a picture, a quotation.

use serde_json::{Map, Value};

use super::addresses;
use super::blocks::{Body, Code, Item, Picture, Quotation, WorkedExample};
use super::flat::{flat, flat_text};
use super::inline::{Passage, keep_lines};
use super::markdown;
use super::names::{Role, Roles, fold, has_role};
use super::pointer::Pointer;
use super::quiz;
use super::shapes::{Member, Shaper, read_text};

/// Of the address of a picture, beside the names of pictures.
const ADDRESSES: [&str; 5] = ["src", "url", "href", "link", "uri"];
/// Of what a picture shows, for those who can't see it.
const DESCRIPTIONS: [&str; 6] = ["alt", "alttext", "imagealt", "alternativetext", "imagealttext", "imagedescription"];
/// Of the words below it, beside the names of captions.
const CAPTIONS: [&str; 2] = ["imagecaption", "figcaption"];
/// Of a program's language.
const LANGUAGES: [&str; 5] = ["language", "lang", "programminglanguage", "syntax", "codelanguage"];

/// A picture among the members of an object, and the names of the members that make it up. Nothing is a picture that has
/// neither a description nor a caption: it only decorates.
pub(super) fn picture<'v>(
    members: impl Iterator<Item = (&'v str, &'v Value)> + Clone,
) -> Option<(Picture, Vec<&'v str>)> {
    let text = |value: &Value| value.as_str().map(flat_text).filter(|text| !text.is_empty());
    let (mut description, mut caption) = (None, None);
    let mut names = Vec::new();
    for (name, value) in members.clone() {
        let folded = fold(name);
        if DESCRIPTIONS.contains(&folded.as_str()) {
            description = text(value);
            names.push(name);
        } else if CAPTIONS.contains(&folded.as_str()) || has_role(name, Role::Caption) {
            caption = text(value);
            names.push(name);
        }
    }
    if description.is_none() && caption.is_none() {
        return None;
    }
    let (name, address) = members
        .filter(|(name, _)| has_role(name, Role::Picture) || ADDRESSES.contains(&fold(name).as_str()))
        .find_map(|(name, value)| {
            let address = value.as_str().or_else(|| value.get("url").or_else(|| value.get("src"))?.as_str())?;
            Some((name, addresses::picture(address)?))
        })?;
    names.push(name);
    Some((Picture { address, description: description.unwrap_or_default(), caption }, names))
}

/// Code among members, and the names of those that make it up: beside a language or an output, or on several lines.
pub(super) fn code<'v>(members: &[Member<'v>]) -> Option<(Code, Vec<&'v str>)> {
    let member = members.iter().find(|member| has_role(member.name, Role::Code) && member.value.is_string())?;
    let language =
        members.iter().find(|member| LANGUAGES.contains(&fold(member.name).as_str()) && member.value.is_string());
    let output = members
        .iter()
        .find(|member| has_role(member.name, Role::Output) && (member.value.is_string() || member.value.is_number()));
    let written = member.value.as_str()?;
    let is_bare = language.is_none() && output.is_none();
    if is_bare && !is_code(written) || quiz::is_gift(written) {
        return None;
    }
    let text = keep_lines(unfenced(written));
    let output_text =
        output.map(|output| keep_lines(&output.value.as_str().map_or_else(|| output.value.to_string(), str::to_owned)));
    let code = Code {
        language: language
            .and_then(|language| language.value.as_str())
            .map(|name| name.trim().to_owned())
            .or_else(|| fenced_language(written)),
        text,
        output: output_text.filter(|text| !text.is_empty()),
    };
    let names = [Some(member), language, output].into_iter().flatten().map(|member| member.name).collect();
    (!code.text.is_empty()).then_some((code, names))
}

/// Several lines, of which some are set in or end as those of programs do.
pub(super) fn is_code(text: &str) -> bool {
    let lines = || text.trim().lines();
    lines().nth(1).is_some()
        && lines().any(|line| line.starts_with([' ', '\t']) || line.ends_with([';', '{', '}', ')', ':']))
        || text.trim_start().starts_with("```")
}

fn unfenced(text: &str) -> &str {
    let trimmed = text.trim();
    let Some(inner) = trimmed.strip_prefix("```") else { return text };
    let inner = inner.split_once('\n').map_or("", |(_, inner)| inner);
    inner.trim_end().strip_suffix("```").unwrap_or(inner)
}

fn fenced_language(text: &str) -> Option<String> {
    let info = text.trim().strip_prefix("```")?.lines().next()?.trim();
    (!info.is_empty() && info.len() <= 40).then(|| info.to_owned())
}

/// `{"quote": "…", "author": "…"}`.
pub(super) fn quotation(members: &[Member<'_>]) -> Option<Quotation> {
    let quote = members.iter().find(|member| has_role(member.name, Role::Quotation) && member.value.is_string())?;
    let source = members.iter().find(|member| has_role(member.name, Role::Author) && member.value.is_string());
    let others = members
        .iter()
        .any(|member| !std::ptr::eq(member, quote) && source.is_none_or(|source| !std::ptr::eq(source, member)));
    if others {
        return None;
    }
    let text = quote.value.as_str()?.trim().trim_matches(['"', '“', '”']);
    let paragraphs: Vec<Passage> =
        text.split("\n\n").map(markdown::inline).filter(|passage| !passage.text.is_empty()).collect();
    let source = source.and_then(|source| source.value.as_str()).map(flat_text).filter(|source| !source.is_empty());
    (!paragraphs.is_empty()).then_some(Quotation { paragraphs, source })
}

/// Whether members are a worked example: a task with the way to its result.
pub(super) fn is_example(members: &[Member<'_>], named: bool) -> bool {
    let problem = members.iter().any(|member| is_problem(member, named));
    let way = members.iter().any(|member| has_role(member.name, Role::Solution) || has_role(member.name, Role::Steps));
    problem && way
}

fn is_problem(member: &Member<'_>, named: bool) -> bool {
    let roles = Roles::of(member.name);
    member.value.is_string()
        && (roles.has(Role::Problem) || named && (roles.has(Role::Question) || roles.has(Role::Title)))
}

impl Shaper<'_> {
    /// A worked example. `named`: the members stand under a name that says so.
    pub(super) fn example(&self, members: &[Member<'_>], named: bool) -> Option<Body> {
        if !is_example(members, named) {
            return None;
        }
        let strict = members.iter().find(|member| is_problem(member, false));
        let asked = members.iter().find(|member| is_problem(member, named) && has_role(member.name, Role::Question));
        let problem = strict.or(asked).or_else(|| members.iter().find(|member| is_problem(member, named)))?;
        let mut example =
            WorkedExample { title: None, problem: self.passage(problem.value), steps: Vec::new(), result: None };
        for member in members.iter().filter(|member| !std::ptr::eq(*member, problem)) {
            let roles = Roles::of(member.name);
            match member.value {
                Value::Array(values) => {
                    let items = values
                        .iter()
                        .enumerate()
                        .map(|(index, value)| self.step_of(value, member.pointer.index(index)));
                    example.steps.extend(items.filter(|item| !item.text.text.is_empty()));
                }
                _ if roles.has(Role::Title) && example.title.is_none() => {
                    example.title = Some(flat(member.value, self.phrases));
                }
                _ if roles.has(Role::Hint) => {}
                Value::String(text) if roles.has(Role::Solution) || roles.has(Role::Steps) => {
                    self.solve(&mut example, text, &member.pointer);
                }
                value if roles.has(Role::Answer) => conclude(&mut example, self.passage(value), &member.pointer),
                value => {
                    let text = self.passage(value);
                    example.steps.push(Item { pointer: member.pointer.clone(), level: 0, text, notes: Vec::new() });
                }
            }
        }
        Some(Body::Example(example))
    }

    /// A solution as text: its list is the way, its last paragraph the result.
    fn solve(&self, example: &mut WorkedExample, text: &str, pointer: &Pointer) {
        let mut told: Vec<Passage> = Vec::new();
        for block in read_text(text, pointer, 1) {
            match block.body {
                Body::List { items, .. } => example.steps.extend(items),
                Body::Paragraph(passage) => told.push(passage),
                Body::Formula(latex) => {
                    let mut builder = super::inline::PassageBuilder::default();
                    builder.formula(&latex);
                    told.push(builder.finish());
                }
                body => super::flat::each_text(&body, &mut |text| told.push(Passage::plain(text))),
            }
        }
        let Some(last) = told.pop() else { return };
        example.steps.extend(told.into_iter().map(|text| Item {
            pointer: pointer.clone(),
            level: 0,
            text,
            notes: Vec::new(),
        }));
        conclude(example, last, pointer);
    }

    fn step_of(&self, value: &Value, pointer: Pointer) -> Item {
        let text = match value {
            Value::Object(members) => self.passage(&Value::String(joined(members, self))),
            value => self.passage(value),
        };
        Item { pointer, level: 0, text, notes: Vec::new() }
    }

    fn passage(&self, value: &Value) -> Passage {
        match value {
            Value::String(text) if !super::html::looks_like(text) => markdown::inline(&quiz::without_answers(text)),
            value => Passage::plain(&flat(value, self.phrases)),
        }
    }
}

/// The texts of a step's members; its number is none.
fn joined(members: &Map<String, Value>, shaper: &Shaper<'_>) -> String {
    let texts = members.values().filter(|value| !value.is_number()).map(|value| flat(value, shaper.phrases));
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The result; where there is one, the earlier one is a step.
fn conclude(example: &mut WorkedExample, result: Passage, pointer: &Pointer) {
    if let Some(before) = example.result.replace(result) {
        example.steps.push(Item { pointer: pointer.clone(), level: 0, text: before, notes: Vec::new() });
    }
}
