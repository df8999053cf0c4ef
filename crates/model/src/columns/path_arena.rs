//! The paths of a run: a tree of steps in which a path is its last step.
//!
//! ```text
//!   step   before  object  tags
//!     0      –       a     {x}        path 2 = a, b, d
//!     1      0       b                path 3 = a, b, c: shares a and b
//!     2      1       d
//!     3      1       c
//! ```
//!
//! Steps are only added, so a number keeps its meaning while others add. Two steps may be the last
//! of equal paths, so paths are compared by their values.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::errors::error::{Error, ErrorKind, Result};
use crate::values::path::Path;
use crate::values::value::Value;

/// Tags of a step, ascending, each once.
pub type Tags = Arc<[Arc<str>]>;

/// Bytes of a step, without the memory that its object points to.
pub const STEP_BYTES: usize = size_of::<u32>() + size_of::<Value>() + size_of::<Option<Tags>>();

/// How many objects of a path are compared one by one; more are hashed.
const LINEAR_OBJECTS_MAX: usize = 16;

/// Steps that paths are made of.
#[derive(Debug, Default)]
pub struct PathArena {
    steps: RwLock<Steps>,
}

#[derive(Debug, Default)]
struct Steps {
    /// The step before, plus one; 0: there is none.
    befores: Vec<u32>,
    objects: Vec<Value>,
    /// `None`: it has no tags.
    tags: Vec<Option<Tags>>,
}

/// A column's paths: for each the number of its last step.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The steps.
    pub trail: Arc<PathArena>,
    /// The last step of each path.
    pub last: Vec<u32>,
}

impl PathArena {
    /// Adds a step behind each of these (`None`: the first of a path); gives their numbers.
    pub fn extend(
        &self,
        steps: impl IntoIterator<Item = (Option<u32>, Value)>,
        tags: Option<&Tags>,
    ) -> Result<Vec<u32>> {
        // An object may be a path of this trail, which is read to make it a value.
        let steps: Vec<(Option<u32>, Value)> = steps.into_iter().collect();
        let mut all = self.write();
        let added = steps.into_iter();
        added.map(|(before, object)| all.push(before, object, tags.cloned())).collect()
    }

    /// The last step of the same path with more tags on its last object.
    pub fn tag(&self, last: u32, more: &Tags) -> Result<u32> {
        let mut all = self.write();
        let step = last as usize;
        let own = all.tags[step].iter().flat_map(|tags| tags.iter());
        let tags = tag_set(own.chain(more.iter()).cloned());
        let (before, object) = (all.befores[step].checked_sub(1), all.objects[step].clone());
        all.push(before, object, tags)
    }

    /// Adds the steps of a path that is there as a value; `None` if it is empty.
    pub fn add(&self, path: &Path) -> Result<Option<u32>> {
        let mut all = self.write();
        let mut last = None;
        for (object, tags) in path.objects().iter().zip(path.tags().iter()) {
            last = Some(all.push(last, object.clone(), tag_set(tags.iter().cloned()))?);
        }
        Ok(last)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.read().objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path that ends with a step.
    pub fn path(&self, last: u32) -> Path {
        let all = self.read();
        let (mut objects, mut tags) = (Vec::new(), Vec::new());
        for step in all.back(last) {
            objects.push(all.objects[step].clone());
            tags.push(all.tags[step].as_deref().map_or(Vec::new(), <[_]>::to_vec));
        }
        objects.reverse();
        tags.reverse();
        Path::new(objects, tags)
    }

    /// Whether no object is twice in the path that ends with a step.
    pub fn is_simple(&self, last: u32) -> bool {
        let all = self.read();
        are_distinct(all.back(last).map(|step| &all.objects[step]))
    }

    // A writer that panics leaves at worst a half-written step, which has no number yet.
    fn read(&self) -> RwLockReadGuard<'_, Steps> {
        self.steps.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Steps> {
        self.steps.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Steps {
    fn push(&mut self, before: Option<u32>, object: Value, tags: Option<Tags>) -> Result<u32> {
        let number = u32::try_from(self.objects.len()).ok().filter(|number| *number < u32::MAX);
        let Some(number) = number else {
            let detail = "the paths of a query have more than 2^32 steps";
            return Err(Error::new(ErrorKind::LimitReached, detail));
        };
        self.befores.push(before.map_or(0, |before| before + 1));
        self.objects.push(object);
        self.tags.push(tags);
        Ok(number)
    }

    /// The steps of a path, last to first; none of a number that is no step, as a null entry has.
    fn back(&self, last: u32) -> impl Iterator<Item = usize> {
        let first = Some(last as usize).filter(|step| *step < self.befores.len());
        std::iter::successors(first, |step| {
            self.befores[*step].checked_sub(1).map(|before| before as usize)
        })
    }
}

/// Tags as a set; `None` if there are none.
pub fn tag_set(tags: impl IntoIterator<Item = Arc<str>>) -> Option<Tags> {
    let mut tags: Vec<Arc<str>> = tags.into_iter().collect();
    tags.sort_unstable();
    tags.dedup();
    (!tags.is_empty()).then(|| Tags::from(tags))
}

/// Whether no value is there twice, by identity.
pub fn are_distinct<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    let mut listed: Vec<&Value> = Vec::new();
    let mut hashed: HashSet<&Value> = HashSet::new();
    for value in values {
        if LINEAR_OBJECTS_MAX <= listed.len() {
            if hashed.is_empty() {
                hashed.extend(listed.iter().copied());
            }
            if !hashed.insert(value) {
                return false;
            }
            continue;
        }
        if listed.contains(&value) {
            return false;
        }
        listed.push(value);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(names: &[&str]) -> Tags {
        tag_set(names.iter().map(|&name| Arc::from(name))).expect("some")
    }

    fn extended(trail: &PathArena, before: Option<u32>, object: i64, tags: Option<&Tags>) -> u32 {
        trail.extend([(before, Value::I64(object))], tags).expect("few steps")[0]
    }

    #[test]
    fn paths_share_their_beginning_and_come_back_as_values() {
        let trail = PathArena::default();
        let a = extended(&trail, None, 1, Some(&tags(&["x"])));
        let b = extended(&trail, Some(a), 2, None);
        let (c, d) = (extended(&trail, Some(b), 3, None), extended(&trail, Some(b), 1, None));
        assert_eq!(trail.len(), 4);
        assert_eq!(*trail.path(c).objects(), [1, 2, 3].map(Value::I64));
        assert_eq!(*trail.path(c).tags(), [vec![Arc::from("x")], vec![], vec![]]);
        assert!(trail.is_simple(c) && !trail.is_simple(d));
        let again = trail.add(&trail.path(d)).expect("few steps").expect("three objects");
        assert_eq!(trail.path(again), trail.path(d));
        assert_ne!(again, d);
    }

    #[test]
    fn more_tags_are_a_set_and_leave_other_paths_alone() {
        let trail = PathArena::default();
        let a = extended(&trail, None, 1, Some(&tags(&["y"])));
        let tagged = trail.tag(a, &tags(&["x", "y"])).expect("few steps");
        assert_eq!(*trail.path(tagged).tags(), [vec![Arc::from("x"), Arc::from("y")]]);
        assert_eq!(*trail.path(a).tags(), [vec![Arc::from("y")]]);
    }

    #[test]
    fn long_lists_are_distinguished_like_short_ones() {
        for len in [0, 1, 15, 16, 17, 18, 40] {
            let mut values: Vec<Value> = (0..len).map(Value::I64).collect();
            assert!(are_distinct(values.iter()), "{len}");
            if let Some(first) = values.first().cloned() {
                values.push(first);
                assert!(!are_distinct(values.iter()), "{len}");
            }
        }
    }
}
