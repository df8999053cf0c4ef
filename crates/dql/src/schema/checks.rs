//! Whether a statement of a schema can be meant: its type, its directives, its indexes.

use millrace_model::{Error, ErrorKind, Phase, Result};

use super::{Kind, Predicate, RESERVED, TYPE_PREDICATE};
use crate::text::{Described, described, position};
use crate::tree::{self, Offset};

/// Words of `@index`, with the types that have them.
pub(crate) const TOKENIZERS: [(&str, &[Kind]); 17] = [
    ("int", &[Kind::Int]),
    ("float", &[Kind::Float]),
    ("bigfloat", &[Kind::BigFloat]),
    ("bool", &[Kind::Bool]),
    ("geo", &[Kind::Geo]),
    ("year", &[Kind::DateTime]),
    ("month", &[Kind::DateTime]),
    ("day", &[Kind::DateTime]),
    ("hour", &[Kind::DateTime]),
    ("exact", &[Kind::String, Kind::Default]),
    ("hash", &[Kind::String, Kind::Default]),
    ("sha256", &[Kind::String, Kind::Default]),
    ("term", &[Kind::String, Kind::Default]),
    ("fulltext", &[Kind::String, Kind::Default]),
    ("trigram", &[Kind::String, Kind::Default]),
    ("ngram", &[Kind::String, Kind::Default]),
    ("hnsw", &[Kind::Vector]),
];

/// Other names of words.
const SAME: [(&str, &str); 2] = [("datetime", "year"), ("default", "term")];

/// Directives of a predicate.
#[rustfmt::skip]
pub(crate) const DIRECTIVES: [Described; 7] = [
    described("index", "@index(term, exact)", "Has indexes, by which functions and orders find nodes."),
    described("reverse", "@reverse", "Of edges: may be walked backwards as `~friend`."),
    described("count", "@count", "Its number of values or edges may be asked for at a root."),
    described("lang", "@lang", "Has values in several languages: `name@en`."),
    described("upsert", "@upsert", "Of two transactions that write one value, one is aborted."),
    described("unique", "@unique", "No two nodes have one value: a text with the index `exact` or `hash`, or a whole number with `int`. Says `@upsert`, too."),
    described("noconflict", "@noconflict", "Noted and shown; its writes conflict as others do."),
];

/// Predicates and types of Dgraph's own features, which its exports have.
const OF_DGRAPH: [&str; 21] = [
    "dgraph.acl.rule",
    "dgraph.drop.op",
    "dgraph.graphql",
    "dgraph.graphql.p_query",
    "dgraph.graphql.p_sha256hash",
    "dgraph.graphql.persisted_query",
    "dgraph.graphql.schema",
    "dgraph.graphql.schema_created_at",
    "dgraph.graphql.schema_history",
    "dgraph.graphql.xid",
    "dgraph.namespace",
    "dgraph.namespace.id",
    "dgraph.namespace.name",
    "dgraph.password",
    "dgraph.rule.permission",
    "dgraph.rule.predicate",
    "dgraph.type.Group",
    "dgraph.type.Rule",
    "dgraph.type.User",
    "dgraph.user.group",
    "dgraph.xid",
];

/// Whether a statement is of what Dgraph has of its own. A schema of an export may have it; here it means nothing.
pub fn is_of_dgraph(item: &tree::SchemaItem) -> bool {
    let name = match item {
        tree::SchemaItem::Predicate(own) => &own.predicate.text,
        tree::SchemaItem::Type(own) => &own.name.text,
    };
    OF_DGRAPH.contains(&name.as_str())
}

/// Refuses a type whose name or fields users cannot declare.
pub fn check_type(own: &tree::TypeSchema, text: &str) -> Result<()> {
    if own.name.text.starts_with(RESERVED) {
        let detail = format!(
            "Can't alter type `{}` as it is prefixed with `dgraph.` which is reserved as the namespace for dgraph's \
             internal types/predicates.",
            own.name.text
        );
        let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
        return Err(error.at(position(text, own.name.offset)));
    }
    Ok(())
}

impl Predicate {
    /// The predicate of a statement in a text.
    pub fn checked(statement: &tree::PredicateSchema, text: &str) -> Result<Predicate> {
        let name = &statement.predicate;
        let at = |offset: Offset, detail: String| {
            let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
            error.at(position(text, offset))
        };
        if name.text.starts_with(RESERVED) && name.text != TYPE_PREDICATE {
            let detail = format!(
                "Can't alter predicate `{}` as it is prefixed with `dgraph.` which is reserved as the namespace for dgraph's internal types/predicates.",
                name.text
            );
            return Err(at(name.offset, detail));
        }
        if name.text == "uid" {
            let detail = "Cannot create user-defined predicate with internal name uid";
            return Err(at(name.offset, detail.to_owned()));
        }
        let kind = &statement.value_type.name;
        if Kind::of_word(&kind.text).is_none() {
            let known: Vec<&str> = Kind::WORDS.iter().map(|(_, word)| *word).collect();
            let error = at(kind.offset, format!("Undefined Type: {}", kind.text));
            return Err(error.with_help(format!("types: {}", known.join(", "))));
        }
        for directive in &statement.directives {
            if !DIRECTIVES.iter().any(|own| own.name == directive.name.text) {
                let detail = format!("Invalid index specification: @{}", directive.name.text);
                let known = DIRECTIVES.map(|own| format!("@{}", own.name)).join(", ");
                return Err(
                    at(directive.name.offset, detail).with_help(format!("directives: {known}"))
                );
            }
        }
        let Some(mut predicate) = Predicate::of_statement(statement) else {
            return Err(at(name.offset, format!("the statement of {} has no meaning", name.text)));
        };
        for own in &mut predicate.indexes {
            if let Some((_, word)) = SAME.iter().find(|(other, _)| *other == &*own.word) {
                own.word = (*word).into();
            }
        }
        predicate.check(&name.text).map_err(|error| error.at(position(text, name.offset)))?;
        Ok(predicate)
    }

    fn check(&self, name: &str) -> Result<()> {
        let wrong =
            |detail: String| Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
        for own in &self.indexes {
            let Some((_, kinds)) = TOKENIZERS.iter().find(|(word, _)| *word == &*own.word) else {
                let known: Vec<&str> = TOKENIZERS.iter().map(|(word, _)| *word).collect();
                let error = wrong(format!("Invalid tokenizer {}", own.word));
                let help =
                    format!("tokenizers: {}; those of plugins are not supported", known.join(", "));
                return Err(error.with_help(help));
            };
            if !kinds.contains(&self.kind) {
                let what = if own.is_of_vectors() { "IndexFactory" } else { "Tokenizer" };
                return Err(wrong(format!(
                    "{what}: {} isn't valid for predicate: {name} of type: {}",
                    own.word,
                    self.kind.word()
                )));
            }
            if own.is_of_vectors() {
                own.vector_space()?;
            }
        }
        self.check_vectors(name)?;
        if self.is_edge() && !self.indexes.is_empty() {
            return Err(wrong(format!("Indexing not allowed on predicate {name} of type uid")));
        }
        if self.is_reverse && !self.is_edge() {
            return Err(wrong(format!("Cannot reverse for non-UID type: {name}")));
        }
        if self.has_languages && !self.kind.is_text() {
            return Err(wrong(format!(
                "@lang directive can only be specified for string type. Found: [{}] for attr: [{name}]",
                self.kind.word()
            )));
        }
        if self.is_unique {
            self.check_unique(name)?;
        }
        let has_keys = self.indexes.iter().any(|own| !own.is_of_vectors());
        if self.is_upsert && !has_keys && !self.is_edge() {
            return Err(wrong(format!(
                "Index tokenizer is mandatory for: [{name}] when specifying @upsert directive"
            )));
        }
        if self.is_list && matches!(self.kind, Kind::Password | Kind::Bool | Kind::Vector) {
            return Err(wrong(format!("Unsupported type for list: [{}].", self.kind.word())));
        }
        Ok(())
    }

    /// What is unique is a text or a whole number with an index that tells its values apart.
    fn check_unique(&self, name: &str) -> Result<()> {
        let wrong =
            |detail: String| Err(Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile));
        match self.kind {
            Kind::String if self.is_indexed_by(&["exact", "hash"]) => Ok(()),
            Kind::String => wrong(format!(
                "index for predicate [{name}] is missing, add either hash or exact index with @unique"
            )),
            Kind::Int if self.is_indexed_by(&["int"]) => Ok(()),
            Kind::Int => wrong(format!(
                "index for predicate [{name}] is missing, add int index with @unique"
            )),
            other => {
                let word = match other {
                    Kind::Vector => "VFLOAT".to_owned(),
                    other => other.word().to_uppercase(),
                };
                wrong(format!("@unique directive not supported on [{word}] type predicate"))
            }
        }
    }

    /// Of vectors there is one index.
    fn check_vectors(&self, name: &str) -> Result<()> {
        let wrong =
            |detail: String| Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
        let count = self.indexes.iter().filter(|own| own.is_of_vectors()).count();
        if 1 < count {
            let error = wrong(format!("Duplicate tokenizers defined for predicate {name}"));
            return Err(error.with_help("a predicate has one index of vectors, of one metric"));
        }
        Ok(())
    }
}
