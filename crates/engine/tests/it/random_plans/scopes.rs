//! Random folds, orders and limits of the rows of a scope.

use millrace_model::Value;
use millrace_plan::{
    ColumnId, Expr, Fold, Function, Missing, Name, Nulls, Op, Parameter, ParameterId, RowCount,
    SortKey, op,
};

use millrace_testkit::Rng;

use super::expressions::{Kind, Sight};
use super::generate::Generator;

impl Generator<'_> {
    pub(super) fn fold(&mut self, sight: &Sight) -> (Fold, Kind) {
        let (fold, kind) = self.plain_fold(sight);
        if self.rng.chance(0.8) {
            return (fold, kind);
        }
        let missing = *self.rng.pick(&[Missing::NoRow, Missing::Absent]);
        (Fold::IfSeen { fold: Box::new(fold), missing }, kind)
    }

    fn plain_fold(&mut self, sight: &Sight) -> (Fold, Kind) {
        match self.rng.below(16) {
            0 | 1 => (Fold::Count, Kind::Int),
            2 => (Fold::CountDistinct(sight.any(self.rng)), Kind::Int),
            3 => (Fold::Sum(sight.numeric(self.rng)), Kind::Number),
            4 => (Fold::Min(sight.any(self.rng)), Kind::Any),
            5 => (Fold::Max(sight.any(self.rng)), Kind::Any),
            6 => (Fold::Mean(sight.numeric(self.rng)), Kind::Number),
            7 => (Fold::Collect(sight.any(self.rng)), Kind::List),
            8 => (Fold::First(sight.any(self.rng)), Kind::Any),
            9 => (Fold::CountValues(sight.any(self.rng)), Kind::Int),
            10 => (Fold::StDev(sight.numeric(self.rng)), Kind::Number),
            11 => (Fold::StDevP(sight.numeric(self.rng)), Kind::Number),
            12 => (self.percentile(sight), Kind::Number),
            13 => (Fold::CollectValues(sight.any(self.rng)), Kind::List),
            14 => {
                let (fold, kind) = self.plain_fold(sight);
                (Fold::Distinct(Box::new(fold)), kind)
            }
            _ => (Fold::Exists, Kind::Any),
        }
    }

    fn percentile(&mut self, sight: &Sight) -> Fold {
        let fractions =
            [Value::I64(0), Value::F64(0.3), Value::F64(0.5), Value::F64(0.75), Value::I64(1)];
        let fraction =
            if self.rng.chance(0.05) { Value::I64(2) } else { self.rng.pick(&fractions).clone() };
        let pair = Expr::List(vec![sight.numeric(self.rng), Expr::Literal(fraction)]);
        if self.rng.chance(0.5) { Fold::PercentileCont(pair) } else { Fold::PercentileDisc(pair) }
    }

    fn sort_keys(&mut self, sight: &Sight) -> Vec<SortKey> {
        let mut keys = Vec::new();
        for _ in 0..=self.rng.below(2) {
            let by = match sight.column(self.rng, &[Kind::Vertex, Kind::Edge, Kind::Int, Kind::Any])
            {
                Some(column) if self.rng.chance(0.5) && !self.writes => Expr::Column(column),
                Some(_) | None => sight.any(self.rng),
            };
            let descending = self.rng.chance(0.5);
            let nulls = *self.rng.pick(&[Nulls::First, Nulls::Last]);
            keys.push(SortKey { by, descending, nulls });
        }
        keys
    }

    pub(super) fn order(&mut self, sight: &Sight) -> Vec<Op> {
        match self.rng.below(4) {
            0 => vec![Op::Sort(op::Sort { keys: self.sort_keys(sight) })],
            1 => {
                let count = self.rng.below(12) / 2;
                let count = self.row_count(count);
                vec![Op::TopK(op::TopK { count, keys: self.sort_keys(sight) })]
            }
            2 => vec![Op::Sort(op::Sort { keys: self.sort_keys(sight) }), self.range()],
            _ => vec![self.range()],
        }
    }

    /// The first elements in the order of a key that an index may have.
    pub(super) fn first_by_key(&mut self, element: ColumnId) -> Vec<Op> {
        let key = *self.rng.pick(&["i", "n", "s"]);
        let property = Expr::property(element, key);
        let or_null = self.rng.chance(0.5);
        let by = if or_null { Expr::call(Function::OrNull, vec![property]) } else { property };
        let key = |rng: &mut Rng, by| {
            let nulls = *rng.pick(&[Nulls::First, Nulls::Last]);
            SortKey { by, descending: rng.chance(0.5), nulls }
        };
        let mut keys = vec![key(self.rng, by)];
        if self.rng.chance(0.3) {
            keys.push(key(self.rng, Expr::Column(element)));
        }
        if self.rng.chance(0.5) {
            return vec![Op::Sort(op::Sort { keys }), self.range()];
        }
        let count = self.rng.below(12) / 2;
        vec![Op::TopK(op::TopK { count: self.row_count(count), keys })]
    }

    fn range(&mut self) -> Op {
        let from = if self.rng.chance(0.8) { 0 } else { self.rng.below(3) };
        let to = self.rng.chance(0.9).then(|| from + self.rng.below(12) / 2);
        let (from, to) = (self.row_count(from), to.map(|to| self.row_count(to)));
        Op::Range(op::Range { from, to })
    }

    pub(super) fn tail(&mut self) -> Op {
        let count = self.rng.range(1..6);
        Op::Tail(op::Tail { count: self.row_count(count) })
    }

    /// A number of rows, at times as a sum that the run makes; rarely of no integer.
    fn row_count(&mut self, count: u64) -> RowCount {
        if self.rng.chance(0.7) {
            return count.into();
        }
        let rest = self.rng.below(count + 1);
        let wrong = [Value::I64(-1), Value::Null, Value::F64(1.0)];
        let value = match self.rng.below(40) {
            0 => self.rng.pick(&wrong).clone(),
            _ => Value::I64((count - rest) as i64),
        };
        self.plan.parameters.push(Name::from("count"));
        self.parameters.push(Parameter::Value(value));
        let first = Expr::Parameter(ParameterId(self.parameters.len() as u32 - 1));
        match rest {
            0 => RowCount::of(first),
            rest => RowCount::Sum(vec![first, Expr::literal(rest as i64)]),
        }
    }
}
