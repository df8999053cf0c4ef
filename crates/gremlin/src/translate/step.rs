//! The description of a step: its name, its translation, and facts that other parts of the crate go by.
//!
//! A step's file under `steps` states its own facts; the defaults of [`Step::new`] hold for the rest. Code that
//! treats steps unlike one another asks for a fact and never for a name, so that a new step is named in its file
//! and in the list alone.

use millrace_model::Result;

use super::calls::Call;
use super::traversal::Traversal;

/// As the maximum of arguments: there is no bound.
pub(crate) const MANY: usize = usize::MAX;

/// Adds a step's operators.
pub(crate) type Translate = fn(&mut Traversal<'_>, &Call<'_>) -> Result<()>;

/// A step.
pub struct Step {
    /// Its name in the language.
    pub name: &'static str,
    /// Adds its operators.
    pub(crate) translate: Translate,
    /// How many arguments it takes, at least and at most; `None`: it looks at them itself.
    pub arguments: Option<(usize, usize)>,
    /// The modulators that may follow it.
    pub modulators: &'static [&'static str],
    /// Those that may also stand before it.
    pub(crate) modulators_before: &'static [&'static str],
    /// Which of its arguments become parameter slots.
    pub(crate) parameters: Parameters,
    /// The elements that it leads to, if it leads to elements as strategies see it.
    pub(crate) leads: Option<Leads>,
    facts: &'static [Fact],
}

impl Step {
    /// A step without modulators or facts, with any number of arguments, all of them part of the plan.
    pub(crate) const fn new(name: &'static str, translate: Translate) -> Step {
        Step {
            name,
            translate,
            arguments: None,
            modulators: &[],
            modulators_before: &[],
            parameters: Parameters::None,
            leads: None,
            facts: &[],
        }
    }

    /// With so many arguments.
    pub(crate) const fn arguments(self, least: usize, most: usize) -> Step {
        Step { arguments: Some((least, most)), ..self }
    }

    /// With modulators behind it.
    pub(crate) const fn modulators(self, modulators: &'static [&'static str]) -> Step {
        Step { modulators, ..self }
    }

    /// With modulators before it, which may stand behind it too.
    pub(crate) const fn modulators_before(self, modulators: &'static [&'static str]) -> Step {
        Step { modulators_before: modulators, ..self }
    }

    /// With arguments that become parameter slots.
    pub(crate) const fn parameters(self, parameters: Parameters) -> Step {
        Step { parameters, ..self }
    }

    /// Leading to elements.
    pub(crate) const fn leads(self, leads: Leads) -> Step {
        Step { leads: Some(leads), ..self }
    }

    /// With facts.
    pub(crate) const fn facts(self, facts: &'static [Fact]) -> Step {
        Step { facts, ..self }
    }

    /// Whether a fact holds.
    pub(crate) fn is(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }
}

/// Which arguments of a step become parameter slots: values that no step needs when the plan is made. Labels,
/// keys, tags and names are none, since they are names of the catalog, columns of the plan or parts of the
/// result; nor are counts, since rules move ranges by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameters {
    /// None; those of traversals inside still do.
    None,
    /// All.
    All,
    /// The operands of predicates; nothing that stands for itself.
    Operands,
    /// The value that a property is compared with: the last of two or three.
    Compared,
    /// The new values of properties: each second one, behind a cardinality if there is one.
    Assigned,
}

/// The elements that a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// To vertices: those of the graph, or ends of an edge.
    Vertices,
    /// To edges of the graph.
    Edges,
    /// To edges of a vertex.
    IncidentEdges,
    /// To the vertices at the other ends of a vertex's edges.
    Neighbours {
        /// The step to these edges.
        edges: &'static str,
        /// The step from there to their other ends.
        ends: &'static str,
    },
}

/// A fact that holds of some steps and not of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    // Where it stands.
    /// It begins a traversal, and is no part of a condition written with `and` and `or` between steps.
    Begins,
    /// It names where the traverser is, and may stand between a step and its modulators.
    SetsTags,
    /// Without arguments it joins the conditions before and behind it: both must hold.
    Conjunction,
    /// The same, where one must hold.
    Disjunction,
    /// Its traversals may begin and end at tags.
    ComparesTags,

    // Its effects on the graph.
    /// It writes.
    Writes,
    /// It creates an element.
    Creates,
    /// It creates an element if it finds none.
    Merges,

    // The information that it reads.
    /// It reads the path of the traverser.
    NeedsPath,
    /// It reads the previous object of the traverser: from its path, unless it came along an edge.
    NeedsOrigin,
    /// It reads the rest of the traverser's state, such as its sack and the objects of its tags.
    AsksTraverser,
    /// Its arguments are the ids of elements to look up.
    LooksUpIds,
    /// Its arguments are compared with ids.
    ComparesIds,
    /// It tests the element itself, so that behind `V` or `E` it is part of the look-up.
    TestsElement,

    // The names in its arguments, for completion. Steps along edges name edge types without a fact.
    /// Labels of vertices.
    NamesLabels,
    /// Edge types.
    NamesTypes,
    /// Property keys.
    NamesKeys,

    // Its results.
    /// Traversers are known to stay where they are.
    KeepsPlace,
    /// The id of an element.
    GivesId,
    /// Properties.
    GivesProperties,
    /// The values of properties.
    GivesValues,
    /// Maps of properties.
    MapsProperties,
    /// It collects objects in a list beside the traversal, under the name that is its last argument.
    Collects,
    /// It emits several objects for one. Equal traversers become one behind the second such step, as between the
    /// steps of TinkerPop.
    Spreads,
    /// It waits for all traversers, so that none need to be merged before it.
    Waits,
    /// It treats the objects of a group as a whole, unless its scope is local.
    SeesAll,
}
