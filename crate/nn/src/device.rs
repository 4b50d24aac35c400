//! Where tensors live and which backend computes them, chosen at run time.

use std::fmt;

use burn::tensor::Device;
use serde::{Deserialize, Serialize};

use crate::NnError;

/// A way to compute: each is compiled in by the Cargo feature of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

/// Opens a device, and says what it is: the adapter's name, or the CPU's vector instructions.
///
/// # Errors
/// [`NnError::BackendUnavailable`] where the backend is not compiled in or the machine has no adapter for it.
pub async fn open_device(backend: Backend) -> Result<(Device, String), NnError> {
    match backend {
        Backend::Cpu => cpu(),
        Backend::WebGpu => webgpu().await,
    }
}

#[cfg(feature = "cpu")]
fn cpu() -> Result<(Device, String), NnError> {
    Ok((Device::flex(), vector_instructions().to_owned()))
}

#[cfg(not(feature = "cpu"))]
fn cpu() -> Result<(Device, String), NnError> {
    Err(not_compiled_in(Backend::Cpu))
}

/// The widest vector instructions that the backend's matrix products use on this machine.
#[cfg(feature = "cpu")]
fn vector_instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            return "AVX2";
        }
        "SSE2"
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        if cfg!(target_feature = "simd128") {
            "SIMD128"
        } else if cfg!(target_arch = "aarch64") {
            "NEON"
        } else {
            "scalar"
        }
    }
}

/// The device, its name, and the bytes of the largest tensor that it takes. The runtime takes one device of a kind for the life of
/// the program: it refuses to open it twice.
#[cfg(feature = "webgpu")]
static OPENED: std::sync::OnceLock<(Device, String, u64)> = std::sync::OnceLock::new();

/// The bytes of the largest tensor that a device takes.
#[cfg(feature = "webgpu")]
pub(crate) fn largest_tensor(device: &Device) -> u64 {
    OPENED.get().filter(|(opened, ..)| opened == device).map_or(u64::MAX, |(.., largest)| *largest)
}

#[cfg(not(feature = "webgpu"))]
pub(crate) fn largest_tensor(_: &Device) -> u64 {
    u64::MAX
}

#[cfg(feature = "webgpu")]
async fn webgpu() -> Result<(Device, String), NnError> {
    if let Some((device, name, _)) = OPENED.get() {
        return Ok((device.clone(), name.clone()));
    }
    let (device, setup) = Device::wgpu_options()
        .init_with_setup_async()
        .await
        .map_err(|error| NnError::BackendUnavailable { backend: Backend::WebGpu, reason: error.to_string() })?;
    let info = setup.adapter.get_info();
    let name = [info.name, info.driver, info.driver_info].into_iter().find(|name| !name.is_empty());
    let limits = setup.device.limits();
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let opened = (device, name.unwrap_or_else(|| "unnamed adapter".to_owned()), largest);
    let (device, name, _) = OPENED.get_or_init(|| opened);
    Ok((device.clone(), name.clone()))
}

#[cfg(not(feature = "webgpu"))]
async fn webgpu() -> Result<(Device, String), NnError> {
    Err(not_compiled_in(Backend::WebGpu))
}

#[cfg(not(all(feature = "cpu", feature = "webgpu")))]
fn not_compiled_in(backend: Backend) -> NnError {
    NnError::BackendUnavailable { backend, reason: "it is not compiled into this build".to_owned() }
}
