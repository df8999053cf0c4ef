//! Properties in languages: the languages asked for, as a query writes them, and the fields of each vertex.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{
    Column, ColumnValues, KeyId, LabelId, Value, column::Field, property_values::PropertyValues,
};
use millrace_plan::{Language, Languages, Name, Op, Plan, op};
use millrace_store::{Labels, NameKind, Snapshot, Store};
use millrace_testkit::golden;

use crate::fixture::{begin, builder, commit, empty, error, reading, run};

/// The properties of some films.
const FILMS: [&[(&str, &str)]; 5] = [
    &[("name", "bare"), ("year", "1999")],
    &[("name", "bare"), ("name@en", "english"), ("name@fr", "french"), ("name|by", "me")],
    &[("name@de", "german"), ("name@cs", "czech"), ("name@cs|by", "you"), ("name@cs|at", "noon")],
    &[("name@en|by", "nobody"), ("title@en", "title")],
    &[],
];

#[test]
fn fields_are_in_the_languages_that_are_asked_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/languages");
    let store = films();
    golden::check_folder(folder, |case| {
        let plan = plan(&case.input);
        // The oracle agrees.
        run(&store, &plan);
        let batch = millrace_engine::execute(&plan, &reading(&store), &[]).expect("runs");
        let ColumnValues::Fields(fields) = &batch.columns[0].values else { panic!("fields") };
        let snapshot = store.snapshot().expect("a snapshot");
        let films = fields.iter().map(|fields| shown(fields, &*snapshot));
        format!("{plan}rows\n{}", films.collect::<Vec<_>>().join("\n"))
    });
}

#[test]
fn the_first_of_no_languages_is_refused() {
    let mut plan = plan("name@en");
    let Some(Op::Fields(op::Fields { languages, .. })) = plan.root.ops.last_mut() else {
        panic!("fields")
    };
    *languages = Some(Languages::First(Vec::new()));
    assert!(error(&films(), &plan).detail.contains("no languages"));
}

fn films() -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    transaction.intern(&[(NameKind::Label, "Film")]).expect("a label");
    for film in FILMS {
        let mut properties = Vec::new();
        for (key, value) in film {
            let key = transaction.intern(&[(NameKind::Key, *key)]).expect("a key")[0];
            let value = match *value {
                // Several values of one key.
                "german" => several(["german", "deutsch"]),
                value => Value::from(value),
            };
            properties.push((KeyId(key), Column::from_values([value])));
        }
        let properties: Vec<_> = properties.iter().map(|(key, column)| (*key, column)).collect();
        let film = transaction.create_vertices(&Labels::from([LabelId(0)]), 1, &properties);
        film.expect("a film");
    }
    commit(transaction);
    store
}

fn several(values: [&str; 2]) -> Value {
    let mut property = PropertyValues::default();
    values.iter().for_each(|value| property.append(&Value::from(*value), &[]));
    property.into_value().expect("two values")
}

/// A key with its languages as DQL writes it; all keys without one, without '@' as they are stored.
fn plan(asked: &str) -> Plan {
    let (key, languages) = match asked.split_once('@') {
        None => (asked, None),
        Some((key, "")) => (key, Some(Languages::Untagged)),
        Some((key, "*")) => (key, Some(Languages::All)),
        Some((key, chain)) => {
            let language = |tag| match tag {
                "." => Language::Any,
                tag => Language::Tag(Name::from(tag)),
            };
            (key, Some(Languages::First(chain.split(':').map(language).collect())))
        }
    };
    let mut plan = builder();
    let film = plan.scan(Some("Film"), "film");
    let to = plan.column("fields");
    let keys = (key != "all").then(|| vec![Name::from(key)]);
    plan.push(op::Fields { element: film, keys, languages, to });
    plan.finish(vec![to])
}

fn shown(fields: &[Field], graph: &dyn Snapshot) -> String {
    let catalog = graph.catalog();
    let shown = fields.iter().map(|field| {
        let name = field.name(&catalog).expect("a key of this graph");
        let language = name.language.map_or(String::new(), |language| format!(" in {language}"));
        let facet = name.facet.map_or(String::new(), |facet| format!(" of its {facet}"));
        format!("{}{language}{facet}: {}", name.key, value(&field.value))
    });
    format!("({})", shown.collect::<Vec<_>>().join("; "))
}

fn value(value: &Value) -> String {
    let shown = PropertyValues::of(value);
    let shown = shown.values().iter().map(|entry| {
        let meta = entry.meta.iter().map(|(key, value)| format!(" {key}={value:?}"));
        format!("{:?}{}", entry.value, meta.collect::<String>())
    });
    shown.collect::<Vec<_>>().join(", ")
}
