//! Responses to clients, and results in frames.
//!
//! A frame is 206 only if more follows, so a full one waits until there is more, or until all is
//! committed.

use std::collections::VecDeque;

use millrace_model::{Error, Value};

use super::datum::{Datum, Traverser};
use super::request::RequestId;
use super::status;

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The request's id, if it could be read.
    pub id: Option<RequestId>,
    /// The protocol's code.
    pub code: u16,
    /// The text for a person; empty where there is nothing to say.
    pub message: String,
    /// The attributes of the status.
    pub attributes: Vec<(&'static str, Value)>,
    /// The results: a list, or null.
    pub data: Datum,
}

impl Response {
    /// A response that says a code and nothing else.
    pub fn of_code(id: Option<RequestId>, code: u16) -> Response {
        Response { id, code, message: String::new(), attributes: Vec::new(), data: Datum::NULL }
    }

    /// The response for an error, while a request ran or before.
    pub fn error(id: Option<RequestId>, error: &Error) -> Response {
        let kind = Value::from(error.kind.word());
        let attributes = vec![
            ("exceptions", Value::list(vec![kind])),
            ("stackTrace", Value::from(error.to_string().as_str())),
        ];
        let message = error.to_string();
        Response { message, attributes, ..Response::of_code(id, status::of_error(error)) }
    }

    /// The challenge to authenticate.
    pub fn challenge(id: RequestId) -> Response {
        Response::of_code(Some(id), status::AUTHENTICATE)
    }
}

/// Results on their way into frames. Feed it; it is an iterator of the frames that more will follow;
/// [`Batches::finish`] makes the last one.
#[derive(Debug)]
pub struct Batches {
    id: RequestId,
    size: usize,
    /// Whether a result is sent with its bulk, and not as often as its bulk says.
    has_bulk: bool,
    held: VecDeque<(Datum, u64)>,
    /// How many results of a frame are held, at most one more than fit.
    count: u64,
}

/// The largest bulk that a format has a number for.
const BULK_MAX: u64 = i64::MAX as u64;

impl Batches {
    /// No results yet. With `has_bulk` they are traversers.
    pub fn new(id: RequestId, size: usize, has_bulk: bool) -> Batches {
        Batches { id, size: size.max(1), has_bulk, held: VecDeque::new(), count: 0 }
    }

    /// Adds a result that stands for `bulk` equal ones; none if that is 0, and several traversers if
    /// it is more than the formats count, which is up to 2^63.
    pub fn feed(&mut self, datum: Datum, mut bulk: u64) {
        while self.has_bulk && BULK_MAX < bulk {
            self.count += 1;
            self.held.push_back((datum.clone(), BULK_MAX));
            bulk -= BULK_MAX;
        }
        if bulk != 0 {
            self.count = self.count.saturating_add(if self.has_bulk { 1 } else { bulk });
            self.held.push_back((datum, bulk));
        }
    }

    /// The last frame: the remaining results, or 204 if there are none.
    pub fn finish(mut self) -> Response {
        if self.held.is_empty() {
            return Response::of_code(Some(self.id), status::NO_CONTENT);
        }
        self.frame(status::SUCCESS)
    }

    fn frame(&mut self, code: u16) -> Response {
        let mut data = Vec::new();
        while data.len() < self.size
            && let Some((datum, bulk)) = self.held.pop_front()
        {
            if self.has_bulk {
                data.push(Datum::Traverser(Box::new(Traverser { bulk, value: datum })));
                self.count -= 1;
                continue;
            }
            let room = (self.size - data.len()) as u64;
            let now = bulk.min(room);
            self.count = self.count.saturating_sub(now);
            if now < bulk {
                self.held.push_front((datum.clone(), bulk - now));
            }
            data.extend((1..now).map(|_| datum.clone()));
            data.push(datum);
        }
        Response { data: Datum::List(data), ..Response::of_code(Some(self.id), code) }
    }
}

impl Iterator for Batches {
    type Item = Response;

    /// A frame, if it is full and more follows.
    fn next(&mut self) -> Option<Response> {
        (self.size as u64).lt(&self.count).then(|| self.frame(status::PARTIAL_CONTENT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(int: i64) -> Datum {
        Datum::Value(Value::I64(int))
    }

    fn frames(size: usize, has_bulk: bool, fed: &[(i64, u64)]) -> Vec<(u16, Vec<Datum>)> {
        let mut batches = Batches::new([7; 16], size, has_bulk);
        let mut frames = Vec::new();
        for (value, bulk) in fed {
            batches.feed(int(*value), *bulk);
            frames.extend(batches.by_ref());
        }
        frames.push(batches.finish());
        let data = |data| match data {
            Datum::List(data) => data,
            Datum::Value(Value::Null) => Vec::new(),
            other => vec![other],
        };
        frames.into_iter().map(|frame| (frame.code, data(frame.data))).collect()
    }

    #[test]
    fn only_the_last_frame_is_200_and_nothing_is_204() {
        assert_eq!(frames(2, false, &[]), [(204, vec![])]);
        assert_eq!(frames(2, false, &[(1, 0)]), [(204, vec![])]);
        assert_eq!(frames(2, false, &[(1, 1), (2, 1)]), [(200, vec![int(1), int(2)])]);
        let three = frames(2, false, &[(1, 1), (2, 1), (3, 1)]);
        assert_eq!(three, [(206, vec![int(1), int(2)]), (200, vec![int(3)])]);
    }

    #[test]
    fn a_bulk_is_sent_as_it_is_or_as_often_as_it_says() {
        let traverser =
            |value, bulk| Datum::Traverser(Box::new(Traverser { bulk, value: int(value) }));
        let huge = u64::MAX;
        // No format has a number for more.
        let most = i64::MAX as u64;
        assert_eq!(
            frames(2, true, &[(1, huge), (2, 1), (3, 5)]),
            [
                (206, vec![traverser(1, most), traverser(1, most)]),
                (206, vec![traverser(1, 1), traverser(2, 1)]),
                (200, vec![traverser(3, 5)])
            ]
        );
        assert_eq!(
            frames(2, false, &[(1, 3), (2, 2)]),
            [(206, vec![int(1), int(1)]), (206, vec![int(1), int(2)]), (200, vec![int(2)])]
        );
        let mut endless = Batches::new([0; 16], 3, false);
        endless.feed(int(1), huge);
        assert_eq!(endless.by_ref().take(10).count(), 10);
    }
}
