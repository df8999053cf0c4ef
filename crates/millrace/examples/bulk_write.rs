//! Ten thousand vertices and edges by two plans, in one transaction.

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("bulk")?;
    let numbers: Vec<i64> = (0..10_000).collect();
    graph.write(|writer| {
        let items = writer.vertices("item", &[("number", numbers.clone().into())])?;
        // A ring: each leads to the next.
        let next: Vec<u32> = (1..10_000).chain([0]).collect();
        writer.edges("next", &items, &items.at(&next), &[])
    })?;
    let size = graph.size()?;
    assert_eq!((size.vertices, size.edges), (10_000, 10_000));
    println!("{} vertices, {} edges", size.vertices, size.edges);
    Ok(())
}
