//! Tests that are run by name, with more rounds than `cargo test` gives them.
//!
//! `cargo test NAME` passes when nothing has that name, so the name is looked up first: a renamed
//! test must break the command, not empty it. Stages of `test` never enter here.

use std::process::Command;

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

/// A test, and where it is.
pub(crate) struct NamedTest {
    package: &'static str,
    /// A part of the test's path, as `cargo test` takes it.
    filter: &'static str,
    /// The cargo profile that it is built in, if not as `cargo test` builds it.
    profile: Option<&'static str>,
    /// A feature of the package's own tests that it wants.
    feature: Option<&'static str>,
}

/// As users run the program: sizes of the real world want it.
const RELEASE: Option<&str> = Some("release");

/// As fast as a release, and checked like a test.
const SIMULATE: Option<&str> = Some("simulate");

/// The embedded store, and its log alone, under a disk that tears, drops and rots; reads
/// `MILLRACE_SEEDS`, `MILLRACE_SEED_FROM` and `MILLRACE_JOBS`.
pub(crate) const SIMULATOR: NamedTest =
    NamedTest::new("millrace-store-embedded", "every_seed_keeps");

/// Every order of the steps on state that the store shares without a plain lock; reads `MILLRACE_MODEL_PREEMPTIONS`.
pub(crate) const MODELS: NamedTest =
    NamedTest { feature: Some("loom"), ..NamedTest::new("millrace-store-embedded", "models::") };

/// The real program, killed under write load; reads `MILLRACE_KILL_ROUNDS`.
pub(crate) const KILL_NINE: NamedTest = NamedTest::new("millrace-cli", "kill_nine_loses");

/// The real program on a disk that others fill and free, killed; reads `MILLRACE_DISK_ROUNDS`.
const FULL_DISK: NamedTest = NamedTest::new("millrace-cli", "a_disk_that_others_fill");

/// Workloads as Jepsen's over DQL, while the real program is killed; reads `MILLRACE_DQL_SECONDS`, those of each level.
const DQL_WORKLOADS: NamedTest = NamedTest::new("millrace-cli", "dql_workloads::");

/// Writers, readers, checkpoints and index builds on threads; reads `MILLRACE_SOAK_SECONDS`.
const EVERYTHING_AT_ONCE: NamedTest = NamedTest {
    profile: RELEASE,
    ..NamedTest::new("millrace-store-embedded", "everything_at_once")
};

/// The suite of Dgraph's query tests over HTTP; reads `MILLRACE_DQL_URL` and `DGRAPH_ZERO`.
const DQL_SUITE: NamedTest = NamedTest::new("millrace-server", "the_suite_of_dgraph");

/// The article's scripts through the real program; reads `MILLRACE_ARTICLE_PEOPLE`.
pub(crate) const ARTICLE: NamedTest = NamedTest::new("millrace-cli", "the_article_scripts");

impl NamedTest {
    const fn new(package: &'static str, filter: &'static str) -> NamedTest {
        NamedTest { package, filter, profile: None, feature: None }
    }

    /// Runs it, sized by these variables.
    pub(crate) fn run(
        &self,
        workspace: &Workspace,
        variables: &[(&str, u64)],
    ) -> Result<(), String> {
        process::run(self.running(workspace, variables)?)
    }

    /// The same, but tests without their requirements are skipped by name, whatever `MILLRACE_REQUIRE_ALL` says.
    fn run_if_possible(
        &self,
        workspace: &Workspace,
        variables: &[(&str, u64)],
    ) -> Result<(), String> {
        let mut running = self.running(workspace, variables)?;
        running.env_remove("MILLRACE_REQUIRE_ALL");
        process::run(running)
    }

    fn running(&self, workspace: &Workspace, variables: &[(&str, u64)]) -> Result<Command, String> {
        let mut listing = self.cargo_test(workspace);
        listing.args(["--", "--list", self.filter]);
        if count_listed(&process::output(listing)?) == 0 {
            let Self { package, filter, .. } = self;
            return Err(format!("{package} has no test whose name contains `{filter}`"));
        }
        let mut running = self.cargo_test(workspace);
        running.args(["--", "--nocapture", self.filter]);
        running.envs(variables.iter().map(|(name, value)| (name, value.to_string())));
        Ok(running)
    }

    fn cargo_test(&self, workspace: &Workspace) -> Command {
        let mut command = workspace.cargo();
        command.args(["test", "--quiet", "--package", self.package]);
        match self.feature {
            Some(feature) => command.args(["--lib", "--features", feature]),
            None => command.arg("--tests"),
        };
        self.profile.iter().for_each(|profile| {
            command.args(["--profile", profile]);
        });
        command
    }
}

fn count_listed(listing: &str) -> usize {
    listing.lines().filter(|line| line.ends_with(": test")).count()
}

/// From so many seeds on, a build of their own is paid back: a seed costs 25 ms of CPU then.
const SEEDS_WORTH_A_BUILD: u64 = 10_000;

/// `cargo xtask simulate`.
pub(crate) fn simulate(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let seeds = arguments.take_number("--seeds")?.ok_or("say how many: --seeds N")?;
    let first = arguments.take_number("--from")?.unwrap_or(1);
    let jobs = arguments.take_number("--jobs")?.unwrap_or_else(all_cores);
    arguments.finish()?;
    let profile = if SEEDS_WORTH_A_BUILD <= seeds { SIMULATE } else { SIMULATOR.profile };
    NamedTest { profile, ..SIMULATOR }.run(workspace, &simulated(first, seeds, jobs))
}

/// Seeds from `first` on, on as many threads as `jobs` says.
pub(crate) fn simulated(first: u64, seeds: u64, jobs: u64) -> [(&'static str, u64); 3] {
    [("MILLRACE_SEEDS", seeds), ("MILLRACE_SEED_FROM", first), ("MILLRACE_JOBS", jobs)]
}

/// Preemptions in one order that `cargo xtask model` tries by default.
const MODEL_PREEMPTIONS: u64 = 3;

/// `cargo xtask model`.
pub(crate) fn model(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let preemptions = arguments.take_number("--preemptions")?.unwrap_or(MODEL_PREEMPTIONS);
    arguments.finish()?;
    MODELS.run(workspace, &[("MILLRACE_MODEL_PREEMPTIONS", preemptions)])
}

/// A job for each core.
pub(crate) fn all_cores() -> u64 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64)
}

/// `cargo xtask dql`.
pub(crate) fn dql(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let url = arguments.take_value("--url")?;
    let zero = arguments.take_value("--zero")?;
    arguments.finish()?;
    let mut running = DQL_SUITE.running(workspace, &[])?;
    // Without its data it would pass unseen.
    running.env("MILLRACE_REQUIRE_ALL", "1");
    let addresses = [("MILLRACE_DQL_URL", url), ("DGRAPH_ZERO", zero)];
    running.envs(addresses.into_iter().filter_map(|(name, value)| Some((name, value?))));
    process::run(running)
}

/// Rounds of killing that make a soak by default.
const SOAK_ROUNDS: u64 = 200;

/// Minutes of everything at once that make a soak by default.
const SOAK_MINUTES: u64 = 10;

/// Minutes of DQL's workloads that make a soak by default, of each level of isolation.
const SOAK_DQL_MINUTES: u64 = 5;

/// Lives of the server on a disk that fills up that make a soak by default.
const SOAK_DISK_ROUNDS: u64 = 40;

/// `cargo xtask soak`.
pub(crate) fn soak(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let rounds = arguments.take_number("--rounds")?.unwrap_or(SOAK_ROUNDS);
    let minutes = arguments.take_number("--minutes")?.unwrap_or(SOAK_MINUTES);
    let disk_rounds = arguments.take_number("--disk-rounds")?.unwrap_or(SOAK_DISK_ROUNDS);
    let dql_minutes = arguments.take_number("--dql-minutes")?.unwrap_or(SOAK_DQL_MINUTES);
    arguments.finish()?;
    KILL_NINE.run(workspace, &[("MILLRACE_KILL_ROUNDS", rounds)])?;
    FULL_DISK.run_if_possible(workspace, &[("MILLRACE_DISK_ROUNDS", disk_rounds)])?;
    DQL_WORKLOADS.run(workspace, &[("MILLRACE_DQL_SECONDS", dql_minutes * 60)])?;
    EVERYTHING_AT_ONCE.run(workspace, &[("MILLRACE_SOAK_SECONDS", minutes * 60)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tests_are_counted_in_a_listing() {
        let listing =
            "simulator::torn_writes: test\nsimulator::bench: benchmark\n\n1 test, 1 benchmark\n";
        assert_eq!(count_listed(listing), 1);
        assert_eq!(count_listed("0 tests, 0 benchmarks\n"), 0);
    }
}
