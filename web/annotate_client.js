// Talks with the server: requests, and the queue of answers that is sent in order until each is stored.

/**
 * A request that failed. `kind`: `network` (try again), `signed_out` (no session, or another person's), `forbidden` (the
 * token is old), `refused` (the server will never take this request).
 */
export class RequestError extends Error {
  constructor(kind, message, retryAfterMs = 0) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

const kTimeoutMs = 20000;
const kKeepaliveBytes = 60000;  // browsers send up to 64 KiB after the page was closed

/** GET, or POST where `body` is given. Returns what the server sent; throws RequestError. */
export async function request(path, body, csrf) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), kTimeoutMs);
  try {
    const reply = await fetch(path, { method: text === undefined ? 'GET' : 'POST', headers, body: text,
      signal: stop.signal, cache: 'no-store', credentials: 'same-origin', redirect: 'error',
      keepalive: text !== undefined && text.length * 3 < kKeepaliveBytes });
    const json = await reply.json().catch(() => null);
    // A login page of a hotel's network answers 200 with HTML. That is no answer of ours.
    if (reply.ok && json) return json;
    const said = typeof json?.error === 'string' ? json.error : `status ${reply.status}`;
    const wait = Number(reply.headers.get('Retry-After')) * 1000 || 0;
    if (reply.status === 401) throw new RequestError('signed_out', said);
    if (reply.status === 403) throw new RequestError('forbidden', said);
    throw new RequestError(json && [400, 413, 422].includes(reply.status) ? 'refused' : 'network', said, wait);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError('network', String(error?.message ?? error));
  } finally {
    clearTimeout(timer);
  }
}

/** Whose page it is. Asks for a new token against forged requests when the server restarted. */
export class Session {
  #csrf = '';

  /** Reads the session. Throws RequestError. */
  async open() {
    const session = await request('/api/session');
    this.annotator ??= session.annotator;
    this.campaign ??= session.campaign;
    if (session.annotator !== this.annotator || session.campaign.id !== this.campaign.id) {
      throw new RequestError('signed_out',
        `this browser is signed in as ${session.annotator} now, not as ${this.annotator}; open your personal link again`);
    }
    this.#csrf = session.csrf;  // only now: nobody's answers may be sent in another's name
    return session;
  }

  async post(path, body) {
    try {
      return await request(path, body, this.#csrf);
    } catch (error) {
      if (error.kind !== 'forbidden') throw error;
    }
    await this.open();
    try {
      return await request(path, body, this.#csrf);
    } catch (error) {
      if (error.kind === 'forbidden') throw new RequestError('signed_out', error.message);
      throw error;
    }
  }
}

const kAnswersAPost = 50;
const kLongestWaitMs = 30000;

/** Waits longer after each failure: 1 s, 2 s, 4 s, up to 30 s, and not in step with other pages. */
export function waitMs(failures, atLeastMs = 0) {
  return Math.max(atLeastMs, Math.min(kLongestWaitMs, 1000 * 2 ** (failures - 1)) * (0.75 + Math.random() / 4));
}

/**
 * Sends answers in order, each until the server said that it has it. An answer has an id, so one that is sent twice is
 * stored once. `items` is [{answer, task}]; `task` comes back with a rejection.
 *
 * `listener` has saved(items), rejected(item, problem), progress(progress), and changed() for all else that the page
 * shows: `problem` is the last RequestError or null.
 */
export class AnswerQueue {
  #session;
  #listener;
  #sending = false;
  #timer = 0;
  #failures = 0;
  #batch = kAnswersAPost;

  problem = null;

  constructor(session, items, listener) {
    this.#session = session;
    this.items = items;
    this.#listener = listener;
    addEventListener('online', () => this.send());
    document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') this.send(); });
  }

  /** Adds an answer behind the others. Call send() when it is kept. */
  add(item) { this.items.push(item); }

  /** Sends what waits. Returns when all is sent or a request failed; the rest is tried again later. */
  async send() {
    if (this.#sending || this.items.length === 0 || !this.#listener.allowed()) return;
    clearTimeout(this.#timer);
    this.#sending = true;
    try {
      while (this.items.length > 0 && this.#listener.allowed()) await this.#sendBatch();
      this.problem = null;
      this.#failures = 0;
    } catch (error) {
      this.problem = error;
      this.#failures += 1;
      this.#timer = setTimeout(() => this.send(), waitMs(this.#failures, error.retryAfterMs));
    } finally {
      this.#sending = false;
    }
    this.#listener.changed();
  }

  async #sendBatch() {
    const sent = this.items.slice(0, this.#batch);
    let reply;
    try {
      reply = await this.#session.post('/api/answers', { answers: sent.map(({ answer }) => answer) });
    } catch (error) {
      if (error.kind !== 'refused') throw error;
      // One bad answer must not hold up the others: they go one by one, and the bad one back to the annotator.
      if (sent.length > 1) this.#batch = 1; else this.#finish(sent[0], 'rejected', error.message);
      return;
    }
    let known = 0;
    for (const { id, state, problem } of reply.results ?? []) {
      const item = sent.find(({ answer }) => answer.id === id);
      if (!item || !['stored', 'duplicate', 'rejected'].includes(state)) continue;
      ++known;
      this.#finish(item, state, problem);
    }
    if (known === 0) throw new RequestError('network', 'The server did not say what it did with the answers.');
    if (sent.length === 1) this.#batch = kAnswersAPost;
    if (reply.progress) this.#listener.progress(reply.progress);
  }

  #finish(item, state, problem) {
    this.items = this.items.filter((other) => other !== item);
    this.#listener.saved();
    if (state === 'rejected') this.#listener.rejected(item, problem || 'it gave no reason');
  }
}
