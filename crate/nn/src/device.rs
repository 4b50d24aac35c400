//! Devices: opening one, its limits, and reading results back from it.

use burn::tensor::{Device, Tensor};

use crate::backend::Backend;
use crate::error::NnError;

/// Opens a device. Returns its name too: the adapter's, or the CPU's vector instructions.
///
/// # Errors
/// [`NnError::BackendUnavailable`] if the backend is not compiled in or the machine has no adapter for it.
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

/// The device, its name, and the bytes of the largest tensor that it holds. The runtime opens one device of each kind
/// per process, so the first one is kept.
#[cfg(feature = "webgpu")]
static OPENED: std::sync::OnceLock<(Device, String, u64)> = std::sync::OnceLock::new();

/// The bytes of the largest tensor that a device holds.
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

/// Waits for a tensor's values, in row-major order.
///
/// Weights are checked to be finite when they are loaded. So if a value is not finite here, the device has failed.
///
/// # Errors
/// [`NnError::BackendLost`]
pub(crate) async fn read_back<const D: usize>(x: Tensor<D>) -> Result<Vec<f32>, NnError> {
    let lost = |reason: String| NnError::BackendLost { reason: reason.lines().next().unwrap_or_default().to_owned() };
    let data = x.into_data_async().await.map_err(|error| lost(error.to_string()))?;
    let values = data.try_into_vec::<f32>().map_err(|error| lost(error.to_string()))?;
    if values.iter().all(|value| value.is_finite()) {
        Ok(values)
    } else {
        Err(lost("its result is not a number".to_owned()))
    }
}

#[cfg(not(all(feature = "cpu", feature = "webgpu")))]
fn not_compiled_in(backend: Backend) -> NnError {
    NnError::BackendUnavailable { backend, reason: "it is not compiled into this build".to_owned() }
}
