//! The fingerprints of a statement: which plan it has for which kinds of values of its variables.
//!
//! A statement with variables of values like those of an earlier run needs only these values: it is not bound
//! again, until the plan has run so often, or is so old, that the graph may have become another: a plan is chosen by
//! counts and indexes. A variable may stand where its value decides the plan, as the label of `addV(x)`; such a
//! fingerprint is valid for that value only.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use millrace_model::{Catalog, Value};
use millrace_plan::language::{Binding, Script, SlotValue, Statement};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::prepared::{PreparedStatement, ReadyStatement};
use crate::limits::{
    FINGERPRINT_AGE_MAX, FINGERPRINT_BYTES_MAX, FINGERPRINT_USES_MAX, FINGERPRINTS_MAX,
};
use crate::request::{Variables, bytes_of};

/// The fingerprints of a statement, the latest last.
#[derive(Default)]
pub(crate) struct Fingerprints(Mutex<Vec<Arc<Fingerprint>>>);

struct Fingerprint {
    prepared: Arc<PreparedStatement>,
    /// The values of its slots, in order.
    slots: Vec<SlotValue>,
    /// The catalog that it is good for; `None`: any.
    catalog: Option<Arc<Catalog>>,
    /// Variables with values that are part of the plan.
    fixed: Vec<(Arc<str>, Binding)>,
    /// How often it was found.
    uses: AtomicU32,
    noted: Instant,
}

impl Fingerprints {
    /// The plan of a statement for these variables, and the values of its slots; `None`: none fits.
    pub(crate) fn find(
        &self,
        script: &dyn Script,
        variables: &Variables,
        catalog: &mut dyn FnMut() -> Option<Arc<Catalog>>,
    ) -> Option<ReadyStatement> {
        let latest = self.0.lock().last().cloned()?;
        let now = if latest.catalog.is_some() { catalog() } else { None };
        let now = now.as_ref();
        let mut found = latest.ready(script, variables, now).map(|ready| (latest, ready));
        if found.is_none() {
            let known: Vec<Arc<Fingerprint>> =
                self.0.lock().iter().rev().skip(1).cloned().collect();
            found = known.into_iter().find_map(|own| {
                let ready = own.ready(script, variables, now)?;
                Some((own, ready))
            });
        }
        let (own, ready) = found?;
        let is_new = own.noted.elapsed() < FINGERPRINT_AGE_MAX;
        if is_new && own.uses.fetch_add(1, Ordering::Relaxed) < FINGERPRINT_USES_MAX {
            return Some(ready);
        }
        self.0.lock().retain(|other| !Arc::ptr_eq(other, &own));
        None
    }

    /// Notes the plan of a statement, and where the values of its slots came from.
    pub(crate) fn note(
        &self,
        statement: &Statement,
        (script, variables): (&dyn Script, &Variables),
        prepared: &Arc<PreparedStatement>,
        (slots, catalog): (Vec<SlotValue>, Option<Arc<Catalog>>),
    ) {
        let mut fixed = Vec::new();
        // How often a variable stands outside of slots. A text has many of them.
        let mut elsewhere: FxHashMap<&Arc<str>, i64> = FxHashMap::default();
        statement.variables.iter().for_each(|name| *elsewhere.entry(name).or_default() += 1);
        for name in slots.iter().filter_map(|own| own.variable.as_ref()) {
            *elsewhere.entry(name).or_default() -= 1;
        }
        for name in statement.variables.iter().filter(|name| elsewhere[name] != 0) {
            // A value that differs each time cannot be part of a plan that is used again.
            let is_generated = script.generate(name).is_some();
            let Some(value) = variables.get(name).filter(|_| !is_generated) else { return };
            fixed.push((Arc::clone(name), value.clone()));
        }
        let slots: Vec<SlotValue> = slots.into_iter().map(SlotValue::without_value).collect();
        let of_slots: usize = slots.iter().map(|slot| slot.value.byte_size()).sum();
        let of_fixed: u64 = fixed.iter().map(|(_, value)| bytes_of(value)).sum();
        if FINGERPRINT_BYTES_MAX < of_slots as u64 + of_fixed {
            return;
        }
        let mut known = self.0.lock();
        if known.len() == FINGERPRINTS_MAX {
            known.remove(0);
        }
        let (prepared, uses, noted) = (Arc::clone(prepared), AtomicU32::new(0), Instant::now());
        known.push(Arc::new(Fingerprint { prepared, slots, catalog, fixed, uses, noted }));
    }
}

impl Fingerprint {
    /// The statement with the values of these variables, if they fit.
    fn ready(
        &self,
        script: &dyn Script,
        variables: &Variables,
        now: Option<&Arc<Catalog>>,
    ) -> Option<ReadyStatement> {
        if let Some(catalog) = &self.catalog
            && !now.is_some_and(|now| Arc::ptr_eq(now, catalog))
        {
            return None;
        }
        if !self.fixed.iter().all(|(name, value)| variables.get(name) == Some(value)) {
            return None;
        }
        let mut values: Vec<Value> = Vec::with_capacity(self.slots.len());
        for slot in &self.slots {
            let value = match &slot.variable {
                None => slot.value.clone(),
                Some(name) => {
                    let bound = || variables.get(name).and_then(Binding::slot_value);
                    let value = script.generate(name).or_else(bound)?;
                    slot.value_of(value)?
                }
            };
            values.push(value);
        }
        Some(ReadyStatement { prepared: Arc::clone(&self.prepared), values })
    }
}
