//! Expressions as text.

use millrace_model::Value;

use super::{Printer, join};
use crate::base::End;
use crate::expr::{Comparison, Expr, LetRead, Makes, Over, Quantifier, SetName, Unknown};
use crate::functions::Arithmetic;

impl Printer<'_> {
    pub(crate) fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Column(column) => self.column(*column),
            Expr::Literal(value) => literal(value),
            Expr::Parameter(parameter) => self.parameter(parameter.0),
            Expr::Let { name, read } => {
                let read = match read {
                    LetRead::First => "first",
                    LetRead::All => "all",
                };
                format!("{read}({})", self.set_name(&SetName::Let(*name)))
            }
            Expr::Property { element, key } => format!("{}.{key}", self.expr(element)),
            Expr::Properties { element, keys: None } => format!("{}.*", self.expr(element)),
            Expr::Properties { element, keys: Some(keys) } => {
                format!("{}.{{{}}}", self.expr(element), keys.join(", "))
            }
            Expr::Id(element) => format!("id({})", self.expr(element)),
            Expr::Labels(vertex) => format!("labels({})", self.expr(vertex)),
            Expr::HasLabel { vertex, label } => format!("{}:{label}", self.expr(vertex)),
            Expr::EdgeType(edge) => format!("type({})", self.expr(edge)),
            Expr::EdgeEnd { edge, end: End::Source } => format!("source({})", self.expr(edge)),
            Expr::EdgeEnd { edge, end: End::Target } => format!("target({})", self.expr(edge)),
            Expr::Compare { comparison, left, right } => {
                format!("{} {} {}", self.expr(left), comparison_sign(*comparison), self.expr(right))
            }
            Expr::And(all) => self.chain(all, " and "),
            Expr::Or(any) => self.chain(any, " or "),
            Expr::Living { element, .. } => format!("living({})", self.expr(element)),
            Expr::Not(inner) => format!("not ({})", self.expr(inner)),
            Expr::IsNull(inner) => format!("{} is null", self.expr(inner)),
            Expr::IsAbsent(inner) => format!("{} is absent", self.expr(inner)),
            Expr::InSet { item, set } => format!("{} in {}", self.expr(item), self.set_name(set)),
            Expr::InList { item, list } => format!("{} in {}", self.expr(item), self.expr(list)),
            Expr::Arithmetic { operation, left, right } => {
                let sign = arithmetic_sign(*operation);
                format!("({} {sign} {})", self.expr(left), self.expr(right))
            }
            Expr::Call { function, arguments } => {
                let arguments = join(arguments.iter().map(|argument| self.expr(argument)));
                format!("{function}({arguments})")
            }
            Expr::AnyValue { property, test } => {
                format!("some {}: {}", self.expr(property), self.expr(test))
            }
            Expr::SingleValue(property) => format!("only {}", self.expr(property)),
            Expr::List(entries) => {
                format!("[{}]", join(entries.iter().map(|entry| self.expr(entry))))
            }
            Expr::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, expr)| format!("{key}: {}", self.expr(expr)));
                format!("{{{}}}", join(pairs))
            }
            Expr::Case { branches, otherwise } => {
                let branches = branches
                    .iter()
                    .map(|(when, then)| format!("{} => {}", self.expr(when), self.expr(then)));
                let otherwise =
                    otherwise.as_ref().map_or("null".to_owned(), |expr| self.expr(expr));
                format!("case({}, else {otherwise})", join(branches))
            }
            Expr::Over(over) => self.over(over),
        }
    }

    fn over(&self, over: &Over) -> String {
        let entries = format!("{} in {}", self.column(over.item), self.expr(&over.list));
        match &over.makes {
            Makes::List { keep, value } => {
                let keep = keep.as_ref().map(|keep| format!(" where {}", self.expr(keep)));
                let value = value.as_ref().map(|value| format!(" | {}", self.expr(value)));
                format!("[{entries}{}{}]", keep.unwrap_or_default(), value.unwrap_or_default())
            }
            Makes::Truth { quantifier, unknown, holds } => {
                let word = match quantifier {
                    Quantifier::All => "all",
                    Quantifier::Any => "any",
                    Quantifier::None => "none",
                    Quantifier::Single => "single",
                };
                let mode = if *unknown == Unknown::IsFalse { "[two-valued]" } else { "" };
                format!("{word}{mode}({entries} where {})", self.expr(holds))
            }
            Makes::Fold { accumulator, start, next } => {
                let (start, next) = (self.expr(start), self.expr(next));
                format!("reduce({} = {start}, {entries} | {next})", self.column(*accumulator))
            }
        }
    }

    fn chain(&self, exprs: &[Expr], word: &str) -> String {
        let parts: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        format!("({})", parts.join(word))
    }

    fn set_name(&self, set: &SetName) -> String {
        match set {
            SetName::Let(id) => format!("Let {}", self.let_name(*id)),
            SetName::SideEffect(name) => format!("SideEffect {name}"),
        }
    }
}

fn comparison_sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

fn arithmetic_sign(operation: Arithmetic) -> &'static str {
    match operation {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => format!("{text:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::I64(int) => int.to_string(),
        Value::F64(double) => format!("{double:?}"),
        Value::List(values) => {
            format!("[{}]", join(values.iter().map(literal)))
        }
        other => format!("{other:?}"),
    }
}
