#!/usr/bin/python3
"""Writes the dump of an invented wiki with many lists, to see how the reports behave with thousands of topics.

Usage: many_topics.py LISTS SECTIONS MEMBERS FILE.xml     each section of each list becomes a topic

Equal arguments give equal bytes. `many_topics.py 2000 5 8 many.xml` gives 10,000 topics; `build --dump many.xml` makes
the collection and its report.
"""
import random
import sys

KINDS = '''abbeys airfields aqueducts archives bakeries bays beaches birds bookshops breweries bridges canals castles caves
chapels cinemas colleges composers dams farms ferries festivals forts fountains galleries gardens harbours islands lakes
libraries lighthouses markets mills mines monuments mountains museums painters quarries rivers'''.split()
SYLLABLES = 'ar bel cor dun el fen gar hol is jor kel lun mar nor os pel rud sil tor ul ven wes yar zel'.split()
QUARTERS = 'northern southern eastern western inner outer upper lower coastal central'.split()
WORDS = '''stone river winter market road family wood harvest letter bell garden painter storm bridge copper salt wool
century council school journey harbour music tower roof window wall island valley spring fire glass ship summer book'''.split()


def name(number):
    """A word that no other number has."""
    text = ''
    number += len(SYLLABLES)
    while number:
        number, rest = divmod(number, len(SYLLABLES))
        text += SYLLABLES[rest]
    return text.capitalize()


def section_name(number, place):
    return f'{QUARTERS[number % len(QUARTERS)].capitalize()} {place}' + (f' {number // len(QUARTERS) + 1}' if number >= len(QUARTERS) else '')


class Dump:
    def __init__(self, out):
        self.out, self.pages = out, 0
        out.write('<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n<siteinfo><sitename>Manywiki</sitename>'
                  '<dbname>manywiki</dbname><base>https://many.example/wiki/Main_Page</base><generator>MediaWiki 1.43</generator><case>first-letter</case>'
                  '<namespaces><namespace key="0" case="first-letter" /><namespace key="1" case="first-letter">Talk</namespace></namespaces></siteinfo>\n')

    def page(self, title, text):
        self.pages += 1
        self.out.write(f'<page><title>{title}</title><ns>0</ns><id>{self.pages}</id><revision><id>{self.pages}</id><timestamp>2025-01-01T00:00:00Z</timestamp>'
                       f'<contributor><username>A</username><id>1</id></contributor><model>wikitext</model><format>text/x-wiki</format>'
                       f'<text xml:space="preserve">{text}</text></revision></page>\n')


def main(lists, sections, members, path):
    dice = random.Random(1)
    with open(path, 'w') as out:
        dump = Dump(out)
        number = 0
        for i in range(lists):
            kind, place = KINDS[i % len(KINDS)], name(i // len(KINDS))
            text = f'These are the {kind} of {place}.\n'
            for j in range(sections):
                section = section_name(j, place)
                group = [f'{name(number + k)} {kind.capitalize()}' for k in range(members)]
                number += members
                text += f'\n== {section} ==\n{{| class="wikitable"\n! Name !! Built\n' + ''.join(f'|-\n| [[{member}]] || {dice.randint(1200, 1990)}\n' for member in group) + '|}\n'
                for k, member in enumerate(group):
                    near, far = group[(k + 1) % members], group[(k + 2) % members]
                    said = ' '.join(dice.choice(WORDS) for _ in range(14)), ' '.join(dice.choice(WORDS) for _ in range(14))
                    dump.page(member, f"'''{member}''' is one of the {kind} of {place}, in {section}. It is known for {said[0]}. "
                                      f'Not far from it is [[{near}]], which also counts among the {kind} of {place}. In {dice.randint(1200, 1990)} its owners sold [[{far}]] for {said[1]}.')
            dump.page(f'List of {kind} of {place}', text)
        out.write('</mediawiki>\n')


if __name__ == '__main__':
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*map(int, sys.argv[1:4]), sys.argv[4])
