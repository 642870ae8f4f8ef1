//! The headers that the site needs, in one table: the server sends them, and the host files carry them.

/// Nothing loads but the site's own files; the two GitHub hosts are asked only when a user opens a pull request.
const POLICY: &[&str] = &[
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "connect-src 'self' https://api.github.com https://raw.githubusercontent.com",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types hunkwise",
];

/// Browsers refuse these in a `<meta>` tag, with a complaint on the console.
const NOT_IN_META: &[&str] = &["frame-ancestors 'none'"];

/// What the page never asks a user for, so that no script on it can.
const NOT_USED: [&str; 6] = [
    "camera",
    "display-capture",
    "geolocation",
    "microphone",
    "payment",
    "usb",
];

fn nobody(feature: &str) -> String {
    format!("{feature}=()")
}

/// Every header of every file, in the order sent.
pub(crate) fn table() -> Vec<(&'static str, String)> {
    vec![
        ("Content-Security-Policy", POLICY.join("; ")),
        ("Referrer-Policy", "no-referrer".to_owned()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
        ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
        ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
        // Links to pull requests stand on the page; nobody is to learn of them before one is followed.
        ("X-DNS-Prefetch-Control", "off".to_owned()),
        ("Permissions-Policy", NOT_USED.map(nobody).join(", ")),
        // File names do not change with their content, so each use asks whether they are still the newest.
        ("Cache-Control", "no-cache".to_owned()),
    ]
}

/// The policy as a tag, for hosts that send no header of ours. It binds the page, not the worker.
pub(crate) fn meta_tag() -> String {
    let policy: Vec<&str> = POLICY
        .iter()
        .copied()
        .filter(|directive| !NOT_IN_META.contains(directive))
        .collect();
    let policy = policy.join("; ");
    format!(r#"<meta http-equiv="Content-Security-Policy" content="{policy}">"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_leaves_out_only_what_browsers_refuse_there() {
        let tag = meta_tag();
        assert!(!tag.contains("frame-ancestors"), "{tag}");
        assert!(
            tag.contains("default-src 'none'; script-src 'self'"),
            "{tag}"
        );
    }
}
