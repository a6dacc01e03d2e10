// Offsets, words and spans of a passage. Pure functions of text: nothing here knows the document of the browser.
//
// A span is [begin, end), half-open. The server counts code points; the browser counts UTF-16 units. Everything below
// counts units, but for the two functions of Offsets that translate.

/** Translates between code points and UTF-16 units of one text. */
export class Offsets {
  #starts = null;  // unit at which each code point starts; null where all code points are one unit long

  constructor(text) {
    this.units = text.length;
    if (!/[\ud800-\udbff]/.test(text)) return;
    const starts = [];
    for (let unit = 0; unit < text.length; ++unit) {
      starts.push(unit);
      if (text.codePointAt(unit) > 0xffff) ++unit;
    }
    this.#starts = Int32Array.from(starts);
  }

  /** Unit at which a code point starts; the end of the text for every number behind it. */
  unit(point) {
    if (!this.#starts) return Math.min(point, this.units);
    return point < this.#starts.length ? this.#starts[point] : this.units;
  }

  /** Number of the code point that holds a unit. */
  point(unit) {
    const starts = this.#starts;
    if (!starts) return unit;
    if (unit >= this.units) return starts.length;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= unit) low = middle; else high = middle;
    }
    return low;
  }
}

/** Spans that the server sent, as spans in units: sorted, inside the text, merged. */
export function spansFromServer(spans, offsets) {
  const inside = (spans ?? []).filter((span) => Array.isArray(span) && span.every(Number.isInteger) && span[0] >= 0)
    .map(([begin, end]) => [offsets.unit(begin), offsets.unit(end)]);
  return mergeSpans(inside);
}

/** Spans in units, as the server counts them. */
export const spansForServer = (spans, offsets) => spans.map(([begin, end]) => [offsets.point(begin), offsets.point(end)]);

/** Sorts spans, drops empty ones, and makes one of those that touch or overlap. */
export function mergeSpans(spans) {
  const merged = [];
  for (const [begin, end] of spans.filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged[merged.length - 1];
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}

/** Index of the span that holds a unit, or -1. */
export const spanAt = (spans, unit) => spans.findIndex(([begin, end]) => begin <= unit && unit < end);

/**
 * Cuts a text where any layer begins or ends.
 *
 * `layers` is {name: merged spans}. Returns [{begin, end, names}]: `names` are the layers that cover the piece.
 */
export function pieces(length, layers) {
  const cuts = new Set([0, length]);
  const rows = Object.entries(layers).map(([name, spans]) => ({ name, spans, next: 0 }));
  for (const { spans } of rows) for (const span of spans) for (const cut of span) if (cut < length) cuts.add(cut);
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((begin, index) => {
    const names = new Set();
    for (const row of rows) {
      while (row.next < row.spans.length && row.spans[row.next][1] <= begin) ++row.next;
      if (row.next < row.spans.length && row.spans[row.next][0] <= begin) names.add(row.name);
    }
    return { begin, end: sorted[index + 1], names };
  });
}

const kBlank = /[\s\u200b\u2060\ufeff]/u;
const kSymbol = /[\p{S}\p{Extended_Pictographic}]/u;

/**
 * Words of a text by Unicode's rules (UAX 29), in scripts without blanks by the dictionaries of the browser.
 * A symbol or an emoji is a word too. Browsers without Intl.Segmenter get runs of letters, digits and marks.
 */
export class Words {
  #segments;
  #characters;

  constructor(text, lang) {
    this.text = text;
    this.#segments = segmentsOf(text, lang, 'word', /[\p{L}\p{N}\p{M}\u200c\u200d]+|\s+|[^]/gu);
    this.#characters = () => segmentsOf(text, lang, 'grapheme', /[^][\p{M}\u200d]*/gu);
  }

  /** The word that holds a unit, or null between words. */
  at(unit) {
    const segment = this.#segments.containing(unit);
    return segment && isWord(segment) ? [segment.index, segment.index + segment.segment.length] : null;
  }

  /** First word that begins at a unit or behind it. */
  next(unit) {
    for (let at = unit; at < this.text.length;) {
      const segment = this.#segments.containing(at);
      if (segment.index >= unit && isWord(segment)) return [segment.index, segment.index + segment.segment.length];
      at = segment.index + segment.segment.length;
    }
    return null;
  }

  /** Last word that ends at a unit or before it. */
  previous(unit) {
    for (let at = unit; at > 0;) {
      const segment = this.#segments.containing(at - 1);
      const end = segment.index + segment.segment.length;
      if (end <= unit && isWord(segment)) return [segment.index, end];
      at = segment.index;
    }
    return null;
  }

  /**
   * Widens a selection to whole words (`exact`: to whole characters as readers see them), without blanks at its ends.
   * Returns null if nothing but blanks is selected.
   */
  snap(begin, end, exact = false) {
    while (begin < end && kBlank.test(this.text[begin])) ++begin;
    while (begin < end && kBlank.test(this.text[end - 1])) --end;
    if (begin >= end) return null;
    const segments = exact ? this.#characters() : this.#segments;
    const last = segments.containing(end - 1);
    return [segments.containing(begin).index, last.index + last.segment.length];
  }
}

const isWord = (segment) => segment.isWordLike || kSymbol.test(segment.segment);

function segmentsOf(text, lang, granularity, expression) {
  if (typeof Intl.Segmenter === 'function') {
    let locale;
    try { locale = Intl.getCanonicalLocales(lang ?? [])[0]; } catch { locale = undefined; }
    return new Intl.Segmenter(locale, { granularity }).segment(text);
  }
  const segments = Array.from(text.matchAll(expression), (match) => (
    { index: match.index, segment: match[0], isWordLike: /[\p{L}\p{N}]/u.test(match[0]) }));
  return {
    containing(unit) {
      let low = 0;
      let high = segments.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (segments[middle].index <= unit) low = middle; else high = middle;
      }
      return unit < text.length ? segments[low] : undefined;
    },
  };
}

/** At most `length` characters of a text, cut at its end, for announcements and lists. */
export function shortened(text, length = 80) {
  const flat = text.slice(0, length * 8).replace(/\s+/gu, ' ').trim();
  const points = Array.from(flat);
  return points.length > length || text.length > length * 8 ? `${points.slice(0, length).join('')}…` : flat;
}
