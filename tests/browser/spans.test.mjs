// Selecting parts of passages with mouse, touch and keyboard, in all scripts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, Desk, spanText, task, withServer } from './harness.mjs';

after(closeBrowser);

// Shows one passage, lets `select` select parts of it, and returns their texts as the server stored them.
async function selected(fields, select, options = {}) {
  let texts;
  await withServer([task(1, fields)], {}, async (server) => {
    const desk = await Desk.open(server.links.Ann, options);
    await desk.task();
    await select(desk);
    await desk.answer('3');
    await desk.saved();
    const [answer] = await server.answers();
    texts = answer.spans.map((span) => spanText(fields.text, span));
    assert.deepEqual(desk.problems, []);
    await desk.close();
  });
  return texts;
}

const english = 'The quick brown fox, who is red, jumps over the lazy dog. It then sleeps.';

test('dragging selects whole words, a double click one, and selections that overlap become one', async () => {
  const texts = await selected({ text: english }, async (desk) => {
    await desk.drag('quick', 'brown');
    assert.deepEqual(await desk.marks(), ['quick brown']);
    await desk.drag('fox', 'brown');
    assert.deepEqual(await desk.marks(), ['quick brown fox']);
    const { x, y } = await desk.place('lazy');
    await desk.page.mouse.dblclick(x, y);
    assert.deepEqual(await desk.marks(), ['quick brown fox', 'lazy']);
    assert.equal(await desk.text('#parts-count'), '2 selected parts');
  });
  assert.deepEqual(texts, ['quick brown fox', 'lazy']);
});

test('Alt, or the setting, keeps the exact characters', async () => {
  const texts = await selected({ text: english }, async (desk) => {
    const [begin, end] = [await desk.place('quick', -1), await desk.place('bro', 1)];
    const drag = async () => {
      await desk.page.mouse.move(begin.x, begin.y);
      await desk.page.mouse.down();
      await desk.page.mouse.move(end.x, end.y, { steps: 3 });
      await desk.page.mouse.up();
    };
    await desk.page.keyboard.down('Alt');
    await drag();
    await desk.page.keyboard.up('Alt');
    assert.deepEqual(await desk.marks(), ['quick bro']);
    await desk.page.click('#parts button');
    await desk.press('?');
    await desk.page.check('#set-exact');
    await desk.page.keyboard.press('Escape');
    await drag();
  });
  assert.deepEqual(texts, ['quick bro']);
});

test('a click on a part removes it, so does its button, and Ctrl+Z brings it back', async () => {
  const texts = await selected({ text: english }, async (desk) => {
    await desk.drag('quick', 'fox');
    await desk.drag('jumps', 'over');
    const { x, y } = await desk.place('brown');
    await desk.page.mouse.click(x, y);
    assert.deepEqual(await desk.marks(), ['jumps over']);
    await desk.page.click('button[aria-label="Remove: jumps over"]');
    assert.deepEqual(await desk.marks(), []);
    assert.equal(await desk.focus(), 'passage');
    await desk.page.keyboard.press('Control+z');
    assert.deepEqual(await desk.marks(), ['jumps over']);
  });
  assert.deepEqual(texts, ['jumps over']);
});

test('the keyboard alone selects, cancels and removes, and each step is said', async () => {
  const texts = await selected({ text: english }, async (desk) => {
    const { keyboard } = desk.page;
    const press = async (...keys) => { for (const key of keys) await keyboard.press(key); };
    await desk.page.locator('#passage').focus();
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    await desk.says('#announce', 'brown');
    await press('Space');
    await desk.says('#announce', 'Selection starts at brown.');
    await press('ArrowRight', 'Space');
    await desk.says('#announce', 'Selected: brown fox');
    await press('End', 'Enter', 'ArrowLeft', 'ArrowLeft', 'Enter');
    assert.deepEqual(await desk.marks(), ['brown fox', 'It then sleeps']);
    await press('Home', 'Space', 'ArrowRight', 'Escape');
    await desk.says('#announce', 'Selection cancelled.');
    await press('Home', 'Backspace');
    await desk.says('#announce', 'No selected part is under the cursor.');
    await press('End', 'Delete');
    await desk.says('#announce', 'Removed: It then sleeps');
    await press('Home', 'Shift+ArrowRight', 'Space');
  });
  assert.deepEqual(texts, ['The quick', 'brown fox']);
});

test('up and down go to the nearest word of the next line', async () => {
  const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  const texts = await selected({ text }, async (desk) => {
    await desk.page.locator('#passage').focus();
    const top = async (word) => (await desk.place(word)).y;
    await desk.page.keyboard.press('Home');
    await desk.page.keyboard.press('ArrowDown');
    const below = await desk.page.textContent('#passage .cursor');
    assert.ok(await top(below) > await top('word0') + 10);
    assert.ok(Math.abs((await desk.place(below)).x - (await desk.place('word0')).x) < 40);
    await desk.page.keyboard.press('ArrowUp');
    assert.equal(await desk.page.textContent('#passage .cursor'), 'word0');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('Space');
  });
  assert.deepEqual(texts, ['word0']);
});

test('parts go over links, and links stay underlined', async () => {
  const texts = await selected({ text: english, mentions: [[10, 15], [16, 19]] }, async (desk) => {
    await desk.drag('quick', 'who');
    assert.deepEqual(await desk.page.locator('#passage mark .mention').allTextContents(), ['brown', 'fox']);
    const line = await desk.page.locator('#passage .mention').first().evaluate((one) => getComputedStyle(one).textDecorationLine);
    assert.equal(line, 'underline');
  });
  assert.deepEqual(texts, ['quick brown fox, who']);
});

test('on a touch screen, two taps and a button select, and so does the usual selection', async () => {
  const texts = await selected({ text: english }, async (desk) => {
    const tap = async (word) => {
      const { x, y } = await desk.place(word);
      await desk.page.touchscreen.tap(x, y);
    };
    await tap('quick');
    await desk.page.tap('#mark');
    assert.equal(await desk.text('#mark'), 'Mark up to here');
    await tap('fox');
    await desk.page.tap('#mark');
    assert.deepEqual(await desk.marks(), ['quick brown fox']);
    await tap('brown');
    assert.deepEqual(await desk.marks(), []);
    await desk.page.evaluate(() => {
      const node = document.getElementById('passage').lastChild;
      const at = node.data.indexOf('lazy');
      document.getSelection().setBaseAndExtent(node, at, node, at + 'lazy do'.length);
    });
    await desk.says('#mark', 'Mark the selection');
    await desk.page.tap('#mark');
  }, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  assert.deepEqual(texts, ['lazy dog']);
});

test('Arabic: the left arrow goes on, and words are found', async () => {
  const text = 'القاهرة هي عاصمة جمهورية مصر العربية، ويبلغ عدد سكانها 10 ملايين نسمة (Cairo, 2020).';
  const texts = await selected({ text, query: 'ما هي عاصمة مصر؟' }, async (desk) => {
    assert.equal(await desk.page.locator('#passage').evaluate((one) => getComputedStyle(one).direction), 'rtl');
    await desk.page.locator('#passage').focus();
    await desk.page.keyboard.press('Home');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.press('Space');
    await desk.drag('سكانها', 'ملايين');
  });
  assert.deepEqual(texts, ['القاهرة هي عاصمة', 'سكانها 10 ملايين']);
});

test('Hebrew with Latin words and digits, Japanese, emoji and combining marks keep their offsets', async () => {
  const hebrew = 'העיר תל אביב (Tel Aviv) נוסדה בשנת 1909 על ידי 66 משפחות.';
  assert.deepEqual(await selected({ text: hebrew }, (desk) => desk.drag('Tel', '1909')), ['Tel Aviv) נוסדה בשנת 1909']);
  const japanese = '🎉東京は日本の首都です。人口は約1400万人です。';
  assert.deepEqual(await selected({ text: japanese }, async (desk) => {
    const { x, y } = await desk.place('首都');
    await desk.page.mouse.dblclick(x, y);
  }), ['首都']);
  const symbols = 'A family 👩‍👩‍👧 and 𝒳𝒴 meet in a cafe\u0301 🎉 today.';
  assert.deepEqual(await selected({ text: symbols }, async (desk) => {
    await desk.drag('𝒳𝒴', 'meet');
    await desk.page.locator('#passage').focus();
    await desk.page.keyboard.press('Home');
    for (let count = 0; count < 2; ++count) await desk.page.keyboard.press('ArrowRight');
    await desk.says('#announce', '👩‍👩‍👧');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('Space');
    await desk.drag('cafe', 'cafe');
    await desk.drag('a cafe', 'today');
  }), ['👩‍👩‍👧', '𝒳𝒴 meet', 'cafe\u0301 🎉 today']);
});

test('parts of a passage whose halves are swapped are stored as places of the passage itself', async () => {
  let swapped = 0;
  const list = Array.from({ length: 8 }, (_, index) => task(index + 1, { text: `alpha beta gamma delta epsilon zeta number${index}` }));
  await withServer(list, { flags: ['--rotate'] }, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    for (let count = 0; count < list.length; ++count) {
      await desk.task();
      if (!(await desk.text('#passage')).startsWith('alpha')) ++swapped;
      const { x, y } = await desk.place('beta');
      await desk.page.mouse.dblclick(x, y);
      await desk.answer('2');
    }
    await desk.saved();
    const answers = await server.answers();
    assert.equal(answers.length, list.length);
    for (const { spans } of answers) assert.deepEqual(spans, [[6, 10]]);
    assert.equal(answers.filter(({ rotated }) => rotated).length, swapped);
    assert.ok(swapped > 0 && swapped < list.length);
    await desk.close();
  });
});
