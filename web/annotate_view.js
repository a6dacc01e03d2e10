// What the page shows beside the passage. All foreign text goes into the document as text nodes.
import { shortened } from '/annotate_text.js';

export const find = (id) => document.getElementById(id);

/** An element with a class and children. Strings become text nodes. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Says in which language the text of an element is, for screen readers and line breaks. */
export function speaks(place, language) {
  if (language) place.lang = language; else place.removeAttribute('lang');
}

/** Text of others inside a sentence of ours: its direction cannot reorder what is around it. */
export function isolated(text, language) {
  const made = element('bdi', '', text);
  made.dir = 'auto';
  speaks(made, language);
  return made;
}

const key = (name) => element('kbd', '', name);

/** Says a text to screen readers, also if it is the text said last. */
export function announce(text) {
  find('announce').replaceChildren(element('span', '', text));
}

/** Shows a sentence above the answers. `blocks` is set if it says why an answer was not taken. */
export function message(text, blocks = false) {
  const place = find('message');
  place.classList.toggle('blocks', blocks);
  place.replaceChildren(...(text ? [element('span', '', text)] : []));
}

/** Shows what stays a problem, above everything; hidden by an empty text. */
export function banner(text) {
  const place = find('banner');
  if (place.textContent === text) return;
  place.textContent = text;
  place.hidden = !text;
}

/** Shows a page without a task: why there is none, and what comes next. */
export function showRest(title, text, button) {
  find('task').hidden = true;
  find('bar').hidden = true;
  find('rest').hidden = false;
  const changed = find('rest-title').textContent !== title;
  find('rest-title').textContent = title;
  find('rest-text').textContent = text;
  find('rest-button').hidden = !button;
  find('rest-button').textContent = button ?? '';
  if (changed) find('rest-title').focus({ preventScroll: true });
}

/** Shows the question, the title and the judge's answer of a task. The passage shows itself. */
export function showTask(task, campaign) {
  find('rest').hidden = true;
  find('task').hidden = false;
  find('bar').hidden = false;
  const { language } = task;
  const question = find('question');
  if (task.kind === 'evidence') {
    find('question-label').replaceChildren('Query: ', isolated(task.query, language));
    question.replaceChildren('Does this passage confirm that ', isolated(task.member ?? '', language), ' belongs to ',
      isolated(task.list ?? task.query, language), '?');
    question.dir = 'ltr';
    speaks(question, '');
  } else {
    find('question-label').textContent = task.kind === 'spans' ? 'Select the words that answer this query' : 'Query';
    question.textContent = task.query;
    question.dir = 'auto';
    speaks(question, language);
  }
  find('title').textContent = task.title ?? '';
  find('title').hidden = !task.title;
  for (const id of ['title', 'before', 'after']) speaks(find(id), language);
  find('before').textContent = task.before ?? '';
  find('after').textContent = task.after ?? '';
  find('context').disabled = !task.before && !task.after;
  showJudge(task.judge);
  find('main').scrollTop = 0;
}

function showJudge(judge) {
  const place = find('judge');
  place.hidden = !judge;
  if (!judge) return;
  const parts = [element('strong', '', 'The judge says: '), isolated(judge.answer)];
  if (typeof judge.probability === 'number') parts.push(` (probability ${judge.probability.toFixed(2)})`);
  place.replaceChildren(element('p', '', ...parts));
  if (judge.reason) place.append(element('p', '', isolated(judge.reason)));
}

/** Shows or hides the passages around this one, without moving this one on the screen. */
export function showContext(shown) {
  const passage = find('passage');
  const before = passage.getBoundingClientRect().top;
  for (const id of ['before', 'after']) find(id).hidden = !shown || !find(id).textContent;
  find('context').setAttribute('aria-pressed', String(shown));
  find('main').scrollTop += passage.getBoundingClientRect().top - before;
}

/** Lists the selected parts, each with a button. `remove(index)` is called by it. */
export function showParts(texts, remove) {
  const count = texts.length;
  find('parts-count').textContent = count === 0 ? 'No selected part' : `${count} selected part${count > 1 ? 's' : ''}`;
  find('parts').replaceChildren(...texts.map((text, index) => {
    const button = element('button', '', 'Remove');
    button.type = 'button';
    button.setAttribute('aria-label', `Remove: ${shortened(text)}`);
    button.addEventListener('click', () => {
      remove(index);
      (find('parts').querySelectorAll('button')[Math.min(index, count - 2)] ?? find('passage')).focus();
    });
    return element('li', '', isolated(shortened(text, 160)), button);
  }));
}

/** Makes the buttons of the answers: [{key, name, tone, act}]. */
export function showChoices(choices) {
  find('grades').replaceChildren(...choices.map(({ name, keys, tone, act }) => {
    const button = element('button', `tone${tone}`, key(keys[0]), ' ', isolated(name));
    button.type = 'button';
    button.dataset.key = keys[0];
    button.addEventListener('click', act);
    return button;
  }));
}

/** Rings the answer that was given before it was taken back. */
export function showEarlier(name) {
  for (const button of find('grades').children) {
    button.classList.toggle('earlier', name !== null && button.dataset.key === name);
  }
}

/** Fills the table of keys in the help: [[key names, text]]. */
export function showKeys(rows) {
  find('keys').replaceChildren(...rows.map(([names, text]) => element('tr', '',
    element('td', '', ...names.flatMap((name, index) => (index ? [' ', key(name)] : [key(name)]))), element('td', '', text))));
}

/**
 * Shows the guidelines: paragraphs, lines that start with "- " as lists, and lines that start with "#" as headings. If
 * they do not name all grades, the grades with their meanings follow.
 */
export function showGuidelines(campaign) {
  const parts = [element('h2', '', 'Guidelines')];
  let list = null;
  let lines = [];
  const flush = () => {
    if (lines.length > 0) parts.push(inDirection(element('p', '', lines.join(' '))));
    lines = [];
  };
  for (const line of campaign.guidelines.text.split(/\r?\n/)) {
    const item = /^\s*[-*]\s+(.*)$/.exec(line);
    const heading = /^#+\s+(.*)$/.exec(line);
    if (item || heading || !line.trim()) flush();
    if (item) {
      if (!list) parts.push(list = element('ul', ''));
      list.append(inDirection(element('li', '', item[1])));
      continue;
    }
    if (list && line.trim() && /^\s/.test(line)) {
      list.lastChild.append(` ${line.trim()}`);
      continue;
    }
    if (line.trim()) list = null;
    if (heading) parts.push(inDirection(element('h3', '', heading[1])));
    else if (line.trim()) lines.push(line.trim());
  }
  flush();
  if (!campaign.grades.every(({ name }) => campaign.guidelines.text.includes(name))) {
    const names = element('dl', '');
    for (const { grade, name, text } of campaign.grades) {
      names.append(element('dt', '', `${grade} `, isolated(name)), inDirection(element('dd', '', text ?? '')));
    }
    parts.push(element('h3', '', 'Answers'), names);
  }
  parts.push(element('p', 'version', `Version ${campaign.guidelines.version}`));
  find('guidelines').replaceChildren(...parts);
  find('guidelines-copy').replaceChildren(...parts.map((part) => part.cloneNode(true)));
}

function inDirection(made) {
  made.dir = 'auto';
  return made;
}

/** Shows how far the campaign is, also in the title of the window. */
export function showProgress(answered, total, title) {
  find('progress').max = Math.max(total, 1);
  find('progress').value = Math.min(answered, total);
  find('progress-text').textContent = `${answered} of ${total}`;
  document.title = `${answered} of ${total} – ${shortened(title, 60)}`;
}

/** Shows whether answers wait. */
export function showStatus(text, waits) {
  find('status').textContent = text;
  find('status').classList.toggle('waits', waits);
}

/** Whether a dialog covers the page. */
export const covered = () => document.querySelector('dialog[open]') !== null;

/** Opens a dialog; `closed` is called when it is closed. */
export function openDialog(id, closed = () => {}) {
  const dialog = find(id);
  if (dialog.open) return;
  dialog.addEventListener('close', closed, { once: true });
  dialog.showModal();
}
