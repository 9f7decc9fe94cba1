//! Expansions a second with the built-in generator, from the claim of the job to the commit of its last output.

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::scenarios;
use crate::servers::Worked;
use crate::settings::Settings;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        for (name, option) in [("expand, one lesson", None), ("expand, six lessons", Some("--course"))] {
            report.progress(&format!("{name}, {}", engine.name()));
            let database = Database::make(settings, engine)?;
            let bare = scenarios::bare_window(settings, &database)?;
            let mut arguments = database.arguments("expand");
            arguments.push(format!("--expansions={}", settings.expansions));
            arguments.extend(option.map(str::to_owned));
            let mut child = Child::server(&arguments, &database.folder().join("expand.log"))?;
            let worked: Worked = child.answer()?;
            let figure = Figure::new(name, engine.name()).peak(worked.peak_bytes);
            report.add(figure.throughput(worked.per_second(), worked.cpu_us(), bare.per_second()));
        }
    }
    Ok(())
}
