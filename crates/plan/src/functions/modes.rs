//! Differences between languages, as modes of functions.

/// The result for a whole number that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// An error.
    Error,
    /// It goes round, as in Java.
    Wrap,
    /// A double.
    Double,
    /// Null.
    Missing,
    /// As wide as the wider of both, and wider where it must be; an error beyond 64 bits.
    Widen,
}

/// The kind of division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Division {
    /// Of whole numbers the whole part; by zero an error.
    Whole,
    /// A double in any case; by zero infinite, or not a number.
    Exact,
    /// A double in any case; by zero an error.
    Checked,
    /// As `Whole`, as wide as the wider of both, and wider where it must be.
    Widen,
}

/// How a place lies to a shape, by JanusGraph's predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeoTest {
    /// It is in the shape.
    Within,
    /// Both have a point in common.
    Intersects,
    /// They have none.
    Disjoint,
    /// The shape is in it.
    Contains,
}

/// How places are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndexMode {
    /// The number of the first place.
    pub first: u8,
    /// Whether places before it are counted from the end.
    pub from_end: bool,
    /// The result for a place that is not there.
    pub outside: Outside,
}

/// The result for a place that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outside {
    /// Null for an entry; a range is cut to the entries there are.
    Missing,
    /// An error.
    Error,
    /// An error before the first; behind the last as `Missing`.
    ErrorBefore,
}

/// Which way a half is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Away from zero.
    HalfUp,
    /// To the even neighbour.
    HalfEven,
    /// Towards the greater, as in Java.
    HalfCeiling,
}

/// How texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collation {
    /// By code points.
    CodePoint,
    /// By code points, upper and lower case alike.
    CaseFold,
}

/// A normal form of Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormalForm {
    /// Canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility composition.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// The result for a value that does not convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// An error.
    Error,
    /// Null.
    Null,
}

/// The result for a day that its month does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MonthEnd {
    /// The month's last.
    Clamp,
    /// A day of the next month.
    Spill,
}

/// A part of a day, or of a date and time by its own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatePart {
    /// The year.
    Year,
    /// The month, from 1.
    Month,
    /// The day of the month, from 1.
    Day,
    /// The day of the week, Monday is 1.
    Weekday,
    /// The day of the year, from 1.
    YearDay,
    /// The hour.
    Hour,
    /// The minute.
    Minute,
    /// The second.
    Second,
}

/// The type that a value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// Anything but null.
    Anything,
    /// A text.
    Text,
    /// A list, set or path: its entries as a list.
    Entries,
    /// A map.
    Map,
    /// A number.
    Number,
    /// A date and time, or a day as its start.
    Timestamp,
    /// A vertex.
    Vertex,
    /// A vertex or an edge.
    Element,
}

/// The type that a value of any type is converted into. A text that does not read gives null; a value of a
/// type that never converts is an error, unless the variant says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// A 64-bit integer, of a number, a text or a boolean; a fraction is cut off.
    Integer,
    /// As `Integer`; null of other types.
    IntegerOrNull,
    /// As `IntegerOrNull`, of each entry of a list.
    Integers,
    /// A double, of a number or a text.
    Float,
    /// As `Float`; null of other types.
    FloatOrNull,
    /// As `FloatOrNull`, of each entry of a list.
    Floats,
    /// A boolean, of one, of a text or of an integer, which is true unless 0.
    Boolean,
    /// As `Boolean`; null of other types.
    BooleanOrNull,
    /// As `BooleanOrNull`, of each entry of a list.
    Booleans,
    /// A text, of a number, a boolean, a temporal value or a point.
    Text,
    /// As `Text`; null of other types.
    TextOrNull,
    /// As `TextOrNull`, of each entry of a list.
    Texts,
}

/// How an entry is combined with the result of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Added.
    Sum,
    /// Taken away.
    Minus,
    /// Multiplied.
    Product,
    /// Divided by it.
    Quotient,
    /// The lesser of both.
    Min,
    /// The greater of both.
    Max,
    /// Whether both hold.
    And,
    /// Whether one holds.
    Or,
    /// The entry alone.
    Last,
    /// All that either holds: maps, lists and sets.
    Join,
}

/// The set operation on two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOperation {
    /// Entries of either list.
    Union,
    /// Entries of both lists.
    Intersection,
    /// Entries of the first list that are not in the second.
    Difference,
    /// Entries of one list only.
    SymmetricDifference,
}

/// How an entry is paired with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// The entry, then the place.
    EntryFirst,
    /// The place, then the entry.
    PlaceFirst,
}

/// The types of numbers, by the names that messages have for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberType {
    /// The one the number has.
    Any,
    /// 8 bits.
    Byte,
    /// 16 bits.
    Short,
    /// 32 bits.
    Integer,
    /// 64 bits.
    Long,
    /// A decimal without places.
    BigInteger,
    /// Single precision.
    Float,
    /// Double precision.
    Double,
    /// A decimal.
    BigDecimal,
}

/// A function of one double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elementary {
    /// The arc cosine.
    Acos,
    /// The arc sine.
    Asin,
    /// The arc tangent.
    Atan,
    /// The least whole number that is not below, as a double.
    Ceil,
    /// The cotangent.
    Cot,
    /// The hyperbolic cotangent.
    Coth,
    /// The cube root.
    CubeRoot,
    /// The cosine.
    Cos,
    /// The hyperbolic cosine.
    Cosh,
    /// Radians as degrees.
    Degrees,
    /// The greatest whole number that is not above, as a double.
    Floor,
    /// Half of one minus the cosine.
    Haversine,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// Degrees as radians.
    Radians,
    /// The sine.
    Sin,
    /// The hyperbolic sine.
    Sinh,
    /// The tangent.
    Tan,
    /// The hyperbolic tangent.
    Tanh,
}

/// The effect on a property's values when one is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// The new one stands in their place.
    Single,
    /// All are kept.
    List,
    /// All are kept, and none comes twice.
    Set,
}

/// One of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The first.
    First,
    /// The last.
    Last,
}

/// How alike two vectors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorMetric {
    /// The angle between them.
    Cosine,
    /// The distance between them.
    Euclidean,
}

/// What is computed of two values of which one is a vector at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorOperation {
    /// The sums of numbers at one dimension.
    Add,
    /// Their differences.
    Subtract,
    /// A vector times a number, in either order.
    Multiply,
    /// A vector by a number.
    Divide,
    /// The sum of the products of numbers at one dimension, in double precision.
    Dot,
}

/// The words of a text put together as one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordCase {
    /// `aName`.
    Camel,
    /// `AName`.
    UpperCamel,
    /// `a-name`.
    Snake,
    /// `A_NAME`.
    UpperUnderscore,
    /// Words stay, each begins with an upper case letter.
    CapitalizeAll,
    /// Words stay, each begins with a lower case letter.
    DecapitalizeAll,
    /// The first letter in upper case.
    Capitalize,
    /// The first letter in lower case.
    Decapitalize,
    /// Upper case for lower case, and the other way round.
    Swap,
}

/// How a text is written in other characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextCode {
    /// Base64 (RFC 4648).
    Base64,
    /// The same with `-` and `_`.
    Base64Url,
    /// As forms in web addresses are written.
    Url,
}

/// How far two texts are from each other, or how alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextDistance {
    /// Edits of a character, as an integer.
    Levenshtein,
    /// Places that differ, as an integer; the texts are equally long.
    Hamming,
    /// From 0 (alike) to 1, by common characters and beginnings.
    JaroWinkler,
    /// From 0 to 1 (alike), by common pairs of letters of words.
    SorensenDice,
}
