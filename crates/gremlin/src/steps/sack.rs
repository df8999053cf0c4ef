//! `sack()`: the sack of the traverser; `sack(operator)`: combines the current object into it.

use millrace_bytecode::SymbolFamily;
use millrace_model::Result;
use millrace_plan::functions::{Division, Overflow, Reduction};
use millrace_plan::{Comparison, Expr, Function};

use crate::steps::{Fact, Step};
use crate::translate::{At, By, Call, Kind, Traversal, symbol};

pub(super) const STEP: Step =
    Step::new("sack", translate).modulators(&["by"]).facts(&[Fact::AsksTraverser]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let sack = traversal.sack();
    let operator = match call.arguments() {
        [] => {
            let Some(sack) = sack else { return Err(call.wrong("has no sack: use withSack()")) };
            traversal.moved(sack.column, sack.kind);
            return Ok(());
        }
        [operator] => symbol(operator, SymbolFamily::Operator),
        _ => None,
    };
    let Some(operator) = operator else { return Err(call.wrong("takes an operator")) };
    let bys = By::all(&call.modulators)?;
    call.check_single_by("Sack")?;
    let found = traversal.by_column(bys.first().unwrap_or(&By::Identity), at)?;
    traversal.keep_present(found.column);
    let own = Expr::Column(found.column);
    let changed = match sack {
        None if operator == "assign" => own,
        None => {
            return Err(call.wrong("has no sack to put it into: use withSack(), or sack(assign)"));
        }
        Some(sack) => combined(call, operator, Expr::Column(sack.column), own)?,
    };
    let column = traversal.project("sack", changed);
    traversal.state.sack = Some(At::new(column, Kind::Any));
    Ok(())
}

fn combined(call: &Call<'_>, operator: &str, sack: Expr, own: Expr) -> Result<Expr> {
    let function = match operator {
        "assign" => return Ok(own),
        "sum" | "sumLong" => Function::Add(Overflow::Widen),
        "minus" => Function::Subtract(Overflow::Widen),
        "mult" => Function::Multiply(Overflow::Widen),
        "div" => Function::Divide(Division::Widen),
        "min" | "max" => {
            let comparison = if operator == "min" { Comparison::Less } else { Comparison::Greater };
            let better = Expr::compare(comparison, own.clone(), sack.clone());
            return Ok(Expr::Case {
                branches: vec![(better, own)],
                otherwise: Some(Box::new(sack)),
            });
        }
        "addAll" => {
            let all = vec![sack, Expr::List(vec![own])];
            return Ok(Expr::call(Function::Reduce(Reduction::Join), all));
        }
        "and" => return Ok(Expr::And(vec![sack, own])),
        "or" => return Ok(Expr::Or(vec![sack, own])),
        other => {
            return Err(call.refused(format!("has the operator {other}, which is not supported")));
        }
    };
    Ok(Expr::call(function, vec![sack, own]))
}
