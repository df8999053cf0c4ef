//! The levels of a block: which rows each has, and how values of one level are values of another.
//!
//! ```text
//!   level ──edges──> level below: rows (node above, node, edge)
//!   value of a level, read below: the sum over the nodes above that lead there
//!   aggregate at a level: of the values one level below, list by list
//! ```

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::{ColumnId, Expr, Fold, JoinKind, LetId, LetRead, Pipeline, op};

use crate::translate::translator::Translator;
use crate::translate::variables::{ValueVariable, Values};
use crate::tree::{Aggregate, Name, Offset};

/// The rows of a level.
pub(in crate::translate) enum Rows {
    /// A pipeline that only the answer reads.
    Own(Pipeline),
    /// A `Let`, with the columns that it keeps.
    Bound(LetId),
}

/// The number of a level of a query.
pub(in crate::translate) type LevelNumber = usize;

/// A level: its rows, and which of their columns are the node and what it was reached by.
pub(in crate::translate) struct Level {
    pub(in crate::translate) number: LevelNumber,
    pub(in crate::translate) rows: Rows,
    pub(in crate::translate) node: ColumnId,
    pub(in crate::translate) parent: Option<ColumnId>,
    pub(in crate::translate) edge: Option<ColumnId>,
}

/// What is known of a level whose rows are kept.
#[derive(Clone, Copy)]
pub(in crate::translate) struct BoundLevel {
    pub(in crate::translate) rows: LetId,
    pub(in crate::translate) node: ColumnId,
    pub(in crate::translate) parent: Option<ColumnId>,
    pub(in crate::translate) edge: Option<ColumnId>,
}

/// The levels of a query, by their numbers.
#[derive(Default)]
pub(in crate::translate) struct Levels {
    above: Vec<Option<LevelNumber>>,
    bound: Vec<Option<BoundLevel>>,
}

impl Level {
    pub(in crate::translate) fn columns(&self) -> Vec<ColumnId> {
        self.parent.iter().chain([&self.node]).chain(&self.edge).copied().collect()
    }
}

impl Levels {
    /// A new level, below another one.
    pub(in crate::translate) fn add(&mut self, above: Option<LevelNumber>) -> LevelNumber {
        self.above.push(above);
        self.bound.push(None);
        self.above.len() - 1
    }

    /// The levels between one and another above it, the nearest first; none: it is not above.
    fn between(&self, below: LevelNumber, above: LevelNumber) -> Option<Vec<LevelNumber>> {
        let mut path = vec![below];
        loop {
            let own = path.last().copied()?;
            let next = self.above.get(own).copied()??;
            if next == above {
                return Some(path);
            }
            path.push(next);
        }
    }
}

impl Translator<'_> {
    /// A level whose rows several pipelines read.
    pub(in crate::translate) fn bound(&mut self, name: &str, level: Level) -> Level {
        let columns = level.columns();
        let Level { number, rows, node, parent, edge } = level;
        let rows = match rows {
            Rows::Own(pipeline) => self.builder.bind_pipeline(name, pipeline, columns),
            Rows::Bound(bound) => bound,
        };
        self.levels.bound[number] = Some(BoundLevel { rows, node, parent, edge });
        Level { number, rows: Rows::Bound(rows), node, parent, edge }
    }

    /// The rows of a level, which are kept.
    pub(in crate::translate) fn bound_level(&self, number: LevelNumber) -> Result<BoundLevel> {
        let found = self.levels.bound.get(number).copied().flatten();
        found.ok_or_else(|| Error::new(ErrorKind::Bug, "the rows of a level were not kept"))
    }

    /// Other rows of a level, in a `Let` whose columns begin with those of the level.
    pub(in crate::translate) fn replace_level(
        &mut self,
        number: LevelNumber,
        rows: LetId,
        (level, columns): (&Level, &[ColumnId]),
    ) -> Level {
        let mut columns = columns.iter().copied();
        let mut next = || columns.next().unwrap_or(level.node);
        let parent = level.parent.map(|_| next());
        let node = next();
        let edge = level.edge.map(|_| next());
        self.levels.bound[number] = Some(BoundLevel { rows, node, parent, edge });
        Level { number, rows: Rows::Bound(rows), node, parent, edge }
    }

    /// Begins the open pipeline with the rows of a level; its columns there.
    pub(in crate::translate) fn open(&mut self, level: Level) -> Level {
        let kept = level.columns();
        let Level { number, rows, node, parent, edge } = level;
        match rows {
            Rows::Own(pipeline) => {
                for op in pipeline.ops {
                    self.builder.push(op);
                }
                Level { number, rows: Rows::Own(Pipeline::default()), node, parent, edge }
            }
            Rows::Bound(name) => {
                let mut made = self.let_ref(name, &kept).into_iter();
                let mut next = || made.next().unwrap_or(node);
                let parent = parent.map(|_| next());
                let node = next();
                let edge = edge.map(|_| next());
                Level { number, rows: Rows::Bound(name), node, parent, edge }
            }
        }
    }

    /// The value of a variable for a node of a level, in its open pipeline, and its column if nodes have different ones.
    pub(in crate::translate) fn value_at(
        &mut self,
        level: Option<LevelNumber>,
        node: Option<ColumnId>,
        name: &str,
        at: Offset,
    ) -> Result<(Expr, Option<ColumnId>)> {
        let variable = match self.values_of(name, at)? {
            Values::Scalar(scalar) => {
                return Ok((Expr::Let { name: scalar, read: LetRead::First }, None));
            }
            Values::Nodes(variable) => variable,
        };
        let Some(node) = node else {
            let detail = format!("the variable {name} has values of nodes, and none stand here");
            return Err(self.wrong(at, detail));
        };
        let variable = self.pushed_down(name, level, variable);
        let column = self.join_rows(node, variable, JoinKind::Left);
        Ok((Expr::Column(column), Some(column)))
    }

    /// The values of a level above, for the nodes of a level: the sum over those that lead to a node.
    fn pushed_down(
        &mut self,
        name: &str,
        level: Option<LevelNumber>,
        mut variable: ValueVariable,
    ) -> ValueVariable {
        let path =
            level.zip(variable.level).and_then(|(below, above)| self.levels.between(below, above));
        for number in path.into_iter().flatten().rev() {
            let Some(BoundLevel { rows, node, parent: Some(parent), .. }) =
                self.levels.bound[number]
            else {
                continue;
            };
            self.builder.begin_pipeline();
            let [from, to] = [name, name].map(|name| self.builder.column(name));
            self.builder.push(op::LetRef { name: rows, columns: vec![(parent, from), (node, to)] });
            let value = self.join_rows(from, variable, JoinKind::Inner);
            let sum = self.builder.aggregate(&[to], name, Fold::Sum(Expr::Column(value)));
            let pipeline = self.builder.end_pipeline();
            let bound = self.builder.bind_pipeline(name, pipeline, vec![to, sum]);
            variable = ValueVariable { name: bound, node: to, value: sum, level: Some(number) };
        }
        variable
    }

    /// The values of a variable one level below, as one for each node of a level.
    pub(in crate::translate) fn aggregated(
        &mut self,
        level: LevelNumber,
        aggregate: Aggregate,
        name: &Name,
    ) -> Result<ValueVariable> {
        let invalid = || self.wrong(name.offset, "Invalid variable aggregation. Check the levels.");
        let Values::Nodes(variable) = self.values_of(&name.text, name.offset)? else {
            return Err(invalid());
        };
        let Some(below) = variable.level else { return Err(invalid()) };
        if self.levels.above[below] != Some(level) {
            return Err(invalid());
        }
        let Some(BoundLevel { rows, node, parent: Some(parent), .. }) = self.levels.bound[below]
        else {
            return Err(invalid());
        };
        self.builder.begin_pipeline();
        let [from, to] = ["from", "node"].map(|name| self.builder.column(name));
        self.builder.push(op::LetRef { name: rows, columns: vec![(parent, from), (node, to)] });
        let value = self.join_rows(to, variable, JoinKind::Inner);
        let fold = fold_of(aggregate, Expr::Column(value));
        let result = self.builder.aggregate(&[from], aggregate.word(), fold);
        let pipeline = self.builder.end_pipeline();
        let bound = self.builder.bind_pipeline(aggregate.word(), pipeline, vec![from, result]);
        Ok(ValueVariable { name: bound, node: from, value: result, level: Some(level) })
    }

    /// The fold of all values of a variable, as a `Let` of one value.
    pub(in crate::translate) fn aggregated_whole(
        &mut self,
        aggregate: Aggregate,
        name: &Name,
    ) -> Result<LetId> {
        let Values::Nodes(variable) = self.values_of(&name.text, name.offset)? else {
            let detail = "an aggregate is of values of nodes";
            return Err(self.wrong(name.offset, detail));
        };
        self.builder.begin_pipeline();
        let value = self.builder.column(&name.text);
        self.builder
            .push(op::LetRef { name: variable.name, columns: vec![(variable.value, value)] });
        let fold = fold_of(aggregate, Expr::Column(value));
        let result = self.builder.aggregate(&[], aggregate.word(), fold);
        let pipeline = self.builder.end_pipeline();
        Ok(self.builder.bind_pipeline(aggregate.word(), pipeline, vec![result]))
    }
}

/// The fold of an aggregate.
pub(in crate::translate) fn fold_of(aggregate: Aggregate, value: Expr) -> Fold {
    match aggregate {
        Aggregate::Min => Fold::Min(value),
        Aggregate::Max => Fold::Max(value),
        Aggregate::Sum => Fold::Sum(value),
        Aggregate::Avg => Fold::Mean(value),
    }
}
