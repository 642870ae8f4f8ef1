//! Who is given an object for a while, and who may keep it.

use super::escapes::is_stub;
use super::{HeldUse, HeldUseKind};
use crate::facts::{Facts, StmtKind};

/// Arguments of a request or an upload that hold what is sent.
pub(super) const BODIES: &[&str] = &["files", "data", "content", "Body"];

/// Functions that read a file to its end and do not close it.
pub(super) const READERS: &[&str] = &[
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
    /// `return prepare(folder)`: what comes back may lie in the folder.
    pub(super) fn is_lent_to_caller(&self, of: &HeldUse) -> bool {
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
        !shown && !builtin && !is_stub(&call) && !BORROWERS.contains(&first)
    }
}
