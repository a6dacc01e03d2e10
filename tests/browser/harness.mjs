// Starts the real program, and drives its page in Chromium as a person would.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const program = process.env.TOUCHSTONE ?? path.join(root, 'build/release/touchstone');
export const require = createRequire(path.join(root, 'build/browser/package.json'));
const { chromium } = require('playwright-core');

/** Time after which the page takes the next answer, and a little more. */
const kSettleMs = 280;

let browser;

/** Starts Chromium once for a file of tests. */
export async function openBrowser() {
  // Grey letters make small images. Root cannot use the sandbox.
  const args = ['--disable-lcd-text', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** A task with a passage of ours; `fields` replace what is different. */
export function task(number, fields = {}) {
  return { id: `t${number}`, kind: 'grade', topic: `q${number}`, docid: `d${number}`, query: `query ${number}`, title: `Page ${number}`,
    text: `Passage number ${number} has some words, so that one can select a few of them.`, ...fields };
}

export const tasks = (count, fields = {}) => Array.from({ length: count }, (_, index) => task(index + 1, fields));

/** The program as a server, in a folder of its own. `restart()` uses the same folder and port. */
export class Server {
  #process;
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'touchstone-browser-'));
  #flags;
  #port = 0;

  /** Serves a list of tasks, or null for those of the bundled wiki's collection. */
  static async start(list, { people = ['Ann'], overlap = people.length, flags = [], guidelines } = {}) {
    const server = new Server();
    const from = list ? ['--tasks', server.#file('given.jsonl')] : [server.#demoWiki()];
    if (list) fs.writeFileSync(server.#file('given.jsonl'), list.map((one) => `${JSON.stringify(one)}\n`).join(''));
    fs.writeFileSync(server.#file('people.txt'), people.map((name) => `${name}\n`).join(''));
    server.#flags = [...from, '--annotators', server.#file('people.txt'),
      '--out', server.#file('out'), '--overlap', String(overlap), ...flags];
    if (guidelines) {
      fs.writeFileSync(server.#file('guidelines.txt'), guidelines);
      server.#flags.push('--guidelines', server.#file('guidelines.txt'));
    }
    server.people = people;
    await server.restart();
    return server;
  }

  #file(name) { return path.join(this.#folder, name); }

  #demoWiki() {
    execFileSync(program, ['--progress', 'never', 'build', '--config', path.join(root, 'configs/miniwiki.toml'), '--work', this.#file('wiki'),
      '--dump', path.join(root, 'examples/miniwiki/miniwiki-20250101-pages-articles.xml')], { stdio: 'pipe' });
    return this.#file('wiki/collection');
  }

  async restart() {
    const child = spawn(program, ['annotate', ...this.#flags, '--bind', `127.0.0.1:${this.#port}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    let said = '';
    child.stderr.on('data', (bytes) => { said += bytes; });
    const links = {};
    await new Promise((resolve, reject) => {
      let text = '';
      child.on('exit', (code) => reject(new Error(`the server ended with status ${code}: ${said}`)));
      child.stdout.on('data', (bytes) => {
        text += bytes;
        for (const line of text.split('\n').slice(0, -1)) {
          const [name, link] = line.split('\t');
          links[name] = link;
        }
        if (Object.keys(links).length === this.people.length + 1) resolve();
      });
    });
    this.links = links;
    this.url = new URL(links.owner).origin;
    this.#port = new URL(links.owner).port;
  }

  /** Ends the server as a power cut would, or with another signal. */
  async end(signal = 'SIGKILL') {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => { child.once('exit', resolve); });
    child.kill(signal);
    await ended;
  }

  /** Ends the server as a power cut would, and reads the answers that count from what is on the disk. */
  async answers() {
    await this.end();
    execFileSync(program, ['annotate', ...this.#flags, '--export-only'], { stdio: 'pipe' });
    const text = fs.readFileSync(this.#file('out/annotations.jsonl'), 'utf8');
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }

  async remove() {
    await this.end();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs a test with a server, and removes it afterwards. */
export async function withServer(list, options, run) {
  const server = await Server.start(list, options);
  try {
    await run(server);
  } finally {
    await server.remove();
  }
}

/** An annotator's browser: a context of its own, with what the page reports against itself. */
export class Desk {
  /** Errors of scripts and violations of the content policy. */
  problems = [];

  /** `options` are those of Playwright's newContext(). */
  static async open(link, options = {}) {
    const desk = new Desk();
    const chrome = await openBrowser();
    desk.context = await chrome.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options });
    desk.page = await desk.newPage();
    await desk.page.goto(link);
    return desk;
  }

  async newPage() {
    const page = await this.context.newPage();
    page.setDefaultTimeout(20000);
    page.on('pageerror', (error) => this.problems.push(error.stack));
    page.on('console', (message) => { if (/Content Security Policy/.test(message.text())) this.problems.push(message.text()); });
    return page;
  }

  close() { return this.context.close(); }

  /** Id of the task that is shown; waits for one. */
  async task() {
    await this.page.waitForSelector('#main[data-task]');
    return this.page.getAttribute('#main', 'data-task');
  }

  text(selector) { return this.page.textContent(selector); }

  /** Presses a key once the page takes answers. */
  async press(key) {
    await this.task();
    await this.page.waitForTimeout(kSettleMs);
    await this.page.keyboard.press(key);
  }

  /** Presses a key that ends the task, and waits for the next one, or the end. Returns the id of the task. */
  async answer(key) {
    const id = await this.task();
    await this.press(key);
    await this.page.waitForFunction((before) => document.getElementById('main').dataset.task !== before, id);
    return id;
  }

  async saved() { await this.page.waitForFunction(() => document.getElementById('status').textContent === 'All saved'); }

  /** Waits until a part of the page has a text. */
  async says(selector, text) {
    try {
      await this.page.waitForFunction(([where, what]) => document.querySelector(where)?.textContent.includes(what), [selector, text]);
    } catch {
      throw new Error(`${selector} says "${await this.text(selector)}", not "${text}"`);
    }
  }

  marks() { return this.page.locator('#passage mark').allTextContents(); }

  focus() { return this.page.evaluate(() => document.activeElement?.id); }

  isOpen(dialog) { return this.page.evaluate((id) => document.getElementById(id).open, dialog); }

  /** Middle of the first place of a text in the passage, or its left or right end (`edge` -1 or 1), in pixels. */
  place(text, edge = 0) {
    return this.page.evaluate(([wanted, side]) => {
      const passage = document.getElementById('passage');
      const at = passage.textContent.indexOf(wanted);
      if (at < 0) throw new Error(`the passage has no "${wanted}"`);
      const walker = document.createTreeWalker(passage, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let seen = 0;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const end = seen + node.length;
        if (seen <= at && at < end) range.setStart(node, at - seen);
        if (seen < at + wanted.length && at + wanted.length <= end) range.setEnd(node, at + wanted.length - seen);
        seen = end;
      }
      const box = range.getClientRects()[0];
      return { x: side < 0 ? box.left + 1 : side > 0 ? box.right - 1 : (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    }, [text, edge]);
  }

  /** Drags from the middle of one text to the middle of another. */
  async drag(from, to, { key } = {}) {
    const [begin, end] = [await this.place(from), await this.place(to)];
    const { mouse, keyboard } = this.page;
    if (key) await keyboard.down(key);
    await mouse.move(begin.x, begin.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 4 });
    await mouse.up();
    if (key) await keyboard.up(key);
  }
}

/** Text of a span in code points. */
export const spanText = (text, [begin, end]) => Array.from(text).slice(begin, end).join('');
