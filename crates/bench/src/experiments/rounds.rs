//! Connections with one request under way on each.

use millrace_model::Result;

/// Keeps a request under way on each connection for so many rounds. One thread does it, so that a client costs
/// little beside the server.
pub(super) fn rounds<C>(
    connections: &mut [C],
    rounds: usize,
    mut send: impl FnMut(&mut C) -> Result<()>,
    mut receive: impl FnMut(&mut C) -> Result<()>,
) -> Result<()> {
    connections.iter_mut().try_for_each(&mut send)?;
    for round in 1..=rounds {
        for connection in connections.iter_mut() {
            receive(connection)?;
            if round < rounds {
                send(connection)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_connection_sends_and_receives_as_often_as_asked() {
        let mut connections = [Vec::new(), Vec::new()];
        let send = |calls: &mut Vec<char>| {
            calls.push('s');
            Ok(())
        };
        let receive = |calls: &mut Vec<char>| {
            calls.push('r');
            Ok(())
        };
        rounds(&mut connections, 3, send, receive).unwrap();
        assert_eq!(connections.map(String::from_iter), ["srsrsr", "srsrsr"]);
    }
}
