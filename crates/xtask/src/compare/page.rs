//! The page of the documentation: figures with all that they depend on.

use std::fmt::Write;

use super::likes::Likes;
use super::machine::Machine;
use super::measure::{Figures, Runs, Work};
use super::options::Options;
use super::peers::{self, Description};
use super::{Outcome, clients};

/// The content of the page.
pub(super) struct Content<'a> {
    pub(super) options: &'a Options,
    pub(super) machine: Machine,
    pub(super) likes: Likes,
    pub(super) outcomes: &'a [Outcome],
    pub(super) revision: Option<String>,
}

/// The whole page.
pub(super) fn text(content: &Content<'_>) -> String {
    let mut page = HEAD.to_owned();
    conditions(&mut page, content);
    databases(&mut page, content.outcomes);
    for work in Work::ALL {
        table(&mut page, work, content);
    }
    left_out(&mut page, content.outcomes);
    page.push_str(CAVEATS);
    page
}

const HEAD: &str = "# Millrace beside other graph databases

Written by `cargo xtask compare`, which fetches the others from Maven and PyPI and runs the same work on each and on
Millrace in turn. Run it on your machine: these figures are of one machine and one size of data, and every system has
others where it does better.
";

fn conditions(page: &mut String, content: &Content<'_>) {
    let Content { options, machine, likes, revision, .. } = content;
    let Machine { processor, cores, memory_gib, system, sync_ms } = machine;
    let (vertices, edges) = (likes.tables.vertex_count(), likes.tables.edges.len());
    let revision = revision.as_ref().map_or(String::new(), |revision| format!(" at {revision}"));
    let built = match &options.program {
        None => "release build",
        Some(_) => "the program that `--program` named",
    };
    put(page, format_args!(
        "
## Conditions

- Machine: {processor}, {cores} cores, {memory_gib:.0} GiB, {system}. Writing 4 KiB and syncing them takes {} ms (median).
- Command: `cargo xtask compare --runs {} --seconds {} --scale {}`; Millrace{revision}, {built}.
- Each figure is the median of {} runs, with the least and the most; each run of a peer has one of Millrace beside it,
  the first of the two by turns. Millrace's figures differ between rows because they are measured again for each peer.
- Loaded and asked: {} vertices and {} edges, from `millrace generate likes --scale {}`.
- Writes: {} clients, each with one request under way; values in variables; nothing is sent back but that it is done.
- Writes and recommendations: runs of {} s, after as long a warm-up. A load has none: programs that load start
  anew for each run, servers go on.
- The recommendation: items liked by people who share a liked item with a person, without the person's own, by the number of
  paths, the best 10; one client, people by turns. All Gremlin servers get the same text; in Cypher paths are counted by
  person half-way, which was the fastest form found.
- Checked in each run: the database holds as many vertices as it acknowledged. Checked for each database: every
  recommendation is the one that plain loops over the files give.
",
        figure(*sync_ms), options.runs, options.seconds, options.scale, options.runs, grouped(vertices as f64),
        grouped(edges as f64), options.scale, clients::CLIENTS, options.seconds,
    ));
}

fn databases(page: &mut String, outcomes: &[Outcome]) {
    page.push_str("\n## What is compared\n\n");
    page.push_str("| | product | survives power loss | asked in | CSV is loaded by |\n|---|---|---|---|---|\n");
    let measured = outcomes.iter().filter(|outcome| outcome.measured.is_ok());
    for peer in measured.map(|outcome| outcome.peer).chain([&peers::MILLRACE]) {
        let Description { name, product, durable, asked, loaded, .. } = peer;
        put(page, format_args!("| {name} | {product} | {durable} | {asked} | {loaded} |\n"));
    }
}

fn table(page: &mut String, work: Work, content: &Content<'_>) {
    let title = work.name();
    let better = if work.is_rate() { "more is better" } else { "less is better" };
    put(
        page,
        format_args!(
            "\n## {}{}\n\n| | peer ({better}) | Millrace in turn | Millrace is |\n|---|---:|---:|---:|\n",
            title[..1].to_uppercase(),
            &title[1..],
        ),
    );
    for outcome in content.outcomes {
        let Ok(Figures { rows, .. }) = &outcome.measured else { continue };
        for row in rows.iter().filter(|row| row.work == work) {
            let [peer, millrace] = [&row.peer, &row.millrace];
            let (name, ratio) = (outcome.peer.name, ratio(work, peer, millrace));
            put(
                page,
                format_args!("| {name} | {} | {} | {ratio} |\n", shown(peer), shown(millrace)),
            );
        }
    }
}

/// The median, and the least and the most behind it.
fn shown(runs: &Runs) -> String {
    let [median, least, most] = [runs.median(), runs.least(), runs.most()].map(figure);
    format!("{median} ({least}–{most})")
}

/// The speed of Millrace relative to the peer.
fn ratio(work: Work, peer: &Runs, millrace: &Runs) -> String {
    let [peer, millrace] = [peer.median(), millrace.median()];
    let faster = if work.is_rate() { millrace / peer } else { peer / millrace };
    match 1.0 <= faster {
        true => format!("{} × as fast", figure(faster)),
        false => format!("{} × slower", figure(1.0 / faster)),
    }
}

fn left_out(page: &mut String, outcomes: &[Outcome]) {
    let reasons = outcomes.iter().filter_map(|outcome| {
        let missing = outcome.measured.as_ref().err()?;
        Some(format!(
            "- {}: {}",
            outcome.peer.name,
            missing.reason.lines().next().unwrap_or_default()
        ))
    });
    let notes =
        outcomes.iter().filter_map(|outcome| Some((outcome, outcome.measured.as_ref().ok()?)));
    let notes = notes.flat_map(|(outcome, figures)| {
        figures.notes.iter().map(|note| format!("- {}, {note}", outcome.peer.name))
    });
    for (title, lines) in [
        ("Not measured", reasons.collect::<Vec<_>>()),
        ("Requests that failed", notes.collect::<Vec<_>>()),
    ] {
        if !lines.is_empty() {
            put(page, format_args!("\n## {title}\n\n{}\n", lines.join("\n")));
        }
    }
}

const CAVEATS: &str = "
## What to keep in mind

- Durability differs: what only has to reach memory can be faster than what has to reach a disk. Compare with the column
  \"survives power loss\".
- Client and server share the machine's processors, as do the idle server of the pair and the one at work.
- A JVM compiles while it runs: in short runs the peers that need one may not be at their best yet.
- Neo4j is asked over HTTP, where its drivers use a binary protocol. Its load is an import of files by a program of its
  own, and with little data most of that is the start of the program.
- Kuzu has no server, so its requests cross no socket; one transaction writes at a time.
- The Gremlin servers read no CSV, so a client sends them the rows, and counts the time it takes to read the files.
- Heaps of the JVMs are 3 GiB (Cassandra's is 1 GiB); addresses, folders and limits that would refuse the work are set;
  all else is as shipped. Labels, keys and an index for people are made before the work, where a schema is wanted.
";

/// Three digits that count, and no more behind the point than that needs.
fn figure(value: f64) -> String {
    match value {
        value if !value.is_finite() => "–".to_owned(),
        value if 100.0 <= value => grouped(value),
        value if 10.0 <= value => format!("{value:.1}"),
        value if 1.0 <= value => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

/// A whole number with commas.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if 0 < at && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _ = page.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::super::likes::Tables;
    use super::super::measure::Row;
    use super::super::{Arguments, Missing};
    use super::*;

    fn page() -> String {
        let words = ["--runs", "3", "--scale", "0.5"].map(str::to_owned).into_iter();
        let options = Options::take(&mut Arguments::new(words)).unwrap();
        let row = |work, peer: [f64; 3], millrace: [f64; 3]| Row {
            work,
            peer: Runs(peer.to_vec()),
            millrace: Runs(millrace.to_vec()),
        };
        let rows = vec![
            row(Work::Write(10), [90.0, 100.0, 80.0], [12_000.0, 18_000.0, 15_000.0]),
            row(Work::Load, [2.0, 2.5, 3.0], [5.0, 5.0, 5.0]),
        ];
        let notes = vec!["one vertex a request: 2 requests failed, such as: locked".to_owned()];
        let missing = Missing { reason: "no mvn\nin the PATH".to_owned(), is_failure: false };
        let outcomes = [
            Outcome { peer: &peers::ALL[0], measured: Ok(Figures { rows, notes }) },
            Outcome { peer: &peers::ALL[4], measured: Err(missing) },
        ];
        let likes =
            Likes { files: ["", "", ""].map(Into::into), tables: Tables::default(), asked: vec![] };
        let machine = Machine {
            processor: "A".into(),
            cores: 2,
            memory_gib: 23.5,
            system: "linux 6".into(),
            sync_ms: 0.4567,
        };
        text(&Content {
            options: &options,
            machine,
            likes,
            outcomes: &outcomes,
            revision: Some("abc".into()),
        })
    }

    #[test]
    fn the_page_has_medians_with_their_range_and_a_ratio_that_says_its_direction() {
        let page = page();
        assert!(page.contains(
            "## Ten vertices a request, requests/s\n\n| | peer (more is better) | Millrace in turn | Millrace is |"
        ));
        assert!(
            page.contains(
                "| gremlin-server | 90.0 (80.0–100) | 15,000 (12,000–18,000) | 167 × as fast |"
            ),
            "{page}"
        );
        assert!(
            page.contains(
                "| gremlin-server | 2.50 (2.00–3.00) | 5.00 (5.00–5.00) | 2.00 × slower |"
            ),
            "{page}"
        );
    }

    #[test]
    fn the_page_names_durability_missing_peers_and_failures() {
        let page = page();
        assert!(page.contains("| millrace | Millrace "));
        assert!(page.contains(peers::ALL[0].durable) && !page.contains(peers::ALL[4].product));
        assert!(page.contains("## Not measured\n\n- neo4j: no mvn\n"));
        assert!(page.contains(
            "- gremlin-server, one vertex a request: 2 requests failed, such as: locked"
        ));
        assert!(
            page.contains("23 GiB, linux 6. Writing 4 KiB and syncing them takes 0.457 ms")
                || page.contains("24 GiB")
        );
    }

    #[test]
    fn figures_have_three_digits_that_count() {
        let shown = [0.01234, 1.2345, 12.345, 123.45, 12_345.6, 1_234_567.0, f64::NAN].map(figure);
        assert_eq!(shown, ["0.012", "1.23", "12.3", "123", "12,346", "1,234,567", "–"]);
    }
}
