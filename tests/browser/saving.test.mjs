// Nothing is lost and nothing is stored twice: reloads, lost networks, killed servers, two tabs, two people.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, Desk, tasks, withServer } from './harness.mjs';

after(closeBrowser);

const graded = (answers) => answers.map(({ annotator, task, grade }) => `${annotator} ${task} ${grade}`).sort();

test('a reload in the middle of an answer keeps parts, reason, difficulty and time', async () => {
  await withServer(tasks(3), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const id = await desk.task();
    await desk.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await desk.press('d');
    await desk.press('r');
    await desk.page.keyboard.type('half a sen');
    await desk.page.waitForTimeout(600);
    await desk.page.reload();
    assert.equal(await desk.task(), id);
    assert.deepEqual(await desk.marks(), ['Passage number']);
    assert.equal(await desk.page.inputValue('#reason'), 'half a sen');
    assert.equal(await desk.page.getAttribute('#difficult', 'aria-pressed'), 'true');
    await desk.answer('2');
    await desk.saved();
    const [answer] = await server.answers();
    assert.deepEqual(answer.spans, [[0, 14]]);
    assert.equal(answer.reason, 'half a sen');
    assert.ok(answer.visible_ms >= 1500, `${answer.visible_ms} ms`);
    await desk.close();
  });
});

test('without a network the work goes on, and all is sent when it is back', async () => {
  await withServer(tasks(6), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.answer('0');
    await desk.saved();
    await desk.page.waitForTimeout(300);
    await desk.context.setOffline(true);
    await desk.answer('1');
    await desk.says('#status', '1 answer waits for the network');
    await desk.answer('0');
    await desk.says('#status', '2 answers wait for the network');
    await desk.context.setOffline(false);
    await desk.saved();
    while (await desk.page.isVisible('#task')) await desk.answer('0');
    await desk.says('#rest-title', 'All tasks are answered');
    const answers = await server.answers();
    assert.equal(answers.length, 6);
    assert.equal(new Set(answers.map(({ task }) => task)).size, 6);
    await desk.close();
  });
});

test('a page that has no task left without a network says so, and goes on when the network is back', async () => {
  await withServer(tasks(12), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.page.waitForTimeout(300);
    await desk.context.setOffline(true);
    let requests = 0;
    desk.page.on('requestfailed', () => { requests += 1; });
    while (await desk.page.isVisible('#task')) await desk.answer('1');
    await desk.says('#rest-title', 'Waiting for the server');
    await desk.page.waitForTimeout(1500);
    assert.ok(requests < 15, `${requests} requests without a network`);
    await desk.context.setOffline(false);
    await desk.task();
    await desk.saved();
    assert.ok((await server.answers()).length >= 2);
    await desk.close();
  });
});

test('a server that is killed in the middle of the work and started again has each answer once', async () => {
  await withServer(tasks(14), { people: ['Ann', 'Bo'] }, async (server) => {
    const desks = [await Desk.open(server.links.Ann), await Desk.open(server.links.Bo)];
    const given = [];
    const work = async (desk, count, killed) => {
      for (let number = 0; number < count && (!killed || await desk.page.isVisible('#task')); ++number) {
        given.push(await desk.answer(String(number % 2)));
      }
    };
    await Promise.all(desks.map((desk) => work(desk, 3)));
    const mean = Promise.all(desks.map((desk) => work(desk, 2, true)));
    await server.end('SIGKILL');
    await mean;
    await server.restart();
    await Promise.all(desks.map((desk) => desk.task()));
    await Promise.all(desks.map((desk) => work(desk, 3)));
    await Promise.all(desks.map((desk) => desk.saved()));
    const answers = await server.answers();
    assert.equal(answers.length, given.length);
    assert.equal(new Set(answers.map(({ annotator, task }) => `${annotator} ${task}`)).size, given.length);
    assert.equal(new Set(answers.map(({ id }) => id)).size, given.length);
    assert.deepEqual(answers.map(({ task }) => task).sort(), given.sort());
    for (const desk of desks) await desk.close();
  });
});

test('a reply that is lost on its way makes the page send again, and the answer is stored once', async () => {
  await withServer(tasks(3), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    let posts = 0;
    await desk.page.route('**/api/answers', async (route) => {
      posts += 1;
      if (posts > 1) return route.continue();
      await route.fetch();  // the server has it, and the page does not know
      return route.abort();
    });
    await desk.answer('1');
    await desk.saved();
    assert.equal(posts, 2);
    assert.equal((await server.answers()).length, 1);
    await desk.close();
  });
});

test('tasks whose delivery was lost are given again', async () => {
  await withServer(tasks(3), {}, async (server) => {
    const desk = await Desk.open('about:blank');
    let lost = 0;
    await desk.page.route('**/api/next', async (route) => {
      if (lost > 0) return route.continue();
      lost = (await (await route.fetch()).json()).tasks.length;
      return route.abort();
    });
    await desk.page.goto(server.links.Ann);
    for (let count = 0; count < 3; ++count) await desk.answer('1');
    await desk.saved();
    assert.equal(lost, 3);
    assert.equal((await server.answers()).length, 3);
    await desk.close();
  });
});

test('answers that wait are sent after the page was closed and opened again', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.page.waitForTimeout(300);
    await server.end();
    const given = [await desk.answer('0'), await desk.answer('1')];
    await desk.says('#status', '2 answers wait');
    await desk.page.close();
    await server.restart();
    desk.page = await desk.newPage();
    await desk.page.goto(server.url);
    await desk.task();
    await desk.saved();
    const answers = await server.answers();
    assert.deepEqual(answers.map(({ task }) => task).sort(), given.sort());
    await desk.close();
  });
});

test('an answer that the server refuses comes back with its reason and with what was filled in', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.page.route('**/api/answers', async (route) => {
      const body = route.request().postDataJSON();
      if (body.answers[0].reason !== 'odd') return route.continue();
      return route.fulfill({ json: { results: body.answers.map(({ id }) => ({ id, state: 'rejected', problem: 'the reason is odd' })) } });
    });
    await desk.press('r');
    await desk.page.keyboard.type('odd');
    await desk.page.keyboard.press('Enter');
    const refused = await desk.answer('1');
    await desk.says('#message', 'An answer was not taken (the reason is odd). Its task comes next.');
    await desk.answer('0');
    assert.equal(await desk.task(), refused);
    await desk.says('#message', 'Your answer was not taken: the reason is odd.');
    assert.equal(await desk.page.inputValue('#reason'), 'odd');
    await desk.page.fill('#reason', 'even');
    await desk.page.keyboard.press('Enter');
    await desk.answer('1');
    await desk.saved();
    const answers = await server.answers();
    assert.equal(answers.length, 2);
    assert.equal(answers.find(({ task }) => task === refused).reason, 'even');
    await desk.close();
  });
});

test('one request that the server cannot read does not hold up the other answers', async () => {
  await withServer(tasks(5), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.page.waitForTimeout(300);
    await desk.context.setOffline(true);
    await desk.press('r');
    await desk.page.keyboard.type('bad');
    await desk.page.keyboard.press('Enter');
    await desk.answer('0');
    await desk.answer('1');
    await desk.page.route('**/api/answers', (route) => (
      route.request().postData().includes('"bad"') ? route.fulfill({ status: 400, json: { error: 'the request cannot be read' } }) : route.continue()));
    await desk.context.setOffline(false);
    await desk.saved();
    assert.deepEqual((await server.answers()).map(({ grade }) => grade), [1]);
    await desk.close();
  });
});

test('two people work at once, each with the own answers', async () => {
  await withServer(tasks(5), { people: ['Ann', 'Bo'] }, async (server) => {
    const [ann, bo] = [await Desk.open(server.links.Ann), await Desk.open(server.links.Bo)];
    await Promise.all([[ann, '0'], [bo, '1']].map(async ([desk, key]) => {
      for (let count = 0; count < 5; ++count) await desk.answer(key);
      await desk.says('#rest-title', 'All tasks are answered');
      await desk.saved();
    }));
    const answers = await server.answers();
    assert.equal(graded(answers).length, 10);
    for (const who of new Set(answers.map(({ annotator }) => annotator))) {
      const own = answers.filter(({ annotator }) => annotator === who);
      assert.equal(own.length, 5);
      assert.equal(new Set(own.map(({ grade }) => grade)).size, 1);
    }
    await ann.close();
    await bo.close();
  });
});

test('who finds all tasks in the hands of others is told so', async () => {
  await withServer(tasks(2), { people: ['Ann', 'Bo'], overlap: 1 }, async (server) => {
    const ann = await Desk.open(server.links.Ann);
    await ann.task();
    const bo = await Desk.open(server.links.Bo);
    await bo.says('#rest-title', 'No task for you right now');
    await ann.close();
    await bo.close();
  });
});

test('a second tab says that the page is open elsewhere, and takes over with what was done there', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    const id = await desk.task();
    await desk.press('r');
    await desk.page.keyboard.type('begun here');
    const first = desk.page;
    desk.page = await desk.newPage();
    await desk.page.goto(server.url);
    await desk.page.waitForSelector('#elsewhere[open]');
    assert.ok(!await desk.page.isVisible('#task'));
    await desk.page.click('#take-over');
    assert.equal(await desk.task(), id);
    assert.equal(await desk.page.inputValue('#reason'), 'begun here');
    await first.waitForSelector('#elsewhere[open]');
    await first.keyboard.press('1');
    await first.keyboard.press('Escape');
    await first.keyboard.press('Escape');
    await first.waitForSelector('#elsewhere[open]');
    await desk.answer('0');
    await desk.saved();
    assert.deepEqual((await server.answers()).map(({ grade }) => grade), [0]);
    await desk.close();
  });
});

test('a tab that is closed leaves its place, and one that crashed loses it', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.page.close();
    desk.page = await desk.newPage();
    await desk.page.goto(server.url);
    await desk.task();
    await desk.page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.endsWith('/tab'));
      addEventListener('pagehide', () => localStorage.setItem(key, '"of a tab that crashed"'));
    });
    await desk.page.reload();
    await desk.task();
    await desk.close();
  });
});

test('a browser that keeps nothing waits for the server before it goes on', async () => {
  await withServer(tasks(3), {}, async (server) => {
    const desk = await Desk.open('about:blank');
    await desk.context.addInitScript(() => {
      Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    });
    await desk.page.goto(server.links.Ann);
    const first = await desk.task();
    await desk.says('#banner', 'This browser keeps nothing');
    await desk.context.setOffline(true);
    await desk.press('1');
    await desk.says('#message', 'Waiting for the server');
    await desk.press('0');
    assert.equal(await desk.task(), first);
    await desk.context.setOffline(false);
    await desk.page.waitForFunction((id) => document.getElementById('main').dataset.task !== id, first);
    assert.deepEqual((await server.answers()).map(({ grade }) => grade), [1]);
    await desk.close();
  });
});

test('a page that is signed out keeps its answers, and sends them after the link was opened again', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.page.waitForTimeout(300);
    await desk.context.clearCookies();
    const given = await desk.answer('1');
    await desk.says('#status', '1 answer waits for your link');
    await desk.says('#banner', 'You are signed out');
    await desk.page.goto(server.links.Ann);
    await desk.task();
    await desk.saved();
    assert.ok(await desk.page.isHidden('#banner'));
    assert.deepEqual((await server.answers()).map(({ task }) => task), [given]);
    await desk.close();
  });
});

test('who signs out has all answers saved, and is let in by the link alone', async () => {
  await withServer(tasks(4), {}, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    await desk.context.setOffline(true);
    await desk.answer('1');
    await desk.press('?');
    await desk.page.click('#sign-out');
    await desk.says('#sign-out-note', 'Answers still wait for the network.');
    await desk.context.setOffline(false);
    await desk.page.click('#sign-out');
    await desk.says('#rest-title', 'Open your personal link again');
    assert.equal((await desk.context.cookies()).length, 0);
    await desk.page.reload();
    await desk.says('#rest-title', 'Open your personal link again');
    await desk.page.goto(server.links.Ann);
    await desk.task();
    await desk.close();
    const owner = await Desk.open(server.links.owner);
    await owner.page.waitForSelector('#sections section');
    await owner.page.click('#sign-out');
    await owner.says('#banner', 'You are signed out');
    assert.equal(await owner.page.locator('#sections section').count(), 0);
    await owner.close();
    assert.equal((await server.answers()).length, 1);
  });
});

test('answers of one person are never sent in the name of another who opened a link in the same browser', async () => {
  await withServer(tasks(5), { people: ['Ann', 'Bo'] }, async (server) => {
    const desk = await Desk.open(server.links.Ann);
    await desk.task();
    const ann = desk.page;
    const bo = await desk.newPage();
    await bo.goto(server.links.Bo);
    await bo.waitForSelector('#main[data-task]');
    await ann.bringToFront();
    const given = [await desk.answer('0'), await desk.answer('0')];
    await desk.says('#status', '2 answers wait for your link');
    await desk.says('#banner', 'this browser is signed in as');
    await ann.waitForTimeout(2500);  // it tries again
    await ann.goto(server.links.Ann);
    await desk.task();
    await desk.saved();
    const answers = await server.answers();
    assert.deepEqual(answers.map(({ task }) => task).sort(), given.sort());
    assert.equal(new Set(answers.map(({ annotator }) => annotator)).size, 1);
    const names = await ann.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith('/current')));
    assert.ok(names.some((name) => name.includes(`/${answers[0].annotator}/`)));
    await desk.close();
  });
});

test('without a session the page says what to do', async () => {
  await withServer(tasks(1), {}, async (server) => {
    const desk = await Desk.open(`${server.url}/`);
    await desk.says('#rest-title', 'Open your personal link again');
    await desk.close();
  });
});
