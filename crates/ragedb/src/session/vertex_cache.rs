//! Vertices that a script's own writes found or made: by type and key, and by id.
//!
//! The cache never says that a vertex is absent, so new elements invalidate nothing.
//! It is cleared when a plan runs that may end a vertex or change its key
//! ([`millrace_plan::analysis::may_rename_vertices`]), and when memory is short.

use mlua::LuaString;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of an entry beside its key.
const ENTRY_BYTES: usize = 64;

/// Vertices by type and key, and by id.
#[derive(Debug, Default)]
pub(crate) struct VertexCache {
    labels: Vec<Keys>,
    vertices: FxHashSet<u64>,
    bytes: usize,
    /// The last vertex that was asked for as a source, by the place of its type: a script adds many
    /// edges to one after the other.
    last_source: Option<(usize, LuaString, u64)>,
}

/// The keys of a type.
#[derive(Debug)]
struct Keys {
    label: String,
    /// The text by which the script named the type last: the same text is recognised without reading it.
    text: Option<LuaString>,
    vertices: FxHashMap<Box<str>, u64>,
}

/// An end of a relationship as a script names it, not yet read.
pub(crate) enum EndText<'a> {
    Id(u64),
    Key { label: &'a LuaString, key: &'a LuaString },
}

impl EndText<'_> {
    /// The vertex, if it is cached.
    pub(crate) fn found(
        &self,
        known: &mut VertexCache,
        by_key: fn(&mut VertexCache, &LuaString, &LuaString) -> Option<u64>,
    ) -> Option<u64> {
        match self {
            EndText::Id(id) => known.has(*id).then_some(*id),
            EndText::Key { label, key } => by_key(known, label, key),
        }
    }
}

impl VertexCache {
    /// The vertex of a type with a key.
    pub(crate) fn by_key(&self, label: &str, key: &str) -> Option<u64> {
        let keys = self.labels.iter().find(|keys| keys.label == label)?;
        keys.vertices.get(key).copied()
    }

    /// The same by texts of the script; the last source is found without reading its key.
    pub(crate) fn source(&mut self, label: &LuaString, key: &LuaString) -> Option<u64> {
        let place = self.place(label)?;
        if let Some((last_place, last_key, vertex)) = &self.last_source
            && (*last_place, last_key) == (place, key)
        {
            return Some(*vertex);
        }
        let vertex = self.labels[place].find(key)?;
        self.last_source = Some((place, key.clone(), vertex));
        Some(vertex)
    }

    /// The same for the other end, which differs each time.
    pub(crate) fn target(&mut self, label: &LuaString, key: &LuaString) -> Option<u64> {
        let place = self.place(label)?;
        self.labels[place].find(key)
    }

    fn place(&mut self, label: &LuaString) -> Option<usize> {
        let is_text = |keys: &Keys| keys.text.as_ref() == Some(label);
        if let Some(place) = self.labels.iter().position(is_text) {
            return Some(place);
        }
        let place = self.labels.iter().position(|keys| *label == keys.label)?;
        self.labels[place].text = Some(label.clone());
        Some(place)
    }

    /// Whether a vertex is known to be there.
    pub(crate) fn has(&self, vertex: u64) -> bool {
        self.vertices.contains(&vertex)
    }

    pub(crate) fn note_key(&mut self, label: &str, key: &str, vertex: u64) {
        let place = self.labels.iter().position(|keys| keys.label == label);
        let place = place.unwrap_or_else(|| {
            self.bytes += ENTRY_BYTES + label.len();
            let (label, text) = (label.to_owned(), None);
            self.labels.push(Keys { label, text, vertices: FxHashMap::default() });
            self.labels.len() - 1
        });
        let keys = &mut self.labels[place].vertices;
        if !keys.contains_key(key) {
            self.bytes += ENTRY_BYTES + key.len();
            keys.insert(key.into(), vertex);
        }
        self.note(vertex);
    }

    pub(crate) fn note(&mut self, vertex: u64) {
        if self.vertices.insert(vertex) {
            self.bytes += ENTRY_BYTES / 2;
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Keys {
    fn find(&self, key: &LuaString) -> Option<u64> {
        let bytes = key.as_bytes();
        self.vertices.get(std::str::from_utf8(&bytes).ok()?).copied()
    }
}
