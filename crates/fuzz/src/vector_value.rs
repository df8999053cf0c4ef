//! Vectors: any numbers are a vector of a space or are refused by name; a vector has a key of its length, is near itself,
//! and is read back as it was written.

use millrace_model::{ErrorKind, Value};
use millrace_terms::KeyExtractor;
use millrace_terms::vectors::{Similarity, VectorSpace};

/// Numbers, behind the numbers of a similarity and of dimensions.
pub fn seeds() -> Vec<Vec<u8>> {
    let of = |choice: u8, dimensions: u8, numbers: &[f32]| {
        let numbers: Vec<u8> = numbers.iter().flat_map(|own| own.to_le_bytes()).collect();
        [&[choice, dimensions], &numbers[..]].concat()
    };
    vec![
        of(0, 3, &[1.0, -2.5, 0.0]),
        of(1, 2, &[f32::MAX, f32::MIN_POSITIVE]),
        of(2, 0, &[1.0; 40]),
        of(0, 2, &[f32::from_bits(1), 0.0]),
        of(4, 2, &[f32::NAN, f32::INFINITY]),
    ]
}

/// Reads the bytes behind the first two as numbers.
pub fn run(bytes: &[u8]) {
    let [choice, dimensions, rest @ ..] = bytes else { return };
    let (_, similarity) = Similarity::ALL[usize::from(*choice) % Similarity::ALL.len()];
    let dimensions = (*dimensions != 0).then_some(u64::from(*dimensions));
    let space = VectorSpace::new(dimensions, similarity).expect("few dimensions");
    let shown = KeyExtractor::Vectors(space);
    assert_eq!(shown.to_string().parse(), Ok(shown), "{shown}");
    let numbers: Vec<f32> = rest.as_chunks().0.iter().map(|own| f32::from_le_bytes(*own)).collect();
    // Also as a list of doubles, with another value in it now and then.
    let mut entries: Vec<Value> = numbers.iter().map(|own| Value::F64(f64::from(*own))).collect();
    if *choice & 128 != 0 {
        entries.push(Value::Null);
    }
    let is_whole = *choice & 128 == 0;
    let list = Value::list(entries);
    assert_eq!(list.as_vector().is_some(), is_whole, "{list:?}");
    let checked = space.check(&numbers);
    let mut keys = Vec::new();
    let mut take = |key: &[u8], _| {
        keys.push(key.to_vec());
        Ok(())
    };
    let vector = Value::vector(&numbers);
    let made = KeyExtractor::Vectors(space).keys_of(&vector, None, &mut take);
    match (&checked, made) {
        (Ok(()), Ok(())) => {}
        (Err(error), Err(other)) => {
            assert_eq!((error.kind, other.kind), (ErrorKind::BadInput, ErrorKind::BadInput));
            assert!(space.query(&numbers).is_err(), "{numbers:?}");
            return;
        }
        (checked, made) => panic!("{numbers:?}: {checked:?}, and the keys {made:?}"),
    }
    let [key] = &keys[..] else { panic!("{} keys of one vector", keys.len()) };
    assert_eq!(key.len(), numbers.len() * size_of::<f32>());
    let query = space.query(&numbers).expect("it was checked");
    let near = query.nearness(key).expect("a vector of its own length");
    let score = query.score(near);
    assert!(!near.is_nan() && !score.is_nan() && 0.0 <= score, "{numbers:?}: {near} {score}");
    // Among unit vectors none is nearer than a vector itself, but for the last digits.
    if similarity == Similarity::Cosine {
        assert!(0.999 < near && near < 1.001, "{numbers:?}: {near}");
    }
    if similarity == Similarity::Euclidean {
        assert!(near == 0.0 || near == f32::NEG_INFINITY, "{numbers:?}: {near}");
    }
    assert_eq!(query.nearness(&key[1..]), None, "another length");
    assert_eq!(space.between(key, key), near, "by keys alone");
    let again = space.query_of_key(key);
    assert_eq!(again.key_bytes(), key.len());
    let shown = vector.clone().vectors_as_lists();
    assert_eq!(shown.as_vector().as_deref(), Some(&numbers[..]), "as a list and back");
}
