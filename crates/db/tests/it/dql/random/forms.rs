//! Blocks of random queries that are no plain levels: groups, recursion and paths; and expressions of `math`.

use super::functions::EDGES;
use super::texts::{Kind, Maker};

impl Maker<'_> {
    pub(super) fn grouped_block(&mut self, name: &str) -> String {
        let (root, filter) = (self.function(true), self.filtered(0.3));
        if self.rng.chance(0.2) {
            let variable = self.define(Kind::Number);
            let by = self.pick(&["friend", "boss", "likes"]);
            return format!(
                "var(func: {root}){filter} @groupby({by}) {{ {variable} as count(uid) }}"
            );
        }
        format!("{name}(func: {root}){filter} {}", self.groups())
    }

    pub(super) fn groups(&mut self) -> String {
        let mut keys = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            keys.push(self.pick(&[
                "age",
                "boss",
                "friend",
                "name",
                "alive",
                "n: name@de:.",
                "born",
            ]));
        }
        keys.dedup();
        let mut folds = vec!["count(uid)".to_owned()];
        for _ in 0..self.rng.below(3) {
            let fold = match self.variable_of(Kind::Number) {
                Some(name) if self.rng.chance(0.5) => {
                    format!("{}(val({name}))", self.pick(&["min", "sum"]))
                }
                _ => format!(
                    "{}({})",
                    self.pick(&["min", "max", "sum", "avg"]),
                    self.pick(&["age", "height"])
                ),
            };
            if !folds.contains(&fold) {
                folds.push(fold);
            }
        }
        format!("@groupby({}) {{ {} }}", keys.join(", "), folds.join(" "))
    }

    pub(super) fn recursion(&mut self, name: &str) -> String {
        let (root, filter) = (self.function(true), self.filtered(0.2));
        let options =
            self.pick(&["", "(depth: 2)", "(depth: 3, loop: true)", "(depth: 4, loop: false)"]);
        let mut all = vec!["uid".to_owned()];
        if self.rng.chance(0.6) {
            all.push("name".to_owned());
        }
        for _ in 0..1 + self.rng.below(2) {
            let edge = self.pick(&EDGES);
            let facets = match self.rng.below(6) {
                0 => " @facets".to_owned(),
                1 => format!(" @facets({})", self.facet_filter()),
                _ => String::new(),
            };
            let filter = match self.rng.chance(0.3) {
                true => format!(" @filter({})", self.comparison_of_node()),
                false => String::new(),
            };
            let own = format!("{edge}{facets}{filter}");
            if !all.iter().any(|known| known.split(' ').next() == Some(edge)) {
                all.push(own);
            }
        }
        format!("{name}(func: {root}) @recurse{options}{filter} {{ {} }}", all.join(" "))
    }

    fn comparison_of_node(&mut self) -> String {
        format!("{}(age, {})", self.pick(&["ge", "le"]), self.rng.below(4))
    }

    pub(super) fn paths(&mut self) -> String {
        let (from, to) = (self.uid(), self.uid());
        let mut options = String::new();
        for (chance, option) in
            [(0.4, "numpaths: 3"), (0.3, "depth: 3"), (0.1, "minweight: 1"), (0.1, "maxweight: 3")]
        {
            if self.rng.chance(chance) {
                options.push_str(&format!(", {option}"));
            }
        }
        let mut all: Vec<String> = Vec::new();
        for edge in ["friend", "road", "boss", "~likes"] {
            if all.is_empty() || self.rng.chance(0.4) {
                let facets = match self.rng.below(4) {
                    0 => " @facets(weight)".to_owned(),
                    1 => format!(" @facets({})", self.facet_filter()),
                    _ => String::new(),
                };
                let filter = match self.rng.chance(0.2) {
                    true => format!(" @filter({})", self.comparison_of_node()),
                    false => String::new(),
                };
                all.push(format!("{edge}{facets}{filter}"));
            }
        }
        let variable = self.define(Kind::Nodes);
        format!("{variable} as shortest(from: {from}, to: {to}{options}) {{ {} }}", all.join(" "))
    }

    /// An expression that has a variable's numbers in it.
    pub(super) fn math_of(&mut self, name: &str) -> String {
        let math = self.math(name, 2);
        if math.contains(name) { math } else { format!("({name} + {math})") }
    }

    /// An expression over a variable's numbers.
    fn math(&mut self, name: &str, depth: u64) -> String {
        if depth == 0 || self.rng.chance(0.2) {
            return match self.rng.chance(0.7) {
                true => name.to_owned(),
                false => self.pick(&["1", "2", "0.5", "3"]).to_owned(),
            };
        }
        let (one, other) = (self.math(name, depth - 1), self.math(name, depth - 1));
        match self.rng.below(12) {
            0..=5 => format!("({one} {} {other})", self.pick(&["+", "-", "*", "/", "%"])),
            6 => format!(
                "cond({one} {} {other}, {one}, {name})",
                self.pick(&["<", ">=", "==", "!="])
            ),
            7 => format!("{}({one}, {other})", self.pick(&["min", "max", "pow", "logbase"])),
            8 => format!("-({one})"),
            _ => format!("{}({one})", self.pick(&["floor", "ceil", "sqrt", "ln", "exp"])),
        }
    }
}
