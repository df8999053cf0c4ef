//! The type codes of GraphBinary 1, each with its name.

pub(super) const CUSTOM: u8 = 0x00;
pub(super) const INT: u8 = 0x01;
pub(super) const LONG: u8 = 0x02;
pub(super) const STRING: u8 = 0x03;
pub(super) const DATE: u8 = 0x04;
pub(super) const TIMESTAMP: u8 = 0x05;
pub(super) const CLASS: u8 = 0x06;
pub(super) const DOUBLE: u8 = 0x07;
pub(super) const FLOAT: u8 = 0x08;
pub(super) const LIST: u8 = 0x09;
pub(super) const MAP: u8 = 0x0a;
pub(super) const SET: u8 = 0x0b;
pub(super) const UUID: u8 = 0x0c;
pub(super) const EDGE: u8 = 0x0d;
pub(super) const PATH: u8 = 0x0e;
pub(super) const PROPERTY: u8 = 0x0f;
pub(super) const GRAPH: u8 = 0x10;
pub(super) const VERTEX: u8 = 0x11;
pub(super) const VERTEX_PROPERTY: u8 = 0x12;
pub(super) const BINDING: u8 = 0x14;
pub(super) const BYTECODE: u8 = 0x15;
pub(super) const DIRECTION: u8 = 0x18;
pub(super) const LAMBDA: u8 = 0x1d;
pub(super) const P: u8 = 0x1e;
pub(super) const T: u8 = 0x20;
pub(super) const TRAVERSER: u8 = 0x21;
pub(super) const BIG_DECIMAL: u8 = 0x22;
pub(super) const BIG_INTEGER: u8 = 0x23;
pub(super) const BYTE: u8 = 0x24;
pub(super) const BYTE_BUFFER: u8 = 0x25;
pub(super) const SHORT: u8 = 0x26;
pub(super) const BOOLEAN: u8 = 0x27;
pub(super) const TEXT_P: u8 = 0x28;
pub(super) const TRAVERSAL_STRATEGY: u8 = 0x29;
pub(super) const BULK_SET: u8 = 0x2a;
pub(super) const TREE: u8 = 0x2b;
pub(super) const METRICS: u8 = 0x2c;
pub(super) const TRAVERSAL_METRICS: u8 = 0x2d;
pub(super) const CHAR: u8 = 0x80;
pub(super) const DURATION: u8 = 0x81;
pub(super) const INSTANT: u8 = 0x83;
pub(super) const LOCAL_DATE: u8 = 0x84;
pub(super) const LOCAL_DATE_TIME: u8 = 0x85;
pub(super) const LOCAL_TIME: u8 = 0x86;
pub(super) const OFFSET_DATE_TIME: u8 = 0x88;
pub(super) const OFFSET_TIME: u8 = 0x89;
pub(super) const PERIOD: u8 = 0x8a;
pub(super) const ZONED_DATE_TIME: u8 = 0x8d;
pub(super) const NULL: u8 = 0xfe;

/// Enumerations with constants that are no values, by their codes.
pub(super) const SYMBOLS: [(u8, millrace_bytecode::SymbolFamily); 11] = {
    use millrace_bytecode::SymbolFamily as Family;
    [
        (0x13, Family::Barrier),
        (0x16, Family::Cardinality),
        (0x17, Family::Column),
        (0x19, Family::Operator),
        (0x1a, Family::Order),
        (0x1b, Family::Pick),
        (0x1c, Family::Pop),
        (0x1f, Family::Scope),
        (0x2e, Family::Merge),
        (0x2f, Family::DateTimePart),
        (0x30, Family::Type),
    ]
};

/// Types of the specification that no value of ours can say.
pub(super) const REFUSED: [(u8, &str); 5] = [
    (0x82, "InetAddress"),
    (0x87, "MonthDay"),
    (0x8b, "Year"),
    (0x8c, "YearMonth"),
    (0x8e, "ZoneOffset"),
];
