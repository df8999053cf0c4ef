//! Tests of the crate, one file for each topic.

mod bounds;
mod changed_texts;
mod goldens;
mod offsets;
mod reference;
mod suite;
mod texts;
