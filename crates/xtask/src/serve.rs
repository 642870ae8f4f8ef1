//! A static server for this machine that behaves as a host of the site has to.

use crate::headers;
use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::map_response;
use axum::response::Response;
use std::future::pending;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tower_http::services::ServeDir;

/// Serves until it is dropped.
pub(crate) struct Server {
    runtime: Runtime,
    address: SocketAddr,
}

impl Server {
    /// Serves a folder on the loopback address; port 0 takes a free port.
    pub(crate) fn start(site: &Path, port: u16) -> Result<Server> {
        let runtime = Runtime::new()?;
        let listener = runtime
            .block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))
            .with_context(|| {
                format!("Port {port} is taken or not allowed. Choose another with --port.")
            })?;
        let address = listener.local_addr()?;
        let files = Router::new()
            .fallback_service(ServeDir::new(site))
            .layer(map_response(with_headers));
        runtime.spawn(async { axum::serve(listener, files).await });
        Ok(Server { runtime, address })
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Blocks for as long as the process runs.
    pub(crate) fn wait(self) {
        self.runtime.block_on(pending())
    }
}

async fn with_headers(mut response: Response) -> Response {
    for (name, value) in headers::table() {
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    /// The whole answer, head and body, to a request for `path` of this crate's folder.
    fn get(path: &str) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let server = Server::start(&folder, 0).unwrap();
        let mut stream = TcpStream::connect(server.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.to_lowercase()
    }

    #[test]
    fn every_header_comes_with_a_file_and_without_one() {
        for (path, status) in [("/sizes.mjs", "200"), ("/none", "404")] {
            let answer = get(path);
            assert!(
                answer.starts_with(&format!("http/1.1 {status}")),
                "{answer}"
            );
            for (name, value) in headers::table() {
                let header = format!("{name}: {value}").to_lowercase();
                assert!(answer.contains(&header), "{header} is missing in {answer}");
            }
        }
    }

    #[test]
    fn no_address_leads_out_of_the_site() {
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
            let answer = get(path);
            assert!(!answer.starts_with("http/1.1 200"), "{path}: {answer}");
        }
    }
}
