//! Messages as bytes: what is read, and what is refused with its reason.

use millrace_model::Value;
use millrace_queue::QueueSettings;
use millrace_queue::messages::{Decoder, Message, decode_messagepack};
use millrace_queue::settings::Format;
use millrace_wire::KnownKeys;

use crate::fake::with_id;
use crate::graph::settings;

#[test]
fn every_type_of_messagepack_is_read() {
    let cases: &[(&[u8], Value)] = &[
        (&[0xc0], Value::Null),
        (&[0xc2], Value::Bool(false)),
        (&[0xc3], Value::Bool(true)),
        (&[0x7f], Value::I64(127)),
        (&[0xe0], Value::I64(-32)),
        (&[0xcc, 200], Value::I64(200)),
        (&[0xcd, 1, 0], Value::I64(256)),
        (&[0xce, 0, 1, 0, 0], Value::I64(65_536)),
        (&[0xcf, 0, 0, 0, 1, 0, 0, 0, 0], Value::I64(1 << 32)),
        (&[0xd0, 0x80], Value::I64(-128)),
        (&[0xd1, 0x80, 0], Value::I64(-32_768)),
        (&[0xd2, 0x80, 0, 0, 0], Value::I64(-(1 << 31))),
        (&[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], Value::I64(i64::MIN)),
        (&[0xca, 0x3f, 0xc0, 0, 0], Value::F32(1.5)),
        (&[0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], Value::F64(1.5)),
        (&[0xa2, 0xc3, 0xa9], Value::from("é")),
        (&[0xd9, 1, b'a'], Value::from("a")),
        (&[0xda, 0, 1, b'a'], Value::from("a")),
        (&[0xdb, 0, 0, 0, 1, b'a'], Value::from("a")),
        (&[0xc4, 1, 9], Value::Bytes([9].as_slice().into())),
        (&[0xc5, 0, 1, 9], Value::Bytes([9].as_slice().into())),
        (&[0xc6, 0, 0, 0, 1, 9], Value::Bytes([9].as_slice().into())),
        (&[0x91, 1], Value::list(vec![Value::I64(1)])),
        (&[0xdc, 0, 1, 1], Value::list(vec![Value::I64(1)])),
        (&[0xdd, 0, 0, 0, 1, 1], Value::list(vec![Value::I64(1)])),
        (&[0x81, 0xa1, b'k', 1], Value::map(vec![(Value::from("k"), Value::I64(1))])),
        (&[0xde, 0, 1, 0xa1, b'k', 1], Value::map(vec![(Value::from("k"), Value::I64(1))])),
        (&[0xdf, 0, 0, 0, 1, 0xa1, b'k', 1], Value::map(vec![(Value::from("k"), Value::I64(1))])),
    ];
    for (bytes, value) in cases {
        assert_eq!(
            decode_messagepack(bytes, &mut KnownKeys::default()).as_ref(),
            Ok(value),
            "{bytes:x?}"
        );
        for cut in 0..bytes.len() {
            let error = decode_messagepack(&bytes[..cut], &mut KnownKeys::default()).unwrap_err();
            assert!(error.detail.contains("MessagePack"), "{error}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_reason() {
    let deep = [vec![0x91; 10_000], vec![0]].concat();
    let deep_map: Vec<u8> = [0x81, 0xa1, b'k'].repeat(10_000);
    let cases: &[(&[u8], &str)] = &[
        (&[0x82, 0xa1, b'n', 1], "4 values cannot stand in 3 bytes"),
        (&[0x81, 0xa1, b'n', 0xcd, 1], "too early"),
        (&[0xc1], "c1"),
        (&[1, 2], "follow the value"),
        (&deep, "deeper than 128"),
        (&deep_map, "deeper than 128"),
        (&[0xd4, 1, 2], "extension type"),
        (&[0xd6, 0xff, 0, 0, 0, 0], "extension type"),
        (&[0xc7, 1, 1, 1], "extension type"),
        (&[0xa1, 0xff], "UTF-8"),
        (&[0xd9, 2, 0xc3, 0x28], "UTF-8"),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff], "cannot stand in 0 bytes"),
        (&[0xdf, 0xff, 0xff, 0xff, 0xff, 0], "cannot stand in 1 bytes"),
        (&[0xdb, 0xff, 0xff, 0xff, 0xff, 0], "too early"),
        (&[0x81, 1, 1], "no text"),
        (&[0xcf, 0xff, 0, 0, 0, 0, 0, 0, 0], "64-bit"),
    ];
    for (bytes, reason) in cases {
        let error = decode_messagepack(bytes, &mut KnownKeys::default()).unwrap_err();
        let shown = &bytes[..bytes.len().min(10)];
        assert!(error.detail.contains(reason), "{shown:x?}: {error}");
    }
}

#[test]
fn a_message_of_too_many_bytes_is_not_read() {
    let settings = QueueSettings { message_bytes_max: 1 << 20, ..settings() };
    let decoder = Decoder::new(&settings).unwrap();
    let decoded =
        decoder.decode(with_id("large", vec![0xc0; 100 << 20]), &mut KnownKeys::default());
    let error = decoded.error().unwrap();
    assert!(error.detail.contains("104857600 bytes, and 1048576 are allowed"), "{error}");
    assert!(
        decoder.decode(with_id("small", vec![0xc0]), &mut KnownKeys::default()).error().is_none()
    );
}

/// A message with this content type, and none if it is empty.
fn typed(kind: &str, body: &[u8]) -> Message {
    let message = with_id("typed", body.to_vec());
    let properties = match kind {
        "" => message.properties.clone(),
        kind => message.properties.clone().with_content_type(kind.into()),
    };
    Message { properties, ..message }
}

/// Symptom: with the settings of the guide, messages in JSON were dead, as "the message is no MessagePack".
#[test]
fn the_encoding_of_a_message_is_seen_by_its_content_type_or_its_first_byte() {
    let (json, packed) = (br#" {"n": 1}"#.as_slice(), &[0x81, 0xa1, b'n', 1]);
    for (kind, body) in [
        ("", json),
        ("", b"[1, {}]"),
        ("application/json; charset=utf-8", json),
        ("application/cloudevents+json", json),
        ("APPLICATION/JSON", b"7"),
        ("text/plain", json),
        ("", packed),
        ("application/msgpack", packed),
        ("application/octet-stream", packed),
        // The whole number 123, which is the byte of `{`.
        ("", b"{"),
    ] {
        let decoded = Decoder::new(&settings()).unwrap();
        let decoded = decoded.decode(typed(kind, body), &mut KnownKeys::default());
        assert_eq!(decoded.error(), None, "{kind}: {body:x?}");
    }
}

#[test]
fn a_message_of_the_other_encoding_is_refused_with_the_setting_that_reads_it() {
    let (json, packed) = (br#"{"n": 1}"#.as_slice(), [0x81, 0xa1, b'n', 1]);
    for (format, kind, body, help) in [
        (Format::MessagePack, "", json, "format = \"json\""),
        (Format::MessagePack, "application/json", b"\"ann\"", "format = \"json\""),
        (Format::Auto, "", b"42", "format = \"json\""),
        (Format::Json, "application/msgpack", &packed, "format = \"messagepack\""),
    ] {
        let decoder = Decoder::new(&QueueSettings { format, ..settings() }).unwrap();
        let decoded = decoder.decode(typed(kind, body), &mut KnownKeys::default());
        let error = decoded.error().expect("it is of the other encoding").to_string();
        assert!(error.contains(help), "{format:?} {kind}: {error}");
    }
    let decoder = Decoder::new(&settings()).unwrap();
    let decoded = decoder.decode(typed("", &[0xc1, 1]), &mut KnownKeys::default());
    assert_eq!(decoded.error().unwrap().help, None, "neither encoding reads it");
}
