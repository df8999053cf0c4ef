//! Random queries: blocks with levels, pages, orders, variables, groups, recursion, paths, and what is read of nodes.
//!
//! A variable that is defined is used: by what follows it in its block, or by a block of its own behind it. What depends
//! on the time of the run is not generated.

use millrace_testkit::Rng;

/// What a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Nodes,
    Number,
    /// Texts, times, truths and decimals.
    Other,
}

pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// See the module.
pub(super) struct Maker<'r> {
    pub(super) rng: &'r mut Rng,
    uids: &'r [String],
    pub(super) variables: Vec<Variable>,
    /// How many of the variables are defined in blocks that are finished.
    known: usize,
    /// Variables of the query: name, type and default.
    parameters: Vec<(String, &'static str, String)>,
    pub(super) has_fragment: bool,
}

const FRAGMENT: &str = "fragment f { name born score }";

/// A query over nodes with these uids.
pub(super) fn random_query(rng: &mut Rng, uids: &[String]) -> String {
    let (variables, parameters) = (Vec::new(), Vec::new());
    Maker { rng, uids, variables, known: 0, parameters, has_fragment: false }.query()
}

impl Maker<'_> {
    pub(super) fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.rng.index(words.len())]
    }

    /// The uid of a node, or one that nothing has.
    pub(super) fn uid(&mut self) -> String {
        if self.rng.chance(0.05) { "0x3f".to_owned() } else { self.rng.pick(self.uids).clone() }
    }

    /// A variable of the query instead of a literal.
    pub(super) fn parameter(&mut self, kind: &'static str, literal: String) -> String {
        let name = format!("$p{}", self.parameters.len());
        self.parameters.push((name.clone(), kind, literal));
        name
    }

    /// Some variable of earlier blocks of this kind.
    pub(super) fn variable_of(&mut self, kind: Kind) -> Option<String> {
        self.known_variable(&|own| own == kind)
    }

    pub(super) fn any_variable(&mut self) -> Option<String> {
        self.known_variable(&|_| true)
    }

    fn known_variable(&mut self, is_wanted: &dyn Fn(Kind) -> bool) -> Option<String> {
        let known = &self.variables[..self.known];
        let fitting: Vec<_> = known.iter().filter(|own| is_wanted(own.kind)).collect();
        let place = self.rng.index(fitting.len().max(1));
        fitting.get(place).map(|own| own.name.clone())
    }

    pub(super) fn define(&mut self, kind: Kind) -> String {
        let name = format!("v{}", self.variables.len());
        self.variables.push(Variable { name: name.clone(), kind });
        name
    }

    fn query(&mut self) -> String {
        let mut blocks = Vec::new();
        for number in 0..1 + self.rng.below(3) {
            blocks.push(self.block(&format!("q{number}")));
            self.known = self.variables.len();
        }
        let mut place = 0;
        while place < self.variables.len() {
            self.known = self.variables.len();
            let is_used = is_used(&blocks, &self.variables[place].name);
            if !is_used || self.rng.chance(0.2) {
                blocks.push(self.use_of(place));
            }
            place += 1;
        }
        if self.rng.chance(0.15) {
            // A variable may be used before its block.
            blocks.reverse();
        }
        let mut head = String::new();
        if !self.parameters.is_empty() {
            let own = self
                .parameters
                .iter()
                .map(|(name, kind, literal)| format!("{name}: {kind} = {literal}"));
            head = format!("query q({}) ", own.collect::<Vec<_>>().join(", "));
        }
        let tail = if self.has_fragment { FRAGMENT } else { "" };
        format!("{head}{{ {} }} {tail}", blocks.join("\n  "))
    }

    /// A block that uses a variable.
    fn use_of(&mut self, place: usize) -> String {
        let (name, kind) = (self.variables[place].name.clone(), self.variables[place].kind);
        let block = format!("u{place}");
        match kind {
            Kind::Nodes => {
                let (arguments, filter) = (self.pages(), self.filtered(0.3));
                format!("{block}(func: uid({name}){arguments}){filter} {{ uid name age }}")
            }
            Kind::Number if self.rng.chance(0.4) => format!(
                "{block}() {{ min(val({name})) max(val({name})) s: sum(val({name})) avg(val({name})) }}"
            ),
            Kind::Number => {
                let math = self.math_of(&name);
                let order = self.pick(&["", ", orderasc: val", ", orderdesc: val"]);
                let order = match order {
                    "" => String::new(),
                    word => format!("{word}({name}), first: 3"),
                };
                format!("{block}(func: uid({name}){order}) {{ uid val({name}) m: math({math}) }}")
            }
            Kind::Other => match self.rng.below(3) {
                0 => format!("{block}() {{ min(val({name})) max(val({name})) }}"),
                1 => format!(
                    "{block}(func: uid({name}), orderasc: val({name})) {{ uid val({name}) }}"
                ),
                _ => format!("{block}(func: uid({name})) {{ uid val({name}) }}"),
            },
        }
    }

    fn block(&mut self, name: &str) -> String {
        match self.rng.below(20) {
            0 | 1 => self.grouped_block(name),
            2 | 3 => self.recursion(name),
            4 | 5 => self.paths(),
            other => {
                let root = self.function(true);
                let arguments = self.pages();
                let filter = self.filtered(0.4);
                let is_silent = 17 < other;
                let variable = match is_silent || self.rng.chance(0.1) {
                    true => format!("{} as ", self.define(Kind::Nodes)),
                    false => String::new(),
                };
                let shape = match self.rng.below(12) {
                    0 => " @cascade",
                    1 => " @cascade(name, friend)",
                    2 | 3 => " @normalize",
                    4 => " @ignorereflex",
                    _ => "",
                };
                let depth = self.rng.below(3);
                let children = self.children(depth);
                let name = if is_silent { "var" } else { name };
                format!("{variable}{name}(func: {root}{arguments}){shape}{filter} {children}")
            }
        }
    }

    /// A page and an order behind other arguments.
    fn pages(&mut self) -> String {
        self.arguments().iter().map(|own| format!(", {own}")).collect()
    }

    pub(super) fn arguments(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        if self.rng.chance(0.3) {
            for _ in 0..1 + self.rng.below(2) {
                let word = self.pick(&["orderasc", "orderdesc"]);
                let key = match self.variable_of(Kind::Number) {
                    Some(name) if self.rng.chance(0.3) => format!("val({name})"),
                    _ => self
                        .pick(&["name", "age", "height", "born", "worth", "name@de", "name@de:."])
                        .to_owned(),
                };
                all.push(format!("{word}: {key}"));
            }
            all.dedup();
        }
        if self.rng.chance(0.35) {
            let count = 1 + self.rng.below(3) as i64;
            let count = if self.rng.chance(0.2) && all.is_empty() { -count } else { count };
            all.push(format!("first: {count}"));
        }
        if self.rng.chance(0.15) {
            all.push(format!("offset: {}", self.rng.below(3)));
        }
        if self.rng.chance(0.1) {
            all.push(format!("after: {}", self.uid()));
        }
        all
    }

    pub(super) fn filtered(&mut self, chance: f64) -> String {
        match self.rng.chance(chance) {
            true => format!(" @filter({})", self.filter(2)),
            false => String::new(),
        }
    }
}

/// Whether blocks have a variable somewhere else than where it is defined.
fn is_used(blocks: &[String], name: &str) -> bool {
    let words = |block: &String| {
        let parts = block.split(|letter: char| !letter.is_ascii_alphanumeric());
        parts.filter(|word| *word == name).count()
    };
    1 < blocks.iter().map(words).sum::<usize>()
}
