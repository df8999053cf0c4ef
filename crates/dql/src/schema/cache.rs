//! The schemas of catalogs that were asked for last: a catalog is read once, not for each request.

use std::sync::{Arc, Mutex, PoisonError};

use millrace_model::Catalog;

use super::GraphSchema;
use crate::limits::CACHED_SCHEMAS_MAX;

/// A catalog that is kept cannot become another one at its address.
static SCHEMAS: Mutex<Vec<(Arc<Catalog>, Arc<GraphSchema>)>> = Mutex::new(Vec::new());

/// The schema of a catalog, read if it is not known.
pub(super) fn of(catalog: &Arc<Catalog>, read: impl FnOnce() -> GraphSchema) -> Arc<GraphSchema> {
    let find = |known: &[(Arc<Catalog>, Arc<GraphSchema>)]| {
        let found = known.iter().find(|(own, _)| Arc::ptr_eq(own, catalog))?;
        Some(Arc::clone(&found.1))
    };
    let locked = || SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = find(&locked()) {
        return found;
    }
    let schema = Arc::new(read());
    let mut known = locked();
    if known.len() == CACHED_SCHEMAS_MAX {
        known.remove(0);
    }
    known.push((Arc::clone(catalog), Arc::clone(&schema)));
    schema
}
