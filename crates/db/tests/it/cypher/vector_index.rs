//! A vector index: the same neighbours and scores as a comparison with every node, options as Neo4j has them, and what is
//! no vector refused by name.

use millrace_testkit::run_seeds;

use super::Graph;

const SEEDS: u64 = 12;
const NODES: usize = 120;
const STEPS: usize = 10;

/// A list of numbers as text; few values, so that some vectors are equally near.
fn vector(dimensions: usize, below: &mut impl FnMut(usize) -> usize) -> String {
    let mut numbers: Vec<String> = (0..dimensions).map(|_| format!("{}.5", below(7))).collect();
    numbers[0] = format!("-{}", numbers[0]);
    format!("[{}]", numbers.join(", "))
}

fn graph(similarity: &str, dimensions: usize) -> Graph {
    let graph = Graph::new();
    let made = format!(
        "CREATE VECTOR INDEX near FOR (n:P) ON (n.e) OPTIONS {{indexConfig: \
         {{`vector.dimensions`: {dimensions}, `vector.similarity_function`: '{similarity}'}}}}"
    );
    graph.run(&made).expect("it is sound");
    graph
}

/// The scores of a query.
fn scores(graph: &Graph, text: &str) -> Vec<f64> {
    let rows = graph.run(text).unwrap_or_else(|error| panic!("{text}: {error}")).rows;
    rows.iter().map(|row| row[0].as_double().expect("a score")).collect()
}

/// But for the order in which numbers were added, of which the last digits tell.
fn are_alike(one: &[f64], other: &[f64]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| (one - other).abs() < 1e-5)
}

#[test]
fn the_nearest_are_those_of_a_comparison_with_every_node() {
    run_seeds(SEEDS, |seed, rng| {
        let similarity = ["cosine", "euclidean"][seed as usize % 2];
        let dimensions = 1 + rng.index(20);
        let mut below = |bound: usize| rng.index(bound);
        let graph = graph(similarity, dimensions);
        for node in 0..NODES {
            let label = if below(4) == 0 { "Q" } else { "P" };
            let vector = vector(dimensions, &mut below);
            let text = format!("CREATE (:{label} {{id: {node}, e: {vector}}})");
            graph.run(&text).expect("it is sound");
        }
        for _ in 0..STEPS {
            let (node, other) = (below(NODES), vector(dimensions, &mut below));
            let change = [
                format!("MATCH (n {{id: {node}}}) SET n.e = {other}"),
                format!(
                    "MATCH (n {{id: {node}}}) CALL db.create.setNodeVectorProperty(n, 'e', {other}) RETURN 1"
                ),
                format!("MATCH (n {{id: {node}}}) REMOVE n:P"),
                format!("MATCH (n {{id: {node}}}) SET n:P"),
                format!("MATCH (n {{id: {node}}}) SET n.e = null"),
                format!("MATCH (n {{id: {node}}}) DETACH DELETE n"),
            ];
            let change = &change[below(change.len())];
            graph.run(change).unwrap_or_else(|error| panic!("{change}: {error}"));
            let (query, count) = (vector(dimensions, &mut below), 1 + below(NODES + 20));
            let plain = format!(
                "MATCH (n:P) WHERE n.e IS NOT NULL \
                 RETURN vector.similarity.{similarity}(n.e, {query}) AS s ORDER BY s DESC LIMIT {count}"
            );
            let asked = format!(
                "CALL db.index.vector.queryNodes('near', {count}, {query}) YIELD node, score \
                 WHERE node:P RETURN score"
            );
            let (found, expected) = (scores(&graph, &asked), scores(&graph, &plain));
            assert!(are_alike(&found, &expected), "{change}: {found:?} {expected:?}");
            let own = format!(
                "CALL db.index.vector.queryNodes('near', {count}, {query}) YIELD node, score \
                 RETURN vector.similarity.{similarity}(node.e, {query}) AS s, score"
            );
            for row in graph.run(&own).expect("it is sound").rows {
                let [plain, score] = [0, 1].map(|at| row[at].as_double().expect("a score"));
                assert!((plain - score).abs() < 1e-5, "{row:?}");
            }
        }
    });
}

#[test]
fn many_vectors_are_one_search_and_rows_stay_in_order() {
    let graph = graph("euclidean", 2);
    graph.ask("UNWIND range(1, 50) AS i CREATE (:P {id: i, e: [i, 0]})");
    let text = "UNWIND [40, 3, 40] AS x CALL db.index.vector.queryNodes('near', 2, [x, 0.25]) \
                YIELD node, score RETURN x, node.id, score";
    let lone = 1.0 / (1.0 + 0.0625);
    let rows = graph.ask(text);
    assert_eq!(rows.len(), 6);
    for (row, x) in [(0, 40), (2, 3), (4, 40)] {
        assert!(rows[row].starts_with(&format!("{x}, {x}, {lone:.3}")), "{rows:?}");
    }
}

#[test]
fn a_search_within_some_nodes_finds_as_many_as_there_are() {
    let graph = graph("euclidean", 1);
    graph.ask("UNWIND range(1, 90) AS i CREATE (:P {id: i, odd: i % 2, e: [i]})");
    let behind = "CALL db.index.vector.queryNodes('near', 4, [10]) YIELD node WHERE node.odd = 1 RETURN node.id";
    assert_eq!(graph.ask(behind), ["9", "11"]);
    let within = "MATCH (n:P {odd: 1}) WHERE n.id > 10 WITH collect(n) AS some \
                  CALL db.index.vector.queryNodes('near', 4, [10], {within: some}) YIELD node RETURN node.id";
    assert_eq!(graph.ask(within), ["11", "13", "15", "17"]);
    let few = "MATCH (n:P) WHERE n.id IN [1, 90] WITH collect(n) AS some \
               CALL db.index.vector.queryNodes('near', 4, [10], {within: some}) YIELD node RETURN node.id";
    assert_eq!(graph.ask(few), ["1", "90"]);
    let exact =
        "CALL db.index.vector.queryNodes('near', 2, [10], {exact: true}) YIELD node RETURN node.id";
    assert_eq!(graph.ask(exact), ["10", "9"]);
    let wrong = graph.ask(
        "CALL db.index.vector.queryNodes('near', 4, [10], {inside: []}) YIELD node RETURN node",
    );
    assert!(wrong[0].contains("a search for vectors has no `inside`"), "{wrong:?}");
}

#[test]
fn an_open_transaction_finds_its_own_vectors() {
    let graph = graph("euclidean", 1);
    graph.ask("UNWIND range(1, 9) AS i CREATE (:P {id: i, e: [i]})");
    let text = "MATCH (n:P {id: 5}) SET n.e = [100] WITH n MATCH (m:P {id: 4}) DELETE m \
                CREATE (:P {id: 10, e: [4.75]}) WITH 1 AS one \
                CALL db.index.vector.queryNodes('near', 3, [5.0]) YIELD node RETURN node.id";
    assert_eq!(graph.ask(text), ["10", "6", "3"]);
    assert_eq!(
        graph.ask("CALL db.index.vector.queryNodes('near', 1, [99]) YIELD node RETURN node.id"),
        ["5"]
    );
}

#[test]
fn relationships_have_vector_indexes_too() {
    let graph = Graph::new();
    let made = "CREATE VECTOR INDEX facts IF NOT EXISTS FOR ()-[r:FACT]-() ON (r.e) \
                OPTIONS {indexConfig: {`vector.dimensions`: toInteger('2'), `VECTOR.Similarity_Function`: 'COSINE'}}";
    assert_eq!(graph.ask(made), [""; 0]);
    graph.ask("CREATE (a:A)-[:FACT {id: 1, e: [1.0, 0.0]}]->(b:B), (a)-[:FACT {id: 2}]->(b)");
    graph.ask(
        "MATCH ()-[r:FACT {id: 2}]->() CALL db.create.setRelationshipVectorProperty(r, 'e', [0, 2.0])",
    );
    let asked = "CALL db.index.vector.queryRelationships('facts', 5, [0.0, 1.0]) \
                 YIELD relationship AS r, score RETURN r.id, score, r.e";
    assert_eq!(graph.ask(asked), ["2, 1.0, [0.0, 2.0]", "1, 0.5, [1.0, 0.0]"]);
}

#[test]
fn an_index_holds_what_was_there_before_it() {
    let graph = Graph::new();
    graph.ask("UNWIND range(1, 20) AS i CREATE (:P {id: i, e: [i, 1]}), (:P {id: -i}), (:P {e: 'no vector'})");
    let made = "CREATE VECTOR INDEX any FOR (n:P) ON (n.e)";
    assert_eq!(graph.ask(made), [""; 0]);
    let asked = "CALL db.index.vector.queryNodes('any', 100, [1, 0]) YIELD node RETURN collect(node.id)[..3], count(*)";
    assert_eq!(graph.ask(asked), ["[20, 19, 18], 20"]);
    graph.ask("CREATE (:P {id: 99, e: [1, 2, 3]})");
    let asked = "CALL db.index.vector.queryNodes('any', 100, [1, 0, 0]) YIELD node RETURN node.id";
    assert_eq!(graph.ask(asked), ["99"], "without dimensions each length is its own");
    let wrong = graph.ask("CREATE VECTOR INDEX two FOR (n:P) ON (n.e) OPTIONS {indexConfig: {`vector.dimensions`: 2}}");
    assert!(wrong[0].contains("There already exists an index (:P {e})"), "{wrong:?}");
    graph.ask("DROP INDEX any");
    let wrong = graph.ask("CREATE VECTOR INDEX two FOR (n:P) ON (n.e) OPTIONS {indexConfig: {`vector.dimensions`: 2}}");
    let lengths = "vectors of 2 dimensions are wanted, and this one has 3";
    assert!(wrong[0].contains(lengths), "{wrong:?}");
}

#[test]
fn a_vector_is_a_list_of_floats_to_every_function() {
    let graph = Graph::new();
    graph.ask(
        "CREATE (n:P) WITH n CALL db.create.setNodeVectorProperty(n, 'e', [0.5, 2, 0.1]) RETURN n",
    );
    for (text, expected) in [
        ("MATCH (n:P) RETURN n.e", "[0.5, 2.0, 0.10000000149011612]"),
        ("MATCH (n:P) RETURN size(n.e), n.e[1], head(n.e), n.e[..1]", "3, 2.0, 0.5, [0.5]"),
        ("MATCH (n:P) RETURN reduce(s = 0, x IN n.e[..2] | s + x)", "2.5"),
        (
            "MATCH (n:P) RETURN 2.0 IN n.e, n.e = n.e, valueType(n.e)",
            "true, true, LIST<FLOAT NOT NULL> NOT NULL",
        ),
        ("MATCH (n:P) UNWIND n.e AS x WITH x LIMIT 2 RETURN collect(x)", "[0.5, 2.0]"),
        ("MATCH (n:P) RETURN properties(n).e[0], n{.*}.e[1]", "0.5, 2.0"),
        ("MATCH (n:P) WHERE n.e[0] = 0.5 SET n.f = n.e RETURN n.f = n.e", "true"),
        ("MATCH (n:P) RETURN vector.similarity.cosine(n.e, n.f)", "1.0"),
        (
            "CALL db.schema.nodeTypeProperties() YIELD propertyName AS p, propertyTypes AS t RETURN collect(p + ' ' + t[0])",
            "",
        ),
    ] {
        let found = graph.ask(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        if !expected.is_empty() {
            assert_eq!(found, [expected], "{text}");
        }
    }
}

#[test]
fn old_procedures_make_and_set() {
    let graph = Graph::new();
    assert_eq!(
        graph.ask("CALL db.index.vector.createNodeIndex('old', 'P', 'e', 2, 'euclidean')"),
        [""; 0]
    );
    let set = "CREATE (n:P {id: 7}) WITH n CALL db.create.setVectorProperty(n, 'e', [3, 4]) YIELD node RETURN node.id";
    assert_eq!(graph.ask(set), ["7"]);
    let asked = "CALL db.index.vector.queryNodes('old', 1, [3.0, 4.0]) YIELD node, score RETURN node.id, score";
    assert_eq!(graph.ask(asked), ["7, 1.0"]);
    let taken = graph.ask("CALL db.index.vector.createNodeIndex('old', 'P', 'other', 2, 'cosine')");
    assert!(taken[0].contains("There already exists an index called 'old'"), "{taken:?}");
}

#[test]
fn options_are_shown_as_neo4j_shows_them() {
    let graph = Graph::new();
    graph.ask(
        "CREATE VECTOR INDEX v FOR (n:P) ON n.e OPTIONS {indexProvider: 'vector-2.0', indexConfig: \
         {`vector.dimensions`: 3, `vector.similarity_function`: 'euclidean', `vector.hnsw.m`: 8, \
         `vector.hnsw.ef_construction`: 64, `vector.quantization.enabled`: true}}",
    );
    let shown = "SHOW VECTOR INDEXES YIELD name, state, type, entityType, labelsOrTypes, properties, indexProvider, options \
                 RETURN name, state, type, entityType, labelsOrTypes, properties, indexProvider, \
                 options.indexConfig['vector.dimensions'] AS d, options.indexConfig['vector.similarity_function'] AS s, \
                 options.indexConfig['vector.hnsw.m'] AS m";
    assert_eq!(
        graph.ask(shown),
        ["v, ONLINE, VECTOR, NODE, [P], [e], vector-2.0, 3, EUCLIDEAN, 8"]
    );
    let made =
        graph.ask("SHOW INDEXES YIELD type, createStatement AS s WHERE type = 'VECTOR' RETURN s");
    graph.ask("DROP INDEX v");
    assert_eq!(graph.ask(&made[0]), [""; 0], "{made:?}");
    let again =
        graph.ask("SHOW INDEXES YIELD type, createStatement AS s WHERE type = 'VECTOR' RETURN s");
    assert_eq!(again, made);
    let noted = "CREATE VECTOR INDEX w IF NOT EXISTS FOR (n:P) ON n.e OPTIONS {indexConfig: {`vector.dimensions`: 9}}";
    assert_eq!(graph.ask(noted), [""; 0], "an index over the same key is there");
}

#[test]
fn what_is_no_vector_and_no_option_is_refused_by_name() {
    let graph = graph("cosine", 2);
    let make = |config: &str| {
        format!("CREATE VECTOR INDEX w FOR (n:W) ON (n.e) OPTIONS {{indexConfig: {{{config}}}}}")
    };
    let ask = |arguments: &str| {
        format!("CALL db.index.vector.queryNodes({arguments}) YIELD node RETURN node")
    };
    graph.ask("CREATE (:P {e: [1, 2]})");
    for (text, parts) in [
        (make("`vector.dimensions`: 0"), vec!["1 to 4096 dimensions, not 0"]),
        (make("`vector.dimensions`: 4097"), vec!["1 to 4096 dimensions, not 4097"]),
        (make("`vector.dimensions`: 'many'"), vec!["`vector.dimensions` must be an integer"]),
        (
            make("`vector.similarity_function`: 'manhattan'"),
            vec!["`manhattan`", "cosine, euclidean"],
        ),
        (make("`vector.hnsw.m`: 513"), vec!["`vector.hnsw.m`", "1 to 512, not 513"]),
        (
            make("`vector.layers`: 2"),
            vec!["the configuration of a vector index has no `vector.layers`", "vector.dimensions"],
        ),
        (
            "CREATE VECTOR INDEX w FOR (n:W) ON (n.e, n.f)".to_owned(),
            vec!["a vector index is of one property"],
        ),
        (
            "CREATE VECTOR INDEX near FOR (n:W) ON (n.e)".to_owned(),
            vec!["already exists an index called 'near'"],
        ),
        (
            "CREATE (:P {e: [1, 2, 3]})".to_owned(),
            vec!["the index of P over e", "2 dimensions", "has 3"],
        ),
        (
            "MATCH (n:P) SET n.e = []".to_owned(),
            vec!["the index of P over e", "2 dimensions", "has 0"],
        ),
        ("CREATE (:P {e: [0.0, 0.0]})".to_owned(), vec!["vector of zeros"]),
        ("CREATE (:P {e: [1.0, 0.0 / 0.0]})".to_owned(), vec!["dimension 1 of a vector is NaN"]),
        ("CREATE (:P {e: [1e300, 1]})".to_owned(), vec!["dimension 0 of a vector is inf"]),
        (ask("'near', 3, [1, 2, 3]"), vec!["'near'", "2 dimensions", "has 3"]),
        (ask("'near', 3, [0, 0]"), vec!["vector of zeros"]),
        (ask("'near', 0, [1, 0]"), vec!["above zero"]),
        (ask("'near', 3, [1, 'a']"), vec!["list with other values"]),
        (ask("'near', 2 - 2, [1, 0]"), vec!["error ProcedureCallFailed", "above zero"]),
        (
            "WITH {k: 1.5} AS m CALL db.index.vector.queryNodes('near', m.k, [1, 0]) YIELD node RETURN 1"
                .to_owned(),
            vec!["error ProcedureCallFailed", "above zero"],
        ),
        (
            ask("'nears', 3, [1, 0]"),
            vec![
                "error ProcedureCallFailed: There is no such vector schema index: nears",
                "`near`",
            ],
        ),
        (
            "CALL db.index.vector.queryRelationships('near', 3, [1, 0])".to_owned(),
            vec![
                "error ProcedureCallFailed: There is no such vector schema index: near",
                "`near` is a vector index of nodes: call `db.index.vector.queryNodes`",
            ],
        ),
        (
            "MATCH (n:P) CALL db.create.setNodeVectorProperty(n, 'f', ['a']) RETURN 1".to_owned(),
            vec!["list with other values"],
        ),
    ] {
        let found = graph.ask(&text);
        assert!(found[0].starts_with("error"), "{text}: {found:?}");
        for part in parts {
            assert!(found[0].contains(part), "{text}: {part}: {found:?}");
        }
    }
    assert_eq!(graph.ask("MATCH (n:P) RETURN n.e"), ["[1, 2]"], "nothing of it was written");
}

#[test]
fn zeros_of_either_sign_are_one_vector() {
    let graph = Graph::new();
    for similarity in ["euclidean", "cosine", "dot_product"] {
        graph.ask("MATCH (n) DETACH DELETE n");
        graph.ask("CREATE (:P {id: 1, e: [1.0, 0.0]}), (:P {id: 2, e: [1.0, -0.0]})");
        graph.ask(&format!(
            "CREATE VECTOR INDEX {similarity} FOR (n:P) ON (n.e) OPTIONS {{indexConfig: \
             {{`vector.dimensions`: 2, `vector.similarity_function`: '{similarity}'}}}}"
        ));
        for query in ["[1.0, 0.0]", "[1.0, -0.0]"] {
            let asked = format!(
                "CALL db.index.vector.queryNodes('{similarity}', 2, {query}) YIELD node, score \
                 RETURN collect(node.id), count(DISTINCT score)"
            );
            assert_eq!(graph.ask(&asked), ["[1, 2], 1"], "{similarity} {query}");
        }
        graph.ask(&format!("DROP INDEX {similarity}"));
    }
}

#[test]
fn a_whole_float_is_a_number_of_neighbours() {
    let graph = graph("euclidean", 1);
    graph.ask("UNWIND range(1, 9) AS i CREATE (:P {id: i, e: [i]})");
    // A literal of another type is refused when the statement is read, as in Neo4j.
    let asked = "WITH {k: 2.0} AS m CALL db.index.vector.queryNodes('near', m.k, [3]) YIELD node \
                 RETURN node.id";
    assert_eq!(graph.ask(asked), ["3", "2"]);
}

/// Once 5,000 vectors were compared with all of an index before anything looked at the deadline.
#[test]
fn a_search_for_many_vectors_ends_at_its_deadline_and_within_its_memory() {
    use millrace_model::ErrorKind;
    use std::time::{Duration, Instant};
    const DEADLINE: Duration = Duration::from_millis(300);

    let graph = graph("euclidean", 64);
    let create = "UNWIND range(1, 4000) AS i \
                  CREATE (:P {id: i, e: [k IN range(1, 64) | toFloat(i * k % 97)]})";
    graph.run(create).expect("it is sound");
    let text = "MATCH (n:P) WITH n.e AS e UNWIND [1, 2, 3, 4, 5] AS again \
                CALL db.index.vector.queryNodes('near', 1000000, e) YIELD node RETURN count(*)";
    let begin = Instant::now();
    let error = graph.run_within(text, DEADLINE).map(drop).expect_err("too many");
    assert_eq!(error.kind, ErrorKind::DeadlineExceeded, "{error}");
    assert!(begin.elapsed() < DEADLINE + Duration::from_secs(3), "{:?}", begin.elapsed());
}
