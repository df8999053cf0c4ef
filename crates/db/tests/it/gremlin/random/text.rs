//! Traversals before they are text: steps and their arguments, so that they can be made smaller.

use std::fmt;

/// A step or a modulator behind one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) arguments: Vec<Argument>,
}

/// An argument of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    /// Anything that holds no traversal, as it is written.
    Text(String),
    /// A traversal inside.
    Inner(Vec<Step>),
}

/// A step with these arguments.
pub(super) fn step(name: &'static str, arguments: impl IntoIterator<Item = Argument>) -> Step {
    Step { name, arguments: arguments.into_iter().collect() }
}

/// An argument as it is written.
pub(super) fn text(text: impl Into<String>) -> Argument {
    Argument::Text(text.into())
}

/// A text as a literal.
pub(super) fn quoted(text: &str) -> Argument {
    Argument::Text(format!("'{text}'"))
}

/// A whole traversal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Script {
    /// Words of the source, such as `withSack(1)`.
    pub(super) sources: Vec<String>,
    pub(super) steps: Vec<Step>,
    /// Whether the order of its results is compared.
    pub(super) ordered: bool,
}

/// Whether every `repeat` ends: by a number of rounds, or by a test that counts them. One that does not is
/// right and goes on for ever.
pub(super) fn ends(steps: &[Step]) -> bool {
    let is_modulator = |step: &&Step| matches!(step.name, "emit" | "times" | "until");
    let bounds = |step: &Step| {
        step.name == "times" || step.name == "until" && step.to_string().contains("loops")
    };
    let mut free = 0;
    for (place, step) in steps.iter().enumerate() {
        let inside = |argument: &Argument| match argument {
            Argument::Inner(inner) => ends(inner),
            Argument::Text(_) => true,
        };
        if !step.arguments.iter().all(inside) {
            return false;
        }
        if step.name == "repeat" {
            // Modulators behind one `repeat` do not belong to the next.
            let before = steps[free..place].iter().rev().take_while(is_modulator);
            let behind = steps[place + 1..].iter().take_while(is_modulator);
            free = place + 1 + behind.clone().count();
            if !before.chain(behind).any(bounds) {
                return false;
            }
        }
    }
    true
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "g")?;
        self.sources.iter().try_for_each(|source| write!(f, ".{source}"))?;
        self.steps.iter().try_for_each(|step| write!(f, ".{step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Text(text) => f.write_str(text),
            Argument::Inner(steps) if steps.is_empty() => f.write_str("__.identity()"),
            Argument::Inner(steps) => {
                write!(f, "__")?;
                steps.iter().try_for_each(|step| write!(f, ".{step}"))
            }
        }
    }
}
