//! A queue of work of many clients; each client has a share of the threads that take it.
//!
//! Clients take turns: one that queues much waits for itself, and the others do not wait for it. The
//! work that one connection, or one address, has under way is bounded; beyond that its work waits until
//! some of it is done, and the work of others goes on. A thread that takes work reports when it is done.
//!
//! Thousands of connections of one address may wait at once, so nothing here looks at one after the other: those that may
//! have work taken stand by the turns of their address, and addresses by their first turn.

use std::collections::{BTreeMap, HashMap, VecDeque};

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
    connections: HashMap<Client, Connection<T>>,
    addresses: HashMap<u64, Address>,
    /// The client of each turn, the next one first: all that have waiting work.
    turns: BTreeMap<u64, Client>,
    /// The addresses that may have work taken, by their first turn.
    open: BTreeMap<u64, u64>,
    next_number: u64,
    len: usize,
}

/// A connection with work that waits or is under way.
struct Connection<T> {
    waiting: VecDeque<T>,
    /// Its turn, while work waits.
    number: u64,
    under_way: usize,
}

/// An address with such connections.
#[derive(Default)]
struct Address {
    /// The turns of its connections that may have work taken.
    ready: BTreeMap<u64, Client>,
    /// The turn by which it is open.
    open: Option<u64>,
    under_way: usize,
}

impl<T> FairQueue<T> {
    /// An empty queue.
    pub fn new(shares: Shares) -> FairQueue<T> {
        FairQueue {
            shares,
            connections: HashMap::new(),
            addresses: HashMap::new(),
            turns: BTreeMap::new(),
            open: BTreeMap::new(),
            next_number: 0,
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
        let number = self.next_number;
        let new = || Connection { waiting: VecDeque::new(), number, under_way: 0 };
        let connection = self.connections.entry(client).or_insert_with(new);
        if connection.waiting.is_empty() {
            connection.number = number;
            self.next_number += 1;
            self.turns.insert(number, client);
        }
        connection.waiting.push_back(work);
        self.len += 1;
        self.refresh(client);
    }

    /// Whether a client has work that waits and may have more under way.
    pub fn is_ready(&self) -> bool {
        !self.open.is_empty()
    }

    /// The next work, which is under way until [`FairQueue::done`]; `None` if there is none, or none of
    /// a client that may have more under way.
    pub fn pop(&mut self) -> Option<(Client, T)> {
        let (turn, _) = self.open.first_key_value()?;
        self.take(*turn)
    }

    /// The next work whatever its client has under way: to end all that is left.
    pub fn pop_any(&mut self) -> Option<(Client, T)> {
        let (turn, _) = self.turns.first_key_value()?;
        self.take(*turn)
    }

    /// Work of a client is done.
    pub fn done(&mut self, client: Client) {
        let Some(connection) = self.connections.get_mut(&client) else { return };
        connection.under_way = connection.under_way.saturating_sub(1);
        if let Some(address) = self.addresses.get_mut(&client.address) {
            address.under_way = address.under_way.saturating_sub(1);
        }
        self.refresh(client);
    }

    fn take(&mut self, number: u64) -> Option<(Client, T)> {
        let client = self.turns.remove(&number)?;
        let connection = self.connections.get_mut(&client)?;
        let work = connection.waiting.pop_front()?;
        connection.under_way += 1;
        let address = self.addresses.get_mut(&client.address)?;
        address.ready.remove(&number);
        address.under_way += 1;
        if !connection.waiting.is_empty() {
            connection.number = self.next_number;
            self.turns.insert(self.next_number, client);
            self.next_number += 1;
        }
        self.len -= 1;
        self.refresh(client);
        Some((client, work))
    }

    /// Puts a client, and its address, where they belong after a change of either.
    fn refresh(&mut self, client: Client) {
        let address = self.addresses.entry(client.address).or_default();
        if let Some(own) = self.connections.get(&client) {
            if !own.waiting.is_empty() && own.under_way < self.shares.connection_max {
                address.ready.insert(own.number, client);
            } else {
                address.ready.remove(&own.number);
            }
            if own.waiting.is_empty() && own.under_way == 0 {
                self.connections.remove(&client);
            }
        }
        let may_take = address.under_way < self.shares.address_max;
        let first = address.ready.first_key_value().map(|(turn, _)| *turn).filter(|_| may_take);
        if first != address.open {
            if let Some(turn) = address.open {
                self.open.remove(&turn);
            }
            if let Some(turn) = first {
                self.open.insert(turn, client.address);
            }
            address.open = first;
        }
        if address.ready.is_empty() && address.under_way == 0 {
            self.addresses.remove(&client.address);
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

    /// The same by looking at every client.
    struct Plain {
        shares: Shares,
        waiting: Vec<(Client, VecDeque<u32>)>,
        under_way: Vec<Client>,
    }

    impl Plain {
        fn pop(&mut self) -> Option<(Client, u32)> {
            let may_take = |client: &Client| {
                let own = self.under_way.iter().filter(|other| *other == client).count();
                let of_address = self.under_way.iter();
                let of_address = of_address.filter(|other| other.address == client.address).count();
                own < self.shares.connection_max && of_address < self.shares.address_max
            };
            let place = self.waiting.iter().position(|(client, _)| may_take(client))?;
            let (client, mut waiting) = self.waiting.remove(place);
            let work = waiting.pop_front()?;
            if !waiting.is_empty() {
                self.waiting.push((client, waiting));
            }
            self.under_way.push(client);
            Some((client, work))
        }
    }

    #[test]
    fn work_comes_as_a_look_at_every_client_gives_it() {
        let random = &mut millrace_model::random::SplitMix64::new(5);
        for round in 0..200 {
            let shares = Shares { connection_max: 1 + round % 2, address_max: 1 + round % 5 };
            let mut queue = FairQueue::new(shares);
            let mut plain = Plain { shares, waiting: Vec::new(), under_way: Vec::new() };
            for work in 0..120 {
                let own = client(random.below(3), random.below(4));
                match random.below(5) {
                    0 | 1 => {
                        queue.push(own, work);
                        match plain.waiting.iter_mut().find(|(client, _)| *client == own) {
                            Some((_, waiting)) => waiting.push_back(work),
                            None => plain.waiting.push((own, VecDeque::from([work]))),
                        }
                    }
                    2 | 3 => {
                        let expected = plain.pop();
                        assert_eq!(queue.is_ready(), expected.is_some());
                        assert_eq!(queue.pop(), expected);
                    }
                    _ if plain.under_way.is_empty() => {}
                    _ => {
                        let at = random.below(plain.under_way.len() as u64) as usize;
                        queue.done(plain.under_way.swap_remove(at));
                    }
                }
            }
            plain.under_way.into_iter().for_each(|client| queue.done(client));
            while let Some((client, _)) = queue.pop_any() {
                queue.done(client);
            }
            let held = (queue.connections.len(), queue.addresses.len(), queue.turns.len());
            assert_eq!((held, queue.open.len(), queue.len()), ((0, 0, 0), 0, 0));
        }
    }
}
