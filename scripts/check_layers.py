#!/usr/bin/env python3
"""Fails when an #include goes against the plan of the rooms.

Usage: check_layers.py [--root DIR] [--verbose]

A room is a folder with sources. The script reads the `#include "..."` lines of all .cpp and .hpp files and reports:

  arrow   an include that the table below does not allow
  circle  rooms that include each other, directly or through others
  name    an include that is not the path of a file from the root
  crowd   a folder with more than 25 .cpp files side by side
  length  a file of more than 400 lines without the sentence that says why ("This file is long because ...")
  clash   a type, constant or function that two sources of a room define in their unnamed namespaces, since builds
          compile several sources of a room as one

Tests, fuzz targets and benchmarks may include every room; they are checked for name, crowd and length only. --verbose
also lists the rooms with what each includes, and the functions of more than 60 lines.
Exit status: 0 if nothing was found, 1 otherwise.
"""
import argparse
import collections
import pathlib
import re
import sys

# What each room may include besides itself. A line that ends with a colon names a folder. The rows below it are the rooms of
# that folder, each followed by the rooms that it may include; "files" are the files in the folder itself. Folders without
# such a table have one rule: no circle. docs/architecture.md explains the rooms.
PLAN = '''
the root:
  common
  text        common
  formats     common
  storage     common
  extractors  common
  llm_client  common text
  linking     common text
  collection  common text formats
  analysis    common text formats
  retrieval   common text formats
  pipeline    common text formats storage extractors llm_client linking collection analysis retrieval
  annotation  common text formats storage extractors llm_client linking collection analysis retrieval
  cli         common text formats storage extractors llm_client linking collection analysis retrieval pipeline annotation
common:
  files
  records  files
formats:
  fields
  html    fields
  svg     html
  json    fields
  trec    fields
  beir    fields json trec
  documents  fields beir
  fira    fields
  labeling  fields json fira
  car     fields json trec
collection:
  health
  release    health
  evidence   health release
  automatic  health release
  files      health release evidence automatic
collection/release:
  files
  report  files
collection/evidence:
  files
  validation  files
  report      files
collection/automatic:
  files
  validation  files
  report      files
analysis:
  statistics
  measures      statistics
  significance  statistics
  agreement     statistics significance
  audit         statistics
  fusion        statistics
  adjudication  statistics
  votes
  studies       statistics measures significance agreement adjudication
  presentation  statistics measures significance agreement votes studies
analysis/studies:
  files
  partial   files
  coverage  files
  adjudication  files
  trust     files
  leaderboards  files
  positions  files
  reannotation  files
  table     files partial coverage adjudication leaderboards positions reannotation
extractors:
  data
  scan           data
  site           data scan
  files          site
  dump           files site
  wikitext       data files scan site
  wikitext_dump  files site dump wikitext
  json_pages     files site dump
  sql            dump
  wikidata       dump
  html           files
  enterprise     files site dump json_pages html scan
  markup
  file_format    html markup
  textbook       files site scan html file_format markup
  zim            files site html textbook
pipeline:
  flow
  baseline
  download
  review      flow
  headings
  corpus      flow headings
  passages    flow corpus headings
  evidence    flow review corpus headings passages
  entities     flow corpus headings passages evidence
  automatic   flow baseline review corpus headings passages entities
  judging     flow corpus headings passages evidence
  forecast    flow judging
  cluster     flow corpus forecast
  difference  flow corpus
  release     flow baseline corpus passages evidence judging difference
  inspection  flow corpus passages evidence judging release
  survey      flow corpus headings passages evidence automatic judging release
  answers     evidence
  audit       baseline
  files       flow corpus cluster passages evidence entities automatic judging release
annotation:
  files
  server  files
cli:
  completion
  files       completion
  studies     completion files
  retrieval   completion files
  evaluation  completion files
  linking     completion files
  people      completion files
  build       completion files studies
'''

UNCHECKED = ('tests', 'fuzz', 'bench')  # may include every room, and no room may include them
MAX_SOURCES = 25
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
REASON = re.compile(r'file is long because', re.IGNORECASE)
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')

Include = collections.namedtuple('Include', 'file line target')  # paths from the root


def read_plan(text):
    """Folder -> room -> rooms that it may include; raises ValueError on a table that is no plan."""
    plan = {}
    for line in text.strip().splitlines():
        if not line.startswith(' '):
            table = plan.setdefault('' if line == 'the root:' else line.rstrip(':'), {})
            continue
        room, *allowed = line.split()
        later = [name for name in allowed if name not in table]
        if later:
            raise ValueError(f'the plan lists {room} before {", ".join(later)}, which it includes')
        table[room] = set(allowed)
    return plan


def sources(root):
    """All sources below the root, sorted; builds and hidden folders are left out."""
    found = []
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name != 'build' and not folder.name.startswith('.'):
            found += [path.relative_to(root) for path in folder.rglob('*') if path.suffix in ('.cpp', '.hpp')]
    return sorted(found)


def room_of(path):
    return path.parent.as_posix()


def includes_of(root, path):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield Include(path, number, pathlib.PurePosixPath(found[1]))


def sides(room, other):
    """(folder, a, b): the deepest folder that holds both rooms, and in which of its rooms each of them is."""
    left, right = room.split('/'), other.split('/')
    depth = 0
    while depth < min(len(left), len(right)) and left[depth] == right[depth]:
        depth += 1
    name = lambda parts: parts[depth] if depth < len(parts) else 'files'
    return '/'.join(left[:depth]), name(left), name(right)


def check_arrow(plan, include):
    """The problem with one include, or None."""
    folder, user, used = sides(room_of(include.file), room_of(include.target))
    if user == used or folder not in plan:
        return None
    table = plan[folder]
    where = f' in {folder}' if folder else ''
    for name in (user, used):
        if name not in table:
            return f'"{name}"{where} is not in the plan of the rooms (PLAN in scripts/check_layers.py)'
    if used in table[user]:
        return None
    allowed = ', '.join(sorted(table[user])) or 'no other room'
    return f'{user}{where} may not include {used}; it may include {allowed}'


def shortest_circles(graph):
    """One shortest circle for each arrow that lies on one, each circle once, as lists of rooms."""
    circles = {}
    for start in sorted(graph):
        for first in sorted(graph[start]):
            came_from = {first: None}
            queue = collections.deque([first])
            while queue and start not in came_from:
                room = queue.popleft()
                for following in sorted(graph.get(room, ())):
                    if following not in came_from:
                        came_from[following] = room
                        queue.append(following)
            if start not in came_from:
                continue
            circle = [start]
            while came_from[circle[-1]] is not None:
                circle.append(came_from[circle[-1]])
            circles.setdefault(frozenset(circle), circle[:1] + circle[:0:-1])
    return [circles[key] for key in sorted(circles, key=lambda key: (len(key), sorted(key)))]


def check_circles(arrows):
    """One problem for each circle of rooms; lists the includes of its weakest arrow, the one with the fewest."""
    graph = collections.defaultdict(set)
    for user, used in arrows:
        graph[user].add(used)
    problems = []
    for circle in shortest_circles(graph):
        steps = list(zip(circle, circle[1:] + circle[:1]))
        weakest = min(steps, key=lambda step: len(arrows[step]))
        lines = [f'circle: {" -> ".join([*circle, circle[0]])}; fewest includes: {weakest[0]} -> {weakest[1]}']
        lines += [f'    {include.file}:{include.line}: "{include.target}"' for include in arrows[weakest]]
        problems.append('\n'.join(lines))
    return problems


def check_sizes(root, paths):
    problems = []
    crowds = collections.Counter(room_of(path) for path in paths if path.suffix == '.cpp')
    for room, count in sorted(crowds.items()):
        if count > MAX_SOURCES:
            problems.append(f'crowd: {room} has {count} .cpp files side by side; more than {MAX_SOURCES} need rooms')
    for path in paths:
        text = (root / path).read_text()
        count = text.count('\n')
        if count > MAX_FILE_LINES and not REASON.search(text):
            problems.append(f'length: {path} has {count} lines; split it, or say in it: "This file is long because ..."')
    return problems


def local_names(text):
    """(name, for a function its parameters) of what a source defines in unnamed namespaces, at the left margin."""
    inside, outer, head = False, [], ''
    for line in text.splitlines():
        if line == 'namespace {':
            inside = True
        elif inside and line == '}  // namespace':
            inside = False
        elif not inside:
            opened = re.match(r'namespace ([\w:]+) \{', line)
            outer += [opened[1]] if opened else []
            if outer and line.startswith('}  // namespace'):
                outer.pop()
        if not inside:
            continue
        if head:  # the parameters go on
            head += ' ' + line.strip()
        elif re.match(r'(static |inline |const |constexpr |\[\[)*[A-Za-z]', line) and not line.startswith(('using ', 'template', 'namespace ', 'TS_', 'friend ')):
            head = line
        if not head:
            continue
        kind = re.match(r'(?:struct|class|enum(?: class)?) (\w+)\b(?!.*;$)', head)
        constant = re.match(r'(?:inline |const |constexpr )+[\w:<>,*& ]*?(\w+)(?:\[.*?\])? ?(?:=|\{)', head.split('(')[0])
        function = re.match(r'[\w:<>,*&\[\] ]*?\b(\w+)\((.*?)\)(?: const| noexcept)* \{', head)
        if kind or constant or function or line.endswith((';', '{', '}')):
            found = kind or constant
            if found:
                yield '::'.join(outer), found[1], ''
            elif function:
                types = [re.sub(r'( ?[&*]*) ?\b\w+( = .*)?$', r'\1', part.strip()) for part in function[2].split(',')]
                yield '::'.join(outer), function[1], ', '.join(types)
            head = ''


def check_clashes(root, paths):
    problems, seen = [], {}
    for path in paths:
        if path.suffix != '.cpp' or path.parts[0] in UNCHECKED:
            continue
        for space, name, parameters in local_names((root / path).read_text()):
            key = (room_of(path), space, name, parameters)
            first = seen.setdefault(key, path)
            if first != path:
                problems.append(f'clash: {path} and {first} both define {name}; names in unnamed namespaces of a room must differ')
    return problems


def long_functions(root, paths):
    """(path, line, length) of functions that start at the left margin, as clang-format sets them."""
    for path in paths:
        start = None
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            if line.startswith('}'):  # "};" ends a class or a table
                if start and line[1:2] != ';' and number - start + 1 > MAX_FUNCTION_LINES:
                    yield path, start, number - start + 1
                start = None
            elif re.match(r'[A-Za-z\[]', line) and not re.match(r'(namespace|template|class|struct|enum|union|extern)\b', line):
                start = start if start and not line.endswith((';', ',')) else number


def check(root, plan, verbose=False, out=sys.stdout):
    """Prints all problems of the tree; returns how many there are."""
    paths = sources(root)
    known = {path.as_posix() for path in paths}
    problems = []
    arrows = collections.defaultdict(list)  # (room, room) -> includes
    for path in paths:
        for include in includes_of(root, path):
            place = f'{path}:{include.line}: "{include.target}"'
            if include.target.as_posix() not in known:
                if include.target.parts[0] in plan[''] or (root / path.parent / include.target).exists():
                    problems.append(f'name: {place}: no such file from the root')
                continue
            if path.parts[0] in UNCHECKED:
                continue
            wrong = check_arrow(plan, include)
            if wrong:
                problems.append(f'arrow: {place}: {wrong}')
            elif room_of(path) != room_of(include.target):
                arrows[room_of(path), room_of(include.target)].append(include)
    problems += check_circles(arrows)
    problems += check_sizes(root, paths)
    problems += check_clashes(root, paths)
    if verbose:
        for room in sorted({room_of(path) for path in paths if path.parts[0] not in UNCHECKED}):
            used = [f'{target} ({len(found)})' for (user, target), found in sorted(arrows.items()) if user == room]
            print(f'{room}: {", ".join(used) or "no other room"}', file=out)
        for path, line, length in long_functions(root, [path for path in paths if path.parts[0] not in UNCHECKED]):
            print(f'{path}:{line}: a function of {length} lines', file=out)
    for problem in problems:
        print(problem, file=out)
    rooms = len({room_of(path) for path in paths})
    print(f'{len(paths)} sources in {rooms} rooms: {len(problems)} problems', file=out)
    return len(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent, help='folder of the checkout')
    parser.add_argument('--verbose', action='store_true', help='also list what each room includes, and long functions')
    arguments = parser.parse_args()
    sys.exit(1 if check(arguments.root, read_plan(PLAN), arguments.verbose) else 0)


if __name__ == '__main__':
    main()
