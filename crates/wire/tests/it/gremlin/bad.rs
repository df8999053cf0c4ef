//! Malformed requests: refused with the place and the expected form, without a panic and without memory
//! for missing bytes.

use millrace_model::{ErrorKind, Value};
use millrace_wire::gremlin::graphson::Version;
use millrace_wire::gremlin::{AnswerForm, Format, Frame, graphbinary, graphson, read_frame};

use super::vectors::unhex;

/// A request of the Python driver: a bytecode in a session.
const REQUEST: &str = "206170706c69636174696f6e2f766e642e677261706862696e6172792d76312e308141d2e28a\
    20a44ab0b379d810dede37860000000862797465636f64650000000773657373696f6e000000030300000000076772656d6c\
    696e15000000000200000001560000000000000005636f756e740000000000000000030000000007\
    73657373696f6e03000000000173030000000007616c69617365730a00000000010300000000016703000000000167";

/// The byte behind the mime type: the version.
const VERSION_AT: usize = 33;

fn refusal(bytes: &[u8]) -> (bool, u16, String) {
    let (_, request) = read_frame(Frame::Binary(bytes));
    let refusal = request.expect_err("it is no request");
    (refusal.id.is_some(), refusal.code, refusal.error.to_string())
}

#[test]
fn a_frame_cut_anywhere_is_refused_and_names_its_id_as_soon_as_it_is_there() {
    let whole = unhex(REQUEST);
    assert!(read_frame(Frame::Binary(&whole)).1.is_ok());
    for length in 0..whole.len() {
        let (has_id, code, detail) = refusal(&whole[..length]);
        assert_eq!(has_id, VERSION_AT + 17 <= length, "{length}: {detail}");
        assert_eq!(code, 497, "{length}: {detail}");
    }
    let longer = [whole.as_slice(), b"x"].concat();
    assert!(refusal(&longer).2.contains("1 bytes follow"));
}

#[test]
fn a_wrong_version_or_mime_type_is_named() {
    let mut bytes = unhex(REQUEST);
    bytes[VERSION_AT] = 0x84;
    assert!(refusal(&bytes).2.contains("byte 1: version 0x84"));
    bytes[5] = b'!';
    let (has_id, code, detail) = refusal(&bytes);
    assert!(!has_id && code == 497 && detail.contains("there is no format"), "{detail}");
    let (form, _) = read_frame(Frame::Binary(&bytes));
    assert_eq!(form, AnswerForm { format: Format::GraphBinary, is_text: false });
}

#[test]
fn an_error_names_its_position_and_the_expected_form() {
    for (bytes, expected) in [
        ("", "byte 0: expected a type code of 1 bytes, and 0 are left"),
        ("01", "byte 1: expected a value flag"),
        ("0102", "byte 1: expected a value flag, 0 or 1, and found 2"),
        ("0100000000", "byte 2: expected an Int of 4 bytes, and 3 are left"),
        ("5500", "byte 0: there is no type code 0x55"),
        ("5501", "byte 0: there is no type code 0x55"),
        ("fe00", "byte 1: expected the flag of a null"),
        ("00000000", "byte 1: expected the length of a String"),
        ("000000000161", "byte 6: the custom type `a` is not a value here"),
        ("8b0000000001", "byte 0: Year is not a value here"),
        ("2700ff", "byte 3: a Boolean is 0 or 1, and not 255"),
        ("030000000002ff41", "byte 6: a String that is not UTF-8"),
        ("0300ffffffff", "byte 2: the length of a String is -1"),
        ("8000ff", "a Char that is not UTF-8"),
        ("230000000000", "a BigInteger has at least one byte"),
        ("2300000000110102030405060708090a0b0c0d0e0f1011", "a BigInteger of 17 bytes"),
        ("22007fffffff0000000101", "a BigDecimal of scale 2147483647"),
        ("8400000007e8021e", "there is no day 2024-2-30"),
        ("8600ffffffffffffffff", "a day has no -1 nanoseconds"),
        ("83007fffffffffffffff00000000", "too far away to have a date"),
        ("810000000000000000003b9aca00", "a second has no 1000000000 nanoseconds"),
        ("890000000000000000000000fde9", "no zone is 65001 seconds from UTC"),
        ("2a0000000001fe010000000000000000", "a bulk is above 0"),
        ("2000030000000001ff", "a String that is not UTF-8"),
        ("20000300000000016e", "there is no T.n"),
        ("1800010000000001", "expected the name of a constant"),
        ("0100000000010100", "the message ends here, and 2 bytes follow"),
        ("11001100fe0100000000fe0100000000fe01", "an id is a vertex, and must be a plain value"),
        ("1d00000000000000000", ""),
    ] {
        if bytes.len() % 2 != 0 {
            continue;
        }
        let error = graphbinary::read(&unhex(bytes)).expect_err(bytes);
        assert!(error.detail.contains(expected), "{bytes}: {error}");
    }
}

/// Symptom: a request of a few bytes takes all memory or the stack. Shape: a length without its bytes,
/// or lists in lists. Bound: memory for the bytes that are there, and a depth.
#[test]
fn lengths_and_depths_are_not_believed() {
    for code in ["03", "09", "0a", "0b", "15", "23", "25", "2a", "2b", "10"] {
        let bytes = unhex(&format!("{code}007fffffff"));
        let error = graphbinary::read(&bytes).expect_err("nothing follows");
        assert!(error.detail.contains("2147483647, and 0 bytes are left"), "{code}: {error}");
    }
    let bomb = "090000000001".repeat(100_000) + "fe01";
    let error = graphbinary::read(&unhex(&bomb)).expect_err("it is deep");
    assert!(error.detail.contains("it nests deeper than 128"), "{error}");
    let tree = "2b00".to_owned() + &"00000001fe01".repeat(100_000) + "00000000";
    let error = graphbinary::read(&unhex(&tree)).expect_err("it is deep");
    assert!(error.detail.contains("it nests deeper than 128"), "{error}");
    let json = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(graphson::read(json.as_bytes()).expect_err("deep").kind, ErrorKind::BadInput);
    let many = "[".to_owned() + &"0,".repeat(2 << 20) + "0]";
    let error = graphson::read(many.as_bytes()).expect_err("too many");
    assert!(error.detail.contains("holds at most 2097152 things"), "{error}");
}

#[test]
fn an_answer_that_nests_without_end_is_refused() {
    let mut value = Value::Null;
    for _ in 0..5_000 {
        value = Value::list(vec![value]);
    }
    let datum = millrace_wire::gremlin::Datum::Value(value);
    let error = graphbinary::write(&datum).expect_err("it is deep");
    assert_eq!(error.kind, ErrorKind::LimitReached);
    let error = graphson::write(&datum, Version::V3).expect_err("it is deep");
    assert_eq!(error.kind, ErrorKind::LimitReached);
}

/// The driver for Node sent its longs as texts, and each was refused. Bound: every type of numbers.
#[test]
fn a_number_of_any_type_may_be_a_text() {
    for (json, expected) in [
        (r#"{"@type":"g:Int64","@value":"1099511627776"}"#, Value::I64(1 << 40)),
        (r#"{"@type":"g:Int32","@value":"-7"}"#, Value::I32(-7)),
        (r#"{"@type":"gx:Int16","@value":"7"}"#, Value::I16(7)),
        (r#"{"@type":"g:Double","@value":"-2.5e3"}"#, Value::F64(-2_500.0)),
        (r#"{"@type":"g:Float","@value":"0.5"}"#, Value::F32(0.5)),
    ] {
        let read = graphson::read(json.as_bytes()).expect(json);
        assert_eq!(read, millrace_wire::gremlin::Datum::Value(expected), "{json}");
    }
}

#[test]
fn graphson_names_the_type_that_is_wrong() {
    for (json, expected) in [
        ("{", "no JSON"),
        ("[1] x", "no JSON"),
        (r#"{"@type":5}"#, "a type is a string, and no number"),
        (r#"{"@type":"g:Int32","@value":2147483648}"#, "in g:Int32: 2147483648 does not fit"),
        (r#"{"@type":"gx:Byte","@value":"x"}"#, "in gx:Byte: `x` is not an integer"),
        (r#"{"@type":"gx:Byte","@value":"128"}"#, "in gx:Byte: 128 does not fit"),
        (r#"{"@type":"g:Int64","@value":"1.5"}"#, "in g:Int64: `1.5` is not an integer"),
        (r#"{"@type":"g:Int64","@value":[]}"#, "in g:Int64: expected an integer, and found a"),
        (r#"{"@type":"g:Double","@value":"x"}"#, "in g:Double: `x` is not a number"),
        (r#"{"@type":"g:Double","@value":"inf"}"#, "in g:Double: `inf` is not a number"),
        (r#"{"@type":"g:UUID","@value":"x"}"#, "in g:UUID: `x` is not a UUID"),
        (r#"{"@type":"g:List","@value":{}}"#, "in g:List: expected an array"),
        (r#"{"@type":"g:Map","@value":[1]}"#, "in g:Map: the last key has no value"),
        (r#"{"@type":"g:T","@value":"x"}"#, "in g:T: `x` is not a constant of T"),
        (r#"{"@type":"g:Vertex","@value":{}}"#, "in g:Vertex: expected an object with `id`"),
        (r#"{"@type":"g:Edge","@value":{"id":1}}"#, "in g:Edge: expected an object with `outV`"),
        (r#"{"@type":"g:Bytecode","@value":{"step":[[]]}}"#, "an instruction has a name"),
        (r#"{"@type":"g:Bytecode","@value":1}"#, "expected an object of instructions"),
        (r#"{"@type":"g:P","@value":{}}"#, "in g:P: expected an object with `predicate`"),
        (r#"{"@type":"gx:Year","@value":1}"#, "gx:Year is not a value here"),
        (r#"{"@type":"x:Other","@value":1}"#, "there is no type x:Other"),
        (r#"{"@type":"gx:BigInteger","@value":36893488147419103232}"#, "send it as a string"),
        (r#"{"@type":"gx:BigDecimal","@value":0.12345678901234567}"#, "send it as a string"),
        (r#"{"@type":"gx:BigDecimal","@value":"1e-99999"}"#, "is not a decimal"),
        (r#"{"@type":"gx:Duration","@value":"5 min"}"#, "`5 min` is not a Duration"),
        (r#"{"@type":"g:Date","@value":9223372036854775807}"#, "too far away to have a date"),
        (r#"{"@type":"g:BulkSet","@value":["a",0]}"#, "a bulk is an integer above 0"),
    ] {
        let error = graphson::read(json.as_bytes()).expect_err(json);
        assert!(error.to_string().contains(expected), "{json}: {error}");
    }
}
