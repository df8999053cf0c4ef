//! Clauses that write, such that the order of rows decides nothing: a property gets a constant, or a value of the
//! element itself.

use super::graph::{LABELS, TYPES};
use super::parts::{Part, may, with, word};
use super::texts::{Kind, Maker};

impl Maker<'_> {
    pub(super) fn write(&mut self) -> Part {
        match self.rng.below(11) {
            0..=2 => self.create(),
            3 | 4 => self.merge(),
            5 | 6 => self.set(),
            7 => self.remove(),
            8 => self.delete(),
            9 => self.call_that_writes(),
            _ => self.foreach(),
        }
    }

    fn label(&mut self) -> &'static str {
        LABELS[self.rng.index(LABELS.len())]
    }

    fn edge_type(&mut self) -> &'static str {
        TYPES[self.rng.index(TYPES.len())]
    }

    pub(super) fn create(&mut self) -> Part {
        let (label, edge_type) = (self.label(), self.edge_type());
        let value = self.int(1);
        match (self.solid_node(), self.solid_node()) {
            (Some(one), Some(other)) if self.rng.chance(0.4) => {
                let edge = self.new_variable(Kind::Edge);
                let form = format!("CREATE ({one})-[{edge}:{edge_type} {{n: @}}]->({other})");
                with(&form, [value])
            }
            (Some(one), _) if self.rng.chance(0.6) => {
                let new = self.new_variable(Kind::Node);
                let form = format!("CREATE ({one})<-[:{edge_type}]-({new}:{label} {{n: @}})");
                with(&form, [value])
            }
            _ => {
                let new = self.new_variable(Kind::Node);
                with(&format!("CREATE ({new}:{label} {{n: @@}})"), [value, may(word(", s: 'new'"))])
            }
        }
    }

    pub(super) fn merge(&mut self) -> Part {
        let (label, edge_type) = (self.label(), self.edge_type());
        match (self.solid_node(), self.solid_node()) {
            (Some(one), Some(other)) if self.rng.chance(0.5) => {
                let edge = self.name();
                let actions = self.of(&[
                    "",
                    " ON CREATE SET @.n = 7",
                    " ON MATCH SET @.n = 8",
                    " ON CREATE SET @.n = 7 ON MATCH SET @.n = 8",
                ]);
                let actions = may(word(actions.replace('@', &edge)));
                // Without a direction, which of two rows comes first decides that of the new one.
                let (left, right) = *self.rng.pick(&[("-", "->"), ("<-", "-")]);
                let form = format!("MERGE ({one}){left}[{edge}:{edge_type}]{right}({other})@");
                with(&form, [actions])
            }
            (Some(one), _) if self.rng.chance(0.4) => {
                let new = self.name();
                word(format!("MERGE ({one})-[:{edge_type}]->({new}:{label} {{n: 1}})"))
            }
            _ => {
                let key = self.of(&["n: 1", "n: 2", "s: 'a'", "n: 9"]);
                word(format!("MERGE ({}:{label} {{{key}}})", self.name()))
            }
        }
    }

    pub(super) fn set(&mut self) -> Part {
        let Some(node) = self.variable(Kind::Node) else { return self.create() };
        let label = self.label();
        let change = match self.rng.below(8) {
            0 => format!("{node}.n = 5"),
            1 => format!("{node}.n = {node}.id % 2"),
            2 => format!("{node}.s = null"),
            3 => format!("{node}:{label}"),
            4 => format!("{node} += {{n: 4, s: null}}"),
            5 => format!("{node} = {{id: {node}.id, s: 'set'}}"),
            6 => format!("{node}.n = {node}.n + 1"),
            _ => match self.variable(Kind::Edge) {
                Some(edge) => format!("{edge}.n = 6"),
                None => format!("{node}.x = 'x'"),
            },
        };
        word(format!("SET {change}"))
    }

    fn remove(&mut self) -> Part {
        let Some(node) = self.variable(Kind::Node) else { return self.create() };
        let what = match self.rng.below(3) {
            0 => format!(":{}", self.label()),
            1 => ".n".to_owned(),
            _ => ".s".to_owned(),
        };
        word(format!("REMOVE {node}{what}"))
    }

    /// Behind it only counts go on: nothing may read what is gone.
    fn delete(&mut self) -> Part {
        let edge = self.variable(Kind::Edge).filter(|_| self.rng.chance(0.5));
        let what = match (edge, self.variable(Kind::Node)) {
            (Some(edge), _) => format!("DELETE {edge}"),
            (None, Some(node)) => format!("DETACH DELETE {node}"),
            (None, None) => return self.create(),
        };
        self.forget(|_, _| false);
        let count = self.new_variable(Kind::Int);
        word(format!("{what} WITH count(*) AS {count}"))
    }

    fn foreach(&mut self) -> Part {
        let (each, list) = (self.name(), self.ints(1));
        let label = self.label();
        let inner = match self.solid_node() {
            Some(node) if self.rng.chance(0.5) => {
                format!("CREATE ({node})-[:{} {{n: {each}}}]->(:{label})", self.edge_type())
            }
            _ => format!("CREATE (:{label} {{n: {each}}})"),
        };
        with(&format!("FOREACH ({each} IN @ | {inner})"), [list])
    }
}
