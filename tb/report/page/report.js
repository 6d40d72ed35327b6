// Brings the report of a run to life: charts that can be zoomed and asked for their values, and the network
// over time. Data is the JSON of the element `run`; without scripts the page keeps its still pictures.
'use strict';
(function () {
  const run = JSON.parse(document.getElementById('run').textContent);
  const live = document.getElementById('live');
  // Okabe and Ito's colours, as in the still pictures.
  const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const charts = [];
  let frame = 0;

  function element(tag, text, name) {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (name) made.className = name;
    return made;
  }
  function shown(value) {
    if (value === null || value === undefined || isNaN(value)) return '–';
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
  }

  /// At an axis: short.
  function tick(value) {
    const size = Math.abs(value);
    if (size >= 1e6) return Number((value / 1e6).toPrecision(6)) + 'M';
    if (size >= 1e4) return Number((value / 1e3).toPrecision(6)) + 'k';
    return String(Number(value.toPrecision(6)));
  }

  // ---- charts of the series, with one window of time

  let busy = false;  // what one chart tells the others must not come back
  function share(chart, tell) {
    if (busy) return;
    busy = true;
    for (const other of charts) if (other !== chart) tell(other);
    busy = false;
  }
  function tellWindow() {
    const range = charts[0].xAxisRange();
    document.getElementById('window').textContent =
        'cycles ' + Math.max(0, Math.round(range[0])) + ' to ' + Math.round(range[1]);
  }
  function setWindow(from, to) {
    busy = true;
    for (const chart of charts) chart.updateOptions({dateWindow: [from, to]});
    busy = false;
    tellWindow();
  }
  /// The row of a chart whose cycle is nearest.
  function nearest(cycles, at) {
    let low = 0, high = cycles.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cycles[middle] < at) low = middle + 1; else high = middle;
    }
    return low > 0 && at - cycles[low - 1] <= cycles[low] - at ? low - 1 : low;
  }
  function sayValues(chart, row) {
    const at = row === null ? '' : 'cycle ' + chart.cycles[row];
    chart.values.textContent = at;
    chart.spec.series.forEach((one, i) => {
      chart.values.append(' ');
      const name = element('b', one.name || chart.spec.y);
      name.style.color = colours[i % colours.length];
      chart.values.append(name, row === null ? '' : ' ' + shown(one.values[row]) + ' ');
    });
  }
  function underlay(context, area, chart) {
    const line = (cycle, colour, dash) => {
      const x = chart.toDomXCoord(cycle);
      if (x < area.x || x > area.x + area.w) return;
      context.save();
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
      context.restore();
    };
    for (const mark of run.marks) line(mark, '#666', [6, 4]);
    if (run.network.history) line(run.network.history.cycles[frame], '#1e90ff', []);
    if (chart.spec && chart.spec.bound !== undefined) {
      const y = chart.toDomYCoord(chart.spec.bound);
      context.save();
      context.setLineDash([6, 4]);
      context.strokeStyle = '#444';
      context.beginPath();
      context.moveTo(area.x, y);
      context.lineTo(area.x + area.w, y);
      context.stroke();
      context.fillStyle = '#222';
      context.textAlign = 'right';
      context.fillText(chart.spec.boundLabel, area.x + area.w - 4, y - 4);
      context.restore();
    }
  }
  function addChart(place, spec, first) {
    const cycles = spec.x;
    const figure = element('figure'), values = element('div', '', 'values'), box = element('div', '', 'chart');
    figure.append(values, box);
    if (spec.caption) figure.append(element('figcaption', spec.caption));
    place.append(figure);
    const rows = cycles.map((cycle, i) => [cycle].concat(spec.series.map((one) => one.values[i])));
    const window = charts.length ? charts[0].xAxisRange() : [0, run.cycles];
    const chart = new Dygraph(box, rows, {
      labels: ['cycle'].concat(spec.series.map((one, i) => one.name || spec.y || 'y' + i)),
      colors: spec.series.map((one, i) => colours[i % colours.length]),
      ylabel: spec.y,
      xlabel: 'cycle',
      legend: 'never',
      strokeWidth: 1.6,
      includeZero: true,
      valueRange: spec.range || null,
      dateWindow: window,
      showRangeSelector: first,
      interactionModel: Dygraph.defaultInteractionModel,  // with a bar, a drag would move the window
      rangeSelectorHeight: 28,
      rangeSelectorPlotFillColor: '',
      rangeSelectorPlotStrokeColor: '#888',
      axes: {x: {axisLabelFormatter: tick}, y: {axisLabelFormatter: tick}},
      series: Object.fromEntries(spec.series.map((one, i) => [
        one.name || spec.y || 'y' + i, i >= colours.length ? {strokePattern: [7, 3]} : {}])),
      underlayCallback: underlay,
      highlightCallback: (event, x, points, row) => {
        sayValues(chart, row);
        share(chart, (other) => {
          const its = nearest(other.cycles, x);
          other.setSelection(its);
          sayValues(other, its);
        });
      },
      unhighlightCallback: () => {
        sayValues(chart, null);
        share(chart, (other) => {
          other.clearSelection();
          sayValues(other, null);
        });
      },
      drawCallback: (drawn, initial) => {
        if (initial) return;
        const range = drawn.xAxisRange();
        share(drawn, (other) => {
          const its = other.xAxisRange();
          if (its[0] !== range[0] || its[1] !== range[1]) other.updateOptions({dateWindow: range});
        });
        if (!busy) tellWindow();
      },
      clickCallback: (event, x) => {
        if (run.network.history) show(nearest(run.network.history.cycles, x));
      },
    });
    Object.assign(chart, {spec, cycles, values, figure});
    charts.push(chart);
    sayValues(chart, null);
    return chart;
  }

  // ---- the network over time

  const mixed = [[255, 255, 255], [253, 174, 97], [120, 0, 30]];  // as in the still picture
  function colourOf(share, from) {
    const at = Math.min(1, Math.max(0, share)) * 2, low = Math.min(1, Math.floor(at));
    const a = low === 0 ? from : mixed[low], b = mixed[low + 1];
    return 'rgb(' + a.map((v, i) => Math.round(v + (b[i] - v) * (at - low))).join(',') + ')';
  }
  const faint = [214, 214, 214];
  const svgNames = 'http://www.w3.org/2000/svg';
  let network = null;

  function level(text, at) {
    return digits.indexOf(text[at]);
  }
  function switchName(i) {
    return 'switch_' + i;
  }
  function endName(end) {
    return end < 0 ? 'terminal_' + (-1 - end) : switchName(end);
  }
  /// Links with the same ends are one line.
  function linesOf(links) {
    const lines = new Map();
    links.forEach((link, i) => {
      const ends = link.join();
      if (!lines.has(ends)) lines.set(ends, {from: link[0], to: link[1], links: []});
      lines.get(ends).links.push(i);
    });
    return Array.from(lines.values());
  }
  function lineName(line) {
    return endName(line.from) + ' → ' + endName(line.to) + (line.links.length > 1 ? ', ' + line.links.length + ' links' : '');
  }
  /// Of the links of a line at a moment.
  function greatest(moment, line) {
    return Math.max(...line.links.map((i) => level(moment, i)));
  }
  /// The greatest share of the links of a line in a mode, at a moment.
  function shareOf(mode, at, line) {
    const value = greatest(run.network.history[mode][at], line);
    return mode === 'stopped' ? value / network.mostStopped : value / 63;
  }
  function describeSwitch(i) {
    return switchName(i) + ': fullest queue ' + shown(level(run.network.history.fullest[frame], i) / 63);
  }
  function describeLink(i) {
    const h = run.network.history;
    let text = 'in use ' + shown(level(h.used[frame], i) / 63) + ', blocked ' +
        shown(level(h.blocked[frame], i) / 63) + ' of the cycles';
    if (h.stopped) text += ', destinations stopped ' + level(h.stopped[frame], i) + (level(h.stopped[frame], i) === 63 ? ' or more' : '');
    return text;
  }
  function describeLine(number) {
    const line = network.lines[number];
    return lineName(line) + ': ' + line.links.map(describeLink).join('; ');
  }
  function describe(what) {
    return what.kind === 'switch' ? describeSwitch(what.number) : describeLine(what.number);
  }

  function lay() {
    const places = run.network.switches;
    let columns = 1, rows = 1;
    for (const place of places) {
      columns = Math.max(columns, place[0] + 1);
      rows = Math.max(rows, place[1] + 1);
    }
    const dx = Math.min(120, Math.max(14, 860 / (columns + 1))), dy = Math.min(60, Math.max(8, 560 / rows));
    const wide = Math.min(18, 0.5 * dx), high = Math.min(18, 0.7 * dy);
    const at = (i) => [dx * (places[i][0] + 1), dy * (places[i][1] + 0.5)];
    return {dx, dy, wide, high, at, width: dx * (columns + 1), height: dy * rows};
  }
  /// Ends of a line; those of terminals are stubs, and the two directions of a pair lie beside each other.
  function endsOf(line, plan, taken) {
    const far = 0.42 * plan.dx;
    const stub = (end, side) => {
      const key = end + (side < 0 ? 'i' : 'o'), number = taken[key] = (taken[key] || 0) + 1;
      const at = plan.at(end);
      return [at[0] + side * far, at[1] + (number - 1.5) * 0.4 * plan.high];
    };
    const a = line.from < 0 ? stub(line.to, -1) : plan.at(line.from);
    const b = line.to < 0 ? stub(line.from, 1) : plan.at(line.to);
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, off = Math.min(2, plan.high / 6) / length;
    const px = (a[1] - b[1]) * off, py = (b[0] - a[0]) * off;
    return [a[0] + px, a[1] + py, b[0] + px, b[1] + py];
  }

  function drawNetwork(place) {
    const h = run.network.history, plan = lay();
    const svg = document.createElementNS(svgNames, 'svg');
    svg.setAttribute('viewBox', '0 0 ' + plan.width + ' ' + plan.height);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', 'The network; switches by their fullest queue, links by their use');
    svg.style.minWidth = Math.min(plan.width, 640) + 'px';
    svg.style.maxWidth = Math.max(640, plan.width) + 'px';
    network = {plan, svg, lines: linesOf(h.links), switches: [], mode: 'used', chosen: null, mostStopped: 1};
    if (h.stopped)
      for (const moment of h.stopped)
        for (const digit of new Set(moment)) network.mostStopped = Math.max(network.mostStopped, digits.indexOf(digit));
    const taken = {};
    for (const line of network.lines) {
      line.ends = endsOf(line, plan, taken);
      line.drawn = document.createElementNS(svgNames, 'line');
      ['x1', 'y1', 'x2', 'y2'].forEach((name, i) => line.drawn.setAttribute(name, line.ends[i].toFixed(1)));
      svg.append(line.drawn);
    }
    run.network.switches.forEach((unused, i) => {
      const at = plan.at(i), rect = document.createElementNS(svgNames, 'rect');
      rect.setAttribute('x', (at[0] - plan.wide / 2).toFixed(1));
      rect.setAttribute('y', (at[1] - plan.high / 2).toFixed(1));
      rect.setAttribute('width', plan.wide);
      rect.setAttribute('height', plan.high);
      rect.setAttribute('stroke-width', '0.7');
      svg.append(rect);
      network.switches.push(rect);
    });
    place.append(svg);
    const pointed = document.getElementById('pointed');
    svg.addEventListener('mousemove', (event) => {
      const what = whatIsAt(event);
      pointed.textContent = what ? describe(what) : '';
    });
    svg.addEventListener('click', (event) => {
      const what = whatIsAt(event);
      if (what) choose(what);
    });
  }
  function whatIsAt(event) {
    const point = network.svg.createSVGPoint();
    point.x = event.clientX;
    point.y = event.clientY;
    const matrix = network.svg.getScreenCTM();
    if (!matrix) return null;
    const at = point.matrixTransform(matrix.inverse()), plan = network.plan, reach = 6 / matrix.a;
    let best = null, least = Infinity;
    for (let i = 0; i < network.switches.length; ++i) {
      const here = plan.at(i);
      const away = Math.max(Math.abs(at.x - here[0]) - plan.wide / 2, Math.abs(at.y - here[1]) - plan.high / 2, 0);
      if (away === 0) return {kind: 'switch', number: i};
      if (away < least && away < reach / 2) least = away, best = {kind: 'switch', number: i};
    }
    network.lines.forEach((line, i) => {
      const e = line.ends, x = e[2] - e[0], y = e[3] - e[1];
      const along = Math.min(1, Math.max(0, ((at.x - e[0]) * x + (at.y - e[1]) * y) / (x * x + y * y || 1)));
      const away = Math.hypot(at.x - e[0] - along * x, at.y - e[1] - along * y);
      if (away < least && away < reach) least = away, best = {kind: 'line', number: i};
    });
    return best;
  }
  function show(at) {
    const h = run.network.history;
    frame = at;
    document.getElementById('moment').value = at;
    document.getElementById('cycle').textContent = 'cycle ' + h.cycles[at];
    network.switches.forEach((rect, i) => {
      rect.setAttribute('fill', colourOf(level(h.fullest[at], i) / 63, mixed[0]));
      const chosen = network.chosen && network.chosen.kind === 'switch' && network.chosen.number === i;
      rect.setAttribute('stroke', chosen ? '#1e90ff' : '#777');
      rect.setAttribute('stroke-width', chosen ? '2.5' : '0.7');
    });
    network.lines.forEach((line, i) => {
      const share = shareOf(network.mode, at, line);
      const chosen = network.chosen && network.chosen.kind === 'line' && network.chosen.number === i;
      line.drawn.setAttribute('stroke', chosen ? '#1e90ff' : colourOf(share, faint));
      line.drawn.setAttribute('stroke-width', (chosen ? 2.5 : 0.7 + 1.8 * share).toFixed(2));
    });
    if (network.chosen) describeChosen();
    if (!redraws) requestAnimationFrame(redraw);
    redraws = true;
  }
  /// The line at the moment; once a picture of the screen, however fast the slider goes.
  let redraws = false;
  function redraw() {
    redraws = false;
    busy = true;
    for (const chart of charts) chart.updateOptions({});
    busy = false;
  }
  function describeChosen() {
    document.getElementById('chosen').textContent = describe(network.chosen);
  }
  function choose(what) {
    const h = run.network.history, line = what.kind === 'line' ? network.lines[what.number] : null;
    network.chosen = what;
    const old = charts.findIndex((chart) => chart.spec.ofChoice);
    if (old >= 0) {
      charts[old].destroy();
      charts[old].figure.remove();
      charts.splice(old, 1);
    }
    const series = what.kind === 'switch'
        ? [{name: 'fullest queue', values: h.fullest.map((m) => level(m, what.number) / 63)}]
        : [{name: 'in use', values: h.used.map((m) => greatest(m, line) / 63)},
           {name: 'blocked', values: h.blocked.map((m) => greatest(m, line) / 63)}];
    const spec = {
      caption: (what.kind === 'switch' ? switchName(what.number) + ': share in use of its fullest queue'
                                       : lineName(line) + ': share of the cycles in which a flit crossed, and in which one waited' +
                                             (line.links.length > 1 ? '; of the links the greatest' : '')) + '.',
      x: h.cycles, y: 'share', series, range: [0, 1.02], ofChoice: true,
    };
    addChart(document.getElementById('choice'), spec, false);
    show(frame);
  }

  function addNetwork() {
    const h = run.network.history;
    const part = element('section');
    part.append(element('h3', 'The network over time'));
    const slider = element('div', '', 'slider'), input = element('input'), cycle = element('output');
    input.type = 'range';
    input.id = 'moment';
    input.min = 0;
    input.max = h.cycles.length - 1;
    input.setAttribute('aria-label', 'moment of the run');
    cycle.id = 'cycle';
    slider.append(input, cycle);
    const scale = element('div', '', 'scale'), drawing = element('div', '', 'drawing');
    for (const step of [0, 0.25, 0.5, 0.75, 1]) {
      const one = element('span'), box = element('i');
      box.style.background = colourOf(step, mixed[0]);
      one.append(box, step === 0 ? 'empty' : step === 1 ? 'full' : String(step));
      scale.append(one);
    }
    const mode = element('select'), label = element('label', 'links: ');
    mode.id = 'mode';
    for (const [name, text] of [['used', 'share of cycles in use'], ['blocked', 'share of cycles with a flit that waits'],
                                ['stopped', 'destinations stopped (embargoes)']])
      if (h[name]) {
        const option = element('option', text);
        option.value = name;
        mode.append(option);
      }
    label.append(mode);
    const tools = element('div', '', 'scale');
    tools.append(label);
    const pointed = element('div', '', 'pointed'), chosen = element('div', '', 'pointed'), choice = element('div');
    pointed.id = 'pointed';
    chosen.id = 'chosen';
    choice.id = 'choice';
    part.append(slider, tools, scale, drawing, pointed, chosen, choice,
                element('p', 'Switches in the colour of their fullest queue, links in that of what is chosen above since the ' +
                             'moment before. Point at a switch or a link for its values, click for its course over time; a ' +
                             'click into a chart moves the slider there. Values are rounded to 1/63.', 'note'));
    live.append(part);
    drawNetwork(drawing);
    input.addEventListener('input', () => show(Number(input.value)));
    mode.addEventListener('change', () => {
      network.mode = mode.value;
      show(frame);
    });
    // To begin with, the moment at which the network is fullest.
    const sums = h.fullest.map((m) => Array.from(m).reduce((sum, digit) => sum + digits.indexOf(digit), 0));
    show(sums.indexOf(Math.max(...sums)));
  }

  const tools = element('div', '', 'tools'), all = element('button', 'Whole run'), range = element('span');
  all.type = 'button';
  all.addEventListener('click', () => setWindow(0, run.cycles));
  range.id = 'window';
  tools.append(range, all, element('span', 'Drag across a chart to zoom all of them, double-click to see all again.'));
  live.append(tools);
  live.hidden = false;
  document.documentElement.classList.add('scripted');
  try {
    run.charts.forEach((spec, i) => addChart(live, spec, i === 0));
    if (charts.length) tellWindow(); else tools.hidden = true;
    if (run.network.history) addNetwork();
  } catch (error) {
    document.documentElement.classList.remove('scripted');
    live.hidden = true;
    throw error;
  }
})();
