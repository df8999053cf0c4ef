//! Plans as text: one operator a line, subplans indented. What goldens and `explain` show.

mod exprs;
mod lookup;
mod loops;
mod random;

use std::fmt::{self, Write};

use millrace_model::ErrorKind;

use crate::lookup_mode::LookupMode;
use crate::op::{
    ApplyKind, ElementKind, End, Fold, JoinKind, Loops, Missing, Nulls, Op, RowsSource, ScanSource,
    SeekBound, SeekRange, SideFold, SortKey, UnionPick,
};
use crate::plan::{ColumnId, Name, Pipeline, Plan};
use crate::writes::{Definition, Label, OwnerName, Properties, Template};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer { plan: self };
        let mut text = String::new();
        if !self.merging {
            text.push_str("Merging off\n");
        }
        if let Some(seed) = self.seed {
            writeln!(text, "Seed {seed}")?;
        }
        for (number, binding) in self.lets.iter().enumerate() {
            let column = printer.column(binding.column);
            writeln!(text, "Let {}#{number} = {column} of", binding.name)?;
            printer.pipeline(&mut text, &binding.pipeline, 1)?;
        }
        printer.pipeline(&mut text, &self.root, 0)?;
        writeln!(text, "-> {}", printer.columns(&self.output))?;
        f.write_str(&text)
    }
}

impl Plan {
    /// One operator of this plan as its line of text, without its subplans.
    pub fn describe(&self, op: &Op) -> String {
        Printer { plan: self }.op(op)
    }
}

struct Printer<'a> {
    plan: &'a Plan,
}

impl Printer<'_> {
    fn pipeline(&self, text: &mut String, pipeline: &Pipeline, depth: usize) -> fmt::Result {
        for op in &pipeline.ops {
            writeln!(text, "{:width$}{}", "", self.op(op), width = depth * 2)?;
            for (number, sub) in op.subplans().iter().enumerate() {
                if matches!(op, Op::Union { .. }) {
                    writeln!(text, "{:width$}branch {number}", "", width = depth * 2 + 2)?;
                }
                let deeper = if matches!(op, Op::Union { .. }) { 2 } else { 1 };
                self.pipeline(text, sub, depth + deeper)?;
            }
        }
        Ok(())
    }

    fn op(&self, op: &Op) -> String {
        match op {
            Op::Scan { source, to } => format!("Scan {} {}", scan(source), self.column(*to)),
            Op::Seek { owner, keys, values, range, to } => {
                let pairs = keys.iter().zip(values);
                let pairs = pairs.map(|(key, value)| format!("{key} = {}", self.expr(value)));
                let asked = join(pairs.chain(range.iter().map(|range| self.seek_range(range))));
                format!("Seek {} by {}({asked})", self.column(*to), owner_name(owner))
            }
            Op::LookupById { element, ids, mode, to } => {
                let mode = match mode {
                    LookupMode::Checked => "",
                    LookupMode::Unchecked => " unchecked",
                    LookupMode::Scanned => " as scanned",
                };
                let kind = element_kind(*element);
                format!("LookupById {} {kind} {}{mode}", self.column(*to), self.expr(ids))
            }
            Op::Rows { source, to } => {
                format!("Rows {} of {}", self.columns(to), self.rows_source(source))
            }
            Op::LetRef { name, to } => {
                let binding = self.plan.lets.get(name.0 as usize);
                let title = binding.map_or("?", |binding| &binding.name);
                format!("LetRef {} of {title}#{}", self.column(*to), name.0)
            }
            Op::Expand { from, types, direction, edge, to, loops } => {
                let types = edge_types(types);
                let edge = edge.map_or(String::new(), |edge| format!("{}:", self.column(edge)));
                let to = to.map_or("()".to_owned(), |to| self.column(to));
                let loops = if *loops == Loops::Once { " loops once" } else { "" };
                format!("Expand {} -{edge}{direction} {types}-> {to}{loops}", self.column(*from))
            }
            Op::ExpandInto { from, into, types, direction, edge, loops } => {
                let types = edge_types(types);
                let edge = edge.map_or(String::new(), |edge| format!("{}:", self.column(edge)));
                let loops = if *loops == Loops::Once { " loops once" } else { "" };
                let (from, into) = (self.column(*from), self.column(*into));
                format!("ExpandInto {from} -{edge}{direction} {types}-> {into}{loops}")
            }
            Op::Intersect(intersect) => self.intersect(intersect),
            Op::Random(random) => self.random(random),
            Op::PathExpand { path, edges, to, cost } => self.path(path, [*edges, *to, *cost]),
            Op::TrailEndpoints { list, direction, from, to } => {
                let [list, from, to] = [Some(*list), *from, *to].map(|column| self.wanted(column));
                format!("TrailEndpoints {from} -{list} {direction}-> {to}")
            }
            Op::PathStep { before, object, tags, to } => {
                self.path_step([*before, *object], tags, *to)
            }
            Op::Endpoints { edge, end, to } => {
                let end = if *end == End::Source { "source" } else { "target" };
                format!("Endpoints {} = {end} of {}", self.column(*to), self.column(*edge))
            }
            Op::Fields { element, keys, languages, to } => {
                self.fields([*element, *to], keys.as_deref(), languages.as_ref())
            }
            Op::Lookup(lookup) => self.lookup(lookup),
            Op::Call(call) => self.call(call),
            Op::Filter { predicate } => format!("Filter {}", self.expr(predicate)),
            Op::Project { columns } => {
                let columns = columns.iter();
                format!(
                    "Project {}",
                    join(columns.map(|(to, e)| format!("{} = {}", self.column(*to), self.expr(e))))
                )
            }
            Op::Unwind { list, to, position } => {
                let position =
                    position.map_or(String::new(), |at| format!(" at {}", self.column(at)));
                format!("Unwind {} as {}{position}", self.expr(list), self.column(*to))
            }
            Op::UnwindValues { property, to, ordinal } => {
                let ordinal =
                    ordinal.map_or(String::new(), |at| format!(" at {}", self.column(at)));
                format!("UnwindValues {} as {}{ordinal}", self.expr(property), self.column(*to))
            }
            Op::Aggregate { keys, folds } => {
                let folds = folds
                    .iter()
                    .map(|(to, fold)| format!("{} = {}", self.column(*to), self.fold(fold)));
                format!("Aggregate [{}] {}", self.columns(keys), join(folds))
            }
            Op::Fold { columns, to } => {
                format!("Fold {} of ({})", self.column(*to), self.columns(columns))
            }
            Op::Dedup { columns } => format!("Dedup {}", self.columns(columns)),
            Op::Sort { keys } => format!("Sort {}", self.sort_keys(keys)),
            Op::TopK { count, keys } => format!("TopK {count} by {}", self.sort_keys(keys)),
            Op::Range { from, to } => match to {
                Some(to) => format!("Range {from}..{to}"),
                None => format!("Range {from}.."),
            },
            Op::Tail { count } => format!("Tail {count}"),
            Op::Join { kind, on, .. } => {
                let kind = match kind {
                    JoinKind::Inner => "inner",
                    JoinKind::Left => "left",
                    JoinKind::Semi => "semi",
                    JoinKind::Anti => "anti",
                };
                let pairs = on.iter();
                let pairs =
                    pairs.map(|(l, r)| format!("{} = {}", self.column(*l), self.column(*r)));
                format!("Join {kind} on {}", join(pairs))
            }
            Op::Group { keys, .. } => format!("Group [{}]", self.columns(keys)),
            Op::Repeat(repeat) => self.repeat(repeat),
            Op::RecursiveExpand(recurse) => self.recurse(recurse),
            Op::Fail { message, kind: ErrorKind::Failed } => format!("Fail {}", self.expr(message)),
            Op::Fail { message, kind } => format!("Fail as {kind:?} {}", self.expr(message)),
            Op::Barrier { merge } => match merge {
                Some(columns) => format!("Barrier merge({})", self.columns(columns)),
                None => "Barrier".to_owned(),
            },
            Op::Union { pick, .. } => match pick {
                UnionPick::All => "Union".to_owned(),
                UnionPick::First(conditions) => {
                    format!("Union first {}", join(conditions.iter().map(|expr| self.expr(expr))))
                }
            },
            Op::Apply { sub, kind } => {
                let outer: Vec<ColumnId> = sub.outer_columns().into_iter().collect();
                format!("Apply {} over ({})", self.apply_kind(kind), self.columns(&outer))
            }
            Op::SideEffect { name, value, fold } => {
                let fold = match fold {
                    SideFold::Set => "set",
                    SideFold::List => "list",
                    SideFold::Bag => "bag",
                };
                format!("SideEffect {name} += {} ({fold})", self.expr(value))
            }
            Op::Create { template, id, to } => {
                let id = id.as_ref().map_or(String::new(), |id| format!(" id {}", self.expr(id)));
                format!("Create {} {}{id}", self.column(*to), self.template(template))
            }
            Op::Merge { template, on_create, on_match, to, created } => {
                let made = created
                    .map_or(String::new(), |made| format!(" created as {}", self.column(made)));
                format!(
                    "Merge {} {} on create {} on match {}{made}",
                    self.column(*to),
                    self.template(template),
                    self.properties(on_create),
                    self.properties(on_match)
                )
            }
            Op::Set { element, properties, replace } => {
                let verb = if *replace { "=" } else { "+=" };
                format!("Set {} {verb} {}", self.column(*element), self.properties(properties))
            }
            Op::Remove { element, keys } => {
                let keys = keys.as_deref().map_or("*".to_owned(), |keys| keys.join(", "));
                format!("Remove {} {keys}", self.column(*element))
            }
            Op::Delete { element, detach } => {
                format!("Delete {}{}", self.expr(element), if *detach { " detach" } else { "" })
            }
            Op::Define { definition } => format!("Define {}", define(definition)),
        }
    }

    fn column(&self, column: ColumnId) -> String {
        let name = self.plan.columns.get(column.0 as usize).map_or("?", |name| name);
        // Two columns may have one name; the number then distinguishes them.
        let alone = self.plan.columns.iter().filter(|other| &***other == name).count() == 1;
        if alone { name.to_owned() } else { format!("{name}#{}", column.0) }
    }

    fn columns(&self, columns: &[ColumnId]) -> String {
        join(columns.iter().map(|column| self.column(*column)))
    }

    fn seek_range(&self, range: &SeekRange) -> String {
        let sign = |bound: &SeekBound| if bound.inclusive { "<=" } else { "<" };
        let lower = range.lower.as_ref();
        let lower = lower.map(|bound| format!("{} {} ", self.expr(&bound.value), sign(bound)));
        let upper = range.upper.as_ref();
        let upper = upper.map(|bound| format!(" {} {}", sign(bound), self.expr(&bound.value)));
        if lower.is_none() && upper.is_none() {
            return format!("has {}", range.key);
        }
        format!("{}{}{}", lower.unwrap_or_default(), range.key, upper.unwrap_or_default())
    }

    fn rows_source(&self, source: &RowsSource) -> String {
        match source {
            RowsSource::Literal(rows) => format!("{} literal rows", rows.len()),
            RowsSource::Parameter(parameter) => self.parameter(parameter.0),
        }
    }

    fn parameter(&self, number: u32) -> String {
        format!("${}", self.plan.parameters.get(number as usize).map_or("?", |name| name))
    }

    fn sort_keys(&self, keys: &[SortKey]) -> String {
        join(keys.iter().map(|key| {
            let direction = if key.descending { " desc" } else { "" };
            let nulls = if key.nulls == Nulls::First { " nulls first" } else { "" };
            format!("{}{direction}{nulls}", self.expr(&key.by))
        }))
    }

    fn fold(&self, fold: &Fold) -> String {
        let (name, expr) = match fold {
            Fold::Count => ("count", None),
            Fold::Exists => ("exists", None),
            Fold::CountDistinct(expr) => ("count distinct", Some(expr)),
            Fold::Sum(expr) => ("sum", Some(expr)),
            Fold::SumTimes(expr) => ("sum times", Some(expr)),
            Fold::Min(expr) => ("min", Some(expr)),
            Fold::Max(expr) => ("max", Some(expr)),
            Fold::Mean(expr) => ("mean", Some(expr)),
            Fold::Collect(expr) => ("collect", Some(expr)),
            Fold::First(expr) => ("first", Some(expr)),
            Fold::IfSeen { fold, missing } => {
                let otherwise = match missing {
                    Missing::NoRow => "no row",
                    Missing::Absent => "absent",
                };
                return format!("{} or {otherwise}", self.fold(fold));
            }
        };
        expr.map_or(name.to_owned(), |expr| format!("{name}({})", self.expr(expr)))
    }

    fn apply_kind(&self, kind: &ApplyKind) -> String {
        match kind {
            ApplyKind::Flat => "flat".to_owned(),
            ApplyKind::Optional => "optional".to_owned(),
            ApplyKind::Value { fold, to } => {
                format!("value {} = {}", self.column(*to), self.fold(fold))
            }
            ApplyKind::Exists => "exists".to_owned(),
            ApplyKind::Absent => "absent".to_owned(),
            ApplyKind::Bag { columns, to } => {
                format!("bag {} of ({})", self.column(*to), self.columns(columns))
            }
            ApplyKind::Effect => "effect".to_owned(),
        }
    }

    fn template(&self, template: &Template) -> String {
        match template {
            Template::Vertex { labels, properties } => {
                let labels: Vec<String> = labels.iter().map(|label| self.label(label)).collect();
                format!("(:{} {})", labels.join(":"), self.properties(properties))
            }
            Template::Edge { edge_type, source, target, properties } => format!(
                "({})-[:{} {}]->({})",
                self.column(*source),
                self.label(edge_type),
                self.properties(properties),
                self.column(*target)
            ),
        }
    }

    fn label(&self, label: &Label) -> String {
        match label {
            Label::Known(name) => name.to_string(),
            Label::Of(expr) => format!("({})", self.expr(expr)),
        }
    }

    fn properties(&self, properties: &Properties) -> String {
        let keyed = properties.keyed.iter();
        let keyed = keyed.map(|(key, expr)| format!("{key}: {}", self.expr(expr)));
        let map = properties.map.iter().map(|expr| format!("...{}", self.expr(expr)));
        format!("{{{}}}", join(keyed.chain(map)))
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn edge_types(types: &Option<Vec<Name>>) -> String {
    types.as_deref().map_or("*".to_owned(), |types| types.join("|"))
}

fn scan(source: &ScanSource) -> String {
    let names = |names: &[Name]| names.join("|");
    match source {
        ScanSource::Vertices(label) => format!("({})", label.as_deref().unwrap_or("*")),
        ScanSource::Edges(types) => {
            format!("[{}]", types.as_deref().map_or("*".to_owned(), names))
        }
    }
}

fn element_kind(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Vertex => "vertex",
        ElementKind::Edge => "edge",
    }
}

fn owner_name(owner: &OwnerName) -> String {
    match owner {
        OwnerName::Label(label) => label.to_string(),
        OwnerName::EdgeType(edge_type) => format!("-{edge_type}-"),
        OwnerName::AllVertices => "*".to_owned(),
    }
}

fn define(definition: &Definition) -> String {
    match definition {
        Definition::CreateOwner(owner) => format!("owner {}", owner_name(owner)),
        Definition::DropOwner(owner) => format!("drop owner {}", owner_name(owner)),
        Definition::CreateProperty { owner, key, kind, required } => {
            let required = if *required { " required" } else { "" };
            format!("property {}.{key}: {kind}{required}", owner_name(owner))
        }
        Definition::DropProperty { owner, key } => {
            format!("drop property {}.{key}", owner_name(owner))
        }
        Definition::CreateIndex { owner, keys, kind } => {
            let kind = format!("{kind:?}").to_lowercase();
            format!("{kind} index {}({})", owner_name(owner), keys.join(", "))
        }
        Definition::DropIndex { owner, keys, kind } => {
            let kind = kind.map_or(String::new(), |kind| format!("{kind:?} ").to_lowercase());
            format!("drop {kind}index {}({})", owner_name(owner), keys.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;

    use crate::builder::PlanBuilder;
    use crate::expr::{Expr, SetName};
    use crate::op::{Fold, Nulls, Op, SortKey};

    #[test]
    fn the_recommendation_prints_as_the_algebra_writes_it() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let user = builder.parameter("user");
        let p = builder.seek("Person", "username", Expr::Parameter(user), "p");
        let i = builder.expand(p, Direction::Out, Some(&["LIKES"]), "i");
        builder.side_effect_set("mine", Expr::Column(i));
        let o = builder.expand(i, Direction::In, Some(&["LIKES"]), "o");
        let j = builder.expand(o, Direction::Out, Some(&["LIKES"]), "j");
        let mine = SetName::SideEffect("mine".into());
        builder.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
        let n = builder.aggregate(&[j], "n", Fold::Count);
        let by = SortKey { by: Expr::Column(n), descending: true, nulls: Nulls::Last };
        builder.push(Op::TopK { count: 25, keys: vec![by] });
        let plan = builder.finish(vec![j, n]);
        let expected = "\
Seek p by Person(username = $user)
Expand p -out LIKES-> i
SideEffect mine += i (set)
Expand i -in LIKES-> o
Expand o -out LIKES-> j
Filter not (j in SideEffect mine)
Aggregate [j] n = count
TopK 25 by n desc
-> j, n
";
        assert_eq!(plan.to_string(), expected);
    }
}
