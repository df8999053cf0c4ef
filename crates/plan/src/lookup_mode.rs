//! What `LookupById` takes for the name of an element.
//!
//! An id names the element that has it as its external id; an element in place of an id names itself,
//! whatever its external id is.

/// What the ids of an `LookupById` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupMode {
    /// What they name, in their order. An integer passes whether it names an element or not.
    Unchecked,
    /// The same; what names no element is left out.
    Checked,
    /// What a scan would list, where its id equals one of them: each once, by their places. Elements
    /// are no ids here, and numbers of any type are equal if their values are.
    Scanned,
}
