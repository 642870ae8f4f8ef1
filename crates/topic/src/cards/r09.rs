//! R9: contexts and resources.

use crate::model::{KeyFile, ReferencePull, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 9,
    id: "R9",
    severity: Severity::Flag,
    title: "Contexts are left and resources closed on every path",
    what: "What is entered is left and what is opened is closed, also when something raises or returns early: \
           by `with`, by `finally`, or by the close method of the object that owns it. \
           A constructor that enters a context has its counterpart in the class.",
    why: "A context that a model enters while it loads stays on for the whole process: \
         with a leaked autocast every later model computes in another precision. \
         Open captures, sockets and files run out after days, not in the test.",
    asks: "What leaves or closes this when a later step raises?",
    settled_if: "its owner does so on every path, errors included",
    safe: &[
        "`with`, or a close in `finally`.",
        "The object is returned or stored on an owner whose close method ends it.",
        "A context manager made from a generator, with its `yield` inside try/finally.",
        "Memory-like resources that are closed in `__del__`.",
    ],
    bad: r#"import torch


class MaskPredictor:
    def __init__(self, model, device):
        self._model = model
        self._autocast = torch.autocast(device, dtype=torch.bfloat16)
        self._autocast.__enter__()

    def predict(self, image):
        return self._model(image)
"#,
    good: r#"import torch


class MaskPredictor:
    def __init__(self, model, device):
        self._model = model
        self._device = device

    def predict(self, image):
        with torch.autocast(self._device, dtype=torch.bfloat16):
            return self._model(image)
"#,
    key_files: &[KeyFile {
        path: "inference_models/inference_models/models/sam3/sam3_torch.py",
        shows: "The context that a dependency leaves entered is taken out again right after the build.",
    }],
    references: &[ReferencePull {
        number: 2363,
        title: "A bfloat16 autocast entered while a model was built stayed on",
        checks: &[],
    }],
};
