//! Bytes that are wrong, deep or claim to be long.

use millrace_model::{ErrorKind, Value};
use millrace_wire::bolt::packstream::Datum;
use millrace_wire::bolt::{Version, read_request};

use super::read;

#[test]
fn nesting_of_ten_thousand_is_refused() {
    for unit in [&b"\x91"[..], b"\xa1\x81a", b"\xb1\x44", b"\xb4\x4e\x01\x90\xa1\x81a"] {
        let bytes = unit.repeat(10_000);
        assert!(read::<Value>(&bytes).is_err());
        assert!(read::<Datum>(&bytes).is_err());
        let run = [&b"\xb3\x10\x81x\xa1\x81p"[..], &bytes].concat();
        assert!(read_request(&run, Version::NEWEST).is_err());
        let skipped = [&b"\xb1\x01\xa1\x81p"[..], &bytes].concat();
        assert!(read_request(&skipped, Version::NEWEST).is_err());
    }
    let deep = b"\x91".repeat(200);
    assert_eq!(read::<Value>(&deep).unwrap_err().kind, ErrorKind::LimitReached);
}

#[test]
fn wrong_structures_are_refused() {
    for bytes in [
        &b"\xb2\x44\x01\x01"[..],
        b"\xb1\x44\x81x",
        b"\xb1\x44\xcb\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"\xb1\x74\xff",
        b"\xb2\x64\x01\xff",
        b"\xb3\x49\x01\x01\xca\x00\x0f\x00\x00",
        b"\xb3\x69\x01\x01\x87No/Zone",
        b"\xb3\x58\x01\x01\x01",
        b"\xb3\x58\xff\xc1\x00\x00\x00\x00\x00\x00\x00\x00\xc1\x00\x00\x00\x00\x00\x00\x00\x00",
        b"\xb1\x7a\x01",
        b"\xb3\x50\x90\x90\x90",
        b"\xb3\x50\x91\x01\x90\x90",
        b"\xa1\x01\x01",
    ] {
        assert_eq!(read::<Datum>(bytes).unwrap_err().kind, ErrorKind::BadInput, "{bytes:02x?}");
    }
}

#[test]
fn a_path_that_names_what_it_lacks_is_refused() {
    let node = b"\xb4\x4e\x01\x90\xa0\x811";
    let path = |sequence: &[u8]| [&b"\xb3\x50\x91"[..], node, b"\x90", sequence].concat();
    assert!(read::<Datum>(&path(b"\x90")).is_ok());
    for sequence in [&b"\x92\x01\x00"[..], b"\x92\x00\x00", b"\x92\xff\x00", b"\x91\x01"] {
        assert!(read::<Datum>(&path(sequence)).is_err(), "{sequence:02x?}");
    }
}
