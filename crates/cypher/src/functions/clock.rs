//! Temporal functions that may ask for the time. All clocks of a statement show the time when it began.

use millrace_model::temporal::TemporalKind;
use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function};

use crate::text::NOW;
use crate::translate::Translator;
use crate::tree::Name;

fn now(translator: &mut Translator<'_>) -> Expr {
    translator.parameter(&Name::from(NOW))
}

/// A value from its input, or the present without one.
fn make(translator: &mut Translator<'_>, kind: TemporalKind, arguments: Vec<Expr>) -> Result<Expr> {
    let now = now(translator);
    Ok(match arguments.into_iter().next() {
        Some(input) => Expr::call(Function::MakeTemporal(kind), vec![input, now]),
        None => Expr::call(Function::ClockAs(kind), vec![now]),
    })
}

/// The present, perhaps in a zone.
fn clock(
    translator: &mut Translator<'_>,
    kind: TemporalKind,
    arguments: Vec<Expr>,
) -> Result<Expr> {
    let now = now(translator);
    Ok(Expr::call(Function::ClockAs(kind), [now].into_iter().chain(arguments).collect()))
}

/// The beginning of a unit, of the present without an input.
fn truncate(
    translator: &mut Translator<'_>,
    kind: TemporalKind,
    arguments: Vec<Expr>,
) -> Result<Expr> {
    let now = now(translator);
    let mut arguments = arguments.into_iter();
    let unit = arguments.next().unwrap_or(Expr::Literal(Value::Null));
    let present = || Expr::call(Function::ClockAs(kind), vec![now.clone()]);
    let input = arguments.next().unwrap_or_else(present);
    let fields = arguments.next().unwrap_or(Expr::Literal(Value::Null));
    Ok(Expr::call(Function::TruncateTemporal(kind), vec![unit, input, fields, now]))
}

/// Milliseconds from 1970 to the present.
pub(super) fn timestamp(translator: &mut Translator<'_>, _: Vec<Expr>) -> Result<Expr> {
    let element = Box::new(now(translator));
    Ok(Expr::Property { element, key: Name::from("epochMillis") })
}

/// The makers of a kind each: from an input, by a clock, of a unit.
macro_rules! kinds {
    ($($make:ident, $clock:ident, $truncate:ident: $kind:ident;)*) => {
        $(
            pub(super) fn $make(to: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
                make(to, TemporalKind::$kind, arguments)
            }

            pub(super) fn $clock(to: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
                clock(to, TemporalKind::$kind, arguments)
            }

            pub(super) fn $truncate(to: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
                truncate(to, TemporalKind::$kind, arguments)
            }
        )*
    };
}

kinds! {
    date, date_clock, date_truncate: Date;
    localtime, localtime_clock, localtime_truncate: LocalTime;
    time, time_clock, time_truncate: Time;
    localdatetime, localdatetime_clock, localdatetime_truncate: LocalDateTime;
    datetime, datetime_clock, datetime_truncate: DateTime;
}
