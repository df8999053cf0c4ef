//! Scenarios of a feature file: statements and the single rows that they give. Outlines are expanded.

/// A scenario.
pub(super) struct Scenario {
    /// Its name, and the number of the example.
    pub(super) name: String,
    /// Its statements and results, in order.
    pub(super) steps: Vec<Step>,
}

/// A step that counts here.
#[derive(Clone)]
pub(super) enum Step {
    /// A statement to run.
    Statement(String),
    /// The row that the last one gives.
    Result(Vec<String>),
}

#[derive(Default)]
struct Outline {
    name: String,
    steps: Vec<Step>,
    examples: Vec<Vec<String>>,
    has_examples: bool,
}

/// The scenarios of a file.
pub(super) fn scenarios(text: &str) -> Vec<Scenario> {
    let mut outlines: Vec<Outline> = Vec::new();
    let mut lines = text.lines();
    // The head of a table is passed over, but for that of examples.
    let mut is_head = true;
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some((head, name)) = line.split_once(':').filter(|it| it.0.starts_with("Scenario")) {
            let has_examples = head == "Scenario Outline";
            let name = name.trim().to_owned();
            outlines.push(Outline { name, has_examples, ..Outline::default() });
            continue;
        }
        let Some(outline) = outlines.last_mut() else { continue };
        if line == "\"\"\"" {
            let statement: Vec<&str> =
                lines.by_ref().take_while(|line| line.trim() != "\"\"\"").collect();
            outline.steps.push(Step::Statement(statement.join("\n")));
        } else if line == "Examples:" {
            outline.examples = vec![Vec::new()];
        } else if let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) {
            let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
            let is_example = !outline.examples.is_empty();
            // The table of side effects has no head.
            let is_effect = cells[0].starts_with('+');
            if is_example {
                outline.examples.push(cells);
            } else if !is_head && !is_effect {
                outline.steps.push(Step::Result(cells));
            }
            is_head = false;
            continue;
        }
        is_head = true;
    }
    outlines.into_iter().flat_map(expand).collect()
}

fn expand(outline: Outline) -> Vec<Scenario> {
    let Outline { name, steps, examples, has_examples } = outline;
    let mut rows = examples.into_iter().skip(1);
    let Some(names) = rows.next().filter(|_| has_examples) else {
        return vec![Scenario { name, steps }];
    };
    let filled = |text: &str, row: &[String]| {
        let pairs = names.iter().zip(row);
        pairs.fold(text.to_owned(), |text, (name, cell)| text.replace(&format!("<{name}>"), cell))
    };
    let rows = rows.enumerate().map(|(number, row)| {
        let steps = steps.iter().map(|step| match step {
            Step::Statement(statement) => Step::Statement(filled(statement, &row)),
            Step::Result(cells) => {
                Step::Result(cells.iter().map(|cell| filled(cell, &row)).collect())
            }
        });
        Scenario { name: format!("{name} ({})", number + 1), steps: steps.collect() }
    });
    rows.collect()
}
