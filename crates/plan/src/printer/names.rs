//! Plans as text, for goldens and `explain`: one operator a line, subplans indented. How an operator
//! prints is one of its facts; here are the parts that they share.

mod exprs;

use std::fmt::{self, Write};

use crate::fold::{Fold, Missing};
use crate::op::{Nulls, Op, SortKey};
use crate::plan::{ColumnId, LetId, Name, Pipeline, Plan};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer { plan: self };
        let mut text = String::new();
        if !self.merging {
            text.push_str("Merging off\n");
        }
        if self.sorted_only {
            text.push_str("Order by Sort only\n");
        }
        if let Some(seed) = self.seed {
            writeln!(text, "Seed {seed}")?;
        }
        for (number, binding) in self.lets.iter().enumerate() {
            let columns = match binding.columns.as_slice() {
                [] => "()".to_owned(),
                columns => printer.columns(columns),
            };
            writeln!(text, "Let {}#{number} = {columns} of", binding.name)?;
            printer.pipeline(&mut text, &binding.pipeline, 1)?;
        }
        printer.pipeline(&mut text, &self.root, 0)?;
        writeln!(text, "-> {}", printer.columns(&self.output))?;
        f.write_str(&text)
    }
}

impl Plan {
    /// One operator of this plan as its line of text, without its subplans.
    pub fn describe(&self, op: &Op) -> String {
        op.print(&Printer { plan: self })
    }
}

/// Prints parts of operators with the names of their plan.
pub struct Printer<'a> {
    plan: &'a Plan,
}

impl Printer<'_> {
    fn pipeline(&self, text: &mut String, pipeline: &Pipeline, depth: usize) -> fmt::Result {
        for op in &pipeline.ops {
            writeln!(text, "{:width$}{}", "", op.print(self), width = depth * 2)?;
            for (number, sub) in op.subplans().iter().enumerate() {
                let mut deeper = depth + 1;
                if let Some(title) = op.subplan_title(number) {
                    writeln!(text, "{:width$}{title}", "", width = deeper * 2)?;
                    deeper += 1;
                }
                self.pipeline(text, sub, deeper)?;
            }
        }
        Ok(())
    }

    /// A column behind a word, where there is one.
    pub(crate) fn optional(&self, word: &str, column: Option<ColumnId>) -> String {
        column.map_or(String::new(), |column| format!("{word}{}", self.column(column)))
    }

    /// The column of an edge before its direction, where there is one.
    pub(crate) fn edge(&self, edge: Option<ColumnId>) -> String {
        edge.map_or(String::new(), |edge| format!("{}:", self.column(edge)))
    }

    /// A column, or the place of one that is not read.
    pub(crate) fn wanted(&self, column: Option<ColumnId>) -> String {
        column.map_or("()".to_owned(), |column| self.column(column))
    }

    /// A `Let` by its title and number.
    pub(crate) fn let_name(&self, id: LetId) -> String {
        let binding = self.plan.lets.get(id.0 as usize);
        format!("{}#{}", binding.map_or("?", |binding| &binding.name), id.0)
    }

    /// How many columns a `Let` keeps.
    pub(crate) fn let_width(&self, id: LetId) -> usize {
        self.plan.lets.get(id.0 as usize).map_or(0, |binding| binding.columns.len())
    }

    pub(crate) fn column(&self, column: ColumnId) -> String {
        let name = self.plan.columns.get(column.0 as usize).map_or("?", |name| name);
        // Two columns may have one name; the number then distinguishes them.
        let alone = self.plan.columns.iter().filter(|other| &***other == name).count() == 1;
        if alone { name.to_owned() } else { format!("{name}#{}", column.0) }
    }

    pub(crate) fn columns(&self, columns: &[ColumnId]) -> String {
        join(columns.iter().map(|column| self.column(*column)))
    }

    pub(crate) fn parameter(&self, number: u32) -> String {
        format!("${}", self.plan.parameters.get(number as usize).map_or("?", |name| name))
    }

    pub(crate) fn sort_keys(&self, keys: &[SortKey]) -> String {
        join(keys.iter().map(|key| {
            let direction = if key.descending { " desc" } else { "" };
            let nulls = if key.nulls == Nulls::First { " nulls first" } else { "" };
            format!("{}{direction}{nulls}", self.expr(&key.by))
        }))
    }

    pub(crate) fn fold(&self, fold: &Fold) -> String {
        let (name, expr) = match fold {
            Fold::Count => ("count", None),
            Fold::Exists => ("exists", None),
            Fold::CountDistinct(expr) => ("count distinct", Some(expr)),
            Fold::Sum(expr) => ("sum", Some(expr)),
            Fold::Min(expr) => ("min", Some(expr)),
            Fold::Max(expr) => ("max", Some(expr)),
            Fold::Mean(expr) => ("mean", Some(expr)),
            Fold::Collect(expr) => ("collect", Some(expr)),
            Fold::CountValues(expr) => ("count", Some(expr)),
            Fold::StDev(expr) => ("stdev", Some(expr)),
            Fold::StDevP(expr) => ("stdevp", Some(expr)),
            Fold::PercentileCont(expr) => ("percentile cont", Some(expr)),
            Fold::PercentileDisc(expr) => ("percentile disc", Some(expr)),
            Fold::CollectValues(expr) => ("collect values", Some(expr)),
            Fold::First(expr) => ("first", Some(expr)),
            Fold::Distinct(fold) => return format!("distinct {}", self.fold(fold)),
            Fold::IfSeen { fold, missing } => {
                let otherwise = match missing {
                    Missing::NoRow => "no row",
                    Missing::Absent => "absent",
                };
                return format!("{} or {otherwise}", self.fold(fold));
            }
        };
        expr.map_or(name.to_owned(), |expr| format!("{name}({})", self.expr(expr)))
    }
}

pub(crate) fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

pub(crate) fn edge_types(types: &Option<Vec<Name>>) -> String {
    types.as_deref().map_or("*".to_owned(), |types| types.join("|"))
}

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;

    use crate::builder::PlanBuilder;
    use crate::expr::{Expr, SetName};
    use crate::fold::Fold;
    use crate::op::{Nulls, SortKey, TopK};

    #[test]
    fn the_recommendation_prints_as_the_algebra_writes_it() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let user = builder.parameter("user");
        let p = builder.seek("Person", "username", Expr::Parameter(user), "p");
        let i = builder.expand(p, Direction::Out, Some(&["LIKES"]), "i");
        builder.side_effect_set("mine", Expr::Column(i));
        let o = builder.expand(i, Direction::In, Some(&["LIKES"]), "o");
        let j = builder.expand(o, Direction::Out, Some(&["LIKES"]), "j");
        let mine = SetName::SideEffect("mine".into());
        builder.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
        let n = builder.aggregate(&[j], "n", Fold::Count);
        let by = SortKey { by: Expr::Column(n), descending: true, nulls: Nulls::Last };
        builder.push(TopK { count: 25.into(), keys: vec![by] });
        let plan = builder.finish(vec![j, n]);
        let expected = "\
Seek p by Person(username = $user)
Expand p -out LIKES-> i
SideEffect mine += i (set)
Expand i -in LIKES-> o
Expand o -out LIKES-> j
Filter not (j in SideEffect mine)
Aggregate [j] n = count
TopK 25 by n desc
-> j, n
";
        assert_eq!(plan.to_string(), expected);
    }
}
