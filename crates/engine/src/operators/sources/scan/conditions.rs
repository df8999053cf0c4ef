//! Conditions on the properties of scanned elements, found in the filters right behind the scan, in a form
//! that an index can answer.
//!
//! Here and not a rule of plans, as plans know no catalog and outlive its versions: each run looks
//! which index there is (`IndexPath`), and the filters stay and test its candidates. So the proof is
//! short: an element left out fails a part of the filters, and none of them can fail with an error.
//!
//! Conditions that give another order than the scan's (relationships, by id) are used only where the
//! plan does not demand that order.

use millrace_model::{KeyId, Result};
use millrace_plan::analysis::can_fail;
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::{Demand, ElementColumns};
use millrace_plan::{
    ColumnId, Comparison, Expr, Function, Name, Op, OwnerName, ScanSource, SetName, op,
};

use super::index_path::{IndexPath, Keys};
use super::made_test::{MadeTest, TestKind};
use super::ranged_key::RangedKey;
use crate::compile::{Compiler, Place};
use crate::context::Resolved;
use crate::operators::sources::seek::{OR_INDEX, SeekOwner};

impl Compiler<'_> {
    /// How an index may spare a scan that gives `to`.
    pub(crate) fn index_path(
        &self,
        source: &ScanSource,
        to: ColumnId,
        place: &Place<'_>,
    ) -> Result<Option<IndexPath>> {
        let Some((owner, asked)) = self.asked_of(source, to, place) else { return Ok(None) };
        self.path(&owner, asked, place).map(Some)
    }

    fn path(
        &self,
        owner: &OwnerName,
        asked: Conditions<'_>,
        place: &Place<'_>,
    ) -> Result<IndexPath> {
        let can_fail = |expr: &&Expr| can_fail(expr, &self.elements, false);
        let fallible = (0..).zip(&asked.values).filter(|(_, expr)| can_fail(expr));
        let fallible: Vec<usize> = fallible.map(|(number, _)| number).collect();
        let values = self.exprs(place.layout, asked.values)?;
        let keys = Keys {
            equal: resolved(asked.equal).collect(),
            member: resolved(asked.member).next(),
            ranged: asked.ranged,
            tests: asked.tests.into_iter().map(|test| test.resolved()).collect(),
        };
        let may_stop = !place.size.is_collected();
        let alternatives = asked.alternatives.into_iter();
        let alternatives = alternatives.map(|asked| self.path(owner, asked, place));
        let alternatives = alternatives.collect::<Result<_>>()?;
        let path = IndexPath::new(SeekOwner::new(owner), keys, (values, fallible), may_stop);
        Ok(path.or(alternatives))
    }

    /// The same for a person: the keys that an index may be asked for.
    pub(crate) fn index_label(
        &self,
        source: &ScanSource,
        to: ColumnId,
        place: &Place<'_>,
    ) -> String {
        let Some((_, asked)) = self.asked_of(source, to, place) else { return String::new() };
        format!("{OR_INDEX}{}", asked.label())
    }

    fn asked_of<'p>(
        &self,
        source: &ScanSource,
        to: ColumnId,
        place: &Place<'p>,
    ) -> Option<(OwnerName, Conditions<'p>)> {
        let owner = match source {
            ScanSource::Vertices(Some(label)) => OwnerName::Label(label.clone()),
            ScanSource::Vertices(None) => OwnerName::AllVertices,
            ScanSource::Edges(Some(types)) if types.len() == 1 && place.demand == Demand::Free => {
                OwnerName::EdgeType(types[0].clone())
            }
            ScanSource::Edges(_) => return None,
        };
        let asked = self.conditions(to, place.behind);
        asked.ask().then_some((owner, asked))
    }

    fn conditions<'o>(&self, to: ColumnId, behind: &'o [Op]) -> Conditions<'o> {
        let mut conditions = Conditions::of(to);
        for op in behind {
            let Op::Filter(op::Filter { predicate }) = op else { break };
            if conditions.may_spare_errors(predicate, &self.elements) {
                break;
            }
            conditions.add(predicate);
        }
        conditions.drop_unbound();
        conditions
    }
}

/// A test of the values of a key: its values are numbers of the path's expressions.
struct Test<'o> {
    key: &'o Name,
    kind: TestKind,
    values: Vec<usize>,
}

impl Test<'_> {
    fn resolved(self) -> MadeTest {
        MadeTest { key: Resolved::new(self.key), kind: self.kind, values: self.values }
    }
}

/// The parts of `distance(point, centre) < bound`, however it is turned.
fn near<'o>(
    comparison: Comparison,
    left: &'o Expr,
    right: &'o Expr,
) -> Option<(&'o Expr, &'o Expr, &'o Expr)> {
    let (distance, bound) = match comparison {
        Comparison::Less | Comparison::LessEqual => (left, right),
        Comparison::Greater | Comparison::GreaterEqual => (right, left),
        Comparison::Equal | Comparison::NotEqual => return None,
    };
    let Expr::Call { function: Function::Distance, arguments } = distance else { return None };
    match &arguments[..] {
        [point, centre] => Some((point, centre, bound)),
        _ => None,
    }
}

/// The parts of predicates that an index could answer.
pub(in crate::operators::sources) struct Conditions<'o> {
    to: ColumnId,
    pub(in crate::operators::sources) equal: Vec<(&'o Name, usize)>,
    /// The first key that is in a list.
    member: Option<(&'o Name, usize)>,
    pub(in crate::operators::sources) ranged: Vec<RangedKey>,
    /// Tests of values that an index of made keys may narrow.
    tests: Vec<Test<'o>>,
    /// The keys of which an `AnyValue` test was taken.
    of_some: Vec<&'o Name>,
    pub(in crate::operators::sources) values: Vec<&'o Expr>,
    /// Of the first `or` that indexes could answer: the conditions of its parts.
    pub(in crate::operators::sources) alternatives: Vec<Conditions<'o>>,
}

impl<'o> Conditions<'o> {
    pub(in crate::operators::sources) fn of(to: ColumnId) -> Conditions<'o> {
        let (equal, member, ranged, tests, of_some, values) = Default::default();
        Conditions { to, equal, member, ranged, tests, of_some, values, alternatives: Vec::new() }
    }

    /// Whether there are any.
    fn ask(&self) -> bool {
        !self.equal.is_empty()
            || self.member.is_some()
            || !self.ranged.is_empty()
            || !self.tests.is_empty()
            || !self.alternatives.is_empty()
    }

    /// Ranges without a bound tell an index nothing.
    fn drop_unbound(&mut self) {
        self.ranged.retain(|range| 0 < range.bound_count());
    }

    /// The keys, for a person.
    fn label(&self) -> String {
        let equal = self.equal.iter().map(|(key, _)| format!("equal {key}"));
        let member = self.member.iter().map(|(key, _)| format!("members {key}"));
        let ranged = self.ranged.iter().map(|range| format!("range of {}", range.key.name()));
        let alternatives: Vec<String> = self.alternatives.iter().map(Conditions::label).collect();
        let any =
            (!alternatives.is_empty()).then(|| format!("any of ({})", alternatives.join("; ")));
        let is_bound = |key: &Name| {
            self.equal.iter().any(|own| own.0 == key)
                || self.ranged.iter().any(|own| own.key.name() == key)
        };
        let tests = self.tests.iter().filter(|test| !is_bound(test.key));
        let tests = tests.map(|test| format!("{} {}", test.kind.label(), test.key));
        let keys: Vec<String> = equal.chain(member).chain(ranged).chain(tests).chain(any).collect();
        keys.join(", ")
    }

    fn add_alternatives(&mut self, parts: &'o [Expr]) {
        let of = |part| {
            let mut own = Conditions::of(self.to);
            own.add(part);
            own.drop_unbound();
            own.ask().then_some(own)
        };
        if self.alternatives.is_empty()
            && let Some(alternatives) = parts.iter().map(of).collect()
        {
            self.alternatives = alternatives;
        }
    }

    /// Whether an index could spare a row an error. What may turn out to be no list is looked at before an index is
    /// asked.
    fn may_spare_errors(&self, predicate: &'o Expr, elements: &ElementColumns) -> bool {
        if let Expr::And(parts) = predicate {
            return parts.iter().any(|part| self.may_spare_errors(part, elements));
        }
        if let Expr::InList { item, list } = predicate
            && self.key(item).is_some()
        {
            return can_fail(item, elements, false) || can_fail(list, elements, false);
        }
        // What may be wrong with the values of a test is looked at before an index is asked, too.
        let test = if let Expr::AnyValue { test, .. } = predicate { test } else { predicate };
        if self.is_bound_test(test) {
            return false;
        }
        can_fail(predicate, elements, true)
    }

    pub(in crate::operators::sources) fn add(&mut self, part: &'o Expr) {
        match part {
            Expr::And(parts) => parts.iter().for_each(|part| self.add(part)),
            Expr::Compare { comparison, left, right } => {
                if let Some(key) = self.key(left) {
                    self.compare(key, *comparison, right);
                } else if let Some(key) = self.key(right) {
                    self.compare(key, turned(*comparison), left);
                } else if let Some((point, centre, bound)) = near(*comparison, left, right) {
                    let key = self.tested(point).map(|key| (key, centre));
                    if let Some((key, centre)) = key.or_else(|| Some((self.tested(centre)?, point)))
                    {
                        self.test(key, TestKind::Near, &[centre, bound]);
                    }
                }
            }
            Expr::AnyValue { property, test } => self.add_some(property, test),
            Expr::Call { function, arguments } => self.call(*function, arguments),
            Expr::Not(inner) => {
                if let Expr::IsNull(inner) = &**inner
                    && let Some(key) = self.key(inner)
                {
                    self.range(key).never_null = true;
                }
            }
            Expr::InList { item, list } => {
                if self.member.is_none()
                    && let Some(key) = self.key(item)
                {
                    self.member = self.value(list).map(|list| (key, list));
                }
            }
            Expr::Or(parts) => self.add_alternatives(parts),
            Expr::Column(_)
            | Expr::Literal(_)
            | Expr::Parameter(_)
            | Expr::Let { .. }
            | Expr::Property { .. }
            | Expr::Properties { .. }
            | Expr::Id(_)
            | Expr::Labels(_)
            | Expr::HasLabel { .. }
            | Expr::EdgeType(_)
            | Expr::EdgeEnd { .. }
            | Expr::Living { .. }
            | Expr::IsNull(_)
            | Expr::IsAbsent(_)
            | Expr::InSet { .. }
            | Expr::Arithmetic { .. }
            | Expr::SingleValue(_)
            | Expr::List(_)
            | Expr::Map(_)
            | Expr::Case { .. }
            | Expr::Over(_) => {}
        }
    }

    fn call(&mut self, function: Function, arguments: &'o [Expr]) {
        let Some((kind, (own, others))) = TestKind::of(function).zip(arguments.split_first())
        else {
            return;
        };
        let Some(key) = self.tested(own) else { return };
        let Some(value) = self.test(key, kind, &others.iter().collect::<Vec<_>>()) else { return };
        if function == Function::StartsWith {
            self.range(key).prefix = Some(value);
        }
    }

    /// Notes a test, and gives the number of its first value.
    fn test(&mut self, key: &'o Name, kind: TestKind, values: &[&'o Expr]) -> Option<usize> {
        let values: Vec<usize> = values.iter().map(|own| self.value(own)).collect::<Option<_>>()?;
        let first = values.first().copied();
        self.tests.push(Test { key, kind, values });
        first
    }

    /// Whether a predicate tests a key by values that are known before the scan, and fails by these alone.
    fn is_bound_test(&self, predicate: &'o Expr) -> bool {
        let mut own = Conditions::of(self.to);
        if let Expr::Call { function, arguments } = predicate {
            own.call(*function, arguments);
        } else if let Expr::Compare { comparison, .. } = predicate
            && *comparison != Comparison::NotEqual
        {
            own.add(predicate);
        }
        own.ask()
    }

    /// A test that some value of a property passes. Only one test of each key: two tests that different
    /// values pass make no range.
    fn add_some(&mut self, property: &'o Expr, test: &'o Expr) {
        let Some(key) = self.key(property) else { return };
        if !self.of_some.contains(&key) {
            self.of_some.push(key);
            self.add(test);
        }
    }

    fn compare(&mut self, key: &'o Name, comparison: Comparison, value: &'o Expr) {
        let (is_lower, inclusive) = match comparison {
            Comparison::NotEqual => return,
            Comparison::Equal => {
                let Some(value) = self.value(value) else { return };
                self.equal.push((key, value));
                self.tests.push(Test { key, kind: TestKind::Equal, values: vec![value] });
                return;
            }
            Comparison::Less => (false, false),
            Comparison::LessEqual => (false, true),
            Comparison::Greater => (true, false),
            Comparison::GreaterEqual => (true, true),
        };
        if let Some(value) = self.value(value) {
            self.bound(key, (value, inclusive), is_lower);
        }
    }

    /// The first bound of a side; the filters see to others.
    fn bound(&mut self, key: &Name, bound: (usize, bool), is_lower: bool) {
        let range = self.range(key);
        let side = if is_lower { &mut range.lower } else { &mut range.upper };
        side.get_or_insert(bound);
    }

    pub(in crate::operators::sources) fn range(&mut self, key: &Name) -> &mut RangedKey {
        let place = self.ranged.iter().position(|range| range.key.name() == key);
        let place = place.unwrap_or_else(|| {
            self.ranged.push(RangedKey::new(key));
            self.ranged.len() - 1
        });
        &mut self.ranged[place]
    }

    /// The key, if the expression is a property of the listed element.
    fn key(&self, expr: &'o Expr) -> Option<&'o Name> {
        let Expr::Property { element, key } = expr else { return None };
        (**element == Expr::Column(self.to)).then_some(key)
    }

    /// The same where a property that is missing may count as null: neither passes a test.
    fn tested(&self, expr: &'o Expr) -> Option<&'o Name> {
        if let Expr::Call { function: Function::OrNull, arguments } = expr {
            return self.key(arguments.first()?);
        }
        self.key(expr)
    }

    /// The number of a value that is known before the scan, and stays as it is meanwhile.
    fn value(&mut self, expr: &'o Expr) -> Option<usize> {
        let mut read = ColumnSet::new();
        expr.read_columns(&mut read);
        let mut grows = false;
        expr.walk(&mut |expr| {
            grows |= matches!(expr, Expr::InSet { set: SetName::SideEffect(_), .. });
        });
        if read.contains(&self.to) || grows {
            return None;
        }
        self.values.push(expr);
        Some(self.values.len() - 1)
    }
}

fn resolved<'o>(
    keys: impl IntoIterator<Item = (&'o Name, usize)>,
) -> impl Iterator<Item = (Resolved<KeyId>, usize)> {
    keys.into_iter().map(|(key, value)| (Resolved::new(key), value))
}

/// The comparison with its sides changed over.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
    }
}
