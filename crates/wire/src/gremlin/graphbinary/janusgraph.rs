//! JanusGraph's own types: its predicates and shapes.
//!
//! A custom type has its name, then what its serializer writes: here the number of the type, a flag, and the content. Shapes have
//! latitudes before longitudes, and a byte with the version of their form.

use millrace_bytecode::{Argument, Geoshape, GeoshapeKind, Predicate, is_of_janusgraph};
use millrace_model::{Error, ErrorKind, Result, Value};

use super::super::datum::Datum;
use super::code;
use super::reader::Reader;
use super::writer::Writer;

const GEOSHAPE: (&str, i32) = ("janusgraph.Geoshape", 0x1000);
const RELATION: &str = "janusgraph.RelationIdentifier";
const PREDICATE: (&str, i32) = ("janusgraph.P", 0x1002);

/// The version of a shape's form since JanusGraph 0.6.
const GEOSHAPE_VERSION: u8 = 2;

/// The other shapes, by their numbers from 3 on.
const UNSUPPORTED: [&str; 6] =
    ["Line", "Polygon", "MultiPoint", "MultiLine", "MultiPolygon", "GeometryCollection"];

/// What to do instead of a shape that is not supported.
pub(crate) const OTHER_GEOSHAPES: &str =
    "send a point, a circle or a box, and let the program test the rest";

impl Reader<'_> {
    /// A custom type, from its name on.
    pub(super) fn custom(&mut self) -> Result<Datum> {
        let name = self.text()?;
        let wanted = match &*name {
            name if name == GEOSHAPE.0 => GEOSHAPE.1,
            name if name == PREDICATE.0 => PREDICATE.1,
            RELATION => {
                let detail = format!("{RELATION} is not a value here");
                return Err(self
                    .unsupported(detail)
                    .with_help("an edge's id is a number or a text"));
            }
            other => {
                let shown: String = other.chars().take(60).collect();
                return Err(
                    self.unsupported(format!("the custom type `{shown}` is not a value here"))
                );
            }
        };
        let number = self.i32("the number of a custom type")?;
        if number != wanted {
            return Err(self.bad(format!("{name} has the number {wanted}, and not {number}")));
        }
        match (self.is_there()?, wanted == GEOSHAPE.1) {
            (false, _) => Ok(Datum::NULL),
            (true, true) => self.geoshape(),
            (true, false) => self.predicate_of_janusgraph(),
        }
    }

    fn predicate_of_janusgraph(&mut self) -> Result<Datum> {
        let name = self.text()?;
        if !is_of_janusgraph(&name) {
            let shown: String = name.chars().take(60).collect();
            return Err(self.bad(format!("JanusGraph has no predicate `{shown}`")));
        }
        let argument = self.datum()?.into_argument().map_err(|error| self.bad(error.detail))?;
        let predicate = Predicate { name, arguments: vec![argument] };
        Ok(Datum::Argument(Box::new(Argument::Predicate(predicate))))
    }

    fn geoshape(&mut self) -> Result<Datum> {
        let version = self.u8("the version of a shape")?;
        if version != GEOSHAPE_VERSION {
            let detail = format!("shapes have the version {GEOSHAPE_VERSION}, and not {version}");
            return Err(self
                .unsupported(detail)
                .with_help("use serializers of JanusGraph 1.0 or newer"));
        }
        let code = usize::try_from(self.i32("the kind of a shape")?).ok();
        let Some(kind) = code.and_then(|code| GeoshapeKind::ALL.get(code)) else {
            let other =
                code.and_then(|code| UNSUPPORTED.get(code.checked_sub(GeoshapeKind::ALL.len())?));
            return Err(match other {
                Some(name) => {
                    let detail = format!("a shape of the kind {name} is not supported");
                    self.unsupported(detail).with_help(OTHER_GEOSHAPES)
                }
                None => self.bad("there is no such kind of shape"),
            });
        };
        let number = |_: &&str| Ok(f64::from_be_bytes(self.array("a number of a shape")?));
        let numbers: Vec<f64> = kind.numbers().iter().map(number).collect::<Result<_>>()?;
        datum_of_geoshape(Geoshape::of_numbers(*kind, &numbers))
            .map_err(|error| Error { help: error.help.clone(), ..self.bad(error.detail) })
    }
}

/// A shape in a message: a point is a value. An error if a number is out of range.
pub(crate) fn datum_of_geoshape(geoshape: Geoshape) -> Result<Datum> {
    match (geoshape.kind, geoshape.operands()?) {
        (GeoshapeKind::Point, Some(mut operands)) if !operands.is_empty() => {
            Ok(Datum::Value(operands.remove(0)))
        }
        _ => Ok(Datum::Argument(Box::new(Argument::Geoshape(geoshape)))),
    }
}

/// The numbers of a shape that is to be written.
pub(crate) fn numbers_of(geoshape: &Geoshape) -> Result<Vec<f64>> {
    let number = |number: &Argument| match number {
        Argument::Value(value) => value.as_double(),
        _ => None,
    };
    let numbers: Option<Vec<f64>> = geoshape.numbers.iter().map(number).collect();
    numbers.filter(|numbers| numbers.len() == geoshape.kind.numbers().len()).ok_or_else(|| {
        Error::new(
            ErrorKind::BadInput,
            "a shape with variables for numbers has no form in a message",
        )
    })
}

impl Writer {
    pub(super) fn geoshape(&mut self, geoshape: &Geoshape) -> Result<()> {
        let numbers = numbers_of(geoshape)?;
        self.custom(GEOSHAPE)?;
        self.put(&[GEOSHAPE_VERSION]);
        self.put(&(geoshape.kind as i32).to_be_bytes());
        for number in numbers {
            self.put(&number.to_be_bytes());
        }
        Ok(())
    }

    pub(super) fn predicate_of_janusgraph(&mut self, predicate: &Predicate) -> Result<()> {
        self.custom(PREDICATE)?;
        self.text(&predicate.name)?;
        match predicate.arguments.as_slice() {
            [argument] => self.argument(argument),
            _ => self.value(&Value::Null),
        }
    }

    fn custom(&mut self, (name, number): (&str, i32)) -> Result<()> {
        self.put(&[code::CUSTOM]);
        self.text(name)?;
        self.put(&number.to_be_bytes());
        self.put(&[0]);
        Ok(())
    }
}
