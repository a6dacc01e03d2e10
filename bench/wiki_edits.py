"""Edits of wikitext as people make them, for next_month.py: each is a function of a text that returns (new text, detail), or None where there is nothing of its kind to edit.

What surrounds a text is a World: titles to link to, and sentences of other pages. Only lines of prose outside of tables, templates and tags are touched, and rows and items of
lists. Invented sentences are plain words: in English mostly made from FRAMES; otherwise they are sentences of the wiki whose numbers and some of whose words vary.
"""
import re

# They fit people, places and things alike.
FRAMES = (
    'A guide of {year} gives the subject {n} lines.', 'An exhibition on the subject was held in {year}.', 'An account of {year} gives further details.',
    'Local records from {year} differ on this.', 'A newspaper of {year} tells a longer story.', 'Older sources spell the name in several ways.',
    'Comparisons with {link} are common.', 'The archive on the subject was moved to {link} in {year}.', 'The earliest picture dates from {year}.',
    'A society of friends, founded in {year}, has {n} members.', 'A school class from {link} wrote about it in {year}.', 'The account of {year} is the only one in print.',
    'Little is known about the years before {year}.', 'In {year}, a lecture at {link} was given on the subject.', 'A film on the subject was shown for {n} days in {year}.',
    'Some {n} letters of {year} refer to it.', 'Photographs from {year} are kept at {link}.', 'A stamp of {year} bears the name.',
    'A book of {year} has {n} pages on the subject.', 'The name is also found in the tales of {link}.',
)
SYNONYMS = {'large': 'big', 'famous': 'well known', 'is located in': 'lies in', 'built': 'constructed', 'founded': 'established', 'began': 'started', 'many': 'numerous',
            'small': 'little', 'several': 'a number of', 'because': 'since', 'however': 'nevertheless', 'called': 'known as',
            'is said to': 'is believed to', 'often': 'frequently', 'said': 'stated', 'oldest': 'most ancient', 'during': 'in the course of', 'not far from': 'close to'}
HEADINGS = {'History': 'History and development', 'Overview': 'General description', 'Description': 'Overview', 'See also': 'Related pages', 'References': 'Notes and references',
            'Notes': 'Notes and references', 'External links': 'Weblinks', 'Life': 'Biography', 'Biography': 'Life',
            'Geography': 'Location', 'Location': 'Geography', 'Works': 'Selected works', 'Access': 'Getting there'}
TAG = re.compile(r'<(/?)(ref|gallery|div|table|pre|nowiki|math|syntaxhighlight|blockquote|poem|includeonly|noinclude|center|span)\b[^>]*?(/?)>', re.I)
PROSE = re.compile(r"""(?:'{2,3}|\[\[(?![^\]|]*:)|["“(]|\w|\{\{(?:nihongo|lang|transliteration)\b[^{}]*\}\})""", re.I)
MASKED = re.compile(r'\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]|<ref[^>]*/>|<ref[^>]*>.*?</ref>|<[^>]*>|https?://\S+|&\w+;', re.I)
SENTENCE_END = re.compile(r"(?<![ .(][A-Za-z])(?<!\bSt)(?<!\bNo)(?<!\bDr)[.!?][\"”)]?\0*(?=$| +[A-Z\"'“\0])|。\0*")
LINK = re.compile(r'\[\[([^\[\]|#<>{}:]+)(?:\|([^\[\]|{}]+))?\]\]')
HEADING = re.compile(r'^(={2,5})[ \t]*([^=\n]+?)[ \t]*\1[ \t]*$', re.M)
ITEM = re.compile(r"\*+ *(?:''+)?(?:\[\[(?![^\]|]*:)|\{\{ill\|)")
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


class World:
    """`titles` is a list to choose from, `known(title)` says whether an article is called so, and `kinds` has a word for what some articles are about."""
    def __init__(self, language, titles, known, kinds):
        self.language, self.titles, self.known, self.kinds = language, titles, known, kinds
        self.of_kind = {}
        for title in titles:
            self.of_kind.setdefault(kinds.get(title), []).append(title)
        self.sentences, self.categories, self.seen = [], [], 0

    def title(self, rng, text='', like=None):
        """A title that the text has no link to, of an article of the same kind as `like` if there are several."""
        titles = self.of_kind.get(self.kinds.get(like), [])
        for _ in range(20):
            title = rng.choice(titles if like in self.kinds and len(titles) > 3 else self.titles)
            if f'[[{title}' not in text:
                break
        return title

    def learn(self, text, rng, room=1500):
        """Keeps some sentences of each page: a sample of all that were seen, of constant size."""
        if self.seen > 500 and rng.random() < 0.9:
            return
        for line in prose_of(text.split('\n'))[:4]:
            for begin, end in sentences(line[1])[:3]:
                sentence = plain(line[1][begin:end])
                if 40 <= len(sentence) <= 220 and not re.search(r"[\[\]{}<>|=*#~_\0]|''", sentence):
                    self.seen += 1
                    place = len(self.sentences) if len(self.sentences) < room else rng.randrange(self.seen)
                    self.sentences[place:place + 1] = [sentence] if place < room else self.sentences[place:place + 1]
        for category in re.findall(r'\[\[Category:[^\[\]|]+', text)[:2]:
            self.categories = [*self.categories[-60:], category + ']]']


def linked(title):
    return f'[[{title}]]'


def plain(text):
    text = re.sub(r'<ref[^>]*/>|<ref[^>]*>.*?</ref>|<!--.*?-->', '', text, flags=re.I)
    return LINK.sub(lambda found: found[2] or found[1], text).replace("'''", '').replace("''", '').strip()


def masked(line):
    """The line with its markup as zeros, at the same offsets."""
    before = None
    while before != line:
        before, line = line, MASKED.sub(lambda found: '\0' * len(found[0]), line)
    return line


def sentences(line):
    begin, found = 0, []
    for end in SENTENCE_END.finditer(masked(line)):
        found.append((begin, end.end()))
        begin = end.end() + (line[end.end():end.end() + 1] == ' ')
    return found


def prose_of(lines):
    """(number, line) of each line that is a paragraph."""
    depth, found = 0, []
    for number, line in enumerate(lines):
        tags = sum(0 if tag[3] else -1 if tag[1] else 1 for tag in TAG.finditer(line))
        change = line.count('{{') - line.count('}}') + line.startswith('{|') - bool(re.match(r'\|\}(?!\})', line)) + line.count('<!--') - line.count('-->') + tags
        if depth == 0 and change == 0 and len(line) >= 60 and PROSE.match(line) and line.count('[[') == line.count(']]') and sentences(line):
            found.append((number, line))
        depth = max(0, depth + change)
    return found


def varied(sentence, rng, world, share=0.12):
    words = [word for other in rng.sample(world.sentences, min(6, len(world.sentences))) for word in WORD.findall(other) if word.islower() and len(word) > 4]
    other_number = lambda found: str(max(1, int(found[0]) + rng.choice((-9, -3, -2, 1, 4, 7))))
    sentence = re.sub(r'(?<![\d.,])[1-9]\d{1,3}(?![\d.,]*\d)', other_number, sentence)
    return WORD.sub(lambda found: rng.choice(words) if words and len(found[0]) > 4 and found[0].islower() and rng.random() < share else found[0], sentence)


def invented(rng, world, text=''):
    if world.sentences and (world.language != 'en' or rng.random() < 0.3):
        return varied(rng.choice(world.sentences), rng, world)
    return rng.choice(FRAMES).format(year=rng.randint(1790, 2019), n=rng.randint(12, 900), link=linked(world.title(rng, text)))


def with_line(lines, number, *new):
    return '\n'.join([*lines[:number], *new, *lines[number + 1:]])


def chosen_prose(text, rng):
    lines = text.split('\n')
    prose = prose_of(lines)
    return (lines, *rng.choice(prose)) if prose else (lines, None, None)


def sentence_added(text, rng, world, sentence=None):
    lines, number, line = chosen_prose(text, rng)
    if line is None:
        return None
    sentence = sentence or invented(rng, world, text)
    end = rng.choice(sentences(line))[1]
    return with_line(lines, number, f'{line[:end]} {sentence}{line[end:]}'), sentence


def sentence_changed(text, rng, world):
    lines, number, line = chosen_prose(text, rng)
    if line is None:
        return None
    bare = masked(line)
    changes = [(found.span(), SYNONYMS[found[0]]) for found in re.finditer(r'\b(?:' + '|'.join(SYNONYMS) + r')\b', bare)]
    changes += [(found.span(), str(int(found[0]) + rng.choice((-2, -1, 1, 3)))) for found in re.finditer(r'(?<![\d.,])[1-9]\d{1,3}(?![\d.,]*\d)', bare)]
    changes += [((found.start(), found.end()), '') for found in re.finditer(r' \([^()\0]{4,60}\)', bare)]
    end = rng.choice(sentences(line))[1]
    if world.language == 'en' and bare[:end].endswith('.'):
        changes.append(((end - 1, end - 1), rng.choice((', according to local records', ', as far as is known', ' at that time', f' in {rng.randint(1850, 2015)}'))))
    if not changes:
        return None
    (begin, end), new = rng.choice(changes)
    return with_line(lines, number, line[:begin] + new + line[end:]), f'"{line[max(0, begin - 20):end]}" to "{line[max(0, begin - 20):begin]}{new}"'


def paragraph_inserted(text, rng, world):
    lines, number, line = chosen_prose(text, rng)
    if line is None:
        return None
    paragraph = ' '.join(invented(rng, world, text) for _ in range(rng.randint(2, 3)))
    return with_line(lines, number, *rng.choice(((paragraph, '', line), (line, '', paragraph)))), paragraph


def paragraph_removed(text, rng, world):
    lines = text.split('\n')
    prose = prose_of(lines)[1:]
    if len(prose) < 2:
        return None
    number, line = rng.choice(prose)
    after = 1 if lines[number + 1:number + 2] == [''] and lines[number - 1] == '' else 0
    return '\n'.join(lines[:number] + lines[number + 1 + after:]), line


def link_added(text, rng, world):
    """Makes a link of words that name another article. What readers see stays the same."""
    lines = text.split('\n')
    for number, line in rng.sample(prose := prose_of(lines), len(prose)):
        bare = masked(line)
        words = [found.span() for found in re.finditer(r"[^\W_]+(?:[-'’.][^\W_]+)*", bare)]
        names = []
        for i, (begin, _) in enumerate(words):
            for _, end in words[i:i + 6]:
                name = bare[begin:end]
                title = name[:1].upper() + name[1:]
                if '\0' not in name and '  ' not in name and len(name) > 3 and world.known(title) and f'[[{title}' not in text and f'[[{name}' not in text and f"'''{name}" not in text:
                    names.append((begin, end))
        if names:
            begin, end = max(names[:8], key=lambda name: name[1] - name[0])
            return with_line(lines, number, f'{line[:begin]}[[{line[begin:end]}]]{line[end:]}'), line[begin:end]
    return None


def link_removed(text, rng, world):
    lines = text.split('\n')
    links = [(number, found) for number, line in prose_of(lines) for found in LINK.finditer(line) if '{{' not in line]
    if not links:
        return None
    number, found = rng.choice(links)
    line = lines[number]
    return with_line(lines, number, line[:found.start()] + (found[2] or found[1]) + line[found.end():]), found[0]


def heading_reworded(text, rng, world):
    choices = []
    for found in HEADING.finditer(text):
        old = found[2]
        new = HEADINGS.get(old) or re.sub(r' \([^()]+\)$', '', old)
        if new == old:
            new = re.sub(r'^(\S+) and (\S+)$', lambda pair: f'{pair[2].capitalize()} and {pair[1].lower()}', old)
        if new == old and world.language == 'en' and re.fullmatch(r'[A-Z][a-z]+(?: [a-z]+)*s', old):
            new = 'Notable ' + old[0].lower() + old[1:]
        if new != old and new:
            choices.append((found, new))
    if not choices:
        return None
    found, new = rng.choice(choices)
    return text[:found.start(2)] + new + text[found.end(2):], f'{found[2]} to {new}'


def rows_of(lines):
    """(first line, end) of the data rows of each table without cells that span rows, a list for each table."""
    tables, begin = [], None
    for number, line in enumerate(lines):
        if line.startswith('{|'):
            begin = number
        elif begin is not None and re.match(r'\|\}(?!\})', line):
            inside = lines[begin:number]
            starts = [begin + i for i, inner in enumerate(inside) if inner.startswith('|-')] + [number]
            rows = [(a, b) for a, b in zip(starts, starts[1:]) if b - a > 1 and re.match(r'\|(?![-+}])', lines[a + 1]) and not any('span=' in row for row in lines[a:b])]
            if rows and not any('rowspan' in inner for inner in inside):
                tables.append(rows)
            begin = None
    return tables


def row_added(text, rng, world, title=None):
    lines = text.split('\n')
    places = [row for rows in rows_of(lines) for row in rows if LINK.search(lines[row[0] + 1])]
    items = [number for number, line in enumerate(lines) if ITEM.match(line)]
    if places:
        begin, end = rng.choice(places)
        row = '\n'.join(lines[begin:end])
        row = re.sub(r'<ref[^>]*/>|<ref[^>]*>.*?</ref>', '', row, flags=re.I | re.S)
        title = title or world.title(rng, text, LINK.search(row)[1])
        row = LINK.sub('\0', row, count=1)
        later = rng.randint(1, 40)
        row = re.sub(r'(?<![\d.,"=])[1-9]\d{1,3}(?![\d.,]*\d)', lambda found: str(int(found[0]) + later), row).replace('\0', linked(title))
        return '\n'.join(lines[:end] + row.split('\n') + lines[end:]), title
    if len(items) < 2:
        return None
    number = rng.choice(items)
    sibling = re.search(r'(?:\[\[|\{\{ill\|)([^\[\]|{}]+)', lines[number])
    title = title or world.title(rng, text, sibling and sibling[1])
    item = re.match(r'\*+ *', lines[number])[0] + linked(title)
    if re.search(r'\]\](?:,| [–-]) ', lines[number]):
        item += ' – ' + invented(rng, world, text).rstrip('.')
    return with_line(lines, number, lines[number], item), title


def row_removed(text, rng, world):
    lines = text.split('\n')
    places = [row for rows in rows_of(lines) if len(rows) > 2 for row in rows]
    items = [number for number, line in enumerate(lines) if ITEM.match(line)]
    if not places and len(items) > 3:
        number = rng.choice(items)
        places = [(number, number + 1)]
    if not places:
        return None
    begin, end = rng.choice(places)
    return '\n'.join(lines[:begin] + lines[end:]), ' '.join(lines[begin:end])


def unchanged(text, rng, world):
    return text, ''


# The shares of the kinds, and how much more often a list is edited in this way than another page.
EDITS = (('sentence added', sentence_added, 24, 1), ('sentence changed', sentence_changed, 23, 1), ('paragraph inserted', paragraph_inserted, 10, 1), ('paragraph removed', paragraph_removed, 5, 1),
         ('link added', link_added, 13, 1), ('link removed', link_removed, 5, 1), ('heading reworded', heading_reworded, 3, 1), ('row added', row_added, 8, 12), ('row removed', row_removed, 4, 8),
         ('null edit', unchanged, 5, 1))


def edited(text, rng, world, is_list):
    """One edit of a kind that the text has room for: (kind, new text, detail)."""
    kinds = list(EDITS)
    while True:
        kind = rng.choices(kinds, [share * (more if is_list else 1) for _, _, share, more in kinds])[0]
        done = kind[1](text, rng, world)
        if done:
            return kind[0], *done
        kinds.remove(kind)


SHOWN = re.compile(r'(?:^[|!] *|(?<=\|\|) *|\|\s*(?:text|title|label\d*|header\d*|above|note)\s*=\s*)([A-Z][a-z]{2,}(?: [a-z]+){0,4})(?= *(?:\|\||<|\n|\{\{!\}\}))', re.M)


def template_edited(text, rng):
    """Words of a template that readers see; where there are none, its documentation."""
    shown = [found for found in SHOWN.finditer(text)]
    if shown:
        found = rng.choice(shown)
        new = found[1] + rng.choice((' (official)', ' (est.)', ' (total)'))
        return text[:found.start(1)] + new + text[found.end(1):], f'{found[1]} to {new}'
    return text + '<noinclude>\nUse it once on a page.</noinclude>', 'documentation'


def new_page(title, noun, rng, world):
    some = lambda: varied(rng.choice(world.sentences), rng, world) if world.sentences and rng.random() < 0.6 else invented(rng, world)
    paragraphs = [' '.join(some() for _ in range(rng.randint(2, 4))) for _ in range(3)]
    article = 'an' if noun[0] in 'aeiou' else 'a'
    if world.language == 'en':
        paragraphs[0] = f"'''{title}''' is {article} {noun} that is mentioned together with {linked(world.title(rng))} and {linked(world.title(rng))}. {paragraphs[0]}"
    else:
        paragraphs[0] = f"'''{title}''', {linked(world.title(rng))}. {paragraphs[0]}"
    heads = ('History', 'Today') if world.language == 'en' else ('1', '2')
    text = f'{paragraphs[0]}\n\n== {heads[0]} ==\n{paragraphs[1]}\n\n== {heads[1]} ==\n{paragraphs[2]}'
    return text + ('\n\n' + rng.choice(world.categories) if world.categories else '')


def merged_section(title, text):
    """What another article takes of a merged one: its first paragraphs under its title."""
    prose = [line for _, line in prose_of(text.split('\n'))[:3]] or [f'See {title}.']
    return f'\n\n== {title} ==\n' + '\n\n'.join(prose)


def with_section(text, section):
    """In front of references, links and categories."""
    end = re.search(r'\n+(?:== *(?:References|Notes|See also|External links|Sources)|\[\[Category:|\{\{(?:Reflist|DEFAULTSORT|Authority control))', text)
    place = end.start() if end else len(text)
    return text[:place].rstrip('\n') + section + text[place:]
