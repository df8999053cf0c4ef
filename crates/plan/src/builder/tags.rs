//! Tags (`as('a')`, `select('a')`): a tag is a column, and one that is set again is a list of all it
//! was set to.
//!
//! There is no operator for them: a front end keeps the column that a tag means now. An operator that
//! drops columns (an `Aggregate`, a merging `Barrier`) drops tags and paths with them.

use crate::base::ColumnId;
use crate::builder::PlanBuilder;
use crate::expr::Expr;
use crate::functions::{Function, IndexMode, Outside};

/// Which of the values that a tag was set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pop {
    /// The first.
    First,
    /// The last.
    Last,
    /// All, as a list.
    All,
    /// The value if there is one, else all of them as a list.
    Mixed,
}

impl PlanBuilder {
    /// A tag that may be set more than once, set to one more value; `None`: it was never set. Null
    /// in the column means the same for its row.
    pub fn tag(&mut self, name: &str, before: Option<ColumnId>, value: Expr) -> ColumnId {
        let before = before.map_or(Expr::List(Vec::new()), Expr::Column);
        self.project(name, Expr::call(Function::Append, vec![before, value]))
    }
}

impl Expr {
    /// The values of a tag that a `Pop` selects from the tag's list; null where it was never set.
    pub fn select(pop: Pop, tag: ColumnId) -> Expr {
        let all = Expr::Column(tag);
        let at = |place| {
            let mode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };
            Expr::call(Function::ElementAt(mode), vec![Expr::Column(tag), Expr::literal(place)])
        };
        match pop {
            Pop::First => at(0),
            Pop::Last => at(-1),
            Pop::All => all,
            Pop::Mixed => Expr::call(Function::OneOrAll, vec![all]),
        }
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Value;
    use millrace_model::compare::CompareMode;

    use super::*;
    use crate::op::Op;

    #[test]
    fn a_tag_set_again_is_selected_as_its_first_last_all_or_one() {
        let list = |values: &[i64]| Value::list(values.iter().copied().map(Value::I64).collect());
        let selected = |pop, tag: Value| match Expr::select(pop, ColumnId(0)) {
            Expr::Call { function, arguments } => {
                let place = arguments.get(1).map(|place| match place {
                    Expr::Literal(value) => value.clone(),
                    other => panic!("{other:?} is no literal"),
                });
                let arguments: Vec<Value> = std::iter::once(tag).chain(place).collect();
                function.call(&arguments).expect("a list")
            }
            _ => tag,
        };
        for (set, first, last, mixed) in [
            (list(&[5]), Value::I64(5), Value::I64(5), Value::I64(5)),
            (list(&[5, 6]), Value::I64(5), Value::I64(6), list(&[5, 6])),
            (Value::Null, Value::Null, Value::Null, Value::Null),
        ] {
            assert_eq!(selected(Pop::First, set.clone()), first);
            assert_eq!(selected(Pop::Last, set.clone()), last);
            assert_eq!(selected(Pop::Mixed, set.clone()), mixed);
            assert_eq!(selected(Pop::All, set.clone()), set);
        }
    }

    #[test]
    fn an_aggregate_forgets_tags_and_paths() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let tag = builder.tag("a", None, Expr::Column(v));
        let path = builder.path(None, Some(v), &["a"], "path");
        let count = builder.aggregate(&[], "count", crate::expr::Fold::Count);
        let plan = builder.finish(vec![count]);
        assert!(plan.root.ops[..3].iter().all(|op| !op.drops_other_columns()));
        let left = plan.root.made_columns();
        assert!(left == [count] && !left.contains(&tag) && !left.contains(&path));
        assert!(matches!(plan.root.ops[2], Op::PathStep(_)));
    }
}
