//! `MERGE`: a pattern that is found, or else created.

use millrace_model::TextPosition;

use super::SetItem;
use crate::tree::PathPattern;

/// `MERGE pattern [ON CREATE SET …] [ON MATCH SET …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Merge {
    pub(crate) at: TextPosition,
    pub(crate) pattern: PathPattern,
    pub(crate) on_create: Vec<SetItem>,
    pub(crate) on_match: Vec<SetItem>,
}
