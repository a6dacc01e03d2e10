// Offsets, words and spans, without a browser.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './harness.mjs';

const source = fs.readFileSync(path.join(root, 'web/annotate_text.js'), 'utf8');
const text = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const { Offsets, Words, mergeSpans, pieces, shortened, spansForServer, spansFromServer } = text;

const word = (words, string, unit) => {
  const found = words.at(unit);
  return found && string.slice(...found);
};

const allWords = (string, lang) => {
  const words = new Words(string, lang);
  const found = [];
  for (let next = words.next(0); next; next = words.next(next[1])) found.push(string.slice(...next));
  return found;
};

test('offsets are code points for the server and units for the browser', () => {
  const string = 'a𝒳b👩‍👧c';
  const offsets = new Offsets(string);
  const points = Array.from(string);
  points.forEach((point, index) => {
    const unit = points.slice(0, index).join('').length;
    assert.equal(offsets.unit(index), unit);
    assert.equal(offsets.point(unit), index);
  });
  assert.equal(offsets.unit(points.length), string.length);
  assert.equal(offsets.point(string.length), points.length);
  assert.equal(offsets.unit(1000), string.length);
  assert.equal(new Offsets('plain').point(3), 3);
});

test('an offset inside a surrogate pair belongs to its character', () => {
  assert.equal(new Offsets('𝒳a').point(1), 0);
});

test('spans from the server are clipped, sorted and merged, and what is no span is left out', () => {
  const offsets = new Offsets('𝒳 abc def');
  assert.deepEqual(spansFromServer([[6, 99], [0, 1], [1, 3], [3, 3], [-1, 2], ['a', 4], null], offsets), [[0, 4], [7, 10]]);
  assert.deepEqual(spansForServer([[0, 4], [7, 10]], offsets), [[0, 3], [6, 9]]);
  assert.deepEqual(spansFromServer(undefined, offsets), []);
});

test('spans that touch or overlap become one', () => {
  assert.deepEqual(mergeSpans([[5, 9], [0, 2], [2, 4], [8, 12], [20, 20]]), [[0, 4], [5, 12]]);
});

test('a text is cut where a layer begins or ends', () => {
  const cut = pieces(10, { mark: [[2, 6]], mention: [[4, 8]] });
  assert.deepEqual(cut.map(({ begin, end, names }) => [begin, end, [...names].sort().join(' ')]),
    [[0, 2, ''], [2, 4, 'mark'], [4, 6, 'mark mention'], [6, 8, 'mention'], [8, 10, '']]);
});

test('words are found in scripts with and without blanks, and emoji are words', () => {
  assert.deepEqual(allWords('It\'s 3.5 km, “twice”.'), ['It\'s', '3.5', 'km', 'twice']);
  assert.deepEqual(allWords('القاهرة هي عاصمة مصر (2020).'), ['القاهرة', 'هي', 'عاصمة', 'مصر', '2020']);
  assert.deepEqual(allWords('שלום 42 world'), ['שלום', '42', 'world']);
  assert.deepEqual(allWords('東京は日本の首都です。', 'ja'), ['東京', 'は', '日本', 'の', '首都', 'です']);
  assert.deepEqual(allWords('hi 👩‍👩‍👧 ok 🎉!'), ['hi', '👩‍👩‍👧', 'ok', '🎉']);
});

test('words are walked backwards as they are forwards', () => {
  const string = 'One, two — three 🎉 東京です.';
  const words = new Words(string);
  const back = [];
  for (let last = words.previous(string.length); last; last = words.previous(last[0])) back.unshift(string.slice(...last));
  assert.deepEqual(back, allWords(string));
});

test('there is no word between words, or in a text without one', () => {
  const words = new Words('a  , b');
  assert.equal(words.at(1), null);
  assert.equal(word(words, 'a  , b', 5), 'b');
  assert.equal(new Words('  .. ').next(0), null);
  assert.equal(new Words('  .. ').previous(5), null);
  assert.equal(new Words('').next(0), null);
});

test('a selection is widened to whole words, without blanks at its ends', () => {
  const string = ' The quick, brown fox. ';
  const words = new Words(string);
  const snapped = (begin, end, exact) => {
    const span = words.snap(begin, end, exact);
    return span && string.slice(...span);
  };
  assert.equal(snapped(6, 14), 'quick, brown');
  assert.equal(snapped(0, 6), 'The quick');
  assert.equal(snapped(18, 23), 'fox.');
  assert.equal(snapped(6, 14, true), 'uick, br');
  assert.equal(snapped(0, 1), null);
});

test('an exact selection never cuts a character that readers see as one', () => {
  const string = 'ae\u0301x 👩‍👩‍👧 y';
  const words = new Words(string);
  assert.equal(string.slice(...words.snap(2, 3, true)), 'e\u0301');
  assert.equal(string.slice(...words.snap(6, 7, true)), '👩‍👩‍👧');
});

test('a language that is no language does not matter', () => {
  assert.deepEqual(allWords('a b', '!!'), ['a', 'b']);
});

test('a long text is shortened at a character, and blanks become one', () => {
  assert.equal(shortened('a\n\n b', 10), 'a b');
  assert.equal(shortened('👩👩👩👩', 2), '👩👩…');
});

test('browsers without a segmenter get words too', () => {
  const Segmenter = Intl.Segmenter;
  Intl.Segmenter = undefined;
  try {
    assert.deepEqual(allWords('The quick, brown fox 42.'), ['The', 'quick', 'brown', 'fox', '42']);
    assert.deepEqual(new Words('a bc d').snap(3, 4), [2, 4]);
    assert.equal(new Words('xe\u0301y').snap(1, 2, true)[1], 3);
  } finally {
    Intl.Segmenter = Segmenter;
  }
});
