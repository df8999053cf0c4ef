//! The text of a schema: a line for each predicate, and for each field of a type.

use std::fmt::{self, Display, Formatter};

use super::{Joined, Parenthesized};
use crate::tree::{
    FieldType, Name, PredicateSchema, Schema, SchemaDirective, SchemaItem, Tokenizer, TypeField,
    TypeSchema, ValueType,
};

impl Display for Schema {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Joined(&self.items, "\n"))
    }
}

impl Display for SchemaItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SchemaItem::Predicate(predicate) => write!(f, "{predicate}"),
            SchemaItem::Type(defined) => write!(f, "{defined}"),
        }
    }
}

/// `[0x0] `, or nothing.
fn write_namespace(f: &mut Formatter<'_>, namespace: &Option<Name>) -> fmt::Result {
    namespace.iter().try_for_each(|namespace| write!(f, "[{}] ", namespace.text))
}

impl Display for PredicateSchema {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_namespace(f, &self.namespace)?;
        write!(f, "{}: {}", self.predicate, self.value_type)?;
        self.directives.iter().try_for_each(|directive| write!(f, " {directive}"))?;
        f.write_str(" .")
    }
}

impl Display for ValueType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = &self.name.text;
        if self.is_list { write!(f, "[{name}]") } else { f.write_str(name) }
    }
}

impl Display for SchemaDirective {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "@{}{}", self.name.text, Parenthesized(&self.tokenizers))
    }
}

impl Display for Tokenizer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name.text, Parenthesized(&self.options))
    }
}

impl Display for TypeSchema {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_namespace(f, &self.namespace)?;
        write!(f, "type {} {{", self.name)?;
        self.fields.iter().try_for_each(|field| write!(f, "\n  {field}"))?;
        f.write_str("\n}")
    }
}

impl Display for TypeField {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.predicate)?;
        self.field_type.iter().try_for_each(|field_type| write!(f, ": {field_type}"))
    }
}

impl Display for FieldType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let required = |is_required: bool| if is_required { "!" } else { "" };
        let (name, inner) = (&self.value_type.name, required(self.is_required));
        match self.value_type.is_list {
            true => write!(f, "[{name}{inner}]{}", required(self.is_list_required)),
            false => write!(f, "{name}{inner}"),
        }
    }
}
