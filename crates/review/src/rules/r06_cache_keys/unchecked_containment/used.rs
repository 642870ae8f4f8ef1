//! Calls that read, write, remove or serve a path.

use crate::facts::{Call, ExprId, Facts};

/// The calls that use a path, with the path: those that move or copy stand for both of theirs.
pub(super) fn used_paths(facts: &Facts) -> impl Iterator<Item = (Call<'_>, ExprId)> {
    facts.calls().flat_map(|call| {
        let target = call.positional(1).filter(|_| call.is(MOVERS));
        let paths = used_path(facts, &call).into_iter().chain(target);
        paths.map(move |path| (call, path))
    })
}

fn used_path(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    if call.is(USERS) {
        return call.positional(0);
    }
    if matches!(call.name(), "FileResponse" | "send_file") {
        return call.arg(0, "path");
    }
    // `upload.save(path)` of Werkzeug, of an image, of a table.
    if matches!(call.method(), Some("save" | "save_to")) {
        return call.positional(0);
    }
    let reads = matches!(
        call.method(),
        Some(
            "open" | "read_text" | "read_bytes" | "write_text" | "write_bytes" | "unlink" | "mkdir"
        )
    );
    call.receiver()
        .filter(|&receiver| reads && !facts.values(receiver).is_empty())
}

/// Functions that read, write, remove or serve the path that they are given first.
const USERS: &[&str] = &[
    "open",
    "io.open",
    "aiofiles.open",
    "os.makedirs",
    "os.remove",
    "os.unlink",
    "os.listdir",
    "os.scandir",
    "os.walk",
    "os.rename",
    "os.replace",
    "shutil.rmtree",
    "shutil.copy",
    "shutil.copy2",
    "shutil.copyfile",
    "shutil.copytree",
    "shutil.move",
    "PIL.Image.open",
    "cv2.imread",
    "cv2.imwrite",
    "numpy.load",
    "numpy.save",
    "torch.load",
    "joblib.load",
    "safetensors.torch.load_file",
    "zipfile.ZipFile",
];

/// Functions that put what lies under the first path under the second.
const MOVERS: &[&str] = &[
    "os.rename",
    "os.replace",
    "shutil.copy",
    "shutil.copy2",
    "shutil.copyfile",
    "shutil.copytree",
    "shutil.move",
];
