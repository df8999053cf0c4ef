//! Writes of whole columns.

use millrace_db::plan::{
    ColumnId, Expr, Parameter, PlanBuilder, Properties, RowsSource, Runner, Template, op,
};
use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Column, Error, ErrorKind, Result, Value};

/// Writes into one transaction. Each call is one plan for all its rows.
pub struct Writer<'a> {
    runner: &'a mut dyn Runner,
}

/// Vertices of one transaction, in order.
#[derive(Clone, Debug)]
pub struct Vertices(Column);

impl Vertices {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those of these rows, in this order; a row may come more than once.
    pub fn at(&self, rows: &[u32]) -> Vertices {
        Vertices(self.0.take(rows))
    }
}

/// The values of a property, one a row.
#[derive(Clone, Debug)]
pub struct Values(Column);

impl<T: Into<Value>> From<Vec<T>> for Values {
    fn from(values: Vec<T>) -> Values {
        Values(Column::from_values(values.into_iter().map(Into::into)))
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Values {
    fn from(values: [T; N]) -> Values {
        Values(Column::from_values(values.into_iter().map(Into::into)))
    }
}

impl From<Column> for Values {
    fn from(column: Column) -> Values {
        Values(column)
    }
}

impl<'a> Writer<'a> {
    pub(crate) fn new(runner: &'a mut dyn Runner) -> Writer<'a> {
        Writer { runner }
    }

    /// Creates vertices with a label, as many as the properties have values.
    pub fn vertices(&mut self, label: &str, properties: &[(&str, Values)]) -> Result<Vertices> {
        let Some((_, first)) = properties.first() else {
            let detail = "vertices without properties have no number";
            return Err(Error::new(ErrorKind::BadInput, detail)
                .with_help("give one property at least, or create them by a query"));
        };
        let mut write = Write::new(first.0.len());
        let properties = write.properties(properties)?;
        let template = Template::Vertex { labels: vec![label.into()], properties };
        write.create(self.runner, template).map(Vertices)
    }

    /// Creates an edge from each source to the target at its place.
    pub fn edges(
        &mut self,
        edge_type: &str,
        sources: &Vertices,
        targets: &Vertices,
        properties: &[(&str, Values)],
    ) -> Result<()> {
        let mut write = Write::new(sources.len());
        let (source, target) =
            (write.column("source", &sources.0)?, write.column("target", &targets.0)?);
        let properties = write.properties(properties)?;
        let edge_type = edge_type.into();
        let template =
            Template::Edge { edge_type, source, target, properties, must_have_ends: None };
        write.create(self.runner, template).map(drop)
    }

    /// The vertices of a query's rows, such as those that edges are to lead to.
    pub fn found(&self, columns: &Column) -> Result<Vertices> {
        match columns.as_vertices() {
            Some(_) => Ok(Vertices(columns.clone())),
            None => Err(Error::new(ErrorKind::BadInput, "a column that holds other than vertices")),
        }
    }
}

/// A plan over rows of columns.
struct Write {
    plan: PlanBuilder,
    len: usize,
    ids: Vec<ColumnId>,
    columns: Vec<Column>,
}

impl Write {
    fn new(len: usize) -> Write {
        let plan = PlanBuilder::new(CompareMode::NullIsValue);
        Write { plan, len, ids: Vec::new(), columns: Vec::new() }
    }

    fn column(&mut self, name: &str, values: &Column) -> Result<ColumnId> {
        if values.len() != self.len {
            let (found, wanted) = (values.len(), self.len);
            let detail = format!("`{name}` has {found} values where there are {wanted} rows");
            return Err(Error::new(ErrorKind::BadInput, detail));
        }
        let id = self.plan.column(name);
        self.ids.push(id);
        self.columns.push(values.clone());
        Ok(id)
    }

    fn properties(&mut self, properties: &[(&str, Values)]) -> Result<Properties> {
        let mut keyed = Vec::with_capacity(properties.len());
        for (key, values) in properties {
            let column = self.column(key, &values.0)?;
            keyed.push(((*key).into(), Expr::Column(column)));
        }
        Ok(Properties { keyed, map: None })
    }

    fn create(mut self, runner: &mut dyn Runner, template: Template) -> Result<Column> {
        let rows = self.plan.parameter("rows");
        let source = RowsSource::Parameter(rows);
        self.plan.push(op::Rows { source, to: self.ids });
        let made = self.plan.column("made");
        self.plan.push(op::Create { template, id: None, to: made });
        let plan = runner.prepare(&self.plan.finish(vec![made]))?;
        let batch = runner.run(plan, &[Parameter::Rows(Batch::of(self.columns))])?;
        Ok(batch.columns.first().map_or_else(Column::default, |column| (**column).clone()))
    }
}
