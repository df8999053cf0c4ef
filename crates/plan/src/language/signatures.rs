//! Procedures, as a front end and a plan know them: their arguments, the columns they yield, and whether they write.

use std::sync::Arc;

use crate::base::Name;

/// The procedures that a plan may call, by name, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signatures(Arc<Vec<Signature>>);

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What it is called by.
    pub name: Name,
    /// A sentence on what it does.
    pub description: Name,
    /// Its arguments; those with a default come last.
    pub arguments: Vec<Argument>,
    /// The columns it yields; none: it is void, and a row stays as it is.
    pub columns: Vec<YieldedColumn>,
    /// Whether it writes; else it only reads.
    pub writes: bool,
}

/// An argument of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: Name,
    /// The type of its values; null is of every type.
    pub value_type: ValueType,
    /// Whether it may be left out.
    pub is_optional: bool,
}

/// A column that a procedure yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YieldedColumn {
    /// Its name.
    pub name: Name,
    /// The type of its values; null is of every type.
    pub value_type: ValueType,
}

/// The type of an argument or a column, as far as callers are checked against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// Any.
    Any,
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// A float; an integer will do.
    Float,
    /// An integer or a float.
    Number,
    /// A text.
    Text,
    /// A list.
    List,
    /// A map.
    Map,
    /// A vertex.
    Vertex,
    /// An edge.
    Edge,
    /// A path.
    Path,
}

/// Procedures of other names than `dbms.…` that read no graph.
const WITHOUT_GRAPH: [&str; 3] = ["db.awaitIndexes", "db.info", "db.ping"];

/// Whether the procedure of a name reads no graph, so that it may be called where only commands are sent to.
pub fn works_without_graph(name: &str) -> bool {
    let is_of_program = name.get(..5).is_some_and(|family| family.eq_ignore_ascii_case("dbms."));
    is_of_program || WITHOUT_GRAPH.iter().any(|own| own.eq_ignore_ascii_case(name))
}

impl Signatures {
    /// Those of a list, in the order of their names.
    pub fn new(mut procedures: Vec<Signature>) -> Signatures {
        procedures.sort_by(|one, other| one.name.cmp(&other.name));
        Signatures(Arc::new(procedures))
    }

    /// The procedure of a name.
    pub fn named(&self, name: &str) -> Option<&Signature> {
        self.0.get(self.position(name)?)
    }

    /// The position of a name in the order.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.binary_search_by(|procedure| (*procedure.name).cmp(name)).ok()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Signature> {
        self.0.iter()
    }
}

impl Signature {
    /// A procedure that reads, by its name and what it does; arguments and columns follow.
    pub fn reading(name: &str, description: &str) -> Signature {
        Signature {
            name: Name::from(name),
            description: Name::from(description),
            arguments: Vec::new(),
            columns: Vec::new(),
            writes: false,
        }
    }

    /// The same with one more argument.
    pub fn argument(mut self, name: &str, value_type: ValueType) -> Signature {
        self.arguments.push(Argument { name: Name::from(name), value_type, is_optional: false });
        self
    }

    /// The same with one more argument, which may be left out.
    pub fn optional(mut self, name: &str, value_type: ValueType) -> Signature {
        self.arguments.push(Argument { name: Name::from(name), value_type, is_optional: true });
        self
    }

    /// The same with one more column.
    pub fn yields(mut self, name: &str, value_type: ValueType) -> Signature {
        self.columns.push(YieldedColumn { name: Name::from(name), value_type });
        self
    }

    /// The same of a procedure that writes.
    pub fn writing(mut self) -> Signature {
        self.writes = true;
        self
    }

    /// How many arguments it takes at least.
    pub fn arguments_min(&self) -> usize {
        self.arguments.iter().filter(|argument| !argument.is_optional).count()
    }

    /// The number of the column of a name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| &*column.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_procedure_is_found_by_its_name_whatever_the_order_they_came_in() {
        let named = |name| Signature::reading(name, "").yields("a", ValueType::Any);
        let known = Signatures::new(vec![named("b"), named("c"), named("a")]);
        for name in ["a", "b", "c"] {
            assert_eq!(known.named(name).map(|found| &*found.name), Some(name));
        }
        assert_eq!(known.named("d"), None);
    }
}
