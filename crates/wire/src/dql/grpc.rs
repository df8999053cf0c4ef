//! gRPC around messages: methods by their paths, the five bytes in front of a message, codes, time limits.
//!
//! All methods that are served have one message each way. Unpacking is for the caller, within its bounds.

use std::cmp::Ordering;
use std::time::Duration;

use millrace_model::{Error, ErrorKind};
use prost::Message;
use prost::bytes::{BufMut, Bytes, BytesMut};

use super::failure::Failure;

/// What a client calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A login.
    Login,
    /// A query, mutations, or both.
    Query,
    /// A change of the schema.
    Alter,
    /// The end of a transaction.
    CommitOrAbort,
    /// The version.
    CheckVersion,
    /// A text that may have a query and mutations.
    RunDql,
    /// Numbers in advance.
    AllocateIds,
    /// A new namespace.
    CreateNamespace,
    /// The end of a namespace.
    DropNamespace,
    /// The namespaces.
    ListNamespaces,
    /// Whether the server is there, of the service that all servers may have.
    HealthCheck,
}

/// The code of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrpcCode {
    /// Done.
    Ok = 0,
    /// Cancelled.
    Cancelled = 1,
    /// The request is wrong, or failed: Dgraph's code for nearly all errors.
    Unknown = 2,
    /// The time was up.
    DeadlineExceeded = 4,
    /// The client may not.
    PermissionDenied = 7,
    /// Too much is wanted.
    ResourceExhausted = 8,
    /// The transaction was aborted: run it again.
    Aborted = 10,
    /// Known by name, and not served.
    Unimplemented = 12,
    /// The server is at fault, or the message cannot be read.
    Internal = 13,
    /// Not now.
    Unavailable = 14,
    /// Stored data is damaged.
    DataLoss = 15,
    /// The client has to log in.
    Unauthenticated = 16,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrpcStatus {
    /// The code.
    pub code: GrpcCode,
    /// The message.
    pub message: String,
}

impl GrpcStatus {
    /// A code with its message.
    pub fn new(code: GrpcCode, message: impl Into<String>) -> GrpcStatus {
        GrpcStatus { code, message: message.into() }
    }

    /// The status that an error is: of what may be tried again, only the code and the words say so.
    pub fn of(error: &Error) -> GrpcStatus {
        let code = match error.kind {
            ErrorKind::Conflict => GrpcCode::Aborted,
            ErrorKind::BadQuery
            | ErrorKind::BadInput
            | ErrorKind::Failed
            | ErrorKind::Constraint
            | ErrorKind::NotFound
            | ErrorKind::AlreadyExists
            // Whether it was done is not known, so no client may do it again by itself.
            | ErrorKind::OutcomeUnknown
            | ErrorKind::ReadOnly => GrpcCode::Unknown,
            ErrorKind::Unsupported => GrpcCode::Unimplemented,
            ErrorKind::LimitReached => GrpcCode::ResourceExhausted,
            ErrorKind::DeadlineExceeded => GrpcCode::DeadlineExceeded,
            ErrorKind::Cancelled => GrpcCode::Cancelled,
            ErrorKind::Forbidden => GrpcCode::PermissionDenied,
            ErrorKind::Unavailable => GrpcCode::Unavailable,
            ErrorKind::Corrupt => GrpcCode::DataLoss,
            ErrorKind::Io | ErrorKind::Bug => GrpcCode::Internal,
        };
        GrpcStatus { code, message: Failure::of(error).message }
    }

    /// The message as a header has it: bytes that are not plain are written with a percent sign.
    pub fn header(&self) -> String {
        let mut text = String::with_capacity(self.message.len());
        for byte in self.message.bytes() {
            match byte {
                b' '..=b'~' if byte != b'%' => text.push(char::from(byte)),
                _ => text.push_str(&format!("%{byte:02X}")),
            }
        }
        text
    }
}

/// The method of a path.
pub fn method(path: &str) -> Result<Method, GrpcStatus> {
    Ok(match path {
        "/api.Dgraph/Login" => Method::Login,
        "/api.Dgraph/Query" => Method::Query,
        "/api.Dgraph/Alter" => Method::Alter,
        "/api.Dgraph/CommitOrAbort" => Method::CommitOrAbort,
        "/api.Dgraph/CheckVersion" => Method::CheckVersion,
        "/api.Dgraph/RunDQL" => Method::RunDql,
        "/api.Dgraph/AllocateIDs" => Method::AllocateIds,
        "/api.Dgraph/CreateNamespace" => Method::CreateNamespace,
        "/api.Dgraph/DropNamespace" => Method::DropNamespace,
        "/api.Dgraph/ListNamespaces" => Method::ListNamespaces,
        "/grpc.health.v1.Health/Check" => Method::HealthCheck,
        "/api.Dgraph/UpdateExtSnapshotStreamingState" | "/api.Dgraph/StreamExtSnapshot" => {
            let message =
                "streams of snapshots (`dgraph import`) are not supported: use `millrace load`";
            return Err(GrpcStatus::new(GrpcCode::Unimplemented, message));
        }
        other => {
            let shown: String = other.chars().take(80).collect();
            return Err(GrpcStatus::new(
                GrpcCode::Unimplemented,
                format!("unknown method {shown}"),
            ));
        }
    })
}

/// The only message of a body, and whether it is packed. Codes are those of Dgraph, where a message that is cut off is
/// the end of a file.
pub fn unframed(body: &Bytes) -> Result<(Bytes, bool), GrpcStatus> {
    let refused = |code, why: &str| GrpcStatus::new(code, format!("the request {why}"));
    let Some(([flag, length @ ..], rest)) = body.split_first_chunk::<5>() else {
        return Err(refused(GrpcCode::Unknown, "has no message"));
    };
    let is_packed = match flag {
        0 => false,
        1 => true,
        _ => return Err(refused(GrpcCode::Internal, "has a message with an unknown flag")),
    };
    match rest.len().cmp(&(u32::from_be_bytes(*length) as usize)) {
        Ordering::Equal => Ok((body.slice(5..), is_packed)),
        Ordering::Less => Err(refused(GrpcCode::Unknown, "has a message that is cut off")),
        Ordering::Greater => Err(refused(GrpcCode::Internal, "has more than one message")),
    }
}

/// Reads a message.
pub fn decoded<M: Message + Default>(message: Bytes) -> Result<M, GrpcStatus> {
    M::decode(message).map_err(|error| {
        GrpcStatus::new(GrpcCode::Internal, format!("the message cannot be read: {error}"))
    })
}

/// A message as a body.
pub fn framed<M: Message>(message: &M) -> Result<Bytes, GrpcStatus> {
    let length = message.encoded_len();
    let Ok(announced) = u32::try_from(length) else {
        let detail = format!("the answer has {length} bytes, and a message at most 4 GiB");
        return Err(GrpcStatus::new(GrpcCode::ResourceExhausted, detail));
    };
    let mut body = BytesMut::with_capacity(5 + length);
    body.put_u8(0);
    body.put_u32(announced);
    let encoded = message.encode(&mut body);
    encoded.map_err(|error| GrpcStatus::new(GrpcCode::Internal, error.to_string()))?;
    Ok(body.freeze())
}

/// The time of the header `grpc-timeout`.
pub fn timeout(header: &str) -> Option<Duration> {
    let (digits, measure) = header.split_at_checked(header.len().checked_sub(1)?)?;
    if digits.is_empty() || 8 < digits.len() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match measure {
        "H" => Some(Duration::from_secs(amount * 3_600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dql::messages::{Check, Version};

    #[test]
    fn a_message_goes_there_and_back_and_others_are_refused() {
        let version = Version { tag: "v25".to_owned() };
        let body = framed(&version).unwrap();
        let (message, is_packed) = unframed(&body).unwrap();
        assert!(!is_packed);
        assert_eq!(decoded::<Version>(message).unwrap(), version);
        assert_eq!(&*framed(&Check {}).unwrap(), [0, 0, 0, 0, 0]);
        let long = [body.as_ref(), &[0]].concat();
        for (wrong, code) in [
            (&body[..4], GrpcCode::Unknown),
            (&body[..7], GrpcCode::Unknown),
            (&long, GrpcCode::Internal),
            (&[9, 0, 0, 0, 0], GrpcCode::Internal),
        ] {
            let refused = unframed(&Bytes::copy_from_slice(wrong)).unwrap_err();
            assert_eq!(refused.code, code, "{wrong:?}");
        }
        let broken = decoded::<Version>(Bytes::from_static(&[0x0a, 0xff])).unwrap_err();
        assert_eq!(broken.code, GrpcCode::Internal, "{broken:?}");
    }

    #[test]
    fn codes_and_words_say_what_may_be_tried_again() {
        let of = |kind| GrpcStatus::of(&Error::new(kind, "it"));
        let lost = of(ErrorKind::Conflict);
        assert_eq!((lost.code, lost.message.contains("Please retry")), (GrpcCode::Aborted, true));
        let unknown = of(ErrorKind::OutcomeUnknown);
        assert_eq!((unknown.code, unknown.message.as_str()), (GrpcCode::Unknown, "it"));
        let text = GrpcStatus::new(GrpcCode::Ok, "10 % of é\n").header();
        assert_eq!(text, "10 %25 of %C3%A9%0A");
    }

    #[test]
    fn methods_are_found_by_their_paths_and_time_limits_by_their_letters() {
        assert_eq!(method("/api.Dgraph/RunDQL"), Ok(Method::RunDql));
        let refused = method("/api.Dgraph/StreamExtSnapshot").unwrap_err();
        assert_eq!(
            (refused.code, refused.message.contains("snapshots")),
            (GrpcCode::Unimplemented, true)
        );
        assert_eq!(method("/api.Dgraph/Nothing").unwrap_err().code, GrpcCode::Unimplemented);
        assert_eq!(timeout("150m"), Some(Duration::from_millis(150)));
        assert_eq!(timeout("2H"), Some(Duration::from_secs(7_200)));
        for wrong in ["", "m", "1", "1x", "-1S", "123456789S", "é"] {
            assert_eq!(timeout(wrong), None, "{wrong}");
        }
    }
}
