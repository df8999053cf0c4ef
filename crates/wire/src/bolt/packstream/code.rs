//! Markers of PackStream and tags of its structures.

pub(super) const NULL: u8 = 0xC0;
pub(super) const FLOAT: u8 = 0xC1;
pub(super) const FALSE: u8 = 0xC2;
pub(super) const TRUE: u8 = 0xC3;
pub(super) const INT_8: u8 = 0xC8;
pub(super) const INT_16: u8 = 0xC9;
pub(super) const INT_32: u8 = 0xCA;
pub(super) const INT_64: u8 = 0xCB;
pub(super) const BYTES_8: u8 = 0xCC;
pub(super) const BYTES_16: u8 = 0xCD;
pub(super) const BYTES_32: u8 = 0xCE;
/// The high half of a marker that holds a length below 16.
pub(super) const TINY_STRING: u8 = 0x80;
pub(super) const STRING_8: u8 = 0xD0;
pub(super) const STRING_16: u8 = 0xD1;
pub(super) const STRING_32: u8 = 0xD2;
pub(super) const TINY_LIST: u8 = 0x90;
pub(super) const LIST_8: u8 = 0xD4;
pub(super) const LIST_16: u8 = 0xD5;
pub(super) const LIST_32: u8 = 0xD6;
pub(super) const TINY_MAP: u8 = 0xA0;
pub(super) const MAP_8: u8 = 0xD8;
pub(super) const MAP_16: u8 = 0xD9;
pub(super) const MAP_32: u8 = 0xDA;
pub(super) const TINY_STRUCTURE: u8 = 0xB0;

/// The smallest integer that is its own marker.
pub(super) const TINY_INT_MIN: i8 = -16;

pub(super) const NODE: u8 = 0x4E;
pub(super) const RELATIONSHIP: u8 = 0x52;
pub(super) const UNBOUND_RELATIONSHIP: u8 = 0x72;
pub(super) const PATH: u8 = 0x50;
pub(super) const DATE: u8 = 0x44;
pub(super) const TIME: u8 = 0x54;
pub(super) const LOCAL_TIME: u8 = 0x74;
pub(super) const LOCAL_DATE_TIME: u8 = 0x64;
/// Seconds are of UTC.
pub(super) const DATE_TIME: u8 = 0x49;
pub(super) const DATE_TIME_IN_ZONE: u8 = 0x69;
/// Seconds are of the local clock, before 5.0.
pub(super) const LOCAL_CLOCK_DATE_TIME: u8 = 0x46;
pub(super) const LOCAL_CLOCK_DATE_TIME_IN_ZONE: u8 = 0x66;
pub(super) const DURATION: u8 = 0x45;
pub(super) const POINT_2D: u8 = 0x58;
pub(super) const POINT_3D: u8 = 0x59;
