//! Steps that keep some objects.

use super::generate::Maker;
use super::sight::{Kind, Sight};
use super::text::{Argument, Step, quoted, step, text};

impl Maker<'_> {
    pub(super) fn filter(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        if sight.depth < 3 && self.rng.chance(0.25) {
            return self.filter_by_traversal(sight, steps);
        }
        match self.rng.below(18) {
            0..=3 => self.has(sight, steps),
            4 | 5 => {
                let predicate = self.predicate(sight.kind);
                steps.push(step("is", [text(predicate)]));
            }
            6 => self.dedup(sight, steps),
            7 => {
                let count = self.rng.below(5);
                steps.push(step("limit", [text(count.to_string())]));
            }
            8 => {
                let from = self.rng.below(3);
                let to = (from + self.rng.below(4)).to_string();
                let to = if self.rng.chance(0.1) { "-1".to_owned() } else { to };
                steps.push(step("range", [text(from.to_string()), text(to)]));
            }
            9 => {
                let count = self.rng.below(4).to_string();
                steps.push(step(self.one_of(&["skip", "tail"]), [text(count)]));
            }
            10 => {
                let probability = self.one_of(&["0.5d", "0.9d", "1.0d", "0.0d"]);
                steps.push(step("coin", [text(probability)]));
            }
            11 => self.sample(sight, steps),
            12 | 13 => {
                let name = self.one_of(&["simplePath", "simplePath", "cyclicPath"]);
                steps.push(step(name, []));
                self.path_modulators(sight, steps, 0.2);
            }
            14 | 15 => self.where_tags(sight, steps),
            16 if sight.kind == Kind::List => {
                let predicate = self.predicate(Kind::Number);
                steps.push(step(self.one_of(&["any", "all", "none"]), [text(predicate)]));
            }
            17 if self.rng.chance(0.2) => {
                steps.push(step(self.one_of(&["discard", "none"]), []));
            }
            _ => self.has(sight, steps),
        }
    }

    fn has(&mut self, sight: &Sight, steps: &mut Vec<Step>) {
        let key = self.key();
        let made = match sight.kind {
            Kind::Vertex | Kind::Edge => match self.rng.below(12) {
                0 | 1 => step("has", [quoted(key)]),
                2..=5 => {
                    let predicate = self.predicate(Self::kind_of_key(key));
                    step("has", [quoted(key), text(predicate)])
                }
                6 => {
                    let value = self.literal(Self::kind_of_key(key));
                    step("has", [quoted(key), text(value)])
                }
                7 => {
                    let label = quoted(self.label());
                    let value = self.literal(Self::kind_of_key(key));
                    step("has", [label, quoted(key), text(value)])
                }
                8 => step("hasNot", [quoted(key)]),
                9 if !self.writes => step("hasId", [text(self.id()), text(self.id())]),
                10 => step("has", [text("T.label"), quoted(self.label())]),
                _ => step("hasLabel", [quoted(self.label())]),
            },
            Kind::VertexProperty | Kind::Property if self.rng.chance(0.5) => {
                step("hasKey", [quoted(key), quoted("since")])
            }
            Kind::VertexProperty | Kind::Property if self.rng.chance(0.5) => {
                let predicate = self.predicate(Kind::Text);
                step("hasValue", [text(predicate)])
            }
            Kind::VertexProperty => {
                let predicate = self.predicate(Kind::Number);
                step("has", [quoted("since"), text(predicate)])
            }
            kind => {
                let predicate = self.predicate(kind);
                step("is", [text(predicate)])
            }
        };
        steps.push(made);
    }

    fn dedup(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match sight.tags.as_slice() {
            [.., (name, _)] if self.rng.chance(0.3) => {
                steps.push(step("dedup", [quoted(name)]));
            }
            _ => {
                steps.push(step("dedup", []));
                self.maybe_by(sight, steps, 0.4);
            }
        }
    }

    fn sample(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let count = (1 + self.rng.below(3)).to_string();
        steps.push(step("sample", [text(count)]));
        if matches!(sight.kind, Kind::Vertex | Kind::Edge) && self.rng.chance(0.3) {
            steps.push(step("by", [quoted("i")]));
        }
    }

    /// `from`, `to` and `by` of a path.
    pub(super) fn path_modulators(&mut self, sight: &Sight, steps: &mut Vec<Step>, chance: f64) {
        for name in ["from", "to"] {
            if let [.., (tag, _)] = sight.tags.as_slice()
                && self.rng.chance(chance)
            {
                steps.push(step(name, [quoted(tag)]));
            }
        }
        let count = if self.rng.chance(chance) { 1 + self.rng.below(2) } else { 0 };
        for _ in 0..count {
            self.by_of_any(steps);
        }
    }

    /// A `by` that fits elements of both kinds.
    pub(super) fn by_of_any(&mut self, steps: &mut Vec<Step>) {
        let by = match self.rng.below(4) {
            0 => step("by", []),
            1 => step("by", [text("T.label")]),
            2 => step("by", [quoted(self.key())]),
            _ => {
                let inner = vec![step("constant", [text("1")])];
                step("by", [Argument::Inner(inner)])
            }
        };
        steps.push(by);
    }

    fn where_tags(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let Some(&(name, _)) = sight.tags.last() else { return self.has(sight, steps) };
        let comparison = self.one_of(&["eq", "neq", "lt", "gte", "neq"]);
        let names = match self.collected.first().copied() {
            Some(list) if self.rng.chance(0.4) => {
                let within = self.one_of(&["within", "without"]);
                format!("P.{within}('{list}')")
            }
            _ => format!("P.{comparison}('{name}')"),
        };
        let first = sight.tags.first().filter(|_| self.rng.chance(0.3));
        let first = first.map(|(first, _)| quoted(first));
        let arguments = first.into_iter().chain([text(names)]);
        steps.push(step("where", arguments));
        if self.rng.chance(0.25) {
            self.by_of_any(steps);
        }
    }

    fn filter_by_traversal(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(8) {
            0..=2 => {
                let name = self.one_of(&["where", "filter", "not"]);
                let (inner, _) = self.inner(sight, 3);
                steps.push(step(name, [inner]));
            }
            3 | 4 => {
                let name = self.one_of(&["and", "or"]);
                let count = 1 + self.rng.below(3);
                let inner: Vec<Argument> = (0..count).map(|_| self.inner(sight, 2).0).collect();
                steps.push(step(name, inner));
            }
            5 if matches!(sight.kind, Kind::Vertex | Kind::Edge) => {
                let key = self.key();
                let inside = Sight { kind: Self::kind_of_key(key), ..sight.clone() };
                let (inner, _) = self.inner(&inside, 2);
                steps.push(step("has", [quoted(key), inner]));
            }
            6 => {
                let Some(&(name, kind)) = sight.tags.last() else {
                    return self.filter(sight, steps);
                };
                // A way from a tag, to another or to anywhere.
                let inside = Sight { kind, ..sight.clone() };
                let (Argument::Inner(mut inner), _) = self.inner(&inside, 2) else { return };
                inner.insert(0, step("as", [quoted(name)]));
                if self.rng.chance(0.4) {
                    inner.push(step("as", [quoted(sight.tags[0].0)]));
                }
                steps.push(step("where", [Argument::Inner(inner)]));
            }
            _ => {
                let (inner, _) = self.inner(sight, 3);
                steps.push(step("where", [inner]));
            }
        }
    }
}
