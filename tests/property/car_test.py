#!/usr/bin/env python3
"""Random TREC CAR files, written and read by tests/car_format.py, against what the program reads and writes.

car_test.py PROGRAM [--rounds N] [--seed S]

Files of every version go into the program, which must give the same records as JSON lines; those go back, and the CBOR
that the program writes must have the same records when it is read from the grammar. Files that are cut or changed must
give an error in one line, whatever is in them.
"""
import argparse
import copy
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import car_format  # noqa: E402


def run(program, *arguments):
    done = subprocess.run([program, 'car', *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def convert(program, source, form, target):
    status, _, message = run(program, 'convert', source, '--to', form, '--out', target)
    if status != 0:
        sys.exit(f'{source}: not converted to {form}: {message}')
    return target


def lines_of(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == '.gz' else data).decode()
    return [json.loads(line) for line in text.split('\n')[:-1]]


def as_old(page, elements):
    """What is left of a page in an older form."""
    page = copy.deepcopy(page)
    empty = car_format.metadata_of([])
    if elements == 4:
        page.update(page_type='article', metadata=empty)
        page.pop('redirect_target', None)
    if elements == 5:
        page['metadata'].update({name: empty[name] for name in list(empty)[6:]})
        if 'redirect_target' in page:
            page['redirect_target'] = {'text': '', 'target_page': '', 'target_page_id': page['redirect_target']['target_page_id']}
    return page


def sections_only(elements):
    return [{**element, 'content': sections_only(element['content'])} for element in elements if element['type'] == 'section']


def expect(what, got, expected):
    if got != expected:
        for one, other in zip(got, expected):
            if one != other:
                sys.exit(f'{what} differ:\n{json.dumps(one)}\n{json.dumps(other)}')
        sys.exit(f'{what} differ: {len(got)} records instead of {len(expected)}')


def check_round(program, folder, seed):
    chance = random.Random(seed)
    makers = car_format.RandomPages(seed)
    of_paragraphs = seed % 4 == 3
    elements = 6 if of_paragraphs else chance.choice([4, 5, 6])
    records = [makers.paragraph() if of_paragraphs else makers.page() for _ in range(chance.choice([1, 30, 100]))]
    data = car_format.Encoder(chance, elements).file(records, 2 if of_paragraphs else 0, header=chance.random() < .5)
    source = folder / 'source.cbor'
    source.write_bytes(gzip.compress(data) if chance.random() < .3 else data)
    expected = records if of_paragraphs else [as_old(record, elements) for record in records]

    lines = convert(program, source, 'jsonl', folder / chance.choice(['a.jsonl', 'a.jsonl.gz']))
    expect('records of CBOR as JSON lines', lines_of(lines), expected)
    back = convert(program, lines, 'cbor', folder / 'back.cbor')
    file_type, _, again = car_format.read_file(back.read_bytes())
    expect('records of JSON lines as CBOR', again, expected)
    direct = convert(program, source, 'cbor', folder / 'direct.cbor')
    expect('records of CBOR as CBOR', car_format.read_file(direct.read_bytes())[2], expected)
    if not of_paragraphs:
        outlines = convert(program, source, 'outlines', folder / 'outlines.cbor')
        file_type, _, found = car_format.read_file(outlines.read_bytes())
        expect('file types of outlines', [file_type], [1])
        expect('outlines', found, [{**page, 'content': sections_only(page['content'])} for page in expected])
    check_damaged(program, folder, data, chance)
    return len(records)


def check_damaged(program, folder, data, chance):
    for _ in range(8):
        damaged = bytearray(data)
        if chance.random() < .5:
            del damaged[chance.randrange(len(damaged)):]
        for _ in range(chance.randrange(3)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path = folder / 'damaged.cbor'
        path.write_bytes(damaged)
        for command in ('validate', 'show'):
            status, _, message = run(program, command, path)
            if status not in (0, 1) or message.count('\n') > 1 or 'unexpected' in message:
                kept = pathlib.Path(tempfile.mkdtemp()) / 'damaged.cbor'
                kept.write_bytes(damaged)
                sys.exit(f'{kept}: car {command} ended with {status} and said {message}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('program')
    parser.add_argument('--rounds', type=int, default=12)
    parser.add_argument('--seed', type=int, default=20261122)
    arguments = parser.parse_args()
    print(f'seed {arguments.seed}')
    compared = 0
    for number in range(arguments.rounds):
        with tempfile.TemporaryDirectory(prefix='touchstone-car-') as folder:
            compared += check_round(arguments.program, pathlib.Path(folder), arguments.seed + number)
    print(f'{compared} records agree')
    assert compared > 0


if __name__ == '__main__':
    main()
