// The keys of the page on which people judge.
import { find, covered } from '/annotate_view.js';

/**
 * The answers that can be given, from the lowest: [{keys, name, tone, act}]. `tone` is a colour of the style sheet, 0 to
 * 3. `answer(given, key)` takes one.
 */
export function choicesOf({ kind, grades }, answer) {
  if (kind === 'spans') {
    return [{ keys: ['0', 'n'], name: 'None', tone: 0, act: () => answer({ none: true }, '0') },
      { keys: ['1', 'y'], name: 'Save the selected words', tone: 3, act: () => answer({}, '1') }];
  }
  const last = Math.max(grades.length - 1, 1);
  return grades.map(({ grade, name }, index) => {
    const keys = [String(grade)];
    if (kind === 'evidence') keys.push(grade > 0 ? 'y' : 'n');
    return { keys, name, tone: Math.round(index * 3 / last), act: () => answer({ grade }, keys[0]) };
  });
}

/** Rows of the help's table. `choices` are the answers with their keys. */
export function keyTable(choices) {
  return [
    ...choices.map(({ keys, name }) => [keys, `${name}: saves, and goes on to the next task`]),
    [['s'], 'Skip this task'],
    [['d'], 'Mark the task as difficult, or not'],
    [['r'], 'Write a reason; Enter or Escape leaves the field'],
    [['c'], 'Show or hide the text around the passage'],
    [['g'], 'Go to the guidelines'],
    [['u'], 'Take your last answer back'],
    [['?'], 'This help'],
    [['←', '→', '↑', '↓'], 'In the passage: to the next word, or the next line'],
    [['Space'], 'In the passage: first and last word of a selected part (or Enter)'],
    [['Delete'], 'In the passage: remove the selected part under the cursor (or Backspace)'],
    [['Ctrl+Z'], 'Take the last change of the selected parts back'],
    [['Esc'], 'Leave a field, a dialog, or a part that was begun'],
  ];
}

// What a key means on every keyboard: digits need Shift on some, and letters of other scripts are on the keys of ours.
function meaning({ key, code, shiftKey }) {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code);
  if (digit && !shiftKey) return digit[1];
  if (/^[!-~]$/.test(key)) return key.toLowerCase();
  return /^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : key;
}

const isField = (target) => target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');

/**
 * Calls acts[key]() for each key that is pressed, once until it is let go. Never while typing, with Ctrl, Alt or Meta,
 * or while a dialog is open. `allowed()` says whether single keys are switched on, `hasTask()` whether one is shown.
 */
export function listenToKeys({ acts, passage, allowed, hasTask }) {
  const down = new Set();
  addEventListener('keyup', ({ code }) => down.delete(code));
  addEventListener('blur', () => down.clear());
  addEventListener('keydown', (event) => {
    const repeated = event.repeat || down.has(event.code);
    if (event.code) down.add(event.code);
    if (event.isComposing || covered()) return;
    if (isField(event.target)) {
      if (event.key === 'Escape' || event.key === 'Enter') {
        find('question').focus({ preventScroll: true });
        event.preventDefault();
      }
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'z') {
      if (hasTask() && passage.undo()) event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (hasTask() && !passage.cancelMark()) find('question').focus({ preventScroll: true });
      return;
    }
    if (hasTask() && passageKey(event, passage)) {
      event.preventDefault();
      return;
    }
    const act = acts[meaning(event)];
    if (!act || !allowed()) return;
    event.preventDefault();
    if (!repeated) act();
  });
}

// Arrows to the left and right also lead into the passage from where the focus is after each task.
function passageKey(event, passage) {
  const inside = document.activeElement === find('passage');
  const idle = [document.body, find('question'), find('main')].includes(document.activeElement);
  if (!inside && !(idle && ['ArrowLeft', 'ArrowRight'].includes(event.key))) return false;
  if (!inside) find('passage').focus({ preventScroll: true });
  return passage.key(event);
}
