/* Draws the charts of a report; all of its data is in the page. */
const report = JSON.parse(document.getElementById('report').textContent);
const style = getComputedStyle(document.documentElement);
const colour = (name) => style.getPropertyValue(`--${name}`).trim();

function charts() {
  const at = report.samples.map(({ atMs }) => atMs / 1000);
  const series = (label, stroke, of) => ({ label, stroke: colour(stroke), values: report.samples.map(of) });
  chart('throughput', at, [
    series('commands a second', 'a', (s) => s.perSecond),
    series('underway', 'b', (s) => s.underway),
  ]);
  chart('waits', at, [
    series('waiting', 'a', (s) => s.waiting),
    series('conflicts a second', 'b', conflictsPerSecond),
  ]);
  chart('steps', at, [
    series('start p50', 'a', (s) => s.startMs.p50),
    series('start p99', 'b', (s) => s.startMs.p99),
    series('end p50', 'ok', (s) => s.workMs.p50),
    series('end p99', 'c', (s) => s.workMs.p99),
  ]);
  chart('latency', at, [
    series('p50', 'a', (s) => s.latencyMs.p50),
    series('p90', 'b', (s) => s.latencyMs.p90),
    series('p99', 'c', (s) => s.latencyMs.p99),
  ]);
  chart('usage', at, [series('memory MB', 'a', (s) => s.rssMb), series('CPU %', 'b', (s) => s.cpuPercent)]);
}

/** Samples count them from the start of the run. */
function conflictsPerSecond(sample, n, all) {
  const before = all[n - 1] ?? { atMs: 0, conflicts: 0 };
  return ((sample.conflicts - before.conflicts) / Math.max(1, sample.atMs - before.atMs)) * 1000;
}

function chart(id, at, lines) {
  const place = document.getElementById(id);
  const axis = {
    stroke: colour('ink-2'),
    grid: { stroke: colour('line') },
    ticks: { stroke: colour('line') },
  };
  const options = {
    width: place.clientWidth,
    height: 200,
    scales: { x: { time: false }, y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map((second) => `${second} s`) },
      { ...axis, size: 64 },
    ],
    series: [
      { label: 'at', value: (_plot, second) => (second === null ? '' : `${second.toFixed(1)} s`) },
      ...lines.map(({ label, stroke }) => ({
        label,
        stroke,
        width: 1.5,
        points: { show: at.length < 3 },
        value: (_plot, value) => (value === null ? '' : value.toFixed(1)),
      })),
    ],
  };
  const plot = new uPlot(options, [at, ...lines.map(({ values }) => values)], place);
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: 200 })).observe(place);
}

/** A row for each agent: grey while a command waits, coloured by its work while it runs. */
function lanes() {
  const place = document.getElementById('lanes');
  const bars = report.pictures.lanes;
  const agents = Math.min(report.options.agents, Number(place.dataset.most));
  const row = 14;
  const left = 30;
  const until = Math.max(1, ...bars.map(({ ended }) => ended));
  const colours = { read: colour('a'), write: colour('b'), shell: colour('c'), git: colour('ok') };
  const canvas = document.createElement('canvas');
  place.append(canvas);

  function draw() {
    const width = place.clientWidth;
    const height = agents * row + 22;
    const scale = devicePixelRatio;
    Object.assign(canvas, { width: width * scale, height: height * scale });
    canvas.style.cssText = `width:${width}px;height:${height}px`;
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const x = (ms) => left + (ms / until) * (width - left - 8);
    context.font = '11px system-ui';
    for (const { agent, sent, started, ended, work } of bars) {
      if (agent >= agents) continue;
      const y = agent * row + 2;
      context.fillStyle = colour('line');
      context.fillRect(x(sent), y + 3, Math.max(0.5, x(started) - x(sent)), row - 10);
      context.fillStyle = colours[work];
      context.fillRect(x(started), y, Math.max(0.8, x(ended) - x(started)), row - 4);
    }
    context.fillStyle = colour('ink-2');
    for (let agent = 0; agent < agents; agent++) context.fillText(String(agent), 4, agent * row + 11);
    const marks = width < 600 ? 3 : 6;
    for (let n = 0; n <= marks; n++) {
      context.textAlign = n === marks ? 'right' : 'left';
      context.fillText(`${((until * n) / marks / 1000).toFixed(1)} s`, x((until * n) / marks), height - 6);
    }
  }
  new ResizeObserver(draw).observe(place);
}

/** A row for each path: the longer commands waited for who held it in that part of the run, the stronger. */
function heat() {
  const place = document.getElementById('heat');
  const { rows } = report.pictures.heat;
  if (place === null) return;
  const most = Math.max(1, ...rows.flatMap(({ waitedMs }) => waitedMs));
  for (const { path, waitedMs, commands } of rows) {
    const name = document.createElement('code');
    name.textContent = path;
    name.title = path;
    const cells = document.createElement('div');
    cells.className = 'row';
    for (const ms of waitedMs) {
      const cell = document.createElement('i');
      cell.style.setProperty('--how', String(0.06 + 0.94 * Math.sqrt(ms / most)));
      cell.title = `${path}: ${ms} ms waited`;
      cells.append(cell);
    }
    const total = document.createElement('span');
    const waited = waitedMs.reduce((sum, ms) => sum + ms, 0);
    total.textContent = `${waited < 1000 ? `${waited} ms` : `${(waited / 1000).toFixed(1)} s`} · ${commands}×`;
    place.append(name, cells, total);
  }
}

charts();
lanes();
heat();
