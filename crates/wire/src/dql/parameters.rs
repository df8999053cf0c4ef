//! The parameters of a path's query, as Go reads numbers, flags and times.

use std::time::Duration;

use super::failure::{Code, Failure};
use crate::http::target::query_pairs;

/// The form of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerForm {
    /// Objects.
    #[default]
    Json,
    /// N-Quads.
    Rdf,
}

/// What is asked for by `/assign`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    /// Uids of nodes.
    Uids,
    /// Numbers of transactions.
    Timestamps,
}

/// All parameters that any path knows. Others mean nothing, as in Dgraph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// `startTs`: the transaction; 0: a new one.
    pub start_ts: u64,
    /// `commitNow`: the mutations are committed at once.
    pub commit_now: bool,
    /// `abort`: the transaction ends without a commit.
    pub abort: bool,
    /// `ro`: the transaction only reads.
    pub read_only: bool,
    /// `be`: it may read what is a little old.
    pub best_effort: bool,
    /// `debug`: nodes have their uids.
    pub debug: bool,
    /// `runInBackground`: indexes may be made after the answer.
    pub run_in_background: bool,
    /// `timeout`: how long the request may take.
    pub timeout: Option<Duration>,
    /// `respFormat`.
    pub form: AnswerForm,
}

impl Parameters {
    /// Reads the query of a path.
    pub fn read(query: Option<&str>) -> Result<Parameters, Failure> {
        let mut own = Parameters::default();
        for (name, value) in pairs(query)? {
            // As if it were not there.
            if value.is_empty() {
                continue;
            }
            match name.as_str() {
                "startTs" => own.start_ts = number(&name, &value)?,
                "commitNow" => own.commit_now = flag(&name, &value)?,
                "abort" => own.abort = flag(&name, &value)?,
                "ro" => own.read_only = flag(&name, &value)?,
                "be" => own.best_effort = flag(&name, &value)?,
                "debug" => own.debug = flag(&name, &value)?,
                "runInBackground" => own.run_in_background = flag(&name, &value)?,
                "timeout" => own.timeout = Some(duration(&name, &value)?),
                "respFormat" => {
                    own.form = match value.as_str() {
                        "json" => AnswerForm::Json,
                        "rdf" => AnswerForm::Rdf,
                        _ => return Err(wrong(&name, &value, "json or rdf")),
                    }
                }
                _ => {}
            }
        }
        Ok(own)
    }

    /// Reads the query of `/assign`: what is wanted, and how many.
    pub fn read_assign(query: Option<&str>) -> Result<(Assign, u64), Failure> {
        let pairs = pairs(query)?;
        let value = |wanted: &str| {
            let found = pairs.iter().find(|(name, _)| name == wanted);
            found.map_or("", |(_, value)| value.as_str())
        };
        let count = match value("num") {
            "" => 0,
            digits => number("num", digits)?,
        };
        let what = match value("what") {
            "uids" => Assign::Uids,
            "timestamps" => Assign::Timestamps,
            "nsids" => {
                let message =
                    "a namespace has its number from CreateNamespace: none are assigned in advance";
                return Err(Failure::new(Code::Error, message).without_data());
            }
            other => {
                let message =
                    format!("Invalid what: [{other}]. Must be one of: [uids, timestamps, nsids]");
                return Err(Failure::new(Code::Error, message).without_data());
            }
        };
        Ok((what, count))
    }
}

fn pairs(query: Option<&str>) -> Result<Vec<(String, String)>, Failure> {
    let pairs = query_pairs(query.unwrap_or_default());
    pairs.map_err(|error| Failure::of(&error).without_data())
}

fn wrong(name: &str, value: &str, wanted: &str) -> Failure {
    let shown: String = value.chars().take(40).collect();
    let message = format!("invalid value [{shown}] for parameter {name}: it must be {wanted}");
    Failure::new(Code::InvalidRequest, message).without_data()
}

/// A whole number; `0x` begins a hexadecimal one.
fn number(name: &str, value: &str) -> Result<u64, Failure> {
    let hex = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
    let is_plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let found = match hex {
        Some(digits) if is_plain(digits) => u64::from_str_radix(digits, 16),
        _ if is_plain(value) => value.parse(),
        _ => return Err(wrong(name, value, "a whole number")),
    };
    found.map_err(|_| wrong(name, value, "a whole number"))
}

fn flag(name: &str, value: &str) -> Result<bool, Failure> {
    match value {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(wrong(name, value, "true or false")),
    }
}

/// Numbers with units, as `1m30s` or `1.5h`.
fn duration(name: &str, value: &str) -> Result<Duration, Failure> {
    let refused = || wrong(name, value, "a time with its unit, as 500ms, 20s or 1m30s");
    if value == "0" {
        return Ok(Duration::ZERO);
    }
    let (mut rest, mut seconds) = (value, 0.0);
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let (amount, behind) = rest.split_at(digits.ok_or_else(refused)?);
        let amount: f64 = amount.parse().map_err(|_| refused())?;
        let measure = behind.find(|letter: char| letter.is_ascii_digit() || letter == '.');
        let (measure, behind) = behind.split_at(measure.unwrap_or(behind.len()));
        let scale = match measure {
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            _ => return Err(refused()),
        };
        seconds += amount * scale;
        rest = behind;
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Parameters, String> {
        Parameters::read(Some(query)).map_err(|failure| failure.message)
    }

    #[test]
    fn parameters_are_read_as_go_reads_them() {
        let found =
            read("startTs=0x1f&commitNow=T&be=1&ro=false&timeout=1m30.5s&respFormat=rdf&x=y");
        let found = found.unwrap();
        assert_eq!((found.start_ts, found.commit_now, found.best_effort), (31, true, true));
        assert_eq!((found.read_only, found.form), (false, AnswerForm::Rdf));
        assert_eq!(found.timeout, Some(Duration::from_millis(90_500)));
        assert_eq!(read("startTs=&debug=&timeout=0").unwrap().timeout, Some(Duration::ZERO));
        for wrong in [
            "startTs=-1",
            "startTs=1e3",
            "commitNow=yes",
            "timeout=20",
            "respFormat=xml",
            "startTs=18446744073709551616",
            "timeout=.s",
            "timeout=1x",
            "abort=%zz",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_assignment_says_what_and_how_many() {
        let read = |query| Parameters::read_assign(Some(query));
        assert_eq!(read("what=uids&num=70000").unwrap(), (Assign::Uids, 70_000));
        assert_eq!(read("what=timestamps").unwrap(), (Assign::Timestamps, 0));
        for wrong in ["num=3", "what=nsids&num=1", "what=x&num=1", "what=uids&num=many"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
