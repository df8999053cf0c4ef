//! Writes at random, in Cypher and Gremlin: values and labels of some elements, found by number or by a condition.

use millrace_testkit::Rng;

use super::questions::Questions;
use super::values::{Regime, vector, words};
use super::world::Step;

/// Numbers of elements so far: each has one of its own.
#[derive(Default)]
pub(super) struct Numbers {
    nodes: u64,
    edges: u64,
}

fn cypher(text: String) -> Step {
    Step::Same { language: "cypher", text, is_ordered: true }
}

impl Numbers {
    fn any_node(&self, rng: &mut Rng) -> u64 {
        rng.below(self.nodes.max(1))
    }

    /// A node, or a relationship.
    pub(super) fn create(&mut self, rng: &mut Rng, regime: Regime) -> Step {
        let (v, w, a) = (regime.value(rng), words(rng), rng.below(3));
        if 3 < self.nodes && rng.chance(0.25) {
            let (one, other) = (self.any_node(rng), self.any_node(rng));
            let edge_type = rng.pick(&["R", "R", "S"]);
            self.edges += 1;
            return cypher(format!(
                "MATCH (a {{i: {one}}}), (b {{i: {other}}}) \
                 CREATE (a)-[:{edge_type} {{i: {}, a: {a}, v: {v}, w: {w}}}]->(b)",
                self.edges
            ));
        }
        let labels = rng.pick(&[":P", ":P", ":P:Q", ":Q", ""]);
        let e = if rng.chance(0.7) { vector(rng) } else { "null".to_owned() };
        self.nodes += 1;
        cypher(format!(
            "CREATE ({labels} {{i: {}, a: {a}, v: {v}, w: {w}, e: {e}}})",
            self.nodes - 1
        ))
    }

    /// Many nodes and relationships with values that questions seldom mean: an index that would find a good part of all is
    /// not asked.
    pub(super) fn many(regime: Regime) -> Step {
        let v = match regime {
            Regime::Texts => "'zy' + (k % 90)",
            Regime::Points => "point({longitude: 100.0 + k / 100.0, latitude: 40.0})",
            Regime::Numbers => "1000 + k % 90",
            Regime::Mixed => "CASE k % 3 WHEN 0 THEN 'zy' + k WHEN 1 THEN 1000 + k ELSE null END",
        };
        cypher(format!(
            "UNWIND range(1, 200) AS k WITH k, {v} AS v \
             CREATE (:P {{i: 1000 + k, a: 7, v: v, w: 'pad'}})-[:R {{i: 1000 + k, v: v}}]->\
             (:Q {{i: 2000 + k, v: v, e: [k, 1, 2]}})"
        ))
    }

    /// A change of some elements.
    pub(super) fn change(&mut self, rng: &mut Rng, regime: Regime) -> Step {
        let (v, w, node) = (regime.value(rng), words(rng), self.any_node(rng));
        if rng.chance(0.12) {
            return self.by_gremlin(rng, &v, node);
        }
        let some = match rng.below(6) {
            0..=2 => format!("MATCH (n {{i: {node}}})"),
            3 => format!("MATCH (n:P {{i: {node}}})"),
            4 => format!("MATCH ()-[n:R {{i: {}}}]->()", rng.below(self.edges + 1)),
            _ => {
                let mut questions = Questions { rng, regime, has_rows: false };
                let condition = questions.condition(1);
                let pattern = questions.rng.pick(&["(n:P)", "(n:P)", "()-[n:R]->()"]);
                format!("MATCH {pattern} WHERE {condition} WITH n ORDER BY n.i LIMIT 3")
            }
        };
        let is_edge = some.contains("[n:R");
        let change = match rng.below(if is_edge { 7 } else { 11 }) {
            0..=2 => format!("SET n.v = {v}"),
            3 => "REMOVE n.v".to_owned(),
            4 => format!("SET n.w = {w}, n.v = {v}"),
            5 => format!("SET n += {{v: {v}, w: null}}"),
            6 => "DETACH DELETE n".to_owned(),
            7 => "SET n:P".to_owned(),
            8 => "REMOVE n:P".to_owned(),
            9 => format!("SET n:Q, n.e = {}", vector(rng)),
            _ => format!("SET n = {{i: n.i, v: {v}, a: 1}}"),
        };
        let change = if is_edge { change.replace("DETACH ", "") } else { change };
        cypher(format!("{some} {change}"))
    }

    /// Several values of a key.
    fn by_gremlin(&self, rng: &mut Rng, value: &str, node: u64) -> Step {
        let is_simple = value.starts_with('\'') || value.parse::<i64>().is_ok();
        let value = if is_simple { value } else { "'ab'" };
        let cardinality = rng.pick(&["list", "list", "single"]);
        let text =
            format!("g.V().has('i', {node}).property({cardinality}, 'v', {value}).iterate()");
        Step::Same { language: "gremlin", text, is_ordered: true }
    }

    /// A merge by a value.
    pub(super) fn merge(&mut self, rng: &mut Rng, regime: Regime) -> Step {
        let v = regime.value(rng);
        self.nodes += 1;
        cypher(format!(
            "MERGE (n:P {{v: {v}}}) ON CREATE SET n.i = {}, n.a = 0 ON MATCH SET n.a = 2",
            self.nodes - 1
        ))
    }
}
