//! Objects that only one branch ends, while the other leads on with them open.

use super::closing::{Closing, How};
use super::risk::{Escape, Leak};
use super::{Holder, Made, Resource};
use crate::facts::{Facts, Kind, Part, StmtId, StmtKind};

impl Facts {
    /// The `if` behind an object's making in one arm of which all its closings stand.
    pub(super) fn branch_without_end(
        &self,
        made: &Made,
        holder: &Holder,
        closings: &[Closing],
    ) -> Option<Leak> {
        if !self.is_worth_each_branch(made) {
            return None;
        }
        let mut arms = closings.iter().map(|closing| self.arm_of(made, closing));
        let (branch, part) = arms.next()??;
        let alone = arms.all(|arm| arm == Some((branch, part)));
        let asks_for_it = self.first_in_arm_tests(branch, part, holder);
        (alone && !asks_for_it).then_some(Leak {
            stmt: branch,
            escape: Escape::Branch,
            guarded_later: false,
        })
    }

    /// Pools and threads are others' matter; a child process may go on in the background, unless somebody holds the
    /// other end of its pipes.
    fn is_worth_each_branch(&self, made: &Made) -> bool {
        let ends_by_itself = matches!(
            made.resource,
            Resource::Daemon
                | Resource::Object(
                    Kind::Executor
                        | Kind::Pool
                        | Kind::Thread
                        | Kind::Timer
                        | Kind::Process
                        | Kind::ExitStack
                        | Kind::EventLoop
                )
        );
        !ends_by_itself && (!made.resource.is(Kind::Subprocess) || self.has_pipes(made))
    }

    /// `Popen(..., stdout=PIPE)`, or with keywords that are put together before.
    fn has_pipes(&self, made: &Made) -> bool {
        let pipes = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == "PIPE")
        };
        self.call(made.call).is_some_and(|call| {
            let given = call.args.iter().filter(|arg| arg.name.is_some());
            let mut given = given.map(|arg| self.expr_text(arg.value));
            call.has_splat() || given.any(pipes)
        })
    }

    /// The outermost `if` between the making and a closing, and the arm of it.
    fn arm_of(&self, made: &Made, closing: &Closing) -> Option<(StmtId, Part)> {
        let direct = matches!(closing.how, How::Direct | How::With);
        let between = self
            .ancestors(closing.stmt)
            .take_while(|around| self.always_before(made.stmt, around.stmt));
        let mut outermost = None;
        for around in between {
            match self.stmt(around.stmt).kind {
                StmtKind::If { .. } => outermost = Some((around.stmt, around.part)),
                StmtKind::With { .. } => {}
                _ => return None,
            }
        }
        outermost.filter(|_| direct)
    }

    /// `if connection is not None:` asks for the object itself.
    fn first_in_arm_tests(&self, branch: StmtId, part: Part, holder: &Holder) -> bool {
        let inside = self.blocks(branch);
        let arm = inside.into_iter().find(|(of, _)| *of == part);
        let first = arm.and_then(|(_, block)| block.first());
        first.is_some_and(|&first| self.tests_holder(first, holder))
    }
}
