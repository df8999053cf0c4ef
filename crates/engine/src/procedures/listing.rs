//! `dbms.procedures`: the procedures that a query may call.

use std::sync::Arc;

use millrace_model::{Column, Result, Value};
use millrace_plan::{Signature, ValueType, works_without_graph};

use crate::context::{Context, Procedure, Yielded};

/// See the file.
pub(super) struct ListProcedures;

impl Procedure for ListProcedures {
    fn signature(&self) -> Signature {
        Signature::reading("dbms.procedures", "The procedures that a query may call, by name.")
            .yields("name", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("mode", ValueType::Text)
            .yields("worksOnSystem", ValueType::Boolean)
            .yields("signature", ValueType::Text)
            .yields("argumentDescription", ValueType::List)
            .yields("returnDescription", ValueType::List)
            .yields("admin", ValueType::Boolean)
            .yields("rolesExecution", ValueType::List)
            .yields("rolesBoostedExecution", ValueType::List)
            .yields("isDeprecated", ValueType::Boolean)
            .yields("deprecatedBy", ValueType::Text)
            .yields("option", ValueType::Map)
    }

    fn call(&self, _arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let rows: Vec<Vec<Value>> = context.procedures().signatures().iter().map(shown).collect();
        let width = self.signature().columns.len();
        Yielded::of_rows(width, (0..len).map(|_| Ok(rows.clone())))
    }
}

fn shown(signature: &Signature) -> Vec<Value> {
    let arguments = signature
        .arguments
        .iter()
        .map(|argument| described(&argument.name, argument.value_type, argument.is_optional));
    let results =
        signature.columns.iter().map(|column| described(&column.name, column.value_type, false));
    let option = vec![(Value::from("deprecated"), Value::Bool(false))];
    vec![
        Value::String(signature.name.clone()),
        Value::String(signature.description.clone()),
        Value::from(mode(signature)),
        Value::Bool(works_without_graph(&signature.name)),
        Value::from(written(signature).as_str()),
        Value::list(arguments.collect()),
        Value::list(results.collect()),
        Value::Bool(false),
        Value::Null,
        Value::Null,
        Value::Bool(false),
        Value::Null,
        Value::map(option),
    ]
}

/// Its mode, by Neo4j's names: those of the program and of transactions are apart.
fn mode(signature: &Signature) -> &'static str {
    let is_apart = ["dbms.", "tx."].iter().any(|family| signature.name.starts_with(family));
    match signature.writes {
        _ if is_apart => "DBMS",
        true => "WRITE",
        false => "READ",
    }
}

fn described(name: &str, value_type: ValueType, is_optional: bool) -> Value {
    let kind = type_name(value_type);
    let mut pairs = vec![
        (Value::from("name"), Value::from(name)),
        (Value::from("description"), Value::from(format!("{name} :: {kind}").as_str())),
        (Value::from("type"), Value::from(kind)),
        (Value::from("isDeprecated"), Value::Bool(false)),
    ];
    if is_optional {
        pairs.push((Value::from("default"), Value::Null));
    }
    Value::map(pairs)
}

/// A signature as Neo4j's manual writes one.
fn written(signature: &Signature) -> String {
    let arguments = signature.arguments.iter().map(|argument| {
        let default = if argument.is_optional { " = null" } else { "" };
        format!("{}{default} :: {}", argument.name, type_name(argument.value_type))
    });
    let columns = signature.columns.iter();
    let columns: Vec<String> = columns
        .map(|column| format!("{} :: {}", column.name, type_name(column.value_type)))
        .collect();
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let columns = match columns.is_empty() {
        true => String::new(),
        false => format!(" :: ({})", columns.join(", ")),
    };
    format!("{}({arguments}){columns}", signature.name)
}

fn type_name(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Any => "ANY",
        ValueType::Boolean => "BOOLEAN",
        ValueType::Integer => "INTEGER",
        ValueType::Float => "FLOAT",
        ValueType::Number => "INTEGER | FLOAT",
        ValueType::Text => "STRING",
        ValueType::List => "LIST<ANY>",
        ValueType::Map => "MAP",
        ValueType::Vertex => "NODE",
        ValueType::Edge => "RELATIONSHIP",
        ValueType::Path => "PATH",
    }
}
