//! TorchScript is loaded or scripted while another thread may do the same.

use super::guard::{Guard, guard};
use super::torchscript::{Touch, alone, touches};
use crate::facts::{Call, Switch};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unserialized-torchscript",
    rule: 1,
    severity: Severity::Block,
    references: &[2373],
    summary: "`torch.jit.load`, `torch.jit.script` or a builder that scripts inside runs outside of the shared lock.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for (call, touch) in touches(cx) {
        match guard(cx, &call) {
            Guard::Shared(by) => {
                out.evidence(
                    1,
                    call.span(),
                    format!("TorchScript is touched under {}", quoted(&by)),
                );
            }
            Guard::Private(lock) => {
                let lock = cx.facts.shown(lock.expr);
                out.evidence(
                    1,
                    call.span(),
                    format!("TorchScript is touched under `{lock}`"),
                );
            }
            // Told by `lock-not-threaded` and by R2.
            Guard::Instance(_) | Guard::Untested => {}
            Guard::Own(lock) => {
                let words = word_own(&call, &cx.facts.shown(lock.expr));
                push(cx, &call, HitVerdict::Violation, words, out);
            }
            Guard::Unseen(why) => {
                push(
                    cx,
                    &call,
                    HitVerdict::Look,
                    word_unseen(cx, &call, touch, why),
                    out,
                );
            }
            Guard::None => {
                let (verdict, words) = match touch {
                    Touch::SwitchedBuilder => (HitVerdict::Look, word_switched(cx, &call)),
                    Touch::Light => (HitVerdict::Look, word(&call, touch)),
                    Touch::ModelBuilder => (HitVerdict::Look, word_builder(&call)),
                    Touch::Direct | Touch::Builder => (HitVerdict::Violation, word(&call, touch)),
                };
                push(cx, &call, verdict, words, out);
            }
        }
    }
}

fn push(cx: &Context<'_>, call: &Call<'_>, verdict: HitVerdict, words: Words, out: &mut Outcome) {
    let verdict = alone(cx, call.stmt()).map_or(verdict, HitVerdict::Excused);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

fn quoted(name: &str) -> String {
    if name.contains(' ') {
        name.to_string()
    } else {
        format!("`{name}`")
    }
}

fn says(call: &Call<'_>, touch: Touch) -> String {
    let name = call.callee();
    match touch {
        Touch::Builder => format!("`{name}` scripts modules inside"),
        Touch::ModelBuilder | Touch::SwitchedBuilder => {
            format!("`{name}` may script modules inside")
        }
        Touch::Direct | Touch::Light => format!("`{name}` changes the process's TorchScript state"),
    }
}

const WHY: &str = "TorchScript has one registry for the process and does not protect it: two models that load at the same moment corrupt it, and the error shows up in either of them, or later.";

fn word(call: &Call<'_>, touch: Touch) -> Words {
    Words::new(
        format!("{}, and no lock is held.", says(call, touch)),
        WHY,
        "Run this call under one lock of the process that all loaders share: accept it as an argument, as other loaders do where this revision has it, or keep it in one module.",
    )
}

fn word_builder(call: &Call<'_>) -> Words {
    let name = call.callee();
    Words::new(
        format!("`{name}` builds a model whose transforms may be scripted, and no lock is held."),
        WHY,
        "Is anything of this model scripted here or where it is used first? Then run that part under one lock of the process that all loaders share.",
    )
}

fn word_switched(cx: &Context<'_>, call: &Call<'_>) -> Words {
    let keyword = cx.profile.only_with(call.callee()).unwrap_or_default();
    let name = call.name();
    let (what, question) = match cx.facts.switch(call, keyword) {
        Switch::Unset => (
            "which is not given here",
            format!(
                "Does the version of `{name}` that is installed script without `{keyword}`, too?"
            ),
        ),
        _ => (
            "which is not shown here",
            format!("Can `{keyword}` be true here?"),
        ),
    };
    Words::new(
        format!(
            "`{name}` scripts modules inside where `{keyword}` is true, {what}, and no lock is seen."
        ),
        WHY,
        format!(
            "{question} If so, run this call under one lock of the process that all loaders share."
        ),
    )
}

fn word_unseen(cx: &Context<'_>, call: &Call<'_>, touch: Touch, why: &str) -> Words {
    if touch == Touch::SwitchedBuilder {
        return word_switched(cx, call);
    }
    let function = cx.facts.function_name(call.stmt()).unwrap_or("this code");
    Words::new(
        format!("{}, and no lock is seen: {why}.", says(call, touch)),
        WHY,
        format!(
            "Does everybody who reaches `{function}` hold one lock of the process that all loaders share? Look at its callers and at the lines around."
        ),
    )
}

fn word_own(call: &Call<'_>, lock: &str) -> Words {
    Words::new(
        format!(
            "`{lock}` is made for this call alone, so `{}` is not serialised.",
            call.callee()
        ),
        "Every caller locks an object of its own, and none of them waits for another. TorchScript's registry is one for the process.",
        "Use a lock that all callers share: the process-wide one that is handed in, or one of the module.",
    )
}
