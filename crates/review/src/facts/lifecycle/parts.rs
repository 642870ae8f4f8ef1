//! Calls that give a pair of which one item, or each, has to be ended: `fd, path = mkstemp()`.

use super::{Keeper, Made, Resource};
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, StmtKind};

/// The items of a call's result that somebody has to end, by their places.
type Parts = &'static [(u32, Resource)];

impl Facts {
    /// The items of a pair that a call makes.
    pub(super) fn parts_made<'f>(&'f self, call: &Call<'f>) -> impl Iterator<Item = Made> + 'f {
        let (id, stmt) = (call.id, call.stmt());
        self.parts_of(call)
            .iter()
            .map(move |&(place, resource)| Made {
                call: id,
                stmt,
                resource,
                keeper: self.keeper_of_item(id, place),
            })
    }

    fn parts_of(&self, call: &Call<'_>) -> Parts {
        if call.is(&["tempfile.mkstemp"]) {
            return &[(0, Resource::Descriptor), (1, Resource::KeptTempFile)];
        }
        if call.is(&["os.pipe"]) {
            return &[(0, Resource::Descriptor), (1, Resource::Descriptor)];
        }
        if call.is(&["socket.socketpair"]) {
            return &[
                (0, Resource::Object(Kind::Socket)),
                (1, Resource::Object(Kind::Socket)),
            ];
        }
        if call.is(&["os.openpty", "pty.openpty"]) {
            return &[(0, Resource::Descriptor), (1, Resource::Descriptor)];
        }
        if call.is(&["asyncio.open_connection"]) {
            return &[(1, Resource::Connection)];
        }
        // A web socket is accepted by an `await`, and gives nothing.
        let accepts = call.method() == Some("accept") && call.args.is_empty() && !call.is_awaited();
        if accepts && self.is_listening(call) {
            return &[(0, Resource::Object(Kind::Socket))];
        }
        &[]
    }

    fn is_listening(&self, call: &Call<'_>) -> bool {
        call.receiver().is_some_and(|receiver| {
            let named = |name: &str| {
                ["sock", "socket", "server", "listener"]
                    .iter()
                    .any(|word| topic::says(name, word))
            };
            self.is_proven(receiver, Kind::Socket) || self.last_name(receiver).is_some_and(named)
        })
    }

    /// Who keeps one item of a pair.
    fn keeper_of_item(&self, id: ExprId, place: u32) -> Keeper {
        let Some(parent) = self.expr(id).parent else {
            return self.keeper_of_assigned_item(id, place);
        };
        match &self.expr(parent).kind {
            ExprKind::Await(_) => self.keeper_of_item(parent, place),
            ExprKind::Subscript { object, index } if *object == id => {
                let taken = index.first().is_some_and(|&index| {
                    self.expr_text(index) == place.to_string() && index != id
                });
                if taken {
                    self.keeper_of(parent)
                } else {
                    Keeper::Dropped
                }
            }
            _ => Keeper::Elsewhere,
        }
    }

    fn keeper_of_assigned_item(&self, id: ExprId, place: u32) -> Keeper {
        match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::Expr(_) => Keeper::Dropped,
            StmtKind::Return(_) => Keeper::Returned,
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } if *value == id => targets
                .first()
                .and_then(|&target| self.item(target, place))
                .map_or(Keeper::Elsewhere, |item| self.keeper_by_target(item)),
            _ => Keeper::Elsewhere,
        }
    }
}
