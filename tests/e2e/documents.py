"""What pages of documentation show, and whether the program prints the same.

A fenced block with the word `console` is a session: a line that starts with `$ ` is a command (a backslash at its end
continues it), and the lines below it are what the command prints on both streams. `...` alone on a line is for any
number of lines, and at the beginning or end of a line for any text. `^C` is for the signal of Ctrl-C.
A block with `file=NAME` behind its word is the content of a file that the sessions of the page read.

Outside of blocks, `Numbers` finds each number that no test has stated, so that none can be changed, or added, unseen.
"""
import re

WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split()  # numbers as pages write them


def blocks(text):
    """(word behind the fence, content) of each fenced block."""
    return re.findall(r'^```([\w-]*)(?: file=\S+)?\n(.*?)^```$', text, re.MULTILINE | re.DOTALL)


def files(text):
    """(name, content) of each block that is a file."""
    return re.findall(r'^```[\w-]* file=(\S+)\n(.*?)^```$', text, re.MULTILINE | re.DOTALL)


def sessions(text):
    """For each console block, its commands: [(command, lines that it shows)]."""
    found = []
    for word, content in blocks(text):
        if word != 'console':
            continue
        session = []
        for line in content.replace('\\\n', ' ').splitlines():
            if line.startswith('$ '):
                session.append((line[2:], []))
            else:
                session[-1][1].append(line)
        found.append(session)
    return found


def pattern(line):
    """The regular expression of one line that is shown, with its line feed."""
    if line == '...':
        return r'(?:.*\n)*?'
    begin, end = line.startswith('...'), line.endswith('...')
    return ('.*' if begin else '') + re.escape(line[3 if begin else 0:-3 if end else None].strip(' ' if begin else '')) + (r'.*\n' if end else r'[ \t]*\n')


def first_difference(shown, printed):
    """None if `printed` is what the lines `shown` promise, else the first line that is not there."""
    printed = printed.rstrip('\n') + '\n' if printed.strip('\n') else ''
    while shown and not shown[-1]:
        shown = shown[:-1]
    for count in range(1, len(shown) + 1):
        whole = ''.join(map(pattern, shown[:count]))
        if not re.match(whole, printed):
            return shown[count - 1]
    return None if re.fullmatch(''.join(map(pattern, shown)), printed) else '(the end: more is printed than is shown)'


def prose(text):
    """A page without its blocks, addresses and numbers of list items, in one line."""
    text = re.sub(r'^```.*?^```$', '', text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r'\]\([^)\s]*\)', ']', text)
    text = re.sub(r'^\d+\. ', '', text, flags=re.MULTILINE)
    return re.sub(r'\s+', ' ', text)


class Numbers:
    """The numbers in the prose of a page, of which a test states one after the other."""

    def __init__(self, test, text):
        self.test, self.text, self.left = test, prose(text), prose(text)

    def state(self, sentence):
        """This is in the page, word for word. The numbers in it come from the program, or are part of a name."""
        if sentence not in self.text:
            self.test.fail(f'the page does not say what is true: {sentence}')
        self.left = self.left.replace(sentence, ' ~ ')

    def measured(self, heading_text, until, units=('s', 'ms', 'MB', 'GB', 'MB/s')):
        """Between these words are numbers of a machine, which the page names: those with a unit are not compared."""
        begin = self.left.index(heading_text)
        end = self.left.index(until, begin)
        section = re.sub(rf'(?<![\w.,])\d[\d.,]* (?:{"|".join(units)})(?![\w/])', '~', self.left[begin:end])
        self.left = self.left[:begin] + section + self.left[end:]

    def finish(self):
        """Fails if a number is left."""
        found = [match.group().strip() for match in re.finditer(r'\S*[^~]{0,60}(?<!\w)\S*\d\S*[^~]{0,30}', self.left)]
        self.test.assertEqual(found, [], 'numbers that no test compares with the program')
