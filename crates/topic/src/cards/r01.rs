//! R1: global runtime state.

use crate::model::{KeyFile, ReferencePull, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 1,
    id: "R1",
    severity: Severity::Block,
    title: "Changes to the process's runtime state happen one at a time",
    what: "Whatever changes state that the whole process shares (TorchScript loading and scripting, a TensorRT engine build, \
           a CUDA context, an inference session kept where several threads find it) runs under the one lock that guards that state. \
           A model loader accepts the process-wide lock, uses it, and hands it on.",
    why: "TorchScript keeps one registry for the process and does not protect it. Two models loaded at the same moment \
         can corrupt it, and the failure shows up later, in another model. A lock that only one loader knows protects nothing.",
    asks: "Can two threads get here at once, and which lock do all of them share?",
    settled_if: "one shared lock is held around this, or only one thread ever runs it",
    safe: &[
        "The call stands under the shared lock: a `with` on it, or a context call that is given it.",
        "The object is under construction in its only owner and nobody else can see it yet.",
        "Autocast or inference mode is entered by a `with` around one computation, or by a decorator.",
        "It is an export, build or command-line script with one thread.",
        "`torch.jit.is_scripting()` and the like only ask.",
    ],
    bad: r#"import torch


class EmbeddingModel:
    def __init__(self, model, device):
        self._model = model
        self._device = device

    @classmethod
    def from_pretrained(cls, weights_path, device, torchscript_state_global_lock=None):
        model = torch.jit.load(weights_path, map_location=device)
        return cls(model=model.eval(), device=device)
"#,
    good: r#"import torch

from inference_models.models.common.torch import torchscript_global_lock


class EmbeddingModel:
    def __init__(self, model, device):
        self._model = model
        self._device = device

    @classmethod
    def from_pretrained(cls, weights_path, device, torchscript_state_global_lock=None):
        with torchscript_global_lock(torchscript_state_global_lock):
            model = torch.jit.load(weights_path, map_location=device)
        return cls(model=model.eval(), device=device)
"#,
    key_files: &[
        KeyFile {
            path: "inference/core/utils/torchscript_guard.py",
            shows: "A re-entrant lock around the replacement of `torch.jit.script`, put back in a `finally`.",
        },
        KeyFile {
            path: "inference/core/managers/base.py",
            shows: "Where `torchscript_state_global_lock` is made once and given to each model loader.",
        },
    ],
    references: &[ReferencePull {
        number: 2373,
        title: "Concurrent TorchScript loads are put behind one lock",
        checks: &[],
    }],
};
