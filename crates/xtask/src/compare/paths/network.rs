//! The graph: a random network with weights, a few nodes of a second label, and a chain. It is that of the rows
//! `cypher.paths.*` of `millrace bench cypher`, but for its random numbers.

use serde_json::{Value, json};

use super::databases::Asked;

/// Nodes of the network, which are numbered from 0.
pub(super) const NODES: u64 = 5_000;

const RELATIONSHIPS: u64 = 50_000;

/// One node in so many has a second label.
const RARE_EVERY: u64 = 500;

/// Nodes of the chain, and the number of the first.
const CHAIN: u64 = 20_000;
pub(super) const CHAIN_FIRST: u64 = 1_000_001;

/// Elements that one statement makes.
const PART: usize = 5_000;

/// Makes it, with indexes that find nodes by number.
pub(super) fn make(database: &mut dyn Asked) -> Result<(), String> {
    for label in ["Node", "Link"] {
        let index = format!("CREATE INDEX FOR (n:{label}) ON (n.id)");
        database.rows(&index, &json!({}))?;
    }
    database.rows("CALL db.awaitIndexes(300)", &json!({}))?;
    let (rare, others): (Vec<u64>, Vec<u64>) = (0..NODES).partition(|node| node % RARE_EVERY == 0);
    add(database, "UNWIND $rows AS id CREATE (:Node {id: id})", &others)?;
    add(database, "UNWIND $rows AS id CREATE (:Node:Rare {id: id})", &rare)?;
    let relationships: Vec<Vec<u64>> =
        (0..RELATIONSHIPS).map(|number| relationship(number).to_vec()).collect();
    let text = "UNWIND $rows AS row MATCH (a:Node {id: row[0]}) MATCH (b:Node {id: row[1]}) \
                CREATE (a)-[:KW {number: row[2], weight: row[3]}]->(b)";
    add(database, text, &relationships)?;
    let links: Vec<u64> = (CHAIN_FIRST..CHAIN_FIRST + CHAIN).collect();
    add(database, "UNWIND $rows AS id CREATE (:Link {id: id})", &links)?;
    let text = "UNWIND $rows AS id MATCH (a:Link {id: id - 1}) MATCH (b:Link {id: id}) \
                CREATE (a)-[:NX]->(b)";
    add(database, text, &links[1..])
}

fn add<T: Clone + Into<Value>>(
    database: &mut dyn Asked,
    text: &str,
    rows: &[T],
) -> Result<(), String> {
    rows.chunks(PART).try_for_each(|part| {
        let rows: Vec<Value> = part.iter().cloned().map(Into::into).collect();
        database.rows(text, &json!({ "rows": rows })).map(drop)
    })
}

/// Source, target, number and weight, the same in every run.
fn relationship(number: u64) -> [u64; 4] {
    let random = |salt: u64| mix(3 * number + salt);
    [random(0) % NODES, random(1) % NODES, number, random(2) % 100]
}

/// A pair of different nodes between which a path is searched.
pub(super) fn pair(number: u64) -> [u64; 2] {
    let source = mix(u64::MAX - number) % NODES;
    [source, (source + 1 + mix(number) % (NODES - 1)) % NODES]
}

/// A number that looks random (the output function of SplitMix64).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts what it is sent.
    #[derive(Default)]
    struct Fake {
        rows: Vec<(String, usize)>,
    }

    impl Asked for Fake {
        fn rows(&mut self, statement: &str, parameters: &Value) -> Result<Vec<Value>, String> {
            let count = parameters["rows"].as_array().map_or(0, Vec::len);
            self.rows.push((statement.to_owned(), count));
            Ok(Vec::new())
        }
    }

    #[test]
    fn every_element_is_sent_once() {
        let mut fake = Fake::default();
        make(&mut fake).unwrap();
        let sent = |word: &str| -> usize {
            let rows = fake.rows.iter().filter(|(text, _)| text.contains(word));
            rows.map(|(_, count)| count).sum()
        };
        assert_eq!((sent("(:Node:Rare"), sent("(:Node {")), (10, 4_990));
        assert_eq!((sent("[:KW"), sent("(:Link"), sent("[:NX]")), (50_000, 20_000, 19_999));
        assert!((0..100).map(pair).all(|[source, target]| source != target && target < NODES));
    }
}
