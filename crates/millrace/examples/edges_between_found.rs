//! Edges between vertices that a query has found.

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("people")?;
    graph.write(|writer| {
        writer.vertices("person", &[("name", ["ann", "ben", "cid"].into())]).map(drop)
    })?;
    let text = "g.V().hasLabel('person').order().by('name')";
    let people = graph.gremlin(text).columns()?;
    let people = people.column("value").expect("a traversal of vertices has one column");
    graph.write(|writer| {
        let people = writer.found(people)?;
        writer.edges("knows", &people.at(&[0, 1]), &people.at(&[1, 2]), &[])
    })?;
    let text = "g.V().has('person', 'name', 'ann').repeat(out('knows')).times(2).values('name')";
    let mut rows = graph.gremlin(text).rows()?;
    let last = rows.next().expect("ann knows ben, who knows cid")?;
    assert_eq!(last.value().as_str(), Some("cid"));
    println!("{:?}", last.value());
    Ok(())
}
