//! Scalar functions, written once for all languages; one file for each family.
//!
//! A language maps its names to these. What differs between languages is a mode on the variant. An
//! argument that is null gives null, whatever the function; another of the wrong type is an error,
//! but for the tests of text, which are unknown then.

mod arguments;
mod casts;
mod collections;
mod conversion;
mod dates;
mod display;
mod elementary;
mod lists;
mod maps;
mod modes;
mod numbers;
mod paths;
mod patterns;
mod property_values;
mod reduce;
mod sets;
mod strings;
mod wanted;

use std::fmt;

use millrace_model::{Result, Value};

pub use modes::{
    Cardinality, Collation, DatePart, Division, Elementary, IndexMode, MonthEnd, NumberType,
    OnFailure, Outside, Overflow, Pairing, Reduction, Rounding, SetOperation, Wanted, Which,
};

/// A scalar function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// Whether a text starts with another.
    StartsWith,
    /// Whether a text ends with another.
    EndsWith,
    /// Whether a text contains another.
    Contains,
    /// A text in upper case.
    Upper,
    /// A text in lower case.
    Lower,
    /// A text without white space at its ends.
    Trim,
    /// A text without white space at its start.
    TrimStart,
    /// A text without white space at its end.
    TrimEnd,
    /// Characters of a text from a place on, so many or all.
    Substring(IndexMode),
    /// Where a text is found in another, counted as the mode says; null if nowhere.
    Position(IndexMode),
    /// The parts of a text between separators.
    Split,
    /// A text with each occurrence of a second replaced by a third.
    Replace,
    /// Texts as one.
    Concat,
    /// A text so many times.
    RepeatText,
    /// A text by which texts are compared.
    CollationKey(Collation),
    /// A number without its sign.
    Abs(Overflow),
    /// -1, 0 or 1.
    Sign,
    /// The least whole number that is not below.
    Ceil,
    /// The greatest whole number that is not above.
    Floor,
    /// A number rounded to so many decimal places (none: to a whole one).
    Round(Rounding),
    /// The square root; of a number below zero not a number.
    Sqrt,
    /// e to the power.
    Exp,
    /// The natural logarithm.
    Ln,
    /// A double to the power of another.
    Power,
    /// A sum.
    Add(Overflow),
    /// A difference.
    Subtract(Overflow),
    /// A product.
    Multiply(Overflow),
    /// A quotient.
    Divide(Division),
    /// The remainder with the sign of the divisor.
    Modulo,
    /// How many characters, entries or pairs.
    Size,
    /// The entry at a place.
    ElementAt(IndexMode),
    /// Entries from a place to another, exclusive (none: to the end).
    Slice(IndexMode),
    /// A text or list, last first.
    Reverse,
    /// Lists as one.
    ConcatLists,
    /// A list with each value once, by identity.
    Distinct,
    /// A list in the total order.
    SortList,
    /// Whole numbers from one to another, inclusive, by a step (none: 1).
    Range,
    /// The keys of a map; of a map's entry its key.
    Keys,
    /// The values of a map; of a map's entry its value.
    Values,
    /// A map's value of a key; null if there is none.
    Get,
    /// Maps as one: later pairs win.
    MergeMaps,
    /// A map without some keys.
    Without,
    /// A day by year, month and day.
    Date,
    /// A day by its ISO 8601 text.
    ParseDate(OnFailure),
    /// A part of a day, or of a date and time.
    Part(DatePart),
    /// A day so many days later.
    AddDays,
    /// A day so many months later.
    AddMonths(MonthEnd),
    /// The days from a day to another.
    DaysBetween,
    /// Whole seconds from 1970 to a date and time.
    EpochSeconds,
    /// The timestamp so many seconds after 1970.
    FromEpochSeconds,
    /// As a whole number; a fraction is cut off.
    ToInteger(OnFailure),
    /// As a double.
    ToDouble(OnFailure),
    /// As a boolean.
    ToBoolean(OnFailure),
    /// As a text.
    ToText(OnFailure),
    /// The word for the value's type.
    TypeName,
    /// The objects of a path, as a list.
    Objects,
    /// The tags of each object of a path, as a list of sets.
    PathTags,
    /// A path from the last object with a tag on; an error if there is none.
    PathFrom,
    /// A path up to the last object with a tag; an error if there is none.
    PathTo,
    /// Whether no object is twice in a path, by identity.
    IsSimple,
    /// Whether no value is twice in a list, by identity.
    AreDistinct,
    /// A list with one more value, which may be null; null in place of the list is an empty one.
    Append,
    /// The entry of a list of one; another list as it is.
    OneOrAll,
    /// The entries of a list, set or map; anything else, null too, is its own only entry.
    Unfold,
    /// A map of pairs, each a list of key and value, a map or a map's entry: a later value of a key stands where
    /// its first one stood.
    MapOfPairs,
    /// A map with each value as a list of one, unless it is a list.
    ValuesAsLists,
    /// Texts of a list with a separator between them; of none the third argument.
    Join,
    /// Ids of a list, lists in it opened: texts of the digits of a number from 1 as that number, numbers with
    /// a point and nothing behind it as integers, UUIDs as texts, null left out.
    Ids,
    /// Entries put back into a collection of the first argument's kind: a map of pairs, a list, or
    /// the only entry of what was no collection; that itself if there is none.
    RebuildCollection,
    /// A property as a thing, of an element, its key, its value and the value's ordinal (none: 0).
    PropertyOf,
    /// The key of a property that is a thing.
    KeyOf,
    /// The element that a property belongs to, or the property that one belongs to.
    OwnerOf,
    /// The tree of lists, each a way from its root: common beginnings are one.
    TreeOf,
    /// The part of a graph that edges are: of a list of lists, each an edge and its two ends.
    GraphOf,
    /// A path with other objects in the places of its own.
    WithObjects,
    /// A whole number in 32 bits.
    ToInt,
    /// Whether a regular expression is found in a text.
    Matches,
    /// The parts of a text between white space.
    Words,
    /// Texts as one, null left out; null where all are null.
    ConcatNonNull,
    /// Any value as text for people.
    Display,
    /// Values of a list as texts for people, null left out, with a separator between them.
    JoinDisplay,
    /// The first argument if it is as wanted, else an error with a message of the others: of null
    /// the second (null: null passes), of another type the third.
    Require(Wanted),
    /// A number, or a text or timestamp as one, of a type.
    AsNumber(NumberType),
    /// A boolean, number or text as a boolean.
    AsCondition,
    /// A timestamp, or a text or milliseconds as one.
    ToDatetime,
    /// The start of a day, by UTC.
    StartOfDay,
    /// A timestamp so many seconds later.
    AddSeconds,
    /// The milliseconds from the second timestamp to the first.
    MillisecondsSince,
    /// A set of what two lists have.
    SetOf(SetOperation),
    /// A first value put together with the entries of a list, one after the other.
    Reduce(Reduction),
    /// Each entry of a list with each of another, as lists of two.
    Product,
    /// Each entry of a list with its place, from 0 and in 32 bits, as lists of two.
    Enumerate(Pairing),
    /// A function of one double.
    Elementary(Elementary),
    /// A property with one more value, which has properties of its own: a map, or null.
    AddValue(Cardinality),
    /// A property without the value of an ordinal; null if that was the last.
    RemoveValue,
    /// A property with a meta-property set on its value of an ordinal; null removes it.
    SetMeta,
    /// The value of an ordinal; null if a property has none.
    ValueAt,
    /// The properties of the value of an ordinal, as a map.
    MetaAt,
    /// A map of properties with one value of each.
    SingleValues(Which),
    /// A map of pairs, each a list of key and value, to the lists of a key's values.
    GroupPairs,
    /// Which of its key's values a property is that is a thing.
    OrdinalOf,
    /// The value of a property of an edge, or of a property, that is a thing.
    ValueOf,
    /// Whether an edge, or each edge of a list, is none of some others, or none in lists of them.
    /// Null among the others is no edge.
    DiffersFrom,
}

impl Function {
    /// The value for arguments.
    pub fn call(self, arguments: &[Value]) -> Result<Value> {
        self.check_count(arguments.len())?;
        if let Some(value) = paths::with_null(self, arguments) {
            return value;
        }
        if let Some(value) = property_values::with_null(self, arguments) {
            return value;
        }
        match self {
            Function::Unfold => return collections::call(self, arguments),
            Function::Require(wanted) => return wanted::require(wanted, arguments),
            // A first value of null is none, and a map may have an entry for null.
            Function::Reduce(reduction) if !arguments[1].is_null() => {
                return reduce::reduce(reduction, &arguments[0], &arguments[1]);
            }
            Function::Get if !arguments[0].is_null() => return maps::call(self, arguments),
            Function::ConcatNonNull => return display::concat_present(arguments),
            _ => {}
        }
        if arguments.iter().any(Value::is_null) {
            return Ok(Value::Null);
        }
        use Function as F;
        match self {
            F::StartsWith | F::EndsWith | F::Contains => Ok(strings::test(self, arguments)),
            F::Upper
            | F::Lower
            | F::Trim
            | F::TrimStart
            | F::TrimEnd
            | F::Substring(_)
            | F::Position(_)
            | F::Split
            | F::Words
            | F::Replace
            | F::Concat
            | F::RepeatText
            | F::CollationKey(_) => strings::call(self, arguments),
            F::Matches => patterns::matches(arguments),
            F::ConcatNonNull | F::Display | F::JoinDisplay => display::call(self, arguments),
            F::Require(wanted) => wanted::require(wanted, arguments),
            F::AsNumber(_) | F::AsCondition | F::ToDatetime | F::StartOfDay => {
                casts::call(self, arguments)
            }
            F::Reduce(reduction) => reduce::reduce(reduction, &arguments[0], &arguments[1]),
            F::SetOf(_) | F::Product | F::Enumerate(_) => sets::call(self, arguments),
            F::Elementary(function) => elementary::call(function, &arguments[0]),
            F::Abs(_)
            | F::Sign
            | F::Ceil
            | F::Floor
            | F::Round(_)
            | F::Sqrt
            | F::Exp
            | F::Ln
            | F::Power
            | F::Add(_)
            | F::Subtract(_)
            | F::Multiply(_)
            | F::Divide(_)
            | F::Modulo => numbers::call(self, arguments),
            F::Size
            | F::ElementAt(_)
            | F::Slice(_)
            | F::Reverse
            | F::ConcatLists
            | F::Distinct
            | F::SortList
            | F::Range => lists::call(self, arguments),
            F::Keys | F::Values | F::Get | F::MergeMaps | F::Without => maps::call(self, arguments),
            F::Date
            | F::ParseDate(_)
            | F::Part(_)
            | F::AddDays
            | F::AddMonths(_)
            | F::DaysBetween
            | F::AddSeconds
            | F::MillisecondsSince
            | F::EpochSeconds
            | F::FromEpochSeconds => dates::call(self, arguments),
            F::ToInteger(_) | F::ToDouble(_) | F::ToBoolean(_) | F::ToText(_) | F::TypeName => {
                conversion::call(self, arguments)
            }
            F::Unfold
            | F::MapOfPairs
            | F::ValuesAsLists
            | F::Join
            | F::Ids
            | F::RebuildCollection
            | F::WithObjects
            | F::PropertyOf
            | F::TreeOf
            | F::GraphOf
            | F::KeyOf
            | F::OwnerOf
            | F::ToInt => collections::call(self, arguments),
            F::AddValue(_)
            | F::RemoveValue
            | F::SetMeta
            | F::ValueAt
            | F::MetaAt
            | F::SingleValues(_)
            | F::GroupPairs
            | F::OrdinalOf
            | F::ValueOf => property_values::call(self, arguments),
            F::Objects
            | F::PathTags
            | F::PathFrom
            | F::PathTo
            | F::IsSimple
            | F::AreDistinct
            | F::Append
            | F::OneOrAll
            | F::DiffersFrom => paths::call(self, arguments),
        }
    }

    /// How many arguments it takes, at least and at most.
    pub fn arity(self) -> (usize, usize) {
        use Function as F;
        match self {
            F::Upper
            | F::Lower
            | F::Trim
            | F::TrimStart
            | F::TrimEnd
            | F::CollationKey(_)
            | F::Abs(_)
            | F::Sign
            | F::Ceil
            | F::Floor
            | F::Sqrt
            | F::Exp
            | F::Ln
            | F::Size
            | F::Reverse
            | F::Distinct
            | F::SortList
            | F::Keys
            | F::Values
            | F::ParseDate(_)
            | F::Part(_)
            | F::EpochSeconds
            | F::FromEpochSeconds
            | F::ToInteger(_)
            | F::ToDouble(_)
            | F::ToBoolean(_)
            | F::ToText(_)
            | F::TypeName
            | F::Objects
            | F::PathTags
            | F::IsSimple
            | F::AreDistinct
            | F::OneOrAll
            | F::Unfold
            | F::MapOfPairs
            | F::ValuesAsLists
            | F::Ids
            | F::TreeOf
            | F::GraphOf
            | F::KeyOf
            | F::OwnerOf
            | F::Words
            | F::Display
            | F::AsNumber(_)
            | F::AsCondition
            | F::ToDatetime
            | F::StartOfDay
            | F::Enumerate(_)
            | F::Elementary(_)
            | F::SingleValues(_)
            | F::GroupPairs
            | F::OrdinalOf
            | F::ValueOf
            | F::ToInt => (1, 1),
            F::Round(_) => (1, 2),
            F::StartsWith
            | F::EndsWith
            | F::Contains
            | F::Position(_)
            | F::Split
            | F::RepeatText
            | F::Power
            | F::Add(_)
            | F::Subtract(_)
            | F::Multiply(_)
            | F::Divide(_)
            | F::Modulo
            | F::ElementAt(_)
            | F::Get
            | F::Without
            | F::AddDays
            | F::AddMonths(_)
            | F::DaysBetween
            | F::AddSeconds
            | F::MillisecondsSince
            | F::Matches
            | F::JoinDisplay
            | F::SetOf(_)
            | F::Product
            | F::Reduce(_)
            | F::PathFrom
            | F::PathTo
            | F::RebuildCollection
            | F::WithObjects
            | F::RemoveValue
            | F::ValueAt
            | F::MetaAt
            | F::Append => (2, 2),
            F::Substring(_) | F::Slice(_) | F::Range => (2, 3),
            F::Replace | F::Date | F::Join | F::AddValue(_) | F::Require(_) => (3, 3),
            F::PropertyOf => (3, 4),
            F::SetMeta => (4, 4),
            F::Concat | F::ConcatNonNull | F::ConcatLists | F::MergeMaps => (0, usize::MAX),
            F::DiffersFrom => (1, usize::MAX),
        }
    }

    fn check_count(self, count: usize) -> Result<()> {
        let (least, most) = self.arity();
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
        Err(arguments::bad(format!("{self} takes {wanted} arguments and got {count}")))
    }
}

/// Its name with its modes, as plans and messages show it.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let debug = format!("{self:?}");
        // `Substring(IndexMode { … })`: the name in snake case, then the modes.
        let (name, modes) = debug.split_once('(').unwrap_or((&debug, ""));
        for (place, letter) in name.char_indices() {
            if letter.is_uppercase() && 0 < place {
                f.write_str("_")?;
            }
            write!(f, "{}", letter.to_lowercase())?;
        }
        if modes.is_empty() {
            return Ok(());
        }
        let modes = modes.trim_end_matches(')').replace("IndexMode { ", "").replace(" }", "");
        write!(f, "[{}]", modes.to_lowercase())
    }
}
