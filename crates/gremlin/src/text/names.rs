//! Texts that repeat within a script share their memory: most are the names of a few steps and keys, and
//! half of a parser's time would be spent to allocate them again.

use std::sync::Arc;

/// Longer texts are seldom repeated.
const SHARED_BYTES_MAX: usize = 32;

/// A power of two; a text that meets another in its slot takes its place.
const SLOTS: usize = 32;

#[derive(Default)]
pub(super) struct Names {
    slots: [Option<Arc<str>>; SLOTS],
}

impl Names {
    /// The text, in the memory of the same one before if that is still known.
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        let (Some(first), Some(last)) = (text.as_bytes().first(), text.as_bytes().last()) else {
            return Arc::from(text);
        };
        if text.len() > SHARED_BYTES_MAX {
            return Arc::from(text);
        }
        let hash = text.len() * 7 + usize::from(*first) * 5 + usize::from(*last) * 3;
        let slot = &mut self.slots[hash % SLOTS];
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            _ => Arc::clone(slot.insert(Arc::from(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_name_equals_the_text_that_was_asked_for() {
        let mut names = Names::default();
        for text in ["", "a", "property", "prooerty", "property", "ü", &"x".repeat(99)] {
            assert_eq!(&*names.share(text), text);
        }
        assert!(Arc::ptr_eq(&names.share("name"), &names.share("name")));
    }
}
