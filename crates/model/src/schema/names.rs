//! Names and their numbers. They only grow, and versions of a catalog share them.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use rpds::RedBlackTreeMapSync as SharedMap;

/// Names in order of their numbers.
#[derive(Clone, Default)]
pub struct Names {
    names: SharedMap<u32, Arc<str>>,
    /// Numbers by the hashes of names. Of two names with one hash the later one has the next free key.
    numbers: SharedMap<u64, u32>,
    hashes: RandomState,
}

impl Names {
    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.find(name).ok()
    }

    /// The name of a number.
    pub fn name(&self, number: u32) -> Option<&Arc<str>> {
        self.names.get(&number)
    }

    /// All names, in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> + '_ {
        self.names.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of a name, made if it is new.
    pub fn intern(&mut self, name: &str) -> u32 {
        let key = match self.find(name) {
            Ok(number) => return number,
            Err(key) => key,
        };
        let number = u32::try_from(self.names.size()).expect("fewer than 2^32 names");
        self.names.insert_mut(number, Arc::from(name));
        self.numbers.insert_mut(key, number);
        number
    }

    /// The number of a name, or the free key for it.
    fn find(&self, name: &str) -> Result<u32, u64> {
        let mut key = self.hashes.hash_one(name);
        while let Some(number) = self.numbers.get(&key) {
            if self.names.get(number).is_some_and(|own| **own == *name) {
                return Ok(*number);
            }
            key = key.wrapping_add(1);
        }
        Err(key)
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Names) -> bool {
        self.names == other.names
    }
}

impl Eq for Names {}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
