// Keys, buttons, and what an answer is made of.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, Desk, task, tasks, withServer } from './harness.mjs';

after(closeBrowser);

const byTask = (answers) => Object.fromEntries(answers.map((answer) => [answer.task, answer]));

test('one key grades, saves and goes on; words are needed for the two upper grades', async () => {
  await withServer(tasks(5), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const wrong = await desk.answer('0');
    const topic = await desk.answer('1');
    const partial = await desk.task();
    await desk.press('2');
    await desk.says('#message', 'Select the words that answer the query, then press 2 again.');
    assert.equal(await desk.focus(), 'passage');
    assert.equal(await desk.task(), partial);
    await desk.page.keyboard.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    assert.equal(await desk.text('#message'), '');
    await desk.answer('2');
    await desk.press('ArrowRight');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.press('Enter');
    const perfect = await desk.answer('3');
    await desk.saved();
    const answers = byTask(await server.answers());
    assert.deepEqual([wrong, topic, partial, perfect].map((id) => answers[id].grade), [0, 1, 2, 3]);
    assert.deepEqual(answers[partial].spans, [[0, 14]]);
    assert.deepEqual(answers[perfect].spans, [[0, 7]]);
    assert.ok(answers[wrong].guidelines);
    assert.deepEqual(desk.problems, []);
    await desk.close();
  });
});

test('skip, difficult, reason and context are part of the answer', async () => {
  const list = tasks(3, { before: 'Sentence before.', after: 'Sentence after.' });
  await withServer(list, {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const skipped = await desk.answer('s');
    await desk.press('d');
    await desk.says('#announce', 'Marked as difficult');
    await desk.press('c');
    assert.ok(await desk.page.isVisible('#before'));
    assert.ok(await desk.page.isVisible('#after'));
    await desk.press('r');
    await desk.page.keyboard.type('0123 sdrcgu? are no answers 日本');
    await desk.page.keyboard.press('Enter');
    assert.equal(await desk.focus(), 'question');
    const hard = await desk.answer('1');
    assert.equal(await desk.page.inputValue('#reason'), '');
    assert.equal(await desk.page.getAttribute('#difficult', 'aria-pressed'), 'false');
    assert.ok(!await desk.page.isVisible('#before'));
    await desk.saved();
    const answers = byTask(await server.answers());
    assert.equal(answers[skipped].skipped, true);
    assert.equal(answers[skipped].grade, null);
    assert.equal(answers[hard].difficult, true);
    assert.equal(answers[hard].reason, '0123 sdrcgu? are no answers 日本');
    await desk.close();
  });
});

test('undo shows the task again with what was answered, and the next answer takes its place', async () => {
  await withServer(tasks(3), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('Space');
    await desk.press('d');
    await desk.press('r');
    await desk.page.keyboard.type('because');
    await desk.page.keyboard.press('Escape');
    const first = await desk.answer('3');
    const second = await desk.task();
    await desk.press('d');
    await desk.press('u');
    await desk.says('#message', 'taken back');
    assert.equal(await desk.task(), first);
    assert.deepEqual(await desk.marks(), ['Passage']);
    assert.equal(await desk.page.inputValue('#reason'), 'because');
    assert.equal(await desk.page.getAttribute('#difficult', 'aria-pressed'), 'true');
    assert.ok(await desk.page.locator('#grades button.earlier', { hasText: 'Perfect' }).isVisible());
    await desk.answer('2');
    assert.equal(await desk.task(), second, 'the task that was interrupted comes next');
    assert.equal(await desk.page.getAttribute('#difficult', 'aria-pressed'), 'true', 'with what was done already');
    await desk.saved();
    const answers = await server.answers();
    assert.deepEqual(answers.map(({ task: id, grade }) => [id, grade]), [[first, 2]]);
    await desk.close();
  });
});

test('undo works after the browser forgot everything, and says when there is nothing', async () => {
  await withServer(tasks(2), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.press('u');
    await desk.says('#message', 'There is no answer to take back.');
    const first = await desk.answer('1');
    await desk.saved();
    await desk.page.evaluate(() => localStorage.clear());
    await desk.close();
    const other = await Desk.open(server.links.Ann);
    await other.task();
    await other.press('u');
    await other.says('#message', 'taken back');
    assert.equal(await other.task(), first);
    await other.answer('0');
    await other.saved();
    assert.deepEqual((await server.answers()).map(({ grade }) => grade), [0]);
    await other.close();
  });
});

test('a key that is held down, or pressed twice at once, answers one task', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const first = await desk.task();
    await desk.page.waitForTimeout(300);
    for (let count = 0; count < 12; ++count) {
      await desk.page.keyboard.down('1');
      await desk.page.waitForTimeout(60);
    }
    await desk.page.keyboard.up('1');
    const second = await desk.task();
    assert.notEqual(second, first);
    await desk.page.waitForTimeout(300);
    await desk.page.locator('#grades button').first().dblclick();
    await desk.saved();
    assert.equal((await server.answers()).length, 2);
    await desk.close();
  });
});

test('keys do nothing with Ctrl, Alt or Meta, in dialogs, or when they are switched off', async () => {
  await withServer(tasks(2), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const first = await desk.task();
    for (const key of ['Control+1', 'Alt+1', 'Meta+1', 'Alt+s']) await desk.press(key);
    await desk.press('?');
    assert.ok(await desk.isOpen('help'));
    await desk.press('1');
    await desk.page.uncheck('#set-keys');
    await desk.page.keyboard.press('Escape');
    assert.ok(!await desk.isOpen('help'));
    for (const key of ['1', 's', 'd']) await desk.press(key);
    assert.equal(await desk.task(), first);
    assert.equal(await desk.page.getAttribute('#difficult', 'aria-pressed'), 'false');
    await desk.page.reload();
    await desk.press('1');
    assert.equal(await desk.task(), first, 'the setting is kept');
    await desk.page.click('#grades button >> nth=1');
    await desk.page.waitForFunction((id) => document.getElementById('main').dataset.task !== id, first);
    await desk.close();
  });
});

test('g leads to the guidelines beside the task, or opens them on a narrow screen', async () => {
  const guidelines = '# How to judge\n\nRead <b>all</b>\nof it.\n\n- first\n- second\n';
  await withServer(tasks(1), { guidelines }, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.press('g');
    assert.equal(await desk.focus(), 'guidelines');
    assert.deepEqual(await desk.page.locator('#guidelines li').allTextContents(), ['first', 'second']);
    assert.equal(await desk.text('#guidelines h3 >> nth=0'), 'How to judge');
    assert.equal(await desk.text('#guidelines p >> nth=0'), 'Read <b>all</b> of it.');
    assert.match(await desk.text('#guidelines'), /Perfect/);
    await desk.page.setViewportSize({ width: 400, height: 700 });
    await desk.press('g');
    assert.ok(await desk.isOpen('guidelines-dialog'));
    await desk.page.keyboard.press('Escape');
    assert.ok(!await desk.isOpen('guidelines-dialog'));
    await desk.close();
  });
});

test('evidence is answered with yes and no, and the question names member and list', async () => {
  const list = tasks(2, { kind: 'evidence', member: 'Assam', list: 'Tea » Kinds » Name', query: 'kinds of tea' })
    .map((one, index) => ({ ...one, member: `Assam ${index}` }));
  await withServer(list, {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    assert.match(await desk.text('#question'), /^Does this passage confirm that Assam \d belongs to Tea » Kinds » Name\?$/);
    assert.equal(await desk.text('#question-label'), 'Query: kinds of tea');
    const yes = await desk.answer('y');
    const no = await desk.answer('n');
    await desk.saved();
    const answers = byTask(await server.answers());
    assert.deepEqual([answers[yes].grade, answers[no].grade], [1, 0]);
    await desk.close();
  });
});

test('the collection of the bundled wiki is judged with the names that its passages link', async () => {
  await withServer(null, { flags: ['--mode', 'shown'] }, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const members = {};
    for (let count = 0; count < 5; ++count) {
      await desk.task();
      const member = await desk.text('#question bdi >> nth=0');
      assert.match(await desk.text('#question'), /^Does this passage confirm that .+ belongs to .+ » .+ » .+\?$/);
      assert.match(await desk.text('#judge'), /^The judge says: (Yes|No|no grade)/);
      const mentions = await desk.page.locator('#passage .mention').allTextContents();
      if (await desk.text('#title') !== member) assert.ok(mentions.length > 0, `the passage of ${member} has no link`);
      members[await desk.answer(count % 2 ? 'y' : 'n')] = member;
    }
    await desk.saved();
    for (const { task: id, member } of await server.answers()) assert.equal(member, members[id]);
    await desk.close();
  });
});

test('spans alone are saved with 1; None says that there are none, and does not go with selected words', async () => {
  await withServer(tasks(2, { kind: 'spans' }), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.press('1');
    await desk.says('#message', 'Select the words that answer the query, or choose None.');
    await desk.page.keyboard.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('Space');
    await desk.press('n');
    await desk.says('#message', 'Words are selected.');
    const some = await desk.answer('1');
    const none = await desk.answer('0');
    await desk.saved();
    const answers = byTask(await server.answers());
    assert.deepEqual(answers[some].spans, [[0, 7]]);
    assert.deepEqual(answers[none].spans, []);
    assert.equal(answers[none].grade, null);
    assert.ok(!answers[none].skipped);
    await desk.close();
  });
});

test('the judge is shown only if the campaign says so, and its parts can be taken over', async () => {
  const judge = { grade: 2, probability: 0.71, reason: 'Says <i>some</i> of it.', spans: [[0, 7]] };
  await withServer(tasks(2, { judge }), { flags: ['--mode', 'shown'] }, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    assert.equal(await desk.text('#judge'), 'The judge says: Partial (probability 0.71)Says <i>some</i> of it.');
    await desk.page.click('#take-judge');
    assert.deepEqual(await desk.marks(), ['Passage']);
    await desk.answer('2');
    await desk.saved();
    const [answer] = await server.answers();
    assert.equal(answer.mode, 'shown');
    await desk.close();
  });
  await withServer(tasks(1, { judge }), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    assert.ok(!await desk.page.isVisible('#judge'));
    assert.ok(!await desk.page.isVisible('#take-judge'));
    await desk.close();
  });
});

test('the time of a task does not count while help is open or the window is hidden', async () => {
  await withServer(tasks(2), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const first = await desk.task();
    const begin = Date.now();
    await desk.page.waitForTimeout(400);
    await desk.press('?');
    await desk.page.waitForTimeout(1500);
    await desk.page.keyboard.press('Escape');
    await desk.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await desk.page.waitForTimeout(1500);
    await desk.page.evaluate(() => {
      delete document.visibilityState;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await desk.answer('1');
    // What passed without both pauses. One pause that counts is more than the 1000 ms for what is not measured here.
    const most = Date.now() - begin - 2 * 1500 + 1000;
    await desk.saved();
    const time = byTask(await server.answers())[first].visible_ms;
    assert.ok(time >= 600 && time <= most, `${time} ms of at most ${most}`);
    await desk.close();
  });
});

test('the title of the window tells the progress, and the end is said', async () => {
  await withServer([task(1)], { flags: ['--title', 'Tea'] }, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    assert.equal(await desk.page.title(), '0 of 1 – Tea');
    await desk.answer('0');
    await desk.says('#rest-title', 'All tasks are answered');
    assert.equal(await desk.page.title(), '1 of 1 – Tea');
    assert.equal(await desk.focus(), 'rest-title');
    await desk.saved();
    await desk.page.waitForTimeout(200);
    assert.equal(await desk.text('#progress-text'), '1 of 1');
    await desk.page.keyboard.press('u');
    await desk.answer('1');
    await desk.saved();
    assert.deepEqual((await server.answers()).map(({ grade }) => grade), [1]);
    await desk.close();
  });
});
