//! The children of a node: values of its own row, values of variables, and levels below it.

use std::collections::HashSet;
use std::sync::Arc;

use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Expr, JoinKind};

use super::level::Level;
use crate::answer::{Field, FieldKind, NodeLayout};
use crate::form::AnswerForm;
use crate::schema::Kind;
use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::translate::uses::{Uses, Waiting};
use crate::tree::{self, AggregateOf, Child, Facets, FacetsKind, Name, Selection, Traversal};

/// What the children of a level share.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::translate) struct Context {
    /// Whether the nodes of the level and of those below it are one object (`@normalize`).
    pub(in crate::translate) is_flat: bool,
    /// Whether a node has no fields below itself (`@ignorereflex`).
    pub(in crate::translate) ignores_reflex: bool,
}

/// The fields of a level while they are collected, and the columns that they read.
pub(in crate::translate) struct Fields {
    pub(in crate::translate) layout: NodeLayout,
    pub(in crate::translate) columns: Vec<ColumnId>,
    /// The place of each field among the children.
    positions: Vec<usize>,
    position: usize,
}

impl Fields {
    pub(in crate::translate) fn new(columns: Vec<ColumnId>, layout: NodeLayout) -> Fields {
        Fields { layout, columns, positions: Vec::new(), position: 0 }
    }

    /// A field in a column of its own, or in none.
    pub(in crate::translate) fn push(
        &mut self,
        (name, is_alias): (Arc<str>, bool),
        kind: FieldKind,
    ) {
        self.layout.fields.push(Field { name, is_alias, kind });
        self.positions.push(self.position);
    }

    /// The place of a new column.
    pub(in crate::translate) fn column(&mut self, column: ColumnId) -> usize {
        self.columns.push(column);
        self.columns.len() - 1
    }

    /// The fields in the order of the query.
    fn sorted(mut self) -> (NodeLayout, Vec<ColumnId>) {
        let mut fields: Vec<(usize, Field)> =
            self.positions.iter().copied().zip(self.layout.fields.drain(..)).collect();
        fields.sort_by_key(|(place, _)| *place);
        self.layout.fields = fields.into_iter().map(|(_, field)| field).collect();
        (self.layout, self.columns)
    }
}

impl<'a> Translator<'a> {
    /// The children with those of fragments in their places.
    pub(in crate::translate) fn spread<'t>(&self, children: &'t [Child]) -> Result<Vec<&'t Child>>
    where
        'a: 't,
    {
        let mut all = Vec::new();
        self.spread_into(children, &mut all, &mut Vec::new())?;
        self.check_names(&all)?;
        Ok(all)
    }

    fn spread_into<'t>(
        &self,
        children: &'t [Child],
        all: &mut Vec<&'t Child>,
        open: &mut Vec<&'t str>,
    ) -> Result<()>
    where
        'a: 't,
    {
        for child in children {
            let Selection::Fragment(name) = &child.selection else {
                all.push(child);
                continue;
            };
            let Some(fragment) = self.fragments.get(name.text.as_str()).copied() else {
                let detail = format!("Missing fragment: {}", name.text);
                return Err(self.wrong(name.offset, detail));
            };
            if open.contains(&name.text.as_str()) {
                let detail = format!("Cycle detected: {}", name.text);
                return Err(self.wrong(name.offset, detail));
            }
            open.push(&name.text);
            self.spread_into(&fragment.children, all, open)?;
            open.pop();
        }
        Ok(())
    }

    /// The fields of the nodes of a level, and all columns of its bag.
    pub(in crate::translate) fn node(
        &mut self,
        level: &Level,
        children: &[&Child],
        context: Context,
    ) -> Result<(NodeLayout, Vec<ColumnId>)> {
        let layout = NodeLayout {
            column: usize::from(level.parent.is_some()),
            is_flat: context.is_flat,
            ignores_reflex: context.ignores_reflex,
            ..NodeLayout::default()
        };
        let mut fields = Fields::new(level.columns(), layout);
        for number in self.in_order_of_variables(children) {
            fields.position = number;
            self.child(level, children[number], context, &mut fields)?;
        }
        if self.form != AnswerForm::Json {
            fields.layout.uid = Some(self.uid_column(level.node, &mut fields));
        }
        Ok(fields.sorted())
    }

    /// The numbers of children in the order in which they are translated: what is computed of variables comes last, unless a
    /// level uses what it defines.
    fn in_order_of_variables(&self, children: &[&Child]) -> Vec<usize> {
        let (plain, computed): (Vec<usize>, Vec<usize>) =
            (0..children.len()).partition(|number| !computes(children[*number]));
        let open: Vec<usize> = plain.into_iter().chain(computed).collect();
        if !children.iter().any(|child| computes(child) && child.variable.is_some()) {
            return open;
        }
        let uses: Vec<Uses<'_>> =
            children.iter().map(|child| Uses::of_child(child, &self.fragments)).collect();
        let mut waiting = Waiting::of(&uses);
        let mut positions = vec![0; children.len()];
        open.iter().enumerate().for_each(|(at, number)| positions[*number] = at);
        let (mut ready, left): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|own| waiting.is_ready(**own));
        let mut ordered = Vec::new();
        while !ready.is_empty() {
            let behind = ready.iter().flat_map(|number| waiting.ready_behind(*number));
            let mut next: Vec<usize> = behind.collect();
            next.sort_unstable_by_key(|own| positions[*own]);
            ordered.append(&mut ready);
            ready = next;
        }
        // Those that use one another in a circle are refused where they are met.
        ordered.extend(left.into_iter().filter(|own| !waiting.is_ready(*own)));
        ordered
    }

    fn child(
        &mut self,
        level: &Level,
        child: &Child,
        context: Context,
        fields: &mut Fields,
    ) -> Result<()> {
        let alias = child.alias.as_ref().map(|alias| Arc::from(alias.text.as_str()));
        let variable = child.variable.as_ref();
        let named = |name: String| match &alias {
            Some(alias) => (Arc::clone(alias), true),
            None => (Arc::from(name), false),
        };
        match &child.selection {
            Selection::Uid => {
                if let Some(variable) = variable {
                    self.define_uids(variable, level)?;
                }
                let column = self.uid_column(level.node, fields);
                fields.push(named("uid".to_owned()), FieldKind::Uid(column));
            }
            Selection::CountUid => {
                if self.form == AnswerForm::Rdf {
                    let detail = "uid count is not supported in the rdf output format";
                    return Err(self.wrong(child.offset, detail));
                }
                if let Some(variable) = variable {
                    self.define_size(variable, level)?;
                }
                fields.layout.counts.push(named("count".to_owned()).0);
            }
            Selection::Predicate(traversal) => {
                self.traversal(level, (traversal, variable), alias, context, fields)?;
            }
            Selection::Count(traversal) => {
                let Some(own) = self.named(&traversal.predicate) else {
                    return self.define_nothing(variable, level);
                };
                if let Some(variable) = variable {
                    self.define_values(variable, level, |translator, node| {
                        translator.count(node, &own, traversal).map(Expr::Column)
                    })?;
                }
                let name = named(format!("count({})", own.name()));
                let column = self.count(level.node, &own, traversal)?;
                let column = fields.column(column);
                fields.push(name, FieldKind::Plain(column));
            }
            // One value for all belongs to no node.
            Selection::Variable(of) if self.is_scalar(&of.text) => {}
            Selection::Variable(of) => {
                let (value, _) =
                    self.value_at(Some(level.number), Some(level.node), &of.text, of.offset)?;
                let column = fields.column(self.builder.project("val", value));
                fields.push(named(format!("val({})", of.text)), FieldKind::Plain(column));
            }
            Selection::Aggregate(aggregate, AggregateOf::Variable(of)) => {
                let values = self.aggregated(level.number, *aggregate, of)?;
                if let Some(variable) = variable {
                    self.define_value_rows(&variable.text, values);
                }
                let column = self.join_rows(level.node, values, JoinKind::Left);
                let column = fields.column(column);
                let name = named(format!("{}(val({}))", aggregate.word(), of.text));
                fields.push(name, FieldKind::Plain(column));
            }
            Selection::Aggregate(aggregate, AggregateOf::Predicate(predicate)) => {
                let detail = format!(
                    "Only aggregator/count functions allowed inside @groupby: {}({}) stands outside of one",
                    aggregate.word(),
                    predicate.name
                );
                return Err(self.wrong(predicate.offset, detail));
            }
            Selection::Math(math) => {
                if let Some(variable) = variable {
                    self.define_values(variable, level, |translator, node| {
                        translator.math(Some(level.number), Some(node), math)
                    })?;
                    if self.is_vector(math) {
                        self.note_kind(&variable.text, Kind::Vector);
                    }
                }
                let value = self.math(Some(level.number), Some(level.node), math)?;
                let column = fields.column(self.builder.project("math", value));
                let name = named(format!("val({})", variable.map_or("", |own| own.text.as_str())));
                fields.push(name, FieldKind::Plain(column));
            }
            Selection::Expand(expand) => self.expand_all(level, expand, context, fields)?,
            Selection::PasswordCheck(check) => {
                if self.form == AnswerForm::Rdf {
                    let detail = "chkpwd function is not supported in the rdf output format";
                    return Err(self.wrong(child.offset, detail));
                }
                let Some(own) = self.named(&check.predicate) else { return Ok(()) };
                let password = self.operands.literal(&check.password)?.into();
                let value = self.value(level.node, &own);
                let column = fields.column(self.builder.project("password", value));
                let name = named(format!("checkpwd({})", own.tree.name));
                fields.push(name, FieldKind::Password { column, password });
            }
            Selection::Fragment(name) => {
                return Err(self.wrong(name.offset, "a fragment stands where its fields do"));
            }
        }
        Ok(())
    }

    pub(in crate::translate) fn uid_column(
        &mut self,
        node: ColumnId,
        fields: &mut Fields,
    ) -> usize {
        let uid = self.builder.project("uid", Expr::Id(Box::new(Expr::Column(node))));
        fields.column(uid)
    }

    pub(in crate::translate) fn traversal(
        &mut self,
        level: &Level,
        (traversal, variable): (&Traversal, Option<&Name>),
        alias: Option<Arc<str>>,
        context: Context,
        fields: &mut Fields,
    ) -> Result<()> {
        self.check_predicate(&traversal.predicate)?;
        self.check_form(&traversal.directives)?;
        if let Some(recursion) = &traversal.directives.recursion {
            let error = self.wrong(recursion.offset, "@recurse stands behind the root of a block");
            return Err(
                error.with_help("bind the nodes to a variable, and recurse from `uid(variable)`")
            );
        }
        let Some(named) = self.named(&traversal.predicate) else {
            return self.define_nothing(variable, level);
        };
        let is_alias = alias.is_some();
        let name = alias.unwrap_or_else(|| named.name());
        if named.known.is_edge() || traversal.predicate.is_reverse {
            return self.edges(
                level,
                (traversal, variable),
                (&named, (name, is_alias)),
                context,
                fields,
            );
        }
        if named.known.kind == Kind::Password {
            return Ok(());
        }
        if let Some(variable) = variable {
            self.define_values(variable, level, |own, node| Ok(own.value(node, &named)))?;
            self.note_kind(&variable.text, named.known.kind);
        }
        if traversal.predicate.languages == ["*"] {
            let facets = &traversal.directives.facets;
            return self.all_languages(level, (&named, facets), is_alias.then_some(name), fields);
        }
        let value = self.value_with_facets(level.node, &named, &traversal.directives.facets)?;
        let column = fields.column(self.builder.project(&traversal.predicate.name, value));
        let facets =
            self.value_facets(level, &named, (&name, &traversal.directives.facets), fields)?;
        let (is_list, kind) = (named.is_list(), named.known.kind);
        fields.push((name, is_alias), FieldKind::Value { column, is_list, kind, facets });
        Ok(())
    }

    /// `name@*`: a field for each language.
    fn all_languages(
        &mut self,
        level: &Level,
        (named, facets): (&Named<'_>, &[Facets]),
        alias: Option<Arc<str>>,
        fields: &mut Fields,
    ) -> Result<()> {
        for own in facets {
            let FacetsKind::Keys(keys) = &own.kind else { continue };
            if let Some(variable) = keys.iter().find_map(|key| key.variable.as_ref()) {
                let detail = "a variable of facets needs one language";
                return Err(self
                    .wrong(variable.offset, detail)
                    .with_help("name it instead of `*`"));
            }
        }
        let is_alias = alias.is_some();
        let name: Arc<str> = alias.unwrap_or_else(|| Arc::from(named.tree.name.as_str()));
        let tags = named.known.languages.iter().map(|tag| Some(tag.to_string()));
        for tag in std::iter::once(None).chain(tags) {
            let shown: Arc<str> = match &tag {
                Some(tag) => format!("{name}@{tag}").into(),
                None => Arc::clone(&name),
            };
            let languages = tag.into_iter().collect();
            let tree = tree::Predicate { languages, ..named.tree.clone() };
            let own = Named { tree: &tree, known: named.known.clone() };
            let value = self.value_with_facets(level.node, &own, facets)?;
            let column = fields.column(self.builder.project(&name, value));
            let facets = self.value_facets(level, &own, (&shown, facets), fields)?;
            let (is_list, kind) = (false, named.known.kind);
            fields.push((shown, is_alias), FieldKind::Value { column, is_list, kind, facets });
        }
        Ok(())
    }

    /// A variable of a predicate that the graph does not have: it has no nodes and no values.
    pub(in crate::translate) fn define_nothing(
        &mut self,
        variable: Option<&Name>,
        level: &Level,
    ) -> Result<()> {
        let Some(variable) = variable else { return Ok(()) };
        self.define_values(variable, level, |_, _| Ok(Expr::Literal(Value::Null)))
    }

    /// Names in one object differ.
    fn check_names(&self, children: &[&Child]) -> Result<()> {
        let mut seen: HashSet<String> = HashSet::new();
        for child in children {
            let Some(key) = key_of(child) else { continue };
            if seen.contains(&key) {
                let detail = format!("{key} not allowed multiple times in same sub-query.");
                return Err(self.wrong(child.offset, detail));
            }
            seen.insert(key);
        }
        Ok(())
    }
}

/// What makes a child differ from its siblings.
fn key_of(child: &Child) -> Option<String> {
    if let Some(alias) = &child.alias {
        return Some(alias.text.clone());
    }
    Some(match &child.selection {
        Selection::Predicate(traversal) => {
            let grouped = if traversal.directives.group_by.is_some() { "groupby" } else { "" };
            format!("{}{grouped}", traversal.predicate)
        }
        Selection::Count(traversal) => format!("{}count", traversal.predicate),
        Selection::Variable(name) => format!("val({})", name.text),
        Selection::Aggregate(aggregate, AggregateOf::Variable(name)) => {
            format!("val({}){}", name.text, aggregate.word())
        }
        Selection::Uid => "uid".to_owned(),
        Selection::CountUid
        | Selection::Aggregate(..)
        | Selection::Math(_)
        | Selection::Expand(_)
        | Selection::PasswordCheck(_)
        | Selection::Fragment(_) => return None,
    })
}

/// Whether a child is computed of variables.
fn computes(child: &Child) -> bool {
    match &child.selection {
        Selection::Variable(_) | Selection::Aggregate(..) | Selection::Math(_) => true,
        Selection::Uid
        | Selection::CountUid
        | Selection::Predicate(_)
        | Selection::Count(_)
        | Selection::Expand(_)
        | Selection::PasswordCheck(_)
        | Selection::Fragment(_) => false,
    }
}

/// Whether a child needs the nodes of its level beside its row: for a level below, or for a variable.
pub(in crate::translate) fn reads_level(child: &Child) -> bool {
    let is_defined = child.variable.is_some();
    is_defined
        || match &child.selection {
            Selection::Predicate(traversal) => {
                !traversal.children.is_empty() || !traversal.directives.facets.is_empty()
            }
            Selection::Expand(_) | Selection::Aggregate(..) => true,
            Selection::Uid
            | Selection::Variable(_)
            | Selection::CountUid
            | Selection::Count(_)
            | Selection::Math(_)
            | Selection::PasswordCheck(_)
            | Selection::Fragment(_) => false,
        }
}
