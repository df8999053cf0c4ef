//! `millrace check`: is a data folder as it must be?

use std::ops::ControlFlow;

use millrace_db::maintenance::{CheckReport, check};
use millrace_model::{Error, ErrorKind, Value};
use millrace_server::wire::json::to_json;

use crate::arguments::Check;
use crate::exit::Failure;
use crate::progress::Shower;
use crate::say;

pub(crate) fn run(arguments: &Check) -> Result<(), Failure> {
    let mut shower = Shower::new("check", arguments.progress);
    let checked = check(&arguments.data, arguments.deep, &mut |doing, done, total| {
        shower.show_steps(doing, done, total);
        ControlFlow::Continue(())
    });
    shower.finish_steps();
    let report = checked?;
    match arguments.json {
        true => say!("{}", to_json(&value(&report))),
        false => show(&report),
    }
    sound(&report, &arguments.data.display().to_string())
}

/// An error if something was found.
pub(crate) fn sound(report: &CheckReport, data: &str) -> Result<(), Failure> {
    if report.is_sound() {
        return Ok(());
    }
    let detail = format!("{data}: {} findings", report.finding_count);
    let help =
        "restore it from a backup; millrace repair reports which data can be saved without one";
    Err(Failure::Of(Error::new(ErrorKind::Corrupt, detail).with_help(help)))
}

/// Prints the findings and the sizes of a check, for a person.
pub(crate) fn show(report: &CheckReport) {
    for finding in &report.findings {
        say!("{finding}");
    }
    let kept = report.findings.len() as u64;
    if kept < report.finding_count {
        say!("and {} more", report.finding_count - kept);
    }
    for graph in &report.graphs {
        say!(
            "graph {}: {} nodes, {} relationships, {} index entries in {} partitions",
            graph.name,
            graph.vertices,
            graph.edges,
            graph.entries,
            graph.partitions
        );
    }
    let word = if report.is_sound() { "sound" } else { "NOT sound" };
    say!(
        "{word}: {} files with {} bytes beside the log, up to commit {}",
        report.files,
        report.bytes,
        report.position
    );
}

fn whole(count: u64) -> Value {
    Value::I64(i64::try_from(count).unwrap_or(i64::MAX))
}

fn object(pairs: Vec<(&str, Value)>) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

fn value(report: &CheckReport) -> Value {
    let findings = report.findings.iter().map(|finding| {
        let mut pairs = Vec::new();
        pairs.extend(finding.graph.as_deref().map(|graph| ("graph", Value::from(graph))));
        pairs.push(("place", Value::from(finding.place.as_str())));
        pairs.push(("what", Value::from(finding.what.as_str())));
        object(pairs)
    });
    let graphs = report.graphs.iter().map(|graph| {
        object(vec![
            ("graph", Value::from(graph.name.as_str())),
            ("partitions", whole(graph.partitions)),
            ("nodes", whole(graph.vertices)),
            ("relationships", whole(graph.edges)),
            ("index_entries", whole(graph.entries)),
        ])
    });
    object(vec![
        ("sound", Value::Bool(report.is_sound())),
        ("position", whole(report.position)),
        ("files", whole(report.files)),
        ("bytes", whole(report.bytes)),
        ("graphs", Value::list(graphs.collect())),
        ("finding_count", whole(report.finding_count)),
        ("findings", Value::list(findings.collect())),
    ])
}
