//! Arguments of `millrace bench scaling-writes`, and the settings that follow from them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use millrace_db::settings::measures::{millis_of_flag, seconds_of_flag};
use millrace_model::{Error, ErrorKind, Result};

use super::database::{DEFAULT_GRAPH, Interface, address_of};
use super::limits::{CRASHES_MAX, REQUESTS_MAX, USERS_MAX};
use super::variant::Variant;
use crate::jobs::Program;
use crate::load::arguments::within;
use crate::load::limits::SECONDS_MAX;

/// Arguments of `millrace bench scaling-writes`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The database: any Neo4j or Millrace with its HTTP interface, preferably empty. Without it, a Millrace is
    /// started for the experiment, in a folder under --data.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// The user's name, if the database requires one.
    #[arg(long, value_name = "NAME", requires = "password", requires = "url")]
    pub user: Option<String>,
    /// The user's password.
    #[arg(long, value_name = "PASSWORD", requires = "user")]
    pub password: Option<String>,
    /// The database's name on its server.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_GRAPH)]
    pub graph: String,
    /// How nodes are written; by default through the REST interface of Neo4j 1 to 3, if the server has it.
    #[arg(long, value_name = "NAME")]
    pub interface: Option<Interface>,
    /// A RabbitMQ, such as amqp://guest:guest@127.0.0.1:5672/%2f. Without it, the variants evented and evented-100
    /// are left out.
    #[arg(long, value_name = "URL")]
    pub amqp: Option<String>,
    /// A queue of that broker that the server at --url consumes itself; without it, the bench runs the article's
    /// consumer. Its messages are deleted at the end.
    #[arg(long, value_name = "NAME", requires = "amqp", requires = "url")]
    pub queue: Option<String>,
    /// The app answers only once the broker has confirmed a message; the article's app did not wait for that.
    #[arg(long, requires = "amqp")]
    pub confirms: bool,
    /// Run only these variants.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub variants: Vec<Variant>,
    /// Users of the closed model, as in the article.
    #[arg(long, value_name = "COUNT")]
    pub users: Option<usize>,
    /// Requests of each of them.
    #[arg(long, value_name = "COUNT")]
    pub requests: Option<u64>,
    /// Repeat the closed model with this many users, who send as many requests in all; 0 leaves it out.
    #[arg(long, value_name = "COUNT")]
    pub many_users: Option<usize>,
    /// Requests before anything is measured, for each variant.
    #[arg(long, value_name = "COUNT")]
    pub warm_up: Option<u64>,
    /// The open model: how long to try each rate; 0 leaves it out.
    #[arg(long, value_name = "SECONDS|TIME", value_parser = seconds_of_flag)]
    pub seconds: Option<f64>,
    /// The open model: a rate holds if the 99th percentile of latency is not above this.
    #[arg(long, value_name = "MS|TIME", default_value_t = 50.0, value_parser = millis_of_flag)]
    pub p99_max_ms: f64,
    /// How often to kill the app, for each variant; 0 leaves it out.
    #[arg(long, value_name = "COUNT")]
    pub crashes: Option<u32>,
    /// The seed of the random pauses and crashes.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// A quick try of about a minute: 500 requests of each user, rates for a second each, two crashes; no threshold
    /// is judged.
    #[arg(long)]
    pub quick: bool,
    /// Write a report with charts to this file: one HTML page that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write all figures to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The folder of the Millrace that is started; it must be on the disk to be measured.
    #[arg(long, value_name = "DIR", default_value = "millrace-bench")]
    pub data: PathBuf,
    /// How the bench starts itself again; this program, unless a test says otherwise.
    #[arg(skip)]
    pub program: Program,
}

/// The settings of an experiment, derived from the arguments.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// None for a Millrace of its own.
    pub(super) database: Option<SocketAddr>,
    pub(super) login: Option<(String, String)>,
    pub(super) graph: String,
    pub(super) interface: Option<Interface>,
    pub(super) amqp: Option<String>,
    pub(super) queue: Option<String>,
    pub(super) confirms: bool,
    pub(super) variants: Vec<Variant>,
    pub(super) users: usize,
    pub(super) requests: u64,
    pub(super) many_users: usize,
    pub(super) warm_up: u64,
    pub(super) step: Duration,
    pub(super) p99_max_ms: f64,
    pub(super) crashes: u32,
    pub(super) seed: u64,
    /// Whether thresholds are judged: on a Millrace of its own, with the article's load.
    pub(super) is_judged: bool,
    pub(super) data: PathBuf,
    pub(super) program: Program,
}

impl Settings {
    pub(super) fn of(arguments: &Arguments) -> Result<Settings> {
        let quick = arguments.quick;
        let users = arguments.users.unwrap_or(10);
        let requests = arguments.requests.unwrap_or(if quick { 500 } else { 5_000 });
        let many_users = arguments.many_users.unwrap_or(64);
        let warm_up = arguments.warm_up.unwrap_or(if quick { 100 } else { 1_000 });
        let seconds = arguments.seconds.unwrap_or(if quick { 1.0 } else { 5.0 });
        let crashes = arguments.crashes.unwrap_or(if quick { 2 } else { 10 });
        within("--users", users as f64, 1.0, USERS_MAX as f64)?;
        within("--requests", requests as f64, 1.0, REQUESTS_MAX as f64)?;
        within("--many-users", many_users as f64, 0.0, USERS_MAX as f64)?;
        within("--warm-up", warm_up as f64, 0.0, REQUESTS_MAX as f64)?;
        within("--seconds", seconds, 0.0, SECONDS_MAX)?;
        within("--p99-max-ms", arguments.p99_max_ms, 0.001, SECONDS_MAX * 1e3)?;
        within("--crashes", f64::from(crashes), 0.0, f64::from(CRASHES_MAX))?;
        if let Some(url) = &arguments.amqp {
            check_amqp(url)?;
        }
        Ok(Settings {
            database: arguments.url.as_deref().map(address_of).transpose()?,
            login: arguments.user.clone().zip(arguments.password.clone()),
            graph: arguments.graph.clone(),
            interface: arguments.interface,
            amqp: arguments.amqp.clone(),
            queue: arguments.queue.clone(),
            confirms: arguments.confirms,
            variants: variants(arguments)?,
            users,
            requests,
            many_users,
            warm_up,
            step: Duration::from_secs_f64(seconds),
            p99_max_ms: arguments.p99_max_ms,
            crashes,
            seed: arguments.seed,
            is_judged: !quick && arguments.url.is_none() && (users, requests) == (10, 5_000),
            data: arguments.data.clone(),
            program: arguments.program.clone(),
        })
    }

    /// Requests of each of many users.
    pub(super) fn requests_of_many(&self) -> u64 {
        let all = self.users as u64 * self.requests;
        (all / self.many_users.max(1) as u64).max(1)
    }
}

/// Those that were asked for, in the article's order; all by default.
fn variants(arguments: &Arguments) -> Result<Vec<Variant>> {
    let mut variants = arguments.variants.clone();
    if variants.is_empty() {
        return Ok(Variant::ALL.to_vec());
    }
    variants.sort_unstable();
    variants.dedup();
    match variants.iter().find(|variant| variant.is_evented()) {
        Some(evented) if arguments.amqp.is_none() => {
            let detail = format!("the variant {} needs a broker", evented.name());
            let help = "--amqp URL names a RabbitMQ, such as amqp://guest:guest@127.0.0.1:5672/%2f";
            Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
        }
        Some(_) | None => Ok(variants),
    }
}

fn check_amqp(url: &str) -> Result<()> {
    let detail = match url.split_once("://") {
        Some(("amqp", host)) if !host.is_empty() => return Ok(()),
        Some(("amqps", _)) => "a broker behind TLS (amqps) is not driven",
        Some(_) | None => "a URL that begins with amqp://",
    };
    let error = Error::new(ErrorKind::BadInput, format!("--amqp {url}: {detail}"));
    Err(error.with_help("such as amqp://guest:guest@127.0.0.1:5672/%2f"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn settings(line: &str) -> std::result::Result<Settings, String> {
        let words = ["bench"].into_iter().chain(line.split_whitespace());
        let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        Settings::of(&line.arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn without_arguments_it_is_the_article_on_a_millrace_of_its_own() {
        let settings = settings("").unwrap();
        assert_eq!((settings.users, settings.requests, settings.crashes), (10, 5_000, 10));
        assert_eq!((settings.many_users, settings.requests_of_many()), (64, 781));
        assert_eq!(settings.variants, Variant::ALL);
        assert!(settings.is_judged && settings.database.is_none());
    }

    #[test]
    fn a_try_and_another_load_and_another_database_are_not_judged() {
        for line in ["--quick", "--users 11", "--requests 1", "--url http://127.0.0.1:1"] {
            assert!(!settings(line).unwrap().is_judged, "{line}");
        }
        let quick = settings("--quick --crashes 7").unwrap();
        assert_eq!((quick.requests, quick.crashes, quick.step), (500, 7, Duration::from_secs(1)));
    }

    #[test]
    fn variants_are_in_the_order_of_the_article_and_evented_ones_need_a_broker() {
        let variants = |line: &str| settings(line).map(|settings| settings.variants);
        assert_eq!(
            variants("--variants nodes-5000,node,nodes-5000").unwrap(),
            [Variant::Node, Variant::Nodes5000]
        );
        assert!(variants("--variants evented").unwrap_err().contains("evented needs a broker"));
        assert!(variants("--variants evented --amqp amqp://a").is_ok());
    }

    #[test]
    fn bad_arguments_are_refused_by_name() {
        for (line, said) in [
            ("--users 0", "--users is between 1 and"),
            ("--requests 0", "--requests is between"),
            ("--many-users 2000", "--many-users is between"),
            ("--seconds -1", "unexpected argument '-1'"),
            ("--seconds 100000", "--seconds is between"),
            ("--crashes 1001", "--crashes is between"),
            ("--variants no", "invalid value 'no'"),
            ("--amqp amqps://a", "TLS"),
            ("--amqp localhost", "amqp://"),
            ("--url ftp://a", "http://"),
            ("--confirms", "--amqp"),
            ("--queue a --amqp amqp://a", "--url"),
            ("--user a", "--password"),
        ] {
            let refused = settings(line).unwrap_err();
            assert!(refused.contains(said), "{line}: {refused}");
        }
    }
}
