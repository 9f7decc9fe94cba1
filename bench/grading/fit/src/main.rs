//! Fits the weights of the built-in grader to a folder of graded answers and says how well it does on collections and questions
//! that it has not seen.
//!
//! ```text
//! cargo run --release -p fit -- FOLDER --pairs bench/grading/pairs.jsonl --out crates/grading/src/builtin/weights.json
//! ```
//!
//! Every `*.jsonl` of the folder is a collection. The same folder gives the same file, to the byte.

mod collections;
mod curve;
mod fitting;
mod pairs;
mod report;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;

use fitting::Fit;

/// Fits the built-in grader's weights to graded answers.
#[derive(Parser)]
struct Options {
    /// The folder with the collections: files of JSON lines with `questionId`, `question`, `referenceAnswer`, `referenceAnswers`,
    /// `studentAnswer`, `score`, `minScore`, `maxScore` and `language`.
    folder: PathBuf,
    /// Where the weights go.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Collections that are left alone, because code compares their answers or because they only test.
    #[arg(long, value_delimiter = ',', default_value = "math_equiv,redteam")]
    except: Vec<String>,
    /// Collections of one making, which count as one and are left out together.
    #[arg(long, value_delimiter = ',', default_value = "evouna_nq,evouna_tq")]
    together: Vec<String>,
    /// Pairs of a right and a wrong answer that differ by little: JSON lines with `question`, `referenceAnswer`, `right`, `wrong` and
    /// `language`. They are a collection too, and the report says how many a fit to the others puts in the right order.
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// Also leaves out each feature in turn.
    #[arg(long)]
    ablation: bool,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let mut collections = collections::read_all(&options.folder, &options.except, &options.together)?;
    let pairs = options.pairs.as_deref().map(pairs::read).transpose()?.unwrap_or_default();
    collections.extend((!pairs.is_empty()).then(|| pairs::as_collection(&pairs)));
    let fit = Fit { collections: &collections, pairs: &pairs };
    report::print(&mut std::io::stdout().lock(), &fit, options.ablation)?;
    if let Some(out) = &options.out {
        let weights = serde_json::to_string_pretty(&fit.weights())? + "\n";
        std::fs::write(out, weights).with_context(|| out.display().to_string())?;
    }
    Ok(())
}
