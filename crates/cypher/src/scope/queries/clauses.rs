//! The scope of each clause: what it reads, and what it binds for those behind it.

use super::projections::Role;
use crate::scope::bindings::Bindings;
use crate::scope::expressions::{Stand, typing};
use crate::scope::faults::{composition, fault, syntax, wrong_type};
use crate::scope::parameters::ParameterKind;
use crate::scope::patterns::created::{Maker, is_list_of_names};
use crate::scope::resolver::Resolver;
use crate::scope::surroundings::{Columns, Surroundings};
use crate::tree::{
    Clause, Create, Delete, Expr, ExprKind, Foreach, LabelExpr, LoadCsv, Match, Merge, RemoveItem,
    SetItem, Unwind, Variable,
};
use crate::types::Type;

impl Resolver<'_> {
    /// Resolves a clause; the columns of the query, if it is its last one.
    pub(in crate::scope) fn clause(
        &mut self,
        clause: &mut Clause,
        scope: &mut Bindings,
        around: Surroundings<'_>,
    ) -> Columns {
        if clause.is_update() {
            self.note_write(clause);
        }
        match clause {
            Clause::Match(own) => self.match_clause(own, scope),
            Clause::Unwind(own) => self.unwind(own, scope),
            Clause::With(projection) => {
                self.projection(projection, scope, Role::With);
            }
            Clause::Return(projection) => {
                let role = self.return_role(around);
                return self.projection(projection, scope, role);
            }
            Clause::Create(own) => self.create(own, scope),
            Clause::Merge(own) => self.merge(own, scope),
            Clause::Set(own) => self.set_items(&mut own.items, scope),
            Clause::Remove(own) => {
                own.items.iter_mut().for_each(|item| self.remove_item(item, scope));
            }
            Clause::Delete(own) => self.delete(own, scope),
            Clause::Foreach(own) => self.foreach(own, scope, around),
            Clause::Call(own) => return self.call(own, scope, around),
            Clause::CallSubquery(own) => self.call_subquery(own, scope, around),
            Clause::LoadCsv(own) => self.load_csv(own, scope),
            Clause::Finish(_) => {}
        }
        Columns::new()
    }

    fn note_write(&mut self, clause: &Clause) {
        self.writes = true;
        if self.is_expression {
            let detail = format!("{} cannot be used in a subquery of an expression", clause.word());
            let help = "an EXISTS, COUNT or COLLECT subquery only reads; write in a CALL subquery";
            self.refuse(composition(clause.at(), detail).with_help(help));
        }
    }

    fn match_clause(&mut self, own: &mut Match, scope: &mut Bindings) {
        self.matched(&mut own.patterns, scope, own.repeatable);
        if let Some(test) = &mut own.test {
            self.test(test, scope);
        }
    }

    fn unwind(&mut self, own: &mut Unwind, scope: &mut Bindings) {
        let entry = self.entry(&mut own.list, scope);
        self.bind_new(&mut own.variable, entry, scope);
    }

    /// The type of the entries of a list that a clause takes: a value that is no list is its own only entry.
    fn entry(&mut self, list: &mut Expr, scope: &Bindings) -> Type {
        let list = self.plain_value(list, scope);
        let is_list = list.overlaps(&Type::list(Type::Any));
        if is_list { list.entry() } else { list }
    }

    fn load_csv(&mut self, own: &mut LoadCsv, scope: &mut Bindings) {
        let url = self.plain_value(&mut own.url, scope);
        if !url.overlaps(&Type::String) {
            self.refuse(wrong_type(own.url.at, "String", &url.to_string()));
        }
        let row = if own.headers { Type::Map } else { Type::list(Type::String) };
        self.bind_new(&mut own.variable, row, scope);
    }

    fn create(&mut self, own: &mut Create, scope: &mut Bindings) {
        for index in 0..own.patterns.len() {
            let later = self.later_nodes(&own.patterns[index..], scope);
            let before = self.reads.len();
            self.created(&mut own.patterns[index], (scope, &later), Maker::Create);
            let read = self.reads.get(before..).unwrap_or_default();
            let is_read =
                |variable: &Variable| variable.symbol.is_some_and(|symbol| read.contains(&symbol));
            own.later.extend(later.into_iter().filter(is_read));
        }
    }

    fn merge(&mut self, own: &mut Merge, scope: &mut Bindings) {
        self.created(&mut own.pattern, (scope, &[]), Maker::Merge);
        self.set_items(&mut own.on_create, scope);
        self.set_items(&mut own.on_match, scope);
    }

    fn set_items(&mut self, items: &mut [SetItem], scope: &Bindings) {
        for item in items {
            match item {
                SetItem::Property(of, key, value) => {
                    self.set_element(of, scope);
                    self.written_name(of.at, key);
                    self.plain_value(value, scope);
                }
                SetItem::DynamicProperty(of, key, value) => {
                    self.set_element(of, scope);
                    self.written_key(key, scope);
                    self.plain_value(value, scope);
                }
                SetItem::Replace(variable, value) | SetItem::Add(variable, value) => {
                    self.written_variable(variable, scope);
                    self.given_properties(value, scope);
                }
                SetItem::Labels(variable, labels) => self.written_labels(variable, labels, scope),
            }
        }
    }

    fn remove_item(&mut self, item: &mut RemoveItem, scope: &Bindings) {
        match item {
            RemoveItem::Property(of, _) => self.written_element(of, scope),
            RemoveItem::DynamicProperty(of, key) => {
                self.written_element(of, scope);
                self.written_key(key, scope);
            }
            RemoveItem::Labels(variable, labels) => self.written_labels(variable, labels, scope),
        }
    }

    /// A map or an element that gives properties.
    pub(in crate::scope) fn given_properties(&mut self, value: &mut Expr, scope: &Bindings) {
        self.note_parameter(value, ParameterKind::Properties);
        let kind = self.plain_value(value, scope);
        if !kind.overlaps(&Type::Map) && !kind.is_element() {
            let wanted = ParameterKind::Properties.wanted();
            self.refuse(wrong_type(value.at, wanted, &kind.to_string()));
        }
    }

    /// An element that is given properties: a property of one holds none.
    fn set_element(&mut self, of: &mut Expr, scope: &Bindings) {
        self.written_element(of, scope);
        let kind = typing::type_of(of, &self.symbols);
        if kind == Type::Property {
            let error = wrong_type(of.at, "Node or Relationship", &kind.to_string());
            let help =
                "a property cannot contain properties; write SET n.`a.b` = value, or use a node";
            self.refuse(error.with_help(help));
        }
    }

    fn written_element(&mut self, of: &mut Expr, scope: &Bindings) {
        let kind = self.plain_value(of, scope);
        if !kind.is_open() && !kind.is_element() {
            self.refuse(wrong_type(of.at, "Node or Relationship", &kind.to_string()));
        }
    }

    fn written_key(&mut self, key: &mut Expr, scope: &Bindings) {
        let kind = self.plain_value(key, scope);
        if !kind.overlaps(&Type::String) {
            self.refuse(wrong_type(key.at, "String", &kind.to_string()));
        }
        self.note_parameter(key, ParameterKind::Key);
        self.written_name_of(key);
    }

    fn written_variable(&mut self, variable: &mut Variable, scope: &Bindings) {
        self.read(variable, scope);
        let kind = self.type_of_variable(variable);
        if !kind.overlaps(&Type::Node) && !kind.is_element() {
            self.refuse(wrong_type(variable.at, "Node or Relationship", &kind.to_string()));
        }
    }

    fn written_labels(&mut self, of: &mut Variable, labels: &mut LabelExpr, scope: &Bindings) {
        self.read(of, scope);
        let kind = self.type_of_variable(of);
        if !kind.overlaps(&Type::Node) {
            self.refuse(wrong_type(of.at, "Node", &kind.to_string()));
        }
        if !is_list_of_names(labels) {
            self.refuse(syntax(of.at, "Labels to write can only be names joined by `&` or `:`"));
        }
        self.written_label_exprs(labels, scope);
    }

    fn delete(&mut self, own: &mut Delete, scope: &Bindings) {
        for expr in &mut own.exprs {
            if let ExprKind::HasLabels(..) = expr.kind {
                let detail = "DELETE doesn't support removing labels or types from an element";
                let error = fault("InvalidDelete", expr.at, detail);
                self.refuse(error.with_help("remove a label with REMOVE"));
                self.names(expr, scope, Stand::Value);
                continue;
            }
            let kind = self.plain_value(expr, scope);
            if !can_be_deleted(&kind) {
                let wanted = "Node, Relationship or Path";
                self.refuse(wrong_type(expr.at, wanted, &kind.to_string()));
            }
        }
    }

    fn foreach(&mut self, own: &mut Foreach, scope: &Bindings, around: Surroundings<'_>) {
        let entry = self.entry(&mut own.list, scope);
        let mut inner = scope.clone();
        self.define(&mut own.variable, entry, &mut inner);
        for clause in &mut own.clauses {
            if !clause.is_update() {
                let detail = format!("Invalid use of {} inside FOREACH", clause.word());
                let help = "FOREACH contains clauses that write; use UNWIND or a CALL subquery";
                self.refuse(composition(clause.at(), detail).with_help(help));
            }
            self.clause(clause, &mut inner, Surroundings { is_alone: false, ..around });
        }
    }
}

/// Whether a value can be an element, a path, or a list of such. A list of lists is judged when it runs.
fn can_be_deleted(kind: &Type) -> bool {
    match kind {
        Type::List(entry) => can_be_deleted(entry),
        kind => kind.overlaps(&Type::Path) || kind.is_element(),
    }
}
