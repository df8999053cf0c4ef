//! Steps that make another object of each.

use super::generate::Maker;
use super::sight::{Kind, Sight};
use super::text::{Argument, Step, quoted, step, text};

/// Formulas of where the traverser is.
const FORMULAS: [&str; 6] = ["_ + 1", "_ * _ - 2", "-_ / 2", "abs(_) ^ 2", "_ % 2", "sqrt(abs(_))"];

impl Maker<'_> {
    /// A step that any object allows.
    pub(super) fn any_map(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let chosen = sight.tags.last().copied();
        match self.rng.below(20) {
            0..=4 if chosen.is_some() => self.select(sight, steps),
            5 | 6 => {
                steps.push(step("path", []));
                self.path_modulators(sight, steps, 0.4);
                sight.kind = Kind::Path;
            }
            7 | 8 => self.project(sight, steps),
            9 => {
                let (choices, kind) = self.literals();
                steps.push(step("constant", choices.into_iter().take(1)));
                sight.kind = kind;
            }
            10 => {
                steps.push(step("unfold", []));
                sight.kind = Kind::Any;
            }
            11 if !self.writes => {
                steps.push(step("asString", []));
                sight.kind = Kind::Text;
            }
            12 if self.sack => self.of_sack(sight, steps),
            13 if self.sack => self.of_sack(sight, steps),
            14 if 0 < sight.rounds => {
                steps.push(step("loops", []));
                sight.kind = Kind::Number;
            }
            15 if sight.depth == 0 && sight.rounds == 0 => {
                let (values, kind) = self.literals();
                steps.push(step("inject", values));
                sight.kind = if kind == sight.kind { kind } else { Kind::Any };
            }
            16 => self.format(sight, steps),
            17 if matches!(sight.kind, Kind::Any | Kind::Text) => {
                let asked = self.one_of(&["asNumber", "asBool", "asString"]);
                if !(self.writes && asked == "asString") {
                    steps.push(step(asked, []));
                    sight.kind = Kind::Any;
                }
            }
            18 if self.rng.chance(0.03) => steps.push(step("fail", [quoted("no")])),
            19 => {
                let inner = Argument::Inner(vec![step("limit", [text("1")])]);
                steps.push(step("local", [inner]));
            }
            _ => steps.push(step("identity", [])),
        }
    }

    fn select(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let names: Vec<_> = sight.tags.iter().map(|(name, _)| *name).collect();
        let pop = ["Pop.first", "Pop.last", "Pop.all", "Pop.mixed"];
        let pop = if self.rng.chance(0.3) { Some(text(self.one_of(&pop))) } else { None };
        if 1 < names.len() && self.rng.chance(0.4) {
            steps.push(step("select", pop.into_iter().chain(names.into_iter().map(quoted))));
            if self.rng.chance(0.3) {
                self.by_of_any(steps);
            }
            sight.kind = Kind::Map;
            return;
        }
        let (name, kind) = *self.rng.pick(&sight.tags);
        sight.kind = if pop.is_some() { Kind::Any } else { kind };
        steps.push(step("select", pop.into_iter().chain([quoted(name)])));
        if self.rng.chance(0.15) {
            self.by_of_any(steps);
            sight.kind = Kind::Any;
        }
    }

    fn project(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let names: &[&str] = if self.rng.chance(0.5) { &["p", "q"] } else { &["p"] };
        steps.push(step("project", names.iter().map(|name| quoted(name))));
        for _ in names {
            self.by(sight, steps);
        }
        sight.kind = Kind::Map;
    }

    fn format(&mut self, sight: &Sight, steps: &mut Vec<Step>) {
        let tag = sight.tags.last().map(|(name, _)| *name);
        let pattern = match tag {
            Some(name) if !self.writes => format!("%{{{name}}} or %{{_}}"),
            _ => "one %{_} two".to_owned(),
        };
        steps.push(step("format", [quoted(&pattern)]));
        let inner = Argument::Inner(vec![step("constant", [quoted("k")])]);
        steps.push(step("by", [inner]));
    }

    fn of_sack(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        if self.rng.chance(0.4) {
            steps.push(step("sack", []));
            sight.kind = Kind::Number;
            return;
        }
        let operators = ["sum", "mult", "minus", "min", "max", "assign", "div"];
        let operator = text(format!("Operator.{}", self.one_of(&operators)));
        steps.push(step("sack", [operator]));
        match sight.kind {
            Kind::Number => {}
            Kind::Vertex | Kind::Edge => {
                steps.push(step("by", [quoted(self.one_of(&["i", "n"]))]));
            }
            _ => {
                let inner = vec![step("constant", [text("2")])];
                steps.push(step("by", [Argument::Inner(inner)]));
            }
        }
        if self.rng.chance(0.15) {
            steps.push(step("barrier", [text("Barrier.normSack")]));
        }
    }

    /// A step that reads an element's id, label or properties.
    pub(super) fn of_element(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let of_vertex = sight.kind == Kind::Vertex;
        let key = self.key();
        match self.rng.below(14) {
            0..=4 => {
                steps.push(step("values", [quoted(key)]));
                sight.kind = Self::kind_of_key(key);
            }
            5 => {
                let keys: &[&str] = if self.rng.chance(0.5) { &["s", "i"] } else { &[] };
                steps.push(step("values", keys.iter().map(|key| quoted(key))));
                sight.kind = Kind::Any;
            }
            6 | 7 => {
                let keys: &[&str] = if self.rng.chance(0.5) { &["s", "n"] } else { &[] };
                steps.push(step("properties", keys.iter().map(|key| quoted(key))));
                sight.kind = if of_vertex { Kind::VertexProperty } else { Kind::Property };
            }
            8 | 9 => {
                let keys: &[&str] = if self.rng.chance(0.4) { &["s"] } else { &[] };
                steps.push(step("valueMap", keys.iter().map(|key| quoted(key))));
                if !self.writes && self.rng.chance(0.3) {
                    steps.push(step("with", [text("WithOptions.tokens")]));
                }
                if of_vertex && self.rng.chance(0.3) {
                    let inner = Argument::Inner(vec![step("unfold", [])]);
                    steps.push(step("by", [inner]));
                }
                sight.kind = Kind::Map;
            }
            10 if !self.writes => {
                steps.push(step("elementMap", []));
                sight.kind = Kind::Map;
            }
            11 => {
                steps.push(step("propertyMap", []));
                sight.kind = Kind::Map;
            }
            12 if !self.writes => {
                steps.push(step("id", []));
                sight.kind = Kind::Number;
            }
            _ => {
                steps.push(step("label", []));
                sight.kind = Kind::Text;
            }
        }
    }

    pub(super) fn of_property(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let of_vertex = sight.kind == Kind::VertexProperty;
        match self.rng.below(8) {
            0 | 1 => {
                steps.push(step("value", []));
                sight.kind = Kind::Any;
            }
            2 => {
                steps.push(step("key", []));
                sight.kind = Kind::Text;
            }
            3 | 4 => {
                steps.push(step("element", []));
                sight.kind = if of_vertex { Kind::Vertex } else { Kind::Any };
            }
            5 if of_vertex => {
                steps.push(step("properties", []));
                sight.kind = Kind::Property;
            }
            6 if of_vertex => {
                steps.push(step("values", [quoted("since")]));
                sight.kind = Kind::Number;
            }
            7 if of_vertex => {
                steps.push(step("valueMap", []));
                sight.kind = Kind::Map;
            }
            _ => {
                steps.push(step("value", []));
                sight.kind = Kind::Any;
            }
        }
    }

    pub(super) fn of_number(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(10) {
            0..=2 => {
                let formula = self.one_of(&FORMULAS);
                steps.push(step("math", [quoted(formula)]));
            }
            3..=6 => {
                steps.push(step(self.one_of(&["sum", "min", "max", "mean"]), []));
                sight.reduced(Kind::Number);
            }
            7 => {
                let types = ["LONG", "INT", "DOUBLE", "BIGDECIMAL", "BYTE"];
                let wanted = format!("GType.{}", self.one_of(&types));
                steps.push(step("asNumber", [text(wanted)]));
            }
            8 => {
                steps.push(step("asDate", []));
                sight.kind = Kind::Timestamp;
            }
            _ => {
                steps.push(step("asString", []));
                sight.kind = Kind::Text;
            }
        }
    }

    pub(super) fn of_text(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let made = match self.rng.below(12) {
            0..=3 => {
                let names = ["toUpper", "toLower", "trim", "lTrim", "rTrim", "reverse"];
                step(self.one_of(&names), [])
            }
            4 => step("concat", [quoted("b"), text("null")]),
            5 => {
                let inner = self.inner_to(sight, Kind::Text, 1);
                step("concat", [inner])
            }
            6 => step("replace", [quoted("a"), quoted("cc")]),
            7 => {
                let from = self.rng.below(3).to_string();
                let to = self.one_of(&["-1", "2", "1"]);
                step("substring", [text(from), text(to)])
            }
            8 => {
                sight.kind = Kind::List;
                step("split", [text(self.one_of(&["','", "'a'", "null", "''"]))])
            }
            9 | 10 => {
                sight.kind = Kind::Number;
                step("length", [])
            }
            _ => {
                sight.reduced(Kind::Text);
                step(self.one_of(&["min", "max"]), [])
            }
        };
        steps.push(made);
    }

    pub(super) fn of_timestamp(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(4) {
            0 | 1 => {
                let units = ["second", "minute", "hour", "day"];
                let unit = format!("DT.{}", self.one_of(&units));
                let count = self.one_of(&["1", "-2", "90"]);
                steps.push(step("dateAdd", [text(unit), text(count)]));
            }
            2 => {
                let other = text("datetime('2020-01-01T00:00:00Z')");
                steps.push(step("dateDiff", [other]));
                sight.kind = Kind::Number;
            }
            _ => {
                steps.push(step("asNumber", []));
                sight.kind = Kind::Number;
            }
        }
    }

    pub(super) fn of_list(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let others = ["[1, 2]", "['a', 1]", "[]", "{1, 'b'}"];
        match self.rng.below(16) {
            0..=2 => {
                steps.push(step("unfold", []));
                sight.kind = Kind::Any;
            }
            3..=5 => {
                let names = ["count", "sum", "min", "max", "mean"];
                steps.push(step(self.one_of(&names), [text("Scope.local")]));
                sight.kind = Kind::Number;
            }
            6 | 7 => {
                steps.push(step(self.one_of(&["order", "dedup"]), [text("Scope.local")]));
            }
            8 => {
                let name = self.one_of(&["limit", "tail", "skip", "sample"]);
                let count = (1 + self.rng.below(2)).to_string();
                steps.push(step(name, [text("Scope.local"), text(count)]));
            }
            9..=11 if sight.kind == Kind::List => {
                let names = ["combine", "difference", "disjunct", "intersect", "merge", "product"];
                let name = self.one_of(&names);
                let other = if self.rng.chance(0.4) {
                    self.inner_to(sight, Kind::List, 1)
                } else {
                    text(self.one_of(&others))
                };
                steps.push(step(name, [other]));
            }
            12 => {
                steps.push(step("index", []));
                if self.rng.chance(0.3) {
                    let map = [text("WithOptions.indexer"), text("WithOptions.map")];
                    steps.push(step("with", map));
                    sight.kind = Kind::Map;
                }
            }
            13 => steps.push(step("reverse", [])),
            14 if !self.writes => {
                steps.push(step("conjoin", [quoted(";")]));
                sight.kind = Kind::Text;
            }
            _ => {
                let predicate = self.predicate(Kind::Number);
                steps.push(step(self.one_of(&["any", "all", "none"]), [text(predicate)]));
            }
        }
    }

    pub(super) fn of_map(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(9) {
            0 | 1 => {
                let column = self.one_of(&["Column.keys", "Column.values"]);
                steps.push(step("select", [text(column)]));
                sight.kind = if sight.kind == Kind::Entry { Kind::Any } else { Kind::List };
            }
            2 | 3 if sight.kind == Kind::Map => {
                steps.push(step("unfold", []));
                sight.kind = Kind::Entry;
            }
            4 | 5 if sight.kind == Kind::Map => {
                let name = self.one_of(&["p", "q", "i", "s", "a"]);
                steps.push(step("select", [quoted(name)]));
                sight.kind = Kind::Any;
            }
            6 if sight.kind == Kind::Map => {
                steps.push(step("count", [text("Scope.local")]));
                sight.kind = Kind::Number;
            }
            7 if sight.kind == Kind::Map => {
                steps.push(step("order", [text("Scope.local")]));
                let column = self.one_of(&["Column.keys", "Column.values"]);
                steps.push(step("by", [text(column)]));
            }
            8 if sight.kind == Kind::Map => {
                steps.push(step("merge", [text("['p': 7, 'z': 'w']")]));
            }
            _ => {
                let column = self.one_of(&["Column.keys", "Column.values"]);
                steps.push(step("select", [text(column)]));
                sight.kind = if sight.kind == Kind::Entry { Kind::Any } else { Kind::List };
            }
        }
    }

    /// A `by` for objects of the traversers' kind.
    pub(super) fn by(&mut self, sight: &Sight, steps: &mut Vec<Step>) {
        let is_element = matches!(sight.kind, Kind::Vertex | Kind::Edge);
        let by = match self.rng.below(8) {
            0 => step("by", []),
            1..=3 if is_element => step("by", [quoted(self.key())]),
            4 if is_element => step("by", [text("T.label")]),
            5 if is_element && !self.writes => step("by", [text("T.id")]),
            _ if sight.depth < 3 => {
                let (inner, _) = self.inner(sight, 3);
                step("by", [inner])
            }
            _ => step("by", []),
        };
        steps.push(by);
    }

    pub(super) fn maybe_by(&mut self, sight: &Sight, steps: &mut Vec<Step>, chance: f64) {
        if self.rng.chance(chance) {
            self.by(sight, steps);
        }
    }
}
