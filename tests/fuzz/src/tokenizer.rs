//! Any bytes as a tokenizer.json, and a text that it reads: what follows the first byte 0.

use evident_nn::Tokenizer;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let (json, text) = match bytes.iter().position(|&byte| byte == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &b"w1 the cat, 12 caf\xc3\xa9s"[..]),
    };
    let Ok(tokenizer) = Tokenizer::load(json) else { return };
    let text = String::from_utf8_lossy(text);
    let Ok(ids) = tokenizer.encode(&text) else { return };
    assert!(tokenizer.count(&text).is_ok_and(|count| count == ids.len()));
    let _ = tokenizer.decode(&ids);
    let _ = tokenizer.single_piece(&text);
    for id in ids {
        let _ = tokenizer.piece(id);
    }
}
