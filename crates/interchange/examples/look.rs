//! Shows what an import keeps of a file and what it does not:
//! `cargo run -p interchange --example look -- course.imscc`.

use std::io::Write;

use interchange::model::{Entry, TestContent};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args().skip(1) {
        writeln!(out, "== {path}")?;
        match interchange::import(&std::fs::read(&path)?) {
            Ok(imported) => show(&imported, &mut out)?,
            Err(error) => writeln!(out, "refused ({}): {error}", error.code())?,
        }
    }
    Ok(())
}

fn show(imported: &interchange::Imported, out: &mut impl Write) -> std::io::Result<()> {
    for test in &imported.tests {
        show_test(test, out)?;
    }
    for module in &imported.modules {
        writeln!(out, "module {:?} ({} bytes of HTML)", module.title, module.html.len())?;
    }
    for course in &imported.courses {
        writeln!(out, "course {:?}", course.title)?;
        for entry in &course.entries {
            match entry {
                Entry::Module(module) => writeln!(out, "  module {:?} ({} bytes)", module.title, module.html.len())?,
                Entry::Test(test) => show_test(test, out)?,
                Entry::Link(link) => writeln!(out, "  link {:?} {}", link.title, link.url)?,
            }
        }
    }
    for finding in &imported.report.findings {
        writeln!(out, "! {} [{:?}] {}", finding.file, finding.code, finding.message)?;
    }
    Ok(())
}

fn show_test(test: &TestContent, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "test {:?} {:?} {:?} {:?}", test.title, test.language, test.time_limit_minutes, test.passing)?;
    for item in &test.items {
        writeln!(
            out,
            "  {} [{}] {:?}\n      {:?} -> {:?} ({:?})",
            item.kind.name(),
            item.score,
            item.question,
            item.options,
            item.correct_answers,
            item.explanation
        )?;
    }
    Ok(())
}
