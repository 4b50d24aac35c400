//! A wiki as a source of evidence. The module that asks it is one of its own, which the worker loads and calls. What
//! goes between the two are single values rather than structures, which keeps this module small.

use std::cell::RefCell;

use evident_index::Traffic;
use evident_verify::{
    EvidenceSource, Found, LocalBoxFuture, Query, Settings, SourceError, SourceInfo, wiki_address, wiki_host, wiki_info,
};
use js_sys::{Array, Error, Function, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::js::from_plain;

/// A wiki that the worker asks.
pub struct Wiki {
    address: String,
    ask: Function,
    state: RefCell<(Traffic, Option<String>)>,
}

impl Wiki {
    /// The wiki that `name` names, as in [`wiki_address`]. `ask` is called with the context of a claim, its statement,
    /// the most passages and the weight of the statement, and promises `{ found, requests, bytes, license }`: a
    /// [`Found`], what was read from the wiki until now, and the licence that it names.
    ///
    /// # Errors
    /// Those of [`wiki_address`].
    pub fn new(name: &str, ask: Function) -> Result<Self, SourceError> {
        Ok(Self { address: wiki_address(name)?.to_owned(), ask, state: RefCell::default() })
    }

    async fn answer(&self, query: &Query<'_>) -> Result<Found, JsValue> {
        let &Query { context, statement, count, settings } = query;
        let (count, weight) = (count as f64, settings.statement_weight as f64);
        let question = Array::of4(&context.into(), &statement.into(), &count.into(), &weight.into());
        let promise: Promise = self.ask.apply(&JsValue::NULL, &question)?.into();
        let answer = JsFuture::from(promise).await?;
        let field = |name: &str| Reflect::get(&answer, &name.into()).unwrap_or_default();
        let number = |name: &str| field(name).as_f64().unwrap_or_default() as u64;
        let traffic = Traffic { requests: number("requests"), bytes: number("bytes") };
        self.state.replace((traffic, field("license").as_string()));
        Ok(from_plain(&field("found"))?)
    }
}

impl EvidenceSource for Wiki {
    fn info(&self, _: &Settings) -> SourceInfo {
        wiki_info(&self.address, self.state.borrow().1.clone())
    }

    fn find<'a>(&'a self, query: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
        Box::pin(async move {
            self.answer(query).await.map_err(|thrown| SourceError::Unreachable {
                name: wiki_host(&self.address).to_owned(),
                reason: Error::from(thrown).message().into(),
            })
        })
    }

    fn traffic(&self) -> Traffic {
        self.state.borrow().0
    }
}
