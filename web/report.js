// Fills topics when they are opened, filters and orders the list. Texts go into the page as text nodes only.
(function () {
  "use strict";
  var data = JSON.parse(document.getElementById("data").textContent);
  var list = document.getElementById("list");
  var topics = Array.prototype.slice.call(list.querySelectorAll("details.topic"));

  function make(name, className, text) {
    var element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function number(value) { return value.toLocaleString("en-US"); }

  // A page's title, as a link where the wiki's address is known.
  function pageLink(title, className) {
    if (!data.address) {
      var plain = make("span", className, title);
      plain.dir = "auto";
      return plain;
    }
    var link = make("a", className, title);
    link.href = data.address + encodeURIComponent(title.replace(/ /g, "_")).replace(/%2F/g, "/").replace(/%3A/g, ":");
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    link.dir = "auto";
    return link;
  }

  // The text with the mentions of members marked and the judge's spans underlined. Offsets are code points.
  function markedText(passage) {
    var paragraph = make("p", "text");
    paragraph.dir = "auto";
    if (passage.x === null) {
      paragraph.className = "note";
      paragraph.textContent = "The text is left out here; it is in corpus.jsonl.gz.";
      return paragraph;
    }
    var points = Array.from(passage.x);
    var state = new Uint8Array(points.length);
    var members = new Array(points.length);
    passage.j.forEach(function (judgment) {
      judgment[6].forEach(function (range) {
        for (var i = range[0]; i < range[1] && i < points.length; i++) { state[i] |= 1; members[i] = judgment[0]; }
      });
      judgment[7].forEach(function (range) {
        for (var i = range[0]; i < range[1] && i < points.length; i++) state[i] |= 2;
      });
    });
    if (passage.b) paragraph.appendChild(document.createTextNode("… "));
    for (var start = 0; start < points.length;) {
      var end = start;
      while (end < points.length && state[end] === state[start] && members[end] === members[start]) end++;
      var piece = points.slice(start, end).join("");
      if (state[start] === 0) {
        paragraph.appendChild(document.createTextNode(piece));
      } else {
        var element = make(state[start] & 1 ? "mark" : "span", state[start] & 2 ? "span" : "", piece);
        if (state[start] & 1) element.title = "link to " + members[start];
        paragraph.appendChild(element);
      }
      start = end;
    }
    if (passage.e) paragraph.appendChild(document.createTextNode(" …"));
    return paragraph;
  }

  function judgmentItem(judgment) {
    var item = make("li");
    var probability = judgment[2];
    var meter = make("span", judgment[1] > 0 ? "meter" : "meter off", probability === null ? "–" : probability.toFixed(2));
    meter.title = probability === null ? "no probability" : "probability of yes";
    var fill = make("i");
    fill.style.inlineSize = (probability === null ? 0 : probability * 100) + "%";
    meter.appendChild(fill);
    item.appendChild(meter);
    var words = make("span");
    words.dir = "auto";
    words.appendChild(make("b", "", judgment[0]));
    var verdict = judgment[1] === null ? "no grade, " + judgment[5] : judgment[1] > 0 ? "yes" : "no";
    words.appendChild(document.createTextNode(": " + verdict + (judgment[3] ? ". " + judgment[3] : "")));
    item.appendChild(words);
    return item;
  }

  function passageCard(passage) {
    var card = make("article", "passage");
    var header = make("header");
    header.appendChild(pageLink(passage.t || passage.d, "title"));
    if (passage.s.length) {
      var section = make("span", "where", passage.s.join(" » "));
      section.dir = "auto";
      header.appendChild(section);
    }
    header.appendChild(make("code", "where", passage.d));
    if (passage.j.some(function (judgment) { return judgment[4]; })) header.appendChild(make("span", "pill", "own article"));
    card.appendChild(header);
    card.appendChild(markedText(passage));
    var judgments = make("ul", "judgments");
    passage.j.forEach(function (judgment) { judgments.appendChild(judgmentItem(judgment)); });
    card.appendChild(judgments);
    return card;
  }

  function passages(parent, shown, total, file) {
    shown.forEach(function (passage) { parent.appendChild(passageCard(passage)); });
    if (shown.length < total) {
      parent.appendChild(make("p", "note", number(total - shown.length) + " more are in " + file + "."));
    }
  }

  function fact(facts, name, value) {
    facts.appendChild(make("dt", "", name));
    var holder = make("dd");
    holder.dir = "auto";
    if (typeof value === "string") holder.textContent = value; else holder.appendChild(value);
    facts.appendChild(holder);
  }

  function fill(element) {
    var topic = data.topics[element.dataset.index];
    var body = element.querySelector(".body");
    body.textContent = "";
    element.dataset.filled = "1";
    var facts = make("dl", "facts");
    fact(facts, "topic", topic.id);
    if (!topic.counts) {
      body.appendChild(facts);
      body.appendChild(make("p", "note", "Members and passages of this topic are not embedded in this page; they are in members.jsonl and judgments.jsonl.gz."));
      return;
    }
    fact(facts, "list", pageLink(topic.page, ""));
    if (topic.section.length) fact(facts, "section", topic.section.join(" » "));
    fact(facts, "column", topic.column);
    fact(facts, "query by", topic.source);
    body.appendChild(facts);

    body.appendChild(make("h4", "", "Members (" + number(topic.counts[0]) + "): evidence of candidates"));
    var members = make("ul", "members");
    topic.members.forEach(function (member) {
      var item = make("li", member[3] ? "" : "none");
      var name = make("span");
      name.appendChild(pageLink(member[0], ""));
      if (member[4].length) name.title = "also " + member[4].join(", ");
      item.appendChild(name);
      item.appendChild(make("span", "n", number(member[3]) + " of " + number(member[2])));
      members.appendChild(item);
    });
    body.appendChild(members);
    if (topic.members.length < topic.counts[0]) {
      body.appendChild(make("p", "note", number(topic.counts[0] - topic.members.length) + " more are in members.jsonl."));
    }

    body.appendChild(make("h4", "", "Evidence (" + number(topic.counts[1]) + ")"));
    if (!topic.counts[1]) body.appendChild(make("p", "empty", "No passage was judged as evidence."));
    passages(body, topic.yes, topic.counts[1], "qrels.txt and judgments.jsonl.gz");
    [["no", "Judged, no evidence", topic.counts[2]], ["unjudged", "Candidates without a grade", topic.counts[3]]].forEach(function (part) {
      if (!part[2]) return;
      var fold = make("details", "fold no");
      fold.appendChild(make("summary", "", part[1] + " (" + number(part[2]) + ")"));
      fold.addEventListener("toggle", function () {
        if (fold.open && fold.childNodes.length === 1) passages(fold, topic[part[0]], part[2], "judgments.jsonl.gz");
      });
      body.appendChild(fold);
    });
  }

  list.addEventListener("toggle", function (event) {
    var element = event.target;
    if (element.classList.contains("topic") && element.open && !element.dataset.filled) fill(element);
  }, true);

  // What the filter looks into: the visible lines, the id and the members' titles and aliases.
  var words = topics.map(function (element) {
    var topic = data.topics[element.dataset.index];
    var parts = [element.querySelector("summary").textContent, topic.id];
    (topic.members || []).forEach(function (member) { parts.push(member[0], member[4].join(" ")); });
    return parts.join(" ").toLowerCase();
  });
  var filter = document.getElementById("filter");
  var order = document.getElementById("order");
  var shown = document.getElementById("shown");

  function applyFilter() {
    var wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    topics.forEach(function (element, i) {
      var match = wanted.every(function (word) { return words[i].indexOf(word) >= 0; });
      element.hidden = !match;
      if (match) count++;
    });
    shown.textContent = count === topics.length ? number(count) + " topics" : number(count) + " of " + number(topics.length) + " topics";
  }

  function applyOrder() {
    var keys = {
      list: function () { return 0; },
      most: function (element) { return -element.dataset.evidence; },
      fewest: function (element) { return +element.dataset.evidence; },
      members: function (element) { return -element.dataset.members; }
    };
    var key = keys[order.value];
    topics.slice().sort(function (a, b) { return key(a) - key(b) || topics.indexOf(a) - topics.indexOf(b); })
      .forEach(function (element) { list.appendChild(element); });
  }

  function openFromAddress() {
    var element = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (element && element.classList.contains("topic")) { element.open = true; element.scrollIntoView(); }
  }

  var timer = 0;
  filter.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(applyFilter, 80); });
  order.addEventListener("change", applyOrder);
  window.addEventListener("hashchange", openFromAddress);
  if (topics.length) {
    document.getElementById("tools").hidden = false;
    applyFilter();
    openFromAddress();
  }
})();
