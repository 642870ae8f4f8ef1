//! Whether a thread that is made is started, too: one that never runs cannot hang.

use crate::facts::{Facts, HeldUse, HeldUseKind, Holder, Keeper, Made};

/// Whether everything is shown that could start a thread, and nothing does.
pub(super) fn is_never_started(facts: &Facts, made: &Made) -> bool {
    let (Keeper::Holder(holder) | Keeper::Element(holder)) = &made.keeper else {
        return false;
    };
    let field = facts.field_of(made);
    let uses = |holder: &Holder| facts.uses_of(holder);
    let all: Vec<HeldUse> = uses(holder)
        .into_iter()
        .chain(field.as_ref().map_or(Vec::new(), uses))
        .collect();
    let hidden = !is_shown(facts, holder) || field.as_ref().is_some_and(|of| !is_shown(facts, of));
    !hidden && !all.iter().any(|of| may_start(facts, of, field.is_some()))
}

/// `x.start()`, `x.start` handed on, or `x` given to somebody who may start it.
fn may_start(facts: &Facts, of: &HeldUse, is_field: bool) -> bool {
    match of.kind {
        HeldUseKind::Method(call) => {
            let method = facts.call(call).and_then(|call| call.method());
            matches!(method, Some("start" | "run"))
        }
        HeldUseKind::Bound(attribute, _) => {
            let method = facts.attribute(attribute).map(|(_, name)| name);
            matches!(method, Some("start" | "run"))
        }
        // What is only told about a thread does not start it.
        HeldUseKind::Passed(call) => facts.call(call).is_none_or(|call| {
            let reads = matches!(call.name(), "len" | "str" | "repr" | "isinstance");
            !reads && !call.is_message()
        }),
        HeldUseKind::Returned | HeldUseKind::Yielded => true,
        HeldUseKind::Stored(_) => !is_field,
        HeldUseKind::With | HeldUseKind::Read => false,
    }
}

fn is_shown(facts: &Facts, holder: &Holder) -> bool {
    match holder {
        Holder::Attribute { class, .. } => class.is_some_and(|class| facts.is_visible(class)),
        Holder::ClassName { class, .. } => facts.is_visible(*class),
        Holder::Local { function, .. } => facts.is_visible(*function),
        Holder::Global { .. } => facts.document.whole,
    }
}
