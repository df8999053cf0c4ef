//! A large result of which only the beginning is read: the rest is never made.

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("many")?;
    let numbers: Vec<i64> = (0..2_000).collect();
    graph
        .write(|writer| writer.vertices("item", &[("number", numbers.clone().into())]).map(drop))?;
    // Four million pairs.
    let pairs = graph.gremlin("g.V().as('a').V().as('b').select('a', 'b').by('number')").rows()?;
    let first: Vec<_> = pairs.take(3).collect::<millrace::Result<_>>()?;
    assert_eq!(first.len(), 3);
    println!("{:?}", first[0].value());
    Ok(())
}
