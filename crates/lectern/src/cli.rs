//! The command line. What the commands do is in `commands/`, one file a noun or verb.

mod key;
mod lti;
mod processor;
mod workspace;
mod x402;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use key::{CreateKey, Key, KeyOwner, KeyScope, ListKeys, OneKey};
pub use lti::{ExamineRegistration, Lti};
pub use processor::{Processor, Reconcile, Resolve};
pub use workspace::{AddCredits, CreateWorkspace, LinkWorkspace, OneWorkspace, VerifyEmail, Workspace};
pub use x402::{ResolvePayment, X402};

/// Turns source JSON into classroom content, and grades learners' answers.
///
/// Settings come from lectern.toml and LECTERN_* variables; `lectern config` prints the effective ones.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Start here:\n  lectern demo              the five-minute tour\n  lectern init && lectern serve"
)]
pub struct Cli {
    /// The configuration file [default: LECTERN_CONFIG, else lectern.toml when it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The five-minute tour: sets up, serves, expands a real sample course, shows what came out
    #[command(after_help = "Example:\n  lectern demo --once")]
    Demo(Demo),
    /// Makes an admin, an organization, a classroom, a workspace and a key of each surface, or finds them again
    #[command(after_help = "Example:\n  \
        LECTERN_ADMIN_PASSWORD=… lectern init --email admin@example.com --organization \"Riverside School\" --json\n  \
        eval \"$(lectern init --env)\"")]
    Init(Init),
    /// Prints the code for the first administrator, who is made in a browser
    #[command(after_help = "Example:\n  lectern setup-code")]
    SetupCode,
    /// Serves HTTP and works in the background, until SIGTERM or Ctrl-C
    #[command(after_help = "Example:\n  LECTERN_LISTEN=0.0.0.0:8080 lectern serve --role api")]
    Serve(Serve),
    /// Brings the database to this version (serve does it too)
    #[command(after_help = "Example:\n  lectern migrate --check || echo \"steps are pending\"")]
    Migrate(Migrate),
    /// Checks configuration, database, files and TLS, and says in plain words what is wrong
    #[command(after_help = "Example:\n  lectern doctor --json")]
    Doctor(Json),
    /// Prints the effective configuration with the source of each value, secrets masked
    #[command(after_help = "Example:\n  LECTERN_LISTEN=127.0.0.1:9000 lectern config")]
    Config(Json),
    /// Grades a file of answers without a server, one JSON line each
    ///
    /// A score is out of 100, whatever the row's maxScore. Points by criterion are on the rubric's scale.
    #[command(after_help = "Example:\n  lectern grade answers.jsonl > grades.jsonl\n  \
        curl -H \"Authorization: Bearer $KEY\" $URL/v1/platform/evaluations/$ID/record > record.json\n  \
        lectern grade --replay record.json\n  \
        lectern grade graded-by-teachers.jsonl --compare --model standard")]
    Grade(Grade),
    /// Prints the OpenAPI document of an API surface
    #[command(after_help = "Example:\n  lectern openapi content > content.json")]
    Openapi(Openapi),
    /// Reads the text of a file on stdin, within limits; the service runs it for every file
    #[command(hide = true, after_help = "Example:\n  lectern extract-text pdf < essay.pdf")]
    ExtractText(ExtractText),
    /// Becomes a program that renders videos, within limits; the service runs it for every step
    #[command(
        name = "render-child",
        hide = true,
        after_help = "Example:\n  lectern render-child 2000000000 500000000 60 /tmp/work /usr/bin/ffmpeg -version"
    )]
    RenderChild(RenderChild),
    /// Replaces the master key: with the old one at hand, or when it is lost for good
    #[command(after_help = "Example:\n  \
        mv lectern-data/secret.key old.key && lectern replace-secret-key --old-key-file old.key --yes\n  \
        lectern replace-secret-key --yes")]
    ReplaceSecretKey(ReplaceSecretKey),
    /// Admin users
    #[command(subcommand, after_help = "Example:\n  lectern user list")]
    User(User),
    /// Organizations
    #[command(subcommand, after_help = "Example:\n  lectern org list")]
    Org(Org),
    /// Classrooms of an organization
    #[command(subcommand, after_help = "Example:\n  lectern classroom list --organization \"Riverside School\"")]
    Classroom(Classroom),
    /// Workspaces: the customers of the grading platform
    #[command(subcommand, after_help = "Example:\n  lectern workspace list")]
    Workspace(Workspace),
    /// API keys: an organization's for content, a workspace's for the platform
    #[command(
        subcommand,
        after_help = "Example:\n  lectern key create --organization \"Riverside School\" --name production"
    )]
    Key(Key),
    /// Learning platforms that launch here
    #[command(subcommand, after_help = "Example:\n  lectern lti doctor \"Riverside Moodle\"")]
    Lti(Lti),
    /// Payments that come with requests
    #[command(subcommand, after_help = "Example:\n  lectern x402 doctor")]
    X402(X402),
    /// The payment processor: what it was told, compared with what it has
    #[command(subcommand, after_help = "Example:\n  lectern processor reconcile")]
    Processor(Processor),
    /// The queue of background work
    #[command(subcommand, after_help = "Example:\n  lectern jobs list --state failed")]
    Jobs(Jobs),
    /// Webhooks that are being delivered, and those that were given up
    #[command(subcommand, after_help = "Example:\n  lectern deliveries list --state failed")]
    Deliveries(Deliveries),
    /// What led to a score and what came of a source, from any ID of the way
    #[command(after_help = "Example:\n  lectern trace 0192aee1-5a3b-7c2d-8e4f-123456789abc")]
    Trace(TraceId),
}

/// The choice of JSON, for scripts.
#[derive(Debug, Args)]
pub struct Json {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// End after the tour instead of serving on; exit 0 only if every step worked
    #[arg(long)]
    pub once: bool,
    /// The folder of the demo's data
    #[arg(long, value_name = "DIR", default_value = "./lectern-demo")]
    pub data_dir: PathBuf,
}

/// `lectern init`
#[derive(Debug, Args)]
pub struct Init {
    /// The admin's e-mail address
    #[arg(long, default_value = "admin@example.com")]
    pub email: String,
    /// The organization's name
    #[arg(long, value_name = "NAME", default_value = "My organization")]
    pub organization: String,
    /// The classroom's name
    #[arg(long, value_name = "NAME", default_value = "My classroom")]
    pub classroom: String,
    /// Make another key of each surface although there is one
    #[arg(long)]
    pub new_keys: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Print shell variables: eval "$(lectern init --env)"
    #[arg(long, conflicts_with = "json")]
    pub env: bool,
}

/// `lectern serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// Only a part of the service, to spread it over machines
    #[arg(long, value_enum, default_value_t = ServeRole::All)]
    pub role: ServeRole,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ServeRole {
    /// HTTP and background work
    All,
    /// HTTP only
    Api,
    /// Background work, with /healthz, /readyz and /metrics
    Worker,
}

/// `lectern migrate`
#[derive(Debug, Args)]
pub struct Migrate {
    /// Change nothing; exit 1 when steps are pending
    #[arg(long)]
    pub check: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern replace-secret-key`
#[derive(Debug, Args)]
pub struct ReplaceSecretKey {
    /// The key that is replaced: what it sealed is sealed with the new one
    #[arg(long, value_name = "FILE")]
    pub old_key_file: Option<PathBuf>,
    /// Accept that what the old key protected is lost, or with the old key, that links and recovery codes end
    #[arg(long)]
    pub yes: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern grade`
#[derive(Debug, Args)]
pub struct Grade {
    /// Lines of {id, question, referenceAnswer?, referenceAnswers?, rubric?, studentAnswer, maxScore,
    /// evaluationType?, language?, questionId?, reviewedAnswers?: [{answer, score, criteria?, feedback?, modelScore?}]}
    #[arg(value_name = "FILE.jsonl", required_unless_present = "replay")]
    pub file: Option<PathBuf>,
    /// Who grades rubric and open answers; a model is the configured one
    #[arg(long, value_enum, default_value_t = GradeBy::Builtin)]
    pub by: GradeBy,
    /// The model that grades: fast, standard or advanced, or a configured model's name; the standard one without it
    #[arg(long, value_name = "MODEL", conflicts_with = "by")]
    pub model: Option<String>,
    /// Compares the model and the built-in grader with the `score` that people gave each row: agreement, error, calibration,
    /// cost and latency; exit 1 when an answer has no grade of one of them
    #[arg(long, conflicts_with_all = ["by", "replay"])]
    pub compare: bool,
    /// Prices of a million tokens read and written, for the cost of the comparison
    #[arg(long, value_name = "READ,WRITTEN", requires = "compare")]
    pub prices: Option<TokenPrices>,
    /// Prints the comparison as JSON
    #[arg(long, requires = "compare")]
    pub json: bool,
    /// Answers that people have graded, for grading others to the same question by them: lines of {questionId, studentAnswer,
    /// score, maxScore, id?, minScore?, rubric?, criteria?, feedback?, modelScore?}
    #[arg(long, value_name = "REVIEWED.jsonl")]
    pub teach: Option<PathBuf>,
    /// Work grades out again from evaluations' records, without asking anybody; exit 1 when one comes out otherwise
    #[arg(long, value_name = "RECORDS.json", conflicts_with_all = ["file", "by", "model", "teach"])]
    pub replay: Option<PathBuf>,
}

/// What a model's provider takes for a million tokens, in any currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenPrices {
    /// Of the prompt.
    pub read: f64,
    /// Of the answer.
    pub written: f64,
}

impl std::str::FromStr for TokenPrices {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let price = |text: &str| text.trim().parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
        let prices = text.split_once(',').and_then(|(read, written)| Some((price(read)?, price(written)?)));
        let (read, written) = prices.ok_or("must be two numbers with a comma between, such as 0.15,0.6")?;
        Ok(Self { read, written })
    }
}

/// Who grades a file's rubric and open answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GradeBy {
    /// The built-in grader
    Builtin,
    /// A language model
    Model,
}

/// `lectern openapi`
#[derive(Debug, Args)]
pub struct Openapi {
    /// Which API surface
    #[arg(value_enum)]
    pub surface: Surface,
}

/// `lectern extract-text`
#[derive(Debug, Args)]
pub struct ExtractText {
    /// What the file is: pdf, docx or html
    pub format: String,
}

/// `lectern render-child`
#[derive(Debug, Args)]
pub struct RenderChild {
    /// The limits of memory, file size and processor time, the work folder, the program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<std::ffi::OsString>,
}

/// An API surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Surface {
    /// /v1/content
    Content,
    /// /v1/platform
    Platform,
}

/// `lectern user`
#[derive(Debug, Subcommand)]
pub enum User {
    /// Makes an admin user; the password comes from LECTERN_ADMIN_PASSWORD or the terminal
    #[command(after_help = "Example:\n  \
        lectern user create --email t@example.com --organization \"Riverside School\" --role ADMIN")]
    Create(CreateUser),
    /// Lists the admin users by e-mail
    #[command(after_help = "Example:\n  lectern user list --json")]
    List(Json),
}

/// `lectern user create`
#[derive(Debug, Args)]
pub struct CreateUser {
    /// The address to sign in with
    #[arg(long)]
    pub email: String,
    /// The organization to join, by name or id
    #[arg(long, value_name = "NAME_OR_ID", required_unless_present = "operator")]
    pub organization: Option<String>,
    /// The role in the organization
    #[arg(long, value_enum, ignore_case = true, default_value_t = UserRole::Admin)]
    pub role: UserRole,
    /// Let the user operate the whole service
    #[arg(long)]
    pub operator: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A role in an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UserRole {
    /// Reads and reviews grades
    #[value(name = "REVIEWER")]
    Reviewer,
    /// Edits content and reviews grades
    #[value(name = "TEACHER")]
    Teacher,
    /// Manages the organization
    #[value(name = "ADMIN")]
    Admin,
}

/// `lectern org`
#[derive(Debug, Subcommand)]
pub enum Org {
    /// Makes an organization
    #[command(after_help = "Example:\n  lectern org create --name \"Riverside School\" --json")]
    Create(CreateOrg),
    /// Lists all organizations by name
    #[command(after_help = "Example:\n  lectern org list")]
    List(Json),
}

/// `lectern org create`
#[derive(Debug, Args)]
pub struct CreateOrg {
    /// A name that no other organization has
    #[arg(long)]
    pub name: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern classroom`
#[derive(Debug, Subcommand)]
pub enum Classroom {
    /// Makes a classroom
    #[command(after_help = "Example:\n  \
        lectern classroom create --organization \"Riverside School\" --name \"Biology 7b\" --locale en")]
    Create(CreateClassroom),
    /// Lists the classrooms of an organization by name
    #[command(after_help = "Example:\n  lectern classroom list --organization \"Riverside School\"")]
    List(ListOfOrganization),
}

/// `lectern classroom create`
#[derive(Debug, Args)]
pub struct CreateClassroom {
    /// The organization, by name or id
    #[arg(long, value_name = "NAME_OR_ID")]
    pub organization: String,
    /// A name that no other classroom of the organization has
    #[arg(long)]
    pub name: String,
    /// The language code
    #[arg(long, default_value = "en")]
    pub locale: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A list within an organization.
#[derive(Debug, Args)]
pub struct ListOfOrganization {
    /// The organization, by name or id
    #[arg(long, value_name = "NAME_OR_ID")]
    pub organization: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern jobs`
#[derive(Debug, Subcommand)]
pub enum Jobs {
    /// Lists jobs, those due first in front
    #[command(after_help = "Example:\n  lectern jobs list --state queued --limit 20 --json")]
    List(ListJobs),
    /// Makes a failed or waiting job due now
    #[command(after_help = "Example:\n  lectern jobs retry 0197…")]
    Retry(OneJob),
    /// Removes a failed or waiting job; what it was to make is failed
    #[command(after_help = "Example:\n  lectern jobs cancel 0197…")]
    Cancel(OneJob),
}

/// `lectern jobs list`
#[derive(Debug, Args)]
pub struct ListJobs {
    /// Jobs in this state
    #[arg(long, value_enum, default_value_t = JobsState::Failed)]
    pub state: JobsState,
    /// How many at most
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JobsState {
    /// Waits for its time or for a worker
    Queued,
    /// A worker has it
    Running,
    /// Won't run again by itself
    Failed,
}

/// A job.
#[derive(Debug, Args)]
pub struct OneJob {
    /// The job's id, as `lectern jobs list` shows it
    #[arg(value_name = "JOB_ID")]
    pub job: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `lectern deliveries`
#[derive(Debug, Subcommand)]
pub enum Deliveries {
    /// Lists webhook deliveries of all endpoints: the latest failures, or what is due first
    #[command(after_help = "Example:\n  lectern deliveries list --state pending --json")]
    List(ListDeliveries),
    /// Delivers once more what was given up or delivered, with all its retries
    #[command(after_help = "Example:\n  lectern deliveries retry 0197… 0198…")]
    Retry(OneDelivery),
}

/// `lectern deliveries list`
#[derive(Debug, Args)]
pub struct ListDeliveries {
    /// Deliveries in this state
    #[arg(long, value_enum, default_value_t = DeliveriesState::Failed)]
    pub state: DeliveriesState,
    /// How many at most
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeliveriesState {
    /// Waits for an attempt, or one is under way
    Pending,
    /// Given up
    Failed,
}

/// A delivery: of one event to one endpoint.
#[derive(Debug, Args)]
pub struct OneDelivery {
    /// The endpoint's id, as `lectern deliveries list` shows it
    #[arg(value_name = "ENDPOINT_ID")]
    pub endpoint: String,
    /// The event's id, as `lectern deliveries list` shows it
    #[arg(value_name = "EVENT_ID")]
    pub event: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Something with a trace.
#[derive(Debug, Args)]
pub struct TraceId {
    /// The ID of an expansion job, a resource, a link, a launch session, a submission, an evaluation or a trace
    #[arg(value_name = "ID")]
    pub id: String,
    /// The workspace, by its ID or slug, where several are linked to the organization of an ID of content
    #[arg(long, value_name = "WORKSPACE")]
    pub workspace: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_command_has_an_example_in_its_help() {
        fn check(command: &clap::Command) {
            for sub in command.get_subcommands() {
                let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.starts_with("Example:\n"), "{}", sub.get_name());
                check(sub);
            }
        }
        let command = Cli::command();
        check(&command);
        command.debug_assert();
    }
}
