//! A procedure of a scenario as the database calls it: it looks its arguments up in a table.

use std::sync::Arc;

use millrace_db::procedures::{self, Context, Signature, ValueType, Yielded};
use millrace_model::{Column, Result, Value as Model};

use super::decode::{encode, of_model};
use crate::procedure::{Field, Procedure};
use crate::values::{ListOrder, Value, matches};

/// A procedure with a table.
pub(super) struct Tabled(pub(super) Procedure);

impl procedures::Procedure for Tabled {
    fn signature(&self) -> Signature {
        let Tabled(Procedure { name, arguments, yields, .. }) = self;
        let signature = Signature::reading(name, "A procedure of a scenario.");
        let add_argument = |signature: Signature, field: &Field| {
            signature.argument(&field.name, value_type(&field.of_type))
        };
        let add_column = |signature: Signature, field: &Field| {
            signature.yields(&field.name, value_type(&field.of_type))
        };
        let signature = arguments.iter().fold(signature, add_argument);
        yields.iter().fold(signature, add_column)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, _context: &Context) -> Result<Yielded> {
        let Tabled(procedure) = self;
        let width = procedure.arguments.len();
        let mut rows = Vec::new();
        let mut yielded: Vec<Vec<Model>> = vec![Vec::new(); procedure.yields.len()];
        for row in 0..len {
            if procedure.yields.is_empty() {
                rows.push(row as u32);
                continue;
            }
            let given: Vec<Value> = arguments
                .iter()
                .map(|column| column.get(row).map_or(Value::Null, |value| of_model(&value)))
                .collect();
            for found in procedure.rows.iter().filter(|own| is_for(&own[..width], &given)) {
                rows.push(row as u32);
                let values = yielded.iter_mut().zip(&found[width..]);
                values.for_each(|(column, value)| column.push(encode(value)));
            }
        }
        Ok(Yielded { rows, columns: yielded.into_iter().map(Column::from_values).collect() })
    }
}

/// Whether a row of the table is for some arguments. An integer does where a float is declared.
fn is_for(own: &[Value], given: &[Value]) -> bool {
    let is_equal = |(own, given): (&Value, &Value)| match (own, given) {
        (Value::Float(own), Value::Integer(given)) => *own == *given as f64,
        (Value::Integer(own), Value::Float(given)) => *own as f64 == *given,
        (own, given) => matches(own, given, ListOrder::Counts),
    };
    own.len() == given.len() && own.iter().zip(given).all(is_equal)
}

/// The type of a signature's text, such as `INTEGER?`.
fn value_type(text: &str) -> ValueType {
    match text.trim_end_matches('?') {
        "BOOLEAN" => ValueType::Boolean,
        "INTEGER" => ValueType::Integer,
        "FLOAT" => ValueType::Float,
        "NUMBER" => ValueType::Number,
        "STRING" => ValueType::Text,
        "MAP" => ValueType::Map,
        list if list.starts_with("LIST") => ValueType::List,
        _ => ValueType::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<Value> {
        let Ok(Value::List(values)) = crate::values::parse(text) else { panic!("{text}") };
        values
    }

    #[test]
    fn rows_are_found_by_their_arguments() {
        let is_found = |own, given| is_for(&values(own), &values(given));
        assert!(is_found("['Stefan', 1]", "['Stefan', 1]"));
        assert!(!is_found("['Stefan', 1]", "['Stefan', 2]"));
        assert!(is_found("[null]", "[null]"));
        assert!(is_found("[42.0]", "[42]") && is_found("[42]", "[42.0]"));
        assert!(!is_found("[1]", "[]"));
        assert!(is_found("[]", "[]"));
    }

    #[test]
    fn a_signature_has_the_types_of_the_scenario() {
        let table = vec![vec!["in".to_owned(), "out".to_owned()]];
        let text = "test.it(in :: NUMBER?) :: (out :: STRING?):";
        let procedure = Procedure::parse(text, &table).expect("a procedure");
        let signature = procedures::Procedure::signature(&Tabled(procedure));
        assert_eq!(&*signature.name, "test.it");
        assert_eq!(signature.arguments[0].value_type, ValueType::Number);
        assert_eq!(signature.columns[0].value_type, ValueType::Text);
        assert_eq!(value_type("LIST? OF INTEGER?"), ValueType::List);
        assert_eq!(value_type("PATH?"), ValueType::Any);
    }
}
