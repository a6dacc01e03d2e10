"""Reads and writes TREC CAR files, written from the grammar of the format and from RFC 8949 alone.

It shares nothing with the program, so that each can check the other. Records are what JSON lines have: dictionaries of
pages and paragraphs. Python's standard library only.
"""
import random
import struct

BREAK = object()
METADATA = [('redirect_names', str), ('disambiguation_names', str), ('disambiguation_ids', bytes), ('category_names', str),
            ('category_ids', bytes), ('inlink_ids', bytes), None, ('inlink_anchors', None), ('wiki_data_qid', None), ('wiki_site_id', None),
            ('page_tags', str)]
PAGE_TYPES = ['article', 'category', 'disambiguation', 'redirect']


class Decoder:
    """CBOR values as Python has them. Strict: refuses what no well-formed file has."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def done(self):
        return self.at == len(self.data)

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError(f'truncated at byte {self.at}')
        self.at += count
        return self.data[self.at - count:self.at]

    def head(self):
        first = self.take(1)[0]
        kind, info = first >> 5, first & 31
        if info < 24:
            return kind, info
        if info == 31:
            return kind, None
        if info > 27:
            raise ValueError(f'reserved length {info} at byte {self.at - 1}')
        return kind, int.from_bytes(self.take(1 << (info - 24)), 'big')

    def value(self):
        kind, number = self.head()
        if kind == 7:
            if number is None:
                return BREAK
            raise ValueError('the grammar has no floats and no simple values')
        if kind in (0, 1):
            return number if kind == 0 else -1 - number
        if kind in (2, 3):
            data = self.take(number) if number is not None else b''.join(self.pieces(kind))
            return data if kind == 2 else data.decode('utf-8')
        if kind == 4:
            return [self.whole() for _ in range(number)] if number is not None else list(iter(self.value, BREAK))
        raise ValueError(f'kind {kind} is not in the grammar')

    def whole(self):
        value = self.value()
        if value is BREAK:
            raise ValueError('break within an array of known length')
        return value

    def pieces(self, kind):
        while True:
            piece_kind, number = self.head()
            if (piece_kind, number) == (7, None):
                return
            if piece_kind != kind or number is None:
                raise ValueError('a piece of another kind')
            yield self.take(number)


def read_file(data):
    """(file type, provenance, records) of a file with header; every byte must be used."""
    decoder = Decoder(data)
    word, (file_type,), provenance = decoder.whole()
    assert word == 'CAR' and file_type in (0, 1, 2), (word, file_type)
    assert decoder.take(1) == b'\x9f', 'the list of records has an unknown length'
    records = [paragraph_of(value) if file_type == 2 else page_of(value) for value in iter(decoder.value, BREAK)]
    assert decoder.done(), 'something follows the end'
    return file_type, provenance, records


def page_of(value):
    tag, name, page_id, skeleton, page_type, metadata = value
    assert tag == 0 and type(name) is str and type(page_id) is bytes
    page = {'page_name': name, 'page_id': page_id.decode(), 'page_type': PAGE_TYPES[page_type[0]]}
    if page_type[0] == 3:
        page['redirect_target'] = link_of(page_type[1])
    else:
        assert len(page_type) == 1
    page['metadata'] = metadata_of(metadata)
    page['content'] = [element_of(item) for item in skeleton]
    return page


def metadata_of(value):
    metadata = {row[0]: None if row[0].startswith('wiki_') else [] for row in METADATA if row}
    assert len(value) % 2 == 0
    for (tag,), item in zip(value[::2], value[1::2]):
        name, kind = METADATA[tag]
        if kind is not None:
            assert all(type(text) is kind for text in item)
            metadata[name] = [text.decode() if kind is bytes else text for text in item]
        elif tag == 7:
            metadata[name] = [{'text': text, 'freq': count} for text, count in item]
        else:
            assert type(item) is str
            metadata[name] = item
    return metadata


def element_of(value):
    tag = value[0]
    if tag == 0:
        _, heading, heading_id, children = value
        return {'type': 'section', 'heading_text': heading, 'heading_id': heading_id.decode(), 'content': [element_of(child) for child in children]}
    if tag == 1:
        _, paragraph = value
        return {'type': 'paragraph', 'paragraph': paragraph_of(paragraph)}
    if tag == 2:
        _, url, caption = value
        return {'type': 'image', 'image_file': url, 'image_caption': [element_of(child) for child in caption]}
    if tag == 3:
        _, level, paragraph = value
        return {'type': 'list', 'indent': level, 'entry': paragraph_of(paragraph)}
    assert tag == 4
    _, name, entries = value
    return {'type': 'infobox', 'infobox_name': name,
            'infobox_entries': [{'key': key, 'value': [element_of(child) for child in content]} for key, content in entries]}


def paragraph_of(value):
    tag, paragraph_id, bodies = value
    assert tag == 0 and type(paragraph_id) is bytes
    return {'para_id': paragraph_id.decode(), 'para_body': [{'text': content} if kind == 0 else link_of(content) for kind, content in bodies]}


def link_of(value):
    tag, page, section, page_id, anchor, qid = value
    assert tag == 0 and type(page_id) is bytes and len(section) < 2 and len(qid) < 2
    link = {'text': anchor, 'target_page': page, 'target_page_id': page_id.decode()}
    if section:
        link['target_section'] = section[0]
    if qid:
        link['target_qid'] = qid[0]
    return link


class Encoder:
    """Writes records in a form that is chosen by chance among those that releases have had.

    \\param old  4: pages without type and metadata, 5: pages with the old metadata, 6: pages as they are now
    """

    def __init__(self, chance, old=6):
        self.chance, self.old = chance, old

    def head(self, kind, number):
        if number < 24 and self.chance.random() < .9:
            return bytes([kind << 5 | number])
        sizes = [(24, '>B', 1 << 8), (25, '>H', 1 << 16), (26, '>I', 1 << 32), (27, '>Q', 1 << 64)]
        fitting = [size for size in sizes if number < size[2]]
        info, form, _ = fitting[0] if self.chance.random() < .8 else self.chance.choice(fitting)
        return bytes([kind << 5 | info]) + struct.pack(form, number)

    def number(self, value):
        return self.head(0, value)

    def text(self, value):
        return self.string(3, value.encode())

    def bytes(self, value):
        return self.string(2, value.encode())

    def string(self, kind, data):
        if self.chance.random() < .9:
            return self.head(kind, len(data)) + data
        cut = self.chance.randrange(len(data) + 1)
        pieces = [data[:cut], data[cut:]]
        return bytes([kind << 5 | 31]) + b''.join(self.head(kind, len(piece)) + piece for piece in pieces) + b'\xff'

    def array(self, items):
        items = list(items)
        if self.chance.random() < .5:
            return self.head(4, len(items)) + b''.join(items)
        return b'\x9f' + b''.join(items) + b'\xff'

    def fixed(self, *items):
        return self.head(4, len(items)) + b''.join(items)

    def optional(self, value):
        return self.array([] if value is None else [self.text(value)])

    def link(self, link):
        items = [self.number(0), self.text(link['target_page']), self.optional(link.get('target_section')), self.bytes(link['target_page_id']),
                 self.text(link['text'])]
        if 'target_qid' in link:
            items.append(self.optional(link['target_qid']))
        elif self.chance.random() < .5:
            items.append(self.optional(None))
        return self.array(items)

    def paragraph(self, paragraph):
        bodies = [self.array([self.number(1), self.link(body)]) if 'target_page' in body else self.array([self.number(0), self.text(body['text'])])
                  for body in paragraph['para_body']]
        return self.array([self.number(0), self.bytes(paragraph['para_id']), self.array(bodies)])

    def elements(self, elements):
        return self.array([self.element(element) for element in elements])

    def element(self, element):
        kind = element['type']
        if kind == 'section':
            return self.array([self.number(0), self.text(element['heading_text']), self.bytes(element['heading_id']), self.elements(element['content'])])
        if kind == 'paragraph':
            return self.array([self.number(1), self.paragraph(element['paragraph'])])
        if kind == 'image':
            return self.array([self.number(2), self.text(element['image_file']), self.elements(element['image_caption'])])
        if kind == 'list':
            return self.array([self.number(3), self.number(element['indent']), self.paragraph(element['entry'])])
        entries = [self.array([self.text(entry['key']), self.elements(entry['value'])]) for entry in element['infobox_entries']]
        return self.array([self.number(4), self.text(element['infobox_name']), self.array(entries)])

    def metadata_value(self, tag, value):
        kind = METADATA[tag][1]
        if kind is not None:
            return self.array([self.text(text) if kind is str else self.bytes(text) for text in value])
        if tag == 7:
            return self.array([self.array([self.text(anchor['text']), self.number(anchor['freq'])]) for anchor in value])
        return self.text(value)

    def metadata(self, metadata):
        in_pairs = self.chance.random() < .5
        items = []
        for tag, row in enumerate(METADATA):
            if row is None or not metadata[row[0]]:
                continue
            value = self.metadata_value(tag, metadata[row[0]])
            items += [self.array([self.number(tag), value])] if in_pairs else [self.array([self.number(tag)]), value]
        return self.array(items)

    def page_type(self, page):
        tag = PAGE_TYPES.index(page['page_type'])
        if tag != 3:
            return self.array([self.number(tag)])
        target = self.bytes(page['redirect_target']['target_page_id']) if self.old == 5 else self.link(page['redirect_target'])
        return self.array([self.number(3), target])

    def page(self, page):
        items = [self.number(0), self.text(page['page_name']), self.bytes(page['page_id']), self.elements(page['content'])]
        if self.old == 5:
            lists = [self.metadata_value(tag, page['metadata'][METADATA[tag][0]]) for tag in range(6)]
            items.append(self.array([self.number(0), self.page_type(page)] + [self.array([item]) for item in lists]))
        if self.old == 6:
            items += [self.page_type(page), self.metadata(page['metadata'])]
        return self.array(items)

    def file(self, records, file_type, header=True):
        encoded = [self.paragraph(record) if 'para_id' in record else self.page(record) for record in records]
        if not header:
            return b''.join(encoded) if self.chance.random() < .5 or not encoded else self.array(encoded)
        provenance = self.array([self.number(0), self.array([]), self.text('release'), self.array([self.text('comment')]), self.array([])])
        return self.array([self.text('CAR'), self.array([self.number(file_type)]), provenance]) + self.array(encoded)


def random_text(chance, most=12):
    letters = ['a', 'B', 'é', '語', '😀', ' ', '/', '%', '"', "'", '\\', '\t', '\n', '\u2028', '\x7f', '\x00', '<', '{{x}}', '[[', '=']
    return ''.join(chance.choice(letters) for _ in range(chance.randrange(most)))


class RandomPages:
    """Pages and paragraphs with everything that the grammar allows."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def text(self, most=12):
        return random_text(self.chance, most)

    def some(self, make, most=3):
        return [make() for _ in range(self.chance.randrange(most + 1))]

    def link(self):
        link = {'text': self.text(), 'target_page': self.text(), 'target_page_id': self.text()}
        if self.chance.random() < .5:
            link['target_section'] = self.text()
        if self.chance.random() < .5:
            link['target_qid'] = f'Q{self.chance.randrange(1, 10 ** 9)}'
        return link

    def paragraph(self):
        return {'para_id': self.text(), 'para_body': self.some(lambda: {'text': self.text(300)} if self.chance.random() < .6 else self.link(), 5)}

    def element(self, depth):
        kind = self.chance.choice(['section', 'paragraph', 'image', 'list', 'infobox'] if depth < 5 else ['paragraph', 'list'])
        inside = lambda: self.some(lambda: self.element(depth + 1))
        if kind == 'section':
            return {'type': kind, 'heading_text': self.text(), 'heading_id': self.text(), 'content': inside()}
        if kind == 'paragraph':
            return {'type': kind, 'paragraph': self.paragraph()}
        if kind == 'image':
            return {'type': kind, 'image_file': self.text(), 'image_caption': inside()}
        if kind == 'list':
            return {'type': kind, 'indent': self.chance.choice([0, 1, 2, 23, 24, 70000, 2 ** 32 - 1]), 'entry': self.paragraph()}
        return {'type': kind, 'infobox_name': self.text(), 'infobox_entries': self.some(lambda: {'key': self.text(), 'value': inside()})}

    def metadata(self):
        metadata = {}
        for row in METADATA:
            if row is None:
                continue
            if row[1] is not None:
                metadata[row[0]] = self.some(self.text)
            elif row[0] == 'inlink_anchors':
                metadata[row[0]] = self.some(lambda: {'text': self.text(), 'freq': self.chance.choice([0, 1, 23, 256, 2 ** 40, 2 ** 64 - 1])})
            else:
                metadata[row[0]] = self.chance.choice([None, 'Q42', 'enwiki'])
        return metadata

    def page(self):
        page = {'page_name': self.text(), 'page_id': self.text(), 'page_type': self.chance.choice(PAGE_TYPES)}
        if page['page_type'] == 'redirect':
            page['redirect_target'] = self.link()
        page['metadata'] = self.metadata() if self.chance.random() < .8 else metadata_of([])
        page['content'] = self.some(lambda: self.element(0), 5)
        return page
