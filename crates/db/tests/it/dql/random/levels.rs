//! What random queries read of the nodes of a level: values, counts, variables and what is computed of them, and the levels
//! below.

use std::collections::BTreeSet;

use super::functions::EDGES;
use super::texts::{Kind, Maker};

impl Maker<'_> {
    pub(super) fn children(&mut self, depth: u64) -> String {
        let mut all: Vec<String> = Vec::new();
        // Numbers that this level defines, and those of the levels below it.
        let mut own: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for place in 0..1 + self.rng.below(5) {
            let alias = if self.rng.chance(0.25) { format!("a{place}: ") } else { String::new() };
            let child = match self.rng.below(16) {
                0 | 1 => "uid".to_owned(),
                2 if seen.insert("count(uid)".to_owned()) => "count(uid)".to_owned(),
                3 => format!("count({}{})", self.pick(&EDGES), self.filtered(0.3)),
                4 if depth == 0 => "...f".to_owned(),
                5 | 6 => {
                    let variable = self.define(Kind::Number);
                    own.push(variable.clone());
                    let read = self.pick(&["age", "height", "count(friend)", "count(likes)"]);
                    format!("{variable} as {read}")
                }
                7 => {
                    let variable = self.define(Kind::Other);
                    let read = self.pick(&["born", "name", "worth", "alive", "name@de:."]);
                    format!("{variable} as {read}")
                }
                8 => self.valued_facets(),
                9 if self.rng.chance(0.5) => self.expanded(depth),
                10 if self.rng.chance(0.2) => format!("{} as uid", self.define(Kind::Nodes)),
                _ => self
                    .pick(&[
                        "name",
                        "age",
                        "height",
                        "born",
                        "alive",
                        "worth",
                        "nick",
                        "score",
                        "home",
                        "plain",
                        "title",
                        "name@de",
                        "name@de:en",
                        "name@.",
                        "name@en:.",
                        "name@*",
                        "dgraph.type",
                        "nothing",
                    ])
                    .to_owned(),
            };
            self.has_fragment |= child == "...f";
            let is_plain = !child.contains(" as ")
                && !child.starts_with("...")
                && !child.starts_with("expand");
            let child = if is_plain { format!("{alias}{child}") } else { child };
            let key = child.rsplit(" as ").next().unwrap_or_default();
            let key = key.strip_suffix(')').unwrap_or(key);
            let key = key.split([' ', '@']).next().unwrap_or_default().to_owned();
            let is_new = match child == "...f" {
                true => ["name", "born", "score"].iter().all(|own| seen.insert((*own).to_owned())),
                false => seen.insert(key),
            };
            if is_new {
                all.push(child);
            } else if child.contains(" as ") {
                let name = self.variables.pop().map(|own| own.name);
                own.retain(|known| Some(known) != name.as_ref());
            }
        }
        let mut below = Vec::new();
        if 0 < depth {
            for _ in 0..self.rng.below(3) {
                let from = self.variables.len();
                let edge = self.edge(depth);
                let key = match edge.split_once(" as ") {
                    Some((name, rest)) if !name.contains(' ') => rest,
                    _ => &edge,
                };
                let key = key.split([' ', '(']).next().unwrap_or_default().to_owned();
                if seen.insert(key) {
                    all.push(edge);
                    let made = &self.variables[from..];
                    let numbers = made.iter().filter(|own| own.kind == Kind::Number);
                    below.extend(numbers.map(|own| own.name.clone()));
                } else {
                    self.variables.truncate(from);
                }
            }
        }
        for (place, name) in own.iter().enumerate() {
            if self.rng.chance(0.5) {
                let math = self.math_of(name);
                let variable = match self.rng.chance(0.5) {
                    true => format!("{} as ", self.define(Kind::Number)),
                    false => format!("m{place}: "),
                };
                all.push(format!("{variable}math({math})"));
            }
        }
        for name in below {
            if self.rng.chance(0.3) {
                let word = self.pick(&["min", "max", "sum", "avg"]);
                all.push(format!("{word}(val({name}))"));
            }
        }
        format!("{{ {} }}", all.join(" "))
    }

    /// A value with its facets.
    fn valued_facets(&mut self) -> String {
        match self.rng.below(4) {
            0 => "name @facets".to_owned(),
            1 => "nick @facets".to_owned(),
            2 => "nick @facets(since)".to_owned(),
            _ => "nick @facets(ge(since, 1))".to_owned(),
        }
    }

    fn expanded(&mut self, depth: u64) -> String {
        let of = self.pick(&["_all_", "A", "B", "A, B", "_forward_", "_reverse_"]);
        if 0 < depth && self.rng.chance(0.5) {
            return format!("expand({of}){} {{ uid name }}", self.filtered(0.2));
        }
        format!("expand({of})")
    }

    fn edge(&mut self, depth: u64) -> String {
        let edge = self.pick(&EDGES);
        if self.rng.chance(0.1) {
            return format!("{edge}{} {}", self.filtered(0.35), self.groups());
        }
        let variable = match self.rng.chance(0.15) {
            true => format!("{} as ", self.define(Kind::Nodes)),
            false => String::new(),
        };
        let arguments = self.arguments();
        let arguments = match arguments.is_empty() {
            true => String::new(),
            false => format!(" ({})", arguments.join(", ")),
        };
        let facets = if self.rng.chance(0.4) { self.edge_facets() } else { String::new() };
        let filter = self.filtered(0.35);
        let shape = match self.rng.below(20) {
            0 => " @cascade",
            1 => " @normalize",
            _ => "",
        };
        let children = self.children(depth - 1);
        format!("{variable}{edge}{arguments}{facets}{filter}{shape} {children}")
    }

    fn edge_facets(&mut self) -> String {
        match self.rng.below(7) {
            0 => " @facets".to_owned(),
            1 => " @facets(weight, c: close)".to_owned(),
            2 => format!(" @facets({} as weight)", self.define(Kind::Number)),
            3 => format!(" @facets({}: weight)", self.pick(&["orderasc", "orderdesc"])),
            4 => format!(" @facets(since) @facets({})", self.facet_filter()),
            _ => format!(" @facets({})", self.facet_filter()),
        }
    }
}
