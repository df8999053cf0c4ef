//! Scans of properties: filters, folds and groups as loops over arrays, each written for its question.
//!
//! Integers have 64 bits and texts lie behind each other, as in the columns of a database; no text has a code that would
//! save its hash. What a question does with each element is done here for each element, too; how elements are found never is.
//!
//! ```text
//!   texts           a column of texts; the groups that texts make
//!   people          columns of nodes and relationships, of a second graph with many relationships
//!   nodes           questions about properties of nodes
//!   made_texts      questions about texts that are made of them
//!   relationships   questions about properties of relationships
//! ```

mod made_texts;
mod nodes;
mod people;
mod relationships;
mod texts;

#[cfg(test)]
mod tests;

pub use made_texts::{
    count_of_joined_texts, count_with_word, people_by_host, people_by_initials,
    people_by_replaced_city, words_of_bios,
};
pub use nodes::{
    AGES_ASKED, OLD, SCORES_ASKED, WORD_ASKED, best_scores, cities, cities_with_sizes,
    count_containing, count_of_ages, count_of_cities, count_of_scores, fold_of_ages, mean_age,
    mean_age_by_city, named_rows, people_by_age_group, people_by_city, people_by_decade,
    people_older_than,
};
pub use people::{Acquaintances, People, WeightedLikes};
pub use relationships::{
    HEAVY, SINCE, count_heavy, count_since, mean_of_weights, mean_weight_by_item,
    mean_weight_by_year, most_known,
};
pub use texts::Texts;

/// A part of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A whole number.
    Int(i64),
    /// A number with digits behind the point.
    Double(f64),
    /// A text.
    Text(String),
    /// Whole numbers in any order.
    Ints(Vec<i64>),
}

/// The rows of an answer.
pub type Answer = Vec<Vec<Cell>>;

/// An answer of one number.
fn count(number: usize) -> Answer {
    vec![vec![Cell::Int(number as i64)]]
}

/// Names with a number each.
fn named<T: Into<Cell>>(names: &Texts, numbers: impl IntoIterator<Item = T>) -> Answer {
    let rows = names.iter().zip(numbers);
    rows.map(|(name, number)| vec![Cell::Text(name.to_owned()), number.into()]).collect()
}

impl From<i64> for Cell {
    fn from(number: i64) -> Cell {
        Cell::Int(number)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Double(number)
    }
}
