//! Files that are no text, or not the file at all.

/// The first bytes of a file format, and the message for it.
type Known = (&'static [u8], &'static str);

const KNOWN: [Known; 18] = [
    (b"ORC", "ORC is not read: write its tables as CSV"),
    (b"Obj\x01", "Avro is not read: write its tables as CSV"),
    (b"ARROW1", "Arrow is not read: write its tables as CSV"),
    (b"SQLite format 3\0", "this is a database of SQLite: write its tables as CSV"),
    (b"DZV1", NEO4J_DUMP),
    (b"DGV1", NEO4J_DUMP),
    (b"GIF", "this is a picture"),
    (b"\x89PNG", "this is a picture"),
    (b"%PDF", "this is a PDF document"),
    (b"PK\x03\x04", "this is a zip archive: unpack it, and load its files"),
    (b"BZh", "this is compressed with bzip2, and only gzip is read: decompress it first"),
    (
        b"\x28\xb5\x2f\xfd",
        "this is compressed with zstd, and only gzip is read: decompress it first",
    ),
    (b"\xfd7zXZ\0", "this is compressed with xz, and only gzip is read: decompress it first"),
    (b"7z\xbc\xaf\x27\x1c", "this is a 7z archive: unpack it, and load its files"),
    (b"\x1f\x8b", "this is gzip inside gzip: unpack it once"),
    (b"\xff\xfe", "this is UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"),
    (b"\xfe\xff", "this is UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"),
    (
        b"version https://git-lfs.github.com/spec/",
        "this is a Git LFS pointer and not the file: fetch the file (git lfs pull)",
    ),
];

const NEO4J_DUMP: &str = "a dump of Neo4j is not read: load it into Neo4j and export it as CSV, or as \
                          JSON or GraphML by APOC (apoc.export.json.all)";

/// Where a tar archive says that it is one.
const TAR: std::ops::Range<usize> = 257..262;

pub(super) fn looks(head: &[u8]) -> Option<&'static str> {
    if head.get(TAR) == Some(b"ustar") {
        return Some("this is a tar archive: unpack it, and load its files");
    }
    KNOWN.iter().find(|(bytes, _)| head.starts_with(bytes)).map(|(_, detail)| *detail)
}
