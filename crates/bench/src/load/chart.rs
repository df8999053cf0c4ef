//! Charts over time, or over what is varied, as SVG: lines, a grid, a legend. No script, nothing from outside.

use std::borrow::Cow;
use std::fmt::Write;

use super::page::escaped;

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// One line: a value for each second or place; none where there is nothing to show.
pub(crate) struct Line {
    pub(crate) name: Cow<'static, str>,
    pub(crate) colour: &'static str,
    pub(crate) values: Vec<Option<f64>>,
}

/// A chart of seconds.
pub(crate) fn chart(title: &str, unit: &str, lines: &[Line]) -> String {
    svg_of(title, unit, None, lines)
}

/// A chart of places with a name each, such as numbers of connections.
pub(crate) fn chart_over(title: &str, unit: &str, places: &[String], lines: &[Line]) -> String {
    svg_of(title, unit, Some(places), lines)
}

fn svg_of(title: &str, unit: &str, places: Option<&[String]>, lines: &[Line]) -> String {
    let title = escaped(title);
    let width = lines.iter().map(|line| line.values.len()).max().unwrap_or(0).max(1);
    let values = lines.iter().flat_map(|line| &line.values).flatten();
    let top = round_up(values.copied().fold(0.0, f64::max));
    let scale = Scale { seconds: width as f64, top };
    let mut svg = format!(
        "<section><h2>{title}</h2><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{title}\">\n"
    );
    grid(&mut svg, &scale, unit);
    match places {
        None => seconds(&mut svg, &scale),
        Some(places) => (0..).zip(places).for_each(|(at, place)| {
            below(&mut svg, scale.x(f64::from(at) + 0.5), &escaped(place));
        }),
    }
    for line in lines {
        for piece in pieces(&line.values) {
            let points = piece.iter().map(|(second, value)| {
                format!("{:.1},{:.1}", scale.x(*second as f64 + 0.5), scale.y(*value))
            });
            let points: Vec<String> = points.collect();
            // A point alone is drawn by the round ends of its line.
            let points = if points.len() == 1 {
                [&*points[0], &*points[0]].join(" ")
            } else {
                points.join(" ")
            };
            let colour = line.colour;
            let _ = writeln!(
                svg,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\" points=\"{points}\"/>"
            );
        }
    }
    svg.push_str("</svg><p class=\"legend\">");
    for line in lines {
        let (colour, name) = (line.colour, escaped(&line.name));
        let _ = write!(svg, "<span style=\"color:{colour}\">&#9632; {name}</span> ");
    }
    svg.push_str("</p></section>\n");
    svg
}

/// From seconds and values to places.
struct Scale {
    seconds: f64,
    top: f64,
}

impl Scale {
    fn x(&self, second: f64) -> f64 {
        LEFT + second / self.seconds * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - value / self.top * (HEIGHT - TOP - BOTTOM)
    }
}

fn grid(svg: &mut String, scale: &Scale, unit: &str) {
    for part in 0..=4 {
        let value = scale.top * f64::from(part) / 4.0;
        let (y, right) = (scale.y(value), WIDTH - RIGHT);
        let shown = if 10.0 <= scale.top { format!("{value:.0}") } else { format!("{value:.2}") };
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{shown} {unit}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
}

fn seconds(svg: &mut String, scale: &Scale) {
    let every = round_up(scale.seconds / 10.0).max(1.0);
    let mut second = 0.0;
    while second <= scale.seconds {
        below(svg, scale.x(second), &format!("{second:.0} s"));
        second += every;
    }
}

/// A word below the grid.
fn below(svg: &mut String, x: f64, word: &str) {
    let y = HEIGHT - BOTTOM + 18.0;
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{word}</text>");
}

/// The parts of a line between seconds without a value.
fn pieces(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let all: Vec<(usize, Option<f64>)> = values.iter().copied().enumerate().collect();
    let runs = all.split(|(_, value)| value.is_none()).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().filter_map(|(at, value)| Some((*at, (*value)?))).collect()).collect()
}

/// The next of 1, 2, 2.5, 5 and 10 times a power of ten.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|top| value <= *top).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_a_round_number_above_all_values() {
        for (value, top) in [(0.0, 1.0), (0.03, 0.05), (1.0, 1.0), (1_200.0, 2_000.0), (21.0, 25.0)]
        {
            assert!((round_up(value) - top).abs() < 1e-9, "{value}: {}", round_up(value));
        }
    }

    #[test]
    fn a_line_has_a_gap_where_there_is_nothing_to_show() {
        let values = vec![Some(1.0), Some(2.0), None, Some(4.0)];
        let svg = chart("Latency", "ms", &[Line { name: "p99".into(), colour: "#000", values }]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("p99") && svg.contains("5.00 ms"), "{svg}");
        assert!(!chart("None", "", &[]).contains("<polyline"));
    }

    #[test]
    fn what_is_varied_has_its_names_below_and_texts_from_outside_are_no_markup() {
        let line = Line { name: "<b>".into(), colour: "#000", values: vec![Some(1.0), Some(2.0)] };
        let svg = chart_over("Rate", "", &["10".to_owned(), "200".to_owned()], &[line]);
        assert!(svg.contains(">10</text>") && svg.contains(">200</text>"), "{svg}");
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("<b>") && !svg.contains("1 s"), "{svg}");
    }
}
