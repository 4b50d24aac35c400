//! Random passages from a seed, for Eq. 6 and for guan2024's Tab. 9.

use std::collections::HashSet;

use evident_index::{Index, IndexError, Limits, Passage, Storage};

use crate::random::SplitMix;

/// The most draws for each passage that is wanted: a draw can be a passage about the question, or one drawn before.
const TRIES: usize = 8;
/// This many passages that the index finds first for the question, within [`Limits::WEB`], count as being about it.
const ABOUT: usize = 10;

/// At most `count` different passages of the index, drawn uniformly from all but `knowledge` itself and those that are
/// about the question. The same seed, question and index give the same passages.
///
/// # Errors
/// Any error of the index.
pub async fn random_passages<S: Storage>(
    index: &Index<S>,
    question: &str,
    knowledge: &str,
    count: usize,
    seed: u64,
) -> Result<Vec<Passage>, IndexError> {
    let mut random = SplitMix(seed ^ fnv(question));
    let found = index.find(question, ABOUT, Limits::WEB).await?;
    let about: HashSet<String> = found.hits.into_iter().map(|hit| hit.passage.id).collect();
    let (mut seen, mut drawn) = (HashSet::new(), Vec::new());
    for _ in 0..count * TRIES {
        if drawn.len() == count {
            break;
        }
        let number = random.below(index.manifest().passages as usize) as u32;
        if !seen.insert(number) {
            continue;
        }
        let fits = |passage: &Passage| !about.contains(&passage.id) && passage.text.trim() != knowledge.trim();
        drawn.extend(index.passages(&[number]).await?.into_iter().filter(fits));
    }
    Ok(drawn)
}

/// FNV-1a with 64 bits. The standard library's hash may change between versions; this one does not.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!((fnv(""), fnv("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
