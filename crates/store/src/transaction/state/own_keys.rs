//! The keys that a transaction adds to an ordered index, each with the element that has it.
//!
//! Most transactions write many and ask for none, so keys are put in order when one is asked for.

use std::collections::BTreeSet;

use parking_lot::{MappedRwLockReadGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Keys with their elements.
#[derive(Default)]
pub(in crate::transaction) struct OwnKeys(RwLock<Keys>);

/// A key and an element that has it.
pub(in crate::transaction) type OwnKey = (Box<[u8]>, u64);

#[derive(Default)]
struct Keys {
    ordered: BTreeSet<OwnKey>,
    /// Not yet among the ordered.
    fresh: Vec<OwnKey>,
}

/// So many fresh keys for each ordered one are worth a new tree.
const FRESH_SHARE: usize = 8;

impl Keys {
    fn order(&mut self) {
        if self.ordered.len() / FRESH_SHARE < self.fresh.len() {
            self.ordered.append(&mut self.fresh.drain(..).collect());
        } else {
            self.ordered.extend(self.fresh.drain(..));
        }
    }
}

impl OwnKeys {
    pub(in crate::transaction) fn insert(&mut self, key: &[u8], id: u64) {
        self.0.get_mut().fresh.push((key.into(), id));
    }

    pub(in crate::transaction) fn remove(&mut self, key: &[u8], id: u64) {
        let keys = self.0.get_mut();
        keys.order();
        keys.ordered.remove(&(key.into(), id));
    }

    pub(in crate::transaction) fn is_empty(&self) -> bool {
        let keys = self.0.read();
        keys.ordered.is_empty() && keys.fresh.is_empty()
    }

    /// All, in order.
    pub(in crate::transaction) fn ordered(&self) -> MappedRwLockReadGuard<'_, BTreeSet<OwnKey>> {
        let known = self.0.read();
        let keys = if known.fresh.is_empty() {
            known
        } else {
            drop(known);
            let mut keys = self.0.write();
            keys.order();
            RwLockWriteGuard::downgrade(keys)
        };
        RwLockReadGuard::map(keys, |keys| &keys.ordered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_order_however_they_came_and_went() {
        let mut keys = OwnKeys::default();
        let all = |keys: &OwnKeys| keys.ordered().iter().map(|key| key.1).collect::<Vec<_>>();
        assert!(keys.is_empty());
        for (key, id) in [("b", 1), ("a", 2), ("b", 0)] {
            keys.insert(key.as_bytes(), id);
        }
        assert!(!keys.is_empty());
        assert_eq!(all(&keys), [2, 0, 1]);
        keys.insert(b"c", 3);
        keys.remove(b"b", 1);
        keys.remove(b"c", 3);
        keys.remove(b"d", 3);
        keys.insert(b"b", 1);
        keys.insert(b"a", 9);
        assert_eq!(all(&keys), [2, 9, 0, 1]);
    }
}
