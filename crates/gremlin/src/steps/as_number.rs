//! `asNumber(type)`: texts as numbers, numbers as those of a type, timestamps as milliseconds from 1970.

use millrace_bytecode::{Argument, SymbolFamily};
use millrace_model::Result;
use millrace_plan::functions::NumberType;
use millrace_plan::{Expr, Function};

use super::texts::each;
use crate::steps::Step;
use crate::translate::{Call, Traversal, described, symbol};

pub(super) const STEP: Step = Step::new("asNumber", translate).arguments(0, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let wanted = call.arguments().first().map_or(Ok(NumberType::Any), |wanted| {
        number_type(wanted).ok_or_else(|| {
            let found = symbol(wanted, SymbolFamily::Type)
                .map_or_else(|| described(wanted), ToOwned::to_owned);
            call.wrong(format!("step: asNumber() requires a numeric type token, got {found}"))
        })
    })?;
    each(traversal, call, &|value| Expr::call(Function::AsNumber(wanted), vec![value]))
}

fn number_type(argument: &Argument) -> Option<NumberType> {
    Some(match symbol(argument, SymbolFamily::Type)? {
        "NUMBER" => NumberType::Any,
        "BYTE" => NumberType::Byte,
        "SHORT" => NumberType::Short,
        "INT" => NumberType::Integer,
        "LONG" => NumberType::Long,
        "BIGINT" => NumberType::BigInteger,
        "FLOAT" => NumberType::Float,
        "DOUBLE" => NumberType::Double,
        "BIGDECIMAL" => NumberType::BigDecimal,
        _ => return None,
    })
}
