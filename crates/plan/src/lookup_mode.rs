//! What `LookupById` takes for the name of an element.
//!
//! What a reader would get wrong: an id is what an element is *shown* under, and an element that is given
//! for one is itself, whatever it is shown under.

/// What the ids of an `LookupById` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupMode {
    /// What they name, in their order. An integer passes whether it names an element or not.
    Unchecked,
    /// The same; what names no element is left out.
    Checked,
    /// What a scan would list, and whose id equals one of them: each once, by their places. Elements
    /// are no ids here, and numbers of any type are equal if their values are.
    Scanned,
}
