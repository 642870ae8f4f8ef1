//! Where a held object is ended, and by what.

use super::resource::REMOVERS;
use super::uses::{HeldUse, HeldUseKind};
use super::{Holder, Resource};
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, ScopeId, Span, StmtId, StmtKind};

/// A place that ends an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closing {
    pub(crate) how: How,
    pub(crate) stmt: StmtId,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// A call that ends it there.
    Direct,
    /// The end of a `with`.
    With,
    /// `weakref.finalize`, when the owner is collected.
    Finalizer,
    /// `atexit`, when the interpreter ends in order.
    Atexit,
    /// Given to something that will call it: an exit stack, a callback, a signal.
    Callback,
}

/// Verbs in names of functions that end what they are given.
const ENDING_WORDS: &[&str] = &[
    "close",
    "stop",
    "shutdown",
    "join",
    "terminate",
    "release",
    "dispose",
    "cleanup",
    "quit",
    "kill",
    "drain",
    "teardown",
    "disconnect",
    "finish",
    "destroy",
    "discard",
    "delete",
    "remove",
    "rmtree",
    "unlink",
    "cancel",
];

/// What closes a descriptor, or makes a file or socket of it that closes it.
const DESCRIPTOR_ENDS: &[&str] = &[
    "os.close",
    "os.closerange",
    "os.fdopen",
    "open",
    "io.open",
    "io.FileIO",
    "socket.socket",
    "os.dup2",
];

impl Facts {
    /// Where what a holder holds is ended.
    pub(crate) fn closings(&self, holder: &Holder, resource: Resource) -> Vec<Closing> {
        self.uses_of(holder)
            .into_iter()
            .filter_map(|of| {
                Some(Closing {
                    how: self.ends(&of, resource)?,
                    stmt: of.stmt,
                    span: of.span,
                })
            })
            .collect()
    }

    /// Whether a use ends the object, and how.
    pub(crate) fn ends(&self, of: &HeldUse, resource: Resource) -> Option<How> {
        match of.kind {
            HeldUseKind::Method(call) => {
                let found = self.call(call)?;
                let in_lambda = found.scope() != self.stmt(of.stmt).scope;
                let how = if in_lambda {
                    How::Callback
                } else {
                    How::Direct
                };
                resource.closers().contains(&found.method()?).then_some(how)
            }
            HeldUseKind::Bound(attribute, given) => {
                let (_, method) = self.attribute(attribute)?;
                resource
                    .closers()
                    .contains(&method)
                    .then(|| self.handed_to(given))
            }
            HeldUseKind::With => (!resource.is_path()).then_some(How::With),
            HeldUseKind::Passed(call) => self.ends_argument(&self.call(call)?, of, resource),
            _ => None,
        }
    }

    /// Who was given a method that ends the object.
    fn handed_to(&self, given: Option<ExprId>) -> How {
        match given.and_then(|call| self.call(call)) {
            Some(call) if self.is_finalizer(&call) => How::Finalizer,
            Some(call) if call.is(&["atexit.register"]) => How::Atexit,
            _ => How::Callback,
        }
    }

    /// `weakref.finalize(...)`, in either spelling.
    pub(crate) fn is_finalizer(&self, call: &Call<'_>) -> bool {
        let re_exported = || {
            let (module, name) = call.callee().rsplit_once('.').unwrap_or(("", ""));
            name == "finalize" && topic::words(module).any(|word| word.starts_with("compat"))
        };
        call.is(&["weakref.finalize"]) || (call.args.len() > 1 && re_exported())
    }

    fn ends_argument(&self, call: &Call<'_>, of: &HeldUse, resource: Resource) -> Option<How> {
        if self.is_finalizer(call) {
            return Some(How::Finalizer);
        }
        if call.is(&["atexit.register"]) {
            return Some(How::Atexit);
        }
        let name = call.name();
        if resource == Resource::Descriptor && (call.is(DESCRIPTOR_ENDS) || name == "close") {
            return Some(How::Direct);
        }
        if self.is_entered_to_end(call, of) {
            return Some(How::With);
        }
        if matches!(
            name,
            "enter_context" | "enter_async_context" | "callback" | "push" | "addCleanup"
        ) {
            return Some(How::Callback);
        }
        let removes = resource.is_path()
            && (REMOVERS.contains(&name) || self.is_given_function(call, REMOVERS));
        // What `rows = self._delete(connection)` gives back was deleted, and not the connection.
        let gives = matches!(self.stmt(call.stmt()).kind, StmtKind::Assign { .. });
        let deletes = ["delete", "remove", "discard"]
            .iter()
            .any(|word| topic::says(name, word));
        let by_name = !resource.is_path()
            && ENDING_WORDS.iter().any(|word| topic::says(name, word))
            && !(gives && deletes);
        (removes || by_name || self.callee_ends(call, of, resource)).then_some(How::Direct)
    }

    /// `with closer(*blocks):` or `with managed(block):`: a context that is given objects to end them.
    fn is_entered_to_end(&self, call: &Call<'_>, of: &HeldUse) -> bool {
        let items = match &self.stmt(call.stmt()).kind {
            StmtKind::With { items, .. } => items.as_slice(),
            _ => &[],
        };
        let is_context = items.iter().any(|item| item.context == call.id);
        let is_splat = || {
            let of_use = |value: ExprId| self.expr(value).span.contains(of.span);
            let mut args = call.args.iter();
            args.any(|arg| arg.stars == 1 && of_use(arg.value))
        };
        let says = || {
            [
                "manager", "manage", "managed", "managing", "closer", "closes", "owner", "owned",
            ]
            .iter()
            .any(|word| topic::says(call.name(), word))
        };
        is_context && (is_splat() || says())
    }

    /// Whether a closing runs when the collector takes the owner: in `__del__`, or in a method that it calls.
    pub(crate) fn runs_in_del(&self, closing: &Closing) -> bool {
        let Some(function) = self.function_of(self.stmt(closing.stmt).scope) else {
            return false;
        };
        let in_del = |scope: ScopeId| self.scope_name(scope) == Some("__del__");
        in_del(function)
            || self
                .calls_to(function)
                .any(|call| self.function_of(call.scope()).is_some_and(in_del))
    }

    /// `to_thread(os.unlink, path)`, `submit(shutil.rmtree, folder)`.
    fn is_given_function(&self, call: &Call<'_>, names: &[&str]) -> bool {
        call.args.iter().any(|arg| {
            let named = matches!(
                self.expr(arg.value).kind,
                ExprKind::Attribute { .. } | ExprKind::Name
            );
            let name = self.last_name(arg.value).filter(|_| named);
            name.is_some_and(|name| names.contains(&name))
        })
    }

    /// Whether a function of this file ends the parameter that it is given here.
    fn callee_ends(&self, call: &Call<'_>, of: &HeldUse, resource: Resource) -> bool {
        let Some(function) = self.callee_scope(call) else {
            return false;
        };
        let Some(name) = self.parameter_given(call, function, of.span) else {
            return false;
        };
        let holder = Holder::Local { function, name };
        self.mentions_of(&holder).into_iter().any(|mention| {
            let attribute = self.expr(mention).parent;
            let method = attribute
                .and_then(|id| self.attribute(id))
                .map(|(_, name)| name);
            let removed = || {
                let outer = attribute.and_then(|id| self.call(id));
                outer.is_some_and(|outer| resource.is_path() && REMOVERS.contains(&outer.name()))
            };
            method.is_some_and(|method| resource.closers().contains(&method)) || removed()
        })
    }

    /// The name of the parameter that the argument at a span becomes.
    pub(crate) fn parameter_given(
        &self,
        call: &Call<'_>,
        function: ScopeId,
        span: Span,
    ) -> Option<String> {
        let at = call
            .args
            .iter()
            .position(|arg| self.expr(arg.value).span.contains(span))?;
        let arg = call.args.get(at)?;
        if let Some(name) = arg.name {
            return Some(self.text(name).to_string());
        }
        let params = &self.scope(function).params;
        let bound = params
            .first()
            .is_some_and(|first| matches!(self.text(first.name), "self" | "cls"));
        params
            .get(at + usize::from(bound))
            .map(|param| self.text(param.name).to_string())
    }

    /// The field that a local object is stored in, if it is one of `self`.
    pub(crate) fn stored_on_self(&self, holder: &Holder) -> Option<Holder> {
        self.uses_of(holder)
            .into_iter()
            .find_map(|of| match of.kind {
                HeldUseKind::Stored(target) => {
                    let object = match self.expr(target).kind {
                        ExprKind::Subscript { object, .. } => object,
                        _ => target,
                    };
                    self.holder_of(object)
                        .filter(|holder| matches!(holder, Holder::Attribute { .. }))
                }
                _ => None,
            })
    }

    /// Whether the object of a name can also be one that was handed in: `pool = pool or ThreadPoolExecutor()`.
    pub(crate) fn may_be_handed_in(&self, holder: &Holder) -> bool {
        let Holder::Local { function, name } = holder else {
            return false;
        };
        self.bindings_of(*function, name)
            .iter()
            .any(|binding| matches!(binding.kind, BindingKind::Parameter(_)))
    }
}
