//! Paths that no name calls a cache, and that several processes have all the same.

use super::deletes::asked_before;
use crate::facts::{
    BindingKind, Call, Deletion, ExprId, Facts, Held, Kind, Move, Proof, ScopeId, StmtKind,
    TempKind, WithItem, Write, says_lock, says_own,
};
use crate::rules::Context;

/// A removal that another process can get ahead of: of an entry of a store, of a part of a model's folder,
/// or of what a listing of a store found. A tolerant one is none, but where the code itself says that others have the
/// path: it puts another in its place, or locks other processes out.
pub(super) fn is_shared(cx: &Context<'_>, deletion: &Deletion<'_>) -> bool {
    let facts = cx.facts;
    if is_swapped(facts, deletion)
        || is_under_thread_lock(facts, deletion)
        || is_locked_for(facts, deletion)
        || is_home_of_store(facts, deletion)
    {
        return true;
    }
    if deletion.is_tolerant {
        return false;
    }
    let asked = asked_before(facts, deletion.path, deletion.call.stmt()).is_some();
    (asked
        && (is_entry_of_store(facts, deletion)
            || is_keyed_entry(facts, deletion)
            || is_of_model(cx, deletion)
            || is_relinked(facts, deletion)))
        || is_listed(facts, deletion)
        || is_trimmed(facts, deletion)
}

/// Removed to be replaced: the next step of the function gives the name to what was made beside it.
fn is_swapped(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let removal = deletion.call;
    let replaces = |moved: &Move<'_>| {
        let behind = moved.call.span().start > removal.span().end;
        let same_function = moved.call.scope() == removal.scope();
        let made_beside = facts
            .temp(moved.from)
            .is_some_and(|temp| temp.kind == TempKind::Unique)
            || facts.last_name(moved.from).is_some_and(says_new);
        behind && same_function && made_beside && facts.is_same_path(moved.to, deletion.path)
    };
    facts.moves().any(|moved| replaces(&moved))
}

/// The whole folder of a store, whose constructor is not shown.
fn is_home_of_store(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let class = facts.class_of(deletion.call.scope());
    deletion.is_tree
        && facts.self_attribute(deletion.path).is_some()
        && facts.is_unseen_attribute(deletion.path)
        && class.is_some_and(|class| says(facts, class, &["store", "repository", "registry"]))
}

/// A folder below a root that is not shown, removed under a lock of threads: somebody knows of others who use it.
fn is_under_thread_lock(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let is_of_threads =
        |held: &Held| matches!(held.lock.kind, Kind::ThreadLock | Kind::ReentrantLock);
    let is_below = facts.pieces(deletion.path).is_some();
    deletion.is_tree
        && is_below
        && facts.starts_unseen(deletion.path)
        && (facts.held_at(deletion.call.stmt()).any(is_of_threads)
            || facts
                .with_items(deletion.call.stmt())
                .any(|(_, item)| says_guard(facts, item)))
}

/// `with _guard:`, of which only the name is shown.
fn says_guard(facts: &Facts, item: &WithItem) -> bool {
    let is_named = facts.call(item.context).is_none() && facts.kind_of(item.context).is_none();
    is_named
        && facts.last_name(item.context).is_some_and(|name| {
            let last = topic::words(name).last().unwrap_or_default();
            says_lock(&last) || matches!(&*last, "guard" | "gate")
        })
}

/// Words in names of what is made to take another's place.
fn says_new(name: &str) -> bool {
    let is_next = |word: &str| {
        matches!(
            word,
            "new" | "fresh" | "staged" | "next" | "download" | "downloaded"
        )
    };
    says_own(name) || topic::words(name).any(|word| is_next(&word))
}

/// Removed under a file lock that is made for this very path.
fn is_locked_for(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let Some(name) = facts.name(deletion.path) else {
        return false;
    };
    facts.held_at(deletion.call.stmt()).any(|held| {
        let is_file_lock = held.lock.kind == Kind::FileLock && held.lock.proof == Proof::Proven;
        let mut behind = facts.within(held.lock.expr);
        is_file_lock && behind.any(|id| facts.name(id) == Some(name))
    })
}

/// Removed in a loop that counts what it has freed against a budget.
fn is_trimmed(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let Some(around) = facts.innermost_loop(deletion.call.stmt()) else {
        return false;
    };
    let StmtKind::For { target, .. } = facts.stmt(around).kind else {
        return false;
    };
    let of_loop = |name: &str| facts.within(target).any(|id| facts.name(id) == Some(name));
    let counts = |id: &ExprId| facts.last_name(*id).is_some_and(says_budget);
    facts.name(deletion.path).is_some_and(of_loop)
        && facts
            .exprs_within(facts.stmt(around).span)
            .any(|id| counts(&id))
}

fn says_budget(name: &str) -> bool {
    topic::has_word(name, "freed reclaimed excess quota budget evicted")
}

/// `self.root / tag.path()` in a class that is a store.
fn is_entry_of_store(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let class = facts.class_of(deletion.call.scope());
    let is_store = class.is_some_and(|class| {
        says(
            facts,
            class,
            &["store", "storage", "repository", "registry", "spool"],
        )
    });
    is_store && starts_at_field(facts, deletion.path)
}

/// A file below a folder of the object, named by a key that callers give, where the class writes such files elsewhere:
/// whoever has the folder has the entries.
fn is_keyed_entry(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let scope = deletion.call.scope();
    let is_key = |id: ExprId| {
        let param = facts.parameter(id).map(|(_, param)| facts.text(param.name));
        topic::ends_in_word(param.unwrap_or(""), "key id token digest hash fingerprint")
    };
    let is_keyed = facts
        .values(deletion.path)
        .into_iter()
        .chain([deletion.path])
        .any(|value| facts.within(value).any(is_key));
    let mut others = facts.writes().filter(|write| write.call.scope() != scope);
    let Some(class) = facts.class_of(scope) else {
        let named_by = helper_of(facts, deletion.path);
        return is_keyed
            && named_by.is_some()
            && others.any(|write| helper_of(facts, write.path) == named_by);
    };
    let fills = |write: Write<'_>| {
        facts.class_of(write.call.scope()) == Some(class) && starts_at_field(facts, write.path)
    };
    is_keyed && starts_at_field(facts, deletion.path) && others.any(fills)
}

/// The function of the module that names a path: `path_of(key)`.
fn helper_of(facts: &Facts, path: ExprId) -> Option<ScopeId> {
    let values = facts.values(path).into_iter().chain([path]);
    values.into_iter().find_map(|value| {
        let call = facts.call(value)?;
        facts
            .name(call.function)
            .and_then(|_| facts.callee_scope(&call))
    })
}

fn starts_at_field(facts: &Facts, path: ExprId) -> bool {
    facts.values(path).into_iter().chain([path]).any(|value| {
        facts
            .within(value)
            .any(|id| facts.self_attribute(id).is_some())
    })
}

fn says(facts: &Facts, scope: ScopeId, wanted: &[&str]) -> bool {
    facts.scope_name(scope).is_some_and(|name| {
        let mut words = topic::words(name);
        words.any(|word| wanted.contains(&&*word))
    })
}

/// A parameter that names a model's archive or weights, in a file that works with a root of the cache.
fn is_of_model(cx: &Context<'_>, deletion: &Deletion<'_>) -> bool {
    let facts = cx.facts;
    let Some((function, param)) = facts.parameter(deletion.path) else {
        return false;
    };
    let material = topic::has_word(
        facts.text(param.name),
        "archive weights checkpoint package snapshot artifact",
    );
    let works_with_cache = facts.imports_root(cx.profile) || facts.uses_root(cx.profile);
    material && facts.calls_to(function).next().is_none() && works_with_cache
}

/// Removed to be linked anew: the name is one that others know.
fn is_relinked(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let links = |call: &Call<'_>| {
        let to = if call.is(&["os.symlink", "os.link"]) {
            call.arg(1, "dst")
        } else {
            call.receiver()
                .filter(|_| matches!(call.method(), Some("symlink_to" | "hardlink_to")))
        };
        to.is_some_and(|to| facts.is_same_path(to, deletion.path))
    };
    let scope = facts.stmt(deletion.call.stmt()).scope;
    facts
        .calls_of(scope)
        .any(|call| call.span().start > deletion.call.span().start && links(&call))
}

/// Found by a listing of a backend's own folder, in a function that cleans up by age or name.
fn is_listed(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let stmt = deletion.call.stmt();
    let class = facts.class_of(deletion.call.scope());
    let is_backend = class.is_some_and(|class| {
        says(
            facts,
            class,
            &[
                "store",
                "storage",
                "backend",
                "spool",
                "cache",
                "repository",
            ],
        )
    });
    let cleans = facts.function_name(stmt).is_some_and(|name| {
        topic::has_word(
            name,
            "cleanup clean expire expired purge prune sweep evict cull",
        )
    });
    is_backend && cleans && comes_from_listing(facts, deletion.path, 4)
}

fn comes_from_listing(facts: &Facts, path: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let lists = |iter: ExprId| {
        let lists_in_self = |call: Call<'_>| {
            call.is(&[
                "os.listdir",
                "os.scandir",
                "glob.glob",
                "glob.iglob",
                "os.walk",
            ]) || matches!(call.method(), Some("iterdir" | "glob" | "rglob"))
        };
        facts
            .within(iter)
            .filter_map(|id| facts.call(id))
            .any(|call| lists_in_self(call) && starts_at_field(facts, iter))
    };
    let by_binding = |id: ExprId| {
        facts
            .bindings_behind(id)
            .into_iter()
            .any(|binding| match binding.kind {
                BindingKind::Loop { iter, .. } => lists(iter),
                BindingKind::Value { value, .. } => comes_from_listing(facts, value, depth),
                _ => false,
            })
    };
    let in_loop = facts
        .ancestors(facts.expr(path).stmt)
        .any(|around| matches!(facts.stmt(around.stmt).kind, StmtKind::For { .. }));
    in_loop && facts.within(path).any(by_binding)
}
