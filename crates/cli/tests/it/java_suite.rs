//! TinkerPop's own feature suite, sent by its own Java driver to the real server, in both formats.
//!
//! The runner is used from `../shared` and not copied; its jars come from `cargo xtask runtimes`. Each
//! format has a list of the scenarios that do not pass, and a list that is wrong in either direction
//! fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use millrace_testkit::{gremlin_graphs, require, runtime, shared, workspace};

use crate::program::{serve_gremlin, text};

/// Scenarios of 3.8.1 without those for graph computers only.
const SCENARIOS: usize = 2_028;

#[test]
fn the_java_driver_passes_the_suite_over_graphbinary_as_the_list_says() {
    check_suite("graphbinary");
}

#[test]
fn the_java_driver_passes_the_suite_over_graphson_as_the_list_says() {
    check_suite("graphson");
}

fn check_suite(format: &str) {
    let runner = shared().map(|shared| shared.join("suites/gremlin/run.sh"));
    let runner = runner.filter(|runner| runner.is_file());
    let (jars, graphs) = (runtime("java-suite"), gremlin_graphs());
    let name = format!(
        "TinkerPop's suite by its Java driver, {format} (../shared/suites/gremlin; cargo xtask runtimes, suite-graphs)"
    );
    if !require(&name, runner.is_some() && jars.is_some() && graphs.is_some()) {
        return;
    }
    let (runner, jars) = (runner.expect("required above"), jars.expect("required above"));
    let folder = tempfile::tempdir().expect("there is room");
    let home = folder.path().join("suites/gherkin");
    fs::create_dir_all(&home).expect("there is room");
    symlink(jars.join("lib"), home.join("lib")).expect("there is room");
    let further = ["--config", "tests/gremlin/suite.toml"];
    let server = serve_gremlin(&folder.path().join("data"), &further);
    let address = server.url.strip_prefix("ws://").and_then(|rest| rest.strip_suffix("/gremlin"));
    let (host, port) = address.and_then(|address| address.split_once(':')).expect("as it says");
    let mut command = Command::new("bash");
    command.arg(runner).args([host, port, format, "--tags", "not @GraphComputerOnly"]);
    command.env("SUITES_HOME", folder.path().join("suites")).stdin(Stdio::null());
    // Each scenario runs once: the second compiler of the JVM costs more than its code saves.
    command.env("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    // It ends with an error if a scenario failed; the report has the failures.
    let output = command.output().expect("bash runs");
    let report = fs::read_to_string(home.join("result.xml")).unwrap_or_else(|error| {
        panic!("no report: {error}\n{}{}", text(&output.stdout), text(&output.stderr));
    });
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("java-suite-{format}.xml"));
    fs::write(&kept, &report).expect("there is room");
    let list = format!("tests/gremlin/drivers/java/not_yet_{format}.txt");
    let listed = Listed::of(&fs::read_to_string(workspace().join(&list)).expect("it is there"));
    judge(format, &outcomes(&report), &listed, &format!("{list}, for {}", kept.display()));
}

/// Compares the outcomes with the list, and prints the number of passed scenarios.
fn judge(format: &str, outcomes: &Outcomes, listed: &Listed, list: &str) {
    let passed = outcomes.count - outcomes.failed.values().map(Vec::len).sum::<usize>();
    // Not `println!`: the test harness captures that, and the count is to be seen.
    let line = format!("TinkerPop's suite over {format}: {passed} of {} passed\n", outcomes.count);
    std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).expect("it is open");
    let wrong = listed.wrong(outcomes);
    assert!(wrong.is_empty(), "{line}{list} is wrong:\n{}", wrong.join("\n"));
    assert_eq!(outcomes.count, SCENARIOS, "the suite has scenarios that were not run, or others");
}

/// How scenarios went.
struct Outcomes {
    count: usize,
    names: BTreeSet<String>,
    /// Name → the first line of why, for each of that name that did not pass: a few share one.
    failed: BTreeMap<String, Vec<String>>,
}

/// How they went, from a report as JUnit writes it.
fn outcomes(report: &str) -> Outcomes {
    let mut outcomes = Outcomes { count: 0, names: BTreeSet::new(), failed: BTreeMap::new() };
    for case in report.split("<testcase ").skip(1) {
        let name = attribute(case, "name").expect("each has a name");
        let inner = case.split("</testcase>").next().unwrap_or_default();
        if ["<failure", "<error", "<skipped"].iter().any(|word| inner.contains(word)) {
            let why = attribute(inner, "message").unwrap_or_default();
            outcomes.failed.entry(name.clone()).or_default().push(why);
        }
        outcomes.count += 1;
        outcomes.names.insert(name);
    }
    outcomes
}

/// The first line of an attribute, as it is meant.
fn attribute(text: &str, name: &str) -> Option<String> {
    // With the space before it, since `classname` ends in `name`.
    let (_, rest) = text.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    let value = entities.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to));
    let first = value.split("&#").next().and_then(|text| text.lines().next());
    Some(first.unwrap_or_default().to_owned())
}

/// Scenarios that do not pass, and those of which chance decides.
struct Listed {
    failing: Vec<String>,
    either: Vec<String>,
}

impl Listed {
    /// A line for each; `?` before one that may do either, `#` before a reason.
    fn of(text: &str) -> Listed {
        let mut listed = Listed { failing: Vec::new(), either: Vec::new() };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix("? ") {
                Some(name) => listed.either.push(name.to_owned()),
                None => listed.failing.push(line.to_owned()),
            }
        }
        listed
    }

    /// A line for each scenario that went otherwise than it says.
    fn wrong(&self, outcomes: &Outcomes) -> Vec<String> {
        let mut wrong = Vec::new();
        for (name, why) in &outcomes.failed {
            if !self.failing.contains(name) && !self.either.contains(name) {
                wrong.push(format!("fails: {name}: {}", why.join("; ")));
            }
        }
        for name in self.failing.iter().chain(&self.either) {
            if !outcomes.names.contains(name) {
                wrong.push(format!("is no scenario: {name}"));
            } else if self.failing.contains(name) && !outcomes.failed.contains_key(name) {
                wrong.push(format!("passes, take it out: {name}"));
            }
        }
        wrong
    }
}

#[test]
fn a_list_that_is_wrong_in_any_direction_is_reported() {
    let report = "<testsuite><testcase classname=\"F\" name=\"good\" time=\"0\"/>\
        <testcase classname=\"F\" name=\"a &lt; b\"><failure message=\"no&#10;more\">t</failure></testcase>\
        <testcase classname=\"F\" name=\"odd\"></testcase>\
        <testcase classname=\"F\" name=\"left\"><skipped message=\"why\"/></testcase></testsuite>";
    let outcomes = outcomes(report);
    assert_eq!((outcomes.count, outcomes.failed.len()), (4, 2));
    assert!(Listed::of("# why\na < b\nleft\n? odd\n").wrong(&outcomes).is_empty());
    let wrong = Listed::of("good\n? nowhere\nleft\n").wrong(&outcomes);
    assert_eq!(wrong, ["fails: a < b: no", "passes, take it out: good", "is no scenario: nowhere"]);
}
