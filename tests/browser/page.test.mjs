// How the pages look, who can use them, and what hostile texts can do to them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, Desk, require, root, task, tasks, withServer } from './harness.mjs';

after(closeBrowser);

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const spruce = task(1, {
  query: 'what is the physical description of spruce', title: 'Spruce',
  before: 'Spruces are large trees of cold forests. Some thirty-five kinds are known.',
  text: 'The leaves of a spruce are stiff needles, four-sided and sharp, each on a small peg of its own. The bark is thin and grey-brown, and breaks into scales on old trunks. Ripe cones hang down from the branches, as those of a pine do, while the cones of a fir stand upright. A spruce may live for several hundred years, since it endures frost and poor soil. Its wood is light and even, so that builders of violins like it for their tops.',
  after: 'In parks, the blue spruce is planted most of all.' });
spruce.mentions = ['pine', 'fir', 'violins'].map((name) => [spruce.text.indexOf(name), spruce.text.indexOf(name) + name.length]);
const guidelines = 'Does the passage answer the query?\n\nFor Partial and Perfect, select the words that answer it.\n\n- Judge this passage alone.\n- If you are unsure, press d.\n';
const arabic = task(2, { query: 'ما هي عاصمة مصر؟', title: 'القاهرة', language: 'ar',
  text: 'القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها. يبلغ عدد سكانها نحو 10 ملايين نسمة (Cairo, 2020).' });

async function violations(page) {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`);
}

const overflows = (page) => page.evaluate(() => {
  const wide = [document.documentElement, document.getElementById('main')].filter((one) => one.scrollWidth > one.clientWidth + 1);
  return wide.map((one) => `${one.tagName} ${one.scrollWidth} > ${one.clientWidth}`);
});

async function select(desk) {
  await desk.drag('stiff', 'sharp');
  await desk.drag('bark', 'brown');
}

/** Writes an image of the documentation, if asked to. */
async function picture(page, name) {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  const file = path.join(root, 'docs/images', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  assert.ok(fs.statSync(file).size <= 120 * 1024, `${name} is too large`);
}

for (const [name, width, height, colorScheme, image] of [
  ['a phone', 360, 640, 'light', 'annotate-phone.png'], ['a phone in the dark', 360, 640, 'dark'],
  ['a small laptop', 1024, 540, 'light', 'annotate.png'], ['a small laptop in the dark', 1024, 540, 'dark', 'annotate-dark.png'],
  ['a 4K screen', 3840, 2160, 'dark'], ['a window enlarged to 400 %', 320, 256, 'light']]) {
  test(`on ${name} nothing is cut off, and axe finds nothing that shuts people out`, async () => {
    await withServer([spruce], { flags: ['--title', 'Trees'], guidelines }, async (server) => {
      const touch = width === 360;
      const desk = await Desk.open(server.links.Ann, { viewport: { width, height }, colorScheme, hasTouch: touch, isMobile: touch, bypassCSP: true });
      await desk.task();
      assert.deepEqual(await overflows(desk.page), []);
      if (height > 300) await select(desk);
      if (image) await picture(desk.page, image);
      await desk.page.click('#context');
      await desk.page.click('#grades button >> nth=0', { trial: true });
      assert.deepEqual(await violations(desk.page), []);
      await desk.page.click('#show-help');
      assert.deepEqual(await violations(desk.page), []);
      assert.deepEqual(await overflows(desk.page), []);
      if (touch) {
        await desk.page.keyboard.press('Escape');
        const small = await desk.page.evaluate(() => [...document.querySelectorAll('button')]
          .map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44))
          .map(([text, box]) => `${text} ${box.width}x${box.height}`));
        assert.deepEqual(small, []);
      }
      await desk.close();
    });
  });
}

test('text from the right is shown so, and nothing around it changes its direction', async () => {
  await withServer([arabic], {}, async (server) => {
    const desk = await Desk.open(server.links.Ann, { viewport: { width: 900, height: 600 }, bypassCSP: true });
    await desk.task();
    for (const id of ['question', 'title', 'passage']) {
      assert.equal(await desk.page.locator(`#${id}`).evaluate((one) => getComputedStyle(one).direction), 'rtl', id);
      assert.equal(await desk.page.getAttribute(`#${id}`, 'lang'), 'ar', id);
    }
    await desk.drag('القاهرة', 'عاصمة');
    await picture(desk.page, 'annotate-right-to-left.png');
    assert.deepEqual(await violations(desk.page), []);
    await desk.close();
  });
});

test('keys of forced colours, more contrast and less motion do not hide anything', async () => {
  await withServer([spruce], {}, async (server) => {
    const desk = await Desk.open(server.links.Ann, { forcedColors: 'active', contrast: 'more', reducedMotion: 'reduce' });
    await desk.task();
    await select(desk);
    const [mark, card] = await desk.page.evaluate(() => ['#passage mark', '#passage'].map((where) => getComputedStyle(document.querySelector(where)).backgroundColor));
    assert.notEqual(mark, card);
    await desk.close();
  });
});

test('the passage does not move when context is opened, when parts are selected, or from task to task', async () => {
  await withServer([spruce, { ...spruce, id: 't9', docid: 'd9', text: 'Short text about a tree.', mentions: [], title: '' }], {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    const bar = async () => (await desk.page.locator('#grades').boundingBox()).y;
    const before = await bar();
    await desk.page.locator('#passage').focus();
    await desk.page.keyboard.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('Space');
    assert.equal(await bar(), before);
    await desk.answer('2');
    assert.equal(await bar(), before);
    await desk.press('2');
    await desk.says('#message', 'Select the words');
    assert.equal(await bar(), before);
    await desk.close();
  });
});

const evil = '</p><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><a href="javascript:window.hacked=3">x</a>';
const hostile = {
  'markup': { query: evil, title: evil, text: `${evil} end`, before: evil, after: evil },
  'a word of 50,000 letters': { query: 'q'.repeat(2000), text: `start ${'w'.repeat(50000)} end` },
  'overrides of direction': { query: 'a \u202e query', title: '\u2067title', text: 'start \u202egnirts desrever\u202c and \u2066isolated end' },
  'a million characters': { text: `start ${'lorem ipsum '.repeat(85000)}end` },
  'no title': { title: '', text: 'start and end' },
  'control characters': { title: 'a\u0001b', text: 'start \u0001\u0007\u001b[31m\u0085\u2028\r\n\ttab\ufeff end' },
  'thousands of links': { text: `start ${'ab '.repeat(4000)}end`, mentions: Array.from({ length: 4000 }, (_, index) => [6 + 3 * index, 8 + 3 * index]) },
};
for (const [name, fields] of Object.entries(hostile)) {
  test(`a passage with ${name} does no harm, and can be judged`, async () => {
    await withServer([task(1, fields)], {}, async (server) => {
      const desk = await Desk.open(server.links.Ann, { viewport: { width: 360, height: 640 } });
      await desk.task();
      assert.equal(await desk.text('#passage'), fields.text);
      assert.equal(await desk.page.evaluate(() => window.hacked), undefined);
      assert.equal(await desk.page.locator('#task script, #task img, #task a').count(), 0);
      assert.deepEqual(await overflows(desk.page), []);
      assert.equal(await desk.page.locator('.top').evaluate((one) => getComputedStyle(one).direction), 'ltr');
      await desk.page.locator('#passage').focus();
      for (const key of ['Home', 'Space', 'Space', 'End', 'Space', 'Space']) await desk.page.keyboard.press(key);
      await desk.answer('3');
      await desk.saved();
      const [answer] = await server.answers();
      const points = Array.from(fields.text);
      const texts = answer.spans.map(([begin, end]) => points.slice(begin, end).join(''));
      assert.equal(texts.length, 2);
      assert.equal(texts[1], 'end');
      assert.deepEqual(desk.problems, []);
      await desk.close();
    });
  });
}

test('the owner sees the numbers, and takes answers back after counting them', async () => {
  await withServer(tasks(6), { people: ['Ann', 'Bo'], flags: ['--title', 'Tea'] }, async (server) => {
    const [ann, bo] = [await Desk.open(server.links.Ann), await Desk.open(server.links.Bo)];
    for (const key of ['0', '1', '1', '0']) {
      await ann.answer(key);
      await bo.answer('1');
    }
    await Promise.all([ann.saved(), bo.saved()]);
    const owner = await Desk.open(server.links.owner, { bypassCSP: true, viewport: { width: 1000, height: 800 } });
    await owner.page.waitForSelector('#sections section');
    assert.equal(await owner.text('#title'), 'Tea');
    assert.deepEqual(await overflows(owner.page), []);
    await picture(owner.page, 'annotate-owner.png');
    assert.deepEqual(await violations(owner.page), []);
    await owner.page.fill('input[name=grade]', '0');
    await owner.page.click('#filter button[type=submit]');
    await owner.says('#matched', '2 answers would be taken back.');
    assert.equal(await owner.text('#confirm'), 'Take 2 answers back');
    await owner.page.fill('input[name=annotator]', 'A1');
    assert.ok(await owner.page.isDisabled('#confirm'), 'another filter has to be counted again');
    await owner.page.fill('input[name=annotator]', '');
    await owner.page.click('#filter button[type=submit]');
    await owner.says('#confirm', 'Take 2 answers back');
    await owner.page.click('#confirm');
    await owner.says('#matched', '2 answers taken back.');
    const [download] = await Promise.all([owner.page.waitForEvent('download'), owner.page.click('a[href$="annotations.jsonl"]')]);
    const lines = fs.readFileSync(await download.path(), 'utf8').trim().split('\n');
    assert.equal(lines.length, 6);
    await owner.page.setViewportSize({ width: 360, height: 640 });
    assert.deepEqual(await overflows(owner.page), []);
    assert.deepEqual(owner.problems, []);
    assert.ok((await server.answers()).every(({ grade }) => grade === 1));
    for (const desk of [ann, bo, owner]) await desk.close();
  });
});

test('an owner without a session is told what to do', async () => {
  await withServer(tasks(1), {}, async (server) => {
    const desk = await Desk.open(`${server.url}/owner`);
    await desk.says('#banner', 'Open the owner\'s link again.');
    await desk.close();
  });
});
