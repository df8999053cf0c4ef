//! `@facets`: conditions, orders, fields and variables of the properties of edges and values.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::{Result, Value};
use millrace_plan::functions::{Function, Wanted};
use millrace_plan::{ColumnId, Comparison, Expr, Fold, Makes, Nulls, SortKey, op};
use millrace_quads::text::parse_bare;

use super::children::Fields;
use super::level::{BoundLevel, Level};
use crate::answer::Facets as Shown;
use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::translate::variables::ValueVariable;
use crate::tree::{Facets, FacetsKind, Filter, Function as Test, Subject, ValueKind};

impl Translator<'_> {
    /// Keeps the edges for which the conditions of facets hold.
    pub(in crate::translate) fn filter_facets(
        &mut self,
        edge: ColumnId,
        facets: &[Facets],
    ) -> Result<()> {
        for own in facets {
            if let FacetsKind::Filter(filter) = &own.kind {
                let holds = self.facet_condition(filter, &|key| Expr::property(edge, key))?;
                self.builder.filter(holds);
            }
        }
        Ok(())
    }

    /// The value of a predicate, where the conditions of its facets hold.
    pub(in crate::translate) fn value_with_facets(
        &mut self,
        node: ColumnId,
        named: &Named<'_>,
        facets: &[Facets],
    ) -> Result<Expr> {
        let value = self.value(node, named);
        let mut tests = Vec::new();
        for own in facets {
            let FacetsKind::Filter(filter) = &own.kind else { continue };
            if named.is_list() {
                return self.list_with_facets(value, filter);
            }
            let keys = self.keys(named);
            tests.push(self.facet_condition(filter, &|facet| facet_of(node, &keys, facet))?);
        }
        if tests.is_empty() {
            return Ok(value);
        }
        Ok(Expr::Case { branches: vec![(Expr::And(tests), value)], otherwise: None })
    }

    /// The values of a list of which a condition on facets holds.
    fn list_with_facets(&mut self, value: Expr, filter: &Filter) -> Result<Expr> {
        let places = Expr::call(Function::ValueOrdinals, vec![value.clone()]);
        let item = self.builder.column("value");
        let meta = Expr::call(Function::MetaAt, vec![value.clone(), Expr::Column(item)]);
        let facet = |key: &str| Expr::Property { element: Box::new(meta.clone()), key: key.into() };
        let holds = self.facet_condition(filter, &facet)?;
        let own = Expr::call(Function::ValueAt, vec![value, Expr::Column(item)]);
        let makes = Makes::List { keep: Some(holds), value: Some(own) };
        Ok(Expr::over(places, item, makes))
    }

    pub(in crate::translate) fn facet_condition(
        &mut self,
        filter: &Filter,
        facet: &dyn Fn(&str) -> Expr,
    ) -> Result<Expr> {
        let all = |own: &mut Self, filters: &[Filter]| -> Result<Vec<Expr>> {
            filters.iter().map(|one| own.facet_condition(one, facet)).collect()
        };
        Ok(match filter {
            Filter::Function(function) => self.facet_test(function, facet)?,
            Filter::Not { of, .. } => {
                let inner = self.facet_condition(of, facet)?;
                let unknown = Expr::IsNull(Box::new(inner.clone()));
                Expr::Or(vec![unknown, inner.negate()])
            }
            Filter::And(own) => Expr::And(all(self, own)?),
            Filter::Or(own) => Expr::Or(all(self, own)?),
        })
    }

    fn facet_test(&mut self, function: &Test, facet: &dyn Fn(&str) -> Expr) -> Result<Expr> {
        let Subject::Predicate(key) = &function.subject else {
            return Err(self.wrong(function.offset, "a condition of facets asks about a facet"));
        };
        let own = facet(&key.name);
        let value = crate::translate::functions::only_value(self, function)?;
        if let "allofterms" | "anyofterms" = function.name.as_str() {
            let wanted = self.operands.operand(value, crate::schema::Kind::String)?;
            return Ok(crate::translate::functions::words_of(own, &function.name, (wanted, "")));
        }
        let comparison = match function.name.as_str() {
            "eq" => Comparison::Equal,
            "le" => Comparison::LessEqual,
            "lt" => Comparison::Less,
            "ge" => Comparison::GreaterEqual,
            "gt" => Comparison::Greater,
            other => {
                let detail = format!("the function {other} is not for facets");
                let help = "eq, le, lt, ge, gt, allofterms and anyofterms are";
                return Err(self.wrong(function.offset, detail).with_help(help));
            }
        };
        // A facet has the type that its value looked like, so what it is compared with is read in the same way.
        let text = self.operands.literal(value)?;
        let mut forms = vec![Value::from(text.as_str())];
        if !matches!(value.kind, ValueKind::List(_)) {
            forms.extend(parse_bare(&text));
            forms.extend(crate::values::read(&text, crate::schema::Kind::DateTime).ok());
        }
        forms.dedup();
        let test = |form: Value| Expr::compare(comparison, own.clone(), Expr::Literal(form));
        Ok(Expr::Or(forms.into_iter().map(test).collect()))
    }

    /// The keys of an order by facets.
    pub(in crate::translate) fn facet_keys(
        &self,
        edge: ColumnId,
        facets: &[Facets],
    ) -> Vec<SortKey> {
        let keys = facets.iter().flat_map(|own| match &own.kind {
            FacetsKind::Keys(keys) => keys.as_slice(),
            FacetsKind::All | FacetsKind::Filter(_) => &[],
        });
        let sorted = keys.filter_map(|key| Some((key, key.is_descending?)));
        let key = |(key, descending): (&crate::tree::FacetKey, bool)| {
            let value = Expr::property(edge, &key.key.text);
            // Truths are in no order.
            let truths = Expr::List(vec![Expr::literal(true), Expr::literal(false)]);
            let is_truth = Expr::InList { item: Box::new(value.clone()), list: Box::new(truths) };
            let branches = vec![(is_truth, Expr::Literal(Value::Null))];
            let by = Expr::Case { branches, otherwise: Some(Box::new(value)) };
            SortKey { by, descending, nulls: Nulls::Last }
        };
        sorted.map(key).collect()
    }

    /// The facets of edges that a level shows, as columns of its bag.
    pub(in crate::translate) fn edge_facets(
        &mut self,
        edge: Option<ColumnId>,
        (name, facets): (&Arc<str>, &[Facets]),
        fields: &mut Fields,
    ) -> Shown {
        let Some(edge) = edge else { return Shown::None };
        let mut columns = Vec::new();
        for own in facets {
            match &own.kind {
                FacetsKind::Filter(_) => {}
                FacetsKind::All => {
                    let to = self.builder.column("facets");
                    let (keys, languages) = (None, None);
                    self.builder.push(op::Fields { element: edge, keys, languages, to });
                    let column = fields.column(to);
                    let (prefix, names) = (Arc::clone(name), self.schema.names_of_keys());
                    self.facts.names_of_keys = Some(Arc::clone(&names));
                    return Shown::OfEdge { column, prefix, names };
                }
                FacetsKind::Keys(keys) => {
                    for key in keys {
                        let shown = match &key.alias {
                            Some(alias) => Arc::from(alias.text.as_str()),
                            None => format!("{name}|{}", key.key.text).into(),
                        };
                        let value = Expr::property(edge, &key.key.text);
                        columns.push((shown, fields.column(self.builder.project("facet", value))));
                    }
                }
            }
        }
        if columns.is_empty() { Shown::None } else { Shown::Columns(columns) }
    }

    /// The facets of a value that are shown.
    pub(in crate::translate) fn value_facets(
        &mut self,
        level: &Level,
        named: &Named<'_>,
        (name, facets): (&Arc<str>, &[Facets]),
        fields: &mut Fields,
    ) -> Result<Shown> {
        let stored = self.keys(named);
        let mut wanted: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        for own in facets {
            match &own.kind {
                FacetsKind::Filter(_) => {}
                FacetsKind::All if named.is_list() => return Ok(Shown::OfList(None)),
                FacetsKind::All => {
                    let is_asked = |tag: &Option<Arc<str>>| {
                        let own = match tag {
                            Some(tag) => &format!("{}@{tag}", named.tree.name),
                            None => &named.tree.name,
                        };
                        stored.contains(own)
                    };
                    let known = named.known.facets.iter().filter(|(tag, _)| is_asked(tag));
                    let facets: BTreeSet<&Arc<str>> = known.map(|(_, facet)| facet).collect();
                    let shown =
                        |facet: &Arc<str>| (format!("{name}|{facet}").into(), Arc::clone(facet));
                    wanted.extend(facets.into_iter().map(shown));
                }
                FacetsKind::Keys(keys) => {
                    for own in keys {
                        let facet: Arc<str> = own.key.text.as_str().into();
                        let shown = match &own.alias {
                            Some(alias) => Arc::from(alias.text.as_str()),
                            None => format!("{name}|{facet}").into(),
                        };
                        if let Some(variable) = &own.variable {
                            self.define_values(variable, level, |_, node| {
                                Ok(facet_of(node, &stored, &facet))
                            })?;
                        }
                        wanted.push((shown, facet));
                    }
                }
            }
        }
        if wanted.is_empty() {
            return Ok(Shown::None);
        }
        if named.is_list() {
            return Ok(Shown::OfList(Some(wanted)));
        }
        let column = |(shown, facet): (Arc<str>, Arc<str>)| {
            let value = facet_of(level.node, &stored, &facet);
            (shown, fields.column(self.builder.project("facet", value)))
        };
        Ok(Shown::Columns(wanted.into_iter().map(column).collect()))
    }

    /// Variables of facets: for each node the sum over the edges that lead to it, or the first where they are no numbers.
    pub(in crate::translate) fn define_facets(
        &mut self,
        level: &Level,
        facets: &[Facets],
    ) -> Result<()> {
        let keys = facets.iter().flat_map(|own| match &own.kind {
            FacetsKind::Keys(keys) => keys.as_slice(),
            FacetsKind::All | FacetsKind::Filter(_) => &[],
        });
        let BoundLevel { rows, node: kept, edge: Some(kept_edge), .. } =
            self.bound_level(level.number)?
        else {
            return Ok(());
        };
        for key in keys {
            let Some(variable) = &key.variable else { continue };
            self.builder.begin_pipeline();
            let [node, edge] = ["node", "edge"].map(|name| self.builder.column(name));
            let columns = vec![(kept, node), (kept_edge, edge)];
            self.builder.push(op::LetRef { name: rows, columns });
            let value = self.builder.project(&variable.text, Expr::property(edge, &key.key.text));
            self.builder.filter(Expr::IsNull(Box::new(Expr::Column(value))).negate());
            let is_number = Expr::call(Function::IsA(Wanted::Number), vec![Expr::Column(value)]);
            let number =
                Expr::Case { branches: vec![(is_number, Expr::Column(value))], otherwise: None };
            let number = self.builder.project("number", number);
            let [sum, first] = ["sum", "first"].map(|name| self.builder.column(name));
            self.builder.push(op::Aggregate {
                keys: vec![node],
                folds: vec![
                    (sum, Fold::Sum(Expr::Column(number))),
                    (first, Fold::First(Expr::Column(value))),
                ],
            });
            let both = Expr::coalesce(vec![Expr::Column(sum), Expr::Column(first)]);
            let value = self.builder.project(&variable.text, both);
            let pipeline = self.builder.end_pipeline();
            let bound = self.builder.bind_pipeline(&variable.text, pipeline, vec![node, value]);
            let level = Some(level.number);
            self.define_value_rows(
                &variable.text,
                ValueVariable { name: bound, node, value, level },
            );
        }
        Ok(())
    }
}

/// A facet of a value in the first of some languages that there is one in.
fn facet_of(node: ColumnId, keys: &[String], facet: &str) -> Expr {
    let own = |key: &String| Expr::property(node, &format!("{key}|{facet}"));
    if let [only] = keys {
        return own(only);
    }
    let is_there = |key: &String| Expr::IsNull(Box::new(Expr::property(node, key))).negate();
    let branches = keys.iter().map(|key| (is_there(key), own(key))).collect();
    Expr::Case { branches, otherwise: None }
}
