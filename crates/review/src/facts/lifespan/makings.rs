//! Where objects of a class are made: by its name, a subclass, a table of classes, a factory or a class method.

use crate::facts::Facts;
use crate::facts::bindings::BindingKind;
use crate::facts::calls::Call;
use crate::facts::hir::*;

/// Where an object of a class is made.
pub(super) enum Making<'f> {
    /// The value of this expression of this file is a new object, or the class that a container makes entries of.
    At(&'f Facts, ExprId),
    /// The class goes where nobody sees what is done with it.
    Unseen,
}

impl Facts {
    /// The expressions that make objects of a class or of its subclasses.
    pub(super) fn makings(&self, class: ScopeId) -> Vec<Making<'_>> {
        let mut found = Vec::new();
        for member in self.family(class) {
            self.makings_by_name(member, &mut found);
            self.makings_by_method(member, &mut found);
            self.makings_by_registry(member, &mut found);
            let constructor = self.method(member, "__init__");
            let afar = constructor.map_or(Vec::new(), |init| self.calls_from_afar(init));
            // A test's object says nothing about those of the program.
            let afar = afar.into_iter().filter(|(home, _)| !home.is_test());
            found.extend(afar.map(|(home, call)| Making::At(home, call.id)));
        }
        found
    }

    /// The calls of a function that returns a new object.
    pub(super) fn makings_through(&self, function: ScopeId) -> Vec<Making<'_>> {
        let calls = self.callers(function).into_iter();
        let calls = calls.filter(|(home, _)| !home.is_test());
        let mut found: Vec<Making<'_>> = calls
            .map(|(home, call)| Making::At(home, call.id))
            .collect();
        let class = self
            .scope(function)
            .parent
            .map(|class| self.canonical(class));
        let name = self.scope_name(function).unwrap_or("");
        let through_class = self.calls_named(name).filter(|call| {
            let receiver = call.receiver().and_then(|object| self.definition(object));
            class.is_some() && receiver.map(|scope| self.canonical(scope)) == class
        });
        found.extend(through_class.map(|call| Making::At(self, call.id)));
        let in_table = self.exprs_named(name).filter(|&id| {
            let defined = self.definition(id).map(|scope| self.canonical(scope));
            defined == Some(self.canonical(function))
        });
        let displays = in_table.filter_map(|id| self.expr(id).parent);
        found.extend(displays.flat_map(|display| self.makings_from_display(display)));
        found
    }

    /// A class and those of this file that derive from it.
    fn family(&self, class: ScopeId) -> Vec<ScopeId> {
        let mut family = vec![self.canonical(class)];
        let mut next = 0;
        while let Some(&base) = family.get(next) {
            let derived = self.scope_ids().filter(|&scope| {
                self.canonical(scope) == scope && self.bases_of(scope).any(|of| of == base)
            });
            let new: Vec<ScopeId> = derived.filter(|scope| !family.contains(scope)).collect();
            family.extend(new);
            next += 1;
        }
        family
    }

    fn makings_by_name<'f>(&'f self, class: ScopeId, found: &mut Vec<Making<'f>>) {
        let Some(name) = self.scope_name(class) else {
            return;
        };
        let is_it = |id: ExprId| {
            let defined = self.definition(id).map(|scope| self.canonical(scope));
            defined == Some(class)
        };
        for mention in self.exprs_named(name).filter(|&id| is_it(id)) {
            self.makings_at(mention, found);
        }
        // `kind = State if counts else Other`, then `kind()`.
        let by_value = self.calls().filter(|call| {
            let values = self.values(call.function).into_iter();
            !is_it(call.function) && values.into_iter().any(is_it)
        });
        found.extend(by_value.map(|call| Making::At(self, call.id)));
    }

    /// What a mention of a class says: a call, an entry of a table, an argument, a base, a test.
    fn makings_at<'f>(&'f self, mention: ExprId, found: &mut Vec<Making<'f>>) {
        let Some(parent) = self.expr(mention).parent else {
            // A function that returns the class itself: what its callers make is not followed.
            let stmt = &self.stmt(self.expr(mention).stmt).kind;
            if matches!(stmt, StmtKind::Return(Some(value)) if *value == mention) {
                found.push(Making::Unseen);
            }
            return;
        };
        match &self.expr(parent).kind {
            ExprKind::Call { function, .. } if *function == mention => {
                found.push(Making::At(self, parent));
            }
            ExprKind::Call { .. } => found.extend(self.makings_by_argument(mention, parent)),
            ExprKind::Dict(_) | ExprKind::List(_) | ExprKind::Tuple(_) => {
                found.extend(self.makings_from_display(parent));
            }
            _ => {}
        }
    }

    /// `defaultdict(State)` and `field(default_factory=State)` make objects, `register("kind", State)` puts the class
    /// into a table, `Windows(State)` gives it to a parameter; anything else that is given the class may do whatever.
    fn makings_by_argument(&self, mention: ExprId, call: ExprId) -> Vec<Making<'_>> {
        let asks = [
            "isinstance",
            "issubclass",
            "super",
            "cast",
            "TypeVar",
            "hasattr",
        ];
        let Some(call) = self.call(call).filter(|call| !asks.contains(&call.name())) else {
            return Vec::new();
        };
        if matches!(call.name(), "defaultdict" | "field") {
            return vec![Making::At(self, mention)];
        }
        let mut found = Vec::new();
        if topic::says(call.name(), "register") {
            found.extend(self.makings_from_tables());
        } else {
            found.extend(self.makings_by_parameter(mention, &call));
        }
        if found.is_empty() {
            found.push(Making::Unseen);
        }
        found
    }

    /// The calls of the parameter that a function of this file is given the class as: `self._make()`.
    fn makings_by_parameter(&self, mention: ExprId, call: &Call<'_>) -> Vec<Making<'_>> {
        let given = || {
            let function = self.callee_scope(call)?;
            let span = self.expr(mention).span;
            Some((function, self.parameter_given(call, function, span)?))
        };
        let Some((function, name)) = given() else {
            return Vec::new();
        };
        let is_it = |id: ExprId| {
            self.parameter(id)
                .is_some_and(|(scope, param)| scope == function && self.text(param.name) == name)
        };
        let runs = |call: &Call<'_>| self.values(call.function).into_iter().any(is_it);
        let calls = self.calls().filter(runs);
        calls.map(|call| Making::At(self, call.id)).collect()
    }

    /// `State.of(row)`, whose body calls `cls(...)`.
    fn makings_by_method<'f>(&'f self, class: ScopeId, found: &mut Vec<Making<'f>>) {
        let own = self
            .calls_of_class(class)
            .filter(|call| call.callee() == "cls");
        found.extend(own.map(|call| Making::At(self, call.id)));
    }

    /// `@register("count")` over the class, or a base that notes its subclasses: the tables of the file that are
    /// drawn from have it.
    fn makings_by_registry<'f>(&'f self, class: ScopeId, found: &mut Vec<Making<'f>>) {
        let by_decorator = self.decorators(class).iter().any(|&decorator| {
            let name = self.last_name(decorator).unwrap_or("");
            ["register", "registered", "plugin", "implements"]
                .iter()
                .any(|word| topic::says(name, word))
        });
        let by_base = self
            .bases_of(class)
            .any(|base| self.method(base, "__init_subclass__").is_some());
        if by_decorator || by_base {
            found.extend(self.makings_from_tables());
        }
    }

    /// The calls of what any table of the file holds.
    fn makings_from_tables(&self) -> impl Iterator<Item = Making<'_>> {
        let tables = self.containers().iter();
        let drawn = tables.flat_map(|table| self.drawn_from(&table.name));
        drawn.map(|call| Making::At(self, call))
    }

    /// The calls of what is taken out of a display of classes, functions or lambdas.
    pub(super) fn makings_from_display(&self, display: ExprId) -> Vec<Making<'_>> {
        let table = self.table_of(display);
        let drawn = table.map_or(Vec::new(), |table| self.drawn_from(&table));
        let made = drawn.into_iter().map(|call| Making::At(self, call));
        made.collect()
    }

    /// The name that a display of classes is given, through one that it is nested in.
    fn table_of(&self, display: ExprId) -> Option<String> {
        if let Some(parent) = self.expr(display).parent {
            return self.table_of(parent);
        }
        match &self.stmt(self.expr(display).stmt).kind {
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } if *value == display => self.dotted(*targets.first()?),
            _ => None,
        }
    }

    /// The calls of what is taken out of a table: `KINDS[kind]()`, and `make = KINDS.get(kind)` before `make()`.
    fn drawn_from(&self, table: &str) -> Vec<ExprId> {
        let table = table.rsplit('.').next().unwrap_or(table);
        let is_table = |id: ExprId| self.last_name(id) == Some(table);
        let takes = |id: ExprId| match &self.expr(id).kind {
            ExprKind::Subscript { object, .. } => is_table(*object),
            ExprKind::Call { .. } => self.call(id).is_some_and(|call| {
                let gets = matches!(call.method(), Some("get" | "pop"));
                gets && call.receiver().is_some_and(is_table)
            }),
            _ => false,
        };
        let from_table = |call: &Call<'_>| {
            takes(call.function) || self.values(call.function).into_iter().any(takes)
        };
        let loops = |call: &Call<'_>| self.is_loop_over(call.function, table);
        let calls = self.calls().filter(|call| from_table(call) || loops(call));
        calls.map(|call| call.id).collect()
    }

    /// `for make in KINDS.values(): make()`.
    fn is_loop_over(&self, id: ExprId, table: &str) -> bool {
        let over = |iter: ExprId| {
            self.within(iter)
                .any(|id| self.last_name(id) == Some(table))
        };
        let bindings = self.bindings_behind(id).into_iter();
        bindings
            .filter_map(|binding| match binding.kind {
                BindingKind::Loop { iter, .. } => Some(iter),
                _ => None,
            })
            .any(over)
    }
}
