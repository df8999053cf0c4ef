//! Cases of ids: leased, chosen by clients, and external ones that are numbers or texts.

pub(super) mod chosen_edge_ids;
pub(super) mod chosen_ids;
pub(super) mod edge_ids;
pub(super) mod external_ids;
pub(super) mod loaded_ids;
pub(super) mod text_ids;
