//! DQL's schemas: any text is a schema or an error; what was read is declared the same when it is read again.

use millrace_db::dql::DqlSchema;
use millrace_db::languages::dql::changes::Alter;

/// Schemas of every form, and the bodies of other changes.
const SEEDS: &[&str] = &[
    "name: string @index(exact, term, fulltext, trigram, ngram) @lang @upsert .\nage: int @index(int) .\n<a b>: [float] @index(float) @count @noconflict .\n",
    "[0x0] <friend>: [uid] @reverse @count .\nboss: uid .\nborn: datetime @index(year, hour) .\nv: float32vector @index(hnsw(metric: \"cosine\", exponent: \"4\")) .\ntype A {\n  name\n  age: int!\n  <~friend>\n  kids: [A!]!\n}\n",
    "p: password .\ng: geo @index(geo) . # a comment\nb: bigfloat @index(bigfloat) .\nd: default .\nt: bool @index(bool) @unique @upsert .\n",
    "{\"drop_all\": true}",
    "{\"drop_attr\": \"name\"}",
    "{\"drop_op\": \"TYPE\", \"drop_value\": \"A\"}",
];

/// The texts, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads the bytes as the body of a change, and as a schema.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(Alter::Schema(schema)) = Alter::of_body(&text) {
        let (one, other) = (DqlSchema::parse(&schema), DqlSchema::parse(&schema));
        match (one, other) {
            (Ok(one), Ok(other)) => {
                let shown = |own: &DqlSchema| format!("{:?}", own.declared());
                assert_eq!(shown(&one), shown(&other), "{text}");
            }
            (Err(one), Err(other)) => {
                assert_eq!(one.to_string(), other.to_string(), "{text}");
            }
            _ => panic!("{text} is a schema the second time only, or the first"),
        }
    }
}
