//! Aggregates as folds of a plan.

use millrace_plan::{Expr, Fold};

fn only(arguments: Vec<Expr>) -> Expr {
    arguments.into_iter().next().unwrap_or(Expr::Literal(millrace_model::Value::Null))
}

pub(super) fn count(arguments: Vec<Expr>) -> Fold {
    Fold::CountValues(only(arguments))
}

pub(super) fn collect(arguments: Vec<Expr>) -> Fold {
    Fold::CollectValues(only(arguments))
}

pub(super) fn sum(arguments: Vec<Expr>) -> Fold {
    Fold::Sum(only(arguments))
}

pub(super) fn mean(arguments: Vec<Expr>) -> Fold {
    Fold::Mean(only(arguments))
}

pub(super) fn min(arguments: Vec<Expr>) -> Fold {
    Fold::Min(only(arguments))
}

pub(super) fn max(arguments: Vec<Expr>) -> Fold {
    Fold::Max(only(arguments))
}

pub(super) fn st_dev(arguments: Vec<Expr>) -> Fold {
    Fold::StDev(only(arguments))
}

pub(super) fn st_dev_p(arguments: Vec<Expr>) -> Fold {
    Fold::StDevP(only(arguments))
}

pub(super) fn percentile_cont(arguments: Vec<Expr>) -> Fold {
    Fold::PercentileCont(Expr::List(arguments))
}

pub(super) fn percentile_disc(arguments: Vec<Expr>) -> Fold {
    Fold::PercentileDisc(Expr::List(arguments))
}
