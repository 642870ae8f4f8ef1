//! Programs that a file starts to write a path: `wget -O path`, `ffmpeg ... path`, `trtexec --saveEngine=path`.

use super::Facts;
use super::calls::Call;
use super::composition::Piece;
use super::hir::*;
use super::writes::Writing;

const STARTERS: &[&str] = &[
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
    "subprocess.Popen",
    "asyncio.create_subprocess_exec",
];

impl Facts {
    /// The path that a started program writes, where its arguments are shown.
    pub(super) fn written_by_program(&self, call: &Call<'_>) -> Option<(ExprId, Writing)> {
        let args = self.program(call)?;
        let name = self.string(*args.first()?)?.rsplit('/').next()?;
        match name {
            "wget" => Some((
                self.behind_flag(&args, &["-O", "--output-document"])?,
                Writing::Download,
            )),
            "curl" => Some((
                self.behind_flag(&args, &["-o", "--output"])?,
                Writing::Download,
            )),
            "unzip" => Some((self.behind_flag(&args, &["-d"])?, Writing::Extract)),
            "cp" | "rsync" => Some((*args.last()?, Writing::Copy)),
            "ffmpeg" => {
                let last = args.last().filter(|&&last| self.string(last).is_none())?;
                Some((*last, Writing::File))
            }
            "trtexec" => {
                let engine = args.iter().find_map(|&arg| self.engine(arg))?;
                Some((engine, Writing::File))
            }
            _ => None,
        }
    }

    /// Whether a call starts a program.
    pub(crate) fn runs_program(&self, call: &Call<'_>) -> bool {
        call.is(STARTERS)
    }

    /// The arguments of a started program, its name first.
    fn program(&self, call: &Call<'_>) -> Option<Vec<ExprId>> {
        if !call.is(STARTERS) {
            return None;
        }
        if call.name() == "create_subprocess_exec" {
            let args = call.args.iter().filter(|arg| arg.name.is_none());
            return Some(args.map(|arg| arg.value).collect());
        }
        let given = call.arg(0, "args")?;
        self.values(given)
            .into_iter()
            .find_map(|value| match &self.expr(value).kind {
                ExprKind::List(items) | ExprKind::Tuple(items) => Some(items.to_vec()),
                _ => None,
            })
    }

    fn behind_flag(&self, args: &[ExprId], flags: &[&str]) -> Option<ExprId> {
        let is_flag = |arg: &ExprId| self.string(*arg).is_some_and(|text| flags.contains(&text));
        let at = args.iter().position(is_flag)?;
        args.get(at + 1).copied()
    }

    /// `path` of `f"--saveEngine={path}"`.
    fn engine(&self, arg: ExprId) -> Option<ExprId> {
        let pieces = self.pieces(arg)?;
        let [Piece::Text(flag), Piece::Value(path)] = pieces.as_slice() else {
            return None;
        };
        (self.text(*flag) == "--saveEngine=").then_some(*path)
    }
}
