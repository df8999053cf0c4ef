//! `expand(…)`: the predicates of types, for nodes that have the type.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::{Expr, Fold, LetId, LetRead, SetName, op};

use super::children::{Context, Fields};
use super::level::Level;
use crate::answer::{Field, FieldKind};
use crate::form::AnswerForm;
use crate::schema::{Kind, TYPE_PREDICATE};
use crate::translate::translator::Translator;
use crate::tree::{Expand, ExpandOf, Facets, FacetsKind, Predicate, Traversal};

/// Predicates, and whether they are walked back, with the types that have them.
type Expanded = BTreeMap<(Arc<str>, bool), Vec<Arc<str>>>;

/// The predicates of the types that a node has.
const ALL: &str = "_all_";
/// Those that lead from it.
const FORWARD: &str = "_forward_";
/// Those that lead to it.
const REVERSE: &str = "_reverse_";

impl Translator<'_> {
    /// A field for each predicate that an `expand` stands for.
    pub(in crate::translate) fn expand_all(
        &mut self,
        level: &Level,
        expand: &Expand,
        context: Context,
        fields: &mut Fields,
    ) -> Result<()> {
        let expanded = self.expanded(expand)?;
        // Where types are not named, those of all nodes of the level are expanded, for each of them.
        let by_types = expanded.values().any(|types| !is_of_all(types));
        let there = if by_types { Some(self.types_of(level)?) } else { None };
        for ((name, is_reverse), types) in expanded {
            let is_there =
                there.filter(|_| !is_of_all(&types)).map(|there| has_one_of(there, &types));
            let Some(known) = self.predicate(&name) else { continue };
            let predicate = Predicate {
                offset: Default::default(),
                is_reverse,
                name: name.to_string(),
                languages: Vec::new(),
            };
            if known.is_edge() || is_reverse {
                let mut directives = expand.directives.clone();
                // As in Dgraph, edges show their facets, too. N-Quads cannot say them.
                if self.form != AnswerForm::Rdf && directives.facets.is_empty() {
                    directives.facets = all_facets();
                }
                let traversal = Traversal {
                    predicate,
                    page: expand.page.clone(),
                    order: expand.order.clone(),
                    directives,
                    children: expand.children.clone(),
                };
                self.only_if = is_there;
                let built = self.traversal(level, (&traversal, None), None, context, fields);
                self.only_if = None;
                built?;
                continue;
            }
            // A filter is of nodes, which values are not.
            if known.kind == Kind::Password || expand.directives.filter.is_some() {
                continue;
            }
            let tags = known.languages.iter().map(|tag| format!("@{tag}"));
            for tag in std::iter::once(String::new()).chain(tags) {
                let own = Predicate {
                    languages: tag.strip_prefix('@').map(str::to_owned).into_iter().collect(),
                    ..predicate.clone()
                };
                let Some(named) = self.named(&own) else { continue };
                let mut value = self.value(level.node, &named);
                if let Some(is_there) = &is_there {
                    let branches = vec![(is_there.clone(), value)];
                    value = Expr::Case { branches, otherwise: None };
                }
                let column = fields.column(self.builder.project(&name, value));
                let shown: Arc<str> = format!("{name}{tag}").into();
                let facets = self.value_facets(level, &named, (&shown, &all_facets()), fields)?;
                let (is_list, kind) = (named.is_list(), named.known.kind);
                // As in Dgraph, what is expanded is there without levels, too.
                let is_shown = context.is_flat;
                fields.push((shown, is_shown), FieldKind::Value { column, is_list, kind, facets });
            }
        }
        Ok(())
    }

    /// Whether a node has what an `expand` stands for: `@cascade` asks for each of it.
    pub(super) fn has_expanded(
        &mut self,
        level: &Level,
        expand: &Expand,
        fields: &[Field],
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Expr>> {
        let expanded = self.expanded(expand)?;
        let by_types = expanded.values().any(|types| !is_of_all(types));
        let there = if by_types { Some(self.types_of(level)?) } else { None };
        let mut tests = Vec::new();
        for ((name, is_reverse), types) in expanded.iter().filter(|((name, _), _)| is_wanted(name))
        {
            let Some(known) = self.predicate(name) else { continue };
            let predicate = Predicate {
                offset: Default::default(),
                is_reverse: *is_reverse,
                name: name.to_string(),
                languages: Vec::new(),
            };
            let test = if known.is_edge() || *is_reverse {
                let shown = predicate.to_string();
                let bound = fields.iter().find_map(|field| match &field.kind {
                    FieldKind::Level { level, .. } if *field.name == *shown => level.bound,
                    _ => None,
                });
                let Some(rows) = bound else { continue };
                let item = Box::new(Expr::Column(level.node));
                Expr::InSet { item, set: SetName::Let(rows) }
            } else if known.kind == Kind::Password || expand.directives.filter.is_some() {
                continue;
            } else {
                let mut any = Vec::new();
                for languages in std::iter::once(Vec::new())
                    .chain(known.languages.iter().map(|tag| vec![tag.to_string()]))
                {
                    let own = Predicate { languages, ..predicate.clone() };
                    if let Some(named) = self.named(&own) {
                        any.push(self.has_value(level.node, &named));
                    }
                }
                Expr::Or(any)
            };
            tests.push(match there.filter(|_| !is_of_all(types)) {
                Some(there) => Expr::Or(vec![Expr::Not(Box::new(has_one_of(there, types))), test]),
                None => test,
            });
        }
        Ok(tests)
    }

    /// The types of all nodes of a level, as a `Let` of one list.
    fn types_of(&mut self, level: &Level) -> Result<LetId> {
        let own = self.bound_level(level.number)?;
        self.builder.begin_pipeline();
        let node = self.distinct_nodes(own);
        let list = Expr::Labels(Box::new(Expr::Column(node)));
        let own = self.builder.column("type");
        self.builder.push(op::Unwind { list, to: own, position: None });
        self.builder.push(op::Dedup { columns: vec![own] });
        let all = self.builder.aggregate(&[], "types", Fold::Collect(Expr::Column(own)));
        let pipeline = self.builder.end_pipeline();
        Ok(self.builder.bind_pipeline("types", pipeline, vec![all]))
    }

    /// The predicates that an `expand` stands for, each with the types of nodes that have it.
    pub(in crate::translate) fn expanded(&mut self, expand: &Expand) -> Result<Expanded> {
        let names = match &expand.of {
            ExpandOf::Names(names) => names,
            ExpandOf::Variable(name) => {
                let what = "expand of a variable is not supported: the predicates of an answer are known before it is made";
                return Err(self.unsupported(name.offset, what, "name the predicates, or a type"));
            }
        };
        let mut found = Expanded::new();
        let (mut forward, mut reverse, mut only) = (false, false, Vec::new());
        for name in names {
            match name.text.as_str() {
                ALL => (forward, reverse) = (true, true),
                FORWARD => forward = true,
                REVERSE => reverse = true,
                own => only.push(own),
            }
        }
        for (name, own) in self.schema.types() {
            let is_named = only.contains(&&**name);
            for field in own.iter().filter(|field| *field.predicate != *TYPE_PREDICATE) {
                let is_wanted = is_named || if field.is_reverse { reverse } else { forward };
                // As in Dgraph, a filter leaves those out that lead back.
                let is_filtered = field.is_reverse && expand.directives.filter.is_some();
                if is_wanted && !is_filtered {
                    let key = (Arc::clone(&field.predicate), field.is_reverse);
                    // Types that are named are expanded for all nodes.
                    let types = found.entry(key).or_default();
                    types.push(if is_named { Arc::from("") } else { Arc::clone(name) });
                }
            }
        }
        self.facts.types = Some(self.schema.types_hash());
        Ok(found)
    }
}

/// `@facets`.
pub(in crate::translate) fn all_facets() -> Vec<Facets> {
    vec![Facets { offset: Default::default(), kind: FacetsKind::All }]
}

/// Whether a predicate is expanded for all nodes, as its type is named.
fn is_of_all(types: &[Arc<str>]) -> bool {
    types.iter().any(|name| name.is_empty())
}

/// Whether one of some types is among those that are there.
fn has_one_of(there: LetId, types: &[Arc<str>]) -> Expr {
    let is_there = |name: &Arc<str>| Expr::InList {
        item: Box::new(Expr::literal(&**name)),
        list: Box::new(Expr::Let { name: there, read: LetRead::First }),
    };
    Expr::Or(types.iter().map(is_there).collect())
}
