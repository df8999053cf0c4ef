//! A text index: the same rows as a scan, over parts of texts, in three ways to ask.

use millrace_testkit::run_seeds;

use super::Graph;

const SEEDS: u64 = 40;
const TITLES: usize = 300;
const TESTS: usize = 12;

/// Texts of few letters, of one to four bytes each, so that parts are found and just missed.
const LETTERS: [char; 6] = ['a', 'b', 'B', 'ß', '東', '😀'];

/// A graph of titles; some nodes have none, or one that is no text.
fn graph(texts: &[String]) -> Graph {
    let graph = Graph::new();
    graph.run("CREATE TEXT INDEX titles FOR (n:P) ON (n.title)").expect("it is sound");
    let half = texts.len() / 2;
    // Half of them before a change that moves all.
    for part in [&texts[..half], &texts[half..]] {
        let titles: Vec<String> = part.iter().map(|text| format!("'{text}'")).collect();
        let text =
            format!("UNWIND [{}, null, 7, true] AS t CREATE (:P {{title: t}})", titles.join(", "));
        graph.run(&text).expect("it is sound");
        graph.run("MATCH (n:P) SET n.title = n.title, n.kept = n.title").expect("it is sound");
    }
    graph
}

#[test]
fn a_text_index_finds_what_a_scan_finds() {
    run_seeds(SEEDS, |_, rng| {
        let mut text = |length: usize| -> String {
            (0..1 + rng.index(length)).map(|_| LETTERS[rng.index(LETTERS.len())]).collect()
        };
        let texts: Vec<String> = (0..TITLES).map(|_| text(9)).collect();
        let graph = graph(&texts);
        for test in 0..TESTS {
            let (part, other) = (text(4), text(3));
            let sign = ["CONTAINS", "STARTS WITH", "ENDS WITH", "="][test % 4];
            let question = |key: &str| {
                format!(
                    "UNWIND ['{part}', null] AS part MATCH (n:P) \
                     WHERE n.{key} {sign} part AND NOT n.{key} ENDS WITH '{other}' \
                     WITH n.title AS t ORDER BY t RETURN collect(t)"
                )
            };
            assert_eq!(
                graph.ask(&question("title")),
                graph.ask(&question("kept")),
                "{sign} {part}"
            );
        }
    });
}

#[test]
fn a_part_of_a_text_is_looked_up_and_a_short_one_is_scanned_for() {
    let texts: Vec<String> = (0..TITLES).map(|at| format!("title number {at}")).collect();
    let graph = graph(&texts);
    let scanned = format!("(\"rows\", {})", TITLES + 6);
    for (test, found, by_index) in [
        ("n.title CONTAINS 'number 17'", 11, true),
        ("n.title CONTAINS 'ber 29' AND n.title ENDS WITH '295'", 1, true),
        ("n.title STARTS WITH 'title number 3'", 11, true),
        ("n.title = 'title number 12'", 1, true),
        ("n.title CONTAINS 'number 17' OR n.title ENDS WITH ' 200'", 12, true),
        ("n.title CONTAINS '7'", 57, false),
        ("n.title CONTAINS 'number 17' OR n.kept = 'title number 1'", 12, false),
    ] {
        let question = format!("MATCH (n:P) WHERE {test} RETURN count(n)");
        assert_eq!(graph.ask(&question), [found.to_string()], "{test}");
        let profile = graph.ask(&format!("PROFILE {question}")).concat();
        assert_eq!(!profile.contains(&scanned), by_index, "{test}: {profile}");
    }
}

#[test]
fn a_text_index_follows_a_transaction_that_is_open_and_is_dropped() {
    let graph = graph(&["before".to_owned(), "other".to_owned()]);
    let text = "MATCH (n:P {title: 'before'}) SET n.title = 'behind' WITH n \
                CREATE (:P {title: 'beside'}) WITH 1 AS one MATCH (m:P) WHERE m.title CONTAINS 'bes' \
                OR m.title CONTAINS 'hin' OR m.title CONTAINS 'for' RETURN collect(m.title)";
    let [titles] = &graph.ask(text)[..] else { panic!("one row") };
    assert!(titles.contains("behind") && titles.contains("beside") && !titles.contains("before"));
    graph.run("DROP INDEX titles").expect("it is sound");
    let count = "MATCH (n:P) WHERE n.title CONTAINS 'beh' RETURN count(n)";
    assert_eq!(graph.ask(count), ["1"]);
}
