//! A queue of work of many clients; each client has a share of the threads that take it.
//!
//! Clients take turns: one that queues much waits for itself, and the others do not wait for it. The
//! work that one connection, or one address, has under way is bounded; beyond that its work waits until
//! some of it is done, and the work of others goes on. A thread that takes work reports when it is done.

use std::collections::{HashMap, VecDeque};

/// The client of a request, for its share. The default is a program that embeds the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client {
    /// Which address it has.
    pub address: u64,
    /// Which connection of that address it is.
    pub connection: u64,
}

/// How much one client may have under way.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Of one connection.
    pub connection_max: usize,
    /// Of all connections of an address.
    pub address_max: usize,
}

impl Shares {
    /// A quarter of so many threads for a connection, three quarters for an address; one at least.
    pub fn of(threads: usize) -> Shares {
        Shares { connection_max: (threads / 4).max(1), address_max: (threads / 4 * 3).max(1) }
    }
}

/// Waiting work, and counts of the work under way for each connection and address.
pub struct FairQueue<T> {
    shares: Shares,
    waiting: HashMap<Client, VecDeque<T>>,
    /// The clients with waiting work, the next one first.
    turns: VecDeque<Client>,
    of_connection: HashMap<Client, usize>,
    of_address: HashMap<u64, usize>,
    len: usize,
}

impl<T> FairQueue<T> {
    /// An empty queue.
    pub fn new(shares: Shares) -> FairQueue<T> {
        FairQueue {
            shares,
            waiting: HashMap::new(),
            turns: VecDeque::new(),
            of_connection: HashMap::new(),
            of_address: HashMap::new(),
            len: 0,
        }
    }

    /// How much waits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Queues work.
    pub fn push(&mut self, client: Client, work: T) {
        let waiting = self.waiting.entry(client).or_default();
        if waiting.is_empty() {
            self.turns.push_back(client);
        }
        waiting.push_back(work);
        self.len += 1;
    }

    /// Whether a client has work that waits and may have more under way.
    pub fn is_ready(&self) -> bool {
        self.turns.iter().any(|client| self.may_take(client))
    }

    /// The next work, which is under way until [`FairQueue::done`]; `None` if there is none, or none of
    /// a client that may have more under way.
    pub fn pop(&mut self) -> Option<(Client, T)> {
        let place = self.turns.iter().position(|client| self.may_take(client))?;
        self.take(place)
    }

    /// The next work whatever its client has under way: to end all that is left.
    pub fn pop_any(&mut self) -> Option<(Client, T)> {
        self.take(0)
    }

    /// Work of a client is done.
    pub fn done(&mut self, client: Client) {
        lessen(&mut self.of_connection, &client);
        lessen(&mut self.of_address, &client.address);
    }

    fn may_take(&self, client: &Client) -> bool {
        let of_connection = self.of_connection.get(client).copied().unwrap_or(0);
        let of_address = self.of_address.get(&client.address).copied().unwrap_or(0);
        of_connection < self.shares.connection_max && of_address < self.shares.address_max
    }

    fn take(&mut self, place: usize) -> Option<(Client, T)> {
        let client = self.turns.remove(place)?;
        let waiting = self.waiting.get_mut(&client)?;
        let work = waiting.pop_front()?;
        match waiting.is_empty() {
            true => drop(self.waiting.remove(&client)),
            false => self.turns.push_back(client),
        }
        self.len -= 1;
        *self.of_connection.entry(client).or_default() += 1;
        *self.of_address.entry(client.address).or_default() += 1;
        Some((client, work))
    }
}

fn lessen<K: std::hash::Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: u64, connection: u64) -> Client {
        Client { address, connection }
    }

    #[test]
    fn clients_take_turns_however_much_one_of_them_queues() {
        let mut queue = FairQueue::new(Shares { connection_max: 9, address_max: 9 });
        (0..4).for_each(|number| queue.push(client(1, 1), number));
        queue.push(client(2, 1), 100);
        let order: Vec<i32> = std::iter::from_fn(|| queue.pop().map(|(_, work)| work)).collect();
        assert_eq!(order, [0, 100, 1, 2, 3]);
    }

    #[test]
    fn work_beyond_a_share_waits_until_some_is_done() {
        let mut queue = FairQueue::new(Shares { connection_max: 1, address_max: 2 });
        for connection in [1, 1, 2, 3] {
            queue.push(client(7, connection), connection);
        }
        queue.push(client(8, 1), 80);
        let taken: Vec<u64> = std::iter::from_fn(|| queue.pop().map(|(_, work)| work)).collect();
        assert_eq!((taken, queue.len(), queue.is_ready()), (vec![1, 2, 80], 2, false));
        queue.done(client(7, 2));
        assert_eq!(queue.pop(), Some((client(7, 3), 3)));
        queue.done(client(7, 3));
        assert!(queue.pop().is_none(), "its connection has one under way");
        assert!(queue.pop_any().is_some() && queue.is_empty());
    }
}
