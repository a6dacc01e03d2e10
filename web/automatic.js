'use strict';
// Filters lists of titles. Without scripts the field is not shown, and the lists are whole.
for (const tools of document.querySelectorAll('.tools')) {
  const items = [...tools.nextElementSibling.children];
  const texts = items.map((item) => item.firstElementChild.textContent.toLowerCase());
  const output = tools.querySelector('output');
  const show = (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    items.forEach((item, i) => {
      item.hidden = !words.every((word) => texts[i].includes(word));
      if (!item.hidden) count += 1;
    });
    output.textContent = words.length ? `${count} of ${items.length}` : '';
  };
  tools.hidden = false;
  tools.querySelector('.filter').addEventListener('input', show);
}
