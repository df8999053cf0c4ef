//! Random texts of all clauses: what a text may name, and the clauses that read.

use millrace_testkit::Rng;

use super::parts::{Part, expression, may, with, word};
use super::ways::Fixed;

/// The kind of a variable or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Text,
    Bool,
    Node,
    Edge,
    /// A list of relationships, in the order of their path.
    Edges,
    Path,
    /// One of several paths: only its length is known.
    Picked,
    /// A list of integers in a known order.
    Ints,
    /// A list in an order that the text leaves open.
    Bag,
    Map,
    /// A value of any type.
    Any,
}

/// A random text, and what of its result is fixed.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) text: Part,
    pub(super) fixed: Fixed,
}

/// Its name, its kind, and whether it may be null.
pub(super) type Variable = (String, Kind, bool);

/// The state that all parts of a text share.
pub(super) struct Maker<'a> {
    pub(super) rng: &'a mut Rng,
    /// Variables in scope, and whether each may be null.
    pub(super) scope: Vec<Variable>,
    next: u32,
    /// Whether it writes: then ids say nothing of new elements, so that no order is total.
    pub(super) writes: bool,
    /// Hops of patterns that may still be made: what a text runs grows with them.
    pub(super) hops_left: u32,
    /// How deep subqueries stand inside each other.
    pub(super) subqueries: u32,
}

const DEPTH: u32 = 3;
const HOPS_MAX: u32 = 6;
pub(super) const SUBQUERIES_MAX: u32 = 2;

/// A random text.
pub(super) fn random_script(rng: &mut Rng) -> Script {
    let mut maker = Maker::new(rng);
    maker.writes = maker.rng.chance(0.25);
    if !maker.writes && maker.rng.chance(0.08) {
        return maker.union();
    }
    let clauses = maker.clauses();
    let (result, fixed) = maker.result();
    Script { text: with("@ @", [clauses, result]), fixed }
}

impl<'a> Maker<'a> {
    /// With nothing in scope.
    pub(super) fn new(rng: &'a mut Rng) -> Maker<'a> {
        let (scope, next) = Default::default();
        Maker { rng, scope, next, writes: false, hops_left: HOPS_MAX, subqueries: 0 }
    }
}

impl Maker<'_> {
    fn union(&mut self) -> Script {
        let all = self.of(&["UNION", "UNION ALL"]);
        let kinds = [Kind::Int, Kind::Text, Kind::Any];
        let kind = *self.rng.pick(&kinds[..if all == "UNION" { 2 } else { 3 }]);
        let part = |maker: &mut Self| {
            maker.scope.clear();
            maker.hops_left = 3;
            let clauses = maker.clauses();
            let value = maker.of_kind(kind, 2);
            with("@ RETURN @ AS u", [clauses, value])
        };
        let text = with(&format!("@ {all} @"), [part(self), part(self)]);
        Script { text, fixed: Fixed::Rows }
    }

    fn clauses(&mut self) -> Part {
        let (first, mut wrote) = self.first_clause();
        let mut all = vec![first];
        let count = self.rng.below(4);
        for _ in 0..count {
            let between = self.between();
            let (clause, writes) = self.clause();
            // Between a clause that writes and one that reads there is a `WITH`.
            if wrote && !writes {
                all.push(between);
            }
            all.push(clause);
            wrote = writes;
        }
        Part::Some(all, " ")
    }

    /// A clause, and whether it writes.
    fn first_clause(&mut self) -> (Part, bool) {
        match self.rng.below(10) {
            0 => (self.unwind(), false),
            1 if self.writes => (self.write(), true),
            _ => (self.match_clause(false), false),
        }
    }

    fn clause(&mut self) -> (Part, bool) {
        if self.writes && self.rng.chance(0.45) {
            return (self.write(), true);
        }
        let clause = match self.rng.below(12) {
            0..=2 => self.match_clause(false),
            3 | 4 => self.match_clause(true),
            5..=8 => self.with_clause(),
            9 => self.unwind(),
            _ => self.call(),
        };
        (clause, false)
    }

    /// All variables go on.
    fn between(&mut self) -> Part {
        if self.scope.is_empty() { word("WITH 1 AS one") } else { word("WITH *") }
    }

    /// Variables that are new inside, for what `make` makes there.
    pub(super) fn inside<T>(
        &mut self,
        new: &[(&str, Kind)],
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.scope.len();
        self.scope.extend(new.iter().map(|&(name, kind)| (name.to_owned(), kind, false)));
        let made = make(self);
        self.scope.truncate(before);
        made
    }

    pub(super) fn name(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }

    /// A new variable.
    pub(super) fn new_variable(&mut self, kind: Kind) -> String {
        let name = self.name();
        self.scope.push((name.clone(), kind, false));
        name
    }

    /// A variable of a kind in scope; the newest ones more often.
    pub(super) fn variable(&mut self, kind: Kind) -> Option<String> {
        let all: Vec<usize> =
            (0..self.scope.len()).filter(|&index| self.scope[index].1 == kind).collect();
        if all.is_empty() {
            return None;
        }
        Some(self.scope[all[self.rng.index(all.len())]].0.clone())
    }

    /// A node that is not null.
    pub(super) fn solid_node(&mut self) -> Option<String> {
        let solid = |own: &&Variable| own.1 == Kind::Node && !own.2;
        let all: Vec<String> = self.scope.iter().filter(solid).map(|own| own.0.clone()).collect();
        if all.is_empty() { None } else { Some(self.rng.pick(&all).clone()) }
    }

    /// One of several words.
    pub(super) fn of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.rng.index(words.len())]
    }

    pub(super) fn match_clause(&mut self, optional: bool) -> Part {
        let before = self.scope.len();
        let several = self.rng.chance(0.2);
        let mut paths = vec![self.path(!several)];
        if several {
            paths.push(self.path(false));
        }
        let test = self.tests();
        let word = if optional { "OPTIONAL MATCH" } else { "MATCH" };
        if optional {
            self.scope[before..].iter_mut().for_each(|own| own.2 = true);
        }
        with(&format!("{word} @@"), [Part::Some(paths, ", "), test])
    }

    pub(super) fn tests(&mut self) -> Part {
        if self.rng.chance(0.7) {
            return word("");
        }
        let mut tests = vec![self.truth(DEPTH)];
        while self.rng.chance(0.3) {
            let test = match self.predicate_pattern() {
                Some(pattern) if self.rng.chance(0.5) => {
                    let form = self.of(&["@", "NOT @", "(@ OR false)", "(NOT @ OR null)"]);
                    with(form, [pattern])
                }
                _ => expression("(@)", [self.truth(2)]),
            };
            tests.push(test);
        }
        may(with(" WHERE @", [Part::Some(tests, " AND ")]))
    }

    /// A path of a `MATCH`; a selector stands alone in it.
    pub(super) fn path(&mut self, may_select: bool) -> Part {
        if 1 < self.hops_left && self.rng.chance(0.2) {
            return self.unusual_path(may_select);
        }
        let named = self.rng.chance(0.12);
        let mut parts = vec![self.node()];
        let count = self.rng.below(3);
        for _ in 0..count {
            if self.hops_left == 0 {
                break;
            }
            self.hops_left -= 1;
            let hop = self.hop();
            let node = self.node();
            parts.push(may(Part::All(vec![hop, node])));
        }
        let path = Part::All(parts);
        if named {
            let name = self.new_variable(Kind::Path);
            return with(&format!("{name} = @"), [path]);
        }
        path
    }

    /// Shortest paths and repeated parts.
    fn unusual_path(&mut self, may_select: bool) -> Part {
        self.hops_left -= 2;
        let (start, end) = (self.node(), self.node());
        let (types, arrow) = (self.of(&["", ":L", ":K", ":L|K"]), self.of(&[">", ">", ""]));
        match self.rng.below(6) {
            0 => {
                let name = self.new_variable(Kind::Picked);
                // Ends that may be one are refused where they are.
                let form = format!("{name} = shortestPath(@-[{types}*0..3]-{arrow}@)");
                with(&form, [start, end])
            }
            1 => {
                let name = self.new_variable(Kind::Path);
                let form = format!("{name} = allShortestPaths(@-[{types}*0..3]-{arrow}@)");
                with(&form, [start, end])
            }
            2 if may_select => {
                let name = self.new_variable(Kind::Path);
                let form = format!("{name} = ALL SHORTEST @-[{types}]-{arrow}{{1,3}}@");
                with(&form, [start, end])
            }
            3 => with(
                &format!("@-[{types}]-{arrow}{}@", self.of(&["+", "{1,2}", "{0,2}", "{2}"])),
                [start, end],
            ),
            _ => {
                let (one, edge, other) = (self.name(), self.name(), self.name());
                let kinds = [
                    (one.as_str(), Kind::Node),
                    (edge.as_str(), Kind::Edge),
                    (other.as_str(), Kind::Node),
                ];
                let test = if self.rng.chance(0.4) { self.test_of_part(&kinds) } else { word("") };
                let many = self.of(&["{1,2}", "{0,2}", "{2}", "{1,3}"]);
                self.scope.push((edge.clone(), Kind::Edges, false));
                let form = format!("@ (({one})-[{edge}{types}]-{arrow}({other})@){many} @");
                with(&form, [start, test, end])
            }
        }
    }

    /// A condition of a repeated part: it reads what is in the part, and has no subquery.
    fn test_of_part(&mut self, kinds: &[(&str, Kind)]) -> Part {
        let outside = std::mem::take(&mut self.scope);
        let subqueries = std::mem::replace(&mut self.subqueries, SUBQUERIES_MAX);
        let test = self.inside(kinds, |own| own.truth(1));
        (self.scope, self.subqueries) = (outside, subqueries);
        may(with(" WHERE @", [test]))
    }

    fn node(&mut self) -> Part {
        let known = self.rng.chance(0.2).then(|| self.variable(Kind::Node)).flatten();
        let name = match known {
            Some(known) => known,
            None if self.rng.chance(0.65) => self.new_variable(Kind::Node),
            None => String::new(),
        };
        let labels = if self.rng.chance(0.2) { self.labels() } else { String::new() };
        let map = match self.rng.below(40) {
            0 => with(" {n: @}", [self.int(1)]),
            1 => with(" {id: @}", [self.int(0)]),
            _ => word(""),
        };
        with(&format!("({name}@@)"), [may(word(labels)), may(map)])
    }

    fn hop(&mut self) -> Part {
        if self.rng.chance(0.65) {
            return word(self.bare_hop());
        }
        let types = self.of(&["", ":L", ":K", ":L|K"]);
        let (kind, lengths) = match self.rng.below(5) {
            0 => (Kind::Edges, self.of(&["*1..2", "*0..2", "*2", "*..2"])),
            _ => (Kind::Edge, ""),
        };
        let name = self.new_variable(kind);
        let map = if self.rng.chance(0.1) { " {n: 1}" } else { "" };
        let (left, right) = *self.rng.pick(&[("-", "->"), ("<-", "-"), ("-", "-")]);
        with(&format!("{left}[{name}{types}{lengths}@]{right}"), [may(word(map))])
    }

    pub(super) fn unwind(&mut self) -> Part {
        let edges = self.variable(Kind::Edges).filter(|_| self.rng.chance(0.5));
        if let Some(edges) = edges {
            let name = self.new_variable(Kind::Edge);
            return word(format!("UNWIND {edges} AS {name}"));
        }
        let bag = self.variable(Kind::Bag).filter(|_| self.rng.chance(0.7));
        let list = match bag {
            Some(bag) => word(bag),
            None => self.ints(2),
        };
        let name = self.new_variable(Kind::Int);
        with(&format!("UNWIND @ AS {name}"), [list])
    }

    /// Variables in scope are those of a kind and no others.
    pub(super) fn forget(&mut self, kept: impl Fn(&str, Kind) -> bool) {
        self.scope.retain(|own| kept(&own.0, own.1));
    }
}
