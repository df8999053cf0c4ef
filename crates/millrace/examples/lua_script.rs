//! A script of Lua with RageDB's functions, as one transaction.

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("scripts")?;
    let answer = graph.lua(
        "NodeAdd('Person', 'ann')\n\
         NodeAdd('Person', 'ben')\n\
         RelationshipAdd('KNOWS', 'Person', 'ann', 'Person', 'ben')\n\
         AllRelationshipsCount()",
    )?;
    assert_eq!(answer, "1");
    println!("{answer} relationship");
    Ok(())
}
