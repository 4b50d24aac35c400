//! The backends.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A way to compute. The Cargo feature of the same name compiles it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "BackendKind"))]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// Burn's flex backend: portable Rust with SIMD, natively on [`crate::Threads`] too.
    Cpu,
    /// Burn's wgpu backend: WebGPU in a browser, Vulkan, Metal or DirectX natively.
    WebGpu,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "cpu",
            Self::WebGpu => "webgpu",
        })
    }
}
