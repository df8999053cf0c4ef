//! Names of nodes, and the vertex that has one.

use millrace_model::{Result, Value, VertexId};
use millrace_plan::{Parameter, Runner};

use super::run::{run, vertices};
use crate::plans;

/// A node, by id or by type and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeName {
    /// By id.
    Id(u64),
    /// By type and key.
    Key {
        /// Its type.
        type_name: String,
        /// Its key.
        key: String,
    },
}

/// The vertex of a name; an id is not looked up.
pub(super) fn resolve(runner: &mut dyn Runner, name: &NodeName) -> Result<Option<VertexId>> {
    let (type_name, key) = match name {
        NodeName::Id(id) => return Ok((*id != 0).then_some(VertexId(*id))),
        NodeName::Key { type_name, key } => (type_name, key),
    };
    for source in plans::key_sources(&runner.catalog(), type_name) {
        let plan = plans::vertex_by_key(&source, type_name);
        let batch = run(runner, &plan, &[Parameter::Value(Value::from(key.as_str()))])?;
        if let Some(vertex) = vertices(&batch, 0).first() {
            return Ok(Some(*vertex));
        }
    }
    Ok(None)
}
