//! Shared by `choose` and `branch`: options, and which of them a row takes.

use millrace_bytecode::{Argument, Bytecode, SymbolFamily};
use millrace_model::Result;
use millrace_plan::{ApplyKind, Comparison, Expr, Fold, UnionPick, op};

use super::branches::unite;
use crate::translate::{At, By, Call, State, Traversal, described, symbol};

/// `choose(test, then, otherwise)`, or `choose(choice)` with options.
pub(in crate::steps) fn choose(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    at: At,
) -> Result<()> {
    let itself = Bytecode::default();
    let (test, then, otherwise) = match call.arguments() {
        [_] => return options(traversal, call, at),
        [test, Argument::Bytecode(then)] => (test, then, &itself),
        [test, Argument::Bytecode(then), Argument::Bytecode(otherwise)] => (test, then, otherwise),
        _ => return Err(call.wrong("takes a test and one or two traversals")),
    };
    let holds = match test {
        Argument::Bytecode(test) => Expr::Column(traversal.exists(test)?),
        test => traversal.passes(call.instruction, Expr::Column(at.column), test)?,
    };
    let subs = vec![traversal.sub(then)?, traversal.sub(otherwise)?];
    unite(traversal, subs, UnionPick::First(vec![holds, Expr::literal(true)]));
    Ok(())
}

/// The options of the call: each row takes the first that fits its choice, or stays as it is.
fn options(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At) -> Result<()> {
    let by = By::of(call.instruction, call.arguments().first())?;
    let asked = traversal.by_column(&by, at)?;
    let mut conditions = Vec::new();
    let mut subs = Vec::new();
    let mut last = Vec::new();
    for option in call.modulated("option") {
        let (key, inner) = match option.arguments.as_slice() {
            [Argument::Bytecode(inner)] => (None, inner),
            [key, Argument::Bytecode(inner)] => (Some(key), inner),
            _ => return Err(call.wrong("has an option without a key and a traversal")),
        };
        let present = Expr::IsAbsent(Box::new(Expr::Column(asked.column))).negate();
        let pick = key.and_then(|key| symbol(key, SymbolFamily::Pick));
        match (key, pick) {
            (None, _) | (_, Some("any" | "none")) => last.push((present, inner)),
            (_, Some(_)) => {
                last.push((Expr::IsAbsent(Box::new(Expr::Column(asked.column))), inner));
            }
            (Some(Argument::Bytecode(_)), _) => {
                return Err(call.wrong("Traversal is not allowed as a Pick token for choose()"));
            }
            (Some(key), None) => {
                conditions.push(fits(traversal, call, asked, key)?);
                subs.push(traversal.sub(inner)?);
            }
        }
    }
    for (condition, inner) in last {
        conditions.push(condition);
        subs.push(traversal.sub(inner)?);
    }
    conditions.push(Expr::literal(true));
    subs.push(traversal.sub(&Bytecode::default())?);
    unite(traversal, subs, UnionPick::First(conditions));
    Ok(())
}

fn fits(traversal: &mut Traversal<'_>, call: &Call<'_>, asked: At, key: &Argument) -> Result<Expr> {
    let own = Expr::Column(asked.column);
    match key {
        // A traversal from the choice fits if it has a result.
        Argument::Bytecode(inner) => {
            let state = State { at: Some(asked), ..traversal.state.clone() };
            let sub = traversal.sub_from(state, |sub| sub.run(inner))?;
            let to = traversal.plan.column("fits");
            let kind = ApplyKind::Value { fold: Fold::Exists, to };
            traversal.plan.push(op::Apply { sub: sub.pipeline, kind });
            Ok(Expr::Column(to))
        }
        Argument::Predicate(_) => traversal.passes(call.instruction, own, key),
        Argument::Value(_) | Argument::Binding(..) | Argument::Vertex(_) | Argument::Edge(_) => {
            let key = traversal.value(call.instruction, key)?;
            Ok(Expr::compare(Comparison::Equal, own, key))
        }
        other => Err(call.wrong(format!("has an option for {}", described(other)))),
    }
}

/// All options that fit.
pub(in crate::steps) fn branch(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    at: At,
) -> Result<()> {
    let by = By::of(call.instruction, call.arguments().first())?;
    let asked = traversal.by_column(&by, at)?;
    let mut fitting = Vec::new();
    let mut subs = Vec::new();
    let mut none = None;
    for option in call.modulated("option") {
        let (key, inner) = match option.arguments.as_slice() {
            [key, Argument::Bytecode(inner)] => (key, inner),
            _ => return Err(call.wrong("has an option without a key and a traversal")),
        };
        let holds = match symbol(key, SymbolFamily::Pick) {
            Some("any") => Expr::literal(true),
            Some(_) => {
                none = Some(inner);
                continue;
            }
            None => fits(traversal, call, asked, key)?,
        };
        subs.push(only(traversal, holds.clone(), inner)?);
        if !matches!(holds, Expr::Literal(_)) {
            fitting.push(holds);
        }
    }
    if let Some(inner) = none {
        subs.push(only(traversal, Expr::Or(fitting).negate(), inner)?);
    }
    unite(traversal, subs, UnionPick::All);
    Ok(())
}

fn only(
    traversal: &mut Traversal<'_>,
    holds: Expr,
    inner: &Bytecode,
) -> Result<crate::translate::Sub> {
    let state = traversal.state.clone();
    traversal.sub_from(state, |sub| {
        sub.plan.filter(holds);
        sub.run(inner)
    })
}
