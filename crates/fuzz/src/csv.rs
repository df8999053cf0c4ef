//! Tables with neo4j-admin headers, any header and any rows, into a graph in memory.

use std::io::Cursor;

use millrace_ingest::csv::{CsvOptions, Dialect, TableFiles};
use millrace_ingest::load::{Input, LoadOptions, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::Backend;
use millrace_store::memory::MemoryBackend;

/// Between two tables of one input.
const TABLE_END: u8 = 0;

/// Tables with every kind of field.
pub fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "id:ID,name,age:int,:LABEL\n1,Ann,33,Person\n2,\"Bo, \"\"B\"\"\",,Person;Admin\n\
         \0:START_ID,:END_ID,:TYPE,w:double\n1,2,KNOWS,0.5\n2,1,KNOWS,\n",
        "a:ID(x),b:boolean,c:string[],d:date,e:datetime,f:duration,g:point\n\
         k,true,p;q,2020-02-29,2020-01-01T10:00:00Z,P1DT2H,\"{x:1, y:2}\"\n",
        "x:ID{label:Thing},:IGNORE,t:time,l:long[]\r\n7,,10:00:00+01:00,1;2;3\r\n",
        ":ID\n\"two\nlines\"\n",
    ];
    texts.map(|text| [&[0], text.as_bytes()].concat()).to_vec()
}

/// The first byte chooses options; the rest is tables.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let dialect = Dialect { multiline: choice & 1 != 0, ..Dialect::default() };
    let options = CsvOptions { dialect, create_ends: choice & 2 != 0 };
    let tables = rest.split(|byte| *byte == TABLE_END).map(|table| {
        TableFiles::of(vec![Source::stream("table.csv", Cursor::new(table.to_vec()))])
    });
    let input = Input::Csv(tables.collect(), options);
    let graph = MemoryBackend::new().create_graph("graph").expect("it is the first");
    let load_options =
        LoadOptions { bad_rows_max: u64::from(choice >> 2), ..LoadOptions::default() };
    // Any error is a right answer; a panic is not.
    let _outcome = load(&*graph, input, load_options, &mut quiet);
}
