//! Paths as values: objects one by one with their tags, or the end of a walk.
//!
//! ```text
//!   step   before  edge  vertex       walk 2 = a -7- b -8- c      walk 3 = a -7- b -9- d
//!     0      –       –      a
//!     1      0       7      b         Both share steps 0 and 1: paths that begin alike take
//!     2      1       8      c         memory for their common beginning once, in rows, lists
//!     3      1       9      d         and results, until they are written.
//! ```
//!
//! The form makes no difference to a path's equality, hash or order.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::value::Value;
use crate::base::ids::{EdgeId, VertexId};
use crate::base::random::mix;

/// The tags of one object of a path.
type ObjectTags = Vec<Arc<str>>;

/// A path.
#[derive(Clone)]
pub struct Path(Form);

#[derive(Clone)]
enum Form {
    /// Without tags if no object has one, else with those of each object.
    Listed { objects: Vec<Value>, tags: Vec<ObjectTags> },
    /// Vertices and edges in turn, without tags.
    Walked { last: Arc<WalkStep>, is_reversed: bool },
}

/// One step of walks: an edge and the vertex that it leads to; of the first step the vertex alone.
pub struct WalkStep {
    before: Option<Arc<WalkStep>>,
    edge: EdgeId,
    vertex: VertexId,
    length: u32,
    first: VertexId,
    sums: Sums,
    count: Arc<AtomicU64>,
}

/// Hashes of a sequence of objects in both directions, which grow with it: `Σ hashᵢ · FACTORⁿ⁻¹⁻ⁱ` (Karp and Rabin 1987).
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    forward: u64,
    backward: u64,
}

/// Odd, so that no object's part vanishes.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Sums {
    fn of(objects: &[Value]) -> Sums {
        let numbered = (0..).zip(objects);
        numbered
            .fold(Sums::default(), |sums, (place, object)| sums.with(place, object_hash(object)))
    }

    /// The sums with one object more, of so many before it.
    fn with(self, place: u32, hash: u64) -> Sums {
        Sums {
            forward: self.forward.wrapping_mul(FACTOR).wrapping_add(hash),
            backward: hash.wrapping_mul(FACTOR.wrapping_pow(place)).wrapping_add(self.backward),
        }
    }
}

fn object_hash(object: &Value) -> u64 {
    match object {
        Value::Vertex(vertex) => vertex_hash(*vertex),
        Value::Edge(edge) => edge_hash(*edge),
        other => {
            let mut hasher = DefaultHasher::new();
            other.hash(&mut hasher);
            hasher.finish()
        }
    }
}

fn vertex_hash(vertex: VertexId) -> u64 {
    mix(vertex.0)
}

fn edge_hash(edge: EdgeId) -> u64 {
    mix(!edge.0)
}

/// Makes steps, and counts those that are in memory.
#[derive(Clone, Debug, Default)]
pub struct WalkSteps(Arc<AtomicU64>);

impl Path {
    /// A path of objects with their tags; objects behind the last tags have none.
    pub fn new(objects: Vec<Value>, mut tags: Vec<ObjectTags>) -> Path {
        match tags.iter().all(Vec::is_empty) {
            true => tags = Vec::new(),
            false => tags.resize(objects.len(), Vec::new()),
        }
        Path(Form::Listed { objects, tags })
    }

    /// A path of objects without tags.
    pub fn untagged(objects: Vec<Value>) -> Path {
        Path::new(objects, Vec::new())
    }

    /// The path that a walk is.
    pub fn walked(last: Arc<WalkStep>) -> Path {
        Path(Form::Walked { last, is_reversed: false })
    }

    /// The objects, first to last.
    pub fn objects(&self) -> Cow<'_, [Value]> {
        match &self.0 {
            Form::Listed { objects, .. } => Cow::Borrowed(objects),
            Form::Walked { last, is_reversed } => Cow::Owned(walked_objects(last, *is_reversed)),
        }
    }

    /// The tags of each object.
    pub fn tags(&self) -> Cow<'_, [ObjectTags]> {
        match &self.0 {
            Form::Listed { objects, tags } if tags.len() == objects.len() => Cow::Borrowed(tags),
            Form::Listed { objects, .. } => Cow::Owned(vec![Vec::new(); objects.len()]),
            Form::Walked { last, .. } => Cow::Owned(vec![Vec::new(); object_count(last)]),
        }
    }

    /// How many objects it has.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Listed { objects, .. } => objects.len(),
            Form::Walked { last, .. } => object_count(last),
        }
    }

    /// Whether it has no object.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many edges it has.
    pub fn edge_count(&self) -> usize {
        match &self.0 {
            Form::Listed { objects, .. } => {
                objects.iter().filter(|object| matches!(object, Value::Edge(_))).count()
            }
            Form::Walked { last, .. } => last.length as usize,
        }
    }

    /// The last object.
    pub fn last(&self) -> Option<Value> {
        match &self.0 {
            Form::Listed { objects, .. } => objects.last().cloned(),
            Form::Walked { last, is_reversed: false } => Some(Value::Vertex(last.vertex)),
            Form::Walked { last, is_reversed: true } => Some(Value::Vertex(last.first)),
        }
    }

    /// The first object.
    pub fn first(&self) -> Option<Value> {
        match &self.0 {
            Form::Listed { objects, .. } => objects.first().cloned(),
            Form::Walked { last, is_reversed: false } => Some(Value::Vertex(last.first)),
            Form::Walked { last, is_reversed: true } => Some(Value::Vertex(last.vertex)),
        }
    }

    /// Whether no object has a tag.
    pub fn has_no_tags(&self) -> bool {
        self.own_parts().1.is_empty()
    }

    /// The path from its end to its start.
    pub fn reversed(&self) -> Path {
        Path(match &self.0 {
            Form::Listed { objects, tags } => Form::Listed {
                objects: objects.iter().rev().cloned().collect(),
                tags: tags.iter().rev().cloned().collect(),
            },
            Form::Walked { last, is_reversed } => {
                Form::Walked { last: last.clone(), is_reversed: !is_reversed }
            }
        })
    }

    /// Whether both end with one step of one walk, which makes them equal.
    pub(crate) fn is_same_walk(&self, other: &Path) -> bool {
        match (&self.0, &other.0) {
            (
                Form::Walked { last, is_reversed },
                Form::Walked { last: other, is_reversed: other_way },
            ) => is_reversed == other_way && Arc::ptr_eq(last, other),
            (Form::Walked { .. } | Form::Listed { .. }, _) => false,
        }
    }

    /// Whether both are unequal by what is known without their objects: their lengths, and the hashes of walks.
    pub(crate) fn surely_differs(&self, other: &Path) -> bool {
        self.len() != other.len()
            || self.walk_hash().zip(other.walk_hash()).is_some_and(|(one, other)| one != other)
    }

    /// The hash of a walk's objects.
    fn walk_hash(&self) -> Option<u64> {
        match &self.0 {
            Form::Listed { .. } => None,
            Form::Walked { last, is_reversed: false } => Some(last.sums.forward),
            Form::Walked { last, is_reversed: true } => Some(last.sums.backward),
        }
    }

    /// Whether it is a walk: its objects are vertices and edges, and it has no tags.
    pub(crate) fn is_walk(&self) -> bool {
        match self.0 {
            Form::Walked { .. } => true,
            Form::Listed { .. } => false,
        }
    }

    /// The objects and tags that the path alone has in memory: none of a walk, whose steps are
    /// counted where they are made.
    pub(crate) fn own_parts(&self) -> (&[Value], &[ObjectTags]) {
        match &self.0 {
            Form::Listed { objects, tags } => (objects, tags),
            Form::Walked { .. } => (&[], &[]),
        }
    }
}

fn object_count(last: &WalkStep) -> usize {
    2 * last.length as usize + 1
}

fn walked_objects(last: &WalkStep, is_reversed: bool) -> Vec<Value> {
    let mut objects = Vec::with_capacity(object_count(last));
    for step in last.back() {
        objects.push(Value::Vertex(step.vertex));
        objects.extend(step.before.as_ref().map(|_| Value::Edge(step.edge)));
    }
    if !is_reversed {
        objects.reverse();
    }
    objects
}

/// Both forms print alike.
impl fmt::Debug for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printed = formatter.debug_struct("Path");
        printed.field("objects", &self.objects()).field("tags", &self.tags()).finish()
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        if self.is_same_walk(other) {
            return true;
        }
        !self.surely_differs(other)
            && self.objects() == other.objects()
            && self.own_parts().1 == other.own_parts().1
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(match &self.0 {
            Form::Listed { objects, .. } => Sums::of(objects).forward,
            Form::Walked { last, is_reversed: false } => last.sums.forward,
            Form::Walked { last, is_reversed: true } => last.sums.backward,
        });
        self.own_parts().1.hash(state);
    }
}

impl WalkStep {
    /// How many edges the walk has up to here.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The steps from this one back to the first.
    fn back(&self) -> impl Iterator<Item = &WalkStep> {
        std::iter::successors(Some(self), |step| step.before.as_deref())
    }
}

/// Steps are freed one after the other: a walk may be longer than a stack is deep.
impl Drop for WalkStep {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
        let mut before = self.before.take();
        while let Some(mut step) = before.and_then(Arc::into_inner) {
            before = step.before.take();
        }
    }
}

impl WalkSteps {
    /// Bytes of a step with its counters.
    pub const STEP_BYTES: usize = size_of::<WalkStep>() + 2 * size_of::<usize>();

    /// The first step of a walk.
    pub fn start(&self, vertex: VertexId) -> Arc<WalkStep> {
        let sums = Sums::default().with(0, vertex_hash(vertex));
        self.make(None, EdgeId::default(), vertex, (0, vertex, sums))
    }

    /// The step behind another.
    pub fn step(&self, before: Arc<WalkStep>, edge: EdgeId, vertex: VertexId) -> Arc<WalkStep> {
        let (length, first) = (before.length + 1, before.first);
        let sums = before.sums.with(2 * length - 1, edge_hash(edge));
        let sums = sums.with(2 * length, vertex_hash(vertex));
        self.make(Some(before), edge, vertex, (length, first, sums))
    }

    fn make(
        &self,
        before: Option<Arc<WalkStep>>,
        edge: EdgeId,
        vertex: VertexId,
        (length, first, sums): (u32, VertexId, Sums),
    ) -> Arc<WalkStep> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let count = self.0.clone();
        Arc::new(WalkStep { before, edge, vertex, length, first, sums, count })
    }

    /// Bytes of its steps that are in memory, wherever they are held.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed).saturating_mul(WalkSteps::STEP_BYTES as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::*;

    fn listed(objects: &[Value]) -> Path {
        Path::untagged(objects.to_vec())
    }

    #[test]
    fn a_walk_equals_the_list_of_its_objects_both_ways() {
        let steps = WalkSteps::default();
        let start = steps.start(VertexId(1));
        let walk = steps.step(start.clone(), EdgeId(7), VertexId(2));
        let path = Path::walked(walk);
        let objects =
            [Value::Vertex(VertexId(1)), Value::Edge(EdgeId(7)), Value::Vertex(VertexId(2))];
        let hasher = std::hash::RandomState::new();
        for (path, objects) in [
            (path.clone(), listed(&objects)),
            (path.reversed(), listed(&objects).reversed()),
            (Path::walked(start), listed(&objects[..1])),
        ] {
            assert_eq!(path, objects);
            assert_eq!(hasher.hash_one(&path), hasher.hash_one(&objects));
            let facts = |path: &Path| (path.len(), path.edge_count(), path.first(), path.last());
            assert_eq!(facts(&path), facts(&objects));
            assert_eq!(path.tags(), objects.tags());
        }
        assert_ne!(path, path.reversed());
    }

    #[test]
    fn one_walk_is_known_as_itself_and_only_in_one_direction() {
        let steps = WalkSteps::default();
        let end = steps.step(steps.start(VertexId(1)), EdgeId(7), VertexId(2));
        let (one, other) = (Path::walked(end.clone()), Path::walked(end));
        assert!(one.is_same_walk(&other) && one == other && one.is_walk());
        assert!(!one.is_same_walk(&other.reversed()) && one != other.reversed());
        assert!(one.surely_differs(&other.reversed()) && !one.surely_differs(&other));
        let list = listed(&one.objects());
        assert!(!one.is_same_walk(&list) && !list.is_same_walk(&list.clone()) && one == list);
    }

    #[test]
    fn steps_are_counted_as_long_as_a_path_holds_them() {
        let steps = WalkSteps::default();
        let mut last = steps.start(VertexId(0));
        for number in 1..200_000 {
            last = steps.step(last, EdgeId(number), VertexId(number));
        }
        let path = Path::walked(last.clone());
        assert_eq!(steps.bytes(), 200_000 * WalkSteps::STEP_BYTES as u64);
        drop(last);
        assert_eq!(path.edge_count(), 199_999);
        drop(path);
        assert_eq!(steps.bytes(), 0);
    }

    #[test]
    fn tags_are_kept_where_there_are_some() {
        let tagged = Path::new(vec![Value::I64(1), Value::I64(2)], vec![vec!["a".into()]]);
        assert_eq!(tagged.tags().len(), 2);
        assert_ne!(tagged, listed(&[Value::I64(1), Value::I64(2)]));
        assert_eq!(tagged.reversed().tags()[1], ["a".into()]);
    }
}
