//! The paths from a node: a path of variable length. Where each node is found once they are those of a spanning tree.

use millrace_model::Error;

use super::{Expanded, ExpandedProcedure, Expanding};
use crate::tree::{Expr, ExprKind, Literal, Name};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[
    ExpandedProcedure {
        name: "apoc.path.expand",
        arguments: &["startNode", "relFilter", "labelFilter", "minDepth", "maxDepth"],
        required: 5,
        columns: &["path"],
        about: "The paths from a node over relationships of some types, no relationship twice in a path.",
        expand,
    },
    ExpandedProcedure {
        name: "apoc.path.expandConfig",
        arguments: &["startNode", "config"],
        required: 2,
        columns: &["path"],
        about: "The same, with settings in a map.",
        expand: expand_config,
    },
];

/// What the settings say of the paths.
struct Paths {
    /// What stands before and behind the types, and these.
    hop: (String, String, String),
    /// The labels that nodes behind the start must have or not.
    test: Option<String>,
    least: i64,
    most: String,
    limit: String,
}

impl Paths {
    /// Of the map of settings.
    fn of(call: &Expanding<'_>) -> Result<Paths, Vec<Error>> {
        let mut paths = Paths::any();
        for (key, value) in call.pairs(1)? {
            paths.set(call, key, value)?;
        }
        Ok(paths)
    }

    fn any() -> Paths {
        let hop = ("-".to_owned(), "-".to_owned(), String::new());
        Paths { hop, test: None, least: 0, most: String::new(), limit: String::new() }
    }

    fn set(&mut self, call: &Expanding<'_>, key: &str, value: &Expr) -> Result<(), Vec<Error>> {
        match (key, &value.kind) {
            ("relationshipFilter", _) => self.hop = types(call, value)?,
            ("labelFilter", _) => self.test = labels(call, value)?,
            ("minLevel", ExprKind::Literal(Literal::Integer(own))) if 0 <= *own => {
                self.least = *own;
            }
            ("maxLevel", ExprKind::Literal(Literal::Integer(own))) if 0 <= *own => {
                self.most = own.to_string();
            }
            // -1 is no bound, as a unary minus.
            ("minLevel" | "maxLevel", ExprKind::Unary(..)) => {}
            ("limit", ExprKind::Literal(Literal::Integer(own))) if 0 <= *own => {
                self.limit = format!(" LIMIT {own}");
            }
            ("uniqueness", ExprKind::Literal(Literal::String(own)))
                if &**own == "RELATIONSHIP_PATH" => {}
            // In which order paths are found is unspecified.
            ("bfs", ExprKind::Literal(_)) => {}
            ("filterStartNode", ExprKind::Literal(Literal::Boolean(false))) => {}
            ("filterStartNode", ExprKind::Literal(_)) if self.test.is_none() => {}
            _ => {
                let detail = format!("the setting `{key}`, or this value of it");
                let help = "relationshipFilter, labelFilter (+A|-B), minLevel, maxLevel and limit are known; with uniqueness: 'NODE_GLOBAL', or in apoc.path.spanningTree, all settings may be values";
                return Err(call.refused(value.at, &detail, help));
            }
        }
        Ok(())
    }

    /// The pattern from a start to ` end`.
    fn pattern(&self, start: &str) -> String {
        let Paths { hop: (before, behind, types), least, most, .. } = self;
        format!("({start}){before}[{types}*{least}..{most}]{behind}(` end`)")
    }

    /// A condition on the nodes of ` path` behind the start.
    fn condition(&self) -> String {
        let of = |test: &String| format!(" WHERE all(` n` IN nodes(` path`)[1..] WHERE {test})");
        self.test.as_ref().map(of).unwrap_or_default()
    }
}

fn expand(call: &Expanding<'_>) -> Expanded {
    let mut paths = Paths::any();
    let keys = ["relationshipFilter", "labelFilter", "minLevel", "maxLevel"];
    for (key, value) in keys.into_iter().zip(&call.arguments[1..]) {
        if !matches!(value.kind, ExprKind::Literal(Literal::Null)) {
            paths.set(call, key, value)?;
        }
    }
    all_paths(call, &paths)
}

fn expand_config(call: &Expanding<'_>) -> Expanded {
    let is_tree = |(key, value): &(Name, Expr)| {
        let ExprKind::Literal(Literal::String(own)) = &value.kind else { return false };
        &**key == "uniqueness" && &**own == "NODE_GLOBAL"
    };
    if let ExprKind::Map(pairs) = &call.arguments[1].kind
        && pairs.iter().any(is_tree)
    {
        return call.renamed("apoc.path.spanningTree");
    }
    all_paths(call, &Paths::of(call)?)
}

fn all_paths(call: &Expanding<'_>, paths: &Paths) -> Expanded {
    let path = call.yielded("path").unwrap_or_else(|| format!("` path{}`", call.number));
    let (start, bind) = call.as_variable(0, " start");
    let (bind, pattern) = (bind.unwrap_or_default(), paths.pattern(&start));
    let (condition, limit) = (paths.condition(), &paths.limit);
    call.clauses(&format!(
        "{bind}CALL ({start}) {{ MATCH ` path` = {pattern}{condition} RETURN ` path` AS {path}{limit} }}"
    ))
}

/// The test of a filter such as `+Person|-Robot`: with labels that are wanted, one of these; none of the others.
fn labels(call: &Expanding<'_>, filter: &Expr) -> Result<Option<String>, Vec<Error>> {
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    for own in call.literal_of(filter)?.split('|').map(str::trim).filter(|own| !own.is_empty()) {
        let (list, name) = match own.split_at_checked(1) {
            Some(("+", name)) => (&mut wanted, name),
            Some(("-", name)) => (&mut unwanted, name),
            Some((">" | "/", _)) => {
                let help = "write a pattern: `>` and `/` stand for nodes at the end of a path";
                return Err(call.refused(filter.at, "a label of the end", help));
            }
            _ => (&mut wanted, own),
        };
        if name.is_empty() || name.contains(['*', ':']) {
            let help = "write labels with + or - in front, and | between them";
            return Err(call.refused(filter.at, "this filter of labels", help));
        }
        list.push(format!("`{}`", name.replace('`', "``")));
    }
    let tests = [(wanted, ""), (unwanted, "NOT ")].into_iter();
    let tests = tests.filter(|(names, _)| !names.is_empty());
    let tests: Vec<String> =
        tests.map(|(names, not)| format!("{not}` n`:{}", names.join("|"))).collect();
    Ok((!tests.is_empty()).then(|| tests.join(" AND ")))
}

/// The hop of a filter such as `KNOWS>|LIKES>`: what stands before and behind its types.
fn types(call: &Expanding<'_>, filter: &Expr) -> Result<(String, String, String), Vec<Error>> {
    let mut names = Vec::new();
    let mut direction = None;
    for own in call.literal_of(filter)?.split('|').map(str::trim) {
        let (name, around) = match (own.strip_prefix('<'), own.strip_suffix('>')) {
            (Some(name), _) => (name, ("<-", "-")),
            (None, Some(name)) => (name, ("-", "->")),
            (None, None) => (own, ("-", "-")),
        };
        if *direction.get_or_insert(around) != around {
            let help = "write types of one direction, or a pattern";
            return Err(call.refused(filter.at, "types of several directions", help));
        }
        if !name.is_empty() {
            names.push(format!("`{}`", name.replace('`', "``")));
        }
    }
    let (before, behind) = direction.unwrap_or(("-", "-"));
    let types = if names.is_empty() { String::new() } else { format!(":{}", names.join("|")) };
    Ok((before.to_owned(), behind.to_owned(), types))
}
