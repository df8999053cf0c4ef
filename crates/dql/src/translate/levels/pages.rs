//! The order of a level's nodes, and which of them are wanted: `orderasc`, `first`, `offset`, `after`.

use millrace_model::Result;
use millrace_plan::{ColumnId, Comparison, Expr, Name, Nulls, RowCount, SortKey, op};

use crate::schema::Kind;
use crate::translate::translator::Translator;
use crate::tree::{Order, OrderKey, Page, Predicate};

/// The procedure that gives what a text is ordered by in a language.
const COLLATED: &str = "dql.collated";

/// Whether rows come in the order of uids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translate) enum Comes {
    /// They do: those of a scan.
    InOrder,
    /// They may not.
    InAnyOrder,
}

impl Translator<'_> {
    /// What an order by uids compares.
    pub(in crate::translate) fn uid_key(&self, node: ColumnId) -> SortKey {
        let by = match self.facts.has_other_ids {
            true => Expr::Id(Box::new(Expr::Column(node))),
            false => Expr::Column(node),
        };
        SortKey { by, descending: false, nulls: Nulls::Last }
    }

    /// Nodes behind a uid.
    pub(in crate::translate) fn after(&mut self, node: ColumnId, page: &Page) -> Result<()> {
        if let Some(after) = &page.after {
            let uid = self.operands.operand(after, Kind::Uid)?;
            let own = Expr::Id(Box::new(Expr::Column(node)));
            self.builder.filter(Expr::compare(Comparison::Greater, own, uid));
        }
        Ok(())
    }

    /// The order of a level: by keys of its edges, by its own, and by uid where these are equal or where there are none.
    pub(in crate::translate) fn order(
        &mut self,
        node: ColumnId,
        (order, mut keys): (&[Order], Vec<SortKey>),
        comes: Comes,
    ) -> Result<()> {
        for own in order {
            let mut by = self.order_key(node, own)?;
            // As in Dgraph, of several keys none is in the order of a language.
            if let (OrderKey::Predicate(predicate), 1) = (&own.key, order.len()) {
                by = self.collated(by, predicate);
            }
            keys.push(SortKey { by, descending: own.is_descending, nulls: Nulls::Last });
        }
        if keys.is_empty() && comes == Comes::InOrder {
            return Ok(());
        }
        keys.push(self.uid_key(node));
        self.builder.push(op::Sort { keys });
        Ok(())
    }

    /// A text of one language by which the nodes are in the order of that language.
    fn collated(&mut self, by: Expr, predicate: &Predicate) -> Expr {
        let [language] = predicate.languages.as_slice() else { return by };
        let text = self.builder.project(&predicate.name, by);
        let key = self.builder.column("key");
        self.builder.push(op::Call {
            procedure: Name::from(COLLATED),
            arguments: vec![Expr::Column(text), Expr::literal(language.as_str())],
            yields: vec![(Name::from("key"), key)],
            writes: false,
        });
        Expr::Column(key)
    }

    fn order_key(&mut self, node: ColumnId, order: &Order) -> Result<Expr> {
        match &order.key {
            OrderKey::Parameter(value) => {
                let text = self.operands.literal(value)?;
                let (name, languages) = text.split_once('@').unwrap_or((&text, ""));
                let languages = languages.split(':').filter(|tag| !tag.is_empty());
                let predicate = Predicate {
                    offset: value.offset,
                    is_reverse: false,
                    name: name.to_owned(),
                    languages: languages.map(str::to_owned).collect(),
                };
                let key = OrderKey::Predicate(predicate);
                self.order_key(node, &Order { key, ..*order })
            }
            OrderKey::Predicate(predicate) => {
                let Some(named) = self.named(predicate) else {
                    let detail = format!("Cannot sort by unknown attribute {}", predicate.name);
                    return Err(self.wrong(predicate.offset, detail));
                };
                if named.known.is_edge() {
                    let detail =
                        format!("Cannot sort attribute {} of type object.", predicate.name);
                    return Err(self.wrong(predicate.offset, detail));
                }
                if named.is_list() {
                    let detail = format!(
                        "Sorting not supported on attr: {} of type: [scalar]",
                        predicate.name
                    );
                    return Err(self.wrong(predicate.offset, detail));
                }
                let kind = named.known.kind;
                if let Kind::Bool | Kind::Geo | Kind::Password | Kind::Vector = kind {
                    let detail = format!("Value of type: {} isn't sortable", kind.word());
                    return Err(self.wrong(predicate.offset, detail));
                }
                Ok(self.value(node, &named))
            }
            OrderKey::Variable(name) => {
                if self.kind_of(&name.text) == Some(Kind::Vector) {
                    let detail = "Value of type: float32vector isn't sortable";
                    return Err(self.wrong(name.offset, detail));
                }
                let (value, column) = self.value_at(None, Some(node), &name.text, name.offset)?;
                // Nodes without a value are not in the order.
                if let Some(column) = column {
                    self.builder.filter(Expr::IsNull(Box::new(Expr::Column(column))).negate());
                }
                Ok(value)
            }
        }
    }

    /// The wanted ones of a level's nodes, which are in order.
    pub(in crate::translate) fn page(&mut self, page: &Page) -> Result<()> {
        let first = page.first.as_deref().map(|value| self.operands.number(value)).transpose()?;
        let offset = page.offset.as_deref().map(|value| self.operands.number(value)).transpose()?;
        let from = u64::try_from(offset.unwrap_or(0)).unwrap_or(0);
        match first {
            Some(count) if count < 0 => {
                self.builder.push(op::Tail { count: RowCount::Number(count.unsigned_abs()) });
            }
            None | Some(0) => {
                if from != 0 {
                    self.builder.push(op::Range::of(from, None));
                }
            }
            Some(count) => {
                let to = from.saturating_add(count.unsigned_abs());
                self.builder.push(op::Range::of(from, Some(to)));
            }
        }
        Ok(())
    }
}
