//! A rule: an index or a constraint of some keys, by names; and its text in a note.

use std::fmt;

use millrace_model::schema::{IndexKind, KeyMethod};
use millrace_model::{Catalog, EdgeTypeId, LabelId, Owner, PropertyType};
use millrace_plan::{Name, OwnerName};

use super::made::Made;
use super::vector::written_options;

/// An index or a constraint, but for its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) what: What,
    /// One, or for full text several of a kind.
    pub(super) owners: Vec<OwnerName>,
    pub(super) keys: Vec<Name>,
}

/// The kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// An index that finds by equal values.
    Exact,
    /// An index that finds ranges.
    Range,
    /// An index of made keys.
    Made(Made),
    /// Values are there once.
    Unique,
    /// Values are there once, and each element has them.
    Key,
    /// Each element has a value.
    Exists,
    /// Values are of a type.
    Type(PropertyType),
}

impl What {
    /// Kinds by their words in notes and in arguments of procedures; those of types follow.
    const WORDS: [(&'static str, What); 5] = [
        ("exact", What::Exact),
        ("range", What::Range),
        ("unique", What::Unique),
        ("key", What::Key),
        ("exists", What::Exists),
    ];

    /// The kind of a word; that of a type begins with `type`.
    pub(super) fn parse(word: &str) -> Option<What> {
        if let Some(kind) = word.strip_prefix("type ") {
            return PropertyType::parse(kind).map(What::Type);
        }
        let plain = What::WORDS.iter().find(|(own, _)| *own == word).map(|(_, what)| *what);
        plain.or_else(|| Made::parse(word).map(What::Made))
    }

    /// All kinds, but for those of made keys, of which there are very many.
    pub(super) fn plain() -> impl Iterator<Item = What> {
        let types = PropertyType::ALL.into_iter().map(|(kind, _)| What::Type(kind));
        What::WORDS.into_iter().map(|(_, what)| what).chain(types)
    }

    /// Whether it is a constraint; else it is an index.
    pub(super) fn is_constraint(self) -> bool {
        match self {
            What::Exact | What::Range | What::Made(_) => false,
            What::Unique | What::Key | What::Exists | What::Type(_) => true,
        }
    }

    /// The kind of the index that it needs.
    pub(super) fn index(self) -> Option<IndexKind> {
        match self {
            What::Exact => Some(IndexKind::Exact),
            What::Range => Some(IndexKind::Range),
            What::Made(_) => Some(IndexKind::Made),
            What::Unique | What::Key => Some(IndexKind::Unique),
            What::Exists | What::Type(_) => None,
        }
    }

    /// How the keys of the index that it needs are made, if they are no whole values.
    pub(super) fn method(self) -> Option<KeyMethod> {
        match self {
            What::Made(made) => Some(made.method()),
            What::Exact | What::Range | What::Unique | What::Key | What::Exists | What::Type(_) => {
                None
            }
        }
    }

    /// Whether each element must have the keys.
    pub(super) fn requires(self) -> bool {
        match self {
            What::Key | What::Exists => true,
            What::Exact | What::Range | What::Made(_) | What::Unique | What::Type(_) => false,
        }
    }

    /// Whether two rules of these kinds over the same keys are one to a reader: an exact index is found as a range index.
    pub(super) fn is_same(self, other: What) -> bool {
        let plain = |what| if what == What::Exact { What::Range } else { what };
        match (self, other) {
            (What::Made(one), What::Made(other)) => one.is_alike(other),
            _ => plain(self) == plain(other),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Type(kind) => return write!(f, "type {kind}"),
            What::Made(made) => return made.fmt(f),
            _ => {}
        }
        let word = What::WORDS.iter().find(|(_, what)| what == self).map_or("?", |(word, _)| word);
        f.write_str(word)
    }
}

impl Rule {
    /// A rule of one label or type.
    pub(super) fn of(what: What, owner: OwnerName, keys: Vec<Name>) -> Rule {
        Rule { what, owners: vec![owner], keys }
    }

    /// Its text, in a note: a line for each word and name. Several labels or types have their number before them.
    pub(super) fn text(&self) -> String {
        let names =
            |names: &[Name]| -> Vec<String> { names.iter().map(|name| escaped(name)).collect() };
        let keys = names(&self.keys).join("\n");
        if let [owner] = &self.owners[..] {
            return beginning(self.what, owner) + &keys;
        }
        let owners: Vec<Name> = self.owners.iter().filter_map(name_of).collect();
        let beginning = beginning_of_several(self.what, self.is_relationship());
        format!("{beginning}{}\n{}\n{keys}", owners.len(), names(&owners).join("\n"))
    }

    /// The rule of a text; `None` of another text.
    pub(super) fn parse(text: &str) -> Option<Rule> {
        let mut lines = text.split('\n');
        let what = What::parse(lines.next()?)?;
        let element = lines.next()?;
        let owner: fn(Name) -> OwnerName = match element {
            "node" | "nodes" => OwnerName::Label,
            "relationship" | "relationships" => OwnerName::EdgeType,
            "all" => |_| OwnerName::AllVertices,
            _ => return None,
        };
        let count = match element {
            "nodes" | "relationships" => lines.next()?.parse::<usize>().ok()?,
            _ => 1,
        };
        let owners = lines.by_ref().take(count).map(|name| owner(unescaped(name))).collect();
        Some(Rule { what, owners, keys: lines.map(unescaped).collect() })
    }

    /// The name that a rule without one gets: the same for the same rule.
    pub(super) fn generated_name(&self) -> Name {
        let hash = hash(&self.text());
        let kind = if self.what.is_constraint() { CONSTRAINT } else { INDEX };
        Name::from(format!("{kind}{hash:08x}"))
    }

    /// Whether it is of relationships.
    pub(super) fn is_relationship(&self) -> bool {
        matches!(self.owners.first(), Some(OwnerName::EdgeType(_)))
    }

    /// Whether both are of the same keys of the same elements. As in Neo4j, other orders of labels or keys are other
    /// schemas: a full-text index that a client makes is there under its name.
    pub(super) fn has_schema_of(&self, other: &Rule) -> bool {
        self.keys == other.keys && self.owners == other.owners
    }

    /// The command that makes it, but for its first word.
    pub(super) fn command(&self, name: Option<&str>, if_not_exists: bool) -> String {
        let name = name.map(|name| format!(" {}", quoted(name))).unwrap_or_default();
        let guard = if if_not_exists { " IF NOT EXISTS" } else { "" };
        let pattern = self.pattern("e", quoted);
        let keys: Vec<String> = self.keys.iter().map(|key| format!("e.{}", quoted(key))).collect();
        let keys = keys.join(", ");
        let element = if self.is_relationship() { "RELATIONSHIP" } else { "NODE" };
        let requirement = match self.what {
            What::Exact | What::Range => {
                return format!("RANGE INDEX{name}{guard} FOR {pattern} ON ({keys})");
            }
            What::Made(made) => {
                let shown = made.shown();
                return match made {
                    Made::Text | Made::Point => {
                        format!("{shown} INDEX{name}{guard} FOR {pattern} ON ({keys})")
                    }
                    Made::Fulltext(_) => {
                        format!("{shown} INDEX{name}{guard} FOR {pattern} ON EACH [{keys}]")
                    }
                    Made::Vector(space) => {
                        let options = written_options(space);
                        format!("{shown} INDEX{name}{guard} FOR {pattern} ON ({keys}) {options}")
                    }
                };
            }
            What::Unique => "UNIQUE".to_owned(),
            What::Key => format!("{element} KEY"),
            What::Exists => "NOT NULL".to_owned(),
            What::Type(of) => format!(":: {}", of.to_string().to_uppercase()),
        };
        format!("CONSTRAINT{name}{guard} FOR {pattern} REQUIRE ({keys}) IS {requirement}")
    }

    /// All of it, as Neo4j's errors have it.
    pub(super) fn described(&self, name: &str) -> String {
        let element = if self.is_relationship() { "RELATIONSHIP" } else { "NODE" };
        let (kind, rest) = match self.what {
            What::Exact | What::Range => {
                ("RANGE".to_owned(), ", indexProvider='range-1.0'".to_owned())
            }
            What::Made(made) => {
                (made.shown().to_owned(), format!(", indexProvider='{}'", made.provider()))
            }
            What::Unique if element == "NODE" => ("UNIQUENESS".to_owned(), String::new()),
            What::Unique => (format!("{element} UNIQUENESS"), String::new()),
            What::Key => (format!("{element} KEY"), String::new()),
            What::Exists => (format!("{element} PROPERTY EXISTENCE"), String::new()),
            What::Type(of) => {
                let of = of.to_string().to_uppercase();
                (format!("{element} PROPERTY TYPE"), format!(", propertyType={of}"))
            }
        };
        let noun = if self.what.is_constraint() { "Constraint" } else { "Index" };
        format!("{noun}( name='{name}', type='{kind}', schema={}{rest} )", self.schema())
    }

    /// Label or type and keys, as errors have them.
    pub(super) fn schema(&self) -> String {
        let keys = self.keys.join(", ");
        let names: Vec<Name> = self.owners.iter().filter_map(name_of).collect();
        let names = names.join(":");
        match self.owners.first() {
            Some(OwnerName::EdgeType(_)) => format!("()-[:{names} {{{keys}}}]-()"),
            Some(OwnerName::Label(_)) => format!("(:{names} {{{keys}}})"),
            Some(OwnerName::AllVertices) | None => format!("({{{keys}}})"),
        }
    }

    /// The pattern of a command for the elements of the rule, with a variable.
    pub(super) fn pattern(&self, variable: &str, quoted: fn(&str) -> String) -> String {
        let names = self.owners.iter().filter_map(name_of).map(|name| quoted(&name));
        let names = names.collect::<Vec<_>>().join("|");
        match self.owners.first() {
            Some(OwnerName::EdgeType(_)) => format!("()-[{variable}:{names}]-()"),
            Some(OwnerName::Label(_)) => format!("({variable}:{names})"),
            Some(OwnerName::AllVertices) | None => format!("({variable})"),
        }
    }
}

/// The name of a label or a type.
pub(super) fn name_of(owner: &OwnerName) -> Option<Name> {
    match owner {
        OwnerName::Label(name) | OwnerName::EdgeType(name) => Some(name.clone()),
        OwnerName::AllVertices => None,
    }
}

/// A name in a command: in backticks where it is no plain one.
pub(super) fn quoted(name: &str) -> String {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_plain = name.chars().all(is_letter) && !name.starts_with(|own: char| own.is_numeric());
    match is_plain && !name.is_empty() {
        true => name.to_owned(),
        false => format!("`{}`", name.replace('`', "``")),
    }
}

/// How the text of each rule of a kind and an owner begins, and no other text.
pub(super) fn beginning(what: What, owner: &OwnerName) -> String {
    match owner {
        OwnerName::Label(name) => format!("{what}\nnode\n{}\n", escaped(name)),
        OwnerName::EdgeType(name) => format!("{what}\nrelationship\n{}\n", escaped(name)),
        OwnerName::AllVertices => format!("{what}\nall\n\n"),
    }
}

/// How the text of each rule of a kind and several labels or types begins, and no other text.
pub(super) fn beginning_of_several(what: What, is_relationship: bool) -> String {
    format!("{what}\n{}\n", if is_relationship { "relationships" } else { "nodes" })
}

/// Whether a name may be one that [`Rule::generated_name`] made.
pub(super) fn is_generated(name: &str) -> bool {
    let hash = name.strip_prefix(INDEX).or_else(|| name.strip_prefix(CONSTRAINT));
    hash.is_some_and(|hash| hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// How generated names begin.
const INDEX: &str = "index_";
const CONSTRAINT: &str = "constraint_";

/// FNV-1a, 32 bits: names must not change with a version of the standard library.
pub(super) fn hash(text: &str) -> u32 {
    let add = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, add)
}

/// The number of an owner, if its name is known.
pub(super) fn owner_of(catalog: &Catalog, owner: &OwnerName) -> Option<Owner> {
    match owner {
        OwnerName::Label(name) => catalog.label(name).map(Owner::Label),
        OwnerName::EdgeType(name) => catalog.edge_type(name).map(Owner::EdgeType),
        OwnerName::AllVertices => Some(Owner::AllVertices),
    }
}

/// The name of an owner; none of that of all edges, which no client defines.
pub(super) fn owner_name(catalog: &Catalog, owner: Owner) -> Option<OwnerName> {
    match owner {
        Owner::Label(LabelId(number)) => catalog.labels.name(number).cloned().map(OwnerName::Label),
        Owner::EdgeType(EdgeTypeId(number)) => {
            catalog.edge_types.name(number).cloned().map(OwnerName::EdgeType)
        }
        Owner::AllVertices => Some(OwnerName::AllVertices),
        Owner::AllEdges => None,
    }
}

fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(text: &str) -> Name {
    let (mut name, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.next() == Some('n') => name.push('\n'),
            letter => name.push(letter),
        }
    }
    Name::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_comes_back_from_its_text_whatever_its_names() {
        let labels: Vec<OwnerName> =
            ["A\nB", "", "\\"].map(|name| OwnerName::Label(name.into())).into();
        let types: Vec<OwnerName> =
            ["\\n", "2"].map(|name| OwnerName::EdgeType(name.into())).into();
        let several = [labels[..1].to_vec(), labels, types[..1].to_vec(), types];
        let kinds = ["range", "text", "exact", "unique", "key", "exists", "type string_list"];
        for owners in several.into_iter().chain([vec![OwnerName::AllVertices]]) {
            for what in kinds.into_iter().chain(["point", "fulltext english", "vector(3, cosine)"])
            {
                let what = What::parse(what).expect("a known word");
                let keys = vec!["a".into(), "".into(), "\\\n".into()];
                let rule = Rule { what, owners: owners.clone(), keys };
                assert_eq!(Rule::parse(&rule.text()), Some(rule));
            }
        }
        assert_eq!(Rule::parse("line 7"), None);
    }
}
