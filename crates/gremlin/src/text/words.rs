//! The words of Gremlin that are neither steps nor names of users: constants, predicates, endings.

use std::sync::Arc;

use millrace_bytecode::{Argument, Symbol, SymbolFamily, is_of_janusgraph};
use millrace_model::{Direction, Token, Value};

use super::script::{Ending, TransactionWord};

/// Names before a dot that hold constants, those of enumerations first.
pub(crate) const CLASSES: &[&str] = &[
    "Barrier",
    "Cardinality",
    "Column",
    "ConnectedComponent",
    "DT",
    "Direction",
    "GType",
    "Geo",
    "Geoshape",
    "IO",
    "Merge",
    "Operator",
    "Order",
    "P",
    "PageRank",
    "PeerPressure",
    "Pick",
    "Pop",
    "Scope",
    "ShortestPath",
    "T",
    "Text",
    "TextP",
    "WithOptions",
];

/// Words of a source before its first step.
pub(super) const SOURCE_WORDS: &[&str] = &[
    "with",
    "withBulk",
    "withComputer",
    "withPath",
    "withSack",
    "withSideEffect",
    "withStrategies",
    "withoutStrategies",
];

/// The instruction that a value with a cardinality of its own is, as in `Cardinality.list(x)`.
pub(crate) const VALUE_WITH_CARDINALITY: &str = "CardinalityValueTraversal";

/// All predicates.
pub(crate) const PREDICATES: &[&str] = &[
    "between",
    "containing",
    "endingWith",
    "eq",
    "geoContains",
    "geoDisjoint",
    "geoIntersect",
    "geoWithin",
    "gt",
    "gte",
    "inside",
    "lt",
    "lte",
    "neq",
    "not",
    "notContaining",
    "notEndingWith",
    "notRegex",
    "notStartingWith",
    "outside",
    "regex",
    "startingWith",
    "textContains",
    "textContainsFuzzy",
    "textContainsPhrase",
    "textContainsPrefix",
    "textContainsRegex",
    "textFuzzy",
    "textNotContains",
    "textNotContainsFuzzy",
    "textNotContainsPhrase",
    "textNotContainsPrefix",
    "textNotContainsRegex",
    "textNotFuzzy",
    "textNotPrefix",
    "textNotRegex",
    "textPrefix",
    "textRegex",
    "typeOf",
    "within",
    "without",
];

/// The predicates of a class; none of another class.
pub(crate) fn predicates_of(class: &str) -> impl Iterator<Item = &'static str> {
    let prefix = match class {
        "P" | "TextP" => Some(""),
        "Text" => Some("text"),
        "Geo" => Some("geo"),
        _ => None,
    };
    let is_in = move |name: &&str| match prefix {
        None => false,
        Some("") => !is_of_janusgraph(name),
        Some(prefix) => is_of_janusgraph(name) && name.starts_with(prefix),
    };
    PREDICATES.iter().copied().filter(is_in)
}

/// Whether a call of this name is a predicate wherever it stands; `not` may be a step.
pub(crate) fn is_predicate(name: &str) -> bool {
    name != "not" && PREDICATES.binary_search(&name).is_ok()
}

/// A constant by its name alone; types have none without their class.
pub(super) fn bare_constant(name: &str) -> Option<Argument> {
    let families = SymbolFamily::ALL.into_iter();
    let classes = families.filter(|(family, _)| *family != SymbolFamily::Type);
    let mut classes = ["T", "Direction"].into_iter().chain(classes.map(|(_, class)| class));
    constant(classes.find(|class| constants_of(class).contains(&name))?, name)
}

/// A constant by its class and name.
pub(super) fn constant(class: &str, name: &str) -> Option<Argument> {
    let value = match class {
        "T" => Value::Token(token(name)?),
        "Direction" => Value::Token(Token::End(direction(name)?)),
        _ => {
            return symbol(class, name).or_else(|| text_constant(class, name).map(Argument::Value));
        }
    };
    Some(Argument::Value(value))
}

fn token(name: &str) -> Option<Token> {
    Some(match name {
        "id" => Token::Id,
        "label" => Token::Label,
        "key" => Token::Key,
        "value" => Token::Value,
        _ => return None,
    })
}

/// An edge leads from the vertex it goes out of.
fn direction(name: &str) -> Option<Direction> {
    Some(match name {
        "OUT" | "from" => Direction::Out,
        "IN" | "to" => Direction::In,
        "BOTH" => Direction::Both,
        _ => return None,
    })
}

/// A type by its name, in capitals or none.
pub(super) fn type_constant(name: &str) -> Option<Argument> {
    symbol("GType", name)
}

fn symbol(class: &str, name: &str) -> Option<Argument> {
    let (family, _) = SymbolFamily::ALL.into_iter().find(|(_, word)| *word == class)?;
    let capitals = name.to_ascii_uppercase();
    let is_plain = name == capitals || !name.bytes().any(|byte| byte.is_ascii_uppercase());
    let name = if family == SymbolFamily::Type && is_plain { capitals.as_str() } else { name };
    let known = symbols_of(family).contains(&name);
    known.then(|| Argument::Symbol(Symbol { family, name: Arc::from(name) }))
}

/// The names that a class of constants has; empty: they are of several kinds.
pub(crate) fn constants_of(class: &str) -> &'static [&'static str] {
    match class {
        "T" => &["id", "key", "label", "value"],
        "Direction" => &["BOTH", "IN", "OUT", "from", "to"],
        "Geoshape" => &["box", "circle", "point"],
        _ => {
            let family = SymbolFamily::ALL.into_iter().find(|(_, word)| *word == class);
            family.map_or(&[], |(family, _)| symbols_of(family))
        }
    }
}

/// The constants of an enumeration.
fn symbols_of(family: SymbolFamily) -> &'static [&'static str] {
    match family {
        SymbolFamily::Barrier => &["normSack"],
        SymbolFamily::Cardinality => &["single", "list", "set"],
        SymbolFamily::Column => &["keys", "values"],
        SymbolFamily::DateTimePart => &["second", "minute", "hour", "day"],
        SymbolFamily::Merge => &["onCreate", "onMatch", "outV", "inV"],
        SymbolFamily::Operator => &[
            "addAll", "and", "assign", "div", "max", "min", "minus", "mult", "or", "sum", "sumLong",
        ],
        SymbolFamily::Order => &["asc", "desc", "shuffle"],
        SymbolFamily::Pick => &["any", "none", "unproductive"],
        SymbolFamily::Pop => &["first", "last", "all", "mixed"],
        SymbolFamily::Scope => &["local", "global"],
        SymbolFamily::Type => &[
            "BIGDECIMAL",
            "BIGINT",
            "BINARY",
            "BOOLEAN",
            "BYTE",
            "CHAR",
            "DATETIME",
            "DOUBLE",
            "DURATION",
            "EDGE",
            "FLOAT",
            "GRAPH",
            "INT",
            "LIST",
            "LONG",
            "MAP",
            "NULL",
            "NUMBER",
            "PATH",
            "PROPERTY",
            "SET",
            "SHORT",
            "STRING",
            "TREE",
            "UUID",
            "VERTEX",
            "VPROPERTY",
        ],
    }
}

/// The constants with texts or numbers as values, as in TinkerPop.
fn text_constant(class: &str, name: &str) -> Option<Value> {
    let names: &[&str] = match class {
        "ConnectedComponent" if name == "component" => {
            return Some(Value::string("gremlin.connectedComponentVertexProgram.component"));
        }
        "WithOptions" => return with_option(name),
        "ConnectedComponent" => &["edges", "propertyName"],
        "PageRank" | "PeerPressure" => &["edges", "times", "propertyName"],
        "ShortestPath" => &["target", "edges", "distance", "maxDistance", "includeEdges"],
        "IO" => return io_option(name),
        _ => return None,
    };
    if !names.contains(&name) {
        return None;
    }
    let (first, rest) = class.split_at(1);
    Some(Value::string(&format!("~tinkerpop.{}{rest}.{name}", first.to_ascii_lowercase())))
}

fn with_option(name: &str) -> Option<Value> {
    Some(match name {
        "tokens" => Value::string("~tinkerpop.valueMap.tokens"),
        "indexer" => Value::string("~tinkerpop.index.indexer"),
        "none" | "list" => Value::I32(0),
        "ids" | "map" => Value::I32(1),
        "labels" => Value::I32(2),
        "keys" => Value::I32(4),
        "values" => Value::I32(8),
        "all" => Value::I32(15),
        _ => return None,
    })
}

fn io_option(name: &str) -> Option<Value> {
    match name {
        "reader" | "writer" => Some(Value::string(&format!("~tinkerpop.io.{name}"))),
        "graphml" | "graphson" | "gryo" => Some(Value::string(name)),
        _ => None,
    }
}

/// The endings of traversals by name, except `next(n)`.
const ENDINGS: &[(&str, Ending)] = &[
    ("explain", Ending::Explain),
    ("hasNext", Ending::HasNext),
    ("iterate", Ending::Iterate),
    ("next", Ending::Next),
    ("toBulkSet", Ending::ToBulkSet),
    ("toList", Ending::ToList),
    ("toSet", Ending::ToSet),
    ("toString", Ending::ToString),
    ("tryNext", Ending::TryNext),
];

/// The names of all endings.
pub(crate) fn endings() -> impl Iterator<Item = &'static str> {
    ENDINGS.iter().map(|(name, _)| *name)
}

/// The ending of a name.
pub(super) fn ending(name: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(own, _)| *own == name).map(|(_, ending)| *ending)
}

/// The transaction command of a name.
pub(super) fn transaction_word(name: &str) -> Option<TransactionWord> {
    Some(match name {
        "begin" => TransactionWord::Begin,
        "commit" => TransactionWord::Commit,
        "rollback" => TransactionWord::Rollback,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [CLASSES, SOURCE_WORDS, PREDICATES] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }

    #[test]
    fn a_bare_constant_is_one_of_its_class() {
        for name in "id OUT from normSack set keys day inV sumLong desc unproductive mixed global"
            .split(' ')
        {
            assert!(bare_constant(name).is_some(), "{name}");
        }
        assert_eq!(bare_constant("INT"), None);
        assert_eq!(constant("Order", "decr"), None);
        assert_eq!(constant("GType", "int"), constant("GType", "INT"));
        assert_eq!(constant("GType", "Int"), None);
    }

    #[test]
    fn constants_have_the_values_of_tinkerpop() {
        let text = |class, name| match constant(class, name) {
            Some(Argument::Value(value)) => value.as_str().map(str::to_owned),
            _ => None,
        };
        assert_eq!(text("PageRank", "times").as_deref(), Some("~tinkerpop.pageRank.times"));
        assert_eq!(text("IO", "reader").as_deref(), Some("~tinkerpop.io.reader"));
        assert_eq!(text("IO", "gryo").as_deref(), Some("gryo"));
        assert_eq!(text("ShortestPath", "times"), None);
        assert_eq!(constant("WithOptions", "all"), Some(Argument::Value(Value::I32(15))));
    }
}
