//! `Direction`, `Operation` and `Sort`: names for small numbers, in RageDB's order.

use millrace_plan::{Comparison, Function};
use mlua::{Lua, Table};

use crate::plans::{Condition, Order};

/// An enumeration: its name and its members, numbered from 0.
pub(crate) struct Enumeration {
    pub(crate) name: &'static str,
    pub(crate) members: &'static [&'static str],
}

/// All of them.
pub(crate) const ENUMERATIONS: &[Enumeration] = &[
    Enumeration { name: "Direction", members: &["BOTH", "IN", "OUT"] },
    Enumeration {
        name: "Operation",
        members: &[
            "EQ",
            "NEQ",
            "GT",
            "GTE",
            "LT",
            "LTE",
            "IS_NULL",
            "STARTS_WITH",
            "CONTAINS",
            "ENDS_WITH",
            "NOT_IS_NULL",
            "NOT_STARTS_WITH",
            "NOT_CONTAINS",
            "NOT_ENDS_WITH",
        ],
    },
    Enumeration { name: "Sort", members: &["NONE", "ASC", "DESC"] },
];

/// The conditions of the members of `Operation`, by number.
const CONDITIONS: [Condition; 14] = [
    Condition::Compare(Comparison::Equal),
    Condition::Compare(Comparison::NotEqual),
    Condition::Compare(Comparison::Greater),
    Condition::Compare(Comparison::GreaterEqual),
    Condition::Compare(Comparison::Less),
    Condition::Compare(Comparison::LessEqual),
    Condition::IsNull,
    Condition::Text { test: Function::StartsWith, negated: false },
    Condition::Text { test: Function::Contains, negated: false },
    Condition::Text { test: Function::EndsWith, negated: false },
    Condition::IsThere,
    Condition::Text { test: Function::StartsWith, negated: true },
    Condition::Text { test: Function::Contains, negated: true },
    Condition::Text { test: Function::EndsWith, negated: true },
];

/// The condition of a member of `Operation`.
pub(crate) fn condition(number: i64) -> Option<Condition> {
    CONDITIONS.get(usize::try_from(number).ok()?).copied()
}

/// The order a member of `Sort` asks for.
pub(crate) fn order(number: i64) -> Option<Order> {
    match number {
        0 => Some(Order::Unordered),
        1 => Some(Order::Ascending),
        2 => Some(Order::Descending),
        _ => None,
    }
}

/// Gives a sandbox its enumerations.
pub(crate) fn register(lua: &Lua, environment: &Table) -> mlua::Result<()> {
    for enumeration in ENUMERATIONS {
        let members = enumeration.members.iter().enumerate().map(|(number, name)| (*name, number));
        environment.raw_set(enumeration.name, lua.create_table_from(members)?)?;
    }
    Ok(())
}
