//! The steps of a traversal. Each gives a longer one; none runs.

use millrace_model::Direction;
use mlua::{IntoLua, Lua};

use super::starts::{test, vertices};
use super::{longer, must_have_vertices, must_not_be_counted, receiver, refusal};
use crate::arguments::Arguments;
use crate::functions::function::{CallResult, Family, Function};
use crate::plans::Order;
use crate::traversal::{Output, Step, Steps, Traversal};

const TEST: &str = "property, operation, value";
const SET: &str = "Traversal \\| START \\| {ids} \\| {links} \\| Roar";

pub(in super::super) const STEPS: Family = Family {
    title: "Traversals: steps",
    functions: &[
        Function::read("Traversal.both", "[types]", "Traversal", |l, a| {
            expand(l, a, Direction::Both)
        }),
        Function::read("Traversal.distinct", "none", "Traversal", distinct),
        Function::read("Traversal.except", SET, "Traversal", |l, a| among(l, a, false)),
        Function::read("Traversal.groupCount", "none \\| property", "Traversal", group_count),
        Function::read("Traversal.in_", "[types]", "Traversal", |l, a| expand(l, a, Direction::In)),
        Function::read("Traversal.ofType", "type", "Traversal", of_type),
        Function::read("Traversal.only", SET, "Traversal", |l, a| among(l, a, true)),
        Function::read("Traversal.out", "[types]", "Traversal", |l, a| {
            expand(l, a, Direction::Out)
        }),
        Function::read(
            "Traversal.repeat_",
            "times, function(Traversal) -> Traversal",
            "Traversal",
            repeat,
        ),
        Function::read("Traversal.top", "n [, property] [, sort order]", "Traversal", top),
        Function::read("Traversal.where", TEST, "Traversal", only_where),
    ],
};

fn give(lua: &Lua, function: &str, steps: &Steps, step: Step) -> CallResult {
    Traversal { steps: longer(function, steps, step)? }.into_lua(lua)
}

fn expand(lua: &Lua, mut arguments: Arguments, direction: Direction) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_not_be_counted(function, &steps)?;
    let types = arguments.types()?;
    give(lua, function, &steps, Step::Expand { direction, types })
}

fn distinct(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_not_be_counted(function, &steps)?;
    arguments.end()?;
    give(lua, function, &steps, Step::Distinct)
}

fn among(lua: &Lua, mut arguments: Arguments, is_member: bool) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_have_vertices(function, &steps)?;
    let set = vertices(lua, &mut arguments)?;
    arguments.end()?;
    must_have_vertices(function, &set)?;
    if set.is_of_a_round() {
        return refusal(function, "a set cannot come from within a round of repeat_");
    }
    give(lua, function, &steps, Step::Among { set, is_member })
}

fn of_type(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_have_vertices(function, &steps)?;
    let label = arguments.text("a type")?;
    arguments.end()?;
    give(lua, function, &steps, Step::OfType(label))
}

fn only_where(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_have_vertices(function, &steps)?;
    let test = test(lua, &mut arguments, None)?;
    give(lua, function, &steps, Step::Where(test))
}

fn group_count(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_not_be_counted(function, &steps)?;
    let by = arguments.text_or_nothing("a property")?;
    arguments.end()?;
    give(lua, function, &steps, Step::GroupCount(by))
}

fn top(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    let count = arguments.number("how many to keep")?;
    let by = arguments.text_or_nothing("a property")?;
    match (&by, steps.output()) {
        (Some(_), Output::CountedValues) => {
            return refusal(function, "the counts are of values, which have no properties");
        }
        (None, Output::Vertices { .. }) => {
            let text = "argument 2 is a property, as there is no count to go by";
            return refusal(function, text);
        }
        (Some(_), Output::Vertices { .. } | Output::CountedVertices)
        | (None, Output::CountedVertices | Output::CountedValues) => {}
    }
    let descending = arguments.order()? != Order::Ascending;
    arguments.end()?;
    give(lua, function, &steps, Step::Top { count, by, descending })
}

fn repeat(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (receiver(&mut arguments)?, arguments.function());
    must_not_be_counted(function, &steps)?;
    let times = arguments.number("how many rounds")?;
    let round = arguments.callback("a function of a round's Traversal")?;
    arguments.end()?;
    let begin = Steps::new(Step::Round);
    let result = round.call::<mlua::Value>(Traversal { steps: begin.clone() })?;
    let round = match &result {
        mlua::Value::UserData(data) => data.borrow::<Traversal>().ok().map(|t| t.steps.clone()),
        _ => None,
    };
    let round = round.filter(|round| {
        round.first().is(&begin) && matches!(round.output(), Output::Vertices { .. })
    });
    match round {
        Some(round) => give(lua, function, &steps, Step::Repeat { times, round }),
        None => refusal(function, "argument 2 gives back its Traversal with steps, not counted"),
    }
}
