//! `near`, `within`, `contains`, `intersects`: how a geometry lies to another one.

use millrace_model::Result;
use millrace_plan::functions::{Function as Scalar, GeometryTest};
use millrace_plan::{ColumnId, Expr};

use super::{subject, values};
use crate::schema::Kind;
use crate::translate::translator::Translator;
use crate::tree::Function;

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let (test, count) = match function.name.as_str() {
        "near" => (GeometryTest::Near, 2),
        "within" => (GeometryTest::Within, 1),
        "contains" => (GeometryTest::Contains, 1),
        _ => (GeometryTest::Intersects, 1),
    };
    let predicate = subject(translator, function)?;
    let given = values(translator, function)?;
    if given.len() != count {
        let name = &function.name;
        let detail = format!("{name} function requires {count} arguments, but got {}", given.len());
        return Err(translator.wrong(function.offset, detail));
    }
    let mut arguments = vec![translator.operands.operand(given[0], Kind::Geo)?];
    if let Some(metres) = given.get(1) {
        arguments.push(translator.operands.operand(metres, Kind::Float)?);
    }
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    Ok(translator.some_value(node, &named, |value| {
        let all = std::iter::once(value).chain(arguments.iter().cloned()).collect();
        Expr::call(Scalar::GeometryTest(test), all)
    }))
}
