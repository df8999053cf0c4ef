//! A graph on its way into a store: names to numbers, properties in columns, and the sink that
//! hands both to the store as one transaction.
//!
//! Vertices are numbered from 0 in the order they are met, whatever ids the store gives them later. Nothing
//! of a file enters here.

mod declared_values;
mod dictionary;
mod names;
mod pieces;
mod properties;
mod sink;

pub(crate) use declared_values::with_values;
pub(crate) use dictionary::Dictionary;
pub(crate) use names::{ensure_unique, intern, intern_labels, intern_one, labels_of};
pub(crate) use pieces::{Piece, pieces};
pub(crate) use properties::{PropertyParts, push_from, push_text, sort_last_wins};
pub(crate) use sink::{Sink, lease};
