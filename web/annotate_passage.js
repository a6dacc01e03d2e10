// The passage on the page: shows text with its marks, and turns mouse, touch and keys into spans.
import { mergeSpans, Offsets, pieces, shortened, spanAt, spansForServer, spansFromServer, Words } from '/annotate_text.js';
import { speaks } from '/annotate_view.js';

const kLinesToLookAt = 400;  // words that a step to the line above or below looks at

/**
 * `element` holds the passage's text and nothing else, so an offset into its text is an offset into the passage.
 * Calls `changed()` when spans change, and `announce(text)` with what a screen reader should say.
 */
export class Passage {
  #element;
  #changed;
  #announce;
  #text = '';
  #offsets;
  #words;
  #mentions = [];
  #judge = [];
  #spans = [];
  #cursor = null;  // the word on which the keyboard is
  #anchor = null;  // the word at which a new span starts, while it is being marked
  #nodes = [];     // [{node, begin}] of all text nodes, in order
  #undone = [];    // earlier spans, for Ctrl+Z
  #dragged = false;  // whether the next click is the end of a drag that selected

  /** Whether selections keep their exact characters. */
  exact = false;

  constructor(element, changed, announce) {
    this.#element = element;
    this.#changed = changed;
    this.#announce = announce;
    addEventListener('pointerdown', () => { this.#dragged = false; }, { capture: true });
    element.addEventListener('click', (event) => this.#clicked(event));
  }

  /** Shows a task. `spans` are in code points. */
  show(task, spans) {
    this.#text = task.text;
    this.#offsets = new Offsets(task.text);
    this.#words = new Words(task.text, task.language);
    this.#mentions = spansFromServer(task.mentions, this.#offsets);
    this.#judge = spansFromServer(task.judge?.spans, this.#offsets);
    this.#spans = spansFromServer(spans, this.#offsets);
    this.#cursor = null;
    this.#anchor = null;
    this.#undone = [];
    speaks(this.#element, task.language);
    this.#draw();
  }

  /** The selected parts in code points. */
  get spans() { return spansForServer(this.#spans, this.#offsets); }

  /** The texts of the selected parts. */
  get texts() { return this.#spans.map(([begin, end]) => this.#text.slice(begin, end)); }

  /** Whether a span was begun and not ended. */
  get marking() { return this.#anchor !== null; }

  get hasJudgeSpans() { return this.#judge.length > 0; }

  remove(index) {
    const [[begin, end]] = this.#spans.slice(index, index + 1);
    this.#set(this.#spans.filter((_, at) => at !== index), `Removed: ${shortened(this.#text.slice(begin, end))}`);
  }

  takeJudgeSpans() { this.#set([...this.#spans, ...this.#judge], 'The judge\'s parts are selected.'); }

  /** Takes the last change of spans back. Returns false if there was none. */
  undo() {
    const before = this.#undone.pop();
    if (!before) return false;
    this.#spans = before;
    this.#draw();
    this.#changed();
    this.#announce(`${before.length} selected parts`);
    return true;
  }

  /** The browser's selection inside the passage as a span in units, or null. */
  selected() {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.#element)) return null;
    const whole = document.createRange();
    whole.selectNodeContents(this.#element);
    const before = range.compareBoundaryPoints(Range.START_TO_START, whole) < 0;
    const behind = range.compareBoundaryPoints(Range.END_TO_END, whole) > 0;
    const begin = before ? 0 : this.#offset(range.startContainer, range.startOffset);
    const end = behind ? this.#text.length : this.#offset(range.endContainer, range.endOffset);
    return begin < end ? [begin, end] : null;
  }

  /** Makes a span of the browser's selection. Returns whether there was one. */
  takeSelection(exact = this.exact) {
    const selected = this.selected();
    if (!selected) return false;
    document.getSelection().removeAllRanges();
    this.#dragged = true;
    const span = this.#words.snap(...selected, exact);
    if (!span) return false;
    this.#anchor = null;
    this.#add(span);
    return true;
  }

  /** Begins a span at the cursor, or ends the one that was begun. */
  mark() {
    if (!this.#cursor) this.#place(this.#words.next(0));
    if (!this.#cursor) return;
    if (!this.#anchor) {
      this.#anchor = this.#cursor;
      this.#draw();
      this.#changed();
      this.#announce(`Selection starts at ${this.#wordText()}. Go to the last word and press Space.`);
      return;
    }
    const [anchor, cursor] = [this.#anchor, this.#cursor];
    this.#anchor = null;
    this.#add([Math.min(anchor[0], cursor[0]), Math.max(anchor[1], cursor[1])]);
  }

  /** Leaves a span that was begun. Returns false if there was none. */
  cancelMark() {
    if (!this.#anchor) return false;
    this.#anchor = null;
    this.#draw();
    this.#changed();
    this.#announce('Selection cancelled.');
    return true;
  }

  /** Handles a key while the passage has the focus. Returns whether it was one of the passage's. */
  key(event) {
    const rightToLeft = getComputedStyle(this.#element).direction === 'rtl';
    const steps = {
      ArrowRight: () => this.#step(rightToLeft ? -1 : 1),
      ArrowLeft: () => this.#step(rightToLeft ? 1 : -1),
      ArrowDown: () => this.#line(1),
      ArrowUp: () => this.#line(-1),
      Home: () => this.#words.next(0),
      End: () => this.#words.previous(this.#text.length),
    };
    if (steps[event.key]) {
      if (event.shiftKey && !this.#anchor) this.#anchor = this.#cursor;
      this.#place(steps[event.key]());
      this.#changed();
      return true;
    }
    if (event.key === ' ' || event.key === 'Enter') {
      if (!event.repeat) this.mark();
      return true;
    }
    if (event.key === 'Backspace' || event.key === 'Delete') {
      this.#removeAtCursor();
      return true;
    }
    return false;
  }

  #step(direction) {
    if (!this.#cursor) return direction > 0 ? this.#words.next(0) : this.#words.previous(this.#text.length);
    return direction > 0 ? this.#words.next(this.#cursor[1]) : this.#words.previous(this.#cursor[0]);
  }

  // The word of the line above or below that is nearest on the screen.
  #line(direction) {
    if (!this.#cursor) return this.#words.next(0);
    const from = this.#box(this.#cursor);
    const centre = (box) => (box.left + box.right) / 2;
    let [word, best, distance, line] = [this.#cursor, null, Infinity, null];
    for (let count = 0; count < kLinesToLookAt; ++count) {
      word = direction > 0 ? this.#words.next(word[1]) : this.#words.previous(word[0]);
      if (!word) break;
      const box = this.#box(word);
      if (direction > 0 ? box.top < from.bottom - 2 : box.bottom > from.top + 2) continue;
      line ??= box;
      if (Math.abs(box.top - line.top) > line.height / 2) break;
      const away = Math.abs(centre(box) - centre(from));
      if (away < distance) [best, distance] = [word, away];
    }
    return best ?? (direction > 0 ? this.#words.previous(this.#text.length) : this.#words.next(0));
  }

  #place(word) {
    if (!word) return;
    this.#cursor = word;
    this.#draw();
    this.#element.querySelector('.cursor')?.scrollIntoView({ block: 'nearest' });
    this.#announce(`${this.#wordText()}${spanAt(this.#spans, word[0]) < 0 ? '' : ', selected'}`);
  }

  #wordText() { return shortened(this.#text.slice(...this.#cursor)); }

  #removeAtCursor() {
    if (this.cancelMark()) return;
    const index = this.#cursor ? spanAt(this.#spans, this.#cursor[0]) : -1;
    if (index < 0) this.#announce('No selected part is under the cursor.');
    else this.remove(index);
  }

  // A click or tap removes the selected part under it, and else sets the cursor.
  #clicked(event) {
    if (this.selected() || this.#dragged) return;
    const mark = event.target.closest('mark');
    if (mark && !this.#anchor) {
      this.remove(Number(mark.dataset.span));
      return;
    }
    const at = caretAt(event.clientX, event.clientY);
    if (!at || !this.#element.contains(at.node)) return;
    const unit = this.#offset(at.node, at.offset);
    const word = this.#words.at(unit) ?? (unit > 0 ? this.#words.at(unit - 1) : null);
    if (!word) return;
    this.#cursor = word;
    this.#draw();
    this.#changed();
  }

  #add(span) { this.#set([...this.#spans, span], `Selected: ${shortened(this.#text.slice(...span))}`); }

  #set(spans, said) {
    this.#undone.push(this.#spans);
    this.#spans = mergeSpans(spans.map((span) => [...span]));
    this.#draw();
    this.#changed();
    this.#announce(said);
  }

  #offset(node, offset) {
    const range = document.createRange();
    range.setStart(this.#element, 0);
    range.setEnd(node, offset);
    return range.toString().length;
  }

  #box([begin, end]) {
    const range = document.createRange();
    const place = (unit, atEnd) => {
      const index = this.#nodes.findLastIndex(({ begin: from }) => (atEnd ? from < unit : from <= unit));
      const found = this.#nodes[Math.max(index, 0)];
      return [found.node, unit - found.begin];
    };
    range.setStart(...place(begin, false));
    range.setEnd(...place(end, true));
    return range.getClientRects()[0] ?? range.getBoundingClientRect();
  }

  #draw() {
    const ends = [this.#anchor, this.#cursor].filter(Boolean);
    const pending = this.#anchor
      ? [[Math.min(...ends.map(([begin]) => begin)), Math.max(...ends.map(([, end]) => end))]] : [];
    const layers = { mention: this.#mentions, judged: this.#judge, mark: this.#spans, pending,
      cursor: this.#cursor ? [this.#cursor] : [] };
    const content = document.createDocumentFragment();
    this.#nodes = [];
    let mark = null;
    for (const { begin, end, names } of pieces(this.#text.length, layers)) {
      const node = document.createTextNode(this.#text.slice(begin, end));
      this.#nodes.push({ node, begin });
      if (names.delete('mark')) {
        const index = spanAt(this.#spans, begin);
        if (mark?.dataset.span !== String(index)) {
          mark = document.createElement('mark');
          mark.dataset.span = index;
          content.append(mark);
        }
      } else {
        mark = null;
      }
      let piece = node;
      if (names.size > 0) {
        piece = document.createElement('span');
        piece.className = [...names].join(' ');
        piece.append(node);
      }
      (mark ?? content).append(piece);
    }
    this.#element.replaceChildren(content);
  }
}

function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const position = document.caretPositionFromPoint(x, y);
    return position && { node: position.offsetNode, offset: position.offset };
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}
