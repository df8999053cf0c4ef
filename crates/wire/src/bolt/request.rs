//! Requests: the messages of a client.

use std::fmt;
use std::sync::Arc;

use millrace_model::{DetachedElements, Error, ErrorKind, Phase, Result, Value};

use super::notification::Wanted;
use super::options::{Amount, TransactionOptions, bookmarks, refuse_impersonation};
use super::packstream::{Form, Item, Reader, Writer, decode, optional_text, pairs};
use super::version::Version;

const HELLO: u8 = 0x01;
const GOODBYE: u8 = 0x02;
const RESET: u8 = 0x0F;
const RUN: u8 = 0x10;
const BEGIN: u8 = 0x11;
const COMMIT: u8 = 0x12;
const ROLLBACK: u8 = 0x13;
const DISCARD: u8 = 0x2F;
const PULL: u8 = 0x3F;
const TELEMETRY: u8 = 0x54;
const ROUTE: u8 = 0x66;
const LOGON: u8 = 0x6A;
const LOGOFF: u8 = 0x6B;

/// A message of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The first message.
    Hello(Hello),
    /// Logs in.
    Logon(Auth),
    /// Logs out.
    Logoff,
    /// Notes which interface of the driver is used.
    Telemetry,
    /// Cancels what is under way and clears a failure.
    Reset,
    /// Ends the connection.
    Goodbye,
    /// Asks for addresses of servers.
    Route(Route),
    /// Runs a query.
    Run(Run),
    /// Wants records.
    Pull(Amount),
    /// Wants records to be passed over.
    Discard(Amount),
    /// Begins a transaction.
    Begin(TransactionOptions),
    /// Commits it.
    Commit,
    /// Rolls it back.
    Rollback,
}

/// The first message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hello {
    /// The driver and its version.
    pub user_agent: Arc<str>,
    /// The login of versions before 5.1.
    pub auth: Auth,
    /// The address that the client used, where it asks for routes.
    pub routing_address: Option<Arc<str>>,
    /// Whether timestamps are sent in UTC before 5.0, too.
    pub wants_utc: bool,
    /// Which notifications the client wants.
    pub notifications: Wanted,
}

/// A login.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Auth {
    /// Its scheme: `basic`, `none`.
    pub scheme: Arc<str>,
    /// The name of the user.
    pub principal: Arc<str>,
    /// The password.
    pub credentials: Arc<str>,
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Auth {{ scheme: {:?}, principal: {:?}, .. }}", self.scheme, self.principal)
    }
}

/// A query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Its text.
    pub query: Arc<str>,
    /// Values of its parameters.
    pub parameters: Vec<(Arc<str>, Value)>,
    /// Options, where it is a transaction of its own.
    pub options: TransactionOptions,
}

/// A question for addresses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The address that the client used.
    pub address: Option<Arc<str>>,
    /// Commits that a database must have seen.
    pub bookmarks: Vec<Arc<str>>,
    /// The name of the database.
    pub database: Option<Arc<str>>,
}

impl Request {
    /// Its name, as documents of the protocol have it.
    pub fn name(&self) -> &'static str {
        match self {
            Request::Hello(_) => "HELLO",
            Request::Logon(_) => "LOGON",
            Request::Logoff => "LOGOFF",
            Request::Telemetry => "TELEMETRY",
            Request::Reset => "RESET",
            Request::Goodbye => "GOODBYE",
            Request::Route(_) => "ROUTE",
            Request::Run(_) => "RUN",
            Request::Pull(_) => "PULL",
            Request::Discard(_) => "DISCARD",
            Request::Begin(_) => "BEGIN",
            Request::Commit => "COMMIT",
            Request::Rollback => "ROLLBACK",
        }
    }

    /// Whether a message of these bytes is RESET: it must be known before the messages in front of it are done.
    pub fn is_reset(message: &[u8]) -> bool {
        matches!(message, [_, RESET, ..])
    }
}

/// Reads a message.
pub fn read_request(message: &[u8], version: Version) -> Result<Request> {
    let mut reader = Reader::new(message);
    let (tag, fields) = reader.structure("a message")?;
    let (name, expected, is_known) = expected(tag, version);
    if !is_known {
        let detail = format!("there is no message 0x{tag:02x} in Bolt {version}");
        return Err(Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Parse));
    }
    if fields != expected {
        return Err(reader.bad(format!("{name} has {expected} fields, and not {fields}")));
    }
    let request = read_fields(&mut reader, tag, version)?;
    reader.end()?;
    Ok(request)
}

/// The name of a message, how many fields it has, and whether a version knows it.
fn expected(tag: u8, version: Version) -> (&'static str, usize, bool) {
    match tag {
        HELLO => ("HELLO", 1, true),
        GOODBYE => ("GOODBYE", 0, true),
        RESET => ("RESET", 0, true),
        RUN => ("RUN", 3, true),
        BEGIN => ("BEGIN", 1, true),
        COMMIT => ("COMMIT", 0, true),
        ROLLBACK => ("ROLLBACK", 0, true),
        DISCARD if !version.has_amounts() => ("DISCARD_ALL", 0, true),
        PULL if !version.has_amounts() => ("PULL_ALL", 0, true),
        DISCARD => ("DISCARD", 1, true),
        PULL => ("PULL", 1, true),
        ROUTE => ("ROUTE", 3, version.has_route()),
        TELEMETRY => ("TELEMETRY", 1, version.has_telemetry()),
        LOGON => ("LOGON", 1, version.has_logon()),
        LOGOFF => ("LOGOFF", 0, version.has_logon()),
        _ => ("", 0, false),
    }
}

fn read_fields(reader: &mut Reader<'_>, tag: u8, version: Version) -> Result<Request> {
    Ok(match tag {
        HELLO => Request::Hello(read_hello(reader, version)?),
        LOGON => Request::Logon(read_auth(reader)?),
        LOGOFF => Request::Logoff,
        TELEMETRY => {
            reader.int("the interface")?;
            Request::Telemetry
        }
        GOODBYE => Request::Goodbye,
        RESET => Request::Reset,
        ROUTE => Request::Route(read_route(reader)?),
        RUN => {
            let query = Arc::from(reader.string("the text of a query")?);
            let count = reader.map("the parameters of a query")?;
            let parameters = pairs(reader, count)?;
            let options = TransactionOptions::read(reader, version)?;
            Request::Run(Run { query, parameters, options })
        }
        PULL => Request::Pull(Amount::read(reader, version)?),
        DISCARD => Request::Discard(Amount::read(reader, version)?),
        BEGIN => Request::Begin(TransactionOptions::read(reader, version)?),
        COMMIT => Request::Commit,
        ROLLBACK => Request::Rollback,
        _ => return Err(reader.bad("a message without a name")),
    })
}

fn read_hello(reader: &mut Reader<'_>, version: Version) -> Result<Hello> {
    let mut hello = Hello::default();
    for _ in 0..reader.map("the fields of HELLO")? {
        match reader.string("the name of a field")? {
            "user_agent" => hello.user_agent = reader.string("user_agent")?.into(),
            "routing" => hello.routing_address = read_address(reader)?,
            "patch_bolt" => hello.wants_utc = has_utc_patch(reader)?,
            name if hello.notifications.read_option(name, reader)? => {}
            name if !version.has_logon() => {
                if !hello.auth.read_field(name, reader)? {
                    reader.skip()?;
                }
            }
            _ => reader.skip()?,
        }
    }
    if hello.user_agent.is_empty() {
        return Err(reader.bad("HELLO has no `user_agent`"));
    }
    Ok(hello)
}

/// The address in a routing context; any other entry is the client's own.
fn read_address(reader: &mut Reader<'_>) -> Result<Option<Arc<str>>> {
    let mut address = None;
    for _ in 0..reader.map("`routing`")? {
        match reader.string("the name of an entry of `routing`")? {
            "address" => address = optional_text(reader, "address")?,
            _ => reader.skip()?,
        }
    }
    Ok(address)
}

fn has_utc_patch(reader: &mut Reader<'_>) -> Result<bool> {
    match decode::<Value>(reader)? {
        Value::List(patches) => Ok(patches.iter().any(|patch| patch.as_str() == Some("utc"))),
        Value::Null => Ok(false),
        other => Err(reader.bad(format!("`patch_bolt` is a list, not a {}", other.type_name()))),
    }
}

impl Auth {
    /// A login without a user.
    pub fn none() -> Auth {
        Auth { scheme: "none".into(), ..Auth::default() }
    }

    /// A login with a name and a password.
    pub fn basic(user: &str, password: &str) -> Auth {
        Auth { scheme: "basic".into(), principal: user.into(), credentials: password.into() }
    }

    /// Reads a field if it is one of a login.
    fn read_field(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        let field = match name {
            "scheme" => &mut self.scheme,
            "principal" => &mut self.principal,
            "credentials" => &mut self.credentials,
            _ => return Ok(false),
        };
        // The error never repeats the content.
        *field = optional_text(reader, name)?.unwrap_or_default();
        Ok(true)
    }

    fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        let fields = [
            ("scheme", &self.scheme),
            ("principal", &self.principal),
            ("credentials", &self.credentials),
        ];
        fields.into_iter().filter(|(_, text)| !text.is_empty()).try_for_each(|(name, text)| {
            writer.string(name)?;
            writer.string(text)
        })
    }

    fn field_count(&self) -> usize {
        let fields = [&self.scheme, &self.principal, &self.credentials];
        fields.into_iter().filter(|text| !text.is_empty()).count()
    }
}

fn read_auth(reader: &mut Reader<'_>) -> Result<Auth> {
    let mut auth = Auth::default();
    for _ in 0..reader.map("the fields of LOGON")? {
        let name = reader.string("the name of a field")?;
        if !auth.read_field(name, reader)? {
            reader.skip()?;
        }
    }
    Ok(auth)
}

fn read_route(reader: &mut Reader<'_>) -> Result<Route> {
    let address = read_address(reader)?;
    let bookmarks = bookmarks(reader)?;
    let mut database = None;
    // A map since 4.4; the name alone, or null, before.
    match reader.item()? {
        Item::Null => {}
        Item::String(name) => database = Some(Arc::from(name)),
        Item::Map(count) => {
            for _ in 0..count {
                match reader.string("the name of an option")? {
                    "db" => database = optional_text(reader, "db")?,
                    "imp_user" => refuse_impersonation(reader)?,
                    _ => reader.skip()?,
                }
            }
        }
        other => return Err(reader.not("the options of ROUTE", "a map", &other)),
    }
    Ok(Route { address, bookmarks, database })
}

/// Writes a message behind bytes that are there; chunks come around it.
pub fn write_request(bytes: &mut Vec<u8>, request: &Request, form: Form) -> Result<()> {
    let mut writer = Writer::new(bytes, form);
    match request {
        Request::Hello(hello) => write_hello(&mut writer, hello, form.version)?,
        Request::Logon(auth) => {
            writer.structure(LOGON, 1);
            writer.map(auth.field_count())?;
            auth.write(&mut writer)?;
        }
        Request::Logoff => writer.structure(LOGOFF, 0),
        Request::Telemetry => {
            writer.structure(TELEMETRY, 1);
            writer.int(0);
        }
        Request::Reset => writer.structure(RESET, 0),
        Request::Goodbye => writer.structure(GOODBYE, 0),
        Request::Route(route) => write_route(&mut writer, route)?,
        Request::Run(run) => {
            writer.structure(RUN, 3);
            writer.string(&run.query)?;
            writer.named_values(&run.parameters)?;
            run.options.write(&mut writer)?;
        }
        Request::Pull(amount) => write_amount(&mut writer, PULL, *amount, form.version)?,
        Request::Discard(amount) => write_amount(&mut writer, DISCARD, *amount, form.version)?,
        Request::Begin(options) => {
            writer.structure(BEGIN, 1);
            options.write(&mut writer)?;
        }
        Request::Commit => writer.structure(COMMIT, 0),
        Request::Rollback => writer.structure(ROLLBACK, 0),
    }
    Ok(())
}

/// Before 4.0 the whole of the only result is meant.
fn write_amount(writer: &mut Writer<'_>, tag: u8, amount: Amount, version: Version) -> Result<()> {
    if !version.has_amounts() {
        writer.structure(tag, 0);
        return Ok(());
    }
    writer.structure(tag, 1);
    amount.write(writer)
}

fn write_hello(writer: &mut Writer<'_>, hello: &Hello, version: Version) -> Result<()> {
    let logs_in = !version.has_logon();
    let auth_fields = if logs_in { hello.auth.field_count() } else { 0 };
    let has_routing = usize::from(hello.routing_address.is_some());
    writer.structure(HELLO, 1);
    let has_agent = usize::from(version.has_agent());
    writer.map(1 + has_agent + auth_fields + has_routing + usize::from(hello.wants_utc))?;
    writer.string("user_agent")?;
    writer.string(&hello.user_agent)?;
    if version.has_agent() {
        writer.string("bolt_agent")?;
        writer.map(1)?;
        writer.string("product")?;
        writer.string(&hello.user_agent)?;
    }
    if logs_in {
        hello.auth.write(writer)?;
    }
    write_routing(writer, hello.routing_address.as_ref())?;
    if hello.wants_utc {
        writer.string("patch_bolt")?;
        writer.list(1)?;
        writer.string("utc")?;
    }
    Ok(())
}

fn write_routing(writer: &mut Writer<'_>, address: Option<&Arc<str>>) -> Result<()> {
    let Some(address) = address else { return Ok(()) };
    writer.string("routing")?;
    write_address(writer, Some(address))
}

fn write_address(writer: &mut Writer<'_>, address: Option<&Arc<str>>) -> Result<()> {
    writer.map(usize::from(address.is_some()))?;
    address.map_or(Ok(()), |address| {
        writer.string("address")?;
        writer.string(address)
    })
}

fn write_route(writer: &mut Writer<'_>, route: &Route) -> Result<()> {
    writer.structure(ROUTE, 3);
    write_address(writer, route.address.as_ref())?;
    writer.list(route.bookmarks.len())?;
    route.bookmarks.iter().try_for_each(|bookmark| writer.string(bookmark))?;
    writer.map(usize::from(route.database.is_some()))?;
    route.database.as_ref().map_or(Ok(()), |database| {
        writer.string("db")?;
        writer.string(database)
    })
}

impl Writer<'_> {
    /// Names and plain values as a map.
    pub fn named_values(&mut self, values: &[(Arc<str>, Value)]) -> Result<()> {
        let none = DetachedElements::default();
        self.map(values.len())?;
        values.iter().try_for_each(|(name, value)| {
            self.string(name)?;
            self.value(value, &none)
        })
    }
}
