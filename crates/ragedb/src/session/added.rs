//! Relationships that a script adds one by one without a plan for each: their forms, by name.
//!
//! Nothing is delayed here. A runner may delay added relationships, and makes them before anything else
//! runs.

use millrace_model::{EdgeId, Result, Value, VertexId};
use millrace_plan::{EdgeLayout, NewEdges, Runner};
use mlua::LuaString;

use crate::limits::ADDED_FORMS_MAX;

/// The forms that were added of late.
#[derive(Default)]
pub(crate) struct Added {
    forms: Vec<Form>,
    ids: Vec<EdgeId>,
}

struct Form {
    edge_type: String,
    /// The text by which the script named the type last: the same text is recognised without reading it.
    text: Option<LuaString>,
    names: Vec<String>,
    layout: EdgeLayout,
}

impl Added {
    /// Makes a relationship between vertices that are there; `None`: by a plan.
    pub(crate) fn add(
        &mut self,
        runner: &mut dyn Runner,
        (edge_type, names): (&str, &[String]),
        ends: (u64, u64),
        values: &[Value],
    ) -> Result<Option<u64>> {
        let is_form = |form: &Form| form.edge_type == edge_type && form.names == names;
        if let Some(place) = self.forms.iter().position(is_form)
            && let Some(edge) = self.add_of(runner, place, ends, values)?
        {
            return Ok(Some(edge));
        }
        let Some(layout) = runner.edge_layout(edge_type, names)? else { return Ok(None) };
        if ADDED_FORMS_MAX <= self.forms.len() {
            self.forms.remove(0);
        }
        let (edge_type, names) = (edge_type.to_owned(), names.to_vec());
        self.forms.push(Form { edge_type, text: None, names, layout });
        self.add_of(runner, self.forms.len() - 1, ends, values)
    }

    /// The same by the script's text of a type, for a form that is known.
    pub(crate) fn add_known(
        &mut self,
        runner: &mut dyn Runner,
        (edge_type, names): (&LuaString, &[&str]),
        ends: (u64, u64),
        values: &[Value],
    ) -> Result<Option<u64>> {
        let has_names = |form: &Form| form.names == names;
        let is_text = |form: &Form| has_names(form) && form.text.as_ref() == Some(edge_type);
        let is_type = |form: &Form| has_names(form) && *edge_type == form.edge_type;
        let place = match self.forms.iter().position(is_text) {
            Some(place) => place,
            None => {
                let Some(place) = self.forms.iter().position(is_type) else { return Ok(None) };
                self.forms[place].text = Some(edge_type.clone());
                place
            }
        };
        self.add_of(runner, place, ends, values)
    }

    /// A form that is not good any more is forgotten.
    fn add_of(
        &mut self,
        runner: &mut dyn Runner,
        place: usize,
        (source, target): (u64, u64),
        values: &[Value],
    ) -> Result<Option<u64>> {
        let (sources, targets) = ([VertexId(source)], [VertexId(target)]);
        let new = NewEdges { sources: &sources, targets: &targets, values };
        self.ids.clear();
        if runner.add_edges(self.forms[place].layout, new, &mut self.ids)? {
            return Ok(self.ids.first().map(|edge| edge.0));
        }
        self.forms.swap_remove(place);
        Ok(None)
    }
}
