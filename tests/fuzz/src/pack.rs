//! Any JSON as a pack.json under its right checksum, over sound files; and any bytes.

use std::sync::LazyLock;

use evident_nn::{Manifest, Pack};
use futures_lite::future::block_on;
use serde_json::Value;

use crate::checkpoint::{device, file};
use crate::sealed::sealed;

static FILES: LazyLock<[(&str, Vec<u8>); 3]> =
    LazyLock::new(|| ["config.json", "tokenizer.json", "model.safetensors"].map(|name| (name, file(name))));

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let _ = Manifest::parse(bytes);
    let Ok(Value::Object(contents)) = serde_json::from_slice(bytes) else { return };
    let Ok(manifest) = Manifest::parse(&sealed(contents)) else { return };
    let verified = FILES.iter().filter_map(|(name, bytes)| manifest.verify(name, bytes).ok()).collect();
    let mut pack = Pack::new(manifest.clone(), verified);
    let _ = pack.models();
    for name in manifest.models().take(3) {
        let _ = (manifest.calibration_of(name), manifest.warm_up_of(name), manifest.measured_of(name));
        let _ = pack.needs(&[name]);
        if let Ok(model) = block_on(pack.classifier(name, &device())) {
            let pairs = &manifest.warm_up_of(name)[..manifest.warm_up_of(name).len().min(2)];
            let _ = block_on(model.warm_up(pairs));
        }
    }
}
