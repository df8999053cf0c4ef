//! Steps that see all objects of their scope: folds, orders, groups, and side effects that collect.

use super::generate::Maker;
use super::sight::{Kind, Sight};
use super::text::{Argument, Step, quoted, step, text};

impl Maker<'_> {
    pub(super) fn collect(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(20) {
            0 | 1 => {
                steps.push(step("count", []));
                sight.reduced(Kind::Number);
            }
            2 | 3 => {
                steps.push(step("fold", []));
                sight.reduced(Kind::List);
            }
            4 if sight.kind == Kind::Number => {
                let operator = self.one_of(&["0, sum", "1, mult", "5, min", "0.5d, max"]);
                let (seed, operator) = operator.split_once(", ").expect("written so");
                steps.push(step("fold", [text(seed), text(format!("Operator.{operator}"))]));
                sight.reduced(Kind::Number);
            }
            5..=8 => self.order(sight, steps),
            9 | 10 => {
                steps.push(step("group", []));
                if self.rng.chance(0.8) {
                    self.by(sight, steps);
                    self.maybe_by(sight, steps, 0.7);
                }
                sight.reduced(Kind::Map);
            }
            11 => {
                steps.push(step("groupCount", []));
                self.maybe_by(sight, steps, 0.7);
                sight.reduced(Kind::Map);
            }
            12 => {
                steps.push(step("barrier", []));
            }
            13 => {
                steps.push(step("tree", []));
                let count = if self.rng.chance(0.4) { 1 + self.rng.below(2) } else { 0 };
                (0..count).for_each(|_| self.by_of_any(steps));
                sight.reduced(Kind::Any);
            }
            _ => self.beside(sight, steps),
        }
    }

    fn order(&mut self, sight: &Sight, steps: &mut Vec<Step>) {
        steps.push(step("order", []));
        // Elements are ordered by their ids, and the ids of new ones are unspecified.
        let by_id = !matches!(sight.kind, Kind::Number | Kind::Text);
        let count = if by_id && self.writes { 1 } else { self.rng.below(3) };
        for _ in 0..count {
            let order = self.one_of(&["Order.asc", "Order.desc", "Order.asc", "Order.shuffle"]);
            let by = match sight.kind {
                Kind::Vertex | Kind::Edge => match self.rng.below(3) {
                    0 => text("T.label"),
                    1 => quoted(self.key()),
                    _ => self.inner_to(sight, Kind::Number, 2),
                },
                Kind::Number | Kind::Text => {
                    steps.push(step("by", [text(order)]));
                    continue;
                }
                _ => self.inner_to(sight, Kind::Number, 1),
            };
            steps.push(step("by", [by, text(order)]));
        }
    }

    /// A step that collects as a side effect.
    fn beside(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let name = match self.rng.below(10) {
            0..=3 if sight.kind == Kind::Edge => {
                steps.push(step("subgraph", [quoted("u")]));
                "u"
            }
            0..=4 => {
                let scope = [text("Scope.local")];
                let scope = scope.into_iter().take(usize::from(self.rng.chance(0.2)));
                steps.push(step("aggregate", scope.chain([quoted("x")])));
                self.maybe_by(sight, steps, 0.3);
                "x"
            }
            5 => {
                steps.push(step("groupCount", [quoted("y")]));
                self.maybe_by(sight, steps, 0.6);
                "y"
            }
            6 => {
                steps.push(step("group", [quoted("z")]));
                if self.rng.chance(0.8) {
                    self.by(sight, steps);
                    self.maybe_by(sight, steps, 0.6);
                }
                "z"
            }
            7 => {
                steps.push(step("tree", [quoted("t")]));
                "t"
            }
            _ if !self.collected.is_empty() => return self.collected_again(sight, steps),
            _ => return,
        };
        if !self.collected.contains(&name) {
            self.collected.push(name);
        }
    }

    /// Reads the collection so far.
    fn collected_again(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let name = *self.rng.pick(&self.collected);
        let kind = if name == "x" { Kind::List } else { Kind::Map };
        if self.rng.chance(0.5) {
            steps.push(step("select", [quoted(name)]));
            sight.kind = kind;
            return;
        }
        steps.push(step("cap", [quoted(name)]));
        sight.reduced(kind);
        if self.rng.chance(0.5) {
            let inner = Argument::Inner(vec![step("unfold", [])]);
            steps.push(step("local", [inner]));
            sight.kind = Kind::Any;
        }
    }
}
