//! Where a traversal starts: a node, ids, links, a search, or everything.

use millrace_model::Owner;
use mlua::{IntoLua, Lua};

use crate::arguments::{Arguments, Start};
use crate::columns::Items;
use crate::functions::function::{CallResult, Family, Function};
use crate::plans::stored_value;
use crate::session::Session;
use crate::traversal::{Step, Steps, Test, Traversal};

pub(in super::super) const STARTS: Family = Family {
    title: "Traversals: starts",
    functions: &[
        Function::read("Traversal.all", "none \\| type", "Traversal", all),
        Function::read("Traversal.find", "type, property, operation, value", "Traversal", find),
        Function::read("Traversal.from", "START \\| {ids} \\| {links} \\| Roar", "Traversal", from),
    ],
};

fn start(lua: &Lua, steps: Steps) -> CallResult {
    Traversal { steps }.into_lua(lua)
}

fn all(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let label = arguments.text_or_nothing("a type")?;
    arguments.end()?;
    start(lua, Steps::new(Step::All(label)))
}

fn find(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let label = arguments.text("a type")?;
    let test = test(lua, &mut arguments, Some(&label))?;
    start(lua, Steps::new(Step::All(Some(label))).with(Step::Where(test)))
}

/// `property, operation, value`, the last of the arguments; of nodes of a type, or of any.
pub(super) fn test(
    lua: &Lua,
    arguments: &mut Arguments,
    label: Option<&str>,
) -> mlua::Result<Test> {
    let property = arguments.text("a property")?;
    let condition = arguments.operation()?;
    let value = arguments.property_value()?;
    arguments.end()?;
    let catalog = Session::of(lua)?.catalog();
    let label = label.map(|label| catalog.label(label));
    let is_owner = |of: Owner| match of {
        Owner::Label(of) => label.is_none_or(|label| label == Some(of)),
        Owner::AllVertices => true,
        Owner::EdgeType(_) | Owner::AllEdges => false,
    };
    let value = stored_value(&catalog, is_owner, (&property, condition), value);
    Ok(Test { property, condition, value })
}

fn from(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let steps = vertices(lua, &mut arguments)?;
    arguments.end()?;
    start(lua, steps)
}

/// A node, ids, links or another traversal.
pub(super) fn vertices(lua: &Lua, arguments: &mut Arguments) -> mlua::Result<Steps> {
    if let Some(traversal) = arguments.next_object::<Traversal>() {
        return Ok(traversal.steps.clone());
    }
    if arguments.next_is_list() || arguments.next_is_set() {
        let ids = Items::Ids(arguments.frontier()?.nodes);
        return Ok(Steps::new(Step::Ids(Session::of(lua)?.share(ids)?)));
    }
    match arguments.start()? {
        Start::Key { label, key } => Ok(Steps::new(Step::Key { label, key })),
        Start::Id(id) => {
            Ok(Steps::new(Step::Ids(Session::of(lua)?.share(Items::Ids(vec![id.0]))?)))
        }
    }
}
