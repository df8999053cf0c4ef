//! Plans as text, for goldens and `explain`: one operator a line, subplans indented.

use std::fmt::{self, Write};

use super::query_plan::Plan;
use crate::op::{Op, Pipeline};
use crate::printer::Printer;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new(self);
        let mut text = String::new();
        if !self.merging {
            text.push_str("Merging off\n");
        }
        if self.sorted_only {
            text.push_str("Order by Sort only\n");
        }
        if let Some(seed) = self.seed {
            writeln!(text, "Seed {seed}")?;
        }
        for (number, binding) in self.lets.iter().enumerate() {
            let columns = match binding.columns.as_slice() {
                [] => "()".to_owned(),
                columns => printer.columns(columns),
            };
            writeln!(text, "Let {}#{number} = {columns} of", binding.name)?;
            print_pipeline(&mut text, &printer, &binding.pipeline, 1)?;
        }
        print_pipeline(&mut text, &printer, &self.root, 0)?;
        writeln!(text, "-> {}", printer.columns(&self.output))?;
        f.write_str(&text)
    }
}

impl Plan {
    /// One operator of this plan as its line of text, without its subplans.
    pub fn describe(&self, op: &Op) -> String {
        op.print(&Printer::new(self))
    }
}

fn print_pipeline(
    text: &mut String,
    printer: &Printer<'_>,
    pipeline: &Pipeline,
    depth: usize,
) -> fmt::Result {
    for op in &pipeline.ops {
        writeln!(text, "{:width$}{}", "", op.print(printer), width = depth * 2)?;
        for (number, sub) in op.subplans().iter().enumerate() {
            let mut deeper = depth + 1;
            if let Some(title) = op.subplan_title(number) {
                writeln!(text, "{:width$}{title}", "", width = deeper * 2)?;
                deeper += 1;
            }
            print_pipeline(text, printer, sub, deeper)?;
        }
    }
    Ok(())
}
