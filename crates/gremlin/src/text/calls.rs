//! Words as arguments: constants, predicates, anonymous traversals, constructors, variables.

use std::sync::Arc;

use millrace_bytecode::{
    Argument, Bytecode, Geoshape, GeoshapeKind, Instruction, Predicate, Symbol, SymbolFamily,
};
use millrace_model::temporal::DateTime;
use millrace_model::{Error, Result, TextPosition, Value, uuid};
use millrace_plan::nearest;

use super::lexer::Token;
use super::parser::Parser;
use super::refused as messages;
use super::refused::{bad, refused};
use super::script::{NOW, RANDOM_UUID};
use super::statements::is_source;
use super::words::{
    CLASSES, VALUE_WITH_CARDINALITY, bare_constant, constant, constants_of, is_predicate,
    predicates_of, type_constant,
};
use crate::replacements::{Use, instead};

impl<'t> Parser<'t> {
    /// The argument that this word at hand begins.
    pub(super) fn word(&mut self, word: &'t str) -> Result<Argument> {
        let position = self.position();
        match self.token_behind() {
            Token::Mark("(") => self.called(word, position),
            Token::Mark(".") if word == "__" => {
                self.advance()?;
                self.advance()?;
                self.anonymous()
            }
            _ if word == "__" => {
                self.advance()?;
                Err(self.unexpected("the `.` of `__.`"))
            }
            Token::Mark(".") if word == "org" => match (self.is_behind_package()?, self.token()) {
                (true, Token::Word(class)) => self.word(class),
                _ => self.ended_traversal(word, position, |own| own.source_behind_dot(word)),
            },
            Token::Mark(".") if is_source(word) => {
                self.ended_traversal(word, position, |own| own.source(word))
            }
            Token::Mark(".") => self.qualified(word, position),
            _ => self.bare(word, position),
        }
    }

    fn bare(&mut self, word: &'t str, position: TextPosition) -> Result<Argument> {
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "NaN" => Value::F64(f64::NAN),
            "Infinity" => Value::F64(f64::INFINITY),
            "new" => return self.new_of_class(),
            _ => return self.constant_or_variable(word, position),
        };
        self.advance()?;
        Ok(Argument::Value(value))
    }

    fn constant_or_variable(&mut self, word: &str, position: TextPosition) -> Result<Argument> {
        if messages::is_keyword(word) {
            return Err(self.unexpected("an argument"));
        }
        self.advance()?;
        Ok(bare_constant(word).unwrap_or_else(|| self.variable(word, position)))
    }

    /// A word before a parenthesis.
    fn called(&mut self, word: &'t str, position: TextPosition) -> Result<Argument> {
        match word {
            "datetime" | "DateTime" => self.made_of_text(
                NOW,
                |text| DateTime::parse(text).map(Value::DateTime),
                "a date and time such as 2018-03-22T00:35:44Z",
            ),
            "UUID" => self.made_of_text(
                RANDOM_UUID,
                |text| uuid::parse(text).map(Value::Uuid),
                "32 hexadecimal digits in five groups",
            ),
            "single" | "list" | "set" => self.cardinality_of_value(word, position),
            "Vertex" | "ReferenceVertex" => self.vertex(),
            "not" => self.predicate_or_step(),
            _ if is_predicate(word) => {
                self.advance()?;
                let predicate = self.predicate(word, position)?;
                self.joined(predicate)
            }
            _ => self.anonymous(),
        }
    }

    /// `not(gt(1))` is a predicate, `not(out())` a step.
    fn predicate_or_step(&mut self) -> Result<Argument> {
        let position = self.position();
        self.advance()?;
        let mut arguments = self.call_arguments()?;
        if let [Argument::Predicate(_)] = arguments.as_slice() {
            return self.joined(Predicate::new("not", arguments));
        }
        let first = self.instruction("not", std::mem::take(&mut arguments), position)?;
        if !self.take(".")? {
            return Ok(Argument::Bytecode(Bytecode { sources: Vec::new(), steps: vec![first] }));
        }
        let mut rest = self.anonymous()?;
        if let Argument::Bytecode(bytecode) = &mut rest {
            bytecode.steps.insert(0, first);
        }
        Ok(rest)
    }

    /// The arguments of a predicate; its name is taken.
    fn predicate(&mut self, name: &str, position: TextPosition) -> Result<Predicate> {
        if name == "typeOf" {
            return self.type_predicate();
        }
        let arguments = self.call_arguments()?;
        let is_sound = match name {
            "within" | "without" => true,
            "between" | "inside" | "outside" => arguments.len() == 2,
            "not" => matches!(arguments.as_slice(), [Argument::Predicate(_)]),
            _ => arguments.len() == 1,
        };
        if is_sound {
            return Ok(Predicate::new(name, arguments));
        }
        let wanted = match name {
            "between" | "inside" | "outside" => "two arguments",
            "not" => "one predicate",
            _ => "one argument",
        };
        Err(bad(position, format!("`{name}` takes {wanted}, but got {}", arguments.len())))
    }

    /// `typeOf(GType.INT)`, `typeOf(INT)` or `typeOf('name')`.
    fn type_predicate(&mut self) -> Result<Predicate> {
        let bare = match (self.is_mark("("), self.token_behind()) {
            (true, Token::Word(word)) => type_constant(word),
            _ => None,
        };
        let Some(bare) = bare else { return Ok(Predicate::new("typeOf", self.call_arguments()?)) };
        self.advance()?;
        self.advance()?;
        self.expect(")")?;
        Ok(Predicate::new("typeOf", vec![bare]))
    }

    /// A predicate with the connectives chained to it: `and`, `or`, `negate`.
    fn joined(&mut self, first: Predicate) -> Result<Argument> {
        let mut predicate = first;
        let mut levels = 0;
        while self.take(".")? {
            let position = self.position();
            let name = self.expect_word("`and`, `or` or `negate`")?;
            match name {
                "negate" => {
                    self.empty_parentheses()?;
                    predicate = negated(predicate);
                }
                "and" | "or" => {
                    let arguments = self.call_arguments()?;
                    let [Argument::Predicate(_)] = arguments.as_slice() else {
                        return Err(bad(
                            position,
                            format!("`{name}` of a predicate takes a predicate"),
                        ));
                    };
                    predicate = combined(name, predicate, arguments);
                }
                _ => {
                    return Err(bad(position, format!("a predicate has no `{name}`"))
                        .with_help("predicates are joined by and(), or() and negate()"));
                }
            }
            levels += 1;
            self.check_deeper(levels)?;
        }
        Ok(Argument::Predicate(predicate))
    }

    /// A word in capitals before a dot: the class of a constant, or none that is known.
    fn qualified(&mut self, class: &'t str, position: TextPosition) -> Result<Argument> {
        if class == "VertexProperty" {
            self.advance()?;
            self.advance()?;
            let position = self.position();
            return match (self.token(), self.is_mark_behind(".")) {
                (Token::Word("Cardinality"), true) => self.qualified("Cardinality", position),
                _ => Err(self.unexpected("`Cardinality`")),
            };
        }
        if CLASSES.binary_search(&class).is_err() {
            self.advance()?;
            self.advance()?;
            let member = if let Token::Word(member) = self.token() { Some(member) } else { None };
            return Err(unknown_class(class, member, position));
        }
        self.advance()?;
        self.advance()?;
        let position = self.position();
        let name = match self.token() {
            Token::Word(name) => name,
            _ => return Err(self.unexpected(&format!("a name of `{class}`"))),
        };
        match class {
            "Geo" | "P" | "Text" | "TextP" => self.qualified_predicate(class, name, position),
            "Geoshape" => self.geoshape(name, position),
            "Cardinality" if self.is_mark_behind("(") => self.cardinality_of_value(name, position),
            _ => {
                self.advance()?;
                constant(class, name).ok_or_else(|| unknown_constant(class, name, position))
            }
        }
    }

    fn qualified_predicate(
        &mut self,
        class: &str,
        name: &str,
        position: TextPosition,
    ) -> Result<Argument> {
        if !predicates_of(class).any(|known| known == name) {
            return Err(unknown_constant(class, name, position));
        }
        self.advance()?;
        let predicate = self.predicate(name, position)?;
        self.joined(predicate)
    }

    /// The shape behind `Geoshape.`.
    fn geoshape(&mut self, name: &str, position: TextPosition) -> Result<Argument> {
        let known = GeoshapeKind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind = known.ok_or_else(|| unknown_constant("Geoshape", name, position))?;
        self.advance()?;
        let numbers = self.call_arguments()?;
        let (wanted, found) = (kind.numbers().len(), numbers.len());
        if wanted != found {
            let detail = format!("`Geoshape.{name}` takes {wanted} numbers, but got {found}");
            return Err(bad(position, detail)
                .with_help(format!("write Geoshape.{name}({})", kind.numbers().join(", "))));
        }
        let geoshape = Geoshape { kind, numbers };
        match geoshape.operands() {
            // Numbers out of range are refused here, where they stand.
            Err(error) => Err(Error { help: error.help.clone(), ..bad(position, error.detail) }),
            Ok(Some(mut operands)) if operands.len() == 1 => {
                Ok(Argument::Value(operands.remove(0)))
            }
            Ok(_) => Ok(Argument::Geoshape(geoshape)),
        }
    }

    /// `list('x')`: a value and how it joins those that are there.
    fn cardinality_of_value(&mut self, name: &str, position: TextPosition) -> Result<Argument> {
        self.advance()?;
        if !matches!(name, "single" | "list" | "set") {
            return Err(unknown_constant("Cardinality", name, position));
        }
        self.expect("(")?;
        let value = self.argument()?;
        self.expect(")")?;
        let cardinality = Symbol { family: SymbolFamily::Cardinality, name: Arc::from(name) };
        let arguments = vec![Argument::Symbol(cardinality), value];
        let source = self.instruction(VALUE_WITH_CARDINALITY, arguments, position)?;
        let sources: Vec<Instruction> = vec![source];
        Ok(Argument::Bytecode(Bytecode { sources, steps: Vec::new() }))
    }

    /// A literal that is made from a text, or a variable if there is no text.
    fn made_of_text(
        &mut self,
        absent: &str,
        read: fn(&str) -> Option<Value>,
        expected: &str,
    ) -> Result<Argument> {
        let begin = self.position();
        self.advance()?;
        self.expect("(")?;
        if self.take(")")? {
            return Ok(self.variable(absent, begin));
        }
        let position = self.position();
        let Token::Text(quoted) = self.token() else { return Err(self.unexpected("a string")) };
        let text = self.text(quoted, position)?;
        self.advance()?;
        self.expect(")")?;
        let value = read(&text).ok_or_else(|| {
            bad(position, format!("'{}' is not {expected}", messages::cut(&text)))
        })?;
        Ok(Argument::Value(value))
    }

    /// The class behind `new`, with its arguments.
    fn new_of_class(&mut self) -> Result<Argument> {
        self.advance()?;
        let position = self.position();
        match self.token() {
            Token::Word("Vertex" | "ReferenceVertex") => self.vertex(),
            Token::Word(class) => Err(unknown_class(class, None, position)),
            _ => Err(self.unexpected("a class")),
        }
    }

    /// `Vertex(id, 'label')`; the label is ignored.
    fn vertex(&mut self) -> Result<Argument> {
        let name_position = self.position();
        self.advance()?;
        let arguments = self.call_arguments()?;
        match arguments.as_slice() {
            [Argument::Value(id)] | [Argument::Value(id), Argument::Value(Value::String(_))] => {
                Ok(Argument::Vertex(id.clone()))
            }
            _ => Err(bad(name_position, "a vertex is made of its id and its label, both literals")
                .with_help("bind a variable to the vertex, or write V(id)")),
        }
    }
}

fn negated(mut predicate: Predicate) -> Predicate {
    match (&*predicate.name, predicate.arguments.pop()) {
        ("not", Some(Argument::Predicate(inner))) => inner,
        (_, last) => {
            predicate.arguments.extend(last);
            Predicate::new("not", vec![Argument::Predicate(predicate)])
        }
    }
}

fn combined(name: &str, mut first: Predicate, second: Vec<Argument>) -> Predicate {
    if &*first.name == name {
        first.arguments.extend(second);
        return first;
    }
    let mut arguments = vec![Argument::Predicate(first)];
    arguments.extend(second);
    Predicate::new(name, arguments)
}

/// The error for an unknown class; `member` is the name behind its dot, if there is one.
fn unknown_class(class: &str, member: Option<&str>, position: TextPosition) -> Error {
    let detail = format!("the class `{}` is unknown", messages::cut(class));
    let error = refused(position, detail);
    let of_member = member.and_then(|member| {
        let qualified = instead(Use::Class, &format!("{class}.{member}"));
        qualified.or_else(|| if member == "class" { instead(Use::Class, member) } else { None })
    });
    if let Some(help) = of_member.or_else(|| instead(Use::Class, class)) {
        return error.with_help(help);
    }
    match (nearest(class, CLASSES.iter().copied()), instead(Use::Word, "new")) {
        (Some(near), _) => error.with_help(format!("did you mean `{near}`?")),
        (None, Some(help)) => error.with_help(help),
        (None, None) => error,
    }
}

/// A name that a known class does not have.
fn unknown_constant(class: &str, name: &str, position: TextPosition) -> Error {
    let error = bad(position, format!("`{class}` has no `{}`", messages::cut(name)));
    if let Some(help) = instead(Use::Class, &format!("{class}.{name}")) {
        return error.with_help(help);
    }
    let known: Vec<&str> =
        predicates_of(class).chain(constants_of(class).iter().copied()).collect();
    match (nearest(name, known.iter().copied()), known.as_slice()) {
        (Some(near), _) => error.with_help(format!("did you mean `{near}`?")),
        (None, []) => error,
        (None, known) => error.with_help(format!("it has {}", known.join(", "))),
    }
}
