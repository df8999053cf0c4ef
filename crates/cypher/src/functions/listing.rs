//! The functions as values, for a list of them. Those that are refused are not in it.

use super::FAMILIES;
use super::row::Make;

/// A function, as a list describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFunction {
    /// Its name.
    pub name: &'static str,
    /// The family of functions that it is one of.
    pub category: &'static str,
    /// A line that describes it.
    pub description: &'static str,
    /// Its arguments and its result, as the manual writes them.
    pub signature: String,
    /// Each argument with its type.
    pub arguments: Vec<(&'static str, String)>,
    /// The type of the result.
    pub result: String,
    /// Whether it is an aggregate.
    pub is_aggregate: bool,
}

/// All functions that can be called, by name.
pub fn listed_functions() -> Vec<ListedFunction> {
    let rows = FAMILIES.iter().flat_map(|(family, rows)| rows.iter().map(move |row| (family, row)));
    let listed = rows.filter(|(_, row)| !matches!(row.make, Make::Missing)).map(|(family, row)| {
        let signature = row.signature();
        let result = signature.rsplit_once(") :: ").map_or("ANY", |(_, result)| result).to_owned();
        let arguments = row.arguments.iter().map(|own| (own.name, own.kind.to_string())).collect();
        ListedFunction {
            name: row.name,
            category: family,
            description: row.about,
            signature,
            arguments,
            result,
            is_aggregate: row.is_aggregate,
        }
    });
    let mut listed: Vec<ListedFunction> = listed.collect();
    listed.sort_by_key(|function| function.name);
    listed
}
