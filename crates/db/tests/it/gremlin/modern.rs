//! TinkerPop's graph `modern` with the ids that it has there, and answers as texts.

use std::collections::HashMap;

use millrace_db::{Database, Settings};
use millrace_model::{Direction, Token, Tree, Value};

use super::scenarios::run;

/// The script that makes it.
pub(super) const MODERN: &str = "g.addV('person').property(T.id, 1).property('name', 'marko').property('age', 29).as('a')\
    .addV('person').property(T.id, 2).property('name', 'vadas').property('age', 27).as('b')\
    .addV('software').property(T.id, 3).property('name', 'lop').property('lang', 'java').as('c')\
    .addV('person').property(T.id, 4).property('name', 'josh').property('age', 32).as('d')\
    .addV('software').property(T.id, 5).property('name', 'ripple').property('lang', 'java').as('e')\
    .addV('person').property(T.id, 6).property('name', 'peter').property('age', 35).as('f')\
    .addE('knows').from('a').to('b').property(T.id, 7).property('weight', 0.5d)\
    .addE('knows').from('a').to('d').property(T.id, 8).property('weight', 1.0d)\
    .addE('created').from('a').to('c').property(T.id, 9).property('weight', 0.4d)\
    .addE('created').from('d').to('e').property(T.id, 10).property('weight', 1.0d)\
    .addE('created').from('d').to('c').property(T.id, 11).property('weight', 0.4d)\
    .addE('created').from('f').to('c').property(T.id, 12).property('weight', 0.2d)";

/// A graph of its own.
pub(super) struct Graph {
    database: Database,
    _folder: tempfile::TempDir,
}

impl Graph {
    /// The graph that scripts make.
    pub(super) fn of(scripts: &[&str]) -> Graph {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path(), Settings::default()).expect("it opens");
        database.create_graph("one").expect("a new graph");
        let graph = Graph { database, _folder: folder };
        for script in scripts {
            graph.run(script).unwrap_or_else(|error| panic!("{script}: {error}"));
        }
        graph
    }

    /// TinkerPop's.
    pub(super) fn modern() -> Graph {
        Graph::of(&[MODERN])
    }

    /// The values of a text, or its error.
    pub(super) fn run(&self, text: &str) -> Result<Vec<Value>, String> {
        let answer = run(&self.database, "one", text, &HashMap::new(), &[]);
        answer.map_err(|error| error.to_string())
    }

    /// The results of a text, as texts.
    pub(super) fn ask(&self, text: &str) -> Vec<String> {
        let found = self.run(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        found.iter().map(shown).collect()
    }

    /// The same in order.
    pub(super) fn sorted(&self, text: &str) -> Vec<String> {
        let mut found = self.ask(text);
        found.sort();
        found
    }

    /// Asserts the results of each text, in any order.
    #[track_caller]
    pub(super) fn expect(&self, cases: &[(&str, &[&str])]) {
        for (text, wanted) in cases {
            let mut wanted = wanted.to_vec();
            wanted.sort_unstable();
            assert_eq!(self.sorted(text), wanted, "{text}");
        }
    }

    /// Asserts that each text fails with an error that says so.
    #[track_caller]
    pub(super) fn expect_errors(&self, cases: &[(&str, &str)]) {
        for (text, said) in cases {
            match self.run(text) {
                Ok(found) => panic!("{text}: {found:?}"),
                Err(error) => assert!(error.contains(said), "{text}: {error}"),
            }
        }
    }
}

/// A value as text.
pub(super) fn shown(value: &Value) -> String {
    let all = |values: &[Value]| values.iter().map(shown).collect::<Vec<_>>().join(", ");
    match value {
        Value::Null => "null".into(),
        Value::Bool(truth) => truth.to_string(),
        Value::String(text) => text.to_string(),
        Value::List(values) => format!("[{}]", all(values)),
        Value::Set(values) => format!("set[{}]", all(values)),
        Value::Path(path) => format!("path[{}]", all(&path.objects())),
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, value)| format!("{}:{}", shown(key), shown(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::MapEntry(entry) => format!("{}={}", shown(&entry.0), shown(&entry.1)),
        Value::Vertex(vertex) => format!("v[{}]", vertex.0),
        Value::Edge(edge) => format!("e[{}]", edge.0),
        Value::VertexProperty(own) => format!("vp[{}]", own.key),
        Value::Property(own) => format!("p[{}->{}]", own.key, shown(&own.value)),
        Value::Token(token) => match token {
            Token::Id => "id",
            Token::Label => "label",
            Token::Key => "key",
            Token::Value => "value",
            Token::End(Direction::In) => "IN",
            Token::End(Direction::Out) => "OUT",
            Token::End(Direction::Both) => "BOTH",
        }
        .into(),
        Value::Tree(tree) => shown_tree(tree),
        other => match (other.as_int(), other.as_double()) {
            (Some(int), _) => int.to_string(),
            (None, Some(double)) => format!("{double:?}"),
            (None, None) => format!("{other:?}"),
        },
    }
}

fn shown_tree(tree: &Tree) -> String {
    let branches =
        tree.branches.iter().map(|(own, below)| format!("{}{}", shown(own), shown_tree(below)));
    format!("({})", branches.collect::<Vec<_>>().join(", "))
}
