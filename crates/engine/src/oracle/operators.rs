//! The operators that read: all rows in, all rows out.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Error, ErrorKind, Result, Value, VertexId, compare};
use millrace_plan::op::RowsSource;
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Fold, Languages, Loops, Name, Nulls, Op, Parameter, Pipeline,
    RowCount, SideFold, SortKey, UnionPick, op,
};

use super::Oracle;
use super::cell::{Cell, Content, Opaque, Row};
use super::elements::wrong_type;
use super::multiplied::weigh;
use super::paths::path_step;
use crate::operators::failure;

impl Oracle<'_> {
    /// The result rows of an operator for all its input.
    pub(super) fn operator(&mut self, op: &Op, rows: Vec<Row>) -> Result<Vec<Row>> {
        match op {
            Op::Scan(op::Scan { source, to }) => {
                let found = self.scan(source)?;
                Ok(each(&rows, *to, |_| Ok(found.clone()))?)
            }
            Op::Seek(op::Seek { owner, keys, values, range, to }) => each(&rows, *to, |row| {
                let values = values.iter().map(|value| Ok(self.evaluate(value, row)?.value()));
                let found = self.seek(owner, keys, &values.collect::<Result<Vec<_>>>()?)?;
                match range {
                    Some(range) => self.in_range(found, range, row),
                    None => Ok(found),
                }
            }),
            Op::LookupById(op::LookupById { element, ids, mode, to }) => {
                each(&rows, *to, |row| self.ids(*element, &self.evaluate(ids, row)?.value(), *mode))
            }
            Op::Rows(op::Rows { source, to }) => self.rows(source, to, &rows),
            Op::LetRef(op::LetRef { name, columns }) => {
                let kept = &self.plan.lets[name.0 as usize].columns;
                let cells = self.bound_let(*name)?;
                let with = |row: &Row, cells: &Vec<Cell>| {
                    columns.iter().fold(row.clone(), |row, (from, to)| {
                        let kept = kept.iter().zip(cells).find(|(kept, _)| *kept == from);
                        row.with(*to, kept.map_or(Cell::Absent, |(_, cell)| cell.clone()))
                    })
                };
                Ok(rows.iter().flat_map(|row| cells.iter().map(|cells| with(row, cells))).collect())
            }
            Op::Expand(op::Expand { from, types, direction, edge, to, loops }) => {
                let mut result = Vec::new();
                for row in &rows {
                    let from = row.get(*from)?;
                    for (id, other) in self.expand(&from, types.as_deref(), *direction, *loops)? {
                        let row = row.with_wanted(*edge, Cell::Value(Value::Edge(id)));
                        result.push(row.with_wanted(*to, Cell::Value(Value::Vertex(other))));
                    }
                }
                Ok(result)
            }
            Op::ExpandInto(op::ExpandInto { from, into, types, direction, edge, loops }) => {
                let mut result = Vec::new();
                for row in &rows {
                    let (from, into) = (row.get(*from)?, row.get(*into)?);
                    for (id, other) in self.expand(&from, types.as_deref(), *direction, *loops)? {
                        if into == Cell::Value(Value::Vertex(other)) {
                            result.push(row.with_wanted(*edge, Cell::Value(Value::Edge(id))));
                        }
                    }
                }
                Ok(result)
            }
            Op::Intersect(intersect) => self.intersect(intersect, &rows),
            Op::Degree(degree) => self.degree(degree, &rows),
            Op::Neighbours(op::Neighbours { from, types, direction, to }) => {
                let mut result = Vec::new();
                for row in &rows {
                    let from = row.get(*from)?;
                    let edges = self.expand(&from, types.as_deref(), *direction, Loops::Twice)?;
                    let others: BTreeSet<VertexId> = edges.into_iter().map(|own| own.1).collect();
                    let others = others.into_iter();
                    result.extend(
                        others.map(|other| row.with(*to, Cell::Value(Value::Vertex(other)))),
                    );
                }
                Ok(result)
            }
            Op::Random(random) => self.random(random, rows),
            Op::PathExpand(paths) => self.paths(paths, &rows),
            Op::TrailEndpoints(op::TrailEndpoints { list, direction, from, to }) => {
                self.chained(*list, *direction, (*from, *to), &rows)
            }
            Op::PathStep(op::PathStep { before, object, tags, to }) => {
                add(rows, *to, |row| path_step(*before, *object, tags, row))
            }
            Op::Endpoints(op::Endpoints { edge, end, to }) => {
                add(rows, *to, |row| self.end(&row.get(*edge)?, *end))
            }
            Op::Fields(op::Fields { element, keys, languages, to }) => {
                self.fields(*element, (keys.as_deref(), languages.as_ref()), *to, rows)
            }
            Op::Lookup(lookup) => self.lookup(lookup, rows),
            Op::Call(call) => self.call(call, &rows),
            Op::Filter(op::Filter { predicate }) => self.filter(predicate, rows),
            Op::Project(op::Project { columns }) => {
                let project = |row: Row| {
                    columns.iter().try_fold(row.clone(), |projected, (to, expr)| {
                        Ok(projected.with(*to, self.evaluate(expr, &row)?))
                    })
                };
                rows.into_iter().map(project).collect()
            }
            Op::Unwind(op::Unwind { list, to, position }) => {
                self.unwind(list, *to, *position, &rows)
            }
            Op::UnwindValues(op::UnwindValues { property, to, ordinal }) => {
                self.unwind_values(property, *to, *ordinal, &rows)
            }
            Op::Weigh(op::Weigh { by }) => weigh(*by, rows),
            Op::Aggregate(op::Aggregate { keys, folds }) => self.aggregate(keys, folds, rows),
            Op::Fold(op::Fold { columns, to }) => {
                Ok(vec![Row::default().with(*to, self.bag(columns, &rows)?)])
            }
            Op::Dedup(op::Dedup { columns }) => self.dedup(op, columns, rows),
            Op::Sort(op::Sort { keys }) => self.sort(keys, rows),
            Op::TopK(op::TopK { count, keys }) => {
                let count = self.row_count(count)?;
                Ok(range(self.sort(keys, rows)?, 0, Some(count)))
            }
            Op::Range(op::Range { from, to }) => {
                let to = to.as_ref().map(|to| self.row_count(to)).transpose()?;
                Ok(range(rows, self.row_count(from)?, to))
            }
            Op::Tail(op::Tail { count }) => {
                let from = (rows.len() as u64).saturating_sub(self.row_count(count)?);
                Ok(range(rows, from, None))
            }
            Op::Join(op::Join { right, kind, on }) => self.join(right, *kind, on, &rows),
            Op::Group(op::Group { keys, sub }) => self.group(keys, sub, rows),
            Op::Repeat(repeat) => self.repeat(repeat, &rows),
            Op::RecursiveExpand(recurse) => self.recurse(recurse, rows),
            Op::Fail(op::Fail { message, kind }) => match rows.first() {
                Some(row) => Err(failure(&self.evaluate(message, row)?.value(), *kind)),
                None => Ok(rows),
            },
            Op::Barrier(op::Barrier { merge: None }) => Ok(rows),
            Op::Barrier(op::Barrier { merge: Some(columns) }) => {
                let merged = groups(rows, columns)?.into_iter().flatten();
                merged.map(|row| row.only(columns)).collect()
            }
            Op::Union(op::Union { branches, pick }) => self.union(op, branches, pick, &rows),
            Op::Apply(op::Apply { sub, kind }) => self.apply(sub, kind, &rows),
            Op::SideEffect(op::SideEffect { name, value, fold }) => {
                self.side_effect(name, value, *fold, rows)
            }
            Op::Create(op::Create { template, id, to }) => {
                self.create(template, id.as_ref(), *to, rows)
            }
            Op::Merge(op::Merge { template, on_create, on_match, to, created }) => {
                self.merge(template, (on_create, on_match), (*to, *created), rows)
            }
            Op::Set(set) => self.set(set, rows),
            // What it claims shows only at a commit.
            Op::Claim(_) => {
                let values = op.exprs();
                for row in &rows {
                    values.iter().try_for_each(|value| self.evaluate(value, row).map(drop))?;
                }
                Ok(rows)
            }
            Op::Remove(remove) => self.remove(remove, rows),
            Op::SetLabels(op::SetLabels { vertex, add, remove, claims: _ }) => {
                self.set_labels(*vertex, add, remove, rows)
            }
            Op::Delete(op::Delete { element, detach }) => self.delete(element, *detach, rows),
            // The database begins and commits transactions, and its tests have this operator.
            Op::InTransactions(_) => {
                let detail = "InTransactions is not run by the oracle";
                Err(Error::new(ErrorKind::Unsupported, detail))
            }
            // The store gives a declaration its meaning, and the store's conformance suite tests it.
            Op::Define(_) => {
                Err(Error::new(ErrorKind::Unsupported, "Define is not run by the oracle"))
            }
        }
    }

    fn rows(&self, source: &RowsSource, to: &[ColumnId], rows: &[Row]) -> Result<Vec<Row>> {
        let literal: Vec<Vec<Cell>> = match source {
            RowsSource::Literal(rows) => {
                let cells = |row: &Vec<Value>| row.iter().cloned().map(Cell::Value).collect();
                rows.iter().map(cells).collect()
            }
            RowsSource::Parameter(id) => match self.parameter(*id)? {
                Parameter::Rows(batch) => expanded(batch),
                Parameter::Value(value) => return Err(wrong_type("rows", value)),
            },
        };
        let join = |row: &Row, cells: &Vec<Cell>| {
            to.iter().zip(cells).fold(row.clone(), |row, (to, cell)| row.with(*to, cell.clone()))
        };
        let joined = rows.iter().flat_map(|row| literal.iter().map(move |own| join(row, own)));
        Ok(joined.collect())
    }

    fn filter(&self, predicate: &Expr, rows: Vec<Row>) -> Result<Vec<Row>> {
        let mut kept = Vec::new();
        for row in rows {
            if self.holds(predicate, &row)? {
                kept.push(row);
            }
        }
        Ok(kept)
    }

    fn fields(
        &mut self,
        element: ColumnId,
        (keys, languages): (Option<&[Name]>, Option<&Languages>),
        to: ColumnId,
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let element = row.get(element)?.value();
            let fields = match languages {
                Some(languages) => {
                    let all = self.fields_of(&element, None)?;
                    all.map(|all| self.in_languages(&all, keys, languages))
                }
                None => self.fields_of(&element, keys)?,
            };
            let Some(fields) = fields else {
                result.push(row.with(to, Cell::NULL));
                continue;
            };
            self.opaque_count += 1;
            let fields = fields.into();
            let content = Content::Fields(fields);
            let opaque = Opaque { number: self.opaque_count, content };
            result.push(row.with(to, Cell::Opaque(opaque)));
        }
        Ok(result)
    }

    fn aggregate(
        &self,
        keys: &[ColumnId],
        folds: &[(ColumnId, Fold)],
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        // Without keys there is one group, of no rows if need be.
        let groups = if keys.is_empty() { vec![rows] } else { groups(rows, keys)? };
        let mut result = Vec::new();
        for group in groups {
            let mut row = group.first().map_or(Ok(Row::default()), |row| row.only(keys))?;
            let mut is_there = true;
            for (to, fold) in folds {
                match self.fold(fold, &group)? {
                    Some(cell) => row = row.with(*to, cell),
                    None => is_there = false,
                }
            }
            result.extend(is_there.then_some(row));
        }
        Ok(result)
    }

    fn row_count(&self, count: &RowCount) -> Result<u64> {
        match count {
            RowCount::Number(number) => Ok(*number),
            RowCount::Sum(parts) => {
                let row = Row::default();
                let values = parts.iter().map(|part| Ok(self.evaluate(part, &row)?.value()));
                RowCount::sum(values.collect::<Result<Vec<_>>>()?)
            }
        }
    }

    fn sort(&self, keys: &[SortKey], rows: Vec<Row>) -> Result<Vec<Row>> {
        let mut keyed = Vec::new();
        for row in rows {
            let cells = keys.iter().map(|key| self.evaluate(&key.by, &row));
            keyed.push((cells.collect::<Result<Vec<_>>>()?, row));
        }
        keyed.sort_by(|(left, _), (right, _)| {
            let pairs = keys.iter().zip(left.iter().zip(right));
            let orders =
                pairs.map(|(key, (left, right))| compare_by(key, left, right, self.plan.compare));
            orders.fold(Ordering::Equal, Ordering::then)
        });
        Ok(keyed.into_iter().map(|(_, row)| row).collect())
    }

    fn union(
        &mut self,
        op: &Op,
        branches: &[Pipeline],
        pick: &UnionPick,
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let mut entered: Vec<Vec<Row>> = vec![Vec::new(); branches.len()];
        for row in rows {
            match pick {
                UnionPick::All => entered.iter_mut().for_each(|rows| rows.push(row.clone())),
                UnionPick::First(conditions) => {
                    for (condition, entered) in conditions.iter().zip(&mut entered) {
                        if self.holds(condition, row)? {
                            entered.push(row.clone());
                            break;
                        }
                    }
                }
            }
        }
        let before: Vec<ColumnId> = rows.first().into_iter().flat_map(Row::columns).collect();
        let columns = || before.iter().copied().chain(op.made_columns());
        let mut result = Vec::new();
        for (branch, entered) in branches.iter().zip(entered) {
            // A branch that no row entered yields nothing, not even a count of nothing.
            if !entered.is_empty() {
                let rows = self.run(branch, entered)?;
                result.extend(rows.into_iter().map(|row| row.filled(columns())));
            }
        }
        Ok(result)
    }

    fn apply(&mut self, sub: &Pipeline, kind: &ApplyKind, rows: &[Row]) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for outer in rows {
            let inner = self.run_apart(sub, vec![outer.clone()])?;
            match kind {
                ApplyKind::Optional if inner.is_empty() => {
                    result.push(outer.clone().filled(sub.made_columns()));
                }
                ApplyKind::Flat | ApplyKind::Optional => {
                    result.extend(inner.iter().map(|row| outer.extended(row)));
                }
                ApplyKind::Value { fold, to } => {
                    let cell = self.fold(fold, &inner)?;
                    result.extend(cell.map(|cell| outer.with(*to, cell)));
                }
                ApplyKind::Exists => {
                    result.extend((!inner.is_empty()).then(|| outer.clone()));
                }
                ApplyKind::Absent => result.extend(inner.is_empty().then(|| outer.clone())),
                ApplyKind::Bag { columns, to } => {
                    let rows: Vec<Row> = inner.iter().map(|row| outer.extended(row)).collect();
                    result.push(outer.with(*to, self.bag(columns, &rows)?));
                }
                ApplyKind::Effect => result.push(outer.clone()),
            }
        }
        Ok(result)
    }

    fn bag(&mut self, columns: &[ColumnId], rows: &[Row]) -> Result<Cell> {
        let bag = rows.iter().map(|row| row.pick(columns)).collect::<Result<_>>()?;
        self.opaque_count += 1;
        let opaque = Opaque { number: self.opaque_count, content: Content::Bag(bag) };
        Ok(Cell::Opaque(opaque))
    }

    fn side_effect(
        &mut self,
        name: &Name,
        value: &Expr,
        fold: SideFold,
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let mut added = Vec::new();
        for row in &rows {
            let cell = self.evaluate(value, row)?;
            added.extend((cell != Cell::Absent).then(|| cell.value()));
        }
        let collected = self.side_effects.entry(name.clone()).or_default();
        for value in added {
            match (fold, collected.iter().rposition(|own| *own == value)) {
                (SideFold::List, _) | (_, None) => collected.push(value),
                (SideFold::Bag, Some(last)) => collected.insert(last + 1, value),
                (SideFold::Set, Some(_)) => {}
            }
        }
        Ok(rows)
    }
}

/// Each row, once for each value.
fn each(
    rows: &[Row],
    to: ColumnId,
    mut values: impl FnMut(&Row) -> Result<Vec<Value>>,
) -> Result<Vec<Row>> {
    let mut result = Vec::new();
    for row in rows {
        result.extend(values(row)?.into_iter().map(|value| row.with(to, Cell::Value(value))));
    }
    Ok(result)
}

/// Each row with one more column.
fn add(
    rows: Vec<Row>,
    to: ColumnId,
    mut cell: impl FnMut(&Row) -> Result<Cell>,
) -> Result<Vec<Row>> {
    rows.into_iter().map(|row| Ok(row.with(to, cell(&row)?))).collect()
}

/// Rows that are identical on the columns, in order of first appearance.
pub(super) fn groups(rows: Vec<Row>, columns: &[ColumnId]) -> Result<Vec<Vec<Row>>> {
    let mut places: BTreeMap<Vec<Cell>, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        let place = *places.entry(row.pick(columns)?).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(row);
    }
    Ok(groups)
}

pub(super) fn first(group: Vec<Row>) -> Row {
    group.into_iter().next().expect("a group has the row that began it")
}

fn range(rows: Vec<Row>, from: u64, to: Option<u64>) -> Vec<Row> {
    let numbered = (0..).zip(rows);
    let is_wanted = |number: &u64| from <= *number && to.is_none_or(|to| *number < to);
    numbered.filter(|(number, _)| is_wanted(number)).map(|(_, row)| row).collect()
}

/// The rows of a batch, weights expanded.
fn expanded(batch: &Batch) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for row in 0..batch.len {
        let cells = batch.columns.iter().map(|column| Cell::from(column.get(row)));
        let cells: Vec<Cell> = cells.collect();
        (0..batch.weight(row)).for_each(|_| rows.push(cells.clone()));
    }
    rows
}

fn compare_by(key: &SortKey, left: &Cell, right: &Cell, mode: CompareMode) -> Ordering {
    let nulls_first = key.nulls == Nulls::First;
    match (left.present(), right.present()) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) if nulls_first => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) if nulls_first => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(left), Some(right)) => {
            let order = compare::order_of(mode)(left, right);
            if key.descending { order.reverse() } else { order }
        }
    }
}
