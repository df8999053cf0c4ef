//! Random expressions, each of a kind, so that few of them fail.

use super::graph::{LABELS, TYPES};
use super::parts::{Part, expression, word};
use super::texts::{Kind, Maker};

impl Maker<'_> {
    /// An expression of a kind; so deep at most.
    pub(super) fn of_kind(&mut self, kind: Kind, depth: u32) -> Part {
        match kind {
            Kind::Int => self.int(depth),
            Kind::Text => self.text(depth),
            Kind::Bool => self.truth(depth),
            Kind::Ints => self.ints(depth),
            Kind::Bag => self.variable_or(Kind::Bag, "[]"),
            Kind::Map => self.map(depth),
            Kind::Any => self.any(depth),
            Kind::Node => self.variable_or(Kind::Node, "null"),
            Kind::Edge => self.variable_or(Kind::Edge, "null"),
            Kind::Edges => self.variable_or(Kind::Edges, "[]"),
            Kind::Path | Kind::Picked => self.variable_or(Kind::Path, "null"),
        }
    }

    fn variable_or(&mut self, kind: Kind, otherwise: &str) -> Part {
        match self.variable(kind) {
            Some(name) => expression(&name, []),
            None => expression(otherwise, []),
        }
    }

    pub(super) fn constant(&mut self, words: &[&str]) -> Part {
        expression(words[self.rng.index(words.len())], [])
    }

    pub(super) fn int(&mut self, depth: u32) -> Part {
        if depth == 0 || self.rng.chance(0.35) {
            return self.simple_int();
        }
        let d = depth - 1;
        match self.rng.below(20) {
            0 => expression("(@ + @)", [self.int(d), self.int(d)]),
            1 => expression("(@ - @)", [self.int(d), self.int(d)]),
            2 => expression("(@ * 2)", [self.int(d)]),
            3 => expression("(@ % 3)", [self.int(d)]),
            4 => expression("abs(@)", [self.int(d)]),
            5 => expression("coalesce(@, @)", [self.int(d), self.int(d)]),
            6 => expression("size(@)", [self.text(d)]),
            7 => expression("size(@)", [self.ints(d)]),
            8 => expression(
                "CASE WHEN @ THEN @ ELSE @ END",
                [self.truth(d), self.int(d), self.int(d)],
            ),
            9 => expression("CASE @ WHEN @ THEN @ END", [self.int(d), self.int(d), self.int(d)]),
            10 => {
                let list = self.ints(d);
                let (acc, each) = (self.name(), self.name());
                let body = self.inside(&[(&acc, Kind::Int), (&each, Kind::Int)], |own| own.int(0));
                expression(
                    &format!("reduce({acc} = 0, {each} IN @ | ({acc} + @) % 100)"),
                    [list, body],
                )
            }
            11 => expression("head(@)", [self.ints(d)]),
            12 => expression("@[@]", [self.ints(d), self.int(0)]),
            13 => self.count_subquery(d),
            14 if self.may_match() => {
                let pattern = self.pattern_expression();
                expression("size([@ | 1])", [pattern])
            }
            15 => match self.variable(Kind::Bag) {
                Some(bag) => expression(&format!("size({bag})"), []),
                None => self.simple_int(),
            },
            16 => match self.variable(Kind::Picked).or_else(|| self.variable(Kind::Path)) {
                Some(path) => expression(&format!("length({path})"), []),
                None => self.simple_int(),
            },
            17 => expression("(date('2020-02-27') + duration({days: @ % 5})).day", [self.int(d)]),
            18 => self.pattern_comprehension(d),
            _ => expression("toInteger(toString(@))", [self.int(d)]),
        }
    }

    pub(super) fn simple_int(&mut self) -> Part {
        match self.rng.below(8) {
            0 | 1 => self.constant(&["0", "1", "2", "-1", "3", "null"]),
            2 | 3 => self.variable_or(Kind::Int, "1"),
            4 => match self.variable(Kind::Edge) {
                Some(edge) => expression(&format!("{edge}.n"), []),
                None => self.variable_or(Kind::Int, "2"),
            },
            _ => match self.variable(Kind::Node) {
                Some(node) => expression(&format!("{node}.{}", self.of(&["n", "id", "n"])), []),
                None => self.variable_or(Kind::Int, "0"),
            },
        }
    }

    pub(super) fn text(&mut self, depth: u32) -> Part {
        if depth == 0 || self.rng.chance(0.4) {
            return self.simple_text();
        }
        let d = depth - 1;
        match self.rng.below(11) {
            0 => expression("(@ + @)", [self.text(d), self.text(d)]),
            1 => expression("toString(@)", [self.int(d)]),
            2 => expression("toUpper(@)", [self.text(d)]),
            3 => expression("substring(@, 0, 1)", [self.text(d)]),
            4 => expression("left(@, 1)", [self.text(d)]),
            5 => expression("replace(@, 'a', 'bb')", [self.text(d)]),
            6 => expression("coalesce(@, @)", [self.text(d), self.text(d)]),
            7 => expression("split(@, 'b')[0]", [self.text(d)]),
            8 => expression("CASE WHEN @ THEN @ END", [self.truth(d), self.text(d)]),
            9 => expression("reverse(@)", [self.text(d)]),
            _ => match self.variable(Kind::Edge) {
                Some(edge) => expression(&format!("type({edge})"), []),
                None => expression("trim(@)", [self.text(d)]),
            },
        }
    }

    fn simple_text(&mut self) -> Part {
        match self.rng.below(4) {
            0 => self.constant(&["'a'", "'ab'", "''", "'b'", "null"]),
            1 => self.variable_or(Kind::Text, "'a'"),
            _ => match self.variable(Kind::Node) {
                Some(node) => expression(&format!("{node}.s"), []),
                None => self.variable_or(Kind::Text, "'b'"),
            },
        }
    }

    pub(super) fn truth(&mut self, depth: u32) -> Part {
        let d = depth.saturating_sub(1);
        let most = if depth == 0 { 9 } else { 20 };
        match self.rng.below(most) {
            0 | 1 => {
                let sign = self.of(&["=", "<>", "<", "<=", ">", ">="]);
                expression(&format!("@ {sign} @"), [self.int(d), self.int(d)])
            }
            2 => {
                let sign = self.of(&["=", "<>", "<", ">="]);
                expression(&format!("@ {sign} @"), [self.text(d), self.text(d)])
            }
            3 => {
                let sign = self.of(&["=", "<>", "<", ">="]);
                expression(&format!("@ {sign} @"), [self.any(d), self.any(d)])
            }
            4 => expression(&format!("@ IS {}", self.of(&["NULL", "NOT NULL"])), [self.any(d)]),
            5 => match self.variable(Kind::Node) {
                Some(node) => {
                    let labels = self.labels();
                    // In a comprehension a bar would end the condition.
                    expression(&format!("({node}{labels})"), [])
                }
                None => self.constant(&["true", "false", "null"]),
            },
            6 => self.variable_or(Kind::Bool, "true"),
            7 | 8 => match (self.variable(Kind::Node), self.variable(Kind::Node)) {
                (Some(one), Some(other)) => {
                    let sign = self.of(&["=", "<>"]);
                    expression(&format!("{one} {sign} {other}"), [])
                }
                _ => self.constant(&["true", "false", "null"]),
            },
            9 => expression("NOT (@)", [self.truth(d)]),
            10 => expression("(@ AND @)", [self.truth(d), self.truth(d)]),
            11 => expression("(@ OR @)", [self.truth(d), self.truth(d)]),
            12 => expression("(@ XOR @)", [self.truth(d), self.truth(d)]),
            13 => expression("@ IN @", [self.int(d), self.ints(d)]),
            14 => {
                let sign = self.of(&["STARTS WITH", "ENDS WITH", "CONTAINS", "=~"]);
                expression(&format!("@ {sign} @"), [self.text(d), self.text(0)])
            }
            15 | 16 => {
                let (list, each) = (self.ints(d), self.name());
                let word = self.of(&["all", "any", "none", "single"]);
                let test = self.inside(&[(&each, Kind::Int)], |own| own.truth(0));
                expression(&format!("{word}({each} IN @ WHERE @)"), [list, test])
            }
            17 => self.exists_subquery(d),
            18 => {
                let name = self.of(&["INTEGER", "STRING", "FLOAT", "BOOLEAN", "INTEGER NOT NULL"]);
                expression(&format!("@ IS :: {name}"), [self.any(d)])
            }
            _ => expression("isEmpty(@)", [self.ints(d)]),
        }
    }

    fn any(&mut self, depth: u32) -> Part {
        match self.rng.below(6) {
            0 => self.int(depth),
            1 => self.text(depth),
            2 => self.constant(&["1.0", "0.5", "true", "[1, 2]", "null", "'a'"]),
            3 => self.variable_or(Kind::Any, "null"),
            _ => match self.variable(Kind::Node) {
                Some(node) => expression(&format!("{node}.x"), []),
                None => self.variable_or(Kind::Any, "1"),
            },
        }
    }

    /// A list in a known order.
    pub(super) fn ints(&mut self, depth: u32) -> Part {
        if depth == 0 || self.rng.chance(0.3) {
            return match self.rng.below(3) {
                0 => self.variable_or(Kind::Ints, "[3, 1]"),
                _ => self.constant(&["[1, 2]", "[]", "[0, null, 2]", "[2, 2, 1]", "null"]),
            };
        }
        let d = depth - 1;
        match self.rng.below(11) {
            0 => expression("range(0, @ % 4)", [self.int(d)]),
            1 => expression("[@, @]", [self.int(d), self.int(d)]),
            2 => expression("(@ + @)", [self.ints(d), self.ints(d)]),
            3 => expression("tail(@)", [self.ints(d)]),
            4 => expression("reverse(@)", [self.ints(d)]),
            5 => expression("@[0..@]", [self.ints(d), self.int(0)]),
            6 | 7 => {
                let (list, each) = (self.ints(d), self.name());
                let (test, value) =
                    self.inside(&[(&each, Kind::Int)], |own| (own.truth(0), own.int(1)));
                let template = match self.rng.below(3) {
                    0 => return expression(&format!("[{each} IN @ WHERE @]"), [list, test]),
                    1 => return expression(&format!("[{each} IN @ | @]"), [list, value]),
                    _ => format!("[{each} IN @ WHERE @ | @]"),
                };
                expression(&template, [list, test, value])
            }
            8 => match self.variable(Kind::Path) {
                Some(path) => {
                    let (part, each) = (self.of(&["nodes", "relationships"]), self.name());
                    expression(&format!("[{each} IN {part}({path}) | {each}.id]"), [])
                }
                None => self.ints(d),
            },
            9 => self.collect_subquery(d),
            _ => match self.variable(Kind::Edges) {
                Some(edges) => {
                    let each = self.name();
                    expression(&format!("[{each} IN {edges} | {each}.n]"), [])
                }
                None => self.ints(d),
            },
        }
    }

    fn map(&mut self, depth: u32) -> Part {
        let d = depth.saturating_sub(1);
        match self.variable(Kind::Node) {
            Some(node) if self.rng.chance(0.4) => {
                expression(&format!("{node} {{.id, .s, k: @}}"), [self.int(d)])
            }
            _ => expression("{a: @, b: @}", [self.int(d), self.text(d)]),
        }
    }

    /// A pattern with nodes in scope and a variable of its own, as a comprehension has it.
    fn pattern_expression(&mut self) -> Part {
        let start = self.variable(Kind::Node).unwrap_or_default();
        let (hop, end) = (self.bare_hop(), self.labels());
        word(format!("({start}){hop}({end})"))
    }

    /// A pattern as a condition; it must have a hop, and names nothing new.
    pub(super) fn predicate_pattern(&mut self) -> Option<Part> {
        let start = self.solid_node()?;
        let end = match self.rng.below(3) {
            0 => self.labels(),
            _ => self.solid_node()?,
        };
        let hop = self.bare_hop();
        Some(word(format!("({start}){hop}({end})")))
    }

    /// A relationship without a name.
    pub(super) fn bare_hop(&mut self) -> String {
        let types = match self.rng.below(5) {
            0 => String::new(),
            1 => ":L|K".to_owned(),
            _ => format!(":{}", TYPES[self.rng.index(2)]),
        };
        let lengths = self.rng.chance(0.1);
        let lengths = if lengths { self.of(&["*1..2", "*0..1", "*2"]) } else { "" };
        let inner = format!("[{types}{lengths}]");
        match self.rng.below(5) {
            0 => format!("-{inner}-"),
            1 | 2 => format!("<-{inner}-"),
            _ => format!("-{inner}->"),
        }
    }

    pub(super) fn labels(&mut self) -> String {
        let one = LABELS[self.rng.index(LABELS.len())];
        match self.rng.below(10) {
            0 => ":P|I".to_owned(),
            1 => format!(":!{one}"),
            2 => ":P&T".to_owned(),
            3 => ":%".to_owned(),
            _ => format!(":{one}"),
        }
    }
}
