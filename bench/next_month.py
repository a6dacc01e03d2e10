#!/usr/bin/env python3
"""Makes the dump of the following month from a dump of MediaWiki: edits, moves, merges, deletes and adds some of its articles.

    next_month.py DUMP [--share 0.03] [--seed N] [--month YYYY-MM] [--truth FILE] > NEXT.xml

DUMP is XML, plain, .bz2 or .zst (with the program zstd). It is read twice, page by page; memory holds titles and ids, and the texts of few pages. Equal arguments give equal
bytes. Pages that do not change keep theirs. --month is the month after that of the newest revision, if it is not given.

--share of the articles (namespace 0, no redirects) change: 80 % of them are edited, 6 % are new, 5 % are deleted, 4 % are moved and 5 % are merged into another article. These
proportions are assumptions, not counts of a real history: most changed pages are edited; with a share of 3 %, 0.18 % of the articles are new, which are 420 a day in a wiki of seven
million; and deletions and merges are as common as new pages or more so, so that every kind of change occurs in a small wiki and months of it do not grow. Robots that touch a tenth
of a wiki, for example its categories, are not imitated: set a higher --share for them.
Edits go to long articles and to lists first, deletions and merges to short articles. At least one list is edited if there is one.

- An edited page gets one to three edits (wiki_edits.py has the kinds and their shares), one revision, a later time, and the length and SHA-1 of its new text.
- A moved page keeps its id; a redirect with a new id is at its old title, and older redirects lead to its new one. A merged page becomes a redirect to an article behind it in
  the dump, which takes its first paragraphs. A deleted page goes with its redirects. A new page is at the end; one or two edited pages link to it.
- For each 50 changed articles, and at least once, a redirect gets another target and a template another text, where there are such pages; of the redirects, no larger share
  than of the articles.

--truth is a table: page id, old title, new title, what (edited, moved, merged, deleted or added), kind of edit, detail.
"""
import argparse
import array
import bz2
import calendar
import contextlib
import datetime
import hashlib
import itertools
import random
import re
import subprocess
import sys

import wiki_edits

NS, ID = re.compile(rb'<ns>(-?\d+)</ns>'), re.compile(rb'<id>(\d+)</id>')
TITLE, REDIRECT = re.compile(rb'<title>(.*?)</title>'), re.compile(rb'<redirect title="(.*?)" ?/>')
REVISION, TIME = re.compile(rb'<revision>\s*<id>(\d+)</id>'), re.compile(rb'<timestamp>(.*?)</timestamp>')
TEXT = re.compile(rb'<text\b([^>]*?)(?:/>|>(.*?)</text>)', re.S)
CONTRIBUTOR = re.compile(rb'<contributor\b(?:[^>]*/>|.*?</contributor>)(?:\s*<minor ?/>)?(?:\s*<comment\b(?:[^>]*/>|.*?</comment>))?', re.S)
KIND_OF_THING = re.compile(rb"'''[^\n]{0,160}? (?:is|was) (?:a|an|the) ([a-z][a-z -]{2,40}?)(?: (?:of|in|that|which|who|on|by|for|from|near|at|with|located)\b|[,.(\[&;|])")
LIST = re.compile(r'(?:lists? of|liste d|lista d|lijst van|saraksts|список|danh sách)\b|.*(?:一覧|列表)', re.I)
EDITORS = ('Tern', 'Brambling', 'Nightjar', 'Fieldfare', 'Wheatear')
ADDED, DELETED, MOVED, MERGED = 0.06, 0.05, 0.04, 0.05


def escaped(text):
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('"', '&quot;').encode()


def unescaped(text):
    named = {b'lt': '<', b'gt': '>', b'quot': '"', b'apos': "'", b'amp': '&'}
    parts = re.split(rb'&(#?\w+);', text)
    number = lambda name: chr(int(name[2:], 16) if name[1:2] in b'xX' else int(name[1:]))
    return ''.join(part.decode() if i % 2 == 0 else named[part] if part in named else number(part) for i, part in enumerate(parts))


def sha1_of(text):
    """In base 36 with 31 digits, as MediaWiki writes it."""
    number, digits = int(hashlib.sha1(text.encode()).hexdigest(), 16), ''
    while number:
        number, digit = divmod(number, 36)
        digits = '0123456789abcdefghijklmnopqrstuvwxyz'[digit] + digits
    return digits.rjust(31, '0')


@contextlib.contextmanager
def opened(path):
    if path.endswith('.zst'):
        with subprocess.Popen(['zstd', '-dc', path], stdout=subprocess.PIPE) as process:
            yield process.stdout
    else:
        with (bz2.open if path.endswith('.bz2') else open)(path, 'rb') as source:
            yield source


def pieces_of(path):
    """(is a page, bytes) in the order of the dump: pages, and the lines between them."""
    page = []
    with opened(path) as source:
        for line in source:
            if page or line.strip() == b'<page>':
                page.append(line)
                if line.strip() == b'</page>':
                    yield True, b''.join(page)
                    page = []
            else:
                yield False, line


class Index:
    """What the first reading keeps."""
    def __init__(self, path):
        self.ids, self.sizes, self.titles = array.array('Q'), array.array('L'), []
        self.numbers, self.redirects, self.nouns = {}, {}, {}  # by title
        self.templates, self.mute_templates = [], []  # with words that readers see, and others
        self.last_page = self.last_revision = 0
        self.newest, self.language, self.sample = b'', 'en', b''
        for is_page, piece in pieces_of(path):
            if is_page:
                self.take(piece)
            elif b'xml:lang=' in piece:
                self.language = re.search(rb'xml:lang="([^"]*)"', piece)[1].decode()

    def take(self, page):
        number, namespace = int(ID.search(page)[1]), int(NS.search(page)[1])
        self.last_page = max(self.last_page, number)
        self.last_revision = max([self.last_revision, *map(int, REVISION.findall(page))])
        self.newest = max([self.newest, *TIME.findall(page)])
        text = TEXT.search(page)
        if namespace not in (0, 10) or b'<model>wikitext<' not in page or text is None or not text[2]:
            return
        title = unescaped(TITLE.search(page)[1])
        if namespace == 10:
            if REDIRECT.search(page) is None and '/' not in title:
                (self.templates if wiki_edits.SHOWN.search(unescaped(text[2])) else self.mute_templates).append(number)
        elif target := REDIRECT.search(page):
            self.redirects[title] = number, unescaped(target[1])
        else:
            self.numbers[title] = len(self.ids)
            self.ids.append(number)
            self.sizes.append(len(text[2]))
            self.titles.append(title)
            self.sample = self.sample or page
            if noun := KIND_OF_THING.search(text[2][:6000]):
                self.nouns[title] = sys.intern(noun[1].split()[-1].decode())

    def has(self, title):
        return title in self.numbers or title in self.redirects


def other_title(title, noun, index):
    """As people rename; None if nothing comes to mind."""
    choices = [re.sub(r'^List of (.+) (?:in|of) (\S+)$', r'List of \2 \1', title), re.sub(r'^List of (?!notable)', 'List of notable ', title), re.sub(r' \([^()]+\)$', '', title),
               re.sub(r'^([^,()]+), ([^,()]+)$', r'\1 (\2)', title), re.sub(r'^The (\w)', lambda found: found[1].upper(), title)]
    if noun and noun not in title.lower():
        choices.append(f'{title} ({noun})')
    if ' of ' not in title:
        choices.append(re.sub(r'^(\w[^ ,()]*) (\w[^(),]*)$', lambda found: f'{found[2][0].upper()}{found[2][1:]} of {found[1]}' if index.language == 'en' else f'{found[2]} ({found[1]})', title))
    return next((new for new in choices if new != title and new and not index.has(new)), None)


class Plan:
    """Which page changes how, by page id."""
    def __init__(self, index, share, rng):
        self.changes, self.links_to, self.new_titles = {}, {}, {}  # the last with a word for what a new page is about
        free = [i for i, title in enumerate(index.titles) if title.replace('_', ' ') not in ('Main Page', 'Main page')]
        wanted = share * len(free)
        whole = lambda number: int(number) + (rng.random() < number % 1)
        added, deleted, moved, merged = (whole(wanted * part) for part in (ADDED, DELETED, MOVED, MERGED))
        is_list = {i for i in free if LIST.match(index.titles[i])}
        weight = lambda i: index.sizes[i] ** 0.5 * (6 if i in is_list else 1)
        drawn = sorted(free, key=lambda i: rng.random() ** (1 / weight(i)), reverse=True)
        edited = drawn[:max(1 + added, whole(wanted) - added - deleted - moved - merged)]
        if is_list and not is_list.intersection(edited):
            edited[-1] = rng.choice(sorted(is_list))
        rest = sorted(set(free).difference(edited), key=lambda i: rng.random() ** index.sizes[i] ** 0.5, reverse=True)
        for i in edited:
            self.changes[index.ids[i]] = 'list' if i in is_list else 'article'
        self.going = {index.titles[i] for i in rest[:deleted + merged]}
        self.changes.update((index.ids[i], 'deleted') for i in rest[:deleted])
        self.changes.update((index.ids[i], 'merged') for i in rest[deleted:deleted + merged])
        self.moves = {}
        for i in rng.sample(rest[deleted + merged:], len(rest[deleted + merged:])):
            new = other_title(index.titles[i], index.nouns.get(index.titles[i]), index)
            if len(self.moves) == moved:
                break
            if new and new not in self.moves.values():
                self.moves[index.titles[i]] = new
                self.changes[index.ids[i]] = 'moved'
        self.plan_others(index, rng, max(1, whole(wanted / 50)), {index.titles[i] for i in rest[:deleted]})
        self.plan_new(index, rng, added, edited)

    def plan_others(self, index, rng, number, deleted):
        self.targets = {}
        stable = [title for title, (_, target) in index.redirects.items() if target not in self.going and target not in self.moves and ':' not in target]
        share = len(self.changes) / max(1, len(index.titles))
        for title in rng.sample(stable, min(number, len(stable), max(1, round(share * len(stable))))):
            others = [other for other in index.titles if other not in self.going and other != index.redirects[title][1]]
            alike = [other for other in others if title.split()[-1] in other or title.split()[0] in other]
            self.targets[index.redirects[title][0]] = rng.choice(alike or others or index.titles)
        for title, (page, target) in index.redirects.items():
            if target in self.moves:
                self.targets[page] = self.moves[target]
            elif target in deleted:
                self.changes[page] = 'deleted'
        self.changes.update((page, 'redirect') for page in self.targets)
        templates = index.templates or index.mute_templates
        self.changes.update((page, 'template') for page in rng.sample(templates, min(number, len(templates))))

    def plan_new(self, index, rng, number, edited):
        lists = [i for i in edited if LIST.match(index.titles[i])]
        for _ in range(number):
            for _ in range(100):
                whole, other = rng.choice(index.titles), rng.choice(index.titles)
                first, last = other.split(), whole.split()
                title = ' '.join([first[0], *last[-max(1, len(last) - 1):]])
                known = index.has(title) or title in self.new_titles or title in self.moves.values()
                if not known and not any(map(LIST.match, (whole, other, title))) and re.fullmatch(r"[^\W\d](?:[^\W\d_]|[ ,.'’-])+[^\W\d_]", title):
                    self.new_titles[title] = index.nouns.get(whole) or index.nouns.get(other, 'place')
                    for i in rng.sample(lists, min(len(lists), rng.randint(0, 1))) or rng.sample(edited, min(len(edited), rng.randint(1, 2))):
                        self.links_to.setdefault(index.ids[i], []).append(title)
                    break


class Month:
    """Writes the second reading, with the changes of the plan."""
    def __init__(self, index, plan, start, salt, truth, out):
        self.index, self.plan, self.start, self.salt, self.truth, self.out = index, plan, start, salt, truth, out
        stays = [title for title in index.titles if title not in plan.going and title != 'Main Page' and not LIST.match(title) and not re.search(r'Q\d|:', title)] or index.titles
        known = lambda title: title in index.numbers and title not in plan.going
        self.world = wiki_edits.World(index.language, stays, known, index.nouns)
        self.sections, self.behind = {}, {}  # of merged pages, by the page that takes them; redirects to write
        self.revision, self.page, self.made = index.last_revision, index.last_page, 0
        self.expected = len(plan.changes) + len(plan.new_titles) + len(plan.moves) + sum(change == 'merged' for change in plan.changes.values())
        self.passed = set()

    def tell(self, page, old, new, what, kind='', detail=''):
        line = '\t'.join(re.sub(r'\s+', ' ', str(field))[:300] for field in (page, old, new, what, kind, detail))
        if self.truth:
            self.truth.write(line + '\n')

    def revised(self, page, text, comment, first=False):
        """The page with this text as its newest revision."""
        rng = random.Random(f'{self.salt}/time/{self.made}')
        head, mark, last = page.rpartition(b'<revision>')
        self.revision += 1
        self.made += 1
        days = calendar.monthrange(self.start.year, self.start.month)[1]
        time = self.start + datetime.timedelta(seconds=int(min(0.999, (self.made - 1 + rng.random()) / (self.expected + 1)) * days * 86400))
        old, editor = ID.search(last)[1], rng.randrange(len(EDITORS))
        parent = b'' if first else b'\n      <parentid>%s</parentid>' % old
        last = re.sub(rb'<id>\d+</id>(?:\s*<parentid>\d+</parentid>)?', b'<id>%d</id>%s' % (self.revision, parent), last, count=1)
        last = TIME.sub(b'<timestamp>%s</timestamp>' % time.strftime('%Y-%m-%dT%H:%M:%SZ').encode(), last, count=1)
        contributor = b'<contributor>\n        <username>%s</username>\n        <id>%d</id>\n      </contributor>\n      <comment>%s</comment>' % (
            EDITORS[editor].encode(), 900_001 + editor, escaped(comment))
        last = CONTRIBUTOR.sub(lambda _: contributor, last, count=1)
        last = re.sub(rb'<origin>\d+</origin>', b'<origin>%d</origin>' % self.revision, last)
        digest, written = sha1_of(text).encode(), TEXT.search(last)
        attributes = re.sub(rb'bytes="\d+"', b'bytes="%d"' % len(text.encode()), re.sub(rb'sha1="\w*"', b'sha1="%s"' % digest, written[1])).rstrip()
        last = last[:written.start()] + b'<text' + attributes + b'>' + escaped(text) + b'</text>' + last[written.end():]
        return head + mark + re.sub(rb'<sha1>\w*</sha1>', b'<sha1>%s</sha1>' % digest, last)

    def created(self, number, title, text, target=None):
        """A page of one revision, in the form of an older one."""
        page = re.sub(rb'<restrictions>.*?</restrictions>\s*', b'', self.index.sample)
        page = page[:page.index(b'<revision>')] + page[page.rindex(b'<revision>'):]
        page = TITLE.sub(lambda _: b'<title>%s</title>' % escaped(title), page, count=1)
        page = ID.sub(b'<id>%d</id>' % number, page, count=1)
        return self.revised(with_target(page, target), text, 'new page', first=True)

    def run(self, dump):
        first = [page for is_page, page in itertools.islice(pieces_of(dump), 3000) if is_page and b'<ns>0</ns>' in page and TEXT.search(page)[2]][:200]
        for page in first:
            self.world.learn(unescaped(TEXT.search(page)[2]), random.Random(self.salt))
        for is_page, piece in pieces_of(dump):
            if is_page:
                piece = self.changed(piece)
            elif piece.strip() == b'</mediawiki>':
                self.write_new()
            self.out.write(piece)

    def changed(self, page):
        number = int(ID.search(page)[1])
        change = self.plan.changes.get(number)
        index_of = self.index.numbers.get(title := unescaped(TITLE.search(page)[1]))
        is_article = index_of is not None and self.index.ids[index_of] == number
        if change is None and number not in self.sections and not is_article:
            return page
        rng = random.Random(f'{self.salt}/{number}')
        text = unescaped(TEXT.search(page[page.rindex(b'<revision>'):])[2] or b'')
        if is_article:
            self.passed.add(title)
            if change is None or change == 'article':
                self.world.learn(text, rng)
        if number in self.sections:
            source, section = self.sections.pop(number)
            self.tell(number, title, title, 'edited', 'section of a merged page', source)
            return self.revised(page, wiki_edits.with_section(text, section), f'merged from {source}')
        if change is None:
            return page
        if change == 'deleted':
            self.tell(number, title, '', 'deleted', '' if is_article else 'redirect')
            return b''
        if change == 'moved':
            new = self.plan.moves[title]
            self.tell(number, title, new, 'moved')
            self.behind[title] = new
            page = self.revised(page, text, f'moved page [[{title}]] to [[{new}]]')
            return TITLE.sub(lambda _: b'<title>%s</title>' % escaped(new), page, count=1)
        if change == 'merged':
            return self.merged(page, number, title, text, rng)
        if change == 'redirect':
            target = self.plan.targets[number]
            old = self.index.redirects[title][1]
            self.tell(number, title, title, 'edited', 'redirect retargeted', f'{old} to {target}')
            text = re.sub(r'\[\[[^\[\]]*\]\]', lambda _: f'[[{target}]]', text, count=1)
            return self.revised(REDIRECT.sub(lambda _: b'<redirect title="%s" />' % escaped(target), page, count=1), text, 'new target')
        if change == 'template':
            text, detail = wiki_edits.template_edited(text, rng)
            self.tell(number, title, title, 'edited', 'template edited', detail)
            return self.revised(page, text, 'template')
        return self.edited(page, number, title, text, rng, change == 'list')

    def edited(self, page, number, title, text, rng, is_list):
        kinds, details = [], []
        for new in self.plan.links_to.get(number, []):
            done = (rng.random() < 0.5 or is_list) and wiki_edits.row_added(text, rng, self.world, new)
            done = done or wiki_edits.sentence_added(text, rng, self.world, f'Another name that is given is [[{new}]].') or (text + f'\n\nAnother name that is given is [[{new}]].', new)
            kinds.append('link to a new page')
            text, detail = done[0], new
            details.append(detail)
        for _ in range(0 if kinds else rng.choices((1, 2, 3), (75, 18, 7))[0]):
            kind, text, detail = wiki_edits.edited(text, rng, self.world, is_list)
            kinds.append(kind)
            details.append(detail)
        self.tell(number, title, title, 'edited', ' + '.join(kinds), ' | '.join(details))
        return self.revised(page, text, kinds[0])

    def merged(self, page, number, title, text, rng):
        """Into an article behind it that it links to, or any behind it; the page stays as it is if there is none."""
        linked = [found[1][:1].upper() + found[1][1:] for found in wiki_edits.LINK.finditer(text)]
        for target in [*linked, *rng.sample(self.index.titles, min(200, len(self.index.titles)))]:
            at = self.index.numbers.get(target)
            if at is not None and target not in self.passed and self.index.ids[at] not in self.plan.changes and self.index.ids[at] not in self.sections:
                self.sections[self.index.ids[at]] = title, wiki_edits.merged_section(title, text)
                self.tell(number, title, title, 'merged', '', target)
                return self.revised(with_target(page, target), f'#REDIRECT [[{target}]]', f'merged to [[{target}]]')
        return page

    def write_new(self):
        for old, new in self.behind.items():
            self.page += 1
            self.tell(self.page, '', old, 'added', 'redirect of a moved page', new)
            self.out.write(self.created(self.page, old, f'#REDIRECT [[{new}]]', new))
        for title, noun in self.plan.new_titles.items():
            rng = random.Random(f'{self.salt}/new/{title}')
            self.page += 1
            text = wiki_edits.new_page(title, noun, rng, self.world)
            self.tell(self.page, '', title, 'added', 'new page', text)
            self.out.write(self.created(self.page, title, text))


def with_target(page, target):
    page = re.sub(rb'\n *<redirect title=".*?" ?/>', b'', page, count=1)
    if target is None:
        return page
    return ID.sub(lambda found: found[0] + b'\n    <redirect title="%s" />' % escaped(target), page, count=1)


def first_day(month, newest):
    last = datetime.datetime.strptime((newest or b'2001-01')[:7].decode(), '%Y-%m')
    if not month:
        return (last + datetime.timedelta(days=31)).replace(day=1)
    start = datetime.datetime.strptime(month, '%Y-%m')
    if newest and start <= last:
        sys.exit(f'the newest revision is of {newest.decode()}: --month has to be later')
    return start


def write_next(dump, out, share=0.03, seed=1, month=None, truth=None):
    """Writes the next dump to a binary file; `truth` is a path, or None."""
    index = Index(dump)
    if not index.titles:
        sys.exit(f'{dump} holds no articles')
    start = first_day(month, index.newest)
    salt = f'{seed}/{start:%Y-%m}'
    plan = Plan(index, share, random.Random(salt))
    with open(truth, 'w', encoding='utf-8') if truth else contextlib.nullcontext() as lines:
        if lines:
            lines.write('page id\told title\tnew title\twhat\tkind\tdetail\n')
        Month(index, plan, start, salt, lines, out).run(dump)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('dump')
    parser.add_argument('--share', type=float, default=0.03)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--month')
    parser.add_argument('--truth')
    arguments = parser.parse_args()
    write_next(arguments.dump, sys.stdout.buffer, arguments.share, arguments.seed, arguments.month, arguments.truth)


if __name__ == '__main__':
    main()
