//! One request to GitHub: its text, or why there is none.

use crate::github::request::{API, Media};
use crate::github::{Limit, Refusal, Reset, Token, Told, message};
use gloo::net::http::{Request, Response};
use gloo::utils::window;
use js_sys::{Date, Object, Reflect};
use serde::de::DeserializeOwned;
use web_sys::AbortSignal;
use yew::Callback;

/// Asks with one token until its signal is given. What the answers say of the limit goes to `tell`.
pub(crate) struct Asker {
    pub(crate) token: Token,
    pub(crate) signal: AbortSignal,
    pub(crate) tell: Callback<Limit>,
}

impl Asker {
    pub(crate) async fn json<T: DeserializeOwned>(&self, url: &str) -> Result<T, Refusal> {
        let text = self.text(url, Media::Json).await?;
        serde_json::from_str(&text).map_err(|_| Refusal::Unreadable)
    }

    /// The body as text. Bytes that are no UTF-8 become U+FFFD; a byte order mark stays, as it does in a diff.
    pub(crate) async fn text(&self, url: &str, media: Media) -> Result<String, Refusal> {
        let response = self.send(url, media).await?;
        let limit = limit(&response);
        if let Some(limit) = &limit {
            self.tell.emit(limit.clone());
        }
        let body = response.binary().await;
        if response.ok() {
            let bytes = body.map_err(|_| Refusal::Cut)?;
            return Ok(text_of(bytes));
        }
        // What a refusal says in words is worth having, and not worth failing for.
        let words = message(&text_of(body.unwrap_or_default()));
        Err(self.refusal(&response, limit, words))
    }

    async fn send(&self, url: &str, media: Media) -> Result<Response, Refusal> {
        let is_api = url.starts_with(API);
        let mut request = Request::get(url)
            .abort_signal(Some(&self.signal))
            .referrer_policy(web_sys::ReferrerPolicy::NoReferrer)
            .credentials(web_sys::RequestCredentials::Omit);
        if is_api {
            request = request.header("Accept", media.accept());
            // After a push, or once a token is given, yesterday's answer is none.
            request = request.cache(web_sys::RequestCache::NoCache);
        }
        if let Some(authorization) = self.token.authorization().filter(|_| is_api) {
            request = request.header("Authorization", &authorization);
        }
        let sent = request.send().await;
        sent.map_err(|_| match window().navigator().on_line() {
            true => Refusal::Unreachable,
            false => Refusal::Offline,
        })
    }

    fn refusal(&self, response: &Response, limit: Option<Limit>, message: String) -> Refusal {
        let wait = number(response, "retry-after").map(|seconds| reset(now() + seconds));
        let used_up = limit.filter(|limit| limit.remaining == 0);
        Refusal::of(Told {
            status: response.status(),
            is_limited: wait.is_some() || used_up.is_some(),
            reset: wait.or(used_up.map(|limit| limit.reset)),
            message,
            had_token: self.token.is_given(),
        })
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn limit(response: &Response) -> Option<Limit> {
    Some(Limit {
        remaining: number(response, "x-ratelimit-remaining")? as u32,
        limit: number(response, "x-ratelimit-limit")? as u32,
        reset: reset(number(response, "x-ratelimit-reset")?),
    })
}

fn number(response: &Response, header: &str) -> Option<f64> {
    response.headers().get(header)?.trim().parse().ok()
}

/// In seconds since 1970, as GitHub counts.
fn now() -> f64 {
    Date::now() / 1000.0
}

fn reset(at: f64) -> Reset {
    Reset::new(now(), at, clock(at))
}

/// The time of day in hours and minutes, as the reader's language writes it.
fn clock(at: f64) -> String {
    let options = Object::new();
    for part in ["hour", "minute"] {
        let _ = Reflect::set(&options, &part.into(), &"2-digit".into());
    }
    let language = window()
        .navigator()
        .language()
        .unwrap_or_else(|| "en".to_owned());
    let date = Date::new(&(at * 1000.0).into());
    date.to_locale_time_string_with_options(&language, &options)
        .into()
}
