//! Numbers as Prometheus reads them: the text format, version 0.0.4.

use std::collections::HashMap;
use std::fmt::Write;

/// The content type of the text.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// One number. Samples of one family stand together and share their help.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The family's name.
    pub family: String,
    /// The help text of the family.
    pub help: String,
    /// `counter`, `gauge` or `histogram`.
    pub kind: &'static str,
    /// The suffix of the family's name: `_bucket`, `_sum`, `_count`, mostly empty.
    pub suffix: &'static str,
    /// Label names and values.
    pub labels: Vec<(&'static str, String)>,
    /// The number.
    pub value: f64,
}

/// The text of samples: families in the order of their first samples, each in one group, as the format
/// demands.
pub fn text(samples: &[Sample]) -> String {
    let mut first = HashMap::new();
    for sample in samples {
        let next = first.len();
        first.entry(sample.family.as_str()).or_insert(next);
    }
    let mut grouped: Vec<&Sample> = samples.iter().collect();
    // Stable: within a family the order stays.
    grouped.sort_by_key(|sample| first[sample.family.as_str()]);
    let mut text = String::new();
    let mut family = "";
    for sample in grouped {
        if sample.family != family {
            family = &sample.family;
            let help = sample.help.replace('\\', "\\\\").replace('\n', "\\n");
            write!(text, "# HELP {family} {help}\n# TYPE {family} {}\n", sample.kind)
                .expect("a string takes any text");
        }
        write_sample(&mut text, sample);
    }
    text
}

fn write_sample(text: &mut String, Sample { family, suffix, labels, value, .. }: &Sample) {
    text.push_str(family);
    text.push_str(suffix);
    for (index, (name, value)) in labels.iter().enumerate() {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let open = if index == 0 { '{' } else { ',' };
        write!(text, "{open}{name}=\"{value}\"").expect("a string takes any text");
    }
    text.push_str(if labels.is_empty() { " " } else { "} " });
    if value.is_infinite() {
        text.push_str(if 0.0 < *value { "+Inf" } else { "-Inf" });
    } else {
        write!(text, "{value}").expect("a string takes any text");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_one_head_and_labels_are_escaped() {
        let sample = |suffix, outcome: &str, value| Sample {
            family: "millrace_scripts_total".to_owned(),
            help: "Scripts.".to_owned(),
            kind: "counter",
            suffix,
            labels: vec![("outcome", outcome.to_owned())],
            value,
        };
        let other = Sample { family: "other".to_owned(), ..sample("", "ok", 1.0) };
        let shown = text(&[sample("", "ok", 2.0), other.clone(), sample("_x", "a\"b", 0.5), other]);
        assert_eq!(shown.matches("# TYPE").count(), 2, "{shown}");
        let shown = text(&[sample("", "ok", 2.0), sample("_x", "a\"b", 0.5)]);
        assert_eq!(
            shown,
            "# HELP millrace_scripts_total Scripts.\n# TYPE millrace_scripts_total counter\n\
             millrace_scripts_total{outcome=\"ok\"} 2\nmillrace_scripts_total_x{outcome=\"a\\\"b\"} 0.5\n"
        );
    }
}
