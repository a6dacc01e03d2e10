// What the page keeps in the browser, so that a reload, a crash or a lost network loses nothing.

/** A random UUID. Pages over plain http have no crypto.randomUUID. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Values as JSON in localStorage, under the names of one campaign and one annotator. */
export class Store {
  constructor(campaign, annotator) {
    this.prefix = `touchstone/${campaign}/${annotator}/`;
  }

  /** Whether the last value could be kept. False: storage is full or switched off. */
  works = true;

  read(name, otherwise) {
    try {
      const text = localStorage.getItem(this.prefix + name);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  }

  /** Returns whether the value is kept. */
  write(name, value) {
    try {
      localStorage.setItem(this.prefix + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  remove(name) {
    try { localStorage.removeItem(this.prefix + name); } catch { /* nothing is kept */ }
  }
}

const kAnswerWithinMs = 400;   // a live page answers a ping at once, even in the background
const kHandOverWithinMs = 1500;

/**
 * Lets one tab of an annotator work at a time. A page says in `tab` that it is the one. A second page pings it; if it
 * answers, the second page asks the person, and may ask for the place: the first page then saves, and gives it up.
 */
export class OneTab {
  #store;
  #me = uuid();
  #lost;

  /** `lost()` is called once when another tab takes the place; it must save what it has. */
  constructor(store, lost) {
    this.#store = store;
    this.#lost = lost;
    addEventListener('storage', (event) => this.#heard(event));
    addEventListener('pagehide', () => { if (this.mine) store.remove('tab'); });
    // A page out of the browser's back and forward cache knows nothing of what happened meanwhile.
    addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
  }

  /** Whether this page got the place and has not given it up. */
  held = false;

  /** Whether this page may write now. A page that was frozen finds out here that another one took over. */
  get mine() {
    if (this.held && this.#owner() && this.#owner() !== this.#me) this.#giveUp();
    return this.held;
  }

  /** Takes the place if it is free. Returns whether it was. */
  async claim() {
    const owner = this.#owner();
    if (owner && owner !== this.#me) {
      this.#store.remove('pong');
      this.#store.write('ping', uuid());
      await new Promise((resolve) => { setTimeout(resolve, kAnswerWithinMs); });
      if (this.#store.read('pong') === owner) return false;
    }
    this.#take();
    return true;
  }

  /** Takes the place from the other tab, which saves first. */
  async takeOver() {
    this.#store.write('wanted', this.#me);
    for (let waited = 0; waited < kHandOverWithinMs && this.#owner() !== this.#me; waited += 50) {
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    this.#store.remove('wanted');
    this.#take();
  }

  #owner() { return this.#store.read('tab'); }

  #take() {
    this.#store.write('tab', this.#me);
    this.held = true;
  }

  #heard({ key }) {
    if (!this.held || !key?.startsWith(this.#store.prefix)) return;
    const name = key.slice(this.#store.prefix.length);
    if (name === 'ping') this.#store.write('pong', this.#me);
    const wanted = name === 'wanted' ? this.#store.read('wanted') : null;
    if (wanted) {
      this.#giveUp(wanted);
    } else if (name === 'tab' && this.#owner() && this.#owner() !== this.#me) {
      this.#giveUp();
    }
  }

  // Only a page that still has the place may save; one that lost it would overwrite newer values.
  #giveUp(to) {
    if (to) this.#lost(true);
    this.held = false;
    if (to) this.#store.write('tab', to); else this.#lost(false);
  }
}

const kIdleAfterMs = 60000;

/** Milliseconds in which a task was in view: the page visible, in focus, not paused, and used within a minute. */
export class Stopwatch {
  #total = 0;
  #since = null;  // when counting went on, or null
  #lastInput = performance.now();
  #paused = () => false;

  /** `paused()` says whether something covers the task. */
  constructor(paused) {
    this.#paused = paused;
    for (const name of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'scroll']) {
      addEventListener(name, () => this.#input(), { capture: true, passive: true });
    }
    for (const name of ['focus', 'blur', 'pageshow', 'pagehide']) addEventListener(name, () => this.update());
    document.addEventListener('visibilitychange', () => this.update());
  }

  /** Starts with the milliseconds that the task has had already. */
  start(total) {
    this.#total = total;
    this.#since = null;
    this.#lastInput = performance.now();
    this.update();
  }

  stop() {
    this.#count();
    this.#since = null;
  }

  /** Milliseconds so far, a whole number. */
  get total() {
    if (this.#since !== null) this.update();
    return Math.round(this.#total);
  }

  /** To be called when something that pauses begins or ends. */
  update() {
    this.#count();
    const counts = document.visibilityState === 'visible' && document.hasFocus() && !this.#paused();
    this.#since = counts ? performance.now() : null;
  }

  #count() {
    if (this.#since === null) return;
    const until = Math.min(performance.now(), this.#lastInput + kIdleAfterMs);
    this.#total += Math.max(0, until - this.#since);
    this.#since = performance.now();
  }

  #input() {
    this.#count();
    this.#lastInput = performance.now();
  }
}
