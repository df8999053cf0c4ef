//! Steps that write.

use super::generate::Maker;
use super::graph::{LABELS, TYPES};
use super::sight::{Kind, Sight};
use super::text::{Argument, Step, quoted, step, text};

impl Maker<'_> {
    pub(super) fn write(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match (sight.kind, self.rng.below(12)) {
            (Kind::Vertex, 0..=2) => self.add_e(sight, steps),
            (Kind::Vertex | Kind::Edge, 3..=6) => self.set(sight, steps),
            (Kind::VertexProperty, 0..=5) => {
                let value = self.rng.below(3).to_string();
                steps.push(step("property", [quoted("since"), text(value)]));
            }
            (Kind::Vertex | Kind::Edge | Kind::VertexProperty | Kind::Property, 7) => {
                // No step may read a dropped element.
                let mut dropped = vec![step("drop", [])];
                if self.rng.chance(0.5) {
                    dropped.insert(0, step("limit", [text("1")]));
                }
                steps.push(step("sideEffect", [Argument::Inner(dropped)]));
                steps.push(step("constant", [text("1")]));
                sight.kind = Kind::Number;
            }
            (_, 8) => self.merge_v(sight, steps),
            (Kind::Vertex, 9) => self.merge_e(sight, steps),
            _ => {
                let made = self.add_v(sight, steps);
                steps.push(made);
                while self.rng.chance(0.5) {
                    let own = self.given();
                    steps.push(step("property", own));
                }
                sight.kind = Kind::Vertex;
            }
        }
    }

    /// A vertex; the caller adds its properties.
    pub(super) fn add_v(&mut self, sight: &Sight, _steps: &mut Vec<Step>) -> Step {
        match self.rng.below(6) {
            0 => step("addV", []),
            1 if sight.kind == Kind::Vertex => {
                step("addV", [Argument::Inner(vec![step("label", [])])])
            }
            _ => step("addV", [quoted(self.one_of(&LABELS))]),
        }
    }

    /// A key and a value, sometimes with a cardinality and properties of its own.
    fn given(&mut self) -> Vec<Argument> {
        let key = self.key();
        let value = text(self.literal(Self::kind_of_key(key)));
        let mut arguments = vec![quoted(key), value];
        if self.rng.chance(0.5) {
            arguments.insert(0, text(self.one_of(&["single", "list", "set"])));
            if self.rng.chance(0.3) {
                arguments.extend([quoted("since"), text("1")]);
            }
        }
        arguments
    }

    fn set(&mut self, sight: &Sight, steps: &mut Vec<Step>) {
        let key = self.key();
        let arguments = match self.rng.below(4) {
            0 => {
                let kind = Self::kind_of_key(key);
                vec![quoted(key), self.inner_to(sight, kind, 2)]
            }
            1 => vec![quoted(key), text("null")],
            _ if sight.kind == Kind::Edge => {
                vec![quoted(key), text(self.literal(Self::kind_of_key(key)))]
            }
            _ => self.given(),
        };
        steps.push(step("property", arguments));
    }

    fn add_e(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        steps.push(step("addE", [quoted(self.one_of(&TYPES))]));
        let vertex = sight.tags.iter().find(|(_, kind)| *kind == Kind::Vertex);
        match vertex {
            Some((name, _)) if self.rng.chance(0.6) => {
                steps.push(step(self.one_of(&["to", "from"]), [quoted(name)]));
            }
            _ => {
                let to = vec![step("V", [text(self.id())])];
                steps.push(step(self.one_of(&["to", "from"]), [Argument::Inner(to)]));
            }
        }
        if self.rng.chance(0.4) {
            let value = self.rng.below(3).to_string();
            steps.push(step("property", [quoted("i"), text(value)]));
        }
        sight.kind = Kind::Edge;
    }

    fn merge_v(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let label = self.one_of(&LABELS);
        let value = self.rng.below(3);
        let map = match self.rng.below(3) {
            0 => format!("[(T.label): '{label}']"),
            1 => format!("['i': {value}]"),
            _ => format!("[(T.label): '{label}', 'i': {value}]"),
        };
        steps.push(step("mergeV", [text(map)]));
        for option in ["Merge.onCreate", "Merge.onMatch"] {
            if self.rng.chance(0.35) {
                let map = format!("['n': {}]", self.literal(Kind::Number));
                steps.push(step("option", [text(option), text(map)]));
            }
        }
        sight.kind = Kind::Vertex;
    }

    fn merge_e(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let ends = format!("(Direction.OUT): {}, (Direction.IN): {}", self.id(), self.id());
        let map = format!("[(T.label): '{}', {ends}]", self.one_of(&TYPES));
        steps.push(step("mergeE", [text(map)]));
        for option in ["Merge.onCreate", "Merge.onMatch"] {
            if self.rng.chance(0.35) {
                let map = format!("['i': {}]", self.rng.below(3));
                steps.push(step("option", [text(option), text(map)]));
            }
        }
        sight.kind = Kind::Edge;
    }
}
