//! Facts of a plan before it runs: which columns are read later, which order is demanded, which
//! columns hold elements, which expressions can fail, and whether a run may change known vertices.
//!
//! Facts are computed, never cached: a rule that changed the plan asks again. They have the shape
//! of the plan, a [`PipelineLiveness`](crate::op::PipelineLiveness) or [`PipelineOrder`] for each pipeline, so a rule that walks
//! the plan walks them beside it.
//!
//! Questions about a whole plan enter. Nothing here changes a plan, and no rule is named.

mod elements;
mod failure;
mod grouped;
mod liveness;
mod order;
mod path_columns;
mod renaming;

pub use elements::element_columns;
pub use failure::can_fail;
pub(crate) use failure::is_list;
pub(crate) use grouped::{grouped, grouped_in_subplans};
pub use liveness::{PlanLiveness, plan_liveness};
pub use order::{PipelineOrder, PlanOrder, plan_order};
pub use path_columns::path_columns;
pub use renaming::may_rename_vertices;
