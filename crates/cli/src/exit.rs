//! Exit codes: one table, after sysexits where it has a word for it.

use std::fmt;
use std::process::ExitCode;

use millrace_model::{Error, ErrorKind};
use millrace_server::StartError;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something below, by its kind.
    Of(Error),
    /// Settings files, variables or flags, with all that is wrong.
    Settings(Vec<Error>),
    /// An error of a server, or a server that does not answer.
    Server(Error),
    /// The port is taken.
    PortInUse(StartError),
    /// A measured row missed its threshold.
    ThresholdMissed,
    /// A repair found nothing to save, and changed nothing.
    NothingSaved(Error),
}

/// A code and its meaning.
struct Code {
    code: u8,
    meaning: &'static str,
}

const USAGE: Code = Code { code: 64, meaning: "the command line is wrong" };
const BAD_INPUT: Code = Code { code: 65, meaning: "bad input: a row, a header, a query, a value" };
const NOT_FOUND: Code = Code { code: 66, meaning: "a file, folder or graph does not exist" };
const UNAVAILABLE: Code =
    Code { code: 69, meaning: "a server does not answer, or accepts no requests" };
const BUG: Code = Code { code: 70, meaning: "a bug of Millrace" };
const PORT_IN_USE: Code = Code { code: 71, meaning: "the port is in use" };
const CORRUPT: Code = Code { code: 72, meaning: "stored data is damaged" };
const EXISTS: Code = Code { code: 73, meaning: "the name exists already" };
const IO: Code = Code { code: 74, meaning: "reading or writing failed, or the disk is full" };
const IN_USE: Code = Code { code: 75, meaning: "the data folder is in use, or try again later" };
const VERSION: Code =
    Code { code: 76, meaning: "the data folder is of another version, or not supported" };
const FORBIDDEN: Code = Code { code: 77, meaning: "not allowed" };
const SETTINGS: Code = Code {
    code: 78,
    meaning: "a setting is wrong, or names a file or an address that cannot be used",
};
const NOTHING_SAVED: Code =
    Code { code: 79, meaning: "a repair can save no data of the folder, and did not change it" };
const THRESHOLD_MISSED: Code =
    Code { code: 1, meaning: "a bench row or a load missed a threshold" };

/// Every code but 0.
const CODES: [Code; 15] = [
    THRESHOLD_MISSED,
    USAGE,
    BAD_INPUT,
    NOT_FOUND,
    UNAVAILABLE,
    BUG,
    PORT_IN_USE,
    CORRUPT,
    EXISTS,
    IO,
    IN_USE,
    VERSION,
    FORBIDDEN,
    SETTINGS,
    NOTHING_SAVED,
];

/// The code of a command that did its work and could not write its answer.
pub(crate) const OUTPUT_LOST: u8 = IO.code;

impl Failure {
    /// The code of the process.
    pub(crate) fn code(&self) -> u8 {
        let code = match self {
            Failure::Of(error) => of_kind(error.kind),
            Failure::Server(error) if error.kind == ErrorKind::Unavailable => UNAVAILABLE,
            Failure::Server(error) => of_kind(error.kind),
            Failure::Settings(_) => SETTINGS,
            Failure::PortInUse(_) => PORT_IN_USE,
            Failure::ThresholdMissed => THRESHOLD_MISSED,
            Failure::NothingSaved(_) => NOTHING_SAVED,
        };
        code.code
    }
}

fn of_kind(kind: ErrorKind) -> Code {
    match kind {
        ErrorKind::BadQuery | ErrorKind::BadInput | ErrorKind::Failed | ErrorKind::Constraint => {
            BAD_INPUT
        }
        ErrorKind::NotFound => NOT_FOUND,
        ErrorKind::AlreadyExists => EXISTS,
        ErrorKind::Unsupported => VERSION,
        ErrorKind::Forbidden => FORBIDDEN,
        ErrorKind::Conflict | ErrorKind::Cancelled => IN_USE,
        ErrorKind::LimitReached | ErrorKind::DeadlineExceeded => UNAVAILABLE,
        // A data folder in use is reported with this kind.
        ErrorKind::Unavailable => IN_USE,
        ErrorKind::ReadOnly | ErrorKind::Io | ErrorKind::OutcomeUnknown => IO,
        ErrorKind::Corrupt => CORRUPT,
        ErrorKind::Bug => BUG,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Of(error) | Failure::Server(error) | Failure::NothingSaved(error) => {
                error.fmt(f)
            }
            // A line for each, as for the only one of other failures.
            Failure::Settings(errors) => {
                errors.iter().enumerate().try_for_each(|(number, error)| {
                    let line = if number == 0 { "" } else { "\nmillrace: " };
                    write!(f, "{line}{error}")
                })
            }
            Failure::PortInUse(error) => error.fmt(f),
            Failure::ThresholdMissed => f.write_str("a threshold was missed"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Of(error)
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        match error {
            StartError::PortInUse(..) => Failure::PortInUse(error),
            StartError::Setting(error) => Failure::Settings(vec![error]),
            StartError::Failed(error) => Failure::Of(error),
        }
    }
}

/// Prints the message of clap; help and version are no failures.
pub(crate) fn usage(refused: &clap::Error) -> ExitCode {
    // Standard output or error may be closed; then the message is lost, which is no failure.
    let _unread = refused.print();
    if refused.use_stderr() { ExitCode::from(USAGE.code) } else { ExitCode::SUCCESS }
}

/// The reference page of exit codes, as Markdown.
pub(crate) fn codes_page() -> String {
    let mut page = String::from(
        "# Exit codes\n\nGenerated by `millrace exit-codes`; do not edit.\n\n\
         | code | meaning |\n| --- | --- |\n| 0 | done |\n",
    );
    for Code { code, meaning } in CODES {
        page.push_str(&format!("| {code} | {meaning} |\n"));
    }
    page
}
