//! The graphics adapter's name, which wgpu does not learn from a browser.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What the browser says of the adapter that it gives first: its description, or vendor and architecture.
pub async fn name() -> Option<String> {
    let info = info().await.ok()?;
    let field = |name: &str| Reflect::get(&info, &name.into()).ok()?.as_string().filter(|text| !text.is_empty());
    let parts: Vec<String> = ["vendor", "architecture"].into_iter().filter_map(field).collect();
    field("description").or_else(|| (!parts.is_empty()).then(|| parts.join(" ")))
}

async fn info() -> Result<JsValue, JsValue> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into())?;
    let gpu = Reflect::get(&navigator, &"gpu".into())?;
    let request: Function = Reflect::get(&gpu, &"requestAdapter".into())?.dyn_into()?;
    let adapter = JsFuture::from(request.call0(&gpu)?.dyn_into::<Promise>()?).await?;
    Reflect::get(&adapter, &"info".into())
}
