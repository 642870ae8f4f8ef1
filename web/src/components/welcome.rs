//! What this is, for whoever sees it first: what to paste, what comes out, and what happens to it.

use yew::prelude::*;

#[component]
pub(crate) fn Welcome() -> Html {
    html! {
        <div class="welcome">
            <p class="lead">
                { "A checklist for " }<strong>{ "concurrency, resources and caches" }</strong>{ " in Python, filled in from your diff." }
            </p>
            <dl>
                <dt>{ "What to paste" }</dt>
                <dd>
                    { "The diff of a change: from " }<code>{ "git diff" }</code>{ ", " }<code>{ "git show" }</code>
                    { ", a " }<code>{ ".diff" }</code>{ " or " }<code>{ ".patch" }</code>
                    { " file, a mail, or a pull request on GitHub." }
                </dd>
                <dt>{ "What comes out" }</dt>
                <dd>
                    { "Whether the topic matters here at all. Ten answered lines, and each finding at its own line: what is wrong, \
                       why it breaks, what to do. Then a comment for the author and a link for a colleague." }
                </dd>
                <dt>{ "What leaves this browser" }</dt>
                <dd>
                    { "Nothing. There is no server and no account. Only if you open a change on GitHub, its address is asked of GitHub." }
                </dd>
            </dl>
        </div>
    }
}
