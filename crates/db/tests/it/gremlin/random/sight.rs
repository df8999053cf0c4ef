//! The generator's knowledge of a traverser: the kind of its object, and its state.

/// The kind of a traverser's object, as far as the generator knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Vertex,
    Edge,
    VertexProperty,
    /// Of an edge, or of a vertex's property.
    Property,
    Number,
    Text,
    Timestamp,
    List,
    Map,
    /// A pair of a map.
    Entry,
    Path,
    /// Anything.
    Any,
}

/// A traverser as it stands.
#[derive(Clone)]
pub(super) struct Sight {
    pub(super) kind: Kind,
    /// Tags that are set, and the kinds of their objects.
    pub(super) tags: Vec<(&'static str, Kind)>,
    /// How many rounds it is inside of.
    pub(super) rounds: u32,
    /// How many traversals it is inside of.
    pub(super) depth: u32,
}

impl Sight {
    pub(super) fn at(kind: Kind) -> Sight {
        Sight { kind, tags: Vec::new(), rounds: 0, depth: 0 }
    }

    /// The same inside a step.
    pub(super) fn inside(&self) -> Sight {
        Sight { depth: self.depth + 1, ..self.clone() }
    }

    /// One object was made of many: nothing else is remembered.
    pub(super) fn reduced(&mut self, kind: Kind) {
        self.kind = kind;
        self.tags.clear();
    }

    pub(super) fn tag(&mut self, name: &'static str) {
        self.tags.retain(|(known, _)| *known != name);
        self.tags.push((name, self.kind));
    }
}
