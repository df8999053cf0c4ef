//! `CREATE`, and `INSERT`, which is the same with fewer forms.

use millrace_model::TextPosition;

use crate::tree::PathPattern;

/// `CREATE patterns`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Create {
    pub(crate) at: TextPosition,
    pub(crate) patterns: Vec<PathPattern>,
}
