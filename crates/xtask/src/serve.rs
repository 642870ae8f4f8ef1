//! A static server for this machine that behaves as a host of the site has to.

use crate::headers;
use anyhow::{Result, anyhow};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tiny_http::{Header, Method, Request, Response};

/// Listens until dropped or waited for.
pub(crate) struct Server {
    http: Arc<tiny_http::Server>,
    threads: Vec<JoinHandle<()>>,
}

/// A page load asks for a handful of files at once.
const N_THREADS: usize = 4;

impl Server {
    /// Serves a folder on the loopback address; port 0 takes a free port.
    pub(crate) fn start(site: &Path, port: u16) -> Result<Server> {
        let http = tiny_http::Server::http(("127.0.0.1", port)).map_err(|error| {
            anyhow!("Port {port} cannot be listened on ({error}). Choose another with --port.")
        })?;
        let http = Arc::new(http);
        let threads = (0..N_THREADS)
            .map(|_| {
                let (http, site) = (Arc::clone(&http), site.to_path_buf());
                thread::spawn(move || answer_all(&http, &site))
            })
            .collect();
        Ok(Server { http, threads })
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.http.server_addr())
    }

    /// Blocks for as long as the server runs.
    pub(crate) fn wait(mut self) {
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for _ in 0..self.threads.len() {
            self.http.unblock();
        }
    }
}

fn answer_all(http: &tiny_http::Server, site: &Path) {
    while let Ok(request) = http.recv() {
        // The other end may be gone, which is its own affair.
        let _ = answer(request, site);
    }
}

fn answer(request: Request, site: &Path) -> std::io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(
            with_headers(Response::from_string("Only GET."), "x.txt").with_status_code(405),
        );
    }
    let Some(file) = file_of(request.url(), site) else {
        return not_found(request);
    };
    match File::open(&file) {
        Ok(content) if file.is_file() => {
            let name = file.to_string_lossy();
            request.respond(with_headers(Response::from_file(content), &name))
        }
        _ => not_found(request),
    }
}

fn not_found(request: Request) -> std::io::Result<()> {
    request
        .respond(with_headers(Response::from_string("Not found."), "x.txt").with_status_code(404))
}

/// The file that an address names; none where it could lead out of the folder.
fn file_of(url: &str, site: &Path) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let is_plain = path.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    });
    is_plain.then(|| site.join(path))
}

fn with_headers<R: std::io::Read>(response: Response<R>, name: &str) -> Response<R> {
    let kind = ("Content-Type", headers::content_type(name).to_owned());
    headers::table()
        .into_iter()
        .chain([kind])
        .filter_map(|(name, value)| Header::from_bytes(name, value).ok())
        .fold(response, Response::with_header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Option<&str>) {
        let expected = expected.map(|path| Path::new("site").join(path));
        assert_eq!(file_of(url, Path::new("site")), expected);
    }

    #[test]
    fn addresses_name_files_of_the_site() {
        check("/", Some("index.html"));
        check(
            "/snippets/web-1f/worker_client.js?x=1",
            Some("snippets/web-1f/worker_client.js"),
        );
    }

    #[test]
    fn no_address_leads_out_of_the_site() {
        check("/../Cargo.toml", None);
        check("//etc/passwd", None);
        check("/%2e%2e/Cargo.toml", None);
        check("/.git", None);
        check("http://elsewhere/", None);
    }
}
