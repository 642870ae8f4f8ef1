//! The browser's store for reviews, as our own JavaScript opens it.

use crate::kept::Kept;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/storage.js")]
extern "C" {
    #[wasm_bindgen(js_name = openStore, catch)]
    async fn open_store(on_change: &Closure<dyn FnMut(String)>) -> Result<JsValue, JsValue>;

    type RawStore;

    #[wasm_bindgen(method, catch)]
    async fn rows(this: &RawStore) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn row(this: &RawStore, id: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn text(this: &RawStore, id: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn write(
        this: &RawStore,
        id: &str,
        revision: u32,
        kept: JsValue,
        text: Option<&str>,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn remove(this: &RawStore, id: &str) -> Result<(), JsValue>;
}

/// An open store. Every call may be refused at any time.
pub(crate) struct Store(RawStore);

/// A review as the store holds it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Row {
    /// Counts its writes.
    pub(crate) revision: u32,
    /// Milliseconds since 1970.
    updated: f64,
    pub(crate) kept: Kept,
    /// Whether its text is stored too. Not told of what was just written.
    #[serde(default, rename = "hasText")]
    pub(crate) has_text: bool,
}

/// What became of a write.
#[derive(Debug, Deserialize)]
pub(crate) struct Written {
    /// False where another tab wrote in between: then nothing was changed.
    pub(crate) written: bool,
    /// As the store holds it now; none where it was deleted.
    #[serde(default)]
    pub(crate) row: Option<Row>,
}

/// Why the store refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No room is left.
    Full,
    Other,
}

impl Store {
    /// `on_change` is called with the id of a review that another tab wrote or deleted.
    pub(crate) async fn open(on_change: &Closure<dyn FnMut(String)>) -> Result<Store, Refusal> {
        let store = open_store(on_change).await?;
        Ok(Store(store.unchecked_into()))
    }

    /// All rows that this version can read, the one written last first.
    pub(crate) async fn rows(&self) -> Result<Vec<Row>, Refusal> {
        let rows = js_sys::Array::from(&self.0.rows().await?);
        Ok(rows.iter().filter_map(|row| read(row).ok()).collect())
    }

    pub(crate) async fn row(&self, id: &str) -> Result<Option<Row>, Refusal> {
        read(self.0.row(id).await?)
    }

    pub(crate) async fn text(&self, id: &str) -> Result<Option<String>, Refusal> {
        Ok(self.0.text(id).await?.as_string())
    }

    /// Writes a review unless another revision than this one is stored; 0 is that of a new review.
    pub(crate) async fn write(
        &self,
        kept: &Kept,
        revision: u32,
        text: Option<&str>,
    ) -> Result<Written, Refusal> {
        let plain = serde_wasm_bindgen::Serializer::json_compatible();
        let value = kept.serialize(&plain).map_err(|_| Refusal::Other)?;
        read(self.0.write(&kept.id, revision, value, text).await?)
    }

    pub(crate) async fn remove(&self, id: &str) -> Result<(), Refusal> {
        Ok(self.0.remove(id).await?)
    }
}

fn read<T: for<'a> Deserialize<'a>>(value: JsValue) -> Result<T, Refusal> {
    serde_wasm_bindgen::from_value(value).map_err(|_| Refusal::Other)
}

impl Row {
    /// The review, with the time of its last write.
    pub(crate) fn kept(&self) -> Kept {
        Kept {
            updated: self.updated as u64,
            ..self.kept.clone()
        }
    }
}

impl From<JsValue> for Refusal {
    fn from(error: JsValue) -> Self {
        let name = js_sys::Reflect::get(&error, &"name".into());
        match name.ok().and_then(|name| name.as_string()).as_deref() {
            Some("QuotaExceededError") => Refusal::Full,
            _ => Refusal::Other,
        }
    }
}
