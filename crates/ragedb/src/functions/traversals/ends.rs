//! The ends of a traversal: one plan runs, and whole columns come back.

use millrace_model::{Batch, Value};
use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use super::starts::vertices;
use super::{bound, must_have_vertices, must_not_be_counted, plan, receiver, refusal, rows};
use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, list};
use crate::functions::function::{CallResult, Family, Function};
use crate::results::Counts;
use crate::session::Session;
use crate::traversal::{self, End, Output, Steps};

pub(in super::super) const ENDS: Family = Family {
    title: "Traversals: ends",
    functions: &[
        Function::read("Traversal.count", "none", "int", count),
        Function::read("Traversal.counts", "none", "map id or value -> int", counts),
        Function::read("Traversal.explain", "none \\| end", "string", explain),
        Function::read("Traversal.ids", "none", "{int}", ids),
        Function::read("Traversal.links", "none", "{Link}", links),
        Function::read("Traversal.nodes", "none", "{Node}", nodes),
        Function::read("Traversal.profile", "none \\| end", "string", profile),
        Function::read("Traversal.properties", "none", "{table}", properties),
        Function::read("Traversal.property", "property", "{object}", property),
        Function::read(
            "Traversal.shortestPath",
            "START2 \\| Traversal [, dir] [, types]",
            "{Link} or nil",
            shortest_path,
        ),
        Function::read("Traversal.sum", "property", "number", sum),
    ],
};

/// The traversal that an end is called on; an error if it may not end there.
fn ending(arguments: &mut Arguments) -> mlua::Result<Steps> {
    let steps = receiver(arguments)?;
    if steps.is_of_a_round() {
        return refusal(arguments.function(), "a round of repeat_ has no end of its own");
    }
    Ok(steps)
}

fn run(session: &mut Session, steps: &Steps, end: &End) -> mlua::Result<Batch> {
    let bound = bound(session, steps, end);
    // The key is the plan itself: two plans could have the same text.
    let key = ("traversal", format!("{:?}", bound.plan));
    session.run_some(key, &bound.parameters, || bound.plan.clone())
}

/// How many rows a batch stands for, once so many entries of so many bytes fit the budget.
fn unfold(session: &mut Session, batch: &Batch, entry_bytes: usize) -> mlua::Result<()> {
    let weight = (0..batch.len).map(|row| batch.weight(row)).fold(0, u64::saturating_add);
    let bytes = usize::try_from(weight).unwrap_or(usize::MAX).saturating_mul(entry_bytes);
    // Reserved for a moment, so that it fails before they are made.
    session.reserve(bytes).map(drop)
}

/// The vertices a traversal ends at.
fn vertex_ids(session: &mut Session, steps: &Steps) -> mlua::Result<Vec<u64>> {
    let batch = run(session, steps, &End::Ids)?;
    unfold(session, &batch, size_of::<u64>())?;
    Ok(call::ids(&batch, 0))
}

/// What is given of the vertices that a traversal ends at.
fn of_vertices(
    lua: &Lua,
    mut arguments: Arguments,
    give: fn(&mut Session, Vec<u64>) -> mlua::Result<Items>,
) -> CallResult {
    let steps = ending(&mut arguments)?;
    must_have_vertices(arguments.function(), &steps)?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let ids = vertex_ids(session, &steps)?;
    let items = give(session, ids)?;
    list(session, lua, items)
}

fn ids(lua: &Lua, arguments: Arguments) -> CallResult {
    of_vertices(lua, arguments, |_, ids| Ok(Items::Ids(ids)))
}

fn nodes(lua: &Lua, arguments: Arguments) -> CallResult {
    of_vertices(lua, arguments, |session, ids| call::whole(session, ElementKind::Vertex, &ids))
}

fn properties(lua: &Lua, arguments: Arguments) -> CallResult {
    of_vertices(lua, arguments, |session, ids| {
        call::all_property_maps(session, ElementKind::Vertex, &ids)
    })
}

fn property(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    must_have_vertices(arguments.function(), &steps)?;
    let key = arguments.text("a property")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let batch = run(session, &steps, &End::Property(key.clone()))?;
    unfold(session, &batch, size_of::<Option<Value>>())?;
    let values = call::shown(session, &key, call::entries(&batch, 0)).into_iter().enumerate();
    let values = values
        .flat_map(|(row, value)| std::iter::repeat_n(value, batch.weight(row) as usize))
        .collect();
    list(session, lua, Items::Values(values))
}

fn links(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    must_be_walked(arguments.function(), &steps)?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let batch = run(session, &steps, &End::Links)?;
    unfold(session, &batch, 2 * size_of::<u64>())?;
    let (nodes, edges) = (call::ids(&batch, 0), call::ids(&batch, 1));
    list(session, lua, Items::Links { nodes, edges })
}

fn must_be_walked(function: &str, steps: &Steps) -> mlua::Result<()> {
    match steps.output() {
        Output::Vertices { walked: true } => Ok(()),
        Output::Vertices { walked: false } | Output::CountedVertices | Output::CountedValues => {
            refusal(function, "comes after out, in_ or both, without distinct or a count between")
        }
    }
}

fn count(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    call::int(&run(session, &steps, &End::Count)?).into_lua(lua)
}

fn counts(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    must_be_counted(arguments.function(), &steps)?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let batch = run(session, &steps, &End::Counts)?;
    let keys = match steps.output() {
        Output::CountedVertices => Items::Ids(call::ids(&batch, 0)),
        Output::CountedValues | Output::Vertices { .. } => Items::Values(call::entries(&batch, 0)),
    };
    let counts = Items::Values(call::entries(&batch, 1));
    Counts::new(session, keys, counts)?.into_lua(lua)
}

fn must_be_counted(function: &str, steps: &Steps) -> mlua::Result<()> {
    match steps.output() {
        Output::CountedVertices | Output::CountedValues => Ok(()),
        Output::Vertices { .. } => refusal(function, "comes after groupCount"),
    }
}

fn sum(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    must_not_be_counted(arguments.function(), &steps)?;
    let key = arguments.text("a property")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let batch = run(session, &steps, &End::Sum(key))?;
    let sum = call::entries(&batch, 0).into_iter().flatten().next();
    match sum {
        None | Some(Value::Null) => 0.into_lua(lua),
        Some(sum) => crate::values::to_lua(lua, Some(&sum)),
    }
}

/// The end that `explain` and `profile` are asked about.
fn named_end(arguments: &mut Arguments, steps: &Steps) -> mlua::Result<End> {
    const EXPECTED: &str = "\"count\", \"counts\", \"ids\" or \"links\"";
    if arguments.is_empty() {
        return Ok(rows(steps));
    }
    let function = arguments.function();
    let name = arguments.text(EXPECTED)?;
    let end = match name.as_str() {
        "count" => End::Count,
        "counts" => {
            must_be_counted(function, steps)?;
            End::Counts
        }
        "ids" => {
            must_have_vertices(function, steps)?;
            End::Ids
        }
        "links" => {
            must_be_walked(function, steps)?;
            End::Links
        }
        _ => return refusal(function, &format!("argument 1 is {EXPECTED}")),
    };
    arguments.end()?;
    Ok(end)
}

fn explain(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    let end = named_end(&mut arguments, &steps)?;
    let session = &mut *Session::of(lua)?;
    let plan = plan(session, &steps, &end);
    session.explain(&plan)?.into_lua(lua)
}

fn profile(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = ending(&mut arguments)?;
    let end = named_end(&mut arguments, &steps)?;
    let session = &mut *Session::of(lua)?;
    let bound = bound(session, &steps, &end);
    session.profile(&bound.plan, &bound.parameters)?.into_lua(lua)
}

fn shortest_path(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let (steps, function) = (ending(&mut arguments)?, arguments.function());
    must_not_be_counted(function, &steps)?;
    let to = vertices(lua, &mut arguments)?;
    must_not_be_counted(function, &to)?;
    if to.is_of_a_round() {
        return refusal(function, "a round of repeat_ is no place to go to");
    }
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let batch = run(session, &steps, &End::Path { to, direction, types })?;
    let Some(Value::List(edges)) = call::entries(&batch, 1).into_iter().flatten().next() else {
        return Ok(mlua::Value::Nil);
    };
    let edges = edges.iter().filter_map(|edge| match edge {
        Value::Edge(edge) => Some(edge.0),
        _ => None,
    });
    let edges: Vec<u64> = edges.collect();
    let start = call::ids(&batch, 0).first().copied().unwrap_or(0);
    let nodes = reached(session, start, &edges)?;
    list(session, lua, Items::Links { nodes, edges })
}

/// The vertex that each edge of a way leads to.
fn reached(session: &mut Session, start: u64, edges: &[u64]) -> mlua::Result<Vec<u64>> {
    let parameters = call::rows(call::elements(ElementKind::Edge, edges));
    let key = ("ends of", String::new());
    let batch = session.run(key, &parameters, traversal::ends_of)?;
    let mut at = start;
    let ends = call::ids(&batch, 0).into_iter().zip(call::ids(&batch, 1));
    let other_end = ends.map(|(source, target)| {
        at = if source == at { target } else { source };
        at
    });
    Ok(other_end.collect())
}
