//! Messages of a queue: any bytes in both formats, as each form; what is refused has a reason.

use std::sync::OnceLock;

use millrace_queue::QueueSettings;
use millrace_queue::messages::{Decoder, Message};
use millrace_queue::settings::{Allowed, Form, Format, KeyFrom};
use millrace_wire::KnownKeys;

/// A decoder for each format and form.
fn decoders() -> &'static [Decoder] {
    static DECODERS: OnceLock<Vec<Decoder>> = OnceLock::new();
    DECODERS.get_or_init(|| {
        let forms = [Form::Statement, Form::Requests, Form::Commands, Form::Jobs];
        let each = |format: Format| {
            forms.map(|form| {
                let settings = QueueSettings {
                    form: Some(form),
                    format,
                    key: KeyFrom::Path(vec!["id".to_owned(), "0".to_owned()]),
                    statements_allowed: Allowed::Any,
                    ..QueueSettings::new("fuzz")
                };
                Decoder::new(&settings)
                    .unwrap_or_else(|error| panic!("the settings are right: {error}"))
            })
        };
        [Format::MessagePack, Format::Json].into_iter().flat_map(each).collect()
    })
}

/// Messages of every form, and of every type of MessagePack.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        r#"{"id": ["7"], "name": "é", "n": [1, 1.5, null, true]}"#,
        r#"{"statement": "CREATE (:P {n: $n})", "parameters": {"n": 1}}"#,
        r#"["create_node", {"name": "Ann"}]"#,
        r#"[["create_node", {"n": 1}], ["create_node", null],
            ["create_relationship", "KNOWS", "{0}", "{1}", {"since": 1}],
            ["set_node_property", "{0}", {"a b": 2}], ["execute_query", "RETURN $x", {"x": 1}],
            ["delete_node", "http://h/db/data/node/7"]]"#,
        r#"[{"method": "POST", "to": "/node", "id": 0, "body": {"n": 1}},
            {"method": "PUT", "to": "{0}/properties/a", "body": "{0}"}]"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    seeds.push(
        b"\x83\xa2id\x91\x07\xa4name\xa3Ann\xa1n\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00".to_vec(),
    );
    seeds.push(b"\x92\xabcreate_node\x81\xa1n\xcd\x01\x00".to_vec());
    seeds.push(
        b"\x82\xa9statement\xa8RETURN 1\xaaparameters\xde\x00\x01\xa1b\xc4\x02\x00\xff".to_vec(),
    );
    seeds.push(b"\x9a\xc0\xc2\xc3\xcc\xff\xd0\x80\xd1\x80\x00\xce\x00\x01\x00\x00\xd9\x01a\xda\x00\x01a\xdd\x00\x00\x00\x00".to_vec());
    seeds.push(b"\xd6\xff\x00\x00\x00\x00".to_vec());
    seeds
}

/// Reads a message; an error says why.
pub fn run(bytes: &[u8]) {
    for decoder in decoders() {
        let message = Message { body: bytes.to_vec(), ..Message::default() };
        if let Some(error) = decoder.decode(message, &mut KnownKeys::default()).error() {
            assert!(!error.detail.is_empty(), "refused without a reason");
        }
    }
}
