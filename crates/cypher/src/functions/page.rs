//! The reference page of functions, made of their rows.

use std::fmt::Write;

use super::row::{FunctionRow, Make};
use super::{FAMILIES, SYNTAX};
use crate::apoc::PROCEDURES;

/// The reference page of functions, in Markdown.
pub fn functions_page() -> String {
    let mut page = String::from(
        "# Functions of Cypher\n\n\
         Generated from the tables of the functions; do not edit. Names are found whatever their case. An argument in\n\
         brackets may be left out; null in most arguments gives null. A function that is marked *refused* is known by\n\
         name and not supported.\n",
    );
    for (family, rows) in FAMILIES {
        let _ = write!(page, "\n## {family}\n\n| function | |\n|---|---|\n");
        rows.iter().for_each(|row| page += &line(row));
    }
    page += "\n## Procedures of APOC\n\nA call of one becomes clauses, so texts of statements and maps of settings \
             are written in the call.\n\n| procedure | |\n|---|---|\n";
    for row in PROCEDURES.iter().flat_map(|family| family.iter()) {
        let arguments = row.arguments.join(", ");
        let yields = match row.columns {
            [] => "nothing".to_owned(),
            columns => columns.join(", "),
        };
        let _ =
            writeln!(page, "| `{}({arguments})` | {} It yields {yields}. |", row.name, row.about);
    }
    page += "\n## Forms with a syntax of their own\n\n| form | |\n|---|---|\n";
    for row in SYNTAX {
        let form = escaped(row.form);
        let _ = writeln!(page, "| `{form} :: {}` | {} |", row.gives, row.about);
    }
    page
}

fn line(row: &FunctionRow) -> String {
    let refused = if let Make::Missing = row.make { " *Refused.*" } else { "" };
    format!("| `{}` | {}{refused} |\n", escaped(&row.signature()), row.about)
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_line_for_each_function() {
        let page = functions_page();
        for row in super::super::all() {
            // A procedure may have the same name; its line has no types.
            let name = format!("| `{}(", row.name);
            let lines = page.lines().filter(|line| line.starts_with(&name) && line.contains("::"));
            assert_eq!(lines.count(), 1, "{}", row.name);
        }
        assert!(page.contains("| `char_length(input :: STRING) :: INTEGER` |"));
    }
}
