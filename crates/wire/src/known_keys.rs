//! Keys of maps, one text for each: the maps of a list have the same ones, and in the same order as a rule.
//!
//! It knows texts only, of whatever protocol.

use std::sync::Arc;

/// Keys that are known at most; of more, the later ones are made each time.
const KEYS_MAX: usize = 32;

/// A longer key is made each time, so that what outlives its bytes stays small.
const KEY_BYTES_MAX: usize = 128;

/// The keys that a reader has seen.
#[derive(Clone, Debug, Default)]
pub struct KnownKeys {
    keys: Vec<Arc<str>>,
    /// The key behind the one that was asked for last.
    next: usize,
}

impl KnownKeys {
    /// The key of this text.
    pub fn key(&mut self, text: &str) -> Arc<str> {
        let is_next = self.keys.get(self.next).is_some_and(|key| **key == *text);
        let found =
            if is_next { Some(self.next) } else { self.keys.iter().position(|key| **key == *text) };
        if let Some(at) = found {
            self.next = at + 1;
            return Arc::clone(&self.keys[at]);
        }
        let key = Arc::from(text);
        if self.keys.len() < KEYS_MAX && text.len() <= KEY_BYTES_MAX {
            self.keys.push(Arc::clone(&key));
            self.next = self.keys.len();
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_one_text_in_any_order_up_to_the_bounds() {
        let mut known = KnownKeys::default();
        let names: Vec<String> = (0..2 * KEYS_MAX).map(|number| format!("key{number}")).collect();
        let first: Vec<Arc<str>> = names.iter().map(|name| known.key(name)).collect();
        for (name, first) in names.iter().zip(&first).rev().chain(names.iter().zip(&first)) {
            assert_eq!((&**first, &*known.key(name)), (&**name, &**name));
        }
        let shared = |index: usize| Arc::ptr_eq(&first[index], &known.clone().key(&names[index]));
        assert!((0..KEYS_MAX).all(shared) && !(KEYS_MAX..2 * KEYS_MAX).any(shared));
        let long = "x".repeat(KEY_BYTES_MAX + 1);
        let mut known = KnownKeys::default();
        assert!(!Arc::ptr_eq(&known.key(&long), &known.key(&long)));
    }
}
