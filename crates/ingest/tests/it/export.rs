//! A load of an export gives the same graph; a value that a format cannot hold is refused by name.

use millrace_ingest::export::{ExportFormat, ExportOptions, ExportSummary, export};
use millrace_ingest::load::{Format, LoadOptions, Summary, load, quiet};
use millrace_ingest::reading::{Reading, input_of, input_of_files};
use millrace_ingest::source::Source;
use millrace_model::{ErrorKind, Value, VertexId};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, EdgeRows, Elements, ScanCursor, Store};
use millrace_testkit::run_seeds;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn store() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn of_text(name: &str, text: &str) -> Arc<dyn Store> {
    let (store, source) = (store(), Source::stream(name, Cursor::new(text.to_owned())));
    let input = input_of(vec![source], &Reading::default()).unwrap();
    load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    store
}

fn write(
    store: &dyn Store,
    format: ExportFormat,
    to: &Path,
) -> Result<ExportSummary, millrace_model::Error> {
    let options = ExportOptions::of(format);
    let mut go_on = |_: &str, done: u64, total: u64| {
        assert!(done <= total, "{done} of {total}");
        ControlFlow::Continue(())
    };
    export(&*store.snapshot().unwrap(), to, options, &mut go_on)
}

/// Loads all of it into an empty graph.
fn read(to: &Path, multiline: bool) -> (Arc<dyn Store>, Summary) {
    let paths: Vec<PathBuf> = match to.is_dir() {
        true => std::fs::read_dir(to).unwrap().map(|entry| entry.unwrap().path()).collect(),
        false => vec![to.to_owned()],
    };
    let mut reading = Reading::default();
    reading.csv.dialect.multiline = multiline;
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let (store, input) = (store(), input_of_files(&paths, &reading).unwrap());
    let summary = load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    (store, summary)
}

/// Everything in a graph, element by element. With a key, vertices are known by it; else by their ids,
/// and edges by theirs. Numbers without their widths, if `wide`.
fn content(store: &dyn Store, key: Option<&str>, wide: bool) -> String {
    let snapshot = store.snapshot().unwrap();
    let catalog = snapshot.catalog();
    let (mut vertices, mut cursor) = (Vec::new(), ScanCursor::default());
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 100, &mut vertices).unwrap();
    }
    let shown = |elements: Elements<'_>| {
        let ids = snapshot.external_id_values(elements).unwrap();
        let own = |row: usize| match elements {
            Elements::Vertices(ids) => ids[row].0,
            Elements::Edges(ids) => ids[row].0,
        };
        let id = |row: usize| ids.as_ref().and_then(|ids| ids.get(row)).map(|id| format!("{id:?}"));
        let id =
            |row: usize| id(row).unwrap_or_else(|| format!("{:?}", Value::I64(own(row) as i64)));
        (0..elements.len()).map(id).collect::<Vec<_>>()
    };
    let fields = |elements| {
        let pairs = |fields: Arc<[millrace_model::column::Field]>| {
            let pair = |field: &millrace_model::column::Field| {
                let name = catalog.keys.name(field.key.0).unwrap();
                format!("{name}={}", describe(&field.value, wide))
            };
            let mut pairs: Vec<String> = fields.iter().map(pair).collect();
            pairs.sort();
            pairs.join(" ")
        };
        snapshot.fields(elements).unwrap().into_iter().map(pairs).collect::<Vec<_>>()
    };
    let all = Elements::Vertices(&vertices);
    let names: Vec<String> = match key.and_then(|key| catalog.key(key)) {
        Some(key) => {
            let column = snapshot.gather(all, &[key]).unwrap().remove(0);
            (0..vertices.len()).map(|row| format!("{:?}", column.get(row))).collect()
        }
        None => shown(all),
    };
    let name = |vertex: &VertexId| &names[vertices.binary_search(vertex).unwrap()];
    let labels = snapshot.labels(&vertices).unwrap();
    let mut lines = Vec::new();
    for (row, fields) in fields(all).into_iter().enumerate() {
        let labels = labels[row].iter().map(|label| catalog.labels.name(label.0).unwrap());
        let mut labels: Vec<_> = labels.collect();
        labels.sort();
        lines.push(format!("({} {labels:?} {fields})", names[row]));
    }
    let (mut rows, mut cursor) = (EdgeRows::default(), ScanCursor::default());
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, 100, &mut rows).unwrap();
    }
    let edges = Elements::Edges(&rows.edges);
    let ids = if key.is_some() { vec![String::new(); rows.edges.len()] } else { shown(edges) };
    for (row, fields) in fields(edges).into_iter().enumerate() {
        let edge_type = catalog.edge_types.name(rows.types[row].0).unwrap();
        let (source, target) = (name(&rows.sources[row]), name(&rows.targets[row]));
        lines.push(format!("({source})-[{edge_type} {} {fields}]->({target})", ids[row]));
    }
    lines.sort();
    lines.join("\n")
}

fn describe(value: &Value, wide: bool) -> String {
    match (value, wide) {
        (Value::List(values), true) => {
            values.iter().map(|value| describe(value, wide)).collect::<Vec<_>>().join(",")
        }
        (Value::F32(number), true) => format!("{:?}", Value::F64(f64::from(*number))),
        (value, true) if value.as_int().is_some() => format!("{:?}", value.as_int()),
        (value, _) => format!("{value:?}"),
    }
}

const GRAPHSON: &str = r#"{"id":7,"label":"person","properties":{"name":[{"value":"a \"b\"\n<&>\u0001"}],"nick":[{"value":"x","properties":{"since":{"@type":"g:Int32","@value":1}}},{"value":2.5}],"big":[{"value":{"@type":"gx:BigInteger","@value":"123456789012345678901234567890"}}],"exact":[{"value":{"@type":"gx:BigDecimal","@value":"1234567890123456.789012345678"}}]},"outE":{"knows":[{"id":100,"inV":"text id","properties":{"w":{"@type":"g:Float","@value":0.1}}},{"id":"edge","inV":7},{"inV":9000000000000}],"x":[{"inV":7}]}}
{"id":"text id","properties":{"day":[{"value":{"@type":"gx:LocalDate","@value":"2024-02-29"}}],"at":[{"value":{"@type":"gx:OffsetDateTime","@value":"2024-02-29T12:30:00.25+01:00"}}],"local":[{"value":{"@type":"gx:LocalDateTime","@value":"2024-02-29T12:30:00"}}],"for":[{"value":{"@type":"gx:Duration","@value":"P1DT-1.25S"}}],"of":[{"value":{"@type":"gx:Period","@value":"P14M3D"}}],"u":[{"value":{"@type":"g:UUID","@value":"41d2e28a-20a4-4ab0-b379-d810dede3786"}}],"nan":[{"value":{"@type":"g:Double","@value":"NaN"}}],"inf":[{"value":{"@type":"g:Float","@value":"-Infinity"}}]}}
{"id":9000000000000,"label":"person","properties":{"small":[{"value":{"@type":"gx:Byte","@value":-1}}],"short":[{"value":{"@type":"gx:Int16","@value":1}}],"shape":[{"value":{"@type":"janusgraph:Geoshape","@value":{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1.5,0],[1,1],[0,0]]]}}}}],"list":[{"value":{"@type":"g:List","@value":[1,"a",null,{"@type":"g:Set","@value":[true]}]}}],"map":[{"value":{"@type":"g:Map","@value":["k",{"@type":"g:Int64","@value":1}]}}]}}
"#;

#[test]
fn graphson_goes_out_and_comes_back_with_all_types_and_ids() {
    let folder = tempfile::tempdir().unwrap();
    let store = of_text("in.json", GRAPHSON);
    for name in ["out.json", "out.json.gz"] {
        let to = folder.path().join(name);
        let summary = write(&*store, ExportFormat::GraphSon, &to).unwrap();
        assert_eq!((summary.vertices, summary.edges), (3, 4));
        let (again, loaded) = read(&to, false);
        assert_eq!((loaded.vertices, loaded.edges, loaded.bad_rows), (3, 4, 0));
        assert_eq!(content(&*again, None, false), content(&*store, None, false));
    }
    assert_eq!(std::fs::read(folder.path().join("out.json.gz")).unwrap()[..2], [0x1f, 0x8b]);
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "no temporary file is left");
}

const GRAPHML: &str = r#"<graphml><key id="a" for="all" attr.name="v" attr.type="int"/><key id="b" for="all" attr.name="v" attr.type="double"/>
<key id="c" for="node" attr.name="text" attr.type="string"/><key id="d" for="node" attr.name="many" attr.type="string" attr.list="string"/>
<key id="e" for="edge" attr.name="f" attr.type="float"/><key id="f" for="node" attr.name="truth" attr.type="boolean"/><graph>
<node id="1"><data key="labelV">a:b</data><data key="a">7</data><data key="c">&lt;&amp;"'&#13;&#10;&#9; x ]]&gt; </data></node>
<node id="n2"><data key="labels">:B:A</data><data key="b">7</data><data key="c"></data><data key="d">["a;","\"",""]</data></node>
<node id="0"><data key="d">[]</data><data key="b">NaN</data><data key="f">true</data></node>
<edge id="5" source="1" target="n2" label="x y"><data key="e">0.1</data></edge><edge source="0" target="0"><data key="b">-Infinity</data></edge></graph></graphml>"#;

#[test]
fn graphml_goes_out_and_comes_back_with_types_labels_and_ids() {
    let folder = tempfile::tempdir().unwrap();
    let store = of_text("in.graphml", GRAPHML);
    let to = folder.path().join("out.graphml");
    let summary = write(&*store, ExportFormat::GraphMl, &to).unwrap();
    assert_eq!((summary.vertices, summary.edges), (3, 2));
    let (again, loaded) = read(&to, false);
    assert_eq!((loaded.vertices, loaded.edges, loaded.bad_rows), (3, 2, 0));
    assert_eq!(content(&*again, None, false), content(&*store, None, false));
    assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
}

const NODES: &str = "name:string,n:int,d:double,t:boolean,day:date,at:datetime,local:localdatetime,time:time,\
lt:localtime,for:duration,p:point,tags:string[],ns:int[],http://e.org/p:string,:LABEL\n\
one,1,0.5,true,2024-02-29,2024-02-29T12:30:00+01:00,2024-02-29T12:30:00,12:30:00Z,12:30:00.5,P1M2DT-3.25S,\"{x: 1.5, y: 2}\",\
\"a,b;\"\"c\",1;2,x,A;B\n\
two,,NaN,false,,2024-02-29T12:30[Europe/Berlin],,,,,\"{latitude: 55.6, longitude: 13}\",;,,\"\",\n\
\"thr\"\"ee, and\nmore\",,,,,,,,,,,,,,A\n";

#[test]
fn csv_goes_out_and_comes_back_with_types_and_labels() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = Source::stream(
        "nodes.csv",
        Cursor::new(
            NODES
                .replace("name:", "name:ID,name2:")
                .replace("one,1", "one,One,1")
                .replace("two,,", "two,Two,,")
                .replace("more\",", "more\",Three,"),
        ),
    );
    let edges =
        ":START_ID,:END_ID,:TYPE,w:float\none,two,KNOWS,0.5\none,one,is_a/b,\ntwo,one,KNOWS,\n";
    let edges = Source::stream("edges.csv", Cursor::new(edges.to_owned()));
    let mut reading = Reading::of(Format::Csv);
    reading.csv.dialect.multiline = true;
    let (store, input) = (store(), input_of(vec![nodes, edges], &reading).unwrap());
    load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    let to = folder.path().join("out");
    let summary = write(&*store, ExportFormat::Csv, &to).unwrap();
    assert_eq!((summary.vertices, summary.edges), (3, 3));
    assert!(summary.notes[0].contains("--multiline-fields"), "{:?}", summary.notes);
    let mut names: Vec<_> =
        std::fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    let expected = [
        "nodes-A.csv",
        "nodes-A_B.csv",
        "nodes-none.csv",
        "relationships-KNOWS.csv",
        "relationships-is_a_b.csv",
    ];
    assert_eq!(names, expected);
    let (again, loaded) = read(&to, true);
    assert_eq!((loaded.vertices, loaded.edges, loaded.bad_rows), (3, 3, 0));
    assert_eq!(content(&*again, Some("name"), true), content(&*store, Some("name"), true));
}

#[test]
fn a_value_that_a_format_cannot_hold_is_refused_by_name_and_leaves_no_file() {
    let of_key =
        |value: &str| format!("{{\"id\":1,\"properties\":{{\"key\":[{{\"value\":{value}}}]}}}}\n");
    let day = of_key(r#"{"@type":"gx:LocalDate","@value":"2024-02-29"}"#);
    let big = of_key(r#"{"@type":"gx:BigInteger","@value":"1"}"#);
    let mixed = of_key("1") + &of_key("\"a\"").replace(":1,", ":2,");
    let several = of_key("1").replace("}]", "},{\"value\":2}]");
    let csv = |text: &str| format!(":ID,{text}\n");
    for (name, text, format, said) in [
        (
            "in.json",
            day,
            ExportFormat::GraphMl,
            "the property 'key' of the vertex 1 is a date, which GraphML",
        ),
        ("in.json", big, ExportFormat::Csv, "'key' of the vertex 1 is a big integer, which CSV"),
        (
            "in.json",
            mixed,
            ExportFormat::Csv,
            "'key' of the vertex 2 is a string, and a long elsewhere",
        ),
        ("in.json", several.clone(), ExportFormat::Csv, "is several values"),
        ("in.json", several, ExportFormat::GraphMl, "is several values"),
        ("in.json", of_key("\"\\u0001\""), ExportFormat::GraphMl, "U+0001, which XML cannot"),
        (
            "in.json",
            of_key("[1,\"a\"]"),
            ExportFormat::GraphMl,
            "a list of values of several types",
        ),
        ("in.json", of_key("1").replace("key", "labelV"), ExportFormat::GraphMl, "read as a label"),
        (
            "in.json",
            of_key("1").replace("key", "a:int{b"),
            ExportFormat::Csv,
            "cannot stand in a header",
        ),
        ("in.json", of_key("[\"a;b\"]"), ExportFormat::Csv, "holds ';'"),
        ("in.csv", csv(":LABEL") + "1,A;B\n", ExportFormat::GraphSon, "has several labels (A, B)"),
        (
            "in.csv",
            csv("p:point,:LABEL") + "1,\"{x: 1, y: 2}\",A\n",
            ExportFormat::GraphSon,
            "is a point",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let store = of_text(name, &text);
        let error = write(&*store, format, &folder.path().join("out")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadInput, "{error}");
        assert!(error.to_string().contains(said), "{said}: {error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{error}");
    }
}

#[test]
fn graphml_has_values_without_a_word_as_text_where_that_is_asked_for() {
    let header = ":ID,born:date,at:datetime,for:duration,where:point,days:date[],n:int,:LABEL\n";
    let row = "a,2020-02-29,2020-02-29T12:00:00+01:00,P1M2DT3.5S,\"{x: 1, y: 2}\",2020-01-01;2020-01-02,7,P\n";
    let store = of_text("in.csv", &format!("{header}{row}"));
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out.graphml");
    let error = write(&*store, ExportFormat::GraphMl, &to).unwrap_err();
    assert!(error.to_string().contains("--unsupported-types text"), "{error}");
    let options = |format| ExportOptions { unsupported_as_text: true, ..ExportOptions::of(format) };
    let mut go_on = |_: &str, _, _| ControlFlow::Continue(());
    let snapshot = store.snapshot().unwrap();
    let summary = export(&*snapshot, &to, options(ExportFormat::GraphMl), &mut go_on).unwrap();
    let note = &summary.notes[0];
    assert!(
        note.ends_with("born (date), at (datetime), for (duration), where (point), days (date)"),
        "{note}"
    );
    let (again, _) = read(&to, false);
    let found = content(&*again, None, false);
    for part in [
        "born=String(\"2020-02-29\")",
        "at=String(\"2020-02-29T12:00:00+01:00\")",
        "for=String(\"P1M2DT3.5S\")",
        "where=String(\"{x: 1.0, y: 2.0, srid: 7203}\")",
        "days=List([String(\"2020-01-01\"), String(\"2020-01-02\")])",
        "n=I64(7)",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    // Other formats have types of their own, and are not asked to lose them.
    for format in [ExportFormat::Csv, ExportFormat::GraphSon] {
        let to = folder.path().join("other");
        let error = export(&*snapshot, &to, options(format), &mut go_on).unwrap_err();
        assert!(error.to_string().contains("is an option of GraphML"), "{error}");
        assert!(!to.exists());
    }
}

#[test]
fn geometries_go_out_and_come_back_in_a_format_that_has_them() {
    let row = |id, shape: &str| format!("{id},\"{}\",P\n", shape.replace('"', "\"\""));
    let square = "{'type':'Polygon','coordinates':[[[0,0],[2.5,0],[2,2],[0,0]]]}";
    let header = ":ID,where:geometry,:LABEL\n";
    let text = row("a", "{\"type\":\"Point\",\"coordinates\":[1.1,2]}") + &row("b", square);
    let store = of_text("in.csv", &format!("{header}{text}"));
    let own = content(&*store, None, false);
    assert_eq!(own.matches("Geometry(").count(), 2, "{own}");
    let folder = tempfile::tempdir().unwrap();
    for (format, name) in [(ExportFormat::Csv, "csv"), (ExportFormat::GraphSon, "out.json")] {
        let to = folder.path().join(name);
        write(&*store, format, &to).unwrap();
        let (again, loaded) = read(&to, false);
        assert_eq!((loaded.vertices, loaded.bad_rows), (2, 0));
        assert_eq!(content(&*again, None, false), own);
    }
    let to = folder.path().join("out.graphml");
    let error = write(&*store, ExportFormat::GraphMl, &to).unwrap_err();
    assert!(error.to_string().contains("is a geometry, which GraphML"), "{error}");
    let options =
        ExportOptions { unsupported_as_text: true, ..ExportOptions::of(ExportFormat::GraphMl) };
    let mut go_on = |_: &str, _, _| ControlFlow::Continue(());
    export(&*store.snapshot().unwrap(), &to, options, &mut go_on).unwrap();
    let found = content(&*read(&to, false).0, None, false);
    let point = r#"{\"type\":\"Point\",\"coordinates\":[1.1,2]}"#;
    assert!(found.contains(&format!("where=String(\"{point}\")")), "{found}");
}

#[test]
fn an_export_replaces_nothing_and_stops_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let (store, to) = (of_text("in.json", "{\"id\":1}\n"), folder.path().join("out.json"));
    std::fs::write(&to, "mine").unwrap();
    let error = write(&*store, ExportFormat::GraphSon, &to).unwrap_err();
    assert_eq!(error.kind, ErrorKind::AlreadyExists, "{error}");
    let mut text = String::new();
    std::fs::File::open(&to).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "mine");
    let options = ExportOptions::of(ExportFormat::Csv);
    let mut stop = |_: &str, _, _| ControlFlow::Break(());
    let snapshot = store.snapshot().unwrap();
    let error = export(&*snapshot, &folder.path().join("csv"), options, &mut stop).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled, "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // The leftovers of an export that was killed are in the way of none.
    std::fs::create_dir(folder.path().join("csv.part")).unwrap();
    write(&*store, ExportFormat::Csv, &folder.path().join("csv")).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn random_graphs_go_out_and_come_back() {
    run_seeds(60, |_, rng| {
        let count = 1 + rng.index(40);
        let mut text = String::new();
        for id in 1..=count {
            let label = ["", ",\"label\":\"a\"", ",\"label\":\"b c\""][rng.index(3)];
            let edges: Vec<String> = (0..rng.index(6))
                .map(|_| {
                    format!(
                        "{{\"inV\":{},\"properties\":{{\"w\":{}}}}}",
                        1 + rng.index(count),
                        rng.index(9)
                    )
                })
                .collect();
            let types = ["x", "y"][rng.index(2)];
            let pool = ["\\\\", "\\\"", ",", ";", "é", "\\n", " ", "<", "'"];
            let said: String = (0..rng.index(5)).map(|_| pool[rng.index(pool.len())]).collect();
            text.push_str(&format!(
                "{{\"id\":{id}{label},\"properties\":{{\"k\":[{{\"value\":{id}}}],\"t\":[{{\"value\":\"{said}\"}}]}},\
                 \"outE\":{{\"{types}\":[{}]}}}}\n",
                edges.join(",")
            ));
        }
        let store = of_text("in.json", &text);
        let folder = tempfile::tempdir().unwrap();
        for (format, name, key) in [
            (ExportFormat::GraphSon, "out.json", None),
            (ExportFormat::GraphMl, "out.graphml", None),
            (ExportFormat::Csv, "out", Some("k")),
        ] {
            let to = folder.path().join(name);
            write(&*store, format, &to).unwrap();
            let (again, _) = read(&to, format == ExportFormat::Csv);
            assert_eq!(content(&*again, key, false), content(&*store, key, false), "{format:?}");
        }
    });
}
