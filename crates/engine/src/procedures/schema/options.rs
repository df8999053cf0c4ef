//! `OPTIONS` of an index: the provider, and how its keys are made.

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::nearest;
use millrace_terms::Analyzer;

use super::made::Made;
use super::rule::What;
use super::show::provider;
use super::vector::space_of;

/// Neo4j's default.
const ANALYZER: &str = "standard-no-stop-words";

/// Options of every index.
pub(super) const PROVIDER: &str = "indexProvider";
pub(super) const CONFIG: &str = "indexConfig";

/// Options of a full-text index.
const FULLTEXT_ANALYZER: &str = "fulltext.analyzer";
const EVENTUALLY_CONSISTENT: &str = "fulltext.eventually_consistent";

/// The kind of a rule by its word and options; `None` if there is no such word.
pub(super) fn kind_with_options(word: &str, options: &Value) -> Result<Option<What>> {
    let is_fulltext = word == "fulltext";
    if word == "vector" {
        return space_of(options).map(|space| Some(What::Made(Made::Vector(space))));
    }
    let default = || Analyzer::named(ANALYZER).map(|own| What::Made(Made::Fulltext(own)));
    let Some(kind) = (if is_fulltext { Some(default()?) } else { What::parse(word) }) else {
        return Ok(None);
    };
    let mut config = None;
    for (name, value) in pairs(options, "OPTIONS")? {
        match &*name {
            PROVIDER => check_provider(kind, &value)?,
            CONFIG => config = Some(value),
            other => return Err(unknown(other, "`OPTIONS` of an index", &[PROVIDER, CONFIG])),
        }
    }
    let config = config.unwrap_or_default();
    if is_fulltext {
        return fulltext_config(&config).map(|analyzer| Some(What::Made(Made::Fulltext(analyzer))));
    }
    let given = pairs(&config, CONFIG)?;
    for (name, value) in &given {
        let known = point_config().into_iter();
        let mut known = known.filter(|(own, _)| kind == What::Made(Made::Point) && own == name);
        let Some((_, extent)) = known.next() else {
            return Err(unknown(name, "the configuration of this index", &[]));
        };
        check_extent(name, value, &extent)?;
    }
    Ok(Some(kind))
}

/// An extent says where the points are expected; those beyond are found, too, so it changes no result.
fn check_extent(name: &str, value: &Value, usual: &Value) -> Result<()> {
    let list = |value: &Value| match value {
        Value::List(entries) => entries.to_vec(),
        _ => Vec::new(),
    };
    let (axes, given) = (list(usual).len(), list(value));
    let is_finite = |own: &Value| own.as_double().is_some_and(f64::is_finite);
    match given.len() == axes && given.iter().all(is_finite) {
        true => Ok(()),
        false => Err(wrong(name, &format!("a list of {axes} numbers"), value)),
    }
}

/// The extents of the grids of a point index, by Neo4j's names: its defaults.
pub(super) fn point_config() -> Vec<(&'static str, Value)> {
    let list = |numbers: &[f64]| Value::list(numbers.iter().copied().map(Value::F64).collect());
    vec![
        ("spatial.cartesian-3d.max", list(&[1e6, 1e6, 1e6])),
        ("spatial.cartesian-3d.min", list(&[-1e6, -1e6, -1e6])),
        ("spatial.cartesian.max", list(&[1e6, 1e6])),
        ("spatial.cartesian.min", list(&[-1e6, -1e6])),
        ("spatial.wgs-84-3d.max", list(&[180.0, 90.0, 1e6])),
        ("spatial.wgs-84-3d.min", list(&[-180.0, -90.0, -1e6])),
        ("spatial.wgs-84.max", list(&[180.0, 90.0])),
        ("spatial.wgs-84.min", list(&[-180.0, -90.0])),
    ]
}

/// The analyzer that the configuration of a full-text index names, or the one that it has by default. Before Neo4j 5
/// the names had nothing before them.
pub(in crate::procedures) fn fulltext_config(config: &Value) -> Result<Analyzer> {
    let mut analyzer = Analyzer::named(ANALYZER)?;
    for (name, value) in pairs(config, CONFIG)? {
        match &*name {
            FULLTEXT_ANALYZER | "analyzer" => match &value {
                Value::String(own) => analyzer = Analyzer::named(own)?,
                other => return Err(wrong(&name, "a text", other)),
            },
            // An index that is always consistent is so eventually, too.
            EVENTUALLY_CONSISTENT | "eventually_consistent" => {
                let as_text = |text: &str| matches!(text, "true" | "false");
                let is_flag =
                    matches!(value, Value::Bool(_)) || value.as_str().is_some_and(as_text);
                if !is_flag {
                    return Err(wrong(&name, "a boolean", &value));
                }
            }
            other => {
                let known = [FULLTEXT_ANALYZER, EVENTUALLY_CONSISTENT];
                return Err(unknown(other, "the configuration of a full-text index", &known));
            }
        }
    }
    Ok(analyzer)
}

/// The entries of a map; none of null.
pub(super) fn pairs(map: &Value, name: &str) -> Result<Vec<(String, Value)>> {
    match map {
        Value::Null => Ok(Vec::new()),
        Value::Map(pairs) => pairs
            .iter()
            .map(|(key, value)| match key {
                Value::String(key) => Ok((key.to_string(), value.clone())),
                other => Err(wrong(name, "a map of names", other)),
            })
            .collect(),
        other => Err(wrong(name, "a map", other)),
    }
}

/// A provider is one of Neo4j's for the kind: each version of it.
pub(super) fn check_provider(kind: What, value: &Value) -> Result<()> {
    let Value::String(given) = value else { return Err(wrong(PROVIDER, "a text", value)) };
    let own = provider(kind);
    let family = |name: &str| name.rsplit_once('-').map(|(family, _)| family.to_owned());
    // Before its ranges, Neo4j had trees of its own.
    let is_native = own == "range-1.0" && family(given).as_deref() == Some("native-btree");
    if family(given) == family(own) || is_native {
        return Ok(());
    }
    let detail = format!("`{given}` provides no index of kind {kind}");
    Err(Error::new(ErrorKind::BadInput, detail).with_help(format!("`{own}` does; or leave it out")))
}

pub(super) fn wrong(name: &str, wanted: &str, given: &Value) -> Error {
    let detail = format!("`{name}` must be {wanted}, and is of type {}", given.type_name());
    Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue")
}

pub(super) fn unknown(name: &str, of: &str, known: &[&str]) -> Error {
    let error = Error::new(ErrorKind::BadInput, format!("{of} has no `{name}`"));
    error.with_help(match (known, nearest(name, known.iter().copied())) {
        (_, Some(near)) => format!("the nearest name is `{near}`"),
        ([], None) => "leave it out".to_owned(),
        (known, None) => format!("it has `{}`", known.join("` and `")),
    })
}
