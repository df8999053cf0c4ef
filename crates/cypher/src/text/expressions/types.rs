//! Names of types: `LIST<INTEGER NOT NULL>`, `ZONED DATETIME`, `INTEGER | STRING`, and their other names.

use millrace_model::Error;

use crate::text::error::{Detail, Read, syntax};
use crate::text::lexer::Token;
use crate::text::parser::Parser;
use crate::tree::TypeName;

/// Types by the words of their names; of two that begin alike the longer one is first.
const TYPES: &[(&[&str], TypeName)] = &[
    (&["ANY", "PROPERTY", "VALUE"], TypeName::PropertyValue),
    (&["ANY", "NODE"], TypeName::Node),
    (&["ANY", "VERTEX"], TypeName::Node),
    (&["ANY", "RELATIONSHIP"], TypeName::Relationship),
    (&["ANY", "EDGE"], TypeName::Relationship),
    (&["ANY", "MAP"], TypeName::Map),
    (&["ANY", "VALUE"], TypeName::Any),
    (&["ANY"], TypeName::Any),
    (&["BOOLEAN"], TypeName::Boolean),
    (&["BOOL"], TypeName::Boolean),
    (&["DATE"], TypeName::Date),
    (&["DURATION"], TypeName::Duration),
    (&["EDGE"], TypeName::Relationship),
    (&["FLOAT"], TypeName::Float),
    (&["INTEGER"], TypeName::Integer),
    (&["INT"], TypeName::Integer),
    (&["LOCAL", "DATETIME"], TypeName::LocalDateTime),
    (&["LOCAL", "TIME"], TypeName::LocalTime),
    (&["MAP"], TypeName::Map),
    (&["NODE"], TypeName::Node),
    (&["NOTHING"], TypeName::Nothing),
    (&["NULL"], TypeName::Null),
    (&["PATHS"], TypeName::Path),
    (&["PATH"], TypeName::Path),
    (&["POINT"], TypeName::Point),
    (&["PROPERTY", "VALUE"], TypeName::PropertyValue),
    (&["RELATIONSHIP"], TypeName::Relationship),
    (&["SIGNED", "INTEGER"], TypeName::Integer),
    (&["STRING"], TypeName::String),
    (&["TIMESTAMP", "WITH", "TIME", "ZONE"], TypeName::ZonedDateTime),
    (&["TIMESTAMP", "WITH", "TIMEZONE"], TypeName::ZonedDateTime),
    (&["TIMESTAMP", "WITHOUT", "TIME", "ZONE"], TypeName::LocalDateTime),
    (&["TIMESTAMP", "WITHOUT", "TIMEZONE"], TypeName::LocalDateTime),
    (&["TIME", "WITH", "TIME", "ZONE"], TypeName::ZonedTime),
    (&["TIME", "WITH", "TIMEZONE"], TypeName::ZonedTime),
    (&["TIME", "WITHOUT", "TIME", "ZONE"], TypeName::LocalTime),
    (&["TIME", "WITHOUT", "TIMEZONE"], TypeName::LocalTime),
    (&["VARCHAR"], TypeName::String),
    (&["VERTEX"], TypeName::Node),
    (&["ZONED", "DATETIME"], TypeName::ZonedDateTime),
    (&["ZONED", "TIME"], TypeName::ZonedTime),
];

impl Parser<'_> {
    /// A type, or several with bars between them.
    pub(crate) fn type_name(&mut self) -> Read<TypeName> {
        let at = self.position();
        let mut types = vec![self.measured(Self::single_type)?];
        while !self.pipe_ends() && self.take("|") {
            types.push(self.measured(Self::single_type)?);
        }
        // A value that is null is of all types or of none of a union.
        let excludes_null =
            |kind: &TypeName| matches!(kind, TypeName::NotNull(_) | TypeName::Nothing);
        let is_nullable = |kind: &TypeName| match kind {
            TypeName::OneOf(parts) => !parts.iter().all(excludes_null),
            kind => !excludes_null(kind),
        };
        if !types.iter().all(|kind| is_nullable(kind) == is_nullable(&types[0])) {
            let detail = "all types of a union are nullable, or all are `NOT NULL`";
            let error = syntax(Detail::UnexpectedSyntax, at, detail);
            return Err(error.with_help("write `NOT NULL` after each type, or after none"));
        }
        Ok(one_of(types))
    }

    fn single_type(&mut self) -> Read<TypeName> {
        let mut name = self.plain_type()?;
        loop {
            if self.is_mark("!") || self.are_words(&["NOT", "NULL"]) {
                if !self.take("!") {
                    self.take_words(&["NOT", "NULL"]);
                }
                name = TypeName::NotNull(Box::new(name));
            } else if self.is_word("LIST") || self.is_word("ARRAY") {
                self.advance();
                name = TypeName::List(Box::new(name));
            } else {
                return Ok(name);
            }
            self.grow(1)?;
        }
    }

    fn plain_type(&mut self) -> Read<TypeName> {
        if self.is_word("LIST") || self.is_word("ARRAY") {
            self.advance();
            if !self.is_mark("<") {
                return Ok(TypeName::List(Box::new(TypeName::Any)));
            }
            return Ok(TypeName::List(Box::new(self.inner_types()?)));
        }
        if self.is_word("ANY") && self.is_mark_after(1, "<") {
            self.advance();
            return self.inner_types();
        }
        if self.are_words(&["ANY", "VALUE"]) && self.is_mark_after(2, "<") {
            self.advance();
            self.advance();
            return self.inner_types();
        }
        let known = TYPES.iter().find(|(words, _)| self.are_words(words));
        let Some((words, name)) = known else { return Err(self.no_type()) };
        words.iter().for_each(|_| self.advance());
        Ok(name.clone())
    }

    /// `<A | B>`.
    fn inner_types(&mut self) -> Read<TypeName> {
        self.expect("<")?;
        let inner = self.with_pipe_ending(false, Self::type_name)?;
        self.expect(">")?;
        Ok(inner)
    }

    fn no_type(&mut self) -> Error {
        self.expect_also("a type");
        let error = self.unexpected();
        let Token::Word(word) = self.token() else { return error };
        let first_words = TYPES.iter().filter_map(|(words, _)| words.first().copied());
        match millrace_plan::nearest(word, first_words.chain(["LIST"])) {
            Some(meant) => error.with_help(format!("did you mean {meant}? expected a type")),
            None => error,
        }
    }
}

fn one_of(mut types: Vec<TypeName>) -> TypeName {
    match types.pop() {
        Some(only) if types.is_empty() => only,
        last => {
            types.extend(last);
            TypeName::OneOf(types)
        }
    }
}
