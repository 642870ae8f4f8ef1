//! A bookmark that opens this page on the pull request that is being looked at.

use crate::browser::{address, handover};
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[component]
pub(crate) fn Bookmarklet() -> Html {
    let code = use_memo((), |()| AttrValue::from(code(&address::page())));
    let said = use_state_eq(|| "");
    // It has its use on GitHub's pages; here the policy would refuse it.
    let onclick = {
        let said = said.setter();
        move |event: MouseEvent| {
            event.prevent_default();
            said.set("Drag it to the bookmarks bar; it works on a pull request\u{2019}s page.");
        }
    };
    let copy = {
        let (code, said) = (code.to_string(), said.setter());
        move |_: MouseEvent| {
            let (code, said) = (code.clone(), said.clone());
            spawn_local(async move {
                said.set(if handover::copy(code).await {
                    "Copied."
                } else {
                    "The browser refused to copy. Select the text and copy it with the keyboard."
                });
            });
        }
    };
    let onfocus = |event: FocusEvent| event.target_unchecked_into::<HtmlInputElement>().select();
    html! {
        <div class="bookmarklet">
            <p>
                { "Drag " }
                <a href={(*code).clone()} {onclick}>{ "Review in Hunkwise" }</a>
                { " to the bookmarks bar. On a pull request\u{2019}s page it opens this page on that pull request. \
                   Or add a bookmark by hand, with this as its address:" }
            </p>
            <div class="link-field">
                <input aria-label="Bookmark address" readonly=true value={(*code).clone()} {onfocus} />
                <button type="button" onclick={copy}>{ "Copy" }</button>
            </div>
            <p role="status" class="said">{ *said }</p>
        </div>
    }
}

/// A script for the bookmark. It sends nothing: the pull request's name stands behind the `#`.
fn code(page: &str) -> String {
    let page = page.replace('\'', "%27");
    format!(
        "javascript:(()=>{{const m=/^\\/([^/]+\\/[^/]+)\\/pull\\/(\\d+)/.exec(location.pathname);\
         if(location.hostname!='github.com'||!m)return alert('Open a pull request on github.com first.');\
         const u='{page}#pr='+m[1]+'/'+m[2],w=open(u);w?w.opener=null:location.href=u}})()"
    )
}
