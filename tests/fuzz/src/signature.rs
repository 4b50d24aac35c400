//! Any bytes as a signature of minisign, and as a public key.

use std::sync::LazyLock;

use evident_base::PublicKey;

const FILE: &[u8] = include_bytes!("../../data/signed/pack.json");

static KEY: LazyLock<PublicKey> = LazyLock::new(|| {
    let text = include_str!("../../data/signed/key.pub").lines().nth(1).expect("a key has two lines");
    text.parse().expect("a key")
});

/// The versions that the key has signed; nobody can make another.
const SIGNED: [u64; 3] = [7, 8, 9];

pub fn run(bytes: &[u8]) {
    if let Ok(version) = KEY.version(FILE, bytes) {
        assert!(SIGNED.contains(&version), "version {version} was never signed");
    }
    if let Ok(key) = str::from_utf8(bytes).unwrap_or_default().parse::<PublicKey>() {
        let _ = key.version(FILE, include_bytes!("../../data/signed/version-7.minisig"));
    }
}
