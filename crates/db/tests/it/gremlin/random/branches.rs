//! Steps that hold traversals: branches, rounds, patterns.

use super::generate::Maker;
use super::graph::TYPES;
use super::sight::{Kind, Sight};
use super::text::{Argument, Step, quoted, step, text};

impl Maker<'_> {
    pub(super) fn branching(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(24) {
            0..=3 => {
                let name = self.one_of(&["map", "flatMap", "local", "flatMap"]);
                let (inner, end) = self.inner(sight, 3);
                steps.push(step(name, [inner]));
                sight.kind = end.kind;
                if name == "local" {
                    sight.tags.extend(end.tags);
                }
            }
            4 => {
                let (inner, _) = self.inner(sight, 3);
                steps.push(step("sideEffect", [inner]));
            }
            5..=8 => self.several(sight, steps),
            9 => {
                let (inner, end) = self.inner(sight, 3);
                steps.push(step("optional", [inner]));
                sight.kind = if end.kind == sight.kind { end.kind } else { Kind::Any };
            }
            10 | 11 => self.choose(sight, steps),
            12 => self.choose_option(sight, steps),
            // Rounds in rounds soon hold more than is worth while.
            13..=19 if sight.rounds == 0 || self.rng.chance(0.2) => self.repeat(sight, steps),
            20 | 21 if matches!(sight.kind, Kind::Vertex) => self.pattern(sight, steps),
            _ => {
                let (inner, _) = self.inner(sight, 2);
                steps.push(step("where", [inner]));
            }
        }
    }

    fn several(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let name = self.one_of(&["union", "coalesce", "union"]);
        let count = 1 + self.rng.below(3);
        let mut kinds = Vec::new();
        let mut all = Vec::new();
        for _ in 0..count {
            let (inner, end) = self.inner(sight, 3);
            all.push(inner);
            kinds.push(end.kind);
        }
        steps.push(step(name, all));
        sight.kind = common(&kinds);
    }

    fn choose(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let test = if self.rng.chance(0.5) {
            text(self.predicate(sight.kind))
        } else {
            self.inner(sight, 2).0
        };
        let (then, end) = self.inner(sight, 3);
        if self.rng.chance(0.3) {
            steps.push(step("choose", [test, then]));
            sight.kind = common(&[end.kind, sight.kind]);
            return;
        }
        let (otherwise, other) = self.inner(sight, 3);
        steps.push(step("choose", [test, then, otherwise]));
        sight.kind = common(&[end.kind, other.kind]);
    }

    fn choose_option(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let asked = match sight.kind {
            Kind::Vertex | Kind::Edge if self.rng.chance(0.5) => {
                Argument::Inner(vec![step("values", [quoted("i")])])
            }
            Kind::Vertex | Kind::Edge => text("T.label"),
            _ => self.inner_to(sight, Kind::Number, 2),
        };
        let of_labels = asked == text("T.label");
        let mut kinds = vec![sight.kind];
        let name = self.one_of(&["choose", "branch"]);
        steps.push(step(name, [asked]));
        for _ in 0..1 + self.rng.below(3) {
            let key = match self.rng.below(5) {
                0 => text("Pick.any"),
                1 => text("Pick.none"),
                2 if !of_labels => text(self.predicate(Kind::Number)),
                _ if of_labels => quoted(self.label()),
                _ => text(self.rng.below(3).to_string()),
            };
            let (inner, end) = self.inner(sight, 2);
            kinds.push(end.kind);
            steps.push(step("option", [key, inner]));
        }
        sight.kind = common(&kinds);
    }

    fn repeat(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        if !matches!(sight.kind, Kind::Vertex | Kind::Number | Kind::Text) {
            let mut led = sight.clone();
            self.lead(&mut led, steps, Kind::Vertex);
            *sight = led;
        }
        let mut inside = sight.inside();
        inside.rounds += 1;
        let mut body = Vec::new();
        if sight.kind == Kind::Vertex && self.rng.chance(0.7) {
            let name = self.one_of(&["out", "in", "both"]);
            let types = TYPES.into_iter().take(usize::from(self.rng.chance(0.3))).map(quoted);
            body.push(step(name, types));
        }
        let count = self.rng.below(3) + u64::from(body.is_empty());
        self.go(&mut inside, &mut body, count);
        self.lead(&mut inside, &mut body, sight.kind);
        if body.is_empty() {
            body.push(step("identity", []));
        }
        let body = Argument::Inner(body);
        let until = self.rng.chance(0.3).then(|| self.until(&inside));
        let emit = self.rng.chance(0.35).then(|| self.emit(&inside));
        let times = match until {
            Some(_) => None,
            None => Some(step("times", [text(self.rng.below(4).to_string())])),
        };
        let mut before = Vec::new();
        let mut behind = Vec::new();
        for modulator in [until, emit, times].into_iter().flatten() {
            let first = self.rng.chance(0.4);
            if first { before.push(modulator) } else { behind.push(modulator) }
        }
        let name = quoted("r");
        let named = [name].into_iter().take(usize::from(self.rng.chance(0.1)));
        steps.extend(before);
        steps.push(step("repeat", named.chain([body])));
        steps.extend(behind);
        sight.tags = inside.tags;
    }

    /// A test that holds after a few rounds at the latest.
    fn until(&mut self, inside: &Sight) -> Step {
        let rounds = (1 + self.rng.below(3)).to_string();
        let enough = vec![step("loops", []), step("is", [text(format!("P.gte({rounds})"))])];
        if self.rng.chance(0.4) {
            return step("until", [Argument::Inner(enough)]);
        }
        let (other, _) = self.inner(inside, 2);
        let both = [Argument::Inner(enough), other];
        step("until", [Argument::Inner(vec![step("or", both)])])
    }

    fn emit(&mut self, inside: &Sight) -> Step {
        match self.rng.below(4) {
            0 | 1 => step("emit", []),
            2 => {
                let predicate = self.predicate(inside.kind);
                step("emit", [Argument::Inner(vec![step("is", [text(predicate)])])])
            }
            _ => step("emit", [self.inner(inside, 2).0]),
        }
    }

    /// `match` of one to three ways and a condition.
    fn pattern(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let names = ["m", "n", "o"];
        let mut patterns = Vec::new();
        for place in 0..1 + self.rng.below(3) as usize {
            let hop = self.one_of(&["out", "in", "both", "out"]);
            let types = TYPES.into_iter().take(usize::from(self.rng.chance(0.3))).map(quoted);
            let from = names[self.rng.index(place.min(1) + 1)];
            let to = names[(place + 1).min(2)];
            patterns.push(Argument::Inner(vec![
                step("as", [quoted(from)]),
                step(hop, types),
                step("as", [quoted(to)]),
            ]));
        }
        if self.rng.chance(0.4) {
            let condition = match self.rng.below(3) {
                0 => step("where", [quoted("m"), text("P.neq('n')")]),
                1 => {
                    let not = vec![step("as", [quoted("n")]), step("out", [])];
                    step("not", [Argument::Inner(not)])
                }
                _ => {
                    let ways = ["m", "n"].map(|name| {
                        Argument::Inner(vec![
                            step("as", [quoted(name)]),
                            step("has", [quoted("i")]),
                        ])
                    });
                    step("or", ways)
                }
            };
            patterns.push(Argument::Inner(vec![condition]));
        }
        steps.push(step("match", patterns));
        sight.kind = Kind::Map;
        for name in ["m", "n"] {
            sight.tags.push((name, Kind::Vertex));
        }
        if self.rng.chance(0.6) {
            steps.push(step("select", [quoted("m"), quoted("n")]));
        }
    }
}

/// The kind that all are of.
fn common(kinds: &[Kind]) -> Kind {
    match kinds {
        [first, rest @ ..] if rest.iter().all(|kind| kind == first) => *first,
        _ => Kind::Any,
    }
}
