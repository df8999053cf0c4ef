//! The schemas of catalogs that were asked for last: a catalog is read once, not for each request.
//!
//! Bounded in number and in bytes, which are a part of the memory budget of the process. A schema does not keep its catalog: it
//! goes when another one comes and its catalog is gone.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use millrace_model::{Catalog, MemoryBudget, Reservation};

use super::GraphSchema;
use crate::limits::{
    CACHED_SCHEMAS_BYTES_MAX, CACHED_SCHEMAS_MAX, CACHED_SCHEMAS_MEMORY_SHARE,
    CACHED_SCHEMAS_STEP_BYTES,
};

static SCHEMAS: Mutex<Schemas> = Mutex::new(Schemas::new());

static BUDGET: OnceLock<MemoryBudget> = OnceLock::new();

/// From now on the schemas take a part of a budget. Only the first call of a process counts.
pub fn share_memory(memory: &MemoryBudget) {
    let _first = BUDGET.set(memory.clone());
}

/// The schemas, in the order in which they came.
struct Schemas {
    known: Vec<Known>,
    bytes: u64,
    /// What they have of the budget, in steps.
    reserved: Option<Reservation>,
}

struct Known {
    /// Its memory is not another's as long as this is there.
    catalog: Weak<Catalog>,
    schema: Arc<GraphSchema>,
    bytes: u64,
}

/// The schema of a catalog, read if it is not known.
pub(super) fn of(catalog: &Arc<Catalog>, read: impl FnOnce() -> GraphSchema) -> Arc<GraphSchema> {
    let locked =
        || -> MutexGuard<'_, Schemas> { SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner) };
    if let Some(found) = locked().find(catalog) {
        return found;
    }
    let schema = Arc::new(read());
    let mut schemas = locked();
    match schemas.find(catalog) {
        Some(found) => found,
        None => {
            schemas.keep(catalog, &schema, BUDGET.get());
            schema
        }
    }
}

impl Schemas {
    const fn new() -> Schemas {
        Schemas { known: Vec::new(), bytes: 0, reserved: None }
    }

    fn find(&self, catalog: &Arc<Catalog>) -> Option<Arc<GraphSchema>> {
        let is_it = |own: &&Known| std::ptr::eq(own.catalog.as_ptr(), Arc::as_ptr(catalog));
        self.known.iter().find(is_it).map(|own| Arc::clone(&own.schema))
    }

    /// Keeps a schema, unless it is too large or the budget has no room.
    fn keep(
        &mut self,
        catalog: &Arc<Catalog>,
        schema: &Arc<GraphSchema>,
        budget: Option<&MemoryBudget>,
    ) {
        let part = budget.map_or(u64::MAX, |own| own.bytes_max() / CACHED_SCHEMAS_MEMORY_SHARE);
        let bytes_max = part.min(CACHED_SCHEMAS_BYTES_MAX);
        let bytes = schema.byte_size() as u64;
        self.known.retain(|own| own.catalog.strong_count() != 0);
        self.bytes = self.known.iter().map(|own| own.bytes).sum();
        while !self.known.is_empty()
            && (CACHED_SCHEMAS_MAX <= self.known.len() || bytes_max < self.bytes + bytes)
        {
            self.bytes -= self.known.remove(0).bytes;
        }
        if bytes <= bytes_max {
            let (catalog, schema) = (Arc::downgrade(catalog), Arc::clone(schema));
            self.known.push(Known { catalog, schema, bytes });
            self.bytes += bytes;
        }
        self.count(budget);
    }

    /// Takes the bytes from the budget, or returns some. Without room for them there are none.
    fn count(&mut self, budget: Option<&MemoryBudget>) {
        let Some(budget) = budget else { return };
        let wanted = self.bytes / CACHED_SCHEMAS_STEP_BYTES * CACHED_SCHEMAS_STEP_BYTES;
        let counted = self.reserved.as_ref().map_or(0, Reservation::bytes);
        let done = match &mut self.reserved {
            Some(own) if wanted <= counted => {
                own.shrink(counted - wanted);
                Ok(())
            }
            Some(own) => own.grow(wanted - counted),
            None if wanted == 0 => Ok(()),
            none => budget.reserve(wanted).map(|own| *none = Some(own)),
        };
        if done.is_err() {
            *self = Schemas::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::CatalogChange;

    use super::super::PREDICATE_NOTE;
    use super::*;

    fn catalog(predicates: usize) -> Arc<Catalog> {
        let mut catalog = Catalog::default();
        for number in 0..predicates {
            let note = format!("{PREDICATE_NOTE}predicate number {number}");
            catalog.apply(&CatalogChange::SetNote(note.into(), Some(Arc::from("string"))));
        }
        Arc::new(catalog)
    }

    #[test]
    fn schemas_are_bounded_in_number_and_bytes_and_go_with_their_catalogs() {
        let mut schemas = Schemas::new();
        let mut keep = |own: &Arc<Catalog>, budget: Option<&MemoryBudget>| {
            schemas.keep(own, &Arc::new(GraphSchema::read(own)), budget);
            (schemas.known.len(), schemas.bytes, schemas.find(own).is_some())
        };
        let small: Vec<Arc<Catalog>> = (0..CACHED_SCHEMAS_MAX + 3).map(|_| catalog(1)).collect();
        for own in &small {
            assert!(keep(own, None).2);
        }
        let large = catalog(2_000);
        let (count, bytes, is_kept) = keep(&large, None);
        assert!(is_kept && count == CACHED_SCHEMAS_MAX);
        assert!(2_000 * size_of::<super::super::Predicate>() as u64 <= bytes, "{bytes}");
        drop(small);
        let budget = MemoryBudget::new(bytes * 3 / 2 * CACHED_SCHEMAS_MEMORY_SHARE);
        let (count, bytes, is_kept) = keep(&catalog(2_000), Some(&budget));
        assert!((count, is_kept) == (1, true), "of two so large ones the first goes");
        assert!(budget.used() <= bytes && bytes < budget.used() + CACHED_SCHEMAS_STEP_BYTES);
        let too_large = catalog(4_000);
        assert_eq!(keep(&too_large, Some(&budget)), (0, 0, false));
        assert_eq!(budget.used(), 0);
        let _others = budget.reserve(budget.bytes_max()).unwrap();
        assert!(!keep(&large, Some(&budget)).2, "the budget has no room");
    }
}
