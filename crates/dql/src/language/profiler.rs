//! The profile of a query: its operators as the plan has them.

use millrace_model::{Profile, TextPosition};
use millrace_plan::Explanation;
use millrace_plan::language::Profiler;

/// In front of a query that is profiled: a comment, so that the rest of its text is what it was.
const PROFILE: &str = "# millrace: profile\n";

/// Makes profiles.
pub(super) struct OperatorProfiler;

impl Profiler for OperatorProfiler {
    fn profile(&self, explanation: &Explanation) -> Profile {
        explanation.profile(&|_| None)
    }
}

/// The text that asks for the profile of another.
pub(super) fn profiled(text: &str) -> String {
    format!("{PROFILE}{text}")
}

/// Whether a text asks for a profile.
pub(super) fn is_profiled(text: &str) -> bool {
    text.starts_with(PROFILE)
}

/// Where a position is in the text that is profiled.
pub(super) fn unprofiled(position: TextPosition) -> TextPosition {
    TextPosition { line: position.line.saturating_sub(1).max(1), ..position }
}
