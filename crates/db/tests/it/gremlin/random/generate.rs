//! Random traversals that mean something: each step is one that can follow where traversers are, but for
//! one now and then that cannot.

use millrace_testkit::Rng;

use super::graph::{KEYS, LABELS, TYPES, one_of};
use super::sight::{Kind, Sight};
use super::text::{Argument, Script, Step, ends, quoted, step, text};

/// How deep traversals stand inside each other.
const DEPTH_MAX: u32 = 3;

/// The state that all parts of a traversal share.
pub(super) struct Maker<'a> {
    pub(super) rng: &'a mut Rng,
    /// Steps that may still be made.
    pub(super) left: i32,
    /// Whether it writes: then nothing shows the ids of elements, since the ids of new ones are
    /// unspecified.
    pub(super) writes: bool,
    pub(super) sack: bool,
    /// How many vertices there are.
    pub(super) vertices: u64,
    /// Names under which something is collected.
    pub(super) collected: Vec<&'static str>,
}

/// A random traversal over a graph of so many vertices.
pub(super) fn random_script(rng: &mut Rng, vertices: u64) -> Script {
    loop {
        let script = any_script(rng, vertices);
        if ends(&script.steps) {
            return script;
        }
    }
}

fn any_script(rng: &mut Rng, vertices: u64) -> Script {
    let (writes, sack) = (rng.chance(0.25), rng.chance(0.15));
    let left = 3 + rng.below(14) as i32;
    let ordered = rng.chance(0.3);
    let mut sources = Vec::new();
    if sack {
        let sacks = ["1", "0.5d", "1, Operator.sum", "2L, Operator.mult", "1, Operator.max"];
        sources.push(format!("withSack({})", rng.pick(&sacks)));
    }
    if rng.chance(0.08) {
        sources.push("withBulk(false)".to_owned());
    }
    if rng.chance(0.08) {
        let kinds = ["[7]", "[]", "{'a'}"];
        sources.push(format!("withSideEffect('x', {})", rng.pick(&kinds)));
    }
    if rng.chance(0.05) {
        sources.push(strategy(rng).to_owned());
    }
    let mut maker = Maker { rng, left, writes, sack, vertices, collected: Vec::new() };
    let mut steps = Vec::new();
    let mut sight = maker.start(&mut steps);
    let count = 2 + maker.rng.below(7);
    maker.go(&mut sight, &mut steps, count);
    if let [name, ..] = maker.collected.as_slice()
        && maker.rng.chance(0.6)
    {
        steps.push(step("cap", [quoted(name)]));
    }
    Script { sources, steps, ordered }
}

fn strategy(rng: &mut Rng) -> &'static str {
    let all = [
        "withStrategies(new SubgraphStrategy(vertices: __.hasLabel('A')))",
        "withStrategies(new SubgraphStrategy(edges: __.has('i'), vertices: __.has('i')))",
        "withStrategies(new PartitionStrategy(partitionKey: 's', writePartition: 'a', readPartitions: ['a', 'b']))",
        "withStrategies(ReadOnlyStrategy)",
        "withStrategies(ProductiveByStrategy)",
    ];
    one_of(rng, &all)
}

impl Maker<'_> {
    /// The first step.
    fn start(&mut self, steps: &mut Vec<Step>) -> Sight {
        let (first, kind) = match self.rng.below(20) {
            0..=9 => (step("V", []), Kind::Vertex),
            10 | 11 => (step("V", [text(self.id())]), Kind::Vertex),
            12 | 13 => (step("V", [text(self.id()), text(self.id())]), Kind::Vertex),
            14..=16 => (step("E", []), Kind::Edge),
            17 => {
                let (numbers, kind) = self.literals();
                (step("inject", numbers), kind)
            }
            18 if self.writes => (self.add_v(&Sight::at(Kind::Any), steps), Kind::Vertex),
            _ => (step("V", []), Kind::Vertex),
        };
        steps.push(first);
        Sight::at(kind)
    }

    /// Adds so many steps, as far as there may be more.
    pub(super) fn go(&mut self, sight: &mut Sight, steps: &mut Vec<Step>, count: u64) {
        for _ in 0..count {
            if self.left <= 0 {
                return;
            }
            self.left -= 1;
            self.add(sight, steps);
        }
    }

    /// Adds a step and its modulators.
    fn add(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        if sight.depth < DEPTH_MAX && self.rng.chance(0.22) {
            return self.branching(sight, steps);
        }
        match self.rng.below(100) {
            0..=42 => self.of_kind(sight, steps),
            43..=62 => self.filter(sight, steps),
            63..=77 => self.collect(sight, steps),
            78..=90 => self.any_map(sight, steps),
            91..=95 => {
                let name = self.one_of(&["a", "b", "c"]);
                steps.push(step("as", [quoted(name)]));
                sight.tag(name);
            }
            _ if self.writes => self.write(sight, steps),
            _ => self.of_kind(sight, steps),
        }
    }

    /// A step for objects of the kind.
    fn of_kind(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        if self.writes && self.rng.chance(0.2) {
            return self.write(sight, steps);
        }
        match sight.kind {
            Kind::Vertex if self.rng.chance(0.6) => self.hop(sight, steps),
            Kind::Edge if self.rng.chance(0.55) => self.end_of_edge(sight, steps),
            Kind::Vertex | Kind::Edge => self.of_element(sight, steps),
            Kind::VertexProperty | Kind::Property => self.of_property(sight, steps),
            Kind::Number => self.of_number(sight, steps),
            Kind::Text => self.of_text(sight, steps),
            Kind::Timestamp => self.of_timestamp(sight, steps),
            Kind::List | Kind::Path => self.of_list(sight, steps),
            Kind::Map | Kind::Entry => self.of_map(sight, steps),
            Kind::Any => self.any_map(sight, steps),
        }
    }

    fn hop(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        let types: Vec<Argument> = match self.rng.below(3) {
            0 => vec![quoted(self.one_of(&TYPES))],
            1 if self.rng.chance(0.3) => TYPES.map(quoted).to_vec(),
            _ => Vec::new(),
        };
        let directions = ["Direction.OUT", "Direction.IN", "Direction.BOTH"];
        match self.rng.below(10) {
            0..=5 => {
                let name = self.one_of(&["out", "in", "both"]);
                steps.push(step(name, types));
                sight.kind = Kind::Vertex;
            }
            6 => {
                let direction = text(self.one_of(&directions));
                steps.push(step("to", [direction].into_iter().chain(types)));
                sight.kind = Kind::Vertex;
            }
            7 => {
                let direction = text(self.one_of(&directions));
                steps.push(step("toE", [direction].into_iter().chain(types)));
                sight.kind = Kind::Edge;
            }
            _ => {
                let name = self.one_of(&["outE", "inE", "bothE"]);
                steps.push(step(name, types));
                sight.kind = Kind::Edge;
                if self.rng.chance(0.3) {
                    steps.push(step("otherV", []));
                    sight.kind = Kind::Vertex;
                }
            }
        }
    }

    fn end_of_edge(&mut self, sight: &mut Sight, steps: &mut Vec<Step>) {
        match self.rng.below(8) {
            0 => {
                let directions = ["Direction.OUT", "Direction.IN", "Direction.BOTH"];
                steps.push(step("toV", [text(self.one_of(&directions))]));
            }
            1 => steps.push(step("otherV", [])),
            _ => steps.push(step(self.one_of(&["inV", "outV", "bothV"]), [])),
        }
        sight.kind = Kind::Vertex;
    }

    /// A traversal inside: its steps, and the state of its traversers at the end.
    pub(super) fn inner(&mut self, sight: &Sight, longest: u64) -> (Argument, Sight) {
        let mut inside = sight.inside();
        let mut steps = Vec::new();
        let count = 1 + self.rng.below(longest);
        self.go(&mut inside, &mut steps, count);
        (Argument::Inner(steps), inside)
    }

    /// A traversal inside with an end of a kind.
    pub(super) fn inner_to(&mut self, sight: &Sight, kind: Kind, longest: u64) -> Argument {
        let (Argument::Inner(mut steps), mut end) = self.inner(sight, longest) else {
            return Argument::Inner(Vec::new());
        };
        self.lead(&mut end, &mut steps, kind);
        Argument::Inner(steps)
    }

    /// Leads traversers to a kind.
    pub(super) fn lead(&mut self, sight: &mut Sight, steps: &mut Vec<Step>, kind: Kind) {
        if sight.kind == kind {
            return;
        }
        let more = match (sight.kind, kind) {
            (Kind::Edge, Kind::Vertex) => step("inV", []),
            (Kind::Vertex, Kind::Edge) => step("outE", []),
            (Kind::VertexProperty | Kind::Property, Kind::Vertex) => step("element", []),
            (Kind::Vertex | Kind::Edge, Kind::Number) => step("values", [quoted("i")]),
            (Kind::Vertex | Kind::Edge, Kind::Text) => step("label", []),
            (_, Kind::Number) => step("count", []),
            (_, Kind::Vertex) => step("V", []),
            (_, Kind::Text) => step("constant", [quoted("a")]),
            (_, Kind::List) => step("fold", []),
            _ => return,
        };
        sight.kind = kind;
        steps.push(more);
    }

    /// One of several words.
    pub(super) fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        one_of(self.rng, words)
    }

    pub(super) fn key(&mut self) -> &'static str {
        {
            let known = if self.rng.chance(0.1) { 4 } else { 3 };
            self.one_of(&KEYS[..known])
        }
    }

    pub(super) fn label(&mut self) -> &'static str {
        let of_vertices = self.rng.chance(0.6);
        if of_vertices { self.one_of(&LABELS) } else { self.one_of(&TYPES) }
    }

    /// An id that a vertex has, or none where a new one cannot get it.
    pub(super) fn id(&mut self) -> String {
        let free = u64::from(!self.writes && self.rng.chance(0.2));
        (1 + self.rng.below(self.vertices + free)).to_string()
    }
}
