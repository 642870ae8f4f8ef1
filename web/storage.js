// The browser's store for reviews. It holds rows and texts and knows nothing of what is in them.
//
// A row is `{ id, revision, updated, kept }`. Its text lies apart, so that a change of a few words never
// rewrites megabytes. Revisions count the writes of a row: a write that expects another one than it finds
// changes nothing and gives back what it found, so that two tabs never overwrite each other.

const NAME = 'hunkwise';
const ROWS = 'reviews';
const TEXTS = 'texts';
// Milliseconds after which a store that does not open counts as refused.
const PATIENCE = 5_000;

/**
 * Opens the store. Fails where the browser forbids it.
 *
 * @param {(id: string) => void} onChange called when another tab wrote or deleted the row with this id.
 */
export async function openStore(onChange) {
  const database = await open();
  const others = new BroadcastChannel(NAME);
  others.onmessage = ({ data }) => onChange(data);
  // A later version of the page in another tab must not have to wait for this one.
  database.onversionchange = () => database.close();
  return new Store(database, others);
}

class Store {
  #database;
  #others;

  constructor(database, others) {
    this.#database = database;
    this.#others = others;
  }

  /** @returns {Promise<object[]>} every row, with `hasText`; the one written last comes first. */
  async rows() {
    const [rows, keys] = await this.#run('readonly', (rows, texts) => [rows.getAll(), texts.getAllKeys()]);
    const withText = new Set(keys);
    return rows
      .map((row) => ({ ...row, hasText: withText.has(row.id) }))
      .sort((one, other) => other.updated - one.updated);
  }

  /** @returns {Promise<object | undefined>} */
  async row(id) {
    const [row, key] = await this.#run('readonly', (rows, texts) => [rows.get(id), texts.getKey(id)]);
    return row && { ...row, hasText: key !== undefined };
  }

  /** @returns {Promise<string | undefined>} */
  async text(id) {
    const [text] = await this.#run('readonly', (rows, texts) => [texts.get(id)]);
    return text;
  }

  /**
   * Writes a row, and its text where one is given, both or neither.
   *
   * @param {number} revision the one that is there as far as the caller knows; 0 for a new row.
   * @returns {Promise<{ written: boolean, row?: object }>} the row as it is now; none where it was deleted.
   */
  async write(id, revision, kept, text) {
    let result;
    await this.#run('readwrite', (rows, texts, then) => {
      const found = rows.get(id);
      then(found, () => {
        if ((found.result?.revision ?? 0) !== revision) {
          result = { written: false, row: found.result };
          return;
        }
        const row = { id, revision: revision + 1, updated: Date.now(), kept };
        rows.put(row);
        if (text !== undefined) texts.put(text, id);
        result = { written: true, row };
      });
      return [];
    });
    if (result.written) this.#others.postMessage(id);
    return result;
  }

  async remove(id) {
    await this.#run('readwrite', (rows, texts) => [rows.delete(id), texts.delete(id)]);
    this.#others.postMessage(id);
  }

  // One transaction over both stores; the results of the requests that `ask` returns, once it is complete.
  // `then` goes on after a request, and whatever fails there fails the whole.
  #run(mode, ask) {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction([ROWS, TEXTS], mode);
      const stores = [ROWS, TEXTS].map((name) => transaction.objectStore(name));
      let requests = [];
      let failure;
      const then = (request, go) => {
        request.onsuccess = () => {
          try {
            go();
            // At once, and not when the page is idle again: it may be about to close.
            transaction.commit?.();
          } catch (error) {
            failure = error;
            transaction.abort();
          }
        };
      };
      transaction.oncomplete = () => resolve(requests.map((request) => request.result));
      transaction.onabort = () => reject(failure ?? transaction.error);
      requests = ask(...stores, then);
    });
  }
}

function open() {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The store does not open.')), PATIENCE);
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(ROWS, { keyPath: 'id' });
      request.result.createObjectStore(TEXTS);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('Another tab holds the store.'));
  });
}
