//! Procedures that scenarios define by a table: each row has arguments and, behind them, what they yield.
//!
//! How a server runs one never enters here.

use crate::values::{Table, Value, parse};

/// A procedure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Procedure {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Field>,
    pub(crate) yields: Vec<Field>,
    /// Values of arguments and of yielded columns.
    pub(crate) rows: Vec<Vec<Value>>,
}

/// An argument or a yielded column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The type as the signature has it, such as `INTEGER?`.
    pub(crate) of_type: String,
}

impl Procedure {
    /// The procedure of a signature such as `test.it(in :: INTEGER?) :: (out :: STRING?):` and its table.
    pub(crate) fn parse(signature: &str, table: &Table) -> Result<Procedure, String> {
        let wrong = || format!("the procedure `{signature}` is malformed");
        let (name, rest) = signature.split_once('(').ok_or_else(wrong)?;
        let (arguments, rest) = rest.split_once(')').ok_or_else(wrong)?;
        let (_, yields) = rest.split_once('(').ok_or_else(wrong)?;
        let (yields, _) = yields.split_once(')').ok_or_else(wrong)?;
        let (arguments, yields) = match (fields(arguments), fields(yields)) {
            (Some(arguments), Some(yields)) => (arguments, yields),
            (_, _) => return Err(wrong()),
        };
        let width = arguments.len() + yields.len();
        let row = |row: &Vec<String>| {
            if row.len() != width {
                return Err(format!(
                    "a row of the procedure `{signature}` has {} cells",
                    row.len()
                ));
            }
            row.iter().map(|cell| parse(cell)).collect()
        };
        let rows = table.iter().skip(1).map(row).collect::<Result<_, _>>()?;
        Ok(Procedure { name: name.trim().to_owned(), arguments, yields, rows })
    }
}

fn fields(list: &str) -> Option<Vec<Field>> {
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    let field = |part: &str| {
        let (name, of_type) = part.split_once("::")?;
        Some(Field { name: name.trim().to_owned(), of_type: of_type.trim().to_owned() })
    };
    parts.map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Table {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn a_signature_and_its_table_are_a_procedure() {
        let rows = table(&[&["in", "a", "b"], &["null", "1", "'x'"]]);
        let signature = "test.my.proc(in :: INTEGER?) :: (a :: INTEGER?, b :: STRING?) :";
        let procedure = Procedure::parse(signature, &rows).expect("a procedure");
        let names = |fields: &[Field]| {
            let name = |field: &Field| format!("{} {}", field.name, field.of_type);
            fields.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(procedure.name, "test.my.proc");
        assert_eq!(names(&procedure.arguments), "in INTEGER?");
        assert_eq!(names(&procedure.yields), "a INTEGER?, b STRING?");
        let row = [Value::Null, Value::Integer(1), Value::String("x".to_owned())];
        assert_eq!(procedure.rows, [row]);
    }

    #[test]
    fn a_procedure_may_have_neither_arguments_nor_columns() {
        let procedure =
            Procedure::parse("test.it() :: ():", &table(&[&[""]])).expect("a procedure");
        assert!(procedure.arguments.is_empty() && procedure.yields.is_empty());
        assert!(procedure.rows.is_empty());
    }

    #[test]
    fn a_malformed_signature_and_a_short_row_are_errors() {
        assert!(Procedure::parse("test.it", &table(&[])).is_err());
        assert!(Procedure::parse("test.it(in) :: ():", &table(&[])).is_err());
        let short = table(&[&["in", "out"], &["1"]]);
        let refused = Procedure::parse("t(in :: ANY?) :: (out :: ANY?):", &short);
        assert!(refused.expect_err("a short row").ends_with("has 1 cells"));
    }
}
