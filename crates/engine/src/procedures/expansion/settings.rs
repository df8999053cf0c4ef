//! The map of settings of a search, and the filters written as texts in it.

use millrace_model::value::ValueMap;
use millrace_model::{Direction, Error, ErrorKind, Result, Value, VertexId};
use millrace_plan::Name;
use rustc_hash::FxHashSet;

/// What a search takes. Names are those of the settings, resolved when it begins.
#[derive(Default)]
pub(super) struct Settings {
    /// Types in a direction; `None`: all of them.
    pub(super) hops: Vec<(Option<Name>, Direction)>,
    pub(super) labels: LabelFilter,
    /// Whether the filter also holds for where the search starts.
    pub(super) filters_start: bool,
    pub(super) level_min: u32,
    pub(super) level_max: Option<u32>,
    /// How many are found at most.
    pub(super) limit: Option<u64>,
    /// Whether there is a row of null where nothing is found.
    pub(super) is_optional: bool,
    /// Only these are found, and the search goes on behind them.
    pub(super) ends: FxHashSet<VertexId>,
    /// Only these are found, and the search stops at them.
    pub(super) terminators: FxHashSet<VertexId>,
    /// Only these are entered.
    pub(super) allowed: Option<FxHashSet<VertexId>>,
    /// None of these is entered.
    pub(super) denied: FxHashSet<VertexId>,
}

/// Labels of the nodes of a search: each entry a list of labels that a node has all of. `None`: any node.
#[derive(Default)]
pub(super) struct LabelFilter {
    pub(super) allowed: Vec<Option<Vec<Name>>>,
    pub(super) denied: Vec<Option<Vec<Name>>>,
    pub(super) ends: Vec<Option<Vec<Name>>>,
    pub(super) terminators: Vec<Option<Vec<Name>>>,
}

/// The settings that are known, for messages.
const KNOWN: &str = "relationshipFilter, labelFilter, minLevel, maxLevel, limit, optional, filterStartNode, endNodes, \
                     terminatorNodes, allowlistNodes and denylistNodes are known";

impl Settings {
    /// Of a map; null has no settings.
    pub(super) fn of(value: &Value) -> Result<Settings> {
        let mut settings = Settings::default();
        let pairs: &ValueMap = match value {
            Value::Null => return Ok(settings.or_all()),
            Value::Map(pairs) => pairs,
            other => {
                let detail = format!("the settings are a map, and not a {}", other.type_name());
                return Err(bad(detail));
            }
        };
        for (key, value) in pairs {
            settings.set(key.as_str().unwrap_or_default(), value)?;
        }
        Ok(settings.or_all())
    }

    fn or_all(mut self) -> Settings {
        if self.hops.is_empty() {
            self.hops.push((None, Direction::Both));
        }
        self
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        if value.is_null() {
            return Ok(());
        }
        match key {
            "relationshipFilter" => self.hops = hops(text(key, value)?)?,
            "labelFilter" => self.labels = LabelFilter::of(text(key, value)?)?,
            "minLevel" => self.level_min = count(key, value)?.unwrap_or(0),
            "maxLevel" => self.level_max = count(key, value)?,
            "limit" => self.limit = count(key, value)?.map(u64::from),
            "optional" => self.is_optional = truth(key, value)?,
            "filterStartNode" => self.filters_start = truth(key, value)?,
            "endNodes" => self.ends = nodes(key, value)?,
            "terminatorNodes" => self.terminators = nodes(key, value)?,
            "allowlistNodes" | "whitelistNodes" => self.allowed = Some(nodes(key, value)?),
            "denylistNodes" | "blacklistNodes" => self.denied = nodes(key, value)?,
            "uniqueness" if value.as_str() == Some("NODE_GLOBAL") => {}
            "bfs" if truth(key, value)? => {}
            _ => {
                let detail = format!("the setting `{key}`, or this value of it, is not supported");
                return Err(Error::new(ErrorKind::Unsupported, detail).with_help(KNOWN));
            }
        }
        Ok(())
    }
}

impl LabelFilter {
    /// Of labels with `|` between them and a sign in front: `+` allowed (as without a sign), `-` denied, `>` found only
    /// there, `/` found only there and gone no further. `A:B` is a node with both, `*` any node.
    fn of(filter: &str) -> Result<LabelFilter> {
        let mut labels = LabelFilter::default();
        if filter.contains(',') {
            return Err(no_sequences("labelFilter"));
        }
        for own in filter.split('|').map(str::trim).filter(|own| !own.is_empty()) {
            let (list, names) = match own.split_at(own.chars().next().map_or(0, char::len_utf8)) {
                ("-", names) => (&mut labels.denied, names),
                (">", names) => (&mut labels.ends, names),
                ("/", names) => (&mut labels.terminators, names),
                ("+", names) => (&mut labels.allowed, names),
                _ => (&mut labels.allowed, own),
            };
            list.push((names != "*").then(|| names.split(':').map(name_of).collect()));
        }
        Ok(labels)
    }

    /// Whether only nodes with some labels are found.
    pub(super) fn has_ends(&self) -> bool {
        !self.ends.is_empty() || !self.terminators.is_empty()
    }
}

/// Types with `|` between them: `KNOWS>` out, `<KNOWS` in, `KNOWS` both ways; without a name all types.
fn hops(filter: &str) -> Result<Vec<(Option<Name>, Direction)>> {
    if filter.contains(',') {
        return Err(no_sequences("relationshipFilter"));
    }
    let hop = |own: &str| {
        let direction = match (own.contains('<'), own.contains('>')) {
            (true, false) => Direction::In,
            (false, true) => Direction::Out,
            (true, true) | (false, false) => Direction::Both,
        };
        let name = own.trim_matches(['<', '>', ' ']);
        ((!name.is_empty()).then(|| name_of(name)), direction)
    };
    Ok(filter.split('|').map(str::trim).filter(|own| !own.is_empty()).map(hop).collect())
}

fn name_of(name: &str) -> Name {
    Name::from(name.trim().trim_matches('`'))
}

fn no_sequences(key: &str) -> Error {
    let detail = format!("a sequence in `{key}`, with a comma, is not supported");
    Error::new(ErrorKind::Unsupported, detail).with_help("write a quantified path pattern")
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue")
}

fn wrong(key: &str, wanted: &str, value: &Value) -> Error {
    bad(format!("the setting `{key}` is {wanted}, and not a {}", value.type_name()))
}

fn text<'v>(key: &str, value: &'v Value) -> Result<&'v str> {
    value.as_str().ok_or_else(|| wrong(key, "a text", value))
}

fn truth(key: &str, value: &Value) -> Result<bool> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        other => Err(wrong(key, "true or false", other)),
    }
}

/// None of -1, which stands for no bound.
fn count(key: &str, value: &Value) -> Result<Option<u32>> {
    let number = value.as_int().ok_or_else(|| wrong(key, "an integer", value))?;
    if number == -1 {
        return Ok(None);
    }
    let count = u32::try_from(number.min(i64::from(u32::MAX)));
    count.map(Some).map_err(|_| bad(format!("the setting `{key}` is -1 or more, not {number}")))
}

fn nodes(key: &str, value: &Value) -> Result<FxHashSet<VertexId>> {
    vertices(value)
        .ok_or_else(|| wrong(key, "a list of nodes", value))
        .map(|found| found.into_iter().collect())
}

/// A node, or a list of nodes; null is no node.
pub(super) fn vertices(value: &Value) -> Option<Vec<VertexId>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::Vertex(vertex) => Some(vec![*vertex]),
        Value::List(entries) => {
            let vertex = |entry: &Value| match entry {
                Value::Vertex(vertex) => Some(*vertex),
                _ => None,
            };
            entries.iter().map(vertex).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_directions() {
        let name = |name: &str| Some(Name::from(name));
        let found = hops("KNOWS>|<LIKES| HAS |<|`A B`>").expect("it reads");
        assert_eq!(
            found,
            [
                (name("KNOWS"), Direction::Out),
                (name("LIKES"), Direction::In),
                (name("HAS"), Direction::Both),
                (None, Direction::In),
                (name("A B"), Direction::Out),
            ]
        );
        hops("A>,B>").expect_err("a sequence");
    }

    #[test]
    fn labels_have_signs() {
        let filter = LabelFilter::of("+A|B:C|-D|>E|/F|*").expect("it reads");
        let names = |names: &[&str]| Some(names.iter().copied().map(Name::from).collect());
        assert_eq!(filter.allowed, [names(&["A"]), names(&["B", "C"]), None]);
        assert_eq!(filter.denied, [names(&["D"])]);
        assert_eq!((filter.ends, filter.terminators), (vec![names(&["E"])], vec![names(&["F"])]));
    }

    #[test]
    fn a_setting_of_another_type_is_refused() {
        let of = |key: &str, value: Value| Settings::of(&Value::map(vec![(key.into(), value)]));
        for (key, value) in [
            ("maxLevel", Value::from("3")),
            ("maxLevel", Value::I64(-2)),
            ("bfs", Value::Bool(false)),
            ("unknown", Value::I64(1)),
            ("endNodes", Value::I64(1)),
            ("relationshipFilter", Value::I64(1)),
        ] {
            assert!(of(key, value).is_err(), "{key}");
        }
        assert!(of("maxLevel", Value::Null).is_ok_and(|own| own.level_max.is_none()));
        assert!(of("limit", Value::I64(-1)).is_ok_and(|own| own.limit.is_none()));
    }
}
