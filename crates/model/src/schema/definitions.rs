//! Definitions of one kind, in the order in which they were made, found by what they are and by their owner.
//!
//! Versions of a catalog share them, so a change costs the same however many there are; and a write looks at those of
//! the labels and types that it writes, not at all.

use std::fmt;
use std::ops::Index;

use rpds::RedBlackTreeMapSync as SharedMap;

use super::definition::{IndexBuild, IndexDefinition, IndexKind, Owner, PropertyDefinition};
use crate::base::ids::{EdgeTypeId, IndexId, KeyId};

/// A definition of something about an owner.
pub trait Definition: Clone + PartialEq {
    /// Sets it apart from others of its kind.
    type Id: Ord + Clone;

    /// What sets it apart.
    fn id(&self) -> Self::Id;

    /// Its owner.
    fn owner(&self) -> Owner;

    /// The first of its keys, if it is found by that.
    fn first_key(&self) -> Option<KeyId> {
        None
    }

    /// Its number among the few that are found at once, if it is one of them: there is one definition of a number at most.
    fn well_known(&self) -> Option<usize> {
        None
    }

    /// The keys that it ties together, if it is about several.
    fn tied_keys(&self) -> &[KeyId] {
        &[]
    }
}

/// How many definitions of a kind are found at once.
const WELL_KNOWN: usize = 2;

/// Definitions of one kind.
#[derive(Clone)]
pub struct Definitions<T: Definition> {
    by_number: SharedMap<u64, T>,
    numbers: SharedMap<T::Id, u64>,
    by_owner: SharedMap<(Owner, u64), ()>,
    by_first_key: SharedMap<(Owner, KeyId, u64), ()>,
    by_tied_key: SharedMap<(KeyId, u64), ()>,
    well_known: [Option<u64>; WELL_KNOWN],
    next: u64,
}

impl<T: Definition> Definitions<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_number.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    /// All, in order of definition.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.by_number.values()
    }

    /// The first.
    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The one that is set apart so.
    pub fn get(&self, id: &T::Id) -> Option<&T> {
        self.by_number.get(self.numbers.get(id)?)
    }

    /// Whether exactly this one is there.
    pub fn contains(&self, definition: &T) -> bool {
        self.get(&definition.id()) == Some(definition)
    }

    /// Those of an owner, in order of definition.
    pub fn of_owner(&self, owner: Owner) -> impl Iterator<Item = &T> {
        let numbers = self.by_owner.range((owner, 0)..=(owner, u64::MAX));
        numbers.filter_map(|((_, number), ())| self.by_number.get(number))
    }

    /// Those of an owner that begin with a key, in order of definition.
    pub fn of_first_key(&self, owner: Owner, key: KeyId) -> impl Iterator<Item = &T> {
        let numbers = self.by_first_key.range((owner, key, 0)..=(owner, key, u64::MAX));
        numbers.filter_map(|((_, _, number), ())| self.by_number.get(number))
    }

    /// The well-known one of a number.
    pub(crate) fn well_known(&self, number: usize) -> Option<&T> {
        self.by_number.get(self.well_known[number].as_ref()?)
    }

    /// Whether some ties a key to others.
    pub fn ties(&self, key: KeyId) -> bool {
        self.by_tied_key.range((key, 0)..=(key, u64::MAX)).next().is_some()
    }

    /// Whether some is of an owner from `first` to `last`.
    pub(crate) fn any_of(&self, first: Owner, last: Owner) -> bool {
        self.by_owner.range((first, 0)..=(last, u64::MAX)).next().is_some()
    }

    /// Adds one behind all others, in place of one with the same id.
    pub fn push(&mut self, definition: T) {
        let id = definition.id();
        self.remove(&id);
        let number = self.next;
        self.next += 1;
        self.numbers.insert_mut(id, number);
        self.by_owner.insert_mut((definition.owner(), number), ());
        if let Some(key) = definition.first_key() {
            self.by_first_key.insert_mut((definition.owner(), key, number), ());
        }
        for key in definition.tied_keys() {
            self.by_tied_key.insert_mut((*key, number), ());
        }
        if let Some(known) = definition.well_known() {
            self.well_known[known] = Some(number);
        }
        self.by_number.insert_mut(number, definition);
    }

    /// Removes one.
    pub fn remove(&mut self, id: &T::Id) -> Option<T> {
        let number = *self.numbers.get(id)?;
        let removed = self.by_number.get(&number)?.clone();
        self.numbers.remove_mut(id);
        self.by_number.remove_mut(&number);
        self.by_owner.remove_mut(&(removed.owner(), number));
        if let Some(key) = removed.first_key() {
            self.by_first_key.remove_mut(&(removed.owner(), key, number));
        }
        for key in removed.tied_keys() {
            self.by_tied_key.remove_mut(&(*key, number));
        }
        if let Some(known) = removed.well_known() {
            self.well_known[known] = self.well_known[known].filter(|own| *own != number);
        }
        Some(removed)
    }

    /// Removes those of an owner for which `is_meant` holds.
    pub fn remove_of(&mut self, owner: Owner, is_meant: impl Fn(&T) -> bool) {
        let meant = self.of_owner(owner).filter(|own| is_meant(own));
        let ids: Vec<T::Id> = meant.map(Definition::id).collect();
        ids.iter().for_each(|id| drop(self.remove(id)));
    }

    /// Removes all.
    pub fn clear(&mut self) {
        *self = Definitions::default();
    }
}

impl<T: Definition> Default for Definitions<T> {
    fn default() -> Definitions<T> {
        Definitions {
            by_number: SharedMap::default(),
            numbers: SharedMap::default(),
            by_owner: SharedMap::default(),
            by_first_key: SharedMap::default(),
            by_tied_key: SharedMap::default(),
            well_known: Default::default(),
            next: 0,
        }
    }
}

impl<T: Definition> Extend<T> for Definitions<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, definitions: I) {
        definitions.into_iter().for_each(|definition| self.push(definition));
    }
}

impl<T: Definition> FromIterator<T> for Definitions<T> {
    fn from_iter<I: IntoIterator<Item = T>>(definitions: I) -> Definitions<T> {
        let mut all = Definitions::default();
        all.extend(definitions);
        all
    }
}

impl<'a, T: Definition> IntoIterator for &'a Definitions<T> {
    type Item = &'a T;
    type IntoIter = Box<dyn Iterator<Item = &'a T> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

/// By place in the order of definition. It walks to it.
impl<T: Definition> Index<usize> for Definitions<T> {
    type Output = T;

    fn index(&self, number: usize) -> &T {
        self.iter().nth(number).expect("the definition is there")
    }
}

impl<T: Definition> PartialEq for Definitions<T> {
    fn eq(&self, other: &Definitions<T>) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Definition + Eq> Eq for Definitions<T> {}

impl<T: Definition, const N: usize> PartialEq<[T; N]> for Definitions<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Definition + fmt::Debug> fmt::Debug for Definitions<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Definition for Owner {
    type Id = Owner;

    fn id(&self) -> Owner {
        *self
    }

    fn owner(&self) -> Owner {
        *self
    }
}

impl Definition for EdgeTypeId {
    type Id = EdgeTypeId;

    fn id(&self) -> EdgeTypeId {
        *self
    }

    fn owner(&self) -> Owner {
        Owner::EdgeType(*self)
    }
}

impl Definition for PropertyDefinition {
    type Id = (Owner, KeyId);

    fn id(&self) -> (Owner, KeyId) {
        (self.owner, self.key)
    }

    fn owner(&self) -> Owner {
        self.owner
    }
}

impl Definition for IndexDefinition {
    type Id = IndexId;

    fn id(&self) -> IndexId {
        self.id
    }

    fn owner(&self) -> Owner {
        self.owner
    }

    fn first_key(&self) -> Option<KeyId> {
        self.keys.first().copied()
    }

    fn well_known(&self) -> Option<usize> {
        if self.is_of_external_ids() {
            IndexDefinition::number_of_external(self.owner)
        } else {
            None
        }
    }

    fn tied_keys(&self) -> &[KeyId] {
        if self.keys.len() == 1 || self.kind == IndexKind::Made { &[] } else { &self.keys }
    }
}

impl Definition for IndexBuild {
    type Id = IndexId;

    fn id(&self) -> IndexId {
        self.index.id
    }

    fn owner(&self) -> Owner {
        self.index.owner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::LabelId;
    use crate::schema::property_type::PropertyType;

    #[test]
    fn definitions_stand_in_their_order_and_are_found_by_owner_and_id() {
        let [one, other] = [1, 2].map(|number| Owner::Label(LabelId(number)));
        let defined = |owner, key, required| {
            let (key, kind) = (KeyId(key), PropertyType::Any);
            PropertyDefinition { owner, key, kind, required }
        };
        let mut all: Definitions<PropertyDefinition> = Definitions::default();
        all.extend([defined(one, 7, false), defined(other, 7, false), defined(one, 8, false)]);
        let before = all.clone();
        all.push(defined(one, 7, true));
        let expected = [defined(other, 7, false), defined(one, 8, false), defined(one, 7, true)];
        assert_eq!(all, expected);
        assert!(all.of_owner(one).eq(&expected[1..]));
        assert_eq!(before.get(&(one, KeyId(7))), Some(&defined(one, 7, false)), "another version");
        all.remove_of(one, |own| own.required);
        assert!(all.of_owner(one).eq(&expected[1..2]) && !all.contains(&expected[2]));
        assert!(all.any_of(one, other) && !all.any_of(Owner::AllVertices, Owner::AllEdges));
        assert_eq!(all.remove(&(other, KeyId(9))), None);
    }
}
