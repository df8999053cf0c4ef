//! The notes of one consumer: the newest is rewritten until it is full, the oldest is removed.
//!
//! A commit checks that the newest note is the one that this series wrote, and claims the series; so another process, or a
//! graph that was replaced, is noticed before anything is applied twice.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use millrace_db::session::ComposedTransaction;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::base64;

use super::Notes;
use crate::limits::{KEYS_MIN, KEYS_PER_NOTE, NOTES_REMOVED_PER_COMMIT};
use crate::messages::Key;
use crate::settings::QueueSettings;

pub(super) const KEY_BYTES: usize = 16;

/// The name of the error that another one wrote the notes of a series.
pub(crate) const CHANGED_ELSEWHERE: &str = "QueueKeysChanged";

/// A note and its text; without one it is removed.
type Note = (Arc<str>, Option<Arc<str>>);

/// The series of a consumer.
pub(crate) struct Series {
    pub(super) consumer: usize,
    pub(super) generation: u64,
    /// How the notes of all consumers begin, and those of this one.
    all: String,
    prefix: String,
    claim: u64,
    /// Keys that are kept at least.
    least: usize,
    /// Names of notes with their keys, the oldest first.
    entries: VecDeque<Entry>,
    newest: Option<(u64, Arc<str>)>,
    total: usize,
}

struct Entry {
    name: Arc<str>,
    keys: Vec<Key>,
}

/// What a commit does to the series.
pub(crate) struct Change {
    pub(crate) notes: Vec<Note>,
    appended: Vec<Entry>,
    newest: Option<(u64, Arc<str>)>,
    /// The newest note of before is rewritten.
    is_rewritten: bool,
    removed: usize,
}

impl Series {
    pub(crate) fn new(settings: &QueueSettings, consumer: usize) -> Series {
        let all = format!("queue.{}.keys.", settings.name);
        let prefix = format!("{all}{consumer}.");
        let hash = Key::of(prefix.as_bytes()).0;
        let claim = hash.iter().take(8).fold(0, |claim, byte| claim << 8 | u64::from(*byte));
        Series {
            consumer,
            generation: 0,
            claim,
            least: KEYS_MIN.max(2 * settings.prefetch * settings.consumers),
            all,
            prefix,
            entries: VecDeque::new(),
            newest: None,
            total: 0,
        }
    }

    fn name(&self, number: u64) -> Arc<str> {
        Arc::from(format!("{}{number}", self.prefix))
    }

    /// Begins with what a load found.
    pub(super) fn reset(&mut self, generation: u64, own: Notes, orphans: BTreeMap<usize, Notes>) {
        self.generation = generation;
        self.entries.clear();
        for (consumer, notes) in orphans {
            for (number, keys) in notes {
                let name = Arc::from(format!("{}{consumer}.{number}", self.all));
                self.entries.push_back(Entry { name, keys });
            }
        }
        self.newest = own.last_key_value().map(|(number, keys)| (*number, text(keys)));
        for (number, keys) in own {
            let name = self.name(number);
            self.entries.push_back(Entry { name, keys });
        }
        self.total = self.entries.iter().map(|entry| entry.keys.len()).sum();
    }

    /// Claims the series in a transaction, and fails where its notes are not those that it knows.
    pub(crate) fn check(&self, transaction: &mut ComposedTransaction<'_>) -> Result<()> {
        transaction.claim(self.claim)?;
        let next = self.newest.as_ref().map_or(0, |(number, _)| number + 1);
        let mut is_known = transaction.note(&self.name(next))?.is_none();
        if let Some((number, text)) = &self.newest {
            is_known &= transaction.note(&self.name(*number))?.as_ref() == Some(text);
        }
        if !is_known {
            let detail = format!("the notes {}* were changed by another process", self.prefix);
            return Err(Error::new(ErrorKind::Unavailable, detail).with_name(CHANGED_ELSEWHERE));
        }
        Ok(())
    }

    /// What a commit of new keys writes.
    pub(crate) fn change(&self, keys: &[Key]) -> Change {
        let mut change = Change {
            notes: Vec::new(),
            appended: Vec::new(),
            newest: self.newest.clone(),
            is_rewritten: false,
            removed: 0,
        };
        let mut rest = keys;
        while !rest.is_empty() {
            let mut number = change.newest.as_ref().map_or(0, |(number, _)| number + 1);
            let mut of_note = Vec::new();
            let last = self.entries.back().filter(|last| last.keys.len() < KEYS_PER_NOTE);
            if let (Some(last), Some((newest, _)), true) =
                (last, &self.newest, change.appended.is_empty())
            {
                of_note.clone_from(&last.keys);
                number = *newest;
                change.is_rewritten = true;
            }
            let (own, others) = rest.split_at(rest.len().min(KEYS_PER_NOTE - of_note.len()));
            of_note.extend_from_slice(own);
            rest = others;
            let (name, text) = (self.name(number), text(&of_note));
            change.notes.push((Arc::clone(&name), Some(Arc::clone(&text))));
            change.newest = Some((number, text));
            change.appended.push(Entry { name, keys: of_note });
        }
        let mut left = self.total + keys.len();
        for entry in self.entries.iter().take(NOTES_REMOVED_PER_COMMIT) {
            if left - entry.keys.len() < self.least {
                break;
            }
            left -= entry.keys.len();
            change.notes.push((Arc::clone(&entry.name), None));
            change.removed += 1;
        }
        change
    }

    /// The commit is visible. Returns the keys that no note has any more.
    pub(crate) fn accept(&mut self, change: Change) -> Vec<Key> {
        if change.is_rewritten {
            self.entries.pop_back();
        }
        self.entries.extend(change.appended);
        self.newest = change.newest;
        let removed: Vec<Key> =
            self.entries.drain(..change.removed).flat_map(|entry| entry.keys).collect();
        self.total = self.entries.iter().map(|entry| entry.keys.len()).sum();
        removed
    }
}

/// Keys as the text of a note.
fn text(keys: &[Key]) -> Arc<str> {
    let bytes: Vec<u8> = keys.iter().flat_map(|key| key.0).collect();
    Arc::from(base64::encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(from: usize, count: usize) -> Vec<Key> {
        (from..from + count).map(|number| Key::of(&number.to_be_bytes())).collect()
    }

    #[test]
    fn notes_are_filled_one_after_the_other_and_the_oldest_go() {
        let settings = QueueSettings::new("people");
        let mut series = Series::new(&settings, 3);
        let (mut next, mut evicted) = (0, Vec::new());
        let mut sizes = [1, 998, 3, 2_500, 1_000, 7].into_iter().cycle();
        while next < KEYS_MIN + 20_000 {
            let count = sizes.next().unwrap();
            let change = series.change(&keys(next, count));
            assert!(change.notes.len() <= count / KEYS_PER_NOTE + 2 + NOTES_REMOVED_PER_COMMIT);
            evicted.extend(series.accept(change));
            next += count;
            let filled = series.entries.iter().rev().skip(1);
            assert!(filled.clone().all(|entry| entry.keys.len() == KEYS_PER_NOTE));
            assert!(series.total + KEYS_PER_NOTE < next.min(KEYS_MIN) + 2 * KEYS_PER_NOTE);
            assert!(next.min(KEYS_MIN) <= series.total);
        }
        assert_eq!(evicted.len() + series.total, next);
        assert_eq!(evicted, keys(0, evicted.len()), "the oldest go first");
        assert_eq!(&*series.entries[0].name, "queue.people.keys.3.20");
    }

    #[test]
    fn a_series_goes_on_where_its_notes_end_with_those_of_lost_consumers_in_front() {
        let settings = QueueSettings::new("people");
        let mut series = Series::new(&settings, 0);
        let own = Notes::from([(4, keys(0, KEYS_PER_NOTE)), (5, keys(1_000, 10))]);
        let orphans = BTreeMap::from([(2, Notes::from([(7, keys(5_000, 3))]))]);
        series.reset(1, own, orphans);
        assert_eq!(&*series.entries[0].name, "queue.people.keys.2.7");
        let change = series.change(&keys(2_000, 1));
        assert_eq!(&*change.notes[0].0, "queue.people.keys.0.5");
        series.accept(change);
        assert_eq!(series.total, KEYS_PER_NOTE + 10 + 3 + 1);
    }
}
