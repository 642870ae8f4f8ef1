//! What is wrong with the end of an object that a field of `self` keeps.

use super::fault::is_device;
use super::{Closing, Fault, FaultKind, HeldUseKind, Holder, How, Keeper, Made};
use crate::facts::{ExprId, Facts, Span};

impl Facts {
    /// What is wrong with an object that a field of `self` keeps.
    pub(crate) fn field_fault(&self, made: &Made, holder: &Holder) -> Option<Fault> {
        let Holder::Attribute { class, .. } = holder else {
            return None;
        };
        let closings: Vec<Closing> = self
            .closings(holder, made.resource)
            .into_iter()
            .filter(|closing| !self.is_in_constructor(closing))
            .collect();
        let shown = class.is_some_and(|class| self.is_visible(class));
        let fault = |kind| {
            Some(Fault {
                kind,
                proven: shown,
            })
        };
        let by_del = closings
            .iter()
            .find(|closing| self.function_name(closing.stmt) == Some("__del__"));
        let by_exit = closings.iter().find(|closing| closing.how == How::Atexit);
        let ended = closings.iter().any(|closing| {
            closing.how != How::Atexit && self.function_name(closing.stmt) != Some("__del__")
        });
        match (ended, by_del, by_exit) {
            (true, None, _) => self.own_path_fault(made, shown, &closings),
            (true, _, _) => None,
            (false, Some(closing), _) => fault(FaultKind::OnlyByCollector(*closing)),
            (false, None, Some(closing)) => fault(FaultKind::OnlyAtExit(*closing)),
            (false, None, None) => {
                let lent = self
                    .uses_of(holder)
                    .iter()
                    .any(|of| self.is_lent(of) && self.escapes(of, made.resource));
                Some(Fault {
                    kind: FaultKind::NeverEnded,
                    proven: shown && !lent,
                })
            }
        }
    }

    /// Closed only by the function that opened it, in the middle of its work: an error there leaves it open for good.
    fn own_path_fault(&self, made: &Made, shown: bool, closings: &[Closing]) -> Option<Fault> {
        let scope = self.canonical(self.stmt(made.stmt).scope);
        let first = *closings.first()?;
        let own = closings.iter().all(|closing| {
            self.canonical(self.stmt(closing.stmt).scope) == scope
                && closing.how == How::Direct
                && closing.stmt > made.stmt
                && !self.in_finally(closing.stmt)
                && !self.always_before(made.stmt, closing.stmt)
        });
        (own && shown && is_device(made)).then_some(Fault {
            kind: FaultKind::OnOwnPath(first),
            proven: false,
        })
    }

    /// A close in the constructor is for its own failure; what it registers there is for later.
    fn is_in_constructor(&self, closing: &Closing) -> bool {
        self.function_name(closing.stmt) == Some("__init__")
            && matches!(closing.how, How::Direct | How::With)
    }

    /// The field that keeps a made object, directly, through a local name or a container,
    /// or because the constructor that it is given to puts it there.
    pub(crate) fn field_of(&self, made: &Made) -> Option<Holder> {
        match &made.keeper {
            Keeper::Holder(holder @ Holder::Attribute { .. })
            | Keeper::Element(holder @ Holder::Attribute { .. }) => Some(holder.clone()),
            Keeper::Holder(holder @ Holder::Local { .. })
            | Keeper::Element(holder @ Holder::Local { .. }) => {
                let given = || {
                    let uses = self.uses_of(holder);
                    uses.iter().find_map(|of| match of.kind {
                        HeldUseKind::Passed(call) => self.field_given(call, of.span),
                        _ => None,
                    })
                };
                self.stored_on_self(holder).or_else(given)
            }
            Keeper::Handed(call) => self.field_given(*call, self.expr(made.call).span),
            _ => None,
        }
    }

    /// The field in which a class of this file keeps the argument at a span of its constructor call.
    fn field_given(&self, call: ExprId, span: Span) -> Option<Holder> {
        let call = self.call(call)?;
        let by_cls = || {
            let class = (call.name() == "cls").then(|| self.class_of(call.scope()))?;
            self.method(class?, "__init__")
        };
        let constructor = self.callee_scope(&call).or_else(by_cls)?;
        (self.scope_name(constructor) == Some("__init__")).then_some(())?;
        let name = self.parameter_given(&call, constructor, span)?;
        self.stored_on_self(&Holder::Local {
            function: constructor,
            name,
        })
    }
}
