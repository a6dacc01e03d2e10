"""The figure of months.py, as SVG: on the left what each month costs, on the right the scores of the systems."""
import html

WIDTH, HEIGHT, TOP, BOTTOM = 1080, 420, 58, 360
INK, FAINT, GRID = '#222222', '#666666', '#e3e3e3'
COLOURS = ('#1f5fa8', '#c2571a', '#3a7d44', '#8a4fa3', '#a8841f', '#2a8a8a', '#b03a5b', '#5a6b7b')


def text(x, y, words, size=12, anchor='start', colour=INK, more=''):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{more}>{html.escape(words)}</text>'


def line(x1, y1, x2, y2, colour):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def step_of(top):
    """A round distance of ticks, so that there are about five."""
    step = 1e-3
    for factor in (2, 2.5, 2) * 9:
        if top / step <= 6:
            break
        step *= factor
    return step


class Panel:
    def __init__(self, left, right, title, label, months, top, shown):
        self.left, self.right, self.months = left, right, months
        self.step = step_of(top)
        self.top = self.step * max(1, -(-top // self.step))
        self.parts = [text(left, 28, title, 15, more=' font-weight="bold"'), text(left, 46, label, 12, colour=FAINT)]
        tick = 0
        while tick <= self.top + self.step / 2:
            self.parts += [line(left, self.y(tick), right, self.y(tick), GRID), text(left - 8, self.y(tick) + 4, shown(tick), anchor='end', colour=FAINT)]
            tick += self.step
        every = max(1, -(-months // 14))
        self.parts += [text(self.x(month), BOTTOM + 18, str(month), anchor='middle', colour=FAINT) for month in range(0, months, every)]
        self.parts.append(text((left + right) / 2, BOTTOM + 40, 'month', 12, 'middle', FAINT))

    def x(self, month):
        return self.left + (self.right - self.left) * month / max(1, self.months - 1)

    def y(self, value):
        return BOTTOM - (BOTTOM - TOP) * value / self.top

    def draw(self, names, series, size):
        """Lines with their names at the right end, moved apart where they would cover each other."""
        ends = []
        for number, (name, points) in enumerate(zip(names, series)):
            points = [(month, value) for month, value in enumerate(points) if value is not None]
            if not points:
                continue
            colour = COLOURS[number % len(COLOURS)]
            path = ' '.join(f'{self.x(month):.1f},{self.y(value):.1f}' for month, value in points)
            self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
            self.parts += [f'<circle cx="{self.x(month):.1f}" cy="{self.y(value):.1f}" r="2.4" fill="{colour}"/>' for month, value in points]
            ends.append([self.y(points[-1][1]), name, colour])
        ends.sort()
        for before, end in zip(ends, ends[1:]):
            end[0] = max(end[0], before[0] + size + 1)
        limit = BOTTOM + 4
        for end in reversed(ends):
            end[0] = min(end[0], limit)
            limit = end[0] - size - 1
        self.parts += [text(self.right + 10, y + size / 3, name, size, colour=colour) for y, name, colour in ends]


def figure(shares, scores, measure):
    """`shares` has a pair for each month, (of the questions, of the processor time); `scores` a table {system: score}."""
    months = len(shares)
    costs = Panel(60, 400, 'Cost of a month', 'share of a build from nothing, in %', months, max([100, *(100 * value for pair in shares for value in pair)]), lambda tick: f'{tick:.0f}')
    costs.draw(('questions asked', 'processor time'), [[100 * pair[i] for pair in shares] for i in (0, 1)], 12)
    systems = sorted({system for month in scores for system in month}, key=lambda system: -next((month[system] for month in scores if system in month), 0))
    highest = max([0.1, *(value for month in scores for value in month.values())])
    ranks = Panel(580, 920, 'Scores of the baseline systems', measure, months, highest, lambda tick: f'{tick:.2f}'.rstrip('0').rstrip('.') or '0')
    ranks.draw(systems, [[month.get(system) for month in scores] for system in systems], 11)
    return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="Helvetica, Arial, sans-serif">',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', *costs.parts, *ranks.parts, '</svg>', ''])
