//! `WITH` and `RETURN`: columns, groups, orders, limits.

use super::parts::{Part, may, with, word};
use super::texts::{Kind, Maker, Variable};
use super::ways::Fixed;

impl Maker<'_> {
    /// A `WITH`: variables go on, others are made, rows are grouped or not.
    pub(super) fn with_clause(&mut self) -> Part {
        let (items, kinds, distinct) = self.projection();
        let order = self.order(&kinds);
        self.scope = kinds;
        let test = self.tests();
        let distinct = if distinct { "DISTINCT " } else { "" };
        with("WITH @@@@", [may(word(distinct)), Part::Some(items, ", "), order.0, test])
    }

    /// Columns, the variables they become, and whether equal rows are one.
    fn projection(&mut self) -> (Vec<Part>, Vec<Variable>, bool) {
        let mut known = self.scope.clone();
        self.rng.shuffle(&mut known);
        known.truncate(self.rng.index(4));
        let aggregates = self.rng.chance(0.45);
        let distinct = self.rng.chance(0.2);
        let is_open = |kind: Kind| matches!(kind, Kind::Bag | Kind::Picked | Kind::Any);
        if aggregates || distinct {
            // Which of equal values stands for a group is open; the order of a list decides its group.
            known.retain(|own| !is_open(own.1));
        }
        let mut items: Vec<Part> = known.iter().map(|own| word(own.0.clone())).collect();
        let mut kinds = known;
        let count = self.rng.below(3) + u64::from(items.is_empty() && !aggregates);
        for _ in 0..count {
            let kind = *self.rng.pick(&[
                Kind::Int,
                Kind::Int,
                Kind::Text,
                Kind::Bool,
                Kind::Ints,
                Kind::Map,
            ]);
            let value = self.of_kind(kind, 2);
            let name = self.name();
            items.push(with(&format!("@ AS {name}"), [value]));
            kinds.push((name, kind, true));
        }
        if aggregates {
            let count = 1 + self.rng.below(2);
            for _ in 0..count {
                let (value, kind) = self.aggregate();
                // The order of a list is open, and so is which rows are equal by it.
                if kind == Kind::Bag && distinct {
                    continue;
                }
                let name = self.name();
                items.push(with(&format!("@ AS {name}"), [value]));
                kinds.push((name, kind, true));
            }
        }
        if items.is_empty() {
            let name = self.name();
            items.push(word(format!("count(*) AS {name}")));
            kinds.push((name, Kind::Int, false));
        }
        (items, kinds, distinct)
    }

    pub(super) fn aggregate(&mut self) -> (Part, Kind) {
        let distinct = self.of(&["", "", "DISTINCT "]);
        match self.rng.below(12) {
            0..=2 => (word("count(*)"), Kind::Int),
            3 => (with(&format!("count({distinct}@)"), [self.int(2)]), Kind::Int),
            4 | 5 => {
                let kind = *self.rng.pick(&[Kind::Node, Kind::Edge, Kind::Node]);
                (with(&format!("count({distinct}@)"), [self.of_kind(kind, 0)]), Kind::Int)
            }
            6 => (with(&format!("sum({distinct}@)"), [self.int(2)]), Kind::Int),
            7 => (with(&format!("{}(@)", self.of(&["min", "max"])), [self.int(2)]), Kind::Int),
            8 => (with(&format!("{}(@)", self.of(&["min", "max"])), [self.text(1)]), Kind::Text),
            9 => (with("count(*) + sum(@) * 2", [self.int(1)]), Kind::Int),
            10 => (with("toInteger(percentileDisc(@, 0.5))", [self.int(1)]), Kind::Int),
            _ => (with(&format!("collect({distinct}@)"), [self.int(1)]), Kind::Bag),
        }
    }

    /// An order, and whether it is total.
    fn order(&mut self, kinds: &[Variable]) -> (Part, bool) {
        if self.rng.chance(0.65) {
            return (word(""), false);
        }
        let is_ordered = |kind: Kind| {
            matches!(
                kind,
                Kind::Int | Kind::Text | Kind::Bool | Kind::Node | Kind::Edge | Kind::Ints
            )
        };
        let total = kinds.iter().all(|own| is_ordered(own.1)) && !self.writes;
        let mut by: Vec<&Variable> = kinds.iter().filter(|own| is_ordered(own.1)).collect();
        self.rng.shuffle(&mut by);
        if by.is_empty() {
            return (word(""), false);
        }
        let mut keys = Vec::new();
        for (name, kind, _) in by {
            let id = if matches!(kind, Kind::Node | Kind::Edge) { ".id" } else { "" };
            keys.push(format!("{name}{id}{}", self.of(&["", " DESC", " ASC"])));
        }
        // A key that goes would leave open which rows a limit takes.
        let mut all = vec![word(format!(" ORDER BY {}", keys.join(", ")))];
        if total && self.rng.chance(0.6) {
            let skip = if self.rng.chance(0.3) { " SKIP 1" } else { "" };
            all.push(may(word(format!("{skip} LIMIT {}", self.rng.below(6)))));
        }
        (Part::All(all), total)
    }

    pub(super) fn result(&mut self) -> (Part, Fixed) {
        if self.writes && self.rng.chance(0.2) {
            // The graph is compared.
            return (word("RETURN 1"), Fixed::Rows);
        }
        let (items, kinds, distinct) = self.projection();
        let order = self.order(&kinds);
        let fixed = if order.1 { Fixed::Order } else { Fixed::Rows };
        let items = items.into_iter().zip(&kinds).map(|(item, (_, kind, _))| match kind {
            Kind::Bag | Kind::Picked => None,
            _ => Some(item),
        });
        let items: Vec<Part> = items.flatten().collect();
        if items.is_empty() {
            return (word("RETURN count(*) AS all"), Fixed::Rows);
        }
        let distinct = if distinct { "DISTINCT " } else { "" };
        // Columns go only where no order names them.
        let items = if fixed == Fixed::Rows && order.0.to_string().is_empty() {
            Part::Some(items, ", ")
        } else {
            let mut all = Vec::new();
            for (index, item) in items.into_iter().enumerate() {
                all.push(word(if index == 0 { "" } else { ", " }));
                all.push(item);
            }
            Part::All(all)
        };
        (with("RETURN @@@", [may(word(distinct)), items, order.0]), fixed)
    }
}
