// Stands in for GitHub: answers what the page asks, as the real API does, and remembers what was asked.

const API = 'https://api.github.com';
const RAW = 'https://raw.githubusercontent.com';

// What the API lets scripts of other pages see.
const SHARED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset',
};

/**
 * A stand-in that knows some pull requests, commits and files.
 *
 * @param {object} known
 * @param {Record<string, object>} known.json what stands at a path of the API, query included
 * @param {Record<string, string>} known.diffs the diff at a path of the API; without one, 406 as for a large change
 * @param {Record<string, string>} known.files the text of a whole file, by `OWNER/NAME/COMMIT/PATH`
 * @param {(asked: Asked, route) => boolean | Promise<boolean>} known.before answers in its own way where it gives true
 * @returns {{ answer(route): Promise<void>, asked: Asked[] }} `answer` is the `github` option of `onPage`
 *
 * @typedef {{ host: string, path: string, accept: string, authorization: string | undefined }} Asked
 */
export function gitHub({ json = {}, diffs = {}, files = {}, before = () => false } = {}) {
  const asked = [];
  async function answer(route) {
    const request = route.request();
    // Headers beyond the common ones make the browser ask first.
    if (request.method() === 'OPTIONS') return preflight(route);
    const url = new URL(request.url());
    const one = {
      host: url.hostname,
      path: url.pathname.slice(1) + url.search,
      accept: request.headers().accept ?? '',
      authorization: request.headers().authorization,
    };
    asked.push(one);
    if (await before(one, route)) return;
    if (url.origin === RAW) return file(route, files[decodeURIComponent(one.path)]);
    const content = contentsOf(one.path);
    if (content) return file(route, files[content]);
    if (!(one.path in json)) return refuse(route, 404, 'Not Found');
    if (!one.accept.includes('diff')) return ok(route, JSON.stringify(json[one.path]), 'application/json; charset=utf-8');
    if (!(one.path in diffs)) return tooLarge(route);
    return ok(route, diffs[one.path], 'application/vnd.github.diff; charset=utf-8');
  }
  return { answer, asked };
}

/** Refuses as the API does, with its document. */
export function refuse(route, status, message, headers = {}) {
  return route.fulfill({
    status,
    headers: { ...SHARED, ...left(59), 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify({ message, documentation_url: 'https://docs.github.com/rest', status: String(status) }),
  });
}

/** The headers of an answer after which so many requests are left, until `reset`. */
export function left(remaining, reset = new Date(Date.now() + 15 * 60_000)) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-used': String(60 - remaining),
    'x-ratelimit-reset': String(Math.floor(reset.getTime() / 1000)),
    'x-ratelimit-resource': 'core',
  };
}

/** The document of a pull request. */
export function pull({ repo, number, title = 'Dispatch in the background', files = 1, fork = repo, base, head }) {
  return {
    number,
    title,
    state: 'open',
    html_url: `https://github.com/${repo}/pull/${number}`,
    changed_files: files,
    base: { ref: 'main', sha: base, repo: { full_name: repo } },
    head: { ref: 'background', sha: head, repo: fork && { full_name: fork } },
  };
}

/** The list of a change's files, cut into pages of a hundred by the path that asks for each. */
export function pages(path, files) {
  const all = {};
  for (let page = 1; page <= Math.floor(files.length / 100) + 1; page += 1) {
    all[`${path}?per_page=100&page=${page}`] = files.slice((page - 1) * 100, page * 100);
  }
  return all;
}

function tooLarge(route) {
  return refuse(
    route,
    406,
    "Sorry, the diff exceeded the maximum number of files (300). Consider using 'List pull requests files' API or locally cloning the repository instead.",
  );
}

function ok(route, body, type) {
  return route.fulfill({ status: 200, headers: { ...SHARED, ...left(41), 'content-type': type }, body });
}

function file(route, text) {
  const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/plain; charset=utf-8' };
  if (text === undefined) return route.fulfill({ status: 404, headers, body: '404: Not Found' });
  return route.fulfill({ status: 200, headers, body: text });
}

// `repos/OWNER/NAME/contents/PATH?ref=COMMIT` as the key of a file.
function contentsOf(path) {
  const match = /^repos\/([^/]+\/[^/]+)\/contents\/([^?]+)\?ref=(.+)$/.exec(path);
  return match && `${match[1]}/${match[3]}/${decodeURIComponent(match[2])}`;
}

function preflight(route) {
  return route.fulfill({
    status: 204,
    headers: { ...SHARED, 'access-control-allow-headers': 'Authorization, Accept', 'access-control-allow-methods': 'GET' },
  });
}
