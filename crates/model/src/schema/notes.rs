//! Named texts that belong to a graph, found by name and by how their text begins.

use std::fmt;
use std::sync::Arc;

use rpds::RedBlackTreeMapSync as SharedMap;

/// Notes, by name. Versions of a catalog share them.
#[derive(Clone, Default)]
pub struct Notes {
    by_name: SharedMap<Arc<str>, Arc<str>>,
    by_text: SharedMap<(Arc<str>, Arc<str>), ()>,
}

impl Notes {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_name.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The text of a note.
    pub fn get(&self, name: &str) -> Option<&Arc<str>> {
        self.by_name.get(name)
    }

    /// Whether there is a note of a name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Names and texts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>)> {
        self.by_name.iter()
    }

    /// Names, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Arc<str>> {
        self.by_name.keys()
    }

    /// Names and texts of the notes with names that begin so, by name.
    pub fn named_from<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a Arc<str>, &'a Arc<str>)> {
        let from = self.by_name.range(Arc::from(prefix)..);
        from.take_while(move |(name, _)| name.starts_with(prefix))
    }

    /// Names and texts of the notes with texts that begin so, by text.
    pub fn with_text_from<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a Arc<str>, &'a Arc<str>)> {
        let from = self.by_text.range((Arc::from(prefix), Arc::from(""))..);
        let texts = from.take_while(move |((text, _), ())| text.starts_with(prefix));
        texts.map(|((text, name), ())| (name, text))
    }

    /// Sets a note.
    pub fn insert(&mut self, name: Arc<str>, text: Arc<str>) {
        self.remove(&name);
        self.by_text.insert_mut((Arc::clone(&text), Arc::clone(&name)), ());
        self.by_name.insert_mut(name, text);
    }

    /// Takes a note away.
    pub fn remove(&mut self, name: &str) {
        if let Some(text) = self.by_name.get(name).cloned() {
            self.by_name.remove_mut(name);
            self.by_text.remove_mut(&(text, Arc::from(name)));
        }
    }
}

impl FromIterator<(Arc<str>, Arc<str>)> for Notes {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Arc<str>)>>(notes: I) -> Notes {
        let mut all = Notes::default();
        notes.into_iter().for_each(|(name, text)| all.insert(name, text));
        all
    }
}

impl PartialEq for Notes {
    fn eq(&self, other: &Notes) -> bool {
        self.by_name == other.by_name
    }
}

impl Eq for Notes {}

impl fmt::Debug for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.by_name.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_found_by_the_beginnings_of_their_names_and_texts() {
        let pairs = [("b.1", "x\ny"), ("a", "x\nz"), ("b.2", "w"), ("b.3", "x\ny")];
        let mut notes: Notes =
            pairs.map(|(name, text)| (name.into(), text.into())).into_iter().collect();
        let names = |found: &mut dyn Iterator<Item = (&Arc<str>, &Arc<str>)>| -> String {
            found.map(|(name, _)| name.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&mut notes.named_from("b.")), "b.1 b.2 b.3");
        assert_eq!(names(&mut notes.with_text_from("x\n")), "b.1 b.3 a");
        notes.insert("b.1".into(), "v".into());
        notes.remove("b.3");
        assert_eq!(names(&mut notes.with_text_from("x\n")), "a");
        assert_eq!((notes.get("b.1").map(|text| &**text), notes.len()), (Some("v"), 3));
    }
}
