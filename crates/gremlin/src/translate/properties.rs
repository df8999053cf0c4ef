//! Properties as objects of traversers. Their parts are columns where traversers came by them; elsewhere the parts
//! are read from the objects alone.
//!
//! A property of a vertex is its owner, key and ordinal; its value and its own properties are looked up.
//! Any other property has its value with it, and none of its own.

use millrace_plan::{ColumnId, Expr, Function, op};

use super::elements::is_of_type;
use super::kind::{At, Kind};
use super::state::Parts;
use super::traversal::Traversal;

impl Traversal<'_> {
    /// The parts of the property that traversers came to, if it is this object.
    pub(crate) fn parts_of(&self, of: At) -> Option<Parts> {
        self.state.property.filter(|_| self.state.at == Some(of))
    }

    /// The key of a property.
    pub(crate) fn key_of(&self, of: At) -> Expr {
        match self.parts_of(of) {
            Some(parts) => Expr::Column(parts.key),
            None => Expr::call(Function::KeyOf, vec![Expr::Column(of.column)]),
        }
    }

    /// The value of a property.
    pub(crate) fn value_of(&self, of: At) -> Expr {
        if let Some(parts) = self.parts_of(of) {
            return Expr::Column(parts.value);
        }
        let own = || vec![Expr::Column(of.column)];
        of_vertex(
            of,
            Expr::call(Function::ValueAt, vec![stored_now(of), ordinal_of(of)]),
            Expr::call(Function::ValueOf, own()),
        )
    }

    /// The properties that a property has itself, as a column of maps.
    pub(crate) fn own_properties(&mut self, of: At) -> At {
        let none = || Expr::Literal(millrace_model::Value::map(Vec::new()));
        let own = match self.parts_of(of) {
            Some(Parts { several: Some((stored, ordinal)), .. }) => {
                let arguments = vec![Expr::Column(stored), Expr::Column(ordinal)];
                Expr::call(Function::MetaAt, arguments)
            }
            Some(Parts { owner: At { kind: Kind::Edge | Kind::Property, .. }, .. }) => none(),
            _ => of_vertex(
                of,
                Expr::call(Function::MetaAt, vec![stored_now(of), ordinal_of(of)]),
                none(),
            ),
        };
        At::new(self.project("own", own), Kind::Map)
    }

    /// Each stored value of a stored property, with its ordinal.
    pub(crate) fn unwind_values(&mut self, stored: Expr) -> (ColumnId, ColumnId) {
        let (to, ordinal) = (self.plan.column("value"), self.plan.column("ordinal"));
        self.plan.push(op::UnwindValues { property: stored, to, ordinal: Some(ordinal) });
        (to, ordinal)
    }

    /// Traversers have moved to properties: of each row one for every value of the stored property.
    pub(crate) fn moved_to_values(&mut self, owner: At, key: ColumnId, stored: ColumnId) {
        if owner.kind == Kind::Edge {
            return self.moved_to_property(Parts { owner, key, value: stored, several: None });
        }
        let (value, ordinal) = self.unwind_values(Expr::Column(stored));
        self.moved_to_property(Parts { owner, key, value, several: Some((stored, ordinal)) });
    }

    /// Traversers have moved to the property that these parts make.
    pub(crate) fn moved_to_property(&mut self, parts: Parts) {
        self.moved_to("property", thing(parts), Kind::Property);
        self.state.property = Some(parts);
    }
}

/// The property that these parts make.
pub(crate) fn thing(parts: Parts) -> Expr {
    let mut all = vec![parts.owner.column, parts.key, parts.value];
    all.extend(parts.several.map(|(_, ordinal)| ordinal));
    Expr::call(Function::PropertyOf, all.into_iter().map(Expr::Column).collect())
}

/// The vertex that a vertex's property belongs to.
pub(crate) fn owner_of(of: At) -> Expr {
    Expr::call(Function::OwnerOf, vec![Expr::Column(of.column)])
}

/// Which of its key's values a property is.
pub(crate) fn ordinal_of(of: At) -> Expr {
    Expr::call(Function::OrdinalOf, vec![Expr::Column(of.column)])
}

/// The stored value of an element under a key that is known only at run time; null where it has none.
pub(crate) fn stored_under(owner: Expr, key: Expr) -> Expr {
    let all = Expr::Properties { element: Box::new(owner), keys: None };
    Expr::call(Function::Get, vec![all, key])
}

/// The stored value of a property's vertex under the key of the property.
fn stored_now(of: At) -> Expr {
    stored_under(owner_of(of), Expr::call(Function::KeyOf, vec![Expr::Column(of.column)]))
}

fn of_vertex(of: At, this: Expr, otherwise: Expr) -> Expr {
    let is_of_vertex = is_of_type(&Expr::Column(of.column), "vertex property");
    Expr::Case { branches: vec![(is_of_vertex, this)], otherwise: Some(Box::new(otherwise)) }
}
