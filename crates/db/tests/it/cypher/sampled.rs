//! What a sample says of edges decides where rows are merged, never what is found.

use super::Graph;

const ANSWERS: usize = 200;

#[test]
fn rows_are_not_merged_where_each_has_one_edge() {
    let graph = Graph::new();
    let make = format!(
        "CREATE (m:Message) WITH m UNWIND range(1, {ANSWERS}) AS i \
         CREATE (m)<-[:REPLY_OF]-(:Answer)-[:HAS_TAG]->(:Tag {{i: i}})"
    );
    graph.run(&make).expect("it is sound");
    let question = "MATCH (s:Tag)<-[:HAS_TAG]-(a:Answer)-[:REPLY_OF]->(m:Message) WITH s, m \
                    MATCH (m)<-[:REPLY_OF]-(b) WITH s.i AS i, count(b) AS c RETURN sum(i), sum(c)";
    let sum = ANSWERS * (ANSWERS + 1) / 2;
    let expected = |times| [format!("{sum}, {}", times * ANSWERS * ANSWERS)];
    let merges = |question: &str| {
        graph.ask(&format!("EXPLAIN {question}")).concat().matches("Barrier").count()
    };
    assert_eq!(graph.ask(question), expected(1));
    let before = merges(question);
    // Two answers of each tag: the answer no longer follows from it. The counts are others, so it is seen.
    let more = "MATCH (a:Answer)-[:REPLY_OF]->(m), (a)-[:HAS_TAG]->(t) \
                CREATE (m)<-[:REPLY_OF]-(:Answer)-[:HAS_TAG]->(t)";
    graph.run(more).expect("it is sound");
    // Another text: the old one's plan is kept for a while.
    let question = &question.replace("RETURN sum", "RETURN  sum");
    assert!(before < merges(question), "{before}: {:?}", graph.ask(&format!("EXPLAIN {question}")));
    assert_eq!(graph.ask(question), expected(4));
}
