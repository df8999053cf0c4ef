//! Texts whose rows have an order that clauses which write must keep, and texts that write null and values of a wrong
//! type, in each place where one may stand.

use millrace_testkit::Rng;

use super::graph::{LABELS, TYPES};
use super::parts::{Part, may, with, word};
use super::texts::{Kind, Maker, Script};
use super::ways::Fixed;

/// Values of every type, and null in several ways; `a` is a node, `r` a relationship, `o` null, `i` a number.
const VALUES: [&str; 26] = [
    "null",
    "o",
    "o.n",
    "a.none",
    "a['none']",
    "properties(o)",
    "head([])",
    "[{n: 1}][i]",
    "CASE WHEN i = 1 THEN {n: 3} END",
    "coalesce(null, {n: 4})",
    "1",
    "i",
    "0.5",
    "'t'",
    "true",
    "date('2020-01-01')",
    "[]",
    "[1, null]",
    "[1, 'a']",
    "[{n: 1}]",
    "{}",
    "{n: null}",
    "{n: i, s: 'm'}",
    "{n: {m: 1}}",
    "a",
    "r",
];

/// A text that writes in order, or one that writes values of any type.
pub(super) fn random_writer(rng: &mut Rng) -> Script {
    let mut maker = Maker::that_writes(rng);
    match maker.rng.chance(0.5) {
        true => maker.in_order(),
        false => maker.of_any_type(),
    }
}

impl Maker<'_> {
    /// Rows of a list, in its order or sorted, through clauses that write.
    fn in_order(&mut self) -> Script {
        let (count, values) = (self.rng.range(2..7), ["0", "1", "2", "3", "4"]);
        let list: Vec<&str> = (0..count).map(|_| *self.rng.pick(&values)).collect();
        let sorted = may(word(self.of(&["", " WITH i ORDER BY i", " WITH i ORDER BY -i"])));
        let clauses = (0..self.rng.range(1..4)).map(|_| self.write_in_order()).collect();
        let end = may(word(self.of(&["", " WITH * LIMIT 3", " WITH * SKIP 1"])));
        let result = self.of(&["i", "i, 1 AS one", "collect(i) AS all"]);
        let form = format!("UNWIND [{}] AS i@ @@ RETURN {result}", list.join(", "));
        let text = with(&form, [sorted, Part::Some(clauses, " "), end]);
        Script { text, fixed: Fixed::Order }
    }

    /// A clause that gives one row for each.
    fn write_in_order(&mut self) -> Part {
        let (label, edge_type) = (*self.rng.pick(&LABELS), *self.rng.pick(&TYPES));
        let (new, other) = (self.name(), self.name());
        let actions = may(word(
            self.of(&[
                "",
                " ON CREATE SET @.s = 'c'",
                " ON MATCH SET @.s = 'm'",
                " ON CREATE SET @.s = 'c', @:P ON MATCH SET @ += {s: 'm'}",
            ])
            .replace('@', &new),
        ));
        // An id of its own, so that a merge finds one node at most.
        let node = format!("{new}:{label} {{id: i + 10}}");
        match self.rng.below(8) {
            0..=2 => with(&format!("MERGE ({node})@"), [actions]),
            3 => with(
                &format!("MERGE ({node})-[:{edge_type}]->({other}:{label} {{id: {new}.id + 10}})@"),
                [actions],
            ),
            4 => word(format!("CREATE ({node})-[:{edge_type}]->({other})")),
            5 => word(format!(
                "FOREACH ({other} IN [i, 1] | MERGE ({new}:{label} {{id: {other} + 10}}))"
            )),
            6 => with(&format!("CALL (i) {{ MERGE ({node})@ }}"), [actions]),
            _ => with(&format!("CALL (i) {{ MERGE ({node})@ RETURN {new} }}"), [actions]),
        }
    }

    /// A value of any type, in any place of a clause that writes.
    fn of_any_type(&mut self) -> Script {
        let clauses = (0..self.rng.range(1..3)).map(|_| self.write_any()).collect();
        let limit = self.of(&["", " LIMIT 1"]);
        let start = format!(
            "MATCH (a)-[r]->(b) WITH a, r, b ORDER BY r.id{limit} OPTIONAL MATCH (o:None) UNWIND [0, 1] AS i"
        );
        let text = with(&format!("{start} @ RETURN count(*) AS all"), [Part::Some(clauses, " ")]);
        Script { text, fixed: Fixed::Rows }
    }

    fn any_value(&mut self) -> String {
        (*self.rng.pick(&VALUES)).to_owned()
    }

    fn write_any(&mut self) -> Part {
        let (value, other) = (self.any_value(), self.any_value());
        let target = self.of(&["a", "r", "b", "o", "a", "r"]);
        let (new, edge_type) = (self.name(), *self.rng.pick(&TYPES));
        let text = match self.rng.below(18) {
            0 | 1 => format!("SET {target} = {value}"),
            2 | 3 => format!("SET {target} += {value}"),
            4 => format!("SET {target}.n = {value}"),
            5 => format!("SET {target}.n = {value}, {target}.s = {other}"),
            6 => format!("SET {target}[{value}] = {other}"),
            7 => format!("SET {target}.n.m = {value}"),
            8 => format!("SET a:$({value})"),
            9 => format!("REMOVE {target}[{value}]"),
            10 => format!("REMOVE a:$({value})"),
            11 => format!("CREATE ({new}:New {{n: {value}}})"),
            12 => {
                format!("CREATE (a)-[{new}:{edge_type} {{n: {value}}}]->({})", self.of(&["b", "o"]))
            }
            13 => format!("CREATE ({new}:$({value}))"),
            14 => format!("MERGE ({new}:New {{n: {value}}})"),
            15 => format!("MERGE (a)-[{new}:{edge_type} {{n: {value}}}]->(b)"),
            16 => format!(
                "MERGE ({new}:New {{n: 1}}) ON CREATE SET {new} = {value} ON MATCH SET {new} += {other}"
            ),
            _ => format!("FOREACH (x IN [{value}] | SET {target} += x)"),
        };
        word(text)
    }

    /// Of `random_writer`.
    fn that_writes(rng: &mut Rng) -> Maker<'_> {
        let mut maker = Maker::new(rng);
        maker.writes = true;
        maker.scope.push(("i".to_owned(), Kind::Int, false));
        maker
    }
}
