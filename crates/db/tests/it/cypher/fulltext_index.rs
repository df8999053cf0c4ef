//! A full-text index: what it finds and how it scores are what the texts themselves say; its commands and errors.

use std::collections::BTreeMap;

use millrace_model::random::SplitMix64;
use millrace_terms::Analyzer;
use millrace_terms::query::{Corpus, Fields, WordPositions, parse};
use millrace_terms::score::{LengthCode, TextStatistics};
use millrace_testkit::run_seeds;

use super::Graph;

const SEEDS: u64 = 30;
const NODES: usize = 60;
const QUERIES: usize = 25;

const WORDS: [&str; 9] = ["the", "Fox", "foxes", "dog", "dig", "running", "ran", "x", "no-one's"];

/// The texts of a node: its title, its notes.
type Texts = [Option<String>; 2];

fn texts(rng: &mut SplitMix64) -> Texts {
    let mut text = |most: usize| {
        let words = (0..rng.index(most)).map(|_| WORDS[rng.index(WORDS.len())]);
        let text = words.collect::<Vec<_>>().join(" ");
        (rng.index(4) != 0).then_some(text)
    };
    [text(6), text(40)]
}

/// A query in Lucene's words; half of the words are none of an analyzer, or of no text.
fn query(rng: &mut SplitMix64, depth: usize) -> String {
    let word = WORDS[rng.index(WORDS.len())];
    let other = WORDS[rng.index(WORDS.len())];
    match rng.index(if depth == 0 { 8 } else { 14 }) {
        0..3 => word.to_owned(),
        3 => format!("title:{word}"),
        4 => format!("\"{word} {other}\"~{}", rng.index(3)),
        5 => format!("{}*", &word[..1]),
        6 => format!("{}~1", &word.replace(['-', '\''], "")),
        7 => ["*:*", "[d TO f]", "missing", "{x TO *}", "/f.x(es)?/", "/d[a-z]+|x/"][rng.index(6)]
            .to_owned(),
        8 => format!("+({}) -({})", query(rng, depth - 1), query(rng, depth - 1)),
        9 => format!("({}) AND ({})", query(rng, depth - 1), query(rng, depth - 1)),
        10 => format!("({})^2.5", query(rng, depth - 1)),
        11 => format!("notes:({} {})", query(rng, depth - 1), word),
        _ => format!("({}) ({})", query(rng, depth - 1), query(rng, depth - 1)),
    }
}

/// All texts, counted.
struct Counted {
    analyzer: Analyzer,
    nodes: Vec<Fields>,
    /// A node without any text is not in the index.
    have_text: Vec<bool>,
}

impl Counted {
    fn new(analyzer: Analyzer, nodes: &[Texts]) -> Counted {
        let fields = |texts: &Texts| {
            let field = |(name, text): (&str, &Option<String>)| {
                let mut words = WordPositions::default();
                let text = text.as_deref().unwrap_or_default();
                words.add(analyzer, text, None).expect("few words");
                (name.to_owned(), words)
            };
            ["title", "notes"].into_iter().zip(texts).map(field).collect()
        };
        let have_text = nodes.iter().map(|texts| texts.iter().any(Option::is_some)).collect();
        Counted { analyzer, nodes: nodes.iter().map(fields).collect(), have_text }
    }

    fn lengths(&self, field: &str) -> impl Iterator<Item = u32> {
        self.nodes.iter().map(|node| node[field].length()).filter(|length| *length != 0)
    }

    /// The scores of the nodes that match, by the number of the node.
    fn scores(&self, query: &str) -> BTreeMap<usize, f64> {
        let query = parse(query).expect("a query").analyzed(self.analyzer, None).expect("words");
        let score = |fields: &Fields| query.score(fields, self).expect("few words");
        let scored = self.nodes.iter().enumerate().filter(|(number, _)| self.have_text[*number]);
        scored.filter_map(|(number, fields)| Some((number, score(fields)?))).collect()
    }
}

impl Corpus for Counted {
    fn statistics(&self, field: &str) -> TextStatistics {
        let rounded = |length| u64::from(LengthCode::of(length).length());
        TextStatistics {
            text_count: self.lengths(field).count() as u64,
            word_count: self.lengths(field).map(rounded).sum(),
        }
    }

    fn texts_with(&self, field: &str, word: &str) -> u64 {
        self.nodes.iter().filter(|node| node[field].has(word)).count() as u64
    }
}

/// The numbers and scores that a search gives, in its order.
fn found(graph: &Graph, query: &str) -> Vec<(usize, f64)> {
    let query = query.replace('\\', "\\\\").replace('\'', "\\'");
    let rows = graph.ask(&format!(
        "CALL db.index.fulltext.queryNodes('found', '{query}') YIELD node, score \
         RETURN toString(node.number) + ' ' + toString(score) AS row"
    ));
    let row = |row: &String| {
        let (number, score) = row.split_once(' ').unwrap_or_else(|| panic!("{query}: {row}"));
        (number.parse().expect("a number"), score.parse().expect("a score"))
    };
    rows.iter().map(row).collect()
}

fn created(number: usize, [title, notes]: &Texts) -> String {
    let value = |text: &Option<String>| match text {
        Some(text) => format!("\"{text}\""),
        None => "null".to_owned(),
    };
    // A node of two labels of the index is found, and counted, once.
    let labels = if number.is_multiple_of(3) { "A:B" } else { "A" };
    format!("(:{labels} {{number: {number}, title: {}, notes: {}}})", value(title), value(notes))
}

#[test]
fn a_search_finds_and_scores_what_the_texts_say() {
    run_seeds(SEEDS, |seed, rng| {
        let analyzer = ["standard-no-stop-words", "english"][rng.index(2)];
        let mut nodes: Vec<Texts> = (0..NODES).map(|_| texts(rng)).collect();
        let graph = Graph::new();
        let index = format!(
            "CREATE FULLTEXT INDEX found FOR (n:A|B) ON EACH [n.title, n.notes] \
             OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{analyzer}'}}}}"
        );
        let is_built_from_data = rng.index(2) == 0;
        if !is_built_from_data {
            graph.run(&index).expect("it is sound");
        }
        let all: Vec<String> =
            nodes.iter().enumerate().map(|(number, texts)| created(number, texts)).collect();
        graph.run(&format!("CREATE {}", all.join(", "))).expect("it is sound");
        graph.run("CREATE (:C {number: -1, title: 'fox'}), (:A {number: -2, title: 7})").expect("");
        if is_built_from_data {
            graph.run(&index).expect("it is sound");
        }
        for (number, own) in nodes.iter_mut().enumerate().filter(|(number, _)| number % 5 == 0) {
            *own = texts(rng);
            let text = own[0].clone().map_or("null".to_owned(), |text| format!("\"{text}\""));
            let notes = own[1].clone().map_or("null".to_owned(), |text| format!("\"{text}\""));
            let change =
                format!("MATCH (n:A {{number: {number}}}) SET n.title = {text}, n.notes = {notes}");
            graph.run(&change).expect("it is sound");
        }
        let counted = Counted::new(Analyzer::named(analyzer).expect("known"), &nodes);
        for _ in 0..QUERIES {
            let query = query(rng, 3);
            let expected = counted.scores(&query);
            let found = found(&graph, &query);
            let is_sorted = found.is_sorted_by(|one, other| other.1 <= one.1);
            assert!(is_sorted, "seed {seed}: {query}: {found:?}");
            let numbers: Vec<usize> = expected.keys().copied().collect();
            let mut own: Vec<usize> = found.iter().map(|(number, _)| *number).collect();
            own.sort_unstable();
            assert_eq!(own, numbers, "seed {seed}: {analyzer}: {query}");
            for (number, score) in found {
                let difference = (score - expected[&number]).abs();
                let bound = 1e-9 * expected[&number].max(1.0);
                assert!(
                    difference <= bound,
                    "seed {seed}: {query}: {number}: {score} {expected:?}"
                );
            }
        }
    });
}

fn graph() -> Graph {
    let graph = Graph::new();
    for text in [
        "CREATE (:A {t: 'The quick brown fox', u: 'jumps'}), (:A:B {t: 'A quick dog quick'}), \
         (:B {t: ['lazy dog', 'old'], u: 'the fox sleeps'}), (:C {t: 'quick'})",
        "CREATE FULLTEXT INDEX words FOR (n:A|B) ON EACH [n.t, n.u]",
        "CREATE FULLTEXT INDEX stems FOR (n:A) ON EACH [n.t] \
         OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}, indexProvider: 'fulltext-1.0'}",
        "CREATE (:A)-[:R {t: 'red fox'}]->(:A)-[:S {t: 'blue fox'}]->(:A)-[:T {t: 'grey fox'}]->()",
        "CREATE FULLTEXT INDEX between FOR ()-[r:R|S]-() ON EACH [r.t]",
    ] {
        graph.run(text).expect("it is sound");
    }
    graph
}

#[test]
fn an_index_of_several_labels_follows_an_open_transaction_and_its_own_drop() {
    let graph = graph();
    let search = |query: &str| {
        graph.ask(&format!(
            "CALL db.index.fulltext.queryNodes('words', '{query}') YIELD node \
             RETURN coalesce(node.u, node.t) AS t ORDER BY t"
        ))
    };
    assert_eq!(search("quick"), ["A quick dog quick", "jumps"]);
    assert_eq!(search("dog").len(), 2);
    let own = "MATCH (n:C) SET n:B REMOVE n.u SET n.t = 'quick hare' WITH n \
               MATCH (m:A {u: 'jumps'}) SET m.t = 'slow' \
               WITH 1 AS one CALL db.index.fulltext.queryNodes('words', 'quick') YIELD node \
               RETURN node.t AS t ORDER BY t";
    assert_eq!(graph.ask(own), ["A quick dog quick", "quick hare"]);
    assert_eq!(search("quick"), ["A quick dog quick", "quick hare"]);
    graph.run("MATCH (n:B {t: 'quick hare'}) DETACH DELETE n").expect("it is sound");
    assert_eq!(search("hare"), [""; 0]);
    let relationships = "CALL db.index.fulltext.queryRelationships('between', 'fox') \
                         YIELD relationship RETURN relationship.t AS t ORDER BY t";
    assert_eq!(graph.ask(relationships), ["blue fox", "red fox"]);
    graph.run("DROP INDEX words").expect("it is sound");
    let [error] = &search("quick")[..] else { panic!("an error") };
    assert!(error.contains("There is no such fulltext schema index: words"), "{error}");
}

#[test]
fn options_of_an_index_and_of_a_search() {
    let graph = graph();
    let search = |index: &str, options: &str| {
        graph.ask(&format!(
            "CALL db.index.fulltext.queryNodes('{index}', 'foxes quick', {options}) \
             YIELD node RETURN node.t"
        ))
    };
    assert_eq!(search("words", "{limit: 1}"), ["A quick dog quick"]);
    assert_eq!(search("words", "{skip: 1}"), ["The quick brown fox"]);
    assert_eq!(search("words", "{limit: 0}"), [""; 0]);
    assert_eq!(search("words", "{skip: 1.0, limit: 5.0}"), ["The quick brown fox"]);
    assert_eq!(search("words", "{analyzer: 'english', limit: 1}"), ["The quick brown fox"]);
    assert_eq!(search("stems", "{}").len(), 2);
    for (options, named) in [
        ("{limits: 1}", "a search has no option `limits`"),
        ("{limit: -1}", "`limit` cannot be negative: -1"),
        ("{skip: -2.0}", "`skip` cannot be negative: -2"),
        ("{limit: 1.5}", "`limit` must be a whole number, and is of type double"),
        ("{skip: '1'}", "`skip` must be a whole number, and is of type string"),
        ("{analyzer: 'englich'}", "there is no analyzer `englich`"),
    ] {
        let given = search("words", options).concat();
        let is_named = given.starts_with("error ProcedureCallFailed: ") && given.contains(named);
        assert!(is_named, "{options}: {given}");
    }
    for (create, named) in [
        (
            "f FOR (n:A) ON EACH [n.x] OPTIONS {indexConfig: {`fulltext.analyzer`: 'klingon'}}",
            "klingon",
        ),
        (
            "f FOR (n:A) ON EACH [n.x] OPTIONS {indexConfig: {`fulltext.analyser`: 'english'}}",
            "fulltext.analyzer",
        ),
        ("f FOR (n:A) ON EACH [n.x] OPTIONS {indexProvider: 'vector-1.0'}", "fulltext-1.0"),
        ("words FOR (n:A) ON EACH [n.x]", "There already exists an index called 'words'"),
        ("f FOR (n:A|B) ON EACH [n.t, n.u]", "There already exists an index (:A:B {t, u})"),
        (
            "f FOR (n:A|A) ON EACH [n.t]",
            "error RepeatedLabelInSchema: Index on (:A:A {t}) includes a label more than once.",
        ),
        (
            "f FOR ()-[r:R|S|R]-() ON EACH [r.t]",
            "error RepeatedRelationshipTypeInSchema: Index on ()-[:R:S:R {t}]-() includes",
        ),
        (
            "f FOR (n:A) ON EACH [n.t, n.t]",
            "error RepeatedPropertyInCompositeSchema: Index on (:A {t, t}) includes a property",
        ),
    ] {
        let given = graph.ask(&format!("CREATE FULLTEXT INDEX {create}")).concat();
        assert!(given.contains(named), "{create}: {given}");
    }
    let shown =
        graph.ask("SHOW FULLTEXT INDEXES YIELD name, labelsOrTypes, properties, createStatement");
    assert_eq!(shown.len(), 3, "{shown:?}");
    for row in &shown {
        let statement = &row[row.find("CREATE").expect("a statement")..];
        let again = statement.replacen(" INDEX `", " INDEX `again_", 1);
        assert!(graph.ask(&again).concat().contains("There already exists an index"), "{again}");
    }
}

#[test]
fn a_fuzzy_word_stands_for_the_fifty_most_similar() {
    let graph = Graph::new();
    // 26 and 26 words are an edit away, 26 * 26 two edits.
    graph
        .run(
            "WITH [c IN range(0, 25) | substring('abcdefghijklmnopqrstuvwxyz', c, 1)] AS letters \
             UNWIND letters AS c UNWIND ['fo' + c + 'x', c + 'fox'] AS word CREATE (:W {t: word}) \
             WITH DISTINCT letters UNWIND letters AS c UNWIND letters AS d CREATE (:W {t: 'f' + c + d + 'ox'})",
        )
        .expect("it is sound");
    graph.run("CREATE FULLTEXT INDEX w FOR (n:W) ON EACH [n.t]").expect("it is sound");
    let found = |query: &str, rest: &str| {
        graph.ask(&format!(
            "CALL db.index.fulltext.queryNodes('w', '{query}') YIELD node WITH DISTINCT node.t AS t {rest}"
        ))
    };
    assert_eq!(found("fox~2", "RETURN count(*)"), ["50"]);
    assert_eq!(found("fox~2", "WHERE size(t) = 5 RETURN t"), [""; 0], "others are more similar");
    assert_eq!(found("wolverine~2", "RETURN count(*)"), ["0"]);
}

#[test]
fn a_query_that_does_not_parse_says_where() {
    let graph = graph();
    for (query, named) in
        [("fox AND (", "parenthesis"), ("\"fox", "quot"), ("fox^x", "a number must be behind")]
    {
        let text =
            format!("CALL db.index.fulltext.queryNodes('words', '{query}') YIELD node RETURN 1");
        let given = graph.ask(&text).concat();
        assert!(given.starts_with("error") && given.contains(named), "{query}: {given}");
        assert!(given.contains("queryparser.classic.ParseException"), "{query}: {given}");
    }
}

#[test]
fn the_procedures_of_older_versions_make_and_drop_indexes() {
    let graph = graph();
    for text in [
        "CALL db.index.fulltext.createNodeIndex('old', ['A', 'C'], ['t'], {analyzer: 'german'})",
        "CALL db.index.fulltext.createRelationshipIndex('oldest', ['T'], ['t'])",
        "CALL db.awaitIndex('old')",
        "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()",
    ] {
        graph.run(text).expect("it is sound");
    }
    let count = "CALL db.index.fulltext.queryNodes('old', 'quick') YIELD node RETURN count(node)";
    assert_eq!(graph.ask(count), ["3"]);
    graph.run("CALL db.index.fulltext.drop('old')").expect("it is sound");
    assert!(graph.ask(count).concat().contains("There is no such fulltext schema index"));
    let analyzers = "CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer, description, stopwords \
                     WHERE analyzer STARTS WITH 'standard' RETURN analyzer, size(stopwords) > 0";
    assert_eq!(graph.ask(analyzers).len(), 3);
}

#[test]
fn a_regular_expression_is_for_a_whole_word() {
    let graph = graph();
    let search = |query: &str| {
        graph.ask(&format!(
            "CALL db.index.fulltext.queryNodes('words', \"{query}\") YIELD node, score \
             RETURN coalesce(node.u, node.t) + ' ' + score AS t ORDER BY t"
        ))
    };
    assert_eq!(search("/f.x/"), ["jumps 1.0", "the fox sleeps 1.0"]);
    assert_eq!(search("t:/FO+X?/^3"), ["jumps 3.0"], "it is in lower case, as the words are");
    assert_eq!(search("/fo/"), [""; 0], "the whole word matches");
    assert_eq!(search("/[a-z]{5}/ -/d.*/"), ["jumps 2.0"], "both properties match");
    for (query, line, said) in [
        ("fox /a(b/", 8, "a parenthesis is not closed"),
        ("fox /ab~c/", 8, "`~` of Lucene's regular expressions"),
        ("fox /ab", 5, "not closed by a slash"),
    ] {
        let given = search(query).concat();
        let begins = format!("error ProcedureCallFailed: line 1, column {line}: ");
        assert!(given.starts_with(&begins) && given.contains(said), "{query}: {given}");
    }
    let repeated = search("/((a{100}){100}){100}/").concat();
    assert!(repeated.contains("too large: it repeats too much"), "{repeated}");
    let deep = search(&format!("{}fox{}", "(".repeat(70), ")".repeat(70))).concat();
    assert!(deep.contains("line 1, column 65") && deep.contains("more than 64 groups"), "{deep}");
}

#[test]
fn every_node_is_found_that_has_a_list_or_a_text() {
    let graph = Graph::new();
    graph.ask("CREATE (:A {id: 1, t: 'fox'}), (:A {id: 2, t: []}), (:A {id: 3, t: ''}), (:A {id: 4, t: 7})");
    graph.ask("CREATE FULLTEXT INDEX w FOR (n:A) ON EACH [n.t]");
    let all =
        "CALL db.index.fulltext.queryNodes('w', '*:*') YIELD node RETURN node.id ORDER BY node.id";
    assert_eq!(graph.ask(all), ["1", "2", "3"]);
    graph.ask("MATCH (n:A {id: 2}) SET n.t = 5 WITH n MATCH (m:A {id: 4}) SET m.t = []");
    assert_eq!(graph.ask(all), ["1", "3", "4"]);
}

/// Neo4j makes them, too: `IF NOT EXISTS` that made nothing would leave a client without the index that it asks by name.
#[test]
fn an_index_of_the_same_labels_and_keys_in_another_order_is_another_one() {
    let graph = graph();
    let search = |index: &str| {
        graph.ask(&format!(
            "CALL db.index.fulltext.queryNodes('{index}', 'u:fox OR t:fox') YIELD node, score \
             RETURN node.u, score ORDER BY node.u"
        ))
    };
    let expected = search("words");
    assert_eq!(expected.len(), 2, "{expected:?}");
    for (name, rest) in [
        ("labels", "FOR (n:B|A) ON EACH [n.t, n.u]"),
        ("keys", "IF NOT EXISTS FOR (n:A|B) ON EACH [n.u, n.t]"),
        ("both", "FOR (n:B|A) ON EACH [n.u, n.t]"),
    ] {
        assert_eq!(graph.ask(&format!("CREATE FULLTEXT INDEX {name} {rest}")), [""; 0]);
        assert_eq!(search(name), expected, "{name}");
    }
    let shown = "SHOW FULLTEXT INDEXES YIELD name, labelsOrTypes AS l, properties AS p \
                 WHERE 'B' IN l RETURN name, l, p ORDER BY name";
    let rows = [
        "both, [B, A], [u, t]",
        "keys, [A, B], [u, t]",
        "labels, [B, A], [t, u]",
        "words, [A, B], [t, u]",
    ];
    assert_eq!(graph.ask(shown), rows);
    for name in ["words", "keys"] {
        assert_eq!(graph.ask(&format!("DROP INDEX {name}")), [""; 0]);
    }
    graph.ask("CREATE (:B {t: 'fox', u: 'zoo'})");
    assert_eq!(search("labels").len(), 3, "a drop leaves what the others need");
    assert_eq!(search("both").len(), 3);
}
