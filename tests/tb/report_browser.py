#!/usr/bin/env python3
"""The report of a run works in a browser, from a file: the slider moves, charts tell their values, nothing is complained of.

Usage: report_browser.py SPILLWAY
"""
import html
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

# Stands first in the page: what goes wrong is collected.
WATCH = '''<script>
window.wrong = [];
window.addEventListener('error', (e) => wrong.push('error: ' + (e.message || (e.target && e.target.src))), true);
window.addEventListener('unhandledrejection', (e) => wrong.push('rejected: ' + e.reason));
for (const name of ['error', 'warn'])
  console[name] = (...all) => wrong.push('console: ' + all.join(' '));
</script>
'''

# How the scripts of a hand end: what was seen.
TELL = '''  seen.wrong = wrong;
  const told = document.createElement('pre');
  told.id = 'told';
  told.textContent = JSON.stringify(seen);
  document.body.append(told);
}, 300));
</script>
'''
# Stands last: a user's hand, and what he then sees.
HAND = '''<script>
window.addEventListener('load', () => setTimeout(() => {
  const seen = {};
  try {
    const by = (id) => document.getElementById(id), slider = by('moment');
    // No window is narrower than 500 pixels: the page is then made so.
    document.documentElement.style.width = 'WIDTHpx';
    window.dispatchEvent(new Event('resize'));
    const fills = () => Array.from(document.querySelectorAll('.drawing rect'), (r) => r.getAttribute('fill'));
    const lines = () => Array.from(document.querySelectorAll('.drawing line'), (l) => l.getAttribute('stroke'));
    const move = (to) => { slider.value = to; slider.dispatchEvent(new Event('input')); };
    seen.still = getComputedStyle(document.querySelector('.still')).display;
    seen.kept = Array.from(document.querySelectorAll('figure:not(.still) > svg')).length;
    seen.canvases = document.querySelectorAll('#live canvas').length;
    seen.moments = Number(slider.max) + 1;
    seen.begin = Number(slider.value);
    move(0);
    seen.first = {cycle: by('cycle').textContent, fills: fills(), lines: lines()};
    move(seen.begin);
    seen.fullest = {cycle: by('cycle').textContent, fills: fills(), lines: lines()};
    by('mode').value = 'blocked';
    by('mode').dispatchEvent(new Event('change'));
    seen.blocked = lines();
    // Click into the middle of a switch.
    const rect = document.querySelectorAll('.drawing rect')[SWITCH];
    rect.scrollIntoView();
    const box = rect.getBoundingClientRect();
    const at = {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true};
    rect.dispatchEvent(new MouseEvent('mousemove', at));
    seen.pointed = by('pointed').textContent;
    rect.dispatchEvent(new MouseEvent('click', at));
    seen.chosen = by('chosen').textContent;
    seen.choice = document.querySelectorAll('#choice canvas').length;
    // Hover over the first chart.
    const canvas = document.querySelector('#live .chart canvas'), where = canvas.getBoundingClientRect();
    const over = {clientX: where.x + where.width / 2, clientY: where.y + where.height / 2, bubbles: true, view: window};
    (document.querySelector('#live .chart').firstChild || canvas).dispatchEvent(new MouseEvent('mouseover', over));
    for (const one of document.querySelectorAll('#live .chart canvas'))
      one.dispatchEvent(new MouseEvent('mousemove', over));
    seen.values = Array.from(document.querySelectorAll('#live .values'), (v) => v.textContent);
    seen.window = by('window').textContent;
    // Drag across the first chart, then point into the middle of the second; then see the whole run again.
    const [one, two] = document.querySelectorAll('#live .chart');
    const drag = (type, share, target) => target.dispatchEvent(new MouseEvent(type, {
      clientX: where.x + where.width * share, clientY: where.y + 40, bubbles: true, button: 0, buttons: 1, view: window}));
    one.querySelectorAll('canvas').forEach((canvas) => drag('mousedown', 0.5, canvas));
    drag('mousemove', 0.6, document);
    drag('mousemove', 0.75, document);
    drag('mouseup', 0.75, document);
    seen.zoomed = by('window').textContent;
    const there = two.querySelector('canvas').getBoundingClientRect();
    two.querySelectorAll('canvas').forEach((canvas) => canvas.dispatchEvent(new MouseEvent('mousemove', {
      clientX: there.x + there.width / 2, clientY: there.y + 40, bubbles: true, view: window})));
    seen.middle = document.querySelectorAll('#live .values')[1].textContent;
    Array.from(document.querySelectorAll('#live button')).forEach((b) => b.click());
    seen.again = by('window').textContent;
    // Numbers that are broken over lines.
    seen.broken = Array.from(document.querySelectorAll('td.number')).filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set(Array.from(range.getClientRects(), (r) => Math.round(r.top))).size > 1;
    }).map((cell) => cell.textContent);
    // What sticks out, but for what can be scrolled by itself.
    seen.beyond = Array.from(document.body.querySelectorAll('*'))
        .filter((e) => !e.closest('.wide, .drawing') && e.getBoundingClientRect().right > WIDTH + 1)
        .map((e) => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 40));
  } catch (e) {
    wrong.push('hand: ' + e + ' ' + e.stack);
  }
''' + TELL
# The same where several links have the same ends.
LINES = '''<script>
window.addEventListener('load', () => setTimeout(() => {
  const seen = {};
  try {
    const by = (id) => document.getElementById(id), lines = Array.from(document.querySelectorAll('.drawing line'));
    const place = (l) => ['x1', 'y1', 'x2', 'y2'].map((name) => Number(l.getAttribute(name)));
    seen.begin = Number(by('moment').value);
    seen.lines = lines.map((l) => l.getAttribute('stroke'));
    seen.places = lines.map((l) => place(l).join());
    // A quarter of the way along a line.
    const line = lines[LINE], svg = line.closest('svg'), point = svg.createSVGPoint(), [x1, y1, x2, y2] = place(line);
    svg.scrollIntoView();
    point.x = x1 + 0.25 * (x2 - x1);
    point.y = y1 + 0.25 * (y2 - y1);
    const at = point.matrixTransform(svg.getScreenCTM());
    for (const type of ['mousemove', 'click'])
      line.dispatchEvent(new MouseEvent(type, {clientX: at.x, clientY: at.y, bubbles: true}));
    seen.pointed = by('pointed').textContent;
    seen.chosen = by('chosen').textContent;
    const box = document.querySelector('#choice .chart').getBoundingClientRect();
    for (const canvas of document.querySelectorAll('#choice canvas'))
      canvas.dispatchEvent(new MouseEvent('mousemove', {
        clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, view: window}));
    seen.values = document.querySelector('#choice .values').textContent;
    seen.caption = document.querySelector('#choice figcaption').textContent;
  } catch (e) {
    wrong.push('hand: ' + e + ' ' + e.stack);
  }
''' + TELL
# No script runs but ours, which looks.
FORBID = '<meta http-equiv="Content-Security-Policy" content="script-src \'nonce-ours\'">'
STILL = '''<script>
window.addEventListener('load', () => setTimeout(() => {
  const all = Array.from(document.querySelectorAll('.still')), told = document.createElement('pre');
  told.id = 'told';
  told.textContent = JSON.stringify({
    live: getComputedStyle(document.getElementById('live')).display,
    scripted: document.documentElement.classList.contains('scripted'),
    still: all.map((f) => getComputedStyle(f).display),
    heights: all.map((f) => f.querySelector('svg').getBoundingClientRect().height),
  });
  document.body.append(told);
}, 300));
</script>
'''
SWITCH = 5
DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'


def fail(words):
    sys.exit(f'FAILED: {words}')


def expect(true, words):
    if not true:
        fail(words)


def colour(share, start):
    """As the script mixes them."""
    scale = [start, (253, 174, 97), (120, 0, 30)]
    at = min(1, max(0, share)) * 2
    low = min(1, int(at))
    return [a + (b - a) * (at - low) for a, b in zip(scale[low], scale[low + 1])]


def is_colour(text, share, start):
    found = [int(v) for v in re.fullmatch(r'rgb\((\d+),(\d+),(\d+)\)', text).groups()]
    return all(abs(a - b) <= 1 for a, b in zip(found, colour(share, start)))


def may_reserve():
    """A browser reserves more than what tests are given where bugs are planted."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def dump(browser, page, folder, *options):
    done = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                           f'--user-data-dir={folder}/profile', '--virtual-time-budget=4000', *options,
                           '--dump-dom', page.as_uri()], capture_output=True, text=True, timeout=100,
                          preexec_fn=may_reserve)
    return done.stdout


def told(browser, page, folder, width):
    text = dump(browser, page, folder, f'--window-size={width},900')
    found = re.search(r'<pre id="told">(.*?)</pre>', text, re.S)
    expect(found, 'the page has told nothing')
    return json.loads(html.unescape(found.group(1)))


def shares_of(history):
    return [[DIGITS.index(c) / 63 for c in moment] for moment in history]


def check_lines(spillway, browser, folder):
    """Of two networks the links with the same ends are one line."""
    (folder / 'two.yaml').write_text(
        'name: two\ntopology: {kind: butterfly, radix: 2, stages: 3}\ninterface: {kind: nifdy}\n'
        'traffic:\n  - {pattern: hotspot, targets: [6], fraction: 0.6, rate: 0.4, cycles: 900}\n')
    run = subprocess.run([spillway, 'run', 'two.yaml', '--out', 'two'], cwd=folder, capture_output=True, text=True)
    expect(run.returncode == 0, run.stdout + run.stderr)
    past = json.loads((folder / 'two/network.json').read_text())['history']
    used, blocked = shares_of(past['used']), shares_of(past['blocked'])
    lines = {}
    for i, ends in enumerate(past['links']):
        lines.setdefault(tuple(ends), []).append(i)
    expect(len(lines) < len(past['links']), 'no links have the same ends')
    sums = [round(63 * sum(shares)) for shares in shares_of(past['fullest'])]
    fullest = sums.index(max(sums))
    # Two switches whose links differ.
    number, links = next((n, same) for n, (ends, same) in enumerate(lines.items())
                         if min(ends) >= 0 and len({used[fullest][i] for i in same}) > 1)
    page = (folder / 'two/report.html').read_text()
    probe = folder / 'probe.html'
    probe.write_text(page.replace('<head>', '<head>' + WATCH, 1)
                     .replace('</body>', LINES.replace('[LINE]', f'[{number}]') + '</body>'))
    seen = told(browser, probe, folder, 1280)
    expect(seen['wrong'] == [], seen['wrong'])
    expect(seen['begin'] == fullest, f'the slider begins at {seen["begin"]}, the fullest is {fullest}')
    expect(len(seen['places']) == len(set(seen['places'])), 'a line lies upon another')
    expect(len(seen['lines']) == len(lines), f'{len(seen["lines"])} lines, expected {len(lines)}')
    for line, (ends, same) in zip(seen['lines'], lines.items()):
        greatest = max(used[fullest][i] for i in same)
        expect(is_colour(line, greatest, (214, 214, 214)), f'links {ends}: {line}, the greatest is {greatest}')
    a, b = past['links'][links[0]]
    expect(seen['pointed'].startswith(f'switch_{a} → switch_{b}, {len(links)} links: '), seen['pointed'])
    said = re.findall(r'in use ([\d.]+), blocked ([\d.]+) of the cycles', seen['pointed'])
    expect(len(said) == len(links), seen['pointed'])
    for (use, block), i in zip(said, links):
        expect(abs(float(use) - used[fullest][i]) < 1e-3 and abs(float(block) - blocked[fullest][i]) < 1e-3,
               f'link {i}: {seen["pointed"]}, expected {used[fullest][i]} and {blocked[fullest][i]}')
    expect(seen['chosen'] == seen['pointed'], seen['chosen'])
    expect(seen['caption'].endswith('; of the links the greatest.'), seen['caption'])
    cycle, use, block = re.fullmatch(r'cycle (\d+) +in use ([\d.]+) +blocked ([\d.]+) *', seen['values']).groups()
    moment = past['cycles'].index(int(cycle))
    for text, shares in ((use, used), (block, blocked)):
        expect(abs(float(text) - max(shares[moment][i] for i in links)) < 1e-3, seen['values'])


def main():
    spillway = sys.argv[1]
    browser = next(filter(None, map(shutil.which, ['chromium', 'chromium-browser', 'google-chrome'])), None)
    if browser is None:
        print('skipped: no Chromium is installed')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'e.yaml').write_text(
            'name: "browser </script> <b>"\ntopology: {kind: butterfly, radix: 2, stages: 3}\n'
            'traffic:\n  - {pattern: hotspot, targets: [6], fraction: 0.6, rate: 0.4, cycles: 900}\n'
            'measure: {warmup: 100, cycles: 700, interval: 10, snapshots: [300]}\n')
        run = subprocess.run([spillway, 'run', 'e.yaml', '--out', 'out'], cwd=folder, capture_output=True, text=True)
        expect(run.returncode == 0, run.stdout + run.stderr)
        page = (folder / 'out/report.html').read_text()
        if 'id="run"' not in page:
            print('skipped: this was built without dygraphs')
            sys.exit(77)
        network = json.loads((folder / 'out/network.json').read_text())
        past = network['history']
        shares, used, blocked = (shares_of(past[name]) for name in ('fullest', 'used', 'blocked'))
        probe = folder / 'probe.html'
        for width in (1280, 390):
            hand = HAND.replace('SWITCH', str(SWITCH)).replace('WIDTH', str(width))
            probe.write_text(page.replace('<head>', '<head>' + WATCH, 1).replace('</body>', hand + '</body>'))
            seen = told(browser, probe, folder, width)
            expect(seen['wrong'] == [], f'{width}: {seen["wrong"]}')
            expect(seen['still'] == 'none' and seen['kept'] >= 1, f'still pictures: {seen["still"]}, {seen["kept"]}')
            expect(seen['moments'] == len(past['cycles']), seen['moments'])
            fullest = max(range(len(shares)), key=lambda i: (round(63 * sum(shares[i])), -i))
            expect(seen['begin'] == fullest, f'the slider begins at {seen["begin"]}, the fullest is {fullest}')
            for key, moment in (('first', 0), ('fullest', fullest)):
                expect(seen[key]['cycle'] == f'cycle {past["cycles"][moment]}', seen[key]['cycle'])
                expect(len(seen[key]['fills']) == 12, len(seen[key]['fills']))
                for i, fill in enumerate(seen[key]['fills']):
                    expect(is_colour(fill, shares[moment][i], (255, 255, 255)), f'{key}, switch {i}: {fill}')
                for i, line in enumerate(seen[key]['lines']):
                    expect(is_colour(line, used[moment][i], (214, 214, 214)), f'{key}, link {i}: {line}')
            expect(seen['first']['fills'] != seen['fullest']['fills'], 'the slider changes nothing')
            for i, line in enumerate(seen['blocked']):
                expect(is_colour(line, blocked[fullest][i], (214, 214, 214)), f'blocked, link {i}: {line}')
            expected = f'switch_{SWITCH}: fullest queue '
            expect(seen['pointed'].startswith(expected), seen['pointed'])
            expect(abs(float(seen['pointed'][len(expected):]) - shares[fullest][SWITCH]) < 1e-3, seen['pointed'])
            expect(seen['chosen'] == seen['pointed'] and seen['choice'] >= 1, 'a click shows no series')
            # All charts tell the values of the same cycle, and those are of the series.
            cycles = {re.match(r'cycle (\d+) ', v).group(1) for v in seen['values']}
            expect(len(cycles) == 1 and len(seen['values']) >= 4, seen['values'])
            cycle = cycles.pop()
            rows = [line.split(',') for line in (folder / 'out/series.csv').read_text().splitlines()]
            row = dict(zip(rows[0], next(r for r in rows if r[0] == cycle)))
            said = re.search(r'created ([\d.]+) +delivered ([\d.]+)', seen['values'][0])
            expect(abs(float(said.group(1)) - float(row['created']) / 10) < 1e-3, (seen['values'], row))
            expect(abs(float(said.group(2)) - float(row['delivered']) / 10) < 1e-3, (seen['values'], row))
            # A window of time is common to all charts.
            low, high = map(int, re.fullmatch(r'cycles (\d+) to (\d+)', seen['zoomed']).groups())
            whole = int(re.fullmatch(r'cycles 0 to (\d+)', seen['window']).group(1))
            expect(0.3 * whole < low < high < 0.85 * whole, seen['zoomed'])
            middle = int(re.match(r'cycle (\d+) ', seen['middle']).group(1))
            expect(abs(middle - (low + high) / 2) < 0.15 * (high - low), (seen['zoomed'], seen['middle']))
            expect(seen['again'] == seen['window'], seen['again'])
            expect(seen['broken'] == [], f'{width}: {seen["broken"]}')
            expect(seen['beyond'] == [], f'{width}: {seen["beyond"]}')
        check_lines(spillway, browser, folder)
        # Without scripts the pictures are there, and what scripts need is not seen.
        ours = STILL.replace('<script>', '<script nonce="ours">')
        probe.write_text(page.replace('<head>', '<head>' + FORBID, 1).replace('</body>', ours + '</body>'))
        seen = told(browser, probe, folder, 1280)
        expect(seen['live'] == 'none' and not seen['scripted'], f'scripts ran: {seen}')
        expect(seen['still'] == ['block'] * 3, f'packets, occupancy and the network: {seen["still"]}')
        expect(seen['heights'] and min(seen['heights']) > 50, f'heights of the pictures: {seen["heights"]}')
        print(f'report.html has {os.path.getsize(folder / "out/report.html")} bytes')


main()
