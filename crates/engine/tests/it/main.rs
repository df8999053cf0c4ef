//! The engine over the memory store: every operator, scopes, weights, errors, writes, and random
//! plans against the oracle.

mod apply;
mod barriers;
mod by_type;
mod columns;
mod cursor;
mod external_ids;
mod fixture;
mod folds;
mod goldens;
mod hard_cases;
mod hints;
mod index_paths;
mod intersect;
mod labels;
mod languages;
mod limits;
mod lists;
mod lookup;
mod many_equal;
mod merges;
mod merging;
mod ordered_reads;
mod path_cases;
mod pending_edges;
mod random;
mod random_plans;
mod reading;
mod recurse;
mod runner;
mod seeks;
mod text_ids;
mod three_valued;
mod write_goldens;
mod write_rules;
mod writes;
