'use strict';
// Searches and orders the topics. Without scripts the tools are not shown, and the index is whole. Texts go into the
// page as text nodes only.
(() => {
  const find = (id) => document.getElementById(id);
  const [filter, order, found, results, list, more, index] =
    ['filter', 'order', 'found', 'results', 'result-list', 'more', 'index'].map(find);
  const kStep = 100;
  let topics = null;  // read when they are first asked for
  let folder = '';
  let matches = [];
  let shown = 0;

  const number = (value) => value.toLocaleString('en-US');
  const counted = (value, noun) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;

  function load() {
    const data = JSON.parse(find('data').textContent);
    folder = data.folder;
    topics = [];
    for (const [title, entries] of data.lists) {
      for (const [query, place, address, members, evidence, id, names] of entries) {
        const words = `${query} ${title} ${place} ${id} ${names || ''}`.toLowerCase();
        topics.push({ query, title, place, address, members, evidence, words });
      }
    }
  }

  function entry(topic) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = folder + topic.address;
    link.dir = 'auto';
    link.textContent = topic.query;
    const where = document.createElement('bdi');
    where.textContent = `${topic.title} » ${topic.place}`;
    const remark = document.createElement('small');
    remark.append(where, ` · ${counted(topic.members, 'member')} · ${number(topic.evidence)} evidence`);
    item.append(link, ' ', remark);
    return item;
  }

  function showMore() {
    list.append(...matches.slice(shown, shown + kStep).map(entry));
    shown = Math.min(shown + kStep, matches.length);
    more.hidden = shown === matches.length;
  }

  const keys = {
    most: (topic) => -topic.evidence,
    fewest: (topic) => topic.evidence,
    members: (topic) => -topic.members,
  };

  // Whether all words are in the query itself.
  const asks = (words) => (topic) => words.every((word) => topic.query.toLowerCase().includes(word));

  function search() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const active = words.length > 0 || order.value !== 'list';
    results.hidden = !active;
    index.hidden = active;
    list.textContent = '';
    found.textContent = '';
    if (!active) return;
    if (!topics) load();
    matches = topics.filter((topic) => words.every((word) => topic.words.includes(word)));
    const key = keys[order.value];
    // Topics with equal keys stay in the order of the lists.
    if (key) matches.sort((a, b) => key(a) - key(b));
    else matches = [...matches.filter(asks(words)), ...matches.filter((topic) => !asks(words)(topic))];
    shown = 0;
    showMore();
    found.textContent = matches.length === 0 ? 'No topic has these words.' : `${number(matches.length)} of ${counted(topics.length, 'topic')}`;
  }

  let timer = 0;
  filter.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 80); });
  order.addEventListener('change', search);
  more.addEventListener('click', showMore);
  find('tools').addEventListener('submit', (event) => {  // Enter opens the first topic that was found
    event.preventDefault();
    clearTimeout(timer);
    search();
    if (filter.value.trim() && matches.length > 0) location.href = folder + matches[0].address;
  });
  find('tools').hidden = index.querySelector('a') === null;
  if (filter.value || order.value !== 'list') search();  // the browser came back to a page that was searched
})();
