//! Builds plans: columns by name, operators in order, subplans by closures.

use std::sync::Arc;

use millrace_model::Direction;
use millrace_model::compare::CompareMode;

use crate::base::{ColumnId, ElementKind, LetId, Name, ParameterId};
use crate::expr::{Expr, Fold, Makes, SideFold};
use crate::functions::Function;
use crate::op::{
    self, ApplyKind, IntersectArm, LookupMode, Loops, Op, OwnerName, Pipeline, RandomKind,
    RowsSource, ScanSource, SeekBound, SeekRange, UnionPick,
};
use crate::plan::{LetBinding, Plan};

/// A plan under construction. Operators are added to the innermost open pipeline.
#[derive(Default)]
pub struct PlanBuilder {
    plan: Plan,
    open: Vec<Pipeline>,
    streams: u32,
}

impl PlanBuilder {
    /// An empty plan; its comparisons follow `compare`.
    pub fn new(compare: CompareMode) -> PlanBuilder {
        let plan = Plan { compare, ..Plan::default() };
        PlanBuilder { plan, open: vec![Pipeline::default()], streams: 0 }
    }

    /// Switches merging off: each row stands for itself.
    pub fn without_merging(mut self) -> PlanBuilder {
        self.plan.merging = false;
        self
    }

    /// Only a `Sort` makes an order, for a language that promises none elsewhere.
    pub fn sorted_only(mut self) -> PlanBuilder {
        self.plan.sorted_only = true;
        self
    }

    /// The seed of the random numbers of each run.
    pub fn with_seed(mut self, seed: u64) -> PlanBuilder {
        self.plan.seed = Some(seed);
        self
    }

    /// A new column. Names are for people and may repeat.
    pub fn column(&mut self, name: &str) -> ColumnId {
        self.plan.columns.push(Arc::from(name));
        ColumnId(self.plan.columns.len() as u32 - 1)
    }

    /// The column that the next call of [`PlanBuilder::column`] gives.
    pub fn next_column(&self) -> ColumnId {
        ColumnId(self.plan.columns.len() as u32)
    }

    /// A new parameter.
    pub fn parameter(&mut self, name: &str) -> ParameterId {
        self.plan.parameters.push(Arc::from(name));
        ParameterId(self.plan.parameters.len() as u32 - 1)
    }

    /// Adds an operator.
    pub fn push(&mut self, op: impl Into<Op>) -> &mut PlanBuilder {
        self.open_pipeline().ops.push(op.into());
        self
    }

    pub(crate) fn open_pipeline(&mut self) -> &mut Pipeline {
        self.open.last_mut().expect("a builder always has an open pipeline")
    }

    /// A pipeline of its own, built by `build`, beside the open one.
    pub fn pipeline(&mut self, build: impl FnOnce(&mut PlanBuilder)) -> Pipeline {
        self.begin_pipeline();
        build(self);
        self.end_pipeline()
    }

    /// Begins a pipeline of its own: operators go there until it is ended. For a caller that holds the builder
    /// among other state; all others use [`PlanBuilder::pipeline`].
    pub fn begin_pipeline(&mut self) {
        self.open.push(Pipeline::default());
    }

    /// Ends the pipeline begun last.
    pub fn end_pipeline(&mut self) -> Pipeline {
        assert!(1 < self.open.len(), "a pipeline is ended that was not begun");
        self.open.pop().expect("asserted above")
    }

    /// A subplan that runs once; `build` gives the column that is kept.
    pub fn bind(&mut self, name: &str, build: impl FnOnce(&mut PlanBuilder) -> ColumnId) -> LetId {
        self.bind_columns(name, |builder| vec![build(builder)])
    }

    /// A subplan that runs once; `build` gives the columns that are kept. As a set it is the first.
    pub fn bind_columns(
        &mut self,
        name: &str,
        build: impl FnOnce(&mut PlanBuilder) -> Vec<ColumnId>,
    ) -> LetId {
        let mut columns = Vec::new();
        let pipeline = self.pipeline(|builder| columns = build(builder));
        self.bind_pipeline(name, pipeline, columns)
    }

    /// The same of a pipeline that was built before; it starts from one row without columns.
    pub fn bind_pipeline(
        &mut self,
        name: &str,
        pipeline: Pipeline,
        columns: Vec<ColumnId>,
    ) -> LetId {
        self.plan.lets.push(LetBinding { name: Arc::from(name), pipeline, columns });
        LetId(self.plan.lets.len() as u32 - 1)
    }

    /// The columns that a `Let` keeps.
    pub fn let_columns(&self, name: LetId) -> &[ColumnId] {
        &self.plan.lets[name.0 as usize].columns
    }

    /// Takes the rows of a `Let`: new columns for as many of its columns, from the first.
    pub fn let_ref(&mut self, name: LetId, to: &[ColumnId]) -> &mut PlanBuilder {
        let kept = &self.plan.lets[name.0 as usize].columns;
        assert!(to.len() <= kept.len(), "a Let of {} columns has no more", kept.len());
        let columns = kept.iter().copied().zip(to.iter().copied()).collect();
        self.push(op::LetRef { name, columns })
    }

    /// Scans vertices.
    pub fn scan(&mut self, label: Option<&str>, to: &str) -> ColumnId {
        let to = self.column(to);
        self.push(op::Scan { source: ScanSource::Vertices(label.map(Name::from)), to });
        to
    }

    /// Seeks vertices of a label by one key.
    pub fn seek(&mut self, label: &str, key: &str, value: Expr, to: &str) -> ColumnId {
        let to = self.column(to);
        let owner = OwnerName::Label(Name::from(label));
        let (keys, values) = (vec![Name::from(key)], vec![value]);
        self.push(op::Seek { owner, keys, values, range: None, to });
        to
    }

    /// Seeks vertices of a label by a range of one key; a bound is its value and whether that
    /// itself is in the range.
    pub fn seek_range(
        &mut self,
        label: &str,
        key: &str,
        [lower, upper]: [Option<(Expr, bool)>; 2],
        to: &str,
    ) -> ColumnId {
        let to = self.column(to);
        let owner = OwnerName::Label(Name::from(label));
        let bound = |(value, inclusive)| SeekBound { value, inclusive };
        let (lower, upper) = (lower.map(bound), upper.map(bound));
        let range = Some(SeekRange { key: Name::from(key), lower, upper });
        self.push(op::Seek { owner, keys: Vec::new(), values: Vec::new(), range, to });
        to
    }

    /// Takes elements by id; unknown ids are left out.
    pub fn ids(&mut self, element: ElementKind, ids: Expr, to: &str) -> ColumnId {
        let to = self.column(to);
        self.push(op::LookupById { element, ids, mode: LookupMode::Checked, to });
        to
    }

    /// Takes the rows of a parameter's batch, with these columns.
    pub fn rows<const N: usize>(&mut self, batch: ParameterId, to: [&str; N]) -> [ColumnId; N] {
        let to = to.map(|name| self.column(name));
        self.push(op::Rows { source: RowsSource::Parameter(batch), to: to.to_vec() });
        to
    }

    /// Gives the `Rows` just pushed more columns, for a width known only to the caller.
    pub fn extend_rows(&mut self, columns: &[ColumnId]) -> &mut PlanBuilder {
        let ops = &mut self.open_pipeline().ops;
        let Some(Op::Rows(op::Rows { to, .. })) = ops.last_mut() else {
            panic!("extend_rows follows rows");
        };
        to.extend(columns);
        self
    }

    /// Expands to the other ends.
    pub fn expand(
        &mut self,
        from: ColumnId,
        direction: Direction,
        types: Option<&[&str]>,
        to: &str,
    ) -> ColumnId {
        let to = self.column(to);
        let types = types.map(|types| types.iter().map(|&name| Name::from(name)).collect());
        let loops = Loops::Twice;
        self.push(op::Expand { from, types, direction, edge: None, to: Some(to), loops });
        to
    }

    /// Keeps rows for which the predicate holds.
    pub fn filter(&mut self, predicate: Expr) -> &mut PlanBuilder {
        self.push(op::Filter { predicate })
    }

    /// Adds a column with an expression's value.
    pub fn project(&mut self, name: &str, expr: Expr) -> ColumnId {
        let column = self.column(name);
        self.push(op::Project { columns: vec![(column, expr)] });
        column
    }

    /// An expression over the entries of a list; `build` makes the inner ones from the column of the entry.
    pub fn over(
        &mut self,
        list: Expr,
        item: &str,
        build: impl FnOnce(&mut PlanBuilder, ColumnId) -> Makes,
    ) -> Expr {
        let item = self.column(item);
        let makes = build(self, item);
        Expr::over(list, item, makes)
    }

    /// Keeps rows with an edge that is none of others: edge-distinct matching asks this of each expansion,
    /// for all edges, and lists of them, that its `MATCH` has found before.
    pub fn differs(&mut self, edge: ColumnId, others: &[ColumnId]) -> &mut PlanBuilder {
        let all = std::iter::once(&edge).chain(others).copied().map(Expr::Column);
        self.filter(Expr::call(Function::DiffersFrom, all.collect()))
    }

    /// Adds a path: the one so far with one more object.
    pub fn path(
        &mut self,
        before: Option<ColumnId>,
        object: Option<ColumnId>,
        tags: &[&str],
        to: &str,
    ) -> ColumnId {
        let to = self.column(to);
        let tags = tags.iter().map(|&tag| Name::from(tag)).collect();
        self.push(op::PathStep { before, object, tags, to });
        to
    }

    /// One row for each distinct key, with one fold.
    pub fn aggregate(&mut self, keys: &[ColumnId], name: &str, fold: Fold) -> ColumnId {
        let column = self.column(name);
        self.push(op::Aggregate { keys: keys.to_vec(), folds: vec![(column, fold)] });
        column
    }

    /// Keeps so many rows of each scope, chosen at random.
    pub fn sample(&mut self, count: u64) -> &mut PlanBuilder {
        self.random(RandomKind::Sample { count })
    }

    /// A random operator, with a stream that no other operator has.
    pub fn random(&mut self, kind: RandomKind) -> &mut PlanBuilder {
        self.streams += 1;
        self.push(op::Random { stream: self.streams - 1, kind })
    }

    /// The value of a name for a row; the tag's own column if the name is only a tag.
    pub fn lookup(&mut self, name: &str, map: Option<ColumnId>, tag: Option<ColumnId>) -> ColumnId {
        let open = self.open.iter().any(|pipeline| pipeline.collects(name));
        let collects = open || self.plan.collects(name);
        match (map, tag, collects) {
            (None, Some(tag), false) => tag,
            _ => {
                let to = self.column(name);
                let (name, counted) = (Name::from(name), false);
                self.push(op::Lookup { name, map, tag, counted, to });
                to
            }
        }
    }

    /// The values collected under a name, each with how often it is there.
    pub fn lookup_counted(&mut self, name: &str) -> ColumnId {
        let to = self.column(name);
        let (name, map, tag, counted) = (Name::from(name), None, None, true);
        self.push(op::Lookup { name, map, tag, counted, to });
        to
    }

    /// Merges a whole pattern: a row for every match, each then through `on_match`; where there is
    /// none the rows of `create`, so that a later row finds its elements. Pipelines start from the row;
    /// the first and the last leave the same columns. `created` says which it was.
    pub fn merge_pattern(
        &mut self,
        matched: Pipeline,
        on_match: Pipeline,
        create: Pipeline,
        created: &str,
    ) -> ColumnId {
        let [found, created] = ["found", created].map(|name| self.column(name));
        let says = |truth: bool| {
            Op::Project(op::Project { columns: vec![(created, Expr::literal(truth))] })
        };
        let found_ops = matched.ops.iter().cloned().chain(on_match.ops).chain([says(false)]);
        let found_branch = Pipeline { ops: found_ops.collect() };
        let made_branch = Pipeline { ops: create.ops.into_iter().chain([says(true)]).collect() };
        let pick = UnionPick::First(vec![Expr::Column(found), Expr::literal(true)]);
        // It reads its own writes, so each row has its turn.
        self.apply(ApplyKind::Flat, |sub| {
            let kind = ApplyKind::Value { fold: Fold::Exists, to: found };
            sub.push(op::Apply { sub: matched, kind });
            sub.push(op::Union { branches: vec![found_branch, made_branch], pick });
        });
        created
    }

    /// Calls a procedure that reads; its yields become columns of the same names.
    pub fn call<const N: usize>(
        &mut self,
        procedure: &str,
        arguments: Vec<Expr>,
        yields: [&str; N],
    ) -> [ColumnId; N] {
        let columns = yields.map(|name| self.column(name));
        let yields = yields.into_iter().map(Name::from).zip(columns).collect();
        self.push(op::Call { procedure: Name::from(procedure), arguments, yields, writes: false });
        columns
    }

    /// Goes to the common neighbours of several vertices.
    pub fn intersect(&mut self, arms: Vec<IntersectArm>, to: &str) -> ColumnId {
        let to = self.column(to);
        self.push(op::Intersect { arms, to });
        to
    }

    /// One row for each scope, with a bag of its rows.
    pub fn fold(&mut self, columns: &[ColumnId], name: &str) -> ColumnId {
        let to = self.column(name);
        self.push(op::Fold { columns: columns.to_vec(), to });
        to
    }

    /// Collects a value into a named set.
    pub fn side_effect_set(&mut self, name: &str, value: Expr) -> &mut PlanBuilder {
        self.push(op::SideEffect { name: Name::from(name), value, fold: SideFold::Set })
    }

    /// Runs a subplan for every row.
    pub fn apply(
        &mut self,
        kind: ApplyKind,
        build: impl FnOnce(&mut PlanBuilder),
    ) -> &mut PlanBuilder {
        let sub = self.pipeline(build);
        self.push(op::Apply { sub, kind })
    }

    /// The plan, with its output columns in order.
    pub fn finish(mut self, output: Vec<ColumnId>) -> Plan {
        assert_eq!(self.open.len(), 1, "subplans are closed by their closures");
        self.plan.root = self.open.pop().expect("one is open");
        self.plan.output = output;
        self.plan
    }
}
