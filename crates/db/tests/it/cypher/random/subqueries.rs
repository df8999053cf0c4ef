//! Subqueries: those of expressions, and those of `CALL`.

use super::parts::{Part, expression, may, with, word};
use super::texts::{Kind, Maker, SUBQUERIES_MAX};

/// Hops that a subquery may have.
const HOPS_MAX: u32 = 2;

impl Maker<'_> {
    /// What is made inside of a subquery; its variables are gone behind it.
    fn within<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let (scope, hops_left) = (self.scope.clone(), self.hops_left);
        self.hops_left = HOPS_MAX;
        self.subqueries += 1;
        let made = make(self);
        self.subqueries -= 1;
        (self.scope, self.hops_left) = (scope, hops_left);
        made
    }

    /// Whether an expression may have a pattern.
    pub(super) fn may_match(&self) -> bool {
        self.subqueries < SUBQUERIES_MAX
    }

    /// How often a subquery gives a row.
    pub(super) fn count_subquery(&mut self, depth: u32) -> Part {
        if !self.may_match() {
            return self.simple_int();
        }
        let inner = self.rows(depth);
        expression("COUNT { @ }", [inner])
    }

    pub(super) fn exists_subquery(&mut self, depth: u32) -> Part {
        if !self.may_match() {
            return self.constant(&["true", "false", "null"]);
        }
        let inner = self.rows(depth);
        expression("EXISTS { @ }", [inner])
    }

    /// A list in an order that the subquery says.
    pub(super) fn collect_subquery(&mut self, depth: u32) -> Part {
        if !self.may_match() {
            return self.constant(&["[1, 2]", "[]"]);
        }
        self.within(|own| {
            let (clause, value, name) = (own.pattern(depth), own.int(1), own.name());
            let distinct = may(word(own.of(&["", "DISTINCT "])));
            let limit = may(word(own.of(&["", " DESC", " LIMIT 2", " SKIP 1 LIMIT 1"])));
            let template = format!("COLLECT {{ @ RETURN @@ AS {name} ORDER BY {name}@ }}");
            expression(&template, [clause, distinct, value, limit])
        })
    }

    /// A number of what a pattern comprehension makes: the order of its list is open.
    pub(super) fn pattern_comprehension(&mut self, depth: u32) -> Part {
        if !self.may_match() {
            return self.simple_int();
        }
        let start = self.variable(Kind::Node).unwrap_or_default();
        self.within(|own| {
            let (hop, labels) = (own.bare_hop(), own.labels());
            let end = own.new_variable(Kind::Node);
            let test = may(with(" WHERE @", [own.truth(depth.min(1))]));
            let value = own.int(1);
            let template = match own.rng.below(2) {
                0 => format!("size([({start}){hop}({end}{labels})@ | @])"),
                _ => {
                    let (sum, each) = (own.name(), own.name());
                    let list = format!("[({start}){hop}({end}{labels})@ | @]");
                    format!("reduce({sum} = 0, {each} IN {list} | {sum} + coalesce({each}, 7))")
                }
            };
            expression(&template, [test, value])
        })
    }

    /// The clauses of a subquery that is counted.
    fn rows(&mut self, depth: u32) -> Part {
        self.within(|own| match own.rng.below(9) {
            0 => {
                let (clause, value, name) = (own.pattern(depth), own.int(1), own.name());
                with(&format!("@ RETURN DISTINCT @ AS {name}"), [clause, value])
            }
            1 => {
                let name = own.name();
                let all = own.of(&["UNION", "UNION ALL"]);
                let outside = own.scope.clone();
                let [one, other] = [0, 1].map(|_| {
                    own.scope.clone_from(&outside);
                    let (clause, value) = (own.pattern(depth), own.int(1));
                    with(&format!("@ RETURN @ AS {name}"), [clause, value])
                });
                with(&format!("@ {all} @"), [one, other])
            }
            2 => {
                let (clause, value) = (own.pattern(depth), own.int(1));
                let (group, (folded, _)) = (own.name(), own.aggregate());
                let result = own.name();
                let template = format!(
                    "@ WITH @ AS {group}, @ AS {result} WHERE {group} IS NOT NULL RETURN {group}, {result}"
                );
                with(&template, [clause, value, folded])
            }
            _ => own.pattern(depth),
        })
    }

    fn pattern(&mut self, depth: u32) -> Part {
        let path = self.path(true);
        let test = if self.may_match() && self.rng.chance(0.4) {
            may(with(" WHERE @", [self.truth(depth.min(1))]))
        } else {
            word("")
        };
        with("MATCH @@", [path, test])
    }

    /// `CALL { }` with some variables of the outside.
    pub(super) fn call(&mut self) -> Part {
        let outside = self.scope.clone();
        let mut imported = outside.clone();
        self.rng.shuffle(&mut imported);
        imported.truncate(1 + self.rng.index(2));
        imported.retain(|own| !matches!(own.1, Kind::Bag | Kind::Picked));
        let names: Vec<String> = imported.iter().map(|own| own.0.clone()).collect();
        let names = names.join(", ");
        let inside = |own: &mut Self| {
            own.scope = imported.clone();
            own.call_clause()
        };
        let call = self.of(&["CALL", "CALL", "OPTIONAL CALL"]);
        let (body, name, kind) = self.within(|own| {
            let (clause, name) = (inside(own), own.name());
            let int = |own: &mut Self| own.int(2);
            match own.rng.below(8) {
                0..=2 => {
                    let (value, kind) = own.aggregate();
                    (with(&format!("@ RETURN @ AS {name}"), [clause, value]), name, kind)
                }
                3 => {
                    let (down, most) = (own.of(&["", " DESC"]), own.rng.below(3));
                    let distinct = may(word(own.of(&["", "DISTINCT "])));
                    let order = format!("ORDER BY {name}{down} LIMIT {most}");
                    let value = int(own);
                    let template = format!("@ RETURN @@ AS {name} {order}");
                    (with(&template, [clause, distinct, value]), name, Kind::Int)
                }
                4 => {
                    let all = own.of(&["UNION", "UNION ALL"]);
                    let value = int(own);
                    let (again, other) = (inside(own), int(own));
                    let template = format!("@ RETURN @ AS {name} {all} @ RETURN @ AS {name}");
                    (with(&template, [clause, value, again, other]), name, Kind::Int)
                }
                5 => {
                    let (group, value) = (own.name(), int(own));
                    let (folded, kind) = own.aggregate();
                    let template = format!("@ WITH @ AS {group}, @ AS {name} RETURN {name}");
                    (with(&template, [clause, value, folded]), name, kind)
                }
                _ => {
                    let value = int(own);
                    (with(&format!("@ RETURN @ AS {name}"), [clause, value]), name, Kind::Int)
                }
            }
        });
        self.scope.push((name, kind, true));
        with(&format!("{call} ({names}) {{ @ }}"), [body])
    }

    fn call_clause(&mut self) -> Part {
        match self.rng.below(3) {
            0 => self.unwind(),
            _ => {
                let optional = self.rng.chance(0.3);
                self.match_clause(optional)
            }
        }
    }

    /// `CALL { }` that writes and gives no rows: each change comes to the same in any order of rows.
    pub(super) fn call_that_writes(&mut self) -> Part {
        let Some(node) = self.solid_node() else { return self.create() };
        let outside = self.scope.clone();
        self.scope.retain(|own| own.0 == node);
        let inner = match self.rng.below(4) {
            0 => self.create(),
            1 => self.merge(),
            2 => {
                let (hop, end) = (self.bare_hop(), self.name());
                let change = self.of(&["n = 5", "s = 'set'", "s = null"]);
                word(format!("MATCH ({node}){hop}({end}) SET {end}.{change}"))
            }
            _ => self.set(),
        };
        self.scope = outside;
        with(&format!("CALL ({node}) {{ @ }}"), [inner])
    }
}
