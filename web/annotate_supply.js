// Gets tasks from the server before they are needed.
import { waitMs } from '/annotate_client.js';

const kHeldTasks = 2;       // that are to be there beside the one that is shown
const kTasksARequest = 3;
const kMostNamed = 100;     // tasks that the server lets a request name
const kAskAgainMs = 20000;  // where others hold the tasks that are left

/**
 * Tasks that come next: `items` is [{task, draft?}].
 *
 * `listener` has allowed(), which says whether this page may work; has(), the ids of the tasks that are shown or whose
 * answers wait; isNeeded(), which says whether no task is shown; arrived(), called after each request;
 * version(), a number that changes with each answer; and progress(progress), called if it did not change meanwhile.
 */
export class TaskSupply {
  #session;
  #listener;
  #asking = false;
  #timer = 0;
  #failures = 0;

  items = [];

  /** What the server said last: `more`, `wait` (others hold the tasks that are left), `done`; or a RequestError; or null. */
  state = null;

  constructor(session, listener) {
    this.#session = session;
    this.#listener = listener;
    addEventListener('online', () => this.fill(true));
  }

  /** The next task, or null. */
  take() { return this.items.shift() ?? null; }

  /** Puts a task before the others, for instance one that was shown already. */
  putFirst(item) { this.items = [item, ...this.items.filter(({ task }) => task.id !== item.task.id)]; }

  drop(id) { this.items = this.items.filter(({ task }) => task.id !== id); }

  /** Asks for tasks if few are left. `now`: also if the last request failed, or brought none, a short while ago. */
  async fill(now = false) {
    if (this.#asking || !this.#listener.allowed() || this.items.length >= kHeldTasks || (this.#timer && !now)) return;
    const ended = this.state === 'wait' || this.state === 'done';
    if (ended && !now && (this.items.length > 0 || !this.#listener.isNeeded())) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#asking = true;
    let again = 0;
    try {
      again = await this.#ask();
      this.#failures = 0;
    } catch (error) {
      this.state = error;
      this.#failures += 1;
      again = waitMs(this.#failures, error.retryAfterMs);
    }
    this.#asking = false;
    if (!this.#listener.allowed()) return;
    if (again) this.#timer = setTimeout(() => this.fill(true), again);
    this.#listener.arrived();
    if (this.state === 'more') this.fill();
  }

  // Returns after how many milliseconds to ask again, or 0.
  async #ask() {
    const have = new Set([...this.items.map(({ task }) => task.id), ...this.#listener.has()]);
    const version = this.#listener.version();
    const reply = await this.#session.post('/api/next', { count: kTasksARequest, have: [...have].slice(0, kMostNamed) });
    const known = new Set([...this.items.map(({ task }) => task.id), ...have, ...this.#listener.has()]);
    const fresh = reply.tasks.filter(({ id }) => !known.has(id));
    this.items.push(...fresh.map((task) => ({ task })));
    this.state = reply.state === 'more' && fresh.length === 0 ? 'wait' : reply.state;
    if (reply.progress && version === this.#listener.version()) this.#listener.progress(reply.progress);
    return this.state === 'wait' ? kAskAgainMs : 0;
  }
}
