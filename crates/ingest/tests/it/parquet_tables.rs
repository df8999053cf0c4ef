//! Parquet: files that its library writes become tables like those of CSV, with the types of the file.

use crate::dump::dump;
use millrace_ingest::csv::{ColumnType, NamedTable, PlainRows};
use millrace_ingest::error::LoadError;
use millrace_ingest::load::{
    BatchOptions, Format, LoadOptions, Summary, UnknownTypes, load, load_in_batches, quiet,
};
use millrace_ingest::reading::{Reading, input_of, input_of_files};
use millrace_ingest::source::Source;
use millrace_store::{Backend, Store, memory::MemoryBackend};
use millrace_testkit::run_seeds;
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The values of a column of one row group, with the levels of those that are not all there.
enum Column {
    Bool(Vec<bool>, Vec<i16>),
    Int32(Vec<i32>, Vec<i16>),
    Int64(Vec<i64>, Vec<i16>),
    Double(Vec<f64>, Vec<i16>),
    Text(Vec<&'static str>, Vec<i16>),
    /// Texts with both levels.
    Texts(Vec<&'static str>, Vec<i16>, Vec<i16>),
    Bytes(Vec<Vec<u8>>, Vec<i16>),
}

fn write(path: &Path, schema: Arc<Type>, compression: Compression, groups: &[Vec<Column>]) {
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    for columns in groups {
        let mut group = writer.next_row_group().unwrap();
        for column in columns {
            let mut open = group.next_column().unwrap().unwrap();
            let bytes = |texts: &[&str]| -> Vec<ByteArray> {
                texts.iter().map(|text| ByteArray::from(*text)).collect()
            };
            match (open.untyped(), column) {
                (ColumnWriter::BoolColumnWriter(w), Column::Bool(values, levels)) => {
                    w.write_batch(values, Some(levels), None).unwrap();
                }
                (ColumnWriter::Int32ColumnWriter(w), Column::Int32(values, levels)) => {
                    w.write_batch(values, Some(levels), None).unwrap();
                }
                (ColumnWriter::Int64ColumnWriter(w), Column::Int64(values, levels)) => {
                    w.write_batch(values, Some(levels), None).unwrap();
                }
                (ColumnWriter::DoubleColumnWriter(w), Column::Double(values, levels)) => {
                    w.write_batch(values, Some(levels), None).unwrap();
                }
                (ColumnWriter::ByteArrayColumnWriter(w), Column::Text(values, levels)) => {
                    w.write_batch(&bytes(values), Some(levels), None).unwrap();
                }
                (ColumnWriter::ByteArrayColumnWriter(w), Column::Texts(values, def, rep)) => {
                    w.write_batch(&bytes(values), Some(def), Some(rep)).unwrap();
                }
                (ColumnWriter::ByteArrayColumnWriter(w), Column::Bytes(values, levels)) => {
                    let values: Vec<ByteArray> =
                        values.iter().map(|bytes| ByteArray::from(bytes.clone())).collect();
                    w.write_batch(&values, Some(levels), None).unwrap();
                }
                (ColumnWriter::FixedLenByteArrayColumnWriter(w), Column::Bytes(values, levels)) => {
                    let values: Vec<FixedLenByteArray> = values
                        .iter()
                        .map(|bytes| FixedLenByteArray::from(ByteArray::from(bytes.clone())))
                        .collect();
                    w.write_batch(&values, Some(levels), None).unwrap();
                }
                _ => panic!("the column has another type"),
            }
            open.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
}

fn schema(fields: &str) -> Arc<Type> {
    Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).unwrap())
}

/// A table whose names say roles, all of whose columns are required.
fn schema_of(columns: &[(&str, Physical)]) -> Arc<Type> {
    let fields = columns.iter().map(|(name, physical)| {
        let text = *physical == Physical::BYTE_ARRAY;
        let converted = if text { ConvertedType::UTF8 } else { ConvertedType::NONE };
        let field = Type::primitive_type_builder(name, *physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted);
        Arc::new(field.build().unwrap())
    });
    Arc::new(Type::group_type_builder("m").with_fields(fields.collect()).build().unwrap())
}

fn store() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn nodes(label: &str, id: Option<&str>, types: &str) -> Reading {
    let mut reading = Reading::default();
    reading.plain.rows = PlainRows::said(Some(label), id, None, None, None).unwrap();
    if !types.is_empty() {
        reading.plain.types = ColumnType::parse_list(types).unwrap();
    }
    reading
}

fn load_files(
    store: &dyn Store,
    paths: &[&Path],
    reading: &Reading,
    bad_rows_max: u64,
) -> Result<Summary, LoadError> {
    let options = LoadOptions { bad_rows_max, ..LoadOptions::default() };
    load(store, input_of_files(paths, reading)?, options, &mut quiet)
}

/// People of two row groups, with every type; the second has a row without anything.
fn people(path: &Path, compression: Compression) {
    let fields = "required int64 id; optional binary name (UTF8); optional double score; \
        optional boolean ok; optional int32 born (DATE); \
        optional int64 at (TIMESTAMP(MICROS,true)); optional int64 local (TIMESTAMP(MILLIS,false)); \
        optional int32 price (DECIMAL(9,2)); optional binary big (DECIMAL(30,3)); \
        optional group tags (LIST) { repeated group list { optional binary element (UTF8); } } \
        optional fixed_len_byte_array(16) u (UUID); optional int32 n (INTEGER(32,false));";
    let one = |id: i64| {
        vec![
            Column::Int64(vec![id, id + 1], vec![0, 0]),
            Column::Text(vec!["a \"b\",\nc", ""], vec![1, 1]),
            Column::Double(vec![0.1], vec![1, 0]),
            Column::Bool(vec![true], vec![1, 0]),
            Column::Int32(vec![-1], vec![1, 0]),
            Column::Int64(vec![1_500_000], vec![1, 0]),
            Column::Int64(vec![-1], vec![1, 0]),
            Column::Int32(vec![-1250], vec![1, 0]),
            Column::Bytes(vec![vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0]], vec![1, 0]),
            Column::Texts(vec!["x;y", ""], vec![3, 3, 1], vec![0, 1, 0]),
            Column::Bytes(vec![(0..16).collect()], vec![1, 0]),
            Column::Int32(vec![-1], vec![1, 0]),
        ]
    };
    write(path, schema(fields), compression, &[one(1), one(7)]);
}

#[test]
fn a_table_of_parquet_has_the_types_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, compression) in [
        ("plain", Compression::UNCOMPRESSED),
        ("snappy", Compression::SNAPPY),
        ("zstd", Compression::ZSTD(Default::default())),
        ("lz4", Compression::LZ4_RAW),
        ("gzip", Compression::GZIP(Default::default())),
    ] {
        let path = folder.path().join(format!("{name}.parquet"));
        people(&path, compression);
        let store = store();
        let summary = load_files(&*store, &[&path], &nodes("P", Some("id"), ""), 0).unwrap();
        assert_eq!((summary.vertices, summary.rows, summary.bad_rows), (4, 4, 0), "{name}");
        let dumped = dump(&*store);
        let first = dumped.lines().next().unwrap();
        assert_eq!(
            first,
            "(1:P {at: 1970-01-01T00:00:01.5Z, big: \"4722366482869645213.696\", born: 1969-12-31, id: 1, \
             local: 1969-12-31T23:59:59.999, n: 4294967295, name: \"a \\\"b\\\",\\nc\", ok: true, \
             price: -12.5, score: 0.1, tags: [\"x;y\", \"\"], u: \"00010203-0405-0607-0809-0a0b0c0d0e0f\"})",
            "{name}"
        );
        assert!(dumped.contains("(2:P {id: 2, name: \"\", tags: []})"), "{dumped}");
        let notes = summary.notes.join("\n");
        assert!(notes.contains("'big' holds decimals of 30 digits"), "{notes}");
        assert!(
            notes.contains("read as id:ID(P){id-type:long},name:string,score:double"),
            "{notes}"
        );
    }
}

#[test]
fn relationships_and_typed_headers_are_those_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = |values: &[&'static str]| Column::Text(values.to_vec(), vec![0; values.len()]);
    let typed = schema_of(&[
        ("id:ID(P)", Physical::INT64),
        ("name", Physical::BYTE_ARRAY),
        (":LABEL", Physical::BYTE_ARRAY),
    ]);
    let rows = vec![
        Column::Int64(vec![1, 2, 1], vec![0; 3]),
        text(&["Ann", "Ben", "Cy"]),
        text(&["A;B", "A", "A"]),
    ];
    write(&path("p.parquet"), typed, Compression::SNAPPY, &[rows]);
    let plain =
        schema_of(&[("a", Physical::INT64), ("b", Physical::INT64), ("w", Physical::DOUBLE)]);
    let rows = vec![
        Column::Int64(vec![1, 1], vec![0; 2]),
        Column::Int64(vec![2, 9], vec![0; 2]),
        Column::Double(vec![0.5, 1.0], vec![0; 2]),
    ];
    write(&path("k.parquet"), plain, Compression::SNAPPY, &[rows]);
    let store = store();
    let summary = load_files(&*store, &[&path("p.parquet")], &Reading::default(), 1).unwrap();
    let bad = summary.rejects[0].to_string();
    assert!(bad.ends_with("p.parquet:4:1: the id '1' occurs twice in this load"), "{bad}");
    let mut reading = Reading::default();
    reading.plain.rows = PlainRows::said(None, None, Some("KNOWS"), Some("a"), Some("b")).unwrap();
    let summary = load_files(&*store, &[&path("k.parquet")], &reading, 1).unwrap();
    let bad = summary.rejects[0].to_string();
    assert!(bad.contains("k.parquet:3:2: b: no node of this load or of the graph"), "{bad}");
    assert_eq!(
        dump(&*store),
        "(1:A:B {id: 1, name: \"Ann\"})\n(2:A {id: 2, name: \"Ben\"})\n(1)-[KNOWS {w: 0.5}]->(2)\n"
    );
    // A table of several files, by name: their columns are the same, or it is refused.
    let again = path("p.parquet").display().to_string();
    let table = NamedTable::nodes(&format!("X={again}")).unwrap();
    let reading =
        Reading { tables: vec![table], format: Some(Format::Parquet), ..Reading::default() };
    let store = self::store();
    let summary = load_files(&*store, &[&path("p.parquet")], &reading, 1).unwrap();
    assert_eq!((summary.vertices, summary.bad_rows), (2, 1));
    assert!(dump(&*store).contains(":A:B:X {"), "{}", dump(&*store));
}

#[test]
fn columns_that_no_property_holds_are_refused_by_name_and_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.parquet");
    let fields = "required int64 id; optional group s { optional int64 a; } \
        optional group m (MAP) { repeated group key_value { required binary key (UTF8); optional int64 value; } }";
    let rows = vec![Column::Int64(vec![1], vec![0]), Column::Int64(vec![], vec![0])];
    // Without rows in the other columns, the writer is content with none at all.
    drop(rows);
    write(&path, schema(fields), Compression::SNAPPY, &[]);
    let refused = |types: &str| {
        let error = load_files(&*store(), &[&path], &nodes("P", Some("id"), types), 0);
        error.map_err(|error| error.to_string())
    };
    let said = refused("").unwrap_err();
    assert!(said.contains("the column 's' is a struct") && said.contains("'s:IGNORE'"), "{said}");
    let said = refused("s:IGNORE").unwrap_err();
    assert!(said.contains("the column 'm' is a map"), "{said}");
    assert_eq!(refused("s:IGNORE,m:IGNORE").unwrap().vertices, 0);
    let said = load_files(&*store(), &[&path], &Reading::default(), 0).unwrap_err().to_string();
    assert!(said.contains("is a struct"), "{said}");
    let mut reading = nodes("P", None, "");
    reading.csv.dialect.delimiter = b';';
    let said = load_files(&*store(), &[&path], &reading, 0).unwrap_err().to_string();
    assert!(said.contains("Parquet needs none"), "{said}");
}

#[test]
fn bytes_that_are_no_text_are_an_error_with_their_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.parquet");
    let rows = vec![Column::Bytes(vec![b"a".to_vec(), vec![0xff]], vec![0, 0])];
    write(&path, schema("required binary b;"), Compression::SNAPPY, &[rows]);
    let error = load_files(&*store(), &[&path], &nodes("P", None, ""), 9).unwrap_err().to_string();
    assert!(error.ends_with("row 2: the column 'b' holds bytes that are no UTF-8 text"), "{error}");
}

#[test]
fn a_load_in_batches_takes_rows_without_line_breaks() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let fields = "required int64 id; required binary t (UTF8);";
    let write_texts = |name: &str, texts: Vec<&'static str>| {
        let count = texts.len() as i64;
        let rows = vec![
            Column::Int64((0..count).collect(), vec![0; texts.len()]),
            Column::Text(texts.clone(), vec![0; texts.len()]),
        ];
        write(&path(name), schema(fields), Compression::SNAPPY, &[rows]);
    };
    write_texts("good.parquet", vec!["a"; 5000]);
    write_texts("lines.parquet", vec!["a\nb"]);
    let in_batches = |name: &str| {
        let store = store();
        let paths: [PathBuf; 1] = [path(name)];
        let input = input_of_files(&[&paths[0]], &nodes("P", Some("id"), "")).unwrap();
        let options = BatchOptions {
            rows: 700,
            bad_rows_max: 0,
            journal: "j".into(),
            resume: false,
            unknown_types: UnknownTypes::Refuse,
        };
        load_in_batches(&*store, input, &options, &mut quiet)
    };
    assert_eq!(in_batches("good.parquet").unwrap().vertices, 5000);
    let error = in_batches("lines.parquet").unwrap_err().to_string();
    assert!(error.contains("row 1: the column 't' holds a line break"), "{error}");
}

#[test]
fn a_stream_and_another_file_under_its_name_are_refused() {
    let reading = nodes("P", None, "");
    let source = Source::stream("in.parquet", Cursor::new(b"PAR1".to_vec()));
    let input = input_of(vec![source], &reading).unwrap();
    let error = load(&*store(), input, LoadOptions::default(), &mut quiet).unwrap_err().to_string();
    assert!(error.contains("load it from a file"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    for (bytes, words) in [
        (&b"id,name\n1,Ann and others\n"[..], "has no footer"),
        (b"PAR1", "too short"),
        (b"PAR1....\xff\xff\xff\x00PAR1", "longer than the file"),
        (b"PAR1....\x01\x00\x00\x00PARE", "encrypted"),
    ] {
        let path = folder.path().join("in.parquet");
        std::fs::write(&path, bytes).unwrap();
        let error = load_files(&*store(), &[&path], &reading, 0).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
    // As CSV it is known by its first bytes.
    let path = folder.path().join("in.csv");
    people(&path, Compression::SNAPPY);
    let error = load_files(&*store(), &[&path], &reading, 0).unwrap_err().to_string();
    assert!(error.contains("--format parquet"), "{error}");
}

#[test]
fn a_damaged_file_is_an_error_or_a_table_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.parquet");
    people(&whole, Compression::SNAPPY);
    let bytes = std::fs::read(&whole).unwrap();
    let path = folder.path().join("in.parquet");
    let mut refused = 0;
    run_seeds(400, |seed, rng| {
        let mut damaged = bytes.clone();
        if seed % 4 == 0 {
            damaged.truncate(rng.index(bytes.len()));
        } else {
            for _ in 0..1 + rng.index(3) {
                let at = rng.index(damaged.len());
                damaged[at] ^= 1 << rng.index(8);
            }
        }
        std::fs::write(&path, &damaged).unwrap();
        let loaded = load_files(&*store(), &[&path], &nodes("P", Some("id"), ""), 9);
        refused += u64::from(loaded.is_err());
    });
    assert!(100 < refused, "{refused}");
}
