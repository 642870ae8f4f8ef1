//! What is wrong with the end of an object, if anything.

use super::{Closing, Escape, HeldUse, HeldUseKind, Holder, How, Keeper, Leak, Made, Resource};
use crate::facts::{ExprId, Facts, Kind, Span, StmtKind};

/// An object that is not ended on every path.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// Everything that could end it is shown, and nobody else was given it.
    pub(crate) proven: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum FaultKind {
    /// Nothing shown ends it.
    NeverEnded,
    /// It is ended here, but something before can leave.
    Skipped(Leak, Closing),
    /// A loop makes one after the other, and the close behind the loop ends the last only.
    OnlyLast(Closing),
    /// Its name is given to a new one while it is still open.
    Overwritten,
    /// Only the function that opens it closes it, where its work ends by itself.
    OnOwnPath(Closing),
    /// A method is called on it on the spot, and nobody keeps it.
    Inline,
    /// Given to a call that only reads it.
    ReadBy,
    /// The object is made and nobody has it.
    Dropped,
    /// Only the collector ends it, through `__del__`.
    OnlyByCollector(Closing),
    /// Only the interpreter's end does.
    OnlyAtExit(Closing),
}

/// Functions that read a file to its end and do not close it.
const READERS: &[&str] = &[
    "json.load",
    "yaml.safe_load",
    "yaml.load",
    "pickle.load",
    "csv.reader",
    "csv.DictReader",
    "tomllib.load",
    "toml.load",
    "numpy.load",
    "numpy.loadtxt",
    "json.dump",
    "yaml.dump",
    "pickle.dump",
    "yaml.safe_dump",
    "torch.load",
    "torch.save",
    "joblib.load",
    "pandas.read_csv",
    "pandas.read_json",
    "shutil.copyfileobj",
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
    "subprocess.Popen",
    "csv.writer",
    "xml.etree.ElementTree.parse",
    "configparser.ConfigParser",
];

/// Where functions come from that take nothing over.
const BORROWERS: &[&str] = &[
    "json",
    "yaml",
    "csv",
    "pickle",
    "numpy",
    "shutil",
    "cv2",
    "os",
    "concurrent",
    "asyncio",
    "time",
    "logging",
    "fcntl",
    "select",
    "termios",
];

impl Facts {
    /// What is wrong with an object that a function makes for itself. What escapes belongs to somebody else.
    pub(crate) fn local_fault(&self, made: &Made) -> Option<Fault> {
        match &made.keeper {
            Keeper::Inline(call) => self.inline_fault(*call, made),
            Keeper::Handed(call) => self.handed_fault(*call, made),
            Keeper::Dropped => Some(proven(FaultKind::Dropped)),
            Keeper::Holder(holder @ Holder::Local { .. }) => self.held_fault(made, holder),
            Keeper::Element(holder @ Holder::Local { .. }) => self.element_fault(made, holder),
            Keeper::Iterated if is_file(made) => Some(proven(FaultKind::Inline)),
            Keeper::Elsewhere => self.peeked_fault(made),
            _ => None,
        }
    }

    fn inline_fault(&self, call: ExprId, made: &Made) -> Option<Fault> {
        let method = self.call(call)?.method()?;
        if made.resource.is(Kind::StreamedResponse) && method == "json" {
            return None;
        }
        let ends = made.resource.closers().contains(&method) || method.starts_with("__");
        (!ends).then_some(proven(FaultKind::Inline))
    }

    /// `av.open(path).duration`: nobody has the container afterwards.
    fn peeked_fault(&self, made: &Made) -> Option<Fault> {
        let parent = self.expr(made.call).parent?;
        let (_, name) = self.attribute(parent)?;
        let peeked = match made.resource {
            Resource::Object(Kind::MediaContainer) => !made.resource.closers().contains(&name),
            Resource::Object(Kind::StreamedResponse) => name == "raw",
            Resource::Object(Kind::Subprocess) => matches!(name, "pid" | "stdout" | "stdin"),
            _ => false,
        };
        peeked.then_some(proven(FaultKind::Inline))
    }

    fn handed_fault(&self, call: ExprId, made: &Made) -> Option<Fault> {
        let found = self.call(call)?;
        let sends = matches!(found.name(), "post" | "put" | "patch" | "request")
            && (found.keyword("files").is_some() || found.keyword("data").is_some());
        let reads = is_file(made) && (found.is(READERS) || sends)
            || made.resource.is(Kind::StreamedResponse) && found.is(READERS);
        let borrows = made.resource.is_pool() && found.method() == Some("run_in_executor");
        (reads || borrows).then_some(proven(FaultKind::ReadBy))
    }

    fn held_fault(&self, made: &Made, holder: &Holder) -> Option<Fault> {
        let uses = self.uses_after(made, holder);
        let closings = self.closings_among(&uses, made.resource);
        let escapes = uses.iter().any(|of| {
            self.ends(of, made.resource).is_none()
                && self.escapes(of, made.resource)
                && !self.is_only_below(of, made, holder)
                && !self.is_ended_behind(of, &closings)
        });
        if made.resource.is(Kind::StreamedResponse) && self.is_read_whole(made, &uses) {
            return None;
        }
        let is_others = self.may_be_handed_in(holder) && !self.ends_beside(made, &closings);
        if is_others || self.is_deferred(made, &closings) {
            return None;
        }
        if escapes {
            return self.contained_fault(made, &uses);
        }
        if is_device(made) && self.overwrites(made, holder, &closings) {
            return Some(Fault {
                kind: FaultKind::Overwritten,
                proven: false,
            });
        }
        if let Some(fault) = self.only_last(made, holder, &closings) {
            return Some(fault);
        }
        if closings.is_empty() {
            let ends_unseen = self.is_returned_by_annotation(made)
                || self.leads_into_cut_try(made.stmt)
                || self.is_ended_in_other_hunk(made, holder);
            if ends_unseen {
                return None;
            }
            // A path is only read by most of what gets it, unless its result goes to the caller.
            let lent = uses.iter().any(|of| match made.resource.is_path() {
                true => self.is_lent_to_caller(of),
                false => self.is_lent(of),
            });
            let proven = self.sees_all_of(made.stmt) && !lent;
            return Some(Fault {
                kind: FaultKind::NeverEnded,
                proven,
            });
        }
        let leak = self
            .leak(made, holder, &closings)
            .or_else(|| self.branch_without_end(made, holder, &closings))?;
        let first = *closings.iter().find(|closing| closing.stmt > leak.stmt)?;
        let sure = !leak.guarded_later && leak.escape != Escape::Branch;
        Some(Fault {
            kind: FaultKind::Skipped(leak, first),
            proven: self.sees_enclosure(made.stmt) && sure,
        })
    }

    /// `rows = self._select(connection)`, and then the connection is closed: the result does not own it.
    fn is_ended_behind(&self, of: &HeldUse, closings: &[Closing]) -> bool {
        let behind = self.following(of.stmt);
        let is_result = matches!(of.kind, HeldUseKind::Bound(..));
        is_result
            && closings
                .iter()
                .any(|closing| behind.contains(&closing.stmt))
    }

    /// Made and closed in one block: whatever else the name can mean, this one is the function's own.
    fn ends_beside(&self, made: &Made, closings: &[Closing]) -> bool {
        let behind = self.following(made.stmt);
        closings
            .iter()
            .any(|closing| behind.contains(&closing.stmt))
    }

    /// An object that goes into one container of this function and nowhere else.
    fn contained_fault(&self, made: &Made, uses: &[HeldUse]) -> Option<Fault> {
        let mut containers = uses
            .iter()
            .filter(|of| self.ends(of, made.resource).is_none() && self.escapes(of, made.resource))
            .map(|of| self.own_container_of(of));
        let first = containers.next()??;
        let alone = containers.all(|other| other.as_ref() == Some(&first));
        alone.then(|| self.element_fault(made, &first)).flatten()
    }

    /// `Document(folder / "page.pdf")` reads what lies in the folder and does not take the folder over.
    fn is_only_below(&self, of: &HeldUse, made: &Made, holder: &Holder) -> bool {
        let is_folder = made.resource == Resource::TempFolder;
        let itself = self.text(of.span) == holder.text();
        is_folder && !itself && matches!(of.kind, HeldUseKind::Passed(_))
    }

    /// The uses of a local name that can mean this object: from its making to the next assignment in the same block.
    fn uses_after(&self, made: &Made, holder: &Holder) -> Vec<HeldUse> {
        let from = self.expr(made.call).span.end;
        let until = self.next_binding(made, holder).unwrap_or(u32::MAX);
        let mut uses = self.uses_of(holder);
        let in_loop = self.in_loop(made.stmt);
        uses.retain(|of| in_loop || (of.span.start >= from && of.span.start < until));
        uses
    }

    fn next_binding(&self, made: &Made, holder: &Holder) -> Option<u32> {
        let Holder::Local { function, name } = holder else {
            return None;
        };
        let block = self.block_of(made.stmt);
        self.bindings_of(*function, name)
            .iter()
            .filter(|binding| binding.stmt > made.stmt && block.contains(&binding.stmt))
            .map(|binding| binding.span.start)
            .next()
    }

    pub(super) fn closings_among(&self, uses: &[HeldUse], resource: Resource) -> Vec<Closing> {
        let ending = |of: &HeldUse| {
            let how = self.ends(of, resource)?;
            Some(Closing {
                how,
                stmt: of.stmt,
                span: of.span,
            })
        };
        uses.iter().filter_map(ending).collect()
    }

    /// Whether an exit stack, a callback or a nested function ends it later.
    pub(super) fn is_deferred(&self, made: &Made, closings: &[Closing]) -> bool {
        let scope = self.canonical(self.stmt(made.stmt).scope);
        closings.iter().any(|closing| {
            matches!(closing.how, How::Callback | How::Finalizer | How::Atexit)
                || self.canonical(self.stmt(closing.stmt).scope) != scope
        })
    }

    /// `return prepare(folder)`: what comes back may lie in the folder.
    fn is_lent_to_caller(&self, of: &HeldUse) -> bool {
        let returns = matches!(self.stmt(of.stmt).kind, StmtKind::Return(_));
        returns && matches!(of.kind, HeldUseKind::Passed(_))
    }

    /// Whether a use gives the object to a function that may end it.
    pub(super) fn is_lent(&self, of: &HeldUse) -> bool {
        let HeldUseKind::Passed(call) = of.kind else {
            return false;
        };
        let Some(call) = self.call(call) else {
            return true;
        };
        let first = call.callee().split('.').next().unwrap_or("");
        let shown = self.callee_scope(&call).is_some();
        let builtin = matches!(
            call.name(),
            "len"
                | "print"
                | "isinstance"
                | "str"
                | "enumerate"
                | "list"
                | "iter"
                | "next"
                | "map"
                | "zip"
        );
        !shown && !builtin && !BORROWERS.contains(&first)
    }

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

fn is_file(made: &Made) -> bool {
    made.resource.is(Kind::File) || made.resource.is(Kind::Archive)
}

/// A device, process or connection: another open of it can fail, or the other side waits.
fn is_device(made: &Made) -> bool {
    matches!(
        made.resource,
        Resource::Connection
            | Resource::Descriptor
            | Resource::Object(
                Kind::Capture
                    | Kind::VideoWriter
                    | Kind::MediaContainer
                    | Kind::Socket
                    | Kind::Client
                    | Kind::Subprocess
                    | Kind::SharedMemory
            )
    )
}

fn proven(kind: FaultKind) -> Fault {
    Fault { kind, proven: true }
}
