//! The expressions that functions make of their arguments.

use millrace_model::{Error, ErrorKind, Phase, Result, Value};
use millrace_plan::functions::{IndexMode, NormalForm, Outside};
use millrace_plan::op::{IdForm, RandomKind};
use millrace_plan::{End, Expr, Function};

use crate::primitives::{self, equal, whole, whole_list};
use crate::translate::Translator;

/// Places from 0 on; a place before the first is an error.
const FROM_0: IndexMode = IndexMode { first: 0, from_end: false, outside: Outside::ErrorBefore };
/// Entries from 0 on, or from the end; null where there is none.
const ENTRY: IndexMode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };

/// The only argument.
fn only(arguments: Vec<Expr>) -> Expr {
    arguments.into_iter().next().unwrap_or(Expr::Literal(Value::Null))
}

fn boxed(arguments: Vec<Expr>) -> Box<Expr> {
    Box::new(only(arguments))
}

pub(super) fn id(arguments: Vec<Expr>) -> Expr {
    IdForm::Number.of(only(arguments))
}

pub(super) fn element_id(arguments: Vec<Expr>) -> Expr {
    IdForm::Text.of(only(arguments))
}

pub(super) fn start_node(arguments: Vec<Expr>) -> Expr {
    Expr::EdgeEnd { edge: boxed(arguments), end: End::Source }
}

pub(super) fn end_node(arguments: Vec<Expr>) -> Expr {
    Expr::EdgeEnd { edge: boxed(arguments), end: End::Target }
}

pub(super) fn edge_type(arguments: Vec<Expr>) -> Expr {
    Expr::EdgeType(boxed(arguments))
}

pub(super) fn labels(arguments: Vec<Expr>) -> Expr {
    Expr::Labels(boxed(arguments))
}

pub(super) fn properties(arguments: Vec<Expr>) -> Expr {
    primitives::properties(only(arguments))
}

pub(super) fn keys(arguments: Vec<Expr>) -> Expr {
    Expr::call(Function::Keys, vec![properties(arguments)])
}

pub(super) fn head(arguments: Vec<Expr>) -> Expr {
    Expr::call(Function::ElementAt(ENTRY), vec![only(arguments), Expr::literal(0_i64)])
}

pub(super) fn last(arguments: Vec<Expr>) -> Expr {
    last_of(only(arguments))
}

/// The last entry of a list; null of none.
pub(crate) fn last_of(list: Expr) -> Expr {
    Expr::call(Function::ElementAt(ENTRY), vec![list, Expr::literal(-1_i64)])
}

pub(super) fn tail(arguments: Vec<Expr>) -> Expr {
    Expr::call(Function::Slice(ENTRY), vec![whole_list(only(arguments)), Expr::literal(1_i64)])
}

pub(super) fn left(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (text, count) = (arguments.next(), arguments.next());
    let from = Some(Expr::literal(0_i64));
    let arguments = [text, from, count.map(whole)].into_iter().flatten().collect();
    Expr::call(Function::Substring(FROM_0), arguments)
}

/// The first argument, and the others as whole numbers.
fn with_whole(arguments: Vec<Expr>) -> Vec<Expr> {
    let wholes = |(place, own)| if place == 0 { own } else { whole(own) };
    arguments.into_iter().enumerate().map(wholes).collect()
}

pub(super) fn right(arguments: Vec<Expr>) -> Expr {
    Expr::call(Function::LastCharacters, with_whole(arguments))
}

pub(super) fn substring(arguments: Vec<Expr>) -> Expr {
    Expr::call(Function::Substring(FROM_0), with_whole(arguments))
}

pub(super) fn round(mut arguments: Vec<Expr>) -> Expr {
    if let Some(precision) = arguments.get_mut(1) {
        *precision = whole(std::mem::replace(precision, Expr::literal(0_i64)));
    }
    Expr::call(Function::RoundTo, arguments)
}

pub(super) fn trim(arguments: Vec<Expr>) -> Expr {
    Expr::call(Function::Trim, arguments)
}

pub(super) fn exists(arguments: Vec<Expr>) -> Expr {
    Expr::IsNull(boxed(arguments)).negate()
}

pub(super) fn e(_: Vec<Expr>) -> Expr {
    Expr::literal(std::f64::consts::E)
}

pub(super) fn pi(_: Vec<Expr>) -> Expr {
    Expr::literal(std::f64::consts::PI)
}

pub(super) fn coalesce(arguments: Vec<Expr>) -> Expr {
    Expr::coalesce(arguments)
}

pub(super) fn null_if(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let mut next = || arguments.next().unwrap_or(Expr::Literal(Value::Null));
    let (value, other) = (next(), next());
    let branches = vec![(equal(value.clone(), other), Expr::Literal(Value::Null))];
    Expr::Case { branches, otherwise: Some(Box::new(value)) }
}

pub(super) fn random(translator: &mut Translator<'_>, _: Vec<Expr>) -> Result<Expr> {
    let to = translator.plan.column("random");
    translator.plan.random(RandomKind::Number { to });
    Ok(Expr::Column(to))
}

pub(super) fn random_uuid(translator: &mut Translator<'_>, _: Vec<Expr>) -> Result<Expr> {
    let (one, other) = (random(translator, Vec::new())?, random(translator, Vec::new())?);
    Ok(Expr::call(Function::UuidText, vec![one, other]))
}

/// The form is a keyword, which the parser gave as a text.
pub(super) fn normalize(_: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let text = arguments.next().unwrap_or(Expr::Literal(Value::Null));
    let form = match arguments.next() {
        None => NormalForm::Nfc,
        Some(Expr::Literal(Value::String(form))) => match &*form {
            "NFC" => NormalForm::Nfc,
            "NFD" => NormalForm::Nfd,
            "NFKC" => NormalForm::Nfkc,
            "NFKD" => NormalForm::Nfkd,
            _ => return Err(unknown_form()),
        },
        Some(_) => return Err(unknown_form()),
    };
    Ok(Expr::call(Function::Normalize(form), vec![text]))
}

fn unknown_form() -> Error {
    Error::new(ErrorKind::BadQuery, "normalize() takes the name of a normal form")
        .with_help("write normalize(text, NFC), or NFD, NFKC, NFKD")
        .with_name("InvalidArgumentValue")
        .in_phase(Phase::Compile)
}
